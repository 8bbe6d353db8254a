"""Initialises colour displays with MIPI DCS controllers on SPI: ST7789, ST7735, ILI9341.

They differ in their initial commands, in the offset of the glass in their memory, and in its orientation: one row of
KINDS each. Not tried on modules. Each value was taken from a source:

st7789-240x240   Waveshare's demonstration Pico-LCD-1.3.py in https://github.com/tom-sapletta-com/rpi-pico-lcd
                 (a8bc655): 70, window 0..239 both ways, INVON. Upside down:
                 https://github.com/russhughes/st7789_mpy (f629308), st7789/st7789.c, ORIENTATIONS_240x240: A0, 80, 0.
st7789-240x135   https://github.com/pimoroni/pimoroni-pico (12b15d0), drivers/st7789/st7789.cpp: 70, 40, 53 and
                 B0, 40, 52, INVON; the demonstrations Pico-LCD-1.14.py and -V2.py, and ORIENTATIONS_135x240,
                 have the same.
st7735-128x160   https://github.com/adafruit/Adafruit-ST7735-Library (62112b9), Adafruit_ST7735.cpp,
                 INITR_BLACKTAB: C0 and 00, 0, 0, INVOFF.
st7735g-128x160  the same with INITR_GREENTAB: C8 and 08, 2, 1, INVOFF.
st7735r-128x160  the same with INITR_REDTAB: C8 and 08, 0, 0, INVOFF.
st7735w-128x160  issue 154 and pull request 168 there, by owners of modules (one is Waveshare's 1.8inch LCD Module): the
                 place of the green tab and the colours of the black one.
ili9341-320x240  https://github.com/adafruit/Adafruit_ILI9341 (70abdc1), Adafruit_ILI9341.cpp: 28 and E8, and what is in
                 _ILI9341.

The bit 10 of a MADCTL is the order of refreshing and moves no pixel. Gamma, voltages and frame rates of the ST7789 and
ST7735 stay what the controller has after its reset, as with st7789_mpy; the makers' own programs set them, so shades
may differ. Unloaded when the display is on.
"""

import time

from seabattle.const import TYPE_CHECKING

from .window import Window

if TYPE_CHECKING:
    from machine import SPI, Pin


# Commands.
_SWRESET = b"\x01"
_SLPOUT = b"\x11"
_NORON = b"\x13"
_INVOFF = b"\x20"
_INVON = b"\x21"
_DISPON = b"\x29"
_MADCTL = b"\x36"
_COLMOD = b"\x3a"

_RESET_MS = 150
_WAKE_MS = 120

# Additional settings of an ILI9341: power, VCOM, frame rate.
_ILI9341 = (b"\xc0\x23", b"\xc1\x10", b"\xc5\x3e\x28", b"\xc7\x86", b"\xb1\x00\x18")

KINDS = {
    # width, height, clock in Hz, inverted, additional settings; MADCTL, first column, first row: upright, and upside
    # down
    "st7789-240x240": (240, 240, 24000000, True, (), (0x70, 0, 0), (0xB0, 80, 0)),
    "st7789-240x135": (240, 135, 24000000, True, (), (0x70, 40, 53), (0xB0, 40, 52)),
    "st7735-128x160": (128, 160, 15000000, False, (), (0xC0, 0, 0), (0x00, 0, 0)),
    "st7735g-128x160": (128, 160, 15000000, False, (), (0xC8, 2, 1), (0x08, 2, 1)),
    "st7735r-128x160": (128, 160, 15000000, False, (), (0xC8, 0, 0), (0x08, 0, 0)),
    "st7735w-128x160": (128, 160, 15000000, False, (), (0xC0, 2, 1), (0x00, 2, 1)),
    "ili9341-320x240": (320, 240, 20000000, False, _ILI9341, (0x28, 0, 0), (0xE8, 0, 0)),
}


def start(kind: str, spi: "SPI", cs: "Pin", dc: "Pin", rst: "Pin | None", rotate: int = 0) -> Window:
    """Switch a display on, with an empty picture; return its Window.

    kind: a key of KINDS; rst: a Pin, or None without such a wire; rotate: 0 or 180.
    """
    width, height, _, inverted, more, *ways = KINDS[kind]
    way, first_x, first_y = ways[1 if rotate else 0]

    def send(command: bytes, data: "bytes | None" = None) -> None:
        dc(0)
        cs(0)
        spi.write(command)
        if data is not None:
            dc(1)
            spi.write(data)
        cs(1)

    cs(1)
    if rst is not None:
        rst(0)
        time.sleep_ms(1)
        rst(1)
        time.sleep_ms(_WAKE_MS)
    send(_SWRESET)
    time.sleep_ms(_RESET_MS)
    send(_SLPOUT)
    time.sleep_ms(_WAKE_MS)
    for each in more:
        send(each[:1], each[1:])
    send(_COLMOD, b"\x55")
    send(_MADCTL, bytes((way,)))
    send(_INVON if inverted else _INVOFF)
    send(_NORON)
    window = Window(spi, cs, dc, width, height, first_x, first_y)
    _wipe(window)
    send(_DISPON)
    return window


def _wipe(window: Window) -> None:
    line = bytearray(2 * window.width)
    window.begin(0, 0, window.width, window.height)
    for _ in range(window.height):
        window.line(line)
    window.end()
