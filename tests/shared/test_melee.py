"""Melee: the sentences of its rules, one test each, and whole games of three computers."""

from lots import EveryLot, chances, is_even, often
from melees import deploy, legal

from seabattle import melee
from seabattle.field import HIT, MISS, SUNK
from seabattle.melee import CELLS, NOBODY, OWN, SIZE, UNKNOWN, WATER, WOUND, WRECK, Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng

CPYTHON_ONLY = (
    "test_the_end_of_a_row_is_not_beside_the_beginning_of_the_next",
    "test_a_computer_goes_round_a_hit_and_along_a_line_by_lot_wherever_on_the_field",
    "test_every_place_of_every_ship_of_others_votes_and_most_votes_win",
    "test_around_every_ship_every_cell_is_open_once_it_is_sunk_and_it_is_afloat_no_more",
)


def game(seed=1):
    g = Melee(Rng(seed))
    g.deploy()
    return g


def cells_of(g, owner, number=None):
    """Return the cells of a player's fleet, or of one ship: 0 is the four-deck, 9 a one-deck."""
    own = [c for c in range(CELLS) if g.ship[c] and (g.ship[c] - 1) // 10 == owner]
    return [c for c in own if number in (None, (g.ship[c] - 1) % 10)]


def around(cell):
    x, y = cell % SIZE, cell // SIZE
    return [j * SIZE + i for j in (y - 1, y, y + 1) for i in (x - 1, x, x + 1) if 0 <= i < SIZE and 0 <= j < SIZE]


def water(g):
    """Return an unopened cell with no ship on it or next to it."""
    return next(c for c in range(CELLS) if not g.mark[c] and all(not g.ship[n] for n in around(c)))


def sink(g, shooter, victim, number):
    r = MISS
    for c in cells_of(g, victim, number):
        assert g.turn == shooter
        r = g.shoot(shooter, c)
    return r


def test_placing_is_legal_never_takes_long_and_goes_up_to_every_edge_in_both_directions():
    # python -m tests.bench melee does it 10,000 times; a try costs a desktop MicroPython some microseconds
    g = Melee(Rng(5))
    across = down = restarts = 0
    edges = [0, 0, 0, 0]
    for _ in range(often(150)):
        g.start()
        assert deploy(g) < 10000
        assert legal(g) and g.restarts >= 0
        restarts += g.restarts > 0  # it does get stuck occasionally
        for cells in [cells_of(g, owner, number) for owner in range(3) for number in range(6)]:
            if cells[1] == cells[0] + 1:
                across += 1
                edges[0] += cells[0] % SIZE == 0
                edges[1] += cells[-1] % SIZE == SIZE - 1
            else:
                down += 1
                edges[2] += cells[0] < SIZE
                edges[3] += cells[-1] >= CELLS - SIZE
    # Five deviations of a fair coin.
    assert abs(across - down) < 5 * (across + down) ** 0.5
    assert min(edges) > 10 and restarts > 0
    assert all(legal(game(seed)) for seed in range(1, often(15)))


def test_placing_goes_from_long_ships_to_short_ones():
    g = Melee(Rng(3))
    standing = [0] * 30
    done = False
    while not done:
        done = g.place_step()
        now = [g.left[code] for code in range(30)]
        assert done == (sum(now) == 60)
        if sum(now) < sum(standing):
            now = standing = [0] * 30  # it got stuck
        for code in range(30):
            if now[code] and not standing[code]:
                assert not any(0 < n < now[code] for n in standing)
        standing = now


def test_turn_order_is_A_B_C_or_drawn():
    g = game()
    assert list(g.order) == [0, 1, 2] and g.turn == 0
    firsts = set()
    for _ in range(40):
        g.start(True)
        assert sorted(g.order) == [0, 1, 2]
        firsts.add(g.turn)
    assert firsts == {0, 1, 2}


def test_a_hit_gives_another_shot_and_a_miss_passes_the_turn():
    g = game()
    assert g.shoot(0, cells_of(g, 1, 0)[0]) == HIT and g.turn == 0
    for player in (0, 1, 2):
        assert g.turn == player
        assert g.shoot(player, water(g)) == MISS
    assert g.turn == 0


def test_refused_with_the_reason_and_the_turn_kept():
    g = game()
    own = cells_of(g, 0)[0]
    for player, cell, why in (
        (0, own, melee.OWN_SHIP),
        (1, water(g), melee.NOT_YOUR_TURN),
        (0, -1, melee.OFF_FIELD),
        (0, CELLS, melee.OFF_FIELD),
    ):
        assert g.shoot(player, cell) == why
        assert g.turn == 0 and g.shots == 0 and g.last == -1
    target = cells_of(g, 1, 9)[0]
    assert g.shoot(0, target) == SUNK
    assert g.shoot(0, target) == melee.OPEN_CELL and g.turn == 0
    beside = [n for n in around(target) if n != target]
    assert all(g.shoot(0, n) == melee.OPEN_CELL for n in beside)


def test_everybody_sees_all_shots_and_only_the_own_ships_until_they_are_hit():
    g = game()
    for owner in range(3):
        for c in cells_of(g, owner):
            for viewer in (0, 1, 2, NOBODY):
                seen = (OWN, owner) if viewer == owner else (UNKNOWN, NOBODY)
                assert (g.seen(viewer, c), g.owner_seen(viewer, c)) == seen
    miss = water(g)
    hit = cells_of(g, 2, 0)[0]
    for player, cell in ((0, miss), (1, hit)):
        g.shoot(player, cell)
        assert [c for c in range(CELLS) if g.last_mark(c)] == [cell]
    for viewer in (0, 1, 2, NOBODY):
        assert g.seen(viewer, miss) == WATER and g.seen(viewer, hit) == WOUND and g.owner_seen(viewer, hit) == 2
    # The own ships with their state.
    ship = cells_of(g, 0, 1)
    g.shoot(1, ship[0])
    assert [g.seen(0, c) for c in ship] == [WOUND, OWN, OWN]
    assert g.shoot(1, ship[1]) == HIT and g.shoot(1, ship[2]) == SUNK
    assert [g.seen(0, c) for c in ship] == [WRECK] * 3


def test_around_every_ship_every_cell_is_open_once_it_is_sunk_and_it_is_afloat_no_more():
    for seed in range(1, 9):
        for owner, number in [(owner, number) for owner in range(3) for number in range(10)]:
            g = game(seed)
            g.turn = (owner + 1) % 3
            assert sink(g, g.turn, owner, number) == SUNK
            own = cells_of(g, owner, number)
            near = sorted({n for c in own for n in around(c)})
            assert [c for c in range(CELLS) if g.mark[c]] == near
            assert all(g.seen(v, c) == (WRECK if c in own else WATER) for v in (0, 1, 2) for c in near)
            assert [c for c in range(CELLS) if g.last_mark(c)] == own
            for player, length in [(p, n) for p in range(3) for n in range(1, 5)]:
                gone = player == owner and length == len(own)
                assert g.afloat(player, length) == 5 - length - gone


def test_a_player_whose_fleet_is_gone_is_out_and_the_turn_goes_past():
    g = game()
    for number in range(10):
        sink(g, 0, 1, number)
    assert g.out == 1 and g.place[1] == 3
    g.shoot(0, water(g))
    assert g.turn == 2 and g.out == NOBODY
    g.shoot(2, water(g))
    assert g.turn == 0


def test_the_last_with_living_decks_wins_and_who_went_out_last_is_second():
    g = game()
    for victim in (1, 2):
        for number in range(10):
            sink(g, 0, victim, number)
    assert g.winner() == 0 and list(g.place) == [1, 3, 2]
    assert g.shoot(0, water(g)) == melee.GAME_OVER


# Where a computer shoots, compared with the simplest way to find the same cells.


def wounded(seed, *hits):
    """Return a game of this seed in which these cells were hit."""
    g = game(seed)
    for c in hits:
        g.turn = 0 if (g.ship[c] - 1) // 10 else 1
        assert g.shoot(g.turn, c) == HIT
    return g


def beside_own(g, player):
    """Return the cells on or next to the player's own ships: no ship of another can be there."""
    return set([n for c in cells_of(g, player) for n in around(c)])


def beside_wounds(g, player):
    """Return the cells next to hits on unsunk ships of others, once for each such hit: in line with the hits once two
    are adjacent, all around a single hit.
    """
    wounds = [c for c in range(CELLS) if g.seen(player, c) == WOUND and g.owner_seen(player, c) != player]
    found = []
    own = beside_own(g, player)
    for c in wounds:
        near = [n for n in around(c) if n % SIZE == c % SIZE or n // SIZE == c // SIZE]
        line = [n - c for n in near if n != c and n in wounds]
        for n in near:
            if g.may_shoot(player, n) and n not in own and (not line or c - n in line):
                found.append(n)
    return found


def votes(g, player):
    """Return by cell how many ships of others could be there, counted once for each way to lie."""
    own = beside_own(g, player)
    unknown = [g.seen(player, c) == UNKNOWN and c not in own for c in range(CELLS)]
    heat = [0] * CELLS
    for length in range(1, 5):
        ships = sum([g.afloat(owner, length) for owner in range(3) if owner != player])
        for c in range(CELLS):
            for step in (1, SIZE) if length > 1 else (1,):
                if step == 1 and c % SIZE + length > SIZE or c + step * (length - 1) >= CELLS:
                    continue
                place = range(c, c + step * length, step)
                if all([unknown[at] for at in place]):
                    for at in place:
                        heat[at] += ships
    return heat


def aims(g, player, most=1000):
    """Return the probability of each cell to be aimed at; None if there are more ways than that."""
    lots = EveryLot()
    return chances(lots, MeleeGunner(g, player, lots).aim, most)


def test_a_computer_goes_round_a_hit_and_along_a_line_by_lot_wherever_on_the_field():
    edges = [0, 0, 0, 0]
    for seed in range(1, 4):
        for owner, number in [(owner, number) for owner in (1, 2) for number in range(6)]:
            ship = cells_of(game(seed), owner, number)
            for first in range(len(ship)):
                for last in range(first, len(ship)):
                    if last - first == len(ship) - 1:
                        continue
                    hits = ship[first : last + 1]
                    g = wounded(seed, *hits)
                    assert is_even(aims(g, 0), beside_wounds(g, 0))
                    edges[0] += hits[0] % SIZE == 0
                    edges[1] += hits[-1] % SIZE == SIZE - 1
                    edges[2] += hits[0] < SIZE
                    edges[3] += hits[-1] >= CELLS - SIZE
    assert min(edges) > 5


def test_the_end_of_a_row_is_not_beside_the_beginning_of_the_next():
    tried = 0
    for seed in range(1, 30):
        g = game(seed)
        for y in range(1, SIZE - 2):
            ends = (y * SIZE + SIZE - 1, y * SIZE + SIZE)
            if tried < 3 and all([g.ship[c] and (g.ship[c] - 1) // 10 and (g.ship[c] - 1) % 10 < 6 for c in ends]):
                both = wounded(seed, *ends)
                assert is_even(aims(both, 0), beside_wounds(both, 0))
                tried += 1
    assert tried == 3


def test_a_computer_leaves_its_own_wounded_ships_alone():
    own = cells_of(game(), 0, 0)
    g = wounded(1, own[1])
    gunner = MeleeGunner(g, 0, Rng(1))
    cell = gunner.aim()
    assert gunner.heat == votes(g, 0) and gunner.heat[cell] == max(gunner.heat)


def test_every_place_of_every_ship_of_others_votes_and_most_votes_win():
    shared = 0
    g = game(2)
    gunners = [MeleeGunner(g, p, Rng(p + 1)) for p in range(3)]
    while g.winner() == NOBODY:
        player = g.turn
        gunner = gunners[player]
        cell = gunner.aim()
        if not beside_wounds(g, player):
            if g.shots % 3 == 0 or g.shots > 110:
                assert gunner.heat == votes(g, player)
                most = max(gunner.heat)
                hottest = [c for c in range(CELLS) if gunner.heat[c] == most]
                assert cell in hottest
                found = aims(g, player, 12) if len(hottest) > 1 and shared < 5 else None
                if found:
                    shared += 1
                    assert is_even(found, hottest)
        g.shoot(player, cell)
    assert shared >= 3
