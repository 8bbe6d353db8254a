"""Glicko-2, as in Mark Glickman's "Example of the Glicko-2 system" (http://www.glicko.net/glicko/glicko2.pdf).

A player has a rating, a deviation (its uncertainty: the true rating is within two deviations with 95 %) and a
volatility (how much it is expected to change). Step numbers are the paper's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

START = 1500.0
DEVIATION = 350.0
"""Deviation of an unknown player, and the largest one."""
VOLATILITY = 0.06
TAU = 0.5
"""How much a volatility may change: small where upsets prove little."""

_SCALE = 173.7178
_CLOSE = 1e-6


@dataclass(frozen=True)
class Rating:
    """A player's strength: rating, deviation and volatility."""

    rating: float = START
    deviation: float = DEVIATION
    volatility: float = VOLATILITY

    @property
    def mu(self) -> float:
        """The rating on the scale of Glicko-2 (step 2)."""
        return (self.rating - START) / _SCALE

    @property
    def phi(self) -> float:
        """The deviation on the scale of Glicko-2 (step 2)."""
        return self.deviation / _SCALE


def rest(one: Rating, periods: int = 1) -> Rating:
    """Return a rating after periods without a game (step 6): its deviation has grown."""
    phi = math.sqrt(one.phi**2 + max(0, periods) * one.volatility**2)
    return Rating(one.rating, min(DEVIATION, phi * _SCALE), one.volatility)


def update(one: Rating, games: Iterable[tuple[Rating, float]], tau: float = TAU) -> Rating:
    """Return a rating after a period of games.

    games: opponents as they were before it, with 1 for a win, 0.5, or 0 for a loss.
    """
    information = surprise = 0.0
    for other, score in games:
        weight = 1 / math.sqrt(1 + 3 * other.phi**2 / math.pi**2)
        expected = 1 / (1 + math.exp(-weight * (one.mu - other.mu)))
        information += weight**2 * expected * (1 - expected)  # step 3
        surprise += weight * (score - expected)  # step 4
    if not information:
        return rest(one)
    volatility = _volatility(one, 1 / information, surprise / information, tau)
    phi = 1 / math.sqrt(1 / (one.phi**2 + volatility**2) + information)  # steps 6 and 7
    mu = one.mu + phi**2 * surprise
    return Rating(START + _SCALE * mu, min(DEVIATION, _SCALE * phi), volatility)  # step 8


def _volatility(one: Rating, variance: float, improvement: float, tau: float) -> float:
    """Compute the new volatility (step 5): the root of f, by the Illinois method."""
    start = math.log(one.volatility**2)
    known = one.phi**2 + variance

    def f(x: float) -> float:
        power = math.exp(x)
        return power * (improvement**2 - known - power) / (2 * (known + power) ** 2) - (x - start) / tau**2

    low = start
    if improvement**2 > known:
        high = math.log(improvement**2 - known)
    else:
        high = start - tau
        while f(high) < 0:
            high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
