"""The club as a whole: sessions, queue, games, and the clock they share."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Coroutine

from seabattle import wire
from seabattle.rng import Rng
from seabattle_host.club import chat_orders, computers
from seabattle_host.club.accounts import Accounts, name_of
from seabattle_host.club.admin import Administration, obey_all
from seabattle_host.club.conduct import Conduct
from seabattle_host.club.limits import PATIENCE, TURN_BOUNDS, Limits
from seabattle_host.club.line import Line, SerialLine, TcpLine
from seabattle_host.club.matchmaker import Matchmaker
from seabattle_host.club.pairing import Pairing, nick_for
from seabattle_host.club.ratings import Ratings
from seabattle_host.club.relay import Relay
from seabattle_host.club.session import Session
from seabattle_host.club.session_types import GONE, PARTING, LocalPlayer, OtherGuests, Ticking
from seabattle_host.club.store import Game, Store
from seabattle_host.club.tournament import Tournament
from seabattle_host.club.wording import address, cannot_listen, rating_words, result_words, speaking
from seabattle_host.errors import SeabattleError
from seabattle_host.language import text
from seabattle_host.language.messages import tr
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.line.settings import Settings

_SEED_MOST = (1 << 30) - 1
_LATE_TICKS = 20
"""A clock later than this was stopped: the machine has slept."""
_TURN_SECONDS = 0.001
"""How long sessions are ticked before the loop looks at bytes again."""
_LOOK_TICKS = 9
"""Interval at which operator's orders are read and waiting players paired."""
_SHOWN_TICKS = 91
"""Interval at which the page updates waiting times."""
_PARTING_SECONDS = 1.5
"""How long a closing club waits for replies to its goodbyes."""
_REFUSAL_SECONDS = 1.0
"""Least time between two logged refusals."""
_NEXT_ROUND_TICKS = 90
"""How long the players of a tournament game see its end before they are parted to meet others."""


