"""JSON lines of undamaged frames as this program writes them, the common case, read without parsing JSON.

Such lines differ little but in their figures: with each figure replaced by the same one, few different lines are left.
These are recognised by a regular expression, and tell where everything is in the lines that look like them. Any other
line is left to the JSON parser. What can be done for many lines at once is done by a single call.
"""

from __future__ import annotations

import re
from binascii import crc_hqx, unhexlify
from itertools import repeat
from operator import itemgetter
from struct import unpack
from typing import cast

from seabattle_host.sniff.capture import SECOND, SIDES, Chunk, Crossing, Frame, Piece, in_order, split_frames

_SHAPED = bytes.maketrans(b"023456789ABCDEF", b"1" * 15)
_WORD = rb'"[^"\\\x00-\x1f]*"'
_NUMBER = rb"1{1,18}"
_FIELD = rb'"[a-z1]+":(?:%b|%b)' % (_WORD, _NUMBER)
_SHAPE = re.compile(
    rb'{"type":"frame","n":(%b),"at":(%b),"side":"(1)"(?:,"role":%b)?(?:,"op":%b)?,"raw":"((?:11)+)"'
    rb'(?:,"offsets":\[(%b(?:,%b)*)\])?(,"crossed":true)?'
    rb'(?:,"fields":{%b(?:,%b)*})?(?:,"(?:verdict|reason|follows|state|answers|reply|meaning|wrong)":(?:%b|%b))*'
    rb',"crc":"1111"}' % (_NUMBER, _NUMBER, _WORD, _WORD, _NUMBER, _NUMBER, _FIELD, _FIELD, _WORD, _NUMBER)
)
"""A line with the same figure everywhere: number, time, side, bytes, offsets; and whether the frame crossed another."""
_CRC_SIZE = len(',"crc":"1111"}')
_OFFSETS_BEGIN = len(',"offsets":[')
_SIDE_OF = {ord(name): side for side, name in enumerate(SIDES)}

Shape = tuple[slice, slice, int, slice, bool]
"""Where number, time, side, and bytes with their offsets are in a line, and whether the frame crossed another one."""
_crosses = itemgetter(4)

_KINDS_MOST = 4096

_APART = 10 * SECOND
"""Bytes of a frame are never this far apart."""


class _Contents(dict[bytes, tuple[bytes, tuple[int, ...]]]):
    """Bytes and offsets by their text; remembered, as many are the same. ValueError if the offsets are invalid."""

    def __missing__(self, text: bytes) -> tuple[bytes, tuple[int, ...]]:
        figures, _end, listed = text.partition(b'"')
        raw = unhexlify(figures)
        offsets = tuple(map(int, listed[_OFFSETS_BEGIN:].split(b","))) if listed else ()
        if offsets and (len(offsets) != len(raw) or offsets[-1] >= _APART or offsets != tuple(sorted(offsets))):
            raise ValueError
        contents = (raw, offsets)
        if len(self) >= 2 * _KINDS_MOST:
            self.clear()
        # where offsets differ each time, only the first are kept
        if not listed or len(self) < _KINDS_MOST:
            self[text] = contents
        return contents


