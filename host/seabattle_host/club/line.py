"""Lines to the club's peers: TCP, serial port, inside this process.

A line belongs to the club's loop; only its own thread, if it has one, runs elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any

from seabattle_host.club.limits import address_block
from seabattle_host.errors import PortLost
from seabattle_host.language.system import why
from seabattle_host.line.line_monitor import LineMonitor
from seabattle_host.line.port import Port
from seabattle_host.line.settings import Settings

_READ_SECONDS = 1.0
_REOPEN_SECONDS = 0.25


def nothing(*_: object) -> None:
    """Do nothing: the default callback."""


class Line:
    """name: to display. address: for limits; empty where these do not apply.

    lasting: the line outlives its peer (a serial port), so it is not closed because of what the peer does. hear: called
    with bytes from the peer. gone: called once with the cause when the line is lost; for a lasting line `back` follows
    when it works again.
    """

    lasting = False

    def __init__(self, name: str, address: str = ""):
        self.name = name
        self.address = address
        self.hear: Callable[[bytes], None] = nothing
        self.gone: Callable[[str], None] = nothing
        self.back: Callable[[], None] = nothing

    def send(self, data: bytes) -> None:
        """Send to the peer; buffered while it does not read."""
        raise NotImplementedError

    @property
    def unsent(self) -> int:
        """Bytes buffered for the peer."""
        return 0

    def close(self) -> None:
        """Close after sending what is buffered; `gone` is not called."""


class TcpLine(Line, asyncio.Protocol):
    """A TCP connection; `come` is called with it once it is connected."""

    def __init__(self, come: Callable[[TcpLine], None]):
        super().__init__("tcp")
        self._come = come
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Implement asyncio.Protocol."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peer = transport.get_extra_info("peername") or ("?", 0)
        self.address = address_block(str(peer[0]))
        self.name = f"{peer[0]}:{peer[1]}"
        self._come(self)

    def data_received(self, data: bytes) -> None:
        """Implement asyncio.Protocol."""
        self.hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Implement asyncio.Protocol."""
        self._transport = None
        self.gone(why(exc) if isinstance(exc, OSError) else str(exc or ""))

    def send(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    @property
    def unsent(self) -> int:
        return self._transport.get_write_buffer_size() if self._transport is not None else 0

    def close(self) -> None:
        self.hear = self.gone = nothing
        transport, self._transport = self._transport, None
        if transport is None:
            return
        if transport.get_write_buffer_size():
            # A peer that has not read what was sent will not read the rest.
            transport.abort()
        else:
            transport.close()


class SerialLine(Line):
    """A port, read by a thread of its own and reopened when it comes back. Raises PortError if it does not open.

    warn: called in the loop with the reason when what comes makes no sense.
    """

    lasting = True

    def __init__(
        self, url: str, settings: Settings, loop: asyncio.AbstractEventLoop, warn: Callable[[str], None] = nothing
    ):
        super().__init__(url)
        self._port = Port(url, settings)
        self._sense = LineMonitor(settings, self._port)
        self._warn = warn
        self._any_received = False
        self._loop = loop
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._read, name=url, daemon=True)

    def start(self) -> None:
        """Start reading; set `hear`, `gone` and `back` before."""
        self._thread.start()

    def send(self, data: bytes) -> None:
        # the thread finds a lost port, too
        with contextlib.suppress(PortLost):
            self._port.write(data)
            self._sense.traffic(0.0, True, data)

    @property
    def unsent(self) -> int:
        return self._port.unsent

    def close(self) -> None:
        self._stopping.set()
        self._port.wake()
        if self._thread.is_alive():
            self._thread.join()
        self._port.close()

    def _read(self) -> None:
        while not self._stopping.is_set():
            try:
                data = self._port.read(_READ_SECONDS)
                if data:
                    self._sense.traffic(0.0, False, data)
                    self._any_received = True
                    self._post(self.hear, data)
                # a port with no player yet is silent
                if self._any_received and (warning := self._sense.warning()):
                    self._post(self._warn, warning)
            except PortLost as lost:
                self._post(self.gone, str(lost))
                while not self._port.reopen():
                    if self._stopping.wait(_REOPEN_SECONDS):
                        return
                self._post(self.back)

    def _post(self, what: Callable[..., None], *arguments: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended before the thread
            self._loop.call_soon_threadsafe(what, *arguments)


class InnerLine(Line):
    """A player inside this process. `to_player` is called with what is sent, in its own turn of the loop."""

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop):
        super().__init__(name)
        self._loop = loop
        self.to_player: Callable[[bytes], None] = nothing
        self.closed = False

    def send(self, data: bytes) -> None:
        self._loop.call_soon(self._deliver, data)

    def _deliver(self, data: bytes) -> None:
        if not self.closed:
            self.to_player(data)

    def close(self) -> None:
        self.closed = True
        self.hear = self.gone = nothing
