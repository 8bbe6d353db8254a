"""What a radar knows of the other's field, and which earlier answer contradicts a false one."""

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
_LINES = const(60)  # rows and columns; a row of up to 29 cells fits into a small integer


def run_before(bits: int, at: int) -> int:
    """Return how many bits without a gap are set before position `at`."""
    n = 0
    bit = 1 << at >> 1
    while bits & bit:
        bit >>= 1
        n += 1
    return n


def run_after(bits: int, at: int) -> int:
    """Return how many bits without a gap are set after position `at`."""
    n = 0
    bits >>= at + 1
    while bits & 1:
        bits >>= 1
        n += 1
    return n


class RadarState:
    """The part of Radar that holds and looks up what is known."""

    def __init__(self, max_cells: int = 100) -> None:
        """max_cells: cells of the largest field. No side may be longer than 29."""
        self.cell = bytearray(max_cells)
        self.near = bytearray(max_cells)
        self.lines = [0] * _LINES
        self.wound_lines = [0] * _LINES
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
        self._place_bits = 0  # a place of the longest ship: its cells as bits, 0 if it must be searched again
        self._place_line = 0  # its line; earlier lines have no place
        self._place_for = 0  # the length it was searched for
        self._wounded = bytearray(6)  # wounded ships checked, by their minimum length
        self._turn = 0  # the next wound to check, if there are many

    def reset(self, fleet: "Fleet") -> None:
        """Start with an unknown field for this seabattle.fleet.Fleet.

        The fleet must not change while the radar is in use.
        """
        self.fleet = fleet
        self.width = fleet.width
        self.height = fleet.height
        n = self.width * self.height
        self._clear(n)
        lines = self.lines
        wound_lines = self.wound_lines
        bits = (1 << self.width) - 1
        for i in range(self.height + self.width):
            if i == self.height:
                bits = (1 << self.height) - 1
            lines[i] = bits
            wound_lines[i] = 0
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

    def _clear(self, count: int) -> None:
        # Nothing is known of the first `count` cells.
        cells = self.cell
        near = self.near
        for i in range(count):
            cells[i] = UNKNOWN
            near[i] = 0

    def can_shoot(self, cell: int) -> bool:
        """Return whether the cell was not shot at and may hold a ship."""
        return self.cell[cell] == UNKNOWN

    def afloat(self, length: int) -> int:
        """Return how many ships of the length, 1..5, are not sunk."""
        return self.left[length]

    def won(self) -> bool:
        """Return whether every deck is hit."""
        return self.hits == self.fleet.decks

    # Cells and their neighbours

    def _at(self, x: int, y: int) -> int:
        # What is known of a cell; EMPTY off the field.
        if 0 <= x < self.width and 0 <= y < self.height:
            return self.cell[y * self.width + x]
        return EMPTY

    def _reach(self, cell: int, step: int, most: int) -> int:
        # Count the cells after this one without a gap that are HIT or SUNK, up to `most`.
        cells = self.cell
        n = 0
        while n < most:
            cell += step
            what = cells[cell]
            if what != HIT and what != SUNK:
                break
            n += 1
        return n

    # Which earlier answer contradicts a false one. `cell` still holds all that was known before it.

    def _name(self, cell: int) -> None:
        self.against = cell if cell != self.last else NO_CELL  # the answer itself is not an earlier one
        what = self.cell[cell]
        # All decks of a sunk ship are SUNK here, but only one was answered so.
        if what == SUNK and self.near[cell] != 2:
            what = HIT
        self.against_result = what - MISS

    def _name_beside(self, x: int, y: int, what: int) -> None:
        # A neighbour that is `what`: corners first, since those forbid the cell.
        for side in range(2):
            for j in range(y - 1, y + 2):
                for i in range(x - 1, x + 2):
                    if (i == x or j == y) == (side == 1) and (i != x or j != y) and self._at(i, j) == what:
                        self._name(self._called(i, j) if what == SUNK else j * self.width + i)
                        return

    def _called(self, x: int, y: int) -> int:
        # The cell of this sunk ship whose answer was "sunk".
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
        # A sunk ship of this length, or, for 0, one along a wall.
        width = self.width
        for cell in range(width * self.height):
            if self.near[cell] == 2:
                x = cell % width
                y = cell // width
                left = self._reach(cell, -1, x)
                up = self._reach(cell, -width, y)
                across = left + 1 + self._reach(cell, 1, width - 1 - x)
                down = up + 1 + self._reach(cell, width, self.height - 1 - y)
                fits = across == length or down == length
                if length and fits and across + down == length + 1:
                    self._name(cell)
                    return
                if not length and self.fleet.lies_along(x - left, y - up, across, down):
                    self._name(cell)
                    return

    def _name_around(self, x: int, y: int, across: int, down: int) -> None:
        # What blocks the wounded ship with this first deck: a miss at one of its ends, or else one of its decks.
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
