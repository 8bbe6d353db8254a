"""Identifies the device behind a port, so that after a loss the same device is reopened, never another under its name.

An adapter may come back under another name, and another adapter, or another program's pseudo-terminal, may get the free
name. An adapter is identified by its USB identifiers and serial number, or without a number by its USB socket; a
pseudo-terminal exists only once, so only a recreated symbolic link leads to its successor.
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

    link: the target of a symbolic link at that time. usb: what the adapter reports about itself; rdev: the device
    number; pty: it is a pseudo-terminal.
    """

    url: str
    link: tuple[int, int] | None = None
    usb: tuple[object, ...] | None = None
    rdev: int | None = None
    pty: bool = False

    @classmethod
    def read(cls, url: str) -> Identity:
        """Return the device that the name refers to now."""
        return cls(url, _link(url), _usb().get(_device(url)), _number(url), port_errors.is_pty(url))

    def find(self) -> str | None:
        """Return the name under which the same device can be opened now; None while it is absent."""
        if self.pty:
            now = _link(self.url)
            return self.url if now is not None and now != self.link and os.path.exists(self.url) else None
        adapters = _usb()
        if self.usb is not None:
            device = _device(self.url)
            if adapters.get(device) == self.usb:
                return self.url
            return next((name for name in sorted(adapters) if adapters[name] == self.usb), None)
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


def _usb() -> dict[str, tuple[object, ...]]:
    """Return device -> what distinguishes the adapter from others, for USB devices."""
    return {
        info.device: (info.vid, info.pid, info.serial_number or info.location)
        for info in list_ports.comports()
        if info.vid is not None
    }
