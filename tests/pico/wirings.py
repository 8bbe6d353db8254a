"""The board of the tests: a Pico W wired as boards/pico_w says, with any of the panels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seabattle_host.boards import deploy
from tests.pico import fetch
from tests.pico.rig import Wiring, write_filesystem

KIND = deploy.kind_by_name("pico_w")
KEYS = {name.lower(): int(str(KIND.values[name])) for name in ("UP", "DOWN", "LEFT", "RIGHT", "OK")}
PANELS = ("ssd1306", "ssd1306-spi", "sh1106", "pcd8544", "lcd20x4", "lcd16x2")

_ON_I2C: dict[str, dict[str, Any]] = {
    "ssd1306": {"address": 0x3C, "kind": "ssd1306"},
    "sh1106": {"address": 0x3C, "kind": "sh1106"},
    "lcd20x4": {"address": 0x27, "kind": "hd44780", "columns": 20, "rows": 4},
    "lcd16x2": {"address": 0x27, "kind": "hd44780", "columns": 16, "rows": 2},
}
_ON_SPI = {"ssd1306-spi": "ssd1306", "pcd8544": "pcd8544"}


def pin(name: str) -> int:
    """Return a pin of boards/pico_w/board.py."""
    return int(str(KIND.values[name]))


LINE = {"bus": pin("UART"), "tx": pin("TX"), "rx": pin("RX")}


def wiring(panel: str = "ssd1306") -> Wiring:
    """The board with its keys and one panel."""
    if panel in _ON_I2C:
        bus = {"bus": pin("I2C"), "sda": pin("SDA"), "scl": pin("SCL"), "devices": [_ON_I2C[panel]]}
        return Wiring(LINE, KEYS, i2c=[bus])
    wires = {name.lower(): pin(name) for name in ("SCK", "MOSI", "CS", "DC", "RST")}
    return Wiring(LINE, KEYS, spi=[{"bus": pin("SPI"), "kind": _ON_SPI.get(panel, "listener"), **wires}])


def with_kit(name: str) -> Wiring:
    """The board under a ready-made module, whose display reports what it receives."""
    values = {**KIND.values, **deploy.kits()[name]}
    keys = {key: int(str(values[key.upper()])) for key in KEYS}
    wires = {wire.lower(): int(str(values[wire])) for wire in ("SCK", "MOSI", "CS", "DC", "RST")}
    return Wiring(LINE, keys, spi=[{"bus": values["SPI"], "kind": "listener", **wires}])


def bare() -> Wiring:
    """The board with nothing wired; keys that are not connected are never pressed."""
    bus = {"bus": pin("I2C"), "sda": pin("SDA"), "scl": pin("SCL"), "devices": []}
    return Wiring(LINE, KEYS, i2c=[bus])


def game_files(panel: str | None = "ssd1306", line: str = "uart") -> dict[str, bytes]:
    """The files that `seabattle flash` puts on the board."""
    return deploy.wanted_files(KIND, {"PANEL": panel, "LINE": line}, ".".join(map(str, fetch.IMAGE_VERSION)))


def game_image(folder: Path, panel: str = "ssd1306", extra: dict[str, bytes] | None = None) -> Path:
    """A file system with the game on it, made once for each folder and panel."""
    path = folder / f"{panel}.img"
    if extra or not path.exists():
        write_filesystem(path, {**game_files(panel), **(extra or {})})
    return path
