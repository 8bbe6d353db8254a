"""Weighs faults on the line: who may have caused them.

Between a player and the watcher are a line and a tap, and both lose bytes. So a fault is weighed before anybody is
accused of it:

  - If something was lost just before (noise, a cut frame, a damaged byte, a reply to an unseen command), the fault
    FOLLOWS from that.
  - Otherwise it is a VIOLATION, which stays `open` until further traffic decides. If both sides go on as if all had
    been right, and one lost or changed byte explains that, it is ruled a DOUBT: something was lost here. If the other
    side protests, stays silent, or nothing more comes, the violation stands.
  - A violation that one byte lost or changed on the way would explain is a DOUBT, too, but one marked `maybe`: it is
    this side's fault or the line's. If the same side does it again (watch_repeats.py), it is a VIOLATION.

After each finding the watcher adopts the state in which both sides act, and attributes further faults meanwhile to it.
"""

from . import watch_echo, watch_misled, watch_pairs, watch_repeats, watch_shared, watch_shots, wire
from .const import TYPE_CHECKING, const
from .watch_repeats import comes_often, is_off_again, is_repeated, shoots_off
from .watch_state import (
    ASKED,
    BATTLE,
    BEGUN,
    CALM_MOST,
    DECKS,
    DOUBT,
    ERRED,
    FOLLOWS,
    FRAME,
    GONE,
    HASTY,
    HITS,
    IDLE,
    JUDGE,
    LACK,
    LAST,
    LAST_REPLY,
    LIED,
    MOVED,
    NAMED,
    OFF_SAME,
    OPEN,
    OPEN_AGE,
    OPEN_ECHOED,
    OPEN_FIRM,
    OPEN_OP,
    OPEN_SIDE,
    OPEN_TAKEN,
    OPEN_WHY,
    OUT,
    PARAMS,
    R_FROM_ZERO,
    R_INSTEAD,
    R_MISSED,
    R_NO_REPLY,
    R_SYNC_INSIDE,
    R_TWO_PAIRS,
    R_UNFOUNDED,
    R_UNMATCHED,
    ROLE,
    RULING,
    SHAKY,
    SHAKY_MOST,
    SHARED,
    SHOOTER,
    SPOILT,
    TURN,
    UNKNOWN,
    UNSURE,
    VIOLATION,
    WATCH_REASONS,
    X,
    Y,
    older,
)

if TYPE_CHECKING:
    from .watch import Watch

# After this many answered commands earlier losses explain nothing more.
CLEAR_AFTER = const(12)

_OPEN_SYNCS = const(60)  # ten times as many as come until a reply is missing
_IN_PLACE = const(2)  # value of OPEN_FIRM: a command of the other side waited for its reply
_MET = const(2)  # state 1
_PLACING = const(12)  # states 2 and 3
_SPOILT_MOST = const(32)  # signs of a bad line until half of them is forgotten, and half of the suspicions
_BORNE_MOST = const(4)  # answered commands after which the other side has put up with what was wrong


def suspect(w: "Watch", kind: int, i: int, op: int, why: int, answers: int) -> None:
    """Record a protocol violation of side `i`, as far as observed."""
    v = w.v
    w.erred(i, why)
    if watch_pairs.are_two(w):
        w.shared_at[2] = w.calm
        w.put_weighed(kind, i, op, DOUBT, R_TWO_PAIRS, answers, 0, 1, 0)
        return
    is_off = why == wire.R_CELL or why == R_FROM_ZERO
    misled = 1 if watch_misled.is_misled(w, i, why) else 0
    if misled or v[OPEN] or (v[SHAKY] and not shoots_off(w, i, why)) or (is_off and v[OFF_SAME + i] == NAMED):
        w.put_weighed(kind, i, op, FOLLOWS, why, answers, 0, misled, 0)
        return
    if why == wire.R_CELL:
        watch_repeats.suspect_shot(w, i)
    firm = _firm(w, i, op, why)
    w.put_weighed(kind, i, op, VIOLATION, why, answers, 1, 0 if firm else 1, 0)
    v[OPEN] = kind
    v[OPEN_SIDE] = i
    v[OPEN_OP] = op
    v[OPEN_WHY] = why
    v[OPEN_AGE] = v[OPEN_ECHOED] = v[OPEN_TAKEN] = w.open_syncs = 0
    w.doubted = w.reader[i].sign if kind == FRAME else 0
    if why == R_UNFOUNDED and v[LAST + i] == wire.SHOT and v[LAST_REPLY + i] == wire.REPEAT:
        v[OPEN_ECHOED] = 1
    v[OPEN_FIRM] = 1 if firm else _IN_PLACE if v[OUT + 1 - i] else 0


