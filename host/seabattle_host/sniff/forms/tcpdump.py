"""A line over TCP: packets in hex, as printed by tcpdump (-x, -X, -xx, -XX), and Wireshark's followed streams."""

from __future__ import annotations

import base64
import itertools
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, Header, Item, Lost
from seabattle_host.sniff.forms import clock
from seabattle_host.sniff.forms.interface import Guess, Left, recognised
from seabattle_host.sniff.forms.network import Connection
from seabattle_host.sniff.forms.source import Source

_ROW = re.compile(r"\s*(?:0x)?([0-9a-f]{4,8}):?\s+((?:[0-9a-fA-F]{2}){1,2}(?: (?:[0-9a-fA-F]{2}){1,2})*)(?:\s|$)")
_STARTS = (0, 14, 16, 4, 18, 20)
"""Offsets of IP in a packet: raw, Ethernet, Linux cooked, loopback, VLAN."""
_TCP = 6


@dataclass(frozen=True)
class _Segment:
    """The payload of one packet. place: of its first byte in the stream of its side."""

    ends: tuple[str, str]
    place: int
    data: bytes
    begins: bool
    short: bool


class TcpdumpForm:
    """Rows of `0x0000:  4500 0029 ...` below the line of each packet."""

    name = "tcpdump"

    def recognise(self, source: Source) -> Guess | None:
        followed = _followed(source)
        if followed is not None:
            return followed
        sample = source.head[:400]
        rows = [match for line in sample if (match := _ROW.match(line))]
        packets = [data for _number, _stamp, data in _packets((line, True) for line in sample)]
        segments = sum(_segment(data) is not None for data in packets)
        # a dump of bytes of the line may look like one packet
        if len(rows) < 3 or len(packets) < 2 or segments * 10 < len(packets) * 8:
            return None
        found = _connections(source)
        best = max(found.values(), key=lambda one: one.sense(), default=None)
        if best is None or not best.sense():
            raise UserError(tr("no_tcp_line", file=source.name, count=len(found)))
        names = (f"TCP {best.ports[0]}", f"TCP {best.ports[1]}")
        why = tr("why_tcp", a=best.ports[0], b=best.ports[1], more=len(found) - 1)
        timed = any(chunk.at for chunk in best.chunks)
        return Guess(why, Header(names, mode="hex", timed=timed), plan=best)

    def forced(self, source: Source) -> Guess:
        return recognised(self, source)

    def items(self, source: Source, guess: Guess, left: Left) -> Iterator[Item]:
        if isinstance(guess.plan, list):
            for at, peer, data in guess.plan:
                if len(data) % 4:
                    yield Lost(at, tr("lost_tail"))
                else:
                    yield Chunk(at, peer % 2, base64.b64decode(data))
        elif isinstance(guess.plan, re.Pattern):
            yield from _sides(source, guess.plan, left)
        else:
            yield from guess.plan.items
        if source.cut:
            yield Lost(0, tr("lost_tail"))


_FOLLOWED = {
    "hex": re.compile(r"([\t ]*)[0-9A-Fa-f]{8}  ((?:[0-9a-f]{2} {1,2}){1,16})"),
    "raw": re.compile(r"(\t?)((?:[0-9a-f]{2})+)$"),
}


def _followed(source: Source) -> Guess | None:
    """Return the evidence for a followed stream, in which one end's bytes are indented."""
    sample = [line for line in source.head[:400] if line.strip()]
    if any(line.strip() == "peers:" for line in sample[:8]) and (peers := list(_packets_of_yaml(source.lines()))):
        timed = any(at for at, _side, _data in peers)
        why = tr("why_lines", count=len(peers), of=len(peers), what=tr("has_side"))
        return Guess(why, Header(("A", "B"), mode="hex", timed=timed), plan=peers)
    named = next((match[1] for line in sample[:4] if (match := re.match(r"Follow: tcp,(\w+)", line))), "")
    rows = _FOLLOWED.get(named or "hex")
    found = [match for line in sample if rows is not None and (match := rows.match(line))]
    if rows is None or len({bool(match[1]) for match in found}) < 2 or (not named and len(found) < len(sample)):
        return None
    why = tr("why_lines", count=len(found), of=len(sample), what=tr("has_side"))
    return Guess(why, Header(("A", "B"), mode="hex", timed=False), plan=rows)


_KEY = re.compile(r"[\s-]*(peer|timestamp|data):\s*(.*)")


def _packets_of_yaml(lines: Iterator[tuple[str, bool]]) -> Iterator[tuple[int, int, str]]:
    """Yield time, peer and base64 of each packet of a stream followed in YAML."""
    at = peer = 0
    inside = False
    data = ""
    for line, _ended in itertools.chain(lines, [("data:", True)]):
        key = _KEY.match(line)
        if inside and key is None and _BASE64.fullmatch(line.strip()):
            data += line.strip()
            continue
        if inside and data:
            yield at, peer, data
        inside, data = False, ""
        if key is not None and key[1] == "peer" and key[2].isdigit():
            peer = int(key[2])
        elif key is not None and key[1] == "timestamp" and (stamp := clock.match(key[2])) is not None:
            at = stamp.us
        elif key is not None and key[1] == "data":
            inside = key[2].startswith("!!binary")


