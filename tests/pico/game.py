"""Whole games on the emulated board: the PC's bot at the other end of the line, a script that presses the keys.

Everything happens in simulated time. The PC's side is the same Link, Player and Bot that `seabattle bot` runs, woken
only when a byte has come or its own tick is due. A `Twin`, the same firmware on CPython, gets
the same keys and bytes at the same times: it is the reference for the display.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

from seabattle import wire
from seabattle.bot import Bot
from seabattle.gunner import DENSITY, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host import assets
from seabattle_host.boards import minifier
from seabattle_host.line import panels
from seabattle_host.simulation.engine import Endpoint
from tests import desk
from tests.pico import wirings
from tests.pico.rig import Frame, Rig, display_pixels

BYTE_SECONDS = 12 / 9600
KEY_SECONDS = 0.04
"""Seconds for which a key is held, and released: twice what the firmware's debouncing takes."""

SMALL = (6, 0, 0, 1, 2)
"""Size, and ships of 4, 3, 2 and 1 decks: the smallest field, for a short game."""

HEAP = 110 * 1024
"""Bytes of heap left to the board of the tests: a small board's."""

SEED = 7
"""Seed of the board's random numbers, for tests that need them fixed."""

US = 1e-6

# The board of the tests places the same ships each time, tells its console what its heap holds, and allocates nothing
# from its start to the end of the battle; from then on it has the heap of a Pico W. What it gives the board here has
# names of its own: one that the game knows as well gets a short one, which may be a method's of the board.
WATCHED = f"""
import gc, micropython
gc.collect()
empty = gc.mem_alloc()
ballast = bytearray(empty + gc.mem_free() - {HEAP})
import board as wiring
from seabattle.link import EV_OVER

class Watched(wiring.Board):
    def begin(self, app):
        super().begin(app)
        self.all = 0  # the room for the name counts too
        gc.collect()
        self.all = gc.mem_alloc() - len(ballast)
        print("heap before", self.all, "made", self.all - self.code_end, "code", self.code_end - empty)
        micropython.heap_lock()

    def event(self, code):
        if code == EV_OVER:
            global ballast
            micropython.heap_unlock()
            print("heap after", gc.mem_alloc() - len(ballast))
            ballast = b""
            gc.collect()
        super().event(code)

def made(pins=None):
    import seaboard.app
    if not wiring.PANEL:
        import seaboard.panel
    elif wiring.PANEL[:3] == "lcd":
        import seaboard.lcd
    else:
        import seaboard.pixels
    gc.collect()
    code = gc.mem_alloc() - len(ballast)
    board = Watched(pins)
    board.code_end = code
    board.seed = {SEED}
    return board

wiring.Board = made
"""


TOLD = "heap in use"
"""Printed by a board with in_use_image(), before the bytes."""


def in_use_image(folder: Path, panel: str) -> Path:
    """A file system with the unchanged game, except that main.py prints the heap in use at the start."""
    main = (assets.firmware() / "main.py").read_text(encoding="utf-8")
    begin = "        here.begin(app)\n"
    assert begin in main
    main = main.replace(begin, f"{begin}        gc.collect()\n        print({TOLD!r}, gc.mem_alloc())\n")
    return wirings.game_image(folder, panel, {"main.py": minifier.for_board(main).encode()})


def watched_image(folder: Path, panel: str, more: str = "", files: dict[str, bytes] | None = None) -> Path:
    """A file system with the unchanged game, and WATCHED and `more` in front of main.py."""
    main = (assets.firmware() / "main.py").read_text(encoding="utf-8")
    return wirings.game_image(
        folder, panel, {"main.py": minifier.for_board(WATCHED + more + main).encode(), **(files or {})}
    )


def start(rig: Rig, panel: str, image: Path) -> float:
    """Power the board; returns the simulated seconds until the game had started."""
    rig.boot(("board", wirings.wiring(panel)), filesystem=image)
    ready = rig.until(lambda: "seabattle: ready" in rig.console(), "start")
    rig.run(0.1)
    return ready


@dataclasses.dataclass(frozen=True)
class Message:
    """A frame of the protocol on the wire: who sent it, its opcode, and its first and last moment in seconds."""

    from_board: bool
    op: int
    data: bytes
    start: float
    end: float


