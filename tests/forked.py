"""`seabattle` commands as forks of one process that has the program loaded: `start()`, and the process itself.

A command is a process of its own in everything tests look at: environment, standard streams, terminal, signals,
exit status.
It only does not find and load the program's modules again, which takes as long as many tests.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import importlib.util
import io
import json
import os
import pkgutil
import pwd
import resource
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
from pathlib import Path
from typing import IO, Any, NoReturn

from tests import chance

ROOT = Path(__file__).resolve().parents[1]

_HEAVY = ("matplotlib", "distributed", "dask", "PIL", "numpy")
"""Packages that few commands load, left for them to load."""

_AT_START = ("PYTHON", "LC_", "LANG", "TEXTUAL", "RICH")
"""Prefixes of variables that are read only once, when Python or a module starts."""

_ENCODING = "PYTHONIOENCODING"
"""The one of them that is applied here."""


class Process:
    """A running command; the part of subprocess.Popen that tests use."""

    def __init__(self, pid: int, status: IO[bytes], streams: list[IO[bytes] | None]):
        self.pid = pid
        self.returncode: int | None = None
        self.stdin, self.stdout, self.stderr = streams
        self._status = status

    def poll(self) -> int | None:
        """Return the exit status, or None while it runs."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; return the exit status."""
        status = self._look(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("seabattle", timeout or 0)
        return status

    def _look(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], timeout)[0]:
            self.returncode = int(self._status.read())
            self._status.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[bytes, bytes]:
        """Close its input and read to the end; return output and standard error."""
        said: list[bytes] = [b"", b""]

        def take(number: int, stream: IO[bytes]) -> None:
            said[number] = stream.read()

        if self.stdin is not None:
            self.stdin.close()
        readers = [
            threading.Thread(target=take, args=(number, stream), daemon=True)
            for number, stream in enumerate((self.stdout, self.stderr))
            if stream is not None
        ]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join(timeout)
            if reader.is_alive():
                raise subprocess.TimeoutExpired("seabattle", timeout or 0)
        return said[0], said[1]


