"""Dumps: offsets, bytes in some unit, letters beside them (xxd, hexdump, od, editors); and bytes without anything.

Which unit it is (bytes or words, their base, their order) is told by what fits the offsets; where more than one does,
by which of them gives frames of the protocol.
"""

from __future__ import annotations

import base64
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import evidence, numerals, sides
from seabattle_host.sniff.forms.kinds import Guess, Left
from seabattle_host.sniff.forms.source import Source

_OFFSET = re.compile(
    r"\s*[│┃|]?\s*[\[(<]?(?:[0-9A-Fa-f]{4}:(?=[0-9A-Fa-f]{4}\s))?(?:0x)?([0-9A-Fa-f]{4,16})h?(?:[\])>]|\s+<[^>]*>)?"
    r"(?:\s*[:|>│┃]|-(?=\s)|\s|$)"
)
_AGAIN = re.compile(r" {7,}\S{1,3}(?: +\S{1,3})*\s*$")
"""The same bytes once more below a row, as od shows them in a second form."""

_FRAME = re.compile(r"\s*[┌├└╭╰+][─┬┼┴┐┤┘╮╯+-]+\s*$")

# Units: how a row's columns become bytes.


@dataclass(frozen=True)
class Unit:
    """words: pattern of a column; name: for people; make: a column to its bytes, or None."""

    name: str
    pattern: re.Pattern[str]
    make: Callable[[str], bytes | None]


def _word(text: str, base: int, size: int, order: str) -> bytes | None:
    try:
        value = int(text, base)
        return value.to_bytes(size, order, signed=value < 0)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


def _odd_word(text: str) -> bytes | None:
    """xxd -e of a last word that is not full: `7aa7a7` stands for A7 A7 7A."""
    return bytes.fromhex(text)[::-1] if len(text) % 2 == 0 else None


_CHARS = {"\\0": 0, "\\a": 7, "\\b": 8, "\\t": 9, "\\n": 10, "\\v": 11, "\\f": 12, "\\r": 13}


def _char(text: str) -> bytes | None:
    if text in _CHARS:
        return bytes((_CHARS[text],))
    if len(text) == 1:
        return text.encode("latin-1", "replace")
    return _word(text, 8, 1, "big")


def _chars(row: str) -> list[str]:
    """Columns of od -c, of four letters each; a space is a letter."""
    cells = [row[i : i + 4] for i in range(0, len(row), 4)]
    while cells and not cells[-1].strip() and len(cells[-1]) < 4:
        cells.pop()
    return [cell.strip() or " " for cell in cells]


_UNITS = (
    Unit("hex", re.compile(r"[0-9A-Fa-f]{2}$|0[xX][0-9A-Fa-f]{1,2}$"), lambda text: bytes((int(text, 16),))),
    Unit("hex words, high byte first", re.compile(r"(?:[0-9A-Fa-f]{2}){1,16}$"), bytes.fromhex),
    Unit("hex words, low byte first", re.compile(r"(?:[0-9A-Fa-f]{2}){1,8}$"), _odd_word),
    Unit("bits", re.compile(r"[01]{8}$"), partial(_word, base=2, size=1, order="big")),
    Unit("octal", re.compile(r"[0-3][0-7]{2}$"), partial(_word, base=8, size=1, order="big")),
    Unit("octal words", re.compile(r"[01][0-7]{5}$"), partial(_word, base=8, size=2, order="little")),
    Unit("decimal", re.compile(r"-?\d{1,3}$"), partial(_word, base=10, size=1, order="big")),
    Unit("decimal words", re.compile(r"-?\d{1,5}$"), partial(_word, base=10, size=2, order="little")),
    Unit("decimal words of four", re.compile(r"-?\d{1,10}$"), partial(_word, base=10, size=4, order="little")),
    Unit("letters", re.compile(r"\S{1,3}$| $"), _char),
)
_LETTERS = _UNITS[-1]


@dataclass(frozen=True)
class _Plan:
    unit: Unit
    base: int
    """Of the offsets."""


@dataclass(frozen=True)
class _Row:
    offset: str
    rest: str
    number: int
    repeated: bool = False
    """A `*` stands before it: the row before was repeated."""


