"""Captures whose records reach over several lines or are inside something else: pages, XML, JSON trees, blocks."""

from __future__ import annotations

import json
import plistlib
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle import watch
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.session import Session
from tests.calls import Seabattle
from tests.dress import Frame, dress, frames, frames_of, listed, same, sides

pytestmark = pytest.mark.usefixtures("english")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


def many(before: str, record: str, after: str = "") -> str:
    return before + listed(record) + after


def split(kind: str) -> dict[str, object]:
    """Return the game with the two sides apart."""

    def of_side(side: int) -> list[Frame]:
        return [frame for frame in frames() if frame[1] == side]

    def value(side: int) -> object:
        some = of_side(side)
        return {
            "rows": [[at / 1e6, raw.hex()] for at, _side, raw in some],
            "objects": [{"t": at / 1e6, "data": list(raw)} for at, _side, raw in some],
            "keyed": {f"{at / 1e6:.6f}": raw.hex() for at, _side, raw in some},
            "bytes": [byte for _at, _side, raw in some for byte in raw],
            "hex": [raw.hex() for _at, _side, raw in some],
            "run": b"".join(raw for _at, _side, raw in some).hex(" "),
        }[kind]

    return {"tx": value(0), "rx": value(1)}


def keyed(value: Callable[[int, bytes], object]) -> str:
    """Return the game as an object with times as names, of which no two may be the same."""
    times = dict.fromkeys(at for at, _side, _raw in frames())
    assert len(times) + 10 > len(frames())
    return json.dumps({f"{(at + n) / 1e6:.6f}": value(side, raw) for n, (at, side, raw) in enumerate(frames())})


def visible(raw: bytes) -> str:
    """Return bytes as BSD's vis shows them."""
    return "".join(
        chr(b)
        if 32 <= b < 127
        else rf"\^{chr(b ^ 64)}"
        if b < 128
        else rf"\M^{chr(b ^ 192)}"
        if b < 160
        else rf"\M-{chr(b - 128)}"
        for b in raw
    )


