"""A ready-made colour module on the emulated Pico W, as `flash --kit` sets it up."""

from __future__ import annotations

from pathlib import Path

from seabattle_host.boards import deploy
from tests import desk
from tests.glass import Glass
from tests.pico import fetch, wirings
from tests.pico.rig import Rig, write_filesystem

NAME = "pico-lcd-1.3"
PANEL = "st7789-240x240"


def test_a_kit_shows_the_menu_and_hears_its_joystick(rig: Rig, tmp_path: Path) -> None:
    """Proved only here: the controller's commands as MicroPython's SPI sends them, on the kit's own pins, give the
    twin's picture; and the firmware with a colour display fits into the memory of a small board.
    """
    kit = deploy.kit_values(NAME, wirings.KIND)
    assert kit is not None
    files = deploy.wanted_files(wirings.KIND, kit, ".".join(map(str, fetch.IMAGE_VERSION)))
    image = write_filesystem(tmp_path / "kit.img", files)
    rig.boot(("board", wirings.with_kit(NAME)), filesystem=image)
    rig.until(lambda: "seabattle: ready" in rig.console(), "start", timeout=20)
    glass = Glass(PANEL)
    twin = desk.Desk(PANEL, language=None, esc=False)

    def agree() -> None:
        def same() -> bool:
            (display,) = rig.displays()
            heard = bytes.fromhex(display["heard"])
            for i in range(0, len(heard), 2):
                glass.take(heard[i : i + 1], bool(heard[i + 1]))
            return glass.rows == twin.display.rows

        twin.settle()
        rig.until(same, "the twin's picture", step=0.1)

    agree()
    assert "SEA BATTLE" in "\n".join(glass.text())
    assert glass.on and glass.awake and glass.inverted
    rig.press("down")
    twin.press(desk.keys.DOWN)
    agree()
