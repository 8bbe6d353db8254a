"""A board with pins: makes the parts that the game wants out of the plain values of board.py.

What differs between the ports of MicroPython is here and nowhere else.
"""

import os
import sys
import time

import machine
from machine import Pin

from seabattle.link import BROKEN_OFF

from . import buses, buttons

_BAUD = 9600
_RX_BUFFER = 256
TICK_HZ = 1193182 / 65536
"""Ticks a second. The ports come within 0.01 % of it; boards/README.md has the figures."""

_CLOCK = 0x1FFFFFFF
_WINK_MS = 120
_BARE_COLUMNS = 8  # of what is written for nobody to see
_BARE_ROWS = 2
_ATTEND_HZ = 5000  # how often the line is looked at while the program is busy with something else
_ATTEND_USB_HZ = 2000  # to look at the USB console takes longer
_IDLES = 4
_LINE_FILE = "seabattle-line.txt"  # `seabattle flash` removes it when it sets LINE
_LCD_HZ = 100000
_SH1106_FIRST = 2  # the column of its memory that is shown on the left
_OLED_HZ = 400000
_SPI_HZ = 4000000

_LCD_ADDRESSES = (0x27, 0x3F, 0x26, 0x25, 0x24, 0x23, 0x22, 0x21, 0x20, 0x3E, 0x3D, 0x3C, 0x3B, 0x3A, 0x39, 0x38)
_OLED_ADDRESSES = (0x3C, 0x3D)

# By kind of sound: frequency in Hz, duration in ms.
_SOUNDS = ((220, 60), (660, 80), (880, 200), (440, 120))
_LOUDNESS = 20000  # duty of 65536