TIMED = {
    "page": many("<!DOCTYPE html>\n<h1>COM3</h1><table><tr><th>Time<th>Dir<th>Data\n",
                 "<tr><td>{s}<td>{TX|RX}<td>{hex}", "</table>\n"),
    "classes": many("<ul>\n", '<li class="{tx|rx}"><time>{s}</time> {hex}</li>', "</ul>"),
    "table": many("<table>\n<tr><th>Time</th><th>TX</th><th>RX</th></tr>\n",
                  "<tr>\n<td>{s}</td>\n<td>{A}</td>\n<td>{B}</td>\n</tr>", "</table>"),
    "lines": many("<html><body>", "{day}&nbsp;{&gt;|&lt;}&nbsp;{%02X~&nbsp;}<br>", "</body></html>"),
    "columns of spans": many(
        "<html><body>", "<div><span>{day}</span><span>{TX|RX}</span><span>{hex}</span></div>", "</body></html>"
    ),
    "a class of two words": many(
        "<html><body>", '<div class="line {tx|rx}"><span>{day}</span><span>{%02X~</span><span>}</span></div>', "</body>"
    ),
    "spans": many("<html><style>b {}</style><pre>\n", "<b>{day}</b> {TX|RX} <code>{hex}</code>", "</pre></html>"),
    "attributes": many("<log>\n", '<frame time="{s}" dir="{TX|RX}" data="{hex}"/>', "</log>"),
    "elements": many("<?xml version='1.0'?><log>", "<e><Time>{s}</Time><Direction>{Sent|Received}</Direction>"
                     "<Data>{hex}</Data></e>", "</log>"),
    "named": many("<capture>\n", '<{tx|rx} t="{s}">{run}</{tx|rx}>', "</capture>"),
    "workbook": many("<Workbook><Table><Row><Cell>Time</Cell><Cell>Side</Cell><Cell>Data</Cell></Row>\n",
                     "<Row><Cell><Data>{s}</Data></Cell><Cell>{TX|RX}</Cell><Cell>{hex}</Cell></Row>", "</Table>"),
    "plist": plistlib.dumps([{"t": at / 1e6, "dir": ("TX", "RX")[side], "data": raw}
                             for at, side, raw in frames()]).decode(),
    "yaml": many("", "- time: {s}\n  data: {low}\n  dir: {TX|RX}"),
    "yaml of lists": many("", "- dir: {TX|RX}\n  time: {s}\n  bytes:\n  - {0x%02x~\n  - }"),
    "yaml in base64": many("", "- dir: {TX|RX}\n  t: {s}\n  data: !!binary |\n    {base64}"),
    "ini": many("", "[frame{n}]\ntime={s}\ndata={hex}\ndir={TX|RX}\n"),
    "psql": many("", "-[ RECORD 1 ]---\nat   | {date}\ndata | \\x{run}\ndir  | {TX|RX}"),
    "journal": many("", "__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP={epoch-us}\n_UID=0\nMESSAGE={TX|RX} {hex}\n"),
    "journal in full": many("", "Sat 2026-11-28 04:55:{05}.{.6} UTC [s=1;i=2]\n    _UID=0\n    MESSAGE={TX|RX} {hex}"),
    "pretty": many("", '{\n "__REALTIME_TIMESTAMP" : "{epoch-us}",\n "MESSAGE" : "{TX|RX} {hex}"\n}'),
    "rows": json.dumps(split("rows")),
    "objects": json.dumps({"port": {"baud": 9600}, **split("objects")}, indent=1),
    "keyed sides": json.dumps(split("keyed")),
    "keyed": keyed(lambda side, raw: {"dir": "AB"[side], "data": raw.hex()}),
    "keyed names": keyed(lambda side, raw: {("TX", "RX")[side]: raw.hex(" ")}),
    "keyed lists": keyed(lambda side, raw: [("TX", "RX")[side], list(raw)]),
    "keyed lines": keyed(lambda side, raw: f"{('TX', 'RX')[side]} {raw.hex(' ')}"),
    "session": json.dumps({"session": {"tags": ["a", "b"], "frames": [
        {"ts": at / 1e6, "dir": "AB"[side], "payload": {"hex": raw.hex(), "len": len(raw)}}
        for at, side, raw in frames()]}}),
    "dictionaries": many("", "{'data': {repr},\n 'dir': '{TX|RX}',\n 'time': {float}}"),
}  # fmt: skip
UNTIMED = {
    **{kind: json.dumps(split(kind)) for kind in ("bytes", "hex", "run")},
    "text": "".join(f"{name.upper()}:\n{run}\n" for name, run in split("run").items()),
    "kdump": many(
        "", " 12 a GIO  fd 3 {wrote|read} {len} bytes\n       0x0000 {low} |{abc}|\n 12 a RET  {write|read} {len}"
    ),
    "kdump in letters": "".join(
        f' 12 a CALL  x\n 12 a GIO   fd 3 {("wrote", "read")[side]} {len(raw)} bytes\n       "{visible(raw)}"\n'
        for _at, side, raw in frames()
    ),
    "indents": many("MASTER          SLAVE\n", "{|                }{hex}"),
    "indents of the other": many("SLAVE           MASTER\n", "{                |}{hex}"),
    "labels": many("", "{tx|rx}_{n}: db {asm}"),
    "rust": many("", "{sent|got} [\n    {0x%02X~,\n    },\n]"),
    "arrays": many("", "char peer{0|1}_0[] = { /* Packet {n} */\n{0x%02x~, } };"),
    "sender in an array": many("", "const byte f{n}[] = { /* {TX|RX} */\n  {0x%02X~,\n  }\n};"),
    "sender above an array": many("", "/* {master|slave} */\nu8 f{n}[{len}] = {\n  {%d~, },\n};"),
    "sender behind an array": many("", "let f{n}: [u8; {len}] = [{0x%02X~, }]; // from {A|B}"),
    "sender in an array's name": many("", "var {tx|rx}_{n} = []byte{\n{0x%02x~,\n},\n}"),
    "a heading over two lines": many('time,"side\nof",data\n', "{s},{TX|RX},{hex}"),
    "underscores": "".join(f"{'AB'[side]}: 0x{raw.hex('_')}\n" for _at, side, raw in frames()),
    "bits": "".join(f"{'AB'[s]} {'_'.join(format(b, '08b') for b in raw)}\n" for _at, s, raw in frames()),
    "bits in halves": "".join(
        f"{('TX', 'RX')[s]} {', '.join(f'0b{b >> 4:04b}_{b & 15:04b}' for b in raw)}\n" for _at, s, raw in frames()
    ),
    "chat": many("", "{alice|bob}  10:0{0|1}\n{hex}"),
    "quoted letters": many("", "> On 28 Nov 2026 at 04:0{0|1}, {Alice|Bob} wrote:\n> {hex}"),
    "chat with words": "alice  9:58\nhere it comes\n" + many("", "[10:0{0|1} AM] {alice|bob}:\n  {hex}\n"),
    "brackets of a side": "".join(
        ("", "Sending\n")[s == 0] + "".join((f"[{b:02X}]", f"<{b:02X}>")[s] for b in raw) + "\n"
        for _at, s, raw in frames()
    ),
    "node": many("", "{tx|rx} Uint8Array({len}) [\n  {%d~, }\n]"),
}


