"""Logs of terminals, monitors, analysers and people's own programs: bytes and sides are kept, or the log is refused."""

from __future__ import annotations

import contextlib
import json
import random
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from seabattle_host import cli
from seabattle_host.errors import UserError
from seabattle_host.sniff.capture import Chunk, Lost
from seabattle_host.sniff.reading import read
from tests.calls import Seabattle
from tests.dress import (
    Frame,
    Line,
    bytewise,
    dress,
    frames,
    hexed,
    in_all,
    listed,
    merged_bytes,
    printable,
    same,
    seconds,
)
from tests.faults.bugs import BUGS, sessions
from tests.sizes import proof

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


UNTIMED = (
    "{TX|RX} {run} {us:08x}", "INSERT INTO frames (t, dir, data) VALUES ('{date}', '{A|B}', '\\x{run}');",
    "PC {--|<--}[ {hex} ]{-->|--} Board", "TX={A} RX={B}", "tx: [{A}] rx: [{B}]",
    "=== {TX|RX} ({len} bytes) ===\n{hex}",
    "{TX|RX}: {%02X~/}",
    "  1  161      {write:entry|read:return} \n      0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
    "         0: {low:<48}  {abc}", "{Host|Device} --> {x (%03d)~ }", "{HOST_TO_DEVICE|DEVICE_TO_HOST} {hex}",
    'relay: dir="{a_to_b|b_to_a}" data={run}',
    "{hex}   ; {from PC|from board}", "{hex}  # {pc|board}", "{hex} // {TX|RX}",
    "{hex} (frame {n}) {-> board|<- board}",
    "{hex}  % {master: shot|slave: answer}", "{hex} /* {to device|to host} */", "pc {==>|<==} {hex}",
    "{host|device} @ {s}\n  0000: {low}",
    "{ms.:.3f} {TX|RX} {hex}", '{s} {write|read}(3,"{strace}",{room})\t\t = {len} (0x1)',
    '{ms.:9.3f} ( 0.010 ms): a/4 {write|read}(fd: 3</dev/ttyUSB0>, buf: "{strace}", count: {len}) = {len}',
    "{tx|rx}: {quoted}", "{day} {TX|RX} {quoted}",
    "{TX|RX}: {hex}", "{tx|rx}: {low}", "{TX|RX}: {0x%02X~, }", '{write|read} "{\\x%02x~}"', "{sent|received}: {repr}",
    "{send|recv} {list}", "{out|in}: {%03d~ }", "{Sent|Received} {%02Xh~ }", "{>|<} {$%02X~ }", "{->|<-} {run}",
    "{-->|<--} {hex}", "{>>|<<} {hex}", "{→|←} {hex}", "[{OUT|IN}] {hex}", "<{TX|RX}> {hex}", "{TX|RX}: {<%02X>~}",
    "{master|slave}: {hex}", "{m -> s|s -> m}: {hex}", "{host -> device|host <- device}: {hex}", "{A|B} {%X~ }",
    "{A|B}: {run}", "{HOST|DEVICE} | {hex}", "{TX|RX} ({len} bytes): {hex}", "{TX|RX} len={len} data={hex}",
    "{WRITE|READ} Length {len}: {hex}", "{TX|RX}  {hex:<48}  {abc}", "{TX|RX}: {hex}  |{abc}|", "{hex} ({TX|RX})",
    "{COM3|COM4}: {hex}", "/dev/ttyUSB{0|1}: {hex}", "uart{0|1} {hex}", "{Передача|Приём}: {hex}", "port {1|2} {hex}",
    "{TX|RX}: {hex}  # frame {op:02X}", "{hex:<40}  {A|B}", "{hex}  {A->B|B->A}:", "{hex:<40} {alice|bob}",
    "{A → B|B → A} {hex}", "{PC->MCU|MCU->PC} {hex}", "{T|R}: {hex}", "{S|R} {hex}", "{O|I} {hex}", "{1|2}: {hex}",
    "[{0|1}] {hex}", "{Gesendet|Empfangen}: {hex}", "{Request|Response}: {hex}", "{Envoyé|Reçu} : {hex}",
    "{Tx|Rx} {len} {hex}", "{TX|RX}   0000  {hex:<48} {abc}", "{TX|RX}: {%02x~_}", "{TX|RX}: {%02x~.}",
    "{TX|RX}: {#%02X~ }", "{TX|RX}: {%%%02X~}", "{TX|RX}: {8'h%02X~ }", "{TX|RX} {H'%02X'~ }", "{TX|RX} {%03o~ }",
    "{TX|RX} {0bits}", "{TX|RX} {%02Xh~}", "{TX|RX} {\\%03o~}", "[12:00:00.000]{发→◇|收←◆}{hex} □",
    "{hex:<48} |{abc}| {-->|<--}", "{TX|RX} ['{0x%x~', '}']", "{TX|RX}: ['{%02X~', '}']", "('{TX|RX}', {repr})",
    "{sent|received} <Buffer {low}>", "{sent|received}: Uint8Array({len}) [{%d~, }]", "{TX|RX}: [{signed}]",
    "{TX|RX}: {<%02X>~ }", "{TX|RX} {[%02X]~ }", "{TX|RX}: {\\u%04x~}", "{TX|RX}: {asm}", "{TX|RX}: {0%03o~ }",
    "{> |}{low}", "{📤|📥} {hex}", "{↑|↓} {hex}", "{TX|RX}: |{abc}| {hex}", '{TX|RX}: {hex} "{abc}"',
    "{TX|RX}: {hex} ({%d~ })", "{TX|RX}: {hex} [{day}]", "{TX|RX} #{n} {hex}",
    "{to board|from board}: {hex}", "{to slave|to master}: {hex}", "{to|from}: {hex}", "{pc2mcu|mcu2pc} {hex}",
    "{Вывод|Ввод}: {hex}", "{TX|RX} {base64}", "{D0|D1}: {hex}", "Serial{1|2}: {hex}", "{Tx|Rx}:{n:06}-{hex}",
    "[04:55:05][D][uart_debug:114]: {>>>|<<<} {%02X~:}", "({ms}) {+|-} {repr}", " [{TX|RX}:{quoted}] ",
    "{TX|RX}; ({len}) {quoted}", "log - {T|R}\t{hex}", "{Q|A} port\t{hex}", "{0|1};{hex}", "{us}\t{hex}\t{0|1}",
    "D {A->B|B->A}, {len} bytes {hex}",
    "R {A > B|B > A}: {hex}", "{tx|rx}: {0o%o~ }", "{tx|rx}: {0%o~ }", '{tx|rx} "{\\%03d~}"', "{tx|rx}: {0bits}",
    "{tx|rx} array([{%3d~, }], dtype=uint8)",
    "app[12] dir={out|in} {len:02}\t[{signed}]", "(0.5) | {>>|<<}; {list}", "dir={out|in} <Buffer {low}>  '{abc}'",
    "0x{us:08x}; {PC->Board|Board->PC}: {list}",
    "T:0x1234 <{A->B|B->A}> - {%d~ }", "COM3 log {n} dir={out|in}, {[%02X]~}", "{day0} {+|-}, [{%d~ }]  [{abc}]",
)  # fmt: skip