class Lobby:
    """store: open, and used by this lobby only.

    bots: computers of each level. unasked: they play with players who have waited for `patience` seconds, else only on
    request.

    tick_seconds: the length of a tick; only tests change it. log: called with each line of the log. Create, start and
    stop it within a running loop.
    """

    def __init__(
        self,
        store: Store,
        limits: Limits | None = None,
        *,
        bots: int = 0,
        unasked: bool = True,
        patience: float = PATIENCE,
        tick_seconds: float = TICK_SECONDS,
        log: Callable[[str], None] = lambda line: None,
    ):
        self.store = store
        self.limits = limits or Limits()
        self.rng = Rng(secrets.randbelow(_SEED_MOST))
        self.sessions: list[Session] = []
        self.relays: list[Relay] = []
        self.ratings = Ratings.of_store(store)
        self.conduct = Conduct(store.endings())
        self.tournament: Tournament | None = None
        """The tournament that pairs players, if one is running."""
        self.load_tournament()
        self.admin = Administration(store)
        self.admin.forget()
        self.accounts = Accounts(store, self.limits, lambda: self.ticks * TICK_SECONDS)
        self.version = 0
        """Changes whenever there is something new to show."""
        self.ticks = 0
        self.late = 0.0
        """How late the last tick was, in ticks."""
        self.other_guests: OtherGuests | None = None
        self.turns = [0] * (len(TURN_BOUNDS) + 1)
        """Turns of the loop by duration: up to each of TURN_BOUNDS, and longer ones last."""
        self.finished: Counter[str] = Counter()
        """Games ended since the club was opened, by ending."""
        self.log = log
        """Write a line to the log."""
        self._tick_seconds = tick_seconds
        self._loop = asyncio.get_running_loop()
        self._servers: list[asyncio.Server] = []
        self._clock: asyncio.Task[None] | None = None
        self.matchmaker = Matchmaker(self, bots, unasked, patience)
        self._number = 0
        self._refused_at = float("-inf")
        self._refused_more = 0
        self.closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        if abandoned := store.abandon():
            log(tr("recovered", count=abandoned))

    # Opening and closing.

    def start(self) -> None:
        """Start the clock."""
        self._clock = self._loop.create_task(self._pass_time())
        self._clock.add_done_callback(self._clock_stopped)

    def _clock_stopped(self, clock: asyncio.Task[None]) -> None:
        """Report a failed task to the loop's owner: without the clock nothing works."""
        if not clock.cancelled() and (error := clock.exception()) is not None:
            self._loop.call_exception_handler({"message": "the clock stopped", "exception": error})

    async def listen(self, host: str, port: int) -> int:
        """Accept TCP connections; return the port, chosen by the system for port 0. Raises UserError."""
        try:
            server = await self._loop.create_server(lambda: TcpLine(self._accept), host, port)
        except OSError as error:
            raise cannot_listen(host, port, error, "--listen") from error
        self._servers.append(server)
        number = int(server.sockets[0].getsockname()[1])
        self.log(tr("open_at", address=address(host, number)))
        return number

    def add_port(self, url: str, settings: Settings) -> None:
        """Add a serial port for a player. Raises PortError."""
        line = SerialLine(url, settings, self._loop, lambda warning: self.log(f"{url}: {warning}"))
        self.admit(Session(self, line, self.next_number()))
        line.start()
        self.log(tr("open_port", address=url))

    async def stop(self) -> None:
        """Say goodbye to everybody and close."""
        self.closing = True
        self.log(tr("closing"))
        for server in self._servers:
            server.close()
        for pairing in set(self.matchmaker.pairings.values()):
            self.matchmaker.call_off(pairing, "closed")
        for relay in list(self.relays):
            relay.close()
        for session in list(self.sessions):
            session.send_goodbye()
        until = self._loop.time() + _PARTING_SECONDS
        while any(v.phase == PARTING for v in self.sessions) and self._loop.time() < until:
            await asyncio.sleep(self._tick_seconds / 4)
        for session in self.sessions:
            session.line.close()
        if self._clock is not None:
            self._clock.cancel()
            with contextlib.suppress(asyncio.CancelledError, SeabattleError):
                await self._clock

    # Coming and going.

    def _accept(self, line: Line) -> None:
        self.arrive(line)

    def arrive(
        self, line: Line, role: int = wire.NOBODY, local_player: LocalPlayer | None = None, room: str = ""
    ) -> Session | None:
        """Admit a new connection; role, local_player and room: as for Session. Return None if it is refused."""
        why = self._refusal(line)
        if why:
            self._log_refusal(line, why)
            line.close()
            return None
        self.log(tr("came", name=line.name))
        session = Session(self, line, self.next_number(), role, local_player=local_player, room=room)
        # a player inside this process takes the role that is needed
        session.roles.flexible = local_player is not None
        self.admit(session)
        return session

    def _log_refusal(self, line: Line, why: str) -> None:
        """Log a refusal, at most one a second: thousands would fill the disk."""
        now = self._loop.time()
        if now - self._refused_at < _REFUSAL_SECONDS:
            self._refused_more += 1
            return
        more = tr("club_refused_more", more=self._refused_more) if self._refused_more else ""
        self._refused_at, self._refused_more = now, 0
        self.log(tr("club_refused", name=line.name, why=why) + more)

    def wanted_role(self, room: str) -> int:
        """Return the role in which an auto player finds an opponent soonest."""
        return wire.SLAVE if self.matchmaker.masters_over(room=room) > 0 else wire.MASTER

    def in_room(self, room: str) -> list[Session]:
        """Return the sessions in a room, computers left out."""
        return [v for v in self.sessions if v.room == room and v.computer is None]

    def _refusal(self, line: Line) -> str:
        guests = [v for v in self.sessions if v.line.address]
        if self.closing:
            return "closing"
        if len(guests) >= self.limits.connections:
            return f"{len(guests)} connections"
        if self.admin.banned(line.address):
            return "banned"
        if sum(v.line.address == line.address for v in guests) >= self.limits.per_address:
            return f"{self.limits.per_address} connections from {line.address}"
        return ""

    def next_number(self) -> int:
        """Return the next connection number."""
        self._number += 1
        return self._number

    def admit(self, session: Session) -> None:
        """Add a session."""
        self.sessions.append(session)
        self.version += 1

    def on_gone(self, session: Session, why: str) -> None:
        """Implement SessionOwner."""
        self.on_left(session)
        if session.computer is None:
            self.log(tr("went", name=session.name, why=why))
        if not session.line.lasting or self.closing:
            self.sessions.remove(session)
        self.matchmaker.gone(session)
        self.version += 1

    def on_left(self, session: Session) -> None:
        """Implement SessionOwner."""
        self.matchmaker.left(session)
        self.version += 1

    def on_met(self, session: Session) -> None:
        """Implement SessionOwner."""
        if session.account is None:
            if session.computer is not None:
                session.account = self.accounts.computer(computers.name(session.computer.level))
                self.ratings.anchor(session.account.id, computers.RATINGS[session.computer.level])
            else:
                if self.admin.banned(name_of(session.nick)):
                    session.send_goodbye()
                    return
                session.spoken = session.spoken or text.language_of(name_of(session.nick))
                with speaking(session.language):
                    session.account, words = self.accounts.greet(session.nick, self.present(session))
                session.send_text(words)
                self.log_arrival(session)
        elif session.last_result:
            session.send_text(session.last_result)
            session.last_result = ""
        self.version += 1
        self.matchmaker.match_soon()

    def log_arrival(self, session: Session) -> None:
        account = session.account
        assert account is not None
        role = tr("master" if session.role == wire.MASTER else "slave")
        self.log(tr("is_here", name=session.line.name, player=account.display_name, id=account.id, role=role))

    def present(self, but: Session) -> set[int]:
        return {v.account.id for v in self.sessions if v.account is not None and v is not but and v.phase != GONE}

    def on_change(self, session: Session) -> None:
        """Implement SessionOwner."""
        pairing = self.matchmaker.pairings.get(session)
        if pairing is not None:
            self.matchmaker.step(pairing)
        elif session.ready != session.was_ready:
            self.matchmaker.match_soon()

    def wants_slave(self, session: Session) -> bool:
        """Implement SessionOwner."""
        return session.computer is None and self.matchmaker.masters_over(session, self.matchmaker.room_of(session)) > 0

    def is_led_up(self, session: Session) -> bool:
        """Implement SessionOwner."""
        pairing = self.matchmaker.pairings.get(session)
        return pairing is not None and session is pairing.slave and pairing.states_match

    def join(self, pairing: Pairing) -> None:
        """Start the relay of a pair."""
        master, slave = pairing.master, pairing.slave
        assert master.link is not None and master.account is not None and slave.account is not None
        for session in (master, slave):
            del self.matchmaker.pairings[session]
        relay = Relay(
            (master, slave),
            pairing.game,
            self.store,
            self.limits,
            state=master.link.state,
            nicks=(nick_for(master, slave), nick_for(slave, master)),
            parameters=master.parameters,
            chat=(master.has_chat, slave.has_chat),
            patience=(self.conduct.patience(master.account.id), self.conduct.patience(slave.account.id)),
            changed=self._changed,
            over=self._over,
        )
        relay.private = bool(master.room)
        self.relays.append(relay)
        master.hand_over(relay)
        slave.hand_over(relay)
        self.version += 1
        slave.thaw()

    def load_tournament(self) -> None:
        """Load the running tournament, None if there is none."""
        found = self.store.tournament()
        self.tournament = found[0] if found is not None and found[1] else None

    def _count_in_tournament(self, relay: Relay, game: Game) -> None:
        """Count a game of the tournament, and part its players soon, so that they meet others."""
        if self.tournament is None or game.winner is None:
            return
        winner, loser = game.players[game.winner].id, game.players[1 - game.winner].id
        if self.tournament.add(winner, loser):
            self._loop.call_later(_NEXT_ROUND_TICKS * self._tick_seconds, self._part_after_game, relay)

    def _part_after_game(self, relay: Relay) -> None:
        if not relay.ended:
            relay.close()

    # Games.

    def _changed(self) -> None:
        self.version += 1

    def _over(self, relay: Relay, game: Game | None) -> None:
        """Handle the end of a game, or with None the end of the relay."""
        if game is None:
            self.relays.remove(relay)
        else:
            self.log(tr("game_over", number=game.id, result=result_words(game)))
            self.finished[game.ending] += 1
            self.matchmaker.backoff.note(game, self._loop.time())
            if game.winner is not None:
                winner, loser = game.players[game.winner].id, game.players[1 - game.winner].id
                self.conduct.add(winner, loser, game.ending)
            if game.rated:
                self.ratings.add(winner, loser, game.ended or game.started)
            for side, player in enumerate(relay.players):
                if isinstance(player, Session) and player.local_player is not None:
                    player.local_player.on_result(None if game.winner is None else game.winner == side, game.ending)
            self._keep_result(game)
            self._count_in_tournament(relay, game)
        self.version += 1

    def _keep_result(self, game: Game) -> None:
        """Store the result to tell both players once they are back in the queue."""
        players = [player.id for player in game.players]
        for session in self.sessions:
            if session.computer is None and session.account is not None and session.account.id in players:
                rating = rating_words(self.ratings.standing(session.account.id))
                with speaking(session.language):
                    session.last_result = tr("news", number=game.id, result=result_words(game), rating=rating)

    # Chat.

    def on_chat(self, session: Session, words: str) -> None:
        """Implement SessionOwner: a chat command."""
        chat_orders.obey(self, session, words)
        self.version += 1
        self.matchmaker.match_soon()

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Run a coroutine in a task of its own."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(self._clock_stopped)

    # Time.

    async def _pass_time(self) -> None:
        due = self._loop.time() + self._tick_seconds
        while True:
            await asyncio.sleep(max(0.0, due - self._loop.time()))
            self.late = max(0.0, (self._loop.time() - due) / self._tick_seconds)
            await self._tick()
            due += self._tick_seconds
            if self._loop.time() - due > _LATE_TICKS * self._tick_seconds:
                # The machine has slept: do not catch up.
                due = self._loop.time()

    def _tick_local(self, session: Session, player: LocalPlayer) -> None:
        """Tick a player inside this process; a fault in its code ends that player's session only."""
        try:
            player.tick()
        except SeabattleError:
            raise
        except Exception as error:
            self._loop.call_exception_handler({"message": f"{session.name} is sent away", "exception": error})
            session.drop("fault")

    async def _tick(self) -> None:
        self.ticks += 1
        living: tuple[Ticking, ...] = (*self.sessions, *self.relays, *set(self.matchmaker.pairings.values()))
        now = self._loop.time
        until = now() + _TURN_SECONDS
        for each in living:
            each.tick()
            if isinstance(each, Session) and each.local_player is not None:
                self._tick_local(each, each.local_player)
            before = now()
            if before > until:
                await asyncio.sleep(0)
                after = now()
                self.turns[bisect_left(TURN_BOUNDS, after - before)] += 1
                until = after + _TURN_SECONDS
        before = now()
        await asyncio.sleep(0)
        self.turns[bisect_left(TURN_BOUNDS, now() - before)] += 1
        if self.ticks % _LOOK_TICKS == 0:
            obey_all(self)
            self.matchmaker.tick()
        if self.ticks % _SHOWN_TICKS == 0 and self.matchmaker.waiting():
            # waiting times are shown
            self.version += 1
