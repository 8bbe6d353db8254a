"""JSON of other programs, read as a stream of values; and rows made of them, read like those of tables."""

from __future__ import annotations

import ast
import codecs
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import IO, cast

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Item, Lost
from seabattle_host.sniff.forms import clock, evidence, sides, trees
from seabattle_host.sniff.forms.cells import bytes_of
from seabattle_host.sniff.forms.columns import columns_of, side_if_yes, spoken
from seabattle_host.sniff.forms.interface import Guess, Left, recognised
from seabattle_host.sniff.forms.listing import ListingForm
from seabattle_host.sniff.forms.packets import Events
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.forms.table_rows import Plan, row_items, values_of
from seabattle_host.sniff.forms.tables import TableForm, by_content, finish, headless

_BLOCK = 1 << 16
_LARGEST = 1 << 28
"""A longer object around the array is cut."""

_LARGEST_ELEMENT = 1 << 22
"""What is no value after this many characters will not become one."""

BROKEN = object()
"""In place of damaged or cut values."""

_LIKE_JSON = re.compile(r"[{}\[\]\":]")


def objects(source: Source) -> Iterator[object]:
    """Yield the values of a file, in order; BROKEN where some were damaged."""
    with source.open() as stream:
        text = _Text(stream, source.encoding or "utf-8")
        text.more()
        text.buffer = _ASSIGNED.sub("", text.buffer, count=1)
        first, rest = _first_line(text)
        if not (first and rest) and text.buffer.lstrip()[:1] in ("[", "(") and (values := _printed(text)) is not None:
            yield from values
        elif text.buffer.lstrip()[:1] == "[" and not (first and rest):
            yield from _elements(text)
        elif first and rest:
            yield from _lines(text)
        else:
            yield from _whole(text)


_ASSIGNED = re.compile(r"\A\s*(?:(?:const|let|var)\s+)?\w+\s*=\s*(?=[\[({])")
_PRINTED_MOST = 1 << 22


def _printed(text: _Text) -> Sequence[object] | None:
    """Parse a list of rows in Python syntax, which is no JSON; None for anything else."""
    begin = re.match(r"\s*[\[(]\s*(?=[({\[])", text.buffer)
    if begin is None:
        return None
    try:
        json.JSONDecoder().raw_decode(text.buffer, begin.end())
        return None
    except (ValueError, RecursionError):
        pass
    while not text.ended and len(text.buffer) < _PRINTED_MOST:
        text.more()
    try:
        value = ast.literal_eval(text.buffer.strip().rstrip(";")) if text.ended else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, (list, tuple)) else None


def _load(text: str) -> object:
    """Parse a value in JSON or Python syntax. Raises ValueError."""
    try:
        return json.loads(text)
    except ValueError:
        if text[:1] not in ("{", "(", "[") or "'" not in text or len(text) > _LARGEST_LINE:
            raise
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, MemoryError, TypeError, AttributeError) as error:
        raise ValueError from error
    if isinstance(value, dict) and not all(isinstance(name, str) for name in value):
        raise ValueError
    return cast(object, value)


_LARGEST_LINE = 1 << 12
"""A longer line of values was not printed by Python."""


class _Text:
    """Text that is read on demand."""

    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        self.buffer = ""
        self.ended = False
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def more(self) -> None:
        """Read on, the more the longer the text already is."""
        data = self._stream.read(max(_BLOCK, len(self.buffer)))
        self.ended = not data
        self.buffer += self._decoder.decode(data, self.ended)


def _first_line(text: _Text) -> tuple[bool, bool]:
    """Return whether the first line is a complete value, and whether another line follows."""
    lines = text.buffer.lstrip().splitlines()
    try:
        _load(lines[0].rstrip().rstrip(",")) if lines else None
    except (ValueError, RecursionError):
        return False, False
    return bool(lines), len(lines) > 1 and any(line.strip() for line in lines[1:])


