"""Completion for fish, which shtab does not support."""

from __future__ import annotations

import argparse
import re

from seabattle_host.language.messages import tr

_NAME = "seabattle"


def script(parser: argparse.ArgumentParser) -> str:
    """Return the completion script of a parser for fish."""
    return "\n".join([f"# fish completion of {_NAME}", *_lines(parser, ())])


def _lines(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> list[str]:
    """Return the lines for the command with this path and for its subcommands."""
    below: dict[str, argparse.ArgumentParser] = {}
    lines = []
    where = [f"__fish_seen_subcommand_from {name}" for name in path]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = action.choices
            names = " ".join(below)
            # only before a subcommand; its name may also be that of a subcommand of another command
            here = [*where, f"not __fish_seen_subcommand_from {names}"] if path else ["__fish_use_subcommand"]
            about = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name in below:
                lines.append(_complete(here, f"-f -a {name}", about[name] if path else tr(f"command_{name}")))
    for action in parser._actions:
        if action.help == argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        lines.append(_complete([*where] if path else [], _what(action), _about(parser, action)))
    lines = [line for line in lines if line]
    for name, command in below.items():
        lines += _lines(command, (*path, name))
    return lines


def _what(action: argparse.Action) -> str:
    """Return what completes an option or an argument.

    It is empty for an argument that is a file, which fish completes itself.
    """
    words = " ".join(str(choice) for choice in action.choices or ())
    given = f" -a {_quoted(words)}" if words else ""
    if not action.option_strings:
        return f"-f{given}" if words else ""
    names = " ".join(f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in action.option_strings)
    if action.nargs == 0:
        return names
    return f"{names} {'-x' if words else '-r'}{given}"


def _about(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    return parser._get_formatter()._expand_help(action) if action.help else ""


def _complete(where: list[str], what: str, about: str) -> str:
    if not what:
        return ""
    condition = f" -n {_quoted('; and '.join(where))}" if where else ""
    # --help shows what is in parentheses
    short = re.sub(r" \(.*\)", "", about).split("; ")[0]
    return f"complete -c {_NAME}{condition} {what}" + (f" -d {_quoted(short)}" if short else "")


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
