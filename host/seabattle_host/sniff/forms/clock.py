"""Times in logs: dates in any order, ISO with zones, times of day, seconds since some start, gaps.

`match` parses one at a position in a line; a Clock turns them into one running time in microseconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND
from seabattle_host.sniff.forms.numerals import REMEMBERED

DATE, DAY, SPAN, GAP = "date", "day", "span", "gap"
"""Kinds: since the epoch; since midnight; since some start; since the previous line."""

_DAY = 24 * 3600 * SECOND

_CLOCK = r"(?P<h>\d{1,2}):(?P<mi>\d{2})(?::(?P<s>\d{2})(?:[.,:](?P<f>\d{1,9}))?)?(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?"
_FRACTION = r"(?:[.,:](?P<f>\d{3},\d{3}(?=\])|\d{1,9}))?"
_FULL = rf"(?P<h>\d{{1,2}}):(?P<mi>\d{{2}}):(?P<s>\d{{2}}){_FRACTION}" r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?"
_ZONE = r"(?:\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}(?!\d))(?![A-Za-z]))?"
_MONTHS = (
    "jan янв", "feb фев", "mar mär мар", "apr апр", "may mai май мая", "jun июн",
    "jul июл", "aug авг", "sep сен", "oct okt окт", "nov ноя", "dec dez дек",
)  # fmt: skip
_NAMES = "|".join(name for month in _MONTHS for name in month.split())
_MONTH = rf"(?P<name>{_NAMES})[a-zа-я]*\.?"
_WEEKDAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+)?"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        # socat writes microseconds with three zeros too many
        (DATE, r"(?P<y>\d{4})/(?P<mo>\d\d)/(?P<d>\d\d) (?P<h>\d\d):(?P<mi>\d\d):(?P<s>\d\d)\.000(?P<f>\d{6})(?=  length=)"),  # noqa: E501
        (DATE, rf"(?P<y>\d{{4}})(?:[-/.]\s?|年)(?P<mo>\d{{1,2}})(?:[-/.]\s?|月)(?P<d>\d{{1,2}})(?:[T_@]|[.日,]?\s+|일\s+){_CLOCK}{_ZONE}"),  # noqa: E501
        (DATE, r"(?P<y>\d{4})-(?P<mo>\d\d)-(?P<d>\d\d)[T_ -](?P<h>\d\d)-(?P<mi>\d\d)-(?P<s>\d\d)(?:[.,-](?P<f>\d{1,9}))?(?!\w)"),  # noqa: E501
        (DATE, rf"(?P<d>\d{{1,2}})(?P<sep>[./-])(?P<mo>\d{{1,2}})[./-](?P<y>\d{{4}}|\d{{2}})(?:[T@]|,?\s+){_CLOCK}{_ZONE}"),  # noqa: E501
        (DATE, rf"(?i:{_WEEKDAY}{_MONTH}\s+(?P<d>\d{{1,2}}),?(?:\s+(?P<y>\d{{4}}),?)?\s+{_FULL}{_ZONE}(?:\s+(?P<y2>\d{{4}})\b)?)"),  # noqa: E501
        (DATE, rf"(?i:{_WEEKDAY}(?P<d>\d{{1,2}})\.?[ -]{_MONTH}[ -](?P<y>\d{{4}})(?:\s?г\.?)?,?\s+(?:в\s)?{_FULL}{_ZONE})"),  # noqa: E501
        (DATE, rf"(?P<y>20\d\d)(?P<mo>[01]\d)(?P<d>[0-3]\d)[T_ -](?P<h>\d\d):?(?P<mi>\d\d):?(?P<s>\d\d)(?:[.,](?P<f>\d{{1,9}}))?(?P<half>)?{_ZONE}"),  # noqa: E501
        (DATE, r"(?P<y>\d{4})年(?P<mo>\d{1,2})月(?P<d>\d{1,2})日\s*(?P<h>\d{1,2})[时時点](?P<mi>\d{1,2})分(?P<s>\d{1,2})秒(?:(?P<millis>\d{1,3})(?:毫秒)?)?"),  # noqa: E501
        (DAY, _FULL + r"(?!:?\d)"),
        (DAY, r"(?P<h>\d\d)(?P<sep>[-.])(?P<mi>\d\d)(?P=sep)(?P<s>\d\d)[.,](?P<f>\d{1,9})(?![\w.])"),
        (DAY, r"(?P<h>\d\d?)\s?[hч]\s?(?P<mi>\d\d?)\s?[mм](?:in|ин)?\s?(?P<s>\d\d?)(?:[.,](?P<f>\d{1,9}))?\s?[sс]?(?!\w)"),  # noqa: E501
        # with a unit, a number is no time since the epoch
        (SPAN, r"(?P<s>1\d{9,18})\s?(?P<unit>ms|us|µs|ns|мкс|мс|нс)(?!\w)"),
        (DATE, r"(?P<epoch>1\d{9})(?:[.,](?P<f>\d{1,9}))?(?=[\s\]):;,|>\"-]|$)"),
        (DATE, r"(?P<ms>1\d{12})(?=[\s\]):;,|>\"-]|$)"),
        (DATE, r"(?P<us>1\d{15})(?=[\s\]):;,|>\"-]|$)"),
        (DATE, r"(?P<ns>1\d{18})(?=[\s\]):;,|>\"-]|$)"),
        (SPAN, r"(?P<days>\d{1,4})\s?(?:d|days?)[ ,]\s?(?P<hours>\d\d?):(?P<m>\d\d):(?P<s>\d\d)(?:[.,](?P<f>\d{1,9}))?(?![\w:])"),  # noqa: E501
        (SPAN, r"(?P<m>\d{1,3}):(?P<s>\d{2})[.,](?P<f>\d{1,9})(?!:?\d)"),
        (SPAN, r"(?P<m>\d{1,4})\s?m(?:in)?\s?(?P<s>\d{1,2})(?:[.,](?P<f>\d{1,9}))?\s?s(?!\w)"),
        (GAP, r"\+\s?(?P<s>\d{1,18})[.,](?P<f>\d{1,9})\s?(?P<unit>s|ms|us|µs|ns)?(?![\w.])"),
        (GAP, r"\+\s?(?P<s>\d{1,18})\s?(?P<unit>s|ms|us|µs|ns)(?![\w.])"),
        (SPAN, r"(?P<s>\d{1,18})(?:[.,](?P<f>\d{1,9}))?(?:\s(?![sс]\s*(?:[-=]+>|<[-=]*|[:>\[|])))?(?P<unit>sec|s|ms|msec|us|µs|usec|ns|nsec|мкс|мс|нс|с|сек)(?!\w)"),  # noqa: E501
        (SPAN, r"(?P<s>\d{1,18})\.(?P<f>\d{1,24})(?![\w.])"),
        (SPAN, r"(?P<s>\d{1,18}),(?P<f>\d{3,9})(?=[\s\])>|;]|[:,](?:\s|$)|$)"),
    )
)  # fmt: skip
_MAY_BE = re.compile(
    rf"\d+(?:[.,:/年-]|\s?(?i:d|{_NAMES}|[hчsmuµмс]|n(?:s|sec)\b|нс\b))"
    rf"|20\d{{6}}[T_ -]|1\d{{9}}|\+|(?i:{_NAMES}|mon|tue|wed|thu|fri|sat|sun)"
)
"""The start of any of them: a quick test, since most positions have no time."""
_OPEN = re.compile(r"(?i:(?:t|time|at|ts|время)\s*[=:+]\s*|T\+\s?)?")
UNITS: dict[str, int | Fraction] = {
    "s": SECOND,
    "sec": SECOND,
    "с": SECOND,
    "сек": SECOND,
    "ms": 1000,
    "msec": 1000,
    "мс": 1000,
    "us": 1,
    "µs": 1,
    "usec": 1,
    "мкс": 1,
    "ns": Fraction(1, 1000),
    "nsec": Fraction(1, 1000),
    "нс": Fraction(1, 1000),
}


@dataclass(frozen=True)
class Stamp:
    """A time in a line.

    us: microseconds by its kind; end: index of its end; resolution: of its last digit, microseconds; digits: after the
    point.
    """

    kind: str
    us: int
    end: int
    resolution: int
    digits: int = 0
    bare: bool = False
    """A number without a unit, taken for seconds."""


@lru_cache(REMEMBERED)
def match(line: str, place: int = 0) -> Stamp | None:
    """Parse the time that starts at a position in a line."""
    opening = _OPEN.match(line, place)
    begin = opening.end() if opening else place
    if _MAY_BE.match(line, begin) is None:
        return None
    for kind, pattern in _PATTERNS:
        found = pattern.match(line, begin)
        if found is None:
            continue
        part = found.groupdict()
        # Zephyr separates milliseconds and microseconds
        part["f"] = (part.get("f") or (part.get("millis") or "").zfill(3 * bool(part.get("millis")))).replace(",", "")
        us = _value(part)
        if us is not None:
            bare = kind == SPAN and not (part.get("unit") or part.get("m") or part.get("days"))
            # as many digits as the time since the epoch has
            bare |= any(part.get(name) for name in ("epoch", "ms", "us", "ns")) and not part["f"]
            return Stamp(kind, us, found.end(), _resolution(part), len(part["f"] or ""), bare)
    return None


def _resolution(part: dict[str, str | None]) -> int:
    unit = UNITS[part.get("unit") or "s"]
    if part.get("us") or part.get("ns"):
        return 1
    if part.get("ms"):
        return 1000
    return max(1, int(unit) // 10 ** len(part.get("f") or ""))


def _value(part: dict[str, str | None]) -> int | None:
    """Return microseconds; None for month 13 and the like."""
    fraction = int((part.get("f") or "0").ljust(6, "0")[:6])
    if part.get("epoch"):
        return int(part["epoch"] or 0) * SECOND + fraction
    if part.get("ms"):
        return int(part["ms"] or 0) * 1000
    if part.get("us"):
        return int(part["us"] or 0)
    if part.get("ns"):
        return int(part["ns"] or 0) // 1000
    if "unit" in part or "h" not in part:
        digits = part.get("f") or ""
        unit = UNITS[part.get("unit") or "s"]
        hours = int(part.get("days") or 0) * 24 + int(part.get("hours") or 0)
        whole = int(((hours * 60 + int(part.get("m") or 0)) * 60 + int(part["s"] or 0)) * unit)
        return whole + (int(int(digits) * unit // 10 ** len(digits)) if digits else 0)
    hours, minutes, seconds = int(part["h"] or 0), int(part["mi"] or 0), int(part.get("s") or 0)
    if part.get("half"):
        hours = hours % 12 + (12 if str(part["half"]).lower() == "p" else 0)
    if hours > 23 or minutes > 59 or seconds > 60:
        return None
    within = (hours * 3600 + minutes * 60 + seconds) * SECOND + fraction
    if "d" not in part:
        return within
    return _since_epoch(part, within)


def _since_epoch(part: dict[str, str | None], within: int) -> int | None:
    day = int(part["d"] or 0)
    year = int(part.get("y") or part.get("y2") or 1970)
    if year < 100:
        year += 2000
    if part.get("name"):
        name = str(part["name"]).lower()
        month = next(i for i, names in enumerate(_MONTHS, 1) if name in names.split())
    else:
        month = int(part["mo"] or 0)
        # 11/28/2026 is American, 28/11/2026 is not; only numbers above 12 tell
        if part.get("sep") == "/" and (day <= 12 or month > 12):
            day, month = (month, day) if day <= 12 else (day, month)
    try:
        midnight = datetime(year, month, day, tzinfo=timezone.utc)
    except ValueError:
        return None
    zone = part.get("zone")
    if zone and zone[0] in "+-":
        shift = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
        midnight -= shift if zone[0] == "+" else -shift
    return int(midnight.timestamp()) * SECOND + within


_UNLIKELY = 0.75 * SECOND
_ENOUGH = 6


def divisor(times: Sequence[int]) -> int:
    """Return by what times without a unit, taken for seconds, have to be divided; in microseconds.

    Replies follow within milliseconds, which is nearly half of all lines: if fewer follow the one before them within a
    second, the unit is smaller.
    """
    gaps = sorted(after - before for before, after in pairwise(times))
    # a few lines may be late
    if len(gaps) < _ENOUGH or gaps[len(gaps) // 20] < 0:
        return 1
    by = 1
    while gaps[len(gaps) * 2 // 5] > _UNLIKELY * by and by < 10**9:
        by *= 1000
    return by


def are_counts(cells: Sequence[str]) -> bool:
    """Return whether whole numbers, one a line, are times: they rise, but are no line numbers and no offsets."""
    if len(cells) < _ENOUGH or not all(cell.isdecimal() and len(cell) < 20 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    steps = [after - before for before, after in pairwise(numbers)]
    late = sum(step < 0 for step in steps)
    return late * 20 <= len(steps) and len(set(steps)) > 2 and len(set(numbers)) * 4 > len(numbers)


_HEADING = re.compile(r"(?i)\b(?:time|zeit|время|t)\s*[\[(]\s*(s|ms|us|µs|ns|с|мс|мкс|нс)\s*[\])]")


def unit_above(lines: Sequence[str]) -> int:
    """Return the parts of a second that a heading gives as the unit of times, 0 if none does: `Time[ns]`."""
    found = next((match for line in lines if (match := _HEADING.search(line)) is not None), None)
    return int(SECOND / UNITS[found[1].lower()]) if found else 0


_UNITS_BY_DIVISOR = {1000: "ms", 10**6: "µs", 10**9: "ns"}


def unit_words(by: int, also_seconds: bool = False) -> str:
    """Say for what unit times are taken that, as seconds, are divided by a number; empty for seconds, as usual.

    by: 0 for ticks.
    """
    unit = _UNITS_BY_DIVISOR.get(by) if by else tr("unit_ticks")
    if by == 1 and also_seconds:
        unit = "s"
    return ", " + tr("why_unit", unit=unit) if unit else ""


@dataclass(frozen=True)
class Digits:
    """The resolution of most times of a file, microseconds, 0 if they have none in common.

    all: of so many and nearly all that a time with fewer digits is damaged.
    """

    usual: int = 0
    all: bool = False


def digits(stamps: Iterable[Stamp]) -> Digits:
    """Return the usual resolution of a file's times."""
    counts = Counter((stamp.digits, stamp.resolution) for stamp in stamps)
    (_digits, usual), often = counts.most_common(1)[0] if counts else ((0, 0), 0)
    return Digits(usual if often * 2 > counts.total() else 0, often > 40 and often * 100 > 98 * counts.total())


