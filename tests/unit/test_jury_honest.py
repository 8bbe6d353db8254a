"""The jury over many games by letter: honest answers are never accused (tests/faults has the other games)."""

from __future__ import annotations

import random

from seabattle.field import HIT, MISS, REPEAT, SUNK
from seabattle.jury import CLEAN, FALSE_ANSWER, Jury
from seabattle.rng import Rng
from seabattle.variants import OK, Rules, VariantField
from tests.sizes import proof

GAMES = 10_000
"""When this file is run as a command; the test takes a sample."""
LETTERS = proof(40, 100)


def games_by_letter(count: int) -> int:
    """Play this many games between honest players who shoot anywhere, known cells included, and answer truly in any of
    the ways that the rules allow. Assert that none is accused; return the number of games.
    """
    lots = random.Random(count)
    jury, rules, rng = Jury(100), Rules(), Rng(count)
    sloppy = 0
    for game in range(count):
        counts = [0, *(lots.randint(0, 1) for _ in range(2)), lots.randint(0, 3), lots.randint(1, 4)]
        corners, bent = lots.random() < 0.3, lots.random() < 0.3
        assert rules.custom(10, 10, *counts, corners, bent) == OK
        field = VariantField(100)
        field.reset(rules)
        assert field.random(rng)
        ships: dict[int, set[int]] = {}
        for cell, ship in enumerate(field.ship[:100]):
            if ship:
                ships.setdefault(ship, set()).add(cell)
        shot: list[int] = []
        answers: list[int] = []
        while any(not decks <= set(shot) for decks in ships.values()):
            cell = lots.choice(shot) if shot and lots.random() < 0.1 else lots.randrange(100)
            again = cell in shot
            shot.append(cell)
            ship = field.ship[cell]
            said = [MISS] if not ship else [SUNK] if ships[ship] <= set(shot) else [HIT]
            if again:
                sloppy += 1
                said += [REPEAT, *([HIT] if ship else [])]
            answers.append(lots.choice(said))
        assert jury.check(rules, field.ship, shot, answers, len(shot)) == CLEAN, game
        # and a lie among all that sloppiness is still found
        lie = lots.randrange(len(shot))
        answers[lie] = HIT if not field.ship[shot[lie]] else MISS
        assert jury.check(rules, field.ship, shot, answers, len(shot)) == FALSE_ANSWER, game
        assert jury.shot == lie
    assert sloppy > count
    return count


def test_nobody_who_answers_honestly_by_letter_is_accused_however_senseless_the_shots() -> None:
    games_by_letter(LETTERS)


if __name__ == "__main__":
    # python tests/unit/test_jury_honest.py: the number of games required for a release
    print(games_by_letter(GAMES), "honest games by letter, nobody accused")
