"""A board with pins: what the game asks of it while it runs. Its parts are made in wiring.py.

What differs between the ports of MicroPython is here and there and nowhere else.
"""

import gc
import os
import sys
import time

import machine
from machine import Pin

from seabattle.const import TYPE_CHECKING
from seabattle.link import BROKEN_OFF

from . import buttons, unload

if TYPE_CHECKING:
    from machine import PWM, UART, Timer

    from .app import App
    from .parts import Buffer, Pins
    from .usbline import UsbLine


TICK_HZ = 1193182 / 65536
"""Ticks a second. The ports come within 0.01 % of it; boards/README.md has the figures."""

_CLOCK = 0x1FFFFFFF
_WINK_MS = 120
_ATTEND_HZ = 5000  # how often the line is looked at while the program is busy with something else
ATTEND_USB_HZ = 2000  # to look at the USB console takes longer
_IDLES = 4
_RELEASE_MS = 20  # between two looks whether OK has been let go
LINE_FILE = "seabattle-line.txt"  # `seabattle flash` removes it when it sets LINE

# By kind of sound: frequency in tens of Hz, duration in ms.
_SOUNDS = b"\x16\x3c\x42\x50\x58\xc8\x2c\x78"
_LOUDNESS = 20000  # duty of 65536


class Board:
    """See seaboard/__init__.py for what the game uses. pins: the module board, by default."""

    def __init__(self, pins: "Pins" = None) -> None:
        if pins is None:
            import board as pins
        self.usb: "UsbLine | None" = None  # the line, where it is the cable of the prompt
        self.attend_hz = _ATTEND_HZ
        self.bare = False  # no display: the board plays by itself
        self.app: "App | None" = None
        self.shone = 0  # when the light last winked
        self.faults: "list[str]" = []
        """What the self-test found, as words of English; empty if all is well."""
        self.language: "int | None" = None
        self.attending: "Timer | None" = None  # has the line attended to
        from . import wiring

        self.name = pins.NAME.encode()
        self.ticker = wiring.ticker(pins.TIMER)
        self.attend_timer = pins.TIMER if pins.TIMER < 0 else pins.TIMER + 1
        self.ticks = self.ticker.ticks
        # A bus takes its port's usual pins beside those that it is given: of an ESP32's SPI(2) that is the line's TX.
        # What is made later gets its pin back, so buses come first and the line last.
        self.panel = wiring.panel(self, pins)
        self.keys = wiring.keys(pins)
        self.store = Store()
        self.speaker = Speaker(wiring.pwm(pins))
        self.beep = self.speaker.beep
        self.led = None if pins.LED is None else Pin(pins.LED, Pin.OUT, value=0)
        self.lines: "tuple[str, ...]" = ("uart", "usb", "tcp") if pins.LINE == "tcp" else ("uart", "usb")
        # What was chosen in the settings since the board was flashed, or LINE.
        self.line = wiring.chosen_line(self.lines, pins.LINE)
        self.uart = wiring.line(self, pins)
        self.seed = int.from_bytes(os.urandom(4), "little") & 0x3FFFFFFF
        # it has done its work, and would lie in the memory that the game needs
        unload("seaboard.wiring")
        unload("seaboard.starting")
        unload("seaboard.mipi")
        unload("board")

    def ms(self) -> int:
        """Milliseconds, 0..2**29-1 and round."""
        self.speaker.stop_in_time()
        now = time.ticks_ms() & _CLOCK
        if self.led is not None and self.app is not None:
            self._light(now)
        return now

    def idle(self) -> None:
        """Waits for a few interrupts: at the latest those that have the line attended to."""
        for _ in range(_IDLES):
            machine.idle()

    def event(self, _: int) -> None:
        """The light winks with every event of the session."""
        self.shone = time.ticks_ms() & _CLOCK

    def _light(self, now: int) -> None:
        """A short flash a second while nobody is there, on during a session, blinking after a game."""
        state = self.app.link.state
        if state == 0 or not self.app.playing:
            on: int = now & 0x3C0 == 0
        elif state == 9 or state == BROKEN_OFF:
            on = now & 0x100
        else:
            on = (now - self.shone) & _CLOCK > _WINK_MS
        self.led(1 if on else 0)

    def held(self) -> bool:
        """Whether OK is held down, which is to leave the board at its prompt."""
        ok = self.keys.buttons[buttons.OK_BUTTON]
        return ok is not None and not ok()

    def begin(self, app: "App") -> None:
        """Have the line attended to, and report the self-test on the console, for `seabattle flash`."""
        from . import beginning

        beginning.begin(self, app)
        del beginning
        unload("seaboard.beginning")
        gc.collect()

    def choose_line(self, kind: str) -> None:
        """Keep one of `lines` as what carries the line, and start with it."""
        try:
            with open(LINE_FILE, "w") as file:
                file.write(kind)
        except OSError:
            return  # a flash that is full keeps the line as it is
        # The settings are left by holding OK, and a board that starts while OK is held stays at its prompt.
        while self.held():
            time.sleep_ms(_RELEASE_MS)
        self.restart()

    def fault(self, error: Exception) -> None:
        """Tell the console of a fault of the program."""
        if self.usb:
            self.usb.close()
        sys.print_exception(error)

    def restart(self) -> None:
        """As if the power had come on."""
        machine.reset()

    def notify(self, _: int) -> None:
        """Nobody listens."""


