"""Colour panels: the glass shows the intended picture after all the driver sent to the controller."""

from __future__ import annotations

import types
from typing import Any

import pytest

from seabattle_host.commands import board_options
from tests import desk
from tests.desk import keys, mipi
from tests.glass import MEMORY, Glass, Spi

from seaboard.panel import BATTLE  # isort: skip  (tests.desk has made the firmware importable)

SIZES = {"st7789-240x240": 22, "st7789-240x135": 13, "ili9341-320x240": 20}
"""Pixels of a cell in the battle, the largest that leaves a row, or nine letters, for text; 12 on the others."""
WHOLE = {"st7735-128x160", "st7789-240x135"}
"""Those tested with a whole game; the others differ from these only in their initialisation."""


class Module(desk.Desk):
    """A board with the module itself in place of the intended picture."""

    def __init__(self, panel: str, rotate: int):
        self._made = panel, rotate
        super().__init__(panel)

    def _colour_chip(self) -> Any:
        panel, rotate = self._made
        self.display = Glass(panel, rotate)
        spi = Spi(self.display)
        return mipi.start(panel, spi, spi.cs, spi.dc, None, rotate)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mipi, "time", types.SimpleNamespace(sleep_ms=lambda _: None))


def play(board: desk.Desk, whole: bool = True) -> list[list[list[int]]]:
    """Play alone up to the first shots; return the pictures. Without `whole` only the first one, of the menu."""
    pictures: list[list[list[int]]] = []

    def look() -> None:
        board.settle()
        pictures.append([list(row) for row in board.display.rows])

    app = board.app
    look()
    assert board.shows("SEA BATTLE")
    if not whole:
        return pictures
    board.choose("Alone")
    board.choose("Sea battle")
    board.until(lambda: app.link.state == 1)
    board.settle()
    board.press(keys.OK)
    board.until(lambda: app.link.state == 2)
    look()
    board.press(keys.BACK)
    board.choose("At random")
    board.settle()
    board.press(keys.OK)
    board.until(lambda: app.link.state == 4 and app.link.mine)
    board.press(keys.OK)
    board.until(lambda: app.player.my_shots and app.player.its_shots)
    look()
    return pictures


@pytest.mark.parametrize("rotate", [0, 180])
@pytest.mark.parametrize("panel", sorted(MEMORY))
def test_the_module_shows_what_was_meant(panel: str, rotate: int) -> None:
    """The menu, placing, and the battle of a game alone. Rotation changes only what the controller is sent."""
    module = Module(panel, rotate)
    whole = panel in WHOLE and not rotate
    assert play(module, whole) == play(desk.Desk(panel), whole)
    glass = module.display
    assert (glass.awake, glass.on, glass.bits) == (True, True, 5)
    assert glass.inverted == panel.startswith("st7789")
    # the colour filters of these are in the order blue, green, red
    assert bool(glass.way & 0x08) == panel.startswith(("st7735g", "st7735r", "ili9341"))
    module.panel.layout(BATTLE, 10)
    assert module.panel.pitch == SIZES.get(panel, 12)


def test_flash_and_the_driver_know_the_same_panels() -> None:
    assert set(mipi.KINDS) == set(MEMORY) == {name for name in board_options.PANELS if name[:2] in ("st", "il")}
