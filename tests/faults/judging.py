"""Who is accused when bytes are lost: whole games in which the tap or the line loses them, and players with a bug.

    python -m tests.faults.judging [--cases N] [--jobs J] [--seed S] [--only NAME]

For each kind of fault it prints the number of cases; in how many the watcher's first finding is at the right
place, in how many it is elsewhere, in how many there is nothing to find (nobody misses a lost sync); in how many
something was reported as the fault of a player or of the line; and in how many an innocent player was accused. The
exit status is 1 if that last number is not 0 everywhere.

At the tap the players go on, for they have received everything. On the line they have not.
"""

from __future__ import annotations

import pickle
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from seabattle import watch, wire
from seabattle_host.simulation.engine import BYTE_US, Channel, Simulation
from seabattle_host.sniff.checking import Checking
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.timing import TickTimer
from tests.faults.counting import table
from tests.faults.harms import FLIPS, HARMS, SHUFFLES, Event, Harm, at_tap
from tests.faults.study import LONGEST_US, TICK_US, Person, person
from tests.peers.dialects import Dialect, MasterB, MasterL, SlaveL
from tests.peers.test_dialects import OURS, THEIRS, Match

RIGHT, ELSEWHERE, NOTHING, SUSPECTED, ACCUSED = "right place", "elsewhere", "nothing", "in doubt", "accused"
COLUMNS = (RIGHT, ELSEWHERE, NOTHING, SUSPECTED, ACCUSED)

NEAR = 8
"""Frames after the fault within which the first finding is at the right place: it shows in its consequences."""


@dataclass(frozen=True)
class Frame:
    """A frame of a clean game: the times of its bytes, its side, and the bytes."""

    at: tuple[int, ...]
    side: int
    raw: bytes


def frames(heard: Iterable[tuple[int, int, int]]) -> list[Frame]:
    """Join bytes (time, side, byte) to frames, in the order of their ends."""
    readers = (wire.Reader(), wire.Reader())
    parts: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    found = []
    for at, side, byte in heard:
        parts[side].append((at, byte))
        if readers[side].feed(byte) != wire.QUIET:
            found.append(Frame(tuple(a for a, _ in parts[side]), side, bytes(b for _, b in parts[side])))
            parts[side].clear()
    return found


@dataclass
class Finding:
    """A finding, the time of its first byte, and when it was found."""

    at: int
    end: int
    side: int
    kind: int
    op: int
    verdict: int
    reason: int
    maybe: int

    @property
    def key(self) -> tuple[int, int, int, int]:
        return self.side, self.kind, self.op, self.reason


WRONG = (watch.DEVIATION, watch.VIOLATION, watch.DOUBT, watch.NOISE)


class Judge:
    """The watcher, ticking by the times of the bytes, and its findings; can be pickled on the way."""

    def __init__(self) -> None:
        self.watch = watch.Watch()
        self.found: list[Finding] = []
        self.times: list[int] = []
        self._timer = TickTimer()
        self._began = [-1, -1]
        self._last = [0, 0]

    def feed(self, at: int, side: int, byte: int, damaged: int = 0) -> None:
        timer = self._timer
        timer.begin(at)
        while timer.next <= at:
            due = timer.next
            timer.due(at)
            self.watch.tick()
            self._take(due)
        self.times.append(at)
        self.watch.room = (at - self._last[side]) // BYTE_US
        self._last[side] = at
        if self._began[side] < 0:
            self._began[side] = at
        if self.watch.feed(side, byte, damaged):
            self._take(at)

    def finish(self) -> list[Finding]:
        self.watch.finish()
        self._take(self.times[-1] if self.times else 0)
        return [finding for finding in self.found if finding.verdict in WRONG]

    def _take(self, at: int) -> None:
        w = self.watch
        while w.take():
            if w.kind == watch.RULING:
                opened = next(f for f in reversed(self.found) if (f.side, f.op, f.reason) == (w.side, w.op, w.reason))
                opened.verdict, opened.maybe = w.verdict, w.maybe
                continue
            first = at
            if w.kind != watch.LACK:
                first = self._began[w.side]
                self._began[w.side] = at if w.spare else -1
            if w.verdict in WRONG:
                self.found.append(Finding(first, at, w.side, w.kind, w.op, w.verdict, w.reason, w.maybe))


class Ear:
    """Listens to the line of a simulation."""

    def __init__(self) -> None:
        self.simulation: Simulation | None = None
        self.heard: list[tuple[int, int, int]] = []
        self.judge: Judge | None = None

    def feed(self, side: int, byte: int) -> None:
        assert self.simulation is not None
        if self.judge is not None:
            self.judge.feed(self.simulation.now, side, byte)
        else:
            self.heard.append((self.simulation.now, side, byte))

    def tick(self) -> None:
        pass


