"""Seals: of a line of JSON a CRC-16 of what stands before it; of the files of a run their numbers and hashes."""

from __future__ import annotations

import binascii
import hashlib
import json
import re
from dataclasses import dataclass

JSON_FORMAT = "seabattle-capture"


def crc16(data: bytes) -> int:
    """CRC-16 with polynomial 0x1021 and start value 0xFFFF, over the bytes of a line up to its last comma."""
    return binascii.crc_hqx(data, 0xFFFF)


def seal(body: dict[str, object]) -> bytes:
    """An object as one line that ends with the CRC of what stands before it."""
    plain = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    return plain + b',"crc":"%04X"}\n' % crc16(plain)


def unseal(raw: bytes) -> dict[str, object] | None:
    """The object of a line, without its newline, if its CRC is right."""
    plain, comma, tail = raw.rpartition(b',"crc":"')
    if not comma or tail != b'%04X"}' % crc16(plain):
        return None
    body = json.loads((plain + b"}").decode("utf-8", "surrogatepass"))
    return body if isinstance(body, dict) else None


EVERY = 64
"""So many lines of a log or packets of pcapng share a hash, by which it is seen where something is missing."""

SEALED = re.compile(r" sealed(?: every=(\d{1,6}))?$")
"""At the head of a log or of pcapng: something is missing if it has no closing."""

MARK = re.compile(r"seabattle mark n=(\d{1,18}) hash=([0-9a-f]{16})")

CLOSING = re.compile(r"seabattle end n=(\d{1,18}) last=(yes|no)(?: rest=([0-9a-f]{16}))? hash=([0-9a-f]{16})")


class Closing:
    """The end of a log or of pcapng: how many lines or packets there are, their hash, and whether a part follows."""

    def __init__(self) -> None:
        self._count = 0
        self._hash = hashlib.sha256()
        self._block = hashlib.sha256()
        self._marked = 0

    def take(self, piece: bytes) -> None:
        """A packet."""
        self._count += 1
        self._hash.update(piece)
        self._block.update(piece)

    def take_line(self, line: str) -> None:
        """A line of a log; remarks may be added by hand."""
        if line.strip() and line[0] != "#":
            self.take(line.rstrip().encode("utf-8", "surrogateescape"))

    @property
    def is_full(self) -> bool:
        """Whether it is time for a mark."""
        return self._count >= self._marked + EVERY

    def mark(self) -> str:
        """What is written behind so many lines or packets."""
        hashed = self._block.hexdigest()[:16]
        self._begin_block(self._count)
        return f"seabattle mark n={self._count} hash={hashed}"

    def holds(self, mark: re.Match[str]) -> bool:
        """Whether what was read since the mark before is what was written."""
        good = int(mark[1]) == self._count and self._block.hexdigest()[:16] == mark[2]
        self._count = int(mark[1])
        self._begin_block(self._count)
        return good

    def _begin_block(self, count: int) -> None:
        self._marked = count
        self._block = hashlib.sha256()

    def said(self, last: bool) -> str:
        """What is written at the end."""
        hashed = self._hash.hexdigest()[:16]
        block = self._block.hexdigest()[:16]
        return f"seabattle end n={self._count} last={'yes' if last else 'no'} rest={block} hash={hashed}"

    def fits(self, said: re.Match[str]) -> bool:
        """Whether what was read is what was written."""
        # what is missing before the last mark is told already
        hashed, there = (self._block, said[3]) if said[3] else (self._hash, said[4])
        return int(said[1]) == self._count and there == hashed.hexdigest()[:16]


@dataclass
class Part:
    """Which file of a run this is. run: by what its files know each other; number: from 1; before: the hash of the file
    before it."""

    run: str
    number: int = 1
    before: str = ""


class Hashed:
    """The hash of a file that is being written, which the next one names."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._begun = False

    def begin(self, part: Part | None) -> str:
        """A new file: what its head says of its place in the run."""
        before = self._hash.hexdigest()[:16] if self._begun else ""
        self._hash = hashlib.sha256()
        self._begun = True
        if part is None:
            return ""
        part.before = before
        return (
            f" run={part.run} part={part.number}" + (f" before={before}" if before else "") + f" sealed every={EVERY}"
        )

    def take(self, data: bytes) -> bytes:
        """Bytes that are written."""
        self._hash.update(data)
        return data
