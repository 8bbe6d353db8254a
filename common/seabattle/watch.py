"""A third party: the bytes of both directions in, frames and verdicts out.

A Watch belongs to neither side. Its owner gives it every byte with the side it came from, `feed(side, byte)`, and every
tick (54.925 ms), `tick()`, and after each of these reads the records with `take()` until there is none.

It works out from the traffic who is master, what state each side can be in, whose turn it is, and what either side
knows of the other's field. Which command is legal stands in wire.py and which answer is false in radar.py; nothing of
that is written here a second time.

A side is judged by what it could know: commands cross on the line (D4), so each side has a *set* of states it may be
in, and a command is illegal only if it is so in every one of them. A watch that joins in the middle begins with all
states possible and says nothing until the traffic has narrowed them down.

After construction nothing is allocated.
"""

from . import wire
from .fleet import Fleet
from .radar import Radar

try:
    from micropython import const
except ImportError:

    def const(x):
        return x


# Verdicts.
OK = const(0)
DEVIATION = const(1)  # not what the protocol says, but players put up with it (D15)
VIOLATION = const(2)  # breaks the protocol
NOISE = const(3)  # bytes that are no frame

# What a record is about.
FRAME = const(1)  # a whole frame
STRAY = const(2)  # one byte, `op`, that begins nothing
CUT = const(3)  # a frame whose rest did not come within 4 ticks; `op` and `data` hold what came of it
LACK = const(4)  # something that did not come in time; `side` is who owed it

# Reasons beside those of wire.py.
R_CUT = const(32)  # the rest of the frame did not come within 4 ticks (D3)
R_NOISE = const(33)  # not the first byte of anything
R_SYNC_INSIDE = const(34)  # a sync in the middle of a frame
R_LATE = const(35)  # a reply after more than 60 ticks
R_DOUBLED = const(36)  # the same reply once more
R_UNMATCHED = const(37)  # a reply that nobody waits for
R_REPEATED = const(38)  # the same command once more (D13)
R_OTHER_ANSWER = const(39)  # a repeated command got another answer than the first time
R_ACCEPTED = const(40)  # an illegal command was answered as if it were legal
R_UNFOUNDED = const(41)  # A8, and nothing wrong was seen
R_TWO_MASTERS = const(42)  # both sides send syncs (D14)
R_LAST_DECK = const(43)  # "hit" for the last deck of all, which is sunk
R_NICK_LENGTH = const(44)  # a nick of no byte or more than 10 breaks real programs
R_NOT_PROBED = const(45)  # chat before the other side has shown that it has chat (D11)
R_SHOT_AGAIN = const(46)  # a shot at a cell that this side has shot at before (D8)
R_NO_REPLY = const(47)  # LACK: no reply to `op` within 60 ticks
R_NO_SYNC = const(48)  # LACK: nothing from the master for more than 10 ticks
R_SILENT = const(49)  # LACK: nothing at all for 60 ticks
R_LEFT = const(50)  # LACK: the same after the end of a game: it has left without a goodbye
R_NO_WON = const(51)  # LACK: the winner has not said so within 60 ticks (D10)
WATCH_REASONS = const(52)  # one more than the last

UNSURE = const(255)  # a state, side or turn that the traffic does not tell

# What is known of a side's chat.
CHAT_UNKNOWN = const(0)
CHAT_YES = const(1)
CHAT_NO = const(2)

_ANY = const(543)  # every state: 0, 1, 2, 3, 4 and 9, as bits
_IDLE = const(1)
_GAME = const(30)  # 1..4
_OVER = const(512)

_OTHER = const(4)  # in place of a role: the other side, whoever that is
_NICK_KEPT = const(20)

# A tick of ours and a tick of theirs begin at different moments, and long frames take ticks to pass.
_SYNC_SLACK = const(2)
_REPLY_SLACK = const(8)
_QUIET_TICKS = const(2)  # so many ticks without a byte are no gap inside a burst

