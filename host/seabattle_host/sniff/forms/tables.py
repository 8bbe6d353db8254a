"""Tables: exports of logic analysers and spreadsheets, with or without a header.

Saleae Logic 2 (`name,type,start_time,duration,data,error`), the older format (`Time [s],Value,Parity Error,Framing
Error`), tshark -T fields, and anything with a column of bytes and a time or a side.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, TICK_DIVIDEND, TICK_DIVISOR, Header, Item, Lost
from seabattle_host.sniff.forms import clock, evidence, fronts, numerals, sides
from seabattle_host.sniff.forms.cells import LETTERS, bytes_of
from seabattle_host.sniff.forms.columns import by_roles, by_yes, bytes_apart, columns_of, spoken
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.packets import Events
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.forms.table_rows import (
    ABOUT,
    PADDED,
    Plan,
    bare_time,
    fault_of,
    is_without_bytes,
    row_items,
    time_of,
    values_of,
)

_RULE = "-+=:| ─━│┃┼╇╪╋├┤╞╡┡┩┌┐└┘┬┴┳┻╒╕╘╛╤╧┏┓┗┛"
"""Characters of the line below the header."""

_SIGN = re.compile(r"[^\w\s\\]")
_BARE = re.compile(r"\d{1,19}(?:[.,]\d+)?")
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class TableForm:
    """Rows of columns."""

    name = "table"

    def recognise(self, source: Source) -> Guess | None:
        if not source.encoding:
            return None
        plan, rows = _look(source)
        if plan is None or not rows:
            return None
        sides.refuse_several(source.name, plan.ends)
        values = [value for row in rows for value in values_of(row, plan)]
        good = [value for value in values if bytes_of(value, plan.base) is not None]
        if not values or len(good) * 10 < len(values) * 9:
            return None
        data = b"".join(bytes_of(value, plan.base) or b"" for value in good)
        guess = self.guess(plan, rows, data)
        if guess.maybe_merged and not plan.named and (front := fronts.learn(source.head)) is not None and front.names:
            # a log whose lines have such marks in them
            return None
        return guess

    def forced(self, source: Source) -> Guess:
        guess = self.recognise(source)
        if guess is None:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        return guess

    def guess(self, plan: Plan, rows: Sequence[Sequence[str]], data: bytes) -> Guess:
        directed = bool(plan.sides) or "tx" in plan.columns or "event" in plan.columns
        stamps = [stamp for row in rows if (stamp := time_of(row, plan)) is not None]
        found = evidence.weigh(data)
        merged = not directed and (found.is_merged or not found.is_protocol)
        resolution = min((stamp.resolution for stamp in stamps), default=1)
        names = [name for name, _side in sorted(plan.sides.items(), key=lambda pair: pair[1])]
        pair = (names[0], names[1]) if len(names) == 2 and plan.sides[names[0]] == 0 else ("A", "B")
        header = Header(pair, mode="hex", timed=bool(stamps), resolution=resolution if resolution > 10_000 else 0)
        why = tr("why_table", count=len(rows), columns=spoken(plan.columns)) + clock.unit_words(
            plan.divisor if not plan.coarse else 0
        )
        why += sides.words_for(plan.sides)
        return Guess(why, header, merged=merged, maybe_merged=not directed, plan=plan)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        plan: Plan = guess.plan
        whole = True

        def texts() -> Iterator[str]:
            nonlocal whole
            for line, whole in source.lines():  # noqa: B007 - the last one's
                yield line

        rows = csv.reader(texts(), delimiter=plan.delimiter)
        watch = clock.Clock()
        events = Events(left)
        number = 0
        behind: list[Item] = []
        while True:
            try:
                row = next(rows)
            except StopIteration:
                break
            except csv.Error:
                left.add("left_lines", number + 1)
                continue
            number += 1
            if not any(cell.strip(_RULE) for cell in row) or (plan.named and number <= plan.head):
                continue
            yield from behind
            behind = []
            items = row_items(row, plan, watch, events, left, number)
            if is_without_bytes(row, plan):
                # a capture's closing record has none, and then nothing is lost: it is the last one
                behind = list(items)
            else:
                yield from items
        if source.cut or not whole:
            yield from behind
        if source.cut:
            yield Lost(watch.at, tr("lost_tail"))


def _look(source: Source) -> tuple[Plan | None, list[list[str]]]:
    """Return the plan of a table, and the rows of its beginning."""
    sample = source.head[:1000]
    first = next((line for line in sample if line.strip(_RULE)), "")
    # commas may be decimal points
    delimiters = "\t,;|│┃" + "&" * (sum(line.rstrip().endswith("\\\\") for line in sample) * 2 > len(sample))
    for delimiter in sorted(delimiters, key=first.count, reverse=True):
        try:
            rows = [row for row in csv.reader(sample, delimiter=delimiter) if any(cell.strip(_RULE) for cell in row)]
        except csv.Error:
            continue
        wide = [row for row in rows if len(row) > 1 and not _is_value(row)]
        if len(rows) < 2 or len(wide) * 10 < len(rows) * 8:
            continue
        for head in range(min(8, len(rows) - 1)):
            columns = columns_of(rows[head])
            if any(clock.match(cell.strip(" [(")) for cell in rows[head]) or _is_of_data(rows, head, columns):
                # a row of data with a word that is also a column name
                continue
            yes = by_yes(rows[head], rows[head + 1 :], columns)
            if columns:
                by_content(rows[head + 1 :], columns)
            if columns.keys() & {"data", "tx", "rx"} and columns.keys() & {"time", "side", "event", "tx", "rx"}:
                places = (
                    n
                    for n, line in enumerate(sample)
                    if line.strip() and next(csv.reader([line], delimiter=delimiter), []) == rows[head]
                )
                if (number := next(places, None)) is None:
                    # a quoted cell reaches over several lines
                    continue
                plan = Plan(delimiter, True, columns, head=number + 1)
                names = [name.strip().strip('"').lower() for name in rows[head]]
                plan.kind = (
                    names.index("type")
                    if "type" in names
                    and "data" in columns
                    and names.index("type") not in (columns["data"], columns.get("side"))
                    else -1
                )
                plan.take_unit(rows[head])
                plan.sides = yes
                apart = bytes_apart(rows[head])
                if apart is not None and columns.get("data") == apart[0]:
                    # behind the last one there may be more than the header names
                    plan.spread, plan.last = True, apart[1] if apart[1] < len(rows[head]) else None
                return finish(plan, rows[head + 1 :], len(rows[head]))
        bare = headless(delimiter, rows)
        if bare is not None:
            return finish(bare, rows)
    return None, []


def _rise(rows: Sequence[Sequence[str]], plan: Plan) -> bool:
    """Return whether times hardly ever run back."""
    times = [stamp.us for row in rows if (stamp := time_of(row, plan)) is not None]
    return sum(after < before for before, after in pairwise(times)) * 20 <= len(times)


def _is_of_data(rows: Sequence[Sequence[str]], head: int, columns: Mapping[str, int]) -> bool:
    """Return whether a supposed column name occurs in the column again."""
    some = rows[head + 1 : head + 20]
    places = [columns[role] for role in ("tx", "rx") if role in columns]
    if any(row[i : i + 1] == rows[head][i : i + 1] for row in some for i in places):
        return True
    # the names of columns in each row, as in a statement of SQL
    place = columns.get("side", -1)
    return place >= 0 and len(some) > 1 and all(row[place : place + 1] == rows[head][place : place + 1] for row in some)


def _is_value(row: Sequence[str]) -> bool:
    """Return whether a row is a list of some language: `('TX', [170])`."""
    opening = row[0].lstrip()[:1]
    return opening in ("(", "{", "[") and row[-1].rstrip()[-1:] == {"(": ")", "{": "}", "[": "]"}[opening]


def headless(delimiter: str, rows: Sequence[Sequence[str]]) -> Plan | None:
    """Plan a table without a header: a time, possibly an event or a side, and bytes."""
    widths = Counter(len(row) for row in rows)
    usual, often = widths.most_common(1)[0]
    uneven = often * 10 < 9 * len(rows)
    if not uneven:
        # a line above the table, or below it
        rows = [row for row in rows if len(row) == usual]
    width = max(len(row) for row in rows)
    if delimiter not in "\t,;|│┃&" or width < 2 or width > 12:
        return None
    columns: dict[str, int] = {}
    beside = _side_by_side(rows)
    best = (False, -1.0)
    for i in range(width):
        cells = [row[i].strip() for row in rows if len(row) > i and row[i].strip()]
        if len(cells) * 3 < len(rows):
            continue
        if all(_is_time(cell) for cell in cells) or clock.are_counts(cells):
            columns.setdefault("time", i)
        elif (
            all(re.fullmatch(r"0x0?[0-9a-fA-F]{1,2}", cell) and int(cell, 16) <= 10 for cell in cells)
            and delimiter == "\t"
        ):
            columns.setdefault("event", i)
        elif (
            all(sides.of_word(cell) is not None for cell in cells)
            and len({cell.lower() for cell in cells} & {"a", "b"}) != 1
        ) or (len(set(cells)) == 2 and len(cells) > 3 and _no_bytes(cells)):
            columns.setdefault("side", i)
        elif (len(set(cells)) < 2 < len(cells)) or (uneven and len(cells) < len(rows)):
            # the same on all rows, or not on all of them, as the later ones of several bytes
            continue
        elif cells != [str(int(cells[0]) + n) for n in range(len(cells))] if cells[0].isdecimal() else True:
            apart = [row[i].strip() for row in beside if len(row) > i and row[i].strip()]
            share = max(
                ((found.is_varied, found.share) for base in numerals.BASES if (found := _read(apart, base))),
                default=(False, -1.0),
            )
            if share > best:
                best, columns["data"] = share, i
    if "data" in columns and not columns.keys() & {"side", "event"}:
        by_roles(rows, columns, width)
    if "data" not in columns or not columns.keys() & {"time", "side", "event"}:
        return None
    if best[1] < evidence.enough():
        # a column of numbers may look like bytes, too
        return None
    if "side" not in columns and "event" not in columns and delimiter != "\t" and width > 2:
        return None
    return Plan(delimiter, False, columns)


def _no_bytes(cells: Sequence[str]) -> bool:
    """Return whether cells are names, or port numbers."""
    return not any(bytes_of(cell, 16) for cell in cells) or all(re.fullmatch(r"\d{4,5}", cell) for cell in cells)


def _is_time(cell: str) -> bool:
    bare = bare_time(cell)
    stamp = clock.match(bare)
    return stamp is not None and stamp.end == len(bare)


def _is_sized(value: str) -> bool:
    """Return whether a cell has a number followed by that many bytes."""
    data = bytes_of(value, 16)
    return data is not None and len(data) > 1 and f"{data[0]:x}" == str(len(data) - 1)


def _side_by_side(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return rows with those of one side before the other's, if a column tells it: both may have sent at once."""
    for i in range(max(map(len, rows), default=0)):
        told = [sides.of_name(row[i]) if len(row) > i and len(row[i].strip()) > 1 else None for row in rows]
        if set(told) == {0, 1} and len({row[i] for row in rows}) == len(set(told)):
            return [row for side in (0, 1) for row, own in zip(rows, told, strict=True) if own == side]
    return rows


