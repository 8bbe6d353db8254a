"""Simulated games on a real Dask scheduler with two worker processes, one of them killed half-way; and on PyPy."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from seabattle_host import cli
from tests.calls import Seabattle
from tests.command import environment, output
from tests.needs import program

GAMES = ["--games", "200", "--seed", "5", "--size", "6", "--fleet", "0,1,1,2", "--levels", "hunt"]
DEADLINE = 90

FORKS = """
import json, os, sys, time
from distributed.cli import dask_scheduler, dask_worker
import seabattle_host.simulation.sim
for name, arguments in json.loads(sys.argv[1]):
    if not (pid := os.fork()):
        {"scheduler": dask_scheduler, "worker": dask_worker}[name].main(arguments)
        os._exit(0)
    print(pid, flush=True)
sys.stdin.read()
"""
"""The scheduler and the workers, each a process forked from one that has the slow imports loaded."""


def test_the_same_output_as_with_jobs_though_a_worker_is_killed_half_way(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    assert cli.main(["sim", *GAMES, "--each"]) == 0
    alone = capfd.readouterr().out
    where = str(tmp_path / "scheduler.json")
    usual = ["--scheduler-file", where, "--no-dashboard"]
    worker = ("worker", [*usual, "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path)])
    wanted = [("scheduler", [*usual, "--host", "127.0.0.1", "--port", "0"]), worker, worker]
    server = subprocess.Popen(
        [sys.executable, "-c", FORKS, json.dumps(wanted)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert server.stdin is not None and server.stdout is not None
    started = [int(server.stdout.readline()) for _ in wanted]
    left = set(started)
    try:
        from distributed import Client

        with Client(scheduler_file=where, timeout=DEADLINE, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=DEADLINE)
            address = client.scheduler.address

        said: list[str] = []

        def print_and_kill(text: str) -> int:
            # games come back: both are working
            if len(left) == len(started):
                os.kill(started[1], signal.SIGKILL)
                left.remove(started[1])
            said.append(text)
            return len(text)

        monkeypatch.setattr(sys.stdout, "write", print_and_kill)
        assert cli.main(["sim", *GAMES, "--each", "--dask", address]) == 0
        assert len(left) == 2 and "".join(said) == alone
    finally:
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        server.communicate()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("127.0.0.1:1", "127.0.0.1:1"),
        ("nonsense", "'nonsense' is not the address"),
        ("127.0.0.1:x", "'127.0.0.1:x' is not the address"),
        ("foo://x:1", "'foo://x:1' is not the address"),
    ],
)
def test_where_no_scheduler_is_one_line_says_so(
    address: str, says: str, seabattle: Seabattle, monkeypatch: pytest.MonkeyPatch
):
    import distributed

    # a tenth of the program's own timeout
    whole = distributed.Client
    monkeypatch.setattr(
        distributed, "Client", lambda address, timeout, **how: whole(address, timeout=timeout / 10, **how)
    )
    assert says in seabattle.refused("sim --dask", address, *GAMES)


@program("pypy3")
@pytest.mark.parametrize("options", [("--games", "2", "--jobs", "2", "--each"), ("--games", "2", "--game", "melee")])
def test_pypy_plays_the_same_games(options: tuple[str, ...]) -> None:
    """Without any other packages, and with the same output byte for byte."""
    arguments = ("sim", "--seed", "5", *options)
    expected = output(*arguments)  # first: it compiles the messages, as every installation does
    there = subprocess.run(
        ["pypy3", "-m", "seabattle_host", *arguments], env=environment(), check=True, capture_output=True, timeout=300
    )
    assert there.stdout.decode() == expected
