"""Simulated time: bytes at line rate, ticks of two clocks, and whole random games that all sides see alike."""

from __future__ import annotations

import pytest

from seabattle import fleet, watch, wire
from seabattle import link as links
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.player.parameters import LEVELS, Parameters
from seabattle_host.simulation import sim
from seabattle_host.simulation.engine import BYTE_US, NEVER, Channel, Endpoint, Simulation, Sound
from tests.sizes import proof

TICK_US = 65536 * 10**6 / 1193182
SMALL = Parameters(6, 0, 0, 1, 2)


def endpoint(role: int, phase: int = 0, rate: float = 1.0) -> Endpoint:
    """Return an endpoint without a player."""
    rng = Rng(1)
    return Endpoint(Player(Link(role, rng), rng), None, phase, rate)


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


GAMES = proof(80, 1_000)
SEED = 20_101_115


class Watcher:
    """Feeds a Watch, and collects its findings."""

    def __init__(self) -> None:
        self.watch = watch.Watch()
        self.frames = 0
        self.complaints: list[str] = []

    def feed(self, side: int, byte: int) -> None:
        self.watch.feed(side, byte)
        if not self.watch.reader[side].within:
            self._take()

    def tick(self) -> None:
        self.watch.tick()
        self._take()

    def _take(self) -> None:
        seen = self.watch
        while seen.take():
            self.frames += seen.kind == watch.FRAME
            if seen.verdict != watch.OK:
                self.complaints.append(f"side {seen.side}, {seen.op:02X}: verdict {seen.verdict}, reason {seen.reason}")


def random_parameters(rng: Rng) -> Parameters:
    """Return any parameters that a master may offer."""
    while True:
        counts = (rng.below(2), rng.below(3), rng.below(6), 1 + rng.below(10))
        size = wire.SIZE_MIN + rng.below(wire.SIZE_MAX - wire.SIZE_MIN + 1)
        if fleet.check(size, *counts) == fleet.OK:
            return Parameters(size, *counts)


def test_both_sides_of_random_games_agree_and_a_watcher_finds_nothing_wrong():
    sizes = set()
    won_by_master = 0
    for index in range(GAMES):
        rng = Rng(sim.derive_seed(SEED, index, 2))
        parameters = random_parameters(rng)
        sizes.add(parameters.size)
        master, slave = (
            sim.make_endpoint(role, parameters, 1 + rng.below(len(LEVELS)), sim.derive_seed(SEED, index, role))
            for role in (wire.MASTER, wire.SLAVE)
        )
        for endpoint in (master, slave):
            if rng.below(2):
                endpoint.link.nick(b"somebody", 8)
        watcher = Watcher()
        simulation = Simulation((master, slave), listener=watcher)
        simulation.run(600 * 10**6)
        assert simulation.over and not (watcher.complaints or master.trouble or slave.trouble), parameters
        assert {master.result, slave.result} == {links.WE_WON, links.WE_LOST} and master.how == slave.how
        for mine, other in ((master, slave), (slave, master)):
            field = other.player.field
            lost = sum(field.is_hit(cell) for cell in range(field.width * field.height))
            counts = other.link.my_losses, mine.link.its_losses, mine.player.radar.hits
            assert set(counts) == {lost}, parameters
            assert (lost == other.player.fleet.decks) == (mine.result == links.WE_WON), parameters
        assert watcher.watch.winner == (master.result != links.WE_WON)
        assert watcher.frames >= 2 * (master.player.my_shots + slave.player.my_shots)
        won_by_master += master.result == links.WE_WON
    assert sizes == set(range(wire.SIZE_MIN, wire.SIZE_MAX + 1))
    # moving first is an advantage, but not a decisive one; fewer games cannot show it
    assert GAMES < 1_000 or 0.5 < won_by_master / GAMES < 0.7
