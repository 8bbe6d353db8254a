"""Identifies the device behind a port, so that after a loss the same device is reopened, never another under its name.

An adapter may come back under another name, and another adapter, or another program's pseudo-terminal, may get the free
name. An adapter is identified by its USB identifiers and serial number, or without a number by its USB socket, and one
of its ports by its interface. Cheap adapters share a number: if several with it are plugged in, the socket decides as
well. A pseudo-terminal exists only once, so only a recreated symbolic link leads to its successor.
"""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass

from serial.tools import list_ports

from seabattle_host.line import port_errors


@dataclass(frozen=True)
class Identity:
    """url: as requested.

    link: the target of a symbolic link at that time. usb: what the adapter reports about itself; socket: where it is
    plugged in, if others report the same; rdev: the device number; pty: it is a pseudo-terminal.
    """

    url: str
    link: tuple[int, int] | None = None
    usb: tuple[object, ...] | None = None
    socket: str | None = None
    rdev: int | None = None
    pty: bool = False

    @classmethod
    def read(cls, url: str) -> Identity:
        """Return the device that the name refers to now."""
        adapters, device = _usb(), _device(url)
        usb, socket = adapters.get(device, (None, None))
        twins = [each for each, _ in adapters.values() if each == usb]
        return cls(url, _link(url), usb, socket if len(twins) > 1 else None, _number(url), port_errors.is_pty(url))

    def find(self) -> str | None:
        """Return the name under which the same device can be opened now; None while it is absent."""
        if self.pty:
            now = _link(self.url)
            return self.url if now is not None and now != self.link and os.path.exists(self.url) else None
        adapters = _usb()
        if self.usb is not None:
            same = [
                name
                for name, (usb, socket) in sorted(adapters.items())
                if usb == self.usb and self.socket in (None, socket)
            ]
            if _device(self.url) in same:
                return self.url
            return same[0] if len(same) == 1 else None
        if os.name == "posix" and (_number(self.url) != self.rdev or _device(self.url) in adapters):
            return None
        return self.url


def _number(url: str) -> int | None:
    """Return the device number, None if there is none."""
    if sys.platform == "win32":
        return None
    try:
        found = os.stat(url)
    except OSError:
        return None
    return found.st_rdev if stat.S_ISCHR(found.st_mode) else None


def _device(url: str) -> str:
    return os.path.realpath(url) if os.name == "posix" else url


def _link(url: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(url)
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns) if stat.S_ISLNK(found.st_mode) else None


def _usb() -> dict[str, tuple[tuple[object, ...], str | None]]:
    """Return device -> what distinguishes the adapter from others, and its USB socket, for USB devices."""
    found: dict[str, tuple[tuple[object, ...], str | None]] = {}
    for info in list_ports.comports():
        if info.vid is not None:
            # "1-2:1.0": the socket, and the interface if the device has several
            socket, _, interface = (info.location or "").partition(":")
            found[info.device] = (info.vid, info.pid, info.serial_number or socket, interface), socket
    return found
