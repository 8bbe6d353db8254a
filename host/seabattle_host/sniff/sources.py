"""Capturing bytes from ports: a relay between two, a tap on two receive lines, one shared line, a virtual port.

Each port has a thread of its own that reads, timestamps and passes on at once; everything slow (the watcher, files, the
screen) is done by the reader of the queue, so that the line never waits for it.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import queue
import select
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from seabattle import wire
from seabattle_host.errors import PortLost, UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.line import port_errors
from seabattle_host.line.parity_marks import MarkDecoder
from seabattle_host.line.port import Port
from seabattle_host.line.settings import Settings
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Chunk, Item, Lost
from seabattle_host.sniff.fault_injection import FaultInjector

_READ_SECONDS = 0.5
_STOPPED_SECONDS = 1.0  # a wait that is so much longer than it may be is that of a program that was stopped
"""Timeout of a read; it is woken up to send or to stop."""
_HARM_SECONDS = 0.1
"""The same with injected faults, which have to give up incomplete frames when nothing comes."""
_REOPEN_SECONDS = 0.25
_LOOK_SECONDS = 0.02
"""Interval at which a virtual port polls for a program."""
_CALM_SECONDS = 5.0
"""After this time without a program it polls less often, to save time."""
_CALM_LOOK_SECONDS = 0.15
_QUEUED_MOST, _QUEUED_A_SECOND = 250_000, 20_000
"""Bytes read and not processed yet at which no more are read, and as many more for each second in which nothing is
processed, as when a terminal stands still: only a socket is as fast as that, and no line.
"""
_BACKLOG_MOST = 1 << 16
"""Bytes queued for a slow port at which reading the other one pauses."""
_UNSENT_MOST = 1 << 20

HOLD_US = 250_000
"""How long a tap holds back what only makes sense after bytes that the other adapter may still deliver."""

USB_SERIAL = Path("/sys/bus/usb-serial/devices")
_LATENCY_MS = 1


class End(Protocol):
    """One end of the line, with the interface of Port."""

    url: str
    device: str
    marking: bool

    @property
    def unsent(self) -> int: ...
    def read(self, timeout: float = 0.0) -> bytes: ...
    def write(self, data: bytes | bytearray) -> None: ...
    def wake(self) -> None: ...
    def reopen(self) -> bool: ...
    def close(self) -> None: ...


class Latency:
    """Lowers the latency timer of a USB adapter that has one, and restores it."""

    def __init__(self, url: str, devices: Path = USB_SERIAL):
        """Do nothing if there is no such timer or it may not be set."""
        self.old = 0
        """Former value in milliseconds, 0 if nothing was changed."""
        self.new = _LATENCY_MS
        self._file = devices / Path(os.path.realpath(url)).name / "latency_timer"
        with contextlib.suppress(OSError, ValueError):
            old = int(self._file.read_text(encoding="ascii"))
            if old > _LATENCY_MS:
                self._file.write_text(f"{_LATENCY_MS}\n", encoding="ascii")
                self.old = old

    def restore(self) -> None:
        """Restore the timer."""
        if self.old:
            with contextlib.suppress(OSError):
                self._file.write_text(f"{self.old}\n", encoding="ascii")
            self.old = 0


class VirtualPort:
    """A pseudo-terminal in place of a port: a program opens `url`; without one, what is written is lost."""

    marking = False
    url: str
    device: str
    _fd: int
    _link: str | None
    _unsent: bytearray
    _alone_since: float
    _wake_read: socket.socket
    _wake_write: socket.socket

    def __init__(self, link: str | None = None):
        """link: a stable name for it. Raises UserError on systems without pseudo-terminals."""
        if sys.platform == "win32" or not hasattr(os, "openpty"):
            raise UserError(tr("sniff_no_pty"))
        import tty

        try:
            self._fd, slave = os.openpty()
        except OSError as error:
            raise UserError(tr("sniff_pty_failed", reason=why(error))) from None
        tty.setraw(slave)
        os.set_blocking(self._fd, False)
        self.device = os.ttyname(slave)
        # closed, so that a program's opening and closing can be detected
        os.close(slave)
        self.url = link or self.device
        self._link = link
        if link is not None:
            self._make_link(link)
        self._unsent = bytearray()
        self._alone_since = math.inf
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)

    @property
    def unsent(self) -> int:
        """Number of bytes that the program has not read."""
        return len(self._unsent)

    def read(self, timeout: float = 0.0) -> bytes:
        """Like Port.read, but a program that has gone is no error: another one may come."""
        # not poll(): on macOS it does not support pseudo-terminals
        wake = self._wake_read.fileno()
        readable, writable, _ = select.select([self._fd, wake], [self._fd] if self._unsent else [], [], timeout)
        if wake in readable:
            with contextlib.suppress(OSError):
                self._wake_read.recv(4096)
        if writable:
            self._flush()
        if self._fd in readable:
            with contextlib.suppress(BlockingIOError):
                if data := self._take():
                    self._alone_since = math.inf
                    return data
                # nobody there: do not keep what was meant for a program that has left
                self._unsent.clear()
                self._wait_for_a_program(timeout)
        else:
            self._alone_since = math.inf
        return b""

    def _wait_for_a_program(self, timeout: float) -> None:
        """Wait for the next poll: there is no event when a program opens it. The system buffers what it sends."""
        now = time.monotonic()
        self._alone_since = min(self._alone_since, now)
        look = _LOOK_SECONDS if now - self._alone_since < _CALM_SECONDS else _CALM_LOOK_SECONDS
        select.select([self._wake_read], [], [], min(timeout, look))

    def _take(self) -> bytes:
        """Read; empty if no program has the other end open."""
        try:
            return os.read(self._fd, 4096)
        except OSError as error:
            if error.errno == errno.EIO:
                return b""
            raise

    def write(self, data: bytes | bytearray) -> None:
        """Like Port.write."""
        self._unsent += data
        self._flush()

    def wake(self) -> None:
        """Like Port.wake."""
        with contextlib.suppress(OSError):
            self._wake_write.send(b"w")

    def reopen(self) -> bool:
        """Do nothing: it is never lost."""
        return True

    def close(self) -> None:
        """Remove it."""
        os.close(self._fd)
        self._wake_read.close()
        self._wake_write.close()
        if self._link is not None and os.path.islink(self._link):
            os.unlink(self._link)

    def _make_link(self, link: str) -> None:
        if os.path.islink(link):
            os.unlink(link)
        try:
            os.symlink(self.device, link)
        except OSError as error:
            os.close(self._fd)
            if error.errno == errno.EEXIST:
                raise UserError(tr("link_exists", path=link)) from None
            raise UserError(tr("cannot_install", path=link, reason=why(error))) from None

    def _flush(self) -> None:
        if not self._unsent:
            return
        try:
            sent = os.write(self._fd, self._unsent)
        except BlockingIOError:
            return
        except OSError:
            sent = len(self._unsent)
        del self._unsent[:sent]


class Clock:
    """Monotonic microseconds since the epoch, whatever happens to the system's clock."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def __call__(self) -> int:
        return (self._offset + time.monotonic_ns()) // 1000


