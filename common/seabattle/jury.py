"""The jury: checks a player's field after the game against the rules and against every answer given.

It asks only for the decks of the field; the ships follow from them, since ships never touch by a side. A game is judged
from both fields: provable cheating reverses the result, and if both cheated there is none.

The rules say whether the wall rule applies, and in which reading: an opponent is judged by the lenient one.

An answer is false only if the rules and the field shown together make it false: "miss" is true for every cell without a
ship, also next to a wreck or shot before; a deck that is shot again may be answered as before, as it stands now, or
"repeat". A pointless shot is not the fault of the player who answered it.

In a serial game answers are checked by the protocol's own rules (docs/protocol.md, Showing the fields): a shot next to
a wreck is a miss, a repeated shot may be answered as before, as a miss or as a repeat, and the very last deck may be
called hit instead of sunk.

Nothing is allocated after construction.
"""

from array import array

from . import variants
from .const import TYPE_CHECKING, const
from .field import HIT, MISS, REPEAT, SUNK
from .fleet import MAX_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .variant_rules import Rules

# Findings of Jury.check(): the first contradiction, or CLEAN.
CLEAN = const(0)
BAD_SHIP = const(1)  # decks joined by sides that form no ship of the rules; `cell` is one of them
TOUCHING = const(2)  # a ship that touches another by a corner; `cell` is one of its decks
TOO_MANY = const(3)  # one ship more than the fleet has; `cell` is one of its decks, `length` its length
TOO_FEW = const(4)  # a ship is missing: `length` is that of the longest one
FALSE_ANSWER = const(5)  # `shot` is its index from 0, `cell` its cell, `claimed` the answer and `truth` the right one
BAD_RECORD = const(6)  # a shot off the field, which no game accepts: the record is at fault, and nobody is accused
ALONG_WALL = const(7)  # one ship more along a wall than allowed; `cell` is one of its decks
BROKEN_SEAL = const(8)  # not from check(): the field differs from the one sealed before the first shot

# Verdicts of judge().
NOBODY_CHEATED = const(0)
FIRST_CHEATED = const(1)
SECOND_CHEATED = const(2)
BOTH_CHEATED = const(3)

NO_RESULT = const(2)  # of result(), in addition to the players 0 and 1


class Jury:
    """Judges a field by the recorded shots at it.

    max_cells: of the largest field to judge. After check() the details of its finding, -1 where none:

    cell, length    of the field
    shot            index of the shot in the record, from 0
    claimed, truth  the answer given and the one that the field requires; MISS, HIT, SUNK, REPEAT
    """

    def __init__(self, max_cells: int = variants.MAX_CELLS) -> None:
        self._field = variants.VariantField(max_cells)
        self._decks = bytearray(max_cells)
        self._parts = array("H", bytes(2 * (MAX_LENGTH + 1)))
        self._clear()

    def check(
        self,
        rules: "Rules",
        decks: bytearray,
        cells: "Sequence[int]",
        answers: "Sequence[int]",
        n: int,
        serial: bool = False,
    ) -> int:
        """Check a field against the rules and the first n shots at it: return CLEAN, or the first contradiction.

        rules: seabattle.variants.Rules. decks: by cell, nonzero for a deck. cells, answers: for each shot in order.
        serial: apply the answer rules of protocol v1.0.
        """
        self._clear()
        field = self._field
        field.reset(rules)
        found = self._fleet(rules, decks)
        if found:
            return found
        for i in range(n):
            cell = cells[i]
            if not 0 <= cell < field.cells:
                self.shot = i
                return BAD_RECORD
            claimed = answers[i]
            truth = self._serial(cell, claimed) if serial else self._by_letter(cell, claimed)
            if claimed != truth:
                self.shot = i
                self.cell = cell
                self.claimed = claimed
                self.truth = truth
                return FALSE_ANSWER
        return CLEAN

    def _by_letter(self, cell: int, claimed: int) -> int:
        # The true answer to a shot under the rules of the classic game; the answer given, if the field allows it.
        field = self._field
        if not field.mark[cell]:
            return field.shoot(cell)
        if claimed == REPEAT:
            return REPEAT
        if not field.ship[cell]:
            return MISS
        known = SUNK if field.is_sunk(cell) else HIT
        return claimed if claimed == HIT else known

    def _serial(self, cell: int, claimed: int) -> int:
        # The true answer to a shot under the protocol; the answer given, if that is one of several.
        field = self._field
        mark = field.mark[cell]
        if mark == variants.KNOWN:
            field.mark[cell] = variants.SHOT
            return MISS
        if mark:
            known = MISS
            if field.ship[cell]:
                known = SUNK if field.is_sunk(cell) else HIT
            return claimed if MISS <= claimed <= known else REPEAT
        truth = field.shoot(cell)
        return claimed if truth == SUNK and claimed == HIT and field.lost() else truth

    def _clear(self) -> None:
        self.cell = self.length = self.shot = self.claimed = self.truth = -1

    def _fleet(self, rules: "Rules", decks: bytearray) -> int:
        field = self._field
        parts = self._parts
        # any number but 0 is a deck, so a field may be given by its ship numbers
        for cell in range(field.cells):
            self._decks[cell] = 1 if decks[cell] else 0
        for cell in range(field.cells):
            if not decks[cell] or field.ship[cell]:
                continue
            self.cell = cell
            parts[0] = cell
            n = variants.component(field.cells, self._decks, 1, field.width, parts)
            why = field.place_cells(parts, n) if n <= MAX_LENGTH else variants.BAD_SHAPE
            if why == variants.TOUCH:
                return TOUCHING
            if why == variants.WALL:
                return ALONG_WALL
            if why == variants.NONE_LEFT or n <= MAX_LENGTH and not rules.count[n]:
                self.length = n
                return TOO_MANY
            if why:
                return BAD_SHIP
        self.cell = -1
        for i in range(rules.ships):
            if field.left(rules.length(i)):
                self.length = rules.length(i)
                return TOO_FEW
        return CLEAN


def judge(first: int, second: int) -> int:
    """Return the verdict, *_CHEATED, for check()'s findings on both players' fields. BAD_RECORD accuses nobody."""
    guilty = 0
    if first != CLEAN and first != BAD_RECORD:
        guilty |= FIRST_CHEATED
    if second != CLEAN and second != BAD_RECORD:
        guilty |= SECOND_CHEATED
    return guilty


def result(winner: int, verdict: int) -> int:
    """Return who has won after the verdict of judge(): 0, 1, or NO_RESULT. winner: the winner by play, or NO_RESULT."""
    if verdict == NOBODY_CHEATED:
        return winner
    if verdict == FIRST_CHEATED:
        return 1
    if verdict == SECOND_CHEATED:
        return 0
    return NO_RESULT
