"""Screens of letters: menus, lists of values, pages, waiting, entering of letters."""

import gc
import sys

from seabattle import link as links
from seabattle import wire
from seabattle.fleet import check

from . import words
from .keys import BACK, DOWN, ERASE, LEFT, OK, RIGHT, TYPED, UP
from .note import line_end, next_line
from .panel import DOWN as BELOW
from .panel import HOURGLASS, TEXT
from .panel import LEFT as LESS
from .panel import RIGHT as POINTER
from .panel import UP as ABOVE

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


_ITEMS = const(16)  # the longest menu
_LINES = const(40)  # lines of a page
_PAGE_MS = const(2000)  # how long each part of a text stays that has no room at a time
_UNREAD_MS = const(500)
_CLOCK = const(0x1FFFFFFF)
_CHAT_MOST = wire.TEXT_MAX


class Screen:
    """One thing that the panel shows at a time."""

    blinks = False  # it is drawn anew whenever the blinking turns
    holds = False  # it stays when the state of the session changes under it

    def __init__(self, ui):
        self.ui = ui
        self.app = ui.app
        self.panel = ui.panel

    def enter(self):
        self.panel.layout(TEXT)

    def slices(self):
        """In how many slices it is drawn."""
        return self.panel.rows

    def draw(self, i):
        """Draw the slice `i`, from 0; they come in order."""

    def key(self, k):
        """A key of seaboard.keys."""

    def work(self):
        """A slice of work that is no drawing; False if there is none."""
        return False

    def title(self, word):
        """The uppermost row as a heading, on panels with room for one."""
        p = self.panel
        p.row(0)
        p.word(word)
        p.rest()
        p.inverse = 1

    def put_line(self, word, n):
        """Write line `n`, from 0, of a text that is broken into lines as wide as the box; False if it has none."""
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

    def menu_hint(self):
        """The text on how to get to the menu."""
        return words.H_MENU_ESC if self.app.keys.esc else words.H_MENU_HOLD

    def toast(self, y):
        """Show the text of the moment in row `y` of the box, if there is one."""
        if not self.ui.toasting:
            return False
        p = self.panel
        p.row(y)
        p.word(self.ui.toast)
        p.rest()
        return True


class List(Screen):
    """Items one below the other, one of them pointed at. `items` holds words; `word` is the heading."""

    def __init__(self, ui):
        super().__init__(ui)
        self.items = [0] * _ITEMS
        self.n = 0
        self.at = 0
        self.top = 0
        self.word = words.TITLE

    def start(self, word):
        """An empty list."""
        self.word = word
        self.n = self.at = self.top = 0

    def add(self, word):
        self.items[self.n] = word
        self.n += 1

    def add_all(self, first, last):
        for word in range(first, last + 1):
            self.add(word)

    def enter(self):
        self.panel.layout(TEXT)

    def draw(self, i):
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

    def _heading(self, seen):
        """The heading, with signs for what the arrows do here: change a value, lead to items out of view."""
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

    def value(self, word):
        """Write the value of an item, if it has one."""

    def changes(self, word):
        """True for an item whose value LEFT and RIGHT change."""
        return False

    def right(self, n):
        """Move the pen so that `n` letters end with the row."""
        self.panel.back_from_end(n)

    def key(self, k):
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

    def chosen(self, word):
        """OK on an item."""
        self.change(word, 1)

    def change(self, word, by):
        """LEFT (by -1) or RIGHT (1) on an item."""

    def left(self):
        """BACK."""
        self.ui.back()


