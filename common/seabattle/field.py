"""One player's field: the ships on it, placing them, and the shots it has taken.

A cell is y * width + x with x and y from 0. A ship is named by its length and its first cell, the left or upper one.
Ships lie straight and touch neither by side nor by corner.

Filling at random
-----------------
First by lot: long to short, each ship on any of the places left for it, from the start again when one has none left.
That gives varied fields and fails where the field is tight. So after some attempts a complete search takes over, which
finds a placement wherever there is one and proves that there is none where there is not. Both are cut into steps.

Both work on a lattice of (width + 1) x (height + 1) points, the corners of the cells. A ship of n cells covers the
2 * (n + 1) points around it, and ships touch exactly when they share a point. So to place a fleet is to pack rectangles
n + 1 long and 2 wide. The search goes through the points row by row; at each free one it tries every kind of ship with
its first corner there, in a random order, and last of all leaves the point bare for good. It turns back as soon as what
is left to place cannot fit any more, by three measures:
  - a ship takes 2 * (n + 1) points of those still free;
  - of the points whose x and y are of given parities a ship takes at least (n + 1) // 2;
  - only ships along a wall, and there may be few of those, cover points on the rim: the others need room inside.
Orders differ in luck, so the search starts over with another order and the field mirrored after a number of points
that is doubled each time: it ends either way.
"""

from .const import const

# What can_place() and place() answer.
OK = 0
OUT = 1  # not all on the field
OVERLAP = 2  # on another ship
TOUCH = 3  # beside another ship, corners count
NONE_LEFT = 4  # all ships of that length are placed, or the fleet has none
WALL = 5  # one more along a wall than the rule allows

# What shoot() answers.
MISS = 0
HIT = 1
SUNK = 2
REPEAT = 3

# Bits of Field.mark.
SHOT = 1  # shot at
EMPTY = 2  # known to be empty, being next to a sunk ship

_LONGEST = const(5)

# Stages of filling.
_IDLE = const(0)
_BEGIN = const(1)
_AGAIN = const(2)
_BUILD = const(3)
_TRIM = const(4)
_CHECK = const(5)
_DRAW = const(6)
_COUNT = const(7)
_PICK = const(8)
_KEEP = const(9)
_ORDER = const(10)
_SEARCH = const(11)
_JUDGE = const(12)
_COMMIT = const(13)

_ATTEMPTS = const(40)  # whole attempts by lot before the search
_DRAWS = const(8)  # random places tried before all are counted
_FIRST_LIMIT = const(150)  # points in the search before its first new start
_LAST_LIMIT = const(1 << 28)
_FIXED = const(255)  # a point taken before the filling began, or of no use to any ship
_BARE = const(1)  # a choice of the search: no ship here; the others are 2 * length + vertical


