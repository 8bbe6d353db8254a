"""Hex dumps and similar: offsets, bytes in some unit, text column (xxd, hexdump, od, editors).

The unit (bytes or words, base, byte order) is the one that fits the offsets; if several do, the one that gives frames
of the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import bare_bytes, evidence, numerals, sides
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.source import Source

_OFFSET = re.compile(
    r"\s*[│┃|]?\s*[\[(<]?(?:[0-9A-Fa-f]{4}:(?=[0-9A-Fa-f]{4}\s))?(?:0x|[0-9a-f]{8}`)?([0-9A-Fa-f]{4,16})h?(?:[\])>]|\s+<[^>]*>)?"
    r"(?:\s*[:|>│┃]|-(?=\s)|\s|$)"
)
_AGAIN = re.compile(r" {7,}\S{1,3}(?: +\S{1,3})*\s*$")
"""The same bytes again below a row, as od shows them in a second format."""

_FRAME = re.compile(r"\s*[┌├└╭╰+][─┬┼┴┐┤┘╮╯+-]+\s*$")

_LONGEST = 4096
"""Characters of a row."""

# Units: parsing a row's columns.


@dataclass(frozen=True)
class Unit:
    """pattern: of a column; name: for people; make: parses a column into bytes, or None."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[str], bytes | None]


def _word(text: str, base: int, size: int, order: str) -> bytes | None:
    try:
        value = int(text, base)
        return value.to_bytes(size, order, signed=value < 0)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


_CHARS = {"\\0": 0, "\\a": 7, "\\b": 8, "\\t": 9, "\\n": 10, "\\v": 11, "\\f": 12, "\\r": 13}


def _char(text: str) -> bytes | None:
    if text in _CHARS:
        return bytes((_CHARS[text],))
    if len(text) == 1:
        return text.encode("latin-1", "replace")
    return _word(text, 8, 1, "big")


def _chars(row: str) -> list[str]:
    """Split a row of od -c into columns of four characters; a space is a character, too."""
    cells = [row[i : i + 4] for i in range(0, len(row), 4)]
    while cells and not cells[-1].strip() and len(cells[-1]) < 4:
        cells.pop()
    return [cell.strip() or " " for cell in cells]


_UNITS = (
    Unit("hex", re.compile(r"[0-9A-Fa-f]{2}$|0[xX][0-9A-Fa-f]{1,2}$"), lambda text: bytes((int(text, 16),))),
    Unit("words_high", re.compile(r"(?:[0-9A-Fa-f]{2}){1,16}$"), bytes.fromhex),
    Unit("words_low", re.compile(r"(?:[0-9A-Fa-f]{2}){1,8}$"), numerals.odd_word),
    Unit("bits", re.compile(r"[01]{8}$"), partial(_word, base=2, size=1, order="big")),
    Unit("octal", re.compile(r"[0-3][0-7]{2}$"), partial(_word, base=8, size=1, order="big")),
    Unit("octal_words", re.compile(r"[01][0-7]{5}$"), partial(_word, base=8, size=2, order="little")),
    Unit("decimal", re.compile(r"-?\d{1,3}$"), partial(_word, base=10, size=1, order="big")),
    Unit("decimal_words", re.compile(r"-?\d{1,5}$"), partial(_word, base=10, size=2, order="little")),
    Unit("decimal_long", re.compile(r"-?\d{1,10}$"), partial(_word, base=10, size=4, order="little")),
    Unit("letters", re.compile(r"\S{1,3}$| $"), _char),
)
_LETTERS = _UNITS[-1]


@dataclass(frozen=True)
class _Plan:
    unit: Unit
    base: int
    """Base of the offsets."""


@dataclass(frozen=True)
class _Row:
    offset: str
    rest: str
    number: int
    cells: str
    """Everything after the offset: in a dump of characters, what looks like a separator is one of them."""
    repeated: bool = False
    """Preceded by `*`: the row before was repeated."""


def _row(line: str, number: int) -> _Row | None:
    match = _OFFSET.match(line) if len(line) <= _LONGEST else None
    if match is None or _says_nothing_new(line):
        return None
    end = match.end()
    # in a dump of characters the space before the first column belongs to it
    rest = line[end - 1 :] if line[end - 1 : end] == " " else line[end:]
    behind = line[match.end(1) :]
    return _Row(match[1], rest, number, behind if behind.startswith("  ") else rest)


