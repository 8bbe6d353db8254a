"""System calls of the virtual board on CPython: waiting for streams, and opening them.

A stream is an inherited descriptor, or a TCP connection to the parent process, as on Windows, where descriptors are not
inherited and only sockets can be polled. `select` handles both, everywhere.
"""

import select
import socket

from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

POLLIN = 1
POLLOUT = 4

_connections: "dict[str, socket.socket]" = {}


class poll:
    """The part of MicroPython's select.poll that is used here."""

    def __init__(self) -> None:
        self.readers: "list[Any]" = []
        self.writers: "list[Any]" = []

    def register(self, stream: "Any", events: int) -> None:
        (self.readers if events == POLLIN else self.writers).append(stream)

    def poll(self, ms: int) -> "list[Any]":
        """Return whether one of the streams can be read or written."""
        readers, writers, _ = select.select(self.readers, self.writers, [], ms / 1000)
        return readers or writers


def opened(where: str, mode: str, waits: bool = True) -> "Any":
    """Open an unbuffered stream. where: the number of a descriptor, or `tcp:PORT:WORDS`; the words are sent first.

    waits: whether a connection blocks; a descriptor is as its owner has set it.
    """
    if not where.startswith("tcp:"):
        return open(int(where), mode, 0, closefd=mode == "rb")
    if where not in _connections:
        _, port, words = where.split(":", 2)
        connection = socket.create_connection(("127.0.0.1", int(port)))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(words.encode() + b"\n")
        connection.setblocking(waits)
        _connections[where] = connection
    return _connections[where].makefile(mode, buffering=0)  # type: ignore[call-overload]
