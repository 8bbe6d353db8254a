"""A club in this process, with a clock faster than the protocol's, and players at real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from seabattle import link as links
from seabattle import wire
from seabattle.bot import BUSY, Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.club.limits import Limits
from seabattle_host.club.lobby import Lobby
from seabattle_host.club.relay import Relay
from seabattle_host.club.session import Session
from seabattle_host.club.store import Game, Store
from seabattle_host.language.text import decode, encode_chat
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.player.parameters import Parameters
from tests import jumping

if TYPE_CHECKING:
    import aiohttp

SOON = 60.0
"""Seconds after which a wait is given up."""


def tick_seconds() -> float:
    """Return the length of a tick: a tenth of the protocol's on a loop with its own clock, where nothing is ever late,
    and half of it with browsers or processes. The sockets are real.
    """
    return TICK_SECONDS / (10 if isinstance(asyncio.get_running_loop(), jumping.Loop) else 2)


SMALL = Parameters(6, 0, 0, 1, 2)
"""A short game."""

SHIPS = ((1, 1, 2, False), (4, 3, 1, False), (1, 4, 1, False))
"""A whole fleet of it: column and row from 0, length, upright."""


async def until(what: Callable[[], object], why: Callable[[], object] = lambda: "it did not happen") -> None:
    """Wait until `what()` is true; on timeout fail with `why()`."""
    now = asyncio.get_running_loop().time
    deadline = now() + SOON
    while not what():
        assert now() < deadline, why()
        await asyncio.sleep(0.002)


class Guest(asyncio.Protocol):
    """A connection to the club."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.hung_up = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """From asyncio.Protocol, like the next two."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.hung_up = True
        self.close()

    def close(self) -> None:
        """Disconnect without a goodbye."""
        if self.transport is not None:
            self.transport.abort()


