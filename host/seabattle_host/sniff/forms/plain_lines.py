"""JSON lines of undamaged frames as this program writes them, the common case, read without parsing JSON.

Such lines differ little but in their figures: with each figure replaced by the same one, few different lines are left.
These are recognised by a regular expression, and tell where everything is in the lines that look like them. Any other
line is left to the JSON parser. What can be done for many lines at once is done by a single call.
"""

from __future__ import annotations

import json
import re
from binascii import crc_hqx, unhexlify
from collections.abc import Sequence
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
_END = len(b'1111"}')
_CRC_SIZE = len(b',"crc":"') + _END
_SIDE_OF = {name.encode(): side for side, name in enumerate(SIDES)}
_NOWHERE = slice(0)

Row = tuple[bytes, ...]
"""What a line says: number, time, side, bytes, offsets (empty if none). If its CRC is to be checked, that and the text
that it is of follow."""
Shape = tuple["itemgetter[Row]", bool]
"""What takes the row out of such a line, and whether the frame crossed another one."""
_crosses = itemgetter(1)
_last = itemgetter(-1)

_KINDS_MOST = 4096

APART = 10 * SECOND
"""Bytes of a record are never this far apart, microseconds: a frame times out long before."""


class _Raws(dict[bytes, bytes]):
    """Bytes by their text; remembered, as most are the same."""

    def __missing__(self, figures: bytes) -> bytes:
        raw = unhexlify(figures)
        if len(self) >= _KINDS_MOST:
            self.clear()
        self[figures] = raw
        return raw


class PlainLines:
    """Takes lines in their order."""

    def __init__(self, is_checked: bool = False) -> None:
        """is_checked: no line is damaged, which needs not be checked again."""
        self._is_checked = is_checked
        self.lines = 0
        """How many lines there are to take."""
        self.at = 0
        """Time of the last line taken."""
        self.crossed: list[Frame | Chunk] = []
        """Frames and chunks of records that crossed, until one that did not."""
        self._shapes: dict[bytes, Shape | tuple[()]] = {}
        """Empty for a line about something else."""
        self._raws = _Raws()
        self._most = 1
        """How many lines to take at once, at most."""
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
        if there is not None and (not there[5] or 2 * (there[5].count(b",") + 1) == len(there[4])):
            places = [slice(*there.span(i)) if there[i] else _NOWHERE for i in range(1, 6)]
            size = len(shaped)
            if not self._is_checked:
                places += slice(size - _END, size - _END + 4), slice(size - _CRC_SIZE)
            shape = (cast("itemgetter[Row]", itemgetter(*places)), there[6] is not None)
        self._shapes[shaped] = shape
        return shape

    def take(self, begin: int, number: int) -> tuple[int, list[Piece]]:
        """Return how many lines were taken from index `begin` and record number `number` on, and their frames.

        They go up to the first line that is of another kind, damaged, incomplete, or has another number.
        """
        end = min(self._found.index((), begin), begin + self._most)
        shapes = cast("list[Shape]", self._found[begin:end])
        frames = self._frames(self._lines[begin:end], shapes, number)
        # where many lines are damaged, few are taken at once, as those behind one are taken in vain
        self._most = min(2 * self._most, _KINDS_MOST) if len(frames) == len(shapes) else max(len(frames), 1)
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
        """Return the frames of these lines; of the first half at most if one is damaged or has another number."""
        if not lines:
            return []
        rows = [row(line) for (row, _crosses), line in zip(shapes, lines, strict=True)]
        numbers, times, sides, figures, listed, *seals = zip(*rows, strict=True)
        try:
            # one call of the parser, which is written in C, for all of them
            offsets: list[list[int]] = json.loads(b"[[%b]]" % b"],[".join(listed))
            given = [*filter(None, offsets)]
            if (
                [*map(int, numbers)] == [*range(number, number + len(lines))]
                and (not seals or _are_whole(*seals))
                and [*map(sorted, given)] == given
                and max(map(_last, given), default=0) < APART
            ):
                raws = map(self._raws.__getitem__, figures)
                return [*zip(map(int, times), map(_SIDE_OF.__getitem__, sides), raws, map(tuple, offsets), strict=True)]
        except (KeyError, ValueError):
            # a letter where a side or a number belongs
            pass
        half = len(lines) // 2
        return self._frames(lines[:half], shapes[:half], number)


def _are_whole(seals: Sequence[bytes], sealed: Sequence[bytes]) -> bool:
    """Return whether these are the CRCs of these texts."""
    right = unpack(f">{len(seals)}H", unhexlify(b"".join(seals)))
    return tuple(map(crc_hqx, sealed, repeat(0xFFFF))) == right


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
