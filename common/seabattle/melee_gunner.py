"""Where a computer player shoots in a melee, using only what its player sees.

It finishes another player's wounded ship first, along its line once that is known. Otherwise every possible place of
every ship that some other player still has votes for its cells. No two ships touch, not even of different owners: a
cell next to one of its own ships is water.
"""

from .const import TYPE_CHECKING, const
from .melee import CELLS, PLAYERS, SIZE, UNKNOWN, WOUND

if TYPE_CHECKING:
    from .melee import Melee
    from .rng import Rng

BUSY = const(-1)
_LONGEST = const(4)


class MeleeGunner:
    """game: a seabattle.melee.Melee; only what `player` (0..2) sees of it is used. rng: for ties."""

    def __init__(self, game: "Melee", player: int, rng: "Rng") -> None:
        self.game = game
        self.player = player
        self.rng = rng
        self.heat = [0] * CELLS
        self.near = bytearray(CELLS)  # 1 for a cell on or next to a ship of the player's own
        self._length = 0
        self._row = 0

    def aim_start(self) -> None:
        """Begin to think about the next shot."""
        for i in range(CELLS):
            self.heat[i] = 0
        self._know_own()
        self._length = _LONGEST
        self._row = 0

    def aim_step(self) -> int:
        """Think for a moment; return BUSY, or the cell to shoot at."""
        if self._length == _LONGEST and self._row == 0:
            cell = self._finish()
            if cell >= 0:
                return cell
        if not self._length:
            return self._choose()
        ships = 0
        for p in range(PLAYERS):
            if p != self.player:
                ships += self.game.afloat(p, self._length)
        if ships:
            self._vote(self._row, ships)
        self._row += 1
        if self._row == SIZE:
            self._row = 0
            self._length -= 1
        return BUSY

    def aim(self) -> int:
        """Think to the end; return the cell."""
        self.aim_start()
        while True:
            cell = self.aim_step()
            if cell != BUSY:
                return cell

    def _wound(self, cell: int) -> bool:
        game = self.game
        return game.seen(self.player, cell) == WOUND and game.owner_seen(self.player, cell) != self.player

    def _know_own(self) -> None:
        """Mark the cells on or next to a ship of the player's own, whole or hit."""
        game = self.game
        near = self.near
        for cell in range(CELLS):
            near[cell] = 0
        for cell in range(CELLS):
            if game.owner_seen(self.player, cell) == self.player:
                x = cell % SIZE
                y = cell // SIZE
                for j in range(y - 1 if y else 0, y + 2 if y < SIZE - 1 else SIZE):
                    for i in range(x - 1 if x else 0, x + 2 if x < SIZE - 1 else SIZE):
                        near[j * SIZE + i] = 1

    def _finish(self) -> int:
        """Return a cell next to a wounded ship of another player, or -1."""
        best = -1
        ties = 0
        for cell in range(CELLS):
            if not self._wound(cell):
                continue
            x = cell % SIZE
            y = cell // SIZE
            across = x > 0 and self._wound(cell - 1) or x < SIZE - 1 and self._wound(cell + 1)
            down = y > 0 and self._wound(cell - SIZE) or y < SIZE - 1 and self._wound(cell + SIZE)
            for side in range(4):
                if side < 2 and down or side > 1 and across:
                    continue
                if side == 0 and x == 0 or side == 1 and x == SIZE - 1:
                    continue
                if side == 2 and y == 0 or side == 3 and y == SIZE - 1:
                    continue
                at = cell + (-1 if side == 0 else 1 if side == 1 else -SIZE if side == 2 else SIZE)
                if self.game.may_shoot(self.player, at) and not self.near[at]:
                    ties += 1
                    if not self.rng.below(ties):
                        best = at
        return best

    def _vote(self, row: int, ships: int) -> None:
        """Count the places of one length that begin in this row, across and down."""
        n = self._length
        for x in range(SIZE):
            at = row * SIZE + x
            if x + n <= SIZE:
                self._place(at, 1, ships)
            if n > 1 and row + n <= SIZE:
                self._place(at, SIZE, ships)

    def _place(self, at: int, step: int, ships: int) -> None:
        cell = at
        for _ in range(self._length):
            if self.game.seen(self.player, cell) != UNKNOWN or self.near[cell]:
                return
            cell += step
        for _ in range(self._length):
            cell -= step
            self.heat[cell] += ships

    def _choose(self) -> int:
        best = -1
        ties = 0
        for cell in range(CELLS):
            if not self.game.may_shoot(self.player, cell):
                continue
            if best < 0 or self.heat[cell] > self.heat[best]:
                best = cell
                ties = 1
            elif self.heat[cell] == self.heat[best]:
                ties += 1
                if not self.rng.below(ties):
                    best = cell
        return best
