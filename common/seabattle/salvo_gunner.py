"""Where to fire next in a salvo game, using only what the player's View knows.

For each enemy ship afloat, every possible place is checked against the record: in each round exactly as many of its
cells must have been fired at as the ship was hit in that round. The remaining places vote for their cells.
"""

from .const import TYPE_CHECKING, const
from .salvo import (
    CELLS,
    DIRECTIONS,
    LENGTHS,
    ROUNDS_MAX,
    SHIPS,
    SHOTS_MAX,
    SIZE,
    step_x,
    step_y,
)

if TYPE_CHECKING:
    from .rng import Rng
    from .salvo import View

BUSY = const(-1)
_ONE = const(1 << 20)  # the votes of one ship, divided among its possible places


class SalvoGunner:
    """view: the seabattle.salvo.View of its player. rng: a seabattle.rng.Rng, for ties."""

    def __init__(self, view: "View", rng: "Rng") -> None:
        self.view = view
        self.rng = rng
        self.heat = [0] * CELLS  # after an aim: by cell, how likely an enemy deck is; 0 where impossible or fired at
        self.cells = bytearray(SHOTS_MAX)  # the salvo
        self._votes = [0] * CELLS
        self._ship = 0
        self._direction = 0
        self._y = 0
        self._places = 0

    def aim_start(self) -> None:
        """Begin to think about the current round."""
        for i in range(CELLS):
            self.heat[i] = self._votes[i] = 0
        self._ship = self._direction = self._y = self._places = 0

    def aim_step(self) -> int:
        """Think for a moment; return BUSY, or at the end the number of shots, which are then in `cells`."""
        view = self.view
        while self._ship < SHIPS and view.sunk_in[self._ship]:
            self._ship += 1
        if self._ship == SHIPS:
            return self._choose()
        y = self._y
        for x in range(SIZE):
            self._weigh(x, y)
        self._y = y + 1
        if self._y == SIZE:
            self._y = 0
            self._direction += 1
            if self._direction == DIRECTIONS:
                self._direction = 0
                self._share()
                self._ship += 1
        return BUSY

    def aim(self) -> int:
        """Think to the end; return the number of shots in `cells`."""
        self.aim_start()
        while True:
            n = self.aim_step()
            if n != BUSY:
                return n

    def _weigh(self, x: int, y: int) -> None:
        """Count the place that begins here, if the record allows the ship there."""
        n = LENGTHS[self._ship]
        dx = step_x(self._direction)
        dy = step_y(self._direction)
        last = x + dx * (n - 1)
        if last < 0 or last >= SIZE or y + dy * (n - 1) >= SIZE:
            return
        view = self.view
        fired = view.fired
        step = dy * SIZE + dx
        first = y * SIZE + x
        base = self._ship * ROUNDS_MAX - 1
        known = 0
        a = first
        for _ in range(n):
            r = fired[a]
            if r:
                known += 1
                same = 0
                b = first
                for _ in range(n):
                    if fired[b] == r:
                        same += 1
                    b += step
                if same != view.hits[base + r]:
                    return
            a += step
        if known != view.hits_on(self._ship):
            return
        self._places += 1
        a = first
        for _ in range(n):
            if not fired[a]:
                self._votes[a] += 1
            a += step

    def _share(self) -> None:
        """Add the votes of one ship; every ship has the same weight, however many places it has left."""
        places = self._places
        if places:
            share = _ONE // places
            for i in range(CELLS):
                self.heat[i] += self._votes[i] * share
        for i in range(CELLS):
            self._votes[i] = 0
        self._places = 0

    def _choose(self) -> int:
        """Choose the hottest cells, one for each gun; ties are broken at random."""
        count = 0
        guns = self.view.guns()
        while count < guns:
            best = -1
            ties = 0
            for i in range(CELLS):
                if self.view.fired[i] or self._taken(i, count):
                    continue
                if best < 0 or self.heat[i] > self.heat[best]:
                    best = i
                    ties = 1
                elif self.heat[i] == self.heat[best]:
                    ties += 1
                    if not self.rng.below(ties):
                        best = i
            if best < 0:
                break
            self.cells[count] = best
            count += 1
        return count

    def _taken(self, cell: int, count: int) -> bool:
        for i in range(count):
            if self.cells[i] == cell:
                return True
        return False
