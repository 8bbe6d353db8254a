"""Keys of every kind on MicroPython with the heap locked and a model of the pins: prints the keys reported, by kind."""

import sys

import micropython


class Pins:
    """What the drivers use of `machine`. held: the key that is down, in the terms of the current model."""

    held = -1
    reading = 65535
    across = 0
    along = 0
    levels = bytearray(64)


class Pin:
    IN = OUT = PULL_UP = OPEN_DRAIN = 0

    def __init__(self, number, *_modes, value=1):
        self.number = number
        Pins.levels[number] = value

    def __call__(self, level=None):
        levels = Pins.levels
        if level is not None:
            levels[self.number] = level
            return 0
        # a column of the keypad is low while the row of the held key is
        if self.number >= 40:
            held = Pins.held
            return 0 if held >= 0 and held & 15 == self.number - 40 and not levels[30 + (held >> 4)] else 1
        return levels[self.number]


class ADC:
    ATTN_11DB = 3

    def __init__(self, _pin):
        self.read_u16 = self._read

    def _read(self):
        return Pins.reading


class SPI:
    def __init__(self, _number, **_wires):
        pass

    def write_readinto(self, question, answer):
        value = (Pins.across if question[0] == 0x90 else Pins.along) << 3
        answer[1] = value >> 8
        answer[2] = value & 255


class Machine:
    Pin = Pin
    ADC = ADC
    SPI = SPI


sys.modules["machine"] = Machine  # type: ignore[assignment]

from seaboard import buttons, keypads  # noqa: E402

NOW = [0]
HEARD = bytearray(40)


def wait(keys, ms, n):
    """Poll the keys this long; return how many have been reported by then."""
    for _ in range(ms):
        NOW[0] += 1
        key = keys.get(NOW[0])
        if key and n < len(HEARD):
            HEARD[n] = key
            n += 1
    return n


def ladder(keys, n):
    for reading in (0, 9000, 20000, 30000, 50000):
        Pins.reading = reading
        n = wait(keys, 60, n)
        Pins.reading = 65535
        n = wait(keys, 60, n)
    return n


def matrix(keys, n):
    for held in (0x01, 0x21, 0x10, 0x12, 0x11, 0x30):
        Pins.held = held
        n = wait(keys, 60, n)
        Pins.held = -1
        n = wait(keys, 60, n)
    return n


def touch(keys, n):
    for place in range(9):
        Pins.across = 600 + 1300 * (place % 3)
        Pins.along = 600 + 1300 * (place // 3)
        Pins.levels[36] = 0
        n = wait(keys, 60, n)
        Pins.levels[36] = 1
        n = wait(keys, 60, n)
    return n


def encoder(keys, n):
    for turns in (0b01001011, 0b10000111):
        for step in range(4):
            contacts = turns >> 2 * (3 - step) & 3
            Pins.levels[10] = contacts >> 1
            Pins.levels[11] = contacts & 1
            n = wait(keys, 5, n)
    return n


def main():
    turned = (Pin(10), Pin(11))
    kinds = (
        ("ladder", ladder, buttons.Buttons(*keypads.make_keys(("ladder", 26), 0))),
        ("matrix", matrix, buttons.Buttons(*keypads.make_keys(("matrix", (30, 31, 32, 33), (40, 41, 42)), 0))),
        ("touch", touch, buttons.Buttons(*keypads.make_keys(("touch", 2, 25, 32, 39, 33, 36), 0))),
        ("encoder", encoder, buttons.Buttons(None, None, None, None, Pin(12), None, *turned)),
    )
    for name, play, keys in kinds:
        wait(keys, 60, 0)
        micropython.heap_lock()
        n = play(keys, 0)
        micropython.heap_unlock()
        print(name, *HEARD[:n])


main()
