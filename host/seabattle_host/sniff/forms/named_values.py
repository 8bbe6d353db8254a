"""Lines of names and values: `msg=serial dir=tx bytes=aa01 n=2`, points of databases, objects behind a time.

One of the values is the bytes, another may name the side or be the time. Which ones is learned from the lines
together: a length or a hash beside the bytes is not taken for them. Lines are rewritten as `TIME TX: AA 01`.
"""

from __future__ import annotations

import base64
import binascii
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from seabattle_host.sniff.forms import clock, evidence, fronts, markup, numerals, pairs, sides
from seabattle_host.sniff.forms.cells import bytes_of
from seabattle_host.sniff.forms.columns import UNIT, role_of
from seabattle_host.sniff.forms.interface import OMITTED
from seabattle_host.sniff.forms.value_pairs import STYLES, TEXT, Values, as_object, values_of

_LEAST = 4
_MOST = 400

_FROM = re.compile(
    r"(?i)(?:.*[._])?(?:dir|direction|d|side|role|who|from|src|source|sender|origin|port|channel|chan|ch|op|operation|io|rw|tty|uart|com|dev"
    r"|device|stream|f_port|топик|сторона|направление|порт|от)"
)
_TO = re.compile(r"(?i)(?:.*[._])?(?:to|dst|dest|destination|receiver|target|кому)")
_SAYS = re.compile(
    r"(?i)(?:.*[._])?(?:event|type|kind|msg|message|topic|method|action|call|func|function|tag|label|subject|path|name|logger)"
)
_COUNT = re.compile(r"(?i)(?:.*[._])?(?:n|len|length|size|count|num|nbytes|bytes|ret|cnt|total|длина|размер)")
# The bytes.

_BARE = re.compile(
    r"(?:[\w.]+(?:\(\d+\))?\s?|\[\]byte)?"
    r"(?:<<(?P<erlang>[^<>]*)>>|<(?:Buffer )?(?P<angle>[^<>]*)>|[\[({](?P<list>[^\[\]{}()]*)[\])}])"
)
_POINT = re.compile(r"(-?\d{1,3})[iu]")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{1,3})*")
_SPACED = re.compile(r"\s*-?\d{1,3}(?:[\s,;]+-?\d{1,3})*\s*")
_NIL = re.compile(r"(?i)|null|nil|none|-+")
_LETTERS, _URL, _DOTS = 1, 65, 66
_BASES = (16, 10, 8, 2, 64, _URL, _LETTERS, _DOTS)


def _bytes(value: str, base: int) -> bytes | None:
    """Return the bytes of a value in a notation; None if it is not in it."""
    text = value.strip()
    quoted = re.fullmatch(r"(b?)([\"'])(.*)\2", text, re.DOTALL)
    if quoted is not None:
        if base == _LETTERS:
            return numerals.unescape(quoted[3])
        text = quoted[3]
        if quoted[1]:
            return None
    if _NIL.fullmatch(text):
        return None
    bare = _BARE.fullmatch(text)
    if bare is not None:
        text = next(part for part in (bare["erlang"], bare["angle"], bare["list"]) if part is not None)
        text = text.replace("16#", "0x")
    if base == _LETTERS:
        return numerals.unescape(text) if "\\" in text or quoted is not None or len(text) == 1 else None
    if base == _DOTS:
        return (
            bytes(map(int, text.split(".")))
            if _DOTTED.fullmatch(text) and max(map(int, text.split("."))) < 256
            else None
        )
    if base in (64, _URL):
        return _of_base64(text, base == _URL)
    if base == 10:
        text = _POINT.sub(r"\1", text)
        if not _SPACED.fullmatch(text):
            return None
    return bytes_of(text, base)


def _of_base64(text: str, url: bool) -> bytes | None:
    if url:
        text = text.replace("-", "+").replace("_", "/")
        text += "=" * (-len(text) % 4)
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


@dataclass(frozen=True)
class _Payload:
    name: str
    base: int
    data: tuple[bytes | None, ...]