def _all_rows(lines: Sequence[str]) -> list[_Row]:
    rows: list[_Row] = []
    repeated = False
    for number, line in enumerate(lines, 1):
        if line.strip() == "*":
            repeated = True
        elif line.strip() and (row := _row(line, number)) is not None:
            rows.append(replace(row, repeated=repeated))
            repeated = False
    return rows


def _columns(row: _Row, unit: Unit, size: int | None) -> bytes | None:
    """Parse a row; the text column is told apart by position, by `size`, or by its match with the bytes."""
    if unit is _LETTERS:
        cells = _chars(row.cells)
        made = [_char(cell) for cell in cells]
        return b"".join(made) if all(made) else None  # type: ignore[arg-type]
    out = bytearray()
    place = 0
    rest = row.rest
    for match in re.finditer(r"\S+", rest):
        word = match[0].rstrip(",;-") or match[0]
        if unit.name == "hex" and re.fullmatch(r"[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}", word):
            # debug.exe separates the halves of a row
            out += bytes.fromhex(word.replace("-", ""))
            place = match.end()
            continue
        if size is not None and len(out) >= size:
            break
        gap = rest[place : match.start()]
        if out and ("\t" in gap or len(gap) > 1) and numerals.shown_beside(bytes(out), rest[match.start() :]):
            break
        if word in _PARTED and not _only(rest[match.end() :], unit):
            break
        if word in _PARTED:
            place = match.end()
            continue
        data = unit.make(word) if unit.pattern.match(word) else None
        if data is None:
            if not out:
                return None
            # a text column follows the bytes
            break
        out += data
        place = match.end()
    return bytes(out)


_PARTED = ("|", "-", "│", "┃", "┊", "¦")
"""Separators between the halves of a row, and before its text column."""


def _only(text: str, unit: Unit) -> bool:
    words = re.split(r"[|│┃┊¦]", text)[0].split()
    return bool(words) and all(unit.pattern.match(word) for word in words)


_OCTAL_IN_C = re.compile(r"\s*(?:0[0-3][0-7]{2}[\s,]*)+")
"""`0252, 0001`"""


class DumpForm:
    """Rows of offset and bytes."""

    name = "dump"

    def recognise(self, source: Source) -> Guess | None:
        sample = [line for line in source.head if line.strip() and line.strip() != "*" and not _says_nothing_new(line)]
        rows = _all_rows(source.head)
        if not any(row.rest.strip() for row in rows) or len(rows) * 10 < len(sample) * 8:
            return None
        if bare_bytes.are_numbered(sample) and any(len(row.rest.split()) > 1 for row in rows):
            # the numbers of lines, of which each has a frame
            return None
        if all(_OCTAL_IN_C.fullmatch(line) for line in sample):
            # no offsets: the content shows whether each is a byte or two
            bare = bare_bytes.PlainForm().recognise(source)
            if bare is not None and bare.plan == "octal":
                return None
        if len(rows) == len(sample) == 1 and int(rows[0].offset, 16):
            # with a single row an offset cannot be told from bytes in groups
            return None
        return self._plan(source, rows, len(sample))

    def forced(self, source: Source) -> Guess:
        rows = _all_rows(source.head)
        guess = self._plan(source, rows, len(rows)) if rows else None
        if guess is None:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        return guess

    def _plan(self, source: Source, rows: list[_Row], lines: int) -> Guess | None:
        best: tuple[float, float, int, _Plan] | None = None
        for number, unit in enumerate(_UNITS):
            for base in (16, 10, 8):
                fit = _fit(rows, unit, base, source.whole)
                if fit is None:
                    continue
                share, data = fit
                found = evidence.weigh(data)
                score = (round(share, 1), found.share, -number, _Plan(unit, base))
                if best is None or score[:3] > best[:3]:
                    best = score
        if best is None or best[0] < 0.8:
            return None
        plan = best[3]
        data = b"".join(
            c.data for c in _rows(((line, True) for line in source.head), plan, Left()) if isinstance(c, Chunk)
        )
        why = tr("why_dump", count=len(rows), of=lines, unit=tr(f"notation_{plan.unit.name}"))
        header = Header((source.name, "-"), mode="hex", timed=False)
        found = evidence.weigh(data)
        if not found.is_protocol and sum(_sided(row.rest) for row in rows) * 2 > len(rows):
            # numbered lines that name senders
            return None
        return Guess(why, header, merged=found.is_merged or not found.is_protocol, maybe_merged=True, plan=plan)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        yield from _rows(source.lines(), guess.plan, left)
        if source.cut:
            yield Lost(0, tr("lost_tail"))