TIMED = (
    "{s} {>|<} {%02X~}",
    "2026年11月28日 04时55分{05}秒{.3}毫秒 {发送|接收} {hex}", "serial,dir={tx|rx} data=\"{run}\" {epoch-us}000",
    "2. {viWrite|viRead} (ASRL3::INSTR (0x1), {quoted}, {len}, {len})\nProcess ID: 0x1A2C\n"
    "Start Time: {day6}    Call Duration: 00:00:00.0010\nStatus: 0 (VI_SUCCESS)\n",
    "{ms} [task] {TX|RX} {hex}", "@{us} {TX|RX} {hex}", "[+{s}] {TX|RX} {hex}", "dt={gap}us {TX|RX}: {hex}",
    "Δ{gap} {TX|RX}: {hex}", "{uptime-ns} {TX|RX} {hex}", "#{n} (+{gap} µs) {TX|RX} {hex}",
    "1{ns:012} ns {TX|RX} {hex}",
    "{s} {TX|RX} {hex}", "[{s:>12}] {TX|RX} {hex}", "({s}) {TX|RX}: {hex}", "[{s,}] {TX|RX}: {hex}",
    "{s}s {TX|RX}: {hex}", "{ms.:.3f} ms {TX|RX}: {hex}", "{us}us {TX|RX}: {hex}", "{millis}: {TX|RX} {hex}",
    "{day} {TX|RX} {hex}", "{day,} {TX|RX} {hex}", "{day-colon} [{TX|RX}] {hex}", "{day} -> {A|B} {%X~ }",
    "{day} -> {TX|RX}: {%X~ }", "{day} -> {TX|RX}: {%X~ } ", "{day}: {TX|RX} {hex}", "{us:06}: {day} {TX|RX} {hex}",
    "{hh}.{mm}.{ss} {TX|RX} {hex}", "{hh}h{mm}m{ss}s {TX|RX} {hex}", "{hh}-{mm}-{ss} {TX|RX} {hex}",
    "| [{day}] | {TX|RX} | {hex} |", "2026-11-28T04:55:{05}.{.6}Z {TX|RX} {hex}", "{date}+03:00 {TX|RX} {hex}",
    "2026/11/28 04:55:{05}.{.6}  {>|<} {hex}", "28.11.2026 04:55:{05}.{.6} {TX|RX}: {hex}",
    "11/28/2026 10:25:{05}.{.3} [{TX|RX}] - {hex}", "11/28/2026 10:25:{05}.{.3} PM [{TX|RX}] - {hex}",
    "28 ноября 2026 04:55:{05}.{.6} {TX|RX} {hex}", "28. Okt. 2026 04:55:{05}.{.6} {TX|RX} {hex}",
    "[Sat Nov 28 04:55:{05}.{.3} 2026] {TX|RX} {hex}", "Nov 28 04:55:{05}.{.6} {TX|RX}: {hex}",
    "{epoch} {TX|RX}: {hex}", "[{epoch-us}000] {TX|RX}: {hex}", "{epoch-ms} {TX|RX}: {hex}", "{s,}: {TX|RX} {hex}",
    "{ns} ns {TX|RX} {hex}", "{ms} ms: {->|<-} {hex}", "{us:,} us {TX|RX}: {hex}", "{us } мкс {TX|RX}: {hex}",
    "{s},{TX|RX},{hex}", "{s}\t{TX|RX}\t{hex}", "{s};{TX|RX};{hex}", "{s,} s; {Gesendet|Empfangen}; {hex}",
    "{epoch}000\t0x0{1|2}\t{run}", "[{s}] {A|B}> {hex}", "{day} {▶|◀} {hex}", "[{day-colon}] {TX|RX} {low}␊",
    "{date} {TX|RX} bytearray({repr})", "{A|B}: {date}: b'{run}'", "({float}, '{tx|rx}', {list})",
    "{'t': {float}, 'dir': '{TX|RX}', 'data': {repr}}", "{date} {TX|RX} {[%02x]~}",
    "({day}) (COM1) ({<<|>>}) {%02Xh~ } ({len})", "({date:.23}) ({<<|>>}) [{hex}]", "{day} {TX|RX}({len}): {hex}",
    "{day} {Отправлен|Получен} пакет ({len} байт) {hex}", "【{day}】{发送|接收}数据: {hex}",
    "{day} {SND|RCV}: {hex}",
    '{day} {sent|received}: "{base64}"', "{day} {TX|RX} len 0x{len:02x} {hex}", "I ({ms}) {uart_tx|uart_rx}: {low} ",
    "I ({ms}) {TX|RX}: 0x3ffb4280   {low:<48} |{abc}|",
    "[00:00:{00}.{.3},123] <inf> uart: {TX|RX}\n                               {low:<48} |{abc:<16}",
    "{Outgoing|Incoming} raw data at {day}\n  00000000  {hex:<47}  {abc}",
    "2026-11-28 04:55:{05},{.3} DEBUG serial: {TX|RX} {hex}",
    "2026-11-28 04:55:{05},{.3} [Thread-1] DEBUG c.f.SerialPort - {Sending|Received} bytes: {hex}",
    "11-28 04:55:{05}.{.3}  1234  5678 D Serial: {TX|RX}: {hex}",
    "2026-11-28T04:55:{05}.{.6}+0300 host app[77]: {tx|rx} {run}",
    "{>|<} 2026/11/28 05:01:{05}.000{.6}  length={len} from=0 to={last}\n {low}",
    "{>|<} 2026/11/28 05:01:{05}.{.6}  length={len} from=0 to={last}\n {low:<48} {abc}\n--",
    "2026-11-28 08:26:{05}.{.6}: /dev/ttyS{0|1}\n{hex:<47}\t{abc}",
    '{day6} {write|read}(3, "{\\x%02x~}", {room}) = {len}',
    '[pid  1234] {day6} {write|read}(3</dev/ttyUSB0>, "{strace}", {room}) = {len}',
    "{n:06}: {Write Request (DOWN)|Read Request (UP)}, {date}0 +0.1  (1. Device: Serial Comm Port (COM4))\n"
    " {hex:<47}   {abc}\n",
    "T:0x1234 {s} - {>>|<<}: [{0x%02x~, }]  '{abc}'", "{s} s [DEBUG] Player {1|2}\t{%02X~,}",
    "2026年11月28日 04:55:{05}.{.3} main.c:42 {发送|接收}, {h%02X~ }", "[Thread-1] {s} s {→|←} {len} B [{%d~, }]",
    "28 ноября 2026 г. 04:55:{05}.{.6}, app[12]: {W|R} - {hex} // ok", "{+|-} {day} - myhost kernel: {run}",
    "2026. 11. 28. 04:55:{05}.{.3} - {[TX]|[RX]} | {len:02} ['{%02X~', '}']",
    "{host|device} 0 days 00:00:{00}.{.6} {hex}",
    "[1234] {day6} {W|R}, {base64}",
    "#{n} 28.11.2026 04:55:{05}.{.3}: {IRP_MJ_WRITE|IRP_MJ_READ}\n {hex:<48} {abc}",
    "{n:06}: {date} +0.1 seconds\n\n{Write Request (DOWN)|Read Request (UP)}, COM3, term.exe\n {low:<50}{abc}",
    "#\nT 2026/11/28 04:55:{05}.{.6} {127.0.0.1:40000 -> 127.0.0.1:2000|127.0.0.1:2000 -> 127.0.0.1:40000} [AP] #{n}\n"
    "  {low:<50} {abc:<16}",
)  # fmt: skip