class PlainLines:
    """Takes lines in their order."""

    def __init__(self) -> None:
        self.lines = 0
        """How many lines there are to take."""
        self.at = 0
        """Time of the last line taken."""
        self.crossed: list[Frame | Chunk] = []
        """Frames and chunks of records that crossed, until one that did not."""
        self._shapes: dict[bytes, Shape | tuple[()]] = {}
        """Empty for a line about something else."""
        self._contents = _Contents()
        self._lines: list[bytes] = []
        self._found: list[Shape | tuple[()]] = []

    def split(self, text: bytes) -> None:
        """Set the lines to take."""
        ended = text[-1:] == b"\n"
        self._lines = text.split(b"\n")
        shaped = text.translate(_SHAPED).split(b"\n")
        found = list(map(self._shapes.get, shaped))
        if None in found:
            found = [self._shape(line) if shape is None else shape for shape, line in zip(found, shaped, strict=True)]
        self._found = cast("list[Shape | tuple[()]]", found)
        # what follows the last newline is an incomplete line
        self._found[-1] = ()
        self.lines = len(self._lines) - ended

    def _shape(self, shaped: bytes) -> Shape | tuple[()]:
        if len(self._shapes) >= _KINDS_MOST:
            self._shapes.clear()
        there = _SHAPE.fullmatch(shaped)
        shape: Shape | tuple[()] = ()
        if there is not None:
            number, time = slice(*there.span(1)), slice(*there.span(2))
            contents = slice(there.start(4), there.end(5 if there[5] else 4))
            shape = (number, time, there.start(3), contents, there[6] is not None)
        self._shapes[shaped] = shape
        return shape

    def take(self, begin: int, number: int) -> tuple[int, list[Piece]]:
        """Return how many lines were taken from index `begin` and record number `number` on, and their frames.

        They go up to the first line that is of another kind, damaged, incomplete, or has another number.
        """
        end = self._found.index((), begin)
        shapes = cast("list[Shape]", self._found[begin:end])
        if not shapes or self._lines[begin][shapes[0][0]] != b"%d" % number:
            return 0, []
        frames = self._frames(self._lines[begin:end], shapes, number)
        crosses = [*map(_crosses, shapes[: len(frames)]), True]
        found: list[Piece] = []
        place = 0
        while place < len(frames):
            until = crosses.index(True, place)
            if until > place:
                found += together_crossed(self.crossed)
                found += frames[place:until]
            self.crossed += frames[until : until + 1]
            place = until + 1
        if frames:
            self.at = frames[-1][0]
        return len(frames), found

    def _frames(self, lines: list[bytes], shapes: list[Shape], number: int) -> list[Frame]:
        """Return the frames of these lines, up to the first that is damaged or has another number."""
        del lines[_good(lines) :]
        shapes = shapes[: len(lines)]
        try:
            numbers = [int(line[shape[0]]) for line, shape in zip(lines, shapes, strict=True)]
            if numbers != list(range(number, number + len(numbers))):
                good = next(i for i, n in enumerate(numbers) if n != number + i)
                lines, shapes = lines[:good], shapes[:good]
            texts = [line[shape[3]] for line, shape in zip(lines, shapes, strict=True)]
            contents = map(self._contents.__getitem__, texts)
            return [
                (int(line[time]), _SIDE_OF[line[side]], raw, offsets)
                for line, (_n, time, side, _contents, _crossed), (raw, offsets) in zip(
                    lines, shapes, contents, strict=True
                )
            ]
        except (KeyError, ValueError):
            # a letter where a side or a number belongs, or invalid offsets: in the first half at last, or after it
            return self._frames(lines[: len(lines) // 2], shapes, number)


def _good(lines: list[bytes]) -> int:
    """Return how many lines there are up to the first whose CRC is wrong."""
    seals = unpack(f">{len(lines)}H", unhexlify(b"".join([line[-6:-2] for line in lines])))
    crcs = tuple(map(crc_hqx, [line[:-_CRC_SIZE] for line in lines], repeat(0xFFFF)))
    if crcs == seals:
        return len(lines)
    return next(i for i, (crc, seal) in enumerate(zip(crcs, seals, strict=True)) if crc != seal)


def together_crossed(crossed: list[Frame | Chunk]) -> list[Piece]:
    """Return what records that crossed contain, if there are any, and clear it."""
    if not crossed:
        return []
    frames = [piece for piece in crossed if isinstance(piece, tuple)]
    whole = len(frames) == len(crossed)
    out: list[Piece] = []
    if whole and frames:
        out.append(Crossing(frames))
    elif frames or crossed:
        out += in_order([item for item in split_frames(crossed) if isinstance(item, Chunk)])
    crossed.clear()
    return out
