"""Reads back which settings a driver has applied: many accept any, and leave out what the hardware cannot do."""

from __future__ import annotations

import struct
import sys

from seabattle_host.line.settings import Settings

TCGETS2 = 0x802C542A
"""Linux on most machines; others refuse it."""
_TERMIOS2_BYTES = 44
_OUTPUT_SPEED = 40
_SAME_SPEED = 0.02
"""What a driver rounds is the same speed: a UART tolerates twice as much."""


def settings_in_use(fd: int, wanted: Settings) -> Settings | None:
    """Return the settings that the driver of a terminal reports; None if it is gone, which the next read tells.

    What it does not report is as `wanted`.
    """
    if sys.platform == "win32":
        raise NotImplementedError
    import termios

    try:
        _, _, cflag, _, _, code, _ = termios.tcgetattr(fd)
    except termios.error:
        return None
    bits = {termios.CS5: 5, termios.CS6: 6, termios.CS7: 7, termios.CS8: 8}[cflag & termios.CSIZE]
    parity = ("O" if cflag & termios.PARODD else "E") if cflag & termios.PARENB else "N"
    if parity != "N" and wanted.parity in "MS" and cflag & getattr(termios, "CMSPAR", 0o10000000000):
        parity = {"O": "M", "E": "S"}[parity]
    two = bool(cflag & termios.CSTOPB)
    stopbits = wanted.stopbits if (wanted.stopbits > 1) == two else 1 + two
    coded = {getattr(termios, name): int(name[1:]) for name in dir(termios) if name[:1] == "B" and name[1:].isdigit()}
    baud = coded.get(code) or _speed(fd) or wanted.baud
    if abs(baud - wanted.baud) <= _SAME_SPEED * wanted.baud:
        baud = wanted.baud
    return Settings(baud, bits, parity, stopbits)


def _speed(fd: int) -> int:
    """Return a speed that has no code; 0 if the system does not tell."""
    if not sys.platform.startswith("linux"):
        return 0
    import fcntl

    try:
        return int(struct.unpack_from("I", fcntl.ioctl(fd, TCGETS2, bytes(_TERMIOS2_BYTES)), _OUTPUT_SPEED)[0])
    except OSError:
        return 0
