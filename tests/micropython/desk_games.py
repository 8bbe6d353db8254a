"""Whole games against the board, on its screens and with its keys, for MicroPython: PANEL as argument.

From the first question to the page at the end nothing is allocated, not even for drawing; afterwards what was
loaded for a game is freed.
"""

import gc
import sys

import micropython
from seaboard import keys, words
from seaboard.app import App
from seaboard.lcd import Lcd
from seaboard.pixels import Pcd8544, Pixels, Ssd1306

SLICES = 400000


class Desk:
    """A board without a line, whose display accepts everything and whose clock advances at every reading."""

    name = b"desk"
    seed = 5
    language = 1
    store = None
    esc = False

    def __init__(self, panel):
        self.sent = 0
        if panel == "128x64":
            self.panel = Pixels(Ssd1306(self))
        elif panel == "84x48":
            self.panel = Pixels(Pcd8544(self))
        else:
            columns, rows = panel.split("x")
            self.panel = Lcd(self, int(columns), int(rows))
        self.uart = self.keys = self
        self.now = 0
        self.pressed = 0
        self.app = App(self, self.seed)

    def send(self, _value, _data):
        self.sent += 1

    def command(self, _buffer):
        self.sent += 1

    data = command

    def any(self):
        return 0

    def readinto(self, _buffer, _most=0):
        return None

    def ticks(self):
        return 0

    def ms(self):
        self.now += 20
        return self.now

    def get(self, _ms):
        key = self.pressed
        self.pressed = 0
        return key

    def beep(self, _kind):
        pass

    def turn(self, key=0):
        if key:
            self.pressed = key
            self.app.step()
        self.app.step()

    def settle(self):
        for _ in range(300):
            self.app.step()


def choose(desk, word):
    menu = desk.app.ui.screen
    for _ in range(20):
        if menu.items[menu.at] == word:
            break
        desk.turn(keys.DOWN)
    desk.turn(keys.OK)


def open_game(desk, word):
    """Go from the main menu to the question whether to keep the fleet."""
    choose(desk, words.M_ALONE)
    choose(desk, word)
    if word == words.A_CLASSIC:
        choose(desk, words.P_START)
    return desk.app.ui.screen


def wanted(game, word):
    """Return the next cell that the player shoots or aims at; -1 if there is none."""
    inner = game.game
    n = game.size * game.size
    for i in range(n):
        # consecutive cells are not adjacent
        cell = i * 37 % n
        if word == words.A_CLASSIC:
            if not inner.may_shoot(0, cell):
                return cell
        elif word == words.A_SALVO:
            if not inner.may_aim(0, cell):
                return cell
        elif inner.may_shoot(0, cell):
            return cell
    return -1


def play(desk, game, word):
    """Play up to the page at the end; return whether it appeared."""
    ui = desk.app.ui
    moved = 0
    for _ in range(SLICES):
        screen = ui.screen
        if game.stage == 3:
            return screen is game.pages
        key = 0
        if screen is game.pages:
            key = keys.OK
        elif screen is game.ask:
            key = keys.OK if screen.at else keys.DOWN
        elif game.stage == 1:
            # a ship is lifted, turned and put down again; then the fleet stays
            if game.hand:
                key = keys.OK if game.fits else keys.BACK
            elif word == words.A_MELEE or moved > 3:
                while game.movable():
                    game.x = (game.x + 1) % game.size
                key = keys.OK
            else:
                if game.movable():
                    moved += 1
                    key = keys.OK
                else:
                    key = keys.RIGHT if game.x < game.size - 1 else keys.DOWN
                    if key == keys.DOWN:
                        game.x = 0
        elif game.stage == 2 and not game.computer():
            cell = wanted(game, word)
            if cell >= 0:
                game.x = cell % game.size
                game.y = cell // game.size
                game.side = 1
                key = keys.OK
            elif word == words.A_SALVO:
                # fewer cells are left than guns
                game.item(0)
        desk.turn(key)
    return False


def main():
    desk = Desk(sys.argv[1])
    ui = desk.app.ui
    desk.settle()
    collects = len(sys.argv) > 2
    for word in (words.A_CLASSIC, words.A_SALVO, words.A_MELEE):
        before = len(sys.modules)
        gc.collect()
        held = gc.mem_alloc()
        game = open_game(desk, word)
        micropython.heap_lock()
        done = play(desk, game, word)
        micropython.heap_unlock()
        print(word - words.A_LINE, "ended" if done else "did not end")
        while ui.screen is game.pages:
            desk.turn(keys.OK)
        desk.settle()
        desk.turn(keys.BACK)
        choose(desk, words.G_LEAVE)
        game = None
        desk.settle()
        if len(sys.modules) != before or ui.menu.loaded is not None:
            print("modules are left over")
        gc.collect()
        # attribute names stay for good
        if collects and gc.mem_alloc() - held > 8192:
            print("memory is left over:", gc.mem_alloc() - held)


main()
