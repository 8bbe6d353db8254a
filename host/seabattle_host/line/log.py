"""A text log of a session: one line per frame or event, written to disk at once.

    12.345678 > C0 02 07         shot at B7
    12.352011 < 1C               hit
    12.352102 - our shot at B7: hit

Seconds since the log began, `>` sent, `<` received, `-` an event or a remark; the bytes in hex, and their meaning.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from typing import TextIO

from seabattle import wire
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.words import TICK_SECONDS

_HEX_WIDTH = 18


class TextLog:
    """An observer of a Runner that writes a file.

    A full disk ends the log, not the session, and so does its removal: `failed` is then true, `problem` says why until
    that is told, and nothing more is written.
    """

    def __init__(self, path: str, about: str):
        """Create a new file at `path` with the remark `about`. Raises UserError if it cannot be written."""
        self.path = path
        self.problem = ""
        self.failed = False
        self._began = time.time()
        self._sides = (_Side("<"), _Side(">"))
        try:
            # line buffering: even a killed program leaves whole lines
            self._file: TextIO | None = open(path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 - closed in close()
            self._linked = os.fstat(self._file.fileno()).st_nlink > 0
        except OSError as error:
            raise UserError(tr("bad_file", file=path, reason=why(error))) from None
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(self._began))
        self._write(f"# {about}, {stamp} UTC\n")

    def traffic(self, at: float, sent: bool, data: bytes) -> None:
        """Write the frames that these bytes complete."""
        side = self._sides[sent]
        if side.frame and at - side.last > (wire.GAP_TICKS + 1) * TICK_SECONDS:
            self._cut(side)
        side.last = at
        for byte in data:
            if not side.frame:
                side.began = at
            side.frame.append(byte)
            got = side.reader.feed(byte)
            if got != wire.QUIET:
                meaning = tr("noise") if got == wire.NOISE else words.frame(side.reader.op, side.body())
                self._frame(side, meaning)

    def remark(self, line: str) -> None:
        """Write an event or a remark, with the current time."""
        self._line(time.time(), f"- {line}")

    def close(self) -> None:
        """Write the remains of unfinished frames, and close the file."""
        for side in self._sides:
            if side.frame:
                self._cut(side)
        if self._file is not None:
            self._file.close()
            self._file = None

    def _cut(self, side: _Side) -> None:
        self._frame(side, tr("cut_off"))
        side.reader.reset()

    def _frame(self, side: _Side, meaning: str) -> None:
        self._line(side.began, f"{side.mark} {side.frame.hex(' ').upper():{_HEX_WIDTH}} {meaning}")
        side.frame.clear()

    def _line(self, at: float, line: str) -> None:
        self._write(f"{at - self._began:12.6f} {line}\n")

    def _write(self, line: str) -> None:
        if self._file is None:
            return
        try:
            self._file.write(line)
            if self._linked:
                check_kept(self._file.fileno())
        except OSError as error:
            self.problem = tr("bad_file", file=self.path, reason=why(error))
            self.failed = True
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    def take_problem(self) -> str:
        """Return the line that tells why the log has ended, once; else nothing."""
        problem, self.problem = self.problem, ""
        return tr("bot_log_ended", problem=problem) if problem else ""


def check_kept(fd: int) -> None:
    """Raise OSError if the file open as `fd` has been removed, so that what is written to it would be lost."""
    found = os.fstat(fd)
    if os.name == "posix" and stat.S_ISREG(found.st_mode) and not found.st_nlink:
        raise OSError(tr("log_removed"))


class _Side:
    """The bytes of one direction."""

    def __init__(self, mark: str):
        self.mark = mark
        self.reader = wire.Reader()
        self.frame = bytearray()
        self.began = 0.0
        self.last = 0.0

    def body(self) -> bytearray:
        """Return the bytes after the opcode of the frame just completed, and after its length byte."""
        return self.reader.data[: self.reader.size]