class Decoder:
    """Assembles one direction's bytes to messages."""

    def __init__(self, from_board: bool) -> None:
        self.from_board = from_board
        self.reader = wire.Reader()
        self.start = 0.0
        self.noise = 0

    def feed(self, frame: Frame) -> Message | None:
        """Take one byte; the message it completes, if it does."""
        if not self.reader.within:
            self.start = frame.start
        verdict = self.reader.feed(frame.value)
        self.noise += verdict == wire.NOISE
        if verdict != wire.FRAME:
            return None
        data = bytes(self.reader.data[: self.reader.size])
        return Message(self.from_board, self.reader.op, data, self.start, frame.end)


def messages(heard: list[Frame], sent: list[Frame]) -> list[Message]:
    """Return all messages from the board and to it, in order of the first bytes. Fails on a stray byte."""
    found = []
    for from_board, frames in ((True, heard), (False, sent)):
        decoder = Decoder(from_board)
        found += [message for frame in frames if (message := decoder.feed(frame))]
        assert decoder.noise == 0
    return sorted(found, key=lambda message: message.start)


def replies(heard: list[Frame], sent: list[Frame]) -> list[tuple[int, float]]:
    """Return for each command that the board answered while it was not sending: the command's opcode, and the seconds
    from its last bit to the first bit of the answer.
    """
    waiting: dict[int, float] = {}
    found = []
    for message in messages(heard, sent):
        if not message.from_board and wire.is_command(message.op):
            waiting[message.op] = message.end
        elif message.from_board and (command := wire.command_of(message.op)) in waiting:
            asked = waiting.pop(command)
            if not any(frame.start < message.start and frame.end > asked for frame in heard):
                found.append((command, message.start - asked))
    return found


class Twin:
    """The same firmware on CPython, with the same panel and the board's saved data."""

    KEYS: ClassVar = {"up": desk.keys.UP, "down": desk.keys.DOWN, "left": desk.keys.LEFT, "right": desk.keys.RIGHT}

    def __init__(self, panel: str, saved: bytes) -> None:
        names = {"ssd1306": "128x64", "sh1106": "128x64", "pcd8544": "84x48"}
        name = names.get(panel.removesuffix("-spi"), panel.removeprefix("lcd"))
        store = desk.Store()
        store.slots[0] = saved
        self.desk = desk.Desk(name, language=None, rom="A00", store=store, esc=False)
        self.said = bytearray()

    def turn(self, until: float) -> None:
        """Let its time run to this second."""
        while self.desk.now < until * 1000:
            self.desk.turn()
            self.said += self.desk.outgoing
            self.desk.outgoing.clear()

    def picture(self) -> list[list[int]]:
        return [list(row) for row in self.desk.display.rows]  # type: ignore[attr-defined]


