"""Whole games over random legal parameters: both sides agree on everything, and a watcher finds nothing wrong.

The games are played link against link in simulated time.
"""

from __future__ import annotations

from seabattle import fleet, watch, wire
from seabattle import link as links
from seabattle.rng import Rng
from seabattle_host.player.parameters import LEVELS, Parameters
from seabattle_host.simulation import sim
from seabattle_host.simulation.engine import Endpoint, Simulation
from tests.sizes import proof

GAMES = proof(125, 1_000)
SEED = 20_101_115


class Watcher:
    """Feeds a Watch, and keeps what it complains about."""

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
    """Any parameters that a master may offer."""
    while True:
        counts = (rng.below(2), rng.below(3), rng.below(6), 1 + rng.below(10))
        size = wire.SIZE_MIN + rng.below(wire.SIZE_MAX - wire.SIZE_MIN + 1)
        if fleet.check(size, *counts) == fleet.OK:
            return Parameters(size, *counts)


def play(index: int) -> tuple[Simulation, Watcher, Parameters]:
    """Game `index`, to its end."""
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
    """Decks of this endpoint's field that were shot at, counted from the field itself."""
    field = endpoint.player.field
    return sum(field.is_hit(cell) for cell in range(endpoint.player.fleet.width * endpoint.player.fleet.height))


def faults(simulation: Simulation, watcher: Watcher) -> list[str]:
    """Everything that is not as it should be after a game."""
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
    # the first shot is worth something, but not everything; fewer games do not tell
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
