"""A text terminal as the front panel of a virtual board: pixels made of characters, keys from the keyboard.

Each write positions its own cursor, so that nothing depends on earlier output, and only changes are written. `Terminal`
restores the terminal however the program ends.
"""

from __future__ import annotations

import codecs
import contextlib
import importlib.util
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator

from seabattle_host.language.messages import tr
from seabattle_host.line.panels import Panel

KEYS = {
    "A": 1,  # up
    "B": 2,  # down
    "D": 3,  # left
    "C": 4,  # right
}
"""Last letter of an arrow's escape sequence -> the board's code of the key (firmware/seaboard/keys.py)."""

OK = 5
BACK = 6
OFF = 7
ERASE = 8
_REDRAW = "\x0c"

ESCAPE_SECONDS = 0.03
"""How long after an ESC the rest of an escape sequence may arrive; without it, it was the key Esc."""

_ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[2J"
_LEAVE_SCREEN = "\x1b[0m\x1b[?25h\x1b[?1049l"

_STYLES = {"128x64": "97;40", "84x48": "30;47", "20x4": "97;44", "16x2": "97;44"}
"""Colours of the panels: light on black, dark on grey, white on blue."""

HALF = "half"
BRAILLE = "braille"
WHOLE = "whole"
MODES = (HALF, BRAILLE, WHOLE)
"""How pixels are drawn: two per character, eight as dots, or one, which every font can show."""

_CELL = {HALF: (1, 2), BRAILLE: (2, 4), WHOLE: (1, 1)}
_HALVES = " ▀▄█"
# Bit of each dot of a braille character, by column and row.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


class KeyReader:
    """Converts a keyboard's bytes to key codes; letters become bytes of code page 866."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""

    @property
    def waiting(self) -> bool:
        """Return whether the last byte was an ESC, which may be a key or the start of a sequence."""
        return bool(self._pending)

    def feed(self, data: bytes) -> list[int]:
        """Return the keys that these bytes complete; `OFF` for Ctrl-C, -1 to redraw everything."""
        text = self._pending + self._decoder.decode(data)
        self._pending = ""
        keys = []
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                length, code = self._escape(text[at:])
                if not length:
                    self._pending = text[at:]
                    break
                at += length
                keys += [code] if code else []
                continue
            code = self._plain(text[at])
            keys += [code] if code else []
            at += 1
        return keys

    def flush(self) -> list[int]:
        """Return the key Esc for an ESC that nothing followed."""
        pending, self._pending = self._pending, ""
        return [BACK] if pending else []

    @staticmethod
    def _escape(text: str) -> tuple[int, int]:
        """Return the length of an escape sequence and its key, 0 for an unused one; length 0 if incomplete."""
        if len(text) < 2:
            return 0, 0
        if text[1] == "\x1b":
            return 1, BACK
        if text[1] not in "[O":
            return 2, 0
        for i in range(2, len(text)):
            if "@" <= text[i] <= "~":
                return i + 1, KEYS.get(text[i], ERASE if text[2:i] == "3" and text[i] == "~" else 0)
        return 0, 0

    @staticmethod
    def _plain(char: str) -> int:
        if char in "\r\n":
            return OK
        if char in "\x7f\x08":
            return ERASE
        if char in "\x03\x1c":
            return OFF
        if char == _REDRAW:
            return -1
        code = char.encode("cp866", "replace")[0]
        return code if code >= 32 and (code != 63 or char == "?") else 0


class Terminal:
    """The user's terminal, for one panel with lines of text above and below it.

    name: of the panel. mode: one of MODES, or None for the largest that fits. As a context manager it takes over the
    terminal and restores it.
    """

    def __init__(self, panel: Panel, name: str, mode: str | None = None):
        self._panel = panel
        kind = os.environ.get("TERM")
        self._style = "0" if os.environ.get("NO_COLOR") or kind == "dumb" else _STYLES[name]
        self._asked = mode
        # the usual fonts of the Linux console have neither half blocks nor braille
        self._usual = (WHOLE,) if kind == "linux" else (HALF, BRAILLE)
        self._mode = HALF
        self._shown: dict[tuple[int, int], str] = {}
        self._lines: dict[int, str] = {}
        self._size = (0, 0)
        self._room = False

    @contextlib.contextmanager
    def take_over(self) -> Iterator[int]:
        """Take over the terminal; yield the descriptor that keys come from."""
        with raw_keyboard() as fd:
            self._write(_ENTER_SCREEN)
            try:
                yield fd
            finally:
                self._write(_LEAVE_SCREEN)

    @property
    def resized(self) -> bool:
        """Return whether the terminal's size differs from what was drawn."""
        return shutil.get_terminal_size() != self._size

    def ring(self) -> None:
        """Ring the bell."""
        self._write("\a")

    def redraw_all(self) -> None:
        """Schedule redrawing everything."""
        self._size = (0, 0)

    def draw(self, above: list[str], below: list[str]) -> None:
        """Update the terminal: the framed panel, and the lines around it."""
        size = shutil.get_terminal_size()
        out = []
        if size != self._size:
            self._size = (size.columns, size.lines)
            self._shown.clear()
            self._lines.clear()
            self._choose(len(above) + len(below))
            out.append("\x1b[0m\x1b[2J")
        if not self._room:
            out.append(f"\x1b[H\x1b[0m{self._too_small(len(above) + len(below))}\x1b[K")
        else:
            width, height = self._cells()
            for row, text in enumerate(above, 1):
                out.append(self._line(row, text))
            top = len(above) + 1
            if not self._shown:
                out.append(_frame(top, width, height))
            out.append(self._pixels(top + 1))
            first = top + height + 2
            # recent events may take the remaining rows
            wrapped = [line for text in below for line in textwrap.wrap(text, self._size[0]) or [""]]
            rows = wrapped[: max(len(below), self._size[1] - first + 1)]
            for row in range(first, max(first + len(rows), max(self._lines, default=0) + 1)):
                out.append(self._line(row, rows[row - first] if row - first < len(rows) else ""))
        self._write("".join(out))

    def _cells(self, mode: str | None = None) -> tuple[int, int]:
        """Return the characters that the panel takes."""
        x, y = _CELL[mode or self._mode]
        return -(-self._panel.width // x), -(-self._panel.height // y)

    def _choose(self, lines: int) -> None:
        """Choose the largest mode that fits."""
        columns, rows = self._size
        for mode in (self._asked,) if self._asked else self._usual:
            self._mode = mode
            width, height = self._cells()
            self._room = width + 2 <= columns and height + 2 + lines <= rows
            if self._room:
                return

    def _too_small(self, lines: int) -> str:
        width, height = self._cells(self._asked or self._usual[-1])
        columns, rows = self._size
        return tr("too_small", columns=columns, rows=rows, width=width + 2, height=height + 2 + lines)

    def _line(self, row: int, text: str) -> str:
        text = text[: self._size[0]]
        if self._lines.get(row) == text:
            return ""
        self._lines[row] = text
        return f"\x1b[{row};1H\x1b[0m{text}\x1b[K"

    def _pixels(self, top: int) -> str:
        """Return the output that updates changed characters of the panel; neighbours together."""
        width, height = self._cells()
        out = []
        for y in range(height):
            x = 0
            while x < width:
                if self._shown.get((x, y)) == self._char(x, y):
                    x += 1
                    continue
                out.append(f"\x1b[{top + y};{x + 2}H\x1b[{self._style}m")
                while x < width and self._shown.get((x, y)) != (char := self._char(x, y)):
                    self._shown[x, y] = char
                    out.append(char)
                    x += 1
        if out:
            out.append("\x1b[0m")
        return "".join(out)

    def _char(self, x: int, y: int) -> str:
        rows = self._panel.rows
        if self._mode == WHOLE:
            return _HALVES[3 * bool(rows[y][x])]
        if self._mode == HALF:
            upper = rows[2 * y][x]
            lower = rows[2 * y + 1][x] if 2 * y + 1 < len(rows) else 0
            return _HALVES[upper | lower << 1]
        bits = 0
        for k in range(2):
            for j in range(4):
                if 2 * x + k < self._panel.width and 4 * y + j < len(rows) and rows[4 * y + j][2 * x + k]:
                    bits |= _DOTS[k][j]
        return chr(0x2800 + bits)

    @staticmethod
    def _write(text: str) -> None:
        if text:
            sys.stdout.flush()
            data = text.encode()
            while data:
                data = data[os.write(sys.stdout.fileno(), data) :]


def _frame(top: int, width: int, height: int) -> str:
    bar = "─" * width
    out = [f"\x1b[{top};1H\x1b[0m┌{bar}┐"]
    out += [f"\x1b[{top + row};1H│\x1b[{top + row};{width + 2}H│" for row in range(1, height + 1)]
    out.append(f"\x1b[{top + height + 1};1H└{bar}┘")
    return "".join(out)


def has_key_input() -> bool:
    """Return whether this system has terminals that deliver each key at once, as POSIX systems do."""
    return importlib.util.find_spec("termios") is not None


@contextlib.contextmanager
def raw_keyboard() -> Iterator[int]:
    """Deliver every key at once and without echo, including Ctrl-C; yield the descriptor to read from.

    See `has_key_input`.
    """
    if sys.platform == "win32":
        raise NotImplementedError
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setraw(fd)
        yield fd
    finally:
        termios.tcsetattr(fd, termios.TCSAFLUSH, before)
