"""The numbers of a field: what its methods answer, the bits of its marks, the stages of filling it."""

from .const import const

# What can_place() and place() answer.
OK = const(0)
OUT = const(1)  # not all on the field
OVERLAP = const(2)  # on another ship
TOUCH = const(3)  # beside another ship, corners count
NONE_LEFT = const(4)  # all ships of that length are placed, or the fleet has none
WALL = const(5)  # one more along a wall than the rule allows

# What shoot() answers.
MISS = const(0)
HIT = const(1)
SUNK = const(2)
REPEAT = const(3)

# Bits of Field.mark.
SHOT = const(1)  # shot at
EMPTY = const(2)  # known to be empty, being next to a sunk ship

LONGEST = const(5)

# Stages of filling (field.py).
S_IDLE = const(0)
S_BEGIN = const(1)
S_AGAIN = const(2)
S_BUILD = const(3)
S_TRIM = const(4)
S_CHECK = const(5)
S_DRAW = const(6)
S_LIST = const(7)
S_CLEAR = const(8)
S_SEARCH = const(9)
S_COMMIT = const(10)

# Whole attempts by lot before the search: while one of them came within a ship of the end, within two, and if none did.
ATTEMPTS = const(24)
FEWER = const(12)
FEWEST = const(8)
LINES = const(5)  # looked through in one piece
DRAWS = const(8)  # random places tried before all are counted
# Points in the search before its first new start, one more each time, and from which on twice as many each time.
FIRST_LIMIT = const(36)
SLOW_LIMIT = const(72)
LAST_LIMIT = const(1 << 28)
BARE = const(1)  # a choice of the search: no ship here; the others are 2 * length + vertical
WIDEST = const(28)  # cells across that a row of points has bits for
