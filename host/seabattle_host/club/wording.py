"""What the club says of addresses and results, in words."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator

from seabattle_host.club.ratings import Standing
from seabattle_host.club.store import FINISHED, Game
from seabattle_host.errors import UserError
from seabattle_host.language import messages
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why


def cannot_listen(host: str, port: int, error: OSError, option: str) -> UserError:
    """Why the HOST:PORT of `option` cannot be used, and what to do. asyncio wraps the system's words in its own."""
    name = isinstance(error, socket.gaierror)
    own = error if name or not error.errno else OSError(error.errno, os.strerror(error.errno))
    return UserError(tr("cannot_listen", address=address(host, port), reason=why(own), option=option))


def address(host: str, port: int) -> str:
    """HOST:PORT, an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def rating_words(standing: Standing) -> str:
    """A rating, and twice its deviation: within these the true one is with 95 %."""
    return f"{standing.rating:.0f} +-{2 * standing.deviation:.0f}"


def ending(game: Game) -> str:
    """How a game ended, as the winner sees it where there is one."""
    return tr(f"club_ending_{game.ending or 'open'}")


def result_words(game: Game) -> str:
    """What a game has come to."""
    if game.stage != FINISHED:
        return tr("show_going")
    how = ending(game)
    if game.winner is None:
        return tr("show_none", how=how)
    return tr("show_won", name=game.players[game.winner].shown, how=how)


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Messages made inside are in this language. Nothing inside may wait."""
    before = messages.language()
    messages.use(language)
    try:
        yield
    finally:
        messages.use(before)
