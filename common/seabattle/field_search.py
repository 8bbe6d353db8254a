"""A complete search for a placement: finds one wherever one exists.

Like the random placement in field.py, it works on a lattice of (width + 1) x (height + 1) points, the corners of the
cells. A ship of n cells covers the 2 * (n + 1) points around it, and two ships touch exactly when they share a point.
So placing a fleet means packing rectangles n + 1 long and 2 wide. A row of points is an integer with bit x set where
point x is covered.

The search visits the points row by row; at each free one it tries every kind of ship with its first corner there, in
random order, and as a last resort leaves the point bare for good. It backtracks as soon as the remaining ships cannot
fit any more, by three bounds:

  - a ship takes 2 * (n + 1) of the free points;
  - of the points whose x and y have given parities a ship takes at least (n + 1) // 2;
  - only ships along a wall, whose number may be limited, cover points on the rim: the others need room inside.

An order either leads to a placement within some dozens of points or not for a long time, and what comes first in it
matters most. So the search soon starts over, with the field mirrored and another kind of ship first each time, ships
along the rows before the others. Later it starts over after a number of points that doubles each time, so it always
terminates.
"""

from .const import TYPE_CHECKING
from .field_codes import (
    BARE,
    FIRST_LIMIT,
    LAST_LIMIT,
    LONGEST,
    S_AGAIN,
    S_BUILD,
    S_CHECK,
    S_COMMIT,
    S_IDLE,
    S_SEARCH,
    S_TRIM,
    SLOW_LIMIT,
)
from .field_ships import FieldShips

if TYPE_CHECKING:
    from .rng import Rng