class Ticker:
    """Counts the ticks of the protocol in a timer's hard interrupt, which nothing holds up."""

    def __init__(self) -> None:
        self.count = 0
        self.tick = self._tick  # made once: in an interrupt there is no memory for a bound method
        self.timer = None  # the timer stops when nobody refers to it any more

    def _tick(self, _: "Timer") -> None:
        self.count = (self.count + 1) & 0x3FFFFFFF

    def ticks(self) -> int:
        """Ticks since it was made, 0..2**30-1 and round."""
        return self.count


class Line:
    """The line on a UART."""

    def __init__(self, uart: "UART") -> None:
        self.uart = uart
        self.any = uart.any
        self.take = uart.readinto  # for callers that have asked any() and want one byte
        self.write = uart.write

    def readinto(self, buffer: bytearray) -> int:
        """Reads what has arrived, as far as it fits; how many bytes."""
        # Asked for more than there is, a UART waits for it.
        count = self.any()
        if count >= len(buffer):
            return self.uart.readinto(buffer)
        return self.uart.readinto(buffer, count) if count else 0


class Store:
    """Two slots in flash, as two files."""

    def read(self, slot: int, buffer: bytearray) -> int:
        """Reads a slot into the buffer; how many bytes, 0 if there is nothing."""
        try:
            with open(_file(slot), "rb") as file:
                return file.readinto(buffer)
        except OSError:
            return 0

    def write(self, slot: int, buffer: "Buffer") -> None:
        """Writes a slot."""
        with open(_file(slot), "wb") as file:
            file.write(buffer)


def _file(slot: int) -> str:
    return "seabattle-%d.dat" % slot


class Speaker:
    """A piezo. pwm: None if there is none."""

    def __init__(self, pwm: "PWM | None") -> None:
        self.pwm = pwm
        self.until = 0
        self.sounding = False

    def beep(self, kind: int) -> None:
        """Begins a sound, kind 0..3."""
        if self.pwm is None:
            return
        self.pwm.freq(_SOUNDS[2 * kind] * 10)
        self.pwm.duty_u16(_LOUDNESS)
        self.until = time.ticks_add(time.ticks_ms(), _SOUNDS[2 * kind + 1])
        self.sounding = True

    def stop_in_time(self) -> None:
        """Ends a sound that has lasted long enough."""
        if self.sounding and time.ticks_diff(self.until, time.ticks_ms()) <= 0:
            self.sounding = False
            self.pwm.duty_u16(0)
