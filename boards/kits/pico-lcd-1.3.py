"""Waveshare Pico-LCD-1.3: 240x240 pixels, a joystick, four keys. The joystick aims, its push is OK; held, it is Back.

Pins: Waveshare's demonstration, which https://github.com/tom-sapletta-com/rpi-pico-lcd (a8bc655) has in
Pico_code/Python/Pico-LCD-1.3, ReadmeEN.txt and Pico-LCD-1.3.py; the same in https://github.com/russhughes/st7789_mpy
(f629308), examples/configs/ws_pico_13. Keys are low when pressed, with the Pico's pull-ups; the backlight is on when
high. B is Back; A, X, Y (15, 19, 21) stay unused. The line stays on the pins of the board. Not tried on this module.
"""

BOARDS = ("pico", "pico_w", "pico2", "pico2_w")

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
BACK = 17
