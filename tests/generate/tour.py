"""A walk through every screen of the firmware in simulated time, on CPython or MicroPython; arguments: PANEL LANGUAGE.

The bytes on the panel's bus go to standard output as in boards/unix/board.py; in between, `P` with the name of a
picture, which is of what the display shows then.
"""

import sys

from seaboard import fault, keys, words
from seaboard.app import App
from seaboard.lcd import Lcd
from seaboard.pixels import Pcd8544, Pixels, Ssd1306

from seabattle import link as links
from seabattle import wire
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng

OUT_MOST = 1024  # bytes that the firmware sends in one turn at most
LONG = 20000  # milliseconds after which a wait is given up
KEYS = {"down": keys.DOWN, "left": keys.LEFT, "ok": keys.OK, "back": keys.BACK}
SHOTS = 26  # own shots before the battle is shown half-way


class Tour:
    """A board with a player at the other end of its line; also the board object that the firmware uses."""

    name = b"pico"
    seed = 7
    esc = False

    def __init__(self, panel, language):
        self.language = language
        self.out = sys.stdout.buffer
        if panel == "128x64":
            self.panel = Pixels(Ssd1306(self))
        elif panel == "84x48":
            self.panel = Pixels(Pcd8544(self))
        else:
            columns, rows = panel.split("x")
            self.panel = Lcd(self, int(columns), int(rows))
        self.store = None
        self.uart = self.keys = self
        self.now = 0
        self.incoming = bytearray()
        self.outgoing = bytearray(OUT_MOST)  # created early: it is written to with the heap locked
        self.sent = 0
        self.keys_down = []
        self.link = self.player = None  # of the other end
        self.deaf = False
        self.looking = None  # the name of a picture to take once everything is drawn, in a fault
        self.heard = 0
        self.app = App(self, self.seed)

    # What the firmware calls.

    def send(self, value, data):
        self.out.write(bytes((73, 2, value, data)))

    def command(self, buffer):
        self.out.write(bytes((67, len(buffer))) + buffer)

    def data(self, buffer):
        self.out.write(bytes((68, len(buffer))) + buffer)

    def any(self):
        return len(self.incoming)

    def readinto(self, buffer):
        n = min(len(self.incoming), len(buffer))
        for i in range(n):
            buffer[i] = self.incoming[i]
        self.incoming = self.incoming[n:]
        return n

    def write(self, buffer):
        for byte in buffer:
            self.outgoing[self.sent] = byte
            self.sent += 1
        return len(buffer)

    def ticks(self):
        return self.now * 1000 // 54925

    def ms(self):
        return self.now

    def get(self, _ms):
        return self.keys_down.pop(0) if self.keys_down else 0

    def idle(self):
        """Called by the fault screen once all is drawn."""
        self.taken(self.looking)
        self.keys_down.append(keys.OK)

    def beep(self, kind):
        pass

    def event(self, code):
        pass

    def notify(self, what):
        pass

    # Time.

    def turn(self):
        """Run one millisecond."""
        self.now += 1
        while self.app.step() and not self.app.link.reader.within:
            if self.sent:
                break
        if self.link is None:
            return
        sent, self.sent = self.outgoing[: self.sent], 0
        if not self.deaf:
            for byte in sent:
                self.link.rx(byte)
                self.poll()
            while self.heard < self.ticks():
                self.heard += 1
                self.link.tick()
                self.poll()
            byte = self.link.tx()
            while byte >= 0:
                self.incoming.append(byte)
                byte = self.link.tx()

    def poll(self):
        while self.player.poll():
            pass

    def turn_until(self, what):
        end = self.now + LONG
        while not what():
            self.turn()
            if self.now > end:
                raise RuntimeError("it did not happen")

    def wait(self, ms):
        for _ in range(ms):
            self.turn()

    def press(self, *codes):
        for code in codes:
            while self.unread():
                self.turn()
            self.keys_down.append(code)
            self.wait(3)

    def unread(self):
        """Whether the screen has only just appeared."""
        try:
            return self.app.ui.screen.unread
        except AttributeError:
            return False

    def choose(self, word):
        """Move a menu's pointer to an item, and press OK."""
        menu = self.app.ui.screen
        for _ in range(menu.n):
            if menu.items[menu.at] == word:
                break
            self.press(keys.DOWN)
        else:
            raise RuntimeError("no such item")
        self.press(keys.OK)

    def to_the_last(self):
        """Move a menu's pointer to its last item."""
        menu = self.app.ui.screen
        while menu.at < menu.n - 1:
            self.press(keys.DOWN)

    def do(self, *scripts):
        """Run items of menus to choose, and scripts: keys by their names, `end` for the last item of a menu, `#name`
        for a picture and `##name` for all pages of a text; `_` stands for a space.
        """
        for script in scripts:
            for word in script.split() if isinstance(script, str) else ():
                if word[:2] == "##":
                    self.pages(word[2:].replace("_", " "))
                elif word[0] == "#":
                    self.picture(word[1:].replace("_", " "))
                elif word == "end":
                    self.to_the_last()
                else:
                    self.press(KEYS[word])
            if not isinstance(script, str):
                self.choose(script)

    def picture(self, name):
        """Take a picture of this name once everything is drawn and blinking parts are visible."""
        ui = self.app.ui
        ui.show_cursor()
        ui.touch()
        while self.app.step():
            pass
        self.taken(name)

    def pages(self, name):
        """Take a picture, and more of them while a text goes on in further lines."""
        self.wait(600)
        self.picture(name)
        page = self.app.ui.screen
        rows = self.panel.rows - (1 if self.panel.rows > 2 else 0)
        more = 0
        while page.top + rows < page.n and more < 3:
            for _ in range(rows):
                self.press(keys.DOWN)
            more += 1
            self.picture(f"{name}, {more + 1}")

    def taken(self, name):
        name = name.encode()
        self.out.write(bytes((80, len(name))) + name)

    def home(self):
        """Leave a screen that waits for a peer, to the main menu."""
        while self.app.playing:
            self.press(keys.BACK)
            for _ in range(400):
                if not self.app.playing:
                    break
                self.turn()

    # The other end.

    def join(self, role):
        rng = Rng(11)
        self.link = Link(role, rng)
        self.link.nick(b"Anna", 4)
        self.player = Player(self.link, rng)
        self.gunner = Gunner(self.player.radar, rng, 3)
        self.deaf = False
        self.heard = self.ticks()

    def unasked(self, *data):
        """Send bytes from the other end, whose own program is silent from now on."""
        self.deaf = True
        self.incoming.extend(bytes(data))

    def state(self, n):
        self.turn_until(lambda: self.app.link.state == n and (self.link is None or self.link.state == n))


