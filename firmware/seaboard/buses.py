"""What brings bytes to a display: an HD44780 behind a PCF8574, an SSD1306 or SH1106 on I2C or SPI, a PCD8544
on SPI.

One call is one short transfer, at most 0.5 ms, and allocates nothing. A display that does not answer costs a picture,
never the game: the error is counted in `errors` and the transfer left out. Ready-made drivers (micropython-lib's
ssd1306 and kin) send a whole picture at once, 23 ms in which the line would not be read, and allocate on the way.
"""

import time

from seabattle.const import const

# The port expander's outputs as the usual backpack connects them.
_RS = const(0x01)
_E = const(0x04)
_LIGHT = const(0x08)

_CLEAR_MS = const(2)  # the controller needs 1.52 ms to clear or to go home


class LcdBus:
    """A character display on I2C. i2c: a machine.I2C of at most 100 kHz, which is what a PCF8574 is made for."""

    def __init__(self, i2c, address, rows=2):
        self.i2c = i2c
        self.address = address
        self.errors = 0
        self._two = bytearray(2)
        time.sleep_ms(50)  # the controller's own start after power-on
        for wait in (5, 1, 1):
            self._nibble(0x30)  # eight wires, three times: whatever state it was in, it is in this one now
            time.sleep_ms(wait)
        self._nibble(0x20)  # four wires from here on
        self.send(0x28, 0)  # two lines, which is how four rows are wired too
        self.send(0x0C, 0)  # on, no cursor
        self.send(0x06, 0)  # to the right
        self.send(0x01, 0)  # clear
        time.sleep_ms(_CLEAR_MS)

    def _nibble(self, bits):
        buffer = self._two
        buffer[0] = bits | _LIGHT | _E
        buffer[1] = bits | _LIGHT
        try:
            self.i2c.writeto(self.address, buffer)
        except OSError:
            self.errors += 1

    def send(self, value, data):
        """One byte for the controller: a letter with data 1, an instruction (but for clearing) with data 0. Twice
        0.27 ms, so that the line can be attended to in between."""
        rs = _RS if data else 0
        self._nibble(value & 0xF0 | rs)
        self._nibble((value << 4) & 0xF0 | rs)


_SSD1306_POWER = b"\x8d\x14\x20\x02"  # charge pump on, page addressing
_SH1106_POWER = b"\xad\x8b"  # DC-DC converter on; it knows page addressing only
_SSD1306_START = (
    b"\xae"  # off
    b"\xd5\x80\xa8\x3f\xd3\x00\x40"  # clock, 64 rows, no offset, first row on top
    b"\xda\x12"  # how the rows are wired
    b"\x81\xcf\xd9\xf1\xdb\x40"  # contrast, precharge, level
    b"\xa4\xa6"  # show the memory, lit is 1
)
_SSD1306_ON = b"\xaf"
# Columns and rows from which end: the way round that the usual module is mounted, and upside down.
_UPRIGHT = b"\xa1\xc8"
_TURNED = b"\xa0\xc0"

_PCD8544_START = (
    b"\x21"  # extended instructions
    b"\x80\x04\x14"  # operating voltage, temperature, bias: what the usual module needs at 3.3 V
    b"\x20"  # basic instructions, horizontal addressing
)
_PCD8544_ON = b"\x0c"


class I2cBus:
    """A graphic controller on I2C: a control byte says whether instructions or data follow."""

    def __init__(self, i2c, address):
        self.i2c = i2c
        self.address = address
        self.errors = 0
        self._commands = (bytearray(2), bytearray(3), bytearray(4))  # by length of what follows, with 0 in front
        self._data = bytearray(9)
        self._data[0] = 0x40

    def command(self, buffer):
        """One to three bytes of instructions."""
        out = self._commands[len(buffer) - 1]
        for i in range(len(buffer)):
            out[i + 1] = buffer[i]
        self._write(out)

    def data(self, buffer):
        """Eight bytes of the picture. 0.2 ms at 400 kHz."""
        out = self._data
        for i in range(len(buffer)):
            out[i + 1] = buffer[i]
        self._write(out)

    def _write(self, out):
        try:
            self.i2c.writeto(self.address, out)
        except OSError:
            self.errors += 1


class SpiBus:
    """A graphic controller on SPI. cs, dc, rst: machine.Pin, as outputs."""

    def __init__(self, spi, cs, dc, rst):
        self.spi = spi
        self.cs = cs
        self.dc = dc
        self.errors = 0  # a display on SPI never answers, so nobody notices
        cs(1)
        rst(0)
        time.sleep_ms(1)
        rst(1)
        time.sleep_ms(1)

    def command(self, buffer):
        """Bytes of instructions."""
        self.dc(0)
        self.cs(0)
        self.spi.write(buffer)
        self.cs(1)

    def data(self, buffer):
        """Bytes of the picture."""
        self.dc(1)
        self.cs(0)
        self.spi.write(buffer)
        self.cs(1)


def start_ssd1306(bus, rotate=0):
    """Switch the controller on, with an empty picture. rotate: 0 or 180."""
    _start_oled(bus, _SSD1306_POWER, 16, rotate)


def start_sh1106(bus, rotate=0):
    """The same for a controller with 132 columns of memory, of which a display of 128 shows the middle ones."""
    _start_oled(bus, _SH1106_POWER, 17, rotate)


def _start_oled(bus, power, eights, rotate):
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


def start_pcd8544(bus, contrast):
    """Switch the controller on, with an empty picture. contrast: 0..127, the operating voltage."""
    begin = bytearray(_PCD8544_START)
    begin[1] |= contrast
    bus.command(begin)
    bus.command(b"\x40\x80")
    empty = bytearray(84)
    for _ in range(6):
        bus.data(empty)
    bus.command(_PCD8544_ON)
