"""Codes of the watcher's records, and the layout of its memory.

The watcher is one object, `watch.Watch`, implemented in several files: watch_doubt.py weighs faults against possible
losses, watch_shots.py tracks the shots, watch_time.py reports what does not arrive in time. They share the watcher's
bytearray `v`, whose offsets are named here.
"""

from .const import const

# Verdicts.
OK = const(0)
DEVIATION = const(1)  # departs from the protocol, but players tolerate it
VIOLATION = const(2)  # breaks the protocol
NOISE = const(3)  # bytes that are no frame
DOUBT = const(4)  # something was lost here, on the line or on the way to the watcher: nobody is accused
FOLLOWS = const(5)  # wrong by itself, but the consequence of an earlier finding

# Kinds of records.
FRAME = const(1)  # a whole frame
STRAY = const(2)  # one byte, `op`, that begins no frame
CUT = const(3)  # an incomplete frame; `op` and `data` hold what was received
LACK = const(4)  # something that did not arrive in time; `side` owed it
RULING = const(6)  # the last `open` record is decided: `side`, `op` and `reason` are those of that record

# Reasons in addition to those of wire.py.
R_CUT = const(32)  # the rest of the frame did not arrive
R_NOISE = const(33)  # a byte that begins no frame
R_SYNC_INSIDE = const(34)  # a sync in the middle of a frame
R_LATE = const(35)  # a reply after more than 60 ticks
R_DOUBLED = const(36)  # the same reply once more
R_UNMATCHED = const(37)  # a reply that nobody awaits
R_REPEATED = const(38)  # the same command once more
R_OTHER_ANSWER = const(39)  # a repeated command got another answer than at first
R_ACCEPTED = const(40)  # an illegal command was answered as if it were legal
R_UNFOUNDED = const(41)  # A8, but no fault was observed
R_TWO_MASTERS = const(42)  # both sides send syncs
R_LAST_DECK = const(43)  # "hit" for the very last deck, which is sunk
R_NICK_LENGTH = const(44)  # an empty nick, or one of more than 10 bytes, breaks real programs
R_NOT_PROBED = const(45)  # chat before the other side has shown that it has chat
R_SHOT_AGAIN = const(46)  # a shot at a cell that this side has shot at before
R_NO_REPLY = const(47)  # LACK: no reply to `op` within 60 ticks
R_NO_SYNC = const(48)  # LACK: nothing from the master for more than 10 ticks
R_SILENT = const(49)  # LACK: nothing at all for 60 ticks
R_LEFT = const(50)  # LACK: the same after the end of a game: the side left without a goodbye
R_NO_WON = const(51)  # LACK: the winner has not sent A9 within 60 ticks
R_BARE_ECHO = const(52)  # the echo of the parameters without the parameters
R_FROM_ZERO = const(53)  # a shot at column or row 0: this side counts from 0
R_DAMAGED = const(54)  # a byte of the frame was marked as damaged
R_MISSED = const(55)  # LACK: a reply that was not seen, but both obeyed its command
R_INSTEAD = const(56)  # a reply that does not fit the outstanding command
R_ECHOED = const(57)  # the frame that the other side has just sent: an echo on this side's wire
R_SHARED = const(58)  # a sync on the wire of a slave that answers as a slave too: another device sends there
R_TWO_PAIRS = const(59)  # both sides act in two states by turns: two pairs of programs on the same wires
R_NO_TIMEOUT = const(60)  # A0, but nothing was late
R_BEHIND = const(61)  # a reply that came only after a command of its sender's own that builds on it
WATCH_REASONS = const(62)  # one past the last

UNSURE = const(255)  # a state, side or turn not shown by the traffic

# Whether a side has chat.
CHAT_UNKNOWN = const(0)
CHAT_YES = const(1)
CHAT_NO = const(2)

# Sets of states, as bits.
ANY = const(543)  # 0, 1, 2, 3, 4 and 9
IDLE = const(1)
GAME = const(30)  # 1..4
PREPARING = const(14)  # 1..3
BATTLE = const(16)
OVER = const(512)

REPORTED = const(1)
NOT_OWED = const(2)

# What a side has done.
BORNE = const(1)  # something that an A8 answers at once or not at all
LIED = const(2)  # a false answer, which the other may find out later

# What is known of the parameters.
UNKNOWN = const(0)
NONE = const(1)
KNOWN = const(2)

# After a finding this many answered commands confirm the watcher's view of both sides; until then further faults may be
# consequences of that finding.
SHAKY_MOST = const(6)
# After this many answered commands without a finding a suspicion is forgotten: another like it is no repeat.
CALM_MOST = const(1000)
# Commands answered without a sign that a wire is shared, or that there are two pairs, until the last one is forgotten.
# A second master shows itself within 10 ticks, in which programs that play without a pause answer fewer.
FADED = const(200)

