"""How the watcher judges a command: who may send it, whether it is legal, and what follows from it."""

from . import watch_doubt, watch_pairs, watch_repeats, watch_shared, wire
from .const import TYPE_CHECKING, const
from .watch_state import (
    AGAIN,
    AGE,
    ASKED,
    ASKED_AGE,
    BATTLE,
    BEGUN,
    CHAT,
    CHAT_YES,
    COUNTED,
    DEVIATION,
    DOUBT,
    ERRED,
    FOLLOWS,
    FRAME,
    GAME,
    GONE,
    HASTY,
    IDLE,
    JUDGE,
    KNOWN,
    LACK,
    LAST,
    LAST_AGE,
    LAST_REPLY,
    MOVED,
    NONE,
    NOT_OWED,
    OK,
    OPEN,
    OTHER,
    OUT,
    PARAMS,
    PARDON,
    QUIET,
    R_FROM_ZERO,
    R_NICK_LENGTH,
    R_NO_TIMEOUT,
    R_NO_WON,
    R_NOT_PROBED,
    R_REPEATED,
    R_SHOT_AGAIN,
    R_SYNC_INSIDE,
    R_TWO_MASTERS,
    R_UNFOUNDED,
    ROLE,
    SHAKY,
    SHAKY_MOST,
    SIZE,
    STRANGE,
    SURE,
    TOLD,
    TURN,
    UNKNOWN,
    UNSURE,
    VIOLATION,
    WINNER,
    WON_AGE,
    X,
    Y,
    older,
)

if TYPE_CHECKING:
    from .watch import Watch

_MEETING = const(3)  # states 0 and 1
_REPLY_SLACK = 8  # ticks: long frames take time to transmit
_CLOCK_SLACK = const(5)  # ticks: clocks differ by some per cent
_SYNCED_FIRST = const(4)  # a stage of crossing(): the sync is answered, and nothing has come since
_REPEAT_SLACK = 1  # ticks: the clock of the side that has to recognise a repeat has another phase than ours


def sync(w: "Watch", i: int) -> None:
    """Judge a sync of side `i`."""
    v = w.v
    j = 1 - i
    verdict = why = 0
    watch_doubt.overdue(w)
    watch_doubt.master_is(w, i)
    if v[ROLE + i] == wire.SLAVE:
        if w.may[i] & w.may[j] & IDLE:
            # Roles are free in state 0: another pair of programs, or two that both started as master.
            if _syncing(w, j) and v[STRANGE + i] != watch_shared.GOES_ON:
                verdict = DEVIATION
                why = R_TWO_MASTERS
            if v[STRANGE + i] != watch_shared.COPY:
                w.roles(i)
                v[ASKED] = v[ASKED_AGE] = 0
                w.may[0] = w.may[1] = IDLE
        elif v[SURE + i]:
            if watch_shared.alien(w, i):
                return
            why = wire.R_SENDER
    elif not v[ROLE + i]:
        w.roles(i)
    if v[ROLE + i] == wire.MASTER:
        if v[ASKED] < 255:
            v[ASKED] += 1
        if not v[ASKED_AGE]:
            v[ASKED_AGE] = 1
    else:
        v[PARDON + i] = wire.SYNC
    if why == wire.R_SENDER:
        watch_doubt.suspect(w, FRAME, i, wire.SYNC, why, 0)
    else:
        w.put(FRAME, i, wire.SYNC, verdict, why, 0)


def _syncing(w: "Watch", j: int) -> bool:
    """Return whether side `j` is sending syncs itself."""
    return w.reader[j].op == wire.SYNC and w.v[QUIET + j] <= wire.REPLY_TICKS


def crossing(stage: int, op: int) -> int:
    """Return the next stage like wire.crossing(), but as a third party hears it.

    The answer to the shot and the 01 come from two sides at the same time, so the 01 may be heard first.
    """
    if op == wire.SYNCED and stage == 1:
        return _SYNCED_FIRST
    if stage == _SYNCED_FIRST and wire.command_of(op) == wire.SHOT:
        return wire.CROSSED
    return wire.crossing(stage, op)


