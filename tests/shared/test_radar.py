"""The radar: it never accuses an honest field, and each kind of false answer is found."""

from lots import often
from placement import along_wall, heap_lock, heap_unlock

from seabattle import field, radar, wire
from seabattle.field import HIT, MISS, REPEAT, SUNK, Field
from seabattle.fleet import Fleet
from seabattle.radar import Radar
from seabattle.rng import Rng

CPYTHON_ONLY = ("test_accusations_agree_with_all_fields_there_are",)


def fleet(width, height, n4, n3, n2, n1, walls=False):
    made = Fleet()
    made.custom(width, height, 0, n4, n3, n2, n1, walls, True)
    return made


def watching(made):
    r = Radar(made.width * made.height)
    r.reset(made)
    return r


def told(r, *shots):
    """What the radar says to the last of the answers (x, y, result); those before have to be true."""
    for x, y, result in shots[:-1]:
        assert r.answer(y * r.width + x, result) == 0, (x, y, result)
    x, y, result = shots[-1]
    return r.answer(y * r.width + x, result)


def classic():
    return watching(Fleet())


# An honest field.


def shuffled(n, rng):
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = rng.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def play_honestly(made, games, seed, every_cell):
    """Games by a shooter that shoots cells in any order, even those known to be empty if `every_cell`."""
    rng = Rng(seed)
    sea = Field(100)
    r = Radar(100)
    cells = made.width * made.height
    for _ in range(often(games)):
        sea.reset(made)
        r.reset(made)
        assert sea.random(rng)
        for cell in shuffled(cells, rng):
            if sea.lost():
                break
            if not every_cell and not r.can_shoot(cell):
                assert sea.ship[cell] == 0 or sea.mark[cell] & field.SHOT
                continue
            result = sea.shoot(cell)
            assert r.answer(cell, result) == 0, (made.width, cell, result)
        assert r.won()
        assert r.hits == sea.hits == made.decks
        assert r.wounds == 0
        for length in range(1, 6):
            assert r.afloat(length) == sea.afloat(length) == 0
        for cell in range(cells):
            assert (r.cell[cell] == radar.SUNK) == (sea.ship[cell] != 0)


def test_an_honest_classic_field_is_never_accused():
    play_honestly(Fleet(), 60, 1, True)
    play_honestly(Fleet(), 60, 2, False)


def test_honest_fields_of_the_protocol_are_never_accused_by_either_reading():
    made = Fleet()
    for lenient in (False, True):
        for size, n4, n3, n2, n1 in (
            (6, 0, 1, 2, 2),
            (6, 0, 0, 1, 2),
            (7, 1, 1, 2, 1),
            (8, 1, 2, 3, 2),
            (10, 1, 2, 5, 6),
        ):
            made.protocol(size, n4, n3, n2, n1, lenient)
            play_honestly(made, 25, size, True)
            play_honestly(made, 25, size + n2, False)


def test_honest_fields_with_ships_of_five_decks_are_never_accused():
    made = Fleet()
    made.custom(10, 10, 1, 1, 2, 2, 2, False, False)
    play_honestly(made, 25, 3, True)
    play_honestly(made, 25, 4, False)
    made.custom(9, 7, 2, 0, 0, 1, 1, False, False)
    play_honestly(made, 40, 5, True)
    play_honestly(made, 40, 6, False)


def test_five_decks_may_be_hit_from_both_ends():
    made = Fleet()
    made.custom(10, 10, 1, 0, 0, 0, 1, False, False)
    for x, y, dx, dy in ((0, 0, 1, 0), (5, 3, 1, 0), (5, 9, 1, 0), (9, 0, 0, 1), (4, 5, 0, 1)):
        r = watching(made)
        ends = ((x, y, HIT), (x + 4 * dx, y + 4 * dy, HIT))
        between = [(x + i * dx, y + i * dy, HIT) for i in (1, 3)]
        assert told(r, *ends) == 0
        assert told(r, *between, (x + 2 * dx, y + 2 * dy, SUNK)) == 0


