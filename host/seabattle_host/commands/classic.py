"""`seabattle classic`: one game at this screen, or as lines of text."""

from __future__ import annotations

import argparse

from seabattle_host.commands.game_options import add_options, open_game, setup_of
from seabattle_host.errors import UserError
from seabattle_host.games.field_view import NAMES, usual_letters
from seabattle_host.games.rules import add_rules, rules_of, variant
from seabattle_host.games.setup import LOT
from seabattle_host.language.messages import tr
from seabattle_host.language.text import LETTERS


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("classic_about")
    parser = subparsers.add_parser("classic", help=about, description=about)
    add_options(parser, 2)
    parser.add_argument("--first", choices=(LOT, *NAMES[:2]), default=LOT, help=tr("help_first"))
    letters = usual_letters()
    parser.add_argument("--letters", choices=LETTERS, default=letters, help=tr("help_letters", usual=letters))
    add_rules(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play one game; return the exit status."""
    rules = variant(rules_of(args))
    if len(LETTERS[args.letters]) < rules[0]:
        raise UserError(tr("letters_few", name=args.letters, most=len(LETTERS[args.letters]), width=rules[0]))
    return open_game(setup_of("classic", args, letters=args.letters, variant=rules, first=args.first), args)
