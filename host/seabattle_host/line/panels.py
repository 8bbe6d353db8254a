"""The displays of a virtual board: emulated controllers that take the driver's bytes and return pixels and letters.

Only what the firmware uses of each controller is implemented. The letters of the ROMs are drawn with the firmware's own
font.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from types import ModuleType
from typing import Protocol

from seabattle_host import assets

NAMES = ("20x4", "16x2", "128x64", "84x48")
"""The displays that boards/unix/board.py can drive: character, then graphic. The first one is the default."""

GRAPHIC = ("128x64", "84x48")

ROMS = ("A00", "A02", "MT")
"""ROMs of a character panel: Japanese, European, Russian. A board refers to them by index."""

_BLOCK = bytes([0xFF] * 5)
_UNKNOWN = "·"
# Letters of the ROMs beyond ASCII, as far as the firmware uses them: first code -> letters from there on.
_LETTERS: dict[str, dict[int, str]] = {
    "A00": {},
    "A02": {0x80: "БДЖЗИЙЛПУЦЧШЩЪЫЭ", 0x92: "Г"},
    "MT": {0xA0: "БГЁЖЗИЙЛПУФЧШЪЫЭЮЯбвгёжзийклмнпт", 0xC0: "чшъыьэюя", 0xE0: "ДЦЩдфцщ"},
}
# And as columns, bit 0 on top: the signs of A00 that look like Russian letters, and the full block.
_SIGNS: dict[str, dict[int, bytes]] = {
    "A00": {0xFF: _BLOCK, 0xCA: b"\x60\x1c\x00\x0c\x70", 0xF7: b"\x44\x3c\x04\x7c\x44", 0xD6: b"\x2a\x2a\x2a\x2a\x3e"},
    "A02": {},
    "MT": {0xFF: _BLOCK},
}


class Panel(Protocol):
    """A display. `width` and `height` in pixels; `rows[y][x]` is 1 for a lit pixel."""

    width: int
    height: int
    rows: list[bytearray]

    def handle_message(self, kind: str, data: bytes) -> None:
        """Take a message of the board: see boards/unix/board.py."""

    def text(self) -> list[str]:
        """Return the display's contents as letters; anything else is a dot or a space."""


def make_panel(name: str, rom: str = "A00") -> Panel:
    """Create the display named by one of NAMES. rom: one of ROMS."""
    columns, rows = (int(part) for part in name.split("x"))
    if name in GRAPHIC:
        return Graphic(columns, rows)
    return Character(columns, rows, rom)


class Character:
    """An HD44780 with `columns` x `rows` letters of 5x8 pixels, one pixel column between two letters."""

    def __init__(self, columns: int, rows: int, rom: str):
        self.columns = columns
        self.lines = rows
        self.width = 6 * columns
        self.height = 8 * rows
        self.rows = [bytearray(self.width) for _ in range(self.height)]
        self._rom = rom
        self._letters = bytearray(b" " * 128)
        self._custom = bytearray(64)
        self._address = 0
        self._in_custom = False

    def handle_message(self, kind: str, data: bytes) -> None:
        if kind != "I":
            return
        value, letter = data
        if letter:
            self._write(value)
        elif value & 0x80:
            self._address = value & 0x7F
            self._in_custom = False
        elif value & 0x40:
            self._address = value & 0x3F
            self._in_custom = True
        elif value == 1:
            self._letters[:] = b" " * 128
            self._address = 0
            self._in_custom = False
            self._draw_all()

    def text(self) -> list[str]:
        return [
            "".join(self._name(self._letters[self._place(x, y)]) for x in range(self.columns))
            for y in range(self.lines)
        ]

    def _place(self, x: int, y: int) -> int:
        return (y & 1) * 0x40 + (y >> 1) * self.columns + x

    def _write(self, value: int) -> None:
        if self._in_custom:
            if self._custom[self._address] != value:
                self._custom[self._address] = value
                self._draw_custom(self._address >> 3)
            self._address = (self._address + 1) & 0x3F
            return
        self._letters[self._address] = value
        for y in range(self.lines):
            x = self._address - self._place(0, y)
            if 0 <= x < self.columns:
                self._draw(x, y)
        self._address = (self._address + 1) & 0x7F

    def _draw_all(self) -> None:
        for y in range(self.lines):
            for x in range(self.columns):
                self._draw(x, y)

    def _draw_custom(self, number: int) -> None:
        for y in range(self.lines):
            for x in range(self.columns):
                code = self._letters[self._place(x, y)]
                if code < 16 and code & 7 == number:
                    self._draw(x, y)

    def _draw(self, x: int, y: int) -> None:
        for row, pixels in enumerate(_pixels(self._glyph(self._letters[self._place(x, y)])), 8 * y):
            self.rows[row][6 * x : 6 * x + 5] = pixels

    def _glyph(self, code: int) -> bytes:
        """Return five columns, bit 0 on top."""
        if code < 16:
            return _transposed(bytes(self._custom[(code & 7) * 8 : (code & 7) * 8 + 8]))
        sign = _SIGNS[self._rom].get(code)
        if sign is not None:
            return sign
        letter = self._letter(code)
        return _columns(letter) if letter else bytes(5)

    def _letter(self, code: int) -> str:
        if 32 <= code < 127:
            return chr(code)
        for first, letters in _LETTERS[self._rom].items():
            if first <= code < first + len(letters):
                return letters[code - first]
        return ""

    def _name(self, code: int) -> str:
        letter = self._letter(code)
        if letter:
            return letter
        return _letter_of(self._glyph(code)) or _UNKNOWN


