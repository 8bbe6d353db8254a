"""Logs of terminals, monitors, analysers and programs of people's own: the bytes and sides as they were, or refused."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle_host.errors import UserError
from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.reading import read
from tests.captures import BEGAN
from tests.dress import (
    DX,
    Frame,
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
from tests.sizes import proof

pytestmark = pytest.mark.usefixtures("english")


def dated(us: int, digits: int = 6) -> str:
    return f"2026-11-28 04:55:{5 + us // 10**6:02}.{us % 10**6:06}"[: 20 + digits]


def nine(us: int) -> str:
    return f"{us / 10**6:.9f}"


LINES: dict[str, Callable[[int, int, bytes], str]] = {
    "py-list-hexstr": lambda t, s, r: f"{DX[s]} {[hex(b) for b in r]}",
    "py-list-hexstr2": lambda t, s, r: f"{DX[s]}: {[format(b, '02X') for b in r]}",
    "py-bytearray-time": lambda t, s, r: f"{dated(t)} {DX[s]} {bytearray(r)!r}",
    "py-hexlify": lambda t, s, r: (
        f"A{''}: {dated(t)}: {r.hex().encode()!r}" if s == 0 else f"B: {dated(t)}: {r.hex().encode()!r}"
    ),
    "py-tuple": lambda t, s, r: repr((DX[s], r)),
    "py-tuple-list": lambda t, s, r: repr((round(t / 1e6, 6), DX[s].lower(), list(r))),
    "py-dict": lambda t, s, r: repr({"t": t / 1e6, "dir": DX[s], "data": r}),
    "js-buffer": lambda t, s, r: f"{('sent', 'received')[s]} <Buffer {hexed(r, '{:02x}')}>",
    "js-uint8": lambda t, s, r: f"{('sent', 'received')[s]}: Uint8Array({len(r)}) [{hexed(r, '{}', ', ')}]",
    "java-signed": lambda t, s, r: f"{DX[s]}: [{', '.join(str(b - (b > 127) * 256) for b in r)}]",
    "angle-each": lambda t, s, r: f"{DX[s]}: {hexed(r, '<{:02X}>')}",
    "bracket-each-sp": lambda t, s, r: f"{DX[s]} {hexed(r, '[{:02X}]')}",
    "picocom": lambda t, s, r: f"{dated(t)} {DX[s]} {hexed(r, '[{:02x}]', '')}",
    "arduino-hex-time": lambda t, s, r: f"{of_day(t)} -> {DX[s]}: " + "".join(f"{b:X} " for b in r),
    "decimal-unit": lambda t, s, r: f"{t / 1000:.1f} ms {DX[s]} " + " ".join(f"{b}" for b in r),
    "nanoseconds": lambda t, s, r: f"{t * 1000} ns {DX[s]} {hexed(r)}",
    "millis-arrow": lambda t, s, r: f"{t // 1000} ms: {('->', '<-')[s]} {hexed(r)}",
    "eltima": lambda t, s, r: (
        f"[28/11/2026 04:55:{5 + t // 10**6:02}] {('Written', 'Read')[s]} data (COM3)\t\n"
        + "".join(
            f"    {hexed(r[i : i + 16], '{:02x}'):<47}   {printable(r[i : i + 16]):<16}\t\n"
            for i in range(0, len(r), 16)
        ).rstrip("\n")
    ),
    "hhd": lambda t, s, r: (
        f"{frames().index((t, s, r)):06}: {('Write Request (DOWN)', 'Read Request (UP)')[s]}, {dated(t)}0 +0.{t % 9}  (1. Device: Prolific USB-to-Serial Comm Port (COM4))\n "  # noqa: E501
        + f"{hexed(r):<47}   {printable(r)}\n"
    ),
    "yat": lambda t, s, r: f"({of_day(t)}) (COM1) ({('<<', '>>')[s]}) {hexed(r, '{:02X}h')} ({len(r)})",
    "yat3": lambda t, s, r: f"({dated(t, 3)}) ({('<<', '>>')[s]}) [{hexed(r, '{:02X}')}]",
    "esp-hex": lambda t, s, r: f"I ({t // 1000}) {('uart_tx', 'uart_rx')[s]}: {hexed(r, '{:02x}')} ",
    "esp-dump": lambda t, s, r: (
        f"I ({t // 1000}) {('TX', 'RX')[s]}: 0x3ffb4280   {hexed(r, '{:02x}'):<48} |{printable(r)}|"
    ),
    "zephyr": lambda t, s, r: (
        f"[00:00:{t // 10**6:02}.{t // 1000 % 1000:03},{t % 1000:03}] <inf> uart: {('TX', 'RX')[s]}\n{' ' * 31}{hexed(r, '{:02x}'):<48} |{printable(r):<16}"  # noqa: E501
    ),
    "ngrep": lambda t, s, r: (
        f"#\nT {dated(t).replace('-', '/')} {('127.0.0.1:40000 -> 127.0.0.1:2000', '127.0.0.1:2000 -> 127.0.0.1:40000')[s]} [AP] #{frames().index((t, s, r))}\n  {hexed(r, '{:02x}'):<50} {printable(r):<16}"  # noqa: E501
    ),
    "ngrep-plain": lambda t, s, r: (
        "interface: lo (127.0.0.0/255.0.0.0)\nfilter: ( port 4001 ) and ((ip || ip6))\n"
        * (frames().index((t, s, r)) == 0)
        + f"#\nT {('127.0.0.1:50312 -> 127.0.0.1:4001', '127.0.0.1:4001 -> 127.0.0.1:50312')[s]} [AP] #{frames().index((t, s, r))}\n  {hexed(r, '{:02x}'):<50} {printable(r):<16}"  # noqa: E501
    ),
    "unicode": lambda t, s, r: f"{DX[s]}: {''.join(f'{chr(92)}u{b:04x}' for b in r)}",
    "assembler": lambda t, s, r: f"{DX[s]}: {' '.join(f'{b:02X}H' if b < 0xA0 else f'0{b:X}H' for b in r)}",
    "octal-c": lambda t, s, r: f"{DX[s]}: {' '.join(f'0{b:03o}' for b in r)}",
    "teraterm": lambda t, s, r: (
        f"[Sat Nov 28 04:55:{5 + t // 10**6:02}.{t % 10**6 // 1000:03} 2026] {DX[s]} {hexed(r)}"
    ),
    "cutecom": lambda t, s, r: f"[{of_day(t, 3, ':')}] {DX[s]} {hexed(r, '{:02x}')}␊",
    "termite": lambda t, s, r: f"{('> ', '')[s]}{hexed(r, '{:02x}')}",
    "cyr-bytes2": lambda t, s, r: f"{of_day(t)} {('Отправлен', 'Получен')[s]} пакет ({len(r)} байт) {hexed(r)}",
    "cn2": lambda t, s, r: f"【{of_day(t)}】{('发送', '接收')[s]}数据: {hexed(r)}",
    "de-word": lambda t, s, r: f"{seconds(t).replace('.', ',')} s; {('Gesendet', 'Empfangen')[s]}; {hexed(r)}",
    "tri": lambda t, s, r: f"{of_day(t)} {'▶◀'[s]} {hexed(r)}",
    "emoji": lambda t, s, r: f"{'📤📥'[s]} {hexed(r)}",
    "up-down": lambda t, s, r: f"{'↑↓'[s]} {hexed(r)}",
    "thousand-us": lambda t, s, r: f"{t:,} us {DX[s]}: {hexed(r)}",
    "thousand-space": lambda t, s, r: (f"{t:,}".replace(",", " ")) + f" мкс {DX[s]}: {hexed(r)}",
    "len-paren": lambda t, s, r: f"{of_day(t)} {DX[s]}({len(r)}): {hexed(r)}",
    "len-0x": lambda t, s, r: f"{of_day(t)} {DX[s]} len 0x{len(r):02x} {hexed(r)}",
    "ascii-first": lambda t, s, r: f"{DX[s]}: |{printable(r)}| {hexed(r)}",
    "ascii-quote": lambda t, s, r: f'{DX[s]}: {hexed(r)} "{printable(r)}"',
    "dec-hex": lambda t, s, r: f"{DX[s]}: {hexed(r)} ({hexed(r, '{}')})",
    "time-behind": lambda t, s, r: f"{DX[s]}: {hexed(r)} [{of_day(t)}]",
    "addr": lambda t, s, r: f"{0x20000000 + t:08x} {DX[s]} {hexed(r)}",
    "log4": lambda t, s, r: (
        f"2026-11-28 04:55:{5 + t // 10**6:02},{t % 10**6 // 1000:03} [Thread-1] DEBUG c.f.SerialPort - {('Sending', 'Received')[s]} bytes: {hexed(r)}"  # noqa: E501
    ),
    "syslog-host": lambda t, s, r: (
        f"Nov 28 04:55:{5 + t // 10**6:02} raspberry ser2net[1234]: {('write', 'read')[s]}: {hexed(r)}"
    ),
    "android": lambda t, s, r: (
        f"11-28 04:55:{5 + t // 10**6:02}.{t % 10**6 // 1000:03}  1234  5678 D Serial: {('TX', 'RX')[s]}: {hexed(r)}"
    ),
    "journal": lambda t, s, r: (
        f"2026-11-28T04:55:{5 + t // 10**6:02}.{t % 10**6:06}+0300 host app[77]: {('tx', 'rx')[s]} {r.hex()}"
    ),
    "line-each-paren": lambda t, s, r: "\n".join(
        f"{seconds(t + 1250 * i)} {DX[s]} 0x{b:02X} ({b}) '{printable(bytes((b,)))}'" for i, b in enumerate(r)
    ),
}
EITHER = {"ngrep", "ngrep-plain"}
"""Nothing in them says which side is A."""
COARSE = {"eltima", "eltima-csv", "syslog-host", "decimal-unit"}


def same(path: Path, either: bool = False) -> list[Frame]:
    """What is read of a file, which is the game and nothing else."""
    found = said(path)
    heard = sides(found)
    assert heard == sides(frames()) or (either and heard == [(1 - side, raw) for side, raw in sides(frames())])
    size = sum(len(item.data) for item in read([str(path)]).items if isinstance(item, Chunk))
    assert size == len(merged_bytes())
    return found


@pytest.mark.parametrize("name", LINES)
def test_lines(name: str, tmp_path: Path):
    path = tmp_path / "x.txt"
    path.write_text(listed(LINES[name]), encoding="utf-8")
    found = same(path, name in EITHER)
    if found[-1][0] and name not in COARSE:
        assert abs(found[-1][0] - frames()[-1][0]) <= 1300


def table(
    head: str,
    row: Callable[[int, int, bytes], str],
    some: Callable[[], list[Frame] | tuple[Frame, ...]] = bytewise,
    encoding: str = "utf-8",
) -> Callable[[], bytes]:
    return lambda: (head + listed(row, some())).encode(encoding)


def apart(form: str, between: str = ",") -> Callable[[int, int, bytes], str]:
    """A row with a column for each side; a comma in the time where semicolons part the columns."""

    def row(t: int, s: int, r: bytes) -> str:
        moment = nine(t).replace(".", "," if between == ";" else ".")
        return between.join((moment, *(hexed(r, form) if side == s else "" for side in (0, 1))))

    return row


TABLES: dict[str, Callable[[], bytes]] = {
    "saleae-comma-semi": table(
        "name;type;start_time;duration;data;error\n",
        lambda t, s, r: f'"{DX[s]}";"data";{nine(t).replace(".", ",")};0,001;0x{r[0]:02X};',
    ),
    "saleae-ascii": table(
        "Time [s],Analyzer Name,Decoded Protocol Result\n",
        lambda t, s, r: (
            f"{nine(t)},Async Serial {DX[s]},"
            + (
                f"'{r[0]}'"
                if r[0] < 32 or r[0] > 126
                else "COMMA"
                if r[0] == 44
                else chr(39) + chr(32) + chr(39)
                if r[0] == 32
                else chr(r[0])
            )
        ),
    ),
    "saleae-asciihex": table(
        "Time [s],Analyzer Name,Decoded Protocol Result\n",
        lambda t, s, r: (
            f"{nine(t)},Async Serial {DX[s]},{chr(r[0]) if 32 < r[0] < 127 else chr(92) + format(r[0], 'x>3X')} (0x{r[0]:02X})"  # noqa: E501
        ),
    ),
    "saleae-txrx-cols": table("Time [s],TX,RX\n", apart("0x{:02X}")),
    "txrx-cols-semi": table("Zeit;Gesendet;Empfangen\n", apart("{:02X}", ";"), frames),
    "txrx-cols-ru1251": table("Время;Передача;Прием\n", apart("{:02X}", ";"), frames, "cp1251"),
    "txrx-cols-cn": table("时间,发送,接收\n", apart("{:02X}"), frames, "gbk"),
    "cn-gbk": table(
        "序号,时间,方向,数据\n",
        lambda t, s, r: f"{frames().index((t, s, r))},{of_day(t)},{('发送', '接收')[s]},{hexed(r)}",
        frames,
        "gbk",
    ),
    "de-table-len": table(
        "Nr.;Zeit;Länge;Richtung;Daten\n",
        lambda t, s, r: (
            f"{frames().index((t, s, r))};{of_day(t, 3, ',')};{len(r)};{('Gesendet', 'Empfangen')[s]};{hexed(r)}"
        ),
        frames,
        "latin-1",
    ),
    "excel-utf16": table(
        "Time\tDirection\tLength\tData\r\n",
        lambda t, s, r: f"{nine(t).replace('.', ',')}\t{DX[s]}\t{len(r)}\t{hexed(r)}\r",
        frames,
        "utf-16",
    ),
    "excel-bom-quoted": table(
        '\ufeff"Time";"Direction";"Length";"Data"\r\n',
        lambda t, s, r: f'"{nine(t).replace(".", ",")}";"{DX[s]}";"{len(r)}";"{hexed(r)}"\r',
        frames,
    ),
    "eltima-csv": table(
        "#,Time,Function,Direction,Status,Data,Data (chars),Data length,Req. length,Port,Comments\n",
        lambda t, s, r: (
            f'{frames().index((t, s, r))},28/11/2026 04:55:{5 + t // 10**6:02},IRP_MJ_{("WRITE", "READ")[s]},{("DOWN", "UP")[s]},STATUS_SUCCESS,{hexed(r, "{:02x}")} ,"{printable(r)}",{len(r)},{len(r)},COM3,'  # noqa: E501
        ),
        frames,
    ),
    "dsview-2": table(
        "Id,Time[ns],0:UART: RX,1:UART: TX\n",
        lambda t, s, r: f"{t},{t * 1000}," + apart("{:02X}")(t, 1 - s, r).partition(",")[2],
    ),
    "kingst": table("Time [s],UART RX,UART TX\n", lambda t, s, r: apart("0x{:02X}")(t, 1 - s, r)),
    "pulseview-like": table(
        "Sample,Time,Decoder,Type,Value\n", lambda t, s, r: f"{t * 2},{nine(t)},UART,{DX[s]} data,{r[0]:02X}"
    ),
    "acute": table("Timestamp,Ch,Data,Parity,Stop\n", lambda t, s, r: f"{t / 1e3:.3f} ms,{DX[s]},{r[0]:02X}h,OK,OK"),
    "thousand-sep": table("Time (us);Dir;Data\n", lambda t, s, r: f'"{t:,}";{DX[s]};{hexed(r)}', frames),
    "thousand-nnbsp": table(
        "Time (us);Dir;Data\n", lambda t, s, r: (f"{t:,}").replace(",", "\u202f") + f";{DX[s]};{hexed(r)}", frames
    ),
    "hex-cols": table(
        "time,dir,b0,b1,b2,b3\n", lambda t, s, r: f"{nine(t)},{DX[s]}," + ",".join(format(b, "02X") for b in r), frames
    ),
    "dec-cols": table(
        "time,dir,b0,b1,b2,b3\n", lambda t, s, r: f"{nine(t)},{DX[s]}," + ",".join(str(b) for b in r), frames
    ),
    "nohead-len": table("", lambda t, s, r: f"{nine(t)},{DX[s]},{len(r)},{hexed(r)}", frames),
}


@pytest.mark.parametrize("name", TABLES)
def test_columns(name: str, tmp_path: Path):
    path = tmp_path / "x.csv"
    path.write_bytes(TABLES[name]())
    found = same(path)
    if name not in COARSE:
        assert abs(found[-1][0] - frames()[-1][0]) <= 1100


def test_a_long_line_takes_no_longer_than_many_short_ones(tmp_path: Path):
    def took(pieces: int) -> float:
        text = "[1" * pieces
        began = time.process_time()
        with contextlib.suppress(UserError):
            list(read([written(tmp_path, text)]).items)
        return time.process_time() - began

    took(500)
    assert took(32_000) < 40 * max(took(2_000), 0.05)


def written(folder: Path, text: str) -> str:
    path = folder / "x.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


NAMES = (
    ("TX", "RX"), ("[TX]", "[RX]"), ("<TX>", "<RX>"), ("->", "<-"), (">>", "<<"), ("→", "←"), ("OUT", "IN"),
    ("write", "read"), ("m->s", "s->m"), ("PC -> MCU:", "MCU -> PC:"), ("A", "B"), ("A>", "B>"), ("COM3", "COM4"),
    ("Отправлено", "Принято"), ("发送：", "接收："), ("Gesendet", "Empfangen"), ("host", "device"), ("S", "R"),
    ("uart0", "uart1"), ("alice", "bob"),
)  # fmt: skip
MOMENTS: tuple[Callable[[int], str], ...] = (
    lambda t: "", seconds, lambda t: f"[{seconds(t)}]", of_day, dated, lambda t: dated(t).replace(" ", "T") + "Z",
    lambda t: f"{t / 1000:.3f} ms", lambda t: f"{t} us", lambda t: f"{(BEGAN + t) // 1000}",
    lambda t: seconds(t).replace(".", ","),
)  # fmt: skip
WRITTEN: tuple[Callable[[bytes], str], ...] = (
    hexed, bytes.hex, repr, lambda r: repr(bytearray(r)), lambda r: repr(list(r)), lambda r: repr([hex(b) for b in r]),
    *(lambda r, form=form, between=between: hexed(r, form, between) for form, between in (
        ("{:02X}", ":"), ("{:02x}", ", "), ("0x{:02X}", ","), ("{:02X}h", " "), ("${:02X}", " "), ("{:X}", " "),
        ("{:03}", " "), ("{}", ", "), ("{:08b}", " "), ("[{:02X}]", ""), ("<{:02X}>", ""),
    )),
)  # fmt: skip
BEHIND: tuple[Callable[[bytes], str], ...] = (
    *(lambda r: "",) * 4, lambda r: f" |{printable(r)}|", lambda r: f"   {printable(r)}", lambda r: f" ({len(r)})",
    lambda r: f"  # {len(r)} bytes", lambda r: f" // op {r[0]:02X}",
)  # fmt: skip
BEFORE: tuple[Callable[[int, bytes], str], ...] = (
    *(lambda n, r: "",) * 4, lambda n, r: f"{n}:", lambda n, r: f"#{n}", lambda n, r: f"{n:05}", lambda n, r: "DEBUG",
)  # fmt: skip
COUNTS: tuple[Callable[[bytes], str], ...] = (
    *(lambda r: "",) * 4, lambda r: f"({len(r)})", lambda r: f"len={len(r)}", lambda r: f"{len(r)} bytes",
)  # fmt: skip


BETWEEN = (" ", " ", "  ", "\t", ", ", "; ", " | ")


@pytest.mark.parametrize("seed", range(proof(10, 300)))
def test_a_log_of_any_layout_is_read_as_it_is_or_refused(seed: int, tmp_path: Path):
    rng = random.Random(seed)
    number, moment, names, count = rng.choice(BEFORE), rng.choice(MOMENTS), rng.choice(NAMES), rng.choice(COUNTS)
    bytes_as, behind, between = rng.choice(WRITTEN), rng.choice(BEHIND), rng.choice(BETWEEN)
    lines = []
    for n, (t, s, r) in enumerate(frames()):
        parts = (number(n, r), moment(t), names[s], count(r), bytes_as(r))
        lines.append(between.join(filter(None, parts)) + behind(r) + "\n")
    with contextlib.suppress(UserError):
        same(Path(written(tmp_path, "".join(lines))))


@pytest.mark.parametrize("line", ["({}) {}", "[{}]  |{}|", "{{ {} }} |{}|", "{}   {}", "{} '{}'", "[{}]   {}"])
def test_the_letters_beside_are_no_bytes_of_another_side(line: str, tmp_path: Path):
    game = listed(lambda t, s, r: f"{DX[s]} " + line.format(hexed(r), printable(r)))
    text = b"\xb3\x06TX: AA"
    path = written(tmp_path, game + "TX " + line.format(hexed(text), printable(text)) + "\n")
    found = b"".join(item.data for item in read([path]).items if isinstance(item, Chunk))
    assert found == merged_bytes() + text
