"""The rig itself: errors that it detects and features that no game of the tests uses.

Each test runs a few lines of MicroPython as main.py, without the game. The games show that an official image boots,
ticks, takes keys, draws on the panels and keeps its files.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.pico import fetch
from tests.pico.rig import PIN_UART, Rig, Wiring, display_pixels, write_filesystem

LINE = {"bus": 0, "tx": 0, "rx": 1}
BYTE_TIME = 12 / 9600

OPEN_LINE = """
from machine import UART, Pin
uart = UART(0, 9600, bits=8, parity=0, stop=2, tx=Pin(0), rx=Pin(1), rxbuf=256)
"""


def boot(rig: Rig, folder: Path, main: str, wiring: Wiring, **more: object) -> None:
    image = write_filesystem(folder / "files.img", {"main.py": main})
    rig.boot(("board", wiring), filesystem=image, **more)


def test_the_image_is_the_one_that_was_fetched_and_formats_a_blank_flash(rig: Rig) -> None:
    rig.boot(("board", Wiring(LINE)))
    rig.prompt()
    rig.type("import sys, os; print(sys.implementation, os.listdir(), os.statvfs('/')[:3])\r")
    rig.until(lambda: "[] (4096, 4096, 212)" in rig.console(), "empty file system")
    assert f"version={(*fetch.IMAGE_VERSION, '')}" in rig.console()
    assert "Raspberry Pi Pico W" in rig.console()


@pytest.mark.parametrize(("asked", "seen", "lowest"), [("0", "E", 6), ("1", "O", 2), ("None", "N", 0)])
def test_the_format_is_seen_on_registers_and_on_the_wire(
    rig: Rig, tmp_path: Path, asked: str, seen: str, lowest: int
) -> None:
    main = OPEN_LINE.replace("parity=0", f"parity={asked}") + "uart.write(bytes(range(64)))"
    boot(rig, tmp_path, main, Wiring(LINE))
    rig.run(0.9)
    uart = rig.uart()
    assert (uart["baud"], uart["bits"], uart["parity"], uart["stop"]) == (9600, 8, seen, 2)
    # eight bits, FIFOs on, two stop bits, even parity, parity enabled
    assert uart["lineControl"] == 0x78 | lowest
    assert uart["pins"] == [PIN_UART, PIN_UART]
    heard, _ = rig.frames()
    assert any(frame.parity_error or frame.framing_error for frame in heard) == (seen != "E")
    if seen == "E":
        assert [frame.value for frame in heard] == list(range(64))
        for before, after in itertools.pairwise(heard):
            assert before.end - before.start == pytest.approx(BYTE_TIME, abs=1e-9)
            assert after.start == pytest.approx(before.end, abs=1e-6)  # back to back


def test_unread_bytes_overrun(rig: Rig, tmp_path: Path) -> None:
    """A board with interrupts off that reads nothing loses what its FIFO cannot hold, and the rig counts it."""
    main = OPEN_LINE + "import machine, time\nmachine.disable_irq()\nwhile True: pass"
    boot(rig, tmp_path, main, Wiring(LINE))
    rig.run(0.6)
    rig.send(bytes(40))
    rig.run(0.1)
    assert rig.uart()["overruns"] == 40 - 32


def test_the_usual_instructions_give_what_the_emulator_gives(tmp_path: Path, emulator: None) -> None:
    """burst.mjs against the emulator's own executeInstruction(), from power-on through Python to a drawn picture."""
    seen = []
    for slow in (False, True):
        with Rig() as rig:
            boot(rig, tmp_path, OLED_MAIN, Wiring(LINE, i2c=[OLED]), slow=slow)
            rig.run(0.45)
            seen.append((rig.state(), rig.figures(), rig.displays()))
    assert seen[0] == seen[1]
    assert any(map(any, display_pixels(seen[0][2][0])))


LCD = {"bus": 0, "sda": 4, "scl": 5, "devices": [{"address": 0x27, "kind": "hd44780", "columns": 20, "rows": 4}]}
OLED = {"bus": 0, "sda": 4, "scl": 5, "devices": [{"address": 0x3C, "kind": "ssd1306"}]}

LCD_MAIN = """
import machine, time
from machine import I2C, Pin
i2c = I2C(0, sda=Pin(4), scl=Pin(5), freq=100000)
print("found", i2c.scan())
def nibble(value):
    i2c.writeto(0x27, bytes((value << 4 | 12, value << 4 | 8)))
time.sleep_ms(20)
for value in (3, 3, 3, 2):
    nibble(value)
    time.sleep_ms(5)
for value in (0, 1, 4, 0):  # clear, and at once what comes too early
    nibble(value)
print("done")
"""


def test_a_character_display_notices_haste(rig: Rig, tmp_path: Path) -> None:
    """An instruction during the 1.5 ms of a clear is lost, as on a real controller."""
    boot(rig, tmp_path, LCD_MAIN, Wiring(LINE, i2c=[LCD]))
    rig.until(lambda: "done" in rig.console(), "text written")
    assert "found [39]" in rig.console()
    (lcd,) = rig.displays()
    assert lcd["tooEarly"] > 0


OLED_MAIN = """
import framebuf, time
from machine import I2C, Pin
i2c = I2C(0, sda=Pin(4), scl=Pin(5), freq=400000)
print("found", i2c.scan())
for command in (0xAE, 0x20, 0, 0xA1, 0xC8, 0x8D, 0x14, 0x21, 0, 127, 0x22, 0, 7, 0xAF):
    i2c.writeto(0x3C, bytes((0x80, command)))
buffer = bytearray(1025)
picture = framebuf.FrameBuffer(memoryview(buffer)[1:], 128, 64, framebuf.MONO_VLSB)
picture.text("Sea", 8, 16)
picture.rect(0, 0, 128, 64, 1)
buffer[0] = 0x40
i2c.writeto(0x3C, buffer)
print("done")
"""
