"""One row of a table: its bytes, side, time and faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, Chunk, Fault, Item, Lost
from seabattle_host.sniff.forms import clock
from seabattle_host.sniff.forms.cells import LETTERS, NOTHING, bytes_of
from seabattle_host.sniff.forms.columns import scale_of
from seabattle_host.sniff.forms.interface import Left
from seabattle_host.sniff.forms.own_files import marked_bytes
from seabattle_host.sniff.forms.packets import Events

_EPOCHS = {13: 1000, 16: 1, 19: 0.001}
"""Digits of a time since the epoch -> microseconds per unit."""


@dataclass
class Plan:
    """How to read the rows of a table."""

    delimiter: str = ","
    named: bool = True
    columns: dict[str, int] = field(default_factory=dict)
    kind: int = -1
    """The column with the kind of record; only rows such as `data` count."""
    base: int = 16
    sides: dict[str, int] = field(default_factory=dict)
    scale: float = SECOND
    head: int = 0
    """Row number of the header."""
    sized: bool = False
    """The bytes are preceded by their number."""
    padded: bool = False
    """All bytes have two digits."""
    stripped: bool = False
    """... but for those that a spreadsheet took for numbers: `01` became 1."""
    thousands: str = ""
    """The thousands separator."""
    ends: list[list[str]] = field(default_factory=list)
    """Names that tell no side, by row."""
    spread: bool = False
    """The bytes are separated by the delimiter, too: all columns from theirs on are bytes."""
    last: int | None = None
    """Where the columns of bytes end, if each byte has one."""
    unit: bool = False
    """The column of times says its unit."""
    divisor: int = 1
    """By what times without a unit, taken for seconds, are divided."""
    gaps: bool = False
    """Times are since the row before."""
    coarse: int = 0
    """The resolution of times, microseconds, if these are counts of something longer."""
    width: int = 0
    """The number of columns that all rows have, 0 if they differ."""
    full: bool = False
    """All rows have bytes."""

    def take_unit(self, names: Sequence[str]) -> None:
        """Take the unit of times from the names of the columns."""
        scale = scale_of(names[self.columns["time"]]) if "time" in self.columns else None
        self.unit = scale is not None
        self.scale = scale or SECOND


def row_items(
    row: Sequence[str], plan: Plan, watch: clock.Clock, events: Events, left: Left, number: int
) -> Iterator[Item]:
    """Yield the items of a row."""
    columns = plan.columns
    kind = row[plan.kind].strip().lower() if 0 <= plan.kind < len(row) else ""
    if plan.kind >= 0 and kind not in _DATA_KINDS and kind not in _WITHOUT_BYTES:
        left.add("left_lines", number)
        return
    stamp = time_of(row, plan)
    if stamp is not None:
        watch.take(stamp)
    if kind in _WITHOUT_BYTES and "data" in columns:
        if kind == "lost":
            # the reason follows the bytes
            why = next(filter(None, row[columns["data"] + 1 :]), "")
            yield Lost(watch.at, why or tr("lost_damaged", line=number))
        return
    fault = fault_of(row, columns)
    if "event" in columns and len(row) > columns["event"]:
        code = _event(row[columns["event"]])
        values = values_of(row, plan)
        data = bytes_of(values[0], plan.base) if values else b""
        if code is None or data is None:
            left.add("left_lines", number)
        else:
            yield from events.event(watch.at, code, data, number)
        return
    some = False
    for role, side in (("data", None), ("tx", 0), ("rx", 1)):
        place = columns.get(role, -1)
        value = _cell(row, place, plan)
        if not value:
            continue
        if ABOUT.fullmatch(value):
            some = True
            if "error" in value.lower():
                left.add("left_lines", number)
                yield Lost(watch.at, tr("lost_damaged", line=number))
            continue
        torn = _HALF.search(value) if plan.padded and not (plan.stripped and value.isdigit()) else None
        if torn is not None:
            value = value[: torn.start()]
        faults = b""
        if fault and _MARKED.fullmatch(value):
            data, faults = marked_bytes(value)
        else:
            data = bytes_of(value, plan.base, plan.sized)
        if data is None:
            left.add("left_lines", number)
            if _TORN.fullmatch(value) or len(value) <= _SHORT:
                yield Lost(watch.at, tr("lost_damaged", line=number))
            some = True
            continue
        own = side
        some = True
        if own is None and plan.sides:
            name = row[columns["side"]].strip() if columns["side"] < len(row) else ""
            own = plan.sides.get(name)
            if own is None:
                left.add("left_lines", number)
                yield Lost(watch.at, tr("lost_damaged", line=number))
                continue
        if data:
            if fault and not any(faults):
                # which of them is unknown
                faults = bytes((fault,)) + bytes(len(data) - 1)
            yield Chunk(watch.at, own or 0, data, faults)
        if torn is not None:
            yield Lost(watch.at, tr("lost_damaged", line=number))
    if plan.width and any(cell.strip() for cell in row[plan.width :]):
        # the row below, without the end of this one
        left.add("left_text", number)
        yield Lost(watch.at, tr("lost_damaged", line=number))
    if not some:
        left.add("left_lines", number)
        short = len(row) > 1 and len(row) <= min(columns.get(role, len(row)) for role in ("data", "tx", "rx"))
        known = stamp is not None or any(cell.strip() in plan.sides for cell in row)
        if known and (plan.full or short):
            yield Lost(watch.at, tr("lost_damaged", line=number))


def is_without_bytes(row: Sequence[str], plan: Plan) -> bool:
    """Return whether a row has a time and all its cells, and no bytes."""
    if plan.kind >= 0 or "event" in plan.columns:
        return False
    return len(row) == plan.width and not values_of(row, plan) and time_of(row, plan) is not None


_TORN = re.compile(r"(?:0[xX]?|\\x?)?[0-9A-Fa-f]?")
"""The rest of a byte that was cut off."""

_SHORT = 6
"""Most characters of what may have been a byte."""

PADDED = re.compile(r"(?<![0-9A-Fa-f])0[0-9A-Fa-f](?![0-9A-Fa-f])")
_HALF = re.compile(r"(?:^|(?<=[\s,;:\[#$-]))(?:0[xX]|\\x|[#$\[])?[0-9A-Fa-f]$")
"""A last byte that lacks a digit, in a table where all have two."""

_DATA_KINDS = ("data", "byte", "frame", "uart", "tx", "rx", "value", "async serial", "result", "noise", "cut")

_WITHOUT_BYTES = ("lack", "lost")
"""Our own records of things that did not come."""

_MARKED = re.compile(r"[0-9A-F]{2}[pfob]*(?: [0-9A-F]{2}[pfob]*)*")
"""Bytes as printed by `rendering.hexed`, with letters of their faults."""


def _event(text: str) -> int | None:
    match = re.search(r"0x([0-9a-fA-F]+)|(\d+)", text)
    if match is None:
        return None
    return int(match[1], 16) if match[1] else int(match[2])


def fault_of(row: Sequence[str], columns: Mapping[str, int]) -> int:
    """Return the marks of a row's byte, by its columns of errors."""
    fault = 0
    for role, flag in (("parity", Fault.PARITY), ("framing", Fault.FRAMING), ("error", Fault.PARITY | Fault.FRAMING)):
        place = columns.get(role, -1)
        text = row[place].strip().lower() if 0 <= place < len(row) else ""
        if text in ("", "0", "false", "no", "ok", "none", "-", "нет"):
            continue
        if role == "error" and "parity" in text:
            fault |= Fault.PARITY
        elif role == "error" and "fram" in text:
            fault |= Fault.FRAMING
        else:
            fault |= flag
    return int(fault)


