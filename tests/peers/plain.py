"""A program for the protocol, written from its description alone, and bugs that can be put into it.

It plays by itself: it places its ships at once, shoots at one cell after the other, and presses the key after an error.
"""

from __future__ import annotations

from collections import deque

from tests.peers.dialects import fleet_for

_REPLY = {op: (op >> 4) | (op & 15) << 4 for op in (*range(0xA0, 0xAA), 0xB1, 0xB2, 0xB3)}
_LENGTH = {0xB2: 6, 0x2B: 6, 0xC0: 3}
_ANSWERS = (0x0C, 0x1C, 0x2C, 0x3C)
_KNOWN = {0xAA, 0x01, 0xC0, *_ANSWERS, *_REPLY, *_REPLY.values()}
_OFFER = (6, 0, 0, 0, 1)


class Plain:
    """bug: one of BUGS, or none."""

    def __init__(self, master: bool, bug: str = "") -> None:
        self.master, self.bug = master, bug
        self.out: deque[int] = deque()
        self.now = self.sent_at = self.heard_at = 0
        self.frame = bytearray()
        self.late: list[tuple[int, bytes]] = []
        self.reset()

    def reset(self) -> None:
        """Be in state 0."""
        self.state = self.hits = self.lost = self.shot_count = 0
        self.waits: tuple[int, int] | None = None  # the command without a reply, and since when
        self.offered = b""
        self.ones, self.wounded = 0, False
        self.shots_made: list[tuple[int, int]] = []
        self.mine = False  # our turn
        self.hit_here: set[tuple[int, int]] = set()
        self.shot_here: set[tuple[int, int]] = set()
        self.nicked = False
        self.targets: deque[tuple[int, int]] = deque()

    # The line.

    def send(self, *frame: int) -> None:
        """Send a frame."""
        if self.bug == "AA inside its shot" and frame[0] == 0xC0:
            frame = (*frame[:2], 0xAA, *frame[2:])
        self.out.extend(frame)
        self.sent_at = self.now

    def ask(self, *frame: int) -> None:
        """Send a command that needs a reply."""
        self.send(*frame)
        self.waits = frame[0], self.now

    def act(self) -> bytes:
        """Return what it sends."""
        while self.late and self.late[0][0] <= self.now:
            self.out.extend(self.late.pop(0)[1])
        said = bytes(self.out)
        self.out.clear()
        return said

    def rx(self, byte: int) -> None:
        """Take a byte."""
        self.heard_at = self.now
        self.byte_at = self.now
        if not self.frame and byte not in _KNOWN:
            if self.bug == "noise is an error":
                self.refuse()
            return
        self.frame.append(byte)
        op = self.frame[0]
        need = _LENGTH.get(op, 1)
        if op in (0xB1, 0xB3):
            need = 2 + (self.frame[1] if len(self.frame) > 1 else 1)
        if len(self.frame) >= need:
            frame = bytes(self.frame)
            self.frame.clear()
            self.take(frame)

    def tick(self) -> None:
        """Let a tick pass."""
        self.now += 1
        gap = {"a frame may not pause": 1, "a cut frame is kept": 10**6}.get(self.bug, 4)
        if self.frame and self.now - self.byte_at > gap:
            self.frame.clear()
        patience = 30 if self.bug == "gives up after 30 ticks" else 60
        alive = self.master or self.state == 0 or self.now - self.heard_at <= patience
        if self.bug == "waits for ever":
            pass
        elif not alive or (self.waits and self.now - self.waits[1] > patience):
            self.send(0xA0)
            self.reset()
        every = 25 if self.bug == "syncs every 25 ticks" else 10
        if self.master and self.now - self.sent_at >= every:
            self.send(0xAA)
        self.move()

    # The rules.

    def legal(self, op: int) -> bool:
        """Return whether the other side may send this command now."""
        if op in (0xAA, 0xA0, 0xB1):
            return True
        if op == 0xB3:
            return self.state > 0
        if op in (0xA7, 0xA8):
            return self.state > 0
        if op == 0xA6:
            return 1 <= self.state <= 4
        if op == 0xA9:
            return self.state == 4 and self.lost == len(self.decks)
        if op == 0xC0:
            return self.state == 4 and not self.mine and self.lost < len(self.decks)
        if self.master:
            return op == 0xA4 and self.state == 3
        states = {0xA1: (0,), 0xB2: (1,), 0xA2: (1,), 0xA3: (2,), 0xA5: (2, 3, 9)}.get(op, ())
        return self.state in states and (op != 0xA2 or bool(self.offered))

    def refuse(self) -> None:
        """Say that the protocol was broken."""
        self.ask(0xA8)
        self.reset()

    def take(self, frame: bytes) -> None:
        """Take a frame."""
        op = frame[0]
        if op == 0x01 or op in _ANSWERS or op in _REPLY.values():
            self.answered(frame)
            return
        bug = self.bug
        if not self.legal(op):
            lenient = (
                (bug == "a shot in its own turn is answered" and op == 0xC0 and self.state == 4)
                or (bug == "A3 in state 1 is answered" and op == 0xA3 and self.state == 1)
                or (bug == "parameters in the battle are taken" and op == 0xB2 and self.state == 4)
                or (bug == "a second A1 is answered" and op == 0xA1)
            )
            if not lenient:
                self.refuse()
                return
            self.send(0x0C if op == 0xC0 else _REPLY[op], *frame[1:6] if op == 0xB2 else ())
            return
        if op == 0xAA:
            if not (bug == "no 01 in the battle" and self.state == 4):
                self.send(0x01)
        elif op == 0xB2:
            self.parameters(frame)
        elif op == 0xC0:
            self.shot_at(frame[1], frame[2])
        elif (op, bug) in ((0xB3, "chat is an error"), (0xB1, "no nick in the battle")) and (
            op == 0xB3 or self.state == 4
        ):
            self.refuse()
        else:
            if not (bug == f"no {_REPLY[op]:02X}" or (bug == "no 1B to long nicks" and op == 0xB1 and frame[1] > 5)):
                self.send(_REPLY[op])
            self.follow(op)

    def follow(self, op: int) -> None:
        """Go where a command leads."""
        if op in (0xA0, 0xA7, 0xA8):
            if not (self.bug == "A7 is acknowledged and forgotten" and op == 0xA7):
                self.reset()
        elif op in (0xA6, 0xA9):
            self.state, self.waits = 9, None
        elif op == 0xA1:
            self.state = 1
        elif op == 0xA2:
            self.state = 2
            if self.bug == "ready before A3":
                self.send(0xA4)
        elif op == 0xA3:
            self.state = 3
        elif op == 0xA5:
            self.reset()
            self.state = 1
        elif op == 0xA4:
            self.begin(True)
        elif op == 0xB1 and self.bug == "a nick for every nick":
            self.send(0xB1, 1, 0x41)

    def parameters(self, frame: bytes) -> None:
        """Take parameters, or refuse them."""
        size, counts = frame[1], [n & 15 for n in frame[2:]]
        most = (1, 2, 5, 10)
        fits = 6 <= size <= 10 and counts[3] > 0 and all(n <= m for n, m in zip(counts, most, strict=True))
        fits = fits and sum(counts) <= 12
        if not fits and self.bug != "any parameters are taken":
            self.refuse()
            return
        echo = frame[1:]
        if self.bug == "the echo has the counts in the other order":
            echo = frame[1:2] + frame[:1:-1]
        if self.bug == "the echo has no tags":
            echo = bytes((size, *counts))
        self.offered = bytes((size, *counts))
        self.send(0x2B, *echo)

    def begin(self, mine: bool) -> None:
        """Begin the battle."""
        self.state, self.mine, self.waits = 4, mine, None
        size = self.offered[0]
        self.targets = deque((x, y) for y in range(1, size + 1) for x in range(1, size + 1))

    @property
    def ships(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return the ships, not along a wall."""
        return fleet_for(self.offered[0] - 1, self.offered[1:])

    @property
    def decks(self) -> list[tuple[int, int]]:
        """Return their cells."""
        return [cell for ship in self.ships for cell in ship]

    def shot_at(self, x: int, y: int) -> None:
        """Answer a shot."""
        bug = self.bug
        if not (1 <= x <= self.offered[0] and 1 <= y <= self.offered[0]) and bug != "a shot off the field misses":
            self.refuse()
            return
        self.shot_count += 1
        if bug == "no answer to the second shot" and self.shot_count == 2:
            self.mine = True
            return
        cell = (x, y)
        seen = cell in self.shot_here
        self.shot_here.add(cell)
        code = 0x0C
        if seen and bug != "no 3C":
            code = 0x3C
        elif not seen and cell in self.decks and bug != "every shot misses":
            self.hit_here.add(cell)
            ship = next(ship for ship in self.ships if cell in ship)
            code = 0x2C if set(ship) <= self.hit_here and bug != "never sunk" else 0x1C
            self.lost = len(self.hit_here)
        if bug == "the answer has its nibbles swapped":
            code = code << 4 & 0xF0 | code >> 4
        self.mine = code in (0x0C, 0x3C, 0xC0)
        self.send(code)

    def answered(self, frame: bytes) -> None:
        """Take a reply."""
        op = frame[0]
        if self.bug == "an unasked reply is an error" and op != 0x01 and not self.waits:
            self.refuse()
        if op == 0x01:
            if self.master and self.state == 0 and not self.waits:
                self.ask(0xA1)
            return
        if not self.waits:
            return
        waits = self.waits[0]
        if waits == 0xC0 and op in _ANSWERS:
            self.waits = None
            longer = any(self.offered[1:4])
            self.ones += op == 0x2C
            again = self.shots_made.count(self.shots_made[-1]) > 1
            false = (op == 0x3C and not again) or (
                op == 0x2C and self.ones > self.offered[4] and not (longer and self.wounded)
            )
            if false and self.bug != "believes every answer":
                self.refuse()
                return
            self.wounded |= op == 0x1C
            self.mine = op in (0x1C, 0x2C) or self.bug == "shoots again after a miss"
            if op in (0x1C, 0x2C):
                self.hits += 1
                if self.hits == len(self.decks):
                    if self.bug != "does not say that it has won":
                        self.ask(0xA9)
                    self.state = 9
        elif op == _REPLY.get(waits):
            self.waits = None
            if waits == 0xA4:
                self.begin(False)
            elif waits == 0xB2 and frame[1:] != self.offered and self.bug != "any echo will do":
                self.refuse()
            else:
                self.state = {0xA1: 1, 0xA2: 2, 0xA3: 3}.get(waits, self.state)

    def move(self) -> None:
        """Do what comes next, if nothing is outstanding."""
        hasty = self.bug == "does not wait for replies" and self.state in (1, 2)
        if self.waits and not hasty:
            return
        if self.state in (1, 9) and self.state == 1 and not self.nicked:
            self.nicked = True
            self.ask(0xB1, 4, *b"PLAY")
        elif self.master and self.state == 1 and not self.offered:
            self.offered = bytes((12, *_OFFER[1:]) if self.bug == "offers a field of 12" else _OFFER)
            self.ask(0xB2, *self.offered)
        elif self.master and self.state == 1:
            self.ask(0xA2)
        elif self.master and self.state == 2:
            self.ask(0xA3)
        elif not self.master and self.state == 3:
            self.ask(0xA4)
        elif self.state == 4 and self.mine and self.targets:
            cell = self.targets.popleft()
            if self.bug == "shoots at one cell for ever":
                self.targets.appendleft(cell)
            if self.bug == "shoots off the field":
                cell = (cell[0], cell[1] + self.offered[0])
            self.shots_made.append(cell)
            self.ask(0xC0, *cell)
