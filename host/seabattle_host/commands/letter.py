"""`seabattle letter`: options. The work is in `letter_run.py`, imported when it runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from seabattle_host.commands import options
from seabattle_host.games.field_view import usual_letters
from seabattle_host.games.rules import add_rules
from seabattle_host.language.messages import tr
from seabattle_host.language.text import LETTERS


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("letter_about")
    parser = subparsers.add_parser("letter", help=about, description=about)
    parser.add_argument("file", type=Path, metavar="FILE", help=tr("letter_help_file"))
    parser.add_argument("--me", metavar="NAME", help=tr("letter_help_me"))
    parser.add_argument("--other", metavar="NAME", help=tr("letter_help_other"))
    letters = usual_letters()
    parser.add_argument("--letters", choices=LETTERS, default=letters, help=tr("help_letters", usual=letters))
    add_rules(parser)
    options.add_seed(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Start or continue a game, line by line, until the input ends; return the exit status."""
    from seabattle_host.commands import letter_run

    return letter_run.run(args)
