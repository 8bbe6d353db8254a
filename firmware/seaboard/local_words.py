"""What the board says in the other games: the number by which each text is named; made from the catalogues by
source/generate.py. The texts are in the modules of the same name and a language behind it.
"""

from seabattle.const import const

# Before a game.
L_VARIANTS = const(187)
L_FIVE = const(188)
L_CORNERS = const(189)
L_BENT = const(190)
L_APART = const(191)
L_MEET = const(192)
L_PLACING = const(193)
L_TURN_ESC = const(194)
L_TURN_HOLD = const(195)

# The menu within a game.
L_FIRE = const(196)
L_ITS_FIELD = const(197)
L_NEW = const(198)
L_MINE = const(199)
L_ITS = const(200)

# Salvo.
L_ROUND = const(201)
L_ASK_FIRE = const(202)
L_NO_GUNS = const(203)
L_FIRED_AT = const(204)
L_AIM_FIRST = const(205)
L_MY_HITS = const(206)
L_ITS_HITS = const(207)
L_NOTHING = const(208)
L_CARRIER = const(209)
L_BATTLESHIP = const(210)
L_CRUISER = const(211)
L_SUBMARINE = const(212)
L_DESTROYER = const(213)
L_BOTH_SUNK = const(214)

# Melee.
L_OWN = const(215)
L_OUT = const(216)
L_YOU = const(217)

TEXTS = const(218)
