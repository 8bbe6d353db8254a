"""Salvo: the sentences of its rules, and whole games of two computers."""

from lots import EveryLot, chances, is_even
from told import cell_of, go

from seabattle import salvo as S
from seabattle.rng import Rng
from seabattle.salvo import DRAW, NONE, OK, Salvo
from seabattle.salvo_gunner import SalvoGunner

CPYTHON_ONLY = ("test_in_every_round_the_heat_is_what_the_record_allows_and_the_hottest_cells_are_fired_at",)


def fresh():
    return Salvo(Rng(1))


def ready():
    """Return a game with both fleets pointing east from column A, the ships in rows 1, 3, 5, 7 and 9."""
    g = fresh()
    for p in (0, 1):
        for ship in range(5):
            assert g.place(p, ship, 0, 2 * ship, S.EAST) == OK
    return g


def hold(text):
    """Run lines `STEP; STEP ...`, each a game that begins with the fleets of ready(), or
    `fresh | STEP ...`, one in which nothing was placed.

    0 places 4 A9 EAST    an order of player 0, followed by the result if it is not OK: also removes, aims, unaims,
                          fires (at cells, or at those aimed at), withdraws; `1 waits` is a shot into the water
    both fire A1          a round in which both fire at these cells
    = round 2             what the game knows; 0 = hits 2 1 0 0 0 what the view of player 0 does
    """

    def step(g, words):
        if words[0] == "both":
            return ordered(g, 0, "fires", words[2:]) or ordered(g, 1, "fires", words[2:])
        if words[0] == "=":
            return known(g, words[1], words[2:])
        if words[1] == "=":
            return seen(g, int(words[0]), words[2], words[3:])
        return ordered(g, int(words[0]), words[1], words[2:])

    go(text, lambda beginning: fresh() if beginning == "fresh" else ready(), step)


def ordered(g, player, verb, words):
    want = OK
    if words and hasattr(S, words[-1]) and words[-1] not in WAYS:
        want = getattr(S, words.pop())
    cells = bytes([cell_of(word) for word in words if word[1:].isdigit()])
    if verb == "waits":
        cells = bytes([c for c in range(99, -1, -10) if not g.views[player].fired[c]][:1])
        said = g.fire_at(player, cells, 1)
    elif verb == "fires":
        said = g.fire_at(player, cells, len(cells)) if cells else g.fire(player)
    elif verb in ("places", "may"):
        x, y = cells[0] % 10, cells[0] // 10
        place = g.place if verb == "places" else g.may_place
        said = place(player, int(words[0]), x, y, getattr(S, words[2]))
    elif verb == "removes":
        said = g.remove(player, int(words[0]))
    elif verb == "withdraws":
        said = g.withdraw(player)
    else:
        said = (g.aim if verb == "aims" else g.unaim)(player, cells[0])
    return None if said == want else said


WAYS = ("EAST", "SOUTH", "SOUTH_EAST", "SOUTH_WEST")


def known(g, name, words):
    """Facts of the last round: `record 0 3 3 1` the shots, hits and sunk ship of a player, 9 for none."""
    if name == "record":
        p, r = int(words[0]), g.round - 2
        sunk = g.sinkings_in[p][r]
        found = [g.shots_in[p][r], g.hits_in[p][r], [s for s in range(5) if sunk == 1 << s][0] if sunk else 9]
        return None if found == [int(word) for word in words[1:]] else found
    found = getattr(g, name)
    return None if found == (int(words[0]) if words[0].isdigit() else getattr(S, words[0])) else found


def seen(g, player, name, words):
    view = g.views[player]
    if name == "decks":  # of a ship, its cells
        found = [c for c in range(100) if view.own[c] == int(words[0])]
        return None if found == sorted([cell_of(word) for word in words[1:]]) else found
    if name in ("fired", "received"):  # in which round, by cell; nowhere else
        shots = view.fired if name == "fired" else view.received
        found = dict([(c, shots[c]) for c in range(100) if shots[c]])
        return None if found == dict(zip([cell_of(w) for w in words[::2]], [int(w) for w in words[1::2]])) else found
    if name == "struck":  # which ship, by cell; nowhere else
        found = dict([(c, view.struck[c]) for c in range(100) if view.struck[c] != NONE])
        return None if found == dict(zip([cell_of(w) for w in words[::2]], [int(w) for w in words[1::2]])) else found
    found = {
        "guns": lambda: [view.guns()],
        "hits": lambda: [view.hits_on(ship) for ship in range(5)],
        "sunk": lambda: list(view.sunk_in),
        "lost": lambda: list(view.own_sunk_in),
        "damage": lambda: list(view.own_hits),
        "round": lambda: [view.round],
    }[name]()
    return None if found == [int(word) for word in words] else found


