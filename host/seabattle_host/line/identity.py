"""Which device a port is, so that after a loss the same one is taken up again, and never another under its name.

An adapter may come back under another name, and another adapter, or a pseudo-terminal of somebody else's, may get the
name that is free. An adapter is known by its USB identifiers and serial number, without a number by the socket that it
is plugged into; a pseudo-terminal lives once, and only a link that was made again leads to the one that follows it.
"""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass

from serial.tools import list_ports

from seabattle_host.line import causes


@dataclass(frozen=True)
class Identity:
    """url: as it was asked for. link: of a symbolic link, what it was at that time. usb: what the adapter says of
    itself; rdev: the number of the device; pty: it is a pseudo-terminal."""

    url: str
    link: tuple[int, int] | None = None
    usb: tuple[object, ...] | None = None
    rdev: int | None = None
    pty: bool = False

    @classmethod
    def of(cls, url: str) -> Identity:
        """The device that the name leads to at this moment."""
        return cls(url, _link(url), _usb().get(_device(url)), _number(url), causes.is_pty(url))

    def find(self) -> str | None:
        """The name under which the same device can be opened now; None while it is not there."""
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
    """The number of a device, None where there is none."""
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
    """Device -> what tells one adapter from another, for those behind USB."""
    return {
        info.device: (info.vid, info.pid, info.serial_number or info.location)
        for info in list_ports.comports()
        if info.vid is not None
    }