def simulation(rng: random.Random, channels: tuple[Channel, Channel] | None, ear: Ear) -> Simulation:
    """Return two of our players and their listener."""
    one, two = person(wire.MASTER, rng), person(wire.SLAVE, rng)
    ear.simulation = Simulation((one, two), channels, listener=ear)
    return ear.simulation


def ended(w: Simulation) -> bool:
    one, two = w.endpoints
    assert isinstance(one, Person) and isinstance(two, Person)
    return one.ended and two.ended


def played(rng: random.Random) -> list[tuple[int, int, int]]:
    """Return a game of two of our players, as a tap records it."""
    ear = Ear()
    w = simulation(rng, None, ear)
    w.run(LONGEST_US, lambda: ended(w))
    return ear.heard


class Harmful(Match):
    """A match on a line that loses, doubles or changes one byte. `at`: when that was."""

    def __init__(self, peer: Dialect, role: int, seed: int, side: int = -1, which: int = -1, harm: Harm | None = None):
        super().__init__(peer, role, seed)
        self.side = side
        self.which = which
        self.harm = harm
        self.at = -1
        self.now = 0
        self.heard: list[tuple[int, int, int]] = []

    def settle(self) -> None:
        while True:
            self.poll()
            byte = self.link.tx()
            if byte >= 0:
                self._carry(OURS, byte, self.peer.rx)
            elif not self.peer.out:
                return
            if self.peer.out:
                self._carry(THEIRS, self.peer.out.pop(0), self.link.rx)

    def _carry(self, who: int, byte: int, to: Callable[[int], object]) -> None:
        self.now = max(self.now + BYTE_US, self.time * TICK_US)
        arriving: tuple[int, ...] = (byte,)
        if who == self.side and self.harm is not None:
            self.which -= 1
            if self.which == -1:
                self.at = self.now
            if self.which < 0:
                arriving = self.harm(byte)
        for one in arriving:
            self.heard.append((self.now, who, one))
            to(one)

    def whole(self) -> list[tuple[int, int, int]]:
        """Return the game up to its end, or as long as players wait."""
        for _ in range(3000):
            self.tick()
            stuck = self.at >= 0 and self.now - self.at > 0 and self.time * TICK_US - self.at > PATIENCE_US
            if self.link.key_awaited or stuck or (self.over and (self.peer.left or self.link.state == 0)):
                break
        return self.heard


PATIENCE_US = 300 * TICK_US
"""How long a game with another program goes on after the fault."""


PEERS: tuple[tuple[Callable[[], Dialect], int], ...] = (
    (lambda: MasterL(1), wire.SLAVE),
    (lambda: SlaveL(1), wire.MASTER),
    (lambda: SlaveL(30, early=False), wire.MASTER),
    (lambda: MasterB(), wire.SLAVE),
)


