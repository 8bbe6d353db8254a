"""A line, a player and the thread that drives them, as used by the screens.

The runner serves the line in its own thread. Its events reach the application as messages, which never block that
thread; the player's orders go the other way under the runner's lock, which is held only briefly. Whatever the screens
do, the line is served in time.
"""

from __future__ import annotations

import contextlib
import gc
import secrets
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from seabattle import link as links
from seabattle import wire
from seabattle.field import Field
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.errors import PortLost
from seabattle_host.language import words
from seabattle_host.language.text import encode_chat
from seabattle_host.line.line_monitor import LineMonitor
from seabattle_host.line.log import TextLog
from seabattle_host.line.port import Port
from seabattle_host.line.settings import LineErrors, Settings
from seabattle_host.player.field_seals import Sealer
from seabattle_host.player.parameters import SEED_MOST, Parameters
from seabattle_host.player.position import LENGTHS, placement
from seabattle_host.player.runner import BATTLE, Event, Observer, Runner
from seabattle_host.player.salvo_exchange import IDLE, WANTED, SalvoExchange
from seabattle_host.player.salvo_player import SalvoPlayer
from seabattle_host.records.archive import Ship

PARTING_SECONDS = 2 * wire.REPLY_TICKS * words.TICK_SECONDS + 1
"""The longest a goodbye can take: a pending reply, its own reply, and a margin."""

_ACCUSED_REPLY = int(wire.exchange(wire.BROKEN)[wire.REPLY])

_LOOK_SECONDS = 0.02
_SWITCH_SECONDS = 0.001
_SHARED_SECONDS = 2.0
"""Interval at which it is looked whether a program that shared the port has left."""


@dataclass(frozen=True)
class Status:
    """A snapshot of a session. `waiting` says in words what it does or waits for."""

    state: int = 0
    role: int = wire.NOBODY
    mine: bool = False
    my_turn: bool = False
    key_awaited: bool = False
    hung: bool = False
    closed: bool = False
    chat: int = links.CHAT_UNKNOWN
    can_ask: bool = False
    """The opponent may be asked for its field."""
    may_salvo: bool = False
    """A salvo may be offered, or the offered one accepted."""
    parameters: Parameters | None = None
    waiting: str = ""
    busy: int = 0
    waited: int = 0
    quiet: int = 0
    noise: int = 0
    dropped: int = 0
    strays: int = 0
    repeats: int = 0
    deviations: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    errors: LineErrors | None = None
    wrong: str = ""
    """The problem of the line, in words; empty if none is known."""


class LastSent:
    """An observer that remembers the last bytes sent, except syncs, their replies and the reply to an accusation."""

    def __init__(self) -> None:
        self._reader = wire.Reader()
        self.words = ""

    def traffic(self, at: float, sent: bool, data: bytes) -> None:
        """See Observer."""
        if not sent:
            return
        for byte in data:
            reader = self._reader
            if reader.feed(byte) == wire.FRAME and reader.op not in (wire.SYNC, wire.SYNCED, _ACCUSED_REPLY):
                self.words = words.frame(reader.op, reader.data[: reader.size])


