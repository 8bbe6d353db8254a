"""A player's own field in the variants of the classic game: placing, filling at random, and the shots received.

Filling draws random places first; after many attempts a search takes over, which gives up after a while.
"""

from array import array

from .const import TYPE_CHECKING, const
from .field_codes import HIT, MISS, NONE_LEFT, OUT, OVERLAP, REPEAT, SUNK, TOUCH, WALL
from .fleet import MAX_LENGTH
from .variant_rules import DECK_X, DECK_Y, HIGH, LENGTH, MAX_CELLS, OK, SHAPES, SHIPS_MOST, WIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .rng import Rng
    from .variant_rules import Rules

# Why VariantField refuses a ship, in addition to OUT, OVERLAP, TOUCH, NONE_LEFT and WALL of field.py.
BAD_SHAPE = const(6)

# What fill_step() returns.
BUSY = const(-1)
IMPOSSIBLE = const(0)  # proven: the rest of the fleet has no legal placement
DONE = const(1)
NOT_FOUND = const(2)  # a long search found none, but proved nothing

# Values of VariantField.mark.
SHOT = const(1)
KNOWN = const(2)  # not shot at, but known to be empty next to a wreck

_NO = const(255)  # no shape
_DRAWS = const(40)  # places drawn for a ship before all of them are counted
_LOTS = const(150)  # random placements started before the search
_PLACES = const(60000)  # places checked by the search


