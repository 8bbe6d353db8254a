"""Two frames whose bytes alternate, since both sides of a merged line sent at the same time: `C0 B3 03 02 0A 67 67`."""

from __future__ import annotations

from collections.abc import Callable

from seabattle import wire
from seabattle_host.sniff.frame_contents import LETTERS, OTHERS, SHOTS, WHOLE

_BEGIN = (*LETTERS, wire.SHOT)
"""Opcodes of frames that begin inside another one: neither letters nor numbers of this protocol."""

_ENDS = (wire.TIMED_OUT, wire.RESTART, wire.SURRENDER, wire.GOODBYE, wire.BROKEN)
"""Commands of one byte that come whatever the other side sends."""

_LONGEST = 64
"""Longest nick or text accepted when both sides send at once."""


def intrudes(reader: wire.Reader, byte: int, is_awaited: Callable[[int], bool]) -> bool:
    """Return whether a byte begins a frame of the other side inside the one being read.

    is_awaited: returns whether a side waits for a reply.
    """
    if not reader.within:
        return False
    if byte in _BEGIN:
        return True
    # letters may be any other byte, and numbers only small ones
    if reader.op in LETTERS or byte <= wire.SIZE_MAX:
        return False
    return byte in _ENDS or (wire.is_reply(byte) and is_awaited(byte))


def holds_another(frame: bytes) -> bool:
    """Return whether another frame may have begun inside this one."""
    if frame[0] in LETTERS and (wire.SYNC in frame[1:] or wire.SYNCED in frame[1:]):
        return True
    numbers = b"" if frame[0] in LETTERS else frame[1:]
    return any(op in frame[1:] for op in _BEGIN) or max(numbers, default=0) > wire.SIZE_MAX


class _Part:
    """One of the two frames; the indexes of its bytes."""

    def __init__(self, places: list[int], raw: bytes):
        self.places = places
        self.raw = bytearray(raw)

    @property
    def left(self) -> int:
        """Bytes still to come, at least."""
        op, n = self.raw[0], len(self.raw)
        if op in LETTERS:
            return 2 + self.raw[1] - n if n > 1 else 1
        return (WHOLE | OTHERS).get(op, 1) - n

    def add(self, place: int, byte: int) -> None:
        self.places.append(place)
        self.raw.append(byte)

    @property
    def is_plausible(self) -> bool:
        """Whether the bytes so far may be such a frame."""
        op = self.raw[0]
        if op in LETTERS:
            return len(self.raw) < 2 or (self.raw[1] <= _LONGEST and min(self.raw[2:], default=32) >= 32)
        return op != wire.SHOT or self.left > 0 or bytes(self.raw) in SHOTS


class Tangle:
    """Reads the two frames: bytes come by turns until the shorter one ends."""

    def __init__(self, begun: bytes, byte: int):
        """begun: bytes of the first frame so far; byte: the first of the second."""
        first = list(range(len(begun)))
        self._parts = _Part(first, begun), _Part([len(begun)], bytes((byte,)))
        self._turn = 0

    @property
    def places(self) -> tuple[list[int], list[int]]:
        """Indexes of each frame's bytes."""
        return self._parts[0].places, self._parts[1].places

    @property
    def opcodes(self) -> tuple[int, int]:
        return self._parts[0].raw[0], self._parts[1].raw[0]

    def feed(self, byte: int) -> None:
        """Take the next byte."""
        part = self._parts[self._turn] if self._parts[self._turn].left else self._parts[1 - self._turn]
        part.add(sum(len(part.places) for part in self._parts), byte)
        self._turn = 1 - self._turn

    @property
    def is_none(self) -> bool:
        """Whether they are implausible."""
        first, second = self._parts
        if second.raw[0] == wire.SYNCED and first.raw[-1] == wire.SYNCED and not first.left:
            # the last byte is as well the answer, and the one before it a number of the frame
            return True
        if second.raw[0] == wire.SYNCED and first.raw[0] in LETTERS and second.places == [1] and first.raw[1:] > b" ":
            # a single letter
            return True
        return not all(part.is_plausible for part in self._parts)

    @property
    def may_be_letter(self) -> bool:
        """Whether the second, a sync, may be a letter of the first, and the last byte begin the next frame."""
        first, second = self._parts
        return second.raw[0] == wire.SYNC and second.places != [1] and first.raw[0] in LETTERS and not first.left

    @property
    def is_over(self) -> bool:
        """Whether both frames are complete."""
        return not any(part.left for part in self._parts)