class Board:
    """See seaboard/__init__.py for what the game uses. pins: the module board, by default."""

    def __init__(self, pins=None):
        if pins is None:
            import board as pins
        self.name = pins.NAME.encode()
        self.usb = None  # the line, where it is the cable of the prompt
        self.attend_hz = _ATTEND_HZ
        self.bare = False  # no display: the board plays by itself
        self.app = None
        self.shone = 0  # when the light last winked
        self.faults = []
        """What the self-test found, as words of English; empty if all is well."""
        self.language = None
        self.ticker = _ticker(pins.TIMER)
        self.attend_timer = pins.TIMER if pins.TIMER < 0 else pins.TIMER + 1
        self.ticks = self.ticker.ticks
        # A bus takes its port's usual pins beside those that it is given: of an ESP32's SPI(2) that is the line's TX.
        # What is made later gets its pin back, so buses come first and the line last.
        self.panel = self._panel(pins)
        self.keys = _buttons(pins)
        self.store = Store()
        self.speaker = Speaker(pins.BUZZER)
        self.beep = self.speaker.beep
        self.led = None if pins.LED is None else Pin(pins.LED, Pin.OUT, value=0)
        self.lines = ("uart", "usb", "tcp") if pins.LINE == "tcp" else ("uart", "usb")
        self.line = _chosen_line(self.lines, pins.LINE)
        """What carries the line: what was chosen in the settings since the board was flashed, or LINE."""
        self.uart = self._line(pins)
        self.seed = int.from_bytes(os.urandom(4), "little") & 0x3FFFFFFF

    def _line(self, pins):
        kind = self.line
        if kind == "uart":
            return Line(pins)
        if kind == "usb":
            from . import usbline

            self.usb = usbline.UsbLine()
            return self.usb
        if kind == "tcp":
            return self._radio_line()
        raise ValueError("board.py: no line " + repr(kind))

    def _radio_line(self):
        from . import tcpline

        self.attend_hz = _ATTEND_USB_HZ
        try:
            way = tcpline.Radio()
        except (ImportError, OSError, ValueError):
            self.faults.append("no Wi-Fi settings: seabattle flash --wifi")
            way = tcpline.Nowhere()
        return tcpline.TcpLine(way)

    def _panel(self, pins):
        kind = pins.PANEL
        if kind is None:
            from .panel import Panel

            self.bare = True
            return Panel(_BARE_COLUMNS, _BARE_ROWS)
        if kind[:3] == "lcd":
            from . import lcd

            columns, rows = {"lcd20x4": (20, 4), "lcd16x2": (16, 2)}[kind[:7]]
            if kind[7:] == "-pins":
                from . import lcdpins

                rs, e, *data = (Pin(pin, Pin.OUT, value=0) for pin in pins.LCD_PINS)
                bus = lcdpins.LcdPins(rs, e, data)
            else:
                i2c = _i2c(pins, _LCD_HZ)
                bus = buses.LcdBus(i2c, self._address(i2c, _LCD_ADDRESSES))
            return lcd.Lcd(bus, columns, rows, {"A00": lcd.A00, "A02": lcd.A02, "MT": lcd.MT}[pins.LCD_ROM])
        if kind[:6] in ("st7789", "st7735", "ili934"):
            return self._colour_panel(pins, kind)
        from . import pixels

        if kind in ("ssd1306", "sh1106"):
            i2c = _i2c(pins, _OLED_HZ)
            bus = buses.I2cBus(i2c, self._address(i2c, _OLED_ADDRESSES))
        elif kind in ("ssd1306-spi", "sh1106-spi", "pcd8544"):
            bus = buses.SpiBus(_spi(pins), *(Pin(pin, Pin.OUT) for pin in (pins.CS, pins.DC, pins.RST)))
        else:
            raise ValueError("board.py: no panel " + repr(kind))
        if kind == "pcd8544":
            buses.start_pcd8544(bus, pins.CONTRAST)
            return pixels.Pixels(pixels.Pcd8544(bus))
        if kind[:6] == "sh1106":
            buses.start_sh1106(bus, pins.ROTATE)
            return pixels.Pixels(pixels.Ssd1306(bus, _SH1106_FIRST))
        buses.start_ssd1306(bus, pins.ROTATE)
        return pixels.Pixels(pixels.Ssd1306(bus))

    def _colour_panel(self, pins, kind):
        from . import colour, mipi

        if kind not in mipi.KINDS:
            raise ValueError("board.py: no panel " + repr(kind))
        # The bus first: it takes its port's usual pins beside those that it is given.
        spi = _spi(pins, mipi.KINDS[kind][2])
        cs, dc, rst = (None if pin is None else Pin(pin, Pin.OUT) for pin in (pins.CS, pins.DC, pins.RST))
        panel = colour.Colour(mipi.Mipi(kind, spi, cs, dc, rst, pins.ROTATE))
        if pins.BACKLIGHT is not None:
            Pin(pins.BACKLIGHT, Pin.OUT, value=1)
        return panel

    def _address(self, i2c, usual):
        """The first of the usual addresses that answers."""
        there = i2c.scan()
        for address in usual:
            if address in there:
                return address
        self.faults.append("no display on I2C")
        return usual[0]

    def ms(self):
        """Milliseconds, 0..2**29-1 and round."""
        self.speaker.stop_in_time()
        now = time.ticks_ms() & _CLOCK
        if self.led is not None and self.app is not None:
            self._light(now)
        return now

    def idle(self):
        """Waits for a few interrupts: at the latest those that have the line attended to."""
        for _ in range(_IDLES):
            machine.idle()

    def event(self, _):
        """The light winks with every event of the session."""
        self.shone = time.ticks_ms() & _CLOCK

    def _light(self, now):
        """A short flash a second while nobody is there, on during a session, blinking after a game."""
        state = self.app.link.state
        if state == 0 or not self.app.playing:
            on = now & 0x3C0 == 0
        elif state == 9 or state == BROKEN_OFF:
            on = now & 0x100
        else:
            on = (now - self.shone) & _CLOCK > _WINK_MS
        self.led(1 if on else 0)

    def held(self):
        """Whether OK is held down, which is to leave the board at its prompt."""
        ok = self.keys.buttons[buttons.OK_BUTTON]
        return ok is not None and not ok()

    def begin(self, app):
        """Have the line attended to, and report the self-test on the console, for `seabattle flash`."""
        self.app = app
        if self.faults:
            print("seabattle: fault", ", ".join(self.faults))
        else:
            print("seabattle: ready", self.name.decode())
        if self.usb:
            # the last word on it that is no frame
            self.usb.open(app.link.reader)
        hz = _ATTEND_USB_HZ if self.usb else self.attend_hz
        self.attending = _attending(self.attend_timer, hz, app.attend)
        if self.bare:
            app.play_for_ever()

    def choose_line(self, kind):
        """Keep one of `lines` as what carries the line, and start with it."""
        try:
            with open(_LINE_FILE, "w") as file:
                file.write(kind)
        except OSError:
            return  # a flash that is full keeps the line as it is
        self.restart()

    def fault(self, error):
        """Tell the console of a fault of the program."""
        if self.usb:
            self.usb.close()
        sys.print_exception(error)

    def restart(self):
        """As if the power had come on."""
        machine.reset()

    def notify(self, _):
        """Nobody listens."""


class Ticker:
    """Counts the ticks of the protocol in a timer's hard interrupt, which nothing holds up."""

    def __init__(self):
        self.count = 0
        self.tick = self._tick  # made once: in an interrupt there is no memory for a bound method
        self.timer = None  # the timer stops when nobody refers to it any more

    def _tick(self, _):
        self.count = (self.count + 1) & 0x3FFFFFFF

    def ticks(self):
        """Ticks since it was made, 0..2**30-1 and round."""
        return self.count