_PLUS = re.compile(r"(?<![\w.+])\+\s?(?=(\d+(?:[.,]\d+)?)\s?(us|ms|µs|ns|s)?(?![\w.]))")


def without_plus(line: str) -> str:
    """Return a line without the sign in front of its first time."""
    return _PLUS.sub("", line, count=1)


def are_since_the_start(lines: Sequence[str]) -> bool:
    """Return whether times with a plus sign are counted from the start: each is later than the one before."""
    found = [match for line in lines if (match := _PLUS.search(line))]
    times = [float(match[1].replace(",", ".")) * UNITS[match[2] or "s"] for match in found]
    later = sum(a < b for a, b in pairwise(times))
    back = sum(a > b for a, b in pairwise(times))
    return len(times) > _FEW and len(times) * 10 >= 9 * len(lines) and later * 2 > len(times) > 20 * back


_FEW = 12
"""Times from the line before may rise by chance."""


class Clock:
    """The running time of a file, from the times in its lines."""

    def __init__(self, usual: Digits | None = None) -> None:
        self._digits = usual or Digits()
        self._short = -1
        """The time of a line with fewer digits, until a later time follows; -1 if there is none."""
        self.at = 0
        self.resolution = 0
        """The finest resolution of its times, microseconds."""
        self._days = 0
        self._before = -1
        self._kind = ""

    def lacks_digits(self, stamp: Stamp) -> bool:
        """Return whether digits of this time, or of a recent one, are missing, so that it does not tell the order.

        If the times are few, trailing zeros may be omitted: then only times that run back count.
        """
        short = 0 < self._digits.usual < stamp.resolution
        if self._digits.all or stamp.kind == GAP or (self._short < 0 and not short):
            return short and self._digits.all
        us = stamp.us + (self._days if stamp.kind == DAY else 0)
        if us < self._short or (short and us < self.at):
            return True
        self._short = us if short else -1
        return False

    def take(self, stamp: Stamp) -> int:
        """Return the running time of a line with this stamp."""
        self.resolution = min(self.resolution or stamp.resolution, stamp.resolution)
        if stamp.kind == GAP:
            self.at += stamp.us
            return self.at
        us = stamp.us
        if stamp.kind == DAY:
            if self._kind == DAY and self._before - us > _DAY // 2:
                # after midnight
                self._days += _DAY
            self._before = us
            us += self._days
        self._kind = stamp.kind
        self.at = us
        return us


