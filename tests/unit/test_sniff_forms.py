"""Captures in every form that people paste: the same frames, with sides and times as far as the form has them."""

from __future__ import annotations

import base64
import binascii
import contextlib
import gzip
import io
import itertools
import json
import lzma
import random
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from seabattle import watch
from seabattle_host import cli
from seabattle_host.errors import UserError
from seabattle_host.line import log
from seabattle_host.sniff import forms
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.forms import source
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from tests.calls import Seabattle
from tests.captures import written
from tests.dress import (
    assert_sorted,
    dress,
    frames,
    frames_of,
    hexed,
    in_all,
    listed,
    merged_bytes,
    of_day,
    said,
    same,
    sides,
)

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


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
    "gb18030-arrows": lambda text: text.replace("TX ", "发→◇").replace("RX ", "收←◆").encode("gb18030"),
    "cp866-words": lambda text: text.replace("TX", "Передача").replace("RX", "Прием").encode("cp866"),
    "latin-1": lambda text: ("# Gerät schließt\n" + text).encode("latin-1"),
    "colours": lambda text: text.replace("TX", "\x1b[32mTX\x1b[0m").replace("RX", "\x1b[31mRX\x1b[0m").encode(),
    "blank-lines": lambda text: text.replace("\n", "\n\n").encode(),
    "utf-32": lambda text: b"\0\0\xfe\xff" + text.encode("utf-32-be"),
    "utf-32-be": lambda text: text.encode("utf-32-be"),
    "lzma": lambda text: lzma.compress(text.encode(), lzma.FORMAT_ALONE),
    "zstd": lambda text: zstd(text.encode()),
    "zip": lambda text: zipped(text.encode()),
    "zeros": lambda text: text.encode() + bytes(64),
    "terminal": lambda text: (
        "\x1b]0;pi@pi: ~\x07" + text.replace("TX", "\x1b[1mTX\x1b(B\x1b[m").replace("RX", "\x1b]8;;x\x1b\\RX")
    ).encode(),
    "chat": lambda text: text.replace(" ", "\u2009").replace("X", "X\u200b").replace("T", "\uff34").encode(),
    "joined": lambda text: text.replace("\n", "\n\ufeff").encode(),
    "cat -n": lambda text: around("{n:6}\t{line}", text),
    "grep -n": lambda text: around("log.txt:{n}:{line}", text),
    "grep -n of some": lambda text: around("{n}{n}:{line}", text + "\n").replace(b"\n55:", b"\n5:"),
    "grep -C": lambda text: around("{n}{mark}{line}", text),
    "diff of a file": lambda text: (
        b"diff --git a/x b/x\nnew file mode 100644\nindex 0000000..aa01a11a\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,60 @@\n"
        + around("+{line}", text)
    ),
    "diff": lambda text: b"--- a\n+++ b\n@@ -0,0 +1,60 @@\n" + around("+{line}", text),
    "quoted": lambda text: b"On Saturday Anna wrote:\n" + around("> > {line}", text),
    "commented": lambda text: around("// {line}", text),
    "list": lambda text: around("\u2022 {line}", text),
    "code": lambda text: around("`{line}`", text),
    "strings": lambda text: around('"{line}\\n",', text),
    "syslog": lambda text: around("<134>{line}", text),
    "docker": lambda text: around("bridge-1  | {line}", text),
}


def around(form: str, text: str) -> bytes:
    """Wrap each line in what copying adds."""
    lines = text.splitlines()
    return "".join(form.format(n=n, mark=":-"[n % 3 > 0], line=line) + "\n" for n, line in enumerate(lines, 1)).encode()


def zstd(data: bytes) -> bytes:
    """Return a frame of zstd with one block of bytes as they are."""
    return b"\x28\xb5\x2f\xfd\0\x58" + (len(data) << 3 | 1).to_bytes(3, "little") + data


