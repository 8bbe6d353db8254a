"""A board at the other end of a pseudo-terminal: the desktop MicroPython with the raw prompt that boards have.

Code sent to it runs on the interpreter, in a folder that is the board's file system; the prompt around it, which the
desktop port lacks, is here: Ctrl-A, Ctrl-B, Ctrl-C, Ctrl-D.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import threading
import tty
from pathlib import Path

_MICROPYTHON = "import sys; from micropython_unix import main; sys.exit(main())"
_LOOP = """
import builtins, sys
system = sys
take = builtins.__import__
class System:
    class implementation:
        _machine = MACHINE
        version = VERSION
        _mpy = MPY
        name = NAME
    def __getattr__(self, name):
        return getattr(system, name)
def get(name, *more):
    return System() if name == "sys" and MACHINE else take(name, *more)
names = {"__name__": "__main__"}
PRELUDE
builtins.__import__ = get
while True:
    size = system.stdin.buffer.read(8)
    if len(size) < 8:
        break
    code = system.stdin.buffer.read(int(size))
    try:
        exec(code, names)
    except BaseException as error:
        print(end="\\x04")
        system.print_exception(error)
    else:
        print(end="\\x04")
    print(end="\\x04")
"""

_WINDOW = 256
"""Bytes of pasted code between two flow-control bytes."""

_HELLO = b"raw REPL; CTRL-B to exit\r\n>"


class Prompt:
    """A board. machine, version, mpy: what it reports of itself, by default the desktop port's; prelude: code that
    runs on it before anything else and sees the names in the code sent as `names`. Use as a context manager.

    started: what it prints when it starts main.py.
    """

    def __init__(
        self,
        folder: Path,
        machine: str = "",
        version: tuple[int, int, int] = (1, 27, 0),
        mpy: int = 6,
        prelude: str = "",
        started: str = "",
        name: str = "micropython",
    ):
        self.folder = folder
        self.mute_after: int | None = None
        """Pieces of code that it still answers; then it falls silent."""
        self.pull_after: int | None = None
        """The same, then its cable is pulled."""
        self._started = started
        loop = (
            _LOOP.replace("MACHINE", repr(machine))
            .replace("VERSION", repr(version))
            .replace("MPY", repr(mpy))
            .replace("NAME", repr(name))
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MICROPYTHON, "-c", loop.replace("PRELUDE", prelude)],
            cwd=folder,
            env={**os.environ, "MICROPYPATH": ".frozen"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._fd, other = os.openpty()
        tty.setraw(other)
        self.url = os.ttyname(other)
        self._other: int | None = other
        self._raw = False
        self._pasted: int | None = None
        """Bytes received of a piece of code that is being pasted."""
        self._code = bytearray()
        self._end, self._ending = os.pipe()
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Prompt:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._ending, b"x")
        self._thread.join()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait()
        for fd in (self._end, self._ending, *([] if self._other is None else [self._fd, self._other])):
            os.close(fd)

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._fd, self._end], [], [])
            if self._end in ready:
                return
            with contextlib.suppress(OSError):
                for byte in os.read(self._fd, 4096):
                    self._take(byte)
            if self._other is None:
                return

    def _say(self, data: bytes) -> None:
        if self.mute_after is None or self.mute_after >= 0:
            os.write(self._fd, data)

    def _take(self, byte: int) -> None:
        code = self._code
        if byte == 3:
            code.clear()
            self._say(b">" if self._raw else b"\r\n>>> ")
        elif byte == 1 and code[-2:] == b"\x05A":
            # a request for raw-paste mode; a board that is to fail does without, as older ones do
            del code[-2:]
            if self.mute_after is None and self.pull_after is None:
                self._pasted = 0
                self._say(b"R\1" + _WINDOW.to_bytes(2, "little"))
            else:
                self._say(b"R\0")
        elif byte == 1:
            code.clear()
            self._raw = True
            self._say(_HELLO)
        elif byte == 13 and not self._raw:
            code.clear()
            self._say(b"\r\n>>> ")
        elif byte == 2:
            self._raw = False
            self._say(b"\r\n>>> ")
        elif byte == 4:
            self._end_of_code()
        else:
            code.append(byte)
            if self._pasted is not None:
                self._pasted += 1
                if self._pasted % _WINDOW == 0:
                    self._say(b"\1")

    def _end_of_code(self) -> None:
        code = bytes(self._code)
        self._code.clear()
        if self._pasted is not None:
            self._pasted = None
            self._run(code, b"\4")
        elif code.strip() and self._raw:
            self._run(code, b"OK")
        elif self._raw:
            self._say(b"OK\r\nMPY: soft reboot\r\n" + _HELLO)
        else:
            self._say(b"\r\nMPY: soft reboot\r\n" + self._started.encode() + b"\r\n>>> ")

    def _run(self, code: bytes, taken: bytes) -> None:
        """taken: its confirmation that it has all of the code."""
        if self.mute_after is not None:
            self.mute_after -= 1
        if self.pull_after is not None:
            self.pull_after -= 1
            if self.pull_after < 0:
                assert self._other is not None
                os.close(self._other)
                os.close(self._fd)
                self._other = None
                return
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        # at once, as boards do: how long the code takes is another matter
        self._say(taken)
        process.stdin.write(b"%08d" % len(code) + code)
        process.stdin.flush()
        said = b""
        while said.count(b"\x04") < 2:
            said += process.stdout.read(1)
        self._say(said.replace(b"\n", b"\r\n") + b">")
