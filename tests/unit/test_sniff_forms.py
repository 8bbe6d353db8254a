"""Captures in every dress that people paste: the same frames, with sides and times as far as the form has them."""

from __future__ import annotations

import base64
import contextlib
import gzip
import itertools
import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle import watch
from seabattle_host import cli
from seabattle_host.errors import UserError
from seabattle_host.sniff import forms
from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.records import records
from seabattle_host.sniff.session import Session
from tests.calls import Seabattle
from tests.captures import BEGAN, written
from tests.dress import (
    DX,
    assert_sorted,
    bytewise,
    frames,
    hexed,
    listed,
    merged_bytes,
    of_day,
    printable,
    said,
    seconds,
    sides,
)

pytestmark = pytest.mark.usefixtures("english")

HASHED = itertools.count(1)
SIDED: dict[str, Callable[[int, int, bytes], str]] = {
    "colon": lambda t, s, r: f"{DX[s]}: {hexed(r)}",
    "lower": lambda t, s, r: f"{DX[s].lower()}: {hexed(r, '{:02x}')}",
    "prefixed": lambda t, s, r: f"{DX[s]}: {hexed(r, '0x{:02X}', ', ')}",
    "c-escapes": lambda t, s, r: f'{("write", "read")[s]} "{hexed(r, chr(92) + "x{:02x}", "")}"',
    "python": lambda t, s, r: f"{('sent', 'received')[s]}: {r!r}",
    "python-list": lambda t, s, r: f"{('send', 'recv')[s]} {list(r)}",
    "decimal": lambda t, s, r: f"{('out', 'in')[s]}: {hexed(r, '{:03}')}",
    "suffix": lambda t, s, r: f"{('Sent', 'Received')[s]} {hexed(r, '{:02X}h')}",
    "dollar": lambda t, s, r: f"{'><'[s]} {hexed(r, '${:02X}')}",
    "run": lambda t, s, r: f"{('->', '<-')[s]} {r.hex()}",
    "arrows": lambda t, s, r: f"{('-->', '<--')[s]} {hexed(r)}",
    "double": lambda t, s, r: f"{('>>', '<<')[s]} {hexed(r)}",
    "unicode": lambda t, s, r: f"{('→', '←')[s]} {hexed(r)}",
    "brackets": lambda t, s, r: f"[{('OUT', 'IN')[s]}] {hexed(r)}",
    "angles": lambda t, s, r: f"<{DX[s]}> {hexed(r)}",
    "tags": lambda t, s, r: f"{DX[s]}: {hexed(r, '<{:02X}>', '')}",
    "master": lambda t, s, r: f"{('master', 'slave')[s]}: {hexed(r)}",
    "to": lambda t, s, r: f"{('m -> s', 's -> m')[s]}: {hexed(r)}",
    "both-ways": lambda t, s, r: f"{('host -> device', 'host <- device')[s]}: {hexed(r)}",
    "ab": lambda t, s, r: f"{'AB'[s]} {hexed(r, '{:X}')}",
    "ab-colon": lambda t, s, r: f"{'AB'[s]}: {hexed(r, '{:02x}', '')}",
    "host": lambda t, s, r: f"{('HOST', 'DEVICE')[s]} | {hexed(r)}",
    "length": lambda t, s, r: f"{DX[s]} ({len(r)} bytes): {hexed(r)}",
    "length-key": lambda t, s, r: f"{DX[s]} len={len(r)} data={hexed(r)}",
    "length-word": lambda t, s, r: f"{('WRITE', 'READ')[s]} Length {len(r)}: {hexed(r)}",
    "ascii": lambda t, s, r: f"{DX[s]}  {hexed(r):<48}  {printable(r)}",
    "ascii-bar": lambda t, s, r: f"{DX[s]}: {hexed(r)}  |{printable(r)}|",
    "behind": lambda t, s, r: f"{hexed(r)} ({DX[s]})",
    "ports": lambda t, s, r: f"COM{s + 3}: {hexed(r)}",
    "devices": lambda t, s, r: f"/dev/ttyUSB{s}: {hexed(r)}",
    "uarts": lambda t, s, r: f"uart{s} {hexed(r)}",
    "russian": lambda t, s, r: f"{('Передача', 'Приём')[s]}: {hexed(r)}",
    "comment": lambda t, s, r: f"{DX[s]}: {hexed(r)}  # frame {r[0]:02X}",
    "letters-behind": lambda t, s, r: f"{hexed(r):<40}  {'AB'[s]}",
    "to-behind": lambda t, s, r: f"{hexed(r)}  {('A->B', 'B->A')[s]}:",
    "names-behind": lambda t, s, r: f"{hexed(r):<40} {('alice', 'bob')[s]}",
    "arrow-between": lambda t, s, r: f"{('A → B', 'B → A')[s]} {hexed(r)}",
    "one-known": lambda t, s, r: f"{('PC->MCU', 'MCU->PC')[s]} {hexed(r)}",
    "t-and-r": lambda t, s, r: f"{'TR'[s]}: {hexed(r)}",
    "s-and-r": lambda t, s, r: f"{'SR'[s]} {hexed(r)}",
    "out-in-letters": lambda t, s, r: f"{'OI'[s]} {hexed(r)}",
    "numbered": lambda t, s, r: f"{s + 1}: {hexed(r)}",
    "numbered-brackets": lambda t, s, r: f"[{s}] {hexed(r)}",
    "numbered-ports": lambda t, s, r: f"port {s + 1} {hexed(r)}",
    "german-words": lambda t, s, r: f"{('Gesendet', 'Empfangen')[s]}: {hexed(r)}",
    "asked": lambda t, s, r: f"{('Request', 'Response')[s]}: {hexed(r)}",
    "count-bare": lambda t, s, r: f"{('Tx', 'Rx')[s]} {len(r)} {hexed(r)}",
    "offset-inside": lambda t, s, r: f"{DX[s]}   0000  {hexed(r):<48} {printable(r)}",
    "low-lines": lambda t, s, r: f"{DX[s]}: {hexed(r, '{:02x}', '_')}",
    "points": lambda t, s, r: f"{DX[s]}: {hexed(r, '{:02x}', '.')}",
    "hashes": lambda t, s, r: f"{DX[s]}: {hexed(r, '#{:02X}')}",
    "percents": lambda t, s, r: f"{DX[s]}: {hexed(r, '%{:02X}', '')}",
    "verilog": lambda t, s, r: DX[s] + ": " + hexed(r, "8'h{:02X}"),
    "assembler": lambda t, s, r: DX[s] + " " + hexed(r, "H'{:02X}'"),
    "octal": lambda t, s, r: f"{DX[s]} {hexed(r, '{:03o}')}",
    "bits": lambda t, s, r: f"{DX[s]} {hexed(r, '0b{:08b}')}",
    "together": lambda t, s, r: f"{DX[s]} {hexed(r, '{:02X}h', '')}",
    "octal-escapes": lambda t, s, r: DX[s] + " " + hexed(r, "\\{:03o}", ""),
    "chinese": lambda t, s, r: f"[12:00:00.000]{('发→◇', '收←◆')[s]}{hexed(r)} □",
    "french": lambda t, s, r: f"{('Envoyé', 'Reçu')[s]} : {hexed(r)}",
    "hashed": lambda t, s, r: f"{DX[s]} #{next(HASHED)} {hexed(r)}",
    "side-behind-letters": lambda t, s, r: f"{hexed(r):<48} |{printable(r)}| {('-->', '<--')[s]}",
    "row-in-bars": lambda t, s, r: f"| [{of_day(t)}] | {DX[s]} | {hexed(r)} |",
    "interceptty": lambda t, s, r: "\n".join(f"{'><'[s]} \t0x{b:02x} ({chr(b) if 33 <= b < 127 else '.'})" for b in r),
}