def command(w: "Watch", i: int, op: int, crossed: int) -> None:
    """Judge a command of side `i`; crossed: the stage of crossing() before it."""
    v = w.v
    watch_doubt.command(w, i, op)
    same = v[LAST + i] == op and w.sign[i] == w.reader[i].sign
    if not v[SURE + i]:
        # It may be the tail of a frame. If the other side answers it, it was a command.
        _remember(w, i, op)
        _await(w, i, op)
        w.put(FRAME, i, op, OK, 0, 0)
        return
    before = v[ROLE + i]
    w.roles_by(i, op)
    if same and (v[OUT + i] == op or crossed == wire.CROSSED):
        _repeated(w, i, op)
        return
    why = why_illegal(w, i, op) or _unfit(w, i, op)
    if why:
        if same and wire.repeats(op, v[ROLE + i], max(v[LAST_AGE + i] - _REPEAT_SLACK, 0), v[MOVED + i]):
            _repeated(w, i, op)
        elif _tolerated(w, i, op):
            _obeyed(w, i, op, DEVIATION, why)
            if v[OUT + i]:
                v[TOLD + i] = NOT_OWED
        else:
            v[PARDON + i] = op
            if why == wire.R_STATE and _ahead(w, i, op):
                why = wire.R_SECOND
            if op == wire.SHOT and v[OUT + i] == op:
                # a second shot: which of the two is answered first is unknown
                v[X + i] = 0
            keep(w, i, op)
            watch_doubt.suspect(w, FRAME, i, op, why, 0)
        return
    verdict = OK
    _note_haste(w, i, op)
    if v[WON_AGE] and i == v[WINNER] and op != wire.WON and op != wire.NICK and op != wire.CHAT:
        # It goes on without having said so.
        v[WON_AGE] = 0
        w.put(LACK, i, wire.WON, DEVIATION, R_NO_WON, 0)
    first = v[OUT + i]
    if first and _second(w, i, first, op):
        why = wire.R_SECOND
        hard = wire.exchange(first)[wire.WANTS] == wire.HARD
        borne = wire.RESTART <= op <= wire.BROKEN or op == wire.PLACE and _echoing(w, i)
        w.erred(i, why)
        v[GONE + i] = first
        if first == wire.SHOT:
            # The answer to the first may have been lost.
            v[JUDGE + i] = v[COUNTED] = 0
        verdict = VIOLATION if hard and not borne else DEVIATION
    else:
        if first and wire.exchange(op)[wire.NEXT] == 0:
            v[GONE + i] = first
        why = _odd(w, i, op)
        if before != v[ROLE + i] and before == wire.SLAVE and _syncing(w, 1 - i):
            why = R_TWO_MASTERS
        if why:
            verdict = VIOLATION if why == R_UNFOUNDED else DOUBT if why == R_NO_TIMEOUT else DEVIATION
    _obeyed(w, i, op, verdict, why)


def _note_haste(w: "Watch", i: int, op: int) -> None:
    """Note if only the other side's command allows `op`, and side `i` has not answered it."""
    first = w.v[OUT + 1 - i]
    if not first or wire.exchange(first)[wire.WANTS] != wire.HARD:
        return
    after = wire.exchange(first)[wire.NEXT]
    if after != wire.SAME and w.may[i] == 1 << after:
        w.v[HASTY + i] = first


def _ahead(w: "Watch", i: int, op: int) -> bool:
    """Return whether `op` would be legal once the outstanding command of side `i` is answered."""
    first = w.v[OUT + i]
    if not first or wire.exchange(first)[wire.WANTS] != wire.HARD:
        return False
    after = wire.exchange(first)[wire.NEXT]
    return after != wire.SAME and wire.may_send(op, w.v[ROLE + i] or wire.BOTH, after)


def _obeyed(w: "Watch", i: int, op: int, verdict: int, why: int) -> None:
    """Handle a command that the other side may act on."""
    v = w.v
    j = 1 - i
    if verdict == VIOLATION:
        watch_doubt.suspect(w, FRAME, i, op, why, 0)
    elif verdict == DOUBT:
        # it gives up, for which anything that was lost may be the reason
        w.put_weighed(FRAME, i, op, FOLLOWS if v[SHAKY] else DOUBT, why, 0, 0, 0 if v[SHAKY] else 1, 0)
    else:
        w.put(FRAME, i, op, verdict, why, 0)
    if op != wire.NICK and op != wire.CHAT:
        v[PARDON + i] = 0
    if op == wire.RESTART and v[ROLE + i] == wire.SLAVE:
        # No slave may send it; one that does has gone to state 0. It may also have been another reply.
        w.end_session()
        _remember(w, i, op)
        w.may[i] = IDLE
        w.may[j] |= IDLE
        v[SHAKY] = SHAKY_MOST
        return
    if op == wire.MEET:
        if w.may[j] == IDLE:
            watch_pairs.begins(w)
        w.begin()
    if verdict == DEVIATION:
        w.erred(i, why)
    _remember(w, i, op)
    keep(w, i, op)
    row = wire.exchange(op)
    _await(w, i, op)
    after = row[wire.NEXT]
    if after == wire.SAME:
        return
    w.may[j] |= 1 << after
    if row[wire.WANTS] == wire.OPTIONAL:
        w.may[i] |= 1 << after
    elif op == wire.GOODBYE or op == wire.SURRENDER:
        # Real programs leave without waiting for the reply, and may begin again.
        w.may[i] |= IDLE
        w.may[j] |= IDLE
    void(w, j, op)
    if op == wire.WON:
        v[WON_AGE] = 0


