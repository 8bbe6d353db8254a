"""The table of parameters that can be placed, held against filling at random, which searches everything; and filling
against all ways on small fields.
"""

from __future__ import annotations

import itertools

import pytest

from seabattle import fleet
from seabattle.field import Field
from seabattle.fleet import Fleet, check
from seabattle.rng import Rng
from tests.shared.placement import WORST, along_wall, faults, ships_of
from tests.sizes import proof

SIZES = range(6, 11)
FLEETS = list(itertools.product(range(2), range(3), range(6), range(1, 11)))
STEPS_ALLOWED = 1_700  # of filling: 20 ms on the 32-bit interpreter of the tests


def filled_soon(field: Field, rng: Rng) -> bool:
    """Fill an empty field within the steps allowed."""
    field.clear()
    field.fill_start(rng)
    return any(field.fill_step() >= 0 for _ in range(STEPS_ALLOWED)) and faults(field) == []


@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
@pytest.mark.parametrize("size", SIZES)
def test_wherever_the_table_has_a_placement_filling_finds_one_soon_and_elsewhere_there_is_none(
    size: int, lenient: bool
) -> None:
    field, ships, rng = Field(), Fleet(), Rng(size)
    for counted in FLEETS:
        ships.protocol(size, *counted, lenient)
        field.reset(ships)
        if check(size, *counted, lenient) != fleet.OK:
            assert not field.fill(rng) and field.placed == 0, counted
            continue
        only_lenient = check(size, *counted) != fleet.OK
        for _ in range(proof(2, 4) if only_lenient else proof(1, 2)):
            assert filled_soon(field, rng), counted


def test_the_fleets_that_take_the_most_work_are_placed_soon_from_any_seed() -> None:
    field, ships = Field(), Fleet()
    for size, *counted, lenient in WORST:
        ships.protocol(size, *counted, lenient)
        field.reset(ships)
        for seed in range(proof(30, 1000)):
            assert filled_soon(field, Rng(seed)), (size, counted, lenient, seed)


SHAPES = [(4, 4), (5, 5), (6, 6), (7, 3), (2, 6), (1, 7)]


def can_be_completed(field: Field) -> bool:
    """Return whether the remaining ships have any legal placement with those already placed."""
    fleet, width, height = field.fleet, field.width, field.height
    lengths = [length for length in range(5, 0, -1) for _ in range(field.left(length))]
    grid = set(itertools.product(range(width), range(height)))

    def around(cells: list[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        return frozenset((x + dx, y + dy) for x, y in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1))

    places = {
        length: [
            (frozenset(cells), around(cells), along_wall(cells, width, height, fleet.lenient))
            for (x, y), (dx, dy) in itertools.product(sorted(grid), ((1, 0), (0, 1)))
            if length > 1 or dx
            for cells in [[(x + dx * i, y + dy * i) for i in range(length)]]
            if grid.issuperset(cells)
        ]
        for length in set(lengths)
    }

    def place(i: int, first: int, taken: frozenset[tuple[int, int]], walls: int) -> bool:
        if walls < 0:
            return False
        if i == len(lengths):
            return True
        choices = places[lengths[i]]
        for n in range(first, len(choices)):
            cells, close, on_wall = choices[n]
            if not cells & taken:
                # Ships of one length are alike: try them in one order only.
                after = n + 1 if i + 1 < len(lengths) and lengths[i + 1] == lengths[i] else 0
                if place(i + 1, after, taken | close, walls - on_wall):
                    return True
        return False

    standing = ships_of(field)
    used = sum(along_wall(cells, width, height, fleet.lenient) for cells in standing)
    taken = frozenset().union(*(around(cells) for cells in standing))
    limit = fleet.ships // 2 if fleet.walls else fleet.ships
    return place(0, 0, taken, limit - used)


@pytest.mark.parametrize("walls", ["none", "strict", "lenient"])
@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_filling_succeeds_exactly_where_there_is_a_way(width: int, height: int, walls: str) -> None:
    rng = Rng(width * 100 + height)
    fleet, field = Fleet(), Field(width * height)
    possible = impossible = 0
    for _ in range(proof(60, 150)):
        fleet.custom(
            width,
            height,
            rng.below(4) // 3,
            rng.below(2),
            rng.below(2),
            rng.below(4),
            1 + rng.below(5),
            walls != "none",
            walls == "lenient",
        )
        field.reset(fleet)
        for _ in range(rng.below(8)):
            field.place(rng.below(width), rng.below(height), 1 + rng.below(4), rng.below(2))
        if sum(field.left(length) for length in range(1, 6)) > 7:
            continue
        before = ships_of(field)
        want = can_be_completed(field)
        assert field.fill(rng) == want, (fleet.count, before)
        if want:
            possible += 1
            assert faults(field) == []
            assert all(cells in ships_of(field) for cells in before)
        else:
            impossible += 1
            assert ships_of(field) == before
    assert impossible > proof(2, 5)
    # On a field two cells wide every ship is at a wall.
    assert possible > proof(2, 5) or (min(width, height) <= 2 and walls != "none")
