"""The gunner: it shoots only where a ship may be, finishes what it has found, and is as good as its level says."""

from placement import heap_lock, heap_unlock

from seabattle import gunner
from seabattle.field import HIT, MISS, SUNK, Field
from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT, RANDOM, SHARP, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng

LEVELS = (RANDOM, HUNT, DENSITY, SHARP)


class Range:
    """A field, a radar and a gunner, for one game after another without an allocation."""

    def __init__(self, made, level, seed):
        self.fleet = made
        self.sea = Field(100)
        self.radar = Radar(100)
        # Fields have a generator of their own, so that every level shoots at the same ones.
        self.lots = Rng(seed)
        self.gunner = Gunner(self.radar, Rng(seed + 1000), level)
        self.faults = 0

    def game(self):
        """Shots that a game takes; counts shots at cells that may not be shot at, and accusations."""
        sea = self.sea
        radar = self.radar
        sea.reset(self.fleet)
        radar.reset(self.fleet)
        if not sea.random(self.lots):
            self.faults += 1
            return 0
        shots = 0
        while not sea.lost() and shots < 200:
            cell = self.gunner.aim()
            if not radar.can_shoot(cell):
                self.faults += 1
                return 0
            if radar.answer(cell, sea.shoot(cell)):
                self.faults += 1
            shots += 1
        return shots


def mean_shots(level, games, made=None, seed=1):
    """The mean of shots a game, and its standard error."""
    at = Range(made or Fleet(), level, seed)
    total = 0
    squares = 0
    for _ in range(games):
        shots = at.game()
        total += shots
        squares += shots * shots
    assert at.faults == 0
    mean = total / games
    return mean, ((squares / games - mean * mean) / games) ** 0.5


def aimed(level, made, *answers, seed=1):
    """A gunner on a radar that was told these answers (x, y, result)."""
    radar = Radar(100)
    radar.reset(made)
    for x, y, result in answers:
        assert radar.answer(y * made.width + x, result) == 0
    return Gunner(radar, Rng(seed), level)


def cells_aimed_at(level, made, *answers):
    """All cells (x, y) that the level shoots at in this position, by many lots."""
    found = []
    for seed in range(40):
        cell = aimed(level, made, *answers, seed=seed + 1).aim()
        place = cell % made.width, cell // made.width
        if place not in found:
            found.append(place)
    found.sort()
    return found


# Legal shots.


def test_no_level_shoots_a_cell_twice_or_one_known_to_be_empty():
    fleets = []
    for numbers in (
        (6, 0, 0, 1, 2),
        (6, 0, 1, 2, 2),
        (7, 1, 1, 2, 1),
        (8, 0, 2, 3, 5),
        (9, 1, 0, 0, 3),
        (10, 1, 2, 5, 6),
    ):
        for lenient in (False, True):
            made = Fleet()
            made.protocol(*numbers, lenient)
            fleets.append(made)
    wide = Fleet()
    wide.custom(12, 7, 1, 1, 1, 2, 2, False, False)
    fleets.append(wide)
    for level in LEVELS:
        for made in fleets:
            at = Range(made, level, 3)
            for _ in range(4):
                assert 0 < at.game() <= made.width * made.height
            assert at.faults == 0, (level, made.width)


def test_a_field_that_breaks_the_strict_rule_on_walls_is_shot_to_its_end():
    # Placed by the lenient reading, and what is along the walls is more than the strict one allows.
    made = Fleet()
    made.protocol(8, 1, 2, 3, 4)
    for level in LEVELS:
        sea = Field(64)
        other = Fleet()
        other.custom(8, 8, 0, 1, 2, 3, 4, False, True)
        sea.reset(other)
        for x, y, length, vertical in (
            (0, 0, 4, 1),
            (2, 0, 3, 1),
            (4, 0, 3, 1),
            (6, 0, 2, 1),
            (0, 6, 2, 1),
            (2, 6, 2, 1),
        ):
            assert sea.place(x, y, length, vertical) == 0
        for x, y in ((4, 4), (6, 4), (5, 6), (2, 4)):
            assert sea.place(x, y, 1, False) == 0
        radar = Radar(64)
        radar.reset(made)
        g = Gunner(radar, Rng(level), level)
        shots = 0
        while not sea.lost():
            cell = g.aim()
            assert radar.can_shoot(cell)
            assert radar.answer(cell, sea.shoot(cell)) == 0
            shots += 1
        assert shots <= 64


