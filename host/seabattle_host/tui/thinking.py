"""What the computer thinks of a position: the cell it would shoot at, and how much speaks for a ship in each cell."""

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
"""How long the computer thinks at a time."""


async def aimed(game: Game, moves: int, level: int) -> tuple[Gunner, int, Position]:
    """A gunner that has aimed at the position after that many moves, the cell (-1: there is none), and the position.

    It thinks in slices between which everything else goes on; a thread of its own would take turns with the line's.
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
    """By cell 0..9, how much speaks for a ship there; 9 is the most of all."""
    cells = position.width * position.height
    heat = [gunner.heat[cell] if position.radar.can_shoot(cell) else 0 for cell in range(cells)]
    most = max(heat) or 1
    return bytearray((9 * value + most - 1) // most for value in heat)
