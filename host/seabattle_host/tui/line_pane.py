"""The pane of a session without an opponent: the state of the line."""

from __future__ import annotations

from textual.app import ComposeResult

from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.words import duration
from seabattle_host.player.session import Status
from seabattle_host.tui.pane import Pane
from seabattle_host.tui.widgets import Plain


class LinePane(Pane):
    """The state of the line until an opponent is found."""

    def compose(self) -> ComposeResult:
        yield Plain("", id="line-doing")
        yield Plain("", id="line-facts")
        yield Plain("", id="line-advice")

    def show(self, status: Status, url: str, settings: str, seconds: float) -> None:
        """status: of the session; seconds: since it began to look for an opponent."""
        self.query_one("#line-doing", Plain).update(f"{status.waiting}, {duration(seconds)}")
        facts = [
            tr("line_port", port=url, settings=settings),
            tr("line_role", role=words.role(status.role) if status.role else tr("role_open")),
            tr("line_traffic", received=status.bytes_in, sent=status.bytes_out),
            str(status.errors) if status.errors is not None else tr("line_errors_unknown"),
            tr("line_faults", noise=status.noise, dropped=status.dropped, strays=status.strays),
        ]
        self.query_one("#line-facts", Plain).update("\n".join(facts))
        self.query_one("#line-advice", Plain).update(status.wrong)
