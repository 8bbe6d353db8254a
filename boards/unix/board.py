"""The virtual board: the line is a file descriptor, the panel's bus and the keys are pipes to `seabattle board`.

That command draws the display's contents and starts this with arguments `name=value`, see Board.__init__. It runs on
MicroPython's desktop port, and on CPython where no package of that is available.

It is started with arguments `name=value`, see Board.__init__. It runs on MicroPython's desktop port, and on CPython
where no package of that is available.

Messages on descriptor 1, each with a length byte after the first:

    I  value, data            a byte for a character panel's controller; data 0: an instruction
    C  bytes                  a command for a graphic panel's controller
    D  bytes                  data for it
    B  kind                   a sound
    E  code, a, b, role, x, y, answer, size, n4, n3, n2, n1, text   an event of the session
    N  what                   seaboard.app.NOTICE_*
    R  bytes                  received from the line
    S  bytes                  sent to it
"""

import sys

from seaboard import words
from seaboard.app import NOTICE_BEGUN
from seaboard.clock import Clock
from seaboard.lcd import Lcd
from seaboard.pixels import Pcd8544, Pixels, Ssd1306

from seabattle import link as links
from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Any

    from seaboard.app import App
    from seaboard.panel import Panel
    from seaboard.parts import Buffer

try:
    from micropython import heap_lock, heap_unlock
except ImportError:

    def heap_lock() -> None:
        """CPython cannot refuse allocations."""

    heap_unlock = heap_lock

try:
    from time import ticks_diff, ticks_ms
except ImportError:
    from time import monotonic

    def ticks_ms() -> int:
        """Return the time in ms, as MicroPython's."""
        return int(monotonic() * 1000)

    def ticks_diff(later: int, earlier: int) -> int:  # type: ignore[no-redef]
        """Return the ms between two times, as MicroPython's."""
        return later - earlier


_CPYTHON = sys.implementation.name == "cpython"

if _CPYTHON:
    from streams import POLLIN, POLLOUT, opened, poll
else:
    from select import POLLIN, POLLOUT, poll

    def opened(where: str, mode: str, _waits: bool = True) -> "Any":
        """Open a descriptor, given as text."""
        return open(int(where), mode)


_CLOCK = const(0x1FFFFFFF)
_CALM_MS = const(5)
_HELD_UP_MS = const(100)  # a longer pause counts as this long, see passed()
NOTICE_LOCKED = const(100)  # not in seaboard.app: no allocation is possible from here to the end of the session
_HEAD = const(10)  # bytes of an event before its text: two, and Link.details
_EVENT = const(64)  # bytes of the line reported at most

_ROLES = {"auto": words.M_AUTO, "master": words.M_MASTER, "slave": words.M_SLAVE, "alone": words.M_ALONE}


class Line:
    """The serial line: a non-blocking descriptor.

    marking: damaged bytes are marked like termios PARMRK, FF 00 and the byte, and FF as FF FF; `damaged` then tells it
    of the byte last returned by readinto(). Traffic is reported to `out`.
    """

    def __init__(self, where: str, out: "Out", marking: bool = False) -> None:
        self.out_line = out
        self.sent_event = bytearray(2 + _EVENT)
        self.marking = marking
        self.damaged = False
        self.mark = 0  # bytes of a mark received
        self.read = opened(where, "rb", False)
        self.write_end = opened(where, "wb", False)
        self.lost = False
        self.poller = poll()
        self.poller.register(self.read, POLLIN)
        self.out = poll()
        self.out.register(self.write_end, POLLOUT)

    def any(self) -> bool:
        return not self.lost and ready(self.poller, 0)

    def readinto(self, buffer: bytearray) -> int:
        try:
            n = self.read.readinto(buffer)
        except OSError:
            n = 0
        # ready, but nothing to read: the other end has hung up
        self.lost = n == 0
        if self.marking and n == 1:
            n = self.unmark(buffer[0])
        self.tell(82, buffer, n)
        return n

    def unmark(self, byte: int) -> int:
        """Remove the marks from bytes, which the game reads one by one."""
        self.damaged = self.mark == 2
        if self.mark == 0 and byte == 0xFF:
            self.mark = 1
            return 0
        if self.mark == 1 and byte == 0:
            self.mark = 2
            return 0
        self.mark = 0
        return 1

    def tell(self, kind: int, buffer: "Buffer", n: int) -> None:
        sent_event = self.sent_event
        n = min(n or 0, _EVENT)
        if n:
            sent_event[0] = kind
            sent_event[1] = n
            for i in range(n):
                sent_event[2 + i] = buffer[i]
            self.out_line.send(sent_event, 2 + n)

    def write(self, buffer: "Buffer") -> "int | None":
        """Write bytes; if the line accepts no more the byte is lost, as on an unconnected wire."""
        if self.lost or not ready(self.out, 0):
            return None
        self.tell(83, buffer, len(buffer))
        try:
            return self.write_end.write(buffer)
        except OSError:
            self.lost = True
            return None


