"""What the gunner keeps between shots changes nothing; and its shots and heats, to the last unit, are as recorded."""

from gunner_pair import Pair

from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT, RANDOM, SHARP, Gunner
from seabattle.rng import Rng

# By fleet (`lenient` is the reading of the wall rule) and level, a game's shots and a number of all choices and heats:
# where test_gunner.py leaves SHARP some room for rounding, a change that is not meant shows here.
RECORDED = """
    fleet               random     hunt       density    sharp
    classic             69/171171  60/666710  57/174675  55/894421
    6:0-0-1-2           27/849325  19/291909  13/79463   17/348732
    6:0-0-1-2-lenient   22/747470  25/115024  23/720528  12/497194
    7:1-1-2-1           35/968360  23/671006  17/215248  17/321709
    7:1-1-2-1-lenient   34/160730  30/637208  25/369787  17/112136
    8:1-2-3-4           37/113705  36/483936  34/702011  34/206007
    8:1-2-3-4-lenient   36/470509  34/993818  31/148834  36/548803
    8:0-0-2-1           45/646627  44/256437  29/183203  42/763529
    8:0-0-2-1-lenient   50/398592  42/913295  30/653130  27/99555
    10:1-2-5-6          59/415579  50/962808  55/867941  52/66847
    10:1-2-5-6-lenient  58/848449  63/376027  45/940485  53/546097
    12x7:1-1-1-2-2      54/889774  42/882354  57/988729  52/307738
"""


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


def test_every_level_shoots_where_one_does_that_has_kept_nothing_and_as_recorded():
    pair = Pair(3)
    rows = [row.split() for row in RECORDED.strip().split("\n")[1:]]
    for made, row in zip(fleets(), rows):
        for level in (RANDOM, HUNT, DENSITY, SHARP):
            assert "%d/%d" % (pair.game(made, level), pair.trace) == row[level], (row[0], level)


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
