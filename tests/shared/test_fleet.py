"""What a fleet is, and which parameters of the protocol are valid."""

from placement import along_wall

from seabattle import fleet
from seabattle.fleet import Fleet, check


def test_fleets():
    f = Fleet()
    for setting, size, lengths, wall_max in (
        (lambda: None, (10, 10), [4, 3, 3, 2, 2, 2, 1, 1, 1, 1], 10),
        (lambda: f.protocol(9, 1, 0, 2, 3), (9, 9), [4, 2, 2, 1, 1, 1], 3),
        (lambda: f.protocol(10, 1, 0, 0, 10), (10, 10), [4] + [1] * 10, 5),
        (lambda: f.protocol(6, 0, 0, 0, 1), (6, 6), [1], 0),
        (lambda: f.classic(), (10, 10), [4, 3, 3, 2, 2, 2, 1, 1, 1, 1], 10),
        (lambda: f.custom(15, 12, 1, 1, 2, 3, 4, False, False), (15, 12), [5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1], 11),
        (lambda: f.custom(15, 12, 1, 1, 2, 3, 4, True, False), (15, 12), [5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1], 5),
    ):
        setting()
        assert (f.width, f.height) == size and f.decks == sum(lengths)
        assert [f.length(i) for i in range(f.ships)] == lengths and f.length(f.ships) == 0
        assert f.wall_max == wall_max and bool(f.walls) == (wall_max < f.ships)


def test_the_reading_is_the_strict_one_where_none_is_named():
    # A ship with only its end at a wall counts by the strict reading alone.
    f = Fleet()
    for setting, counts in (
        (lambda: None, True),
        (lambda: f.protocol(8, 1, 2, 3, 4), True),
        (lambda: f.protocol(8, 1, 2, 3, 4, True), False),
        (lambda: f.classic(), True),
    ):
        setting()
        assert bool(f.on_wall(0, 3, 2, 0)) == counts


def test_each_number_out_of_its_range_is_named():
    good = (10, 1, 2, 3, 4)
    wrong = (
        (0, (5, 11, 0, -6, 255), fleet.BAD_SIZE),
        (1, (2, -1, 255), fleet.BAD_FOUR),
        (2, (3, -1, 255), fleet.BAD_THREE),
        (3, (6, -1, 255), fleet.BAD_TWO),
        (4, (0, 11, -1, 255), fleet.BAD_ONE),
    )
    for valid in [good, (10, 1, 2, 5, 10)] + [(size, 0, 0, 0, 1) for size in range(6, 11)]:
        assert check(*valid) == fleet.OK
    for index, values, code in wrong:
        for value in values:
            numbers = list(good)
            numbers[index] = value
            assert check(*numbers) == code, numbers
            assert check(*numbers, True) == code, numbers


def test_a_fleet_without_room_is_refused_and_what_the_strict_reading_allows_the_lenient_one_does():
    for numbers, strict, lenient in (
        ((6, 1, 2, 5, 10), fleet.NO_ROOM, fleet.NO_ROOM),  # 36 cells; the 18 ships alone have 34 decks
        # Away from the edge there are 4x4 cells, room for four; so at least five of nine are on the edge, four may be.
        ((6, 0, 0, 0, 9), fleet.NO_ROOM, fleet.NO_ROOM),
        ((7, 0, 0, 0, 9), fleet.OK, fleet.OK),
    ):
        assert (check(*numbers), check(*numbers, True)) == (strict, lenient)
    refused = only_lenient = 0
    counts = [(n4, n3, n2, n1) for n4 in range(2) for n3 in range(3) for n2 in range(6) for n1 in range(1, 11)]
    for size in range(6, 11):
        for n4, n3, n2, n1 in counts:
            strict = check(size, n4, n3, n2, n1)
            lenient = check(size, n4, n3, n2, n1, True)
            assert lenient == fleet.OK or strict != fleet.OK
            only_lenient += lenient != strict
            # With its share of the water a ship takes up a rectangle 2 high and 1 longer than itself, on a field
            # larger by 1.
            if 2 * (5 * n4 + 4 * n3 + 3 * n2 + 2 * n1) > (size + 1) * (size + 1):
                assert strict == lenient == fleet.NO_ROOM
                refused += 1
    assert refused > 100 and only_lenient > 0


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
