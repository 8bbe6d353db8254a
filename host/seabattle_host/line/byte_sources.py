"""Byte sources that a loop can wait for together with others: a descriptor, or a socket.

On Windows only sockets can be waited for; there a thread copies a pipe or standard input into one.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading

ONLY_SOCKETS = os.name == "nt"


class Source:
    """A byte source to wait for and read from."""

    def __init__(self, where: int | socket.socket):
        self._where = where

    @classmethod
    def wrap(cls, fd: int, only_sockets: bool = ONLY_SOCKETS) -> Source:
        """Wrap a descriptor as a source."""
        if not only_sockets:
            return cls(fd)
        near, far = socket.socketpair()

        def carry() -> None:
            with near, contextlib.suppress(OSError):
                while data := os.read(fd, 4096):
                    near.sendall(data)

        threading.Thread(target=carry, daemon=True).start()
        return cls(far)

    def fileno(self) -> int:
        """Return the descriptor for `select`."""
        return self._where if isinstance(self._where, int) else self._where.fileno()

    def read(self, size: int) -> bytes:
        """Return what has arrived; empty at the end."""
        if isinstance(self._where, int):
            return os.read(self._where, size)
        try:
            return self._where.recv(size)
        except ConnectionError:
            return b""
