"""The variants of the classic game: their sentences, placing by all of them, and whole games of two computers."""

from lots import CPYTHON, EveryLot, chances, is_even, often
from placement import along_wall

from seabattle import variants as V
from seabattle.classic import BATTLE, NOBODY, OVER
from seabattle.field import HIT, MISS, NONE_LEFT, OUT, OVERLAP, REPEAT, SUNK, TOUCH, WALL
from seabattle.fleet import check
from seabattle.radar import EMPTY, UNKNOWN
from seabattle.radar import HIT as SEEN_HIT
from seabattle.rng import Rng
from seabattle.variants import Rules, VariantField, VariantGunner, VariantRadar, Variants

CPYTHON_ONLY = ("test_where_several_ships_have_too_little_room_that_is_proved_or_the_search_given_up",)

PLAYED = ((10, 10, 0, 1, 2, 3, 4), (6, 6, 0, 0, 1, 2, 2), (15, 15, 1, 2, 3, 4, 5), (7, 12, 2, 1, 1, 1, 3))
ALL = [(corners, bent) for corners in (False, True) for bent in (False, True)]


def rules(*numbers, corners=False, bent=False):
    r = Rules()
    assert r.custom(*numbers, corners, bent) == V.OK
    return r


def empty(r):
    f = VariantField(r.width * r.height)
    f.reset(r)
    return f


def shape_named(*rows):
    """The number of the shape that these rows draw with # for a deck."""
    cells = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]
    for shape in range(V.SHAPES):
        decks = [(V.deck_x(shape, i), V.deck_y(shape, i)) for i in range(V.LENGTH[shape])]
        if sorted(decks) == sorted(cells):
            return shape
    return -1


def ships_of(f):
    """The cells of each ship, found from its decks alone: joined by sides."""
    rest = set(c for c in range(f.cells) if f.ship[c])
    ships = []
    while rest:
        todo = [rest.pop()]
        ship = []
        while todo:
            c = todo.pop()
            ship.append(c)
            for n in around(f, c, False):
                if n in rest:
                    rest.remove(n)
                    todo.append(n)
        ships.append(sorted(ship))
    return ships


def around(f, cell, corners=True):
    x, y = cell % f.width, cell // f.width
    found = []
    for v in (-1, 0, 1):
        for u in (-1, 0, 1):
            if (u or v) and (corners or not (u and v)) and 0 <= x + u < f.width and 0 <= y + v < f.height:
                found.append(cell + v * f.width + u)
    return found


