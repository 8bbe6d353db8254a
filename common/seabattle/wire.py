"""The table of exchanges of protocol v1.0, and a byte-wise frame reader.

This file is the single source for each opcode: its length, sender, legal states, reply and following state. The link,
the watcher, the decoders and the tables of docs/protocol.md all use it.

A frame begins with an opcode. Commands and replies share none, so the first byte determines what a frame is and how
long it is. There is no checksum and no escape byte: an unknown first byte is noise and is skipped. What the protocol
leaves open is decided in docs/protocol.md, Decisions.
"""

from .const import TYPE_CHECKING, const
from .fleet import NO_ROOM, check

if TYPE_CHECKING:
    from typing import Any

    Row = tuple[Any, ...]  # of TABLE; typed loosely, since a type checker cannot index by a const

# Roles. The values are bits, so that a table row can name both.
NOBODY = const(0)  # role not decided yet
MASTER = const(1)
SLAVE = const(2)
BOTH = const(3)
AUTO = const(4)  # only as a request: becomes MASTER or SLAVE by listening

# Opcodes of commands.
SYNC = const(0xAA)
TIMED_OUT = const(0xA0)
MEET = const(0xA1)
PLACE = const(0xA2)
MASTER_READY = const(0xA3)
SLAVE_READY = const(0xA4)
RESTART = const(0xA5)
SURRENDER = const(0xA6)
GOODBYE = const(0xA7)
BROKEN = const(0xA8)
WON = const(0xA9)
NICK = const(0xB1)
PARAMS = const(0xB2)
CHAT = const(0xB3)
SHOT = const(0xC0)

# Replies that are not their command with the nibbles swapped.
SYNCED = const(0x01)
MISS = const(0x0C)
HIT = const(0x1C)
SUNK = const(0x2C)
REPEAT = const(0x3C)

# Column `when`: what a command requires besides its state.
ALWAYS = const(0)
ON_TURN = const(1)  # only the side whose turn it is
AS_WINNER = const(2)  # only the side that has hit every deck of the other

# Column `wants`: what a missing reply means after 60 ticks.
HARD = const(0)  # a timeout: tell the player, wait for a key, A0
SOFT = const(1)  # real programs omit it: report and go on
OPTIONAL = const(2)  # the protocol says that its absence is no error

SAME = const(255)  # column `next`: the state does not change

# Times, in ticks of 65536/1193182 s.
SYNC_TICKS = const(10)  # a master sends something at least this often
REPLY_TICKS = const(60)  # a reply, or any sign of life from the master, comes within this
GAP_TICKS = const(4)  # an unfinished frame is dropped after this; within it an identical command is a repeat

# Limits of the fields of a frame.
SIZE_MIN = const(6)
SIZE_MAX = const(10)
NICK_MAX = const(10)  # bytes of a nick we send
TEXT_MAX = const(64)  # bytes of a chat text we send; 255 are accepted

VARIABLE = const(-1)  # length: one byte L follows the opcode, then L bytes

_0 = const(1)
_1 = const(2)
_2 = const(4)
_3 = const(8)
_4 = const(16)
_9 = const(512)
_1234 = const(30)
_ALL = const(543)  # 0, 1, 2, 3, 4 and 9

