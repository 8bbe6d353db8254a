"""The variants of the classic game: corners may touch, ships may be bent, any fleet on any field, the wall rule.

`Rules` says which variant it is, `VariantField` is a player's own field, `VariantRadar` what is known of the other's,
`VariantGunner` a computer's aim, and `Variants` the game of two players with the turns of `classic`.

Cells are y * width + x from the top left. A ship is named by its shape, a number 0..SHAPES-1 for a form in one
orientation, and the upper left corner of the box around it. After construction nothing is allocated.
"""

from array import array

from .classic import NOBODY, NOT_NOW, PLACING, Classic
from .const import const
from .field import HIT, MISS, NONE_LEFT, OUT, OVERLAP, REPEAT, SUNK, TOUCH, WALL
from .fleet import MAX_LENGTH, Fleet
from .fleet import NO_ROOM as FLEET_NO_ROOM
from .fleet import check as check_fleet
from .radar import EMPTY, UNKNOWN
from .radar import HIT as SEEN_HIT
from .radar import MISS as SEEN_MISS
from .radar import SUNK as SEEN_SUNK

SIZE_LEAST = const(6)
SIZE_MOST = const(26)
SHIPS_MOST = const(250)
MAX_CELLS = const(676)

OK = const(0)
# What Rules.check() answers beside OK.
BAD_SIZE = const(1)
BAD_COUNT = const(2)  # no ship at all, or more than SHIPS_MOST
NO_ROOM = const(3)  # certainly no place for them all; OK does not promise that there is one

# Why VariantField refuses a ship, beside OUT, OVERLAP, TOUCH, NONE_LEFT and WALL of field.py.
BAD_SHAPE = const(6)

# What fill_step() answers.
BUSY = const(-1)
IMPOSSIBLE = const(0)  # proved: the rest of the fleet has no legal placement
DONE = const(1)
NOT_FOUND = const(2)  # searched for long, found none, proved nothing

# Why an answer cannot be true, from VariantRadar.answer().
FALSE_REPEAT = const(1)  # "repeated" for a cell that was not open, or anything else for one that was
NO_SUCH_SHIP = const(2)  # what would have sunk is no ship of the fleet, or there is none of it left
NO_PLACE = const(3)  # a wounded ship that can lie nowhere, or more decks left than cells
SHIPS_TOUCH = const(4)  # a sunk ship with a wounded one beside it
ALONG_WALL = const(5)  # one more sunk ship along a wall than may be, by the lenient reading

# Values of VariantField.mark.
SHOT = const(1)
KNOWN = const(2)  # not shot at, but known to be empty beside a wreck

_NO = const(255)  # no shape
_FREE = const(65535)  # no place
_DRAWS = const(40)  # places drawn for a ship before all of them are counted
_LOTS = const(150)  # placements begun by lot before the search
_PLACES = const(60000)  # places that the search looks at


def _shapes():
    # All orientations of all forms, each as its cells (x, y) from the corner of its box, row by row.
    found = []
    for form in ("1", "11", "111", "1111", "11111", "11/1", "111/1", "11/11", "11/ 11"):
        cells = []
        for y, row in enumerate(form.split("/")):
            for x, mark in enumerate(row):
                if mark == "1":
                    cells.append((x, y))
        for turn in range(8):
            cells = [(-y, x) for x, y in cells]
            if turn == 4:
                cells = [(-x, y) for x, y in cells]
            left = min(x for x, _ in cells)
            top = min(y for _, y in cells)
            now = sorted((y - top, x - left) for x, y in cells)
            if now not in found:
                found.append(now)
    return found


_LIST = _shapes()
SHAPES = len(_LIST)
LENGTH = bytes(len(cells) for cells in _LIST)
"""Decks of each shape."""
WIDE = bytes(1 + max(x for _, x in cells) for cells in _LIST)
HIGH = bytes(1 + max(y for y, _ in cells) for cells in _LIST)
"""The box around each shape, cells."""
BENT = bytes(int(min(max(x for _, x in cells), max(y for y, _ in cells)) > 0) for cells in _LIST)
"""1 for a shape that is not straight."""
_X = bytes(x for cells in _LIST for x in [x for _, x in cells] + [0] * (MAX_LENGTH - len(cells)))
_Y = bytes(y for cells in _LIST for y in [y for y, _ in cells] + [0] * (MAX_LENGTH - len(cells)))
del _LIST


