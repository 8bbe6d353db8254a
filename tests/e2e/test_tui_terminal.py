"""`play`, `history show` and the games at one screen in a terminal, which is restored afterwards."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from seabattle import wire
from seabattle_host.records.archive import UNFINISHED, Archive, Game, Move
from tests import needs
from tests.command import Command, wait_until
from tests.e2e.screens import peer
from tests.lines import Cable
from tests.terminal import Terminal

pytestmark = needs.PTYS


FULL = os.path.exists("/dev/full")


@pytest.fixture
def homes(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}


def colours(shown: bytes) -> set[str]:
    """Return the codes of the colours that were set."""
    found = set()
    for codes in re.findall(rb"\x1b\[([0-9;:]*)m", shown):
        parts = re.split("[;:]", codes.decode())
        found |= {part for part in parts if part.isdecimal() and (30 <= int(part) <= 48 or 90 <= int(part) <= 107)}
    return found - {"39", "49"}


@pytest.mark.parametrize("way", ["ctrl-q", "SIGTERM", "SIGHUP"])
def test_the_end_restores_the_terminal_and_says_goodbye(way: str, cable: Cable, tmp_path: Path, homes: dict[str, str]):
    with (
        Terminal("play", "--port", str(tmp_path / "a"), "--role", "slave", **homes) as terminal,
        peer(str(tmp_path / "b"), wire.MASTER) as other,
    ):
        terminal.until(b"Place your fleet")
        if way == "ctrl-q":
            terminal.type(b"\x11")
        else:
            terminal.process.send_signal(getattr(signal, way))
        assert terminal.end() == 0
        assert terminal.restored()
        # a sync received before the goodbye's answer is still answered
        wait_until(lambda: bytes(other.received).rstrip(bytes([wire.SYNCED])).endswith(bytes([wire.GOODBYE])))
        assert b"Traceback" not in terminal.shown and colours(terminal.shown)


def test_a_terminal_that_takes_nothing_more_does_not_keep_the_application(
    cable: Cable, tmp_path: Path, homes: dict[str, str]
):
    with (
        Terminal("play", "--port", str(tmp_path / "a"), "--role", "slave", **homes) as terminal,
        peer(str(tmp_path / "b"), wire.MASTER) as other,
    ):
        wait_until(lambda: other.link.state >= 2)
        # nobody reads the terminal from here on
        terminal.fill()
        terminal.process.send_signal(signal.SIGTERM)
        wait_until(lambda: terminal.process.poll() is not None)
        assert terminal.process.returncode == 128 + signal.SIGTERM
        # a sync received before the goodbye's answer is still answered
        wait_until(lambda: bytes(other.received).rstrip(bytes([wire.SYNCED])).endswith(bytes([wire.GOODBYE])))


def test_no_color_draws_shapes_alone_and_a_log_that_ends_is_told(cable: Cable, tmp_path: Path, homes: dict[str, str]):
    with (
        Terminal(
            *("play", "--port", str(tmp_path / "a"), "--role", "slave"),
            *(("--log", "/dev/full") if FULL else ()),
            **homes,
            NO_COLOR="1",
        ) as terminal,
        peer(str(tmp_path / "b"), wire.MASTER),
    ):
        terminal.until(b"Place your fleet")
        terminal.insist(b"a", b"all ships are placed")
        terminal.type(b"g")
        terminal.until(b"sunk")
        terminal.type(b"\x11")
        assert (terminal.end(), b"the log ends here" in terminal.shown) == (2 * FULL, FULL)
        assert colours(terminal.shown) == set() and "█".encode() in terminal.shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("play", "play needs a terminal to draw on"),
        ("play --board", "play needs a terminal to draw on"),
        ("board", "--autoplay"),
    ],
)
def test_without_a_terminal_it_says_so(arguments: str, says: str, homes: dict[str, str]):
    with Command(*arguments.split(), **homes) as command:
        status, _out, err = command.finish()
    assert (status, err.count("\n")) == (2, 1) and says in err


def test_history_replays_in_the_terminal(tmp_path: Path, homes: dict[str, str]):
    with Archive(tmp_path / "data" / "seabattle" / "games.sqlite") as archive:
        game = Game(["Anna", "BOARD"], 6, 6, {1: 1}, ships=[[[(1, 1)]], None])
        archive.begin(game)
        archive.add(game, Move(0, 2, 3, 2, 1.0))
        archive.end(game, "won", "shots", 1.0)
    with Terminal("history", "show", "1", **homes) as terminal:
        terminal.until(b"Move 0 of 1")
        terminal.type(b"\x1b[C")
        terminal.until(b"Anna B3: sunk")
        terminal.type(b"q")
        assert terminal.end() == 0
        assert terminal.restored()


def test_a_killed_application_takes_its_virtual_board_along(tmp_path: Path, homes: dict[str, str]):
    def boards() -> list[Path]:
        terminal.look()
        return list(tmp_path.glob("seabattle-*/line"))

    with Terminal("play", "--board", TMPDIR=str(tmp_path), **homes) as terminal:
        wait_until(boards)
        terminal.process.kill()
        terminal.process.wait()
        wait_until(lambda: not boards())


# The games at one screen.


@pytest.mark.parametrize(("kind", "way"), [("classic", "F10"), ("melee", "SIGTERM")])
def test_a_terminal_is_drawn_on_and_given_back(tmp_path: Path, homes: dict[str, str], kind: str, way: str):
    with Terminal(kind, "--seed", "4", **homes) as terminal:
        terminal.until(b"leave")
        if kind == "classic":
            terminal.insist(b"\x1b[18~", b"the fleet is whole")
            terminal.insist(b"\x1b[19~", b"your turn")
        if way == "F10":
            terminal.insist(b"\x1b[21~", b"unfinished")
            terminal.type(b"y")
        else:
            terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 0
        assert terminal.restored()
    with Archive(tmp_path / "data" / "seabattle" / "games.sqlite") as archive:
        game = archive.games()[-1]
    assert (game.kind, game.result, game.ending) == (kind, UNFINISHED, "left_by_us")


@pytest.mark.parametrize(("arguments", "changes"), [(["--lines"], {}), ([], {"TERM": "dumb"})])
def test_lines_where_they_are_wanted_or_nothing_else_will_do(
    homes: dict[str, str], arguments: list[str], changes: dict[str, str]
):
    with Terminal("melee", "--seed", "4", *arguments, **{**homes, **changes}) as terminal:
        terminal.until(b"A> ")
        terminal.type(b"b3\n")
        terminal.until(b"A B3: hit")
        terminal.type(b"quit\n")
        assert terminal.end() == 0
        assert b"\x1b[?1049h" not in terminal.shown  # no screen of its own
