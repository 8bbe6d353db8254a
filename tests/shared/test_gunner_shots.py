"""What the gunner keeps between shots changes nothing: it shoots where its plain form does, with the same heats."""

from gunner_pair import Pair

from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, HUNT, RANDOM, SHARP, Gunner
from seabattle.rng import Rng

CPYTHON_ONLY = (
    "test_every_level_shoots_where_its_plain_form_does",
    "test_also_when_the_level_changes_between_two_shots",
)


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


def test_every_level_shoots_where_its_plain_form_does():
    pair = Pair(3)
    for made in fleets() + [Fleet() for _ in range(5)]:
        for level in (RANDOM, HUNT, DENSITY, SHARP):
            pair.game(made, level)


def test_also_when_the_level_changes_between_two_shots():
    pair = Pair(5)
    for made in fleets():
        pair.game(made, HUNT, changes=True)


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
