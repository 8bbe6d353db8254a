"""What terminal programs add to the bytes that they show: recordings of a terminal, banners, and times in between.

A recording (asciicast, ttyrec) is unpacked always. The other views are tried on files that are in no form as they are.
"""

from __future__ import annotations

import json
import re
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from seabattle_host.language.messages import tr
from seabattle_host.sniff.forms import evidence, sides
from seabattle_host.sniff.forms.source import Source, is_text

_LARGEST = 1 << 26
"""Bytes of a file up to which it is looked through for these."""

_CAST = re.compile(rb'\s*\{(?![^\n]*"format"\s*:)[^\n]*"version"\s*:\s*[1-3]\b')
"""The head of an asciicast. That of a capture of ours has a version, too, and must not be read as a whole."""
_TTYREC = struct.Struct("<III")
_LONGEST_PIECE = 1 << 20


@dataclass(frozen=True)
class View:
    """A file's content without what is not of the line; name: what was done, in words."""

    data: bytes
    name: str


def recording(source: Source) -> View | None:
    """Return what a recorded terminal showed, None if this is no recording of one."""
    if _CAST.match(source.sample) and (shown := _cast(source)) is not None:
        return View(shown, "asciicast")
    if _is_ttyrec(source.sample):
        return View(_KEY.sub(b"", b"".join(_ttyrec(source.read(_LARGEST)))), "ttyrec")
    return None


def _cast(source: Source) -> bytes | None:
    """Return what an asciicast shows, of version 1 (one object), 2 or 3 (a line for each output)."""
    first, _end, rest = source.read(_LARGEST).partition(b"\n")
    try:
        head = json.loads(first if rest.lstrip().startswith(b"[") else first + rest)
        events = head["stdout"] if "stdout" in head else [json.loads(line) for line in _whole_lines(rest)]
        outputs = [event[-1] for event in events if len(event) == 2 or event[1] == "o"]
        return _KEY.sub(b"", "".join(outputs).encode()) if outputs else None
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


def _whole_lines(text: bytes) -> Iterator[bytes]:
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith(b"[") and bare.endswith(b"]"):
            yield bare


_KEY = re.compile(rb"\x03?\^[A-Z\\\]]\s*$")
"""The echo of the key that ended a recorded command."""


def _is_ttyrec(data: bytes) -> bool:
    place = count = 0
    before = 0
    while place + _TTYREC.size <= len(data):
        seconds, micros, length = _TTYREC.unpack_from(data, place)
        if micros >= 10**6 or not 0 < length <= _LONGEST_PIECE or not before <= seconds <= max(before, 1) + (1 << 31):
            return False
        before = seconds
        place += _TTYREC.size + length
        count += 1
    return count > 1


def _ttyrec(data: bytes) -> Iterator[bytes]:
    place = 0
    while place + _TTYREC.size <= len(data):
        length = _TTYREC.unpack_from(data, place)[2]
        place += _TTYREC.size
        yield data[place : place + length]
        place += length


def views(source: Source) -> Iterator[View]:
    """Yield the content of a file that is in no form as it is, in other views."""
    data = source.read(_LARGEST)
    if source.encoding.startswith(("utf-16", "utf-32")):
        data = data.decode(source.encoding, "replace").encode()
    trimmed, lines = _trimmed(data)
    contents = [View(data, "")]
    if lines:
        contents.insert(0, View(trimmed, tr("trimmed", count=lines)))
        yield contents[0]
    for content in contents:
        recoded = _recoded(content.data)
        if recoded is not None:
            yield View(recoded[0], ", ".join(filter(None, (content.name, recoded[1]))))


# Banners.

_COLOURS = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\r")
_TIMES = re.compile(r"(?<!\w)\d+(?:[-.:/]\d+)+(?!\w)")
_WORD = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]*[^\W\d_a-fA-F][^\W\d_]+|[^\W\d_]+[^\W\d_a-fA-F][^\W\d_]*)")
_BYTES = re.compile(
    r"(?<![\w.:/])(?:[0-9A-Fa-f]{2}){1,4}(?:[ ,:-](?:[0-9A-Fa-f]{2}){1,4}){2,}(?![\w.])"
    r"|(?:[\s:,(\[{<][\"']?|=)(?:0[xX])?[0-9A-Fa-f]{2}[\"')\]}>;,hH]*$"
)
"""Bytes, many or at the end of a line."""

_MOST = 60
"""Lines of a banner."""

_SENTENCE = 3
"""Words."""

