"""Keys pressed in the terminal while a view runs: their names, without blocking."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from types import FrameType, TracebackType
from typing import Any

if sys.platform != "win32":
    import termios
    import tty

NAMES = {
    b" ": "pause",
    b"p": "pause",
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"k": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"j": "down",
    b"\x1b[D": "left",
    b"\x1bOD": "left",
    b"h": "left",
    b"\x1b[C": "right",
    b"\x1bOC": "right",
    b"l": "right",
    b"\x1b[5~": "page up",
    b"\x1b[6~": "page down",
    b"\x1b[H": "home",
    b"\x1bOH": "home",
    b"\x1b[1~": "home",
    b"g": "home",
    b"\x1b[F": "end",
    b"\x1bOF": "end",
    b"\x1b[4~": "end",
    b"G": "end",
}


class Keys:
    """The keyboard, while it is our terminal and we are in its foreground; else no key is ever pressed.

    Ctrl-Z is the key "stop", so that the view can leave the terminal in order; `stop` then stops the program.
    """

    def __init__(self) -> None:
        self._fd = -1
        self._before: list[object] = []
        self._on_stop: Any = None
        self._stopping = False

    def __enter__(self) -> Keys:
        self._take()
        if sys.platform != "win32":
            with contextlib.suppress(ValueError):  # only the main thread may install handlers
                self._on_stop = signal.signal(signal.SIGTSTP, self._ask_to_stop)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        if sys.platform != "win32" and self._on_stop is not None:
            signal.signal(signal.SIGTSTP, self._on_stop)

    def _ask_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def _take(self) -> None:
        """Have every key delivered at once, if we are in the foreground of our terminal."""
        if sys.platform != "win32" and self._fd < 0:
            try:
                fd = sys.stdin.fileno()
                # a background job that touches its terminal is stopped
                if os.isatty(fd) and _in_foreground(fd):
                    self._before = termios.tcgetattr(fd)
                    tty.setcbreak(fd)
                    self._fd = fd
            except (OSError, ValueError, AttributeError, termios.error):
                self._fd = -1

    def _give_back(self) -> None:
        if sys.platform != "win32" and self._fd >= 0:
            with contextlib.suppress(OSError, termios.error):
                if _in_foreground(self._fd):
                    termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]
            self._fd = -1

    def stop(self) -> None:
        """Stop the program as Ctrl-Z does; return when it goes on."""
        self._give_back()
        self._stopping = False
        if sys.platform != "win32":
            handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTSTP)
            signal.signal(signal.SIGTSTP, handler)
        self._take()

    @property
    def listens(self) -> bool:
        """Whether there is a keyboard."""
        return self._fd >= 0

    def pressed(self) -> list[str]:
        """Return the names of the keys pressed since the last call, without unknown ones."""
        found = ["stop"] if self._stopping else []
        data = self._read()
        while data:
            length = next((n for n in (4, 3, 1) if data[:n] in NAMES), 0)
            if length:
                found.append(NAMES[data[:length]])
            data = data[length or 1 :]
        return found

    def _read(self) -> bytes:
        # a stopped program may go on in the background, and come to the foreground again
        self._take()
        if self._fd < 0:
            return b""
        try:
            if not _in_foreground(self._fd):
                self._fd = -1
            if self._fd < 0 or not select.select([self._fd], [], [], 0)[0]:
                return b""
            data = os.read(self._fd, 1000)
        except OSError:
            data = b""
        if not data:
            # the terminal is gone
            self._fd = -1
        return data


def _in_foreground(fd: int) -> bool:
    return sys.platform != "win32" and os.tcgetpgrp(fd) == os.getpgrp()
