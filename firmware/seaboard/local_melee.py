"""Melee: the human player, A, against two computers, B and C, on one field of 15x15."""

from seabattle.const import TYPE_CHECKING
from seabattle.melee import (
    NOBODY,
    OPEN_CELL,
    OWN,
    OWN_SHIP,
    PLAYERS,
    SIZE,
    UNKNOWN,
    WOUND,
    WRECK,
    Melee,
)
from seabattle.melee_gunner import BUSY, MeleeGunner

from . import local_words, words
from .local import CHOOSING, ITS, OVER, PLAYING, Battlefield
from .panel import HIT, SHIP, SUNK, WATER
from .panel import MISS as MISSED

if TYPE_CHECKING:
    from .local import LocalMenu
    from .screens import Screen
    from .text_buffer import TextBuffer
    from .ui import Ui


# By code of Melee.seen(): UNKNOWN, OWN, WATER, WOUND, WRECK.
_LOOKS = bytes((WATER, SHIP, MISSED, HIT, SUNK))
_A = 65


def first(ui: "Ui") -> "Screen":
    """Return the game's first screen."""
    return Game(ui)


class Game(Battlefield):
    """The human is player 0."""

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui, SIZE)
        self.game = Melee(self.rng)
        self.gunners = (None, MeleeGunner(self.game, 1, self.rng), MeleeGunner(self.game, 2, self.rng))
        self.again()

    def again(self) -> None:
        self.game.start(True)
        self.side = ITS
        self.thinking = False

    def prepare(self) -> None:
        if self.game.place_step():
            self.stage = CHOOSING
            self.ui.touch()

    def computer(self) -> bool:
        return self.stage == PLAYING and self.game.turn != 0

    def think(self) -> None:
        gunner = self.gunners[self.game.turn]
        if not self.thinking:
            self.thinking = True
            gunner.aim_start()
            return
        cell = gunner.aim_step()
        if cell != BUSY:
            self.thinking = False
            self._shot(cell)

    def ok(self) -> None:
        game = self.game
        cell = self.cell
        if game.seen(0, cell) == OWN:
            self.ui.show_message(local_words.L_OWN)
        elif game.mark[cell]:
            self.ui.show_message(words.B_KNOWN)
        else:
            self._shot(cell)

    def _shot(self, cell: int) -> None:
        game = self.game
        result = game.shoot(game.turn, cell)
        if result == OPEN_CELL or result == OWN_SHIP:
            return
        self.app.sound(min(2, result))
        self.mark(cell, ITS)
        if game.winner() != NOBODY:
            self._over()
        elif game.out != NOBODY:
            text = self.ui.page
            text.clear()
            self._out(text)
            self.pages.open(False)

    def _out(self, text: "TextBuffer") -> None:
        text.put(_A + self.game.out)
        text.space()
        text.word(local_words.L_OUT)

    def give_up(self) -> None:
        text = self.finish(False)
        text.word(words.O_GAVE_UP)
        self.pages.open()

    def _over(self) -> None:
        game = self.game
        text = self.finish(game.winner() == 0)
        for place in range(1, PLAYERS + 1):
            for player in range(PLAYERS):
                if game.place[player] == place:
                    text.number(place)
                    text.space()
                    text.put(_A + player)
                    text.line()
        text.word(words.O_SHOTS, game.shots)
        self.pages.open()

    # Drawing

    def look(self, cell: int) -> int:
        game = self.game
        seen = game.seen(0, cell)
        if self.stage == OVER and seen == UNKNOWN and game.ship[cell]:
            return SHIP
        return _LOOKS[seen]

    def _ships(self, player: int) -> int:
        n = 0
        for decks in range(1, 5):
            n += self.game.afloat(player, decks)
        return n

    def _owner(self) -> None:
        """Write whose deck is under the cursor, if known."""
        game = self.game
        seen = game.seen(0, self.cell)
        if seen == OWN or seen == WOUND or seen == WRECK:
            self.panel.put(_A + game.owner_seen(0, self.cell))

    def line(self, i: int, h: int) -> None:
        p = self.panel
        game = self.game
        if i == 0:
            if h == 2 and self.fresh:
                p.put(_A + game.last_player)
                p.put(58)
                self.put_cell(game.last)
                return
            if self.stage == PLAYING:
                p.put(_A + game.turn)
                p.put(58)
                self.put_cell(self.cell)
                if h > 2:
                    p.put(32)
                    self._owner()
        elif h == 2:
            if self.fresh:
                p.word(words.B_MISS + min(2, game.last_result))
                return
            # ten as X, as between two fields
            for player in range(PLAYERS):
                n = self._ships(player)
                if player:
                    p.put(58)
                p.put(88 if n > 9 else 48 + n)
        elif i == 1:
            self._last(p.box_w > 9)
        elif i == 2:
            if game.last >= 0 and p.box_w <= 9:
                p.word(words.B_MISS + min(2, game.last_result))
        elif h < 3 + PLAYERS:
            for player in range(PLAYERS if i == 3 else 0):
                p.put(_A + player)
                p.number(self._ships(player))
        elif i < 3 + PLAYERS:
            player = i - 3
            p.put(_A + player)
            p.put(32)
            p.number(self._ships(player))

    def _last(self, whole: bool) -> None:
        """Write who shot where, and the result."""
        p = self.panel
        game = self.game
        if game.last < 0:
            if whole:
                p.word(local_words.L_YOU)
            return
        p.put(_A + game.last_player)
        p.put(58)
        self.put_cell(game.last)
        if whole:
            p.put(32)
            p.word(words.B_MISS + min(2, game.last_result))

    def items(self, menu: "LocalMenu") -> None:
        """Add nothing to the common items."""

    def item(self, word: int) -> None:
        """Return to the game."""
