"""The club in real time: 100 players, 50 games at once, 200 games, on this machine.

Three processes run: the club, 98 of the players, and a pair that only exchanges syncs and measures time. A delay is
from just before a byte is sent until just after it is received. Besides the club's work it contains two passes through
the system's loopback, the time until the receiver wakes up, and whatever else the machine does. A relay of three lines
that does nothing else is measured in turn with the club, to show how much of the delay is not the club's.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

from seabattle import wire
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.club.store import Store
from seabattle_host.language.text import decode
from seabattle_host.language.words import TICK_SECONDS
from seabattle_host.player.parameters import Parameters
from tests.bench import Figure
from tests.club import SMALL, Seat, Seen, as_seen, keep_coming
from tests.command import ROOT, Command, environment

PLAYERS = 98
GAMES = 200
WARM = 50
"""Games after which the memory is looked at for the first time."""
PAUSE = 0.01
"""Seconds between two measured bytes."""
_ANSWER_SECONDS = 10.0

BARE = """\
import asyncio

class End(asyncio.Protocol):
    ends = []
    def connection_made(self, transport):
        self.transport = transport
        self.ends.append(self)
    def data_received(self, data):
        next(end for end in self.ends if end is not self).transport.write(data)

async def main():
    server = await asyncio.get_running_loop().create_server(End, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
"""A relay between two that does nothing else."""


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A Python of its own, gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment(PYTHONPATH=os.pathsep.join(map(str, (ROOT, ROOT / "common", ROOT / "host")))),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def figures(quick: bool = False) -> Iterator[Figure]:
    players_number, games_number, warm = (2, 1, 0) if quick else (PLAYERS, GAMES, WARM)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        db = Path(folder, "club.sqlite")
        with Command(
            *("club", "serve", "--db", str(db), "--listen", "127.0.0.1:0"),
            *("--connections", "1000", "--per-address", "1000"),
        ) as club:
            port = int(club.line("the club is open").rsplit(":", 1)[1])
            pair = Pair(port)
            seen_in = str(Path(folder, "seen.json"))
            players = stack.enter_context(
                started("-m", "tests.bench.bench_club", str(port), str(players_number), str(games_number), seen_in)
            )
            bare_relay = stack.enter_context(started("-c", BARE))
            assert bare_relay.stdout is not None
            bare = Pair(int(bare_relay.stdout.readline()), meet=False)
            began = time.monotonic()
            memory: list[float] = []
            most = 0
            with Store(db) as store:
                looked = 0.0
                while players.poll() is None:
                    pair.measure()
                    bare.measure()
                    if time.monotonic() - looked > 1:
                        looked = time.monotonic()
                        games = store.games(players_number)
                        most = max(most, sum(not game.ending for game in games))
                        if games and games[0].id - sum(not game.ending for game in games) >= warm:
                            memory.append(resident(club.process.pid))
                took = time.monotonic() - began
                memory.append(resident(club.process.pid))
                if players.returncode:
                    raise RuntimeError("the players did not come to their end")
                out = Path(seen_in).read_text(encoding="utf-8")
                seen = {name: [Seen(*_tupled(one)) for one in games] for name, games in json.loads(out).items()}
                told = as_seen(store.game(game.id) for game in reversed(store.games()))
            pair.close()
            bare.close()
            club.process.send_signal(signal.SIGTERM)
            club.finish()
    wrong = sum(told.get(name, [])[: len(games)] != games for name, games in seen.items())
    delays, floor = sorted(pair.delays), sorted(bare.delays)
    note = f"{len(delays)} bytes"
    yield Figure("games finished", sum(map(len, seen.values())) // 2, "games", f"in {took:.0f} s, {most} at once")
    yield Figure("players whose games are not the club's", wrong, "players", "move by move")
    for name, share in (("half of the bytes", 0.5), ("99 %", 0.99), ("99.9 %", 0.999)):
        value, least = (1000 * each[int(share * (len(each) - 1))] for each in (delays, floor))
        yield Figure(f"delay of a byte, {name}", value, "ms", f"{note}, or less; without the club {least:.3g}")
    yield Figure("delay of a byte, longest", 1000 * delays[-1], "ms", f"without the club {1000 * floor[-1]:.3g}")
    yield Figure("memory after the first games", memory[0], "MiB", f"resident, after {warm} games")
    yield Figure("memory at the end", memory[-1], "MiB", f"longest between: {max(memory):.4g}")


def _tupled(one: dict) -> tuple[str, bool, list[tuple[int, int, int]]]:
    return one["peer"], one["won"], [(x, y, answer) for x, y, answer in one["shots"]]


def resident(process: int) -> float:
    """Memory that a process has at the moment, MiB."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS:"))) / 1024


class Pair:
    """A master and a slave who are joined, and send nothing but syncs and their answers."""

    def __init__(self, port: int, meet: bool = True) -> None:
        """meet: the port is a club's."""
        self.delays: list[float] = []
        self._ends = [socket.create_connection(("127.0.0.1", port)) for _ in "ms"]
        for end in self._ends:
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end.settimeout(_ANSWER_SECONDS)
        if meet:
            self._meet()

    def _meet(self) -> None:
        """Be greeted, and wait until the other's nick has come and all is said."""
        links = [Link(role, Rng(1)) for role in (wire.MASTER, wire.SLAVE)]
        for link, nick in zip(links, (b"MASTER", b"SLAVE"), strict=True):
            link.nick(nick, len(nick))
        due = time.monotonic()
        quiet = 0
        while quiet < 30:
            ready = select.select(self._ends, [], [], max(0.0, due - time.monotonic()))[0]
            for end, link in zip(self._ends, links, strict=True):
                if end in ready:
                    for byte in end.recv(4096):
                        link.rx(byte)
                        while link.event():
                            pass
            if time.monotonic() >= due:
                due += TICK_SECONDS
                joined = [decode(link.peer_nick[: link.peer_nick_len]) for link in links] == ["SLAVE", "MASTER"]
                quiet = quiet + 1 if joined and not any(link.busy for link in links) else 0
                for link in links:
                    link.tick()
            for end, link in zip(self._ends, links, strict=True):
                out = bytearray()
                while (byte := link.tx()) >= 0:
                    out.append(byte)
                if out:
                    end.sendall(out)
        # the answer to the last sync
        for end in self._ends:
            end.settimeout(10 * TICK_SECONDS)
            try:
                while end.recv(4096):
                    pass
            except TimeoutError:
                end.settimeout(_ANSWER_SECONDS)

    def measure(self) -> None:
        """A sync and its answer."""
        for here, there, byte in ((0, 1, wire.SYNC), (1, 0, wire.SYNCED)):
            began = time.perf_counter()
            self._ends[here].sendall(bytes([byte]))
            if self._ends[there].recv(1) != bytes([byte]):
                raise RuntimeError("another byte came than was sent")
            self.delays.append(time.perf_counter() - began)
        time.sleep(PAUSE)

    def close(self) -> None:
        """Vanish."""
        for end in self._ends:
            end.close()


async def _play(port: int, players: int, games: int) -> dict[str, list[Seen]]:
    seen: dict[str, list[Seen]] = {}
    loop = asyncio.get_running_loop()

    async def come(seat: Seat) -> None:
        await loop.create_connection(lambda: seat, "127.0.0.1", port)

    offer = SMALL if games < GAMES else Parameters()
    await asyncio.gather(
        *(keep_coming(come, number, seen, games, offer=offer, tick=TICK_SECONDS) for number in range(players))
    )
    return seen


if __name__ == "__main__":
    found = asyncio.run(_play(*map(int, sys.argv[1:4])))
    text = json.dumps({name: [asdict(one) for one in games] for name, games in found.items()})
    Path(sys.argv[4]).write_text(text, encoding="utf-8")
