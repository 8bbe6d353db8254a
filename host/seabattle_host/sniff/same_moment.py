"""The order of what two sides, each in its own file, sent within one step of their clock: replies after commands."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import groupby

from seabattle import wire
from seabattle_host.sniff.capture import Chunk, Item


class _Side:
    """What a side has sent so far."""

    def __init__(self) -> None:
        self.reader = wire.Reader()
        self.waits = 0
        """The command to which it has got no reply yet, syncs excepted; 0 for none."""

    def sends(self, data: bytes, other: _Side) -> None:
        """Process bytes of this side."""
        for byte in data:
            if self.reader.feed(byte) != wire.FRAME:
                continue
            op = self.reader.op
            if wire.is_reply(op) and wire.command_of(op) == other.waits:
                other.waits = 0
            elif wire.is_command(op) and op != wire.SYNC:
                self.waits = op

    def place(self, data: bytes, other: _Side) -> int:
        """Return how soon these bytes come, from 0, if the other side has sent something in the same moment."""
        if self.reader.within:
            return 0
        if wire.is_reply(data[0]) and wire.command_of(data[0]) == other.waits:
            return 1
        return 2 if wire.is_command(data[0]) and not self.waits else 3


def in_order(items: Iterator[Item]) -> Iterator[Item]:
    """Yield items that are sorted by their times; those of the same time in the order that the protocol tells."""
    both = (_Side(), _Side())
    for _at, moment in groupby(items, key=lambda item: item.at):
        sent: tuple[deque[Chunk], deque[Chunk]] = (deque(), deque())
        for item in moment:
            if isinstance(item, Chunk) and item.data:
                sent[item.side].append(item)
            else:
                yield item
        while sent[0] or sent[1]:
            heads = [side for side in (0, 1) if sent[side]]
            side = min(heads, key=lambda side: both[side].place(sent[side][0].data, both[1 - side]))
            chunk = sent[side].popleft()
            both[side].sends(chunk.data, both[1 - side])
            yield chunk
