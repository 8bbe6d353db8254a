"""A MicroPython board on a serial port, controlled through its raw REPL: its identity, its files, starting a program.

The transport is mpremote's, used as a library. Its exceptions become one of the errors below, each with its own message
and remedy: the port does not open (PortError), nothing answers (NoAnswer), the cable was pulled (CableGone), the board
reported an error (BoardRefused).
"""

from __future__ import annotations

import ast
import binascii
import contextlib
import io
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import serial
from serial.tools import list_ports

from seabattle_host.boards import no_prompt
from seabattle_host.errors import PortError, SeabattleError, UserError
from seabattle_host.language.messages import tr
from seabattle_host.line.port import opening_failed
from seabattle_host.line.port_errors import NETWORK_KINDS, check_url, kind_of

if TYPE_CHECKING:
    from seabattle_host.boards.transport import Transport

BAUD = 115200
"""Speed of a REPL behind a USB adapter; with a board's own USB it has no effect."""

_ANSWER_SECONDS = 5.0
"""How long a board may take to reach its prompt, and to answer a short question."""

_CHUNK = 2048
"""Bytes of a file sent at a time: the board holds them once as text and once as bytes."""

_FILES = """
import os, hashlib, binascii
def show(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while True:
            block = file.read(512)
            if not block:
                break
            digest.update(block)
    print(path, binascii.hexlify(digest.digest()).decode())
def walk(path):
    try:
        kind = os.stat(path)[0]
    except OSError:
        return
    if kind & 0x4000:
        for entry in os.ilistdir(path):
            walk(path.rstrip("/") + "/" + entry[0])
    else:
        show(path)
for path in PATHS:
    walk(path)
"""


class NoAnswer(UserError):
    """The port is open, but no MicroPython prompt appears."""


class CableGone(SeabattleError):
    """The port disappeared during work on the board."""


class BoardRefused(SeabattleError):
    """The board answered with an error."""


@dataclass(frozen=True)
class Identity:
    """What a board reports about itself."""

    machine: str
    """Board and chip in words, such as `Raspberry Pi Pico W with RP2040`."""
    version: tuple[int, int, int]
    """Of MicroPython."""
    bytecode: int
    """Version of the .mpy files that it loads; 0 for none."""

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))


