"""Formats in which records are written: text for people, JSON lines for programs, pcapng for Wireshark."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from typing import Any, Protocol

from seabattle import watch, wire
from seabattle_host import __version__
from seabattle_host.language import codes
from seabattle_host.language.messages import tr
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import MARKS, SECOND, SIDES, TICK_DIVIDEND, TICK_DIVISOR, Fault, Header
from seabattle_host.sniff.file_seals import JSON_FORMAT, Closing, Hashed, Part, seal
from seabattle_host.sniff.forms.packets import LINKTYPE_RTAC, RTAC_FAULTS, RTAC_LOST, RTAC_SILENT
from seabattle_host.sniff.record import LOST, Record

JSON_VERSION = 1

RTAC_SENT = (1, 2)
"""Event types of bytes sent by side A and side B."""

KINDS = codes.KINDS | {LOST: "lost"}


class Form(Protocol):
    """A file format: its head, records and tail."""

    def head(self, header: Header, part: Part | None = None) -> bytes:
        """Return the beginning of a file. part: its place in the run."""

    def record(self, record: Record) -> bytes:
        """Return a whole record; may be empty."""

    def tail(self, last: bool, closing: Mapping[str, object] | None = None) -> bytes:
        """Return the end of a file; may be empty. last: the run ends with it. closing: the result of a check."""


class _Unnumbered:
    """A format without the records' numbers: what is left out between two of them is said in it."""

    def __init__(self) -> None:
        self._last = 0

    def left_out(self, record: Record) -> Record | None:
        """Take a record; return a gap for those that were not selected before it, None if there are none."""
        last, self._last = self._last, record.number
        if not 0 < last < record.number - 1:
            return None
        why = tr("lost_records", first=last + 1, last=record.number - 1)
        at = record.at
        return Record(record.number, at, at, 0, wire.NOBODY, LOST, 0, b"", b"", watch.OK, 0, watch.UNSURE, text=why)


