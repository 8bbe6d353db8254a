"""The jury: after a game a player's field is held against the rules and against every answer that was given.

Only the decks of the field are asked for; which of them are a ship follows, since ships never touch by a side. A game
is judged from both fields: provable cheating turns the result, and if both cheated there is none.

The rules say whether the wall rule holds, and by which reading: an opponent is judged by the lenient one.

An answer is false only if the field shown makes it false as the rules word it: "miss" is true of every cell without a
ship, also beside a wreck or shot before; a deck that is shot again may be answered as before, as it stands now, or
"repeat". A pointless shot is no fault of the player who answered it.

In a serial game answers are held against the field by the protocol's own rules (docs/protocol.md, Showing the
fields): a shot at a cell beside a wreck is a miss, a shot that is repeated may be answered as before, as a miss or as a
repeat, and the very last deck may be called hit instead of sunk.

After construction nothing is allocated.
"""

from array import array

from . import variants
from .const import TYPE_CHECKING, const
from .field import HIT, MISS, REPEAT, SUNK
from .fleet import MAX_LENGTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .variant_rules import Rules

# What Jury.check() finds: the first contradiction, or CLEAN.
CLEAN = const(0)
BAD_SHIP = const(1)  # decks joined by sides that are no ship of the rules; `cell` is one of them
TOUCHING = const(2)  # a ship that touches another by a corner; `cell` is one of its decks
TOO_MANY = const(3)  # a ship more than the fleet has; `cell` is one of its decks, `length` its length
TOO_FEW = const(4)  # `length` is that of the missing ship, the longest of them
FALSE_ANSWER = const(5)  # `shot` from 0 is its number, `cell` its cell, `said` the answer and `truth` what it should be
BAD_RECORD = const(6)  # a shot off the field, which no game takes: the record is at fault, and nobody is accused
ALONG_WALL = const(7)  # one more ship along a wall than may be; `cell` is one of its decks
BROKEN_SEAL = const(8)  # not by check(): the field is another than the one that was sealed before the first shot

# What judge() says.
NOBODY_CHEATED = const(0)
FIRST_CHEATED = const(1)
SECOND_CHEATED = const(2)
BOTH_CHEATED = const(3)

NO_RESULT = const(2)  # of result(), beside the players 0 and 1


class Jury:
    """max_cells: of the largest field to be judged. After check() the details of what it found, -1 where none:

    cell, length    of the field
    shot            number of the shot in the record, from 0
    said, truth     the answer given and the one that the field demands; MISS, HIT, SUNK, REPEAT
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
        """Hold a field against the rules and the first n shots at it: CLEAN, or the first contradiction.

        rules: seabattle.variants.Rules. decks: by cell, nonzero for a deck. cells, answers: of each shot in its
        order. serial: by the answers of protocol v1.0.
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
            said = answers[i]
            truth = self._serial(cell, said) if serial else self._by_letter(cell, said)
            if said != truth:
                self.shot = i
                self.cell = cell
                self.said = said
                self.truth = truth
                return FALSE_ANSWER
        return CLEAN

    def _by_letter(self, cell: int, said: int) -> int:
        # The true answer to a shot as the rules of the classic game word it; what was said, if the field allows that.
        field = self._field
        if not field.mark[cell]:
            return field.shoot(cell)
        if said == REPEAT:
            return REPEAT
        if not field.ship[cell]:
            return MISS
        known = SUNK if field.is_sunk(cell) else HIT
        return said if said == HIT else known

    def _serial(self, cell: int, said: int) -> int:
        # The true answer to a shot of the protocol; what was said, if that is one of several.
        field = self._field
        mark = field.mark[cell]
        if mark == variants.KNOWN:
            field.mark[cell] = variants.SHOT
            return MISS
        if mark:
            known = MISS
            if field.ship[cell]:
                known = SUNK if field.is_sunk(cell) else HIT
            return said if MISS <= said <= known else REPEAT
        truth = field.shoot(cell)
        return said if truth == SUNK and said == HIT and field.lost() else truth

    def _clear(self) -> None:
        self.cell = self.length = self.shot = self.said = self.truth = -1

    def _fleet(self, rules: "Rules", decks: bytearray) -> int:
        field = self._field
        parts = self._parts
        # any number but 0 is a deck, so that a field may be given with the numbers of its ships
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
    """The verdict from what check() found on each player's field: *_CHEATED. BAD_RECORD accuses nobody."""
    guilty = 0
    if first != CLEAN and first != BAD_RECORD:
        guilty |= FIRST_CHEATED
    if second != CLEAN and second != BAD_RECORD:
        guilty |= SECOND_CHEATED
    return guilty


def result(winner: int, verdict: int) -> int:
    """Who has won after the verdict of judge(): 0, 1, or NO_RESULT. winner: 0 or 1 by the play, NO_RESULT for none."""
    if verdict == NOBODY_CHEATED:
        return winner
    if verdict == FIRST_CHEATED:
        return 1
    if verdict == SECOND_CHEATED:
        return 0
    return NO_RESULT