def _row(line: str, number: int) -> _Row | None:
    match = _OFFSET.match(line)
    if match is None:
        return None
    end = match.end()
    # the space before the first column belongs to it where columns are letters
    return _Row(match[1], line[end - 1 :] if line[end - 1 : end] == " " else line[end:], number)


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
    """The bytes of a row, whose letters beside are told from bytes by their place, by `size`, or by what they show."""
    if unit is _LETTERS:
        cells = _chars(row.rest)
        made = [_char(cell) for cell in cells]
        return b"".join(made) if all(made) else None  # type: ignore[arg-type]
    out = bytearray()
    place = 0
    rest = row.rest
    for match in re.finditer(r"\S+", rest):
        word = match[0].rstrip(",;")
        if unit.name == "hex" and re.fullmatch(r"[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}", word):
            # debug.exe parts the row in the middle
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
            # behind the bytes only what they look like
            break
        out += data
        place = match.end()
    return bytes(out)


_PARTED = ("|", "-", "│", "┃", "┊", "¦")
"""What stands between the halves of a row, and before its letters."""


def _only(text: str, unit: Unit) -> bool:
    words = re.split(r"[|│┃┊¦]", text)[0].split()
    return bool(words) and all(unit.pattern.match(word) for word in words)


_OCTAL_IN_C = re.compile(r"\s*(?:0[0-3][0-7]{2}[\s,]*)+")
"""`0252, 0001`"""


class DumpForm:
    """Rows of offset and bytes."""

    name = "dump"

    def recognise(self, source: Source) -> Guess | None:
        said = [line for line in source.head if line.strip() and line.strip() != "*" and not _says_nothing_new(line)]
        rows = _all_rows(source.head)
        if not any(row.rest.strip() for row in rows) or len(rows) * 10 < len(said) * 8:
            return None
        if all(_OCTAL_IN_C.fullmatch(line) for line in said):
            # no offsets: whether each is a byte or two shows in what they come to
            plain = PlainForm().recognise(source)
            if plain is not None and plain.plan == "octal":
                return None
        return self._plan(source, rows, len(said))

    def forced(self, source: Source) -> Guess:
        rows = _all_rows(source.head)
        guess = self._plan(source, rows, len(rows)) if rows else None
        if guess is None:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        return guess

    def _plan(self, source: Source, rows: list[_Row], said: int) -> Guess | None:
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
        why = tr("why_dump", count=len(rows), of=said, unit=plan.unit.name)
        header = Header((source.name, "-"), mode="hex", timed=False)
        found = evidence.weigh(data)
        if not found.is_protocol and sum(_sided(row.rest) for row in rows) * 2 > len(rows):
            # numbered lines that say who sent something
            return None
        return Guess(why, header, merged=found.is_merged or not found.is_protocol, maybe_merged=True, plan=plan)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        yield from _rows(source.lines(), guess.plan, left)
        if source.cut:
            yield Lost(0, tr("lost_tail"))


def _sided(text: str) -> bool:
    return any(len(word) > 1 and word in sides.WORDS for word in sides.WORD.findall(text.lower()))


def _says_nothing_new(line: str) -> bool:
    """Whether a line of a dump has nothing but what the rows have already."""
    return bool(_AGAIN.match(line) or _FRAME.match(line) or _PROMPT.match(line))


def _offset(text: str, base: int) -> int | None:
    try:
        return int(text, base)
    except ValueError:
        return None


def _fit(rows: Sequence[_Row], unit: Unit, base: int, whole: bool) -> tuple[float, bytes] | None:
    """The share of rows whose bytes reach to the next offset, and the bytes; None if they cannot be of this unit."""
    good = 0
    data = bytearray()
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        begin = _offset(row.offset, base)
        end = _offset(following.offset, base) if following is not None else None
        if begin is None or (following is not None and end is None):
            return None
        if not row.rest.strip() and unit is not _LETTERS:
            # the size of all, at the end
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
    """Each row when the next one's offset is known."""
    waiting: _Row | None = None
    repeated = False
    before = b""
    for number, (line, _ended) in enumerate(lines, 1):
        if line.strip() == "*":
            repeated = True
            continue
        row = _row(line, number) if line.strip() else None
        if row is None:
            if line.strip() and not _says_nothing_new(line):
                left.add("left_lines", number)
            continue
        begin = _offset(row.offset, plan.base)
        if begin is None:
            left.add("left_lines", number)
            continue
        if waiting is not None:
            start = _offset(waiting.offset, plan.base) or 0
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
                # a row is missing, was given twice, or is not whole
                yield Lost(0, tr("lost_row", line=number))
        repeated = False
        waiting = row
    if waiting is not None and waiting.rest.strip():
        last = _settle(waiting, plan, None, left)
        if last:
            yield Chunk(0, 0, last)


