"""Captures whose times count otherwise, and whose lines have more than bytes."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.reading import read
from tests.calls import Seabattle
from tests.dress import Frame, Line, frames, hexed, listed, same

pytestmark = pytest.mark.usefixtures("english")

BEGAN = datetime(2026, 11, 26, 23, 58, 57, 123456)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.txt"


def date(us: int, form: str) -> str:
    return (BEGAN + timedelta(microseconds=us)).strftime(form)


def day(us: int) -> str:
    return f"{45987.9 + us / 86400e6:.10f}"


CLOCKS: dict[str, tuple[str, Line]] = {
    "days of a spreadsheet": ("", lambda t, s, r: f"{day(t)};{'TR'[s]}X;{hexed(r)}"),
    "with a comma": ("", lambda t, s, r: f"{day(t).replace('.', ',')};{'TR'[s]}X;{hexed(r)}"),
    "in a table": ("Time,Device,Data\n", lambda t, s, r: f"{day(t)},{('PC', 'MCU')[s]},{hexed(r)}"),
    "ticks of .NET": ("", lambda t, s, r: f"{639 * 10**15 + t * 10} {'TR'[s]}X {hexed(r, between='-')}"),
    "file times": ("", lambda t, s, r: f"{134 * 10**15 + t * 10} {'TR'[s]}X: {hexed(r)}"),
    "dashes": ("", lambda t, s, r: f"{date(t, '%Y%m%d-%H%M%S-%f')[:19]} {'TR'[s]}X {hexed(r)}"),
    "letters": ("", lambda t, s, r: f"{date(t, '%Hh%Mm%Ss%f')[:12]} {'TR'[s]}X {hexed(r)}"),
    "milliseconds in hex": ("", lambda t, s, r: f"{t // 1000:08X} {'TR'[s]}X: {hexed(r)}"),
    "microseconds in hex": ("", lambda t, s, r: f"[0x{t + 0x7FFFFFF0:08x}] {('->', '<-')[s]} {hexed(r)}"),
    "Datum and Zeit": (
        "Datum;Zeit;Richtung;Daten\n",
        lambda t, s, r: f"{date(t, '%d.%m.%Y;%H:%M:%S,%f')[:-3]};{('Gesendet', 'Empfangen')[s]};{hexed(r)}",
    ),
}


SIDED: dict[str, tuple[str, Line]] = {
    "every line of the slave is called a reply": (
        "",
        lambda t, s, r: f"{date(t, '%H:%M:%S.%f')} {('REQ', 'RSP')[s]} {hexed(r)}",
    ),
    "a number behind the side": ("", lambda t, s, r: f"{'TR'[s]}x:{t % 997:06}:{date(t, '%H:%M:%S.%f')}-{hexed(r)}"),
    "decoders of an analyser": (
        "Time[s],Decoder,Value,Parity Error,Framing Error\n",
        lambda t, s, r: f"{t / 1e6:.9f},UART{s},{hexed(r, '0x{:02X}')},,",
    ),
}
CLOCKS |= SIDED


@pytest.mark.parametrize("name", CLOCKS)
def test_a_game_with_such_times_is_read_with_them(name: str, path: Path):
    head, line = CLOCKS[name]
    path.write_text(head + listed(line))
    found = same(path)
    assert max(abs(at - frame[0]) for (at, _side, _raw), frame in zip(found, frames(), strict=True)) <= 1000


def test_offsets_in_front_of_the_bytes_of_a_side_are_no_times(path: Path):
    at = 0
    lines = []
    for _time, side, raw in frames():
        lines.append(f"{at:08X} {'TR'[side]}X: {hexed(raw)}\n")
        at += len(raw)
    path.write_text("".join(lines))
    assert {time for time, _side, _raw in same(path)} == {0}


def spoiled() -> list[Frame]:
    """Return the game with the master's bug: it sends columns and rows in the upper half of the byte."""
    return [(t, s, bytes((r[0], r[1] << 4, r[2] << 4)) if not s and r[0] == 0xC0 else r) for t, s, r in frames()]


BESIDE: dict[str, Line] = {
    "a hash in as many digits as base64": lambda t, s, r: (
        f"{date(t, '%H:%M:%S.%f')} {'TR'[s]}X {hexed(r)}  crc={sum(r) * 257 & 0xFFFF:04X}"
    ),
    "their number in brackets": lambda t, s, r: (
        f"({date(t, '%H:%M:%S.%f')}) ({('<<', '>>')[s]}) {hexed(r, '{:02X}h')} ({len(r)})"
    ),
}


SPOILT: dict[str, Line] = {
    "statements of SQL": lambda t, s, r: (
        f"INSERT INTO log (ts, dir, data) VALUES ('{date(t, '%Y-%m-%d %H:%M:%S.%f')}', '{'tr'[s]}x', X'{r.hex()}');"
    ),
    "sentences": lambda t, s, r: f"{('Master', 'Slave')[s]} sends {hexed(r, '0x{:02X}')} at t={t / 1000:.2f}ms",
    "YAML": lambda t, s, r: f"- time: {t / 1e6:.6f}\n  dir: {'tr'[s]}x\n  data: {hexed(r)}",
    "HTML": lambda t, s, r: (
        f"<table><tr><td>{date(t, '%H:%M:%S.%f')}</td><td>{'TR'[s]}X</td><td>{hexed(r)}</td></tr></table>"
    ),
}
BESIDE |= SPOILT


@pytest.mark.parametrize("name", BESIDE)
def test_what_is_beside_the_bytes_is_not_read_where_a_bug_spoils_frames(name: str, path: Path):
    path.write_text(listed(BESIDE[name], spoiled()))
    found = [(item.side, item.data) for item in read([str(path)]).frames if isinstance(item, Chunk)]
    assert found == [(side, raw) for _at, side, raw in spoiled()]


def test_a_semicolon_in_front_of_its_byte_begins_no_remark(path: Path):
    def line(t: int, s: int, r: bytes) -> str:
        return f"{date(t, '%H:%M:%S.%f')} {'TR'[s]}X {''.join(';' if byte == 59 else '.' for byte in r):12} {hexed(r)}"

    path.write_text(listed(line))
    same(path)


def test_a_word_of_each_line_that_looks_like_a_byte_is_no_capture(path: Path, seabattle: Seabattle):
    path.write_text(listed(lambda t, s, r: f"line.{'tr'[s]}x.{r.hex()}:1|c|@{t // 1000}"))
    assert "no known form" in seabattle.refused("decode --check --lang en", path)