def values_of(row: Sequence[str], plan: Plan) -> list[str]:
    """Return the cells of a row that hold bytes."""
    if plan.kind >= 0 and (len(row) <= plan.kind or row[plan.kind].strip().lower() not in _DATA_KINDS):
        return []
    places = [plan.columns[role] for role in ("data", "tx", "rx") if role in plan.columns]
    values = [value for place in places if (value := _cell(row, place, plan))]
    return [value for value in values if not ABOUT.fullmatch(value)]


ABOUT = re.compile(r"(?i)(?:(?:start|stop|parity)(?: bit)?|idle|break|warning.*|(?:frame|framing|parity) error)")
"""A decoder's annotations of parts of a byte."""


def _cell(row: Sequence[str], place: int, plan: Plan) -> str:
    """Return the cell with a row's bytes, empty if there is none."""
    if not 0 <= place < len(row):
        return ""
    if plan.spread:
        return " ".join(row[place : plan.last]).strip()
    if NOTHING.fullmatch(row[place].strip()):
        return ""
    value = row[place].strip() or (row[place] if row[place] == " " and plan.base in (LETTERS, 1) else "")
    opened = _OPENED.fullmatch(value)
    if opened is not None:
        # a string that contains the delimiter
        behind = plan.delimiter.join(row[place:]).strip()
        value = behind[: behind.rfind(opened[1]) + 1] if opened[1] in behind[1:].removeprefix("'") else value
    return value


_OPENED = re.compile(r"b?(['\"])(?:\\.|(?!\1)[^\\])*")
"""A string that is not closed."""


def time_of(row: Sequence[str], plan: Plan) -> clock.Stamp | None:
    """Return the time of a row, None if it has none."""
    place = plan.columns.get("time", -1)
    if not 0 <= place < len(row):
        return None
    text = row[place].strip()
    if plan.thousands:
        text = text.replace(plan.thousands, "")
    date = plan.columns.get("date", -1)
    if 0 <= date < len(row) and (stamp := clock.match(f"{row[date].strip()} {text}")) is not None:
        return stamp
    scale = _EPOCHS.get(len(text), plan.scale) if text.isdigit() and text[0] == "1" else plan.scale
    if scale < 1 and text.isdigit() and len(text) < 30:
        return clock.Stamp(clock.SPAN, int(text) // 1000 // plan.divisor, 0, 1)
    if re.fullmatch(r"-?\d{1,18}(?:[.,]\d{1,40})?(?:[eE][+-]?\d{1,3})?", text):
        number = text.replace(",", ".")
        digits = len(number.partition(".")[2]) if "e" not in number.lower() else 9
        whole, _dot, fraction = number.partition(".")
        if scale == SECOND and "e" not in number.lower():
            us = int(whole) * SECOND + int(fraction.ljust(6, "0")[:6] or 0) * (-1 if whole.startswith("-") else 1)
        else:
            us = round(float(number) * scale)
        us //= plan.divisor
        # where not all are whole seconds, an analyser omitted trailing zeros
        coarse = SECOND // plan.divisor if digits == 0 and scale == SECOND else 1
        return clock.Stamp(clock.GAP if plan.gaps else clock.SPAN, us, 0, max(1, coarse, plan.coarse))
    return clock.match(bare_time(text))


def bare_time(cell: str) -> str:
    """Strip brackets and a preceding line number from a time."""
    return re.sub(r"^(?:#?\d+|-)\s+(?=\S{5})", "", cell.strip()).strip(" [()]:'\"")