def void(w: "Watch", j: int, by: int) -> None:
    """The other side's command `by` may make the outstanding one of `j` pointless."""
    v = w.v
    op = v[OUT + j]
    if not op or op == wire.GOODBYE or by != wire.TIMED_OUT and not wire.RESTART <= by <= wire.WON:
        return
    if wire.exchange(by)[wire.NEXT] and (op == wire.NICK or op == wire.CHAT):
        return
    if by == wire.WON and op == wire.RESTART:
        # the loser restarts by its own count, whatever it hears of the winner
        return
    v[GONE + j] = op
    v[OUT + j] = 0


def _repeated(w: "Watch", i: int, op: int) -> None:
    v = w.v
    older(v, AGAIN + i)
    v[LAST_AGE + i] = 0
    w.erred(i, R_REPEATED)
    w.put(FRAME, i, op, DEVIATION, R_REPEATED, 0)


def why_illegal(w: "Watch", i: int, op: int) -> int:
    """Return why the command is illegal in all states the side may be in, as R_*, or 0; narrows them down."""
    v = w.v
    who = v[ROLE + i] or wire.BOTH
    turn = who
    if v[TURN] == 1 - i:
        turn = OTHER
    winner = wire.NOBODY
    if v[WINNER] != UNSURE:
        winner = who if v[WINNER] == i else OTHER
    elif op == wire.WON and not v[COUNTED]:
        winner = who
    may = w.may[i]
    if may == BATTLE:
        return wire.illegal(op, who, 4, turn, winner)
    keep = why = 0
    state = 0
    while may >> state:
        if (may >> state) & 1:
            fault = wire.illegal(op, who, state, turn, winner)
            if fault:
                if fault != wire.R_STATE or not why:
                    why = fault
            else:
                keep |= 1 << state
        state += 1
    if keep:
        w.may[i] = keep
        return 0
    return why


def _unfit(w: "Watch", i: int, op: int) -> int:
    """Return why the contents of a command are illegal, as R_*, or 0."""
    v = w.v
    d = w.reader[i].data
    if op == wire.SHOT:
        most = v[SIZE] if v[PARAMS] == KNOWN else wire.SIZE_MAX
        if not (1 <= d[0] <= most and 1 <= d[1] <= most):
            if d[0] == wire.SYNC or d[1] == wire.SYNC:
                return R_SYNC_INSIDE
            # who counts from 0 names no cell beyond the last but one
            return wire.R_CELL if d[0] and d[1] or d[0] >= most or d[1] >= most else R_FROM_ZERO
    elif op == wire.PARAMS:
        why = wire.params_fault(d)
        if why:
            for k in range(5):
                if d[k] == wire.SYNC:
                    return R_SYNC_INSIDE
        return why
    elif op == wire.PLACE and v[PARAMS] == NONE and not _echoing(w, i):
        return wire.R_NO_PARAMS
    return 0


def _echoing(w: "Watch", i: int) -> bool:
    """Return whether side `i`'s parameters are being echoed.

    The first byte of the echo already accepts them, and some do not wait for the rest.
    """
    reader = w.reader[1 - i]
    return w.v[OUT + i] == wire.PARAMS and reader.within and wire.command_of(reader.op) == wire.PARAMS


def _tolerated(w: "Watch", i: int, op: int) -> bool:
    v = w.v
    who = v[ROLE + i] or wire.BOTH
    may = w.may[i]
    for state in range(10):
        if (may >> state) & 1 and wire.tolerated(op, who, state):
            return True
    # A side in state 0 answers these two and stays in it.
    return may == IDLE and (op == wire.GOODBYE or op == wire.BROKEN)