@cache
def clean(number: int) -> list[Frame]:
    """Return game `number` without a fault: two of our players, or one with another program."""
    if number % 3 == 2:
        peer, role = PEERS[number // 3 % len(PEERS)]
        return frames(Harmful(peer(), role, number).whole())
    return frames(played(random.Random(f"clean {number}")))


@cache
def watched(number: int) -> tuple[list[bytes], list[int], list[Finding]]:
    """Have the watcher judge a clean game: its state before each frame, the time of each byte, and its findings."""
    game = clean(number)
    judge = Judge()
    states = []
    for frame in game:
        states.append(pickle.dumps(judge, pickle.HIGHEST_PROTOCOL))
        for at, byte in zip(frame.at, frame.raw, strict=True):
            judge.feed(at, frame.side, byte)
    return states, sorted(at for frame in game for at in frame.at), judge.finish()


def tapped(number: int, harm: str, rng: random.Random) -> tuple[Judge, int]:
    """Judge a game recorded by a tap that harms one place, from there on; return the judge and the time of the harm."""
    game = clean(number)
    states, times, _found = watched(number)
    where = rng.randrange(len(game) - 1)
    n = sum(len(frame.raw) for frame in game[:where])
    events = [
        Event(at, side, byte, frame)
        for at, (side, byte, frame) in zip(
            times[n:],
            ((game[i].side, byte, i) for i in range(where, len(game)) for byte in game[i].raw),
            strict=True,
        )
    ]
    heard, fault = at_tap(events, rng.randrange(len(game[where].raw)), harm, rng)
    judge: Judge = pickle.loads(states[where])
    for event in heard:
        judge.feed(event.at, event.side, event.byte, event.marked)
    return judge, fault


class Harmed(Channel):
    """Harms the bytes from one number on."""

    which = -1
    harm: Harm | None = None
    at = -1

    def damage(self, byte: int) -> tuple[int, ...]:
        if self.harm is None or self.sent - 1 < self.which:
            return (byte,)
        if self.sent - 1 == self.which:
            self.at = self._free
        return self.harm(byte)


STEP = 8
"""Bytes between two stored states of a simulation."""


@cache
def lived(seed: str) -> tuple[list[tuple[tuple[int, int], bytes]], tuple[int, int]]:
    """Run a clean game: return its states every few bytes, with the counts sent, and the bytes sent by each side."""
    ear = Ear()
    ear.judge = Judge()
    w = simulation(random.Random(seed), (Harmed(), Harmed()), ear)
    states: list[tuple[tuple[int, int], bytes]] = []

    def look() -> bool:
        sent = (w.channels[0].sent, w.channels[1].sent)
        if not states or sum(sent) >= sum(states[-1][0]) + STEP:
            states.append((sent, pickle.dumps(w, pickle.HIGHEST_PROTOCOL)))
        return ended(w)

    states.append(((0, 0), pickle.dumps(w, pickle.HIGHEST_PROTOCOL)))
    w.run(LONGEST_US, look)
    return states, (w.channels[0].sent, w.channels[1].sent)


def on_line(number: int, harm: str, rng: random.Random) -> tuple[Judge, int]:
    """The same on the line: the players have not received the byte either, and react."""
    side = rng.randrange(2)
    if number % 3 == 2:
        peer, role = PEERS[number // 3 % len(PEERS)]
        sizes, _found = _with(number)
        table = Harmful(peer(), role, number, side, rng.randrange(sizes[side]), Harm(harm, rng))
        judge = Judge()
        for at, who, byte in table.whole():
            judge.feed(at, who, byte)
        return judge, table.at
    states, sent = lived(f"clean {number}")
    which = rng.randrange(sent[side])
    w: Simulation = pickle.loads(next(state for had, state in reversed(states) if had[side] <= which))
    channel = w.channels[side]
    assert isinstance(channel, Harmed)
    channel.which, channel.harm = which, Harm(harm, rng)
    w.run(LONGEST_US, lambda: ended(w))
    assert isinstance(w.listener, Ear) and w.listener.judge is not None
    return w.listener.judge, channel.at


@cache
def _with(number: int) -> tuple[Counter[int], list[Finding]]:
    """Return, for a clean game with another program, how many bytes each side sends, and the findings."""
    peer, role = PEERS[number // 3 % len(PEERS)]
    judge = Judge()
    sizes = Counter[int]()
    for at, who, byte in Harmful(peer(), role, number).whole():
        sizes[who] += 1
        judge.feed(at, who, byte)
    return sizes, judge.finish()


def usual(number: int, where: str) -> list[Finding]:
    """Return the findings of a clean game: other programs deviate, and may be late."""
    if where == "tap":
        return watched(number)[2]
    return _with(number)[1] if number % 3 == 2 else []


def weigh(judge: Judge, at: int, expected: list[Finding], reacting: bool) -> tuple[str, bool, bool]:
    """Return where the first finding is; whether any is a player's or the line's; whether a player is accused."""
    left = Counter(finding.key for finding in expected)
    found = []
    for finding in judge.finish():
        if left[finding.key]:
            # a player that reacts may deviate as usual more often
            left[finding.key] -= not reacting
        else:
            found.append(finding)
    suspected = any(f.maybe for f in found)
    accused = any(f.verdict == watch.VIOLATION for f in found)
    if not found:
        return NOTHING, suspected, accused
    first = found[0]
    after = sum(1 for time in judge.times if at < time < first.at)
    late = first.kind == watch.LACK and first.at - at < 70 * TICK_US
    is_near = first.end >= at and (after <= 3 * NEAR or late or first.at - at < 64 * TICK_US)
    return (RIGHT if is_near else ELSEWHERE), suspected, accused


GAMES = 60
"""Clean games: two thirds of two of our players, one third of ours with another program."""

KINDS = [("tap", harm) for harm in (*HARMS, *SHUFFLES)] + [("line", harm) for harm in HARMS if harm != FLIPS]


def case(kind: int, index: int, seed: int) -> tuple[str, bool, bool]:
    """Run case `index` of a kind; the same numbers give the same case."""
    where, harm = KINDS[kind]
    rng = random.Random(f"{seed} {where} {harm} {index}")
    number = rng.randrange(GAMES)
    judge, at = (on_line if where == "line" else tapped)(number, harm, rng)
    return weigh(judge, at, usual(number, where), where == "line")


def checked(records: Iterable[Record], session: Session) -> tuple[tuple[int, str], Checking]:
    """Return what `decode --check` says of a session's records: its status and its line; and what it was told."""
    checking = Checking()
    for record in records:
        checking.take(record)
    return checking.outcome(session), checking


def _told(kind: int, index: int, seed: int) -> dict[str, int]:
    place, suspected, accused = case(kind, index, seed)
    return {place: 1, SUSPECTED: suspected, ACCUSED: accused}


if __name__ == "__main__":
    sys.exit(table(__doc__ or "", [", ".join(kind) for kind in KINDS], _told, COLUMNS, (ACCUSED,), 900))
