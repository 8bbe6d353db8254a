"""Lines without hardware: two pseudo-terminals joined like the ends of a cable."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import tty
from types import TracebackType


class Cable:
    """Two devices `a` and `b`: what is written to one can be read from the other.

    `pull()` makes both vanish as unplugged adapters do; `close` removes everything.
    `links`: a folder for stable names `a` and `b` that lead to the devices.
    """

    def __init__(self, links: str | os.PathLike[str] | None = None):
        self._links = links
        self._stop_read, self._stop_write = os.pipe()
        self._thread: threading.Thread | None = None
        self.plug()

    def __enter__(self) -> Cable:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        self.close()

    def plug(self) -> None:
        """Create the devices, and join them."""
        self._masters, slaves = zip(*(os.openpty() for _ in "ab"), strict=True)
        self.a, self.b = (os.ttyname(slave) for slave in slaves)
        for master, slave in zip(self._masters, slaves, strict=True):
            tty.setraw(slave)
            os.set_blocking(master, False)
        # kept open, or an end not opened yet would count as hung up
        self._slaves = slaves
        if self._links is not None:
            for name, device in (("a", self.a), ("b", self.b)):
                link = os.path.join(self._links, name)
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(link)
                os.symlink(device, link)
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """Make both devices vanish."""
        if self._thread is None:
            return
        os.write(self._stop_write, b"x")
        self._thread.join()
        self._thread = None
        os.read(self._stop_read, 1)
        # The stable names first: the numbers of pseudo-terminals are reused at once, by anybody.
        if self._links is not None:
            for name in ("a", "b"):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(os.path.join(self._links, name))
        for fd in (*self._masters, *self._slaves):
            os.close(fd)

    def close(self) -> None:
        """Release everything."""
        self.pull()
        os.close(self._stop_read)
        os.close(self._stop_write)

    def _carry(self) -> None:
        one, two = self._masters
        while True:
            ready, _, _ = select.select([one, two, self._stop_read], [], [])
            if self._stop_read in ready:
                return
            for source, target in ((one, two), (two, one)):
                if source in ready:
                    data = os.read(source, 4096)
                    # a full pseudo-terminal drops bytes, like a line that nobody reads
                    with contextlib.suppress(BlockingIOError):
                        os.write(target, data)


class Listening:
    """A TCP server on a free loopback port that takes one connection, for `socket://` ports."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(60)
        self.url = f"socket://127.0.0.1:{self._server.getsockname()[1]}"

    def accept(self) -> socket.socket:
        """Wait for the connection and return it."""
        connection, _address = self._server.accept()
        connection.settimeout(60)
        return connection

    def close(self) -> None:
        """Stop listening."""
        self._server.close()


def carry(one: socket.socket, two: socket.socket) -> None:
    """Relay between two connections until one is closed."""
    with contextlib.suppress(OSError, ValueError):
        while True:
            for source in select.select([one, two], [], [])[0]:
                data = source.recv(4096)
                if not data:
                    return
                (two if source is one else one).sendall(data)