def test_without_a_cell_to_shoot_at_there_is_no_aim():
    made = Fleet()
    made.custom(3, 3, 0, 0, 0, 0, 2, False, False)
    for level in LEVELS:
        radar = Radar(9)
        radar.reset(made)
        for cell in range(9):
            radar.answer(cell, MISS)
        g = Gunner(radar, Rng(1), level)
        assert g.aim() == -1
        g.aim_start()
        for _ in range(100):
            assert g.aim_step() == gunner.BUSY


# What each level does.


def test_random_shoots_anywhere():
    made = Fleet()
    made.protocol(6, 0, 1, 2, 2)
    g = aimed(RANDOM, made)
    seen = bytearray(36)
    for _ in range(600):
        seen[g.aim()] = 1
    assert sum(seen) == 36


def test_a_wounded_ship_is_gone_round():
    for level in (HUNT, DENSITY, SHARP):
        for x, y in cells_aimed_at(level, Fleet(), (4, 4, HIT)):
            assert abs(x - 4) + abs(y - 4) == 1


def test_hunt_goes_round_by_lot():
    assert cells_aimed_at(HUNT, Fleet(), (4, 4, HIT)) == [(3, 4), (4, 3), (4, 5), (5, 4)]


def test_a_ship_whose_direction_is_known_is_followed_along_its_line():
    for level in (HUNT, DENSITY, SHARP):
        for x, y in cells_aimed_at(level, Fleet(), (4, 4, HIT), (5, 4, HIT)):
            assert (x, y) in ((3, 4), (6, 4))
        assert cells_aimed_at(level, Fleet(), (3, 4, MISS), (4, 4, HIT), (5, 4, HIT)) == [(6, 4)]
        assert cells_aimed_at(level, Fleet(), (4, 0, HIT), (4, 1, HIT)) == [(4, 2)]


def test_a_ship_is_not_looked_for_where_it_has_no_room():
    # Right of the hit only one cell is free, below it four, and only the four-deck ship is left.
    made = Fleet()
    made.custom(10, 10, 0, 1, 0, 0, 0, False, False)
    for level in (DENSITY, SHARP):
        assert cells_aimed_at(level, made, (7, 0, MISS), (9, 0, HIT)) == [(9, 1)]


