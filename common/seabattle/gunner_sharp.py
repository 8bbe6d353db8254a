"""The weights of SHARP: each place of a ship has its own.

gunner.py explains the formula. A weight depends on the unknown cells in and around the place, found from prefix sums
along each line. These are kept and updated by each shot; then the places are weighted length by length, and the votes
of each length are added to the heat.
"""

from .const import TYPE_CHECKING, const
from .gunner_base import APART, NUMBER
from .gunner_density import GunnerDensity

if TYPE_CHECKING:
    from .radar import Radar
    from .rng import Rng

_LONGEST = const(5)
_FULL = const(16)  # the weight of a place away from the walls
_CHUNK = const(50)  # cells handled per step where lines do not matter
_AT_ONCE = const(4)  # work of a step: scanning a row counts 1, a changed cell 3
_SHARP = const(4)
_SIDE = const(30)

# A weight is 2 ** (exponent / 16), with the exponent in 0.._TOP, and near _EVEN for an average place.
_TOP = const(159)
_EVEN = const(80)
_ROOTS = b"\x80\x86\x8c\x92\x98\x9f\xa6\xad\xb5\xbd\xc5\xce\xd7\xe1\xeb\xf5"  # 128 * 2 ** (i / 16)
_TILTS = b"\x00\x2e\x45\x45\x2e\x2e"  # 16 * tilt by length; found by experiment with the classic fleet


