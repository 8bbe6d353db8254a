"""Where to shoot next, given what a radar knows: four skill levels.

RANDOM takes any cell that may hold a ship. The others finish a wounded ship first, and search for the next one so:

HUNT      A ship of n cells has exactly one cell on the diagonals x + y = k (mod n), whatever k is. So while the
          longest ship left has n cells, the gunner shoots one such family, and only where that ship has room. Around a
          wounded ship it tries the neighbours at random, then follows the line.
DENSITY   Every possible place of every ship left votes for its cells; the cell with most votes is shot. For a wounded
          ship only the places through its hits count.
SHARP     The same, with weighted places:
          - each length has as many votes as ships, so having many places does not make a length likely;
          - the other ships have to be somewhere else. Where much in and around a place is unknown, it displaces them;
            where much of it was free to begin with, it keeps them out of cells where they are known not to be. So a
            place weighs 2 ** (tilt * (later * f / F - others * u / U)), with u of the U unknown cells of the field in
            and around it, f of the F cells that no sunk ship rules out, and `others` the number of other ships, long
            ones counting more. `later` counts only ships placed later: placing goes from long to short;
          - when only one-deck ships are left, a cell with more unknown neighbours is worth a little more: a hit there
            clears them.

The wall rule is taken in the strict reading until a sunk ship shows that the opponent uses the lenient one. Places
along a wall are scaled down by the share of ships that may still be along one, and to nothing when the limit is
reached.

A shot changes few lines. So HUNT and DENSITY keep the contribution of every line from shot to shot, and recompute only
lines where a cell became known; all of them when something else changed that they depend on: the ships left, the room
along the walls, the level, the game. SHARP's weights all change with every shot, but the sums behind them are kept in
the same way.

A Gunner is a chain of base classes, each in the module of its name: GunnerBase reads the radar, GunnerHunt is HUNT,
GunnerDensity DENSITY, GunnerSharp SHARP; this module has the stages of an aim, finishing a wounded ship, and the
choice.

Nothing is allocated after construction; no number reaches 2**30, for up to 15 ships of a length. One aim_step() covers
about one line of the field, for one length of ship; for DENSITY two lines when all are recomputed, for HUNT's bits a
few.
"""

from .const import TYPE_CHECKING, const
from .gunner_base import APART, NUMBER
from .gunner_sharp import GunnerSharp
from .radar import HIT, UNKNOWN

if TYPE_CHECKING:
    from .radar import Radar
    from .rng import Rng

# Levels.
RANDOM = const(1)
HUNT = const(2)
DENSITY = const(3)
SHARP = const(4)

BUSY = const(-1)  # what aim_step() returns while it thinks

_RANDOM = const(1)
_HUNT = const(2)
_SHARP = const(4)
_BUSY = const(-1)
_AT_ONCE = const(60)  # work per step in aim()
_FULL = const(16)

# Stages of an aim.
_COVER = const(1)
_WIPE = const(2)
_TABLE = const(3)
_VOTE = const(4)
_CLEAR = const(5)
_SUMS = const(6)
_WEIGH = const(7)
_SPREAD = const(8)
_THROUGH = const(9)
_CHOOSE = const(10)
_PICK = const(11)

_NOTHING = const(0)  # return codes of GunnerBase._are_kept()
_OTHER_FLEET = const(1)
_ALL = const(2)


