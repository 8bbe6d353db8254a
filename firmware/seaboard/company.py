"""What a board that plays by itself does when nobody comes."""

from seabattle import wire
from seabattle.bot import LONE_TICKS
from seabattle.const import const

_DESERTED_TICKS = const(60)
NOTICE_LONE = const(4)  # the opponent has left before the games were played, and nobody has come for a minute


def look_for_others(app):
    """A slave that nobody has called for a while may become the master of the next opponent."""
    app.quiet += 1
    link = app.link
    if app.quiet >= _DESERTED_TICKS and link.state == 0 and link.role == wire.SLAVE:
        app.quiet = 0
        link.open(wire.AUTO)


def count_lone(app):
    """Give up when nobody has come for long after the opponent has left."""
    if app.link.state:
        app.lone = 1
    elif app.bot.games and not app.leaving:
        app.lone += 1
        if app.lone > LONE_TICKS:
            app.failed = True
            app.board.notify(NOTICE_LONE)
            app.leave()