# opcode, name, fields, sender, states, when, reply, fields of the reply, wants, next state of both
TABLE: "tuple[Row, ...]" = (
    (SYNC, "sync", "", MASTER, _ALL, ALWAYS, SYNCED, "", HARD, SAME),
    (TIMED_OUT, "timed out", "", BOTH, _ALL, ALWAYS, 0x0A, "", OPTIONAL, 0),
    (MEET, "met", "", MASTER, _0, ALWAYS, 0x1A, "", HARD, 1),
    (PLACE, "place", "", MASTER, _1, ALWAYS, 0x2A, "", HARD, 2),
    (MASTER_READY, "master ready", "", MASTER, _2, ALWAYS, 0x3A, "", HARD, 3),
    (SLAVE_READY, "slave ready", "", SLAVE, _3, ALWAYS, 0x4A, "", HARD, 4),
    (RESTART, "restart", "", MASTER, _2 | _3 | _9, ALWAYS, 0x5A, "", HARD, 1),
    (SURRENDER, "surrender", "", BOTH, _1234, ALWAYS, 0x6A, "", HARD, 9),
    (GOODBYE, "goodbye", "", BOTH, _1234 | _9, ALWAYS, 0x7A, "", SOFT, 0),
    (BROKEN, "you broke the protocol", "", BOTH, _1234 | _9, ALWAYS, 0x8A, "", OPTIONAL, 0),
    (WON, "I have won", "", BOTH, _4 | _9, AS_WINNER, 0x9A, "", SOFT, 9),
    (NICK, "nick", "l nick", BOTH, _ALL, ALWAYS, 0x1B, "", SOFT, SAME),
    (PARAMS, "parameters", "size n4 n3 n2 n1", MASTER, _1, ALWAYS, 0x2B, "size n4 n3 n2 n1", HARD, SAME),
    (CHAT, "chat", "l text", BOTH, _1234 | _9, ALWAYS, 0x3B, "", OPTIONAL, SAME),
    (SHOT, "shot", "x y", BOTH, _4, ON_TURN, MISS, "", HARD, SAME),
)
# Columns of TABLE.
OPCODE = const(0)
NAME = const(1)
FIELDS = const(2)
SENDER = const(3)
STATES = const(4)
WHEN = const(5)
REPLY = const(6)
REPLY_FIELDS = const(7)
WANTS = const(8)
NEXT = const(9)

# A shot is the only command with several replies.
SHOT_REPLIES = ((MISS, "miss"), (HIT, "hit"), (SUNK, "sunk"), (REPEAT, "already shot there"))

# Deviations of real programs that a player tolerates (docs/protocol.md):
# opcode, sender, states, meaning. The watcher reports each as a deviation.
TOLERATED = (
    (RESTART, MASTER, _4, "restart in the middle of the battle"),
    (RESTART, SLAVE, _ALL, "the slave went to state 0"),
)

# Why a command or an answer breaks the protocol; 0 if it does not.
R_SENDER = const(1)  # the other role sends this
R_STATE = const(2)  # not in this state
R_TURN = const(3)  # not this side's turn
R_SECOND = const(4)  # a second command before the first is answered
R_PARAMS = const(5)  # parameters outside the ranges
R_FLEET = const(6)  # a fleet that cannot be placed
R_ECHO = const(7)  # the echo differs from the parameters
R_NO_PARAMS = const(8)  # placing before any parameters
R_CELL = const(9)  # a shot off the field
R_NOT_WON = const(10)  # A9 from a side that has not won
R_FLEET_SUNK = const(11)  # a shot from a side whose last ship is sunk
R_NEAR_SUNK = const(12)  # false answers, from here on: a hit next to a sunk ship
R_CORNER = const(13)  # a hit that touches another hit by its corner
R_BENT = const(14)  # the hits of one ship are not in a line
R_TOO_LONG = const(15)  # a ship longer than any that is left
R_TOO_MANY = const(16)  # more decks or ships than the fleet has
R_NOT_SUNK = const(17)  # a hit where no longer ship fits, so it had to be sunk
R_NO_SUCH_SHIP = const(18)  # a sunk ship of a length that is used up
R_NOT_SHOT_BEFORE = const(19)  # "already shot there" for a cell that was not
R_NO_ROOM = const(20)  # the ships that are left do not fit into what is unknown
R_WALL = const(21)  # more ships along a wall than allowed, by the lenient reading
R_CHANGED = const(22)  # a hit where the same shot was a miss before, or sunk where it was a hit
REASONS = const(23)  # one past the last

_LONG = const(0x80)  # a length byte follows


def _count(fields: str) -> int:
    """Return the number of bytes after an opcode with these fields; VARIABLE if they begin with an `l`."""
    if not fields:
        return 0
    if fields[0] == "l":
        return VARIABLE
    return len(fields.split(" "))


