"""Windows, as far as another system can imitate it (see tests.windows): lines, signals, consoles, the club."""

from __future__ import annotations

import errno
import os
import re
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from seabattle_host.tui import virtual_board as tui_board
from tests.calls import Seabattle
from tests.command import Command
from tests.lines import Listening, carry

SMALL = ("--size", "6", "--fleet", "0,1,1,2")


def start(*arguments: str, **how: Any) -> Command:
    """Start `seabattle ARGUMENTS...` there."""
    return Command(*arguments, windows=True, **how)


def test_a_board_plays_the_bot_over_tcp():
    with start("board", "--autoplay", *SMALL, "--role", "master", "--chat", "Полундра") as board:
        url = re.search(r"socket://127\.0\.0\.1:\d+", board.line("socket"))
        assert url is not None
        with Command("bot", "--port", url[0], "--role", "slave") as bot:
            status, out, err = bot.finish()
        assert (status, err) == (0, "")
        assert "result: 1 game" in out and "the opponent writes: Полундра" in out
        status, out, err = board.finish()
    assert status == 0 and "result: 1 game" in out and "Traceback" not in err


def test_the_end_of_its_input_ends_the_board():
    with start("board", "--autoplay", "--games", "0", "--until-eof", stdin=True) as board:
        board.line("socket://")
        status, out, _err = board.finish()  # closes its input
    assert status == 0 and "left" in out


def test_the_application_finds_the_line_of_its_virtual_board(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tui_board, "has_ptys", lambda: False)
    board = tui_board.VirtualBoard()
    try:
        assert board.url.startswith("socket://127.0.0.1:")
        with Command("bot", "--port", board.url, "--role", "master", *SMALL) as bot:
            status, out, _ = bot.finish()
        assert status == 0 and "game over" in out
    finally:
        board.close()


def test_two_bots_play_at_COM10_and_COM11_on_consoles_of_code_page_1251(tmp_path: Path):
    ends = Listening(), Listening()
    log = tmp_path / "Мои игры" / "игра 1.log"
    log.parent.mkdir()
    plain = {"encoding": "cp1251", "PYTHONIOENCODING": "cp1251", "COM10": ends[0].url, "COM11": ends[1].url}
    with (
        start(
            "bot", "--port", "COM10", "--role", "master", *SMALL, "--lang", "ru", "--log", str(log), **plain
        ) as master,
        start("bot", "--port", "com11", "--role", "slave", "--lang", "ru", "--chat", "⛔ Ход №1", **plain) as slave,
    ):
        lines = [end.accept() for end in ends]
        threading.Thread(target=carry, args=lines, daemon=True).start()
        (status, out, err), (other_status, other_out, other_err) = master.finish(), slave.finish()
    for line in lines:
        line.close()
    for end in ends:
        end.close()
    assert (status, err, other_status, other_err) == (0, "", 0, "")
    assert "порт COM10," in out and "соперник пишет: X Ход №1" in out
    assert all("итог: 1 партия" in text for text in (out, other_out))
    assert "COM10" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("bot --port COM12", "COM12 does not exist"),
        ("bot --port COM13", "COM13 is in use"),
        ("sniff --virtual loop://", "pseudo-terminals"),
    ],
)
def test_what_does_not_open_says_why_in_one_line(command: str, says: str):
    with start(*command.split(), COM13="busy") as refused:
        status, out, err = refused.finish()
    assert (status, out, err.count("\n")) == (2, "", 1) and says in err


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
    with start(*placed, COM10="loop://") as running:
        running.line(ready)
        running.process.send_signal(signal.SIGINT)
        status, _out, err = running.finish()
    assert status in statuses and "Traceback" not in err


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("sim --games 4 --jobs 2 --seed 1", "won by master"),
        ("board --autoplay --size 6 --fleet 0,1,1,2 --opponent", "opponent: game over"),
    ],
)
def test_many_games_at_once_and_an_opponent_of_its_own_need_no_forks(command: str, says: str):
    with start(*command.split()) as running:
        status, out, _err = running.finish()
    assert status == 0 and says in out


@pytest.mark.parametrize("command", ["board --autoplay", "sniff --virtual /dev/null"])
def test_a_pseudo_terminal_that_is_refused_is_named_with_what_needs_none(
    command: str, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle
):
    def refused() -> None:
        raise OSError(errno.ENOSPC, "")

    monkeypatch.setattr(os, "openpty", refused, raising=False)
    err = seabattle.refused(command)
    assert err.startswith("no pseudo-terminal can be made (") and ("--listen" in err or "two ports" in err)
