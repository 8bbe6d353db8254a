"""A passive observer: the bytes of both directions in, frames and verdicts out.

A Watch belongs to neither side. Its owner passes in every byte with the side it came from, `feed(side, byte)`, and
calls `tick()` every tick (54.925 ms), and after each of these reads the records with `take()` until there is none.

From the traffic it infers who is master, which state each side can be in, whose turn it is, and what each side knows of
the other's field. wire.py says which command is legal and radar.py which answer is false; no rule is repeated here.

A side is judged by what it could know: commands cross on the line, so each side has a *set* of states it may be in, and
a command is illegal only if it is illegal in all of them. A watch that joins in the middle starts with all states
possible and accuses nobody until the traffic has narrowed them down.

Nothing is allocated after construction.
"""

from . import watch_commands, watch_doubt, watch_replies, watch_shared, watch_shots, watch_time, watch_torn, wire
from .const import const
from .fleet import Fleet
from .radar import Radar
from .watch_state import (  # noqa: F401 - the codes are the interface
    AGAIN,
    ANY,
    ASKED,
    ASKED_AGE,
    BAD,
    BEGUN,
    BORNE,
    CHAT,
    CHAT_NO,
    CHAT_UNKNOWN,
    CHAT_YES,
    CROSSED,
    CUT,
    DECKS,
    DEVIATION,
    DOUBT,
    EARLY,
    ERRED,
    FOLLOWS,
    FRAME,
    GONE,
    HASTY,
    HEARD,
    HITS,
    IDLE,
    JUDGE,
    KNOWN,
    LACK,
    LAST,
    LIED,
    NO_SYNC,
    NOISE,
    NONE,
    OK,
    OPEN,
    OPEN_SIDE,
    OUT,
    PARAMS,
    PARDON,
    QUIET,
    R_ACCEPTED,
    R_BARE_ECHO,
    R_BEHIND,
    R_CUT,
    R_DAMAGED,
    R_DOUBLED,
    R_ECHOED,
    R_FROM_ZERO,
    R_INSTEAD,
    R_LAST_DECK,
    R_LATE,
    R_LEFT,
    R_MISSED,
    R_NICK_LENGTH,
    R_NO_REPLY,
    R_NO_SYNC,
    R_NO_TIMEOUT,
    R_NO_WON,
    R_NOISE,
    R_NOT_PROBED,
    R_OTHER_ANSWER,
    R_REPEATED,
    R_SHARED,
    R_SHOT_AGAIN,
    R_SILENT,
    R_SYNC_INSIDE,
    R_TWO_MASTERS,
    R_TWO_PAIRS,
    R_UNFOUNDED,
    R_UNMATCHED,
    ROLE,
    RULING,
    SHOOTER,
    SILENT,
    SIZE,
    STRAY,
    SURE,
    TOP,
    TURN,
    UNKNOWN,
    UNSURE,
    VIOLATION,
    WATCH_REASONS,
    WINNER,
    only,
)

_NICK_KEPT = const(20)
_QUIET_TICKS = const(2)  # a gap of this many ticks ends a burst

# A record in the queue.
ENTRY = const(11)
_ENTRIES = const(16)