# Where things are in `v`, first for both sides (index + side) ...
_ROLE = const(0)
_OUT = const(2)  # command that waits for its reply, 0 none
_AGE = const(4)  # ticks since
_TOLD = const(6)  # 1: its missing reply is reported
_GONE = const(8)  # a command that the other side's made void (D4): its answer is neither missed nor wrong
_PARDON = const(10)  # an illegal command: whoever answers it accepts it
_LAST = const(12)  # last command, sync excepted, and its signature in `sign`
_LAST_AGE = const(14)  # ticks since it or its answer
_LAST_REPLY = const(16)  # what answered it, 0 nothing yet
_AGAIN = const(18)  # how often it was repeated and the repeat not yet answered
_QUIET = const(20)  # ticks since the last byte
_SURE = const(22)  # 1: frames of this side are known to begin where we think
_ERRED = const(24)  # 1: it has done something since the session began that may be held against it
_X = const(26)  # its last shot
_Y = const(28)
_HITS = const(30)  # decks that it has hit
_JUDGE = const(32)  # 1: its radar can tell false answers
_CHAT = const(34)
_HEARD = const(36)  # 1: a command came from it
# ... then for the session.
_MOVED = const(54)  # 1: it has answered a command of the other's since its last own one
_TURN = const(38)  # side that may shoot, or UNSURE
_WINNER = const(39)  # side that has hit every deck of the other, or UNSURE
_COUNTED = const(40)  # 1: fleets are known and hits are counted from the first shot, so that a winner is known
_PARAMS = const(41)  # _UNKNOWN, _NONE or _KNOWN
_ASKED = const(42)  # syncs that no 01 has answered
_ASKED_AGE = const(43)  # 0, or 1 + ticks since the oldest sync after which nothing came from the slave
_NO_SYNC = const(44)  # 1: reported
_SILENT = const(45)  # bits by side: reported
_WON_AGE = const(46)  # 0, or 1 + ticks since the last ship sank and A9 is awaited
_DECKS = const(47)
_BEGUN = const(48)  # 1: the session was seen from its start
_SIZE = const(49)  # size, n4, n3, n2, n1 as agreed
_CROSSED = const(56)  # of wire.crossing()
_TOP = const(57)

_UNKNOWN = const(0)
_NONE = const(1)
_KNOWN = const(2)

# A record in the queue.
_ENTRY = const(8)
_ENTRIES = const(12)


