"""LilyGO (TTGO) T-Display: an ESP32 board with 240x135 pixels. It has two keys, too few for the game, and one of them
decides how it boots: five keys, or an encoder, go to the pins where an ESP32 DevKit has them.

Pins: the maker's https://github.com/Xinyuan-LilyGO/TTGO-T-Display, README.MD (38deab2) for the display, and for the
pins on the edge kicad/TTGO_T_Display/symbols (ebe0867), among which are all that are used here. The wire for the reset
is in https://github.com/Bodmer/TFT_eSPI, User_Setups/Setup25_TTGO_T_Display.h; the same in
https://github.com/russhughes/st7789_mpy (f629308), examples/configs/tdisplay_esp32. The backlight is on when high. The
display has the pins of the DevKit's line, which goes to 21 and 22 instead. SPI 1 and not 2, which would take GPIO19 to
read from. Not tried on this board.
"""

BOARDS = ("esp32",)

TX = 21
RX = 22

PANEL = "st7789-240x135"
SPI = 1
SCK = 18
MOSI = 19
CS = 5
DC = 16
RST = 23
BACKLIGHT = 4
LED = None