def alone(t):
    """Screens that need no peer."""
    t.wait(5)
    t.do(
        "#start end #start,_its_end down",
        words.M_SETTINGS,
        "#settings end #settings_end",
        words.S_NICK,
        "#a_nick back back",
    )
    for word, pages in ((words.M_STATS, "##statistics back"), (words.M_ABOUT, "##about back")):
        # the same random numbers whatever went before
        while t.now % 10000:
            t.turn()
        t.do(word, pages)
    t.do(words.M_LINE, "#line_test")
    t.turn_until(lambda: not t.app.test.running)
    t.do("##no_echo back", words.M_AUTO, "#listening")
    t.turn_until(lambda: t.app.link.role == wire.MASTER)
    t.do("#calling back", words.M_SLAVE, "#waiting back")


def others(t):
    """The games that need no line."""
    t.do(words.M_ALONE, "#alone", words.A_CLASSIC, "#variants")
    choice = t.app.ui.screen
    choice.values[:] = b"\x0f\x01\x02\x03\x04\x05\x00\x01"
    choice.at = 0
    t.picture("variants: size")
    choice.at = choice.n - 2
    t.picture("variants: bent")
    choice.at = choice.n - 1
    t.do("ok")
    game = stays(t)
    t.wait(2000)
    cells = [cell for cell in range(225) if game.game.fields[1].ship[cell]]
    water = [cell for cell in range(225) if not game.game.fields[1].ship[cell]]
    for shots in range(15):
        my_turn(t, game)
        free = [cell for cell in (cells if shots % 3 != 2 else water) if not game.game.may_shoot(0, cell)]
        aimed(t, game, free[0 if shots % 3 != 2 else 7 * shots % len(free)])
        if shots == 1:
            t.picture("variants: hit")
    t.turn_until(lambda: game.fresh and game.side == 0)
    t.picture("variants: its")
    my_turn(t, game)
    t.do("#variants:_turn back #variants:_menu", words.G_SURRENDER, "down ok ##variants:_end")
    gone(t, game)

    t.do(words.M_ALONE, words.A_SALVO)
    game = stays(t, "salvo: fleet")
    t.wait(2000)
    for number in range(6):
        my_turn(t, game)
        cells = [cell for cell in range(100) if game.game.views[1].own[cell] < 5 and not game.view.fired[cell]]
        for i in range(game.view.guns()):
            free = [cell for cell in range(100) if not game.game.may_aim(0, cell)]
            aimed(t, game, cells[i * 3 % len(cells)] if i < 2 else free[(i * 29 + number * 13) % len(free)])
            if i == 3 and number == 2:
                t.picture("salvo: aiming")
        if t.app.ui.screen is not game.ask:
            game.item(0)
        else:
            t.do("down ok" if number else "#salvo:_fire? down ok")
        t.turn_until(lambda: t.app.ui.screen is game.pages)
        t.do("##salvo:_round ok" if number == 1 else "ok")
    t.do("#salvo back", words.G_PEEK, "#salvo:_mine back")
    gone(t, game)

    t.do(words.M_ALONE, words.A_MELEE)
    game = stays(t, "melee: fleet")
    t.wait(2000)
    named = ["melee: A", "melee: B", "melee: C"]
    shots = 0
    while shots < 12:
        if named and game.fresh and game.game.last_player < 3:
            name = "melee: " + chr(65 + game.game.last_player)
            if name in named:
                named.remove(name)
                t.picture(name)
        if not game.computer() and not game.fresh:
            shots += 1
            cells = [cell for cell in range(225) if game.game.ship[cell] > 10 and not game.game.mark[cell]]
            water = [cell for cell in range(225) if not game.game.ship[cell] and not game.game.mark[cell]]
            aimed(t, game, (cells if shots % 3 else water)[shots * 5 % 17])
        t.turn()
    my_turn(t, game)
    t.picture("melee")
    aimed(t, game, next(cell for cell in range(225) if 0 < game.game.ship[cell] <= 10))
    t.do("#melee:_refused back")
    gone(t, game)


