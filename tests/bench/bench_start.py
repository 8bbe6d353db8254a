"""How soon a command responds: from its start to the first line of its help, and to the first screen of a game.

Each command runs in a process of its own, started afresh. The figure is the shortest of several starts, since other
work on the machine only makes them longer; the processor time is that of the same start. The first screen is `seabattle
play` in a pseudo-terminal of 100x30 cells, until the names of the keys are in its last line.
"""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator

from seabattle_host.cli import COMMANDS
from tests.bench import Figure

_STARTS = 5
_LAST_KEY = b"F10"
_ROWS, _COLUMNS = 30, 100
_PROGRAM = (sys.executable, "-m", "seabattle_host")
_PATIENCE = 30.0


def helped(command: str) -> tuple[float, float]:
    """Return the seconds to the first line of a command's help, and its processor time to the end."""
    began = time.monotonic()
    words = [*_PROGRAM, *([command] if command else []), "--help"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process.stdout as output:
        output.readline()
        took = time.monotonic() - began
        output.read()
    return took, spent(process.pid)


def screened() -> tuple[float, float]:
    """Return the same for the first screen of `play`."""
    with tempfile.TemporaryDirectory() as home:
        began = time.monotonic()
        pid, fd = pty.fork()
        if pid == 0:
            environment = {**os.environ, "TERM": "xterm-256color", "HOME": home, "LANG": "C.UTF-8"}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
            os.execve(sys.executable, [*_PROGRAM, "play"], environment)
        shown = b""
        while _LAST_KEY not in shown:
            shown += os.read(fd, 1 << 16)
            if time.monotonic() - began > _PATIENCE:
                raise RuntimeError("the first screen does not come")
        took = time.monotonic() - began
        os.kill(pid, signal.SIGKILL)
        seconds = spent(pid)
        os.close(fd)
        return took, seconds


def spent(pid: int) -> float:
    """Return the processor time of a process that has ended, in seconds."""
    used = os.wait4(pid, 0)[2]
    return used.ru_utime + used.ru_stime


def figures(quick: bool = False) -> Iterator[Figure]:
    starts = 1 if quick else _STARTS
    for command in ("", "club") if quick else ("", *COMMANDS):
        took, seconds = min(helped(command) for _ in range(starts))
        name = f"seabattle {command}".strip()
        yield Figure(f"{name} --help", took, "s", f"{seconds:.3g} s of the processor")
    took, seconds = min(screened() for _ in range(starts))
    yield Figure("seabattle play, the first screen", took, "s", f"{seconds:.3g} s of the processor")
