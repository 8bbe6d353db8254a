"""The table of parameters that can be placed, checked against a second exact method and against real placements.

The generator asks a constraint solver; here a profile is carried over the field cell by cell, for all fleets at once.
A profile is one row of cells: those of the current row up to some column and those of the row above from there on.
For each reachable profile the fleets placed so far are kept, with the number of their ships along a wall.
Filling a field that already has ships is checked against exhaustive search.
"""

from __future__ import annotations

import itertools
from functools import cache

import pytest

from seabattle import fleet
from seabattle.field import Field
from seabattle.fleet import Fleet, check
from seabattle.rng import Rng
from tests.shared.placement import WORST, along_wall, faults, ships_of
from tests.sizes import proof

SIZES = range(6, 11)
MOST = {4: 1, 3: 2, 2: 5, 1: 10}  # ships of each length
FLEETS = list(itertools.product(range(2), range(3), range(6), range(1, 11)))
SETS = list(itertools.product(SIZES, FLEETS))

# A set of fleets is a number; its bit walls + sum of count * STRIDE is a fleet with this many ships along a wall.
WALLS = 1 + sum(MOST.values()) // 2
STRIDE = {1: WALLS, 2: WALLS * 11, 3: WALLS * 11 * 6, 4: WALLS * 11 * 6 * 3}
STATES = STRIDE[4] * 2

STEPS_ALLOWED = 1_700  # of filling: 20 ms on the 32-bit interpreter of the tests


