"""Times that count otherwise: days of a spreadsheet, ticks of 100 ns, and dates written without colons.

The lines of the beginning tell whether it is one. Lines are rewritten with a date, which their reader understands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

_MOST = 400
_LEAST = 6
_LONGEST = 200
"""Characters of a line in which its time is."""
_DAY_NUMBER = re.compile(r"(?<![\w.,:+-])([3-6]\d{4})[.,](\d{1,15})(?![\w.])")
_DAY_DIGITS = 10
"""Of the longest fraction of a day: seconds are not written with as many."""
_TICKS = re.compile(r"(?<![\w.,:+-])(6[2-5]\d{16})(?![\w.,])")
_FILE_TIME = re.compile(r"(?<![\w.,:+-])(1[34]\d{16})(?![\w.,])")
_DASHED = re.compile(r"(?<!\w)(20\d\d)(\d\d)(\d\d)[-_T](\d\d)(\d\d)(\d\d)[-_](\d{3,6})(?!\w)")
_LETTERED = re.compile(r"(?<!\w)(\d\d?)[hч](\d\d)[mм](\d\d)[sс](\d{3,6})(?!\w)")


def _of_ticks(found: re.Match[str], since: datetime) -> str:
    return (since + timedelta(microseconds=int(found[1]) // 10)).isoformat(" ", "microseconds")


def _of_days(found: re.Match[str]) -> str:
    fraction = int(found[2]) * 86_400_000_000 // 10 ** len(found[2])
    return (datetime(1899, 12, 30) + timedelta(int(found[1]), 0, fraction)).isoformat(" ", "microseconds")


def _dashed(found: re.Match[str]) -> str:
    return f"{found[1]}-{found[2]}-{found[3]} {found[4]}:{found[5]}:{found[6]}.{found[7]}"


def _lettered(found: re.Match[str]) -> str:
    return f"{found[1]}:{found[2]}:{found[3]}.{found[4]}"


_KINDS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_DAY_NUMBER, _of_days),
    (_TICKS, partial(_of_ticks, since=datetime(1, 1, 1))),
    (_FILE_TIME, partial(_of_ticks, since=datetime(1601, 1, 1))),
    (_DASHED, _dashed),
    (_LETTERED, _lettered),
)


def learn(lines: Sequence[str]) -> Callable[[str], str] | None:
    """Return how to rewrite lines with such times; None if they have none."""
    sample = [line[:_LONGEST] for line in lines[:_MOST] if line.strip()]
    for pattern, date in _KINDS:
        found = [match for line in sample if (match := pattern.search(line)) is not None]
        if len(found) < _LEAST or len(found) * 10 < 8 * len(sample):
            continue
        if pattern is _DAY_NUMBER and max(len(match[2]) for match in found) < _DAY_DIGITS:
            continue
        return partial(_rewritten, pattern=pattern, date=date)
    return None


def _rewritten(line: str, pattern: re.Pattern[str], date: Callable[[re.Match[str]], str]) -> str:
    found = pattern.search(line, 0, _LONGEST)
    return line if found is None else f"{line[: found.start()]}{date(found)}{line[found.end() :]}"
