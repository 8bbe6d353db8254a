"""JSON lines of undamaged frames as this program writes them, the common case, read without parsing JSON.

Lines of one kind differ only in digits. So all digits except zeros are replaced by one (a number that begins with a
zero is invalid), and the result identifies the kind, and with it where the bytes are. The kinds are recognised by a
regular expression. Any other line is left to the JSON parser.
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
"""What follows the time, up to the CRC: side, bytes, offsets, and fields that are not needed."""

_HEAD = b'{"type":"frame","n":%d,"at":'
_SEALS = [crc_hqx(b',"crc":"%04X"}\n' % crc, crc) for crc in (*range(256), *range(256, 1 << 16, 256))]
_LOW = {b'%02X"}\n' % byte: _SEALS[byte] ^ _SEALS[0] for byte in range(256)}
_HIGH = {b',"crc":"%02X' % byte: _SEALS[byte + 255 if byte else 0] for byte in range(256)}
"""For both halves of a seal, their contribution to the CRC of the line including it, if they are the right ones: CRCs
are linear, so that the line need not be split."""
_SEAL_LENGTH = len(b',"crc":"0000"}\n')
_LOW_LENGTH = len(b'00"}\n')

_LONGEST_NUMBER = 18
_ALIKE = bytes.maketrans(b"23456789", b"11111111")

_KINDS_MOST = 4096

_APART = 10 * SECOND
"""Bytes of a frame are never this far apart."""

Kind = tuple[int, int, int, int, int, bool]
"""A kind of line: side, start and end of bytes and of offsets, 0 if there are none; and whether bytes of the other side
came between."""

Known = tuple[int, bytes, tuple[int, ...], bool]
"""Everything after the time, parsed: side, bytes, offsets, and the same flag."""


class PlainLines:
    """Takes lines one by one; `number` is the expected number of the record."""

    def __init__(self) -> None:
        self.crossed = False
        """Whether bytes of the other side came between those of the last frame."""
        self._known: dict[bytes, Known] = {}
        self._kinds: dict[bytes, Kind] = {}
        self._offsets: dict[bytes, tuple[int, ...]] = {}
        self._time = b""
        self._at = 0

    def take(self, line: bytes, number: int) -> Frame | None:
        """Return the frame of a line that ends with a newline; None if it is of another kind, damaged, or has another
        number."""
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
        """Parse what follows the time."""
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
        """Parse offsets; empty if they are invalid."""
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
