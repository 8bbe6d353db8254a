"""A board on the desk: the firmware in this process, in simulated time, with a display to read and keys to press.

`Desk` has no opponent; `join` connects one to its line.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable
from typing import Any

from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host import assets
from seabattle_host.line import panels
from tests import glass

sys.path.append(str(assets.firmware()))

from seaboard import fault as fault
from seaboard import keys
from seaboard import mipi as mipi
from seaboard.app import App
from seaboard.colour import Colour
from seaboard.lcd import Lcd
from seaboard.pixels import Pcd8544, Pixels, Ssd1306

PANELS = panels.NAMES
NARROW = ("84x48", "16x2")
"""Panels with the shortest lines."""
LANGUAGES = (0, 1)

TICK_MS = 65536 / 1193.182
LONG = 15_000
"""Turns of the loop, a millisecond each, after which a wait is given up."""


class Store:
    """Two slots. `room`: how many bytes can still be written before the power fails, None for no limit."""

    def __init__(self) -> None:
        self.slots = [b"", b""]
        self.room: int | None = None

    def read(self, slot: int, buffer: bytearray) -> int:
        data = self.slots[slot][: len(buffer)]
        buffer[: len(data)] = data
        return len(data)

    def write(self, slot: int, buffer: bytearray) -> None:
        # a file system may leave any beginning of what was to be written
        self.slots[slot] = bytes(buffer if self.room is None else buffer[: self.room])
        if self.room is not None:
            raise PowerFailure


class PowerFailure(Exception):
    """The power was cut."""


class Bus:
    """Passes a driver's bytes to the display's controller."""

    def __init__(self, panel: panels.Panel):
        self.panel = panel
        self.sent = 0

    def send(self, value: int, data: int) -> None:
        self.sent += 1
        self.panel.handle_message("I", bytes([value, data]))

    def command(self, buffer: bytearray) -> None:
        self.sent += len(buffer)
        self.panel.handle_message("C", bytes(buffer))

    def data(self, buffer: bytearray) -> None:
        self.sent += len(buffer)
        self.panel.handle_message("D", bytes(buffer))


class Desk:
    """A board, its own `board` object. panel: a name; language: 0 English, 1 Russian, None as saved."""

    name = b"desk"
    seed = 7

    def __init__(
        self,
        panel: str = "20x4",
        language: int | None = 0,
        rom: str = "MT",
        store: Store | None = None,
        esc: bool = True,
    ):
        # The firmware collects garbage now and then: it should scan its own memory, not that of all tests before.
        gc.freeze()
        self.language = language
        self.display: Any = (
            glass.Canvas(*map(int, panel.partition("-")[2].split("x")))
            if "-" in panel
            else panels.make_panel(panel, rom)
        )
        self.bus = Bus(self.display)
        self.panel: Any
        if "-" in panel:
            self.panel = Colour(self._colour_chip())
        elif panel == "128x64":
            self.panel = Pixels(Ssd1306(self.bus))
        elif panel == "84x48":
            self.panel = Pixels(Pcd8544(self.bus))
        else:
            columns, rows = map(int, panel.split("x"))
            self.panel = Lcd(self.bus, columns, rows, panels.ROMS.index(rom))
        self.store = store
        self.uart = self
        self.keys = self
        self.esc = esc
        self.now = 0
        self.incoming = bytearray()
        self.outgoing = bytearray()
        self.pressed: list[int] = []
        self.events: list[int] = []
        self.notices: list[int] = []
        self.other: Opponent | None = None
        self.loop_back: Callable[[int], list[int]] | None = None
        self.app = App(self, self.seed)
        self.busy = True

    def _colour_chip(self) -> Any:
        return self.display

    # what the firmware uses

    def any(self) -> int:
        return len(self.incoming)

    def readinto(self, buffer: bytearray) -> int:
        n = min(len(self.incoming), len(buffer))
        buffer[:n] = self.incoming[:n]
        del self.incoming[:n]
        return n

    def write(self, buffer: bytearray) -> int:
        for byte in buffer:
            self.outgoing.append(byte)
            if self.loop_back is not None:
                self.incoming += bytes(self.loop_back(byte))
        return len(buffer)

    def ticks(self) -> int:
        return int(self.now / TICK_MS)

    def ms(self) -> int:
        return self.now

    def get(self, _ms: int) -> int:
        return self.pressed.pop(0) if self.pressed else 0

    def beep(self, _kind: int) -> None:
        pass

    def event(self, code: int) -> None:
        self.events.append(code)

    def notify(self, what: int) -> None:
        self.notices.append(what)

    # what a test uses

    def join(self, role: int, seed: int = 11) -> Opponent:
        """Connect an opponent to the other end."""
        self.other = Opponent(role, seed)
        return self.other

    def turn(self) -> None:
        """Run one millisecond: one turn of the loop, and the line's."""
        self.now += 1
        self.busy = self.app.step()
        if self.other is not None:
            sent, self.outgoing = self.outgoing, bytearray()
            self.incoming += self.other.turn(bytes(sent), self.ticks())

    def until(self, what: Callable[[], object], turns: int = LONG, step: int = 1) -> None:
        """Turn until `what()` is true, checked every `step` turns; fail after `turns`."""
        for _ in range(0, turns, step):
            if what():
                return
            for _ in range(step):
                self.turn()
        raise AssertionError("it did not happen; the display shows:\n" + "\n".join(self.text()))

    def settle(self) -> None:
        """Turn until all key presses are handled and drawn."""
        self.until(lambda: not self.pressed)
        self.until(lambda: not self.busy)

    def press(self, *codes: int) -> None:
        """Press keys one after the other, each drawn before the next."""
        for code in codes:
            # a key pressed on a page means that it was read
            self.until(lambda: not getattr(self.app.ui.screen, "unread", False))
            self.pressed.append(code)
            self.settle()

    def text(self) -> list[str]:
        """Return the display's content in letters."""
        return self.display.text()

    def shows(self, text: str) -> bool:
        """Return whether the display shows a text, perhaps broken into lines. Ignores case, since some
        character displays have only capitals in Russian.
        """
        return squeezed(text) in squeezed("".join(line + " " for line in self.text()))

    def see(self, text: str) -> None:
        """Wait until the display shows a text."""
        self.until(lambda: self.shows(text), step=20)

    def choose(self, text: str) -> None:
        """Move a menu's pointer to the item with this text, and press OK."""
        for _ in range(40):
            self.settle()
            if any(line[:1] in ("►", ">") and squeezed(text) in squeezed(line) for line in self.text()):
                self.press(keys.OK)
                return
            self.press(keys.DOWN)
        raise AssertionError(f"no item {text!r}; the display shows:\n" + "\n".join(self.text()))

    def do(self, script: str) -> None:
        """Run a script: `up down ok` are keys, `=c7` is typed, `[About]` is chosen from a menu; `"text"` must appear,
        `!"text"` must not be there now, and `="text"` must still be.
        """
        for word in words_of(script):
            kind, text = word[0], word.strip('!="[]')
            if kind == "[":
                self.choose(text)
            elif kind == '"':
                self.see(text)
            elif word[1:2] == '"':
                self.settle()
                assert self.shows(text) == (kind == "="), f"{word}; the display shows:\n" + "\n".join(self.text())
            elif kind == "=":
                self.press(*text.encode("cp866"))
            else:
                self.press(getattr(keys, word.upper()))