_TIME = rb"\d\d:\d\d:\d\d"
_DASHED = re.compile(rb"-- [ -~]{0,40}?" + _TIME + rb"[ -~]{0,20}? --\r?\n")
_STAMPS = re.compile(
    rb"(?:\x1b\[[0-9;]{0,20}m){0,8}(?:"
    + _DASHED.pattern
    + rb"|\d{4}[-/]\d\d[-/]\d\d[ T]"
    + _TIME
    + rb"[ -~]*[A-Za-z]{3}[ -~]*\r?\n"
    rb"|(?:^|(?<=[\r\nm]))(?:"
    rb"\[(?=[^\]]*" + _TIME + rb"|\d+\.\d{3})[ -Z^-~]{6,50}\] ?"
    rb"|(?:\d{4}[-/]\d\d[-/]\d\d[ T])?" + _TIME + rb"(?:[.,]\d+)?[ \t]"
    rb"))(?:\x1b\[[0-9;]*m)*"
)
_LINES = re.compile(rb"(?:\r?\n)?" + _STAMPS.pattern)
"""Times that terminal programs write between the bytes of a line."""


def _trimmed(data: bytes) -> tuple[bytes, int]:
    """Return a file without a program's own words before, after and between its bytes, and how many of these there are.

    Lines of a text stay as empty ones, so that those behind keep their numbers.
    """
    lines = data.split(b"\n")
    again = Counter(map(_words, lines[:_WORDED]))
    again[()] = 0
    first = _talk(lines[:_MOST], again)
    # what is cut off at its end may have been bytes
    last = 0 if first == len(lines) or lines[-1] else _talk(lines[: first - 1 if first else None : -1][:_MOST], again)
    body = b"\n".join(lines[first : len(lines) - last])
    if last:
        body = _KEY.sub(b"", body.removesuffix(b"\r"))
    count = first + last
    if is_text(body):
        body, stamps = _DASHED.subn(b"\n", body)
        return b"\n" * first + body, count + stamps
    bare, stamps = _STAMPS.subn(b"", body)
    joined = _LINES.sub(b"", body)
    # what is more than the replies to A0 are lines that the program began for its times
    return bare if bare.count(b"\n") - joined.count(b"\n") <= body.count(b"\xa0") else joined, count + stamps


def _words(line: bytes) -> tuple[bytes, ...]:
    """Return the words of a line that are no hex."""
    return tuple(word.lower() for word in _LETTERS.findall(line) if not _HEX.fullmatch(word))


_LETTERS = re.compile(rb"[A-Za-z\x80-\xff]{2,}")
_HEX = re.compile(rb"[A-Fa-f]+")
_WORDED = 400
_OFTEN = 4


def _talk(lines: list[bytes], again: Counter[tuple[bytes, ...]]) -> int:
    """Return how many of these lines in a row are words of a program; empty ones before and after them count."""
    found = 0
    for number, line in enumerate(lines, 1):
        if again[_words(line)] >= _OFTEN:
            # what comes again is a log
            break
        bare = _COLOURS.sub(b"", line).strip()
        if not bare:
            continue
        if _KEY.fullmatch(bare):
            found = number
            continue
        try:
            text = bare.decode()
        except UnicodeDecodeError:
            break
        if not text.isprintable() or _BYTES.search(_TIMES.sub(" ", text)) or not _WORD.search(text):
            break
        if sides.is_named(text) and sum(len(word) > 2 for word in sides.WORD.findall(text)) < _SENTENCE:
            # a line of the log whose bytes are missing
            break
        found = number
    while found and found < len(lines) and not lines[found].strip():
        found += 1
    return found


# Bytes that were taken for letters.

_PAGES = ("latin-1", "cp1252", "cp437", "cp866", "cp1251", "koi8-r", "cp850", "mac-roman")
_PICTURES = {chr(0x2400 + value): value for value in range(32)} | {"\u2421": 127, "\u2423": 32}
_SURELY = 0.9


def _recoded(data: bytes) -> tuple[bytes, str] | None:
    """Return the bytes of a line taken for letters of a code page, and the page; None if there are none."""
    try:
        text = data.decode().rstrip("\0")
    except UnicodeDecodeError:
        return None
    if text.isascii():
        return None
    best: tuple[float, bytes, str] | None = None
    distinct = set(text)
    for page in _PAGES:
        letters = {chr(value): value for value in range(256)}
        letters |= _PICTURES | {bytes((value,)).decode(page, "replace"): value for value in range(256)}
        letters.pop("\ufffd", None)
        if not distinct <= letters.keys():
            continue
        known = bytes(map(letters.__getitem__, text))
        share = evidence.weigh(known).share
        if share >= _SURELY and (best is None or share > best[0]):
            best = (share, known, page)
    return best and (best[1], tr("recoded", page=best[2]))
