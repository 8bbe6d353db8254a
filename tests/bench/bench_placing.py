"""Placing a fleet at random, from an empty field, on each interpreter.

A piece is one call of Field.fill_step(); a board makes one in each turn of its loop. The last cases are those that take
the most work of all parameters that exist, found by going through all of them. Each field counts with the least of five
runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench import Figure, everywhere
from tests.shared.placement import WORST

CASES = {
    "classic fleet": "classic()",
    "10x10, largest fleet of the protocol": "protocol(10, 1, 2, 5, 10)",
} | {
    f"{size}x{size} with {', '.join(map(str, ships))}{', lenient' * lenient}": f"protocol{(size, *ships, lenient)}"
    for size, *ships, lenient in WORST
}
FIELDS = 100
RUNS = 5

SCRIPT = """\
from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.rng import Rng

fleet, field = Fleet(), Field()
for name in {cases}:
    eval("fleet." + name)
    field.reset(fleet)
    total = worst = pieces = 0
    for seed in range({fields}):
        took = 1 << 29
        # the least of some runs is what it takes when no other program is in the way
        for _ in range({runs}):
            field.clear()
            field.fill_start(Rng(seed))
            began = now()
            n = 1
            while field.fill_step() < 0:
                n += 1
            took = min(took, since(began))
            assert field.complete()
        total += took
        worst = max(worst, took)
        pieces = max(pieces, n)
    print(total // {fields}, worst, pieces)
"""


def figures(quick: bool = False) -> Iterator[Figure]:
    fields, runs = (1, 1) if quick else (FIELDS, RUNS)
    for interpreter, output in everywhere(SCRIPT.format(cases=list(CASES.values()), fields=fields, runs=runs)):
        for case, line in zip(CASES, output.splitlines(), strict=True):
            mean, worst, pieces = map(int, line.split())
            note = f"{interpreter}; at most {worst / 1000:.4g} ms, {pieces:,} pieces"
            yield Figure(case, mean / 1000, "ms", note)
