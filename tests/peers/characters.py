"""Peers that lie, leave at the wrong moment, repeat themselves: the programs of dialects.py with bad manners."""

from __future__ import annotations

import contextlib
import os
import select
import threading
import time
import tty

from tests.peers.dialects import Dialect, MasterL, SlaveL

TICK = 65536 / 1193182


class Manners(Dialect):
    """answer: the answer to every shot, 0 for the truth. last: the bytes sent in place of A9 or 9A once a fleet
    is sunk, None for the correct ones; silent: and nothing at all after them. again: shoot at one cell every time.
    """

    def __init__(
        self, *, answer: int = 0, last: bytes | None = None, silent: bool = False, again: tuple[int, int] | None = None
    ) -> None:
        super().__init__()
        self.answer = answer
        self.last = last
        self.silent = silent
        self.again = again
        self.ended = False

    def shot_at(self, x: int, y: int) -> None:
        """As the dialect, with these manners."""
        before = len(self.out)
        super().shot_at(x, y)
        if self.answer:
            del self.out[before:]
            self.send(self.answer)
            self.my_turn = self.answer in (0x0C, 0x3C)
        elif len(self.wounds) == self.decks and self.last is not None:
            self.end()

    def answered(self, code: int) -> None:
        """As the dialect, with these manners."""
        before = len(self.out)
        super().answered(code)
        if self.hits == self.decks and self.last is not None:
            del self.out[before:]
            self.end()

    def end(self) -> None:
        """A fleet is sunk: send `last`."""
        assert self.last is not None
        self.send(*self.last)
        self.ended = True
        self.left = self.silent

    def think(self) -> None:
        """As the dialect, but at one cell."""
        if self.again is not None:
            self.shots.appendleft(self.again)
        super().think()


class RudeSlave(Manners, SlaveL):
    """A slave with such manners."""


class RudeMaster(Manners, MasterL):
    """A master with such manners."""


class Hasty(Manners):
    """Claims the victory, once, as soon as it is its turn."""

    boasted = False

    def think(self) -> None:
        """As the dialect, after its claim."""
        if self.state == 4 and self.my_turn and self.waiting is None and not self.boasted:
            self.boasted = True
            self.send(0xA9)
        else:
            super().think()


class HastySlave(Hasty, SlaveL):
    """A slave like that."""


class HastyMaster(Hasty, MasterL):
    """A master like that."""


class Forgetful(SlaveL):
    """A slave that restarts in the middle of the battle, at our sixth shot: then it is in state 0."""

    asked = 0

    def shot_at(self, x: int, y: int) -> None:
        """As the dialect, until then."""
        self.asked += 1
        if self.asked == 6:
            self.__init__()  # type: ignore[misc]
            self.asked = 6
        else:
            super().shot_at(x, y)


class FastRepeater(SlaveL):
    """A slave without memory that shoots at one cell whenever it may, at once."""

    cell = (9, 10)

    def frame(self, f: bytes) -> None:
        """Answer, and shoot immediately."""
        super().frame(f)
        if self.state == 4 and self.my_turn and self.waiting is None and not self.left and self.hits < self.decks:
            self.waiting = self.cell
            self.send(0xC0, *self.cell)


class AtPort:
    """A peer at a port of its own, in real time, in a thread. `url` opens the other end."""

    def __init__(self, peer: Dialect) -> None:
        self.peer = peer
        self._fd, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.url = os.ttyname(self._slave)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> AtPort:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.pull()

    def pull(self) -> None:
        """Disconnect the line."""
        if not self._stop.is_set():
            self._stop.set()
            if threading.current_thread() is not self._thread:
                self._thread.join()
            os.close(self._slave)
            os.close(self._fd)

    def _run(self) -> None:
        due = time.monotonic() + TICK
        while not self._stop.is_set():
            ready, _, _ = select.select([self._fd], [], [], max(0.0, due - time.monotonic()))
            if ready:
                for byte in os.read(self._fd, 4096):
                    self.peer.rx(byte)
                # no thinking time
                self.peer.idle = self.peer.delay
                self.peer.think()
            if time.monotonic() >= due:
                due += TICK
                self.peer.tick()
            data, self.peer.out[:] = bytes(self.peer.out), b""
            with contextlib.suppress(OSError):
                os.write(self._fd, data)
