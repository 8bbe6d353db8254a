"""ESP32-C3 (SuperMini, DevKitM-1 and others): which pin does what. Plain values only; README.md shows the wiring."""

from seaboard.hardware import Board  # noqa: F401  (main.py asks for it here)

NAME = "esp32c3"
MACHINE = "ESP32C3 module"  # the start of the board's name
CHIP = "ESP32C3"
DOWNLOAD = "ESP32_GENERIC_C3"  # its page at micropython.org/download

# The line to the other player: "uart", on the pins below, "usb", on the cable that the board is flashed with,
# or "tcp", over Wi-Fi.
LINE = "uart"
UART = 1
TX = 21  # also carries the chip's boot messages
RX = 5

# The timer of the tick, 0; the next one has the line attended to.
TIMER = 0

# Keys to ground, with the chip's own pull-ups.
UP = 0
DOWN = 1
LEFT = 3
RIGHT = 4
OK = 10
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
I2C = 0
SDA = 6
SCL = 7
SPI = 1
SCK = None  # no pins are left for SPI: --config gives it some, in place of keys
MOSI = None
CS = None
DC = None
RST = None
BACKLIGHT = None  # of a colour display, unless it is always on

# None for none.
LED = None  # that on the SuperMini is on when its pin is low
BUZZER = None
