"""Lines with a time, a side and bytes, in any order and dress: terminals, monitors and what people paste from them.

What a line of this file looks like is planned by the lines of its beginning together (Plan); each is then read from its
left (lines.py). A line without bytes gives time and side to those below it (socat, jpnevulator).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import clock, dumps, evidence, numerals, sides
from seabattle_host.sniff.forms.kinds import Guess, Left
from seabattle_host.sniff.forms.lines import LETTER, OFFSET, Line, Plan, scan
from seabattle_host.sniff.forms.source import Source

_COMMENT = re.compile(r"\s*(?:#|//|;|--(?!>)|==(?!>)|\*\*|- )")
_HASH = re.compile(r"(?<!\w)#(\d{1,9})\b")
_NUMBERED = re.compile(
    r"(?:(?:^|\s)[\[(#]?|\b(?i:port|ch|channel|uart|line|node|player|side|dev|com)[\s#_])([0-2])(?=\s*[:\])>|]\s|\s)"
)


class ListingForm:
    """Lines, planned by their beginning."""

    name = "hex"

    def recognise(self, source: Source) -> Guess | None:
        if not source.encoding:
            return None
        guess, share, marked = self._guess(source)
        if share < 0.7 or not marked:
            return None
        if guess.maybe_merged and not guess.header.timed and dumps.PlainForm().recognise(source) is not None:
            # an array with a name in front of it
            return None
        return guess

    def forced(self, source: Source) -> Guess:
        return self._guess(source)[0]

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        yield from _items(source.lines(), guess.plan, left)
        if source.cut:
            yield Lost(0, tr("lost_tail"))

    def _guess(self, source: Source) -> tuple[Guess, float, bool]:
        """What to go by; the share of lines understood; whether they have anything beside bytes."""
        said = [line for line in source.head[:2000] if line.strip()]
        hashed = _is_hashed(said)
        said = [line for line in said if not _is_comment(line, hashed)]
        best: tuple[float, float, float, Plan, list[Line]] | None = None
        for base in numerals.BASES:
            plan = _plan(said, base, hashed)
            lines = [scan(line, plan) for line in said]
            good = sum(_understood(line) for line in lines)
            data = b"".join(line.data + b"".join(more for _side, more in line.more) for line in lines)
            tidy = sum(bool(line.data) and not line.rest for line in lines)
            score = (round(good / max(1, len(said)), 1), round(tidy / max(1, len(said)), 1), evidence.weigh(data).share)
            if best is None or score > best[:3]:
                best = (*score, plan, lines)
        assert best is not None
        plan, lines = best[3], best[4]
        with_data = [line for line in lines if line.data]
        sided = sum(_side(line, plan) is not None for line in lines)
        stamped = [line.stamp or line.gap for line in lines if line.stamp or line.gap]
        timed = bool(stamped) or plan.millis
        directed = sided > 0
        data = b"".join(line.data for line in with_data)
        found = evidence.weigh(data)
        resolution = min((stamp.resolution for stamp in stamped if stamp), default=1)
        header = Header(("A", "B"), mode="hex", timed=timed, resolution=resolution if resolution > 10_000 else 0)
        good = sum(_understood(line) for line in lines)
        has = [tr(key) for key, there in (("has_time", timed), ("has_side", directed)) if there]
        why = tr("why_lines", count=good, of=len(said), what=", ".join([*has, tr("has_bytes")]))
        merged = not directed and (found.is_merged or not found.is_protocol)
        guess = Guess(why, header, merged=merged, maybe_merged=not directed, plan=plan)
        # braces with words and numbers are some program's data
        structured = source.sample.lstrip()[:1] in (b"{", b"[") and not timed and not directed
        marked = timed or directed or (any(line.names for line in with_data) and not structured)
        return guess, (good / len(said) if said and with_data else 0.0), marked and _plausible(lines, found)


def _plausible(lines: Sequence[Line], found: evidence.Evidence) -> bool:
    """Prose has words with hex letters in it too: lines of a capture end with their bytes, or are of the protocol."""
    with_data = [line for line in lines if line.data]
    if not with_data:
        return False
    if found.is_protocol:
        return True
    tidy = sum(not line.rest and len(line.names) <= 2 for line in with_data)
    return tidy * 10 >= len(with_data) * 8 and len(with_data) * 2 >= len(lines)


def _understood(line: Line) -> bool:
    return bool(line.data) or line.stamp is not None or (line.said.side is not None and not line.rest)


def _is_hashed(said: Sequence[str]) -> bool:
    """Whether the lines are numbered as `#1`, `#2`."""
    numbers = [int(match[1]) for line in said if (match := _HASH.search(line))]
    steps = sum(b - a == 1 for a, b in itertools.pairwise(numbers))
    return len(numbers) > 2 and len(numbers) * 10 >= 9 * len(said) and steps * 10 >= 9 * (len(numbers) - 1)


def _is_comment(line: str, hashed: bool) -> bool:
    return _COMMENT.match(line) is not None and not (hashed and re.match(r"\s*#\d", line))


def _plan(said: Sequence[str], base: int, hashed: bool) -> Plan:
    plan = Plan(base, hashed=hashed)
    numbers = [int(match[1]) for line in said if (match := re.match(r"\s*[\[#(]?(\d+)[\s:.)\],;|]+\S", line))]
    times = sum(clock.match(line.lstrip(" [("), 0) is not None for line in said[:50])
    rising = all(a <= b for a, b in itertools.pairwise(numbers))
    if len(numbers) >= max(2, 0.9 * len(said)) and rising and not times and not hashed:
        steps = {b - a for a, b in itertools.pairwise(numbers)}
        if steps == {1} or max(numbers) > 255:
            plan.counted = True
            plan.millis = steps != {1}
    _look_closer(said, plan)
    lines = [scan(line, plan) for line in said]
    with_data = [line for line in lines if line.data]
    sizes = [line for line in with_data if len(line.data) > 1]
    plan.sized = base == 16 and len(sizes) > 3 and len(sizes) == len(with_data)
    plan.sized = plan.sized and all(_size(line.data) for line in sizes)
    if plan.sized:
        lines = [scan(line, plan) for line in said]
        with_data = [line for line in lines if line.data]
    named = [line for line in lines if line.said.words]
    arrows = Counter(line.said.arrows[0] for line in with_data if line.said.arrows and not line.said.words)
    everywhere = sum(bool(line.said.arrows) for line in with_data) * 10 >= 9 * len(with_data)
    stamped = sum(line.stamp is not None for line in with_data) * 2 > len(with_data)
    # `12:00:00.000 -> AA` on each line is how a monitor parts the time from the text
    plan.unsided = not named and len(arrows) == 1 and everywhere and stamped and len(with_data) > 3
    sided = sum(line.said.side is not None for line in lines if line.data or line.stamp) if not plan.unsided else 0
    plan.named = _two_labels(with_data, plan) or ({} if sided else _two_names(lines))
    tails = Counter(line.rest.lower() for line in with_data)
    if not sided and not plan.named and len(tails) == 2 and "" not in tails and len(with_data) > 3:
        plan.tails = sides.of_two(list(tails))
    own = sum(_side(line, plan) is not None for line in with_data)
    plan.usual = own * 10 >= 8 * len(with_data) and own > 3
    plan.timed = any(line.stamp or line.gap for line in lines)
    plan.padded = sum(line.padded for line in with_data) > 1
    plan.headed = sum(_is_head(line, plan) for line in lines) * 2 > len(with_data)
    return plan


def _size(data: bytes) -> bool:
    """Whether the first byte, read as a decimal number, is how many follow."""
    digits = f"{data[0]:x}"
    return digits.isdigit() and int(digits) == len(data) - 1


def _look_closer(said: Sequence[str], plan: Plan) -> None:
    """What only the lines together tell: names of the sides that look like bytes, offsets."""
    if len(said) < 4:
        return
    letters = Counter(match[1].lower() for line in said if (match := LETTER.search(line)))
    plan.lettered = len(letters) == 2 and letters.total() * 10 > 9 * len(said)
    numbers = Counter(match[1] for line in said if (match := _NUMBERED.search(line)))
    plan.numbered = len(numbers) == 2 and numbers.total() * 10 > 9 * len(said) and not plan.counted
    offsets = [match[0] for line in said if (match := re.search(rf"(?<![\w.:]){OFFSET.pattern}", line))]
    first = sum(int(offset.rstrip(":"), 16) == 0 for offset in offsets)
    plan.offset = plan.base == 16 and len(offsets) > 3 and first * 2 > len(offsets)


def _two_labels(lines: Sequence[Line], plan: Plan) -> dict[str, int]:
    """Two words in front of the bytes of which at the most one names a side by itself, or both the same one."""
    labels = [line.labels[0] for line in lines if line.labels]
    if len(labels) < 4 or len(labels) * 10 < 9 * len(lines) or len(set(labels)) != 2:
        return {}
    if (
        any(line.said.words and line.said.arrows for line in lines)
        and len({line.said.side for line in lines} - {None}) == 2
    ):
        return {}
    told = {sides.WORDS.get(label) for label in labels}
    return {} if told == {0, 1} or (told == {None} and not plan.numbered) else sides.of_two(labels)


def _two_names(lines: Sequence[Line]) -> dict[str, int]:
    """Two names in the same place of the lines, where no word that is known says more (`COM3`, `COM4`)."""
    for place in range(3):
        names = [line.names[place] for line in lines if len(line.names) > place]
        if len(set(names)) == 2 and len(names) * 2 >= len([line for line in lines if line.stamp or line.data]):
            return sides.of_two(names)
    return {}


def _is_head(line: Line, plan: Plan) -> bool:
    return not line.data and (line.stamp is not None or _side(line, plan) is not None)


def _side(line: Line, plan: Plan) -> int | None:
    if plan.named:
        return next((plan.named[name] for name in line.labels if name in plan.named), None)
    if plan.tails:
        return plan.tails.get(line.rest.lower())
    if plan.unsided and not line.said.words:
        return None
    return line.said.side


def _is_torn(line: Line, own: int | None, plan: Plan, bare: bool) -> bool:
    """Whether bytes belong to a line that has none: it was cut, or those below it are another's."""
    if line.data:
        return False
    if plan.headed:
        return bare and (line.stamp is not None or own is not None)
    return own is not None and plan.usual and (line.stamp is not None or not plan.timed) and not line.names