def test_the_shooters_own_reading_does_not_matter():
    # Placed by the lenient reading, watched with the strict one.
    placed = Fleet()
    placed.protocol(6, 0, 1, 2, 2, True)
    expected = Fleet()
    expected.protocol(6, 0, 1, 2, 2)
    rng = Rng(5)
    sea = Field(100)
    r = Radar(100)
    for _ in range(often(60)):
        sea.reset(placed)
        r.reset(expected)
        assert sea.random(rng)
        for cell in shuffled(36, rng):
            if not sea.lost():
                assert r.answer(cell, sea.shoot(cell)) == 0


def test_the_very_last_deck_may_be_called_hit():
    r = watching(fleet(6, 6, 0, 0, 1, 1))
    assert told(r, (0, 0, SUNK), (3, 3, HIT), (3, 4, HIT)) == 0
    assert r.won()


# What is known.


def test_around_a_sunk_ship_everything_is_known_to_be_empty():
    r = classic()
    assert told(r, (4, 4, HIT), (5, 4, SUNK)) == 0
    for y in range(3, 6):
        for x in range(3, 7):
            ship = y == 4 and 4 <= x <= 5
            assert r.cell[y * 10 + x] == (radar.SUNK if ship else radar.EMPTY)
            assert not r.can_shoot(y * 10 + x)
            assert r.near[y * 10 + x]
    assert r.unknown == 100 - 12
    assert r.can_shoot(2 * 10 + 4)


def test_a_miss_stays_a_miss_when_a_ship_sinks_beside_it():
    r = classic()
    assert told(r, (3, 4, MISS), (4, 4, SUNK)) == 0
    assert r.cell[43] == radar.MISS


def test_the_corners_of_a_hit_are_known_to_be_empty():
    r = classic()
    assert told(r, (4, 4, HIT)) == 0
    for x, y in ((3, 3), (5, 3), (3, 5), (5, 5)):
        assert r.cell[y * 10 + x] == radar.EMPTY
    for x, y in ((4, 3), (3, 4), (5, 4), (4, 5)):
        assert r.can_shoot(y * 10 + x)
    assert r.wounds == 1 and r.wound_x[0] == 4 and r.wound_y[0] == 4


def test_nothing_beside_a_ship_whose_direction_is_known_can_be_shot_at():
    r = classic()
    assert told(r, (4, 4, HIT), (5, 4, HIT)) == 0
    for x in range(3, 7):
        assert not r.can_shoot(30 + x) and not r.can_shoot(50 + x)
    assert r.can_shoot(43) and r.can_shoot(46)


def test_ships_along_a_wall_are_counted_by_both_readings():
    made = fleet(8, 8, 0, 0, 4, 4, True)
    r = watching(made)
    assert told(r, (0, 0, HIT), (1, 0, SUNK)) == 0
    assert (r.walls, r.walls_strict) == (1, 1)
    assert told(r, (5, 0, HIT), (5, 1, SUNK)) == 0
    assert (r.walls, r.walls_strict) == (1, 2)
    assert told(r, (7, 4, SUNK)) == 0
    assert (r.walls, r.walls_strict) == (2, 3)
    assert told(r, (3, 4, SUNK)) == 0
    assert (r.walls, r.walls_strict) == (2, 3)


def test_every_wall_counts_and_the_cells_beside_it_do_not():
    for x, y, dx, dy, along, beside in (
        (0, 3, 0, 1, 1, 1),
        (7, 3, 0, 1, 1, 1),
        (3, 0, 1, 0, 1, 1),
        (3, 7, 1, 0, 1, 1),
        (0, 3, 1, 0, 0, 1),
        (6, 3, 1, 0, 0, 1),
        (3, 0, 0, 1, 0, 1),
        (3, 6, 0, 1, 0, 1),
        (1, 3, 0, 1, 0, 0),
        (6, 3, 0, 1, 0, 0),
        (3, 1, 1, 0, 0, 0),
        (3, 6, 1, 0, 0, 0),
    ):
        r = watching(fleet(8, 8, 0, 0, 4, 4, True))
        assert told(r, (x, y, HIT), (x + dx, y + dy, SUNK)) == 0
        assert (r.walls, r.walls_strict) == (along, beside), (x, y, dx, dy)


