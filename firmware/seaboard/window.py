"""A window into the picture of a colour display initialised by seaboard.mipi: where the next pixels go."""

from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from machine import SPI, Pin

_CASET = b"\x2a"
_RASET = b"\x2b"
_RAMWR = b"\x2c"


class Window:
    """The chip of seaboard.colour.

    spi, cs, dc: machine.SPI and machine.Pin; first_x, first_y: offset of the visible area in the controller's memory.
    """

    def __init__(self, spi: "SPI", cs: "Pin", dc: "Pin", width: int, height: int, first_x: int, first_y: int) -> None:
        self.width = width
        self.height = height
        self.first_x = first_x
        self.first_y = first_y
        self.cs = cs
        self.dc = dc
        self.line = spi.write
        self._spi = spi
        self._place = bytearray(4)

    def _range(self, command: bytes, first: int, n: int) -> None:
        place = self._place
        last = first + n - 1
        place[0] = first >> 8
        place[1] = first & 255
        place[2] = last >> 8
        place[3] = last & 255
        self.dc(0)
        self._spi.write(command)
        self.dc(1)
        self._spi.write(place)

    def begin(self, x: int, y: int, w: int, h: int) -> None:
        """Open a rectangle of the picture; line() fills it from the top left, in any number of calls."""
        self.cs(0)
        self._range(_CASET, self.first_x + x, w)
        self._range(_RASET, self.first_y + y, h)
        self.dc(0)
        self._spi.write(_RAMWR)
        self.dc(1)

    def end(self) -> None:
        """Close it."""
        self.cs(1)
