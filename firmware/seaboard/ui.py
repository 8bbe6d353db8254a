"""The user interface: which screen is shown when, and what each event of the session means to it.

The screen follows from the state of the link. On top of it, in this order: an error that awaits a key, the result of a
game, a notice, a received chat text; the player acknowledges each of them. Menus are opened by the player, and close
when the state changes.
"""

from seabattle import link as links
from seabattle import wire
from seabattle.const import TYPE_CHECKING, const

from . import words
from .battle import Battle
from .keys import OFF
from .menus import Menu, Parameters, Question
from .panel import TEXT
from .placing import Placing
from .screens import Page, Result, Wait
from .text_buffer import TextBuffer
from .text_entry import TextEntry

if TYPE_CHECKING:
    from .app import App
    from .screens import Screen


_BLINK_MS = const(350)
_TOAST_MS = const(1800)
_CLOCK = const(0x1FFFFFFF)  # the board's milliseconds wrap here
_NO_TOAST = const(0xFFFF)
_RESULT_ROOM = const(112)  # three lines
_NOTICE_ROOM = const(160)  # the opponent's action, a shot, why it is false, and an earlier shot
_CHAT_ROOM = const(280)  # a nick and the longest text received

# Kinds of sounds.
SOUND_MISS = const(0)
SOUND_HIT = const(1)
SOUND_SUNK = const(2)
SOUND_CALL = const(3)


