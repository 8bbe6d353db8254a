"""Rotary encoder with a push button (KY-040 and similar).

Turning moves up and down, and left and right while pushed; the push is OK, and Back if held. The board's display is
unchanged.

Pins: CLK, DT and SW go to the pins where the board has its keys up, down and OK; each contact closes to GND, with the
board's pull-ups, so + may stay unconnected. The names are those of
https://keszoox.com/collections/development-boards-microcontrollers, KY-040. If it turns the wrong way, swap CLK and DT.
Not tried on this module.
"""

BOARDS = ("pico", "pico_w", "pico2", "pico2_w", "xiao_rp2040", "esp32", "esp32s3", "esp32c3", "stm32")

# CLK, DT
ENCODER = ("UP", "DOWN")
OK = "OK"

UP = None
DOWN = None
LEFT = None
RIGHT = None
