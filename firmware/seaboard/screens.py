"""Text screens: the base class, lists, pages, waiting."""

from array import array

from seabattle import wire
from seabattle.const import TYPE_CHECKING, const

from . import words
from .keys import BACK, DOWN, LEFT, OK, RIGHT, UP
from .panel import DOWN as BELOW
from .panel import HOURGLASS, TEXT
from .panel import LEFT as LESS
from .panel import RIGHT as POINTER
from .panel import UP as ABOVE
from .text_buffer import line_end, next_line

if TYPE_CHECKING:
    from .app import App
    from .text_buffer import TextBuffer
    from .ui import Ui


_ITEMS = const(16)  # the longest menu
_LINES = const(40)  # lines of a page
_PAGE_MS = const(2000)  # how long each page of a longer text is shown
_UNREAD_MS = const(500)
_CLOCK = const(0x1FFFFFFF)


class Screen:
    """One screen of the panel; one is shown at a time."""

    blinks = False  # redrawn at every blink
    holds = False  # stays open when the session changes state

    def __init__(self, ui: "Ui") -> None:
        self.ui = ui
        self.app = ui.app
        self.panel = ui.panel

    def enter(self) -> None:
        self.panel.layout(TEXT)

    def slices(self) -> int:
        """Return the number of slices it is drawn in."""
        return self.panel.rows

    def draw(self, i: int) -> None:
        """Draw slice `i`, from 0; they come in order."""

    def key(self, k: int) -> None:
        """Handle a key of seaboard.keys."""

    def work(self) -> bool:
        """Do a slice of work other than drawing; return False if there is none."""
        return False

    def title(self, word: int) -> None:
        """Write a heading in the top row, on panels with room for one."""
        p = self.panel
        p.row(0)
        p.word(word)
        p.rest()
        p.inverse = 1

    def put_line(self, word: int, n: int) -> bool:
        """Write line `n`, from 0, of a text wrapped to the width of the box; return False if it has no such line."""
        p = self.panel
        t = self.app.texts
        blob = t.blob
        start = t.start(word)
        end = start
        while blob[end]:
            end += 1
        for _ in range(n):
            start = next_line(blob, line_end(blob, start, end, p.box_w), end)
        p.letters(blob, start, line_end(blob, start, end, p.box_w))
        return start < end

    def menu_hint(self) -> int:
        """Return the text for how to reach the menu."""
        return words.H_MENU_ESC if self.app.keys.esc else words.H_MENU_HOLD

    def toast(self, y: int) -> bool:
        """Show the toast in row `y` of the box, if there is one."""
        if not self.ui.toasting:
            return False
        p = self.panel
        p.row(y)
        p.word(self.ui.toast)
        p.rest()
        return True


