"""The pane of the end: the outcome in words, both fields, and what can follow. Also how a finished game is told."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Button

from seabattle import field as fields
from seabattle import link as links
from seabattle_host.games import review
from seabattle_host.jury.verdict import Verdict
from seabattle_host.language import words
from seabattle_host.language.messages import say
from seabattle_host.language.words import duration
from seabattle_host.player.position import Position
from seabattle_host.records.archive import LOST, NO_RESULT, SERIAL, WON, Game
from seabattle_host.tui.battle_pane import ABOUT_FIELD, TwoFields
from seabattle_host.tui.panes import Pane
from seabattle_host.tui.widgets import Plain


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
        least = self.fields.theirs.rows + ABOUT_FIELD + around
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
        return say(words.RESULTS[codes[game.result], how])
    return say("unfinished", why=say(f"ending_{game.ending}" if game.ending else "ending_unknown"))
