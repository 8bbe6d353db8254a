"""Lines of which the end is bytes and the front is whatever a program prints: read from the right, by comparison.

A time is taken from wherever it stands. What has just two values in front of the bytes, and parts these into the two
roles, is the side, whatever it is called. Lines are rewritten as `TIME TX: AA 01`, which their reader understands.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from seabattle import wire
from seabattle_host.sniff.forms import clock, evidence, numerals, sides
from seabattle_host.sniff.forms.lines import AROUND, COMMENT_INSIDE, payload
from seabattle_host.sniff.forms.listed import Line, Plan

_BORDER = r"(?:^|(?<=[\s:;,|=(\[{<>\]/#%+'\"-]))"
_BEGIN = re.compile(_BORDER + r"(?=[0-9A-Fa-f$\\&'\"hHxX])")
_BEGIN_SIGNED = re.compile(r"(?:^|(?<=[\s:;,|=(\[{<>\]/]))(?=-?\d)")
_BEGIN_TIME = re.compile(_BORDER + r"(?=\w)")
"""Where a byte, or a time, may begin."""

_WORD = re.compile(r"[^\W\d_]+\d*|\d+|[^\w\s]+")
_NUMBER = re.compile(r"0[xX][0-9A-Fa-f]+|(?<![^\W\d_])\d+(?![^\W\d_])")
_NUMBER_OF = re.compile(r"\(\d+\)\s*\S")
_WORDS = 8
"""Words of a line looked at."""

_LEAST = 4
"""Lines from which something can be learned."""

_MOST = 400
_ENOUGH, _UNLIKELY = 64, 0.3
"""A way to read lines is given up if, of the bytes of so many, a smaller share than this is of the protocol."""


_EDGES = 8
"""What stands in front of bytes is among so many that stand in front of something in most lines."""


@dataclass(frozen=True)
class Way:
    """How bytes may be written. edge: what stands directly in front of them; sized: the first is their number."""

    base: int
    signed: bool = False
    texts: bool = False
    edge: str = ""
    sized: bool = False
    letters: str = ""
    """Letters as they are, other bytes as numbers in this notation."""
    word: int = -1
    """The bytes are this word of a line, in base64."""


@dataclass(frozen=True)
class Front:
    """What the lines of a file have in common.

    kind: of their times. names: whose a line is by the word at a place of its front, counted from the left, or from the
    right if it is negative; None: by the whole front.
    """

    way: Way
    kind: str
    names: Mapping[str, int] = field(default_factory=dict)
    place: int | None = None
    shapes: frozenset[str] = frozenset()

    def normal(self, line: str) -> str:
        """A line as its reader knows them, without bytes if it has none; empty if it is damaged."""
        time, text = timed(line, self.kind)
        front, data = _cut(text, self.way) or (text, b"")
        side = self.names.get(named(front, self.place))
        shape = _shape(front)
        label = "" if side is None else ("TX: ", "RX: ")[side]
        if not data and not any(known.startswith(shape) or shape.startswith(known) for known in self.shapes):
            return "?"
        if data and (shape not in self.shapes or (self.names and not label)):
            # part of what stands in front may have been bytes
            return ""
        return f"{time} {label}{data.hex(' ')}".strip()


def learn(sample: Sequence[str]) -> Front | None:
    """What the lines have in common, None if they are no lines of the protocol."""
    sample = [line for line in sample[:_MOST] if line.strip()]
    if len(sample) < _LEAST:
        return None
    kind = kind_of(sample)
    texts = [timed(line, kind)[1] for line in sample]
    found = [known for way in _ways(texts) if (known := _by(texts, way, kind)) is not None]
    return max(found, key=lambda known: known[0])[1] if found else None  # the first of those that tell as much


def _ways(texts: Sequence[str]) -> Iterator[Way]:
    ways = [Way(base) for base in numerals.BASES]
    if any(re.search(r"(?<![\w.-])-\d{1,3}\b", text) for text in texts):
        ways.append(Way(numerals.DECIMAL, signed=True))
    if any(mark in text for text in texts for mark in "\"'"):
        ways.append(Way(numerals.HEX, texts=True))
    yield Way(numerals.BASE64)
    for word in range(_WORDS):
        if sum(numerals.base64_word(text, word) is not None for text in texts) * 10 >= 9 * len(texts):
            yield Way(numerals.BASE64, word=word)
    yield from _letter_ways(texts)
    texts = [numerals.apart(text) for text in texts]
    edges = Counter(
        edge
        for text in texts
        for edge in {_edge(text, begin.start()) for how in (_BEGIN, _BEGIN_SIGNED) for begin in how.finditer(text)}
    )
    usual = [edge for edge, count in edges.most_common(_EDGES) if count * 10 >= 7 * len(texts)]
    for way, edge, sized in itertools.product(ways, usual, (False, True)):
        yield replace(way, edge=edge, sized=sized)


def has_letters(texts: Sequence[str]) -> bool:
    """Whether bytes may stand among letters as they are: `<C0>*<0A>`."""
    return any(
        sum(pattern.search(text) is not None for text in texts) * 2 >= len(texts) > 0
        for pattern, _base in numerals.LETTERS.values()
    )


def _letter_ways(texts: Sequence[str]) -> Iterator[Way]:
    for notation, (pattern, _base) in numerals.LETTERS.items():
        some = [begin.start() for text in texts if (begin := pattern.search(text)) is not None]
        if len(some) * 2 >= len(texts):
            edges = Counter(_edge(text, begin.start()) for text in texts if (begin := pattern.search(text)) is not None)
            for edge, _count in edges.most_common(2):
                yield Way(numerals.HEX, edge=edge, letters=notation)


def _by(texts: Sequence[str], way: Way, kind: str) -> tuple[tuple[bool, float, float, float], Front] | None:
    """How well lines without their times can be read in some way, and what they have in common."""
    cuts: list[tuple[str, bytes]] = []
    for n, text in enumerate(texts, 1):
        if (cut := _cut(text, way)) is not None:
            cuts.append(cut)
        if (n - len(cuts)) * 10 > 3 * len(texts):
            return None
        if n == _ENOUGH and evidence.weigh(b"".join(data for _front, data in cuts)).share < _UNLIKELY:
            return None
    if len(cuts) < _LEAST:
        return None
    names, place = sides_of(cuts)
    split: dict[int | None, bytearray] = {None: bytearray(), 0: bytearray(), 1: bytearray()}
    for front, data in cuts:
        split[names.get(named(front, place))] += data
    share = max(evidence.weigh(b"".join(some)).share for some in (split.values(), (data for _front, data in cuts)))
    if share < evidence.enough():
        return None
    counts = Counter(_shape(front) for front, _data in cuts)
    shapes = frozenset(front for front, count in counts.items() if count > 1 or len(cuts) < 2 * _LEAST)
    read = round(len(cuts) / len(texts), 2)
    steady = round(sum(count for _front, count in counts.most_common(2)) / len(cuts), 1)
    return (len(set(names.values())) == 2, read, steady, share), Front(way, kind, names, place, shapes)


def kind_of(sample: Sequence[str]) -> str:
    """Of which kind the times of lines are; empty if they have none."""
    kinds = Counter(kind for line in sample for kind in {stamp.kind for _begin, stamp in _stamps(line)})
    return next((kind for kind in (clock.DATE, clock.DAY, clock.SPAN) if kinds[kind] * 10 >= 9 * len(sample)), "")


def _stamps(line: str) -> Iterator[tuple[int, clock.Stamp]]:
    place = 0
    for begin in _BEGIN_TIME.finditer(line):
        if begin.start() >= place and (stamp := clock.match(line, begin.start())) is not None:
            place = stamp.end
            yield begin.start(), stamp


def timed(line: str, kind: str) -> tuple[str, str]:
    """The time of a line, and the line without it."""
    for begin, stamp in _stamps(line) if kind else ():
        if stamp.kind == kind:
            return line[begin : stamp.end], f"{line[:begin]} {line[stamp.end :]}"
    return "", line


def _cut(text: str, way: Way) -> tuple[str, bytes] | None:
    """What stands in front of the bytes of a line, and these; None if none reach to its end."""
    if way.letters:
        return _letters(text, way)
    if way.word >= 0:
        found = numerals.base64_word(text, way.word)
        return None if found is None else (text[: found[0]], found[1])
    if way.base == numerals.BASE64:
        tail = numerals.base64_tail(text)
        return None if tail is None else (text[: tail[0]], tail[1])
    whole = numerals.apart(text)
    bare = COMMENT_INSIDE.split(whole, maxsplit=1)[0]
    return _cut_at(whole, way) or (_cut_at(bare, way) if bare != whole else None)


_BEGIN_LETTERS = re.compile(r"(?:^|(?<=[\s:>|=]))(?=\S)")


def _letters(text: str, way: Way) -> tuple[str, bytes] | None:
    """What stands in front of bytes that are letters as far as they can be, and these."""
    number = numerals.LETTERS[way.letters][0].search(text)
    begins = [begin.start() for begin in _BEGIN_LETTERS.finditer(text) if _edge(text, begin.start()) == way.edge]
    if not way.edge.strip():
        # spaces part all words: the bytes are the one with a number in it, or the last
        begins = [begin for begin in begins if number is None or begin <= number.start()][-1:]
    if not begins:
        return None
    data = numerals.of_letters(text[begins[0] :], way.letters)
    return (text[: begins[0]], data) if data else None


def _cut_at(text: str, way: Way) -> tuple[str, bytes] | None:
    plan = Plan(base=way.base, signed=way.signed, texts=way.texts)
    for begin in (_BEGIN_SIGNED if way.signed else _BEGIN).finditer(text):
        if _edge(text, begin.start()) != way.edge or _NUMBER_OF.match(text, begin.start() - 1):
            continue
        line = Line()
        end = payload(text, begin.start(), line, plan)
        if line.data and not line.torn and not text[end:].strip(AROUND + "#"):
            if way.sized and not is_size(line.data, way.base):
                return None
            return text[: begin.start()], line.data[way.sized :]
    return None


_EDGE = re.compile(r"[^\w\s]?\s*$")
_SIGNS = re.compile(r"[-+=<>→←⇒⇐↑↓]")
"""They may tell the side, and so are another on each."""


def _edge(text: str, place: int) -> str:
    """What stands directly in front of a place, and whether a string begins there."""
    found = _EDGE.search(text, max(0, place - 8), place)
    before = re.sub(" +", " ", _SIGNS.sub("-", found[0])) if found else ""
    return before + text[place : place + 1] * (text[place : place + 1] in ("'", '"'))


def is_size(data: bytes, base: int) -> bool:
    """Whether the first byte, read as a decimal number, is how many follow."""
    digits = f"{data[0]:x}" if base == numerals.HEX else str(data[0])
    return len(data) > 1 and digits.isdigit() and int(digits) == len(data) - 1


def _shape(front: str) -> str:
    """A front without its numbers, which may be another in each line."""
    return " ".join(_NUMBER.sub("0", front).split()).lower()


_OPCODE = re.compile(r"(?:(?<!\w)|(?<!\w)0?x)([0-9a-f]{2})$")


def _is_opcode(word: str) -> bool:
    """Return whether a word is, or ends with, the first byte of a frame, in hex or decimal."""
    found = _OPCODE.search(word)
    number = int(found[1], 16) if found is not None else int(word) if word.isdecimal() and len(word) == 3 else 256
    return number < 256 and bool(wire.exchange(number))


def _are_lengths(words: Sequence[str], sample: Sequence[bytes]) -> bool:
    """Return whether words are the numbers of bytes behind them, of which the first may stand in the front, too."""
    if len(set(words)) < 2 or not all(word.isdecimal() and len(word) < _LONG for word in words):
        return False
    more = Counter(int(word) - len(data) for word, data in zip(words, sample, strict=True))
    return more.most_common(1)[0][1] * 20 >= 19 * len(words)


_LONG = 4


def _kind(word: str) -> str:
    """Return whether a word has letters, digits or signs; empty if there is none."""
    return "" if not word else "letters" if word[0].isalpha() else "digits" if word[0].isdigit() else "signs"


def named(front: str, place: int | None) -> str:
    """The word at a place of a front, empty if it is shorter."""
    if place is None:
        return _shape(front)
    words = _WORD.findall(front.lower())
    return words[place] if -len(words) <= place < len(words) else ""


def sides_of(cuts: Sequence[tuple[str, bytes]]) -> tuple[dict[str, int], int | None]:
    """Whose the lines are, by what, and at which place of their fronts that stands; nothing if none parts the roles."""
    found: list[tuple[list[str], int | None]] = []
    for place in (*range(-1, -7, -1), *range(6), None):
        words = [named(front, place) for front, _data in cuts]
        both = [word for word, count in Counter(words).most_common(2) if count > 1]
        if all(map(_is_opcode, both)) or _are_lengths(words, [data for _front, data in cuts]):
            # a frame in front of its answer; how many bytes follow
            continue
        if len({_kind(word) for word in both}) > 1:
            # what stands at this place is not the same in all lines
            continue
        if len(both) == 2 and sum(word in both for word in words) * 10 >= 9 * len(words):
            found += [(both, place)] * are_roles([data for _front, data in cuts], words, both)
    fronts = [_shape(front) for front, _data in cuts]
    pointing = [bool(_ARROWS.search(front)) for front in fronts]
    if all(pointing) and (
        ends := [(both, place) for both, place in found if place is not None and both[0][:1].isalnum()]
    ):
        # the sender is where the arrow begins
        both, place = min(ends, key=lambda end: end[1] if end[1] >= 0 else len(_WORD.findall(fronts[0])) + end[1])
        left = all(_LEFTWARD.search(front) for front in fronts)
        return {name: side ^ left for name, side in sides.of_two(both).items()}, place
    for both, place in found:
        if names := sides.known_of_two(both):
            return names, place
    return next(((sides.of_two(both), place) for both, place in found), ({}, None))


_ARROWS = re.compile(r"\w\s*(?:[-=]*>|<[-=]*|[→←⇒⇐]|[ _-]to[ _-])\s*\w")
_LEFTWARD = re.compile(r"<[-=]|[←⇐]|\w\s+<\s+\w")


def are_roles(sample: Sequence[bytes], words: Sequence[str], both: Sequence[str]) -> bool:
    """Whether the bytes of the lines with each of two words are of one role."""
    first, second = (
        evidence.weigh(b"".join(data for data, word in zip(sample, words, strict=True) if word == one)) for one in both
    )
    rare = (first.master + second.master + first.slave + second.slave) // 20
    return min(first.share, second.share) >= evidence.MOSTLY and min(
        first.slave + second.master, first.master + second.slave
    ) <= rare < max(first.slave + second.master, first.master + second.slave)
