"""The variants of the classic game: their sentences, placing by all of them, and whole games of two computers."""

import field_steps
from lots import EveryLot, chances, is_even, often
from placement import along_wall, faults, is_straight, ships_of
from told import agreed, answers, each, rules

from seabattle import variants as V
from seabattle.classic import BATTLE
from seabattle.field import HIT, MISS, OUT
from seabattle.fleet import check
from seabattle.radar import HIT as SEEN_HIT
from seabattle.radar import UNKNOWN
from seabattle.rng import Rng
from seabattle.variants import Rules, VariantField, VariantGunner, VariantRadar, Variants

CPYTHON_ONLY = (
    "test_answers_are_false_just_where_no_ship_can_be_what_was_hit",
    "test_the_heat_is_for_how_many_places_of_ships_a_cell_is_a_deck_and_the_hottest_is_shot_at",
    "test_where_several_ships_have_too_little_room_that_is_proved_or_the_search_given_up",
    "test_a_placement_that_the_lots_never_lead_to_is_searched_for",
)

CLASSIC = "10x10 4:1 3:2 2:3 1:4"
PLAYED = (CLASSIC, "6x6 3:1 2:2 1:2", "15x15 5:1 4:2 3:3 2:4 1:5", "7x12 5:2 4:1 3:1 2:1 1:3")
MIXTURES = ("", " corners", " bent", " corners bent")


def empty(text):
    r = rules(text)
    f = VariantField(r.width * r.height)
    f.reset(r)
    return f


def watching(text):
    r = rules(text)
    radar = VariantRadar(r.width * r.height)
    radar.reset(r)
    return radar


def hold(text):
    field_steps.hold(text, empty)


def judge(text):
    """Run lines `RULES | ANSWERS => REASON`; without a reason all answers may be true."""

    def otherwise(made, shots):
        shots, _, why = shots.partition("=>")
        radar = watching(made)
        said = [radar.answer(cell, result) for cell, result in answers(shots, radar.width)]
        return None if said == [V.OK] * (len(said) - 1) + [getattr(V, why.strip() or "OK")] else said

    each(text, otherwise)


def shape_named(*rows):
    """Return the number of the shape that these rows draw with # for a deck."""
    cells = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]
    for shape in range(V.SHAPES):
        decks = [(V.deck_x(shape, i), V.deck_y(shape, i)) for i in range(V.LENGTH[shape])]
        if sorted(decks) == sorted(cells):
            return shape
    return -1


def test_the_shapes_are_straight_ones_an_L_of_three_and_four_a_square_and_a_zigzag():
    by_length = [0] * 6
    for shape in range(V.SHAPES):
        by_length[V.LENGTH[shape]] += 1
    lines_and_bent = [0, 1, 2, 2 + 4, 2 + 8 + 1 + 4, 2]
    assert by_length == lines_and_bent
    for rows in (("##", "#"), ("###", "#"), ("##", "##"), ("##", " ##"), (" #", "##", "#"), ("#", "#", "##")):
        assert V.BENT[shape_named(*rows)]
    for rows in (("###", " #"), ("##", "##", "#"), ("# #",)):
        assert shape_named(*rows) == -1