class Keys:
    """Keys arrive as bytes, each a code of seaboard.keys or a letter."""

    esc = True

    def __init__(self, where: str) -> None:
        self.read = opened(where, "rb")
        self.one = bytearray(1)
        self.ended = False
        self.poller = poll()
        self.poller.register(self.read, POLLIN)

    def get(self, _ms: int) -> int:
        if self.ended or not ready(self.poller, 0):
            return 0
        n = self.read.readinto(self.one)
        if n == 0:
            self.ended = True
        return self.one[0] if n else 0


class Bus:
    """Forwards what a driver sends to its controller."""

    def __init__(self, out: "Out") -> None:
        self.out = out
        self.byte = bytearray(b"I\x02\x00\x00")
        self.instruction = bytearray(b"C\x00" + bytes(3))
        self.picture = bytearray(b"D\x00" + bytes(16))

    def send(self, value: int, data: int) -> None:
        """Send a byte for a character panel."""
        self.byte[2] = value
        self.byte[3] = data
        self.out.send(self.byte, 4)

    def command(self, buffer: "Buffer") -> None:
        self._pass(self.instruction, buffer)

    def data(self, buffer: "Buffer") -> None:
        self._pass(self.picture, buffer)

    def _pass(self, message: bytearray, buffer: "Buffer") -> None:
        n = len(buffer)
        message[1] = n
        for i in range(n):
            message[2 + i] = buffer[i]
        self.out.send(message, 2 + n)


class Out:
    """Messages to the parent process."""

    def __init__(self, where: str) -> None:
        self.file = opened(where, "wb")

    def send(self, buffer: "Buffer", n: int) -> None:
        if _CPYTHON:
            self.file.write(memoryview(buffer)[:n])
        else:
            self.file.write(buffer, n)


