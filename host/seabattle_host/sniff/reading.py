"""Reads captures back: pcapng, JSON lines, text logs, raw dumps, and hex dumps as people paste them.

What is damaged or cut off is left out and said so (`Lost`); nothing that a file may hold raises anything but UserError.
"""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from pcapng import FileScanner, blocks  # type: ignore[import-untyped]
from pcapng.exceptions import PcapngException  # type: ignore[import-untyped]

from seabattle_host.errors import UserError
from seabattle_host.language.sniff_phrases import say
from seabattle_host.sniff.capture import MARKS, SECOND, SIDES, Chunk, Fault, Header, Item, Lost
from seabattle_host.sniff.merge import interleave
from seabattle_host.sniff.storage import (
    JSON_FORMAT,
    LINKTYPE_RTAC,
    RTAC_FAULTS,
    RTAC_HEADER,
    RTAC_LOST,
    RTAC_SENT,
    unseal,
)

FORMATS = ("pcapng", "json", "log", "hex", "raw")

_PCAPNG_MAGIC = b"\x0a\x0d\x0d\x0a"


@dataclass
class Capture:
    """What was read: `merged` captures have both directions on side 0, to be sorted."""

    header: Header
    items: list[Item]
    merged: bool = False

    @property
    def size(self) -> int:
        """Bytes of the line."""
        return sum(len(item.data) for item in self.items if isinstance(item, Chunk))


def read(paths: Sequence[str], form: str | None = None, merged: bool = False) -> Capture:
    """Read files as one capture: parts in their order, or two raw dumps as the sides A and B.

    form: one of FORMATS, None to see for oneself. merged: a raw dump has both directions in one.
    Raises UserError for a file that cannot be read or is not what it should be.
    """
    contents = [(path, _content(path)) for path in paths]
    forms = [form or recognise(data) for _path, data in contents]
    if forms and all(name == "raw" for name in forms):
        return _read_raw(contents, merged)
    captures = []
    for (path, data), name in zip(contents, forms, strict=True):
        if name == "raw":
            raise UserError(say("mixed_dumps", count=len(paths)))
        captures.append(parse(data, name, path))
    whole = captures[0]
    for part in captures[1:]:
        whole.items += part.items
        whole.merged = whole.merged or part.merged
    if not whole.size:
        raise UserError(say("is_empty", file=", ".join(paths)))
    return whole


def recognise(data: bytes) -> str:
    """The form of a file's content, one of FORMATS."""
    if data.startswith(_PCAPNG_MAGIC):
        return "pcapng"
    if data.lstrip()[:1] == b"{":
        return "json"
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        return "raw"
    if any(_LOG_LINE.match(line) for line in lines[:50]):
        return "log"
    said = [line for line in lines if line.strip()]
    if said and data.isascii() and any(ord(c) < 9 for c in data.decode("ascii")):
        return "raw"
    return "hex" if any(any(values for _side, values in _pasted(_timeless(line))) for line in said) else "raw"


def parse(data: bytes, form: str, name: str) -> Capture:
    """A file's content in one of the forms but `raw`. Raises UserError."""
    if form == "pcapng":
        return _read_pcapng(data, name)
    if form == "json":
        return _read_json(data, name)
    if form == "log":
        return _read_log(data)
    return _read_hex(data)


def _content(path: str) -> bytes:
    try:
        # Editors put a mark before text in UTF-8; on a line these three bytes would be noise.
        return Path(path).read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise UserError(say("cannot_read", file=path, reason=error.strerror)) from None


# Raw bytes.


def _read_raw(contents: list[tuple[str, bytes]], merged: bool) -> Capture:
    names = [path for path, _data in contents]
    dumps = [data for _path, data in contents]
    if len(dumps) > 2:
        raise UserError(say("mixed_dumps", count=len(dumps)))
    if not any(dumps):
        raise UserError(say("is_empty", file=", ".join(names)))
    if len(dumps) == 1:
        header = Header((names[0], "-"), mode="raw", timed=False)
        return Capture(header, [Chunk(0, 0, dumps[0])], merged)
    header = Header((names[0], names[1]), mode="raw", timed=False, ordered=False)
    return Capture(header, list(interleave((dumps[0], dumps[1]))))


# pcapng.


