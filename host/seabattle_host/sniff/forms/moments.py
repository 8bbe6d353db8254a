"""Times in lines that are bare numbers or counted from the line before: `@48213`, `dt=3.2`, `tick 12`, `+0.5`.

The lines of the beginning together tell which number it is, whether it is since the line before, and its unit. Lines
are rewritten with the time in front of them, as `12.345s` or `+0.003s`, which their reader understands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, islice, pairwise

from seabattle_host.sniff.capture import SECOND, TICK_DIVIDEND, TICK_DIVISOR
from seabattle_host.sniff.forms import clock

_UNIT = r"\s?(?P<unit>s|sec|ms|msec|us|µs|usec|ns|nsec|с|мс|мкс|нс)(?!\w)"
_NUMBER = rf"(?P<value>\d{{1,19}}(?:[.,]\d{{1,9}})?)(?:{_UNIT}|(?![\w.]))"
_SINCE_LINE = r"(?:dt|delta(?:[ _]?(?:t|time))?|diff|gap|since|interval|Δ\s?t?)"
_SINCE_START = r"(?:t|ts|tm|time|timestamp|at|ms|us|ns|millis|micros|uptime|elapsed|ticks?|время|тик)"
_NAMED = re.compile(
    rf"(?i:(?<![\w.])(?P<name>(?:{_SINCE_LINE}|{_SINCE_START})(?:_(?P<of>ms|us|ns|s))?)[\"']?\s*[=:@+]?\s*"
    rf"(?P<sign>)|(?P<mark>[@+]|T\+)\s?){_NUMBER}"
)
_BARE = re.compile(rf"(?<![\w.,:+-]){_NUMBER}(?![:-]\d)")
_HEX = re.compile(r"\s*[\[(<]?(?:0[xX])?(?P<value>[0-9A-Fa-f]{8})(?P<unit>)(?:[\])>]:?|[:,;|]?)(?=\s)")
"""A counter of 32 bits in front of a line."""
_PAIR = re.compile(r"(?<!\w)[0-9A-Fa-f]{2}(?!\w)")
_IS_GAP = re.compile(rf"(?i){_SINCE_LINE}")
_PLACES = 3
"""Bare numbers of a line looked at."""

_IN_HEX = _PLACES
"""In place of a place: a number in hex in front of the line."""

_LEAST = 6
_MOST = 400
_TICK = Fraction(TICK_DIVIDEND, TICK_DIVISOR)


@dataclass(frozen=True)
class Moments:
    """Where the time of each line is, and what it counts.

    place: of a bare number among those of the line, -1 for one with a name, _IN_HEX for one in hex. by: parts of a
    second; 0: ticks. gap: since the line before.
    """

    place: int
    by: int
    gap: bool
    has_unit: bool

    def normal(self, line: str) -> str:
        """Return a line with its time in front, without it where it was."""
        found = _found(line, self.place)
        if found is None:
            return line
        rest = f"{line[: found.start()]} {line[found.end() :]}"
        return f"{'+' if self.gap else ''}{self._seconds(_number(found, self.place))}s {rest}"

    def unit_words(self) -> str:
        """Say for what unit the times are taken; empty if they name theirs."""
        return "" if self.has_unit else clock.unit_words(self.by, also_seconds=True)

    def _seconds(self, number: Fraction) -> str:
        if not self.by:
            # to the digit that a tick is good for
            return f"{float(number * _TICK / SECOND):.1f}"
        digits = len(str(self.by)) - 1
        return f"{float(number / self.by):.{max(digits, 6) if number.denominator > 1 else max(digits, 1)}f}"


def learn(lines: Sequence[str]) -> Moments | None:
    """Return where the times of lines are that have no others; None if there are none."""
    sample = [line for line in lines[:_MOST] if line.strip()]
    if len(sample) < _LEAST or _are_dated(sample):
        return None
    for place in (-1, *range(_PLACES), _IN_HEX):
        found = [match for line in sample if (match := _found(line, place)) is not None]
        if len(found) * 10 < 9 * len(sample) or (known := _read(found, place)) is None:
            continue
        rests = [f"{match.string[: match.start()]} {match.string[match.end() :]}" for match in found]
        if place == _IN_HEX and _are_offsets(found, rests):
            continue
        if not _are_timed(rests):
            return known
    return None


def _are_offsets(found: Sequence[re.Match[str]], rests: Sequence[str]) -> bool:
    """Return whether numbers rise by the count of the bytes behind each."""
    numbers = [_number(match, _IN_HEX) for match in found]
    sizes = [len(_PAIR.findall(rest)) for rest in rests]
    fitting = sum(after - before == size for (before, after), size in zip(pairwise(numbers), sizes, strict=False))
    return fitting * 2 > len(numbers)


def _are_dated(lines: Sequence[str]) -> bool:
    """Return whether lines have times since the epoch, rather than numbers with as many digits."""
    dates = [stamp.us for line in lines for stamp in _stamps(line) if stamp.kind == clock.DATE]
    return len(dates) * 2 > len(lines) and clock.divisor(dates) == 1


def _are_timed(lines: Sequence[str]) -> bool:
    """Return whether lines have times that need no comparison."""
    return sum(any(stamp.kind != clock.GAP and not stamp.bare for stamp in _stamps(line)) for line in lines) * 4 > len(
        lines
    )


def _stamps(line: str) -> Iterator[clock.Stamp]:
    """Yield the times in the front of a line."""
    for begin in islice(re.finditer(r"(?<![\w.,:])(?=[\w+])", line), 8):
        if (stamp := clock.match(line, begin.start())) is not None:
            yield stamp


def _found(line: str, place: int) -> re.Match[str] | None:
    if place < 0:
        return _NAMED.search(line)
    if place == _IN_HEX:
        return _HEX.match(line)
    return next(islice(_BARE.finditer(line), place, None), None)


def _number(found: re.Match[str], place: int) -> Fraction:
    if place == _IN_HEX:
        return Fraction(int(found["value"], 16))
    return Fraction(found["value"].replace(",", "."))


def _read(found: Sequence[re.Match[str]], place: int) -> Moments | None:
    """Return what such numbers count; None if they are no times."""
    numbers = [_number(match, place) for match in found]
    steps = [after - before for before, after in pairwise(numbers)]
    rising = sum(step < 0 for step in steps) * 20 <= len(steps)
    # line numbers rise by one, offsets by the length of a line
    several = len(set(steps)) > 2 - (place < 0) and steps.count(Fraction(1)) * 10 < 9 * len(steps)
    several = several and (place < 0 or len(set(numbers)) * 4 > len(numbers))
    groups = found[0].groupdict()
    name = groups.get("name") or ""
    is_gap = not rising and bool(_IS_GAP.match(name) or groups.get("mark") == "+")
    if not several or not (is_gap or rising) or (place >= 0 and any(number.denominator > 1 for number in numbers)):
        return None
    units = {(match["unit"] or match.groupdict().get("of") or "").lower() for match in found}
    if units == {""} and name.lower() in clock.UNITS:
        units = {name.lower()}
    if len(units) > 1:
        return None
    unit = units.pop() or {"millis": "ms", "micros": "us"}.get(name.lower(), "")
    if unit:
        return Moments(place, int(SECOND / clock.UNITS[unit]), is_gap, True)
    times = list(accumulate(numbers)) if is_gap else numbers
    by = clock.divisor([int(time * SECOND) for time in times])
    if by == 1 and place >= 0:
        # whole seconds, or something else
        return None
    if "tick" in name.lower() or "тик" in name.lower():
        return Moments(place, 0 if by == 1 else by, is_gap, False)
    return Moments(place, by, is_gap, False)