class _Server:
    """This end of the process with everything loaded."""

    def __init__(self, environment: dict[str, str], windows: bool, by_modes: bool):
        self.environment = environment
        self.socket, there = socket.socketpair()
        paths = os.pathsep.join([str(ROOT), environment.get("PYTHONPATH", "")])
        as_others = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"]
        self.process = subprocess.Popen(
            [
                *(as_others if by_modes and os.geteuid() == 0 else []),
                *(sys.executable, "-m", "tests.forked", str(there.fileno()), *(["windows"] if windows else [])),
            ],
            env={**environment, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            pass_fds=[there.fileno()],
            start_new_session=True,
        )
        there.close()
        atexit.register(self.end)

    def end(self) -> None:
        self.socket.close()
        self.process.wait()

    def fork(self, request: dict[str, Any], fds: list[int]) -> int:
        """Fork a command; return its process id. fds: the three standard streams, and the pipe for its status."""
        socket.send_fds(self.socket, [json.dumps(request).encode() + b"\n"], fds)
        answer = self.socket.recv(32)
        assert answer, "the process that has the program loaded has ended"
        return int(answer)


_servers: dict[tuple[bool, bool], _Server] = {}


def start(
    arguments: list[str],
    environment: dict[str, str],
    standard: dict[str, int],
    terminal: bool = False,
    windows: bool = False,
    by_modes: bool = False,
    **place: Any,
) -> Process | None:
    """Start `seabattle ARGUMENTS...`; None if that needs an interpreter of its own.

    standard: what subprocess.Popen would get as `stdin`, `stdout`, `stderr`: PIPE or a descriptor; without, they
    are this process's. terminal: make the standard input the terminal of a new session. windows: see tests.windows.
    by_modes: enforce file modes, even when the tests run as root. place: `folder` to work in,
    `closed` streams by their numbers, the `room` that any file may have in bytes.
    """
    if not hasattr(os, "fork") or not hasattr(socket, "send_fds"):
        return None
    kind = (windows, by_modes)
    server = _servers[kind] = _servers.get(kind) or _Server(environment, *kind)
    for name in {*environment, *server.environment} - {_ENCODING}:
        if name.startswith(_AT_START) and environment.get(name) != server.environment.get(name):
            return None
    ours: list[IO[bytes] | None] = []
    theirs: list[int] = []
    pipes: list[int] = []
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        given = standard.get(name, number)
        if given == subprocess.PIPE:
            read, write = os.pipe()
            mine, given = (read, write) if number else (write, read)
            ours.append(os.fdopen(mine, "rb" if number else "wb", buffering=-1 if number else 0))
            pipes.append(given)
        else:
            ours.append(None)
        theirs.append(given)
    read, write = os.pipe()
    request = {"arguments": arguments, "environment": environment, "folder": os.getcwd(), "terminal": terminal, **place}
    request["lots"] = chance.of_command()
    pid = server.fork(request, [*theirs, write])
    for fd in (*pipes, write):
        os.close(fd)
    return Process(pid, os.fdopen(read, "rb", buffering=0), ours)


# -- the process with everything loaded


def _load(windows: bool) -> None:
    import tests.command  # noqa: F401 - before it may be on Windows

    if windows:
        from tests.windows import pretend

        pretend()
    import seabattle_host

    for module in pkgutil.walk_packages(seabattle_host.__path__, "seabattle_host."):
        if module.name.endswith("__main__"):
            continue
        source = importlib.util.find_spec(module.name)
        assert source is not None and source.origin is not None
        text = Path(source.origin).read_text(encoding="utf-8")
        if any(f"import {name}" in text or f"from {name}" in text for name in _HEAVY):
            continue
        with contextlib.suppress(ImportError):
            importlib.import_module(module.name)
    with contextlib.suppress(ImportError):
        importlib.import_module("textual.drivers.linux_driver")
    gc.collect()
    gc.freeze()


def _serve(control: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """Fork for each request: returns in the child with the request, and in the parent with None at the end of all."""
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    children: dict[int, int] = {}
    while True:
        waits: list[Any] = [control, wake]
        ready = select.select(waits, [], [])[0]
        if wake in ready:
            os.read(wake, 4096)
            while children:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if not pid:
                    break
                fd = children.pop(pid)
                with contextlib.suppress(OSError):  # nobody waits for it any more
                    os.write(fd, str(os.waitstatus_to_exitcode(status)).encode())
                os.close(fd)
        if control not in ready:
            continue
        text, fds, _, _ = socket.recv_fds(control, 1 << 16, 4)
        while text and not text.endswith(b"\n"):
            text += control.recv(1 << 16)
        if not text:
            return None
        pid = os.fork()
        if not pid:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for fd in (wake, woken, *children.values()):
                os.close(fd)
            control.close()
            os.close(fds.pop())
            return json.loads(text), fds
        children[pid] = fds.pop()
        for fd in fds:
            os.close(fd)
        control.send(str(pid).encode())


def _become(request: dict[str, Any], fds: list[int]) -> None:
    """Become what an interpreter started with this request would be."""
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
    for fd in fds:
        os.close(fd)
    if request["terminal"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    encoding, _, errors = os.environ.get(_ENCODING, "").partition(":")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        was = getattr(sys, name)
        stream = io.TextIOWrapper(
            open(number, "wb" if number else "rb", closefd=False),  # noqa: SIM115 - the stream has it to its end
            encoding=encoding or was.encoding,
            errors=(errors or "strict") if encoding and number < 2 else was.errors,
            newline="\n" if number else None,
            line_buffering=number == 2 or os.isatty(number),
            write_through=number > 0 and was.write_through,
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for number in request.get("closed", ()):
        os.close(number)
        setattr(sys, ("stdin", "stdout")[number], None)
    if "HOME" not in os.environ:
        pwd.getpwuid = _unknown  # the system has no entry of this user either
    if "room" in request:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["room"],) * 2)
    chance.same(request["lots"])
    sys.argv = ["seabattle", *request["arguments"]]
    from tests.command import FASTER, hasten

    if times := os.environ.pop(FASTER, ""):
        hasten(int(times))


def _unknown(uid: int) -> NoReturn:
    raise KeyError(f"getpwuid(): uid not found: {uid}")


def main() -> int:
    """The argument is the descriptor of the socket for requests; a second argument: on Windows."""
    _load(len(sys.argv) > 2)
    asked = _serve(socket.socket(fileno=int(sys.argv[1])))
    if asked is None:
        return 0
    _become(*asked)
    from seabattle_host import cli

    status = cli.main()
    # The interpreter's shutdown, except for tearing down hundreds of modules, which is most of the time.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            status = 120
    os._exit(status)


if __name__ == "__main__":
    sys.exit(main())
