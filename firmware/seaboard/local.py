"""Common parts of the games that need no line: a field in a window, a menu, a question, pages.

This module and those of the games are loaded when such a game is chosen and unloaded afterwards, so that the game over
the line has the memory to itself. Nothing is allocated during a game.
"""

import gc

from seabattle.const import TYPE_CHECKING, const
from seabattle.rng import Rng

from . import local_words, words
from .field_screen import FieldScreen
from .keys import BACK, OK
from .menus import Question
from .panel import BAD, CURSOR, ENTER, GHOST, ITS, MINE, PLACING
from .panel import LEFT as TO_ME
from .panel import RIGHT as TO_IT
from .screens import List, Page

if TYPE_CHECKING:
    from .text_buffer import TextBuffer
    from .ui import Ui


_WINDOW = const(10)  # the most cells per side in view
_SHOWN_MS = const(1400)  # how long a shot stays marked and the next computer waits
_CLOCK = const(0x1FFFFFFF)

# Stages.
PREPARING = const(0)  # a fleet is being placed
CHOOSING = const(1)  # the player may move ships until they are accepted
PLAYING = const(2)
OVER = const(3)

_COLUMNS = b"ABCDEFGHIJKLMNO"
_COLUMNS_RU = b"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x8a\x8b\x8c\x8d\x8e\x8f"


