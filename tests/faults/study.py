"""Whole games on a line, or with a peer, that misbehaves.

    python -m tests.faults.study [--cases N] [--jobs J] [--seed S] [--only NAME]

Plays N games in simulated time, spread evenly over all kinds of fault, and prints for each kind how many finished (both
sides name the same winner), broke off cleanly (each side knows that it is over, and no two name a different winner),
disagreed and hung. The last two must be 0; the exit status is 1 if they are not.

Each side has a person, who presses the key after an error once the message is read, and leaves with a goodbye when
nothing has happened in the game for a long time.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from seabattle import link as links
from seabattle import wire
from seabattle.bot import Bot
from seabattle.fleet import OK, check
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.simulation.engine import BYTE_US, Channel, Endpoint, Simulation
from tests.faults.counting import table

TICK_US = 54925
READS = 30  # ticks until a person presses the key after an error
BORED = 1500  # ticks without anything new after which a person leaves
LONGEST_US = 12000 * TICK_US  # a longer session hangs: bored persons would have left long before

FINISHED, BROKE_OFF, DISAGREED, HUNG = "finished", "broke off", "disagreed", "hung"
ENDINGS = (FINISHED, BROKE_OFF, DISAGREED, HUNG)

_BROKE = frozenset(
    (
        links.EV_TIMEOUT,
        links.EV_BROKEN,
        links.EV_ACCUSED,
        links.EV_PEER_TIMEOUT,
        links.EV_GOODBYE,
        links.EV_LEFT,
        links.EV_CLOSED,
        links.EV_PEER_RESET,
    )
)


class Person(Endpoint):
    """An endpoint with its person. `ended`: this person knows how the session ended."""

    def __init__(self, player: Player, bot: Bot, phase: int, rate: float = 1.0) -> None:
        super().__init__(player, bot, phase, rate)
        self.broke = False
        self.met = False
        self._seen = 0
        self._news = 0

    @property
    def ended(self) -> bool:
        return self.result is not None or (self.broke and self.link.state == 0)

    def act(self) -> None:
        super().act()
        if self.link.key_awaited:
            if not self._seen:
                self._seen = self.ticks + READS
            elif self.ticks >= self._seen:
                self.link.key()
        else:
            self._seen = 0
        if self.ticks - self._news > BORED and not self.link.closed:
            self.link.goodbye()

    def _note(self, code: int) -> None:
        super()._note(code)
        self._news = self.ticks
        if code in _BROKE:
            self.broke = True
        elif code == links.EV_RESUMED:
            self.broke = False
        elif code == links.EV_MET:
            self.met = True


Harm = Callable[[random.Random, int], "tuple[int, ...]"]
"""Returns what arrives of a byte."""


class Noisy(Channel):
    """Damages each byte with a probability, by `harm`."""

    def __init__(self, rng: random.Random, probability: float, harm: Harm):
        super().__init__()
        self.rng = rng
        self.probability = probability
        self.harm = harm

    def damage(self, byte: int) -> tuple[int, ...]:
        if self.rng.random() < self.probability:
            return self.harm(self.rng, byte)
        return (byte,)


HARMS: dict[str, Harm] = {
    "lost": lambda _rng, _byte: (),
    "doubled": lambda _rng, byte: (byte, byte),
    "flipped": lambda rng, byte: (byte ^ 1 << rng.randrange(8),),
}


class Cable(Channel):
    """Carries nothing between two moments, in microseconds."""

    def __init__(self, pulled: int, back: int) -> None:
        super().__init__()
        self.pulled = pulled
        self.back = back

    def send(self, now: int, byte: int) -> None:
        if self.pulled <= now < self.back:
            self.sent += 1
            self._free = max(now, self._free) + BYTE_US
        else:
            super().send(now, byte)


class Slow(Channel):
    """Delays bytes by more than 60 ticks, occasionally."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng

    def send(self, now: int, byte: int) -> None:
        if self.rng.random() < 0.004:
            self._free = max(now, self._free) + self.rng.randrange(60, 80) * TICK_US
        super().send(now, byte)


class Babbling(Person):
    """Sends unrequested legal frames, and garbage."""

    def __init__(self, player: Player, bot: Bot, phase: int, rng: random.Random) -> None:
        super().__init__(player, bot, phase)
        self.rng = rng

    def act(self) -> None:
        super().act()
        if self.rng.random() < 0.02:
            word = self.rng.choice((b"\x01", b"\x2a", b"\xb1\x02HI", b"\x3b", b"\x7a\x7b", b"\xb3\x03abc", b"\x00\xff"))
            for b in word:
                self.link._put(b)


class Mute(Person):
    """Falls silent for good at some moment."""

    def __init__(self, player: Player, bot: Bot, phase: int, silent_from: int) -> None:
        super().__init__(player, bot, phase)
        self.silent_from = silent_from

    def act(self) -> None:
        super().act()
        if self.ticks >= self.silent_from:
            while self.link.tx() >= 0:
                pass
            self.broke = True

    @property
    def ended(self) -> bool:
        return self.broke or super().ended