TIMED: dict[str, Callable[[int, int, bytes], str]] = {
    "seconds": lambda t, s, r: f"{seconds(t)} {DX[s]} {hexed(r)}",
    "bracketed": lambda t, s, r: f"[{seconds(t):>12}] {DX[s]} {hexed(r)}",
    "round": lambda t, s, r: f"({seconds(t)}) {DX[s]}: {hexed(r)}",
    "comma": lambda t, s, r: f"[{seconds(t).replace('.', ',')}] {DX[s]}: {hexed(r)}",
    "unit": lambda t, s, r: f"{seconds(t)}s {DX[s]}: {hexed(r)}",
    "ms": lambda t, s, r: f"{t / 1000:.3f} ms {DX[s]}: {hexed(r)}",
    "us": lambda t, s, r: f"{t}us {DX[s]}: {hexed(r)}",
    "millis": lambda t, s, r: f"{t // 1000 + 1000}: {DX[s]} {hexed(r)}",
    "day": lambda t, s, r: f"{of_day(t)} {DX[s]} {hexed(r)}",
    "day-comma": lambda t, s, r: f"{of_day(t, 3, ',')} {DX[s]} {hexed(r)}",
    "day-colon": lambda t, s, r: f"{of_day(t, 3, ':')} [{DX[s]}] {hexed(r)}",
    "arduino": lambda t, s, r: f"{of_day(t)} -> {'AB'[s]} {hexed(r, '{:X}')}",
    "arduino-tx": lambda t, s, r: f"{of_day(t)} -> {DX[s]}: {hexed(r, '{:X}')}",
    "iso": lambda t, s, r: (
        f"2026-11-28T04:{of_day(t, 6)[3:5] if 0 else '55'}:{5 + t // 10**6:02}.{t % 10**6:06}Z {DX[s]} {hexed(r)}"
    ),
    "zone": lambda t, s, r: f"2026-11-28 04:55:{5 + t // 10**6:02}.{t % 10**6:06}+03:00 {DX[s]} {hexed(r)}",
    "slashes": lambda t, s, r: f"2026/11/28 04:55:{5 + t // 10**6:02}.{t % 10**6:06}  {'><'[s]} {hexed(r)}",
    "german": lambda t, s, r: f"28.11.2026 04:55:{5 + t // 10**6:02}.{t % 10**6:06} {DX[s]}: {hexed(r)}",
    "docklight": lambda t, s, r: f"11/28/2026 10:25:{5 + t // 10**6:02}.{t % 10**6 // 1000:03} [{DX[s]}] - {hexed(r)}",
    "docklight-pm": lambda t, s, r: (
        f"11/28/2026 10:25:{5 + t // 10**6:02}.{t % 10**6 // 1000:03} PM [{DX[s]}] - {hexed(r)}"
    ),
    "syslog": lambda t, s, r: f"Nov 28 04:55:{5 + t // 10**6:02}.{t % 10**6:06} {DX[s]}: {hexed(r)}",
    "epoch": lambda t, s, r: f"{seconds(BEGAN + t)} {DX[s]}: {hexed(r)}",
    "epoch-ns": lambda t, s, r: f"[{(BEGAN + t) * 1000}] {DX[s]}: {hexed(r)}",
    "day-and-colon": lambda t, s, r: f"{of_day(t)}: {DX[s]} {hexed(r)}",
    "day-points": lambda t, s, r: f"{of_day(t).replace(':', '.')} {DX[s]} {hexed(r)}",
    "day-letters": lambda t, s, r: "{}h{}m{}s".format(*of_day(t).split(":")) + f" {DX[s]} {hexed(r)}",
    "bars": lambda t, s, r: f"| [{of_day(t)}] | {DX[s]} | {hexed(r)} |",
    "day-dashes": lambda t, s, r: f"{of_day(t).replace(':', '-')} {DX[s]} {hexed(r)}",
    "comma-and-colon": lambda t, s, r: f"{seconds(t).replace('.', ',')}: {DX[s]} {hexed(r)}",
    "russian-month": lambda t, s, r: f"28 ноября 2026 04:55:{5 + t // 10**6:02}.{t % 10**6:06} {DX[s]} {hexed(r)}",
    "german-month": lambda t, s, r: f"28. Okt. 2026 04:55:{5 + t // 10**6:02}.{t % 10**6:06} {DX[s]} {hexed(r)}",
    "count-and-time": lambda t, s, r: f"{t:06}: {of_day(t)} {DX[s]} {hexed(r)}",
    "putty": lambda t, s, r: (
        f"{('Outgoing', 'Incoming')[s]} raw data at {of_day(t)}\n  00000000  {hexed(r):<47}  {printable(r)}"
    ),
    "epoch-ms": lambda t, s, r: f"{(BEGAN + t) // 1000} {DX[s]}: {hexed(r)}",
    "logging": lambda t, s, r: (
        f"2026-11-28 04:55:{5 + t // 10**6:02},{t % 10**6 // 1000:03} DEBUG serial: {DX[s]} {hexed(r)}"
    ),
    "ours": lambda t, s, r: f"[{seconds(t)}] {'AB'[s]}> {hexed(r)}",
    "socat": lambda t, s, r: (
        f"{'><'[s]} 2026/11/28 05:01:{5 + t // 10**6:02}.000{t % 10**6:06}  length={len(r)} from=0 to={len(r) - 1}\n {hexed(r, '{:02x}')}"  # noqa: E501
    ),
    "socat-v": lambda t, s, r: (
        f"{'><'[s]} 2026/11/28 05:01:{5 + t // 10**6:02}.{t % 10**6:06}  length={len(r)} from=0 to={len(r) - 1}\n"
        f" {hexed(r, '{:02x}'):<48} {printable(r)}\n--"
    ),
    "jpnevulator": lambda t, s, r: (
        f"2026-11-28 08:26:{5 + t // 10**6:02}.{t % 10**6:06}: {('/dev/ttyS0', '/dev/ttyS1')[s]}\n{hexed(r):<47}\t{printable(r)}"  # noqa: E501
    ),
    "csv": lambda t, s, r: f"{seconds(t)},{DX[s]},{hexed(r)}",
    "tabs": lambda t, s, r: f"{seconds(t)}\t{DX[s]}\t{hexed(r)}",
    "semicolons": lambda t, s, r: f"{seconds(t)};{DX[s]};{hexed(r)}",
    "fields": lambda t, s, r: f"{seconds(BEGAN + t)}000\t0x0{s + 1}\t{r.hex()}",
    "portmon": lambda t, s, r: (
        f"{t}\t0.00000168\tpython.exe\t{('IRP_MJ_WRITE', 'IRP_MJ_READ')[s]}\tSerial0\tSUCCESS\tLength {len(r)}: {hexed(r)} \t"  # noqa: E501
    ),
    "strace": lambda t, s, r: (
        f'{of_day(t, 6)} {("write", "read")[s]}(3, "{hexed(r, chr(92) + "x{:02x}", "")}", {(len(r), 4096)[s]}) = {len(r)}'  # noqa: E501
    ),
    "strace-pid": lambda t, s, r: (
        f'[pid  1234] {of_day(t, 6)} {("write", "read")[s]}(3</dev/ttyUSB0>, "{octal(r)}", {(len(r), 4096)[s]}) = {len(r)}'  # noqa: E501
    ),
}
COARSE = {
    "hms": lambda t, s, r: f"{of_day(t, 0)} {DX[s]} {hexed(r)}",
    "tenths": lambda t, s, r: f"{t / 10**6:.1f} {DX[s]} {hexed(r)}",
}


