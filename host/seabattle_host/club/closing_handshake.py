"""The club's last word to a peer, a goodbye or BROKEN, and the wait for its reply."""

from __future__ import annotations

from seabattle import wire


class ClosingHandshake:
    """word: GOODBYE or BROKEN.

    cut: the peer has received an incomplete frame; it must time out on that first, or it would take the word for a part
    of it.
    """

    def __init__(self, word: int, cut: bool):
        self._word = word
        self._ticks_left = wire.GAP_TICKS + 3 if cut else 0
        self._age = -1
        """Ticks since the word was sent, -1 before that."""

    def due(self) -> bytes:
        """Return the byte to send now, once."""
        if self._ticks_left or self._age >= 0:
            return b""
        self._age = 0
        return bytes([self._word])

    def tick(self) -> bool:
        """Advance by one tick; return True once no reply is expected any more."""
        if self._ticks_left:
            self._ticks_left -= 1
        elif self._age >= 0:
            self._age += 1
        return self._age > wire.REPLY_TICKS

    def is_answered_by(self, op: int) -> bool:
        """Return whether this is the reply."""
        return self._age >= 0 and op == wire.exchange(self._word)[wire.REPLY]
