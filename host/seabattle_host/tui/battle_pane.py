"""The battle pane: both fields side by side, and the entry for a cell."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from seabattle_host import cells
from seabattle_host.language.messages import tr
from seabattle_host.language.text import COLUMNS_EN, COLUMNS_RU, cell_name, look_alike, parse_cell
from seabattle_host.language.words import result
from seabattle_host.player.position import ME, PEER, Position
from seabattle_host.player.session import Status
from seabattle_host.tui import theme
from seabattle_host.tui.board_view import BoardView
from seabattle_host.tui.dialogs import legend
from seabattle_host.tui.pane import Pane
from seabattle_host.tui.widgets import Key, Plain, begin_typing

ABOUT_FIELD = 3
"""Lines above and below a field in TwoFields."""


class TwoFields(Horizontal):
    """My field and the opponent's, side by side, with names above and remaining ships below."""

    def __init__(self, russian: bool, ascii_only: bool, interactive: bool, **kwargs: str | None):
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.russian = russian
        self.ascii_only = ascii_only
        self.interactive = interactive

    def compose(self) -> ComposeResult:
        for side in ("mine", "theirs"):
            with Vertical(classes="side-field"):
                yield Plain("", classes=f"{side}-name field-name")
                yield BoardView(
                    russian=self.russian,
                    ascii_only=self.ascii_only,
                    interactive=self.interactive and side == "theirs",
                    classes=f"{side} board",
                )
                yield Plain("", classes=f"{side}-left")
                yield Plain("", classes=f"{side}-last")

    @property
    def theirs(self) -> BoardView:
        """The opponent's field."""
        return self.query_one(".theirs", BoardView)

    def show(self, position: Position) -> None:
        """Show a position."""
        names = position.game.players
        for side, player, states in (("mine", ME, position.mine()), ("theirs", PEER, position.theirs())):
            board = self.query_one(f".{side}", BoardView)
            if (board.columns, board.rows) != (position.width, position.height):
                board.resize_field(position.width, position.height)
            # my field shows the opponent's last shot, the opponent's field mine
            shooter = PEER if player == ME else ME
            board.show(states, last=position.last_cell(shooter))
            self.query_one(f".{side}-name", Plain).update(tr(f"field_{side}", name=names[player]))
            self.query_one(f".{side}-left", Plain).update(_fleet_left(position.left(player), self.ascii_only))
            move = position.last.get(shooter)
            line = "-"
            if move is not None:
                where = cell_name(move.x, move.y, self.russian)
                line = tr(f"last_on_{side}", cell=where, result=result(move.result))
            self.query_one(f".{side}-last", Plain).update(line)

    def fit(self, width: int, height: int) -> None:
        """Make the cells as large as this many characters and lines for both fields allow."""
        for board in self.query(BoardView):
            board.fit(width // 2 - 1, height - ABOUT_FIELD)


def _fleet_left(left: dict[int, int], ascii_only: bool) -> Text:
    text = Text()
    for length, count in left.items():
        text.append(theme.shape(cells.SHIP, ascii_only) * length, theme.INK if count else "dim")
        text.append(f"{count} ", "" if count else "dim")
    return text


class BattlePane(Pane):
    """Both fields, and the entry for a cell."""

    BINDINGS = [Binding("escape", "back", show=False)]

    class Shoot(Message):
        """Request to shoot at a cell, from 0."""

        def __init__(self, cell: int):
            self.cell = cell
            super().__init__()

    def __init__(self, russian: bool, ascii_only: bool, **kwargs: str | None):
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.russian = russian
        self.letters = COLUMNS_RU if russian else COLUMNS_EN
        self.ascii_only = ascii_only
        self.position: Position | None = None
        self.mine = False
        self.my_turn = False

    def compose(self) -> ComposeResult:
        yield TwoFields(self.russian, self.ascii_only, True)
        with Horizontal(id="aim"):
            yield Plain(tr("shoot_at"), id="aim-label")
            yield Input(
                id="cell",
                compact=True,
                max_length=6,
                select_on_focus=False,
                placeholder="B5" if not self.russian else "Б5",
            )
            yield Plain("", id="aim-why")
        yield Plain(legend(self.ascii_only, per_line=3), id="legend")

    @property
    def fields(self) -> TwoFields:
        """Both fields."""
        return self.query_one(TwoFields)

    def fit(self, width: int, height: int) -> None:
        """Fit the fields above the cell entry and the legend."""
        self.fields.fit(width, height - 5)

    def focus_first(self) -> None:
        self.fields.theirs.focus()

    def show(self, position: Position, status: Status) -> None:
        """Show a position, and whose turn it is."""
        self.position = position
        self.mine = status.mine
        self.my_turn = status.my_turn
        self.fields.show(position)
        self.fields.set_class(status.my_turn, "my-turn")
        self.fields.set_class(status.state == 4 and not status.my_turn, "their-turn")

    def why(self, line: str, bad: bool = True) -> None:
        """Show why something was refused, or what was done."""
        label = self.query_one("#aim-why", Plain)
        label.set_class(bad, "bad")
        label.update(line)

    def keys(self) -> list[Key]:
        return [("Enter", tr("play_key_shoot"), "screen.pane('shoot')")] if self.mine else []

    def on_board_view_aimed(self) -> None:
        if self.query_one("#cell", Input).value == "":
            self.why("", bad=False)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self._shoot(event.cell)

    def action_shoot(self) -> None:
        """Shoot at the cell under the cursor."""
        self._shoot(self.fields.theirs.cursor)

    def action_back(self) -> None:
        """Go back from the entry to the field; from the field, leave."""
        entry = self.query_one("#cell", Input)
        entry.value = ""
        self.why("", bad=False)
        if self.fields.theirs.has_focus:
            self.app.run_worker(self.app.run_action("screen.leave"))
        else:
            self.fields.theirs.focus()

    def on_key(self, event: events.Key) -> None:
        """Start the entry of a cell with a letter or digit typed over the field."""
        entry = self.query_one("#cell", Input)
        begins = self.screen.focused is self.fields.theirs
        if event.character and event.character.isalnum() and begin_typing(entry, event.character, begins):
            event.stop()

    def on_input_changed(self, event: Input.Changed) -> None:
        if self.position is None or not event.value.strip():
            return
        place = parse_cell(event.value, self.position.width, self.letters)
        if place is not None:
            x, y = place
            self.fields.theirs.cursor = (y - 1) * self.position.width + x - 1
            self.why("", bad=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.position is None:
            return
        size = self.position.width
        place = parse_cell(event.value, size, self.letters)
        if place is None:
            letter = look_alike(event.value, self.letters)
            if letter:
                self.why(tr("play_look_alike", letter=letter))
                return
            last = cell_name(size, size, self.russian)
            self.why(tr("play_no_cell", typed=event.value, first=cell_name(1, 1, self.russian), last=last))
            return
        x, y = place
        event.input.value = ""
        self.fields.theirs.focus()
        self._shoot((y - 1) * size + x - 1)

    def _shoot(self, cell: int) -> None:
        position = self.position
        if position is None:
            return
        where = cell_name(cell % position.width + 1, cell // position.width + 1, self.russian)
        if not self.mine:
            self.why(tr("not_my_turn"))
        elif not position.radar.can_shoot(cell):
            empty = position.theirs()[cell] == cells.EMPTY
            self.why(tr("known_empty" if empty else "shot_before", cell=where))
        else:
            self.why(tr("shooting", cell=where), bad=False)
            self.post_message(self.Shoot(cell))
