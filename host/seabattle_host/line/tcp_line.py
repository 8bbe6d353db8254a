"""A board's line as a TCP port: for systems without pseudo-terminals, and for a board on another computer."""

from __future__ import annotations

import contextlib
import socket
import threading

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.line.virtual_board import Line

LOCAL = ("127.0.0.1", 0)
"""This computer only, any free port."""


class TcpLine(Line):
    """A line whose other end is a program that connects to `url`, and may reconnect. Without one, bytes are lost."""

    def __init__(self, address: tuple[str, int] = LOCAL):
        """Raises UserError if listening on the address fails."""
        try:
            self._server = socket.create_server(address)
        except OSError as error:
            where = ":".join(map(str, address))
            raise UserError(tr("listen_failed", where=where, reason=why(error))) from None
        host, port = self._server.getsockname()[:2]
        self.url = f"socket://{host}:{port}"
        self._near, self._far = socket.socketpair()
        self._far.setblocking(False)
        self.far = self._far
        self.fd = self._far.fileno()
        self._peer: socket.socket | None = None
        self._closing = False
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._serve, self._outwards)]
        for thread in self._threads:
            thread.start()

    def _serve(self) -> None:
        while not self._closing:
            try:
                peer, _ = self._server.accept()
            except OSError:
                return
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with peer:
                self._peer = peer
                with contextlib.suppress(OSError):
                    while data := peer.recv(4096):
                        self._near.sendall(data)
                self._peer = None

    def _outwards(self) -> None:
        with contextlib.suppress(OSError):
            while data := self._near.recv(4096):
                peer = self._peer
                if peer is not None:
                    with contextlib.suppress(OSError):
                        peer.sendall(data)

    def close(self) -> None:
        self._closing = True
        # forward the board's last bytes
        with contextlib.suppress(OSError):
            self._far.shutdown(socket.SHUT_WR)
        self._threads[1].join()
        for one in (self._peer, self._server, self._near):
            if one is not None:
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()
        self._threads[0].join()
        self._far.close()
