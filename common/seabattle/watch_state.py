"""Codes of the watcher's records, and where it keeps what.

The watcher is one object, `watch.Watch`, whose parts stand in files of their own: watch_doubt.py weighs what is wrong
against what may have been lost, watch_shots.py follows the shots, watch_time.py misses what does not come. They share
the bytearray `v` of the watcher, whose places are named here.
"""

from .const import const

# Verdicts.
OK = const(0)
DEVIATION = const(1)  # not what the protocol says, but players put up with it
VIOLATION = const(2)  # breaks the protocol
NOISE = const(3)  # bytes that are no frame
DOUBT = const(4)  # something was lost here, on the line or on the way to the watcher: nobody is accused
FOLLOWS = const(5)  # would be wrong, but rests on a finding before it

# What a record is about.
FRAME = const(1)  # a whole frame
STRAY = const(2)  # one byte, `op`, that begins nothing
CUT = const(3)  # a frame whose rest did not come; `op` and `data` hold what came of it
LACK = const(4)  # something that did not come in time; `side` owed it
RULING = const(6)  # the last record that was `open` is decided: `side`, `op` and `reason` are its own

# Reasons beside those of wire.py.
R_CUT = const(32)  # the rest of the frame did not come
R_NOISE = const(33)  # not the first byte of anything
R_SYNC_INSIDE = const(34)  # a sync in the middle of a frame
R_LATE = const(35)  # a reply after more than 60 ticks
R_DOUBLED = const(36)  # the same reply once more
R_UNMATCHED = const(37)  # a reply that nobody waits for
R_REPEATED = const(38)  # the same command once more
R_OTHER_ANSWER = const(39)  # a repeated command got another answer than the first time
R_ACCEPTED = const(40)  # an illegal command was answered as if it were legal
R_UNFOUNDED = const(41)  # A8, and nothing wrong was seen
R_TWO_MASTERS = const(42)  # both sides send syncs
R_LAST_DECK = const(43)  # "hit" for the last deck of all, which is sunk
R_NICK_LENGTH = const(44)  # a nick of no byte or more than 10 breaks real programs
R_NOT_PROBED = const(45)  # chat before the other side has shown that it has chat
R_SHOT_AGAIN = const(46)  # a shot at a cell that this side has shot at before
R_NO_REPLY = const(47)  # LACK: no reply to `op` within 60 ticks
R_NO_SYNC = const(48)  # LACK: nothing from the master for more than 10 ticks
R_SILENT = const(49)  # LACK: nothing at all for 60 ticks
R_LEFT = const(50)  # LACK: the same after the end of a game: it has left without a goodbye
R_NO_WON = const(51)  # LACK: the winner has not said so within 60 ticks
R_BARE_ECHO = const(52)  # the echo of the parameters without the parameters
R_FROM_ZERO = const(53)  # a shot at column or row 0: this side counts from 0
R_DAMAGED = const(54)  # a byte of the frame was marked as damaged
R_MISSED = const(55)  # LACK: a reply that was not seen, but its command was obeyed by both
R_INSTEAD = const(56)  # a reply that does not fit the command that waits for its own
R_ECHOED = const(57)  # the frame that the other side has just sent: an echo on this side's wire
R_SHARED = const(58)  # a sync on the wire of a slave that answers as a slave too: another device sends there
WATCH_REASONS = const(59)  # one more than the last

UNSURE = const(255)  # a state, side or turn that the traffic does not tell

# What is known of a side's chat.
CHAT_UNKNOWN = const(0)
CHAT_YES = const(1)
CHAT_NO = const(2)

# Sets of states, as bits.
ANY = const(543)  # 0, 1, 2, 3, 4 and 9
IDLE = const(1)
GAME = const(30)  # 1..4
BATTLE = const(16)
OVER = const(512)

REPORTED = const(1)
NOT_OWED = const(2)

# What is known of the parameters.
UNKNOWN = const(0)
NONE = const(1)
KNOWN = const(2)

