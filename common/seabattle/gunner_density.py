"""DENSITY: votes of all places of all ships left, while no ship is wounded.

All places of a length count alike, so the votes in a run of unknown cells depend on its length alone and come from a
table. In a line where a cell became known only the run that was split is recomputed.
"""

from .const import const
from .gunner_base import APART, NUMBER
from .gunner_hunt import GunnerHunt

_LONGEST = const(5)
_FULL = const(16)
_CHUNK = const(32)  # cells cleared per step
_STRETCH = const(10)  # in longer runs all cells in the middle are alike
_LINES = const(2)  # lines per step when all are recomputed

# How many places of a ship contain a cell depends on the free cells before and after it in the line, where more than
# 4 are as good as 4. So for each length _PLACES has an entry for 0 and 0 cells, 0 and 1, .. 0 and 4, 1 and 1, .. 4
# and 4; and _ENTRY has the number of the entry for each cell of a run of 1..10 cells.
_ENTRIES = const(15)
_PLACES = (
    b"\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"
    b"\x00\x01\x01\x01\x01\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02"
    b"\x00\x00\x01\x01\x01\x01\x02\x02\x02\x03\x03\x03\x03\x03\x03"
    b"\x00\x00\x00\x01\x01\x00\x01\x02\x02\x02\x03\x03\x04\x04\x04"
    b"\x00\x00\x00\x00\x01\x00\x00\x01\x02\x01\x02\x03\x03\x04\x05"
)
_ENTRY = (
    b"\x00"
    b"\x01\x01"
    b"\x02\x05\x02"
    b"\x03\x06\x06\x03"
    b"\x04\x07\x09\x07\x04"
    b"\x04\x08\x0a\x0a\x08\x04"
    b"\x04\x08\x0b\x0c\x0b\x08\x04"
    b"\x04\x08\x0b\x0d\x0d\x0b\x08\x04"
    b"\x04\x08\x0b\x0d\x0e\x0d\x0b\x08\x04"
    b"\x04\x08\x0b\x0d\x0e\x0e\x0d\x0b\x08\x04"
)
_FIRST = b"\x00\x00\x01\x03\x06\x0a\x0f\x15\x1c\x24\x2d\x37"  # where a run of a given length starts in _ENTRY


