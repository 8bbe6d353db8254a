"""The complete search for a placement, which finds one wherever there is one.

It works, as the lots of field.py do, on a lattice of (width + 1) x (height + 1) points, the corners of the cells. A
ship of n cells covers the 2 * (n + 1) points around it, and ships touch exactly when they share a point. So to place a
fleet is to pack rectangles n + 1 long and 2 wide. The search goes through the points row by row; at each free one it
tries every kind of ship with its first corner there, in a random order, and last of all leaves the point bare for
good. It turns back as soon as what is left to place cannot fit any more, by three measures:
  - a ship takes 2 * (n + 1) points of those still free;
  - of the points whose x and y are of given parities a ship takes at least (n + 1) // 2;
  - only ships along a wall, and there may be few of those, cover points on the rim: the others need room inside.
Orders differ in luck, so the search starts over with another order and the field mirrored after a number of points
that is doubled each time: it ends either way.
"""

from .const import TYPE_CHECKING
from .field_codes import (
    BARE,
    FIRST_LIMIT,
    FIXED,
    LAST_LIMIT,
    LONGEST,
    S_AGAIN,
    S_CHECK,
    S_COMMIT,
    S_IDLE,
    S_SEARCH,
    S_TRIM,
)
from .field_ships import FieldShips

if TYPE_CHECKING:
    from .rng import Rng


