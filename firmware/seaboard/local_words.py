"""Numbers of the board's texts in the other games; generated from the catalogues by source/generate.py.

The texts are in the modules with the same name and a language appended.
"""

from seabattle.const import const

# Before a game.
L_VARIANTS = const(191)
L_FIVE = const(192)
L_CORNERS = const(193)
L_BENT = const(194)
L_APART = const(195)
L_MEET = const(196)
L_PLACING = const(197)
L_TURN_ESC = const(198)
L_TURN_HOLD = const(199)

# The menu within a game.
L_FIRE = const(200)
L_ITS_FIELD = const(201)
L_NEW = const(202)
L_MINE = const(203)
L_ITS = const(204)

# Salvo.
L_ROUND = const(205)
L_ASK_FIRE = const(206)
L_NO_GUNS = const(207)
L_FIRED_AT = const(208)
L_AIM_FIRST = const(209)
L_MY_HITS = const(210)
L_ITS_HITS = const(211)
L_NOTHING = const(212)
L_CARRIER = const(213)
L_BATTLESHIP = const(214)
L_CRUISER = const(215)
L_SUBMARINE = const(216)
L_DESTROYER = const(217)
L_BOTH_SUNK = const(218)

# Melee.
L_OWN = const(219)
L_OUT = const(220)
L_YOU = const(221)

TEXTS = const(222)
