"""What a gunner sees before it aims, and the votes of HUNT and DENSITY, for which all places of a length are alike.

It asks the radar for the ships left, the wounded one, and how much room is along the walls.

What a line of the field has to say is kept from shot to shot, and only lines where a cell became known are asked again.

HUNT works with bits: the cells that a place of the longest ship covers are those of a line shifted over itself. How
many of them are on each family of diagonals is counted along.

DENSITY: the votes in a stretch of unknown cells depend on its length alone and stand in a table. In a line only the
stretch that was broken votes anew.
"""

from array import array

from .const import const

_HUNT = const(2)
_LONGEST = const(5)
_FULL = const(16)
_CHUNK = const(32)  # cells wiped at a time
_AT_ONCE = const(4)  # lines of HUNT, stretches of the table
_STRETCH = const(9)  # in longer stretches the cells in the middle are all alike
_SIDE = const(30)
_HIT = const(2)  # of radar.py
_EVERY = (0, 0x3FFFFFFF, 0x15555555, 0x09249249, 0x11111111, 0x02108421)  # bit 0 and each so many bits further
_NEVER = const(-1)  # a line that has not voted: ~0
_APART = const(37)  # 1 << 0 to 1 << 29 have remainders of their own by it
_NUMBER = (  # by that remainder: which bit it is
    b"\x00\x00\x01\x1a\x02\x17\x1b\x00\x03\x10\x18\x00\x1c\x0b\x00\x0d\x04\x07\x11"
    b"\x00\x19\x16\x00\x0f\x1d\x0a\x0c\x06\x00\x15\x0e\x09\x05\x14\x08\x13\x12"
)

# What the votes kept were made for: the level, the ships left by length, and the walls.
_WEIGHT_AT_WALL = const(6)
_AT_WALL = const(7)
_KEPT = const(8)

# What is kept, as _are_kept() says.
_NOTHING = const(0)
_OTHER_FLEET = const(1)  # all, but every line has to vote again
_ALL = const(2)