def test_hunt_takes_one_family_of_diagonals_at_a_time():
    made = Fleet()
    at = Range(made, HUNT, 4)
    families = []
    at.sea.reset(made)
    at.radar.reset(made)
    assert at.sea.random(at.lots)
    while at.radar.afloat(4):
        looking = at.radar.wounds == 0
        cell = at.gunner.aim()
        if looking:
            family = (cell % 10 + cell // 10) % 4
            if family not in families:
                families.append(family)
        assert at.radar.answer(cell, at.sea.shoot(cell)) == 0
    assert len(families) == 1


def test_no_level_but_random_shoots_where_the_longest_ship_has_no_room():
    # Only a four-deck ship is left, and all free stretches but one are shorter.
    made = Fleet()
    made.custom(10, 10, 0, 1, 0, 0, 0, False, False)
    water = []
    for y in range(10):
        for x in range(10):
            if y != 9 and (x + y) % 3 == 0 or y == 8:
                water.append((x, y, MISS))
    for level in (HUNT, DENSITY, SHARP):
        for _, y in cells_aimed_at(level, made, *water):
            assert y == 9


def test_the_walls_are_left_alone_when_no_more_ships_may_be_there():
    made = Fleet()
    made.protocol(8, 0, 0, 2, 1)
    for level in (HUNT, DENSITY, SHARP):
        for x, y in cells_aimed_at(level, made, (0, 0, HIT), (1, 0, SUNK)):
            assert 0 < x < 7 and 0 < y < 7


def test_the_walls_are_not_left_alone_when_the_other_side_has_shown_its_reading():
    # Two ships end at a wall and one may be along it: by the lenient reading there is still room along the walls.
    made = Fleet()
    made.protocol(8, 0, 0, 2, 1)
    answers = ((2, 0, HIT), (2, 1, SUNK), (5, 0, HIT), (5, 1, SUNK))
    for level in (HUNT, DENSITY, SHARP):
        g = aimed(level, made, *answers)
        g.aim()
        if level != HUNT:
            assert g.heat[7 * 8 + 3] > 0


def test_heat_shows_where_ships_are_likely():
    for level in (DENSITY, SHARP):
        g = aimed(level, Fleet(), (4, 4, SUNK), (0, 0, MISS))
        best = g.aim()
        assert g.heat[best] == max(g.heat)
        for cell in range(100):
            known = not g.radar.can_shoot(cell)
            assert (g.heat[cell] == 0) == known
        assert g.heat[1] < g.heat[best]


def test_heat_of_a_wounded_ship_is_where_its_other_decks_may_be():
    for level in (DENSITY, SHARP):
        g = aimed(level, Fleet(), (4, 4, HIT), (5, 4, HIT))
        g.aim()
        warm = [cell for cell in range(100) if g.heat[cell]]
        assert warm == [42, 43, 46, 47]
        assert g.heat[43] >= g.heat[42] and g.heat[46] >= g.heat[47]


def test_a_smaller_field_after_a_larger_one_leaves_no_heat_behind():
    g = aimed(DENSITY, Fleet())
    g.aim()
    small = Fleet()
    small.protocol(6, 0, 1, 2, 2)
    g.radar.reset(small)
    assert g.aim() < 36
    assert max(g.heat[36:]) == 0


def test_the_level_may_be_changed_between_shots():
    at = Range(Fleet(), RANDOM, 6)
    at.sea.reset(at.fleet)
    at.radar.reset(at.fleet)
    assert at.sea.random(at.lots)
    shots = 0
    while not at.sea.lost():
        at.gunner.level = LEVELS[shots % 4]
        cell = at.gunner.aim()
        assert at.radar.can_shoot(cell)
        at.radar.answer(cell, at.sea.shoot(cell))
        shots += 1


def test_the_same_seed_gives_the_same_shots():
    for level in LEVELS:
        a = Range(Fleet(), level, 8)
        b = Range(Fleet(), level, 8)
        assert [a.game() for _ in range(3)] == [b.game() for _ in range(3)]


def test_an_aim_in_steps_is_the_same_aim():
    for level in LEVELS:
        whole = aimed(level, Fleet(), (4, 4, SUNK), (1, 1, MISS), seed=9).aim()
        g = aimed(level, Fleet(), (4, 4, SUNK), (1, 1, MISS), seed=9)
        g.aim_start()
        steps = 1
        cell = g.aim_step()
        while cell == gunner.BUSY:
            cell = g.aim_step()
            steps += 1
        assert cell == whole
        assert steps < 400


# How good they are. The samples are fixed by their seeds; the bounds leave room for other samples of that size.


def test_mean_shots_of_each_level_on_the_classic_fleet():
    most = {RANDOM: (60, 68), HUNT: (60, 58.5), DENSITY: (100, 56.5), SHARP: (100, 56)}
    for level in LEVELS:
        games, bound = most[level]
        mean, error = mean_shots(level, games)
        assert mean < bound, (level, mean, error)


def test_no_allocation_while_aiming():
    made = Fleet()
    made.protocol(10, 1, 2, 3, 4)
    ranges = [Range(made, level, 2) for level in LEVELS] + [Range(Fleet(), level, 2) for level in LEVELS]
    shots = 0
    heap_lock()
    try:
        for at in ranges:
            for _ in range(4):
                shots += at.game()
    finally:
        heap_unlock()
    assert shots > 0
    for at in ranges:
        assert at.faults == 0
