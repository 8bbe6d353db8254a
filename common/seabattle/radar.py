"""What I know of the other's field, and which of its answers cannot be true.

Every answer is checked against all earlier ones. An answer is called false only if no field that is legal under either
reading of the wall rule could have given them all, so an honest opponent is never accused. The proofs, by what they
need:

  - a hit on a cell that had to be water: around a sunk ship, or at the corner of a hit;
  - lengths: a run of hits longer than any ship left, a sunk ship of a length that is used up;
  - each wounded ship needs a place for a ship that is left and longer than its hits; two wounded ships that cannot be
    one need two such ships;
  - each length that is left needs at least one place, and the decks that are left need as many cells;
  - ships that lie along a wall are counted when they sink, by the lenient reading.

An answer has to be processed quickly. So each miss checks places in a few lines only, and each answer only a few of
many wounded ships: some lies are found some shots later.
"""

from .const import const
from .field_codes import LONGEST
from .field_codes import MISS as ANSWER_MISS
from .field_codes import REPEAT as ANSWER_REPEAT
from .field_codes import SUNK as ANSWER_SUNK
from .radar_state import EMPTY, HIT, MISS, SUNK, UNKNOWN, RadarState, run_after, run_before
from .wire import (
    R_BENT,
    R_CHANGED,
    R_CORNER,
    R_NEAR_SUNK,
    R_NO_ROOM,
    R_NO_SUCH_SHIP,
    R_NOT_SHOT_BEFORE,
    R_NOT_SUNK,
    R_TOO_LONG,
    R_TOO_MANY,
    R_WALL,
)

_TRIES = const(4)  # lines checked per miss, at most
_RUNS = const(3)  # wounded ships checked per answer, at most


def _is_joined(hits: int, free: int, at: int) -> bool:
    # Whether an earlier hit in the line may belong to the same ship.
    bit = 1 << at >> 1
    if not hits & (bit - 1):
        return False
    most = LONGEST - 1
    while most and free & bit:
        bit >>= 1
        most -= 1
    return most > 0 and hits & bit > 0


