"""State changes of a link, and sending what is pending, one command at a time."""

from . import wire
from .link_codes import (
    BROKEN_OFF,
    BY_PROOF,
    BY_SHOTS,
    CHAT_PROBING,
    CHAT_UNKNOWN,
    EV_BATTLE,
    EV_BROKEN,
    EV_CLOSED,
    EV_MASTER_READY,
    EV_MET,
    EV_OVER,
    EV_PARAMS,
    EV_PLACING,
    EV_RESTART,
    EV_RESUMED,
    EVENT_EARLIER,
    EVENT_EARLIER_ANSWER,
    NO_REPLY,
    SILENT,
    V_AGE,
    V_ASKED,
    V_BROKE_AGE,
    V_BUSY,
    V_CHAT,
    V_CLOSED,
    V_DECKS,
    V_DOUBT,
    V_EV_HEAD,
    V_EV_TAIL,
    V_GUARD,
    V_HUNG,
    V_ITS_LOSS,
    V_KEY,
    V_LAST,
    V_LAST_AGE,
    V_LAST_REPLY,
    V_LAST_SIGN,
    V_LOST_AGE,
    V_MY_LOSS,
    V_N1,
    V_N2,
    V_N3,
    V_N4,
    V_NICK_SENT,
    V_OFFER,
    V_OUT_HEAD,
    V_OWED,
    V_QUIET,
    V_RAW,
    V_ROLE,
    V_SHOT_X,
    V_SHOT_Y,
    V_SINCE,
    V_SIZE,
    V_STATE,
    V_TURN,
    V_VALID,
    V_WANT,
    V_WANT2,
    V_WINNER,
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
)
from .link_state import LinkState

# The reply to B2, the only reply longer than a byte.
ECHO = wire.exchange(wire.PARAMS)[wire.REPLY]


