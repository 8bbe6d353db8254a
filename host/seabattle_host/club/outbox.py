"""Texts for a peer, which go out one at a time whenever its link is free."""

from __future__ import annotations

from collections import deque

from seabattle import link as links
from seabattle.link import Link
from seabattle_host.language import text

_TEXTS_MOST = 12


class Outbox:
    """Texts beyond those that may wait are left out."""

    def __init__(self) -> None:
        self._parts: deque[bytes] = deque()

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, words: str) -> None:
        """One more text."""
        for part in text.encode_chat(words):
            if len(self._parts) < _TEXTS_MOST:
                self._parts.append(part)

    def clear(self) -> None:
        """Nobody is there to read them."""
        self._parts.clear()

    def send(self, link: Link | None) -> None:
        """Give the next one to the link, if it may be sent now."""
        if not self._parts or link is None or link.busy or link.chat != links.CHAT_YES:
            return
        part = self._parts[0]
        if link.send_chat(part, len(part)) == links.DONE:
            self._parts.popleft()
