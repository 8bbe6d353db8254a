"""Whose move a game waits for, and for how long: a player who only keeps the line alive loses."""

from __future__ import annotations

from seabattle import watch, wire
from seabattle.watch import Watch
from seabattle_host.club import store as stores
from seabattle_host.club.limits import Limits, ticks
from seabattle_host.club.store import Game

NOBODY = 2
"""In place of a side: the game waits for both, or for none."""

GOES_ON, WARN, OUT = range(3)
"""Results of `tick`."""


class MoveClock:
    """seen: the watcher of the game. patience: each side's share of the usual time."""

    def __init__(self, seen: Watch, limits: Limits, patience: tuple[float, float]):
        self.owes = NOBODY
        """The side that the game waits for."""
        self.answer = False
        """The game waits for an answer, not for a shot."""
        self.age = 0
        """Ticks of waiting."""
        self._watch = seen
        self._placing = ticks(limits.placing)
        self._limit = [ticks(limits.move * share) for share in patience]
        self._warning = [min(ticks(limits.move_warning), limit // 2) for limit in self._limit]
        self._state: tuple[object, ...] = ()

    def tick(self, game: Game) -> int:
        """Advance by one tick of a running game."""
        state = self._look(game)
        if state != self._state:
            self._state = state
            self.age = 0
            return GOES_ON
        self.age += 1
        if game.stage != stores.BATTLE:
            return OUT if self.age == self._placing else GOES_ON
        if self.owes == NOBODY:
            return GOES_ON
        limit = self._limit[self.owes]
        if self.age == limit - self._warning[self.owes]:
            return WARN
        return OUT if self.age == limit else GOES_ON

    def limit(self, side: int) -> int:
        """Return the ticks that a side has for a move."""
        return self._limit[side]

    def warning(self, side: int) -> int:
        """Return how many ticks before the limit a side is warned: at most half the limit."""
        return self._warning[side]

    def _look(self, game: Game) -> tuple[object, ...]:
        w = self._watch
        self.owes, self.answer = NOBODY, False
        if game.stage != stores.BATTLE:
            return (game.id, game.stage)
        for side in (0, 1):
            if w.waits(side) == wire.SHOT:
                self.owes, self.answer = 1 - side, True
        if not self.answer and w.winner == watch.UNSURE and w.turn in (0, 1):
            self.owes = w.turn
        return (game.id, game.stage, self.owes, self.answer, len(game.moves))
