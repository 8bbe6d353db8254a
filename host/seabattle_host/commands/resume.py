"""`seabattle resume`: continue a game at one screen, or by chat, that was left or whose program has died."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING

from seabattle_host.commands import options
from seabattle_host.commands.game_options import add_interface_options, open_game, ui_of
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

if TYPE_CHECKING:
    from seabattle_host.games.journal import Unfinished


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("resume_about")
    parser = subparsers.add_parser("resume", help=about, description=about)
    parser.add_argument("number", nargs="?", type=options.whole(1, 2**31), metavar="N", help=tr("help_resume_number"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help=tr("help_resume_list"))
    what.add_argument("--discard", action="store_true", help=tr("help_resume_discard"))
    add_interface_options(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List, give up, or continue; return the exit status."""
    from seabattle_host.games.journal import unfinished

    options.preferences(args)
    games = unfinished()
    if args.list:
        print("\n".join(f"{number}. {game.words()}" for number, game in enumerate(games, 1)) or tr("resume_none"))
        return 0
    if not games:
        raise UserError(tr("resume_none"))
    if args.number is not None and args.number > len(games):
        raise UserError(tr("resume_no_number", number=args.number, most=len(games)))
    game = games[(args.number or len(games)) - 1]
    if args.discard:
        return _discard(game)
    return open_game(dataclasses.replace(game.setup, journal=str(game.path)), args, chat=game.chat)


def _discard(game: Unfinished) -> int:
    from seabattle_host.games import start
    from seabattle_host.records.archive import open_archive

    archive, problem = open_archive()
    try:
        start.discard(game, ui_of(game.setup, game.chat, archive, problem))
    finally:
        if archive is not None:
            archive.close()
    print(tr("resume_discarded", what=game.words()))
    return 0
