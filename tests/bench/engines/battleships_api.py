"""Battleships-api: its engine with the better of its two computer players on both sides."""

from __future__ import annotations

import random

from Battleships_api.Battleships import Battleships

from tests.bench.engines.serve import serve

_LEVEL = 1
"""Finishes a ship it has hit; level 0 shoots anywhere."""


def play() -> tuple[int, int]:
    game = Battleships(p1auto=True, p2auto=True, aiLevelP1=_LEVEL, aiLevelP2=_LEVEL)
    shots = 0
    while True:
        player, other = ("P1", "P2") if shots % 2 == 0 else ("P2", "P1")
        shots += 1
        if game.takeShot(player, other) in ("P1", "P2"):
            return shots, (shots + 1) // 2


if __name__ == "__main__":
    random.seed(1)
    serve(play)
