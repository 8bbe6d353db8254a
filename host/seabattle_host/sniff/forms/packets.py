"""Wireshark's packets: pcapng and classic pcap, link type 250 (RTAC serial): a 12-byte header, then the bytes.

Event types: 1 and 3 sent by A, 2 and 4 sent by B (start and end of data), 5 data lost, 6 capture complete, 7 framing, 8
parity, 9 break, 10 overrun, 0 a control line changed. The comment of a packet (by form_writers.PcapngForm) adds which
of its bytes are damaged and when each came.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import IO, Any, ClassVar

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import (
    SECOND,
    Chunk,
    Crossed,
    Fault,
    Header,
    Item,
    Lost,
    empty_chunk,
    group_by_time,
    is_merged_mode,
    sort_crossed,
)
from seabattle_host.sniff.file_seals import CLOSING, MARK, SEALED, Closing
from seabattle_host.sniff.forms import network, usb
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.own_files import Block, are_offsets, arrival
from seabattle_host.sniff.forms.part_places import PartOf, joint, place_in
from seabattle_host.sniff.forms.source import Source

LINKTYPE_RTAC = 250
RTAC_HEADER = 12
RTAC_EVENTS = {1: 0, 2: 1, 3: 0, 4: 1}
RTAC_LOST = 5
RTAC_FAULTS = {7: Fault.FRAMING, 8: Fault.PARITY, 9: Fault.BREAK, 10: Fault.OVERRUN}
RTAC_SILENT = (0, 6)


class _Counted:
    """A stream that knows its position, as the pcapng package needs, also for packed files."""

    def __init__(self, stream: IO[bytes]):
        self._stream = stream
        self._place = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._place += len(data)
        return data

    def tell(self) -> int:
        return self._place


class Events:
    """Turns RTAC packets into items. Faults are in packets of their own before the affected one."""

    def __init__(self, left: Left):
        self.at = 0
        self._left = left
        self._faults = Fault(0)

    def take(self, packet: bytes, number: int, comment: str = "") -> Iterator[Item]:
        """Yield the items of a packet; number: from 1."""
        if len(packet) < RTAC_HEADER:
            self._left.add("left_packets", number)
            return
        seconds, micros, event = struct.unpack_from(">IIB", packet)
        yield from self.event(seconds * SECOND + micros, event, packet[RTAC_HEADER:], number, comment)

    def event(self, at: int, event: int, payload: bytes, number: int, comment: str = "") -> Iterator[Item]:
        """Yield the items of an event."""
        self.at = at
        if event == RTAC_LOST:
            yield Lost(at, _why(comment) or tr("lost_driver"))
            return
        self._faults |= RTAC_FAULTS.get(event, 0)
        if event in RTAC_EVENTS and payload:
            faults, self._faults = self._faults, Fault(0)
            yield from _pieces(at, RTAC_EVENTS[event], payload, faults, comment)
        elif event in RTAC_FAULTS and payload:
            # bytes in the event itself: their side is unknown
            self._left.add("left_packets", number)
        elif event not in RTAC_FAULTS and event not in RTAC_EVENTS and event not in RTAC_SILENT:
            self._left.add("left_packets", number)


def _why(comment: str) -> str:
    """Return the comment's reason for missing bytes."""
    with suppress(ValueError, TypeError, AttributeError, KeyError):
        return str(json.loads(comment)["why"])
    return ""


def _pieces(at: int, side: int, payload: bytes, fault: Fault, comment: str) -> Iterator[Item]:
    faults = bytearray(len(payload))
    offsets = [0] * len(payload)
    kind = Chunk
    with suppress(ValueError, TypeError, AttributeError, IndexError, KeyError):
        remark = json.loads(comment) if comment else {}
        for place, names in remark.get("faults", {}).items():
            faults[int(place)] = sum(Fault[name.upper()] for name in names)
        given = [int(value) for value in remark.get("offsets", [])]
        if len(given) == len(payload) and are_offsets(given):
            offsets = given
        if remark.get("crossed") is True:
            kind = Crossed
    if fault and not any(faults):
        # the file does not say which byte of the packet it was
        faults[0] = fault
    yield from group_by_time(at, side, payload, offsets, bytes(faults), kind)