def test_reset_forgets_everything():
    r = Radar(100)
    r.reset(Fleet())
    assert told(r, (0, 0, HIT), (1, 0, SUNK), (5, 5, HIT)) == 0
    small = fleet(6, 6, 0, 0, 1, 1)
    r.reset(small)
    assert (r.hits, r.wounds, r.unknown, r.walls, r.walls_strict) == (0, 0, 36, 0, 0)
    assert r.afloat(2) == 1 and r.afloat(4) == 0
    for cell in range(36):
        assert r.can_shoot(cell) and not r.near[cell]


# False answers.


def test_a_hit_beside_a_sunk_ship():
    assert told(classic(), (4, 4, HIT), (5, 4, SUNK), (6, 4, HIT)) == wire.R_NEAR_SUNK
    assert told(classic(), (4, 4, SUNK), (5, 5, SUNK)) == wire.R_NEAR_SUNK


def test_a_hit_at_the_corner_of_another():
    assert told(classic(), (4, 4, HIT), (5, 5, HIT)) == wire.R_CORNER
    assert told(classic(), (4, 4, HIT), (3, 5, SUNK)) == wire.R_CORNER


def test_each_cell_around_a_sunk_ship_is_known_for_what_it_is():
    for x, y in ((3, 5), (1, 1), (8, 8), (0, 4), (9, 4), (4, 0), (4, 9), (0, 0), (9, 9)):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if (dx or dy) and 0 <= x + dx < 10 and 0 <= y + dy < 10:
                    assert told(classic(), (x, y, SUNK), (x + dx, y + dy, HIT)) == wire.R_NEAR_SUNK, (x, y, dx, dy)


def test_each_corner_of_a_hit_is_known_up_to_the_walls():
    for x, y in ((1, 1), (8, 8), (1, 8), (8, 1), (5, 5), (0, 0), (9, 9), (0, 5), (5, 0)):
        for dx in (-1, 1):
            for dy in (-1, 1):
                if 0 <= x + dx < 10 and 0 <= y + dy < 10:
                    for result in (HIT, SUNK):
                        assert told(classic(), (x, y, HIT), (x + dx, y + dy, result)) == wire.R_CORNER, (x, y, dx, dy)


def test_a_hit_in_water_is_called_bent_beside_another_hit_and_a_corner_elsewhere():
    # Half of the decks of honest fields are hit; then each cell that has to be water is said to be hit, in turn.
    rng = Rng(8)
    sea = Field(100)
    r = Radar(100)
    seen = [0] * wire.REASONS
    between = 0
    for _ in range(30):
        sea.reset(Fleet())
        r.reset(sea.fleet)
        assert sea.random(rng)
        for cell in shuffled(100, rng):
            # One deck of each ship is left, so that none is sunk.
            n = sea.ship[cell]
            if n and sum([1 for c in range(100) if sea.ship[c] == n and not r.cell[c] == radar.HIT]) > 1:
                assert r.answer(cell, HIT) == 0
        for cell in range(100):
            if r.cell[cell] != radar.EMPTY:
                continue
            x = cell % 10
            y = cell // 10
            sides = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            hit = [0 <= i < 10 and 0 <= j < 10 and r.cell[j * 10 + i] == radar.HIT for i, j in sides]
            why = wire.R_BENT if any(hit) else wire.R_CORNER
            assert r.answer(cell, HIT) == why, (x, y)
            seen[why] += 1
            between += sum(hit) > 1
    assert seen[wire.R_BENT] > 50 and seen[wire.R_CORNER] > 50 and between > 0


