"""The pane for placing a fleet, by keys and mouse."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button

from seabattle import field as fields
from seabattle import wire
from seabattle.field import Field
from seabattle.rng import Rng
from seabattle_host import cells
from seabattle_host.language.messages import tr
from seabattle_host.language.text import cell_name
from seabattle_host.language.words import placing, ships
from seabattle_host.player.parameters import SEED_MOST, Parameters
from seabattle_host.player.position import LENGTHS, fleet_of, placement, ships_of
from seabattle_host.records.archive import Ship
from seabattle_host.tui import theme
from seabattle_host.tui.board_view import BoardView
from seabattle_host.tui.pane import Pane
from seabattle_host.tui.widgets import Key, Plain, letter_keys

_BESIDE_DRAFT, _BELOW_DRAFT = 25, 5
"""Columns and lines of the pane not available to the field."""


class PlacingPane(Pane):
    """Placing my fleet, by keys or mouse."""

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
        """All ships are placed and the player has confirmed it."""

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
        self.ready_given = False

    def compose(self) -> ComposeResult:
        yield Plain(tr("placing_title"), classes="title")
        with Horizontal(id="placing"):
            yield BoardView(russian=self.russian, ascii_only=self.ascii_only, id="draft")
            with Vertical(id="placing-side"):
                yield Plain("", id="to-place")
                yield Plain("", id="wall")
                for name in ("turn", "remove", "fill", "random", "clear"):
                    yield Button(tr(f"do_{name}"), id=f"do-{name}", compact=True)
                yield Button(tr("do_ready"), id="do-ready", compact=True, classes="main-button")
        yield Plain("", id="placing-why")

    @property
    def board(self) -> BoardView:
        """The field being edited."""
        return self.query_one("#draft", BoardView)

    def begin(self, parameters: Parameters, keep: bool) -> None:
        """Start placing a new fleet. keep: keep the ships of the last game in place, if the fleet is the same."""
        fleet = fleet_of(parameters.size, parameters.counts)
        before = ships_of(self.field, self.side) if keep and self.side == parameters.size else []
        self.side = parameters.size
        self.field.reset(fleet)
        for ship in before:
            if self.field.place(*placement(ship)) != fields.OK:
                self.field.clear()
                break
        self.ready_given = False
        self.board.resize_field(self.side, self.side)
        self.length = next((n for n in LENGTHS if fleet.count[n]), 1)
        self.vertical = False
        self._next_length()
        self._show()

    def fit(self, width: int, height: int) -> None:
        """Make the cells as large as a pane of this many characters and lines allows."""
        self.board.fit(width - _BESIDE_DRAFT, height - _BELOW_DRAFT)

    def unlock(self) -> None:
        """Require the player to confirm again."""
        self.ready_given = False
        self._show()

    def keys(self) -> list[Key]:
        if self.ready_given:
            return []
        if self.field.complete():
            return [("G", tr("key_ready"), "screen.pane('ready')")]
        return [
            ("Enter", tr("key_place"), "screen.pane('choose')"),
            (tr("space"), tr("key_turn"), "screen.pane('turn')"),
        ]

    # The player's actions.

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
        """Place a ship at the cursor, or take up the one there."""
        if self.ready_given:
            return
        cell = self.board.cursor
        if self.field.ship[cell]:
            self.action_remove()
            return
        if self.field.complete():
            self._why(tr("placing_complete"))
            return
        code = self.field.place(cell % self.side, cell // self.side, self.length, self.vertical)
        if code != fields.OK:
            self._why(placing(code), bad=True)
            return
        self._next_length()
        self._show()

    def action_turn(self) -> None:
        """Turn the next ship."""
        self.vertical = not self.vertical
        self._show_ghost()

    def action_take(self, length: int) -> None:
        """Select a ship of this length as the next one."""
        if not self.field.left(length):
            self._why(tr("play_none_left", ships=ships(length)), bad=True)
            return
        self.length = length
        self._show()

    def action_remove(self) -> None:
        """Remove the ship at the cursor and make it the next one."""
        if self.ready_given:
            return
        length = self.field.remove(self.board.cursor)
        if not length:
            self._why(tr("nothing_here"), bad=True)
            return
        self.length = length
        self._show()

    def action_fill(self) -> None:
        """Place the remaining ships at random, around those on the field."""
        if self.ready_given:
            return
        if not self.field.fill(self.rng):
            self._show()
            self._why(tr("fill_impossible"), bad=True)
            return
        self._show()

    def action_random(self) -> None:
        """Place all ships at random."""
        if self.ready_given:
            return
        self.field.random(self.rng)
        self._show()

    def action_clear(self) -> None:
        """Remove all ships."""
        if self.ready_given:
            return
        self.field.clear()
        self._next_length()
        self._show()

    def action_ready(self) -> None:
        """Declare the fleet complete."""
        if self.ready_given:
            return
        if not self.field.complete():
            self._why(tr("not_complete"), bad=True)
            return
        self.ready_given = True
        self._show()
        self.post_message(self.Ready(ships_of(self.field, self.side)))

    # Display.

    def _next_length(self) -> None:
        """Keep the length, or if none of it is left, select the longest that is."""
        if not self.field.left(self.length):
            self.length = next((n for n in LENGTHS if self.field.left(n)), self.length)

    def _show(self) -> None:
        fleet = self.field.fleet
        self.board.show(bytearray(cells.SHIP if n else cells.WATER for n in self.field.ship[: self.side**2]))
        text = Text(tr("to_place") + "\n")
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
        wall = tr("wall", now=self.field.along_wall, most=fleet.wall_max) if fleet.walls else tr("wall_free")
        self.query_one("#wall", Plain).update(wall)
        for button in self.query(Button):
            button.disabled = self.ready_given or (button.id == "do-ready" and not self.field.complete())
        self._show_ghost()

    def _show_ghost(self) -> None:
        x, y = self.board.cursor % self.side, self.board.cursor // self.side
        if self.ready_given:
            self.board.show_ghost(())
            self._why(tr("placed_waiting"))
            return
        if self.field.complete():
            self.board.show_ghost(())
            self._why(tr("placing_complete"))
            return
        if self.field.ship[self.board.cursor]:
            self.board.show_ghost(())
            self._why(tr("ship_here"))
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
