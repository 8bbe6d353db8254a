"""The ticks of the protocol, worked out from a clock in milliseconds: for ports whose timers may lose a call.

A late call gets every tick that has passed, so no tick is lost.
"""

from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Callable


_TICKS = const(0x3FFFFFFF)
# 65536/1193182 s to the millisecond: a tick is _PER_TICK parts, a millisecond _PER_MS.
_PER_MS = const(596591)
_PER_TICK = const(32768000)
_LEAP_MS = const(1000)  # a longer pause (a suspended computer) counts as this long


class Clock:
    """now: gives milliseconds; passed: takes a later and an earlier one, and gives how many lie between."""

    def __init__(self, now: "Callable[[], int]", passed: "Callable[[int, int], int]") -> None:
        self._now = now
        self._passed = passed
        self._ms = now()
        self._parts = 0
        self._ticks = 0

    def ticks(self) -> int:
        """Ticks since it was made, 0..2**30-1 and round."""
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
        """Milliseconds to the next tick, of when ticks() was asked last; 1 at least."""
        return (_PER_TICK - self._parts) // _PER_MS + 1
