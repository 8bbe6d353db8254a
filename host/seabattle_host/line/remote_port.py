"""pyserial's client for the ports of an RFC 2217 server, which tells what a server says before it hangs up.

Such servers refuse a port in words: it is in use, or not there. pyserial takes them for nothing, and its reading thread
may end in a traceback.
"""

from __future__ import annotations

import contextlib
import re
import socket
from typing import Any

from serial import rfc2217

from seabattle_host.errors import PortError
from seabattle_host.language.messages import tr
from seabattle_host.language.text import in_one_line

_OPTION = re.compile(rb"\xff[\xfb-\xfe].", re.DOTALL)
"""Telnet's offer or request of an option."""
_SECONDS = 1.0
_FEW = 3
"""Letters that are no words yet."""


class RemotePort(rfc2217.Serial):
    """A port at an RFC 2217 server."""

    def open(self) -> None:
        """Open the port. Raises PortError with the server's words if it refuses in words."""
        try:
            super().open()
        except OSError as error:
            if said := _words(self.from_url(str(self.portstr))):
                raise PortError(tr("rfc2217_says", url=self.port, text=said)) from error
            raise

    def _telnet_read_loop(self) -> None:
        with contextlib.suppress(OSError, AttributeError):  # the other thread has closed it
            super()._telnet_read_loop()  # type: ignore[misc, unused-ignore]


def _words(address: tuple[str, int]) -> str:
    """Return what a server says that closes each connection; empty if it says nothing, or keeps it."""
    came = b""
    try:
        with socket.create_connection(address, _SECONDS) as connection:
            while part := connection.recv(1024):
                came += part
    except OSError:
        return ""
    text = in_one_line(_OPTION.sub(b"", came).decode("ascii", "ignore").strip())
    return text if len(text) > _FEW else ""


def remote_port(url: str, *, do_not_open: bool, **settings: Any) -> RemotePort:
    """Return the port at a server, not yet open."""
    assert do_not_open
    port = RemotePort(None, **settings)
    port.port = url
    return port
