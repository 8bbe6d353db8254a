"""The opponent of `seabattle board --opponent`: a bot on the other end of the line, in a process of its own."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from seabattle_host.errors import UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.line.byte_sources import Source
from seabattle_host.records.paths import opponent_log_path

PARTING_SECONDS = 8.0
"""How long an opponent may wait for the reply to its goodbye."""


class Opponent:
    """A `seabattle bot` process on the other end of the line; `source` reads its output."""

    def __init__(self, url: str, args: argparse.Namespace):
        self.log, self.problem = _opponent_log(args.log)
        command = [sys.executable, "-m", "seabattle_host", "bot", "--port", url, "--games", "0"]
        command += ["--log", self.log] if self.log else []
        command += ["--lang", words.LANGUAGES[words.russian()]]
        command += [] if args.level is None else ["--level", str(args.level)]
        command += [] if args.seed is None else ["--seed", str(args.seed)]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            start_new_session=os.name == "posix",
        )
        assert self._process.stdout is not None
        self.source = Source.wrap(self._process.stdout.fileno())
        self._rest = b""
        self._last = ""
        self.log_lost = ""
        """The line in which it said that its log ends here."""

    def listen(self) -> tuple[list[str], bool]:
        """Return new lines of output and whether more may come. When the process ends, a last line says so."""
        data = self.source.read(4096)
        lines = self._lines(data)
        if not data:
            key = "opponent_ended" if self.log else "opponent_ended_no_log"
            lines.append(tr(key, status=self._process.wait(), line=self._last, log=self.log))
        return lines, bool(data)

    def _lines(self, data: bytes) -> list[str]:
        *complete, self._rest = (self._rest + data).split(b"\n")
        if not data and self._rest:
            complete, self._rest = [self._rest], b""
        lines = [line.decode(errors="replace").removeprefix("seabattle: ") for line in complete]
        self._last = lines[-1] if lines else self._last
        self.log_lost = next(
            (line for line in lines if line.startswith(tr("bot_log_ended", problem=""))), self.log_lost
        )
        return lines

    def stop(self) -> list[str]:
        """Terminate it; return the lines it prints meanwhile. Stopping twice is fine."""
        assert self._process.stdout is not None
        if self._process.stdout.closed:
            return []
        self._process.terminate()
        lines = []
        with suppress(subprocess.TimeoutExpired):
            lines = self._lines(self._process.communicate(timeout=PARTING_SECONDS)[0]) + self._lines(b"")
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        return lines


def _opponent_log(chosen: str | None) -> tuple[str, str]:
    """Return the log file and "", or "" and why there is none. Raises UserError if the log was asked for."""
    path = Path(chosen) if chosen is not None else opponent_log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab"):
            return str(path), ""
    except OSError as error:
        problem = tr("bad_file", file=path, reason=why(error))
        if chosen is not None:
            raise UserError(problem) from None
        return "", tr("no_opponent_log", reason=problem)
