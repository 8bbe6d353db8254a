"""The radar: it never accuses an honest field, and each kind of false answer is found."""

from lots import often
from placement import along_wall
from told import answers, each, fleet_of, seen

from seabattle import field, radar, wire
from seabattle.field import HIT, MISS, SUNK, Field
from seabattle.fleet import Fleet
from seabattle.radar import Radar
from seabattle.rng import Rng

CPYTHON_ONLY = (
    "test_accusations_agree_with_all_fields_there_are",
    "test_honest_fields_of_the_protocol_are_never_accused_by_either_reading",
)


def watching(made):
    r = Radar(made.width * made.height)
    r.reset(made)
    return r


def told(r, text):
    """Return the radar's verdict on the last answer; those before have to be true."""
    why = 0
    for cell, result in answers(text, r.width):
        assert why == 0, (text, cell)
        why = r.answer(cell, result)
    return why


def judge(text):
    """Run lines `FLEET | ANSWERS => REASON`; the default fleet is the classic one, the default reason that nothing is
    wrong. Lines that are not indented are titles.
    """

    def otherwise(made, shots):
        shots, _, why = shots.partition("=>")
        said = told(watching(fleet_of(made)), shots)
        return None if said == (getattr(wire, "R_" + why.strip()) if why else 0) else said

    each(text, otherwise)


# An honest field.


def shuffled(n, rng):
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = rng.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def play_honestly(made, games, seed, every_cell, placed=None):
    """Play games with a shooter that takes cells in any order, even those known to be empty if `every_cell`."""
    rng = Rng(seed)
    sea = Field(100)
    r = Radar(100)
    cells = made.width * made.height
    for _ in range(often(games)):
        sea.reset(placed or made)
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
        assert r.won() and r.hits == sea.hits == made.decks and r.wounds == 0
        for length in range(1, 6):
            assert r.afloat(length) == sea.afloat(length) == 0
        for cell in range(cells):
            assert (r.cell[cell] == radar.SUNK) == (sea.ship[cell] != 0)


def test_honest_fields_are_never_accused():
    for text, games in (("classic", 60), ("10x10 5:1 4:1 3:2 2:2 1:2", 25), ("9x7 5:2 2:1 1:1", 40)):
        play_honestly(fleet_of(text), games, 1, True)
        play_honestly(fleet_of(text), games, 2, False)


def test_honest_fields_of_the_protocol_are_never_accused_by_either_reading():
    for size, n4, n3, n2, n1 in ((6, 0, 1, 2, 2), (6, 0, 0, 1, 2), (7, 1, 1, 2, 1), (8, 1, 2, 3, 2), (10, 1, 2, 5, 6)):
        made = [Fleet(), Fleet()]
        for lenient in (False, True):
            made[lenient].protocol(size, n4, n3, n2, n1, lenient)
            play_honestly(made[lenient], 25, size, True)
            play_honestly(made[lenient], 25, size + n2, False)
        # Placed by the lenient reading, judged by the strict one.
        play_honestly(made[0], 12, 5, True, placed=made[1])


# What is known.


def test_what_is_known_after_some_answers():
    for text, *rows in (
        ("C2x D2#", ".eeee.", ".e##e.", ".eeee.", "......"),
        # A miss stays a miss; the walls cut the ring.
        ("A2o B2#", "eee...", "o#e...", "eee...", "......"),
        ("F4#", "......", "......", "....ee", "....e#"),
        ("C2x", ".e.e..", "..x...", ".e.e..", "......"),
        # No ship next to one whose direction is known.
        ("C2x D2x", ".eeee.", "..xx..", ".eeee.", "......"),
    ):
        r = watching(fleet_of("6x4 3:1 2:1 1:1"))
        assert told(r, text) == 0
        assert seen(r) == rows, (text, seen(r))
        marks = "".join(rows)
        assert r.unknown == marks.count(".") and r.wounds == marks.count("x")
        for cell in range(24):
            mark = marks[cell]
            assert r.can_shoot(cell) == (mark == ".")
            assert bool(r.near[cell]) == ("#" in text and mark in "e#o"), (text, cell)
    # How far the earliest wound goes, of several and of those that are left.
    for text, across, down in (
        ("C2x D2x E5x", 2, 1),
        ("C2x C3x F8#", 1, 2),
        ("D2x C2x F8#", 2, 1),
        ("C3x C2x E5x", 1, 2),
    ):
        r = watching(Fleet())
        assert told(r, text) == 0 and (r.across, r.down) == (across, down), text
    r = watching(Fleet())
    assert told(r, "E6x") == 0
    assert (r.wounds, r.wound_x[0], r.wound_y[0]) == (1, 4, 5)


