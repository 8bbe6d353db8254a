"""Players whose games together end before they begin, again and again.

They are paired with each other less and less often, so that a program that restarts without end fills neither the
archive nor its opponent's evening.
"""

from __future__ import annotations

from seabattle_host.club.store import Game

_FREE = 2
"""So many in a row are the doings of people."""
_MOST = 60.0


class Apart:
    """Times are seconds of one clock."""

    def __init__(self) -> None:
        self._waits: dict[tuple[int, int], tuple[int, float]] = {}
        """The two players -> their games in a row that never began, and when they may be paired again."""

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