def _firm(w: "Watch", i: int, op: int, why: int) -> bool:
    """Return whether no single lost or changed byte explains it."""
    if why == wire.R_STATE or why == wire.R_SENDER:
        if op == wire.PARAMS:
            # a stray opcode takes the bytes after it for parameters, and a changed byte may have led to state 0
            return w.may[i] != IDLE and wire.params_fault(w.reader[i].data) == 0
        # What led to another state may have been a changed byte, and so may the opcode in states with longer frames.
        d = w.reader[i].data
        return op == wire.SHOT and not w.may[i] & ~_PLACING and max(d[0], d[1]) <= wire.SIZE_MAX
    if why == wire.R_TURN:
        d = w.reader[i].data
        return (
            w.v[SHOOTER] == UNSURE
            and w.v[OUT + 1 - i] == 0
            and w.v[TURN] != UNSURE
            and max(d[0], d[1]) <= wire.SIZE_MAX
        )
    return why == wire.R_ECHO and not watch_echo.is_explained(w, i)


def overdue(w: "Watch") -> None:
    """Decide the open finding after many syncs: they stand for the time where the capture has none."""
    if w.v[OPEN]:
        w.open_syncs += 1
        if w.open_syncs > _OPEN_SYNCS:
            rule(w, VIOLATION, False)


def rule(w: "Watch", verdict: int, firm: bool) -> None:
    """Decide the open finding. firm: no single changed byte explains it."""
    _rule(w, verdict, firm, 0)


def _rule(w: "Watch", verdict: int, firm: bool, maybe: int) -> None:
    """Decide it. maybe: 1 if a DOUBT is one of this side, too."""
    v = w.v
    if not v[OPEN]:
        return
    i = v[OPEN_SIDE]
    why = v[OPEN_WHY]
    v[OPEN] = 0
    if verdict == VIOLATION and not firm:
        if v[OPEN_TAKEN]:
            # Both have gone on, and nothing rules out a loss.
            verdict = DOUBT
        elif v[OPEN_FIRM] == 1:
            firm = True
    v[OPEN_TAKEN] = 0
    # noise may have made a whole A8, and is remembered longer than what would explain other faults
    if w.marred and w.calm < (CALM_MOST if why == R_UNFOUNDED else CLEAR_AFTER):
        firm = False
    elif why == wire.R_SENDER and v[OPEN_OP] == wire.SYNC:
        firm = watch_shared.is_master(w, i)
    if verdict != VIOLATION or why != R_NO_REPLY:
        # A reply more than 60 ticks late changes nothing else.
        v[SHAKY] = SHAKY_MOST
    if verdict == DOUBT:
        v[JUDGE] = v[JUDGE + 1] = 0
        spoilt(w)
        if why >= wire.R_NEAR_SUNK:
            v[ERRED + i] = 0
    elif verdict == VIOLATION and (
        watch_shared.explains(w, i, v[OPEN_OP], why)
        or not (firm or shoots_off(w, i, why) or is_repeated(w, i, why, v[OPEN_OP]))
    ):
        verdict = DOUBT
        maybe = 1
    elif verdict == VIOLATION and (why == wire.R_CELL or why == R_FROM_ZERO):
        # its other shots off the field are no further finding
        v[OFF_SAME + i] = NAMED
    watch_shared.begin_anew(w)
    w.put_weighed(RULING, i, v[OPEN_OP], verdict, why, 0, 0, maybe, 0)


def may_be_another(w: "Watch", i: int) -> bool:
    """Return whether the open A8 of side `i` may have been a sync or a reply before a byte was changed."""
    return w.v[ROLE + i] == wire.MASTER or w.v[ASKED] > 0 or w.v[OPEN_FIRM] == _IN_PLACE


def spoilt(w: "Watch") -> None:
    """Count a sign of a bad line or a bad tap."""
    if not w.v[SHAKY]:
        older(w.v, SPOILT)
        if w.v[SPOILT] == _SPOILT_MOST:
            # On a line that is never good, what a side does again and again must outnumber the last signs, not all.
            w.v[SPOILT] >>= 1
            for why in range(WATCH_REASONS):
                w.again[0][why] >>= 1
                w.again[1][why] >>= 1
    watch_shared.begin_anew(w)
    w.marred = 1


