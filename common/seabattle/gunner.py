"""Where to shoot next: four levels, from the radar of one's own player alone.

RANDOM takes any cell that may hold a ship. HUNT does so until it hits, then finishes the ship. DENSITY lets every
place where a ship that is still afloat could lie vote for its cells, and shoots at the cell with most votes. SHARP
does the same with votes that are worth more the longer the ship: a long ship, once found, opens much water around it.

All levels finish a wounded ship first, along its line once that is known, and shoot neither twice at a cell nor at
one that is known to be empty.
"""

from .radar import EMPTY, HIT, UNKNOWN

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


RANDOM = 1
HUNT = 2
DENSITY = 3
SHARP = 4

THINKING = -1

_LONGEST = const(5)
# What a vote is worth, by length of the ship, in the level SHARP.
_WORTH = b"\x00\x03\x04\x06\x09\x0c"


class Gunner:
    """radar: a seabattle.radar.Radar. rng: a seabattle.rng.Rng, for ties. level: RANDOM, HUNT, DENSITY or SHARP."""

    def __init__(self, radar, rng, level=DENSITY):
        self.radar = radar
        self.rng = rng
        self.level = level
        self.heat = [0] * len(radar.cell)
        self._line = 0
        self._votes = [0] * (_LONGEST + 1)

    def aim_start(self):
        """Begin to think about the next shot; aim_step() follows until it answers with a cell."""
        self._line = 0

    def aim(self):
        """Think to the end; the cell."""
        self.aim_start()
        while True:
            cell = self.aim_step()
            if cell != THINKING:
                return cell

    def aim_step(self):
        """Think for a moment; THINKING, or the cell to shoot at."""
        line = self._line
        if line == 0:
            if self.level != RANDOM:
                cell = self._finish()
                if cell >= 0:
                    return cell
            if self.level <= HUNT:
                return self._any()
            self._begin_votes(self.level)
        return self._vote_step()

    def heat_start(self):
        """Begin the heat map of the level DENSITY for a person's hint; heat_step() follows until it is True."""
        self._line = 0
        self._begin_votes(DENSITY)

    def heat_step(self):
        """Think for a moment; True when `heat` holds, by cell, in how many ways a ship could lie there."""
        return self._vote_step() != THINKING

    # Inside: finding ships.

    def _any(self):
        radar = self.radar
        best = -1
        seen = 0
        for cell in range(radar.width * radar.height):
            if radar.cell[cell] == UNKNOWN:
                seen += 1
                if not self.rng.below(seen):
                    best = cell
        return best

    def _begin_votes(self, level):
        radar = self.radar
        for i in range(radar.width * radar.height):
            self.heat[i] = 0
        for n in range(1, _LONGEST + 1):
            votes = radar.afloat(n)
            if level == SHARP:
                votes *= _WORTH[n]
            self._votes[n] = votes

    def _vote_step(self):
        """The votes of one row or column; after the last the hottest cell."""
        radar = self.radar
        w = radar.width
        h = radar.height
        line = self._line
        if line == w + h:
            return self._hottest(w * h)
        self._line = line + 1
        if line < h:
            self._vote(line * w, 1, w, self._votes[1])
        else:
            self._vote(line - h, w, h, 0)
        return THINKING

    def _vote(self, cell, step, count, ones):
        """Every stretch of unknown cells in a line votes for its cells, once for each place of a ship in it."""
        known = self.radar.cell
        run = 0
        for i in range(count + 1):
            if i < count and known[cell] == UNKNOWN:
                run += 1
            elif run:
                self._stretch(cell - step, -step, run, ones)
                run = 0
            cell += step

    def _stretch(self, cell, step, run, ones):
        heat = self.heat
        votes = self._votes
        for i in range(run):
            total = ones
            j = run - i
            k = i + 1 if i + 1 < j else j
            for n in range(2, _LONGEST + 1):
                if n > run:
                    break
                v = votes[n]
                if v:
                    # Places of length n in the stretch that cover this cell.
                    m = k if k < n else n
                    if run - n + 1 < m:
                        m = run - n + 1
                    total += v * m
            heat[cell] += total
            cell += step

    def _hottest(self, cells):
        heat = self.heat
        known = self.radar.cell
        best = -1
        most = -1
        ties = 0
        for cell in range(cells):
            if known[cell] == UNKNOWN:
                if heat[cell] > most:
                    most = heat[cell]
                    best = cell
                    ties = 1
                elif heat[cell] == most:
                    ties += 1
                    if not self.rng.below(ties):
                        best = cell
        return best

    # Inside: finishing a ship.

    def _finish(self):
        """The best cell beside a wounded ship, or -1 when no ship is wounded."""
        radar = self.radar
        known = radar.cell
        w = radar.width
        for cell in range(w * radar.height):
            if known[cell] == HIT:
                down = self._after(cell, w) == HIT
                across = self._after(cell, 1) == HIT
                return self._beside(cell, down, across)
        return -1

    def _beside(self, cell, down, across):
        """The end of a wounded ship, whose first hit cell this is, where most places of ships go on."""
        best = -1
        most = 0
        ties = 0
        w = self.radar.width
        for side in range(4):
            if side < 2 and down or side > 1 and across:
                continue
            step = 1 if side < 2 else w
            size = 1
            end = cell
            while self._after(end, step) == HIT:
                end += step
                size += 1
            before = self._room(cell, -step)
            after = self._room(end, step)
            forward = side & 1
            if not (after if forward else before):
                continue
            ways = self._ways(size, after, before) if forward else self._ways(size, before, after)
            if ways > most:
                most = ways
                ties = 0
            if ways == most and ways:
                ties += 1
                if not self.rng.below(ties):
                    best = end + step if forward else cell - step
        return best

    def _after(self, cell, step):
        """What is known of the cell one step on (-1, 1, -width or width); EMPTY beyond the edge."""
        radar = self.radar
        x = cell % radar.width
        if step == -1 and x == 0 or step == 1 and x == radar.width - 1:
            return EMPTY
        cell += step
        return radar.cell[cell] if 0 <= cell < radar.width * radar.height else EMPTY

    def _room(self, cell, step):
        """Cells beyond this one that may belong to the same ship, 4 at the most."""
        n = 0
        while n < _LONGEST - 1:
            state = self._after(cell, step)
            if state != UNKNOWN and state != HIT:
                return n
            cell += step
            n += 1
        return n

    def _ways(self, size, room, other):
        """Places of ships that are longer than `size` and take at least one cell of `room`."""
        ways = 0
        for n in range(size + 1, _LONGEST + 1):
            afloat = self.radar.afloat(n)
            if afloat:
                for i in range(1, n - size + 1):
                    if i <= room and n - size - i <= other:
                        ways += afloat
        return ways
