"""The line over the USB cable of a board with nothing wired: games, and the way back to the prompt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host import assets, cli
from seabattle_host.boards import finding
from seabattle_host.commands import flash
from seabattle_host.line.settings import Settings
from tests.pico import wirings
from tests.pico.game import BYTE_SECONDS, SEED, SMALL, UsbGame
from tests.pico.rig import Rig, write_filesystem

LOOK_SECONDS = 1 / 2000
"""How often a busy board looks at its console."""

# The board places the same ships each time, offers a small field, and allocates nothing from its start on.
LOCKED = f"""
import gc, micropython
import board as wiring
from seaboard.hardware import Board

class Locked(Board):
    def begin(self, app):
        app.bot.offer = {SMALL}
        super().begin(app)
        gc.collect()
        micropython.heap_lock()

def made(pins=None):
    board = Locked(pins)
    board.seed = {SEED}
    return board

wiring.Board = made
"""


def start(rig: Rig, folder: Path, before: str = "", files: dict[str, bytes] | None = None) -> None:
    """Power a bare board with the game on it, and wait until it plays."""
    main = before.encode() + (assets.firmware() / "main.py").read_bytes()
    game = {**wirings.game_files(None, "usb"), "main.py": main, **(files or {})}
    rig.boot(("board", wirings.bare()), filesystem=write_filesystem(folder / "files.img", game))
    rig.until(lambda: "seabattle: ready pico_w\r\n" in rig.console(), "start")


def play(game: UsbGame) -> None:
    """A whole game, fought out, without a fault on either side."""
    game.until(lambda: game.seat.result is not None, "the end of a game")
    assert game.seat.how == links.BY_SHOTS
    assert game.seat.trouble == []
    assert game.messages(), "no byte that belongs to nothing"


def test_games_over_usb_in_both_roles(rig: Rig, tmp_path: Path) -> None:
    start(rig, tmp_path, LOCKED)
    rig.usb()
    # nobody calls, so the board does
    game = UsbGame(rig, wire.SLAVE, SMALL)
    play(game)
    game.link.goodbye()
    game.until(lambda: game.link.closed, "goodbye")
    # it would call the next one too, and makes room for who does it
    game = UsbGame(rig, wire.MASTER, SMALL, seed=2)
    play(game)
    sizes = {message.op: 1 + len(message.data) for message in game.messages() if not message.from_board}
    slowest: dict[int, float] = {}
    for command, seconds in game.replies():
        slowest[command] = max(seconds, slowest.get(command, 0.0))
    assert slowest.keys() >= {wire.MEET, wire.PARAMS, wire.PLACE, wire.MASTER_READY, wire.SHOT}
    for command, seconds in sorted(slowest.items()):
        print(f"replies to {command:02X}: {seconds * 1e3:.2f} ms at the most")
        # All bytes of a frame are there at once. They are worked off in the time in which a UART would bring them, and
        # the answer begins a byte time later at the latest, as there, or at the look at the console after that.
        assert seconds < BYTE_SECONDS * (sizes[command] + 1) + LOOK_SECONDS
    assert "Traceback" not in rig.console()


def plug_in(rig: Rig, pace: float = 20) -> str:
    """The URL of the board's cable."""
    cable, _ = rig.serve(pace=pace)
    return f"socket://127.0.0.1:{cable}"


def test_mpremote_gets_in_while_a_game_is_on(rig: Rig, tmp_path: Path) -> None:
    """In the midst of a frame at that, which the PC's program has left unfinished."""
    start(rig, tmp_path)
    game = UsbGame(rig, wire.MASTER, SMALL)
    game.until(lambda: game.link.state == 4, "a battle")
    rig.type_bytes(b"\x03 \x03\x01\x04 \r\n")  # what may be noise leaves it alone
    rig.type_bytes(bytes([wire.CHAT, 4]) + b"\r\x03\x03")
    rig.run(0.4)
    assert ">>>" not in rig.console()
    mpremote = [sys.executable, "-m", "mpremote", "connect", plug_in(rig), "exec", "print(6 * 7)"]
    done = subprocess.run(mpremote, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "42\n", done.stderr


def test_flash_over_a_running_game(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an option: nothing is wired, so the board plays by itself over its cable, and is found to do so."""
    monkeypatch.setattr(flash, "_START_SECONDS", 100.0)
    monkeypatch.setattr(finding, "_ASK_SECONDS", 10.0)
    start(rig, tmp_path)
    url = plug_in(rig)
    assert cli.main(["flash", "--port", url]) == 0
    told = capsys.readouterr().out
    assert "no display on I2C: the board will play by itself over its USB cable" in told
    assert told.endswith("started: pico_w\n")
    assert finding.ask(url, Settings()) == finding.GAME
