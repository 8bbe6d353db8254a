"""Codes of the player's keys, whatever hardware they come from.

A key is a small number: one of these, or from 32 on a typed letter in code page 866 if there is a keyboard.
"""

from seabattle.const import const

UP = const(1)
DOWN = const(2)
LEFT = const(3)
RIGHT = const(4)
OK = const(5)
BACK = const(6)  # with five keys: OK held down
OFF = const(7)  # switch the board off, from any screen
ERASE = const(8)  # keyboards only
TYPED = const(32)
