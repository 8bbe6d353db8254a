"""The texts of seaboard.words in the chosen language only, and a buffer for texts composed at run time, made once.

Each language is a module, unloaded once its texts are copied.
"""

import gc

from seabattle.const import TYPE_CHECKING

from . import local_words, unload, words
from .panel import DECK

if TYPE_CHECKING:
    from .parts import Buffer


_ROOM = 400  # for any text

_HEX = b"0123456789ABCDEF"
NEW_LINE = 13


class Texts:
    """All texts of the language.

    `blob` holds them, each ending with a zero byte; `start(number)` returns where one begins.
    """

    def __init__(self) -> None:
        self.local = False
        self.at = bytearray(2 * words.TEXTS)
        self.blob = b""
        self.choose(0)

    def extend(self, local: bool, language: int) -> None:
        """Add or remove the texts of the other games. Allocates."""
        self.local = local
        self.at = bytearray(2 * (local_words.TEXTS if local else words.TEXTS))
        self.choose(language)

    def choose(self, language: int) -> None:
        """Select a language: 0 English, 1 Russian. Takes some milliseconds, and allocates."""
        self.blob = b""  # free the previous language first: there may be no room for both
        gc.collect()
        blob = _texts(language)
        if self.local:
            blob += _local_texts(language)
        self.blob = blob
        at = self.at
        n = 0
        begin = True
        for i in range(len(blob)):
            if begin:
                at[n] = i & 255
                at[n + 1] = i >> 8
                n += 2
            begin = not blob[i]

    def start(self, number: int) -> int:
        return self.at[2 * number] | self.at[2 * number + 1] << 8


def _texts(language: int) -> bytes:
    if language:
        from .words_ru import TEXTS
    else:
        from .words_en import TEXTS
    unload("seaboard.words_ru" if language else "seaboard.words_en")
    return TEXTS


def _local_texts(language: int) -> bytes:
    if language:
        from .local_words_ru import TEXTS
    else:
        from .local_words_en import TEXTS
    unload("seaboard.local_words_ru" if language else "seaboard.local_words_en")
    return TEXTS


class TextBuffer:
    """`data[:size]` in code page 866, NEW_LINE between lines. Text that does not fit is cut off."""

    texts: "Texts" = None  # set by the application

    def __init__(self, room: int = _ROOM) -> None:
        self.data = bytearray(room)
        self.size = 0

    def clear(self) -> None:
        self.size = 0

    def put(self, code: int) -> None:
        if self.size < len(self.data):
            self.data[self.size] = code
            self.size += 1

    def only(self, number: int, a: int = 0) -> None:
        """Replace the contents with this text."""
        self.size = 0
        self.word(number, a)

    def word(self, number: int, a: int = 0, b: int = 0) -> None:
        """Append a text of seaboard.words; `a` and then `b` replace its # (decimal) and $ (two hexadecimal figures)."""
        t = self.texts
        i = t.start(number)
        blob = t.blob
        while blob[i]:
            c = blob[i]
            if c == 35:
                self.number(a)
                a = b
            elif c == 36:
                self.put(_HEX[a >> 4 & 15])
                self.put(_HEX[a & 15])
                a = b
            else:
                self.put(c)
            i += 1

    def number(self, n: int) -> None:
        """Append an integer in decimal."""
        if n < 0:
            self.put(45)
            n = -n
        unit = 1
        while n // unit >= 10:
            unit *= 10
        while unit:
            self.put(48 + n // unit % 10)
            unit //= 10

    def letters(self, data: "Buffer", start: int, end: int) -> None:
        """Append bytes of a buffer; bytes that are no letters become dots."""
        for i in range(start, end):
            c = data[i]
            self.put(c if 32 <= c < 127 or 128 <= c < 176 or 224 <= c < 242 or c == 252 else 46)

    def ships(self, decks: int, mine: int, its: int) -> None:
        """Append a table row: ships of this many decks left on my side and the opponent's. The first has a heading."""
        if not self.size:
            self.word(words.B_FLEETS)
            self.line()
        for i in range(6):
            self.put(DECK if i < decks else 32)
        self.number(mine)
        self.letters(b" : ", 0, 3)
        self.number(its)
        self.line()

    def space(self) -> None:
        self.put(32)

    def line(self) -> None:
        self.put(NEW_LINE)


def line_end(data: "Buffer", start: int, end: int, width: int) -> int:
    """Return where the line from `start` ends: at most `width` letters, broken between words."""
    space = -1
    for i in range(start, end):
        c = data[i]
        if c == NEW_LINE:
            return i
        if i - start == width:
            return space if space > start and c != 32 else i
        if c == 32:
            space = i
    return end


def next_line(data: "Buffer", at: int, end: int) -> int:
    """Return where the line after one that ends at `at` begins."""
    if at < end and (data[at] == NEW_LINE or data[at] == 32):
        return at + 1
    return at
