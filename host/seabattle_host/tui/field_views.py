"""Fields of the games at one screen as widgets: one, or two side by side, with titles."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Region

from seabattle_host import cells
from seabattle_host.games.field_view import (
    BOMB_SIGN,
    CLASSIC,
    LAST,
    MELEE,
    SALVO,
    SIGNS,
    FieldView,
    cell_text,
    style,
)
from seabattle_host.tui.board_view import LABELS, BoardView
from seabattle_host.tui.widgets import Plain

_LOOK = {sign: state for state, sign in SIGNS.items() if state != cells.WATER}
_LEAST = {CLASSIC: 1, SALVO: 3, MELEE: 2}
_MOST = {CLASSIC: 3, SALVO: 4, MELEE: 3}
"""Most characters of a cell, by kind of game."""

_ABOUT = 2
"""Lines above a field: its title and column letters."""


class FieldViews(VerticalScroll):
    """At most two fields. One that is taller than its room scrolls with the cursor."""

    DEFAULT_CSS = """
    FieldViews { overflow-x: auto; scrollbar-size: 1 1; height: 100%; width: auto; }
    FieldViews Horizontal { height: auto; width: auto; }
    """

    def __init__(self, ascii_only: bool, **kwargs: str | None):
        super().__init__(can_focus=False, **kwargs)  # type: ignore[arg-type]
        self.ascii_only = ascii_only
        self.pretty = not ascii_only and "NO_COLOR" not in os.environ
        """Whether a melee is drawn in colours and signs beyond ASCII, not in letters."""
        self.views: Sequence[FieldView] = ()

    def compose(self) -> ComposeResult:
        with Horizontal():
            for i in range(2):
                with Vertical(id=f"view-{i}", classes="side-field"):
                    yield Plain("", classes="field-name")
                    yield BoardView(ascii_only=self.ascii_only, interactive=False, id=f"field-{i}")

    def board(self, i: int) -> BoardView:
        """Return the widget of a field."""
        return self.query_one(f"#field-{i}", BoardView)

    @property
    def high(self) -> int:
        """Lines that the fields need."""
        return _ABOUT + max((view.height for view in self.views), default=0)

    def show(self, views: Sequence[FieldView]) -> None:
        """Set the fields, or none; call `fit` next."""
        self.views = views
        for i in range(2):
            self.query_one(f"#view-{i}").display = i < len(views)
            if i < len(views):
                view, board = views[i], self.board(i)
                if (board.columns, board.rows) != (view.width, view.height):
                    board.resize_field(view.width, view.height)
                board.letters = view.letters
                self.query_one(f"#view-{i} .field-name", Plain).update(view.title)

    def fit(self, room: int, side_by_side: int) -> int:
        """Draw the fields in this many characters, leaving `side_by_side` of them free if possible.

        Return the number of characters used.
        """
        if not self.views:
            return 0
        kind = self.views[0].kind
        columns = sum(view.width for view in self.views)
        labels = (LABELS + 1) * len(self.views)
        least, most = _LEAST[kind], _MOST[kind]
        wide = max(least, min(most, (room - labels - side_by_side) // columns))
        if wide == least and kind != MELEE:
            # then nothing stands next to them, and they get all the room
            wide = max(least, min(2 if kind == CLASSIC else most, (room - labels) // columns))
        for i, view in enumerate(self.views):
            board = self.board(i)
            board.cell_width = wide
            if view.kind == CLASSIC:
                states = [_LOOK[sign.lstrip(LAST)] for sign in view.signs]
                board.show(states, last={c for c, sign in enumerate(view.signs) if sign[0] == LAST})
            else:
                board.show_drawn([self._drawn(view, cell, wide) for cell in range(len(view.signs))])
        return labels + wide * columns

    def follow(self, board: BoardView, cell: int) -> None:
        """Scroll a cell into view."""
        x, y = board.place_of(cell)
        region = Region(x, board.virtual_region.y + y, 1, 1)
        self.scroll_to_region(region, animate=False, force=True)

    def _drawn(self, view: FieldView, cell: int, wide: int) -> tuple[str, Style]:
        sign = view.signs[cell]
        if view.kind == MELEE:
            text = cell_text(view, cell, self.pretty).ljust(wide)
            if text[0] == BOMB_SIGN:
                # a bomb is two characters wide and aligned with its column letter
                text = BOMB_SIGN if wide == 2 else f" {BOMB_SIGN}"
        else:
            text = sign.center(wide) if len(sign) < 2 else f"{sign:>{wide - 1}} " if len(sign) < wide else sign
        return text, Style.parse(style(view, sign) or "default")
