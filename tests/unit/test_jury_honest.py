"""The jury over many games: whoever answers honestly is never accused, during the game or after it."""

from __future__ import annotations

import random

from seabattle.field import HIT, MISS, REPEAT, SUNK
from seabattle.jury import CLEAN, FALSE_ANSWER, Jury
from seabattle.rng import Rng
from seabattle.variants import OK, Rules, VariantField, VariantRadar
from tests.sizes import proof

GAMES = 10_000
"""Of each kind, when this file is run as a command; the tests take a sample."""
SAMPLE = proof(200, 600)
LETTERS = proof(40, 100)


def games_by_letter(count: int) -> int:
    """Play so many games between honest people who shoot where they like, again at cells that are known too, and
    answer by what stands there in any of the ways that the rules leave open. The number of games; none is accused."""
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


def test_honest_games_of_every_variant_raise_no_accusation() -> None:
    games_of_variants(SAMPLE)


def games_of_variants(count: int) -> int:
    """Play so many games by rules drawn by lot, answered by the engine; their number. None is accused, during or after
    the game."""
    lots = random.Random(count)
    cells = 8 * 8
    jury, field, radar, rng = Jury(cells), VariantField(cells), VariantRadar(cells), Rng(count)
    rules = Rules()
    game = 0
    while game < count:
        counts = [lots.randint(0, 1), *(lots.randint(0, 1) for _ in range(3)), lots.randint(1, 3)]
        size = lots.choice((6, 7, 8)), lots.choice((6, 7, 8))
        corners, bent, walls, lenient = (lots.random() < share for share in (0.5, 0.5, 0.1, 0.5))
        if rules.custom(*size, *counts, corners, bent, walls, lenient) != OK:
            continue
        field.reset(rules)
        radar.reset(rules)
        if not field.random(rng):
            continue  # a fleet too many for its field
        game += 1
        order = lots.sample(range(field.cells), lots.randint(1, field.cells))
        answers = [field.shoot(cell) for cell in order]
        assert jury.check(rules, field.ship, order, answers, len(order)) == CLEAN, game
        if game % 5 == 0:
            assert not any(radar.answer(cell, answer) for cell, answer in zip(order, answers, strict=True)), game
    return count


if __name__ == "__main__":
    # python tests/unit/test_jury_honest.py: as many games as a release is held against
    print(games_of_variants(GAMES), "honest games of all variants, nobody accused")
    print(games_by_letter(GAMES), "honest games by letter, nobody accused")