class Ui:
    """app: the seaboard.app.App that owns it."""

    def __init__(self, app: "App") -> None:
        self.app = app
        self.panel = app.panel
        self.blink = True
        self.blink_since = 0
        self.toast = _NO_TOAST  # a text shown briefly
        self.toast_since = 0
        self.now = 0
        self.left = 0  # slices of the screen still to be drawn
        self.slices = 0
        self.error = False  # the notice reports an error that awaits a key
        self.result_due = False
        self.notice_due = False
        self.chat_due = False
        self.result = TextBuffer(_RESULT_ROOM)
        self.notice = TextBuffer(_NOTICE_ROOM)
        self.page = TextBuffer()  # for read-only pages
        self.chat = TextBuffer(_CHAT_ROOM)
        self.ready = False  # I have declared my ships placed
        self.offered = False

        self.menu = Menu(self)
        self.question = Question(self)
        self.parameters = Parameters(self)
        self.wait = Wait(self)
        self.page_screen = Page(self)
        self.result_screen = Result(self)
        self.letters = TextEntry(self)
        self.placing = Placing(self)
        self.battle = Battle(self)
        self.screen: "Screen" = self.menu
        self.menu.main()
        self.touch()

    # Screens

    def show(self, screen: "Screen") -> None:
        self.screen = screen
        screen.enter()
        self.touch()

    def touch(self) -> None:
        """Schedule redrawing of the whole screen, slice by slice."""
        self.slices = self.left = self.screen.slices()

    def state(self) -> None:
        """Show the screen for the current state."""
        app = self.app
        link = app.link
        if self.screen.holds:
            return
        if not app.playing:
            self.menu.main()
            self.show(self.menu)
        elif self.error:
            self.page_screen.show(self.notice, words.N_OK_START)
        elif self.result_due:
            self.show(self.result_screen)
        elif self.notice_due:
            self.page_screen.show(self.notice, words.N_OK)
        elif self.chat_due:
            self.page_screen.show(self.chat, words.N_OK)
        elif app.leaving:
            self.show(self.wait)
        elif link.state == 1 and link.role == wire.MASTER and not self.offered and not app.auto:
            self.show(self.parameters)
        elif link.state == 4:
            self.show(self.battle)
        elif (link.state == 2 or link.state == 3) and not self.ready and not app.auto:
            self.show(self.placing)
        elif link.state == 9 and link.role == wire.MASTER and not app.auto:
            # if the menu is already open, its pointer stays
            if self.screen is not self.menu:
                self.menu.session()
                self.show(self.menu)
        else:
            self.show(self.wait)

    def acknowledged(self) -> None:
        """Close what is on top of the screen: the player has read it."""
        if self.error:
            self.error = False
            self.app.key()
        elif self.result_due:
            self.result_due = False
        elif self.notice_due:
            self.notice_due = False
        elif self.chat_due:
            self.chat_due = False
        self.state()

    def back(self) -> None:
        """Close a menu or page opened by the player."""
        self.screen = self.wait
        self.state()

    def show_message(self, word: int) -> None:
        """Show a toast."""
        self.toast = word
        self.toast_since = self.now
        self.touch()

    def toast_off(self) -> None:
        """Remove the toast: the player has gone on."""
        self.toast = _NO_TOAST

    @property
    def toasting(self) -> bool:
        return self.toast != _NO_TOAST

    # Called by the loop

    def key(self, k: int) -> None:
        if k == OFF:
            self.app.switch_off()
            return
        self.show_cursor()
        self.screen.key(k)

    def show_cursor(self) -> None:
        """Restart the blinking, with the cursor visible."""
        self.blink = True
        self.blink_since = self.now

    def step(self, now: int) -> bool:
        """Do a slice of work; return True if there is more. now: the board's clock, ms."""
        self.now = now
        if self.toast != _NO_TOAST and (now - self.toast_since) & _CLOCK >= _TOAST_MS:
            self.toast = _NO_TOAST
            self.touch()
        if (now - self.blink_since) & _CLOCK >= _BLINK_MS:
            self.blink_since = now
            self.blink = not self.blink
            if self.screen.blinks:
                self.touch()
        if self.screen.work():
            return True
        if self.left:
            i = self.slices - self.left
            self.left -= 1
            self.screen.draw(i)
            self.panel.changed()
            return True
        return False

    def goodbye(self) -> None:
        """Show the last screen."""
        p = self.panel
        p.layout(TEXT)
        p.inverse = 0
        for y in range(p.rows):
            p.row(y)
            self.wait.put_line(words.OFF, y)
            p.rest()
        p.changed()

    # Session events

    def begin(self) -> None:
        """Begin a session."""
        self.error = self.result_due = self.notice_due = self.chat_due = self.ready = self.offered = False
        self.toast = _NO_TOAST
        self.back()

    def event(self, ev: int) -> None:
        """Handle an event of the link, after the Player has."""
        app = self.app
        link = app.link
        if ev == links.EV_SHOT or ev == links.EV_ANSWER:
            self.battle.shot(ev == links.EV_ANSWER)
            return
        if ev == links.EV_PLACING:
            self.ready = False
            self.placing.begin()
        elif ev == links.EV_MET or ev == links.EV_RESTART:
            self.offered = self.ready = False
        elif ev == links.EV_BATTLE:
            self.battle.begin()
            app.sound(SOUND_CALL)
        elif ev == links.EV_OVER:
            self._over(link.a, link.b)
        elif ev == links.EV_RESUMED:
            self.error = False
            self.show_message(words.N_RESUMED)
        elif ev == links.EV_CHAT:
            self._hear()
        elif ev == links.EV_CHAT_SENT:
            self.show_message(words.C_SENT)
            return
        elif ev == links.EV_CHAT_LOST:
            self.show_message(words.C_LOST)
            return
        elif ev == links.EV_NICK_LOST:
            self.show_message(words.N_NICK_LOST)
            return
        elif ev == links.EV_NICK or ev == links.EV_CHAT_KNOWN or ev == links.EV_NICK_SENT:
            self.touch()
            return
        else:
            self._notice(ev)
        self.state()

    def _notice(self, ev: int) -> None:
        """Show events that the player must know about."""
        link = self.app.link
        text = self.notice
        if ev == links.EV_GOODBYE:
            text.only(words.N_GOODBYE)
        elif ev == links.EV_LEFT:
            text.only(words.N_LEFT)
        elif ev == links.EV_PEER_RESET:
            text.only(words.N_RESET)
        elif ev == links.EV_PEER_TIMEOUT:
            text.only(words.N_PEER_TIMEOUT)
        elif ev == links.EV_TIMEOUT:
            if link.a:
                text.only(words.N_NO_REPLY, link.a)
            else:
                text.only(words.N_SILENCE)
            self.error = True
        elif ev == links.EV_BROKEN:
            event = link.details
            false = event[links.EVENT_ANSWER]
            if false:
                text.only(words.N_FALSE)
                self._shot(text, event[links.EVENT_CELL], false)
                text.put(58)
            else:
                text.only(words.N_BROKEN, link.a)
                if link.b == wire.R_CELL:
                    text.space()
                    text.number(event[links.EVENT_CELL])
                    text.space()
                    text.number(event[links.EVENT_EARLIER_ANSWER])
                elif event[links.EVENT_CELL]:
                    self._shot(text, event[links.EVENT_CELL], 0)
            text.space()
            text.word(words.R_SENDER + link.b - wire.R_SENDER)
            if event[links.EVENT_EARLIER]:
                text.space()
                text.word(words.N_BEFORE)
                self._shot(text, event[links.EVENT_EARLIER], event[links.EVENT_EARLIER_ANSWER])
                text.put(46)
            elif event[links.EVENT_EARLIER_ANSWER] and link.b != wire.R_CELL:
                text.space()
                text.word(words.N_LOST_REPLY, event[links.EVENT_EARLIER_ANSWER])
            self.error = True
        elif ev == links.EV_ACCUSED:
            text.only(words.N_ACCUSED)
            self.error = True
        else:
            return
        self.app.sound(SOUND_CALL)
        if self.error:
            # close whatever is open: the player has to know this first
            self.screen = self.wait
        else:
            self.notice_due = True

    def _shot(self, text: "TextBuffer", cell: int, answer: int) -> None:
        """Append a shot to a TextBuffer: its cell as in Link.details, and its answer if there is one."""
        text.space()
        text.put(self.battle.letter((cell & 15) - 1))
        text.number(cell >> 4)
        if answer:
            text.space()
            text.word(words.B_MISS + ((answer - wire.MISS) >> 4))

    def _over(self, result: int, how: int) -> None:
        app = self.app
        r = self.result
        r.only(words.O_WON if result == links.WE_WON else words.O_LOST if result == links.WE_LOST else words.O_NONE)
        r.line()
        if result == links.NO_RESULT:
            r.word(words.O_BOTH)
        elif how == links.BY_PROOF:
            r.word(words.O_PROOF)
        elif how == links.BY_SHOTS:
            r.word(words.O_ALL_ITS if result == links.WE_WON else words.O_ALL_MINE)
        else:
            r.word(words.O_IT_GAVE_UP if result == links.WE_WON else words.O_GAVE_UP)
        r.line()
        r.word(words.O_SHOTS, app.player.my_shots)
        self.result_due = True
        self.ready = False
        if app.link.details[links.EVENT_CELL]:
            app.count(result, how)
        app.sound(SOUND_SUNK if result == links.WE_WON else SOUND_CALL)

    def _hear(self) -> None:
        link = self.app.link
        c = self.chat
        c.clear()
        self.name(c)
        c.letters(link.text, 0, link.text_len)
        self.chat_due = True
        self.app.sound(SOUND_CALL)

    def name(self, text: "TextBuffer") -> None:
        """Append the opponent's nick with a colon, if known."""
        link = self.app.link
        n = link.peer_nick_len
        while n and link.peer_nick[n - 1] in b"\x00 ":
            n -= 1
        if n:
            text.letters(link.peer_nick, 0, n)
            text.letters(b": ", 0, 2)
