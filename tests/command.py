"""The `seabattle` command in processes of its own, from this tree, whatever is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import forked as forks

ROOT = Path(__file__).resolve().parents[1]

SOON = 60.0
"""Seconds after which a wait is given up."""


def environment(**changes: str) -> dict[str, str]:
    """Return a command's environment, in English unless changed."""
    paths = os.pathsep.join([str(ROOT / "common"), str(ROOT / "host")])
    return {**os.environ, "PYTHONPATH": paths, "LC_ALL": "C.UTF-8", **changes}


FASTER = "SEABATTLE_TESTS_FASTER"
"""Variable with the factor by which the ticks are faster than the protocol's; a virtual board's are not."""


def hasten(times: int) -> None:
    """Make the ticks of this process faster."""
    from seabattle_host.club.lobby import Lobby
    from seabattle_host.player import runner

    runner.TICK_NS_DIVIDEND //= times
    defaults = Lobby.__init__.__kwdefaults__
    assert defaults is not None
    defaults["tick_seconds"] /= times


class Command:
    """A running `seabattle ARGUMENTS...`, killed at the end of a `with` block if it has not ended by then."""

    def __init__(
        self,
        *arguments: str,
        python: tuple[str, ...] = (),
        windows: bool = False,
        stdin: bool = False,
        encoding: str = "utf-8",
        **changes: str,
    ):
        """python: options of the interpreter; windows: see tests.windows; stdin: its input is a pipe; encoding: of its
        output; changes: variables of the environment.
        """
        self.out = bytearray()
        self.encoding = encoding
        variables = environment(**changes)
        names = ("stdin", "stdout", "stderr") if stdin else ("stdout", "stderr")
        piped: dict[str, Any] = dict.fromkeys(names, subprocess.PIPE)
        forked = None if python else forks.start(list(arguments), variables, piped, windows=windows)
        self.process: Any = forked or subprocess.Popen(
            [sys.executable, *python, "-m", "seabattle_host", *arguments], env=variables, **piped
        )

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.process.wait()

    def line(self, with_text: str) -> str:
        """Return the next line of the output that contains this text. A command that does not write it is killed."""
        assert self.process.stdout is not None
        deadline = threading.Timer(SOON, self.process.kill)
        deadline.start()
        try:
            for line in self.process.stdout:
                self.out += line
                if with_text in line.decode(self.encoding):
                    return line.decode(self.encoding).rstrip("\n")
        finally:
            deadline.cancel()
        raise AssertionError(f"no line with {with_text!r} in:\n{self.out.decode(self.encoding)}")

    def finish(self, timeout: float = SOON) -> tuple[int, str, str]:
        """Wait for the end; return exit status, whole output, whole standard error."""
        out, err = self.process.communicate(timeout=timeout)
        self.out += out
        return self.process.returncode, self.out.decode(self.encoding), err.decode(self.encoding)


def output(*arguments: str, **changes: str) -> str:
    """Return the output of a command that must succeed without an error message."""
    with Command(*arguments, **changes) as command:
        status, out, err = command.finish()
    assert (status, err) == (0, "")
    return out


def wait_until(what: Callable[[], object], timeout: float = SOON) -> None:
    """Wait until `what()` is true; fail after `timeout`."""
    deadline = time.monotonic() + timeout
    while not what():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)
