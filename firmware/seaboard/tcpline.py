"""The line over a radio: a TCP connection to a club, or to another program that listens at the address.

The board calls, and calls again a few seconds after a connection was refused, has ended, or the radio has lost its net:
until then the line is one with nobody at its end. Nothing here waits, but for the name of a host: it is looked up once,
before the first call, which may take seconds where it is not a number. A new connection takes memory; what comes and
goes over one takes none.
"""

import socket
import time
from select import POLLERR, POLLHUP, POLLIN, POLLOUT, poll

from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Any


FILE = "seabattle-wifi.txt"
"""Name of the net, its password, host, port: a line each. `seabattle flash --wifi` writes it, and nothing else does."""

_AGAIN_MS = const(3000)
_CALL_MS = const(10000)
_TCP = const(6)
_NODELAY = const(1)

# What a line is at.
_DOWN = const(0)
_CALLING = const(1)
_UP = const(2)


class Radio:
    """The board's Wi-Fi. Raises OSError where there are no settings for it, ValueError where they are wrong."""

    def __init__(self) -> None:
        import network

        with open(FILE) as file:
            self._net, self._password, self.host, port = file.read().split("\n")[:4]
        self.port = int(port)
        self._wlan = network.WLAN(network.STA_IF)
        self._wlan.active(True)
        self._asked = False

    def joined(self) -> bool:
        """Whether the net is there; asks for it where it is not."""
        if self._wlan.isconnected():
            self._asked = False
            return True
        if not self._asked:
            self._asked = True
            try:
                self._wlan.connect(self._net, self._password)
            except OSError:
                self._asked = False
        return False


class Nowhere:
    """In place of a Radio, where there is none."""

    host = ""
    port = 0

    def joined(self) -> bool:
        """Never."""
        return False


class TcpLine:
    """As seaboard.hardware.Line. way: host, port, and joined() -> whether they can be called now."""

    def __init__(self, way: "Radio | Nowhere") -> None:
        self._way = way
        self._address: "tuple[Any, ...] | None" = None
        self._socket: "socket.socket | None" = None
        self._state = _DOWN
        self._since = time.ticks_ms()
        self._hurry = True  # the first call need not wait
        self._one = bytearray(1)
        self._waits = False  # a byte was read and not yet taken
        self._poll: "poll | None" = None

    def any(self) -> int:
        """Whether a byte waits."""
        if self._waits:
            return True
        if self._state != _UP and not self._call():
            return False
        for _, event in self._poll.ipoll(0):
            if event & (POLLIN | POLLERR | POLLHUP):
                self._fetch()
        return self._waits

    def readinto(self, buffer: bytearray) -> int:
        """Reads what has arrived, as far as it fits; how many bytes."""
        n = 0
        while n < len(buffer) and self.any():
            self._waits = False
            buffer[n] = self._one[0]
            n += 1
        return n

    def write(self, buffer: bytearray) -> int:
        """Sends the bytes; those that cannot be sent are lost, as on a wire with nobody at its end."""
        if self._state != _UP:
            return None
        try:
            return self._socket.write(buffer)
        except OSError:
            self._end()
        return None

    def _fetch(self) -> None:
        try:
            n = self._socket.readinto(self._one)
        except OSError:
            n = 0
        if n:
            self._waits = True
        elif n == 0:
            # None is: nothing yet
            self._end()

    def _call(self) -> bool:
        """One step towards a connection; True when it stands."""
        passed = time.ticks_diff(time.ticks_ms(), self._since)
        if self._state == _CALLING:
            for _, event in self._poll.ipoll(0):
                if event & (POLLERR | POLLHUP):
                    self._end()
                elif event & POLLOUT:
                    self._state = _UP
                    self._poll.modify(self._socket, POLLIN)
                    return True
            if self._state == _CALLING and passed > _CALL_MS:
                self._end()
        elif (self._hurry or passed > _AGAIN_MS) and self._way.joined():
            self._hurry = False
            try:
                self._begin()
            except OSError:
                self._end()
        return False

    def _begin(self) -> None:
        if self._address is None:
            self._address = socket.getaddrinfo(self._way.host, self._way.port, 0, socket.SOCK_STREAM)[0][-1]
        self._socket = socket.socket()
        self._socket.setblocking(False)
        try:
            # what is short goes at once, and does not wait for an answer to what went before
            self._socket.setsockopt(_TCP, _NODELAY, 1)
        except OSError:
            pass  # a port that does not know it
        try:
            self._socket.connect(self._address)
        except OSError:
            pass  # it is under way, or the next look tells
        self._poll = poll()
        self._poll.register(self._socket, POLLOUT)
        self._state = _CALLING
        self._since = time.ticks_ms()

    def _end(self) -> None:
        self._state = _DOWN
        self._since = time.ticks_ms()
        if self._socket is not None:
            self._socket.close()
            self._socket = self._poll = None
