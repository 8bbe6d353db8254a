"""The weights of SHARP, for which each place of a length has one of its own.

Why they are what they are stands in gunner.py. A weight depends on what is unknown in and around the place, which is
had from sums along each line; so first the sums are made, then length by length the places are weighed, and the votes
of a length are spread over the heat.
"""

from .const import const
from .gunner_votes import Votes

_LONGEST = const(5)
_UNKNOWN = const(0)  # of radar.py
_FULL = const(16)  # the weight of a place away from the walls
_CHUNK = const(16)  # cells taken at a time where lines do not matter

# A weight is 2 ** (exponent / 16), with the exponent in 0.._TOP, and near _EVEN for a place like any other.
_TOP = const(159)
_EVEN = const(80)
_ROOTS = b"\x80\x86\x8c\x92\x98\x9f\xa6\xad\xb5\xbd\xc6\xce\xd7\xe1\xeb\xf5"  # 128 * 2 ** (i / 16)
_TILTS = b"\x00\x2e\x45\x45\x2e\x2e"  # 16 * tilt by length; found by trial with the classic fleet


class Weights(Votes):
    """Votes that do not count alike."""

    def __init__(self, radar, rng, level):
        super().__init__(radar, rng, level)
        self._value = bytearray(len(radar.cell))  # 1 for an unknown cell, 128 for one that no sunk ship rules out
        self._free = 0  # cells that no sunk ship rules out
        self._total = 0  # of the weights of one length
        self._gain = 0  # see _tilt()
        self._loss = 0
        self._middle = 0

    def _clear(self):
        # Some cells; True at the end. Heat is also wiped behind a field that is smaller than the one before.
        radar = self.radar
        heat = self._votes_of_all
        votes = self._votes
        value = self._value
        cells = radar.cell
        near = radar.near
        size = radar.width * radar.height
        top = len(heat)
        i = self._line
        end = i + _CHUNK
        if end > top:
            end = top
        for k in range(i, end):
            heat[k] = votes[k] = 0
            if k >= size:
                continue
            if cells[k] == _UNKNOWN:
                value[k] = 129
                self._free += 1
            elif near[k]:
                value[k] = 0
            else:
                value[k] = 128
                self._free += 1
        self._line = end
        if end < top:
            return False
        self._line = 0
        return True

    def _sums(self):
        # The next line; True at the end.
        self._sum_line(self._line)
        self._line += 1
        if self._line < self.radar.height + self.radar.width:
            return False
        self._line = 0
        return True

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
        sums = self._kept
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
        # The next length that is left; True if there is none.
        length = self._length
        while length > 0 and not self.radar.left[length]:
            length -= 1
        self._length = length
        self._line = 0
        self._total = 0
        if length:
            self._tilt(length)
        return length == 0

    def _tilt(self, length):
        # Make ready to weigh places of a length: 64 times what the exponent gains by each free cell in and around a
        # place and loses by each unknown one, and its middle.
        radar = self.radar
        left = radar.left
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
        # One line, for one length; True at the end.
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
        done = self._line == (height if length == 1 else height + width)
        if done:
            self._line = 0
        wall = self._wall
        if edge and not wall:
            return done
        # Whether the ship has a place in this line at all.
        places = radar.lines[line]
        for i in range(1, length):
            places &= places >> 1
        if not places:
            return done
        ends = self._strict or length == 1
        only_ones = radar.longest == 1
        gain = self._gain
        loss = self._loss
        middle = self._middle
        cells = radar.cell
        votes = self._votes
        sums = self._kept
        total = 0
        run = 0
        for i in range(n):
            if cells[cell] == _UNKNOWN:
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
        return done

    def _spread(self):
        # The votes of a length, scaled so that it has as many as it has ships, go to the heat. No cell has more of
        # them than the total, so the product stays below ships << 26. True at the end.
        radar = self.radar
        size = radar.width * radar.height
        votes = self._votes
        heat = self.heat
        i = self._line
        end = i + _CHUNK
        if end > size:
            end = size
        if self._total:
            factor = (radar.left[self._length] << 26) // self._total
            for k in range(i, end):
                n = votes[k]
                if n:
                    heat[k] += n * factor >> 8
                    votes[k] = 0
        self._line = end
        if end < size:
            return False
        self._length -= 1
        return True

    def _weight(self, around):
        # What _weigh() reckons, for a place with this sum in and around it.
        e = self._middle + ((self._gain * (around >> 7) - self._loss * (around & 127)) >> 6)
        if e < 0:
            e = 0
        elif e > _TOP:
            e = _TOP
        return _ROOTS[e & 15] << (e >> 4)