class Menu(List):
    """The main menu, the menu within a session, the ready phrases of the chat."""

    def __init__(self, ui):
        super().__init__(ui)
        self.main_at = 0  # where the main menu was left
        self.loaded = None  # the modules there were before a game was loaded that needs no line

    def main(self):
        if self.loaded is not None:
            _close_game(self)
        self.start(words.TITLE)
        self.add_all(words.M_AUTO, words.M_OFF)
        self.at = self.main_at

    def session(self):
        """What can be done in this state."""
        ui = self.ui
        link = self.app.link
        state = link.state
        self.start(words.G_TITLE)
        over = state == 9 and link.role == wire.MASTER
        if over:
            self.add(words.G_AGAIN)
        else:
            self.add(words.G_BACK)
        if (state == 2 or state == 3) and not ui.ready:
            if self.app.player.field.complete():
                self.add(words.G_READY)
            self.add_all(words.G_FILL, words.G_CLEAR)
        if state == 9 or state == 4 and not self.panel.both:
            self.add(words.G_PEEK)
        if state == 4 or state == 9:
            self.add(words.G_FLEETS)
        if state and state != links.BROKEN_OFF:
            self.add(words.G_CHAT)
        if link.role == wire.MASTER and (state == 2 or state == 3):
            self.add(words.G_AGAIN)
        if 1 <= state <= 4:
            self.add(words.G_SURRENDER)
        self.add(words.G_LEAVE)

    def alone(self):
        """The games of who plays alone."""
        self.start(words.A_TITLE)
        self.add_all(words.A_LINE, words.A_MELEE)

    def phrases(self):
        self.start(words.C_TITLE)
        self.add_all(words.C_1, words.C_8)
        self.add(words.C_WRITE)

    def chosen(self, word):
        ui = self.ui
        app = self.app
        if word <= words.M_OFF:
            self.main_at = self.at
        if word <= words.M_SLAVE:
            app.play(word)
        elif word == words.M_ALONE:
            self.alone()
        elif word == words.A_LINE:
            app.play(words.M_ALONE)
        elif words.A_CLASSIC <= word <= words.A_MELEE:
            _open_game(self, word)
        elif word == words.M_SETTINGS:
            ui.show(ui.settings)
        elif word == words.M_STATS:
            app.statistics(ui.page)
            ui.page_screen.show(ui.page, 0, True)
        elif word == words.M_LINE:
            app.test.begin()
            ui.page_screen.show(ui.page, 0, True)
            ui.page_screen.tests = True
        elif word == words.M_ABOUT:
            app.about(ui.page)
            ui.page_screen.show(ui.page, 0)
        elif word == words.M_OFF:
            app.switch_off()
        elif word == words.G_CHAT:
            self._chat()
        elif word == words.G_PEEK:
            ui.battle.peek()
        elif word == words.G_FLEETS:
            ui.battle.fleets(ui.page)
            ui.page_screen.show(ui.page, 0)
        elif word == words.G_SURRENDER:
            ui.question.ask(words.Q_SURRENDER)
        elif word == words.G_LEAVE:
            if app.link.state:
                ui.question.ask(words.Q_LEAVE)
            else:
                app.leave()
        elif word == words.G_AGAIN:
            app.restart()
            ui.back()
        elif word == words.C_WRITE:
            ui.letters.write_chat()
        elif word >= words.C_1:
            self._phrase(word)
        elif word == words.G_BACK:
            ui.back()
        else:
            ui.back()
            ui.placing.choose(word)

    def _chat(self):
        ui = self.ui
        if self.app.link.chat == links.CHAT_YES:
            self.phrases()
            ui.touch()
        else:
            ui.say(words.C_NONE if self.app.link.chat == links.CHAT_NO else words.C_LATER)

    def _phrase(self, word):
        t = self.app.texts
        i = t.start(word)
        n = 0
        blob = t.blob
        while blob[i + n]:
            self.app.scratch[n] = blob[i + n]
            n += 1
        self.app.chat(n)
        self.ui.back()

    def left(self):
        if self.app.playing or self.word == words.A_TITLE:
            self.ui.back()


# What such a game may load.
_GAMES = (
    ("seabattle", "classic variants salvo salvo_gunner melee melee_gunner"),
    ("seaboard", "local local_words local_classic local_salvo local_melee"),
)


def _open_game(menu, word):
    """Load a game that needs no line, and show it."""
    menu.loaded = set(sys.modules)
    try:
        from .local import open_game

        open_game(menu.ui, word)
    except MemoryError:
        menu.ui.back()
        menu.ui.say(words.A_NO_MEMORY)


def _close_game(menu):
    """Give up everything that was loaded for a game."""
    before = menu.loaded
    menu.loaded = None
    app = menu.app
    menu.ui.screen = menu.ui.wait
    app.texts.extend(None, app.kept.language)
    for package, names in _GAMES:
        for name in names.split():
            full = package + "." + name
            if full in sys.modules and full not in before:
                del sys.modules[full]
                try:
                    delattr(sys.modules[package], name)
                except AttributeError:
                    pass
    gc.collect()


