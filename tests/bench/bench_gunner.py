"""Aiming: mean shots to sink a random classic fleet on 10x10.

Fields are placed at random from long to short, the same ones for every level. Times are of the processor.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterator

from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.gunner import Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng
from seabattle_host import options
from tests.bench import Figure

GAMES = 2000


def shots(level: int, games: int, first_seed: int = 1) -> tuple[list[int], float]:
    """Shots of each game, and the seconds that aiming took in all."""
    fleet = Fleet()
    field = Field()
    radar = Radar()
    lots = Rng(first_seed)
    gunner = Gunner(radar, Rng(first_seed + 1), level)
    found = []
    seconds = 0.0
    for _ in range(games):
        field.reset(fleet)
        field.random(lots)
        radar.reset(fleet)
        count = 0
        while not field.lost():
            began = time.process_time()
            cell = gunner.aim()
            seconds += time.process_time() - began
            if radar.answer(cell, field.shoot(cell)):
                raise AssertionError("an honest field was accused")
            count += 1
        found.append(count)
    return found, seconds


def figures() -> Iterator[Figure]:
    taken: dict[str, list[int]] = {}
    for name, level in options.LEVELS.items():
        taken[name], seconds = shots(level, GAMES)
        error = statistics.stdev(taken[name]) / GAMES**0.5
        yield Figure(f"{name}: shots", statistics.fmean(taken[name]), "a game", f"± {error:.2g}; {GAMES} games")
        yield Figure(f"{name}: an aim", 1e6 * seconds / sum(taken[name]), "µs")
    names = list(taken)
    for worse, better in itertools.pairwise(names):
        gain = [a - b for a, b in zip(taken[worse], taken[better], strict=True)]
        error = statistics.stdev(gain) / GAMES**0.5
        yield Figure(f"{better} saves against {worse}", statistics.fmean(gain), "shots a game", f"± {error:.2g}")
