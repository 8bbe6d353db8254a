"""DENSITY: the votes of all places of all ships left, for a ship that nothing is known of yet.

All places of a length are alike, so the votes in a stretch of unknown cells depend on its length alone and stand in a
table. In a line where a cell became known only the stretch that was broken votes again.
"""

from .const import const
from .gunner_cover import Cover
from .gunner_lookout import APART, NUMBER

_LONGEST = const(5)
_FULL = const(16)
_CHUNK = const(32)  # cells wiped at a time
_AT_ONCE = const(4)  # stretches of the table
_STRETCH = const(10)  # in longer stretches the cells in the middle are all alike
_LINES = const(2)  # lines that vote at a time when all do


class Votes(Cover):
    """Votes that count alike."""

    def _wipe(self) -> bool:
        # All votes, also behind a field that is smaller than the one before; True at the end.
        heat = self._votes_of_all
        votes = self._votes
        n = len(heat)
        end = self._line + _CHUNK
        if end > n:
            end = n
        for k in range(self._line, end):
            heat[k] = votes[k] = 0
        self._line = end
        if end < n:
            return False
        self._line = 0
        for line in range(self.radar.height + self.radar.width):
            self._seen[line] = 0
        self._is_anew = True
        return True

    def _fill_table(self) -> bool:
        # For some stretches, what more or fewer ships of a length make; True when the table counts those left.
        left = self.radar.left
        made_for = self._table_for
        table = self._table
        todo = _AT_ONCE * self._pace
        for length in range(1, _LONGEST + 1):
            if made_for[length] == left[length]:
                continue
            # One-deck ships are counted twice, in their row and in their column.
            more = (left[length] - made_for[length]) * (1 if length == 1 else 2)
            n = self._line
            if n < length:
                n = length
            while n <= _STRETCH:
                if not todo:
                    self._line = n
                    return False
                todo -= 1
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
            self._line = 0
            made_for[length] = left[length]
        if self._wall < _FULL:
            self._add_up_table()
        return True

    def _forget_table(self) -> None:
        for i in range(len(self._table)):
            self._table[i] = 0
        for i in range(_LONGEST + 1):
            self._table_for[i] = 0

    def _add_up_table(self) -> None:
        up_to = self._up_to
        left = self.radar.left
        for length in range(1, _LONGEST + 1):
            up_to[length] = up_to[length - 1] + left[length] * (1 if length == 1 else 2)

    def _vote(self) -> bool:
        # The next line where more is known than when it voted last; True when there is none left.
        if self._is_anew:
            return self._vote_anew()
        radar = self.radar
        height = radar.height
        lines = radar.lines
        seen = self._seen
        todo = self._pace
        for line in range(self._line, height + radar.width):
            old = seen[line]
            bits = lines[line]
            if old == bits:
                continue
            if not todo:
                self._line = line
                return False
            todo -= 1
            seen[line] = bits
            # From the first cell that has changed to the last, and the stretches that they were in.
            changed = old ^ bits
            at = NUMBER[(changed & -changed) % APART]
            i = at
            end = i + 1
            while changed >> end:
                end += 1
            while i > 0 and old >> (i - 1) & 1:
                i -= 1
            while old >> end & 1:
                end += 1
            if self._wall == _FULL and changed == 1 << at and end - i <= _STRETCH:
                self._break(line, i, at, end)
                continue
            stretches = (1 << end) - (1 << i)
            if self._wall < _FULL:
                old = self._may_hold(line, old)
                bits = self._may_hold(line, bits)
            self._vote_in(line, old & stretches, -1)
            self._vote_in(line, bits & stretches, 1)
        self._line = 0
        return True

    def _break(self, line: int, first: int, at: int, end: int) -> None:
        # Of a stretch first..end-1 one cell has become known, as with most shots: it is two now. Only cells that a ship
        # left can share with that one get other votes.
        radar = self.radar
        heat = self._votes_of_all
        table = self._table
        step = 1
        cell = line * radar.width
        if line >= radar.height:
            step = radar.width
            cell = line - radar.height
        most = radar.longest - 1
        n = end - first
        before = at - first
        behind = end - at - 1
        k = before - most if before > most else 0
        cell += (first + k) * step
        old = n * (n - 1) // 2 + k
        weight = _FULL
        for new in range(before * (before - 1) // 2 + k, before * (before + 1) // 2):
            heat[cell] += (table[new] - table[old]) * weight
            old += 1
            cell += step
        heat[cell] -= table[old] * weight
        k = behind * (behind - 1) // 2
        for new in range(k, k + (most if behind > most else behind)):
            old += 1
            cell += step
            heat[cell] += (table[new] - table[old]) * weight

    def _vote_anew(self) -> bool:
        # All lines, some at a time; True at the end. The rows make the heat, and the columns add to it.
        radar = self.radar
        height = radar.height
        width = radar.width
        lines = radar.lines
        seen = self._seen
        heat = self._votes_of_all
        table = self._table
        weight = _FULL
        is_plain = self._wall == weight and width <= _STRETCH and height <= _STRETCH
        line = self._line
        end = line + _LINES * self._pace
        if end > height + width:
            end = height + width
        for line in range(line, end):
            bits = lines[line]
            if line < height:
                cell = line * width
                old = seen[line]
                seen[line] = bits
                if not is_plain:
                    bits = self._may_hold(line, bits)
                old &= ~bits
                while old:
                    bit = old & -old
                    old ^= bit
                    heat[cell + NUMBER[bit % APART]] = 0
                if not is_plain:
                    self._vote_in(line, bits, 0)
                    continue
                # As _vote_in(), where the walls do not matter.
                while bits:
                    i = NUMBER[(bits & -bits) % APART]
                    bits >>= i
                    cell += i
                    if bits & 3 == 1:
                        bits >>= 1
                        heat[cell] = table[0] * weight
                        cell += 1
                        continue
                    run = NUMBER[(~bits & (bits + 1)) % APART]
                    bits >>= run
                    k = run * (run - 1) // 2
                    for k in range(k, k + run):
                        heat[cell] = table[k] * weight
                        cell += 1
                continue
            seen[line] = bits
            if not is_plain:
                self._vote_in(line, self._may_hold(line, bits), 1)
                continue
            cell = line - height
            while bits:
                i = NUMBER[(bits & -bits) % APART]
                bits >>= i
                cell += i * width
                if bits & 3 == 1:
                    bits >>= 1
                    heat[cell] += table[0] * weight
                    cell += width
                    continue
                run = NUMBER[(~bits & (bits + 1)) % APART]
                bits >>= run
                k = run * (run - 1) // 2
                for k in range(k, k + run):
                    heat[cell] += table[k] * weight
                    cell += width
        if end < height + width:
            self._line = end
            return False
        self._line = 0
        self._is_anew = False
        return True

    def _vote_in(self, line: int, bits: int, sign: int) -> None:
        # The votes of some stretches of a line: 1 adds them to the heat, -1 takes them away, 0 makes it.
        radar = self.radar
        heat = self._votes_of_all
        table = self._table
        width = radar.width
        height = radar.height
        if line < height:
            first = line * width
            step = 1
            n = width
        else:
            first = line - height
            step = width
            n = height
        weight = -_FULL if sign < 0 else _FULL
        at_walls = False
        if self._wall < _FULL:
            at_walls = n > _LONGEST
            if line == 0 or line == height - 1 or line == height or line == height + width - 1:
                weight = -self._wall if sign < 0 else self._wall
                at_walls = False
        while bits:
            i = NUMBER[(bits & -bits) % APART]
            bits >>= i
            run = NUMBER[(~bits & (bits + 1)) % APART]
            cell = first + i * step
            i += run
            bits = bits >> run << i
            if run > _STRETCH:
                k = _STRETCH * (_STRETCH - 1) // 2
                for there in range(run):
                    votes = table[k] * weight
                    heat[cell] = heat[cell] + votes if sign else votes
                    cell += step
                    # In the middle all are alike.
                    if there < 5 or there >= run - 5:
                        k += 1
            elif sign:
                k = run * (run - 1) // 2
                for k in range(k, k + run):
                    heat[cell] += table[k] * weight
                    cell += step
            else:
                k = run * (run - 1) // 2
                for k in range(k, k + run):
                    heat[cell] = table[k] * weight
                    cell += 1
            if at_walls:
                if i == run:
                    self._ends_at_wall(cell - run * step, step, run, sign)
                if i == n:
                    self._ends_at_wall(cell - step, -step, run, sign)

    def _ends_at_wall(self, cell: int, step: int, run: int, sign: int) -> None:
        # Places that end at a wall with this cell have had full votes.
        up_to = self._up_to
        n = 1
        if self._strict and run > 1:
            n = run if run < _LONGEST else _LONGEST
        less = _FULL - self._wall
        if sign < 0:
            less = -less
        for k in range(n):
            self._votes_of_all[cell] -= (up_to[n] - up_to[k]) * less
            cell += step
