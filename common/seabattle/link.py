"""One side of a session: bytes and ticks in, bytes and events out.

A Link contains no port, no clock and no field. Its owner

- passes in every byte received, `rx(byte)`, and calls `tick()` once every tick (54.925 ms),
- sends what `tx()` returns until that is -1,
- reads `event()` until that is EV_NONE; `a`, `b` and `details` hold more of it. A shot can be answered before its event
  is read: see `asked`,
- gives orders: `offer`, `ready`, `shoot`, ... An order returns DONE, to be sent in its turn, or why it is refused.

wire.py says which command is legal, what answers it and what follows; link_peer.py handles the peer's frames,
link_moves.py states and sending, link_state.py holds the state. Nothing is allocated after construction, and all state
is in the bytearrays `v`, `out`, `queue` and the reader's, which a model checker can save, hash and restore.
"""

from . import wire
from .const import TYPE_CHECKING
from .fleet import check
from .link_codes import (  # noqa: F401  (all that users of a link need)
    BROKEN_OFF,
    BY_PROOF,
    BY_SHOTS,
    BY_SURRENDER,
    CALM_MS,
    CHAT_NO,
    CHAT_PROBING,
    CHAT_UNKNOWN,
    CHAT_YES,
    DONE,
    EV_ACCUSED,
    EV_ANSWER,
    EV_BATTLE,
    EV_BROKEN,
    EV_CHAT,
    EV_CHAT_KNOWN,
    EV_CHAT_LOST,
    EV_CHAT_SENT,
    EV_CLOSED,
    EV_GOODBYE,
    EV_IDLE,
    EV_LEFT,
    EV_MASTER_READY,
    EV_MET,
    EV_NICK,
    EV_NICK_LOST,
    EV_NICK_SENT,
    EV_NONE,
    EV_OVER,
    EV_PARAMS,
    EV_PEER_RESET,
    EV_PEER_TIMEOUT,
    EV_PLACING,
    EV_RESTART,
    EV_RESUMED,
    EV_ROLE,
    EV_SHOT,
    EV_TIMEOUT,
    EVENT_ANSWER,
    EVENT_BYTES,
    EVENT_CELL,
    EVENT_EARLIER,
    EVENT_EARLIER_ANSWER,
    EVENT_ROLE,
    EVENT_ROOM,
    EVENTS,
    LISTEN,
    LISTEN_MORE,
    NO_CHAT,
    NO_REPLY,
    NO_RESULT,
    NOT_NOW,
    NOT_YOURS,
    OUT_OF_RANGE,
    SILENT,
    V_AGE,
    V_ASKED,
    V_BROKE_AGE,
    V_BUSY,
    V_CHAT,
    V_CLOSED,
    V_CROSSED,
    V_DECKS,
    V_DOUBT,
    V_EV_HEAD,
    V_EV_TAIL,
    V_GUARD,
    V_HUNG,
    V_KEY,
    V_LAST_AGE,
    V_LISTENING,
    V_LOST_AGE,
    V_MY_LOSS,
    V_NICK_SENT,
    V_OFFER,
    V_OWED,
    V_QUIET,
    V_ROLE,
    V_SHOT_X,
    V_SHOT_Y,
    V_SINCE,
    V_SIZE,
    V_STATE,
    V_TOP,
    V_TURN,
    V_WANT,
    V_WANT2,
    V_WINNER,
    V_WISH,
    W_GOODBYE,
    W_NICK,
    W_OFFER,
    W_PLACE,
    W_PROBE,
    W_READY,
    W_RESTART,
    W_SHOT,
    W_SURRENDER,
    W_TEXT,
    W_WON,
    WE_LOST,
    WE_WON,
    event_param,
)
from .link_peer import LinkPeer

if TYPE_CHECKING:
    from .rng import Rng


