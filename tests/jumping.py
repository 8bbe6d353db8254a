"""An event loop whose clock advances only while everything waits: nothing is ever late, however busy the machine is.

What one socket of the loop has sent to another counts as waiting only when it has arrived: on a busy machine even the
loopback device takes a while.
"""

from __future__ import annotations

import asyncio
import selectors
import socket
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any, TypeAlias

_Pipe: TypeAlias = tuple[Any, Any]
"""A direction of a connection: the addresses of the receiver and of the sender."""

_LOST = 5.0
"""Seconds after which what has not arrived is no longer waited for."""


class _Network:
    """What is on its way between the sockets of a loop."""

    def __init__(self) -> None:
        self.connecting = 0
        """Connections that are being opened."""
        self._receivers: dict[_Pipe, int] = {}
        """The open sockets' file descriptors."""
        self._known: set[_Pipe] = set()
        """All that were ever opened."""
        self._coming: Counter[_Pipe] = Counter()
        """Bytes sent and not yet received; the end of a connection counts as one."""

    def opened(self, pipe: _Pipe, descriptor: int) -> None:
        self._receivers[pipe] = descriptor
        self._known.add(pipe)

    def closed(self, pipe: _Pipe) -> None:
        if self._receivers.pop(pipe, None) is not None:
            self._coming[pipe[::-1]] += 1

    def sent(self, pipe: _Pipe, size: int) -> None:
        self._coming[pipe] += size

    def received(self, pipe: _Pipe, size: int) -> None:
        """Note bytes that have arrived; 0 is the end of the connection."""
        self._coming[pipe] -= size or self._coming[pipe]

    def busy(self, reading: Callable[[int], bool]) -> bool:
        """Return whether something will arrive at a socket that is being read, or at a server."""
        return self.connecting > 0 or any(
            pipe[::-1] not in self._known or (self._coming[pipe] > 0 and reading(descriptor))
            for pipe, descriptor in self._receivers.items()
        )

    def forget(self) -> None:
        """Wait no longer for what has not arrived: the other end is not in this loop."""
        self._known.update(pipe[::-1] for pipe in self._receivers)
        self._coming.clear()


class _Socket(socket.socket):
    """Tells the network what it sends and receives."""

    network: _Network
    pipe: _Pipe

    def send(self, data: Any, flags: int = 0, /) -> int:
        size = super().send(data, flags)
        self.network.sent(self.pipe[::-1], size)
        return size

    def sendmsg(self, buffers: Any, /, *args: Any) -> int:
        size = super().sendmsg(buffers, *args)
        self.network.sent(self.pipe[::-1], size)
        return size

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        try:
            data = super().recv(size, flags)
        except ConnectionError:
            self.network.received(self.pipe, 0)
            raise
        self.network.received(self.pipe, len(data))
        return data

    def shutdown(self, how: int, /) -> None:
        super().shutdown(how)
        self.network.sent(self.pipe[::-1], 1)

    def close(self) -> None:
        self.network.closed(self.pipe)
        super().close()


class _Selector(selectors.SelectSelector):
    """Polls the sockets briefly; then the clock jumps to the next timer."""

    def __init__(self, network: _Network) -> None:
        super().__init__()
        self.now = 0.0
        self.threads = 0
        """Threads working for the loop: the clock stands still meanwhile."""
        self._network = network

    def _reading(self, descriptor: int) -> bool:
        key = self.get_map().get(descriptor)
        return key is not None and bool(key.events & selectors.EVENT_READ)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or (self.threads and timeout):
            return super().select(None)
        ready = super().select(0)
        if not ready and timeout and self._network.busy(self._reading):
            ready = super().select(_LOST)
            if not ready:
                self._network.forget()
        if not ready:
            self.now += timeout
        return ready


class Loop(asyncio.SelectorEventLoop):
    """A loop with such a clock."""

    def __init__(self) -> None:
        self._network = _Network()
        self._clock = _Selector(self._network)
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        self._clock.threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._done)
        return future

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:
        self._network.connecting += 1
        try:
            await super().sock_connect(sock, address)
        finally:
            self._network.connecting -= 1

    def _make_socket_transport(self, sock: socket.socket, *args: Any, **kwargs: Any) -> Any:
        with suppress(OSError):  # the other end may have gone again
            pipe = sock.getsockname(), sock.getpeername()
            counted = _Socket(sock.family, sock.type, sock.proto, sock.detach())
            counted.setblocking(False)
            counted.network, counted.pipe = self._network, pipe
            self._network.opened(pipe, counted.fileno())
            sock = counted
        return super()._make_socket_transport(sock, *args, **kwargs)  # type: ignore[misc]

    def _done(self, _future: asyncio.Future[Any]) -> None:
        self._clock.threads -= 1


def run(what: Coroutine[Any, Any, None]) -> None:
    """Like asyncio.run(), in such a loop."""
    loop = Loop()
    try:
        loop.run_until_complete(what)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
