"""Finds boards that play over their USB cable: by their USB IDs, and by probing what answers."""

from __future__ import annotations

import time
from dataclasses import dataclass

from serial.tools import list_ports

from seabattle import wire
from seabattle_host.errors import PortError, PortLost
from seabattle_host.line.port import Port
from seabattle_host.line.settings import Settings

CONSOLE = Settings(115200, 8, "N", 1)
"""Console of a board with a USB bridge chip: what carries its prompt then carries the line."""

_OWN_USB = {0x2E8A: "Raspberry Pi", 0x303A: "Espressif", 0xF055: "MicroPython", 0x2886: "Seeed", 0x239A: "Adafruit"}
"""Makers of boards whose chip has built-in USB: any speed works."""
_BRIDGES = {0x10C4: "CP210x", 0x1A86: "CH340"}
"""Makers of the bridge chips on other boards; many cables without a board have them too."""

_ASK_SECONDS = 0.4
_BOOT_SECONDS = 3.0
"""How long a board may keep printing after opening the port has reset it."""

GAME, PROMPT, SILENT, BUSY = "game", "prompt", "silent", "busy"


@dataclass(frozen=True)
class Found:
    """A port with a board, and what answers there.

    That is GAME, PROMPT (of MicroPython), SILENT, or BUSY if the port does not open.
    """

    url: str
    settings: Settings
    maker: str
    what: str
    why: str = ""
    """For BUSY: the obstacle, and the remedy."""


def candidates() -> list[tuple[str, Settings, str]]:
    """Return the ports that may belong to a board: address, settings, maker; sorted by address."""
    found = []
    for info in list_ports.comports():
        if info.vid in _OWN_USB:
            found.append((info.device, Settings(), _OWN_USB[info.vid]))
        elif info.vid in _BRIDGES:
            found.append((info.device, CONSOLE, _BRIDGES[info.vid]))
    return sorted(found)


def find_boards() -> list[Found]:
    """Return all connected boards."""
    found = []
    for url, settings, maker in candidates():
        try:
            found.append(Found(url, settings, maker, probe(url, settings)))
        except (PortError, PortLost) as error:
            found.append(Found(url, settings, maker, BUSY, str(error)))
    return found


def port_to_flash() -> str:
    """Return the port of the only board to install a game on; empty if that is ambiguous.

    A board that answers takes precedence over one that runs its owner's program, and a chip with built-in USB over a
    bridge, which may belong to anything.
    """
    ports = candidates()
    if len(ports) == 1:
        return ports[0][0]
    found = find_boards()
    answering = [each for each in found if each.what in (GAME, PROMPT)]
    fitting = answering or [each for each in found if each.maker in _OWN_USB.values()]
    return fitting[0].url if len(fitting) == 1 else ""


def probe(url: str, settings: Settings) -> str:
    """Return what answers on a port.

    Probes as a master does, and restores the port's settings. Raises PortError, PortLost.
    """
    with Port(url, settings) as port:
        asked_at = time.monotonic()
        while True:
            port.write(bytes([wire.SYNC]))
            received = _listen(port)
            if wire.SYNCED in received:
                return GAME
            if wire.SYNC in received:
                # a master calls by itself; a wire from TX to RX, or a program that echoes everything, sends this back
                # as well
                port.write(b"\r")
                return SILENT if b"\r" in _listen(port) else GAME
            if not received or time.monotonic() - asked_at > _BOOT_SECONDS:
                break
        # a prompt answers an empty line with another prompt; to the game it is noise
        port.write(b"\r")
        return PROMPT if b">>> " in received + _listen(port) else SILENT


def _listen(port: Port) -> bytes:
    received = b""
    end = time.monotonic() + _ASK_SECONDS
    while (left := end - time.monotonic()) > 0:
        received += port.read(left)
        if wire.SYNCED in received or wire.SYNC in received or received.endswith(b">>> "):
            break
    return received
