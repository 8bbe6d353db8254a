"""What the gunner keeps between shots changes nothing; and its shots and heats, to the last unit, are as recorded."""

from gunner_pair import Pair

from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT, RANDOM, SHARP, Gunner
from seabattle.rng import Rng

# By fleet (`lenient` is the reading of the wall rule) and level, a game's shots and a number of all choices and heats:
# where test_gunner.py leaves SHARP some room for rounding, a change that is not meant shows here.
RECORDED = """
    fleet               random     hunt       density    sharp
    classic             69/171171  63/714160  57/704154  50/218137
    6:0-0-1-2           28/511189  18/131847  21/389044  12/419940
    6:0-0-1-2-lenient   19/550109  29/494716  17/969484  16/654208
    7:1-1-2-1           31/229231  24/832625  21/444594  20/399979
    7:1-1-2-1-lenient   34/610376  27/237805  24/141404  21/438865
    8:1-2-3-4           31/733680  35/296121  35/387683  33/629455
    8:1-2-3-4-lenient   43/922015  29/954701  40/438540  30/975462
    8:0-0-2-1           34/347881  15/321592  13/653963  20/143502
    8:0-0-2-1-lenient   43/114585  30/382008  26/151047  29/843664
    10:1-2-5-6          57/365894  55/939198  47/176442  52/837827
    10:1-2-5-6-lenient  65/710724  51/800996  58/924696  54/807416
    12x7:1-1-1-2-2      53/539289  53/299143  48/515271  47/266895
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
