"""`seabattle melee`: one game at this screen, or as lines of text."""

from __future__ import annotations

import argparse

from seabattle.melee import PLAYERS
from seabattle_host.commands.game_options import add_options, open_game, setup_of
from seabattle_host.games.field_view import MELEE
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("melee_about")
    parser = subparsers.add_parser("melee", help=about, description=about)
    add_options(parser, PLAYERS)
    parser.add_argument("--lot", action="store_true", help=tr("help_lot"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one game; return the exit status."""
    return open_game(setup_of(MELEE, args, lot=args.lot), args)