_SECOND_NAMES = r"(?i:(?<!\w)\"?\w*sec(?:onds?)?\w*\"?)"
_PART_NAMES = r"(?i:\"?(?:\w*[uµmn](?:icro|illi|ano)?s(?:ec(?:onds?)?)?\w*)\"?)"
_PAIR = re.compile(
    r"(?<![\w.:/-])(?:\w+\s*=\s*)?(\d{1,10})\"?(?:\s*[,;:]\s*|[ \t]+|\.)"
    r"\"?(?:\w+\s*=\s*)?(\d{1,9})(?![\w.:/])"
)
_PAIR_HEAD = re.compile(rf"{_SECOND_NAMES}\s*[,;\t|]\s*{_PART_NAMES}")
_LEAST = 8


@dataclass(frozen=True)
class Pairs:
    """A time in two whole numbers, seconds and parts of one (`1764304505 4217`), which each line of a file has first.

    digits: 6 if the second counts microseconds, 9 if nanoseconds.
    """

    digits: int

    def together(self, line: str) -> str:
        """Return a line with its time as one number."""
        found = _PAIR.search(line)
        if found is None:
            return _PAIR_HEAD.sub("time", line, count=1)
        return f"{line[: found.start()]}{found[1]}.{found[2].zfill(self.digits)}{line[found.end() :]}"


def pairs(lines: Sequence[str]) -> Pairs | None:
    """Return how times in two numbers are to be read; None if the lines have none."""
    sample = [line for line in lines if line.strip() and line[0] != "#" and not _PAIR_HEAD.search(line)]
    found = [match for line in sample if (match := _PAIR.search(line)) is not None]
    if len(found) < _LEAST or len(found) * 10 < 9 * len(sample):
        return None
    times = [(int(match[1]), int(match[2])) for match in found]
    rising = sum(before <= after for before, after in pairwise(times))
    # those of the same second rise, and start again with the next
    same = sum(before[0] == after[0] and before[1] < after[1] for before, after in pairwise(times))
    again = sum(before[0] < after[0] and before[1] > after[1] for before, after in pairwise(times))
    largest = max(part for _second, part in times)
    if rising * 100 < 98 * (len(times) - 1) or same * 3 < len(times) or largest < SECOND // 10:
        return None
    if not again and times[0][0] < _EPOCH:
        return None
    fractions = [float(f"{match[1]}.{match[2]}") for match in found]
    if all("." in match[0] for match in found) and fractions == sorted(fractions):
        return None
    return Pairs(9 if largest >= SECOND else 6)


_EPOCH = 10**9
