"""An event loop whose clock advances only while everything waits: nothing is ever late, however busy the machine is."""

from __future__ import annotations

import asyncio
import selectors
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any

_MOMENT = 0.0 if sys.platform == "linux" else 0.0002
"""Seconds within which data sent to a socket of this process arrives; Linux delivers it at once."""


class _Selector(selectors.SelectSelector):
    """Polls the sockets briefly; then the clock jumps to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.threads = 0
        """Threads working for the loop: the clock stands still meanwhile."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or (self.threads and timeout):
            return super().select(None)
        ready = super().select(min(timeout, _MOMENT))
        if not ready:
            self.now += timeout
        return ready


class Loop(asyncio.SelectorEventLoop):
    """A loop with such a clock."""

    def __init__(self) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        self._clock.threads += 1
        future = super().run_in_executor(executor, func, *args)
        future.add_done_callback(self._done)
        return future

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
