"""Melee: three players on one field of 15x15.

Three classic fleets share one field: no two ships touch, not even of different owners. A hit gives another shot, a miss
passes the turn to the next player still alive. All players see all shots; a ship is hidden from the others until it is
hit.

Cells are numbered y * 15 + x from the top left. Players are 0, 1 and 2. Nothing is allocated after construction.
"""

from .const import TYPE_CHECKING, const
from .field import HIT, MISS, SUNK

if TYPE_CHECKING:
    from .rng import Rng

SIZE = const(15)
CELLS = const(225)
PLAYERS = const(3)
SHIPS = const(10)  # per player
NOBODY = const(3)

# What shoot() returns in addition to MISS, HIT and SUNK of field.py: why a shot is refused. The turn stays.
OFF_FIELD = const(-1)
NOT_YOUR_TURN = const(-2)
OWN_SHIP = const(-3)
OPEN_CELL = const(-4)  # shot before, or around a sunk ship
GAME_OVER = const(-5)

# What a player sees of a cell: results of seen(). OWN, WOUND and WRECK have an owner, see owner_seen().
UNKNOWN = const(0)
OWN = const(1)  # an intact deck of one's own
WATER = const(2)  # a miss, or known to be empty around a wreck
WOUND = const(3)  # a hit deck
WRECK = const(4)  # a deck of a sunk ship

_LENGTHS = b"\x04\x03\x03\x02\x02\x02\x01\x01\x01\x01"
_DECKS = const(20)
_DRAWS = const(40)  # places drawn for a ship before all of them are counted
_OPEN = const(1)  # flag in `mark`: shot, or known to be empty


