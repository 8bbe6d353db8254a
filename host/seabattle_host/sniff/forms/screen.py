"""Screen output of this program, copied or saved by `tee`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from seabattle import wire
from seabattle_host.language import words
from seabattle_host.language.catalogue import languages
from seabattle_host.language.messages import template, tr
from seabattle_host.sniff.capture import SIDES, Chunk, Header, Item, Lost, empty_chunk, sort_crossed
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.own_files import LATEST, arrival, in_turn, marked_bytes, timed
from seabattle_host.sniff.forms.source import Source

_TIME = r"\s*(?:(?P<n>\d{1,12})\s+)?(?:(?P<h>\d\d):(?P<m>\d\d):)?(?P<before>-?)(?P<s>\d+)\.(?P<us>\d{6})"
_SCREEN = re.compile(
    _TIME + r"\s+\+?[+-]?\d+\.\d{4} (?:(?P<side>[AB])>|(?P<none> ?-)) "
    r"(?P<bytes>(?:[0-9A-F]{2}[pfob]*(?: \.\.\.)?(?: |$))*)"
)
_SYNCS = re.compile(_TIME + r"\s+-- (?P<count>\d+)")
_SCREEN_HEAD = re.compile(r"- [\w ]+: A (.*), B (.*), (\d+ \w+)$")


class ScreenForm:
    """Output of `seabattle sniff` and `decode`: `0.562177   +0.0009 A> C0 03 01    master shoots C1`."""

    name = "screen"

    def recognise(self, source: Source) -> Guess | None:
        sample = [line for line in source.head[:400] if line.strip() and not line.startswith("- ")]
        fits = [line for line in sample if _SCREEN.match(line) or _SYNCS.match(line)]
        if not fits:
            return None
        # remarks and the state of both sides follow
        sample = sample[: len(sample) - sample[::-1].index(fits[-1])]
        if len(fits) * 2 < len(sample):
            return None
        return replace(
            self.forced(source), why=tr("why_lines", count=len(fits), of=len(sample), what=tr("what_screen"))
        )

    def forced(self, source: Source) -> Guess:
        header = Header()
        for line in source.head[:20]:
            head = _SCREEN_HEAD.match(line)
            if head is not None:
                header = replace(header, names=(head[1], head[2]), settings=head[3])
        # a single line for both sides: uncertain sides are marked in one of the languages
        sample = tuple(f"! {template('unsure', language)}" for language in languages())
        merged = any("! " in line and any(said in line for said in sample) for line, _ended in source.lines())
        return Guess(tr("why_forced"), replace(header, mode="screen"), merged=merged)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        if guess.merged:
            return arrival(in_turn(self._items(source, left), LATEST))
        return sort_crossed(in_turn(self._items(source, left)))

    def _items(self, source: Source, left: Left) -> Iterator[Item]:
        """Yield the items.

        Syncs are only counted in the output: they are restored at the count, as the master's and, as far as there were
        so many records, answered. Bytes of a long frame that were not shown are reported as a gap, and so are records
        that are missing or come again.
        """
        lines = source.lines()
        waited = 0
        shown = -1
        waiting: list[_Syncs] = []
        numbers = _Numbers()
        master = _master(source.head)
        gaps = [template("lost", language).partition("{why}")[0] for language in languages()]
        for number, (line, _ended) in enumerate(lines, 1):
            match = _SCREEN.match(line)
            if match is None:
                syncs = _SYNCS.match(line)
                if syncs is not None and int(syncs["count"]) < 1 << 20:
                    waiting.append(numbers.syncs(_us(syncs), int(syncs["count"]), int(syncs["n"] or 0)))
                elif line.strip() and not line.startswith("- "):
                    left.add("left_lines", number)
                continue
            at = _us(match)
            last = waiting[-1].at if waiting else shown
            yield from _put_back(waiting, shown, master)
            # that something is late is noticed between two frames
            shown = last if match["none"] else at
            if why := numbers.record(int(match["n"] or 0)):
                yield Lost(at, why)
            waited = at if match["none"] else 0
            if match["none"]:
                said = line[match.end() :].strip()
                if words.harm(said):
                    yield Lost(at, said)
                for sample in gaps:
                    if said.startswith(sample):
                        yield Lost(at, said.removeprefix(sample))
                continue
            text = match["bytes"].replace("...", "")
            values, faults = marked_bytes(text)
            if values:
                yield from timed(at, SIDES.index(match["side"]), values, faults, line)
            if "..." in match["bytes"] and values:
                size = values[1] + 2 if values[0] in (wire.NICK, wire.CHAT) else 0
                sample = tr("lost_not_shown_of", line=number, count=len(values), size=size)
                yield Lost(at, sample if size else tr("lost_not_shown", line=number))
        last = waiting[-1].at if waiting else 0
        yield from _put_back(waiting, shown, master)
        if waited > last:
            yield empty_chunk(waited)


def _us(match: re.Match[str]) -> int:
    """Return the time of a line in microseconds, since the start or midnight.

    A tap may show what came just before the first frame after that.
    """
    if match["before"]:
        return 0
    minutes = int(match["h"] or 0) * 60 + int(match["m"] or 0)
    return (minutes * 60 + int(match["s"])) * 10**6 + int(match["us"])


@dataclass
class _Syncs:
    """Syncs that were only counted. at: of the last record; why: what is missing before them; first: none is."""

    at: int
    count: int
    replies: int
    why: str = ""
    first: bool = False


_SPREAD = 700_000
"""Microseconds from a sync to the next at most, if the start of a span of them is not known."""


class _Numbers:
    """The numbers of the records, 0 where a line has none: whether some are missing."""

    def __init__(self) -> None:
        self._last = 0
        self._may_be = 0
        """Records that syncs without a number may stand for."""

    def record(self, number: int) -> str:
        """Take the number of a line; return what is wrong with it, if anything."""
        last, may_be = self._last, self._may_be
        if number:
            self._last, self._may_be = number, 0
        if not number or not last or last < number <= last + 1 + may_be:
            return ""
        if number <= last:
            return tr("lost_again", number=number)
        return tr("lost_records", first=last + 1, last=number - 1)

    def syncs(self, at: int, count: int, number: int) -> _Syncs:
        """Take a line of syncs, with the number of the last record counted."""
        last = self._last
        if not number:
            self._may_be += 2 * count
            return _Syncs(at, count, count)
        counted = number - last
        why = ""
        if last and not count <= counted <= 2 * count + self._may_be:
            records = max(1, counted - 2 * count)
            why = tr("lost_again", number=number) if counted < count else ""
            why = why or tr("lost_records", first=last + 1, last=last + records)
        self._last, self._may_be = number, 0
        return _Syncs(at, count, min(count, max(0, counted - count)), why, not last and number <= 2 * count)


def _put_back(waiting: list[_Syncs], before: int, master: int) -> Iterator[Item]:
    """Yield syncs that were only counted, spread over their time; the last ones are the answered ones.

    before: time of the line before, -1 if there is none.
    """
    for syncs in waiting:
        last, count = syncs.at, syncs.count
        # the first record is at 0 unless the time of day is shown
        begin = before if 0 <= before <= last else 0 if syncs.first and last < _SPREAD * count else last
        if syncs.why:
            yield Lost(begin, syncs.why)
        for i in range(count):
            moment = begin + (last - begin) * (i + 1) // count
            yield Chunk(moment, master, b"\xaa")
            if i >= count - syncs.replies:
                yield Chunk(moment, 1 - master, b"\x01")
        before = last
    waiting.clear()


def _master(lines: Sequence[str]) -> int:
    """Return the side called master."""
    for line in lines:
        match = _SCREEN.match(line)
        if match and match["side"] and re.match(r"(?:master|мастер)\b", line[match.end() :].strip()):
            return SIDES.index(match["side"])
    return 0