class FieldSearch(FieldShips):
    """The part of Field that searches for a placement."""

    def __init__(self, max_cells: int) -> None:
        super().__init__(max_cells)
        points = 2 * max_cells + 2
        # Covered points by row; the bit after the last point is set, rows after the last are all covered.
        self._rows = [0] * (max_cells + 1 + LONGEST)
        # The choices so far, 2 * length + vertical or BARE, their points, and how many there are.
        self._choice = bytearray(points)
        self._choice_at = bytearray(points) if points <= 256 else [0] * points
        self._depth = 0
        self._x = 0  # the current point
        self._y = 0
        self._flip_x = 0
        self._flip_y = 0
        self._row = 0
        self._reach = 0  # points of the last row that a ship on this row and that one can cover
        self._rng: Rng = None  # type: ignore[assignment]  # until fill_start()
        self._found = 0
        # Ships left of each length, in all, and how many of them may be along a wall.
        self._rest = bytearray(LONGEST + 1)
        self._remain = 0
        self._spare = 0
        self._rim = False
        # Points that these ships cover; points that may still stay bare, in all and by kind (parity of x + 2 * parity
        # of y); free points inside the rim, by kind.
        self._area = 0
        self._bare = 0
        self._bare_of = [0] * 4
        self._inner = [0] * 4
        self._corners = 0  # free corners of the field
        # The order of kinds to try as a linked list, 0 at the end: as drawn, and the current permutation.
        self._drawn = bytearray(2 * LONGEST + 2)
        self._next = bytearray(2 * LONGEST + 2)
        self._kinds = 0  # kinds in it
        self._orders = 0  # permutations tried so far
        self._nodes = 0
        self._limit = 0

    def _end(self, found: int) -> None:
        self._found = found
        self._stage = S_IDLE

    def _again(self) -> None:
        # Reset the rows of points and the counts.
        self._remain = self.fleet.ships - self.placed
        self._spare = self.fleet.wall_max - self.along_wall
        self._area = 0
        fewest = 0
        length = 1
        while length <= LONGEST:
            left = self.left(length)
            self._rest[length] = left
            self._area += left * 2 * (length + 1)
            fewest += left * ((length + 1) >> 1)
            length += 1
        width = self.width
        height = self.height
        rows = self._rows
        y = 0
        while y <= height:
            rows[y] = 2 << width
            y += 1
        while y <= height + LONGEST:
            rows[y] = (4 << width) - 1
            y += 1
        self._bare = -self._area
        kind = 0
        while kind < 4:
            self._bare_of[kind] = -fewest
            self._inner[kind] = 0
            kind += 1
        self._corners = 0
        self._flip_x = self._rng.below(2)
        self._flip_y = self._rng.below(2)
        self._depth = 0
        self._row = 0
        if self.placed:
            self._stage = S_BUILD
            return
        self._bare += (width + 1) * (height + 1)
        self._corners = 4
        while kind:
            kind -= 1
            odd_x = kind & 1
            odd_y = kind >> 1
            self._bare_of[kind] += ((width + 2 - odd_x) >> 1) * ((height + 2 - odd_y) >> 1)
            self._inner[kind] = ((width - 1 + odd_x) >> 1) * ((height - 1 + odd_y) >> 1)
        self._stage = S_CHECK

    def _build_row(self) -> None:
        # Cover the points around the ships in one row of the field.
        width = self.width
        y = self._row
        cell = (self.height - 1 - y if self._flip_y else y) * width
        step = 1
        if self._flip_x:
            cell += width - 1
            step = -1
        taken = 0
        x = 0
        while x < width:
            if self.ship[cell]:
                taken |= 3 << x
            cell += step
            x += 1
        self._rows[y] |= taken
        y += 1
        self._rows[y] |= taken
        self._row = y
        if y == self.height:
            self._row = 0
            self._stage = S_TRIM

    def _trim_row(self) -> None:
        # A free point that is in no free square of 2 x 2 is out of reach of every ship. Count the others.
        rows = self._rows
        width = self.width
        height = self.height
        y = self._row
        squares = ~(rows[y] | rows[y + 1]) & ((2 << width) - 1)
        squares &= squares >> 1
        squares |= squares << 1
        free = squares | self._reach if y else squares
        self._reach = squares
        rows[y] = (4 << width) - 1 ^ free
        bare_of = self._bare_of
        x = 0
        while x <= width:
            if free & 1:
                kind = (x & 1) | (y & 1) << 1
                self._bare += 1
                bare_of[kind] += 1
                if 0 < x < width:
                    if 0 < y < height:
                        self._inner[kind] += 1
                elif y == 0 or y == height:
                    self._corners += 1
            free >>= 1
            x += 1
        self._row = y + 1
        if y == height:
            self._stage = S_CHECK

    def _covered(self, y: int, length: int, vertical: int) -> int:
        # The union of the covered points in the rows of a ship.
        rows = self._rows
        covered = rows[y] | rows[y + 1]
        if vertical:
            end = y + length
            y += 1
            while y < end:
                y += 1
                covered |= rows[y]
        return covered

    def _turn(self, x: int, y: int, length: int, vertical: int) -> None:
        # Toggle the points of a ship between free and covered.
        rows = self._rows
        if vertical:
            points = 3 << x
            end = y + length
        else:
            points = ((2 << length) - 1) << x
            end = y + 1
        while y <= end:
            rows[y] ^= points
            y += 1

    def _commit(self) -> None:
        # Put one ship of the solution on the field.
        n = self._row
        while self._choice[n] == BARE:
            n += 1
        self._row = n + 1
        point = self._choice_at[n]
        code = self._choice[n]
        length = code >> 1
        vertical = code & 1
        x = point % (self.width + 1)
        y = point // (self.width + 1)
        if self._flip_x:
            x = self.width - x - (1 if vertical else length)
        if self._flip_y:
            y = self.height - y - (length if vertical else 1)
        self._put(x, y, length, vertical)
        if self.complete():
            self._end(1)

    def _draw_order(self) -> None:
        # Horizontal ships first, then the others, which leave out one-deck ships.
        drawn = self._drawn
        drawn[0] = BARE
        self._kinds = 0
        upright = 0
        before = 0  # the last horizontal ship, or the start
        while upright < 2:
            n = 1
            length = LONGEST
            while length > upright:
                if self._rest[length]:
                    code = 2 * length + upright
                    last = before
                    i = self._rng.below(n)
                    while i:
                        last = drawn[last]
                        i -= 1
                    drawn[code] = drawn[last]
                    drawn[last] = code
                    n += 1
                length -= 1
            while drawn[before] != BARE:
                before = drawn[before]
                self._kinds += 1
            upright += 1
        self._orders = 0
        self._limit = FIRST_LIMIT

    def _new_order(self) -> None:
        # The digits of the permutation's number, lowest first, select which remaining kind comes next.
        if self._limit == 0:
            self._draw_order()
        elif self._limit < SLOW_LIMIT:
            self._limit += 1
        elif self._limit < LAST_LIMIT:
            self._limit *= 2
        next_ = self._next
        i = 2 * LONGEST + 2
        while i:
            i -= 1
            next_[i] = self._drawn[i]
        next_[BARE] = 0
        digits = self._orders
        last = 0
        left = self._kinds
        while left > 1:
            i = digits % left
            digits //= left
            before = last
            while i:
                before = next_[before]
                i -= 1
            code = next_[before]
            next_[before] = next_[code]
            next_[code] = next_[last]
            next_[last] = code
            last = code
            left -= 1
        self._orders += 1
        self._nodes = 0
        self._x = -1
        self._y = 0
        self._depth = -1
        self._next_point()
        self._stage = S_SEARCH

    def _next_point(self) -> None:
        # Go to the next free point; there is one while something is left to place and can still fit.
        x = self._x + 1
        y = self._y
        row = self._rows[y] >> x
        while row & 1:
            row >>= 1
            x += 1
            if x > self.width:
                x = 0
                y += 1
                row = self._rows[y]
        self._x = x
        self._y = y
        self._depth += 1
        self._choice[self._depth] = 0
        self._choice_at[self._depth] = y * (self.width + 1) + x

    def _search(self) -> None:
        # Make the next choice at the current point; after the last one, backtrack.
        depth = self._depth
        x = self._x
        y = self._y
        rest = self._rest
        next_ = self._next
        covered = (self._rows[y] | self._rows[y + 1]) >> x
        code = next_[self._choice[depth]]
        while code > BARE:
            length = code >> 1
            if rest[length]:
                vertical = code & 1
                if vertical:
                    free = not (covered & 3 or self._covered(y, length, 1) >> x & 3)
                else:
                    free = not covered & (2 << length) - 1
                if free and (self._spare > 0 or not self.fleet.on_wall(x, y, length, vertical)):
                    break
            code = next_[code]
        self._choice[depth] = code
        if code == 0 or (code == BARE and (self._bare == 0 or self._bare_of[x & 1 | (y & 1) << 1] == 0)):
            if depth == 0:
                self._end(0)
                return
            depth -= 1
            self._depth = depth
            self._x = self._choice_at[depth] % (self.width + 1)
            self._y = self._choice_at[depth] // (self.width + 1)
            self._apply(self._choice[depth], 1)
            return
        self._apply(code, -1)
        if self._remain == 0:
            self._row = 0
            self._stage = S_COMMIT
        elif not self._hopeful():
            self._apply(code, 1)
        elif self._nodes == self._limit:
            self._stage = S_AGAIN
        else:
            self._nodes += 1
            self._next_point()

    def _apply(self, code: int, change: int) -> None:
        # Apply (change -1) or undo (1) a choice at the current point.
        x = self._x
        y = self._y
        bare_of = self._bare_of
        inner = self._inner
        if code == BARE:
            self._rows[y] ^= 1 << x
            kind = (x & 1) | (y & 1) << 1
            self._bare += change
            bare_of[kind] += change
            if 0 < x < self.width:
                if 0 < y < self.height:
                    inner[kind] += change
            elif y == 0 or y == self.height:
                self._corners += change
            return
        length = code >> 1
        vertical = code & 1
        self._turn(x, y, length, vertical)
        self._rest[length] += change
        self._remain += change
        self._area += change * 2 * (length + 1)
        # `at` is the position along the ship, `across` the other one; `step` is what a step along it changes in the
        # kind.
        if vertical:
            at = y
            across = x
            end = self.height
            end_across = self.width
            step = 2
        else:
            at = x
            across = y
            end = self.width
            end_across = self.height
            step = 1
        kind = (x & 1) | (y & 1) << 1
        same = (length >> 1) + 1  # points in one line of it with the parity of the first
        other = (length + 1) >> 1
        if same > other:
            # one more than the minimum
            bare_of[kind] += change
            bare_of[kind ^ step ^ 3] += change
        ends = 0  # ends of the ship that are at a wall
        if at == 0:
            ends = 1
            same -= 1
        if at + length == end:
            ends += 1
            if length & 1:
                other -= 1
            else:
                same -= 1
        same *= change
        other *= change
        sides = 0
        if across > 0:
            inner[kind] += same
            inner[kind ^ step] += other
        else:
            sides = 1
        if across + 1 < end_across:
            kind ^= 3 ^ step
            inner[kind] += same
            inner[kind ^ step] += other
        else:
            sides += 1
        if sides:
            self._corners += change * ends * sides
        if (ends or sides) and self.fleet.on_wall(x, y, length, vertical):
            self._spare += change

    def _hopeful(self) -> bool:
        # Whether the remaining ships may still fit into the free points. False is a proof, True is not.
        bare_of = self._bare_of
        if self._bare < 0 or bare_of[0] < 0 or bare_of[1] < 0 or bare_of[2] < 0 or bare_of[3] < 0:
            return False
        if not self._rim:
            return True

        # The most points that can be covered on the rim: a ship along a wall covers its length + 1 there and one more
        # in a corner. In the lenient reading one perpendicular to the wall covers 2 and does not count as along it.
        rest = self._rest
        remain = self._remain
        walls = self._spare if self._spare < remain else remain
        lenient = self.fleet.lenient
        outer = self._corners if self._corners < walls else walls
        if lenient:
            outer += 2 * (remain - rest[1])
        k = walls
        length = LONGEST
        while length > 0 and k > 0:
            n = rest[length]
            gain = length + 1
            if lenient:
                # Gain beyond those 2; so one-deck ships, which gain 2, come before two-deck ones, which gain 1.
                if length == 2:
                    n = rest[1]
                    gain = 2
                elif length == 1:
                    n = rest[2]
                    gain = 1
                else:
                    gain -= 2
            if n > k:
                n = k
            outer += n * gain
            k -= n
            length -= 1
        inner = self._inner
        if self._area - outer > inner[0] + inner[1] + inner[2] + inner[3]:
            return False

        # Ships that may not be along a wall cover inner points only: take the shortest ones, for a lower bound.
        k = remain - walls
        need = 0
        if lenient:
            k -= remain - rest[1]
            if k > 0:
                need = k
        else:
            length = 1
            while k > 0:
                n = rest[length]
                if n > k:
                    n = k
                need += n * ((length + 1) >> 1)
                k -= n
                length += 1
        return need <= inner[0] and need <= inner[1] and need <= inner[2] and need <= inner[3]
