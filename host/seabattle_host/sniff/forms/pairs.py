"""Lines with a command and its reply, of which only the sender of the command is named: `A: C0 01 01 -> 1C`.

An arrow, a colon or a word stands between the two, or the reply is in a comment behind: `0xAA, /* 01 */`. Lines are
rewritten with the side in front of each, as `TX: C0 01 01 RX: 1C`; if no name parts the commands, with the bytes of
both sides one after the other. That these are pairs is shown by the bytes: each second one is a reply to the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from seabattle import wire
from seabattle_host.sniff.forms import evidence, fronts, numerals, sides

_LEAST = 3
_FEWEST = 2
"""Lines of a short excerpt, if both are pairs and there is nothing else."""
_MOST = 400
_KINDS = 3
"""Replies of so many kinds are no chance; of fewer each has to be one."""

_LONGEST = 400
"""Characters of a line of a pair."""

_NUMBER = re.compile(r"\d+")
_HEX = r"(?:0[xX]|\\x|\$|&[hH])?(?:[0-9A-Fa-f]{2})+[hH]?"
_Way = tuple[int, "re.Pattern[str]"]
_WAYS: tuple[_Way, ...] = tuple(
    (base, re.compile(rf"(?<![\w.:%-])(?:{byte})(?:(?:{between})(?:{byte})(?!\w))*(?!\w|[.:]\d)"))
    for base, byte in ((numerals.HEX, _HEX), (numerals.DECIMAL, r"\d{1,3}"))
    for between in (", ?| |(?=0[xX]|\\\\x)", " ")
)
"""Bytes in each base, with commas between them and without."""
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
    later: str = ""
    """The reply's own time."""


@dataclass(frozen=True)
class Pairs:
    """How the lines of a file have two frames each.

    backwards: the reply is in front. names: whose the command is by the word at a place of the front, as in
    `fronts.Front`.
    """

    way: _Way
    kind: str
    backwards: bool
    names: Mapping[str, int]
    place: int | None
    shapes: frozenset[str]
    """What stands between the two."""
    timed: bool = False
    """Whether each of the two has its own time, and so becomes a line of its own."""

    def normal(self, line: str) -> str:
        """Return a line with a side in front of each frame."""
        row = _row(line, self.kind, self.way, self.shapes)
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
        rest = re.sub(r"[\"'<>{}]", " ", row.rest).strip()
        if row.later and second:
            return f"{row.time} {own}{first}\n{row.later} {other}{second}"
        said = f" // {rest}" if row.second and re.search(r"[^\W_]{2}", rest) and not sides.is_named(rest) else ""
        return f"{row.time} {own}{first} {other if second else ''}{second}".strip() + said