def my_turn(t, game):
    """Wait until the computers have shot, and their shots have been shown."""
    t.turn_until(lambda: not game.computer() and not game.fresh)


def stays(t, name="variants: fleet"):
    """Keep the placed fleet; return the game's screen."""
    game = t.app.ui.screen
    t.turn_until(lambda: game.stage == 1)
    t.wait(5)
    t.picture(name)
    if name[0] != "m":
        # a ship of more than one deck, at a forbidden place
        aimed(t, game, next(cell for cell in range(225) if game.look(cell) and game.look(cell + 1)))
        t.picture("moved: lifted")
        t.wait(2000)
        t.do("back #moved:_turned back")
        while not game.fits:
            t.press(keys.BACK)
        t.press(keys.OK)
    aimed(t, game, next(cell for cell in range(225) if not game.look(cell)))
    return game


def aimed(t, game, cell):
    """Move the cursor to a cell and press OK."""
    game.x = cell % game.size
    game.y = cell // game.size
    if game.stage == 2:
        game.side = 1
    t.press(keys.OK)


def gone(t, game):
    """Go from a game's menu, or from its end, to the main menu."""
    if t.app.ui.screen is game.pages:
        t.press(keys.OK, keys.OK)
    t.do(words.G_LEAVE, "down ok" if game.stage == 2 else "")
    t.wait(5)


def beginning(t):
    """From the start to the battle."""
    t.choose(words.M_MASTER)
    t.join(wire.SLAVE)
    t.state(1)
    t.wait(5)
    t.picture("parameters")
    offer = bytes(t.app.offer)
    t.app.offer[:] = b"\x06\x01\x02\x05\x0a"
    t.picture("no room")
    t.app.offer[:] = offer
    t.press(keys.OK)
    t.state(2)
    t.wait(2000)
    t.do("#placing ok #placed down ok #refused")
    t.wait(2000)
    t.do("#not_there back #menu,_placing end #menu,_its_end", words.G_RANDOM)
    t.turn_until(lambda: t.app.player.field.complete())
    t.wait(5)
    t.do("#all_placed ok")
    t.turn_until(lambda: t.app.ui.ready)
    t.wait(5)
    t.picture("it places")
    assert t.player.field.fill(t.player.rng)
    t.player.ready()
    t.state(4)
    t.wait(5)
    t.picture("battle starts")


RESULTS = ("miss", "hit", "sunk")


