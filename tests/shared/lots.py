"""Random numbers that run through every possible outcome, so that the chance of each can be counted.

And the number of repetitions of a random game.
"""

import sys

CPYTHON = sys.implementation.name == "cpython"


def often(times):
    """Return `times` on CPython, a quarter elsewhere: there it is only shown that the same code does the same."""
    return times if CPYTHON else (times + 3) // 4


class EveryLot:
    """Replaces a seabattle.rng.Rng. `ways`: one divided by the probability of the current draws."""

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
        """Prepare the next way; False after the last."""
        while self._drawn and self._drawn[-1] == self._of[-1] - 1:
            self._drawn.pop()
            self._of.pop()
        self._at = 0
        self.ways = 1
        if self._drawn:
            self._drawn[-1] += 1
        return len(self._drawn) > 0


def chances(lots, choose, most=1000):
    """Return the probability of each outcome of choose(), which draws from `lots`; None if `ways` exceeds `most`."""
    found = {}
    while True:
        outcome = choose()
        if lots.ways > most:
            return None
        found[outcome] = found.get(outcome, 0) + 1 / lots.ways
        if not lots.turn():
            return found


def is_even(found, outcomes):
    """Whether these outcomes are equally likely; one listed twice counts as twice as likely."""
    for outcome in outcomes:
        if outcome not in found:
            return False
    for outcome, chance in found.items():
        if abs(chance - outcomes.count(outcome) / len(outcomes)) > 0.001:
            return False
    return True


def looks_fair(counts):
    """Whether each was equally likely: neither bias nor too even a spread, by five deviations of chi-square."""
    expected = sum(counts) / len(counts)
    free = len(counts) - 1
    return abs(sum([(n - expected) ** 2 / expected for n in counts]) - free) < 5 * (2 * free) ** 0.5
