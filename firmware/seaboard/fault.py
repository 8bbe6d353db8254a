"""A fault of the program: a screen that names it, until a key is pressed."""

import gc

from . import words
from .keys import OK
from .note import Note, line_end, next_line
from .panel import TEXT
from .texts import Texts


def show(board, error):
    """Show the exception on the board's panel; returns when the person has pressed OK."""
    gc.collect()
    panel = board.panel
    panel.texts = Note.texts = panel.texts or Texts()
    note = Note()
    note.word(words.X_FAULT)
    for part in (type(error).__name__, str(error)):
        part = part.encode()
        note.space()
        note.letters(part, 0, len(part))
    panel.layout(TEXT)
    panel.covered = -1
    start = 0
    for y in range(panel.rows - 1):
        end = line_end(note.data, start, note.size, panel.columns)
        panel.row(y)
        panel.letters(note.data, start, end)
        panel.rest()
        start = next_line(note.data, end, note.size)
    panel.row(panel.rows - 1)
    panel.word(words.X_RESTART)
    panel.rest()
    panel.changed()
    while board.keys.get(board.ms()) != OK:
        if not panel.step():
            board.idle()