class Device:
    """A board at its raw prompt. Use as a context manager: `with Device(url) as board`.

    Ctrl-C has stopped whatever ran on the board, and its memory was cleared without starting main.py.
    """

    def __init__(self, url: str):
        """Open the port and stop the running program. Raises PortError, NoAnswer, CableGone."""
        self.url = url
        self._transport = _open(url)
        try:
            with self._failures():
                self._enter()
        except CableGone as error:
            self.close()
            if kind_of(url) in NETWORK_KINDS:
                raise PortError(tr("lost_at_once", url=url)) from error
            raise
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Restart the board as at power-on, unless already done, and close the port."""
        with contextlib.suppress(OSError, serial.SerialException):
            if self._transport.in_raw_repl:
                self._leave()
            self._transport.close()

    def _leave(self) -> None:
        """Leave the raw prompt by a restart."""
        self._transport.exit_raw_repl()
        self._transport.serial.write(b"\x04")

    def _enter(self) -> None:
        from mpremote.transport import TransportError  # type: ignore[import-untyped]

        deadline = time.monotonic() + 2 * _ANSWER_SECONDS
        while True:
            # mpremote prints what it received instead of a prompt
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    self._transport.enter_raw_repl(timeout_overall=_ANSWER_SECONDS)
                return
            except TransportError:
                if time.monotonic() > deadline:
                    raise NoAnswer(no_prompt.explain(self.url, self._transport.received)) from None

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        from mpremote.transport import TransportError, TransportExecError

        try:
            yield
        except TransportExecError as error:
            lines = error.error_output.strip().splitlines() or [""]
            raise BoardRefused(tr("flash_refused", port=self.url, reason=lines[-1])) from error
        except TransportError as error:
            raise NoAnswer(tr("flash_silent", port=self.url)) from error
        except (OSError, serial.SerialException) as error:
            raise CableGone(tr("cable", port=self.url)) from error

    def run(self, code: str) -> str:
        """Run a piece of Python on the board and return its output. Raises the errors of this module."""
        with self._failures():
            return self._transport.exec(code).decode(errors="replace").replace("\r\n", "\n")

    # -- identity

    def identity(self) -> Identity:
        """Ask the board what it is. Raises UserError for a Python other than MicroPython, whose files differ."""
        printed = self.run(
            "import sys\nkind = sys.implementation\n"
            "print(repr((getattr(kind, '_machine', sys.platform), tuple(kind.version), getattr(kind, '_mpy', 0),"
            " kind.name)))"
        )
        machine, version, mpy, name = ast.literal_eval(printed)
        if name != "micropython":
            raise UserError(tr("flash_other_python", port=self.url, name=name, machine=machine))
        major, minor, patch = ([*version, 0, 0, 0])[:3]
        return Identity(machine, (major, minor, patch), mpy & 0xFF)

    def free_bytes(self) -> tuple[int, int]:
        """Return the free bytes of the file system, and its block size."""
        block, blocks = ast.literal_eval(self.run("import os\ns = os.statvfs(os.getcwd())\nprint((s[0], s[3]))"))
        return block * blocks, block

    # -- files

    def files(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the SHA-256 in hexadecimal of each named file, and of each file below each named folder."""
        printed = self.run(_FILES.replace("PATHS", repr(tuple(paths))))
        return dict(line.rsplit(" ", 1) for line in printed.splitlines())

    def read(self, path: str) -> bytes:
        """Return the content of a file, empty if there is none."""
        printed = self.run(f"try:\n print(repr(open({path!r}, 'rb').read()))\nexcept OSError:\n print(repr(b''))")
        return bytes(ast.literal_eval(printed))

    def make_folders(self, paths: Iterable[str]) -> None:
        """Create folders, outer ones first, unless they exist."""
        for path in paths:
            self.run(f"import os\ntry:\n os.mkdir({path!r})\nexcept OSError:\n os.stat({path!r})")

    def write(self, path: str, data: bytes) -> None:
        """Write a file, in place."""
        # every piece of code costs a prompt round trip, so a small file is sent in one
        code = f"import binascii\nfile = open({path!r}, 'wb')\n"
        for start in range(0, max(len(data), 1), _CHUNK):
            # half as long as text with escapes, all of which the board has to parse
            text = binascii.b2a_base64(data[start : start + _CHUNK], newline=False)
            code += f"file.write(binascii.a2b_base64({text!r}))\n"
            if start + _CHUNK >= len(data):
                code += "file.close()"
            self.run(code)
            code = ""

    # -- starting

    def restart(self, wanted: re.Pattern[str], seconds: float) -> tuple[re.Match[str] | None, str]:
        """Restart the board, so that main.py runs, and read its output.

        Return the match and all output once `wanted` matches or `seconds` have passed. The board is left running.
        """
        with self._failures():
            self._leave()
            printed = b""
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                if not self._transport.serial.in_waiting:
                    time.sleep(0.01)
                    continue
                printed += self._transport.serial.read(1)
                if printed.endswith(b"\n") and (match := wanted.search(printed.decode(errors="replace"))):
                    return match, printed.decode(errors="replace")
        return None, printed.decode(errors="replace")


@dataclass(frozen=True)
class UsbPort:
    """A USB serial port: a board's own or an adapter's."""

    url: str
    about: str


def usb_ports() -> list[UsbPort]:
    """Return the USB serial ports of this computer, sorted by name."""
    found = [info for info in list_ports.comports() if info.vid is not None]
    return sorted((UsbPort(info.device, info.description or "") for info in found), key=lambda port: port.url)


def _open(url: str) -> Transport:
    # mpremote is slow to import, and commands that only use a board's files do not need it
    from mpremote.transport import TransportError

    from seabattle_host.boards.transport import Transport

    check_url(url, kind_of(url))
    # The transport passes on errors for addresses unknown to pyserial, but hides those for ports that do not open.
    with contextlib.suppress(TransportError, ValueError):
        return _prompt(Transport(url, baudrate=BAUD, timeout=_ANSWER_SECONDS))
    # Opening it again shows the hidden reason.
    try:
        serial.serial_for_url(url, baudrate=BAUD, exclusive=True).close()
    except (OSError, ValueError) as error:
        raise opening_failed(error, url) from error
    return _prompt(Transport(url, baudrate=BAUD, timeout=_ANSWER_SECONDS))


def _prompt(transport: Transport) -> Transport:
    """Make the transport block for each byte, as it does on a pseudo-terminal.

    On other ports it polls every 10 ms, three times per piece of code, and installing a game takes hundreds of pieces.
    """
    transport.is_pty = True
    return transport


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of each content, in hexadecimal."""
    import hashlib

    return {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
