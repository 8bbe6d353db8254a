"""Colour panels, 128x160 pixels and more: letters of 6x8 pixels, or twice that, and one field as large as possible.

There is no frame buffer; no small board has room for it: every place, a letter or a cell, is drawn to the display
separately, line by line through a one-line buffer, when it differs from what was last drawn there. A text box is beside
the field on a wide display, below it on a tall one.

The colours are those of the PC's screens (host/seabattle_host/tui/theme.py); every state also has its own shape.
"""

from seabattle.const import TYPE_CHECKING, const

from .font import GLYPHS, glyph
from .panel import CURSOR, ITS, MINE, PLACING, TEXT, Panel

if TYPE_CHECKING:
    from .window import Window


_SCAN = const(20)  # places checked in one step
_CELLS = const(100)
_UNDRAWN = const(0xFF)
_SPACE = const(32)
_TWICE = const(240)  # from this width on letters are doubled
_BOX = const(9)  # letters that fit in a box beside a field
_THICK = const(16)  # from this cell size on the cursor is two pixels wide

# RGB565 colours as sent to the controllers, high byte first.
_PAPER = b"\x08\xa3"
_INK = b"\xe7\x7e"
_AIM = b"\xf7\x28"
# By look: background and foreground colour.
_LOOKS = (
    b"\x09\x06\x3b\x10"  # water
    b"\x09\x06\x53\xb3"  # known to be empty
    b"\x09\x06\xff\xff"  # missed
    b"\x09\x06\x9e\x5d"  # a ship
    b"\xf5\x20\x00\x00"  # hit
    b"\xa1\xe0\xfe\xd8"  # sunk
    b"\x09\x06\xf7\x28"  # a ship about to be placed
    b"\x79\x6d\xff\xff"  # the same where it may not be placed
)
# By look: seven rows of seven bits, scaled to the cell.
_SHAPES = (
    b"\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x1c\x00\x00\x00\x00\x1c\x22\x22\x22\x1c\x00\x7f\x7f\x7f\x7f\x7f\x7f\x7f"
    b"\x41\x22\x14\x08\x14\x22\x41\x14\x14\x7f\x14\x7f\x14\x14\x55\x2a\x55\x2a\x55\x2a\x55\x08\x08\x08\x08\x00\x08\x00"
)