def test_ships_along_a_wall_are_counted_by_both_readings():
    # Lenient: along it; strict: at it.
    r = watching(fleet_of("8x8 2:4 1:4 walls"))
    for text, *counts in (("A1x B1#", 1, 1), ("F1x F2#", 1, 2), ("H5#", 2, 3), ("D5#", 2, 3)):
        assert told(r, text) == 0
        assert [r.walls, r.walls_strict] == counts, text
    along = "A4x A5#, H4x H5#, D1x E1#, D8x E8#"
    at = "A4x B4#, G4x H4#, D1x D2#, D7x D8#"
    beside = "B4x B5#, G4x G5#, D2x E2#, D7x E7#"
    for ships, counts in ((along, [1, 1]), (at, [0, 1]), (beside, [0, 0])):
        for text in ships.split(","):
            r = watching(fleet_of("8x8 2:4 1:4 walls"))
            assert told(r, text) == 0
            assert [r.walls, r.walls_strict] == counts, text


# False answers.


def test_false_answers():
    judge(
        """
Five decks may be hit from both ends; the very last deck may be called hit.
    10x10 5:1 1:1 | A1x E1x B1x D1x C1#
    10x10 5:1 1:1 | F4x J4x G4x I4x H4#
    10x10 5:1 1:1 | J1x J5x J2x J4x J3#
    10x10 5:1 1:1 | E6x E10x E7x E9x E8#
    6x6 2:1 1:1 | A1# D4x D5x
A hit beside a sunk ship, or at the corner of a hit.
    E5x F5# G5x => NEAR_SUNK
    E5# F6# => NEAR_SUNK
    E5x F6x => CORNER
    E5x D6# => CORNER
    E5x D4x => CORNER
    E5x F4x => CORNER
    B7x J5x A6x => CORNER
    I7x A7x J6x => CORNER
    B2x C10x C1x => CORNER
    B9x C1x C10x => CORNER
A bent ship; a hit in water between two others is one too.
    E5x F5x F6x => BENT
    E5x E6x D5# => BENT
    E5x E6x F5x => BENT
    E5x F5x F4x => BENT
    D5x F5x D4x E5x => BENT
    E4x E6x D4x E5x => BENT
A run of hits longer than any ship.
    10x10 3:1 2:4 | C3x D3x F3x E3x => TOO_LONG
More decks than the fleet has: the last one called hit is let pass, being the end of the game; nothing more is.
    6x6 2:1 | A1x B1x E5x => TOO_MANY
Two wounded ships of a length of which there is one; more wounded ships than ships of two decks and more.
    A1x B1x C1x F6x G6x H6x => TOO_MANY
    10x10 3:1 2:1 1:6 | A1x F6x J3x => TOO_MANY
Wounds of unequal length need ships of their own each: the ship of five has decks enough for both, but it is one ship.
    10x10 5:1 1:1 | A1x B1x G7x => TOO_MANY
Wounds that are too far apart for any ship are two; those at the end of a row and the beginning of the next, too.
    10x10 5:1 1:3 | A3x E3x
    10x10 5:1 1:3 | A3x F3x => TOO_MANY
    10x10 5:2 | A3x F3x
    10x10 5:1 1:3 | E3x I3x
    10x10 5:1 1:3 | E3x J3x => TOO_MANY
    10x10 5:2 | E3x J3x
    10x10 5:1 1:3 | C1x C5x
    10x10 5:1 1:3 | C1x C6x => TOO_MANY
    10x10 5:2 | C1x C6x
    10x10 5:1 1:3 | C5x C9x
    10x10 5:1 1:3 | C5x C10x => TOO_MANY
    10x10 5:2 | C5x C10x
    10x10 5:1 1:3 | J5x A6x => TOO_MANY
    10x10 5:1 1:3 | J5x B6x => TOO_MANY
    10x10 5:1 1:3 | J5x C6x => TOO_MANY
    10x10 5:1 1:3 | E10x E1x => TOO_MANY
    10x10 5:1 1:3 | E10x E2x => TOO_MANY
    10x10 5:1 1:3 | E10x E3x => TOO_MANY
    J5x B6o A5o A7o A6x => NOT_SUNK
    E10x D1o F1o E2o E1x => NOT_SUNK
Two hits in a line may be one ship; with water between them they are two.
    10x10 4:1 1:1 | C3x E3x D3x B3#
    10x10 4:1 1:1 | C3x D3o E3x => TOO_MANY
A hit where no longer ship is left, or with water all around, or at both ends of the run.
    10x10 2:3 1:2 | C3x D3x => NOT_SUNK
    10x10 1:3 | C3x => NOT_SUNK
    D5o F5o E4o E6o E5x => NOT_SUNK
    E5x D5o F5o E4o E6o => NOT_SUNK
    D5o E5x F5x G5o => NOT_SUNK
A wound that has room for no length that is left: three cells are free, and there are ships of four only.
    10x10 4:2 | D1o B2o B1x => NOT_SUNK
A wound left over when the only longer ship sinks elsewhere.
    10x10 4:1 3:1 2:1 | F6x G6x H6x A1x B1x D1x C1# => NOT_SUNK
A wound that can only grow into another: one cell of a ship each, and the cell between them is all the room there is.
    10x10 2:3 1:1 | D4o D6o F4o F6o C5o G5o D5x F5x => NOT_SUNK
The last deck called hit while another ship has to be sunk.
    10x10 2:2 | A1x F6x J10o
    10x10 2:2 | A1x F6x J10o A2x => NOT_SUNK
A sunk ship of a length that is used up.
    10x10 3:1 2:1 1:1 | A1# F6# => NO_SUCH_SHIP
    10x10 4:1 2:2 1:1 | A1x C1x B1# => NO_SUCH_SHIP
After the last ship a miss is a miss.
    6x6 1:1 | A1# C3o
Shot before where nobody shot, and where somebody did.
    E5= => NOT_SHOT_BEFORE
    E5# F5= => NOT_SHOT_BEFORE
    E5o E5=
    E5x E5=
    E5# E5=
A better answer than before to the same shot; it may be answered as before or as a miss.
    E5o E5x => CHANGED
    E5o E5# => CHANGED
    E5x E5# => CHANGED
    E5x E5x E5o F5# E5x F5# F5o
More than half of the ships along a wall; one that only ends there is not held against anybody.
    8x8 2:2 1:1 walls | A1x B1# H8# => WALL
    8x8 2:2 1:1 walls | A1x B1# E1x E2# E5#
A wound that can only lie along a wall when no more ships may.
    8x8 2:2 1:1 walls | A1x B1# F2o F1x => NOT_SUNK
    8x8 2:2 1:1 walls | A1# A5x
    8x8 2:2 1:1 walls | A1# A5x B5o => NOT_SUNK
    8x8 2:2 1:1 walls | A1# H5x G5o => NOT_SUNK
    5x4 2:1 1:2 walls | A1# D3x B3o C3o
    5x4 2:1 1:2 walls | A1# D3x B3o C3o D2o => NO_ROOM
    8x8 2:2 1:1 walls | A8# E1x E2o => NOT_SUNK
    8x8 2:2 1:1 walls | A1# E8x E7o => NOT_SUNK
"""
    )


