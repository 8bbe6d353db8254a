"""Keys pressed in the terminal while a view runs: their names, without blocking."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from types import TracebackType

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
    """The keyboard, if it is our terminal; else no key is ever pressed."""

    def __init__(self) -> None:
        self._fd = -1
        self._before: list[object] = []

    def __enter__(self) -> Keys:
        if sys.platform != "win32":
            try:
                fd = sys.stdin.fileno()
                # a background job that touches its terminal is stopped
                if os.isatty(fd) and os.tcgetpgrp(fd) == os.getpgrp():
                    self._before = termios.tcgetattr(fd)
                    tty.setcbreak(fd)
                    self._fd = fd
            except (OSError, ValueError, AttributeError, termios.error):
                self._fd = -1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform != "win32" and self._fd >= 0:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]
            self._fd = -1

    @property
    def listens(self) -> bool:
        """Whether there is a keyboard."""
        return self._fd >= 0

    def pressed(self) -> list[str]:
        """Return the names of the keys pressed since the last call, without unknown ones."""
        found = []
        data = self._read()
        while data:
            length = next((n for n in (4, 3, 1) if data[:n] in NAMES), 0)
            if length:
                found.append(NAMES[data[:length]])
            data = data[length or 1 :]
        return found

    def _read(self) -> bytes:
        if self._fd < 0 or not select.select([self._fd], [], [], 0)[0]:
            return b""
        try:
            data = os.read(self._fd, 1000)
        except OSError:
            data = b""
        if not data:
            # the terminal is gone
            self._fd = -1
        return data
