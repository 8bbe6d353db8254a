"""The club's own players: a player with a bot, at a line inside this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from seabattle import bot as bots
from seabattle import gunner, wire
from seabattle import link as links
from seabattle.bot import Bot
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.club.limits import ticks
from seabattle_host.club.line import InnerLine
from seabattle_host.club.store import Account
from seabattle_host.player.parameters import level_name

RATINGS = {gunner.RANDOM: 1140.0, gunner.HUNT: 1500.0, gunner.DENSITY: 1530.0, gunner.SHARP: 1550.0}
"""By level, from 600 simulated games against hunt: random won 11.3 % of them, density 54.2 %, sharp 57.8 %."""

_STAY_SECONDS = 5.0
"""How long it stays after a game, so that the opponent can see the result and, as the master, start another game."""
_SLICE_SECONDS = 0.0005
"""How long it thinks before it yields to the loop."""


def name(level: int) -> str:
    """Return the nick of the computers of a level, at most ten letters."""
    return f"PC {level_name(level)}"[:10]


def anchors(accounts: Iterable[Account]) -> dict[int, float]:
    """Return the fixed ratings of the computers among the accounts, by ID."""
    levels = {name(level): level for level in RATINGS}
    return {one.id: RATINGS[levels[one.name]] for one in accounts if one.kind == "computer" and one.name in levels}


class Computer:
    """level: of seabattle.gunner. role: wire.MASTER or SLAVE. seed: of its random numbers, 0..2**30-1."""

    def __init__(self, level: int, role: int, seed: int, loop: asyncio.AbstractEventLoop):
        self.level = level
        self.line = InnerLine(name(level), loop)
        self.line.to_player = self._hear
        self._loop = loop
        rng = Rng(seed)
        self._link = Link(role, rng)
        nick = name(level).encode()
        self._link.nick(nick, len(nick))
        self._player = Player(self._link, rng)
        self._bot = Bot(self._player, Gunner(self._player.radar, rng, level), 1)
        self._stay = 0
        self._thinking = False

    def tick(self) -> None:
        """Advance by one tick."""
        if self.line.closed:
            return
        link = self._link
        link.tick()
        if link.key_awaited:
            link.key()
        if link.state == 9:
            self._stay += 1
        self._think()

    def decks(self) -> list[int]:
        """Implement LocalPlayer."""
        ship = self._player.field.ship
        return [cell for cell in range(len(ship)) if ship[cell]]

    def on_result(self, won: bool | None, ending: str) -> None:
        """Implement LocalPlayer."""

    def _hear(self, data: bytes) -> None:
        for byte in data:
            self._link.rx(byte)
            self._poll()
        self._think()

    def _poll(self) -> None:
        while code := self._player.poll():
            if code == links.EV_RESTART:
                self._stay = 0
                self._bot.played = 0
            # the bot must see every state, even one that the next byte ends
            if self._may_act():
                self._bot.step()

    def _may_act(self) -> bool:
        """Return whether the bot may act; after a game it waits before it says goodbye."""
        return self._link.state != 9 or self._stay > ticks(_STAY_SECONDS)

    def _think(self) -> None:
        if not self._thinking:
            self._thinking = True
            self._act()

    def _act(self) -> None:
        """Think for one slice of time, send what is due, and reschedule if there is more to think about."""
        if self.line.closed:
            return
        until = time.perf_counter() + _SLICE_SECONDS
        busy = self._may_act()
        while busy and time.perf_counter() < until:
            busy = self._bot.step() == bots.BUSY
        self._poll()
        out = bytearray()
        while (byte := self._link.tx()) >= 0:
            out.append(byte)
        if out:
            self.line.hear(bytes(out))
        if busy:
            self._loop.call_soon(self._act)
        else:
            self._thinking = False


def role_for(role: int) -> int:
    """Return the opposite role."""
    return wire.BOTH ^ role