def zipped(data: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("log.txt", data)
    return archive.getvalue()


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(encoding: str, path: Path):
    if encoding == "zstd":
        sys.version_info >= (3, 14) or pytest.importorskip("backports.zstd")
    path.write_bytes(ENCODINGS[encoding](listed("{day} {TX|RX} {hex}")))
    assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1100


# Dumps, by the tools themselves.

DUMPS = (
    "xxd", "xxd -g1", "xxd -u", "xxd -p", "xxd -i", "xxd -c 1", "xxd -c 7", "xxd -b", "xxd -e", "xxd -d", "xxd -g 4", "xxd -E", "xxd -a",  # noqa: E501
    "hexdump", "hexdump -C", "hexdump -x", "hexdump -b", "hexdump -c", "hexdump -d", "hexdump -o", "hexdump -v",
    "od", "od -c", "od -b", "od -x", "od -d", "od -tx1", "od -tx2", "od -tx4", "od -tu1", "od -td1", "od -to1", "od -tx1z", "od -Ax -tx1",  # noqa: E501
    "od -Ax -tx1z", "od -Ad -tu1", "od -An -tx1", "od -An -tu1", "od -An -to1", "od -An -tx2", "od -v -An -tx1 -w1", "xxd -p -c 8", "xxd -c 1 -b", "od -v -An -td1", "od -tx1c", "od -tx1 -tu1", "od -v -Ax -tx1 -w8",  # noqa: E501
)  # fmt: skip


@pytest.mark.parametrize("tool", DUMPS)
def test_dumps(tool: str, path: Path):
    if shutil.which(tool.split()[0]) is None:
        pytest.skip(f"left out: needs {tool.split()[0]}")
    path.with_name("game").write_bytes(merged_bytes())
    path.write_bytes(subprocess.run([*tool.split(), "game"], cwd=path.parent, capture_output=True, check=True).stdout)
    assert in_all(path) == merged_bytes()
    assert_sorted(path)


def rows(offset: str, middle: str, end: str = "") -> str:
    """Return the game as a hex dump of editors and debuggers: sixteen bytes a row, a gap in the middle."""
    halves = [hexed(half) for half in parted(8)]
    return "".join(offset.format(i * 8) + middle.join(halves[i : i + 2]) + end + "\n" for i in range(0, len(halves), 2))


def parted(size: int) -> list[bytes]:
    return [merged_bytes()[i : i + size] for i in range(0, len(merged_bytes()), size)]


BYTES = (
    *(dress(whole)(0, 0, merged_bytes()) for whole in (
        "uint8_t game[] = {{0x%02X~, }};", "const unsigned char data[] PROGMEM = {\n{%d~, }\n};", "{repr}",
        "data = bytes([{%d~, }])", "data = {repr}", '"{\\x%02x~}"', "{run}", "{%02x~:}", "{%02X~-}", "{%02Xh~ }",
        "byte[] game = {{(byte)0x%02x~, }};", "byte[] game = {{signed}};", "{0%03o~ }",
        "const G: array[0..403] of Byte = ({$%02X~, });", '"{\\u%04x~}"', "{\\u%04X~}", "{hex}  ",
        "{low}", "$ xxd -p game.bin\n{run}", "[1] {hex}", "<Buffer {low}>", "<<{%d~, }>>", "> {hex}",
        "array([{%d~, }], dtype=uint8)", "$1 = {{0x%x~, }}",
    )),
    *(listed(line, [(0, 0, row) for row in parted(8)]) for line in ("{hex}", "    db {0%02Xh~, }", "{0%03o~, },")),
    *(listed(line, [(0, 0, row) for row in parted(1)]) for line in ("{hex}", "{bits}", "{hex} [{abc}]")),
    base64.encodebytes(merged_bytes()).decode(),
    f"-----BEGIN CERTIFICATE-----\n{base64.encodebytes(merged_bytes()).decode()}-----END CERTIFICATE-----\n",
    "begin 644 x\n" + "".join(binascii.b2a_uu(row).decode() for row in parted(45)) + "`\nend\n",
    rows("00000000`{:08x}  ", "-"),
    # as R, Octave, cat -n, LabVIEW, Emacs and a disassembler show them
    "".join(f"[{i * 9 + 1}] {hexed(row, '{}')}\n" for i, row in enumerate(parted(9))),
    "".join(f" Columns {i * 9 + 1} through {i * 9 + 9}:\n\n {hexed(row, '{:5}')}\n" for i, row in enumerate(parted(9))),
    "".join(f"{i:6}\t{hexed(row)}\n" for i, row in enumerate(parted(8), 1)),
    " ".join(row.hex() for row in parted(2)),
    "87654321  0011 2233 4455 6677 8899 aabb ccdd eeff  0123456789abcdef\n" + rows("{:08x}: ", " "),
    rows(".data:{:08X} ", " "),
    rows("0B3F:{:04X}  ", "-"), rows("[{:04x}] ", " "), rows("0x2000{:04x} <buf>:\t", "\t"),
    "┌────────┬───┐\n" + rows("│{:08x}│ ", " ┊ ", " │.│") + "└────────┴───┘\n",
)  # fmt: skip


@pytest.mark.parametrize("text", BYTES)
def test_bytes_and_nothing_else(text: str, path: Path):
    path.write_text(text, encoding="utf-8")
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


ONE_SIDE: dict[str, str] = {
    "seconds": "{s} {hex}",
    "date": "2026-11-28 {day} RX {hex}",
    "columns": "{s},{hex}",
    "ours": "",
}
"""Lines of a file that has only one side."""


def one_side(form: str, side: int, path: Path, later: int = 0) -> None:
    """Write a file with one side of the game."""
    some = [(at + 9_000_000 + later, 0, raw) for at, s, raw in frames() if s == side]
    path.write_text(
        ("time,data\n" if form == "columns" else "") + listed(ONE_SIDE[form or "seconds"] or "{s} {hex}", some)
    )
    if form == "ours":
        text = path.with_suffix(".txt")
        path.rename(text)
        cli.main(["decode", str(text), "--json", str(path)])


@pytest.mark.parametrize(
    ("one", "other", "later"),
    [
        *((one, other, 0) for one, other in itertools.combinations_with_replacement(ONE_SIDE, 2)),
        *(("seconds", "seconds", later) for later in (-9_000_000, -400_000, -4000, 4000, 400_000, 9_000_000)),
    ],
)
def test_two_files_of_different_forms_or_clocks_are_the_two_sides(one: str, other: str, later: int, tmp_path: Path):
    one_side(one, 0, tmp_path / "0", 0)
    one_side(other, 1, tmp_path / "1", later)
    capture = read([str(tmp_path / "0"), str(tmp_path / "1")])
    assert sorted(sides(frames_of(capture))) == sorted(sides(frames()))
    if not later and "ours" not in (one, other):
        clocks = "date" in (one, other) and one != other
        assert bool(capture.notes) == clocks


@pytest.mark.parametrize("tool", ["od -j 4", "od -c -j 4", "xxd -s 4", "hexdump -C -s 4"])
def test_a_dump_that_does_not_begin_at_the_begin_says_so(tool: str, path: Path):
    if shutil.which(tool.split()[0]) is None:
        pytest.skip(f"left out: needs {tool.split()[0]}")
    # a sign that follows offsets is a letter here
    data = merged_bytes()[:4] + b">" + merged_bytes()[4:]
    path.with_name("game").write_bytes(data)
    path.write_bytes(subprocess.run([*tool.split(), "game"], cwd=path.parent, capture_output=True, check=True).stdout)
    capture = read([str(path)])
    assert in_all(path) == data[4:]
    assert "".join(f.left.lines()[0] for f in capture.found if list(capture.items)).startswith("it begins at offset 4")


def test_a_repeated_row_is_put_back(path: Path):
    row = "00000000  aa 01 aa 01 aa 01 aa 01  aa 01 aa 01 aa 01 aa 01  |................|"
    path.write_text(f"{row}\n*\n00000040  a1 1a\n00000042\n")
    assert in_all(path) == b"\xaa\x01" * 32 + b"\xa1\x1a"


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
    "source-with-two-lines-of-a-log": Path(str(log.__file__)).read_bytes(),
    "tcpdump": (
        b"04:55:05.1 IP 127.0.0.1.4000 > 127.0.0.1.2000: Flags [P.], length 1\n"
        b"E..)..@.@...\n...\n....@..........P........\n"
    )
    * 20,
    "intel-hex": b":10000000AAA11AB20600000102012B0600000102A2\n:040010002A0C0C0CA2\n:00000001FF\n",
    "s-record": b"S0030000FC\nS1130000AAA11AB20600000102012B060000010242\n",
    "html-part": b"<p>\nThe board has a <b>bad</b> cable: add A2.\n</p>\n" * 9,
    "zeros": bytes(500),
    "empty": b"",
    "spaces": b" \n\n \n",
    "base64": base64.encodebytes(random.Random(4).randbytes(300)),
    "csv": b"name,age\nAnna,17\nBob,18\n",
    "truncated-gz": gzip.compress(LETTER.encode())[:40],
    "constants": b"".join(b"%s = const(%d)\n" % (name, n) for n, name in enumerate(LETTER.encode().split())),
    "notes": b"".join(b"- %s: a %s in a line\n" % (word, word) for word in LETTER.encode().split()),
    "one line": b"A game at a board.\n",
    "texts": b"TEXTS = (\n" + b'    b"SEA BATTLE\\x00Play\\x00",\n' * 9 + b")\n",
    "midi": b"".join(b"%d ch=1 Note on 90 %02X %02X A B\n" % (n * 120, n % 128, n * 7 % 128) for n in range(40)),
    "three ports": b"".join(b"COM3: AA\nCOM4: 01\nCOM7: 55 66\n" for _ in range(9)),
    "three columns": b"time,port,data\n" + b"".join(b"0.%d,COM%d,AA01\n" % (n, n % 3) for n in range(1, 9)),
    # a search that begins anew at each letter would take minutes
    "a number of 40,000 digits": b"7" * 40_000 + b"\n",
    "a word of 40,000 letters": b"x" * 40_000 + b"\n",
    "a value of 40,000 letters": b'{"a":"' + b"x" * 40_000 + b'"}\n',
    "what conform found": b"A3 -> 3A%skept\nno A4 before A3%sBROKEN       A4 came before A3\n" % (25 * b" ", 18 * b" ")
    + b"    > A3\n    < 3A\n    < A4\nkept 1, deviates 0, broken 1, not tried 0\n",
    "what conform found, in Russian": ("A1 -> 1A" + 25 * " " + "не проверено  01\n    > A1\n").encode(),
    "a report of conform": b'{\n "format": "seabattle-conform",\n "rules": [{"traffic": ["> AA", "< 01"]}]\n}\n',
    "zipped-letter": zipped(LETTER.encode()),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_capture_is_refused_in_one_line(name: str, path: Path, seabattle: Seabattle):
    path.write_bytes(REFUSED[name])
    assert str(path) in seabattle.refused("decode --check --lang en", path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32"])
def test_a_text_is_refused_as_such_in_any_encoding(encoding: str, path: Path, seabattle: Seabattle):
    path.write_bytes(LETTER.replace("—", "-").encode(encoding))
    assert "looks like text in no known form" in seabattle.refused("decode --check --lang en", path)


def test_zstd_without_a_module_for_it_is_refused_with_the_remedy(
    path: Path, seabattle: Seabattle, monkeypatch: pytest.MonkeyPatch
):
    path.write_bytes(zstd(b"TX: AA"))
    monkeypatch.setattr(source, "_zstd", lambda: None)
    assert "zstd -d FILE" in seabattle.refused("decode --check --lang en", path)


# Verdicts.

UNSAID = {
    "one-side": (listed("{TX|RX}: {hex}", [f for f in frames() if f[1] == 0]), "nothing was heard from side B"),
    "cut-out": (
        listed("{TX|RX}: {hex}", [*frames()[:20], *frames()[21:]]).replace("\n", "\n[...]\n", 20),
        "something was lost",
    ),
    "never-met": ("m: AA\ns: 01\n" * 20, "never met"),
    "noise": ("m: AA\ns: FF\nm: 77 55 66\n" * 9, "make no sense"),
    "a-byte-too-many": (listed("{TX|RX}: {hex} 07"), "belongs to no frame (07)"),
    "random-hex": (random.Random(5).randbytes(2000).hex(" "), "make no sense"),
    "wrong-baud": ("RX: F8 E0 80 FE FC\nTX: 78 F0 E6\n" * 9, "make no sense"),
}


@pytest.mark.parametrize("name", UNSAID)
def test_no_session_gets_no_verdict(name: str, path: Path, seabattle: Seabattle):
    text, why = UNSAID[name]
    path.write_text(text)
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


def test_letters_that_look_like_hex_are_no_bytes_and_a_check_says_who_the_two_were(path: Path, seabattle: Seabattle):
    rows = ("00000000: aa01 a11a a22a b10a 6465 6164 6265 6566  ........deadbeef", "00000010: 3132  12")
    path.write_text("\n".join(rows) + "\n")
    assert "A master deadbeef12?: 2 placing" in seabattle("decode --check", path)[1].splitlines()


def test_times_on_some_lines_are_kept_where_they_are(path: Path):
    path.write_text("m: AA\ns: 01\n[2.0] m: A1\n[2.5] s: 1A\n")
    assert [(r.raw[0], r.at) for r in records_of(path)][-2:] == [(0xA1, 2_000_000), (0x1A, 2_500_000)]


def test_one_way_is_not_taken_for_both(path: Path):
    path.write_bytes(b"".join(c.data for c in written("m AA +1 AA +1 A1 +1 B2 06 00 00 01 02 +1 A2 +1 A3")))
    assert {r.side for r in records_of(path)} == {0}


def test_each_form_is_loaded_under_its_own_name():
    assert {known.name: known.form.name for known in forms.FORMS} == {name: name for name in forms.NAMES}


def torn(text: str, how: str, at: int) -> str:
    """Damage a text at one of its lines as editors, terminals and broken pipes do."""
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


TORN: dict[str, str] = {
    "day": listed("{day} {TX|RX} {hex}"),
    "xxd": rows("{:08x}: ", " "),
    "plain": "".join(row.hex() + "\n" for row in parted(20)),
    "objects": json.dumps(
        [{"time": at / 1e6, "side": side, "data": raw.hex()} for at, side, raw in frames()], indent=1
    ),
    "table": "time,side,data\n" + listed("{s},{TX|RX},{hex}"),
    "two lines": listed("{day} {TX|RX}\n{hex}"),
    "front": listed("28 ноября 2026 г. {day}, app[12] {n}: {W|R} - {hex}"),
}


@pytest.mark.parametrize("form", TORN)
def test_a_whole_file_is_approved_and_a_torn_one_accuses_nobody(form: str, path: Path):
    text = TORN[form]
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
        ("front", "end lost"),
        ("front", "head lost"),
        ("plain", "end lost"),
    ],
)
def test_what_can_be_seen_to_be_torn_is_not_approved(form: str, how: str, path: Path, seabattle: Seabattle):
    text = TORN[form]
    half = text.count("\n") // 2
    at = next(i for i, line in enumerate(text.splitlines()) if i >= half and len(line) > 8)
    path.write_text(torn(text, how, at))
    status, out, _ = seabattle("decode --check", path)
    assert status == 3 and "something was lost at record" in out


