"""The loop. `App(board).run()` plays until the player switches off; `step()` is one turn of it.

A turn answers what has come from the line, passes on the ticks, and does one slice of one other thing: a key, the
gunner, the screen, the display. A slice takes a few milliseconds on a small board, but a reply has to begin within
1.25 ms. So a board that can calls `attend()` between two instructions of the program, which answers what has come and
leaves it to the loop to tell the player. While the program itself works on the link, `at_line` keeps `attend()` out.
"""

from seabattle import link as links
from seabattle import wire
from seabattle.const import TYPE_CHECKING, const
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng

from . import words
from .revealer import Revealer
from .storage import BROKEN, Storage
from .text_buffer import TextBuffer, Texts
from .ui import Ui

if TYPE_CHECKING:
    from types import ModuleType

    from seabattle.bot import Bot

    from .linetest import LineTest
    from .parts import Board
    from .peer import Peer


try:
    from micropython import heap_lock, heap_unlock
except ImportError:
    heap_lock = heap_unlock = int  # CPython has no heap to lock


_READ = const(64)  # bytes taken from the line in one turn at the most
_WRITE = const(4)  # bytes given to it in one turn at the most
_LAST_WORDS = const(255)
_TICKS = const(0x3FFFFFFF)
_CLOCK = const(0x1FFFFFFF)
_PATIENCE_MS = const(4)  # how long attend() waits for the next byte of a frame: three byte times and a bit

# Told to board.notify().
NOTICE_BEGUN = const(1)  # a session begins; EV_CLOSED ends it
NOTICE_FAILED = const(2)  # a session that plays by itself broke off
NOTICE_STUCK = const(3)  # the agreed fleet cannot be placed
NOTICE_LONE = const(4)  # the opponent has left before the games were played, and nobody has come for a minute


