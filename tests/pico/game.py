"""A whole game on the emulated board: the PC's bot at the other end of the line, a script that presses the keys.

Everything happens in simulated time. The PC's side is the same Link, Player and Bot that `seabattle bot` runs, woken when
a byte has come, when its own tick is due, and never otherwise.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from seabattle import wire
from seabattle.bot import Bot
from seabattle.gunner import DENSITY, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.world import Seat
from tests.pico.rig import Frame, Rig

KEY_SECONDS = 0.06
"""How long a key is held, and let go: three times what the firmware takes for steady."""

US = 1e-6


@dataclasses.dataclass(frozen=True)
class Message:
    """A frame of the protocol on the wire: who sent it, its opcode, and its first and last moment in seconds."""

    from_board: bool
    op: int
    data: bytes
    start: float
    end: float


class Decoder:
    """Bytes of one direction to messages."""

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


class Game:
    """One board on `rig` against the PC's bot. `role` is the bot's: wire.MASTER or wire.SLAVE."""

    def __init__(self, rig: Rig, role: int, seed: int = 1) -> None:
        self.rig = rig
        rng = Rng(seed)
        self.player = Player(Link(role, rng), rng)
        bot = Bot(self.player, Gunner(self.player.radar, rng, DENSITY), 0, (10, 1, 2, 3, 4))
        self.events: list[int] = []
        self.seat = Seat(self.player, bot, on_event=self.events.append)
        self.seat.link.nick(b"pc", 2)
        self.began = rig.run(0)
        self.heard: list[Frame] = []
        self.sent: list[Frame] = []

    @property
    def link(self) -> Link:
        return self.seat.link

    def messages(self) -> list[Message]:
        """All that was said so far, in order of the first bytes. Fails on a byte that belongs to nothing."""
        found = []
        for from_board, frames in ((True, self.heard), (False, self.sent)):
            decoder = Decoder(from_board)
            found += [message for frame in frames if (message := decoder.feed(frame))]
            assert decoder.noise == 0
        return sorted(found, key=lambda message: message.start)

    def reply_seconds(self) -> list[float]:
        """For each command of the bot that the board answered: from its last bit to the first bit of the answer."""
        waiting: dict[int, float] = {}
        times = []
        for message in self.messages():
            if not message.from_board and wire.is_command(message.op):
                waiting[message.op] = message.end
            elif message.from_board and (command := wire.command_of(message.op)) in waiting:
                times.append(message.start - waiting.pop(command))
        return times

    def run(self, seconds: float) -> None:
        """Let simulated seconds pass with both sides at work."""
        now = self.rig.run(0)
        end = now + seconds
        while now < end:
            due = self.began + self.seat.due * US
            if due <= now:
                self.seat.ticks += 1
                self.link.tick()
            else:
                now = self.rig.run(min(due, end) - now, until_byte=True)
            self._exchange()

    def _exchange(self) -> None:
        """Pass on what has come, let the bot act, send what it has to say."""
        heard, sent = self.rig.frames()
        self.heard += heard
        self.sent += sent
        for frame in heard:
            self.link.rx(frame.value)
            self.seat.act()
        self.seat.act()
        out = bytearray()
        while (byte := self.link.tx()) >= 0:
            out.append(byte)
        if out:
            self.rig.send(bytes(out))

    def until(self, condition: Callable[[], object], what: str, timeout: float = 60.0) -> None:
        """Run until the condition holds; fails after `timeout` simulated seconds."""
        end = self.rig.run(0) + timeout
        while not condition():
            if self.rig.run(0) >= end:
                raise AssertionError(f"not within {timeout} s: {what}; state {self.link.state}, {self.seat.trouble}")
            self.run(0.02)

    # -- the hands at the board

    def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.rig.press(key, hold=KEY_SECONDS)
            self.run(2 * KEY_SECONDS)

    def choose(self, item: int) -> None:
        """Choose the item, from 0, of a list that points at its first one."""
        self.press(*["down"] * item, "ok")

    def hold_ok(self) -> None:
        """Hold OK for as long as it takes to mean Back."""
        self.rig.press("ok", hold=0.9)
        self.run(1.0)


MAIN_MENU_MASTER, MAIN_MENU_SLAVE = 1, 2
PLACE_AT_RANDOM, PLACE_READY = 2, 1


class Hands:
    """A person at the board who plays a game: chooses the role, places at random, shoots along the rows."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.x = self.y = 4  # where the battle's cursor begins on a field of ten

    def meet(self, as_master: bool) -> None:
        """From the main menu into the placing of ships."""
        game = self.game
        game.choose(MAIN_MENU_MASTER if as_master else MAIN_MENU_SLAVE)
        if as_master:
            game.until(lambda: game.link.state == 1, "meeting")
            game.run(1.0)
            game.press("up", "ok")  # the last item of the parameters is Start
        game.until(lambda: game.link.state == 2, "parameters", 20)
        game.run(0.5)

    def place(self) -> None:
        """Have the ships placed at random, and say that they stand."""
        game = self.game
        game.hold_ok()
        game.choose(PLACE_AT_RANDOM)
        game.run(1.5)
        game.hold_ok()
        game.choose(PLACE_READY)
        game.until(lambda: game.link.state == 4, "battle", 20)

    def shoot(self, x: int, y: int) -> None:
        """Move the cursor by the shorter way round, and shoot."""
        keys = []
        for distance, ahead, back in ((x - self.x, "right", "left"), (y - self.y, "down", "up")):
            steps = distance % 10
            keys += [ahead] * steps if steps <= 5 else [back] * (10 - steps)
        self.x, self.y = x, y
        self.game.press(*keys, "ok")

    def fight(self, cells: list[tuple[int, int]], most: float = 400.0) -> None:
        """Shoot at these cells in turn, whenever it is the board's turn, until the game is over."""
        game = self.game
        end = game.rig.run(0) + most
        waiting = iter(cells)
        while game.seat.result is None:
            if game.rig.run(0) > end:
                raise AssertionError(f"the game was not over within {most} s")
            if game.link.state == 4 and not game.link.mine and not game.link.my_turn:
                shots = game.player.its_shots
                self.shoot(*next(waiting))
                game.until(lambda shots=shots: game.player.its_shots > shots or game.seat.result is not None, "a shot")
            else:
                game.run(0.05)
