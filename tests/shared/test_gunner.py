"""The gunner shoots only where a ship may be, finishes wounded ships, aims by level; its cache changes no shot."""

from lots import EveryLot, chances, is_even
from plain_gunner import Gunner as Plain
from plain_gunner import expected, targets
from told import cells_of, fleet_of

from seabattle import gunner
from seabattle.field import HIT, MISS, SUNK, Field
from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT, RANDOM, SHARP, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng

CPYTHON_ONLY = (
    "test_an_aim_that_was_left_in_the_middle_changes_nothing",
    "test_each_level_aims_as_it_says_beside_walls_with_less_and_less_room",
    "test_every_level_shoots_where_its_plain_form_does",
    "test_also_when_the_level_changes_between_two_shots",
)

LEVELS = (RANDOM, HUNT, DENSITY, SHARP)


def test_a_field_that_breaks_the_strict_rule_on_walls_is_shot_to_its_end():
    # Placed by the lenient reading, with more along the walls than the strict one allows.
    made = fleet_of("8x8 4:1 3:2 2:3 1:4 strict")
    pair = Pair(1)
    for level in LEVELS:
        pair.radar.reset(made)
        pair.sea.reset(fleet_of("8x8 4:1 3:2 2:3 1:4"))
        for ship in "A1-A4 C1-C3 E1-E3 G1-G2 A7-A8 C7-C8 E5 G5 F7 C5".split():
            cells = cells_of(ship, 8)
            assert pair.sea.place(cells[0] % 8, cells[0] // 8, len(cells), True) == 0
        pair.battle(level)


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


# Where each level shoots, compared with the plain form.


def check(radar, level):
    """Compare this level's heat and choice for a radar with the reference."""
    lots = EveryLot()
    g = Gunner(radar, lots, level)
    cell = g.aim()
    size = radar.width * radar.height
    if level in (DENSITY, SHARP):
        heat = expected(radar, level)
        for c in range(size):
            assert g.heat[c] == heat[c], (level, c, g.heat[c], heat[c])
        assert max(heat) < 2**30
    equal = targets(radar, level, g.heat)
    assert cell in equal
    lots = EveryLot()
    found = chances(lots, Gunner(radar, lots, level).aim, 12)
    assert found is None or is_even(found, equal), (level, found, equal)


def test_each_level_aims_as_it_says_beside_walls_with_less_and_less_room():
    # Ones in the corners and at a wall, and twos that end at one, which the strict reading alone counts.
    ones = [((x, y, SUNK),) for x, y in ((0, 0), (7, 0), (0, 7), (7, 7), (0, 5))]
    twos = [((2, 0, HIT), (2, 1, SUNK)), ((5, 7, HIT), (5, 6, SUNK)), ((7, 2, HIT), (6, 2, SUNK))]
    tried = 0
    wounds = ((4, 3), (4, 0), (7, 4), (3, 7), (0, 3)), ((3, 3), (5, 0), (7, 5), (2, 7), (0, 2))
    for lenient in (False, True):
        made = Fleet()
        made.protocol(8, 0, 2, 3, 5, lenient)
        for sunk in (ones[:2], ones[:4], ones, twos + ones[:1], twos + ones[:2], twos + ones[:3], twos + ones):
            answers = [answer for ship in sunk for answer in ship]
            for hits in [()] + [wounds[0][i : i + 1] for i in range(5)] + list(zip(*wounds)):
                radar = Radar(64)
                radar.reset(made)
                why = 0
                for x, y, result in answers + [(x, y, HIT) for x, y in hits]:
                    why = why or radar.answer(y * 8 + x, result)
                if why:
                    continue  # the ship has no room there any more
                tried += 1
                for level in LEVELS:
                    check(radar, level)
    assert tried > 100


# With the cache and without: the plain form caches nothing, and shoots at the same cells with the same heats.


class Pair:
    """The gunner and its plain form with the same random numbers, for one game after another."""

    def __init__(self, seed):
        self.sea = Field(100)
        self.radar = Radar(100)
        self.lots = Rng(seed)
        self.gunner = Gunner(self.radar, Rng(seed + 1), HUNT)
        self.plain = Plain(self.radar, Rng(seed + 1), HUNT)

    def begin(self, made):
        """Prepare the next field."""
        self.sea.reset(made)
        self.radar.reset(made)
        assert self.sea.random(self.lots)

    def shoot(self, cell):
        assert self.radar.can_shoot(cell), cell
        assert self.radar.answer(cell, self.sea.shoot(cell)) == 0

    def game(self, made, level, changes=False):
        self.begin(made)
        self.battle(level, changes)

    def battle(self, level, changes=False):
        """Play to the end and compare every choice and heat; with `changes` the level changes now and then."""
        shots = 0
        while not self.sea.lost():
            if changes and self.lots.below(3) == 0:
                level = RANDOM + self.lots.below(4)
            self.gunner.level = self.plain.level = level
            cell = self.gunner.aim() if shots % 2 else self.in_steps()
            assert cell == self.plain.aim(), (self.radar.width, level, shots)
            if level >= DENSITY:
                assert self.gunner.heat == self.plain.heat, (self.radar.width, level, shots)
            self.shoot(cell)
            shots += 1

    def in_steps(self):
        """Return the next choice, thought about in steps as on a board, fewer than 400."""
        self.gunner.aim_start()
        for _ in range(400):
            cell = self.gunner.aim_step()
            if cell >= 0:
                return cell
        raise AssertionError("it thinks and thinks")


def fleets():
    """Return the classic fleet, others of the protocol by both readings of the wall rule, and one on a rectangle."""
    made = [Fleet()]
    for numbers in ((6, 0, 0, 1, 2), (7, 1, 1, 2, 1), (8, 1, 2, 3, 4), (8, 0, 0, 2, 1), (10, 1, 2, 5, 6)):
        for lenient in (False, True):
            fleet = Fleet()
            fleet.protocol(*numbers, lenient)
            made.append(fleet)
    wide = Fleet()
    wide.custom(12, 7, 1, 1, 1, 2, 2, False, False)
    made.append(wide)
    return made


def test_every_level_shoots_where_its_plain_form_does():
    pair = Pair(3)
    for made in fleets() + [Fleet() for _ in range(5)]:
        for level in LEVELS:
            pair.game(made, level)


def test_also_when_the_level_changes_between_two_shots():
    pair = Pair(5)
    for made in fleets():
        pair.game(made, HUNT, changes=True)


def test_an_aim_that_was_left_in_the_middle_changes_nothing():
    # As when a bot gets another request while it thinks, with the same known answers or more of them.
    pair = Pair(9)
    for made in fleets()[:4]:
        for level in (HUNT, DENSITY, SHARP):
            pair.begin(made)
            pair.gunner.level = level
            while not pair.sea.lost():
                pair.gunner.aim_start()
                for _ in range(pair.lots.below(30)):
                    if pair.gunner.aim_step() >= 0:
                        break
                pair.gunner.rng.seed(5)
                cell = pair.gunner.aim()
                assert cell == Gunner(pair.radar, Rng(5), level).aim(), (made.width, level)
                pair.shoot(cell)