class Battlefield(FieldScreen):
    """A square field of up to 15 cells per side, with a cursor, in a window that follows it. Each game is a subclass.

    side: MINE or ITS, whose field is in view. last: the cell last shot at, -1 before the first.
    """

    holds = True

    def __init__(self, ui: "Ui", size: int) -> None:
        super().__init__(ui)
        self.rng = Rng((ui.now * 7919 + ui.app.board.ms()) & 0x3FFFFFFF)
        self.cells = size  # per side
        self.window = min(size, _WINDOW)
        self.left = self.top = 0  # the corner of the window
        self.side = ITS
        self.stage = PREPARING
        self.last = -1
        self.fresh = False
        self.since = 0
        self.typed = 0  # the row typed in figures
        self.hand = False  # a ship was picked up and moves with the cursor
        self.fits = True  # it may be put down here
        self.thinking = False  # a computer is choosing a cell
        self.rest = False  # the last slice was a computer's
        self.menu = LocalMenu(ui, self)
        self.ask = Ask(ui, self)
        self.pages = LocalPage(ui, self)

    @property
    def size(self) -> int:
        return self.cells

    def enter(self) -> None:
        self.panel.layout(PLACING, self.window)
        self._follow()

    def slices(self) -> int:
        return self.window + self.panel.box_h

    # Time

    def mark(self, cell: int, side: int) -> None:
        """Show a cell of a field for a moment after a shot at it."""
        self.last = cell
        self.side = side
        self.fresh = True
        self.since = self.ui.now
        self._follow()
        self.ui.touch()

    def work(self) -> bool:
        if self.stage == PREPARING:
            self.rest = not self.rest
            if self.rest:
                self.prepare()
            return self.rest
        if self.fresh:
            if (self.ui.now - self.since) & _CLOCK < _SHOWN_MS:
                return False
            self.fresh = False
            self.seen()
            self._follow()
            self.ui.touch()
        if self.stage != PLAYING or not self.computer():
            return False
        # the display gets a slice after each of the computer's
        self.rest = not self.rest
        if self.rest:
            self.think()
        return self.rest

    def seen(self) -> None:
        """End the display of a shot."""
        self.side = ITS

    # Implemented by each game

    def prepare(self) -> None:
        """Do a slice of placing at random; sets the stage to CHOOSING at the end."""

    def again(self) -> None:
        """Start placing again."""

    def begin(self) -> None:
        """Accept the placement and begin the battle."""

    def lift(self) -> bool:
        """Pick up the ship under the cursor; return False if there is none to move."""
        return False

    def movable(self) -> bool:
        """Return whether there is one."""
        return False

    def turn(self) -> None:
        """Turn the ship in hand."""

    def put(self, try_only: bool) -> int:
        """Put the ship in hand down; return 0, or the text for why not."""
        return 0

    def over(self, cell: int) -> bool:
        """Return whether the ship in hand covers a cell."""
        return False

    def computer(self) -> bool:
        """Return whether it is a computer's turn."""
        return False

    def think(self) -> None:
        """Do a slice of a computer's turn."""

    def look(self, cell: int) -> int:
        """Return the look of a cell of the field in view."""
        return 0

    def ok(self) -> None:
        """Handle OK on the cursor's cell."""

    def line(self, i: int, h: int) -> None:
        """Write the row `i` of the `h` rows beside the field."""

    if TYPE_CHECKING:

        def item(self, word: int) -> None:
            """OK on one of them."""

    def items(self, menu: "LocalMenu") -> None:
        """Add this game's items to the menu."""

    def give_up(self) -> None:
        """Surrender."""

    # Drawing

    def _follow(self) -> None:
        """Scroll the window to the cell that matters."""
        n = self.cells
        cell = self.last if self.fresh else self.cell
        x = cell % n
        y = cell // n
        w = self.window
        left = min(max(self.left, x - w + 1), x)
        top = min(max(self.top, y - w + 1), y)
        moved = left != self.left or top != self.top
        self.left = left
        self.top = top
        if self.panel.look_at(self.side, y - top) or moved:
            self.ui.touch()

    def draw(self, i: int) -> None:
        w = self.window
        panel = self.panel
        if i < w:
            # a graphic panel shows one field in this layout
            side = MINE if panel.both else self.side
            shown = panel.fields[side]
            cell = (self.top + i) * self.cells + self.left
            blink = self.ui.blink
            at = i * w
            for _ in range(w):
                look = self.look(cell)
                if self.hand and blink and self.over(cell):
                    look = GHOST if self.fits else BAD
                elif (
                    blink
                    and not self.hand
                    and self.stage != PREPARING
                    and cell == (self.last if self.fresh else self.cell)
                ):
                    look |= CURSOR
                shown[at] = look
                at += 1
                cell += 1
            panel.field_row(side, i)
            return
        i -= w
        h = panel.box_h
        if self.toast_line(i, h - 3 if h > 4 else 1 if h > 2 else 0):
            return
        panel.row(i)
        if self.stage == PREPARING:
            if i == 0:
                self.put_line(local_words.L_PLACING, 0)
        elif self.stage == CHOOSING:
            self._choices(i, h)
        elif h > 6 and i >= h - 2:
            self.put_line(self.menu_hint(), i - h + 2)
        else:
            self.line(i, h)
        panel.rest()

    def _choices(self, i: int, h: int) -> None:
        """Write what OK does here, the cursor's cell, and how to turn a ship or reach the menu."""
        p = self.panel
        if i == 0:
            if p.box_w > 6:
                p.put(ENTER)
                p.put(32)
            p.word(words.E_PLACE if self.hand else words.E_LIFT if self.movable() else words.E_START)
        elif i == 1:
            self.put_cell(self.cell)
        elif h > 4 and i >= h - 3:
            self.put_line(self._turn_hint() if self.hand else self.menu_hint(), i - h + 3)

    def _turn_hint(self) -> int:
        return local_words.L_TURN_ESC if self.app.keys.esc else local_words.L_TURN_HOLD

    def letter(self, x: int) -> int:
        return (_COLUMNS_RU if self.app.storage.language else _COLUMNS)[x]

    def put_side(self) -> None:
        """Write whose field is in view."""
        self.panel.word(local_words.L_MINE if self.side == MINE else local_words.L_ITS)

    def put_turn(self) -> None:
        """Write the sign for whose turn it is, and the cursor's cell."""
        p = self.panel
        if self.stage == PLAYING:
            p.put(TO_ME if self.computer() else TO_IT)
            self.put_cell(self.cell)

    # Keys

    def _typed(self, k: int) -> bool:
        n = self.cells
        if 48 <= k < 58:
            row = self.typed * 10 + k - 48
            if not 1 <= row <= n:
                row = k - 48
            self.typed = row if row * 10 <= n else 0
            if 1 <= row <= n:
                self.y = row - 1
            return True
        self.typed = 0
        if 97 <= k < 123 or 160 <= k < 176:
            k -= 32
        for x in range(n):
            if _COLUMNS[x] == k or _COLUMNS_RU[x] == k:
                self.x = x
                return True
        return False

    def key(self, k: int) -> None:
        ui = self.ui
        ui.toast_off()
        if self.stage == PREPARING:
            if k == BACK:
                ui.back()
            return
        if k == BACK and not self.hand or k == OK and self.stage == OVER:
            self.menu.open()
            return
        if self.stage == CHOOSING:
            self._arrange(k)
            k = 0
        elif k == OK:
            if self.computer():
                ui.show_message(words.B_NOT_NOW)
            elif self.side == MINE:
                # never shoot at a field that is not in view
                self._aimed()
                self.side = ITS
                k = 0
            else:
                self._aimed()
        else:
            self._aimed()
            self.move(k)
            k = 0
        if k == OK and self.stage == PLAYING and self.side == ITS:
            self.ok()
        self._follow()
        ui.touch()

    def _arrange(self, k: int) -> None:
        """Handle a key while ships may be moved."""
        ui = self.ui
        if k == BACK:
            self.turn()
        elif k != OK:
            self.move(k)
        elif self.hand:
            why = self.put(False)
            self.hand = why != 0
            if why:
                ui.show_message(why)
        elif self.lift():
            self.hand = True
            ui.show_message(self._turn_hint())
        else:
            self.stage = PLAYING
            self.side = ITS
            self.x = self.y = (self.cells - 1) // 2
            self.begin()
            ui.show_message(self.menu_hint())
        if self.hand:
            self.fits = not self.put(True)

    def _aimed(self) -> None:
        """End the display of the last shot early: the player wants to see where to aim."""
        if self.fresh and not self.computer():
            self.fresh = False
            self.seen()

    def peek(self, side: int) -> None:
        """Look at one side's field."""
        self.fresh = False
        self.side = side
        self.ui.show(self)

    def end(self) -> None:
        """End the game; the page reports the result."""
        self.stage = OVER
        self.fresh = False
        self.ui.toast_off()

    def finish(self, won: bool) -> "TextBuffer":
        """Begin the final page with who has won: True, False, or None for nobody."""
        self.end()
        text = self.ui.page
        text.only(words.O_NONE if won is None else words.O_WON if won else words.O_LOST)
        text.line()
        self.app.sound(2 if won else 3)
        return text