class Taker:
    """Reads the ends of a line into a queue, and passes bytes on between them if it relays.

    ends: one or two; side i of the items is ends[i]. Items come from `get`, messages for people from `messages`.
    """

    def __init__(self, ends: Sequence[End], relay: bool, harm: FaultInjector | None = None):
        """harm: faults to inject."""
        self._harm = harm
        self.clock = Clock()
        self.messages: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._ends = ends
        self._relay = relay
        # no SimpleQueue: a signal whose handler ends after the timeout makes its get() wait for ever
        self._items: queue.Queue[Item] = queue.Queue()
        self._queued = [0] * len(ends)
        """Bytes put into the queue, by side,"""
        self._taken = 0
        """and bytes taken out of it, the last ones at this time."""
        self._taken_at = time.monotonic()
        self._stop_told = -_STOPPED_SECONDS
        self._telling = threading.Lock()
        self._outgoing: tuple[deque[bytes], ...] = tuple(deque() for _ in ends)
        self._waiting = [0] * len(ends)
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._carry, args=(side,), name=f"side {side}", daemon=True)
            for side in range(len(ends))
        ]

    def start(self) -> None:
        """Start reading."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Stop reading; items read so far can still be got."""
        self._stopping.set()
        for end in self._ends:
            end.wake()
        for thread in self._threads:
            thread.join()

    def get(self, timeout: float) -> list[Item]:
        """Return items in the order of the line; wait up to `timeout` seconds for the first."""
        items: list[Item] = []
        began = time.monotonic()
        with contextlib.suppress(queue.Empty):
            items.append(self._items.get(timeout=timeout))
        self._notice_stop(began, timeout)
        with contextlib.suppress(queue.Empty):
            # limited, since the reader also has a screen and files to serve
            while len(items) < 1000:
                items.append(self._items.get_nowait())
        self._taken_at = time.monotonic()
        self._taken += sum(len(item.data) for item in items if isinstance(item, Chunk))
        return items

    def _carry(self, side: int) -> None:
        end = self._ends[side]
        unmark = MarkDecoder().feed if end.marking else None
        while not self._stopping.is_set():
            try:
                self._send(side, end)
                if self._is_flooded() or (self._relay and self._waiting[1 - side] > _BACKLOG_MOST):
                    self._stopping.wait(0.002)
                    continue
                began, patience = time.monotonic(), _READ_SECONDS if self._harm is None else _HARM_SECONDS
                data = end.read(patience)
                self._notice_stop(began, patience)
            except PortLost as lost:
                self._lost(side, end, lost)
                unmark = MarkDecoder().feed if end.marking else None
                continue
            if not data:
                if self._harm is not None:
                    self._pass_on(side, self._harm.rest(side))
                continue
            faults = b""
            at = self.clock()
            if unmark is not None:
                data, faults = unmark(data)
            # queue first: the reply to these bytes must come after them
            self._items.put(Chunk(at, side, data, faults))
            self._queued[side] += len(data)
            if self._harm is not None:
                self._harmed(side, data, self._harm)
            elif self._relay:
                self._pass_on(side, data)

    def _notice_stop(self, began: float, patience: float) -> None:
        """Report once if a wait shows that this program was stopped (Ctrl-Z).

        The times of what came then are not true, and a relay has held it back.
        """
        now = time.monotonic()
        if now - began > patience + _STOPPED_SECONDS:
            with self._telling:
                if self._stop_told < began:
                    self._stop_told = now
                    self._items.put(Lost(self.clock(), tr("lost_stopped")))

    def _is_flooded(self) -> bool:
        """Return whether more has been read than a line can send, and not been processed yet."""
        idle = time.monotonic() - self._taken_at
        return sum(self._queued) - self._taken > _QUEUED_MOST + _QUEUED_A_SECOND * idle

    def _pass_on(self, side: int, data: bytes) -> None:
        if data:
            self._outgoing[1 - side].append(data)
            self._waiting[1 - side] += len(data)
            self._ends[1 - side].wake()

    def _harmed(self, side: int, data: bytes, harm: FaultInjector) -> None:
        """Pass on what the injected faults leave.

        Each is recorded as a gap, as the players must not be judged by it.
        """
        for passed in harm.feed(side, data):
            if passed.rule:
                self._items.put(Lost(self.clock(), passed.words()))
            if passed.ms:
                self._stopping.wait(passed.ms / 1000)
            self._pass_on(side, passed.data)

    def _send(self, side: int, end: End) -> None:
        outgoing = self._outgoing[side]
        while outgoing:
            data = outgoing.popleft()
            end.write(data)
        self._waiting[side] = end.unsent + sum(map(len, outgoing))

    def _lost(self, side: int, end: End, lost: PortLost) -> None:
        """Report the loss, and wait until the port is back.

        What is sent to it meanwhile is lost, as on an open wire.
        """
        self.messages.put(port_errors.waits(lost))
        while not self._stopping.wait(_REOPEN_SECONDS):
            self._outgoing[side].clear()
            self._waiting[side] = 0
            if end.reopen():
                self.messages.put(port_errors.is_back(end.url, end.device))
                self._items.put(Lost(self.clock(), tr("lost_port", url=end.url)))
                return


