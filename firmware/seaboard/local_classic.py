"""The classic game and its variants against the computer."""

import gc

from seabattle.classic import OVER as GAME_OVER
from seabattle.classic import Classic  # noqa: F401  (Variants stands on it)
from seabattle.const import TYPE_CHECKING, const
from seabattle.field import OUT
from seabattle.variants import BUSY, DONE, LENGTH, SHAPES, Rules, VariantGunner, Variants, deck_x, deck_y

from . import local_words, words
from .field_screen import RADAR_LOOKS, own_look
from .local import CHOOSING, ITS, MINE, OVER, PLAYING, Battlefield
from .panel import HIT, SHIP, SUNK
from .panel import LEFT as TO_ME
from .panel import RIGHT as TO_IT
from .screens import POINTER, List

if TYPE_CHECKING:
    from .local import LocalMenu
    from .screens import Screen
    from .ui import Ui


_SIZE_MOST = const(15)
_LONGEST = const(5)

# Field, ships of 5, 4, 3, 2, 1 decks, corners, bent: minimum and maximum.
_LOWEST = b"\x06\x00\x00\x00\x00\x00\x00\x00"
_HIGHEST = b"\x0f\x03\x05\x09\x0c\x0f\x01\x01"
_USUAL = b"\x0a\x00\x01\x02\x03\x04\x00\x00"


def first(ui: "Ui") -> "Screen":
    """Return the game's first screen."""
    return Choice(ui)