def _read_pcapng(data: bytes, name: str) -> Capture:
    header = Header()
    items: list[Item] = []
    faults = Fault(0)
    at = 0
    try:
        for block in FileScanner(BytesIO(data)):
            if isinstance(block, blocks.InterfaceDescription):
                if block.link_type != LINKTYPE_RTAC:
                    raise UserError(say("bad_link_type", file=name, number=block.link_type))
                header = _interface(header, block)
            elif isinstance(block, blocks.EnhancedPacket) and len(block.packet_data) >= RTAC_HEADER:
                seconds, micros, event = struct.unpack_from(">IIB", block.packet_data)
                at = seconds * SECOND + micros
                payload = bytes(block.packet_data[RTAC_HEADER:])
                if event == RTAC_LOST:
                    items.append(Lost(at, say("lost_driver")))
                for fault, number in RTAC_FAULTS.items():
                    if event == number:
                        faults |= fault
                if payload and event in RTAC_SENT:
                    # which byte of the packet it was is not in the file
                    marked = bytes((faults,)) + bytes(len(payload) - 1) if faults else b""
                    items.append(Chunk(at, RTAC_SENT.index(event), payload, marked))
                    faults = Fault(0)
    except UserError:
        raise
    except (PcapngException, struct.error, ValueError, KeyError, IndexError, TypeError, OverflowError, MemoryError):
        # the package lets errors of its own parsing through for damaged blocks
        items.append(Lost(at, say("lost_tail")))
    except Exception as error:
        raise UserError(say("not_format", file=name, format="pcapng")) from error
    first = next((item.at for item in items), 0)
    return Capture(replace(header, began=first), items)


def _interface(header: Header, block: blocks.InterfaceDescription) -> Header:
    names = str(block.options.get("if_name", "")).split(" | ")
    settings = str(block.options.get("if_description", ""))
    if len(names) == 2:
        header = replace(header, names=(names[0], names[1]))
    return replace(header, settings="" if settings == "-" else settings)


# JSON lines.


def _read_json(data: bytes, name: str) -> Capture:
    header: Header | None = None
    items: list[Item] = []
    expected = 0
    at = 0
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        raw = line.removesuffix(b"\r")
        if not raw:
            continue
        try:
            body = unseal(raw)
        except ValueError:
            body = None
        if body is None:
            last = number == len(lines)
            items.append(Lost(at, say("lost_tail") if last else say("lost_damaged", line=number)))
            expected = 0
            continue
        if body.get("type") == "header":
            if body.get("format") != JSON_FORMAT:
                raise UserError(say("not_format", file=name, format="json"))
            header = header or _json_header(body)
            continue
        try:
            n, at, item = _json_item(body)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError):
            items.append(Lost(at, say("lost_damaged", line=number)))
            continue
        if expected and n > expected:
            items.append(Lost(at, say("lost_records", first=expected, last=n - 1)))
        expected = n + 1
        items += item
    if header is None and not any(isinstance(item, Chunk) for item in items):
        raise UserError(say("not_format", file=name, format="json"))
    return Capture(header or Header(), items)


def _json_header(body: dict[str, object]) -> Header:
    names = body.get("names")
    good = isinstance(names, list) and len(names) == 2
    began = body.get("began")
    return Header(
        (str(names[0]), str(names[1])) if good else ("A", "B"),  # type: ignore[index]
        str(body.get("settings", "")),
        str(body.get("mode", "file")),
        began if isinstance(began, int) else 0,
    )


def _json_item(body: dict[str, object]) -> tuple[int, int, list[Item]]:
    """Number and time of a record, and its bytes with their times."""
    n, at = int(str(body["n"])), int(str(body["at"]))
    if body["type"] == "lost":
        return n, at, [Lost(at, str(body.get("why", "")))]
    raw = bytes.fromhex(str(body.get("raw", "")))
    if not raw:
        return n, at, []
    side = SIDES.index(str(body["side"]))
    given = body.get("offsets") or [0] * len(raw)
    marked = body.get("faults") or {}
    if not isinstance(given, list) or len(given) != len(raw) or not isinstance(marked, dict):
        raise ValueError(given)
    faults = bytearray(len(raw))
    for place, names in marked.items():
        faults[int(place)] = _fault(names)
    items: list[Item] = []
    first = 0
    for i in range(1, len(raw) + 1):
        # bytes that were read together stay together
        if i == len(raw) or given[i] != given[first]:
            together = bytes(faults[first:i])
            items.append(Chunk(at + int(given[first]), side, raw[first:i], together if any(together) else b""))
            first = i
    return n, at, items


def _fault(names: list[str]) -> Fault:
    fault = Fault(0)
    for name in names:
        fault |= Fault[name.upper()]
    return fault


# Text logs, ours and those of `seabattle bot`.

_BYTES = r"(?:[0-9A-F]{2}[pfob]*(?: |$))+"
_LOG_LINE = re.compile(rf"\s*(\d+\.\d{{6}}) ([><]) ({_BYTES})")
_LOG_LOST = re.compile(r"\s*(\d+\.\d{6}) - ")
_LOG_HEAD = re.compile(r"# seabattle (\w+), A (.*), B (.*), (.*), (\d+-\d+-\d+ \d+:\d+:\d+)(\.\d+)? UTC")
_LETTERS = {str(fault.name)[0].lower(): fault for fault in Fault}


