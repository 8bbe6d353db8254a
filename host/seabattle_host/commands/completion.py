"""`seabattle completion SHELL`: print a completion script for a shell."""

from __future__ import annotations

import argparse

from seabattle_host.commands import completion_fish, options
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import LEVELS

SHELLS = ("bash", "zsh", "fish", "tcsh")


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("completion_about")
    parser = subparsers.add_parser("completion", help=about, description=f"{about} {tr('completion_how')}")
    parser.add_argument("shell", choices=SHELLS)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script; return the exit status."""
    parser = args.whole_parser()
    _add_choices(parser)
    if args.shell == "fish":
        print(completion_fish.script(parser))
    else:
        import shtab

        print(shtab.complete(parser, shell=args.shell))
    return 0


def _add_choices(parser: argparse.ArgumentParser) -> None:
    """Turn the words that arguments check themselves into choices, which shells complete."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _add_choices(command)
        elif action.choices is None:
            action.choices = tuple(LEVELS) if action.type is options.level else getattr(action, options.WORDS, None)