class Melee:
    """One game. rng: a seabattle.rng.Rng for the placement and for a random order."""

    def __init__(self, rng: "Rng") -> None:
        self.rng = rng
        self.ship = bytearray(CELLS)  # 0 water, else 1 + 10 * owner + number of the ship
        self.mark = bytearray(CELLS)
        self._near = bytearray(CELLS)  # during placement: 1 on and next to ships
        self.left = bytearray(PLAYERS * SHIPS)  # intact decks of each ship
        self.alive = bytearray(PLAYERS)  # intact decks of each player
        self.place = bytearray(PLAYERS)  # 1 winner, 2 second, 3 third; 0 while playing
        self.order = bytearray(PLAYERS)  # by player, who follows
        self.turn = 0  # the player to shoot
        self.last = -1  # the cell of the last move, -1 before the first
        self.last_result = MISS
        self.last_player = NOBODY
        self.out = NOBODY  # the player put out by the last move, NOBODY if none
        self.shots = 0
        self.restarts = 0  # placements that got stuck and started over
        self._next = 0
        self._tries = 0
        self.start()

    def start(self, by_lot: bool = False) -> None:
        """Start a new game. Order A, B, C, or random. Call place_step() or deploy() next."""
        for i in range(PLAYERS):
            self.order[i] = i
            self.alive[i] = _DECKS
            self.place[i] = 0
        if by_lot:
            for i in range(PLAYERS - 1, 0, -1):
                j = self.rng.below(i + 1)
                k = self.order[i]
                self.order[i] = self.order[j]
                self.order[j] = k
        self.turn = self.order[0]
        self.last = -1
        self.last_result = MISS
        self.last_player = self.out = NOBODY
        self.shots = self.restarts = 0
        self._sweep()

    def deploy(self) -> None:
        """Place all three fleets."""
        while not self.place_step():
            pass

    def place_step(self) -> bool:
        """Try once to place one ship, long ones first; return True when all are placed. Starts over when stuck."""
        n = self._next
        if n == PLAYERS * SHIPS:
            return True
        # Long to short over all players: ship 0 of each, then ship 1 of each, ...
        number = n // PLAYERS
        owner = n % PLAYERS
        length = _LENGTHS[number]
        vertical = self.rng.below(2)
        x = self.rng.below(SIZE if vertical else SIZE + 1 - length)
        y = self.rng.below(SIZE + 1 - length if vertical else SIZE)
        at = y * SIZE + x
        if not self._free(at, SIZE if vertical else 1, length):
            self._tries += 1
            if self._tries < _DRAWS:
                return False
            # all places are equally likely, as if drawing had gone on; if there is none, that is known at once
            places = self._nth_place(length, -1)
            if not places:
                self.restarts += 1
                self._sweep()
                return False
            at = self._nth_place(length, self.rng.below(places))
            vertical = at >= CELLS
            if vertical:
                at -= CELLS
        self._stand(at, SIZE if vertical else 1, length, 1 + owner * SHIPS + number)
        self._next = n + 1
        self._tries = 0
        return self._next == PLAYERS * SHIPS

    def _stand(self, at: int, step: int, length: int, code: int) -> None:
        # Place a ship and block the cells around it.
        self.left[code - 1] = length
        x = at % SIZE
        y = at // SIZE
        x0 = x - 1 if x else 0
        x1 = min(SIZE, x + 2 if step > 1 else x + length + 1)
        first = y * SIZE - SIZE if y else 0
        last = min(CELLS, y * SIZE + SIZE * (length + 1 if step > 1 else 2))
        near = self._near
        while first < last:
            for i in range(first + x0, first + x1):
                near[i] = 1
            first += SIZE
        while length:
            self.ship[at] = code
            at += step
            length -= 1

    def _free(self, at: int, step: int, length: int) -> bool:
        near = self._near
        while length:
            if near[at]:
                return False
            at += step
            length -= 1
        return True

    def _nth_place(self, length: int, nth: int) -> int:
        # The number of places for a ship; or place nth, from 0: its first cell, plus CELLS if it is upright.
        near = self._near
        n = 0
        for line in range(2 * SIZE):
            step = SIZE if line >= SIZE else 1
            at = line - SIZE if line >= SIZE else line * SIZE
            run = 0
            for _ in range(SIZE):
                run = 0 if near[at] else run + 1
                if run >= length:
                    if n == nth:
                        return at - (length - 1) * step + (CELLS if step > 1 else 0)
                    n += 1
                at += step
        return n

    def shoot(self, player: int, cell: int) -> int:
        """Shoot; return MISS, HIT, SUNK, or why the shot is refused.

        The reasons: OFF_FIELD, NOT_YOUR_TURN, OWN_SHIP, OPEN_CELL, GAME_OVER.
        """
        if self.winner() != NOBODY:
            return GAME_OVER
        if player != self.turn:
            return NOT_YOUR_TURN
        if not 0 <= cell < CELLS:
            return OFF_FIELD
        if self.mark[cell]:
            return OPEN_CELL
        code = self.ship[cell]
        if code and (code - 1) // SHIPS == player:
            return OWN_SHIP
        self.mark[cell] = _OPEN
        self.shots += 1
        self.last = cell
        self.last_player = player
        self.out = NOBODY
        if not code:
            self.last_result = MISS
            self._pass()
            return MISS
        owner = (code - 1) // SHIPS
        self.alive[owner] -= 1
        self.left[code - 1] -= 1
        self.last_result = HIT
        if not self.left[code - 1]:
            self.last_result = SUNK
            self._open_around(code)
            if not self.alive[owner]:
                self._put_out(owner)
        return self.last_result

    def leave(self, player: int) -> bool:
        """Take a player who gives up out of the game: return True, and what is left of the fleet is shown as if sunk.

        False for a player who is already out.
        """
        if self.place[player] or self.winner() != NOBODY:
            return False
        for code in range(1 + player * SHIPS, 1 + (player + 1) * SHIPS):
            if self.left[code - 1]:
                self.left[code - 1] = 0
                self._open_around(code)
        self.alive[player] = 0
        self.last = -1
        self.last_player = NOBODY
        self.last_result = MISS
        self._put_out(player)
        if self.turn == player and self.winner() == NOBODY:
            self._pass()
        return True

    def skip(self) -> None:
        """Pass the turn without a shot."""
        if self.winner() == NOBODY:
            self._pass()

    def winner(self) -> int:
        """Return the last player with living decks, or NOBODY while there are several."""
        for p in range(PLAYERS):
            if self.place[p] == 1:
                return p
        return NOBODY

    # What a player may know

    def seen(self, player: int, cell: int) -> int:
        """Return what `player` sees of a cell: UNKNOWN, OWN, WATER, WOUND or WRECK. player NOBODY: a spectator."""
        code = self.ship[cell]
        if self.mark[cell]:
            if not code:
                return WATER
            return WOUND if self.left[code - 1] else WRECK
        if code and (code - 1) // SHIPS == player:
            return OWN
        return UNKNOWN

    def owner_seen(self, player: int, cell: int) -> int:
        """Return whose deck `player` sees in a cell; NOBODY for water and hidden cells."""
        code = self.ship[cell]
        if not code:
            return NOBODY
        owner = (code - 1) // SHIPS
        return owner if self.mark[cell] or owner == player else NOBODY

    def may_shoot(self, player: int, cell: int) -> bool:
        """Return whether `player` may shoot at the cell, regardless of whose turn it is."""
        return not self.mark[cell] and self.owner_seen(player, cell) == NOBODY

    def last_mark(self, cell: int) -> bool:
        """Return whether the cell belongs to the last move: the cell shot at, or the whole wreck if it sank a ship."""
        if self.last < 0:
            return False
        if cell == self.last:
            return True
        return self.last_result == SUNK and self.ship[cell] != 0 and self.ship[cell] == self.ship[self.last]

    def afloat(self, player: int, length: int) -> int:
        """Return how many ships of this length (1..4) a player still has; public, since every sinking is seen."""
        n = 0
        for i in range(SHIPS):
            if _LENGTHS[i] == length and self.left[player * SHIPS + i]:
                n += 1
        return n

    # Internals

    def _sweep(self) -> None:
        for i in range(CELLS):
            self.ship[i] = self.mark[i] = self._near[i] = 0
        self._next = self._tries = 0

    def _open_around(self, code: int) -> None:
        for cell in range(CELLS):
            if self.ship[cell] == code:
                x = cell % SIZE
                y = cell // SIZE
                for j in range(y - 1 if y else 0, y + 2 if y < SIZE - 1 else SIZE):
                    for i in range(x - 1 if x else 0, x + 2 if x < SIZE - 1 else SIZE):
                        self.mark[j * SIZE + i] = _OPEN

    def _put_out(self, player: int) -> None:
        """Put a player without ships out: the first is third, the next second, and the last one left wins."""
        self.out = player
        playing = 0
        other = NOBODY
        for p in range(PLAYERS):
            if not self.place[p] and p != player:
                playing += 1
                other = p
        self.place[player] = playing + 1
        if playing == 1:
            self.place[other] = 1

    def _pass(self) -> None:
        """Pass the turn to the next player still alive."""
        at = 0
        while self.order[at] != self.turn:
            at += 1
        while True:
            at = (at + 1) % PLAYERS
            self.turn = self.order[at]
            if not self.place[self.turn]:
                return
