"""`seabattle man`: the manual page, generated from the parsers of all commands."""

from __future__ import annotations

import argparse
import re

from seabattle_host import __version__
from seabattle_host.commands import options
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("man_about")
    parser = subparsers.add_parser("man", help=about, description=f"{about} {tr('man_how')}")
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the page; return the exit status."""
    print(page(args.whole_parser()))
    return 0


def page(parser: argparse.ArgumentParser) -> str:
    """Return the page in troff's man macros."""
    lines = [
        f'.TH SEABATTLE 1 "" "seabattle {__version__}"',
        ".SH NAME",
        f"seabattle \\- {_text(parser.description or '').rstrip('.')}",
        ".SH SYNOPSIS",
        ".B seabattle",
        ".I COMMAND",
        "[\\fIoptions\\fR]",
        ".SH COMMANDS",
    ]
    for name, command in commands(parser).items():
        lines += [f".SS seabattle {_text(name)}", _text(command.description or ""), *_options(command)]
    return "\n".join(line for line in lines if line)


def commands(parser: argparse.ArgumentParser, before: str = "") -> dict[str, argparse.ArgumentParser]:
    """Return all commands of a parser and their subcommands, by what is typed."""
    found = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                found[f"{before}{name}"] = command
                found.update(commands(command, f"{before}{name} "))
    return found


def _options(command: argparse.ArgumentParser) -> list[str]:
    formatter = command._get_formatter()
    lines = []
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        how = formatter._format_action_invocation(action)
        about = formatter._expand_help(action) if action.help else _group_help(command, action)
        lines += [".TP", f".B {_text(how)}", _text(about)]
    return lines


def _group_help(command: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return the help text that an option shares with others."""
    usual = (command._positionals, command._optionals)
    groups = [group for group in command._action_groups if group not in usual and action in group._group_actions]
    return groups[0].title or "" if groups else ""


def _text(text: str) -> str:
    """Escape text for troff."""
    text = re.sub(r"\s+", " ", text).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text