COARSE = (
    "tick {ticks} {TX|RX} {hex}",
    "{day0} {TX|RX} {hex}", "{float:.1f} {TX|RX} {hex}", "{ms.:.1f} ms {TX|RX} {%d~ }", "2{us:07x} {TX|RX} {hex}",
    "{us}\t0.00000168\tpython.exe\t{IRP_MJ_WRITE|IRP_MJ_READ}\tSerial0\tSUCCESS\tLength {len}: {hex} \t",
    "[28/11/2026 04:55:{05}] {Written|Read} data (COM3)\t\n    {low:<47}   {abc:<16}\t",
    "Nov 28 04:55:{05} raspberry ser2net[1234]: {write|read}: {hex}",
)  # fmt: skip
"""Times too coarse to accuse anybody."""


@pytest.mark.parametrize("line", [*UNTIMED, *TIMED, *COARSE])
def test_lines_with_sides_and_times(line: str, path: Path):
    path.write_text(listed(line), encoding="utf-8")
    found = same(path, either="127.0.0.1" in line)
    assert line not in TIMED or abs(found[-1][0] - frames()[-1][0]) <= 1100


@pytest.mark.parametrize("line", ["{at} {side} {raw}", '{{"t": {at}, "dir": "{side}", "data": "{raw}"}}'])
@pytest.mark.parametrize(("unit", "parts"), [("ms", 1000), ("µs", 1)])
def test_the_output_says_for_what_unit_times_are_taken(
    line: str, unit: str, parts: int, path: Path, capsys: pytest.CaptureFixture[str]
):
    heard = [(at + n * 5000, "TR"[side] + "X", raw.hex(" ")) for n, (at, side, raw) in enumerate(frames()[:60])]
    path.write_text("".join(line.format(at=at // parts, side=side, raw=raw) + "\n" for at, side, raw in heard))
    assert cli.main(["decode", str(path)]) == 0
    assert f"the times are taken for {unit}\n" in capsys.readouterr().out


def test_what_a_terminal_prints_without_ends_of_lines_is_read(path: Path):
    path.write_text(listed(" [{TX|RX}:{quoted}] ").replace("\n", ""))
    same(path)


def saleae(t: int, s: int, r: bytes) -> str:
    named = {32: "' '", 44: "COMMA"}.get(r[0], chr(r[0]) if 32 < r[0] < 127 else f"'{r[0]}'")
    return f"{t / 10**6:.9f},Async Serial {'TR'[s]}X,{named}"


def quoted_cell(r: bytes) -> str:
    """Return a byte as Logic 2 shows it in ASCII."""
    return '"' + (chr(r[0]).replace('"', '""') if 32 <= r[0] < 127 else f"\\x{r[0]:02X}") + '"'


BYTE_BY_BYTE: tuple[tuple[str, str | Line], ...] = (
    ("", "{s} {TX|RX} 0x{op:02X} ({op}) '{abc}'"),
    ("name,type,start_time,data", "{TX|RX},data,{s},{0bits}"),
    ("name;type;start_time;duration;data;error", '"{TX|RX}";"data";{nine,};0,001;0x{op:02X};'),
    ("Time [s],Analyzer Name,Decoded Protocol Result", "{s},{TX|RX},'{op}' (0x{op:02X})"),
    ("Time [s],Analyzer Name,Decoded Protocol Result", "{nine},Async Serial {TX|RX},\\x{op:02X} (0x{op:02X})"),
    ("Time [s],Analyzer Name,Decoded Protocol Result", saleae),
    ("Time [s],TX,RX", "{nine},{0xA},{0xB}"),
    ("Time [s],UART RX,UART TX", "{nine},{0xB},{0xA}"),
    ("Id,Time[ns],0:UART: RX,1:UART: TX", "{us},{ns},{B},{A}"),
    ("Sample,Time,Decoder,Type,Value", "{us},{nine},UART,{TX|RX} data,{op:02X}"),
    ("Timestamp,Ch,Data,Parity,Stop", "{ms.:.3f} ms,{TX|RX},{op:02X}h,OK,OK"),
    ("Id,Time[ns],1:UART,2:UART", "{us},{ns},{A},{B}"),
    (
        "No,Ch,Start Time (s),Start,Data,Parity",
        lambda t, s, r: dress("{us},{TX|RX},{nine},0,{op:02X},")(t, s, r) + "01"[r[0] % 2],
    ),
    ("ID;Name;Start (s);End (s);Data (Hex)", "{us};{TX|RX};{nine,};0,5;{op:02X}"),
    ("Time (s);Channel;Type;Value", "{nine};{TX|RX};Data;0x{op:02X} ({op})"),
    ("Time [s],Analyzer Name,Decoded Protocol Result", lambda t, s, r: saleae(t, s, r) + f" (0x{r[0]:02X})"),
    ("name,type,start_time,data", lambda t, s, r: dress('"{TX|RX}","data",{nine},')(t, s, r) + quoted_cell(r)),
)
TABLES = (
    ("time_us,is_tx,hex", "{us},{1|0},{run}", "utf-8"),
    ("t_us,from_host,data", "{us},{True|False},{run}", "utf-8"),
    ("Id,Time[ns],0:UART: RX/TX", "{n},{ns}.000000,{TX|RX}: {hex}", "utf-8"),
    ("ID,Start Time,End Time,Packet,Start Bit,Data,Stop Bit", "{n},{nine},{nine},{TX|RX},0,{hex},1", "utf-8"),
    ("Time (s),Dir,D0,D1,D2,D3,D4,D5,ASCII", "{nine},{Tx|Rx},{six},{abc:.1}", "utf-8"),
    ("Time,Direction,Data", "{nine},{TX|RX},'{hex}", "utf-8"),
    ("", "{s} & {TX|RX} & {latex} \\\\", "utf-8"),
    ("", "{ms},{TX|RX},{hex}", "utf-8"),
    ("", "{n}\t{us}\t{TX|RX}\t{hex}", "utf-8"),
    ("", "{uptime-ns};{TX|RX};{hex}", "utf-8"),
    ("t/ms;dir;hex", "{ms.:.3f};{TX|RX};{hex}", "utf-8"),
    ("Δ,dir,data", "{gap},{TX|RX},{hex}", "utf-8"),
    ("dt_us,dir,data", "{gap},{TX|RX},{hex}", "utf-8"),
    ("Время, мс;Направление;Байты", "{ms.:.3f};{TX|RX};{hex}", "cp1251"),
    ("", "{date}\t{TX|RX}\t\\\\x{run}", "utf-8"),
    ("\\hline", "{nine} & {TX|RX} & {hex} \\\\", "utf-8"),
    ("| time | side | bytes |\n+======+======+", "| {nine} | {TX|RX} | {hex} |\n+------+------+------+", "utf-8"),
    ("{|\n! Time !! Dir !! Data", "|-\n| {nine} || {TX|RX} || {hex}", "utf-8"),
    ("time_us,direction,data", "{us},{TX|RX},{run}", "utf-8"),
    ("timestamp_ms;dir;bytes", "{ms};{TX|RX};{hex}", "utf-8"),
    ("Time[ns],direction,data", "{ns},{TX|RX},{run}", "utf-8"),
    ("time,direction,data", "{epoch-ms},{TX|RX},{run}", "utf-8"),
    ("Date,Time,Dir,Data", "2026-11-28,{day},{TX|RX},{hex}", "utf-8"),
    ("Zeit;Gesendet;Empfangen", "{nine,};{A};{B}", "utf-8"),
    ("Время;Передача;Прием", "{nine,};{A};{B}", "cp1251"),
    ("时间,发送,接收", "{nine},{A},{B}", "gbk"),
    ("序号,时间,方向,数据", "{n},{day},{发送|接收},{hex}", "gbk"),
    ("Nr.;Zeit;Länge;Richtung;Daten", "{n};{day,};{len};{Gesendet|Empfangen};{hex}", "latin-1"),
    ("Time\tDirection\tLength\tData\r", "{nine,}\t{TX|RX}\t{len}\t{hex}\r", "utf-16"),
    ('"Time";"Direction";"Length";"Data"\r', '"{nine,}";"{TX|RX}";"{len}";"{hex}"\r', "utf-8-sig"),
    ("Time (us);Dir;Data", '"{us:,}";{TX|RX};{hex}', "utf-8"),
    ("Time (us);Dir;Data", "{us\u202f};{TX|RX};{hex}", "utf-8"),
    ("time,dir,b0,b1,b2,b3", "{nine},{TX|RX},{%02X~,}", "utf-8"),
    ("time,dir,b0,b1,b2,b3", "{nine},{TX|RX},{%d~,}", "utf-8"),
    ("", "{nine},{TX|RX},{len},{hex}", "utf-8"),
    ("frame.time_relative\tusb.src\tusb.dst\tusb.capdata", "{nine}\t{host\t1.5.2|1.5.1\thost}\t{%02x~:}", "utf-8"),
    ("| time | side | bytes |\n|------+------+-------|", "| {nine} | {TX|RX} | {hex} |", "utf-8"),
)


@pytest.mark.parametrize(
    ("head", "row", "encoding", "some"),
    [*((*table, "utf-8", bytewise) for table in BYTE_BY_BYTE), *((*table, frames) for table in TABLES)],
)
def test_columns(head: str, row: str | Line, encoding: str, some: Callable[[], Sequence[Frame]], path: Path):
    path.write_bytes(f"{head}\n{listed(row, some())}".lstrip("\n").encode(encoding))
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1100


@pytest.mark.parametrize(
    ("head", "row"),
    [
        # a line for each byte
        ("", "{>|<} \t0x{op:02x} ({abc})"),
        # to the second at best
        (
            "#,Time,Function,Direction,Status,Data,Data (chars),Data length,Req. length,Port,Comments\n",
            '{n},28/11/2026 04:55:{05},IRP_MJ_{WRITE|READ},{DOWN|UP},STATUS_SUCCESS,{low} ,"{abc}",{len},{len},COM3,',
        ),
        # nothing says which side is A
        (
            "interface: lo (127.0.0.0/255.0.0.0)\nfilter: ( port 4001 ) and ((ip || ip6))\n",
            "#\nT {127.0.0.1:50312 -> 127.0.0.1:4001|127.0.0.1:4001 -> 127.0.0.1:50312} [AP] #{n}\n"
            "  {low:<50} {abc:<16}",
        ),
        # the output of the remedy given for TCP packets
        ("frame.time_epoch\ttcp.srcport\ttcp.payload\n", "{epoch}000\t{5000|4000}\t{run}"),
    ],
)
def test_columns_that_say_less(head: str, row: str, path: Path):
    path.write_text(head + listed(row, bytewise() if "{op" in row else None))
    same(path, either="4000" in row or "127.0.0.1" in row)


@pytest.mark.parametrize(
    ("record", "whole"),
    [
        ('{"name": "{TX|RX}", "ph": "i", "t": {us}, "tid": 1, "args": {"data": "{run}"}}', "[{}]"),
        ('{"startedAt": "2026-11-28T04:55:{05}.{.6}Z", "way": {"direction": "{out|in}"}, "body": "{low}"}', "[{}]"),
        ('{"timestamp": {epoch-ms}, "direction": "{TX|RX}", "data": "{run}"}', "[{}]"),
        ('{"ts": {epoch-ms}, "dir": "{TX|RX}", "data": {"type": "Buffer", "data": {list}}}', "[{}]"),
        ('{"ts": {epoch}, "dir": "{TX|RX}", "data": "{base64}"}', "[{}]"),
        ('{"level": "debug", "ts": {epoch}, "msg": "{tx|rx}", "data": "{base64}"}', "[{}]"),
        ('[\n{float},\n"{TX|RX}",\n"{run}"\n]', "[{}]"),
        ('({float}, "{A|B}", {repr})', "log = [{}]"),
        ("{'t': {float}, 'dir': '{TX|RX}', 'data': {list}}", "[{}]"),
        ('{"time": {float}, "isTx": {true|false}, "data": {list}}', "[{}]"),
        ('{"t": {float}, "direction": "{HOST_TO_DEVICE|DEVICE_TO_HOST}", "text": {letters}}', "[{}]"),
        ('{"dt_us": {gap}, "dir": "{TX|RX}", "data": "{run}"}', "[{}]"),
        # log lines inside objects: of journalctl, of docker
        ('{"__REALTIME_TIMESTAMP": "{epoch-us}", "_PID": "12", "MESSAGE": "{TX|RX} {hex}"}', "[{}]"),
        ('{"log": "{TX|RX}: {hex}\\n", "stream": "stdout", "time": "2026-11-28T04:55:{05}.{.6}789Z"}', "[{}]"),
    ],
)
def test_objects(record: str, whole: str, path: Path):
    path.write_text(whole.format(", ".join(dress(record)(*frame) for frame in frames())))
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1100


@pytest.mark.parametrize("kind", ["split", "columns", "list"])
def test_a_table_in_json_by_its_columns(kind: str, path: Path):
    rows = [(at / 1e6, ("TX", "RX")[side], raw.hex()) for at, side, raw in frames()]
    names = ("time", "dir", "data")
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    whole = {
        "split": {"columns": names, "index": list(range(len(rows))), "data": rows},
        "columns": {name: dict(enumerate(column)) for name, column in columns.items()},
        "list": columns,
    }
    path.write_text(json.dumps(whole[kind]))
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1


def test_a_long_line_takes_no_longer_than_many_short_ones(path: Path):
    def took(pieces: int) -> float:
        path.write_text("[1" * pieces)
        began = time.process_time()
        with contextlib.suppress(UserError):
            list(read([str(path)]).items)
        return time.process_time() - began

    took(500)
    assert took(16_000) < 40 * max(took(1_000), 0.03)


NAMES = (
    "{TX|RX}", "{[TX]|[RX]}", "{<TX>|<RX>}", "{->|<-}", "{>>|<<}", "{→|←}", "{OUT|IN}", "{write|read}", "{m->s|s->m}",
    "{PC -> MCU:|MCU -> PC:}", "{A|B}", "{A>|B>}", "{COM3|COM4}", "{Отправлено|Принято}", "{发送：|接收：}",
    "{Gesendet|Empfangen}", "{host|device}", "{S|R}", "{uart0|uart1}", "{alice|bob}",
)  # fmt: skip
MOMENTS = (
    "", "{s}", "[{s}]", "{day}", "{date}", "2026-11-28T04:55:{05}.{.6}Z", "{ms.:.3f} ms", "{us} us", "{epoch-ms}",
    "{s,}",
)  # fmt: skip
WRITTEN = (
    "{hex}", "{run}", "{repr}", "bytearray({repr})", "{list}", "['{0x%x~', '}']", "{%02X~:}", "{%02x~, }", "{0x%02X~,}",
    "{%02Xh~ }", "{$%02X~ }", "{%X~ }", "{%03d~ }", "{%d~, }", "{bits}", "{[%02X]~}", "{<%02X>~}",
)  # fmt: skip
BEHIND = ("", "", "", "", " |{abc}|", "   {abc}", " ({len})", "  # {len} bytes", " // op {op:02X}")
BEFORE = ("", "", "", "", "{n}:", "#{n}", "{n:05}", "DEBUG")
COUNTS = ("", "", "", "", "({len})", "len={len}", "{len} bytes")
BETWEEN = (" ", " ", "  ", "\t", ", ", "; ", " | ")


@pytest.mark.parametrize("seed", range(proof(10, 300)))
def test_a_log_of_any_layout_is_read_as_it_is_or_refused(seed: int, path: Path):
    rng = random.Random(seed)
    first, moment, names, count = rng.choice(BEFORE), rng.choice(MOMENTS), rng.choice(NAMES), rng.choice(COUNTS)
    written, behind, between = rng.choice(WRITTEN), rng.choice(BEHIND), rng.choice(BETWEEN)
    path.write_text(
        listed(between.join(filter(None, (first, moment, names, count, written))) + behind), encoding="utf-8"
    )
    with contextlib.suppress(UserError):
        same(path)


@pytest.mark.parametrize(
    "line",
    ["({hex}) {abc}", "[{hex}]  |{abc}|", "{ {hex} } |{abc}|", "{hex}   {abc}", "{hex} '{abc}'", "[{hex}]   {abc}"],
)
def test_the_letters_beside_are_no_bytes_of_another_side(line: str, path: Path):
    text = b"\xb3\x06TX: AA"
    path.write_text(listed("{TX|RX} " + line, [*frames(), (0, 0, text)]))
    assert in_all(path) == merged_bytes() + text


def test_rows_that_are_parted_in_the_middle_are_read_whole(path: Path):
    text = b"\xb3\x1dTX: 12 A1 (ok), \"x\" 'y' # bye"
    rows = [(text[i : i + 8], text[i + 8 : i + 16]) for i in (0, 16)]
    last = "".join(f"9.0 TX   00{n}0  {hexed(a)}  {hexed(b):<25} {printable(a + b)}\n" for n, (a, b) in enumerate(rows))
    path.write_text(listed("{s} {TX|RX}   0000  {hex:<50} {abc}") + last)
    assert in_all(path) == merged_bytes() + text


def test_an_empty_variable_names_no_folder_to_install_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle
):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, "")
    for command in ("sigrok", "wireshark", "extcap"):
        seabattle.told(f"{command} --install")
    assert {path.name for path in tmp_path.iterdir()} <= {".local", ".config"}


def test_wireshark_is_told_how_many_ports_a_way_has(seabattle: Seabattle):
    capture = "extcap --capture --fifo x --port-a a"
    assert "the number of ports is 2" in seabattle.refused(capture)
    assert "the number of ports is 1" in seabattle.refused(f"{capture} --port-b b --way one")


def test_wireshark_shows_the_settings_of_the_line_in_the_readers_language(seabattle: Seabattle):
    shown = re.findall(r"\{display=([^}]*)\}", seabattle.told("extcap --extcap-config --lang ru"))
    assert [label for label in shown if re.match("[a-z]", label)] == []


def test_an_export_without_the_bytes_of_packets_is_refused(tmp_path: Path, seabattle: Seabattle):
    """Numbers of other packets were taken for bytes."""
    packets = [
        {
            "frame.time_epoch": f"1795980128.{n:03}",
            "rtacser.eventtype": f"0x0{2 - n % 2}",
            "seabattle": {"seabattle.op": "0xaa", **({} if n % 2 else {"seabattle.request_in": str(n - 1)})},
        }
        for n in range(1, 30)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{"_source": {"layers": packet}} for packet in packets]), encoding="utf-8")
    assert "looks like JSON without bytes of a line" in seabattle.refused("decode --check --lang en", path)


