"""Starts the boards' firmware in a separate process, connected to a line, to keys and to a display."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO

from seabattle_host import assets
from seabattle_host.errors import PortLost, SeabattleError, UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.line.byte_sources import ONLY_SOCKETS, Source
from seabattle_host.line.interpreters import MICROPYTHON
from seabattle_host.line.port import Port

_MICROPYTHON_MAIN = "import sys; from micropython_unix import main; sys.exit(main())"
_HEAP = "2m"
_LEAVING_SECONDS = 2.0
_START_SECONDS = 20.0
_LOOK_SECONDS = 0.01
_REPORT_MOST = 4096


def has_micropython() -> bool:
    """Return whether a desktop MicroPython is installed."""
    return importlib.util.find_spec("micropython_unix") is not None


def has_ptys() -> bool:
    """Return whether this system has pseudo-terminals that child processes can inherit."""
    return hasattr(os, "openpty") and not ONLY_SOCKETS


class Line:
    """A board's end of a line. The board reads and writes `fd`; the other end is opened at `url`.

    A context manager that closes the line.
    """

    url: str
    fd: int
    far: socket.socket | None = None
    """The same as `fd`, if it is a socket."""
    marking = False
    """Damaged bytes are marked like termios PARMRK."""
    somebody = False
    """Somebody has been met at the other end and may still be reading."""

    def __enter__(self) -> Line:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the line."""

    @property
    def lost(self) -> PortLost | None:
        """Return why the line stopped working, None while it works."""
        return None


class PtyLine(Line):
    """A new pseudo-terminal. link: a symbolic link to create for it. Raises UserError if that fails."""

    _other: int
    _link: str | None

    def __init__(self, link: str | None = None):
        if sys.platform == "win32" or not hasattr(os, "openpty"):
            raise UserError(tr("board_no_pty"))
        import tty

        try:
            self.fd, self._other = os.openpty()
        except OSError as error:  # all are taken, or a container without /dev/ptmx
            raise UserError(tr("board_pty_failed", reason=why(error))) from None
        # Received bytes must not be echoed or changed, even before the other end is opened; the other end stays open,
        # or an unused line would count as hung up.
        tty.setraw(self._other)
        os.set_blocking(self.fd, False)
        self.url = os.ttyname(self._other)
        self._link = link
        if link is not None:
            try:
                self._make_link(link)
            except BaseException:
                self._link = None
                self.close()
                raise

    def _make_link(self, link: str) -> None:
        path = Path(link)
        if path.exists() and not path.is_symlink():
            raise UserError(tr("link_taken", path=link))
        new = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            new.symlink_to(self.url)
            # atomically: a program that waits for the name never finds a stale one
            new.replace(path)
        except OSError as error:
            raise UserError(tr("link_failed", path=link, reason=why(error))) from None

    def close(self) -> None:
        if self._link is not None:
            with contextlib.suppress(OSError):
                # the link may belong to another program by now
                if os.readlink(self._link) == self.url:
                    os.unlink(self._link)
        if self.somebody:
            self._linger()
        os.close(self.fd)
        os.close(self._other)

    def _linger(self) -> None:
        """Let the other end read the last bytes: unread ones vanish with the pseudo-terminal."""
        if sys.platform == "win32":
            raise NotImplementedError
        import fcntl
        import struct
        import termios

        deadline = time.monotonic() + _LEAVING_SECONDS
        while time.monotonic() < deadline:
            (unread,) = struct.unpack("i", fcntl.ioctl(self._other, termios.FIONREAD, bytes(4)))
            if not unread:
                return
            time.sleep(_LOOK_SECONDS)


class PortLine(Line):
    """A port opened here and forwarded to a descriptor of the board's, including the marks of damaged bytes."""

    def __init__(self, port: Port):
        self.url = port.url
        self.marking = port.marking
        self.port = port
        self._near, self._far = socket.socketpair()
        self._far.setblocking(False)
        self.far = self._far
        self.fd = self._far.fileno()
        self._lost: PortLost | None = None
        self._closing = False
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._inwards, self._outwards)]
        for thread in self._threads:
            thread.start()

    @property
    def lost(self) -> PortLost | None:
        return self._lost

    def _inwards(self) -> None:
        try:
            while not self._closing:
                data = self.port.read(1.0)
                if data:
                    self._near.sendall(data)
        except PortLost as lost:
            self._end(lost)
        except OSError:
            self._end(None)

    def _outwards(self) -> None:
        try:
            while data := self._near.recv(4096):
                self.port.write(data)
        except PortLost as lost:
            self._end(lost)
        except OSError:
            self._end(None)

    def _end(self, lost: PortLost | None) -> None:
        if not self._closing:
            self._lost = self._lost or lost
            with contextlib.suppress(OSError):
                # the board sees its line hung up
                self._near.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.port.drain(_LEAVING_SECONDS)
        self._closing = True
        self.port.wake()
        with contextlib.suppress(OSError):
            self._near.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._near.close()
        self._far.close()


