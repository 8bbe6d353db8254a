"""The line over the USB cable of a board without wiring: games, and the way back to the prompt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from seabattle import wire
from seabattle_host import assets, cli
from seabattle_host.boards import discovery, minifier
from seabattle_host.line.settings import Settings
from seabattle_host.records.archive import Archive
from tests.pico import wirings
from tests.pico.game import BYTE_SECONDS, SEED, SMALL, UsbGame, messages, replies, usb_frames
from tests.pico.rig import Rig, write_filesystem
from tests.terminal import Terminal

ENTER, F3, CTRL_Q = b"\r", b"\x1bOR", b"\x11"

LOOK_SECONDS = 1 / 2000
"""Interval between a busy board's checks of its console."""

# The board places the same ships each time, offers a small field, and allocates nothing from its start on.
LOCKED = f"""
import gc, micropython
import board as wiring
from seaboard.hardware import Board

class Locked(Board):
    def begin(self, app):
        app.offer[:] = bytes((6, 0, 0, 0, 1))
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
    main = minifier.for_board(before + (assets.firmware() / "main.py").read_text(encoding="utf-8")).encode()
    game = {**wirings.game_files(None, "usb"), "main.py": main, **(files or {})}
    rig.boot(("board", wirings.bare()), filesystem=write_filesystem(folder / "files.img", game))
    rig.until(lambda: "seabattle: ready pico_w\r\n" in rig.console(), "start")


def plug_in(rig: Rig, pace: float = 20) -> str:
    """Return the URL of the board's cable."""
    cable, _ = rig.serve(pace=pace)
    return f"socket://127.0.0.1:{cable}"


@pytest.mark.skipif(os.name != "posix", reason="left out: needs pseudo-terminals, which Windows lacks")
def test_whole_games_of_the_real_command_in_both_roles(rig: Rig, tmp_path: Path) -> None:
    """Proved only here: `seabattle play` in a terminal against a bare board, from the first sync to the
    goodbye; the board replies as fast as over a UART, and its heap is locked from its start.
    """
    start(rig, tmp_path, LOCKED)
    rig.usb()
    # in wall-clock time, by which the command measures its own timeouts
    url = plug_in(rig, 1)
    homes = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    for role, more in (("slave", ()), ("master", ("--size", "6", "--fleet", "0,0,0,1"))):
        with Terminal("play", "--port", url, "--role", role, *more, **homes) as terminal:
            if role == "master":
                terminal.insist(ENTER, b"Place your fleet", every=0.5)
            terminal.insist(b"a", b"all ships are placed", every=0.5)
            terminal.type(b"g")
            # F3 makes the computer shoot on the player's turn, and has no effect otherwise
            terminal.insist(F3, b"fleet is sunk", every=0.05)
            terminal.type(CTRL_Q)
            assert terminal.end() == 0
    rig.stop_serving()
    with Archive(tmp_path / "seabattle" / "games.sqlite") as archive:
        games = archive.games()
    assert [(game.role, game.ending) for game in games] == [("slave", "shots"), ("master", "shots")]
    assert {game.players[1] for game in games} == {"board"}
    heard, taken = map(usb_frames, rig.usb_both())
    sizes = {message.op: 1 + len(message.data) for message in messages(heard, taken) if not message.from_board}
    slowest: dict[int, float] = {}
    for command, seconds in replies(heard, taken):
        slowest[command] = max(seconds, slowest.get(command, 0.0))
    assert slowest.keys() >= {wire.MEET, wire.PARAMS, wire.PLACE, wire.MASTER_READY, wire.SHOT, wire.GOODBYE}
    for command, seconds in sorted(slowest.items()):
        print(f"replies to {command:02X}: {seconds * 1e3:.2f} ms at the most")
        # All bytes of a frame arrive at once. They are handled in the time in which a UART would bring them, and
        # the answer begins a byte time later at the latest, as there, or at the next check of the console.
        assert seconds < BYTE_SECONDS * (sizes[command] + 1) + LOOK_SECONDS
    assert "Traceback" not in rig.console()


def test_mpremote_gets_in_while_a_game_is_on(rig: Rig, tmp_path: Path) -> None:
    """Even in the middle of a frame that the PC's program has left unfinished."""
    start(rig, tmp_path)
    game = UsbGame(rig, wire.MASTER, SMALL)
    game.until(lambda: game.link.state == 4, "a battle")
    rig.type_bytes(b"\x03 \x03\x01\x04 \r\n")  # possible noise does not stop it
    rig.type_bytes(bytes([wire.CHAT, 4]) + b"\r\x03\x03")
    rig.run(0.4)
    assert ">>>" not in rig.console()
    mpremote = [sys.executable, "-m", "mpremote", "connect", plug_in(rig), "exec", "print(6 * 7)"]
    done = subprocess.run(mpremote, capture_output=True, text=True, check=False, timeout=300)
    assert done.stdout == "42\n", done.stderr


def test_flash_over_a_running_game(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without options: nothing is wired, so the board plays alone over its cable, and is found that way."""
    monkeypatch.setattr(discovery, "_ASK_SECONDS", 60.0)
    start(rig, tmp_path)
    url = plug_in(rig)
    assert cli.main(["flash", "--port", url]) == 0
    told = capsys.readouterr().out
    assert "no display on I2C: the board will play by itself over its USB cable" in told
    assert told.endswith("started: pico_w\n")
    assert discovery.probe(url, Settings()) == discovery.GAME


def test_the_line_is_chosen_at_the_board_and_chosen_back(rig: Rig, tmp_path: Path) -> None:
    """By keys in the settings, which restart it: it calls over the cable then, and later over the UART again."""
    rig.boot(("board", wirings.wiring()), filesystem=wirings.game_image(tmp_path))
    rig.until(lambda: "seabattle: ready" in rig.console(), "start")

    def press(*keys: str) -> None:
        for key in keys:
            rig.press(key, hold=0.04)
            rig.run(0.09)

    def calls(of_cable: bool) -> bool:
        cable = b"".join(data for _, data in rig.usb())
        uart = bytes(frame.value for frame in rig.frames()[0])
        return wire.SYNC in (cable if of_cable else uart)

    for of_cable in (True, False):
        starts = rig.console().count("seabattle: ready")
        press(*["down"] * 4, "ok", "up", "right")
        rig.press("ok", hold=0.8)  # leaves the settings
        rig.until(lambda before=starts: rig.console().count("seabattle: ready") > before, "another start")  # type: ignore[misc]
        rig.run(0.5)
        press("down", "ok")  # as master
        rig.until(lambda wanted=of_cable: calls(wanted), "a sync")  # type: ignore[misc]
        assert not calls(not of_cable)
        if of_cable:
            rig.press("ok", hold=0.8)  # no peer is left to say goodbye to
            rig.run(1.0)
            press("up")
