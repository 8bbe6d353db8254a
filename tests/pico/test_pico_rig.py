"""The rig itself: what it notices that no sound game shows, and what no game of the tests uses.

Each test runs a few lines of MicroPython as main.py; nothing of the game is in here. That an official image boots,
ticks, takes keys, draws on the panels and keeps its files is shown by the games on it.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.pico import fetch
from tests.pico.rig import PIN_SPI, PIN_UART, Rig, Wiring, display_pixels, read_filesystem, write_filesystem

LINE = {"bus": 0, "tx": 0, "rx": 1}
BYTE_TIME = 12 / 9600

OPEN_LINE = """
from machine import UART, Pin
uart = UART(0, 9600, bits=8, parity=0, stop=2, tx=Pin(0), rx=Pin(1), rxbuf=256)
"""

ECHO = (
    OPEN_LINE
    + """
import machine, time
while True:
    count = uart.any()
    if count:
        uart.write(uart.read(count))
    machine.idle()
"""
)


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


def test_bytes_arrive_and_a_burst_at_line_rate_is_whole(rig: Rig, tmp_path: Path) -> None:
    boot(rig, tmp_path, ECHO, Wiring(LINE))
    rig.run(1.0)
    burst = bytes(index * 7 & 0xFF for index in range(500))
    rig.send(burst)
    rig.run(2.0)
    heard, sent = rig.frames()
    assert bytes(frame.value for frame in sent) == burst
    assert bytes(frame.value for frame in heard) == burst
    assert rig.uart()["overruns"] == 0


def test_unread_bytes_overrun(rig: Rig, tmp_path: Path) -> None:
    """A board that has interrupts off and reads nothing loses what its FIFO cannot hold, and the rig counts it."""
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
def nibble(value, rs):
    byte = value << 4 | 8 | rs
    i2c.writeto(0x27, bytes((byte | 4, byte)))
def put(byte, rs):
    nibble(byte >> 4, rs)
    nibble(byte & 15, rs)
time.sleep_ms(20)
for value in (3, 3, 3, 2):
    nibble(value, 0)
    time.sleep_ms(5)
for byte in (0x28, 0x0C, 0x06, 0x01):
    put(byte, 0)
put(0x40, 0)
print("done")
"""


def test_a_character_display_notices_haste(rig: Rig, tmp_path: Path) -> None:
    """An instruction during the 1.5 ms that clearing takes is lost, as on a real controller."""
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


SPI_MAIN = """
from machine import SPI, Pin
spi = SPI(0, baudrate=4000000, sck=Pin(18), mosi=Pin(19), miso=Pin(16))
cs, dc, rst = Pin(17, Pin.OUT, value=1), Pin(20, Pin.OUT), Pin(21, Pin.OUT, value=1)
rst(0); rst(1)
def send(data, is_data):
    dc(is_data)
    cs(0)
    spi.write(data)
    cs(1)
send(bytes((0x20, 0, 0x8D, 0x14, 0xA1, 0xC8, 0xAF)), 0)
send(bytes(range(256)) * 4, 1)
print("done")
"""
SPI_WIRES = {"bus": 0, "sck": 18, "mosi": 19, "cs": 17, "dc": 20, "rst": 21}


def test_graphic_display_on_spi(rig: Rig, tmp_path: Path) -> None:
    """One that no game of the tests is played on."""
    boot(rig, tmp_path, SPI_MAIN, Wiring(LINE, spi=[{"kind": "ssd1306", **SPI_WIRES}]))
    rig.until(lambda: "done" in rig.console(), "picture written")
    (display,) = rig.displays()
    assert bytes.fromhex(display["memory"]) == bytes(range(256)) * 4
    assert display["lit"] and display["upright"]
    sck, mosi = rig.pins(18, 19)
    assert sck["function"] == mosi["function"] == PIN_SPI


KEY_MAIN = """
from machine import Pin
import machine, time
key = Pin(10, Pin.IN, PULL)
time.sleep_ms(500)  # what is printed before USB is up is lost
was = 1
while True:
    now = key()
    if now != was:
        print("key", now)
    was = now
    time.sleep_ms(1)
"""


@pytest.mark.parametrize("pull", ["Pin.PULL_UP", "None"])
def test_a_key_needs_its_pull_up(rig: Rig, tmp_path: Path, pull: str) -> None:
    boot(rig, tmp_path, KEY_MAIN.replace("PULL", pull), Wiring(LINE, keys={"ok": 10}))
    rig.run(0.8)
    assert ("key 0" in rig.console()) == (pull == "None")
    if pull != "None":
        rig.press("ok", hold=0.05)
        rig.run(0.1)
        assert rig.console().split("key")[1:] == [" 0\r\n", " 1\r\n"]


def test_flash_that_loses_its_supply_keeps_nothing_more(rig: Rig, tmp_path: Path) -> None:
    main = "open('big', 'wb').write(bytes(range(256)) * 64); print('written')"
    boot(rig, tmp_path, main, Wiring(LINE))
    rig.cut_flash_after(1000)
    rig.run(2.0)
    assert rig.flash_state()["cut"]
    files = read_filesystem(rig.save_flash(tmp_path / "flash.bin").read_bytes())
    assert files["main.py"].decode() == main  # littlefs: what was there before is still there
    assert files.get("big", b"") == b""


BOUNCE = OPEN_LINE + (
    """
import machine, time
if FIRST:
    time.sleep(0.5)
    uart.write(b"\\x00")
got = 0
while got < 50:
    count = uart.any()
    if count:
        for byte in uart.read(count):
            got += 1
            uart.write(bytes(((byte + 1) & 0xFF,)))
    machine.idle()
print("got", got)
"""
)


def boot_pair(rig: Rig, folder: Path, **more: object) -> None:
    """Two boards on one cable that count upwards together; both decide by a key held down who begins."""
    main = BOUNCE.replace("FIRST", "Pin(10, Pin.IN, Pin.PULL_UP)() == 0")
    image = write_filesystem(folder / "files.img", {"main.py": main})
    wiring = Wiring(LINE, keys={"first": 10})
    rig.boot(("left", wiring), ("right", wiring), filesystem=image, **more)
    rig.hold("first", True, board="left")


def test_two_boards_on_a_cable(rig: Rig, tmp_path: Path) -> None:
    rates = (1.05, 1.0)
    boot_pair(rig, tmp_path, rates=rates)
    rig.until(lambda: "got" in rig.console("right"), "fifty bytes", timeout=5)
    crossed, noise = rig.cable()
    assert [frame.value for _, frame in crossed[:100]] == list(range(100))
    assert [name for name, _ in crossed[:4]] == ["left", "right", "left", "right"]
    for name, frame in crossed:
        rate = rates[0] if name == "left" else rates[1]
        assert frame.end - frame.start == pytest.approx(BYTE_TIME / rate, rel=1e-6)
    assert noise == {"flipped": 0, "lost": 0, "added": 0}
    assert rig.figures("right")["time"] / rig.figures("left")["time"] == pytest.approx(rates[1] / rates[0], rel=1e-3)


def test_noise_on_the_cable_is_the_same_again(tmp_path: Path, emulator: None) -> None:
    runs = []
    for _ in range(2):
        with Rig() as rig:
            boot_pair(rig, tmp_path, noise={"flip": 0.01, "extra": 0.02, "seed": 7})
            rig.run(1.4)
            runs.append(rig.cable())
    assert runs[0] == runs[1]
    crossed, noise = runs[0]
    assert noise["flipped"] > 0 and len(crossed) > 10
