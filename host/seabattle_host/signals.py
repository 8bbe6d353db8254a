"""The signals that end a program, and the way in which a command ends that has no plans of its own for them.

Python turns only Ctrl-C into an exception; at any other signal it would die with its files unwritten and its port in
settings that are not the port's own.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import Any


def ending() -> tuple[signal.Signals, ...]:
    """Those that end a program on this system; not a hang-up that whoever started it (`nohup`) wants ignored."""
    found = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return tuple(
        each for each in found if each == signal.SIGINT or signal.getsignal(each) not in (signal.SIG_IGN, None)
    )


@contextlib.contextmanager
def in_order() -> Iterator[None]:
    """Leave by SystemExit, so that everything is given back, when such a signal comes. A second one is not heeded."""
    before: dict[signal.Signals, Any] = {}

    def leave(number: int, _frame: FrameType | None) -> None:
        # a terminal that closes sends its hang-up through the shell once more
        for each in before:
            signal.signal(each, signal.SIG_IGN if each != signal.SIGTERM else signal.SIG_DFL)
        raise SystemExit(128 + number)

    try:
        for number in ending():
            if number != signal.SIGINT:
                with contextlib.suppress(ValueError):  # only the main thread may
                    before[number] = signal.signal(number, leave)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
