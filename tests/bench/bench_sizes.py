"""Sizes on a board: compiled files, and heap on a 32-bit MicroPython.

The heap figures are of `.mpy` files loaded into RAM, as `seabattle flash` puts them on a board; what is frozen into a
firmware image takes less.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from seabattle_host import deploy
from tests.bench import Figure
from tests.micropython.interpreters import INTERPRETERS, ROOT

BOARD = "pico"
VERSION = "1.27.0"
"""The MicroPython to compile for: that of the 32-bit interpreter."""

IMPORT = "from seabattle import bot, field, fleet, gunner, link, player, radar, rng, wire"
GAME = """\
chance = rng.Rng(1)
seat = player.Player(link.Link(wire.MASTER, chance), chance)
computer = bot.Bot(seat, gunner.Gunner(seat.radar, chance, gunner.SHARP))
"""


def put(files: dict[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def figures() -> Iterator[Figure]:
    files = deploy.wanted_files(deploy.named(BOARD), None, VERSION)
    shared = {name: content for name, content in files.items() if name.startswith("lib/seabattle/")}
    yield Figure("shared package, `.mpy`", sum(map(len, shared.values())), "bytes", "the modules that the board uses")
    yield Figure("whole firmware, `.mpy`", sum(map(len, files.values())), "bytes", f"all that goes to a {BOARD}")

    interpreter = next(found for found in INTERPRETERS if found.bits == 32)
    script = ROOT / "tests" / "micropython" / "heap.py"
    with tempfile.TemporaryDirectory() as folder:
        put(files, Path(folder))
        result = interpreter.run(script, IMPORT, GAME, path=[Path(folder, "lib")], heap=256 << 10, collect=True)
    if result.status:
        raise RuntimeError(result.output)
    imported, game = map(int, result.stdout.split())
    yield Figure("heap after importing what a game needs", imported, "bytes")
    yield Figure("heap of one game's objects", game, "bytes", "a seat with its link, and the board's own player")