class Field:
    """A field for one fleet at a time. Made once, it is set up for each game with reset().

    ship         per cell: 0 water, else the number of the ship there, 1..; numbers are reused after remove()
    mark         per cell: bits SHOT and EMPTY
    placed       ships on the field
    along_wall   those of them that count as along a wall, by the fleet's reading
    hits         decks hit so far
    """

    def __init__(self, max_cells=100):
        ships = max_cells // 2 + 2
        points = 2 * max_cells + 2
        self.max_cells = max_cells
        self.ship = bytearray(max_cells)
        self.mark = bytearray(max_cells)
        # Of each ship by its number: 2 * length + vertical, 0 for a number not in use; its first cell; its decks hit.
        self._code = bytearray(ships)
        self._first = [0] * ships
        self._hit = bytearray(ships)
        self._top = 0  # the highest number in use
        self._count = bytearray(_LONGEST + 1)
        self._sunk = bytearray(_LONGEST + 1)
        self._to_ring = 0  # the ship that was sunk last, while its neighbours are not marked yet

        # What filling works with. Per point: what covers it, its kind (parity of x, twice that of y, 4 when not on the
        # rim), and what the search chose there.
        self._cover = bytearray(points)
        self._kind = bytearray(points)
        self._choice = bytearray(points)
        self._points = 0
        self._flip_x = 0
        self._flip_y = 0
        self._row = 0
        self._rng = None
        self._stage = _IDLE
        self._found = 0
        # By lot: the lengths to place, long to short, and where those placed so far are.
        self._todo = bytearray(ships)
        self._ships = 0
        self._lot = bytearray(ships)
        self._lot_at = [0] * ships
        self._lots = 0
        self._try = 0
        self._draws = 0
        self._spare_lot = 0
        self._total = 0
        self._nth = 0
        # By search: ships left of each length and what they need, free points of each kind, the order of trying.
        self._rest = bytearray(_LONGEST + 1)
        self._remain = 0
        self._area = 0
        self._fewest = 0
        self._spare = 0
        self._rim = False
        self._free = [0] * 8
        self._order = bytearray(2 * _LONGEST)
        self._next = bytearray(2 * _LONGEST + 2)
        self._point = 0
        self._nodes = 0
        self._limit = 0

        self.fleet = None
        self.width = 0
        self.height = 0
        self.cells = 0
        self.placed = 0
        self.along_wall = 0
        self.hits = 0

    def reset(self, fleet):
        """An empty field for the fleet, which must not change while the field is in use.

        ValueError for a field of more cells than it was made for.
        """
        if fleet.width * fleet.height > self.max_cells:
            raise ValueError("field too large")
        self.fleet = fleet
        self.width = fleet.width
        self.height = fleet.height
        self.cells = fleet.width * fleet.height
        self.clear()

    def clear(self):
        """Take all ships and all shots away."""
        ship = self.ship
        mark = self.mark
        i = self.cells
        while i > 0:
            i -= 1
            ship[i] = 0
            mark[i] = 0
        while self._top > 0:
            self._code[self._top] = 0
            self._top -= 1
        i = 0
        while i <= _LONGEST:
            self._count[i] = 0
            self._sunk[i] = 0
            i += 1
        self.placed = 0
        self.along_wall = 0
        self.hits = 0
        self._to_ring = 0
        self._changed()

    # Placing

    def left(self, length):
        """How many ships of the length, 1..5, are still to be placed."""
        return self.fleet.count[length] - self._count[length]

    def complete(self):
        """Whether the whole fleet is on the field."""
        return self.placed == self.fleet.ships

    def can_place(self, x, y, length, vertical):
        """OK, or why a ship may not be placed there: OUT, NONE_LEFT, OVERLAP, TOUCH or WALL, in this order."""
        x2 = x
        y2 = y
        if vertical:
            y2 += length - 1
        else:
            x2 += length - 1
        if x < 0 or y < 0 or x2 >= self.width or y2 >= self.height:
            return OUT
        if not 1 <= length <= _LONGEST or self.left(length) <= 0:
            return NONE_LEFT
        answer = OK
        row = y - 1
        while row <= y2 + 1:
            if 0 <= row < self.height:
                column = x - 1
                while column <= x2 + 1:
                    if 0 <= column < self.width and self.ship[row * self.width + column]:
                        if x <= column <= x2 and y <= row <= y2:
                            return OVERLAP
                        answer = TOUCH
                    column += 1
            row += 1
        if answer != OK:
            return answer
        if self.along_wall >= self.fleet.wall_max and self.fleet.on_wall(x, y, length, vertical):
            return WALL
        return OK

    def place(self, x, y, length, vertical):
        """Place a ship; OK, or the reason of can_place() and nothing is changed."""
        answer = self.can_place(x, y, length, vertical)
        if answer == OK:
            self._put(x, y, length, vertical)
            self._changed()
        return answer

    def remove(self, cell):
        """Take away the ship that has a deck on the cell; its length, 0 when there is none."""
        n = self.ship[cell]
        if n == 0:
            return 0
        code = self._code[n]
        length = code >> 1
        cell = self._first[n]
        if self.fleet.on_wall(cell % self.width, cell // self.width, length, code & 1):
            self.along_wall -= 1
        i = 0
        while i < length:
            self.ship[cell] = 0
            cell += self.width if code & 1 else 1
            i += 1
        self._code[n] = 0
        self._count[length] -= 1
        self.placed -= 1
        self._changed()
        return length

    def _put(self, x, y, length, vertical):
        n = 1
        while self._code[n]:
            n += 1
        if n > self._top:
            self._top = n
        self._code[n] = 2 * length + (1 if vertical else 0)
        self._hit[n] = 0
        self._count[length] += 1
        self.placed += 1
        if self.fleet.on_wall(x, y, length, vertical):
            self.along_wall += 1
        cell = y * self.width + x
        self._first[n] = cell
        while length > 0:
            self.ship[cell] = n
            cell += self.width if vertical else 1
            length -= 1

    def _changed(self):
        if self._stage != _IDLE:
            self._stage = _BEGIN

    # Shots

    def shoot(self, cell):
        """Take a shot at a cell of the field: MISS, HIT, SUNK, or REPEAT when that very cell was shot before."""
        result = self.take(cell)
        self.settle()
        return result

    def take(self, cell):
        """As shoot(), in a third of the time: the water around a ship that this sinks is marked by settle()."""
        mark = self.mark
        if mark[cell] & SHOT:
            return REPEAT
        mark[cell] |= SHOT
        n = self.ship[cell]
        if n == 0:
            return MISS
        self.hits += 1
        self._hit[n] += 1
        length = self._code[n] >> 1
        if self._hit[n] < length:
            return HIT
        self._sunk[length] += 1
        self.settle()
        self._to_ring = n
        return SUNK

    def settle(self):
        """Do what take() has left."""
        n = self._to_ring
        if n:
            self._to_ring = 0
            self._ring(n)

    def afloat(self, length):
        """How many placed ships of the length, 1..5, are not sunk."""
        return self._count[length] - self._sunk[length]

    def lost(self):
        """Whether every deck of the fleet has been hit."""
        return self.hits == self.fleet.decks

    def is_hit(self, cell):
        """Whether the cell holds a deck that was hit, sunk ships included."""
        return self.ship[cell] != 0 and self.mark[cell] & SHOT != 0

    def is_sunk(self, cell):
        """Whether the cell holds a deck of a sunk ship."""
        n = self.ship[cell]
        return n != 0 and self._hit[n] == self._code[n] >> 1

    def _ring(self, n):
        # The water around a sunk ship becomes known to be empty.
        width = self.width
        length = self._code[n] >> 1
        left = self._first[n] % width - 1
        row = self._first[n] // width - 1
        right = left + 2
        low = row + 2
        if self._code[n] & 1:
            low += length - 1
        else:
            right += length - 1
        if left < 0:
            left = 0
        if row < 0:
            row = 0
        if right >= width:
            right = width - 1
        if low >= self.height:
            low = self.height - 1
        ship = self.ship
        mark = self.mark
        while row <= low:
            cell = row * width + left
            end = row * width + right
            while cell <= end:
                if not ship[cell]:
                    mark[cell] |= EMPTY
                cell += 1
            row += 1

    # Filling

    def fill(self, rng):
        """Place the ships that are left at random. False, and nothing is changed, when that cannot be done."""
        self.fill_start(rng)
        while True:
            done = self.fill_step()
            if done >= 0:
                return done == 1

    def random(self, rng):
        """Clear the field and place the whole fleet at random. False, on an empty field, when that cannot be done."""
        self.clear()
        return self.fill(rng)

    def fill_start(self, rng):
        """Begin what fill() does, to be carried on by fill_step(). Placing or removing in between begins it anew."""
        self._rng = rng
        self._stage = _BEGIN

    def fill_step(self):
        """A small piece of the filling: -1 while there is more to do, 1 when done, 0 when it cannot be done.

        The field changes only in the last pieces. After the end the answer stays what it was.
        """
        stage = self._stage
        if stage == _DRAW:
            self._draw()
        elif stage == _SEARCH:
            self._search()
        elif stage == _JUDGE:
            self._judge()
        elif stage == _COUNT:
            self._count_line()
        elif stage == _PICK:
            self._pick()
        elif stage == _KEEP:
            self._keep()
        elif stage == _COMMIT:
            self._commit()
        elif stage == _BUILD:
            self._build_row()
        elif stage == _TRIM:
            self._trim_row()
        elif stage == _CHECK:
            self._check()
        elif stage == _ORDER:
            self._new_order()
        elif stage == _AGAIN:
            self._again()
        elif stage == _BEGIN:
            self._begin()
        return -1 if self._stage != _IDLE else self._found

    def _end(self, found):
        self._found = found
        self._stage = _IDLE

    def _begin(self):
        fleet = self.fleet
        n = 0
        length = _LONGEST
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
        self._limit = 0
        self._stage = _AGAIN

    def _again(self):
        self._remain = self._ships
        self._spare = self.fleet.wall_max - self.along_wall
        self._area = 0
        self._fewest = 0
        length = 1
        while length <= _LONGEST:
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
        self._stage = _BUILD

    def _build_row(self):
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
                self._cover[point] = _FIXED
            else:
                self._cover[point] = 0
                self._free[kind] += 1
            point += 1
            x += 1
        self._row = y + 1
        if y == height:
            self._row = 0
            self._stage = _TRIM

    def _trim_row(self):
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
                    cover[point] = _FIXED
                    self._free[self._kind[point]] -= 1
            point += 1
            x += 1
        self._row = y + 1
        if y == self.height:
            self._stage = _CHECK

    def _check(self):
        if not self._hopeful():
            self._end(0)
        elif self._try <= _ATTEMPTS:
            self._new_try()
        else:
            self._stage = _ORDER

    def _fits(self, point, step, side, length, level):
        # Whether the points of a ship are free: none covered at this level or above.
        cover = self._cover
        end = point + step * length
        while point <= end:
            if cover[point] >= level or cover[point + side] >= level:
                return False
            point += step
        return True

    # Filling by lot: in _cover the number of the attempt that covers the point, so that old attempts count for nothing.

    def _new_try(self):
        self._lots = 0
        self._draws = 0
        self._spare_lot = self._spare
        self._stage = _DRAW

    def _take_lot(self, x, y, length, vertical):
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
        self._draws = 0
        self._row = 0
        self._stage = _DRAW if n < self._ships else _KEEP

    def _draw(self):
        length = self._todo[self._lots]
        self._draws += 1
        flat = (self.width - length + 1) * self.height if length <= self.width else 0
        upright = (self.height - length + 1) * self.width if length > 1 and length <= self.height else 0
        if flat + upright == 0:
            self._end(0)
            return
        n = self._rng.below(flat + upright)
        vertical = 0
        columns = self.width - length + 1
        if n >= flat:
            n -= flat
            vertical = 1
            columns = self.width
        x = n % columns
        y = n // columns
        across = self.width + 1
        point = y * across + x
        if vertical:
            fits = self._fits(point, across, 1, length, self._try)
        else:
            fits = self._fits(point, 1, across, length, self._try)
        if fits and (self._spare_lot > 0 or not self.fleet.on_wall(x, y, length, vertical)):
            self._take_lot(x, y, length, vertical)
        elif self._draws == _DRAWS:
            self._row = 0
            self._total = 0
            self._stage = _COUNT

    def _places(self, line, length, nth):
        # How many places a line has for a ship; but where the nth, counted from 0, of them is, if there is that one.
        # Line 0..height-1 is a row for flat ships, height.. a column for upright ones. A place is its distance from the
        # start of the line.
        height = self.height
        across = self.width + 1
        vertical = line >= height
        if vertical:
            line -= height
            point = line
            step = across
            side = 1
            points = height + 1
        else:
            point = line * across
            step = 1
            side = across
            points = across
        cover = self._cover
        level = self._try
        any_wall = self._spare_lot > 0
        run = 0
        n = 0
        i = -length
        points -= length
        while i < points:
            if cover[point] < level and cover[point + side] < level:
                run += 1
                if run > length and (
                    any_wall
                    or not self.fleet.on_wall(line if vertical else i, i if vertical else line, length, vertical)
                ):
                    if n == nth:
                        return i
                    n += 1
            else:
                run = 0
            point += step
            i += 1
        return n

    def _count_line(self):
        # _choice keeps the count of each line.
        length = self._todo[self._lots]
        line = self._row
        n = self._places(line, length, -1)
        self._choice[line] = n
        self._total += n
        line += 1
        self._row = line
        if line < (self.height if length == 1 else self.height + self.width):
            return
        if self._total == 0:
            self._try += 1
            if self._try <= _ATTEMPTS:
                self._new_try()
            else:
                self._stage = _AGAIN
        else:
            self._row = 0
            self._nth = self._rng.below(self._total)
            self._stage = _PICK

    def _pick(self):
        line = self._row
        if self._nth >= self._choice[line]:
            self._nth -= self._choice[line]
            self._row = line + 1
            return
        length = self._todo[self._lots]
        at = self._places(line, length, self._nth)
        if line < self.height:
            self._take_lot(at, line, length, 0)
        else:
            self._take_lot(line - self.height, at, length, 1)

    def _keep(self):
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
            self._stage = _COMMIT

    def _commit(self):
        # One ship onto the field.
        point = self._point
        while self._choice[point] <= _BARE:
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

    # Filling by search: _choice[p] is what the search does at point p, 0 where it was covered before it came there.

    def _new_order(self):
        if self._limit == 0:
            self._limit = _FIRST_LIMIT
        elif self._limit < _LAST_LIMIT:
            self._limit *= 2
        self._nodes = 0
        order = self._order
        n = 0
        length = _LONGEST
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
        # _next[0] is the first thing to try, _next[c] what comes after c, and 0 after the last, which is _BARE.
        last = 0
        i = 0
        while i < n:
            self._next[last] = order[i]
            last = order[i]
            i += 1
        self._next[last] = _BARE
        self._next[_BARE] = 0
        self._point = 0
        while self._cover[self._point]:
            self._point += 1
        self._stage = _SEARCH

    def _search(self):
        # Make the next choice at the present point; after the last one, go back to the point before.
        point = self._point
        across = self.width + 1
        x = point % across
        y = point // across
        code = self._choice[point]
        fits = False
        while not fits:
            code = self._next[code]
            if code <= _BARE:
                break
            length = code >> 1
            if self._rest[length]:
                if code & 1:
                    fits = x < self.width and y + length <= self.height and self._fits(point, across, 1, length, 1)
                else:
                    fits = x + length <= self.width and y < self.height and self._fits(point, 1, across, length, 1)
                if fits and self._spare <= 0:
                    fits = not self.fleet.on_wall(x, y, length, code & 1)
        self._choice[point] = code
        if code == 0:
            self._back()
            return
        self._apply(point, x, y, code, 1)
        self._stage = _JUDGE

    def _judge(self):
        # After a choice: done, or on to the next free point, or the choice is undone.
        self._stage = _SEARCH
        point = self._point
        if self._remain == 0:
            self._point = 0
            self._stage = _COMMIT
        elif not self._hopeful():
            across = self.width + 1
            self._apply(point, point % across, point // across, self._choice[point], 0)
        elif self._nodes == self._limit:
            self._stage = _AGAIN
        else:
            self._nodes += 1
            # Something is left to place and can still fit, so a free point is left.
            while self._cover[point]:
                point += 1
            self._choice[point] = 0
            self._point = point

    def _back(self):
        point = self._point - 1
        while point >= 0 and self._choice[point] == 0:
            point -= 1
        if point < 0:
            self._end(0)
            return
        across = self.width + 1
        self._apply(point, point % across, point // across, self._choice[point], 0)
        self._point = point

    def _apply(self, point, x, y, code, on):
        # Do what a choice says, or undo it.
        cover = self._cover
        kind = self._kind
        free = self._free
        change = -1 if on else 1
        if code == _BARE:
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
        if self.fleet.on_wall(x, y, length, code & 1):
            self._spare += change
        while length >= 0:
            cover[point] = on
            free[kind[point]] += change
            cover[point + side] = on
            free[kind[point + side]] += change
            point += step
            length -= 1

    def _hopeful(self):
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
        outer = 0
        last = self._points - 1
        if not cover[0]:
            outer += 1
        if not cover[self.width]:
            outer += 1
        if not cover[last - self.width]:
            outer += 1
        if not cover[last]:
            outer += 1
        if outer > walls:
            outer = walls
        if lenient:
            outer += 2 * (remain - rest[1])
        k = walls
        length = _LONGEST
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
