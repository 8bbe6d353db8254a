"""Numbers of the board's texts in the other games; generated from the catalogues by source/generate.py.

The texts are in the modules with the same name and a language appended.
"""

from seabattle.const import const

# Before a game.
L_VARIANTS = const(190)
L_FIVE = const(191)
L_CORNERS = const(192)
L_BENT = const(193)
L_APART = const(194)
L_MEET = const(195)
L_PLACING = const(196)
L_TURN_ESC = const(197)
L_TURN_HOLD = const(198)

# The menu within a game.
L_FIRE = const(199)
L_ITS_FIELD = const(200)
L_NEW = const(201)
L_MINE = const(202)
L_ITS = const(203)

# Salvo.
L_ROUND = const(204)
L_ASK_FIRE = const(205)
L_NO_GUNS = const(206)
L_FIRED_AT = const(207)
L_AIM_FIRST = const(208)
L_MY_HITS = const(209)
L_ITS_HITS = const(210)
L_NOTHING = const(211)
L_CARRIER = const(212)
L_BATTLESHIP = const(213)
L_CRUISER = const(214)
L_SUBMARINE = const(215)
L_DESTROYER = const(216)
L_BOTH_SUNK = const(217)

# Melee.
L_OWN = const(218)
L_OUT = const(219)
L_YOU = const(220)

TEXTS = const(221)
