"""Reports what does not arrive in time.

That may be a reply, the rest of a frame, the master's syncs, any sign of life, or the victory.
"""

from . import watch_doubt, wire
from .const import TYPE_CHECKING, const
from .watch_state import (
    AGE,
    ASKED_AGE,
    BEGUN,
    CHAT,
    CHAT_NO,
    CUT,
    DEVIATION,
    DOUBT,
    GAME,
    GONE,
    IDLE,
    LACK,
    LAST_AGE,
    NO_SYNC,
    NOISE,
    NOT_OWED,
    OPEN,
    OPEN_AGE,
    OPEN_ECHOED,
    OUT,
    OVER,
    QUIET,
    R_BARE_ECHO,
    R_CUT,
    R_LEFT,
    R_NO_REPLY,
    R_NO_SYNC,
    R_NO_WON,
    R_SILENT,
    R_TWO_MASTERS,
    REPORTED,
    SILENT,
    SURE,
    TOLD,
    UNSURE,
    VIOLATION,
    WINNER,
    WON_AGE,
    older,
)

if TYPE_CHECKING:
    from .watch import Watch

# Clocks have different phases, and long frames take ticks to transmit.
SYNC_SLACK = 2
_LONG_AGO = const(16)  # ticks after which a command is never a repeat of the last one


def tick(w: "Watch") -> None:
    """Advance by one tick."""
    v = w.v
    for i in range(2):
        reader = w.reader[i]
        if reader.tick():
            # An echo with nothing after its opcode: its sender omitted the parameters.
            if wire.is_reply(reader.op) and not reader.size and v[OUT + 1 - i] == wire.PARAMS:
                watch_doubt.suspect(w, CUT, i, reader.op, R_BARE_ECHO, wire.PARAMS)
            else:
                w.put(CUT, i, reader.op, NOISE, R_CUT, 0)
                watch_doubt.lost(w, i)
        older(v, QUIET + i)
        if v[OUT + i]:
            older(v, AGE + i)
        if v[LAST_AGE + i] < _LONG_AGO:
            v[LAST_AGE + i] += 1
    for i in range(2):
        if v[OUT + i] and v[AGE + i] > wire.REPLY_TICKS and v[TOLD + i] != REPORTED:
            _no_reply(w, i, v[OUT + i])
    _expect_master(w)
    _expect_slave(w)
    if v[WON_AGE]:
        v[WON_AGE] += 1
        if v[WON_AGE] > wire.REPLY_TICKS + 1:
            v[WON_AGE] = 0
            w.put(LACK, v[WINNER], wire.WON, DEVIATION, R_NO_WON, 0)
    if v[OPEN]:
        v[OPEN_AGE] += 1
        if v[OPEN_AGE] > wire.REPLY_TICKS:
            watch_doubt.rule(w, VIOLATION, False)


def _no_reply(w: "Watch", i: int, op: int) -> None:
    v = w.v
    j = 1 - i
    if v[TOLD + i] == NOT_OWED:
        v[OUT + i] = 0
        v[GONE + i] = op
        return
    v[TOLD + i] = REPORTED
    row = wire.exchange(op)
    wants = row[wire.WANTS]
    # one that has not met owes nothing
    is_idle = op != wire.MEET and not v[BEGUN] and w.may[j] & IDLE
    if not v[SURE + i] or is_idle:
        v[OUT + i] = 0
        return
    if wants == wire.HARD:
        gone = op == wire.SURRENDER
        if gone:
            w.put(LACK, j, op, DEVIATION, R_NO_REPLY, op)
            w.erred(j, R_NO_REPLY)
            # Real programs leave after a surrender of either side.
            v[OUT + i] = 0
            w.may[i] |= OVER | IDLE
            w.may[j] |= OVER | IDLE
        elif op == wire.MEET and w.reader[j].op == wire.SYNC and v[QUIET + j] < v[AGE + i]:
            # It syncs, so it is a master too, and owes nothing.
            v[OUT + i] = 0
            w.put(LACK, j, op, DEVIATION, R_TWO_MASTERS, op)
        else:
            silent = v[QUIET + j] >= v[AGE + i] and not v[OPEN]
            watch_doubt.suspect(w, LACK, j, op, R_NO_REPLY, op)
            if silent and v[OPEN]:
                v[OPEN_ECHOED] = 1
        return
    v[OUT + i] = 0
    v[GONE + i] = op
    if wants == wire.SOFT:
        w.put(LACK, j, op, DEVIATION, R_NO_REPLY, op)
    elif op == wire.CHAT:
        v[CHAT + j] = CHAT_NO
    after = row[wire.NEXT]
    # a goodbye is still awaited when both have met again
    if after != wire.SAME and w.may[0] & w.may[1] & 1 << after:
        w.may[0] = w.may[1] = 1 << after
        if after == 0:
            w.end_session()


def _expect_master(w: "Watch") -> None:
    v = w.v
    i = w.side_of(wire.MASTER)
    if i == UNSURE:
        return
    may = w.may[1 - i]
    if not v[NO_SYNC] and not (may | w.may[i]) & ~GAME and v[QUIET + i] > wire.SYNC_TICKS + SYNC_SLACK:
        v[NO_SYNC] = 1
        w.put(LACK, i, wire.SYNC, DEVIATION, R_NO_SYNC, 0)
    if v[QUIET + i] > wire.REPLY_TICKS:
        _silent(w, i, may)


def _expect_slave(w: "Watch") -> None:
    v = w.v
    if not v[ASKED_AGE]:
        return
    if v[ASKED_AGE] <= wire.REPLY_TICKS + 1:
        v[ASKED_AGE] += 1
        return
    i = w.side_of(wire.SLAVE)
    # noise is not silence: its answers may be in it
    if i != UNSURE and v[QUIET + i] > wire.REPLY_TICKS:
        _silent(w, i, w.may[1 - i])


def _silent(w: "Watch", i: int, may: int) -> None:
    """Side i was silent for 60 ticks; `may` are the possible states of the other side."""
    v = w.v
    if v[SILENT] & (1 << i) or may & IDLE:
        return
    v[SILENT] |= 1 << i
    if may & OVER:
        w.put(LACK, i, wire.SYNC, DEVIATION, R_LEFT, 0)
        w.may[0] |= IDLE
        w.may[1] |= IDLE
    else:
        w.erred(i, R_SILENT)
        # It left, or the line broke: indistinguishable from outside.
        w.put_weighed(LACK, i, wire.SYNC, DOUBT, R_SILENT, 0, 0, 1, 0)
