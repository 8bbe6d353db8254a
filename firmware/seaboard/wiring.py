"""Makes the parts of a board from the plain values of board.py. Unloaded when done.

All differences between MicroPython ports are in this module and in hardware.py.
"""

import sys
import time

import machine
from machine import Pin

from seabattle.const import TYPE_CHECKING

from . import buttons
from .hardware import ATTEND_USB_HZ, LINE_FILE, TICK_HZ, Line, Ticker

if TYPE_CHECKING:
    from typing import Any

    from machine import I2C, PWM, SPI, UART

    from .buttons import Buttons
    from .clock import Clock
    from .colour import Colour
    from .hardware import Board
    from .panel import Panel
    from .parts import Pins, Uart
    from .tcpline import TcpLine


_BAUD = 9600
_RX_BUFFER = 256
_BARE_COLUMNS = 8  # width of the panel of a board without a display
_BARE_ROWS = 2
_LCD_HZ = 100000
_SH1106_FIRST = 2  # the leftmost visible column of its memory
_OLED_HZ = 400000
_SPI_HZ = 4000000

_LCD_ADDRESSES = (0x27, 0x3F, 0x26, 0x25, 0x24, 0x23, 0x22, 0x21, 0x20, 0x3E, 0x3D, 0x3C, 0x3B, 0x3A, 0x39, 0x38)
_OLED_ADDRESSES = (0x3C, 0x3D)


def pwm(pins: "Pins") -> "PWM | None":
    """Make the piezo's PWM; None without one."""
    # an STM32 has no machine.PWM before MicroPython 1.28: no sound there
    if pins.BUZZER is None or not hasattr(machine, "PWM"):
        return None
    pwm = machine.PWM(Pin(pins.BUZZER))
    pwm.duty_u16(0)
    return pwm


def line(board: "Board", pins: "Pins") -> "Uart":
    """Make the line."""
    kind = board.line
    if kind == "uart":
        return Line(_uart(pins))
    if kind == "usb":
        from . import usbline

        board.usb = usbline.UsbLine()
        return board.usb
    if kind == "tcp":
        return _radio_line(board)
    raise ValueError("board.py: no line " + repr(kind))


def _uart(pins: "Pins") -> "UART":
    """Make the UART: 9600 baud, 8 data bits, even parity, 2 stop bits."""
    settings = {"bits": 8, "parity": 0, "stop": 2, "rxbuf": _RX_BUFFER}
    if sys.platform != "pyboard":
        # An unplugged cable then reads as an idle line, not as an endless break. The Pyboard's UART has its own
        # pull-up.
        Pin(pins.RX, Pin.IN, Pin.PULL_UP)
    if sys.platform == "rp2":
        settings["tx"] = Pin(pins.TX)
        settings["rx"] = Pin(pins.RX)
        # Before 1.21 parity takes effect only at the second call (micropython issue 12410).
        machine.UART(pins.UART, _BAUD, **settings)
    elif sys.platform == "esp32":
        settings["tx"] = pins.TX
        settings["rx"] = pins.RX
    return machine.UART(pins.UART, _BAUD, **settings)


def _radio_line(board: "Board") -> "TcpLine":
    from . import tcpline

    board.attend_hz = ATTEND_USB_HZ
    try:
        way: "tcpline.Radio | tcpline.Nowhere" = tcpline.Radio()
    except (ImportError, OSError, ValueError):
        board.faults.append("no Wi-Fi settings: seabattle flash --wifi")
        way = tcpline.Nowhere()
    return tcpline.TcpLine(way)


