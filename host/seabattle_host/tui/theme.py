"""The look of a cell: a shape for every state, and a colour with the same meaning.

The shapes alone distinguish the states, for eyes and terminals without colours; the colours are from the palette by
Okabe and Ito, which colour-blind people can distinguish, and differ in lightness as well.
"""

from __future__ import annotations

import locale
import os

from rich.style import Style

from seabattle_host.cells import EMPTY, HIT, MISS, NO_OWNER, OWNER_A, OWNER_B, OWNER_C, SHIP, SUNK, UNKNOWN, WATER

_SHAPES = {UNKNOWN: "·", WATER: "·", MISS: "○", EMPTY: "-", SHIP: "█", HIT: "X", SUNK: "#"}
_ASCII = {"·": ".", "○": "o", "█": "@", "▸": ">", "▓": "+"}
_CONSOLE = {"○": "o", "▸": ">", "▓": "▒"}
"""Replacements for signs that the fonts of Debian's console-setup lack: none of the usual ones has a circle or ▓, those
with all of Cyrillic have no ▸. They have · and █, and ▒."""
_SOLID = (SHIP, SUNK)
"""Shapes that fill the width of a cell, so that a ship is one piece."""

FITS, FITS_NOT = "▓", "!"
"""Shapes of a ship to be placed, where it fits and where it does not."""

_SEA = "#0d2137"
INK = "#9ecae9"
"""The colour of a ship in a line of text."""
KEY = Style.parse("bold #f0e442")
"""The name of a key in a line of text."""

_FIXED = {
    UNKNOWN: Style.parse(f"#7f9db9 on {_SEA}"),
    WATER: Style.parse(f"#3f6183 on {_SEA}"),
    MISS: Style.parse(f"bold #ffffff on {_SEA}"),
    EMPTY: Style.parse(f"#56779a on {_SEA}"),
    SHIP: Style.parse(f"{INK} on {_SEA}"),
    HIT: Style.parse("bold #000000 on #f0a500"),
    SUNK: Style.parse("bold #ffd9c7 on #a33c00"),
}
_OWNED = {
    OWNER_A: ("#a6cbe8", "#33719e"),
    OWNER_B: ("#b0e0b0", "#2f7d4a"),
    OWNER_C: ("#f6c799", "#a8591c"),
}
"""Light blue, light green and light orange for the three owners, and a darker shade of each for hits."""

_GHOST = Style.parse(f"bold #f0e442 on {_SEA}")
_GHOST_BAD = Style.parse("bold #ffffff on #7a2e6e")
LABEL = Style.parse("#b8c7d6")
LABEL_AIMED = Style.parse("bold reverse")

_HEAT = [Style.parse(f"{ink} on {paper}") for ink, paper in (
    ("#8fa8bf", "#0d2137"), ("#a9bccd", "#123052"), ("#c0d0de", "#17406c"), ("#dce6ee", "#1b5186"),
    ("#ffffff", "#2164a0"), ("#ffffff", "#3a7aa8"), ("#000000", "#6f9f9c"), ("#000000", "#a3bd7f"),
    ("#000000", "#d3d75c"), ("bold #000000", "#f7ee3c"),
)]  # fmt: skip
"""From cold to hot in ten steps, dark blue to yellow."""


def plain_letters() -> bool:
    """Return whether the terminal's encoding lacks the shapes, so that ASCII replaces them."""
    encoding = locale.getpreferredencoding(False)
    try:
        "".join(_ASCII).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def shape(state: int, ascii_only: bool = False) -> str:
    """Return the sign of a state, one character."""
    return _shown(_SHAPES[state], ascii_only)


def _shown(sign: str, ascii_only: bool) -> str:
    """Return the sign, or its replacement if the font or the encoding lacks it."""
    if ascii_only:
        return _ASCII.get(sign, sign)
    return _CONSOLE.get(sign, sign) if on_console() else sign


def on_console() -> bool:
    """Return whether this is the Linux console, whose font has 256 or 512 glyphs."""
    return os.environ.get("TERM") == "linux"


def style(state: int, owner: int = NO_OWNER, last: bool = False) -> Style:
    """Return the style of a state. last: of the last move, which is highlighted."""
    if owner == NO_OWNER or state not in (SHIP, HIT, SUNK):
        look = _FIXED[state]
    else:
        light, dark = _OWNED[owner]
        if state == SHIP:
            look = Style.parse(f"{light} on {_SEA}")
        else:
            look = Style.parse(f"bold #000000 on {light}" if last else f"bold #ffffff on {dark}")
    return look + Style(underline=True, bold=True) if last else look


def text(state: int, width: int, marked: bool = False, ascii_only: bool = False) -> str:
    """Return the text of a cell of `width` (1..4) characters. marked: with a pointer or brackets, if there is room."""
    sign = shape(state, ascii_only)
    if state in _SOLID and not marked:
        return sign * width
    return _framed(sign, width, ("[", "]", _shown("▸", ascii_only)) if marked else (" ", " ", " "))


def heat(level: int, width: int) -> tuple[str, Style]:
    """Return text and style of an unknown cell of heat `level` (0..9). Level 0 shows no number."""
    return _framed(str(level) if level else "·", width, (" ", " ", " ")), _HEAT[level]


def ghost(fits: bool, width: int, ascii_only: bool = False) -> tuple[str, Style]:
    """Return text and style of the cells of a ship to be placed."""
    sign = FITS if fits else FITS_NOT
    return _shown(sign, ascii_only) * width, _GHOST if fits else _GHOST_BAD


def sign_at(width: int) -> int:
    """Return the index of the sign within a cell."""
    return 1 if width > 1 else 0


def _framed(sign: str, width: int, frame: tuple[str, str, str]) -> str:
    """Return the sign in a cell.

    It stands alone in one character, with a pointer before it in two, in brackets in three or more.
    """
    left, right, pointer = frame
    if width == 1:
        return sign
    if width == 2:
        return pointer + sign
    return f"{left}{sign}{right}".ljust(width)
