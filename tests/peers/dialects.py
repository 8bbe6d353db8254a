"""Peers that behave like two real programs by other people, called L and B here.

Each is a script of what was seen on the wire of a real program, faults included; none shares code with the project's
own link. A peer takes bytes by `rx`, time by `tick`, and leaves its bytes in `out`. It places its ships on a fixed
10x10 field and shoots at cells in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import ClassVar

# The classic fleet, by hand: one row a ship.
SHIPS = (
    ((1, 1), (2, 1), (3, 1), (4, 1)),
    ((6, 1), (7, 1), (8, 1)),
    ((2, 3), (3, 3), (4, 3)),
    ((6, 3), (7, 3)),
    ((2, 5), (3, 5)),
    ((5, 5), (6, 5)),
    ((8, 5),),
    ((2, 7),),
    ((4, 7),),
    ((6, 7),),
)
DECKS = sum(map(len, SHIPS))
PARAMS = bytes([0xB2, 10, 1, 2, 3, 4])
TAGGED = bytes([0xB2, 10, 0x41, 0x32, 0x23, 0x14])


def fleet_for(size: int, counts: Sequence[int]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Place the ships of other parameters than the classic ones in every other row, one behind the other."""
    lengths = [length for length, count in zip((4, 3, 2, 1), counts, strict=True) for _ in range(count)]
    ships, x, y = [], 2, 2
    for length in lengths:
        if x + length - 1 > size:
            x, y = 2, y + 2
        ships.append(tuple((x + i, y) for i in range(length)))
        x += length + 1
    return tuple(ships)


class Dialect:
    """What L and B have in common: no timeouts, no A0, no A8, no chat; unknown bytes are ignored."""

    nick = b"PROGRAM L "

    def __init__(self, delay: int = 2) -> None:
        self.out = bytearray()
        self.delay = delay  # ticks of thought before an action of its player
        self.size = 0
        self.start()
        self.agreed(PARAMS[1:])
        self.left = False
        self.result = ""
        self.heard_nick = b""
        self.complaints: list[str] = []
        self._need = 0
        self._frame = bytearray()

    def start(self) -> None:
        """Be in state 0, with no game."""
        self.state = self.idle = self.hits = 0
        self.seen: set[tuple[int, int]] = set()  # cells shot at here
        self.wounds: set[tuple[int, int]] = set()
        self.waiting: tuple[int, int] | None = None  # its unanswered shot
        self.my_turn = False

    def agreed(self, parameters: bytes) -> None:
        """Play with these parameters: the low nibbles of size and counts."""
        if self.size != parameters[0]:
            self.size = parameters[0]
            self.shots = deque((x, y) for y in range(1, self.size + 1) for x in range(1, self.size + 1))
        self.ships: tuple[tuple[tuple[int, int], ...], ...]
        counts = [count & 0x0F for count in parameters[1:]]
        self.ships = SHIPS if (self.size, counts) == (10, [1, 2, 3, 4]) else fleet_for(self.size, counts)

    @property
    def decks(self) -> int:
        """Cells to hit."""
        return sum(map(len, self.ships))

    # Bytes to frames, the way these programs do it: the length byte is capped at 10 letters.

    def rx(self, b: int) -> None:
        if self.left:
            return
        if self._frame:
            self._frame.append(b)
            if self._frame[0] in (0xB1, 0xB3) and len(self._frame) == 2:
                self._need = min(b, 10) + 2
            if len(self._frame) >= self._need:
                frame, self._frame = bytes(self._frame), bytearray()
                self.frame(frame)
            return
        need = {0xB1: 99, 0xB2: 6, 0x2B: 6, 0xC0: 3}.get(b, 1)
        if need == 1:
            self.frame(bytes([b]))
        else:
            self._frame, self._need = bytearray([b]), need

    def frame(self, f: bytes) -> None:
        raise NotImplementedError

    def tick(self) -> None:
        raise NotImplementedError

    def send(self, *data: int) -> None:
        self.out += bytes(data)

    # The game.

    def shot_at(self, x: int, y: int) -> None:
        """Answer a shot as these programs do: 3C only for a cell that was really shot."""
        cell = (x, y)
        if not (1 <= x <= self.size and 1 <= y <= self.size):
            self.complaints.append(f"shot off the field: {x} {y}")
            return
        if cell in self.seen:
            self.send(0x3C)
            self.my_turn = True
            return
        self.seen.add(cell)
        ship = next((s for s in self.ships if cell in s), None)
        if ship is None:
            self.send(0x0C)
            self.my_turn = True
            self.idle = 0
            return
        self.wounds.add(cell)
        self.send(0x2C if all(c in self.wounds for c in ship) else 0x1C)

    def answered(self, code: int) -> None:
        if self.waiting is None:
            return
        self.waiting = None
        self.idle = 0
        if code in (0x1C, 0x2C):
            self.hits += 1
            if self.hits == self.decks:
                self.send(0xA9)
        else:
            self.my_turn = False

    def think(self) -> None:
        """Shoot, when it is its turn and its player has thought for long enough."""
        if self.state == 4 and self.my_turn and self.waiting is None and self.hits < self.decks:
            self.idle += 1
            if self.idle >= self.delay:
                self.waiting = self.shots[0]
                self.shots.rotate(-1)
                self.send(0xC0, *self.waiting)

    def won_or_lost(self, op: int) -> bool:
        if op == 0xA9:
            self.send(0x9A)
            self.result = "lost"
            self.left = True
        elif op == 0x9A:
            self.result = "won"
            self.left = True
        else:
            return False
        return True