# By first byte: 0 for noise, else the length of the whole frame, or _LONG.
_shape = bytearray(256)
# By first byte: 0, or for a command its row in TABLE plus 1, for a reply that plus REPLIES. The functions below return
# the same, at the price of a call.
REPLIES = const(128)
ROW = bytearray(256)
for _i in range(len(TABLE)):
    _t: "Row" = TABLE[_i]
    for _op, _f, _flag in ((_t[OPCODE], _t[FIELDS], 0), (_t[REPLY], _t[REPLY_FIELDS], REPLIES)):
        _n = _count(_f)
        _shape[_op] = _LONG if _n < 0 else _n + 1
        ROW[_op] = _i + 1 + _flag
for _op, _f in SHOT_REPLIES:
    _shape[_op] = 1
    ROW[_op] = ROW[MISS]


def is_command(op: int) -> bool:
    """Return whether the opcode is a command's; False for a reply's and for noise."""
    return 0 < ROW[op] < REPLIES


def is_reply(op: int) -> bool:
    """Return whether the opcode is a reply's."""
    return ROW[op] > REPLIES


def exchange(op: int) -> "Row | Any":
    """Return the row of TABLE for a command or a reply; None for noise, which no caller passes."""
    i = ROW[op] & (REPLIES - 1)
    return TABLE[i - 1] if i else None


def command_of(op: int) -> int:
    """Return the command that this reply answers, or 0."""
    i = ROW[op]
    return TABLE[i - REPLIES - 1][OPCODE] if i > REPLIES else 0


def may_send(op: int, sender: int, state: int) -> bool:
    """Return whether TABLE allows `sender` (MASTER or SLAVE) to send `op` in `state`, turn and result aside."""
    t = TABLE[ROW[op] - 1]
    return (t[SENDER] & sender) != 0 and (t[STATES] >> state) & 1 != 0


def illegal(op: int, sender: int, state: int, turn: int, winner: int) -> int:
    """Return why the command `op` is illegal, as R_*, or 0.

    sender: MASTER or SLAVE; state: 0..4 or 9; turn: the role that may shoot; winner: the role that has hit every deck
    of the other, or NOBODY.
    """
    t = TABLE[ROW[op] - 1]
    if not t[SENDER] & sender:
        return R_SENDER
    if not (t[STATES] >> state) & 1:
        return R_STATE
    when = t[WHEN]
    if when == ON_TURN:
        if winner and winner != sender:
            return R_FLEET_SUNK
        if turn != sender or winner:
            return R_TURN
    elif when == AS_WINNER and winner != sender:
        return R_NOT_WON
    return 0


def tolerated(op: int, sender: int, state: int) -> "tuple[int, int, int, str] | None":
    """Return the row of TOLERATED that covers this illegal command, or None."""
    for t in TOLERATED:
        if t[0] == op and t[1] == sender and (t[2] >> state) & 1:
            return t
    return None


def repeats(op: int, sender: int, age: int, moved: int) -> bool:
    """Return whether an illegal command, identical to its sender's last, counts as a repeat of it.

    sender: MASTER, SLAVE or NOBODY; age: ticks since the last one or its answer; moved: the sender has answered a
    command since. Real programs go beyond the rule: a slave without an answer shoots again at every sync, and a master
    answers A4 while still repeating A3.
    """
    if moved and op != MASTER_READY:
        return False
    return age <= GAP_TICKS or (op == SHOT and sender != MASTER)


CROSSED = const(3)


def crossing(stage: int, op: int) -> int:
    """Return the next stage of a sync crossing the slave's shot, after one more frame of either side; 0 at first.

    A real slave that waits for the answer to its shot sends 01 and the shot again at a sync. If the sync was sent
    before the answer, so was that second shot: at stage CROSSED the same shot is not a new one, even where it could be.
    """
    if op == SYNC:
        return 1
    if op == SYNCED:
        return CROSSED if stage == 2 else 0
    if stage == 1:
        return 2 if command_of(op) == SHOT else 1
    return 0


def count_of(deck: int, byte: int) -> int:
    """Return the ship count in a byte of B2 for ships of `deck` decks (1..4).

    It is raw, or tagged with the deck number in the high nibble. A wrong tag leaves the byte unchanged, so the range
    check rejects it.
    """
    return byte & 15 if byte >> 4 == deck else byte


