"""One end of a salvo game over a line: negotiated, sealed, fired and answered by chat lines.

`SalvoExchange` is fed with received texts and queues lines to send; it has no port and no thread. It keeps this end's
view of the game: player 0 is local, and of player 1's fleet it knows what the rules allow, until that fleet is shown.
docs/protocol.md ("A salvo over a line") has the order of the lines.

The owner calls `placed()` when the fleet of player 0 is complete and `fired()` when player 0 has fired a salvo in
`game`. Between `fired()` and the next stage AIMING the game belongs to the exchange, otherwise to the owner.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence

from seabattle import link as links
from seabattle import salvo as rules
from seabattle import wire
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle.salvo import CELLS, LENGTHS, OK, OVER, ROUNDS_MAX, SHIPS, Salvo
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.player import salvo_lines as lines
from seabattle_host.player.salvo_lines import Line

IDLE, OFFERED, WANTED, PLACING, SEALED, AIMING, AIMED, FIRED, ANSWERED, SHOWING = range(10)
"""Stages. OFFERED: we wait for the answer; WANTED: the peer does. In PLACING and AIMING the owner acts."""

EVENT_WANTED, EVENT_DECLINED, EVENT_UNKNOWN, EVENT_NO_CHAT, EVENT_STARTED, EVENT_TURN, EVENT_OVER, EVENT_DONE = range(
    1, 9
)
EVENT_ASKED, EVENT_AWAY, EVENT_BACK = range(9, 12)
"""Elements of `events`. OVER: the play is over; DONE: the exchange is, too. AWAY: the line is lost, and the game
resumes when both have met again; BACK: it does.
"""

CLEAN, NOT_SHOWN, LEFT, LOST, BAD_SEAL, BAD_FLEET, BAD_SALVO, BAD_HITS = (
    "clean",
    "not_shown",
    "left",
    "lost",
    "bad_seal",
    "bad_fleet",
    "bad_salvo",
    "bad_hits",
)
"""Result of checking the peer's fleet, or what ended the game before that; empty while it goes on."""
CHEATING = (BAD_SEAL, BAD_FLEET, BAD_SALVO, BAD_HITS)

_REPLY_SECONDS = wire.REPLY_TICKS * TICK_SECONDS
_PERSON_SECONDS = 60.0
"""How long to wait for a program, and for a human player, before asking for the last lines again."""
_TRIES = 5
_KEPT = 3
"""Lines kept to send again on request."""


class RemoteSalvo(Salvo):
    """A game whose player 1 is at the other end of a line: its ships are unknown, and it reports its hits."""

    def __init__(self, rng: Rng):
        super().__init__(rng)
        self.held = 1
        self.reported_hits = (0,) * SHIPS
        """Player 1's report on the salvo of player 0: hits on each ship."""

    def outcome_of_both(self, outcome: int) -> None:
        """Correct the outcome of a finished game."""
        for view in self.views:
            view.outcome = outcome

    def _land(self, player: int) -> None:
        super()._land(player)
        if player == 0:
            for ship, count in enumerate(self.reported_hits):
                self._strike(0, ship, count)