def _settle(row: _Row, plan: _Plan, size: int | None, left: Left) -> bytes:
    got = _columns(row, plan.unit, size)
    if got is None:
        if row.rest.strip():
            left.add("left_lines", row.number)
        return b""
    return got[:size] if size is not None else got


# Bytes without anything.

_PROMPT = re.compile(r"(?:\S+@\S+[:~]\S*)?\s*[$%]\s*(?:[a-z]\w*\s.*)?$")
"""The line of a shell by which a dump was made."""

_WRAPPING = re.compile(
    r"(?i)/\*.*?\*/|//.*$|^.*\barray\s*\[[^\]]*\]\s*of\s+\w+\s*="
    r"|^\s*(?:(?:static|const|unsigned|signed|char|byte|uint8_t|u8|int|long|size_t|let|var|return|public|private|final|PROGMEM)\b\s*)+"
    r"[\w\s.*&]*(?:\[\s*\w*\s*\])?(?:\s+[A-Z]+)?(?:\s*:\s*[\w\[\]; ]+)?\s*=?(?=\s*[{\[(\"]|\s*$|\s*\d+;)|^\s*\w+\s*=(?=\s*[{\[(\"b])"  # noqa: E501
    r"|\(byte\)|^\s*(?:\w+:\s*)?(?:db|dcb|defb|fcb|dc\.b|\.byte)\s"
    r"|\b(?:bytes|bytearray|bytes\.fromhex|new Uint8Array|Uint8Array(?:\.from|\.of)?|Buffer\.from|vec!|\[\]byte|\w+\.fromhex)\b(?=\s*[({\[])"  # noqa: E501
)
_SIZE_LINE = re.compile(r"(?i)^\s*(?:unsigned|const|static|size_t|int|long)\b.*\b\w*(?:len|size)\w*\s*=\s*\d+\s*;?\s*$")
_LITERAL = re.compile(r"[bB]?(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')")
_SPLIT = re.compile(r"[\s,;:|{}()\[\]<>-]+")
_SPLIT_SIGNED = re.compile(r"[\s,;:|{}()\[\]<>]+")
_LABELLED = re.compile(r"\s*[AB]\s?[>:)=]")
_BASE64 = re.compile(
    r"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)"
)

_BASES = {"decimal": numerals.DECIMAL, "octal": numerals.OCTAL, "bits": numerals.BITS}
_READINGS = ("hex", "decimal", "octal", "words", "bits", "base64")


class PlainForm:
    """Bytes one after another: a run of hex, a C array, a Python list, strings with escapes; no offset, side or time."""  # noqa: E501

    name = "plain"

    def recognise(self, source: Source) -> Guess | None:
        if not source.encoding:
            return None
        said = source.beginning()
        if len(said) > 3 and sum(_LABELLED.match(line) is not None for line in said) * 10 > 8 * len(said):
            # the A and B in front are names of the sides
            return None
        if _counting(said):
            # the offsets of a dump whose rows were cut
            return None
        best: tuple[float, float, str, bytes] | None = None
        for reading in _READINGS:
            made = [_bare(line, reading) for line in said]
            good = sum(data is not None for data in made)
            data = b"".join(data for data in made if data)
            share = good / len(said) if said else 0.0
            found = evidence.weigh(data)
            if data and share >= 0.9 and (best is None or (share, found.share) > best[:2]):
                best = (share, found.share, reading, data)
        if best is None:
            return None
        found = evidence.weigh(best[3])
        if not found.is_protocol and best[2] != "hex":
            return None
        if not found.is_protocol and not re.search(r"[A-Fa-f]", "".join(said[:50])):
            # numbers of anything
            return None
        why = tr("why_plain", count=round(best[0] * len(said)), of=len(said), unit=best[2])
        return self._guess(source, found, why, best[2])

    def forced(self, source: Source) -> Guess:
        guess = self.recognise(source)
        return guess or self._guess(source, evidence.weigh(b""), tr("why_forced"), "hex")

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        even = _even(source.head)
        uneven = 0
        for number, (line, _ended) in enumerate(source.lines(), 1):
            if not line.strip():
                continue
            if line.strip() == "*":
                # od without offsets: how often the line before was repeated is not there
                yield Lost(0, tr("lost_repeated", line=number))
                continue
            data = _bare(line, guess.plan)
            if data is None:
                left.add("left_lines", number)
                uneven = number if re.search(r"\d", line) else 0
            elif data:
                if uneven:
                    yield Lost(0, tr("lost_row", line=uneven))
                yield Chunk(0, 0, data)
                uneven = number if even and len(line.strip().rstrip(",")) != even else 0
        if source.cut:
            yield Lost(0, tr("lost_tail"))

    def _guess(self, source: Source, found: evidence.Evidence, why: str, reading: str) -> Guess:
        header = Header((source.name, "-"), mode="hex", timed=False)
        merged = found.is_merged or not found.is_protocol
        return Guess(why, header, merged=merged, maybe_merged=True, plan=reading)