def _payloads(rows: Sequence[Values]) -> Iterator[tuple[tuple[bool, bool, bool, float, int], _Payload]]:
    """Yield the values that may be the bytes, each with how well it fits."""
    names = Counter(name for row in rows for name in row if name != TEXT)
    counts = {
        name: [
            int(row[name].strip("\"'iu")) if re.fullmatch(r"[\"']?\d{1,4}[iu]?[\"']?", row.get(name, "")) else -1
            for row in rows
        ]
        for name in names
        if _COUNT.fullmatch(name)
    }
    for name, often in names.items():
        if often * 10 < 6 * len(rows) or role_of(name) == "time":
            continue
        for base in _BASES:
            data = tuple(_bytes(row.get(name, ""), base) or None for row in rows)
            good = [part for part in data if part is not None]
            if len(good) * 20 < 19 * often:
                continue
            sizes = [-1 if part is None else len(part) for part in data]
            sized = any(
                sum(map(int.__eq__, sizes, numbers)) * 20 >= 19 * len(good)
                for other, numbers in counts.items()
                if other != name
            )
            found = evidence.weigh(b"".join(good))
            score = (found.is_varied, sized, role_of(name) == "data", found.share, found.size)
            yield score, _Payload(name, base, data)


# The sides.

_NUMBERS = re.compile(r"\d+")
_WITH_NUMBER = re.compile(r"\S*\d\S*")
_LABEL = re.compile(r"[\"'\s]+")


def _said(text: str) -> str:
    return _LABEL.sub(" ", text.strip("\"' ,;:|-")).strip().lower()


def _told(row: Values, name: str, bare: bool) -> str:
    if name == TEXT:
        return _said(_WITH_NUMBER.sub(" ", row.get(name, "")) if bare else row.get(name, ""))
    said = _said(row.get(name, ""))
    return _NUMBERS.sub("#", said) if bare else said


@dataclass(frozen=True)
class _Sides:
    """The name whose values tell the side. bare: without the numbers in them; names: whose they are."""

    name: str = TEXT
    bare: bool = False
    names: Mapping[str, int] = field(default_factory=dict)

    def of(self, row: Values) -> int | None:
        return self.names.get(_told(row, self.name, self.bare))


def _sides(rows: Sequence[Values], data: Sequence[bytes | None], payload: str) -> _Sides:
    """Return which values tell the sides; nothing if none do."""
    names = [name for name in dict.fromkeys(itertools.chain.from_iterable(rows)) if name != payload]
    ranked = sorted(names, key=lambda name: _rank(name))
    for name, bare in itertools.product(ranked, (False, True)):
        told = [_told(row, name, bare) for row, part in zip(rows, data, strict=True) if part is not None]
        counts = Counter(told)
        counts.pop("", None)
        both = sorted(word for word, _count in counts.most_common(2))
        if (
            len(both) != 2
            or sum(counts[word] for word in both) * 10 < 9 * len(told)
            or min(counts.values()) * 20 < len(told)
        ):
            continue
        ones = [
            evidence.weigh(
                b"".join(part or b"" for row, part in zip(rows, data, strict=True) if _told(row, name, bare) == word)
            )
            for word in both
        ]
        apart = evidence.are_sides(*ones)
        known = sides.known_of_two(both)
        if not apart and not (set(known.values()) == {0, 1} and _rank(name) < _rank(TEXT)):
            continue
        own = known if len(known) == 2 else sides.of_two(both)
        if _TO.fullmatch(name) and len(known) == 2:
            own = {word: 1 - side for word, side in own.items()}
        return _Sides(name, bare, own)
    return _Sides()


def _rank(name: str) -> int:
    """Return in which order names are asked for the side."""
    return next((n for n, known in enumerate((_FROM, _TO, _SAYS)) if known.fullmatch(name)), 4 if name else 3)


# The lines.


@dataclass(frozen=True)
class NamedValues:
    """Which values of the lines of a file are what. names: whose are whose, if they do not say it themselves."""

    style: int
    payload: str
    base: int
    sided: _Sides
    time: str
    kind: str
    count: str
    full: bool

    @property
    def names(self) -> Mapping[str, int]:
        return self.sided.names

    def __call__(self, line: str) -> str:
        row = values_of(line, self.style)
        if not row or not (self.full or row.keys() & {self.payload, self.sided.name or self.payload}):
            return f"// {line}" if line.strip() else line
        data = _bytes(row.get(self.payload, ""), self.base)
        side = self.sided.of(row)
        if not data or (self.names and side is None) or (self.count and _number(row.get(self.count, "")) != len(data)):
            return OMITTED
        return f"{self._time(row)} {'' if side is None else ('TX: ', 'RX: ')[side]}{data.hex(' ').upper()}".strip()

    def _time(self, row: Values) -> str:
        if not self.time:
            return fronts.timed(row.get(TEXT, ""), self.kind)[0]
        text = row.get(self.time, "").strip("\"' ")
        unit = UNIT.search(self.time)
        if unit is not None and re.fullmatch(r"\d+(?:\.\d+)?", text):
            return f"{text} {(unit[1] or unit[2]).lower()}"
        return text


