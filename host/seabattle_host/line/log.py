"""A text log of a session: one line per frame or event, written to disk at once.

    12.345678 > C0 02 07         shot at B7
    12.352011 < 1C               hit
    12.352102 - our shot at B7: hit

Seconds since the log began, `>` sent, `<` received, `-` an event or a remark; the bytes in hex, and their meaning.
"""

from __future__ import annotations

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

    A full disk ends the log, not the session: `problem` then says why, and nothing more is written.
    """

    def __init__(self, path: str, about: str):
        """Create a new file at `path` with the remark `about`. Raises UserError if it cannot be written."""
        self.path = path
        self.problem = ""
        self._began = time.time()
        self._sides = (_Side("<"), _Side(">"))
        try:
            # line buffering: even a killed program leaves whole lines
            self._file: TextIO | None = open(path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 - closed in close()
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
        except OSError as error:
            self.problem = tr("bad_file", file=self.path, reason=why(error))
            self._file = None


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
