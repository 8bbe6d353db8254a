"""A serial line as the rest of the host sees it: opened from a URL, read without blocking, lost with a cause.

Any pyserial URL works: a device, a pseudo-terminal, `socket://`, `rfc2217://`, `loop://`. On POSIX systems a device or
a socket is read and written through its file descriptor, one `select` and one `read` per burst of bytes (`poll` does
not support devices on macOS); pyserial does the opening and the settings. Elsewhere pyserial's own calls are used, in
short turns.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import serial

from seabattle_host.errors import PortError, PortLost
from seabattle_host.language.messages import tr
from seabattle_host.line import port_errors
from seabattle_host.line.device_identity import Identity
from seabattle_host.line.remote_port import remote_port
from seabattle_host.line.settings import LineErrors, Settings
from seabattle_host.line.settings_in_use import settings_in_use

_READ_MOST = 4096
_ADAPTER_MS = 16
"""FTDI's default latency timer; others are quicker."""
_UNSENT_MOST = 512
"""Bytes buffered for a line that accepts none, 0.6 s at 9600 baud; more are dropped, as on an unconnected wire."""

_TURN = 0.005
"""Seconds per wait where no file descriptor can be polled."""

_LEAVING_SECONDS = 0.2
"""How long a device may take to send its output before its old settings are restored."""

_TIOCGICOUNT = 0x545D
_ICOUNT_BYTES = 80