def calm(w: "Watch", j: int) -> None:
    """Count a command that side `j` answered properly."""
    if w.v[OPEN_TAKEN]:
        w.v[OPEN_TAKEN] += 1
        if w.v[OPEN_TAKEN] > SHAKY_MOST:
            rule(w, DOUBT, False)
    if w.calm < CALM_MOST:
        w.calm += 1
        if watch_shared.is_shared(w, j):
            watch_shared.fade(w, j)
        watch_pairs.fade(w)
        return
    watch_shared.begin_anew(w)
    w.v[SPOILT] = 0
    watch_pairs.forget(w)
    watch_repeats.forget_shots(w)
    for i in range(2):
        w.v[SHARED + i] = 0
        for why in range(WATCH_REASONS):
            w.again[i][why] = 0


def lost(w: "Watch", i: int) -> None:
    """Record that side `i` lost something: noise, a cut frame, a damaged byte. It may have been anything."""
    v = w.v
    if v[OPEN]:
        if v[OPEN_WHY] == R_SYNC_INSIDE and v[OPEN_SIDE] == i:
            # The byte displaced from the frame by the sync.
            rule(w, VIOLATION, False)
        else:
            rule(w, DOUBT, False)
    spoilt(w)
    v[SHAKY] = SHAKY_MOST
    # Which shot or answer was lost is unknown, so nobody is accused of false answers in this game any more.
    v[JUDGE] = v[JUDGE + 1] = w.off[watch_repeats.SIZE_SURE] = 0


def is_founded(w: "Watch", i: int, j: int) -> bool:
    """True if an A8 of side `i` may be for something that `j` has done."""
    v = w.v
    if v[ERRED + j] == LIED:
        return True
    if v[ERRED + j] and w.calm < w.erred_at[j] + _BORNE_MOST:
        return True
    # The answer that it has just got may be false, where what was shot before is not known.
    return not v[JUDGE + i] and v[LAST + i] == wire.SHOT and v[LAST_REPLY + i] != 0 and not v[MOVED + i]


def command(w: "Watch", i: int, op: int) -> None:
    """Weigh what the command `op` of side `i` shows about the open finding."""
    v = w.v
    if not v[OPEN]:
        first = v[OUT + i]
        if (
            op == wire.BROKEN
            and first
            # an error of the other side before the capture began may be what it protests against
            and v[BEGUN]
            and wire.exchange(first)[wire.WANTS] == wire.HARD
            and not is_founded(w, i, 1 - i)
        ):
            # It protests against something other than the reply.
            suspect(w, LACK, 1 - i, first, R_NO_REPLY, first)
        return
    why = v[OPEN_WHY]
    if op == wire.BROKEN or op == wire.TIMED_OUT:
        if why == wire.R_SECOND and i != v[OPEN_SIDE] and op == wire.BROKEN and v[OPEN_TAKEN] < 3:
            # The reply was to the first of the two.
            v[OPEN_TAKEN] = 0
        if why != R_UNFOUNDED and not (why == wire.R_STATE and v[OPEN_OP] == wire.MEET):
            rule(w, VIOLATION, False)
    elif why == R_UNFOUNDED:
        if i != v[OPEN_SIDE]:
            # A tap may read a command after the reply to it, in whose place this is.
            v[OPEN_FIRM] = _IN_PLACE
        elif op != wire.SYNC and op != wire.MEET:
            # Its sender goes on by itself, which only its own fault explains.
            rule(w, VIOLATION, not may_be_another(w, i))
    elif why == wire.R_STATE and v[OPEN_OP] == wire.MEET:
        if i == v[OPEN_SIDE] and wire.exchange(op)[wire.NEXT] != wire.SAME and op != wire.MEET:
            # It goes on in the old session, so it was not reset.
            v[OPEN_ECHOED] = 1
            rule(w, VIOLATION, False)
    elif why == wire.R_SECOND:
        if v[OPEN_TAKEN] and op != wire.SYNC:
            rule(w, DOUBT, False)
    elif why == R_INSTEAD:
        # A side that goes on got the right reply; one still waiting may repeat the command.
        if not (op == wire.SYNC or op == wire.NICK or op == wire.CHAT or (i != v[OPEN_SIDE] and op == v[OUT + i])):
            rule(w, VIOLATION if comes_often(w, v[OPEN_SIDE], why) else DOUBT, True)
    elif why == wire.R_PARAMS or why == wire.R_FLEET:
        if i == v[OPEN_SIDE] and op == wire.PLACE and v[OPEN_ECHOED]:
            rule(w, VIOLATION, False)  # or it does not compare the echo
    elif why == wire.R_ECHO:
        if i != v[OPEN_SIDE] and op != wire.SYNC and op != wire.PARAMS and op < wire.RESTART:
            # The master accepts it as equal; which of the two is right is unknown.
            rule(w, VIOLATION if comes_often(w, v[OPEN_SIDE], why) else DOUBT, True)
            v[PARAMS] = UNKNOWN
    elif why >= wire.R_NEAR_SUNK and why < wire.REASONS and op == wire.SHOT and i == v[TURN]:
        # The side whose turn it is goes on accordingly, so that was the answer.
        rule(w, VIOLATION, False)


