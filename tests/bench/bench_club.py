"""A full club at its true speed: 200 pages and 100 boards in 150 games, each player thinking for some seconds a shot.

The club is one process, all players another: pages are websockets that do what play.js does with what they are told,
boards are links at TCP connections. A delay is from the shooter's sending to the opponent's having been told, so what
the players' process and the machine take is in it, beside the club's own work: that is a turn of its loop for each byte
at the most.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp

from seabattle import link as links
from seabattle import wire
from seabattle_host.club.limits import TURN_BOUNDS
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.player.parameters import Parameters
from tests.bench import Figure, resident
from tests.club import Seat
from tests.command import Command

PAGES, BOARDS = 200, 100
SECONDS = 60.0
"""Seconds of measurement, once all play."""
THINKING = (2.0, 4.0)
"""Thinking time of each shot, in seconds."""
QUICK_THINKING = (0.1, 0.2)
_START_SECONDS = 180.0


class Crowd:
    """All players. sent: when each sent its last shot. delays: the measurements. playing: who is in a game."""

    def __init__(self, thinking: tuple[float, float]) -> None:
        self.chance = random.Random(1)
        self.thinking = thinking
        self.sent: dict[str, float] = {}
        self.delays: list[float] = []
        self.playing: set[str] = set()
        self.measuring = False
        self.turns: list[float] = []
        """The club's loop while measured: turns that took up to each of TURN_BOUNDS, and all turns."""
        self.busy = 0.0
        """Processor time of the club while measured, in seconds."""

    def shown(self, opponent: str) -> None:
        """A player has been notified of the opponent's shot."""
        sent = self.sent.pop(opponent, 0.0)
        if self.measuring and sent:
            self.delays.append(time.perf_counter() - sent)


class Board(Seat):
    """A board whose computer player takes as long as a person."""

    def __init__(self, crowd: Crowd, nick: str):
        super().__init__(
            wire.SLAVE, nick.encode(), games=0, offer=Parameters(), seed=hash(nick) & 0xFFFF, tick=TICK_SECONDS
        )
        self.crowd = crowd
        self.nick = nick
        self.due = 0.0
        self.heard = 0
        self.shooting = False

    def act(self) -> None:
        link = self.link
        if link.state == 4:
            self.crowd.playing.add(self.nick)
        else:
            self.crowd.sent.pop(self.nick, None)
        if link.my_turn:
            now = time.perf_counter()
            self.due = self.due or now + self.crowd.chance.uniform(*self.crowd.thinking)
            self.plays = now >= self.due
        else:
            self.due = 0.0
            self.plays = True
        super().act()
        for code, _a, _b in self.events[self.heard :]:
            if code == links.EV_SHOT and self.peers:
                self.crowd.shown(self.peers[-1])
        self.heard = len(self.events)

    def _poll(self) -> None:
        # the bot steps only in act(), after its thinking time
        plays, self.plays = self.plays, self.plays and not self.link.my_turn
        super()._poll()
        self.plays = plays

    def write(self, data: bytes | bytearray) -> None:
        # a shot may follow a reply in the same write
        shooting = self.link.busy == wire.SHOT
        if shooting and not self.shooting:
            self.crowd.sent[self.nick] = time.perf_counter()
        self.shooting = shooting
        super().write(data)


async def page(crowd: Crowd, session: aiohttp.ClientSession, url: str, nick: str, room: str) -> None:
    """Play one game after the other at a page, as a person."""
    cells = [(x, y) for x in range(10) for y in range(10)]
    seen = 0
    thinking: asyncio.Task[None] | None = None

    async def shoot(socket: aiohttp.ClientWebSocketResponse[bool], theirs: str) -> None:
        await asyncio.sleep(crowd.chance.uniform(*crowd.thinking))
        x, y = crowd.chance.choice([(x, y) for x, y in cells if theirs[10 * y + x] == "."])
        crowd.sent[nick] = time.perf_counter()
        # the run may be over by then
        with contextlib.suppress(ConnectionError):
            await socket.send_json({"do": "shoot", "x": x, "y": y})

    async with session.ws_connect(f"{url}play/ws", max_msg_size=0) as socket:
        await socket.send_json({"do": "come", "nick": nick, "size": 10, "room": room})
        async for message in socket:
            view = json.loads(message.data)
            phase = view["phase"]
            if phase != "battle":
                # the shot that ended a game: nobody is notified of it
                crowd.sent.pop(nick, None)
            if phase == "placing":
                await socket.send_json({"do": "ready" if view["complete"] else "random"})
            elif phase == "over":
                await socket.send_json({"do": "again"})
            elif phase == "battle":
                crowd.playing.add(nick)
                if view["shots"][1] > seen:
                    crowd.shown(view["peer"])
                if view["myTurn"] and (thinking is None or thinking.done()):
                    thinking = asyncio.ensure_future(shoot(socket, view["theirs"]))
            seen = view.get("shots", (0, 0))[1]