class SalvoExchange:
    """link: sends the lines. clock: in seconds.

    stage: see above. game: the current or last game. verdict: see CLEAN. events: oldest first. away: the line was lost
    in the middle of a game, which resumes when both have met again.
    """

    def __init__(self, link: Link, rng: Rng, clock: Callable[[], float] = time.monotonic):
        self.link = link
        self.stage = IDLE
        self.game = RemoteSalvo(rng)
        self.verdict = ""
        self.away = False
        self.events: deque[int] = deque()
        self._rng = rng
        self._clock = clock
        self._out: deque[bytes] = deque()
        self._under_way = False
        self._tries = 0
        self._sent_lines: deque[bytes] = deque(maxlen=_KEPT)
        self._since = clock()
        """When the present stage began, or the last lines were requested again."""
        self._waits = _REPLY_SECONDS
        self._fleet = self._fire = b""
        self._seal = ""
        self._its: dict[str, Line] = {}
        """The peer's lines of this round, by kind."""
        self._its_fire = ""
        """The hash of the salvo that the peer has shown for the round."""
        self._its_fleet = b""
        self._asked_back = False
        """Away, and the peer was asked since we met again."""
        self._back_at = float("-inf")
        self._offered_to = b""
        """Nick of the peer that was offered a salvo."""
        self._offer_anew = False

    # Orders

    @property
    def running(self) -> bool:
        """Return whether a game is running."""
        return self.stage >= PLACING

    @property
    def settled(self) -> bool:
        """Return whether nothing is pending, so that one may leave or begin another game."""
        return self.stage == IDLE and not self._out and not self._under_way

    def offer(self) -> int:
        """Offer a salvo, or accept the opponent's offer; return what an order of the link returns."""
        link = self.link
        if link.state != 1 or link.key_awaited or self.stage not in (IDLE, WANTED):
            return links.NOT_NOW
        if self.stage == WANTED:
            self._send(lines.plain_line(lines.OFFER))
            self._start()
            return links.DONE
        if link.chat == links.CHAT_NO:
            return links.NO_CHAT
        if link.chat == links.CHAT_UNKNOWN:
            link.probe()
        self._offered_to = self._nick()
        self._offer_anew = False
        self._send(lines.plain_line(lines.OFFER))
        self._to(OFFERED, _REPLY_SECONDS)
        return links.DONE

    def decline(self) -> None:
        """Withdraw or decline an offer; during a game, withdraw from it."""
        if self.stage in (OFFERED, WANTED):
            self._out.clear()
            self._send(lines.plain_line(lines.NO))
            self._to(IDLE)
        elif self.away:
            self._break_off(LEFT)
        elif PLACING <= self.stage < SHOWING:
            self.game.withdraw(0)
            self._send(lines.plain_line(lines.NO))
            self._over()

    def declare_fleet(self) -> None:
        """Declare my fleet complete and me ready."""
        if self.stage == PLACING and self.game.placed(0):
            self._fleet = lines.fleet_line(lines.ends_of(self.game.views[0].own))
            self._send(lines.ships_line(self._fleet))
            self._to(SEALED, _PERSON_SECONDS)
            self._go_on()

    def declare_salvo(self) -> None:
        """Report that I have fired my salvo in `game`."""
        game = self.game
        if self.stage == AIMING and game.fired[0]:
            self._fire = lines.fire_line(game.round, game.salvo[0][: game.aimed[0]])
            self._send(lines.aim_line(game.round, self._fire))
            self._to(AIMED, _PERSON_SECONDS)
            self._go_on()

    # Called by the owner of the line

    def handle_text(self, text: bytes, asks: bool) -> bool:
        """Handle a text from the peer; return whether it is a salvo line that makes sense now.

        asks: a local player decides whether to accept an offer; otherwise it is accepted.
        """
        line = lines.parse(text)
        if line is None or self.link.state != 1:
            return False
        if line.kind == lines.BACK:
            self._resume(line.seal)
            return True
        if self.away:
            if line.kind not in (lines.NO, lines.OFFER):
                return True
            # the peer no longer has this game
            self._break_off(LEFT)
        if line.kind == lines.AGAIN:
            self._out.extend(line for line in self._sent_lines if line not in self._out)
        elif self.stage == IDLE and line.kind != lines.OFFER:
            # a late line belongs to the last game and is no chat
            return bool(self._sent_lines) or line.kind in (lines.NO, lines.ASKED)
        elif line.kind == lines.DAMAGED:
            self._out.append(lines.plain_line(lines.AGAIN))
        elif self.stage < PLACING:
            if line.kind == lines.SHIPS_SEALED and self.stage == OFFERED:
                # it has accepted, but that line was damaged
                self._start()
                self._seal = line.seal
            else:
                self._agree(line.kind, asks)
        elif line.kind == lines.NO:
            self._withdrawn()
        elif line.kind == lines.FLEET:
            self._its_fleet = self._its_fleet or text
            if self.stage == SHOWING:
                self._check_fleet(line, text)
            elif self.stage == ANSWERED:
                # the last answer is missing, or a notice that the peer gives up
                self._out.append(lines.plain_line(lines.AGAIN))
            else:
                self._withdrawn()
        elif line.kind == lines.SHIPS_SEALED:
            self._seal = self._seal or line.seal
        elif line.kind not in self._its and line.number == self.game.round:
            self._its[line.kind] = line
            if line.kind == lines.FIRE:
                self._its_fire = lines.seal_of(text)
        self._go_on()
        return True

    def handle_confirmation(self, arrived: bool) -> bool:
        """Handle the confirmation, or its absence, of a text of ours; return whether the text was the exchange's."""
        if not self._under_way:
            return False
        self._under_way = False
        if self.stage in (OFFERED, SHOWING) or self.away:
            # while ours is under way there can be no answer
            self._since = self._clock()
        if arrived:
            self._out.popleft()
            self._tries = 0
        else:
            self._tries += 1
            if self._tries >= _TRIES:
                self._break_off(LOST)
        return True

    def pump(self) -> None:
        """Send pending lines, and check whether the peer is overdue."""
        link = self.link
        if self.stage == IDLE and not self._out:
            return
        if link.state != 1 or link.closed:
            if not link.key_awaited:
                self._gone()
            return
        if self.away and not self._asked_back:
            self._asked_back = True
            if link.chat == links.CHAT_UNKNOWN:
                link.probe()
            self._out.clear()
            self._out.append(lines.resume_line(self._fleet))
            self._since = self._clock()
        elif self.stage == OFFERED and self._offered_to != self._nick():
            self._offer_another()
        if self._out:
            if link.chat == links.CHAT_NO:
                self._break_off(LEFT)
            elif not self._under_way and link.send_chat(self._out[0], len(self._out[0])) == links.DONE:
                self._under_way = True
        elif self._clock() - self._since > (_REPLY_SECONDS if self.away else self._waits):
            self._since = self._clock()
            if self.away:
                self._break_off(LEFT)
            elif self.stage == OFFERED and self._offer_anew:
                self._offer_anew = False
                self._send(lines.plain_line(lines.OFFER))
            elif self.stage == OFFERED:
                self._to(IDLE)
                self.events.append(EVENT_UNKNOWN)
            elif self.stage == SHOWING:
                self._done(NOT_SHOWN)
            elif self.stage in (SEALED, AIMED, FIRED, ANSWERED):
                self._out.append(lines.plain_line(lines.AGAIN))

    # Internals

    def _send(self, line: bytes) -> None:
        self._out.append(line)
        if line not in lines.PLAIN or line == lines.plain_line(lines.NO):
            self._sent_lines.append(line)

    def _to(self, stage: int, waits: float = _PERSON_SECONDS) -> None:
        self.stage = stage
        self._waits = waits
        self._since = self._clock()

    def _agree(self, kind: str, asks: bool) -> None:
        if kind == lines.NO:
            self._to(IDLE)
            self.events.append(EVENT_DECLINED)
        elif kind == lines.ASKED and self.stage == OFFERED:
            self._waits = float("inf")
            self.events.append(EVENT_ASKED)
        elif kind == lines.OFFER and self.stage == OFFERED:
            self._start()
        elif kind == lines.OFFER and self.stage == IDLE:
            if asks:
                self._to(WANTED, float("inf"))
                self._send(lines.plain_line(lines.ASKED))
                self.events.append(EVENT_WANTED)
            else:
                self._send(lines.plain_line(lines.OFFER))
                self._start()

    def _offer_another(self) -> None:
        """Renew an offer to a new peer: in a club the opponent, who was not there when the club was asked.

        The club sends the name before it connects the two, so the offer is delayed a little.
        """
        self._offer_anew = bool(self._offered_to)
        self._offered_to = self._nick()
        if self._offer_anew:
            self._to(OFFERED, _REPLY_SECONDS)

    def _nick(self) -> bytes:
        return bytes(self.link.peer_nick[: self.link.peer_nick_len])

    def _start(self) -> None:
        self.game = RemoteSalvo(self._rng)
        self.verdict = self._seal = ""
        self._its.clear()
        self._sent_lines.clear()
        self._fleet = self._fire = self._its_fleet = b""
        self._to(PLACING)
        self.events.append(EVENT_STARTED)

    def _go_on(self) -> None:
        """Proceed as far as the peer's lines allow."""
        game = self.game
        if self.stage == SEALED and self._seal:
            game.begin()
            self._turn()
        elif self.stage == AIMED and lines.AIM in self._its:
            self._send(self._fire)
            self._to(FIRED, _REPLY_SECONDS)
            self._go_on()
        elif self.stage == FIRED and lines.FIRE in self._its:
            self._answer()
        elif self.stage == ANSWERED and lines.HIT in self._its:
            self._resolve(self._its[lines.HIT].hits)

    def _turn(self) -> None:
        self._its.clear()
        self._to(AIMING)
        self.events.append(EVENT_TURN)

    def _answer(self) -> None:
        """The peer has fired: report how often each of my ships was hit."""
        game = self.game
        salvo = self._its[lines.FIRE].cells
        if self._its[lines.AIM].seal != self._its_fire:
            self._cheated(BAD_SEAL)
            return
        nothing_left = all(game.views[1].fired)
        if any(game.aim(1, cell) != OK for cell in salvo) or not (salvo or nothing_left):
            self._cheated(BAD_SALVO)
            return
        own = game.views[0].own
        self._send(lines.hit_line(game.round, [sum(own[cell] == ship for cell in salvo) for ship in range(SHIPS)]))
        self._to(ANSWERED, _REPLY_SECONDS)
        self._go_on()

    def _resolve(self, hits: Sequence[int]) -> None:
        game = self.game
        all_hits = game.views[1].own_hits
        if sum(hits) > game.aimed[0] or any(all_hits[i] + hits[i] > LENGTHS[i] for i in range(SHIPS)):
            self._cheated(BAD_HITS)
            return
        game.reported_hits = tuple(hits)
        game.fire(1)
        if game.stage == OVER:
            self._over()
        else:
            self._turn()

    def _withdrawn(self) -> None:
        """The peer gives up."""
        game = self.game
        if self.stage < SHOWING:
            game.withdraw(1)
            self._over()
        elif game.outcome == rules.WON_BY_1 and game.how == rules.BY_WITHDRAWAL:
            # both at the same time
            game.outcome_of_both(rules.ABANDONED)

    def _cheated(self, how: str) -> None:
        self.verdict = how
        self.game.withdraw(1)
        self._send(lines.plain_line(lines.NO))
        self._over()

    def _over(self) -> None:
        """The play is over: show my fleet, and wait for the peer's."""
        self.events.append(EVENT_OVER)
        if self._fleet and self._seal:
            self._send(self._fleet)
            self._to(SHOWING, _REPLY_SECONDS)
            fleet = lines.parse(self._its_fleet)
            if fleet is not None:
                self._check_fleet(fleet, self._its_fleet)
        else:
            self._done(self.verdict or NOT_SHOWN)

    def _check_fleet(self, line: Line, text: bytes) -> None:
        """Check the fleet shown by the peer against its seal, the rules, and all it reported."""
        what = CLEAN if self._seal == lines.seal_of(text) else BAD_SEAL
        placed = lines.placed_by_ends(line.cells)
        if placed is None:
            what = BAD_FLEET
        else:
            game = self.game
            mine, its = game.views
            its.own[:] = placed
            for cell in range(CELLS):
                if mine.fired[cell]:
                    its.struck[cell] = placed[cell]
            for ship in range(SHIPS):
                for number in range(1, game.round + 1):
                    found = sum(mine.fired[cell] == number and placed[cell] == ship for cell in range(CELLS))
                    if found != mine.hits[ship * ROUNDS_MAX + number - 1]:
                        what = BAD_HITS
        self._done(self.verdict or what)

    def _done(self, verdict: str) -> None:
        self.verdict = verdict
        self._to(IDLE)
        self.events.append(EVENT_DONE)

    def handle_goodbye(self) -> None:
        """Handle a goodbye of either side."""
        if self.stage != IDLE:
            self._break_off(LEFT)

    def _gone(self) -> None:
        """There is no session in which to go on."""
        if self.link.state or self.link.closed or not (PLACING < self.stage < SHOWING and self._fleet and self._seal):
            self._break_off(LEFT)
            return
        self._drop_lines()
        self._asked_back = False
        if not self.away:
            self.away = True
            self.events.append(EVENT_AWAY)

    def _resume(self, seal: str) -> None:
        """The peer asks to resume the game in which its fleet had this seal."""
        if not self._fleet or seal != self._seal:
            if self.running:
                self._break_off(LEFT)
            self._out.append(lines.plain_line(lines.NO))
        elif self._clock() - self._back_at > _REPLY_SECONDS:
            self._back_at = self._clock()
            if not self._asked_back:
                self._out.append(lines.resume_line(self._fleet))
            # what it missed is among these, even if the game is over here
            self._out.extend(line for line in self._sent_lines if line not in self._out)
            if self.away:
                self.away = self._asked_back = False
                self._since = self._clock()
                self.events.append(EVENT_BACK)

    def _drop_lines(self) -> None:
        """Drop the lines not sent yet."""
        self._out.clear()
        self._under_way = False
        self._tries = 0

    def _break_off(self, why: str) -> None:
        """End the exchange: the line or the peer is gone, or it plays something else."""
        stage = self.stage
        self._drop_lines()
        self.away = self._asked_back = False
        if stage == SHOWING:
            self._done(self.verdict or NOT_SHOWN)
        elif stage >= PLACING:
            self.game.abandon()
            self.events.append(EVENT_OVER)
            self._done(why)
        elif stage == OFFERED:
            self._to(IDLE)
            self.events.append(EVENT_NO_CHAT if self.link.chat == links.CHAT_NO else EVENT_UNKNOWN)
        else:
            if stage == WANTED:
                self.events.append(EVENT_DECLINED)
            self._to(IDLE)
