"""The key that the club presses by itself after an error, as a player at a board would."""

from __future__ import annotations

_LATE_TICKS = 60
"""A late reply may still come."""
_SLOW_TICKS = 300
"""The same for a peer that is heard but does not reply: some programs of 2010 take their time."""


class KeyPress:
    """When the key is pressed."""

    def __init__(self) -> None:
        self.silent = False
        """The peer was not heard at all."""
        self._ticks_left = 0

    def timeout(self, heard: bool) -> None:
        """The peer has not replied."""
        self.silent = not heard
        self._ticks_left = _SLOW_TICKS if heard else _LATE_TICKS

    def resumed(self) -> None:
        """It has, late."""
        self.silent = False
        self._ticks_left = 0

    def tick(self) -> bool:
        """One tick has passed; True if the key is to be pressed now."""
        if not self._ticks_left:
            return False
        self._ticks_left -= 1
        return not self._ticks_left
