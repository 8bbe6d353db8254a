"""The signals that end a program, and the default way to end a command at them.

Python turns only Ctrl-C into an exception; at any other signal it would die with its files unwritten and its port's
settings not restored.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType
from typing import Any


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals that end a program on this system; without SIGHUP where it is ignored (`nohup`)."""
    found = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    return tuple(
        each for each in found if each == signal.SIGINT or signal.getsignal(each) not in (signal.SIG_IGN, None)
    )


@contextlib.contextmanager
def exit_on_signal() -> Iterator[None]:
    """Raise SystemExit at such a signal, so that resources are released.

    A second one is ignored, except that a second SIGTERM kills.
    """
    before: dict[signal.Signals, Any] = {}

    def leave(number: int, _frame: FrameType | None) -> None:
        # a terminal that closes sends its SIGHUP a second time, through the shell
        for each in before:
            signal.signal(each, signal.SIG_IGN if each != signal.SIGTERM else signal.SIG_DFL)
        raise SystemExit(128 + number)

    try:
        for number in ending_signals():
            if number != signal.SIGINT:
                with contextlib.suppress(ValueError):  # only the main thread may install handlers
                    before[number] = signal.signal(number, leave)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