def test_10x10_and_five_ships_with_their_cells_and_guns():
    assert S.SIZE == 10
    assert list(zip(S.NAMES, S.LENGTHS, S.GUNS)) == [
        ("carrier", 5, 2),
        ("battleship", 4, 1),
        ("cruiser", 3, 1),
        ("submarine", 3, 1),
        ("destroyer", 2, 1),
    ]


def test_placing():
    hold(
        """
Ships lie across, down or diagonally.
    fresh | 0 places 0 A1 SOUTH_EAST; 0 = decks 0 A1 B2 C3 D4 E5; 0 places 1 J1 SOUTH_WEST; 0 = decks 1 J1 I2 H3 G4
    fresh | 0 places 2 A8 SOUTH; 0 = decks 2 A8 A9 A10; 0 places 3 F10 EAST; 0 = decks 3 F10 G10 H10
They stay on the board.
    fresh | 0 places 0 G1 EAST OFF_FIELD; 0 places 0 A7 SOUTH OFF_FIELD; 0 places 0 G1 SOUTH_EAST OFF_FIELD
    fresh | 0 places 0 D1 SOUTH_WEST OFF_FIELD; 0 places 0 A7 SOUTH_WEST OFF_FIELD; 0 places 0 E1 SOUTH_WEST
They may not touch nor cross.
    fresh | 0 places 0 C3 SOUTH_EAST; 0 may 4 C3 EAST TOUCHES; 0 may 4 B2 SOUTH TOUCHES; 0 may 4 C4 EAST TOUCHES
    fresh | 0 places 0 C3 SOUTH_EAST; 0 may 4 D3 SOUTH_WEST TOUCHES; 0 may 4 E3 SOUTH_WEST TOUCHES
    fresh | 0 places 0 C3 SOUTH_EAST; 0 may 4 H8 EAST TOUCHES; 0 places 4 I7 SOUTH; 0 places 4 A1 EAST PLACED
Those far from each other do not touch in whatever order they are placed.
    fresh | 0 places 0 A10 EAST; 0 places 1 A6 EAST; 0 places 2 A1 EAST; 0 places 3 A8 EAST; 0 places 4 A3 EAST
    fresh | 0 places 0 J1 SOUTH; 0 places 1 F1 SOUTH; 0 places 2 A1 SOUTH; 0 places 3 H1 SOUTH; 0 places 4 C1 SOUTH
A ship is taken off again, as long as ships are placed.
    fresh | 0 removes 0 NOT_NOW; 0 places 0 A1 EAST; 0 removes 0; 0 = decks 0; 0 places 0 A1 SOUTH
    0 removes 0 NOT_NOW; 0 = decks 0 A1 B1 C1 D1 E1; = stage FIRING
"""
    )
    # The battle begins when both fleets are complete, whoever is first.
    for first in (0, 1):
        g = fresh()
        for player in (first, 1 - first):
            assert g.stage == S.PLACING and g.round == 0
            for ship in range(5):
                assert g.place(player, ship, 0, 2 * ship, S.EAST) == OK
        assert g.stage == S.FIRING and g.round == 1


class Stuck:
    """Random numbers that place every ship in the same corner for this many draws; fair ones afterwards."""

    def __init__(self, draws):
        self.draws = draws
        self.fair = Rng(1)

    def below(self, n):
        self.draws -= 1
        return 0 if self.draws >= 0 else self.fair.below(n)


# Four ships that leave no place for the carrier, or one column if the destroyer is one cell further left.
TIGHT = (1, 4, 0, S.SOUTH), (2, 4, 6, S.SOUTH), (3, 0, 4, S.EAST)


def test_what_has_no_room_is_said_and_what_has_little_is_found_with_nothing_moved():
    for x, room in ((7, False), (6, True)):
        for lots in (Stuck(10**6), Rng(5)):
            g = Salvo(lots)
            for ship, column, row, direction in TIGHT + ((4, x, 4, S.EAST),):
                assert g.place(0, ship, column, row, direction) == OK
            before = list(g.views[0].own)
            assert g.fill(0) is room
            assert [NONE if ship == 0 else ship for ship in g.views[0].own] == before
            g.clear(0)
            assert set(g.views[0].own) == {NONE}


