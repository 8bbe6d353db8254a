"""A radar that looks closer only at answers that may be false, at a fraction of the cost.

A Radar calls no answer false as long as the longest ship left and each wounded ship have a place. So this one keeps
such places, as masks of the whole field. Most answers concern none of them; another place is searched when one is
lost. Only if there is none the exact radar is asked, with all answers of the game.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from seabattle.field_codes import HIT, LONGEST, MISS, REPEAT
from seabattle.fleet import Fleet
from seabattle.radar import Radar
from seabattle.radar_state import EMPTY, UNKNOWN
from seabattle.radar_state import HIT as WOUND
from seabattle.radar_state import SUNK as WRECK

_RESULT = 256
"""Answers are kept as a cell plus this many times the result."""
_KEPT_MOST = 1000
"""Answers of a game kept, at most: no game needs as many."""


_BLANK = bytes(100)
_ENCLOSED = bytes({UNKNOWN: EMPTY, WOUND: WRECK}.get(what, what) for what in range(256))


class _Field:
    """Masks of a field. Each row has one more bit, which is never set, so that shifted rows do not run together."""

    def __init__(self, width: int, height: int):
        self.stride = width + 1
        self.bits = [1 << (y * self.stride + x) for y in range(height) for x in range(width)]
        self.all = sum(self.bits)
        self.beside = [(bit << 1 | bit >> 1 | bit << self.stride | bit >> self.stride) & self.all for bit in self.bits]
        self.kept = [
            self.all & ~(bit | self._around(bit)) | beside for bit, beside in zip(self.bits, self.beside, strict=True)
        ]
        """By a cell that is hit, where ships may still be: not there, nor at its corners."""
        row, column = (1 << width) - 1, sum(1 << y * self.stride for y in range(height))
        self._walls = (row, row << (height - 1) * self.stride, column, column << (width - 1))
        top, bottom, left, right = self._walls
        self.along = (self.all & ~(top | bottom), self.all & ~(left | right))
        """The cells of rows, and of columns, that are not along a wall."""
        self.inner = self.along[0] & self.along[1]
        self.columns = [sum(1 << i * self.stride for i in range(n)) for n in range(LONGEST + 1)]
        self._ships: dict[int, tuple[int, int, bool]] = {}
        self._longer: dict[tuple[int, int], tuple[tuple[int, int, bool], ...]] = {}

    def _around(self, bits: int) -> int:
        bits |= bits << 1 | bits >> 1
        return bits | bits << self.stride | bits >> self.stride

    def ship(self, run: int) -> tuple[int, int, bool]:
        """Return the length of a ship, where others may be, and whether it lies along a wall."""
        known = self._ships.get(run)
        if known is None:
            is_along = any(run & wall == run for wall in self._walls)
            known = self._ships[run] = run.bit_count(), self.all & ~self._around(run), is_along
        return known

    def longer(self, run: int, length: int) -> tuple[tuple[int, int, bool], ...]:
        """Return how a wounded ship may be so long: its other cells, the ends, whether it lies along a wall."""
        known = self._longer.get((run, length))
        if known is None:
            found = []
            n, _kept, _is_along = self.ship(run)
            for step, shape in ((1, (1 << length) - 1), (self.stride, self.columns[length])):
                begin = run & -run
                for _ in range(length - n + 1):
                    ship = begin * shape
                    if begin and ship & run == run and ship & self.all == ship:
                        found.append((ship ^ run, begin >> step | begin << step * length, self.ship(ship)[2]))
                    begin >>= step
            known = self._longer[run, length] = tuple(found)
        return known


_field = lru_cache(maxsize=None)(_Field)


class SlicedRadar(Radar):
    """Gives the same answers as a Radar, and changes many cells at once, which a board could not do."""

    def _clear(self, count: int) -> None:
        self.cell[:count] = self.near[:count] = _BLANK[:count]

    def _enclose(self, cell: int, end: int) -> None:
        cells = self.cell[cell:end]
        self.unknown -= cells.count(UNKNOWN)
        self.cell[cell:end] = cells.translate(_ENCLOSED)
        self.near[cell:end] = b"\1" * (end - cell)


class LazyRadar(SlicedRadar):
    """Gives the same answers as a Radar; only `cell` and what contradicts a false answer can be read besides."""

    def __init__(self) -> None:
        self._log: list[int] | None = None
        """All answers of the game; None while the exact radar is in use."""
        self._most = _KEPT_MOST
        """With more answers the exact radar is asked."""
        self._calm = 0
        """Unknown cells on which no place rests,"""
        self._tense = 0
        """and the others."""
        self._spare = 0
        """How many more of the unknown cells there are than decks left."""
        super().__init__()
        self._field = _field(1, 1)
        self._bits = self._field.bits
        self._wounded_cells = 0
        self._place = 0
        """A place for the longest ship,"""
        self._placed = 0
        """and its length, 0 to search it anew."""
        self._rooms: dict[int, int] = {}
        """For each wounded ship the unknown cells by which it may be longer."""

    @property
    def cell(self) -> bytearray:
        """What is known of each cell."""
        if self._log is not None:
            self._ask()
        return self._cells

    @cell.setter
    def cell(self, cells: bytearray) -> None:
        self._cells = cells

    def reset(self, fleet: Fleet) -> None:
        self.fleet = fleet
        field = self._field = _field(fleet.width, fleet.height)
        self._bits = field.bits
        self._log = []
        self._most = _KEPT_MOST
        self.left[:] = fleet.count
        self.longest = max((n for n in range(1, LONGEST + 1) if fleet.count[n]), default=0)
        self.hits = self.walls = 0
        self._wounded_cells = self._place = self._placed = 0
        self._rooms = {}
        if not self._explain(field.all):
            self._ask()

    def answer(self, cell: int, result: int) -> int:
        log = self._log
        if log is not None and result == MISS and self._calm & self._bits[cell] and self._spare:
            self._calm ^= self._bits[cell]
            self._spare -= 1
            log.append(cell)
            return 0
        if log is None:
            return super().answer(cell, result)
        log.append(cell + _RESULT * result)
        return 0 if len(log) <= self._most and self._is_explained(cell, result) else self._ask()

    def _ask(self) -> int:
        """Let the exact radar take over; return what it says of the last answer."""
        log, self._log = self._log or [], None
        self._calm = self._tense = 0
        super().reset(self.fleet)
        why = 0
        for answer in log:
            why = Radar.answer(self, answer % _RESULT, answer // _RESULT)
        return why

    def _is_explained(self, cell: int, result: int) -> bool:
        free = self._calm | self._tense
        bit = self._bits[cell]
        if not free & bit:
            return result == MISS
        if result == MISS:
            return self._explain(free ^ bit)
        if result == REPEAT:
            return False
        field, rooms = self._field, self._rooms
        run, beside = bit, field.beside[cell]
        if rooms and self._wounded_cells & beside:
            for known in [known for known in rooms if known & beside]:
                del rooms[known]
                run |= known
        n, kept, is_along = field.ship(run)
        self.hits += 1
        decks = self.fleet.decks - self.hits
        if n > self.longest or decks < 0:
            return False
        left = self.left
        if result == HIT:
            self._wounded_cells |= bit
            if not decks:
                # real programs call the very last deck hit; then nothing may follow
                self._most = self._calm = self._tense = 0
                return not rooms and left[n] == 1
            for known, room in rooms.items():
                if room & beside:
                    rooms[known] = 0
            rooms[run] = 0
            return self._explain(free & field.kept[cell])
        if not left[n]:
            return False
        left[n] -= 1
        self._wounded_cells &= kept
        if not left[n]:
            # no wounded ship can be one of these any more
            self._forget()
            while self.longest and not left[self.longest]:
                self.longest -= 1
        if is_along:
            self.walls += 1
            if self.walls >= self.fleet.wall_max:
                if self.walls > self.fleet.wall_max:
                    return False
                # what rests on a wall has become impossible
                self._placed = 0
                self._forget()
        return self._explain(free & kept)

    def _forget(self) -> None:
        self._rooms = dict.fromkeys(self._rooms, 0)

    def _explain(self, free: int) -> bool:
        """Return whether there are places that explain all answers, with these cells unknown."""
        decks = self.fleet.decks - self.hits
        spare = free.bit_count() - decks
        if spare < 0:
            return False
        rooms, longest = self._rooms, self.longest
        unshot = free | self._wounded_cells if rooms else free
        place = self._place
        if place & unshot != place or self._placed != longest:
            place = self._place = self._place_in(free, longest) or self._place_in(unshot, longest)
            self._placed = longest
            if not place and longest:
                return False
        tense = place
        if self.walls >= self.fleet.wall_max and self.left[1]:
            one = free & self._field.inner
            if not one:
                return False
            tense |= one & -one
        if rooms:
            for run, room in rooms.items():
                if not room or room & unshot != room:
                    room = rooms[run] = self._room(run, unshot)
                    if not room:
                        return False
                tense |= room
            if len(rooms) > 1:
                if not self._are_enough(rooms, decks):
                    runs = [run for run in rooms if not self._is_joined(run, free)]
                    if not self._are_enough(runs, decks):
                        return False
                    tense = free  # any miss may show that two are not one ship
            elif 1 + self.left[1] > decks:
                return False
            tense &= free
        self._tense = tense
        self._calm = free ^ tense
        self._spare = spare
        return True

    def _place_in(self, free: int, length: int) -> int:
        """Return cells for a ship, 0 if there is no place."""
        field = self._field
        across = down = free
        if self.walls >= self.fleet.wall_max:
            across &= field.along[0]
            down &= field.along[1]
            if length == 1:
                across = down = across & down
        for _ in range(1, length):
            across &= across >> 1
        if across:
            return (across & -across) * ((1 << length) - 1)
        for _ in range(1, length):
            down &= down >> field.stride
        return (down & -down) * field.columns[length]

    def _room(self, run: int, unshot: int) -> int:
        """Return cells that make a wounded ship as long as one that is left, 0 if there are none."""
        n, _kept, _is_along = self._field.ship(run)
        is_walled = self.walls >= self.fleet.wall_max
        for length in range(n + 1, self.longest + 1):
            if self.left[length]:
                for room, ends, is_along in self._field.longer(run, length):
                    # next to another hit it would be one more deck
                    if room & unshot == room and not ends & self._wounded_cells and not (is_along and is_walled):
                        return room
        return 0

    def _is_joined(self, run: int, free: int) -> bool:
        """Return whether a wounded ship may be one with another that is above it or left of it."""
        first = run & -run
        for step in (1, self._field.stride):
            if run == first or first << step & run:
                cell = first >> step
                for _ in range(LONGEST - 2):
                    if not cell & free:
                        break
                    cell >>= step
                if cell & self._wounded_cells:
                    return True
        return False

    def _are_enough(self, runs: Collection[int], decks: int) -> bool:
        """Return whether enough ships and decks are left for so many wounded ships."""
        if len(runs) + self.left[1] > decks:
            return False
        lengths = [run.bit_count() + 1 for run in runs]
        need = have = 0
        for length in range(LONGEST, 1, -1):
            need += lengths.count(length)
            have += self.left[length]
            if need > have:
                return False
        return True
