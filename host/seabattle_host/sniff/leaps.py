"""Many of the watcher's ticks at once."""

from __future__ import annotations

from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR
from seabattle_host.sniff.timing import IDLE_TICKS, TickTimer

_TICK, _REST = divmod(TICK_DIVIDEND, TICK_DIVISOR)

TOO_MANY = 1 << 30


class Leaps(TickTimer):
    """Counts ticks before they are taken for done."""

    def count(self, at: int) -> int:
        """How many ticks are due by `at`; TOO_MANY where the line was idle for so long that `due` has to say."""
        ahead = at - self.next
        if ahead < 0:
            return 0
        # a tick is a whole number of microseconds or one more
        count = ahead // (_TICK + 1) + 1
        while self.next + count * _TICK + (self._rest + count * _REST) // TICK_DIVISOR <= at:
            count += 1
        return count if self._idle + count <= IDLE_TICKS else TOO_MANY

    def leap(self, count: int) -> None:
        """So many ticks are done."""
        self._idle += count
        self._rest += count * _REST
        self.next += count * _TICK + self._rest // TICK_DIVISOR
        self._rest %= TICK_DIVISOR