@pytest.mark.parametrize("lines", [24, 1000])
@pytest.mark.parametrize(
    ("full", "lacks"),
    [(r"(\.\d)\d(\d TX C0 )", r"\1\2"), (r"\.\d\d(\d TX C0 )", r".9\1"), (r"\.\d\d(\d TX C0 )", r".0\1")],
)
def test_a_time_that_lacks_a_digit_moves_no_line(full: str, lacks: str, lines: int, path: Path):
    text = re.sub(full, lacks, TORN["day"], count=1)
    path.write_text("".join(text.splitlines(keepends=True)[:lines]))
    assert cli.main(["decode", "--check", str(path)]) == 3
    assert not [r for r in records_of(path) if r.verdict == watch.VIOLATION]


def test_times_without_the_zeros_at_their_ends_are_right(path: Path):
    text = listed("{s} {TX|RX} {hex}", frames()[:30])
    path.write_text(text)
    whole = said(path)
    path.write_text(re.sub(r"(\.\d+?)0+ (?=[TR]X)", r"\1 ", text))
    assert said(path) == whole


def test_bytes_that_ran_into_each_other_accuse_nobody(path: Path):
    path.write_text(re.sub(r"C0 0\d 0\d\n.*\n", "C0 00C\n", TORN["two lines"], count=1))
    assert cli.main(["decode", "--check", str(path)]) == 3