class App:
    """board: see the package. seed: 0..2**30-1 for everything that is drawn by lot."""

    bot: "Bot"
    company: "ModuleType"
    peer: "Peer"
    test: "LineTest"

    def __init__(self, board: "Board", seed: int = 1) -> None:
        self.board = board
        self.panel = board.panel
        self.keys = board.keys
        self.uart = board.uart
        self.now = board.ms()
        self.texts = TextBuffer.texts = self.panel.texts = Texts()
        self.storage = Storage(board.store, board.language or 0)
        if board.language is not None:
            self.storage.language = board.language
        self.texts.choose(self.storage.language)
        self.offer = bytearray(5)  # size, n4, n3, n2, n1
        self.storage.get_offer(self.offer)
        rng = Rng(seed)
        self.link = Link(wire.AUTO, rng)
        self.player = Player(self.link, rng)
        # Fields that can be looked at before the first game.
        self.player.fleet.protocol(10, 1, 2, 3, 4)
        self.player.field.reset(self.player.fleet)
        self.player.radar.reset(self.player.fleet)
        self.scratch = bytearray(wire.TEXT_MAX)
        self.revealer = Revealer(self.player, self.scratch)
        # Made when they are needed; the modules for them are not loaded before.
        self.bot = self.company = None  # what plays this side by itself, and the module around it
        self.peer = None  # the opponent of a player without a line
        self.test = None  # the line test
        self.playing = False  # a session is on
        self.alone = False  # with our own gunner in place of the line
        self.auto = False  # the board plays by itself
        self.endless = False  # and with any opponent, without end
        self.quiet = 0  # ticks without a byte from the line
        self.off = False  # switched off
        self.stopping = False  # about to be
        self.failed = False  # a session that plays by itself broke off
        self.key_wait = 0  # ticks until the key is pressed by itself
        self.leaving = False
        self.lone = 0  # for a board that plays by itself: 0 before anybody was met, or 1 + ticks in state 0 since
        self.at_line = True  # attend() has to leave the link alone
        self.locked = False  # the heap is, while what has come is answered
        self.interrupted = False  # the owner has stopped the program from the console
        self._in = bytearray(_READ)
        self._byte = bytearray(1)
        self._out = bytearray(1)
        self._tells = hasattr(board.uart, "damaged")  # the port tells of damaged bytes
        self._heard = self.now  # when a byte came last
        self._last = board.ticks()
        self._gunner = False  # the last turn was the gunner's
        # made once, or every mention of them would be an allocation
        self._urgent = self.send
        self._judge = self.player.reply
        # where it is known that a byte waits, nobody need ask for it again
        self._take = getattr(board.uart, "take", board.uart.readinto)
        # How well the ticks keep to the clock.
        self.ticks = 0
        self.began = self.now
        self.ui = Ui(self)

    def run(self) -> None:
        """Turn until the player switches off."""
        board = self.board
        try:
            while not self.off:
                if not self.step():
                    board.idle()
        finally:
            self.at_line = True
            if self.locked:
                heap_unlock()
        self.ui.goodbye()
        while self.panel.step():
            pass

    def step(self) -> bool:
        """One turn; False if there is nothing to do before a byte, a key or a tick comes."""
        board = self.board
        link = self.link
        if self.interrupted:
            raise KeyboardInterrupt
        self.at_line = True
        busy = self._receive() or self.playing and not self.alone and self._transmit(_WRITE)
        self.let(self.alone)
        now = board.ticks()
        while self._last != now:
            self._last = (self._last + 1) & _TICKS
            self._tick()
        if self.playing:
            if self.alone and self.peer.step(link):
                busy = True
            if link.wants_calm:
                self._calm()
            self._events()
            if link.reader.within and not self.alone:
                # the rest of a frame is on its way, and its last byte wants an answer
                return True
        self.now = board.ms()
        k = self.keys.get(self.now)
        if k:
            self.ui.key(k)
            return True
        # One slice of work: the gunner's every other time, and the display's when the screen is complete.
        self._gunner = self.auto and self.playing and not self._gunner
        return self._gunner and self.company.play(self) or self.ui.step(self.now) or self.panel.step() or busy

    # The line.

    def _receive(self) -> bool:
        """Take what has come, where the line is of any interest; False if nothing has."""
        if not self.uart.any():
            return False
        if self.playing and not self.alone:
            while self.playing and self.uart.any():
                self._hear()
                # Byte by byte: the gunner that plays by itself is to see every state.
                self.at_line = False
                self._events()
                self.at_line = True
            return True
        n = self.uart.readinto(self._in) or 0
        if self.test and self.test.running:
            for i in range(n):
                self.test.rx(self._in[i])
        return n > 0

    def _hear(self) -> None:
        """Take a byte that waits, for the link, and have it answered."""
        if not self._take(self._byte):
            return
        # For a function with more than eleven words of its own MicroPython looks for room in the heap at every call,
        # which can take as long as the function. From a locked heap it takes none, and does not look.
        heap_lock()
        self.locked = True
        self.quiet = 0
        link = self.link
        if self._tells and self.uart.damaged:  # type: ignore[attr-defined]
            link.rx_damaged()
        else:
            link.rx(self._byte[0])
        self._heard = self.board.ms()
        self.locked = False
        heap_unlock()

    def _calm(self) -> None:
        """Tell the link how long nothing has come."""
        line = self.hold()
        if self.alone:
            self.link.calm(links.CALM_MS)
        elif not self.uart.any():
            self.link.calm((self.board.ms() - self._heard) & _CLOCK)
        self.let(line)

    def hold(self) -> bool:
        """Keep attend() from the link while something else is done with it; what to give to let() afterwards."""
        line = self.at_line
        self.at_line = True
        return line

    def let(self, line: bool) -> None:
        """Let attend() at the link again, where it was. What has come meanwhile is answered at once."""
        if not line and self.playing:
            if self.uart.any():
                self._hear()
            self.at_line = False

    def attend(self, _: object = None) -> None:
        """Answer what has come, whatever else goes on. Called by the board, never in an interrupt."""
        # This small, it needs no room in the heap either, see _hear().
        try:
            if not self.at_line and self.uart.any():
                self._attend()
        except KeyboardInterrupt:
            # What is raised here goes no further than to the console.
            self.interrupted = True

    def _attend(self) -> None:
        """Take what has come. The rest of a frame that has begun is waited for, so that the answer begins when its last
        byte is there."""
        self.at_line = True
        self._hear()
        if self.link.reader.within:
            self._attend_rest()
        self.at_line = False

    def _attend_rest(self) -> None:
        board = self.board
        since = board.ms()
        while self.link.reader.within:
            if self.uart.any():
                self._hear()
                since = self._heard
            elif (board.ms() - since) & _CLOCK > _PATIENCE_MS:
                break

    def _transmit(self, most: int) -> bool:
        """Give up to `most` bytes of the link's to the line; False if there was none."""
        n = 0
        while n < most:
            b = self.link.tx()
            if b < 0:
                break
            self.send(b)
            n += 1
        return n > 0

    def send(self, byte: int) -> None:
        """Give a byte to the line; if it takes none, the byte is lost, as on a wire with nobody at its end."""
        self._out[0] = byte
        self.uart.write(self._out)

    def _tick(self) -> None:
        self.ticks = (self.ticks + 1) & _TICKS
        if not self.playing:
            return
        line = self.hold()
        self.link.tick()
        if self.endless:
            self.company.look_for_others(self)
        self.let(line)
        self._events()
        if self.revealer.owed:
            self._show_field()
        if self.alone and self.playing:
            self.peer.link.tick()
            while self.peer.player.poll():
                pass
        if self.auto and self.lone:
            self.company.count_lone(self)
        if self.key_wait:
            self.key_wait -= 1
            if not self.key_wait:
                self.ui.acknowledged()

    def _events(self) -> None:
        """Do the game's part of what has happened, and tell of it."""
        link = self.link
        player = self.player
        while True:
            line = self.hold()
            if link.asked:
                player.reply()
            ev = link.event()
            self.let(line)
            if not ev:
                break
            false = player.follow(ev)
            if false:
                line = self.hold()
                player.accuse(false)
                self.let(line)
            self._event(ev)

    def _show_field(self) -> None:
        """Send my field to the opponent, who has asked for it; later, if the link has something else to send."""
        revealer = self.revealer
        n = revealer.draw()
        line = self.hold()
        revealer.owed = self.link.send_chat(revealer.line, n) == links.NOT_NOW and self.link.state == 9
        self.let(line)

    def _event(self, ev: int) -> None:
        if ev == links.EV_CLOSED:
            self.board.event(ev)
            self._closed()
            return
        if self.revealer.event(ev):
            return
        if self.auto:
            self.company.event(self, ev)
        self.ui.event(ev)
        self.board.event(ev)
        if self.auto:
            # the bot must see every state, also one that the next byte ends
            self.company.play(self)

    # Playing by itself: in company.py, which is loaded for it.

    def play_for_ever(self) -> None:
        """Play with any opponent on the line, in the role that is left."""
        self.play_by_itself(0)
        self.endless = True
        self.play(words.M_AUTO)

    def play_by_itself(self, games: int) -> None:
        """Have the board play so many games of a session by itself, 0: as many as the other side wants. Allocates."""
        from . import company

        company.begin(self, games)
        self.company = company
        self.auto = True

    # What the screens ask for.

    def play(self, word: int) -> None:
        """Begin a session, as an item of the main menu says."""
        link = self.link
        alone = word == words.M_ALONE
        if alone and not self.peer:
            # allocates, and not while anybody waits for an answer
            from .peer import Peer

            self.peer = Peer(link.rng)
        self.alone = alone
        self.playing = True
        self.leaving = self.failed = False
        self.lone = 0
        self.board.notify(NOTICE_BEGUN)
        self.storage.give_nick(link, self.scratch)
        link.tagged = self.storage.tagged
        link.urgent = None if self.alone else self._urgent
        link.judge = None if self.alone else self._judge
        if word == words.M_MASTER or self.alone:
            link.open(wire.MASTER)
        else:
            link.open(wire.SLAVE if word == words.M_SLAVE else wire.AUTO)
        if self.bot:
            self.bot.gunner.level = self.storage.level
            self.bot.played = 0
        if self.alone:
            self.peer.link.open(wire.SLAVE)
            self.peer.gunner.level = self.storage.level
        self.ui.begin()

    def send_offer(self) -> None:
        """The master has chosen the parameters."""
        o = self.offer
        line = self.hold()
        done = self.link.offer(o[0], o[1], o[2], o[3], o[4])
        self.let(line)
        if done == links.DONE:
            self.ui.offered = True
            self.storage.set_offer(o)
            self.ui.state()

    def ready(self) -> None:
        """My ships stand."""
        line = self.hold()
        done = self.player.ready()
        self.let(line)
        if done == links.DONE:
            self.ui.ready = True
        self.ui.state()

    def shoot(self, cell: int) -> int:
        """Shoot, as Player.shoot()."""
        line = self.hold()
        done = self.player.shoot(cell)
        self.let(line)
        return done

    def surrender(self) -> None:
        line = self.hold()
        self.link.surrender()
        self.let(line)

    def restart(self) -> None:
        """Another game, which is the master's to begin."""
        line = self.hold()
        self.link.restart()
        self.let(line)

    def chat(self, n: int) -> None:
        """Send the first `n` letters of `scratch`."""
        line = self.hold()
        done = self.link.send_chat(self.scratch, n)
        self.let(line)
        if done != links.DONE:
            self.ui.show_message(words.C_LATER)

    def key(self) -> None:
        """The player has read of an error."""
        if self.player.link.hung:
            self.storage.add(BROKEN, 1)
        self.key_wait = 0
        line = self.hold()
        self.link.key()
        self.let(line)

    def leave(self) -> None:
        """End the session with a goodbye, where there is somebody to say it to."""
        if self.leaving:
            # asked for a second time: without waiting for the answer
            self._closed()
            return
        self.leaving = True
        line = self.hold()
        self.link.goodbye()
        self.let(line)
        self._events()

    def _closed(self) -> None:
        self.at_line = True
        if not self.alone:
            # the last words: the answer to a goodbye, for one
            self._transmit(_LAST_WORDS)
        self.playing = self.leaving = False
        self.key_wait = 0
        ui = self.ui
        ui.error = ui.result_due = ui.notice_due = ui.chat_due = False
        self.storage.save()
        if self.stopping or self.auto and not self.endless:
            self.off = True
        ui.back()
        if self.endless and not self.off:
            self.play(words.M_AUTO)

    def switch_off(self) -> None:
        """Switch off, after a goodbye where there is somebody to say it to."""
        self.stopping = True
        if self.playing:
            if not self.leaving:
                self.leave()
        else:
            self.storage.save()
            self.off = True

    def sound(self, kind: int) -> None:
        if self.storage.sound and not self.auto:
            self.board.beep(kind)

    def count(self, result: int, how: int) -> None:
        """A game has ended."""
        self.storage.played(result, how, self.player.my_shots)