@pytest.mark.parametrize("name", TIMED)
def test_records_over_several_lines_keep_their_sides_and_times(name: str, path: Path):
    path.write_text(TIMED[name])
    if name in ("rows", "objects", "keyed sides"):
        # two frames of the same time have no order
        assert sorted(frames_of(read([str(path)]))) == sorted(frames())
    else:
        assert abs(same(path)[-1][0] - frames()[-1][0]) <= 1100


@pytest.mark.parametrize(("name", "form"), [("table", "table"), ("lines", "hex"), ("yaml", "objects")])
def test_a_form_that_is_ordered_reads_what_is_laid_out_over_lines(name: str, form: str, path: Path):
    path.write_text(TIMED[name])
    assert sides(frames_of(read([str(path)], form))) == sides(frames())


@pytest.mark.parametrize("name", UNTIMED)
def test_records_over_several_lines_without_times(name: str, path: Path):
    path.write_text(UNTIMED[name])
    assert sorted(sides(frames_of(read([str(path)])))) == sorted(sides(frames()))


@pytest.mark.parametrize("name", ["page", "attributes", "elements", "named", "yaml", "ini", "keyed", "dictionaries"])
@pytest.mark.parametrize("times", [0, 2])
def test_a_line_lost_or_doubled_accuses_nobody(name: str, times: int, path: Path):
    lines = TIMED[name].replace("}, ", "},\n").splitlines(keepends=True)
    for at in range(len(lines) // 2, len(lines) // 2 + 4):
        path.write_text("".join(lines[:at] + lines[at : at + 1] * times + lines[at + 1 :]))
        assert not [r for r in records(read([str(path)]), Session()) if r.verdict == watch.VIOLATION]


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("named", "</tx>"),
        ("named", '">'),
        ("attributes", '"/>'),
        ("table", "</tr>\n<tr>"),
        ("arrays", " };\n"),
        ("sender in an array", "};\n"),
        ("rust", "]\n"),
    ],
)
def test_a_torn_page_is_not_approved(name: str, gone: str, path: Path, seabattle: Seabattle):
    text = {**TIMED, **UNTIMED}[name]
    at = text.index(gone, len(text) // 2)
    path.write_text(text[:at] + text[at + len(gone) :])
    assert seabattle("decode --check --lang en", path)[0] == 3


def test_an_order_that_the_protocol_does_not_tell_accuses_nobody(path: Path, seabattle: Seabattle):
    # A2 before A1 is wrong in any order; whose fault it is depends on what B had sent by then
    path.write_text(
        "tx: AA A1 A2 A3 A3 B2 06 00 00 01 02 AA AA AA AA AA AA\nrx: 01 1A 2A 3A A4 C0 01 01 01 01 01 01 01 01\n"
    )
    assert seabattle("decode --check --lang en", path)[0] == 3


def test_a_page_without_bytes_is_refused(path: Path, seabattle: Seabattle):
    path.write_text(dress("<p>We lost game {n}.</p>\n")(*frames()[0]) * 9)
    assert "HTML or XML" in seabattle.refused("decode --check --lang en", path)


def test_a_column_of_one_number_names_no_side(path: Path):
    path.write_text(json.dumps([[n, raw.hex(), "01"] for n, (_at, _side, raw) in enumerate(frames())]))
    assert read([str(path)]).merged
