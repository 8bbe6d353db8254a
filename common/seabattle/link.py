"""One side of a session: bytes and ticks in, bytes and events out.

A Link has no port, no clock and no field in it. Its owner

- gives it every byte received, `rx(byte)`, and calls `tick()` once every tick (54.925 ms),
- sends what `tx()` hands out until that is -1,
- reads `event()` until that is EV_NONE. An event tells what happened, whatever has become of the session since: its
  details are in `a`, `b` and `told`. An answer to a shot need not wait for its event: `asked` tells of the shot,
- gives orders: `offer`, `ready`, `shoot`, `answer`, ... An order returns DONE or the reason why it was refused (a
  mistake of the owner's, never of the peer's); an order that has to wait for a reply is kept and sent when it may go.

Which command is legal, what answers it and what follows stands in wire.py; this file holds the order of things.

After construction nothing is allocated. Everything that decides what a link does next is in the bytearrays `v`,
`out`, `queue` and those of its reader, so that a model checker can save, hash and restore them.
"""

from . import wire
from .const import const
from .fleet import check

# What an order returns.
DONE = const(0)
NOT_NOW = const(1)  # not in this state, or something else has to come first
NOT_YOURS = const(2)  # the other role does this
OUT_OF_RANGE = const(3)  # a value outside its range, or a fleet that cannot be placed
NO_CHAT = const(4)  # the peer has not answered the probe (D11)

# Events. `a` and `b` say more, and `told` what is written beside it.
EV_NONE = const(0)
EV_ROLE = const(1)  # a link with the wish AUTO has found its role: a = MASTER or SLAVE
EV_MET = const(2)  # state 1
EV_NICK = const(3)  # the peer's nick is in peer_nick
EV_NICK_SENT = const(4)  # the peer has confirmed ours
EV_NICK_LOST = const(5)  # it has not, within 60 ticks; the session goes on
EV_PARAMS = const(6)  # both sides have the same parameters: told_param()
EV_PLACING = const(7)  # state 2
EV_MASTER_READY = const(8)  # state 3
EV_BATTLE = const(9)  # state 4, the master shoots first
EV_SHOT = const(10)  # the peer has shot at column a, row b (from 1): answer() at once; TOLD_ANSWER: what we answered
EV_ANSWER = const(11)  # our shot at TOLD_CELL is answered: a = MISS, HIT, SUNK, REPEAT
EV_OVER = const(12)  # the game has ended: a = WE_WON, WE_LOST or NO_RESULT, b = BY_SHOTS, BY_SURRENDER or BY_PROOF
EV_RESTART = const(13)  # state 1 again, the parameters still valid
EV_GOODBYE = const(14)  # the peer has left: state 0
EV_LEFT = const(15)  # the peer has gone without a word after the end: state 0, no error
EV_CLOSED = const(16)  # our goodbye is done; the link is silent until open()
EV_TIMEOUT = const(17)  # no reply to command a, or nothing heard (a = 0): a key is awaited
EV_RESUMED = const(18)  # what was missing has come before the key
EV_BROKEN = const(19)  # the peer broke the protocol with a (an opcode), reason b; A8 is sent, a key is awaited. For a
# shot of the peer's TOLD_CELL, for a false answer also TOLD_ANSWER, TOLD_EARLIER and TOLD_EARLIER_ANSWER
EV_ACCUSED = const(20)  # the peer says that we broke the protocol: a key is awaited
EV_PEER_TIMEOUT = const(21)  # the peer had a timeout (A0): state 0
EV_IDLE = const(22)  # state 0, after a key of ours
EV_CHAT = const(23)  # a chat text is in text
EV_CHAT_SENT = const(24)  # the peer has confirmed ours
EV_CHAT_LOST = const(25)  # it has not; no error
EV_CHAT_KNOWN = const(26)  # a = 1: the peer has chat, a = 0: it has not
EV_PEER_RESET = const(27)  # the slave says that it went to state 0 (a restart that no slave may send)
EVENTS = const(28)  # one more than the last

WE_LOST = const(0)
WE_WON = const(1)
NO_RESULT = const(2)  # both surrendered at the same moment
BY_SHOTS = const(0)
BY_SURRENDER = const(1)
BY_PROOF = const(2)  # an answer of the peer's was provably false: it has lost

# Where details of the last event are in `told`.
TOLD_ROLE = const(3)  # our role at that moment
TOLD_CELL = const(4)  # the cell of the shot: 16 * row + column, both from 1; 0 for none
TOLD_ANSWER = const(5)  # what it was answered: MISS, HIT, SUNK, REPEAT; 0 for not yet
TOLD_EARLIER = const(6)  # the cell of an earlier shot, whose answer contradicts that one; 0 for none
TOLD_EARLIER_ANSWER = const(7)  # that answer
TOLD_BYTES = const(8)

CHAT_UNKNOWN = const(0)
CHAT_PROBING = const(1)
CHAT_YES = const(2)
CHAT_NO = const(3)

BROKEN_OFF = const(8)  # value of `state` after an A8, until the key

NICK_SHOWN = const(20)  # bytes of a received nick that are kept

# Ticks (D14).
_LISTEN = const(30)
_LISTEN_MORE = const(21)
_BACK_OFF = const(10)
_BACK_OFF_MORE = const(31)

# After a hit the same side shoots again. An answer that the line has doubled must not be taken for the answer to that
# next shot, so the shot is held back until a doubled byte would have come: it comes within the time of a few bytes. One
# tick may be over at once, two are not; whose owner has a finer clock need not wait for them, see calm().
_HOLD = const(2)
CALM_MS = const(6)

# What answers B2, and is the only reply that is longer than a byte.
_ECHO = wire.exchange(wire.PARAMS)[wire.REPLY]

