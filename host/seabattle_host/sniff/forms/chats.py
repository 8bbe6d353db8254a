"""Bytes sent as messages of a chat: a name and a time without seconds above them, `alice  10:00`.

They are rewritten as `TX: AA`. The times are left out: that two messages are a minute apart does not say when their
bytes were on the line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from seabattle_host.sniff.forms import fronts, sides

_LEAST = 4
_MOST = 400
_TIME = r"[\[(]?\d{1,2}[:.]\d{2}(?:\s?[AaPp]\.?[Mm]\.?)?[\])]?"
_HEAD = re.compile(
    rf"[^\w\[(]*(?:(?P<name>[^\W\d]\w{{0,30}})[^\w\[(]{{1,4}}(?:(?:at|um|в)\s)?{_TIME}|{_TIME}\W{{1,4}}(?P<behind>[^\W\d]\w{{0,30}}))\W*"
)
_WROTE = re.compile(r"\W*(?:On|Am|Le)\s.{0,80}?\s(?P<name>[^\W\d]\w{0,30})\s(?:wrote|schrieb|a écrit)\s?:\s*")
"""The head of what is quoted in a letter."""
_BYTES = re.compile(r"\W*((?:(?:0[xX])?(?:[0-9A-Fa-f]{2})+[hH]?[\s,]*)+)\W*")
_BYTE = re.compile(r"(?:0[xX])?((?:[0-9A-Fa-f]{2})+)[hH]?")


def said(lines: Sequence[str]) -> tuple[list[str], Mapping[str, int]] | None:
    """Return lines with a sender for each message, and whose names are which side's; None if this is no such chat."""
    names = Counter(name for line in lines[:_MOST] if (name := _name(line)))
    both = [name for name, count in names.items() if count > 1]
    if names.total() < _LEAST or len(both) != 2 or len(names) > 2:
        return None
    told = sides.of_two(both)
    out: list[str] = []
    frames: list[tuple[str, bytes]] = []
    sender = ""
    for line in lines:
        if name := _name(line):
            sender = name
        elif sender and (found := _BYTES.fullmatch(line)) is not None:
            data = bytes.fromhex("".join(_BYTE.findall(found[1])))
            frames.append((sender, data))
            out.append(f"{('TX', 'RX')[told.get(sender, 0)]}: {data.hex(' ').upper()}")
        elif line.strip():
            out.append(f"// {line.strip()}")
    if len(frames) < _LEAST:
        return None
    own = [name for name, _data in frames]
    return (out, told) if fronts.are_roles([data for _name, data in frames], own, both) else None


def _name(line: str) -> str:
    """Return the name in the head of a message; empty if a line is none."""
    if (quoted := _WROTE.fullmatch(line)) is not None:
        return quoted["name"].lower()
    found = _HEAD.fullmatch(line)
    return (found["name"] or found["behind"]).lower() if found is not None else ""
