"""The board on an emulated Pico W, in simulated time.

The emulator runs an official MicroPython image with the game as `seabattle flash` installs it, a 128x64 display on I2C,
the PC's bot as master, and a script that presses the keys. The reply time runs from the last bit of a command to the
first bit of its answer; the figure is the longest of the game. A byte takes 1.25 ms. The emulated flash has no wait
states, so a real Pico is somewhat slower. The heap figures are what MicroPython's `gc.mem_alloc()` returns after a
collection, just before the first menu appears, with MicroPython's own share before the game is loaded; code loaded from
files lies in the heap, code frozen into an image does not. The code of the tests adds a kilobyte to these two figures.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from seabattle import wire
from tests.bench import Figure
from tests.pico import fetch
from tests.pico.game import TOLD, Game, Hands, decks, in_use_image, start, watched_image
from tests.pico.rig import Rig

PANEL = "ssd1306"
PANELS = (PANEL, "pcd8544", "lcd20x4", "st7735-128x160", "st7789-240x240", "ili9341-320x240")
CLASSIC = (10, 1, 2, 3, 4)
SMALLEST = (6, 0, 0, 0, 1)


def figures(quick: bool = False) -> Iterator[Figure]:
    fetch.fetch()
    with tempfile.TemporaryDirectory() as folder, Rig() as rig:
        ready = start(rig, PANEL, watched_image(Path(folder), PANEL))
        yield Figure("from power-on to the first screen", ready, "s")
        game = Game(rig, wire.MASTER, PANEL, offer=SMALLEST if quick else CLASSIC)
        hands = Hands(game)
        began = rig.run(0)
        hands.meet(as_master=False)
        hands.place()
        misses = 0 if quick else 20
        hands.fight([*decks(game, water=True)[:misses], *decks(game)])
        rig.until(lambda: "heap after" in rig.console(), "the end of the game at the board")
        yield Figure("the whole game", rig.run(0) - began, "s", "with the person's keys")
        times: dict[int, list[float]] = {}
        for op, seconds in game.replies():
            times.setdefault(op, []).append(seconds * 1e3)
        for op, each in sorted(times.items()):
            name = wire.exchange(op)[wire.NAME]
            note = f"median {statistics.median(each):.2f}, of {len(each)}"
            yield Figure(f"reply to {op:02X}, {name}", max(each), "ms", note)
        before = next(line for line in rig.console().splitlines() if line.startswith("heap before")).split()
        yield Figure("heap: what the game has made", int(before[4]), "bytes")
        yield Figure("heap: its code, loaded from .mpy files", int(before[6]), "bytes")
        for panel in (PANEL,) if quick else PANELS:
            start(rig, panel, in_use_image(Path(folder), panel))
            told = next(line for line in rig.console().splitlines() if line.startswith(TOLD))
            yield Figure(f"heap: in all, {panel}", int(told.removeprefix(TOLD)), "bytes")
