"""Salvo: two players, five ships, numbered rounds in which both salvos are resolved at once.

Rules in docs/rules.md, Salvo. Cells are numbered y * 10 + x from the top left; rounds from 1. The game keeps a `View`
for each player: everything that the rules let this player know, and nothing else. Screens and the computer player use
only a View. Nothing is allocated after construction.
"""

from .const import TYPE_CHECKING, const

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .rng import Rng

SIZE = const(10)
CELLS = const(100)
SHIPS = const(5)
NAMES = ("carrier", "battleship", "cruiser", "submarine", "destroyer")
LENGTHS = b"\x05\x04\x03\x03\x02"
GUNS = b"\x02\x01\x01\x01\x01"
SHOTS_MAX = const(6)  # the guns of a complete fleet
DECKS = const(17)
ROUNDS_MAX = const(100)  # at least one shot per round, at a cell not fired at before
DIRECTIONS = const(4)
EAST = const(0)
SOUTH = const(1)
SOUTH_EAST = const(2)
SOUTH_WEST = const(3)

NONE = const(255)  # no ship, no cell

# fill_step(): random places tried per ship before all are tried in order, and how often it starts over.
TRIES = const(200)
STARTS = const(50)

# Results of place(), aim() and fire(). 0 is success.
OK = const(0)
OFF_FIELD = const(1)
TOUCHES = const(2)  # touches another ship by side or corner, or overlaps it
PLACED = const(3)  # this ship is already placed
NOT_NOW = const(4)  # not in this stage, or already fired in this round
FIRED_AT = const(5)  # a cell that was fired at before in this game, or appears twice in the salvo
TOO_MANY = const(6)  # more shots than guns

# Stages.
PLACING = const(0)
FIRING = const(1)
OVER = const(2)

# Outcomes of a game.
OPEN = const(0)
WON_BY_0 = const(1)
WON_BY_1 = const(2)
DRAW = const(3)
ABANDONED = const(4)
# How it ended.
BY_SINKING = const(0)
BY_WITHDRAWAL = const(1)
BY_FAILURE = const(2)


def step_x(direction: int) -> int:
    """Return the columns from one deck to the next."""
    return 0 if direction == SOUTH else -1 if direction == SOUTH_WEST else 1


def step_y(direction: int) -> int:
    """Return the rows from one deck to the next."""
    return 0 if direction == EAST else 1


class View:
    """What one player knows.

    fired: by cell the round in which this player fired at it, 0 never.
    received: by cell the round in which the opponent fired at it, 0 never.
    struck: by cell of a received shot the own ship that was hit, NONE for none.
    own: by cell the own ship, NONE for water. own_hits: hits on each own ship.
    hits: by enemy ship and round, `ship * ROUNDS_MAX + round - 1`, its hits in that round.
    sunk_in: by enemy ship the round in which it sank, 0 while afloat. own_sunk_in: the same for own ships.
    """

    def __init__(self) -> None:
        self.fired = bytearray(CELLS)
        self.received = bytearray(CELLS)
        self.struck = bytearray(CELLS)
        self.own = bytearray(CELLS)
        self.own_hits = bytearray(SHIPS)
        self.own_sunk_in = bytearray(SHIPS)
        self.hits = bytearray(SHIPS * ROUNDS_MAX)
        self.sunk_in = bytearray(SHIPS)
        self.round = 0
        self.stage = PLACING
        self.outcome = OPEN
        self.clear()

    def clear(self) -> None:
        for i in range(CELLS):
            self.fired[i] = self.received[i] = 0
            self.struck[i] = self.own[i] = NONE
        for i in range(SHIPS):
            self.own_hits[i] = self.own_sunk_in[i] = self.sunk_in[i] = 0
        for i in range(SHIPS * ROUNDS_MAX):
            self.hits[i] = 0
        self.round = 0
        self.stage = PLACING
        self.outcome = OPEN

    def hits_on(self, ship: int) -> int:
        """Return the hits on an enemy ship in all rounds."""
        n = 0
        for r in range(self.round):
            n += self.hits[ship * ROUNDS_MAX + r]
        return n

    def guns(self) -> int:
        """Return the number of shots of this player in the current round."""
        n = 0
        for ship in range(SHIPS):
            if not self.own_sunk_in[ship]:
                n += GUNS[ship]
        return n


