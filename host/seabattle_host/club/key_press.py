"""The key that the club presses by itself after a timeout, as a player at a board would."""

from __future__ import annotations

_LATE_TICKS = 60
"""Time left for a late reply."""
_SLOW_TICKS = 300
"""The same for a peer that sends but does not reply: some programs of 2010 are slow."""


class KeyPress:
    """The timer of the key press."""

    def __init__(self) -> None:
        self.silent = False
        """Nothing at all came from the peer."""
        self._ticks_left = 0

    def timeout(self, peer_present: bool) -> None:
        """Start the timer: the peer has not replied."""
        self.silent = not peer_present
        self._ticks_left = _SLOW_TICKS if peer_present else _LATE_TICKS

    def resumed(self) -> None:
        """Stop the timer: the reply came late."""
        self.silent = False
        self._ticks_left = 0

    def tick(self) -> bool:
        """Advance by one tick; return True if the key is to be pressed now."""
        if not self._ticks_left:
            return False
        self._ticks_left -= 1
        return not self._ticks_left
