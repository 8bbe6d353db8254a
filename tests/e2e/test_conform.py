"""`seabattle conform` against players of ours, and against one with a bug."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from seabattle import wire
from seabattle.bot import BUSY, Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host import cli
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.line.port import Port
from seabattle_host.sniff import conform as trials
from tests.lines import Cable

pytestmark = [
    pytest.mark.usefixtures("english"),
    pytest.mark.skipif(os.name != "posix", reason="left out: needs pseudo-terminals, which Windows lacks"),
]


def _play(url: str, role: int, stop: threading.Event, changed: dict[int, bytes]) -> None:
    rng = Rng(5)
    link = Link(role, rng)
    player = Player(link, rng)
    bot = Bot(player, Gunner(player.radar, rng, HUNT), 0, (6, 0, 0, 0, 1))
    with Port(url) as port:
        due = time.monotonic()
        while not stop.is_set():
            for byte in port.read(0.002):
                link.rx(byte)
            while time.monotonic() >= due:
                link.tick()
                due += TICK_SECONDS
            while player.poll():
                pass
            if link.key_awaited:
                link.key()
            while bot.step() == BUSY:
                bot.think()
            while (byte := link.tx()) >= 0:
                port.write(changed.get(byte, bytes((byte,))))


@contextmanager
def program(role: int, changed: dict[int, bytes] | None = None) -> Iterator[str]:
    """A player at one end of a line, whose person presses the key at once; the other end. changed: bytes that it sends
    in another way than it should."""
    with Cable() as cable:
        stop = threading.Event()
        thread = threading.Thread(target=_play, args=(cable.b, role, stop, changed or {}), daemon=True)
        thread.start()
        try:
            yield cable.a
        finally:
            stop.set()
            thread.join()


def conform(port: str, role: str, *more: str) -> int:
    return cli.main(["conform", "--port", port, "--role", role, "--wait", "2", *more])


@pytest.mark.parametrize("only", ["B2 size", "A2 -> 2A", "A3 -> 3A", "A9 -> 9A"])
def test_our_slave_keeps_it(only: str, capsys: pytest.CaptureFixture[str]):
    with program(wire.SLAVE) as port:
        assert conform(port, "master", "--only", only) == 0
    out = capsys.readouterr().out
    assert "broken 0, not tried 0" in out and "deviates 0" in out


@pytest.mark.parametrize("only", ["C0 in state", "one at a time", "in its", "A4 -> 4A"])
def test_our_master_keeps_it(only: str, capsys: pytest.CaptureFixture[str]):
    with program(wire.MASTER) as port:
        assert conform(port, "slave", "--only", only) == 0
    out = capsys.readouterr().out
    assert "broken 0, not tried 0" in out and "deviates 0" in out


def test_what_is_broken_is_told_with_its_bytes_and_kept_in_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report = tmp_path / "report.json"
    with program(wire.SLAVE, {0x2A: b"\x2a\xa4"}) as port:
        assert conform(port, "master", "--only", "no A4", "--report", str(report)) == 1
    out = capsys.readouterr().out
    assert "BROKEN" in out and "A4 came before A3" in out and "    < A4" in out
    (rule,) = json.loads(report.read_text(encoding="utf-8"))["rules"]
    assert rule["verdict"] == "broken" and "< A4" in rule["traffic"]


@pytest.mark.parametrize(
    ("role", "changed", "only", "told"),
    [
        (wire.SLAVE, {0x2A: b"\x1a"}, "A2 -> 2A", "2A did not come"),
        (wire.MASTER, {0xC0: b"\xc0\x01\x0b\xc0"}, "C0, one at a time", "C0 before the answer"),
        (wire.MASTER, {0xC0: b"\xc0\x01\x0b\xc0"}, "C0 in its field", "a shot off the field"),
    ],
)
def test_each_bug_is_told_by_its_rule(
    role: int, changed: dict[int, bytes], only: str, told: str, capsys: pytest.CaptureFixture[str]
):
    with program(role, changed) as port:
        assert conform(port, "slave" if role == wire.MASTER else "master", "--only", only) == 1
    assert f"BROKEN       {told}" in capsys.readouterr().out


def test_noise_convicts_no_program_and_half_a_frame_does_not_stop_the_trials(capsys: pytest.CaptureFixture[str]):
    with program(wire.SLAVE, {0x2A: b"\x2a\xff\xa4"}) as port:
        conform(port, "master", "--only", "no A4", "--bytes")
    out = capsys.readouterr().out
    assert "broken 0, not tried 1" in out and "belong to no frame" in out and "< FF ?" in out
    with program(wire.SLAVE, {0x1A: b"\x1a\xb1\x0a"}) as port:
        assert conform(port, "master", "--only", "A3 -> 3A") == 0
    assert "kept 1" in capsys.readouterr().out


@pytest.mark.parametrize("joined", [False, True])
def test_nobody_or_a_plug_that_joins_tx_and_rx_is_no_verdict(joined: bool, capsys: pytest.CaptureFixture[str]):
    with Cable() as cable:
        port = "loop://" if joined else cable.a
        assert cli.main(["conform", "--port", port, "--role", "master", "--wait", "0.3", "--only", "AA -> 01"]) == 2
    printed = capsys.readouterr()
    assert "nobody answers as slave" in printed.err and "broken 0, not tried 1" in printed.out


def test_an_adapter_that_echoes_accuses_nobody():
    class Echoing(Port):
        def write(self, data: bytes | bytearray) -> None:
            super().write(data)
            self.back += bytes(data)

        back = b""

        def read(self, timeout: float = 0.0) -> bytes:
            back, self.back = self.back, b""
            return back + super().read(timeout)

    with program(wire.SLAVE) as url, Echoing(url) as port:
        results = list(trials.run(port, wire.MASTER, 2.0, "C0 07"))
    assert [(r.verdict, r.about) for r in results] == [(trials.OPEN, "our own bytes came back with it")]


def hang_up(server: socket.socket) -> None:
    with server.accept()[0] as connection:
        connection.recv(1)
        connection.sendall(b"\x01")
        connection.recv(1)


def test_a_program_that_hangs_up_leaves_a_sum_of_what_it_kept(capsys: pytest.CaptureFixture[str]):
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=hang_up, args=(server,), daemon=True).start()
        url = f"socket://127.0.0.1:{server.getsockname()[1]}"
        assert conform(url, "master", "--only", "A3 -> 3A") == 1
    assert "hung up" in (out := capsys.readouterr().out) and "kept 0, deviates 0, broken 0, not tried 1" in out


def test_a_report_that_cannot_be_written_and_a_rule_that_is_none_are_refused_before_anything_is_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with Cable() as cable:
        assert conform(cable.a, "master", "--report", str(tmp_path / "no" / "report.json")) == 2
        assert conform(cable.a, "master", "--only", "A77") == 2
    err = capsys.readouterr().err
    assert "cannot write" in err and "no rule has 'A77'" in err
