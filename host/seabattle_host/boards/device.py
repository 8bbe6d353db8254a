"""A MicroPython board on a serial port, reached through its raw REPL: who it is, its files, a program's start.

The transport is mpremote's, as a library. What it raises becomes one of the errors below, each with its own line and
remedy: the port does not open (PortError), nothing answers (NoAnswer), the cable was pulled (CableGone), the board
itself refused (BoardRefused).
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

from seabattle_host.boards import heard
from seabattle_host.errors import PortError, SeabattleError, UserError
from seabattle_host.language.messages import tr
from seabattle_host.line.causes import NETWORK_KINDS, check_before, kind_of
from seabattle_host.line.port import opening_failed

if TYPE_CHECKING:
    from seabattle_host.boards.transport import Transport

BAUD = 115200
"""Speed of a REPL that is behind a USB adapter; a board with its own USB does not care."""

_ANSWER_SECONDS = 5.0
"""How long a board may take to come to its prompt, and to answer a short question."""

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
    """The port is open, and no MicroPython prompt comes."""


class CableGone(SeabattleError):
    """The port has gone while the board was being worked on."""


class BoardRefused(SeabattleError):
    """The board answered with an error."""


@dataclass(frozen=True)
class Identity:
    """What a board says of itself."""

    machine: str
    """Board and chip in words, as `Raspberry Pi Pico W with RP2040`."""
    version: tuple[int, int, int]
    """Of MicroPython."""
    bytecode: int
    """Version of the .mpy files that it loads; 0: none."""

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))


class Device:
    """A board at its raw prompt. Use as a context manager: `with Device(url) as board`.

    Whatever ran on the board has been stopped by Ctrl-C and its memory cleared, without starting main.py.
    """

    def __init__(self, url: str):
        """Opens the port and stops what runs. Raises PortError, NoAnswer, CableGone."""
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
        """Lets the board start what it starts at power-on, if that has not been done, and gives the port back."""
        with contextlib.suppress(OSError, serial.SerialException):
            if self._transport.in_raw_repl:
                self._leave()
            self._transport.close()

    def _leave(self) -> None:
        """Out of the raw prompt, into a restart."""
        self._transport.exit_raw_repl()
        self._transport.serial.write(b"\x04")

    def _enter(self) -> None:
        from mpremote.transport import TransportError  # type: ignore[import-untyped]

        deadline = time.monotonic() + 2 * _ANSWER_SECONDS
        while True:
            # mpremote prints what it got instead of a prompt
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    self._transport.enter_raw_repl(timeout_overall=_ANSWER_SECONDS)
                return
            except TransportError:
                if time.monotonic() > deadline:
                    raise NoAnswer(heard.no_prompt(self.url, self._transport.heard)) from None

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
        """Runs a piece of Python on the board and returns what it prints. Raises the errors of this module."""
        with self._failures():
            return self._transport.exec(code).decode(errors="replace").replace("\r\n", "\n")

    # -- what it is

    def identity(self) -> Identity:
        """Asks the board what it is. Raises UserError for another Python than MicroPython, whose files differ."""
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
        """Bytes free on the file system, and the size of its blocks."""
        block, blocks = ast.literal_eval(self.run("import os\ns = os.statvfs(os.getcwd())\nprint((s[0], s[3]))"))
        return block * blocks, block

    # -- files

    def files(self, paths: Iterable[str]) -> dict[str, str]:
        """SHA-256 in hexadecimal of each file named, and of each file below each folder named."""
        printed = self.run(_FILES.replace("PATHS", repr(tuple(paths))))
        return dict(line.rsplit(" ", 1) for line in printed.splitlines())

    def read(self, path: str) -> bytes:
        """The content of a file, empty if there is none."""
        printed = self.run(f"try:\n print(repr(open({path!r}, 'rb').read()))\nexcept OSError:\n print(repr(b''))")
        return bytes(ast.literal_eval(printed))

    def make_folders(self, paths: Iterable[str]) -> None:
        """Makes folders, outer ones first; those that exist are left as they are."""
        for path in paths:
            self.run(f"import os\ntry:\n os.mkdir({path!r})\nexcept OSError:\n os.stat({path!r})")

    def write(self, path: str, data: bytes) -> None:
        """Writes a file, in place."""
        # every piece of code that is sent costs a turn of the prompt, so a small file is one
        code = f"import binascii\nfile = open({path!r}, 'wb')\n"
        for start in range(0, max(len(data), 1), _CHUNK):
            # half as many letters as a text with escapes has, all of which the board has to read
            text = binascii.b2a_base64(data[start : start + _CHUNK], newline=False)
            code += f"file.write(binascii.a2b_base64({text!r}))\n"
            if start + _CHUNK >= len(data):
                code += "file.close()"
            self.run(code)
            code = ""

    # -- starting

    def restart(self, wanted: re.Pattern[str], seconds: float) -> tuple[re.Match[str] | None, str]:
        """Restarts the board, so that main.py runs, and reads what it prints until `wanted` matches or `seconds` have
        passed: the match, and all that was printed. The board is left running.
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
    """A serial port behind USB. Boards have their own USB, or an adapter's."""

    url: str
    about: str


def usb_ports() -> list[UsbPort]:
    """The USB serial ports of this computer, in order of name."""
    found = [info for info in list_ports.comports() if info.vid is not None]
    return sorted((UsbPort(info.device, info.description or "") for info in found), key=lambda port: port.url)


def _open(url: str) -> Transport:
    # mpremote takes time to load, which commands that only know a board's files need not wait for
    from mpremote.transport import TransportError

    from seabattle_host.boards.transport import Transport

    check_before(url, kind_of(url))
    # An address that pyserial does not know comes out of the transport as it is, a port that it cannot open does not.
    with contextlib.suppress(TransportError, ValueError):
        return _prompt(Transport(url, baudrate=BAUD, timeout=_ANSWER_SECONDS))
    # The transport keeps the reason to itself; the same again tells it.
    try:
        serial.serial_for_url(url, baudrate=BAUD, exclusive=True).close()
    except (OSError, ValueError) as error:
        raise opening_failed(error, url) from error
    return _prompt(Transport(url, baudrate=BAUD, timeout=_ANSWER_SECONDS))


def _prompt(transport: Transport) -> Transport:
    """The transport, waiting for each byte as it does on a pseudo-terminal. On other ports it looks every 10 ms whether
    one has come, three times for a piece of code, of which a whole game takes hundreds."""
    transport.is_pty = True
    return transport


def hashes(files: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of each content, in hexadecimal."""
    import hashlib

    return {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