def _read(values: Sequence[str], base: int) -> evidence.Evidence | None:
    """Weigh cells read in a base; None if most cannot be read."""
    made = [bytes_of(value, base) for value in values]
    if not values or sum(data is not None for data in made) * 10 < 9 * len(made):
        return None
    return evidence.weigh(b"".join(data for data in made if data))


def _with_lengths(rows: Sequence[Sequence[str]], cells: Mapping[int, Sequence[str]]) -> int | None:
    """Return the column of bytes whose number stands in another column of each row, None if there is none."""
    for i, some in cells.items():
        sizes = [len(bytes_of(cell, numerals.HEX) or b"") for cell in some]
        if len(some) < len(rows) or len(set(sizes)) < _LEAST or 0 in sizes:
            continue
        if any([cell.strip() for cell in column] == list(map(str, sizes)) for n, column in cells.items() if n != i):
            return i
    return None


_LEAST = 3
"""Different lengths."""


def by_content(rows: Sequence[Sequence[str]], columns: dict[str, int]) -> None:
    """Find the columns of bytes and sides by their content, if their names do not tell."""
    width = max((len(row) for row in rows), default=0)
    rows = _side_by_side(rows)
    cells = {
        i: some
        for i in range(width)
        if i not in columns.values() and (some := [row[i].strip() for row in rows if len(row) > i and row[i].strip()])
    }
    if not columns.keys() & {"data", "tx", "rx"} and columns.keys() & {"time", "side"}:
        sample = {i: [cell for cell in some if not ABOUT.fullmatch(cell)] for i, some in cells.items()}
        whole = {i for i, some in cells.items() if len(some) == len(rows)}
        some_only = any(i not in whole and _read(some, base) for i, some in sample.items() for base in (16, 10))
        # a byte a column is not meant
        found = (
            []
            if some_only
            else [
                (read.is_varied, read.share, -i)
                for i, some in sample.items()
                for base in numerals.BASES
                if (read := _read(some, base)) and (read.is_protocol and read.is_varied)
            ]
        )
        if not found and (i := _with_lengths(rows, sample)) is not None:
            found = [(True, 1.0, -i)]
        if found:
            columns["data"] = -max(found)[2]
            cells.pop(columns["data"])
        two = [i for i, some in sample.items() if i not in whole and any(_read(some, base) for base in (16, 10))]
        if (
            not found
            and len(two) == 2
            and all(sum(bool("".join(row[i : i + 1]).strip()) for i in two) == 1 for row in rows)
        ):
            # a column for each side, with names that tell nothing
            columns["tx"], columns["rx"] = two
    if "data" in columns and not columns.keys() & {"side", "event"}:
        for i, some in cells.items():
            if len(set(some)) == 2 and {sides.of_name(cell) for cell in set(some)} == {0, 1}:
                columns["side"] = i
                break


