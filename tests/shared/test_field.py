"""One player's field: placing, filling at random, and shots."""

import field_steps
from lots import looks_fair, often
from placement import faults, heap_lock, heap_unlock, picture, ships_of
from told import fleet_of

from seabattle.field import EMPTY, HIT, MISS, NONE_LEFT, OK, OUT, SHOT, SUNK, TOUCH, Field
from seabattle.fleet import Fleet
from seabattle.rng import Rng

CPYTHON_ONLY = ("test_the_longest_ship_is_placed_first_so_it_is_on_each_of_its_places_equally_often",)

# Fleets with hardly any legal placement; some have one by the lenient reading only.
TIGHT = (
    "6x6 2:4 1:4 strict",
    "6x6 4:1 3:1 2:3 1:1 strict",
    "6x6 4:1 2:3 1:4 walls",
    "7x7 4:1 3:1 2:4 1:4 strict",
    "7x7 2:2 1:10 strict",
    "7x7 3:2 2:4 1:6 walls",
    "8x8 3:2 2:5 1:7 strict",
    "8x8 4:1 3:2 2:5 1:5 walls",
    "9x9 4:1 3:2 2:5 1:10 strict",
)


def field_for(text):
    fleet = fleet_of(text)
    field = Field(max(100, fleet.width * fleet.height))
    field.reset(fleet)
    return field


def hold(text):
    field_steps.hold(text, field_for)


# Placing one by one


def test_placing_one_by_one():
    hold(
        """
Ships are placed one by one until the field holds the whole fleet.
    6x6 3:1 2:1 1:2 strict | left 2 1 1 0 0; put B2-D2 B4-B5 E5; whole no; put F3; whole; left 0 0 0 0 0
    6x6 3:1 2:1 1:2 strict | put F3 B4-B5; decks B4-B5 F3; left 1 0 1 0 0; fill
A ship may not lie on another.
    classic | put D4-F4; may D4-F4 F4 E3-E5 F4-I4 E1-E4 OVERLAP
Ships may touch neither by side nor by corner.
    classic | put E5-F5; may D4 E4 F4 G4 D5 G5 D6 E6 F6 G6 A4-D4 TOUCH; may C5 H5 E3 E7 C3 H7 A3-D3; may E5 F5 OVERLAP
A field does not join at its edges.
    classic | put J5; may A5 A6
There are no more ships of a length than the fleet has.
    classic | put A1-D1; put A3-D3 A3-E3 A3-F3 A3-I3 NONE_LEFT; take A1 4; put A3-D3
A refused ship changes nothing.
    6x6 4:1 1:2 strict | put A1-D1; put E1-H1 OUT; put A2 TOUCH; put D1 OVERLAP; put F6 WALL; put A4-D4 NONE_LEFT
A ship is removed by any of its decks.
    classic | put A1-D1 F6-F8; take F6 3; left 4 3 2 0 0; decks A1-D1; put F6-F8; take F7 3; put F6-F8; take F8 3
    classic | put A1-D1 F6-F8; take D4 0; take D1 4; take D1 0; decks F6-F8
The longest ship of all is placed by hand too.
    8x8 5:1 1:1 | may A1-A5; put C4-G4; left 1 0 0 0 0; shoot C4 D4 E4 F4 HIT; shoot G4 SUNK; may A1-F1 NONE_LEFT
"""
    )
    field = field_for("classic")
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
    for length in (-1, 0, 5, 6):
        assert field.can_place(0, 0, length, 0) == NONE_LEFT


