"""The main loop. `App(board).run()` plays until the player switches off; `step()` is one turn of it.

A turn answers received bytes, passes on the ticks, and does one slice of one other thing: a key, the gunner, the
screen, the display. A slice takes a few milliseconds on a small board, but a reply has to start within 1.25 ms. So a
board that can calls `attend()` between two bytecodes of the program; it answers what was received and leaves it to the
loop to show it. While the loop itself uses the link, `at_line` keeps `attend()` out.
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


_READ = const(64)  # most bytes read from the line in one turn
_WRITE = const(4)  # most bytes written in one turn
_LAST_WORDS = const(255)
_TICKS = const(0x3FFFFFFF)
_CLOCK = const(0x1FFFFFFF)
_PATIENCE_MS = const(4)  # how long attend() waits for the next byte of a frame: three byte times and a bit

# Arguments of board.notify().
NOTICE_BEGUN = const(1)  # a session begins; EV_CLOSED ends it
NOTICE_FAILED = const(2)  # a computer-played session broke off
NOTICE_STUCK = const(3)  # the agreed fleet cannot be placed
NOTICE_LONE = const(4)  # the opponent left before all games were played, and no other came for a minute


class App:
    """board: see the package. seed: 0..2**30-1, the random seed."""

    bot: "Bot"
    autoplay: "ModuleType"
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
        # So that there are fields to look at before the first game.
        self.player.fleet.protocol(10, 1, 2, 3, 4)
        self.player.field.reset(self.player.fleet)
        self.player.radar.reset(self.player.fleet)
        self.scratch = bytearray(wire.TEXT_MAX)
        self.revealer = Revealer(self.player, self.scratch)
        # Created on demand; their modules are not loaded earlier.
        self.bot = self.autoplay = None  # the computer player of this side, and its module
        self.peer = None  # the opponent of a player without a line
        self.test = None  # the line test
        self.playing = False  # a session is running
        self.alone = False  # against our own gunner instead of the line
        self.auto = False  # the computer plays this side
        self.endless = False  # with any opponent, for ever
        self.quiet = 0  # ticks without a byte from the line
        self.off = False  # switched off
        self.stopping = False  # about to switch off
        self.failed = False  # a computer-played session broke off
        self.key_wait = 0  # ticks until the key is pressed automatically
        self.leaving = False
        self.lone = 0  # for a computer player: 0 before the first opponent, or 1 + ticks in state 0 since the last
        self.at_line = True  # attend() must leave the link alone
        self.locked = False  # the heap is locked, while received bytes are answered
        self.interrupted = False  # Ctrl-C was pressed on the console
        self._in = bytearray(_READ)
        self._byte = bytearray(1)
        self._out = bytearray(1)
        self._tells = hasattr(board.uart, "damaged")  # the port reports damaged bytes
        self._last_byte = self.now  # time of the last byte
        self._last = board.ticks()
        self._gunner = False  # the last turn was the gunner's
        # bound once: each access to a method would allocate
        self._urgent = self.send
        self._judge = self.player.reply
        # for use when a byte is known to be waiting: skips a second any()
        self._take = getattr(board.uart, "take", board.uart.readinto)
        # To compare the ticks with the clock.
        self.ticks = 0
        self.began = self.now
        self.ui = Ui(self)

    def run(self) -> None:
        """Run the loop until the player switches off."""
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
        """Do one turn; return False if there is nothing to do until a byte, a key or a tick arrives."""
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
                # the rest of a frame is on its way, and its last byte needs a prompt answer
                return True
        self.now = board.ms()
        k = self.keys.get(self.now)
        if k:
            self.ui.key(k)
            return True
        # One slice of work: the gunner every other time; the display once the screen is complete.
        self._gunner = self.auto and self.playing and not self._gunner
        return self._gunner and self.autoplay.play(self) or self.ui.step(self.now) or self.panel.step() or busy

    # The line

    def _receive(self) -> bool:
        """Read received bytes if anything uses the line; return False if there were none."""
        if not self.uart.any():
            return False
        if self.playing and not self.alone:
            # keys and display get their turn on a line that never falls silent
            for _ in range(_READ):
                if not (self.playing and self.uart.any()):
                    break
                self._hear()
                # Byte by byte: the computer player must see every state.
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
        """Pass a waiting byte to the link and have it answered."""
        if not self._take(self._byte):
            return
        # A function with more than eleven words of local state makes MicroPython search the heap at every call, which
        # can take as long as the function itself. While the heap is locked it does not search.
        heap_lock()
        self.locked = True
        self.quiet = 0
        link = self.link
        if self._tells and self.uart.damaged:  # type: ignore[attr-defined]
            link.rx_damaged()
        else:
            link.rx(self._byte[0])
        self._last_byte = self.board.ms()
        self.locked = False
        heap_unlock()

    def _calm(self) -> None:
        """Report to the link how long the line has been quiet."""
        line = self.hold()
        if self.alone:
            self.link.calm(links.CALM_MS)
        elif not self.uart.any():
            self.link.calm((self.board.ms() - self._last_byte) & _CLOCK)
        self.let(line)

    def hold(self) -> bool:
        """Keep attend() away from the link during other work on it; return the argument for let()."""
        line = self.at_line
        self.at_line = True
        return line

    def let(self, line: bool) -> None:
        """Restore attend()'s access to the link. What was received meanwhile is answered at once."""
        if not line and self.playing:
            if self.uart.any():
                self._hear()
            self.at_line = False

    def attend(self, _: object = None) -> None:
        """Answer received bytes, whatever else is going on. Called by the board, never in an interrupt."""
        # Small enough to need no heap either, see _hear().
        try:
            if not self.at_line and self.uart.any():
                self._attend()
        except KeyboardInterrupt:
            # An exception raised here is only printed on the console.
            self.interrupted = True

    def _attend(self) -> None:
        """Read received bytes.

        If a frame has begun, wait for the rest, so that the answer starts right after its last byte.
        """
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
                since = self._last_byte
            elif (board.ms() - since) & _CLOCK > _PATIENCE_MS:
                break

    def _transmit(self, most: int) -> bool:
        """Write up to `most` of the link's bytes to the line; return False if there were none."""
        n = 0
        while n < most:
            b = self.link.tx()
            if b < 0:
                break
            self.send(b)
            n += 1
        return n > 0

    def send(self, byte: int) -> None:
        """Write a byte to the line; if it is not accepted the byte is lost, as on an unconnected wire."""
        self._out[0] = byte
        self.uart.write(self._out)

    def _tick(self) -> None:
        self.ticks = (self.ticks + 1) & _TICKS
        if not self.playing:
            return
        line = self.hold()
        self.link.tick()
        if self.endless:
            self.autoplay.look_for_others(self)
        self.let(line)
        self._events()
        if self.revealer.owed:
            self._show_field()
        if self.alone and self.playing:
            self.peer.link.tick()
            while self.peer.player.poll():
                pass
        if self.auto and self.lone:
            self.autoplay.count_lone(self)
        if self.key_wait:
            self.key_wait -= 1
            if not self.key_wait:
                self.ui.acknowledged()

    def _events(self) -> None:
        """Do the game's part of the link's events and pass them on."""
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
        """Send my field to the opponent, who asked for it; later, if the link is busy sending."""
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
            self.autoplay.event(self, ev)
        self.ui.event(ev)
        self.board.event(ev)
        if self.auto:
            # the bot must see every state, even one that the next byte ends
            self.autoplay.play(self)

    # Computer play: in autoplay.py, loaded on demand

    def play_for_ever(self) -> None:
        """Play with any opponent on the line, in whichever role is free."""
        self.play_by_itself(0)
        self.endless = True
        self.play(words.M_AUTO)

    def play_by_itself(self, games: int) -> None:
        """Let the computer play this many games of a session, 0: as many as the other side wants. Allocates."""
        from . import autoplay

        autoplay.begin(self, games)
        self.autoplay = autoplay
        self.auto = True

    # Requests from the screens

    def play(self, word: int) -> None:
        """Begin a session, as chosen in the main menu."""
        link = self.link
        alone = word == words.M_ALONE
        if alone and not self.peer:
            # allocates, and not while a peer waits for an answer
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
        """Send the parameters chosen by the master."""
        o = self.offer
        line = self.hold()
        done = self.link.offer(o[0], o[1], o[2], o[3], o[4])
        self.let(line)
        if done == links.DONE:
            self.ui.offered = True
            self.storage.set_offer(o)
            self.ui.state()

    def ready(self) -> None:
        """Declare my ships placed."""
        line = self.hold()
        done = self.player.ready()
        self.let(line)
        if done == links.DONE:
            self.ui.ready = True
        self.ui.state()

    def shoot(self, cell: int) -> int:
        """Shoot, like Player.shoot()."""
        line = self.hold()
        done = self.player.shoot(cell)
        self.let(line)
        return done

    def surrender(self) -> None:
        line = self.hold()
        self.link.surrender()
        self.let(line)

    def restart(self) -> None:
        """Start another game, as master."""
        line = self.hold()
        self.link.restart()
        self.let(line)

    def chat(self, n: int) -> None:
        """Send the first `n` letters of `scratch` as chat."""
        line = self.hold()
        done = self.link.send_chat(self.scratch, n)
        self.let(line)
        if done != links.DONE:
            self.ui.show_message(words.C_LATER)

    def key(self) -> None:
        """Tell the link that the player has read an error."""
        if self.player.link.hung:
            self.storage.add(BROKEN, 1)
        self.key_wait = 0
        line = self.hold()
        self.link.key()
        self.let(line)

    def leave(self) -> None:
        """End the session, with a goodbye if there is a peer."""
        if self.leaving:
            # second request: do not wait for the answer
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
            # flush last bytes, such as the answer to a goodbye
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
        """Switch off, after a goodbye if there is a peer."""
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
        """Count a finished game."""
        self.storage.played(result, how, self.player.my_shots)