def _items(lines: Iterator[tuple[str, bool]], plan: Plan, left: Left) -> Iterator[Item]:
    watch = clock.Clock()
    side: int | None = None
    started = headed = bare = False
    waiting: list[Chunk] = []
    before: int | None = None
    for number, (line, _ended) in enumerate(lines, 1):
        if not line.strip():
            continue
        if _is_comment(line, plan.hashed):
            if re.search(r"\w", line):
                left.add("left_comments", number)
            continue
        found = scan(line, plan)
        own = _side(found, plan)
        if found.data and own is None and plan.usual and (found.stamp or found.names or found.rest):
            left.add("left_lines", number)
            yield Lost(watch.at, tr("lost_damaged", line=number))
            continue
        stamp = found.stamp or (None if started and found.gap is None else found.gap)
        if stamp is not None:
            watch.take(stamp)
        elif plan.millis and found.number is not None:
            watch.at = found.number * 1000
            stamp = clock.Stamp(clock.SPAN, watch.at, 0, 1000)
        elif found.data and plan.timed and not headed:
            left.add("left_untimed", number)
        if plan.hashed and (hashed := _HASH.search(line)) is not None:
            found.number = int(hashed[1])
        if found.number is not None and not plan.millis:
            if before is not None and found.number != before + 1:
                yield Lost(watch.at, tr("lost_row", line=number))
            before = found.number
        if _is_torn(found, own, plan, bare):
            yield Lost(watch.at, tr("lost_damaged", line=number))
        bare = not found.data and (bare or stamp is not None or own is not None)
        if stamp is not None or (found.data and own is not None):
            # what stands below a line without bytes has its time
            headed = not found.data
        side = own if own is not None else side
        if found.data:
            if found.rest or found.remark:
                left.add("left_text", number)
            chunk = Chunk(watch.at, side or 0, found.data, found.faults if any(found.faults) else b"")
            if stamp is None and not started and plan.timed and not headed:
                # bytes before the first time are taken to have come just then
                waiting.append(chunk)
            else:
                started = True
                yield from (replace(early, at=watch.at) for early in waiting)
                waiting.clear()
                yield chunk
            if found.torn:
                yield Lost(watch.at, tr("lost_damaged", line=number))
            for other, data in found.more:
                side = other if other is not None else side
                extra = Chunk(watch.at, side or 0, data)
                if waiting:
                    waiting.append(extra)
                else:
                    yield extra
        elif own is None and stamp is None:
            left.add("left_lines", number)
    yield from waiting