class Votes:
    """What is seen, and the votes for a ship that nothing is known of yet."""

    def __init__(self, radar, rng, level):
        self.radar = radar
        self.rng = rng
        self.level = level
        n = len(radar.cell)
        self.heat = [0] * n
        # What follows was seen in this game, when so many ships were sunk.
        self._game = -1
        self._sunk = 0
        self._is_new = True  # it has changed since kept votes were held against it
        # How walls count: the weight of a place along one, whether a place that only ends at a wall is along it, and
        # whether nothing can be on the edge any more.
        self._wall = _FULL
        self._strict = False
        self._closed = False
        self._is_last = False  # one more ship at a wall and there is no room along them: the wounded one may be it
        # Of the wounded ship: its first hit, how many there are in line, and which ways it may lie.
        self._x = 0
        self._y = 0
        self._hits = 0
        self._flat = False
        self._upright = False
        # DENSITY: the votes of the rows by cell, then those of the columns. SHARP has its sums there.
        self._kept = array("H", bytes(2 * (3 * n + 16)))
        self._votes_of_all = self.heat
        # DENSITY: of the wounded ship alone. SHARP: of one length. HUNT, by row: the cells that places along it cover;
        # where places in columns begin; the cells that those cover.
        self._votes = [0] * (n if n > 3 * _SIDE else 3 * _SIDE)
        self._kept_for = bytearray(_KEPT)
        self._kept_game = -1
        # The lines of the radar, as they were when they voted last; ~ of that where they have to vote again.
        self._seen = [0] * (2 * _SIDE)
        self._table = [0] * (_STRETCH * (_STRETCH + 1) // 2)  # votes for each cell of a stretch of 1..9 cells
        self._table_for = bytearray(_LONGEST + 1)  # ships of each length that it counts
        self._up_to = [0] * (_LONGEST + 1)  # votes in the table for one place of each length up to this one
        self._in_row = bytearray(_SIDE * _LONGEST)  # HUNT: cells to choose from by row and family of diagonals
        self._classes = [0] * _LONGEST  # the same on the whole field
        self._is_anew = False  # HUNT begins anew
        self._columns = 0  # HUNT: those that have changed with the rows, 1 << x
        self._line = 0
        self._length = 0

    def _look(self):
        radar = self.radar
        if radar.wounds:
            self._look_at_wound()
        if radar.sunk != self._sunk or radar.games != self._game or self._is_last:
            self._sunk = radar.sunk
            self._game = radar.games
            self._is_new = True
            self._look_at_walls()

    def _look_at_wound(self):
        radar = self.radar
        cells = radar.cell
        width = radar.width
        x = radar.wound_x[0]
        y = radar.wound_y[0]
        across = down = 1
        if radar.wounds > 1:
            cell = y * width + x
            while x > 0 and cells[cell - 1] == _HIT:
                x -= 1
                cell -= 1
            while y > 0 and cells[cell - width] == _HIT:
                y -= 1
                cell -= width
            while x + across < width and cells[cell + across] == _HIT:
                across += 1
            while y + down < radar.height and cells[cell + down * width] == _HIT:
                down += 1
        self._x = x
        self._y = y
        self._flat = down == 1
        self._upright = across == 1
        self._hits = across if across > down else down

    def _look_at_walls(self):
        radar = self.radar
        fleet = radar.fleet
        self._wall = _FULL
        self._strict = False
        self._closed = False
        self._is_last = False
        ships = fleet.ships - radar.sunk
        if not fleet.walls or not ships:
            return
        room = fleet.wall_max - radar.walls_strict
        self._strict = not fleet.lenient and room >= 0
        if room == 0:
            self._is_last = True
            if radar.wounds:
                x = self._x
                y = self._y
                if x == 0 or y == 0 or x == radar.width - 1 or y == radar.height - 1:
                    self._strict = False
        if not self._strict:
            room = fleet.wall_max - radar.walls
        if room < ships:
            self._wall = (_FULL * room + ships - 1) // ships if room > 0 else 0
        self._closed = self._strict and room == 0

    def _place_at_wall(self, a, length, n, step):
        # The weight of a place of the wounded ship by the wall rule alone, 1.._FULL.
        if self._wall == _FULL:
            return _FULL
        radar = self.radar
        x = self._x
        y = self._y
        right = radar.width - 1
        low = radar.height - 1
        if self._strict:
            if x == 0 or y == 0 or x == right or y == low:
                return _FULL
            along = a == 0 or a + length == n
        else:
            along = (y == 0 or y == low) if step == 1 else (x == 0 or x == right)
        # Never quite nothing: the place may be the only one that is left.
        return self._wall + 1 if along and self._wall < _FULL - 1 else _FULL

    def _are_kept(self):
        # What of the votes of the shot before is of use; takes note of what they are made for next.
        made_for = self._kept_for
        radar = self.radar
        if made_for[0] == self.level and not self._is_new:
            return _ALL
        self._is_new = False
        kept = _ALL
        wall = self._wall
        at_wall = (1 if self._strict else 0) + (2 if self._closed else 0)
        if self.level == _HUNT:
            # A place is possible or not; how likely it is does not count.
            if wall:
                wall = _FULL
            at_wall &= 2
        if made_for[_WEIGHT_AT_WALL] != wall or made_for[_AT_WALL] != at_wall:
            made_for[_WEIGHT_AT_WALL] = wall
            made_for[_AT_WALL] = at_wall
            kept = _OTHER_FLEET
        for length in range(1, _LONGEST + 1):
            n = radar.left[length]
            if self.level == _HUNT:
                n = 1 if length == radar.longest else 0
            if made_for[length] != n:
                made_for[length] = n
                kept = _OTHER_FLEET
        if made_for[0] != self.level or self._kept_game != radar.games:
            made_for[0] = self.level
            self._kept_game = radar.games
            kept = _NOTHING
        return kept

    def _ask_all(self):
        # All lines have to vote; the cells that had votes are remembered.
        seen = self._seen
        for line in range(self.radar.height + self.radar.width):
            if seen[line] >= 0:
                seen[line] = ~seen[line]

    # HUNT.

    def _forget_cover(self):
        self._is_anew = True
        for i in range(_LONGEST):
            self._classes[i] = 0

    def _cover(self):
        # The next lines that have changed; True when there is none left. Rows first, which tell the columns.
        if self._is_anew:
            return self._cover_anew()
        radar = self.radar
        height = radar.height
        lines = radar.lines
        seen = self._seen
        kept = self._votes
        in_row = self._in_row
        classes = self._classes
        longest = radar.longest
        walls = self._closed or not self._wall
        # Shifts after which a bit is left where a ship has room: of 2 cells each, of 4 at the most, of 5.
        once = 1 if longest > 1 else 0
        twice = 0 if longest < 3 else 1 if longest == 3 else 2
        thrice = 1 if longest == 5 else 0
        todo = _AT_ONCE
        for y in range(self._line, height):
            bits = lines[y]
            if bits == seen[y]:
                continue
            if not todo:
                self._line = y
                return False
            todo -= 1
            self._columns |= bits ^ seen[y]
            seen[y] = bits
            if walls:
                bits = self._may_hold(y, bits)
            bits &= bits >> once
            bits &= bits >> twice
            bits &= bits >> thrice
            bits |= bits << once
            bits |= bits << twice
            bits |= bits << thrice
            # Where a place of the column covers the cell anyhow, nothing changes.
            changed = (bits ^ kept[y]) & ~kept[2 * _SIDE + y]
            kept[y] = bits
            while changed:
                bit = changed & -changed
                changed ^= bit
                k = (y + _NUMBER[bit % _APART]) % longest
                more = 1 if bits & bit else -1
                classes[k] += more
                in_row[y * _LONGEST + k] += more
        self._line = height
        columns = self._columns
        while columns and todo:
            todo -= 1
            own = columns & -columns
            columns ^= own
            x = _NUMBER[own % _APART]
            line = height + x
            bits = lines[line]
            changed = seen[line]
            seen[line] = bits
            if walls:
                bits = self._may_hold(line, bits)
                changed = self._may_hold(line, changed)
            bits &= bits >> once
            bits &= bits >> twice
            bits &= bits >> thrice
            bits |= bits << once
            bits |= bits << twice
            bits |= bits << thrice
            changed &= changed >> once
            changed &= changed >> twice
            changed &= changed >> thrice
            changed |= changed << once
            changed |= changed << twice
            changed |= changed << thrice
            changed ^= bits
            while changed:
                bit = changed & -changed
                changed ^= bit
                y = _NUMBER[bit % _APART]
                kept[2 * _SIDE + y] ^= own
                if not kept[y] & own:
                    k = (x + y) % longest
                    more = 1 if bits & bit else -1
                    classes[k] += more
                    in_row[y * _LONGEST + k] += more
        self._columns = columns
        if columns:
            return False
        self._line = 0
        return True

    def _cover_anew(self):
        # All rows, some at a time; True at the end. First where places in columns begin, of all columns at once, then
        # what a row's cells and those places cover.
        radar = self.radar
        height = radar.height
        lines = radar.lines
        kept = self._votes
        longest = radar.longest
        line = self._line
        end = line + _AT_ONCE
        if line < height:
            inner = (1 << radar.width) - 1
            if not self._wall:
                inner = (1 << (radar.width - 1)) - 2
            if end > height:
                end = height
            for line in range(line, end):
                last = line + longest
                bits = inner
                if last > height or (self._closed and (line == 0 or last == height)):
                    bits = 0
                else:
                    for y in range(line, last):
                        bits &= lines[y]
                kept[_SIDE + line] = bits
            self._line = end
            return False
        classes = self._classes
        in_row = self._in_row
        every = _EVERY[longest]
        if end > 2 * height:
            end = 2 * height
        for y in range(line - height, end - height):
            bits = lines[y]
            self._seen[y] = bits
            if self._closed or not self._wall:
                bits = self._may_hold(y, bits)
            for _ in range(1, longest):
                bits &= bits >> 1
            for _ in range(1, longest):
                bits |= bits << 1
            kept[y] = bits
            down = 0
            for i in range(_SIDE + (y - longest + 1 if y >= longest else 0), _SIDE + y + 1):
                down |= kept[i]
            kept[2 * _SIDE + y] = down
            bits |= down
            at = y * _LONGEST
            for k in range(longest):
                # Those of the family k, each in its turn.
                family = bits >> (k - y) % longest & every
                n = 0
                while family:
                    family &= family - 1
                    n += 1
                in_row[at + k] = n
                classes[k] += n
        self._line = end
        if end < 2 * height:
            return False
        for i in range(height, height + radar.width):
            self._seen[i] = lines[i]
        self._columns = 0
        self._line = 0
        self._is_anew = False
        return True

    def _may_hold(self, line, bits):
        # Those of the cells of a line where the walls let a ship lie along it.
        radar = self.radar
        if self._wall == _FULL:
            return bits
        height = radar.height
        if not self._wall:
            i = line if line < height else line - height
            if i == 0 or i == (height if line < height else radar.width) - 1:
                return 0
        if self._closed:
            n = radar.width if line < height else height
            bits &= (1 << (n - 1)) - 2
        return bits

    def _on_diagonals(self):
        # A cell to choose from, by lot; -1 if there is none.
        classes = self._classes
        longest = self.radar.longest
        rng = self.rng
        # The family with the fewest cells left is the soonest done; by lot among equals.
        best = 0
        ties = 0
        family = 0
        for k in range(longest):
            n = classes[k]
            if n and (n <= best or not best):
                if n != best:
                    best = n
                    ties = 0
                ties += 1
                if ties == 1 or rng.below(ties) == 0:
                    family = k
        if not best:
            return -1
        nth = rng.below(best)
        in_row = self._in_row
        i = family
        while nth >= in_row[i]:
            nth -= in_row[i]
            i += _LONGEST
        y = i // _LONGEST
        first = (family - y) % longest
        bits = (self._votes[y] | self._votes[2 * _SIDE + y]) >> first & _EVERY[longest]
        while nth:
            bits &= bits - 1
            nth -= 1
        return y * self.radar.width + first + _NUMBER[(bits & -bits) % _APART]

    # DENSITY.

    def _wipe(self):
        # All votes, also behind a field that is smaller than the one before; True at the end.
        kept = self._kept
        heat = self._votes_of_all
        votes = self._votes
        n = len(heat)
        end = self._line + _CHUNK
        if end > n:
            end = n
        for k in range(self._line, end):
            heat[k] = votes[k] = kept[k] = kept[n + k] = 0
        self._line = end
        if end < n:
            return False
        self._line = 0
        for line in range(self.radar.height + self.radar.width):
            self._seen[line] = _NEVER
        return True

    def _fill_table(self):
        # For some stretches, what more or fewer ships of a length make; True when the table counts those left.
        left = self.radar.left
        made_for = self._table_for
        length = 1
        while made_for[length] == left[length]:
            length += 1
            if length > _LONGEST:
                self._add_up_table()
                return True
        # One-deck ships are counted twice, in their row and in their column.
        more = (left[length] - made_for[length]) * (1 if length == 1 else 2)
        n = self._line
        if n < length:
            n = length
        table = self._table
        todo = _AT_ONCE
        while todo and n <= _STRETCH:
            first = n * (n - 1) // 2
            last = first + n - 1
            most = n - length + 1
            if most > length:
                most = length
            places = 0
            while first <= last:
                if places < most:
                    places += 1
                table[first] += places * more
                table[last] = table[first]
                first += 1
                last -= 1
            n += 1
            todo -= 1
        self._line = n
        if n > _STRETCH:
            self._line = 0
            made_for[length] = left[length]
        return False

    def _add_up_table(self):
        up_to = self._up_to
        left = self.radar.left
        for length in range(1, _LONGEST + 1):
            up_to[length] = up_to[length - 1] + left[length] * (1 if length == 1 else 2)

    def _vote(self):
        # The next line where more is known than when it voted last; True when there is none left.
        radar = self.radar
        width = radar.width
        height = radar.height
        seen = self._seen
        lines = radar.lines
        for line in range(self._line, height + width):
            if lines[line] != seen[line]:
                break
        else:
            self._line = 0
            return True
        self._line = line + 1
        heat = self._votes_of_all
        if line < height:
            first = line * width
            shift = 0
            step = 1
            n = width
            edge = line == 0 or line == height - 1
        else:
            first = line - height
            shift = len(heat)
            step = width
            n = height
            edge = line == height or line == height + width - 1
        old = seen[line]
        bits = lines[line]
        seen[line] = bits
        stretches = -1
        if old < 0:
            old = ~old
        else:
            # From the first cell that has changed to the last, and the stretches that they were in.
            changed = old ^ bits
            i = _NUMBER[(changed & -changed) % _APART]
            end = i + 1
            while changed >> end:
                end += 1
            while i > 0 and old >> (i - 1) & 1:
                i -= 1
            while old >> end & 1:
                end += 1
            stretches = (1 << end) - (1 << i)
        if self._closed or not self._wall:
            bits = self._may_hold(line, bits)
        kept = self._kept
        gone = old & ~bits
        while gone:
            bit = gone & -gone
            gone ^= bit
            cell = first + _NUMBER[bit % _APART] * step
            votes = kept[shift + cell]
            if votes:
                kept[shift + cell] = 0
                heat[cell] -= votes
        weight = self._wall if edge else _FULL
        at_walls = not edge and self._wall < _FULL and n > _LONGEST
        table = self._table
        bits &= stretches
        while bits:
            i = _NUMBER[(bits & -bits) % _APART]
            bits >>= i
            run = _NUMBER[(~bits & (bits + 1)) % _APART]
            cell = first + i * step
            i += run
            bits = bits >> run << i
            if run <= _STRETCH:
                k = run * (run - 1) // 2
                for k in range(k, k + run):
                    votes = table[k] * weight
                    more = votes - kept[shift + cell]
                    if more:
                        kept[shift + cell] = votes
                        heat[cell] += more
                    cell += step
            else:
                k = _STRETCH * (_STRETCH - 1) // 2
                for there in range(run):
                    votes = table[k] * weight
                    heat[cell] += votes - kept[shift + cell]
                    kept[shift + cell] = votes
                    cell += step
                    # In the middle all are alike.
                    if there < 4 or there >= run - 5:
                        k += 1
            if at_walls:
                if i == run:
                    self._ends_at_wall(shift, cell - run * step, step, run)
                if i == n:
                    self._ends_at_wall(shift, cell - step, -step, run)
        return False

    def _ends_at_wall(self, shift, cell, step, run):
        # Places that end at a wall with this cell have had full votes.
        up_to = self._up_to
        kept = self._kept
        n = 1
        if self._strict and run > 1:
            n = run if run < _LONGEST else _LONGEST
        less = _FULL - self._wall
        for k in range(n):
            votes = (up_to[n] - up_to[k]) * less
            kept[shift + cell] -= votes
            self._votes_of_all[cell] -= votes
            cell += step
