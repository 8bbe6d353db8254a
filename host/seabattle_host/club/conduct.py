"""Players' conduct: broken protocol, games left, time run out; and the patience it earns them.

Only endings of a battle count, and only against the loser. A lost line counts as a game left: the opponent has lost its
game in both cases, and a pulled plug cannot be told from a broken one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

BROKE, LEFT, STALLED = "broke", "left", "stalled"
KINDS = (BROKE, LEFT, STALLED)

_KIND = {
    "violation": BROKE,
    "goodbye": LEFT,
    "lost": LEFT,
    "timeout": LEFT,
    "restart": LEFT,
    "stalled": STALLED,
    "clock": STALLED,
}
_RECENT = 10
_TROUBLE = 3
_SHORTEST = 0.25


class Conduct:
    """results: winner, loser and ending of each game that has a winner, oldest first."""

    def __init__(self, results: Iterable[tuple[int, int, str]] = ()):
        self._counts: dict[int, Counter[str]] = {}
        self._recent: dict[int, deque[str]] = {}
        for winner, loser, ending in results:
            self.add(winner, loser, ending)

    def add(self, winner: int, loser: int, ending: str) -> None:
        """Count a game."""
        kind = _KIND.get(ending, "")
        self._note(winner, "")
        self._note(loser, kind)
        if kind:
            self._counts.setdefault(loser, Counter())[kind] += 1

    def _note(self, player: int, kind: str) -> None:
        self._recent.setdefault(player, deque(maxlen=_RECENT)).append(kind)

    def counts_of(self, player: int) -> dict[str, int]:
        """Return how often a player did each of KINDS."""
        counts = self._counts.get(player, Counter())
        return {kind: counts[kind] for kind in KINDS}

    def patience(self, player: int) -> float:
        """Return the share of the usual time for a move that a player gets: less after recent timeouts."""
        return max(_SHORTEST, 1 / (1 + sum(kind == STALLED for kind in self._recent.get(player, ()))))

    def troublesome(self, player: int) -> bool:
        """Return whether others are paired first: too many of the player's last games were spoilt."""
        return sum(map(bool, self._recent.get(player, ()))) >= _TROUBLE
