"""Writing records to files, several at once, with rotation; form_writers.py formats them.

A file grows by whole records, each flush in one write, so that a killed program leaves a file that can be read to the
last whole record. A file that cannot be written is given up with one message; the others go on.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.line.log import check_kept
from seabattle_host.sniff.capture import Header
from seabattle_host.sniff.file_seals import Part
from seabattle_host.sniff.form_writers import Form
from seabattle_host.sniff.record import Record

if sys.platform != "win32":
    import fcntl

FLUSH_SECONDS = 0.5
"""How long a record waits for the disk at most, if `Keeper.flush` is called often enough."""


@dataclass(frozen=True)
class Rotation:
    """When a file is full: after this many bytes or seconds, whichever is given.

    parts: full files to keep, the oldest are deleted; 0 for all.
    """

    size: int = 0
    seconds: float = 0
    parts: int = 0

    @classmethod
    def parse(cls, value: str) -> Rotation:
        """Parse `10k`, `5M`, `1G` or `30s`, `10min`, `1h`, `1d`. Raises ValueError for anything else."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]+)", value.strip())
        units = {"k": 10**3, "m": 10**6, "g": 10**9, "kb": 10**3, "mb": 10**6, "gb": 10**9}
        spans = {"s": 1, "sec": 1, "min": 60, "h": 3600, "d": 86400}
        if match is None or float(match[1]) <= 0:
            raise ValueError(value)
        unit = match[2].lower()
        if unit in units:
            return cls(size=max(1, int(float(match[1]) * units[unit])))
        if unit in spans:
            return cls(seconds=float(match[1]) * spans[unit])
        raise ValueError(value)


class OutputFile:
    """One file. `put` collects, `flush` writes; both do nothing after an error.

    reader_ends: a reader of a pipe that leaves ends the capture, which is no failure.
    """

    def __init__(
        self,
        path: str,
        form: Form,
        header: Header,
        rotation: Rotation,
        complain: Callable[[str], None],
        *,
        reader_ends: bool = False,
    ):
        self.path = path
        self._reader_ends = reader_ends
        self.failed = False
        self._form = form
        self._header = header
        self._rotation = rotation
        self._complain = complain
        self._waiting: list[bytes] = []
        self._unwritten = 0
        self._fd = -1
        self._size = 0
        self._opened = 0.0
        self._linked = False
        """Whether the file had a name when it was opened."""
        self._empty = True
        """Whether the file has no record yet: it is not full, however long that lasts."""
        self._part = Part(secrets.token_hex(4))
        if path != "-":
            self._set_aside()
        if not self.failed:
            # whoever reads the pipe decides where the capture ends
            self._open(form.head(header, None if reader_ends else self._part))

    def put(self, record: Record) -> None:
        """Add a record."""
        if self.failed:
            return
        data = self._form.record(record)
        self._waiting.append(data)
        self._unwritten += len(data)
        # a file is read so quickly that one flush would fill many files
        if 0 < self._rotation.size <= self._size + self._unwritten:
            self.flush()

    def flush(self, last: bool = False) -> None:
        """Write what has been collected, and start a new file if this one is full. last: there will be no more."""
        if self.failed:
            return
        try:
            if self._waiting:
                self._empty = False
            self._write(b"".join(self._waiting))
            if self._waiting and self._linked:
                check_kept(self._fd)
            self._waiting.clear()
            self._unwritten = 0
            if not last and self._full():
                self._rotate()
        except OSError as error:
            self._fail(error)

    def close(self, closing: Mapping[str, object] | None = None) -> None:
        """Write the rest and close the file. closing: the result of a check."""
        if not self.failed:
            self._waiting.append(self._form.tail(True, closing))
        self.flush(True)
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _open(self, head: bytes) -> None:
        try:
            if self.path == "-":
                self._fd = os.dup(1)
            else:
                self._fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
                found = os.fstat(self._fd)
                self._linked = found.st_nlink > 0
                if stat.S_ISREG(found.st_mode):
                    _lock(self._fd)
                    os.ftruncate(self._fd, 0)
            self._size = 0
            self._empty = True
            self._opened = time.monotonic()
            self._write(head)
        except OSError as error:
            self._fail(error)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            written = os.write(self._fd, view)
            self._size += written
            view = view[written:]

    def _full(self) -> bool:
        r = self._rotation
        if self._empty:
            # files of a quiet line would push others out of a ring
            self._opened = time.monotonic()
            return False
        return bool((r.size and self._size >= r.size) or (r.seconds and time.monotonic() - self._opened >= r.seconds))

    def _rotate(self) -> None:
        self._write(self._form.tail(False))
        os.close(self._fd)
        self._fd = -1
        os.replace(self.path, part_name(self.path, self._part.number))
        oldest = self._part.number - self._rotation.parts
        if self._rotation.parts and oldest >= 1:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part_name(self.path, oldest))
        self._part = Part(self._part.run, self._part.number + 1)
        self._open(self._form.head(self._header, self._part))

    def _set_aside(self) -> None:
        """Rename the parts of an earlier run with these names, so that two runs never mix.

        A lone file is renamed only if this run will have parts, and replaced otherwise.
        """
        whole = Path(self.path)
        rotates = bool(self._rotation.size or self._rotation.seconds)
        numbered = re.compile(re.escape(whole.stem) + r"\.(\d{4,})" + re.escape(whole.suffix))
        try:
            there = [
                file
                for file in whole.parent.iterdir()
                if (found := numbered.fullmatch(file.name)) and file.is_file() and _is_part(file, int(found[1]))
            ]
            there += [whole] if whole.is_file() else []
            parts = any(file.name != whole.name for file in there)
            if not parts and not (rotates and whole in there and whole.stat().st_size):
                return
            if whole in there:
                with whole.open("rb") as written:
                    _lock(written.fileno())
            name = f"{whole.stem}.old-{time.strftime('%Y%m%d-%H%M%S')}"
            while any(whole.parent.glob(glob.escape(name) + ".*" + glob.escape(whole.suffix))) or (
                whole.with_name(name + whole.suffix).exists()
            ):
                name += "+"
            for file in there:
                file.rename(whole.with_name(name + file.name[len(whole.stem) :]))
            self._complain(tr("parts_set_aside", file=self.path, name=name))
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failed = True
        self._waiting.clear()
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        if not (self._reader_ends and isinstance(error, BrokenPipeError)):
            file = tr("standard_output") if self.path == "-" else self.path
            self._complain(tr("log_failed", file=file, reason=why(error)))


