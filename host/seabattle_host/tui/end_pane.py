"""The end pane: the outcome in words, both fields, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Button

from seabattle_host.games.history import statistics
from seabattle_host.language.messages import tr
from seabattle_host.language.words import duration
from seabattle_host.player.position import Position
from seabattle_host.tui.battle_pane import ABOUT_FIELD, TwoFields
from seabattle_host.tui.pane import Pane
from seabattle_host.tui.widgets import Plain


class EndPane(Pane):
    """The result, both fields, statistics, and buttons for what comes next."""

    class Again(Message):
        """Request another game with the same opponent."""

    class Wait(Message):
        """Request to look for another opponent on this line."""

    class Enough(Message):
        """Request to leave this opponent."""

    class Ask(Message):
        """Request the opponent's field and a verdict of the jury."""

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
            yield Button(tr("do_again"), id="again", compact=True, classes="main-button")
            yield Button(tr("do_wait"), id="wait", compact=True, classes="main-button")
            yield Button(tr("do_ask"), id="ask", compact=True)
            yield Button(tr("do_enough"), id="enough", compact=True)

    @property
    def fields(self) -> TwoFields:
        """Both fields."""
        return self.query_one(TwoFields)

    def fit(self, width: int, height: int) -> None:
        """Fit the fields between the result, four lines of statistics, the verdict and the buttons."""
        self._room = width, height
        around = 6 + sum(1 + cell_len(line) // max(1, width) for line in self._verdict)
        self.fields.fit(width, height - around)
        # without room for both the verdict replaces the statistics
        least = self.fields.theirs.rows + ABOUT_FIELD + around
        self.query_one("#statistics", Plain).display = not self._verdict or height >= least

    def show(self, outcome: str, position: Position | None, master: bool, wins: int, losses: int) -> None:
        """outcome: the result in words. position: the final one, None if the game ended before the battle."""
        self.query_one("#result", Plain).update(outcome)
        self.fields.display = position is not None
        lines = []
        if position is not None:
            self.fields.show(position)
            lines = statistics(position.game)
        took = tr("game_took", time=duration(position.game.length)) + "; " if position is not None else ""
        lines.append(took + tr("score", wins=wins, losses=losses))
        self.query_one("#statistics", Plain).update("\n".join(lines))
        self.judged([])
        self.query_one("#end-wait", Plain).update("" if master else tr("restart_by_master"))
        self.offer(tr("do_again") if master else None)
        self.query_one("#wait").display = False

    def judged(self, lines: Sequence[str]) -> None:
        """Show the jury's verdict, or why there is none."""
        self._verdict = list(lines)
        label = self.query_one("#verdict", Plain)
        label.display = bool(lines)
        label.update("\n".join(lines))
        self.fit(*self._room)

    def can_ask(self, can: bool) -> None:
        """Set whether the opponent may be asked for its field."""
        self.query_one("#ask").display = can

    def offer(self, again: str | None, gone: bool = False) -> None:
        """Set the label of the first button, None for no button. gone: the opponent has left."""
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
