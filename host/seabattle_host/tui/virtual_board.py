"""A virtual board that the application starts for a user without hardware.

It is `seabattle board --autoplay` in a process of its own, without a terminal: the firmware plays by itself, and its
line is a pseudo-terminal.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from seabattle_host.errors import SeabattleError
from seabattle_host.language.messages import tr
from seabattle_host.line.virtual_board import has_ptys

# As many games as the user wants; the pipe to its input is closed however the application ends.
_COMMAND = (sys.executable, "-m", "seabattle_host", "board", "--autoplay", "--games", "0", "--until-eof")

_START_SECONDS = 20.0
_STOP_SECONDS = 3.0
_LOOK_SECONDS = 0.02


class VirtualBoard:
    """A board that runs until `close`; `url` is its line."""

    def __init__(self, arguments: Sequence[str] = ()):
        """Start it with more arguments of `seabattle board`. Raises SeabattleError with its error message."""
        self._folder = tempfile.TemporaryDirectory(prefix="seabattle-")
        line = Path(self._folder.name, "line")
        self._output = open(Path(self._folder.name, "said"), "w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        # without pseudo-terminals its line is a TCP port, whose URL it prints
        named = ["--link", str(line)] if has_ptys() else ["--listen", "127.0.0.1:0"]
        self._process = subprocess.Popen(
            [*_COMMAND, *named, *arguments],
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=self._output,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            # Ctrl-C in the user's terminal must not reach the board
            start_new_session=os.name == "posix",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        deadline = time.monotonic() + _START_SECONDS
        while not (url := self._line(line)):
            if self._process.poll() is not None or time.monotonic() > deadline:
                reason = self._last_words() or tr("board_silent")
                self.close()
                raise SeabattleError(tr("board_failed", reason=reason))
            time.sleep(_LOOK_SECONDS)
        self.url = url

    def _line(self, link: Path) -> str:
        """Return the URL of its line; empty while there is none."""
        if has_ptys():
            return str(link) if link.exists() else ""
        found = re.search(r"socket://\S+(?=\s)", "\n".join([*self.output(), ""]))
        return found[0] if found else ""

    def leave(self) -> None:
        """Tell the board to end; it says goodbye first."""
        if self._process.poll() is not None:
            return
        if os.name == "posix":
            self._process.terminate()
        elif self._process.stdin is not None:
            # Windows has no signal for this; the end of input has the same effect
            self._process.stdin.close()

    def close(self) -> None:
        """End the board. Closing twice is fine."""
        if self._process.poll() is None:
            self.leave()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_STOP_SECONDS)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._output.close()
        self._folder.cleanup()

    def output(self) -> list[str]:
        """Return its output lines so far."""
        with open(self._output.name, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def _last_words(self) -> str:
        """Return its last output line."""
        lines = self.output()
        return next((line.removeprefix("seabattle: ") for line in reversed(lines) if line.strip()), "")