class Gunner(GunnerSharp):
    """Picks the next shot. Made once, for all games on its radar.

    radar   a seabattle.radar.Radar; it may be reset for another fleet between two shots
    rng     a seabattle.rng.Rng, for ties and random choices
    level   RANDOM..SHARP; may be changed between two shots
    heat    by cell, 0..2**30-1: how likely a ship is there, after an aim of DENSITY or SHARP; read the attribute anew
            after each aim. While a ship is wounded only its own places count.
    """

    def __init__(self, radar: "Radar", rng: "Rng", level: int) -> None:
        super().__init__(radar, rng, level)
        self._stage = _PICK
        self._nth = 0
        self._most = 0  # DENSITY: the most votes of a cell at the last shot, if several cells had them
        # DENSITY: in this game only the row and column of the last wounded ship can be nonzero in _votes.
        self._own_game = -1
        self._own_x = 0
        self._own_y = 0

    def aim(self) -> int:
        """Return the cell to shoot at; -1 if there is none, which never happens against an honest opponent."""
        if self.radar.unknown == 0:
            return -1
        self.aim_start()
        self._batch = _AT_ONCE
        cell = self.aim_step()
        while cell < 0:
            cell = self.aim_step()
        self._batch = 1
        return cell

    def aim_start(self) -> None:
        """Begin to think about the next shot.

        The radar must not change until the aim ends; an unfinished aim may be abandoned by starting another.
        """
        if self._stage == _WIPE:
            # Abandoned while wiping: nothing is valid.
            self._kept_for[0] = 0
            self._own_game = -1
        self._line = 0
        radar = self.radar
        level = self.level
        if level == _RANDOM or radar.unknown == 0:
            self._draw()
            return
        self._look()
        if level == _HUNT:
            if radar.wounds:
                self._stage = _CHOOSE
            elif radar.longest > 1 or (radar.longest and self._wall < _FULL):
                if self._are_kept() != _ALL or self._is_anew:
                    self._own_game = -1  # HUNT reuses its memory
                    self._forget_cover()
                self._stage = _COVER
            else:
                self._draw()  # one-deck ships may be anywhere
        elif level == _SHARP:
            self._length = self._hits + 1 if radar.wounds else radar.longest
            self._own_game = -1  # SHARP uses the same memory
            self._is_anew = self._kept_for[0] != _SHARP or self._kept_game != radar.games
            if self._is_anew:
                self._kept_for[0] = 0
            self.heat = self._votes_of_all
            self._stage = _CLEAR if self._is_anew or radar.wounds else _SUMS
        elif radar.wounds:
            self._length = self._hits + 1
            self.heat = self._votes
            self._stage = _THROUGH
            if self._own_game == radar.games:
                self._forget_own()
            else:
                self._kept_for[0] = 0
                self._own_game = radar.games
                self._stage = _WIPE
            self._own_x = self._x
            self._own_y = self._y
        else:
            self.heat = self._votes_of_all
            kept = self._are_kept()
            self._stage = _VOTE
            if kept == _OTHER_FLEET or (kept == _ALL and self._is_anew):
                self._is_anew = True
                self._stage = _TABLE
            elif kept == _NOTHING:
                self._own_game = radar.games
                self._own_x = self._own_y = 0
                self._stage = _WIPE

    def aim_step(self) -> int:
        """Think for a moment: return BUSY, or the cell to shoot at. If no cell is left it returns BUSY for ever."""
        stage = self._stage
        if stage == _COVER:
            if self._cover():
                cell = self._on_diagonals()
                if cell < 0:
                    self._draw()
                return cell
        elif stage == _VOTE:
            if self._vote():
                self._stage = _CHOOSE
                if self._batch > 1:
                    return self._choose()
        elif stage == _CHOOSE:
            return self._choose()
        elif stage == _WEIGH:
            if self._weigh():
                self._stage = _SPREAD
        elif stage == _SPREAD:
            if self._spread():
                self._stage = _CHOOSE if self._begin_length() else _WEIGH
        elif stage == _THROUGH:
            if self._through():
                self._stage = _CHOOSE
                if self._batch > 1:
                    return self._choose()
        elif stage == _SUMS:
            if self._sums():
                if self.radar.wounds:
                    self._stage = _THROUGH
                else:
                    self._stage = _CHOOSE if self._begin_length() else _WEIGH
        elif stage == _CLEAR:
            if self._clear():
                self._stage = _SUMS
        elif stage == _TABLE:
            if self._fill_table():
                self._most = 0
                self._stage = _VOTE
        elif stage == _WIPE:
            if self._wipe():
                self._stage = _THROUGH if self.radar.wounds else _TABLE
        else:
            return self._pick()
        return _BUSY

    def _draw(self) -> None:
        # Draw any unknown cell.
        if self.radar.unknown:
            self._nth = self.rng.below(self.radar.unknown)
        self._line = 0
        self._stage = _PICK

    def _pick(self) -> int:
        # Walk the rows to the cell drawn.
        radar = self.radar
        nth = self._nth
        todo = self._batch
        for line in range(self._line, radar.height):
            if not todo:
                self._line = line
                self._nth = nth
                return _BUSY
            todo -= 1
            bits = radar.lines[line]
            while bits:
                if not nth:
                    return line * radar.width + NUMBER[(bits & -bits) % APART]
                bits &= bits - 1
                nth -= 1
        self._line = radar.height
        return _BUSY

    # Finishing a wounded ship

    def _forget_own(self) -> None:
        radar = self.radar
        votes = self._votes
        width = radar.width
        first = self._own_y * width
        for k in range(first, first + width):
            votes[k] = 0
        k = self._own_x
        for _ in range(radar.height):
            votes[k] = 0
            k += width

    def _through(self) -> bool:
        # Add the votes of its places, one length at a time: prepare the weights, then its row, then its column. True at
        # the end.
        radar = self.radar
        length = self._length
        longest = radar.longest
        left = radar.left
        part = self._line
        width = radar.width
        todo = self._batch
        while todo:
            todo -= 1
            while length <= longest and not left[length]:
                length += 1
            if length > longest:
                return True
            if part == 0 and self.level == _SHARP:
                self._tilt(length)
            elif part < 2:
                part = 1
                if self._flat:
                    self._through_line(length, self._x, width, self._y * width, 1, self._y * (width + 3))
            elif self._upright:
                at = radar.height * (width + 3) + self._x * (radar.height + 3)
                self._through_line(length, self._y, radar.height, self._x, width, at)
            part += 1
            if part > 2:
                part = 0
                length += 1
        self._line = part
        self._length = length
        return length > longest

    def _through_line(self, length: int, first: int, n: int, start: int, step: int, at: int) -> None:
        # One line of n cells, with the hits starting at its cell `first`. `start` and `step` locate it on the field,
        # `at` its sums.
        cells = self.radar.cell
        heat = self.heat
        hits = self._hits
        is_sharp = self.level == _SHARP
        # How far the ship can reach.
        low = first
        k = start + first * step
        most = first - (length - hits)
        if most < 0:
            most = 0
        while low > most:
            k -= step
            what = cells[k]
            if what != UNKNOWN and what != HIT:
                break
            low -= 1
        high = first + hits
        k = start + high * step
        most = first + length
        if most > n:
            most = n
        while high < most:
            what = cells[k]
            if what != UNKNOWN and what != HIT:
                break
            k += step
            high += 1
        if not is_sharp and self._wall == _FULL and self.radar.wounds == hits:
            # All places weigh the same and no other hit is in the way: each cell further in is part of one more place.
            weight = self.radar.left[length] * _FULL
            most = (high - length - low + 1) * weight
            if most > 0:
                votes = 0
                k = start + low * step
                for _ in range(low, first):
                    if votes < most:
                        votes += weight
                    heat[k] += votes
                    k += step
                votes = 0
                k = start + (high - 1) * step
                for _ in range(first + hits, high):
                    if votes < most:
                        votes += weight
                    heat[k] += votes
                    k -= step
            return
        sums = self._saved
        # Roughly the number of places on an untouched field.
        places = self.radar.width * self.radar.height * (n - length + 1) // n
        for a in range(low, high - length + 1):
            b = a + length
            # It cannot end right next to another hit, which would be one more deck of it.
            if (a > 0 and cells[start + (a - 1) * step] == HIT) or (b < n and cells[start + b * step] == HIT):
                continue
            weight = self.radar.left[length] * self._place_at_wall(a, length, n, step)
            if is_sharp:
                around = sums[at + b + 2] - sums[at + a]
                weight = weight * self._weight(around) // places
            k = start + a * step
            for _ in range(length):
                if cells[k] == UNKNOWN:
                    heat[k] += weight
                k += step

    # The choice

    def _choose(self) -> int:
        radar = self.radar
        if not radar.wounds:
            return self._hottest()
        # At the ends of the hits; HUNT picks at random.
        best = -1
        ties = 0
        cell = -1
        x = self._x
        y = self._y
        width = radar.width
        start = y * width
        step = 1
        bits = 0
        if self._flat:
            bits = radar.lines[y] & (1 << x >> 1 | 1 << (x + self._hits))
        for _ in range(2):
            while bits:
                bit = bits & -bits
                bits ^= bit
                end = start + NUMBER[bit % APART] * step
                warmth = 0 if self.level == _HUNT else self.heat[end]
                if warmth > best:
                    best = warmth
                    ties = 0
                if warmth == best:
                    ties += 1
                    if ties == 1 or self.rng.below(ties) == 0:
                        cell = end
            start = x
            step = width
            if self._upright:
                bits = radar.lines[radar.height + x] & (1 << y >> 1 | 1 << (y + self._hits))
        if cell < 0:
            self._draw()
        return cell

    def _hottest(self) -> int:
        heat = self.heat
        # Kept votes only decrease: the maximum stays the maximum while another cell still has it.
        most = self._most
        ties = heat.count(most) if most else 0
        if not ties:
            most = max(heat)
            if most == 0:
                self._draw()
                return _BUSY
            ties = heat.count(most)
        self._most = most if ties > 1 and self.level != _SHARP else 0
        nth = self.rng.below(ties)
        cell = heat.index(most)
        while nth > 0:
            cell = heat.index(most, cell + 1)
            nth -= 1
        return cell