def used(process: int) -> float:
    """Return the processor time of a process, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def turns(session: aiohttp.ClientSession, url: str) -> list[float]:
    """Return how many turns of the club's loop took up to each bound so far."""
    async with session.get(f"{url}metrics") as answer:
        text = await answer.text()
    return [float(line.split()[-1]) for line in text.splitlines() if line.startswith("seabattle_turn_seconds_bucket")]


async def play(
    url: str, port: int, process: int, pages: int, boards: int, seconds: float, thinking: tuple[float, float]
) -> tuple[Crowd, float, float]:
    """Let them play; return the measurements, and the club's memory before and with them, MiB."""
    crowd = Crowd(thinking)
    loop = asyncio.get_running_loop()
    before = resident(process) / 1024
    seats = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        for number in range(boards):
            seat = Board(crowd, f"D{number}")
            seats.append(seat)
            await loop.create_connection(lambda seat=seat: seat, "127.0.0.1", port)  # type: ignore[misc]
        # pages that join waiting boards take the role that these lack
        while not all(seat.link.state for seat in seats):
            await asyncio.sleep(0.1)
        people = []
        for number in range(pages):
            room = "" if number < boards else f"a-room-for-two-people-{(number - boards) // 2:04}"
            people.append(loop.create_task(page(crowd, session, url, f"P{number}", room)))
            await asyncio.sleep(0.02)
        deadline = time.monotonic() + _START_SECONDS
        while len(crowd.playing) < pages + boards and time.monotonic() < deadline:
            await asyncio.sleep(0.2)
        crowd.measuring = True
        busy, before_that = used(process), await turns(session, url)
        await asyncio.sleep(seconds)
        crowd.busy = used(process) - busy
        crowd.turns = [b - a for a, b in zip(before_that, await turns(session, url), strict=True)]
        with_them = resident(process) / 1024
        crowd.measuring = False
        for task in people:
            task.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        for seat in seats:
            seat.close()
    return crowd, before, with_them


def figures(quick: bool = False) -> Iterator[Figure]:
    pages, boards, seconds = (2, 2, 1.0) if quick else (PAGES, BOARDS, SECONDS)
    thinking = QUICK_THINKING if quick else THINKING
    with tempfile.TemporaryDirectory() as folder:
        options = ("--db", str(Path(folder, "club.sqlite")), "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0")
        limits = ("--connections", "9000", "--per-address", "9000", "--one-address", "--boards", "0")
        with Command("club", "serve", *options, *limits) as club:
            port = int(club.line("the club is open").rsplit(":", 1)[1])
            url = club.line("the page is at").split()[-1]
            crowd, before, with_them = asyncio.run(play(url, port, club.process.pid, pages, boards, seconds, thinking))
            club.process.send_signal(signal.SIGTERM)
            club.finish()
    delays = sorted(crowd.delays)
    note = f"{len(delays)} shots in {seconds:.0f} s"
    yield Figure("players in games", len(crowd.playing), "players", f"of {pages} pages and {boards} boards")
    for name, share in (("half of the shots", 0.5), ("99 %", 0.99)):
        yield Figure(
            f"until the opponent is shown a shot, {name}", 1000 * delays[int(share * (len(delays) - 1))], "ms", note
        )
    yield Figure("the longest", 1000 * delays[-1], "ms", "")
    shares = zip(TURN_BOUNDS, crowd.turns, strict=False)
    bound = next((bound for bound, count in shares if count >= 0.99 * crowd.turns[-1]), TURN_BOUNDS[-1])
    yield Figure("a turn of the club's loop, 99 %", 1000 * bound, "ms", "no longer than this")
    yield Figure("a processor's time that the club takes", 100 * crowd.busy / seconds, "%", "of one")
    yield Figure(
        "memory a player", 1024 * (with_them - before) / (pages + boards), "KiB", f"{with_them:.0f} MiB in all"
    )
