"""Pimoroni Pico Display Pack: 240x135 pixels, four keys. A and B lead up and down, X to the right and round at the edge
to the left, Y is OK; held, it is Back.

Pins: https://shop.pimoroni.com/products/pico-display-pack, schematic. Its display has no wire for a reset.
"""

CHIPS = ("RP2040", "RP2350")

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