class Salvo:
    """One game. rng: a seabattle.rng.Rng for placing at random."""

    def __init__(self, rng: "Rng") -> None:
        self.rng = rng
        self.views = (View(), View())
        self.at = (bytearray(SHIPS), bytearray(SHIPS))  # first cell of each ship, NONE if not placed
        self.way = (bytearray(SHIPS), bytearray(SHIPS))  # direction
        self.salvo = (bytearray(SHOTS_MAX), bytearray(SHOTS_MAX))
        self.aimed = bytearray(2)  # cells in each salvo
        self.fired = bytearray(2)  # 1: this player has fired in the round
        # The record, by player and round: shots, hits, and a bit for each enemy ship sunk.
        self.shots_in = (bytearray(ROUNDS_MAX), bytearray(ROUNDS_MAX))
        self.hits_in = (bytearray(ROUNDS_MAX), bytearray(ROUNDS_MAX))
        self.sinkings_in = (bytearray(ROUNDS_MAX), bytearray(ROUNDS_MAX))
        self.how = BY_SINKING
        self.held = 0  # 1: complete fleets wait for begin(), so ships may still be removed
        self._tries = self._starts = 0
        self._filled = 0  # a bit for each ship placed by fill_step() since it began
        self.start()

    @property
    def round(self) -> int:
        """The current round, from 1; the last one after the end; 0 while placing."""
        return self.views[0].round

    @property
    def stage(self) -> int:
        """PLACING, FIRING or OVER."""
        return self.views[0].stage

    @property
    def outcome(self) -> int:
        """OPEN, WON_BY_0, WON_BY_1, DRAW or ABANDONED."""
        return self.views[0].outcome

    def start(self) -> None:
        """Start a new game with everything cleared."""
        for p in range(2):
            self.views[p].clear()
            self.aimed[p] = self.fired[p] = 0
            for i in range(SHIPS):
                self.at[p][i] = NONE
            for i in range(ROUNDS_MAX):
                self.shots_in[p][i] = self.hits_in[p][i] = self.sinkings_in[p][i] = 0
        self.how = BY_SINKING

    # Placing.

    def may_place(self, player: int, ship: int, x: int, y: int, direction: int) -> int:
        """Return OK, or why `ship` may not be placed from column x, row y (from 0) in this direction."""
        if self.stage != PLACING:
            return NOT_NOW
        if self.at[player][ship] != NONE:
            return PLACED
        own = self.views[player].own
        dx = step_x(direction)
        dy = step_y(direction)
        n = LENGTHS[ship]
        if not (0 <= x < SIZE and 0 <= y < SIZE and 0 <= x + dx * (n - 1) < SIZE and y + dy * (n - 1) < SIZE):
            return OFF_FIELD
        for _ in range(n):
            for j in range(y - 1 if y else 0, y + 2 if y < SIZE - 1 else SIZE):
                for i in range(x - 1 if x else 0, x + 2 if x < SIZE - 1 else SIZE):
                    if own[j * SIZE + i] != NONE:
                        return TOUCHES
            x += dx
            y += dy
        return OK

    def place(self, player: int, ship: int, x: int, y: int, direction: int) -> int:
        """Place a ship; return the same as may_place(). The battle begins when both fleets are complete."""
        why = self.may_place(player, ship, x, y, direction)
        if why:
            return why
        self.at[player][ship] = y * SIZE + x
        self.way[player][ship] = direction
        own = self.views[player].own
        for _ in range(LENGTHS[ship]):
            own[y * SIZE + x] = ship
            x += step_x(direction)
            y += step_y(direction)
        if not self.held and self.placed(0) and self.placed(1):
            self.begin()
        return OK

    def begin(self) -> None:
        """Begin the battle; both fleets must be complete."""
        for view in self.views:
            view.stage = FIRING
            view.round = 1

    def remove(self, player: int, ship: int) -> int:
        """Remove a ship while placing; return OK or NOT_NOW."""
        if self.stage != PLACING or self.at[player][ship] == NONE:
            return NOT_NOW
        own = self.views[player].own
        for cell in range(CELLS):
            if own[cell] == ship:
                own[cell] = NONE
        self.at[player][ship] = NONE
        return OK

    def placed(self, player: int) -> bool:
        """Return whether this player's fleet is complete."""
        for ship in range(SHIPS):
            if self.at[player][ship] == NONE:
                return False
        return True

    def fill_step(self, player: int) -> bool:
        """Try once to place the next missing ship at random, long ones first.

        Return True when finished: the fleet is complete, or no place was found next to the ships placed before, which
        stay.
        """
        ship = 0
        while ship < SHIPS and self.at[player][ship] != NONE:
            ship += 1
        if ship == SHIPS:
            self._fill_begins()
            return True
        n = self._tries - TRIES
        if n < 0:
            rng = self.rng
            why = self.place(player, ship, rng.below(SIZE), rng.below(SIZE), rng.below(DIRECTIONS))
        else:
            why = self.place(player, ship, n % SIZE, n // SIZE % SIZE, n // CELLS)
        if not why:
            self._tries = 0
            self._filled |= 1 << ship
            return False
        self._tries += 1
        if n < CELLS * DIRECTIONS - 1:
            return False
        again = self._filled != 0 and self._starts < STARTS
        for i in range(SHIPS):
            if self._filled >> i & 1:
                self.remove(player, i)
        starts = self._starts + 1
        self._fill_begins()
        if again:
            self._starts = starts
        return not again

    def _fill_begins(self) -> None:
        self._tries = self._starts = self._filled = 0

    def fill(self, player: int) -> bool:
        """Place all missing ships at random. If no place is found for them, return False and change nothing."""
        while not self.fill_step(player):
            pass
        return self.placed(player)

    def clear(self, player: int) -> None:
        """Remove all ships of a player while placing."""
        for ship in range(SHIPS):
            self.remove(player, ship)

    # A round

    def may_aim(self, player: int, cell: int) -> int:
        """Return OK, or why this cell may not be added to the player's salvo."""
        if self.stage != FIRING or self.fired[player]:
            return NOT_NOW
        if not 0 <= cell < CELLS:
            return OFF_FIELD
        if self.views[player].fired[cell] or self.in_salvo(player, cell):
            return FIRED_AT
        if self.aimed[player] >= self.views[player].guns():
            return TOO_MANY
        return OK

    def aim(self, player: int, cell: int) -> int:
        """Add a cell to the salvo; return the same as may_aim()."""
        why = self.may_aim(player, cell)
        if not why:
            self.salvo[player][self.aimed[player]] = cell
            self.aimed[player] += 1
        return why

    def in_salvo(self, player: int, cell: int) -> bool:
        """Return whether the player has aimed at this cell in this round."""
        for i in range(self.aimed[player]):
            if self.salvo[player][i] == cell:
                return True
        return False

    def unaim(self, player: int, cell: int) -> int:
        """Remove a cell from the salvo; return OK, or NOT_NOW if it is not in it."""
        if self.fired[player]:
            return NOT_NOW
        salvo = self.salvo[player]
        for i in range(self.aimed[player]):
            if salvo[i] == cell:
                self.aimed[player] -= 1
                salvo[i] = salvo[self.aimed[player]]
                return OK
        return NOT_NOW

    def fire(self, player: int) -> int:
        """Fire the salvo: return OK or NOT_NOW. The round is resolved when both have fired.

        Fewer shots than guns are allowed, none only if nothing is left to aim at.
        """
        if self.stage != FIRING or self.fired[player]:
            return NOT_NOW
        if not self.aimed[player] and not self._nothing_left(player):
            return NOT_NOW
        self.fired[player] = 1
        if self.fired[0] and self.fired[1]:
            self._resolve()
        return OK

    def fire_at(self, player: int, cells: "Sequence[int]", count: int) -> int:
        """Aim and fire `count` cells at once.

        A bad salvo is refused as a whole, with the reason, and nothing is aimed.
        """
        if self.stage != FIRING or self.fired[player]:
            return NOT_NOW
        self.aimed[player] = 0
        for i in range(count):
            why = self.aim(player, cells[i])
            if why:
                self.aimed[player] = 0
                return why
        return self.fire(player)

    def skip(self, player: int) -> int:
        """Fire nothing in this round, for an absent player; return OK or NOT_NOW."""
        if self.stage != FIRING or self.fired[player]:
            return NOT_NOW
        self.aimed[player] = 0
        self.fired[player] = 1
        if self.fired[0] and self.fired[1]:
            self._resolve()
        return OK

    def withdraw(self, player: int) -> int:
        """Leave the game: the opponent wins. Return OK, or NOT_NOW after the end."""
        if self.stage == OVER:
            return NOT_NOW
        self._end(WON_BY_1 if player == 0 else WON_BY_0, BY_WITHDRAWAL)
        return OK

    def abandon(self) -> int:
        """End the game without a winner after an internal failure. Return OK, or NOT_NOW after the end."""
        if self.stage == OVER:
            return NOT_NOW
        self._end(ABANDONED, BY_FAILURE)
        return OK

    # Internals

    def _nothing_left(self, player: int) -> bool:
        for cell in range(CELLS):
            if not self.views[player].fired[cell]:
                return False
        return True

    def _resolve(self) -> None:
        """Resolve both salvos at once: a player who is sunk in this round has still fired in it."""
        for player in range(2):
            self._land(player)
        for player in range(2):
            self._count_sunk(player)
        r = self.views[0].round
        self.aimed[0] = self.aimed[1] = self.fired[0] = self.fired[1] = 0
        lost0 = self._all_sunk(0)
        lost1 = self._all_sunk(1)
        if lost0 or lost1:
            self._end(DRAW if lost0 and lost1 else WON_BY_1 if lost0 else WON_BY_0, BY_SINKING)
        elif r == ROUNDS_MAX:
            # only if rounds were skipped: the record is full
            self.abandon()
        else:
            self.views[0].round = self.views[1].round = r + 1

    def _land(self, player: int) -> None:
        # Land the shots of one salvo.
        mine = self.views[player]
        theirs = self.views[1 - player]
        r = mine.round
        for i in range(self.aimed[player]):
            cell = self.salvo[player][i]
            mine.fired[cell] = r
            theirs.received[cell] = r
            ship = theirs.own[cell]
            theirs.struck[cell] = ship
            if ship != NONE:
                self._strike(player, ship, 1)
        self.shots_in[player][r - 1] = self.aimed[player]

    def _strike(self, player: int, ship: int, count: int) -> None:
        # Record how often this player hit a ship in this round.
        mine = self.views[player]
        r = mine.round
        self.views[1 - player].own_hits[ship] += count
        mine.hits[ship * ROUNDS_MAX + r - 1] += count
        self.hits_in[player][r - 1] += count

    def _count_sunk(self, player: int) -> None:
        # Mark which enemy ships this player has sunk, given the shots landed.
        mine = self.views[player]
        theirs = self.views[1 - player]
        r = mine.round
        for ship in range(SHIPS):
            if theirs.own_hits[ship] == LENGTHS[ship] and not theirs.own_sunk_in[ship]:
                theirs.own_sunk_in[ship] = mine.sunk_in[ship] = r
                self.sinkings_in[player][r - 1] |= 1 << ship

    def _all_sunk(self, player: int) -> bool:
        for ship in range(SHIPS):
            if not self.views[player].own_sunk_in[ship]:
                return False
        return True

    def _end(self, outcome: int, how: int) -> None:
        self.how = how
        for view in self.views:
            view.stage = OVER
            view.outcome = outcome
