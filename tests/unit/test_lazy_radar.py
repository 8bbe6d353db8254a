"""The sniffer's radar says the same as the boards' one, of honest players and of liars."""

from __future__ import annotations

import random

import pytest

from seabattle.field import Field
from seabattle.field_codes import HIT, MISS, SUNK
from seabattle.fleet import Fleet
from seabattle.radar import Radar
from seabattle.radar_state import NO_CELL
from seabattle.rng import Rng
from seabattle_host.sniff.lazy_radar import LazyRadar


def named(radar: Radar) -> tuple[int, int]:
    return radar.against, radar.against_result if radar.against != NO_CELL else 0


def field(lots: random.Random) -> tuple[Fleet, Field]:
    """Return any fleet of the protocol, in a field."""
    while True:
        fleet, sea = Fleet(), Field(100)
        usual = (10, 1, 2, 3, 4)
        numbers = usual if lots.random() < 0.5 else (lots.randrange(6, 11), *(lots.randrange(5) for _ in range(4)))
        fleet.protocol(*numbers, True)
        sea.reset(fleet)
        if fleet.decks and sea.random(Rng(lots.randrange(1 << 30))):
            return fleet, sea


def test_both_find_that_a_denied_ship_has_no_place_away_from_the_walls():
    lots = random.Random(1)
    lazy = LazyRadar()
    false = 0
    for _ in range(150):
        fleet, sea = field(lots)
        exact = Radar(100)
        exact.reset(fleet)
        lazy.reset(fleet)
        last = fleet.width - 1
        cells = list(range(fleet.width * fleet.height))
        lots.shuffle(cells)
        # the ships along the walls first, and then nothing is admitted any more
        cells.sort(key=lambda cell: not sea.ship[cell] or {0, last}.isdisjoint(divmod(cell, last + 1)))
        for cell in cells:
            result = MISS if exact.walls >= fleet.wall_max else sea.shoot(cell)
            why = exact.answer(cell, result)
            assert lazy.answer(cell, result) == why
            if why:
                false += 1
                break
    assert false


@pytest.mark.parametrize("lies", [0, 0.01, 0.2])
@pytest.mark.parametrize("aim", ["anywhere", "at ships", "twice"])
def test_both_radars_say_the_same(lies: float, aim: str) -> None:
    lots = random.Random(f"{lies} {aim}")
    lazy = LazyRadar()
    false = 0
    for _ in range(60):
        fleet, sea = field(lots)
        exact = Radar(100)
        exact.reset(fleet)
        lazy.reset(fleet)
        cells = list(range(fleet.width * fleet.height))
        lots.shuffle(cells)
        if aim == "at ships":
            cells.sort(key=lambda cell: (not sea.ship[cell]) * lots.random() + lots.random())
        for cell in cells * (1 + (aim == "twice")):
            result = sea.shoot(cell)
            if sea.lost() and result == SUNK and lots.random() < 0.5:
                result = HIT  # as real programs say of the last deck
            if lots.random() < lies:
                result = lots.randrange(4)
            why = exact.answer(cell, result)
            assert lazy.answer(cell, result) == why
            if lots.random() < 0.01:
                assert lazy.cell[: len(cells)] == exact.cell[: len(cells)]
            if why:
                assert named(lazy) == named(exact)
                false += 1
            if why or sea.lost():
                break
    assert bool(false) == bool(lies)
