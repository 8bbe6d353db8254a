"""Saves a device's settings while a program that accesses it directly is at work, and restores them."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

from seabattle_host.line.port_errors import kind_of


class SavedSettings:
    """The current settings of a device.

    It stays open until `restore`, so that its control lines do not change meanwhile.
    """

    def __init__(self, url: str):
        self._fd = -1
        self._before: list[Any] | None = None
        if sys.platform == "win32" or kind_of(url):
            return  # on Windows, and over a network, settings end with the connection
        import termios

        # problems of the port are reported by the code that needs it
        with contextlib.suppress(OSError, termios.error, ValueError):
            self._fd = os.open(url, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            self._before = termios.tcgetattr(self._fd)

    def restore(self) -> None:
        """Restore the settings. Doing so twice is fine."""
        if sys.platform == "win32" or self._fd < 0:
            return
        import termios

        with contextlib.suppress(OSError, termios.error):
            if self._before is not None:
                termios.tcsetattr(self._fd, termios.TCSANOW, self._before)
        os.close(self._fd)
        self._fd = -1
