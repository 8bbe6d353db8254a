"""Waveshare Pico-LCD-1.14, first version: 240x135 pixels, four keys.

KEY0 and KEY1 move up and down, KEY2 moves right and wraps at the edge, KEY3 is OK; held, it is Back.

Pins: Waveshare's demonstration, copied at https://github.com/tom-sapletta-com/rpi-pico-lcd (a8bc655) in
Pico_code/Python/Pico-LCD-1.14, ReadmeEN.txt and Pico-LCD-1.14.py; the same in https://github.com/russhughes/st7789_mpy
(f629308), examples/configs/ws_pico_114, "v1 with four buttons". Keys are low when pressed. The demonstration draws KEY0
above KEY1 at the left and KEY2 above KEY3 at the right. The line stays on the pins of the board. Not tried on this
module.
"""

BOARDS = ("pico", "pico_w", "pico2", "pico2_w")

PANEL = "st7789-240x135"
SPI = 1
SCK = 10
MOSI = 11
CS = 9
DC = 8
RST = 12
BACKLIGHT = 13
LED = None
BUZZER = None

UP = 15
DOWN = 17
LEFT = None
RIGHT = 2
OK = 3
