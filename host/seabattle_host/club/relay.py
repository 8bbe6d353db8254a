"""A relay joins a master and a slave byte for byte; a watcher decides their game.

Side 0 is the master, side 1 the slave. A byte is passed on as soon as it belongs to a frame that its sender may send
now; noise and violations are dropped. A move is in the database before the answer to the shot is passed on: nobody has
seen a move that the club could lose.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timezone

from seabattle import watch, wire
from seabattle.watch import Watch
from seabattle_host.club import move_clock
from seabattle_host.club import store as stores
from seabattle_host.club.endpoint import NOTHING, Endpoint
from seabattle_host.club.limits import Limits, ticks
from seabattle_host.club.move_clock import MoveClock
from seabattle_host.club.notice import Notices
from seabattle_host.club.ratings import are_different_people, was_contested
from seabattle_host.club.store import Game, Move, Store
from seabattle_host.club.wording import speaking
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS

_CAPTURE_PART = 4096
_CAPTURE_MOST = 4 << 20
"""Bytes of a capture; the rest is not kept."""

_AIMS = b"#aim "
"""Begins the chat line by which a player of a salvo has moved; see docs/protocol.md."""

_CHAT_TAKEN = wire.exchange(wire.CHAT)[wire.REPLY]
_AWAY_TICKS = wire.REPLY_TICKS + 10


class Relay:
    """players: master and slave, both in the same state with nothing outstanding. game: theirs, begun in the store.

    chat: whether each has chat; one without would read it as commands (docs/protocol.md), so it gets none.
    state: that state, 1..3. parameters: the five bytes of B2 as the master sent them, empty if it has not yet.
    patience: each player's share of the usual time for a move.
    changed: called when there is something new to show. over: called when a game has ended, and with None at the end of
    the relay.
    """

    def __init__(
        self,
        players: tuple[Endpoint, Endpoint],
        game: Game,
        store: Store,
        limits: Limits,
        *,
        state: int,
        nicks: tuple[bytes, bytes],
        parameters: bytes = b"",
        chat: tuple[bool, bool] = (True, True),
        patience: tuple[float, float] = (1.0, 1.0),
        changed: Callable[[], None],
        over: Callable[[Relay, Game | None], None],
    ):
        self.players = players
        self.game = game
        self.watch = Watch()
        self.ended = False
        self.private = False
        """Not shown to others."""
        self.dropped = 0
        """Bytes not passed on."""
        self.unsaid = 0
        """Chat lines dropped because the receiver has no chat."""
        self.deviations = 0
        self.last: tuple[int, int, int] | None = None
        """The last shot: side (0 or 1), column and row from 1."""
        self._store = store
        self._limits = limits
        self._stall_ticks = ticks(limits.stall)
        self._idle_ticks = ticks(limits.idle)
        self._changed = changed
        self._over = over
        self._held = (bytearray(), bytearray())
        self._holding = [False, False]
        self._open = [False, False]
        """By sender: the receiver has an incomplete frame."""
        self._shots = [(0, 0), (0, 0)]
        self._gave_up = [False, False]
        self._quiet = [0, 0]
        self._idle = 0
        self._away = 0
        """Ticks since a goodbye, 0 for none."""
        self._capture = bytearray()
        self._part = 0
        self._captured = 0
        self._running = True
        """Whether `game` is running."""
        self._words: tuple[int, int] | None = None
        self._nicks = nicks
        self._chat = chat
        self.clock = MoveClock(self.watch, limits, patience)
        self._notices = (Notices(), Notices())
        """The club's messages to each side."""
        self._doubt = [False, False]
        """By sender: since the last move some of its bytes were dropped or repeated, so that the opponent may be
        stuck."""
        self._mute = [False, False]
        """By sender: the frame is chat for a side without chat."""
        self._prime(state, parameters)

    def _prime(self, state: int, parameters: bytes) -> None:
        """Feed the watcher what both players have agreed on with the club, as if they had agreed with each other."""
        frames = self._meeting()
        if state > 1:
            frames += [(0, bytes([wire.PARAMS]) + parameters), (1, b"\x2b" + parameters), (0, b"\xa2"), (1, b"\x2a")]
        if state > 2:
            frames += [(0, b"\xa3"), (1, b"\x3a")]
        for side, data in frames:
            self._record(side, data)
            for byte in data:
                if self.watch.feed(side, byte):
                    while self.watch.take():
                        pass
        if state > 1:
            self._parameters()

    def _meeting(self) -> list[tuple[int, bytes]]:
        """Return the frames that lead to state 1."""
        frames: list[tuple[int, bytes]] = [(0, b"\xaa"), (1, b"\x01"), (0, b"\xa1"), (1, b"\x1a")]
        for side in (0, 1):
            if self._nicks[side]:
                nick = self._nicks[side]
                frames += [(side, bytes([wire.NICK, len(nick)]) + nick), (1 - side, b"\x1b")]
        for side in (0, 1):
            if self._chat[1 - side]:
                frames += [(side, b"\xb3\x01\x20"), (1 - side, b"\x3b")]
        return frames

    # Bytes and ticks.

    def feed(self, player: Endpoint, data: bytes) -> int:
        """Take bytes from a player; return how many. The rest is not meant for the opponent any more."""
        side = 0 if player is self.players[0] else 1
        if self._notices[1 - side].open:
            # the receiver has not confirmed a message of the club, and may get no second command
            self._quiet[side] = 0
            self._notices[1 - side].held += data
            return len(data)
        w = self.watch
        reader = w.reader[side]
        held = self._held[side]
        self._quiet[side] = 0
        on = bytearray()
        taken = 0
        confirmed = False
        for byte in data:
            taken += 1
            if byte == _CHAT_TAKEN and self._notices[side].open and not reader.within and not w.waits(1 - side):
                confirmed = True
                continue
            if not reader.within:
                # Hold back an illegal command until it is complete: it may be a repeat, which is no violation.
                self._mute[side] = byte == wire.CHAT and not self._chat[1 - side]
                self._holding[side] = self._mute[side] or (wire.is_command(byte) and not w.legal(side, byte))
            if not w.feed(side, byte):
                if self._holding[side]:
                    held.append(byte)
                else:
                    on.append(byte)
                    self._open[side] = True
                continue
            good = True
            while w.take():
                good = self._seen(side, byte)
            if self._mute[side] and good:
                self.unsaid += 1
            elif good:
                on += held
                on.append(byte)
                self._open[side] = False
            else:
                self.dropped += len(held) + 1
                self._doubt[side] = True
                player.noise += len(held) + 1
            held.clear()
            if self.ended:
                break
        if on:
            self._record(side, bytes(on))
            self.players[1 - side].pass_on(bytes(on))
        if self.ended:
            self._finish()
        elif confirmed:
            self._release(side)
        return taken

    def tick(self) -> None:
        """Advance by one tick."""
        if self.ended:
            return
        w = self.watch
        w.tick()
        while w.take():
            if w.kind == watch.CUT:
                self.dropped += len(self._held[w.side])
                self._doubt[w.side] = True
                self._held[w.side].clear()
                self._open[w.side] = False
            elif w.kind == watch.LACK:
                if w.verdict == watch.DEVIATION:
                    self.deviations += 1
                if w.reason == watch.R_LEFT:
                    self._end((NOTHING, NOTHING))
                elif w.reason == watch.R_NO_REPLY and w.answers == wire.SURRENDER:
                    self._decide_surrender()
        self._idle += 1
        for side in (0, 1):
            self._quiet[side] += 1
        if self._away:
            self._away += 1
            if self._away > _AWAY_TICKS:
                self._end((NOTHING, NOTHING))
        elif max(self._quiet) > self._stall_ticks:
            self.stalled(self._quiet.index(max(self._quiet)))
        elif self._idle > self._idle_ticks:
            self._close_game(None, "idle")
            self._end((wire.GOODBYE, wire.GOODBYE))
        elif self._running:
            self._watch_clock()
        if self.ended:
            self._finish()
        else:
            self._notify()

    def _watch_clock(self) -> None:
        """End the game against a side that is out of time, unless the opponent may have left it stuck."""
        clock = self.clock
        warning = clock.tick(self.game)
        if warning == move_clock.WARN:
            seconds = max(1, round(clock.warning(clock.owes) * TICK_SECONDS))
            with speaking(self.players[clock.owes].language):
                self._notices[clock.owes].add(tr("clock_warning", seconds=seconds))
        elif warning == move_clock.OUT:
            stuck = clock.owes == move_clock.NOBODY or self._doubt[1 - clock.owes]
            self._close_game(None if stuck else 1 - clock.owes, "idle" if stuck else "clock")
            self._end((wire.GOODBYE, wire.GOODBYE))

    # Messages of the club.

    def tell(self, side: int, words: str) -> None:
        """Send a message of the club to a player, if it has chat."""
        self._notices[side].add(words)

    def _notify(self) -> None:
        for side, notices in enumerate(self._notices):
            if notices.idle:
                continue
            if notices.tick():
                self._release(side)
            if self.ended:
                return
            w = self.watch
            free = self._chat[side] and not self._open[1 - side] and not self._held[1 - side] and not w.waits(1 - side)
            if free and not w.reader[1 - side].within and (frame := notices.next()):
                self.players[side].pass_on(frame)

    def _release(self, side: int) -> None:
        """End a message's wait for confirmation: pass on the opponent's bytes."""
        held = self._notices[side].confirm()
        if held:
            self.feed(self.players[1 - side], held)

    # Ends from outside.

    def lost(self, player: Endpoint) -> None:
        """Handle the loss of a player's line."""
        side = 0 if player is self.players[0] else 1
        self._leaves(side, "lost")
        # a side that had the opponent's goodbye needs none from the club
        word = NOTHING if self._away else wire.GOODBYE
        self._end((word if side else NOTHING, NOTHING if side else word))
        self._finish()

    def stalled(self, side: int) -> None:
        """End the game against a player who is silent for too long."""
        self._close_game(1 - side, "stalled")
        self._end((wire.GOODBYE if side else NOTHING, NOTHING if side else wire.GOODBYE))
        self.players[side].drop("stalled")

    def close(self, why: str = "closed") -> None:
        """End the game: the club closes, or its operator ends it."""
        self._close_game(None, why)
        self._end((wire.GOODBYE, wire.GOODBYE))
        self._finish()

    # What the watcher sees.

    def _seen(self, side: int, byte: int) -> bool:
        """Act on the watcher's record of what `side` sent; return whether it may be passed on."""
        w = self.watch
        if w.kind != watch.FRAME:
            return False
        if w.verdict == watch.VIOLATION:
            self._violation(side)
            return False
        if w.verdict == watch.DEVIATION:
            self.deviations += 1
            if w.reason in (watch.R_REPEATED, watch.R_OTHER_ANSWER):
                self._doubt[side] = True
        op = w.op
        if op in (wire.SYNC, wire.SYNCED):
            return True
        self._idle = 0
        if wire.is_command(op):
            self._command(side, op)
        else:
            self._reply(side, op, w.answers)
        return True

    def _command(self, side: int, op: int) -> None:
        w = self.watch
        if op == wire.SHOT:
            data = w.data(side)
            self._shots[side] = data[0], data[1]
        elif op == wire.SURRENDER:
            self._gave_up[side] = True
        elif op == wire.GOODBYE:
            self._decide_surrender()
            self._leaves(side, "goodbye")
            self._away = 1
        elif op == wire.TIMED_OUT:
            # Who timed out has not left: the silent side has, or the one that owed an answer to a shot.
            clock, other = self.clock, 1 - side
            owed = clock.owes == other and clock.answer and clock.age >= wire.REPLY_TICKS - 1
            if self._quiet[other] > wire.REPLY_TICKS or owed:
                self._close_game(None if self._doubt[side] else side, "timeout")
            else:
                self._close_game(None if self._doubt[other] else other, "timeout")
            self._end((NOTHING, NOTHING))
        elif op == wire.BROKEN:
            self._close_game(1 - side if w.reason == watch.R_UNFOUNDED else None, "accusation")
            self._end((NOTHING, NOTHING))
        elif op == wire.CHAT and w.data(side)[: len(_AIMS)] == _AIMS:
            # a salvo game over the line goes on: restart the clock for placing
            self.clock.age = 0
        elif op == wire.WON:
            self._close_game(side, "shots")
        elif op == wire.RESTART and w.role_of(side) == wire.SLAVE:
            # A slave may not send it; one that does has gone to state 0, and the master follows.
            self._close_game(1 - side, "goodbye")
            self._end((NOTHING, NOTHING))

    def _reply(self, side: int, op: int, answers: int) -> None:
        if answers == wire.SHOT:
            self._move(1 - side, (op - wire.MISS) >> 4)
        elif answers == wire.PARAMS:
            self._parameters()
        elif answers == wire.PLACE:
            self._placing()
        elif answers == wire.SLAVE_READY:
            self.game.stage = stores.BATTLE
            self.game.battle = True
            self._store.stage(self.game)
            self._changed()
        elif answers == wire.SURRENDER:
            self._decide_surrender()
        elif answers == wire.RESTART:
            # a restart in the battle does not take a won game from anybody
            self._close_game(side, "restart")
        elif answers == wire.GOODBYE:
            self._end((NOTHING, NOTHING))

    def _move(self, side: int, result: int) -> None:
        x, y = self._shots[side]
        if not self._running or not 1 <= x <= wire.SIZE_MAX or not 1 <= y <= wire.SIZE_MAX:
            return
        game = self.game
        at = (datetime.now(timezone.utc) - game.started).total_seconds()
        self._store.move(game, Move(side, x, y, result, at))
        self.last = side, x, y
        self._doubt = [False, False]
        if self.watch.winner != watch.UNSURE:
            self._close_game(self.watch.winner, "shots")
        self._changed()

    def _placing(self) -> None:
        """Handle the reply to A2: the placing begins, of this game or the next."""
        if not self._running:
            self._keep_capture()
            self.game = Game(self.game.players)
            self._store.begin(self.game)
            self._running = True
            self._gave_up = [False, False]
            self._part = self._captured = 0
            self.last = None
        self._parameters()
        if self._part == self._captured == 0:
            # Each capture is complete: it repeats what this game shares with the one before.
            parameters = bytes((self.game.size, *self.game.fleet))
            agreed = [(0, bytes([wire.PARAMS]) + parameters), (1, b"\x2b" + parameters)] if self.game.size else []
            for side, data in (*self._meeting(), *agreed, (0, b"\xa2")):
                self._record(side, data)
        self._changed()

    def _parameters(self) -> None:
        w = self.watch
        if w.agreed and self._running:
            self.game.size = w.param(0)
            self.game.fleet = tuple(w.param(i) for i in range(1, 5))
            self._store.stage(self.game)
            self._changed()

    def _violation(self, side: int) -> None:
        self._close_game(1 - side, "violation")
        self._end((wire.GOODBYE if side else wire.BROKEN, wire.BROKEN if side else wire.GOODBYE))
        self.players[side].offend()

    def _decide_surrender(self) -> None:
        if self._gave_up[0] or self._gave_up[1]:
            both = self._gave_up[0] and self._gave_up[1]
            self._close_game(None if both else int(self._gave_up[0]), "surrender")

    # Ends.

    def _leaves(self, side: int, ending: str) -> None:
        """End the game against a side that leaves, unless bytes for it were dropped, so that it may have been stuck."""
        other = 1 - side
        self._close_game(None if self._doubt[other] else other, ending)

    def _close_game(self, winner: int | None, ending: str) -> None:
        """End the game, unless it has ended. Before the battle only a surrender makes a winner."""
        game = self.game
        if not self._running:
            return
        self._running = False
        if self._gave_up[0] != self._gave_up[1]:
            winner, ending = int(self._gave_up[0]), "surrender"
        game.winner = winner if game.battle or ending == "surrender" else None
        game.ending = ending
        game.rated = self._counts(game)
        if game.battle:
            one, two = self.players
            game.decks = one.decks(), two.decks()
        game.stage = stores.FINISHED
        game.ended = datetime.now(timezone.utc)
        self._store.stage(game)
        self._keep_capture()
        self._over(self, game)
        self._changed()

    def _counts(self, game: Game) -> bool:
        """Return whether a finished game is rated: fought out, and between two different people."""
        if not game.battle or game.winner is None or any(player.kind == "guest" for player in game.players):
            return False
        if not was_contested(game, self.watch.hits(game.winner), self.watch.decks):
            return False
        if any(player.kind == "computer" for player in game.players):
            return True
        if not self._limits.one_address and not are_different_people(*(player.address for player in self.players)):
            return False
        return self._store.rated_lately(*(player.id for player in game.players)) < self._limits.pair_games

    def _end(self, words: tuple[int, int]) -> None:
        """End the relay, with the club's last words to the players.

        `_finish` follows once the last bytes are passed on.
        """
        if not self.ended:
            self.ended = True
            self._words = words

    def _finish(self) -> None:
        if self._words is None:
            return
        words, self._words = self._words, None
        self._keep_capture()
        self._over(self, None)
        for side in (0, 1):
            self.players[side].end_relay(words[side], self._open[1 - side])

    # The capture.

    def _record(self, side: int, data: bytes) -> None:
        if self._captured > _CAPTURE_MOST:
            return
        piece = stores.pack(time.time_ns() // 1000, side, data[:65535])
        self._captured += len(piece)
        self._capture += piece
        if len(self._capture) >= _CAPTURE_PART:
            self._keep_capture()

    def _keep_capture(self) -> None:
        if self._capture and self.game.id:
            self._part += 1
            self._store.capture(self.game.id, self._part, bytes(self._capture))
            self._capture.clear()