def packet(n: int, at: int, side: int, raw: bytes, sent: list[int]) -> str:
    """Return a TCP packet as `tcpdump -X` prints it, occasionally retransmitted."""
    ports = (40000, 2000) if side == 0 else (2000, 40000)
    tcp = struct.pack(">HHIIHHI", *ports, sent[side], 0, 0x5018, 9, 0) + raw
    data = struct.pack(">HHIHHII", 0x4500, 20 + len(tcp), 0, 0x4006, 0, 1, 1) + tcp
    sent[side] = (sent[side] + len(raw)) % 2**32
    rows = "".join(f"\t0x{i:04x}:  {data[i : i + 16].hex(' ', 2)}\n" for i in range(0, len(data), 16))
    head = f"{of_day(at, 6)} IP 0.0.0.1.{ports[0]} > 0.0.0.1.{ports[1]}: Flags [P.], length {len(raw)}\n"
    return (head + rows) * (1 + (n % 5 == 4))


def test_packets_that_tcpdump_prints(path: Path, seabattle: Seabattle):
    sent = [7, 2**32 - 3]
    made = [packet(n, *frame, sent) for n, frame in enumerate(frames())]
    path.write_text("".join(made))
    assert same(path, either=True)[-1][0] == frames()[-1][0]
    path.write_text("".join(made[:30] + made[31:]))
    assert seabattle("decode --check", path)[0] == 3


@pytest.mark.parametrize("form", ["hex", "raw"])
def test_a_stream_that_wireshark_follows(form: str, path: Path):
    places = [0, 0]
    text = f"\n======\nFollow: tcp,{form}\nFilter: tcp.stream eq 0\nNode 0: 1:1\nNode 1: 1:2\n"
    for _at, side, raw in frames():
        text += "\t" * side + (f"{places[side]:08X}  {raw.hex(' '):<50}.\n" if form == "hex" else f"{raw.hex()}\n")
        places[side] += len(raw)
    path.write_text(text + "======\n")
    same(path)
