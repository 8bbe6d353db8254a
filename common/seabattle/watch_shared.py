"""Bytes on a side's wire that this side has not sent.

An adapter that echoes, a line with one pair of wires for both, or a tap that hears both directions repeats on one wire
what the other has just carried. A second master on a slave's line syncs on the slave's wire, between its answers. A
single frame does not tell either from a player, but what follows it does: a player that sends a command back instead of
the reply does not send the reply too, and one that has become a master does not answer syncs any more. A wire that has
carried such a frame and then the right reply more than once is shared: nobody is accused of any fault on it, and
repeats of the other side are left out. But a byte that is doubled now and then may look the same, so a sign counts only
until many commands have been answered without another one.
"""

from . import watch_pairs, wire
from .const import TYPE_CHECKING, const
from .watch_state import (
    ASKED,
    ASKED_AGE,
    DOUBT,
    FADED,
    FRAME,
    OPEN,
    OPEN_ECHOED,
    OPEN_OP,
    OPEN_SIDE,
    OUT,
    QUIET,
    R_ECHOED,
    R_NO_REPLY,
    R_SHARED,
    R_UNFOUNDED,
    ROLE,
    SHARED,
    SILENT,
    STRANGE,
    older,
)

if TYPE_CHECKING:
    from .watch import Watch

# Values of STRANGE.
COPY = const(1)  # its last frame repeats the other side's, which no player does
SYNCS = const(2)  # it is the slave, and has sent a sync since it last replied
GOES_ON = const(3)  # it has sent a sync after a COPY of one, so it sends them by itself
ANOTHER = const(
    4
)  # it has sent a sync after it had left several unanswered: it was reset, or another device took its place

# What a frame shows about the wire.
LEFT_OUT = const(1)  # only a repeat of the other side's
ECHO = const(2)  # the right reply after a copy of the command, which therefore was an echo
AFTER_ECHO = const(3)  # what the other side's wire carried just before, and comes from this side

SURE_TIMES = const(2)  # this many times, and the wire is shared
_COPY_TICKS = const(2)  # the longest delay of an echo
_SLACK = const(2)  # ticks
# A side that has answered no sync for this many ticks is no slave: 2 syncs, and what may lie between them.
_SILENT_TICKS = 2 * wire.SYNC_TICKS + 3


def is_shared(w: "Watch", i: int) -> bool:
    """Return whether the wire of side `i` carries what this side has not sent."""
    return w.v[SHARED + i] >= SURE_TIMES


def seen(w: "Watch", i: int, op: int) -> int:
    """Handle a frame on the wire of side `i`; return LEFT_OUT, ECHO, AFTER_ECHO or 0."""
    v = w.v
    copy = _is_copy(w, i, op)
    if copy and is_shared(w, i):
        w.shared_at[i] = w.calm
        w.put_weighed(FRAME, i, op, DOUBT, R_ECHOED, 0, 0, 1, 0)
        w.lately = i
        return LEFT_OUT
    strange = v[STRANGE + i]
    if strange == COPY or strange == GOES_ON:
        v[STRANGE + i] = GOES_ON if op == wire.SYNC else 0
    if wire.is_reply(op):
        if copy or (op == wire.SYNCED and _is_synced_again(w, i)):
            # answers nothing, or is one more answer to the same sync
            _shares(w, i)
        elif strange and awaited(w, 1 - i, op) and (strange != COPY or w.lately == i) and strange != GOES_ON:
            v[STRANGE + i] = 0
            _shares(w, i)
            return ECHO if strange == COPY else 0
    elif copy:
        v[STRANGE + i] = COPY
    elif (
        v[OPEN] == FRAME
        and v[OPEN_SIDE] != i
        and (v[OPEN_OP] == op or v[OPEN_OP] == wire.SYNC or not (op == wire.NICK or op == wire.CHAT))
        and _is_same(w, i, op)
        and w.sign[i] != w.reader[i].sign
    ):
        # Two taps do not always preserve the order. A nick or chat, which both may send, tells nothing of it, except
        # beside a sync on a slave's wire.
        _shares(w, 1 - i)
        return AFTER_ECHO
    return 0


