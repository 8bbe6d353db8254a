"""The gunner in its plain form, which makes every vote anew with every shot: what seabattle.gunner is held against.

It looks where to shoot next, from what a radar knows: four levels of skill.

RANDOM takes any cell that may hold a ship. The others finish a wounded ship first, and look for the next one so:

HUNT      A ship of n cells has exactly one cell on the diagonals x + y = k (mod n), whatever k is. So while the
          longest ship left has n cells, one such family is shot, and of it only where such a ship has room. A wounded
          ship is gone round by lot, then followed along its line.
DENSITY   Every place of every ship left votes for its cells, and the cell with most votes is shot. A wounded ship's
          places are those through its hits.
SHARP     The same, but places do not count alike:
          - each length spreads as many votes as it has ships, so that many places do not make a length likely;
          - the other ships have to be somewhere else. Where much in and around a place is unknown, it crowds them out;
            where much of it was free to begin with, it crowds them out of cells where they are known not to be. So a
            place weighs 2 ** (tilt * (later * f / F - others * u / U)), with u of the U unknown cells of the field in
            and around it, f of the F cells that no sunk ship rules out, and `others` the number of other ships, long
            ones counting more. Only those placed later count for `later`: placing goes from long to short;
          - when only one-deck ships are left, a cell with more unknown ones around it is worth a little more: a hit
            there clears them.

The wall rule is used in the strict reading until a sunk ship shows that the other side has the lenient one. A place
along a wall weighs as much less as ships have less than enough room along the walls, and nothing when that is used up.

Nothing is allocated after construction; no number reaches 2**30, for up to 15 ships of a length. One aim_step() goes
over one line of the field, for one length of ship, at most.
"""

from seabattle.const import const
from seabattle.radar import HIT, UNKNOWN

# Levels.
RANDOM = const(1)
HUNT = const(2)
DENSITY = const(3)
SHARP = const(4)

BUSY = const(-1)  # what aim_step() answers while it thinks

_RANDOM = const(1)
_HUNT = const(2)
_DENSITY = const(3)
_SHARP = const(4)
_BUSY = const(-1)

_LONGEST = const(5)
_FULL = const(16)  # the weight of a place away from the walls
_CHUNK = const(16)  # cells taken at a time where lines do not matter
_STRETCH = const(9)  # in longer stretches the cells in the middle are all alike

# A weight is 2 ** (exponent / 16), with the exponent in 0.._TOP, and near _EVEN for a place like any other.
_TOP = const(159)
_EVEN = const(80)
_ROOTS = b"\x80\x86\x8c\x92\x98\x9f\xa6\xad\xb5\xbd\xc5\xce\xd7\xe1\xeb\xf5"  # 128 * 2 ** (i / 16)
_TILTS = b"\x00\x2e\x45\x45\x2e\x2e"  # 16 * tilt by length; found by trial with the classic fleet

# Stages of aiming.
_CLEAR = const(0)
_LOOK = const(1)
_TABLE = const(2)
_VOTE = const(3)
_SUMS = const(4)
_WEIGH = const(5)
_SPREAD = const(6)
_SUM_ROW = const(7)
_SUM_COLUMN = const(8)
_THROUGH = const(9)
_CHOOSE = const(10)
_COUNT = const(11)
_PICK = const(12)