def test_placing_one_by_one():
    hold(
        """
Bent ships are refused where they are not agreed.
    10x10 4:1 3:2 2:3 1:4 | put A1+B1+A2 BAD_SHAPE
    10x10 4:1 3:2 2:3 1:4 bent | put A1+B1+A2
A ship is named by its cells in any order; the end of a row does not join the beginning of the next.
    10x10 4:1 3:2 2:3 1:4 bent | put F3+E2+F2+E3; decks E2 F2 E3 F3; put A6+C6+B6; put A8+C8+D8 BAD_SHAPE
    10x10 4:1 3:2 2:3 1:4 bent | put A8; take A8 1; put J1+A2 BAD_SHAPE
Ships may touch by corners only where that is agreed and never by sides.
    10x10 4:1 3:2 2:3 1:4 | put D4; put E5 D3 TOUCH; put D4 OVERLAP
    10x10 4:1 3:2 2:3 1:4 corners | put D4; put D3 TOUCH; put D4 OVERLAP; put E5
A ship can be taken back and no more are placed than there are.
    8x8 4:1 1:1 bent | put A1+B1+A2+B2; left 1 0 0 0 0; put F6+G6+F7+G7 NONE_LEFT; take B2 4; left 1 0 0 1 0; take B2 0
    8x8 4:1 1:1 bent | put B2+C2+B3+C3; whole no; put G7; whole
The wall rule.
    6x6 1:4 strict | put A1 C1; walls 2; put E1 WALL; take A1 1; walls 1; put E1; put F6 WALL; put D4
The rest is filled around what stands.
    10x10 4:1 3:2 2:3 1:4 bent | put E5+F5+E6+F6; fill; whole
    6x6 3:1 2:2 1:5 | put C2 A3 E5; fill; whole
The rare placement on a tight field is found; ships of five stand only in rows, or only in columns.
    6x6 1:9 | fill
    6x6 5:3 | fill
That there is no placement is said: a ship down the middle leaves two columns on either side for two ships that
stand, and none for a third across.
    6x6 5:3 | put C1-C5 E1-E5; fill
    6x6 5:3 | put B1-B5 E1-E5; fill no
Around a sunk ship only what the rules prove is known empty, and a shot there is a repeat.
    10x10 3:1 1:1 bent | put D4+E4+D5 J10; shoot D4 E4 HIT; empty; shoot D5 SUNK; empty C3-F3 C4 F4 C5 E5 F5 C6-E6
    10x10 3:1 1:1 bent | put D4+E4+D5 J10; shoot D4 E4 HIT; shoot D5 SUNK; shoot C3 D3 F5 E6 D4 REPEAT; afloat 1 0 0 0 0
    10x10 3:1 1:1 bent | put D4+E4+D5 J10; shoot D4 E4 HIT; shoot D5 SUNK; sunk D4 E4 D5; lost no; shoot J10 SUNK; lost
    10x10 3:1 1:1 bent corners | put D4+E4+D5 J10; shoot D4 E4 HIT; shoot D5 SUNK; empty D3 E3 C4 F4 C5 E5 D6
"""
    )
    f = empty(CLASSIC)
    assert f.place(shape_named("#"), 10, 0) == OUT and f.place(shape_named("#"), 0, -1) == OUT


def test_random_placing_is_legal_by_every_mixture_of_rules():
    rng = Rng(1)
    bent = touching = 0
    for mixture in MIXTURES:
        for text in PLAYED + ("26x26 5:5 4:5 3:5 2:5 1:5",):
            f = empty(text + mixture)
            for _ in range(often(3)):
                assert f.random(rng) and not faults(f), text + mixture
        for reading in (" walls", " strict"):
            f = empty("8x8 4:1 3:1 2:2 1:3" + mixture + reading)
            for _ in range(often(20)):
                assert f.random(rng) and not faults(f)
                ships = ships_of(f)
                along = [ship for ship in ships if along_wall(ship, 8, 8, reading == " walls")]
                assert len(along) == f.along_wall <= f.rules.ships // 2
                # Bent ships and touching ones both occur.
                bent += sum([not is_straight(sorted(ship)) for ship in ships])
                touching += f.rules.corners and faults(f, corners=False) != []
    assert bent and touching
    # Bent ships find room where straight ones have none.
    assert agreed(Rules(), "6x6 3:1 2:3 1:5 walls") == V.NO_ROOM
    f = empty("6x6 3:1 2:3 1:5 bent walls")
    assert f.random(Rng(3)) and not faults(f) and f.along_wall <= f.rules.ships // 2


