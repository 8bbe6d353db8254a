"""Colour displays: a model of the controllers that decode a driver's bytes, and a picture to compare with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from seabattle_host.line import panels

# By panel: columns and rows of the controller's memory, and the column and row where the glass begins.
MEMORY = {
    "st7789-240x240": (240, 320, 0, 0),
    "st7789-240x135": (240, 320, 52, 40),
    "st7735-128x160": (128, 160, 0, 0),
    "st7735g-128x160": (132, 162, 2, 1),
    "st7735r-128x160": (128, 160, 0, 0),
    "st7735w-128x160": (132, 162, 2, 1),
    "ili9341-320x240": (240, 320, 0, 0),
}
_SHOWN = {"st7789-240x240": "left", "st7789-240x135": "left", "ili9341-320x240": "right"}
"""The side to which modules that lie on their side are turned; upright ones show their last row on top."""


class Picture:
    """Pixels of two bytes each; its letters are 6x8 times `scale`."""

    def __init__(self, width: int, height: int):
        self.width = width
        self.height = height
        self.scale = 2 if width >= 240 else 1
        self.rows = [[0] * width for _ in range(height)]

    def text(self) -> list[str]:
        """Return the content of the grid of letters."""
        s = self.scale
        return [
            "".join(self._letter(6 * s * x, 8 * s * y) for x in range(self.width // (6 * s)))
            for y in range(self.height // (8 * s))
        ]

    def _letter(self, left: int, top: int) -> str:
        s = self.scale
        paper = self.rows[top][left + 5 * s]
        columns = bytes(
            sum((self.rows[top + s * row][left + s * k] != paper) << row for row in range(8)) for k in range(5)
        )
        return panels._letter_of(columns) or "·"


class Canvas(Picture):
    """What seaboard.colour needs of a chip, without any commands."""

    def begin(self, x: int, y: int, w: int, h: int) -> None:
        self._part = iter([(x + i % w, y + i // w) for i in range(w * h)])

    def line(self, buffer: bytes) -> None:
        for i in range(0, len(buffer), 2):
            x, y = next(self._part)
            self.rows[y][x] = buffer[i] << 8 | buffer[i + 1]

    def end(self) -> None:
        assert next(self._part, None) is None


class Glass(Picture):
    """A module with an ST7789, ST7735 or ILI9341, as a viewer sees it; decodes the bytes on SPI."""

    def __init__(self, panel: str, rotate: int = 0):
        width, height = map(int, panel.partition("-")[2].split("x"))
        super().__init__(width, height)
        self.columns, self.lines, self.left, self.top = MEMORY[panel]
        self.turned = _SHOWN.get(panel, "")
        self.upside_down = bool(rotate)
        self.memory = [[0] * self.columns for _ in range(self.lines)]
        self.awake = self.on = self.inverted = False
        self.bits = self.way = 0
        self.x = self.y = (0, 0)
        self._command = 0
        self._data = bytearray()
        self._at: Any = iter(())

    def take(self, data: Iterable[int], is_data: bool) -> None:
        """Receive bytes sent with this level of the D/C wire."""
        for byte in data:
            if is_data:
                self._argument(byte)
            else:
                self._start(byte)

    def _start(self, command: int) -> None:
        self._command = command
        self._data.clear()
        if command == 0x01:
            self.awake = self.on = self.inverted = False
        elif command == 0x11:
            self.awake = True
        elif command in (0x20, 0x21):
            self.inverted = command == 0x21
        elif command in (0x28, 0x29):
            self.on = command == 0x29
        elif command == 0x2C:
            (x, to_x), (y, to_y) = self.x, self.y
            self._at = iter([(column, row) for row in range(y, to_y + 1) for column in range(x, to_x + 1)])

    def _argument(self, byte: int) -> None:
        d = self._data
        d.append(byte)
        if self._command == 0x36:
            self.way = byte
        elif self._command == 0x3A:
            self.bits = byte & 7
        elif self._command in (0x2A, 0x2B) and len(d) == 4:
            span = d[0] << 8 | d[1], d[2] << 8 | d[3]
            if self._command == 0x2A:
                self.x = span
            else:
                self.y = span
        elif self._command == 0x2C and len(d) == 2:
            self._store(d[0] << 8 | d[1])
            d.clear()

    def _store(self, colour: int) -> None:
        column, row = next(self._at)
        if self.way & 0x20:
            column, row = row, column
        if self.way & 0x40:
            column = self.columns - 1 - column
        if self.way & 0x80:
            row = self.lines - 1 - row
        self.memory[row][column] = colour
        # under the glass, which is turned with its module
        column -= self.left
        row -= self.top
        if self.turned == "left":
            x, y = row, self.height - 1 - column
        elif self.turned == "right":
            x, y = row, column
        else:
            x, y = self.width - 1 - column, self.height - 1 - row
        if self.upside_down:
            x, y = self.width - 1 - x, self.height - 1 - y
        if 0 <= x < self.width and 0 <= y < self.height:
            self.rows[y][x] = colour


class Spi:
    """The wires to a Glass: machine.SPI, and machine.Pin for `cs` and `dc`."""

    def __init__(self, glass: Glass):
        self.glass = glass
        self.selected = self.is_data = False

    def write(self, data: bytes) -> None:
        if self.selected:
            self.glass.take(data, self.is_data)

    def cs(self, level: int) -> None:
        self.selected = not level

    def dc(self, level: int) -> None:
        self.is_data = bool(level)
