"""Drives the shared package with a program of random bytes, the same way for every fuzzer.

A program is a byte string. Each byte is an instruction: most are given to a link (or a watcher) as bytes from the
line, some let time pass or give an order. So any byte string is a program, a fuzzer can cut and splice them, and any
that found something is kept in the folder `corpus` and always run.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from seabattle import link as links
from seabattle import link_codes as codes
from seabattle import wire
from seabattle.bot import Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle.watch import Watch

CORPUS = Path(__file__).parent / "corpus"

STATES = (0, 1, 2, 3, 4, links.BROKEN_OFF, 9)

# Instructions; every other byte goes to the line as it is.
TICK, TICKS, KEY, BOT, ORDER, PASTE = 0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5


def corpus() -> list[Path]:
    """Return the kept programs."""
    return sorted(CORPUS.glob("*.bin"))


class LinkDriver:
    """A player with a link under test."""

    def __init__(self, role: int) -> None:
        rng = Rng(7)
        self.link = Link(role, rng)
        self.link.nick(b"FUZZ", 4)
        self.player = Player(self.link, rng)
        self.bot = Bot(self.player, Gunner(self.player.radar, rng, HUNT))
        self.out = bytearray()

    def run(self, program: bytes) -> None:
        """Run a program; check the invariants after each step."""
        steps = iter(program)
        for b in steps:
            self._step(b, steps)
            self._settle()

    def _step(self, b: int, steps: Iterator[int]) -> None:
        link = self.link
        if b == TICK:
            link.tick()
        elif b == TICKS:
            for _ in range(next(steps, 0)):
                link.tick()
                self._settle()
        elif b == KEY:
            link.key()
        elif b == BOT:
            for _ in range(next(steps, 0)):
                self.bot.step()
        elif b == ORDER:
            self._order(next(steps, 0))
        elif b == PASTE:
            # The likely next byte: the reply the link waits for.
            if link.busy:
                self._hear(wire.exchange(link.busy)[wire.REPLY])
                if link.busy == wire.PARAMS:
                    for i in range(5):
                        self._hear(link.v[codes.V_RAW + i])
        else:
            self._hear(b)

    def _hear(self, b: int) -> None:
        self.link.rx(b)
        self._settle()

    def _order(self, n: int) -> None:
        link = self.link
        orders = (
            lambda: link.surrender(),
            lambda: link.restart(),
            lambda: link.send_chat(b"TEXT", 4),
            lambda: link.shoot(n % 11, n // 11 % 11),
            lambda: link.offer(n % 12, n % 3, n % 4, n % 7, n % 12),
            lambda: link.accuse(n % wire.REASONS),
            lambda: link.nick(b"NEW", 3),
            lambda: self.player.ready(),
        )
        done = orders[n % len(orders)]()
        assert done in (links.DONE, links.NOT_NOW, links.NOT_YOURS, links.OUT_OF_RANGE, links.NO_CHAT)

    def _settle(self) -> None:
        link = self.link
        while ev := self.player.poll():
            assert 0 < ev < links.EVENTS
        while (b := link.tx()) >= 0:
            self.out.append(b)
        assert link.state in STATES
        assert link.role in (wire.NOBODY, wire.MASTER, wire.SLAVE)
        assert link.busy == 0 or wire.is_command(link.busy)
        assert link.key_awaited == (link.hung or link.state == links.BROKEN_OFF)
        if link.state == 4:
            assert link.my_losses <= link.decks and link.its_losses <= link.decks

    def end(self) -> None:
        """Check that no state is a trap: silence and a key lead to state 0, and what was sent can be read."""
        for _ in range(400):
            self.link.tick()
            self._settle()
            if self.link.key_awaited:
                self.link.key()
                self._settle()
        assert self.link.state == 0 and not self.link.hung
        reader = wire.Reader()
        for b in self.out:
            assert reader.feed(b) != wire.NOISE, "the link sent a byte that begins nothing"


def run_link(program: bytes, role: int) -> None:
    """Run a program against a link of this role, to its end."""
    driver = LinkDriver(role)
    driver.run(program)
    driver.end()


def run_watch(program: bytes) -> None:
    """Run a program against a watcher: even bytes come from one side, odd ones from the other; TICK lets time pass."""
    watch = Watch()
    side = 0
    for b in program:
        if b == TICK:
            watch.tick()
        elif b in (TICKS, KEY):
            side = 1 - side
        else:
            watch.feed(side, b)
        while watch.take():
            assert watch.verdict is not None


def run_reader(program: bytes) -> None:
    """Check that for any bytes a frame is as long as its first byte says, and 5 ticks end it."""
    reader = wire.Reader()
    for b in program:
        got = reader.feed(b)
        assert got in (wire.QUIET, wire.FRAME, wire.NOISE)
        if got == wire.FRAME:
            assert wire.is_command(reader.op) or wire.is_reply(reader.op)
            assert 0 <= reader.size <= 255 and not reader.within
        assert 0 <= reader.sign < 1 << 24
    for _ in range(wire.GAP_TICKS + 1):
        reader.tick()
    assert not reader.within