class Watch:
    """Watches both sides of a line, 0 and 1, and assesses each frame.

    After `take()` the record is in these attributes:

    kind: FRAME, STRAY, CUT, LACK or RULING; side: 0 or 1; role: wire.MASTER, SLAVE or NOBODY, of that side; op: the
    opcode; verdict, reason: its assessment; state: the side's state if known, else UNSURE; answers: for a reply the
    command it answers, 0 if none was pending; open: 1 if a RULING will decide the verdict (see watch_doubt.py); maybe:
    1 if it is a DOUBT between a fault of `side` and one of the line, or FOLLOWS from a doubled answer; spare: how many
    of the last bytes fed belong to the next record. `data(side)` and `size(side)` give the bytes after the opcode of a
    FRAME until that side's next byte is fed (for B1 and B3 those after the length byte).
    """

    def __init__(self) -> None:
        self.reader = (wire.Reader(), wire.Reader())
        self.fleet = Fleet()
        # What side i knows of the other's field; valid only while known(i) is true.
        self.radar = (Radar(100), Radar(100))
        # Shots of side i, cell (y - 1) * 10 + x - 1: 0 or the answer; kept even if the parameters were missed.
        self.shots = (bytearray(100), bytearray(100))
        self.nick = (bytearray(_NICK_KEPT), bytearray(_NICK_KEPT))
        self.nick_len = bytearray(2)
        self.v = bytearray(TOP)
        self.may = [0, 0]  # states that each side may be in, as bits
        self.was = [0, 0]  # the same as of the open finding, while OPEN_TAKEN
        self.sign = [0, 0]
        self.raw = bytearray(5)  # B2 as on the wire
        self._queue = bytearray(ENTRY * _ENTRIES)
        self._head = self._tail = 0
        # by side and reason: how often it was suspected of what a changed byte would explain
        self.again = (bytearray(WATCH_REASONS), bytearray(WATCH_REASONS))
        self.suspected = [0, 0]  # by side the signature of the frame for which it was suspected last
        self.off = bytearray(7)  # where and how often each side has shot off the field, in any game (watch_repeats.py)
        self.doubted = self.open_syncs = 0  # the same of the open finding, 0 if it is no frame; syncs since it
        self.calm = 0  # answered commands since the last finding
        self.erred_at = [0, 0]  # by side how often `calm` had been counted when it did what ERRED says
        self.shared_at = [0, 0, 0]  # the same of the last sign of a shared wire, and of two pairs; or below 0
        self.marred = 0  # 1: something was lost in this session
        self.lately = UNSURE  # the sender of the last frame
        self.unheard = 0  # how long the slave had answered no sync when it last sent something
        self.kind = self.side = self.role = self.op = self.verdict = self.reason = self.state = self.answers = 0
        self.open = self.maybe = self.spare = 0
        self.room = 0  # bytes that could have passed since this side's last one, if the owner measures it
        self.forget()

    def forget(self) -> None:
        """Forget everything, as if joining in the middle: for a gap in the capture."""
        v = self.v
        for i in range(TOP):
            v[i] = 0
        v[TURN] = v[WINNER] = v[SHOOTER] = UNSURE
        self._head = self._tail = self.marred = 0
        self.lately = UNSURE
        for i in range(2):
            self.reader[i].reset()
            self.may[i] = ANY
            self.sign[i] = 0
            self.nick_len[i] = 0
            self.clear_shots(i)

    def clear_shots(self, side: int) -> None:
        """Forget the shots of a side."""
        shots = self.shots[side]
        for k in range(100):
            shots[k] = 0

    # Public queries

    def data(self, side: int) -> bytearray:
        """Return the bytes after the opcode of the last frame of `side`; a buffer of 256, of which size(side) count."""
        return self.reader[side].data

    def size(self, side: int) -> int:
        """Return how many bytes of data(side) count."""
        return self.reader[side].size

    def role_of(self, side: int) -> int:
        """Return wire.MASTER, wire.SLAVE, or wire.NOBODY while the traffic has not shown it."""
        return self.v[ROLE + side]

    def state_of(self, side: int) -> int:
        """Return the state of a side, or UNSURE."""
        return only(self.may[side])

    @property
    def turn(self) -> int:
        """The side that may shoot, or UNSURE."""
        return self.v[TURN]

    @property
    def winner(self) -> int:
        """The side that has hit every deck of the other, or UNSURE."""
        return self.v[WINNER]

    @property
    def agreed(self) -> bool:
        """True if the parameters are known."""
        return self.v[PARAMS] == KNOWN

    def param(self, i: int) -> int:
        """Return the agreed parameters: i = 0 size, 1..4 ships of four, three, two, one decks."""
        return self.v[SIZE + i]

    def known(self, side: int) -> bool:
        """Return whether radar[side] is up to date with what that side knows of the other's field."""
        return self.v[JUDGE + side] != 0

    def hits(self, side: int) -> int:
        """Return the decks of the other that `side` has hit, as far as observed."""
        return self.v[HITS + side]

    @property
    def decks(self) -> int:
        """Decks of one side's fleet; 0 if unknown."""
        return self.v[DECKS]

    def chat(self, side: int) -> int:
        """Return CHAT_UNKNOWN, CHAT_YES or CHAT_NO: whether this side answers chat."""
        return self.v[CHAT + side]

    def legal(self, side: int, op: int) -> bool:
        """Return whether this side could send a command with this opcode now, contents aside. Changes nothing."""
        may = self.may[side]
        why = watch_commands.why_illegal(self, side, op)
        self.may[side] = may
        return why == 0

    def waits(self, side: int) -> int:
        """Return the command of `side` that awaits its reply, or 0."""
        return self.v[OUT + side]

    # Bytes, ticks, records

    def feed(self, side: int, byte: int, damaged: int = 0) -> bool:
        """One byte, 0..255, sent by `side`; True if there is a record to take.

        damaged: 1 if the receiver has marked it (parity, framing, overrun), so that it tells nothing.
        """
        v = self.v
        reader = self.reader[side]
        within = reader.within
        if v[OPEN] == CUT:
            watch_torn.echoed(self, side, byte)
        if v[QUIET + side] >= _QUIET_TICKS and not within:
            v[SURE + side] = 1
        v[QUIET + side] = 0
        if v[ROLE + side] == wire.MASTER:
            v[NO_SYNC] = 0
        if within:
            watch_torn.within(self, side, byte)
        if damaged:
            if not reader.within:
                self._stray(side, byte)
                return True
            v[BAD + side] = 1
        got = reader.feed(byte)
        if got == wire.QUIET:
            return self._head != self._tail
        if got == wire.NOISE:
            self._stray(side, byte)
            return True
        v[EARLY + side] = 0
        if v[BAD + side]:
            v[BAD + side] = 0
            self.put(FRAME, side, reader.op, DOUBT, R_DAMAGED, 0)
            watch_doubt.lost(self, side)
            return True
        if within:
            again = watch_torn.misfit(self, side)
            if again:
                self._again(side, again)
                return True
        self._frame(side)
        return True

    def _frame(self, side: int) -> None:
        op = self.reader[side].op
        seen = watch_shared.seen(self, side, op)
        if seen == watch_shared.LEFT_OUT:
            return
        if seen == watch_shared.AFTER_ECHO or (
            seen == watch_shared.ECHO and self.v[OPEN] == FRAME and self.v[OPEN_SIDE] == side
        ):
            watch_doubt.rule(self, DOUBT, False)
        crossed = self.v[CROSSED]
        self._note_sender(side, op)
        if op == wire.SYNC:
            watch_commands.sync(self, side)
        elif op == wire.SYNCED:
            watch_replies.synced(self, side)
        elif wire.is_command(op):
            watch_commands.command(self, side, op, crossed)
        else:
            watch_replies.reply(self, side, op)

    def _note_sender(self, side: int, op: int) -> None:
        v = self.v
        v[HEARD + side] = 1
        v[SILENT] &= ~(1 << side)
        self.lately = side
        if v[ROLE + side] != wire.MASTER and (op != wire.SYNC or not v[ROLE + side]):
            self.unheard = v[ASKED_AGE]
            v[ASKED_AGE] = 0
        v[CROSSED] = watch_commands.crossing(v[CROSSED], op)

    def _stray(self, side: int, byte: int) -> None:
        self.put(STRAY, side, byte, NOISE, R_NOISE, 0)
        watch_doubt.lost(self, side)
        if self.v[HEARD + side]:
            # The rest of this burst may be the tail of a frame whose start was lost.
            self.v[SURE + side] = 0

    def _again(self, i: int, count: int) -> None:
        """Cut the last `count` bytes off the frame and take them as the start of the next."""
        reader = self.reader[i]
        first = reader.size - count
        echoed = reader.op == watch_torn.ECHO and count == 1
        self.put_weighed(CUT, i, reader.op, NOISE, R_CUT, 0, 0, 0, count)
        watch_doubt.lost(self, i)
        waits = self.v[OUT + 1 - i]
        if echoed and (waits == wire.PARAMS or waits == wire.PLACE):
            self.agree()
            self.v[OUT + 1 - i] = waits if waits == wire.PLACE else 0
        k = 0
        while k < count:
            # the reader only overwrites bytes already read here
            if reader.feed(reader.data[first + k]) == wire.FRAME:
                self._frame(i)
            k += 1

    def cut(self, i: int, spare: int) -> None:
        """Record that the frame begun by side `i` was cut."""
        self.put_weighed(CUT, i, self.reader[i].op, NOISE, R_CUT, 0, 0, 0, spare)
        self.reader[i].reset()
        self.v[EARLY + i] = self.v[BAD + i] = 0
        watch_doubt.lost(self, i)

    def abandon(self, i: int) -> None:
        """Cut the unfinished frame of side `i`: the other side's reply shows that it sent something else."""
        if self.reader[i].within:
            self.cut(i, 0)

    def tick(self) -> None:
        """Advance the clock by one tick of 54.925 ms."""
        watch_time.tick(self)

    def finish(self) -> None:
        """End of the capture: decide the open finding. There may be a record to take afterwards."""
        watch_doubt.rule(self, VIOLATION, False)

    def broken_off(self) -> None:
        """Like finish(), where something is missing that may explain the finding."""
        watch_doubt.rule(self, DOUBT, False)

    def take(self) -> bool:
        """Fetch the next record into the attributes; False if there is none."""
        i = self._tail
        if i == self._head:
            return False
        q = self._queue
        self.kind = q[i]
        self.side = q[i + 1]
        self.role = q[i + 2]
        self.op = q[i + 3]
        self.verdict = q[i + 4]
        self.reason = q[i + 5]
        self.state = q[i + 6]
        self.answers = q[i + 7]
        self.open = q[i + 8]
        self.maybe = q[i + 9]
        self.spare = q[i + 10]
        i += ENTRY
        self._tail = 0 if i == ENTRY * _ENTRIES else i
        return True

    # Internals: the session

    def side_of(self, role: int) -> int:
        if self.v[ROLE] == role:
            return 0
        return 1 if self.v[ROLE + 1] == role else UNSURE

    def roles(self, master: int) -> None:
        self.v[ROLE + master] = wire.MASTER
        self.v[ROLE + 1 - master] = wire.SLAVE

    def roles_by(self, i: int, op: int) -> None:
        """Learn the roles from a command that only one role sends."""
        v = self.v
        sender = wire.exchange(op)[wire.SENDER]
        if sender == wire.BOTH or v[ROLE + i] == sender:
            return
        if not v[ROLE + i]:
            # A restart does not count: some slaves send it.
            if op != wire.RESTART:
                self.roles(i if sender == wire.MASTER else 1 - i)
        elif op == wire.MEET and self.may[0] & self.may[1] & IDLE and v[OUT + 1 - i] != wire.MEET:
            self.roles(i)

    def restart_unknown(self, master: int) -> None:
        """Forget what was known of the session: the roles have changed in the middle."""
        v = self.v
        self.end_session()
        self.roles(master)
        self.may[0] = self.may[1] = ANY
        v[PARAMS] = UNKNOWN
        v[ASKED] = v[ASKED_AGE] = v[PARDON] = v[PARDON + 1] = 0

    def answered(self, i: int, j: int, c: int) -> None:
        """Update the session after the command `c` of side `i` is answered by `j`."""
        watch_replies.answered(self, i, j, c)

    def begin(self) -> None:
        """Handle A1: a session from its start."""
        self.finish()
        self.end_session()
        self.v[BEGUN] = 1
        self.v[PARAMS] = NONE

    def end_session(self) -> None:
        v = self.v
        watch_shots.clear(self)
        for i in range(2):
            if v[OUT + i] != wire.GOODBYE:
                v[OUT + i] = 0
            v[LAST + i] = v[AGAIN + i] = v[ERRED + i] = v[CHAT + i] = v[HASTY + i] = 0
        v[PARAMS] = UNKNOWN
        v[BEGUN] = 0

    def erred(self, i: int, why: int) -> None:
        """Side `i` has done something that may be held against it."""
        if wire.R_NEAR_SUNK <= why < wire.REASONS:
            self.v[ERRED + i] = LIED
        elif self.v[ERRED + i] != LIED:
            self.v[ERRED + i] = BORNE
        self.erred_at[i] = self.calm

    def agree(self) -> None:
        """Take the parameters of the last B2 as agreed, if valid."""
        v = self.v
        v[PARAMS] = UNKNOWN
        if wire.params_fault(self.raw):
            return
        v[PARAMS] = KNOWN
        v[SIZE] = self.raw[0]
        for k in range(1, 5):
            v[SIZE + k] = wire.count_of(5 - k, self.raw[k])

    # Internals: records

    def put(self, kind: int, side: int, op: int, verdict: int, reason: int, answers: int) -> None:
        """Queue a record."""
        self.put_weighed(kind, side, op, verdict, reason, answers, 0, 0, 0)

    def put_weighed(
        self,
        kind: int,
        side: int,
        op: int,
        verdict: int,
        reason: int,
        answers: int,
        is_open: int,
        maybe: int,
        spare: int,
    ) -> None:
        """Queue a record with `open`, `maybe` and `spare`."""
        q = self._queue
        i = self._head
        q[i] = kind
        q[i + 1] = side
        q[i + 2] = self.v[ROLE + side]
        q[i + 3] = op
        q[i + 4] = verdict
        q[i + 5] = reason
        q[i + 6] = only(self.may[side])
        q[i + 7] = answers
        q[i + 8] = is_open
        q[i + 9] = maybe
        q[i + 10] = spare
        i += ENTRY
        self._head = 0 if i == ENTRY * _ENTRIES else i
