"""The battle screen: both fields, the cursor on the opponent's, whose turn it is, and the last event."""

from seabattle.const import TYPE_CHECKING, const
from seabattle.link import DONE

from . import words
from .field_screen import RADAR_LOOKS, FieldScreen
from .keys import BACK, OK
from .keys import LEFT as LEFT_KEY
from .keys import RIGHT as RIGHT_KEY
from .panel import BATTLE, CURSOR, HOURGLASS, ITS, LEFT, MINE, RIGHT
from .text_buffer import line_end, next_line

if TYPE_CHECKING:
    from .text_buffer import TextBuffer
    from .ui import Ui


_SHOWN_MS = const(1500)  # how long the field just shot at stays in view, with its cell marked
_CLOCK = const(0x1FFFFFFF)
_NEVER = const(255)


class Battle(FieldScreen):
    """The battle screen."""

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.last = _NEVER  # the side last shot at: MINE, ITS
        self.since = 0
        self.fresh = False  # that was a moment ago
        self.peeking = False  # the player is looking at the field normally hidden
        self.side = ITS

    def begin(self) -> None:
        """Start a new game."""
        self.last = _NEVER
        self.fresh = self.peeking = False
        self.side = ITS
        self.middle()
        self.ui.show_message(self.menu_hint())

    def enter(self) -> None:
        self.panel.layout(BATTLE, self.size)
        self._view()

    def slices(self) -> int:
        # the strip is drawn in one slice
        return 2 * self.size + (self.panel.box_h if self.panel.strip is None else 2)

    def shot(self, mine: bool) -> None:
        """Show an answered shot, mine or the opponent's."""
        player = self.app.player
        self.last = ITS if mine else MINE
        self.since = self.ui.now
        self.fresh = True
        self.peeking = False
        self.app.sound(min(2, player.my_result if mine else player.its_result))
        if self.ui.screen is self:
            self._view()
            self.ui.touch()

    def peek(self) -> None:
        """Show my field until a key or a shot."""
        self.peeking = True
        self.ui.show(self)

    def _view(self) -> None:
        """Select the field that matters now."""
        panel = self.panel
        if self.peeking or self.fresh and self.last == MINE:
            self.side = MINE
            player = self.app.player
            y = self.y if self.peeking else player.its_last // self.size
        else:
            self.side = ITS
            y = self.y
        if panel.look_at(self.side, y):
            self.ui.touch()

    # Drawing

    def draw(self, i: int) -> None:
        n = self.size
        panel = self.panel
        if i < 2 * n:
            side = i // n
            y = i % n
            shown = panel.fields[side]
            for x in range(n):
                shown[y * n + x] = self._look(side, x, y)
            panel.field_row(side, y)
            return
        i -= 2 * n
        if panel.strip is None:
            self._box(i)
        elif i:
            self._below()
        else:
            self._strip()

    def _look(self, side: int, x: int, y: int) -> int:
        player = self.app.player
        cell = y * self.size + x
        blink = self.ui.blink
        if side == MINE:
            look = self.my_look(cell)
            if self.last == MINE and self.fresh and cell == player.its_last and blink:
                look |= CURSOR
            elif self.peeking and self.app.link.state == 4 and x == self.x and y == self.y and blink:
                look |= CURSOR
            return look
        look = RADAR_LOOKS[player.radar.cell[cell]]
        if x == self.x and y == self.y and blink and self._aiming():
            look |= CURSOR
        return look

    def _aiming(self) -> bool:
        """Whether a cursor is useful now."""
        return self.app.link.state == 4 and not self.app.auto

    def _turn(self) -> int:
        """Return the sign for whose turn it is."""
        link = self.app.link
        if link.state != 4:
            return 32
        return RIGHT if link.my_turn else LEFT

    def _result(self) -> int:
        """Return the word for the last shot's result, 0 before the first."""
        if self.last == _NEVER:
            return 0
        player = self.app.player
        return words.B_MISS + (player.my_result if self.last == ITS else player.its_result)

    def _box(self, i: int) -> None:
        p = self.panel
        h = p.box_h
        w = p.box_w
        if self.toast_line(i, 1 if h > 1 else 0):
            return
        p.row(i)
        word = self._result()
        if h == 1:
            self._turn_and_cell()
            p.back_from_end(w - 4)
            if word:
                p.word(word)
            p.back_from_end(5)
            self._fleets_at_end()
        elif h == 2:
            if i:
                self.put_fleets(p)
            elif self.fresh and word:
                p.word(word)
            else:
                self._turn_and_cell()
        elif i == 0:
            if self.side == MINE:
                p.word(words.G_PEEK)
            elif self.app.link.state == 4:
                p.word(words.B_MINE if self.app.link.my_turn else words.B_ITS)
        elif i == 1:
            if self._aiming():
                self._turn_and_cell()
        elif i == 2:
            if word:
                self._last_shot(word)
        elif i == 3:
            self.put_fleets(p)
        p.rest()

    def _turn_and_cell(self) -> None:
        p = self.panel
        p.put(self._turn())
        if self._aiming():
            self.put_cell(self.cell)

    def _fleets_at_end(self) -> None:
        p = self.panel
        n = 3 + (self.ships(MINE) > 9) + (self.ships(ITS) > 9)
        p.back_from_end(n)
        self.put_fleets(p)

    def _last_shot(self, word: int) -> None:
        """Write whose shot hit which cell, and its result."""
        p = self.panel
        player = self.app.player
        p.put(RIGHT if self.last == ITS else LEFT)
        self.put_cell(player.my_last if self.last == ITS else player.its_last)
        if p.pen + 6 <= p.stop:
            p.put(32)
        p.word(word)

    def _strip(self) -> None:
        """Draw the strip between the fields: turn, ships left by length, cell under the cursor, hourglass."""
        strip = self.panel.strip
        player = self.app.player
        link = self.app.link
        strip[0] = self._turn()
        for decks in range(1, 5):
            strip[9 - 2 * decks] = player.field.afloat(decks)
            strip[10 - 2 * decks] = player.radar.afloat(decks)
        aiming = self._aiming()
        strip[9] = self.letter(self.x) if aiming else 32
        strip[10] = self.y + 1 if aiming else 0
        strip[11] = HOURGLASS if link.state == 4 and not link.mine else 32

    def _below(self) -> None:
        """Draw the last event below the fields.

        It covers a large field's last row only briefly, and only with news about the other field.
        """
        p = self.panel
        if self.ui.toasting and self.ui.toast == self.menu_hint():
            self._below_all(self.ui.toast)
            return
        large = self.size * p.pitch > 56
        word = self._result()
        shows_word = self.ui.toasting or word and (self.fresh or not large)
        for half in range(2):
            p.pen = (p.rows - 1) * p.columns + 11 * half
            p.stop = p.pen + 10
            if shows_word and half == (1 - self.last if large else self.last) % 2:
                if self.ui.toasting:
                    p.word(self.ui.toast)
                else:
                    self._last_shot(word)
                p.rest()
            else:
                p.rest(0 if large else 32)

    def _below_all(self, word: int) -> None:
        """Write a text below both fields, broken where the right one begins."""
        p = self.panel
        t = self.app.texts
        start = t.start(word)
        end = start
        while t.blob[end]:
            end += 1
        middle = line_end(t.blob, start, end, 10)
        for half in range(2):
            p.pen = (p.rows - 1) * p.columns + 11 * half
            p.stop = p.pen + 10
            if half:
                p.letters(t.blob, next_line(t.blob, middle, end), end)
            else:
                p.letters(t.blob, start, middle)
            p.rest()

    def fleets(self, text: "TextBuffer") -> None:
        """Write the ships left to a TextBuffer."""
        player = self.app.player
        text.clear()
        for decks in range(4, 0, -1):
            if player.fleet.count[decks]:
                text.ships(decks, player.field.afloat(decks), player.radar.afloat(decks))

    # Keys and time

    def key(self, k: int) -> None:
        ui = self.ui
        ui.toast_off()
        if k == BACK:
            ui.menu.session()
            ui.show(ui.menu)
            return
        if self.app.link.state != 4:
            if k != LEFT_KEY and k != RIGHT_KEY or self.panel.both:
                ui.back()
                return
            self.peeking = not self.peeking
        elif self.peeking:
            self.peeking = False
        elif k == OK:
            self._shoot()
        else:
            self.move(k)
        if self.fresh and self.last == MINE:
            # show the player the field to aim at
            self.fresh = False
        self._view()
        ui.touch()

    def _shoot(self) -> None:
        app = self.app
        if not app.link.mine:
            self.ui.show_message(words.B_NOT_NOW)
        elif not app.player.radar.can_shoot(self.cell):
            self.ui.show_message(words.B_KNOWN)
        elif app.shoot(self.cell) != DONE:
            self.ui.show_message(words.B_NOT_NOW)

    def work(self) -> bool:
        if self.fresh and (self.ui.now - self.since) & _CLOCK >= _SHOWN_MS:
            self.fresh = False
            self._view()
            self.ui.touch()
        return False