class Colour(Panel):
    """A colour display.

    chip: width, height; begin(x, y, w, h) opens a window of the picture, line(buffer) sends its next pixels, two bytes
    each, end() closes it. seaboard.window has one.
    """

    def __init__(self, chip: "Window") -> None:
        self.scale = 2 if chip.width >= _TWICE else 1
        self.letter_w = 6 * self.scale
        self.letter_h = 8 * self.scale
        super().__init__(chip.width // self.letter_w, chip.height // self.letter_h)
        self.chip = chip
        self.under = 0
        self.have = bytearray(len(self.text))
        self.have_looks = bytearray(_CELLS)
        self.pitch = 0
        self.inverted = 0  # the inverse rows as last drawn
        self.letter = bytearray(2 * self.letter_w)
        # one line of a cell, for each possible size
        self.least = min(self._pitch(10, TEXT), self._pitch(10, PLACING))
        self.cells = tuple(bytearray(2 * n) for n in range(self.least, self._pitch(6, TEXT) + 1))
        self.row_of = bytearray(2 * chip.width)  # an empty line
        self._fill_line(self.row_of, _PAPER)
        self.scan = 0
        self.calm = 0  # consecutive places found up to date
        self._wipe()

    def _wipe(self) -> None:
        """Request clearing the whole picture, including the space between places."""
        self.wiping = self.chip.height
        self.scan = self.calm = 0
        for i in range(len(self.have)):
            self.have[i] = _SPACE
        for i in range(_CELLS):
            self.have_looks[i] = _UNDRAWN
        self.inverted = 0

    def _wide(self) -> bool:
        return self.chip.width * 4 > self.chip.height * 5

    def _pitch(self, size: int, mode: int) -> int:
        """Return the pixels per cell, for a field of this size."""
        w = self.chip.width
        h = self.chip.height
        if self._wide():
            return min(h, (self.columns - _BOX) * self.letter_w) // size
        # while placing, the hint for OK needs a row besides the ship's
        rows = 5 if w < h else 2 if mode == PLACING else 1
        return min(w, h - rows * self.letter_h) // size

    def layout(self, mode: int, size: int = 10) -> bool:
        if not super().layout(mode, size):
            return False
        if mode != TEXT:
            self.side = MINE if mode == PLACING else ITS
            self.pitch = self._pitch(size, mode)
            n = self.pitch * size
            if self._wide():
                self.box_x = (n + self.letter_w - 1) // self.letter_w
                self.box_w = self.columns - self.box_x
            else:
                self.box_y = (n + self.letter_h - 1) // self.letter_h
                self.box_h = self.rows - self.box_y
        self._wipe()
        return True

    def changed(self) -> None:
        self.calm = 0

    def look_at(self, side: int, y: int) -> bool:
        if side == self.side:
            return False
        self.side = side
        for i in range(_CELLS):
            self.have_looks[i] = _UNDRAWN
        self.calm = 0
        return True

    # Sending to the display

    def step(self) -> bool:
        if self.wiping:
            self.wiping -= 1
            chip = self.chip
            chip.begin(0, self.wiping, chip.width, 1)
            chip.line(self.row_of)
            chip.end()
            return True
        if self.inverted != self.inverse:
            self._invert()
        letters = len(self.text)
        places = letters if self.mode == TEXT else letters + self.size * self.size
        if self.calm >= places:
            return False
        i = self.scan
        text = self.text
        have = self.have
        shown = self.fields[self.side]
        drawn = self.have_looks
        for _ in range(_SCAN):
            self.calm += 1
            if i < letters:
                if text[i] != have[i]:
                    self._letter(i)
                    break
            elif shown[i - letters] != drawn[i - letters]:
                self._cell(i - letters)
                break
            i += 1
            if i >= places:
                i = 0
        self.scan = i
        return True

    def _invert(self) -> None:
        """Mark rows whose inversion has changed for redrawing."""
        change = self.inverted ^ self.inverse
        self.inverted = self.inverse
        w = self.columns
        for y in range(self.rows):
            if (change >> y) & 1:
                for i in range(y * w, y * w + w):
                    self.have[i] = _UNDRAWN
        self.calm = 0

    def _fill_line(self, line: bytearray, colour: bytes) -> None:
        for i in range(0, len(line), 2):
            line[i] = colour[0]
            line[i + 1] = colour[1]

    def _letter(self, i: int) -> None:
        code = self.text[i]
        self.have[i] = code
        self.calm = 0
        if not code:
            # a field is here
            return
        w = self.columns
        y = i // w
        ink = _INK
        paper = _PAPER
        if (self.inverse >> y) & 1:
            ink = _PAPER
            paper = _INK
        g = glyph(code)
        scale = self.scale
        line = self.letter
        chip = self.chip
        chip.begin(i % w * self.letter_w, y * self.letter_h, self.letter_w, self.letter_h)
        for row in range(8):
            at = 0
            for x in range(6):
                colour = ink if x < 5 and (GLYPHS[g + x] >> row) & 1 else paper
                for _ in range(scale):
                    line[at] = colour[0]
                    line[at + 1] = colour[1]
                    at += 2
            for _ in range(scale):
                chip.line(line)
        chip.end()

    def _cell(self, cell: int) -> None:
        look = self.fields[self.side][cell]
        self.have_looks[cell] = look
        self.calm = 0
        size = self.size
        p = self.pitch
        n = p - 1  # the last line and column separate it from the next cell
        line = self.cells[p - self.least]
        kind = look & 7
        edge = 0 if not look & CURSOR else 2 if p >= _THICK else 1
        chip = self.chip
        chip.begin(cell % size * p, cell // size * p, p, p)
        before = -1
        for y in range(p):
            # line of the shape, 7: the cursor's, 8: the gap between cells
            row = 8 if y == n else 7 if y < edge or y >= n - edge else y * 7 // n
            if row != before:
                before = row
                if row == 8:
                    self._fill_line(line, _PAPER)
                elif row == 7:
                    self._fill_line(line, _AIM)
                    self._put(line, n, _PAPER)
                else:
                    self._shape_line(line, n, kind, row)
                    for x in range(edge):
                        self._put(line, x, _AIM)
                        self._put(line, n - 1 - x, _AIM)
            chip.line(line)
        chip.end()

    def _put(self, line: bytearray, x: int, colour: bytes) -> None:
        line[2 * x] = colour[0]
        line[2 * x + 1] = colour[1]

    def _shape_line(self, line: bytearray, n: int, kind: int, row: int) -> None:
        bits = _SHAPES[7 * kind + row]
        at = 4 * kind
        for x in range(n):
            c = at + 2 if (bits >> (6 - x * 7 // n)) & 1 else at
            line[2 * x] = _LOOKS[c]
            line[2 * x + 1] = _LOOKS[c + 1]
        self._put(line, n, _PAPER)
