"""The command line in this process, for fuzzers: status and output, within a time limit."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import TextIO

from seabattle_host import cli
from seabattle_host.language import words

BOUND = 60.0
"""Seconds after which a command counts as hung."""

STATUSES = (0, 1, 2, 3)


class Hangs(BaseException):
    """A command has not ended in time. No Exception, so that no command takes it for an error of its own."""


@dataclass
class Ran:
    """The result of a command."""

    status: int
    out: str
    err: str


def run(arguments: Sequence[str]) -> Ran:
    """Run `seabattle` with these arguments and an empty standard input. Whatever it raises is a finding."""
    with open(os.devnull, encoding="utf-8") as nothing, _file() as out, _file() as err:
        stdin, sys.stdin = sys.stdin, nothing
        try:
            with bounded(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = cli.main(list(arguments))
        finally:
            sys.stdin = stdin
            words.use("en")
        return Ran(status, _content(out), _content(err))


def _file() -> TextIO:
    return tempfile.TemporaryFile("w+", encoding="utf-8", newline="")


def _content(file: TextIO) -> str:
    file.flush()
    file.seek(0)
    return file.read()


def checked(arguments: Sequence[str]) -> Ran:
    """The same, and check what holds for every command: its exit status, and one line about what is wrong."""
    ran = run(arguments)
    assert ran.status in STATUSES, (arguments, ran)
    assert "Traceback" not in ran.err, (arguments, ran)
    if ran.status == 2:
        assert ran.err.startswith("seabattle: ") and ran.err.endswith("\n"), (arguments, ran)
        assert ran.err.count("\n") == 1 and "\r" not in ran.err, (arguments, ran)
        assert len(ran.err) > len("seabattle: \n"), (arguments, ran)
    return ran


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Raise Hangs in the main thread after the limit, where the system has alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, BOUND)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
