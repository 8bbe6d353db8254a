# Freezes the whole game into a firmware image: make BOARD=... FROZEN_MANIFEST=<this file> (ESP32: also with idf.py).
include("$(PORT_DIR)/boards/manifest.py")
package("seabattle", base_path="../../common", opt=2)
package("seaboard", base_path="../../firmware", opt=2)
module("board.py", opt=2)
module("main.py", base_path="../../firmware", opt=2)