# After a finding so many answered commands show that both sides are where the watcher thinks; until then what is wrong
# may come of that finding.
SHAKY_MOST = const(6)
# After so many answered commands without a finding a suspicion is forgotten: another like it is no repeat.
CALM_MOST = const(1000)

# Places in `v`, first for both sides (place + side) ...
ROLE = const(0)
OUT = const(2)  # command that waits for its reply, 0 none
AGE = const(4)  # ticks since
TOLD = const(6)  # REPORTED: its missing reply is; NOT_OWED: the command should not have been either
GONE = const(8)  # a command that the other side's made void: its answer is neither missed nor wrong
PARDON = const(10)  # an illegal command: the side that answers it accepts it
LAST = const(12)  # last command, sync excepted, and its signature in `sign`
LAST_AGE = const(14)  # ticks since it or its answer
LAST_REPLY = const(16)  # what answered it, 0 nothing yet
AGAIN = const(18)  # how often it was repeated and the repeat not yet answered
QUIET = const(20)  # ticks since the last byte
SURE = const(22)  # 1: frames of this side are known to begin where we think
ERRED = const(24)  # 1: it has done something since the session began that may be held against it
JUDGE = const(26)  # 1: its radar can tell false answers
CHAT = const(28)
HEARD = const(30)  # 1: a command came from it
MOVED = const(32)  # 1: it has answered a command of the other's since its last own one
SAID = const(34)  # its last reply, 01 excepted
EARLY = const(36)  # 1: its nick was answered before its last byte came
BAD = const(38)  # 1: a byte of the frame that goes on was marked as damaged
# ... then for the session ...
TURN = const(40)  # side that may shoot, or UNSURE
WINNER = const(41)  # side that has hit every deck of the other, or UNSURE
COUNTED = const(42)  # 1: fleets are known and hits are counted from the first shot, so that a winner is known
PARAMS = const(43)  # UNKNOWN, NONE or KNOWN
ASKED = const(44)  # syncs that no 01 has answered
ASKED_AGE = const(45)  # 0, or 1 + ticks since the oldest sync after which nothing came from the slave
NO_SYNC = const(46)  # 1: reported
SILENT = const(47)  # bits by side: reported
WON_AGE = const(48)  # 0, or 1 + ticks since the last ship sank and A9 is awaited
DECKS = const(49)
BEGUN = const(50)  # 1: the session was seen from its start
CROSSED = const(51)  # of wire.crossing()
SHOOTER = const(52)  # side whose shot was answered last in this battle, or UNSURE
SHAKY = const(53)  # answered commands until all is sure again, 0 when it is
OPEN = const(54)  # kind of the record that is not decided yet, 0 none; its side, opcode, reason and age follow
OPEN_SIDE = const(55)
OPEN_OP = const(56)
OPEN_WHY = const(57)
OPEN_AGE = const(58)
SIZE = const(59)  # size, n4, n3, n2, n1 as agreed
SPOILT = const(64)  # findings that speak for a bad line or tap, while the memory of suspicions lasts
OPEN_ECHOED = const(65)  # 1: the parameters that are open came back as they were seen
OPEN_FIRM = const(66)  # 1: no single byte that was lost or changed explains what is open
OPEN_TAKEN = const(67)  # 0, or 1 + commands answered properly since both sides went on from what is open
# ... for both sides again what their wires carry (watch_shared.py) ...
STRANGE = const(68)  # what it has sent and no player of its role does, until its next reply: COPY or SYNCS
SHARED = const(70)  # how often its own reply came behind such
# ... and what belongs to one game: of all above, the same comes again and again in a session.
CONTROL = const(72)
X = const(72)  # its last shot; 0 where the cell is not known
Y = const(74)
HITS = const(76)  # decks that it has hit
TOP = const(78)

# The other side, in place of a role.
OTHER = const(4)


def older(v: bytearray, i: int) -> None:
    if v[i] < 255:
        v[i] += 1


def only(may: int) -> int:
    """The one state of a set, or UNSURE."""
    if may == BATTLE:
        return 4
    if may == OVER:
        return 9
    state = 0
    while state < 5:
        if may == 1 << state:
            return state
        state += 1
    return UNSURE
