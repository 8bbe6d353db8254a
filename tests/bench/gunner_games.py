"""Games of every level, shot for shot with the gunner's plain form: `python -m tests.bench.gunner_games [GAMES]`.

The tests play a few dozen; this is the long run for who changes the gunner: 1,000 games a level if nothing is said.
Exit status 1, with a traceback, at the first choice or heat that differs.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "common"), str(ROOT / "tests" / "shared")]

from gunner_pair import Pair  # noqa: E402

from seabattle.fleet import Fleet  # noqa: E402
from seabattle_host.player.parameters import LEVELS  # noqa: E402

if __name__ == "__main__":
    games = int(sys.argv[1]) if sys.argv[1:] else 1000
    pair = Pair(11)
    for name, level in LEVELS.items():
        for _ in range(games):
            pair.game(Fleet(), level)
        print(f"{name}: {games} games, shot for shot the same", flush=True)
