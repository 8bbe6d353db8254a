"""A command and its reply in one line, and two files of which one shows what the other is."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle import wire
from seabattle_host import cli
from seabattle_host.sniff.capture import Chunk, Lost
from seabattle_host.sniff.reading import read
from tests.dress import assert_sorted, frames, frames_of, hexed, of_day, sides


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "capture"


def pairs() -> Iterator[tuple[int, int, bytes, bytes]]:
    """Yield time, side and bytes of each command with its reply, empty if it has none."""
    held: list[tuple[int, int, bytes]] = []
    for at, side, raw in frames():
        if held and held[0][1] != side:
            yield *held.pop(), raw
        else:
            yield from ((*one, b"") for one in held)
            held = [(at, side, raw)]
    yield from ((*one, b"") for one in held)


def lines(form: str, alone: str, byte: str = "{:02X}") -> str:
    """Return the game, a pair a line. alone: a command without a reply."""
    return "".join(
        (form if reply else alone).format(
            t=of_day(at), who=("alice", "bob")[side], role=("ведущий", "ведомый")[side], port="AB"[side],
            c=hexed(raw, byte), r=hexed(reply, byte),
        ) + "\n"
        for at, side, raw, reply in pairs()
    )  # fmt: skip


@pytest.mark.parametrize(
    ("form", "alone", "byte"),
    [
        ("{port}: {c} -> {r}", "{port}: {c}", "{:02X}"),
        ("{t} {role}: {c} => {r}", "{t} {role}: {c} =>", "0x{:02X}"),
        ("{t} {who} sent {c}, got {r}", "{t} {who} sent {c}", "{:02X}"),
        ("{role} {c} : {r}", "{role} {c}", "{:02x}"),
        ("{port} | {c} | {r}", "{port} | {c} | -", "{:02X}"),
        ("{who}: {c} -> {r}", "{who}: {c} -> none", "{}"),
        ("{port}: {r} <- {c}", "{port}: {c}", "{:02X}"),
    ],
)
def test_the_reply_behind_a_command_is_of_the_other_side(form: str, alone: str, byte: str, path: Path):
    path.write_text(lines(form, alone, byte), encoding="utf-8")
    capture = read([str(path)])
    assert sides(frames_of(capture)) == sides(frames())
    assert "bob" not in form.format(t="", who="bob", role="", port="", c="", r="") or (
        "alice is taken for A, bob for B" in capture.described[0]
    )


def of_each(form: str, alone: str) -> str:
    return lines(form, alone).replace("\\n", "\n")


@pytest.mark.parametrize(
    "text",
    [
        of_each("{role}: {c}\\n  reply: {r}", "{role}: {c}"),
        of_each("{t} {role} {c}\\n    -> {r}", "{t} {role} {c}"),
        of_each("[{who}] command {c}\\n[{who}] reply {r}", "[{who}] command {c}"),
        of_each("- from: {port}\\n  command: {c}\\n  reply: {r}", "- from: {port}\\n  command: {c}"),
        "time,from,command,reply\n" + lines("{t},{port},{c},{r}", "{t},{port},{c},"),
        "".join(
            f"{'MASTER':24}SLAVE\n" * (n == 0)
            + f"{hexed((reply, raw)[side == 0]):24}{hexed((raw, reply)[side == 0])}\n"
            for n, (_at, side, raw, reply) in enumerate(pairs())
        ),
        json.dumps([
            {"from": "AB"[side], "command": hexed(raw), "reply": hexed(reply) or None}
            for _at, side, raw, reply in pairs()
        ]),
        "<table><tr><th>from</th><th>command</th><th>reply</th></tr>"
        + "".join(
            f"<tr><td>{'AB'[side]}</td><td>{hexed(raw)}</td><td>{hexed(reply)}</td></tr>\n"
            for _at, side, raw, reply in pairs()
        )
        + "</table>",
    ],
)  # fmt: skip
def test_records_with_a_command_and_its_reply(text: str, path: Path):
    path.write_text(text, encoding="utf-8")
    # without times nothing tells which of two crossing commands was first
    assert sorted(sides(frames_of(read([str(path)])))) == sorted(sides(frames()))


def test_a_reply_keeps_its_own_time(path: Path):
    held: list[tuple[int, int, bytes]] = []
    rows: list[str] = []
    for at, side, raw in frames():
        if rows and held and held[0][1] != side and wire.is_reply(raw[0]) and wire.command_of(raw[0]) == held[0][2][0]:
            rows[-1] += f" -> {of_day(at)} {hexed(raw)}"
            held.clear()
        else:
            rows.append(f"{of_day(at)} {'AB'[side]}: {hexed(raw)}")
            held = [(at, side, raw)]
    path.write_text("\n".join(rows) + "\n")
    found = frames_of(read([str(path)]))
    assert sorted(sides(found)) == sorted(sides(frames()))
    assert {at for at, *_frame in found} <= {at + n for at, *_frame in frames() for n in range(-1000, 1001)}


@pytest.mark.parametrize("end", ["/>", "></exchange>"])
def test_the_end_of_a_file_of_attributes_is_no_gap(end: str, path: Path):
    rows = lines(
        f'<exchange from="{{port}}" command="{{c}}" reply="{{r}}"{end}',
        f'<exchange from="{{port}}" command="{{c}}" reply=""{end}',
    )
    path.write_text(f"<log>\n{rows}</log>\n")
    items = list(read([str(path)]).items)
    assert not [item for item in items if isinstance(item, Lost)]
    assert sorted(sides(frames_of(read([str(path)])))) == sorted(sides(frames()))


def test_two_lines_may_be_pairs(path: Path):
    path.write_text("A: AA -> 01\nA: A1 -> 1A\n")
    assert [(item.side, item.data.hex()) for item in read([str(path)]).items if isinstance(item, Chunk)] == [
        (0, "aa"), (1, "01"), (0, "a1"), (1, "1a"),
    ]  # fmt: skip


def test_a_list_of_commands_and_their_replies_is_no_session(path: Path):
    rows = "".join(f"| {op:02X} | {op >> 4 | op << 4 & 255:02X} | command |\n" for op in range(0xA0, 0xAA))
    path.write_text("| opcode | reply | what |\n|---|---|---|\n" + rows)
    assert cli.main(["decode", "--check", str(path)]) in (2, 3)


def test_times_with_a_plus_sign_that_rise_are_counted_from_the_start(path: Path):
    path.write_text("Time,TX,RX\n" + listing("+{ms:.3f}ms,{tx},{rx}"))
    found = frames_of(read([str(path)]))
    assert sides(found) == sides(frames())
    assert abs(found[-1][0] - frames()[-1][0]) < 10_000


@pytest.mark.parametrize(
    ("form", "alone", "byte"),
    [
        ("  {c}, /* {r} */", "  {c}, /* no reply */", "0x{:02X}"),
        ("  {{ {c} }}, // -> {r}", "  {{ {c} }},", "0x{:02X}"),
        ("  db {c}h ; {r}h", "  db {c}h", "0{:02X}"),
        ("{c} -> {r}", "{c}", "{:02X}"),
    ],
)
def test_replies_in_remarks_are_bytes_of_the_line(form: str, alone: str, byte: str, path: Path):
    body = lines(form, alone, byte)
    if "db" in form:
        body = "".join(
            f"  db {hexed(raw, '0{:02X}h', ',')}" + (f" ; {hexed(reply, '{:02X}h')}" if reply else "") + "\n"
            for _at, _side, raw, reply in pairs()
        )
    braces = "0x" in byte
    path.write_text("const uint8_t session[][6] = {\n" * braces + body + "};\n" * braces)
    assert_sorted(path)


def test_a_reply_cut_off_at_its_end_is_missing(path: Path):
    text = lines("{port}: {c} -> {r}", "{port}: {c}")
    path.write_text(text.replace("-> 1C", "-> 1", 1))
    assert "damaged" in str(list(read([str(path)]).items))


@pytest.mark.parametrize("form", ["raw", "decimal", "base64", "hexdump"])
def test_a_side_of_which_a_bug_spoils_every_shot_is_read_beside_the_other(form: str, tmp_path: Path):
    spoilt = [raw[:1] + b"\0\0" if side == 0 and raw[0] == 0xC0 else raw for _at, side, raw in frames()]
    whole = [b"".join(raw for raw, (_at, s, _raw) in zip(spoilt, frames(), strict=True) if s == n) for n in (0, 1)]
    for n, data in enumerate(whole):
        rows = {
            "raw": data,
            "decimal": hexed(data, "{}").encode(),
            "base64": base64.b64encode(data),
            "hexdump": "".join(
                f"{i:08x}  {hexed(data[i : i + 16], '{:02x}'):48} |{'.' * len(data[i : i + 16])}|\n"
                for i in range(0, len(data), 16)
            ).encode(),
        }
        (tmp_path / f"{n}").write_bytes(rows[form])
    capture = read([str(tmp_path / "0"), str(tmp_path / "1")])
    assert [b"".join(item.data for item in capture.items if getattr(item, "side", -1) == n) for n in (0, 1)] == whole
    assert form in ("raw", "base64", "decimal") or not capture.notes


def listing(form: str) -> str:
    """Return the game, a frame a line."""
    return "".join(
        form.format(
            t=of_day(at), d=("TX", "RX")[side], way=("tx", "rx")[side], name=("FACE", "DEAD")[side], n=len(raw),
            ms=at / 1000, tx=hexed(raw) * (side == 0), rx=hexed(raw) * (side == 1),
            io=("OUT", "IN")[side], hex=hexed(raw), abc="." * len(raw), dec=hexed(raw, "{}"),
            run=raw.hex(),
            ticks=hexed(raw, "`{:02X}`"), colour=("#00AA01", "#FF0000")[side],
            qp="".join(f"={byte:02X}" for byte in raw), coded="".join(f"%3D{byte:02X}" for byte in raw),
            pairs=hexed(raw, "0x{:02x}", "%2C"), base64=base64.b64encode(raw).decode().replace("=", "%3D"),
        ) + "\n"
        for at, side, raw in frames()
    )  # fmt: skip


@pytest.mark.parametrize(
    "form",
    [
        "{t} GET /{way}?body={coded} 200",
        '10.0.0.7 - - [12/Mar/2024:{t} +0000] "GET /log?dir={way}&body={qp} HTTP/1.1" 200 {n}',
        "{t} POST /{way}?hex={pairs}&n={n}",
        "{t} POST /{way}?n={n}&b64={base64}",
        "**{d}**: `{hex}`",
        "**{d}**: {ticks}",
        "### {d} {t}\n\n```\n{hex}\n```\n",
        "  console.log\n    {way} {hex}\n\n      at send (src/uart.js:12:13)\n",
        "{t} {way} 00000000: {run}",
        "{d}:\n  hex: {hex}\n  ascii: {abc}",
        "{d} ({n} bytes)\n  ASCII: {abc}\n  DEC: {dec}\n  HEX: {hex}",
        '{t} {d}: ascii="{abc}" hex={hex}',
        "2024-03-12 {t} {io} ({n})\n0x0000:  {hex}  {abc}\n",
        "[color={colour}]{hex}[/color]",
        '<span style="color:{colour}">{hex}</span>',
        '{t} <b style="background: {colour}">{hex}</b><br>',
    ],
)
def test_what_is_around_the_bytes_of_pages_and_logs_is_no_byte(form: str, path: Path):
    path.write_text(listing(form))
    capture = read([str(path)])
    assert sides(frames_of(capture)) == sides(frames())
    assert "colour" not in form or "#00AA01 is taken for A" in capture.described[0]


@pytest.mark.parametrize("form", ["{hex} {name}", "{hex}  ({name})", "[{name}] {hex}", "{name}: {hex}"])
def test_names_of_hex_letters_are_no_bytes(form: str, path: Path):
    path.write_text(listing(form))
    capture = read([str(path)])
    assert sides(frames_of(capture)) == [(1 - side, raw) for side, raw in sides(frames())]
    assert "dead is taken for A, face for B" in capture.described[0]


@pytest.mark.parametrize("encoding", ["cp866", "koi8-r", "cp1251"])
def test_lines_with_more_words_than_bytes_are_text_in_a_code_page(encoding: str, path: Path):
    text = "".join(
        f"Посылка от {('ведущего', 'ведомого')[side]}: {hexed(raw, '{:02X}h')}\n" for _at, side, raw in frames()
    )
    path.write_bytes(text.encode(encoding))
    assert [raw for _side, raw in sides(frames_of(read([str(path)])))] == [raw for _side, raw in sides(frames())]
