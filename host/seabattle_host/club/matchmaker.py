"""The queue: pairing in the order of waiting, and computers for those who wait long."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from typing import TYPE_CHECKING

from seabattle import wire
from seabattle.gunner import HUNT
from seabattle_host.club import computers
from seabattle_host.club.computers import Computer
from seabattle_host.club.limits import ticks
from seabattle_host.club.pair_backoff import PairBackoff
from seabattle_host.club.pairing import DONE, FAILED, Pairing
from seabattle_host.club.session import Session
from seabattle_host.club.store import FINISHED, Game
from seabattle_host.club.wording import result_words, speaking
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import LEVELS

if TYPE_CHECKING:
    from seabattle_host.club.lobby import Lobby

_SEED_MOST = (1 << 30) - 1


class Matchmaker:
    """bots: computers of each level.

    unasked: they play with players who have waited for `patience` seconds, else only on request.
    """

    def __init__(self, lobby: Lobby, bots: int, unasked: bool, patience: float):
        self.pairings: dict[Session, Pairing] = {}
        """Pairing of each session that is being handed over."""
        self.backoff = PairBackoff()
        self._lobby = lobby
        self._bots = bots
        self._unasked = unasked
        self._patience = ticks(patience)
        self._loop = asyncio.get_running_loop()
        self._reserved: dict[Session, Session] = {}
        """Computer on its way -> the session it comes for."""
        self._matching = False

    def tick(self) -> None:
        """Advance pairings, send computers and pair waiting players; called every few ticks."""
        for pairing in set(self.pairings.values()):
            self.step(pairing)
        if self._bots:
            self.send_computers()
        self.match_soon()

    def left(self, session: Session) -> None:
        """Handle a session that has left the queue."""
        pairing = self.pairings.get(session)
        if pairing is not None:
            self.call_off(pairing, "unmet")
        session.was_ready = False

    def gone(self, session: Session) -> None:
        """Handle a session that has ended."""
        self._reserved.pop(session, None)

    def room_of(self, session: Session) -> str:
        """Return the session's room; players in the same room may be paired.

        In a tournament each pair has a room, and a player without an opponent in this round a room alone.
        """
        tournament = self._lobby.tournament
        account = session.account
        if tournament is None or account is None or session.room or not tournament.has(account.id):
            return session.room
        other = tournament.opponent(account.id) or 0
        return f"tournament {min(account.id, other)} {max(account.id, other)}"

    # The queue.

    def waiting(self) -> list[Session]:
        """Return the queue, the longest waiting first, players who often spoil games last."""
        waiting = [v for v in self._lobby.sessions if v.waits and v.computer is None]
        return sorted(
            waiting, key=lambda v: (v.account is not None and self._lobby.conduct.troublesome(v.account.id), -v.waited)
        )

    def masters_over(self, but: Session | None = None, room: str = "") -> int:
        """Return how many more masters than slaves have no opponent, those still becoming one included."""
        over = 0
        for v in self._lobby.sessions:
            if v is not but and self.room_of(v) == room and v.computer is None and v.queued and not v.paired:
                leaning = v.leaning
                over += (leaning == wire.MASTER) - (leaning == wire.SLAVE)
        return over

    def match_soon(self) -> None:
        if not self._matching:
            self._matching = True
            self._loop.call_soon(self._match)

    def _match(self) -> None:
        """Pair waiting players in the order of waiting; tell the others why they wait."""
        self._matching = False
        if self._lobby.closing:
            return
        for computer, guest in list(self._reserved.items()):
            if not guest.waits:
                self._dismiss(computer)
            elif computer.ready and guest.ready and computer.role != guest.role:
                self._pair(*((computer, guest) if computer.role == wire.MASTER else (guest, computer)))
        rooms: dict[str, list[Session]] = {}
        for session in self.waiting():
            session.was_ready = session.ready
            if session.was_ready:
                rooms.setdefault(self.room_of(session), []).append(session)
        for room, ready in rooms.items():
            self._match_room(room, ready)

    def _match_room(self, room: str, ready: list[Session]) -> None:
        masters = [v for v in ready if v.role == wire.MASTER]
        slaves = [v for v in ready if v.role == wire.SLAVE]
        for master in masters[:]:
            slave = next((v for v in slaves if not self._apart(master, v)), None)
            if slave is not None:
                masters.remove(master)
                slaves.remove(slave)
                self._pair(master, slave)
        if len(masters) > 1 and self.masters_over(room=room) > 1:
            flexible = next((v for v in reversed(masters) if v.roles.flexible and not v.roles.never_yields), None)
            if flexible is not None:
                masters.remove(flexible)
                with speaking(flexible.language):
                    flexible.send_text(tr("you_turn"))
                flexible.flush()
                flexible.turn()
        self._explain(masters, "all_masters")
        self._explain(slaves, "all_slaves")

    def _apart(self, master: Session, slave: Session) -> bool:
        assert master.account is not None and slave.account is not None
        return self.backoff.holds(master.account.id, slave.account.id, self._loop.time())

    def _explain(self, waiting: list[Session], why: str) -> None:
        for session in waiting:
            other = next((v for v in waiting if v is not session), None)
            with speaking(session.language):
                words = tr("you_wait") if other is None else tr(why, name=other.name)
            if words != session.last_status:
                session.last_status = words
                session.send_text(words)

    def _pair(self, master: Session, slave: Session) -> None:
        """Take two players from the queue and begin their game."""
        assert master.account is not None and slave.account is not None
        game = Game((master.account, slave.account))
        self._lobby.store.begin(game)
        self._lobby.log(tr("game_on", number=game.id, players=f"{master.name} - {slave.name}"))
        pairing = Pairing(master, slave, game, self._lobby.limits)
        for session, other in ((master, slave), (slave, master)):
            with speaking(session.language):
                session.send_text(tr("your_opponent", name=other.name))
            session.paired = True
            session.flush()
            self.pairings[session] = pairing
            self._reserved.pop(session, None)
        # a computer on its way to one of them is not needed any more
        for computer, guest in list(self._reserved.items()):
            if guest in (master, slave):
                self._dismiss(computer)
        self._lobby.version += 1
        self.step(pairing)

    def step(self, pairing: Pairing) -> None:
        result = pairing.step()
        if result == DONE:
            self._lobby.join(pairing)
        elif result == FAILED:
            self.call_off(pairing, "unmet")
            if pairing.refused:
                pairing.master.send_away()

    def call_off(self, pairing: Pairing, ending: str) -> None:
        """Cancel a pairing."""
        game = pairing.game
        game.stage, game.ending = FINISHED, ending
        game.ended = game.started
        self._lobby.store.stage(game)
        self.backoff.note(game, self._loop.time())
        self._lobby.log(tr("game_over", number=game.id, result=result_words(game)))
        for session in (pairing.master, pairing.slave):
            self.pairings.pop(session, None)
            session.paired = False
            session.was_ready = False
        self._lobby.version += 1
        self.match_soon()

    # Computers.

    def send_computers(self) -> None:
        """Send computers to players who have waited long enough, as far as there are free ones."""
        for session in self.waiting():
            due = self._unasked and not session.room and session.waited >= self._patience
            if due and session.ready and session not in self._reserved.values():
                self.send_computer(session)

    def send_computer(self, session: Session, level: int | None = None) -> bool:
        busy = Counter(v.computer.level for v in self._lobby.sessions if v.computer is not None)
        free = [code for code in LEVELS.values() if busy[code] < self._bots and level in (None, code)]
        if not free or session.account is None:
            return False
        own = self._lobby.ratings.standing(session.account.id).rating

        def distance(code: int) -> tuple[float, int]:
            return abs(computers.RATINGS[code] - own), abs(code - HUNT)

        code = min(free, key=distance)
        role = computers.role_for(session.role)
        computer = Computer(code, role, secrets.randbelow(_SEED_MOST), self._loop)
        guest = Session(self._lobby, computer.line, self._lobby.next_number(), role, computer)
        self._reserved[guest] = session
        self._lobby.admit(guest)
        with speaking(session.language):
            session.send_text(tr("computer_comes", name=computers.name(code)))
        return True

    def _dismiss(self, computer: Session) -> None:
        self._reserved.pop(computer, None)
        computer.drop("not needed")
