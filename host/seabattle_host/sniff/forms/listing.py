"""Lines with a time, a side and bytes, in any order and notation: terminals, monitors, and pasted excerpts.

The notation is planned from the lines of the beginning together (Plan); each line is then read from the left
(lines.py). A line without bytes gives time and side to those below it (socat, jpnevulator).
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import (
    bare_bytes,
    clock,
    evidence,
    fronts,
    moments,
    naming,
    numerals,
    plausibility,
    remarks,
    sides,
)
from seabattle_host.sniff.forms.between import (
    FEW,
    HASH,
    PROMPT,
    SIGN,
    is_comment,
    is_hashed,
    unruled,
    without_headings,
    without_prompts,
)
from seabattle_host.sniff.forms.interface import Guess, Left, omits
from seabattle_host.sniff.forms.lines import FRONT, LETTER, OFFSET, scan, without_bytes
from seabattle_host.sniff.forms.listed import Line, Plan
from seabattle_host.sniff.forms.source import Source

_NUMBERED = re.compile(
    r"(?:(?:^|\s)[\[(#]?|\b(?i:port|ch|channel|uart|line|node|player|side|dev|com)[\s#_])(\d{1,3})(?=\s*[:\])>|]\s|\s)"
)
"""Two different ones may be the sides; the lengths of frames are more."""


_WORDS_MOST = 2
"""Words in front of bytes whose time and side are above them."""


class ListingForm:
    """Lines whose notation is planned from the beginning of the file."""

    name = "hex"

    def recognise(self, source: Source) -> Guess | None:
        if not source.encoding:
            return None
        if is_json(source.head):
            # JSON that was not recognised as data is no log either
            return None
        guess, share, marked = self._guess(source)
        if share < 0.7 or not marked:
            return None
        if guess.maybe_merged and not guess.header.timed and bare_bytes.PlainForm().recognise(source) is not None:
            # an array with a name
            return None
        return guess

    def forced(self, source: Source) -> Guess:
        return self._guess(source)[0]

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        yield from _items(_apart(source.lines()), guess.plan, left)
        if source.cut:
            yield Lost(0, tr("lost_tail"))

    def _guess(self, source: Source) -> tuple[Guess, float, bool]:
        """Return the guess; the share of lines understood; whether they have anything besides bytes."""
        sample = [part for line in source.beginning() for part in _parts(unruled(line))]
        hashed = is_hashed(sample)
        comments = [line for line in sample if is_comment(line, hashed)]
        signed = len(comments) * 5 > len(sample) and all(map(SIGN.match, comments))
        sample = [line for line in sample if signed or not is_comment(line, hashed)]
        sample = without_headings(sample)
        answers = without_prompts(sample)
        prompted, sample = len(answers) < len(sample), answers
        moment = moments.learn(sample)
        sample = [moment.normal(line) for line in sample] if moment else sample
        remark = remarks.learn(sample)
        sample = [remark.normal(line) for line in sample] if remark else sample
        best = _best(sample, hashed)
        if (not (all(best[0][:2]) and best[0][2] >= 0.9 and best[0][4] > _SURELY) or fronts.has_letters(sample)) and (
            front := fronts.learn(sample)
        ) is not None:
            best = _rewritten(sample, front, best)
        plan, lines = best[1], best[2]
        plan.prompted, plan.minus, plan.moment, plan.said = prompted, signed, moment, remark
        with_data = [line for line in lines if line.data]
        sided = sum(naming.side_of(line, plan) is not None for line in lines)
        stamped = [line.stamp or line.gap for line in lines if line.stamp or line.gap]
        timed = bool(stamped) or plan.millis
        directed = sided > 0
        data = b"".join(line.data for line in with_data)
        found = evidence.weigh(data)
        if not directed:
            sides.refuse_several(source.name, [line.names for line in with_data])
        resolution = min((stamp.resolution for stamp in stamped if stamp), default=1) // plan.divisor
        header = Header(("A", "B"), mode="hex", timed=timed, resolution=resolution if resolution > 10_000 else 0)
        good = sum(plausibility.understood(line) for line in lines)
        if sum(len(_LIKE_BYTES.findall(line.rest)) for line in lines) > len(data):
            # most of it is something else
            good = 0
        has = [tr(key) for key, there in (("has_time", timed), ("has_side", directed)) if there]
        why = tr("why_lines", count=good, of=len(sample), what=", ".join([*has, tr("has_bytes")]))
        why += moment.unit_words() if moment else clock.unit_words(plan.divisor * (1000 if plan.millis else 1))
        why += sides.words_for((plan.front and plan.front.names) or plan.named or plan.tails)
        merged = not directed and (found.is_merged or not found.is_protocol)
        guess = Guess(why, header, merged=merged, maybe_merged=not directed, plan=plan)
        # braces with words and numbers are data of some program
        structured = source.sample.lstrip()[:1] in (b"{", b"[") and not timed and not directed
        marked = timed or directed or (any(line.names for line in with_data) and not structured)
        return (
            guess,
            (good / len(sample) if sample and with_data else 0.0),
            marked and plausibility.plausible(lines, plan, found),
        )


_SEVERAL = re.compile(r"(?<=\])\s*(?=\[(?i:tx|rx):)")
"""Terminals print `[TX:'a'] [RX:'b']` without line ends."""


def _parts(line: str) -> list[str]:
    return _SEVERAL.split(line) if "[" in line else [line]


def _apart(lines: Iterator[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    for line, ended in lines:
        yield from ((part, ended) for part in _parts(line))


_Read = tuple[tuple[bool, bool, float, float, float], Plan, list[Line]]


def _best(sample: Sequence[str], hashed: bool) -> _Read:
    """The lines as the plan reads them that makes most sense of them."""
    best: _Read | None = None
    worded = sum(sides.is_named(line) for line in sample) * 10 > len(sample)
    reader = _Lines(sample)
    for plan in _plans(reader, hashed):
        lines = reader.by(plan)
        score = plausibility.score(lines, plan)
        if best is None or score > best[0]:
            best = (score, plan, lines)
        if best[0][0] and (best[0][1] or not worded) and best[0][2] >= 0.9:
            break
    assert best is not None
    return best


def _rewritten(sample: Sequence[str], front: fronts.Front, best: _Read) -> _Read:
    """The lines as they are when they are read from the right, if they tell more so."""
    reader = _Lines([front.normal(line) for line in sample])
    plan = _plan(reader, Plan())
    plan.front = front
    lines = reader.by(plan)
    score = plausibility.score(lines, plan)
    better = (*score[:3], score[4]) > (*best[0][:3], best[0][4])
    return (score, plan, lines) if score[0] and better else best


_SURELY = 0.97
"""How much of the protocol there is where nothing but the bytes of a line is read."""


_LIKE_BYTES = re.compile(r"(?<![\w:.])(?:0[xX])?[0-9A-Fa-f]{2}(?![\w:])")
_NEXT = re.compile(r"(?:\d:\d\d(?:[.,]\d+)?|^[.,]\d{2,})\D+?\s[0-9A-Fa-f]{2}(?:\s|$)")
"""A time with bytes: the next line, which the end of this one was lost before."""
_OTHERS = re.compile(r"\\x[0-9A-Fa-f]{2}|[\"'\[(<]\s*[0-9A-Fa-f]{2}\b|(?<=[:\s])[0-9A-Fa-f]$")
_MORE = re.compile(r"(?:\.{3}|…)\s*\d+\s+more\b")
"""A number of bytes left out."""


def is_json(lines: Sequence[str]) -> bool:
    """Return whether lines are JSON objects."""
    sample = list(itertools.islice((line for line in lines if line.strip()), 20))
    try:
        return bool(sample) and all(isinstance(json.loads(line), dict) for line in sample)
    except (ValueError, RecursionError):
        return False


class _Lines:
    """Lines, each parsed only once for all plans that parse it the same way."""

    def __init__(self, sample: Sequence[str]):
        self.sample = sample
        self._read: dict[tuple[object, ...], Line] = {}

    def by(self, plan: Plan) -> list[Line]:
        """Parse the lines by a plan."""
        plain = replace(plan, apart=False, padded=False, sought=False)
        how = tuple(getattr(plain, name) for name in _READ_BY)
        lines = [self._one(line, plan, plain, how) for line in self.sample]
        return [without_bytes(line) for line in lines] if plan.apart else lines

    def _one(self, line: str, plan: Plan, plain: Plan, how: tuple[object, ...]) -> Line:
        if plan.sought and sides.is_named(line, plan.constant):
            plain, how = replace(plain, sought=True), (*how, "sought")
        found = self._get(line, plain, how)
        if plan.padded and found.loose:
            found = self._get(line, replace(plain, padded=True), (*how, "padded"))
        return found

    def _get(self, line: str, plan: Plan, how: tuple[object, ...]) -> Line:
        key = (line, *how)
        found = self._read.get(key)
        if found is None:
            found = self._read[key] = scan(line, plan)
        return found


_READ_BY = (
    "base", "thousands", "hashed", "lettered", "fronted", "counted", "numbered", "offset", "uncounted", "signed",
    "sized", "inner", "constant", "texts", "decimal",
)  # fmt: skip
"""Fields of a plan that affect parsing a line, besides those that _Lines handles."""


def _plans(reader: _Lines, hashed: bool) -> Iterator[Plan]:
    """Yield the possible plans of the lines, the usual ones first."""
    sample = reader.sample
    always = Plan(
        hashed=hashed,
        thousands=numerals.thousands(sample),
        uncounted=any(_NOT_COUNTED.search(line) for line in sample),
        constant=_constant(sample),
        unit=clock.unit_above(sample[:FEW]),
        decimal=any(_DECIMAL.match(line) for line in sample),
        texts=sum(_ESCAPED.search(line) is not None for line in sample) * 3 > len(sample),
    )
    for base in numerals.BASES:
        yield _plan(reader, replace(always, base=base))
    for apart, sought, base in itertools.product((False, True), (True, False), (numerals.HEX, numerals.DECIMAL)):
        if apart or sought:
            yield _plan(reader, replace(always, base=base, apart=apart, sought=sought))
    coded = [line[found[0] :].rstrip(" =") for line in sample if (found := numerals.base64_tail(line)) is not None]
    # a hash behind the bytes has as many digits
    if len(coded) * 10 > 9 * len(sample) and not all(map(_HEX_TAIL.fullmatch, coded)):
        yield _plan(reader, replace(always, base=numerals.BASE64))
    if any(re.search(r"(?<![\w.-])-\d{1,3}\b", line) for line in sample):
        for sought in (False, True):
            yield _plan(reader, replace(always, base=numerals.DECIMAL, signed=True, sought=sought))


_HEX_TAIL = re.compile(r"[0-9A-Fa-f]*")
_DECIMAL = re.compile(r"[^\"']*[\"'].*(?<!\\)\\(?:\d{0,2}[89]\d{0,2}|[4-9]\d\d)(?!\d)")
_ESCAPED = re.compile(r"[\"'][^\"']*\\(?:(?:x|u00)[0-9A-Fa-f]{2}|\d{2,3})")


def _plan(reader: _Lines, plan: Plan) -> Plan:
    """Complete a plan from the lines."""
    sample, base, hashed = reader.sample, plan.base, plan.hashed
    numbers = [int(match[1]) for line in sample if (match := _COUNTED.match(line))]
    times = sum(clock.match(line.lstrip(" [("), 0) is not None for line in sample[:50])
    rising = all(a <= b for a, b in itertools.pairwise(numbers)) and numbers[:1] != numbers[-1:]
    if len(numbers) >= max(2, 0.9 * len(sample)) and rising and not times and not hashed:
        steps = {b - a for a, b in itertools.pairwise(numbers)}
        if steps == {1} or max(numbers) > 255:
            plan.counted = True
            plan.millis = steps != {1}
            plan.divisor = clock.divisor([number * 1000 for number in numbers]) if plan.millis else 1
    _look_closer(sample, plan)
    lines = reader.by(plan)
    with_data = [line for line in lines if line.data]
    sizes = [line for line in with_data if len(line.data) > 1]
    plan.sized = base in (16, 10) and len(sizes) > 3 and len(sizes) == len(with_data)
    plan.sized = plan.sized and all(fronts.is_size(line.data, base) for line in sizes)
    plan.inner = len(sizes) > 3 and len(sizes) == len(with_data)
    plan.inner = plan.inner and all(numerals.of_digits(line.data.decode("latin-1")) for line in sizes)
    if plan.sized or plan.inner:
        lines = reader.by(plan)
        with_data = [line for line in lines if line.data]
    named = [line for line in lines if line.sender.words]
    arrows = Counter(line.sender.arrows[0] for line in with_data if line.sender.arrows and not line.sender.words)
    everywhere = sum(bool(line.sender.arrows) for line in with_data) * 10 >= 9 * len(with_data)
    stamped = sum(line.stamp is not None for line in with_data) * 2 > len(with_data)
    # `12:00:00.000 -> AA` on each line: the monitor's separator between time and text
    plan.unsided = not named and len(arrows) == 1 and everywhere and stamped and len(with_data) > 3
    pointed = {line.sender.arrows[0] for line in lines if line.sender.arrows}
    # `HOST:1 -> HOST:2`, `HOST:2 -> HOST:1`
    plan.unsided = plan.unsided or (not named and len(pointed) == 1 and bool(naming.two_names(lines)))
    if not named and len(arrows) == 1 and everywhere:
        # quoted, or in brackets of some language
        plan.unsided |= evidence.weigh(b"".join(line.data for line in with_data)).is_merged
    sided = sum(line.sender.side is not None for line in lines if line.data or line.stamp) if not plan.unsided else 0
    above = {line.sender.side for line in lines if not line.data and line.sender.words}
    heads = [line for line in lines if not line.data and line.stamp is not None and line.labels]
    if len(above) == 1 and 2 * len(heads) > len(with_data):
        plan.named = naming.two_labels(heads, plan)
    plan.named = (
        plan.named
        or naming.two_labels(with_data, plan)
        or ({} if sided or {0, 1} <= above else naming.two_names(lines))
    )
    tails = Counter(line.rest.lower() for line in with_data)
    if not sided and not plan.named and len(tails) == 2 and "" not in tails and len(with_data) > 3:
        plan.tails = sides.of_two(list(tails))
    told = [(line, naming.side_of(line, plan)) for line in lines]
    plan.mute = not plan.named and len({side for _line, side in told} - {None}) < 2 and naming.is_said_once(told)
    plan.nearest = naming.both_named(with_data)
    plan.other = naming.other(told) if not plan.mute else None
    own = sum(naming.side_of(line, plan) is not None for line in with_data)
    plan.usual = own * 10 >= 8 * len(with_data) and own > 3
    plan.timed = any(line.stamp or line.gap for line in lines)
    bare = [line.stamp.us for line in lines if line.stamp and line.stamp.bare]
    some = sum(line.stamp is not None for line in lines)
    if bare and len(bare) == some:
        plan.divisor = plan.unit or clock.divisor(bare)
    plan.digits = clock.digits(line.stamp for line in lines if line.stamp)
    plan.padded = sum(line.padded for line in with_data) > 1
    plan.headed = sum(_is_head(line, plan) for line in lines) * 2 > len(with_data)
    return plan


_NOT_COUNTED = re.compile(r"\b(?i:bytes|n|count|size)\s?[:=]\s?(?:0[xX])?(?:[A-Fa-f]|[0-9][A-Fa-f])[0-9A-Fa-f]*(?!\w)")


def _constant(sample: Sequence[str]) -> frozenset[str]:
    """Return words on every line, if others name the sides: the name of a computer or program."""
    words = [
        {word for word in sides.WORD.findall(line.lower()) if len(word) > 1 and word in sides.WORDS} for line in sample
    ]
    words = [some for some in words if some]
    everywhere = frozenset.intersection(*map(frozenset, words)) if len(words) > 3 else frozenset()
    told = [{sides.WORDS[word] for word in some - everywhere} for some in words]
    both = {0} in told and {1} in told and all(len(some) == 1 for some in told)
    return frozenset(everywhere) if both else frozenset()


_COUNTED = re.compile(r"\s*(?:[A-Z] )?[\[#(]?(\d{1,18})[\s:.)\],;|]+\S")
"""A number at the start of a line, possibly after its level."""


def _look_closer(sample: Sequence[str], plan: Plan) -> None:
    """Find what only the lines together show: names of sides that look like bytes, offsets."""
    if len(sample) < 4:
        return
    letters = Counter(match[1].lower() for line in sample if (match := LETTER.search(line)))
    plan.lettered = len(letters) == 2 and letters.total() * 10 > 9 * len(sample)
    fronts = Counter(match[1].lower() for line in sample if (match := FRONT.search(line)))
    plan.fronted = frozenset(fronts) if len(fronts) == 2 and fronts.total() * 10 > 9 * len(sample) else frozenset()
    numbers = Counter(match[1] for line in sample if (match := _NUMBERED.search(line)))
    plan.numbered = len(numbers) == 2 and numbers.total() * 10 > 9 * len(sample) and not plan.counted
    plan.numbered = plan.numbered and set(numbers) <= {"0", "1", "2"}
    offsets = [match[0] for line in sample if (match := re.search(rf"(?<![\w.:]){OFFSET.pattern}", line))]
    # of two ports each may have its own offsets
    first = sum(re.match("(?:0[xX])?000", offset) is not None or len(offset) > 9 for offset in offsets)
    plan.offset = plan.base == 16 and len(offsets) > 3 and first * 2 > len(offsets)


def _is_head(line: Line, plan: Plan) -> bool:
    return not line.data and (line.stamp is not None or naming.side_of(line, plan) is not None)


def _marks(stamp: clock.Stamp | None, own: int | None) -> frozenset[str]:
    """Return what a line says of the bytes below it."""
    return frozenset(name for name, value in (("time", stamp), ("side", own)) if value is not None)


def _is_torn(line: Line, own: int | None, plan: Plan, bare: frozenset[str]) -> bool:
    """Return whether a line lacks its bytes: it was cut, or those below belong to another line."""
    if line.data:
        return False
    if plan.headed:
        # time and side may stand in a line each
        return bool(bare & _marks(line.stamp, own))
    if own is None:
        # only a time
        return plan.usual and line.stamp is not None and not line.names and not line.rest
    others = [name for name in line.names if name not in plan.named]
    return plan.usual and (line.stamp is not None or not plan.timed) and (not others or plausibility.has_bytes(line))


def _items(lines: Iterator[tuple[str, bool]], plan: Plan, left: Left) -> Iterator[Item]:
    watch = clock.Clock(plan.digits)
    side: int | None = None
    started = headed = False
    bare: frozenset[str] = frozenset()
    waiting: list[Chunk] = []
    before: int | None = None
    for number, (line, _ended) in enumerate(lines, 1):
        if not line.strip():
            continue
        line = unruled(line)
        comment = is_comment(line, plan.hashed) and not (plan.minus and SIGN.match(line))
        if comment or (plan.prompted and PROMPT.match(line)):
            if re.search(r"\w", line):
                left.add("left_comments", number)
            if started and omits(line):
                yield Lost(watch.at, tr("lost_omitted", line=number))
            continue
        sample = plan.moment.normal(line) if plan.moment else line
        sample = plan.said.normal(sample) if plan.said else sample
        sample = plan.front.normal(sample) if plan.front else sample
        if not sample:
            left.add("left_lines", number)
            yield Lost(watch.at, tr("lost_damaged", line=number))
            continue
        found = scan(sample, plan)
        own = naming.side_of(found, plan)
        if found.data and own is None and plan.usual and (found.stamp or found.names or found.rest):
            left.add("left_lines", number)
            if started:
                yield Lost(watch.at, tr("lost_damaged", line=number))
            continue
        if found.data and own is None and plan.headed and len(found.names) > _WORDS_MOST:
            # a program's own words
            left.add("left_lines", number)
            continue
        stamp = found.stamp or (None if started and found.gap is None else found.gap)
        if stamp is not None and found.data and started and watch.lacks_digits(stamp):
            # its time lacks a digit: it does not say when these came
            yield Lost(watch.at, tr("lost_damaged", line=number))
            stamp = replace(stamp, kind=clock.GAP, us=0)
        if stamp is not None and stamp.bare and plan.divisor > 1:
            stamp = replace(stamp, us=stamp.us // plan.divisor)
        if stamp is not None:
            watch.take(stamp)
        elif plan.millis and found.number is not None:
            watch.at = found.number * 1000 // plan.divisor
            stamp = clock.Stamp(clock.SPAN, watch.at, 0, 1000)
        elif found.data and plan.timed and not headed:
            left.add("left_untimed", number)
        if plan.hashed and (hashed := HASH.search(line)) is not None:
            found.number = int(hashed[1])
        if found.number is not None and not plan.millis:
            if before is not None and found.number != before + 1:
                yield Lost(watch.at, tr("lost_row", line=number))
            before = found.number
        if started and _is_torn(found, own, plan, bare):
            yield Lost(watch.at, tr("lost_damaged", line=number))
        bare = frozenset() if found.data else bare | _marks(stamp, own)
        if stamp is not None or (found.data and own is not None):
            # the lines below one without bytes have its time
            headed = not found.data
        side = own if own is not None else side
        if found.data:
            if found.rest or found.remark:
                left.add("left_text", number)
            if found.rest and ((sides.is_named(found.rest) and _OTHERS.search(found.rest)) or _NEXT.search(found.rest)):
                # the other side's bytes on the same line, in a form that is not understood
                yield Lost(watch.at, tr("lost_damaged", line=number))
            chunk = Chunk(watch.at, side or 0, found.data, found.faults if any(found.faults) else b"")
            if stamp is None and not started and plan.timed and not headed:
                # bytes before the first time get that time
                waiting.append(chunk)
            else:
                started = True
                yield from (replace(early, at=watch.at) for early in waiting)
                waiting.clear()
                yield chunk
            if found.torn or (found.rest and _MORE.search(line)):
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
            if started and omits(line):
                yield Lost(watch.at, tr("lost_omitted", line=number))
    yield from waiting
