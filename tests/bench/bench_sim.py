"""Simulated games: how many a second one core plays, link against link, classic fleet on 10x10.

Processor time, so other work on the machine does not count.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from seabattle_host.player.parameters import LEVELS, Parameters
from seabattle_host.simulation import sim
from tests.bench import Figure

SECONDS = 3.0


def figures(quick: bool = False) -> Iterator[Figure]:
    seconds = 0.05 if quick else SECONDS
    for name, level in LEVELS.items():
        spec = sim.Spec(Parameters(), (level, level), 1)
        sim.play_chunk(spec, 0, 1)  # one-time costs of the first game
        games = 0
        wire_seconds = 0.0
        began = time.process_time()
        while (spent := time.process_time() - began) < seconds:
            for game in sim.play_chunk(spec, games, games + 5):
                wire_seconds += game.ticks * 65536 / 1193182
                games += 1
        yield Figure(f"sim, {name} against {name}", games / spent, "games/s", f"{games} games")
        yield Figure(f"sim, {name}: faster than the wire", wire_seconds / spent, "times")
