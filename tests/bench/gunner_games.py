"""Games of every level, shot for shot with gunners that keep nothing: `python -m tests.bench.gunner_games [GAMES]`.

The tests play a few dozen; this is the long run for who changes the gunner: 1,000 games a level if nothing is said.
Exit status 1, with a traceback, at the first choice or heat that differs.
"""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "common"), str(ROOT / "tests" / "shared")]

from gunner_pair import Pair  # noqa: E402

from seabattle.fleet import Fleet  # noqa: E402
from seabattle_host.player.parameters import LEVELS  # noqa: E402

_CHUNK = 50


def play(task: tuple[str, int, int]) -> tuple[str, int]:
    """Some games of a level; both as given."""
    name, seed, games = task
    pair = Pair(seed)
    fleet = Fleet()
    for _ in range(games):
        pair.game(fleet, LEVELS[name])
    return name, games


def main(argv: list[str]) -> int:
    games = int(argv[0]) if argv else 1000
    tasks = [
        (name, first + 11, min(_CHUNK, games - first)) for name in reversed(LEVELS) for first in range(0, games, _CHUNK)
    ]
    done = dict.fromkeys(LEVELS, 0)
    with multiprocessing.Pool() as pool:
        for name, played in pool.imap_unordered(play, tasks):
            done[name] += played
    for name, played in done.items():
        print(f"{name}: {played} games, shot for shot the same")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