def test_random_placements_are_legal_start_over_when_stuck_and_keep_what_stands():
    for lots in [Stuck(2000)] + [Rng(seed) for seed in range(1, 40)]:
        g = Salvo(lots)
        assert g.place(0, 4, 0, 0, S.EAST) == OK
        assert g.fill(0)
        assert g.placed(0) and g.stage == S.PLACING
        own = g.views[0].own
        assert own[0] == own[1] == 4
        assert [list(own).count(ship) for ship in range(5)] == list(S.LENGTHS)
        for c in range(100):
            for near in [c + dx + 10 * dy for dx in (-1, 0, 1) for dy in (-1, 0, 1) if 0 <= c % 10 + dx < 10]:
                if own[c] != NONE and 0 <= near < 100:
                    assert own[near] in (NONE, own[c])


def test_a_battle():
    hold(
        """
Rounds are numbered from 1; both boards keep the round of every shot.
    = round 1; 0 fires B10; = round 1; 1 waits; = round 2; 0 = round 2; both fire C10; = round 3; 1 = round 3
    0 fires B10; 1 waits; 0 fires C10; 1 waits; 0 = fired B10 1 C10 2; 1 = received B10 1 C10 2; 0 = received J10 1 J9 2
As many shots as the guns of the unsunk ships, or fewer.
    0 = guns 6; 0 fires A10 B10 C10 D10 E10 F10 G10 TOO_MANY; 0 fires A1 B1 C1 D1 E1; 1 waits; 1 = guns 4; 0 = guns 6
A bad salvo is refused whole with the reason.
    0 fires A10 B10 B10 FIRED_AT; 0 fires A10 B10; 1 waits; 0 fires C10 B10 FIRED_AT; 0 fires C10
A salvo can be aimed cell by cell and taken back; an empty one is none.
    0 aims J10; 0 aims J10 FIRED_AT; 0 unaims J10; 0 unaims J10 NOT_NOW; 0 fires NOT_NOW; 0 aims I10; 0 fires
Who has fired waits and the salvo stays as it was.
    0 fires A1 B1 C1; 0 fires F10 NOT_NOW; 0 fires NOT_NOW; 0 aims F6 NOT_NOW; 1 waits; = record 0 3 3 9
    0 fires A1 B1 C1; 0 unaims A1 NOT_NOW; 1 waits; = record 0 3 3 9
Both salvos are resolved at once: the sunk destroyer still fires.
    0 fires A9 B9; 0 = hits 0 0 0 0 0; 1 = damage 0 0 0 0 0; 1 fires A9 B9; 0 = sunk 0 0 0 0 1; 1 = sunk 0 0 0 0 1
A player learns which ship was hit how often but not by which shot: the cells look the same.
    0 fires A1 C1 A3 J10 I10; 1 waits; 0 = hits 2 1 0 0 0; 0 = fired A1 1 C1 1 A3 1 J10 1 I10 1; 0 = struck
Of the shots received it learns cell, round and the own ship hit.
    1 waits; 0 fires A1 A3 J10; 1 = received A1 1 A3 1 J10 1; 1 = struck A1 0 A3 1; 1 = damage 1 1 0 0 0
The record of a round holds shots, hits and sinkings.
    0 fires A9 B9 A1; 1 waits; = record 0 3 3 4; = record 1 1 0 9; = stage FIRING; = outcome OPEN; 1 = lost 0 0 0 0 1
"""
    )
    g = ready()
    assert g.fire_at(0, bytes([90, 100]), 2) == S.OFF_FIELD and g.aimed[0] == 0 and not g.fired[0]


ROUNDS = "%s A1 B1 C1 D1 E1; %s; %s A3 B3 C3 D3; %s; %s A5 B5 C5; %s; %s A7 B7 C7; %s; %s A9 B9; %s"
"""One side sinks ship after ship; the orders of both are filled in."""


def test_how_it_ends():
    wins = [ROUNDS % (("%d fires" % p, "%d waits" % (1 - p)) * 5) for p in (0, 1)]
    hold("    %s; = outcome WON_BY_0; = stage OVER" % wins[0])
    hold("    %s; = outcome WON_BY_1; = how BY_SINKING; = stage OVER; 0 fires J1 NOT_NOW" % wins[1])
    # Both in the same round is a draw: rounds of one shot keep both fleets level.
    g = ready()
    decks = [c for c in range(100) if g.views[0].own[c] != NONE]
    for c in decks:
        for p in (0, 1):
            assert g.outcome == S.OPEN and g.fire_at(p, bytes([c]), 1) == OK
    assert g.outcome == DRAW and g.round == 17
    hold(
        """
Withdrawing loses.
    0 withdraws; = outcome WON_BY_1; = how BY_WITHDRAWAL; 1 withdraws NOT_NOW
    fresh | 1 withdraws; = outcome WON_BY_0
"""
    )
    # A new game does not know how the last one ended; an internal failure ends one as abandoned.
    assert g.withdraw(0) == S.NOT_NOW
    g.start()
    assert (g.how, g.stage, g.outcome, g.round) == (S.BY_SINKING, S.PLACING, S.OPEN, 0)
    assert g.withdraw(0) == OK and g.how == S.BY_WITHDRAWAL
    g.start()
    assert g.how == S.BY_SINKING
    assert g.abandon() == OK and g.outcome == S.ABANDONED and g.how == S.BY_FAILURE


