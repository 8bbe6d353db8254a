"""What a gunner sees before it aims, whatever its level: the ships left, the wounded one, the room along the walls.

Also the memory in which the levels keep what each line of the field had to say at the shot before, and whether that
still holds.
"""

from array import array

from .const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from .radar import Radar
    from .rng import Rng

# The number of a lone bit, 0..29, stands at its remainder by APART, which is another one for each.
APART = const(37)
NUMBER = (
    b"\x00\x00\x01\x1a\x02\x17\x1b\x00\x03\x10\x18\x00\x1c\x0b\x00\x0d\x04\x07\x11"
    b"\x00\x19\x16\x00\x0f\x1d\x0a\x0c\x06\x00\x15\x0e\x09\x05\x14\x08\x13\x12"
)

_HUNT = const(2)
_LONGEST = const(5)
_FULL = const(16)
_ENTRIES = const(15)  # of gunner_votes.py
_SIDE = const(30)

# What the votes kept were made for: the level, the ships left by length, and the walls.
_WEIGHT_AT_WALL = const(6)
_AT_WALL = const(7)
_KEPT = const(8)

# What is kept, as _are_kept() says.
_NOTHING = const(0)
_OTHER_FLEET = const(1)  # all, but every line has to vote again
_ALL = const(2)


class Lookout:
    """What is seen. Made once, with the memory of all levels."""

    def __init__(self, radar: "Radar", rng: "Rng", level: int) -> None:
        self.radar = radar
        self.rng = rng
        self.level = level
        n = len(radar.cell)
        self.heat = [0] * n
        # What follows was seen in this game, when so many ships were sunk.
        self._game = -1
        self._sunk = 0
        self._is_new = True  # it has changed since kept votes were held against it
        # How walls count: the weight of a place along one, whether a place that only ends at a wall is along it, and
        # whether nothing can be on the edge any more.
        self._wall = _FULL
        self._strict = False
        self._closed = False
        self._is_last = False  # one more ship at a wall and there is no room along them: the wounded one may be it
        # Of the wounded ship: its first hit, how many there are in line, and which ways it may lie.
        self._x = 0
        self._y = 0
        self._hits = 0
        self._flat = False
        self._upright = False
        # SHARP: sums along each line.
        self._saved = array("H", bytes(2 * (3 * n + 16)))
        self._votes_of_all = self.heat
        # DENSITY: of the wounded ship alone. SHARP: of one length. HUNT: by row, the cells that places along it cover;
        # by column, the same; by row, the cells that places in columns cover.
        self._votes = [0] * (n if n > 3 * _SIDE else 3 * _SIDE)
        self._kept_for = bytearray(_KEPT)
        self._kept_game = -1
        self._seen = [0] * (2 * _SIDE)  # the lines of the radar, as they were when they were looked at last
        self._unknown = 0  # cells that were, when all lines had been looked at
        self._table = [0] * _ENTRIES  # votes for a cell, by what is before and behind it
        self._table_for = bytearray(_LONGEST + 1)  # ships of each length that it counts
        self._up_to = [0] * (_LONGEST + 1)  # votes in the table for one place of each length up to this one
        self._in_row = bytearray(_SIDE * _LONGEST)  # HUNT: cells to choose from by row and family of diagonals
        self._classes = [0] * _LONGEST  # the same on the whole field
        self._is_anew = False  # all lines are to be looked at again
        self._columns = 0  # HUNT: those that have changed with the rows, 1 << x
        self._line = 0
        self._length = 0
        self._batch = 1  # how many times its share a step does: more when nobody waits between two of them

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
        # By the lenient reading a ship may still end at a wall; one of one deck there lies along it.
        self._closed = room <= 0 and (self._strict or radar.longest == 1)

    def _place_at_wall(self, a: int, length: int, n: int, step: int) -> int:
        # The weight of a place of the wounded ship by the wall rule alone, 1.._FULL.
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
        # Never quite nothing: the place may be the only one that is left.
        return self._wall + 1 if along and self._wall < _FULL - 1 else _FULL

    def _are_kept(self) -> int:
        # What of the votes of the shot before is of use; takes note of what they are made for next.
        made_for = self._kept_for
        radar = self.radar
        if made_for[0] == self.level and not self._is_new:
            return _ALL
        self._is_new = False
        kept = _ALL
        wall = self._wall
        at_wall = (1 if self._strict else 0) + (2 if self._closed else 0)
        if self.level == _HUNT:
            # A place is possible or not; how likely it is does not count.
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
        # Those of the cells of a line where the walls let a ship lie along it.
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