class GunnerSharp(GunnerDensity):
    """Weighted votes."""

    def __init__(self, radar: "Radar", rng: "Rng", level: int) -> None:
        super().__init__(radar, rng, level)
        self._value = bytearray(len(radar.cell))  # 1 if unknown, plus 128 if no sunk ship rules it out
        self._free = 0  # number of cells that no sunk ship rules out
        self._total = 0  # sum of the weights of one length
        self._gain = 0  # see _tilt()
        self._loss = 0
        self._middle = 0

    def _clear(self) -> bool:
        # Clear the heat, some cells per step, also those of a larger field; when starting anew also the kept values, as
        # for an untouched field. True at the end.
        heat = self._votes_of_all
        i = self._line
        end = i + _CHUNK
        if end > len(heat):
            end = len(heat)
        self._line = end
        if self._is_anew:
            votes = self._votes
            value = self._value
            for k in range(i, end):
                heat[k] = votes[k] = 0
                value[k] = 129
        else:
            for k in range(i, end):
                heat[k] = 0
        if end < len(heat):
            return False
        self._line = 0
        return True

    def _sums(self) -> bool:
        # Apply what the answers since the last aim changed, some cells per step; True at the end.
        radar = self.radar
        if self._is_anew:
            self._sum_line(self._line)
            self._line += 1
            if self._line == radar.height + radar.width:
                self._line = 0
                self._free = radar.width * radar.height
                self._is_anew = False
                self._is_new = True
                self._kept_game = radar.games
                self._kept_for[0] = _SHARP
            return False
        width = radar.width
        lines = radar.lines
        cells = radar.cell
        near = radar.near
        seen = self._seen
        value = self._value
        todo = _AT_ONCE
        for y in range(self._line, radar.height):
            if not self._is_new and lines[y] == seen[y]:
                continue
            self._line = y
            if todo <= 0:
                return False
            todo -= 1
            k = y * width
            for x in range(width):
                old = value[k]
                if old:
                    new = 0 if near[k] else 128 if cells[k] else 129
                    if new != old:
                        if todo <= 0:
                            return False
                        todo -= 3
                        value[k] = new
                        if not new:
                            self._free -= 1
                        self._lower(x, y, old - new)
                k += 1
            seen[y] = lines[y]
        for k in range(_SIDE, _SIDE + _LONGEST):
            seen[k] = 0  # see _weigh()
        self._line = 0
        self._is_new = False
        return True

    def _sum_line(self, line: int) -> None:
        # sum[k] of a line adds up its cells before cell k - 1 and their neighbours in the adjacent lines, so the cells
        # in and around a place of cells a..b add up to sum[b + 3] - sum[a]. Here for an untouched field.
        radar = self.radar
        n = radar.width
        last = radar.height - 1
        at = line * (n + 3)
        if line > last:
            line -= last + 1
            at = (last + 1) * (n + 3) + line * (last + 4)
            n, last = last + 1, n - 1
        more = 129 * (1 + (line > 0) + (line < last))
        sums = self._saved
        total = 0
        sums[at] = 0
        for k in range(at + 1, at + n + 2):
            sums[k] = total
            total += more
        sums[at + n + 2] = total - more

    def _lower(self, x: int, y: int, less: int) -> None:
        # A cell has lost part of its value. In its line and the adjacent ones all sums behind it decrease by that, or
        # those before it increase, for only differences count.
        width = self.radar.width
        height = self.radar.height
        sums = self._saved
        lines = 0
        for _ in range(2):
            n = width + 3
            first = y - 1 if y > 0 else 0
            last = y + 2 if y + 1 < height else height
            at = lines + first * n
            end = at + x + 2
            more = less
            if 2 * x >= width:
                at, end = end, at + n
                more = -less
            for _line in range(first, last):
                for k in range(at, end):
                    sums[k] += more
                at += n
                end += n
            lines = n * height
            x, y = y, x
            width, height = height, width

    def _begin_length(self) -> bool:
        # Go to the next length that is left; True if there is none.
        length = self._length
        while length > 0 and not self.radar.left[length]:
            length -= 1
        self._length = length
        self._line = 0
        self._total = 0
        if not length:
            self._kept_for[0] = _SHARP
            return True
        self._kept_for[0] = 0  # an aim abandoned here leaves votes behind
        self._tilt(length)
        return False

    def _tilt(self, length: int) -> None:
        # Prepare weighting the places of a length: 64 times what each free cell in and around a place adds to the
        # exponent and each unknown one subtracts, and the exponent's base value. A sum of values counts each free cell
        # as 128 more unknown ones; _gain allows for that.
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
        gain = tilt * later * 8 // self._free
        loss = tilt * others * 16 // radar.unknown
        self._gain = gain + 128 * loss
        self._loss = loss
        around = 3 * (length + 2)
        cells = radar.width * radar.height
        middle = gain * (around * self._free // cells) - loss * (around * radar.unknown // cells)
        self._middle = _EVEN - (middle >> 6)

    def _weigh(self) -> bool:
        # Weigh the next line with places of one length; True at the end. For each run of places: a cell gets the sum of
        # the weights up to the place that begins there, minus those of places that end before it. `weighed` holds these
        # sums, after as many zeros as the ship has cells.
        radar = self.radar
        width = radar.width
        height = radar.height
        lines = radar.lines
        length = self._length
        wall = self._wall
        at_ends = wall < _FULL and (self._strict or length == 1)
        only_ones = radar.longest == 1
        loss = self._loss
        gain = self._gain
        middle = self._middle
        roots = _ROOTS
        votes = self._votes
        sums = self._saved
        weighed = self._seen
        zeros = _SIDE + length
        end = height if length == 1 else height + width
        weights = self._total
        last = -1
        weight = 0
        for line in range(self._line, end):
            # A bit for each cell where a place begins.
            places = lines[line]
            for _ in range(1, length):
                places &= places >> 1
            if not places:
                continue
            if line < height:
                cell = line * width
                at = line * (width + 3)
                step = 1
                edge = line == 0 or line == height - 1
                most = width - length
            else:
                cell = line - height
                at = height * (width + 3) + cell * (height + 3)
                step = width
                edge = cell == 0 or cell == width - 1
                most = height - length
            if edge and not wall:
                continue
            is_less = at_ends or (edge and wall < _FULL)
            start = cell
            first = 0
            while places:
                i = NUMBER[(places & -places) % APART]
                places >>= i
                run = NUMBER[(~places & (places + 1)) % APART]
                places >>= run
                first += i
                cell = start + first * step
                before = at + first - zeros
                behind = before + length + 2
                total = 0
                for k in range(zeros, zeros + run):
                    around = sums[behind + k] - sums[before + k]
                    if around != last:
                        last = around
                        e = middle + ((gain * (around >> 7) - loss * around) >> 6)
                        if e < 0:
                            e = 0
                        elif e > _TOP:
                            e = _TOP
                        weight = roots[e & 15] << (e >> 4)
                        if only_ones:
                            weight = weight * (19 + (around & 127)) // 20
                    if is_less and (edge or k - zeros == -first or k - zeros == most - first):
                        total += weight * wall // _FULL
                    else:
                        total += weight
                    weighed[k] = total
                    votes[cell] += total - weighed[k - length]
                    cell += step
                for k in range(zeros + run - length, zeros + run - 1):
                    votes[cell] += total - weighed[k]
                    cell += step
                first += run
                weights += total
            break
        self._total = weights
        self._line = line + 1
        if self._line < end:
            return False
        self._line = 0
        return True

    def _spread(self) -> bool:
        # Add the votes of a length, scaled to its number of ships, to the heat. No cell has more of them than the
        # total, so the product stays below ships << 26. True at the end.
        radar = self.radar
        size = radar.width * radar.height
        votes = self._votes
        heat = self.heat
        i = self._line
        end = i + _CHUNK
        if end > size:
            end = size
        factor = (radar.left[self._length] << 26) // self._total if self._total else 0
        if self._length == radar.longest:
            # The first length sets the heat.
            for k in range(i, end):
                heat[k] = votes[k] * factor >> 8
                votes[k] = 0
        else:
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

    def _weight(self, around: int) -> int:
        # The weight that _weigh() computes, for a place with this sum in and around it.
        e = self._middle + ((self._gain * (around >> 7) - self._loss * around) >> 6)
        if e < 0:
            e = 0
        elif e > _TOP:
            e = _TOP
        return _ROOTS[e & 15] << (e >> 4)