def test_a_hit_in_water_between_two_others_is_bent():
    for dx, dy in ((1, 0), (0, 1)):
        # A deck of another ship at a corner makes the cell between them water.
        shots = ((4 - dx, 4 - dy, HIT), (4 + dx, 4 + dy, HIT), (4 - dx - dy, 4 - dy - dx, HIT))
        assert told(classic(), *shots, (4, 4, HIT)) == wire.R_BENT


def test_a_bent_ship():
    assert told(classic(), (4, 4, HIT), (5, 4, HIT), (5, 5, HIT)) == wire.R_BENT
    assert told(classic(), (4, 4, HIT), (4, 5, HIT), (3, 4, SUNK)) == wire.R_BENT


def test_a_run_of_hits_longer_than_any_ship():
    r = watching(fleet(10, 10, 0, 1, 4, 0))
    assert told(r, (2, 2, HIT), (3, 2, HIT), (5, 2, HIT), (4, 2, HIT)) == wire.R_TOO_LONG


def test_more_decks_than_the_fleet_has():
    # The last one called hit is let pass, being the end of the game; nothing more is.
    r = watching(fleet(6, 6, 0, 0, 1, 0))
    assert told(r, (0, 0, HIT), (1, 0, HIT), (4, 4, HIT)) == wire.R_TOO_MANY


def test_two_wounded_ships_of_a_length_of_which_there_is_one():
    r = classic()
    three = ((0, 0, HIT), (1, 0, HIT), (2, 0, HIT))
    assert told(r, *three, (5, 5, HIT), (6, 5, HIT), (7, 5, HIT)) == wire.R_TOO_MANY


def test_more_wounded_ships_than_ships_of_two_decks_and_more():
    r = watching(fleet(10, 10, 0, 1, 1, 6))
    assert told(r, (0, 0, HIT), (5, 5, HIT), (9, 2, HIT)) == wire.R_TOO_MANY


def test_wounds_of_unequal_length_need_ships_of_their_own_each():
    # The ship of five has decks enough for both, but it is one ship.
    made = Fleet()
    made.custom(10, 10, 1, 0, 0, 0, 1, False, False)
    assert told(watching(made), (0, 0, HIT), (1, 0, HIT), (6, 6, HIT)) == wire.R_TOO_MANY


def test_wounds_that_are_too_far_apart_for_any_ship_are_two():
    made = Fleet()
    made.custom(10, 10, 2, 0, 0, 0, 0, False, False)
    one = Fleet()
    one.custom(10, 10, 1, 0, 0, 0, 3, False, False)
    for x, y, dx, dy in ((0, 2, 1, 0), (4, 2, 1, 0), (2, 0, 0, 1), (2, 4, 0, 1)):
        for away in (5, 4):
            far = ((x, y, HIT), (x + away * dx, y + away * dy, HIT))
            assert told(watching(made), *far) == 0
            assert told(watching(one), *far) == (wire.R_TOO_MANY if away == 5 else 0), (x, y, away)


def test_a_wound_at_the_end_of_a_row_is_no_neighbour_of_one_at_the_beginning_of_the_next():
    made = Fleet()
    made.custom(10, 10, 1, 0, 0, 0, 3, False, False)
    for gap in range(3):
        # In the order of the cells they are near each other; on the field they are not.
        assert told(watching(made), (9, 4, HIT), (gap, 5, HIT)) == wire.R_TOO_MANY, gap
        assert told(watching(made), (4, 9, HIT), (4, gap, HIT)) == wire.R_TOO_MANY, gap
    for other, x, y, around in (
        ((9, 4), 0, 5, ((1, 5), (0, 4), (0, 6))),
        ((4, 9), 4, 0, ((3, 0), (5, 0), (4, 1))),
    ):
        shots = [(i, j, MISS) for i, j in around]
        assert told(classic(), (other[0], other[1], HIT), *shots, (x, y, HIT)) == wire.R_NOT_SUNK


