"""The club as a whole: who is there, who waits, who plays, and the clock that all of them share."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine

from seabattle import wire
from seabattle.gunner import HUNT
from seabattle.rng import Rng
from seabattle_host.club import chat_orders, computers
from seabattle_host.club.accounts import Members, name_of
from seabattle_host.club.computers import Computer
from seabattle_host.club.conduct import Conduct
from seabattle_host.club.limits import Limits, ticks
from seabattle_host.club.line import Line, SerialLine, TcpLine
from seabattle_host.club.operator import Desk, obey_all
from seabattle_host.club.pairing import DONE, FAILED, Pairing, nick_for
from seabattle_host.club.ratings import Ratings
from seabattle_host.club.relay import Relay
from seabattle_host.club.session import GONE, PARTING, Ticking, Visitor
from seabattle_host.club.store import FINISHED, Game, Store
from seabattle_host.club.wording import address, cannot_listen, result_words
from seabattle_host.errors import SeabattleError
from seabattle_host.language.club_phrases import say
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.line.port import Settings
from seabattle_host.player.parameters import LEVELS

PATIENCE = 15.0
"""Seconds that somebody waits before a computer comes."""

_SEED_MOST = (1 << 30) - 1
_LATE_TICKS = 20
_TOGETHER = 6
"""Visitors that are given their tick before bytes are looked at again."""
_LOOK_TICKS = 9
_SHOWN_TICKS = 91
_PARTING_SECONDS = 1.5


class Hall:
    """store: open, and this hall's alone. bots: computers of each level. unasked: they come to who waits for
    `patience` seconds, else only to who asks.

    tick_seconds: the length of a tick; only tests have another than the protocol's. tell: called with each line of
    the log. Made, started and stopped within a running loop.
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
        tell: Callable[[str], None] = lambda line: None,
    ):
        self.store = store
        self.limits = limits or Limits()
        self.rng = Rng(secrets.randbelow(_SEED_MOST))
        self.visitors: list[Visitor] = []
        self.relays: list[Relay] = []
        self.ratings = Ratings(store.results())
        self.conduct = Conduct(store.endings())
        self.desk = Desk(store)
        self.desk.forget()
        self.members = Members(store, self.limits, lambda: self.ticks * TICK_SECONDS)
        self.version = 0
        """Changes whenever there is something new to show."""
        self.ticks = 0
        self.late = 0.0
        """How late the last tick was, in ticks."""
        self.finished: Counter[str] = Counter()
        """Games that have ended since the club was opened, by how."""
        self.tell = tell
        """Write a line of the log."""
        self._bots = bots
        self._unasked = unasked
        self._patience = ticks(patience)
        self._tick_seconds = tick_seconds
        self._loop = asyncio.get_running_loop()
        self._servers: list[asyncio.Server] = []
        self._clock: asyncio.Task[None] | None = None
        self._pairings: dict[Visitor, Pairing] = {}
        self._reserved: dict[Visitor, Visitor] = {}
        """A computer on its way -> for whom it comes."""
        self._number = 0
        self._matching = False
        self._closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        if abandoned := store.abandon():
            tell(say("recovered", count=abandoned))

    # Opening and closing.

    def start(self) -> None:
        """Let time pass."""
        self._clock = self._loop.create_task(self._pass_time())
        self._clock.add_done_callback(self._clock_stopped)

    def _clock_stopped(self, clock: asyncio.Task[None]) -> None:
        """Without time nothing goes on: whoever runs the loop is told the cause."""
        if not clock.cancelled() and (error := clock.exception()) is not None:
            self._loop.call_exception_handler({"message": "the clock stopped", "exception": error})

    async def listen(self, host: str, port: int) -> int:
        """Take TCP connections; gives the port, which port 0 leaves to the system. Raises UserError."""
        try:
            server = await self._loop.create_server(lambda: TcpLine(self._come), host, port)
        except OSError as error:
            raise cannot_listen(host, port, error, "--listen") from error
        self._servers.append(server)
        number = int(server.sockets[0].getsockname()[1])
        self.tell(say("open_at", address=address(host, number)))
        return number

    def add_port(self, url: str, settings: Settings) -> None:
        """A serial port at which somebody plays. Raises PortError."""
        line = SerialLine(url, settings, self._loop)
        self._admit(Visitor(self, line, self._next()))
        line.start()
        self.tell(say("open_port", address=url))

    async def stop(self) -> None:
        """Say goodbye to all, and close."""
        self._closing = True
        self.tell(say("closing"))
        for server in self._servers:
            server.close()
        for pairing in set(self._pairings.values()):
            self._off(pairing, "closed")
        for relay in list(self.relays):
            relay.close()
        for visitor in list(self.visitors):
            visitor.say_goodbye()
        until = self._loop.time() + _PARTING_SECONDS
        while any(v.phase == PARTING for v in self.visitors) and self._loop.time() < until:
            await asyncio.sleep(self._tick_seconds / 4)
        for visitor in self.visitors:
            visitor.line.close()
        if self._clock is not None:
            self._clock.cancel()
            with contextlib.suppress(asyncio.CancelledError, SeabattleError):
                await self._clock

    # Coming and going.

    def _come(self, line: Line) -> None:
        self.arrive(line)

    def arrive(
        self, line: Line, role: int = wire.NOBODY, seat: Ticking | None = None, room: str = ""
    ) -> Visitor | None:
        """Somebody has connected; the rest as of a Visitor. None if there is no place."""
        why = self._refusal(line)
        if why:
            self.tell(say("refused", name=line.name, why=why))
            line.close()
            return None
        self.tell(say("came", name=line.name))
        visitor = Visitor(self, line, self._next(), role, seat=seat, room=room)
        # what sits in this process takes the role that is wanted
        visitor.either = seat is not None
        self._admit(visitor)
        return visitor

    def wanted_role(self, room: str) -> int:
        """The role in which somebody who takes either finds an opponent soonest."""
        return wire.SLAVE if self._masters_over(room=room) > 0 else wire.MASTER

    def in_room(self, room: str) -> list[Visitor]:
        """Who is in a room."""
        return [v for v in self.visitors if v.room == room and v.computer is None]

    def _refusal(self, line: Line) -> str:
        guests = [v for v in self.visitors if v.line.address]
        if self._closing:
            return "closing"
        if len(guests) >= self.limits.connections:
            return f"{len(guests)} connections"
        if self.desk.banned(line.address):
            return "banned"
        if sum(v.line.address == line.address for v in guests) >= self.limits.per_address:
            return f"{self.limits.per_address} connections from {line.address}"
        return ""

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _admit(self, visitor: Visitor) -> None:
        self.visitors.append(visitor)
        self.version += 1

    def gone(self, visitor: Visitor, why: str) -> None:
        """Of visitor.Club."""
        self.left(visitor)
        if visitor.computer is None:
            self.tell(say("went", name=visitor.name, why=why))
        if not visitor.line.lasting or self._closing:
            self.visitors.remove(visitor)
        self._reserved.pop(visitor, None)
        self.version += 1

    def left(self, visitor: Visitor) -> None:
        """Of visitor.Club."""
        pairing = self._pairings.get(visitor)
        if pairing is not None:
            self._off(pairing, "unmet")
        visitor.was_ready = False
        self.version += 1

    def met(self, visitor: Visitor) -> None:
        """Of visitor.Club."""
        if visitor.member is None:
            if visitor.computer is not None:
                visitor.member = self.members.computer(computers.name(visitor.computer.level))
            else:
                if self.desk.banned(name_of(visitor.nick)):
                    visitor.say_goodbye()
                    return
                visitor.member, words = self.members.greet(visitor.nick, self.here(visitor))
                visitor.say(words)
                self.tell_of(visitor)
        elif visitor.news:
            visitor.say(visitor.news)
            visitor.news = ""
        self.version += 1
        self.match_soon()

    def tell_of(self, visitor: Visitor) -> None:
        member = visitor.member
        assert member is not None
        role = say("master" if visitor.role == wire.MASTER else "slave")
        self.tell(say("is_here", name=visitor.line.name, player=member.shown, id=member.id, role=role))

    def here(self, but: Visitor) -> set[int]:
        return {v.member.id for v in self.visitors if v.member is not None and v is not but and v.phase != GONE}

    def moved(self, visitor: Visitor) -> None:
        """Of visitor.Club."""
        pairing = self._pairings.get(visitor)
        if pairing is not None:
            self._step(pairing)
        elif visitor.ready != visitor.was_ready:
            self.match_soon()

    def there(self, visitor: Visitor) -> bool:
        """Of visitor.Club."""
        pairing = self._pairings.get(visitor)
        return pairing is not None and visitor is pairing.slave and pairing.level

    # The queue.

    def waiting(self) -> list[Visitor]:
        """Everybody in the queue, who has waited longest first; behind them those who often spoil games."""
        waiting = [v for v in self.visitors if v.waits and v.computer is None]
        return sorted(
            waiting, key=lambda v: (v.member is not None and self.conduct.troublesome(v.member.id), -v.waited)
        )

    def wants_slave(self, visitor: Visitor) -> bool:
        """Of visitor.Club."""
        return visitor.computer is None and self._masters_over(visitor, visitor.room) > 0

    def _masters_over(self, but: Visitor | None = None, room: str = "") -> int:
        """How many more masters than slaves there are without an opponent, those on their way to a role included."""
        over = 0
        for v in self.visitors:
            if v is not but and v.room == room and v.computer is None and v.queued and not v.paired:
                leaning = v.leaning
                over += (leaning == wire.MASTER) - (leaning == wire.SLAVE)
        return over

    def match_soon(self) -> None:
        if not self._matching:
            self._matching = True
            self._loop.call_soon(self._match)

    def _match(self) -> None:
        """Pair who can be paired, in the order of waiting; tell the others why they wait."""
        self._matching = False
        if self._closing:
            return
        for computer, guest in list(self._reserved.items()):
            if not guest.waits:
                self._dismiss(computer)
            elif computer.ready and guest.ready and computer.role != guest.role:
                self._pair(*((computer, guest) if computer.role == wire.MASTER else (guest, computer)))
        rooms: dict[str, list[Visitor]] = {}
        for visitor in self.waiting():
            visitor.was_ready = visitor.ready
            if visitor.was_ready:
                rooms.setdefault(visitor.room, []).append(visitor)
        for room, ready in rooms.items():
            self._match_room(room, ready)

    def _match_room(self, room: str, ready: list[Visitor]) -> None:
        masters = [v for v in ready if v.role == wire.MASTER]
        slaves = [v for v in ready if v.role == wire.SLAVE]
        while masters and slaves:
            self._pair(masters.pop(0), slaves.pop(0))
        if len(masters) > 1 and self._masters_over(room=room) > 1:
            flexible = next((v for v in reversed(masters) if v.either and not v.fixed), None)
            if flexible is not None:
                masters.remove(flexible)
                flexible.say(say("you_turn"))
                flexible.flush()
                flexible.turn()
        self._explain(masters, "all_masters")
        self._explain(slaves, "all_slaves")

    def _explain(self, waiting: list[Visitor], why: str) -> None:
        for visitor in waiting:
            other = next((v for v in waiting if v is not visitor), None)
            words = say("you_wait") if other is None else say(why, name=other.name)
            if words != visitor.told:
                visitor.told = words
                visitor.say(words)

    def _pair(self, master: Visitor, slave: Visitor) -> None:
        """The two leave the queue, and their game is in its first stage."""
        assert master.member is not None and slave.member is not None
        game = Game((master.member, slave.member))
        self.store.begin(game)
        self.tell(say("game_on", number=game.id, players=f"{master.name} - {slave.name}"))
        pairing = Pairing(master, slave, game, self.limits)
        for visitor, other in ((master, slave), (slave, master)):
            visitor.say(say("your_opponent", name=other.name))
            visitor.paired = True
            visitor.flush()
            self._pairings[visitor] = pairing
            self._reserved.pop(visitor, None)
        # a computer that was on its way to one of them is not needed any more
        for computer, guest in list(self._reserved.items()):
            if guest in (master, slave):
                self._dismiss(computer)
        self.version += 1
        self._step(pairing)

    def _step(self, pairing: Pairing) -> None:
        result = pairing.step()
        if result == DONE:
            self._join(pairing)
        elif result == FAILED:
            self._off(pairing, "unmet")
            if pairing.refused:
                pairing.master.send_away()

    def _join(self, pairing: Pairing) -> None:
        master, slave = pairing.master, pairing.slave
        assert master.link is not None and master.member is not None and slave.member is not None
        for visitor in (master, slave):
            del self._pairings[visitor]
        relay = Relay(
            (master, slave),
            pairing.game,
            self.store,
            self.limits,
            state=master.link.state,
            nicks=(nick_for(master, slave), nick_for(slave, master)),
            parameters=master.parameters,
            chat=(master.has_chat, slave.has_chat),
            patience=(self.conduct.patience(master.member.id), self.conduct.patience(slave.member.id)),
            changed=self._changed,
            over=self._over,
        )
        relay.private = bool(master.room)
        self.relays.append(relay)
        master.hand_over(relay)
        slave.hand_over(relay)
        self.version += 1
        slave.thaw()

    def _off(self, pairing: Pairing, ending: str) -> None:
        """The two are not handed over after all."""
        game = pairing.game
        game.stage, game.ending = FINISHED, ending
        game.ended = game.started
        self.store.stage(game)
        self.tell(say("game_over", number=game.id, result=result_words(game)))
        for visitor in (pairing.master, pairing.slave):
            self._pairings.pop(visitor, None)
            visitor.paired = False
            visitor.was_ready = False
        self.version += 1
        self.match_soon()

    # Games.

    def _changed(self) -> None:
        self.version += 1

    def _over(self, relay: Relay, game: Game | None) -> None:
        """A game has ended; or, without one, the relay."""
        if game is None:
            self.relays.remove(relay)
        else:
            self.tell(say("game_over", number=game.id, result=result_words(game)))
            self.finished[game.ending] += 1
            if game.winner is not None:
                winner, loser = game.players[game.winner].id, game.players[1 - game.winner].id
                self.conduct.add(winner, loser, game.ending)
            if game.rated:
                self.ratings.add(winner, loser)
            self._keep_news(game)
        self.version += 1

    def _keep_news(self, game: Game) -> None:
        """What the two will be told when they are back in the queue."""
        players = [player.id for player in game.players]
        for visitor in self.visitors:
            if visitor.computer is None and visitor.member is not None and visitor.member.id in players:
                rating = self.ratings.of(visitor.member.id).rating
                visitor.news = say("news", number=game.id, result=result_words(game), rating=round(rating))

    # Computers.

    def _send_computers(self) -> None:
        """To everybody who has waited for long enough, as far as there are computers."""
        for visitor in self.waiting():
            due = self._unasked and not visitor.room and visitor.waited >= self._patience
            if due and visitor.ready and visitor not in self._reserved.values():
                self.send_computer(visitor)

    def send_computer(self, visitor: Visitor, level: int | None = None) -> bool:
        busy = Counter(v.computer.level for v in self.visitors if v.computer is not None)
        free = [code for code in LEVELS.values() if busy[code] < self._bots and level in (None, code)]
        if not free or visitor.member is None:
            return False
        own = self.ratings.of(visitor.member.id).rating

        def distance(code: int) -> tuple[float, int]:
            member = self.members.computer(computers.name(code))
            return abs(self.ratings.of(member.id).rating - own), abs(code - HUNT)

        code = min(free, key=distance)
        role = computers.role_for(visitor.role)
        computer = Computer(code, role, secrets.randbelow(_SEED_MOST), self._loop)
        guest = Visitor(self, computer.line, self._next(), role, computer)
        self._reserved[guest] = visitor
        self._admit(guest)
        visitor.say(say("computer_comes", name=computers.name(code)))
        return True

    def _dismiss(self, computer: Visitor) -> None:
        self._reserved.pop(computer, None)
        computer.drop("not needed")

    # Chat.

    def said(self, visitor: Visitor, words: str) -> None:
        """Of visitor.Club: an order to the club."""
        chat_orders.obey(self, visitor, words)
        self.version += 1
        self.match_soon()

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        """Let something that takes a while go on beside the rest."""
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
                # The machine has slept: nobody was late, time stood still.
                due = self._loop.time()

    async def _tick(self) -> None:
        self.ticks += 1
        living: tuple[Ticking, ...] = (*self.visitors, *self.relays, *set(self._pairings.values()))
        for count, each in enumerate(living):
            each.tick()
            if isinstance(each, Visitor) and each.seat is not None:
                each.seat.tick()
            if count % _TOGETHER == 0:
                await asyncio.sleep(0)
        if self.ticks % _LOOK_TICKS == 0:
            for pairing in set(self._pairings.values()):
                self._step(pairing)
            obey_all(self)
            if self._bots:
                self._send_computers()
            self.match_soon()
        if self.ticks % _SHOWN_TICKS == 0 and self.waiting():
            # how long they have waited is to be seen
            self.version += 1
