"""Constants of a link: results of orders, events and their details, and offsets into its memory.

Users of a link import results and events from link.py. V_* and W_* are for the link's own modules, and for tools that
inspect it, such as a model checker.
"""

from .const import const

# Results of an order.
DONE = const(0)
NOT_NOW = const(1)  # not in this state, or something else has to happen first
NOT_YOURS = const(2)  # the other role does this
OUT_OF_RANGE = const(3)  # a value out of range, or a fleet that cannot be placed
NO_CHAT = const(4)  # the peer has not answered the probe

# Events. Details are in `a` and `b`, and in `details` as noted.
EV_NONE = const(0)
EV_ROLE = const(1)  # a link with role AUTO has found its role: a = MASTER or SLAVE
EV_MET = const(2)  # state 1
EV_NICK = const(3)  # the peer's nick is in peer_nick
EV_NICK_SENT = const(4)  # the peer has confirmed ours
EV_NICK_LOST = const(5)  # it did not, within 60 ticks; the session goes on
EV_PARAMS = const(6)  # both sides have the same parameters: event_param()
EV_PLACING = const(7)  # state 2
EV_MASTER_READY = const(8)  # state 3
EV_BATTLE = const(9)  # state 4, the master shoots first
EV_SHOT = const(10)  # the peer has shot at column a, row b (from 1): answer() at once; EVENT_ANSWER: what we answered
EV_ANSWER = const(11)  # our shot at EVENT_CELL was answered: a = MISS, HIT, SUNK, REPEAT
EV_OVER = const(12)  # the game has ended: a = WE_WON, WE_LOST or NO_RESULT, b = BY_SHOTS, BY_SURRENDER or BY_PROOF
# EVENT_CELL: 0 if that was before the battle, so it does not count as a game
EV_RESTART = const(13)  # state 1 again, the parameters stay valid
EV_GOODBYE = const(14)  # the peer has left: state 0
EV_LEFT = const(15)  # the peer left silently after the end: state 0, no error
EV_CLOSED = const(16)  # our goodbye is done; the link is silent until open()
EV_TIMEOUT = const(17)  # no reply to command a (for a shot EVENT_CELL), or silence (a = 0): a key is awaited
EV_RESUMED = const(18)  # the missing reply came before the key
EV_BROKEN = const(19)  # the peer broke the protocol with a (an opcode), reason b; A8 is sent, a key is awaited. For a
# shot of the peer EVENT_CELL; for a false answer also EVENT_ANSWER, EVENT_EARLIER and EVENT_EARLIER_ANSWER; for R_CELL
# the received column in EVENT_CELL, the row in EVENT_EARLIER_ANSWER; without EVENT_EARLIER our command in that place
# whose reply may have been lost, which would explain it, or 0
EV_ACCUSED = const(20)  # the peer says that we broke the protocol: a key is awaited
EV_PEER_TIMEOUT = const(21)  # the peer had a timeout (A0): state 0
EV_IDLE = const(22)  # state 0, after our key
EV_CHAT = const(23)  # a chat text is in text
EV_CHAT_SENT = const(24)  # the peer has confirmed our text
EV_CHAT_LOST = const(25)  # it did not; no error
EV_CHAT_KNOWN = const(26)  # a = 1: the peer has chat, a = 0: it has none
EV_PEER_RESET = const(27)  # the slave reports that it went to state 0 (a restart, which no slave may send)
EVENTS = const(28)  # one past the last

WE_LOST = const(0)
WE_WON = const(1)
NO_RESULT = const(2)  # both surrendered at the same moment
BY_SHOTS = const(0)
BY_SURRENDER = const(1)
BY_PROOF = const(2)  # an answer of the peer was provably false: it has lost

# Offsets of the last event's details in `details`.
EVENT_ROLE = const(3)  # our role at that moment
EVENT_CELL = const(4)  # the cell of the shot: 16 * row + column, both from 1; 0 for none
EVENT_ANSWER = const(5)  # its answer: MISS, HIT, SUNK, REPEAT; 0 for none yet
EVENT_EARLIER = const(6)  # the cell of an earlier shot whose answer contradicts this one; 0 for none
EVENT_EARLIER_ANSWER = const(7)  # that answer
EVENT_BYTES = const(8)