_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def _sides(source: Source, rows: re.Pattern[str], left: Left) -> Iterator[Item]:
    for number, (line, _ended) in enumerate(source.lines(), 1):
        row = rows.match(line)
        if row is not None:
            yield Chunk(0, int(bool(row[1])), bytes.fromhex(row[2]))
        elif line.strip() and not line.startswith("="):
            left.add("left_lines", number)


class _Heard(Connection):
    """A connection whose packets may be repeated or missing."""

    def __init__(self, ends: tuple[str, str]):
        super().__init__(ends)
        self.items: list[Item] = []
        self._next: list[int | None] = [None, None]

    def take(self, at: int, segment: _Segment, number: int) -> None:
        """Add a packet. number: its first line."""
        side = self.ports.index(segment.ends[0])
        expected = self._next[side]
        if segment.begins:
            self._next[side] = (segment.place + 1) % (1 << 32)
            return
        data = segment.data
        ahead = (segment.place - expected) % (1 << 32) if expected is not None else 0
        if ahead >= 1 << 31:
            # a retransmission
            data = data[(1 << 32) - ahead :]
        elif ahead:
            self.items.append(Lost(at, tr("lost_row", line=number)))
        if data:
            self._next[side] = (segment.place + len(segment.data)) % (1 << 32)
            self.chunks.append(Chunk(at, side, data))
            self.items.append(self.chunks[-1])
        if segment.short:
            self.items.append(Lost(at, tr("lost_damaged", line=number)))


def _connections(source: Source) -> dict[frozenset[str], _Heard]:
    found: dict[frozenset[str], _Heard] = {}
    watch = clock.Clock()
    for number, stamp, packet in _packets(source.lines(), _gaps(source.head)):
        at = watch.take(stamp) if stamp is not None else watch.at
        segment = _segment(packet)
        if segment is not None and (segment.data or segment.begins or segment.short):
            found.setdefault(frozenset(segment.ends), _Heard(segment.ends)).take(at, segment, number)
    return found


def _gaps(lines: Sequence[str]) -> bool:
    """Return whether times are relative to the previous packet, as with `tcpdump -ttt`."""
    stamps = [clock.match(line.lstrip()) for line in lines if re.match(r" \d\d:\d\d:\d\d\.", line)]
    moments = [stamp.us for stamp in stamps if stamp is not None]
    return sum(b < a for a, b in pairwise(moments)) * 5 > len(moments)


def _packets(lines: Iterator[tuple[str, bool]], gaps: bool = False) -> Iterator[tuple[int, clock.Stamp | None, bytes]]:
    """Yield first line, time and bytes of each packet."""
    stamp: clock.Stamp | None = None
    begun = 0
    data = bytearray()
    for number, (line, _ended) in enumerate(lines, 1):
        row = _ROW.match(line)
        if row is not None and (offset := int(row[1], 16)) in (0, len(data)):
            if not offset:
                if data:
                    yield begun, stamp, bytes(data)
                data.clear()
                begun = number
            data += bytes.fromhex(row[2])
        elif row is None and line.strip():
            if data:
                yield begun, stamp, bytes(data)
                data.clear()
            found = clock.match(line.lstrip())
            if found is not None and gaps:
                found = replace(found, kind=clock.GAP)
            stamp = found or (None if line[:1].strip() else stamp)
    if data:
        yield begun, stamp, bytes(data)


def _segment(packet: bytes) -> _Segment | None:
    """Return the TCP segment in a packet, None if there is none."""
    for start in _STARTS:
        ip = packet[start:]
        if len(ip) >= 40 and ip[0] >> 4 == 4 and ip[0] & 15 >= 5 and ip[9] == _TCP:
            head, size = (ip[0] & 15) * 4, struct.unpack_from(">H", ip, 2)[0]
            names = [".".join(map(str, ip[i : i + 4])) for i in (12, 16)]
        elif len(ip) >= 60 and ip[0] >> 4 == 6 and ip[6] == _TCP:
            head, size = 40, 40 + struct.unpack_from(">H", ip, 4)[0]
            names = [ip[i : i + 16].hex(":", 2) for i in (8, 24)]
        else:
            continue
        tcp = ip[head:size]
        if len(tcp) < 20 or len(ip) > size + 64 or tcp[12] >> 4 < 5:
            continue
        ports = struct.unpack_from(">HH", tcp)
        ends = (f"{names[0]}:{ports[0]}", f"{names[1]}:{ports[1]}")
        place = struct.unpack_from(">I", tcp, 4)[0]
        return _Segment(ends, place, tcp[(tcp[12] >> 4) * 4 :], bool(tcp[13] & 2), len(ip) < size)
    return None
