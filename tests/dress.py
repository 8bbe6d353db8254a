"""A game in the forms of other tools' logs: its frames as text, and whether a file reads back as the same game."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from seabattle import watch
from seabattle_host.sniff.capture import Chunk, Item
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.reading import Capture, read
from seabattle_host.sniff.session import Session
from tests.captures import BEGAN, SMALL, played

Frame = tuple[int, int, bytes]
"""Microseconds since the start, side, bytes."""


@cache
def frames() -> tuple[Frame, ...]:
    """Return a game, frame by frame, as a tap records it."""
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


Line = Callable[[int, int, bytes], str]


def printable(raw: bytes) -> str:
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in raw)


FIELDS: dict[str, Callable[[int, int, bytes], object]] = {
    "s": lambda t, s, r: seconds(t),
    "s,": lambda t, s, r: seconds(t).replace(".", ","),
    "float": lambda t, s, r: t / 10**6,
    "nine": lambda t, s, r: f"{t / 10**6:.9f}",
    "nine,": lambda t, s, r: f"{t / 10**6:.9f}".replace(".", ","),
    "ms": lambda t, s, r: t // 1000,
    "ms.": lambda t, s, r: t / 1000,
    "millis": lambda t, s, r: t // 1000 + 1000,
    "us": lambda t, s, r: t,
    "us ": lambda t, s, r: f"{t:,}".replace(",", " "),
    "us\u202f": lambda t, s, r: f"{t:,}".replace(",", "\u202f"),
    "ns": lambda t, s, r: t * 1000,
    "uptime-ns": lambda t, s, r: t * 1000 + 1_800_000_000,
    "gap": lambda t, s, r: t - frames()[max(0, frames().index((t, s, r)) - 1)][0],
    "ticks": lambda t, s, r: t * 1193182 // (65536 * 10**6),
    "day": lambda t, s, r: of_day(t),
    "day6": lambda t, s, r: of_day(t, 6),
    "day0": lambda t, s, r: of_day(t, 0),
    "day,": lambda t, s, r: of_day(t, 3, ","),
    "day-colon": lambda t, s, r: of_day(t, 3, ":"),
    "hh": lambda t, s, r: of_day(t)[:2],
    "mm": lambda t, s, r: of_day(t)[3:5],
    "ss": lambda t, s, r: of_day(t)[6:],
    "00": lambda t, s, r: f"{t // 10**6:02}",
    "05": lambda t, s, r: f"{5 + t // 10**6:02}",
    ".3": lambda t, s, r: f"{t // 1000 % 1000:03}",
    ".6": lambda t, s, r: f"{t % 10**6:06}",
    "date": lambda t, s, r: f"2026-11-28 04:55:{5 + t // 10**6:02}.{t % 10**6:06}",
    "epoch": lambda t, s, r: seconds(BEGAN + t),
    "epoch-ms": lambda t, s, r: (BEGAN + t) // 1000,
    "epoch-us": lambda t, s, r: BEGAN + t,
    "hex": lambda t, s, r: hexed(r),
    "low": lambda t, s, r: r.hex(" "),
    "run": lambda t, s, r: r.hex(),
    "A": lambda t, s, r: hexed(r) * (s == 0),
    "B": lambda t, s, r: hexed(r) * (s == 1),
    "0xA": lambda t, s, r: hexed(r, "0x{:02X}") * (s == 0),
    "0xB": lambda t, s, r: hexed(r, "0x{:02X}") * (s == 1),
    "repr": lambda t, s, r: repr(r),
    "quoted": lambda t, s, r: (
        '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02X}" for b in r) + '"'
    ),
    "latex": lambda t, s, r: rf"\texttt{{{hexed(r)}}}",
    "letters": lambda t, s, r: json.dumps(r.decode("latin-1")),
    "six": lambda t, s, r: ",".join(f"{byte:02X}" if n < len(r) else "" for n, byte in enumerate(r.ljust(6)[:6])),
    "list": lambda t, s, r: list(r),
    "bits": lambda t, s, r: hexed(r, "{:08b}"),
    "0bits": lambda t, s, r: hexed(r, "0b{:08b}"),
    "base64": lambda t, s, r: base64.b64encode(r).decode(),
    "signed": lambda t, s, r: ", ".join(str(byte - (byte & 128) * 2) for byte in r),
    "asm": lambda t, s, r: " ".join(f"{byte:02X}H" if byte < 0xA0 else f"0{byte:X}H" for byte in r),
    "strace": lambda t, s, r: "".join(chr(byte) if 48 <= byte < 58 else f"\\{byte:o}" for byte in r),
    "room": lambda t, s, r: (len(r), 4096)[s],
    "op": lambda t, s, r: r[0],
    "abc": lambda t, s, r: printable(r),
    "len": lambda t, s, r: len(r),
    "last": lambda t, s, r: len(r) - 1,
    "n": lambda t, s, r: frames().index((t, s, r)),
}
"""The fields of a template: times, the bytes, their letters and their number, the number of the frame."""


def dress(template: str) -> Line:
    """Parse the template of a log line. `{TX|RX}` is a word for each side, `{0x%02X~, }` each byte's format and the
    separator, any other field one of FIELDS, optionally with a format.
    """

    def line(t: int, s: int, r: bytes) -> str:
        def filled(match: re.Match[str]) -> str:
            if "|" in match[1]:
                return match[1].split("|")[s]
            if "~" in match[1]:
                form, between = match[1].split("~")
                return between.join(form % byte for byte in r)
            name, _, form = match[1].partition(":")
            return format(FIELDS[name](t, s, r), form)

        return re.sub("{([^{}]+)}", filled, template)

    return line


def listed(line: Line | str, some: Sequence[Frame] | None = None) -> str:
    """Return a game in this form."""
    made = dress(line) if isinstance(line, str) else line
    return "".join(made(*frame) + "\n" for frame in (frames() if some is None else some))


def said(path: Path, *more: str) -> list[Frame]:
    return frames_of(read([str(path), *more]))


def frames_of(capture: Capture) -> list[Frame]:
    found = [r for r in records(capture, Session()) if r.kind == watch.FRAME]
    assert not [r for r in found if r.verdict], [(r.raw.hex(), r.reason) for r in found if r.verdict][:3]
    return [(r.at - found[0].at, r.side, r.raw) for r in found]


def same(path: Path, either: bool = False) -> list[Frame]:
    """Return a file's frames, which must be exactly the game. either: nothing in it says which side is A."""
    capture = read([str(path)])
    items = list(capture.items)
    found = frames_of(replace(capture, frames=items))
    heard = sides(found)
    assert heard == sides(frames()) or (either and heard == [(1 - side, raw) for side, raw in sides(frames())])
    assert len(bytes_of(items)) == len(merged_bytes())
    return found


def in_all(path: Path) -> bytes:
    """Return all bytes of a file, framed or not."""
    return bytes_of(read([str(path)]).items)


def bytes_of(items: Iterable[Item]) -> bytes:
    return b"".join(item.data for item in items if isinstance(item, Chunk))


def sides(found: Sequence[Frame]) -> list[tuple[int, bytes]]:
    return [(side, raw) for _at, side, raw in found]


def merged_bytes() -> bytes:
    return b"".join(raw for _at, _side, raw in frames())


def assert_sorted(path: Path) -> None:
    """Check that the file is the game, each frame under its side unless marked as a guess, without any findings."""
    found = list(records(read([str(path)]), Session()))
    assert [r.raw for r in found] == [raw for _at, _side, raw in frames()]
    assert not [r for r in found if r.verdict]
    assert [r.side for r in found if not r.unsure] == [
        side for (_at, side, _raw), r in zip(frames(), found, strict=True) if not r.unsure
    ]


def bytewise() -> list[Frame]:
    return [(at + 1250 * i, side, raw[i : i + 1]) for at, side, raw in frames() for i in range(len(raw))]
