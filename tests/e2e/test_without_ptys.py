"""A system without pseudo-terminals and without inherited descriptors, as Windows: a board's line is a TCP port there.

What Windows lacks is taken away in a process of its own, before the program is loaded; the modules that pyserial needs
on POSIX systems stay. What is tried is the way through the sockets, on which Windows has nothing of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from seabattle_host.tui import virtual_board as tui_board
from tests.command import SOON, Command, environment

LACKS = """
import os, select, sys
for name in ("openpty", "set_blocking", "mkfifo"):
    delattr(os, name)
del select.poll
real = __import__("subprocess").Popen.__init__
def without_descriptors(self, *words, pass_fds=(), **more):
    assert not pass_fds, "descriptors are not inherited"
    real(self, *words, **more)
__import__("subprocess").Popen.__init__ = without_descriptors
from seabattle_host.line import sources
sources.ONLY_SOCKETS = True
"""

SMALL = ("--size", "6", "--fleet", "0,1,1,2")


def start(*arguments: str) -> subprocess.Popen[str]:
    """`seabattle ARGUMENTS...` on such a system."""
    program = f"{LACKS}\nfrom seabattle_host.cli import main\nsys.exit(main({list(arguments)!r}))"
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
    sniffer = start("sniff", "--virtual", "loop://")
    said, complaints = sniffer.communicate(timeout=SOON)
    assert (sniffer.returncode, said) == (2, "")
    assert "pseudo-terminals" in complaints and complaints.count("\n") == 1
