"""The phases of a session, each a pane of the game screen: looking for an opponent, parameters, placing, battle, end.

A pane shows what it is given and says by messages what the person wants; it knows neither the line nor the archive.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Input

from seabattle import field as fields
from seabattle import link as links
from seabattle import wire
from seabattle.field import Field
from seabattle.rng import Rng
from seabattle_host import cells
from seabattle_host.errors import UserError
from seabattle_host.games import review
from seabattle_host.jury.verdict import Verdict
from seabattle_host.language import words
from seabattle_host.language.phrases import duration, placing, result, say, ships
from seabattle_host.language.text import COLUMNS_EN, COLUMNS_RU, cell_name, look_alike, parse_cell
from seabattle_host.player.parameters import SEED_MOST, Parameters
from seabattle_host.player.position import LENGTHS, ME, PEER, Position, fleet_of, laid, ships_of
from seabattle_host.player.session import Status
from seabattle_host.records.archive import LOST, NO_RESULT, SERIAL, WON, Game, Ship
from seabattle_host.tui import theme
from seabattle_host.tui.board_view import BoardView
from seabattle_host.tui.dialogs import legend
from seabattle_host.tui.widgets import Key, Plain, Stepper, begin_typing, letter_keys

_ADVICE_SECONDS = 8
"""After so long without an opponent the person is told what may be the reason."""

_BESIDE_DRAFT, _BELOW_DRAFT = 25, 5
"""Characters and lines of the placing pane that the field does not have."""

_ABOUT_FIELD = 3
"""Lines above and below a field in TwoFields."""


class Pane(Vertical):
    """One phase. `keys` are those that work in it beside the screen's own; `focus_first` puts the focus into it."""

    def fit(self, width: int, height: int) -> None:
        """The pane has so many characters and lines."""

    def keys(self) -> list[Key]:
        """Keys of this pane that work at this moment."""
        return []

    def focus_first(self) -> None:
        """Focus what the person works with."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return


class LinePane(Pane):
    """What the line is doing while nobody has been met."""

    def compose(self) -> ComposeResult:
        yield Plain("", id="line-doing")
        yield Plain("", id="line-facts")
        yield Plain("", id="line-advice")

    def show(self, status: Status, url: str, settings: str, seconds: float) -> None:
        """status: of the session; seconds: since it began to look for an opponent."""
        self.query_one("#line-doing", Plain).update(f"{status.waiting}, {duration(seconds)}")
        facts = [
            say("line_port", port=url, settings=settings),
            say("line_role", role=words.role(status.role) if status.role else say("role_open")),
            say("line_traffic", received=status.bytes_in, sent=status.bytes_out),
            str(status.errors) if status.errors is not None else say("line_errors_unknown"),
            say("line_faults", noise=status.noise, dropped=status.dropped, strays=status.strays),
        ]
        self.query_one("#line-facts", Plain).update("\n".join(facts))
        advice = status.wrong
        if seconds > _ADVICE_SECONDS and not advice and status.role == wire.MASTER and status.strays:
            advice = say("advice_two_masters")
        self.query_one("#line-advice", Plain).update(advice)


class ParamsPane(Pane):
    """The parameters: the master chooses, the slave waits for them."""

    BINDINGS = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("enter", "offer", show=False),
    ]

    class Offer(Message):
        """The master has chosen."""

        def __init__(self, parameters: Parameters):
            self.parameters = parameters
            super().__init__()

    def __init__(self, parameters: Parameters, **kwargs: str | None):
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.first = parameters
        self.choosing = False

    def compose(self) -> ComposeResult:
        yield Plain("", id="params-title", classes="title")
        with Vertical(id="params-form"):
            labels = [say("size"), *(ships(length) for length in LENGTHS)]
            wide = max(map(len, labels))
            ranges = ((wire.SIZE_MIN, wire.SIZE_MAX), (0, 1), (0, 2), (0, 5), (1, 10))
            values = (self.first.size, *self.first.counts)
            for i, (label, (low, high), value) in enumerate(zip(labels, ranges, values, strict=True)):
                yield Stepper(label.ljust(wide), low, high, value, id=f"param-{i}")
            yield Plain("", id="params-verdict")
            yield Button(say("offer"), id="offer", compact=True)
        yield Plain("", id="params-wait")

    @property
    def chosen(self) -> Parameters:
        """What the steppers say."""
        return Parameters(*(stepper.value for stepper in self.query(Stepper)))

    def show(self, role: int, agreed: Parameters | None) -> None:
        """role: of this side. agreed: what holds already, from a game before or from the master."""
        self.choosing = role == wire.MASTER
        self.query_one("#params-title", Plain).update(say("params_master" if self.choosing else "params_slave"))
        self.query_one("#params-form").display = self.choosing
        known = say("params_known", parameters=agreed) if agreed else ""
        self.query_one("#params-wait", Plain).update("" if self.choosing else say("params_wait") + "\n" + known)
        self._judge()

    def freeze(self, locked: bool) -> None:
        """While an offer is on its way nothing can be chosen."""
        self.query_one("#params-form").disabled = locked

    def on_stepper_changed(self) -> None:
        self._judge()

    def _judge(self) -> None:
        asked = self.chosen
        verdict = self.query_one("#params-verdict", Plain)
        try:
            asked.check()
        except UserError as error:
            verdict.update(Text(str(error), "bold"))
            verdict.set_class(True, "bad")
            self.query_one("#offer", Button).disabled = True
            return
        decks = sum(length * count for length, count in zip(LENGTHS, asked.counts, strict=True))
        verdict.set_class(False, "bad")
        verdict.update(
            say("params_fit", decks=decks, cells=asked.size**2, ships=sum(asked.counts), wall=sum(asked.counts) // 2)
        )
        self.query_one("#offer", Button).disabled = False

    def on_button_pressed(self) -> None:
        self.action_offer()

    def action_offer(self) -> None:
        """Send the parameters, if they are any good."""
        if self.choosing and not self.query_one("#offer", Button).disabled:
            self.post_message(self.Offer(self.chosen))

    def keys(self) -> list[Key]:
        if not self.choosing:
            return []
        return [("←→", say("key_change"), ""), ("Enter", say("key_offer"), "screen.pane('offer')")]


class PlacingPane(Pane):
    """My fleet is placed, with keys or the mouse."""

    BINDINGS = [
        Binding(letter_keys("space,r"), "turn", show=False),
        Binding(letter_keys("delete,backspace,d"), "remove", show=False),
        Binding(letter_keys("f"), "fill", show=False),
        Binding(letter_keys("a"), "random", show=False),
        Binding(letter_keys("c"), "clear", show=False),
        Binding(letter_keys("g"), "ready", show=False),
        *(Binding(str(length), f"take({length})", show=False) for length in LENGTHS),
    ]

    class Ready(Message):
        """All ships are placed and the person has said so."""

        def __init__(self, ships: Sequence[Ship]):
            self.ships = ships
            super().__init__()

    def __init__(self, russian: bool, ascii_only: bool, **kwargs: str | None):
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.russian = russian
        self.ascii_only = ascii_only
        self.rng = Rng(secrets.randbelow(SEED_MOST + 1))
        self.field = Field(wire.SIZE_MAX**2)
        self.side = wire.SIZE_MAX
        self.length = LENGTHS[0]
        self.vertical = False
        self.said = False

    def compose(self) -> ComposeResult:
        yield Plain(say("placing_title"), classes="title")
        with Horizontal(id="placing"):
            yield BoardView(russian=self.russian, ascii_only=self.ascii_only, id="draft")
            with Vertical(id="placing-side"):
                yield Plain("", id="to-place")
                yield Plain("", id="wall")
                for name in ("turn", "remove", "fill", "random", "clear"):
                    yield Button(say(f"do_{name}"), id=f"do-{name}", compact=True)
                yield Button(say("do_ready"), id="do-ready", compact=True, classes="main-button")
        yield Plain("", id="placing-why")

    @property
    def board(self) -> BoardView:
        """The field under work."""
        return self.query_one("#draft", BoardView)

    def begin(self, parameters: Parameters, keep: bool) -> None:
        """A new fleet to place. keep: leave the ships of the last game where they are, if the fleet is the same."""
        fleet = fleet_of(parameters.size, parameters.counts)
        before = ships_of(self.field, self.side) if keep and self.side == parameters.size else []
        self.side = parameters.size
        self.field.reset(fleet)
        for ship in before:
            if self.field.place(*laid(ship)) != fields.OK:
                self.field.clear()
                break
        self.said = False
        self.board.resize_field(self.side, self.side)
        self.length = next((n for n in LENGTHS if fleet.count[n]), 1)
        self.vertical = False
        self._next_length()
        self._show()

    def fit(self, width: int, height: int) -> None:
        """Make the cells as large as a pane of so many characters and lines allows."""
        self.board.fit(width - _BESIDE_DRAFT, height - _BELOW_DRAFT)

    def unlock(self) -> None:
        """What the person said was ready has to be said again."""
        self.said = False
        self._show()

    def keys(self) -> list[Key]:
        if self.said:
            return []
        if self.field.complete():
            return [("G", say("key_ready"), "screen.pane('ready')")]
        return [
            ("Enter", say("key_place"), "screen.pane('choose')"),
            (say("space"), say("key_turn"), "screen.pane('turn')"),
        ]

    # What the person does.

    def on_board_view_aimed(self) -> None:
        self._show_ghost()

    def on_board_view_turned(self) -> None:
        self.action_turn()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self.action_choose()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        getattr(self, "action_" + (event.button.id or "").removeprefix("do-"))()
        self.board.focus()

    def action_choose(self) -> None:
        """Place a ship at the cursor, or take up the one that is there."""
        if self.said:
            return
        cell = self.board.cursor
        if self.field.ship[cell]:
            self.action_remove()
            return
        if self.field.complete():
            self._why(say("placing_complete"))
            return
        code = self.field.place(cell % self.side, cell // self.side, self.length, self.vertical)
        if code != fields.OK:
            self._why(placing(code), bad=True)
            return
        self._next_length()
        self._show()

    def action_turn(self) -> None:
        """The next ship lies the other way."""
        self.vertical = not self.vertical
        self._show_ghost()

    def action_take(self, length: int) -> None:
        """The next ship has this length."""
        if not self.field.left(length):
            self._why(say("none_left", ships=ships(length)), bad=True)
            return
        self.length = length
        self._show()

    def action_remove(self) -> None:
        """Take the ship at the cursor away; it is the next to be placed."""
        if self.said:
            return
        length = self.field.remove(self.board.cursor)
        if not length:
            self._why(say("nothing_here"), bad=True)
            return
        self.length = length
        self._show()

    def action_fill(self) -> None:
        """Place the ships that are left at random, around those that stand."""
        if self.said:
            return
        if not self.field.fill(self.rng):
            self._show()
            self._why(say("fill_impossible"), bad=True)
            return
        self._show()

    def action_random(self) -> None:
        """Place all ships at random."""
        if self.said:
            return
        self.field.random(self.rng)
        self._show()

    def action_clear(self) -> None:
        """Take all ships away."""
        if self.said:
            return
        self.field.clear()
        self._next_length()
        self._show()

    def action_ready(self) -> None:
        """Say that the fleet stands."""
        if self.said:
            return
        if not self.field.complete():
            self._why(say("not_complete"), bad=True)
            return
        self.said = True
        self._show()
        self.post_message(self.Ready(ships_of(self.field, self.side)))

    # What is shown.

    def _next_length(self) -> None:
        """Keep to the length, and when it is used up go on with the longest that is left."""
        if not self.field.left(self.length):
            self.length = next((n for n in LENGTHS if self.field.left(n)), self.length)

    def _show(self) -> None:
        fleet = self.field.fleet
        self.board.show(bytearray(cells.SHIP if n else cells.WATER for n in self.field.ship[: self.side**2]))
        text = Text(say("to_place") + "\n")
        for length in LENGTHS:
            if fleet.count[length]:
                left = self.field.left(length)
                chosen = length == self.length and not self.field.complete()
                text.append("▸ " if chosen else "  ")
                text.append(
                    f"{(theme.shape(cells.SHIP, self.ascii_only) * 2) * length:<8} × {left}\n",
                    "bold" if chosen else "dim" if not left else "",
                )
        self.query_one("#to-place", Plain).update(text)
        wall = say("wall", now=self.field.along_wall, most=fleet.wall_max) if fleet.walls else say("wall_free")
        self.query_one("#wall", Plain).update(wall)
        for button in self.query(Button):
            button.disabled = self.said or (button.id == "do-ready" and not self.field.complete())
        self._show_ghost()

    def _show_ghost(self) -> None:
        x, y = self.board.cursor % self.side, self.board.cursor // self.side
        if self.said:
            self.board.show_ghost(())
            self._why(say("placed_waiting"))
            return
        if self.field.complete():
            self.board.show_ghost(())
            self._why(say("placing_complete"))
            return
        if self.field.ship[self.board.cursor]:
            self.board.show_ghost(())
            self._why(say("ship_here"))
            return
        code = self.field.can_place(x, y, self.length, self.vertical)
        cells = [
            (y + i) * self.side + x if self.vertical else y * self.side + x + i
            for i in range(self.length)
            if (y if self.vertical else x) + i < self.side
        ]
        self.board.show_ghost(cells, code == fields.OK)
        self._why(placing(code), bad=code != fields.OK)

    def _why(self, line: str, bad: bool = False) -> None:
        where = cell_name(self.board.cursor % self.side + 1, self.board.cursor // self.side + 1, self.russian)
        why = self.query_one("#placing-why", Plain)
        why.set_class(bad, "bad")
        why.update(f"{where}: {line}")


class TwoFields(Horizontal):
    """My field and the opponent's, side by side, with names above and the ships that are left below."""

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
            # on my field the opponent's last shot, on the opponent's mine
            shooter = PEER if player == ME else ME
            board.show(states, last=position.last_cell(shooter))
            self.query_one(f".{side}-name", Plain).update(say(f"field_{side}", name=names[player]))
            self.query_one(f".{side}-left", Plain).update(_fleet_left(position.left(player), self.ascii_only))
            move = position.last.get(shooter)
            line = "-"
            if move is not None:
                where = cell_name(move.x, move.y, self.russian)
                line = say(f"last_on_{side}", cell=where, result=result(move.result))
            self.query_one(f".{side}-last", Plain).update(line)

    def fit(self, width: int, height: int) -> None:
        """Make the cells as large as so many characters and lines for both fields allow."""
        for board in self.query(BoardView):
            board.fit(width // 2 - 1, height - _ABOUT_FIELD)


def _fleet_left(left: dict[int, int], ascii_only: bool) -> Text:
    text = Text()
    for length, count in left.items():
        text.append(theme.shape(cells.SHIP, ascii_only) * length, theme.INK if count else "dim")
        text.append(f"{count} ", "" if count else "dim")
    return text


class BattlePane(Pane):
    """Both fields, and the entry of a cell."""

    BINDINGS = [Binding("escape", "back", show=False)]

    class Shoot(Message):
        """Shoot at a cell, from 0."""

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
            yield Plain(say("shoot_at"), id="aim-label")
            yield Input(
                id="cell",
                compact=True,
                max_length=6,
                select_on_focus=False,
                placeholder="B7" if not self.russian else "Б7",
            )
            yield Plain("", id="aim-why")
        yield Plain(legend(self.ascii_only, per_line=3), id="legend")

    @property
    def fields(self) -> TwoFields:
        """Both fields."""
        return self.query_one(TwoFields)

    def fit(self, width: int, height: int) -> None:
        """Below the fields are the entry of a cell and the legend."""
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
        """Say why something is refused, or what was done."""
        label = self.query_one("#aim-why", Plain)
        label.set_class(bad, "bad")
        label.update(line)

    def keys(self) -> list[Key]:
        return [("Enter", say("key_shoot"), "screen.pane('shoot')")] if self.mine else []

    def on_board_view_aimed(self) -> None:
        if self.query_one("#cell", Input).value == "":
            self.why("", bad=False)

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        self._shoot(event.cell)

    def action_shoot(self) -> None:
        """Shoot at the cell under the cursor."""
        self._shoot(self.fields.theirs.cursor)

    def action_back(self) -> None:
        """From the entry back to the field."""
        entry = self.query_one("#cell", Input)
        entry.value = ""
        self.why("", bad=False)
        if self.fields.theirs.has_focus:
            self.app.run_worker(self.app.run_action("screen.leave"))
        else:
            self.fields.theirs.focus()

    def on_key(self, event: events.Key) -> None:
        """A letter or digit typed over the field begins the entry of a cell."""
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
                self.why(say("look_alike", letter=letter))
                return
            last = cell_name(size, size, self.russian)
            self.why(say("no_cell", typed=event.value, first=cell_name(1, 1, self.russian), last=last))
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
            self.why(say("not_my_turn"))
        elif not position.radar.can_shoot(cell):
            empty = position.theirs()[cell] == cells.EMPTY
            self.why(say("known_empty" if empty else "shot_before", cell=where))
        else:
            self.why(say("shooting", cell=where), bad=False)
            self.post_message(self.Shoot(cell))


class EndPane(Pane):
    """The result, both fields, statistics, and what may come next."""

    class Again(Message):
        """Another game with the same opponent."""

    class Wait(Message):
        """Look for another opponent on this line."""

    class Enough(Message):
        """Leave this opponent."""

    class Ask(Message):
        """Ask for the opponent's field, and have the jury judge."""

    def __init__(self, russian: bool, ascii_only: bool, **kwargs: str | None):
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.russian = russian
        self.ascii_only = ascii_only
        self._room = 80, 24
        self._verdict: list[str] = []

    def compose(self) -> ComposeResult:
        yield Plain("", id="result", classes="title")
        yield TwoFields(self.russian, self.ascii_only, False)
        yield Plain("", id="statistics")
        yield Plain("", id="verdict")
        yield Plain("", id="end-wait")
        with Horizontal(id="end-buttons"):
            yield Button(say("do_again"), id="again", compact=True, classes="main-button")
            yield Button(say("do_wait"), id="wait", compact=True, classes="main-button")
            yield Button(say("do_ask"), id="ask", compact=True)
            yield Button(say("do_enough"), id="enough", compact=True)

    @property
    def fields(self) -> TwoFields:
        """Both fields."""
        return self.query_one(TwoFields)

    def fit(self, width: int, height: int) -> None:
        """Around the fields are the result, four lines of statistics, the verdict and the buttons."""
        self._room = width, height
        around = 6 + sum(1 + cell_len(line) // max(1, width) for line in self._verdict)
        self.fields.fit(width, height - around)
        # where there is no room for both, the verdict stands in place of the statistics
        least = self.fields.theirs.rows + _ABOUT_FIELD + around
        self.query_one("#statistics", Plain).display = not self._verdict or height >= least

    def show(self, outcome: str, position: Position | None, master: bool, wins: int, losses: int) -> None:
        """outcome: the result in words. position: where the game ended, None if it ended before the battle."""
        self.query_one("#result", Plain).update(outcome)
        self.fields.display = position is not None
        lines = []
        if position is not None:
            self.fields.show(position)
            lines = statistics(position.game)
        took = say("game_took", time=duration(position.game.length)) + "; " if position is not None else ""
        lines.append(took + say("score", wins=wins, losses=losses))
        self.query_one("#statistics", Plain).update("\n".join(lines))
        self.judged([])
        self.query_one("#end-wait", Plain).update("" if master else say("restart_by_master"))
        self.offer(say("do_again") if master else None)
        self.query_one("#wait").display = False

    def judged(self, lines: Sequence[str]) -> None:
        """Show what the jury says, or why it says nothing."""
        self._verdict = list(lines)
        label = self.query_one("#verdict", Plain)
        label.display = bool(lines)
        label.update("\n".join(lines))
        self.fit(*self._room)

    def can_ask(self, can: bool) -> None:
        """Whether the opponent may be asked for its field."""
        self.query_one("#ask").display = can

    def offer(self, again: str | None, gone: bool = False) -> None:
        """What the first button says, None for no such button. gone: the opponent is not there any more."""
        button = self.query_one("#again", Button)
        button.display = again is not None
        if again is not None:
            button.label = again
            button.focus()
        self.query_one("#wait").display = gone
        if gone or again is not None:
            self.query_one("#end-wait", Plain).update("")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        messages = {"again": self.Again, "wait": self.Wait, "enough": self.Enough, "ask": self.Ask}
        self.post_message(messages[event.button.id or ""]())


def statistics(game: Game) -> list[str]:
    """Shots and hits of both sides, and what the jury has said."""
    lines = []
    for player, name in enumerate(game.players):
        shots = game.shots(player)
        hits = sum(move.player == player and move.result in (fields.HIT, fields.SUNK) for move in game.moves)
        sunk = sum(move.player == player and move.result == fields.SUNK for move in game.moves)
        percent = round(100 * hits / shots) if shots else 0
        lines.append(say("statistics", name=name, shots=shots, hits=hits, percent=percent, sunk=sunk))
    if "proof" in game.details:
        proof = game.details["proof"]
        lines.append(words.false_answer(proof["reason"], proof["shot"], proof["earlier"]))
    if "jury" in game.details:
        lines += Verdict.from_json(game.details["jury"]).lines(game.players)
    return lines


def outcome(game: Game) -> str:
    """How a game ended for player 0, in words; of one at one screen, who has won it."""
    if game.kind != SERIAL and game.finished and game.ending in ("shots", "surrender"):
        return review.outcome(game)
    codes = {WON: links.WE_WON, LOST: links.WE_LOST, NO_RESULT: links.NO_RESULT}
    if game.result in codes:
        if game.ending in ("proof", "jury"):
            return say(f"outcome_{game.ending}_{game.result}")
        how = links.BY_SURRENDER if game.ending == "surrender" else links.BY_SHOTS
        return words.pick(words.RESULTS[codes[game.result], how])
    return say("unfinished", why=say(f"ending_{game.ending}" if game.ending else "ending_unknown"))
