"""Graphic panels: SSD1306 and SH1106 with 128x64 and PCD8544 with 84x48 pixels.

Letters are 6x8 pixels. Both fields are side by side. On 128x64 a cell has 6 pixels; a strip between the fields shows
the turn, the ships left and the cursor's cell; the lowest text row, below each field, shows the last event and briefly
covers the lowest cells of a large field. On 84x48 a cell has 4 to 6 pixels, and everything else is in the text row
below.

Pixels are kept in pages of eight rows as in both controllers, bit 0 on top.
"""

from seabattle.const import TYPE_CHECKING, const

from .font import GLYPHS, SMALL, glyph
from .panel import BATTLE, CURSOR, PLACING, TEXT, Panel

if TYPE_CHECKING:
    from .parts import GraphicBus


_SCAN = const(20)  # places checked in one step
_WIPE = const(64)  # bytes cleared in one step
_CELLS = const(100)
_UNDRAWN = const(0xFF)
_DIRTY = b"\x01"
_SEEK = const(16)  # chunks checked in one step
_SPACE = const(32)

# The cells of panel.py without the gap: columns of 3, 4 and 5 bits.
_SHAPES4 = b"\x00\x02\x00\x00\x00\x00\x02\x05\x02\x07\x05\x07\x05\x02\x05\x07\x07\x07\x07\x07\x07\x05\x02\x05"
_SHAPES5 = (
    b"\x00\x02\x00\x00\x00\x00\x00\x00\x00\x06\x06\x00\x0f\x09\x09\x0f"
    b"\x09\x06\x06\x09\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x05\x0a\x05\x0a"
)
_SHAPES6 = (
    b"\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x04\x0a\x04\x00\x1f\x11\x11\x11\x1f"
    b"\x11\x0a\x04\x0a\x11\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x15\x0a\x15\x0a\x15"
)

# The strip: 0 a sign (whose turn), 1..8 ships of 4, 3, 2, 1 decks of mine and its, 9 a letter, 10 a number, 11 a sign.
STRIP = const(12)
_STRIP_X = const(60)