class Seat(Guest):
    """A player at a TCP connection. bot: it plays by itself. games: number of games before its goodbye; 0 for no end.
    tick: the length of its tick in seconds, if not the usual one.
    """

    def __init__(
        self,
        role: int,
        nick: bytes,
        *,
        bot: bool = True,
        games: int = 1,
        offer: Parameters = SMALL,
        seed: int = 1,
        level: int = HUNT,
        tick: float = 0.0,
    ):
        super().__init__()
        rng = Rng(seed)
        self.link = Link(role, rng)
        if nick:
            self.link.nick(nick, len(nick))
        self.player = Player(self.link, rng)
        self.bot = Bot(self.player, Gunner(self.player.radar, rng, level), games, (offer.size, *offer.counts))
        self.plays = bot
        self.events: list[tuple[int, int, int]] = []
        self.texts: list[str] = []
        self.peers: list[str] = []
        """The nicks received, in order."""
        self.shots: list[tuple[int, int, int]] = []
        """Answered shots of this seat: column, row, answer."""
        self.sent = bytearray()
        self._seconds = tick or tick_seconds()
        self._ticking: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._ticking = asyncio.get_running_loop().create_task(self._tick())

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        for byte in data:
            self.link.rx(byte)
            self._poll()
        self.act()

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + self._seconds
        while True:
            await asyncio.sleep(max(0.0, due - loop.time()))
            due = max(due + self._seconds, loop.time() - 20 * self._seconds)
            self.link.tick()
            self._poll()
            self.act()

    def _poll(self) -> None:
        link = self.link
        while code := self.player.poll():
            self.events.append((code, link.a, link.b))
            if code == links.EV_CHAT:
                self.texts.append(decode(link.text[: link.text_len]))
            elif code == links.EV_NICK:
                self.peers.append(decode(link.peer_nick[: link.peer_nick_len]))
            elif code == links.EV_ANSWER:
                self.shots.append((link.details[links.EVENT_CELL] & 15, link.details[links.EVENT_CELL] >> 4, link.a))
            if self.plays:
                self.bot.step()

    def act(self) -> None:
        """Let the bot play on, and send what is queued."""
        while self.plays and self.bot.step() == BUSY:
            pass
        self._poll()
        out = bytearray()
        while (byte := self.link.tx()) >= 0:
            out.append(byte)
        if out:
            self.write(out)
        if self.link.closed and self.transport is not None:
            self.transport.close()

    def write(self, data: bytes | bytearray) -> None:
        """Send any bytes to the club."""
        if self.transport is not None and not self.hung_up:
            self.sent += data
            self.transport.write(bytes(data))

    def codes(self) -> list[int]:
        """Return the codes of the events so far."""
        return [code for code, _a, _b in self.events]

    def results(self) -> list[tuple[int, int]]:
        """Return the details of EV_OVER of each finished game."""
        return [(a, b) for code, a, b in self.events if code == links.EV_OVER]

    def told(self, words: str) -> bool:
        """Return whether the club has sent these words."""
        return words in " ".join(self.texts)

    def _sends(self, part: bytes) -> bool:
        return self.link.send_chat(part, len(part)) == links.DONE

    async def say(self, words: str) -> None:
        """Write in the chat as soon as possible."""
        for part in encode_chat(words):
            await until(partial(self._sends, part), lambda: "there is no chat")
            self.act()

    async def shoot(self, cell: int) -> int:
        """Shoot at a cell when it is this player's turn; return the answer."""
        await until(lambda: self.link.mine, lambda: self.events)
        before = len(self.shots)
        self.order(lambda: self.player.shoot(cell))
        await until(lambda: len(self.shots) > before, lambda: self.events)
        return self.shots[-1][2]

    def place(self) -> None:
        """Put the whole fleet on the own field: SHIPS."""
        for ship in SHIPS:
            assert not self.player.field.place(*ship)

    async def state(self, state: int) -> None:
        """Wait for a state of the link."""
        await until(lambda: self.link.state == state, lambda: (state, self.events))

    def order(self, what: Callable[[], int]) -> None:
        """Give the link an order, which it must accept."""
        assert what() == links.DONE
        self.act()

    def close(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        super().close()


class Raw(Guest):
    """A connection that sends only what the test sends."""

    def write(self, *data: int) -> None:
        """Send bytes to the club."""
        assert self.transport is not None
        self.transport.write(bytes(data))

    async def hears(self, *data: int) -> None:
        """Wait until these bytes have come, and drop everything up to them."""
        want = bytes(data)
        await until(lambda: want in self.received, lambda: f"{want.hex(' ')} not in {self.received.hex(' ')}")
        del self.received[: self.received.index(want) + len(want)]

    async def answers_syncs_until(self, *data: int) -> None:
        """As a slave answer every sync until these bytes have come."""
        want = bytes(data)
        seen = 0

        def there() -> bool:
            nonlocal seen
            for byte in self.received[seen:]:
                if byte == wire.SYNC:
                    self.write(wire.SYNCED)
            seen = len(self.received)
            return want in self.received

        await until(there, lambda: f"{want.hex(' ')} not in {self.received.hex(' ')}")
        del self.received[: self.received.index(want) + len(want)]


class House:
    """An open club and its guests."""

    def __init__(self, lobby: Lobby, port: int, log: list[str]):
        self.lobby = lobby
        self.port = port
        self.log = log
        self.guests: list[Guest] = []

    async def seat(
        self, role: int = wire.AUTO, nick: bytes = b"", *, address: str = "127.0.0.1", **how: object
    ) -> Seat:
        """Connect a player from an address of this computer."""
        seat = Seat(role, nick, **how)  # type: ignore[arg-type]
        await self.come(seat, address)
        return seat

    async def raw(self) -> Raw:
        """Open a connection that the test writes to."""
        raw = Raw()
        await self.come(raw)
        return raw

    async def come(self, guest: Guest, address: str = "127.0.0.1") -> None:
        """Connect to the club."""
        self.guests.append(guest)
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: guest, "127.0.0.1", self.port, local_addr=(address, 0))

    def session(self, name: str) -> Session | None:
        """Return the session under this name."""
        return next((v for v in self.lobby.sessions if v.account is not None and v.account.display_name == name), None)

    def waits(self, name: str) -> bool:
        """Return whether this player is in the queue."""
        return name in [v.name for v in self.lobby.matchmaker.waiting()]

    async def waiting(self, *names: str) -> None:
        """Wait until exactly these are in the queue, ready to play."""
        await until(
            lambda: (
                sorted(names) == sorted(v.name for v in self.lobby.matchmaker.waiting())
                and all(v.ready and v.at_rest for v in self.lobby.matchmaker.waiting())
            ),
            lambda: (names, self.log),
        )

    async def ticks(self, number: int) -> None:
        """Let this many ticks pass. The same frame within 4 ticks would count as a repeat."""
        began = self.lobby.ticks
        await until(lambda: self.lobby.ticks > began + number)

    def games(self) -> list[Game]:
        """Return the games in the database, oldest first, with their moves."""
        return [self.lobby.store.game(game.id) for game in reversed(self.lobby.store.games())]

    def ended(self) -> tuple[int | None, str]:
        """Return the winner's side and the ending of the only game."""
        (game,) = self.games()
        return game.winner, game.ending

    async def placing(
        self, names: tuple[bytes, bytes] = (b"MAX", b"SAM"), second: str = "127.0.0.1"
    ) -> tuple[Seat, Seat, Relay]:
        """Return a master and a slave from the second address, about to place in a small game."""
        master = await self.seat(wire.MASTER, names[0], bot=False)
        slave = await self.seat(wire.SLAVE, names[1], bot=False, address=second)
        relay = await self.relay(*(name.decode() for name in names))
        master.order(lambda: master.link.offer(SMALL.size, *SMALL.counts))
        await slave.state(2)
        await master.state(2)
        return master, slave, relay

    async def fight(
        self, names: tuple[bytes, bytes] = (b"MAX", b"SAM"), second: str = "127.0.0.1"
    ) -> tuple[Seat, Seat, Relay]:
        """Return two players in the battle, at the master's turn; both have placed SHIPS."""
        master, slave, relay = await self.placing(names, second)
        for seat in (master, slave):
            seat.place()
            seat.order(seat.player.ready)
        await until(lambda: relay.game.stage == "battle" and master.link.mine)
        # what was begun while placing, like the request for chat, is over
        await until(lambda: not master.link.busy and not slave.link.busy)
        return master, slave, relay

    async def relay(self, *names: str) -> Relay:
        """Wait until these play."""

        def there() -> Relay | None:
            return next((r for r in self.lobby.relays if {v.name for v in r.players} == set(names)), None)

        await until(there, lambda: (names, self.log))
        relay = there()
        assert relay is not None
        return relay


