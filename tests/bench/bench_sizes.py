"""Sizes on a board: compiled files, and heap on a 32-bit MicroPython.

The heap figures are for `.mpy` files loaded into RAM, as `seabattle flash` puts them on a board; code that is frozen
into a firmware image takes less. The allocation of games is everything that is allocated from the first byte of a
session to the last, with the collector off: two bots, placing included, with different fields and levels.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from seabattle import gunner, wire
from seabattle_host.boards import deploy, minifier
from tests.bench import Figure
from tests.micropython.interpreters import INTERPRETERS, ROOT

BOARD = "pico"
VERSION = "1.27.0"
"""The MicroPython to compile for: that of the 32-bit interpreter."""

IMPORT = "from seabattle import bot, field, fleet, gunner, link, player, radar, rng, wire"
GAME = f"""\
chance = rng.Rng(1)
seat = player.Player(link.Link({wire.MASTER}, chance), chance)
computer = bot.Bot(seat, gunner.Gunner(seat.radar, chance, {gunner.SHARP}))
"""
"""The compiled files have no names of constants, and short names for the rest."""

PLAYED = """\
import gc
import sys
from games import Games

games = int(sys.argv[1])
sides = (Games(1, 2, (10, 1, 2, 3, 4)), Games(2, 3, (6, 0, 1, 2, 2)), Games(3, 4, (8, 1, 1, 3, 5)))

def played():
    for side in sides:
        if not side.play(games, games * 2000) or not side.agree():
            raise RuntimeError("a game did not come to its end")

def allocated():
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    played()
    return gc.mem_alloc() - before

print(allocated())
"""
GAMES = 10
"""Games of each of the three kinds."""


def put(files: dict[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def figures(quick: bool = False) -> Iterator[Figure]:
    files = deploy.wanted_files(deploy.kind_by_name(BOARD), {}, VERSION)
    shared = {name: content for name, content in files.items() if name.startswith("lib/seabattle/")}
    yield Figure("shared package, `.mpy`", sum(map(len, shared.values())), "bytes", "the modules that the board uses")
    yield Figure("whole firmware, `.mpy`", sum(map(len, files.values())), "bytes", f"all that goes to a {BOARD}")

    interpreter = next(found for found in INTERPRETERS if found.bits == 32)
    script = ROOT / "tests" / "micropython" / "heap.py"
    with tempfile.TemporaryDirectory() as folder:
        put(files, Path(folder))
        # together, since an import whose names are not used is dropped
        imports, first, game = minifier.for_board(f"{IMPORT}\n{GAME}").partition("chance = ")
        result = interpreter.run(
            script, imports, first + game, path=[Path(folder, "lib")], heap=256 << 10, collect=True
        )
    if result.status:
        raise RuntimeError(result.output)
    imported, made = map(int, result.stdout.split())
    yield Figure("heap after importing what a game needs", imported, "bytes")
    yield Figure("heap of one game's objects", made, "bytes", "a seat with its link, and the board's own player")

    games = 1 if quick else GAMES
    with tempfile.TemporaryDirectory() as folder:
        played = Path(folder, "played.py")
        played.write_text(PLAYED, encoding="utf-8")
        for interpreter in INTERPRETERS:
            result = interpreter.run(played, str(games))
            if result.status:
                raise RuntimeError(result.output)
            note = f"{3 * games} games, {interpreter} MicroPython"
            yield Figure("allocated while games are played", int(result.stdout), "bytes", note)