class MasterL(Dialect):
    """Program L as master: strict syncs, sends everything once, deaf while it waits for the answer to its shot."""

    def __init__(self, delay: int = 2, restart_in: int = 0) -> None:
        super().__init__(delay)
        self.clock = 0
        self.await_: int = 0  # the reply that it waits for
        self.owes_nick = False
        self.sent_params = False
        self.restart_in = restart_in  # sends A5 once when it gets to this state

    def tick(self) -> None:
        if self.left:
            return
        self.clock += 1
        if self.clock % 10 == 0 and not self._frame:
            self.send(0xAA)
        if self.restart_in and self.state == self.restart_in and not self.await_ and self.waiting is None:
            self.restart_in = 0
            self.ask(0xA5)
        elif self.state == 2 and not self.await_:
            self.idle += 1
            if self.idle >= self.delay:
                self.ask(0xA3)
        else:
            self.think()

    def ask(self, *data: int) -> None:
        self.send(*data)
        op = data[0]
        self.await_ = op >> 4 | (op & 15) << 4
        self.idle = 0

    def frame(self, f: bytes) -> None:
        op = f[0]
        if self.waiting is not None:
            if op in (0x0C, 0x1C, 0x2C, 0x3C):
                self.answered(op)
            return  # drops everything else, without a reply
        if self.won_or_lost(op):
            return
        if op == 0x01:
            if self.state == 0 and not self.await_:
                self.ask(0xA1)
        elif op == 0xB1:
            self.heard_nick = f[2:]
            self.owes_nick = not self.sent_params
            if not self.owes_nick:
                self.send(0x1B)
        elif op == self.await_:
            self.await_ = 0
            self.granted(f)
        elif op == 0xA4 and self.state == 3:
            self.send(0x4A)
            self.state = 4
            self.my_turn = True
        elif op == 0xC0 and self.state == 4:
            self.shot_at(f[1], f[2])
        elif op == 0xA6:
            self.send(0x6A)
            self.result = "won"
            self.left = True
        elif op == 0xA7:
            self.send(0x7A)
            self.left = True

    def granted(self, f: bytes) -> None:
        op = f[0]
        if op == 0x1A or op == 0x5A:
            self.state = 1
            self.ask(0xB1, 10, *self.nick)
        elif op == 0x1B:
            if not self.sent_params:
                self.ask(*PARAMS)
                self.sent_params = True
                if self.owes_nick:
                    self.owes_nick = False
                    self.send(0x1B)
            else:
                self.ask(0xA2)
        elif op == 0x2B:
            if f[1:] != PARAMS[1:]:
                self.complaints.append("the echo differs")
                self.await_ = op  # it wants the exact echo, and waits on
                return
            if not self.heard_nick:
                self.complaints.append("no nick before 2A: crashes later")
            self.ask(0xA2)
        elif op == 0x2A:
            self.state = 2
        elif op == 0x3A:
            self.state = 3


class SlaveL(Dialect):
    """Program L as slave: a nick at every nick, 2A five times, its shot again at every sync."""

    def __init__(self, delay: int = 2, early: bool = True) -> None:
        super().__init__(delay)
        self.early = early  # ready before A3

    def start(self) -> None:
        """The same, with no ships placed."""
        super().start()
        self.ready_sent = False

    def tick(self) -> None:
        if self.left:
            return
        if self.state == 3 and not self.ready_sent:
            self.idle += 1
            if self.idle >= self.delay:
                self.ready_sent = True
                self.send(0xA4)
        else:
            self.think()

    def frame(self, f: bytes) -> None:
        op = f[0]
        if self.won_or_lost(op):
            return
        if op == 0xAA:
            self.send(0x01)
            if self.waiting is not None:
                self.send(0xC0, *self.waiting)
        elif op == 0xA1:
            if self.state == 0:
                self.send(0x1A)
                self.state = 1
        elif op == 0xB1:
            self.heard_nick = f[2:]
            self.send(0x1B)
            if 1 <= self.state <= 3:
                self.send(0xB1, 10, *self.nick)
        elif op == 0xB2 and self.state == 1:
            self.send(0x2B, *f[1:])
            self.agreed(f[1:])
        elif op == 0xA2 and self.state == 1:
            self.send(*[0x2A] * 5)
            self.state = 2
            self.idle = 0
        elif op == 0xA3 and self.state == 2:
            self.send(0x3A)
            self.state = 3
            if self.early:
                self.ready_sent = True
                self.send(0xA4)
        elif op == 0x4A and self.state == 3:
            self.state = 4
        elif op == 0xC0 and self.state == 4:
            self.shot_at(f[1], f[2])
        elif op in (0x0C, 0x1C, 0x2C, 0x3C):
            self.answered(op)
        elif op == 0xA6:
            if self.state == 4:
                self.send(0x6A)
                self.result = "won"
            self.left = True
        elif op == 0xA7:
            if self.state > 1:
                self.send(0x7A)
            self.start()
        elif op == 0xA8 and self.state == 4:
            self.send(0x8A)


