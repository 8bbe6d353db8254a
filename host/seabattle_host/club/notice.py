"""A word of the club's to one of two who are joined, put between two frames of the other.

The one who is told takes it for chat of the opponent's and confirms it; the confirmation is for the club and does not
go on. Until it has come, what the opponent sends waits, for no side may have two commands outstanding.
"""

from __future__ import annotations

from collections import deque

from seabattle import wire
from seabattle_host.language import text

_WAIT_TICKS = 20
"""So long a confirmation is waited for; one that comes later is a stray, which harms nobody."""


class Notices:
    """What waits to be told to one side."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._age = 0
        self.open = False
        """One is sent and not confirmed."""
        self.held = bytearray()
        """What the opponent has sent meanwhile."""

    def add(self, words: str) -> None:
        """Tell it this, as soon as that can be."""
        self._waiting.extend(text.encode_chat(words))

    def next(self) -> bytes:
        """The next frame to send now that nothing is in the way, empty for none."""
        if self.open or not self._waiting:
            return b""
        part = self._waiting.popleft()
        self.open = True
        self._age = 0
        return bytes([wire.CHAT, len(part)]) + part

    @property
    def idle(self) -> bool:
        """There is nothing to tell, and nothing to be confirmed."""
        return not self.open and not self._waiting

    def tick(self) -> bool:
        """One tick has passed; True if the confirmation is given up."""
        self._age += 1
        return self.open and self._age > _WAIT_TICKS

    def taken(self) -> bytes:
        """The confirmation has come, or is given up: what was held back meanwhile."""
        self.open = False
        held = bytes(self.held)
        self.held.clear()
        return held