def _lock(fd: int) -> None:
    """Keep other runs from writing this file as long as it is open. Raises OSError if one does."""
    if sys.platform != "win32":
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as busy:
            raise OSError(tr("log_busy")) from busy
        except OSError:
            return  # a file system without locks


def _is_part(file: Path, number: int) -> bool:
    """Return whether this is a part of a run, not just a file of such a name. A table has no number."""
    with file.open("rb") as part:
        head = part.read(2048)
    return re.search(rb'part(?:=|":)%d\b|^number,time,side,' % number, head) is not None


def part_name(path: str, part: int) -> str:
    """Return the name of a full file: `game.json` becomes `game.0001.json`."""
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}.{part:04}{whole.suffix}"))


class LogFiles:
    """All output files of a capture."""

    def __init__(self, files: Sequence[OutputFile] = ()):
        self._files = list(files)
        self._flushed = time.monotonic()

    @property
    def failed(self) -> bool:
        """Whether a file had to be given up."""
        return any(file.failed for file in self._files)

    @property
    def keeps(self) -> bool:
        """Whether there is any file."""
        return bool(self._files)

    def put(self, records: Sequence[Record]) -> None:
        """Add records to every file; they reach the disk with the next `flush`."""
        for file in self._files:
            for record in records:
                file.put(record)

    def flush(self, now: bool = False) -> None:
        """Write what is collected, if due or asked for."""
        at = time.monotonic()
        if now or at - self._flushed >= FLUSH_SECONDS:
            self._flushed = at
            for file in self._files:
                file.flush()

    def close(self, closing: Mapping[str, object] | None = None) -> None:
        """Write all and close. closing: the result of a check, for the closing record."""
        for file in self._files:
            file.close(closing)
