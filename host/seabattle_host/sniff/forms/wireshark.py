"""Output of tshark: dumps of packets (-x), their fields in words (-V), and XML (-T pdml)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import SECOND, Header, Item, Lost
from seabattle_host.sniff.forms import usb
from seabattle_host.sniff.forms.interface import Guess, Left
from seabattle_host.sniff.forms.packets import RTAC_HEADER, Events
from seabattle_host.sniff.forms.source import Source

_ROW = re.compile(r"([0-9a-f]{4,8})  ((?:[0-9a-f]{2}  ?){1,16})(?: |$)")
_FRAME = re.compile(r"Frame \d+: ")
_TIME = re.compile(r"\s*(?:Arrived At Time|Epoch Time|Epoch Arrival Time): (\d+)\.(\d{6})")
_EVENT = re.compile(r"\s*Event Type: .*\(0x([0-9a-f]+)\)")
_DATA = re.compile(r"\s*(?:Data: |\[?Data \(\d+ bytes?\))")


def _field(seconds: str, micros: str) -> int:
    return int(seconds) * SECOND + int(micros)


class TextForm:
    """tshark's text output."""

    name = "tshark"

    def recognise(self, source: Source) -> Guess | None:
        head = source.head[:2000]
        if usb.are_fields(head) and any(_FRAME.match(line) for line in head):
            return usb.guess(source, usb.of_fields(line for line, _ended in source.lines()))
        first = next(_dumped(iter(head)), b"")
        if len(first) >= _USB_LEAST and next(usb.of_dumps([first]), None) is not None:
            return usb.guess(source, usb.of_dumps(_dumped(line for line, _ended in source.lines())))
        detailed = any(_FRAME.match(line) for line in head) and any(_EVENT.match(line) for line in head)
        if detailed or self._packets(head):
            count = sum(_FRAME.match(line) is not None or line.startswith("0000") for line in head)
            return Guess(tr("why_lines", count=count, of=count, what=tr("what_tshark")), Header(), plan=detailed)
        return None

    def forced(self, source: Source) -> Guess:
        guess = self.recognise(source)
        if guess is None:
            raise UserError(tr("not_format", file=source.name, format=self.name))
        return guess

    def _packets(self, head: list[str]) -> bool:
        """Return whether these are dumps of several RTAC packets, each from offset 0."""
        rows = [match for line in head if (match := _ROW.match(line))]
        first = [bytes.fromhex(match[2]) for match in rows if not int(match[1], 16)]
        good = [row for row in first if len(row) >= RTAC_HEADER and row[8] <= 10 and not row[10] and not row[11]]
        return bool(first) and len(good) == len(first) and int.from_bytes(first[0][4:8], "big") < SECOND

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        events = Events(left)
        lines = (line for line, _ended in source.lines())
        if isinstance(guess.plan, list):
            yield from guess.plan
        elif guess.plan:
            yield from _details(lines, events)
        else:
            for number, packet in enumerate(_dumped(lines), 1):
                yield from events.take(packet, number)
        if source.cut:
            yield Lost(events.at, tr("lost_tail"))


_USB_LEAST = 64


def _dumped(lines: Iterator[str]) -> Iterator[bytes]:
    """Yield the packets of dumps, each from offset 0."""
    packet = bytearray()
    for line in lines:
        row = _ROW.match(line)
        if row is None:
            continue
        if not int(row[1], 16) and packet:
            yield bytes(packet)
            packet.clear()
        packet += bytes.fromhex(row[2])
    if packet:
        yield bytes(packet)


def _details(lines: Iterator[str], events: Events) -> Iterator[Item]:
    """Yield the items of fields in words; the bytes are in a dump after the word Data, or in a line `Data: aa01`."""
    at = number = 0
    event = -1
    dumped, named = bytearray(), b""
    inside = False

    def packet() -> Iterator[Item]:
        if event >= 0:
            yield from events.event(at, event, bytes(dumped) or named, number)

    for line in lines:
        if _FRAME.match(line):
            yield from packet()
            number += 1
            event, inside, named = -1, False, b""
            dumped.clear()
        elif match := _TIME.match(line):
            at = _field(match[1], match[2])
        elif match := _EVENT.match(line):
            event = int(match[1], 16)
        elif re.match(r"\s*Data \(\d+ bytes?\)", line):
            inside = True
        elif match := re.match(r"\s*Data: ([0-9a-f]+)$", line):
            named = bytes.fromhex(match[1]) if len(match[1]) % 2 == 0 else b""
        elif inside and (match := _ROW.match(line)):
            if not int(match[1], 16) and dumped:
                # -x: the whole packet again
                inside = False
                continue
            dumped += bytes.fromhex(match[2])
    yield from packet()


class XmlForm:
    """PDML."""

    name = "pdml"
    _FIELD = re.compile(r'<field name="(rtacser\.timestamp|rtacser\.eventtype|data\.data|data)"[^>]*?\bshow="([^"]*)"')
    _VALUE = re.compile(r'<field name="data(?:\.data)?"[^>]*?\bvalue="([0-9a-f]*)"')

    def recognise(self, source: Source) -> Guess | None:
        if not any("<pdml" in line for line in source.head[:20]):
            return None
        return self.forced(source)

    def forced(self, source: Source) -> Guess:
        if usb.are_fields(source.head):
            return usb.guess(source, usb.of_fields(line.strip() for line, _ended in source.lines()))
        return Guess(tr("why_magic", what=self.name), Header())

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        if guess.plan:
            yield from guess.plan
            return
        events = Events(left)
        at = number = 0
        event = -1
        data = b""
        for line, _ended in source.lines():
            value = self._VALUE.search(line)
            field = self._FIELD.search(line)
            if value is not None and value[1] and len(value[1]) % 2 == 0:
                data = bytes.fromhex(value[1])
            elif field is not None and field[1] == "rtacser.eventtype":
                event = int(field[2], 16)
            elif field is not None and field[1] == "rtacser.timestamp":
                seconds, _dot, rest = field[2].partition(".")
                at = _field(seconds, rest.ljust(6, "0")[:6])
            if "</packet>" in line:
                number += 1
                if event >= 0:
                    yield from events.event(at, event, data, number)
                event, data = -1, b""
        if source.cut:
            yield Lost(at, tr("lost_tail"))
