"""LilyGO (TTGO) T-Display: an ESP32 board with 240x135 pixels.

It has two keys, too few for the game, and one of them selects the boot mode: connect five keys, or an encoder, to the
pins where an ESP32 DevKit has them.

Pins: the maker's https://github.com/Xinyuan-LilyGO/TTGO-T-Display, README.MD (38deab2) for the display, and for the
pins on the edge kicad/TTGO_T_Display/symbols (ebe0867), which include all that are used here. The reset pin is from
https://github.com/Bodmer/TFT_eSPI, User_Setups/Setup25_TTGO_T_Display.h; the same in
https://github.com/russhughes/st7789_mpy (f629308), examples/configs/tdisplay_esp32. The backlight is on when high. The
display occupies the pins of the DevKit's line, which moves to 21 and 22. SPI 1, since SPI 2 would take GPIO19 as its
input. Not tried on this board.
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
