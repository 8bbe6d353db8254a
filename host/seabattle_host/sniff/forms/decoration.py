"""Decoration around every line of a copied text: line numbers, quote marks, comments, lists and diffs.

It is removed if a file matches no form with it, and at once if it would be mistaken for times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from seabattle_host.sniff.forms import sides

Peel = re.Pattern[str]
"""A whole line; the first group is the original text."""

_DIFF_HEAD = re.compile(r"diff |index |new file|--- |\+\+\+ |@@ |\\ No newline")
_DIFF = re.compile(rf"(?:(?:{_DIFF_HEAD.pattern}).*$|[+ ])(.*)")
_FOUND = re.compile(r"(?:[A-Za-z./_][^\s:]*[:-])?\d+[:-](.*)")
"""`grep -n`, with or without the file name."""
_FOUND_NUMBER = re.compile(r"(?:[A-Za-z./_][^\s:]*[:-])?(\d{1,9})[:-](?=\d{1,2}:\d\d:\d\d|\D)")

_NUMBER = re.compile(r"\s*([1-9]\d{0,8})(?:\t| {2,}|:)(.*\S.*)")
_NUMBERED = re.compile(r"\s*[1-9]\d{0,8}(?:\t| {2,}|:)(.*)")
_INDEX = re.compile(r"\s*\[(\d{1,9})\]\s(.*)")
_INDEXED = re.compile(r"\s*\[\d+\]\s(.*)")
"""R prints the index of the first value in each line."""
_SEGMENT = re.compile(r"\s*[.\w]+:([0-9A-Fa-f]{8} .*)")
"""A disassembler's segment before an address."""

_ENDED = re.compile(r"(.*)\$")
"""`cat -A` and `-E` show the ends of lines."""

_MARKS: tuple[Peel, ...] = tuple(
    map(
        re.compile,
        (
            r"\s*(?:[>|]\s?)+(.*)",
            r"\s*(?:#+|//+|;+|--|%+|\*+|[-•·▪‣–—])\s+(.*)",
            r"(?:#|//|;)(.*)",
            r'\s*"(.*?)(?:\\n)?",?\s*',
            r"\s*`{1,4}(.*?)`{1,4}\s*",
            r"<\d{1,3}>(?:1 )?(.*)",
            r"[\w.-]+\s+\|\s(.*)",
            r"[^\s:]+:(?:\d+:)?(.*)",
            r"(?:[A-Z][a-z]{2} [ \d]\d )?\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s(.*)",
            r"\s*(?:\d+|\[\d+\]|\(\d+\)|#\d+)[\s:.)]+(.*)",
            r"(.*\S)\s*(?:[;|(#]|//)\s*#?\d{1,6}\)?\s*",
        ),
    )
)

_OURS = re.compile(
    r'(\W{1,8}?)(?=# seabattle |\{"type": ?"header"|number,time,side,)'
    r"|(\s*[^\w\s]{1,4}\s?)(?=\s*\d+ +[\d:]+\.\d{6} +[+-]\d+\.\d{4} [AB]> )"
)
"""What stands before the first line of a file of this program, or before a line of its display."""

_QUOTES = {">", ">>", "> >", "|"}
"""Marks of a quote in a mail, also signs of a side if not all lines have the same."""

_BYTE = re.compile(r"(?=\w*?[A-Fa-f])(?:(?:0[xX])?[0-9A-Fa-f]{2}[hH]?[:.]?)+")

_MOST = 400
"""Lines looked at."""


def certain(lines: Sequence[str]) -> Peel | None:
    """Return the decoration that is certain; None if there is none."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    heads = [line for line in sample if _DIFF_HEAD.match(line)]
    others = [line for line in sample if not _DIFF_HEAD.match(line)]
    if any(line.startswith("@@ -") for line in heads) and others and all(map(_DIFF.fullmatch, others)):
        return _DIFF
    if len(sample) > 2 and _rise([match and match[1] for match in map(_NUMBER.fullmatch, sample)], 1):
        return _NUMBERED
    indexes = [match and match[1] for match in map(_INDEX.fullmatch, sample)]
    if indexes[:1] == ["1"] and (len(indexes) == 1 or _rise(indexes[:-1])) and indexes[-1]:
        return _INDEXED
    if len(sample) > 2 and all(line.endswith("$") for line in sample):
        return _ENDED
    if len(sample) > 2 and all(map(_SEGMENT.fullmatch, sample)):
        return _SEGMENT
    if (around := _around_ours(sample)) is not None:
        return around
    found = [_FOUND_NUMBER.match(line) for line in sample]
    numbers = [int(match[1]) for match in found if match is not None]
    # the last line may be cut off
    most = len(numbers) >= len(sample) - 1 > 2
    counted = most and all(b - a == 1 for a, b in pairwise(numbers))
    rising = sum(b > a for a, b in pairwise(numbers))
    timed = sum(
        match is not None and re.match(r"\d{1,2}:\d\d:\d\d", match.string[match.end() :]) is not None for match in found
    )
    marks = {match[0][-1] for match in found if match is not None}
    if any(_names_side(match[0].split(":")[0]) for match in found if match is not None):
        return None
    return (
        _FOUND
        if (rising * 10 > 8 * len(sample) and timed * 10 > 8 * len(sample)) or (counted and len(marks) > 1)
        else None
    )


def _around_ours(sample: Sequence[str]) -> Peel | None:
    """Return what stands before each line of a file of this program; what follows stays as it was, spaces included."""
    first = next((match for line in sample[:50] if (match := _OURS.match(line)) is not None), None)
    if first is None or not all(line.startswith(first[0].rstrip() or first[0]) for line in sample):
        return None
    mark = first[0].rstrip()
    return re.compile(rf"{re.escape(mark)}\s{{0,{len(first[0]) - len(mark)}}}(.*)")


def _rise(numbers: Sequence[str | None], step: int = 0) -> bool:
    """Return whether numbers start at 1 and increase by a constant: `step`, or anything above 1."""
    whole = [int(number) for number in numbers if number is not None]
    steps = {b - a for a, b in pairwise(whole)}
    if len(whole) < len(numbers) or whole[:1] != [1]:
        return False
    return steps == {step} if step else not steps or (len(steps) == 1 and min(steps) > 1)


def _names_side(front: str) -> bool:
    return sides.is_named(front) or sides.of_name(front.strip(" :|")) is not None


def possible(lines: Sequence[str]) -> Iterator[Peel]:
    """Yield possible decorations."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    for peel in _MARKS:
        inside = [match for line in sample if (match := peel.fullmatch(line))]
        fronts = {match.string[: match.start(1)].strip() for match in inside}
        names = {name for front in fronts for name in (front, front.split(":")[0])}
        if any(map(_names_side, names)) and not (len(fronts) == 1 and fronts <= _QUOTES):
            continue
        if sum(_BYTE.fullmatch(front) is not None for front in fronts) * 2 > len(fronts):
            # bytes with colons between them
            continue
        if len(inside) > 2 and len(inside) * 10 > len(sample) * 7:
            yield peel