def _number(text: str) -> int:
    bare = text.strip("\"'iu")
    return int(bare) if bare.isdecimal() and len(bare) < 6 else -1


def learn(lines: Sequence[str], objects: bool = False) -> NamedValues | None:
    """Return which values of the lines of a file are what; None if they have no bytes of the protocol among such.

    objects: lines that are objects in JSON are meant, else others.
    """
    sample = [line for line in lines[:_MOST] if line.strip()]
    if len(sample) < _LEAST or isinstance(as_object(sample[0].strip().rstrip(",")), dict) != objects:
        return None
    if markup.is_markup("\n".join(sample)):
        return None
    for style in range(1 if objects else len(STYLES)):
        if not objects and sum(
            line.count("=>" if style == 1 else "=:"[style > 1]) > 0 for line in sample
        ) * 10 < 8 * len(sample):
            continue
        rows = [row for line in sample if len(row := values_of(line, style)) > 2]
        if len(rows) * 10 < 6 * len(sample) or len(rows) < _LEAST:
            continue
        if (found := _learn(rows, style, len(sample))) is not None:
            return found
    return None


def _learn(rows: Sequence[Values], style: int, count: int) -> NamedValues | None:
    best = max(_payloads(rows), key=lambda one: one[0], default=None)
    if best is None or any(
        _is_of_a_side(rows, name, best[1].base) for name in set(itertools.chain.from_iterable(rows))
    ):
        return None
    payload = best[1]
    rows = [row for row, data in zip(rows, payload.data, strict=True) if data is not None]
    payload = replace(payload, data=tuple(data for data in payload.data if data is not None))
    sided = _sides(rows, payload.data, payload.name)
    split: dict[int | None, bytearray] = {None: bytearray(), 0: bytearray(), 1: bytearray()}
    for row, data in zip(rows, payload.data, strict=True):
        split[sided.of(row)] += data or b""
    shares = [evidence.weigh(bytes(some)) for some in split.values() if some]
    covered = sum(share.covered for share in shares) / max(1, sum(share.size for share in shares))
    apart = bool(sided.names) and evidence.are_sides(*(evidence.weigh(bytes(split[side])) for side in (0, 1)))
    whole = evidence.weigh(b"".join(data or b"" for data in payload.data))
    if not (max(covered, whole.share) >= evidence.enough() and whole.is_varied) and not (
        apart and covered >= evidence.MOSTLY
    ):
        return None
    time = next(
        (
            name
            for name in dict.fromkeys(itertools.chain.from_iterable(rows))
            if name and name != payload.name and _is_time(rows, name)
        ),
        "",
    )
    sizes = [len(data or b"") for data in payload.data]
    sized = (name for name in rows[0] if _COUNT.fullmatch(name) and name != payload.name)
    number = next(
        (
            name
            for name in sized
            if sum(_number(row.get(name, "")) == size for row, size in zip(rows, sizes, strict=True)) * 20
            >= 19 * len(rows)
        ),
        "",
    )
    full = len(payload.data) * 20 >= 19 * count
    kind = "" if time else fronts.kind_of([row.get(TEXT, "") for row in rows])
    return NamedValues(style, payload.name, payload.base, sided, time, kind, number, full)


def _is_of_a_side(rows: Sequence[Values], name: str, base: int) -> bool:
    """Return whether values of this name are the bytes of one side, or those of a reply."""
    if len(name) < _SHORT or (sides.of_name(name) is None and not pairs.MAY_REPLY.search(name)):
        return False
    values = [value for row in rows if (value := row.get(name, "").strip("\"' "))]
    return sum(bool(_bytes(value, base)) for value in values) * 20 >= 19 * len(values) > 0


_SHORT = 2


def _is_time(rows: Sequence[Values], name: str) -> bool:
    values = [row[name].strip("\"' ") for row in rows if name in row]
    if len(values) * 10 < 9 * len(rows):
        return False
    if role_of(name.rpartition(".")[2]) == "time":
        return all(re.search(r"\d", value) for value in values)
    # a date under another name
    stamps = [clock.match(value) for value in values]
    return all(
        stamp is not None and stamp.kind == clock.DATE and stamp.end == len(value)
        for stamp, value in zip(stamps, values, strict=True)
    )