def battle(t):
    """Shots of both sides until the middle of the game."""
    app = t.app
    gunner = Gunner(app.player.radar, Rng(5), 3)
    seen = set()
    shots = 0
    while True:
        if app.link.mine:
            if shots == SHOTS:
                break
            shots += 1
            cell = gunner.aim()
            app.ui.battle.x = cell % 10
            app.ui.battle.y = cell // 10
            t.press(keys.OK)
            t.turn_until(lambda: not app.link.busy)
            name = RESULTS[min(app.player.my_result, 2)]
            if name not in seen:
                seen.add(name)
                t.picture("mine: " + name)
        elif t.link.mine:
            cell = t.gunner.aim()
            t.player.shoot(cell)
            t.turn_until(lambda: not t.link.busy)
            name = "its: " + RESULTS[min(app.player.its_result, 2)]
            if name not in seen:
                seen.add(name)
                t.wait(5)
                t.picture(name)
        t.turn()
    t.wait(2000)
    t.picture("battle")


def within(t):
    """Menus and pages during the battle."""
    app = t.app
    t.turn_until(lambda: app.link.mine)
    t.wait(2000)
    t.do("back #menu,_battle end #menu,_its_end")
    if not t.panel.both:
        t.do(words.G_PEEK, "#my_field left back")
    t.do(words.G_FLEETS, "##ships_left back")
    t.turn_until(lambda: app.link.chat == links.CHAT_YES)
    t.do("back", words.G_CHAT, "#chat", words.C_WRITE)
    russian = app.storage.language
    t.press(*(b"\x8f\xe0\xa8\xa2\xa5\xe2, \x80\xad\xad\xa0" if russian else b"Hello Anna"))
    t.do("#chat:_writing ok")
    t.wait(200)
    t.picture("chat: sent")
    text = b"Good luck! You will need it."
    if russian:
        text = b"\x93\xa4\xa0\xe7\xa8! \x8e\xad\xa0 \xa2\xa0\xac \xad\xe3\xa6\xad\xa0."
    t.link.send_chat(text, len(text))
    t.turn_until(lambda: app.ui.chat_due)
    t.do("##chat:_heard ok back", words.G_SURRENDER, "#surrender? ok back", words.G_LEAVE, "#leave? ok")


def endings(t):
    """The ways a game ends."""
    app = t.app
    t.link.surrender()
    t.turn_until(lambda: app.ui.result_due)
    t.do("##victory ok #after_a_game", words.G_LEAVE, "down ok")
    t.turn_until(lambda: not app.playing)
    t.wait(5)
    _open_game(t)
    t.do("back", words.G_SURRENDER, "down ok")
    t.turn_until(lambda: app.ui.result_due)
    t.do("##defeat ok")
    t.wait(5)
    t.picture("waits again")
    t.link.goodbye()
    t.turn_until(lambda: app.ui.notice_due)
    t.do("##goodbye ok")
    t.home()


def errors(t):
    """What goes wrong."""
    app = t.app
    _open_game(t)
    t.deaf = True
    t.turn_until(lambda: app.ui.error)
    t.pages("silence")
    t.press(keys.OK)
    t.home()
    for name, data in (
        ("rule broken", (wire.SHOT, 11, 11)),
        ("accused", (wire.BROKEN,)),
        ("it gave up", (wire.TIMED_OUT,)),
    ):
        _open_game(t)
        t.unasked(*data)
        t.turn_until(lambda: app.ui.error or app.ui.notice_due)
        t.pages(name)
        t.press(keys.OK)
        t.home()
    app.switch_off()
    app.ui.goodbye()
    while app.panel.step():
        pass
    t.taken("switched off")
    t.keys_down.clear()
    t.looking = "a fault"
    fault.show(t, ValueError("board.py: no panel 'vga'"))


def _open_game(t):
    """A battle as slave."""
    app = t.app
    t.choose(words.M_SLAVE)
    t.join(wire.MASTER)
    t.turn_until(lambda: t.link.state == 1)
    t.link.offer(10, 1, 2, 3, 4)
    t.state(2)
    t.do("back", words.G_RANDOM)
    t.turn_until(lambda: app.player.field.complete())
    t.wait(5)
    t.press(keys.OK)
    t.turn_until(lambda: app.ui.ready)
    assert t.player.field.fill(t.player.rng)
    t.player.ready()
    t.state(4)
    t.wait(5)


def main():
    tour = Tour(sys.argv[1], int(sys.argv[2]))
    for part in (alone, others, beginning, battle, within, endings, errors):
        part(tour)


main()
