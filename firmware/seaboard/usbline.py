"""The line over the board's own USB cable: what otherwise is the prompt's console carries the protocol.

While it is open nothing else is written to it, and its bytes are not looked at for Ctrl-C, which may be a letter or a
number of a frame. The way back to the prompt is Ctrl-C behind a return or behind another Ctrl-C, both outside of every
frame: no session contains that, and it is what mpremote and `seabattle flash` send, and Thonny or a user who presses
Ctrl-C twice.
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
    """As seaboard.hardware.Line. It is the prompt's until open()."""

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._reader: "Reader | None" = None  # the link's, which knows what is within a frame
        self._one = bytearray(1)
        self._last = 0
        self._waits = False  # a byte was seen and not yet read
        self._ready = poll()
        self._ready.register(sys.stdin, POLLIN)
        self._room = poll()
        self._room.register(sys.stdout, POLLOUT)
        # the first look may take memory
        self.any()
        self.write(b"")

    def open(self, reader: "Reader") -> None:
        """From here on the cable is the line. reader: a seabattle.wire.Reader."""
        self._reader = reader
        kbd_intr(-1)

    def close(self) -> None:
        """From here on the cable is the prompt's again."""
        self._reader = None
        kbd_intr(_INTERRUPT)

    def any(self) -> bool:
        """Whether a byte waits."""
        if self._waits:
            return True
        for _ in self._ready.ipoll(0):
            self._waits = True
            return True
        return False

    def readinto(self, buffer: bytearray) -> int:
        """Reads what has arrived, as far as it fits; how many bytes. Raises KeyboardInterrupt for the way back."""
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
        """Sends the bytes; those that nobody fetches are lost, as on a wire with nobody at its end."""
        for _ in self._room.ipoll(0):
            return self._out.write(buffer)
        return None