def test_of_the_protocols_parameters_it_is_known_exactly_whether_a_placement_exists():
    for lenient in (False, True):
        for n1 in range(1, 11):
            expected = check(6, 1, 2, 0, n1, lenient)
            assert (Rules().custom(6, 6, 0, 1, 2, 0, n1, walls=True, lenient=lenient) == V.NO_ROOM) == (expected != 0)


def test_false_answers():
    judge(
        """
More sunk ships along a wall than may be are proof, along all four walls.
    6x6 1:3 strict | A1# A3# => ALONG_WALL
    6x6 1:3 | A1# A3# A5#
    6x6 2:1 1:3 walls | A1# F6# C1# => ALONG_WALL
    6x6 2:1 1:3 walls | A1# F6# A3# => ALONG_WALL
    6x6 2:1 1:3 walls | A1# F6# F3# => ALONG_WALL
    6x6 2:1 1:3 walls | A1# F6# C6# => ALONG_WALL
    6x6 2:1 1:3 walls | A1# F6# D3#
    6x6 2:1 1:3 strict | A1# F6# C1# => ALONG_WALL
    6x6 2:1 1:3 strict | A1# F6# A3# => ALONG_WALL
    6x6 2:1 1:3 strict | A1# F6# F3# => ALONG_WALL
    6x6 2:1 1:3 strict | A1# F6# C6# => ALONG_WALL
    6x6 2:1 1:3 strict | A1# F6# D3#
A field does not join at its edges.
    10x10 4:2 1:2 | J1x A2# A5x J4#
A wounded ship that can lie nowhere is proof.
    10x10 4:1 3:2 2:3 1:4 | A1x B1o A2o => NO_PLACE
    10x10 4:1 3:2 2:3 1:4 | A1x B2x => NO_PLACE
    10x10 4:1 3:2 2:3 1:4 | A1x B1x C1x D1x => NO_PLACE
    10x10 4:1 3:2 2:3 1:4 | A6x B6x C6x D6x => NO_PLACE
A repeat where nobody shot, a sunk ship too many, and ships that touch.
    10x10 4:1 3:2 2:3 1:4 | A1= => FALSE_REPEAT
    10x10 4:1 3:2 2:3 1:4 | A1# B1= B1o => FALSE_REPEAT
    10x10 4:1 3:2 2:3 1:4 | A1# C1# E1# G1# I1# => NO_SUCH_SHIP
    10x10 4:1 3:2 2:3 1:4 | F6x G7# => SHIPS_TOUCH
"""
    )
    # A player who answers only misses is found out when too few cells are left.
    radar = watching("6x6 3:1 2:1 1:2")
    said = [radar.answer(cell, MISS) for cell in range(36)]
    assert said.index(V.NO_PLACE) == 36 - 7 and not any(said[: 36 - 7])


def test_what_is_agreed_for_one_game_does_not_hold_for_the_next():
    r = Rules()
    assert list(r.count) == [0, 4, 3, 2, 1, 0] and not (r.corners or r.bent or r.walls)
    for start in (r.classic, r.large, lambda: r.protocol(8, 1, 1, 2, 3)):
        assert r.custom(15, 15, 0, 1, 2, 3, 4, True, True) == V.OK and r.corners and r.bent
        start()
        assert not (r.corners or r.bent)
    assert r.walls and list(r.count) == [0, 3, 2, 1, 1, 0]
    r.large(True)
    assert r.corners and not r.bent and list(r.count) == [0, 5, 4, 3, 2, 1] and not r.walls
    r.large(False, True)
    assert r.bent and not r.corners


def test_fields_go_from_6x6_to_26x26_with_ships_of_up_to_five():
    r = Rules()
    for text, why in (
        ("6x6 1:1", V.OK),
        ("5x6 1:1", V.BAD_SIZE),
        ("26x27 5:5 1:5", V.BAD_SIZE),
        ("10x10", V.BAD_COUNT),
        ("10x10 1:251", V.BAD_COUNT),
        ("6x6 1:13", V.NO_ROOM),
    ):
        assert agreed(r, text) == why, text
    assert r.large() == V.OK and (r.width, r.height, r.count[5]) == (15, 15, 1)


