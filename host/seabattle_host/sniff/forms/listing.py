"""Lines with a time, a side and bytes, in any order and dress: terminals, monitors and what people paste from them.

A line is read from its left: times, names and arrows, words that say nothing of the line, then bytes up to the first
thing that is none. A line without bytes gives time and side to those below it (socat, jpnevulator).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Fault, Header, Item, Lost
from seabattle_host.sniff.forms import clock, dumps, evidence, numerals, sides
from seabattle_host.sniff.forms.kinds import Guess, Left
from seabattle_host.sniff.forms.source import Source

_SPACE = re.compile(r"[\s,;:|\[\](){}#\"'`*=.]+")
_COMMENT = re.compile(r"\s*(?:#|//|;|--(?!>)|==(?!>)|\*\*|- )")
_DECOR = re.compile(r"[-–—]+(?=\s|$)|[-–—](?=[\[(])")
_PAIR = re.compile(
    r"(?!(?i:data|hex|bytes|payload|raw|msg)\s?=)\w+\s?=\s?[\w./-]+|(?i:len(?:gth)?|size|count|bytes|n)\s*[:=]?\s*\d+\s*[:,)]?|\(?\d+\s*(?:bytes?|байт\w*)\)?(?!\w)"
)
_NAME = re.compile(r"/dev/[\w./-]+|[A-Za-zА-Яа-яЁё_][\wА-Яа-яЁё./-]*")
_INTEGER = re.compile(r"\d+(?=[\s:.)\],;|]|$)")
_STRING = re.compile(r"(?:\b[bB])?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_TOKEN = re.compile(
    r"(?P<mark>0[xX]|\\[xX]|\$|&[hH]|(?:8|16)'[hH]|16#)?(?P<digits>[0-9A-Fa-f]+)(?P<h>[hH])?(?P<fault>[pfob]{1,4})?(?![0-9A-Za-zА-Яа-я_])"
)
_NUMBER = re.compile(r"(?P<digits>\d{1,3})(?![\w])")
_BETWEEN = re.compile(r"[ \xa0\t,;|:{}\[\]()<>\"'+#%-]*")
_COMMENT_INSIDE = re.compile(r"\s#(?![0-9A-Fa-f]{2}\b)|\s;\s|//|/\*")
_JOINED = re.compile(
    r"(?<![\w.])(?=[\d_.]*[A-Fa-f])[0-9A-Fa-f]{2}(?:([_.])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2})*(?![\w.])"
)
"""Bytes joined by points or low lines; the first frames of the protocol all have a letter in them."""

_LETTER = re.compile(r"\s([ABab])(?:\s*(?:[-=]*>|→)\s*[ABab])?\s*:?\s*$")
_NUMBERED = re.compile(
    r"(?:(?:^|\s)[\[(#]?|\b(?i:port|ch|channel|uart|line|node|player|side|dev|com)[\s#_])([0-2])(?=\s*[:\])>|]\s|\s)"
)
_NUMBER_AT = re.compile(r"([0-2])(?=\s*[:\])>|]|\s)")
_OFFSET = re.compile(r"[0-9A-Fa-f]{4,8}:?(?=\s+[0-9A-Fa-f]{2}(?:\s|$))")
_COUNT = re.compile(r"\d+\s*[:.)\]|]\s+")
_FAULT_LETTERS = {"p": Fault.PARITY, "f": Fault.FRAMING, "o": Fault.OVERRUN, "b": Fault.BREAK}


@dataclass
class Line:
    """What was found in a line. names: words that say nothing by themselves, but may when a file has two of them."""

    stamp: clock.Stamp | None = None
    gap: clock.Stamp | None = None
    said: sides.Said = field(default_factory=sides.Said.nothing)
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    """All words in front of the bytes, those that name a side included."""
    number: int | None = None
    data: bytes = b""
    faults: bytes = b""
    rest: str = ""
    more: list[tuple[int | None, bytes]] = field(default_factory=list)
    """Further bytes of the same line, behind another side: `m[A2]=>s[2A]`."""


@dataclass
class _Plan:
    base: int = 16
    counted: bool = False
    """A number at the begin of each line counts lines or milliseconds."""
    millis: bool = False
    unsided: bool = False
    """Its arrows are the monitor's own and tell no side."""
    named: dict[str, int] = field(default_factory=dict)
    timed: bool = False
    tails: dict[str, int] = field(default_factory=dict)
    """Names of the sides behind the bytes."""
    numbered: bool = False
    """The sides are called 0 and 1, or 1 and 2."""
    lettered: bool = False
    """An A or B behind the bytes is the side."""
    sized: bool = False
    """The number of bytes stands before them."""
    offset: bool = False
    """An offset stands before the bytes."""
    usual: bool = False
    """Nearly every line with bytes says whose they are: one that does not is no such line."""


