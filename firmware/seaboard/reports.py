"""The two pages that tell of numbers: the statistics, and what this is and how its clock goes. Loaded when one is
opened, from the main menu alone."""

from seabattle.const import const

from . import VERSION, words
from .kept import BROKEN, GAMES, LOST, SHOTS, WON
from .note import NEW_LINE

_CLOCK = const(0x1FFFFFFF)


def statistics(app, note):
    """Put the statistics into a Note."""
    kept = app.kept
    link = app.link
    note.only(words.T_TITLE)
    note.line()
    note.word(words.T_GAMES, kept.count(GAMES))
    note.line()
    note.word(words.T_WON, kept.count(WON))
    note.line()
    note.word(words.T_LOST, kept.count(LOST))
    note.line()
    note.word(words.T_BROKEN, kept.count(BROKEN))
    note.line()
    note.word(words.T_SHOTS, kept.count(SHOTS))
    note.line()
    if kept.best:
        note.word(words.T_BEST, kept.best)
        note.line()
    note.word(words.T_NOISE, link.noise)
    note.letters(b", ", 0, 2)
    note.word(words.T_DROPPED, link.dropped)
    note.letters(b", ", 0, 2)
    note.word(words.T_STRAYS, link.strays)
    note.letters(b", ", 0, 2)
    note.word(words.T_DEVIATIONS, link.deviations)


def about(app, note):
    """Put into a Note what this is, and how its clock goes."""
    note.only(words.A_TEXT)
    note.line()
    note.letters(VERSION, 0, len(VERSION))
    note.put(32)
    note.letters(app.board.name, 0, len(app.board.name))
    note.put(NEW_LINE)
    passed = (app.now - app.began) & _CLOCK
    note.word(words.A_DRIFT, _drift(app.ticks, passed), passed // 1000)


def _drift(n, passed):
    """Milliseconds by which the ticks run ahead of the clock, after `passed` ms."""
    # 54925.4 microseconds a tick, in steps that stay below 2**30
    return n // 10000 * 549254 + n % 10000 * 54925 // 1000 - passed