class PcapngForm:
    """A pcapng file."""

    name = "pcapng"

    def recognise(self, source: Source) -> Guess | None:
        return self.forced(source) if source.sample.startswith(b"\x0a\x0d\x0d\x0a") else None

    def forced(self, source: Source) -> Guess:
        from pcapng import FileScanner, blocks  # type: ignore[import-untyped]

        header = Header()
        first: int | None = None
        try:
            with source.open() as stream:
                for block in FileScanner(_Counted(stream)):
                    if isinstance(block, blocks.SectionHeader):
                        header = _section(header, block)
                    elif isinstance(block, blocks.InterfaceDescription):
                        if block.link_type in usb.LINKS:
                            return _of_usb(source, _blocks(source), block.link_type)
                        if block.link_type != LINKTYPE_RTAC:
                            return network.guess(source, block.link_type)
                        header = _interface(header, block, source.name)
                    elif isinstance(block, blocks.EnhancedPacket) and len(block.packet_data) >= RTAC_HEADER:
                        seconds, micros = struct.unpack_from(">II", block.packet_data)
                        first = seconds * SECOND + micros
                        break
        except UserError:
            raise
        except _damage():
            pass
        except Exception as error:
            raise UserError(tr("not_format", file=source.name, format=self.name)) from error
        header = replace(header, began=first or 0)
        return Guess(tr("why_magic", what=self.name), header, merged=is_merged_mode(header.mode))

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        if guess.plan:
            return iter(guess.plan)
        packets = self._items(source, left)
        return arrival(packets) if guess.merged else sort_crossed(packets)

    def _items(self, source: Source, left: Left) -> Iterator[Item]:
        from pcapng import FileScanner, blocks

        events = Events(left)
        number = 0
        ends = False
        closing: Closing | None = None
        place: PartOf | None = None
        block = Block("lost_between_packets")
        try:
            with source.open() as stream:
                for read in FileScanner(_Counted(stream)):
                    if isinstance(read, blocks.SectionHeader):
                        head = str(read.options.get("opt_comment", ""))
                        sealed = SEALED.search(head)
                        if sealed is not None:
                            place, before = place_in(head), place
                            if before is not None:
                                # files that were joined into one
                                yield from block.rest()
                                yield from joint(before, place, events.at, closing is not None)
                        closing = Closing() if sealed else None
                        block.begin(number + 1, events.at, sealed is not None and bool(sealed[1]))
                    elif isinstance(read, blocks.InterfaceDescription):
                        _interface(Header(), read, source.name)
                    elif isinstance(read, (blocks.EnhancedPacket, blocks.SimplePacket)):
                        number += 1
                        remark = str(read.options.get("opt_comment", "")) if hasattr(read, "options") else ""
                        if closing is not None and (end := CLOSING.fullmatch(remark)) is not None:
                            yield from block.over(number, events.at, closing.fits(end))
                            closing = None
                            ends = True
                        elif closing is not None:
                            if (mark := MARK.search(remark)) is not None:
                                yield from block.over(number, events.at, closing.holds(mark))
                            closing.take(bytes(read.packet_data) + remark.encode())
                        found = list(events.take(bytes(read.packet_data), number, remark))
                        if found and not block.zero:
                            block.zero = found[0].at
                        yield from block.take(*found)
        except UserError:
            raise
        except _damage():
            # for damaged blocks the package also raises errors of its own parsing
            yield from block.rest()
            yield Lost(events.at, tr("lost_tail"))
        except Exception as error:
            raise UserError(tr("not_format", file=source.name, format=self.name)) from error
        else:
            yield from block.rest()
            if ends:
                yield empty_chunk(events.at)
            if closing is not None and not source.cut:
                yield Lost(events.at, tr("lost_end"))
        if source.cut:
            yield Lost(events.at, tr("lost_tail"))


_Packets = Generator[tuple[int, bytes], None, bool]
"""Packets with their times; at the end, whether the file is cut off or damaged there."""