def _elements(text: _Text) -> Iterator[object]:
    """Yield the elements of an array."""
    decode = json.JSONDecoder().raw_decode
    at = text.buffer.index("[") + 1
    while True:
        while at < len(text.buffer) and text.buffer[at] in " \t\r\n,":
            at += 1
        if text.buffer[at : at + 1] == "]":
            return
        try:
            value, end = decode(text.buffer, at)
        except ValueError:
            value, end = None, -1
        except RecursionError:
            yield BROKEN
            return
        # a number at the end of the text read so far may go on
        if end < 0 or (end == len(text.buffer) and not text.ended):
            text.buffer, at = text.buffer[at:], 0
            if not text.ended and len(text.buffer) <= _LARGEST_ELEMENT:
                text.more()
                continue
            if end < 0:
                yield BROKEN
                # the next intact value starts like the others
                again = _BEGINS.search(text.buffer, 1)
                at = again.start() if again else len(text.buffer)
                if again is None and text.ended:
                    return
                continue
        yield value
        at = end
        if at > _BLOCK:
            text.buffer, at = text.buffer[at:], 0


_BEGINS = re.compile(r"(?<=[,\s])[{\[]")


def _lines(text: _Text) -> Iterator[object]:
    """Yield a value per line; other lines are skipped."""
    while True:
        lines = text.buffer.splitlines(keepends=True)
        text.buffer = "" if text.ended or not lines else lines.pop()
        for line in lines:
            bare = line.strip().rstrip(",")
            try:
                yield _load(bare)
            except (ValueError, RecursionError):
                if _LIKE_JSON.search(bare) and bare not in ("[", "]"):
                    yield BROKEN
        if text.ended:
            return
        text.more()


def _whole(text: _Text) -> Iterator[object]:
    """Yield the records in an object over several lines, or the object; or several such objects."""
    while not text.ended and len(text.buffer) < _LARGEST:
        text.more()
    try:
        whole = _load(text.buffer)
    except (ValueError, RecursionError):
        if _SEVERAL.match(text.buffer):
            yield from _one_after_another(text.buffer)
            return
        by_line = any(isinstance(_value(line), dict) for line in text.buffer[:_BLOCK].splitlines())
        yield from _elements(text) if "[" in text.buffer and not by_line else _lines(text)
        return
    if isinstance(whole, dict):
        yield from _of_columns(whole) or trees.records(whole) or [whole]
    elif isinstance(whole, list):
        yield from whole


_SEVERAL = re.compile(r"\s*\{\s*\n(?:.*\n)*?\}\s*\{\s*\n")
_NEXT = re.compile(r"^\{\s*$", re.MULTILINE)


def _one_after_another(text: str) -> Iterator[object]:
    """Yield objects over several lines each, without an array around them."""
    decode = json.JSONDecoder().raw_decode
    at = 0
    while (begin := _NEXT.search(text, at)) is not None:
        if text[at : begin.start()].strip():
            yield BROKEN
        try:
            value, at = decode(text, begin.start())
            yield value
        except (ValueError, RecursionError):
            at = begin.end()
    if text[at:].strip():
        yield BROKEN


def _of_columns(whole: dict[str, object]) -> list[object]:
    """Return the rows of a table stored by columns, as by pandas; empty if it is none."""
    names, rows = whole.get("columns"), whole.get("data")
    if isinstance(names, list) and isinstance(rows, list):
        return [dict(zip(map(str, names), row, strict=False)) for row in rows if isinstance(row, list)]
    if all(map(trees.is_time, whole)) or all(name.lower() in sides.WORDS for name in whole):
        return []
    columns = [list(value.values()) if isinstance(value, dict) else value for value in whole.values()]
    if len(columns) < 2 or not all(isinstance(column, list) and len(column) > 1 for column in columns):
        return []
    lists = cast(list[list[object]], columns)
    same = {len(column) for column in lists}
    return [dict(zip(whole, row, strict=True)) for row in zip(*lists, strict=True)] if len(same) == 1 else []


