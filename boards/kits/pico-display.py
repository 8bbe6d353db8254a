"""Pimoroni Pico Display Pack: 240x135 pixels, four keys.

A and B move up and down, X moves right and wraps at the edge, Y is OK; held, it is Back.

Pins: https://github.com/pimoroni/pimoroni-pico (12b15d0), libraries/pico_display/pico_display.hpp for the keys, low
when pressed in drivers/button/button.hpp, and common/pimoroni_common.hpp for the bus: SPI_DEFAULT_* and SPI_BG_FRONT_*,
whose PWM is the backlight. The driver has no reset pin. The LED's three colours (6, 7, 8) are unused. The line stays on
the pins of the board. Not tried on this module.
"""

BOARDS = ("pico", "pico_w", "pico2", "pico2_w")

PANEL = "st7789-240x135"
SPI = 0
SCK = 18
MOSI = 19
CS = 17
DC = 16
RST = None
BACKLIGHT = 20
LED = None
BUZZER = None

UP = 12
DOWN = 13
LEFT = None
RIGHT = 14
OK = 15
