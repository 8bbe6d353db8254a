"""A board with pins: what the game needs of it while running. Its parts are made in wiring.py.

All differences between MicroPython ports are in these two modules.
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
"""Ticks per second. The ports come within 0.01 % of it; boards/README.md has the figures."""

_CLOCK = 0x1FFFFFFF
_WINK_MS = 120
_ATTEND_HZ = 5000  # how often the line is polled while the program is busy
ATTEND_USB_HZ = 2000  # polling the USB console takes longer
_IDLES = 4
_RELEASE_MS = 20  # interval of checking whether OK was released
LINE_FILE = "seabattle-line.txt"  # `seabattle flash` removes it when it sets LINE

# By kind of sound: frequency in tens of Hz, duration in ms.
_SOUNDS = b"\x16\x3c\x42\x50\x58\xc8\x2c\x78"
_LOUDNESS = 20000  # duty of 65536


class Board:
    """See seaboard/__init__.py for the interface. pins: the module board, by default."""

    def __init__(self, pins: "Pins" = None) -> None:
        if pins is None:
            import board as pins
        self.usb: "UsbLine | None" = None  # the line, if it shares the cable of the prompt
        self.attend_hz = _ATTEND_HZ
        self.bare = False  # no display: the computer plays
        self.app: "App | None" = None
        self.shone = 0  # when the light last blinked
        self.faults: "list[str]" = []
        """Findings of the self-test, in English; empty if all is well."""
        self.language: "int | None" = None
        self.attending: "Timer | None" = None  # polls the line
        from . import wiring

        self.name = pins.NAME.encode()
        self.ticker = wiring.ticker(pins.TIMER)
        self.attend_timer = pins.TIMER if pins.TIMER < 0 else pins.TIMER + 1
        self.ticks = self.ticker.ticks
        # A bus takes over its port's default pins in addition to those given: for an ESP32's SPI(2) that includes the
        # line's TX. What is made later gets its pin back, so buses come first and the line last.
        self.panel = wiring.panel(self, pins)
        self.keys = wiring.keys(pins)
        self.store = Store()
        self.speaker = Speaker(wiring.pwm(pins))
        self.beep = self.speaker.beep
        self.led = None if pins.LED is None else Pin(pins.LED, Pin.OUT, value=0)
        self.lines: "tuple[str, ...]" = ("uart", "usb", "tcp") if pins.LINE == "tcp" else ("uart", "usb")
        # The choice made in the settings since flashing, or LINE.
        self.line = wiring.chosen_line(self.lines, pins.LINE)
        self.uart = wiring.line(self, pins)
        self.seed = int.from_bytes(os.urandom(4), "little") & 0x3FFFFFFF
        # no longer needed; the game needs the memory
        unload("seaboard.wiring")
        unload("seaboard.controller_init")
        unload("seaboard.mipi")
        unload("board")

    def ms(self) -> int:
        """Return milliseconds, 0..2**29-1, wraps around."""
        self.speaker.stop_in_time()
        now = time.ticks_ms() & _CLOCK
        if self.led is not None and self.app is not None:
            self._light(now)
        return now

    def idle(self) -> None:
        """Wait for a few interrupts, at most until the next one that attends to the line."""
        for _ in range(_IDLES):
            machine.idle()

    def event(self, _: int) -> None:
        """Blink the light once for every event of the session."""
        self.shone = time.ticks_ms() & _CLOCK

    def _light(self, now: int) -> None:
        """Drive the light: a short flash per second while idle, on during a session, blinking after a game."""
        state = self.app.link.state
        if state == 0 or not self.app.playing:
            on: int = now & 0x3C0 == 0
        elif state == 9 or state == BROKEN_OFF:
            on = now & 0x100
        else:
            on = (now - self.shone) & _CLOCK > _WINK_MS
        self.led(1 if on else 0)

    def held(self) -> bool:
        """Return whether OK is held down, which leaves the board at its prompt."""
        ok = self.keys.buttons[buttons.OK_BUTTON]
        return ok is not None and not ok()

    def begin(self, app: "App") -> None:
        """Start attending to the line, and report the self-test on the console, for `seabattle flash`."""
        from . import startup

        startup.begin(self, app)
        del startup
        unload("seaboard.startup")
        gc.collect()

    def choose_line(self, kind: str) -> None:
        """Save one of `lines` as what carries the line, and restart with it."""
        try:
            with open(LINE_FILE, "w") as file:
                file.write(kind)
        except OSError:
            return  # if flash is full the line stays as it is
        # Holding OK leaves the settings, but a board that starts while OK is held stays at its prompt.
        while self.held():
            time.sleep_ms(_RELEASE_MS)
        self.restart()

    def fault(self, error: Exception) -> None:
        """Print a fault of the program on the console."""
        if self.usb:
            self.usb.close()
        sys.print_exception(error)

    def restart(self) -> None:
        """Restart as at power-on."""
        machine.reset()

    def notify(self, _: int) -> None:
        """Ignore the notice: this board has no use for it."""


class Ticker:
    """Counts the ticks of the protocol in a timer's hard interrupt, which nothing delays."""

    def __init__(self) -> None:
        self.count = 0
        self.tick = self._tick  # bound once: an interrupt cannot allocate a bound method
        self.timer = None  # the timer stops when it is no longer referenced

    def _tick(self, _: "Timer") -> None:
        self.count = (self.count + 1) & 0x3FFFFFFF

    def ticks(self) -> int:
        """Return the ticks since it was made, 0..2**30-1, wraps around."""
        return self.count


class Line:
    """The line on a UART."""

    def __init__(self, uart: "UART") -> None:
        self.uart = uart
        self.any = uart.any
        self.take = uart.readinto  # for callers that have checked any() and want one byte
        self.write = uart.write

    def readinto(self, buffer: bytearray) -> int:
        """Read received bytes, as many as fit; return how many."""
        # Asked for more bytes than have arrived, a UART waits for them.
        count = self.any()
        if count >= len(buffer):
            return self.uart.readinto(buffer)
        return self.uart.readinto(buffer, count) if count else 0


class Store:
    """Two slots in flash, as two files."""

    def read(self, slot: int, buffer: bytearray) -> int:
        """Read a slot into the buffer; return how many bytes, 0 if there is nothing."""
        try:
            with open(_file(slot), "rb") as file:
                return file.readinto(buffer)
        except OSError:
            return 0

    def write(self, slot: int, buffer: "Buffer") -> None:
        """Write a slot."""
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
        """Start a sound, kind 0..3."""
        if self.pwm is None:
            return
        self.pwm.freq(_SOUNDS[2 * kind] * 10)
        self.pwm.duty_u16(_LOUDNESS)
        self.until = time.ticks_add(time.ticks_ms(), _SOUNDS[2 * kind + 1])
        self.sounding = True

    def stop_in_time(self) -> None:
        """Stop a sound that has lasted long enough."""
        if self.sounding and time.ticks_diff(self.until, time.ticks_ms()) <= 0:
            self.sounding = False
            self.pwm.duty_u16(0)