def _value(line: str) -> object:
    try:
        return _load(line.strip().rstrip(","))
    except (ValueError, RecursionError):
        return None


_OPENS = re.compile(rb"\s*(?:(?:(?:const|let|var)\s+)?\w+\s*=\s*)?[\[({]")
_FEW = 4
"""Objects whose contents show what their values are, whatever these are called."""

_LOOKED_AT = 5000
"""Values looked at to decide what they mean."""


class JsonForm:
    """An array of objects, or one per line: tshark -T json and -T ek, or anything with bytes and a time or a side."""

    name = "objects"

    def recognise(self, source: Source) -> Guess | None:
        if not source.encoding or not _OPENS.match(source.sample):
            return None
        found = list(itertools.islice(objects(source), _LOOKED_AT))
        rows = [row for item in found if (row := _flat(item))]
        if not rows and (table := _lists(found)):
            plan = headless("\t", table[:1000])
            if plan is None:
                return None
            finish(plan, table)
            sides.refuse_several(source.name, plan.ends)
            data = b"".join(bytes_of(value, plan.base) or b"" for row in table for value in values_of(row, plan))
            guess = TableForm().guess(plan, table, data)
            guess.plan = (plan, None, -1)
            return guess
        if not rows:
            return None
        names: dict[str, None] = {}
        for row in rows:
            names.update(dict.fromkeys(row))
        columns = columns_of(list(names))
        for better in ("rtacser.timestamp", "frame.time_epoch"):
            if better in names:
                columns["time"] = list(names).index(better)
                break
        if "time" not in columns:
            dated = (n for n, name in enumerate(names) if all(_is_date(row.get(name, "")) for row in rows))
            columns.update(("time", n) for n in itertools.islice(dated, 1))
        table = [[row.get(name, "") for name in names] for row in rows]
        if len(rows) >= _FEW:
            by_content(table, columns)
        if not columns.keys() & {"data", "tx", "rx"} and (spelt := _spelt(rows, list(names))) is not None:
            columns["data"] = spelt
            for cells in table:
                cells[spelt] = _hexed(cells[spelt])
        else:
            spelt = -1
        if not columns.keys() & {"data", "tx", "rx"} or not columns.keys() & {"time", "side", "event", "tx"}:
            return _spoken(source, rows, list(names), columns)
        by_content(table, columns)
        plan = Plan(columns=columns)
        plan.take_unit(list(names))
        finish(plan, table)
        data = b"".join(bytes_of(value, plan.base) or b"" for row in table for value in values_of(row, plan))
        if not data:
            return _spoken(source, rows, list(names), columns)
        sides.refuse_several(source.name, plan.ends)
        guess = TableForm().guess(plan, table, data)
        guess.plan = (plan, list(names), spelt)
        guess.why = tr("why_objects", count=len(rows), columns=spoken(columns))
        guess.why += clock.unit_words(plan.divisor if not plan.coarse else 0)
        guess.why += sides.words_for(plan.sides)
        return guess

    def forced(self, source: Source) -> Guess:
        return recognised(self, source)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        if isinstance(guess.plan, _Spoken):
            log = cast(Source, _Lines(source, guess.plan))
            yield from ListingForm().items(log, replace(guess, plan=guess.plan.inner), left)
            return
        plan, names, spelt = guess.plan
        watch = clock.Clock()
        events = Events(left)
        for number, item in enumerate(objects(source), 1):
            if item is BROKEN:
                yield Lost(watch.at, tr("lost_value", number=number))
                continue
            row = _flat(item) if names is not None else {}
            cells = [row.get(name, "") for name in names] if names is not None else next(iter(_lists([item])), [])
            if any(cells):
                if spelt >= 0:
                    cells[spelt] = _hexed(cells[spelt])
                yield from row_items(cells, plan, watch, events, left, number)
        if source.cut:
            yield Lost(watch.at, tr("lost_tail"))


