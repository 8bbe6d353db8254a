"""A game in the dress that other tools give it: its frames as text, and whether a file is read as what it was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from seabattle import watch
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.records import records
from seabattle_host.sniff.session import Session
from tests.captures import SMALL, played

Frame = tuple[int, int, bytes]
"""Microseconds since the begin, side, bytes."""


@cache
def frames() -> tuple[Frame, ...]:
    """A game, frame by frame, as a tap reads it."""
    found = [r for r in Session().run(played(parameters=SMALL)) if r.kind == watch.FRAME]
    return tuple((r.at - found[0].at, r.side, r.raw) for r in found)


def hexed(raw: bytes, form: str = "{:02X}", between: str = " ") -> str:
    return between.join(form.format(byte) for byte in raw)


def seconds(us: int) -> str:
    return f"{us // 10**6}.{us % 10**6:06}"


def of_day(us: int, digits: int = 3, dot: str = ".") -> str:
    us += (23 * 3600 + 59 * 60 + 58) * 10**6 + 123
    s = us // 10**6 % 86400
    return f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" + (f"{dot}{us % 10**6:06}"[: digits + 1] if digits else "")


def listed(line: Callable[[int, int, bytes], str], some: Sequence[Frame] | None = None) -> str:
    return "".join(line(*frame) + "\n" for frame in (frames() if some is None else some))


DX = ("TX", "RX")


def printable(raw: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in raw)


def said(path: Path, *more: str) -> list[Frame]:
    capture = read([str(path), *more])
    found = [r for r in records(capture, Session()) if r.kind == watch.FRAME]
    assert not [r for r in found if r.verdict], [(r.raw.hex(), r.reason) for r in found if r.verdict][:3]
    return [(r.at - found[0].at, r.side, r.raw) for r in found]


def sides(found: Sequence[Frame]) -> list[tuple[int, bytes]]:
    return [(side, raw) for _at, side, raw in found]


def merged_bytes() -> bytes:
    return b"".join(raw for _at, _side, raw in frames())


def assert_sorted(path: Path) -> None:
    """The game, each frame under its side unless that is said to be a guess, and nothing wrong with it."""
    found = list(records(read([str(path)]), Session()))
    assert [r.raw for r in found] == [raw for _at, _side, raw in frames()]
    assert not [r for r in found if r.verdict]
    assert [r.side for r in found if not r.unsure] == [
        side for (_at, side, _raw), r in zip(frames(), found, strict=True) if not r.unsure
    ]


def bytewise() -> list[Frame]:
    return [(at + 1250 * i, side, raw[i : i + 1]) for at, side, raw in frames() for i in range(len(raw))]
