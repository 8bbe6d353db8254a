"""How often a side has done what one lost or changed byte would explain: from when on a fault is held against it.

A bug does the same each time, a bad line now and then something. So it takes fewer faults of a kind if the side has not
done it properly in between, fewest if it names the same cell, and more if there are other signs of a bad line.
"""

from . import wire
from .const import TYPE_CHECKING, const
from .watch_shared import is_shared
from .watch_state import (
    AGAIN_OP,
    KNOWN,
    LAST,
    NAMED,
    OFF,
    OFF_AT,
    OFF_SAME,
    OPEN,
    OPEN_OP,
    PARAMS,
    PROPER,
    R_BARE_ECHO,
    R_FROM_ZERO,
    R_INSTEAD,
    SIZE,
    SPOILT,
    SUSPECT,
    WATCH_REASONS,
    ZEROS,
    X,
    Y,
    older,
)

if TYPE_CHECKING:
    from .watch import Watch

# A player that shoots off the field does so again within this many answered commands.
SPORADIC = const(16)
# A violation after this many times: what is illegal unless a series of frames was lost, or is usually done properly.
TAKEN_MOST = const(3)
_OFF_MOST = const(3)  # so many shots off the field, answered, before one that is a violation; in a row
_OFF_SAME_MOST = const(2)  # ... and in the same column or row off the field
_GAMES_SAME_MOST = const(3)  # the same in any games, answered or not
_NEAR_MOST = const(15)  # a changed bit leads farther off the field more often than not
_NEAR_ROW = const(10)  # so many at most this far off, and none farther
_PARITY = const(127)  # above it, a tap may have taken the parity for the highest bit
_SEVERAL = const(254)
# Offsets into Watch.off, by side.
_AT = const(0)
_SAME = const(2)
_NEAR = const(4)
SIZE_SURE = const(6)  # 1: nothing was lost since the ships were placed, so the game is one with the known parameters
_ROW_MOST = const(2)  # the same where it is not done properly in between; the same cell is enough twice


def count_shot(w: "Watch", i: int) -> None:
    """Count an answered shot of side `i` by where it was."""
    v = w.v
    x = v[X + i]
    y = v[Y + i]
    at = _off(w, x, y)
    if max(x, y) > _PARITY:
        return
    if at:
        older(v, OFF + i)
        if v[OFF_AT + i] == at:
            older(v, OFF_SAME + i)
        elif v[OFF_SAME + i] != NAMED:
            v[OFF_AT + i] = at
            v[OFF_SAME + i] = 1
    elif x and y:
        v[OFF + i] = 0
    elif x or y:
        older(v, ZEROS + i)


def suspect_shot(w: "Watch", i: int) -> None:
    """Count a shot of side `i` off the field, whatever comes of it: a bug may show once in a game."""
    off = w.off
    at = _off(w, w.v[X + i], w.v[Y + i])
    if at != off[_AT + i]:
        off[_AT + i] = at
        off[_SAME + i] = 0
    older(off, _SAME + i)
    if at <= _NEAR_MOST:
        older(off, _NEAR + i)
    else:
        off[_NEAR + i] = 0


def forget_shots(w: "Watch") -> None:
    """Forget the shots off the field."""
    for k in range(6):
        w.off[k] = 0


def _off(w: "Watch", x: int, y: int) -> int:
    """Return the column or row that is beyond the field, 0 for none; _SEVERAL for two that differ."""
    v = w.v
    most = v[SIZE] if v[PARAMS] == KNOWN else wire.SIZE_MAX
    if x > most:
        return _SEVERAL if y > most and x != y else x
    return y if y > most else 0


def shoots_off(w: "Watch", i: int, why: int) -> bool:
    """Return whether the last shot of side `i`, wrong because of `why`, is one of many off the field.

    A bad line changes other bytes too before it has led to the same place off the field a third time, or off the field
    four times in a row, with all answered.
    """
    v = w.v
    if v[OFF_SAME + i] == NAMED or is_shared(w, i):
        return False
    if why == R_FROM_ZERO:
        return v[ZEROS + i] >= _OFF_SAME_MOST
    at = _off(w, v[X + i], v[Y + i])
    if why != wire.R_CELL or not at or max(v[X + i], v[Y + i]) > _PARITY:
        return False
    if may_be_on(w, i):
        return False
    if w.off[_NEAR + i] >= _NEAR_ROW or (w.off[_AT + i] == at != _SEVERAL and w.off[_SAME + i] > _GAMES_SAME_MOST):
        return True
    return v[OFF + i] >= _OFF_MOST or (v[OFF_SAME + i] >= _OFF_SAME_MOST and at == v[OFF_AT + i] != _SEVERAL)


def is_torn(w: "Watch", i: int) -> bool:
    """Return whether the last shot of side `i` has the start of another frame in place of a coordinate."""
    return _begins(w.v[X + i]) or _begins(w.v[Y + i])


def _begins(byte: int) -> bool:
    return byte > wire.SIZE_MAX and wire.exchange(byte) is not None


def may_be_on(w: "Watch", i: int) -> bool:
    """Return whether the last shot of side `i` is on a larger field, about which nothing was heard."""
    return not w.off[SIZE_SURE] and max(w.v[X + i], w.v[Y + i]) <= wire.SIZE_MAX


def is_off_again(w: "Watch", i: int, why: int) -> bool:
    """Return whether the last shot of side `i`, wrong because of `why`, is off the field where one before it was."""
    v = w.v
    if why == R_FROM_ZERO:
        return v[ZEROS + i] > 0
    at = _off(w, v[X + i], v[Y + i])
    return why == wire.R_CELL and v[OFF_SAME + i] > 0 and at == v[OFF_AT + i] != _SEVERAL and not may_be_on(w, i)


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
