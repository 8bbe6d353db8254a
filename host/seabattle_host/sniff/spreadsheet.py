"""Records as a table for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import StringIO

from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import SECOND, Header
from seabattle_host.sniff.file_seals import Part
from seabattle_host.sniff.form_writers import FORMS, JsonForm, PcapngForm, TextForm, as_json
from seabattle_host.sniff.record import LOST, Record


class CsvForm:
    """A CSV table: one row per record, with a header row."""

    def head(self, header: Header, part: Part | None = None) -> bytes:
        return _row(_COLUMNS)

    def record(self, record: Record) -> bytes:
        named = as_json(record)
        cells = [str(named.get(name, "")) for name in _COLUMNS]
        cells[_COLUMNS.index("number")] = str(record.number)
        cells[_COLUMNS.index("time")] = f"{record.at // SECOND}.{record.at % SECOND:06}"
        cells[_COLUMNS.index("bytes")] = rendering.hex_text(record.raw, record.faults)
        cells[_COLUMNS.index("offsets")] = " ".join(map(str, record.offsets or (0,) * len(record.raw) * record.crossed))
        cells[_COLUMNS.index("faults")] = rendering.faults(record)
        cells[_COLUMNS.index("reply_ms")] = f"{record.reply / 1000:.3f}" if record.reply >= 0 else ""
        cells[_COLUMNS.index("meaning")] = record.text if record.kind == LOST else rendering.meaning(record)
        return _row(cells)

    def tail(self, last: bool, closing: Mapping[str, object] | None = None) -> bytes:
        return b""


_COLUMNS = (
    "number", "time", "side", "role", "type", "op", "bytes", "meaning", "verdict", "reason", "state", "answers",
    "reply_ms", "faults", "unsure", "offsets", "crossed", "wrong",
)  # fmt: skip


def _row(cells: Sequence[str]) -> bytes:
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue().encode()


KEPT: dict[str, type[TextForm] | type[JsonForm] | type[PcapngForm] | type[CsvForm]] = {**FORMS, "csv": CsvForm}
"""All formats that can be written; a table is for people and does not hold every byte's time."""
