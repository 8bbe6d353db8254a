"""One player's field: placing, filling at random, and shots."""

from lots import often
from placement import faults, heap_lock, heap_unlock, picture, ships_of

from seabattle.field import (
    EMPTY,
    HIT,
    MISS,
    NONE_LEFT,
    OK,
    OUT,
    OVERLAP,
    REPEAT,
    SHOT,
    SUNK,
    TOUCH,
    WALL,
    Field,
)
from seabattle.fleet import Fleet
from seabattle.rng import Rng

# Parameters for which hardly any placement is legal, and whether only the lenient reading has one.
TIGHT = (
    (6, 0, 0, 4, 4, False),
    (6, 1, 1, 3, 1, False),
    (6, 1, 0, 3, 4, True),
    (7, 1, 1, 4, 4, False),
    (7, 0, 0, 2, 10, False),
    (7, 0, 2, 4, 6, True),
    (8, 0, 2, 5, 7, False),
    (8, 1, 2, 5, 5, True),
    (9, 1, 2, 5, 10, False),
)


def field_for(size, n4, n3, n2, n1, lenient=False):
    fleet = Fleet()
    fleet.protocol(size, n4, n3, n2, n1, lenient)
    field = Field()
    field.reset(fleet)
    return field


def classic_field():
    field = Field()
    field.reset(Fleet())
    return field


def custom_field(width, height, n5, n4, n3, n2, n1, walls=False, lenient=False):
    fleet = Fleet()
    fleet.custom(width, height, n5, n4, n3, n2, n1, walls, lenient)
    field = Field(width * height)
    field.reset(fleet)
    return field


def shoot_all(field, ship):
    return [field.shoot(y * field.width + x) for x, y in ship]


# Placing one by one


def test_ships_are_placed_one_by_one_until_the_field_holds_the_whole_fleet():
    field = field_for(6, 0, 1, 1, 2)
    assert not field.complete()
    assert [field.left(n) for n in range(1, 6)] == [2, 1, 1, 0, 0]
    assert field.place(1, 1, 3, 0) == OK
    assert field.place(1, 3, 2, 1) == OK
    assert field.place(4, 4, 1, 0) == OK
    assert not field.complete()
    assert field.place(5, 2, 1, 1) == OK
    assert field.complete()
    assert [field.left(n) for n in range(1, 6)] == [0] * 5
    assert faults(field) == []
    assert picture(field) == ["......", ".111..", ".....4", ".2....", ".2..3.", "......"]


def test_a_ship_must_lie_on_the_field_as_a_whole():
    field = classic_field()
    for x, y, length, vertical in (
        (-1, 0, 1, 0),
        (0, -1, 1, 0),
        (10, 0, 1, 0),
        (0, 10, 1, 0),
        (7, 0, 4, 0),
        (0, 7, 4, 1),
        (-1, 5, 4, 0),
        (5, -1, 4, 1),
    ):
        assert field.can_place(x, y, length, vertical) == OUT
    for x, y, length, vertical in ((0, 0, 4, 0), (6, 9, 4, 0), (9, 6, 4, 1), (9, 9, 1, 0)):
        assert field.can_place(x, y, length, vertical) == OK


def test_a_ship_may_not_lie_on_another():
    field = classic_field()
    field.place(3, 3, 3, 0)
    for x, y, length, vertical in ((3, 3, 3, 0), (5, 3, 1, 0), (4, 2, 3, 1), (5, 3, 4, 0), (4, 0, 4, 1)):
        assert field.can_place(x, y, length, vertical) == OVERLAP


def test_ships_may_touch_neither_by_side_nor_by_corner():
    field = classic_field()
    field.place(4, 4, 2, 0)
    for y in range(3, 6):
        for x in range(3, 7):
            want = OVERLAP if y == 4 and x in (4, 5) else TOUCH
            assert field.can_place(x, y, 1, 0) == want
    for x, y in ((2, 4), (7, 4), (4, 2), (4, 6), (2, 2), (7, 6)):
        assert field.can_place(x, y, 1, 0) == OK
    assert field.can_place(0, 3, 4, 0) == TOUCH
    assert field.can_place(0, 2, 4, 0) == OK


def test_a_field_does_not_join_at_its_edges():
    field = classic_field()
    field.place(9, 4, 1, 0)
    assert field.can_place(0, 5, 1, 0) == OK
    assert field.can_place(0, 4, 1, 0) == OK


def test_there_are_no_more_ships_of_a_length_than_the_fleet_has():
    field = classic_field()
    assert field.place(0, 0, 4, 0) == OK
    assert field.place(0, 2, 4, 0) == NONE_LEFT
    for length in (0, 5, 6, 9):
        assert field.can_place(0, 2, length, 0) == NONE_LEFT
    field.remove(0)
    assert field.place(0, 2, 4, 0) == OK


