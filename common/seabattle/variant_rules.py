"""The rules of a variant of the classic game: the fleet, and the shapes of its ships.

Cells are y * width + x from the top left. A ship is identified by its shape, a number 0..SHAPES-1 for a form in one
orientation, and the upper left corner of its bounding box.
"""

from .const import TYPE_CHECKING, const
from .fleet import MAX_LENGTH, Fleet
from .fleet import NO_ROOM as FLEET_NO_ROOM
from .fleet import check as check_fleet

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE_LEAST = const(6)
SIZE_MOST = const(26)
SHIPS_MOST = const(250)
MAX_CELLS = const(676)

OK = const(0)
# What Rules.check() returns in addition to OK.
BAD_SIZE = const(1)
BAD_COUNT = const(2)  # no ship at all, or more than SHIPS_MOST
NO_ROOM = const(3)  # certainly no placement; OK does not promise that there is one


def _shapes() -> list[list[tuple[int, int]]]:
    # All orientations of all forms, each as its cells (x, y) from the corner of its box, row by row.
    found = []
    for form in ("1", "11", "111", "1111", "11111", "11/1", "111/1", "11/11", "11/ 11"):
        cells = []
        for y, row in enumerate(form.split("/")):
            for x, mark in enumerate(row):
                if mark == "1":
                    cells.append((x, y))
        for turn in range(8):
            cells = [(-y, x) for x, y in cells]
            if turn == 4:
                cells = [(-x, y) for x, y in cells]
            left = min(x for x, _ in cells)
            top = min(y for _, y in cells)
            now = sorted((y - top, x - left) for x, y in cells)
            if now not in found:
                found.append(now)
    return found


_LIST = _shapes()
SHAPES = len(_LIST)
LENGTH = bytes(len(cells) for cells in _LIST)
"""Decks of each shape."""
WIDE = bytes(1 + max(x for _, x in cells) for cells in _LIST)
HIGH = bytes(1 + max(y for y, _ in cells) for cells in _LIST)
"""Size of the bounding box of each shape, cells."""
BENT = bytes(int(min(max(x for _, x in cells), max(y for y, _ in cells)) > 0) for cells in _LIST)
"""1 for a shape that is not straight."""
DECK_X = bytes(x for cells in _LIST for x in [x for _, x in cells] + [0] * (MAX_LENGTH - len(cells)))
DECK_Y = bytes(y for cells in _LIST for y in [y for y, _ in cells] + [0] * (MAX_LENGTH - len(cells)))
del _LIST


def deck_x(shape: int, i: int) -> int:
    """Return the column of deck i of a shape, from the left of its box; i is 0..LENGTH[shape]-1."""
    return DECK_X[shape * MAX_LENGTH + i]


def deck_y(shape: int, i: int) -> int:
    """Return the row of deck i of a shape, from the top of its box."""
    return DECK_Y[shape * MAX_LENGTH + i]


class Rules(Fleet):
    """The rules of a variant, by default those of the classic game.

    They are a Fleet (see there for size, ships and wall rule) and how ships may be shaped and touch.

    width, height   of the field, SIZE_LEAST..SIZE_MOST cells
    corners         whether ships may touch by a corner; never by a side
    bent            whether ships of 3 and 4 decks may be bent: an L of either length, a square or a zigzag of four
    """

    def __init__(self) -> None:
        Fleet.__init__(self)
        self.corners = self.bent = False

    def classic(self) -> None:
        """Set the classic game."""
        self.corners = self.bent = False
        Fleet.classic(self)

    def protocol(self, size: int, n4: int, n3: int, n2: int, n1: int, lenient: bool = False) -> None:
        """Set the game of protocol v1.0; see Fleet.protocol()."""
        self.corners = self.bent = False
        Fleet.protocol(self, size, n4, n3, n2, n1, lenient)

    def custom(  # type: ignore[override]
        self,
        width: int,
        height: int,
        n5: int,
        n4: int,
        n3: int,
        n2: int,
        n1: int,
        corners: bool = False,
        bent: bool = False,
        walls: bool = False,
        lenient: bool = False,
    ) -> int:
        """Set any fleet on any field; counts are 0..255 each. Returns check()."""
        self.corners = corners
        self.bent = bent
        self._numbers(width, height, n5, n4, n3, n2, n1, walls, lenient)
        return self.check()

    def large(self, corners: bool = False, bent: bool = False) -> int:
        """Set 15x15 with one ship of five decks, two of four, three of three, four of two, five of one.

        Returns check().
        """
        return self.custom(15, 15, 1, 2, 3, 4, 5, corners, bent)

    def check(self) -> int:
        """Return OK, BAD_SIZE, BAD_COUNT or NO_ROOM."""
        if not (SIZE_LEAST <= self.width <= SIZE_MOST and SIZE_LEAST <= self.height <= SIZE_MOST):
            return BAD_SIZE
        if not 1 <= self.ships <= SHIPS_MOST:
            return BAD_COUNT
        count = self.count
        if self.walls and self.width == self.height and not (self.corners or self.bent or count[5]):
            # for parameters of the protocol the answer is exact
            if check_fleet(self.width, count[4], count[3], count[2], count[1], self.lenient) == FLEET_NO_ROOM:
                return NO_ROOM
        if self.corners:
            # the right and lower sides of a deck's cell touch only decks of its own ship
            return NO_ROOM if self.decks > self.width * self.height else OK
        # Ships that do not touch share no corner of a cell. The square has fewer corners than the straight four-deck
        # ship.
        points = 12 * count[5] + (9 if self.bent else 10) * count[4] + 8 * count[3] + 6 * count[2] + 4 * count[1]
        return NO_ROOM if points > (self.width + 1) * (self.height + 1) else OK

    def allows(self, shape: int) -> bool:
        """Return whether a ship of the fleet may have this shape; any int may be given."""
        return 0 <= shape < SHAPES and self.count[LENGTH[shape]] > 0 and (self.bent or not BENT[shape])

    def shape_of(self, cells: "Sequence[int]", n: int) -> int:
        """Return the shape that the first n of these different cells form, in any order; -1 if it is not allowed."""
        if not 1 <= n <= MAX_LENGTH:
            return -1
        width = self.width
        left = width
        top = self.height
        for i in range(n):
            if cells[i] % width < left:
                left = cells[i] % width
            if cells[i] // width < top:
                top = cells[i] // width
        for shape in range(SHAPES):
            if LENGTH[shape] == n and self.allows(shape):
                fits = True
                at = shape * MAX_LENGTH
                for i in range(n):
                    deck = (top + DECK_Y[at + i]) * width + left + DECK_X[at + i]
                    found = False
                    for j in range(n):
                        if cells[j] == deck:
                            found = True
                    if not found:
                        fits = False
                        break
                if fits:
                    return shape
        return -1