# Where things are in `v`.
_STATE = const(0)
_ROLE = const(1)
_TURN = const(2)  # the role that may shoot
_WINNER = const(3)  # the role that has hit every deck of the other
_BUSY = const(4)  # our command that waits for its reply, 0 none
_AGE = const(5)  # ticks since it was sent
_QUIET = const(6)  # ticks since anything was heard
_SINCE = const(7)  # ticks since our last command
_ASKED = const(8)  # master: 0, or 1 + ticks since the oldest sync that nothing has answered
_HUNG = const(9)  # _NO_REPLY | _SILENT while a key is awaited
_OWED = const(10)  # the peer's shot that is not answered yet: 16 * row + column, 0 none
_WANT = const(11)  # orders that wait: _W_* of the game
_WANT2 = const(12)  # and of the session
_LAST = const(13)  # the peer's last command (sync excepted),
_LAST_AGE = const(14)  # ticks since it or its answer,
_LAST_REPLY = const(15)  # what answered it, 0 nothing yet
_LAST_SIGN = const(16)  # and its signature, three bytes
_RAW = const(19)  # five bytes of B2 as they were on the wire
_SIZE = const(24)
_N4 = const(25)
_N3 = const(26)
_N2 = const(27)
_N1 = const(28)
_VALID = const(29)  # 1: parameters are agreed
_DECKS = const(30)  # decks of the whole fleet
_MY_LOSS = const(31)  # my decks that are hit
_ITS_LOSS = const(32)  # the peer's decks that are hit
_LOST_AGE = const(33)  # 0, or 1 + ticks since my last ship was sunk and A9 is awaited
_CHAT = const(34)
_NICK_SENT = const(35)
_LISTENING = const(36)  # ticks that an AUTO still listens
_SHOT_X = const(37)
_SHOT_Y = const(38)
_BROKE_AGE = const(39)  # 0, or 1 + ticks since our A8, while 8A is awaited
_KEY = const(40)  # 1: the key was pressed before the 8A
_CLOSED = const(41)
_OUT_HEAD = const(42)
_OUT_TAIL = const(43)
_EV_HEAD = const(44)
_EV_TAIL = const(45)
_WISH = const(46)  # MASTER, SLAVE or AUTO
_OFFER = const(47)  # size, n4, n3, n2, n1 that offer() was given
_GUARD = const(52)  # ticks that the shot after a hit is held back
_MOVED = const(53)  # 1: the peer has answered a command of ours since its last one
_CROSSED = const(54)  # of wire.crossing()
_DOUBT = const(55)  # 1: since a damaged byte nothing has shown that both sides are still in the same state
_TOP = const(56)

_NO_REPLY = const(1)
_SILENT = const(2)

_W_OFFER = const(1)
_W_PLACE = const(2)
_W_READY = const(4)
_W_SHOT = const(8)
_W_WON = const(16)
_W_SURRENDER = const(32)
_W_RESTART = const(64)
_W_NICK = const(1)
_W_PROBE = const(2)
_W_TEXT = const(4)
_W_GOODBYE = const(8)

_EVENT_ROOM = const(160)  # 20 events


def told_param(told, i):
    """The parameters that an EV_PARAMS has told of: i = 0 size, 1..4 ships of four, three, two, one decks."""
    if i == 0:
        return told[TOLD_CELL]
    two = told[TOLD_ANSWER] if i < 3 else told[TOLD_EARLIER]
    return two & 15 if i % 2 == 0 else two >> 4