class GunnerDensity(GunnerHunt):
    """Unweighted votes."""

    def _wipe(self) -> bool:
        # Clear all votes, also those left by a larger field; True at the end.
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
        # Adjust the table for lengths whose number of ships changed, some per step; True when it is up to date.
        left = self.radar.left
        made_for = self._table_for
        table = self._table
        todo = self._batch
        for length in range(1, _LONGEST + 1):
            more = left[length] - made_for[length]
            if more == 0:
                continue
            if not todo:
                return False
            todo -= 1
            made_for[length] = left[length]
            # One-deck ships are counted twice, in their row and in their column.
            more *= _FULL if length == 1 else 2 * _FULL
            at = (length - 1) * _ENTRIES
            for k in range(_ENTRIES):
                table[k] += _PLACES[at + k] * more
        if self._wall < _FULL:
            self._add_up_table()
        return True

    def _add_up_table(self) -> None:
        up_to = self._up_to
        left = self.radar.left
        for length in range(1, _LONGEST + 1):
            up_to[length] = up_to[length - 1] + left[length] * (1 if length == 1 else 2)

    def _vote(self) -> bool:
        # Recompute the next line where cells became known; True when none is left.
        if self._is_anew:
            return self._vote_anew()
        radar = self.radar
        lines = radar.lines
        seen = self._seen
        if radar.unknown + 1 == self._unknown:
            # One new cell, most likely that of the last answer.
            line = radar.last // radar.width
            if lines[line] != seen[line]:
                self._vote_again(line)
                self._vote_again(radar.height + radar.last - line * radar.width)
                self._unknown = radar.unknown
                return True
        todo = self._batch
        for line in range(self._line, radar.height + radar.width):
            if seen[line] != lines[line]:
                if not todo:
                    self._line = line
                    return False
                todo -= 1
                self._vote_again(line)
        self._line = 0
        self._unknown = radar.unknown
        return True

    def _vote_again(self, line: int) -> None:
        # Recompute a line where cells became known: the runs that contained them.
        radar = self.radar
        old = self._seen[line]
        bits = radar.lines[line]
        self._seen[line] = bits
        # From the first changed cell to the last, extended to the ends of their runs.
        changed = old ^ bits
        at = NUMBER[(changed & -changed) % APART]
        before = old << 1
        first = at
        while before >> first & 1:
            first -= 1
        end = at + 1
        while changed >> end:
            end += 1
        while old >> end & 1:
            end += 1
        n = end - first
        if self._wall < _FULL or n > _STRETCH or changed != 1 << at:
            stretches = (1 << end) - (1 << first)
            if self._wall < _FULL:
                old = self._may_hold(line, old)
                bits = self._may_hold(line, bits)
            self._vote_in(line, old & stretches, -1)
            self._vote_in(line, bits & stretches, 1)
            return
        # One cell, as with most shots: it splits the run first..end-1 in two. Only cells that share a place with it get
        # other votes.
        heat = self._votes_of_all
        table = self._table
        entry = _ENTRY
        step = 1
        cell = line * radar.width
        if line >= radar.height:
            step = radar.width
            cell = line - radar.height
        most = radar.longest - 1
        before = at - first
        behind = end - at - 1
        k = before - most if before > most else 0
        cell += (first + k) * step
        old = _FIRST[n] + k
        for new in range(_FIRST[before] + k, _FIRST[before + 1]):
            heat[cell] += table[entry[new]] - table[entry[old]]
            old += 1
            cell += step
        heat[cell] -= table[entry[old]]
        k = _FIRST[behind]
        for new in range(k, k + (most if behind > most else behind)):
            old += 1
            cell += step
            heat[cell] += table[entry[new]] - table[entry[old]]

    def _vote_anew(self) -> bool:
        # Recompute all lines, some per step; True at the end. Rows set the heat, columns add to it.
        radar = self.radar
        height = radar.height
        width = radar.width
        lines = radar.lines
        seen = self._seen
        heat = self._votes_of_all
        table = self._table
        entry = _ENTRY
        is_plain = self._wall == _FULL and width <= _STRETCH and height <= _STRETCH
        line = self._line
        end = line + _LINES * self._batch
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
                        heat[cell] = table[0]
                        cell += 1
                        continue
                    run = NUMBER[(~bits & (bits + 1)) % APART]
                    bits >>= run
                    k = _FIRST[run] - cell
                    for cell in range(cell, cell + run):
                        heat[cell] = table[entry[k + cell]]
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
                    heat[cell] += table[0]
                    cell += width
                    continue
                run = NUMBER[(~bits & (bits + 1)) % APART]
                bits >>= run
                k = _FIRST[run]
                for k in range(k, k + run):
                    heat[cell] += table[entry[k]]
                    cell += width
        if end < height + width:
            self._line = end
            return False
        self._line = 0
        self._unknown = radar.unknown
        self._is_anew = False
        return True

    def _vote_in(self, line: int, bits: int, sign: int) -> None:
        # Votes of some runs of a line: 1 adds them to the heat, -1 subtracts them, 0 sets it.
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
                k = _FIRST[_STRETCH]
                for there in range(run):
                    votes = table[_ENTRY[k]] * weight // _FULL
                    heat[cell] = heat[cell] + votes if sign else votes
                    cell += step
                    # Cells in the middle are all alike.
                    if there < 5 or there >= run - 5:
                        k += 1
            elif sign:
                k = _FIRST[run]
                for k in range(k, k + run):
                    heat[cell] += table[_ENTRY[k]] * weight // _FULL
                    cell += step
            else:
                k = _FIRST[run]
                for k in range(k, k + run):
                    heat[cell] = table[_ENTRY[k]] * weight // _FULL
                    cell += 1
            if at_walls:
                if i == run:
                    self._ends_at_wall(cell - run * step, step, run, sign)
                if i == n:
                    self._ends_at_wall(cell - step, -step, run, sign)

    def _ends_at_wall(self, cell: int, step: int, run: int, sign: int) -> None:
        # Places that end at the wall in this cell were counted in full: subtract the difference.
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