def words_of(script: str) -> list[str]:
    """Split a script into words, keeping texts in quotes or brackets whole."""
    return re.findall(r'[!=~]?"[^"]*"|\[[^]]*\]|\S+', script)


class Opponent:
    """The other end: a link with its game, which only answers."""

    def __init__(self, role: int, seed: int):
        rng = Rng(seed)
        self.link = Link(role, rng)
        self.link.nick(b"other", 5)
        self.player = Player(self.link, rng)
        self.events: list[tuple[int, int, int]] = []
        self.ticks = 0
        self.deaf = False
        """It neither receives nor sends anything."""
        self.held = False
        """Its bytes are held back, and come later."""
        self.heard = bytearray()
        self._said = bytearray()

    def turn(self, heard: bytes, ticks: int) -> bytes:
        self.heard += heard
        if self.deaf:
            return b""
        for byte in heard:
            self.link.rx(byte)
            self._poll()
        while self.ticks < ticks:
            self.ticks += 1
            self.link.tick()
            self._poll()
        while (byte := self.link.tx()) >= 0:
            self._said.append(byte)
        if self.held:
            return b""
        said, self._said = self._said, bytearray()
        return bytes(said)

    def _poll(self) -> None:
        while code := self.player.poll():
            self.events.append((code, self.link.a, self.link.b))

    def place(self) -> None:
        """Place the fleet at random and send ready."""
        assert self.player.field.random(self.player.rng)
        self.player.ready()


_ALIKE = str.maketrans("авекмнорстухёзчь", "abekmhopctyxe34b", "·|")


def squeezed(text: str) -> str:
    """Return a text in small letters, without white space and a field's signs, look-alike letters made one."""
    return "".join(text.split()).lower().translate(_ALIKE)