class Watch:
    """Sides are 0 and 1. After `take()` the record is in these attributes:

    kind: FRAME, STRAY, CUT or LACK; side: 0 or 1; role: wire.MASTER, SLAVE or NOBODY, of that side; op: the opcode;
    verdict, reason: what is thought of it; state: the state that the side was in when it is known, else UNSURE;
    answers: for a reply the command it answers, 0 if none waited. `data(side)` and `size(side)` give the bytes behind
    the opcode of a FRAME until that side's next byte is fed (of B1 and B3 those behind the length byte).
    """

    def __init__(self):
        self.reader = (wire.Reader(), wire.Reader())
        self.fleet = Fleet()
        # What side i knows of the other's field; of use only while known(i) is true.
        self.radar = (Radar(100), Radar(100))
        # Shots of side i, cell (y - 1) * 10 + x - 1: 0 or the answer; also where the parameters were missed.
        self.shots = (bytearray(100), bytearray(100))
        self.nick = (bytearray(_NICK_KEPT), bytearray(_NICK_KEPT))
        self.nick_len = bytearray(2)
        self.v = bytearray(_TOP)
        self.may = [0, 0]  # states that each side may be in, as bits
        self.sign = [0, 0]
        self._raw = bytearray(5)  # B2 as it was on the wire
        self._queue = bytearray(_ENTRY * _ENTRIES)
        self._head = 0
        self._tail = 0
        self.kind = self.side = self.role = self.op = self.verdict = self.reason = self.state = self.answers = 0
        self.forget()

    def forget(self):
        """Know nothing any more, as if joining in the middle: for a gap in what is seen."""
        v = self.v
        for i in range(_TOP):
            v[i] = 0
        v[_TURN] = v[_WINNER] = UNSURE
        self._head = self._tail = 0
        for i in range(2):
            self.reader[i].reset()
            self.may[i] = _ANY
            self.sign[i] = 0
            self.nick_len[i] = 0
            self._clear_shots(i)

    # What an owner may look at.

    def data(self, side):
        """The bytes behind the opcode of the last frame of `side`; a buffer of 256, of which size(side) count."""
        return self.reader[side].data

    def size(self, side):
        """How many bytes of data(side) count."""
        return self.reader[side].size

    def role_of(self, side):
        """wire.MASTER, wire.SLAVE, or wire.NOBODY as long as the traffic does not tell."""
        return self.v[_ROLE + side]

    def state_of(self, side):
        """The state of a side, or UNSURE."""
        return _only(self.may[side])

    @property
    def turn(self):
        """The side that may shoot, or UNSURE."""
        return self.v[_TURN]

    @property
    def winner(self):
        """The side that has hit every deck of the other, or UNSURE."""
        return self.v[_WINNER]

    @property
    def agreed(self):
        """True if the parameters are known."""
        return self.v[_PARAMS] == _KNOWN

    def param(self, i):
        """Agreed parameters: i = 0 size, 1..4 ships of four, three, two, one decks."""
        return self.v[_SIZE + i]

    def known(self, side):
        """True if radar[side] follows what that side knows of the other's field."""
        return self.v[_JUDGE + side] != 0

    def hits(self, side):
        """Decks of the other that `side` has hit, as far as seen."""
        return self.v[_HITS + side]

    @property
    def decks(self):
        """Decks of the fleet of a side; 0 if not known."""
        return self.v[_DECKS]

    def chat(self, side):
        """CHAT_UNKNOWN, CHAT_YES or CHAT_NO: whether this side answers chat."""
        return self.v[_CHAT + side]

    def legal(self, side, op):
        """True if a command with this opcode from this side would not be wrong now, contents aside. Changes nothing."""
        may = self.may[side]
        why = self._why(side, op)
        self.may[side] = may
        return why == 0

    def waits(self, side):
        """The command of `side` that waits for its reply, or 0."""
        return self.v[_OUT + side]

    # Bytes, ticks, records.

    def feed(self, side, byte):
        """One byte, 0..255, sent by `side`; True if there is a record to take."""
        v = self.v
        reader = self.reader[side]
        if v[_QUIET + side] >= _QUIET_TICKS and not reader.within:
            v[_SURE + side] = 1
        v[_QUIET + side] = 0
        if v[_ROLE + side] == wire.MASTER:
            v[_NO_SYNC] = 0
        got = reader.feed(byte)
        if got == wire.QUIET:
            return False
        if got == wire.NOISE:
            self._put(STRAY, side, byte, NOISE, R_NOISE, 0)
            return True
        v[_SILENT] &= ~(1 << side)
        if v[_ROLE + side] != wire.MASTER:
            v[_ASKED_AGE] = 0
        op = reader.op
        crossed = v[_CROSSED]
        v[_CROSSED] = wire.crossing(crossed, op)
        if op == wire.SYNC:
            self._sync(side)
        elif op == wire.SYNCED:
            self._synced(side)
        elif wire.is_command(op):
            self._command(side, op, crossed)
        else:
            self._reply(side, op)
        return True

    def tick(self):
        """One tick of 54.925 ms has passed."""
        v = self.v
        for i in range(2):
            if self.reader[i].tick():
                self._put(CUT, i, self.reader[i].op, NOISE, R_CUT, 0)
            _older(v, _QUIET + i)
            _older(v, _AGE + i)
            _older(v, _LAST_AGE + i)
        for i in range(2):
            if v[_OUT + i] and v[_AGE + i] > wire.REPLY_TICKS and not v[_TOLD + i]:
                self._no_reply(i, v[_OUT + i])
        self._expect_master()
        self._expect_slave()
        if v[_WON_AGE]:
            v[_WON_AGE] += 1
            if v[_WON_AGE] > wire.REPLY_TICKS + 1:
                v[_WON_AGE] = 0
                self._put(LACK, v[_WINNER], wire.WON, DEVIATION, R_NO_WON, 0)

    def take(self):
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
        i += _ENTRY
        self._tail = 0 if i == _ENTRY * _ENTRIES else i
        return True

    # Inside: commands.

    def _sync(self, i):
        v = self.v
        j = 1 - i
        verdict = why = 0
        if v[_ROLE + i] == wire.SLAVE:
            if self.may[i] & self.may[j] & _IDLE:
                # Roles are free in state 0: another pair of programs, or two that both began as master.
                if self.reader[j].op == wire.SYNC and v[_QUIET + j] <= wire.REPLY_TICKS:
                    verdict = DEVIATION
                    why = R_TWO_MASTERS
                self._roles(i)
                v[_ASKED] = v[_ASKED_AGE] = 0
                self.may[0] = self.may[1] = _IDLE
            elif v[_SURE + i]:
                verdict = VIOLATION
                why = wire.R_SENDER
        elif not v[_ROLE + i]:
            self._roles(i)
        if v[_ROLE + i] == wire.MASTER:
            if v[_ASKED] < 255:
                v[_ASKED] += 1
            if not v[_ASKED_AGE]:
                v[_ASKED_AGE] = 1
        else:
            v[_PARDON + i] = wire.SYNC
        v[_HEARD + i] = 1
        self._put(FRAME, i, wire.SYNC, verdict, why, 0)

    def _command(self, i, op, crossed):
        v = self.v
        v[_HEARD + i] = 1
        same = v[_LAST + i] == op and self.sign[i] == self.reader[i].sign
        if not v[_SURE + i]:
            # It may be the tail of something. If the other side answers it, it was a command.
            self._remember(i, op)
            self._await(i, op)
            self._put(FRAME, i, op, OK, 0, 0)
            return
        self._roles_by(i, op)
        if same and (v[_OUT + i] == op or crossed == wire.CROSSED):
            self._repeated(i, op)
            return
        why = self._why(i, op) or self._unfit(i, op)
        if why:
            if same and not (op == wire.SHOT and v[_MOVED + i]):
                self._repeated(i, op)
            elif self._tolerated(i, op):
                self._obeyed(i, op, DEVIATION, why)
            else:
                v[_ERRED + i] = 1
                v[_PARDON + i] = op
                self._keep(i, op)
                self._put(FRAME, i, op, VIOLATION, why, 0)
            return
        verdict = OK
        first = v[_OUT + i]
        if first and self._second(i, first, op):
            why = wire.R_SECOND
            hard = wire.exchange(first)[wire.WANTS] == wire.HARD
            borne = wire.RESTART <= op <= wire.BROKEN or op == wire.PLACE and self._echoing(i)
            verdict = VIOLATION if hard and not borne else DEVIATION
            v[_ERRED + i] = 1
            v[_GONE + i] = first
        else:
            why = self._odd(i, op)
            if why:
                verdict = DEVIATION
        self._obeyed(i, op, verdict, why)

    def _obeyed(self, i, op, verdict, why):
        """A command that the other side may act on."""
        v = self.v
        j = 1 - i
        self._put(FRAME, i, op, verdict, why, 0)
        if verdict == DEVIATION:
            v[_ERRED + i] = 1
        v[_PARDON + i] = 0
        if op == wire.RESTART and v[_ROLE + i] == wire.SLAVE:
            # No slave may send it; where one does, it has gone to state 0 (peers.md).
            self._end_session()
            self._remember(i, op)
            self.may[i] = _IDLE
            self.may[j] |= _IDLE
            return
        if op == wire.MEET:
            self._begin()
        self._remember(i, op)
        self._keep(i, op)
        row = wire.exchange(op)
        self._await(i, op)
        after = row[wire.NEXT]
        if after == wire.SAME:
            return
        self.may[j] |= 1 << after
        if row[wire.WANTS] == wire.OPTIONAL:
            self.may[i] |= 1 << after
        self._void(j, op)
        if op == wire.WON:
            v[_WON_AGE] = 0

    def _void(self, j, by):
        """The other side's command `by` may end what the outstanding one of `j` was about (D4)."""
        v = self.v
        op = v[_OUT + j]
        if not op or op == wire.GOODBYE or by != wire.TIMED_OUT and not wire.RESTART <= by <= wire.WON:
            return
        if wire.exchange(by)[wire.NEXT] and (op == wire.NICK or op == wire.CHAT):
            return
        v[_GONE + j] = op
        v[_OUT + j] = 0

    def _repeated(self, i, op):
        v = self.v
        _older(v, _AGAIN + i)
        v[_LAST_AGE + i] = 0
        v[_ERRED + i] = 1
        self._put(FRAME, i, op, DEVIATION, R_REPEATED, 0)

    def _why(self, i, op):
        """Why the command is illegal in every state that the side may be in, as R_*, or 0; what is possible narrows."""
        v = self.v
        who = v[_ROLE + i] or wire.BOTH
        turn = who
        if v[_TURN] == 1 - i:
            turn = _OTHER
        winner = wire.NOBODY
        if v[_WINNER] != UNSURE:
            winner = who if v[_WINNER] == i else _OTHER
        elif op == wire.WON and not v[_COUNTED]:
            winner = who
        may = self.may[i]
        keep = why = 0
        state = 0
        while state < 10:
            if (may >> state) & 1:
                w = wire.illegal(op, who, state, turn, winner)
                if w:
                    if w != wire.R_STATE or not why:
                        why = w
                else:
                    keep |= 1 << state
            state += 1
        if keep:
            self.may[i] = keep
            return 0
        return why

    def _unfit(self, i, op):
        """Why the contents of a command are illegal, as R_*, or 0."""
        v = self.v
        d = self.reader[i].data
        if op == wire.SHOT:
            most = v[_SIZE] if v[_PARAMS] == _KNOWN else wire.SIZE_MAX
            if not (1 <= d[0] <= most and 1 <= d[1] <= most):
                return R_SYNC_INSIDE if d[0] == wire.SYNC or d[1] == wire.SYNC else wire.R_CELL
        elif op == wire.PARAMS:
            why = wire.params_fault(d)
            if why:
                for k in range(5):
                    if d[k] == wire.SYNC:
                        return R_SYNC_INSIDE
            return why
        elif op == wire.PLACE and v[_PARAMS] == _NONE and not self._echoing(i):
            return wire.R_NO_PARAMS
        return 0

    def _echoing(self, i):
        """True if the echo of the parameters of side `i` has begun and not ended. Its first byte already says that they
        are taken, and some do not wait for the rest (peers.md)."""
        reader = self.reader[1 - i]
        return self.v[_OUT + i] == wire.PARAMS and reader.within and wire.command_of(reader.op) == wire.PARAMS

    def _tolerated(self, i, op):
        v = self.v
        who = v[_ROLE + i] or wire.BOTH
        may = self.may[i]
        for state in range(10):
            if (may >> state) & 1 and wire.tolerated(op, who, state):
                return True
        # A side in state 0 answers these two and stays there.
        return may == _IDLE and (op == wire.GOODBYE or op == wire.BROKEN)

    def _second(self, i, first, op):
        """True if `op` comes too early behind the unanswered `first`."""
        row = wire.exchange(first)
        if row[wire.NEXT] == 0 or wire.exchange(op)[wire.NEXT] == 0:
            return False
        return row[wire.WANTS] == wire.HARD or self.v[_AGE + i] < wire.REPLY_TICKS - _REPLY_SLACK

    def _odd(self, i, op):
        """What players put up with in a legal command, as R_*, or 0."""
        v = self.v
        j = 1 - i
        n = self.reader[i].size
        d = self.reader[i].data
        if op == wire.NICK:
            if not 1 <= n <= wire.NICK_MAX:
                return R_NICK_LENGTH
        elif op == wire.CHAT:
            if v[_BEGUN] and v[_CHAT + j] != CHAT_YES and (n != 1 or d[0] != 0x20):
                return R_NOT_PROBED
        elif op == wire.SHOT:
            if self.shots[i][(d[1] - 1) * 10 + d[0] - 1]:
                return R_SHOT_AGAIN
        elif op == wire.BROKEN:
            if v[_BEGUN] and not v[_ERRED + j]:
                return R_UNFOUNDED
        return 0

    def _keep(self, i, op):
        """Keep of a command's contents what is needed when its reply comes."""
        v = self.v
        d = self.reader[i].data
        if op == wire.SHOT:
            v[_X + i] = d[0]
            v[_Y + i] = d[1]
        elif op == wire.PARAMS:
            for k in range(5):
                self._raw[k] = d[k]
        elif op == wire.NICK:
            n = self.reader[i].size
            if n > _NICK_KEPT:
                n = _NICK_KEPT
            for k in range(n):
                self.nick[i][k] = d[k]
            self.nick_len[i] = n

    def _remember(self, i, op):
        v = self.v
        v[_LAST + i] = op
        v[_LAST_AGE + i] = v[_LAST_REPLY + i] = v[_AGAIN + i] = v[_MOVED + i] = 0
        self.sign[i] = self.reader[i].sign

    def _await(self, i, op):
        v = self.v
        v[_OUT + i] = op
        v[_AGE + i] = v[_TOLD + i] = 0

    # Inside: replies.

    def _synced(self, j):
        v = self.v
        i = 1 - j
        if v[_ROLE + j] == wire.MASTER:
            if v[_PARDON + i] == wire.SYNC:
                # Both sides agree that it is the other way round: somebody has started anew.
                self._restart_unknown(i)
                self._put(FRAME, j, wire.SYNCED, OK, 0, wire.SYNC)
            else:
                self._put(FRAME, j, wire.SYNCED, DEVIATION, R_UNMATCHED, 0)
            return
        if v[_ASKED]:
            v[_ASKED] -= 1
            v[_SURE] = v[_SURE + 1] = 1
            self._put(FRAME, j, wire.SYNCED, OK, 0, wire.SYNC)
        elif v[_HEARD + i]:
            self._put(FRAME, j, wire.SYNCED, DEVIATION, R_UNMATCHED, 0)
        else:
            self._put(FRAME, j, wire.SYNCED, OK, 0, 0)

    def _reply(self, j, op):
        v = self.v
        i = 1 - j
        c = wire.command_of(op)
        verdict = why = answers = 0
        if v[_OUT + i] == c:
            answers = c
            if v[_SURE + i]:
                if v[_AGE + i] > wire.REPLY_TICKS:
                    verdict = DEVIATION
                    why = R_LATE
            else:
                v[_SURE + i] = v[_SURE + j] = 1
                self._roles_by(i, c)
                self._why(i, c)
                self._keep(i, c)
                if c == wire.MEET:
                    self._begin()
        elif v[_AGAIN + i] and v[_LAST + i] == c:
            v[_AGAIN + i] -= 1
            v[_LAST_AGE + i] = 0
            if v[_LAST_REPLY + i] and v[_LAST_REPLY + i] != op:
                verdict = DEVIATION
                why = R_OTHER_ANSWER
            self._put(FRAME, j, op, verdict, why, 0)
            return
        elif v[_GONE + i] == c:
            v[_GONE + i] = 0
            if c == wire.PARAMS and v[_OUT + i] == wire.PLACE:
                why = self._fault(i, j, c, op, False)
                if not why:
                    self._agree()
            self._put(FRAME, j, op, VIOLATION if why else OK, why, c)
            return
        elif v[_PARDON + i] == c:
            answers = c
            verdict = DEVIATION
            why = R_ACCEPTED
        else:
            if v[_LAST + i] == c and v[_LAST_REPLY + i]:
                verdict = DEVIATION
                why = R_DOUBLED
            elif v[_HEARD + i] and v[_SURE + j]:
                verdict = DEVIATION
                why = R_UNMATCHED
            self._put(FRAME, j, op, verdict, why, 0)
            return
        false = self._fault(i, j, c, op, v[_PARDON + i] == c)
        if false:
            verdict = DEVIATION if false == R_LAST_DECK else VIOLATION
            why = false
        if verdict:
            v[_ERRED + j] = 1
        self._put(FRAME, j, op, verdict, why, answers)
        v[_OUT + i] = v[_PARDON + i] = 0
        v[_LAST_AGE + i] = 0
        v[_LAST_REPLY + i] = op
        v[_MOVED + j] = 1
        if why != wire.R_ECHO:
            self._answered(i, j, c)

    def _fault(self, i, j, c, op, pardoned):
        """What is wrong with the contents of a reply, as R_*, or 0; counts what it says."""
        if c == wire.PARAMS:
            d = self.reader[j].data
            for k in range(5):
                if d[k] != self._raw[k]:
                    return R_SYNC_INSIDE if d[k] == wire.SYNC else wire.R_ECHO
        elif c == wire.SHOT:
            return self._shot(i, j, op, pardoned)
        return 0

    def _shot(self, i, j, op, pardoned):
        """The shot of `i` is answered by `j`."""
        v = self.v
        result = (op - wire.MISS) >> 4
        if op == wire.MISS or op == wire.REPEAT:
            v[_TURN] = j
        else:
            v[_TURN] = i
        x = v[_X + i]
        y = v[_Y + i]
        if not (1 <= x <= 10 and 1 <= y <= 10):
            return 0
        cell = (y - 1) * 10 + x - 1
        before = self.shots[i][cell]
        if not before or op != wire.REPEAT:
            self.shots[i][cell] = op
        why = 0
        if op == wire.HIT or op == wire.SUNK:
            if before != wire.HIT and before != wire.SUNK:
                v[_HITS + i] += 1
            if v[_COUNTED] and v[_HITS + i] == v[_DECKS] and v[_WINNER] == UNSURE:
                v[_WINNER] = i
                v[_WON_AGE] = 1
                self.may[0] |= _OVER
                self.may[1] |= _OVER
                if op == wire.HIT:
                    why = R_LAST_DECK
        if v[_JUDGE + i] and not pardoned and x <= v[_SIZE] and y <= v[_SIZE]:
            false = self.radar[i].answer((y - 1) * v[_SIZE] + x - 1, result)
            if false and not why:
                # What follows from a false answer is no more to be trusted.
                v[_JUDGE + i] = 0
                why = false
        return why

    def _answered(self, i, j, c):
        """The command `c` of side `i` is answered: what follows."""
        v = self.v
        v[_SURE + i] = v[_SURE + j] = 1
        after = wire.exchange(c)[wire.NEXT]
        if after != wire.SAME:
            self.may[0] = self.may[1] = 1 << after
            # What the other side said before belongs to the old state: the same in the new one is no repeat.
            v[_LAST + j] = 0
            self._void(j, c)
        if c == wire.PARAMS:
            self._agree()
        elif c == wire.CHAT:
            v[_CHAT + j] = CHAT_YES
        elif c == wire.PLACE:
            self._place()
        elif c == wire.SLAVE_READY:
            v[_TURN] = i if v[_ROLE + i] == wire.MASTER else j
        elif c == wire.RESTART:
            self._clear_game()
        elif c == wire.SURRENDER or c == wire.WON:
            v[_TURN] = UNSURE
            v[_WON_AGE] = 0
        elif after == 0:
            self._end_session()

    # Inside: time.

    def _no_reply(self, i, op):
        v = self.v
        j = 1 - i
        v[_TOLD + i] = 1
        row = wire.exchange(op)
        wants = row[wire.WANTS]
        if not v[_SURE + i]:
            v[_OUT + i] = 0
            return
        if wants == wire.HARD:
            gone = op == wire.SURRENDER
            self._put(LACK, j, op, DEVIATION if gone else VIOLATION, R_NO_REPLY, op)
            v[_ERRED + j] = 1
            if gone:
                # Real programs leave at a surrender, whichever side's it is (peers.md).
                v[_OUT + i] = 0
                self.may[i] |= _OVER | _IDLE
                self.may[j] |= _OVER | _IDLE
            return
        v[_OUT + i] = 0
        v[_GONE + i] = op
        if wants == wire.SOFT:
            self._put(LACK, j, op, DEVIATION, R_NO_REPLY, op)
        elif op == wire.CHAT:
            v[_CHAT + j] = CHAT_NO
        after = row[wire.NEXT]
        if after != wire.SAME:
            self.may[0] = self.may[1] = 1 << after
            if after == 0:
                self._end_session()

    def _expect_master(self):
        v = self.v
        i = self._side(wire.MASTER)
        if i == UNSURE:
            return
        may = self.may[1 - i]
        if not v[_NO_SYNC] and not (may | self.may[i]) & ~_GAME and v[_QUIET + i] > wire.SYNC_TICKS + _SYNC_SLACK:
            v[_NO_SYNC] = 1
            self._put(LACK, i, wire.SYNC, DEVIATION, R_NO_SYNC, 0)
        if v[_QUIET + i] > wire.REPLY_TICKS:
            self._silent(i, may)

    def _expect_slave(self):
        v = self.v
        if not v[_ASKED_AGE]:
            return
        if v[_ASKED_AGE] <= wire.REPLY_TICKS + 1:
            v[_ASKED_AGE] += 1
            return
        i = self._side(wire.SLAVE)
        if i != UNSURE:
            self._silent(i, self.may[1 - i])

    def _silent(self, i, may):
        """Side i is not heard for 60 ticks; `may` is what the other side may be in."""
        v = self.v
        if v[_SILENT] & (1 << i) or may & _IDLE:
            return
        v[_SILENT] |= 1 << i
        if may & _OVER:
            self._put(LACK, i, wire.SYNC, DEVIATION, R_LEFT, 0)
            self.may[0] |= _IDLE
            self.may[1] |= _IDLE
        else:
            v[_ERRED + i] = 1
            self._put(LACK, i, wire.SYNC, VIOLATION, R_SILENT, 0)

    # Inside: the session.

    def _side(self, role):
        v = self.v
        if v[_ROLE] == role:
            return 0
        return 1 if v[_ROLE + 1] == role else UNSURE

    def _roles(self, master):
        self.v[_ROLE + master] = wire.MASTER
        self.v[_ROLE + 1 - master] = wire.SLAVE

    def _roles_by(self, i, op):
        """Learn from a command which only one role sends who is who."""
        v = self.v
        sender = wire.exchange(op)[wire.SENDER]
        if sender == wire.BOTH or v[_ROLE + i] == sender:
            return
        if not v[_ROLE + i]:
            # A restart does not count: some slaves send it.
            if op != wire.RESTART:
                self._roles(i if sender == wire.MASTER else 1 - i)
        elif op == wire.MEET and self.may[0] & self.may[1] & _IDLE:
            self._roles(i)

    def _restart_unknown(self, master):
        """The roles have changed in the middle: nothing that was known holds."""
        v = self.v
        self._end_session()
        self._roles(master)
        self.may[0] = self.may[1] = _ANY
        v[_PARAMS] = _UNKNOWN
        v[_ASKED] = v[_ASKED_AGE] = v[_PARDON] = v[_PARDON + 1] = 0

    def _begin(self):
        """A1: a session from its start."""
        self._end_session()
        self.v[_BEGUN] = 1
        self.v[_PARAMS] = _NONE

    def _end_session(self):
        v = self.v
        self._clear_game()
        for i in range(2):
            if v[_OUT + i] != wire.GOODBYE:
                v[_OUT + i] = 0
            v[_LAST + i] = v[_AGAIN + i] = v[_ERRED + i] = v[_CHAT + i] = 0
        v[_PARAMS] = _UNKNOWN
        v[_BEGUN] = 0

    def _clear_game(self):
        v = self.v
        v[_TURN] = v[_WINNER] = UNSURE
        v[_COUNTED] = v[_WON_AGE] = v[_DECKS] = 0
        for i in range(2):
            v[_HITS + i] = v[_JUDGE + i] = 0
            self._clear_shots(i)

    def _clear_shots(self, i):
        shots = self.shots[i]
        for k in range(100):
            shots[k] = 0

    def _agree(self):
        """The parameters of the last B2 are agreed, if they can be."""
        v = self.v
        v[_PARAMS] = _UNKNOWN
        if wire.params_fault(self._raw):
            return
        v[_PARAMS] = _KNOWN
        v[_SIZE] = self._raw[0]
        for k in range(1, 5):
            v[_SIZE + k] = wire.count_of(5 - k, self._raw[k])

    def _place(self):
        """A2: a new game."""
        v = self.v
        self._clear_game()
        if v[_PARAMS] != _KNOWN:
            return
        self.fleet.protocol(v[_SIZE], v[_SIZE + 1], v[_SIZE + 2], v[_SIZE + 3], v[_SIZE + 4], True)
        v[_COUNTED] = 1
        v[_DECKS] = self.fleet.decks
        for i in range(2):
            self.radar[i].reset(self.fleet)
            v[_JUDGE + i] = 1

    # Inside: records.

    def _put(self, kind, side, op, verdict, reason, answers):
        q = self._queue
        i = self._head
        q[i] = kind
        q[i + 1] = side
        q[i + 2] = self.v[_ROLE + side]
        q[i + 3] = op
        q[i + 4] = verdict
        q[i + 5] = reason
        q[i + 6] = _only(self.may[side])
        q[i + 7] = answers
        i += _ENTRY
        self._head = 0 if i == _ENTRY * _ENTRIES else i


def _older(v, i):
    if v[i] < 255:
        v[i] += 1


def _only(may):
    """The one state of a set, or UNSURE."""
    if may == _OVER:
        return 9
    state = 0
    while state < 5:
        if may == 1 << state:
            return state
        state += 1
    return UNSURE
