"""Text for a terminal in which only the colours of bytes tell their senders: a line of a log for each piece."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seabattle_host.language.messages import tr
from seabattle_host.sniff.forms import clock, evidence, sides
from seabattle_host.sniff.forms.interface import OMITTED
from seabattle_host.sniff.forms.source import Source
from seabattle_host.sniff.forms.terminal import View

_LARGEST = 1 << 26
"""Bytes of a file up to which it is rewritten."""
_LEAST = 4
_COLOUR = re.compile(r"\x1b\[([\d;:]*)m")
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
_BYTE = r"[<\[]?(?:0[xX])?[0-9A-Fa-f]{2}[hH]?[>\]]?"
_BYTES = re.compile(rf"\W*({_BYTE}(?:[\s,:-]*{_BYTE})*)\W*")
_DIGITS = re.compile(r"(?:0[xX])?([0-9A-Fa-f]{2})")
_BRIGHT = "bright "
_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


@dataclass(frozen=True)
class _Piece:
    """A text of one colour within a line; data: its bytes, None if it has other text."""

    colour: str
    text: str
    data: bytes | None


def shown(source: Source) -> View | None:
    """Return the text of a file with the side in front of bytes; None if their colours do not tell it."""
    if not source.encoding or b"\x1b" not in source.sample:
        return None
    text = source.read(_LARGEST).decode(source.encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
    lines = list(_lines(text))
    found = [piece for line in lines for piece in line if piece.data]
    counts = Counter(piece.colour for piece in found)
    both = sorted(colour for colour, _count in counts.most_common(2))
    if len(both) < 2 or min(counts[colour] for colour in both) < _LEAST:
        return None
    if sum(counts[colour] for colour in both) * 20 < 19 * len(found):
        return None
    ones = (evidence.weigh_first(piece.data or b"" for piece in found if piece.colour == colour) for colour in both)
    if not evidence.are_sides(*ones) or 2 * sum(map(sides.is_named, source.head)) > len(source.head):
        return None
    own = sides.of_two(both)
    spoken = {_spoken(colour): side for colour, side in own.items()}
    rows = (row for line in lines for row in _rows(line, own))
    return View("".join(f"{row}\n" for row in rows).encode(), tr("laid_colours") + sides.words_for(spoken))


def _spoken(colour: str) -> str:
    """Return the name of a colour; one by its number has that."""
    if colour.startswith(_BRIGHT):
        return tr("colour_bright", colour=_spoken(colour.removeprefix(_BRIGHT)))
    return tr(f"colour_{colour or 'usual'}") if colour in ("", "inverse", *_NAMES) else colour


def _lines(text: str) -> Iterator[Sequence[_Piece]]:
    colour = ""
    for line in text.split("\n"):
        pieces: list[_Piece] = []
        place = 0
        for code in _COLOUR.finditer(line):
            pieces += _pieces(line[place : code.start()], colour)
            colour = _changed(colour, code[1])
            place = code.end()
        pieces += _pieces(line[place:], colour)
        yield pieces


def _pieces(text: str, colour: str) -> Iterator[_Piece]:
    """Yield a text of one colour: a time at its beginning, if bytes follow it, and these."""
    bare = _ESCAPE.sub("", text)
    if not bare.strip():
        return
    begin = len(bare) - len(bare.lstrip(" [("))
    stamp = clock.match(bare, begin)
    rest = bare[stamp.end :] if stamp is not None else bare
    found = _BYTES.fullmatch(rest)
    if found is None:
        yield _Piece(colour, bare, None)
        return
    if stamp is not None:
        yield _Piece(colour, bare[: stamp.end], None)
    yield _Piece(colour, rest, bytes.fromhex("".join(_DIGITS.findall(found[1]))))


def _changed(colour: str, code: str) -> str:
    """Return the colour after a code; a background and an inverse text are colours, too."""
    numbers = re.split("[;:]", code)
    if numbers[:1] in ([""], ["0"]):
        colour = ""
    if "38" in numbers or "48" in numbers:
        return code
    for number in numbers:
        value = int(number or 0)
        if value % 10 < len(_NAMES) and value // 10 in (3, 4, 9, 10):
            colour = (_BRIGHT if value >= 90 else "") + _NAMES[value % 10]
        elif value == _INVERSE:
            colour = "inverse"
        elif value in (_USUAL, _INVERSE + 20, _USUAL + 10):
            colour = ""
    return colour


_INVERSE, _USUAL = 7, 39


def _rows(line: Sequence[_Piece], own: dict[str, int]) -> Iterator[str]:
    """Yield the lines of a log that a line shows."""
    before = ""
    some = False
    for piece in line:
        if not piece.data:
            before += f" {piece.text.strip()}"
            continue
        some = True
        side = own.get(piece.colour)
        yield OMITTED if side is None else f"{before} {('TX', 'RX')[side]}: {piece.data.hex(' ').upper()}".strip()
    if not some and before.strip():
        yield f"// {before.strip()}"
