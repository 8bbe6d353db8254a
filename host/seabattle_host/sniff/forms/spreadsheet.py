"""Tables for spreadsheets by this program (`--csv`), with any delimiter that a spreadsheet saves them with."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import (
    SECOND,
    SIDES,
    Chunk,
    Crossed,
    Header,
    Item,
    Lost,
    empty_chunk,
    group_by_time,
    sort_crossed,
)
from seabattle_host.sniff.forms.interface import Guess, Left, recognised
from seabattle_host.sniff.forms.own_files import are_offsets, arrival, marked_bytes
from seabattle_host.sniff.forms.source import Source

_NEEDED = ("number", "time", "side", "type", "bytes", "meaning", "unsure", "offsets", "crossed")
_TIME = re.compile(r"(\d{1,12})(?:[.,](\d{1,6}))?")
_BYTES = re.compile(r"[0-9A-F]{2}[pfob]*(?: [0-9A-F]{2}[pfob]*)*")
_DIGITS = 6
"""Decimals of a time as written; a spreadsheet leaves out zeros at the end, and what it does not show."""

_EXACT = 4
"""Decimals that are enough to tell a byte from the next."""


class CsvForm:
    """One row per record; the first row has the names of the columns."""

    name = "csv"

    def recognise(self, source: Source) -> Guess | None:
        for delimiter in ",;\t":
            rows = csv.reader(source.head[:1], delimiter=delimiter)
            if source.encoding and set(_NEEDED) <= set(next(rows, [])):
                places = {
                    name: place for place, name in enumerate(next(csv.reader(source.head[:1], delimiter=delimiter)))
                }
                unsure = places["unsure"]
                merged = any(
                    len(row) > unsure and row[unsure].lower() == "true" for row in _rows(source, delimiter) if row
                )
                digits = _decimals(source, delimiter, places["time"])
                if digits < 0:
                    return None  # times that say nothing any more: a table of others
                header = Header(resolution=0 if digits >= _EXACT else SECOND // 10**digits)
                return Guess(tr("why_ours", what=self.name), header, merged=merged, plan=(delimiter, places))
        return None

    def forced(self, source: Source) -> Guess:
        return recognised(self, source)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        delimiter, places = guess.plan
        records = _items(source, delimiter, places, left)
        return arrival(records) if guess.merged else sort_crossed(records)


def _decimals(source: Source, delimiter: str, column: int) -> int:
    """Return the most decimals of a time in the first rows, -1 if there is no time."""
    rows = list(csv.reader(source.head[1:200], delimiter=delimiter))
    found = [_TIME.fullmatch(row[column]) for row in rows if len(row) > column]
    return max((len(time[2] or "") for time in found if time), default=-1 if found else _DIGITS)


def _rows(source: Source, delimiter: str) -> Iterator[Sequence[str]]:
    rows = csv.reader((line for line, _ended in source.lines()), delimiter=delimiter)
    while True:
        try:
            yield next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield ("?",)


def _items(source: Source, delimiter: str, places: dict[str, int], left: Left) -> Iterator[Item]:
    expected = at = 0
    waited = False
    names: Sequence[str] = ()
    for number, row in enumerate(_rows(source, delimiter), 1):
        if number == 1:
            names = row
        if number == 1 or not any(row) or row == names:
            continue
        cells = {name: row[place] for name, place in places.items() if place < len(row)}
        try:
            n = int(cells["number"])
            time = _TIME.fullmatch(cells["time"])
            if time is None:
                raise ValueError(cells["time"])
            now = int(time[1]) * SECOND + int((time[2] or "").ljust(_DIGITS, "0"))
            found = list(_record(now, cells))
        except (KeyError, ValueError):
            left.add("left_lines", number)
            yield Lost(at, tr("lost_damaged", line=number))
            expected = 0
            continue
        at = now
        if expected and n != expected:
            yield Lost(at, jump(expected, n))
        expected = n + 1
        waited = not found
        yield from found
    if waited:
        yield empty_chunk(at)
    if source.cut:
        yield Lost(at, tr("lost_tail"))


def jump(expected: int, number: int) -> str:
    """Return what is wrong if this record number comes in place of the expected one."""
    if number < expected:
        return tr("lost_again", number=number)
    return tr("lost_records", first=expected, last=number - 1)


def numbers(source: Source, guess: Guess) -> tuple[int, int]:
    """Return the first and the last record number of a file, zeros if it has none."""
    delimiter, places = guess.plan
    column = places["number"]
    first = last = 0
    for row in _rows(source, delimiter):
        if len(row) > column and row[column].isdecimal():
            last = int(row[column])
            first = first or last
    return first, last


def _record(at: int, cells: dict[str, str]) -> Iterator[Item]:
    """Yield the items of a row. Raises KeyError or ValueError if it is incomplete."""
    if cells["type"] == "lost":
        yield Lost(at, cells["meaning"])
        return
    text = cells["bytes"]
    if len(text) == 1:
        text = f"0{text}"  # a number to a spreadsheet
    if not text:
        if cells["type"] != "lack":
            raise ValueError(text)
        return
    if _BYTES.fullmatch(text) is None:
        raise ValueError(text)
    values, faults = marked_bytes(text)
    times = [int(word) for word in cells["offsets"].split()] or [0] * len(values)
    if len(times) != len(values) or not are_offsets(times):
        raise ValueError(cells["offsets"])
    kind = Crossed if cells["crossed"].lower() == "true" else Chunk
    yield from group_by_time(at, SIDES.index(cells["side"]), values, times, faults, kind)