class List(Screen):
    """A list of items with a pointer. `items` holds words; `word` is the heading."""

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.items = bytearray(_ITEMS)
        self.n = 0
        self.at = 0
        self.top = 0
        self.word = words.TITLE

    def start(self, word: int) -> None:
        """Clear the list."""
        self.word = word
        self.n = self.at = self.top = 0

    def add(self, word: int) -> None:
        self.items[self.n] = word
        self.n += 1

    def add_all(self, first: int, last: int) -> None:
        for word in range(first, last + 1):
            self.add(word)

    def enter(self) -> None:
        self.panel.layout(TEXT)

    def draw(self, i: int) -> None:
        p = self.panel
        head = 1 if p.rows > 2 else 0
        if i == p.rows - 1 and self.toast(i):
            return
        seen = p.rows - head
        if self.at < self.top:
            self.top = self.at
        elif self.at >= self.top + seen:
            self.top = self.at - seen + 1
        if i < head:
            self._heading(seen)
            return
        k = self.top + i - head
        p.row(i)
        if k < self.n:
            p.put(POINTER if k == self.at else 32)
            p.word(self.items[k])
            self.value(self.items[k])
        p.rest()

    def _heading(self, seen: int) -> None:
        """Write the heading, with signs for what the arrows do here: change a value, scroll to hidden items."""
        p = self.panel
        p.row(0)
        p.word(self.word)
        p.inverse = 1
        p.back_from_end(5)
        changes = self.changes(self.items[self.at])
        p.put(LESS if changes else 32)
        p.put(POINTER if changes else 32)
        p.back_from_end(2)
        p.put(ABOVE if self.top else 32)
        p.put(BELOW if self.top + seen < self.n else 32)

    def value(self, word: int) -> None:
        """Write the value of an item, if it has one."""

    def changes(self, word: int) -> bool:
        """Return whether LEFT and RIGHT change the item's value."""
        return False

    def right(self, n: int) -> None:
        """Move the pen so that `n` letters end with the row."""
        self.panel.back_from_end(n)

    def key(self, k: int) -> None:
        if k == UP:
            self.at = (self.at or self.n) - 1
        elif k == DOWN:
            self.at = self.at + 1 if self.at + 1 < self.n else 0
        elif k == OK:
            self.chosen(self.items[self.at])
        elif k == BACK:
            self.left()
        elif k == LEFT or k == RIGHT:
            self.change(self.items[self.at], -1 if k == LEFT else 1)
        self.ui.touch()

    def chosen(self, word: int) -> None:
        """Handle OK on an item."""
        self.change(word, 1)

    def change(self, word: int, by: int) -> None:
        """Handle LEFT (by -1) or RIGHT (1) on an item."""

    def left(self) -> None:
        """Handle BACK."""
        self.ui.back()


_STARTS = array("H", bytes(2 * (_LINES + 1)))  # where each line of the current page begins


class Page(Screen):
    """A text of several lines, word-wrapped and scrolled; the last row is the hint for the next key."""

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.text: "TextBuffer" = None
        self.hint = 0
        self.titled = False  # the first line is a heading
        self.tests = False  # the page is the line test's, and OK restarts that
        self.lines = _STARTS
        self.n = 0
        self.top = 0
        self.since = 0

    def enter(self) -> None:
        super().enter()
        self.since = self.ui.now
        # an earlier toast would hide the hint
        self.ui.toast_off()

    @property
    def unread(self) -> bool:
        """Return whether the page is so new that a key may have been meant for what was shown before."""
        return (self.ui.now - self.since) & _CLOCK < _UNREAD_MS

    def show(self, text: "TextBuffer", hint: int, titled: bool = False) -> None:
        """Show a TextBuffer.

        hint: the text of the last row, 0 for the one on going back; titled: the first line is a heading.
        """
        self.text = text
        self.hint = hint
        self.titled = titled
        self.tests = False
        self.top = self.n = 0
        self.ui.show(self)

    def slices(self) -> int:
        return _LINES

    def draw(self, i: int) -> None:
        p = self.panel
        text = self.text
        if i == 0:
            self.lines[0] = 0
            self.n = 0
            p.inverse = 1 if self.titled and not self.top and p.rows > 2 else 0
        rows = p.rows if p.rows <= 2 else p.rows - 1
        start = self.lines[i]
        more = start < text.size
        if more:
            # the last column is reserved for the scroll sign
            end = line_end(text.data, start, text.size, p.columns - 1)
            self.lines[i + 1] = next_line(text.data, end, text.size)
            self.n = i + 1
        else:
            end = start
            self.lines[i + 1] = start
        y = i - self.top
        if 0 <= y < rows:
            p.row(y)
            p.letters(text.data, start, end)
            p.rest()
            if y == rows - 1 and self.lines[i + 1] < text.size:
                p.text[p.pen - 1] = BELOW
        elif y == rows and rows < p.rows:
            p.row(y)
            self._hint()
        elif not more and y > p.rows:
            self.ui.left = 0

    def _hint(self) -> None:
        p = self.panel
        if self.toast(p.rows - 1):
            return
        p.word(self.hint or (words.H_BACK_ESC if self.app.keys.esc else words.H_BACK_HOLD))
        p.rest()

    def scroll(self, k: int) -> bool:
        """Handle UP and DOWN; return False for other keys, and at the end."""
        rows = self.panel.rows - (1 if self.panel.rows > 2 else 0)
        if k == DOWN and self.top + rows < self.n:
            self.top += 1
        elif k == UP and self.top:
            self.top -= 1
        else:
            return False
        self.ui.touch()
        return True

    def key(self, k: int) -> None:
        if self.scroll(k):
            return
        if self.text is self.ui.page:
            if k == OK and self.tests:
                if not self.app.test.running:
                    self.top = 0
                    self.app.test.begin()
                    self.ui.touch()
            elif k == OK or k == BACK:
                self.ui.back()
        elif (k == OK or k == BACK) and not self.unread:
            self.ui.acknowledged()

    def work(self) -> bool:
        return self.tests and self.app.test.work()