class Port:
    """An open serial line.

    Read, write and close from one thread; `wake` may be called from any.
    """

    def __init__(
        self,
        url: str,
        settings: Settings | None = None,
        *,
        unsent_most: int = _UNSENT_MOST,
        mark_errors: bool = False,
    ):
        """Open the port exclusively. Raises PortError with the cause and the remedy.

        unsent_most: bytes to buffer for a line that accepts none. mark_errors: have the driver mark damaged bytes like
        termios PARMRK, if it can; `marking` says whether it does, and `read` then returns the marks unchanged.
        """
        self.url = url
        self.device = url
        """The device; differs from `url` for `hwgrep://`, and once the device has come back under another name."""
        self.settings = settings or Settings()
        self.marking = False
        self.lag_ms = 0
        """How much later a byte may arrive than the one before it: USB adapters buffer bytes for so long."""
        self._identity: Identity | None = None
        self._still_there = False
        """Whether the device was there when it was lost: another program read what had come for us."""
        self._unsent_most = unsent_most
        self._mark_errors = mark_errors
        self.dropped = 0
        """Bytes discarded because the line would not accept them."""
        self._kind = port_errors.kind_of(url)
        if self._kind == "hwgrep":
            self.device, self._kind = port_errors.device_of(url), ""
        self._any_received = False
        self._unsent = bytearray()
        # One thread may write while another reads, and both send what is pending.
        self._sending = threading.RLock()
        self._errors_at_open = LineErrors()
        # Through a socket only: wake may be called from a signal handler, which must not need a lock held by the code
        # it interrupts.
        self._wake_read, self._wake_write = socket.socketpair()
        self._wake_read.setblocking(False)
        self._wake_write.setblocking(False)
        self._fd = -1
        self._serial: Any = None  # one of pyserial's classes, which have no complete common base
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
        """False after `close`, and between the loss of the port and a successful `reopen`."""
        return self._serial is not None

    def read(self, timeout: float = 0.0) -> bytes:
        """Return what has arrived, at most 4096 bytes; wait up to `timeout` seconds for the first byte or for `wake`.

        Meanwhile sends bytes left over from `write`. Raises PortLost, and the port is then closed.
        """
        if self._serial is None:
            raise PortLost(tr("lost_gone", url=self.device))
        try:
            data = self._read_fd(timeout) if self._fd >= 0 else self._read_turns(timeout)
            self._any_received = self._any_received or bool(data)
            return data
        except (OSError, serial.SerialException, TypeError) as error:
            # pyserial raises TypeError if its file descriptor was closed meanwhile
            raise self._lost(error) from error

    def write(self, data: bytes | bytearray) -> None:
        """Send `data`, now as far as the line accepts it, the rest during `read`. Raises PortLost."""
        if self._serial is None:
            raise PortLost(tr("lost_gone", url=self.device))
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
        """Bytes not yet accepted by the line."""
        return len(self._unsent)

    def wake(self) -> None:
        """Make a waiting `read` return at once. Thread-safe."""
        # a full socket buffer wakes just as well, and a closed port has no reader
        with contextlib.suppress(OSError):
            self._wake_write.send(b"w")

    def drain(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds until everything is on the wire; return False if it is not. Raises PortLost."""
        deadline = time.monotonic() + timeout
        while self._unsent or self._queued():
            if time.monotonic() > deadline:
                return False
            try:
                self._flush()
            except (OSError, serial.SerialException) as error:
                raise self._lost(error) from error
            self._woken(self.settings.byte_time)
        return True

    @property
    def errors(self) -> LineErrors | None:
        """Damaged bytes since the port was opened; None if the driver does not count them."""
        counted = self._count()
        return None if counted is None else counted - self._errors_at_open

    def warnings_at_open(self) -> list[str]:
        """Return what may go wrong with the port: other programs at it, and settings: a line each.

        Call once after opening.
        """
        return [line for line in (self.shared(), *self.unsupported_settings()) if line]

    def shared(self) -> str:
        """Return the line that names other programs at the port now, empty for none."""
        others = self.other_programs()
        return tr("line_shared_alone", who=others, url=self.url) if others else ""

    def other_programs(self) -> str:
        """Return the other programs at the port, as port_errors.processes_using()."""
        return "" if self._kind else port_errors.processes_using(self.device)

    def unsupported_settings(self) -> list[str]:
        """Return the settings that the protocol or the driver cannot work with: a line each. Call it once when open."""
        few = [tr("line_few_bits", bits=self.settings.bytesize)] if self.settings.bytesize < 8 else []
        if sys.platform == "win32" or self._serial is None or self._kind or not port_errors.has_settings(self.device):
            return few
        actual = settings_in_use(self._serial.fileno(), self.settings)
        if actual in (None, self.settings):
            return few
        lines = [*few, tr("line_other_settings", url=self.url, settings=self.settings, actual=actual)]
        if port_errors.is_mini_uart(self.device):
            lines.append(tr("line_mini_uart", url=self.url))
        return lines

    def reopen(self) -> bool:
        """Try once to reopen the lost port, with empty buffers. Returns False while it is absent.

        Only the same device is accepted: see `line.device_identity`.
        """
        if self._serial is not None:
            return True
        if self._still_there:
            # only at once: its name may be another device's later
            self._still_there = False
            device: str | None = self.device
        else:
            device = self._identity.find() if self._identity is not None else self.url
        if device is None:
            return False
        self.device = device
        try:
            self._open()
        except PortError:
            return False
        return True

    def close(self) -> None:
        """Close the port and restore its settings. Closing twice is fine."""
        self._release()
        self._close_wakers()

    # Opening and closing

    def _open(self) -> None:
        kind, url = self._kind, self.device
        port_errors.check_url(url, kind)
        try:
            line = _opener(kind)(
                url,
                baudrate=self.settings.baud,
                bytesize=self.settings.bytesize,
                parity=self.settings.parity,
                stopbits=self.settings.stopbits,
                timeout=0,
                # two programs on one line would each get some of the bytes
                exclusive=None if kind and kind not in port_errors.WRAPPERS else True,
                do_not_open=True,
            )
            try:
                line.open()
            except Exception as error:
                # A pseudo-terminal carries no parity; glibc reports the kernel saying so as an error.
                if (
                    error.args[:1] != (errno.EINVAL,)
                    or kind
                    or not port_errors.is_pty(url)
                    or self.settings.parity == "N"
                ):
                    raise
                line.parity = serial.PARITY_NONE
                line.open()
        except PortError:
            raise
        except (OSError, ValueError, KeyError) as error:
            raise PortError(port_errors.why_not_opened(error, url, kind, self.settings)) from error
        except Exception as error:
            # termios.error and what pyserial passes on from platform modules have no common base
            reason = port_errors.plain_message(error)
            raise PortError(tr("port_settings", url=url, settings=self.settings, reason=reason)) from error
        self._serial = line
        if not kind:
            self._identity = Identity.read(url)
            self._exclude(True)
        with self._sending:
            self._unsent.clear()
        self._fd = line.fileno() if os.name == "posix" and kind in ("", "socket") else -1
        if kind == "socket":
            # the small frames of the protocol must not wait for each other's acknowledgements
            with contextlib.suppress(OSError), socket.socket(fileno=os.dup(line.fileno())) as same:
                same.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.marking = self._mark_errors and self._mark()
        adapter = kind == "rfc2217" or (not kind and not port_errors.is_pty(url))
        self.lag_ms = _ADAPTER_MS if adapter else 0
        self._errors_at_open = self._count() or LineErrors()

    def _mark(self) -> bool:
        """Have the driver mark damaged bytes; return False if it cannot."""
        if sys.platform == "win32" or self._fd < 0 or self._kind == "socket":
            return False
        import termios

        try:
            attributes = termios.tcgetattr(self._fd)
            attributes[0] |= termios.PARMRK | termios.INPCK
            attributes[0] &= ~(termios.IGNPAR | termios.IGNBRK | termios.BRKINT | termios.ISTRIP)
            termios.tcsetattr(self._fd, termios.TCSANOW, attributes)
            termios.tcflush(self._fd, termios.TCIFLUSH)  # what came before has no marks, and may look like one
        except termios.error:
            return False
        return True

    def _release(self) -> None:
        self._give_back()
        line, self._serial, self._fd = self._serial, None, -1
        if line is not None:
            # closing a device that is gone may fail too
            with contextlib.suppress(OSError, serial.SerialException, TypeError):
                line.close()

    def _exclude(self, exclusive: bool) -> None:
        """Keep all other programs from opening the device: pyserial's lock stops only those that ask for one.

        On a pseudo-terminal the flag outlives the program that set it, so it is cleared before the end.
        """
        if sys.platform == "win32":
            return  # Windows always opens ports exclusively
        import fcntl
        import termios

        with contextlib.suppress(OSError):
            fcntl.ioctl(self._serial.fileno(), termios.TIOCEXCL if exclusive else termios.TIOCNXCL)

    def _give_back(self) -> None:
        """Restore the device's settings, after pending output."""
        before = getattr(self._serial, "before", None)
        if sys.platform == "win32" or self._serial is None or self._kind:
            return
        self._exclude(False)
        if before is not None:
            import termios

            with contextlib.suppress(OSError, termios.error):
                deadline = time.monotonic() + _LEAVING_SECONDS
                while self._queued() and time.monotonic() < deadline:
                    time.sleep(self.settings.byte_time)
                termios.tcsetattr(self._serial.fileno(), termios.TCSANOW, before)

    def _close_wakers(self) -> None:
        self._wake_read.close()
        self._wake_write.close()

    def _lost(self, error: Exception) -> PortLost:
        """Close the lost port and return the error with its cause.

        Once closed, the device can return under its old name.
        """
        self._release()
        if self._kind in port_errors.NETWORK_KINDS and not self._any_received:
            # a forwarder accepts every connection, and closes it if nothing is behind it: then the port did not open
            lost = PortLost(tr("lost_at_once", url=self.url))
            lost.status = PortError.status
            return lost
        return PortLost(port_errors.why_lost(error, self.device, self._kind))

    # Bytes

    def _read_fd(self, timeout: float) -> bytes:
        readable, writable = self._ready(max(0.0, timeout))
        if writable:
            self._flush()
        if not readable:
            return b""
        try:
            data = os.read(self._fd, _READ_MOST)
        except BlockingIOError:
            return b""
        if not data:
            # "ready" with nothing to read means that the device was unplugged or hung up, or that another program has
            # read it meanwhile
            self._still_there = not _hung_up(self._fd)
            raise OSError(errno.EPIPE if self._still_there else errno.EIO, "hung up")
        return data

    def _ready(self, timeout: float) -> tuple[bool, bool]:
        """Wait for the line or a wake; return whether the line can be read, and can be written."""
        wake = self._wake_read.fileno()
        readers, writers, _ = select.select([self._fd, wake], [self._fd] if self._unsent else [], [], timeout)
        if wake in readers:
            self._sleep_again()
        return self._fd in readers, bool(writers)

    def _read_turns(self, timeout: float) -> bytes:
        assert self._serial is not None
        deadline = time.monotonic() + timeout
        while True:
            self._flush()
            waiting = self._serial.in_waiting
            if waiting:
                return self._serial.read(min(waiting, _READ_MOST))
            left = deadline - time.monotonic()
            if left <= 0 or self._woken(min(left, _TURN)):
                self._sleep_again()
                # only a read shows that the other end was closed
                return self._serial.read(1) if self._kind else b""

    def _woken(self, timeout: float) -> bool:
        """Wait for a wake."""
        return bool(select.select([self._wake_read], [], [], timeout)[0])

    def _sleep_again(self) -> None:
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
        """Return the bytes that the driver has accepted and not yet sent; 0 if it does not say."""
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


def opening_failed(error: Exception, url: str) -> PortError:
    """Return the error for a port that other code than Port failed to open, with cause and remedy in one line."""
    return PortError(port_errors.why_not_opened(error, url, port_errors.kind_of(url), Settings()))


def _hung_up(fd: int) -> bool:
    """Return whether a device has gone; True where the system does not tell."""
    if sys.platform == "win32" or not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return any(events & ~select.POLLIN for _fd, events in poll.poll(0))


def _opener(kind: str) -> Callable[..., Any]:
    """Return the function that opens a port of this kind."""
    if kind == "rfc2217":
        return remote_port
    if kind or sys.platform == "win32":
        return serial.serial_for_url
    return _opened_device


def _opened_device(url: str, *, do_not_open: bool, **settings: Any) -> Any:
    """Open a device with pyserial's class for it, and record its previous settings as `before`."""
    if sys.platform == "win32":
        raise NotImplementedError
    import termios

    class Device(serial.Serial):
        before: list[Any] | None = None

        def _reconfigure_port(self, force_update: bool = False) -> None:
            if self.before is None and self.fd is not None:
                with contextlib.suppress(termios.error):
                    self.before = termios.tcgetattr(self.fd)
            super()._reconfigure_port(force_update)  # type: ignore[misc, unused-ignore]

    line = Device(None, **settings)
    line.port = url
    return line
