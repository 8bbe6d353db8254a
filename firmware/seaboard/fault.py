"""The screen shown after an unhandled exception, until a key is pressed."""

import gc

from seabattle.const import TYPE_CHECKING, const

from . import words
from .keys import DOWN, OK, UP
from .panel import TEXT
from .text_buffer import TextBuffer, Texts, line_end, next_line

if TYPE_CHECKING:
    from typing import Any

    from .panel import Panel
    from .parts import Board


_CLOCK = const(0x1FFFFFFF)
_PAGE_MS = const(1500)  # how long each page of a longer text is shown


def show(board: "Board", error: Exception) -> None:
    """Show the exception on the board's panel; returns when the player presses OK."""
    gc.collect()
    panel = board.panel
    panel.texts = TextBuffer.texts = panel.texts or Texts()
    text = TextBuffer()
    text.word(words.X_FAULT)
    part: "Any"
    for part in (type(error).__name__, str(error)):
        part = part.encode()
        text.space()
        text.letters(part, 0, len(part))
    panel.layout(TEXT)
    panel.covered = -1
    panel.inverse = 0
    top = 0
    last = _draw(panel, text, top)
    since = board.ms()
    while True:
        key = board.keys.get(board.ms())
        if key == OK:
            return
        late = (board.ms() - since) & _CLOCK >= _PAGE_MS
        if key == UP or key == DOWN or late and last:
            # without keys it cycles
            top = max(0, min(last, top + (1 if key == DOWN else -1))) if key else 0 if top == last else top + 1
            since = board.ms()
            _draw(panel, text, top)
        if not panel.step():
            board.idle()


def _draw(panel: "Panel", text: "TextBuffer", top: int) -> int:
    """Show the lines from `top` on, above the hint; return the highest useful `top`."""
    rows = panel.rows - 1
    start = 0
    n = 0
    while start < text.size or n < top + rows:
        end = line_end(text.data, start, text.size, panel.columns)
        if top <= n < top + rows:
            panel.row(n - top)
            panel.letters(text.data, start, end)
            panel.rest()
        start = next_line(text.data, end, text.size)
        n += 1
    panel.row(rows)
    panel.word(words.X_RESTART)
    panel.rest()
    panel.changed()
    return max(0, n - rows)
