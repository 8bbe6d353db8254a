"""The watcher's tracking of shots: whose turn it is, each side's hits, the winner, false answers."""

from . import watch_repeats, wire
from .const import TYPE_CHECKING
from .watch_state import (
    COUNTED,
    DECKS,
    HITS,
    JUDGE,
    KNOWN,
    OFF,
    OFF_SAME,
    OVER,
    PARAMS,
    R_LAST_DECK,
    SHOOTER,
    SIZE,
    TURN,
    TWICE,
    UNSURE,
    WINNER,
    WON_AGE,
    ZEROS,
    X,
    Y,
)

if TYPE_CHECKING:
    from .watch import Watch


def answered(w: "Watch", i: int, j: int, op: int, pardoned: bool) -> int:
    """Handle the answer `op` of `j` to the shot of side `i`; return why it is wrong, as R_*, or 0."""
    v = w.v
    v[SHOOTER] = i
    v[TURN] = j if op == wire.MISS or op == wire.REPEAT else i
    x = v[X + i]
    y = v[Y + i]
    is_hit = op == wire.HIT or op == wire.SUNK
    watch_repeats.count_shot(w, i)
    if not (1 <= x <= 10 and 1 <= y <= 10):
        # the cell is unknown, but the deck counts
        v[JUDGE + i] = 0
        if is_hit:
            _count(w, i)
        return 0
    cell = (y - 1) * 10 + x - 1
    before = w.shots[i][cell]
    if not before or op != wire.REPEAT:
        w.shots[i][cell] = op
        if before:
            w.erred(j, 0)  # other answers than "already shot there" are tolerated
    why = 0
    if is_hit:
        if before != wire.HIT and before != wire.SUNK:
            won = v[WINNER]
            _count(w, i)
            if op == wire.HIT and v[WINNER] != won:
                why = R_LAST_DECK
    if v[JUDGE + i] and not pardoned and x <= v[SIZE] and y <= v[SIZE]:
        false = w.radar[i].answer((y - 1) * v[SIZE] + x - 1, (op - wire.MISS) >> 4)
        if false and not why:
            # After a false answer the radar is unreliable.
            v[JUDGE + i] = 0
            why = false
    return why


def _count(w: "Watch", i: int) -> None:
    v = w.v
    if v[HITS + i] < 255:
        v[HITS + i] += 1
    if v[COUNTED] and v[HITS + i] == v[DECKS] and v[WINNER] == UNSURE:
        v[WINNER] = i
        v[WON_AGE] = 1
        w.may[0] |= OVER
        w.may[1] |= OVER


def misheard(w: "Watch", i: int, is_hit: int) -> None:
    """Correct the last answer to a shot of `i`, which was misread or not seen.

    The play that both agree on shows whether it was a hit.
    """
    v = w.v
    # From here on neither the field nor the count can show the winner.
    v[JUDGE + i] = v[COUNTED] = v[WON_AGE] = 0
    v[WINNER] = UNSURE
    if is_hit:
        _count(w, i)
    elif v[HITS + i]:
        v[HITS + i] -= 1


def place(w: "Watch") -> None:
    """Handle A2: a new game."""
    v = w.v
    clear(w)
    if v[PARAMS] != KNOWN:
        return
    w.fleet.protocol(v[SIZE], v[SIZE + 1], v[SIZE + 2], v[SIZE + 3], v[SIZE + 4], True)
    v[COUNTED] = 1
    v[DECKS] = w.fleet.decks
    w.off[watch_repeats.SIZE_SURE] = 1
    for i in range(2):
        w.radar[i].reset(w.fleet)
        v[JUDGE + i] = 1


def clear(w: "Watch") -> None:
    """Forget the game."""
    v = w.v
    v[TURN] = v[WINNER] = v[SHOOTER] = UNSURE
    v[COUNTED] = v[WON_AGE] = v[DECKS] = 0
    for i in range(2):
        v[HITS + i] = v[JUDGE + i] = v[OFF + i] = v[OFF_SAME + i] = v[ZEROS + i] = v[TWICE + i] = 0
        w.clear_shots(i)
