"""Shared by the commands of this folder: many cases of each kind, counted in a table."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

Play = Callable[[int, int, int], Mapping[str, int]]
"""Plays the case of a kind, an index and a seed, and returns what to count; the same numbers give the same case."""


def _numbered(play: Play, case: tuple[int, int, int]) -> tuple[int, int, Mapping[str, int]]:
    return case[0], case[1], play(*case)


def table(about: str, kinds: Sequence[str], play: Play, columns: Sequence[str], bad: Sequence[str], cases: int) -> int:
    """Play as many cases as the arguments say, evenly over the kinds, and print the counts; return 1 if any was bad."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds whose name begins so")
    args = parser.parse_args()
    chosen = [i for i, name in enumerate(kinds) if name.startswith(args.only)]
    work = ((chosen[n % len(chosen)], n // len(chosen), args.seed) for n in range(args.cases))
    counts: dict[int, Counter[str]] = {kind: Counter(cases=0) for kind in chosen}
    with multiprocessing.Pool(args.jobs) as pool:
        for kind, index, found in pool.imap_unordered(partial(_numbered, play), work, chunksize=20):
            counts[kind].update({"cases": 1, **found})
            for what in bad:
                if found.get(what):
                    print(f"{what}: {kinds[kind]}, case {index}, seed {args.seed}", file=sys.stderr)
    columns = ["cases", *columns]
    print(f"{'':28}" + "".join(f"{column:>13}" for column in columns))
    for kind, count in counts.items():
        print(f"{kinds[kind]:28}" + "".join(f"{count[column]:>13}" for column in columns))
    return int(any(count[what] for count in counts.values() for what in bad))
