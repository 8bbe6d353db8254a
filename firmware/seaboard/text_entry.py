"""Text entry with five keys or a keyboard."""

from seabattle import wire
from seabattle.const import TYPE_CHECKING, const

from . import words
from .keys import BACK, DOWN, ERASE, LEFT, OK, RIGHT, TYPED, UP
from .panel import DOWN as BELOW
from .panel import LEFT as LESS
from .panel import RIGHT as POINTER
from .panel import UP as ABOVE
from .screens import Screen

if TYPE_CHECKING:
    from .ui import Ui


_PAGE_MS = const(2000)  # how long each page of a longer text is shown
_CLOCK = const(0x1FFFFFFF)
_CHAT_MOST = wire.TEXT_MAX


_ORDER = (
    b"\x20\x20AZ09\x21\x2f\x3a\x40az\x80\x9f\xf0\xf0\xa0\xaf\xe0\xef\xf1\xf1",
    b"\x20\x20\x80\x9f\xf0\xf0AZ09\x21\x2f\x3a\x40\xa0\xaf\xe0\xef\xf1\xf1az",
)
_ORDER_SIZE = const(22)
_FIRST = const(2)


class TextEntry(Screen):
    """A nick or a chat text, letter by letter: UP and DOWN change the last letter, RIGHT adds one, LEFT deletes it.

    A keyboard types.
    """

    blinks = True
    holds = True
    settings: "Screen"

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.data = bytearray(_CHAT_MOST)
        self.n = 0
        self.most = 0
        self.settings = None  # the settings screen, if it asked for a nick
        self.since = 0
        self.second = False  # on two rows: the second half of the hint is shown

    def enter(self) -> None:
        super().enter()
        self.since = self.ui.now

    def work(self) -> bool:
        now = self.ui.now
        if self.panel.rows <= 2 and (now - self.since) & _CLOCK >= _PAGE_MS:
            self.since = now
            self.second = not self.second
            self.ui.touch()
        return False

    def write_chat(self) -> None:
        self.most = _CHAT_MOST
        self.n = 0
        self.ui.show(self)

    def write_nick(self, settings: "Screen") -> None:
        """Enter a nick, for the settings screen."""
        self.settings = settings
        storage = self.app.storage
        self.most = wire.NICK_MAX
        self.n = storage.nick_size
        for i in range(self.n):
            self.data[i] = storage.data[storage.nick_at + i]
        self.ui.show(self)

    def draw(self, i: int) -> None:
        p = self.panel
        head = 1 if p.rows > 2 else 0
        if i < head:
            self.title(words.S_NICK if self.most == wire.NICK_MAX else words.C_TITLE)
        elif i == head:
            w = p.columns - 1
            p.row(i)
            p.letters(self.data, max(0, self.n - w), self.n)
            p.put(95 if self.ui.blink else 32)
            p.rest()
        else:
            p.row(i)
            k = i - p.rows + 4
            if p.rows <= 2:
                self._two(self.second)
            elif p.rows <= 4:
                self._two(i == p.rows - 1)
            elif k == 0:
                self._keys(ABOVE, BELOW, words.K_LETTER)
            elif k == 1:
                self._keys(POINTER, 0, words.K_NEXT)
                p.put(32)
                self._keys(LESS, 0, words.K_ERASE)
            elif k == 2:
                self._ok()
            elif k == 3:
                p.word(words.H_BACK_ESC if self.app.keys.esc else words.H_BACK_HOLD)
            p.rest()

    def _two(self, second: bool) -> None:
        """Write one half of the key hints."""
        p = self.panel
        if second:
            self._keys(LESS, 0, words.K_ERASE)
            p.put(32)
            self._ok()
        else:
            self._keys(ABOVE, BELOW, words.K_LETTER)
            p.put(32)
            self._keys(POINTER, 0, words.K_NEXT)

    def _keys(self, one: int, other: int, word: int) -> None:
        """Write the hint for one or two keys."""
        p = self.panel
        p.put(one)
        if other:
            p.put(other)
        p.put(32)
        p.word(word)

    def _ok(self) -> None:
        p = self.panel
        p.word(words.K_OK)
        p.put(32)
        p.word(words.K_DONE)

    def key(self, k: int) -> None:
        n = self.n
        if k == OK:
            self._done(True)
            return
        if k == BACK:
            self._done(False)
            return
        if (k == LEFT or k == ERASE) and n:
            self.n = n - 1
        elif (k == RIGHT or k >= TYPED) and n < self.most:
            self.data[n] = k if k >= TYPED else _ORDER[self.app.storage.language][_FIRST]
            self.n = n + 1
        elif k == UP or k == DOWN:
            if not n:
                self.n = n = 1
                self.data[0] = 32
            self.data[n - 1] = _neighbour(_ORDER[self.app.storage.language], self.data[n - 1], 1 if k == DOWN else -1)
        self.ui.touch()

    def _done(self, good: bool) -> None:
        ui = self.ui
        self.ui.screen = ui.wait
        n = self.n
        while n and self.data[n - 1] == 32:
            n -= 1
        if self.most == wire.NICK_MAX:
            if good and n:
                self.app.storage.set_nick(self.data, n)
            ui.show(self.settings)
            self.settings = None
            return
        if good and n:
            for i in range(n):
                self.app.scratch[i] = self.data[i]
            self.app.chat(n)
        ui.state()


def _neighbour(order: bytes, c: int, by: int) -> int:
    """Return the letter after (by 1) or before (-1) another in _ORDER."""
    for i in range(0, _ORDER_SIZE, 2):
        if order[i] <= c <= order[i + 1]:
            if c == order[i + 1] and by > 0:
                return order[(i + 2) % _ORDER_SIZE]
            if c == order[i] and by < 0:
                return order[(i - 1) % _ORDER_SIZE]
            return c + by
    return 32
