"""Simulated games on a real Dask scheduler with two worker processes, one of them killed half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

GAMES = ["--games", "600", "--seed", "5", "--size", "6", "--fleet", "0,1,1,2", "--levels", "hunt"]
DEADLINE = 90


def sim(*more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "seabattle_host", "sim", *GAMES, *more],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The scheduler's address and two worker processes of one thread."""
    where = str(tmp_path / "scheduler.json")

    def start(name: str, *more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{name}", "--scheduler-file", where, "--no-dashboard", *more]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)

    scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
    workers = []
    try:
        for _ in range(2):
            workers.append(start("dask_worker", "--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path)))
        from distributed import Client

        with Client(scheduler_file=where, timeout=DEADLINE, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=DEADLINE)
            address = client.scheduler.address
        yield address, workers
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()


def test_the_same_output_as_with_jobs_though_a_worker_is_killed_half_way(cluster):
    address, workers = cluster
    alone = sim("--each")
    assert alone.returncode == 0
    shared = subprocess.Popen(
        [sys.executable, "-m", "seabattle_host", "sim", *GAMES, "--each", "--dask", address],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert shared.stdout is not None
    with shared:
        first = shared.stdout.readline()  # games come back: work is under way on both
        os.kill(workers[0].pid, signal.SIGKILL)
        rest = shared.stdout.read()
    assert shared.returncode == 0
    assert first + rest == alone.stdout


def test_no_scheduler_there():
    begun = time.monotonic()
    done = sim("--dask", "127.0.0.1:1")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "127.0.0.1:1" in done.stderr and "dask scheduler" in done.stderr
    assert time.monotonic() - begun < DEADLINE


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1:x", "foo://x:1"])
def test_what_is_no_address_of_a_scheduler_is_one_line(address: str):
    done = sim("--dask", address)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and f"'{address}' is not the address" in done.stderr
