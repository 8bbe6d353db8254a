"""Placing the three fleets of a melee: 10,000 placements on each interpreter, each checked against the rules.

A try is one call of Melee.place_step(): one ship at one place. A board makes one in each turn of its loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench import Figure, everywhere

PLACEMENTS = 10_000

SCRIPT = """\
import gc
from melees import deploy, legal
from seabattle.melee import Melee
from seabattle.rng import Rng

game = Melee(Rng(1))
total = worst = tries = most = restarts = bad = 0
for number in range({placements}):
    game.start()
    began = now()
    n = deploy(game)
    took = since(began)
    total += took // 100
    worst = max(worst, took)
    tries += n
    most = max(most, n)
    restarts = max(restarts, game.restarts)
    if BITS == 64 or not number % 100:
        gc.collect()
        bad += not legal(game)
print(total * 100 // {placements}, worst, tries // {placements}, most, restarts, bad)
"""


def figures(quick: bool = False) -> Iterator[Figure]:
    placements = 20 if quick else PLACEMENTS
    for name, output in everywhere(SCRIPT.format(placements=placements)):
        mean, worst, tries, most, restarts, bad = map(int, output.split())
        if bad:
            raise RuntimeError(f"{bad} placements are not legal on {name}")
        work = f"{tries} tries on average and at most {most:,}, with at most {restarts} new beginnings"
        note = f"{name}; slowest {worst / 1000:.4g} ms; {work}"
        yield Figure("three fleets of a melee", mean / 1000, "ms", note)
