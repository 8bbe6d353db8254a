"""The line over Wi-Fi: a TCP connection to a club, or to another program that listens at the address.

The board connects, and tries again a few seconds after a connection was refused or closed, or the network was lost:
until then the line behaves like an unconnected one. Nothing here blocks, except that a host name is looked up once,
before the first connection, which may take seconds unless it is numeric. Opening a connection allocates; transferring
bytes does not.
"""

import socket
import time
from select import POLLERR, POLLHUP, POLLIN, POLLOUT, poll

from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from typing import Any


FILE = "seabattle-wifi.txt"
"""Network name, password, host, port: one per line. Written only by `seabattle flash --wifi`."""

_AGAIN_MS = const(3000)
_CALL_MS = const(10000)
_TCP = const(6)
_NODELAY = const(1)

# States of a line.
_DOWN = const(0)
_CALLING = const(1)
_UP = const(2)


class Radio:
    """The board's Wi-Fi. Raises OSError if it has no settings, ValueError if they are wrong."""

    def __init__(self) -> None:
        import network

        with open(FILE) as file:
            self._net, self._password, self.host, port = file.read().split("\n")[:4]
        self.port = int(port)
        self._wlan = network.WLAN(network.STA_IF)
        self._wlan.active(True)
        self._asked = False

    def joined(self) -> bool:
        """Return whether the network is connected; start connecting if not."""
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
    """Stands in for a Radio if there is none."""

    host = ""
    port = 0

    def joined(self) -> bool:
        """Return False."""
        return False


class TcpLine:
    """Same interface as seaboard.hardware.Line. way: host, port, and joined() -> whether connecting is possible now."""

    def __init__(self, way: "Radio | Nowhere") -> None:
        self._way = way
        self._address: "tuple[Any, ...] | None" = None
        self._socket: "socket.socket | None" = None
        self._state = _DOWN
        self._since = time.ticks_ms()
        self._hurry = True  # the first attempt need not wait
        self._one = bytearray(1)
        self._waits = False  # a byte was read but not taken yet
        self._poll: "poll | None" = None

    def any(self) -> int:
        """Return whether a byte is waiting."""
        if self._waits:
            return True
        if self._state != _UP and not self._call():
            return False
        for _, event in self._poll.ipoll(0):
            if event & (POLLIN | POLLERR | POLLHUP):
                self._fetch()
        return self._waits

    def readinto(self, buffer: bytearray) -> int:
        """Read received bytes, as many as fit; return how many."""
        n = 0
        while n < len(buffer) and self.any():
            self._waits = False
            buffer[n] = self._one[0]
            n += 1
        return n

    def write(self, buffer: bytearray) -> int:
        """Send bytes; those that cannot be sent are lost, as on an unconnected wire."""
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
            # None means nothing yet
            self._end()

    def _call(self) -> bool:
        """Do one step of connecting; return True when connected."""
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
            # send short messages at once instead of waiting for an acknowledgement
            self._socket.setsockopt(_TCP, _NODELAY, 1)
        except OSError:
            pass  # this port does not support it
        try:
            self._socket.connect(self._address)
        except OSError:
            pass  # in progress, or the next poll reports the error
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
