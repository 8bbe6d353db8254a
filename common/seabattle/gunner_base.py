"""What a gunner reads from the radar before it aims, at any level: ships left, the wounded ship, room along the walls.

Also the memory in which the levels keep the contribution of each line from the last shot, and whether that is still
valid.
"""

from array import array

from .const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from .radar import Radar
    from .rng import Rng

# The position of a single bit, 0..29, is at its remainder by APART, which differs for each.
APART = const(37)
NUMBER = (
    b"\x00\x00\x01\x1a\x02\x17\x1b\x00\x03\x10\x18\x00\x1c\x0b\x00\x0d\x04\x07\x11"
    b"\x00\x19\x16\x00\x0f\x1d\x0a\x0c\x06\x00\x15\x0e\x09\x05\x14\x08\x13\x12"
)

_HUNT = const(2)
_LONGEST = const(5)
_FULL = const(16)
_ENTRIES = const(15)  # as in gunner_density.py
_SIDE = const(30)

# What the kept votes were computed for: level, ships left by length, walls.
_WEIGHT_AT_WALL = const(6)
_AT_WALL = const(7)
_KEPT = const(8)

# What is still valid, see _are_kept().
_NOTHING = const(0)
_OTHER_FLEET = const(1)  # the memory, but every line has to be recomputed
_ALL = const(2)


class GunnerBase:
    """The state common to all levels. Made once, with the memory of all of them."""

    def __init__(self, radar: "Radar", rng: "Rng", level: int) -> None:
        self.radar = radar
        self.rng = rng
        self.level = level
        n = len(radar.cell)
        self.heat = [0] * n
        # The following was computed in this game, after this many sinkings.
        self._game = -1
        self._sunk = 0
        self._is_new = True  # it has changed since the kept votes were checked against it
        # The wall rule: the weight of a place along a wall, whether places that only end at a wall count, and whether
        # no ship can be on the edge any more.
        self._wall = _FULL
        self._strict = False
        self._closed = False
        self._is_last = False  # no room is left along the walls if the wounded ship is at one
        # The wounded ship: its first hit, hits in line, and which directions are possible.
        self._x = 0
        self._y = 0
        self._hits = 0
        self._flat = False
        self._upright = False
        # SHARP: prefix sums of each line.
        self._saved = array("H", bytes(2 * (3 * n + 16)))
        self._votes_of_all = self.heat
        # DENSITY: votes for the wounded ship alone. SHARP: votes of one length. HUNT: bits covered by horizontal
        # places, per row; by vertical places, per column; by vertical places, per row.
        self._votes = [0] * (n if n > 3 * _SIDE else 3 * _SIDE)
        self._kept_for = bytearray(_KEPT)
        self._kept_game = -1
        self._seen = [0] * (2 * _SIDE)  # the radar's lines when last looked at
        self._unknown = 0  # unknown cells when all lines had been looked at
        self._table = [0] * _ENTRIES  # votes for a cell, by the free cells before and after it
        self._table_for = bytearray(_LONGEST + 1)  # ships of each length counted in it
        self._up_to = [0] * (_LONGEST + 1)  # votes in the table for one place of each length up to this one
        self._in_row = bytearray(_SIDE * _LONGEST)  # HUNT: candidate cells by row and family of diagonals
        self._classes = [0] * _LONGEST  # the same on the whole field
        self._is_anew = False  # all lines must be recomputed
        self._columns = 0  # HUNT: columns that changed with the rows, 1 << x
        self._line = 0
        self._length = 0
        self._batch = 1  # multiplier for the work of a step: higher when nobody waits between two

    def _look(self) -> None:
        radar = self.radar
        if radar.wounds:
            self._x = radar.run_x
            self._y = radar.run_y
            self._flat = radar.down == 1
            self._upright = radar.across == 1
            self._hits = radar.across + radar.down - 1
        if radar.sunk != self._sunk or radar.games != self._game or self._is_last:
            self._sunk = radar.sunk
            self._game = radar.games
            self._is_new = True
            self._look_at_walls()

    def _look_at_walls(self) -> None:
        radar = self.radar
        fleet = radar.fleet
        self._wall = _FULL
        self._strict = False
        self._closed = False
        self._is_last = False
        ships = fleet.ships - radar.sunk
        if not fleet.walls or not ships:
            return
        room = fleet.wall_max - radar.walls_strict
        self._strict = not fleet.lenient and room >= 0
        if room == 0:
            self._is_last = True
            if radar.wounds:
                x = self._x
                y = self._y
                if x == 0 or y == 0 or x == radar.width - 1 or y == radar.height - 1:
                    self._strict = False
        if not self._strict:
            room = fleet.wall_max - radar.walls
        if room < ships:
            self._wall = (_FULL * room + ships - 1) // ships if room > 0 else 0
        # In the lenient reading a ship may still end at a wall; a one-deck ship there lies along it.
        self._closed = room <= 0 and (self._strict or radar.longest == 1)

    def _place_at_wall(self, a: int, length: int, n: int, step: int) -> int:
        # The weight of a place of the wounded ship under the wall rule alone, 1.._FULL.
        if self._wall == _FULL:
            return _FULL
        radar = self.radar
        x = self._x
        y = self._y
        right = radar.width - 1
        low = radar.height - 1
        if self._strict:
            if x == 0 or y == 0 or x == right or y == low:
                return _FULL
            along = a == 0 or a + length == n
        else:
            along = (y == 0 or y == low) if step == 1 else (x == 0 or x == right)
        # Never zero: it may be the only place left.
        return self._wall + 1 if along and self._wall < _FULL - 1 else _FULL

    def _are_kept(self) -> int:
        # Return which of the kept votes are still valid; record what the next ones are computed for.
        made_for = self._kept_for
        radar = self.radar
        if made_for[0] == self.level and not self._is_new:
            return _ALL
        self._is_new = False
        kept = _ALL
        wall = self._wall
        at_wall = (1 if self._strict else 0) + (2 if self._closed else 0)
        if self.level == _HUNT:
            # A place is possible or not; its likelihood does not count.
            if wall:
                wall = _FULL
            at_wall &= 2
            if made_for[1] != radar.longest:
                made_for[1] = radar.longest
                kept = _OTHER_FLEET
        else:
            for length in range(1, _LONGEST + 1):
                if made_for[length] != radar.left[length]:
                    made_for[length] = radar.left[length]
                    kept = _OTHER_FLEET
        if made_for[_WEIGHT_AT_WALL] != wall or made_for[_AT_WALL] != at_wall:
            made_for[_WEIGHT_AT_WALL] = wall
            made_for[_AT_WALL] = at_wall
            kept = _OTHER_FLEET
        if made_for[0] != self.level or self._kept_game != radar.games:
            made_for[0] = self.level
            self._kept_game = radar.games
            kept = _NOTHING
        return kept

    def _may_hold(self, line: int, bits: int) -> int:
        # The cells of a line where the wall rule lets a ship lie along it.
        radar = self.radar
        if self._wall == _FULL:
            return bits
        height = radar.height
        if not self._wall:
            i = line if line < height else line - height
            if i == 0 or i == (height if line < height else radar.width) - 1:
                return 0
        if self._closed:
            n = radar.width if line < height else height
            bits &= (1 << (n - 1)) - 2
        return bits
