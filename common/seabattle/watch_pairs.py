"""Two pairs of programs on the same two wires, or in one file.

One pair may prepare its game while the other fights. Then commands that are illegal in the state of one pair are
answered as if they were legal, by the other pair, and the first goes on as before. One pair with a bug may do so once
in a game; only two do so again and again. From then on nobody is accused.
"""

from . import wire
from .const import TYPE_CHECKING, const
from .watch_state import BATTLE, FADED, IDLE, TURNED_TO, TURNS, older

if TYPE_CHECKING:
    from .watch import Watch

# Values of TURNED_TO.
PREPARING = const(1)
FIGHTING = const(2)

SURE = const(2)  # turns


def are_two(w: "Watch") -> bool:
    """Return whether the traffic is that of two pairs."""
    return w.v[TURNS] >= SURE


def accepted(w: "Watch", i: int, c: int) -> bool:
    """Handle the illegal command `c` of side `i`, which is answered as if it were legal.

    Return whether they go back to what they did before.
    """
    to = 0
    if c == wire.SHOT or c == wire.WON:
        if w.may[i] != BATTLE:
            to = FIGHTING
    elif c == wire.MEET:
        if not w.may[i] & IDLE:
            to = PREPARING
    elif w.may[i] == BATTLE and wire.exchange(c)[wire.SENDER] != wire.BOTH:
        to = PREPARING
    v = w.v
    before = v[TURNED_TO]
    if not to or before == to:
        return False
    v[TURNED_TO] = to
    if before:
        older(v, TURNS)
        w.shared_at[2] = w.calm
    return before > 0


def roles_changed(w: "Watch") -> None:
    """Handle a change of roles in the middle: of one pair that begins anew, or a second pair."""
    w.v[TURNED_TO] = PREPARING


def begins(w: "Watch") -> None:
    """Handle a game that begins by the rules."""
    if not are_two(w):
        forget(w)


def fade(w: "Watch") -> None:
    """Forget them if many commands were answered properly after the last sign."""
    if are_two(w) and w.calm - w.shared_at[2] > FADED:
        forget(w)


def forget(w: "Watch") -> None:
    """Forget what suggests two pairs."""
    w.v[TURNS] = w.v[TURNED_TO] = 0