def _is_synced_again(w: "Watch", i: int) -> bool:
    """Return whether an 01 of side `i` is one more answer to the last sync.

    Some programs send it unasked now and then.
    """
    v = w.v
    if w.lately != i or v[ASKED] or v[ROLE + i] != wire.SLAVE:
        return False
    return w.reader[1 - i].op == wire.SYNC and v[QUIET + 1 - i] <= _COPY_TICKS


def _shares(w: "Watch", i: int) -> None:
    fade(w, i)
    w.shared_at[i] = w.calm
    if not is_shared(w, i):
        older(w.v, SHARED + i)


def fade(w: "Watch", i: int) -> None:
    """Forget the signs on the wire of side `i` if many commands were answered properly after them."""
    if w.calm - w.shared_at[i] > FADED:
        w.v[SHARED + i] = 0


def begin_anew(w: "Watch") -> None:
    """Count from 0 again how many commands are answered properly, but keep how long the last signs are past."""
    for i in range(3):
        past = w.shared_at[i] - w.calm
        w.shared_at[i] = past if past >= -FADED else -FADED - 1
    w.calm = 0


def _is_copy(w: "Watch", i: int, op: int) -> bool:
    """Return whether side `i` repeats the other's last frame, which only the other may send."""
    if not _is_same(w, i, op):
        return False
    if wire.is_reply(op):
        return not awaited(w, 1 - i, op) and (is_shared(w, i) or wire.exchange(op)[wire.SENDER] != wire.BOTH)
    sender = wire.exchange(op)[wire.SENDER]
    return is_shared(w, i) or op == wire.SHOT or (sender != wire.BOTH and w.v[ROLE + i] != sender)


def _is_same(w: "Watch", i: int, op: int) -> bool:
    """Return whether the frame of side `i` equals the last one received, on the other's wire."""
    j = 1 - i
    other = w.reader[j]
    if w.lately != j or other.op != op or other.within or other.sign != w.reader[i].sign:
        return False
    return w.v[QUIET + j] <= _COPY_TICKS


def awaited(w: "Watch", i: int, op: int) -> bool:
    """Return whether side `i` awaits the reply `op`."""
    if op == wire.SYNCED:
        return w.v[ASKED] > 0
    return wire.is_reply(op) and w.v[OUT + i] == wire.command_of(op)


def alien(w: "Watch", i: int) -> bool:
    """Handle a sync on the wire of side `i`, the slave; return whether that wire is known to be shared."""
    if is_shared(w, i):
        w.shared_at[i] = w.calm
        w.put_weighed(FRAME, i, wire.SYNC, DOUBT, R_SHARED, 0, 0, 1, 0)
        return True
    v = w.v
    if not v[STRANGE + i] and v[ASKED_AGE] > wire.SYNC_TICKS + _SLACK:
        v[STRANGE + i] = ANOTHER
    elif v[STRANGE + i] != COPY and v[STRANGE + i] != ANOTHER:
        v[STRANGE + i] = SYNCS
    return False


def explains(w: "Watch", i: int, op: int, why: int) -> bool:
    """Return whether other devices on the wire of side `i`, an echo or a reset explain the fault as well."""
    if is_shared(w, i) or watch_pairs.are_two(w):
        return True
    if w.v[SILENT] & 1 << 1 - i or not w.reader[1 - i].op:
        # what it goes by was not heard
        return True
    if why == R_NO_REPLY and w.v[OPEN_ECHOED]:
        # its line may have been cut, or hold everything back
        return True
    if why == R_UNFOUNDED and w.v[OPEN_ECHOED]:
        # It has shot elsewhere, and a coordinate was changed.
        return True
    if why == wire.R_STATE and op == wire.MEET and not w.v[OPEN_ECHOED]:
        # it may have been reset, or switched off and on
        return True
    return why == wire.R_SENDER and op == wire.SYNC and not is_master(w, i)


def is_master(w: "Watch", i: int) -> bool:
    """Return whether side `i`, which was the slave, syncs by itself and does not answer the other's syncs."""
    v = w.v
    strange = v[STRANGE + i]
    return v[ROLE + i] == wire.SLAVE and strange != COPY and strange != ANOTHER and v[ASKED_AGE] > _SILENT_TICKS
