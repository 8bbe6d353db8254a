"""How a link handles the peer's frames: commands, which it answers, and replies."""

from . import wire
from .link_codes import (
    BACK_OFF,
    BACK_OFF_MORE,
    BROKEN_OFF,
    BY_SHOTS,
    BY_SURRENDER,
    CHAT_UNKNOWN,
    CHAT_YES,
    EV_ACCUSED,
    EV_ANSWER,
    EV_CHAT,
    EV_CHAT_KNOWN,
    EV_CHAT_SENT,
    EV_GOODBYE,
    EV_IDLE,
    EV_NICK,
    EV_NICK_SENT,
    EV_PEER_RESET,
    EV_PEER_TIMEOUT,
    EV_ROLE,
    EV_SHOT,
    HOLD,
    NICK_SHOWN,
    NO_REPLY,
    NO_RESULT,
    V_ASKED,
    V_BROKE_AGE,
    V_BUSY,
    V_CHAT,
    V_CROSSED,
    V_DECKS,
    V_DOUBT,
    V_GUARD,
    V_HUNG,
    V_ITS_LOSS,
    V_KEY,
    V_LAST,
    V_LAST_AGE,
    V_LAST_REPLY,
    V_LAST_SIGN,
    V_LISTENING,
    V_MOVED,
    V_OUT_HEAD,
    V_OUT_TAIL,
    V_OWED,
    V_RAW,
    V_ROLE,
    V_SHOT_X,
    V_SHOT_Y,
    V_SIZE,
    V_STATE,
    V_TURN,
    V_VALID,
    V_WANT,
    V_WANT2,
    V_WINNER,
    V_WISH,
    W_PLACE,
    W_PROBE,
    W_WON,
    WE_LOST,
    WE_WON,
)
from .link_moves import ECHO, LinkMoves


