"""Drives a seat at a serial game in real time: bytes from a port, ticks from the clock, bytes to the port.

A `Runner` does one turn after the other in whatever thread calls it: a bot calls `run` in its main thread, an
application with a screen calls `start` for a thread of its own. Whoever gives orders to the player from another thread
does it inside `with runner.locked() as player:`, which keeps the runner's turn out and wakes it afterwards.

Ticks that come late are caught up, one a turn, so that what has arrived meanwhile is read before the next one.
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
from seabattle_host.line.marks import Unmarker
from seabattle_host.line.port import Port
from seabattle_host.player.salvo_player import EV_SALVO, SalvoPlayer
from seabattle_host.player.salvo_player import explain as explain_salvo

TICK_NS_DIVIDEND = 65536 * 10**9
TICK_NS_DIVISOR = 1193182
"""A tick is TICK_NS_DIVIDEND / TICK_NS_DIVISOR nanoseconds; only whole ticks are rounded, so no error adds up."""

_REOPEN_SECONDS = 0.25
_MS = 10**6
_SLICES = 20
"""Slices of a bot's thinking in one turn; the line is looked at between turns."""


class Observer(Protocol):
    """Is told every piece of traffic. Called with the runner's lock held, so it must not wait for anybody."""

    def traffic(self, at: float, sent: bool, data: bytes) -> None:
        """`data` was sent to or received from the line at `at`, seconds since the epoch, never running back."""


@dataclass(frozen=True)
class Event:
    """Something that happened to a session, with all that is needed to tell of it later.

    code, a, b: EV_* of seabattle.link and its details, EV_JURY of seabattle.fair, or EV_SALVO of salvo_player. role:
    this side's. text: a received nick or chat text, or what EV_JURY or EV_SALVO is about in words. verdict, decks: of
    an EV_JURY that says that the peer's field is shown: what the jury says, and by cell whether there is a deck.
    x, y: the cell of a shot, from 1; answer: what answered it, 0 for nothing. earlier_x, earlier_y, earlier: of a false
    answer an earlier shot whose answer contradicts it, and that answer. parameters: those agreed on, in words.
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
    def of(cls, code: int, player: Player) -> Event:
        """The event that `player.poll()` has just returned."""
        link = player.link
        if code == EV_JURY and isinstance(player, FairPlayer):
            verdict = None
            decks = b""
            if link.a == SHOWN:
                verdict = Verdict.of(player)
                decks = bytes(player.decks[: player.fleet.width * player.fleet.height])
            return cls(code, link.a, link.b, link.role, explain(player), verdict=verdict, decks=decks)
        if isinstance(player, SalvoPlayer) and code == EV_SALVO:
            return cls(code, link.a, 0, link.role, explain_salvo(player))
        text = ""
        if code == links.EV_NICK:
            text = decode(link.peer_nick[: link.peer_nick_len])
        elif code == links.EV_CHAT:
            text = decode(link.text[: link.text_len])
        return cls.told(bytes(link.told), text)

    @classmethod
    def told(cls, told: bytes, text: str = "") -> Event:
        """The event with these details, as Link.told has them."""
        code, a, b, role, cell, answer, earlier_cell, earlier = told
        if code == links.EV_PARAMS:
            return cls(code, a, b, role, parameters=words.parameters(*(links.told_param(told, i) for i in range(5))))
        if code == links.EV_BROKEN and b == wire.R_CELL:
            return cls(code, a, b, role, x=cell, y=earlier)
        return cls(
            code, a, b, role, text, "", cell & 15, cell >> 4, answer, earlier_cell & 15, earlier_cell >> 4, earlier
        )

    @property
    def was_fought(self) -> bool:
        """It ends a game in which a shot could be fired."""
        return self.code == links.EV_OVER and self.x > 0

    @property
    def began_anew(self) -> bool:
        """It tells of a peer that was restarted, it seems."""
        return words.began_anew(self.code, self.a, self.b)

    def words(self) -> str:
        """The event in the chosen language; of an EV_JURY or EV_SALVO in that of its time."""
        if self.code in (EV_JURY, EV_SALVO):
            return self.text
        told = {name: value for name, value in self.__dict__.items() if name not in ("verdict", "decks")}
        return words.event(**told)


class Runner:
    """player: the seat. bot: plays it, where no person does. on_event: called with each Event, in the runner's thread.

    observers: told the traffic. reconnect: on a lost port go on without a line and open it again when it is back, so
    that the session's own timeouts decide; else PortLost is raised. on_line: called with the cause when the port is
    lost and with None when it is back.
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
        """Ticks given to the link so far."""
        self.worst_late = 0.0
        """The longest that a tick was late, in ticks."""
        self.bytes_in = 0
        self.bytes_out = 0
        self.stuck = False
        """The bot has found that it cannot place the agreed fleet."""
        self._on_event = on_event
        self._on_line = on_line
        self._observers = observers
        self._reconnect = reconnect
        self._clock = clock
        self._start = clock()
        self._heard_at = self._start
        self._unmark = Unmarker()
        self._epoch = time.time() - self._start / 1e9
        self._next_try = 0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    # For the owner.

    def run(self, until: Callable[[], bool]) -> None:
        """Take turns until `until()` is true, asked after every turn. Raises PortLost unless it reconnects."""
        while not until():
            self.turn()

    def start(self) -> None:
        """Take turns in a thread of its own until `stop`; for a runner that reconnects."""
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
        """The player, for orders and looks while no turn is under way; what the orders send goes out at once.

        Not to be used inside `on_event` or `on_line`: they hold the seat already.
        """
        with self._lock:
            yield self.player
        self.port.wake()

    def flush(self, timeout: float) -> None:
        """Send what the link still has to say, and wait up to `timeout` seconds until it is on the wire. Raises
        PortLost unless it reconnects."""
        with self._lock:
            self._send()
        if self.port.is_open:
            try:
                self.port.drain(timeout)
            except PortLost as lost:
                self._line_lost(lost)

    # One turn.

    def turn(self) -> None:
        """Wait for bytes until the next tick is due at the latest, and pass on what there is."""
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
        """Bytes of the line, as the port gives them."""
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
        """When there is something to do without a byte from the line, on the runner's clock."""
        due = self._due()
        if self.player.link.wants_calm:
            due = min(due, self._heard_at + (links.CALM_MS + self.port.lag_ms) * _MS)
        return due

    def _due(self) -> int:
        """When the next tick is due, on the runner's clock."""
        return self._start + (self.ticks + 1) * TICK_NS_DIVIDEND // TICK_NS_DIVISOR

    def _events(self) -> None:
        poll = self.player.poll
        while code := poll():
            if self._on_event is not None:
                self._on_event(Event.of(code, self.player))
            if self.bot is not None:
                # it must see every state, also one that the next byte ends
                self._step()

    def _act(self) -> bool:
        """Let the bot think for a while; True if it has not finished."""
        self._events()
        if self.bot is None:
            return False
        for _ in range(_SLICES):
            if not self._step():
                self._events()
                return False
        return True

    def _step(self) -> bool:
        """One slice of the bot's thinking; True if it has not finished."""
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
                    self._unmark = Unmarker()
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
            # what is decided already is told before the end
            self.player.link.cut()
            self._events()
            raise lost
        if self._on_line is not None:
            self._on_line(lost)

    def _tell(self, sent: bool, data: bytes) -> None:
        at = self._epoch + self._clock() / 1e9
        for observer in self._observers:
            observer.traffic(at, sent, data)
