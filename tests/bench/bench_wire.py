"""The length of a whole game on the wire, compared with the least that the protocol allows.

Two bots play on the classic field, 10x10. The least, for a game of the same number of shots, has each exchange that no
game can do without, once: sync, meeting, parameters, placing, both sides ready, each shot with its answer, and the
winner's word. Our games add two things: the probe that finds out whether the peer has chat, and the syncs that the
protocol demands of a master with nothing else to send. All lengths follow from the table of exchanges. The bytes take
only part of a game's time; most of the rest is the pause after each hit, which tells a doubled answer from the answer
to the next shot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from seabattle import wire
from seabattle_host.player.parameters import LEVELS, Parameters
from seabattle_host.simulation import sim
from seabattle_host.simulation.engine import BYTE_US
from tests.bench import Figure, mean

GAMES = 100

ONCE = (wire.SYNC, wire.MEET, wire.PARAMS, wire.PLACE, wire.MASTER_READY, wire.SLAVE_READY, wire.WON)
"""Exchanges that every game needs; shots are added."""


def length(op: int) -> int:
    """Return the bytes of an exchange, command and reply, from the table; only those without a length byte."""
    row = wire.exchange(op)
    return 2 + len(row[wire.FIELDS].split()) + len(row[wire.REPLY_FIELDS].split())


def least(shots: int) -> int:
    """Return the bytes of the shortest session with one game of this many shots."""
    return sum(map(length, ONCE)) + shots * length(wire.SHOT)


class Ear:
    """Counts the bytes of both directions by their command."""

    def __init__(self) -> None:
        self.bytes: Counter[int] = Counter()
        self._readers = (wire.Reader(), wire.Reader())
        self._begun = [0, 0]

    def feed(self, side: int, byte: int) -> None:
        reader = self._readers[side]
        self._begun[side] += 1
        if reader.feed(byte) == wire.FRAME:
            self.bytes[wire.exchange(reader.op)[wire.OPCODE]] += self._begun[side]
            self._begun[side] = 0

    def tick(self) -> None:
        pass


def figures(quick: bool = False) -> Iterator[Figure]:
    games = 2 if quick else GAMES
    for name, level in LEVELS.items():
        spec = sim.Spec(Parameters(), (level, level), 1)
        whole, syncs, chat, shortest, above, seconds, idle = ([] for _ in range(7))
        for index in range(games):
            ear = Ear()
            simulation = sim.make_simulation(spec, index, ear)
            if not simulation.run(10**10):
                raise AssertionError("a game did not end")
            total = ear.bytes.total()
            needed = least(sum(endpoint.player.my_shots for endpoint in simulation.endpoints))
            extra = ear.bytes[wire.SYNC] - length(wire.SYNC)
            whole.append(total)
            syncs.append(extra)
            chat.append(ear.bytes[wire.CHAT])
            shortest.append(needed)
            above.append((total - extra) / needed)
            seconds.append(simulation.now / 1e6)
            idle.append(simulation.now / 1e6 / (needed * BYTE_US / 1e6))
        note = f"{games} games"
        for what, values, unit in (
            ("a whole game", whole, "bytes"),
            ("the least for as many shots", shortest, "bytes"),
            ("syncs beyond the first", syncs, "bytes"),
            ("the probe for chat", chat, "bytes"),
            ("a game without the syncs : the least", above, "times"),
            ("a game's time", seconds, "s"),
            ("its time : that of the least, byte after byte", idle, "times"),
        ):
            value, error = mean(values)
            yield Figure(f"{name}: {what}", value, unit, note, error)
            note = ""
    decks = sum(length * n for length, n in zip((4, 3, 2, 1), Parameters().counts, strict=True))
    yield Figure("the least of all, every shot a hit", least(decks), "bytes", f"{decks} shots")