def test_the_list_of_packets_is_refused_with_what_has_their_bytes(tmp_path: Path, seabattle: Seabattle):
    path = tmp_path / "list.txt"
    path.write_text(
        "".join(
            f"{n:5} {seconds(us):>10}      A → B       RTAC Serial 13 DATA_TX\n" for n, (us, *_) in enumerate(frames())
        ),
        encoding="utf-8",
    )
    assert "`tshark -x`" in seabattle.refused("decode --check --lang en", path)


@pytest.mark.parametrize(("end", "gaps"), [("9.5\t\n", 0), ("9.5\t", 1), ("9.5\n", 1)])
def test_a_closing_record_has_no_bytes(tmp_path: Path, end: str, gaps: int):
    """`tshark -T fields` prints one at the end of each pcapng of the sniffer."""
    path = tmp_path / "fields.txt"
    path.write_text("".join(f"{seconds(us)}\t{hexed(raw)}\n" for us, _side, raw in frames()) + end, encoding="utf-8")
    assert sum(isinstance(item, Lost) for item in read([str(path)]).items) == gaps


def test_hexdump_leaves_out_repeated_bytes_unless_told_not_to(tmp_path: Path):
    path = tmp_path / "bytes.txt"
    text = re.sub(r"\b(\w\w )\1+", r"\1*\n", hexed(merged_bytes()) + " ")
    path.write_text(text, encoding="utf-8")
    assert sum(isinstance(item, Lost) for item in read([str(path)]).items) == text.count("*") > 0


