"""`seabattle board` over real pseudo-terminals: games without a terminal, with the heap locked, and its exits."""

from __future__ import annotations

import os
import re
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle_host.line import interpreters, virtual_board
from tests import needs
from tests.command import Command, wait_until
from tests.e2e.test_bot import agree, result
from tests.lines import Cable

pytestmark = needs.PTYS

SMALL = ("--size", "6", "--fleet", "0,1,1,2")
SMALLEST = ("--size", "6", "--fleet", "0,0,0,1")
LARGE = ("--size", "10", "--fleet", "1,2,3,4")


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "board"


ABLE = [name for name in interpreters.NAMES if name == interpreters.CPYTHON or virtual_board.has_micropython()]


@pytest.mark.parametrize(
    ("role", "other", "panel", "parameters"),
    [("master", "slave", "20x4", LARGE), ("slave", "master", "128x64", SMALL)],
)
def test_a_board_plays_the_bot_without_allocating_and_both_chat_in_russian(
    link: Path, role: str, other: str, panel: str, parameters: tuple[str, ...]
):
    with Command(
        *("board", "--autoplay", "--role", role, "--panel", panel, *parameters, "--heap-lock", "--seed", "5"),
        *("--link", str(link), "--nick", "Доска", "--nick-cp866", "--chat", "Привет, берег!", "--level", "hunt"),
    ) as board:
        wait_until(link.is_symlink)
        with Command(
            *("bot", "--port", str(link), "--role", other, *parameters, "--seed", "6", "--level", "hunt"),
            *("--nick", "Берег", "--nick-cp866", "--chat", "Здравствуй, доска"),
        ) as bot:
            bot_status, bot_out, bot_err = bot.finish()
        status, out, err = board.finish()
    assert (status, err, bot_status, bot_err) == (0, "", 0, "")
    agree(out, bot_out, 1)
    assert "the heap is locked" in out
    assert "the opponent's nick is Берег" in out
    assert "the opponent's nick is Доска" in bot_out
    assert "the opponent writes: Здравствуй, доска" in out
    assert "the opponent writes: Привет, берег!" in bot_out


@pytest.mark.parametrize("interpreter", ABLE)
def test_a_board_plays_several_games_and_leaves(link: Path, interpreter: str):
    with Command(
        *("board", "--autoplay", "--role", "master", "--games", "3", *SMALL, "--link", str(link)),
        *("--interpreter", interpreter),
    ) as board:
        wait_until(link.is_symlink)
        with Command("bot", "--port", str(link), "--role", "slave", "--games", "3") as bot:
            bot_status, bot_out, _ = bot.finish()
        status, out, err = board.finish()
    assert (status, err, bot_status) == (0, "", 0)
    agree(out, bot_out, 3)


def test_without_micropython_cpython_runs_the_firmware_and_that_is_said_once(tmp_path: Path):
    hidden = tmp_path / "sitecustomize.py"
    hidden.write_text("import sys\nsys.modules['micropython_unix'] = None\n", encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), *(path for path in sys.path if path)])
    with Command("board", "--autoplay", "--role", "alone", *SMALL, PYTHONPATH=paths) as board:
        status, out, err = board.finish()
    assert (status, result(out)["games"]) == (0, 1)
    assert err == "seabattle: there is no MicroPython for this platform, so CPython runs the firmware\n"


def test_the_line_is_raw_from_the_beginning_and_the_link_goes_at_the_end(link: Path):
    with Command("board", "--autoplay", "--role", "slave", "--link", str(link)) as board:
        where = board.line("the board's line: ")
        wait_until(link.is_symlink)
        device = os.readlink(link)
        assert device in where
        assert stat.S_ISCHR(os.stat(device).st_mode)
        fd = os.open(device, os.O_RDWR | os.O_NOCTTY)
        try:
            # a master's sync: it must not be echoed; the byte read is the answer
            os.write(fd, b"\xaa")
            assert os.read(fd, 10) == b"\x01"
        finally:
            os.close(fd)
        board.process.send_signal(signal.SIGTERM)
        status, _out, err = board.finish()
    assert (status, err) == (128 + signal.SIGTERM, "")
    assert not link.is_symlink()


