"""A field widget of up to 26 x 26 cells, with a cursor, the mouse, and overlays.

The widget knows no rules. Its owner sets the state of every cell and gets a message when a cell is aimed at or chosen;
cells are `y * width + x` from 0, as everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from seabattle_host import cells
from seabattle_host.language.text import COLUMNS_EN, COLUMNS_RU
from seabattle_host.tui import theme

LABELS = 3
"""Characters before a row: its number and a space."""

MOST = 26
"""Most cells in a row or column."""


class BoardView(Widget, can_focus=True):
    """columns, rows: of the field, 1..26.

    russian: Russian column letters; letters: any others. cell_width: characters of a cell, 1..4; cell_height: its
    lines, 1 or 2.

    interactive: whether it has a cursor and takes keys and the mouse.
    """

    BINDINGS = [
        Binding("up", "move(0,-1)", show=False),
        Binding("down", "move(0,1)", show=False),
        Binding("left", "move(-1,0)", show=False),
        Binding("right", "move(1,0)", show=False),
        Binding("home", "edge(-1)", show=False),
        Binding("end", "edge(1)", show=False),
        Binding("enter", "choose", show=False),
    ]

    DEFAULT_CSS = """
    BoardView { width: auto; height: auto; }
    """

    cursor = reactive(0)
    cell_width = reactive(2, layout=True)
    cell_height = reactive(1, layout=True)

    class Aimed(Message):
        """The cursor has moved to another cell."""

        def __init__(self, board: BoardView, cell: int):
            self.board = board
            self.cell = cell
            super().__init__()

    class Chosen(Message):
        """Enter or a click on a cell. by_mouse: a click."""

        def __init__(self, board: BoardView, cell: int, by_mouse: bool):
            self.board = board
            self.cell = cell
            self.by_mouse = by_mouse
            super().__init__()

    class Turned(Message):
        """Another mouse button or the wheel: turn the ship to be placed."""

        def __init__(self, board: BoardView):
            self.board = board
            super().__init__()

    def __init__(
        self,
        columns: int = 10,
        rows: int = 10,
        *,
        russian: bool = False,
        letters: str = "",
        cell_width: int = 2,
        interactive: bool = True,
        ascii_only: bool = False,
        **kwargs: str | None,
    ):
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.letters = letters or (COLUMNS_RU if russian else COLUMNS_EN)
        self.ascii_only = ascii_only
        self.can_focus = self.interactive = interactive
        self.set_reactive(BoardView.cell_width, cell_width)
        self._size_to(columns, rows)

    def resize_field(self, columns: int, rows: int) -> None:
        """Switch to a field of another size, all unknown."""
        self._size_to(columns, rows)
        self.refresh(layout=True)

    def _size_to(self, columns: int, rows: int) -> None:
        if not (1 <= columns <= MOST and 1 <= rows <= MOST):
            raise ValueError(f"a field of {columns}x{rows} cells")
        self.columns = columns
        self.rows = rows
        self.states: Sequence[int] = bytearray(columns * rows)
        self.owners: Sequence[int] | None = None
        self.drawn: Sequence[tuple[str, Style]] | None = None
        self.last: Collection[int] = ()
        self.ghost: Collection[int] = ()
        self.ghost_fits = True
        self.heat: Sequence[int] | None = None
        self.set_reactive(BoardView.cursor, 0)

    # State.

    def show(self, states: Sequence[int], *, last: Collection[int] = (), owners: Sequence[int] | None = None) -> None:
        """Set the state of every cell (cells.UNKNOWN ...).

        last: cells of the last move. owners: by cell, cells.OWNER_*.
        """
        self.states = states
        self.last = last
        self.owners = owners
        self.drawn = None
        self.refresh()

    def show_drawn(self, drawn: Sequence[tuple[str, Style]]) -> None:
        """Set text (`cell_width` characters) and style of every cell, in place of states."""
        self.drawn = drawn
        self.refresh()

    def show_heat(self, heat: Sequence[int] | None) -> None:
        """Set the heat of every cell, 0..9, drawn over unknown cells; None for no heat."""
        self.heat = heat
        self.refresh()

    def show_ghost(self, cells: Collection[int], fits: bool = True) -> None:
        """Set the cells of a ship to be placed, and whether it fits there."""
        self.ghost = cells
        self.ghost_fits = fits
        self.refresh()

    def cell_at(self, x: int, y: int) -> int | None:
        """Return the cell at a position inside the widget, or None."""
        column, row = (x - LABELS) // self.cell_width, (y - 1) // self.cell_height
        if x < LABELS or y < 1 or not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        return row * self.columns + column

    def place_of(self, cell: int) -> tuple[int, int]:
        """Return a cell's position inside the widget."""
        return LABELS + cell % self.columns * self.cell_width, 1 + cell // self.columns * self.cell_height

    def fit(self, width: int, height: int) -> None:
        """Make the cells as large as the room allows, and about square."""
        wide = (width - LABELS) // self.columns
        high = 2 if wide >= 4 and height >= 1 + 2 * self.rows else 1
        self.cell_height = high
        self.cell_width = max(1, min(4 if high == 2 else 3, wide))

    # Keys and mouse.

    def watch_cursor(self) -> None:
        self.post_message(self.Aimed(self, self.cursor))

    def action_move(self, dx: int, dy: int) -> None:
        """Move the cursor, wrapping around the edges."""
        x = (self.cursor % self.columns + dx) % self.columns
        y = (self.cursor // self.columns + dy) % self.rows
        self.cursor = y * self.columns + x

    def action_edge(self, way: int) -> None:
        """Move the cursor to an end of its row."""
        row = self.cursor // self.columns
        self.cursor = row * self.columns + (0 if way < 0 else self.columns - 1)

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self, self.cursor, False))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        cell = self._cell_under(event)
        if self.interactive and cell is not None:
            self.cursor = cell

    def on_click(self, event: events.Click) -> None:
        if not self.interactive:
            return
        if event.button != 1:
            self.post_message(self.Turned(self))
            return
        cell = self._cell_under(event)
        if cell is not None:
            self.cursor = cell
            self.post_message(self.Chosen(self, cell, True))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._turn(event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._turn(event)

    def _turn(self, event: events.MouseEvent) -> None:
        if self.interactive and self.ghost:
            event.stop()
            self.post_message(self.Turned(self))

    def _cell_under(self, event: events.MouseEvent) -> int | None:
        inside = event.get_content_offset(self)
        return None if inside is None else self.cell_at(*inside)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    # Drawing.

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return LABELS + self.columns * self.cell_width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return 1 + self.rows * self.cell_height

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        if y > self.rows * self.cell_height:
            return Strip.blank(self.size.width, base)
        aimed = self.interactive and self.has_focus
        column, row = self.cursor % self.columns, self.cursor // self.columns
        if y == 0:
            segments = [Segment(" " * LABELS, base)]
            for x in range(self.columns):
                # align the letter with the sign of its cells
                label = " " * theme.sign_at(self.cell_width) + self.letters[x]
                segments.append(Segment(label.ljust(self.cell_width), base + self._label(aimed and x == column)))
        else:
            line, part = divmod(y - 1, self.cell_height)
            number = f"{line + 1:2}" if part == 0 else "  "
            segments = [Segment(number, base + self._label(aimed and line == row)), Segment(" ", base)]
            for x in range(self.columns):
                text, style = self._cell(line * self.columns + x, aimed)
                if part and text != text[0] * self.cell_width:
                    # only shapes that fill a cell are repeated in its second line
                    text = " " * self.cell_width
                segments.append(Segment(text, base + style))
        return Strip(segments).adjust_cell_length(self.size.width, base)

    @staticmethod
    def _label(aimed: bool) -> Style:
        return theme.LABEL_AIMED if aimed else theme.LABEL

    def _cell(self, cell: int, aimed: bool) -> tuple[str, Style]:
        state, last = self.states[cell], cell in self.last
        here = aimed and cell == self.cursor
        if cell in self.ghost:
            return theme.ghost(self.ghost_fits, self.cell_width, self.ascii_only)
        if self.drawn is not None:
            text, style = self.drawn[cell]
        elif self.heat is not None and state == cells.UNKNOWN:
            text, style = theme.heat(self.heat[cell], self.cell_width)
        else:
            owner = self.owners[cell] if self.owners is not None else cells.NO_OWNER
            text = theme.text(state, self.cell_width, last, self.ascii_only)
            style = theme.style(state, owner, last)
        return text, style + _HERE if here else style


_HERE = Style(reverse=True)
