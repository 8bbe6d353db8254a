"""Selecting records to show: a filter expression, a span of time, a text to search for.

An expression consists of words: a side (`A`, `master`), a kind of record (`frame`, `command`, `answer`, `sync`,
`noise`, `cut`, `lack`, `lost`), a verdict (`ok`, `violation`, `deviation`, `doubt`, `suspected`, `follows`, `wrong`,
`unsure`, `damaged`), an opcode in hex (`C0`), the beginning of a frame (`C003`), or a comparison (`n>=100`, `reply>50`
in milliseconds, `state=4`, `x=3`).
Consecutive words are joined by "and"; `or`, `not` and parentheses work as usual.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seabattle import watch, wire
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import SECOND
from seabattle_host.sniff.forms import clock
from seabattle_host.sniff.record import LOST, Record

Test = Callable[[Record], bool]

_WORDS: dict[str, Test] = {
    "a": lambda r: r.side == 0 and r.kind != LOST,
    "b": lambda r: r.side == 1 and r.kind != LOST,
    "master": lambda r: r.role == wire.MASTER,
    "slave": lambda r: r.role == wire.SLAVE,
    "frame": lambda r: r.kind == watch.FRAME,
    "command": lambda r: r.kind == watch.FRAME and bool(wire.is_command(r.op)),
    "answer": lambda r: r.kind == watch.FRAME and not wire.is_command(r.op),
    "sync": lambda r: r.kind == watch.FRAME and r.op in (wire.SYNC, wire.SYNCED),
    "noise": lambda r: r.kind == watch.STRAY,
    "cut": lambda r: r.kind == watch.CUT,
    "lack": lambda r: r.kind == watch.LACK,
    "lost": lambda r: r.kind == LOST,
    "ok": lambda r: r.verdict == watch.OK,
    "violation": lambda r: r.verdict == watch.VIOLATION,
    "deviation": lambda r: r.verdict == watch.DEVIATION,
    "doubt": lambda r: r.verdict == watch.DOUBT,
    "suspected": lambda r: r.maybe,
    "follows": lambda r: r.verdict == watch.FOLLOWS,
    "wrong": lambda r: r.verdict in (watch.VIOLATION, watch.DEVIATION, watch.DOUBT, watch.FOLLOWS),
    "unsure": lambda r: r.unsure,
    "damaged": lambda r: any(r.faults),
}
_VALUES: dict[str, Callable[[Record], float | None]] = {
    "n": lambda r: r.number,
    "state": lambda r: None if r.state == watch.UNSURE else r.state,
    "reply": lambda r: r.reply / 1000 if r.reply >= 0 else None,
    "size": lambda r: len(r.raw),
    "x": lambda r: r.body[0] if r.op == wire.SHOT and len(r.body) > 1 else None,
    "y": lambda r: r.body[1] if r.op == wire.SHOT and len(r.body) > 1 else None,
}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
_MOST = 200
"""Most words of an expression, which limits nesting."""

_TOKEN = re.compile(r"\s*([()!]|[A-Za-z]+\s*(?:[<>!=]=|[<>=])\s*\d+(?:\.\d+)?|[0-9A-Za-z]+|&&|\|\|)")


def parse(text: str) -> Test:
    """Compile an expression into a test. Raises UserError."""
    tokens: list[str] = []
    place = 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            left = text[place:].strip()
            name = re.match("[a-z]*", tokens[-1])[0] if tokens else ""  # type: ignore[index]
            if name in _VALUES and not left[0].isalnum():
                word = (tokens[-1] + left).split()[0]
                raise UserError(tr("filter_number", word=word, name=name))
            raise _unknown(left)
        tokens.append(match[1].lower())
        place = match.end()
    if len(tokens) > _MOST:
        raise _unknown(text[:80])
    test, rest = _any_of(tokens)
    if rest:
        raise _unknown(rest[0])
    return test


def _unknown(word: str) -> UserError:
    return UserError(tr("filter_unknown", word=word, known=", ".join([*_WORDS, *(f"{name}=" for name in _VALUES)])))


def _any_of(tokens: Sequence[str]) -> tuple[Test, Sequence[str]]:
    test, rest = _all_of(tokens)
    tests = [test]
    while rest and rest[0] in ("or", "||"):
        test, rest = _all_of(rest[1:])
        tests.append(test)
    return (lambda record: any(one(record) for one in tests)), rest


def _all_of(tokens: Sequence[str]) -> tuple[Test, Sequence[str]]:
    tests: list[Test] = []
    rest = tokens
    while rest and rest[0] not in ("or", "||", ")"):
        if rest[0] in ("and", "&&") and tests:
            rest = rest[1:]
        test, rest = _one(rest)
        tests.append(test)
    if not tests:
        raise _unknown(rest[0]) if rest else UserError(tr("filter_open"))
    return (lambda record: all(one(record) for one in tests)), rest


def _one(tokens: Sequence[str]) -> tuple[Test, Sequence[str]]:
    if not tokens:
        raise UserError(tr("filter_open"))
    word, rest = tokens[0], tokens[1:]
    if word in ("not", "!"):
        inner, rest = _one(rest)
        return (lambda record: not inner(record)), rest
    if word == "(":
        inner, rest = _any_of(rest)
        if not rest:
            raise UserError(tr("filter_open"))
        return inner, rest[1:]
    compared = re.fullmatch(r"([a-z]+)\s*([<>!=]+)\s*([\d.]+)", word)
    if compared is not None and compared[1] in _VALUES:
        value, compare, limit = _VALUES[compared[1]], _COMPARE[compared[2]], float(compared[3])
        return (lambda record: (got := value(record)) is not None and compare(got, limit)), rest
    if word in _WORDS:
        return _WORDS[word], rest
    if re.fullmatch(r"(?:0x)?[0-9a-f]{2}", word):
        op = int(word[-2:], 16)
        return (lambda record: record.op == op and record.kind not in (LOST, watch.STRAY)), rest
    if re.fullmatch(r"(?:[0-9a-f]{2})+", word):
        begins = bytes.fromhex(word)
        return (lambda record: record.raw.startswith(begins)), rest
    raise _unknown(word)


def moment(text: str) -> clock.Stamp:
    """Parse a time of the command line: seconds, `1:02.5`, a time of day, optionally with a date. Raises UserError."""
    bare = text.strip()
    short = re.fullmatch(r"(?:(\d+):)?(\d+(?:[.,]\d+)?)", bare)
    if short is not None and (short[1] is None or float(short[2].replace(",", ".")) < 60):
        us = int(short[1] or 0) * 60 * SECOND + round(float(short[2].replace(",", ".")) * SECOND)
        return clock.Stamp(clock.SPAN, us, len(bare), 1)
    stamp = clock.match(bare)
    if stamp is None or stamp.end != len(bare) or stamp.kind == clock.GAP:
        raise UserError(tr("bad_moment", text=text))
    return stamp


@dataclass
class RecordFilter:
    """The conditions; by default none, which selects everything."""

    test: Test | None = None
    since: clock.Stamp | None = None
    until: clock.Stamp | None = None
    search: re.Pattern[str] | None = None

    @classmethod
    def of(cls, expression: str | None, since: str | None, until: str | None, search: str | None) -> RecordFilter:
        """Parse the options of a command line. Raises UserError."""
        try:
            pattern = re.compile(search, re.IGNORECASE) if search else None
        except re.error:
            pattern = re.compile(re.escape(search or ""), re.IGNORECASE)
        first, last = moment(since) if since else None, moment(until) if until else None
        # times of day may span midnight
        if first and last and first.kind == last.kind != clock.DAY and last.us < first.us:
            raise UserError(tr("moments_swapped", since=since, until=until))
        return cls(parse(expression) if expression is not None else None, first, last, pattern)

    @property
    def selects(self) -> bool:
        """Whether anything may be excluded."""
        return any(part is not None for part in (self.test, self.since, self.until, self.search))

    def takes(self, record: Record, began: int) -> bool:
        """Return whether a record is selected. began: time of the first record."""
        since, until = self._span(began)
        if not since <= record.at <= until:
            return False
        if self.test is not None and not self.test(record):
            return False
        if self.search is None:
            return True
        text = f"{rendering.hex_text(record.raw)} {rendering.meaning(record)} {rendering.fault_text(record)}"
        return any(self.search.search(words) for words in (text, record.raw.hex()))

    def _span(self, began: int) -> tuple[float, float]:
        """Return the first and the last time. Midnight may lie between two times of day, or before both."""
        since = -math.inf if self.since is None else _absolute(self.since, began)
        until = math.inf if self.until is None else _absolute(self.until, began)
        if self.since and self.until and self.since.kind == self.until.kind == clock.DAY:
            until += _DAY if until < since else 0
            if until < began:
                return since + _DAY, until + _DAY
        return since, until


_DAY = 24 * 3600 * SECOND


def _absolute(stamp: clock.Stamp, began: int) -> int:
    if stamp.kind == clock.SPAN:
        return began + stamp.us
    if stamp.kind == clock.DAY:
        # on the day on which the capture began, or the next
        at = began - began % _DAY + stamp.us
        return at if at + _DAY // 2 >= began else at + _DAY
    return stamp.us
