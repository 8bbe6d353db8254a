"""docs/library.md: the examples on the page run as they stand there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle.bot import BUSY
from seabattle.gunner import HUNT
from seabattle_host.language.words import TICK_SECONDS
from tests.command import ROOT
from tests.shared.games import Side

PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
READ = 0.005


def example(name: str) -> dict[str, Any]:
    """Run the example of that name; return what it defines."""
    found = re.search(rf"<!-- example: {name} -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    defined: dict[str, Any] = {}
    exec(compile(found[1], f"docs/library.md, {name}", "exec"), defined)
    return defined


class Opponent(Side):
    """A port with a computer at its other end, in simulated time: each read() that finds nothing takes 5 ms."""

    def __init__(self, role: int):
        super().__init__(role, 7, HUNT, (10, 1, 2, 3, 4))
        self.now = self.ticked = 0.0
        self.ticks_quiet = 0
        self.traffic: list[tuple[int, int, int]] = []  # ticks before it, side (1 is this one), byte

    def clock(self) -> float:
        return self.now

    def write(self, data: bytes) -> None:
        for byte in data:
            self._seen(0, byte)
            self.link.rx(byte)
            self._go_on()

    def read(self, most: int) -> bytes:
        got = bytearray()
        while len(got) < most and (byte := self.link.tx()) >= 0:
            self._seen(1, byte)
            got.append(byte)
        if not got:
            self.now += READ
            while self.now - self.ticked >= TICK_SECONDS:
                self.ticked += TICK_SECONDS
                self.ticks_quiet += 1
                self.link.tick()
                self._go_on()
        return bytes(got)

    def _seen(self, side: int, byte: int) -> None:
        self.traffic.append((self.ticks_quiet, side, byte))
        self.ticks_quiet = 0

    def _go_on(self) -> None:
        self.look()
        while self.bot.step() == BUSY:
            self.bot.think()


@pytest.mark.parametrize("role", [wire.MASTER, wire.SLAVE])
def test_the_example_plays_a_game_and_both_name_the_same_winner(role: int):
    port = Opponent(wire.BOTH ^ role)
    result = example("play")["play"](port, role, port.clock)
    assert (result, port.won, port.lost, port.bad) in ((links.WE_LOST, 1, 0, 0), (links.WE_WON, 0, 1, 0))
    assert list(example("watch")["violations"](port.traffic)) == []


def test_the_example_watches_a_game_and_names_a_shot_out_of_turn():
    port = Opponent(wire.SLAVE)
    example("play")["play"](port, wire.MASTER, port.clock)
    # the slave shoots first: the master's ready and the slave's are answered, and no shot was made yet
    battle = next(i for i, (_, side, byte) in enumerate(port.traffic) if (side, byte) == (0, 0x4A))
    shot = [(0, 1, wire.SHOT), (0, 1, 1), (0, 1, 1), (0, 0, wire.BROKEN)]
    found = list(example("watch")["violations"](port.traffic[: battle + 1] + shot))
    assert found == [(1, wire.SHOT, wire.R_TURN)]


def test_the_tables_name_every_order_and_what_orders_return():
    for name in ("DONE", "NOT_NOW", "NOT_YOURS", "OUT_OF_RANGE", "NO_CHAT"):
        assert f"| `{name}` ({getattr(links, name)}) |" in PAGE
    for name, what in vars(links.Link).items():
        if callable(what) and not name.startswith("_"):
            assert f"`{name}(" in PAGE, name