def straight(f, ship):
    return len(set(c % f.width for c in ship)) == 1 or len(set(c // f.width for c in ship)) == 1


def legal(f):
    """Whether a field holds its whole fleet by its rules; asks nothing of the code that placed it but the decks."""
    counts = [0] * 6
    for ship in ships_of(f):
        if len(ship) > 5 or len(set(f.ship[c] for c in ship)) != 1:
            return False
        if not f.rules.bent and not straight(f, ship):
            return False
        counts[len(ship)] += 1
        if not f.rules.corners and any(f.ship[n] and n not in ship for c in ship for n in around(f, c)):
            return False
    return counts == list(f.rules.count)


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


def test_bent_ships_are_refused_where_they_are_not_agreed():
    corner = shape_named("##", "#")
    assert empty(rules(10, 10, 0, 1, 2, 3, 4)).place(corner, 0, 0) == V.BAD_SHAPE
    assert empty(rules(10, 10, 0, 1, 2, 3, 4, bent=True)).place(corner, 0, 0) == V.OK


def test_a_bent_ship_is_named_by_its_cells_in_any_order():
    f = empty(rules(10, 10, 0, 1, 2, 3, 4, bent=True))
    assert f.place_cells([25, 14, 15, 24], 4) == V.OK
    assert [c for c in range(100) if f.ship[c]] == [14, 15, 24, 25]
    assert f.place_cells([50, 52, 51], 3) == V.OK
    assert f.place_cells([70, 72, 73], 3) == V.BAD_SHAPE
    assert f.place_cells([70], 1) == V.OK and f.remove(70) == 1
    assert f.place_cells([9, 10], 2) == V.BAD_SHAPE  # the end of a row and the begin of the next


def test_ships_may_touch_by_corners_only_where_that_is_agreed_and_never_by_sides():
    one = shape_named("#")
    for corners in (False, True):
        f = empty(rules(10, 10, 0, 1, 2, 3, 4, corners=corners))
        assert f.place(one, 3, 3) == V.OK
        assert f.place(one, 4, 4) == (V.OK if corners else TOUCH)
        assert f.place(one, 3, 2) == TOUCH
        assert f.place(one, 3, 3) == OVERLAP
        assert f.place(one, 10, 0) == OUT and f.place(one, 0, -1) == OUT


def test_a_ship_can_be_taken_back_and_no_more_are_placed_than_there_are():
    f = empty(rules(8, 8, 0, 1, 0, 0, 1, bent=True))
    square = shape_named("##", "##")
    assert f.place(square, 0, 0) == V.OK and f.left(4) == 0
    assert f.place(square, 5, 5) == NONE_LEFT
    assert f.remove(9) == 4 and f.left(4) == 1 and f.remove(9) == 0
    assert f.place(square, 1, 1) == V.OK and not f.complete()
    assert f.place(shape_named("#"), 6, 6) == V.OK and f.complete()


def test_the_wall_rule_can_be_combined_with_all_others():
    one = shape_named("#")
    r = Rules()
    assert r.custom(6, 6, 0, 0, 0, 0, 4, walls=True) == V.OK
    f = empty(r)
    assert [f.place(one, x, 0) for x in (0, 2)] == [V.OK, V.OK] and f.along_wall == 2
    assert f.place(one, 4, 0) == WALL
    assert f.remove(0) == 1 and f.along_wall == 1 and f.place(one, 4, 0) == V.OK
    assert f.place(one, 5, 5) == WALL and f.place(one, 3, 3) == V.OK
    for corners, bent in ALL:
        for lenient in (False, True):
            assert r.custom(8, 8, 0, 1, 1, 2, 3, corners, bent, True, lenient) == V.OK
            f = empty(r)
            for seed in range(often(20)):
                assert f.random(Rng(seed))
                along = [s for s in ships_of(f) if along_wall([(c % 8, c // 8) for c in s], 8, 8, lenient)]
                assert len(along) == f.along_wall <= r.ships // 2


def test_of_the_protocols_parameters_it_is_known_exactly_whether_a_placement_exists():
    for lenient in (False, True):
        for n1 in range(1, 11):
            expected = check(6, 1, 2, 0, n1, lenient)
            assert (Rules().custom(6, 6, 0, 1, 2, 0, n1, walls=True, lenient=lenient) == V.NO_ROOM) == (expected != 0)


def test_more_sunk_ships_along_a_wall_than_may_be_are_proof():
    r = Rules()
    assert r.custom(6, 6, 0, 0, 0, 0, 3, walls=True) == V.OK
    radar = VariantRadar(36)
    radar.reset(r)
    assert radar.answer(0, SUNK) == V.OK
    assert radar.answer(12, SUNK) == V.ALONG_WALL
    assert r.custom(6, 6, 0, 0, 0, 0, 3) == V.OK
    radar.reset(r)
    assert [radar.answer(c, SUNK) for c in (0, 12, 24)] == [V.OK] * 3


def test_sunk_ships_are_counted_along_all_four_walls():
    r = Rules()
    for lenient in (False, True):
        assert r.custom(6, 6, 0, 0, 0, 1, 3, walls=True, lenient=lenient) == V.OK
        for third, why in ((2, V.ALONG_WALL), (12, V.ALONG_WALL), (17, V.ALONG_WALL), (32, V.ALONG_WALL), (15, V.OK)):
            radar = VariantRadar(36)
            radar.reset(r)
            assert [radar.answer(cell, SUNK) for cell in (0, 35, third)] == [V.OK, V.OK, why]


def test_a_field_does_not_join_at_its_edges():
    radar = VariantRadar(100)
    radar.reset(rules(10, 10, 0, 1, 2, 3, 4))
    assert [radar.answer(9, HIT), radar.answer(10, SUNK), radar.answer(40, HIT), radar.answer(39, SUNK)] == [V.OK] * 4
    assert radar.cell[9] == radar.cell[40] == SEEN_HIT and radar.afloat(1) == 2


def test_bent_ships_find_room_where_straight_ones_have_none():
    r = Rules()
    assert r.custom(6, 6, 0, 0, 1, 3, 5, walls=True, lenient=True) == V.NO_ROOM
    assert r.custom(6, 6, 0, 0, 1, 3, 5, bent=True, walls=True, lenient=True) == V.OK
    f = empty(r)
    assert f.random(Rng(3)) and legal(f) and f.along_wall <= r.ships // 2


def test_random_placing_is_legal_by_every_mixture_of_rules():
    for corners, bent in ALL:
        for numbers in PLAYED:
            r = rules(*numbers, corners=corners, bent=bent)
            f = empty(r)
            for seed in range(1, 4):
                assert f.random(Rng(seed)), numbers
                assert legal(f), numbers


def test_the_15x15_set_has_a_five_deck():
    r = Rules()
    assert r.large() == V.OK and (r.width, r.height, r.count[5]) == (15, 15, 1)
    f = empty(r)
    assert f.random(Rng(5)) and legal(f)


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


def test_fields_go_from_6x6_to_26x26():
    r = Rules()
    assert r.custom(6, 6, 0, 0, 0, 0, 1) == V.OK and r.custom(5, 6, 0, 0, 0, 0, 1) == V.BAD_SIZE
    assert r.custom(26, 26, 5, 5, 5, 5, 5, False, True) == V.OK
    f = empty(r)
    assert f.random(Rng(2)) and legal(f)
    assert r.custom(26, 27, 5, 5, 5, 5, 5) == V.BAD_SIZE
    assert r.custom(10, 10, 0, 0, 0, 0, 0) == V.BAD_COUNT and r.custom(10, 10, 0, 0, 0, 0, 251) == V.BAD_COUNT


def test_both_agreed_kinds_do_occur_at_random():
    r = rules(10, 10, 0, 1, 2, 3, 4, corners=True, bent=True)
    f = empty(r)
    bent = touching = 0
    for seed in range(1, 9):
        assert f.random(Rng(seed))
        for ship in ships_of(f):
            bent += not straight(f, ship)
            touching += any(f.ship[n] and n not in ship for c in ship for n in around(f, c))
    assert bent and touching


def test_the_rest_is_filled_around_what_stands():
    f = empty(rules(10, 10, 0, 1, 2, 3, 4, bent=True))
    assert f.place_cells([44, 45, 54, 55], 4) == V.OK
    assert f.fill(Rng(4)) and legal(f)
    assert all(f.ship[c] == f.ship[44] for c in (45, 54, 55)) and f.ship[44]


def test_the_rare_placement_on_a_tight_field_is_found():
    # nine one-deck ships fit on 6x6 in few ways; three ships of five stand only in rows, or only in columns
    for numbers in ((6, 6, 0, 0, 0, 0, 9), (6, 6, 3, 0, 0, 0, 0)):
        f = empty(rules(*numbers))
        assert f.random(Rng(3)) and legal(f)


def test_that_there_is_no_placement_is_said():
    r = Rules()
    assert r.custom(6, 6, 0, 0, 0, 0, 13) == V.NO_ROOM
    f = empty(rules(6, 6, 3, 0, 0, 0, 0))
    # a ship down the middle leaves two columns on either side for two ships that stand, and none for a third across
    assert f.place_cells([2, 8, 14, 20, 26], 5) == V.OK
    assert f.place_cells([4, 10, 16, 22, 28], 5) == V.OK
    f.fill_start(Rng(1))
    done = V.BUSY
    while done == V.BUSY:
        done = f.fill_step()
    assert done == V.DONE and legal(f)
    f.clear()
    assert f.place_cells([1, 7, 13, 19, 25], 5) == V.OK
    assert f.place_cells([4, 10, 16, 22, 28], 5) == V.OK
    before = bytes(f.ship)
    f.fill_start(Rng(1))
    done = V.BUSY
    while done == V.BUSY:
        done = f.fill_step()
    assert done == V.IMPOSSIBLE and bytes(f.ship) == before


def filled(f, rng):
    """What filling ends with."""
    f.fill_start(rng)
    done = V.BUSY
    while done == V.BUSY:
        done = f.fill_step()
    return done


class Middle:
    """Lots that try all shapes in turn, always in the middle of where they fit."""

    def __init__(self):
        self.shape = 0

    def below(self, n):
        if n != V.SHAPES:
            return (n - 1) // 2
        self.shape = (self.shape + 1) % n
        return self.shape


def test_a_placement_that_the_lots_never_lead_to_is_searched_for():
    tight = ((True, (6, 6, 0, 3, 2, 0, 0)), (False, (6, 6, 0, 3, 0, 2, 1)))
    for corners, numbers in tight if CPYTHON else ():
        f = empty(rules(*numbers, corners=corners))
        assert filled(f, Middle()) == V.DONE and legal(f)
    # Around these three there is a way only with a ship of one deck on the first cell or the second.
    f = empty(rules(6, 6, 0, 0, 1, 2, 5))
    assert [f.place_cells([cell], 1) for cell in (8, 12, 28)] == [V.OK] * 3
    assert filled(f, Middle()) == V.DONE and legal(f)
    assert f.ship[8] and f.ship[12] and f.ship[28] and (f.ship[0] or f.ship[1])


def test_where_several_ships_have_too_little_room_that_is_proved_or_the_search_given_up():
    # Three ships of five lie side by side, and no fourth; those of three have too many ways to lie to try all of them.
    for length, numbers, answer in ((5, (6, 6, 4, 0, 0, 0, 0), V.IMPOSSIBLE), (3, (6, 6, 0, 0, 5, 0, 0), V.NOT_FOUND)):
        f = empty(rules(*numbers))
        assert filled(f, Rng(1)) == answer
        assert not any(f.ship[:36]) and f.left(length) == sum(numbers[2:])
        # The field can be used as before.
        assert f.place_cells(range(length), length) == V.OK


def test_around_a_sunk_ship_only_what_the_rules_prove_is_known_empty():
    for corners in (False, True):
        f = empty(rules(10, 10, 0, 1, 2, 3, 4, corners=corners, bent=True))
        ship = [33, 34, 43]
        assert f.place_cells(ship, 3) == V.OK
        assert [f.shoot(c) for c in ship] == [HIT, HIT, SUNK]
        ring = set(n for c in ship for n in around(f, c, not corners)) - set(ship)
        assert set(c for c in range(100) if f.mark[c]) == ring | set(ship)
        assert all(f.shoot(c) == REPEAT for c in ring)
        assert f.is_sunk(33) and f.afloat(3) == 0


def test_a_wounded_ship_that_can_lie_nowhere_is_proof():
    radar = VariantRadar(100)
    r = rules(10, 10, 0, 1, 2, 3, 4)
    for answers, why in (
        ([(0, HIT), (1, MISS), (10, MISS)], V.NO_PLACE),
        ([(0, SUNK), (1, REPEAT), (1, MISS)], V.FALSE_REPEAT),
        ([(0, REPEAT)], V.FALSE_REPEAT),
        ([(0, HIT), (11, HIT)], V.NO_PLACE),
        ([(0, HIT), (1, HIT), (2, HIT), (3, HIT)], V.NO_PLACE),
        ([(0, SUNK), (2, SUNK), (4, SUNK), (6, SUNK), (8, SUNK)], V.NO_SUCH_SHIP),
        ([(55, HIT), (66, SUNK)], V.SHIPS_TOUCH),
        ([(50, HIT), (51, HIT), (52, HIT), (53, HIT), (54, HIT)], V.NO_PLACE),
    ):
        radar.reset(r)
        said = [radar.answer(cell, result) for cell, result in answers]
        assert any(said) and [code for code in said if code][0] == why, answers


def test_the_radar_knows_no_more_than_the_answers():
    g = ready(1, 10, 10, 0, 1, 2, 3, 4, corners=True, bent=True)
    other = VariantRadar(100)
    other.reset(g.fleet)
    field = g.fields[1]
    rng = Rng(8)
    while not field.lost():
        cell = rng.below(100)
        result = field.shoot(cell)
        assert other.answer(cell, result) == V.OK
        for c in range(100):
            assert (other.cell[c] == EMPTY) == (field.mark[c] == 2)
            assert (other.cell[c] == SEEN_HIT) == (field.is_hit(c) and not field.is_sunk(c))
    assert other.won() and sum(other.afloat(n) for n in range(1, 6)) == 0


def ready(seed, *numbers, corners=False, bent=False):
    """A game at the start of its battle."""
    g = Variants(Rng(seed), numbers[0] * numbers[1] if numbers[0] * numbers[1] > 100 else 100)
    g.fleet.custom(*numbers, corners, bent)
    g.start()
    for p in (0, 1):
        assert g.random(p) and g.ready(p)
    assert g.stage == BATTLE
    return g


def test_a_hit_gives_another_shot_and_a_miss_passes_the_turn():
    g = ready(3, 10, 10, 0, 1, 2, 3, 4, bent=True)
    first = g.turn
    target = g.fields[1 - first]
    deck = [c for c in range(100) if target.ship[c]][0]
    water = [c for c in range(100) if not target.ship[c]][-1]
    assert g.shoot(first, deck) in (HIT, SUNK) and g.turn == first
    assert g.shoot(first, water) in (MISS, -4)
    while g.turn == first:
        water -= 1
        if not target.ship[water]:
            g.shoot(first, water)
    assert g.last_result == MISS and g.turn == 1 - first


def test_an_answer_that_cannot_be_true_ends_the_game_and_loses_it():
    g = ready(5, 10, 10, 0, 0, 0, 1, 1)
    first = g.turn
    target = g.fields[1 - first]
    hit = [c for c in range(100) if target.ship[c] and target.shape[target.ship[c]] != shape_named("#")][0]
    assert g.shoot(first, hit) == HIT and g.proof == 0
    # a cheat takes the wounded ship away and puts it where it was not shot at
    target.remove(hit)
    one = [c for c in range(100) if target.ship[c]][0]
    target.remove(one)
    assert target.place(shape_named("##"), 0 if hit % 10 > 4 else 7, 0 if hit // 10 > 4 else 9) == V.OK
    cells = [c for c in range(100) if g.radars[first].can_shoot(c) and c in around(target, hit, False)]
    while g.stage == BATTLE:
        if g.turn == first:
            g.shoot(first, cells.pop())
        else:
            other = g.fields[first]
            g.shoot(g.turn, [c for c in range(100) if not other.ship[c] and not other.mark[c]][0])
    assert g.proof == V.NO_PLACE and g.winner == first and not target.lost()


def play(g, seed):
    gunners = [VariantGunner(g.radars[p], Rng(seed + p), g.fields[0].cells) for p in (0, 1)]
    while g.stage != OVER:
        p = g.turn
        cell = gunners[p].aim()
        assert g.radars[p].can_shoot(cell), "shoots twice at a cell"
        assert g.shoot(p, cell) >= 0
    return g


def test_the_gunner_plays_all_variants_to_the_end():
    for corners, bent in ALL:
        fleets = ((15, 15, 1, 2, 3, 4, 5), (8, 6, 0, 1, 1, 1, 2), (10, 10, 0, 1, 2, 3, 4))
        for numbers in fleets if CPYTHON else fleets[1:2]:
            g = play(ready(7, *numbers, corners=corners, bent=bent), 11)
            assert g.winner != NOBODY
            loser = g.fields[1 - g.winner]
            assert loser.lost() and not g.fields[g.winner].lost() and g.radars[g.winner].won()
            assert legal(loser) and max(g.shots) <= loser.cells


def test_the_gunner_finishes_a_wounded_ship_in_all_its_shapes():
    r = rules(10, 10, 0, 1, 2, 3, 4, bent=True)
    radar = VariantRadar(100)
    radar.reset(r)
    radar.answer(44, HIT)
    radar.answer(45, HIT)
    gunner = VariantGunner(radar, Rng(1))
    aims = set(gunner.aim() for _ in range(20))
    assert aims and aims <= set([34, 35, 43, 46, 54, 55])


def test_whoever_calls_everything_a_miss_is_found_out_when_the_cells_left_are_too_few():
    r = rules(6, 6, 0, 0, 1, 1, 2)
    radar = VariantRadar(36)
    radar.reset(r)
    answers = [radar.answer(cell, MISS) for cell in range(36)]
    assert answers.index(V.NO_PLACE) == 36 - r.decks and not any(answers[: 36 - r.decks])


# Where ships may lie, once more in the plainest way.


def places(r):
    """All places of ships by the rules: lists of cells."""
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
    """Whether a ship of this length that has not been hit may lie there."""
    for cell in place:
        if radar.cell[cell] != UNKNOWN:
            return False
    return radar.afloat(len(place)) > 0


def may_be_wounded(radar, place, hits):
    """Whether a wounded ship may lie there: some of it is not shot at yet, and no other ship's deck is beside it."""
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
    """Whether each wound can be of some ship, and the decks that are left have room."""
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
    """By cell: how many ships, each counted by its places, may have a deck there; of those through the last wound
    alone, if there is one."""
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
    for corners, bent in ALL:
        for numbers in ((6, 6, 0, 0, 1, 2, 2), (6, 6, 0, 0, 0, 3, 0), (7, 6, 1, 1, 0, 1, 1)):
            r = rules(*numbers, corners=corners, bent=bent)
            everywhere = places(r)
            radar = VariantRadar(r.width * r.height)
            for _ in range(4):
                radar.reset(r)
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
    # The only way on from the wound in the middle is a cell that has the other wound beside it.
    radar = VariantRadar(81)
    for corners in (False, True):
        r = rules(9, 9, 0, 0, 0, 2, 0, corners=corners)
        for step in (-9, -1, 1, 9):
            radar.reset(r)
            said = [radar.answer(cell, HIT) for cell in (40 + 2 * step, 40)]
            said += [radar.answer(40 + side, MISS) for side in (-9, -1, 1, 9) if side != step]
            assert said == [V.OK, V.OK, V.OK, V.OK, V.NO_PLACE]


def test_the_heat_is_for_how_many_places_of_ships_a_cell_is_a_deck_and_the_hottest_is_shot_at():
    for corners, bent in ALL:
        games = ((3, (6, 6, 0, 0, 1, 2, 2)), (5, (7, 6, 1, 1, 1, 0, 1)), (7, (6, 8, 0, 1, 1, 1, 2)))
        for seed, numbers in games[: often(3)]:
            g = ready(seed, *numbers, corners=corners, bent=bent)
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
                # as often as not a shot elsewhere, so that there are positions of all kinds
                if rng.below(2):
                    cell = open_cells[rng.below(len(open_cells))]
                assert radar.answer(cell, field.shoot(cell)) == V.OK


def test_cells_that_are_equally_good_are_equally_likely_the_first_and_the_last_too():
    r = rules(6, 6, 0, 0, 0, 0, 2)
    radar = VariantRadar(36)
    radar.reset(r)
    left = [0, 1, 20, 35]
    for cell in range(36):
        if cell not in left:
            assert radar.answer(cell, MISS) == V.OK
    lots = EveryLot()
    assert is_even(chances(lots, VariantGunner(radar, lots).aim), left)
