"""Whole games against a program, by a player of ours that keeps the protocol, checked by the sniffer's watcher.

The scripted trials check single replies; only the watcher sees errors in the course of a game.
"""

from __future__ import annotations

import math

from seabattle import watch, wire
from seabattle.bot import BUSY, STUCK, Bot
from seabattle.gunner import RANDOM, SHARP, Gunner
from seabattle.link import Link
from seabattle.link_codes import V_SHOT_X, V_SHOT_Y
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.sniff.capture import SECOND, Chunk
from seabattle_host.sniff.conform_peer import NICK, PATIENCE, Peer
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.rendering import fault_text
from seabattle_host.sniff.session import Session

_OURS, _THEIRS = 0, 1
_OFFER = (10, 1, 2, 3, 4)  # the fleet that every program supports
_GAMES = 8  # at most: what one changed byte would explain has to be confirmed
_UNTIL_WON = 3  # at most: of these each side should win one
_UNTIL_SURE = 5  # at most, after one of them left something in doubt
_MEETINGS = 4  # at most, if they lead to no battle
_LONGEST = 120.0  # seconds for one game
_LATER = 0.5  # seconds for the last frames and the last verdicts
_ENDS = (wire.TIMED_OUT, wire.GOODBYE, wire.BROKEN)
_LEFT = frozenset((*_ENDS, *(int(wire.exchange(op)[wire.REPLY]) for op in _ENDS)))
"""Frames by which the program ends the session, or acknowledges its end."""
_BORNE_MOST = 3
_WON_HEARD = int(wire.exchange(wire.WON)[wire.REPLY])
_SHOWN = 12  # frames shown, up to the faulty one
_LACKS = frozenset((watch.R_NO_REPLY, watch.R_SILENT, watch.R_MISSED, watch.R_UNFOUNDED, wire.R_TURN))
"""Findings that a lost frame explains, however often they come,"""
_PROVEN = frozenset(
    (wire.R_SENDER, wire.R_PARAMS, wire.R_FLEET, wire.R_ECHO, wire.R_CELL, watch.R_FROM_ZERO, wire.R_NOT_WON)
)
"""and those that none does: what is wrong is in the frame."""
_BUSY = 1.0  # seconds: after a longer pause arrival times are unknown