CHAT_UNKNOWN = const(0)
CHAT_PROBING = const(1)
CHAT_YES = const(2)
CHAT_NO = const(3)

BROKEN_OFF = const(8)  # value of `state` after an A8, until the key

NICK_SHOWN = const(20)  # bytes kept of a received nick

# Ticks.
LISTEN = const(30)
LISTEN_MORE = const(21)
BACK_OFF = const(10)
BACK_OFF_MORE = const(31)

# After a hit the same side shoots again. A reply duplicated by the line must not be taken for the answer to the next
# shot, so that shot is held back until a duplicate would have arrived, within the time of a few bytes. One tick may end
# at once, two do not; an owner with a finer clock need not wait for them, see calm().
HOLD = const(2)
CALM_MS = const(6)


# Offsets into `v`.
V_STATE = const(0)
V_ROLE = const(1)
V_TURN = const(2)  # the role that may shoot
V_WINNER = const(3)  # the role that has hit every deck of the other
V_BUSY = const(4)  # our command that awaits its reply, 0 for none
V_AGE = const(5)  # ticks since it was sent
V_QUIET = const(6)  # ticks since the last whole frame was received
V_SINCE = const(7)  # ticks since our last command
V_ASKED = const(8)  # master: 0, or 1 + ticks since the oldest unanswered sync
V_HUNG = const(9)  # NO_REPLY | SILENT while a key is awaited
V_OWED = const(10)  # the peer's unanswered shot: 16 * row + column, 0 for none
V_WANT = const(11)  # pending orders: W_* of the game
V_WANT2 = const(12)  # and of the session
V_LAST = const(13)  # the peer's last command (sync excepted),
V_LAST_AGE = const(14)  # ticks since it or its answer,
V_LAST_REPLY = const(15)  # the reply to it, 0 for none yet
V_LAST_SIGN = const(16)  # and its signature, three bytes
V_RAW = const(19)  # the five bytes of B2 as on the wire
V_SIZE = const(24)
V_N4 = const(25)
V_N3 = const(26)
V_N2 = const(27)
V_N1 = const(28)
V_VALID = const(29)  # 1: parameters are agreed
V_DECKS = const(30)  # decks of the whole fleet
V_MY_LOSS = const(31)  # my hit decks
V_ITS_LOSS = const(32)  # the peer's hit decks
V_LOST_AGE = const(33)  # 0, or 1 + ticks since my last ship was sunk, while A9 is awaited
V_CHAT = const(34)
V_NICK_SENT = const(35)
V_LISTENING = const(36)  # ticks left for an AUTO to listen
V_SHOT_X = const(37)
V_SHOT_Y = const(38)
V_BROKE_AGE = const(39)  # 0, or 1 + ticks since our A8, while 8A is awaited
V_KEY = const(40)  # 1: the key was pressed before the 8A
V_CLOSED = const(41)
V_OUT_HEAD = const(42)
V_OUT_TAIL = const(43)
V_EV_HEAD = const(44)
V_EV_TAIL = const(45)
V_WISH = const(46)  # role asked for: MASTER, SLAVE or AUTO
V_OFFER = const(47)  # the arguments of offer(): size, n4, n3, n2, n1
V_GUARD = const(52)  # ticks left to hold back the shot after a hit
V_MOVED = const(53)  # 1: the peer has answered a command of ours since its last one
V_CROSSED = const(54)  # stage of wire.crossing()
V_DOUBT = const(55)  # 1: since a damaged byte nothing has confirmed that both sides are in the same state
V_TOP = const(56)

NO_REPLY = const(1)
SILENT = const(2)

W_OFFER = const(1)
W_PLACE = const(2)
W_READY = const(4)
W_SHOT = const(8)
W_WON = const(16)
W_SURRENDER = const(32)
W_RESTART = const(64)
W_NICK = const(1)
W_PROBE = const(2)
W_TEXT = const(4)
W_GOODBYE = const(8)

EVENT_ROOM = const(160)  # 20 events


def event_param(event: "bytes | bytearray", i: int) -> int:
    """Return the parameters reported by an EV_PARAMS: i = 0 size, 1..4 ships of four, three, two, one decks."""
    if i == 0:
        return event[EVENT_CELL]
    two = event[EVENT_ANSWER] if i < 3 else event[EVENT_EARLIER]
    return two & 15 if i % 2 == 0 else two >> 4
