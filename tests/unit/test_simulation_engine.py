"""Simulated time: bytes at line rate, ticks of two clocks, and whole games in it."""

from __future__ import annotations

import pytest

from seabattle import gunner, wire
from seabattle import link as links
from seabattle.bot import Bot
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.player.parameters import Parameters
from seabattle_host.simulation import sim
from seabattle_host.simulation.engine import BYTE_US, NEVER, Channel, Endpoint, Simulation, Sound

TICK_US = 65536 * 10**6 / 1193182
SMALL = Parameters(6, 0, 0, 1, 2)


def endpoint(role: int, phase: int = 0, rate: float = 1.0) -> Endpoint:
    """An endpoint that nobody plays."""
    rng = Rng(1)
    return Endpoint(Player(Link(role, rng), rng), None, phase, rate)


class Heard:
    """Remembers every byte with its time."""

    def __init__(self) -> None:
        self.simulation: Simulation | None = None
        self.bytes: list[tuple[int, int, int]] = []
        self.ticks = 0

    def feed(self, side: int, byte: int) -> None:
        assert self.simulation is not None
        self.bytes.append((self.simulation.now, side, byte))

    def tick(self) -> None:
        self.ticks += 1


@pytest.mark.parametrize("channel", [Channel, Sound])
def test_bytes_follow_each_other_at_line_rate(channel: type[Channel]):
    line = channel()
    assert line.next == NEVER
    for byte in b"\xc0\x01\x02":
        line.send(100, byte)
    arrivals = []
    while line.next != NEVER:
        at = line.next
        arrivals.append((at, line.take()))
    assert arrivals == [(100 + BYTE_US, 0xC0), (100 + 2 * BYTE_US, 1), (100 + 3 * BYTE_US, 2)]
    line.send(50_000, 0xAA)
    assert line.next == 50_000 + BYTE_US
    assert line.sent == 4


def test_clocks_tick_at_their_own_rate_and_phase():
    slow, fast = endpoint(wire.SLAVE, phase=1000), endpoint(wire.SLAVE, rate=1.05)
    Simulation((slow, fast)).run(round(1000 * TICK_US))
    assert slow.ticks == 1000
    assert fast.ticks == pytest.approx(1050, abs=2)


class Cuttable(Channel):
    """A line that can be cut."""

    whole = True

    def damage(self, byte: int) -> tuple[int, ...]:
        return (byte,) if self.whole else ()


def test_a_pulled_cable_ends_in_timeouts_on_both_sides():
    simulation = sim.make_simulation(sim.Spec(SMALL, (1, 1), 7), 0)
    lines = simulation.channels = (Cuttable(), Cuttable())
    assert simulation.run(10**6, stop=lambda: simulation.endpoints[0].link.state == 4)
    for line in lines:
        line.whole = False
    assert not simulation.run(simulation.now + 10**7)
    for side in simulation.endpoints:
        assert {code for code, _a, _b in side.trouble} == {links.EV_TIMEOUT}
        side.link.key()
        assert side.link.state == 0


def test_a_world_stops_when_both_know_the_end():
    simulation = sim.make_simulation(sim.Spec(SMALL, (1, 1), 1), 3)
    assert simulation.run(60 * 10**6)
    one, two = simulation.endpoints
    assert {one.result, two.result} == {links.WE_WON, links.WE_LOST}
    assert one.how == two.how == links.BY_SHOTS
    assert one.link.its_losses == two.link.my_losses
    assert two.link.its_losses == one.link.my_losses
    assert one.link.winner == two.link.winner


@pytest.mark.parametrize("parameters", [SMALL, Parameters()])
def test_what_is_passed_over_is_not_heard(parameters: Parameters):
    class Restless(Endpoint):
        """Acts at every tick, whether anything came of it or not; its bot aims step by step."""

        def rests(self) -> bool:
            return False

    def heard(kind: type[Endpoint], index: int) -> tuple[list[tuple[int, int, int]], int]:
        ear = Heard()
        ear.simulation = sim.make_simulation(sim.Spec(parameters, (gunner.HUNT, gunner.RANDOM), 5), index, ear)
        for each in ear.simulation.endpoints:
            each.__class__ = kind
            if kind is Restless:
                each.bot.__class__ = Bot
        assert ear.simulation.run(10**10)
        return ear.bytes, ear.ticks

    for index in range(5):
        assert heard(Endpoint, index) == heard(Restless, index)
