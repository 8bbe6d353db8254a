"""An adapter's line in recorded USB traffic: usbmon of Linux, as packets or text, and USBPcap of Windows."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, Chunk, Fault, Header, Item, Lost
from seabattle_host.sniff.forms import evidence
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.source import Source

_USBPCAP = 249
LINKS = {189: 48, 220: 64, _USBPCAP: 0}
"""Link types of USB traffic, with the size of a fixed header; that of USBPcap gives its own."""

_USBPCAP_HEADER = struct.Struct("<HQIHBHHBBI")

_BULK = 3
_WRAP = 1 << 32
"""Microseconds after which the times of the text form start again at 0."""

_STATUS = 2
"""Bytes of status with which FTDI's adapters begin each packet of so many."""
_PACKETS = (64, 512)
_FAULTS = {0x02: Fault.OVERRUN, 0x04: Fault.PARITY, 0x08: Fault.FRAMING, 0x10: Fault.BREAK}


@dataclass(frozen=True)
class Transfer:
    """Bytes of a bulk transfer. number: its place in the recording; lacks: the recording does not have all of them."""

    number: int
    at: int
    device: str
    inward: bool
    data: bytes
    lacks: bool


def guess(source: Source, transfers: Iterable[Transfer]) -> Guess:
    """Find the adapter that carries the protocol. Raises UserError if there is none."""
    lines: dict[tuple[str, bool], list[Transfer]] = {}
    for transfer in transfers:
        lines.setdefault((transfer.device, transfer.inward), []).append(transfer)
    by_end = {end: found for end, some in lines.items() if (found := _line(some)) is not None}
    devices = {device for device, _inward in lines}
    if not by_end:
        raise UserError(tr("no_usb_line", file=source.name, count=len(devices)))
    best = max(by_end, key=lambda end: len(by_end[end]))
    ends = [(best[0], inward) for inward in (False, True) if (best[0], inward) in by_end]
    if ends == [(best[0], True)]:
        # two adapters that only listen
        ends = sorted(end for end in by_end if end[1] and (end[0], False) not in by_end)[:2]
    if len(ends) == 1 and ends[0][1]:
        sides: tuple[int, ...] = (1,)
    else:
        sides = (0, 1)
    numbered = [(n, _of_side(item, side)) for side, end in zip(sides, ends, strict=False) for n, item in by_end[end]]
    items = [item for _n, item in sorted(numbered, key=lambda pair: pair[0])]
    names = ["-", "-"]
    for side, (device, inward) in zip(sides, ends, strict=False):
        names[side] = f"USB {device} {('out', 'in')[inward]}"
    why = tr("why_usb", device=" + ".join(dict.fromkeys(device for device, _inward in ends)), more=len(devices) - 1)
    return Guess(why, Header((names[0], names[1]), began=items[0].at), plan=items)


def _of_side(item: Item, side: int) -> Item:
    return Chunk(item.at, side, item.data, item.faults) if isinstance(item, Chunk) else item


def _line(transfers: Sequence[Transfer]) -> list[tuple[int, Item]] | None:
    """Return what came in one direction if it is of the protocol, without an adapter's status bytes."""
    best: tuple[float, list[tuple[int, Item]]] | None = None
    for size in (0, *(_PACKETS if transfers[0].inward else ())):
        if size and not all(transfer.data[0] & 0x0F in (1, 2) for transfer in transfers):
            continue
        items: list[tuple[int, Item]] = []
        for transfer in transfers:
            items.extend((transfer.number, item) for item in _items(transfer, size))
        found = evidence.weigh(b"".join(item.data for _n, item in items[:4096] if isinstance(item, Chunk)))
        if found.is_protocol and (best is None or found.share > best[0]):
            best = (found.share, items)
    return best[1] if best else None


def _items(transfer: Transfer, size: int) -> Iterator[Item]:
    data, fault = transfer.data, Fault(0)
    if size:
        parts = [data[i : i + size] for i in range(0, len(data), size)]
        for part in parts:
            fault |= Fault(sum(_FAULTS[bit] for bit in _FAULTS if len(part) > _STATUS and part[1] & bit))
        data = b"".join(part[_STATUS:] for part in parts)
    if data:
        # which byte it was is not recorded
        yield Chunk(transfer.at, 0, data, bytes((fault,)) + bytes(len(data) - 1) if fault else b"")
    if transfer.lacks:
        yield Lost(transfer.at, tr("lost_driver"))


