"""Pyboard v1.1 (STM32F405): which pin does what. Plain values only; README.md shows the wiring."""

from seaboard.hardware import Board  # noqa: F401  (main.py asks for it here)

NAME = "stm32"
MACHINE = "PYBv1.1"  # the start of the board's name
CHIP = "STM32F405RG"
DOWNLOAD = "PYBV11"  # its page at micropython.org/download

# The line to the other player: "uart", on the pins below, or "usb", on the cable that the board is flashed with.
LINE = "uart"
UART = 6
TX = "Y1"
RX = "Y2"

# The timer of the tick, a pyb.Timer.
TIMER = 4

# Keys to ground, with the chip's own pull-ups.
UP = "Y3"
DOWN = "Y4"
LEFT = "Y5"
RIGHT = "Y6"
OK = "Y7"
BACK = None  # a sixth key; without one, holding OK is Back
ENCODER = None  # or the two pins of a rotary encoder, whose push button is OK; then the other keys may be None
KEYPAD = None  # or keys that share wires, instead of all these: ("matrix", rows, columns), ("ladder", analog pin) or
# ("touch", SPI, sck, mosi, miso, cs, irq), see boards/README.md

# The display: "ssd1306" or "sh1106" (128x64), "lcd20x4" or "lcd16x2" on I2C; "ssd1306-spi", "sh1106-spi" or "pcd8544"
# on SPI, and in colour "st7789-240x240", "st7789-240x135", "st7735-128x160", "st7735g-128x160" (with a green tab on
# its film) and "ili9341-320x240"; None: no display, and the board plays by itself.
PANEL = "ssd1306"
LCD_ROM = "A00"  # ROM of a character display: "A00" Japanese, "A02" European, "MT" Russian
LCD_PINS = None  # RS, E, D4, D5, D6, D7 of a character display without a backpack: "lcd16x2-pins", "lcd20x4-pins"
CONTRAST = 60  # of a PCD8544, 0..127
ROTATE = 0  # 180: the picture of an SSD1306 upside down
I2C = 1
SDA = "X10"
SCL = "X9"
SPI = 1
SCK = "X6"
MOSI = "X8"
CS = "X5"
DC = "X4"
RST = "X3"
BACKLIGHT = None  # of a colour display, unless it is always on

# None for none.
LED = "LED_BLUE"
BUZZER = "X1"
