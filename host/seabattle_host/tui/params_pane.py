"""The pane for choosing and agreeing on the parameters of a game."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Button

from seabattle import wire
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.words import ships
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.position import LENGTHS
from seabattle_host.tui.pane import Pane
from seabattle_host.tui.widgets import Key, Plain, Stepper


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
            labels = [tr("size"), *(ships(length) for length in LENGTHS)]
            wide = max(map(len, labels))
            ranges = ((wire.SIZE_MIN, wire.SIZE_MAX), (0, 1), (0, 2), (0, 5), (1, 10))
            values = (self.first.size, *self.first.counts)
            for i, (label, (low, high), value) in enumerate(zip(labels, ranges, values, strict=True)):
                yield Stepper(label.ljust(wide), low, high, value, id=f"param-{i}")
            yield Plain("", id="params-verdict")
            yield Button(tr("offer"), id="offer", compact=True)
        yield Plain("", id="params-wait")

    @property
    def chosen(self) -> Parameters:
        """The parameters set by the steppers."""
        return Parameters(*(stepper.value for stepper in self.query(Stepper)))

    def show(self, role: int, agreed: Parameters | None) -> None:
        """role: of this side. agreed: the current parameters, from a previous game or from the master."""
        self.choosing = role == wire.MASTER
        self.query_one("#params-title", Plain).update(tr("params_master" if self.choosing else "params_slave"))
        self.query_one("#params-form").display = self.choosing
        known = tr("params_known", parameters=agreed) if agreed else ""
        self.query_one("#params-wait", Plain).update("" if self.choosing else tr("params_wait") + "\n" + known)
        self._judge()

    def freeze(self, locked: bool) -> None:
        """Lock or unlock the choice, while an offer is on its way."""
        self.query_one("#params-form").disabled = locked

    def on_stepper_changed(self) -> None:
        self._judge()

    def _judge(self) -> None:
        chosen = self.chosen
        verdict = self.query_one("#params-verdict", Plain)
        try:
            chosen.check()
        except UserError as error:
            verdict.update(Text(str(error), "bold"))
            verdict.set_class(True, "bad")
            self.query_one("#offer", Button).disabled = True
            return
        decks = sum(length * count for length, count in zip(LENGTHS, chosen.counts, strict=True))
        verdict.set_class(False, "bad")
        verdict.update(
            tr("params_fit", decks=decks, cells=chosen.size**2, ships=sum(chosen.counts), wall=sum(chosen.counts) // 2)
        )
        self.query_one("#offer", Button).disabled = False

    def on_button_pressed(self) -> None:
        self.action_offer()

    def action_offer(self) -> None:
        """Send the parameters, if they are valid."""
        if self.choosing and not self.query_one("#offer", Button).disabled:
            self.post_message(self.Offer(self.chosen))

    def keys(self) -> list[Key]:
        if not self.choosing:
            return []
        return [("←→", tr("key_change"), ""), ("Enter", tr("key_offer"), "screen.pane('offer')")]
