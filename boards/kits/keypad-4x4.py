"""Keypad of 4x4 keys (a membrane or buttons, with eight wires): 2, 8, 4, 6 aim, 5 is OK, * is Back.

The board's display is unchanged.

Pins: Parallax 4x4 Matrix Membrane Keypad (27899), v1.2: wires 1 to 4 are columns 4 to 1, 5 to 8 are rows 4 to 1, so
from the other end rows 1 to 4 come first. Column 4, with A to D, stays unconnected. On the Picos the wires go to
adjacent pins, GP6 to GP12. Not tried on this module.
"""

BOARDS = ("pico", "pico_w", "pico2", "pico2_w", "esp32")

# rows 1 to 4, columns 1 to 3
KEYPAD = {
    "RP2040": ("matrix", (6, 7, 8, 9), (10, 11, 12)),
    "RP2350": ("matrix", (6, 7, 8, 9), (10, 11, 12)),
    "ESP32": ("matrix", (32, 33, 25, 26), (27, 14, 13)),
}
BUZZER = {"RP2040": "BUZZER", "RP2350": "BUZZER", "ESP32": None}

UP = None
DOWN = None
LEFT = None
RIGHT = None
OK = None
