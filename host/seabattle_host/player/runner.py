"""Drives a player in a serial game in real time: bytes from a port, ticks from the clock, bytes to the port.

A `Runner` takes turns in the thread that calls it: a bot calls `run` in its main thread, an application with a screen
calls `start` for a separate thread. To give orders to the player from another thread use `with runner.locked() as
player:`, which excludes the runner's turn and wakes it afterwards.

Late ticks are caught up one per turn, so that bytes that arrived meanwhile are read before the next one.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from seabattle import bot as bots
from seabattle import link as links
from seabattle import wire
from seabattle.bot import Bot
from seabattle.fair import EV_JURY, SHOWN, FairPlayer
from seabattle.player import Player
from seabattle_host.errors import PortLost
from seabattle_host.jury.verdict import Verdict, explain
from seabattle_host.language import words
from seabattle_host.language.text import decode
from seabattle_host.line.parity_marks import MarkDecoder
from seabattle_host.line.port import Port
from seabattle_host.player.salvo_player import EV_SALVO, SalvoPlayer
from seabattle_host.player.salvo_player import explain as explain_salvo

TICK_NS_DIVIDEND = 65536 * 10**9
TICK_NS_DIVISOR = 1193182
"""A tick is TICK_NS_DIVIDEND / TICK_NS_DIVISOR nanoseconds; only totals are rounded, so errors do not accumulate."""

BATTLE = 4
"""The state of a link while it shoots and is shot at."""

_REOPEN_SECONDS = 0.25
_MS = 10**6
_SLICES = 20
"""Slices of a bot's thinking per turn; the line is polled between turns."""


class Observer(Protocol):
    """Receives all traffic. Called with the runner's lock held, so it must not block."""

    def traffic(self, at: float, sent: bool, data: bytes) -> None:
        """`data` was sent to or received from the line at `at`, seconds since the epoch, never decreasing."""


@dataclass(frozen=True)
class Event:
    """An event of a session, with all that is needed to describe it later.

    code, a, b: EV_* of seabattle.link and its details, EV_JURY of seabattle.fair, or EV_SALVO of salvo_player. role:
    this side's. text: a received nick or chat text, or the words for an EV_JURY or EV_SALVO. verdict, decks: of an
    EV_JURY that reports the peer's field: the jury's verdict, and by cell whether there is a deck. x, y: the cell of a
    shot, from 1; answer: its answer, 0 for none. earlier_x, earlier_y, earlier: of a false answer, an earlier shot
    whose answer contradicts it, and that answer. parameters: those agreed on, in words.
    """

    code: int
    a: int = 0
    b: int = 0
    role: int = wire.NOBODY
    text: str = ""
    parameters: str = ""
    x: int = 0
    y: int = 0
    answer: int = 0
    earlier_x: int = 0
    earlier_y: int = 0
    earlier: int = 0
    verdict: Verdict | None = None
    decks: bytes = b""

    @classmethod
    def from_link(cls, code: int, player: Player) -> Event:
        """Return the event that `player.poll()` has just returned."""
        link = player.link
        if code == EV_JURY and isinstance(player, FairPlayer):
            verdict = None
            decks = b""
            if link.a == SHOWN:
                verdict = Verdict.from_player(player)
                decks = bytes(player.decks[: player.fleet.width * player.fleet.height])
            return cls(code, link.a, link.b, link.role, explain(player), verdict=verdict, decks=decks)
        if isinstance(player, SalvoPlayer) and code == EV_SALVO:
            return cls(code, link.a, 0, link.role, explain_salvo(player))
        text = ""
        if code == links.EV_NICK:
            text = decode(link.peer_nick[: link.peer_nick_len])
        elif code == links.EV_CHAT:
            text = decode(link.text[: link.text_len])
        return cls.from_details(bytes(link.details), text)

    @classmethod
    def from_details(cls, details: bytes, text: str = "") -> Event:
        """Return the event with these details, in the format of Link.details."""
        code, a, b, role, cell, answer, earlier_cell, earlier = details
        if code == links.EV_PARAMS:
            return cls(
                code, a, b, role, parameters=words.parameters(*(links.event_param(details, i) for i in range(5)))
            )
        if code == links.EV_BROKEN and b == wire.R_CELL:
            return cls(code, a, b, role, x=cell, y=earlier)
        return cls(
            code, a, b, role, text, "", cell & 15, cell >> 4, answer, earlier_cell & 15, earlier_cell >> 4, earlier
        )

    @property
    def was_fought(self) -> bool:
        """Return whether it ends a game in which a shot could be fired."""
        return self.code == links.EV_OVER and self.x > 0

    @property
    def began_anew(self) -> bool:
        """Return whether it suggests that the peer was restarted."""
        return words.began_anew(self.code, self.a, self.b)

    def words(self) -> str:
        """Return the event in words, in the chosen language; an EV_JURY or EV_SALVO in the language of its time."""
        if self.code in (EV_JURY, EV_SALVO):
            return self.text
        details = {name: value for name, value in self.__dict__.items() if name not in ("verdict", "decks")}
        return words.event(**details)


