"""A line, a seat and the thread that drives them, as the screens use them.

The line lives in the runner's own thread. What happens there comes to the application as messages, which never make
that thread wait; what the player orders goes the other way through the runner's seat, which is held only for a
moment. Whatever the screens do, the line is served in time.
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
from seabattle_host.line.port import Port
from seabattle_host.line.sense import LineSense
from seabattle_host.line.settings import LineErrors, Settings
from seabattle_host.player.parameters import SEED_MOST, Parameters
from seabattle_host.player.position import LENGTHS, placement
from seabattle_host.player.runner import Event, Observer, Runner
from seabattle_host.player.salvo_exchange import IDLE, WANTED, SalvoExchange
from seabattle_host.player.salvo_player import SalvoPlayer
from seabattle_host.player.sealing import Sealer
from seabattle_host.records.archive import Ship

PARTING_SECONDS = 2 * wire.REPLY_TICKS * words.TICK_SECONDS + 1
"""How long a goodbye can take at most: a reply that is still awaited, its own reply, and a little."""

_ACCUSED_REPLY = int(wire.exchange(wire.BROKEN)[wire.REPLY])

_LOOK_SECONDS = 0.02
_SWITCH_SECONDS = 0.001


@dataclass(frozen=True)
class Status:
    """How a session stands at one moment. `waiting` says in words what it does or waits for."""

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
    """What is the matter with the line, in words; empty while nothing is known to be."""


class LastSent:
    """An observer that knows what was sent last, syncs, their replies and the reply to an accusation aside."""

    def __init__(self) -> None:
        self._reader = wire.Reader()
        self.words = ""

    def traffic(self, at: float, sent: bool, data: bytes) -> None:
        """As the runner tells it."""
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
        """Open the port and begin. fair: as of a FairPlayer. Raises PortError."""
        # The collector stops all threads, the line's too, while it goes through everything there is. What is there
        # now is here to stay, and is not gone through again: that took 0.1 s and more, now it takes a few ms.
        gc.collect()
        gc.freeze()
        # And the thread of the screens hands over to that of the line sooner than Python's 5 ms.
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
        self._sense = LineSense(settings, self.port)
        self.warnings: deque[str] = deque()
        """What `status` has found to be wrong with the line, each once; the caller that reports it takes it out."""
        self._doubts = "\n".join(self.port.doubts())
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
        """How the session stands."""
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
        if warning := self._sense.warning():
            self.warnings.append(warning)
        return "\n".join(filter(None, [self._doubts, self._sense.line]))

    def doubt(self) -> str:
        """Why what the opponent is accused of may be the doing of the line; empty if nothing says so."""
        return self._sense.doubt()

    @property
    def last_sent(self) -> str:
        """The last frame of ours in words, apart from those that only keep the line alive; empty for none."""
        return self._last_sent.words

    def rename(self, nick: bytes) -> None:
        """Send another nick."""
        with self.runner.locked() as player:
            player.link.nick(nick, len(nick))

    # Orders. Each returns links.DONE or why it was refused.

    def offer(self, parameters: Parameters) -> int:
        """The master's parameters."""
        with self.runner.locked() as player:
            return player.link.offer(parameters.size, *parameters.counts)

    def ready(self, ships: Sequence[Ship]) -> int:
        """My ships stand where these are."""
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
        """Give the game up."""
        with self.runner.locked() as player:
            return player.link.surrender()

    def restart(self) -> int:
        """The master begins a new game with the same opponent."""
        with self.runner.locked() as player:
            return player.link.restart()

    def ask(self) -> int:
        """Ask the opponent for its field, so that the jury can judge the game."""
        with self.runner.locked():
            return self._player.ask()

    def offer_salvo(self) -> int:
        """Offer a salvo, or accept the one that the opponent offers."""
        with self.runner.locked():
            return self._player.salvo.offer()

    @contextlib.contextmanager
    def salvo(self) -> Iterator[SalvoExchange]:
        """The salvo over this line, for orders and looks."""
        with self.runner.locked():
            yield self._player.salvo

    def key(self) -> int:
        """The player has seen an error and goes on."""
        with self.runner.locked() as player:
            return player.link.key()

    def send_chat(self, text: str) -> int:
        """Send a line of chat, in as many frames as it needs; they go out one after the other."""
        self._texts.extend(encode_chat(text))
        return self.send_next_chat()

    def send_next_chat(self) -> int:
        """Send the next frame of what was said, if the last one has been dealt with."""
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
        """Forget what was said and not sent."""
        self._texts.clear()

    # The end.

    def goodbye(self) -> None:
        """Begin to leave: A7 goes out as soon as it may."""
        with self.runner.locked() as player:
            if not player.link.closed:
                player.link.goodbye()

    def parted(self) -> bool:
        """Whether a goodbye is done, or cannot be done since there is no line."""
        with self.runner.locked() as player:
            return player.link.closed or not self.port.is_open

    def hurry(self) -> None:
        """Let `close`, which waits in another thread, wait no longer."""
        self._hurry.set()

    def close(self, wait: float = PARTING_SECONDS) -> None:
        """Say goodbye, wait up to `wait` seconds until the opponent has answered, and give the port back."""
        try:
            self.goodbye()
            deadline = time.monotonic() + wait
            while not self.parted() and time.monotonic() < deadline:
                if self._hurry.wait(_LOOK_SECONDS):
                    break
        finally:
            self.runner.stop()
            self.port.close()
