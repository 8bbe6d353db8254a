"""Write docs/commands.md, every command with its options, from the parsers: `python -m tests.generate.command_pages`.

The page is made from the parsers, in English, and not by argparse's own formatting, which differs between
versions of Python and follows the width of the terminal.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

import platformdirs

from seabattle_host import cli
from seabattle_host.commands.man import commands
from seabattle_host.language import messages
from tests.command import ROOT

PAGE = ROOT / "docs" / "commands.md"
HEAD = """\
# Commands

Every command with its options, as `seabattle COMMAND --help` says them. This page is made from the parsers by
`python -m tests.generate.command_pages`; `seabattle man` shows the same in a terminal. Folders are named as on Linux.

Each command also has `--help`, and `--lang LANGUAGE` for another language than that of the environment.

The exit status is 2 for bad arguments, for a port that does not open, and whenever the output or a file that was asked
for could not be written, whatever the command has found out; 130 after Ctrl-C, and 128 plus the number of another
signal that ended the command.
"""
FOLDERS: dict[Callable[..., str], str] = {
    platformdirs.user_data_dir: "~/.local/share/seabattle",
    platformdirs.user_log_dir: "~/.local/state/seabattle/log",
}
"""Folders of this computer that appear in texts, and their names on the page."""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


def page() -> str:
    """Return the page, in English whatever language is in use."""
    before = messages.language()
    messages.use("en")
    try:
        parser = cli.whole_parser()
        every = commands(parser)
        helps = {
            f"{name} {entry.dest}": entry.help or ""
            for name, command in every.items()
            for action in command._actions
            if isinstance(action, argparse._SubParsersAction)
            for entry in action._choices_actions
        }
        lines = [HEAD, "| command | what it does |", "|---|---|"]
        lines += [
            f"| [`{name}`](#{_anchor(name)}) | {_cell(messages.tr(f'command_{name}'))} |" for name in cli.COMMANDS
        ]
        for name, command in every.items():
            lines += ["", *_section(name, command, helps)]
        return "\n".join(lines) + "\n"
    finally:
        messages.use(before)


def _section(name: str, command: argparse.ArgumentParser, helps: dict[str, str]) -> Iterable[str]:
    actions = [action for action in command._actions if not isinstance(action, argparse._HelpAction)]
    actions = [action for action in actions if action.help != argparse.SUPPRESS and action.dest != "lang"]
    below = [action for action in actions if isinstance(action, argparse._SubParsersAction)]
    plain = [action for action in actions if not isinstance(action, argparse._SubParsersAction)]
    yield f"{'#' * (2 + name.count(' '))} seabattle {name}"
    yield ""
    if about := command.description or helps.get(name):
        yield _text(about)
        yield ""
    yield f"    {usage(name, plain, bool(below))}"
    for title, which in (("argument", False), ("option", True)):
        rows = [action for action in plain if bool(action.option_strings) == which]
        # an argument without help is in the usage already
        if any(_explained(command, action) for action in rows):
            yield ""
            yield f"| {title} | |"
            yield "|---|---|"
            for action in rows:
                yield f"| `{_cell(invocation(action))}` | {_cell(_explained(command, action))} |"


def usage(name: str, actions: list[argparse.Action], has_commands: bool) -> str:
    """Return a command's usage line: its required arguments, and `[options]` for the others."""
    words = ["seabattle", name]
    for action in actions:
        if action.option_strings and action.required:
            words.append(f"{action.option_strings[-1]} {_values(action)}".rstrip())
    if any(action.option_strings and not action.required for action in actions):
        words.append("[options]")
    words += [_values(action) for action in actions if not action.option_strings]
    return " ".join([*words, "COMMAND"] if has_commands else words)


def invocation(action: argparse.Action) -> str:
    """Return what is typed: all names of an option and its values, or the values of an argument."""
    values = _values(action)
    names = ", ".join(action.option_strings)
    return f"{names} {values}".strip() if names else values


def _values(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    name = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
    if action.metavar is None and action.choices is not None:
        name = "|".join(str(choice) for choice in action.choices)
    if isinstance(action.nargs, int):
        return " ".join([name] * action.nargs)
    forms = {argparse.OPTIONAL: "[{}]", argparse.ZERO_OR_MORE: "[{} ...]", argparse.ONE_OR_MORE: "{0} [{0} ...]"}
    return forms.get(str(action.nargs), "{}").format(name)


def _explained(command: argparse.ArgumentParser, action: argparse.Action) -> str:
    """Return the help with its fields filled in, and the choices and the default if it does not name them."""
    # an option without help is explained by its heading
    groups = [group for group in command._action_groups[2:] if action in group._group_actions]
    text = action.help or "".join(group.title or "" for group in groups)
    fields = {name: value for name, value in vars(action).items() if value is not argparse.SUPPRESS}
    fields["prog"] = command.prog
    if action.choices is not None:
        fields["choices"] = ", ".join(str(choice) for choice in action.choices)
    said = _text(text % fields)
    if action.choices is not None and action.metavar is not None and str(next(iter(action.choices))) not in said:
        said += f" (one of {fields['choices']})"
    default = action.default
    if isinstance(default, (str, int, float)) and default != "" and action.nargs != 0 and "default" not in said:
        said += f" (default: {default:g})" if isinstance(default, float) else f" (default: {default})"
    return said.strip()


def _anchor(name: str) -> str:
    return f"seabattle-{name}".replace(" ", "-")


def _text(text: str) -> str:
    """Join words to one line, independent of this computer's folders."""
    for folder, name in FOLDERS.items():
        own = folder("seabattle", appauthor=False)
        text = text.replace(f"{own}\\", f"{name}/").replace(own, name)
    return " ".join(text.split())


def _cell(text: str) -> str:
    """Escape words for a cell of a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    main()