def octal(raw: bytes) -> str:
    return (
        "".join(f"\\{byte:o}" if not 48 <= byte < 58 else chr(byte) for byte in raw)
        if b"0" not in raw
        else hexed(raw, "\\x{:02x}", "")
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


LINES = {"sides": SIDED, "times": TIMED, "coarse": COARSE}


@pytest.mark.parametrize(("having", "name"), [(having, name) for having, table in LINES.items() for name in table])
def test_lines_with_sides_and_times(having: str, name: str, path: Path):
    """Coarse times blame nobody."""
    path.write_text(listed(LINES[having][name]), encoding="utf-8")
    found = said(path)
    assert sides(found) == sides(frames())
    if having == "times" and name != "portmon":
        assert max(abs(a[0] - b[0]) for a, b in zip(found, frames(), strict=True)) <= 1100


ENCODINGS = {
    "bom": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-le": lambda text: text.encode("utf-16-le"),
    "utf-16-be-bom": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "utf-16-be": lambda text: text.encode("utf-16-be"),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
    "gzip-twice": lambda text: gzip.compress(gzip.compress(text.encode())),
    "no-break-spaces": lambda text: text.replace(" ", "\xa0").encode(),
    "gzip-utf-16": lambda text: gzip.compress(text.replace("\n", "\r\n").encode("utf-16")),
    "cp1251": lambda text: ("Журнал порта, передача и приём\n" + text).encode("cp1251"),
    "cp1251-words": lambda text: text.replace("TX", "Передача").replace("RX", "Приём").encode("cp1251"),
    "cp866-words": lambda text: text.replace("TX", "Передача").replace("RX", "Прием").encode("cp866"),
    "latin-1": lambda text: ("# Gerät schließt\n" + text).encode("latin-1"),
    "colours": lambda text: text.replace("TX", "\x1b[32mTX\x1b[0m").replace("RX", "\x1b[31mRX\x1b[0m").encode(),
    "blank-lines": lambda text: text.replace("\n", "\n\n").encode(),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", ["day", "docklight"])
def test_encodings(name: str, encoding: str, path: Path):
    path.write_bytes(ENCODINGS[encoding](listed(TIMED[name])))
    found = said(path)
    assert sides(found) == sides(frames())
    assert abs(found[-1][0] - frames()[-1][0]) <= 1100


# Dumps, by the tools themselves.

DUMPS = (
    "xxd", "xxd -g1", "xxd -u", "xxd -p", "xxd -i", "xxd -c 1", "xxd -c 7", "xxd -b", "xxd -e", "xxd -d", "xxd -g 4", "xxd -E", "xxd -a",  # noqa: E501
    "hexdump", "hexdump -C", "hexdump -x", "hexdump -b", "hexdump -c", "hexdump -d", "hexdump -o", "hexdump -v",
    "od", "od -c", "od -b", "od -x", "od -d", "od -tx1", "od -tx2", "od -tx4", "od -tu1", "od -td1", "od -to1", "od -tx1z", "od -Ax -tx1",  # noqa: E501
    "od -Ax -tx1z", "od -Ad -tu1", "od -An -tx1", "od -An -tu1", "od -An -to1", "od -An -tx2", "od -v -An -tx1 -w1", "xxd -p -c 8", "xxd -c 1 -b", "od -v -An -td1", "od -tx1c", "od -tx1 -tu1", "od -v -Ax -tx1 -w8",  # noqa: E501
)  # fmt: skip


def heard(path: Path) -> bytes:
    return b"".join(item.data for item in read([str(path)]).items if isinstance(item, Chunk))


@pytest.mark.parametrize("tool", DUMPS)
def test_dumps(tool: str, path: Path):
    if shutil.which(tool.split()[0]) is None:
        pytest.skip(f"left out: needs {tool.split()[0]}")
    path.with_name("game").write_bytes(merged_bytes())
    path.write_bytes(subprocess.run([*tool.split(), "game"], cwd=path.parent, capture_output=True, check=True).stdout)
    assert heard(path) == merged_bytes()
    assert_sorted(path)


def rows(data: bytes, offset: str, middle: str, end: str = "") -> str:
    """A dump as editors and debuggers show it, sixteen bytes a row, parted in the middle."""
    lines = []
    for i in range(0, len(data), 16):
        halves = [half for half in (data[i : i + 8], data[i + 8 : i + 16]) if half]
        lines.append(offset.format(i) + middle.join(map(hexed, halves)) + end)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        lambda data: "uint8_t game[] = {" + hexed(data, "0x{:02X}", ", ") + "};\n",
        lambda data: "const unsigned char data[] PROGMEM = {\n" + hexed(data, "{}", ", ") + "\n};\n",
        lambda data: "data = bytes([" + hexed(data, "{}", ", ") + "])\n",
        lambda data: repr(data) + "\n",
        lambda data: "data = " + repr(data) + "\n",
        lambda data: '"' + hexed(data, "\\x{:02x}", "") + '"\n',
        lambda data: data.hex() + "\n",
        lambda data: data.hex(":") + "\n",
        lambda data: data.hex("-").upper() + "\n",
        lambda data: hexed(data, "{:02X}h") + "\n",
        lambda data: "\n".join(hexed(data[i : i + 8]) for i in range(0, len(data), 8)) + "\n",
        lambda data: "\n".join(hexed(bytes((b,))) for b in data) + "\n",
        lambda data: hexed(data, "{:02X}") + "  ",
        lambda data: hexed(data, "{:02x}"),
        lambda data: "byte[] game = {" + hexed(data, "(byte)0x{:02x}", ", ") + "};\n",
        lambda data: "byte[] game = {" + ", ".join(str(b - (b & 128) * 2) for b in data) + "};\n",
        lambda data: "const G: array[0..403] of Byte = (" + hexed(data, "${:02X}", ", ") + ");\n",
        lambda data: "".join(f"    db {hexed(data[i : i + 8], '0{:02X}h', ', ')}\n" for i in range(0, len(data), 8)),
        lambda data: "".join(hexed(data[i : i + 8], "0{:03o}", ", ") + ",\n" for i in range(0, len(data), 8)),
        lambda data: hexed(data, "0{:03o}") + "\n",
        lambda data: '"' + hexed(data, "\\u{:04x}", "") + '"\n',
        lambda data: hexed(data, "\\u{:04X}", "") + "\n",
        lambda data: base64.encodebytes(data).decode(),
        lambda data: "\n".join(f"{b:08b}" for b in data) + "\n",
        lambda data: "$ xxd -p game.bin\n" + data.hex() + "\n",
        lambda data: rows(data, "0B3F:{:04X}  ", "-"),
        lambda data: rows(data, "[{:04x}] ", " "),
        lambda data: rows(data, "0x2000{:04x} <buf>:\t", "\t"),
        lambda data: "┌────────┬───┐\n" + rows(data, "│{:08x}│ ", " ┊ ", " │.│") + "└────────┴───┘\n",
    ],
)
def test_bytes_and_nothing_else(text: Callable[[bytes], str], path: Path):
    path.write_text(text(merged_bytes()), encoding="utf-8")
    assert_sorted(path)


