"""The classic game: two players, each with a fleet on a field of their own; rules in docs/rules.md, Classic.

A hit or a sinking gives another shot, a miss passes the turn; the first to sink the other's whole fleet wins. Each
answer is checked against all earlier ones; one that cannot be true ends the game, and the player who gave it loses.
Players are 0 and 1; cells are numbered y * width + x from the top left. Nothing is allocated after construction.
"""

from .const import TYPE_CHECKING, const
from .field import MISS, Field
from .fleet import Fleet
from .radar import Radar

if TYPE_CHECKING:
    from .rng import Rng

NOBODY = const(2)

# Stages.
PLACING = const(0)
BATTLE = const(1)
OVER = const(2)

# Why a call is refused, in addition to the reasons of Field.place(). A refusal changes nothing.
OFF_FIELD = const(-1)
NOT_YOUR_TURN = const(-2)
OPEN_CELL = const(-4)  # already shot, or known to be empty next to a sunk ship
NOT_NOW = const(-5)  # not in this stage


class Classic:
    """One game. rng: a seabattle.rng.Rng for placing and for drawing who begins. max_cells: of the largest field.

    fleet     what each player places; set it before start()
    fields    each player's own field; may be changed directly during PLACING, until ready()
    radars    what each player knows of the other's field
    stage     PLACING, BATTLE or OVER
    turn      the player who shoots first, or next
    winner    0 or 1 after the end, NOBODY before it
    proof     0, or why the last answer cannot be true (a code of Radar.answer() or VariantRadar.answer()): it has ended
              the game
    shots     shots fired by each player
    last, last_player, last_result   the last shot: its cell (-1 before the first), who fired it, MISS, HIT or SUNK
    """

    def __init__(self, rng: "Rng", max_cells: int = 100) -> None:
        self.fleet = Fleet()
        self.fields = (Field(max_cells), Field(max_cells))
        self.radars = (Radar(max_cells), Radar(max_cells))
        self._begin(rng)

    def _begin(self, rng: "Rng") -> None:
        self.rng = rng
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

    def start(self, first: int = NOBODY) -> None:
        """Start a new game with empty fields. The given player shoots first; without one it is drawn at random.

        ValueError for a fleet whose field is too large for this object.
        """
        player = 0
        while player < 2:
            self.fields[player].reset(self.fleet)
            self.radars[player].reset(self.fleet)
            self.shots[player] = 0
            self._ready[player] = 0
            player += 1
        self.stage = PLACING
        self.turn = self.rng.below(2) if first == NOBODY else first
        self.winner = NOBODY
        self.proof = 0
        self.last = -1
        self.last_player = NOBODY
        self.last_result = MISS

    def placing(self, player: int) -> bool:
        """Return whether the player may still change their own field."""
        return self.stage == PLACING and not self._ready[player]

    def place(self, player: int, x: int, y: int, length: int, vertical: int) -> int:
        """Place a ship; return what Field.place() returns, or NOT_NOW."""
        return self.fields[player].place(x, y, length, vertical) if self.placing(player) else NOT_NOW

    def remove(self, player: int, cell: int) -> int:
        """Remove a ship; return what Field.remove() returns, or NOT_NOW."""
        return self.fields[player].remove(cell) if self.placing(player) else NOT_NOW

    def fill(self, player: int) -> int:
        """Place the remaining ships at random; return what Field.fill() returns, or NOT_NOW."""
        return self.fields[player].fill(self.rng) if self.placing(player) else NOT_NOW

    def random(self, player: int) -> int:
        """Place all ships at random; return what Field.random() returns, or NOT_NOW."""
        if not self.placing(player):
            return NOT_NOW
        field = self.fields[player]
        if field.placed:
            field.clear()
        return field.fill(self.rng)

    def ready(self, player: int) -> bool:
        """Finish placing: return True, or False while the fleet is incomplete.

        When both are ready, the battle begins.
        """
        if not self.placing(player) or not self.fields[player].complete():
            return False
        self._ready[player] = 1
        if self._ready[1 - player]:
            self.stage = BATTLE
        return True

    def may_shoot(self, player: int, cell: int) -> int:
        """Return 0, or why the player may not shoot there.

        The reasons, in this order: NOT_NOW, NOT_YOUR_TURN, OFF_FIELD, OPEN_CELL.
        """
        if self.stage != BATTLE:
            return NOT_NOW
        if player != self.turn:
            return NOT_YOUR_TURN
        target = self.fields[1 - player]
        if not 0 <= cell < target.cells:
            return OFF_FIELD
        return OPEN_CELL if target.mark[cell] else 0

    def shoot(self, player: int, cell: int) -> int:
        """Shoot at the other's field.

        Return MISS, HIT or SUNK of field.py, or may_shoot()'s reason and change nothing.
        """
        target = self.fields[1 - player]
        if self.stage != BATTLE or player != self.turn or not 0 <= cell < target.cells or target.mark[cell]:
            return self.may_shoot(player, cell)
        result = target.shoot(cell)
        self.proof = self.radars[player].answer(cell, result)
        self.shots[player] += 1
        self.last = cell
        self.last_player = player
        self.last_result = result
        if self.proof or (result != MISS and target.lost()):
            self._end(player)
        elif result == MISS:
            self.turn = 1 - player
        return result

    def surrender(self, player: int) -> bool:
        """Leave the game, in any stage: the other wins. Return False if the game is already over."""
        if self.stage == OVER:
            return False
        self._end(1 - player)
        return True

    def _end(self, winner: int) -> None:
        self.stage = OVER
        self.winner = winner
