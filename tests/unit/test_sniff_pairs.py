"""A command and its reply in one line, and two files of which one shows what the other is."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

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
