"""Addresses and results in words."""

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
    """Return the error for a HOST:PORT of `option` that cannot be used, with the reason and a remedy.

    asyncio wraps the system's message in its own.
    """
    name = isinstance(error, socket.gaierror)
    own = error if name or not error.errno else OSError(error.errno, os.strerror(error.errno))
    return UserError(tr("cannot_listen", address=address(host, port), reason=why(own), option=option))


def address(host: str, port: int) -> str:
    """Format HOST:PORT, an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def rating_words(standing: Standing) -> str:
    """Format a rating and twice its deviation: the 95 % bounds."""
    return f"{standing.rating:.0f} +-{2 * standing.deviation:.0f}"


def ending(game: Game) -> str:
    """Return how a game ended, as the winner sees it if there is one."""
    return tr(f"club_ending_{game.ending or 'open'}")


def result_words(game: Game) -> str:
    """Return the result of a game."""
    if game.stage != FINISHED:
        return tr("show_going")
    how = ending(game)
    if game.winner is None:
        return tr("show_none", how=how)
    return tr("show_won", name=game.players[game.winner].display_name, how=how)


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use a language for messages inside the block. The block must not await."""
    before = messages.language()
    messages.use(language)
    try:
        yield
    finally:
        messages.use(before)