def params_fault(data: "bytes | bytearray") -> int:
    """Return why a received B2 with these five bytes (size, n4, n3, n2, n1) is refused, as R_*, or 0.

    The wall rule is read leniently.
    """
    if (data[1] | data[2] | data[3] | data[4]) < 16:
        # none is tagged: a board has no time to call a function for each
        why = check(data[0], data[1], data[2], data[3], data[4], True)
    else:
        why = check(
            data[0], count_of(4, data[1]), count_of(3, data[2]), count_of(2, data[3]), count_of(1, data[4]), True
        )
    if not why:
        return 0
    return R_FLEET if why == NO_ROOM else R_PARAMS


QUIET = const(0)  # what Reader.feed() returns: within a frame
FRAME = const(1)  # a frame is complete
NOISE = const(2)  # a byte that begins no frame

_IN_FRAME = const(1)
_LOST = const(2)
_CALM_TICKS = const(2)  # at least one of which is a whole one


class Reader:
    """Assembles bytes into frames, one byte at a time.

    After FRAME: `op` is the opcode, `size` the number of bytes after it (for B1 and B3: of the nick or text, without
    the length byte), `data` those bytes, `sign` a 24-bit signature of the whole frame, for detecting repeats.
    """

    def __init__(self) -> None:
        self.data = bytearray(256)
        # _OP, _LEFT (bytes still to come), _SIZE, _GAP (ticks since the last byte), _NEED_LENGTH, _DAMAGE: 0, or
        # _IN_FRAME (drop this frame), or _LOST (start of the next frame unknown)
        self.v = bytearray(6)
        self.sign = 0

    @property
    def op(self) -> int:
        return self.v[0]

    @property
    def size(self) -> int:
        return self.v[2]

    @property
    def within(self) -> bool:
        """True in the middle of a frame."""
        return self.v[1] > 0

    @property
    def lost(self) -> bool:
        """True after a damaged byte, until the start of a frame is known again."""
        return self.v[5] == _LOST

    @property
    def needs_length(self) -> bool:
        """True if the next byte is the frame's length."""
        return self.v[4] > 0

    def reset(self) -> None:
        v = self.v
        v[0] = v[1] = v[2] = v[3] = v[4] = v[5] = 0
        self.sign = 0

    def feed(self, b: int) -> int:
        """Take one byte (0..255); return QUIET, FRAME or NOISE."""
        v = self.v
        v[3] = 0
        if v[5]:
            return self._feed_damaged()
        left = v[1]
        if left:
            self.sign = ((self.sign * 31) ^ b) & 0xFFFFFF
            if v[4]:
                v[4] = 0
                v[1] = b
                if b:
                    return QUIET
                return FRAME
            n = v[2]
            self.data[n] = b
            v[2] = n + 1
            v[1] = left - 1
            return QUIET if left > 1 else FRAME
        shape = _shape[b]
        if not shape:
            return NOISE
        v[0] = self.sign = b
        v[2] = 0
        if shape == 1:
            return FRAME
        if shape == _LONG:
            v[4] = v[1] = 1
        else:
            v[1] = shape - 1
        return QUIET

    def damage(self) -> None:
        """Receive a byte marked as damaged.

        Its frame is read to its end and dropped. If it is a first byte or a length byte, the number of bytes to come is
        unknown: everything is dropped until the line is quiet.
        """
        v = self.v
        v[3] = 0
        if not v[1] or v[4]:
            v[1] = v[4] = 0
            v[5] = _LOST
        else:
            v[5] = _IN_FRAME
            self._feed_damaged()

    def _feed_damaged(self) -> int:
        v = self.v
        if v[5] == _IN_FRAME:
            v[1] -= 1
            if not v[1]:
                v[5] = 0
        return QUIET

    def calm(self) -> None:
        """The line has been quiet for so long that the next byte starts a frame."""
        if self.v[5] == _LOST:
            self.v[5] = 0

    def tick(self) -> bool:
        """Advance by one tick; return True if an unfinished frame was dropped."""
        v = self.v
        if v[5] == _LOST:
            v[3] += 1
            if v[3] >= _CALM_TICKS:
                v[3] = v[5] = 0
            return False
        if not v[1]:
            return False
        v[3] += 1
        if v[3] <= GAP_TICKS:
            return False
        v[1] = v[3] = v[4] = v[5] = 0
        return True