def accepted(w: "Watch", i: int, c: int) -> bool:
    """The illegal command `c` of side `i` is answered as if it were legal.

    Return whether answering it is a fault too.
    """
    v = w.v
    j = 1 - i
    turned = watch_pairs.accepted(w, i, c)
    is_open = v[OPEN] and v[OPEN_SIDE] == i and v[OPEN_OP] == c
    why = v[OPEN_WHY]
    if v[OPEN] and (
        why == R_NO_REPLY or ((c == wire.SHOT or c == wire.WON) and wire.R_NEAR_SUNK <= why < wire.REASONS)
    ):
        # Both act as if that reply had come, or that answer had been another.
        rule(w, DOUBT, False)
        is_open = False
    explained = False
    if c == wire.SHOT:
        explained = _turn(w, i, j)
    elif c == wire.WON:
        explained = v[HITS + i] + 1 == v[DECKS]
        if explained:
            watch_shots.misheard(w, i, True)
    if not is_open:
        if v[OPEN_TAKEN] and why == wire.R_SENDER:
            if wire.exchange(c)[wire.SENDER] != wire.BOTH:
                master_is(w, i if wire.exchange(c)[wire.SENDER] == wire.MASTER else j)
        elif v[OPEN_TAKEN] and _legal(w.was[i], c) and not _legal(w.may[i], c):
            # They are in the state from before the open finding. If that was a battle, they may be two pairs; with A1
            # anybody begins anew; and if the finding has led to that state itself, this tells nothing of it.
            led = wire.exchange(v[OPEN_OP])[wire.NEXT]
            # Nor if they have ended the session since: that they are in it again shows a loss, whatever was before.
            same = _reached(w.was[i], led) or (led != 0 and led != wire.SAME and w.may[i] == IDLE)
            doubtful = (turned or same or c == wire.MEET) and not comes_often(w, v[OPEN_SIDE], why)
            rule(w, DOUBT if doubtful else VIOLATION, True)
        return False
    if v[OPEN_TAKEN]:
        # a repeat
        return True
    if why == wire.R_PARAMS or why == wire.R_FLEET:
        if _same(w, j):
            # If the master goes on, that is what it sent.
            v[OPEN_ECHOED] = 1
            return True
        explained = True
    elif why == wire.R_STATE or why == wire.R_SENDER or why == wire.R_NO_PARAMS:
        # What led out of the game may have been a sync, or another command.
        last = v[LAST + i]
        explained = last == wire.TIMED_OUT or wire.RESTART <= last <= wire.WON or c == wire.SHOT and w.may[i] == IDLE
    elif why == wire.R_CELL or why == R_FROM_ZERO or why == R_SYNC_INSIDE or (why == wire.R_SECOND and c != wire.SHOT):
        # Not a coordinate, but the start of a frame: the rest of this one was lost.
        torn = why == wire.R_CELL and watch_repeats.is_torn(w, i)
        torn = torn or (why == wire.R_CELL and watch_repeats.may_be_on(w, i))
        explained = (torn or not comes_often(w, i, why)) and not shoots_off(w, i, why)
    if explained:
        # both go on from it, and again
        _rule(w, DOUBT, False, 1 if is_off_again(w, i, why) else 0)
        return False
    if why == wire.R_CELL or why == R_FROM_ZERO or comes_often(w, i, why):
        rule(w, VIOLATION, True)
        return True
    # More may have been lost: further traffic decides.
    v[OPEN_TAKEN] = 1
    v[OPEN_FIRM] = 0
    v[JUDGE] = v[JUDGE + 1] = 0
    w.was[0] = w.may[0]
    w.was[1] = w.may[1]
    return True


