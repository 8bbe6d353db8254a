"""Rotary encoder with a push (KY-040 and its kin). It turns up and down, and left and right while it is pushed; the
push is OK, and Back if it is held. The display stays the board's.

Pins: CLK, DT and SW lead to the pins where the board has its keys up, down and OK; each contact closes to GND, and the
board's pull-ups do, so that + may stay unconnected. The names are those of
https://keszoox.com/collections/development-boards-microcontrollers, KY-040. If it turns the wrong way, exchange CLK and
DT. Not tried on this module.
"""

BOARDS = ("pico", "pico_w", "pico2", "pico2_w", "xiao_rp2040", "esp32", "esp32s3", "esp32c3", "stm32")

# CLK, DT
ENCODER = ("UP", "DOWN")
OK = "OK"

UP = None
DOWN = None
LEFT = None
RIGHT = None