def test_what_is_no_usb_traffic_is_not_said_to_hold_any(tmp_path: Path, seabattle: Seabattle):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna,\nadd a bed for Otto at 10:30.\n", encoding="utf-8")
    assert "is not a capture in usbmon" in seabattle.refused("decode --form usbmon --lang en", path)


def spoilt(some: Sequence[Frame]) -> list[Frame]:
    """Return a game with a bug in every second shot, so that less of it is of the protocol than of its lengths."""
    return [
        (t, s, raw[:1] + b"\x43\x32" if raw[0] == 0xC0 and n % 4 > 1 else raw) for n, (t, s, raw) in enumerate(some)
    ]


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("#;Time;Type;Length;Data", "{us};{s};{Write|Read};{len};{hex}"),
        ("No.,Time,Source,Destination,Protocol,Length,Info", "{us},{s},{host|1.5.1},{1.5.1|host},USB,{len},{run}"),
        ("# | who | bytes | len", "{us} | {master|slave} | {hex} | {len}"),
        ("", "{date}|DEBUG|Serial|{Write|Read} {%02X~-}"),
        ("", "array('dir' => '{tx|rx}', 'data' => '{run}'),"),
        ("#\tTime\tType\tData\tLength", "{us}\t{date}\t{Write|Read}\t{hex}\t{len}"),
        ("", "{date}: {PC|MCU}\n{hex:<48}{abc}"),
        ("", "{date} {tx|rx} {%d~.}"),
        ("#Fields: time dir bytes len", "{s} {TX|RX} {run} {len}"),
        ("", "{s} dir={tx|rx} len={len}\n  0000: {low:<48} {abc}"),
        ("", "{TX|RX}: {hex}$"),
        ("", "avrdude: {Send|Recv}: {. [%02x]~ } "),
        ("", "{date}: {PLC|Board}\n{hex}"),
    ],
)
def test_lengths_are_not_taken_for_bytes_that_a_bug_spoils(head: str, line: str, path: Path):
    game = spoilt(frames())
    path.write_text((head + "\n") * bool(head) + listed(line, game))
    capture = read([str(path)])
    assert not capture.merged
    for side in (0, 1):
        data = b"".join(item.data for item in capture.items if isinstance(item, Chunk) and item.side == side)
        assert data == b"".join(raw for _at, own, raw in game if own == side)


def test_words_in_front_of_bytes_are_no_bytes(path: Path):
    path.write_text(listed("{us} {tty_write|tty_read} {len} {\\x%02x~}", spoilt(frames())))
    with pytest.raises(UserError):
        read([str(path)])


def test_bytes_that_both_sides_send_at_once_are_a_column_of_bytes(path: Path):
    """Their frames are not whole one after another, but they are on each side."""
    bug = next(bug for bug in BUGS if bug.name == "1A in place of 2A")
    game = [(chunk.at, chunk.side, chunk.data) for chunks, _end in sessions(bug, range(1, 4)) for chunk in chunks]
    path.write_text("Start;End;Decoder;Row;Annotation\n" + listed("{us};{us};UART;{RX|TX} data;{op:02X}", game))
    items = [item for item in read([str(path)]).items if isinstance(item, Chunk)]
    for side in (0, 1):
        data = b"".join(item.data for item in items if item.side != side)
        assert data == b"".join(raw for _at, own, raw in game if own == side)