def scan(line: str, plan: _Plan) -> Line:
    """Read one line."""
    found = Line()
    comment = _COMMENT_INSIDE.search(line)
    text = line[: comment.start()] if comment and comment.start() else line
    text = _JOINED.sub(lambda run: re.sub("[_.]", " ", run[0]), text)
    if plan.lettered and (letter := _LETTER.search(text)) is not None:
        found.said.word("ab".index(letter[1].lower()))
        text = text[: letter.start()]
    place = _lead(text, 0, found, plan)
    place = _payload(text, place, found, plan)
    while place < len(text):
        # the same line may go on with the other side
        more = Line()
        after = _lead(text, place, more, plan, further=True)
        if more.said.side is None or not found.data:
            break
        end = _payload(text, after, more, plan)
        if not more.data:
            if found.said.side is None:
                found.said = more.said
            break
        found.more.append((more.said.side, more.data))
        place = end
    found.rest = text[place:].strip(" \t,;|[](){}")
    return found


def _lead(text: str, place: int, found: Line, plan: _Plan, further: bool = False) -> int:
    """Everything before the bytes."""
    first = True
    while place < len(text):
        space = _SPACE.match(text, place)
        if space is not None:
            place = space.end()
            continue
        stamp = None if further else clock.match(text, place)
        if stamp is not None and not (plan.base == 10 and found.said.side is not None):
            if stamp.kind == clock.GAP:
                found.gap = found.gap or stamp
            else:
                found.stamp = found.stamp or stamp
            place = stamp.end
            first = False
            continue
        if first and plan.counted and not further:
            integer = _INTEGER.match(text, place)
            if integer is not None:
                found.number = int(integer[0])
                place = integer.end()
                first = False
                continue
        if first and not further and (count := _COUNT.match(text, place)) and clock.match(text, count.end()):
            place = count.end()
            continue
        first = False
        number = _NUMBER_AT.match(text, place) if plan.numbered and not further and len(found.labels) < 2 else None
        if number is not None:
            found.labels.insert(0, number[1])
            place = number.end()
            continue
        if plan.offset and (offset := _OFFSET.match(text, place)) is not None:
            place = offset.end()
            continue
        arrow = sides.ARROW.match(text, place)
        if arrow is not None:
            found.said.arrow(sides.ARROWS[arrow[0]])
            place = arrow.end()
            continue
        decor = _DECOR.match(text, place)
        if decor is not None:
            place = decor.end()
            continue
        pair = _PAIR.match(text, place)
        if pair is not None and not _label_like(pair[0]):
            place = pair.end()
            continue
        word = sides.WORD.match(text, place)
        if word is not None and _is_label(text, word, plan):
            found.said.word(sides.WORDS[word[0].lower()])
            found.labels.append(word[0].lower())
            place = word.end()
            continue
        if _STRING.match(text, place) or _byte(text, place, plan):
            break
        name = _NAME.match(text, place)
        if name is None:
            break
        found.names.append(name[0].lower())
        found.labels.append(name[0].lower())
        place = name.end()
    return place


def _label_like(text: str) -> bool:
    return text.split("=")[0].strip().lower() in sides.WORDS


def _is_label(text: str, word: re.Match[str], plan: _Plan) -> bool:
    """Whether a word names a side here: `A` and `B` are bytes too."""
    name = word[0].lower()
    if name not in sides.WORDS:
        return False
    behind = text[word.end() :]
    if re.match(r"[\wА-Яа-я]|['\"]", behind):
        return False
    if name in ("a", "b"):
        # bytes follow a label, and a byte written with one digit is no label
        return bool(re.match(r"\s*[:>)\]|-]|\s*=>|\s*<|\s*[→⇒←⇐]", behind)) or bool(
            _byte(text, _skip(text, word.end()), plan)
        )
    return True


def _skip(text: str, place: int) -> int:
    between = _BETWEEN.match(text, place)
    return between.end() if between else place


def _byte(text: str, place: int, plan: _Plan) -> re.Match[str] | None:
    if plan.base == 10:
        match = _NUMBER.match(text, place)
        return match if match and int(match["digits"]) < 256 else None
    match = _TOKEN.match(text, place)
    if match is None:
        return None
    digits = match["digits"]
    if match["fault"] and len(digits) != 2:
        return None
    if len(digits) % 2 and len(digits) != 1:
        return None
    if re.match(r":\s|\]\s*:", text[match.end() :]) and len(digits) > 2:
        return None
    return match


