"""The contents of a display of any kind: a grid of letters, and fields of cells.

Screens write to `text` and `fields`; a panel's `step()` finds what differs from the display's contents and sends a
little of it, in a slice of less than a millisecond. Nothing is allocated after construction.

A driver is a subclass with its own `step()`, and those of `layout()`, `changed()`, `look_at()` and `field_row()` that
it needs: Lcd (characters), Pixels (black and white) and Colour.

Letters are bytes of code page 866; 1..10 are our own signs (source/letters.txt). 0 leaves the place to a field.
"""

from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from .parts import Buffer
    from .text_buffer import Texts


# Layouts.
TEXT = const(0)  # letters only
PLACING = const(1)  # my field on the left, a box for text
BATTLE = const(2)  # both fields, or one if there is only room for one, and a box for text

# Looks of a cell; CURSOR may be added.
WATER = const(0)
EMPTY = const(1)  # known to be empty
MISS = const(2)
SHIP = const(3)
HIT = const(4)
SUNK = const(5)
GHOST = const(6)  # a ship about to be placed
BAD = const(7)  # the same where it may not be placed
CURSOR = const(0x80)

# Signs.
RIGHT = const(1)
LEFT = const(2)
UP = const(3)
DOWN = const(4)
DECK = const(5)
ENTER = const(9)
HOURGLASS = const(10)

MINE = const(0)  # sides
ITS = const(1)

_CELLS = const(100)
_SPACE = const(32)


class Panel:
    """columns, rows: the grid of letters. texts: a seaboard.text_buffer.Texts, set by the application."""

    texts: "Texts"
    strip: "bytearray | None"
    pitch: int
    both = False  # both fields are in view at once

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.text = bytearray(columns * rows)
        self.fields = (bytearray(_CELLS), bytearray(_CELLS))
        self.under = _SPACE  # contents of the places outside the box, where fields are
        self.strip = None  # codes for a strip between two fields, see pixels.py; None without one
        self.texts = None
        self.mode = TEXT
        self.size = 10
        self.side = ITS  # the field in view if only one is
        self.covered = -1  # the text row that spans the whole width, over a field; -1 for none
        self.inverse = 0  # text rows shown dark on light, as bits
        # The box for text in this layout.
        self.box_x = 0
        self.box_y = 0
        self.box_w = columns
        self.box_h = rows
        self.pen = 0
        self.stop = 0
        self._fill(_SPACE)

    def _fill(self, code: int) -> None:
        text = self.text
        for i in range(len(text)):
            text[i] = code

    # Writing

    def row(self, y: int) -> None:
        """Move the pen to the start of row `y` (from 0) of the box."""
        self.pen = (self.box_y + y) * self.columns + self.box_x
        self.stop = self.pen + self.box_w

    def put(self, code: int) -> None:
        """Write one letter or sign; whatever exceeds the row is cut off."""
        if self.pen < self.stop:
            self.text[self.pen] = code
            self.pen += 1

    def word(self, number: int) -> None:
        """Write a text of seaboard.words."""
        t = self.texts
        i = t.start(number)
        blob = t.blob
        text = self.text
        pen = self.pen
        stop = self.stop
        # no call per letter: this is where a screen spends its time
        while blob[i] and pen < stop:
            text[pen] = blob[i]
            pen += 1
            i += 1
        self.pen = pen

    def number(self, n: int) -> None:
        """Write a non-negative integer in decimal."""
        unit = 1
        while n // unit >= 10:
            unit *= 10
        while unit:
            self.put(48 + n // unit % 10)
            unit //= 10

    def letters(self, data: "Buffer", start: int, end: int) -> None:
        """Write bytes of a buffer."""
        for i in range(start, end):
            self.put(data[i])

    def rest(self, code: int = _SPACE) -> None:
        """Fill the rest of the row."""
        text = self.text
        for pen in range(self.pen, self.stop):
            text[pen] = code
        self.pen = max(self.pen, self.stop)

    def back_from_end(self, n: int) -> None:
        """Fill up to `n` places before the end of the row, so that what follows is right-aligned."""
        while self.pen < self.stop - n:
            self.put(_SPACE)

    # Layouts

    def layout(self, mode: int, size: int = 10) -> bool:
        """Divide the display for a mode; `size`: cells per side, 6..10."""
        if mode == self.mode and (mode == TEXT or size == self.size):
            return False
        self.mode = mode
        self.size = size
        self.box_x = self.box_y = 0
        self.box_w = self.columns
        self.box_h = self.rows
        self.inverse = 0
        self._fill(_SPACE if mode == TEXT else self.under)
        return True

    def changed(self) -> None:
        """Called after something was written to `text`, `fields` or `strip`."""

    def field_row(self, side: int, y: int) -> None:
        """Called after row `y` of `fields[side]` was written."""

    def look_at(self, side: int, y: int) -> bool:
        """Scroll row `y` of a field into view; return True if the view has changed."""
        return False

    def step(self) -> bool:
        """Send a slice of what differs to the display; return False if nothing does."""
        return False
