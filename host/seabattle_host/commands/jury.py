"""`seabattle jury`: find out who has cheated in a game."""

from __future__ import annotations

import argparse
from pathlib import Path

from seabattle_host.commands import options
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("jury_about")
    parser = subparsers.add_parser("jury", help=about, description=about)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=Path, metavar="FILE", help=tr("help_jury_file"))
    what.add_argument("--game", type=options.whole(1, 2**31), metavar="N", help=tr("help_jury_game"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge a game and print the verdict; return the exit status."""
    from seabattle import jury
    from seabattle_host.jury.letter import from_history, read

    case = from_history(args.game) if args.game is not None else read(args.file)
    found = case.judge()
    print("\n".join([*found.lines(case.names, case.letters), *case.notes()]))
    return int(found.code != jury.NOBODY_CHEATED)
