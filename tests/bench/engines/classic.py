"""The classic game of the shared package, without a line between the players. Argument: the level, hunt if none."""

from __future__ import annotations

import sys

from seabattle.classic import OVER, Classic
from seabattle.gunner import DENSITY, HUNT, Gunner
from seabattle.rng import Rng
from tests.bench.engines.serve import serve

_LEVELS = {"hunt": HUNT, "density": DENSITY}

_RNG = Rng(1)
_GAME = Classic(_RNG)
_GUNNERS = [Gunner(radar, _RNG, HUNT) for radar in _GAME.radars]


def play() -> tuple[int, int]:
    game = _GAME
    game.start()
    for player in (0, 1):
        if not game.random(player) or not game.ready(player):
            raise AssertionError("a fleet was not placed")
    while game.stage != OVER:
        if game.shoot(game.turn, _GUNNERS[game.turn].aim()) < 0:
            raise AssertionError("a shot was refused")
    return sum(game.shots), game.shots[game.winner]


if __name__ == "__main__":
    for gunner in _GUNNERS:
        gunner.level = _LEVELS[sys.argv[1] if len(sys.argv) > 1 else "hunt"]
    serve(play)