class Pixels(Panel):
    """chip: a Ssd1306 or Pcd8544 below."""

    both = True

    def __init__(self, chip: "Ssd1306 | Pcd8544") -> None:
        super().__init__(chip.width // 6, chip.pages)
        self.chip = chip
        self.under = 0
        w = chip.width
        self.frame = bytearray(w * chip.pages)
        self.dirty = bytearray(chip.pages * (w // chip.chunk))  # 1: this chunk of the frame must be sent
        self.have = bytearray(len(self.text))
        self.have_looks = (bytearray(_CELLS), bytearray(_CELLS))
        if w >= 128:
            self.strip = bytearray(STRIP)
        self.have_strip = bytearray(STRIP)
        self.pitch = 6
        self.shapes = _SHAPES6
        self.left = 0  # x of the fields
        self.right = 0
        self.places = 0  # letters, cells and strip parts in this layout
        self.scan = 0
        self.calm = 0  # consecutive places found up to date
        self.sending = 0  # the next chunk to check
        self.wiping = len(self.frame)  # bytes of the frame still to be cleared
        self.inverted = 0  # the inverse rows as last drawn
        self._count()

    def layout(self, mode: int, size: int = 10) -> bool:
        if not super().layout(mode, size):
            return False
        w = self.chip.width
        wide = w >= 128
        pitch = 6 if wide else min(40 // size, 6)
        self.pitch = pitch
        self.shapes = _SHAPES6 if pitch == 6 else _SHAPES5 if pitch == 5 else _SHAPES4
        self.left = 0
        self.right = w - pitch * size
        if mode == PLACING:
            self.box_x = (pitch * size) // 6 + 1
            self.box_w = self.columns - self.box_x
        elif mode == BATTLE:
            self.box_y = self.rows - 1
            self.box_h = 1
            if wide:
                # centre each field in its half
                self.left = (_STRIP_X - pitch * size) // 2
                self.right = w - _STRIP_X + self.left
        self.wiping = len(self.frame)
        self._count()
        return True

    def _count(self) -> None:
        n = len(self.text)
        if self.mode == PLACING:
            n += self.size * self.size
        elif self.mode == BATTLE:
            n += 2 * self.size * self.size
            if self.strip is not None:
                n += STRIP
        self.places = n
        self.scan = 0
        self.calm = 0

    def changed(self) -> None:
        self.calm = 0

    # Sending to the display

    def step(self) -> bool:
        if self.wiping:
            self._wipe()
            return True
        if self.calm < self.places:
            self._look()
            return True
        return self._send()

    def _wipe(self) -> None:
        """Clear some of the frame, and of the record of what is drawn in it."""
        n = self.wiping
        begin = max(n - _WIPE, 0)
        for i in range(begin, n):
            self.frame[i] = 0
            if i < _CELLS:
                self.have_looks[0][i] = self.have_looks[1][i] = _UNDRAWN
            if i < len(self.have):
                self.have[i] = 0
            if i < len(self.dirty):
                self.dirty[i] = 1
            if i < STRIP:
                self.have_strip[i] = _UNDRAWN
        self.wiping = begin
        self.calm = 0

    def _look(self) -> None:
        """Check some places and draw the first that differs."""
        letters = len(self.text)
        cells = self.size * self.size
        i = self.scan
        if self.inverted != self.inverse:
            self._invert()
        for _ in range(_SCAN):
            self.calm += 1
            if i < letters:
                done = self.text[i] == self.have[i] or self._draw_letter(i)
            elif i < letters + cells:
                done = self._cell(0, i - letters)
            elif i < letters + 2 * cells:
                done = self._cell(1, i - letters - cells)
            else:
                n = i - letters - 2 * cells
                done = self.strip[n] == self.have_strip[n] or self._draw_strip(n)
            i += 1
            if i >= self.places:
                i = 0
            if not done:
                self.calm = 0
                break
        self.scan = i

    def _invert(self) -> None:
        """Mark rows whose inversion has changed for redrawing."""
        change = self.inverted ^ self.inverse
        self.inverted = self.inverse
        w = self.columns
        for y in range(self.rows):
            if (change >> y) & 1:
                for i in range(y * w, y * w + w):
                    self.have[i] = 0

    def _touch(self, at: int) -> None:
        self.dirty[at // self.chip.chunk] = 1

    def _draw_letter(self, i: int) -> bool:
        code = self.text[i]
        self.have[i] = code
        w = self.columns
        y = i // w
        x = i % w
        at = y * self.chip.width + 6 * x
        if self.strip is not None and self.mode == BATTLE:
            if x == 10:
                return True
            if x > 10:
                # text of the right half begins at that half's edge
                at += 2
        frame = self.frame
        bits = 0xFF if (self.inverse >> y) & 1 else 0
        g = glyph(code or _SPACE)
        for k in range(5):
            frame[at + k] = GLYPHS[g + k] ^ bits
        frame[at + 5] = bits
        if x == w - 1 and self.mode == TEXT:
            # the margin right of the last letter is inverted with it
            for k in range(6, self.chip.width - 6 * x):
                frame[at + k] = bits
            self._touch(at + self.chip.width - 6 * x - 1)
        self._touch(at)
        self._touch(at + 5)
        if not code:
            self._uncover(0 if x < 10 else 1)
        return False

    def _uncover(self, side: int) -> None:
        """Mark the lowest cells of a field, which a letter covered, for redrawing."""
        n = self.size
        for i in range(n * n - n, n * n):
            self.have_looks[side][i] = _UNDRAWN

    def _covered(self, side: int, y: int) -> bool:
        """Return whether letters cover this row of cells."""
        if self.mode != BATTLE or self.strip is None or y * 6 + 6 <= 56:
            return False
        at = len(self.text) - self.columns + 11 * side
        for i in range(at, at + 10):
            if self.text[i]:
                return True
        return False

    def _cell(self, side: int, cell: int) -> bool:
        """Draw a cell if it differs; return True if it does not."""
        look = self.fields[side][cell]
        if look == self.have_looks[side][cell]:
            return True
        size = self.size
        y = cell // size
        if self._covered(side, y):
            return True
        self.have_looks[side][cell] = look
        p = self.pitch
        y *= p
        w = self.chip.width
        at = (y >> 3) * w + (self.right if side else self.left) + cell % size * p
        y &= 7
        mask = ((1 << p) - 1) << y
        flip = mask if look & CURSOR else 0
        k = (look & 7) * (p - 1)
        frame = self.frame
        shapes = self.shapes
        for x in range(p):
            v = (shapes[k + x] << y if x < p - 1 else 0) ^ flip
            frame[at] = frame[at] & ~mask | v & 0xFF
            if mask > 0xFF:
                frame[at + w] = frame[at + w] & ~(mask >> 8) | v >> 8
            at += 1
        self._touch(at - p)
        self._touch(at - 1)
        if mask > 0xFF:
            self._touch(at - p + w)
            self._touch(at - 1 + w)
        return False

    def _draw_strip(self, n: int) -> bool:
        """Draw one part of the strip: see STRIP."""
        code = self.strip[n]
        self.have_strip[n] = code
        w = self.chip.width
        frame = self.frame
        if n == 0 or n == 9 or n == 11:
            at = (0 if n == 0 else 5 if n == 9 else 7) * w + _STRIP_X
            g = glyph(code or _SPACE)
            for k in range(5):
                frame[at + 1 + k] = GLYPHS[g + k]
        elif n == 10:
            at = 6 * w + _STRIP_X
            for k in range(8):
                frame[at + k] = 0
            if code >= 10:
                self._small(at, 1)
                self._small(at + 4, code - 10)
            elif code:
                self._small(at + 2, code)
        else:
            decks = 4 - (n - 1) // 2
            at = (5 - decks) * w + _STRIP_X
            self._small(at + (4 if n % 2 == 0 else 0), code)
            # below the figures a ship of that length, its right half with the right figure
            for k in range(8):
                if 4 - decks <= k < 4 + decks:
                    frame[at + k] |= 0x40
        self._touch(at)
        self._touch(at + 7)
        return False

    def _small(self, at: int, n: int) -> None:
        for k in range(3):
            self.frame[at + k] = SMALL[3 * min(n, 10) + k]

    def _send(self) -> bool:
        """Send a changed chunk, or search for the next one; return False if there is none."""
        dirty = self.dirty
        if _DIRTY not in dirty:
            return False
        n = len(dirty)
        i = self.sending
        for _ in range(_SEEK):
            if i >= n:
                i = 0
            if dirty[i]:
                dirty[i] = 0
                chip = self.chip
                chunk = chip.chunk
                data = chip.data
                frame = self.frame
                at = i * chunk
                for k in range(chunk):
                    data[k] = frame[at + k]
                per_page = chip.width // chunk
                chip.send(i // per_page, i % per_page * chunk)
                i += 1
                break
            i += 1
        self.sending = i
        return True


class Ssd1306:
    """128x64.

    bus: command(buffer) and data(buffer) pass whole buffers to the controller, which is switched on and in page
    addressing mode. first: the leftmost visible column of its memory, 2 for an SH1106.
    """

    def __init__(self, bus: "GraphicBus", first: int = 0) -> None:
        self.first = first
        self.width = 128
        self.pages = 8
        self.chunk = 8
        self.data = bytearray(8)
        self.bus = bus
        self._place = bytearray(3)

    def send(self, page: int, x: int) -> None:
        """Send `data` to column x of a page."""
        p = self._place
        x += self.first
        p[0] = 0xB0 | page
        p[1] = x & 15
        p[2] = 0x10 | x >> 4
        self.bus.command(p)
        self.bus.data(self.data)


class Pcd8544:
    """84x48. bus: as for Ssd1306; the controller is switched on, with horizontal addressing."""

    def __init__(self, bus: "GraphicBus") -> None:
        self.width = 84
        self.pages = 6
        self.chunk = 12
        self.data = bytearray(12)
        self.bus = bus
        self._place = bytearray(2)

    def send(self, page: int, x: int) -> None:
        p = self._place
        p[0] = 0x40 | page
        p[1] = 0x80 | x
        self.bus.command(p)
        self.bus.data(self.data)