class LinkPeer(LinkMoves):
    """The part of Link that handles frames of the peer."""

    # Commands

    def _command(self, op: int) -> None:
        v = self.v
        state = v[V_STATE]
        if not v[V_ROLE]:
            # A listening AUTO: a sync makes it the slave, nothing else is meant for it.
            if op != wire.SYNC:
                self.strays += 1
                return
            v[V_LISTENING] = 0
            v[V_ROLE] = wire.SLAVE
            self._event(EV_ROLE, wire.SLAVE, 0)
        if state == BROKEN_OFF:
            self._command_broken(op)
            return
        if op == wire.SYNC:
            if v[V_ROLE] == wire.SLAVE:
                self._send(wire.SYNCED)
                self._peer_active()
                return
            if state == 0:
                self._rival()
                return
        # Most shots already differ from the last one in what is compared first.
        same = op == v[V_LAST] and v[V_LAST_SIGN] == self.reader.sign & 255 and self._same_sign()
        # Keep the path to the reply short.
        if same and v[V_OUT_HEAD] != v[V_OUT_TAIL] and self.out[v[V_OUT_HEAD] - 1 & 255] == v[V_LAST_REPLY]:
            # our reply is still unsent, so this is no new command
            self._repeat()
            return
        if v[V_CROSSED]:
            crossed = v[V_CROSSED]
            v[V_CROSSED] = wire.crossing(crossed, op)
            if same and crossed == wire.CROSSED:
                self._repeat()
                return
        why = wire.illegal(op, wire.BOTH ^ v[V_ROLE], state, v[V_TURN], v[V_WINNER])
        if not why and (v[V_OWED] or self.reader.v[2] or op == wire.PLACE):
            why = self._unfit(op)
        if why:
            if same and wire.repeats(op, wire.BOTH ^ v[V_ROLE], v[V_LAST_AGE], v[V_MOVED]):
                self._repeat()
            elif op == wire.RESTART and wire.tolerated(op, self._peer(), state):
                self.deviations += 1
                self._peer_active()
                self._odd_restart()
            elif state == 0:
                self.strays += 1
                if op == wire.GOODBYE or op == wire.BROKEN:
                    self._forget(0)
                    self._send(wire.exchange(op)[wire.REPLY])
            elif v[V_DOUBT] or v[V_BUSY] == wire.GOODBYE:
                # The damaged byte may be the cause; or our goodbye was heard, and its reply was lost.
                self.strays += 1
                self._peer_active()
            else:
                self._break(op, why)
            return
        v[V_LAST] = op
        v[V_LAST_REPLY] = v[V_MOVED] = 0
        # Send the reply first: the rest takes time.
        if op == wire.SHOT:
            d = self.reader.data
            v[V_OWED] = d[1] << 4 | d[0]
            if self.judge:
                self.judge()
        elif op == wire.PARAMS:
            d = self.reader.data
            for i in range(5):
                v[V_RAW + i] = d[i]
            self._answer(ECHO)
        else:
            if op == wire.CHAT and self._queued(EV_CHAT):
                # The previous text is still unread. Without a 3B the peer knows that this one was not accepted.
                self.dropped += 1
                v[V_LAST] = 0
                return
            self._answer(wire.exchange(op)[wire.REPLY])
        if v[V_DOUBT] and op != wire.NICK and op != wire.CHAT:
            v[V_DOUBT] = 0
        self._peer_active()
        v[V_LAST_AGE] = 0
        self._keep_sign()
        self._obey(op)

    def _obey(self, op: int) -> None:
        """Carry out a legal command. Its reply is already sent, except for a shot that has not been judged yet."""
        v = self.v
        if op == wire.SHOT:
            d = self.reader.data
            self._event(EV_SHOT, d[0], d[1], d[1] << 4 | d[0], v[V_LAST_REPLY])
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
                # Several nicks before the event was read: one event reports the last.
                self._event(EV_NICK, 0, 0)
        elif op == wire.CHAT:
            n = self.reader.size
            if n > 1 or n == 1 and self.reader.data[0] != 0x20:
                # Swapped, not copied: copying 255 bytes would delay the next answer.
                self.text, self.reader.data = self.reader.data, self.text
                self.text_len = n
                self._event(EV_CHAT, 0, 0)
            elif n and v[V_CHAT] == CHAT_UNKNOWN:
                # A peer that probes has chat itself: probed now, it answers at once.
                v[V_WANT2] |= W_PROBE
        elif op == wire.TIMED_OUT:
            if v[V_STATE]:
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
            both = v[V_BUSY] == wire.SURRENDER
            self._forget(wire.SURRENDER)
            self._over(NO_RESULT if both else WE_WON, BY_SURRENDER)
        elif op == wire.WON:
            self._forget(wire.WON)
            if v[V_STATE] != 9:
                self._over(WE_LOST, BY_SHOTS)
        else:
            state = wire.exchange(op)[wire.NEXT]
            if state != wire.SAME:
                self._enter(op, state)

    def _unfit(self, op: int) -> int:
        """Return why the contents of a command with a legal opcode are illegal, as R_*, or 0."""
        v = self.v
        d = self.reader.data
        if v[V_OWED] and not wire.TIMED_OUT <= op <= wire.BROKEN:
            return wire.R_SECOND
        if op == wire.SHOT:
            if not (1 <= d[0] <= v[V_SIZE] and 1 <= d[1] <= v[V_SIZE]):
                return wire.R_CELL
        elif op == wire.PARAMS:
            return wire.params_fault(d)
        elif op == wire.PLACE and not v[V_VALID]:
            return wire.R_NO_PARAMS
        return 0

    def _command_broken(self, op: int) -> None:
        """Handle a command while a key is awaited after an A8: answer only what settles the matter."""
        if op == wire.SYNC or not wire.may_send(op, self._peer(), 9) or op == wire.RESTART or op == wire.WON:
            self.strays += 1
            return
        self._send(wire.exchange(op)[wire.REPLY])

    def _rival(self) -> None:
        """Handle a sync from another master, as a master in state 0."""
        v = self.v
        self.strays += 1
        if v[V_WISH] == wire.AUTO and not v[V_BUSY]:
            v[V_ROLE] = wire.NOBODY
            v[V_LISTENING] = BACK_OFF + self.rng.below(BACK_OFF_MORE)
            v[V_ASKED] = 0

    def _odd_restart(self) -> None:
        """Handle an A5 that the table does not allow.

        From the master in battle it restarts, from the slave it means that the slave is in state 0.
        """
        v = self.v
        if v[V_ROLE] == wire.SLAVE:
            v[V_LAST] = wire.RESTART
            v[V_LAST_AGE] = 0
            self._keep_sign()
            self._answer(wire.exchange(wire.RESTART)[wire.REPLY])
            self._enter(wire.RESTART, 1)
        elif v[V_STATE]:
            self._leave(EV_PEER_RESET)

    def _repeat(self) -> None:
        """Answer a repeated command as before and change nothing."""
        self.repeats += 1
        if self.v[V_LAST_AGE] > wire.GAP_TICKS:
            self.deviations += 1
        self._peer_active()
        reply = self.v[V_LAST_REPLY]
        if reply:
            self._answer(reply)

    # Replies

    def _reply(self, op: int) -> None:
        v = self.v
        self._peer_active()
        if v[V_CROSSED]:
            v[V_CROSSED] = wire.crossing(v[V_CROSSED], op)
        if op == wire.SYNCED:
            if v[V_ROLE] == wire.MASTER and v[V_STATE] == 0 and not v[V_BUSY]:
                self._ask(wire.MEET)
            return
        if v[V_STATE] == BROKEN_OFF:
            if op == wire.exchange(wire.BROKEN)[wire.REPLY] and v[V_BROKE_AGE]:
                v[V_BROKE_AGE] = 0
                if v[V_KEY]:
                    self._leave(EV_IDLE)
            else:
                self.strays += 1
            return
        mine = wire.command_of(op)
        if mine != v[V_BUSY]:
            self.strays += 1
            return
        v[V_BUSY] = v[V_DOUBT] = 0
        v[V_MOVED] = 1
        if v[V_HUNG]:
            self._found(NO_REPLY)
        if mine == wire.SHOT:
            self._answered(op)
        elif mine == wire.NICK:
            self._event(EV_NICK_SENT, 0, 0)
        elif mine == wire.CHAT:
            if v[V_CHAT] == CHAT_YES:
                self._event(EV_CHAT_SENT, 0, 0)
            else:
                v[V_CHAT] = CHAT_YES
                self._event(EV_CHAT_KNOWN, 1, 0)
        elif mine == wire.PARAMS:
            for i in range(5):
                if self.reader.data[i] != v[V_RAW + i]:
                    self._break(op, wire.R_ECHO)
                    return
            self._agree()
            v[V_WANT] |= W_PLACE
        elif wire.exchange(mine)[wire.NEXT] != wire.SAME:
            self._granted(mine)

    def _granted(self, mine: int) -> None:
        """Handle the confirmation of a command of ours that changes the state."""
        # The peer's last command belongs to the old state: the same one in the new state is no repeat, except the A3 of
        # a master that answers A4 while still repeating it.
        if mine != wire.SLAVE_READY:
            self.v[V_LAST] = 0
        if mine == wire.SURRENDER:
            self._over(WE_LOST, BY_SURRENDER)
        elif mine == wire.WON:
            self._over(WE_WON, BY_SHOTS)
        elif mine == wire.GOODBYE:
            self._close()
        else:
            self._enter(mine, wire.exchange(mine)[wire.NEXT])

    def _answered(self, code: int) -> None:
        """Handle the answer to our shot."""
        v = self.v
        if code == wire.HIT or code == wire.SUNK:
            v[V_ITS_LOSS] += 1
            v[V_GUARD] = HOLD
            if v[V_ITS_LOSS] == v[V_DECKS]:
                v[V_WINNER] = v[V_ROLE]
                v[V_WANT] |= W_WON
        else:
            v[V_TURN] = self._peer()
        self._event(EV_ANSWER, code, 0, v[V_SHOT_Y] << 4 | v[V_SHOT_X], code)