class Liar(Person):
    """Gives a false answer to one shot."""

    def __init__(self, player: Player, bot: Bot, phase: int, rng: random.Random) -> None:
        super().__init__(player, bot, phase)
        self.at = rng.randrange(1, 15)
        self.lie = rng.choice((wire.MISS, wire.HIT, wire.SUNK, wire.REPEAT))
        answer = self.link.answer

        def false(code: int) -> int:
            self.at -= 1
            return answer(self.lie if self.at == 0 else code)

        self.link.answer = false  # type: ignore[method-assign]


class Reset(Person):
    """Resets at some moment, and is back in state 0."""

    def __init__(self, player: Player, bot: Bot, phase: int, at: int) -> None:
        super().__init__(player, bot, phase)
        self.at = at

    def act(self) -> None:
        super().act()
        if self.ticks == self.at and self.result is None:
            self.at = -1
            self.link.open(self.link.role)
            self.broke = True


@dataclass(frozen=True)
class Kind:
    """A kind of fault: its name, and a function that makes a simulation with it."""

    name: str
    make: Callable[[random.Random], Simulation]


def person(role: int, rng: random.Random, kind: Callable[..., Person] = Person, *more: object) -> Person:
    """Return an endpoint for a game of random, small parameters; on a noisy line long games would all break off."""
    own = Rng(rng.randrange(1 << 30))
    player = Player(Link(role, own), own)
    while True:
        offer = (rng.choice((6, 6, 7)), rng.randrange(2), rng.randrange(2), rng.randrange(3), rng.randrange(1, 4))
        if check(*offer) == OK:
            break
    bot = Bot(player, Gunner(player.radar, own, HUNT), 0, offer)
    return kind(player, bot, rng.randrange(TICK_US), *more)


def pair(rng: random.Random, odd: Callable[..., Person] = Person, *more: object) -> tuple[Endpoint, Endpoint]:
    """Return master and slave, one of them of an odd kind."""
    which = rng.randrange(2)
    endpoints = []
    for side, role in enumerate((wire.MASTER, wire.SLAVE)):
        endpoints.append(person(role, rng, odd, *more) if side == which else person(role, rng))
    return (endpoints[0], endpoints[1])


def noise(harm: Harm, probability: float) -> Callable[[random.Random], Simulation]:
    return lambda rng: Simulation(pair(rng), (Noisy(rng, probability, harm), Noisy(rng, probability, harm)))


def cable(rng: random.Random) -> Simulation:
    pulled = rng.randrange(0, 4 * 10**6)
    back = pulled + rng.randrange(0, 10 * 10**6)
    return Simulation(pair(rng), (Cable(pulled, back), Cable(pulled, back)))


def clock(rng: random.Random) -> Simulation:
    one, two = person(wire.MASTER, rng), person(wire.SLAVE, rng)
    for endpoint, rate in ((one, rng.choice((0.95, 1.0, 1.05))), (two, rng.choice((0.95, 1.05)))):
        endpoint._divisor = round(1193182 * rate)
    return Simulation((one, two))


KINDS = [Kind("sound line", lambda rng: Simulation(pair(rng)))]
KINDS += [Kind(f"{name} {p}", noise(harm, p)) for name, harm in HARMS.items() for p in (0.001, 0.01, 0.05, 0.2)]
KINDS += [
    Kind("cable pulled and put back", cable),
    Kind("one side reset", lambda rng: Simulation(pair(rng, Reset, rng.randrange(2, 60)))),
    Kind("clock off by 5 %", clock),
    Kind("slower than 60 ticks", lambda rng: Simulation(pair(rng), (Slow(rng), Slow(rng)))),
    Kind("babbling peer", lambda rng: Simulation(pair(rng, Babbling, rng))),
    Kind("mute peer", lambda rng: Simulation(pair(rng, Mute, rng.randrange(1, 60)))),
    Kind("lying peer", lambda rng: Simulation(pair(rng, Liar, rng))),
]


def ending(simulation: Simulation) -> str:
    """Return the outcome of a session."""
    one, two = simulation.endpoints
    assert isinstance(one, Person) and isinstance(two, Person)
    if not simulation.run(LONGEST_US, lambda: one.ended and two.ended) and not (one.ended and two.ended):
        return HUNG
    results = {one.result, two.result}
    if results == {links.WE_WON, links.WE_LOST}:
        return FINISHED
    if len(results) == 1 and results & {links.WE_WON, links.WE_LOST}:
        return DISAGREED
    return BROKE_OFF


def play(kind: int, index: int, seed: int) -> dict[str, int]:
    """Play game `index` of a kind and return its outcome; the same numbers give the same game."""
    case = index * len(KINDS) + kind
    return {ending(KINDS[kind].make(random.Random(f"{seed} {KINDS[kind].name} {case}"))): 1}


if __name__ == "__main__":
    sys.exit(table(__doc__ or "", [kind.name for kind in KINDS], play, ENDINGS, (DISAGREED, HUNG), 2000))