class VariantField:
    """A player's own field. max_cells: of the largest field, at most MAX_CELLS.

    width, height, cells   of the field
    ship    by cell: 0 water, else the number of the ship, from 1
    mark    by cell: nonzero where it may not be shot at any more, SHOT or KNOWN
    hits    decks hit
    placed       ships on the field
    along_wall   ships that count as along a wall
    """

    def __init__(self, max_cells: int = MAX_CELLS) -> None:
        self.max_cells = max_cells
        self.ship = bytearray(max_cells)
        self.mark = bytearray(max_cells)
        self._near = bytearray(max_cells)  # decks on the cell or touching it illegally
        # No two ships share a side, so at most every other cell is one.
        ships = (max_cells + 1) // 2 + 1
        if ships > SHIPS_MOST + 1:
            ships = SHIPS_MOST + 1
        self.shape = bytearray(ships)  # by number; _NO for an unused number
        self._at = array("H", bytes(2 * ships))  # by number: the corner of the box
        self._whole = bytearray(ships)  # by number: intact decks
        self._left = bytearray(MAX_LENGTH + 1)  # ships of each length still to be placed
        self._place = array("H", bytes(2 * ships))  # the search's choices, by depth
        self._made = bytearray(ships)  # by depth: the number of the ship
        self.rules: Rules = None  # type: ignore[assignment]  # until reset()
        self.rng: Rng = None  # type: ignore[assignment]  # until fill_start()
        self.width = self.height = self.cells = 0
        self.placed = self.hits = self.along_wall = 0
        # placing at random: ships placed, attempts, places drawn, places checked by the search, position of the scan
        self._depth = self._lot = self._draw = self._looked = self._scan = 0
        self._from = 0  # where the scan starts
        self._tried = -1  # the search's current place

    def reset(self, rules: "Rules") -> None:
        """Make the field empty, under these rules. ValueError if it has more cells than max_cells."""
        if rules.width * rules.height > self.max_cells:
            raise ValueError("field too large")
        self.rules = rules
        self.width = rules.width
        self.height = rules.height
        self.cells = rules.width * rules.height
        self.clear()

    def clear(self) -> None:
        """Remove all ships and shots."""
        for i in range(self.cells):
            self.ship[i] = self.mark[i] = self._near[i] = 0
        for i in range(len(self.shape)):
            self.shape[i] = _NO
            self._whole[i] = 0
        for length in range(MAX_LENGTH + 1):
            self._left[length] = self.rules.count[length]
        self.placed = 0
        self.hits = 0
        self.along_wall = 0

    # Placing.

    def can_place(self, shape: int, x: int, y: int) -> int:
        """Return OK, or why not: BAD_SHAPE, OUT, OVERLAP, TOUCH, NONE_LEFT, WALL, in this order."""
        if not self.rules.allows(shape):
            return BAD_SHAPE
        if not (0 <= x <= self.width - WIDE[shape] and 0 <= y <= self.height - HIGH[shape]):
            return OUT
        if not self._free(shape, y * self.width + x):
            at = shape * MAX_LENGTH
            for i in range(LENGTH[shape]):
                if self.ship[(y + DECK_Y[at + i]) * self.width + x + DECK_X[at + i]]:
                    return OVERLAP
            return TOUCH
        if not self._left[LENGTH[shape]]:
            return NONE_LEFT
        return WALL if self._walled(shape, x, y) else OK

    def place(self, shape: int, x: int, y: int) -> int:
        """Place a ship and return OK, or return can_place()'s reason and change nothing."""
        why = self.can_place(shape, x, y)
        if why == OK:
            self._put(shape, y * self.width + x)
        return why

    def place_cells(self, cells: "Sequence[int]", n: int) -> int:
        """Place a ship on the first n of these cells, all on the field: return OK, or a reason."""
        shape = self.rules.shape_of(cells, n)
        if shape < 0:
            return BAD_SHAPE
        x = self.width
        y = self.height
        for i in range(n):
            if cells[i] % self.width < x:
                x = cells[i] % self.width
            if cells[i] // self.width < y:
                y = cells[i] // self.width
        return self.place(shape, x, y)

    def remove(self, cell: int) -> int:
        """Remove the ship on a cell; return its length, or 0 for water."""
        number = self.ship[cell]
        if not number:
            return 0
        length = LENGTH[self.shape[number]]
        self._take(number)
        return length

    def left(self, length: int) -> int:
        """Return how many ships of a length 1..MAX_LENGTH are still to be placed."""
        return self._left[length]

    def complete(self) -> bool:
        """Return whether the whole fleet is placed."""
        return self.placed == self.rules.ships

    def random(self, rng: "Rng") -> bool:
        """Place the whole fleet at random; see fill()."""
        self.clear()
        return self.fill(rng)

    def fill(self, rng: "Rng") -> bool:
        """Place the rest at random. If that is impossible or no way was found, return False and change nothing."""
        self.fill_start(rng)
        done = BUSY
        while done == BUSY:
            done = self.fill_step()
        return done == DONE

    def fill_start(self, rng: "Rng") -> None:
        """Start placing the rest at random; call fill_step() until it stops returning BUSY."""
        self.rng = rng
        self._depth = 0
        self._lot = 0
        self._draw = 0
        self._looked = 0
        self._scan = self._tried = -1

    def fill_step(self) -> int:
        """Go on for a moment: return BUSY, DONE, IMPOSSIBLE or NOT_FOUND. Ships placed before stay as they are."""
        if self.complete():
            return DONE
        if self.rules.check() != OK:
            return IMPOSSIBLE
        return self._by_lot() if self._lot < _LOTS else self._by_search()

    def _next_length(self) -> int:
        length = MAX_LENGTH
        while not self._left[length]:
            length -= 1
        return length

    def _by_lot(self) -> int:
        # Draw a place; after many failed draws scan all places from a random one, and start over if there is none.
        length = self._next_length()
        if self._scan < 0:
            shape = self.rng.below(SHAPES)
            if LENGTH[shape] != length or not self.rules.allows(shape):
                return BUSY
            if WIDE[shape] <= self.width and HIGH[shape] <= self.height:
                x = self.rng.below(self.width - WIDE[shape] + 1)
                at = self.rng.below(self.height - HIGH[shape] + 1) * self.width + x
                if self._fits(shape, at):
                    self._choose(shape, at)
                    return BUSY
            self._draw += 1
            if self._draw > _DRAWS:
                self._scan = 0
                self._from = self.rng.below(self.cells)
            return BUSY
        at = self._from + self._scan
        if at >= self.cells:
            at -= self.cells
        for shape in range(SHAPES):
            if LENGTH[shape] == length and self.rules.allows(shape) and self._fits(shape, at):
                self._choose(shape, at)
                return BUSY
        self._scan += 1
        if self._scan == self.cells:
            while self._depth:
                self._undo()
            self._lot += 1
            self._draw = 0
            self._scan = -1
            self._tried = -1
        return BUSY

    def _by_search(self) -> int:
        # Try every place in order for the next ship; one of the same length as the last starts behind it.
        length = self._next_length()
        for _ in range(16):
            self._tried += 1
            self._looked += 1
            shape = self._tried // self.cells
            if shape >= SHAPES:
                if not self._depth:
                    return IMPOSSIBLE
                self._back()
                return BUSY
            if LENGTH[shape] != length or not self.rules.allows(shape):
                self._tried = (shape + 1) * self.cells - 1
                continue
            if self._fits(shape, self._tried % self.cells):
                tried = self._tried
                self._choose(shape, tried % self.cells)
                self._place[self._depth - 1] = tried
                if not self.complete():
                    self._tried = tried if self._next_length() == length else -1
                return BUSY
        if self._looked > _PLACES:
            while self._depth:
                self._undo()
            return NOT_FOUND
        return BUSY

    def _back(self) -> None:
        self._tried = self._place[self._depth - 1]
        self._undo()

    def _choose(self, shape: int, at: int) -> None:
        self._made[self._depth] = self._put(shape, at)
        self._depth += 1
        self._draw = 0
        self._scan = -1

    def _undo(self) -> None:
        self._depth -= 1
        self._take(self._made[self._depth])

    def _fits(self, shape: int, at: int) -> bool:
        x = at % self.width
        y = at // self.width
        if x + WIDE[shape] > self.width or y + HIGH[shape] > self.height or not self._free(shape, at):
            return False
        return not self._walled(shape, x, y)

    def _walled(self, shape: int, x: int, y: int) -> bool:
        # Whether a ship there would be one too many along a wall.
        rules = self.rules
        return self.along_wall >= rules.wall_max and rules.counts_on_wall(x, y, WIDE[shape], HIGH[shape])

    def _free(self, shape: int, at: int) -> bool:
        table = shape * MAX_LENGTH
        for i in range(LENGTH[shape]):
            if self._near[at + DECK_Y[table + i] * self.width + DECK_X[table + i]]:
                return False
        return True

    def _put(self, shape: int, at: int) -> int:
        number = 1
        while self.shape[number] != _NO:
            number += 1
        self.shape[number] = shape
        self._at[number] = at
        self._whole[number] = LENGTH[shape]
        self._left[LENGTH[shape]] -= 1
        self.placed += 1
        self._draw_ship(number, number, 1)
        return number

    def _take(self, number: int) -> None:
        self._draw_ship(number, 0, -1)
        self._left[LENGTH[self.shape[number]]] += 1
        self.placed -= 1
        self.shape[number] = _NO
        self._whole[number] = 0

    def _draw_ship(self, number: int, code: int, change: int) -> None:
        shape = self.shape[number]
        table = shape * MAX_LENGTH
        at = self._at[number]
        if self.rules.counts_on_wall(at % self.width, at // self.width, WIDE[shape], HIGH[shape]):
            self.along_wall += change
        for i in range(LENGTH[shape]):
            cell = at + DECK_Y[table + i] * self.width + DECK_X[table + i]
            self.ship[cell] = code
            x = cell % self.width
            y = cell // self.width
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if 0 <= x + u < self.width and 0 <= y + v < self.height:
                        self._near[cell + v * self.width + u] += change

    # The battle.

    def shoot(self, cell: int) -> int:
        """Shoot at a cell: return MISS, HIT, SUNK, or REPEAT if it is already open."""
        if self.mark[cell]:
            return REPEAT
        self.mark[cell] = SHOT
        number = self.ship[cell]
        if not number:
            return MISS
        self.hits += 1
        self._whole[number] -= 1
        if self._whole[number]:
            return HIT
        shape = self.shape[number]
        table = shape * MAX_LENGTH
        for i in range(LENGTH[shape]):
            at = self._at[number] + DECK_Y[table + i] * self.width + DECK_X[table + i]
            x = at % self.width
            y = at // self.width
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if 0 <= x + u < self.width and 0 <= y + v < self.height:
                        near = at + v * self.width + u
                        if not self.mark[near]:
                            self.mark[near] = KNOWN
        return SUNK

    def afloat(self, length: int) -> int:
        """Return how many ships of a length are placed and not sunk."""
        n = 0
        for number in range(1, len(self.shape)):
            if self._whole[number] and LENGTH[self.shape[number]] == length:
                n += 1
        return n

    def lost(self) -> bool:
        """Return whether every deck of the fleet is hit."""
        return self.hits == self.rules.decks

    def is_hit(self, cell: int) -> bool:
        """Return whether a deck on this cell is hit."""
        return self.ship[cell] != 0 and self.mark[cell] == SHOT

    def is_sunk(self, cell: int) -> bool:
        """Return whether the ship on this cell is sunk."""
        return self.ship[cell] != 0 and not self._whole[self.ship[cell]]