class Runner:
    """player: the player to drive.

    bot: plays for it, if no human does. on_event: called with each Event, in the runner's thread.

    observers: receive the traffic. reconnect: if the port is lost, go on without a line and reopen it when it is back,
    so that the session's own timeouts decide; otherwise PortLost is raised. on_line: called with the cause when the
    port is lost and with None when it is back.
    """

    def __init__(
        self,
        port: Port,
        player: Player,
        *,
        bot: Bot | None = None,
        on_event: Callable[[Event], None] | None = None,
        on_line: Callable[[PortLost | None], None] | None = None,
        observers: Sequence[Observer] = (),
        reconnect: bool = False,
        clock: Callable[[], int] = time.monotonic_ns,
    ):
        self.port = port
        self.player = player
        self.bot = bot
        self.ticks = 0
        """Ticks passed to the link so far."""
        self.worst_late = 0.0
        """The largest delay of a tick, in ticks."""
        self.bytes_in = 0
        self.bytes_out = 0
        self.stuck = False
        """The bot cannot place the agreed fleet."""
        self._on_event = on_event
        self._role_said = wire.NOBODY
        """The role that the last event has reported: two masters back off and search again and again."""
        self._on_line = on_line
        self._observers = observers
        self._reconnect = reconnect
        self._clock = clock
        self._start = clock()
        self._heard_at = self._start
        self._unmark = MarkDecoder()
        self._epoch = time.time() - self._start / 1e9
        self._next_try = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    # For the owner

    def run(self, until: Callable[[], bool]) -> None:
        """Take turns until `until()`, called after every turn, is true. Raises PortLost unless it reconnects."""
        while not until():
            self.turn()

    def start(self) -> None:
        """Take turns in a separate thread until `stop`; for a runner that reconnects."""
        self._thread = threading.Thread(target=self.run, args=(self._stopping.is_set,), name="line", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread of `start` and wait for its last turn. The port stays open."""
        self._stopping.set()
        self.port.wake()
        if self._thread is not None:
            self._thread.join()

    @contextlib.contextmanager
    def locked(self) -> Iterator[Player]:
        """Yield the player, for orders and queries while no turn is under way; the bytes of orders are sent at once.

        Not for use inside `on_event` or `on_line`: they already hold the lock.
        """
        with self._lock:
            yield self.player
        self.port.wake()

    def flush(self, timeout: float) -> None:
        """Send the link's remaining bytes, and wait up to `timeout` seconds until they are on the wire.

        Raises PortLost unless it reconnects.
        """
        with self._lock:
            self._send()
        if self.port.is_open:
            try:
                self.port.drain(timeout)
            except PortLost as lost:
                self._line_lost(lost)

    # One turn

    def turn(self) -> None:
        """Wait for bytes, at most until the next tick is due, and pass them on."""
        with self._lock:
            thinking = self._act()
            self._send()
        received = self._receive(0.0 if thinking else max(0, self._next() - self._clock()) / 1e9)
        with self._lock:
            if received:
                self._hear(received)
            now = self._clock()
            if self.player.link.wants_calm:
                self.player.link.calm((now - self._heard_at) // _MS - self.port.lag_ms)
            if now >= self._due():
                self.worst_late = max(self.worst_late, (now - self._due()) * TICK_NS_DIVISOR / TICK_NS_DIVIDEND)
                self.ticks += 1
                self.player.link.tick()
                self._events()

    def _hear(self, received: bytes) -> None:
        """Pass bytes from the port to the link."""
        link = self.player.link
        self._heard_at = self._clock()
        faults = b""
        if self.port.marking:
            received, faults = self._unmark.feed(received)
        self.bytes_in += len(received)
        self._tell(False, received)
        for i, byte in enumerate(received):
            if faults and faults[i]:
                link.rx_damaged()
            else:
                link.rx(byte)
                self._events()

    def _next(self) -> int:
        """Return when something is due even without bytes from the line, on the runner's clock."""
        due = self._due()
        if self.player.link.wants_calm:
            due = min(due, self._heard_at + (links.CALM_MS + self.port.lag_ms) * _MS)
        return due

    def _due(self) -> int:
        """Return when the next tick is due, on the runner's clock."""
        return self._start + (self.ticks + 1) * TICK_NS_DIVIDEND // TICK_NS_DIVISOR

    def _events(self) -> None:
        poll = self.player.poll
        while code := poll():
            role, self._role_said = self._role_said, self.player.link.a if code == links.EV_ROLE else wire.NOBODY
            again = role != wire.NOBODY and role == self._role_said
            if self._on_event is not None and not again:
                self._on_event(Event.from_link(code, self.player))
            if self.bot is not None:
                # it must see every state, even one that the next byte ends
                self._step()

    def _act(self) -> bool:
        """Let the bot think for a while; return True if it has not finished."""
        self._events()
        if self.bot is None:
            return False
        for _ in range(_SLICES):
            if not self._step():
                self._events()
                return False
        return True

    def _step(self) -> bool:
        """Do one slice of the bot's thinking; return True if it has not finished."""
        assert self.bot is not None
        step = self.bot.step()
        self.stuck = step == bots.STUCK
        return step == bots.BUSY

    def _send(self) -> None:
        out = bytearray()
        tx = self.player.link.tx
        while (byte := tx()) >= 0:
            out.append(byte)
        if not out or not self.port.is_open:
            return
        try:
            self.port.write(out)
        except PortLost as lost:
            self._line_lost(lost)
        else:
            self.bytes_out += len(out)
            self._tell(True, bytes(out))

    def _receive(self, wait: float) -> bytes:
        if not self.port.is_open:
            now = self._clock()
            if now >= self._next_try:
                self._next_try = now + int(_REOPEN_SECONDS * 1e9)
                if self.port.reopen():
                    self._unmark = MarkDecoder()
                    if self._on_line is not None:
                        self._on_line(None)
                    return b""
            self._stopping.wait(min(wait, _REOPEN_SECONDS))
            return b""
        try:
            return self.port.read(wait)
        except PortLost as lost:
            self._line_lost(lost)
            return b""

    def _line_lost(self, lost: PortLost) -> None:
        if not self._reconnect:
            # report what is already decided before ending
            self.player.link.cut()
            self._events()
            raise lost
        if self._on_line is not None:
            self._on_line(lost)

    def _tell(self, sent: bool, data: bytes) -> None:
        at = self._epoch + self._clock() / 1e9
        for observer in self._observers:
            observer.traffic(at, sent, data)