def _ticker(number):
    ticker = Ticker()
    if sys.platform == "pyboard":
        # machine.Timer of this port counts whole milliseconds
        import pyb

        ticker.timer = pyb.Timer(number, freq=TICK_HZ, callback=ticker.tick)
        return ticker
    try:
        ticker.timer = machine.Timer(number, freq=TICK_HZ, callback=ticker.tick, hard=True)
        return ticker
    except (TypeError, ValueError):
        # Not there on rp2 before 1.26 and on the ESP32. A soft interrupt waits in a queue of eight with all others, and
        # a full queue drops it: here the chip's own clock is read instead.
        from .clock import Clock

        return Clock(time.ticks_ms, time.ticks_diff)


def _attending(number, hz, callback):
    """A timer that calls back between two instructions of the program, not in an interrupt."""
    if sys.platform == "pyboard":
        return machine.Timer(-1, period=1, callback=callback)
    return machine.Timer(number, freq=hz, callback=callback)


class Line:
    """The UART at 9600 baud, 8 data bits, even parity, 2 stop bits."""

    def __init__(self, pins):
        settings = {"bits": 8, "parity": 0, "stop": 2, "rxbuf": _RX_BUFFER}
        if sys.platform != "pyboard":
            # An unplugged cable is a line at rest and no break without end. The Pyboard's UART has a pull-up by itself.
            Pin(pins.RX, Pin.IN, Pin.PULL_UP)
        if sys.platform == "rp2":
            settings["tx"] = Pin(pins.TX)
            settings["rx"] = Pin(pins.RX)
            # Before 1.21 the parity takes effect only the second time (micropython issue 12410).
            machine.UART(pins.UART, _BAUD, **settings)
        elif sys.platform == "esp32":
            settings["tx"] = pins.TX
            settings["rx"] = pins.RX
        self.uart = uart = machine.UART(pins.UART, _BAUD, **settings)
        self.any = uart.any
        self.take = uart.readinto  # for callers that have asked any() and want one byte
        self.write = uart.write

    def readinto(self, buffer):
        """Reads what has arrived, as far as it fits; how many bytes."""
        # Asked for more than there is, a UART waits for it.
        count = self.any()
        if count >= len(buffer):
            return self.uart.readinto(buffer)
        return self.uart.readinto(buffer, count) if count else 0


class Store:
    """Two slots in flash, as two files."""

    def read(self, slot, buffer):
        """Reads a slot into the buffer; how many bytes, 0 if there is nothing."""
        try:
            with open(_file(slot), "rb") as file:
                return file.readinto(buffer)
        except OSError:
            return 0

    def write(self, slot, buffer):
        """Writes a slot."""
        with open(_file(slot), "wb") as file:
            file.write(buffer)


def _chosen_line(lines, usual):
    try:
        with open(_LINE_FILE) as file:
            kind = file.read()
    except OSError:
        return usual
    return kind if kind in lines else usual


def _file(slot):
    return "seabattle-%d.dat" % slot


class Speaker:
    """A piezo on a pin. pin: None if there is none."""

    def __init__(self, pin):
        self.pwm = None
        self.until = 0
        self.sounding = False
        # an STM32 has no machine.PWM before MicroPython 1.28: it plays without sound
        if pin is not None and hasattr(machine, "PWM"):
            self.pwm = machine.PWM(Pin(pin))
            self.pwm.duty_u16(0)

    def beep(self, kind):
        """Begins a sound, kind 0..3."""
        if self.pwm is None:
            return
        sound = _SOUNDS[kind]
        self.pwm.freq(sound[0])
        self.pwm.duty_u16(_LOUDNESS)
        self.until = time.ticks_add(time.ticks_ms(), sound[1])
        self.sounding = True

    def stop_in_time(self):
        """Ends a sound that has lasted long enough."""
        if self.sounding and time.ticks_diff(self.until, time.ticks_ms()) <= 0:
            self.sounding = False
            self.pwm.duty_u16(0)


def _buttons(pins):
    def key(pin):
        return None if pin is None else Pin(pin, Pin.IN, Pin.PULL_UP)

    # a board.py of somebody's own may be older than these names
    keypad = getattr(pins, "KEYPAD", None)
    if keypad is not None:
        from . import keypads

        return buttons.Buttons(*keypads.made(keypad, pins.ROTATE))
    wires = (pins.UP, pins.DOWN, pins.LEFT, pins.RIGHT, pins.OK, getattr(pins, "BACK", None))
    wires += pins.ENCODER or (None, None)
    return buttons.Buttons(*(key(pin) for pin in wires))


def _i2c(pins, hz):
    if sys.platform == "pyboard":
        return machine.I2C(pins.I2C, freq=hz)
    return machine.I2C(pins.I2C, sda=Pin(pins.SDA), scl=Pin(pins.SCL), freq=hz)


def _spi(pins, hz=_SPI_HZ):
    if sys.platform == "pyboard":
        return machine.SPI(pins.SPI, baudrate=hz)
    return machine.SPI(pins.SPI, baudrate=hz, sck=Pin(pins.SCK), mosi=Pin(pins.MOSI))