class Game:
    """One board on `rig` against the PC's bot.

    role: the bot's, wire.MASTER or wire.SLAVE. offer: size, ships of 4, 3, 2, 1 decks. saved: the data in the board's
    flash. The bot does nothing while `idle` is set.
    """

    def __init__(
        self,
        rig: Rig,
        role: int,
        panel: str,
        offer: tuple[int, int, int, int, int] = (10, 1, 2, 3, 4),
        saved: bytes = b"",
        seed: int = 1,
    ) -> None:
        self.rig = rig
        self.idle = False
        rng = Rng(seed)
        self.player = Player(Link(role, rng), rng)
        bot = Bot(self.player, Gunner(self.player.radar, rng, DENSITY), 0, offer)
        self.events: list[int] = []
        self.endpoint = Endpoint(self.player, bot, on_event=self.events.append)
        self.endpoint.link.nick(b"pc", 2)
        self.began = rig.run(0)
        self.heard: list[Frame] = []
        self.sent: list[Frame] = []
        self.twin = Twin(panel, saved)
        self._mirrored = 0
        self._keys: list[tuple[float, int]] = []

    @property
    def link(self) -> Link:
        return self.endpoint.link

    def messages(self) -> list[Message]:
        return messages(self.heard, self.sent)

    def replies(self) -> list[tuple[int, float]]:
        return replies(self.heard, self.sent)

    def run(self, seconds: float) -> None:
        """Let simulated seconds pass with both sides running."""
        now = self.rig.run(0)
        end = now + seconds
        while now < end:
            due = self.began + self.endpoint.due * US
            if due <= now:
                self.endpoint.ticks += 1
                self.link.tick()
            else:
                now = self.rig.run(min(due, end) - now, until_byte=True)
            self._exchange()

    def _exchange(self) -> None:
        """Deliver the bytes received, let the bot act, send its bytes."""
        for frame in self._take():
            self.link.rx(frame.value)
            self._act()
        self._act()
        out = bytearray()
        while (byte := self.link.tx()) >= 0:
            out.append(byte)
        if out:
            self._give(bytes(out))

    def _take(self) -> list[Frame]:
        """Return the frames received from the board."""
        heard, sent = self.rig.frames()
        self.heard += heard
        self.sent += sent
        return heard

    def _give(self, data: bytes) -> None:
        """Send bytes to the board."""
        self.rig.send(data)

    def _act(self) -> None:
        if not self.idle:
            self.endpoint.act()
        while code := self.player.poll():
            self.events.append(code)

    def until(self, condition: Callable[[], object], what: str, timeout: float = 60.0) -> None:
        """Run until the condition holds; fails after `timeout` simulated seconds."""
        end = self.rig.run(0) + timeout
        while not condition():
            if self.rig.run(0) >= end:
                trouble = f"state {self.link.state}, {self.endpoint.trouble}, console {self.rig.console()[-1000:]!r}"
                raise AssertionError(f"not within {timeout} s: {what}; {trouble}; the board shows\n{self.text()}")
            self.run(0.02)

    # -- the hands at the board

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            # A direction counts when pressed, OK when released: it might become a long press.
            counts = self.rig.run(0) + (0 if key in Twin.KEYS else KEY_SECONDS)
            self._keys.append((counts, Twin.KEYS.get(key, desk.keys.OK)))
            self.rig.press(key, hold=KEY_SECONDS)
            self.run(2 * KEY_SECONDS)

    def choose(self, item: int) -> None:
        """Choose the item, counted from 0, of a list that points at its first one."""
        self.press(*["down"] * item, "ok")

    def hold_ok(self) -> None:
        """Hold OK long enough to mean Back."""
        self._keys.append((self.rig.run(0) + 0.7, desk.keys.BACK))
        self.rig.press("ok", hold=0.8)
        self.run(0.85)

    # -- reading its display

    def follow(self) -> None:
        """Bring the twin up to the board's time."""
        bytes_ = [(frame.end, False, frame.value) for frame in self.sent[self._mirrored :]]
        self._mirrored = len(self.sent)
        keys = [(when, True, key) for when, key in self._keys]
        self._keys.clear()
        for when, is_key, value in sorted(bytes_ + keys):
            self.twin.turn(when)
            if is_key:
                self.twin.desk.pressed.append(value)
            else:
                self.twin.desk.incoming.append(value)
        self.twin.turn(self.rig.run(0))

    def picture(self) -> list[list[int]]:
        """Return the rows of pixels on the board's display."""
        (display,) = self.rig.displays()
        if display["kind"] != "hd44780":
            assert display["lit"] and display["upright"]
            return [list(map(int, row)) for row in display_pixels(display)]
        return [list(row) for row in _letters(display).rows]

    def check_picture(self) -> None:
        """Fails unless the board's display shows the twin's picture within two seconds (it draws, and may blink)."""
        self.follow()
        expected: list[list[list[int]]] = []
        for _ in range(50):
            self.run(0.04)
            seen = self.picture()
            self.follow()
            if not self.twin.desk.busy:
                expected.append(self.twin.picture())
            if seen in expected:
                assert any(map(any, seen))
                return
        raise AssertionError(f"the board shows\n{drawn(seen)}\ninstead of\n{drawn(self.twin.picture())}")

    def check_words(self) -> None:
        """Fails unless the board has sent the same commands and replies as its twin."""
        self.follow()
        assert _said(frame.value for frame in self.heard) == _said(self.twin.said)

    def text(self) -> str:
        """Return the content of the board's display in letters."""
        (display,) = self.rig.displays()
        if display["kind"] == "hd44780":
            assert display["on"] and display["tooEarly"] == 0
            return "\n".join(_letters(display).text())
        shown = panels.Graphic(display["width"], display["height"])
        shown.rows = [bytearray(row) for row in self.picture()]
        return "\n".join(shown.text())


def usb_frames(packets: Iterable[tuple[float, bytes]]) -> list[Frame]:
    """Return the bytes that came over USB, where a byte has no duration."""
    return [Frame(value, at, at) for at, data in packets for value in data]


class UsbGame(Game):
    """The same over the board's USB cable, where a byte has no duration."""

    def __init__(self, rig: Rig, role: int, offer: tuple[int, int, int, int, int], seed: int = 1) -> None:
        super().__init__(rig, role, "lcd16x2", offer, seed=seed)

    def _take(self) -> list[Frame]:
        heard = usb_frames(self.rig.usb())
        self.heard += heard
        return heard

    def _give(self, data: bytes) -> None:
        now = self.rig.run(0)
        self.sent += usb_frames([(now, data)])
        self.rig.type_bytes(data)


