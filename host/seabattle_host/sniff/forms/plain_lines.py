"""Lines of undamaged frames as this program writes them, which nearly all are: read without taking the object apart.

Such a line differs from others of its kind in digits alone. So its digits are made alike (but for zeros: a number that
begins with one is none), and what is left tells whether it is of a kind that is known, and where its bytes stand in it.
The kinds are known by one expression. Any other line is left to who reads JSON.
"""

from __future__ import annotations

import re
from binascii import crc_hqx, unhexlify

from seabattle_host.sniff.capture import SECOND, SIDES, Frame

_WORD = rb'"[^"\\\x00-\x1f]*"'
_NUMBER = rb"(?:0|[1-9][0-9]{0,17})"
_FIELD = rb'"[a-z0-9]+":(?:%b|%b)' % (_WORD, _NUMBER)
_BEHIND = re.compile(
    rb'"side":"([AB])"(?:,"role":%b)?(?:,"op":%b)?,"raw":"((?:[0-9A-F][0-9A-F])+)"(?:,"offsets":\[(%b(?:,%b)*)\])?'
    rb'(,"crossed":true)?'
    rb'(?:,"fields":{%b(?:,%b)*})?(?:,"(?:verdict|reason|state|answers|reply|meaning)":(?:%b|%b))*'
    % (_WORD, _WORD, _NUMBER, _NUMBER, _FIELD, _FIELD, _WORD, _NUMBER)
)
"""What stands behind the time, up to the CRC: side, bytes, offsets, and what says nothing of the bytes."""

_HEAD = b'{"type":"frame"'
_CRC_LENGTH = len(b',"crc":"0000"}\n')
_SEAL = [b',"crc":"%02X' % byte for byte in range(256)]
_SEALED = [b'%02X"}\n' % byte for byte in range(256)]
"""Both halves of a seal by the bytes of the CRC: putting numbers into words takes longer than looking them up."""

_LONGEST_NUMBER = 18
_ALIKE = bytes.maketrans(b"23456789", b"11111111")

_KINDS_MOST = 4096

_APART = 10 * SECOND
"""No two bytes of a frame are so far apart."""

Kind = tuple[int, int, int, int, int, bool]
"""Of a line of a kind: the side, where its bytes and its offsets begin and end, 0 where it has none; and whether bytes
of the other side came between its own."""


class PlainLines:
    """Takes one line after the other: `number` is what the next one has to have."""

    def __init__(self) -> None:
        self.crossed = False
        """Whether bytes of the other side came between those of the frame that was taken last."""
        self._kinds: dict[bytes, Kind] = {}
        self._offsets: dict[bytes, tuple[int, ...]] = {}
        self._time = b""
        self._at = 0

    def take(self, line: bytes, number: int) -> Frame | None:
        """The frame of a line that ends with a newline; None if it is another line, damaged, or has another number."""
        try:
            head, n, time, behind = line.split(b",", 3)
        except ValueError:
            return None
        if head != _HEAD or n != b'"n":%d' % number:
            return None
        crc = crc_hqx(line[:-_CRC_LENGTH], 0xFFFF)
        if line[-_CRC_LENGTH:] != _SEAL[crc >> 8] + _SEALED[crc & 255]:
            return None
        if time != self._time:
            digits = time[5:]
            if time[:5] != b'"at":' or not digits.isdigit() or len(digits) > _LONGEST_NUMBER:
                return None
            if digits[0] == 48 and len(digits) > 1:
                return None
            self._time = time
            self._at = int(digits)
        alike = behind[:-_CRC_LENGTH].translate(_ALIKE)
        kind = self._kinds.get(alike) or self._kind(alike)
        if kind is None:
            return None
        side, begin, end, first, last, self.crossed = kind
        raw = unhexlify(behind[begin:end])
        if not first:
            return self._at, side, raw, ()
        said = behind[first:last]
        offsets = self._offsets.get(said) or self._rising(said)
        return None if len(offsets) != len(raw) else (self._at, side, raw, offsets)

    def _rising(self, said: bytes) -> tuple[int, ...]:
        """Offsets; empty if they are none."""
        offsets = tuple(map(int, said.split(b",")))
        if offsets[-1] >= _APART or offsets != tuple(sorted(offsets)):
            return ()
        if len(self._offsets) >= _KINDS_MOST:
            self._offsets.clear()
        self._offsets[said] = offsets
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
