"""Character displays with an HD44780 or compatible controller: 20x4 and 16x2.

A field uses one character for two cells, one above the other, so that ten columns and eight rows fit beside the text of
a 20x4 display; longer fields scroll. Pairs of cells, and Russian letters missing from the controller's ROM, are drawn
with the eight custom characters, loaded when they come into view and released when they leave it.

ROM: A00 (Japanese, the usual one), A02 (European), MT (Russian: MELT, Winstar and others).
"""

from seabattle.const import TYPE_CHECKING, const

from .font import GLYPHS, glyph
from .panel import CURSOR, ITS, MINE, PLACING, TEXT, Panel

if TYPE_CHECKING:
    from .parts import LetterBus


A00 = const(0)
A02 = const(1)
MT = const(2)

_SLOTS = const(8)
_PAIR = const(0xB0)  # codes B0..BF: pairs of cells, the upper one in bits 2 and 3
_EDGE = const(124)  # a vertical line to the right of a field
_SCAN = const(16)  # places checked in one step
_NONE = const(0xFF)

# Half a character: nothing, a dot, a hollow box, a full box.
_HALVES = b"\x00\x00\x00\x00\x00\x0c\x0c\x00\x1f\x11\x1f\x00\x1f\x1f\x1f\x00"
# How cells look in a half, by side. On my field it matters where my ships are and where they are hit: showing misses
# too would need more different pairs than there are custom characters.
_HALF = (b"\x00\x00\x00\x02\x03\x03\x03\x01", b"\x00\x01\x01\x02\x03\x03\x03\x01")

# Signs 0..10 in every ROM, 0 for none. The hourglass appears next to texts that need the custom characters.
_SIGNS = b" ><^v\x00\x22.x\x00*"
# By ROM, for the letters from А on, and for MT from а on: the code, 0 for none.
_A00 = b"A\x00B\x00\x00E\x003\x00\x00K\x00MHO\x00PCTY\x00X\x004\x00\x00\x00\x00b\x00\x00\x00"
_A02 = b"A\x80B\x92\x81E\x82\x83\x84\x85K\x86MHO\x87PCT\x88\x00X\x89\x8a\x8b\x8c\x8d\x8eb\x8f\x00\x00"
_MT = (
    b"A\xa0B\xa1\xe0E\xa3\xa4\xa5\xa6K\xa7MHO\xa8PCT\xa9\xaaX\xe1\xab\xac\xe2\xad\xaeb\xaf\xb0\xb1"
    b"a\xb2\xb3\xb4\xe3e\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbdo\xbepc\xbfy\xe4x\xe5\xc0\xc1\xe6\xc2\xc3\xc4\xc5\xc6\xc7"
)
# If all custom characters are taken: the most similar sign.
_LAST = b"A6BrDE*3NNK\xcaMHO\xf7PCTYOXU4WWbbb\xd6UR"
_LAST_PAIR = b" .oX"