def filled(f, rng):
    """Return the result of filling."""
    f.fill_start(rng)
    done = V.BUSY
    while done == V.BUSY:
        done = f.fill_step()
    return done


class Middle:
    """Random numbers that try all shapes in turn, always in the middle of where they fit."""

    def __init__(self):
        self.shape = 0

    def below(self, n):
        if n != V.SHAPES:
            return (n - 1) // 2
        self.shape = (self.shape + 1) % n
        return self.shape


def test_a_placement_that_the_lots_never_lead_to_is_searched_for():
    f = empty("6x6 4:4 corners")
    assert filled(f, Middle()) == V.DONE and not faults(f)
    # With these three the fleet fits only with a one-deck ship on the first cell or the second.
    f = empty("6x6 3:1 2:2 1:5")
    assert [f.place_cells([cell], 1) for cell in (8, 12, 28)] == [V.OK] * 3
    assert filled(f, Middle()) == V.DONE and not faults(f)
    assert f.ship[8] and f.ship[12] and f.ship[28] and (f.ship[0] or f.ship[1])


def test_where_several_ships_have_too_little_room_that_is_proved_or_the_search_given_up():
    # Three ships of five lie side by side, and no fourth; those of three have too many ways to lie to try all of them.
    for length, number, answer in ((5, 4, V.IMPOSSIBLE), (3, 5, V.NOT_FOUND)):
        f = empty("6x6 %d:%d" % (length, number))
        assert filled(f, Rng(1)) == answer
        assert not any(f.ship[:36]) and f.left(length) == number
        # The field can be used as before.
        assert f.place_cells(range(length), length) == V.OK


def ready(seed, text):
    """Return a game at the start of its battle."""
    g = Variants(Rng(seed), 225)
    assert agreed(g.fleet, text) == V.OK
    g.start()
    for p in (0, 1):
        assert g.random(p) and g.ready(p)
    assert g.stage == BATTLE
    return g


# Where ships may be, by a plain second implementation.


def places(r):
    """Return all places of ships by the rules: lists of cells."""
    found = []
    for shape in range(V.SHAPES):
        decks = [(V.deck_x(shape, i), V.deck_y(shape, i)) for i in range(V.LENGTH[shape])]
        wide = 1 + max(x for x, _ in decks)
        high = 1 + max(y for _, y in decks)
        if r.count[len(decks)] and (r.bent or wide == 1 or high == 1):
            for y in range(r.height - high + 1):
                for x in range(r.width - wide + 1):
                    found.append([(y + v) * r.width + x + u for u, v in decks])
    return found


def hits_of(radar):
    return [cell for cell in range(radar.cells) if radar.cell[cell] == SEEN_HIT]


def is_open(radar, place):
    """Whether an unhit ship may be in this place."""
    for cell in place:
        if radar.cell[cell] != UNKNOWN:
            return False
    return radar.afloat(len(place)) > 0