def finish(plan: Plan, rows: list[list[str]], named: int = 0) -> tuple[Plan, list[list[str]]]:
    """Complete a plan by the rows' cells: notation of the numbers, sides, and columns that mean something else."""
    columns = plan.columns
    for role in ("parity", "framing"):
        if sum(bool(fault_of(row, {role: columns.get(role, -1)})) for row in rows) * 4 > len(rows):
            # the bit itself
            columns.pop(role, None)
    place = columns.get("time", -1)
    times = [row[place].strip() for row in rows if 0 <= place < len(row) and row[place].strip()]
    plan.thousands = numerals.thousands_of(times, plan.delimiter, plan.scale)
    plan.gaps = place == columns.pop("delta", -1) and not _rise(rows, plan)
    is_tick = place == columns.pop("tick", -1)
    if plan.scale == SECOND and not plan.unit and times and all(map(_BARE.fullmatch, times)):
        moments = [stamp.us for row in rows if (stamp := time_of(row, plan)) is not None]
        plan.divisor = clock.divisor(list(accumulate(moments)) if plan.gaps else moments)
        if is_tick and plan.divisor == 1:
            plan.scale = TICK_DIVIDEND / TICK_DIVISOR
            plan.coarse = round(plan.scale)
    place = columns.get("data", -1)
    behind = [cell for row in rows for cell in row[max(place + 1, named) :] if cell.strip()]
    plan.spread |= place >= 0 and plan.delimiter in ",;|" and len({len(row) for row in rows}) > 1 and bool(behind)
    if plan.last is None:
        plan.spread = plan.spread and all(bytes_of(cell, 16) or bytes_of(cell, 10) for cell in behind)
    values = [value for row in rows for value in values_of(row, plan)]
    (width, often), *_others = Counter(map(len, rows)).most_common(1) or [(0, 0)]
    plan.width = width if often * 20 >= 19 * len(rows) and not plan.spread else 0
    plan.full = sum(bool(values_of(row, plan)) for row in rows) * 20 >= 19 * len(rows)
    plan.sized = len(values) > 3 and all(re.match(r"\W*\d+\W", value) for value in values)
    plan.sized = plan.sized and all(_is_sized(value) for value in values)
    if plan.sized:
        values = [re.sub(r"^\W*\d+\W", "", value) for value in values]
    bases = (*numerals.BASES, LETTERS) if any(re.fullmatch(r"'\d{2,3}'", value) for value in values) else numerals.BASES
    shares = [(found.share, -n, base) for n, base in enumerate(bases) if (found := _read(values, base))]
    if any(value.startswith("\\x") for value in values) and any(map(_SIGN.fullmatch, values)):
        plan.base = 1
    elif shares:
        plan.base = max(shares)[2]
    elif sum(value.startswith("\\") for value in values) * 2 > len(values):
        plan.base = 1
    elif not all(bytes_of(value, 16) is not None for value in values) and all(map(_BASE64.fullmatch, values)):
        plan.base = 64
    plan.padded = plan.base == 16 and sum(PADDED.search(value) is not None for value in values) > 1
    alone = [value for value in values if re.fullmatch("0?[0-9]", value)]
    plan.stripped = len(alone) > 1 and all(len(value) == 1 for value in alone)
    if "side" in columns and not plan.sides:
        names = [row[columns["side"]].strip() for row in rows if len(row) > columns["side"] and values_of(row, plan)]
        plan.sides = sides.of_two(names) if names else {}
        plan.ends = [[name] for name in names if not plan.sides]
    return plan, rows
