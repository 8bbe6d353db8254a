"""DENSITY: the votes of all places of all ships left, for a ship that nothing is known of yet.

All places of a length are alike, so the votes in a stretch of unknown cells depend on its length alone and stand in a
table. In a line where a cell became known only the stretch that was broken votes anew.
"""

from .const import const
from .gunner_cover import Cover
from .gunner_lookout import APART, NUMBER

_LONGEST = const(5)
_FULL = const(16)
_CHUNK = const(32)  # cells wiped at a time
_AT_ONCE = const(4)  # stretches of the table
_STRETCH = const(9)  # in longer stretches the cells in the middle are all alike
_NEVER = const(-1)  # a line that has not voted: ~0


class Votes(Cover):
    """Votes that count alike."""

    def _ask_all(self):
        # All lines have to vote; the cells that had votes are remembered.
        seen = self._seen
        for line in range(self.radar.height + self.radar.width):
            if seen[line] >= 0:
                seen[line] = ~seen[line]

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
            i = NUMBER[(changed & -changed) % APART]
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
            cell = first + NUMBER[bit % APART] * step
            votes = kept[shift + cell]
            if votes:
                kept[shift + cell] = 0
                heat[cell] -= votes
        weight = self._wall if edge else _FULL
        at_walls = not edge and self._wall < _FULL and n > _LONGEST
        table = self._table
        bits &= stretches
        while bits:
            i = NUMBER[(bits & -bits) % APART]
            bits >>= i
            run = NUMBER[(~bits & (bits + 1)) % APART]
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
