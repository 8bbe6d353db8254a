"""Several ticks of the watcher at once."""

from __future__ import annotations

from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR
from seabattle_host.sniff.timing import IDLE_TICKS, TickTimer

_TICK, _REST = divmod(TICK_DIVIDEND, TICK_DIVISOR)

TOO_MANY = 1 << 30


class BatchedTickTimer(TickTimer):
    """A tick timer that can count due ticks before taking them."""

    def count(self, at: int) -> int:
        """Return how many ticks are due by `at`; TOO_MANY after a pause so long that `due` has to be asked."""
        ahead = at - self.next
        if ahead < 0:
            return 0
        # the tick `count` is due at `next` plus (count * TICK_DIVIDEND + rest) // TICK_DIVISOR
        count = ((ahead + 1) * TICK_DIVISOR - self._rest - 1) // TICK_DIVIDEND + 1
        return count if self._idle + count <= IDLE_TICKS else TOO_MANY

    def leap(self, count: int) -> None:
        """Take this many ticks, and prepare for something read after them."""
        self._idle = 0
        rest = self._rest + count * _REST
        self.next += count * _TICK + rest // TICK_DIVISOR
        self._rest = rest % TICK_DIVISOR
