"""One side of a recorded game against a live program."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import cast

import pytest

from seabattle import wire
from seabattle_host.line.port import Port
from seabattle_host.sniff.replay import Different, Replay, load
from tests import needs
from tests.calls import Seabattle
from tests.command import Command
from tests.lines import Cable

pytestmark = [pytest.mark.usefixtures("english"), needs.PTYS]

GAME = ("--size", "6", "--fleet", "0,0,1,2", "--games", "1")
SEEDS = {"master": "1", "slave": "2"}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game between two bots as recorded by the sniffer."""
    path = tmp_path_factory.mktemp("recorded") / "game.json"
    with Cable() as one, Cable() as two, Command("sniff", one.b, two.a, "--quiet", "--json", str(path)) as sniffer:
        with (
            Command("bot", "--port", one.a, "--role", "master", "--seed", SEEDS["master"], *GAME) as master,
            Command("bot", "--port", two.b, "--role", "slave", "--seed", SEEDS["slave"], *GAME) as slave,
        ):
            assert master.finish()[0] == slave.finish()[0] == 0
        sniffer.process.terminate()
        assert sniffer.finish()[0] == 0
    return path


def replay(recorded: Path, role: str, seed: str, speed: str) -> tuple[int, str]:
    """Replay one side of the game to a bot in the other role."""
    other = "slave" if role == "master" else "master"
    with (
        Cable() as cable,
        Command("bot", "--port", cable.a, "--role", other, "--seed", seed, *GAME),
        Command("replay", str(recorded), "--port", cable.b, "--as", role, "--speed", speed) as player,
    ):
        status, out, err = player.finish()
    assert err == ""
    return status, out


@pytest.mark.parametrize("role", ["master", "slave"])
@pytest.mark.parametrize("speed", ["1", "0"])
def test_the_same_program_does_the_same_again(recorded: Path, role: str, speed: str):
    other = "slave" if role == "master" else "master"
    status, out = replay(recorded, role, SEEDS[other], speed)
    assert status == 0, out
    compared = re.search(r"(\d+) frames compared", out)
    assert compared is not None and int(compared[1]) > 10


def test_the_first_difference_is_reported(recorded: Path):
    status, out = replay(recorded, "master", "77", "0")
    assert status == 1
    assert re.search(
        r"first difference at frame \d+, \d+\.\d+ s: expected [0-9A-F ]+ \(.+\), got [0-9A-F ]+ \(.+\)", out
    )
    assert "read as json" in out


def test_a_peer_that_is_not_there_is_a_difference(recorded: Path):
    with (
        Cable() as cable,
        Command("replay", str(recorded), "--port", cable.b, "--as", "master", "--wait", "0.5") as player,
    ):
        status, out, _err = player.finish()
    assert status == 1
    assert "nothing came from the other side within 0.5 s" in out


def test_a_peer_that_only_syncs_is_waited_for_so_long(recorded: Path):
    class Syncing:
        def read(self, _timeout: float = 0.0) -> bytes:
            return b"\x01"

        def write(self, data: bytes) -> None:
            pass

    steps, _remarks = load(str(recorded), wire.MASTER, None)
    ticks = itertools.count()
    player = Replay(cast(Port, Syncing()), wire.MASTER, steps, 0, 2.0, lambda: next(ticks) / 10)
    with pytest.raises(Different, match=r"got nothing within 2(\.\d)? s$"):
        player.play()


def test_a_capture_of_syncs_alone_is_refused_and_a_gap_is_told(tmp_path: Path, seabattle: Seabattle):
    path = tmp_path / "x.log"
    path.write_text("0.000000 > AA\n0.010000 < 01\n")
    assert "nothing to play: no frame but syncs" in seabattle.refused("replay --port loop:// --as slave", path)
    met = "0.000000 > AA\n0.010000 < 01\n0.020000 > A1\n"
    # behind the gap nothing may tell the roles again
    for rest in ("0.000000 > A1\n0.020000 < 1A\n", "0.030000 < 1A\n0.000000 > 77\n"):
        path.write_text(met + rest)
        status, out, _err = seabattle("replay --port loop:// --wait 0.1 --as master", path)
        assert status == 1 and "something is missing in the capture (the times run back)" in out
