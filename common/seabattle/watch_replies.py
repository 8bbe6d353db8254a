"""How the watcher judges a reply: which command it answers, whether its contents are right, what follows."""

from . import watch_commands, watch_doubt, watch_misled, watch_pairs, watch_repeats, watch_shots, wire
from .const import TYPE_CHECKING
from .watch_state import (
    AGAIN,
    AGE,
    ANY,
    ASKED,
    BATTLE,
    CHAT,
    CHAT_YES,
    COUNTED,
    DECKS,
    DEVIATION,
    DOUBT,
    EARLY,
    FOLLOWS,
    FRAME,
    GONE,
    HASTY,
    HEARD,
    JUDGE,
    LACK,
    LAST,
    LAST_AGE,
    LAST_REPLY,
    MOVED,
    OK,
    OPEN,
    OPEN_OP,
    OPEN_SIDE,
    OPEN_TAKEN,
    OPEN_WHY,
    OUT,
    PARAMS,
    PARDON,
    PREPARING,
    R_ACCEPTED,
    R_BEHIND,
    R_DOUBLED,
    R_INSTEAD,
    R_LAST_DECK,
    R_LATE,
    R_OTHER_ANSWER,
    R_SYNC_INSIDE,
    R_UNFOUNDED,
    R_UNMATCHED,
    ROLE,
    SAID,
    SHAKY,
    SURE,
    TURN,
    UNKNOWN,
    UNSURE,
    VIOLATION,
    WON_AGE,
)

if TYPE_CHECKING:
    from .watch import Watch


def synced(w: "Watch", j: int) -> None:
    """Judge side `j`'s reply to a sync."""
    v = w.v
    i = 1 - j
    if v[ROLE + j] == wire.MASTER:
        if v[PARDON + i] == wire.SYNC:
            # Both sides agree that the roles are reversed: one has restarted.
            watch_doubt.sides_changed(w, i)
            w.restart_unknown(i)
            w.put(FRAME, j, wire.SYNCED, OK, 0, wire.SYNC)
        else:
            # No master sends this unprompted; it may be the tail of a frame.
            w.put(FRAME, j, wire.SYNCED, FOLLOWS if v[SHAKY] else DEVIATION, R_UNMATCHED, 0)
            watch_doubt.lost(w, j)
        return
    if v[ASKED]:
        v[ASKED] -= 1
        v[SURE] = v[SURE + 1] = 1
        w.put(FRAME, j, wire.SYNCED, OK, 0, wire.SYNC)
    elif v[HEARD + i]:
        w.put(FRAME, j, wire.SYNCED, FOLLOWS if v[SHAKY] else DEVIATION, R_UNMATCHED, 0)
        if v[OPEN] and v[OPEN_SIDE] == i and v[OPEN] == FRAME:
            # The command of the open finding was a sync before it was damaged.
            watch_doubt.rule(w, DOUBT, False)
            v[OUT + i] = 0
        elif v[OUT + i] and v[AGE + i] <= 1:
            # So may be the last command: it may have been a sync.
            watch_doubt.lost(w, i)
            v[OUT + i] = 0
            w.may[0] = w.may[1] = ANY
        elif v[OUT + j] and not v[AGE + j]:
            # Directly after a command, it may be the tail of that.
            watch_doubt.lost(w, j)
    else:
        w.put(FRAME, j, wire.SYNCED, OK, 0, 0)