def _second(w: "Watch", i: int, first: int, op: int) -> bool:
    """Return whether `op` comes too early after the unanswered `first`."""
    if w.v[TOLD + i] == NOT_OWED:
        return False
    row = wire.exchange(first)
    if row[wire.NEXT] == 0 or wire.exchange(op)[wire.NEXT] == 0:
        return False
    return row[wire.WANTS] == wire.HARD or w.v[AGE + i] < wire.REPLY_TICKS - _REPLY_SLACK


def _odd(w: "Watch", i: int, op: int) -> int:
    """Return the tolerated deviation in a legal command, as R_*, or 0."""
    v = w.v
    j = 1 - i
    n = w.reader[i].size
    d = w.reader[i].data
    if op == wire.NICK:
        if not 1 <= n <= wire.NICK_MAX:
            return R_NICK_LENGTH
    elif op == wire.CHAT:
        if v[BEGUN] and v[CHAT + j] != CHAT_YES and (n != 1 or d[0] != 0x20):
            return R_NOT_PROBED
    elif op == wire.SHOT:
        if w.shots[i][(d[1] - 1) * 10 + d[0] - 1]:
            return R_SHOT_AGAIN
    elif op == wire.WON:
        if v[LAST + i] == op and v[LAST_REPLY + i]:
            return R_REPEATED
    elif op == wire.TIMED_OUT:
        if v[BEGUN] and not w.may[i] & ~GAME and not _is_late(w, i, j):
            return R_NO_TIMEOUT
    elif op == wire.BROKEN:
        # A side not surely in state 0 may take an A1 for wrong.
        met = v[OUT + j] == wire.MEET and w.may[i] & ~_MEETING
        # An unfinished frame may have lost a byte, and be what the A8 is about.
        if v[BEGUN] and not watch_doubt.is_founded(w, i, j) and not v[SHAKY] and not met and not w.reader[j].within:
            return R_UNFOUNDED
    return 0


def _is_late(w: "Watch", i: int, j: int) -> bool:
    """Return whether there is a reason for side `i` to give up: something late, by its own clock, or a fault of `j`."""
    v = w.v
    patience = wire.REPLY_TICKS - _CLOCK_SLACK
    if v[OPEN] or v[QUIET + j] >= patience or (v[OUT + i] and v[AGE + i] >= patience):
        return True
    if v[ROLE + i] != wire.MASTER and w.unheard >= patience - wire.SYNC_TICKS:
        # what the master has sent meanwhile did not reach it
        return True
    return watch_doubt.is_founded(w, i, j) or (v[ERRED + i] > 0 and w.calm == w.erred_at[i])


def keep(w: "Watch", i: int, op: int) -> None:
    """Save the contents of a command that are needed when its reply comes."""
    v = w.v
    d = w.reader[i].data
    if (op == wire.NICK or op == wire.CHAT) and _is_senseless(w, i):
        # noise that begins so may have taken in a whole session
        v[JUDGE] = v[JUDGE + 1] = w.off[watch_repeats.SIZE_SURE] = 0
        if v[PARAMS] == NONE:
            v[PARAMS] = UNKNOWN
    if op == wire.SHOT:
        v[X + i] = d[0]
        v[Y + i] = d[1]
    elif op == wire.PARAMS:
        for k in range(5):
            w.raw[k] = d[k]
    elif op == wire.NICK:
        n = w.reader[i].size
        if n > len(w.nick[i]):
            n = len(w.nick[i])
        for k in range(n):
            w.nick[i][k] = d[k]
        w.nick_len[i] = n


def _is_senseless(w: "Watch", i: int) -> bool:
    """Return whether the nick or text of side `i` has bytes that are no letters."""
    reader = w.reader[i]
    if reader.op == wire.NICK and reader.size <= wire.NICK_MAX:
        # some pad it with zeros
        return False
    for k in range(reader.size):
        if reader.data[k] < 32:
            return True
    return False


def _remember(w: "Watch", i: int, op: int) -> None:
    v = w.v
    v[LAST + i] = op
    v[LAST_AGE + i] = v[LAST_REPLY + i] = v[AGAIN + i] = v[MOVED + i] = 0
    w.sign[i] = w.reader[i].sign


def _await(w: "Watch", i: int, op: int) -> None:
    v = w.v
    v[OUT + i] = op
    v[AGE + i] = v[TOLD + i] = 0
