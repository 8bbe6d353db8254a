"""The bus of an SSD1306, SH1106 or PCD8544 on SPI; each call is a short transfer."""

import time

from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from machine import SPI, Pin

    from .parts import Buffer


class SpiBus:
    """A graphic controller on SPI. cs, dc, rst: machine.Pin, as outputs."""

    def __init__(self, spi: "SPI", cs: "Pin", dc: "Pin", rst: "Pin") -> None:
        self.spi = spi
        self.cs = cs
        self.dc = dc
        self.errors = 0  # stays 0: a display on SPI never answers
        cs(1)
        rst(0)
        time.sleep_ms(1)
        rst(1)
        time.sleep_ms(1)

    def command(self, buffer: "Buffer") -> None:
        """Send command bytes."""
        self.dc(0)
        self.cs(0)
        self.spi.write(buffer)
        self.cs(1)

    def data(self, buffer: "Buffer") -> None:
        """Send bytes of the picture."""
        self.dc(1)
        self.cs(0)
        self.spi.write(buffer)
        self.cs(1)
