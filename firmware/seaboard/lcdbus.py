"""The bus of an HD44780 behind a PCF8574.

One call is one short transfer, at most 0.5 ms, and allocates nothing. If the display does not answer, the picture
suffers but never the game: the error is counted in `errors` and the transfer skipped.
"""

import time

from seabattle.const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from machine import I2C


# Outputs of the port expander as wired on the usual backpack.
_RS = const(0x01)
_E = const(0x04)
_LIGHT = const(0x08)

_CLEAR_MS = const(2)  # the controller needs 1.52 ms for clear or home


class LcdBus:
    """A character display on I2C. i2c: a machine.I2C of at most 100 kHz, the limit of a PCF8574."""

    def __init__(self, i2c: "I2C", address: int, rows: int = 2) -> None:
        self.i2c = i2c
        self.address = address
        self.errors = 0
        self._two = bytearray(2)
        time.sleep_ms(50)  # the controller's own reset after power-on
        for wait in (5, 1, 1):
            self._nibble(0x30)  # 8-bit mode, three times: then the mode is known, whatever it was before
            time.sleep_ms(wait)
        self._nibble(0x20)  # 4-bit mode from here on
        self.send(0x28, 0)  # two lines; four-row displays are wired the same
        self.send(0x0C, 0)  # on, no cursor
        self.send(0x06, 0)  # left to right
        self.send(0x01, 0)  # clear
        time.sleep_ms(_CLEAR_MS)

    def _nibble(self, bits: int) -> None:
        buffer = self._two
        buffer[0] = bits | _LIGHT | _E
        buffer[1] = bits | _LIGHT
        try:
            self.i2c.writeto(self.address, buffer)
        except OSError:
            self.errors += 1

    def send(self, value: int, data: int) -> None:
        """Send one byte to the controller: a letter with data 1, an instruction (except clear) with data 0.

        Twice 0.27 ms, so that the line can be served in between.
        """
        rs = _RS if data else 0
        self._nibble(value & 0xF0 | rs)
        self._nibble((value << 4) & 0xF0 | rs)
