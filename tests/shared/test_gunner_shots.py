"""What the gunner keeps between shots changes nothing; and its heats, to the last unit, are as recorded."""

from gunner_pair import Pair
from told import cells_of, fleet_of

from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT, RANDOM, SHARP, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng


def fleets():
    """The classic one, others of the protocol by both readings of the wall rule, and one on no square field."""
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


def test_every_level_shoots_where_one_does_that_has_kept_nothing():
    pair = Pair(3)
    for made in fleets():
        for level in (RANDOM, HUNT, DENSITY, SHARP):
            pair.game(made, level)


# Fleets and where they lie, and for DENSITY and SHARP a number of all heats on the way to the last deck: test_gunner.py
# says what they have to be in some positions, and in all of these a change that is not meant shows.
RECORDED = (
    ("classic", "A1-D1 A3-C3 E3-G3 A5-B5 D5-E5 G5-H5 A7 C7 E7 G7", 490272, 201820),
    ("8x8 4:1 3:1 2:2 1:2 strict", "B2-E2 B4-D4 G2-G3 F5-F6 B7 H8", 229040, 100243),
    ("8x8 4:1 3:1 2:2 1:2 walls", "B2-E2 B4-D4 G2-G3 F5-F6 B7 H8", 87012, 777554),
    ("12x7 5:1 4:1 3:1 2:2 1:2", "A1-E1 G1-J1 A3-C3 E3-F3 H3-I3 A5 C5", 221404, 859754),
)


def heats(text, ships, level):
    """A number of all heats, by new gunners, while a field is shot at in an order that asks none of them."""
    radar = Radar(100)
    sea = Field(100)
    made = fleet_of(text)
    sea.reset(made)
    radar.reset(made)
    for ship in ships.split():
        cells = cells_of(ship, made.width)
        down = len(cells) > 1 and cells[1] > cells[0] + 1
        assert sea.place(cells[0] % made.width, cells[0] // made.width, len(cells), down) == 0
    size = made.width * made.height
    trace = 0
    for i in range(size):
        cell = i * 37 % size
        if not radar.can_shoot(cell) or sea.lost():
            continue
        gunner = Gunner(radar, Rng(1), level)
        gunner.aim()
        for c in range(size):
            trace = (trace * 31 + gunner.heat[c]) % 1000003
        assert radar.answer(cell, sea.shoot(cell)) == 0
    assert sea.lost()
    return trace


def test_heats_are_as_recorded():
    for text, ships, density, sharp in RECORDED:
        assert (heats(text, ships, DENSITY), heats(text, ships, SHARP)) == (density, sharp), text


def test_also_when_the_level_changes_between_two_shots():
    pair = Pair(5)
    for made in fleets():
        pair.game(made, HUNT, changes=True)


def test_a_second_gunner_on_a_radar_takes_nothing_from_the_first():
    # Each aims at every other shot only, so that more than one answer came in between.
    pair = Pair(7)
    others = [Gunner(pair.radar, Rng(1), HUNT), Gunner(pair.radar, Rng(1), DENSITY)]
    lots = [Rng(1), Rng(1)]
    for made in fleets()[:4]:
        pair.begin(made)
        shots = 0
        while not pair.sea.lost():
            which = shots % 2
            cell = others[which].aim()
            assert cell == Gunner(pair.radar, lots[which], others[which].level).aim()
            pair.shoot(cell)
            shots += 1


def test_an_aim_that_was_left_in_the_middle_changes_nothing():
    # As when a bot is asked for something else while it thinks, with the same answers known or with more of them.
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
