"""The panes of a session in which nothing is placed or shot yet: looking for an opponent, the parameters.

A pane shows what it is given and says by messages what the player wants; it knows neither the line nor the archive.
"""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Button

from seabattle import wire
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import say
from seabattle_host.language.words import duration, ships
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.position import LENGTHS
from seabattle_host.player.session import Status
from seabattle_host.tui.widgets import Key, Plain, Stepper

_ADVICE_SECONDS = 8
"""After so long without an opponent the person is told what may be the reason."""


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
