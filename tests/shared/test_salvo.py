"""Salvo: the sentences of its rules, one test each, and whole games of two computers."""

from lots import EveryLot, chances, is_even, often

from seabattle import salvo as S
from seabattle.rng import Rng
from seabattle.salvo import DRAW, NONE, OK, OVER, WON_BY_0, WON_BY_1, Salvo
from seabattle.salvo_gunner import SalvoGunner


def fresh():
    return Salvo(Rng(1))


def ready(rows=(0, 2, 4, 6, 8)):
    """Both fleets lie eastward from column A, the ships in these rows."""
    g = fresh()
    for p in (0, 1):
        for ship in range(5):
            assert g.place(p, ship, 0, rows[ship], S.EAST) == OK
    return g


def row(y, *columns):
    return bytes([y * 10 + x for x in columns])


def quiet(g, player):
    """A salvo of one shot into water, column J upward from the bottom; it hits nothing in ready()."""
    cell = next(c for c in range(99, -1, -10) if not g.views[player].fired[c])
    assert g.fire_at(player, bytes([cell]), 1) == OK


def test_10x10_and_five_ships_with_their_cells_and_guns():
    assert S.SIZE == 10
    assert list(zip(S.NAMES, S.LENGTHS, S.GUNS)) == [
        ("carrier", 5, 2),
        ("battleship", 4, 1),
        ("cruiser", 3, 1),
        ("submarine", 3, 1),
        ("destroyer", 2, 1),
    ]


def test_ships_lie_across_down_or_diagonally():
    g = fresh()
    assert g.place(0, 0, 0, 0, S.SOUTH_EAST) == OK
    assert [c for c in range(100) if g.views[0].own[c] == 0] == [0, 11, 22, 33, 44]
    assert g.place(0, 1, 9, 0, S.SOUTH_WEST) == OK
    assert [c for c in range(100) if g.views[0].own[c] == 1] == [9, 18, 27, 36]
    assert g.place(0, 2, 0, 7, S.SOUTH) == OK
    assert g.place(0, 3, 5, 9, S.EAST) == OK


def test_ships_stay_on_the_board():
    g = fresh()
    outside = ((6, 0, S.EAST), (0, 6, S.SOUTH), (6, 0, S.SOUTH_EAST), (3, 0, S.SOUTH_WEST), (0, 6, S.SOUTH_WEST))
    for x, y, way in outside:
        assert g.place(0, 0, x, y, way) == S.OFF_FIELD
    assert g.place(0, 0, 4, 0, S.SOUTH_WEST) == OK


def test_ships_may_not_touch_nor_cross():
    g = fresh()
    g.place(0, 0, 2, 2, S.SOUTH_EAST)
    straight = ((2, 2, S.EAST), (1, 1, S.SOUTH), (2, 3, S.EAST), (7, 7, S.EAST))
    for x, y, way in straight + ((3, 2, S.SOUTH_WEST), (4, 2, S.SOUTH_WEST)):
        assert g.may_place(0, 4, x, y, way) == S.TOUCHES, (x, y, way)
    assert g.place(0, 4, 8, 6, S.SOUTH) == OK
    assert g.place(0, 4, 0, 0, S.EAST) == S.PLACED


def test_ships_far_from_each_other_do_not_touch_in_whatever_order_they_are_placed():
    g = fresh()
    for ship, y in ((0, 9), (1, 5), (2, 0), (3, 7), (4, 2)):
        assert g.place(0, ship, 0, y, S.EAST) == OK, y
    g = fresh()
    for ship, x in ((0, 9), (1, 5), (2, 0), (3, 7), (4, 2)):
        assert g.place(0, ship, x, 0, S.SOUTH) == OK, x


def test_the_battle_begins_when_both_fleets_are_whole_whoever_is_first():
    for first in (0, 1):
        g = fresh()
        for player in (first, 1 - first):
            assert g.stage == S.PLACING and g.round == 0
            for ship in range(5):
                assert g.place(player, ship, 0, 2 * ship, S.EAST) == OK
        assert g.stage == S.FIRING and g.round == 1
        assert g.remove(0, 0) == S.NOT_NOW and g.views[0].own[0] == 0
    g = fresh()
    assert g.remove(0, 0) == S.NOT_NOW