def of_packets(packets: Iterable[tuple[int, bytes]], link: int) -> Iterator[Transfer]:
    """Return the bulk transfers in packets of one of these link types, each with its time."""
    for number, (at, packet) in enumerate(packets):
        if link == _USBPCAP:
            if len(packet) < _USBPCAP_HEADER.size:
                continue
            size, _irp, _status, _function, info, bus, device, end, kind, length = _USBPCAP_HEADER.unpack_from(packet)
            # what goes out is in the request, what comes in in its completion
            good = bool(end & 0x80) == bool(info & 1)
        else:
            size = LINKS[link]
            if len(packet) < size:
                continue
            event, kind, end, device, bus = struct.unpack_from("<BBBBH", packet, 8)
            length = struct.unpack_from("<I", packet, 32)[0]
            good = event == (ord("C") if end & 0x80 else ord("S"))
        data = packet[size : size + length]
        if kind == _BULK and good and data:
            yield Transfer(number, at, f"{bus}.{device}", bool(end & 0x80), data, len(data) < length)


_USBMON_MMAPPED = 220
_EVENT = re.compile(rb".{8}[SCE][\0-\3]", re.DOTALL)


def of_dumps(packets: Iterable[bytes]) -> Iterator[Transfer]:
    """Return the transfers in packets that tshark dumps; their own headers have the times."""
    timed = (
        (int.from_bytes(packet[16:24], "little") * SECOND + int.from_bytes(packet[24:28], "little"), packet)
        for packet in packets
        if _EVENT.match(packet)
    )
    return of_packets(timed, _USBMON_MMAPPED)


_FIELDS = {
    "time": re.compile(r'\s*Epoch (?:Arrival )?Time: (\d+\.\d+)|.*<field name="frame\.time_epoch".*? show="(\d+\.\d+)'),
    "from": re.compile(r'\s*\[Source: ([\w.]+)\]|.*<field name="usb\.src".*? show="([\w.]+)"'),
    "to": re.compile(r'\s*\[Destination: ([\w.]+)\]|.*<field name="usb\.dst".*? show="([\w.]+)"'),
    "data": re.compile(r'Leftover Capture Data: ([0-9a-f]+…?)|.*<field name="usb\.capdata".*? value="([0-9a-f]+)"'),
}
"""Fields of a packet, as tshark prints them in words and in XML."""


def of_fields(lines: Iterable[str]) -> Iterator[Transfer]:
    """Return the transfers in fields that tshark prints."""
    said: dict[str, str] = {}
    for number, line in enumerate(lines):
        if line.startswith(("Frame ", "<packet>")):
            said.clear()
        for name, pattern in _FIELDS.items():
            found = pattern.match(line)
            if found is None:
                continue
            said[name] = found[1] or found[2]
            if name == "data" and {"from", "to"} <= said.keys():
                inward = said["from"] != "host"
                device = said["from" if inward else "to"].rpartition(".")[0]
                digits = said["data"].rstrip("…")
                at = round(float(said.get("time", 0)) * SECOND)
                yield Transfer(number, at, device, inward, bytes.fromhex(digits), digits != said["data"])


def are_fields(lines: Sequence[str]) -> bool:
    """Return whether tshark prints fields of USB traffic here."""
    return any(_FIELDS["from"].match(line) for line in lines)


_TEXT = re.compile(
    r"[0-9a-f]{6,16} (\d+) ([SCE]) B([io]):((?:\d+:)?\d+):\d+ -?\d+(?::\S+)? (\d+)(?: ([=<>])((?: [0-9a-f]{2,8})*))?\s*"
)
"""Address, microseconds, event, bulk transfer in or out, bus and device, end, status, length, bytes."""


class UsbmonForm:
    """Lines of /sys/kernel/debug/usb/usbmon."""

    name = "usbmon"

    def recognise(self, source: Source) -> Guess | None:
        head = [line for line in source.head[:40] if line.strip()]
        bulk = sum(_TEXT.fullmatch(line) is not None for line in head)
        return self.forced(source) if bulk > 1 and bulk * 3 > len(head) else None

    def forced(self, source: Source) -> Guess:
        transfers = list(_of_text(line for line, _ended in source.lines()))
        if not transfers:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        return guess(source, transfers)

    def items(self, source: Source, guess: Guess, _left: Left) -> Iterator[Item]:
        yield from guess.plan
        if source.cut:
            yield Lost(guess.plan[-1].at, tr("lost_tail"))


def _of_text(lines: Iterable[str]) -> Iterator[Transfer]:
    before = later = 0
    for number, line in enumerate(lines):
        found = _TEXT.fullmatch(line)
        if found is None:
            continue
        us, inward = int(found[1]), found[3] == "i"
        later += _WRAP * (before - us > _WRAP // 2)
        before = us
        data = bytes.fromhex(found[7] or "")
        if found[2] == ("C" if inward else "S") and data:
            yield Transfer(number, us + later, found[4].replace(":", "."), inward, data, len(data) < int(found[5]))
