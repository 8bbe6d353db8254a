"""`seabattle salvo`: one game at this screen, or as lines of text."""

from __future__ import annotations

import argparse

from seabattle_host.commands.game_options import add_options, open_game, setup_of
from seabattle_host.games.field_view import SALVO
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("salvo_about")
    parser = subparsers.add_parser("salvo", help=about, description=about)
    add_options(parser, 2)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one game; return the exit status."""
    return open_game(setup_of(SALVO, args), args)