class BoardProcess:
    """The firmware in its process. options: arguments of boards/unix/board.py, except its streams.

    `source` becomes readable when the board has sent something; `messages` reads it. by_sockets: the board's streams
    are local TCP connections, for systems where a program cannot inherit descriptors.
    """

    source: Source
    _process: subprocess.Popen[bytes]
    _type: Callable[[bytes], object]
    _stop_typing: Callable[[], object]
    _close_streams: Callable[[], object]

    def __init__(
        self, line: Line, options: Mapping[str, str], interpreter: str = MICROPYTHON, by_sockets: bool | None = None
    ):
        by_sockets = not has_ptys() if by_sockets is None else by_sockets
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
        self._rest = b""
        self._last = b""
        folders = (assets.firmware(), assets.common(), assets.boards() / "unix")
        path = os.pathsep.join(str(folder) for folder in folders)
        if interpreter == MICROPYTHON and not by_sockets:
            command = [sys.executable, "-c", _MICROPYTHON_MAIN, "-X", f"heapsize={_HEAP}"]
            environment = {**os.environ, "MICROPYPATH": path}
        else:
            command = [sys.executable]
            environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        command.append(str(assets.firmware() / "main.py"))
        words = [f"{name}={value}" for name, value in options.items()]
        start = self._start_by_sockets if by_sockets else self._start_by_descriptors
        start(line, command, words, environment)

    def _start_by_descriptors(
        self, line: Line, command: list[str], words: list[str], environment: dict[str, str]
    ) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        keys, keyboard = os.pipe()
        os.set_blocking(keys, False)
        try:
            self._process = subprocess.Popen(
                [*command, f"line={line.fd}", f"keys={keys}", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=environment,
                pass_fds=(line.fd, keys),
                # Ctrl-C is handled here: the board leaves with a goodbye
                start_new_session=True,
            )
        finally:
            os.close(keys)
        assert self._process.stdout is not None
        out = self._process.stdout
        self.source = Source(out.fileno())
        self._type = lambda data: os.write(keyboard, data)
        self._stop_typing = lambda: os.close(keyboard)
        self._close_streams = out.close

    def _start_by_sockets(self, line: Line, command: list[str], words: list[str], environment: dict[str, str]) -> None:
        assert line.far is not None
        line.far.setblocking(True)
        with socket.create_server(("127.0.0.1", 0)) as server:
            word = secrets.token_hex(16)
            names = ("line", "keys", "out")
            where = f"tcp:{server.getsockname()[1]}:{word}"
            self._process = subprocess.Popen(
                [*command, *(f"{name}={where}:{name}" for name in names), *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                env=environment,
                # Ctrl-C is handled here, as above
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
                start_new_session=os.name == "posix",
            )
            found = self._accept(server, {f"{word}:{name}": name for name in names})
        self.source = Source(found["out"])
        self._type = found["keys"].sendall
        self._stop_typing = lambda: found["keys"].shutdown(socket.SHUT_WR)

        def carry(source: socket.socket, target: socket.socket) -> threading.Thread:
            thread = threading.Thread(target=_carry, args=(source, target), daemon=True)
            thread.start()
            return thread

        carriers = [carry(line.far, found["line"]), carry(found["line"], line.far)]

        def close() -> None:
            # the board's last bytes are still on their way to the line
            carriers[1].join(_LEAVING_SECONDS)
            for one in found.values():
                one.close()

        self._close_streams = close

    def _accept(self, server: socket.socket, names: dict[str, str]) -> dict[str, socket.socket]:
        """Return the board's connections by name. A connection that does not send the secret word is closed."""
        found: dict[str, socket.socket] = {}
        server.settimeout(_LOOK_SECONDS)
        deadline = time.monotonic() + _START_SECONDS
        while len(found) < len(names):
            try:
                connection, _ = server.accept()
            except TimeoutError:
                if self._process.poll() is None and time.monotonic() < deadline:
                    continue
                for one in found.values():
                    one.close()
                self._process.kill()
                self._errors.seek(0)
                report = self._errors.read().decode(errors="replace").strip()
                raise SeabattleError(tr("fault", report=report)) from None
            connection.settimeout(_START_SECONDS)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            request = b""
            while not request.endswith(b"\n") and (more := connection.recv(1)):
                request += more
            connection.settimeout(None)
            name = names.get(request.decode(errors="replace").strip())
            if name is None:
                connection.close()
            else:
                found[name] = connection
        return found

    def messages(self) -> Iterator[tuple[str, bytes]]:
        """Yield the board's pending messages: kinds and contents as in boards/unix/board.py.

        Sets `ended` at its end.
        """
        data = self.source.read(65536)
        self.ended = not data
        self._last = (self._last + data)[-_REPORT_MOST:]
        data = self._rest + data
        at = 0
        while at + 2 <= len(data) and at + 2 + data[at + 1] <= len(data):
            end = at + 2 + data[at + 1]
            yield chr(data[at]), data[at + 2 : end]
            at = end
        self._rest = data[at:]

    ended = False

    def press(self, keys: list[int]) -> None:
        """Press keys, by their codes in firmware/seaboard/keys.py."""
        # a board that has just stopped takes no keys
        with contextlib.suppress(ConnectionError):
            if keys:
                self._type(bytes(keys))

    def close(self) -> str:
        """Stop the board and wait for it; return its fault report, empty if there was none."""
        with contextlib.suppress(OSError):
            self._stop_typing()
        killed = False
        try:
            # without keys it exits by itself
            status = self._process.wait(_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            killed = True
            self._process.kill()
            status = self._process.wait()
        self._close_streams()
        self._errors.seek(0)
        report = self._errors.read().decode(errors="replace").strip()
        self._errors.close()
        if not report and not killed:
            # MicroPython reports what no code has caught on its standard output
            _, word, text = self._last.rpartition(b"Traceback")
            report = (word + text).decode(errors="replace").strip() if word else tr("fault_status", status=status)
        return report if status else ""


def _carry(source: socket.socket, target: socket.socket) -> None:
    """Forward all bytes, and finally the end of the stream."""
    with contextlib.suppress(OSError):
        while data := source.recv(4096):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