class Result(Page):
    """The page that shows the result of a game."""

    def enter(self) -> None:
        super().enter()
        self.text = self.ui.result
        self.hint = words.N_OK
        self.titled = True
        self.top = 0

    def key(self, k: int) -> None:
        if not self.scroll(k) and (k == OK or k == BACK) and not self.unread:
            self.ui.acknowledged()


class Wait(Screen):
    """What is awaited, from whom, and how to leave."""

    blinks = True

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.first = 0  # on two rows: the line shown in the first
        self.hinted = False  # and that the last line was reached
        self.since = 0

    def enter(self) -> None:
        super().enter()
        self.first = 0
        self.hinted = False
        self.since = self.ui.now

    def draw(self, i: int) -> None:
        p = self.panel
        ui = self.ui
        head = 1 if p.rows > 2 else 0
        if i == p.rows - 1 and head:
            if not self.toast(i):
                p.row(i)
                p.put(HOURGLASS if ui.blink else 32)
                p.word(self.menu_hint())
                p.rest()
            return
        if i < head:
            self._head()
            return
        p.row(i)
        if i == 0:
            self.hinted = False
        if head:
            self.put_line(_awaited(self.app), i - 1)
        elif not self.put_line(_awaited(self.app), self.first + i) and not (i and self.hinted):
            # the hint follows the last line
            self.hinted = True
            p.word(self.menu_hint())
        p.rest()

    def work(self) -> bool:
        now = self.ui.now
        if self.panel.rows <= 2 and (now - self.since) & _CLOCK >= _PAGE_MS:
            self.since = now
            self.first = 0 if self.hinted else self.first + 2
            self.hinted = False
            self.ui.touch()
        return False

    def _head(self) -> None:
        """Write the opponent's nick, or the name of the game."""
        ui = self.ui
        p = self.panel
        link = self.app.link
        p.inverse = 1
        p.row(0)
        if link.state and link.peer_nick_len:
            ui.page.clear()
            ui.name(ui.page)
            p.letters(ui.page.data, 0, ui.page.size - 2)
        else:
            p.word(words.TITLE)
        p.rest()

    def key(self, k: int) -> None:
        if k == BACK or k == OK:
            ui = self.ui
            if not self.app.link.state or self.app.leaving:
                # there is no peer to say goodbye to, or to wait for
                if k == BACK:
                    self.app.leave()
                return
            ui.menu.session()
            ui.show(ui.menu)


# The letters UP and DOWN cycle through, by language: first and last of each group.


def _awaited(app: "App") -> int:
    """Return the text for what is awaited from the line."""
    link = app.link
    state = link.state
    if app.leaving:
        return words.W_BYE
    if state == 0:
        if link.role == wire.MASTER:
            return words.W_MASTER
        return words.W_SLAVE if link.role == wire.SLAVE else words.W_LISTEN
    if state == 1:
        return words.W_OFFER if link.role == wire.MASTER else words.W_PARAMS
    if state == 9:
        return words.W_AGAIN
    return words.W_PLACING if app.auto and not app.player.field.complete() else words.W_READY
