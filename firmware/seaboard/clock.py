"""The ticks of the protocol, computed from a millisecond clock: for ports whose timers may drop calls.

A late call catches up on all elapsed ticks, so none is lost.
"""

from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Callable


_TICKS = const(0x3FFFFFFF)
# 65536/1193182 s per tick, scaled: a tick is _PER_TICK units, a millisecond _PER_MS.
_PER_MS = const(596591)
_PER_TICK = const(32768000)
_LEAP_MS = const(1000)  # a longer pause (a suspended computer) counts as this long


class Clock:
    """now: returns milliseconds; passed: takes a later and an earlier time and returns the difference."""

    def __init__(self, now: "Callable[[], int]", passed: "Callable[[int, int], int]") -> None:
        self._now = now
        self._passed = passed
        self._ms = now()
        self._parts = 0
        self._ticks = 0

    def ticks(self) -> int:
        """Return the ticks since it was made, 0..2**30-1, wraps around."""
        now = self._now()
        passed = self._passed(now, self._ms)
        if passed:
            self._ms = now
            parts = self._parts + min(passed, _LEAP_MS) * _PER_MS
            n = parts // _PER_TICK
            self._parts = parts - n * _PER_TICK
            self._ticks = (self._ticks + n) & _TICKS
        return self._ticks

    def left(self) -> int:
        """Return the milliseconds to the next tick, as of the last ticks() call; at least 1."""
        return (_PER_TICK - self._parts) // _PER_MS + 1
