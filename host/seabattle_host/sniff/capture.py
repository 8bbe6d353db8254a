"""The data of a capture: bytes with their side and, where known, the time they were read at.

Sides are 0 and 1, shown as A and B. Times are whole microseconds since the epoch (or since the start of the capture, if
the epoch is unknown). In a capture without times every time is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag

SIDES = "AB"
MARKS = "><"
"""Direction marks in files: `>` sent by A, `<` sent by B."""

SECOND = 10**6
"""In microseconds."""

TICK_DIVIDEND = 65536 * SECOND
TICK_DIVISOR = 1193182
"""A tick is TICK_DIVIDEND / TICK_DIVISOR microseconds."""


class Fault(IntFlag):
    """A driver's error flags for a byte. PARITY | FRAMING: damaged, with no kind given."""

    PARITY = 1
    FRAMING = 2
    OVERRUN = 4
    BREAK = 8

    @property
    def words(self) -> list[str]:
        """The names in lower case, as in files."""
        return [str(fault.name).lower() for fault in Fault if fault in self]


@dataclass(frozen=True)
class Header:
    """The metadata of a capture. names: the ports of A and B; settings: of the line; mode: how it was taken.

    began: microseconds since the epoch, 0 if unknown. timed: its bytes have times. ordered: the order of the two sides'
    bytes is that of the line; False if it is a guess. resolution: of its times, microseconds; 0 if they are as exact as
    the machine was.
    """

    names: tuple[str, str] = ("A", "B")
    settings: str = ""
    mode: str = "file"
    began: int = 0
    timed: bool = True
    ordered: bool = True
    resolution: int = 0
    read_as: tuple[str, ...] = ()
    """After a conversion: which formats it was read as, and why."""


MERGED_MODES = ("one", "merged")
"""Modes of captures whose bytes came without sides: the sides in a file of ours are the sniffer's own guess."""


def is_merged_mode(mode: str) -> bool:
    """Return whether the sides of a capture of this mode have to be worked out again."""
    return mode in MERGED_MODES


@dataclass(slots=True, unsafe_hash=True)
class Chunk:
    """Bytes of one side read together.

    faults: empty, or a Fault for each byte. Never modified, but not frozen, which would cost time for each.
    """

    at: int
    side: int
    data: bytes
    faults: bytes = b""


class Crossed(Chunk):
    """Bytes of a record interleaved with bytes of the other side: ordered by their times."""

    __slots__ = ()


@dataclass(frozen=True)
class Lost:
    """A gap: an edited or cut file, or a driver that lost bytes. why: in words."""

    at: int
    why: str


Item = Chunk | Lost


def empty_chunk(at: int) -> Chunk:
    """Return an empty chunk: no byte came up to that time, at which something was judged late."""
    return Chunk(at, 0, b"")


Frame = tuple[int, int, bytes, tuple[int, ...]]
"""The bytes of a frame as logged: time, side, bytes, and offsets in microseconds from that time to each byte, empty if
all came at once. A plain tuple, since one is made for each frame."""


@dataclass(slots=True)
class Crossing:
    """Frames that crossed, in the order in which they were complete: bytes of one came between those of the other."""

    frames: list[Frame]

    def chunks(self) -> list[Chunk]:
        """Return their bytes as chunks, in the order of their times."""
        chunks: list[Chunk] = []
        for at, side, raw, offsets in self.frames:
            if offsets:
                chunks += group_by_time(at, side, raw, offsets, b"")
            else:
                chunks.append(Chunk(at, side, raw))
        return sorted(chunks, key=lambda chunk: chunk.at)


Piece = Item | Frame | Crossing
"""One thing read from a capture."""


def split_frames(items: Iterable[Piece]) -> Iterator[Item]:
    """Split frames into chunks, as they came."""
    for item in items:
        if not isinstance(item, tuple):
            if isinstance(item, Crossing):
                yield from item.chunks()
            else:
                yield item
            continue
        at, side, raw, offsets = item
        if offsets:
            yield from group_by_time(at, side, raw, offsets, b"")
        else:
            yield Chunk(at, side, raw)


def join_frame(first: Chunk, left: Iterator[Piece], length: int) -> list[Piece]:
    """Join a frame of this length whose bytes came one by one; otherwise return the chunks taken.

    Most captures have such frames. left: what follows the first byte.
    """
    chunks: list[Piece] = [first]
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


def group_by_time(
    at: int, side: int, data: bytes, offsets: Sequence[int], faults: bytes, kind: type[Chunk] = Chunk
) -> Iterator[Chunk]:
    """Yield bytes with a time each as chunks: bytes with equal times stay together."""
    first = 0
    for i in range(1, len(data) + 1):
        if i == len(data) or offsets[i] != offsets[first]:
            marked = faults[first:i]
            yield kind(at + offsets[first], side, data[first:i], marked if any(marked) else b"")
            first = i


def sort_crossed(items: Iterator[Item]) -> Iterator[Item]:
    """Sort consecutive crossed chunks by time."""
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
    """Return crossed chunks as plain ones, sorted by time."""
    return [Chunk(c.at, c.side, c.data, c.faults) for c in sorted(row, key=lambda c: c.at)]