def deck_x(shape, i):
    """Column of deck i of a shape, from the left of its box; i is 0..LENGTH[shape]-1."""
    return _X[shape * MAX_LENGTH + i]


def deck_y(shape, i):
    """Row of deck i of a shape, from the top of its box."""
    return _Y[shape * MAX_LENGTH + i]


class Rules(Fleet):
    """Which variant is played: a Fleet (which see for its size, ships and wall rule) and how ships may lie; the classic
    game until told otherwise.

    width, height   of the field, SIZE_LEAST..SIZE_MOST cells
    corners         whether ships may touch by a corner; never by a side
    bent            whether ships of 3 and 4 decks may lie bent: an L of both, a square or a zigzag of four
    """

    def __init__(self):
        Fleet.__init__(self)
        self.corners = self.bent = False

    def classic(self):
        """The classic game."""
        self.corners = self.bent = False
        Fleet.classic(self)

    def protocol(self, size, n4, n3, n2, n1, lenient=False):
        """The game of protocol v1.0; see Fleet.protocol()."""
        self.corners = self.bent = False
        Fleet.protocol(self, size, n4, n3, n2, n1, lenient)

    def custom(  # type: ignore[override]
        self, width, height, n5, n4, n3, n2, n1, corners=False, bent=False, walls=False, lenient=False
    ):
        """Any fleet on any field; counts are 0..255 each. Answers check()."""
        self.corners = corners
        self.bent = bent
        self._numbers(width, height, n5, n4, n3, n2, n1, walls, lenient)
        return self.check()

    def large(self, corners=False, bent=False):
        """15x15 with a five-deck ship: one of five decks, two of four, three of three, four of two, five of one."""
        return self.custom(15, 15, 1, 2, 3, 4, 5, corners, bent)

    def check(self):
        """OK, BAD_SIZE, BAD_COUNT or NO_ROOM."""
        if not (SIZE_LEAST <= self.width <= SIZE_MOST and SIZE_LEAST <= self.height <= SIZE_MOST):
            return BAD_SIZE
        if not 1 <= self.ships <= SHIPS_MOST:
            return BAD_COUNT
        count = self.count
        if self.walls and self.width == self.height and not (self.corners or self.bent or count[5]):
            # of the parameters of the protocol it is known exactly
            if check_fleet(self.width, count[4], count[3], count[2], count[1], self.lenient) == FLEET_NO_ROOM:
                return NO_ROOM
        if self.corners:
            # a deck shares its right and lower side with nothing but decks of its ship
            return NO_ROOM if self.decks > self.width * self.height else OK
        # Ships that do not touch share no corner of a cell. The square has fewer corners than the straight four-deck.
        points = 12 * count[5] + (9 if self.bent else 10) * count[4] + 8 * count[3] + 6 * count[2] + 4 * count[1]
        return NO_ROOM if points > (self.width + 1) * (self.height + 1) else OK

    def allows(self, shape):
        """Whether a ship of the fleet may have this shape; any int may be given."""
        return 0 <= shape < SHAPES and self.count[LENGTH[shape]] > 0 and (self.bent or not BENT[shape])

    def shape_of(self, cells, n):
        """The shape that the first n of these different cells make, in any order; -1 if it is not allowed."""
        if not 1 <= n <= MAX_LENGTH:
            return -1
        width = self.width
        left = width
        top = self.height
        for i in range(n):
            if cells[i] % width < left:
                left = cells[i] % width
            if cells[i] // width < top:
                top = cells[i] // width
        for shape in range(SHAPES):
            if LENGTH[shape] == n and self.allows(shape):
                fits = True
                at = shape * MAX_LENGTH
                for i in range(n):
                    deck = (top + _Y[at + i]) * width + left + _X[at + i]
                    found = False
                    for j in range(n):
                        if cells[j] == deck:
                            found = True
                    if not found:
                        fits = False
                        break
                if fits:
                    return shape
        return -1