# Offsets into `v`, first for both sides (offset + side) ...
ROLE = const(0)
OUT = const(2)  # command that awaits its reply, 0 for none
AGE = const(4)  # ticks since it was sent
TOLD = const(6)  # REPORTED: its missing reply was reported; NOT_OWED: the command itself was out of place
GONE = const(8)  # a command made void by the other side's: its answer is neither missed nor wrong
PARDON = const(10)  # an illegal command: a side that answers it accepts it
LAST = const(12)  # last command, sync excepted, and its signature in `sign`
LAST_AGE = const(14)  # ticks since it or its answer
LAST_REPLY = const(16)  # the reply to it, 0 for none yet
AGAIN = const(18)  # repeats of it not answered yet
QUIET = const(20)  # ticks since the last byte
SURE = const(22)  # 1: frames of this side are known to be in step
ERRED = const(24)  # what it has done in this session and may be held against it: BORNE or LIED
JUDGE = const(26)  # 1: its radar can detect false answers
CHAT = const(28)
HEARD = const(30)  # 1: it has sent a command
MOVED = const(32)  # 1: it has answered a command of the other since its own last one
SAID = const(34)  # its last reply, 01 excepted
EARLY = const(36)  # 1: its nick was answered before its last byte arrived
BAD = const(38)  # 1: a byte of the current frame was marked as damaged
# ... then for the session ...
TURN = const(40)  # side that may shoot, or UNSURE
WINNER = const(41)  # side that has hit every deck of the other, or UNSURE
COUNTED = const(42)  # 1: fleets are known and hits are counted from the first shot, so the winner is known
PARAMS = const(43)  # UNKNOWN, NONE or KNOWN
ASKED = const(44)  # unanswered syncs
ASKED_AGE = const(45)  # 0, or 1 + ticks since the oldest sync without anything from the slave after it
NO_SYNC = const(46)  # 1: reported
SILENT = const(47)  # bits by side: reported
WON_AGE = const(48)  # 0, or 1 + ticks since the last ship sank, while A9 is awaited
DECKS = const(49)
BEGUN = const(50)  # 1: the session was seen from its start
CROSSED = const(51)  # stage of watch_commands.crossing()
SHOOTER = const(52)  # side whose shot was last answered in this battle, or UNSURE
SHAKY = const(53)  # answered commands until all is confirmed again, 0 if it is
OPEN = const(54)  # kind of the undecided record, 0 for none; its side, opcode, reason and age follow
OPEN_SIDE = const(55)
OPEN_OP = const(56)
OPEN_WHY = const(57)
OPEN_AGE = const(58)
SIZE = const(59)  # size, n4, n3, n2, n1 as agreed
SPOILT = const(64)  # signs of a bad line or tap, while suspicions are remembered
OPEN_ECHOED = const(65)  # 1: the open parameters came back as seen; or who has sent the open A1 goes on without it
# ... or the side that owes the open reply has sent nothing at all since the command; or the open A8 is about a cell
# that is called shot at already
OPEN_FIRM = const(66)  # 1: no single lost or changed byte explains the open finding
OPEN_TAKEN = const(67)  # 0, or 1 + commands answered properly since both sides went on after the open finding
# ... for both sides again what is on their wires (watch_shared.py) ...
STRANGE = const(68)  # something it sent that no player of its role sends, until its next reply: COPY or SYNCS
SHARED = const(70)  # how often its own reply followed that
# ... for the session whether it is one (watch_pairs.py) ...
TURNS = const(72)  # how often both sides have gone over from a battle to its preparation, or back, against the rules
TURNED_TO = const(73)  # to which they went last, so or by a change of roles: PREPARING or FIGHTING, 0 for none
AGAIN_OP = const(74)  # for both sides: the last command that was suspected to be illegal in its state or role
SUSPECT = const(76)  # for both: the command that was last suspected to be sent or answered wrongly, 0 for none
PROPER = const(78)  # for both: 1: that command has been sent and answered properly since
HASTY = const(80)  # for both: the other's command that it acts on without having answered it, 0 for none
MISLED = const(82)  # for both: until this many more of its commands are answered, doubled answers may mislead it
# ... and the state of one game; everything above recurs within a session.
CONTROL = const(84)
X = const(84)  # its last shot; 0 if the cell is unknown
Y = const(86)
HITS = const(88)  # decks it has hit
# ... and of its shots off the field that were answered:
OFF = const(90)  # how many in a row
OFF_AT = const(92)  # the last column or row off the field
OFF_SAME = const(94)  # how often in turn that one, with shots on the field between; NAMED: it was accused of it
ZEROS = const(96)  # how many at column or row 0
TWICE = const(98)  # how often it was told twice that it had hit
TOP = const(100)

# Value of OFF_SAME.
NAMED = const(255)

# Stands for the other side, instead of a role.
OTHER = const(4)


def older(v: bytearray, i: int) -> None:
    """Increase the age at `i` by a tick, up to 255."""
    if v[i] < 255:
        v[i] += 1


def only(may: int) -> int:
    """Return the only state of a set, or UNSURE."""
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
