"""How often a side has done what one lost or changed byte would explain: from when on a fault is held against it.

A bug does the same each time, a bad line now and then something. So it takes fewer faults of a kind if the side has not
done it properly in between, fewest if it names the same cell, and more if there are other signs of a bad line.
"""

from . import wire
from .const import TYPE_CHECKING, const
from .watch_state import (
    AGAIN_OP,
    LAST,
    OPEN,
    OPEN_OP,
    PROPER,
    R_BARE_ECHO,
    R_FROM_ZERO,
    R_INSTEAD,
    SPOILT,
    SUSPECT,
    WATCH_REASONS,
    older,
)

if TYPE_CHECKING:
    from .watch import Watch

# A player that shoots off the field does so again within this many answered commands.
SPORADIC = const(16)
# A violation after this many times: what is illegal unless a series of frames was lost, or is usually done properly.
TAKEN_MOST = const(3)
_ROW_MOST = const(2)  # the same where it is not done properly in between; the same cell is enough twice


def is_repeated(w: "Watch", i: int, why: int, op: int) -> bool:
    """Return whether side `i` has done the same before, more often than there are signs of a bad line."""
    v = w.v
    command = wire.command_of(op) or op
    if why == R_INSTEAD:
        # what it should have answered
        command = v[LAST + 1 - i]
    is_contents = why == wire.R_PARAMS or why == wire.R_FLEET or why == wire.R_ECHO or why == wire.R_CELL
    same = w.suspected[i] == w.doubted
    w.suspected[i] = w.doubted
    # these come among good ones
    usual = why == R_FROM_ZERO or wire.R_NEAR_SUNK <= why < wire.REASONS
    most = _ROW_MOST
    if not usual and (v[PROPER + i] or v[SUSPECT + i] != command or is_contents and not same):
        most = TAKEN_MOST
    elif why == R_FROM_ZERO and w.calm > SPORADIC:
        most = TAKEN_MOST
    elif why == wire.R_CELL or why == R_BARE_ECHO or why == R_FROM_ZERO:
        most = 1
    v[SUSPECT + i] = command
    v[PROPER + i] = 0
    signs = v[SPOILT] + _kinds(w) - (1 if w.again[i][why] else 0)
    if signs and signs >= most:
        # each may have left a sign
        most = signs + 1
    return _count(w, i, why) > most


def _kinds(w: "Watch") -> int:
    """Return of how many kinds of faults the sides were suspected: a bug does one or two, a bad line all."""
    kinds = 0
    for why in range(WATCH_REASONS):
        if w.again[0][why]:
            kinds += 1
        if w.again[1][why]:
            kinds += 1
    return kinds


def comes_often(w: "Watch", i: int, why: int) -> bool:
    """Return whether the other side went on after the same fault so often that losses are no explanation."""
    return _count(w, i, why) > max(TAKEN_MOST, w.v[SPOILT])


def done(w: "Watch", c: int) -> None:
    """Note that the command `c` was sent and answered properly."""
    v = w.v
    if v[OPEN]:
        return
    if v[SUSPECT] == c:
        v[PROPER] = 1
    if v[SUSPECT + 1] == c:
        v[PROPER + 1] = 1


def _count(w: "Watch", i: int, why: int) -> int:
    """Return how often side `i` has done it, including this time."""
    again = w.again[i]
    v = w.v
    if why == wire.R_STATE or why == wire.R_SENDER:
        # a bug does the same again; one thing after another is a sign of losses, or of two pairs
        if v[AGAIN_OP + i] != v[OPEN_OP]:
            again[why] = 0
        v[AGAIN_OP + i] = v[OPEN_OP]
    if why == wire.R_CELL and w.calm > SPORADIC:
        # a changed bit leads off the field easily, and to a zero hardly ever
        again[why] = 0
    older(again, why)
    return again[why]