class LinkMoves(LinkState):
    """The part of Link that changes states and sends."""

    # Our pending commands, and replies

    def _pump(self) -> None:
        """Send what is pending, one command at a time."""
        v = self.v
        w = v[V_WANT2]
        if w & W_GOODBYE:
            self._pump_goodbye()
            return
        state = v[V_STATE]
        if v[V_BUSY] or v[V_HUNG] or v[V_OWED] or state == 0 or state == BROKEN_OFF:
            return
        g = v[V_WANT]
        if g & (W_WON | W_SURRENDER | W_RESTART):
            if not g & W_WON:
                v[V_WANT] = 0
                self._ask(wire.SURRENDER if g & W_SURRENDER else wire.RESTART)
            elif v[V_EV_HEAD] == v[V_EV_TAIL]:
                v[V_WANT] = g & ~W_WON
                self._ask(wire.WON)
        elif w & (W_NICK | W_PROBE):
            if w & W_NICK:
                v[V_WANT2] = w & ~W_NICK
                v[V_NICK_SENT] = 1
                self._ask(wire.NICK)
            else:
                v[V_WANT2] = w & ~W_PROBE
                v[V_CHAT] = CHAT_PROBING
                self._ask(wire.CHAT)
        elif g & (W_OFFER | W_PLACE):
            if g & W_OFFER:
                v[V_WANT] = g & ~W_OFFER
                self._ask(wire.PARAMS)
            else:
                v[V_WANT] = g & ~W_PLACE
                self._ask(wire.PLACE)
        elif g & W_READY and state == (2 if v[V_ROLE] == wire.MASTER else 3):
            v[V_WANT] = g & ~W_READY
            self._ask(wire.MASTER_READY if v[V_ROLE] == wire.MASTER else wire.SLAVE_READY)
        elif g & W_SHOT and state == 4 and v[V_TURN] == v[V_ROLE] and not v[V_GUARD]:
            v[V_WANT] = g & ~W_SHOT
            self._ask(wire.SHOT)
        elif w & W_TEXT:
            v[V_WANT2] = w & ~W_TEXT
            self._ask(wire.CHAT)

    def _pump_goodbye(self) -> None:
        v = self.v
        if v[V_BUSY] == wire.GOODBYE:
            return
        if v[V_STATE] == 0 or v[V_STATE] == BROKEN_OFF:
            self._close()
        elif (not v[V_BUSY] or v[V_HUNG]) and not v[V_OWED]:
            v[V_HUNG] = 0
            v[V_WANT] = 0
            self._ask(wire.GOODBYE)

    def _ask(self, op: int) -> None:
        """Send a command of ours and start waiting for its reply."""
        v = self.v
        v[V_BUSY] = op
        v[V_AGE] = 0
        if op == wire.SHOT:
            if self._room(3):
                i = v[V_OUT_HEAD]
                out = self.out
                out[i] = op
                out[(i + 1) & 255] = v[V_SHOT_X]
                out[(i + 2) & 255] = v[V_SHOT_Y]
                v[V_OUT_HEAD] = (i + 3) & 255
        elif op == wire.NICK:
            if self._room(2 + self._nick_len):
                self._put(op)
                self._put(self._nick_len)
                for i in range(self._nick_len):
                    self._put(self._nick[i])
        elif op == wire.CHAT:
            if v[V_CHAT] == CHAT_PROBING:
                if self._room(3):
                    self._put(op)
                    self._put(1)
                    self._put(0x20)
            elif self._room(2 + self._chat_size):
                self._put(op)
                self._put(self._chat_size)
                for i in range(self._chat_size):
                    self._put(self._chat_text[i])
        elif op == wire.PARAMS:
            for i in range(5):
                n = v[V_OFFER + i]
                v[V_RAW + i] = n | (5 - i) << 4 if self.tagged and i else n
            if self._room(6):
                self._put(op)
                for i in range(5):
                    self._put(v[V_RAW + i])
        else:
            self._send(op)
        v[V_SINCE] = 0

    def _answer(self, code: int) -> None:
        """Reply to the peer's last command, and remember the reply for a repeat."""
        v = self.v
        v[V_LAST_REPLY] = code
        v[V_LAST_AGE] = 0
        if code != ECHO:
            self._send(code)
        elif self._room(6):
            self._send(code)
            for i in range(5):
                self._send(v[V_RAW + i])

    # Signs of life from the peer

    def _peer_active(self) -> None:
        v = self.v
        v[V_QUIET] = v[V_ASKED] = 0
        if v[V_HUNG]:
            self._found(SILENT)

    def _found(self, flag: int) -> None:
        """Resume if what was missing arrives before the key."""
        v = self.v
        if v[V_HUNG] & flag:
            v[V_HUNG] &= ~flag
            if not v[V_HUNG]:
                self._event(EV_RESUMED, 0, 0)

    # The signature of the peer's last command

    def _same_sign(self) -> bool:
        v = self.v
        s = self.reader.sign
        return v[V_LAST_SIGN] == s & 255 and v[V_LAST_SIGN + 1] == (s >> 8) & 255 and v[V_LAST_SIGN + 2] == s >> 16

    def _keep_sign(self) -> None:
        v = self.v
        s = self.reader.sign
        v[V_LAST_SIGN] = s & 255
        v[V_LAST_SIGN + 1] = (s >> 8) & 255
        v[V_LAST_SIGN + 2] = s >> 16

    # States

    def _agree(self) -> None:
        """Take the parameters in V_RAW as agreed."""
        v = self.v
        v[V_SIZE] = v[V_RAW]
        decks = 0
        for i in range(1, 5):
            n = wire.count_of(5 - i, v[V_RAW + i])
            v[V_SIZE + i] = n
            decks += n * (5 - i)
        v[V_DECKS] = decks
        v[V_VALID] = 1
        i = self._event(EV_PARAMS, 0, 0, v[V_SIZE], v[V_N4] << 4 | v[V_N3])
        self.queue[i + EVENT_EARLIER] = v[V_N2] << 4 | v[V_N1]

    def _enter(self, op: int, state: int) -> None:
        """Enter `state` (1..4) after the exchange of `op`."""
        v = self.v
        self._decide()
        v[V_STATE] = state
        if op == wire.MEET:
            if self._nick_len:
                v[V_WANT2] |= W_NICK
            self._event(EV_MET, 0, 0)
        elif op == wire.RESTART:
            self._forget(wire.RESTART)
            self._clear_game()
            self._event(EV_RESTART, 0, 0)
        elif op == wire.PLACE:
            self._clear_game()
            if v[V_CHAT] == CHAT_UNKNOWN:
                v[V_WANT2] |= W_PROBE
            self._event(EV_PLACING, 0, 0)
        elif op == wire.MASTER_READY:
            self._event(EV_MASTER_READY, 0, 0)
        else:
            v[V_TURN] = wire.MASTER
            self._event(EV_BATTLE, 0, 0)

    def _clear_game(self) -> None:
        v = self.v
        v[V_TURN] = v[V_WINNER] = v[V_MY_LOSS] = v[V_ITS_LOSS] = v[V_LOST_AGE] = v[V_OWED] = 0
        v[V_SHOT_X] = v[V_SHOT_Y] = v[V_GUARD] = 0

    def _over(self, result: int, how: int) -> None:
        v = self.v
        if v[V_STATE] == 9:
            return
        # The side that has hit every deck has won, even if other commands crossed on the line.
        if v[V_WINNER] and how != BY_PROOF:
            result = WE_WON if v[V_WINNER] == v[V_ROLE] else WE_LOST
            how = BY_SHOTS
        fought = v[V_STATE] == 4
        v[V_STATE] = 9
        v[V_TURN] = v[V_LOST_AGE] = 0
        v[V_WANT] &= W_RESTART
        self.games = (self.games + fought) & 255
        self._event(EV_OVER, result, how, fought)

    def _decide(self) -> None:
        """End a game whose fleet is sunk, whatever comes instead of A9 or 9A."""
        v = self.v
        if v[V_STATE] == 4 and v[V_WINNER]:
            self._over(WE_WON, BY_SHOTS)

    def _forget(self, by: int) -> None:
        """Forget our pending commands that the peer's command `by` (0: whatever led to state 0) makes pointless."""
        v = self.v
        op = v[V_BUSY]
        keep = op == wire.GOODBYE
        if by:
            keep = keep or op == wire.NICK or op == wire.CHAT or op == wire.RESTART and by != wire.RESTART
        if not keep:
            v[V_BUSY] = 0
            self._found(NO_REPLY)
        v[V_WANT] = v[V_WANT] & W_RESTART if by and by != wire.RESTART else 0
        v[V_OWED] = 0

    def _break(self, op: int, reason: int) -> None:
        """Report a frame by which the peer broke the protocol, and wait for a key."""
        d = self.reader.data
        lost = self._lost_reply(op, reason)
        self._decide()
        self._broken_off()
        self._send(wire.BROKEN)
        if self.v[V_WANT2] & W_GOODBYE:
            # a side about to leave accuses nobody: the frame may be meant for the next opponent
            return
        self.v[V_BROKE_AGE] = 1
        cell = 0
        if reason == wire.R_CELL:
            cell = d[0]
        elif op == wire.SHOT and 0 < d[0] < 16 and 0 < d[1] < 16:
            cell = d[1] << 4 | d[0]
        i = self._event(EV_BROKEN, op, reason, cell)
        if reason == wire.R_CELL:
            self.queue[i + EVENT_EARLIER_ANSWER] = d[1]
        elif lost:
            self.queue[i + EVENT_EARLIER_ANSWER] = lost

    def _lost_reply(self, op: int, reason: int) -> int:
        """Return our outstanding command if the loss of the reply to it explains why the peer sends `op`, else 0."""
        ours = self.v[V_BUSY]
        if not ours:
            return 0
        if reason == wire.R_TURN:
            return ours if ours == wire.SHOT else 0
        after = wire.exchange(ours)[wire.NEXT]
        led = reason == wire.R_STATE and after != wire.SAME and after > 0
        return ours if led and wire.may_send(op, wire.BOTH, after) else 0

    def _broken_off(self) -> None:
        v = self.v
        self._clear_game()
        v[V_STATE] = BROKEN_OFF
        v[V_BUSY] = v[V_HUNG] = v[V_WANT] = v[V_KEY] = v[V_BROKE_AGE] = 0

    def _leave(self, event: int) -> None:
        """Go to state 0 and report why."""
        going = self.v[V_WANT2] & W_GOODBYE
        self._decide()
        self._idle()
        self._event(event, 0, 0)
        if going:
            self._close()

    def _idle(self) -> None:
        v = self.v
        self._clear_game()
        for i in range(V_VALID, V_DECKS + 1):
            v[i] = 0
        v[V_STATE] = v[V_BUSY] = v[V_HUNG] = v[V_WANT] = v[V_WANT2] = v[V_CHAT] = v[V_NICK_SENT] = 0
        v[V_SIZE] = v[V_N4] = v[V_N3] = v[V_N2] = v[V_N1] = 0
        v[V_ASKED] = v[V_QUIET] = v[V_BROKE_AGE] = v[V_KEY] = v[V_LAST] = v[V_DOUBT] = 0
        v[V_SINCE] = wire.SYNC_TICKS

    def _close(self) -> None:
        v = self.v
        self._decide()
        self._idle()
        v[V_CLOSED] = 1
        self._event(EV_CLOSED, 0, 0)
