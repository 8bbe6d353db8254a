"""Computer play on a board: its bot, errors that nobody reads, and waiting for opponents.

Loaded on demand.
"""

from seabattle import link as links
from seabattle import wire
from seabattle.bot import BUSY, LONE_TICKS, STUCK, Bot
from seabattle.const import TYPE_CHECKING, const
from seabattle.gunner import Gunner

from .app import NOTICE_FAILED, NOTICE_LONE, NOTICE_STUCK

if TYPE_CHECKING:
    from .app import App


_DESERTED_TICKS = const(60)
_GRACE_TICKS = const(55)  # about 3 s: delay before the key is pressed after an error


def begin(app: "App", games: int) -> None:
    """Create the bot."""
    app.bot = Bot(app.player, Gunner(app.player.radar, app.link.rng, app.storage.level), games, app.offer)


def look_for_others(app: "App") -> None:
    """Let a slave that has heard no master for a while become master."""
    app.quiet += 1
    link = app.link
    if app.quiet >= _DESERTED_TICKS and link.state == 0 and link.role == wire.SLAVE:
        app.quiet = 0
        link.open(wire.AUTO)


def count_lone(app: "App") -> None:
    """Give up when no opponent has come for a long time after the last one left."""
    if app.link.state:
        app.lone = 1
    elif app.bot.games and not app.leaving:
        app.lone += 1
        if app.lone > LONE_TICKS:
            app.failed = True
            app.board.notify(NOTICE_LONE)
            app.leave()


def event(app: "App", ev: int) -> None:
    """Handle an event of the link on a board without a human player, before the bot sees it."""
    ui = app.ui
    ui.result_due = ui.notice_due = ui.chat_due = False
    if ev == links.EV_MET:
        app.lone = 1
    elif ev == links.EV_RESUMED:
        app.failed = False
        app.key_wait = 0
    elif ev == links.EV_TIMEOUT or ev == links.EV_BROKEN or ev == links.EV_ACCUSED or ev == links.EV_PEER_TIMEOUT:
        app.failed = True
        app.key_wait = 0 if ev == links.EV_PEER_TIMEOUT else _GRACE_TICKS


def play(app: "App") -> bool:
    """Do a slice of the bot's work; return True if there is more."""
    bot = app.bot
    if app.leaving:
        return False
    line = app.at_line if bot.thinking else app.hold()
    bot.held = app.revealer.owed
    step = bot.step()
    app.let(line)
    if step == STUCK:
        app.failed = True
        app.board.notify(NOTICE_STUCK)
        app.leave()
    elif app.failed and app.link.state == 0 and bot.played < bot.games:
        app.board.notify(NOTICE_FAILED)
        app.leave()
    return step == BUSY