def test_two_hits_in_a_line_may_be_one_ship():
    r = watching(fleet(10, 10, 1, 0, 0, 1))
    assert told(r, (2, 2, HIT), (4, 2, HIT), (3, 2, HIT), (1, 2, SUNK)) == 0


def test_two_hits_in_a_line_with_water_between_them_are_two_ships():
    r = watching(fleet(10, 10, 1, 0, 0, 1))
    assert told(r, (2, 2, HIT), (3, 2, MISS), (4, 2, HIT)) == wire.R_TOO_MANY


def test_a_hit_where_no_longer_ship_is_left():
    r = watching(fleet(10, 10, 0, 0, 3, 2))
    assert told(r, (2, 2, HIT), (3, 2, HIT)) == wire.R_NOT_SUNK
    assert told(watching(fleet(10, 10, 0, 0, 0, 3)), (2, 2, HIT)) == wire.R_NOT_SUNK


def test_a_hit_with_water_all_around():
    around = ((3, 4, MISS), (5, 4, MISS), (4, 3, MISS), (4, 5, MISS))
    assert told(classic(), *around, (4, 4, HIT)) == wire.R_NOT_SUNK
    assert told(classic(), (4, 4, HIT), *around) == wire.R_NOT_SUNK


def test_a_run_of_hits_with_water_at_both_ends():
    assert told(classic(), (3, 4, MISS), (4, 4, HIT), (5, 4, HIT), (6, 4, MISS)) == wire.R_NOT_SUNK


def test_a_wound_that_has_room_for_no_length_that_is_left():
    # Three cells are free, and there are ships of four only.
    r = watching(fleet(10, 10, 2, 0, 0, 0))
    assert told(r, (3, 0, MISS), (1, 1, MISS), (1, 0, HIT)) == wire.R_NOT_SUNK


def test_a_wound_left_over_when_the_only_longer_ship_sinks_elsewhere():
    r = watching(fleet(10, 10, 1, 1, 1, 0))
    three = ((5, 5, HIT), (6, 5, HIT), (7, 5, HIT))
    assert told(r, *three, (0, 0, HIT), (1, 0, HIT), (3, 0, HIT), (2, 0, SUNK)) == wire.R_NOT_SUNK


def test_a_wound_that_can_only_grow_into_another():
    # Two cells of one ship each, the cell between them is all the room there is, and no ship has three decks.
    r = watching(fleet(10, 10, 0, 0, 3, 1))
    water = ((3, 3, MISS), (3, 5, MISS), (5, 3, MISS), (5, 5, MISS), (2, 4, MISS), (6, 4, MISS))
    assert told(r, *water, (3, 4, HIT), (5, 4, HIT)) == wire.R_NOT_SUNK


def test_the_last_deck_called_hit_while_another_ship_has_to_be_sunk():
    r = watching(fleet(10, 10, 0, 0, 2, 0))
    assert told(r, (0, 0, HIT), (5, 5, HIT), (9, 9, MISS)) == 0
    assert told(r, (0, 1, HIT)) == wire.R_NOT_SUNK


def test_a_sunk_ship_of_a_length_that_is_used_up():
    r = watching(fleet(10, 10, 0, 1, 1, 1))
    assert told(r, (0, 0, SUNK), (5, 5, SUNK)) == wire.R_NO_SUCH_SHIP
    r = watching(fleet(10, 10, 1, 0, 2, 1))
    assert told(r, (0, 0, HIT), (2, 0, HIT), (1, 0, SUNK)) == wire.R_NO_SUCH_SHIP


def test_shot_before_where_nobody_shot():
    assert told(classic(), (4, 4, REPEAT)) == wire.R_NOT_SHOT_BEFORE
    assert told(classic(), (4, 4, SUNK), (5, 4, REPEAT)) == wire.R_NOT_SHOT_BEFORE