def open_ports(urls: Sequence[str], settings: Settings) -> list[Port]:
    """Open the ports, all or none. Raises PortError."""
    ports: list[Port] = []
    try:
        for url in urls:
            ports.append(Port(url, settings, unsent_most=_UNSENT_MOST, mark_errors=True))
    except BaseException:
        for port in ports:
            port.close()
        raise
    return ports


class Orderer:
    """Sorts the two sides of a tap into the order of the line.

    Two adapters deliver their bytes with delays of their own, so a reply may be read before its command, or after the
    next one. A reply without its command, and a command before the reply to the last one, are held back for up to
    HOLD_US; bytes of a frame stay together.
    """

    def __init__(self, waits: Callable[[int], int]):
        """waits: returns the command of a side that waits for its reply, 0 for none.

        It asks the watcher that gets the items.
        """
        self._waits = waits
        self._readers = (wire.Reader(), wire.Reader())
        self._begun: tuple[list[Chunk], list[Chunk]] = ([], [])
        self._frames: tuple[deque[list[Chunk]], deque[list[Chunk]]] = (deque(), deque())
        self._syncs = [0, 0]

    @property
    def held_since(self) -> float:
        """The time of the earliest byte held back; infinite if there is none."""
        begun = [part[0].at for part in self._begun if part]
        return min([*begun, *(frames[0][0].at for frames in self._frames if frames)], default=math.inf)

    def put(self, item: Item) -> list[Item]:
        """Add an item; return the items that a gap forces out."""
        if isinstance(item, Lost):
            return [*self.get(item.at, True), item]
        reader, begun, frames = self._readers[item.side], self._begun[item.side], self._frames[item.side]
        faults = item.faults or bytes(len(item.data))
        for byte, fault in zip(item.data, faults, strict=True):
            begun.append(Chunk(item.at, item.side, bytes((byte,)), bytes((fault,)) if fault else b""))
            if reader.feed(byte) != wire.QUIET:
                frames.append(begun.copy())
                begun.clear()
        return []

    def get(self, now: int, everything: bool = False) -> list[Item]:
        """Return the items that are in order by `now`, microseconds; at the end everything."""
        items: list[Item] = []
        for side in (0, 1):
            begun = self._begun[side]
            if begun and (everything or now - begun[-1].at > _FRAME_GAP):
                self._frames[side].append(begun.copy())
                begun.clear()
                self._readers[side].reset()
        while (side := self._next(now, everything)) >= 0:
            frame = self._frames[side].popleft()
            op = frame[0].data[0]
            if op == wire.SYNC:
                self._syncs[side] += 1
            elif op == wire.SYNCED and self._syncs[1 - side]:
                self._syncs[1 - side] -= 1
            items += frame
            if wire.is_command(op) or wire.is_reply(op):
                # the watcher must process this one before the next is chosen
                break
        return items

    def _next(self, now: int, everything: bool) -> int:
        heads = [frames[0] if frames else None for frames in self._frames]
        order = sorted((head[0].at, -len(head), side) for side, head in enumerate(heads) if head is not None)
        for at, _length, side in order:
            if self._in_order(side, heads[side]) or everything or now - at > HOLD_US:
                return side
        return -1

    def _in_order(self, side: int, frame: list[Chunk] | None) -> bool:
        assert frame is not None
        op = frame[0].data[0]
        if op == wire.SYNCED:
            return self._syncs[1 - side] > 0
        if wire.is_reply(op):
            return self._waits(1 - side) == wire.command_of(op)
        # no side sends a second command before the first is answered
        return op == wire.SYNC or not wire.is_command(op) or not self._waits(side)


_FRAME_GAP = (wire.GAP_TICKS + 1) * TICK_DIVIDEND // TICK_DIVISOR