def test_the_wall_rule():
    hold(
        """
At most half of the ships, rounded down, stand along a wall.
    8x8 2:1 1:4 strict | put A1; walls 1; put C3; walls 1; put H4-H5; walls 2; may D8 WALL; may D7; take A1 1; put D8
Own ships count when they touch a wall with any cell.
    8x8 2:2 strict | put A4-B4; walls 1; may F7-F8 WALL
In the lenient reading a ship counts when it lies along the wall with its full length.
    8x8 2:3 1:1 walls | put A4-B4; walls 0; put F7-F8; walls 0; put A1-A2; walls 1; put D8; walls 2; whole
Without the rule all ships may stand along walls.
    8x8 1:4 | put A1 H1 A8 H8; whole
"""
    )
    # A removed ship no longer counts as along a wall.
    for ship, strict, lenient in (
        ("A3-A4", 1, 1),
        ("A3-B3", 1, 0),
        ("F3-F4", 1, 1),
        ("E3-F3", 1, 0),
        ("C1-D1", 1, 1),
        ("C1-C2", 1, 0),
        ("C6-D6", 1, 1),
        ("C5-C6", 1, 0),
        ("C3-D3", 0, 0),
        ("C3-C4", 0, 0),
    ):
        hold("  6x6 2:2 1:3 strict | put %s; walls %d; take %s 2; walls 0" % (ship, strict, ship[:2]))
        hold("  6x6 2:2 1:3 walls | put %s; walls %d; take %s 2; walls 0" % (ship, lenient, ship[:2]))


# At random


def test_a_random_field_is_legal_and_shot_down_as_it_stands():
    rng = Rng(1)
    fleets = [("classic", 60), ("26x26 5:10 4:20 3:20 2:20 1:20 strict", 1), ("5x1 5:1", 1), ("1x5 5:1", 1)]
    for rule in ("walls", "strict"):
        fleets += [("%dx%d 3:1 2:2 1:3 %s" % (size, size, rule), 15) for size in range(6, 11)]
    fleets += [("%s 5:1 4:2 3:3 2:4 1:5" % size, 3) for size in ("15x15", "26x26", "26x5", "7x20")]
    fleets += [(text, 3) for text in TIGHT]
    field = Field(26 * 26)  # one for all of them
    for text, times in fleets:
        fleet = fleet_of(text)
        field.reset(fleet)
        assert ships_of(field) == [] and [field.left(n) for n in range(1, 6)] == list(fleet.count[1:])
        for again in range(often(times)):
            assert field.random(rng), text
            assert faults(field) == [] and field.complete(), text
            if not again:
                results = [field.shoot(cell) for cell in range(field.cells)]
                sunk, hits = results.count(SUNK), results.count(HIT)
                assert (sunk, hits) == (fleet.ships, fleet.decks - fleet.ships) and field.lost(), text


def test_the_rest_is_filled_at_random_around_what_stands():
    rng = Rng(2)
    for _ in range(often(20)):
        field = field_for("classic")
        field.place(3, 3, 2, 1)
        field.place(9, 6, 4, 1)
        assert field.fill(rng)
        assert faults(field) == []
        assert [(3, 3), (3, 4)] in ships_of(field)
        assert [(9, 6), (9, 7), (9, 8), (9, 9)] in ships_of(field)
    # A complete field stays unchanged; with one ship removed, the others stay.
    before = picture(field)
    assert field.fill(rng) and picture(field) == before
    for _ in range(often(30)):
        ships = ships_of(field)
        x, y = ships[rng.below(len(ships))][0]
        length = field.remove(y * 10 + x)
        assert not field.complete() and field.left(length) == 1
        assert field.fill(rng) and faults(field) == []


def test_the_longest_ship_is_placed_first_so_it_is_on_each_of_its_places_equally_often():
    # 10 lines across each way, 7 places along a line; if others were placed first, places at the edge would be more
    # frequent.
    field = field_for("classic")
    rng = Rng(6)
    lines = [0] * 20
    offsets = [0] * 7
    for _ in range(600):
        field.random(rng)
        for ship in ships_of(field):
            if len(ship) == 4:
                (x, y), (x2, _) = ship[:2]
                lines[10 + x if x == x2 else y] += 1
                offsets[y if x == x2 else x] += 1
    assert looks_fair(lines) and looks_fair(offsets)


def test_it_says_when_there_is_no_placement():
    hold(
        """
By the whole fleet.
    6x6 4:1 3:2 2:5 1:10 strict | fill no; decks
    6x6 1:9 walls | fill no
    6x6 3:1 2:1 1:7 strict | fill no
    7x7 3:1 2:4 1:6 strict | fill no
    4x4 5:1 | fill no
By the ships that stand: each of the four takes up a quarter of the cells.
    6x6 1:5 | put B2 E2 B5 E5; fill no; left 1 0 0 0 0; take B2 1; put A1; fill
By the walls: four may be along them, and are; inside 4x4 cells no four can stand beside them.
    6x6 1:8 strict | put A2 F2 C1 D6; fill no; decks A2 F2 C1 D6
"""
    )


