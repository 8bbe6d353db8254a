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
        if ahead < _TICK:
            return 1 if self._idle < IDLE_TICKS else TOO_MANY
        # ticks differ by one microsecond in length
        count = ahead // (_TICK + 1) + 1
        if self._idle + count > IDLE_TICKS:
            # where a clock has jumped by years, it would take long to count them all
            return TOO_MANY
        while self.next + count * _TICK + (self._rest + count * _REST) // TICK_DIVISOR <= at:
            count += 1
        return count if self._idle + count <= IDLE_TICKS else TOO_MANY

    def leap(self, count: int) -> None:
        """Take this many ticks, and prepare for something read after them."""
        self._idle = 0
        rest = self._rest + count * _REST
        self.next += count * _TICK + rest // TICK_DIVISOR
        self._rest = rest % TICK_DIVISOR
