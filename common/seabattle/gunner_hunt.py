"""HUNT: where the longest ship has room, as bit sets.

The cells covered by its places are found by shifting a line over itself. The number of these cells on each family of
diagonals is kept up to date. Only lines where a cell became known are recomputed; all of them when the last of the
longest ships is sunk.
"""

from .const import const
from .gunner_base import APART, NUMBER, GunnerBase

_LONGEST = const(5)
_AT_ONCE = const(4)  # lines per step
_SIDE = const(30)
_DOWN = const(60)
_EVERY = (0, 0x3FFFFFFF, 0x15555555, 0x09249249, 0x11111111, 0x02108421)  # by length: every n-th bit set, from bit 0 on
_ONCE = b"\x00\x00\x01\x01\x01\x01"  # shifts by length, see _cover()
_TWICE = b"\x00\x00\x00\x01\x02\x02"


class GunnerHunt(GunnerBase):
    """The cells that the places of the longest ship cover."""

    def _forget_cover(self) -> None:
        self._is_anew = True
        for i in range(_LONGEST):
            self._classes[i] = 0

    def _cover(self) -> bool:
        # Recompute the next changed lines; True when none is left. Rows first, which show the changed columns.
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
        # Shifts that leave a bit where a ship has room: the first for 2 cells, the second for up to 4, the third for 5.
        once = _ONCE[longest]
        twice = _TWICE[longest]
        thrice = longest // 5
        todo = _AT_ONCE * self._batch
        y = self._line
        end = height
        if y == 0 and radar.unknown + 1 == self._unknown:
            # One new cell, most likely that of the last answer.
            y = radar.last // radar.width
            if lines[y] == seen[y]:
                y = 0
            else:
                end = y + 1
        for y in range(y, end):
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
            # Where a place in the column covers the cell anyway, nothing changes. Places only disappear.
            changed = (bits ^ kept[y]) & ~kept[_DOWN + y]
            kept[y] = bits
            while changed:
                bit = changed & -changed
                changed ^= bit
                k = (y + NUMBER[bit % APART]) % longest
                classes[k] -= 1
                in_row[y * _LONGEST + k] -= 1
        self._line = height
        columns = self._columns
        while columns and todo:
            todo -= 1
            own = columns & -columns
            columns ^= own
            x = NUMBER[own % APART]
            bits = lines[height + x]
            if walls:
                bits = self._may_hold(height + x, bits)
            bits &= bits >> once
            bits &= bits >> twice
            bits &= bits >> thrice
            bits |= bits << once
            bits |= bits << twice
            bits |= bits << thrice
            changed = kept[_SIDE + x] ^ bits
            kept[_SIDE + x] = bits
            while changed:
                bit = changed & -changed
                changed ^= bit
                y = NUMBER[bit % APART]
                kept[_DOWN + y] ^= own
                if not kept[y] & own:
                    k = (x + y) % longest
                    classes[k] -= 1
                    in_row[y * _LONGEST + k] -= 1
        self._columns = columns
        if columns:
            return False
        self._line = 0
        self._unknown = radar.unknown
        return True

    def _cover_anew(self) -> bool:
        # Recompute all rows, some per step; True at the end. First where places in columns begin, for all columns at
        # once, then what the cells of a row and those places cover.
        radar = self.radar
        height = radar.height
        lines = radar.lines
        kept = self._votes
        longest = radar.longest
        line = self._line
        end = line + _AT_ONCE * self._batch
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
            if end < height or self._batch == 1:
                return False
            line = height
            end = 2 * height
        classes = self._classes
        in_row = self._in_row
        every = _EVERY[longest]
        # As in _cover().
        once = _ONCE[longest]
        twice = _TWICE[longest]
        thrice = longest // 5
        if end > 2 * height:
            end = 2 * height
        for y in range(line - height, end - height):
            bits = lines[y]
            self._seen[y] = bits
            if self._closed or not self._wall:
                bits = self._may_hold(y, bits)
            bits &= bits >> once
            bits &= bits >> twice
            bits &= bits >> thrice
            bits |= bits << once
            bits |= bits << twice
            bits |= bits << thrice
            kept[y] = bits
            down = 0
            for i in range(_SIDE + (y - longest + 1 if y >= longest else 0), _SIDE + y + 1):
                down |= kept[i]
            kept[_DOWN + y] = down
            bits |= down
            at = y * _LONGEST
            for k in range(longest):
                # Count the cells of family k.
                family = bits >> (k - y) % longest & every
                n = 0
                while family:
                    family &= family - 1
                    n += 1
                in_row[at + k] = n
                classes[k] += n
        self._line = end
        if end < 2 * height or (self._batch == 1 and line < end):
            return False
        for x in range(radar.width):
            bits = lines[height + x]
            if self._closed or not self._wall:
                bits = self._may_hold(height + x, bits)
            bits &= bits >> once
            bits &= bits >> twice
            bits &= bits >> thrice
            bits |= bits << once
            bits |= bits << twice
            bits |= bits << thrice
            kept[_SIDE + x] = bits
        self._columns = 0
        self._line = 0
        self._unknown = radar.unknown
        self._is_anew = False
        return True

    def _on_diagonals(self) -> int:
        # Draw a candidate cell at random; -1 if there is none.
        classes = self._classes
        longest = self.radar.longest
        rng = self.rng
        # The family with the fewest cells left is finished soonest; ties are broken at random.
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
        bits = (self._votes[y] | self._votes[_DOWN + y]) >> first & _EVERY[longest]
        while nth:
            bits &= bits - 1
            nth -= 1
        return y * self.radar.width + first + NUMBER[(bits & -bits) % APART]
