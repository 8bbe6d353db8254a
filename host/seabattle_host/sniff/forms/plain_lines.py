"""JSON lines of undamaged frames as this program writes them, the common case, read without parsing JSON.

Lines of one kind differ only in digits. So all digits except zeros are replaced by one (a number that begins with a
zero is invalid), and the result identifies the kind, and with it where the bytes are. The kinds are recognised by a
regular expression. Any other line is left to the JSON parser.

The text after the time often repeats. For repeated text its contribution to the line's CRC is kept, so that only the
text before it has to be hashed. What can be done for many lines at once is done by a single call.
"""

from __future__ import annotations

import re
from array import array
from binascii import crc_hqx, unhexlify
from collections.abc import Sequence
from itertools import islice, repeat
from operator import lt
from struct import unpack
from typing import cast

from seabattle_host.sniff.capture import SECOND, SIDES, Chunk, Crossing, Frame, Piece, in_order, split_frames

_WORD = rb'"[^"\\\x00-\x1f]*"'
_NUMBER = rb"(?:0|[1-9][0-9]{0,17})"
_FIELD = rb'"[a-z0-9]+":(?:%b|%b)' % (_WORD, _NUMBER)
_BEHIND = re.compile(
    rb'"side":"([AB])"(?:,"role":%b)?(?:,"op":%b)?,"raw":"((?:[0-9A-F][0-9A-F])+)"(?:,"offsets":\[(%b(?:,%b)*)\])?'
    rb'(,"crossed":true)?'
    rb'(?:,"fields":{%b(?:,%b)*})?(?:,"(?:verdict|reason|follows|state|answers|reply|meaning|wrong)":(?:%b|%b))*'
    % (_WORD, _WORD, _NUMBER, _NUMBER, _FIELD, _FIELD, _WORD, _NUMBER)
)
"""What follows the time, up to the CRC: side, bytes, offsets, and fields that are not needed."""

_BEGIN = b'{"type":"frame","n":'
_BEGIN_CRC = crc_hqx(_BEGIN, 0xFFFF)
_LINE = re.compile(rb'%b(([1-9][0-9]{0,17}),"at":(%b),)(.*),"crc":"([0-9A-F]{4})"}\n|.*\n?' % (_BEGIN, _NUMBER))
"""Any line; of a frame with a CRC what is before the bytes, its number, its time, what follows, and the CRC."""

_SEALED_LINE = re.compile(rb'%b([1-9][0-9]{0,17}),"at":(%b),(.*),"crc":"[0-9A-F]{4}"}' % (_BEGIN, _NUMBER))
"""A line of a frame, if its CRC does not matter: number, time, and what follows."""
_OTHER_LINE = re.compile(rb"\n(?!%b)" % _BEGIN)
_HEAD = _BEGIN + b'%d,"at":'
_HEAD_WORDS = _HEAD.replace(b"%d", b"")
_DIGITS = b"0123456789"
_CRC_SIZE = len(',"crc":"0000"}')

_ALIKE = bytes.maketrans(b"23456789", b"11111111")

_KINDS_MOST = 4096

_APART = 10 * SECOND
"""Bytes of a frame are never this far apart."""

Kind = tuple[int, int, int, int, int, bool]
"""A kind of line: side, start and end of bytes and of offsets, 0 if there are none; and whether bytes of the other side
came between."""

Known = tuple[int, bytes, tuple[int, ...], bool]
"""Everything after the time, parsed: side, bytes, offsets, and the same flag."""

Shift = tuple[Sequence[int], Sequence[int]]
Again = tuple[int, bytes, tuple[int, ...], bool, int, Sequence[int], Sequence[int]]
"""The same for repeated text, its CRC with start value 0, and by high and low byte what the CRC of the text before it
adds: CRCs are linear."""