class Store:
    """Two files in a folder."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def read(self, slot: int, buffer: bytearray) -> int:
        try:
            with open(self._path(slot), "rb") as file:
                return file.readinto(buffer)
        except OSError:
            return 0

    def write(self, slot: int, buffer: "Buffer") -> None:
        with open(self._path(slot), "wb") as file:
            file.write(buffer)

    def _path(self, slot: int) -> str:
        return self.folder + "/seabattle." + str(slot)


class Board:
    """The board's parts, from arguments `name=value`; all are optional except `line` and `keys`.

    line, keys      descriptors, or streams as in streams.py; out: where messages go, descriptor 1 by default
    marks           1: damaged bytes are marked on the line
    panel           20x4, 16x2, 128x64 or 84x48
    rom             of a character panel: 0 A00, 1 A02, 2 MT
    language        0 English, 1 Russian; usual_language: the same for a board with nothing saved yet
    store           a folder for the board's saved data
    seed            0..2**30-1
    nick            in hexadecimal, code page 866; letters: 1 if it is sent in that code page
    offer           size, n4, n3, n2, n1, with commas
    level           1..4
    role            one of _ROLES: begin a session at once
    auto            1: the board plays by itself, and leaves after `games` games, 0 for no end
    chat            in hexadecimal: sent once the opponent is known to have chat
    lock            1: no allocation is possible during a session
    """

    name = b"unix"

    def __init__(self) -> None:
        options: "dict[str, str]" = {}
        self.options = options
        for argument in sys.argv[1:]:
            name, value = argument.split("=", 1)
            options[name] = value
        self.seed = int(options.get("seed", "1"))
        self.language = int(options["language"]) if "language" in options else None
        self.out = Out(options.get("out", "1"))
        self.uart = Line(options["line"], self.out, options.get("marks") == "1")
        self.keys = Keys(options["keys"])
        self.store = Store(options["store"]) if "store" in options else None
        self.panel = self._panel(options.get("panel", "20x4"), int(options.get("rom", "0")))
        self.both = poll()
        self.both.register(self.uart.read, POLLIN)
        self.both.register(self.keys.read, POLLIN)
        self.app: "App | None" = None
        self.chat = bytes(_unhex(options.get("chat", "")))
        self.locked = False
        self.lock = options.get("lock") == "1"
        self.sound = bytearray(b"B\x01\x00")
        self.notice = bytearray(b"N\x01\x00")
        self.happened = bytearray(2 + 255)
        self.happened[0] = 69
        self.clock = Clock(ticks_ms, passed)
        self.ticks = self.clock.ticks
        # The first poll may allocate.
        ready(self.both, 0)
        ready(self.uart.poller, 0)
        ready(self.uart.out, 0)
        ready(self.keys.poller, 0)

    def _panel(self, name: str, rom: int) -> "Panel":
        bus = Bus(self.out)
        if name == "128x64":
            return Pixels(Ssd1306(bus))
        if name == "84x48":
            return Pixels(Pcd8544(bus))
        columns, rows = name.split("x")
        return Lcd(bus, int(columns), int(rows), rom)

    def held(self) -> bool:
        return False

    def fault(self, error: Exception) -> None:
        """Leave it to the parent process to show the error."""
        if self.locked:
            heap_unlock()
        if _CPYTHON:
            raise error
        sys.print_exception(error, sys.stderr)
        sys.exit(1)

    def restart(self) -> None:
        """Never called: fault() does not return."""

    def begin(self, app: "App") -> None:
        """Called once before the loop."""
        self.app = app
        options = self.options
        storage = app.storage
        if storage.new and "usual_language" in options:
            storage.language = int(options["usual_language"])
            app.texts.choose(storage.language)
        if "nick" in options:
            nick = _unhex(options["nick"])
            storage.set_nick(nick, len(nick))
        if "letters" in options:
            storage.letters = options["letters"] == "1"
        if "level" in options:
            storage.level = int(options["level"])
        if "offer" in options:
            offer = options["offer"].split(",")
            for i in range(5):
                app.offer[i] = int(offer[i])
        if options.get("auto") == "1":
            app.play_by_itself(int(options.get("games", "1")))
        if "role" in options:
            app.play(_ROLES[options["role"]])

    def ms(self) -> int:
        return ticks_ms() & _CLOCK

    def idle(self) -> None:
        """Wait for a byte, a key or the next tick, or a few milliseconds while the link waits for a quiet line."""
        app = self.app
        if self.uart.lost or self.keys.ended:
            app.stopping = True
            if app.playing and not app.alone:
                # report what is already decided before ending
                app.link.cut()
            else:
                app.off = True
            return
        ready(self.both, _CALM_MS if app is None or app.link.wants_calm else self.clock.left())

    def beep(self, kind: int) -> None:
        self.sound[2] = kind
        self.out.send(self.sound, 3)

    def notify(self, what: int) -> None:
        self.notice[2] = what
        self.out.send(self.notice, 3)
        if what == NOTICE_BEGUN and self.lock and not self.locked:
            self.notice[2] = NOTICE_LOCKED
            self.out.send(self.notice, 3)
            self.locked = True
            heap_lock()

    def event(self, code: int) -> None:
        app = self.app
        link = app.link
        h = self.happened
        h[2] = code
        h[3] = link.a
        h[4] = link.b
        for i in range(links.EVENT_ROLE, links.EVENT_EARLIER_ANSWER + 1):
            h[2 + i] = link.details[i]
        n = 0
        if code == links.EV_NICK:
            n = self._text(link.peer_nick, link.peer_nick_len)
        elif code == links.EV_CHAT:
            n = self._text(link.text, link.text_len)
        h[1] = _HEAD - 2 + n
        if code != links.EV_CLOSED or not self.uart.lost:  # nobody has left a line that was cut
            self.out.send(h, _HEAD + n)
        if code == links.EV_CHAT_KNOWN and link.a and self.chat:
            link.send_chat(self.chat, len(self.chat))
        if code == links.EV_CLOSED and self.locked:
            self.locked = False
            heap_unlock()

    def _text(self, text: "Buffer", n: int) -> int:
        n = min(n, 255 - (_HEAD - 2))
        for i in range(n):
            self.happened[_HEAD + i] = text[i]
        return n


def ready(poller: "poll", ms: int) -> bool:
    """Return whether a descriptor of a poll object is ready, waiting up to `ms` for it."""
    if _CPYTHON:
        return bool(poller.poll(ms))
    for _ in poller.ipoll(ms):
        return True
    return False


def passed(later: int, earlier: int) -> int:
    """Return the ms between two times.

    While the computer holds this program up, its time nearly stands still: the other side is often held up as well, and
    the rest of its frame comes at once then.
    """
    return min(ticks_diff(later, earlier), _HELD_UP_MS)


def _unhex(text: str) -> bytearray:
    return bytearray(int(text[i : i + 2], 16) for i in range(0, len(text), 2))
