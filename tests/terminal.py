"""A command in a terminal of its own, as a user has it. POSIX only."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time
from typing import Any

from tests import forked
from tests.command import SOON, environment, wait_until

_ALTERNATE_ON, _ALTERNATE_OFF = b"\x1b[?1049h", b"\x1b[?1049l"
_MOUSE_OFF = b"\x1b[?1000l"
_LAST = b"\0the end\0"


class Terminal:
    """A terminal of 80x24 with a command running in it."""

    def __init__(self, *arguments: str, **changes: str):
        self._master, self._slave = os.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self._slave)
        self.shown = b""
        variables = environment(**{"TERM": "xterm-256color", "COLORTERM": "truecolor", **changes})
        screen: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), self._slave)
        self.process: Any = forked.start(list(arguments), variables, screen, terminal=True) or subprocess.Popen(
            [sys.executable, "-m", "seabattle_host", *arguments],
            env=variables,
            **screen,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    def look(self) -> None:
        """Read what is drawn."""
        while select.select([self._master], [], [], 0)[0]:
            self.shown += os.read(self._master, 65536)

    def resize(self, rows: int, columns: int) -> None:
        """Give the window another size, as its user does."""
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def fill(self) -> None:
        """Fill its buffer, so that whatever writes to it blocks."""
        # an opening of its own: the program's must go on blocking
        filler = os.open(os.ttyname(self._slave), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(filler, b"." * 4096)
        os.close(filler)

    def until(self, what: bytes) -> None:
        """Wait until this has been drawn."""

        def drawn() -> bool:
            self.look()
            return what in self.shown

        wait_until(drawn)

    def type(self, keys: bytes) -> None:
        """Press keys."""
        os.write(self._master, keys)

    def insist(self, key: bytes, what: bytes, every: float = 5.0) -> None:
        """Press a key every `every` seconds until this has been drawn: a screen may appear before it accepts keys.

        Every few seconds if a second press means something else: the answer to the first may come late.
        """
        pressed = 0.0

        def drawn() -> bool:
            nonlocal pressed
            if time.monotonic() - pressed > every:
                pressed = time.monotonic()
                self.type(key)
            self.look()
            return what in self.shown

        wait_until(drawn)

    def end(self) -> int:
        """Wait for the end of the command; return its exit status."""
        deadline = time.monotonic() + SOON
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.shown[-2000:]
            self.look()
            time.sleep(0.01)
        # what it wrote last may still be on its way
        os.write(self._slave, _LAST)
        self.until(_LAST)
        self.shown = self.shown.replace(_LAST, b"")
        return self.process.returncode

    def restored(self) -> bool:
        """Return whether the terminal is as it was found: its modes, its screen, its mouse."""
        return (
            termios.tcgetattr(self._slave) == self.before
            and self.shown.rfind(_ALTERNATE_OFF) > self.shown.rfind(_ALTERNATE_ON)
            and _MOUSE_OFF in self.shown
        )