class PlainLines:
    """Takes lines in their order."""

    def __init__(self) -> None:
        self.lines = 0
        """How many lines there are to take."""
        self.at = 0
        """Time of the last line taken."""
        self.crossed: list[Frame | Chunk] = []
        """Frames and chunks of records that crossed, until one that did not."""
        self._known: dict[bytes, Known] = {}
        self._again: dict[bytes, Again] = {}
        self._shifts: dict[int, Shift] = {}
        self._kinds: dict[bytes, Kind] = {}
        self._offsets: dict[bytes, tuple[int, ...]] = {}
        self._columns: tuple[tuple[bytes, ...], ...] = ()

    def split(self, text: bytes) -> None:
        """Set the lines to take."""
        self._columns = tuple(zip(*_LINE.findall(text), strict=True))
        self.lines = len(self._columns[0]) - 1  # the last match is empty

    def take(self, begin: int, number: int) -> tuple[int, list[Piece]]:
        """Return how many lines were taken from index `begin` and record number `number` on, and their frames.

        They go up to the first line that is of another kind, damaged, incomplete, or has another number.
        """
        if self._columns[1][begin] != b"%d" % number:
            return 0, []
        end = self._columns[1].index(b"", begin)
        heads, numbers, times, behinds, crcs = (column[begin:end] for column in self._columns)
        seals = unpack(f">{end - begin}H", unhexlify(b"".join(crcs)))
        befores = map(crc_hqx, heads, repeat(_BEGIN_CRC))
        found: list[Piece] = []
        add = found.append
        again = self._again.get
        crossed = self.crossed
        count, at = 0, self.at
        for n, time, behind, before, seal in zip(
            map(int, numbers), map(int, times), behinds, befores, seals, strict=True
        ):
            kept = again(behind)
            if kept is None:
                known = self._look(behind, before, seal)
                if known is None:
                    break
                side, raw, offsets, crosses = known
            else:
                side, raw, offsets, crosses, crc, high, low = kept
                if crc ^ high[before >> 8] ^ low[before & 255] != seal:
                    break
            if n != number:
                break
            number += 1
            count += 1
            at = time
            if crosses:
                crossed.append((at, side, raw, offsets))
                continue
            if crossed:
                found += together_crossed(crossed)
            add((at, side, raw, offsets))
        self.at = at
        return count, found

    def _look(self, behind: bytes, before: int, seal: int) -> Known | None:
        """Parse what follows the time, if the CRC is right."""
        if crc_hqx(behind, before) != seal:
            return None
        known = self._known.get(behind)
        if known is not None:
            # the second time
            if len(self._again) >= _KINDS_MOST:
                self._again.clear()
                self._shifts.clear()
            self._again[behind] = (*known, crc_hqx(behind, 0), *self._shift(len(behind)))
            return known
        known = self._read(behind)
        if known is not None:
            if len(self._known) >= _KINDS_MOST:
                self._known.clear()
            self._known[behind] = known
        return known

    def _shift(self, length: int) -> Shift:
        """Return what a CRC becomes after this many zero bytes, separately for its high and its low byte."""
        shift = self._shifts.get(length)
        if shift is None:
            zeros = bytes(length)
            halves = []
            for bits in (range(8, 16), range(8)):
                half = [0]
                for bit in bits:
                    one = crc_hqx(zeros, 1 << bit)
                    half += [crc ^ one for crc in half]
                halves.append(half)
            shift = self._shifts[length] = array("H", halves[0]), array("H", halves[1])
        return shift

    def _read(self, behind: bytes) -> Known | None:
        alike = behind.translate(_ALIKE)
        kind = self._kinds.get(alike) or self._kind(alike)
        if kind is None:
            return None
        side, begin, end, first, last, crossed = kind
        raw = unhexlify(behind[begin:end])
        offsets: tuple[int, ...] = ()
        if first:
            listed = behind[first:last]
            offsets = self._offsets.get(listed) or self._rising(listed)
            if len(offsets) != len(raw):
                return None
        return side, raw, offsets, crossed

    def _rising(self, listed: bytes) -> tuple[int, ...]:
        """Parse offsets; empty if they are invalid."""
        offsets = tuple(map(int, listed.split(b",")))
        if offsets[-1] >= _APART or offsets != tuple(sorted(offsets)):
            return ()
        if len(self._offsets) >= _KINDS_MOST:
            self._offsets.clear()
        self._offsets[listed] = offsets
        return offsets

    def _kind(self, alike: bytes) -> Kind | None:
        found = _BEHIND.fullmatch(alike)
        if found is None:
            return None
        try:
            alike.decode()
        except UnicodeDecodeError:
            return None
        if len(self._kinds) >= _KINDS_MOST:
            self._kinds.clear()
        first, last = (found.start(3), found.end(3)) if found[3] else (0, 0)
        side = SIDES.index(found[1].decode())
        kind = self._kinds[alike] = (side, found.start(2), found.end(2), first, last, found[4] is not None)
        return kind


