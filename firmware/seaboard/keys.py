"""The keys that a player has, whatever they are made of.

A key is a small number: one of these, or from 32 on a typed letter in code page 866 where there is a keyboard.
"""

from seabattle.const import const

UP = const(1)
DOWN = const(2)
LEFT = const(3)
RIGHT = const(4)
OK = const(5)
BACK = const(6)  # on five keys: OK held down
OFF = const(7)  # the board is to be switched off, from whatever screen
ERASE = const(8)  # only on keyboards
TYPED = const(32)