def _read_log(data: bytes) -> Capture:
    header = Header()
    items: list[Item] = []
    lines = [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]
    for number, line in enumerate(lines, 1):
        head = _LOG_HEAD.match(line)
        if head is not None:
            header = replace(header, mode=head[1], names=(head[2], head[3]), settings=head[4])
        match = _LOG_LINE.match(line)
        if match is None:
            continue
        if number == len(lines):
            # a line without its end may lack bytes
            items.append(Lost(int(match[1].replace(".", "")), say("lost_tail")))
            break
        values, faults = bytearray(), bytearray()
        for word in match[3].split():
            values.append(int(word[:2], 16))
            faults.append(sum(_LETTERS[letter] for letter in set(word[2:])))
        side = MARKS.index(match[2])
        items.append(Chunk(int(match[1].replace(".", "")), side, bytes(values), bytes(faults) if any(faults) else b""))
    return Capture(header, items)


# Hex dumps as people paste them.

_DIRECTION = re.compile(
    r"""(?ix)
    \b(?: (?P<a> master | m | tx | sent | send | out | a | host | pc )
        | (?P<b> slave | s | rx | received | recv | in | b | board ) )
    \s* (?= [:\[|)>-] | \s )
    | (?P<to> -+> | => | >+ ) | (?P<from> <-+ | <= | <+ )
    """
)
_TIME = re.compile(r"\s*\[?(?:(?:(\d+):)?(\d+):)?(\d+)[.,](\d{1,9})\]?:?(?=\s|$)")
_OFFSET = re.compile(r"\s*[0-9A-Fa-f]{4,8}:?\s(?=\s*[0-9A-Fa-f]{2})")
_WORD = re.compile(r"(?:0x|\\x|\$)?([0-9A-Fa-f]{2}(?:[0-9A-Fa-f]{2})*)h?(?![0-9A-Za-z_])", re.IGNORECASE)
_BETWEEN = re.compile(r"[ \t,\[\](){}:|=]*")


def _read_hex(data: bytes) -> Capture:
    items: list[Item] = []
    timed = True
    directed = False
    side: int | None = None
    at = 0
    for line in data.decode("utf-8", "replace").splitlines():
        when = _TIME.match(line)
        if when is not None:
            hours, minutes = int(when[1] or 0), int(when[2] or 0)
            at = (hours * 3600 + minutes * 60 + int(when[3])) * SECOND + int(when[4].ljust(6, "0")[:6])
        for given, values in _pasted(_timeless(line)):
            side = given if given is not None else side
            directed = directed or side is not None
            if values:
                timed = timed and when is not None
                items.append(Chunk(at, side or 0, values))
    if not timed:
        items = [replace(item, at=0) for item in items]
    return Capture(Header(mode="hex", timed=timed), items, merged=not directed)


def _timeless(line: str) -> str:
    """A line without the time that it may begin with."""
    when = _TIME.match(line)
    return line[when.end() :] if when is not None else line


def _pasted(line: str) -> Iterator[tuple[int | None, bytes]]:
    """Bytes of a line with their side, None where it does not say; what is no byte ends the line."""
    comment = re.search(r"#|;|//", line)
    rest = line[: comment.start()] if comment else line
    offset = _OFFSET.match(rest)
    if offset is not None and ":" in offset[0]:
        rest = rest[offset.end() :]
        # the letters beside a dump of bytes
        rest = re.split(r"\s{2,}(?=\S*[^0-9A-Fa-f\s])", rest, maxsplit=1)[0]
    side: int | None = None
    values = bytearray()
    name = arrow = ""  # since the last byte
    place = 0
    while place < len(rest):
        place += len(_BETWEEN.match(rest, place)[0])  # type: ignore[index]
        direction = _DIRECTION.match(rest, place)
        word = _WORD.match(rest, place)
        if direction is not None and direction.end() > place:
            if values:
                yield side, bytes(values)
                values.clear()
            this = direction["a"] or direction["b"] or ""
            # `m -> s` and `s <- m` both name the sender and the receiver
            if this and not (name and arrow == "to"):
                side = 0 if direction["a"] else 1
            elif not this and not name:
                side = 0 if direction["to"] else 1
            name = name or this
            arrow = "" if this else "to" if direction["to"] else "from"
            place = direction.end()
        elif word is not None:
            values += bytes.fromhex(word[1])
            name = arrow = ""
            place = word.end()
        else:
            break
    if values or side is not None:
        yield side, bytes(values)