def _counting(lines: Sequence[str]) -> bool:
    """Whether what stands first in each line grows by the same from line to line, as offsets do."""
    first = [match[1] for line in lines if (match := re.match(r"\s*([0-9A-Fa-f]{4,16})(?![0-9A-Fa-f])", line))]
    if len(first) < 4 or len(first) * 10 < 9 * len(lines):
        return False
    return any(
        len({b - a for a, b in itertools.pairwise(numbers)}) == 1 and numbers[0] != numbers[1]
        for base in (16, 10, 8)
        if (numbers := [number for word in first[:-1] if (number := _offset(word, base)) is not None])
        and len(numbers) == len(first) - 1
    )


def _even(lines: Sequence[str]) -> int:
    """The length of all lines of bytes but the last, 0 if they have none in common."""
    lengths = [len(line.strip().rstrip(",")) for line in lines if re.search(r"[0-9A-Fa-f]{2}", line)][:-1]
    if len(lengths) < 4:
        return 0
    length, count = Counter(lengths).most_common(1)[0]
    return length if length > _A_BYTE and count * 10 >= 8 * len(lengths) else 0


_A_BYTE = 4
"""Letters of a line that is one byte, written with as many as it needs."""


def _bare(line: str, reading: str) -> bytes | None:
    """The bytes of a line without anything else; empty for a line that only opens or closes them, None otherwise."""
    if reading == "base64":
        return base64.b64decode(line.strip()) if _BASE64.fullmatch(line.strip()) else None
    if _SIZE_LINE.match(line) or _PROMPT.match(line) or re.match(r"\s*(?:#|//|/\*|\*/|\*\s|;)", line):
        return b""
    rest = numerals.apart(_WRAPPING.sub(" ", line))
    out = bytearray()
    for piece in re.split(r"([bB]?\"(?:[^\"\\]|\\.)*\"|[bB]?'(?:[^'\\]|\\.)*')", rest):
        literal = _LITERAL.fullmatch(piece)
        if literal is not None:
            inside = literal[1][1:-1]
            escaped = "\\" in inside or piece[0] in "bB"
            data = numerals.unescape(inside) if escaped else _words(inside, reading)
        elif piece.startswith("\\x") or "\\x" in piece:
            data = numerals.unescape(piece.strip())
        else:
            data = _words(piece, reading)
        if data is None:
            return None
        out += data
    return bytes(out)


_BESIDE = re.compile(r"([^|]*\S)\s*\|{1,2} {0,2}(.*)")


def _words(text: str, reading: str) -> bytes | None:
    parted = _BESIDE.fullmatch(text) if "|" in text else None
    if parted is not None and (data := _words(parted[1], reading)) and numerals.shown_beside(data, parted[2].rstrip()):
        # the letters that a dump without offsets shows beside
        return data
    out = bytearray()
    for word in (_SPLIT_SIGNED if reading == "decimal" else _SPLIT).split(text):
        if not word:
            continue
        if reading == "words" and not re.match(r"0[xX]|\$", word):
            data = _odd_word(word) if re.fullmatch(r"[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8}", word) else None
        else:
            data = numerals.token(word, _BASES.get(reading, numerals.HEX))
        if data is None:
            return None
        out += data
    return bytes(out)
