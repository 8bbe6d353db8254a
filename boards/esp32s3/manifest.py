"""Freezes the whole game into a firmware image: make BOARD=... FROZEN_MANIFEST=<this file>."""

# ruff: noqa: F821  (MicroPython's build defines these names)
include("$(PORT_DIR)/boards/manifest.py")
package("seabattle", base_path="../../common", opt=2)
package("seaboard", base_path="../../firmware", opt=2)
module("board.py", opt=2)
module("main.py", base_path="../../firmware", opt=2)
