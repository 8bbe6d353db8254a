"""How much sense a plan makes of the lines of a file, and whether they are a capture at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seabattle_host.sniff.forms import evidence, naming
from seabattle_host.sniff.forms.listed import Line, Plan

_NUMBERS = re.compile(r"\W*[0-9A-Fa-f]{1,3}(?:\W+[0-9A-Fa-f]{1,3})+\W*")
_ESCAPED = re.compile(r"\W*(?:\\x|0x)[0-9A-Fa-f]{2}")
_SAME = 8
"""Lines that all have the same byte: it is a word of them."""
_SYNCS = {b"\xaa", b"\x01"}
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


def _is_numbers(text: str) -> bool:
    return (_NUMBERS.fullmatch(text) or _ESCAPED.match(text)) is not None and not _ADDRESS.fullmatch(text)


def score(lines: Sequence[Line], plan: Plan) -> tuple[bool, bool, float, float, float]:
    """Rate a plan by what it makes of the lines.

    Return whether the result is of the protocol, on each side or both together; whether there are sides; how many lines
    make sense.
    """
    count = max(1, len(lines))
    good = sum(understood(line) for line in lines)
    # behind the bytes may be how many they are
    tidy = sum(bool(line.data) and line.rest in ("", str(len(line.data))) for line in lines)
    both, of_side = bytearray(), {0: bytearray(), 1: bytearray(), None: bytearray()}
    for line in lines:
        for side, data in ((naming.side_of(line, plan), line.data), *line.more):
            both += data
            of_side[side] += data
    found = evidence.weigh(bytes(both))
    share = max(found.share, evidence.weigh(b"".join(of_side.values())).share)
    told = share >= evidence.enough() and found.is_varied and sum(bool(line.data) for line in lines) * 3 > count
    both_named = {0, 1} <= {naming.side_of(line, plan) for line in lines}
    return told, both_named, round(good / count, 1), round(tidy / count, 1), share


def plausible(lines: Sequence[Line], plan: Plan, found: evidence.Evidence) -> bool:
    """Return whether this is a capture.

    Prose and programs also have words of hex digits, but a capture's lines are of the protocol, or name sides or times
    and end with their bytes.
    """
    with_data = [line for line in lines if line.data]
    if not with_data or (len(with_data) > _SAME and len({line.data for line in with_data} - _SYNCS) == 1):
        return False
    if found.is_protocol:
        # the article
        return sum(line.data == b"\x0a" for line in with_data) * 2 < len(with_data)
    told = [(naming.side_of(line, plan), line.data) for line in with_data]
    ones = [evidence.weigh(b"".join(data for side, data in told if side == own)) for own in (0, 1)]
    if len(with_data) * 10 >= 9 * len(lines) and evidence.is_one_sure(*ones):
        return True
    tidy = sum(not line.rest and len(line.names) <= 2 for line in with_data)
    marked = sum(line.stamp is not None or naming.side_of(line, plan) is not None for line in lines)
    return tidy * 10 >= len(with_data) * 8 and len(with_data) * 2 >= len(lines) and marked * 2 >= len(with_data)


def understood(line: Line) -> bool:
    """Return whether a line has bytes, or what belongs to the bytes below it."""
    if not line.data and line.labels and has_bytes(line):
        return False
    return bool(line.data) or line.stamp is not None or (line.sender.side is not None and not line.rest)


def has_bytes(line: Line) -> bool:
    """Return whether a line of which no bytes were read has some, in a form that is not known."""
    return any(map(_is_numbers, (line.rest, *line.names)))
