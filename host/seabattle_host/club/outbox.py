"""Texts queued for a peer, sent one at a time when its link is free."""

from __future__ import annotations

from collections import deque

from seabattle import link as links
from seabattle.link import Link
from seabattle_host.language import text

_TEXTS_MOST = 12


class Outbox:
    """A bounded queue of texts; those beyond its size are dropped."""

    def __init__(self) -> None:
        self._parts: deque[bytes] = deque()

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, words: str) -> None:
        """Queue a text."""
        for part in text.encode_chat(words):
            if len(self._parts) < _TEXTS_MOST:
                self._parts.append(part)

    def clear(self) -> None:
        """Drop all texts."""
        self._parts.clear()

    def send(self, link: Link | None) -> None:
        """Give the next text to the link, if it can be sent now."""
        if not self._parts or link is None or link.busy or link.chat != links.CHAT_YES:
            return
        part = self._parts[0]
        if link.send_chat(part, len(part)) == links.DONE:
            self._parts.popleft()
