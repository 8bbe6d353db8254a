"""Cheap Yellow Display, ESP32-2432S028R: an ESP32 with 320x240 pixels and a touch panel in one.

Touching an edge moves that way, the middle is OK and, held, Back; so is the upper left corner.

Pins: https://github.com/witnessmenow/ESP32-Cheap-Yellow-Display (0e1e075), PINS.md. Orientation of the touch panel
relative to the picture: https://github.com/PaulStoffregen/XPT2046_Touchscreen (0566f9f), rotation 1, which its examples
use with rotation 1 of the picture. Only thirds of the panel are distinguished, so no calibration is needed. The line is
on the connector CN1, GPIO27 (TX) and 22 (RX), or on the USB cable. Sounds come from the loudspeaker's connector. Models
with two USB sockets may show the colours the wrong way round; the 2.4 inch models have their backlight at GPIO27 and
are not this one. Not tried on this board.
"""

BOARDS = ("esp32",)

TX = 27
RX = 22

PANEL = "ili9341-320x240"
SPI = 1
SCK = 14
MOSI = 13
CS = 15
DC = 2
RST = None
BACKLIGHT = 21
# SPI, sck, mosi, miso, cs, irq
KEYPAD = ("touch", 2, 25, 32, 39, 33, 36)
LED = None
BUZZER = 26

UP = None
DOWN = None
LEFT = None
RIGHT = None
OK = None
