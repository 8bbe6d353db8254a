"""Entries of a stream as redis-cli prints them (XRANGE, XREAD), for people or raw: an object in JSON for each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from seabattle_host.sniff.forms import numerals
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.forms.terminal import View

_LARGEST = 1 << 26
"""Bytes of a file up to which it is rewritten."""
_LEAST = 4
_STRING = re.compile(r"(?:\d{1,9}\)\s+)*(?:\"((?:[^\"\\]|\\.)*)\"|(\S.*))")
_ENTRY = re.compile(r"(1\d{12})-\d+")
"""The name of an entry: milliseconds since the epoch, and its number within this one."""


def shown(source: Source) -> View | None:
    """Return the entries of a stream; None if a file has none."""
    if sum(_ENTRY.fullmatch(text) is not None for text in _strings(source.head)) < _LEAST or not source.encoding:
        return None
    text = source.read(_LARGEST).decode(source.encoding, "replace")
    entries = list(_entries(_strings(text.splitlines())))
    escaped = {name for entry in entries for name, value in entry.items() if "\\x" in value}
    for entry in entries:
        for name in escaped & entry.keys():
            data = numerals.unescape(entry[name])
            if data is not None:
                entry[name] = data.hex(" ")
    return View("".join(json.dumps(entry) + "\n" for entry in entries).encode(), "XRANGE")


def _strings(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if (found := _STRING.fullmatch(line.strip())) is not None:
            yield found[1] if found[1] is not None else found[2]


def _entries(strings: Iterable[str]) -> Iterator[dict[str, str]]:
    entry: dict[str, str] = {}
    name = ""
    for text in strings:
        if (found := _ENTRY.fullmatch(text)) is not None:
            if entry:
                yield entry
            entry, name = {"time": found[1]}, ""
        elif entry and not name:
            name = text
        elif entry:
            entry[name], name = text, ""
    if entry:
        yield entry