class SealedLines(PlainLines):
    """The same for a file whose hash is right, so that no line has to be checked by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._frames: dict[bytes, tuple[int, bytes, tuple[int, ...]]] = {}
        """What follows the time, with its comma, parsed, of frames that did not cross: side, bytes, offsets."""
        self._lines: list[bytes] = []
        self._others: list[int] = []
        """Indices of lines about something else, and the end."""

    def split(self, text: bytes) -> None:
        text = text.removesuffix(b"\n")
        self._lines = text.split(b"\n")
        self.lines = len(self._lines)
        self._others = [text.count(b"\n", 0, other.end()) for other in _OTHER_LINE.finditer(text)]
        self._others.append(self.lines)

    def take(self, begin: int, number: int) -> tuple[int, list[Piece]]:
        first = _SEALED_LINE.fullmatch(self._lines[begin])
        if first is None or int(first[1]) != number:
            return 0, []
        lines = self._lines[begin : next(other for other in self._others if other > begin)]
        # where these are in nearly all lines
        head, time, behind = slice(first.start(2)), slice(*first.span(2)), slice(first.end(2), -_CRC_SIZE)
        heads = [line[head] for line in lines]
        # rising numbers between these are all there
        if (
            heads[-1] != _HEAD % (number + len(lines) - 1)
            or not all(map(lt, heads, islice(heads, 1, None)))
            or b"".join(heads).translate(None, _DIGITS) != _HEAD_WORDS * len(lines)
        ):
            del lines[next((i for i, known in enumerate(heads) if known != _HEAD % (number + i)), len(lines)) :]
        frames = list(map(self._frames.get, [line[behind] for line in lines], repeat(())))
        times = [line[time] for line in lines]
        if not b"".join(times).isdigit() or min(times) < b"1":
            # some may be no numbers
            frames = [()] * len(lines)
        frames.append(())
        found: list[Piece] = []
        crossed = self.crossed
        place = 0
        while place < len(lines):
            new = frames.index((), place)
            if new > place:
                found += together_crossed(crossed)
                ats = map(int, times[place:new])
                known = cast("list[tuple[int, bytes, tuple[int, ...]]]", frames[place:new])
                found += [(at, side, raw, offsets) for at, (side, raw, offsets) in zip(ats, known, strict=True)]
                place = new
                continue
            parts = _SEALED_LINE.fullmatch(lines[place])
            parsed = None if parts is None else self._read(parts[3])
            if parts is None or parsed is None:
                break
            side, raw, offsets, crosses = parsed
            frame = (int(parts[2]), side, raw, offsets)
            if crosses:
                crossed.append(frame)
            else:
                found += together_crossed(crossed)
                found.append(frame)
                if len(self._frames) >= _KINDS_MOST:
                    self._frames.clear()
                self._frames[b"," + parts[3]] = parsed[:3]
            place += 1
        if place:
            last = _SEALED_LINE.fullmatch(lines[place - 1])
            assert last is not None
            self.at = int(last[2])
        return place, found


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
