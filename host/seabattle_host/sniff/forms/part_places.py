"""A file's place in its run, as its head names it."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Lost
from seabattle_host.sniff.file_seals import unseal
from seabattle_host.sniff.forms.source import Source


def parsed(line: str, is_checked: bool = False) -> dict[str, object] | None:
    """Parse a line; one without a seal was written by hand. is_checked: its seal need not be checked."""
    try:
        if '"crc"' in line:
            return unseal(line.encode("utf-8", "surrogateescape"), is_checked)
        body = json.loads(line)
        return body if isinstance(body, dict) and "type" in body else None
    except (ValueError, UnicodeEncodeError, RecursionError):
        return None


def is_edited(line: str) -> bool:
    """Return whether a line that could not be parsed is whole, but its seal is of another text."""
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(body, dict) and "crc" in body and "type" in body


_PLACE = re.compile(rb"seabattle .*? run=([0-9a-f]{8}) part=(\d{1,9})(?: before=([0-9a-f]{16}))?", re.DOTALL)
"""A run's place in the head of logs and pcapng."""


@dataclass(frozen=True)
class PartOf:
    """A file's place in its run; run is empty if the file names none."""

    run: str = ""
    number: int = 0
    before: str = ""

    def break_behind(self, last: PartOf, hashed: str | None = None) -> str:
        """Return why this file does not continue that one; empty if it does. hashed: the hash of that one, if known."""
        if self.run != last.run:
            return tr("lost_other_run")
        if not self.run:
            return ""
        if self.number == last.number:
            return tr("part_doubled", part=self.number)
        if self.number < last.number:
            return tr("part_backward", part=self.number, before=last.number)
        if self.number > last.number + 2:
            return tr("parts_missing", first=last.number + 1, last=self.number - 1)
        if self.number > last.number + 1:
            return tr("part_missing", part=last.number + 1)
        return tr("part_joined", part=self.number) if hashed is not None and self.before != hashed else ""


def place_of(head: Mapping[str, object]) -> PartOf:
    """Return the place that the header of a JSON file names."""
    number = head.get("part")
    if not isinstance(number, int):
        return PartOf()
    return PartOf(str(head.get("run", "")), number, str(head.get("before", "")))


def place_in(head: str | bytes) -> PartOf:
    """Return the place that the head of a log or pcapng names."""
    place = _PLACE.search(head if isinstance(head, bytes) else head.encode("utf-8", "replace"))
    return PartOf(place[1].decode(), int(place[2]), (place[3] or b"").decode()) if place else PartOf()


def joint(before: PartOf, place: PartOf, at: int, is_open: bool) -> list[Lost]:
    """Return the gaps where one file follows another in a file. is_open: the first one has no end."""
    reasons = [tr("lost_end")] if is_open else []
    return [Lost(at, why) for why in (*reasons, place.break_behind(before)) if why]


def part_of(source: Source) -> PartOf:
    """Return a file's place in its run."""
    if (place := place_in(source.sample[:2048])).run:
        return place
    for line in source.head[:1]:
        return place_of(parsed(line) or {})
    return PartOf()


_ENDS = re.compile(
    rb"\n# seabattle end n=\d+ last=no(?: rest=\w+)? hash=\w+\s*\Z"
    rb"|\n\{\"type\":\"end\",[^\n]*\"last\":false[^\n]*\s*\Z"
    rb"|\0[^\n]{0,64}seabattle end n=\d+ last=no(?: rest=\w+)? hash=\w{16}[^\n]{0,32}\Z",
    re.DOTALL,
)


_PART = re.compile(rb'\n\{"type":"header",[^\n]*?"part":(\d{1,9})[,}]|seabattle [^\n]*? part=(\d{1,9})')


_END_MOST = 4096
"""Most bytes of the closing record."""


def last_part(source: Source, number: int, is_only: bool) -> tuple[int, bool]:
    """Return the number of a file's last part, and whether its end says that others follow.

    number: of its first part; parts may have been joined into one file. is_only: no other file is read with this one;
    then only the number before parts that follow matters.
    """
    has_more = _ENDS.search(source.end(_END_MOST)) is not None
    if is_only and not has_more:
        return number, False
    end = b""
    for block in source.blocks():
        end += block
        if b"part" in end:
            for found in _PART.finditer(end):
                number = int(found[1] or found[2])
        end = end[-4096:]
    return number, has_more


_HASHED_AT_ONCE = 1 << 16

_CLOSING = re.compile(rb'\n\{"type":"end",[^\n]*"hash":"(\w+)"[^\n]*\n\Z')


def is_closed(source: Source) -> bool:
    """Return whether a JSON file is a single part, none of whose lines has been changed since it was closed.

    False, too, for a packed one: to unpack it takes longer than to check its lines.
    """
    if source.is_packed or (closing := _CLOSING.search(source.end(_END_MOST))) is None:
        return False
    hashed = hashlib.sha256()
    with source.open() as stream:
        begin = stream.tell()
        left = stream.seek(0, io.SEEK_END) - begin - (len(closing[0]) - 1)
        stream.seek(begin)
        while left > 0 and (block := stream.read(min(left, _HASHED_AT_ONCE))):
            hashed.update(block)
            left -= len(block)
    return hashed.hexdigest().startswith(closing[1].decode())


_SECTION = b"\x0a\x0d\x0d\x0a"
"""Begins a part in pcapng."""


def hash_of(source: Source) -> str:
    """Return the hash of a file, or of the last part of several that were joined into one, as the next file names it.

    Of a text it is the same with other line ends, in another encoding, and with remarks added to a log.
    """
    hashed = hashlib.sha256()
    if not source.encoding:
        for block in source.blocks():
            begin = block.rfind(_SECTION)
            if begin >= 0 and _PLACE.search(block[begin : begin + 2048]):
                hashed, block = hashlib.sha256(), block[begin:]
            hashed.update(block)
        return hashed.hexdigest()[:16]
    for block in source.coded_blocks():
        begin = max((found.start() for found in _HEADS.finditer(block)), default=-1)
        if begin >= 0:
            hashed, block = hashlib.sha256(), block[begin:]
        if b"#" in block:
            lines = block.splitlines(keepends=True)
            block = b"".join(line for line in lines if line[:1] != b"#" or line.startswith(b"# seabattle "))
        hashed.update(block)
    return hashed.hexdigest()[:16]


_HEADS = re.compile(rb'^(?:\{"type":"header",[^\n]*?"part":\d|# seabattle [^\n]*? part=\d)', re.MULTILINE)