class Lcd(Panel):
    """A character display.

    bus: send(value, data) passes one byte (0..255) to the controller, data 0 for an instruction and 1 for a letter,
    without waiting longer than that takes. It has already set the controller's mode (4 bits, two lines) and cleared it.
    """

    def __init__(self, bus: "LetterBus", columns: int, rows: int, rom: int = A00) -> None:
        super().__init__(columns, rows)
        self.bus = bus
        self.rom = rom
        n = columns * rows
        self.have = bytearray(n)  # the code last shown in each place,
        self.sent = bytearray(n)  # and the character sent for it
        for i in range(n):
            self.have[i] = self.sent[i] = 32
        self.slot = bytearray(_SLOTS)  # the code shown by each custom character, 0 for none
        self.used = bytearray(_SLOTS)  # number of places that use it
        self.loading = 0  # rows of a custom character still to be sent, plus 1 for its address
        self.load = 0  # its number
        self.scan = 0
        self.calm = 0  # consecutive places found up to date
        self.missed = False  # for one of them no custom character was free
        self.at = -1  # the controller's cursor, -1 if unknown
        self.top = 0  # the first character row of the field in view

    def layout(self, mode: int, size: int = 10) -> bool:
        if not super().layout(mode, size):
            return False
        self.top = 0
        if mode != TEXT:
            self.side = MINE if mode == PLACING else ITS
            self.box_x = size + 1
            self.box_w = self.columns - size - 1
        self.changed()
        return True

    def changed(self) -> None:
        self.calm = 0
        self.missed = False

    def look_at(self, side: int, y: int) -> bool:
        top = self.top
        y //= 2
        if y < top:
            top = y
        elif y >= top + self.rows:
            top = y - self.rows + 1
        if side == self.side and top == self.top:
            return False
        self.side = side
        self.top = top
        return True

    def field_row(self, side: int, y: int) -> None:
        r = y // 2 - self.top
        if side != self.side or not 0 <= r < self.rows or r == self.covered:
            return
        size = self.size
        shown = self.fields[side]
        i = (y & ~1) * size
        at = r * self.columns
        lower = (y | 1) < size
        for x in range(size):
            a = self._half(side, shown[i + x])
            b = self._half(side, shown[i + size + x]) if lower else 0
            self.text[at + x] = _PAIR | a << 2 | b
        self.text[at + size] = _EDGE

    def _half(self, side: int, look: int) -> int:
        h = _HALF[side][look & 7]
        if look & CURSOR:
            return 3 if h < 2 else 0
        return h

    # Sending to the display

    def step(self) -> bool:
        if self.loading:
            self._load_line()
            return True
        text = self.text
        have = self.have
        n = len(text)
        # A full round without progress: places that still lack a custom character must do without.
        force = self.calm >= n
        if force and not self.missed:
            return False
        p = self.scan
        for _ in range(_SCAN):
            if text[p] != have[p]:
                if self._show(p, force):
                    self.changed()
                    self.scan = p
                    return True
                self.missed = True
            p += 1
            if p == n:
                p = 0
            self.calm += 1
        self.scan = p
        return True

    def _show(self, p: int, force: bool) -> bool:
        """Update the place `p` of the display, or do a step towards it.

        Return False if no custom character is free for it, which `force` overrides.
        """
        code = self.text[p]
        c = self._rom_code(code)
        if not c:
            c = self._slot_of(code, p)
            if self.loading:
                return True
            if c < 0:
                if not force:
                    return False
                c = self._likeness(code)
        bus = self.bus
        w = self.columns
        if p != self.at:
            y = p // w
            bus.send(0x80 + (y & 1) * 0x40 + (y >> 1) * w + p % w, 0)
            # The letter follows in the next step: one byte per step is enough on this slow bus.
            self.at = p
            return True
        bus.send(c, 1)
        # After the end of a row the controller continues in another one.
        self.at = -1 if (p + 1) % w == 0 else p + 1
        old = self.sent[p]
        if old < _SLOTS:
            self.used[old] -= 1
        if c < _SLOTS:
            self.used[c] += 1
        self.sent[p] = c
        self.have[p] = code
        return True

    def _rom_code(self, code: int) -> int:
        """Return the ROM's code of a letter, sign or pair; 0 if it has none."""
        if 32 <= code < 127:
            # Here the controllers have a yen sign and an arrow instead of ASCII.
            return 47 if code == 92 else 45 if code == 126 else code
        i = _letter(code)
        if i >= 0:
            if self.rom == MT:
                return _MT[i]
            return (_A02 if self.rom == A02 else _A00)[i & 31]
        if code < 11:
            return _SIGNS[code]
        if code & 0xF0 == _PAIR:
            if code == _PAIR:
                return 32
            if code == _PAIR | 1:
                return 46
            if code == _PAIR | 5:
                return 58
            return 0xFF if code == _PAIR | 15 and self.rom != A02 else 0
        return 78 if code == 252 else 63

    def _slot_of(self, code: int, p: int) -> int:
        """Return the custom character for `code`, loading it if necessary; -1 if none is free."""
        i = _letter(code)
        if i >= 0:
            code = 128 + (i & 31)
        free = -1
        for i in range(_SLOTS):
            if self.slot[i] == code:
                return i
            if not self.used[i]:
                free = i
        if free < 0:
            free = self.sent[p]
            if free >= _SLOTS or self.used[free] > 1:
                return -1
        self.slot[free] = code
        self.load = free
        self.loading = 9
        return free

    def _likeness(self, code: int) -> int:
        i = _letter(code)
        if i >= 0:
            return _LAST[i & 31]
        if code & 0xF0 == _PAIR:
            return _LAST_PAIR[max((code >> 2) & 3, code & 3)]
        return 63

    def _load_line(self) -> None:
        """Send the address of the custom character, or one of its eight rows."""
        n = self.loading
        self.loading = n - 1
        if n == 9:
            # From now on letters go to the character memory, until a place on the display is addressed again.
            self.at = -1
            self.bus.send(0x40 | self.load << 3, 0)
            return
        y = 8 - n
        code = self.slot[self.load]
        if code & 0xF0 == _PAIR:
            bits = _HALVES[((code >> 2 if y < 4 else code) & 3) << 2 | y & 3]
        else:
            bits = 0
            g = glyph(code)
            for x in range(5):
                bits = bits << 1 | (GLYPHS[g + x] >> y) & 1
        self.bus.send(bits, 1)


def _letter(code: int) -> int:
    """Return 0..31 for А..Я, 32..63 for а..я, the code of Е and е for Ё and ё; -1 for anything else."""
    if 128 <= code < 176:
        return code - 128
    if 224 <= code < 240:
        return code - 176
    if code == 240:
        return 5
    return 37 if code == 241 else -1
