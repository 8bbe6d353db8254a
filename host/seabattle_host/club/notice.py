"""Messages of the club to a player in a relay, inserted between frames of the opponent.

The player takes one for the opponent's chat and confirms it; the confirmation is for the club and is not passed on.
Until then the opponent's bytes are held back, since no side may have two commands outstanding.
"""

from __future__ import annotations

from collections import deque

from seabattle import wire
from seabattle_host.language import text

_WAIT_TICKS = 20
"""Timeout of a confirmation; a later one is a stray, which does no harm."""


class Notices:
    """The messages queued for one side."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._age = 0
        self.open = False
        """A message has been sent and not confirmed."""
        self.held = bytearray()
        """The opponent's bytes held back meanwhile."""

    def add(self, words: str) -> None:
        """Queue a message."""
        self._waiting.extend(text.encode_chat(words))

    def next(self) -> bytes:
        """Return the next frame, empty for none. Call it when the line to the player is free."""
        if self.open or not self._waiting:
            return b""
        part = self._waiting.popleft()
        self.open = True
        self._age = 0
        return bytes([wire.CHAT, len(part)]) + part

    @property
    def idle(self) -> bool:
        """Whether nothing is queued or unconfirmed."""
        return not self.open and not self._waiting

    def tick(self) -> bool:
        """Advance by one tick; return True if the wait for the confirmation has timed out."""
        self._age += 1
        return self.open and self._age > _WAIT_TICKS

    def confirm(self) -> bytes:
        """End the wait for the confirmation; return the bytes held back meanwhile."""
        self.open = False
        held = bytes(self.held)
        self.held.clear()
        return held