class Link:
    """One side of a session.

    role: wire.MASTER, wire.SLAVE or wire.AUTO. rng: a seabattle.rng.Rng, asked only by AUTO.
    """

    def __init__(self, role, rng):
        self.rng = rng
        self.reader = wire.Reader()
        self.v = bytearray(_TOP)
        self.out = bytearray(256)
        self.queue = bytearray(_EVENT_ROOM)
        self.a = 0
        self.b = 0
        self.told = bytearray(TOLD_BYTES)
        self.games = 0  # games that have ended, modulo 256; open() leaves it alone
        self.peer_nick = bytearray(NICK_SHOWN)
        self.peer_nick_len = 0
        self.text = bytearray(256)
        self.text_len = 0
        self.urgent = None  # sends a byte at once: for an owner whose replies must not wait until it asks tx()
        self.judge = None  # calls answer() for the shot in `asked`, and does no more: for the same owner
        self.tagged = False  # send the ship counts of B2 tagged with the deck number (peers.md)
        self._nick = bytearray(wire.NICK_MAX)
        self._nick_len = 0
        self._say = bytearray(wire.TEXT_MAX)
        self._say_len = 0
        # Counters for diagnostics, in events since open().
        self.noise = 0  # bytes that begin nothing
        self.dropped = 0  # frames that were not finished within 4 ticks
        self.damaged = 0  # bytes that the receiver has marked, each dropped with its frame (D17)
        self.strays = 0  # replies that nobody waited for, commands that state 0 ignores
        self.repeats = 0  # commands that came twice and were answered twice (D13)
        self.deviations = 0  # what peers.md makes us put up with (D15)
        self.open(role)

    def open(self, role):
        """Start afresh in state 0 as `role`; the nick stays."""
        v = self.v
        for i in range(_TOP):
            v[i] = 0
        self.reader.reset()
        v[_WISH] = role
        self.noise = self.dropped = self.damaged = self.strays = self.repeats = self.deviations = 0
        self.peer_nick_len = self.text_len = self._say_len = 0
        if role == wire.AUTO:
            v[_LISTENING] = _LISTEN + self.rng.below(_LISTEN_MORE)
        else:
            v[_ROLE] = role
        self._idle()

    # What an owner may look at.

    @property
    def state(self):
        """0..4, 9, or BROKEN_OFF (8) while a key is awaited after an A8."""
        return self.v[_STATE]

    @property
    def role(self):
        """wire.MASTER or wire.SLAVE; wire.NOBODY while an AUTO still listens."""
        return self.v[_ROLE]

    @property
    def mine(self):
        """True if shoot() may be called now."""
        v = self.v
        return (
            v[_STATE] == 4
            and v[_TURN] == v[_ROLE]
            and not v[_WINNER]
            and v[_BUSY] != wire.SHOT
            and not v[_WANT] & (_W_SHOT | _W_SURRENDER)
            and not v[_HUNG]
        )

    @property
    def my_turn(self):
        """True in the battle while the turn is ours, also while our shot is under way."""
        v = self.v
        return v[_STATE] == 4 and v[_TURN] == v[_ROLE]

    @property
    def hung(self):
        """True after EV_TIMEOUT, until the key or EV_RESUMED."""
        return self.v[_HUNG] != 0

    @property
    def key_awaited(self):
        """True while only key() (or, after a timeout, what is missing) leads on."""
        return self.v[_HUNG] != 0 or self.v[_STATE] == BROKEN_OFF

    @property
    def busy(self):
        """The opcode of our command that waits for its reply, or 0."""
        return self.v[_BUSY]

    @property
    def waited(self):
        """Ticks since that command was sent; 255 and more are 255."""
        return self.v[_AGE]

    @property
    def quiet(self):
        """Ticks since a whole frame was heard; 255 and more are 255."""
        return self.v[_QUIET]

    @property
    def chat(self):
        """CHAT_UNKNOWN, CHAT_PROBING, CHAT_YES or CHAT_NO."""
        return self.v[_CHAT]

    @property
    def agreed(self):
        """True once there are valid parameters."""
        return self.v[_VALID] != 0

    @property
    def size(self):
        """Cells a side, 6..10; 0 before the parameters are known."""
        return self.v[_SIZE]

    def ships(self, decks):
        """How many ships of 1..4 decks a side has."""
        return self.v[_N1 + 1 - decks]

    @property
    def decks(self):
        """Decks of the whole fleet of a side."""
        return self.v[_DECKS]

    @property
    def my_losses(self):
        """Decks of mine that are hit."""
        return self.v[_MY_LOSS]

    @property
    def its_losses(self):
        """Decks of the peer's that are hit."""
        return self.v[_ITS_LOSS]

    @property
    def winner(self):
        """The role that has hit every deck of the other, or wire.NOBODY."""
        return self.v[_WINNER]

    @property
    def wants_calm(self):
        """True while calm() would let something go on."""
        return self.v[_GUARD] != 0 or self.reader.lost

    @property
    def asked(self):
        """The peer's shot that answer() has not answered yet: 16 * row + column, both from 1; 0 if there is none."""
        return self.v[_OWED]

    @property
    def pending(self):
        """True while event() has something to tell."""
        v = self.v
        return v[_EV_HEAD] != v[_EV_TAIL]

    @property
    def closed(self):
        """True after EV_CLOSED."""
        return self.v[_CLOSED] != 0

    # Bytes, ticks, events.

    def tx(self):
        """The next byte to send, or -1."""
        v = self.v
        i = v[_OUT_TAIL]
        if i == v[_OUT_HEAD]:
            return -1
        v[_OUT_TAIL] = (i + 1) & 255
        return self.out[i]

    def event(self):
        """The next event, EV_NONE when there is none; its details are in `a` and `b`."""
        v = self.v
        i = v[_EV_TAIL]
        if i == v[_EV_HEAD]:
            # The owner has seen the answer that ended the game and has not called it false: A9 may go.
            if v[_WANT] & _W_WON:
                self._pump()
            return EV_NONE
        q = self.queue
        told = self.told
        for k in range(TOLD_BYTES):
            told[k] = q[i + k]
        self.a = told[1]
        self.b = told[2]
        i += TOLD_BYTES
        v[_EV_TAIL] = 0 if i == _EVENT_ROOM else i
        return told[0]

    def rx(self, byte):
        """Take one byte, 0..255, from the line."""
        v = self.v
        if v[_CLOSED]:
            return
        got = self.reader.feed(byte)
        if got == wire.QUIET:
            return
        if got == wire.NOISE:
            self.noise += 1
            return
        op = self.reader.v[0]
        if wire.ROW[op] < wire.REPLIES:
            self._command(op)
        else:
            self._reply(op)
        if v[_WANT] or v[_WANT2]:
            self._pump()

    def rx_damaged(self):
        """A byte has come that the receiver has marked: parity, framing, overrun. It is no byte of a frame, and what it
        belongs to is dropped (D17)."""
        if not self.v[_CLOSED]:
            self.damaged += 1
            self.v[_DOUBT] = 1
            self.reader.damage()

    def calm(self, ms):
        """Nothing has come for at least `ms` milliseconds: for an owner whose clock is finer than the tick, while
        `wants_calm`."""
        if ms < CALM_MS:
            return
        self.reader.calm()
        v = self.v
        if v[_GUARD]:
            v[_GUARD] = 0
            self._pump()

    def tick(self):
        """One tick of 54.925 ms has passed."""
        v = self.v
        if v[_CLOSED]:
            return
        if self.reader.tick():
            self.dropped += 1
        self._older(_QUIET)
        self._older(_LAST_AGE)
        self._older(_AGE)
        self._older(_SINCE)
        if v[_GUARD]:
            v[_GUARD] -= 1
        if v[_STATE] == BROKEN_OFF:
            if v[_BROKE_AGE]:
                v[_BROKE_AGE] += 1
                if v[_BROKE_AGE] > wire.REPLY_TICKS + 1:
                    v[_BROKE_AGE] = 0
                    if v[_KEY]:
                        self._leave(EV_IDLE)
            return
        if v[_LISTENING]:
            v[_LISTENING] -= 1
            if not v[_LISTENING]:
                v[_ROLE] = wire.MASTER
                v[_SINCE] = wire.SYNC_TICKS
                self._event(EV_ROLE, wire.MASTER, 0)
        self._sync()
        self._expect_reply()
        self._expect_life()
        self._expect_end()
        self._pump()

    # Orders.

    def nick(self, text, size):
        """Set the nick to `size` (1..10) bytes of `text`; it is sent once in state 1, at once if that has passed."""
        if not 1 <= size <= wire.NICK_MAX:
            return OUT_OF_RANGE
        for i in range(size):
            self._nick[i] = text[i]
        self._nick_len = size
        if self.v[_NICK_SENT]:
            self.v[_WANT2] |= _W_NICK
            self._pump()
        return DONE

    def offer(self, size, n4, n3, n2, n1):
        """Master in state 1: send the parameters and begin the placing. Cells a side 6..10, ships of four, three,
        two and one decks 0..1, 0..2, 0..5, 1..10."""
        v = self.v
        if v[_ROLE] != wire.MASTER:
            return NOT_YOURS
        if v[_STATE] != 1 or v[_WANT] & (_W_OFFER | _W_PLACE) or v[_BUSY] == wire.PARAMS or v[_BUSY] == wire.PLACE:
            return NOT_NOW
        if check(size, n4, n3, n2, n1):
            return OUT_OF_RANGE
        v[_OFFER] = size
        v[_OFFER + 1] = n4
        v[_OFFER + 2] = n3
        v[_OFFER + 3] = n2
        v[_OFFER + 4] = n1
        v[_WANT] |= _W_OFFER
        self._pump()
        return DONE

    def ready(self):
        """Our ships are placed. A slave that is ready first waits for the master by itself."""
        v = self.v
        state = v[_STATE]
        if state != 2 and not (state == 3 and v[_ROLE] == wire.SLAVE) or v[_WANT] & _W_READY:
            return NOT_NOW
        if v[_BUSY] == wire.MASTER_READY or v[_BUSY] == wire.SLAVE_READY:
            return NOT_NOW
        v[_WANT] |= _W_READY
        self._pump()
        return DONE

    def shoot(self, x, y):
        """Shoot at column x, row y, both 1..size, while `mine`."""
        v = self.v
        if not self.mine:
            return NOT_NOW
        if not (1 <= x <= v[_SIZE] and 1 <= y <= v[_SIZE]):
            return OUT_OF_RANGE
        v[_SHOT_X] = x
        v[_SHOT_Y] = y
        v[_WANT] |= _W_SHOT
        self._pump()
        return DONE

    def answer(self, code):
        """Answer the shot of EV_SHOT with MISS, HIT, SUNK or REPEAT."""
        v = self.v
        if not v[_OWED]:
            return NOT_NOW
        if wire.ROW[code] != wire.ROW[wire.MISS]:
            return OUT_OF_RANGE
        cell = v[_OWED]
        v[_OWED] = 0
        self._answer(code)
        if v[_CROSSED]:
            v[_CROSSED] = wire.crossing(v[_CROSSED], code)
        self._told_answer(cell, code)
        if code == wire.HIT or code == wire.SUNK:
            v[_MY_LOSS] += 1
            if v[_MY_LOSS] == v[_DECKS]:
                v[_WINNER] = self._peer()
                v[_LOST_AGE] = 1
        else:
            v[_TURN] = v[_ROLE]
        if v[_WANT] or v[_WANT2]:
            self._pump()
        return DONE

    def surrender(self):
        """Give up the game (states 1 to 4)."""
        v = self.v
        if not 1 <= v[_STATE] <= 4 or v[_WINNER] or v[_HUNG] or v[_BUSY] == wire.SURRENDER:
            return NOT_NOW
        v[_WANT] = v[_WANT] & _W_WON | _W_SURRENDER
        self._pump()
        return DONE

    def restart(self):
        """Master in states 2, 3 and 9: back to state 1."""
        v = self.v
        if v[_ROLE] != wire.MASTER:
            return NOT_YOURS
        if not wire.may_send(wire.RESTART, wire.MASTER, v[_STATE]) or v[_HUNG] or v[_BUSY] == wire.RESTART:
            return NOT_NOW
        v[_WANT] = _W_RESTART
        self._pump()
        return DONE

    def say(self, text, size):
        """Send `size` (1..64) bytes of `text` as chat; refused until the peer has answered the probe (D11)."""
        v = self.v
        if not 1 <= size <= wire.TEXT_MAX:
            return OUT_OF_RANGE
        if v[_CHAT] != CHAT_YES:
            return NO_CHAT
        if v[_WANT2] & _W_TEXT or v[_BUSY] == wire.CHAT or not 1 <= v[_STATE] <= 9 or v[_STATE] == BROKEN_OFF:
            return NOT_NOW
        for i in range(size):
            self._say[i] = text[i]
        self._say_len = size
        v[_WANT2] |= _W_TEXT
        self._pump()
        return DONE

    def probe(self):
        """Ask in state 1 already whether the peer has chat (D11); without this it is asked when the placing begins."""
        v = self.v
        if v[_CHAT] != CHAT_UNKNOWN or not 1 <= v[_STATE] <= 9 or v[_STATE] == BROKEN_OFF:
            return NOT_NOW
        v[_WANT2] |= _W_PROBE
        self._pump()
        return DONE

    def goodbye(self):
        """Leave for good. EV_CLOSED follows when the peer has answered, or 60 ticks later at the most for each wait."""
        self._decide()
        self.v[_WANT2] = _W_GOODBYE
        self._pump()
        return DONE

    def cut(self):
        """The line is gone for good: nothing more will be said or heard. EV_CLOSED follows at once."""
        if not self.v[_CLOSED]:
            self._close()
        return DONE

    def key(self):
        """The person has seen EV_TIMEOUT, EV_BROKEN or EV_ACCUSED and goes on: state 0, after a timeout with A0."""
        v = self.v
        if v[_HUNG]:
            self._send(wire.TIMED_OUT)
            self._leave(EV_IDLE)
        elif v[_STATE] != BROKEN_OFF:
            return NOT_NOW
        elif v[_BROKE_AGE]:
            v[_KEY] = 1
        else:
            self._leave(EV_IDLE)
        return DONE

    def accuse(self, reason, earlier=0, answer=0):
        """The answer that the last EV_ANSWER has told of is provably false (D9): A8, with the reason R_*. earlier,
        answer: the cell, 16 * row + column, of an earlier shot and its answer, which contradict it, where one does."""
        v = self.v
        if v[_STATE] != 4:
            return NOT_NOW
        cell = self.told[TOLD_CELL]
        false = self.told[TOLD_ANSWER]
        v[_WINNER] = v[_ROLE]
        self._over(WE_WON, BY_PROOF)
        self._broken_off()
        self._send(wire.BROKEN)
        v[_BROKE_AGE] = 1
        i = self._event(EV_BROKEN, wire.SHOT, reason)
        self._tell(i, cell, false)
        self.queue[i + TOLD_EARLIER] = earlier
        self.queue[i + TOLD_EARLIER_ANSWER] = answer
        return DONE

    # Inside: the peer's commands.

    def _command(self, op):
        v = self.v
        state = v[_STATE]
        if not v[_ROLE]:
            # An AUTO that listens: a sync makes it the slave, everything else is not meant for it.
            if op != wire.SYNC:
                self.strays += 1
                return
            v[_LISTENING] = 0
            v[_ROLE] = wire.SLAVE
            self._event(EV_ROLE, wire.SLAVE, 0)
        if state == BROKEN_OFF:
            self._command_broken(op)
            return
        if op == wire.SYNC:
            if v[_ROLE] == wire.SLAVE:
                self._send(wire.SYNCED)
                self._heard()
                return
            if state == 0:
                self._rival()
                return
        # Most shots differ from the one before in what is compared first.
        same = op == v[_LAST] and v[_LAST_SIGN] == self.reader.sign & 255 and self._same_sign()
        # What comes before the reply has to be short.
        if v[_CROSSED]:
            crossed = v[_CROSSED]
            v[_CROSSED] = wire.crossing(crossed, op)
            if same and crossed == wire.CROSSED:
                self._repeat()
                return
        why = wire.illegal(op, wire.BOTH ^ v[_ROLE], state, v[_TURN], v[_WINNER])
        if not why and (v[_OWED] or self.reader.v[2] or op == wire.PLACE):
            why = self._unfit(op)
        if why:
            if same and wire.repeats(op, wire.BOTH ^ v[_ROLE], v[_LAST_AGE], v[_MOVED]):
                self._repeat()
            elif op == wire.RESTART and wire.tolerated(op, self._peer(), state):
                self.deviations += 1
                self._heard()
                self._odd_restart()
            elif state == 0:
                self.strays += 1
                if op == wire.GOODBYE or op == wire.BROKEN:
                    self._forget(0)
                    self._send(wire.exchange(op)[wire.REPLY])
            elif v[_DOUBT]:
                # It may be what was damaged that makes it so (D17).
                self.strays += 1
                self._heard()
            else:
                self._break(op, why)
            return
        v[_LAST] = op
        v[_LAST_REPLY] = v[_MOVED] = 0
        # The reply goes first: what follows takes its time.
        if op == wire.SHOT:
            d = self.reader.data
            v[_OWED] = d[1] << 4 | d[0]
            if self.judge:
                self.judge()
        elif op == wire.PARAMS:
            d = self.reader.data
            for i in range(5):
                v[_RAW + i] = d[i]
            self._answer(_ECHO)
        else:
            if op == wire.CHAT and self._queued(EV_CHAT):
                # The text before is not read yet. Who gets no 3B knows that this one was not taken.
                self.dropped += 1
                v[_LAST] = 0
                return
            self._answer(wire.exchange(op)[wire.REPLY])
        if v[_DOUBT] and op != wire.NICK and op != wire.CHAT:
            v[_DOUBT] = 0
        self._heard()
        v[_LAST_AGE] = 0
        self._keep_sign()
        self._obey(op)

    def _obey(self, op):
        """Do what a legal command says. Its reply is sent already, but for that to a shot which nobody has judged."""
        v = self.v
        if op == wire.SHOT:
            d = self.reader.data
            self._tell(self._event(EV_SHOT, d[0], d[1]), d[1] << 4 | d[0], v[_LAST_REPLY])
            return
        if op == wire.PARAMS:
            self._agree()
        elif op == wire.NICK:
            n = self.reader.size
            if n > NICK_SHOWN:
                n = NICK_SHOWN
            for i in range(n):
                self.peer_nick[i] = self.reader.data[i]
            self.peer_nick_len = n
            if not self._queued(EV_NICK):
                # One nick after another before anybody has looked: the event tells of the last.
                self._event(EV_NICK, 0, 0)
        elif op == wire.CHAT:
            n = self.reader.size
            if n > 1 or n == 1 and self.reader.data[0] != 0x20:
                # Swapped, not copied: 255 bytes would delay the answer to what comes next.
                self.text, self.reader.data = self.reader.data, self.text
                self.text_len = n
                self._event(EV_CHAT, 0, 0)
            elif n and v[_CHAT] == CHAT_UNKNOWN:
                # Who probes has chat itself: asked back at once, it answers at once.
                v[_WANT2] |= _W_PROBE
        elif op == wire.TIMED_OUT:
            if v[_STATE]:
                self._leave(EV_PEER_TIMEOUT)
            else:
                self._forget(0)
        elif op == wire.GOODBYE:
            self._leave(EV_GOODBYE)
        elif op == wire.BROKEN:
            self._decide()
            self._broken_off()
            self._event(EV_ACCUSED, 0, 0)
        elif op == wire.SURRENDER:
            both = v[_BUSY] == wire.SURRENDER
            self._forget(wire.SURRENDER)
            self._over(NO_RESULT if both else WE_WON, BY_SURRENDER)
        elif op == wire.WON:
            self._forget(wire.WON)
            if v[_STATE] != 9:
                self._over(WE_LOST, BY_SHOTS)
        else:
            state = wire.exchange(op)[wire.NEXT]
            if state != wire.SAME:
                self._enter(op, state)

    def _unfit(self, op):
        """Why a command that is legal by its opcode is not by its contents, as R_*, or 0."""
        v = self.v
        d = self.reader.data
        if v[_OWED] and not wire.TIMED_OUT <= op <= wire.BROKEN:
            return wire.R_SECOND
        if op == wire.SHOT:
            if not (1 <= d[0] <= v[_SIZE] and 1 <= d[1] <= v[_SIZE]):
                return wire.R_CELL
        elif op == wire.PARAMS:
            return wire.params_fault(d)
        elif op == wire.PLACE and not v[_VALID]:
            return wire.R_NO_PARAMS
        return 0

    def _command_broken(self, op):
        """A command while a key is awaited after an A8: only what closes the matter is answered."""
        if op == wire.SYNC or not wire.may_send(op, self._peer(), 9) or op == wire.RESTART or op == wire.WON:
            self.strays += 1
            return
        self._send(wire.exchange(op)[wire.REPLY])

    def _rival(self):
        """A master in state 0 hears the sync of another master (D14)."""
        v = self.v
        self.strays += 1
        if v[_WISH] == wire.AUTO and not v[_BUSY]:
            v[_ROLE] = wire.NOBODY
            v[_LISTENING] = _BACK_OFF + self.rng.below(_BACK_OFF_MORE)
            v[_ASKED] = 0

    def _odd_restart(self):
        """A5 where the table has none: by the master in the battle it restarts, by the slave it means that the slave
        is in state 0 (peers.md)."""
        v = self.v
        if v[_ROLE] == wire.SLAVE:
            v[_LAST] = wire.RESTART
            v[_LAST_AGE] = 0
            self._keep_sign()
            self._answer(wire.exchange(wire.RESTART)[wire.REPLY])
            self._enter(wire.RESTART, 1)
        elif v[_STATE]:
            self._leave(EV_PEER_RESET)

    def _repeat(self):
        """The same command once more: the same answer, and nothing changes (D13)."""
        self.repeats += 1
        if self.v[_LAST_AGE] > wire.GAP_TICKS:
            self.deviations += 1
        self._heard()
        reply = self.v[_LAST_REPLY]
        if reply:
            self._answer(reply)

    # Inside: the peer's replies.

    def _reply(self, op):
        v = self.v
        self._heard()
        v[_CROSSED] = wire.crossing(v[_CROSSED], op)
        if op == wire.SYNCED:
            if v[_ROLE] == wire.MASTER and v[_STATE] == 0 and not v[_BUSY]:
                self._ask(wire.MEET)
            return
        if v[_STATE] == BROKEN_OFF:
            if op == wire.exchange(wire.BROKEN)[wire.REPLY] and v[_BROKE_AGE]:
                v[_BROKE_AGE] = 0
                if v[_KEY]:
                    self._leave(EV_IDLE)
            else:
                self.strays += 1
            return
        mine = wire.command_of(op)
        if mine != v[_BUSY]:
            self.strays += 1
            return
        v[_BUSY] = v[_DOUBT] = 0
        v[_MOVED] = 1
        self._found(_NO_REPLY)
        if mine == wire.SHOT:
            self._answered(op)
        elif mine == wire.NICK:
            self._event(EV_NICK_SENT, 0, 0)
        elif mine == wire.CHAT:
            if v[_CHAT] == CHAT_YES:
                self._event(EV_CHAT_SENT, 0, 0)
            else:
                v[_CHAT] = CHAT_YES
                self._event(EV_CHAT_KNOWN, 1, 0)
        elif mine == wire.PARAMS:
            for i in range(5):
                if self.reader.data[i] != v[_RAW + i]:
                    self._break(op, wire.R_ECHO)
                    return
            self._agree()
            v[_WANT] |= _W_PLACE
        elif wire.exchange(mine)[wire.NEXT] != wire.SAME:
            self._granted(mine)

    def _granted(self, mine):
        """The peer has confirmed a command of ours that leads to another state."""
        # What the peer said before belongs to the old state: the same command in the new one is no repeat, but for the
        # A3 of a master that answers A4 while it still repeats that (peers.md).
        if mine != wire.SLAVE_READY:
            self.v[_LAST] = 0
        if mine == wire.SURRENDER:
            self._over(WE_LOST, BY_SURRENDER)
        elif mine == wire.WON:
            self._over(WE_WON, BY_SHOTS)
        elif mine == wire.GOODBYE:
            self._close()
        else:
            self._enter(mine, wire.exchange(mine)[wire.NEXT])

    def _answered(self, code):
        """The answer to our shot."""
        v = self.v
        if code == wire.HIT or code == wire.SUNK:
            v[_ITS_LOSS] += 1
            v[_GUARD] = _HOLD
            if v[_ITS_LOSS] == v[_DECKS]:
                v[_WINNER] = v[_ROLE]
                v[_WANT] |= _W_WON
        else:
            v[_TURN] = self._peer()
        self._tell(self._event(EV_ANSWER, code, 0), v[_SHOT_Y] << 4 | v[_SHOT_X], code)

    # Inside: time.

    def _older(self, i):
        if self.v[i] < 255:
            self.v[i] += 1

    def _sync(self):
        """A master sends something at least every 10 ticks, but never between a command and our answer to it."""
        v = self.v
        if v[_ASKED] and v[_ASKED] < 255:
            v[_ASKED] += 1
        if v[_ROLE] == wire.MASTER and v[_SINCE] >= wire.SYNC_TICKS and not v[_OWED]:
            v[_SINCE] = 0
            if not v[_ASKED]:
                v[_ASKED] = 1
            v[_CROSSED] = wire.crossing(0, wire.SYNC)
            self._send(wire.SYNC)

    def _expect_reply(self):
        v = self.v
        op = v[_BUSY]
        if not op or v[_AGE] <= wire.REPLY_TICKS or v[_HUNG] & _NO_REPLY:
            return
        gone = v[_QUIET] >= v[_AGE]
        wants = wire.exchange(op)[wire.WANTS]
        if op == wire.SURRENDER and gone:
            # Real programs leave at a surrender (peers.md): the game is over, and nobody is there.
            v[_BUSY] = 0
            self._over(WE_LOST, BY_SURRENDER)
            self._leave(EV_LEFT)
        elif wants == wire.HARD:
            self._hang(_NO_REPLY, op)
        else:
            v[_BUSY] = 0
            self._unanswered(op)

    def _unanswered(self, op):
        """A reply whose absence is no error has not come."""
        v = self.v
        if op == wire.NICK:
            self._event(EV_NICK_LOST, 0, 0)
        elif op == wire.WON:
            self._over(WE_WON, BY_SHOTS)
        elif op == wire.GOODBYE:
            self._close()
        elif v[_CHAT] == CHAT_PROBING:
            v[_CHAT] = CHAT_NO
            self._event(EV_CHAT_KNOWN, 0, 0)
        else:
            self._event(EV_CHAT_LOST, 0, 0)

    def _expect_life(self):
        """A slave wants to hear the master, a master wants its syncs answered."""
        v = self.v
        if not v[_STATE] or v[_HUNG] & _SILENT:
            return
        if v[_ROLE] == wire.SLAVE:
            if v[_QUIET] <= wire.REPLY_TICKS:
                return
        elif v[_ASKED] <= wire.REPLY_TICKS + 1:
            return
        if v[_BUSY] == wire.GOODBYE:
            self._close()
        elif v[_STATE] == 9 or v[_WINNER]:
            self._leave(EV_LEFT)
        else:
            self._hang(_SILENT, 0)

    def _expect_end(self):
        """D10: the winner's A9 may stay away, the loser knows by its own count."""
        v = self.v
        if v[_LOST_AGE]:
            v[_LOST_AGE] += 1
            if v[_LOST_AGE] > wire.REPLY_TICKS + 1:
                self._forget(wire.WON)
                self._over(WE_LOST, BY_SHOTS)

    def _hang(self, flag, op):
        self.v[_HUNG] |= flag
        self._event(EV_TIMEOUT, op, 0)

    def _heard(self):
        v = self.v
        v[_QUIET] = v[_ASKED] = 0
        if v[_HUNG]:
            self._found(_SILENT)

    def _found(self, flag):
        """What was missing has come before the key."""
        v = self.v
        if v[_HUNG] & flag:
            v[_HUNG] &= ~flag
            if not v[_HUNG]:
                self._event(EV_RESUMED, 0, 0)

    # Inside: sending.

    def _pump(self):
        """Send what waits, one command at a time."""
        v = self.v
        w = v[_WANT2]
        if w & _W_GOODBYE:
            self._pump_goodbye()
            return
        state = v[_STATE]
        if v[_BUSY] or v[_HUNG] or v[_OWED] or state == 0 or state == BROKEN_OFF:
            return
        g = v[_WANT]
        if g & _W_WON:
            if v[_EV_HEAD] == v[_EV_TAIL]:
                v[_WANT] = g & ~_W_WON
                self._ask(wire.WON)
        elif g & _W_SURRENDER:
            v[_WANT] = 0
            self._ask(wire.SURRENDER)
        elif g & _W_RESTART:
            v[_WANT] = 0
            self._ask(wire.RESTART)
        elif w & _W_NICK:
            v[_WANT2] = w & ~_W_NICK
            v[_NICK_SENT] = 1
            self._ask(wire.NICK)
        elif w & _W_PROBE:
            v[_WANT2] = w & ~_W_PROBE
            v[_CHAT] = CHAT_PROBING
            self._ask(wire.CHAT)
        elif g & _W_OFFER:
            v[_WANT] = g & ~_W_OFFER
            self._ask(wire.PARAMS)
        elif g & _W_PLACE:
            v[_WANT] = g & ~_W_PLACE
            self._ask(wire.PLACE)
        elif g & _W_READY and state == (2 if v[_ROLE] == wire.MASTER else 3):
            v[_WANT] = g & ~_W_READY
            self._ask(wire.MASTER_READY if v[_ROLE] == wire.MASTER else wire.SLAVE_READY)
        elif g & _W_SHOT and state == 4 and v[_TURN] == v[_ROLE] and not v[_GUARD]:
            v[_WANT] = g & ~_W_SHOT
            self._ask(wire.SHOT)
        elif w & _W_TEXT:
            v[_WANT2] = w & ~_W_TEXT
            self._ask(wire.CHAT)

    def _pump_goodbye(self):
        v = self.v
        if v[_BUSY] == wire.GOODBYE:
            return
        if v[_STATE] == 0 or v[_STATE] == BROKEN_OFF:
            self._close()
        elif (not v[_BUSY] or v[_HUNG]) and not v[_OWED]:
            v[_HUNG] = 0
            v[_WANT] = 0
            self._ask(wire.GOODBYE)

    def _ask(self, op):
        """Send a command of ours and begin to wait for its reply."""
        v = self.v
        v[_BUSY] = op
        v[_AGE] = 0
        if op == wire.NICK:
            room = self._room(2 + self._nick_len)
            if room:
                self._put(op)
                self._put(self._nick_len)
                for i in range(self._nick_len):
                    self._put(self._nick[i])
        elif op == wire.CHAT:
            if v[_CHAT] == CHAT_PROBING:
                if self._room(3):
                    self._put(op)
                    self._put(1)
                    self._put(0x20)
            elif self._room(2 + self._say_len):
                self._put(op)
                self._put(self._say_len)
                for i in range(self._say_len):
                    self._put(self._say[i])
        elif op == wire.PARAMS:
            for i in range(5):
                n = v[_OFFER + i]
                v[_RAW + i] = n | (5 - i) << 4 if self.tagged and i else n
            if self._room(6):
                self._put(op)
                for i in range(5):
                    self._put(v[_RAW + i])
        elif op == wire.SHOT:
            if self._room(3):
                self._put(op)
                self._put(v[_SHOT_X])
                self._put(v[_SHOT_Y])
        else:
            self._send(op)
        v[_SINCE] = 0

    def _answer(self, code):
        """Reply to the peer's last command, and remember the reply for a repeat."""
        v = self.v
        v[_LAST_REPLY] = code
        v[_LAST_AGE] = 0
        if code != _ECHO:
            self._send(code)
        elif self._room(6):
            self._send(code)
            for i in range(5):
                self._send(v[_RAW + i])

    def _send(self, byte):
        """A frame of one byte; not sent where there is no room, see _room()."""
        v = self.v
        i = v[_OUT_HEAD]
        urgent = self.urgent
        if urgent and i == v[_OUT_TAIL]:
            urgent(byte)
            return
        n = (i + 1) & 255
        if n != v[_OUT_TAIL]:
            self.out[i] = byte
            v[_OUT_HEAD] = n
            if urgent:
                # behind what waits already
                byte = self.tx()
                while byte >= 0:
                    urgent(byte)
                    byte = self.tx()

    def _room(self, n):
        """True if a frame of n bytes fits; else it is not sent at all, as if the line had lost it."""
        v = self.v
        return ((v[_OUT_TAIL] - v[_OUT_HEAD] - 1) & 255) >= n

    def _put(self, byte):
        v = self.v
        i = v[_OUT_HEAD]
        self.out[i] = byte
        v[_OUT_HEAD] = (i + 1) & 255

    # Inside: states.

    def _peer(self):
        return wire.BOTH ^ self.v[_ROLE]

    def _event(self, code, a, b):
        """Queue an event; where it is in the queue, for what else it has to tell. If there is no room it is lost."""
        v = self.v
        i = v[_EV_HEAD]
        q = self.queue
        q[i] = code
        q[i + 1] = a
        q[i + 2] = b
        q[i + TOLD_ROLE] = v[_ROLE]
        q[i + TOLD_CELL] = q[i + TOLD_ANSWER] = q[i + TOLD_EARLIER] = q[i + TOLD_EARLIER_ANSWER] = 0
        n = i + TOLD_BYTES
        if n == _EVENT_ROOM:
            n = 0
        if n != v[_EV_TAIL]:
            v[_EV_HEAD] = n
        return i

    def _tell(self, i, cell, answer):
        self.queue[i + TOLD_CELL] = cell
        self.queue[i + TOLD_ANSWER] = answer

    def _queued(self, code):
        """Whether an event of this code is still to be told."""
        v = self.v
        i = v[_EV_TAIL]
        while i != v[_EV_HEAD]:
            if self.queue[i] == code:
                return True
            i += TOLD_BYTES
            if i == _EVENT_ROOM:
                i = 0
        return False

    def _told_answer(self, cell, code):
        """The shot at the cell is answered: its event tells that too."""
        v = self.v
        told = self.told
        if told[0] == EV_SHOT and told[TOLD_CELL] == cell and not told[TOLD_ANSWER]:
            told[TOLD_ANSWER] = code
        i = v[_EV_TAIL]
        q = self.queue
        while i != v[_EV_HEAD]:
            if q[i] == EV_SHOT and not q[i + TOLD_ANSWER]:
                q[i + TOLD_ANSWER] = code
            i += TOLD_BYTES
            if i == _EVENT_ROOM:
                i = 0

    def _same_sign(self):
        v = self.v
        s = self.reader.sign
        return v[_LAST_SIGN] == s & 255 and v[_LAST_SIGN + 1] == (s >> 8) & 255 and v[_LAST_SIGN + 2] == s >> 16

    def _keep_sign(self):
        v = self.v
        s = self.reader.sign
        v[_LAST_SIGN] = s & 255
        v[_LAST_SIGN + 1] = (s >> 8) & 255
        v[_LAST_SIGN + 2] = s >> 16

    def _agree(self):
        """The parameters in _RAW are agreed."""
        v = self.v
        v[_SIZE] = v[_RAW]
        decks = 0
        for i in range(1, 5):
            n = wire.count_of(5 - i, v[_RAW + i])
            v[_SIZE + i] = n
            decks += n * (5 - i)
        v[_DECKS] = decks
        v[_VALID] = 1
        i = self._event(EV_PARAMS, 0, 0)
        self._tell(i, v[_SIZE], v[_N4] << 4 | v[_N3])
        self.queue[i + TOLD_EARLIER] = v[_N2] << 4 | v[_N1]

    def _enter(self, op, state):
        """The exchange of `op` leads to `state` (1..4)."""
        v = self.v
        self._decide()
        v[_STATE] = state
        if op == wire.MEET:
            if self._nick_len:
                v[_WANT2] |= _W_NICK
            self._event(EV_MET, 0, 0)
        elif op == wire.RESTART:
            self._forget(wire.RESTART)
            self._clear_game()
            self._event(EV_RESTART, 0, 0)
        elif op == wire.PLACE:
            self._clear_game()
            if v[_CHAT] == CHAT_UNKNOWN:
                v[_WANT2] |= _W_PROBE
            self._event(EV_PLACING, 0, 0)
        elif op == wire.MASTER_READY:
            self._event(EV_MASTER_READY, 0, 0)
        else:
            v[_TURN] = wire.MASTER
            self._event(EV_BATTLE, 0, 0)

    def _clear_game(self):
        v = self.v
        v[_TURN] = v[_WINNER] = v[_MY_LOSS] = v[_ITS_LOSS] = v[_LOST_AGE] = v[_OWED] = 0
        v[_SHOT_X] = v[_SHOT_Y] = v[_GUARD] = 0

    def _over(self, result, how):
        v = self.v
        if v[_STATE] == 9:
            return
        # Who has hit every deck has won, whatever crossed on the line.
        if v[_WINNER] and how != BY_PROOF:
            result = WE_WON if v[_WINNER] == v[_ROLE] else WE_LOST
            how = BY_SHOTS
        v[_STATE] = 9
        v[_TURN] = v[_LOST_AGE] = 0
        v[_WANT] &= _W_RESTART
        self.games = (self.games + 1) & 255
        self._event(EV_OVER, result, how)

    def _decide(self):
        """A fleet that is sunk decides, whatever comes in place of A9 or 9A (D10)."""
        v = self.v
        if v[_STATE] == 4 and v[_WINNER]:
            self._over(WE_WON, BY_SHOTS)

    def _forget(self, by):
        """The peer's command `by` (0: whatever led to state 0) ends what ours was about (D4)."""
        v = self.v
        op = v[_BUSY]
        keep = op == wire.GOODBYE
        if by:
            keep = keep or op == wire.NICK or op == wire.CHAT or op == wire.RESTART and by != wire.RESTART
        if not keep:
            v[_BUSY] = 0
            self._found(_NO_REPLY)
        v[_WANT] = v[_WANT] & _W_RESTART if by and by != wire.RESTART else 0
        v[_OWED] = 0

    def _break(self, op, reason):
        """The peer broke the protocol with a frame: say so, and wait for a key."""
        d = self.reader.data
        self._decide()
        self._broken_off()
        self._send(wire.BROKEN)
        self.v[_BROKE_AGE] = 1
        i = self._event(EV_BROKEN, op, reason)
        if op == wire.SHOT and 0 < d[0] < 16 and 0 < d[1] < 16:
            self._tell(i, d[1] << 4 | d[0], 0)

    def _broken_off(self):
        v = self.v
        self._clear_game()
        v[_STATE] = BROKEN_OFF
        v[_BUSY] = v[_HUNG] = v[_WANT] = v[_KEY] = v[_BROKE_AGE] = 0
        if v[_WANT2] & _W_GOODBYE:
            self._close()

    def _leave(self, event):
        """To state 0, and say why."""
        going = self.v[_WANT2] & _W_GOODBYE
        self._decide()
        self._idle()
        self._event(event, 0, 0)
        if going:
            self._close()

    def _idle(self):
        v = self.v
        self._clear_game()
        for i in range(_VALID, _DECKS + 1):
            v[i] = 0
        v[_STATE] = v[_BUSY] = v[_HUNG] = v[_WANT] = v[_WANT2] = v[_CHAT] = v[_NICK_SENT] = 0
        v[_SIZE] = v[_N4] = v[_N3] = v[_N2] = v[_N1] = 0
        v[_ASKED] = v[_QUIET] = v[_BROKE_AGE] = v[_KEY] = v[_LAST] = v[_DOUBT] = 0
        v[_SINCE] = wire.SYNC_TICKS

    def _close(self):
        v = self.v
        self._decide()
        self._idle()
        v[_CLOSED] = 1
        self._event(EV_CLOSED, 0, 0)
