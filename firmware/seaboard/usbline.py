"""The line over the board's own USB cable: the serial console of the prompt carries the protocol.

While it is open nothing else is written to it, and Ctrl-C is not recognised in its bytes, where it may be a letter or a
number of a frame. To get back to the prompt send Ctrl-C after a return or after another Ctrl-C, both outside any frame:
no session contains that, and it is what mpremote and `seabattle flash` send, as do Thonny or a user who presses Ctrl-C
twice.
"""

import sys
from select import POLLIN, POLLOUT, poll

from micropython import kbd_intr

from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from seabattle.wire import Reader

    from .parts import Buffer


_INTERRUPT = const(3)
_RETURN = const(13)


class UsbLine:
    """Same interface as seaboard.hardware.Line. Belongs to the prompt until open()."""

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._reader: "Reader | None" = None  # the link's, to know what is within a frame
        self._one = bytearray(1)
        self._last = 0
        self._waits = False  # a byte was seen but not read yet
        self._ready = poll()
        self._ready.register(sys.stdin, POLLIN)
        self._room = poll()
        self._room.register(sys.stdout, POLLOUT)
        # the first poll may allocate
        self.any()
        self.write(b"")

    def open(self, reader: "Reader") -> None:
        """Make the cable the line. reader: a seabattle.wire.Reader."""
        self._reader = reader
        kbd_intr(-1)

    def close(self) -> None:
        """Return the cable to the prompt."""
        self._reader = None
        kbd_intr(_INTERRUPT)

    def any(self) -> bool:
        """Return whether a byte is waiting."""
        if self._waits:
            return True
        for _ in self._ready.ipoll(0):
            self._waits = True
            return True
        return False

    def readinto(self, buffer: bytearray) -> int:
        """Read received bytes, as many as fit; return how many.

        Raises KeyboardInterrupt on the way back to the prompt.
        """
        n = 0
        one = self._one
        while n < len(buffer) and self.any():
            self._waits = False
            self._in.readinto(one)
            byte = one[0]
            if self._reader and not self._reader.within:
                if byte == _INTERRUPT and (self._last == _INTERRUPT or self._last == _RETURN):
                    self.close()
                    raise KeyboardInterrupt
                self._last = byte
            else:
                self._last = 0
            buffer[n] = byte
            n += 1
        return n

    def write(self, buffer: "Buffer") -> int:
        """Send bytes; those that nobody reads are lost, as on an unconnected wire."""
        for _ in self._room.ipoll(0):
            return self._out.write(buffer)
        return None
