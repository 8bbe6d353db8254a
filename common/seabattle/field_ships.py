"""The ships on a field: placing them one by one, and the shots at them."""

from .const import TYPE_CHECKING, const
from .field_codes import (
    EMPTY,
    HIT,
    LONGEST,
    MISS,
    NONE_LEFT,
    OK,
    OUT,
    OVERLAP,
    REPEAT,
    S_BEGIN,
    S_IDLE,
    SHOT,
    SUNK,
    TOUCH,
    WALL,
    WIDEST,
)

if TYPE_CHECKING:
    from .fleet import Fleet

_BYTE = const(256)


class FieldShips:
    """The part of Field that needs no random numbers."""

    def __init__(self, max_cells: int) -> None:
        ships = max_cells // 2 + 2
        self.max_cells = max_cells
        self.ship = bytearray(max_cells)
        self.mark = bytearray(max_cells)
        # By ship number: 2 * length + vertical, 0 for an unused number; its first cell; its hit decks.
        self._code = bytearray(ships)
        self._first = bytearray(ships) if max_cells <= _BYTE else [0] * ships
        self._hit = bytearray(ships)
        self._top = 0  # the highest number in use
        self._count = bytearray(LONGEST + 1)
        self._sunk = bytearray(LONGEST + 1)
        self._to_ring = 0  # the last ship sunk, until its neighbours are marked
        self._stage = S_IDLE
        self.fleet: Fleet = None  # type: ignore[assignment]  # until reset()
        self.width = 0
        self.height = 0
        self.cells = 0
        self.placed = 0
        self.along_wall = 0
        self.hits = 0

    def reset(self, fleet: "Fleet") -> None:
        """Make the field empty, for this fleet, which must not change while the field is in use.

        ValueError for a field of more cells than this object was made for, or wider than WIDEST.
        """
        if fleet.width * fleet.height > self.max_cells or fleet.width > WIDEST:
            raise ValueError("field too large")
        self.fleet = fleet
        self.width = fleet.width
        self.height = fleet.height
        self.cells = fleet.width * fleet.height
        self.clear()

    def clear(self) -> None:
        """Remove all ships and all shots."""
        ship = self.ship
        mark = self.mark
        for i in range(self.cells):
            ship[i] = 0
            mark[i] = 0
        while self._top > 0:
            self._code[self._top] = 0
            self._top -= 1
        i = 0
        while i <= LONGEST:
            self._count[i] = 0
            self._sunk[i] = 0
            i += 1
        self.placed = 0
        self.along_wall = 0
        self.hits = 0
        self._to_ring = 0
        self._changed()

    # Placing

    def left(self, length: int) -> int:
        """Return how many ships of the length, 1..5, are still to be placed."""
        return self.fleet.count[length] - self._count[length]

    def complete(self) -> bool:
        """Return whether the whole fleet is on the field."""
        return self.placed == self.fleet.ships

    def can_place(self, x: int, y: int, length: int, vertical: int) -> int:
        """Return OK, or why a ship may not be placed there: OUT, NONE_LEFT, OVERLAP, TOUCH or WALL, in this order."""
        x2 = x
        y2 = y
        if vertical:
            y2 += length - 1
        else:
            x2 += length - 1
        if x < 0 or y < 0 or x2 >= self.width or y2 >= self.height:
            return OUT
        if not 1 <= length <= LONGEST or self.left(length) <= 0:
            return NONE_LEFT
        answer = OK
        row = y - 1
        while row <= y2 + 1:
            if 0 <= row < self.height:
                column = x - 1
                while column <= x2 + 1:
                    if 0 <= column < self.width and self.ship[row * self.width + column]:
                        if x <= column <= x2 and y <= row <= y2:
                            return OVERLAP
                        answer = TOUCH
                    column += 1
            row += 1
        if answer != OK:
            return answer
        if self.along_wall >= self.fleet.wall_max and self.fleet.on_wall(x, y, length, vertical):
            return WALL
        return OK

    def place(self, x: int, y: int, length: int, vertical: int) -> int:
        """Place a ship and return OK, or return can_place()'s reason and change nothing."""
        answer = self.can_place(x, y, length, vertical)
        if answer == OK:
            self._put(x, y, length, vertical)
            self._changed()
        return answer

    def remove(self, cell: int) -> int:
        """Remove the ship that has a deck on the cell; return its length, 0 if there is none."""
        n = self.ship[cell]
        if n == 0:
            return 0
        code = self._code[n]
        length = code >> 1
        cell = self._first[n]
        if self.fleet.on_wall(cell % self.width, cell // self.width, length, code & 1):
            self.along_wall -= 1
        i = 0
        while i < length:
            self.ship[cell] = 0
            cell += self.width if code & 1 else 1
            i += 1
        self._code[n] = 0
        self._count[length] -= 1
        self.placed -= 1
        self._changed()
        return length

    def _put(self, x: int, y: int, length: int, vertical: int) -> None:
        n = self._top + 1
        if self.placed < self._top:
            n = 1
            while self._code[n]:
                n += 1
        if n > self._top:
            self._top = n
        self._code[n] = 2 * length + (1 if vertical else 0)
        self._hit[n] = 0
        self._count[length] += 1
        self.placed += 1
        if self.fleet.on_wall(x, y, length, vertical):
            self.along_wall += 1
        cell = y * self.width + x
        self._first[n] = cell
        while length > 0:
            self.ship[cell] = n
            cell += self.width if vertical else 1
            length -= 1

    def _changed(self) -> None:
        if self._stage != S_IDLE:
            self._stage = S_BEGIN

    # Shots

    def shoot(self, cell: int) -> int:
        """Shoot at a cell: return MISS, HIT, SUNK, or REPEAT if that very cell was shot before."""
        result = self.take(cell)
        if self._to_ring:
            self.settle()
        return result

    def take(self, cell: int) -> int:
        """Like shoot(), in a third of the time: settle() marks the water around a sunk ship later."""
        was = self.mark[cell]
        if was & SHOT:
            return REPEAT
        self.mark[cell] = was | SHOT
        n = self.ship[cell]
        if n == 0:
            return MISS
        self.hits += 1
        hit = self._hit[n] + 1
        self._hit[n] = hit
        length = self._code[n] >> 1
        if hit < length:
            return HIT
        self._sunk[length] += 1
        self.settle()
        self._to_ring = n
        return SUNK

    def settle(self) -> None:
        """Finish what take() left to do."""
        n = self._to_ring
        if n:
            self._to_ring = 0
            self._ring(n)

    def afloat(self, length: int) -> int:
        """Return how many placed ships of the length, 1..5, are not sunk."""
        return self._count[length] - self._sunk[length]

    def lost(self) -> bool:
        """Return whether every deck of the fleet has been hit."""
        return self.hits == self.fleet.decks

    def is_hit(self, cell: int) -> bool:
        """Return whether the cell holds a hit deck, sunk ships included."""
        return self.ship[cell] != 0 and self.mark[cell] & SHOT != 0

    def is_sunk(self, cell: int) -> bool:
        """Return whether the cell holds a deck of a sunk ship."""
        n = self.ship[cell]
        return n != 0 and self._hit[n] == self._code[n] >> 1

    def _ring(self, n: int) -> None:
        # Mark the water around a sunk ship as empty.
        width = self.width
        length = self._code[n] >> 1
        left = self._first[n] % width - 1
        row = self._first[n] // width - 1
        right = left + 2
        low = row + 2
        if self._code[n] & 1:
            low += length - 1
        else:
            right += length - 1
        if left < 0:
            left = 0
        if row < 0:
            row = 0
        if right >= width:
            right = width - 1
        if low >= self.height:
            low = self.height - 1
        ship = self.ship
        mark = self.mark
        for row in range(row, low + 1):
            cell = row * width
            for cell in range(cell + left, cell + right + 1):
                if not ship[cell]:
                    mark[cell] |= EMPTY