@asynccontextmanager
async def at_club(
    folder: Path,
    *,
    limits: Limits | None = None,
    bots: int = 0,
    unasked: bool = True,
    patience: float = 15.0,
) -> AsyncIterator[House]:
    """A club, open inside the block."""
    log: list[str] = []
    with Store(folder / "club.sqlite") as store:
        usual = limits or Limits(one_address=True)
        lobby = Lobby(
            store, usual, bots=bots, unasked=unasked, patience=patience, tick_seconds=tick_seconds(), log=log.append
        )
        house = House(lobby, await lobby.listen("127.0.0.1", 0), log)
        lobby.start()
        try:
            yield house
        finally:
            for guest in house.guests:
                guest.close()
            await lobby.stop()


Site: TypeAlias = "tuple[House, str, aiohttp.ClientSession]"


@asynccontextmanager
async def at_page(folder: Path, **how: Any) -> AsyncIterator[Site]:
    """A club with its page: the page's address, and a client session."""
    from aiohttp import ClientSession

    from seabattle_host.club.web import WebServer

    async with at_club(folder, **how) as house:
        server = WebServer(house.lobby)
        await server.open("127.0.0.1", 0)
        try:
            async with ClientSession() as session:
                yield house, f"http://127.0.0.1:{server.port}", session
        finally:
            await server.close()