def reply(w: "Watch", j: int, op: int) -> None:
    """Judge a reply of side `j`, other than to a sync."""
    v = w.v
    i = 1 - j
    c = wire.command_of(op)
    verdict = why = answers = 0
    if w.reader[i].within and w.reader[i].op == c and v[OUT + i] != c:
        # It is answered, so it was complete.
        if c == wire.NICK or watch_misled.may_be_again(w, i, op):
            v[EARLY + i] = 1  # some answer after its length byte
        else:
            w.abandon(i)
    if v[OUT + i] == c:
        answers = c
        if v[SURE + i]:
            if v[AGE + i] > wire.REPLY_TICKS:
                verdict = DEVIATION
                why = R_LATE
        else:
            v[SURE + i] = v[SURE + j] = 1
            w.roles_by(i, c)
            watch_commands.why_illegal(w, i, c)
            watch_commands.keep(w, i, c)
            if c == wire.MEET:
                w.begin()
    elif v[AGAIN + i] and v[LAST + i] == c:
        v[AGAIN + i] -= 1
        v[LAST_AGE + i] = 0
        if v[LAST_REPLY + i] and v[LAST_REPLY + i] != op:
            verdict = DEVIATION
            why = R_OTHER_ANSWER
            # which of the two counts is unknown
            if c == wire.SHOT:
                watch_misled.differs(w)
                v[TURN] = UNSURE
                v[JUDGE] = v[JUDGE + 1] = v[COUNTED] = 0
        w.put(FRAME, j, op, verdict, why, 0)
        v[SAID + j] = op
        return
    elif v[GONE + i] == c:
        v[GONE + i] = 0
        if c == wire.SHOT:
            # whether it counts depends on which of the two was heard first
            v[TURN] = UNSURE
        if c == wire.PARAMS and v[OUT + i] == wire.PLACE:
            why = _fault(w, i, j, c, op, False)
            if not why:
                w.agree()
        if why:
            watch_doubt.suspect(w, FRAME, j, op, why, c)
        else:
            w.put(FRAME, j, op, OK, 0, c)
        v[SAID + j] = op
        return
    elif v[PARDON + i] == c:
        answers = c
        if watch_doubt.accepted(w, i, c):
            # further traffic may have to show whether it was illegal
            verdict = FOLLOWS if v[OPEN_TAKEN] else DEVIATION
            why = R_ACCEPTED
    else:
        _unasked(w, i, j, c, op)
        v[SAID + j] = op
        return
    if v[HASTY + j] == c and not why:
        verdict = DEVIATION
        why = R_BEHIND
    v[HASTY + j] = 0
    pardoned = v[PARDON + i] == c
    if v[OPEN] and v[OPEN_SIDE] == i and v[OPEN_OP] == c and v[OPEN_WHY] == wire.R_SECOND:
        pardoned = True
        watch_doubt.accepted(w, i, c)
    judged(w, i, j, c, op, _fault(w, i, j, c, op, pardoned), pardoned, verdict, why, answers)


def judged(
    w: "Watch", i: int, j: int, c: int, op: int, false: int, pardoned: bool, verdict: int, why: int, answers: int
) -> None:
    """Handle the reply `op` to the command `c` of side `i`; `false` is the fault of its contents, as R_*, or 0."""
    v = w.v
    if false and false != R_LAST_DECK and not (pardoned and false == wire.R_ECHO):
        why = false
        watch_doubt.suspect(w, FRAME, j, op, why, answers)
    else:
        if false:
            verdict = DEVIATION
            why = false
        if verdict:
            w.erred(j, why)
        w.put(FRAME, j, op, verdict, why, answers)
    if v[OPEN] and v[OPEN_WHY] == R_UNFOUNDED and v[OPEN_SIDE] == j and not _in_any_state(c):
        # The sender of the A8 goes on, though it is in state 0.
        watch_doubt.rule(w, VIOLATION, not watch_doubt.may_be_another(w, j))
    elif v[OPEN] and v[OPEN_SIDE] == j and (v[OPEN_WHY] == R_INSTEAD or v[OPEN] == LACK and v[OPEN_OP] == c):
        # It was late, or one of several, which players tolerate.
        watch_doubt.rule(w, DEVIATION, False)
    elif not why:
        watch_doubt.calm(w, j)
        watch_misled.answered(w, i)
        if not pardoned:
            watch_repeats.done(w, c)
        if v[SHAKY] and not pardoned:
            # A side that has met starts afresh, and so do two sides that have both left.
            v[SHAKY] = 0 if c == wire.MEET or not wire.exchange(c)[wire.NEXT] else v[SHAKY] - 1
    v[OUT + i] = 0
    v[LAST_AGE + i] = 0
    v[LAST_REPLY + i] = v[SAID + j] = op
    v[MOVED + j] = 1
    if why != wire.R_ECHO:
        answered(w, i, j, c)
    if c == wire.MEET:
        # Some repeat it, however it was handled at first.
        v[LAST + i] = w.sign[i] = c
    early = v[OPEN] and v[OPEN_SIDE] == i and v[OPEN_WHY] == wire.R_SECOND and v[OPEN_OP] == v[PARDON + i] != c
    if not early and (c != wire.PARAMS or v[PARDON + i] != wire.PLACE):
        v[PARDON + i] = 0


def _in_any_state(c: int) -> bool:
    """Return whether a side in state 0 answers the command."""
    return c == wire.GOODBYE or c == wire.BROKEN or wire.may_send(c, wire.BOTH, 0)


