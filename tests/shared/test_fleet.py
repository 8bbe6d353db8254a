"""What a fleet is, and which parameters of the protocol are good."""

from placement import along_wall, heap_lock, heap_unlock

from seabattle import fleet
from seabattle.fleet import Fleet, check


def lengths(f):
    return [f.length(i) for i in range(f.ships)]


def test_the_classic_fleet_is_ten_ships_on_10x10():
    f = Fleet()
    f.protocol(6, 0, 0, 0, 1)
    f.classic()
    assert (f.width, f.height) == (10, 10)
    assert lengths(f) == [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]
    assert f.decks == 20
    assert not f.walls
    assert f.wall_max == f.ships


def test_a_new_fleet_is_the_classic_one():
    assert lengths(Fleet()) == [4, 3, 3, 2, 2, 2, 1, 1, 1, 1]


def test_the_reading_is_the_strict_one_where_none_is_named():
    # A ship that only ends at a wall counts by the strict reading alone.
    f = Fleet()
    assert f.on_wall(0, 3, 2, 0)
    f.protocol(8, 1, 2, 3, 4)
    assert f.on_wall(0, 3, 2, 0)
    f.protocol(8, 1, 2, 3, 4, True)
    assert not f.on_wall(0, 3, 2, 0)
    f.classic()
    assert f.on_wall(0, 3, 2, 0)


def test_ships_are_counted_from_long_to_short():
    f = Fleet()
    f.protocol(9, 1, 0, 2, 3)
    assert lengths(f) == [4, 2, 2, 1, 1, 1]
    assert f.length(f.ships) == 0
    assert (f.width, f.height) == (9, 9)
    assert f.decks == 4 + 2 * 2 + 3


def test_at_most_half_of_the_ships_rounded_down_may_be_along_a_wall():
    f = Fleet()
    for n1 in range(1, 11):
        f.protocol(10, 1, 0, 0, n1)
        assert f.walls
        assert f.wall_max == (1 + n1) // 2


def test_other_fleets_and_fields():
    f = Fleet()
    f.custom(15, 12, 1, 1, 2, 3, 4, False, False)
    assert (f.width, f.height) == (15, 12)
    assert lengths(f) == [5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1]
    assert f.decks == 25
    assert not f.walls and f.wall_max == f.ships
    f.custom(15, 12, 1, 1, 2, 3, 4, True, False)
    assert f.walls and f.wall_max == f.ships // 2


def test_each_number_out_of_its_range_is_named():
    good = (10, 1, 2, 3, 4)
    wrong = (
        (0, (5, 11, 0, -6, 255), fleet.BAD_SIZE),
        (1, (2, -1, 255), fleet.BAD_FOUR),
        (2, (3, -1, 255), fleet.BAD_THREE),
        (3, (6, -1, 255), fleet.BAD_TWO),
        (4, (0, 11, -1, 255), fleet.BAD_ONE),
    )
    assert check(*good) == fleet.OK
    for index, values, code in wrong:
        for value in values:
            numbers = list(good)
            numbers[index] = value
            assert check(*numbers) == code, numbers
            assert check(*numbers, True) == code, numbers


def test_the_ranges_reach_as_far_as_the_protocol_says():
    for size in range(6, 11):
        assert check(size, 0, 0, 0, 1) == fleet.OK
    assert check(10, 1, 2, 5, 10) == fleet.OK


def test_a_fleet_that_cannot_be_placed_is_refused():
    # 36 cells; the 18 ships alone have 34 decks.
    assert check(6, 1, 2, 5, 10) == fleet.NO_ROOM
    assert check(6, 1, 2, 5, 10, True) == fleet.NO_ROOM


def test_ships_that_need_more_than_the_field_has_are_refused():
    # With its share of the water a ship takes up a rectangle 2 high and 1 longer than itself, on a field larger by 1.
    refused = 0
    for size in range(6, 11):
        for n4 in range(2):
            for n3 in range(3):
                for n2 in range(6):
                    for n1 in range(1, 11):
                        if 2 * (5 * n4 + 4 * n3 + 3 * n2 + 2 * n1) > (size + 1) * (size + 1):
                            assert check(size, n4, n3, n2, n1) == fleet.NO_ROOM
                            assert check(size, n4, n3, n2, n1, True) == fleet.NO_ROOM
                            refused += 1
    assert refused > 100


def test_nine_one_deck_ships_fit_on_6x6_but_for_the_walls():
    # Away from the edge there are 4x4 cells, room for four; so at least five of nine are on the edge, and four may be.
    assert check(6, 0, 0, 0, 9) == fleet.NO_ROOM
    assert check(6, 0, 0, 0, 9, True) == fleet.NO_ROOM
    assert check(7, 0, 0, 0, 9) == fleet.OK


def test_what_is_legal_in_the_strict_reading_is_legal_in_the_lenient_one_and_not_the_other_way_round():
    only_lenient = 0
    for size in range(6, 11):
        for n4 in range(2):
            for n3 in range(3):
                for n2 in range(6):
                    for n1 in range(1, 11):
                        strict = check(size, n4, n3, n2, n1)
                        lenient = check(size, n4, n3, n2, n1, True)
                        assert lenient == fleet.OK or strict != fleet.OK
                        if lenient != strict:
                            only_lenient += 1
    assert only_lenient > 0


def test_a_ship_counts_as_along_a_wall_by_the_reading():
    f = Fleet()
    for lenient in (False, True):
        for width, height in ((6, 6), (7, 5)):
            f.custom(width, height, 0, 0, 0, 0, 1, True, lenient)
            for length in range(1, 5):
                for vertical in (0, 1):
                    for x in range(width if vertical else width - length + 1):
                        for y in range(height - length + 1 if vertical else height):
                            cells = [(x, y + i) if vertical else (x + i, y) for i in range(length)]
                            got = f.on_wall(x, y, length, vertical)
                            assert bool(got) == along_wall(cells, width, height, lenient), (cells, lenient)


def test_nothing_is_allocated():
    f = Fleet()
    heap_lock()
    try:
        a = check(8, 1, 2, 3, 4)
        b = check(6, 1, 2, 5, 10, True)
        c = check(6, 1, 2, 5, 255, True)
        f.protocol(8, 1, 2, 3, 4, True)
        length = f.length(9)
        wall = f.on_wall(0, 3, 4, 1)
        f.classic()
    finally:
        heap_unlock()
    assert (a, b, c) == (fleet.OK, fleet.NO_ROOM, fleet.BAD_ONE)
    assert length == 1
    assert wall
