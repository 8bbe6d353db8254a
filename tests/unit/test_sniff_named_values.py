"""Lines of names and values: the bytes, their side and time are found among lengths, hashes and other values."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle import watch
from seabattle_host import cli
from seabattle_host.errors import UserError
from seabattle_host.sniff.capture import Chunk, Lost
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.session import Session
from tests.captures import BEGAN
from tests.dress import Frame, Line, bytewise, dress, frames, listed, same


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


def buggy() -> list[Frame]:
    """Return the game with a slave that echoes zeros, and a count that does not tell the two apart."""
    return [(at, side, b"\x2b" + bytes(5) if raw[0] == 0x2B else raw) for at, side, raw in frames()]


LOGFMT = (
    "msg=serial dir={tx|rx} bytes={run} n={len}",
    "bytes={run} dir={tx|rx} n={len} ok=true",
    'time="2026-11-28T04:55:{05}.{.6}+03:00" level=debug msg="serial" direction={out|in} payload="{hex}" len={len}',
    "t={s} port={A|B} data={run} crc={n:08x}",
    "level=info from={master|slave} to={slave|master} hex={run} sum={op:02x}",
    "level=info to={b|a} src={a|b} raw={run} len={len}",
    "ts={epoch} op={write|read} fd=3 data={run} ret={len}",
    "port={COM3|COM4} len={len} hex=\"{hex}\"",
    'level=debug caller=serial.go:42 msg="{tx|rx}" data="{low}"',
    'level=debug msg="{sent|received} {len} bytes" hex={run}',
    'level=debug msg="serial {write|read}" len={len} data={list}',
    'msg=uart dir={out|in} data={base64} len={len}',
    'at={s} dir={tx|rx} data={quoted} n={len}',
    "event=serial.{tx|rx} data={run} size={len}",
    "component=serial type={request|response} data={run} size={len}",
    "uart={0|1} bytes={run} n={len}",
    "dir={w|r}, bytes={run}, n={len}",
    "dir:{tx|rx} bytes:{run} n:{len}",
    "msg=serial dir={tx|rx} b0={op:02x} n={len} bytes={run}",
    "{day} DBG {tx|rx} data={run} n={len}",
    "2026-11-28T04:55:{05}.{.6}Z DEBUG serial: frame dir={Tx|Rx} data=[{%02x~, }] len={len}",
    '2026-11-28T04:55:{05}.{.6}Z\tDEBUG\tserial/port.go:42\t{tx|rx}\t⦃"data": "{base64}", "n": {len}⦄',
    "⦃ dir: '{tx|rx}', data: <Buffer {low}>, at: {epoch-ms} ⦄",
    '⦃:at=>{s}, :dir=>:{tx|rx}, :data=>"{\\x%02X~}"⦄',
    'serial,dir={tx|rx} data="{run}" {epoch-us}000',
    'uart,host=pi,port={A|B} n={len}i,bytes="{hex}" {epoch-us}000',
)  # fmt: skip

OBJECTS = (
    '⦃"topic":"serial/{tx|rx}","payload":"{base64}","qos":0,"ts":{epoch-ms}⦄',
    '⦃"_msgid":"{n:08x}","topic":"{tx|rx}","payload":⦃"type":"Buffer","data":{list}⦄,"time":{epoch-ms}⦄',
    '⦃"received_at":"2026-11-28T04:55:{05}.{.6}Z","uplink":⦃"f_port":{1|2},"frm_payload":"{base64}"⦄⦄',
    '⦃"specversion":"1.0","id":"{n}","type":"serial.{tx|rx}","time":"2026-11-28T04:55:{05}.{.6}Z","data_base64":"{base64}"⦄',
    '⦃"timeUnixNano":"{epoch-us}000","body":⦃"stringValue":"{run}"⦄,"attributes":[⦃"key":"dir","value":⦃"stringValue":"{tx|rx}"⦄⦄]⦄',
    '⦃"stream":⦃"dir":"{tx|rx}","job":"serial"⦄,"values":[["{epoch-us}000","{run}"]]⦄',
    '⦃"at":⦃"$date":"2026-11-28T04:55:{05}.{.6}Z"⦄,"dir":"{tx|rx}","data":⦃"$binary":⦃"base64":"{base64}","subType":"00"⦄⦄⦄',
    '⦃"timestamp":{epoch-ms},"message":"⦃\\"dir\\":\\"{tx|rx}\\",\\"data\\":\\"{run}\\"⦄"⦄',
)  # fmt: skip


def braced(line: str) -> Line:
    """Parse a template in which `⦃` and `⦄` stand for braces of the text."""
    made = dress(line)
    return lambda t, s, r: made(t, s, r).replace("⦃", "{").replace("⦄", "}")


def heard(path: Path) -> tuple[bytes, bytes]:
    """Return the bytes of each side."""
    capture = read([str(path)])
    assert not capture.merged
    items = [item for item in capture.items if isinstance(item, Chunk)]
    return tuple(b"".join(item.data for item in items if item.side == side) for side in (0, 1))  # type: ignore[return-value]


@pytest.mark.parametrize("line", [*LOGFMT, *OBJECTS])
def test_a_value_tells_the_side_of_another(line: str, path: Path):
    path.write_text(listed(braced(line)))
    found = same(path, either="from" in line)
    if read([str(path)]).header.timed:
        assert abs(found[-1][0] - frames()[-1][0]) <= 1100
    game = buggy()
    if "{n}" in line or "{n:" in line:
        return
    path.write_text(listed(braced(line), game))
    assert heard(path) == tuple(b"".join(raw for _at, s, raw in game if s == side) for side in (0, 1))
    wrong = [r for r in records(read([str(path)]), Session()) if r.verdict == watch.VIOLATION]
    assert not wrong or {r.side for r in wrong} == {1}


@pytest.mark.parametrize(
    "line",
    [
        lambda t, s, r: f"serial,dir={('tx', 'rx')[s]} value={r[0]}i {(BEGAN + t) * 1000}",
        lambda t, s, r: f'serial_byte{{dir="{("tx", "rx")[s]}"}} {r[0]} {(BEGAN + t) // 1000}',
        lambda t, s, r: f'serial_byte{{port="{"AB"[s]}",hex="{r.hex()}"}} {r[0]} {(BEGAN + t) // 1000}',
    ],
    ids=["influx", "prometheus", "prometheus in hex"],
)
def test_points_of_a_database(line: Callable[[int, int, bytes], str], path: Path):
    path.write_text("# TYPE serial_byte gauge\n" * (line(0, 0, b"\0")[6] == "_") + listed(line, bytewise()))
    same(path)


def test_hashes_beside_the_bytes_are_none(path: Path):
    def line(t: int, s: int, r: bytes) -> str:
        return (
            f"d={'tr'[s]}x n={len(r)} sha1={hashlib.sha1(r).hexdigest()} p={r.hex()} md5={hashlib.md5(r).hexdigest()}"
        )

    path.write_text(listed(line))
    same(path)


def test_a_torn_line_is_a_gap_and_accuses_nobody(path: Path):
    text = listed(LOGFMT[0])
    lines = text.splitlines(keepends=True)
    rng = random.Random(3)
    for _n in range(20):
        at = rng.randrange(4, len(lines) - 4)
        cut = rng.randrange(4, len(lines[at]) - 3)
        path.write_text("".join([*lines[:at], lines[at][:cut] + "\n", *lines[at + 1 :]]))
        capture = read([str(path)])
        assert [item for item in capture.items if isinstance(item, Lost)], lines[at][:cut]
        assert not [r for r in records(capture, Session()) if r.verdict == watch.VIOLATION]


def test_other_messages_between_the_lines_are_left_out(path: Path):
    text = listed(LOGFMT[0]).splitlines()
    path.write_text("\n".join('level=info msg="port open"\n' * (n % 9 == 4) + line for n, line in enumerate(text)))
    same(path)
    assert cli.main(["decode", "--check", str(path)]) == 0


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'time=12:00:{n:02} method=GET status=200 bytes={1000 + n * 37} path="/a"\n' for n in range(40)),
        "".join(f"cpu,host=pi usage={n * 7 % 100}i {1764304505 + n}000000000\n" for n in range(40)),
        "".join(json.dumps({"id": n, "from": "anna", "to": "bob", "text": "a bad cafe"}) + "\n" for n in range(40)),
        "".join(f"name{n}={n}\nother{n}=ab{n}\n" for n in range(40)),
        "a=" * 20_000 + "\n",
        ("k=v " * 2000 + "\n") * 5,
    ],
)
def test_what_has_other_values_is_refused(text: str, path: Path):
    path.write_text(text)
    with pytest.raises(UserError):
        read([str(path)])


def entries(form: str) -> str:
    """Return the game as redis-cli prints a stream: raw, with hex or with escapes in the values."""
    out = []
    for n, (at, side, raw) in enumerate(frames(), 1):
        letters = "".join(chr(byte) if chr(byte).isalnum() else f"\\x{byte:02x}" for byte in raw)
        words = [
            f"{(BEGAN + at) // 1000}-0",
            "dir",
            "tr"[side] + "x",
            "data",
            letters if form == "escapes" else raw.hex(),
        ]
        if form == "raw":
            out += words
        else:
            name, *others = (f'"{word}"' for word in words)
            out += [
                f"{n}) 1) {name}",
                f"   2) 1) {others[0]}",
                *(f"      {k}) {o}" for k, o in enumerate(others[1:], 2)),
            ]
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("form", ["hex", "escapes", "raw"])
def test_entries_of_a_stream_of_redis(form: str, path: Path):
    path.write_text(entries(form))
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1100


VECTOR = (
    "date Sat Nov 28 04:55:05.000 am 2026\nbase hex  timestamps absolute\nno internal events logged\n"
    "// version 8.0.0\nBegin Triggerblock Sat Nov 28 04:55:05.000 am 2026\n   0.000000 Start of measurement\n"
)


@pytest.mark.parametrize(
    ("head", "line"),
    [
        (VECTOR, "   {s} 1  {100|101}             {Tx|Rx}   d {len} {hex}"),
        (VECTOR, "   {s} RS232 {Tx|Rx} {len} {hex}"),
        ("", "⦃{tx|rx},{us},<<{16#%02X~,}>>⦄."),
        ("", "[⦃at,{us}⦄,⦃dir,{tx|rx}⦄,⦃data,<<{%d~,}>>⦄]."),
        ("", "{s} [debug] <0.123.0> {sent|received} <<{16#%02X~, }>>"),
    ],
)
def test_logs_of_a_bus_and_terms_of_erlang(head: str, line: str, path: Path):
    for game in (list(frames()), buggy()):
        path.write_text(head + listed(braced(line), game) + "End TriggerBlock\n" * bool(head))
        assert heard(path) == tuple(b"".join(raw for _at, s, raw in game if s == side) for side in (0, 1))
        assert read([str(path)]).header.timed
