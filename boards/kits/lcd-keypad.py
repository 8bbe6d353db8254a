"""LCD keypad shield (DFRobot DFR0009 and clones): 16x2 characters and five keys on one analog pin.

It is made to be plugged on an Arduino; here wires go from its sockets to the board. SELECT is OK; held, it is Back.

Pins: https://wiki.elecrow.com/lcd-keypad-shield and https://aidansun.com/articles/lcd-keypad-shield: D8 RS, D9 enable,
D4 to D7 data, A0 the keys, D10 the backlight, which is on if nothing is connected there; RW is on ground. The keys give
0, 0.14, 0.32, 0.49 and 0.72 of the supply: 2000 ohm to the supply, and 330, 620, 1000 and 3300 between the keys, as
calculated by Nick Gammon in the Arduino forum, "LCD Shield Not Behaving". Power it from 5 V: then A0 rises to 5 V,
which no pin of these boards tolerates. Use a divider of two resistors: 10000 ohm from A0 to the board's pin, 20000 from
that pin to ground. The display itself accepts the board's 3.3 V signals. Not tried on this module.
"""

BOARDS = ("pico", "pico_w", "pico2", "pico2_w", "esp32")

PANEL = "lcd16x2-pins"
# RS (D8), E (D9), D4, D5, D6, D7
LCD_PINS = {"RP2040": (10, 11, 6, 7, 8, 9), "RP2350": (10, 11, 6, 7, 8, 9), "ESP32": (25, 26, 18, 23, 16, 17)}
KEYPAD = {"RP2040": ("ladder", 26), "RP2350": ("ladder", 26), "ESP32": ("ladder", 34)}

UP = None
DOWN = None
LEFT = None
RIGHT = None
OK = None
