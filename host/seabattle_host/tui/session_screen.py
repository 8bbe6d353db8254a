"""The parts of a session's screen common to all phases: opponent, turn, panes, log, chat, keys."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Input

from seabattle import link as links
from seabattle import wire
from seabattle_host.errors import PortLost
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.runner import Event
from seabattle_host.player.session import Session, Status
from seabattle_host.tui.battle_pane import BattlePane
from seabattle_host.tui.end_pane import EndPane
from seabattle_host.tui.line_pane import LinePane
from seabattle_host.tui.match import Match
from seabattle_host.tui.pane import Pane
from seabattle_host.tui.params_pane import ParamsPane
from seabattle_host.tui.placing_pane import PlacingPane
from seabattle_host.tui.widgets import Key, KeyBar, LineLog, Plain

_LOOK_SECONDS = 0.2
"""Interval of updates between events."""

BEGIN, PARAMS, PLACING, BATTLE, END = "line", "params", "placing", "battle", "end"
"""The phases of a session: the names of their panes."""

_WAIT_SHOWN_TICKS = 20


class SessionScreen(Screen[None]):
    """A session with the peer on the line, and its current state; see GameScreen.

    connect: opens the session, given callbacks for events and for the line.
    """

    class Happened(Message):
        """An event of the session."""

        def __init__(self, event: Event):
            self.event = event
            super().__init__()

    class LineChanged(Message):
        """The port was lost, or is back (None)."""

        def __init__(self, lost: PortLost | None):
            self.lost = lost
            super().__init__()

    def __init__(
        self,
        connect: Callable[[Callable[[Event], None], Callable[[PortLost | None], None]], Session],
        match: Match,
        *,
        offer: Parameters,
        level: int,
        bell: bool,
        ascii_only: bool,
    ):
        super().__init__()
        self._early: list[Message] | None = []
        """Messages that came before the widgets were mounted; None from then on."""
        # from here on the line's thread may report events
        self.session = connect(
            lambda event: self._tell(self.Happened(event)), lambda lost: self._tell(self.LineChanged(lost))
        )
        self.match = match
        self.offer = offer
        self.level = level
        self.bell = bell
        self.ascii_only = ascii_only
        self.status = Status()
        self.lost = ""
        self.hint = False
        self.leaving = False
        self._again = False
        """The player has asked for another game, which has not ended yet."""
        self._since = time.monotonic()

    def _tell(self, message: Message) -> None:
        """Post a message from the runner's thread, without waiting."""
        if self._early is not None:
            self._early.append(message)
        else:
            with contextlib.suppress(RuntimeError):  # the application is just ending
                self.post_message(message)

    def compose(self) -> ComposeResult:
        russian = words.russian()
        yield Plain("", id="title")
        yield Plain("", id="doing")
        with Horizontal(id="body"):
            with ContentSwitcher(initial=BEGIN, id="main"):
                yield LinePane(id=BEGIN)
                yield ParamsPane(self.offer, id=PARAMS)
                yield PlacingPane(russian, self.ascii_only, id=PLACING)
                yield BattlePane(russian, self.ascii_only, id=BATTLE)
                yield EndPane(russian, self.ascii_only, id=END)
            with Vertical(id="side"):
                yield LineLog(id="log")
                with Vertical(id="chat"):
                    yield LineLog(id="talk")
                    yield Input(id="chat-entry", placeholder=tr("chat_here"), compact=True)
        yield Plain("", id="line-state")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#log").border_title = tr("log")
        self.query_one("#chat").border_title = tr("chat")
        self.query_one("#chat").display = False
        if self.match.problem:
            self.note(self.match.problem, "bold")
        early, self._early = self._early or [], None
        for message in early:
            self.post_message(message)
        self.set_interval(_LOOK_SECONDS, self.look)
        self.look()

    # Display.

    @property
    def pane(self) -> Pane:
        """The pane of the current phase."""
        return self.query_one(f"#{self.phase}", Pane)

    @property
    def phase(self) -> str:
        """The current phase."""
        return self.query_one("#main", ContentSwitcher).current or BEGIN

    def go(self, phase: str) -> None:
        """Switch to another phase."""
        if phase == self.phase:
            return
        focused = self.focused
        typing = focused is not None and focused.id == "chat-entry"
        self.query_one("#main", ContentSwitcher).current = phase
        if phase == BEGIN:
            self._since = time.monotonic()
        if not typing:
            self.set_focus(None)
            # the pane can take the focus once it is displayed
            self.call_after_refresh(self.pane.focus_first)

    def note(self, line: str, style: str = "") -> None:
        """Add a line to the log."""
        self.query_one("#log", LineLog).add(line, style)

    def look(self) -> None:
        """Update the display from the session's status."""
        if self.leaving or not self.is_mounted:
            return
        status = self.status = self.session.status()
        while self.session.warnings:
            warning = self.session.warnings.popleft()
            if self.phase != BEGIN:  # the pane itself shows it
                self.note(warning, "bold")
        while self.session.ended_logs:
            self.note(self.session.ended_logs.popleft(), "bold")
        match = self.match
        me = f"{match.me} ({words.role(status.role)})" if status.role else match.me
        title = [tr("versus", me=me, peer=match.peer_name) if status.state and match.peer else me]
        if status.state and status.parameters:
            title.append(str(status.parameters))
        if match.wins + match.losses:
            title.append(f"{match.wins}:{match.losses}")
        self.query_one("#title", Plain).update(" · ".join(title))
        doing = self.query_one("#doing", Plain)
        line = status.waiting
        if status.state == 4 and not status.key_awaited and (status.mine or not status.my_turn):
            line = tr("play_your_turn" if status.mine else "their_turn", peer=match.peer_name)
        if status.busy and status.waited > _WAIT_SHOWN_TICKS:
            line += tr("waited", seconds=status.waited * words.TICK_SECONDS)
        if self.lost:
            line = tr("line_lost", why=self.lost)
        doing.update(line)
        doing.set_class(bool(self.lost) or status.key_awaited, "bad")
        doing.set_class(status.mine and not self.lost, "my-turn")
        self._show_line(status)
        if self.phase == BEGIN:
            self.query_one(LinePane).show(
                status, self.session.port.device, str(self.session.port.settings), time.monotonic() - self._since
            )
        elif self.phase == BATTLE and match.position is not None:
            battle = self.query_one(BattlePane)
            if (battle.mine, battle.my_turn) != (status.mine, status.my_turn):
                battle.show(match.position, status)
                if status.mine:
                    self.turn_began()
        self.query_one("#chat").display = status.chat == links.CHAT_YES
        self.query_one(EndPane).can_ask(status.can_ask)
        self._show_keys()

    def turn_began(self) -> None:
        """Called when the player's turn to shoot begins."""

    def _show_line(self, status: Status) -> None:
        facts = [f"{self.session.port.device} {self.session.port.settings}"]
        if status.errors is not None:
            driver = status.errors
            facts.append(tr("short_errors", errors=driver.parity + driver.framing + driver.overrun))
        facts.append(tr("short_noise", noise=status.noise + status.dropped))
        if status.deviations:
            facts.append(tr("short_deviations", deviations=status.deviations))
        self.query_one("#line-state", Plain).update(" · ".join(facts))

    def _show_keys(self) -> None:
        status = self.status
        if not self.is_active:
            # a window above shows its own keys
            self.query_one(KeyBar).show([("F10", tr("key_leave"), "screen.leave")])
            return
        keys: list[Key] = list(self.pane.keys())
        if self.phase == PARAMS and status.may_salvo:
            keys.append(("F6", tr("key_salvo"), "screen.salvo"))
        if self.phase == BATTLE:
            keys.append(("F2", tr("key_hint"), "screen.hint"))
            if status.mine:
                keys.append(("F3", tr("key_shoot_for_me"), "screen.shoot_for_me"))
        if status.chat == links.CHAT_YES:
            keys.append(("F4", tr("key_chat"), "screen.chat"))
        if self._may_restart():
            keys.append(("F5", tr("key_restart"), "screen.restart"))
        if status.can_ask:
            keys.append(("F7", tr("key_ask"), "screen.ask"))
        if 1 <= status.state <= 4 and not status.hung:
            keys.append(("F8", tr("key_surrender"), "screen.surrender"))
        keys += [("F1", tr("key_help"), "app.help"), ("F10", tr("key_leave"), "screen.leave")]
        self.query_one(KeyBar).show(keys)

    def _may_restart(self) -> bool:
        """Return whether the master may restart: while placing, and after the end (with a button there)."""
        status = self.status
        return status.role == wire.MASTER and status.state in (2, 3, 9) and not status.hung

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fit)

    def _fit(self) -> None:
        room = self.query_one("#main").size
        for pane in self.query(Pane):
            pane.fit(room.width - 2, room.height)
