"""A gunner beside its plain form, which keeps nothing, on the same radar. test_gunner.py holds the levels against their
rules.
"""

import plain_gunner

from seabattle.field import Field
from seabattle.gunner import DENSITY, HUNT, RANDOM, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng


class Pair:
    """Both with the same lots, for one game after another."""

    def __init__(self, seed):
        self.sea = Field(100)
        self.radar = Radar(100)
        self.lots = Rng(seed)
        self.gunner = Gunner(self.radar, Rng(seed + 1), HUNT)
        self.plain = plain_gunner.Gunner(self.radar, Rng(seed + 1), HUNT)

    def begin(self, made):
        """The next field."""
        self.sea.reset(made)
        self.radar.reset(made)
        assert self.sea.random(self.lots)

    def shoot(self, cell):
        assert self.radar.can_shoot(cell), cell
        assert self.radar.answer(cell, self.sea.shoot(cell)) == 0

    def game(self, made, level, changes=False):
        """Plays to the end; with `changes` the level is another one now and then. Every choice and heat is the same."""
        self.begin(made)
        shots = 0
        while not self.sea.lost():
            if changes and self.lots.below(3) == 0:
                level = RANDOM + self.lots.below(4)
            self.gunner.level = self.plain.level = level
            cell = self.gunner.aim() if shots % 2 else self.in_steps()
            assert cell == self.plain.aim(), (made.width, level, shots)
            if level >= DENSITY:
                assert self.gunner.heat == self.plain.heat, (made.width, level, shots)
            self.shoot(cell)
            shots += 1

    def in_steps(self):
        """The next choice, thought about as a board does, in less than 400 steps."""
        self.gunner.aim_start()
        for _ in range(400):
            cell = self.gunner.aim_step()
            if cell >= 0:
                return cell
        raise AssertionError("it thinks and thinks")