class Session:
    """A session at an open port. `on_event` and `on_line` are called in the runner's thread and must not block."""

    def __init__(
        self,
        url: str,
        settings: Settings,
        *,
        role: int,
        nick: bytes,
        fair: bool = False,
        on_event: Callable[[Event], None],
        on_line: Callable[[PortLost | None], None],
        observers: Sequence[Observer] = (),
    ):
        """Open the port and begin. fair: as for a FairPlayer. Raises PortError."""
        # Garbage collection stops all threads, the line's included, while it scans all objects. Freeze those that exist
        # now, which are here to stay: a collection then takes a few ms instead of 0.1 s and more.
        gc.collect()
        gc.freeze()
        # The screens' thread yields to the line's sooner than Python's default of 5 ms.
        sys.setswitchinterval(_SWITCH_SECONDS)
        self.url = url
        self.port = Port(url, settings, mark_errors=True)
        seed = secrets.randbelow(SEED_MOST + 1)
        self._link = Link(role, Rng(seed))
        if nick:
            self._link.nick(nick, len(nick))
        self._texts: deque[bytes] = deque()
        self._hurry = threading.Event()
        self._last_sent = LastSent()
        self._sense = LineMonitor(settings, self.port)
        self.warnings: deque[str] = deque()
        """Problems of the line found by `status`, each once; the caller that reports one removes it."""
        self.ended_logs: deque[str] = deque()
        """Likewise, why a log of this session is no longer written."""
        self._logs = [observer for observer in observers if isinstance(observer, TextLog)]
        self._doubts = self.port.unsupported_settings()
        self._shared = self.port.shared()
        self._shared_at = time.monotonic()
        self._player = SalvoPlayer(self._link, Rng(seed), Sealer(), asks=True)
        self._player.fair = fair
        self.runner = Runner(
            self.port,
            self._player,
            on_event=on_event,
            on_line=on_line,
            observers=(self._last_sent, self._sense, *observers),
            reconnect=True,
        )
        self.runner.start()

    def status(self) -> Status:
        """Return a snapshot of the session."""
        wrong = self._wrong()
        with self.runner.locked() as player:
            link = player.link
            return Status(
                state=link.state,
                role=link.role,
                mine=link.mine,
                my_turn=link.my_turn,
                key_awaited=link.key_awaited,
                hung=link.hung,
                closed=link.closed,
                chat=link.chat,
                can_ask=self._player.can_ask(),
                may_salvo=link.state == 1
                and link.chat != links.CHAT_NO
                and self._player.salvo.stage in (IDLE, WANTED)
                and not link.key_awaited,
                parameters=Parameters(link.size, *(link.ships(n) for n in LENGTHS)) if link.agreed else None,
                waiting=words.waiting(link),
                busy=link.busy,
                waited=link.waited,
                quiet=link.quiet,
                noise=link.noise,
                dropped=link.dropped,
                strays=link.strays,
                repeats=link.repeats,
                deviations=link.deviations,
                bytes_in=self.runner.bytes_in,
                bytes_out=self.runner.bytes_out,
                errors=self.port.errors if self.port.is_open else None,
                wrong=wrong,
            )

    def _wrong(self) -> str:
        self.ended_logs.extend(filter(None, (log.take_problem() for log in self._logs)))
        if warning := self._sense.warning(self._link.state == BATTLE):
            self.warnings.append(warning)
        if self._shared and time.monotonic() - self._shared_at > _SHARED_SECONDS:
            self._shared = self.port.shared()
            self._shared_at = time.monotonic()
        return "\n".join(filter(None, [self._shared, *self._doubts, self._sense.line]))

    def doubt(self) -> str:
        """Return why the line may be the cause of what the opponent is accused of; empty if nothing suggests it."""
        return self._sense.doubt()

    @property
    def last_sent(self) -> str:
        """Return our last frame in words, except those that only keep the line alive; empty for none."""
        return self._last_sent.words

    def rename(self, nick: bytes) -> None:
        """Send a new nick."""
        with self.runner.locked() as player:
            player.link.nick(nick, len(nick))

    # Orders. Each returns links.DONE or why it was refused.

    def offer(self, parameters: Parameters) -> int:
        """Send the master's parameters."""
        with self.runner.locked() as player:
            return player.link.offer(parameters.size, *parameters.counts)

    def ready(self, ships: Sequence[Ship]) -> int:
        """Declare my ships placed on these cells."""
        with self.runner.locked() as player:
            field: Field = player.field
            field.clear()
            for ship in ships:
                field.place(*placement(ship))
            return player.ready()

    def shoot(self, cell: int) -> int:
        """Shoot at a cell, `y * width + x` from 0."""
        with self.runner.locked() as player:
            return player.shoot(cell)

    def surrender(self) -> int:
        """Surrender the game."""
        with self.runner.locked() as player:
            return player.link.surrender()

    def restart(self) -> int:
        """Start a new game with the same opponent, as master."""
        with self.runner.locked() as player:
            return player.link.restart()

    def ask(self) -> int:
        """Ask the opponent for its field, so that the jury can judge the game."""
        with self.runner.locked():
            return self._player.ask()

    def offer_salvo(self) -> int:
        """Offer a salvo, or accept the opponent's offer."""
        with self.runner.locked():
            return self._player.salvo.offer()

    @contextlib.contextmanager
    def salvo(self) -> Iterator[SalvoExchange]:
        """Yield the salvo exchange of this line, for orders and queries."""
        with self.runner.locked():
            yield self._player.salvo

    def key(self) -> int:
        """Acknowledge an error: the player has seen it and goes on."""
        with self.runner.locked() as player:
            return player.link.key()

    def send_chat(self, text: str) -> int:
        """Send a line of chat, in as many frames as needed, one after another."""
        self._texts.extend(encode_chat(text))
        return self.send_next_chat()

    def send_next_chat(self) -> int:
        """Send the next frame of the chat if the last one is settled."""
        with self.runner.locked() as player:
            code = links.DONE
            if self._texts:
                text = self._texts[0]
                code = player.link.send_chat(text, len(text))
                if code in (links.DONE, links.OUT_OF_RANGE):
                    self._texts.popleft()
                elif code == links.NO_CHAT:
                    self._texts.clear()
            return code

    def drop_texts(self) -> None:
        """Drop chat that has not been sent."""
        self._texts.clear()

    # The end

    def goodbye(self) -> None:
        """Begin to leave: A7 is sent as soon as allowed."""
        with self.runner.locked() as player:
            if not player.link.closed:
                player.link.goodbye()

    def has_left(self) -> bool:
        """Return whether the goodbye is done, or impossible without a line."""
        with self.runner.locked() as player:
            return player.link.closed or not self.port.is_open

    def skip_wait(self) -> None:
        """End the wait of `close`, which runs in another thread."""
        self._hurry.set()

    def close(self, wait: float = PARTING_SECONDS) -> None:
        """Say goodbye, wait up to `wait` seconds for the opponent's answer, and close the port."""
        try:
            self.goodbye()
            deadline = time.monotonic() + wait
            while not self.has_left() and time.monotonic() < deadline:
                if self._hurry.wait(_LOOK_SECONDS):
                    break
        finally:
            self.runner.stop()
            self.port.close()
