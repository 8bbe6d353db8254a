"""One player's field: the ships on it, placing them, and the shots it has taken.

A cell is y * width + x with x and y from 0. A ship is named by its length and its first cell, the left or upper one.
Ships lie straight and touch neither by side nor by corner.

First by lot: long to short, each ship on any of the places left for it, from the start again when one has none left.
That gives varied fields and fails where the field is tight. So after some attempts a complete search takes over, which
finds a placement wherever there is one and proves that there is none where there is not. Both are cut into steps.
"""

from array import array

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
    S_COMMIT,
    S_COUNT,
    S_DRAW,
    S_EMPTY,
    S_IDLE,
    S_KEEP,
    S_ORDER,
    S_PICK,
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
    """A field for one fleet at a time. Made once, it is set up for each game with reset().

    ship         per cell: 0 water, else the number of the ship there, 1..; numbers are reused after remove()
    mark         per cell: bits SHOT and EMPTY
    placed       ships on the field
    along_wall   those of them that count as along a wall, by the fleet's reading
    hits         decks hit so far
    """

    def __init__(self, max_cells: int = 100) -> None:
        super().__init__(max_cells)
        ships = max_cells // 2 + 2
        # By lot: the lengths to place, long to short, and where those placed so far are.
        self._todo = bytearray(ships)
        self._ships = 0
        self._lot = bytearray(ships)
        self._lot_at = bytearray(ships) if len(self._choice) <= 256 else [0] * ships
        self._lots = 0
        self._try = 0
        self._spare_lot = 0
        self._nearest = 0  # the fewest ships that an attempt had left when it was stuck
        # The places for ships of a length, twice a point and 1 if upright: the first _total of them.
        self._open = array("H", bytes(4 * max_cells))
        self._total = 0
        self._listed = 0  # that length
        self._stale = False  # some of them may be covered

    # Filling

    def fill(self, rng: "Rng") -> bool:
        """Place the ships that are left at random. False, and nothing is changed, when that cannot be done."""
        self.fill_start(rng)
        while True:
            while self._stage == S_EMPTY:
                self._empty_row()
            while self._stage == S_DRAW:
                self._draw()
            while self._stage == S_KEEP:
                self._keep()
            while self._stage == S_COMMIT:
                self._commit()
            done = self.fill_step()
            if done >= 0:
                return done == 1

    def random(self, rng: "Rng") -> bool:
        """Clear the field and place the whole fleet at random. False, on an empty field, when that cannot be done."""
        self.clear()
        return self.fill(rng)

    def fill_start(self, rng: "Rng") -> None:
        """Begin what fill() does, to be carried on by fill_step(). Placing or removing in between begins it again."""
        self._rng = rng
        self._stage = S_BEGIN

    def fill_step(self) -> int:
        """A small piece of the filling: -1 while there is more to do, 1 when done, 0 when it cannot be done.

        The field changes only in the last pieces. After the end the answer stays what it was.
        """
        stage = self._stage
        if stage == S_DRAW:
            self._draw()
        elif stage == S_SEARCH:
            self._search()
        elif stage == S_COUNT:
            self._list()
        elif stage == S_PICK:
            self._pick()
        elif stage == S_KEEP:
            self._keep()
        elif stage == S_COMMIT:
            self._commit()
        elif stage == S_EMPTY:
            self._empty_row()
        elif stage == S_BUILD:
            self._build_row()
        elif stage == S_TRIM:
            self._trim_row()
        elif stage == S_CHECK:
            self._check()
        elif stage == S_ORDER:
            self._new_order()
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
        # A ship that reaches from wall to wall covers more of the rim than _hopeful() reckons with.
        self._rim = fleet.walls and self._todo[0] < fleet.width and self._todo[0] < fleet.height
        self._points = (self.width + 1) * (self.height + 1)
        self._try = 1
        self._nearest = self._ships
        self._limit = 0
        self._stage = S_AGAIN

    def _again(self) -> None:
        self._remain = self._ships
        self._spare = self.fleet.wall_max - self.along_wall
        self._area = 0
        self._fewest = 0
        length = 1
        while length <= LONGEST:
            left = self.left(length)
            self._rest[length] = left
            self._area += left * 2 * (length + 1)
            self._fewest += left * ((length + 1) >> 1)
            length += 1
        i = 0
        while i < 8:
            self._free[i] = 0
            i += 1
        self._flip_x = self._rng.below(2)
        self._flip_y = self._rng.below(2)
        self._row = 0
        # The lots need no kinds of points, so a field without ships is made ready sooner.
        self._stage = S_BUILD if self.placed or self._try > ATTEMPTS else S_EMPTY

    def _check(self) -> None:
        if not self._hopeful():
            self._end(0)
        elif self._try <= ATTEMPTS:
            self._new_try()
        else:
            self._stage = S_ORDER

    # By lot: in _cover the number of the attempt that covers the point, so that old attempts count for nothing.

    def _new_try(self) -> None:
        self._lots = 0
        self._listed = 0
        self._spare_lot = self._spare
        self._stage = S_DRAW

    def _take_lot(self, x: int, y: int, length: int, vertical: int) -> None:
        across = self.width + 1
        point = y * across + x
        step = across if vertical else 1
        side = 1 if vertical else across
        n = self._lots
        self._lot[n] = 2 * length + vertical
        self._lot_at[n] = point
        if self.fleet.on_wall(x, y, length, vertical):
            self._spare_lot -= 1
        cover = self._cover
        while length >= 0:
            cover[point] = self._try
            cover[point + side] = self._try
            point += step
            length -= 1
        n += 1
        self._lots = n
        self._row = 0
        self._stage = S_DRAW if n < self._ships else S_KEEP

    def _draw(self) -> None:
        length = self._todo[self._lots]
        flat = (self.width - length + 1) * self.height if length <= self.width else 0
        upright = (self.height - length + 1) * self.width if length > 1 and length <= self.height else 0
        if flat + upright == 0:
            self._end(0)
            return
        width = self.width
        across = width + 1
        cover = self._cover
        level = self._try
        draws = DRAWS
        while draws:
            draws -= 1
            n = self._rng.below(flat + upright)
            vertical = 0
            columns = width - length + 1
            if n >= flat:
                n -= flat
                vertical = 1
                columns = width
            x = n % columns
            y = n // columns
            point = y * across + x
            if cover[point] >= level:
                continue  # most of those that do not fit
            if vertical:
                fits = self._fits(point, across, 1, length, level)
            else:
                fits = self._fits(point, 1, across, length, level)
            if fits and (self._spare_lot > 0 or not self.fleet.on_wall(x, y, length, vertical)):
                self._take_lot(x, y, length, vertical)
                return
        if self._listed == length:
            self._stage = S_PICK
            return
        self._row = 0
        self._total = 0
        self._stage = S_COUNT

    def _list_line(self, line: int, length: int) -> None:
        # Add the places of a line for a ship to the list. Line 0..height-1 is a row for flat ships, height.. a column
        # for upright ones.
        height = self.height
        across = self.width + 1
        vertical = 0
        side = across
        if line >= height:
            vertical = 1
            line -= height
            point = line
            step = across
            side = 1
            points = height + 1
        else:
            point = line * across
            step = 1
            points = across
        cover = self._cover
        level = self._try
        any_wall = self._spare_lot > 0
        open_ = self._open
        n = self._total
        back = 2 * length * step - vertical  # from the last point of a place to its code
        run = 0
        i = -length
        points -= length
        while i < points:
            if cover[point] < level and cover[point + side] < level:
                run += 1
                if run > length and (
                    any_wall
                    or not self.fleet.on_wall(line if vertical else i, i if vertical else line, length, vertical)
                ):
                    open_[n] = 2 * point - back
                    n += 1
            else:
                run = 0
            point += step
            i += 1
        self._total = n

    def _list(self) -> None:
        # List the places for the ship, some lines in a piece.
        length = self._todo[self._lots]
        lines = self.height if length == 1 else self.height + self.width
        line = self._row
        end = min(line + LINES, lines)
        while line < end:
            self._list_line(line, length)
            line += 1
        self._row = line
        if line == lines:
            self._listed = length
            self._stale = False
            self._stage = S_PICK

    def _pick(self) -> None:
        # One of the list. Ships of the same length choose from the same list after another, once what was covered
        # meanwhile is struck out.
        length = self._todo[self._lots]
        if self._stale:
            self._strike_out(length)
        if self._total:
            code = self._open[self._rng.below(self._total)]
            point = code >> 1
            across = self.width + 1
            self._stale = True
            self._take_lot(point % across, point // across, length, code & 1)
            return
        self._nearest = min(self._nearest, self._ships - self._lots)
        self._try += 1
        if self._try <= (ATTEMPTS if self._nearest == 1 else FEWER if self._nearest == 2 else FEWEST):
            self._new_try()
        else:
            self._try = ATTEMPTS + 1
            self._stage = S_AGAIN

    def _strike_out(self, length: int) -> None:
        open_ = self._open
        cover = self._cover
        level = self._try
        across = self.width + 1
        any_wall = self._spare_lot > 0
        kept = 0
        i = 0
        while i < self._total:
            code = open_[i]
            point = code >> 1
            i += 1
            if cover[point] < level and (
                self._fits(point, across, 1, length, level) if code & 1 else self._fits(point, 1, across, length, level)
            ):
                if any_wall or not self.fleet.on_wall(point % across, point // across, length, code & 1):
                    open_[kept] = code
                    kept += 1
        self._total = kept

    def _keep(self) -> None:
        # Hand the lots over in the form in which the search leaves its choices, a point each. The counts of lines are
        # still in the way.
        n = self._row
        if n == 0:
            i = 0
            while i < self.height + self.width:
                self._choice[i] = 0
                i += 1
        self._choice[self._lot_at[n]] = self._lot[n]
        self._row = n + 1
        if n + 1 == self._ships:
            self._point = 0
            self._stage = S_COMMIT
