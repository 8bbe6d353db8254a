"""Random arguments for every command: exit status 0, 1 or 2, no traceback, and one line about what is wrong.

The grammars are the commands' declared parsers, so a new option is tried as soon as it exists. Nothing real
is opened: ports have names that no port has, files are in the test's folder, and no board is plugged
in. Findings are kept in `arguments.txt`, one command line in each line.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serial.tools import list_ports  # type: ignore[import-untyped]

from seabattle_host import cli
from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.line import port_errors
from tests.fuzz import command
from tests.sizes import proof

KEPT = Path(__file__).with_name("arguments.txt")

# Options with which a command rightly runs until it is stopped: a virtual line, and games without end.
ENDLESS = {"sniff": ("--virtual",), "board": ("--autoplay", "--until-eof"), "sim": ("--dask",)}
# And an option that ends a command that serves until it is stopped.
ENDED_BY = {("club", "serve"): ("--port", "nosuch://port")}

NUMBERS = ("0", "1", "2", "3", "6", "10", "-1", "", "x", "1.5", "0x10", "1e3", "٣", "٣.٣", "-0", "+7", "1_0")
LARGE = ("255", "32768", "1073741823", "1073741824", "99999999999999999999", "9" * 400, "inf", "nan", "1e999", "-inf")
PLACES = (
    *("nosuch://port", "/dev/no-such-port", "socket://127.0.0.1:1", "socket://x", "rfc2217://x", "COM999", "spy://"),
    *("://", "x:y:z", "/", "file"),
)
TEXTS = (
    *("", " ", "-", "--", "---", "=", "x", "A", "Щука", "\N{BLACK CHESS KNIGHT}", "\udcff", "a\nb", "a\rb", "\x1b[31m"),
    *("%s", "{}", "{0}", "{x!r:", "$HOME", "~", "a" * 4000, "1,2,3,4", "10x10", "26x26", "0x0", "1,2", "20x4", "~/x"),
    *("file", "folder", "missing/file", "capture.log", "/", ".", "..", "@file", "oled", "pico", "density,hunt", "1:1"),
)

PATIENT = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])


@cache
def grammar(name: str) -> tuple[tuple[tuple[str, ...], tuple[argparse.Action, ...]], ...]:
    """Return what follows a command's name: the words of each subcommand, and its options and arguments."""
    parser = cli.Parser(prog="seabattle")
    commands = parser.add_subparsers(parser_class=cli.Parser)
    cli._module(name).register(commands)
    found: list[tuple[tuple[str, ...], tuple[argparse.Action, ...]]] = []

    def walk(parser: argparse.ArgumentParser, said: tuple[str, ...]) -> None:
        actions = tuple(a for a in parser._actions if not isinstance(a, argparse._SubParsersAction))
        found.append((said, actions))
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for word, below in action.choices.items():
                    walk(below, (*said, word))

    walk(commands.choices[name], (name,))
    return tuple(found)


def values(action: argparse.Action, name: str) -> st.SearchStrategy[str]:
    """Return values for an option: often valid ones, often not."""
    # Simulating a billion games is no fault of the command line.
    numbers = st.sampled_from(NUMBERS if name in ("sim", "bot") else NUMBERS + LARGE)
    likely: list[st.SearchStrategy[str]] = [numbers, st.sampled_from(TEXTS)]
    if action.choices:
        likely = [st.sampled_from([str(choice) for choice in action.choices])] * 3 + likely
    if "port" in action.dest or "link" in action.dest:
        likely = [st.sampled_from(PLACES)]
    return st.one_of(*likely, st.text(max_size=6).filter(lambda text: "\0" not in text))


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Draw a command with some of its options and arguments, and now and then a word that does not belong there."""
    name = draw(st.sampled_from(sorted(cli.COMMANDS)))
    said, actions = draw(st.sampled_from(grammar(name)))
    line: list[list[str]] = []
    for action in actions:
        if set(action.option_strings) & set(ENDLESS.get(name, ())) or action.dest == "help":
            continue
        often = action.required or action.dest == "port"
        if not draw(st.integers(0, 9)) < (9 if often else 3):
            continue
        given = [] if action.nargs == 0 else [draw(values(action, name))]
        if action.nargs == "+":
            given += draw(st.lists(values(action, name), max_size=2))
        flags = [draw(st.sampled_from(action.option_strings))] if action.option_strings else []
        line.append([f"{flags[0]}={given[0]}"] if flags and given and draw(st.booleans()) else flags + given)
    if draw(st.integers(0, 9)) == 0:
        line.append([draw(st.one_of(st.sampled_from(TEXTS), st.just("--help"), st.just("--no-such-option")))])
    return [*said, *(word for words in draw(st.permutations(line)) for word in words), *ENDED_BY.get(said, ())]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A folder and a home of its own, and a machine with nothing plugged in."""
    for variable in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "WIRESHARK_CONFIG_DIR"):
        monkeypatch.setenv(variable, str(tmp_path))
    for variable in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(list_ports, "comports", lambda *_: [])
    monkeypatch.setattr(port_errors, "SYSFS", tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("something\n", encoding="ascii")
    (tmp_path / "capture.log").write_text("    0.000000 > AA\n    0.001250 < 01\n", encoding="ascii")
    words.use("en")
    for name in cli.COMMANDS:
        grammar(name)
    yield
    words.use("en")


def kept() -> list[str]:
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("line", kept())
def test_what_is_kept_stays_mended(line: str):
    command.checked([word.encode().decode("unicode_escape") if "\\" in word else word for word in shlex.split(line)])


@settings(PATIENT, max_examples=proof(50, 400))
@given(command_lines())
def test_random_arguments(line: list[str]):
    command.checked(line)


@settings(PATIENT, max_examples=proof(20, 150))
@given(st.lists(st.one_of(st.sampled_from(TEXTS + PLACES), st.sampled_from(sorted(cli.COMMANDS))), max_size=4))
def test_random_words(line: list[str]):
    if line[:1] != ["sim"]:
        command.checked(line)


@cache
def types() -> frozenset[Callable[[str], object]]:
    """Return the `type` functions of all options."""
    found = (action.type for name in cli.COMMANDS for _, actions in grammar(name) for action in actions)
    return frozenset(each for each in found if callable(each))


@settings(PATIENT, max_examples=proof(30, 300))
@given(st.one_of(st.sampled_from(NUMBERS + LARGE + TEXTS), st.text(max_size=12)))
def test_no_value_of_an_option_makes_its_type_fail_in_another_way_than_by_refusing_it(text: str):
    refusals = (argparse.ArgumentTypeError, UserError, TypeError, ValueError)  # argparse's wording, and ours
    for understood in types():
        with contextlib.suppress(*refusals):
            understood(text)