def test_shot_before_where_somebody_did():
    assert told(classic(), (4, 4, MISS), (4, 4, REPEAT)) == 0
    assert told(classic(), (4, 4, HIT), (4, 4, REPEAT)) == 0
    assert told(classic(), (4, 4, SUNK), (4, 4, REPEAT)) == 0


def test_a_better_answer_than_before_to_the_same_shot():
    assert told(classic(), (4, 4, MISS), (4, 4, HIT)) == wire.R_CHANGED
    assert told(classic(), (4, 4, MISS), (4, 4, SUNK)) == wire.R_CHANGED
    assert told(classic(), (4, 4, HIT), (4, 4, SUNK)) == wire.R_CHANGED


def test_a_repeated_shot_may_be_answered_as_before_or_as_a_miss():
    r = classic()
    assert told(r, (4, 4, HIT), (4, 4, HIT), (4, 4, MISS), (5, 4, SUNK), (4, 4, HIT), (5, 4, SUNK), (5, 4, MISS)) == 0
    assert r.hits == 2 and r.cell[44] == radar.SUNK


def test_more_than_half_of_the_ships_along_a_wall():
    r = watching(fleet(8, 8, 0, 0, 2, 1, True))
    assert told(r, (0, 0, HIT), (1, 0, SUNK), (7, 7, SUNK)) == wire.R_WALL


def test_a_ship_that_only_ends_at_a_wall_is_not_held_against_anybody():
    r = watching(fleet(8, 8, 0, 0, 2, 1, True))
    assert told(r, (0, 0, HIT), (1, 0, SUNK), (4, 0, HIT), (4, 1, SUNK), (4, 4, SUNK)) == 0


def test_a_wound_that_can_only_lie_along_a_wall_when_no_more_ships_may():
    r = watching(fleet(8, 8, 0, 0, 2, 1, True))
    assert told(r, (0, 0, HIT), (1, 0, SUNK), (5, 1, MISS), (5, 0, HIT)) == wire.R_NOT_SUNK


def test_at_every_wall_there_is_no_room_along_it_when_no_more_ships_may_be_there():
    for x, y, inward in ((0, 4, (1, 4)), (7, 4, (6, 4)), (4, 0, (4, 1)), (4, 7, (4, 6))):
        r = watching(fleet(8, 8, 0, 0, 2, 1, True))
        sunk = (0, 0, SUNK) if y != 0 else (0, 7, SUNK)
        assert told(r, sunk, (x, y, HIT)) == 0
        assert told(r, (inward[0], inward[1], MISS)) == wire.R_NOT_SUNK, (x, y)


def test_fewer_cells_left_than_decks():
    made = fleet(6, 6, 0, 0, 0, 2)
    r = watching(made)
    why = 0
    shots = 0
    while not why:
        why = r.answer(shots, MISS)
        shots += 1
    assert why == wire.R_NO_ROOM and shots == 35


