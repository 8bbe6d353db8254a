"""What a player knows of the other's field in the variants of the classic game, and which answers cannot be true."""

from array import array

from .const import TYPE_CHECKING, const
from .field_codes import MISS, REPEAT, SUNK
from .fleet import MAX_LENGTH
from .radar_state import EMPTY, UNKNOWN
from .radar_state import HIT as SEEN_HIT
from .radar_state import MISS as SEEN_MISS
from .radar_state import SUNK as SEEN_SUNK
from .variant_rules import DECK_X, DECK_Y, HIGH, LENGTH, MAX_CELLS, OK, SHAPES, WIDE

if TYPE_CHECKING:
    from .variant_rules import Rules

# Why an answer cannot be true, from VariantRadar.answer().
FALSE_REPEAT = const(1)  # "repeated" for a cell that was not open, or another answer for one that was
NO_SUCH_SHIP = const(2)  # the sunk cells form no ship of the fleet, or none of that kind is left
NO_PLACE = const(3)  # a wounded ship that fits nowhere, or more decks left than cells
SHIPS_TOUCH = const(4)  # a sunk ship next to a wounded one
ALONG_WALL = const(5)  # one sunk ship more along a wall than allowed, by the lenient reading


def component(cells: int, source: bytearray, wanted: int, width: int, parts: "array[int]") -> int:
    """Collect into `parts` the cells joined by sides to parts[0] where source[cell] == wanted.

    Returns how many, or MAX_LENGTH + 1 for more than a ship can have. `parts` must have room for that many.
    """
    n = 1
    i = 0
    while i < n:
        cell = parts[i]
        x = cell % width
        for side in range(4):
            if side == 0:
                if x == 0:
                    continue
                at = cell - 1
            elif side == 1:
                if x == width - 1:
                    continue
                at = cell + 1
            elif side == 2:
                at = cell - width
            else:
                at = cell + width
            if not 0 <= at < cells or source[at] != wanted:
                continue
            known = False
            for j in range(n):
                if parts[j] == at:
                    known = True
            if not known:
                parts[n] = at
                n += 1
                if n > MAX_LENGTH:
                    return n
        i += 1
    return n


class VariantRadar:
    """What a player knows of the other's field. max_cells as for VariantField.

    cell    by cell: UNKNOWN, MISS, HIT, SUNK or EMPTY of radar.py
    hits    decks of the other that are hit
    walls   sunk ships along a wall, by the lenient reading of the wall rule
    """

    def __init__(self, max_cells: int = MAX_CELLS) -> None:
        self.cell = bytearray(max_cells)
        self._afloat = bytearray(MAX_LENGTH + 1)
        self.parts = array("H", bytes(2 * (MAX_LENGTH + 1)))
        self.rules: Rules = None  # type: ignore[assignment]  # until reset()
        self.width = self.height = self.cells = self.hits = self.walls = 0

    def reset(self, rules: "Rules") -> None:
        """Start with an unknown field under these rules."""
        self.rules = rules
        self.width = rules.width
        self.height = rules.height
        self.cells = rules.width * rules.height
        for i in range(self.cells):
            self.cell[i] = UNKNOWN
        for length in range(MAX_LENGTH + 1):
            self._afloat[length] = rules.count[length]
        self.hits = self.walls = 0

    def can_shoot(self, cell: int) -> bool:
        """Return whether a shot at this cell can reveal anything; any int may be given."""
        return 0 <= cell < self.cells and self.cell[cell] == UNKNOWN

    def afloat(self, length: int) -> int:
        """Return how many ships of a length the other still has."""
        return self._afloat[length]

    def won(self) -> bool:
        """Return whether the other's whole fleet is sunk."""
        return self.hits == self.rules.decks

    def answer(self, cell: int, result: int) -> int:
        """Record the answer MISS, HIT, SUNK or REPEAT to a shot at a cell of the field.

        Returns 0, or why it cannot be true (FALSE_REPEAT, NO_SUCH_SHIP, NO_PLACE, SHIPS_TOUCH, ALONG_WALL), which
        proves that the other cheats.
        """
        if self.cell[cell] != UNKNOWN:
            return OK if result == REPEAT else FALSE_REPEAT
        if result == REPEAT:
            return FALSE_REPEAT
        if result == MISS:
            self.cell[cell] = SEEN_MISS
        else:
            self.cell[cell] = SEEN_HIT
            self.hits += 1
            if result == SUNK:
                why = self._sink(cell)
                if why:
                    return why
        unknown = 0
        for at in range(self.cells):
            if self.cell[at] == UNKNOWN:
                unknown += 1
            elif self.cell[at] == SEEN_HIT and not self._possible(at):
                return NO_PLACE
        return OK if self.rules.decks - self.hits <= unknown else NO_PLACE

    def _sink(self, cell: int) -> int:
        parts = self.parts
        parts[0] = cell
        n = component(self.cells, self.cell, SEEN_HIT, self.width, parts)
        if self.rules.shape_of(parts, n) < 0 or not self._afloat[n]:
            return NO_SUCH_SHIP
        self._afloat[n] -= 1
        for i in range(n):
            self.cell[parts[i]] = SEEN_SUNK
        touch = OK
        left = right = cell % self.width
        top = low = cell // self.width
        for i in range(n):
            x = parts[i] % self.width
            y = parts[i] // self.width
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            low = max(low, y)
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if 0 <= x + u < self.width and 0 <= y + v < self.height:
                        near = parts[i] + v * self.width + u
                        if self.cell[near] == UNKNOWN:
                            self.cell[near] = EMPTY
                        elif self.cell[near] == SEEN_HIT:
                            touch = SHIPS_TOUCH
        if self.rules.lies_along(left, top, right - left + 1, low - top + 1):
            self.walls += 1
            if self.walls > self.rules.wall_max:
                return ALONG_WALL
        return touch

    def _possible(self, cell: int) -> bool:
        for shape in range(SHAPES):
            if self._afloat[LENGTH[shape]] and self.rules.allows(shape):
                for i in range(LENGTH[shape]):
                    if self.place_with(cell, shape, i) >= 0:
                        return True
        return False

    def place_with(self, cell: int, shape: int, i: int) -> int:
        """Return where a ship lies whose deck i is wounded on this cell: the corner of its box; -1 if it cannot."""
        table = shape * MAX_LENGTH
        x = cell % self.width - DECK_X[table + i]
        y = cell // self.width - DECK_Y[table + i]
        if x < 0 or y < 0 or x + WIDE[shape] > self.width or y + HIGH[shape] > self.height:
            return -1
        at = y * self.width + x
        unknown = False
        for i in range(LENGTH[shape]):
            seen = self.cell[at + DECK_Y[table + i] * self.width + DECK_X[table + i]]
            if seen == UNKNOWN:
                unknown = True
            elif seen != SEEN_HIT:
                return -1
        # it has a deck left, or it would have been sunk; and it must not touch another ship's deck
        return at if unknown and self._alone(shape, at) else -1

    def _alone(self, shape: int, at: int) -> bool:
        table = shape * MAX_LENGTH
        n = LENGTH[shape]
        width = self.width
        for i in range(n):
            cell = at + DECK_Y[table + i] * width + DECK_X[table + i]
            x = cell % width
            y = cell // width
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if not (0 <= x + u < width and 0 <= y + v < self.height):
                        continue
                    near = cell + v * width + u
                    if self.cell[near] != SEEN_HIT:
                        continue
                    own = False
                    for j in range(n):
                        if at + DECK_Y[table + j] * width + DECK_X[table + j] == near:
                            own = True
                    if not own:
                        return False
        return True
