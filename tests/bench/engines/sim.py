"""`seabattle sim`: link against link, byte by byte over a simulated line."""

from __future__ import annotations

import itertools

from seabattle.gunner import HUNT
from seabattle_host.player.parameters import Parameters
from seabattle_host.simulation import sim
from tests.bench.engines.serve import serve

_SPEC = sim.Spec(Parameters(), (HUNT, HUNT), 1)
_NUMBERS = itertools.count()


def play() -> tuple[int, int]:
    game = sim.play(_SPEC, next(_NUMBERS))
    return sum(game.shots), game.shots[game.winner]


if __name__ == "__main__":
    serve(play)