def agreed(w: "Watch", i: int) -> None:
    """The parameters of side `i` were echoed, which may have happened before a frame seen earlier."""
    v = w.v
    if v[OPEN] and v[OPEN_WHY] == wire.R_NO_PARAMS and v[OPEN_SIDE] == i:
        rule(w, VIOLATION if comes_often(w, i, wire.R_NO_PARAMS) else DOUBT, True)


def master_is(w: "Watch", i: int) -> None:
    """Side `i` does what only the master does. The open finding may have suggested the opposite."""
    v = w.v
    if not v[OPEN_TAKEN] or v[OPEN_WHY] != wire.R_SENDER:
        return
    by_master = wire.exchange(v[OPEN_OP])[wire.SENDER] == wire.MASTER
    if (v[OPEN_SIDE] == i) != by_master:
        rule(w, VIOLATION, True)
    else:
        rule(w, DOUBT, False)
        w.restart_unknown(i)


def sides_changed(w: "Watch", i: int) -> None:
    """A sync of side `i`, the slave, is answered: the roles have changed."""
    watch_pairs.roles_changed(w)
    rule(w, DOUBT, True)


def _legal(may: int, op: int) -> bool:
    """Return whether a side that may be in the states `may` can send the command `op`."""
    state = 0
    while may >> state:
        if (may >> state) & 1 and wire.may_send(op, wire.BOTH, state):
            return True
        state += 1
    return False


def _same(w: "Watch", j: int) -> bool:
    d = w.reader[j].data
    for k in range(5):
        if d[k] != w.raw[k]:
            return False
    return True


def _turn(w: "Watch", i: int, j: int) -> bool:
    """Handle the answer to a shot of side `i` out of turn; return whether the shot is explained.

    If the answer before it was lost or misread, count it as it must have been.
    """
    v = w.v
    if v[OUT + j] == wire.SHOT:
        # that reply was missed, or it would not be the turn of `i`
        _missed(w, i, j)
        return True
    if v[SHOOTER] == UNSURE or v[TURN] == UNSURE:
        return False
    if v[TURN] != i:
        watch_shots.misheard(w, v[SHOOTER], v[SHOOTER] == i)
    return True


def _missed(w: "Watch", j: int, i: int) -> None:
    """Record that the reply of side `j` to the outstanding command of `i` was not seen."""
    v = w.v
    op = v[OUT + i]
    v[OUT + i] = v[HASTY + j] = 0
    v[GONE + i] = op
    if not v[SHAKY] and not v[OPEN]:
        w.put(LACK, j, op, DOUBT, R_MISSED, 0)
        spoilt(w)
        v[SHAKY] = SHAKY_MOST


def settle(w: "Watch", i: int, j: int) -> None:
    """Both sides are in one state: the command by which `i` asked for it must have been answered."""
    v = w.v
    op = v[OUT + i]
    # commands that leave the game may cross with anything, and may stay unanswered
    leaves = not op or op > wire.RESTART or op == wire.TIMED_OUT
    if not leaves and _reached(w.may[i], wire.exchange(op)[wire.NEXT]):
        if v[OPEN] and v[OPEN_WHY] == R_NO_REPLY and v[OPEN_OP] == op:
            rule(w, DOUBT, False)
        _missed(w, j, i)


def _reached(may: int, state: int) -> bool:
    """Return whether a side with the states `may` is in `state`, or in the battle, which only that state leads to."""
    return state != wire.SAME and (may == 1 << state or state == 3 and may == BATTLE)


def unmatched(w: "Watch", j: int, op: int, c: int) -> None:
    """Handle a legal-looking reply `op` of side `j` to an unseen command `c`: the command was lost."""
    v = w.v
    i = 1 - j
    w.put(FRAME, j, op, FOLLOWS if v[SHAKY] else DOUBT, R_UNMATCHED, 0)
    if v[OPEN]:
        rule(w, DOUBT, False)
    spoilt(w)
    v[SHAKY] = SHAKY_MOST
    if c == wire.SHOT:
        v[X + i] = v[Y + i] = 0
        if v[OUT + j] == wire.SHOT:
            _missed(w, i, j)
        watch_shots.answered(w, i, j, op, True)
        w.may[0] = w.may[1] = BATTLE | w.may[0] & 512
    elif c == wire.PARAMS:
        for k in range(5):
            w.raw[k] = w.reader[j].data[k]
    elif c == wire.MEET:
        w.begin()
    v[LAST + i] = 0
    w.answered(i, j, c)
    if c == wire.PARAMS and not w.may[i] & _MET:
        # They may go by the earlier ones.
        v[PARAMS] = UNKNOWN
