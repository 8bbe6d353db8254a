"""What a capture is: bytes, each with the side it came from and, where that is known, the time it was read at.

Sides are 0 and 1, shown as A and B. Times are whole microseconds since the epoch (or since the capture began, where
it does not know the epoch). A capture without times has every time 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag

SIDES = "AB"
MARKS = "><"
"""How files mark a direction: `>` what A sends, `<` what B sends."""

SECOND = 10**6
"""Microseconds."""

TICK_DIVIDEND = 65536 * SECOND
TICK_DIVISOR = 1193182
"""A tick is TICK_DIVIDEND / TICK_DIVISOR microseconds."""


class Fault(IntFlag):
    """What a driver says of a byte. PARITY | FRAMING is a byte of which it says only that it was damaged."""

    PARITY = 1
    FRAMING = 2
    OVERRUN = 4
    BREAK = 8

    @property
    def words(self) -> list[str]:
        """The names in lower case, as files have them."""
        return [str(fault.name).lower() for fault in Fault if fault in self]


@dataclass(frozen=True)
class Header:
    """What a capture says of itself. names: the ports of A and B; settings: of the line; mode: how it was taken.

    began: microseconds since the epoch, 0 if not known. timed: its bytes have times. ordered: the order of the two
    sides' bytes is that of the line; False where it had to be guessed. resolution: the finest that its times can tell,
    microseconds; 0 where they are as exact as the machine was.
    """

    names: tuple[str, str] = ("A", "B")
    settings: str = ""
    mode: str = "file"
    began: int = 0
    timed: bool = True
    ordered: bool = True
    resolution: int = 0
    read_as: tuple[str, ...] = ()
    """Of what was converted: which forms it was read as, and why."""


MERGED_MODES = ("one", "merged")
"""Modes of captures whose bytes came without sides: those that a file of ours gives are the sniffer's own guess."""


def is_merged_mode(mode: str) -> bool:
    """Whether the sides of a capture of this mode have to be worked out again."""
    return mode in MERGED_MODES


@dataclass(slots=True, unsafe_hash=True)
class Chunk:
    """Bytes of one side that were read together. faults: empty, or for each byte its Fault. Nobody changes it: to
    freeze it would take time for each."""

    at: int
    side: int
    data: bytes
    faults: bytes = b""


class Crossed(Chunk):
    """Bytes of a record between which bytes of the other side came: they stand where their times say."""

    __slots__ = ()


@dataclass(frozen=True)
class Lost:
    """From here on something is missing: an edited or cut file, a driver that lost bytes. why: in words."""

    at: int
    why: str


Item = Chunk | Lost


def quiet(at: int) -> Chunk:
    """No byte came up to that time, after which something was called late."""
    return Chunk(at, 0, b"")


Frame = tuple[int, int, bytes, tuple[int, ...]]
"""Bytes that were a frame when they were written down: time, side, bytes, and microseconds from that time to each byte,
empty if all came at once. One is made for each frame of a capture, so it is no more than a tuple."""


def apart(items: Iterable[Item | Frame]) -> Iterator[Item]:
    """The bytes of frames, as they came."""
    for item in items:
        if not isinstance(item, tuple):
            yield item
            continue
        at, side, raw, offsets = item
        if offsets:
            yield from together(at, side, raw, offsets, b"")
        else:
            yield Chunk(at, side, raw)


def joined(first: Chunk, left: Iterator[Item | Frame], length: int) -> list[Item | Frame]:
    """One frame of so many bytes, where these came one by one, as in most captures; what was taken otherwise. left:
    what follows the first byte."""
    chunks: list[Item | Frame] = [first]
    end, raw = first.at, first.data
    offsets = [0]
    for chunk in left:
        chunks.append(chunk)
        if not isinstance(chunk, Chunk) or chunk.side != first.side or chunk.faults or chunk.at < end:
            break
        end = chunk.at
        raw += chunk.data
        offsets.append(end - first.at)
        if len(raw) == len(offsets) == length:
            return [(first.at, first.side, raw, tuple(offsets))]
        if len(raw) >= length:
            break
    return chunks


def together(
    at: int, side: int, data: bytes, offsets: Sequence[int], faults: bytes, kind: type[Chunk] = Chunk
) -> Iterator[Chunk]:
    """Bytes with a time each, as chunks: those that were read together stay together."""
    first = 0
    for i in range(1, len(data) + 1):
        if i == len(data) or offsets[i] != offsets[first]:
            marked = faults[first:i]
            yield kind(at + offsets[first], side, data[first:i], marked if any(marked) else b"")
            first = i


def uncrossed(items: Iterator[Item]) -> Iterator[Item]:
    """The bytes of records that crossed, which stand in a row, in the order of their times."""
    row: list[Chunk] = []
    for item in items:
        if type(item) is Crossed:
            row.append(item)
            continue
        if row:
            yield from in_order(row)
            row.clear()
        yield item
    yield from in_order(row)


def in_order(row: list[Chunk]) -> list[Chunk]:
    """Bytes of such records in the order of their times."""
    return [Chunk(c.at, c.side, c.data, c.faults) for c in sorted(row, key=lambda c: c.at)]
