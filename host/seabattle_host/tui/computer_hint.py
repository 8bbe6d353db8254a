"""The computer's view of a position: the cell it would shoot at, and the heat of each cell."""

from __future__ import annotations

import asyncio
import secrets
import time

from seabattle.gunner import Gunner
from seabattle.rng import Rng
from seabattle_host.player.parameters import SEED_MOST
from seabattle_host.player.position import Position
from seabattle_host.records.archive import Game

_SLICE_SECONDS = 0.005
"""Time between two yields."""


async def aimed(game: Game, moves: int, level: int) -> tuple[Gunner, int, Position]:
    """Return a gunner that has aimed in the position after this many moves, the cell (-1: none), and the position.

    It thinks in slices and yields to the loop between them; a thread would compete with the line's.
    """
    position = Position(game, game.moves[:moves])
    gunner = Gunner(position.radar, Rng(secrets.randbelow(SEED_MOST)), level)
    if not any(position.radar.can_shoot(cell) for cell in range(position.width * position.height)):
        return gunner, -1, position
    gunner.aim_start()
    began = time.monotonic()
    while (cell := gunner.aim_step()) < 0:
        if time.monotonic() - began > _SLICE_SECONDS:
            await asyncio.sleep(0)
            began = time.monotonic()
    return gunner, cell, position


def heat_levels(gunner: Gunner, position: Position) -> bytearray:
    """Return the heat of each cell, 0..9: how likely a ship is there; the likeliest cell has 9."""
    cells = position.width * position.height
    heat = [gunner.heat[cell] if position.radar.can_shoot(cell) else 0 for cell in range(cells)]
    most = max(heat) or 1
    return bytearray((9 * value + most - 1) // most for value in heat)
