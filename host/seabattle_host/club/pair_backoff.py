"""Delays before two players whose games keep ending before the battle are paired again.

A program that restarts without end would otherwise fill the archive and keep its opponent busy.
"""

from __future__ import annotations

from seabattle_host.club.store import Game

_FREE = 2
"""Such games in a row without a delay: people do that too."""
_MOST = 60.0
"""The longest delay, in seconds."""


class PairBackoff:
    """The delay of each pair, doubled with each such game. Times are in seconds, of one clock."""

    def __init__(self) -> None:
        self._waits: dict[tuple[int, int], tuple[int, float]] = {}
        """The two players -> their games in a row without a battle, and when they may be paired again."""

    def note(self, game: Game, now: float) -> None:
        """Count a game that has ended."""
        pair = (game.players[0].id, game.players[1].id)
        count, _ = self._waits.pop(pair, (0, 0.0))
        if game.battle or game.winner is not None:
            return
        # those who have waited long enough are new again
        self._waits = {each: (n, due) for each, (n, due) in self._waits.items() if now < due + _MOST}
        wait = min(_MOST, 2.0 ** (count - _FREE)) if count >= _FREE else 0.0
        self._waits[pair] = count + 1, now + wait

    def holds(self, master: int, slave: int, now: float) -> bool:
        """Return whether these players should not be paired now."""
        return now < self._waits.get((master, slave), (0, 0.0))[1]
