"""Some games of the levels that keep votes from shot to shot, shot for shot with gunners that keep nothing.

`python -m tests.bench.gunner_games` plays a thousand of each level.
"""

from __future__ import annotations

import pytest
from gunner_pair import Pair

from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT


@pytest.mark.parametrize("level", [HUNT, DENSITY])
def test_games_are_the_same_shot_for_shot(level: int) -> None:
    pair = Pair(11)
    fleet = Fleet()
    for _ in range(30):
        pair.game(fleet, level)