class Stuck:
    """Lots that place every ship in the same corner, for so many draws; fair ones afterwards."""

    def __init__(self, draws):
        self.draws = draws
        self.fair = Rng(1)

    def below(self, n):
        self.draws -= 1
        return 0 if self.draws >= 0 else self.fair.below(n)


def test_a_random_placement_that_gets_stuck_starts_over():
    g = Salvo(Stuck(2000))
    g.fill(0)
    assert g.placed(0)
    own = list(g.views[0].own)
    assert [own.count(ship) for ship in range(5)] == list(S.LENGTHS)


def test_one_by_one_remove_and_fill_the_rest():
    g = fresh()
    g.place(0, 0, 0, 0, S.EAST)
    assert g.remove(0, 0) == OK and g.views[0].own[0] == NONE
    g.place(0, 0, 0, 0, S.EAST)
    g.fill(0)
    assert g.placed(0) and g.stage == S.PLACING
    assert [c for c in range(100) if g.views[0].own[c] == 0] == [0, 1, 2, 3, 4]


def test_random_placements_are_legal():
    for seed in range(1, 40):
        g = Salvo(Rng(seed))
        g.fill(0)
        own = g.views[0].own
        for c in range(100):
            if own[c] != NONE:
                for dy in (-1, 0, 1):
                    for dx in (-1, 0, 1):
                        x, y = c % 10 + dx, c // 10 + dy
                        if 0 <= x < 10 and 0 <= y < 10:
                            assert own[y * 10 + x] in (NONE, own[c])
        assert sorted(own)[:17] == [0] * 5 + [1] * 4 + [2] * 3 + [3] * 3 + [4] * 2


def test_rounds_are_numbered_from_1():
    g = ready()
    for r in (1, 2, 3):
        assert g.round == r == g.views[1].round
        quiet(g, 0)
        assert g.round == r
        quiet(g, 1)
    assert g.round == 4


def test_as_many_shots_as_the_guns_of_the_unsunk_ships():
    g = ready()
    assert g.views[0].guns() == 6
    assert g.fire_at(0, row(9, 0, 1, 2, 3, 4, 5, 6), 7) == S.TOO_MANY
    assert g.fire_at(0, row(0, 0, 1, 2, 3, 4), 5) == OK  # the other's carrier, and fewer than all guns
    quiet(g, 1)
    assert g.views[1].guns() == 4 and g.views[0].guns() == 6


def test_a_bad_salvo_is_refused_whole_with_the_reason():
    g = ready()
    assert g.fire_at(0, row(9, 0, 1, 1), 3) == S.FIRED_AT
    assert g.fire_at(0, bytes([90, 100]), 2) == S.OFF_FIELD
    assert g.aimed[0] == 0 and not g.fired[0]
    assert g.fire_at(0, row(9, 0, 1), 2) == OK
    quiet(g, 1)
    assert g.fire_at(0, row(9, 2, 1), 2) == S.FIRED_AT
    assert not any(g.views[0].fired[92:93]) and g.fire_at(0, row(9, 2), 1) == OK


def test_a_salvo_can_be_aimed_cell_by_cell_and_taken_back():
    g = ready()
    assert g.aim(0, 99) == OK and g.aim(0, 99) == S.FIRED_AT
    assert g.unaim(0, 99) == OK and g.unaim(0, 99) == S.NOT_NOW
    assert g.fire(0) == S.NOT_NOW  # an empty salvo
    g.aim(0, 98)
    assert g.fire(0) == OK and g.fire(0) == S.NOT_NOW and g.aim(0, 97) == S.NOT_NOW


