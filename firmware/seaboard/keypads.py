"""Keys that share wires: a matrix keypad, keys behind resistors on one analog pin, a touch panel.

One reading finds which key is down; seaboard.buttons gets six callables that query one key each. Nothing here allocates
after construction.
"""

import machine
from machine import Pin

from seabattle.const import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Sequence


try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """Return `x`."""
        return x


# In the order of seaboard.buttons.
_UP = const(0)
_DOWN = const(1)
_LEFT = const(2)
_RIGHT = const(3)
_OK = const(4)
_BACK = const(5)
_NONE = const(6)
_ALL = const(0x3F)

# On a keypad with 1 2 3 in its first row: 2, 8, 4, 6, 5 and *.
_ROWS = b"\x00\x02\x01\x01\x01\x03"
_COLUMNS = b"\x01\x01\x00\x02\x01\x00"

# On the LCD keypad shield: upper limits of the readings, of 65536, for each key. The keys give 0, 0.14, 0.32, 0.49 and
# 0.72 of the supply (330, 620, 1000 and 3300 ohm in series to ground, 2000 to the supply); none gives all of it.
_STEPS = (4600, 15100, 26900, 40000, 56400)
_STEP_KEYS = bytes((_RIGHT, _UP, _DOWN, _LEFT, _OK, _NONE))

# On a touch panel, in three by three parts, as seen by the player.
_PARTS = bytes((_BACK, _UP, _NONE, _LEFT, _OK, _RIGHT, _NONE, _DOWN, _NONE))
_TOUCH_HZ = 2000000
# XPT2046 requests: 12 bits, pen interrupt left enabled.
_ACROSS = const(0x90)
_ALONG = const(0xD0)


class Key:
    """One key of a keypad: called, it returns 0 while it is down."""

    def __init__(self, keypad: "Keypad", number: int) -> None:
        self.keypad = keypad
        self.number = number

    def __call__(self) -> int:
        return 0 if self.keypad.look(1 << self.number) == self.number else 1


class Keypad:
    """scan() reads which key is down."""

    def __init__(self, scan: "Callable[[], int]") -> None:
        self.scan = scan
        self.down = _NONE
        self.queried = _ALL  # keys queried since the last reading
        self.keys = tuple(Key(self, number) for number in range(_NONE))

    def look(self, bit: int) -> int:
        """Return which key is down; read again if this key has already used the last reading."""
        if self.queried & bit:
            self.queried = 0
            self.down = self.scan()
        self.queried |= bit
        return self.down


class Matrix:
    """rows: pins that can be pulled to ground one at a time; columns: pins with pull-ups."""

    def __init__(self, rows: "Iterable[int]", columns: "Iterable[int]") -> None:
        self.rows = tuple(Pin(pin, Pin.OPEN_DRAIN, value=1) for pin in rows)
        self.columns = tuple(Pin(pin, Pin.IN, Pin.PULL_UP) for pin in columns)

    def scan(self) -> int:
        """Return which key is down."""
        for key in range(_NONE):
            row = self.rows[_ROWS[key]]
            row(0)
            up = self.columns[_COLUMNS[key]]()
            row(1)
            if not up:
                return key
        return _NONE


class Ladder:
    """Keys that each produce a different voltage on one analog pin."""

    def __init__(self, pin: int) -> None:
        adc = machine.ADC(Pin(pin))
        if hasattr(adc, "atten"):
            # by default an ESP32 measures up to 1.1 V: use its full range
            adc.atten(machine.ADC.ATTN_11DB)
        self.read = adc.read_u16

    def scan(self) -> int:
        """Return which key is down."""
        value = self.read()
        k = 0
        while k < len(_STEPS) and value >= _STEPS[k]:
            k += 1
        return _STEP_KEYS[k]


class Touch:
    """An XPT2046 in front of a landscape display.

    The four edges are the directions, the middle is OK, the upper left corner is BACK. rotate: 0 or 180, as for the
    display.
    """

    def __init__(self, spi: int, sck: int, mosi: int, miso: int, cs: int, irq: int, rotate: int) -> None:
        self.spi = machine.SPI(spi, baudrate=_TOUCH_HZ, sck=Pin(sck), mosi=Pin(mosi), miso=Pin(miso))
        self.cs = Pin(cs, Pin.OUT, value=1)
        self.irq = Pin(irq, Pin.IN)
        self.rotated = rotate != 0
        self.across = bytearray((_ACROSS, 0, 0))
        self.along = bytearray((_ALONG, 0, 0))
        self.answer = bytearray(3)

    def scan(self) -> int:
        """Return which key is down."""
        if self.irq():
            return _NONE
        part = self._third(self.along) * 3 + self._third(self.across)
        if self.irq():
            return _NONE  # released meanwhile: the measurement is meaningless
        return _PARTS[8 - part if self.rotated else part]

    def _third(self, question: bytearray) -> int:
        answer = self.answer
        self.cs(0)
        self.spi.write_readinto(question, answer)
        self.cs(1)
        return ((answer[1] << 8 | answer[2]) >> 3 & 0xFFF) * 3 >> 12


def make_keys(what: "Sequence[Any]", rotate: int) -> tuple[Key, ...]:
    """Return the six keys described by KEYPAD of board.py."""
    kind = what[0]
    if kind == "matrix":
        scan = Matrix(what[1], what[2]).scan
    elif kind == "ladder":
        scan = Ladder(what[1]).scan
    elif kind == "touch":
        scan = Touch(what[1], what[2], what[3], what[4], what[5], what[6], rotate).scan
    else:
        raise ValueError("board.py: no keypad " + repr(kind))
    return Keypad(scan).keys
