"""`seabattle` commands called in this process: their output, and that an error is one line."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence

import pytest


class Seabattle:
    """`seabattle WORDS...`: the words of one string, then others that may hold spaces; typed: lines of input."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, words: str, *more: object, typed: Sequence[str] | None = None) -> tuple[int, str, str]:
        """Return exit status, output, standard error."""
        from seabattle_host import cli

        if typed is not None:
            self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        self._capsys.readouterr()
        status = cli.main([*words.split(), *map(str, more)])
        return status, *self._capsys.readouterr()

    def told(self, words: str, *more: object, typed: Sequence[str] | None = None) -> str:
        """Return the output of a command that succeeds and reports no error."""
        status, out, err = self(words, *more, typed=typed)
        assert (status, err) == (0, "")
        return out

    def game(self, words: str, typed: str = "") -> list[str]:
        """Play a game at one screen, always the same, with this input, parted by bars; return the lines printed."""
        return self.told(f"{words} --seed 4", typed=typed.split("|") if typed else []).splitlines()

    def refused(self, words: str, *more: object, status: int = 2) -> str:
        """Return the one-line error of a command that fails with this status and has no output."""
        failed, out, err = self(words, *more)
        assert (failed, out, err.count("\n"), err[-1:]) == (status, "", 1, "\n"), (failed, out, err)
        assert err.startswith("seabattle: ")
        return err[len("seabattle: ") : -1]


@contextlib.contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let this process write no file longer than `room` bytes."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