def test_a_refused_ship_changes_nothing():
    field = field_for(6, 1, 0, 0, 2)
    field.place(0, 0, 4, 0)
    before = picture(field)
    for x, y, length, vertical in ((4, 0, 4, 0), (0, 1, 1, 0), (3, 0, 1, 0), (5, 5, 1, 0), (0, 3, 4, 0)):
        assert field.place(x, y, length, vertical) != OK
        assert picture(field) == before
        assert (field.placed, field.along_wall, field.left(1)) == (1, 1, 2)


def test_a_ship_is_removed_by_any_of_its_decks():
    field = classic_field()
    field.place(0, 0, 4, 0)
    field.place(5, 5, 3, 1)
    for y in (5, 6, 7):
        assert field.remove(y * 10 + 5) == 3
        assert field.left(3) == 2
        assert len(ships_of(field)) == 1
        assert field.place(5, 5, 3, 1) == OK
    assert field.remove(33) == 0
    assert field.remove(3) == 4
    assert field.remove(3) == 0
    assert len(ships_of(field)) == 1


def test_a_ship_that_is_removed_stands_along_no_wall_any_more():
    for lenient in (False, True):
        for x, y, vertical, strict, full in (
            (0, 2, 1, 1, 1),
            (0, 2, 0, 1, 0),
            (5, 2, 1, 1, 1),
            (4, 2, 0, 1, 0),
            (2, 0, 0, 1, 1),
            (2, 0, 1, 1, 0),
            (2, 5, 0, 1, 1),
            (2, 4, 1, 1, 0),
            (2, 2, 0, 0, 0),
            (2, 2, 1, 0, 0),
        ):
            field = field_for(6, 0, 0, 2, 3, lenient)
            assert field.place(x, y, 2, vertical) == OK
            assert field.along_wall == (full if lenient else strict), (x, y, vertical, lenient)
            assert field.remove(y * 6 + x) == 2
            assert field.along_wall == 0


def test_the_longest_ship_of_all_is_placed_by_hand_too():
    field = custom_field(8, 8, 1, 0, 0, 0, 1)
    assert field.can_place(0, 0, 5, 1) == OK
    assert field.place(2, 3, 5, 0) == OK and field.left(5) == 0
    for length in (-1, 0, 6):
        assert field.can_place(0, 0, length, 0) == NONE_LEFT
    assert [field.shoot(3 * 8 + x) for x in range(2, 7)] == [HIT] * 4 + [SUNK]


def test_after_a_removal_the_rest_still_has_all_its_ships():
    field = classic_field()
    rng = Rng(5)
    field.random(rng)
    for _ in range(often(30)):
        ships = ships_of(field)
        x, y = ships[rng.below(len(ships))][0]
        length = field.remove(y * 10 + x)
        assert not field.complete()
        assert field.left(length) == 1
        assert field.fill(rng)
        assert faults(field) == []


# The wall rule


def test_at_most_half_of_the_ships_rounded_down_stand_along_a_wall():
    field = field_for(8, 0, 0, 1, 4)
    assert field.place(0, 0, 1, 0) == OK
    assert field.along_wall == 1
    assert field.place(2, 2, 1, 0) == OK
    assert field.along_wall == 1
    assert field.place(7, 3, 2, 1) == OK
    assert field.along_wall == 2
    assert field.can_place(3, 7, 1, 0) == WALL
    assert field.can_place(3, 6, 1, 0) == OK
    field.remove(0)
    assert field.along_wall == 1
    assert field.place(3, 7, 1, 0) == OK


def test_our_own_ships_count_when_they_touch_a_wall_with_any_cell():
    field = field_for(8, 0, 0, 2, 0)
    field.place(0, 3, 2, 0)
    assert field.along_wall == 1
    assert field.can_place(5, 6, 2, 1) == WALL


def test_in_the_lenient_reading_a_ship_counts_when_it_lies_along_the_wall_with_its_full_length():
    field = field_for(8, 0, 0, 3, 1, True)
    field.place(0, 3, 2, 0)
    assert field.along_wall == 0
    field.place(5, 6, 2, 1)
    assert field.along_wall == 0
    field.place(0, 0, 2, 1)
    assert field.along_wall == 1
    field.place(3, 7, 1, 0)
    assert field.along_wall == 2
    assert field.complete()
    assert faults(field) == []


