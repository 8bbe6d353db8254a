"""Initialises graphic controllers. Unloaded when done."""

from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from .parts import GraphicBus


_SSD1306_POWER = b"\x8d\x14\x20\x02"  # charge pump on, page addressing
_SH1106_POWER = b"\xad\x8b"  # DC-DC converter on; page addressing is the only mode
_SSD1306_START = (
    b"\xae"  # off
    b"\xd5\x80\xa8\x3f\xd3\x00\x40"  # clock, 64 rows, no offset, first row on top
    b"\xda\x12"  # how the rows are wired
    b"\x81\xcf\xd9\xf1\xdb\x40"  # contrast, precharge, deselect level
    b"\xa4\xa6"  # show the memory, 1 is lit
)
_SSD1306_ON = b"\xaf"
# Scan directions of columns and rows: as the usual module is mounted, and upside down.
_UPRIGHT = b"\xa1\xc8"
_TURNED = b"\xa0\xc0"

_PCD8544_START = (
    b"\x21"  # extended instructions
    b"\x80\x04\x14"  # operating voltage, temperature, bias: values for the usual module at 3.3 V
    b"\x20"  # basic instructions, horizontal addressing
)
_PCD8544_ON = b"\x0c"


def start_ssd1306(bus: "GraphicBus", rotate: int = 0) -> None:
    """Switch the controller on, with an empty picture. rotate: 0 or 180."""
    _start_oled(bus, _SSD1306_POWER, 16, rotate)


def start_sh1106(bus: "GraphicBus", rotate: int = 0) -> None:
    """The same for a controller with 132 columns of memory, of which a display of 128 shows the middle ones."""
    _start_oled(bus, _SH1106_POWER, 17, rotate)


def _start_oled(bus: "GraphicBus", power: bytes, eights: int, rotate: int) -> None:
    one = bytearray(1)
    for code in _SSD1306_START + power + (_TURNED if rotate else _UPRIGHT):
        one[0] = code
        bus.command(one)
    empty = bytearray(8)
    place = bytearray(3)
    for page in range(8):
        place[0] = 0xB0 | page
        place[1] = 0x00
        place[2] = 0x10
        bus.command(place)
        for _ in range(eights):
            bus.data(empty)
    bus.command(_SSD1306_ON)


def start_pcd8544(bus: "GraphicBus", contrast: int) -> None:
    """Switch the controller on, with an empty picture. contrast: 0..127, the operating voltage."""
    begin = bytearray(_PCD8544_START)
    begin[1] |= contrast
    bus.command(begin)
    bus.command(b"\x40\x80")
    empty = bytearray(84)
    for _ in range(6):
        bus.data(empty)
    bus.command(_PCD8544_ON)