def test_who_has_fired_waits_and_the_salvo_stays_as_it_was():
    g = ready()
    assert g.fire_at(0, row(0, 0, 1, 2), 3) == OK
    assert g.fire_at(0, row(9, 5), 1) == S.NOT_NOW
    assert g.fire(0) == S.NOT_NOW and g.aim(0, 55) == S.NOT_NOW and g.unaim(0, 0) == S.NOT_NOW
    quiet(g, 1)
    assert g.shots_in[0][0] == 3 and g.hits_in[0][0] == 3


def test_both_salvos_are_resolved_at_once():
    g = ready()
    g.fire_at(0, row(8, 0, 1), 2)  # sinks the destroyer
    assert g.views[0].hits_on(4) == 0 and g.views[1].own_hits[4] == 0  # nobody knows yet
    g.fire_at(1, row(8, 0, 1), 2)  # which still fires
    assert g.views[0].sunk_in[4] == 1 and g.views[1].sunk_in[4] == 1


def test_a_player_learns_which_ship_was_hit_how_often_but_not_by_which_shot():
    g = ready()
    g.fire_at(0, bytes([0, 2, 20, 99, 98]), 5)
    quiet(g, 1)
    view = g.views[0]
    assert [view.hits_on(s) for s in range(5)] == [2, 1, 0, 0, 0]
    # Everything in the view that speaks of single cells is the same for a hit and for a miss.
    assert [view.fired[c] for c in (0, 2, 20, 99, 98)] == [1] * 5
    assert all(view.received[c] == 0 and view.struck[c] == NONE for c in (0, 2, 20))


def test_of_the_shots_received_it_learns_cell_round_and_the_own_ship_hit():
    g = ready()
    quiet(g, 1)
    g.fire_at(0, bytes([0, 20, 99]), 3)
    view = g.views[1]
    assert [view.received[c] for c in (0, 20, 99)] == [1, 1, 1]
    assert [view.struck[c] for c in (0, 20, 99)] == [0, 1, NONE]
    assert list(view.own_hits) == [1, 1, 0, 0, 0]


def test_both_boards_keep_the_round_number_of_every_shot():
    g = ready()
    for r in (1, 2, 3):
        g.fire_at(0, bytes([90 + r]), 1)
        quiet(g, 1)
    assert [g.views[0].fired[90 + r] for r in (1, 2, 3)] == [1, 2, 3]
    assert [g.views[1].received[90 + r] for r in (1, 2, 3)] == [1, 2, 3]


def test_the_record_of_a_round_holds_shots_hits_sinkings_and_the_state():
    g = ready()
    g.fire_at(0, bytes([80, 81, 0]), 3)
    quiet(g, 1)
    assert (g.shots_in[0][0], g.hits_in[0][0], g.sinkings_in[0][0]) == (3, 3, 1 << 4)
    assert (g.shots_in[1][0], g.hits_in[1][0], g.sinkings_in[1][0]) == (1, 0, 0)
    assert g.stage == S.FIRING and g.outcome == S.OPEN


def sink_all(g, player, other_too):
    """Rounds in which `player` sinks ship after ship, and the other the same or nothing."""
    for ship in range(5):
        cells = row(ship * 2, *range(S.LENGTHS[ship]))
        shooters = (player, 1 - player) if other_too else (player,)
        for p in shooters:
            for c in cells:
                if g.aim(p, c) != OK:
                    break
            g.fire(p)
        if not other_too:
            quiet(g, 1 - player)
    return g


def test_all_enemy_ships_sunk_wins():
    assert sink_all(ready(), 0, False).outcome == WON_BY_0
    g = sink_all(ready(), 1, False)
    assert g.outcome == WON_BY_1 and g.how == S.BY_SINKING and g.stage == OVER
    assert g.fire_at(0, b"\x63", 1) == S.NOT_NOW


def test_both_in_the_same_round_is_a_draw():
    g = ready()
    # Rounds of two shots keep both fleets level; the last decks fall in the same round.
    decks = [c for c in range(100) if g.views[0].own[c] != NONE]
    while g.stage == S.FIRING:
        for p in (0, 1):
            left = [c for c in decks if not g.views[p].fired[c]][:1]
            assert g.fire_at(p, bytes(left), 1) == OK
    assert g.outcome == DRAW and g.round == 17