class Link(LinkPeer):
    """One side of a session. role: wire.MASTER, wire.SLAVE or wire.AUTO. rng: used only by AUTO."""

    def __init__(self, role: int, rng: "Rng") -> None:
        super().__init__(rng)
        self.open(role)

    def open(self, role: int) -> None:
        """Start afresh in state 0 as `role`; the nick is kept."""
        v = self.v
        for i in range(V_TOP):
            v[i] = 0
        self.reader.reset()
        v[V_WISH] = role
        self.noise = self.dropped = self.damaged = self.strays = self.repeats = self.deviations = 0
        self.peer_nick_len = self.text_len = self._chat_size = 0
        if role == wire.AUTO:
            v[V_LISTENING] = LISTEN + self.rng.below(LISTEN_MORE)
        else:
            v[V_ROLE] = role
        self._idle()

    # Bytes and events

    def event(self) -> int:
        """Return the next event, EV_NONE if there is none; more of it is in `a`, `b` and `details`."""
        v = self.v
        i = v[V_EV_TAIL]
        if i == v[V_EV_HEAD]:
            # The owner has seen the answer that ended the game and did not call it false: A9 may be sent.
            if v[V_WANT] & W_WON:
                self._pump()
            return EV_NONE
        q = self.queue
        event = self.details
        event[0] = code = q[i]
        event[1] = self.a = q[i + 1]
        event[2] = self.b = q[i + 2]
        event[3] = q[i + 3]
        event[4] = q[i + 4]
        event[5] = q[i + 5]
        event[6] = q[i + 6]
        event[7] = q[i + 7]
        i += EVENT_BYTES
        v[V_EV_TAIL] = 0 if i == EVENT_ROOM else i
        return code

    def rx(self, byte: int) -> None:
        """Receive one byte, 0..255, from the line."""
        v = self.v
        if v[V_CLOSED]:
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
        if v[V_WANT] or v[V_WANT2]:
            self._pump()

    def rx_damaged(self) -> None:
        """Receive a byte marked with a parity, framing or overrun error: it and its frame are dropped."""
        if not self.v[V_CLOSED]:
            self.damaged += 1
            self.v[V_DOUBT] = 1
            self.reader.damage()

    def calm(self, ms: int) -> None:
        """Report a quiet line for at least `ms` ms: for clocks finer than the tick, while `wants_calm`."""
        if ms < CALM_MS:
            return
        self.reader.calm()
        v = self.v
        if v[V_GUARD]:
            v[V_GUARD] = 0
            self._pump()

    # Time

    def tick(self) -> None:
        """Advance the clock by one tick of 54.925 ms."""
        v = self.v
        if v[V_CLOSED]:
            return
        if self.reader.tick():
            self.dropped += 1
        if v[V_QUIET] < 255:
            v[V_QUIET] += 1
        if v[V_LAST_AGE] < 255:
            v[V_LAST_AGE] += 1
        if v[V_AGE] < 255:
            v[V_AGE] += 1
        if v[V_SINCE] < 255:
            v[V_SINCE] += 1
        if v[V_GUARD]:
            v[V_GUARD] -= 1
        if v[V_STATE] == BROKEN_OFF:
            if v[V_BROKE_AGE]:
                v[V_BROKE_AGE] = (v[V_BROKE_AGE] + 1) % (wire.REPLY_TICKS + 2)
                if not v[V_BROKE_AGE] and v[V_KEY]:
                    self._leave(EV_IDLE)
            return
        if v[V_LISTENING]:
            v[V_LISTENING] -= 1
            if not v[V_LISTENING]:
                v[V_ROLE] = wire.MASTER
                v[V_SINCE] = wire.SYNC_TICKS
                self._event(EV_ROLE, wire.MASTER, 0)
        if v[V_ASKED] and v[V_ASKED] < 255:
            v[V_ASKED] += 1
        if v[V_SINCE] >= wire.SYNC_TICKS and v[V_ROLE] == wire.MASTER and not v[V_OWED]:
            self._sync()
        if v[V_AGE] > wire.REPLY_TICKS and v[V_BUSY] and not v[V_HUNG] & NO_REPLY:
            self._miss_reply(v[V_BUSY])
        if v[V_QUIET] > wire.REPLY_TICKS or v[V_ASKED] > wire.REPLY_TICKS:
            self._expect_life()
        if v[V_LOST_AGE]:
            self._expect_end()
        if v[V_WANT] or v[V_WANT2]:
            self._pump()

    def _sync(self) -> None:
        """Send a sync: a master sends something every 10 ticks, but never between a command and its answer to it."""
        v = self.v
        v[V_SINCE] = 0
        if not v[V_ASKED]:
            v[V_ASKED] = 1
        v[V_CROSSED] = wire.crossing(0, wire.SYNC)
        self._send(wire.SYNC)

    def _miss_reply(self, op: int) -> None:
        """Handle a reply to our command that did not come in time."""
        v = self.v
        gone = v[V_QUIET] >= v[V_AGE]
        wants = wire.exchange(op)[wire.WANTS]
        if op == wire.SURRENDER and gone:
            # Real programs leave after a surrender: the game is over, and nobody is there.
            v[V_BUSY] = 0
            self._over(WE_LOST, BY_SURRENDER)
            self._leave(EV_LEFT)
        elif wants == wire.HARD:
            self._hang(NO_REPLY, op)
        else:
            v[V_BUSY] = 0
            self._unanswered(op)

    def _unanswered(self, op: int) -> None:
        """Handle a missing reply whose absence is no error."""
        v = self.v
        if op == wire.NICK:
            self._event(EV_NICK_LOST, 0, 0)
        elif op == wire.WON:
            self._over(WE_WON, BY_SHOTS)
        elif op == wire.GOODBYE:
            self._close()
        elif v[V_CHAT] == CHAT_PROBING:
            v[V_CHAT] = CHAT_NO
            self._event(EV_CHAT_KNOWN, 0, 0)
        else:
            self._event(EV_CHAT_LOST, 0, 0)

    def _expect_life(self) -> None:
        """Time out a silent peer: a slave expects to hear the master, a master expects answers to its syncs."""
        v = self.v
        if not v[V_STATE] or v[V_HUNG] & SILENT:
            return
        if v[V_ROLE] == wire.SLAVE:
            if v[V_QUIET] <= wire.REPLY_TICKS:
                return
        elif v[V_ASKED] <= wire.REPLY_TICKS + 1:
            return
        if v[V_BUSY] == wire.GOODBYE:
            self._close()
        elif v[V_STATE] == 9 or v[V_WINNER]:
            self._leave(EV_LEFT)
        else:
            self._hang(SILENT, 0)

    def _expect_end(self) -> None:
        """End a lost game without the winner's A9, by our own count."""
        v = self.v
        v[V_LOST_AGE] += 1
        if v[V_LOST_AGE] > wire.REPLY_TICKS + 1:
            self._forget(wire.WON)
            self._over(WE_LOST, BY_SHOTS)

    def _hang(self, flag: int, op: int) -> None:
        v = self.v
        v[V_HUNG] |= flag
        self._event(EV_TIMEOUT, op, 0, v[V_SHOT_Y] << 4 | v[V_SHOT_X] if op == wire.SHOT else 0)

    # Orders

    def nick(self, text: "bytes | bytearray", size: int) -> int:
        """Set the nick to `size` (1..10) bytes of `text`; it is sent once in state 1, or at once if that has passed."""
        if not 1 <= size <= wire.NICK_MAX:
            return OUT_OF_RANGE
        for i in range(size):
            self._nick[i] = text[i]
        self._nick_len = size
        if self.v[V_NICK_SENT]:
            self.v[V_WANT2] |= W_NICK
            self._pump()
        return DONE

    def offer(self, size: int, n4: int, n3: int, n2: int, n1: int) -> int:
        """Master in state 1: send parameters (6..10; 0..1, 0..2, 0..5, 1..10 ships of 4..1 decks), begin placing."""
        v = self.v
        if v[V_ROLE] != wire.MASTER:
            return NOT_YOURS
        if v[V_STATE] != 1 or v[V_WANT] & (W_OFFER | W_PLACE) or v[V_BUSY] == wire.PARAMS or v[V_BUSY] == wire.PLACE:
            return NOT_NOW
        if check(size, n4, n3, n2, n1):
            return OUT_OF_RANGE
        v[V_OFFER] = size
        v[V_OFFER + 1] = n4
        v[V_OFFER + 2] = n3
        v[V_OFFER + 3] = n2
        v[V_OFFER + 4] = n1
        v[V_WANT] |= W_OFFER
        self._pump()
        return DONE

    def ready(self) -> int:
        """Declare our ships placed. A slave that is ready first waits for the master automatically."""
        v = self.v
        state = v[V_STATE]
        if state != 2 and not (state == 3 and v[V_ROLE] == wire.SLAVE) or v[V_WANT] & W_READY:
            return NOT_NOW
        if v[V_BUSY] == wire.MASTER_READY or v[V_BUSY] == wire.SLAVE_READY:
            return NOT_NOW
        v[V_WANT] |= W_READY
        self._pump()
        return DONE

    def shoot(self, x: int, y: int) -> int:
        """Shoot at column x, row y, both 1..size, while `mine`."""
        v = self.v
        if not self.mine:
            return NOT_NOW
        if not (1 <= x <= v[V_SIZE] and 1 <= y <= v[V_SIZE]):
            return OUT_OF_RANGE
        v[V_SHOT_X] = x
        v[V_SHOT_Y] = y
        v[V_WANT] |= W_SHOT
        self._pump()
        return DONE

    def answer(self, code: int) -> int:
        """Answer the shot of EV_SHOT with MISS, HIT, SUNK or REPEAT."""
        v = self.v
        if not v[V_OWED]:
            return NOT_NOW
        if wire.ROW[code] != wire.ROW[wire.MISS]:
            return OUT_OF_RANGE
        cell = v[V_OWED]
        v[V_OWED] = 0
        self._answer(code)
        if v[V_CROSSED]:
            v[V_CROSSED] = wire.crossing(v[V_CROSSED], code)
        self._told_answer(cell, code)
        if code == wire.HIT or code == wire.SUNK:
            v[V_MY_LOSS] += 1
            if v[V_MY_LOSS] == v[V_DECKS]:
                v[V_WINNER] = self._peer()
                v[V_LOST_AGE] = 1
        else:
            v[V_TURN] = v[V_ROLE]
        if v[V_WANT] or v[V_WANT2]:
            self._pump()
        return DONE

    def surrender(self) -> int:
        """Give up the game (states 1 to 4)."""
        v = self.v
        if not 1 <= v[V_STATE] <= 4 or v[V_WINNER] or v[V_HUNG] or v[V_BUSY] == wire.SURRENDER:
            return NOT_NOW
        v[V_WANT] = v[V_WANT] & W_WON | W_SURRENDER
        self._pump()
        return DONE

    def restart(self) -> int:
        """Master in states 2, 3 and 9: return to state 1."""
        v = self.v
        if v[V_ROLE] != wire.MASTER:
            return NOT_YOURS
        if not wire.may_send(wire.RESTART, wire.MASTER, v[V_STATE]) or v[V_HUNG] or v[V_BUSY] == wire.RESTART:
            return NOT_NOW
        v[V_WANT] = W_RESTART
        self._pump()
        return DONE

    def send_chat(self, text: "bytes | bytearray", size: int) -> int:
        """Send `size` (1..64) bytes of `text` as chat; refused until the peer has answered the probe."""
        v = self.v
        if not 1 <= size <= wire.TEXT_MAX:
            return OUT_OF_RANGE
        if v[V_CHAT] != CHAT_YES:
            return NO_CHAT
        if v[V_WANT2] & W_TEXT or v[V_BUSY] == wire.CHAT or not 1 <= v[V_STATE] <= 9 or v[V_STATE] == BROKEN_OFF:
            return NOT_NOW
        for i in range(size):
            self._chat_text[i] = text[i]
        self._chat_size = size
        v[V_WANT2] |= W_TEXT
        self._pump()
        return DONE

    def probe(self) -> int:
        """Ask already in state 1 whether the peer has chat; otherwise the link asks when placing begins."""
        v = self.v
        if v[V_CHAT] != CHAT_UNKNOWN or not 1 <= v[V_STATE] <= 9 or v[V_STATE] == BROKEN_OFF:
            return NOT_NOW
        v[V_WANT2] |= W_PROBE
        self._pump()
        return DONE

    def goodbye(self) -> int:
        """Leave for good. EV_CLOSED follows when the peer has answered, or after at most 60 ticks for each wait."""
        self._decide()
        self.v[V_WANT2] = W_GOODBYE
        self._pump()
        return DONE

    def cut(self) -> int:
        """The line is gone for good: nothing more is sent or received. EV_CLOSED follows at once."""
        if not self.v[V_CLOSED]:
            self._close()
        return DONE

    def key(self) -> int:
        """The player acknowledges EV_TIMEOUT, EV_BROKEN or EV_ACCUSED: go to state 0, after a timeout with A0."""
        v = self.v
        if v[V_HUNG]:
            self._send(wire.TIMED_OUT)
            self._leave(EV_IDLE)
        elif v[V_STATE] != BROKEN_OFF:
            return NOT_NOW
        elif v[V_BROKE_AGE]:
            v[V_KEY] = 1
        else:
            self._leave(EV_IDLE)
        return DONE

    def accuse(self, reason: int, earlier: int = 0, answer: int = 0) -> int:
        """Accuse the peer of a false answer, reported by the last EV_ANSWER: A8, with the reason R_*.

        earlier, answer: the cell, 16 * row + column, of an earlier shot and its answer, if one contradicts it.
        """
        v = self.v
        if v[V_STATE] != 4:
            return NOT_NOW
        event = self.details
        v[V_WINNER] = v[V_ROLE]
        self._over(WE_WON, BY_PROOF)
        self._broken_off()
        self._send(wire.BROKEN)
        v[V_BROKE_AGE] = 1
        i = self._event(EV_BROKEN, wire.SHOT, reason, event[EVENT_CELL], event[EVENT_ANSWER])
        self.queue[i + EVENT_EARLIER] = earlier
        self.queue[i + EVENT_EARLIER_ANSWER] = answer
        self._pump()
        return DONE