def test_no_place_left_for_a_length():
    # With every fourth diagonal shot there is nowhere a four-deck ship could be; that is found within a few shots.
    r = classic()
    for cell in range(100):
        if (cell % 10 + cell // 10) % 4 == 0:
            assert r.answer(cell, MISS) in (0, wire.R_NO_ROOM)
    why = 0
    more = 0
    for cell in range(100):
        if not why and r.can_shoot(cell) and (cell % 10 + cell // 10) % 4 == 2:
            why = r.answer(cell, MISS)
            more += 1
    assert why == wire.R_NO_ROOM
    assert more <= 180 // 8 + 1


# Against all fields there are.


def ships_at(width, height, length):
    """Every place of a ship of the length as (cells, cells in and around it), each a number with a bit a cell."""
    found = []
    for y in range(height):
        for x in range(width):
            for across, down in ((length, 1), (1, length)):
                if x + across > width or y + down > height:
                    continue
                ship = 0
                around = 0
                for j in range(y - 1, y + down + 1):
                    for i in range(x - 1, x + across + 1):
                        if 0 <= i < width and 0 <= j < height:
                            bit = 1 << (j * width + i)
                            around |= bit
                            if x <= i < x + across and y <= j < y + down:
                                ship |= bit
                if (ship, around) not in found:
                    found.append((ship, around))
    return found


def all_fields(made):
    """Every legal field as a list of its ships, by the lenient reading where there is a wall rule."""
    fields = [([], 0, 0)]
    lengths = [made.length(i) for i in range(made.ships)]
    for k in range(len(lengths)):
        more = []
        for ships, taken, walls in fields:
            for ship, around in ships_at(made.width, made.height, lengths[k]):
                if ship & taken or (k and lengths[k] == lengths[k - 1] and ship < ships[-1]):
                    continue
                cells = [(c % made.width, c // made.width) for c in range(made.width * made.height) if ship >> c & 1]
                along = walls + (1 if along_wall(cells, made.width, made.height, True) else 0)
                if along <= made.wall_max:
                    more.append((ships + [ship], taken | around, along))
        fields = more
    return [ships for ships, _, _ in fields]


def answer_of(ships, shot, cell):
    """What a field answers to a shot when the cells of `shot` were shot before."""
    for ship in ships:
        if ship >> cell & 1:
            return SUNK if ship & ~(shot | 1 << cell) == 0 else HIT
    return MISS


def argue(made, games, seed):
    """Answers by lot: the radar may accuse only when no field is left that agrees; when none is it has to, in the end.

    Answers how many were found at once, and how many only later.
    """
    fields = all_fields(made)
    assert fields
    rng = Rng(seed)
    r = watching(made)
    cells = made.width * made.height
    at_once = 0
    later = 0
    for _ in range(games):
        r.reset(made)
        possible = fields
        shot = 0
        why = 0
        for cell in shuffled(cells, rng):
            if why or r.won():
                break
            if not r.can_shoot(cell):
                continue
            result = answer_of(possible[rng.below(len(possible))], shot, cell) if possible else rng.below(3)
            if rng.below(8) == 0:
                result = rng.below(3)
            before = len(possible)
            possible = [ships for ships in possible if answer_of(ships, shot, cell) == result]
            shot |= 1 << cell
            why = r.answer(cell, result)
            if why:
                assert not possible or r.won(), (why, cell, result)
                if before:
                    at_once += 1
                else:
                    later += 1
        # The last deck of all is sunk, though it may be called hit.
        assert possible or why or r.won()
    return at_once, later


def test_accusations_agree_with_all_fields_there_are():
    at_once = 0
    later = 0
    for made in (
        fleet(4, 4, 0, 0, 1, 1),
        fleet(5, 4, 0, 1, 1, 0),
        fleet(5, 4, 0, 0, 2, 1),
        fleet(5, 5, 0, 1, 1, 1),
        fleet(5, 5, 0, 1, 0, 2, True),
        fleet(5, 4, 1, 0, 1, 1, True),
    ):
        a, b = argue(made, 60, made.width + made.ships)
        at_once += a
        later += b
    # Most lies are found by the very answer that makes them one.
    assert at_once > 5 * later


def test_answers_take_no_memory():
    made = Fleet()
    made.protocol(10, 1, 2, 3, 4)
    rng = Rng(11)
    sea = Field(100)
    r = Radar(100)
    order = shuffled(100, rng)
    wrong = 0
    heap_lock()
    try:
        for _ in range(20):
            sea.reset(made)
            r.reset(made)
            sea.random(rng)
            for i in range(100):
                cell = order[i]
                if not sea.lost() and r.can_shoot(cell) and r.answer(cell, sea.shoot(cell)):
                    wrong += 1
    finally:
        heap_unlock()
    assert not wrong