class FieldSearch(FieldShips):
    """See Field."""

    def __init__(self, max_cells: int) -> None:
        super().__init__(max_cells)
        points = 2 * max_cells + 2
        # Per point: what covers it, its kind (parity of x, twice that of y, 4 when not on the rim), and what the search
        # chose there: _choice[p] is 0 where p was covered before it came there.
        self._cover = bytearray(points)
        self._kind = bytearray(points)
        self._choice = bytearray(points)
        self._points = 0
        self._flip_x = 0
        self._flip_y = 0
        self._row = 0
        self._rng: Rng = None  # type: ignore[assignment]  # until fill_start()
        self._found = 0
        # Ships left of each length and what they need, free points of each kind, the order of trying.
        self._rest = bytearray(LONGEST + 1)
        self._remain = 0
        self._area = 0
        self._fewest = 0
        self._spare = 0
        self._rim = False
        self._free = [0] * 8
        self._order = bytearray(2 * LONGEST)
        self._next = bytearray(2 * LONGEST + 2)
        self._point = 0
        self._nodes = 0
        self._limit = 0

    def _end(self, found: int) -> None:
        self._found = found
        self._stage = S_IDLE

    def _empty_row(self) -> None:
        # As _build_row() and _trim_row() where no ship stands: all points are free.
        width = self.width
        height = self.height
        y = self._row
        first = y * (width + 1)
        cover = self._cover
        choice = self._choice
        for point in range(first, first + width + 1):
            cover[point] = 0
            choice[point] = 0
        self._row = y + 1
        if y == height:
            for kind in range(4):
                odd_x = kind & 1
                odd_y = kind >> 1
                inner = ((width - 1 + odd_x) >> 1) * ((height - 1 + odd_y) >> 1)
                self._free[kind + 4] = inner
                self._free[kind] = ((width + 2 - odd_x) >> 1) * ((height + 2 - odd_y) >> 1) - inner
            self._stage = S_CHECK

    def _build_row(self) -> None:
        # Which points the ships on the field cover, and of what kind the free ones are.
        width = self.width
        height = self.height
        y = self._row
        fy = height - y if self._flip_y else y
        above = (fy - 1) * width if fy > 0 else -1
        below = fy * width if fy < height else -1
        ship = self.ship
        point = y * (width + 1)
        x = 0
        while x <= width:
            fx = width - x if self._flip_x else x
            taken = 0
            if fx > 0:
                if above >= 0:
                    taken = ship[above + fx - 1]
                if below >= 0:
                    taken |= ship[below + fx - 1]
            if fx < width:
                if above >= 0:
                    taken |= ship[above + fx]
                if below >= 0:
                    taken |= ship[below + fx]
            kind = (x & 1) | (y & 1) << 1
            if 0 < x < width and 0 < y < height:
                kind |= 4
            self._kind[point] = kind
            self._choice[point] = 0
            if taken:
                self._cover[point] = FIXED
            else:
                self._cover[point] = 0
                self._free[kind] += 1
            point += 1
            x += 1
        self._row = y + 1
        if y == height:
            self._row = 0
            self._stage = S_TRIM

    def _trim_row(self) -> None:
        # A free point that belongs to no free square of 2 x 2 is out of reach of every ship.
        cover = self._cover
        across = self.width + 1
        last = self._points - across
        y = self._row
        point = y * across
        x = 0
        while x < across:
            if not cover[point]:
                up = y > 0 and not cover[point - across]
                down = point < last and not cover[point + across]
                use = False
                if x > 0 and not cover[point - 1]:
                    use = (up and not cover[point - across - 1]) or (down and not cover[point + across - 1])
                if not use and x < self.width and not cover[point + 1]:
                    use = (up and not cover[point - across + 1]) or (down and not cover[point + across + 1])
                if not use:
                    cover[point] = FIXED
                    self._free[self._kind[point]] -= 1
            point += 1
            x += 1
        self._row = y + 1
        if y == self.height:
            self._stage = S_CHECK

    def _fits(self, point: int, step: int, side: int, length: int, level: int) -> bool:
        # Whether the points of a ship are free: none covered at this level or above.
        cover = self._cover
        end = point + step * length
        while point <= end:
            if cover[point] >= level or cover[point + side] >= level:
                return False
            point += step
        return True

    def _commit(self) -> None:
        # One ship onto the field.
        point = self._point
        while self._choice[point] <= BARE:
            point += 1
        code = self._choice[point]
        self._point = point + 1
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

    def _new_order(self) -> None:
        if self._limit == 0:
            self._limit = FIRST_LIMIT
        elif self._limit < LAST_LIMIT:
            self._limit *= 2
        self._nodes = 0
        order = self._order
        n = 0
        length = LONGEST
        while length > 0:
            if self._rest[length]:
                order[n] = 2 * length
                n += 1
                if length > 1:
                    order[n] = 2 * length + 1
                    n += 1
            length -= 1
        i = n - 1
        while i > 0:
            j = self._rng.below(i + 1)
            code = order[i]
            order[i] = order[j]
            order[j] = code
            i -= 1
        # Two-deck ships first, where there are several: most tight fleets are placed sooner so.
        while i < n and (order[i] >> 1 != 2 or self._rest[2] < 2):
            i += 1
        if i < n:
            code = order[i]
            while i > 0:
                order[i] = order[i - 1]
                i -= 1
            order[0] = code
        # _next[0] is the first thing to try, _next[c] what comes after c, and 0 after the last, which is BARE.
        last = 0
        i = 0
        while i < n:
            self._next[last] = order[i]
            last = order[i]
            i += 1
        self._next[last] = BARE
        self._next[BARE] = 0
        self._point = 0
        while self._cover[self._point]:
            self._point += 1
        self._stage = S_SEARCH

    def _search(self) -> None:
        # Make the next choice at the present point; after the last one, go back to the point before.
        point = self._point
        across = self.width + 1
        x = point % across
        y = point // across
        rest = self._rest
        next_ = self._next
        code = next_[self._choice[point]]
        while code > BARE:
            length = code >> 1
            if rest[length]:
                if code & 1:
                    fits = x < self.width and y + length <= self.height and self._fits(point, across, 1, length, 1)
                else:
                    fits = x + length <= self.width and y < self.height and self._fits(point, 1, across, length, 1)
                if fits and (self._spare > 0 or not self.fleet.on_wall(x, y, length, code & 1)):
                    break
            code = next_[code]
        self._choice[point] = code
        if code == 0:
            self._back()
            return
        self._apply(point, code, 1)
        self._judge()

    def _judge(self) -> None:
        # After a choice: done, or on to the next free point, or the choice is undone.
        point = self._point
        if self._remain == 0:
            self._point = 0
            self._stage = S_COMMIT
        elif not self._hopeful():
            self._apply(point, self._choice[point], 0)
        elif self._nodes == self._limit:
            self._stage = S_AGAIN
        else:
            self._nodes += 1
            # Something is left to place and can still fit, so a free point is left.
            while self._cover[point]:
                point += 1
            self._choice[point] = 0
            self._point = point

    def _back(self) -> None:
        point = self._point - 1
        while point >= 0 and self._choice[point] == 0:
            point -= 1
        if point < 0:
            self._end(0)
            return
        self._apply(point, self._choice[point], 0)
        self._point = point

    def _apply(self, point: int, code: int, on: int) -> None:
        # Do what a choice says, or undo it.
        cover = self._cover
        kind = self._kind
        free = self._free
        change = -1 if on else 1
        if code == BARE:
            cover[point] = on
            free[kind[point]] += change
            return
        length = code >> 1
        across = self.width + 1
        step = across if code & 1 else 1
        side = 1 if code & 1 else across
        self._rest[length] += change
        self._remain += change
        self._area += change * 2 * (length + 1)
        self._fewest += change * ((length + 1) >> 1)
        # No ship is at a wall whose first and last points are not on the rim.
        if not kind[point] & kind[point + length * step + side] & 4 and self.fleet.on_wall(
            point % across, point // across, length, code & 1
        ):
            self._spare += change
        while length >= 0:
            cover[point] = on
            free[kind[point]] += change
            cover[point + side] = on
            free[kind[point + side]] += change
            point += step
            length -= 1

    def _hopeful(self) -> bool:
        # Whether what is left to place may still fit into the free points. False is a proof, True is none.
        free = self._free
        rest = self._rest
        fewest = self._fewest
        inner = 0
        total = 0
        least = free[4]
        i = 0
        while i < 4:
            n = free[i + 4]
            inner += n
            if n < least:
                least = n
            n += free[i]
            total += n
            if fewest > n:
                return False
            i += 1
        if self._area > total:
            return False
        if not self._rim:
            return True

        # The most that can be covered outside: a ship along a wall covers its length + 1 points there and one more
        # in a corner. In the lenient reading one across the wall covers 2 and does not count as along it.
        remain = self._remain
        walls = self._spare if self._spare < remain else remain
        lenient = self.fleet.lenient
        cover = self._cover
        last = self._points - 1
        outer = (not cover[0]) + (not cover[self.width]) + (not cover[last - self.width]) + (not cover[last])
        if outer > walls:
            outer = walls
        if lenient:
            outer += 2 * (remain - rest[1])
        k = walls
        length = LONGEST
        while length > 0 and k > 0:
            n = rest[length]
            gain = length + 1
            if lenient:
                # What it covers beyond the 2; so one-deck ships, which gain 2, come before two-deck ones, which gain 1.
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
        if self._area - outer > inner:
            return False

        # Those that may not be along a wall cover inner points only: the shortest of them, so that it is the least.
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
        return need <= least