def room_for_one_more(length: int) -> int:
    """Return the bits of all fleets that may still get a ship of this length."""
    return sum(1 << i for i in range(STATES) if i // STRIDE[length] % (MOST[length] + 1) < MOST[length])


ROOM = {length: room_for_one_more(length) for length in MOST}
WALL_ROOM = sum(1 << i for i in range(STATES) if i % WALLS < WALLS - 1)


def counts(x: int, y: int, length: int, vertical: bool, size: int, lenient: bool) -> bool:
    edge = (0, size - 1)
    if lenient:
        return (x if vertical else y) in edge or (length == 1 and (x in edge or y in edge))
    across, down = (0, length - 1) if vertical else (length - 1, 0)
    return x == 0 or y == 0 or x + across == size - 1 or y + down == size - 1


def with_ship(fleets: int, length: int, on_wall: bool) -> int:
    fleets = (fleets & ROOM[length]) << STRIDE[length]
    return (fleets & WALL_ROOM) << 1 if on_wall else fleets


@cache
def placeable(size: int, lenient: bool) -> frozenset[tuple[int, int, int, int]]:
    """Return all fleets that have a legal placement on a square field of this size.

    A profile is a tuple of one number a cell: 0 water, n a deck with n - 1 more below it. It also records whether the
    cell above and to the left of the next one is a deck; that cell has just dropped out of the row.
    """
    reached: dict[tuple[tuple[int, ...], bool], int] = {((0,) * size, False): 1}
    for y in range(size):
        waiting: list[dict[tuple[tuple[int, ...], bool], int]] = [{} for _ in range(size + 1)]
        waiting[0] = reached

        def reach(x: int, cells: list[int], corner: bool, fleets: int, waiting: list = waiting) -> None:
            if fleets:
                key = tuple(cells), corner
                waiting[x][key] = waiting[x].get(key, 0) | fleets

        for x in range(size):
            for (profile, corner), fleets in waiting[x].items():
                above = profile[x]
                right = profile[x + 1] if x + 1 < size else 0
                cells = list(profile)
                after = min(x + 2, size)  # a ship's right neighbour is water
                if above > 1:
                    cells[x] = above - 1
                    reach(after, cells, False, fleets)
                    continue
                cells[x] = 0
                reach(x + 1, cells, above > 0 and x + 1 < size, fleets)
                if above or corner or right:
                    continue
                for length in MOST:
                    if y + length <= size:
                        cells[x] = length
                        new = with_ship(fleets, length, counts(x, y, length, True, size, lenient))
                        reach(after, cells, False, new)
                for length in MOST:
                    if length > 1 and x + length <= size and not any(profile[x : x + length + 1]):
                        flat = list(profile)
                        flat[x : x + length] = [1] * length
                        new = with_ship(fleets, length, counts(x, y, length, False, size, lenient))
                        reach(min(x + length + 1, size), flat, False, new)
        reached = waiting[size]
    possible = 0
    for fleets in reached.values():
        possible |= fleets
    found = set()
    for n4, n3, n2, n1 in FLEETS:
        first = n4 * STRIDE[4] + n3 * STRIDE[3] + n2 * STRIDE[2] + n1 * STRIDE[1]
        walls = (n4 + n3 + n2 + n1) // 2
        if possible >> first & ((1 << walls + 1) - 1):
            found.add((n4, n3, n2, n1))
    return frozenset(found)


@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
def test_the_method_agrees_with_trying_everything_on_small_fields(lenient: bool) -> None:
    field, ships = Field(), Fleet()
    for size in (3, 4):
        for counted in itertools.product(range(2), range(2), range(3), range(1, 4)):
            ships.custom(size, size, 0, *counted, True, lenient)
            field.reset(ships)
            assert (counted in placeable(size, lenient)) == can_be_completed(field), (size, counted)


@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
@pytest.mark.parametrize("size", SIZES)
def test_check_knows_exactly_the_fleets_that_can_be_placed(size: int, lenient: bool) -> None:
    # Where the table says yes to all of them, the placements found below are proof enough.
    if all(check(size, *counted, lenient) == fleet.OK for counted in FLEETS):
        return
    found = placeable(size, lenient)
    for counted in FLEETS:
        want = fleet.OK if counted in found else fleet.NO_ROOM
        assert check(size, *counted, lenient) == want, (size, counted, lenient)


def test_there_are_1800_parameter_sets_and_some_of_them_cannot_be_placed() -> None:
    good = [numbers for numbers in SETS if check(numbers[0], *numbers[1]) == fleet.OK]
    assert len(SETS) == 1800
    assert 0 < len(good) < len(SETS)


@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
@pytest.mark.parametrize("size", SIZES)
def test_wherever_a_placement_exists_filling_at_random_finds_one_soon(size: int, lenient: bool) -> None:
    field, ships, rng = Field(), Fleet(), Rng(size)
    most = 0
    for counted in FLEETS:
        if check(size, *counted, lenient) != fleet.OK:
            continue
        ships.protocol(size, *counted, lenient)
        field.reset(ships)
        only_lenient = check(size, *counted) != fleet.OK
        for _ in range(proof(2, 4) if only_lenient else proof(1, 2)):
            field.clear()
            field.fill_start(rng)
            steps = 1
            while (done := field.fill_step()) < 0:
                steps += 1
                assert steps < STEPS_ALLOWED, (size, counted, lenient)
            assert done == 1, (size, counted, lenient)
            assert faults(field) == [], (size, counted, lenient)
            most = max(most, steps)
    print(f"at most {most} steps")


def test_the_fleets_that_take_the_most_work_are_placed_soon_from_any_seed() -> None:
    field, ships = Field(), Fleet()
    for size, *counted, lenient in WORST:
        ships.protocol(size, *counted, lenient)
        field.reset(ships)
        for seed in range(proof(30, 1000)):
            field.clear()
            field.fill_start(Rng(seed))
            assert any(field.fill_step() >= 0 for _ in range(STEPS_ALLOWED)), (size, counted, lenient, seed)
            assert faults(field) == []


@pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])
@pytest.mark.parametrize("size", SIZES)
def test_where_none_exists_filling_at_random_says_so(size: int, lenient: bool) -> None:
    field, ships, rng = Field(), Fleet(), Rng(size)
    # Not each of them: they need the whole search.
    for counted in [c for c in FLEETS if check(size, *c, lenient) != fleet.OK][:: proof(21, 7)]:
        ships.protocol(size, *counted, lenient)
        field.reset(ships)
        assert not field.fill(rng), (size, counted, lenient)
        assert field.placed == 0


SHAPES = [(4, 4), (5, 5), (6, 6), (4, 7), (7, 3), (2, 6), (1, 7)]


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