def test_withdrawing_loses():
    g = ready()
    assert g.withdraw(0) == OK and g.outcome == WON_BY_1 and g.how == S.BY_WITHDRAWAL
    assert g.withdraw(1) == S.NOT_NOW
    g = fresh()
    g.withdraw(1)
    assert g.outcome == WON_BY_0


def test_a_new_game_does_not_know_how_the_last_one_ended():
    g = ready()
    assert g.withdraw(0) == OK and g.how == S.BY_WITHDRAWAL
    g.start()
    assert (g.how, g.stage, g.outcome, g.round) == (S.BY_SINKING, S.PLACING, S.OPEN, 0)


def test_an_internal_failure_ends_it_as_abandoned():
    g = ready()
    assert g.abandon() == OK and g.outcome == S.ABANDONED and g.how == S.BY_FAILURE


def play(seed):
    g = Salvo(Rng(seed))
    g.fill(0)
    g.fill(1)
    gunners = [SalvoGunner(g.views[p], Rng(seed * 2 + p)) for p in (0, 1)]
    while g.stage == S.FIRING:
        for p in (0, 1):
            n = gunners[p].aim()
            assert g.fire_at(p, gunners[p].cells, n) == OK
    return g


def test_games_of_two_computers_end_with_all_counts_right():
    for seed in range(1, 1 + often(4)):
        g = play(seed)
        lost = [all(g.views[p].own_sunk_in) for p in (0, 1)]
        assert g.outcome == (DRAW if all(lost) else WON_BY_1 if lost[0] else WON_BY_0)
        for p in (0, 1):
            mine, theirs = g.views[p], g.views[1 - p]
            assert [mine.hits_on(s) for s in range(5)] == list(theirs.own_hits)
            assert sum(g.hits_in[p][: g.round]) == sum(theirs.own_hits)
            assert list(mine.fired) == list(theirs.received)


def test_the_computer_shoots_only_where_the_record_allows_a_ship():
    """Two shots at known columns: the battleship was hit once in round 1, so a place with both cells is out."""
    g = ready()
    g.fire_at(0, bytes([20, 25]), 2)  # the first deck of the battleship, and water five cells on
    quiet(g, 1)
    gunner = SalvoGunner(g.views[0], Rng(1))
    gunner.aim()
    assert gunner.heat[20] == gunner.heat[25] == 0  # never again at the same cell
    # The battleship lies through exactly one of the two cells, so their neighbours are hotter than far water.
    assert gunner.heat[21] > gunner.heat[88]


def test_the_computer_never_sees_the_other_board():
    """Two games that differ only in where the enemy's untouched ships lie lead to the same salvo."""
    salvos = []
    for rows in ((0, 2, 4, 6, 8), (2, 0, 6, 4, 8)):
        g = fresh()
        for ship in range(5):
            g.place(0, ship, 0, ship * 2, S.EAST)
            g.place(1, ship, 0, rows[ship], S.EAST)
        gunner = SalvoGunner(g.views[0], Rng(3))
        n = gunner.aim()
        salvos.append(bytes(gunner.cells[:n]))
    assert salvos[0] == salvos[1]


# Where the computer fires, held against the plainest way to find the same cells.

STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))


def places(view, ship):
    """Every place of an enemy ship, as its cells, that has as many cells fired at in each round as the ship was hit
    in it."""
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
    """By cell how many of the ships that float are to be expected there, each place of a ship as likely as another; 0
    where was fired."""
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
    """The heat is what is likely, in parts of one ship, less what is lost where those are shared out."""
    expected = likely(view)
    for c in range(100):
        assert abs(gunner.heat[c] / 2**20 - expected[c]) < 0.001


def check_salvo(gunner, view, n):
    """As many cells as there are guns, or as are left; no cell twice, and none left out that is hotter."""
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
    """What a player knows who has fired at all cells but these, and hit and sunk every ship but the destroyer."""
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
    """The chance of each salvo, as the cells in the order in which they are found."""
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
