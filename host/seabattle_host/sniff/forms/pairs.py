"""Lines with a command and its reply, of which only the sender of the command is named: `A: C0 01 01 -> 1C`.

An arrow, a colon or a word stands between the two, or the reply is in a comment behind: `0xAA, /* 01 */`. Lines are
rewritten with the side in front of each, as `TX: C0 01 01 RX: 1C`; if no name parts the commands, with the bytes of
both sides one after the other. That these are pairs is shown by the bytes: each second one is a reply to the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from seabattle import wire
from seabattle_host.sniff.forms import fronts, numerals, sides

_LEAST = 4
_MOST = 400
_KINDS = 3
"""Replies of so many kinds, and so as many lines with two frames."""

_LONGEST = 400
"""Characters of a line of a pair."""

_HEX = r"(?:0[xX]|\\x|\$|&[hH])?(?:[0-9A-Fa-f]{2})+[hH]?"
_RUNS = {
    numerals.HEX: re.compile(rf"(?<![\w.:%-])(?:{_HEX})(?:(?:,\s?|\s|(?=0[xX]|\\x))(?:{_HEX})(?!\w))*(?!\w|[.:]\d)"),
    numerals.DECIMAL: re.compile(r"(?<![\w.:%-])\d{1,3}(?:(?:,\s?|\s)\d{1,3}(?!\w))*(?!\w|[.:]\d)"),
}
_DIGITS = re.compile(r"(?:0[xX]|\\x|\$|&[hH])?((?:[0-9A-Fa-f]{2})+)[hH]?")
_ASSEMBLER = re.compile(r"(?<!\w)0([0-9A-Fa-f]{2}[hH])(?!\w)")
_TORN = re.compile(r"\W*[0-9A-Fa-f]$")
"""What is left of a reply when its line was cut off."""


@dataclass(frozen=True)
class _Row:
    """A line: what stands in front of its first bytes, these, what stands between, the bytes behind, the rest."""

    time: str
    front: str
    first: bytes
    between: str = ""
    second: bytes = b""
    rest: str = ""


@dataclass(frozen=True)
class Pairs:
    """How the lines of a file have two frames each.

    backwards: the reply is in front. names: whose the command is by the word at a place of the front, as in
    `fronts.Front`.
    """

    base: int
    kind: str
    backwards: bool
    names: Mapping[str, int]
    place: int | None

    def normal(self, line: str) -> str:
        """Return a line with a side in front of each frame."""
        row = _row(line, self.kind, self.base)
        if row is None:
            return line
        first, second = _hex(row.first), _hex(row.second)
        if self.backwards and second:
            first, second = second, first
        side = self.names.get(fronts.named(row.front, self.place))
        if self.names and side is None:
            return line
        if not row.second and _TORN.fullmatch(row.rest):
            second = row.rest[-1]
        own, other = ("", "") if side is None else (("TX: ", "RX: ")[side], ("RX: ", "TX: ")[side])
        said = f" // {row.rest.strip()}" if re.search(r"[^\W_]{2}", row.rest) and not sides.is_named(row.rest) else ""
        return f"{row.time} {own}{first} {other if second else ''}{second}".strip() + said


def learn(lines: Sequence[str]) -> Pairs | None:
    """Return how lines have a command and its reply each; None if they have not."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    if len(sample) < _LEAST:
        return None
    kind = fronts.kind_of(sample)
    for base in _RUNS:  # hex first
        rows = [row for line in sample if (row := _row(line, kind, base)) is not None]
        both = [row for row in rows if row.second]
        if (
            len({row.second[:1] for row in both}) < _KINDS
            or len(rows) * 10 < 8 * (len(sample) - 2)
            or len(both) * 4 < len(rows)
        ):
            continue
        usual = sum(count for _between, count in Counter(_shape(row.between) for row in both).most_common(2))
        for backwards in (False, True):
            told = sum(_answers(*((row.second, row.first) if backwards else (row.first, row.second))) for row in both)
            if told * 10 >= 7 * len(both) and usual * 10 >= 9 * len(both):
                return _named(rows, base, kind, backwards)
    return None


def _named(rows: Sequence[_Row], base: int, kind: str, backwards: bool) -> Pairs | None:
    """Return the pairs with the names of their senders; None if the replies have names of their own."""
    names, place = fronts.sides_of([(row.front, row.second if backwards and row.second else row.first) for row in rows])
    others: dict[str, set[str]] = {}
    for row in rows:
        if row.second:
            others.setdefault(fronts.named(row.front, place) if names else "", set()).add(_shape(row.between))
    words = {word for some in others.values() for between in some for word in sides.WORD.findall(between)}
    known = words & set(sides.WORDS)
    if known and (not names or len({frozenset(some) for some in others.values()}) > 1):
        return None
    return Pairs(base, kind, backwards, names, place)


def _answers(command: bytes, reply: bytes) -> bool:
    return wire.is_reply(reply[0]) and wire.command_of(reply[0]) == command[0]


def _shape(between: str) -> str:
    return " ".join(between.lower().split())


def _row(line: str, kind: str, base: int) -> _Row | None:
    """Return the parts of a line; None if it has no bytes."""
    if len(line) > _LONGEST:
        return None
    time, text = fronts.timed(line, kind)
    text = _ASSEMBLER.sub(r"\1", numerals.apart(text))
    runs = [(found, data) for found in _RUNS[base].finditer(text) if (data := _bytes(found[0], base))]
    if not runs:
        return None
    if len(runs) > 1:
        (one, first), (other, second) = next(_adjacent(runs), runs[-2:])
        return _Row(time, text[: one.start()], first, text[one.end() : other.start()], second, text[other.end() :])
    ((one, first),) = runs
    return _Row(time, text[: one.start()], first, rest=text[one.end() :])


_Run = tuple["re.Match[str]", bytes]


def _adjacent(runs: Sequence[_Run]) -> Iterator[Sequence[_Run]]:
    """Yield neighbours of which one answers the other."""
    for one, other in pairwise(runs):
        if _answers(one[1], other[1]) or _answers(other[1], one[1]):
            yield one, other


def _bytes(text: str, base: int) -> bytes:
    if base == numerals.HEX:
        return bytes.fromhex("".join(_DIGITS.findall(text)))
    values = [int(digits) for digits in re.findall(r"\d+", text)]
    return bytes(values) if max(values) < 256 else b""


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()