def test_placing_while_the_field_is_being_filled_begins_it_anew():
    field = field_for("classic")
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


def test_a_field_too_large_for_the_object_is_refused():
    try:
        Field(100).reset(fleet_of("11x10 1:1"))
    except ValueError:
        return
    raise AssertionError("no ValueError")


# Shots


def test_shots():
    hold(
        """
A shot misses, hits or sinks; hit and sunk cells are told apart, ships afloat and the end are known.
    10x10 3:1 1:1 | put A1 D4-D6; shoot J10 MISS; shoot D4 D6 HIT; hit D4 D6; sunk; shoot D5 SUNK; sunk D4 D5 D6
    10x10 3:1 1:1 | put A1 D4-D6; afloat 1 0 1 0 0; shoot D4 D5 HIT; afloat 1 0 1 0 0; shoot D6 SUNK; hits 3; lost no
    10x10 3:1 1:1 | put A1 D4-D6; shoot D4 D5 HIT; shoot D6 A1 SUNK; afloat 0 0 0 0 0; hits 4; lost; hit A1 D4 D5 D6
A cell shot before is answered with repeat and nothing else is.
    10x10 3:1 1:1 | put A1 D4-D6; shoot J10 MISS; shoot J10 J10 REPEAT; shoot D4 HIT; shoot D4 D4 REPEAT; hits 1
    10x10 3:1 1:1 | put A1 D4-D6; shoot A1 SUNK; shoot A1 A1 REPEAT; shoot B2 MISS; shoot B2 REPEAT; hits 1
Every cell around a sunk ship becomes known to be empty, and none before; the ring stays on the field at all edges.
    10x10 3:1 1:1 | put A1 D4-D6; shoot D4 D5 HIT; empty; shoot D6 SUNK; empty C3 D3 E3 C4 E4 C5 E5 C6 E6 C7 D7 E7
    classic | put A1; shoot A1 SUNK; empty B1 A2 B2
    classic | put J10; shoot J10 SUNK; empty I9 J9 I10
    classic | put A10-B10; shoot A10 HIT; shoot B10 SUNK; empty A9 B9 C9 C10
    classic | put G1-J1; shoot G1 H1 J1 HIT; shoot I1 SUNK; empty F1 F2 G2 H2 I2 J2
    classic | put J4-J6; shoot J5 J4 HIT; shoot J6 SUNK; empty I3 J3 I4 I5 I6 I7 J7
    classic | put A7-A10; shoot A7 A8 A9 HIT; shoot A10 SUNK; empty A6 B6 B7 B8 B9 B10
"""
    )
    field = field_for("classic")
    field.place(0, 0, 1, 0)
    field.shoot(0)
    assert field.mark[11] == EMPTY
    assert field.shoot(11) == MISS and field.mark[11] == SHOT | EMPTY


# Memory


def test_nothing_is_allocated():
    field = Field()
    fleet = Fleet()
    rng = Rng(14)
    # Loose, tight, lenient, and one that has no placement.
    asked = ((10, 1, 2, 3, 4), (10, 1, 2, 5, 10), (7, 1, 1, 4, 4), (7, 0, 2, 4, 6), (7, 0, 1, 4, 6))
    placed = 0
    refused = 0
    heap_lock()
    try:
        for numbers in asked:
            size, n4, n3, n2, n1 = numbers
            fleet.protocol(size, n4, n3, n2, n1, placed == 3)
            field.reset(fleet)
            placed += field.random(rng)
        refused += field.place(0, 9, 1, 0) == OUT
        refused += field.place(0, 0, 3, 0) == OK
        refused += field.place(0, 1, 2, 0) == TOUCH
        refused += field.remove(1) == 3
    finally:
        heap_unlock()
    assert (placed, refused) == (4, 4)