class WholeGame:
    """Plays until nothing is in doubt, eight games at most, and a few so that each side wins one.

    about: the watcher's finding against the program, in words, empty if none; maybe: one that a bad line would explain.
    begun: whether there was a battle; ended: whether the last one was finished. held_up: this side did not read the
    line for a while, and may have caused errors itself. proven: a line that loses many frames does not explain the
    finding. doubted: reasons that were in doubt before.
    """

    def __init__(self, peer: Peer, doubted: frozenset[int] = _LACKS) -> None:
        self.about = self.maybe = ""
        self._borne: dict[tuple[int, int], str] = {}
        self.reason = 0
        self._again = self._left = self._has_won = self._has_lost = False
        self.begun = self.ended = self.held_up = False
        self.proven = False
        self.doubted = doubted
        self._peer = peer
        self._session = Session()
        self._seen: list[str] = []

    @property
    def borne(self) -> str:
        """Deviations that players tolerate, one of each kind."""
        return "; ".join(list(self._borne.values())[:_BORNE_MOST])

    def play(self) -> None:
        """Play until a fault is beyond doubt or nothing is in doubt."""
        peer = self._peer
        peer.start()
        peer.tap, peer.answers_shots = self._hear, False
        try:
            for seed in range(1, _GAMES + 1):
                self._again = False
                # at random, so that the program wins too
                self._one(seed, RANDOM if self._has_lost else SHARP, self._has_lost and seed == _UNTIL_WON)
                if self.about or self.held_up or (seed >= _MEETINGS and not self.begun):
                    break
                doubtful = self._again or (self.maybe and seed < _UNTIL_SURE)
                if not doubtful and ((self._has_won and self._has_lost) or not self.ended or seed >= _UNTIL_WON):
                    break
                if not self._left:
                    self._leave()
                if not self._left:
                    break  # a program still in the old session would be accused of it in the next
            self._take(self._session.finish())
        finally:
            peer.tap, peer.answers_shots = None, True
            peer.traffic[:] = self._seen[-_SHOWN:]

    def _leave(self) -> None:
        """Bring a program back to state 0 that has not acknowledged the end of the session."""
        peer = self._peer
        noise, understood = peer.noise, peer.understood
        peer.start()
        peer.noise += noise
        peer.understood += understood

    def _one(self, seed: int, level: int, idle: bool) -> None:
        """Play a game. idle: after its first miss our player shoots at no other cell, so that the program wins."""
        peer = self._peer
        rng = Rng(seed)
        link = Link(peer.role, rng)
        link.nick(NICK, len(NICK))
        player = Player(link, rng)
        bot = Bot(player, Gunner(player.radar, rng, level), 1, _OFFER)
        looked = due = moved = peer.clock()
        last = looked + _LONGEST
        self.ended = self._left = leaving = won = False
        claimed = math.inf  # when our player said that it has won
        reader, missed = wire.Reader(), False
        while not self.about and looked < last:
            for byte in peer.listen(0.01):
                link.rx(byte)
                if reader.feed(byte) == wire.FRAME and reader.op not in (wire.SYNC, wire.SYNCED):
                    moved = peer.clock()
                    self._has_won |= reader.op == wire.WON
                    won |= reader.op in (wire.WON, _WON_HEARD)
                    missed |= reader.op == wire.MISS
            now = peer.clock()
            self.held_up |= now - looked > _BUSY
            looked = now
            self._take(self._session.advance(round(now * SECOND)))
            while now >= due:
                link.tick()
                due += TICK_SECONDS
            while player.poll():
                pass
            # a winner that does not say so, and a loser that does not acknowledge it, are found only by waiting
            won |= now - claimed > PATIENCE + _LATER
            bot.held = not (leaving or won)
            step = BUSY
            while step == BUSY:
                if idle and missed and link.mine and not link.pending:
                    link.shoot(link.v[V_SHOT_X], link.v[V_SHOT_Y])
                    break
                bot.think()
                step = bot.step()
            self.begun |= link.state >= 4
            raw = bytearray()
            while (byte := link.tx()) >= 0:
                raw.append(byte)
            if raw:
                if raw[0] == wire.WON:
                    self._has_lost, claimed = True, now
                peer.transmit(bytes(raw))
            self._again |= link.key_awaited
            self.ended |= link.games > 0
            bored = now - moved > (2 * max(peer.wait, PATIENCE) if peer.understood else peer.wait)
            if bored or link.key_awaited or link.closed or step == STUCK:
                if not leaving:
                    leaving, last = True, now + 2 * _LATER
                elif now > last - _LATER:
                    # the watcher has had time to see what our player stopped waiting for
                    link.key()
                    link.goodbye()

    def _hear(self, sent: bool, data: bytes) -> None:
        now = round(self._peer.clock() * SECOND)
        self._take(self._session.feed(Chunk(now, _OURS if sent else _THEIRS, data)))

    def _take(self, records: list[Record]) -> None:
        for record in records:
            self._note(record)
            if record.side == _THEIRS and not self.about:
                if record.verdict == watch.NOISE:
                    self._peer.noise += len(record.raw)
                    self._peer.noise_kinds.update(record.raw)
                elif record.verdict == watch.VIOLATION and not record.maybe:
                    self.about, self.reason = fault_text(record), record.reason
                    self.proven = (
                        record.reason in _PROVEN
                        or wire.R_NEAR_SUNK <= record.reason < wire.REASONS
                        or record.reason not in self.doubted
                    )
                elif record.verdict == watch.DEVIATION:
                    self._borne.setdefault((record.reason, record.op), fault_text(record))
                elif record.verdict == watch.DOUBT:
                    self._again = True
                    if record.maybe:
                        if not self.maybe:
                            self.maybe, self.reason = fault_text(record), record.reason
                        # that it comes again proves something only where little is lost
                        self.doubted |= {record.reason}

    def _note(self, record: Record) -> None:
        whole = record.kind == watch.FRAME
        if whole:
            self._peer.count(record.side == _OURS, record.op)
            self._left |= record.side == _THEIRS and record.op in _LEFT
        if record.raw and not self.about and not (whole and record.op in (wire.SYNC, wire.SYNCED)):
            sender, rest = "<" if record.side == _THEIRS else ">", "" if whole else " ?"
            self._seen.append(f"{sender} {record.raw.hex(' ').upper()}{rest}")


def why_not_kept(game: WholeGame) -> str:
    """Return why a game without a finding does not count as kept; empty if it does."""
    if game.held_up:
        return tr("conform_held_up")
    if game.maybe or game.ended:
        return game.maybe
    end = tr("conform_no_end" if game.begun else "conform_no_battle")
    return f"{end}; {game.borne}" if game.borne else end
