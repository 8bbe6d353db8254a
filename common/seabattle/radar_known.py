"""What a radar knows of the other's field, and which earlier answer a false one contradicts."""

from .const import TYPE_CHECKING, const
from .field_codes import LONGEST

if TYPE_CHECKING:
    from .fleet import Fleet

# Values of Radar.cell.
UNKNOWN = const(0)
MISS = const(1)
HIT = const(2)  # and its ship not sunk
SUNK = const(3)
EMPTY = const(4)  # not shot at, but no ship can be there

NO_CELL = const(255)

_GAMES = const(0x3FFFFFFF)
_LINES = const(60)  # rows and columns; a row's bits are small integers up to 29 cells


class RadarKnown:
    """See Radar."""

    def __init__(self, max_cells: int = 100) -> None:
        """max_cells: cells of the largest field. No side is longer than 29."""
        self.cell = bytearray(max_cells)
        self.near = bytearray(max_cells)
        self.lines = [0] * _LINES
        self.left = bytearray(LONGEST + 1)
        self.longest = 0
        self.sunk = 0
        self.games = 0
        self.wound_x = bytearray(max_cells)
        self.wound_y = bytearray(max_cells)
        self.fleet: Fleet = None  # type: ignore[assignment]  # until reset()
        self.width = 0
        self.height = 0
        self.hits = 0
        self.unknown = 0
        self.wounds = 0
        self.run_x = self.run_y = self.across = self.down = 0
        self.walls = 0
        self.walls_strict = 0
        self.against = NO_CELL
        self.against_result = 0
        self.last = 0
        self._place_bits = 0  # a place of the longest ship: its cells, or 0 where it has to be looked for
        self._place_line = 0  # and its line; those before it have none
        self._place_for = 0  # for a ship of this length
        self._wounded = bytearray(6)  # of those looked at: by length, the least that they can have
        self._turn = 0  # the next to be looked at, where there are many

    def reset(self, fleet: "Fleet") -> None:
        """Know nothing of a field with this seabattle.fleet.Fleet, which must not change while the radar is in use."""
        self.fleet = fleet
        self.width = fleet.width
        self.height = fleet.height
        n = self.width * self.height
        cells = self.cell
        near = self.near
        for i in range(n):
            cells[i] = UNKNOWN
            near[i] = 0
        lines = self.lines
        for i in range(self.height):
            lines[i] = (1 << self.width) - 1
        for i in range(self.height, self.height + self.width):
            lines[i] = (1 << self.height) - 1
        self.games = (self.games + 1) & _GAMES
        self.sunk = 0
        self.longest = 0
        for i in range(1, LONGEST + 1):
            self.left[i] = fleet.count[i]
            if fleet.count[i]:
                self.longest = i
        self._place_bits = 0
        self._place_for = 0
        self.hits = 0
        self.unknown = n
        self.wounds = 0
        self.walls = 0
        self.walls_strict = 0
        self.against = NO_CELL
        self._turn = 0

    def can_shoot(self, cell: int) -> bool:
        """Whether the cell was not shot at and may hold a ship."""
        return self.cell[cell] == UNKNOWN

    def afloat(self, length: int) -> int:
        """How many ships of the length, 1..5, are not sunk."""
        return self.left[length]

    def won(self) -> bool:
        """Whether every deck is hit."""
        return self.hits == self.fleet.decks

    # Cells and what follows them.

    def _at(self, x: int, y: int) -> int:
        # What is known of a cell; EMPTY off the field.
        if 0 <= x < self.width and 0 <= y < self.height:
            return self.cell[y * self.width + x]
        return EMPTY

    def _reach(self, cell: int, step: int, most: int, also: int) -> int:
        # How many cells follow this one without a gap and are HIT or `also`; there are so many up to the wall, or no
        # more are asked for.
        cells = self.cell
        n = 0
        while n < most:
            cell += step
            what = cells[cell]
            if what != HIT and what != also:
                break
            n += 1
        return n

    # Which earlier answer a false one contradicts. All that was known before it is still in `cell`.

    def _name(self, cell: int) -> None:
        self.against = cell if cell != self.last else NO_CELL  # the answer itself is no earlier one
        what = self.cell[cell]
        # Of a sunk ship all decks are SUNK here, but one alone was called so.
        if what == SUNK and self.near[cell] != 2:
            what = HIT
        self.against_result = what - MISS

    def _name_beside(self, x: int, y: int, what: int) -> None:
        # The neighbour that is `what`: one at a corner first, since that is what forbids the cell.
        for side in range(2):
            for j in range(y - 1, y + 2):
                for i in range(x - 1, x + 2):
                    if (i == x or j == y) == (side == 1) and (i != x or j != y) and self._at(i, j) == what:
                        self._name(self._called(i, j) if what == SUNK else j * self.width + i)
                        return

    def _called(self, x: int, y: int) -> int:
        # Of the sunk ship with this deck the cell whose answer said so.
        cells = self.cell
        width = self.width
        for step in (-width, -1, 1, width):
            cell = y * width + x
            while 0 <= cell < width * self.height and cells[cell] == SUNK:
                if self.near[cell] == 2:
                    return cell
                if (step == -1 and cell % width == 0) or (step == 1 and cell % width == width - 1):
                    break
                cell += step
        return y * width + x

    def _name_sunk(self, length: int) -> None:
        # A ship of this length that was sunk, or with 0 one that stands along a wall.
        width = self.width
        for cell in range(width * self.height):
            if self.near[cell] == 2:
                x = cell % width
                y = cell // width
                left = self._reach(cell, -1, x, SUNK)
                up = self._reach(cell, -width, y, SUNK)
                across = left + 1 + self._reach(cell, 1, width - 1 - x, SUNK)
                down = up + 1 + self._reach(cell, width, self.height - 1 - y, SUNK)
                fits = across == length or down == length
                if length and fits and across + down == length + 1:
                    self._name(cell)
                    return
                if not length and self.fleet.lies_along(x - left, y - up, across, down):
                    self._name(cell)
                    return

    def _name_around(self, x: int, y: int, across: int, down: int) -> None:
        # What hems in the wounded ship whose first deck this is: a miss at one of its ends, or else a deck of it.
        for k in range(4):
            i = x
            j = y
            if k == 0:
                i = x - 1
            elif k == 1:
                j = y - 1
            elif k == 2:
                i = x + 1 + across
            else:
                j = y + 1 + down
            if (down and k % 2 == 0) or (across and k % 2):
                continue
            what = self._at(i, j)
            if what == MISS:
                self._name(j * self.width + i)
                return
            if what == EMPTY and 0 <= i < self.width and 0 <= j < self.height and self.near[j * self.width + i]:
                self._name_beside(i, j, SUNK)
                return
        cell = y * self.width + x
        if cell == self.last:
            cell += 1 if across else self.width if down else 0
        self._name(cell)
