"""Clean games of two programs of any kind on one line, with the time of each byte: ours, L and B in both roles."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from typing import Protocol

from seabattle import link as links
from seabattle import wire
from seabattle.bot import BUSY, Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.simulation.engine import BYTE_US
from tests.faults.study import TICK_US
from tests.peers.dialects import Dialect, MasterB, MasterL, SlaveB, SlaveL

Heard = list[tuple[int, int, int]]
"""The end of each byte in microseconds, its side, and the byte."""

_JITTER_US = 60
"""How much later than the line would allow a byte may begin."""

_THOUGHT = 6
"""Ticks, one more than our player's longest thought."""


class End(Protocol):
    """One end of the line."""

    out: bytearray

    @property
    def left(self) -> bool:
        """Whether it has left."""

    def rx(self, b: int) -> None:
        """Receive a byte."""

    def tick(self) -> None:
        """Advance by a tick."""


class Ours:
    """Our player with its bot, which thinks for a while before it does anything."""

    def __init__(self, role: int, seed: int):
        rng = Rng(seed)
        self.link = Link(role, rng)
        self.link.nick(b"BOARD", 5)
        self.player = Player(self.link, rng)
        self.bot = Bot(self.player, Gunner(self.player.radar, rng, HUNT), 0)
        self.out = bytearray()
        self.left = False
        self._random = random.Random(seed)
        self._wait = 0

    def rx(self, b: int) -> None:
        self.link.rx(b)
        self._act()

    def tick(self) -> None:
        self.link.tick()
        self.left |= self.link.key_awaited
        self._wait = max(self._wait - 1, 0)
        self._act()

    def _act(self) -> None:
        while code := self.player.poll():
            self.left |= code == links.EV_OVER
        if not self._wait:
            while self.bot.step() == BUSY:
                pass
            self._wait = self._random.randrange(_THOUGHT)
        while (byte := self.link.tx()) >= 0:
            self.out.append(byte)


def _shuffled(peer: Dialect, rng: random.Random) -> Dialect:
    shots = list(peer.shots)
    rng.shuffle(shots)
    peer.shots = deque(shots)
    return peer


def _slave_l(rng: random.Random, _seed: int) -> End:
    return _shuffled(SlaveL(rng.randrange(1, 30), early=rng.random() < 0.5), rng)


MASTERS: dict[str, Callable[[random.Random, int], End]] = {
    "O": lambda rng, seed: Ours(wire.MASTER, seed),
    "L": lambda rng, seed: _shuffled(MasterL(rng.randrange(1, 30)), rng),
    "B": lambda rng, seed: _shuffled(MasterB(rng.randrange(1, 30)), rng),
}
SLAVES: dict[str, Callable[[random.Random, int], End]] = {
    "O": lambda rng, seed: Ours(wire.SLAVE, seed + 1000),
    "L": _slave_l,
    "B": lambda rng, seed: _shuffled(SlaveB(rng.randrange(1, 30)), rng),
}
"""By name: O is ours."""


def heard(pair: str, seed: int, ticks: int = 6000) -> Heard:
    """Return what is heard of a clean game, up to some ticks after its end. pair: master and slave, as in `LO`."""
    rng = random.Random(f"{pair} {seed}")
    ends = MASTERS[pair[0]](rng, seed), SLAVES[pair[1]](rng, seed)
    due = [rng.randrange(TICK_US), rng.randrange(TICK_US)]
    free = [0, 0]
    coming: tuple[deque[tuple[int, int]], deque[tuple[int, int]]] = (deque(), deque())
    bytes_: Heard = []

    def send(side: int, now: int) -> None:
        out = ends[side].out
        while out:
            free[side] = max(now, free[side]) + BYTE_US + rng.randrange(_JITTER_US)
            coming[side].append((free[side], out.pop(0)))

    left = 0
    while left < 2 * 8 and ticks > 0:
        now, is_byte, side = min(
            [(due[s], False, s) for s in (0, 1)] + [(coming[s][0][0], True, s) for s in (0, 1) if coming[s]]
        )
        if is_byte:
            byte = coming[side].popleft()[1]
            bytes_.append((now, side, byte))
            side = 1 - side
            ends[side].rx(byte)
        else:
            due[side] += TICK_US
            ticks -= side
            ends[side].tick()
            left += ends[0].left and ends[1].left
        send(side, now)
    return bytes_
