"""A fleet: the size of the field, the number of ships of each length, and the wall rule.

The wall rule of protocol v1.0 (at most half of the ships, rounded down, along a wall) has two readings. Strict: a ship
counts if any of its cells is on the edge. Lenient: it counts if all of it lies on one edge. What is legal under the
strict reading is legal under both, so our own ships follow that one wherever possible.
"""

from .fleet_table import PLACEABLE

MAX_LENGTH = 5

# Return codes of check().
OK = 0
BAD_SIZE = 1
BAD_FOUR = 2
BAD_THREE = 3
BAD_TWO = 4
BAD_ONE = 5
NO_ROOM = 6


def check(size: int, n4: int, n3: int, n2: int, n1: int, lenient: bool = False) -> int:
    """Check parameters of protocol v1.0: the ranges, and whether a legal placement exists.

    size is 6..10 cells, n4 0..1, n3 0..2, n2 0..5, n1 1..10 ships; any int may be given. Returns OK, the BAD_* code of
    the first number out of range, or NO_ROOM if no placement keeps all rules, with the wall rule in the strict reading
    or the lenient one. The result is exact.
    """
    if not 6 <= size <= 10:
        return BAD_SIZE
    if not 0 <= n4 <= 1:
        return BAD_FOUR
    if not 0 <= n3 <= 2:
        return BAD_THREE
    if not 0 <= n2 <= 5:
        return BAD_TWO
    if not 1 <= n1 <= 10:
        return BAD_ONE
    i = 2 * (((((size - 6) * 2 + n4) * 3 + n3) * 6 + n2) * 10 + n1 - 1)
    if lenient:
        i += 1
    return OK if PLACEABLE[i >> 3] >> (i & 7) & 1 else NO_ROOM


class Fleet:
    """The size of a field and its ships; the classic fleet by default.

    width, height   of the field, cells
    count           ships of each length, index 1..MAX_LENGTH
    walls           whether the wall rule applies
    lenient         whether it is read leniently
    ships, decks    total numbers
    wall_max        how many ships may be along a wall; all of them if the rule does not apply
    """

    def __init__(self) -> None:
        self.count = bytearray(MAX_LENGTH + 1)
        self.classic()

    def classic(self) -> None:
        """Set 10x10 with 1 four-deck, 2 three-deck, 3 two-deck and 4 one-deck ships, no wall rule."""
        self._numbers(10, 10, 0, 1, 2, 3, 4, False, False)

    def protocol(self, size: int, n4: int, n3: int, n2: int, n1: int, lenient: bool = False) -> None:
        """Set a fleet of protocol v1.0 with its wall rule. The numbers are not checked: call check() first."""
        self._numbers(size, size, 0, n4, n3, n2, n1, True, lenient)

    def custom(
        self, width: int, height: int, n5: int, n4: int, n3: int, n2: int, n1: int, walls: bool, lenient: bool
    ) -> None:
        """Set any fleet on any field. Counts are 0..255 each; whether it fits is not checked."""
        self._numbers(width, height, n5, n4, n3, n2, n1, walls, lenient)

    def _numbers(
        self, width: int, height: int, n5: int, n4: int, n3: int, n2: int, n1: int, walls: bool, lenient: bool
    ) -> None:
        self.width = width
        self.height = height
        count = self.count
        count[5] = n5
        count[4] = n4
        count[3] = n3
        count[2] = n2
        count[1] = n1
        self.walls = walls
        self.lenient = lenient
        self.ships = n5 + n4 + n3 + n2 + n1
        self.decks = 5 * n5 + 4 * n4 + 3 * n3 + 2 * n2 + n1
        self.wall_max = self.ships // 2 if walls else self.ships

    def length(self, i: int) -> int:
        """Return the length of ship i, 0..ships-1, from the longest to the shortest; 0 past the end."""
        length = MAX_LENGTH
        while length > 0:
            if i < self.count[length]:
                return length
            i -= self.count[length]
            length -= 1
        return 0

    def on_wall(self, x: int, y: int, length: int, vertical: int) -> bool:
        """Return whether a straight ship with its first (left or upper) cell at x, y counts as along a wall."""
        return self.counts_on_wall(x, y, 1, length) if vertical else self.counts_on_wall(x, y, length, 1)

    def counts_on_wall(self, x: int, y: int, across: int, down: int) -> bool:
        """Like on_wall(), for a ship of any shape, by its bounding box: first column and row, size in cells."""
        if self.lenient:
            return self.lies_along(x, y, across, down)
        return x == 0 or y == 0 or x + across == self.width or y + down == self.height

    def lies_along(self, x: int, y: int, across: int, down: int) -> bool:
        """Return whether the ship in this box counts under the lenient reading: all of it lies on one edge."""
        if down == 1 and (y == 0 or y == self.height - 1):
            return True
        return across == 1 and (x == 0 or x == self.width - 1)
