"""Waveshare Pico-LCD-1.3: 240x240 pixels, a joystick, four keys. The joystick aims, its push is OK; held, it is Back.

Pins: https://www.waveshare.com/wiki/Pico-LCD-1.3, table of the interface. The line stays on the pins of the board.
"""

CHIPS = ("RP2040", "RP2350")

PANEL = "st7789-240x240"
SPI = 1
SCK = 10
MOSI = 11
CS = 9
DC = 8
RST = 12
BACKLIGHT = 13
LED = None
BUZZER = None

UP = 2
DOWN = 18
LEFT = 16
RIGHT = 20
OK = 3