def test_a_field_with_no_room_left_is_found_out():
    # Fewer cells left than decks.
    r = watching(fleet_of("6x6 1:2"))
    assert [r.answer(cell, MISS) for cell in range(35)] == [0] * 34 + [wire.R_NO_ROOM]
    # With every fourth diagonal shot there is no room for a four-deck ship; that is found within a few shots.
    r = watching(Fleet())
    diagonals = [[cell for cell in range(100) if (cell % 10 + cell // 10) % 4 == k] for k in range(4)]
    for cell in diagonals[0]:
        assert r.answer(cell, MISS) in (0, wire.R_NO_ROOM)
    more = 0
    while r.answer(diagonals[2][more], MISS) == 0:
        more += 1
    assert more <= 20 // 4  # lines, of which an answer checks this many


# Compared with all possible fields.


def ships_at(width, height, length):
    """Return every place of a ship as (cells, cells in and around it), each a number with a bit a cell."""

    def bits(left, top, right, below):
        cells = [(x, y) for y in range(max(0, top), min(height, below)) for x in range(max(0, left), min(width, right))]
        return sum([1 << y * width + x for x, y in cells])

    found = []
    for across, down in ((length, 1), (1, length))[: min(length, 2)]:
        for x in range(width - across + 1):
            for y in range(height - down + 1):
                ship = bits(x, y, x + across, y + down)
                found.append((ship, bits(x - 1, y - 1, x + across + 1, y + down + 1)))
    return found


def all_fields(made):
    """Return every legal field as a list of its ships, by the lenient reading if there is a wall rule."""
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
    """Return a field's answer to a shot after those at the cells of `shot`."""
    for ship in ships:
        if ship >> cell & 1:
            return SUNK if ship & ~(shot | 1 << cell) == 0 else HIT
    return MISS


def argue(made, games, seed):
    """Give random answers: the radar may accuse only when no field fits them; when none does it must, in the end.

    Return how many were found at once, and how many only later.
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
    for text in (
        "4x4 2:1 1:1",
        "5x4 3:1 2:1",
        "5x4 2:2 1:1",
        "5x5 3:1 2:1 1:1",
        "5x5 3:1 1:2 walls",
        "5x4 4:1 2:1 1:1 walls",
    ):
        made = fleet_of(text)
        a, b = argue(made, 60, made.width + made.ships)
        at_once += a
        later += b
    # Most lies are found at the very answer.
    assert at_once > 5 * later
