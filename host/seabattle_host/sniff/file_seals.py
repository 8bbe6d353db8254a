"""Seals of files: a CRC-16 for each line of JSON; counts and hashes for logs, pcapng and the files of a run."""

from __future__ import annotations

import binascii
import hashlib
import json
import re
from dataclasses import dataclass

JSON_FORMAT = "seabattle-capture"


def crc16(data: bytes) -> int:
    """Return the CRC-16 (polynomial 0x1021, initial value 0xFFFF) of a line up to its last comma."""
    return binascii.crc_hqx(data, 0xFFFF)


def seal(body: dict[str, object]) -> bytes:
    """Serialize an object as one line that ends with its CRC."""
    plain = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    return plain + b',"crc":"%04X"}\n' % crc16(plain)


def unseal(raw: bytes, is_checked: bool = False) -> dict[str, object] | None:
    """Parse a line, without its newline; None if its CRC is wrong. is_checked: it was checked in another way."""
    plain, comma, tail = raw.rpartition(b',"crc":"')
    if not (comma and (is_checked or tail == b'%04X"}' % crc16(plain))):
        return None
    body = json.loads((plain + b"}").decode("utf-8", "surrogatepass"))
    return body if isinstance(body, dict) else None


EVERY = 64
"""Lines of a log or packets of pcapng between two marks, which locate what is missing."""

SEALED = re.compile(r" sealed(?: every=(\d{1,6}))?$")
"""In the head of a log or pcapng: without a closing line something is missing."""

MARK = re.compile(r"seabattle mark n=(\d{1,18}) hash=([0-9a-f]{16})")

CLOSING = re.compile(r"seabattle end n=(\d{1,18}) last=(yes|no)(?: rest=([0-9a-f]{16}))? hash=([0-9a-f]{16})")


class Closing:
    """Counts and hashes the lines or packets of a log or pcapng, for its marks and its closing line."""

    def __init__(self) -> None:
        self._count = 0
        self._hash = hashlib.sha256()
        self._block = hashlib.sha256()
        self._marked = 0

    def take(self, piece: bytes) -> None:
        """Add a packet."""
        self._count += 1
        self._hash.update(piece)
        self._block.update(piece)

    def take_line(self, line: str) -> None:
        """Add a line of a log; comments are skipped, as they may be added by hand."""
        if line.strip() and line[0] != "#":
            self.take(line.rstrip().encode("utf-8", "surrogateescape"))

    @property
    def is_full(self) -> bool:
        """Whether a mark is due."""
        return self._count >= self._marked + EVERY

    def mark(self) -> str:
        """Return the mark for the lines or packets so far."""
        hashed = self._block.hexdigest()[:16]
        self._begin_block(self._count)
        return f"seabattle mark n={self._count} hash={hashed}"

    def holds(self, mark: re.Match[str]) -> bool:
        """Check a mark that was read, and start the next block."""
        good = int(mark[1]) == self._count and self._block.hexdigest()[:16] == mark[2]
        self._count = int(mark[1])
        self._begin_block(self._count)
        return good

    def _begin_block(self, count: int) -> None:
        self._marked = count
        self._block = hashlib.sha256()

    def seal_text(self, last: bool) -> str:
        """Return the closing line."""
        hashed = self._hash.hexdigest()[:16]
        block = self._block.hexdigest()[:16]
        return f"seabattle end n={self._count} last={'yes' if last else 'no'} rest={block} hash={hashed}"

    def fits(self, closing: re.Match[str]) -> bool:
        """Check a closing line that was read."""
        # what is missing before the last mark is already reported
        hashed, there = (self._block, closing[3]) if closing[3] else (self._hash, closing[4])
        return int(closing[1]) == self._count and there == hashed.hexdigest()[:16]


@dataclass
class Part:
    """A file's place in a run. run: the run's ID; number: from 1; before: hash of the previous file."""

    run: str
    number: int = 1
    before: str = ""


class Hashed:
    """The hash of a file being written, which the next file names."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._begun = False

    def begin(self, part: Part | None) -> str:
        """Start a new file; return what its head says about its place in the run."""
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
        """Add bytes; return them."""
        self._hash.update(data)
        return data
