"""Salvo against the computer.

OK aims a gun at a cell, or withdraws it; when all are aimed, the game asks whether to fire.
"""

from seabattle.const import TYPE_CHECKING
from seabattle.salvo import (
    DIRECTIONS,
    DRAW,
    FIRED_AT,
    FIRING,
    LENGTHS,
    NONE,
    NOT_NOW,
    OFF_FIELD,
    OK,
    ROUNDS_MAX,
    SHIPS,
    SIZE,
    TOO_MANY,
    WON_BY_0,
    Salvo,
    step_x,
    step_y,
)
from seabattle.salvo import OVER as GAME_OVER
from seabattle.salvo_gunner import BUSY, SalvoGunner

from . import local_words, words
from .local import CHOOSING, ITS, MINE, OVER, PLAYING, Battlefield
from .panel import GHOST, HIT, SHIP, SUNK, WATER
from .panel import LEFT as TO_ME
from .panel import MISS as MISSED
from .panel import RIGHT as TO_IT

if TYPE_CHECKING:
    from .local import LocalMenu
    from .screens import Screen
    from .ui import Ui


def first(ui: "Ui") -> "Screen":
    """Return the game's first screen."""
    return Game(ui)


class Game(Battlefield):
    """The human is player 0, the computer player 1."""

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui, SIZE)
        self.game = Salvo(self.rng)
        self.view = self.game.views[0]
        self.gunner = SalvoGunner(self.game.views[1], self.rng)
        self.ship = self.way = 0  # the ship in hand
        self.again()

    def again(self) -> None:
        self.game.start()
        self.side = MINE
        self.thinking = False

    def prepare(self) -> None:
        if self.game.fill_step(0):
            self.stage = CHOOSING
            self.ui.touch()

    def movable(self) -> bool:
        return self.view.own[self.cell] != NONE

    def lift(self) -> bool:
        game = self.game
        ship = self.view.own[self.cell]
        if ship == NONE:
            return False
        self.ship = ship
        # put the cursor on its first cell
        self.x = game.at[0][ship] % SIZE
        self.y = game.at[0][ship] // SIZE
        self.way = game.way[0][ship]
        game.remove(0, ship)
        return True

    def turn(self) -> None:
        self.way = (self.way + 1) % DIRECTIONS

    def put(self, try_only: bool) -> int:
        game = self.game
        if try_only:
            why = game.may_place(0, self.ship, self.x, self.y, self.way)
        else:
            why = game.place(0, self.ship, self.x, self.y, self.way)
        return words.E_OUT if why == OFF_FIELD else words.E_TOUCH if why else 0

    def over(self, cell: int) -> bool:
        x = self.x
        y = self.y
        for _ in range(LENGTHS[self.ship]):
            if 0 <= x < SIZE and cell == y * SIZE + x:
                return True
            x += step_x(self.way)
            y += step_y(self.way)
        return False

    def begin(self) -> None:
        self.game.fill(1)

    def computer(self) -> bool:
        # it aims after the human has fired
        return self.stage == PLAYING and self.game.fired[0] == 1

    def think(self) -> None:
        if not self.thinking:
            self.thinking = True
            self.gunner.aim_start()
            return
        n = self.gunner.aim_step()
        if n == BUSY:
            return
        self.thinking = False
        number = self.view.round
        self.game.fire_at(1, self.gunner.cells, n)
        self._report(number)

    def ok(self) -> None:
        game = self.game
        if game.in_salvo(0, self.cell):
            game.unaim(0, self.cell)
            return
        why = game.aim(0, self.cell)
        if why == FIRED_AT:
            self.ui.show_message(local_words.L_FIRED_AT)
        elif why == TOO_MANY:
            self.ask.ask(local_words.L_ASK_FIRE)
        elif why == OK and game.aimed[0] == self.view.guns():
            self.ask.ask(local_words.L_ASK_FIRE)

    def item(self, word: int) -> None:
        if self.game.fire(0) == NOT_NOW:
            self.ui.show_message(local_words.L_AIM_FIRST)
        self.ui.touch()

    def items(self, menu: "LocalMenu") -> None:
        if self.stage == PLAYING:
            menu.add(local_words.L_FIRE)
        menu.add(words.G_PEEK)
        menu.add(local_words.L_ITS_FIELD)

    def give_up(self) -> None:
        self.game.withdraw(0)
        text = self.finish(False)
        text.word(words.O_GAVE_UP)
        self.pages.open()

    def _report(self, number: int) -> None:
        """Write a page with the results of the round, and of the game at its end."""
        game = self.game
        over = game.stage == GAME_OVER
        if over:
            outcome = game.outcome
            text = self.finish(None if outcome == DRAW else outcome == WON_BY_0)
            text.word(
                local_words.L_BOTH_SUNK
                if outcome == DRAW
                else words.O_ALL_ITS
                if outcome == WON_BY_0
                else words.O_ALL_MINE
            )
            text.line()
            text.word(local_words.L_ROUND, number)
        else:
            text = self.ui.page
            text.only(local_words.L_ROUND, number)
            self.app.sound(1 if game.hits_in[0][number - 1] else 0)
        text.line()
        for player in range(2):
            text.word(local_words.L_ITS_HITS if player else local_words.L_MY_HITS)
            n = 0
            for ship in range(SHIPS):
                hits = game.views[player].hits[ship * ROUNDS_MAX + number - 1]
                if not hits:
                    continue
                text.put(44 if n else 32)
                if n:
                    text.space()
                n += 1
                text.word(local_words.L_CARRIER + ship)
                if hits > 1:
                    text.space()
                    text.put(120)
                    text.number(hits)
                if game.views[player].sunk_in[ship] == number:
                    text.space()
                    text.word(words.B_SUNK)
            if not n:
                text.space()
                text.word(local_words.L_NOTHING)
            text.line()
        self.pages.open()

    # Drawing

    def look(self, cell: int) -> int:
        view = self.view
        if self.side == ITS and self.stage >= PLAYING:
            if view.fired[cell]:
                return MISSED
            if self.game.in_salvo(0, cell):
                return GHOST
            if self.stage == OVER and self.game.views[1].own[cell] != NONE:
                return SHIP
            return WATER
        ship = view.own[cell]
        if ship == NONE:
            return MISSED if view.received[cell] else WATER
        if view.received[cell]:
            return SUNK if view.own_sunk_in[ship] else HIT
        return SHIP

    def _fleet(self, mine: bool) -> None:
        """Write the hits on each ship, an x for a sunk one."""
        p = self.panel
        view = self.view
        for ship in range(SHIPS):
            if ship and p.box_w > 9:
                p.put(32)
            if view.own_sunk_in[ship] if mine else view.sunk_in[ship]:
                p.put(120)
            else:
                p.put(48 + (view.own_hits[ship] if mine else view.hits_on(ship)))

    def _guns(self) -> None:
        """Write how many guns are aimed, and how many there are."""
        p = self.panel
        p.number(self.game.aimed[0])
        p.put(47)
        p.number(self.view.guns())

    def line(self, i: int, h: int) -> None:
        p = self.panel
        playing = self.stage == PLAYING and self.view.stage == FIRING
        if i == 0:
            if p.box_w > 9:
                self.put_side()
                p.put(32)
            self.put_turn()
            if h == 4 and playing:
                p.put(32)
                self._guns()
        elif h == 2:
            if playing:
                self._guns()
        elif i == 1:
            if h == 4:
                self.put_side()
                p.put(32)
                p.put(82 if not self.app.storage.language else 144)
                p.number(self.view.round)
            elif playing:
                p.put(82 if not self.app.storage.language else 144)
                p.number(self.view.round)
                p.put(32)
                self._guns()
        elif i == 4:
            if p.box_w <= 8:
                self.put_side()
        elif i == 2 or i == 3:
            if h > 4 and i == 2:
                for ship in range(SHIPS):
                    if ship and p.box_w > 9:
                        p.put(32)
                    p.number(LENGTHS[ship])
            elif h > 4:
                self._fleet(self.side == MINE)
            else:
                p.put(TO_ME if i == 3 else TO_IT)
                p.put(32)
                self._fleet(i == 3)
