"""Who is accused when bytes are lost: whole games in which the tap or the line loses them, and players with a bug.

    python -m tests.faults.judging [--cases N] [--jobs J] [--seed S] [--only NAME]

For each kind of fault it prints how many cases there were; in how many the watcher's first finding is at the right
place, in how many it is elsewhere, in how many there is nothing to find (a lost sync is missed by nobody); in how many
something was told as the fault of a player or of the line; and in how many a player was accused who did nothing. The
exit status is 1 if that is not 0 everywhere.

At the tap the players go on, for they have heard everything. On the line they have not.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from seabattle import watch, wire
from seabattle.bot import Bot
from seabattle.fleet import OK, check
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.simulation.world import BYTE_US, Channel, World
from seabattle_host.sniff.capture import Chunk, Fault
from seabattle_host.sniff.record import LOST, Record
from seabattle_host.sniff.session import Session
from tests.faults.study import LONGEST_US, TICK_US, Person
from tests.peers.dialects import MasterB, MasterL, SlaveL
from tests.peers.test_dialects import Table

RIGHT, ELSEWHERE, NOTHING, SUSPECTED, ACCUSED = "right place", "elsewhere", "nothing", "in doubt", "accused"
COLUMNS = (RIGHT, ELSEWHERE, NOTHING, SUSPECTED, ACCUSED)

LOSS, DOUBLE, FLIP, MARKED, SWAP = "lost", "doubled", "flipped", "flipped and marked", "frames swapped"
HARMS = (LOSS, DOUBLE, FLIP, MARKED, SWAP)

NEAR = 8
"""Frames after the fault within which the first finding is at the right place: it shows in what comes of it."""


@dataclass(frozen=True)
class Frame:
    """A frame of a clean game: when its bytes were there, whose it is, and the bytes."""

    at: tuple[int, ...]
    side: int
    raw: bytes


def frames(heard: Iterable[tuple[int, int, int]]) -> list[Frame]:
    """Bytes (time, side, byte) put together to frames, in the order of their ends."""
    readers = (wire.Reader(), wire.Reader())
    parts: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    found = []
    for at, side, byte in heard:
        parts[side].append((at, byte))
        if readers[side].feed(byte) != wire.QUIET:
            found.append(Frame(tuple(a for a, _ in parts[side]), side, bytes(b for _, b in parts[side])))
            parts[side].clear()
    return found


class Ear:
    """Hears the line of a world."""

    def __init__(self) -> None:
        self.world: World | None = None
        self.heard: list[tuple[int, int, int]] = []

    def feed(self, side: int, byte: int) -> None:
        assert self.world is not None
        self.heard.append((self.world.now, side, byte))

    def tick(self) -> None:
        pass


def person(role: int, rng: random.Random) -> Person:
    """A seat at a small game."""
    own = Rng(rng.randrange(1 << 30))
    player = Player(Link(role, own), own)
    while True:
        offer = (rng.choice((6, 6, 7)), rng.randrange(2), rng.randrange(2), rng.randrange(3), rng.randrange(1, 4))
        if check(*offer) == OK:
            break
    return Person(player, Bot(player, Gunner(player.radar, own, HUNT), 0, offer), rng.randrange(TICK_US))


def played(rng: random.Random, channels: tuple[Channel, Channel] | None = None) -> list[tuple[int, int, int]]:
    """A game of two of our players, as a tap hears it."""
    ear = Ear()
    one, two = person(wire.MASTER, rng), person(wire.SLAVE, rng)
    ear.world = World((one, two), channels, listener=ear)
    ear.world.run(LONGEST_US, lambda: one.ended and two.ended)
    return ear.heard


def with_peer(peer: Callable[[], object], role: int, seed: int) -> list[tuple[int, int, int]]:
    """A game of ours with a program by somebody else."""
    table = Table(peer(), role, seed).play(3000)  # type: ignore[arg-type]
    heard = []
    now = 0
    for who, tick, byte in table.traffic:
        now = max(now + BYTE_US, tick * TICK_US)
        heard.append((now, who, byte))
    return heard


PEERS: tuple[tuple[Callable[[], object], int], ...] = (
    (lambda: MasterL(1), wire.SLAVE),
    (lambda: SlaveL(1), wire.MASTER),
    (lambda: SlaveL(30, early=False), wire.MASTER),
    (lambda: MasterB(), wire.SLAVE),
)


@cache
def clean(number: int) -> list[Frame]:
    """Game `number` without a fault: two of ours, or ours with a program by somebody else."""
    if number % 3 == 2:
        peer, role = PEERS[number // 3 % len(PEERS)]
        return frames(with_peer(peer, role, number))
    return frames(played(random.Random(f"clean {number}")))


def tapped(game: list[Frame], harm: str, rng: random.Random) -> tuple[list[Chunk], int]:
    """The game as a tap hears it that loses one byte (or hears two frames in the wrong order), and when that was."""
    where = rng.randrange(len(game) - 1)
    chunks: list[Chunk] = []
    order = list(range(len(game)))
    if harm == SWAP:
        order[where], order[where + 1] = where + 1, where
    times = sorted(at for frame in game for at in frame.at)
    place = rng.randrange(len(game[where].raw))
    n = 0
    for index in order:
        frame = game[index]
        for i, byte in enumerate(frame.raw):
            at = times[n]
            n += 1
            one = Chunk(at, frame.side, bytes((byte,)))
            if index != where or i != place or harm == SWAP:
                chunks.append(one)
            elif harm == DOUBLE:
                chunks += [one, one]
            elif harm in (FLIP, MARKED):
                changed = bytes((byte ^ 1 << rng.randrange(8),))
                marks = bytes((Fault.PARITY,)) if harm == MARKED else b""
                chunks.append(Chunk(at, frame.side, changed, marks))
    return chunks, game[where].at[0]


class Harmed(Channel):
    """Loses, doubles or changes the byte with one number."""

    def __init__(self, which: int, harm: str, bit: int) -> None:
        super().__init__()
        self.which = which
        self.harm = harm
        self.bit = bit
        self.at = -1

    def damage(self, byte: int) -> tuple[int, ...]:
        if self.sent - 1 != self.which:
            return (byte,)
        self.at = self._free
        if self.harm == LOSS:
            return ()
        return (byte, byte) if self.harm == DOUBLE else (byte ^ 1 << self.bit,)


def on_line(number: int, harm: str, rng: random.Random) -> tuple[list[Chunk], int]:
    """The same on the line: the players have not heard the byte either, and react."""
    seed = f"clean {number - number % 3}"
    sizes = Counter(side for _, side, _ in _bytes(seed))
    side = rng.randrange(2)
    channels = [Harmed(-1, harm, 0), Harmed(-1, harm, 0)]
    channels[side] = Harmed(rng.randrange(sizes[side]), LOSS if harm == MARKED else harm, rng.randrange(8))
    heard = played(random.Random(seed), (channels[0], channels[1]))
    return [Chunk(at, who, bytes((byte,))) for at, who, byte in heard], channels[side].at


@cache
def _bytes(seed: str) -> list[tuple[int, int, int]]:
    return played(random.Random(seed))


def judged(chunks: list[Chunk]) -> list[Record]:
    """What the session finds wrong."""
    kinds = (watch.DEVIATION, watch.VIOLATION, watch.DOUBT, watch.NOISE)
    return [r for r in Session().run(chunks) if r.verdict in kinds or r.kind == LOST]


def key(record: Record) -> tuple[int, int, int, int]:
    return (record.side, record.kind, record.op, record.reason)


def weigh(chunks: list[Chunk], at: int, usual: Counter[tuple[int, int, int, int]]) -> tuple[str, bool, bool]:
    """Where the first finding is; whether it may be a player's or the line's; whether a player is accused."""
    left = Counter(usual)
    found = []
    for record in judged(chunks):
        if left[key(record)]:
            left[key(record)] -= 1
        else:
            found.append(record)
    suspected = any(r.maybe for r in found)
    accused = any(r.verdict == watch.VIOLATION for r in found)
    if not found:
        return NOTHING, suspected, accused
    first = found[0]
    after = sum(1 for c in chunks if at < c.at < first.at)
    late = first.kind == watch.LACK and first.at - at < 70 * TICK_US
    is_near = first.at >= at - 3 * BYTE_US and (after <= 3 * NEAR or late or first.at - at < 64 * TICK_US)
    return (RIGHT if is_near else ELSEWHERE), suspected, accused


KINDS = [("tap", harm) for harm in HARMS] + [("line", harm) for harm in (LOSS, DOUBLE, FLIP, MARKED)]


def case(kind: int, index: int, seed: int) -> tuple[str, bool, bool]:
    """Case `index` of a kind; the same numbers give the same case."""
    where, harm = KINDS[kind]
    rng = random.Random(f"{seed} {where} {harm} {index}")
    number = rng.randrange(30)
    if where == "line":
        chunks, at = on_line(number, harm, rng)
        return weigh(chunks, at, Counter())
    game = clean(number)
    chunks, at = tapped(game, harm, rng)
    return weigh(chunks, at, _usual(number))


@cache
def _usual(number: int) -> Counter[tuple[int, int, int, int]]:
    """What is found in a clean game: programs by others deviate, and may be late."""
    game = clean(number)
    return Counter(
        key(r) for r in judged([Chunk(a, f.side, bytes((b,))) for f in game for a, b in zip(f.at, f.raw, strict=True)])
    )


def _case(job: tuple[int, int, int]) -> tuple[int, int, tuple[str, bool, bool]]:
    return job[0], job[1], case(*job)


def study(cases: int, seed: int = 1, jobs: int = 1, only: str = "") -> dict[str, Counter[str]]:
    """`cases` cases, evenly over all kinds (or those whose name begins with `only`); counts by kind."""
    names = {i: f"{where}, {harm}" for i, (where, harm) in enumerate(KINDS)}
    kinds = [i for i, name in names.items() if name.startswith(only)]
    work = ((kinds[n % len(kinds)], n // len(kinds), seed) for n in range(cases))
    counts = {names[i]: Counter[str]() for i in kinds}
    results: Iterable[tuple[int, int, tuple[str, bool, bool]]]
    if jobs == 1:
        results = map(_case, work)
        _count(results, counts, names, seed)
    else:
        with multiprocessing.Pool(jobs) as pool:
            _count(pool.imap_unordered(_case, work, chunksize=20), counts, names, seed)
    return counts


def _count(
    results: Iterable[tuple[int, int, tuple[str, bool, bool]]],
    counts: dict[str, Counter[str]],
    names: dict[int, str],
    seed: int,
) -> None:
    for kind, index, (place, suspected, accused) in results:
        count = counts[names[kind]]
        count[place] += 1
        count[SUSPECTED] += suspected
        count[ACCUSED] += accused
        if accused:
            print(f"accused: {names[kind]}, case {index}, seed {seed}", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description="Who is accused when bytes are lost.")
    parser.add_argument("--cases", type=int, default=900)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds whose name begins so")
    args = parser.parse_args()
    counts = study(args.cases, args.seed, args.jobs, args.only)
    print(f"{'fault':28}{'cases':>9}" + "".join(f"{c:>13}" for c in COLUMNS))
    for name, count in counts.items():
        cases = sum(count[c] for c in (RIGHT, ELSEWHERE, NOTHING))
        print(f"{name:28}{cases:>9}" + "".join(f"{count[c]:>13}" for c in COLUMNS))
    return 1 if any(count[ACCUSED] for count in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
