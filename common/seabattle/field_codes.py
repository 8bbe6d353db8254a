"""Constants of a field: return codes of its methods, bits of its marks, stages of filling."""

from .const import const

# Return codes of can_place() and place().
OK = const(0)
OUT = const(1)  # partly off the field
OVERLAP = const(2)  # overlaps another ship
TOUCH = const(3)  # touches another ship, corners count
NONE_LEFT = const(4)  # all ships of that length are placed, or the fleet has none
WALL = const(5)  # one more along a wall than the rule allows

# Return codes of shoot().
MISS = const(0)
HIT = const(1)
SUNK = const(2)
REPEAT = const(3)

# Bits of Field.mark.
SHOT = const(1)  # was shot at
EMPTY = const(2)  # known to be empty: next to a sunk ship

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

# Random attempts before the search: if the best of them had one ship left, two ships left, or more.
ATTEMPTS = const(24)
FEWER = const(12)
FEWEST = const(8)
LINES = const(5)  # rows or ships handled in one step
DRAWS = const(8)  # random places tried before all are listed
# Points visited before the search first starts over; one more each time, from SLOW_LIMIT on twice as many each time.
FIRST_LIMIT = const(36)
SLOW_LIMIT = const(72)
LAST_LIMIT = const(1 << 28)
BARE = const(1)  # a choice of the search: no ship here; other choices are 2 * length + vertical
WIDEST = const(28)  # the widest field whose rows of points fit into an integer