class LocalMenu(List):
    """The menu during such a game."""

    holds = True

    def __init__(self, ui: "Ui", game: "Battlefield") -> None:
        super().__init__(ui)
        self.game = game

    def open(self) -> None:
        """Show it, with the items possible now."""
        self.start(words.G_TITLE)
        game = self.game
        over = game.stage == OVER
        self.add(local_words.L_NEW if over else words.G_BACK)
        if game.stage == CHOOSING:
            self.add(words.G_RANDOM)
        if game.stage == PLAYING or over:
            game.items(self)
            if not over:
                self.add(words.G_SURRENDER)
        self.add(words.G_LEAVE)
        self.ui.show(self)

    def chosen(self, word: int) -> None:
        game = self.game
        ui = self.ui
        if word == words.G_LEAVE:
            if game.stage == PLAYING:
                game.ask.ask(words.Q_LEAVE)
            else:
                ui.back()
        elif word == words.G_SURRENDER:
            game.ask.ask(words.Q_SURRENDER)
        elif word == words.G_PEEK:
            game.peek(MINE)
        elif word == local_words.L_ITS_FIELD:
            game.peek(ITS)
        elif word == local_words.L_NEW or word == words.G_RANDOM:
            game.stage = PREPARING
            game.last = -1
            game.fresh = False
            game.side = MINE
            game.again()
            ui.show(game)
        else:
            ui.show(game)
            game.item(word)

    def change(self, word: int, by: int) -> None:
        """Do nothing: no item has a value."""

    def left(self) -> None:
        self.ui.show(self.game)


class Ask(Question):
    """A question in such a game; both answers return to it, except the one to leave."""

    holds = True

    def __init__(self, ui: "Ui", game: "Battlefield") -> None:
        super().__init__(ui)
        self.game = game

    def chosen(self, word: int) -> None:
        game = self.game
        ui = self.ui
        if word == words.Q_NO or self.word != words.Q_LEAVE:
            ui.show(game)
        if word == words.Q_YES:
            if self.word == words.Q_LEAVE:
                ui.back()
            elif self.word == words.Q_SURRENDER:
                game.give_up()
            else:
                game.item(self.word)

    def left(self) -> None:
        self.ui.show(self.game)


class LocalPage(Page):
    """A page in such a game: any key that leaves it returns to the game."""

    holds = True

    def __init__(self, ui: "Ui", game: "Battlefield") -> None:
        super().__init__(ui)
        self.game = game

    def open(self, titled: bool = True) -> None:
        """Show the interface's page."""
        self.show(self.ui.page, words.N_OK, titled)

    def key(self, k: int) -> None:
        if not self.scroll(k) and (k == OK or k == BACK) and not self.unread:
            self.ui.show(self.game)

    def work(self) -> bool:
        return False


def open_game(ui: "Ui", word: int) -> None:
    """Load the game of a menu item and show it."""
    gc.collect()
    ui.app.texts.extend(True, ui.app.storage.language)
    if word == words.A_CLASSIC:
        from .local_classic import first
    elif word == words.A_SALVO:
        from .local_salvo import first
    else:
        from .local_melee import first
    gc.collect()
    ui.show(first(ui))
