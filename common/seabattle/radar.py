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
from .radar_state import EMPTY, HIT, MISS, SUNK, UNKNOWN, RadarState
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


class Radar(RadarState):
    """What the answers to my shots have revealed. Made once; reset() sets it up for each game.

    cell             per cell: UNKNOWN, MISS, HIT, SUNK or EMPTY
    near             per cell: nonzero on and around sunk ships, 2 where the answer was "sunk"
    hits             decks hit, sunk ships included
    unknown          number of UNKNOWN cells
    lines            per line, rows then columns: a bit for each of its UNKNOWN cells, 1 << x or 1 << y
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
        if result == ANSWER_MISS:
            cells[cell] = MISS
            why = self._hemmed_in()
            return why if why else self._places_left()
        cells[cell] = HIT
        self.hits += 1
        if self.hits > self.fleet.decks:
            return R_TOO_MANY
        # The run of hits: corners of hits are EMPTY, so it has one direction only.
        across = down = 1
        left = up = 0
        if self.wounds:
            left = self._reach(cell, -1, x, HIT)
            up = self._reach(cell, -width, y, HIT)
            across = left + 1 + self._reach(cell, 1, width - 1 - x, HIT)
            down = up + 1 + self._reach(cell, width, self.height - 1 - y, HIT)
        n = across if across > down else down
        if result == ANSWER_SUNK:
            if n > LONGEST or not self.left[n]:
                self._name_sunk(n)
                return R_NO_SUCH_SHIP
            why = self._sink(x - left, y - up, across, down)
            self.near[cell] = 2
            return why
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
        width = self.width
        cell = y * width + x
        left = self._reach(cell, -1, x, HIT)
        up = self._reach(cell, -width, y, HIT)
        self.run_x = x - left
        self.run_y = y - up
        self.across = left + 1 + self._reach(cell, 1, width - 1 - x, HIT)
        self.down = up + 1 + self._reach(cell, width, self.height - 1 - y, HIT)

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
        near = self.near
        width = self.width
        height = self.height
        lines = self.lines
        right = x + across
        low = y + down
        first = x - 1 if x > 0 else 0
        end = right + 1 if right < width else right
        top = y - 1 if y > 0 else 0
        bottom = low + 1 if low < height else low
        bits = ~((1 << end) - (1 << first))
        known = 0
        for j in range(top, bottom):
            for cell in range(j * width + first, j * width + end):
                near[cell] = 1
                what = cells[cell]
                if what == UNKNOWN:
                    cells[cell] = EMPTY
                    known += 1
                elif what == HIT:
                    cells[cell] = SUNK
            lines[j] &= bits
        bits = ~((1 << bottom) - (1 << top))
        for line in range(height + first, height + end):
            lines[line] &= bits
        self.unknown -= known
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
        return self._hemmed_in()

    def _hemmed_in(self) -> int:
        # Return why no legal field is left, as R_*, or 0.
        left = self.fleet.decks - self.hits
        if left > self.unknown:
            return R_NO_ROOM
        n = self.wounds
        if not n:
            return 0
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
            across = 1 + self._reach(cell, 1, width - 1 - x, HIT)
            down = 1 + self._reach(cell, width, self.height - 1 - y, HIT)
            n = across + down - 1
            if not self._has_room(x, y, across, down):
                return R_NOT_SUNK
            # A separate ship, unless its run could be joined with an earlier one.
            joined = False
            if n < self.wounds:
                joined = (down == 1 and self._joined(x, y, 1, 0)) or (across == 1 and self._joined(x, y, 0, 1))
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
        for length in range(n + 1, LONGEST + 1):
            if self.left[length] and (
                (down == 1 and self._fits(x, y, 1, x, self.width, n, length))
                or (across == 1 and self._fits(x, y, self.width, y, self.height, n, length))
            ):
                return True
        self._name_around(x, y, across - 1, down - 1)
        return False

    def _fits(self, x: int, y: int, step: int, at: int, size: int, n: int, length: int) -> bool:
        # Whether n hits from x, y in the direction of step can belong to a ship of the length, n < length. The line in
        # that direction has `size` cells, and x, y is its cell `at`.
        if self.walls >= self.fleet.wall_max and self.fleet.lies_along(
            x, y, 2 if step == 1 else 1, 1 if step == 1 else 2
        ):
            return False
        cells = self.cell
        cell = y * self.width + x
        more = length - n
        before = self._reach(cell, -step, more if more < at else at, UNKNOWN)
        room = size - at - n
        after = self._reach(cell + (n - 1) * step, step, more if more < room else room, UNKNOWN)
        # It may end anywhere except right next to another hit, which would be one more deck of it.
        take = more - after if more > after else 0
        while take <= before and take <= more:
            first = at - take
            end = first + length
            i = cell - take * step
            if (first == 0 or cells[i - step] != HIT) and (end == size or cells[i + length * step] != HIT):
                return True
            take += 1
        return False

    def _joined(self, x: int, y: int, dx: int, dy: int) -> bool:
        # Whether an earlier hit in the line may belong to the same ship.
        most = x if dx else y
        if most >= LONGEST:
            most = LONGEST - 1
        cells = self.cell
        step = dx + dy * self.width
        cell = y * self.width + x - step
        while most > 0 and cells[cell] == UNKNOWN:
            cell -= step
            most -= 1
        return most > 0 and cells[cell] == HIT

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