def _said(values: Iterable[int]) -> tuple[list[bytes], list[bytes]]:
    """Split bytes into commands and replies, in order, without syncs and their answers."""
    decoder = Decoder(True)
    said: tuple[list[bytes], list[bytes]] = [], []
    for value in values:
        message = decoder.feed(Frame(value, 0.0, 0.0))
        if message and message.op not in (wire.SYNC, wire.SYNCED):
            said[wire.is_reply(message.op)].append(bytes([message.op]) + message.data)
    return said


def _letters(display: dict[str, Any]) -> panels.Character:
    """Return a character display with the memory of another."""
    assert display["on"]
    shown = panels.Character(display["columns"], display["rows"], "A00")
    shown.handle_message("I", bytes((0x40, 0)))
    for value in bytes.fromhex(display["custom"]):
        shown.handle_message("I", bytes((value, 1)))
    for y, row in enumerate(display["codes"]):
        shown.handle_message("I", bytes((0x80 | (y & 1) * 0x40 + (y >> 1) * display["columns"], 0)))
        for value in bytes.fromhex(row):
            shown.handle_message("I", bytes((value, 1)))
    return shown


def drawn(picture: Iterable[Iterable[int]]) -> str:
    """Return a picture for an error message."""
    return "\n".join("".join(".#"[pixel] for pixel in row) for row in picture)


MAIN_MENU_MASTER, MAIN_MENU_SLAVE = 1, 2
PLACE_AT_RANDOM, PLACE_READY = 2, 1


class Hands:
    """A person at the board who plays a game: chooses the role, places at random, shoots at given cells."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.size = 0
        self.x = self.y = 0

    def meet(self, as_master: bool) -> None:
        """Go from the main menu to the placing of ships."""
        game = self.game
        game.choose(MAIN_MENU_MASTER if as_master else MAIN_MENU_SLAVE)
        if as_master:
            game.until(lambda: game.link.state == 1, "meeting")
            game.run(0.5)
            game.press("ok")  # the list of parameters points at Start
        game.until(lambda: game.link.state in (2, 3), "parameters", 20)
        game.run(0.3)

    def place(self) -> None:
        """Place the ships at random and confirm."""
        game = self.game
        game.hold_ok()
        game.choose(PLACE_AT_RANDOM)
        game.run(0.2)
        game.hold_ok()
        game.choose(PLACE_READY)
        game.until(lambda: game.link.state == 4, "battle", 20)
        self.size = game.player.fleet.width
        self.x = self.y = (self.size - 1) // 2  # the initial cell of the battle's cursor

    def shoot(self, x: int, y: int) -> None:
        """Move the cursor by the shorter way round, and shoot."""
        keys = []
        for distance, ahead, back in ((x - self.x, "right", "left"), (y - self.y, "down", "up")):
            steps = distance % self.size
            keys += [ahead] * steps if steps <= self.size // 2 else [back] * (self.size - steps)
        self.x, self.y = x, y
        self.game.press(*keys, "ok")

    def fight(self, cells: Iterable[tuple[int, int]], enough: bool = False, most: float = 400.0) -> None:
        """Shoot at these cells in turn, whenever it is the board's turn, until the game is over.

        With `enough` the game may go on after all of them. Fails after `most` simulated seconds.
        """
        game = self.game
        end = game.rig.run(0) + most
        waiting = list(cells)
        while game.endpoint.result is None and (waiting or not enough):
            if game.rig.run(0) > end:
                raise AssertionError(f"the game was not over within {most} s")
            if game.link.state == 4 and not game.link.my_turn and waiting:
                shots = game.player.its_shots
                self.shoot(*waiting.pop(0))

                def answered(before: int = shots) -> bool:
                    return game.player.its_shots > before or game.endpoint.result is not None

                game.until(answered, "a shot")
            else:
                game.run(0.02)


def saved(offer: tuple[int, int, int, int, int]) -> bytes:
    """Return the flash record of a board whose owner has chosen these parameters before."""
    from seaboard.storage import Storage

    store = desk.Store()
    storage = Storage(store, 0)
    storage.set_offer(bytes(offer))
    storage.save()
    return store.slots[storage.slot]


def decks(game: Game, water: bool = False) -> list[tuple[int, int]]:
    """Return the cells of the PC's ships, or those of the water."""
    size = game.player.fleet.width
    return [(c % size, c // size) for c in range(size * size) if bool(game.player.field.ship[c]) != water]
