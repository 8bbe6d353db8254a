"""The classic game: two players, each with a fleet on a field of their own, by docs/rules.md, Classic.

A hit or a sinking gives another shot, a miss passes the turn; the first to sink the other's whole fleet wins. Every
answer is checked against all before it; one that cannot be true ends the game, and its player loses. Players are 0 and
1; cells are numbered y * width + x from the top left. After construction nothing is allocated.
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

# Why something is refused, beside the reasons of Field.place(). A refusal changes nothing.
OFF_FIELD = const(-1)
NOT_YOUR_TURN = const(-2)
OPEN_CELL = const(-4)  # shot before, or known to be empty beside a sunk ship
NOT_NOW = const(-5)  # not in this stage


class Classic:
    """One game. rng: a seabattle.rng.Rng for placing and for the lot. max_cells: of the largest field to be played on.

    fleet     what each player places; set it before start()
    fields    each player's own field; during PLACING it may be worked on directly until ready()
    radars    what each player knows of the other's field
    stage     PLACING, BATTLE or OVER
    turn      the player who shoots first, or next
    winner    0 or 1 after the end, NOBODY before it
    proof     0, or why the last answer cannot be true (what Radar.answer() or VariantRadar.answer() says): the game has
              ended with it
    shots     how many each has fired
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
        """A new game with empty fields. Who shoots first is drawn by lot, or is the player given.

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
        """Whether the player may still change the own field."""
        return self.stage == PLACING and not self._ready[player]

    def place(self, player: int, x: int, y: int, length: int, vertical: int) -> int:
        """Place a ship: Field.place(), or NOT_NOW."""
        return self.fields[player].place(x, y, length, vertical) if self.placing(player) else NOT_NOW

    def remove(self, player: int, cell: int) -> int:
        """Take a ship back: Field.remove(), or NOT_NOW."""
        return self.fields[player].remove(cell) if self.placing(player) else NOT_NOW

    def fill(self, player: int) -> int:
        """Place what is left at random: Field.fill(), or NOT_NOW."""
        return self.fields[player].fill(self.rng) if self.placing(player) else NOT_NOW

    def random(self, player: int) -> int:
        """Place all ships at random: Field.random(), or NOT_NOW."""
        if not self.placing(player):
            return NOT_NOW
        field = self.fields[player]
        if field.placed:
            field.clear()
        return field.fill(self.rng)

    def ready(self, player: int) -> bool:
        """The player has placed. True, or False while the fleet is not complete. When both have, the battle begins."""
        if not self.placing(player) or not self.fields[player].complete():
            return False
        self._ready[player] = 1
        if self._ready[1 - player]:
            self.stage = BATTLE
        return True

    def may_shoot(self, player: int, cell: int) -> int:
        """0, or why the player may not shoot there: NOT_NOW, NOT_YOUR_TURN, OFF_FIELD or OPEN_CELL, in this order."""
        if self.stage != BATTLE:
            return NOT_NOW
        if player != self.turn:
            return NOT_YOUR_TURN
        target = self.fields[1 - player]
        if not 0 <= cell < target.cells:
            return OFF_FIELD
        return OPEN_CELL if target.mark[cell] else 0

    def shoot(self, player: int, cell: int) -> int:
        """Shoot at the other's field: MISS, HIT or SUNK of field.py, or a reason of may_shoot() and nothing changes."""
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
        """Leave the game, in any stage: the other wins. True, or False after the end."""
        if self.stage == OVER:
            return False
        self._end(1 - player)
        return True

    def _end(self, winner: int) -> None:
        self.stage = OVER
        self.winner = winner
