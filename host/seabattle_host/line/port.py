"""A serial line as the rest of the host sees it: opened from a URL, read without blocking, lost with a cause.

Any pyserial URL will do: a device, a pseudo-terminal, `socket://`, `rfc2217://`, `loop://`. On POSIX systems a
device or a socket is read and written by its file descriptor, one `poll` and one `read` a burst of bytes; pyserial
does the opening and the settings. Elsewhere pyserial's own calls are used, in short turns.
"""

from __future__ import annotations

import contextlib
import difflib
import errno
import getpass
import os
import select
import socket
import stat
import struct
import sys
import threading
import time
import urllib.parse
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import serial
from serial.tools import list_ports

from seabattle_host.errors import PortError, PortLost
from seabattle_host.language.words import say

try:
    import grp
    import pwd
except ImportError:
    pass  # Windows, where nobody is denied a port by its owner

NETWORK_KINDS = ("socket", "rfc2217")

_READ_MOST = 4096
_UNSENT_MOST = 512
"""Bytes kept for a line that takes none, 0.6 s at 9600 baud; what follows is dropped, as on a wire to nobody."""

_TURN = 0.005
"""Seconds of one turn of waiting where no file descriptor can be polled."""

_TIOCGICOUNT = 0x545D
_ICOUNT_BYTES = 80


@dataclass(frozen=True)
class Settings:
    """Line settings; the protocol's are 9600 baud, 8 data bits, even parity, 2 stop bits."""

    baud: int = 9600
    bytesize: int = 8
    parity: str = "E"
    stopbits: float = 2

    def __str__(self) -> str:
        return f"{self.baud} {self.bytesize}{self.parity}{self.stopbits:g}"

    @property
    def byte_time(self) -> float:
        """Seconds that one byte takes on the wire."""
        return (1 + self.bytesize + (self.parity != "N") + self.stopbits) / self.baud


@dataclass(frozen=True)
class LineErrors:
    """Damaged bytes that the driver has counted since the port was opened."""

    parity: int = 0
    framing: int = 0
    overrun: int = 0
    breaks: int = 0

    def __sub__(self, other: LineErrors) -> LineErrors:
        return LineErrors(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))

    def __str__(self) -> str:
        return say("line_errors", **self.__dict__)


