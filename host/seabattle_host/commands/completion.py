"""`seabattle completion SHELL`: what a shell needs to complete commands and options."""

from __future__ import annotations

import argparse

from seabattle_host.commands import options
from seabattle_host.language.messages import say

SHELLS = ("bash", "zsh", "tcsh")


def register(subparsers: argparse._SubParsersAction) -> None:
    """Declare the command and its options."""
    about = say("completion_about")
    parser = subparsers.add_parser("completion", help=about, description=f"{about} {say('completion_how')}")
    parser.add_argument("shell", choices=SHELLS)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script; return the exit status."""
    import shtab

    print(shtab.complete(args.whole_parser(), shell=args.shell))
    return 0