class Question(List):
    """Something that is asked twice; the answer that changes nothing comes first."""

    def ask(self, word):
        self.start(word)
        self.add(words.Q_NO)
        self.add(words.Q_YES)
        self.ui.show(self)

    def draw(self, i):
        # with two rows the heading has no room, and the question must be seen
        p = self.panel
        if p.rows > 2:
            super().draw(i)
            return
        p.row(i)
        if i == 0:
            p.word(self.word)
        else:
            for k in range(2):
                p.put(POINTER if k == self.at else 32)
                p.word(self.items[k])
                p.put(32)
        p.rest()

    def change(self, word, by):
        self.at = 1 - self.at

    def chosen(self, word):
        app = self.app
        if word == words.Q_YES:
            if self.word == words.Q_SURRENDER:
                app.surrender()
            else:
                app.leave()
        self.ui.back()


# The parameters of a game: lowest and highest, in the order of the protocol.
_LOWEST = b"\x06\x00\x00\x00\x01"
_HIGHEST = b"\x0a\x01\x02\x05\x0a"


class Parameters(List):
    """The master chooses the field and the fleet; whether it can be placed is seen at once."""

    def enter(self):
        super().enter()
        if self.word != words.P_TITLE:
            self.start(words.P_TITLE)
            self.add_all(words.P_SIZE, words.P_START)
        self.at = self.n - 1
        self.top = 0

    def value(self, word):
        p = self.panel
        offer = self.app.offer
        if word == words.P_START:
            if self._bad():
                p.row((p.pen - 1) // p.columns)
                p.put(POINTER if self.at == self.n - 1 else 32)
                p.word(words.P_NO_ROOM)
            return
        n = offer[word - words.P_SIZE]
        self.right(2)
        p.put(49 if n == 10 else 32)
        p.put(48 + n % 10)

    def _bad(self):
        o = self.app.offer
        return check(o[0], o[1], o[2], o[3], o[4]) != 0

    def changes(self, word):
        return word != words.P_START

    def change(self, word, by):
        if word == words.P_START:
            return
        i = word - words.P_SIZE
        offer = self.app.offer
        n = offer[i] + by
        if n > _HIGHEST[i]:
            n = _LOWEST[i]
        elif n < _LOWEST[i]:
            n = _HIGHEST[i]
        offer[i] = n

    def chosen(self, word):
        if word != words.P_START:
            self.change(word, 1)
        elif self._bad():
            self.app.sound(0)
        else:
            self.app.send_offer()

    def left(self):
        ui = self.ui
        ui.menu.session()
        ui.show(ui.menu)


class Settings(List):
    """What is kept in the board."""

    def enter(self):
        super().enter()
        self.start(words.S_TITLE)
        self.add_all(words.S_LANGUAGE, words.S_RESET)

    def value(self, word):
        p = self.panel
        kept = self.app.kept
        if word == words.S_NICK:
            n = kept.nick_size
            # where it is too long for the row, it goes over the end of its heading
            p.pen = min(p.pen, p.stop - n - 1)
            p.put(32)
            self.right(n)
            p.letters(kept.data, kept.nick_at, kept.nick_at + n)
            return
        value = self._word(word, kept)
        if value:
            t = self.app.texts
            i = t.start(value)
            n = 0
            while t.blob[i + n]:
                n += 1
            self.right(n)
            p.word(value)

    def _word(self, word, kept):
        if word == words.S_LANGUAGE:
            return words.V_LANGUAGE
        if word == words.S_LETTERS:
            return words.V_CP866 if kept.letters else words.V_ASCII
        if word == words.S_LEVEL:
            return words.V_RANDOM + kept.level - 1
        if word == words.S_TAGGED:
            return words.V_TAGGED if kept.tagged else words.V_RAW
        if word == words.S_SOUND:
            return words.V_ON if kept.sound else words.V_OFF
        return 0

    def changes(self, word):
        return word != words.S_NICK and word != words.S_RESET

    def change(self, word, by):
        app = self.app
        kept = app.kept
        if word == words.S_LANGUAGE:
            kept.language = 1 - kept.language
            app.texts.choose(kept.language)
        elif word == words.S_LETTERS:
            kept.letters = not kept.letters
        elif word == words.S_LEVEL:
            kept.level = (kept.level - 1 + by) % 4 + 1
        elif word == words.S_TAGGED:
            kept.tagged = not kept.tagged
        elif word == words.S_SOUND:
            kept.sound = not kept.sound
            app.sound(1)
        kept.changed = True

    def chosen(self, word):
        if word == words.S_NICK:
            self.ui.letters.write_nick()
        elif word == words.S_RESET:
            self.app.kept.reset()
            self.ui.say(words.CLEARED)
        else:
            self.change(word, 1)

    def left(self):
        self.app.settle()
        self.ui.back()


class Page(Screen):
    """A text over several lines, broken between words and scrolled; the last row says what leads on."""

    def __init__(self, ui):
        super().__init__(ui)
        self.note = None
        self.hint = 0
        self.titled = False  # the first line is a heading
        self.tests = False  # it is the line test's, and OK begins that again
        self.lines = [0] * (_LINES + 1)  # where each line begins
        self.n = 0
        self.top = 0
        self.since = 0

    def enter(self):
        super().enter()
        self.since = self.ui.now
        # what was said of the screen before would hide the hint
        self.ui.toast_off()

    @property
    def unread(self):
        """True while it has been there too short a time for a key to be meant for it, and not for what was before."""
        return (self.ui.now - self.since) & _CLOCK < _UNREAD_MS

    def show(self, note, hint, titled=False):
        """Show a Note; hint: a text for the last row, 0 for the one on how to go back; titled: the first line is a
        heading."""
        self.note = note
        self.hint = hint
        self.titled = titled
        self.tests = False
        self.top = self.n = 0
        self.ui.show(self)

    def slices(self):
        return _LINES

    def draw(self, i):
        p = self.panel
        note = self.note
        if i == 0:
            self.lines[0] = 0
            self.n = 0
            p.inverse = 1 if self.titled and not self.top and p.rows > 2 else 0
        rows = p.rows if p.rows <= 2 else p.rows - 1
        start = self.lines[i]
        more = start < note.size
        if more:
            # the last column is for the sign that there is more
            end = line_end(note.data, start, note.size, p.columns - 1)
            self.lines[i + 1] = next_line(note.data, end, note.size)
            self.n = i + 1
        else:
            end = start
            self.lines[i + 1] = start
        y = i - self.top
        if 0 <= y < rows:
            p.row(y)
            p.letters(note.data, start, end)
            p.rest()
            if y == rows - 1 and self.lines[i + 1] < note.size:
                p.text[p.pen - 1] = BELOW
        elif y == rows and rows < p.rows:
            p.row(y)
            self._hint()
        elif not more and y > p.rows:
            self.ui.left = 0

    def _hint(self):
        p = self.panel
        if self.toast(p.rows - 1):
            return
        p.word(self.hint or (words.H_BACK_ESC if self.app.keys.esc else words.H_BACK_HOLD))
        p.rest()

    def scroll(self, k):
        """UP and DOWN; False for other keys, and where there is nothing more that way."""
        rows = self.panel.rows - (1 if self.panel.rows > 2 else 0)
        if k == DOWN and self.top + rows < self.n:
            self.top += 1
        elif k == UP and self.top:
            self.top -= 1
        else:
            return False
        self.ui.touch()
        return True

    def key(self, k):
        if self.scroll(k):
            return
        if self.note is self.ui.page:
            if k == OK and self.tests:
                if not self.app.test.running:
                    self.top = 0
                    self.app.test.begin()
                    self.ui.touch()
            elif k == OK or k == BACK:
                self.app.test.stop()
                self.ui.back()
        elif (k == OK or k == BACK) and not self.unread:
            self.ui.acknowledged()

    def work(self):
        if self.note is self.ui.page:
            return self.app.test.work()
        return False


class Result(Page):
    """How a game has ended."""

    def enter(self):
        super().enter()
        self.note = self.ui.result
        self.hint = words.N_OK
        self.titled = True
        self.top = 0

    def key(self, k):
        if not self.scroll(k) and (k == OK or k == BACK) and not self.unread:
            self.ui.acknowledged()


class Wait(Screen):
    """What is awaited, from whom, and how to leave."""

    blinks = True

    def __init__(self, ui):
        super().__init__(ui)
        self.first = 0  # on two rows: the line that is shown in the first
        self.hinted = False  # and that the last line was reached
        self.since = 0

    def enter(self):
        super().enter()
        self.first = 0
        self.hinted = False
        self.since = self.ui.now

    def draw(self, i):
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
            self.put_line(self.app.awaited(), i - 1)
        elif not self.put_line(self.app.awaited(), self.first + i) and not (i and self.hinted):
            # behind the last line comes the hint
            self.hinted = True
            p.word(self.menu_hint())
        p.rest()

    def work(self):
        now = self.ui.now
        if self.panel.rows <= 2 and (now - self.since) & _CLOCK >= _PAGE_MS:
            self.since = now
            self.first = 0 if self.hinted else self.first + 2
            self.hinted = False
            self.ui.touch()
        return False

    def _head(self):
        """The opponent's nick, or the name of the game."""
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

    def key(self, k):
        if k == BACK or k == OK:
            ui = self.ui
            if not self.app.link.state or self.app.leaving:
                # nobody is there to say goodbye to, or to wait for
                if k == BACK:
                    self.app.leave()
                return
            ui.menu.session()
            ui.show(ui.menu)


# What UP and DOWN lead through, by language: the first and the last letter of each group.
_ORDER = (
    b"\x20\x20AZ09\x21\x2f\x3a\x40az\x80\x9f\xf0\xf0\xa0\xaf\xe0\xef\xf1\xf1",
    b"\x20\x20\x80\x9f\xf0\xf0AZ09\x21\x2f\x3a\x40\xa0\xaf\xe0\xef\xf1\xf1az",
)
_ORDER_SIZE = const(22)
_FIRST = const(2)


class Letters(Screen):
    """A nick or a chat text, letter by letter: UP and DOWN change the last letter, RIGHT adds one, LEFT takes it away.
    A keyboard types."""

    blinks = True
    holds = True

    def __init__(self, ui):
        super().__init__(ui)
        self.data = bytearray(_CHAT_MOST)
        self.n = 0
        self.most = 0
        self.since = 0
        self.second = False  # on two rows: the second half of the hint is shown

    def enter(self):
        super().enter()
        self.since = self.ui.now

    def work(self):
        now = self.ui.now
        if self.panel.rows <= 2 and (now - self.since) & _CLOCK >= _PAGE_MS:
            self.since = now
            self.second = not self.second
            self.ui.touch()
        return False

    def write_chat(self):
        self.most = _CHAT_MOST
        self.n = 0
        self.ui.show(self)

    def write_nick(self):
        kept = self.app.kept
        self.most = wire.NICK_MAX
        self.n = kept.nick_size
        for i in range(self.n):
            self.data[i] = kept.data[kept.nick_at + i]
        self.ui.show(self)

    def draw(self, i):
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

    def _two(self, second):
        """A half of what the keys do."""
        p = self.panel
        if second:
            self._keys(LESS, 0, words.K_ERASE)
            p.put(32)
            self._ok()
        else:
            self._keys(ABOVE, BELOW, words.K_LETTER)
            p.put(32)
            self._keys(POINTER, 0, words.K_NEXT)

    def _keys(self, one, other, word):
        """What a key or two do."""
        p = self.panel
        p.put(one)
        if other:
            p.put(other)
        p.put(32)
        p.word(word)

    def _ok(self):
        p = self.panel
        p.word(words.K_OK)
        p.put(32)
        p.word(words.K_DONE)

    def key(self, k):
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
            self.data[n] = k if k >= TYPED else _ORDER[self.app.kept.language][_FIRST]
            self.n = n + 1
        elif k == UP or k == DOWN:
            if not n:
                self.n = n = 1
                self.data[0] = 32
            self.data[n - 1] = _neighbour(_ORDER[self.app.kept.language], self.data[n - 1], 1 if k == DOWN else -1)
        self.ui.touch()

    def _done(self, good):
        ui = self.ui
        self.ui.screen = ui.wait
        n = self.n
        while n and self.data[n - 1] == 32:
            n -= 1
        if self.most == wire.NICK_MAX:
            if good and n:
                self.app.kept.set_nick(self.data, n)
            ui.show(ui.settings)
            return
        if good and n:
            for i in range(n):
                self.app.scratch[i] = self.data[i]
            self.app.chat(n)
        ui.state()


def _neighbour(order, c, by):
    """The letter behind (by 1) or before (-1) another in _ORDER."""
    for i in range(0, _ORDER_SIZE, 2):
        if order[i] <= c <= order[i + 1]:
            if c == order[i + 1] and by > 0:
                return order[(i + 2) % _ORDER_SIZE]
            if c == order[i] and by < 0:
                return order[(i - 1) % _ORDER_SIZE]
            return c + by
    return 32