class Choice(List):
    """The settings of a variant: field, fleet and shapes; shows at once whether the fleet has room."""

    holds = True

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.values = bytearray(_USUAL)
        self.rules = Rules()
        self.apply()
        self.start(local_words.L_VARIANTS)
        for word in (words.P_SIZE, local_words.L_FIVE, words.P_FOUR, words.P_THREE, words.P_TWO, words.P_ONE):
            self.add(word)
        self.add(local_words.L_CORNERS)
        self.add(local_words.L_BENT)
        self.add(words.P_START)
        self.at = self.n - 1

    def apply(self) -> bool:
        """Set the chosen rules; return whether the fleet may have room."""
        v = self.values
        return self.rules.custom(v[0], v[0], v[1], v[2], v[3], v[4], v[5], v[6] > 0, v[7] > 0) == 0

    def _index(self, word: int) -> int:
        for i in range(self.n):
            if self.items[i] == word:
                return i
        return 0

    def value(self, word: int) -> None:
        p = self.panel
        if word == words.P_START:
            if not self.apply():
                p.row((p.pen - 1) // p.columns)
                p.put(POINTER if self.at == self.n - 1 else 32)
                p.word(words.P_NO_ROOM)
            return
        n = self.values[self._index(word)]
        if word == local_words.L_CORNERS:
            self._named(local_words.L_MEET if n else local_words.L_APART)
        elif word == local_words.L_BENT:
            self._named(words.V_ON if n else words.V_OFF)
        else:
            self.right(2)
            p.put(49 if n > 9 else 32)
            p.put(48 + n % 10)

    def _named(self, word: int) -> None:
        t = self.app.texts
        i = t.start(word)
        n = 0
        while t.blob[i + n]:
            n += 1
        self.right(n)
        self.panel.word(word)

    def changes(self, word: int) -> bool:
        return word != words.P_START

    def change(self, word: int, by: int) -> None:
        if word == words.P_START:
            return
        i = self._index(word)
        n = self.values[i] + by
        if n > _HIGHEST[i]:
            n = _LOWEST[i]
        elif n < _LOWEST[i]:
            n = _HIGHEST[i]
        self.values[i] = n

    def chosen(self, word: int) -> None:
        if word != words.P_START:
            self.change(word, 1)
        elif self.apply():
            self.ui.show(Game(self.ui, self.rules))
        else:
            self.app.sound(0)


class Game(Battlefield):
    """The human is player 0, the computer player 1."""

    def __init__(self, ui: "Ui", rules: "Rules") -> None:
        super().__init__(ui, rules.width)
        gc.collect()  # the largest field needs all free memory
        cells = max(rules.width * rules.width, 100)
        self.game = Variants(self.rng, cells)
        self.game.fleet = self.rules = rules
        self.gunner = VariantGunner(self.game.radars[1], self.rng, cells)
        self.placing = 0
        self.shape = 0  # of the ship in hand
        self.again()

    def again(self) -> None:
        self.game.start()
        self.side = MINE
        self.placing = 0
        self.game.fields[0].fill_start(self.rng)

    def prepare(self) -> None:
        field = self.game.fields[self.placing]
        done = field.fill_step()
        if done == BUSY:
            return
        if done != DONE:
            # some fleets pass the check but cannot be placed
            text = self.ui.page
            text.only(words.E_NO_WAY)
            self.end()
            self.pages.open(False)
            return
        if self.placing:
            self.stage = CHOOSING
            self.ui.touch()
            return
        self.placing = 1
        self.game.fields[1].fill_start(self.rng)

    def movable(self) -> bool:
        return self.game.fields[0].ship[self.cell] != 0

    def lift(self) -> bool:
        field = self.game.fields[0]
        number = field.ship[self.cell]
        if not number:
            return False
        deck = self.cell
        n = self.cells
        # put the cursor on the corner of its bounding box
        self.x = self.y = n
        for cell in range(n * n):
            if field.ship[cell] == number:
                self.x = min(self.x, cell % n)
                self.y = min(self.y, cell // n)
        self.shape = field.shape[number]  # type: ignore[attr-defined]  # a VariantField, as is the next
        field.remove(deck)
        return True

    def turn(self) -> None:
        shape = self.shape
        while True:
            shape = (shape + 1) % SHAPES
            if LENGTH[shape] == LENGTH[self.shape] and self.rules.allows(shape):
                break
        self.shape = shape

    def put(self, try_only: bool) -> int:
        game = self.game
        if try_only:
            why = game.fields[0].can_place(self.shape, self.x, self.y)  # type: ignore[call-arg]
        else:
            why = game.put(0, self.shape, self.x, self.y)
        return words.E_OUT + why - OUT if why else 0

    def over(self, cell: int) -> bool:
        n = self.cells
        shape = self.shape
        for i in range(LENGTH[shape]):
            if cell == (self.y + deck_y(shape, i)) * n + self.x + deck_x(shape, i):
                return self.x + deck_x(shape, i) < n
        return False

    def begin(self) -> None:
        self.game.ready(0)
        self.game.ready(1)
        self.thinking = False

    def computer(self) -> bool:
        return self.stage == PLAYING and self.game.turn == 1

    def think(self) -> None:
        if not self.thinking:
            self.thinking = True
            self.gunner.aim_start()
            return
        cell = self.gunner.aim_step()
        if cell != BUSY:
            self.thinking = False
            self._shot(1, cell)

    def _shot(self, player: int, cell: int) -> None:
        game = self.game
        result = game.shoot(player, cell)
        self.app.sound(min(2, result))
        self.mark(cell, MINE if player else ITS)
        if game.stage == GAME_OVER:
            self._over(words.O_ALL_MINE if player else words.O_ALL_ITS)

    def ok(self) -> None:
        if self.game.may_shoot(0, self.cell):
            self.ui.show_message(words.B_KNOWN)
        else:
            self._shot(0, self.cell)

    def give_up(self) -> None:
        self.game.surrender(0)
        self._over(words.O_GAVE_UP)

    def _over(self, how: int) -> None:
        text = self.finish(self.game.winner == 0)
        text.word(how)
        text.line()
        text.word(words.O_SHOTS, self.game.shots[0])
        self.pages.open()

    def seen(self) -> None:
        # the other side's next shot will be at mine again
        self.side = MINE if self.computer() and self.game.last_player == 1 else ITS

    # Drawing

    def look(self, cell: int) -> int:
        game = self.game
        if self.side == ITS and self.stage >= PLAYING:
            look = RADAR_LOOKS[game.radars[0].cell[cell]]
            if self.stage == OVER and game.fields[1].ship[cell] and look != HIT and look != SUNK:
                return SHIP
            return look
        return own_look(game.fields[0], cell)

    def ships(self, side: int) -> int:
        game = self.game
        board = game.radars[0] if side else game.fields[0]
        n = 0
        for decks in range(1, _LONGEST + 1):
            n += board.afloat(decks)
        return n

    def _result(self) -> None:
        """Write the result of the last shot."""
        self.panel.word(words.B_MISS + min(self.game.last_result, 2))

    def _last_shot(self) -> None:
        p = self.panel
        game = self.game
        p.put(TO_IT if game.last_player == 0 else TO_ME)
        self.put_cell(game.last)

    def line(self, i: int, h: int) -> None:
        p = self.panel
        if h == 2:
            if i:
                self.put_fleets(p)
            elif self.fresh:
                self._result()
            else:
                self.put_turn()
            return
        if i == 0:
            if p.box_w > 8:
                self.put_side()
                p.put(32)
            self.put_turn()
        elif i == 1:
            if self.game.last >= 0:
                self._last_shot()
                if p.box_w > 8:
                    p.put(32)
                    self._result()
        elif i == 2 and p.box_w <= 8:
            if self.game.last >= 0:
                self._result()
        elif i == 3:
            self.put_fleets(p)
        elif i == 4 and p.box_w <= 8:
            self.put_side()

    def items(self, menu: "LocalMenu") -> None:
        menu.add(words.G_PEEK)
        menu.add(local_words.L_ITS_FIELD)
        menu.add(words.G_FLEETS)

    def item(self, word: int) -> None:
        if word == words.G_FLEETS:
            text = self.ui.page
            text.clear()
            game = self.game
            for decks in range(_LONGEST, 0, -1):
                if game.fleet.count[decks]:
                    text.ships(decks, game.fields[0].afloat(decks), game.radars[0].afloat(decks))
            self.pages.open(False)
