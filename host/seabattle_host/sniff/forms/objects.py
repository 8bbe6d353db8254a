"""JSON of others as a stream of values: the elements of one array, or one value a line; never the whole at once."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import IO

from seabattle_host.sniff.forms.source import Source

_BLOCK = 1 << 16
_LARGEST = 1 << 28
"""A single value, or an object around the array, that is longer is cut."""


def objects(source: Source) -> Iterator[object]:
    """The values of a file, in their order; what is none is left out."""
    with source.open() as stream:
        text = _Text(stream, source.encoding or "utf-8")
        text.more()
        first, rest = _first_line(text)
        if text.buffer.lstrip()[:1] == "[" and not (first and rest):
            yield from _elements(text)
        elif first and rest:
            yield from _lines(text)
        else:
            yield from _whole(text)


class _Text:
    """Text that is read as far as it is needed."""

    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        self.buffer = ""
        self.ended = False
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def more(self) -> None:
        """Read on, more at a time the longer what was read already is."""
        data = self._stream.read(max(_BLOCK, len(self.buffer)))
        self.ended = not data
        self.buffer += self._decoder.decode(data, self.ended)


def _first_line(text: _Text) -> tuple[bool, bool]:
    """Whether the first line is a value by itself, and whether another one follows."""
    lines = text.buffer.lstrip().splitlines()
    try:
        json.loads(lines[0].rstrip().rstrip(",")) if lines else None
    except (ValueError, RecursionError):
        return False, False
    return bool(lines), len(lines) > 1 and any(line.strip() for line in lines[1:])


def _elements(text: _Text) -> Iterator[object]:
    """The elements of an array, one after the other."""
    decode = json.JSONDecoder().raw_decode
    at = text.buffer.index("[") + 1
    while True:
        while at < len(text.buffer) and text.buffer[at] in " \t\r\n,":
            at += 1
        if text.buffer[at : at + 1] == "]":
            return
        try:
            value, end = decode(text.buffer, at)
        except (ValueError, RecursionError):
            value, end = None, -1
        # a number at the end of what was read may go on
        if end < 0 or (end == len(text.buffer) and not text.ended):
            text.buffer, at = text.buffer[at:], 0
            if text.ended or len(text.buffer) > _LARGEST:
                # cut off, or not quite an array: what is whole of the rest
                yield from _lines(text)
                return
            text.more()
            continue
        yield value
        at = end
        if at > _BLOCK:
            text.buffer, at = text.buffer[at:], 0


def _lines(text: _Text) -> Iterator[object]:
    """A value a line; lines that are none are left out."""
    while True:
        lines = text.buffer.splitlines(keepends=True)
        text.buffer = "" if text.ended or not lines else lines.pop()
        for line in lines:
            try:
                yield json.loads(line.strip().rstrip(","))
            except (ValueError, RecursionError):
                continue
        if text.ended:
            return
        text.more()


def _whole(text: _Text) -> Iterator[object]:
    """One object over several lines: the array in it, if there is just one, else itself."""
    while not text.ended and len(text.buffer) < _LARGEST:
        text.more()
    try:
        whole = json.loads(text.buffer)
    except (ValueError, RecursionError):
        yield from _lines(text)
        return
    if isinstance(whole, dict):
        lists = [value for value in whole.values() if isinstance(value, list)]
        whole = lists[0] if len(lists) == 1 else [whole]
    yield from whole if isinstance(whole, list) else []