class Radar(RadarState):
    """What the answers to my shots have revealed. Made once; reset() sets it up for each game.

    cell             per cell: UNKNOWN, MISS, HIT, SUNK or EMPTY
    near             per cell: nonzero on and around sunk ships, 2 where the answer was "sunk"
    hits             decks hit, sunk ships included
    unknown          number of UNKNOWN cells
    lines            per line, rows then columns: a bit for each of its UNKNOWN cells, 1 << x or 1 << y
    wound_lines      likewise, a bit for each HIT cell
    left             per length, 1..5: ships that are not sunk; `longest` is the longest of them, 0 when all are sunk
    sunk             number of sunk ships
    games            number of resets, so that code that caches something about the lines notices a new game
    wounds           hit decks of ships that are not sunk; the first `wounds` entries of wound_x, wound_y locate them
    run_x, run_y     where the hits of the first wounded ship begin; it has `across` x `down` of them
    last             the cell of the last answer
    walls            sunk ships that lie along a wall with their full length (the lenient reading)
    walls_strict     sunk ships that touch a wall with any cell (the strict reading)
    against          after a false answer the cell of an earlier one that contradicts it, NO_CELL if many together do
    against_result   that earlier answer: field.MISS, HIT, SUNK
    """

    def answer(self, cell: int, result: int) -> int:
        """Record the answer MISS, HIT, SUNK or REPEAT (field.py) to a shot at the cell.

        Return 0, or why it is false, as R_* of wire.py. After a false answer the radar is no longer usable.
        """
        self.last = cell
        cells = self.cell
        old = cells[cell]
        if result == ANSWER_REPEAT:
            return R_NOT_SHOT_BEFORE if old == UNKNOWN or old == EMPTY else 0
        width = self.width
        y = cell // width
        x = cell - y * width
        if old == UNKNOWN:
            lines = self.lines
            lines[y] ^= 1 << x
            lines[self.height + x] ^= 1 << y
            self.unknown -= 1
        elif old != EMPTY:
            # Real programs answer a repeated shot with a miss, or as before; a better answer than before is false.
            if result + MISS <= old:
                return 0
            self._name(cell)
            self.against = cell
            return R_CHANGED
        elif result != ANSWER_MISS:
            return self._why_empty(x, y)
        wound_lines = self.wound_lines
        if result == ANSWER_MISS:
            cells[cell] = MISS
            left = self.fleet.decks - self.hits
            if left > self.unknown:
                return R_NO_ROOM
            # A miss matters only to the wounded ships in its row and column. But of many ships some are still to be
            # checked, and of the last deck that was called hit, whether the game is over.
            if self.wounds and (wound_lines[y] or wound_lines[self.height + x] or self.wounds > _RUNS or not left):
                why = self._hemmed_in()
                if why:
                    return why
            bits = self._place_bits
            return 0 if bits and self.lines[self._place_line] & bits == bits else self._places_left()
        cells[cell] = HIT
        self.hits += 1
        if self.hits > self.fleet.decks:
            return R_TOO_MANY
        # The run of hits: corners of hits are EMPTY, so it has one direction only.
        across = down = 1
        left = up = 0
        if self.wounds:
            bits = wound_lines[y]
            if bits:
                left = run_before(bits, x)
                across = left + 1 + run_after(bits, x)
            bits = wound_lines[self.height + x]
            if bits:
                up = run_before(bits, y)
                down = up + 1 + run_after(bits, y)
        n = across if across > down else down
        if result == ANSWER_SUNK:
            if n > LONGEST or not self.left[n]:
                self._name_sunk(n)
                return R_NO_SUCH_SHIP
            why = self._sink(x - left, y - up, across, down)
            self.near[cell] = 2
            return why
        wound_lines[y] |= 1 << x
        wound_lines[self.height + x] |= 1 << y
        self.wound_x[self.wounds] = x
        self.wound_y[self.wounds] = y
        self.wounds += 1
        if n == self.wounds:
            self.run_x = x - left
            self.run_y = y - up
            self.across = across
            self.down = down
        else:
            self._first_run()
        self._clear_corners(x, y)
        if n > self.longest:
            self._name_beside(x, y, HIT)
            return R_TOO_LONG
        if self.hits == self.fleet.decks:
            # Real programs call the very last deck hit instead of sunk, and the game is over.
            if self.wounds == n and self.left[n] == 1:
                return 0
            self._name_beside(x, y, HIT)
            return R_NOT_SUNK
        if self.fleet.decks - self.hits > self.unknown:
            return R_NO_ROOM
        return self._hemmed_in()

    def _why_empty(self, x: int, y: int) -> int:
        # Return why no ship can be in an EMPTY cell.
        if self.near[y * self.width + x]:
            self._name_beside(x, y, SUNK)
            return R_NEAR_SUNK
        self._name_beside(x, y, HIT)
        bent = self._at(x - 1, y) == HIT or self._at(x + 1, y) == HIT
        if bent or self._at(x, y - 1) == HIT or self._at(x, y + 1) == HIT:
            return R_BENT
        return R_CORNER

    def _first_run(self) -> None:
        # Several ships are wounded, or one is left after another has sunk.
        x = self.wound_x[0]
        y = self.wound_y[0]
        row = self.wound_lines[y]
        column = self.wound_lines[self.height + x]
        left = run_before(row, x)
        up = run_before(column, y)
        self.run_x = x - left
        self.run_y = y - up
        self.across = left + 1 + run_after(row, x)
        self.down = up + 1 + run_after(column, y)

    def _clear_corners(self, x: int, y: int) -> None:
        height = self.height
        cells = self.cell
        lines = self.lines
        left = 1 << x >> 1
        right = 2 << x
        for j in range(y - 1, y + 2, 2):
            if 0 <= j < height:
                bits = lines[j]
                cell = j * self.width + x
                if bits & left:
                    cells[cell - 1] = EMPTY
                    self.unknown -= 1
                if bits & right:
                    cells[cell + 1] = EMPTY
                    self.unknown -= 1
                lines[j] = bits & ~(left | right)
        bits = ~(1 << y >> 1 | 2 << y)
        if x > 0:
            lines[height + x - 1] &= bits
        lines[height + x + 1] &= bits  # no column follows the last one

    def _sink(self, x: int, y: int, across: int, down: int) -> int:
        # A ship is sunk: its first cell, and its size across x down. Returns like answer().
        cells = self.cell
        width = self.width
        height = self.height
        lines = self.lines
        right = x + across
        low = y + down
        first = x - 1 if x > 0 else 0
        end = right + 1 if right < width else right
        top = y - 1 if y > 0 else 0
        bottom = low + 1 if low < height else low
        wound_lines = self.wound_lines
        bits = ~((1 << end) - (1 << first))
        for j in range(top, bottom):
            self._enclose(j * width + first, j * width + end)
            lines[j] &= bits
            wound_lines[j] &= bits
        bits = ~((1 << bottom) - (1 << top))
        for line in range(height + first, height + end):
            lines[line] &= bits
            wound_lines[line] &= bits
        # Its decks are no longer wounds; the last of them never was one.
        n = across if across > down else down
        kept = 0
        if self.wounds >= n:
            for k in range(self.wounds):
                i = self.wound_x[k]
                j = self.wound_y[k]
                if cells[j * width + i] == HIT:
                    self.wound_x[kept] = i
                    self.wound_y[kept] = j
                    kept += 1
        self.wounds = kept
        if kept:
            self._first_run()
        self.sunk += 1
        self.left[n] -= 1
        while self.longest and not self.left[self.longest]:
            self.longest -= 1
        if x == 0 or right == width or y == 0 or low == height:
            self.walls_strict += 1
            if self.fleet.lies_along(x, y, across, down):
                self.walls += 1
                if self.walls > self.fleet.wall_max:
                    self._name_sunk(0)
                    return R_WALL
                self._place_bits = 0  # the place may have become impossible
        if self.fleet.decks - self.hits > self.unknown:
            return R_NO_ROOM
        return self._hemmed_in() if kept else 0

    def _enclose(self, cell: int, end: int) -> None:
        # These cells of a row are on or around a sunk ship.
        cells = self.cell
        near = self.near
        while cell < end:
            near[cell] = 1
            what = cells[cell]
            if what == UNKNOWN:
                cells[cell] = EMPTY
                self.unknown -= 1
            elif what == HIT:
                cells[cell] = SUNK
            cell += 1

    def _hemmed_in(self) -> int:
        # Return why the wounded ships fit into no legal field, as R_*, or 0.
        left = self.fleet.decks - self.hits
        n = self.wounds
        x = self.run_x
        y = self.run_y
        across = self.across
        down = self.down
        if across + down != n + 1:
            return self._wounds_fit(left)
        # The only wounded ship. Usually it has room for one more deck, and a ship of that length is left.
        if n < LONGEST and self.left[n + 1] and self.walls < self.fleet.wall_max:
            if down == 1 and self.lines[y] & (1 << x >> 1 | 1 << (x + across)):
                n = 0
            elif across == 1 and self.lines[self.height + x] & (1 << y >> 1 | 1 << (y + down)):
                n = 0
        if n and not self._has_room(x, y, across, down):
            return R_NOT_SUNK
        # It has an unhit deck, and so has every one-deck ship.
        return R_TOO_MANY if 1 + self.left[1] > left else 0

    def _wounds_fit(self, left: int) -> int:
        # Check that every wounded ship has room to be one that is left, and that there are enough such ships.
        wounded = self._wounded
        for i in range(LONGEST + 1):
            wounded[i] = 0
        ships = 0
        runs = 0
        cells = self.cell
        width = self.width
        height = self.height
        wound_lines = self.wound_lines
        first = self._turn
        for i in range(first, first + self.wounds):
            k = i % self.wounds
            x = self.wound_x[k]
            y = self.wound_y[k]
            cell = y * width + x
            if (x > 0 and cells[cell - 1] == HIT) or (y > 0 and cells[cell - width] == HIT):
                continue  # a run is counted by its first deck
            if runs == _RUNS:
                self._turn = k
                break
            runs += 1
            row = wound_lines[y]
            column = wound_lines[height + x]
            across = 1 + run_after(row, x)
            down = 1 + run_after(column, y)
            n = across + down - 1
            if not self._has_room(x, y, across, down):
                return R_NOT_SUNK
            # A separate ship, unless its run could be joined with an earlier one.
            joined = False
            if n < self.wounds:
                lines = self.lines
                joined = (down == 1 and _is_joined(row, lines[y], x)) or (
                    across == 1 and _is_joined(column, lines[height + x], y)
                )
            if not joined:
                ships += 1
                wounded[n + 1] += 1
        # Each of them has an unhit deck, and so has every one-deck ship.
        if ships + self.left[1] > left:
            return R_TOO_MANY
        # Wounded ships of at least a length need as many ships left.
        need = 0
        have = 0
        length = LONGEST
        while length > 1:
            need += wounded[length]
            have += self.left[length]
            if need > have:
                return R_TOO_MANY
            length -= 1
        return 0

    def _has_room(self, x: int, y: int, across: int, down: int) -> bool:
        # Whether the wounded ship with these hits can be as long as one that is left; if not, name what blocks it.
        n = across + down - 1
        walled = self.walls >= self.fleet.wall_max
        width = self.width
        height = self.height
        if down == 1 and not (walled and (y == 0 or y == height - 1)) and self._fits(y, x, n):
            return True
        if across == 1 and not (walled and (x == 0 or x == width - 1)) and self._fits(height + x, y, n):
            return True
        self._name_around(x, y, across - 1, down - 1)
        return False

    def _fits(self, line: int, at: int, n: int) -> bool:
        # Whether n hits from `at` in the line can belong to a longer ship that is left.
        hits = self.wound_lines[line]
        free = places = self.lines[line] | hits
        left = self.left
        for length in range(2, self.longest + 1):
            # where such a ship can begin
            places &= free >> (length - 1)
            if length > n and left[length]:
                # It may end anywhere except right next to another hit, which would be one more deck of it.
                begins = places & ~(hits << 1 | hits >> length)
                first = at + n - length
                if first < 0:
                    first = 0
                if begins & ((2 << at) - (1 << first)):
                    return True
        return False

    def _places_left(self) -> int:
        # The same for ships without a hit: whether the longest has a place, for then the others have room there too.
        bits = self._place_bits
        if bits and self.lines[self._place_line] & bits == bits:
            return 0
        self._place_bits = 0
        length = self.longest
        if not length:
            return 0
        # Places only disappear, so lines already passed stay passed until `longest` shrinks. Some lines each time.
        if length != self._place_for:
            self._place_for = length
            self._place_line = 0
        width = self.width
        height = self.height
        walled = self.walls >= self.fleet.wall_max
        inner = (1 << (width - 1)) - 2
        line = self._place_line
        for line in range(line, line + _TRIES):
            if line == height + width:
                return R_NO_ROOM
            self._place_line = line
            bits = self.lines[line]
            i = line if line < height else line - height
            if walled:
                if i == 0 or i == (height if line < height else width) - 1:
                    continue
                if length == 1:
                    bits &= inner if line < height else 0
            for _ in range(1, length):
                bits &= bits >> 1
            if bits:
                self._place_bits = (bits & -bits) * ((1 << length) - 1)
                return 0
            if length > 1 and self.wounds and self._with_hits(line, length):
                break
        else:
            self._place_line = line + 1
            return 0
        # The longest may be the wounded ship. One-deck ships are never wounded.
        if walled and self.left[1]:
            for y in range(1, height - 1):
                if self.lines[y] & inner:
                    return 0
            return R_NO_ROOM
        return 0

    def _with_hits(self, line: int, length: int) -> bool:
        # Whether the line has room for a ship through the wounds.
        bits = self.lines[line]
        height = self.height
        for k in range(self.wounds):
            if line < height:
                if self.wound_y[k] == line:
                    bits |= 1 << self.wound_x[k]
            elif self.wound_x[k] == line - height:
                bits |= 1 << self.wound_y[k]
        for _ in range(1, length):
            bits &= bits >> 1
        return bits > 0
