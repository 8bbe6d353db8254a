"""What I know of the other's field, and which of its answers cannot be true.

Every answer is held against all earlier ones. An answer is called false only if no field that is legal by either reading
of the wall rule could have given all of them.
"""

from .field import HIT as _R_HIT
from .field import MISS as _R_MISS
from .field import REPEAT as _R_REPEAT
from .wire import (
    R_BENT,
    R_CORNER,
    R_NEAR_SUNK,
    R_NO_ROOM,
    R_NO_SUCH_SHIP,
    R_NOT_SHOT_BEFORE,
    R_NOT_SUNK,
    R_TOO_LONG,
    R_TOO_MANY,
)

# Values of Radar.cell.
UNKNOWN = 0
MISS = 1
HIT = 2
SUNK = 3
EMPTY = 4  # not shot at, but no ship can be there


class Radar:
    """max_cells: cells of the largest field. reset() comes before everything else."""

    def __init__(self, max_cells=100):
        self.cell = bytearray(max_cells)
        self.fleet = None
        self.width = 0
        self.height = 0
        self.hits = 0
        self._sunk = bytearray(6)

    def reset(self, fleet):
        """Know nothing of a field with this seabattle.fleet.Fleet."""
        self.fleet = fleet
        self.width = fleet.width
        self.height = fleet.height
        for i in range(self.width * self.height):
            self.cell[i] = UNKNOWN
        for i in range(6):
            self._sunk[i] = 0
        self.hits = 0

    def can_shoot(self, cell):
        """True for a cell that was not shot at and may hold a ship."""
        return self.cell[cell] == UNKNOWN

    def afloat(self, length):
        """Ships of this length, 1..5, that are not sunk."""
        return self.fleet.count[length] - self._sunk[length]

    def longest(self):
        """Length of the longest ship that is not sunk, 0 when all are."""
        n = 5
        while n and not self.afloat(n):
            n -= 1
        return n

    def won(self):
        """True if every deck is hit."""
        return self.hits == self.fleet.decks

    def answer(self, cell, result):
        """Take in the answer MISS, HIT, SUNK or REPEAT (field.py) to a shot at this cell; 0, or why it is false, as R_* of
        wire.py. After a false answer the radar is of no more use."""
        old = self.cell[cell]
        if result == _R_REPEAT:
            return R_NOT_SHOT_BEFORE if old == UNKNOWN or old == EMPTY else 0
        if old != UNKNOWN and old != EMPTY:
            # The table lets it pass only as "already shot there"; what a third party makes of it changes nothing here.
            return 0
        if result == _R_MISS:
            self.cell[cell] = MISS
            return self._hemmed_in() or self._no_room()
        if old == EMPTY:
            return self._why_empty(cell)
        self.cell[cell] = HIT
        self.hits += 1
        if self.hits > self.fleet.decks:
            return R_TOO_MANY
        w = self.width
        across = self._run(cell, -1) + self._run(cell, 1)
        down = self._run(cell, -w) + self._run(cell, w)
        if across and down:
            return R_BENT
        n = across + down + 1
        longest = self.longest()
        if n > longest:
            return R_TOO_LONG
        if result == _R_HIT:
            self._clear_corners(cell)
            if self.won():
                return 0  # real programs answer the very last deck so, and the game is over (peers.md)
            return R_NOT_SUNK if n == longest else self._hemmed_in()
        if not self.afloat(n):
            return R_NO_SUCH_SHIP
        self._sunk[n] += 1
        step = w if down else 1
        first = cell - step * self._run(cell, -step)
        for i in range(n):
            self.cell[first + i * step] = SUNK
        for i in range(n):
            self._clear_around(first + i * step)
        return self._hemmed_in() or self._no_room()

    # Inside.

    def _next(self, cell, step):
        """The cell one step on (-1, 1, -width, width), or -1 at the edge."""
        x = cell % self.width
        if step == -1 and x == 0 or step == 1 and x == self.width - 1:
            return -1
        cell += step
        return cell if 0 <= cell < self.width * self.height else -1

    def _run(self, cell, step):
        """Hit cells that follow this one without a gap."""
        n = 0
        while True:
            cell = self._next(cell, step)
            if cell < 0 or self.cell[cell] != HIT:
                return n
            n += 1

    def _room(self, cell, step):
        """Cells that follow this one without a gap and may belong to the same ship."""
        n = 0
        while True:
            cell = self._next(cell, step)
            if cell < 0 or self.cell[cell] != HIT and self.cell[cell] != UNKNOWN:
                return n
            n += 1

    def _hemmed_in(self):
        """R_NOT_SUNK if a wounded ship has no room to be longer than it is hit: it had to be called sunk."""
        w = self.width
        longest = self.longest()
        for cell in range(w * self.height):
            if self.cell[cell] != HIT:
                continue
            across = self._run(cell, 1)
            down = self._run(cell, w)
            if self._run(cell, -1) or self._run(cell, -w):
                continue  # not the first deck of the wound
            n = across + down + 1
            if n >= longest:
                return R_NOT_SUNK
            room = 0
            if not down:
                room = self._room(cell, -1) + self._room(cell, 1) + 1
            if not across:
                other = self._room(cell, -w) + self._room(cell, w) + 1
                room = max(room, other)
            fits = False
            for length in range(n + 1, room + 1 if room < 5 else 6):
                if self.afloat(length):
                    fits = True
            if not fits:
                return R_NOT_SUNK
        return 0

    def _no_room(self):
        """R_NO_ROOM if the decks that are not hit, or the longest ship afloat, have no place left."""
        need = self.fleet.decks - self.hits
        longest = self.longest()
        if not longest:
            return 0
        fits = False
        for cell in range(self.width * self.height):
            if self.cell[cell] == UNKNOWN:
                need -= 1
            elif self.cell[cell] != HIT:
                continue
            if not fits:
                fits = self._room(cell, 1) + 1 >= longest or self._room(cell, self.width) + 1 >= longest
        return R_NO_ROOM if need > 0 or not fits else 0

    def _why_empty(self, cell):
        """Why no ship can be in an EMPTY cell."""
        x = cell % self.width
        y = cell // self.width
        for j in range(max(y - 1, 0), min(y + 2, self.height)):
            for i in range(max(x - 1, 0), min(x + 2, self.width)):
                if self.cell[j * self.width + i] == SUNK:
                    return R_NEAR_SUNK
        return R_CORNER

    def _clear_around(self, cell):
        x = cell % self.width
        y = cell // self.width
        for j in range(max(y - 1, 0), min(y + 2, self.height)):
            for i in range(max(x - 1, 0), min(x + 2, self.width)):
                if self.cell[j * self.width + i] == UNKNOWN:
                    self.cell[j * self.width + i] = EMPTY

    def _clear_corners(self, cell):
        x = cell % self.width
        y = cell // self.width
        for j in range(y - 1, y + 2, 2):
            for i in range(x - 1, x + 2, 2):
                if 0 <= i < self.width and 0 <= j < self.height and self.cell[j * self.width + i] == UNKNOWN:
                    self.cell[j * self.width + i] = EMPTY