def _of_usb(source: Source, packets: _Packets, link: int) -> Guess:
    cut = False

    def whole() -> Iterator[tuple[int, bytes]]:
        nonlocal cut
        cut = (yield from packets) or source.cut

    guess = usb.guess(source, usb.of_packets(whole(), link))
    if cut:
        guess.plan.append(Lost(guess.plan[-1].at, tr("lost_tail")))
    return guess


def _blocks(source: Source) -> _Packets:
    from pcapng import FileScanner, blocks

    with source.open() as stream:
        try:
            for block in FileScanner(_Counted(stream)):
                if isinstance(block, blocks.EnhancedPacket):
                    yield round(block.timestamp * SECOND), bytes(block.packet_data)
        except _damage():
            return True
    return False


def _packets(source: Source, order: str) -> _Packets:
    fine = 1000 if source.sample[:4] in (b"\xa1\xb2\x3c\x4d", b"\x4d\x3c\xb2\xa1") else 1
    with source.open() as stream:
        stream.read(24)
        while len(head := stream.read(16)) == 16:
            seconds, fraction, length, _size = struct.unpack(order + "IIII", head)
            packet = stream.read(min(length, 1 << 20))
            if len(packet) < length:
                return True
            yield seconds * SECOND + fraction // fine, packet
    return bool(head)


def _damage() -> tuple[type[Exception], ...]:
    """Return the exceptions the package raises for damaged blocks."""
    from pcapng.exceptions import PcapngException  # type: ignore[import-untyped]

    own = (struct.error, ValueError, KeyError, IndexError, TypeError, OverflowError, MemoryError, AttributeError)
    return (PcapngException, *own)


def _section(header: Header, block: Any) -> Header:
    remark = str(block.options.get("opt_comment", "")).split()
    return replace(header, mode=remark[1]) if len(remark) > 1 and remark[0] == "seabattle" else header


def _interface(header: Header, block: Any, name: str) -> Header:
    if block.link_type != LINKTYPE_RTAC:
        raise UserError(tr("bad_link_type", file=name, number=block.link_type))
    names = str(block.options.get("if_name", "")).split(" | ")
    settings = str(block.options.get("if_description", ""))
    if len(names) == 2:
        header = replace(header, names=(names[0], names[1]))
    return replace(header, settings="" if settings == "-" else settings)


class PcapForm:
    """A classic pcap file of any byte order, with microseconds or nanoseconds."""

    name = "pcap"
    _MAGICS: ClassVar[dict[bytes, str]] = {
        b"\xa1\xb2\xc3\xd4": ">",
        b"\xd4\xc3\xb2\xa1": "<",
        b"\xa1\xb2\x3c\x4d": ">",
        b"\x4d\x3c\xb2\xa1": "<",
    }

    def recognise(self, source: Source) -> Guess | None:
        return self.forced(source) if source.sample[:4] in self._MAGICS else None

    def forced(self, source: Source) -> Guess:
        order = self._MAGICS.get(source.sample[:4])
        if order is None or len(source.sample) < 24:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        link = struct.unpack_from(order + "I", source.sample, 20)[0] & 0xFFFF
        if link in usb.LINKS:
            return _of_usb(source, _packets(source, order), link)
        if link != LINKTYPE_RTAC:
            return network.guess(source, link)
        began = 0
        if len(source.sample) >= 40 + RTAC_HEADER:
            seconds, micros = struct.unpack_from(">II", source.sample, 40)
            began = seconds * SECOND + micros
        return Guess(tr("why_magic", what=self.name), Header(began=began), plan=order)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        if isinstance(guess.plan, list):
            yield from guess.plan
            return
        events = Events(left)
        number = 0
        with source.open() as stream:
            stream.read(24)
            while head := stream.read(16):
                number += 1
                length = struct.unpack(guess.plan + "IIII", head)[2] if len(head) == 16 else 0
                packet = stream.read(length) if 0 < length <= 1 << 20 else b""
                if len(packet) < max(length, 1):
                    yield Lost(events.at, tr("lost_tail"))
                    return
                yield from events.take(packet, number)
        if source.cut:
            yield Lost(events.at, tr("lost_tail"))