def component(cells, source, wanted, width, parts):
    """Gather into `parts` the cells joined by sides to the one in parts[0] where source[cell] == wanted.

    Answers how many, or MAX_LENGTH + 1 for more than a ship can have. `parts` has room for that many.
    """
    n = 1
    i = 0
    while i < n:
        cell = parts[i]
        x = cell % width
        for side in range(4):
            if side == 0:
                if x == 0:
                    continue
                at = cell - 1
            elif side == 1:
                if x == width - 1:
                    continue
                at = cell + 1
            elif side == 2:
                at = cell - width
            else:
                at = cell + width
            if not 0 <= at < cells or source[at] != wanted:
                continue
            known = False
            for j in range(n):
                if parts[j] == at:
                    known = True
            if not known:
                parts[n] = at
                n += 1
                if n > MAX_LENGTH:
                    return n
        i += 1
    return n


class VariantField:
    """A player's own field. max_cells: of the largest field to be played on, at most MAX_CELLS.

    width, height, cells   of the field
    ship    by cell: 0 water, else the number of the ship, from 1
    mark    by cell: nonzero where it may not be shot at any more, SHOT or KNOWN
    hits    decks hit
    along_wall   ships that count as along a wall
    """

    def __init__(self, max_cells=MAX_CELLS):
        self.max_cells = max_cells
        self.ship = bytearray(max_cells)
        self.mark = bytearray(max_cells)
        self._near = bytearray(max_cells)  # decks on the cell or touching it in a way that is not allowed
        # No two ships share a side, so every other cell is the most.
        ships = (max_cells + 1) // 2 + 1
        if ships > SHIPS_MOST + 1:
            ships = SHIPS_MOST + 1
        self.shape = bytearray(ships)  # by number; _NO where there is no such ship
        self._at = array("H", bytes(2 * ships))  # by number: the corner of the box
        self._whole = bytearray(ships)  # by number: decks that are not hit
        self._left = bytearray(MAX_LENGTH + 1)  # ships of each length to be placed
        self._place = array("H", bytes(2 * ships))  # what the search has chosen, by its depth
        self._made = bytearray(ships)  # by depth: the number of the ship
        self.rules = None
        self.rng = None
        self.width = self.height = self.cells = 0
        self._placed = self.hits = self.along_wall = 0
        # placing at random: ships placed by it, attempts by lot, places drawn, looked at by the search, in the scan
        self._depth = self._lot = self._draw = self._looked = self._scan = 0
        self._from = 0  # where the scan begins
        self._tried = -1  # the place that the search has come to

    def reset(self, rules):
        """An empty field by these rules, a Rules. ValueError if it has more cells than max_cells."""
        if rules.width * rules.height > self.max_cells:
            raise ValueError("field too large")
        self.rules = rules
        self.width = rules.width
        self.height = rules.height
        self.cells = rules.width * rules.height
        self.clear()

    def clear(self):
        """Take everything off."""
        for i in range(self.cells):
            self.ship[i] = self.mark[i] = self._near[i] = 0
        for i in range(len(self.shape)):
            self.shape[i] = _NO
            self._whole[i] = 0
        for length in range(MAX_LENGTH + 1):
            self._left[length] = self.rules.count[length]
        self._placed = 0
        self.hits = 0
        self.along_wall = 0

    # Placing.

    def can_place(self, shape, x, y):
        """OK, or why not: BAD_SHAPE, OUT, OVERLAP, TOUCH, NONE_LEFT, WALL, in this order."""
        if not self.rules.allows(shape):
            return BAD_SHAPE
        if not (0 <= x <= self.width - WIDE[shape] and 0 <= y <= self.height - HIGH[shape]):
            return OUT
        if not self._free(shape, y * self.width + x):
            at = shape * MAX_LENGTH
            for i in range(LENGTH[shape]):
                if self.ship[(y + _Y[at + i]) * self.width + x + _X[at + i]]:
                    return OVERLAP
            return TOUCH
        if not self._left[LENGTH[shape]]:
            return NONE_LEFT
        return WALL if self._walled(shape, x, y) else OK

    def place(self, shape, x, y):
        """Place a ship: OK, or the reason of can_place() and nothing changes."""
        why = self.can_place(shape, x, y)
        if why == OK:
            self._put(shape, y * self.width + x)
        return why

    def place_cells(self, cells, n):
        """Place a ship on the first n of these cells, all of the field: OK, or a reason."""
        shape = self.rules.shape_of(cells, n)
        if shape < 0:
            return BAD_SHAPE
        x = self.width
        y = self.height
        for i in range(n):
            if cells[i] % self.width < x:
                x = cells[i] % self.width
            if cells[i] // self.width < y:
                y = cells[i] // self.width
        return self.place(shape, x, y)

    def remove(self, cell):
        """Take back the ship on a cell; its length, or 0 for water."""
        number = self.ship[cell]
        if not number:
            return 0
        length = LENGTH[self.shape[number]]
        self._take(number)
        return length

    def left(self, length):
        """How many ships of a length 1..MAX_LENGTH are still to be placed."""
        return self._left[length]

    def complete(self):
        """Whether the whole fleet stands."""
        return self._placed == self.rules.ships

    def random(self, rng):
        """The whole fleet at random; see fill()."""
        self.clear()
        return self.fill(rng)

    def fill(self, rng):
        """Place the rest at random. False if that is impossible or was not found, and then nothing changes."""
        self.fill_start(rng)
        done = BUSY
        while done == BUSY:
            done = self.fill_step()
        return done == DONE

    def fill_start(self, rng):
        """Begin to place the rest at random, to be followed by fill_step() until that is not BUSY."""
        self.rng = rng
        self._depth = 0
        self._lot = 0
        self._draw = 0
        self._looked = 0
        self._scan = self._tried = -1

    def fill_step(self):
        """Go on for a moment: BUSY, DONE, IMPOSSIBLE or NOT_FOUND. Ships that stood before stay as they are."""
        if self.complete():
            return DONE
        if self.rules.check() != OK:
            return IMPOSSIBLE
        return self._by_lot() if self._lot < _LOTS else self._by_search()

    def _next_length(self):
        length = MAX_LENGTH
        while not self._left[length]:
            length -= 1
        return length

    def _by_lot(self):
        # Draw a place; after many draws in vain look through all places from one drawn, and start over without one.
        length = self._next_length()
        if self._scan < 0:
            shape = self.rng.below(SHAPES)
            if LENGTH[shape] != length or not self.rules.allows(shape):
                return BUSY
            if WIDE[shape] <= self.width and HIGH[shape] <= self.height:
                x = self.rng.below(self.width - WIDE[shape] + 1)
                at = self.rng.below(self.height - HIGH[shape] + 1) * self.width + x
                if self._fits(shape, at):
                    self._choose(shape, at)
                    return BUSY
            self._draw += 1
            if self._draw > _DRAWS:
                self._scan = 0
                self._from = self.rng.below(self.cells)
            return BUSY
        at = self._from + self._scan
        if at >= self.cells:
            at -= self.cells
        for shape in range(SHAPES):
            if LENGTH[shape] == length and self.rules.allows(shape) and self._fits(shape, at):
                self._choose(shape, at)
                return BUSY
        self._scan += 1
        if self._scan == self.cells:
            while self._depth:
                self._undo()
            self._lot += 1
            self._draw = 0
            self._scan = -1
            self._tried = -1
        return BUSY

    def _by_search(self):
        # Every place in its order for the next ship; one of the same length as the ship before comes after that one.
        length = self._next_length()
        for _ in range(16):
            self._tried += 1
            self._looked += 1
            shape = self._tried // self.cells
            if shape >= SHAPES:
                if not self._depth:
                    return IMPOSSIBLE
                self._back()
                return BUSY
            if LENGTH[shape] != length or not self.rules.allows(shape):
                self._tried = (shape + 1) * self.cells - 1
                continue
            if self._fits(shape, self._tried % self.cells):
                tried = self._tried
                self._choose(shape, tried % self.cells)
                self._place[self._depth - 1] = tried
                if not self.complete():
                    self._tried = tried if self._next_length() == length else -1
                return BUSY
        if self._looked > _PLACES:
            while self._depth:
                self._undo()
            return NOT_FOUND
        return BUSY

    def _back(self):
        self._tried = self._place[self._depth - 1]
        self._undo()

    def _choose(self, shape, at):
        self._made[self._depth] = self._put(shape, at)
        self._depth += 1
        self._draw = 0
        self._scan = -1

    def _undo(self):
        self._depth -= 1
        self._take(self._made[self._depth])

    def _fits(self, shape, at):
        x = at % self.width
        y = at // self.width
        if x + WIDE[shape] > self.width or y + HIGH[shape] > self.height or not self._free(shape, at):
            return False
        return not self._walled(shape, x, y)

    def _walled(self, shape, x, y):
        # Whether a ship there would be one along a wall too many.
        rules = self.rules
        return self.along_wall >= rules.wall_max and rules.counts_on_wall(x, y, WIDE[shape], HIGH[shape])

    def _free(self, shape, at):
        table = shape * MAX_LENGTH
        for i in range(LENGTH[shape]):
            if self._near[at + _Y[table + i] * self.width + _X[table + i]]:
                return False
        return True

    def _put(self, shape, at):
        number = 1
        while self.shape[number] != _NO:
            number += 1
        self.shape[number] = shape
        self._at[number] = at
        self._whole[number] = LENGTH[shape]
        self._left[LENGTH[shape]] -= 1
        self._placed += 1
        self._draw_ship(number, number, 1)
        return number

    def _take(self, number):
        self._draw_ship(number, 0, -1)
        self._left[LENGTH[self.shape[number]]] += 1
        self._placed -= 1
        self.shape[number] = _NO
        self._whole[number] = 0

    def _draw_ship(self, number, code, change):
        shape = self.shape[number]
        table = shape * MAX_LENGTH
        at = self._at[number]
        if self.rules.counts_on_wall(at % self.width, at // self.width, WIDE[shape], HIGH[shape]):
            self.along_wall += change
        for i in range(LENGTH[shape]):
            cell = at + _Y[table + i] * self.width + _X[table + i]
            self.ship[cell] = code
            x = cell % self.width
            y = cell // self.width
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if 0 <= x + u < self.width and 0 <= y + v < self.height:
                        self._near[cell + v * self.width + u] += change

    # The battle.

    def shoot(self, cell):
        """Take a shot at a cell of the field: MISS, HIT, SUNK, or REPEAT for one that is open already."""
        if self.mark[cell]:
            return REPEAT
        self.mark[cell] = SHOT
        number = self.ship[cell]
        if not number:
            return MISS
        self.hits += 1
        self._whole[number] -= 1
        if self._whole[number]:
            return HIT
        shape = self.shape[number]
        table = shape * MAX_LENGTH
        for i in range(LENGTH[shape]):
            at = self._at[number] + _Y[table + i] * self.width + _X[table + i]
            x = at % self.width
            y = at // self.width
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if 0 <= x + u < self.width and 0 <= y + v < self.height:
                        near = at + v * self.width + u
                        if not self.mark[near]:
                            self.mark[near] = KNOWN
        return SUNK

    def afloat(self, length):
        """How many ships of a length are placed and not sunk."""
        n = 0
        for number in range(1, len(self.shape)):
            if self._whole[number] and LENGTH[self.shape[number]] == length:
                n += 1
        return n

    def lost(self):
        """Whether every deck of the fleet is hit."""
        return self.hits == self.rules.decks

    def is_hit(self, cell):
        """Whether a deck on this cell is hit."""
        return self.ship[cell] != 0 and self.mark[cell] == SHOT

    def is_sunk(self, cell):
        """Whether the ship on this cell is sunk."""
        return self.ship[cell] != 0 and not self._whole[self.ship[cell]]


class VariantRadar:
    """What a player knows of the other's field. max_cells as of VariantField.

    cell    by cell: UNKNOWN, MISS, HIT, SUNK or EMPTY of radar.py
    hits    decks of the other that are hit
    walls   sunk ships along a wall, by the lenient reading of the wall rule
    """

    def __init__(self, max_cells=MAX_CELLS):
        self.cell = bytearray(max_cells)
        self._afloat = bytearray(MAX_LENGTH + 1)
        self.parts = array("H", bytes(2 * (MAX_LENGTH + 1)))
        self.rules = None
        self.width = self.height = self.cells = self.hits = self.walls = 0

    def reset(self, rules):
        """Nothing is known but the rules."""
        self.rules = rules
        self.width = rules.width
        self.height = rules.height
        self.cells = rules.width * rules.height
        for i in range(self.cells):
            self.cell[i] = UNKNOWN
        for length in range(MAX_LENGTH + 1):
            self._afloat[length] = rules.count[length]
        self.hits = self.walls = 0

    def can_shoot(self, cell):
        """Whether a shot at this cell can tell anything; any int may be given."""
        return 0 <= cell < self.cells and self.cell[cell] == UNKNOWN

    def afloat(self, length):
        """Ships of a length that the other still has."""
        return self._afloat[length]

    def won(self):
        """Whether the other's whole fleet is sunk."""
        return self.hits == self.rules.decks

    def answer(self, cell, result):
        """Note the answer MISS, HIT, SUNK or REPEAT to a shot at a cell of the field.

        0, or why it cannot be true (FALSE_REPEAT, NO_SUCH_SHIP, NO_PLACE, SHIPS_TOUCH, ALONG_WALL): proof against the
        other.
        """
        if self.cell[cell] != UNKNOWN:
            return OK if result == REPEAT else FALSE_REPEAT
        if result == REPEAT:
            return FALSE_REPEAT
        if result == MISS:
            self.cell[cell] = SEEN_MISS
        else:
            self.cell[cell] = SEEN_HIT
            self.hits += 1
            if result == SUNK:
                why = self._sink(cell)
                if why:
                    return why
        unknown = 0
        for at in range(self.cells):
            if self.cell[at] == UNKNOWN:
                unknown += 1
            elif self.cell[at] == SEEN_HIT and not self._possible(at):
                return NO_PLACE
        return OK if self.rules.decks - self.hits <= unknown else NO_PLACE

    def _sink(self, cell):
        parts = self.parts
        parts[0] = cell
        n = component(self.cells, self.cell, SEEN_HIT, self.width, parts)
        if self.rules.shape_of(parts, n) < 0 or not self._afloat[n]:
            return NO_SUCH_SHIP
        self._afloat[n] -= 1
        for i in range(n):
            self.cell[parts[i]] = SEEN_SUNK
        touch = OK
        left = right = cell % self.width
        top = low = cell // self.width
        for i in range(n):
            x = parts[i] % self.width
            y = parts[i] // self.width
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            low = max(low, y)
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if 0 <= x + u < self.width and 0 <= y + v < self.height:
                        near = parts[i] + v * self.width + u
                        if self.cell[near] == UNKNOWN:
                            self.cell[near] = EMPTY
                        elif self.cell[near] == SEEN_HIT:
                            touch = SHIPS_TOUCH
        if self.rules.lies_along(left, top, right - left + 1, low - top + 1):
            self.walls += 1
            if self.walls > self.rules.wall_max:
                return ALONG_WALL
        return touch

    def _possible(self, cell):
        for shape in range(SHAPES):
            if self._afloat[LENGTH[shape]] and self.rules.allows(shape):
                for i in range(LENGTH[shape]):
                    if self.place_with(cell, shape, i) >= 0:
                        return True
        return False

    def place_with(self, cell, shape, i):
        """Where a ship lies whose deck i is a wounded one on this cell: the corner of its box; -1 if it cannot."""
        table = shape * MAX_LENGTH
        x = cell % self.width - _X[table + i]
        y = cell // self.width - _Y[table + i]
        if x < 0 or y < 0 or x + WIDE[shape] > self.width or y + HIGH[shape] > self.height:
            return -1
        at = y * self.width + x
        unknown = False
        for i in range(LENGTH[shape]):
            seen = self.cell[at + _Y[table + i] * self.width + _X[table + i]]
            if seen == UNKNOWN:
                unknown = True
            elif seen != SEEN_HIT:
                return -1
        # it has a deck left, or it would have been sunk; and no other ship's deck may be beside it
        return at if unknown and self._alone(shape, at) else -1

    def _alone(self, shape, at):
        table = shape * MAX_LENGTH
        n = LENGTH[shape]
        width = self.width
        for i in range(n):
            cell = at + _Y[table + i] * width + _X[table + i]
            x = cell % width
            y = cell // width
            for v in range(-1, 2):
                for u in range(-1, 2):
                    if self.rules.corners and u and v:
                        continue
                    if not (0 <= x + u < width and 0 <= y + v < self.height):
                        continue
                    near = cell + v * width + u
                    if self.cell[near] != SEEN_HIT:
                        continue
                    own = False
                    for j in range(n):
                        if at + _Y[table + j] * width + _X[table + j] == near:
                            own = True
                    if not own:
                        return False
        return True


class VariantGunner:
    """Where a computer shoots, from a VariantRadar and nothing else. rng: for ties.

    heat    by cell: for how many places of ships that still float it is a deck
    """

    def __init__(self, radar, rng, max_cells=MAX_CELLS):
        self.radar = radar
        self.rng = rng
        self.heat = array("H", bytes(2 * max_cells))
        self._shape = 0
        self._row = 0
        self._wound = -1

    def aim_start(self):
        """Begin to think about the next shot."""
        radar = self.radar
        self._shape = 0
        self._row = 0
        self._wound = -1
        for cell in range(radar.cells):
            self.heat[cell] = 0
            if radar.cell[cell] == SEEN_HIT:
                self._wound = cell

    def aim_step(self):
        """Think for a moment: BUSY, or the cell to shoot at; the field must have one."""
        radar = self.radar
        while self._shape < SHAPES:
            shape = self._shape
            length = LENGTH[shape]
            if not radar.afloat(length) or not radar.rules.allows(shape):
                self._shape += 1
                self._row = 0
                continue
            if self._wound >= 0:
                for i in range(length):
                    at = radar.place_with(self._wound, shape, i)
                    if at >= 0:
                        self._vote(shape, at)
                self._shape += 1
                return BUSY
            if self._row + HIGH[shape] > radar.height:
                self._shape += 1
                self._row = 0
                continue
            self._vote_row(shape)
            self._row += 1
            return BUSY
        return self._choose()

    def aim(self):
        """Think to the end; the cell, or BUSY if there is none left to shoot at."""
        self.aim_start()
        while self._shape < SHAPES:
            self.aim_step()
        return self._choose()

    def _vote_row(self, shape):
        radar = self.radar
        table = shape * MAX_LENGTH
        at = self._row * radar.width
        for _ in range(radar.width - WIDE[shape] + 1):
            free = True
            for i in range(LENGTH[shape]):
                if radar.cell[at + _Y[table + i] * radar.width + _X[table + i]] != UNKNOWN:
                    free = False
                    break
            if free:
                self._vote(shape, at)
            at += 1

    def _vote(self, shape, at):
        table = shape * MAX_LENGTH
        votes = self.radar.afloat(LENGTH[shape])
        for i in range(LENGTH[shape]):
            self.heat[at + _Y[table + i] * self.radar.width + _X[table + i]] += votes

    def _choose(self):
        best = BUSY
        ties = 0
        for cell in range(self.radar.cells):
            if not self.radar.can_shoot(cell):
                continue
            if best < 0 or self.heat[cell] > self.heat[best]:
                best = cell
                ties = 1
            elif self.heat[cell] == self.heat[best]:
                ties += 1
                if not self.rng.below(ties):
                    best = cell
        return best


class Variants(Classic):
    """A game of two by any Rules, in `fleet`; set them before start(). For the rest see seabattle.classic.Classic.

    max_cells: of the largest field to be played on, 100..MAX_CELLS; the object begins with the classic 10x10.
    """

    def __init__(self, rng, max_cells=MAX_CELLS):
        self.rng = rng
        self.fleet = Rules()
        self.fields = (VariantField(max_cells), VariantField(max_cells))
        self.radars = (VariantRadar(max_cells), VariantRadar(max_cells))
        self.shots = [0, 0]
        self._ready = bytearray(2)
        self.stage = PLACING
        self.turn = 0
        self.winner = NOBODY
        self.proof = 0
        self.last = -1
        self.last_player = NOBODY
        self.last_result = MISS
        self.start()

    def put(self, player, shape, x, y):
        """Place a ship, which here has a shape in place of a length: VariantField.place(), or NOT_NOW."""
        if not self.placing(player):
            return NOT_NOW
        field = self.fields[player]  # a VariantField, which the checker takes for a Field
        return field.place(shape, x, y)  # type: ignore[call-arg]
