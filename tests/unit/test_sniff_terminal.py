"""Files of terminal programs: banners, times and translated bytes around a line, and recordings of a terminal."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from seabattle_host.sniff import reading
from seabattle_host.sniff.capture import Header
from seabattle_host.sniff.form_writers import JsonForm
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.session import Session
from tests.calls import Seabattle
from tests.captures import played
from tests.dress import assert_sorted, frames, hexed, in_all, listed, merged_bytes, of_day, same

pytestmark = pytest.mark.usefixtures("english")

RAW = merged_bytes()
HEX = hexed(RAW, "{:02x}").encode()
LINES = listed("{TX|RX} {hex}")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.log"


TIO = (
    b"\r\x1b[1m[12:53:40.491] tio v2.5\x1b[0m\r\n\r\x1b[1m[12:53:40.497] Connected\x1b[0m\r\n",
    b"\n\r\x1b[1m[12:54:31.326] Disconnected\x1b[0m\r\n",
)
PICOCOM = (
    b"picocom v3.1\r\n\r\nport is        : /dev/ttyUSB0\r\nparity is      : none\r\n\r\n"
    b"Type [C-a] [C-h] to see available commands\r\nTerminal ready\r\n",
    b"\r\nTerminating...\r\nThanks for using picocom\r\n",
)
SCRIPT = (
    b'Script started on 2026-11-29 12:53:38+00:00 [COMMAND="cat /dev/ttyUSB0" TERM="xterm" COLUMNS="160"]\n',
    b'\x03^C\nScript done on 2026-11-29 12:54:17+00:00 [COMMAND_EXIT_CODE="130"]\n',
)
PUTTY = (b"=~=~=~=~=~= PuTTY log 2026.11.28 04:55:05 =~=~=~=~=~=\r\n", b"")
SCREEN = (
    b"-- 0:215 -- time-stamp -- Nov/29/26 12:53:54 --\n",
    b"-- 0:215 -- time-stamp -- Nov/29/26 12:54:04 --\n",
)
MINICOM = (
    b"\r\nWelcome to minicom 2.8\r\n\r\nOPTIONS: I18n \r\n\r\nPress CTRL-A Z for help on special keys\r\n\r\n",
    b"",
)
MAIL = (b"Hello Anna,\n\nthis is what came over the line yesterday:\n\n", b"\n\nRegards\nPeter\n")
TERA_TERM = (b"[2026-11-28 04:55:05.123] ", b"")


@pytest.mark.parametrize("data", [RAW, HEX], ids=["raw", "hex"])
@pytest.mark.parametrize("around", [TIO, PICOCOM, SCRIPT, PUTTY, SCREEN, MINICOM, MAIL], ids=range(7))
def test_banners_around_the_bytes_are_no_bytes(around: tuple[bytes, bytes], data: bytes, path: Path):
    path.write_bytes(data.join(around))
    assert_sorted(path)


@pytest.mark.parametrize("stamps", [SCREEN, TERA_TERM, (b"\x1b[1m[12:53:55.986] \x1b[0m", b"")], ids=range(3))
def test_times_between_the_bytes_are_no_bytes(stamps: tuple[bytes, bytes], path: Path):
    half = RAW.index(b"\xa3")
    path.write_bytes(stamps[0] + RAW[:half] + b"\n" * (stamps is not SCREEN) + stamps[0] + RAW[half:] + stamps[1])
    assert in_all(path).replace(b"\n", b"") == RAW


DUMP = "".join(f"{n:08x}: {byte:02x}\r\n" for n, byte in enumerate(RAW))


def cast(version: int, text: str) -> str:
    shown = [text[i : i + 50] for i in range(0, len(text), 50)]
    if version == 1:
        return json.dumps({"version": 1, "width": 80, "stdout": [[0.1, piece] for piece in shown]})
    events = [[round(0.1 * (version == 3 or n), 6), "o", piece] for n, piece in enumerate(shown)]
    return "".join(
        json.dumps(line) + "\n" for line in [{"version": version}, *events, [9.0, "i", "x"], [9.1, "o", "^C"]]
    )


def test_a_capture_of_ours_is_not_read_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    form = JsonForm()
    data = form.head(Header()) + b"".join(map(form.record, Session().run(played(3))))
    monkeypatch.setattr(Source, "read", None)
    assert reading.recognise(data) == "json"


@pytest.mark.parametrize("version", [1, 2, 3])
def test_asciicasts(version: int, path: Path):
    path.write_text(cast(version, LINES))
    same(path)
    path.write_text(cast(version, DUMP))
    assert_sorted(path)


@pytest.mark.parametrize("text", [RAW, LINES.encode()])
def test_ttyrec(text: bytes, path: Path):
    pieces = [text[i : i + 20] for i in range(0, len(text), 20)]
    path.write_bytes(b"".join(struct.pack("<III", 1795956835, n, len(piece)) + piece for n, piece in enumerate(pieces)))
    assert in_all(path) == RAW


@pytest.mark.parametrize("page", ["latin-1", "cp1252", "cp437", "cp866", "cp1251", "koi8-r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_bytes_that_were_taken_for_letters_are_bytes_again(page: str, encoding: str, path: Path):
    path.write_bytes(b"spawn [open ...]\r\n".decode().encode(encoding)[: 99 * (encoding == "utf-8")])
    with path.open("ab") as file:
        file.write(RAW.decode(page).encode(encoding))
    assert_sorted(path)


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (lambda raw: raw.decode(errors="replace").encode(), "became U+FFFD"),
        (lambda raw: b"--- Miniterm on /dev/ttyUSB0 ---\r\n" + raw.decode(errors="replace").encode(), "became U+FFFD"),
        (lambda raw: bytes(byte & 127 for byte in raw), "no byte above 7F"),
        (lambda raw: bytes(byte for byte in raw if byte < 128), "no byte above 7F"),
        (lambda raw: bytes(byte for byte in raw if byte not in b"\0\5\x0c\x1b"), "control characters were removed"),
        (lambda raw: bytes(byte for byte in raw if byte >= 32), "control characters were removed"),
    ],
)
def test_what_a_program_lost_is_named(spoilt: Callable[[bytes], bytes], said: str, path: Path, seabattle: Seabattle):
    path.write_bytes(spoilt(RAW))
    assert said in seabattle.refused("decode --check", path)


@pytest.mark.parametrize(
    "way", ["{0} {1}", "{0} {1:06}", "{0} {1:06}000", "[{0}:{1:06}]", "tv_sec={0} tv_usec={1}", "{0}.{1}"]
)
@pytest.mark.parametrize("began", [0, 1_764_304_505])
def test_a_time_may_be_in_two_whole_numbers(way: str, began: int, path: Path):
    def line(t: int, s: int, r: bytes) -> str:
        return f"{way.format(began + (t + 900_000) // 10**6, (t + 900_000) % 10**6)} {'TR'[s]}X {hexed(r)}"

    path.write_text(listed(line))
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("tv_sec,tv_usec,dir,data", "{0},{1},{2},{3}"),
        ("sec;nsec;dir;data", "{0};{1}000;{2};{3}"),
        ("", "{0},{1},{2},{3}"),
    ],
)
def test_columns_with_a_time_in_two_whole_numbers(head: str, row: str, path: Path):
    def line(t: int, s: int, r: bytes) -> str:
        return row.format(1_764_304_505 + t // 10**6, t % 10**6, "TR"[s] + "X", hexed(r))

    path.write_text(f"{head}\n{listed(line)}".lstrip())
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1


def caret(raw: bytes) -> str:
    """Return bytes as `cat -v` shows them."""
    low = ((byte & 128, byte & 127) for byte in raw)
    return "".join("M-" * bool(high) + (f"^{chr(byte ^ 64)}" if byte < 32 else chr(byte)) for high, byte in low)


def escaped(form: str) -> Callable[[bytes], str]:
    return lambda raw: "".join(chr(byte) if 32 < byte < 127 else form % byte for byte in raw)


@pytest.mark.parametrize("front", ["{}", "{}: ", "12:00:00.5 [{}] "])
@pytest.mark.parametrize(
    "made",
    [caret, *map(escaped, ("<%02X>", "[%02x]", "{%02X}", "<0x%02X>", "<%d>", "#%03d", "%%%02X", "=%02X", "&#x%02X;"))],
    ids=range(10),
)
def test_letters_may_stand_for_themselves(made: Callable[[bytes], str], front: str, path: Path):
    if front == "{}":
        path.write_text(made(RAW))
        assert_sorted(path)
        return
    path.write_text("".join(f"{front.format('TR'[side] + 'X')}{made(raw)}\n" for _at, side, raw in frames()))
    same(path)


def percent(raw: bytes) -> str:
    return quote(raw.decode("latin-1"), "", "latin-1")


@pytest.mark.parametrize("front", ["{} {} ", "{},{},", "[{}] {}: ", '{{"t": "{}", "dir": "{}", "data": "'])
@pytest.mark.parametrize(
    "made",
    [
        percent,
        lambda raw: quote_plus(raw.decode("latin-1"), "", "latin-1"),
        lambda raw: quote(raw.decode("latin-1"), "-_.!~*'()"),
        escaped("=%02X"),
    ],
    ids=["escape", "form", "encodeURIComponent", "quoted-printable"],
)
def test_letters_between_coded_bytes_are_bytes(made: Callable[[bytes], str], front: str, path: Path):
    end = '"}' * front.endswith('"')
    lines = (f"{front.format(of_day(at), 'TR'[side] + 'X')}{made(raw)}{end}\n" for at, side, raw in frames())
    path.write_text("".join(lines))
    same(path)


def test_strings_in_a_table_are_read_whole(path: Path):
    path.write_text("time,dir,data\n" + listed("{s},{TX|RX},{quoted}"))
    same(path)


NAMES = {0xAA: "DAD", 0x01: "FED", 0xA1: "ADD", 0xA4: "A4 place", 0xB2: "B2 params", 0x2C: "DEAD", 0x1C: "BEAD"}


def name_of(raw: bytes) -> str:
    return f"SHOT {' ABCDEFGHIJ'[raw[1]]}{raw[2]}" if raw[0] == 0xC0 else NAMES.get(raw[0], "FACE")


@pytest.mark.parametrize(
    "made",
    [
        lambda raw: f"{name_of(raw)} {hexed(raw)}",
        lambda raw: f"{name_of(raw)} {hexed(raw).lower()}",
        lambda raw: f"{name_of(raw)}: {hexed(raw, '0x{:02X}')}",
        lambda raw: f"{hexed(raw)} {name_of(raw)}",
        lambda raw: f"{len(raw)}B  {hexed(raw)}",
        lambda raw: f"({len(raw)} B): {hexed(raw)}",
        lambda raw: " ".join(raw.hex()),
        lambda raw: " ".join(f"{byte >> 4:04b} {byte & 15:04b}" for byte in raw),
        lambda raw: " ".join(f"{byte:02X}h ({byte})" for byte in raw),
        lambda raw: " ".join(f"{byte} (0x{byte:02X})" for byte in raw),
    ],
    ids=range(10),
)
@pytest.mark.parametrize("front", ["{1}: ", "{0} {1} "])
def test_words_of_hex_digits_beside_bytes_are_no_bytes(made: Callable[[bytes], str], front: str, path: Path):
    path.write_text("".join(f"{front.format(of_day(at), 'TR'[side] + 'X')}{made(raw)}\n" for at, side, raw in frames()))
    same(path)


@pytest.mark.parametrize(
    "line",
    [
        "{Host|Device} --> {(%03d)~ }",
        "{TX|RX} {base64} # {len} bytes",
        "info: Worker[0]\n      {Sent|Received} {len} bytes at {day6}\n      {%02X~-}",
        "{n:06}: {IRP_MJ_WRITE (DOWN)|IRP_MJ_READ (UP)}, {date}\nBytes: {len}\n {hex:<47}   {abc}\n",
        "  - peer: {0|1}\n    index: {n}\n    timestamp: {epoch}\n    data: !!binary |\n      {base64}",
        "{day} {TX|RX} data={base64} ok",
        "{day}, game.exe, {WriteFile|ReadFile}, Serial0, SUCCESS, {hex}",
        "{ms} [D][Uart{TX|RX}] {hex}",
        "{day} | {TX|RX} | \\x{run}",
        "{day} {port_a|port_b} 0000{n:04x}\t{hex}",
    ],
)
def test_logs_of_more_programs(line: str, path: Path):
    path.write_text("peers:\n" * ("binary" in line) + listed(line))
    same(path)


def test_words_above_a_log_are_no_bytes(path: Path):
    lines = listed("{Outgoing|Incoming} raw data at 2026-11-28 04:55:{05}\n  00000000  {low:<47}  {abc}")
    path.write_text(f"Event Log: Opening serial device COM3\nEvent Log: Configured baud rate 9600\n{lines}")
    same(path)


@pytest.mark.parametrize("at", [4, 31])
def test_two_lines_that_ran_into_each_other_are_not_approved(at: int, path: Path, seabattle: Seabattle):
    lines = listed("{day6} {>>|<<} {hex}").splitlines(keepends=True)
    path.write_text("".join([*lines[:at], lines[at].rstrip("\n"), *lines[at + 1 :]]))
    status, out, _ = seabattle("decode --check", path)
    assert status == 3 and "something was lost" in out


@pytest.mark.parametrize("line", ['[[frame]]\ntime = {s}\ndir = "{TX|RX}"\ndata = [{0x%02X~, }]'])
def test_records_of_several_lines_keep_their_times(line: str, path: Path):
    path.write_text(listed(line))
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1


def test_letters_behind_a_tab_are_no_bytes(path: Path):
    rows = (RAW[i : i + 16] for i in range(0, len(RAW), 16))
    path.write_text("".join(f"{hexed(row):<47}\t{''.join(map(printed, row))}\n" for row in rows))
    assert_sorted(path)


def printed(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else "."


def test_a_program_that_reads_a_port_and_other_files(path: Path):
    def call(raw: bytes, fd: str = "3") -> str:
        return f'read({fd}, "{"".join(f"{chr(92)}x{byte:02x}" for byte in raw)}", 4096) = {len(raw)}\n'

    library = 'read(3, "\\177ELF\\2\\1\\1"..., 832) = 832\n'
    path.write_text(library + "".join(call(raw) for _at, _side, raw in frames()))
    assert in_all(path) == RAW
    named = library.replace("(3", "(3</usr/lib/libc.so.6>")
    shown = 'write(1</dev/pts/9>, "x", 1) = 1\n'
    path.write_text(named + "".join(call(raw, "3</dev/ttyUSB0>") + shown for _at, _side, raw in frames()))
    assert in_all(path) == RAW
