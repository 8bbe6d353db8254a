"""The bus of an SSD1306 or SH1106 on I2C.

One call is one short transfer, at most 0.5 ms, and allocates nothing. If the display does not answer, the picture
suffers but never the game: the error is counted in `errors` and the transfer skipped. Ready-made drivers
(micropython-lib's ssd1306 and similar) send a whole picture at once, 23 ms without reading the line, and allocate on
the way.
"""

from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from machine import I2C

    from .parts import Buffer


class I2cBus:
    """A graphic controller on I2C: a control byte says whether commands or data follow."""

    def __init__(self, i2c: "I2C", address: int) -> None:
        self.i2c = i2c
        self.address = address
        self.errors = 0
        self._commands = (bytearray(2), bytearray(3), bytearray(4))  # by length of the command, starting with a 0
        self._data = bytearray(9)
        self._data[0] = 0x40

    def command(self, buffer: "Buffer") -> None:
        """Send one to three command bytes."""
        out = self._commands[len(buffer) - 1]
        for i in range(len(buffer)):
            out[i + 1] = buffer[i]
        self._write(out)

    def data(self, buffer: "Buffer") -> None:
        """Send eight bytes of the picture. 0.2 ms at 400 kHz."""
        out = self._data
        for i in range(len(buffer)):
            out[i + 1] = buffer[i]
        self._write(out)

    def _write(self, out: bytearray) -> None:
        try:
            self.i2c.writeto(self.address, out)
        except OSError:
            self.errors += 1
