"""`seabattle conform` against our players, and against one with a bug."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from seabattle import wire
from seabattle_host import cli
from seabattle_host.commands import conform as command
from seabattle_host.line.port import Port
from seabattle_host.sniff import conform as trials
from tests import needs
from tests.lines import Cable
from tests.peers.characters import AtPort
from tests.peers.dialects import SlaveL

pytestmark = [pytest.mark.usefixtures("english"), needs.PTYS]


class Early(SlaveL):
    """Sends A4 before it is asked for it."""

    def frame(self, f: bytes) -> None:
        super().frame(f)
        if f[0] == wire.PLACE:
            self.send(wire.SLAVE_READY)


def conform(port: str, role: str, *more: str) -> int:
    return cli.main(["conform", "--port", port, "--role", role, "--wait", "2", *more])


def test_what_is_kept_is_counted(capsys: pytest.CaptureFixture[str]):
    with AtPort(SlaveL()) as peer:
        assert conform(peer.url, "master", "--only", "A3 -> 3A", "--bytes") == 0
    out = capsys.readouterr().out
    assert "kept 1, deviates 0, broken 0, not tried 0" in out and "    < 3A" in out


def test_what_is_broken_is_told_with_its_bytes_and_kept_in_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report = tmp_path / "report.json"
    with AtPort(Early()) as peer:
        assert conform(peer.url, "master", "--only", "no A4", "--report", str(report)) == 1
    out = capsys.readouterr().out
    assert "BROKEN" in out and "A4 came before A3" in out and "    < A4" in out
    (rule,) = json.loads(report.read_text(encoding="utf-8"))["rules"]
    assert rule["verdict"] == "broken" and "< A4" in rule["traffic"]


def test_why_a_rule_could_not_be_tried_is_shown_with_its_bytes_once_and_without_noise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def run(*_args: object) -> Iterator[trials.Result]:
        yield trials.Result("A1 -> 1A", trials.KEPT, "", ["< 1A"])
        for name in ("A2 -> 2A", "A3 -> 3A"):
            yield trials.Result(name, trials.OPEN, "A2 did not come", ["> A1", "< B8"])
        yield trials.Result("A5 -> 5A", trials.OPEN, "bytes", ["< 77 ?"], noise=1)

    monkeypatch.setattr(trials, "run", run)
    conform("loop://", "master", "--only", "-> ")
    out = capsys.readouterr().out
    assert out.count("    < B8") == 1 and "< 1A" not in out and "< 77" not in out


def test_an_interrupt_keeps_the_report_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def interrupted(*_args: object) -> Iterator[trials.Result]:
        yield trials.Result("AA -> 01", trials.KEPT)
        raise KeyboardInterrupt

    monkeypatch.setattr(trials, "run", interrupted)
    report = tmp_path / "report.json"
    assert conform("loop://", "master", "--report", str(report), "--only", "-> ") == 130
    kept = json.loads(report.read_text(encoding="utf-8"))
    assert [rule["name"] for rule in kept["rules"]] == ["AA -> 01"] and kept["not_reached"][0] == "A1 -> 1A"
    assert f"kept 1, deviates 0, broken 0, not tried {len(kept['not_reached'])}" in capsys.readouterr().out


def test_a_report_is_written_though_nobody_reads_the_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def gone(*_args: object, **_how: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(trials, "run", lambda *_args: iter([trials.Result("AA -> 01", trials.KEPT)]))
    monkeypatch.setattr(command, "print", gone, raising=False)
    report = tmp_path / "report.json"
    assert conform("loop://", "master", "--report", str(report), "--only", "AA -> 01") == 2
    assert json.loads(report.read_text(encoding="utf-8"))["rules"][0]["verdict"] == "kept"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="left out: needs /dev/full, which only Linux has")
def test_what_was_found_is_told_though_the_report_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(trials, "run", lambda *_args: iter([trials.Result("AA -> 01", trials.BROKEN)]))
    assert conform("loop://", "master", "--report", "/dev/full", "--only", "AA -> 01") == 2
    printed = capsys.readouterr()
    assert "broken 1" in printed.out and "cannot write /dev/full" in printed.err


def test_the_rule_at_which_a_program_hangs_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def run(_port: Port, _role: int, _wait: float, _only: str, observe: Callable[..., None]) -> Iterator[trials.Result]:
        for name, heard in (("A1 -> 1A", b"\x1a"), ("A2 -> 2A", b""), ("A3 -> 3A", b""), ("A5 -> 5A", b"")):
            observe(False, heard)
            yield trials.Result(name, trials.KEPT if heard else trials.OPEN)

    monkeypatch.setattr(trials, "run", run)
    assert conform("loop://", "master", "--only", "-> ") == 2
    assert "A5 -> 5A                         not tried\nnothing has come since 'A1 -> 1A'" in capsys.readouterr().out


@pytest.mark.parametrize("joined", [False, True])
def test_nobody_or_a_plug_that_joins_tx_and_rx_is_no_verdict(joined: bool, capsys: pytest.CaptureFixture[str]):
    with Cable() as cable:
        # if nothing at all comes, the run is given up
        port, more = ("loop://", ["--only", "AA -> 01"]) if joined else (cable.a, [])
        assert cli.main(["conform", "--port", port, "--role", "master", "--wait", "0.1", *more]) == 2
    printed = capsys.readouterr()
    assert "nobody answers as slave" in printed.err and "broken 0, not tried " in printed.out
    assert printed.out.count("no answer to a sync") == (1 if joined else 3)


def test_an_adapter_that_echoes_accuses_nobody():
    class Echoing(Port):
        def write(self, data: bytes | bytearray) -> None:
            super().write(data)
            self.back += bytes(data)

        back = b""

        def read(self, timeout: float = 0.0) -> bytes:
            back, self.back = self.back, b""
            return back + super().read(timeout)

    with AtPort(SlaveL()) as peer, Echoing(peer.url) as port:
        results = list(trials.run(port, wire.MASTER, 2.0, "C0 off"))
    (result,) = results
    # on a machine that is held up, too little may have come back at the first try
    once = "not when it was tried again"
    assert result.verdict == trials.OPEN
    assert result.about == "our own bytes came back with it" or result.about.endswith(once)


def hang_up(server: socket.socket) -> None:
    with server.accept()[0] as connection:
        connection.recv(1)
        connection.sendall(b"\x01")
        connection.recv(1)


def test_a_program_that_hangs_up_leaves_a_sum_of_what_it_kept(capsys: pytest.CaptureFixture[str]):
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=hang_up, args=(server,), daemon=True).start()
        url = f"socket://127.0.0.1:{server.getsockname()[1]}"
        assert conform(url, "master", "--only", "A3 -> 3A") == 2
    out = capsys.readouterr().out
    assert (
        "hung up" in out
        and "the program was gone at 'A3 -> 3A'" in out
        and "kept 0, deviates 0, broken 0, not tried 1" in out
    )


def test_a_report_that_cannot_be_written_and_a_rule_that_is_none_are_refused_before_anything_is_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with Cable() as cable:
        assert conform(cable.a, "master", "--report", str(tmp_path / "no" / "report.json")) == 2
        assert conform(cable.a, "master", "--only", "A77") == 2
    (tmp_path / "former.json").write_text("what a former run found")
    for report in (tmp_path / "former.json", tmp_path / "new.json"):
        assert conform("/dev/nowhere", "master", "--report", str(report)) == 2
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [
        ("former.json", "what a former run found")
    ]
    err = capsys.readouterr().err
    assert "cannot write" in err and "no rule has 'A77'" in err
