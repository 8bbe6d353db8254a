"""Windows, as far as another system can stand in for it (see tests.windows): lines, signals, consoles, the club."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from seabattle_host.tui import virtual_board as tui_board
from tests.command import ROOT, SOON, Command, environment
from tests.lines import Listening, carry

SMALL = ("--size", "6", "--fleet", "0,1,1,2")


def start(*arguments: str, **changes: str) -> subprocess.Popen[str]:
    """`seabattle ARGUMENTS...` there. changes: variables of the environment, COM10 among them."""
    variables = environment(**changes)
    variables["PYTHONPATH"] += os.pathsep + str(ROOT)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.windows", *arguments],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding=changes.get("PYTHONIOENCODING"),
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Its exit status, output and standard error; it is killed if it does not end."""
    try:
        said, complaints = process.communicate(timeout=SOON)
    finally:
        process.kill()
    return process.returncode, said, complaints


@pytest.fixture
def board(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    running = start("board", "--autoplay", *request.param)
    yield running
    running.kill()
    running.communicate()


@pytest.mark.parametrize("board", [(*SMALL, "--role", "master", "--chat", "Полундра")], indirect=True)
def test_a_board_plays_the_bot_over_tcp(board: subprocess.Popen[str]):
    assert board.stdout is not None
    url = re.search(r"socket://127\.0\.0\.1:\d+", board.stdout.readline())
    assert url is not None
    with Command("bot", "--port", url[0], "--role", "slave") as bot:
        status, out, err = bot.finish()
    assert (status, err) == (0, "")
    assert "result: 1 game" in out and "the opponent writes: Полундра" in out
    said, complaints = board.communicate(timeout=SOON)
    assert board.returncode == 0
    assert "result: 1 game" in said and "Traceback" not in complaints


@pytest.mark.parametrize("board", [(*SMALL, "--opponent")], indirect=True)
def test_a_board_finds_its_own_opponent(board: subprocess.Popen[str]):
    said, _ = board.communicate(timeout=SOON)
    assert board.returncode == 0
    assert "opponent: game over" in said


@pytest.mark.parametrize("board", [("--games", "0", "--until-eof")], indirect=True)
def test_the_end_of_its_input_ends_the_board(board: subprocess.Popen[str]):
    assert board.stdout is not None and board.stdin is not None
    assert "socket://" in board.stdout.readline()
    board.stdin.close()
    board.stdin = None
    said, _ = board.communicate(timeout=SOON)
    assert board.returncode == 0
    assert "left" in said


def test_the_application_finds_the_line_of_its_virtual_board(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tui_board, "ptys_there", lambda: False)
    board = tui_board.VirtualBoard()
    try:
        assert board.url.startswith("socket://127.0.0.1:")
        with Command("bot", "--port", board.url, "--role", "master", *SMALL) as bot:
            status, out, _ = bot.finish()
        assert status == 0 and "game over" in out
    finally:
        board.close()


def test_what_needs_a_pseudo_terminal_says_so_in_one_line():
    status, said, complaints = ended(start("sniff", "--virtual", "loop://"))
    assert (status, said) == (2, "")
    assert "pseudo-terminals" in complaints and complaints.count("\n") == 1


def test_two_bots_play_at_COM10_and_COM11_on_consoles_of_code_page_1251(tmp_path: Path):
    ends = Listening(), Listening()
    log = tmp_path / "Мои игры" / "игра 1.log"
    log.parent.mkdir()
    plain = {"PYTHONIOENCODING": "cp1251", "COM10": ends[0].url, "COM11": ends[1].url}
    master = start("bot", "--port", "COM10", "--role", "master", *SMALL, "--lang", "ru", "--log", str(log), **plain)
    slave = start("bot", "--port", "com11", "--role", "slave", "--lang", "ru", "--chat", "⛔ Ход №1", **plain)
    lines = [end.accept() for end in ends]
    threading.Thread(target=carry, args=lines, daemon=True).start()
    (status, said, complaints), (other_status, other_said, other_complaints) = ended(master), ended(slave)
    for line in lines:
        line.close()
    for end in ends:
        end.close()
    assert (status, complaints, other_status, other_complaints) == (0, "", 0, "")
    assert "порт COM10," in said and "соперник пишет: X Ход №1" in said
    assert all("итог: 1 партия" in text for text in (said, other_said))
    assert "COM10" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize(("port", "says"), [("COM12", "COM12 does not exist"), ("COM13", "COM13 is in use")])
def test_a_port_that_does_not_open_says_why(port: str, says: str):
    status, _said, complaints = ended(start("bot", "--port", port, COM13="busy"))
    assert status == 2 and says in complaints and complaints.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "ready", "statuses"),
    [
        (("bot", "--port", "COM10", "--role", "slave"), "waiting for a master", (130,)),
        (("sniff", "--one", "COM10"), "", (0, 130)),
        (("club", "serve", "--listen", "127.0.0.1:0", "--db", "DB"), "127.0.0.1", (0, 130)),
    ],
)
def test_ctrl_c_ends_it_in_order(arguments: tuple[str, ...], ready: str, statuses: tuple[int, ...], tmp_path: Path):
    placed = [str(tmp_path / "клуб 1.sqlite") if argument == "DB" else argument for argument in arguments]
    running = start(*placed, COM10="loop://")
    assert running.stdout is not None
    while ready not in (line := running.stdout.readline()):
        assert line
    running.send_signal(signal.SIGINT)
    status, _said, complaints = ended(running)
    assert status in statuses and "Traceback" not in complaints


def test_many_games_at_once_need_no_forks():
    status, said, complaints = ended(start("sim", "--games", "4", "--jobs", "2", "--seed", "1"))
    assert (status, complaints) == (0, "") and "won by master" in said