@dataclass
class _Spoken:
    """Objects that hold the lines of a log: `journalctl -o json`, docker's logs."""

    text: str
    time: str
    inner: object = None

    def line(self, row: dict[str, str]) -> str:
        return f"{row.get(self.time, '')} {row.get(self.text, '')}".strip().replace("\n", " ")


class _Lines:
    """The lines of such a log as a file."""

    def __init__(self, source: Source, plan: _Spoken):
        self._source = source
        self._plan = plan
        self.cut = source.cut

    def lines(self) -> Iterator[tuple[str, bool]]:
        for item in objects(self._source):
            yield self._plan.line(_flat(item)), True


def _spelt(rows: list[dict[str, str]], names: list[str]) -> int | None:
    """Return the index of the name whose values are the bytes of the line, as letters; None if there is none."""
    for n, name in enumerate(names):
        text = "".join(row.get(name, "") for row in rows)
        if (
            max(text, default="") > "\x7f"
            and max(text) <= "\xff"
            and evidence.weigh(text.encode("latin-1")).share >= evidence.MOSTLY
        ):
            return n
    return None


def _hexed(text: str) -> str:
    """Return bytes that are letters in hex."""
    return text.encode("latin-1", "replace").hex(" ")


def _is_date(text: str) -> bool:
    stamp = clock.match(text)
    return stamp is not None and stamp.kind == clock.DATE and stamp.end == len(text)


_WORDS = re.compile(r"(?i)_?(?:message|msg|log|text|line|body|content|event|data)")


def _spoken(source: Source, rows: list[dict[str, str]], names: list[str], columns: dict[str, int]) -> Guess | None:
    """Return the evidence that the texts in the objects are lines of a log."""
    time = names[columns["time"]] if "time" in columns else ""
    for name in names:
        if not _WORDS.fullmatch(name):
            continue
        plan = _Spoken(name, time)
        lines = "".join(plan.line(row) + "\n" for row in rows if name in row)
        guess = ListingForm().recognise(Source(source.name, lines.encode()))
        if guess is not None:
            plan.inner = guess.plan
            return replace(guess, plan=plan)
    return None


def _lists(objects: list[object]) -> list[list[str]]:
    """Return rows that are arrays: `[0.5, "TX", "aa01"]`, `("TX", [170, 1])`."""
    rows = [[_cell(cell) for cell in item] for item in objects if isinstance(item, (list, tuple)) and len(item) > 1]
    return [[cell for cell in row if cell is not None] for row in rows if None not in row]


def _cell(value: object) -> str | None:
    """Return a value of a row as text, None if it is no cell."""
    if isinstance(value, bytes):
        return value.hex(" ")
    if isinstance(value, (list, tuple)) and all(isinstance(part, int) and 0 <= part < 256 for part in value):
        return " ".join(f"0x{part:02x}" for part in value)
    return str(value) if isinstance(value, (int, float, str)) else None


def _flat(item: object) -> dict[str, str]:
    """Return an object's innermost names and values as text; names of tshark's EK shortened like the others."""
    out: dict[str, str] = {}

    def walk(value: object, name: str) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, str(key))
        elif isinstance(value, list):
            if value and all(isinstance(part, (int, str)) for part in value):
                words = [f"0x{part:02x}" if isinstance(part, int) and 0 <= part < 256 else str(part) for part in value]
                out.setdefault(_short(name), " ".join(words))
        elif isinstance(value, bytes):
            out.setdefault(_short(name), value.hex(" "))
        elif isinstance(value, bool) and (side := side_if_yes(name)) is not None:
            out.setdefault("direction", ("TX", "RX")[side ^ (not value)])
        elif value is not None and not isinstance(value, bool):
            out.setdefault(_short(name), str(value))
        elif value is True:
            out.setdefault(_short(name), "true")

    if isinstance(item, dict) and not isinstance(item.get("index"), dict):  # it would be a head of tshark's EK
        walk(item, "")
    return out


def _short(name: str) -> str:
    match = re.fullmatch(r"(\w+?)_\1_(\w+)", name)
    return f"{match[1]}.{match[2]}" if match else name
