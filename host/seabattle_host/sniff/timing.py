"""The watcher's ticks, from the times of bytes. Written, like the watcher, so that it can be translated to Lua."""

from __future__ import annotations

_TICK = 65536 * 10**6 // 1193182
_REST = 65536 * 10**6 % 1193182
_DIVISOR = 1193182

IDLE_TICKS = 400
"""After this many ticks without a byte nothing more can become late."""

SOON = 4 * _TICK
"""A gap this soon after a record may be why it looks wrong."""


class TickTimer:
    """Says when each tick of 54.925 ms is due; times are whole microseconds."""

    def __init__(self) -> None:
        self.next = -1
        """When the next tick is due, -1 before the first byte."""
        self._rest = 0
        self._idle = 0

    def start(self, at: int) -> None:
        """Count from `at`."""
        self.next = at + _TICK
        self._rest = _REST
        self._idle = 0

    def begin(self, at: int) -> None:
        """Prepare for something read at `at`: call `due` until it returns False, then process it."""
        self._idle = 0
        if self.next < 0:
            self.start(at)

    def due(self, at: int) -> bool:
        """Return whether a tick is due by `at`, and take it."""
        if self.next > at:
            return False
        self._idle += 1
        if self._idle > IDLE_TICKS:
            self.start(at)
            return True
        self.next += _TICK
        self._rest += _REST
        if self._rest >= _DIVISOR:
            self._rest -= _DIVISOR
            self.next += 1
        return True
