"""The jury over many games: whoever answers honestly is never accused, during the game or after it."""

from __future__ import annotations

import random

from seabattle.jury import CLEAN, Jury
from seabattle.rng import Rng
from seabattle.variants import OK, Rules, VariantField, VariantRadar

GAMES = 10_000


def test_10000_honest_games_raise_no_accusation() -> None:
    lots = random.Random(GAMES)
    cells = 8 * 8
    jury, field, radar, rng = Jury(cells), VariantField(cells), VariantRadar(cells), Rng(GAMES)
    rules = Rules()
    game = 0
    while game < GAMES:
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