def _unasked(w: "Watch", i: int, j: int, c: int, op: int) -> None:
    """Handle a reply that nobody awaits."""
    v = w.v
    if v[OPEN] == LACK and v[OPEN_SIDE] == j and v[OPEN_OP] == c:
        # It was missing, and the session ended because of that.
        watch_doubt.rule(w, DEVIATION, False)
        w.put(FRAME, j, op, DEVIATION, R_LATE, 0)
    elif not v[HEARD + i] or not v[SURE + j] or w.may[i] == ANY:
        w.put(FRAME, j, op, OK, 0, 0)
        after = 4 if c == wire.SHOT else wire.exchange(c)[wire.NEXT]
        if after != wire.SAME:
            # it has heard what was not heard here
            w.may[j] |= 1 << after
    elif (v[SAID + j] == op or (v[LAST + i] == c and v[LAST_REPLY + i] == op)) and not (v[SHAKY] and w.legal(i, c)):
        w.put(FRAME, j, op, DEVIATION, R_DOUBLED, 0)
        watch_misled.doubled(w, i, op)
    elif _instead(w, i, c):
        watch_doubt.suspect(w, FRAME, j, op, R_INSTEAD, 0)
    elif w.legal(i, c) or (c == wire.WON and (w.may[i] & BATTLE) and v[DECKS]) or v[OPEN] or v[SHAKY]:
        if c != wire.TIMED_OUT and wire.is_command(w.reader[i].op):
            # a reply that is still coming is no such command, damaged
            w.abandon(i)
        watch_doubt.unmatched(w, j, op, c)
    else:
        # It comes out of nothing, or a command was taken for another one.
        w.put(FRAME, j, op, DEVIATION, R_UNMATCHED, 0)
        watch_doubt.lost(w, j)


def _instead(w: "Watch", i: int, c: int) -> bool:
    """Return whether side `i` awaits another reply, and could not have sent the command `c` answered by this one."""
    v = w.v
    first = v[OUT + i]
    if not first or v[OPEN] or v[SHAKY] or wire.exchange(first)[wire.WANTS] != wire.HARD:
        return False
    if (c == wire.PLACE or c == wire.MASTER_READY) and first != wire.SHOT:
        # it would have waited for the reply to the first
        return True
    return not w.legal(i, c) and not (c == wire.WON and (w.may[i] & BATTLE) and v[DECKS])


def _fault(w: "Watch", i: int, j: int, c: int, op: int, pardoned: bool) -> int:
    """Return the fault of a reply's contents, as R_*, or 0; counts what it reports."""
    if c == wire.PARAMS:
        d = w.reader[j].data
        for k in range(5):
            if d[k] != w.raw[k]:
                return R_SYNC_INSIDE if d[k] == wire.SYNC else wire.R_ECHO
    elif c == wire.SHOT:
        return watch_shots.answered(w, i, j, op, pardoned)
    return 0


def answered(w: "Watch", i: int, j: int, c: int) -> None:
    """Update the session after the command `c` of side `i` is answered."""
    v = w.v
    v[SURE + i] = v[SURE + j] = 1
    after = wire.exchange(c)[wire.NEXT]
    if (c == wire.PLACE or c == wire.MASTER_READY or c == wire.SLAVE_READY) and not w.may[i] & PREPARING:
        # another game has begun unseen, perhaps with other parameters
        v[PARAMS] = UNKNOWN
    if after != wire.SAME:
        w.may[0] = w.may[1] = 1 << after
        watch_doubt.settle(w, j, i)
        # The other side's last command belongs to the old state: the same one in the new state is no repeat, except the
        # A3 of a master that answers A4 while still repeating it.
        if c != wire.SLAVE_READY:
            v[LAST + j] = 0
        watch_commands.void(w, j, c)
    elif c == wire.SHOT and v[PARDON + i] == c:
        # Both are in battle, whatever was seen before.
        w.may[0] = w.may[1] = BATTLE
    if c == wire.SHOT:
        watch_doubt.settle(w, j, i)
    elif c == wire.PARAMS:
        w.agree()
        if v[PARDON + i] == c:
            # sent in another state, where the other side may have kept to the earlier ones
            v[PARAMS] = UNKNOWN
        watch_doubt.agreed(w, i)
    elif c == wire.CHAT:
        v[CHAT + j] = CHAT_YES
    elif c == wire.PLACE:
        watch_shots.place(w)
    elif c == wire.SLAVE_READY:
        v[TURN] = i if v[ROLE + i] == wire.MASTER else j
    elif c == wire.RESTART:
        watch_pairs.begins(w)
        watch_shots.clear(w)
    elif c == wire.SURRENDER or c == wire.WON:
        v[TURN] = UNSURE
        v[WON_AGE] = 0
    elif after == 0:
        w.end_session()
