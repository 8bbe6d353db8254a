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

_HEAD = b'{"type":"frame","n":%d,"at":'
_SEALS = [crc_hqx(b',"crc":"%04X"}\n' % crc, crc) for crc in (*range(256), *range(256, 1 << 16, 256))]
_LOW = {b'%02X"}\n' % byte: _SEALS[byte] ^ _SEALS[0] for byte in range(256)}
_HIGH = {b',"crc":"%02X' % byte: _SEALS[byte + 255 if byte else 0] for byte in range(256)}
"""Of both halves of a seal what they make of the CRC of a line that they are the right ones for, the seal included: a
CRC of two things that differ is the difference of their CRCs, so a line need not be parted for it."""
_SEAL_LENGTH = len(b',"crc":"0000"}\n')
_LOW_LENGTH = len(b'00"}\n')

_LONGEST_NUMBER = 18
_ALIKE = bytes.maketrans(b"23456789", b"11111111")

_KINDS_MOST = 4096

_APART = 10 * SECOND
"""No two bytes of a frame are so far apart."""

Kind = tuple[int, int, int, int, int, bool]
"""Of a line of a kind: the side, where its bytes and its offsets begin and end, 0 where it has none; and whether bytes
of the other side came between its own."""

Known = tuple[int, bytes, tuple[int, ...], bool]
"""Of all that stands behind the time: side, bytes, offsets, and the same."""


class PlainLines:
    """Takes one line after the other: `number` is what the next one has to have."""

    def __init__(self) -> None:
        self.crossed = False
        """Whether bytes of the other side came between those of the frame that was taken last."""
        self._known: dict[bytes, Known] = {}
        self._kinds: dict[bytes, Kind] = {}
        self._offsets: dict[bytes, tuple[int, ...]] = {}
        self._time = b""
        self._at = 0

    def take(self, line: bytes, number: int) -> Frame | None:
        """The frame of a line that ends with a newline; None if it is another line, damaged, or has another number."""
        try:
            if crc_hqx(line, 0xFFFF) != _HIGH[line[-_SEAL_LENGTH:-_LOW_LENGTH]] ^ _LOW[line[-_LOW_LENGTH:]]:
                return None
        except KeyError:
            return None
        head = _HEAD % number
        if not line.startswith(head):
            return None
        begin = len(head)
        end = line.find(b",", begin)
        time = line[begin:end]
        if time != self._time:
            if not time.isdigit() or len(time) > _LONGEST_NUMBER or (time[0] == 48 and len(time) > 1):
                return None
            self._time = time
            self._at = int(time)
        behind = line[end + 1 : -_SEAL_LENGTH]
        known = self._known.get(behind) or self._look(behind)
        if known is None:
            return None
        side, raw, offsets, self.crossed = known
        return self._at, side, raw, offsets

    def _look(self, behind: bytes) -> Known | None:
        """What stands behind the time."""
        alike = behind.translate(_ALIKE)
        kind = self._kinds.get(alike) or self._kind(alike)
        if kind is None:
            return None
        side, begin, end, first, last, crossed = kind
        raw = unhexlify(behind[begin:end])
        offsets: tuple[int, ...] = ()
        if first:
            said = behind[first:last]
            offsets = self._offsets.get(said) or self._rising(said)
            if len(offsets) != len(raw):
                return None
        if len(self._known) >= _KINDS_MOST:
            self._known.clear()
        known = self._known[behind] = (side, raw, offsets, crossed)
        return known

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
