"""A line in recorded USB traffic: text and packets of usbmon, USBPcap, adapters that put status bytes before data."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle_host.errors import UserError
from seabattle_host.sniff.capture import Lost
from seabattle_host.sniff.reading import read
from tests.dress import frames, same

pytestmark = pytest.mark.usefixtures("english")

STATUS = b"\x01\x60"
"""What FTDI's adapters send before what they received."""


def text(t: int, s: int, r: bytes) -> bytes:
    words = " ".join(r[i : i + 4].hex() for i in range(0, len(r), 4))
    if s == 0:
        return f"ffff9f1e {t + 3575914555} S Bo:1:005:2 -115 {len(r)} = {words}\n".encode()
    return (
        f"ffff9f1e {t + 3575914555} C Bi:1:005:1 0 {len(r)} = {words}\n"
        f"ffff9f1e {t + 3575914585} S Bi:1:005:1 -115 256 <\n"
    ).encode()


def status(t: int, s: int, r: bytes) -> bytes:
    idle = text(t, 1, STATUS)
    return idle + text(t, s, STATUS + r if s else r)


def pcap(link: int, packet: Callable[[int, bytes], bytes]) -> bytes:
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link)
    for t, s, r in frames():
        record = packet(s, r)
        out += struct.pack("<IIII", t // 10**6, t % 10**6, len(record), len(record)) + record
    return out


def linux(s: int, r: bytes) -> bytes:
    event = b"SC"[s]
    head = struct.pack("<QBBBBHBBqiiII", 1, event, 3, (2, 0x81)[s], 5, 1, 45, 0, 0, 0, 0, len(r), len(r))
    return head.ljust(64, b"\0") + r


def windows(s: int, r: bytes) -> bytes:
    return struct.pack("<HQIHBHHBBI", 27, 1, 0, 9, s, 1, 5, (2, 0x81)[s], 3, len(r)) + r


def words(t: int, s: int, r: bytes) -> bytes:
    ends = ("host", "1.5.2") if s == 0 else ("1.5.1", "host")
    return (
        f"Frame 1: 70 bytes on wire\n    Epoch Time: {t / 1e6:.9f} seconds\nUSB URB\n"
        f"    [Source: {ends[0]}]\n    [Destination: {ends[1]}]\nLeftover Capture Data: {r.hex()}\n\n"
    ).encode()


def xml(t: int, s: int, r: bytes) -> bytes:
    ends = ("host", "1.5.2") if s == 0 else ("1.5.1", "host")
    fields = (
        ("frame.time_epoch", f"{t / 1e6:.9f}"),
        ("usb.src", ends[0]),
        ("usb.dst", ends[1]),
        ("usb.capdata", r.hex()),
    )
    lines = (f'    <field name="{name}" size="1" pos="0" show="{value}" value="{value}"/>' for name, value in fields)
    return "\n".join(("<packet>", *lines, "</packet>\n")).encode()


def dumped(t: int, s: int, r: bytes) -> bytes:
    packet = bytearray(linux(s, r))
    packet[16:28] = struct.pack("<QI", t // 10**6, t % 10**6)
    rows = (f"{i:04x}  {packet[i : i + 16].hex(' '):<47}   .\n" for i in range(0, len(packet), 16))
    return ("".join(rows) + "\n").encode()


RECORDED: dict[str, Callable[[], bytes]] = {
    "usbmon": lambda: b"".join(text(*frame) for frame in frames()),
    "ftdi": lambda: b"".join(status(*frame) for frame in frames()),
    "linux": lambda: pcap(220, linux),
    "windows": lambda: pcap(249, windows),
    "words": lambda: b"".join(words(*frame) for frame in frames()),
    "xml": lambda: b"<pdml>\n" + b"".join(xml(*frame) for frame in frames()),
    "dumped": lambda: b"".join(dumped(*frame) for frame in frames()),
    "two adapters": lambda: b"".join(
        text(t, 1, STATUS + r).replace(b":005:", b":00%d:" % (5 + s)) for t, s, r in frames()
    ),
}


@pytest.mark.parametrize("how", RECORDED)
def test_a_line_is_read_from_usb_traffic(how: str, tmp_path: Path):
    (tmp_path / "x").write_bytes(RECORDED[how]())
    found = same(tmp_path / "x")
    assert abs(found[-1][0] - frames()[-1][0]) <= 1


@pytest.mark.parametrize("less", [1, 20, 66])
def test_traffic_that_ends_in_the_middle_of_a_packet_says_so(less: int, tmp_path: Path):
    (tmp_path / "x").write_bytes(RECORDED["linux"]()[:-less])
    assert isinstance(list(read([str(tmp_path / "x")]).items)[-1], Lost)


def test_usb_traffic_without_the_game_is_refused(tmp_path: Path):
    (tmp_path / "x").write_bytes(b"".join(text(t, s, b"hello") for t, s, _r in frames()))
    with pytest.raises(UserError, match="none of the 1 devices"):
        read([str(tmp_path / "x")])