def test_without_the_rule_all_ships_may_stand_along_walls():
    field = custom_field(8, 8, 0, 0, 0, 0, 4)
    for x, y in ((0, 0), (7, 0), (0, 7), (7, 7)):
        assert field.place(x, y, 1, 0) == OK
    assert field.complete()


# At random


def test_all_ships_are_placed_at_random():
    field = classic_field()
    rng = Rng(1)
    for _ in range(often(60)):
        assert field.random(rng)
        assert faults(field) == []
        assert field.complete()


def test_the_rest_is_filled_at_random_around_what_stands():
    rng = Rng(2)
    for _ in range(often(20)):
        field = classic_field()
        field.place(3, 3, 2, 1)
        field.place(9, 6, 4, 1)
        assert field.fill(rng)
        assert faults(field) == []
        assert [(3, 3), (3, 4)] in ships_of(field)
        assert [(9, 6), (9, 7), (9, 8), (9, 9)] in ships_of(field)


class Same:
    """Lots that always fall on the first of all, or always on the last."""

    def __init__(self, last):
        self.last = last

    def below(self, n):
        return n - 1 if self.last else 0


def test_the_rest_is_filled_around_a_ship_wherever_it_stands_and_however_the_lots_fall():
    # Where lots that are always the same lead to nothing, the complete search does it.
    for ships in ((0, 0, 0, 4, 4), (0, 1, 1, 3, 1), (0, 0, 0, 3, 6)):
        # not on CPython: the corners, and some cells in every row and column
        for cell in range(0, 36, 1 if often(4) == 4 else 5):
            for rng in (Same(False), Same(True), Rng(cell)):
                field = custom_field(6, 6, *ships)
                assert field.place(cell % 6, cell // 6, 1, 0) == OK
                assert field.fill(rng), (ships, cell)
                assert faults(field) == [], (ships, cell)
                assert field.ship[cell] == 1


def test_a_complete_field_stays_as_it_is_when_filled():
    field = classic_field()
    rng = Rng(2)
    field.random(rng)
    before = picture(field)
    assert field.fill(rng)
    assert picture(field) == before


def test_the_wall_rule_holds_at_random():
    rng = Rng(3)
    for lenient in (False, True):
        for size in range(6, 11):
            field = field_for(size, 0, 1, 2, 3, lenient)
            for _ in range(often(15)):
                assert field.random(rng)
                assert faults(field) == []
                assert field.along_wall <= 3


def test_random_fields_differ():
    field = classic_field()
    rng = Rng(4)
    seen = set()
    for _ in range(30):
        field.random(rng)
        seen.add("".join(picture(field)))
    assert len(seen) == 30


def test_the_same_seed_gives_the_same_field():
    fields = []
    for _ in range(2):
        field = field_for(7, 1, 1, 4, 4)
        field.random(Rng(77))
        fields.append(picture(field))
    assert fields[0] == fields[1]


def test_the_longest_ship_is_placed_first_so_it_is_on_each_of_its_places_equally_often():
    # 10 lines across each way, 7 places along a line; were others placed first, places at the edge would come oftener.
    field = classic_field()
    rng = Rng(6)
    lines = [0] * 20
    offsets = [0] * 7
    total = 600
    for _ in range(total):
        field.random(rng)
        for ship in ships_of(field):
            if len(ship) == 4:
                (x, y), (x2, _) = ship[:2]
                lines[10 + x if x == x2 else y] += 1
                offsets[y if x == x2 else x] += 1
    for counts in (lines, offsets):
        expected = total / len(counts)
        chi = sum([(n - expected) * (n - expected) / expected for n in counts])
        free = len(counts) - 1
        assert chi < free + 5 * (2 * free) ** 0.5, counts


def test_it_starts_over_when_it_gets_stuck_so_some_fields_take_many_times_as_long_as_others():
    field = field_for(10, 1, 2, 5, 10)
    pieces = []
    for seed in range(12):
        field.clear()
        field.fill_start(Rng(seed))
        n = 1
        while field.fill_step() < 0:
            n += 1
        assert faults(field) == []
        pieces.append(n)
    assert max(pieces) > 3 * min(pieces)


def test_the_rare_placement_is_found_where_the_field_is_tight():
    rng = Rng(8)
    for parameters in TIGHT:
        field = field_for(*parameters)
        for _ in range(3):
            assert field.random(rng), parameters
            assert faults(field) == [], parameters


def test_tight_fields_differ_too():
    field = field_for(9, 1, 2, 5, 10)
    seen = set()
    for seed in range(6):
        field.random(Rng(seed))
        seen.add("".join(picture(field)))
    assert len(seen) > 3


def test_it_says_when_there_is_no_placement():
    for parameters in ((6, 1, 2, 5, 10, False), (6, 0, 0, 0, 9, True), (6, 0, 1, 1, 7, False), (7, 0, 1, 4, 6, False)):
        field = field_for(*parameters)
        assert not field.random(Rng(1))
        assert ships_of(field) == []


def test_it_says_when_the_ships_that_stand_leave_no_room():
    # Each of the four takes up a quarter of the 6x6 cells.
    field = custom_field(6, 6, 0, 0, 0, 0, 5)
    for x, y in ((1, 1), (4, 1), (1, 4), (4, 4)):
        assert field.place(x, y, 1, 0) == OK
    before = picture(field)
    assert not field.fill(Rng(1))
    assert picture(field) == before
    assert field.left(1) == 1
    field.remove(7)
    assert field.place(0, 0, 1, 0) == OK
    assert field.fill(Rng(1))
    assert faults(field) == []


def test_it_says_when_the_walls_are_used_up():
    # Four may be along walls, and are; inside 4x4 cells no four can stand beside them.
    field = field_for(6, 0, 0, 0, 8)
    for x, y in ((0, 1), (5, 1), (2, 0), (3, 5)):
        assert field.place(x, y, 1, 0) == OK
    assert not field.fill(Rng(1))
    assert field.placed == 4


def test_a_ship_longer_than_the_field_has_no_place():
    assert not custom_field(4, 4, 1, 0, 0, 0, 0).random(Rng(1))
    assert custom_field(5, 1, 1, 0, 0, 0, 0).random(Rng(1))
    assert custom_field(1, 5, 1, 0, 0, 0, 0).random(Rng(1))


def test_filling_in_steps_changes_the_field_at_its_end_only():
    for parameters in ((10, 1, 2, 3, 4, False), (7, 1, 1, 4, 4, False), (6, 0, 1, 1, 7, False)):
        field = field_for(*parameters)
        field.fill_start(Rng(9))
        placed = 0
        changes = 0
        while True:
            done = field.fill_step()
            if field.placed != placed:
                placed = field.placed
                changes += 1
            elif placed:
                raise AssertionError("a pause between ships")
            if done >= 0:
                break
        assert done == (1 if faults(field) == [] else 0)
        assert changes == (field.fleet.ships if done else 0)
        assert field.fill_step() == done


def test_placing_while_the_field_is_being_filled_begins_it_anew():
    field = classic_field()
    for steps in (1, 5, 20, 40, 60):
        field.clear()
        field.fill_start(Rng(steps))
        done = -1
        for _ in range(steps):
            done = field.fill_step()
        if done < 0 and field.place(4, 4, 2, 0) == OK:
            assert field.fill_step() == -1
        while field.fill_step() < 0:
            pass
        assert faults(field) == []


def test_large_fields_and_long_ships():
    rng = Rng(11)
    for width, height in ((15, 15), (26, 26), (26, 5), (7, 20)):
        field = custom_field(width, height, 1, 2, 3, 4, 5)
        for _ in range(3):
            assert field.random(rng)
            assert faults(field) == []
    field = custom_field(26, 26, 10, 20, 20, 20, 20, True)
    assert field.random(rng)
    assert faults(field) == []


def test_a_field_too_large_for_the_object_is_refused():
    fleet = Fleet()
    fleet.custom(11, 10, 0, 0, 0, 0, 1, False, False)
    try:
        Field(100).reset(fleet)
    except ValueError:
        return
    raise AssertionError("no ValueError")


def test_a_field_can_be_used_again_for_another_fleet():
    field = Field()
    fleet = Fleet()
    rng = Rng(12)
    for size in (10, 6, 9, 7, 10):
        fleet.protocol(size, 0, 1, 2, 3)
        field.reset(fleet)
        assert ships_of(field) == []
        assert [field.left(n) for n in range(1, 6)] == [3, 2, 1, 0, 0]
        assert field.random(rng)
        assert faults(field) == []
        for cell in range(size * size):
            field.shoot(cell)
        assert field.lost()


# Shots


def shot_field():
    field = classic_field()
    field.place(0, 0, 1, 0)
    field.place(3, 3, 3, 1)
    field.fleet.custom(10, 10, 0, 0, 1, 0, 1, False, False)
    return field


def test_a_shot_misses_hits_or_sinks():
    field = shot_field()
    assert field.shoot(99) == MISS
    assert field.shoot(33) == HIT
    assert field.shoot(53) == HIT
    assert field.shoot(43) == SUNK
    assert field.shoot(0) == SUNK


def test_a_cell_shot_before_is_answered_with_repeat_and_nothing_else_is():
    field = shot_field()
    for cell, first in ((99, MISS), (33, HIT), (0, SUNK)):
        assert field.shoot(cell) == first
        assert field.shoot(cell) == REPEAT
        assert field.shoot(cell) == REPEAT
    assert field.hits == 2


def test_a_shot_at_a_cell_known_to_be_empty_is_a_miss_and_then_a_repeat():
    field = shot_field()
    field.shoot(0)
    assert field.mark[11] == EMPTY
    assert field.shoot(11) == MISS
    assert field.mark[11] == SHOT | EMPTY
    assert field.shoot(11) == REPEAT


def test_every_cell_around_a_sunk_ship_becomes_known_to_be_empty():
    field = shot_field()
    shoot_all(field, [(3, 3), (3, 4)])
    assert not any(m & EMPTY for m in field.mark)
    field.shoot(53)
    for y in range(10):
        for x in range(10):
            around = 2 <= x <= 4 and 2 <= y <= 6 and not (x == 3 and 3 <= y <= 5)
            assert bool(field.mark[y * 10 + x] & EMPTY) == around
    field.shoot(0)
    assert [cell for cell in range(20) if field.mark[cell] & EMPTY] == [1, 10, 11]


def test_the_ring_stays_on_the_field_at_all_edges():
    for x, y, length, vertical in ((9, 9, 1, 0), (0, 9, 2, 0), (6, 0, 4, 0), (9, 3, 3, 1), (0, 6, 4, 1)):
        field = classic_field()
        field.place(x, y, length, vertical)
        (ship,) = ships_of(field)
        assert shoot_all(field, ship)[-1] == SUNK
        want = set()
        for sx, sy in ship:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if 0 <= sx + dx < 10 and 0 <= sy + dy < 10 and (sx + dx, sy + dy) not in ship:
                        want.add((sx + dx, sy + dy))
        assert {(c % 10, c // 10) for c in range(100) if field.mark[c] & EMPTY} == want


def test_ships_afloat_hits_and_the_end_are_counted():
    field = shot_field()
    assert [field.afloat(n) for n in range(1, 6)] == [1, 0, 1, 0, 0]
    field.shoot(33)
    field.shoot(43)
    assert (field.afloat(3), field.hits, field.lost()) == (1, 2, False)
    field.shoot(53)
    assert (field.afloat(3), field.hits, field.lost()) == (0, 3, False)
    field.shoot(0)
    assert (field.afloat(1), field.hits, field.lost()) == (0, 4, True)


def test_hit_and_sunk_cells_are_told_apart():
    field = shot_field()
    field.shoot(33)
    field.shoot(99)
    assert field.is_hit(33) and not field.is_sunk(33)
    assert not field.is_hit(43) and not field.is_hit(99) and not field.is_sunk(99)
    field.shoot(43)
    field.shoot(53)
    assert all(field.is_hit(c) and field.is_sunk(c) for c in (33, 43, 53))


def test_a_whole_random_field_is_shot_down_as_it_stands():
    field = classic_field()
    rng = Rng(13)
    for _ in range(5):
        field.random(rng)
        ships = ships_of(field)
        results = [field.shoot(cell) for cell in range(100)]
        assert results.count(SUNK) == len(ships)
        assert results.count(HIT) == sum([len(ship) - 1 for ship in ships])
        assert results.count(MISS) == 80
        assert field.lost()


# Memory


def test_nothing_is_allocated():
    field = Field()
    fleet = Fleet()
    rng = Rng(14)
    good = 0
    refused = 0
    heap_lock()
    try:
        # Loose, tight, lenient, and one that has no placement.
        fleet.classic()
        field.reset(fleet)
        good += field.random(rng)
        fleet.protocol(10, 1, 2, 5, 10)
        field.reset(fleet)
        good += field.random(rng)
        fleet.protocol(7, 1, 1, 4, 4)
        field.reset(fleet)
        good += field.random(rng)
        fleet.protocol(7, 0, 2, 4, 6, True)
        field.reset(fleet)
        good += field.random(rng)
        fleet.protocol(7, 0, 1, 4, 6)
        field.reset(fleet)
        good += not field.random(rng)
        refused += field.place(0, 9, 1, 0) == OUT
        refused += field.place(0, 0, 3, 0) == OK
        refused += field.place(0, 1, 2, 0) == TOUCH
        refused += field.remove(1) == 3
        fleet.classic()
        field.reset(fleet)
        field.random(rng)
        cell = 0
        while cell < 100:
            field.shoot(cell)
            field.is_hit(cell)
            field.is_sunk(cell)
            cell += 1
        good += field.lost()
    finally:
        heap_unlock()
    assert (good, refused) == (6, 4)