def test_a_stale_link_is_replaced_and_a_file_is_not(link: Path):
    link.symlink_to("/dev/pts/no-such")
    with Command("board", "--autoplay", "--role", "slave", "--link", str(link)) as board:
        board.line("the board's line: ")
        assert os.readlink(link) != "/dev/pts/no-such"
        board.process.send_signal(signal.SIGTERM)
        board.finish()
    link.write_text("mine", encoding="utf-8")
    with Command("board", "--autoplay", "--link", str(link)) as board:
        status, _out, err = board.finish()
    assert (status, err.count("\n")) == (2, 1)
    assert str(link) in err
    assert link.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_makes_the_board_say_goodbye(link: Path, number: signal.Signals):
    with Command("board", "--autoplay", "--games", "0", "--role", "master", *LARGE, "--link", str(link)) as board:
        wait_until(link.is_symlink)
        with Command("bot", "--port", str(link), "--role", "slave", "--games", "0") as bot:
            bot.line("battle")
            board.process.send_signal(number)
            status, _out, err = board.finish()
            bot.line("the opponent says goodbye and has left")
    assert (status, err) == (128 + number, "")


def test_a_line_that_is_pulled_out_is_named():
    with Cable() as cable, Command("board", "--autoplay", "--role", "slave", "--port", cable.a) as board:
        board.line("the board's line: ")
        cable.pull()
        status, _out, err = board.finish()
    assert status == 1
    assert err.startswith(f"seabattle: port {cable.a} ")
    assert err.count("\n") == 1


def test_a_peer_that_falls_silent_ends_the_board_with_status_1(link: Path):
    with Command("board", "--autoplay", "--role", "master", *SMALL, "--link", str(link)) as board:
        wait_until(link.is_symlink)
        with Command("bot", "--port", str(link), "--role", "slave") as bot:
            bot.line("battle")
            bot.process.kill()
        status, out, err = board.finish()
    assert (status, err) == (1, "")
    assert result(out)["games"] == 0


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No board outlives the command that started it."""
    before = _boards()
    yield
    wait_until(lambda: not _boards() - before)


def _boards() -> set[str]:
    """Return the processes of firmware that this process's own children have started, according to /proc."""
    found = set()
    worker = f"PYTEST_XDIST_WORKER={os.environ.get('PYTEST_XDIST_WORKER', '')}".encode()
    for entry in Path("/proc").glob("[0-9]*") if sys.platform.startswith("linux") else ():
        try:
            command = (entry / "cmdline").read_bytes()
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if b"firmware/main.py" in command and worker in environment:
            found.add(entry.name)
    return found


def test_each_line_of_the_opponent_is_shown_once(tmp_path: Path):
    log = tmp_path / "log"
    with Command("board", "--autoplay", "--opponent", *SMALLEST, "--seed", "5", "--log", str(log)) as board:
        status, out, err = board.finish()
    assert (status, err) == (0, "")
    shown = [line.removeprefix("opponent: ") for line in out.splitlines() if line.startswith("opponent: ")]
    # in the log each line follows its time and a dash
    said = re.findall(r"^ *[\d.]+ - (.*)$", log.read_text(encoding="utf-8"), re.MULTILINE)
    assert shown == ["starting", *said]


def test_a_board_with_nowhere_to_write_plays_its_opponent_all_the_same(tmp_path: Path):
    home = tmp_path / "home"
    home.write_text("", encoding="ascii")
    changes = {"HOME": str(home), "XDG_DATA_HOME": "", "XDG_STATE_HOME": ""}
    with Command("board", "--autoplay", "--opponent", *SMALLEST, "--seed", "5", **changes) as board:
        status, out, err = board.finish()
    assert (status, err) == (0, "")
    assert result(out)["games"] == 1
    assert "the opponent writes no log" in out


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk is played by Linux's /dev/full")
def test_a_board_whose_opponent_finds_no_room_for_its_log_plays_on_and_says_so_at_the_end():
    with Command("board", "--autoplay", "--opponent", *SMALLEST, "--seed", "5", "--log", "/dev/full") as board:
        status, out, err = board.finish()
    assert (status, err.count("\n"), result(out)["games"]) == (2, 1, 1)
    assert err.startswith("seabattle: opponent: the log ends here: cannot write /dev/full: ")


@pytest.mark.parametrize("stopped_by", ["a signal", "its code"])
def test_a_firmware_that_has_stopped_is_a_fault_also_if_it_says_nothing_of_it(stopped_by: str):
    options = {} if stopped_by == "a signal" else {"panel": "none of them"}
    with virtual_board.PtyLine() as line:
        interpreter = interpreters.MICROPYTHON if virtual_board.has_micropython() else interpreters.CPYTHON
        board = virtual_board.BoardProcess(line, options, interpreter)
        if stopped_by == "a signal":
            board._process.kill()
        board._process.wait()
        list(board.messages())
        report = board.close()
    assert "status -9" in report if stopped_by == "a signal" else "Traceback" in report
