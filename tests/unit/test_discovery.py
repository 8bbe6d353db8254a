"""Which of the connected devices can play, and how `seabattle play` uses them."""

from __future__ import annotations

import contextlib
import os
import threading
import tty
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from seabattle import wire
from seabattle_host.boards import discovery
from seabattle_host.commands import boards, play
from seabattle_host.errors import PortError, UserError
from seabattle_host.line import virtual_board
from seabattle_host.line.port import Port
from seabattle_host.line.settings import Settings
from seabattle_host.records.settings import Preferences
from seabattle_host.tui.start_options import StartOptions
from seabattle_host.tui.virtual_board import VirtualBoard
from tests.command import SOON
from tests.prompt import Prompt

pytestmark = [
    pytest.mark.usefixtures("english"),
    pytest.mark.skipif(
        os.name != "posix" or not virtual_board.has_micropython(),
        reason="left out: needs pseudo-terminals and MicroPython's desktop port",
    ),
]

PICO, CP210X, CH340, OTHER = 0x2E8A, 0x10C4, 0x1A86, 0x0403


def plugged_in(monkeypatch: pytest.MonkeyPatch, *ports: tuple[str, int | None]) -> None:
    """Have the computer report these ports: address and USB vendor number."""

    def info(url: str, maker: int | None) -> ListPortInfo:
        found = ListPortInfo(url)
        found.vid = maker
        return found

    monkeypatch.setattr(discovery.list_ports, "comports", lambda: [info(*port) for port in ports])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the wait for ports that do not answer."""
    answer_at(monkeypatch)


def answer_at(monkeypatch: pytest.MonkeyPatch, *answered: tuple[str, bytes]) -> None:
    """The answers to these bytes at these ports may come late; none to others will come."""

    class Asked(Port):
        def write(self, data: bytes | bytearray) -> None:
            monkeypatch.setattr(discovery, "_ASK_SECONDS", SOON if (self.url, bytes(data)) in answered else 0.1)
            super().write(data)

    monkeypatch.setattr(discovery, "Port", Asked)


def test_a_board_that_plays_is_found_and_connected_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Prompt(tmp_path) as prompt, contextlib.closing(VirtualBoard()) as game:
        plugged_in(monkeypatch, (game.url, PICO), (prompt.url, PICO), ("/dev/ttyS0", None), ("/dev/ttyUSB9", OTHER))
        answer_at(monkeypatch, (game.url, b"\xaa"), (prompt.url, b"\r"))
        options = StartOptions()
        play.find_board(options, Preferences())
        assert (options.url, options.settings) == (game.url, Settings())
        # and it plays with the next one that comes
        with Port(options.url) as port:
            port.write(bytes([wire.SYNC]))
            assert port.read(SOON) == bytes([wire.SYNCED])
    assert capsys.readouterr().err == f"{game.url}: a board (Raspberry Pi) that plays over its USB cable\n"


def test_what_does_not_play_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fd, other = os.openpty()
    with Prompt(tmp_path) as prompt:
        plugged_in(monkeypatch, (prompt.url, PICO), (os.ttyname(other), CP210X), (str(tmp_path / "gone"), PICO))
        answer_at(monkeypatch, (prompt.url, b"\r"))
        options = StartOptions()
        play.find_board(options, Preferences())
    for each in (fd, other):
        os.close(each)
    assert options.url == ""
    told = capsys.readouterr().err
    assert f"{prompt.url}: MicroPython (Raspberry Pi) without the game; put it there: seabattle flash\n" in told
    assert "a USB device (CP210x) on which no game answers" in told
    assert f"{tmp_path / 'gone'} does not exist" in told


def test_what_sends_all_back_is_no_game(quick: None) -> None:
    fd, other = os.openpty()
    tty.setraw(other)

    def repeat() -> None:
        with contextlib.suppress(OSError):
            while True:
                os.write(fd, os.read(fd, 1))

    repeating = threading.Thread(target=repeat)
    repeating.start()
    assert discovery.probe(os.ttyname(other), Settings()) == discovery.SILENT
    os.close(other)
    repeating.join()
    os.close(fd)


def test_several_boards_that_play_are_named_and_how_to_choose(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        discovery,
        "find_boards",
        lambda: [discovery.Found(f"/dev/b{n}", Settings(), "Seeed", discovery.GAME) for n in (1, 2)],
    )
    options = StartOptions()
    play.find_board(options, Preferences())
    assert options.url == ""
    *boards, how = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in boards] == ["/dev/b1", "/dev/b2"]
    assert how == "more than one board plays: choose one on the first screen, or with --port"
    play.find_board(options, Preferences(port="/dev/b2"))
    assert options.url == "/dev/b2"


G, P, S, B = discovery.GAME, discovery.PROMPT, discovery.SILENT, discovery.BUSY


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ([(OTHER, S), (OTHER, S), (CP210X, S)], 2),  # the only chip used on boards
        ([(OTHER, P), (OTHER, S)], None),
        ([(PICO, S), (PICO, P)], 1),  # a debug probe has the board's vendor number
        ([(CP210X, G), (PICO, S)], 0),
        ([(PICO, B), (PICO, P)], 1),
        ([(CP210X, S), (PICO, S)], 1),  # an owner's program runs on it
        ([(CP210X, S), (PICO, B)], 1),  # what holds the port is reported when it is opened
        ([(PICO, S), (PICO, S)], None),
        ([(PICO, P), (PICO, G)], None),
        ([(CP210X, S), (CH340, S)], None),
    ],
)
def test_flash_takes_the_one_that_can_be_meant(
    there: list[tuple[int, str]], chosen: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {f"/dev/b{n}": what for n, (_, what) in enumerate(there)}

    def ask(url: str, _: Settings) -> str:
        if answers[url] == B:
            raise PortError("held")
        return answers[url]

    monkeypatch.setattr(discovery, "probe", ask)
    plugged_in(monkeypatch, *((f"/dev/b{n}", maker) for n, (maker, _) in enumerate(there)))
    if chosen is not None:
        assert boards.only_board() == f"/dev/b{chosen}"
    else:
        with pytest.raises(UserError, match=r"/dev/b0 .*, /dev/b1 .*; name it with --port$"):
            boards.only_board()
