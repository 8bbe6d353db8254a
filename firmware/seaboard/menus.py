"""Lists to choose from: menus, a question, the parameters of a game."""

import gc
import sys

from seabattle import link as links
from seabattle import wire
from seabattle.const import TYPE_CHECKING
from seabattle.fleet import check

from . import unload, words
from .panel import RIGHT as POINTER
from .screens import List

if TYPE_CHECKING:
    from .ui import Ui


class Menu(List):
    """The main menu, the menu during a session, the ready-made chat phrases."""

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.main_at = 0  # last item selected in the main menu
        self.loaded: "set[str] | None" = None  # modules present before an item loaded more

    def main(self) -> None:
        if self.loaded is not None:
            _unload(self)
        self.start(words.TITLE)
        self.add_all(words.M_AUTO, words.M_OFF)
        self.at = self.main_at

    def session(self) -> None:
        """Show what can be done in this state."""
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

    def alone(self) -> None:
        """Show the games against the board."""
        self.start(words.A_TITLE)
        self.add_all(words.A_LINE, words.A_MELEE)

    def phrases(self) -> None:
        self.start(words.C_TITLE)
        self.add_all(words.C_1, words.C_8)
        self.add(words.C_WRITE)

    def chosen(self, word: int) -> None:
        ui = self.ui
        app = self.app
        if word <= words.M_OFF:
            self.main_at = self.at
        if word <= words.M_SLAVE:
            app.play(word)
        elif word == words.M_ALONE:
            self.alone()
        elif words.A_LINE <= word <= words.A_MELEE or words.M_SETTINGS <= word <= words.M_ABOUT:
            _load(self, word)
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

    def _chat(self) -> None:
        ui = self.ui
        if self.app.link.chat == links.CHAT_YES:
            self.phrases()
            ui.touch()
        else:
            ui.show_message(words.C_NONE if self.app.link.chat == links.CHAT_NO else words.C_LATER)

    def _phrase(self, word: int) -> None:
        t = self.app.texts
        i = t.start(word)
        n = 0
        blob = t.blob
        while blob[i + n]:
            self.app.scratch[n] = blob[i + n]
            n += 1
        self.app.chat(n)
        self.ui.back()

    def left(self) -> None:
        if self.app.playing or self.word == words.A_TITLE:
            self.ui.back()


def _load(menu: "Menu", word: int) -> None:
    """Load what an item needs."""
    ui = menu.ui
    app = menu.app
    if menu.loaded is None:
        menu.loaded = set(sys.modules)
    gc.collect()  # so that what is loaded is contiguous
    try:
        if word == words.A_LINE:
            app.play(words.M_ALONE)
        elif word == words.M_SETTINGS:
            from .settings_screen import Settings

            ui.show(Settings(ui))
        elif word == words.M_LINE:
            from .linetest import LineTest

            app.test = LineTest(app)
            app.test.begin()
            ui.page_screen.show(ui.page, 0, True)
            ui.page_screen.tests = True
        elif word == words.M_STATS or word == words.M_ABOUT:
            from . import reports

            titled = word == words.M_STATS
            if titled:
                reports.statistics(app, ui.page)
            else:
                reports.about(app, ui.page)
            ui.page_screen.show(ui.page, 0, titled)
        else:
            from .local import open_game

            open_game(ui, word)
    except MemoryError:
        ui.back()
        ui.show_message(words.A_NO_MEMORY)


def _unload(menu: "Menu") -> None:
    """Unload everything loaded for an item."""
    before = menu.loaded
    menu.loaded = None
    app = menu.app
    app.test = app.peer = None
    menu.ui.screen = menu.ui.wait
    if app.texts.local:
        app.texts.extend(False, app.storage.language)
    for full in list(sys.modules):
        if full not in before and (full[:9] == "seaboard." or full[:10] == "seabattle."):
            unload(full)
    gc.collect()


class Question(List):
    """A request for confirmation; the answer that changes nothing comes first."""

    def ask(self, word: int) -> None:
        self.start(word)
        self.add(words.Q_NO)
        self.add(words.Q_YES)
        self.ui.show(self)

    def draw(self, i: int) -> None:
        # on two rows the question replaces the heading
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

    def change(self, word: int, by: int) -> None:
        self.at = 1 - self.at

    def chosen(self, word: int) -> None:
        app = self.app
        if word == words.Q_YES:
            if self.word == words.Q_SURRENDER:
                app.surrender()
            else:
                app.leave()
        self.ui.back()


# Parameters of a game: minimum and maximum, in the order of the protocol.


_LOWEST = b"\x06\x00\x00\x00\x01"
_HIGHEST = b"\x0a\x01\x02\x05\x0a"


class Parameters(List):
    """The master's choice of field and fleet; shows at once whether it can be placed."""

    def enter(self) -> None:
        super().enter()
        if self.word != words.P_TITLE:
            self.start(words.P_TITLE)
            self.add_all(words.P_SIZE, words.P_START)
        self.at = self.n - 1
        self.top = 0

    def value(self, word: int) -> None:
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

    def _bad(self) -> bool:
        o = self.app.offer
        return check(o[0], o[1], o[2], o[3], o[4]) != 0

    def changes(self, word: int) -> bool:
        return word != words.P_START

    def change(self, word: int, by: int) -> None:
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

    def chosen(self, word: int) -> None:
        if word != words.P_START:
            self.change(word, 1)
        elif self._bad():
            self.app.sound(0)
        else:
            self.app.send_offer()

    def left(self) -> None:
        ui = self.ui
        ui.menu.session()
        ui.show(ui.menu)
