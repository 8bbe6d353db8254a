"""Placing the ships.

OK puts the shown ship at the cursor; pressed again it turns it, then picks it up. On another ship OK picks that one up.
When all are placed, OK on water confirms.
"""

from seabattle import field as fields
from seabattle.const import TYPE_CHECKING, const

from . import words
from .field_screen import FieldScreen
from .keys import BACK, OK
from .panel import BAD, CURSOR, DECK, ENTER, GHOST, MINE, PLACING

if TYPE_CHECKING:
    from .ui import Ui


# Kinds of _job.
_NOTHING = const(0)
_FILL = const(1)
_REPEAT = const(2)  # restore the last placement, a ship per slice
_KEEP = const(3)  # save this one, a length per slice

_TURN_KEY = const(32)  # the space bar


class Placing(FieldScreen):
    """The screen for placing."""

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.vertical = False
        self.length = 0  # decks of the next ship to place, 0 when all are placed
        self.fresh = 0  # 1: OK has just placed a ship here, 2: and turned it, 3: all were placed at once
        self.job = _NOTHING
        self.step_of = 0
        self.fits = True

    def begin(self) -> None:
        """Start with a new field."""
        self.x = self.y = 0
        self.vertical = False
        self.fresh = 0
        self.job = _NOTHING
        self.length = 0
        self._next()
        if self.panel.rows <= 4:
            # no room to show this permanently
            self.ui.show_message(self.menu_hint())

    def enter(self) -> None:
        self.panel.layout(PLACING, self.size)
        self.panel.look_at(MINE, self.y)
        self._judge()

    def slices(self) -> int:
        return self.size + self.panel.box_h

    # Drawing

    def draw(self, i: int) -> None:
        n = self.size
        if i < n:
            if i == 0 and self.panel.look_at(MINE, self.y):
                self.ui.touch()
                return
            shown = self.panel.fields[MINE]
            for x in range(n):
                shown[i * n + x] = self._look(x, i)
            self.panel.field_row(MINE, i)
            return
        i -= n
        h = self.panel.box_h
        if self.toast_line(i, h - 3 if h > 4 else 1 if h > 2 else 0):
            return
        p = self.panel
        p.row(i)
        if h < 3:
            # the ship to place, or the number along the wall, takes two of five rows; then what OK does
            if i:
                p.word(self._hint())
            elif self.length and self.ui.blink:
                self._ship(False)
            else:
                self._wall()
        elif i == 0:
            self._ship(p.box_w > 6)
        elif i == 1:
            p.put(ENTER)
            p.put(32)
            p.word(self._hint())
        elif i == 2:
            self._wall()
        elif i == 3:
            self.put_cell(self.cell)
        elif h > 4 and i >= h - 2:
            self.put_line(self.menu_hint(), i - h + 2)
        p.rest()

    def _ship(self, drawn: int) -> None:
        """Write the ship to place, and how many of its kind are left."""
        p = self.panel
        if not self.length:
            p.word(words.E_DONE)
            return
        if drawn:
            for _ in range(self.length):
                p.put(DECK)
        else:
            p.number(self.length)
        p.put(120)
        p.number(self.app.player.field.left(self.length))

    def _wall(self) -> None:
        p = self.panel
        player = self.app.player
        if p.box_w < 7:
            p.put(124)
        else:
            p.word(words.E_WALL)
            if p.box_w > 8:
                p.put(32)
        p.number(player.field.along_wall)
        p.put(47)
        p.number(player.fleet.wall_max)

    def _hint(self) -> int:
        """Return the text for what OK does here."""
        if self.app.player.field.ship[self.cell] and self.fresh != 3:
            return words.E_TURN if self.fresh == 1 else words.E_LIFT
        return words.E_PLACE if self.length else words.E_START

    def _look(self, x: int, y: int) -> int:
        n = self.size
        cell = y * n + x
        look = self.my_look(cell)
        if self.length and not self.fresh and not self.app.player.field.ship[self.cell]:
            along = y - self.y if self.vertical else x - self.x
            across = x - self.x if self.vertical else y - self.y
            if across == 0 and 0 <= along < self.length:
                look = GHOST if self.fits else BAD
                if not self.ui.blink:
                    look = self.my_look(cell)
                return look
        if x == self.x and y == self.y and self.ui.blink:
            look |= CURSOR
        return look

    # Keys

    def key(self, k: int) -> None:
        ui = self.ui
        if self.job:
            return
        ui.toast_off()
        if k == BACK:
            ui.menu.session()
            ui.show(ui.menu)
            return
        if k == OK:
            self._ok()
        elif k == _TURN_KEY:
            self.vertical = not self.vertical
        elif self.move(k):
            self.fresh = 0
        self._judge()
        ui.touch()

    def choose(self, word: int) -> None:
        """Carry out an item of the menu."""
        field = self.app.player.field
        if word == words.G_READY:
            self._ready()
        elif word == words.G_LAST:
            if self.app.storage.same_fleet(self.app.player.fleet):
                field.clear()
                self._start(_REPEAT)
            else:
                self.ui.show_message(words.E_NO_LAST)
        else:
            if word != words.G_FILL:
                field.clear()
            if word != words.G_CLEAR:
                field.fill_start(self.app.player.rng)
                self._start(_FILL)
        self.fresh = 0
        self.length = 0
        self._next()
        self.ui.touch()

    def _ok(self) -> None:
        field = self.app.player.field
        cell = self.cell
        if field.ship[cell] and self.fresh != 3:
            if self.fresh == 1 and self._turn():
                return
            self.vertical = self._is_vertical(cell)
            self.length = field.remove(cell)
            self.fresh = 0
        elif not self.length:
            self._ready()
        else:
            code = field.place(self.x, self.y, self.length, self.vertical)
            if code:
                self.ui.show_message(words.E_OUT + code - fields.OUT)
                if self.length > 1 and field.can_place(self.x, self.y, self.length, not self.vertical) == fields.OK:
                    self.vertical = not self.vertical
            else:
                self.fresh = 1 if self.length > 1 else 2
                self._next()

    def _turn(self) -> bool:
        """Turn the ship whose head is under the cursor; return False if it has no room that way."""
        field = self.app.player.field
        vertical = self._is_vertical(self.cell)
        length = field.remove(self.cell)
        self.fresh = 2
        if field.place(self.x, self.y, length, not vertical):
            field.place(self.x, self.y, length, vertical)
            self.fresh = 0
            return False
        self.vertical = not vertical
        return True

    def _is_vertical(self, cell: int) -> bool:
        ship = self.app.player.field.ship
        n = self.size
        s = ship[cell]
        return cell >= n and ship[cell - n] == s or cell + n < n * n and ship[cell + n] == s

    def _next(self) -> None:
        """Choose the next ship to place: of the same length while one is left, else the longest."""
        field = self.app.player.field
        if self.length and field.left(self.length) > 0:
            return
        self.length = 0
        for decks in range(1, 5):
            if field.left(decks) > 0:
                self.length = decks

    def _judge(self) -> None:
        """Check whether the ship may be placed at the cursor."""
        self.fits = (
            not self.length or self.app.player.field.can_place(self.x, self.y, self.length, self.vertical) == fields.OK
        )

    def _ready(self) -> None:
        if self.app.player.field.complete():
            self._start(_KEEP)
        else:
            self.ui.show_message(words.E_NOT_YET)

    # Longer work, in slices

    def _start(self, job: int) -> None:
        self.job = job
        self.step_of = 0
        if job == _KEEP:
            self.app.storage.keep_fleet(self.app.player.fleet)

    def work(self) -> bool:
        job = self.job
        if not job:
            return False
        field = self.app.player.field
        if job == _FILL:
            done = field.fill_step()
            if done < 0:
                return True
            if not done:
                self.ui.show_message(words.E_NO_WAY)
        elif job == _REPEAT:
            if self.app.storage.place(field, self.step_of):
                self.step_of += 1
                return True
        elif self.app.storage.keep(field, self.step_of):
            self.step_of += 1
            return True
        self.job = _NOTHING
        if job == _KEEP:
            self.app.ready()
            return False
        self.length = 0
        self._next()
        self.fresh = 0 if self.length else 3
        self._judge()
        self.ui.touch()
        return False