@pytest.mark.parametrize("tool", ["", "xxd", "hexdump -C", "od -tx1"])
def test_two_dumps_are_the_two_sides(tool: str, tmp_path: Path):
    for side in (0, 1):
        (tmp_path / f"{side}").write_bytes(b"".join(raw for _at, s, raw in frames() if s == side))
        if tool:
            done = subprocess.run([*tool.split(), f"{side}"], cwd=tmp_path, capture_output=True, check=True)
            (tmp_path / f"{side}").write_bytes(done.stdout)
    found = said(tmp_path / "0", str(tmp_path / "1"))
    assert sorted(sides(found)) == sorted(sides(frames()))


def test_a_repeated_row_is_put_back(path: Path):
    row = "00000000  aa 01 aa 01 aa 01 aa 01  aa 01 aa 01 aa 01 aa 01  |................|"
    path.write_text(f"{row}\n*\n00000040  a1 1a\n00000042\n")
    assert heard(path) == b"\xaa\x01" * 32 + b"\xa1\x1a"


# Columns and objects.

COLUMNS: dict[str, Callable[[], str]] = {
    "binary": lambda: "name,type,start_time,data\n" + listed(lambda t, s, r: f"{DX[s]},data,{seconds(t)},0b{r[0]:08b}", bytewise()),  # noqa: E501
    "quoted": lambda: "Time [s],Analyzer Name,Decoded Protocol Result\n" + listed(lambda t, s, r: f"{seconds(t)},{DX[s]},'{r[0]}' (0x{r[0]:02X})", bytewise()),  # noqa: E501
    "time-us": lambda: "time_us,direction,data\n" + listed(lambda t, s, r: f"{t},{DX[s]},{r.hex()}"),
    "timestamp-ms": lambda: "timestamp_ms;dir;bytes\n" + listed(lambda t, s, r: f"{t // 1000};{DX[s]};{hexed(r)}"),
    "nanoseconds": lambda: "Time[ns],direction,data\n" + listed(lambda t, s, r: f"{t * 1000},{DX[s]},{r.hex()}"),
    "epoch-ms": lambda: "time,direction,data\n" + listed(lambda t, s, r: f"{(BEGAN + t) // 1000},{DX[s]},{r.hex()}"),
    "date-and-time": lambda: "Date,Time,Dir,Data\n" + listed(lambda t, s, r: f"2026-11-28,{of_day(t)},{DX[s]},{hexed(r)}"),  # noqa: E501
    "objects-ms": lambda: json.dumps([{"timestamp": (BEGAN + t) // 1000, "direction": DX[s], "data": r.hex()} for t, s, r in frames()]),  # noqa: E501
    "objects-buffer": lambda: json.dumps([{"ts": (BEGAN + t) // 1000, "dir": DX[s], "data": {"type": "Buffer", "data": list(r)}} for t, s, r in frames()]),  # noqa: E501
    "objects-base64": lambda: json.dumps([{"ts": (BEGAN + t) / 10**6, "dir": DX[s], "data": base64.b64encode(r).decode()} for t, s, r in frames()]),  # noqa: E501
    "arrays": lambda: json.dumps([[t / 10**6, DX[s], r.hex()] for t, s, r in frames()], indent=1),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_and_objects(name: str, path: Path):
    path.write_text(COLUMNS[name](), encoding="utf-8")
    found = said(path)
    assert sides(found) == sides(frames())
    assert abs(found[-1][0] - frames()[-1][0]) <= 1100


def test_calls_that_others_came_between_are_put_together(path: Path):
    def call(t: int, s: int, r: bytes) -> str:
        text = "".join(f"\\x{b:02x}" for b in r)
        if s == 0:
            return f'12 {of_day(t)} write(3, "{text}", {len(r)}) = {len(r)}'
        return (
            f"12 {of_day(t)} read(3, <unfinished ...>\n13 {of_day(t)} futex(0x1, FUTEX_WAKE, 1) = 0\n"
            f'12 {of_day(t)} <... read resumed>"{text}", 64) = {len(r)}'
        )

    path.write_text(listed(call))
    assert sides(said(path)) == sides(frames())


# What is none of them.

LETTER = """Dear Anna,

I made a board for the game, and it does not answer. I added a bad cable, faded as it was, to be sure.
The master sends a sync and the slave a reply, in state 0, at 9600 baud. Do you have an idea? I tried A2 and B2.
At 12:30 I gave up. It is a sad decade for DEC cafes.

Best, Bob
"""

REFUSED: dict[str, bytes] = {
    "random": random.Random(1).randbytes(2000),
    "png": b"\x89PNG\r\n\x1a\n" + random.Random(2).randbytes(500),
    "pdf": b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\n",
    "zip": b"PK\x03\x04\x14\0\0\0\x08\0" + random.Random(3).randbytes(300),
    "letter": LETTER.encode(),
    "letter-16": LETTER.encode("utf-16"),
    "letter-gz": gzip.compress(LETTER.encode()),
    "json": b'{"name": "battle", "size": 10, "list": ["aa", "bb"]}\n',
    "html": b"<!doctype html><html><body>aa 01</body></html>\n",
    "source": Path(__file__).read_bytes(),
    "tcpdump": (
        b"04:55:05.1 IP 127.0.0.1.4000 > 127.0.0.1.2000: Flags [P.], length 1\n"
        b"\t0x0000:  4500 0029 1234 4000 4006 0000 7f00 0001  E..).4@.@.......\n"
        b"\t0x0010:  7f00 0001 0fa0 07d0 0000 0001 0000 0001  ................\n"
        b"\t0x0020:  5018 0200 fe28 0000 aa                   P....(...\n"
    )
    * 20,
    "intel-hex": b":10000000AAA11AB20600000102012B0600000102A2\n:040010002A0C0C0CA2\n:00000001FF\n",
    "s-record": b"S0030000FC\nS1130000AAA11AB20600000102012B060000010242\n",
    "html-part": b"<pre>\n0.1 &gt; AA\n0.2 &lt; 01\n</pre>\n" * 9,
    "zeros": bytes(500),
    "empty": b"",
    "spaces": b" \n\n \n",
    "base64": base64.encodebytes(random.Random(4).randbytes(300)),
    "csv": b"name,age\nAnna,17\nBob,18\n",
    "truncated-gz": gzip.compress(LETTER.encode())[:40],
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_capture_is_refused_in_one_line(name: str, path: Path, seabattle: Seabattle):
    path.write_bytes(REFUSED[name])
    assert str(path) in seabattle.refused("decode --check --lang en", path)


# Verdicts.

UNSAID = {
    "one-side": (listed(SIDED["colon"], [f for f in frames() if f[1] == 0]).encode(), "nothing was heard from side B"),
    "cut-out": (
        listed(SIDED["colon"], [*frames()[:20], *frames()[21:]]).replace("\n", "\n[...]\n", 20).encode(),
        "something was lost",
    ),
    "never-met": (b"m: AA\ns: 01\n" * 20, "never met"),
    "noise": (b"m: AA\ns: FF\nm: 77 55 66\n" * 9, "make no sense"),
    "a-byte-too-many": (listed(lambda t, s, r: f"{DX[s]}: {hexed(r)} 07").encode(), "make no sense"),
    "random-hex": (random.Random(5).randbytes(2000).hex(" ").encode(), "make no sense"),
    "wrong-baud": (b"RX: F8 E0 80 FE FC\nTX: 78 F0 E6\n" * 9, "make no sense"),
}


@pytest.mark.parametrize("name", UNSAID)
def test_no_session_gets_no_verdict(name: str, path: Path, seabattle: Seabattle):
    data, why = UNSAID[name]
    path.write_bytes(data)
    status, out, _ = seabattle("decode --check --lang en", path)
    last = out.splitlines()[-1]
    assert status == 3 and last.startswith("whether the session keeps the protocol cannot be said") and why in last


def test_a_form_that_is_ordered_is_taken(path: Path, seabattle: Seabattle):
    path.write_bytes(bytes(200))
    status, out, _ = seabattle("decode --check --form raw --lang en", path)
    assert status == 3 and "read as raw: as --form orders" in out
    assert "200 bytes of noise, the first in record 1" in out


def records_of(path: Path) -> list[Record]:
    return list(records(read([str(path)]), Session()))


def test_letters_that_look_like_hex_are_no_bytes(path: Path):
    rows = ("00000000: aa01 a11a b10a 6465 6164 6265 6566 3132  ......deadbeef12", f"00000010: 1b {'.':>38}")
    path.write_text("\n".join(rows) + "\n")
    assert next(r for r in records_of(path) if r.op == 0xB1).body == b"deadbeef12"


def test_times_on_some_lines_are_kept_where_they_are(path: Path):
    path.write_text("m: AA\ns: 01\n[2.0] m: A1\n[2.5] s: 1A\n")
    assert [(r.raw[0], r.at) for r in records_of(path)][-2:] == [(0xA1, 2_000_000), (0x1A, 2_500_000)]


def test_one_way_is_not_taken_for_both(path: Path):
    path.write_bytes(b"".join(c.data for c in written("m AA +1 AA +1 A1 +1 B2 06 00 00 01 02 +1 A2 +1 A3")))
    assert {r.side for r in records_of(path)} == {0}


def test_each_form_is_loaded_under_its_own_name():
    assert {known.name: known.form.name for known in forms.FORMS} == {name: name for name in forms.NAMES}


def torn(text: str, how: str, at: int) -> str:
    """A text after what editors, terminals and broken pipes do to it, at one of its lines."""
    lines = text.splitlines(keepends=True)
    line = lines[at]
    half = len(line) // 2
    lines[at : at + 2] = {
        "line lost": [lines[at + 1]],
        "end lost": [line[:half] + "\n", lines[at + 1]],
        "time alone": [line[:9] + "\n", lines[at + 1]],
        "head lost": [line[half:], lines[at + 1]],
        "joined": [line.rstrip("\n") + lines[at + 1]],
        "parted": [line[:half] + "\n" + line[half:], lines[at + 1]],
        "part lost": [line[:half]],
        "part twice": [line, lines[at + 1], *lines[max(0, at - 20) : at + 2]],
        "parts swapped": [*lines[at + 2 : at + 8], line, lines[at + 1]],
    }[how]
    if how == "part lost":
        del lines[at + 1 : at + 25]
    elif how == "parts swapped":
        del lines[at + 8 : at + 14]
    return "".join(lines)


TORN: dict[str, Callable[[], str]] = {
    "day": lambda: listed(TIMED["day"]),
    "xxd": lambda: rows(merged_bytes(), "{:08x}: ", " "),
    "plain": lambda: "".join(merged_bytes()[i : i + 20].hex() + "\n" for i in range(0, len(merged_bytes()), 20)),
    "objects": lambda: json.dumps(
        [{"time": at / 1e6, "side": side, "data": raw.hex()} for at, side, raw in frames()], indent=1
    ),
    "table": lambda: "time,side,data\n" + listed(lambda at, side, raw: f"{seconds(at)},{DX[side]},{hexed(raw)}"),
    "two lines": lambda: listed(lambda at, side, raw: f"{of_day(at)} {DX[side]}\n{hexed(raw)}"),
}


@pytest.mark.parametrize("form", TORN)
def test_a_whole_file_is_approved_and_a_torn_one_accuses_nobody(form: str, path: Path):
    text = TORN[form]()
    path.write_text(text)
    assert cli.main(["decode", "--check", str(path)]) == 0
    rng = random.Random(form)
    for how in ("line lost", "end lost", "head lost", "joined", "parted", "part lost", "part twice", "parts swapped"):
        path.write_text(torn(text, how, rng.randrange(2, text.count("\n") - 2)))
        with contextlib.suppress(UserError):
            assert not [r for r in records_of(path) if r.verdict == watch.VIOLATION], (form, how)


@pytest.mark.parametrize(
    ("form", "how"),
    [
        ("xxd", "line lost"),
        ("objects", "end lost"),
        ("day", "part twice"),
        ("day", "end lost"),
        ("day", "time alone"),
        ("table", "end lost"),
        ("plain", "end lost"),
    ],
)
def test_what_can_be_seen_to_be_torn_is_not_approved(form: str, how: str, path: Path, seabattle: Seabattle):
    text = TORN[form]()
    half = text.count("\n") // 2
    at = next(i for i, line in enumerate(text.splitlines()) if i >= half and len(line) > 8)
    path.write_text(torn(text, how, at))
    status, out, _ = seabattle("decode --check", path)
    assert status == 3 and "something was lost at record" in out


def test_bytes_that_ran_into_each_other_accuse_nobody(path: Path):
    path.write_text(re.sub(r"C0 0\d 0\d\n.*\n", "C0 00C\n", TORN["two lines"](), count=1))
    assert cli.main(["decode", "--check", str(path)]) == 3