def may_be_wounded(radar, place, hits):
    """Whether a wounded ship may be there: it has a cell not shot at yet, and no other ship's deck is adjacent."""
    width = radar.width
    unknown = 0
    for cell in place:
        if radar.cell[cell] == UNKNOWN:
            unknown += 1
        elif cell not in hits:
            return False
    if not unknown or not radar.afloat(len(place)):
        return False
    for hit in hits:
        if hit in place:
            continue
        for cell in place:
            u = abs(cell % width - hit % width)
            v = abs(cell // width - hit // width)
            if u + v == 1 or (u == v == 1 and not radar.rules.corners):
                return False
    return True


def can_be_true(radar, everywhere):
    """Whether each wound can belong to some ship, and the remaining decks have room."""
    hits = hits_of(radar)
    for hit in hits:
        possible = False
        for place in everywhere:
            if hit in place and may_be_wounded(radar, place, hits):
                possible = True
                break
        if not possible:
            return False
    unknown = 0
    for cell in range(radar.cells):
        unknown += radar.cell[cell] == UNKNOWN
    return radar.rules.decks - radar.hits <= unknown


def heat_of(radar, everywhere):
    """Return by cell how many places of ships afloat cover it; only those through the last wound, if any."""
    heat = [0] * radar.cells
    hits = hits_of(radar)
    for place in everywhere:
        if (hits[-1] in place and may_be_wounded(radar, place, hits)) if hits else is_open(radar, place):
            for cell in place:
                heat[cell] += radar.afloat(len(place))
    return heat


def test_answers_are_false_just_where_no_ship_can_be_what_was_hit():
    rng = Rng(21)
    false = 0
    for mixture in MIXTURES:
        for text in ("6x6 3:1 2:2 1:2", "6x6 2:3", "7x6 5:1 4:1 2:1 1:1"):
            radar = watching(text + mixture)
            everywhere = places(radar.rules)
            for _ in range(4):
                radar.reset(radar.rules)
                said = V.OK
                while said == V.OK:
                    cell = rng.below(radar.cells)
                    if radar.can_shoot(cell):
                        said = radar.answer(cell, MISS if rng.below(4) else HIT)
                        assert (said == V.OK) == can_be_true(radar, everywhere)
                assert said == V.NO_PLACE
                false += 1
    assert false


def test_a_wound_between_misses_and_another_ship_is_proof_on_whichever_side_that_is():
    # The only way on from the wound in the middle is a cell next to the other wound.
    for mixture in MIXTURES[:2]:
        for step in (-9, -1, 1, 9):
            radar = watching("9x9 2:2" + mixture)
            said = [radar.answer(cell, HIT) for cell in (40 + 2 * step, 40)]
            said += [radar.answer(40 + side, MISS) for side in (-9, -1, 1, 9) if side != step]
            assert said == [V.OK, V.OK, V.OK, V.OK, V.NO_PLACE]


def test_the_heat_is_for_how_many_places_of_ships_a_cell_is_a_deck_and_the_hottest_is_shot_at():
    for mixture in MIXTURES:
        games = ((3, "6x6 3:1 2:2 1:2"), (5, "7x6 5:1 4:1 3:1 1:1"), (7, "6x8 4:1 3:1 2:1 1:2"))
        for seed, text in games[: often(3)]:
            g = ready(seed, text + mixture)
            everywhere = places(g.fleet)
            radar = g.radars[0]
            field = g.fields[1]
            rng = Rng(seed)
            gunner = VariantGunner(radar, rng, field.cells)
            while not field.lost():
                gunner.aim_start()
                cell = V.BUSY
                while cell == V.BUSY:
                    cell = gunner.aim_step()
                heat = heat_of(radar, everywhere)
                assert list(gunner.heat[: radar.cells]) == heat
                open_cells = [c for c in range(radar.cells) if radar.can_shoot(c)]
                most = max(heat[c] for c in open_cells)
                best = [c for c in open_cells if heat[c] == most]
                assert cell in best
                lots = EveryLot()
                found = chances(lots, VariantGunner(radar, lots, field.cells).aim, 24)
                assert found is None or is_even(found, best)
                # half of the shots are elsewhere, so that there are positions of all kinds
                if rng.below(2):
                    cell = open_cells[rng.below(len(open_cells))]
                assert radar.answer(cell, field.shoot(cell)) == V.OK


def test_cells_that_are_equally_good_are_equally_likely_the_first_and_the_last_too():
    radar = watching("6x6 1:2")
    left = [0, 1, 20, 35]
    for cell in range(36):
        if cell not in left:
            assert radar.answer(cell, MISS) == V.OK
    lots = EveryLot()
    assert is_even(chances(lots, VariantGunner(radar, lots).aim), left)