# Where the computer fires, compared with the simplest way to find the same cells.

STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))


def places(view, ship):
    """Return every place of an enemy ship in which the cells fired at in each round equal its hits of that round."""
    found = []
    rounds = range(1, view.round + 1)
    hits = [view.hits[ship * S.ROUNDS_MAX + r - 1] for r in rounds]
    for cell in range(100):
        for dx, dy in STEPS:
            x, y = cell % 10 + dx * (S.LENGTHS[ship] - 1), cell // 10 + dy * (S.LENGTHS[ship] - 1)
            if 0 <= x < 10 and y < 10:
                place = [cell + i * (dx + 10 * dy) for i in range(S.LENGTHS[ship])]
                known = [view.fired[c] for c in place]
                if [known.count(r) for r in rounds] == hits:
                    found.append(place)
    return found


def likely(view):
    """Return by cell the expected number of ships afloat, all places being equally likely; 0 where was fired."""
    expected = [0] * 100
    for ship in range(5):
        if not view.sunk_in[ship]:
            possible = places(view, ship)
            for place in possible:
                for c in place:
                    if not view.fired[c]:
                        expected[c] += 1 / len(possible)
    return expected


def check_heat(gunner, view):
    """Check that the heat equals likely(), in parts of one ship, up to rounding."""
    expected = likely(view)
    for c in range(100):
        assert abs(gunner.heat[c] / 2**20 - expected[c]) < 0.001


def check_salvo(gunner, view, n):
    """Check a salvo: as many cells as guns, or as are left; no cell twice, no hotter one left out."""
    cells = list(gunner.cells[:n])
    left = [c for c in range(100) if not view.fired[c]]
    assert n == min(view.guns(), len(left)) == len([c for c in left if c in cells])
    coolest = min([gunner.heat[c] for c in cells])
    assert all([gunner.heat[c] <= coolest for c in left if c not in cells])


def test_in_every_round_the_heat_is_what_the_record_allows_and_the_hottest_cells_are_fired_at():
    g = Salvo(Rng(3))
    g.fill(0)
    g.fill(1)
    gunners = [SalvoGunner(g.views[p], Rng(p + 7)) for p in (0, 1)]
    while g.stage == S.FIRING:
        for p in (0, 1):
            n = gunners[p].aim()
            check_heat(gunners[p], g.views[p])
            check_salvo(gunners[p], g.views[p], n)
            g.fire_at(p, gunners[p].cells, n)
    assert g.round > 5


def seen_by_one(guns, *left):
    """Return the view of a player who fired at all cells but these, and hit and sunk every ship but the destroyer."""
    view = S.View()
    view.stage = S.FIRING
    view.round = 2
    for c in range(100):
        view.fired[c] = 0 if c in left else 1
    for ship in range(4):
        view.sunk_in[ship] = 1
        view.hits[ship * S.ROUNDS_MAX] = S.LENGTHS[ship]
    for ship in range(6 - guns):
        view.own_sunk_in[4 - ship] = 1
    return view


def salvos(view):
    """Return the probability of each salvo, as its cells in the order in which they are found."""
    lots = EveryLot()
    gunner = SalvoGunner(view, lots)

    def choose():
        n = gunner.aim()
        check_heat(gunner, view)
        check_salvo(gunner, view, n)
        return tuple(gunner.cells[:n])

    return chances(lots, choose)


def test_cells_that_are_equally_likely_are_chosen_among_by_lot():
    assert is_even(salvos(seen_by_one(2, 0, 1, 10)), [(0, 1), (0, 10), (1, 0), (1, 10), (10, 0), (10, 1)])
    assert is_even(salvos(seen_by_one(2, 96, 97, 98, 99)), [(97, 98), (98, 97)])
    assert is_even(salvos(seen_by_one(3, 9, 19, 29, 39)), [(19, 29, 9), (19, 29, 39), (29, 19, 9), (29, 19, 39)])
    assert is_even(salvos(seen_by_one(2, 9, 18, 50)), [(9, 18), (18, 9)])


def test_fewer_cells_than_guns_are_fired_at_when_no_more_are_left():
    assert is_even(salvos(seen_by_one(6, 8, 19)), [(8, 19), (19, 8)])
    assert is_even(salvos(seen_by_one(6, 0, 1, 55)), [(0, 1, 55), (1, 0, 55)])