class MasterB(Dialect):
    """Program B as master: slow, tagged, sends everything several times, takes 2B for the whole echo, no 1B, no 3C."""

    REPEATS: ClassVar[dict[int, int]] = {0xA1: 6, 0xA2: 7, 0xA3: 5}

    def __init__(self, delay: int = 2) -> None:
        super().__init__(delay)
        self.clock = 0
        self.step = 0
        self.queue: deque[bytes] = deque()
        self.send(0x00)  # one stray byte before the first transmission

    def rx(self, b: int) -> None:
        if b == 0 or self.left:
            return  # zeros are dropped on receipt
        # Answered from its interrupt, at once.
        if not self._frame and b == 0x1A and self.state == 0:
            self.state = 1
            self.send(*TAGGED)
        elif not self._frame and b == 0x2B and self.state == 1:
            self.send(*[0xA2] * self.REPEATS[0xA2])
        elif not self._frame and b == 0xA4 and self.state in (2, 3):
            self.send(*[0x4A] * 5)
            self.state = 4
            self.my_turn = True
        else:
            super().rx(b)

    def frame(self, f: bytes) -> None:
        if f[0] != 0x01 or self.state == 0:
            self.queue.append(f)

    def tick(self) -> None:
        if self.left:
            return
        self.clock += 1
        if self.clock % 10 == 0:
            self.send(0xAA)
        if self.queue and self.clock % 36 == 0:
            self.work(self.queue.popleft())
        if self.state == 2 and self.step == 0:
            self.idle += 1
            if self.idle >= self.delay:
                self.step = 1
                self.send(*[0xA3] * self.REPEATS[0xA3])
        self.think()

    def work(self, f: bytes) -> None:
        op = f[0]
        if self.won_or_lost(op):
            return
        if op == 0x01 and self.state == 0:
            self.send(*[0xA1] * self.REPEATS[0xA1])
        elif op == 0x2A and self.state == 1:
            self.state = 2
        elif op == 0x3A and self.state == 2:
            self.state = 3
        elif op == 0xB1:
            self.heard_nick = f[2:]  # and no 1B
        elif op == 0xC0 and self.state == 4:
            self.shot_at(f[1], f[2])
            if self.out.endswith(b"\x3c"):
                self.out[-1] = 0x0C  # a repeated shot is a miss
        elif op in (0x0C, 0x1C, 0x2C):
            self.answered(op)


class SlaveB(Dialect):
    """Program B as slave: it takes 36 ticks a command, even a queued sync, and a master's syncs come every 10. So
    requests wait behind ever more of them. It sends 01 unasked, understands only tagged parameters, sends 3A and A4
    four times, answers no nick and never sends 3C.
    """

    def __init__(self, delay: int = 2) -> None:
        super().__init__(delay)
        self.clock = 0
        self.queue: deque[bytes] = deque()
        self.ready_sent = False
        self.send(0x00)  # one stray byte before the first transmission

    def rx(self, b: int) -> None:
        if b == 0 or self.left:
            return  # zeros are dropped on receipt
        if not self._frame and b == 0xA1 and self.state == 0:
            self.state = 1
            self.send(0x1A)  # from its interrupt, at once
        else:
            super().rx(b)

    def frame(self, f: bytes) -> None:
        self.queue.append(f)

    def tick(self) -> None:
        if self.left:
            return
        self.clock += 1
        if self.clock % 25 == 0:
            self.send(0x01)  # unasked
        if self.clock % 36 == 0 and self.queue:
            self.work(self.queue.popleft())
        if self.state == 3 and not self.ready_sent:
            self.idle += 1
            if self.idle >= self.delay:
                self.ready_sent = True
                self.send(*[0xA4] * 4)
        else:
            self.think()

    def work(self, f: bytes) -> None:
        op = f[0]
        if self.won_or_lost(op):
            return
        if op == 0xAA:
            self.send(0x01)
        elif op == 0xB1:
            self.heard_nick = f[2:]  # and no 1B
        elif op == 0xB2 and self.state == 1:
            counts = f[2:]
            if [c >> 4 for c in counts] == [4, 3, 2, 1]:
                self.send(0x2B, *f[1:])
        elif op == 0xA2 and self.state == 1:
            self.send(0x2A)
            self.state = 2
            self.idle = 0
        elif op == 0xA3 and self.state == 2:
            self.send(*[0x3A] * 4)
            self.state = 3
        elif op == 0x4A and self.state == 3:
            self.state = 4
        elif op == 0xC0 and self.state == 4:
            self.shot_at(f[1], f[2])
            if self.out.endswith(b"\x3c"):
                self.out[-1] = 0x0C  # a repeated shot is a miss
        elif op in (0x0C, 0x1C, 0x2C):
            self.answered(op)
