"""One player's field: its ships, placing them, and the shots it has received.

A cell is y * width + x with x and y from 0. A ship is identified by its length and its first cell, the left or upper
one. Ships are straight and touch neither by side nor by corner.

Random placement comes first: long ships to short, each at a random free place, starting over when a ship has no place
left. That gives varied fields but fails on tight ones. So after some attempts a complete search takes over, which finds
a placement if there is one and otherwise proves that there is none. Both are divided into small steps.
"""

from .const import TYPE_CHECKING
from .field_codes import (  # noqa: F401  (all that who uses a field needs)
    ATTEMPTS,
    DRAWS,
    EMPTY,
    FEWER,
    FEWEST,
    HIT,
    LINES,
    LONGEST,
    MISS,
    NONE_LEFT,
    OK,
    OUT,
    OVERLAP,
    REPEAT,
    S_AGAIN,
    S_BEGIN,
    S_BUILD,
    S_CHECK,
    S_CLEAR,
    S_COMMIT,
    S_DRAW,
    S_IDLE,
    S_LIST,
    S_SEARCH,
    S_TRIM,
    SHOT,
    SUNK,
    TOUCH,
    WALL,
)
from .field_search import FieldSearch

if TYPE_CHECKING:
    from .rng import Rng


class Field(FieldSearch):
    """A field for one fleet at a time. Made once; reset() sets it up for each game.

    ship         per cell: 0 water, else the number of the ship there, 1..; numbers are reused after remove()
    mark         per cell: bits SHOT and EMPTY
    placed       ships on the field
    along_wall   how many of them count as along a wall, by the fleet's reading
    hits         decks hit so far
    """

    def __init__(self, max_cells: int = 100) -> None:
        super().__init__(max_cells)
        ships = max_cells // 2 + 2
        # Random placement: the lengths to place, long to short.
        self._todo = bytearray(ships)
        self._ships = 0
        self._try = 0
        self._spare_lot = 0
        self._nearest = 0  # the fewest ships that any attempt had left when it got stuck
        # Places found for the current ship; of the places in _lot, in row _lot_in >> 1, upright if bit 0, the lowest is
        # drawn.
        self._places = 0
        self._listed = 0  # length of the last ship in this attempt whose places were all listed
        self._lot = 0
        self._lot_in = 0

    # Filling

    def fill(self, rng: "Rng") -> bool:
        """Place the remaining ships at random. If that is impossible, return False and change nothing."""
        self.fill_start(rng)
        while True:
            while self._stage == S_DRAW:
                self._draw()
            while self._stage == S_COMMIT:
                self._commit()
            done = self.fill_step()
            if done >= 0:
                return done == 1

    def random(self, rng: "Rng") -> bool:
        """Clear the field and place the whole fleet at random.

        If that is impossible, return False and leave it empty.
        """
        self.clear()
        return self.fill(rng)

    def fill_start(self, rng: "Rng") -> None:
        """Start filling as fill() does, in steps of fill_step(). Placing or removing a ship in between restarts it."""
        self._rng = rng
        self._stage = S_BEGIN

    def fill_step(self) -> int:
        """Do a small step of filling: return -1 while there is more to do, 1 when done, 0 if it is impossible.

        The field changes only in the last steps. After the end the return value stays the same.
        """
        stage = self._stage
        if stage == S_DRAW:
            self._draw()
        elif stage == S_SEARCH:
            self._search()
        elif stage == S_LIST:
            self._list()
        elif stage == S_COMMIT:
            self._commit()
        elif stage == S_CLEAR:
            self._clear()
        elif stage == S_BUILD:
            self._build_row()
        elif stage == S_TRIM:
            self._trim_row()
        elif stage == S_CHECK:
            self._check()
        elif stage == S_AGAIN:
            self._again()
        elif stage == S_BEGIN:
            self._begin()
        return -1 if self._stage != S_IDLE else self._found

    def _begin(self) -> None:
        fleet = self.fleet
        n = 0
        length = LONGEST
        while length > 0:
            left = self.left(length)
            if n + left > len(self._todo):
                # More than half of the cells: no field has room for that.
                self._end(0)
                return
            while left > 0:
                self._todo[n] = length
                n += 1
                left -= 1
            length -= 1
        self._ships = n
        if n == 0:
            self._end(1)
            return
        # A ship that reaches from wall to wall covers more of the rim than _hopeful() allows for.
        self._rim = fleet.walls and self._todo[0] < fleet.width and self._todo[0] < fleet.height
        self._try = 1
        self._nearest = self._ships
        self._limit = 0
        self._stage = S_AGAIN

    def _check(self) -> None:
        if not self._hopeful():
            self._end(0)
        elif self._try <= ATTEMPTS:
            self._new_try()
        else:
            self._new_order()

    # Random placement

    def _new_try(self) -> None:
        self._spare_lot = self._spare
        self._listed = 0
        self._next_lot()

    def _take_lot(self, x: int, y: int, length: int, vertical: int) -> None:
        n = self._depth
        self._choice[n] = 2 * length + vertical
        self._choice_at[n] = y * (self.width + 1) + x
        self._turn(x, y, length, vertical)
        if self.fleet.on_wall(x, y, length, vertical):
            self._spare_lot -= 1
        self._depth = n + 1
        self._next_lot()

    def _next_lot(self) -> None:
        self._row = 0
        self._places = 0
        if self._depth == self._ships:
            self._stage = S_COMMIT
        else:
            # If one ship of this length was hard to place, so is the next.
            self._stage = S_LIST if self._listed == self._todo[self._depth] else S_DRAW

    def _draw(self) -> None:
        length = self._todo[self._depth]
        columns = self.width - length + 1
        lines = self.height - length + 1
        flat = columns * self.height if columns > 0 else 0
        upright = lines * self.width if length > 1 and lines > 0 else 0
        if flat + upright == 0:
            self._end(0)
            return
        draws = DRAWS
        while draws:
            draws -= 1
            n = self._rng.below(flat + upright)
            if n < flat:
                vertical = 0
                x = n % columns
                y = n // columns
                points = (2 << length) - 1
            else:
                vertical = 1
                n -= flat
                x = n % self.width
                y = n // self.width
                points = 3
            if self._rows[y] >> x & 1:
                continue  # rejects most places that are not free
            if not self._covered(y, length, vertical) >> x & points and (
                self._spare_lot > 0 or not self.fleet.on_wall(x, y, length, vertical)
            ):
                self._take_lot(x, y, length, vertical)
                return
        self._listed = length
        self._next_lot()

    def _list(self) -> None:
        # List all places for the ship, some rows per step, and draw one of them.
        length = self._todo[self._depth]
        rows = self._rows
        y = self._row
        end = min(y + LINES, self.height)
        while y < end:
            # bit x is set if the square of points x, x + 1 in this row and the next is free
            squares = ~(rows[y] | rows[y + 1]) & (2 << self.width) - 1
            squares &= squares >> 1
            if squares:
                places = squares
                n = 1
                while n < length:
                    places &= squares >> n
                    n += 1
                if places:
                    self._list_row(y, places, length, 0)
                if length > 1:
                    covered = self._covered(y + 1, length - 1, 1)
                    squares &= ~(covered | covered >> 1)
                    if squares:
                        self._list_row(y, squares, length, 1)
            y += 1
        self._row = y
        if y < self.height:
            return
        if self._places:
            x = 0
            while not self._lot >> x & 1:
                x += 1
            y = self._lot_in >> 1
            self._take_lot(x, y, length, self._lot_in & 1)
            return
        self._nearest = min(self._nearest, self._ships - self._depth)
        self._try += 1
        if self._try <= (ATTEMPTS if self._nearest == 1 else FEWER if self._nearest == 2 else FEWEST):
            self._stage = S_CLEAR
        else:
            self._try = ATTEMPTS + 1
            self._stage = S_AGAIN

    def _list_row(self, y: int, places: int, length: int, vertical: int) -> None:
        # Places for ships that begin in this row, bit x set for each: remove those that the wall rule forbids.
        if self._spare_lot <= 0:
            last = self.width - (1 if vertical else length)
            # in the first and last row any place may be along a wall, in the others only the outermost
            step = last if last and 0 < y < self.height - (length if vertical else 1) else 1
            x = 0
            while x <= last:
                if places >> x & 1 and self.fleet.on_wall(x, y, length, vertical):
                    places ^= 1 << x
                x += step
            if not places:
                return
        n = 0
        left = places
        while left:
            left &= left - 1
            n += 1
        self._places += n
        lot = self._rng.below(self._places)
        if lot < n:
            # Draw one of these; every place so far stays equally likely.
            while lot:
                lot -= 1
                places &= places - 1
            self._lot = places
            self._lot_in = 2 * y + vertical

    def _clear(self) -> None:
        # Remove the ships of an attempt, some per step.
        n = LINES
        while self._depth and n:
            n -= 1
            self._depth -= 1
            code = self._choice[self._depth]
            point = self._choice_at[self._depth]
            across = self.width + 1
            self._turn(point % across, point // across, code >> 1, code & 1)
        if not self._depth:
            self._new_try()