class TextForm(_Unnumbered):
    """One line per frame, like the live view, with exact times."""

    def __init__(self) -> None:
        super().__init__()
        self._began = 0
        self._hashed = Hashed()
        self._closing: Closing | None = None

    def head(self, header: Header, part: Part | None = None) -> bytes:
        self._began = header.began
        self._closing = Closing() if part is not None else None
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(header.began // SECOND))
        about = f"# seabattle {header.mode}, A {header.names[0]}, B {header.names[1]}, {header.settings}"
        place = self._hashed.begin(part)
        return self._hashed.take(f"{about}, {stamp}.{header.began % SECOND:06} UTC{place}\n".encode())

    def record(self, record: Record) -> bytes:
        gap = self.left_out(record)
        return (self._line(gap) if gap else b"") + self._line(record)

    def _line(self, record: Record) -> bytes:
        mark = "-" if record.kind in (watch.LACK, LOST) else MARKS[record.side]
        notes = [note for note in (rendering.faults(record), rendering.fault_text(record)) if note]
        if record.unsure:
            notes.insert(0, tr("unsure"))
        remark = "  ! " + "; ".join(notes) if notes else ""
        # the bytes end with two spaces, whatever the meaning starts with
        lines, pieces = [], _pieces(record)
        for i, (at, raw, faults, offsets) in enumerate(pieces):
            meaning = rendering.meaning(record) + remark if i == len(pieces) - 1 else "..."
            meaning += rendering.times(record, offsets)
            if record.kind == LOST:
                meaning += "  !lost"
            shown = rendering.hex_text(raw, faults)
            lines.append(f"{rendering.seconds(at - self._began):>12} {mark} {shown:<18}  {meaning}\n")
        text = "".join(lines)
        if self._closing is not None:
            # any line end that the reader accepts
            for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
                self._closing.take_line(line)
            if self._closing.is_full:
                text += f"# {self._closing.mark()}\n"
        return self._hashed.take(text.encode())

    def tail(self, last: bool, closing: Mapping[str, object] | None = None) -> bytes:
        return b"" if self._closing is None else self._hashed.take(f"# {self._closing.seal_text(last)}\n".encode())


class JsonForm:
    """One JSON object per line, each with a CRC-16; the schema is docs/capture.schema.json."""

    def __init__(self) -> None:
        self._part: Part | None = None
        self._hash = hashlib.sha256()
        self._records = 0

    def head(self, header: Header, part: Part | None = None) -> bytes:
        if part is not None and self._part is not None:
            part.before = self._hash.hexdigest()[:16]
        self._part = part
        self._hash = hashlib.sha256()
        body: dict[str, object] = {
            "type": "header",
            "format": JSON_FORMAT,
            "version": JSON_VERSION,
            "program": f"seabattle {__version__}",
            "mode": header.mode,
            "names": list(header.names),
            "settings": header.settings,
            "began": header.began,
        }
        if not header.timed:
            body["timed"] = False
        if not header.ordered:
            body["ordered"] = False
        if header.resolution:
            body["resolution"] = header.resolution
        if header.read_as:
            body["read_as"] = list(header.read_as)
        if part is not None:
            body |= {"run": part.run, "part": part.number}
            if part.before:
                body["before"] = part.before
        return self._hashed(seal(body))

    def record(self, record: Record) -> bytes:
        self._records = record.number
        return self._hashed(seal(as_json(record)))

    def tail(self, last: bool, closing: Mapping[str, object] | None = None) -> bytes:
        if self._part is None:
            return b""
        hashed = self._hash.hexdigest()[:16]
        return self._hashed(seal({"type": "end", "n": self._records, "last": last, **(closing or {}), "hash": hashed}))

    def _hashed(self, line: bytes) -> bytes:
        self._hash.update(line)
        return line


def as_json(record: Record) -> dict[str, object]:
    """Return a record as a JSON object, without its CRC."""
    body: dict[str, object] = {"type": KINDS[record.kind], "n": record.number, "at": record.at}
    if record.kind == LOST:
        return body | {"why": record.text}
    body["side"] = SIDES[record.side]
    if record.role:
        body["role"] = codes.ROLES[record.role]
    if record.kind != watch.STRAY:
        body["op"] = f"{record.op:02X}"
    if record.raw:
        body["raw"] = record.raw.hex().upper()
    if record.offsets:
        body["offsets"] = list(record.offsets)
    if record.crossed:
        body["crossed"] = True
    if record.faults:
        body["faults"] = {str(i): Fault(fault).words for i, fault in enumerate(record.faults) if fault}
    if record.kind != watch.STRAY:
        body |= _fields(record)
    body["verdict"] = codes.VERDICTS[record.verdict]
    if record.reason:
        body["reason"] = codes.REASONS[record.reason]
    if record.maybe:
        body["maybe"] = True
    if record.follows:
        body["follows"] = record.follows
    if record.state != watch.UNSURE:
        body["state"] = record.state
    if record.answers:
        body["answers"] = f"{record.answers:02X}"
    if record.reply >= 0:
        body["reply"] = record.reply
    if record.unsure:
        body["unsure"] = True
    if record.kind == watch.FRAME:
        body["meaning"] = rendering.meaning(record)
    explained = rendering.fault_text(record)
    if explained:
        body["wrong"] = explained
    return body


def _fields(record: Record) -> dict[str, object]:
    """Return the fields of a complete frame by their names in the table."""
    row = wire.exchange(record.op)
    if row is None or record.kind != watch.FRAME:
        return {}
    names = (row[wire.FIELDS] if wire.is_command(record.op) else row[wire.REPLY_FIELDS]).split()
    if not names:
        return {}
    if names[0] == "l":
        return {"fields": {names[1]: record.body.decode("cp866")}}
    return {"fields": dict(zip(names, record.body, strict=False))}


class PcapngForm(_Unnumbered):
    """pcapng with link type 250, one packet per frame; a frame with pauses inside is split into several."""

    def __init__(self) -> None:
        super().__init__()
        self._stream = BytesIO()
        self._writer: Any = None
        self._hashed = Hashed()
        self._closing: Closing | None = None
        self._at = 0
        self._section: Any = None

    def head(self, header: Header, part: Part | None = None) -> bytes:
        # slow to import, and most runs write no such file
        from pcapng import FileWriter, blocks  # type: ignore[import-untyped]

        self._closing = Closing() if part is not None else None
        self._at = header.began
        comment = f"seabattle {header.mode}{self._hashed.begin(part)}"
        options = {"shb_userappl": f"seabattle {__version__}", "opt_comment": comment}
        self._section = blocks.SectionHeader(options=options)
        self._section.new_member(
            blocks.InterfaceDescription,
            link_type=LINKTYPE_RTAC,
            snaplen=0x40000,
            options={
                "if_name": " | ".join(header.names),
                "if_description": header.settings or "-",
            },
        )
        self._writer = FileWriter(self._stream, self._section)
        return self._taken()

    def record(self, record: Record) -> bytes:
        if (gap := self.left_out(record)) is not None:
            self._packet(gap.at, RTAC_LOST, b"", json.dumps({"why": gap.text}))
        if record.kind == LOST:
            self._packet(record.at, RTAC_LOST, b"", json.dumps({"why": record.text}))
        elif record.kind == watch.LACK:
            # nothing came up to the end of the capture
            self._at = record.at
        for at, raw, faults, offsets in _pieces(record):
            for event, fault in RTAC_FAULTS.items():
                for marked in faults:
                    if fault in Fault(marked):
                        self._packet(at, event, b"")
            if raw:
                self._packet(at, RTAC_SENT[record.side], raw, _comment(offsets, faults, record.crossed))
        return self._taken()

    def tail(self, last: bool, closing: Mapping[str, object] | None = None) -> bytes:
        if self._closing is None:
            return b""
        # an event without bytes: other programs keep packets, but not all blocks, when they save a file again
        self._packet(self._at, RTAC_SILENT[-1], b"", self._closing.seal_text(last))
        return self._taken()

    def _packet(self, at: int, event: int, raw: bytes, comment: str = "") -> None:
        from pcapng import blocks

        head = (at // SECOND & 0xFFFFFFFF).to_bytes(4, "big") + (at % SECOND).to_bytes(4, "big")
        data = head + bytes((event, 0, 0, 0)) + raw
        if self._closing is not None:
            if raw and self._closing.is_full:
                comment = json.dumps((json.loads(comment) if comment else {}) | {"mark": self._closing.mark()})
            self._closing.take(data + comment.encode())
        self._at = at
        packet = self._section.new_member(
            blocks.EnhancedPacket,
            interface_id=0,
            timestamp_high=at >> 32,
            timestamp_low=at & 0xFFFFFFFF,
            captured_len=len(data),
            packet_len=len(data),
            packet_data=data,
            **({"options": {"opt_comment": comment}} if comment else {}),
        )
        self._writer.write_block(packet)

    def _taken(self) -> bytes:
        data = self._stream.getvalue()
        self._stream.seek(0)
        self._stream.truncate()
        return self._hashed.take(data)


_PAUSE = TICK_DIVIDEND // TICK_DIVISOR


_EVEN = 5_000
"""Bytes within this many microseconds need no times of their own: no tick is that short."""


def _comment(offsets: Sequence[int], faults: bytes, crossed: bool) -> str:
    """Return what an RTAC packet cannot hold.

    That is which bytes are damaged, when each came, and whether bytes of the other side came between.
    """
    remarks: dict[str, object] = {}
    if any(faults):
        remarks["faults"] = {str(i): Fault(fault).words for i, fault in enumerate(faults) if fault}
    if offsets:
        remarks["offsets"] = list(offsets)
    if crossed:
        remarks["crossed"] = True
    return json.dumps(remarks, separators=(",", ":")) if remarks else ""


def _pieces(record: Record) -> list[tuple[int, bytes, bytes, Sequence[int]]]:
    """Split the bytes of a record at pauses of a tick: time, bytes, faults, and offsets.

    The offsets are in microseconds, empty for bytes that came practically together.
    """
    offsets = record.offsets or (0,) * len(record.raw)
    cuts = [0, *(i for i in range(1, len(offsets)) if offsets[i] - offsets[i - 1] >= _PAUSE), len(offsets)]
    pieces: list[tuple[int, bytes, bytes, Sequence[int]]] = []
    for first, last in pairwise(cuts):
        at = record.at + (offsets[first] if offsets else 0)
        own = [offset - offsets[first] for offset in offsets[first:last]]
        # interleaved bytes of two senders on one line are told apart by their times
        kept = own if own and (own[-1] >= _EVEN or record.unsure or record.crossed or record.ticked) else []
        pieces.append((at, record.raw[first:last], record.faults[first:last], kept))
    return pieces


FORMS: dict[str, type[TextForm] | type[JsonForm] | type[PcapngForm]] = {
    "log": TextForm,
    "json": JsonForm,
    "pcapng": PcapngForm,
}
"""Option name -> format of its file."""