def learn(lines: Sequence[str]) -> Pairs | None:
    """Return how lines have a command and its reply each; None if they have not."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    least = _FEWEST if len(sample) == _FEWEST else _LEAST
    if len(sample) < least:
        return None
    kind = fronts.kind_of(sample)
    texts = [_prepared(line, kind) for line in sample]
    for way in _WAYS:
        rows = [row for text in texts if (row := _parted(*text, way)) is not None]
        both = [row for row in rows if row.second]
        if len(both) < least or _is_list(both) or len(rows) * 10 < 8 * (len(sample) - 2) or len(both) * 4 < len(rows):
            continue
        for backwards in (False, True):
            told = [row for row in both if _answers(*(row.second, row.first)[:: 1 if backwards else -1])]
            shapes = Counter(_shape(row.between) for row in told).most_common(2)
            if len(told) < least or sum(count for _shape, count in shapes) * 10 < 9 * len(told):
                continue
            usual = frozenset(shape for shape, _count in shapes)
            rows = [row for text in texts if (row := _parted(*text, way, usual)) is not None]
            kinds = {row.second[:1] for row in told}
            if len(kinds) < _KINDS and len(told) < len(both):
                continue
            if len(told) * 10 >= 7 * sum(bool(row.second) for row in rows):
                found = _named(rows, way, kind, backwards, usual)
                timed = sum(bool(row.later) for row in told) * 10 >= 9 * len(told)
                return found and replace(found, timed=timed)
    return None


def _named(rows: Sequence[_Row], way: _Way, kind: str, backwards: bool, shapes: frozenset[str]) -> Pairs | None:
    """Return the pairs with the names of their senders; None if the replies have names of their own."""
    names, place = fronts.sides_of([(row.front, row.second if backwards and row.second else row.first) for row in rows])
    if not names:
        names, place = _only(rows)
    others: dict[str, set[str]] = {}
    for row in rows:
        if row.second:
            others.setdefault(fronts.named(row.front, place) if names else "", set()).add(_shape(row.between))
    words = {word for some in others.values() for between in some for word in sides.WORD.findall(between)}
    known = words & set(sides.WORDS)
    if known and (not names or len({frozenset(some) for some in others.values()}) > 1):
        return None
    return Pairs(way, kind, backwards, names, place, shapes)


def _only(rows: Sequence[_Row]) -> tuple[dict[str, int], int | None]:
    """Return the side that the same word in front of each line names, if all commands are of one role."""
    shapes = {fronts.named(row.front, None) for row in rows}
    words = re.findall(r"[^\W\d_]+", shape) if (shape := shapes.pop()) and not shapes else []
    found = evidence.weigh(b"".join(row.first for row in rows))
    is_one = len(words) == 1 and words[0] in sides.WORDS and bool(found.master) != bool(found.slave)
    return ({shape: sides.WORDS[words[0]]} if is_one else {}), None


def _is_list(both: Sequence[_Row]) -> bool:
    """Return whether lines list the commands of the protocol, each once and in their order, and are no session."""
    commands = [(row.second if _answers(row.second, row.first) else row.first)[0] for row in both]
    next_to = sum(other == one + 1 for one, other in pairwise(commands))
    return len(commands) > _KINDS and len(set(commands)) == len(commands) and next_to * 10 > 6 * len(commands)


def _answers(command: bytes, reply: bytes) -> bool:
    return wire.is_reply(reply[0]) and wire.command_of(reply[0]) == command[0]


def _shape(between: str) -> str:
    return _NUMBER.sub("0", " ".join(between.lower().split()))


def _row(line: str, kind: str, way: _Way, shapes: frozenset[str] | None = None) -> _Row | None:
    """Return the parts of a line; None if it has no bytes. shapes: what stands between two frames."""
    return _parted(*_prepared(line, kind), way, shapes)


def _prepared(line: str, kind: str) -> tuple[str, str, str]:
    """Return the times of a line and the rest, with bytes that are run together apart; all empty if it is too long."""
    if len(line) > _LONGEST:
        return "", "", ""
    time, text = fronts.timed(line, kind)
    later, text = fronts.timed(text, kind)
    return time, later, _ASSEMBLER.sub(r"\1", numerals.apart(text))


def _parted(time: str, later: str, text: str, way: _Way, shapes: frozenset[str] | None = None) -> _Row | None:
    runs = [(found, data) for found in way[1].finditer(text) if (data := _bytes(found[0], way[0]))]
    if not runs:
        return None
    both = next(_adjacent(runs), None) or next(
        (
            pair
            for pair in list(pairwise(runs))[::-1]
            if shapes is None or _shape(text[pair[0][0].end() : pair[1][0].start()]) in shapes
        ),
        None,
    )
    if both is not None:
        (one, first), (other, second) = both
        return _Row(
            time, text[: one.start()], first, text[one.end() : other.start()], second, text[other.end() :], later
        )
    one, first = runs[-1]
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


MAY_REPLY = re.compile(r"(?i)repl|answer|resp|rsp|ответ|^\s*(?:[-=]+>|[→⇒↳└>←]|<[-=])")
_REPLY = re.compile(
    r"(?i)\s*(?:[-=]+>|[→⇒↳└>]+|<[-=]+|←)\s*$|.*(?<!\w)(?:repl(?:y|ies|ied)|answers?(?:ed)?|resp(?:onse)?|rsp|ответ\w*)\s*\W*$"
)
"""What stands in front of a reply in a line of its own."""


def joined(lines: Sequence[str]) -> tuple[list[str], Mapping[str, int]] | None:
    """Return lines with each reply behind its command, and the side of both; None if they are no such lines.

    The reply is in the line below the command, in which it is called a reply: its sender is not named, or the one who
    has got it.
    """
    if sum(MAY_REPLY.search(line) is not None for line in lines[:_MOST]) < _LEAST:
        return None
    kind = fronts.kind_of([line for line in lines[:_MOST] if line.strip()])
    for way in _WAYS:
        out: list[str] = []
        replies = commands = 0
        for line in lines:
            row = _row(line, kind, way)
            is_reply = row is not None and not row.second and _REPLY.fullmatch(row.front) is not None
            commands += is_reply and row is not None and any(map(wire.is_command, row.first[:1]))
            if is_reply and row is not None and out and (before := _row(out[-1], kind, way)) and not before.second:
                out[-1] = f"{out[-1].rstrip()} -> {_hex(row.first)}"
                replies += 1
            else:
                out.append(line)
        # what calls commands a reply means their sender
        if replies >= _LEAST and commands * _RARELY <= replies and (found := learn(out)) is not None:
            return [found.normal(line) for line in out], found.names
    return None


_RARELY = 16
_HEADS = re.compile(r"\s*([^\W\d_]+)\s{2,}([^\W\d_]+)\s*")


def beside(lines: Sequence[str]) -> tuple[list[str], Mapping[str, int]] | None:
    """Return the frames of two columns, one for each side, of which the header tells which; None if there are none."""
    sample = [line.expandtabs() for line in lines if line.strip()]
    heads = _HEADS.fullmatch(sample[0]) if sample else None
    own = [sides.WORDS.get(heads[n].lower()) for n in (1, 2)] if heads is not None else []
    if heads is None or sorted(side for side in own if side is not None) != [0, 1]:
        return None
    out: list[str] = []
    both = 0
    for line in sample[1:]:
        parts = [line[: heads.start(2)].strip(), line[heads.start(2) :].strip()]
        if not all(re.fullmatch(rf"(?:{_HEX}[ ,]*)*", part) for part in parts):
            return None
        cells = [(side, bytes.fromhex("".join(_DIGITS.findall(part)))) for side, part in zip(own, parts, strict=True)]
        frames = [(side, data) for side, data in cells if data]
        if len(frames) > 1:
            both += 1
            frames = frames[::-1] if _answers(frames[1][1], frames[0][1]) else frames
        out.append(" ".join(f"{('TX', 'RX')[int(side or 0)]}: {_hex(data)}" for side, data in frames))
    return (out, {}) if both >= _LEAST else None