def _payload(text: str, place: int, found: Line, plan: _Plan) -> int:
    values, faults = bytearray(), bytearray()
    dress: tuple[bool, bool] | None = None
    end = place
    string = _STRING.match(text, place)
    if string is None and place and text[place - 1] in "\"'":
        string = _STRING.match(text, place - 1) or (_STRING.match(text, place - 2) if place > 1 else None)
    if string is not None:
        inside = string[1][1:-1]
        data = numerals.unescape(inside) if "\\" in inside or string[0][0] in "bB" else numerals.hex_words(inside)
        if data is not None:
            found.data, found.faults = data, bytes(len(data))
            return string.end()
    while place < len(text):
        gap = _BETWEEN.match(text, place)
        between = gap[0] if gap else ""
        begin = place + len(between)
        match = _byte(text, begin, plan)
        if match is None:
            break
        wide = "  " in between or "\t" in between
        if (
            values
            and wide
            and (numerals.shown_beside(bytes(values), text[begin:]) or not _all_bytes(text[begin:], plan))
        ):
            break
        if values and ("<" in between or ">" in between) and "><" not in between and "> <" not in between:
            break
        if plan.base == 10:
            values.append(int(match["digits"]))
            faults.append(0)
        else:
            this = (bool(match["mark"]), bool(match["h"]))
            if dress is not None and this != dress:
                break
            dress = this
            digits = match["digits"]
            data = bytes.fromhex(digits if len(digits) % 2 == 0 else "0" + digits)
            values += data
            fault = sum(_FAULT_LETTERS[letter] for letter in set(match["fault"] or ""))
            faults += bytes(len(data) - 1) + bytes((fault,))
        place = end = match.end()
    if plan.sized:
        del values[:1], faults[:1]
    found.data, found.faults = bytes(values), bytes(faults)
    return end


def _all_bytes(text: str, plan: _Plan) -> bool:
    """Whether what follows a wide gap, up to a bar, is bytes only: the gap in the middle of a row."""
    row = re.split(r"[|>]", text)[0]
    words = row.split()
    return len(words) > 0 and all(len(word) == 2 and _byte(word, 0, plan) for word in words)


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
        said = [line for line in source.head[:2000] if line.strip() and not _COMMENT.match(line)]
        best: tuple[float, float, float, _Plan, list[Line]] | None = None
        for base in (16, 10):
            plan = _plan(said, base)
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


def _plan(said: Sequence[str], base: int) -> _Plan:
    plan = _Plan(base)
    numbers = [int(match[1]) for line in said if (match := re.match(r"\s*[\[#(]?(\d+)[\s:.)\],;|]+\S", line))]
    times = sum(clock.match(line.lstrip(" [("), 0) is not None for line in said[:50])
    rising = all(a <= b for a, b in itertools.pairwise(numbers))
    if len(numbers) >= max(2, 0.9 * len(said)) and rising and not times:
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
    return plan


def _size(data: bytes) -> bool:
    """Whether the first byte, read as a decimal number, is how many follow."""
    digits = f"{data[0]:x}"
    return digits.isdigit() and int(digits) == len(data) - 1


def _look_closer(said: Sequence[str], plan: _Plan) -> None:
    """What only the lines together tell: names of the sides that look like bytes, offsets."""
    if len(said) < 4:
        return
    letters = Counter(match[1].lower() for line in said if (match := _LETTER.search(line)))
    plan.lettered = len(letters) == 2 and letters.total() * 10 > 9 * len(said)
    numbers = Counter(match[1] for line in said if (match := _NUMBERED.search(line)))
    plan.numbered = len(numbers) == 2 and numbers.total() * 10 > 9 * len(said) and not plan.counted
    offsets = [match[0] for line in said if (match := re.search(rf"(?<![\w.:]){_OFFSET.pattern}", line))]
    first = sum(int(offset.rstrip(":"), 16) == 0 for offset in offsets)
    plan.offset = plan.base == 16 and len(offsets) > 3 and first * 2 > len(offsets)


def _two_labels(lines: Sequence[Line], plan: _Plan) -> dict[str, int]:
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


def _side(line: Line, plan: _Plan) -> int | None:
    if plan.named:
        return next((plan.named[name] for name in line.labels if name in plan.named), None)
    if plan.tails:
        return plan.tails.get(line.rest.lower())
    if plan.unsided and not line.said.words:
        return None
    return line.said.side


def _items(lines: Iterator[tuple[str, bool]], plan: _Plan, left: Left) -> Iterator[Item]:
    watch = clock.Clock()
    side: int | None = None
    started = headed = False
    waiting: list[Chunk] = []
    for number, (line, _ended) in enumerate(lines, 1):
        if not line.strip():
            continue
        if _COMMENT.match(line):
            if re.search(r"\w", line):
                left.add("left_comments", number)
            continue
        found = scan(line, plan)
        own = _side(found, plan)
        if found.data and own is None and plan.usual and found.stamp is None and (found.names or found.rest):
            left.add("left_lines", number)
            continue
        stamp = found.stamp or (None if started and found.gap is None else found.gap)
        if stamp is not None:
            watch.take(stamp)
        elif plan.millis and found.number is not None:
            watch.at = found.number * 1000
            stamp = clock.Stamp(clock.SPAN, watch.at, 0, 1000)
        elif found.data and plan.timed and not headed:
            left.add("left_untimed", number)
        if stamp is not None or (found.data and own is not None):
            # what stands below a line without bytes has its time
            headed = not found.data
        side = own if own is not None else side
        if found.data:
            if found.rest:
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
