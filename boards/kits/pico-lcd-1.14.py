"""Waveshare Pico-LCD-1.14 V2: 240x135 pixels, a joystick, two keys. The joystick aims; its push is OK, or Back if held.

Pins: Waveshare's demonstration, which https://github.com/tom-sapletta-com/rpi-pico-lcd (a8bc655) has in
Pico_code/Python/Pico-LCD-1.14-V2, where the comments say which is up, push, left, down and right; the same in
https://github.com/tacker66/Pico_LCD_114_V2. Keys are low when pressed, with the Pico's pull-ups; the backlight is on
when high. B is Back; A (15) stays unused. The first version of the module has no joystick: pico-lcd-1.14-v1. The line
stays on the pins of the board. Not tried on this module.
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

UP = 2
DOWN = 18
LEFT = 16
RIGHT = 20
OK = 3
BACK = 17