def panel(board: "Board", pins: "Pins") -> "Panel":
    """Make the display."""
    kind = pins.PANEL
    if kind is None:
        from .panel import Panel

        board.bare = True
        return Panel(_BARE_COLUMNS, _BARE_ROWS)
    if kind[:3] == "lcd":
        from . import lcd

        columns, rows = {"lcd20x4": (20, 4), "lcd16x2": (16, 2)}[kind[:7]]
        if kind[7:] == "-pins":
            from . import lcdpins

            rs, e, *data = (Pin(pin, Pin.OUT, value=0) for pin in pins.LCD_PINS)
            bus: "Any" = lcdpins.LcdPins(rs, e, data)
        else:
            from . import lcdbus

            i2c = _i2c(pins, _LCD_HZ)
            bus = lcdbus.LcdBus(i2c, _address(board, i2c, _LCD_ADDRESSES))
        return lcd.Lcd(bus, columns, rows, {"A00": lcd.A00, "A02": lcd.A02, "MT": lcd.MT}[pins.LCD_ROM])
    if kind[:6] in ("st7789", "st7735", "ili934"):
        return _colour_panel(board, pins, kind)
    from . import controller_init, pixels

    if kind in ("ssd1306", "sh1106"):
        from . import i2cbus

        i2c = _i2c(pins, _OLED_HZ)
        bus = i2cbus.I2cBus(i2c, _address(board, i2c, _OLED_ADDRESSES))
    elif kind in ("ssd1306-spi", "sh1106-spi", "pcd8544"):
        from . import spibus

        bus = spibus.SpiBus(_spi(pins), *(Pin(pin, Pin.OUT) for pin in (pins.CS, pins.DC, pins.RST)))
    else:
        raise ValueError("board.py: no panel " + repr(kind))
    if kind == "pcd8544":
        controller_init.start_pcd8544(bus, pins.CONTRAST)
        return pixels.Pixels(pixels.Pcd8544(bus))
    if kind[:6] == "sh1106":
        controller_init.start_sh1106(bus, pins.ROTATE)
        return pixels.Pixels(pixels.Ssd1306(bus, _SH1106_FIRST))
    controller_init.start_ssd1306(bus, pins.ROTATE)
    return pixels.Pixels(pixels.Ssd1306(bus))


def _colour_panel(board: "Board", pins: "Pins", kind: str) -> "Colour":
    from . import colour, mipi

    if kind not in mipi.KINDS:
        raise ValueError("board.py: no panel " + repr(kind))
    # The bus first: it takes over its port's default pins in addition to those given.
    spi = _spi(pins, mipi.KINDS[kind][2])
    cs, dc, rst = (None if pin is None else Pin(pin, Pin.OUT) for pin in (pins.CS, pins.DC, pins.RST))
    panel = colour.Colour(mipi.start(kind, spi, cs, dc, rst, pins.ROTATE))
    if pins.BACKLIGHT is not None:
        Pin(pins.BACKLIGHT, Pin.OUT, value=1)
    return panel


def _address(board: "Board", i2c: "I2C", usual: "tuple[int, ...]") -> int:
    """Return the first of the usual addresses that answers."""
    there = i2c.scan()
    for address in usual:
        if address in there:
            return address
    board.faults.append("no display on I2C")
    return usual[0]


def ticker(number: int) -> "Ticker | Clock":
    """Make the tick counter."""
    ticker = Ticker()
    if sys.platform == "pyboard":
        # machine.Timer of this port only supports whole milliseconds
        import pyb

        ticker.timer = pyb.Timer(number, freq=TICK_HZ, callback=ticker.tick)
        return ticker
    try:
        ticker.timer = machine.Timer(number, freq=TICK_HZ, callback=ticker.tick, hard=True)  # type: ignore[call-overload]
        return ticker
    except (TypeError, ValueError):
        # rp2 before 1.26 and the ESP32 have no hard timer interrupt. A soft one waits in a queue of eight with all
        # others, and is dropped if the queue is full: read the chip's clock instead.
        from .clock import Clock

        return Clock(time.ticks_ms, time.ticks_diff)  # type: ignore[arg-type]


def chosen_line(lines: "tuple[str, ...]", usual: str) -> str:
    """Return the line chosen in the settings since flashing, or LINE."""
    try:
        with open(LINE_FILE) as file:
            kind = file.read()
    except OSError:
        return usual
    return kind if kind in lines else usual


def keys(pins: "Pins") -> "Buttons":
    """Make the keys."""

    def key(pin: "int | None") -> "Pin":
        return None if pin is None else Pin(pin, Pin.IN, Pin.PULL_UP)

    # a user's own board.py may predate these names
    keypad = getattr(pins, "KEYPAD", None)
    if keypad is not None:
        from . import keypads

        return buttons.Buttons(*keypads.make_keys(keypad, pins.ROTATE))
    wires = (pins.UP, pins.DOWN, pins.LEFT, pins.RIGHT, pins.OK, getattr(pins, "BACK", None))
    wires += pins.ENCODER or (None, None)
    return buttons.Buttons(*(key(pin) for pin in wires))


def _i2c(pins: "Pins", hz: int) -> "I2C":
    if sys.platform == "pyboard":
        return machine.I2C(pins.I2C, freq=hz)
    return machine.I2C(pins.I2C, sda=Pin(pins.SDA), scl=Pin(pins.SCL), freq=hz)


def _spi(pins: "Pins", hz: int = _SPI_HZ) -> "SPI":
    if sys.platform == "pyboard":
        return machine.SPI(pins.SPI, baudrate=hz)
    return machine.SPI(pins.SPI, baudrate=hz, sck=Pin(pins.SCK), mosi=Pin(pins.MOSI))
