"""Filling a field that has ships on it already, held against trying everything."""

from __future__ import annotations

import itertools

import pytest

from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.rng import Rng
from tests.shared.placement import along_wall, faults, ships_of
from tests.sizes import proof

SHAPES = [(4, 4), (5, 5), (6, 6), (4, 7), (7, 3), (2, 6), (1, 7)]


def can_be_completed(field: Field) -> bool:
    """Whether the ships that are left have any legal placement beside those that stand."""
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


def test_more_ships_than_any_field_of_that_size_could_hold() -> None:
    fleet, field = Fleet(), Field(6)
    fleet.custom(2, 3, 0, 0, 0, 0, 255, False, False)
    field.reset(fleet)
    assert not field.fill(Rng(1))
    assert ships_of(field) == []
