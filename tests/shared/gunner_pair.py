"""The gunner beside its plain form, for tests that hold them against each other."""

import plain_gunner

from seabattle.field import Field
from seabattle.gunner import DENSITY, HUNT, RANDOM, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng


class Pair:
    """One gunner of each form on the same radar, with the same lots, for one game after another."""

    def __init__(self, seed):
        self.sea = Field(100)
        self.radar = Radar(100)
        self.lots = Rng(seed)
        self.plain = plain_gunner.Gunner(self.radar, Rng(seed + 1), HUNT)
        self.gunner = Gunner(self.radar, Rng(seed + 1), HUNT)

    def game(self, made, level, changes=False):
        """Plays to the end; with `changes` the level is another one now and then. Every choice and heat is the same."""
        sea = self.sea
        radar = self.radar
        sea.reset(made)
        radar.reset(made)
        assert sea.random(self.lots)
        shots = 0
        while not sea.lost():
            if changes and self.lots.below(3) == 0:
                level = RANDOM + self.lots.below(4)
            self.plain.level = self.gunner.level = level
            cell = self.gunner.aim() if shots % 2 else self.in_steps()
            assert cell == self.plain.aim(), (made.width, level, shots)
            if level >= DENSITY:
                assert self.gunner.heat == self.plain.heat, (made.width, level, shots)
            assert radar.answer(cell, sea.shoot(cell)) == 0
            shots += 1

    def in_steps(self):
        """The next choice, thought about as a board does."""
        self.gunner.aim_start()
        cell = self.gunner.aim_step()
        while cell < 0:
            cell = self.gunner.aim_step()
        return cell
