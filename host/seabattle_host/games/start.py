"""Starting the game of a setup, or resuming one that was left."""

from __future__ import annotations

import contextlib
from pathlib import Path

from seabattle_host.errors import UserError
from seabattle_host.games import classic, journal, melee, salvo
from seabattle_host.games.field_view import CLASSIC, MELEE, SALVO
from seabattle_host.games.journal import Journal
from seabattle_host.games.setup import Setup
from seabattle_host.games.ui import GameUI, Left
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why

_GAMES = {CLASSIC: classic.play, SALVO: salvo.play, MELEE: melee.play}


def play(setup: Setup, ui: GameUI) -> None:
    """Play a game to its end. Raises Left when a player leaves, and UserError if it cannot continue."""
    if not ui.people or ui.keeper.archive is None:
        _GAMES[setup.kind](setup, ui)
        return
    record = _open(setup, ui)
    over = False
    try:
        _GAMES[setup.kind](setup, ui)
        over = True
    except Exception as error:
        # a bug would strike again; a player who leaves before typing anything has nothing to resume
        over = not isinstance(error, (Left, UserError)) or not ui.typed
        raise
    finally:
        ui.journal = None
        if record is not None:
            record.close(forget=over)


def discard(game: journal.Unfinished, ui: GameUI) -> None:
    """Give up a game that was left: it stays in the history as unfinished, with its ships."""
    record = Journal(game.setup, game.chat, game.path)
    ui.keeper.resume(game.number)
    ui.leaves = True
    ui.replay_input(game.typed)
    with contextlib.suppress(Left):
        _GAMES[game.setup.kind](game.setup, ui)
    record.close(forget=True)


def _open(setup: Setup, ui: GameUI) -> Journal | None:
    """Open the journal of this game, None if it cannot be kept. Raises UserError if a game cannot be resumed."""
    path = Path(setup.journal) if setup.journal else None
    if path is not None:
        game = journal.load(path)
        ui.keeper.resume(game.number)
    try:
        archive = ui.keeper.archive
        record = Journal(setup, ui.chat, path, journal.folder(archive.path if archive is not None else None))
    except OSError as error:
        if path is not None:
            raise UserError(tr("resume_unreadable", file=path)) from error
        ui.tell(None, tr("resume_not_kept", why=why(error)))
        return None
    if path is not None:
        ui.replay_input(journal.load(path).typed)
    ui.keeper.resumable = True
    ui.keeper.begun = record.number
    ui.journal = record
    return record