class Port:
    """An open serial line.

    Reading, writing and closing belong to one thread; `wake` may be called from any.
    """

    def __init__(
        self,
        url: str,
        settings: Settings | None = None,
        *,
        unsent_most: int = _UNSENT_MOST,
        mark_errors: bool = False,
    ):
        """Open the port, for this program alone. Raises PortError with the cause and the remedy.

        unsent_most: bytes kept for a line that takes none. mark_errors: let the driver mark damaged bytes as termios
        PARMRK does, where it can; `marking` says whether it does, and `read` then gives the marks as they are.
        """
        self.url = url
        self.settings = settings or Settings()
        self.marking = False
        self._unsent_most = unsent_most
        self._mark_errors = mark_errors
        self.dropped = 0
        """Bytes that the line would not take and that were thrown away."""
        self._kind = kind_of(url)
        self._unsent = bytearray()
        # One thread may write while another reads, and both pass on what waits to be sent.
        self._sending = threading.RLock()
        self._errors_at_open = LineErrors()
        self._woken = threading.Event()
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)
        self._wake_write.setblocking(False)
        self._fd = -1
        self._serial: Any = None  # one of pyserial's classes, which share no complete base
        try:
            self._open()
        except BaseException:
            self._close_wakers()
            raise

    def __enter__(self) -> Port:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """False after `close`, and between the loss of the port and a `reopen` that worked."""
        return self._serial is not None

    def read(self, timeout: float = 0.0) -> bytes:
        """What has arrived, at most 4096 bytes; waits up to `timeout` seconds for the first byte or for `wake`.

        Bytes that `write` could not pass on go out meanwhile. Raises PortLost, and the port is then closed.
        """
        if self._serial is None:
            raise PortLost(say("lost_gone", url=self.url))
        try:
            return self._read_fd(timeout) if self._fd >= 0 else self._read_turns(timeout)
        except (OSError, serial.SerialException, TypeError) as error:
            # pyserial raises TypeError where its file descriptor was taken away under it
            raise self._lost(error) from error

    def write(self, data: bytes | bytearray) -> None:
        """Send `data`, now as far as the line takes it, the rest during `read`. Raises PortLost."""
        if self._serial is None:
            raise PortLost(say("lost_gone", url=self.url))
        try:
            with self._sending:
                room = self._unsent_most - len(self._unsent)
                self.dropped += max(0, len(data) - room)
                self._unsent += data[: max(0, room)]
                self._flush()
        except (OSError, serial.SerialException) as error:
            raise self._lost(error) from error

    @property
    def unsent(self) -> int:
        """Bytes that wait for the line to take them."""
        return len(self._unsent)

    def wake(self) -> None:
        """Make a `read` that waits return at once. For any thread."""
        self._woken.set()
        # a full socket buffer wakes just as well, and a closed port has nobody to wake
        with contextlib.suppress(OSError):
            self._wake_write.send(b"w")

    def drain(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds until everything has left for the wire; False if it did not. Raises PortLost."""
        deadline = time.monotonic() + timeout
        while self._unsent or self._queued():
            if time.monotonic() > deadline:
                return False
            try:
                self._flush()
            except (OSError, serial.SerialException) as error:
                raise self._lost(error) from error
            self._woken.wait(self.settings.byte_time)
        return True

    @property
    def errors(self) -> LineErrors | None:
        """Damaged bytes since the port was opened; None where the driver does not count them."""
        counted = self._count()
        return None if counted is None else counted - self._errors_at_open

    def reopen(self) -> bool:
        """Try once to open the lost port again, with empty buffers. False while it is not back."""
        if self._serial is not None:
            return True
        try:
            self._open()
        except PortError:
            return False
        return True

    def close(self) -> None:
        """Give the port back. Closing twice is fine."""
        self._release()
        self._close_wakers()

    # opening and closing

    def _open(self) -> None:
        kind, url = self._kind, self.url
        _check_before(url, kind)
        try:
            line = serial.serial_for_url(
                url,
                baudrate=self.settings.baud,
                bytesize=self.settings.bytesize,
                parity=self.settings.parity,
                stopbits=self.settings.stopbits,
                timeout=0,
                # two programs on one line would each get half of the bytes
                exclusive=None if kind else True,
                do_not_open=True,
            )
            try:
                line.open()
            except Exception as error:
                # A pseudo-terminal carries no parity, and glibc takes it for an error that the kernel says so.
                if error.args[:1] != (errno.EINVAL,) or kind or not _is_pty(url) or self.settings.parity == "N":
                    raise
                line.parity = serial.PARITY_NONE
                line.open()
        except (OSError, ValueError) as error:
            raise PortError(_why_closed(error, url, kind, self.settings)) from error
        except Exception as error:
            # termios.error and what pyserial lets through from platform modules are of no common kind
            raise PortError(say("port_settings", url=url, settings=self.settings, reason=_reason(error))) from error
        self._serial = line
        with self._sending:
            self._unsent.clear()
        self._fd = line.fileno() if os.name == "posix" and kind in ("", "hwgrep", "socket") else -1
        if kind == "socket":
            # the small frames of the protocol must not wait for each other's acknowledgements
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(line.fileno())) as same:
                same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.marking = self._mark_errors and self._mark()
        self._errors_at_open = self._count() or LineErrors()

    def _mark(self) -> bool:
        """Let the driver mark damaged bytes; False where it cannot."""
        if self._fd < 0 or self._kind == "socket":
            return False
        import termios

        try:
            attributes = termios.tcgetattr(self._fd)
            attributes[0] |= termios.PARMRK | termios.INPCK
            attributes[0] &= ~(termios.IGNPAR | termios.IGNBRK | termios.BRKINT | termios.ISTRIP)
            termios.tcsetattr(self._fd, termios.TCSANOW, attributes)
        except termios.error:
            return False
        return True

    def _release(self) -> None:
        line, self._serial, self._fd = self._serial, None, -1
        if line is not None:
            # a device that has gone may refuse to be closed as well
            with contextlib.suppress(OSError, serial.SerialException, TypeError):
                line.close()

    def _close_wakers(self) -> None:
        self._wake_read.close()
        self._wake_write.close()

    def _lost(self, error: Exception) -> PortLost:
        """The port is gone: give it back, so that the device can return under its old name, and say why."""
        self._release()
        return PortLost(_why_lost(error, self.url, self._kind))

    # bytes

    def _read_fd(self, timeout: float) -> bytes:
        readable, writable, hung_up = self._ready(max(0.0, timeout))
        if writable:
            self._flush()
        if not readable:
            return b""
        try:
            data = os.read(self._fd, _READ_MOST)
        except BlockingIOError:
            if not hung_up:
                return b""
            data = b""
        if not data:
            # "ready" and yet nothing to read is how a device that was unplugged, or hung up, shows itself
            raise OSError(errno.EPIPE, "hung up")
        return data

    def _ready(self, timeout: float) -> tuple[bool, bool, bool]:
        """Wait for the line or a wake: whether the line can be read, can be written, and is known to be hung up."""
        wake = self._wake_read.fileno()
        if sys.platform == "darwin":
            # its poll does not know devices
            writers = [self._fd] if self._unsent else []
            readers, writers, _ = select.select([self._fd, wake], writers, [], timeout)
            if wake in readers:
                self._sleep_again()
            return self._fd in readers, bool(writers), False
        poller = select.poll()
        poller.register(self._fd, select.POLLIN | (select.POLLOUT if self._unsent else 0))
        poller.register(wake, select.POLLIN)
        ready = 0
        for fd, events in poller.poll(timeout * 1000):
            if fd == self._fd:
                ready = events
            else:
                self._sleep_again()
        if ready & select.POLLNVAL:
            raise OSError(errno.EBADF, "closed")
        hung_up = bool(ready & (select.POLLHUP | select.POLLERR))
        return hung_up or bool(ready & select.POLLIN), bool(ready & select.POLLOUT), hung_up

    def _read_turns(self, timeout: float) -> bytes:
        assert self._serial is not None
        deadline = time.monotonic() + timeout
        while True:
            self._flush()
            waiting = self._serial.in_waiting
            if waiting:
                return self._serial.read(min(waiting, _READ_MOST))
            left = deadline - time.monotonic()
            if left <= 0 or self._woken.wait(min(left, _TURN)):
                self._sleep_again()
                # an end that was closed shows itself only in a read
                return self._serial.read(1) if self._kind else b""

    def _sleep_again(self) -> None:
        self._woken.clear()
        with contextlib.suppress(OSError):
            self._wake_read.recv(_READ_MOST)

    def _flush(self) -> None:
        with self._sending:
            if not self._unsent:
                return
            assert self._serial is not None
            if self._fd >= 0:
                try:
                    sent = os.write(self._fd, self._unsent)
                except BlockingIOError:
                    return
            else:
                sent = self._serial.write(bytes(self._unsent))
            del self._unsent[:sent]

    def _queued(self) -> int:
        """Bytes that the driver has taken and not yet sent; 0 where it does not say."""
        try:
            return self._serial.out_waiting if self._serial is not None and not self._kind else 0
        except (OSError, serial.SerialException, AttributeError):
            return 0

    def _count(self) -> LineErrors | None:
        if self._fd < 0 or self._kind == "socket" or not sys.platform.startswith("linux"):
            return None
        import fcntl

        try:
            raw = fcntl.ioctl(self._fd, _TIOCGICOUNT, bytes(_ICOUNT_BYTES))
        except OSError:
            return None  # a pseudo-terminal, or a driver that does not count
        _cts, _dsr, _ring, _carrier, _rx, _tx, framing, overrun, parity, breaks, buffer_overrun = struct.unpack_from(
            "11i", raw
        )
        return LineErrors(parity, framing, overrun + buffer_overrun, breaks)


def kind_of(url: str) -> str:
    """The scheme of a port's URL in lower case, empty for a device."""
    return url.split("://", 1)[0].lower() if "://" in url else ""


def found_ports() -> list[tuple[str, str]]:
    """The serial ports of this machine: device and what is known of it (may be empty), in order of name."""
    ports = []
    for info in list_ports.comports():
        about = info.description if info.description not in (None, "n/a", info.device, info.name) else ""
        ports.append((info.device, about))
    return sorted(ports)


def holders(device: str) -> str:
    """Who else has the device open, as `name (PID), name (PID)`; empty if nobody, or if that cannot be seen."""
    try:
        wanted = os.stat(device)
    except OSError:
        return ""
    pids = set()
    with contextlib.suppress(OSError):
        # names the owner of a lock even where the other user's files cannot be looked at
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if "FLOCK" in words and words[5].endswith(f":{wanted.st_ino}"):
                major, minor, _inode = words[5].split(":")
                if os.makedev(int(major, 16), int(minor, 16)) == wanted.st_dev:
                    pids.add(words[4])
    for entry in Path("/proc").glob("[0-9]*/fd/*") if sys.platform.startswith("linux") else ():
        with contextlib.suppress(OSError):
            there = entry.stat()
            if (there.st_dev, there.st_ino) == (wanted.st_dev, wanted.st_ino):
                pids.add(entry.parts[2])
    names = []
    for pid in sorted(pids, key=int):
        if int(pid) != os.getpid():
            with contextlib.suppress(OSError):
                names.append(f"{Path('/proc', pid, 'comm').read_text(encoding='utf-8').strip()} ({pid})")
    return ", ".join(names)


def opening_failed(error: Exception, url: str) -> PortError:
    """The error for a port that something else than Port could not open, with the cause and the remedy in one line."""
    return PortError(_why_closed(error, url, kind_of(url), Settings()))


def _check_before(url: str, kind: str) -> None:
    """Refuse what pyserial would answer with an obscure error, or with none."""
    if kind in NETWORK_KINDS:
        try:
            parts = urllib.parse.urlsplit(url)
            good = bool(parts.hostname) and bool(parts.port)
        except ValueError:
            good = False
        if not good:
            raise PortError(say("port_url_address", url=url, kind=kind))
    if kind or os.name != "posix":
        return
    try:
        mode = os.stat(url).st_mode
    except FileNotFoundError:
        if os.path.islink(url):
            raise PortError(say("port_dangling", url=url, target=os.readlink(url))) from None
        raise PortError(say("port_missing", url=url, near=_near(url))) from None
    except OSError as error:
        raise PortError(say("port_failed", url=url, reason=_reason(error))) from None
    if not stat.S_ISCHR(mode):
        what = "what_directory" if stat.S_ISDIR(mode) else "what_file" if stat.S_ISREG(mode) else "what_other"
        raise PortError(say("port_not_serial", url=url, what=say(what)))


def _is_pty(url: str) -> bool:
    return os.path.realpath(url).startswith(("/dev/pts/", "/dev/ttys"))


def _near(url: str) -> str:
    """Existing ports whose names are nearest to one that does not exist, in words."""
    known = dict(found_ports())
    folder = Path(url).parent
    names = set(known)
    with contextlib.suppress(OSError):
        names |= {str(entry) for entry in folder.iterdir() if _is_port_like(entry)}
    near = difflib.get_close_matches(url, sorted(names), n=3, cutoff=0.75) or sorted(known)[:3]
    if not near:
        return say("ports_none")
    return say("ports_found", ports=", ".join(f"{name} ({known[name]})" if known.get(name) else name for name in near))


def _is_port_like(path: Path) -> bool:
    name = path.name
    return (
        path.is_symlink()
        or (path.parent.name == "pts" and name.isdigit())
        or (name.startswith("tty") and name[3:4].isalpha())
    )


def _why_closed(error: Exception, url: str, kind: str, settings: Settings) -> str:
    """One line on why a port did not open."""
    cause = _root(error)
    code = getattr(error, "errno", None) or getattr(cause, "errno", None)
    if kind:
        if isinstance(error, ValueError) and "protocol" in str(error):
            return say("port_url_kind", url=url, kind=kind)
        if isinstance(cause, ConnectionRefusedError):
            return say("port_refused", url=url)
        if isinstance(cause, socket.gaierror):
            return say("port_unknown_host", url=url)
        if isinstance(cause, TimeoutError):
            return say("port_no_answer", url=url)
        return say("port_failed", url=url, reason=_reason(cause))
    if code in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or (os.name == "nt" and "PermissionError" in str(error)):
        return say("port_busy", url=url, who=holders(url) or say("somebody"))
    if code == errno.ENOENT or (os.name == "nt" and "FileNotFoundError" in str(error)):
        return say("port_missing", url=url, near=_near(url))
    if code in (errno.EACCES, errno.EPERM):
        return _why_denied(url)
    if "could not configure port" in str(error).lower():
        number = cause.args[0] if cause.args else None
        if number == errno.EIO:
            return say("port_no_hardware", url=url, near=_near(url))
        if number == errno.ENOTTY:
            return say("port_not_serial", url=url, what=say("what_other"))
    if code in (errno.ENXIO, errno.ENODEV, errno.EIO):
        return say("port_no_hardware", url=url, near=_near(url))
    if isinstance(error, ValueError):
        return say("port_settings", url=url, settings=settings, reason=_reason(error))
    return say("port_failed", url=url, reason=_reason(cause))


def _why_denied(url: str) -> str:
    try:
        owner = os.stat(url)
        group = grp.getgrgid(owner.st_gid).gr_name
        if owner.st_mode & stat.S_IRGRP and owner.st_mode & stat.S_IWGRP and owner.st_gid:
            return say("port_denied_group", url=url, group=group, user=getpass.getuser())
        return say("port_denied", url=url, owner=pwd.getpwuid(owner.st_uid).pw_name)
    except (OSError, KeyError):
        return say("port_denied", url=url, owner="root")


def _why_lost(error: Exception, url: str, kind: str) -> str:
    """One line on why an open port stopped working."""
    if not kind:
        if os.name == "posix" and not os.path.exists(url):
            return say("lost_gone", url=url)
        others = holders(url)
        if others:
            return say("lost_shared", url=url, who=others)
    if isinstance(error, (ConnectionError, BrokenPipeError)) or getattr(error, "errno", 0) in (errno.EPIPE, errno.EIO):
        return say("lost_hung_up", url=url)
    if "disconnected" in str(error) or "reader thread died" in str(error):
        return say("lost_hung_up", url=url)
    return say("lost_failed", url=url, reason=_reason(_root(error)))


def _root(error: BaseException) -> BaseException:
    """The first error of a chain, which is the system's own."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return error


def _reason(error: BaseException) -> str:
    """An error's words without its class and number."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