def _sided(text: str) -> bool:
    return any(len(word) > 1 and word in sides.WORDS for word in sides.WORD.findall(text.lower()))


_RULERS = ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "0123456789abcdef")
"""Rulers above the columns of editors."""


def _says_nothing_new(line: str) -> bool:
    """Return whether a line of a dump only repeats what the rows contain, or is decoration."""
    if len(line) > _LONGEST:
        return False
    if any(ruler in "".join(line.lower().split()) for ruler in _RULERS):
        return True
    return bool(_AGAIN.match(line) or _FRAME.match(line) or bare_bytes.PROMPT.match(line))


def _fit(rows: Sequence[_Row], unit: Unit, base: int, whole: bool) -> tuple[float, bytes] | None:
    """Return the share of rows whose bytes reach to the next offset, and the bytes.

    None if they cannot be of this unit.
    """
    good = 0
    data = bytearray()
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        begin = numerals.offset(row.offset, base)
        end = numerals.offset(following.offset, base) if following is not None else None
        if begin is None or (following is not None and end is None):
            return None
        if not row.rest.strip() and unit is not _LETTERS:
            # the total size, at the end
            good += 1
            continue
        measured = end is not None and following is not None and not following.repeated
        size = end - begin if measured and end is not None and 0 < end - begin <= 256 else None
        got = _columns(row, unit, size)
        if got is None:
            continue
        if size is not None and len(got) > size and len(got) - size < 8:
            got = got[:size]
        data += got
        # a repeat, a new dump, the last row: nothing to measure
        good += len(got) == size if size is not None else not measured or end == 0
    return good / len(rows), bytes(data)


def _rows(lines: Iterator[tuple[str, bool]], plan: _Plan, left: Left) -> Iterator[Item]:
    """Yield each row once the next one's offset is known."""
    waiting: _Row | None = None
    repeated = False
    before = b""
    begun = False
    for number, (line, _ended) in enumerate(lines, 1):
        if line.strip() == "*":
            repeated = True
            continue
        row = _row(line, number) if line.strip() else None
        if row is None:
            if line.strip() and not _says_nothing_new(line):
                left.add("left_lines", number)
            continue
        begin = numerals.offset(row.offset, plan.base)
        if begin is None:
            left.add("left_lines", number)
            continue
        if not begun and 0 < begin < _ADDRESSES:
            left.add("left_before", number, begin)
        begun = True
        if waiting is not None:
            start = numerals.offset(waiting.offset, plan.base) or 0
            size = begin - start
            before = _settle(waiting, plan, size if 0 < size <= 256 and not repeated else None, left)
            if before:
                yield Chunk(0, 0, before)
            if repeated and before and 0 < size < 1 << 24:
                rest = size - len(before)
                while rest > 0:
                    yield Chunk(0, 0, before[:rest])
                    rest -= len(before)
            elif begin and size != len(before):
                # a row is missing, duplicate, or incomplete
                yield Lost(0, tr("lost_row", line=number))
        repeated = False
        waiting = row
    if waiting is not None and waiting.rest.strip():
        last = _settle(waiting, plan, None, left)
        if last:
            yield Chunk(0, 0, last)


_ADDRESSES = 1 << 24
"""In a dump of memory, offsets start above this."""


def _settle(row: _Row, plan: _Plan, size: int | None, left: Left) -> bytes:
    got = _columns(row, plan.unit, size)
    if got is None:
        if row.rest.strip():
            left.add("left_lines", row.number)
        return b""
    return got[:size] if size is not None else got
