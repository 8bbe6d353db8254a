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


def test_a_world_stops_when_both_know_the_end():
    simulation = sim.make_simulation(sim.Spec(SMALL, (1, 1), 1), 3)
    assert simulation.run(60 * 10**6)
    one, two = simulation.endpoints
    assert {one.result, two.result} == {links.WE_WON, links.WE_LOST}
    assert one.how == two.how == links.BY_SHOTS
    assert one.link.its_losses == two.link.my_losses
    assert two.link.its_losses == one.link.my_losses
    assert one.link.winner == two.link.winner


GAMES = proof(125, 1_000)
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


def play(index: int) -> tuple[Simulation, Watcher, Parameters]:
    """Play game `index` to its end."""
    rng = Rng(sim.derive_seed(SEED, index, 2))
    parameters = random_parameters(rng)
    watcher = Watcher()
    endpoints = [
        sim.make_endpoint(role, parameters, 1 + rng.below(len(LEVELS)), sim.derive_seed(SEED, index, role))
        for role in (wire.MASTER, wire.SLAVE)
    ]
    for endpoint in endpoints:
        if rng.below(2):
            endpoint.link.nick(b"somebody", 8)
    simulation = Simulation((endpoints[0], endpoints[1]), listener=watcher)
    simulation.run(600 * 10**6)
    return simulation, watcher, parameters


def decks_hit(endpoint: Endpoint) -> int:
    """Count the decks of this endpoint's field that were hit, from the field itself."""
    field = endpoint.player.field
    return sum(field.is_hit(cell) for cell in range(endpoint.player.fleet.width * endpoint.player.fleet.height))


def faults(simulation: Simulation, watcher: Watcher) -> list[str]:
    """Return everything that is wrong after a game."""
    master, slave = simulation.endpoints
    found = list(watcher.complaints)
    if not simulation.over:
        return [*found, "not over"]
    if master.trouble or slave.trouble:
        found.append(f"trouble {master.trouble} {slave.trouble}")
    if {master.result, slave.result} != {links.WE_WON, links.WE_LOST}:
        found.append(f"results {master.result} and {slave.result}")
    if master.how != links.BY_SHOTS or slave.how != links.BY_SHOTS:
        found.append("not by shots")
    for mine, other in ((master, slave), (slave, master)):
        lost = decks_hit(other)
        counts = {lost, other.link.my_losses, mine.link.its_losses, mine.player.radar.hits}
        if len(counts) != 1:
            found.append(f"losses {counts}")
        won = lost == other.player.fleet.decks
        if won != (mine.result == links.WE_WON):
            found.append("the winner has not sunk the whole fleet")
    if watcher.watch.winner != (0 if master.result == links.WE_WON else 1):
        found.append("the watcher saw another winner")
    if watcher.frames < 2 * (master.player.my_shots + slave.player.my_shots):
        found.append("the watcher missed frames")
    return found


def test_both_sides_of_random_games_agree_and_a_watcher_finds_nothing_wrong():
    sizes = set()
    won_by_master = 0
    for index in range(GAMES):
        simulation, watcher, parameters = play(index)
        assert faults(simulation, watcher) == [], f"game {index} ({parameters})"
        sizes.add(parameters.size)
        won_by_master += simulation.endpoints[0].result == links.WE_WON
    assert sizes == set(range(wire.SIZE_MIN, wire.SIZE_MAX + 1))
    # moving first is an advantage, but not a decisive one; fewer games cannot show it
    assert GAMES < 1_000 or 0.5 < won_by_master / GAMES < 0.7


def test_the_comparison_notices_a_side_that_miscounts():
    simulation, watcher, _parameters = play(0)
    assert faults(simulation, watcher) == []
    simulation.endpoints[0].player.radar.hits -= 1
    assert any("losses" in fault for fault in faults(simulation, watcher))


def test_the_comparison_notices_what_the_watcher_sees():
    simulation, watcher, _parameters = play(1)
    watcher.feed(1, wire.SHOT)
    watcher.feed(1, 1)
    watcher.feed(1, 1)
    assert any("verdict" in fault for fault in faults(simulation, watcher))