class Gunner:
    """Aims at what a radar does not know. Made once, for all games on that radar.

    radar   a seabattle.radar.Radar; it may be reset for another fleet between two shots
    rng     a seabattle.rng.Rng, for ties and for chance
    level   RANDOM..SHARP; may be changed between two shots
    heat    by cell, 0..2**30-1: how much speaks for a ship there, after an aim of DENSITY or SHARP. While a ship is
            wounded only its own places count.
    """

    def __init__(self, radar, rng, level):
        n = len(radar.cell)
        self.radar = radar
        self.rng = rng
        self.level = level
        self.heat = [0] * n
        self._votes = [0] * n  # of one length
        self._value = bytearray(n)  # 1 for an unknown cell, and 128 for one that no sunk ship rules out
        self._sum = [0] * (3 * n + 16)  # along each line: of these values in it and in the lines beside it
        self._table = [0] * (_STRETCH * (_STRETCH + 1) // 2)  # votes for each cell of a stretch of 1..9 cells
        self._table_of = bytearray(_LONGEST + 1)  # the level and the ships left that it was made for
        self._left = bytearray(_LONGEST + 1)  # ships left by length
        self._up_to = [0] * (_LONGEST + 1)  # votes in the table for one place of each length up to this one
        self._classes = [0] * _LONGEST
        self._stage = _PICK
        self._line = 0
        self._length = 0
        self._longest = 0
        self._free = 0  # cells that no sunk ship rules out
        self._total = 0  # of the weights of one length
        self._gain = 0  # see _tilt()
        self._loss = 0
        self._middle = 0
        self._nth = 0
        self._class = 0
        self._classes_of = 0  # 0: any unknown cell is picked, else only the diagonals of one class
        # How walls count: the weight of a place along one, whether a place that only ends at a wall is along it, and
        # whether nothing can be on the edge any more.
        self._wall = _FULL
        self._strict = False
        self._closed = False
        # Of the wounded ship: its first hit, how many there are in line, and which ways it may lie.
        self._x = 0
        self._y = 0
        self._hits = 0
        self._flat = False
        self._upright = False

    def aim(self):
        """The cell to shoot at; -1 when there is none, to which an honest opponent never brings it."""
        if self.radar.unknown == 0:
            return -1
        self.aim_start()
        cell = self.aim_step()
        while cell < 0:
            cell = self.aim_step()
        return cell

    def aim_start(self):
        """Begin to think about the next shot. The radar must not change from here to the end of the aim."""
        self._line = 0
        self._free = 0
        self._stage = _CLEAR
        if self.level == _RANDOM or self.radar.unknown == 0:
            self._draw()

    def aim_step(self):
        """Think for a moment: BUSY, or the cell to shoot at. With no cell left to shoot at it is BUSY for ever."""
        stage = self._stage
        if stage == _WEIGH:
            self._weigh()
        elif stage == _SUMS:
            self._sums()
        elif stage == _VOTE:
            self._vote()
        elif stage == _SPREAD:
            self._spread()
        elif stage == _CLEAR:
            self._clear()
        elif stage == _CHOOSE:
            return self._choose()
        elif stage == _LOOK:
            self._look()
        elif stage == _THROUGH:
            self._through()
        elif stage == _SUM_ROW:
            self._sum_line(self._y)
            self._stage = _SUM_COLUMN
        elif stage == _SUM_COLUMN:
            self._sum_line(self.radar.height + self._x)
            self._stage = _THROUGH
        elif stage == _TABLE:
            self._fill_table()
        elif stage == _COUNT:
            self._count()
        else:
            return self._pick()
        return _BUSY

    # The beginning.

    def _clear(self):
        radar = self.radar
        heat = self.heat
        i = self._line
        # Heat is also wiped behind a field that is smaller than the one before.
        top = len(heat)
        sharp = self.level == _SHARP
        end = i + (_CHUNK if sharp else 2 * _CHUNK)
        if end > top:
            end = top
        for k in range(i, end):
            heat[k] = 0
        self._line = end
        if end == top:
            self._stage = _LOOK
        if not sharp:
            return
        size = radar.width * radar.height
        if end > size:
            end = size
        cells = radar.cell
        near = radar.near
        votes = self._votes
        value = self._value
        for k in range(i, end):
            votes[k] = 0
            if cells[k] == UNKNOWN:
                value[k] = 129
                self._free += 1
            elif near[k]:
                value[k] = 0
            else:
                value[k] = 128
                self._free += 1

    def _look(self):
        # What is left, what the walls say, and whether a ship is wounded.
        radar = self.radar
        left = self._left
        ships = 0
        self._longest = 0
        for length in range(1, _LONGEST + 1):
            n = radar.afloat(length)
            left[length] = n
            if n:
                ships += n
                self._longest = length
        self._look_at_wound()
        self._look_at_walls(ships)
        self._line = 0
        if not radar.wounds:
            self._length = self._longest
            self._stage = _SUMS if self.level == _SHARP else _TABLE
        elif self.level == _HUNT:
            self._stage = _CHOOSE
        else:
            self._length = self._hits + 1
            self._stage = _SUM_ROW if self.level == _SHARP else _THROUGH

    def _look_at_wound(self):
        radar = self.radar
        if not radar.wounds:
            return
        cells = radar.cell
        width = radar.width
        x = radar.wound_x[0]
        y = radar.wound_y[0]
        while x > 0 and cells[y * width + x - 1] == HIT:
            x -= 1
        while y > 0 and cells[(y - 1) * width + x] == HIT:
            y -= 1
        self._x = x
        self._y = y
        across = 1
        while x + across < width and cells[y * width + x + across] == HIT:
            across += 1
        down = 1
        while y + down < radar.height and cells[(y + down) * width + x] == HIT:
            down += 1
        self._flat = down == 1
        self._upright = across == 1
        self._hits = across if across > down else down

    def _look_at_walls(self, ships):
        radar = self.radar
        fleet = radar.fleet
        self._wall = _FULL
        self._strict = False
        self._closed = False
        if not fleet.walls or not ships:
            return
        room = fleet.wall_max - radar.walls_strict
        self._strict = not fleet.lenient and room >= 0
        if room == 0 and radar.wounds:
            x = self._x
            y = self._y
            if x == 0 or y == 0 or x == radar.width - 1 or y == radar.height - 1:
                self._strict = False
        if not self._strict:
            room = fleet.wall_max - radar.walls
        if room < ships:
            self._wall = (_FULL * room + ships - 1) // ships if room > 0 else 0
        self._closed = room <= 0 and (self._strict or radar.longest == 1)

    # HUNT and DENSITY: all places of a length are alike, so the votes in a stretch of unknown cells depend on its
    # length alone and stand in a table.

    def _fill_table(self):
        # For stretches of one more cell.
        left = self._left
        made_of = self._table_of
        up_to = self._up_to
        if self._line == 0:
            same = made_of[0] == self.level
            for length in range(1, _LONGEST + 1):
                if made_of[length] != left[length]:
                    same = False
                made_of[length] = left[length]
                # One-deck ships are counted twice, in their row and in their column.
                up_to[length] = up_to[length - 1] + left[length] * (1 if length == 1 else 2)
            made_of[0] = self.level
            if same:
                self._stage = _VOTE
                return
        self._line += 1
        n = self._line
        base = n * (n - 1) // 2
        table = self._table
        hunts = self.level == _HUNT
        for i in range((n + 1) // 2):
            votes = 0
            if hunts:
                if n >= self._longest:
                    votes = 1
            else:
                side = i + 1
                for length in range(1, (n if n < self._longest else self._longest) + 1):
                    if left[length]:
                        places = n - length + 1
                        if places > side:
                            places = side
                        if places > length:
                            places = length
                        votes += places * (up_to[length] - up_to[length - 1])
            table[base + i] = votes
            table[base + n - 1 - i] = votes
        if n == _STRETCH:
            self._line = 0
            self._stage = _VOTE

    def _vote(self):
        # One line: each stretch of unknown cells.
        radar = self.radar
        width = radar.width
        height = radar.height
        line = self._line
        if line < height:
            cell = line * width
            step = 1
            n = width
            edge = line == 0 or line == height - 1
        else:
            cell = line - height
            step = width
            n = height
            edge = line == height or line == height + width - 1
        self._line += 1
        if self._line == height + width:
            self._line = 0
            self._stage = _CHOOSE
            if self.level == _HUNT:
                self._stage = _COUNT
                for i in range(self._longest):
                    self._classes[i] = 0
        weight = _FULL
        if edge:
            weight = self._wall
            if not weight:
                return
        cells = radar.cell
        heat = self.heat
        table = self._table
        first = 0
        last = n
        if self._closed:
            first = 1
            cell += step
            last = n - 1
        run = 0
        for i in range(first, last + 1):
            if i < last and cells[cell] == UNKNOWN:
                run += 1
            elif run:
                at = cell - run * step
                if run <= _STRETCH:
                    for k in range(run * (run - 1) // 2, run * (run + 1) // 2):
                        heat[at] += table[k] * weight
                        at += step
                else:
                    for k in range(run):
                        if k > 4:
                            k = 4 if k < run - 4 else k + _STRETCH - run
                        heat[at] += table[_STRETCH * (_STRETCH - 1) // 2 + k] * weight
                        at += step
                if not edge and self._wall < _FULL and n > _LONGEST:
                    if run == i:
                        self._ends_at_wall(cell - run * step, step, run)
                    if i == n:
                        self._ends_at_wall(cell - step, -step, run)
                run = 0
            cell += step

    def _ends_at_wall(self, cell, step, run):
        # Places that end at a wall with this cell have had full votes.
        if self.level == _HUNT:
            return
        up_to = self._up_to
        n = 1
        if self._strict and run > 1:
            n = run if run < _LONGEST else _LONGEST
        less = _FULL - self._wall
        for k in range(n):
            self.heat[cell] -= (up_to[n] - up_to[k]) * less
            cell += step

    # SHARP: each place has a weight of its own.

    def _sums(self):
        self._sum_line(self._line)
        self._line += 1
        if self._line == self.radar.height + self.radar.width:
            self._line = 0
            self._begin_length()

    def _sum_line(self, line):
        # sum[k] of a line is that of its cells before cell k - 1, so that the cells in and around a place of cells
        # a..b make sum[b + 3] - sum[a].
        radar = self.radar
        width = radar.width
        height = radar.height
        if line < height:
            at = line * (width + 3)
            cell = line * width
            step = 1
            side = width
            n = width
            before = line > 0
            after = line < height - 1
        else:
            line -= height
            at = height * (width + 3) + line * (height + 3)
            cell = line
            step = width
            side = 1
            n = height
            before = line > 0
            after = line < width - 1
        value = self._value
        sums = self._sum
        total = 0
        sums[at] = 0
        sums[at + 1] = 0
        at += 2
        for _ in range(n):
            total += value[cell]
            if before:
                total += value[cell - side]
            if after:
                total += value[cell + side]
            sums[at] = total
            at += 1
            cell += step
        sums[at] = total

    def _begin_length(self):
        # The next length that is left, or the end.
        length = self._length
        while length > 0 and not self._left[length]:
            length -= 1
        self._length = length
        self._line = 0
        self._total = 0
        if length == 0:
            self._stage = _CHOOSE
            return
        self._tilt(length)
        self._stage = _WEIGH

    def _tilt(self, length):
        # Make ready to weigh places of a length: 64 times what the exponent gains by each free cell in and around a
        # place and loses by each unknown one, and its middle.
        radar = self.radar
        left = self._left
        others = 0
        later = 0
        for n in range(1, _LONGEST + 1):
            k = left[n]
            if n == length:
                k -= 1
            others += k * (n + 3)
            if n < length:
                later += 2 * k * (n + 3)
            elif n == length:
                later += k * (n + 3)
        tilt = _TILTS[length]
        self._gain = tilt * later * 8 // self._free
        self._loss = tilt * others * 16 // radar.unknown
        around = 3 * (length + 2)
        cells = radar.width * radar.height
        middle = self._gain * (around * self._free // cells) - self._loss * (around * radar.unknown // cells)
        self._middle = _EVEN - (middle >> 6)

    def _weigh(self):
        # One line, for one length.
        radar = self.radar
        width = radar.width
        height = radar.height
        length = self._length
        line = self._line
        if line < height:
            cell = line * width
            at = line * (width + 3)
            step = 1
            n = width
            edge = line == 0 or line == height - 1
        else:
            cell = line - height
            at = height * (width + 3) + cell * (height + 3)
            step = width
            n = height
            edge = line == height or line == height + width - 1
        self._line += 1
        if self._line == (height if length == 1 else height + width):
            self._line = 0
            self._stage = _SPREAD
        wall = self._wall
        if edge and not wall:
            return
        ends = self._strict or length == 1
        only_ones = self._longest == 1
        gain = self._gain
        loss = self._loss
        middle = self._middle
        cells = radar.cell
        votes = self._votes
        sums = self._sum
        total = 0
        run = 0
        for i in range(n):
            if cells[cell] == UNKNOWN:
                run += 1
                if run >= length:
                    around = sums[at + 3] - sums[at + 1 - length]
                    e = middle + ((gain * (around >> 7) - loss * (around & 127)) >> 6)
                    if e < 0:
                        e = 0
                    elif e > _TOP:
                        e = _TOP
                    weight = _ROOTS[e & 15] << (e >> 4)
                    if only_ones:
                        weight = weight * (19 + (around & 127)) // 20
                    if wall < _FULL and (edge or (ends and (i == n - 1 or i + 1 == length))):
                        weight = weight * wall // _FULL
                    total += weight
                    k = cell
                    for _ in range(length):
                        votes[k] += weight
                        k -= step
            else:
                run = 0
            at += 1
            cell += step
        self._total += total

    def _spread(self):
        # The votes of a length, scaled so that it has as many as it has ships, go to the heat. No cell has more of
        # them than the total, so the product stays below ships << 26.
        size = self.radar.width * self.radar.height
        votes = self._votes
        heat = self.heat
        i = self._line
        end = i + _CHUNK
        if end > size:
            end = size
        if self._total:
            factor = (self._left[self._length] << 26) // self._total
            for k in range(i, end):
                n = votes[k]
                if n:
                    heat[k] += n * factor >> 8
                    votes[k] = 0
        self._line = end
        if end == size:
            self._length -= 1
            self._begin_length()

    # A wounded ship.

    def _through(self):
        # Its places of one length: first their weights are made ready, then its row is taken, then its column.
        length = self._length
        if length > self._longest:
            self._stage = _CHOOSE
            return
        part = self._line
        if part < 2 and self._left[length]:
            self._line = part + 1
        else:
            self._line = 0
            self._length = length + 1
        if not self._left[length]:
            return
        radar = self.radar
        width = radar.width
        if part == 0:
            if self.level == _SHARP:
                self._tilt(length)
        elif part == 1:
            if self._flat:
                self._through_line(length, self._x, width, self._y * width, 1, self._y * (width + 3))
        elif self._upright:
            at = radar.height * (width + 3) + self._x * (radar.height + 3)
            self._through_line(length, self._y, radar.height, self._x, width, at)

    def _through_line(self, length, first, n, start, step, at):
        # Along one line of n cells, the hits beginning at its cell `first`. `start` and `step` give the field's cells,
        # `at` the line's sums.
        cells = self.radar.cell
        heat = self.heat
        sums = self._sum
        hits = self._hits
        is_sharp = self.level == _SHARP
        middle = self._middle
        # So many places are there on a field that is not shot at, near enough.
        places = self.radar.width * self.radar.height * (n - length + 1) // n
        # From where to where the ship can reach.
        low = first
        most = first - (length - hits)
        while low > 0 and low > most:
            what = cells[start + (low - 1) * step]
            if what != UNKNOWN and what != HIT:
                break
            low -= 1
        high = first + hits
        most = first + length
        while high < n and high < most:
            what = cells[start + high * step]
            if what != UNKNOWN and what != HIT:
                break
            high += 1
        for a in range(low, high - length + 1):
            b = a + length
            # It cannot end right beside another hit, which would be one more deck of it.
            if (a > 0 and cells[start + (a - 1) * step] == HIT) or (b < n and cells[start + b * step] == HIT):
                continue
            weight = self._left[length] * self._place_at_wall(a, length, n, step)
            if is_sharp:
                around = sums[at + b + 2] - sums[at + a]
                e = middle + ((self._gain * (around >> 7) - self._loss * (around & 127)) >> 6)
                if e < 0:
                    e = 0
                elif e > _TOP:
                    e = _TOP
                weight = weight * (_ROOTS[e & 15] << (e >> 4)) // places
            k = start + a * step
            for _ in range(length):
                if cells[k] == UNKNOWN:
                    heat[k] += weight
                k += step

    def _place_at_wall(self, a, length, n, step):
        # The weight of a place by the wall rule alone, 1.._FULL.
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

    # The end.

    def _choose(self):
        if not self.radar.wounds:
            return self._hottest()
        # Beside the hits; by lot in HUNT.
        best = -1
        ties = 0
        cell = -1
        for k in range(4):
            beside = self._beside(k)
            if beside >= 0:
                warmth = self.heat[beside]
                if warmth > best:
                    best = warmth
                    ties = 0
                if warmth == best:
                    ties += 1
                    if ties == 1 or self.rng.below(ties) == 0:
                        cell = beside
        if cell < 0:
            self._draw()
        return cell

    def _beside(self, k):
        # The unknown cell left of the hits, right, above or below, as far as the ship may lie that way; else -1.
        radar = self.radar
        x = self._x
        y = self._y
        if k < 2:
            if not self._flat:
                return -1
            x += self._hits if k else -1
        else:
            if not self._upright:
                return -1
            y += self._hits if k == 3 else -1
        if 0 <= x < radar.width and 0 <= y < radar.height and radar.cell[y * radar.width + x] == UNKNOWN:
            return y * radar.width + x
        return -1

    def _hottest(self):
        heat = self.heat
        most = max(heat)
        if most == 0:
            self._draw()
            return _BUSY
        nth = self.rng.below(heat.count(most))
        cell = heat.index(most)
        while nth > 0:
            cell = heat.index(most, cell + 1)
            nth -= 1
        return cell

    def _count(self):
        # One row of HUNT's cells, by the class of their diagonal.
        radar = self.radar
        heat = self.heat
        classes = self._classes
        longest = self._longest
        line = self._line
        cell = line * radar.width
        for k in range(line, line + radar.width):
            if heat[cell]:
                classes[k % longest] += 1
            cell += 1
        self._line = line + 1
        if self._line < radar.height:
            return
        # The class with the fewest cells left is the soonest done; by lot among equals.
        best = 0
        ties = 0
        for k in range(longest):
            if classes[k]:
                if best == 0 or classes[k] < best:
                    best = classes[k]
                    ties = 0
                if classes[k] == best:
                    ties += 1
                    if ties == 1 or self.rng.below(ties) == 0:
                        self._class = k
        if best == 0:
            self._draw()
            return
        self._nth = self.rng.below(best)
        self._classes_of = longest
        self._line = 0
        self._stage = _PICK

    def _draw(self):
        # Any unknown cell will do.
        if self.radar.unknown:
            self._nth = self.rng.below(self.radar.unknown)
        self._classes_of = 0
        self._line = 0
        self._stage = _PICK

    def _pick(self):
        # One row, on the way to the cell drawn.
        radar = self.radar
        line = self._line
        if line == radar.height:
            return _BUSY
        self._line = line + 1
        cells = radar.cell
        heat = self.heat
        longest = self._classes_of
        cell = line * radar.width
        nth = self._nth
        for k in range(line, line + radar.width):
            if cells[cell] == UNKNOWN and (longest == 0 or (heat[cell] and k % longest == self._class)):
                if nth == 0:
                    return cell
                nth -= 1
            cell += 1
        self._nth = nth
        return _BUSY
