"""Finds a board that plays over its USB cable: by the numbers of its USB chip, and by asking what answers there."""

from __future__ import annotations

import time
from dataclasses import dataclass

from serial.tools import list_ports

from seabattle import wire
from seabattle_host.errors import PortError, PortLost
from seabattle_host.line.port import Port
from seabattle_host.line.settings import Settings

CONSOLE = Settings(115200, 8, "N", 1)
"""Of a board whose USB connector leads to a bridge chip: what carries its prompt then carries the line."""

_OWN_USB = {0x2E8A: "Raspberry Pi", 0x303A: "Espressif", 0xF055: "MicroPython", 0x2886: "Seeed", 0x239A: "Adafruit"}
"""Makers of boards whose chip has USB of its own: any speed will do."""
_BRIDGES = {0x10C4: "CP210x", 0x1A86: "CH340"}
"""Makers of the bridge chips on the other boards, which are on many a cable without a board as well."""

_ASK_SECONDS = 0.4
_BOOT_SECONDS = 3.0
"""How long a board that is printing may go on with it: one that was reset when its port was opened."""

GAME, PROMPT, SILENT, BUSY = "game", "prompt", "silent", "busy"


@dataclass(frozen=True)
class Found:
    """A port where a board is plugged in, and what answers there: GAME, PROMPT (of MicroPython), SILENT, or BUSY where
    the port does not open."""

    url: str
    settings: Settings
    maker: str
    what: str
    why: str = ""
    """Of BUSY: what is in the way, and what to do about it."""


def candidates() -> list[tuple[str, Settings, str]]:
    """The ports that may lead to a board: address, settings, maker; in order of address."""
    found = []
    for info in list_ports.comports():
        if info.vid in _OWN_USB:
            found.append((info.device, Settings(), _OWN_USB[info.vid]))
        elif info.vid in _BRIDGES:
            found.append((info.device, CONSOLE, _BRIDGES[info.vid]))
    return sorted(found)


def look() -> list[Found]:
    """All boards that are plugged in."""
    found = []
    for url, settings, maker in candidates():
        try:
            found.append(Found(url, settings, maker, ask(url, settings)))
        except (PortError, PortLost) as error:
            found.append(Found(url, settings, maker, BUSY, str(error)))
    return found


def to_write() -> str:
    """The port of the only board that a game may be put on; empty if nobody can tell which one is meant.

    One that answers goes before one that runs its owner's program, and a chip with USB of its own before a bridge,
    which may belong to anything.
    """
    ports = candidates()
    if len(ports) == 1:
        return ports[0][0]
    found = look()
    answering = [each for each in found if each.what in (GAME, PROMPT)]
    fitting = answering or [each for each in found if each.maker in _OWN_USB.values()]
    return fitting[0].url if len(fitting) == 1 else ""


def ask(url: str, settings: Settings) -> str:
    """What answers on a port. It is asked as a master would, and given back as it was. Raises PortError, PortLost."""
    with Port(url, settings) as port:
        asked = time.monotonic()
        while True:
            port.write(bytes([wire.SYNC]))
            heard = _listen(port)
            if wire.SYNCED in heard:
                return GAME
            if wire.SYNC in heard:
                # a master calls by itself; a wire from TX to RX, or a program that repeats all, sends this back as well
                port.write(b"\r")
                return SILENT if b"\r" in _listen(port) else GAME
            if not heard or time.monotonic() - asked > _BOOT_SECONDS:
                break
        # at a prompt an empty line is answered by another prompt; in the game it is noise
        port.write(b"\r")
        return PROMPT if b">>> " in heard + _listen(port) else SILENT


def _listen(port: Port) -> bytes:
    heard = b""
    end = time.monotonic() + _ASK_SECONDS
    while (left := end - time.monotonic()) > 0:
        heard += port.read(left)
        if wire.SYNCED in heard or wire.SYNC in heard:
            break
    return heard
