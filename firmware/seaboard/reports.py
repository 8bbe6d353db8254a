"""Two pages of figures: the statistics, and the program's version and clock. Loaded when opened from the main menu."""

from seabattle.const import TYPE_CHECKING, const

from . import VERSION, words
from .storage import BROKEN, GAMES, LOST, SHOTS, WON
from .text_buffer import NEW_LINE

if TYPE_CHECKING:
    from .app import App
    from .text_buffer import TextBuffer


_CLOCK = const(0x1FFFFFFF)


def statistics(app: "App", text: "TextBuffer") -> None:
    """Write the statistics to a TextBuffer."""
    storage = app.storage
    link = app.link
    text.only(words.T_TITLE)
    text.line()
    text.word(words.T_GAMES, storage.count(GAMES))
    text.line()
    text.word(words.T_WON, storage.count(WON))
    text.line()
    text.word(words.T_LOST, storage.count(LOST))
    text.line()
    text.word(words.T_BROKEN, storage.count(BROKEN))
    text.line()
    text.word(words.T_SHOTS, storage.count(SHOTS))
    text.line()
    if storage.best:
        text.word(words.T_BEST, storage.best)
        text.line()
    text.word(words.T_NOISE, link.noise)
    text.letters(b", ", 0, 2)
    text.word(words.T_DROPPED, link.dropped)
    text.letters(b", ", 0, 2)
    text.word(words.T_STRAYS, link.strays)
    text.letters(b", ", 0, 2)
    text.word(words.T_DEVIATIONS, link.deviations)


def about(app: "App", text: "TextBuffer") -> None:
    """Write the program's name and version, and the accuracy of its clock, to a TextBuffer."""
    text.only(words.A_TEXT)
    text.line()
    text.letters(VERSION, 0, len(VERSION))
    text.put(32)
    text.letters(app.board.name, 0, len(app.board.name))
    text.put(NEW_LINE)
    passed = (app.now - app.began) & _CLOCK
    text.word(words.A_DRIFT, _drift(app.ticks, passed), passed // 1000)


def _drift(n: int, passed: int) -> int:
    """Return the milliseconds by which the ticks are ahead of the clock, after `passed` ms."""
    # 54925.4 microseconds per tick, in steps that stay below 2**30
    return n // 10000 * 549254 + n % 10000 * 54925 // 1000 - passed