class Graphic:
    """An SSD1306 (128 wide) or a PCD8544 (84 wide)."""

    def __init__(self, width: int, height: int):
        self.width = width
        self.height = height
        self.rows = [bytearray(width) for _ in range(height)]
        self._page = 0
        self._x = 0

    def handle_message(self, kind: str, data: bytes) -> None:
        if kind == "C":
            for code in data:
                self._command(code)
        elif kind == "D":
            for bits in data:
                for k in range(8):
                    self.rows[8 * self._page + k][self._x] = bits >> k & 1
                self._x = (self._x + 1) % self.width

    def text(self) -> list[str]:
        return ["".join(self._name(x, y) for x in range(self.width // 6)) for y in range(self.height // 8)]

    def _command(self, code: int) -> None:
        if self.width == 84:
            if code & 0x80:
                self._x = code & 0x7F
            elif code & 0x40:
                self._page = code & 7
        elif code & 0xF0 == 0xB0:
            self._page = code & 7
        elif code & 0xF0 == 0x00:
            self._x = self._x & 0xF0 | code
        elif code & 0xF0 == 0x10:
            self._x = self._x & 0x0F | (code & 15) << 4

    def _name(self, x: int, y: int) -> str:
        return self._letter(6 * x, y) or self._shifted(x, y) or _UNKNOWN

    def _shifted(self, x: int, y: int) -> str:
        """Return a letter in the two places where the firmware does not keep to the grid (its pixels.py).

        These are the strip between two fields, and the row below the right one, which begins where that field does.
        """
        if self.width != 128 or x < 10:
            return ""
        if x == 10:
            return self._letter(6 * x + 1, y)
        return self._letter(6 * x + 2, y) if 8 * y + 8 == self.height and x < 21 else ""

    def _letter(self, left: int, y: int) -> str:
        columns = bytes(sum(self.rows[8 * y + row][left + k] << row for row in range(8)) for k in range(6))
        if columns[5] == 0xFF:
            columns = bytes(column ^ 0xFF for column in columns)
        return _letter_of(columns[:5]) if not columns[5] else ""


@cache
def font() -> ModuleType:
    """Load the firmware's font module from its path."""
    path = assets.firmware() / "seaboard" / "font.py"
    spec = importlib.util.spec_from_file_location("seaboard_font", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def _transposed(rows: bytes) -> bytes:
    """Return the columns of one of the board's own signs, which is given in rows."""
    return bytes(sum((row >> (4 - k) & 1) << y for y, row in enumerate(rows)) for k in range(5))


@cache
def _pixels(columns: bytes) -> tuple[bytes, ...]:
    """Convert columns to eight rows of pixels."""
    return tuple(bytes(column >> row & 1 for column in columns) for row in range(8))


@cache
def _columns(letter: str) -> bytes:
    drawn = font()
    at = drawn.glyph(letter.encode("cp866")[0])
    return drawn.GLYPHS[at : at + 5]


@cache
def _letters() -> dict[bytes, str]:
    """Return drawing -> letter; English letters take precedence over identical Russian ones; a space for nothing."""
    codes = [*range(1, 11), *range(32, 127), *range(128, 176), *range(224, 242), 252]
    drawn = font()
    found: dict[bytes, str] = {}
    for code in codes:
        at = drawn.glyph(code)
        letter = "►◄▲▼█*·×↵⌛"[code - 1] if code < 32 else bytes([code]).decode("cp866")
        found.setdefault(drawn.GLYPHS[at : at + 5], letter)
    return found


def _letter_of(columns: bytes) -> str:
    return _letters().get(columns, "")
