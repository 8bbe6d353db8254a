"""Lots that fall in every way there is, one way after another, so that the chance of each outcome can be counted.

And how often a game of chance is repeated.
"""

import sys

CPYTHON = sys.implementation.name == "cpython"


def often(times):
    """So many times on CPython; elsewhere a quarter: what is shown there is that the same code does the same."""
    return times if CPYTHON else (times + 3) // 4


class EveryLot:
    """In the place of a seabattle.rng.Rng. `ways`: one divided by the chance that lots fall the present way."""

    def __init__(self):
        self._drawn = []
        self._of = []
        self._at = 0
        self.ways = 1

    def below(self, n):
        if self._at == len(self._drawn):
            self._drawn.append(0)
            self._of.append(n)
        assert self._of[self._at] == n, "another draw, though all before it fell as they did"
        self._at += 1
        self.ways *= n
        return self._drawn[self._at - 1]

    def turn(self):
        """Make ready for the next way; False after the last."""
        while self._drawn and self._drawn[-1] == self._of[-1] - 1:
            self._drawn.pop()
            self._of.pop()
        self._at = 0
        self.ways = 1
        if self._drawn:
            self._drawn[-1] += 1
        return len(self._drawn) > 0


def chances(lots, choose, most=1000):
    """The chance, 0..1, of each outcome of choose(), which draws from `lots`, an EveryLot. None if there are
    more than `most` ways, as far as the first of them shows."""
    found = {}
    while True:
        outcome = choose()
        if lots.ways > most:
            return None
        found[outcome] = found.get(outcome, 0) + 1 / lots.ways
        if not lots.turn():
            return found


def is_even(found, outcomes):
    """Whether these chances are those of outcomes that are equally likely, one that is there twice twice as likely."""
    for outcome in outcomes:
        if outcome not in found:
            return False
    for outcome, chance in found.items():
        if abs(chance - outcomes.count(outcome) / len(outcomes)) > 0.001:
            return False
    return True
