"""Where a computer player shoots in the variants of the classic game: at the cell that most places of ships share."""

from array import array

from .const import TYPE_CHECKING
from .fleet import MAX_LENGTH
from .radar_state import HIT as SEEN_HIT
from .radar_state import UNKNOWN
from .variant_field import BUSY
from .variant_rules import DECK_X, DECK_Y, HIGH, LENGTH, MAX_CELLS, SHAPES, WIDE

if TYPE_CHECKING:
    from .rng import Rng
    from .variant_radar import VariantRadar


class VariantGunner:
    """Picks shots from what a VariantRadar knows. rng: for ties.

    heat    by cell: the number of places of ships still afloat that include it
    """

    def __init__(self, radar: "VariantRadar", rng: "Rng", max_cells: int = MAX_CELLS) -> None:
        self.radar = radar
        self.rng = rng
        self.heat = array("H", bytes(2 * max_cells))
        self._shape = 0
        self._row = 0
        self._wound = -1

    def aim_start(self) -> None:
        """Begin to think about the next shot."""
        radar = self.radar
        self._shape = 0
        self._row = 0
        self._wound = -1
        for cell in range(radar.cells):
            self.heat[cell] = 0
            if radar.cell[cell] == SEEN_HIT:
                self._wound = cell

    def aim_step(self) -> int:
        """Think for a moment: return BUSY, or the cell to shoot at; the field must have one."""
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

    def aim(self) -> int:
        """Think to the end; return the cell, or BUSY if none is left to shoot at."""
        self.aim_start()
        while self._shape < SHAPES:
            self.aim_step()
        return self._choose()

    def _vote_row(self, shape: int) -> None:
        radar = self.radar
        table = shape * MAX_LENGTH
        at = self._row * radar.width
        for _ in range(radar.width - WIDE[shape] + 1):
            free = True
            for i in range(LENGTH[shape]):
                if radar.cell[at + DECK_Y[table + i] * radar.width + DECK_X[table + i]] != UNKNOWN:
                    free = False
                    break
            if free:
                self._vote(shape, at)
            at += 1

    def _vote(self, shape: int, at: int) -> None:
        table = shape * MAX_LENGTH
        votes = self.radar.afloat(LENGTH[shape])
        for i in range(LENGTH[shape]):
            self.heat[at + DECK_Y[table + i] * self.radar.width + DECK_X[table + i]] += votes

    def _choose(self) -> int:
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
