"""A character display on six pins, without the port expander of a backpack."""

import time

from seabattle.const import TYPE_CHECKING

from .lcdbus import LcdBus

if TYPE_CHECKING:
    from machine import Pin


_SETTLE_US = 40  # the controller takes 37 us per byte


class LcdPins(LcdBus):
    """rs, e: machine.Pin; data: four of them, D4 to D7. The display's RW is connected to ground."""

    def __init__(self, rs: "Pin", e: "Pin", data: "list[Pin]") -> None:
        self.rs = rs
        self.e = e
        self.d4, self.d5, self.d6, self.d7 = data
        super().__init__(None, 0)

    def _nibble(self, bits: int) -> None:
        self.rs(bits & 1)
        self.d4(bits & 0x10)
        self.d5(bits & 0x20)
        self.d6(bits & 0x40)
        self.d7(bits & 0x80)
        self.e(1)
        self.e(0)
        time.sleep_us(_SETTLE_US)
