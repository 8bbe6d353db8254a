"""Games of many kinds, one after another on one line, as a sniffer records them over days.

The number decides about a game: parameters, levels, roles and nicks; computers that shoot at once, and human players;
chat; occasionally another program, and a byte lost, doubled or changed, or noise. The same
number gives the same game.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from seabattle import wire
from seabattle.gunner import DENSITY, HUNT, RANDOM, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.simulation.engine import BYTE_US, Endpoint, HastyBot, Simulation
from seabattle_host.sniff.capture import Chunk
from tests.captures import BEGAN, TICK
from tests.faults.harms import DOUBLE, FLIP, LOSS, Harm
from tests.faults.honest import parameters
from tests.faults.judging import PEERS, Ear, Harmful
from tests.peers.test_dialects import OURS

USUAL = (10, 1, 2, 3, 4)

LONGEST_US = 1200 * 10**6
_FOREIGN = 12
"""One game in this many is against another program,"""
_THINKING = 5
"""one in this many is played by people,"""
_CHATTING = 3
"""and in one of this many they chat."""
_HARMED = 4000
"""One byte in this many is harmed."""
_PAUSE_US = 2_000_000

_NICKS = (b"ANNA", b"BORIS", b"X", b"PLAYER ONE", bytes.fromhex("88A2A0AD"), b"bot 7", b"Kate", b"0")
_SAID = (b"hello", b"good luck", b"ha!", b"one more game after this?", bytes.fromhex("AFE0A8A2A5E2"), b"gg")


class Talker(Endpoint):
    """A player that may think before it acts, and chat occasionally."""

    def __init__(self, player: Player, bot: HastyBot, lots: random.Random, thinks: bool, chats: bool):
        super().__init__(player, bot, lots.randrange(TICK))
        self._lots = lots
        self._thinks = thinks
        self._chats = chats
        self._until = 0

    def act(self) -> None:
        lots = self._lots
        if self._thinks and self.link.mine and self.ticks >= self._until + 2:
            # it has just got its turn, or has waited
            self._until = self.ticks + lots.randrange(5, 60)
        bot = self.bot
        if self.ticks < self._until:
            self.bot = None
        super().act()
        self.bot = bot
        if self._chats and self.link.state == 4 and not lots.randrange(150):
            said = lots.choice(_SAID)
            self.link.send_chat(said, len(said))


def _player(role: int, lots: random.Random, offer: tuple[int, ...], thinks: bool, chats: bool) -> Endpoint:
    rng = Rng(lots.randrange(1 << 30))
    link = Link(role, rng)
    nick = lots.choice(_NICKS)
    link.nick(nick, len(nick))
    player = Player(link, rng)
    bot = HastyBot(player, Gunner(player.radar, rng, lots.choice((RANDOM, HUNT, HUNT, DENSITY))), 0, offer)
    if thinks or chats:
        return Talker(player, bot, lots, thinks, chats)
    return Endpoint(player, bot, lots.randrange(TICK))


def _own(lots: random.Random) -> list[tuple[int, int, int]]:
    """Play two of ours."""
    ear = Ear()
    offer = USUAL if lots.random() < 0.5 else parameters(lots)
    thinks, chats = not lots.randrange(_THINKING), not lots.randrange(_CHATTING)
    seats = _player(wire.MASTER, lots, offer, thinks, chats), _player(wire.SLAVE, lots, offer, thinks, chats)
    ear.simulation = Simulation(seats, listener=ear)
    ear.simulation.run(LONGEST_US)
    return ear.heard


def _foreign(lots: random.Random) -> list[tuple[int, int, int]]:
    """Play one of ours against another program."""
    peer, role = lots.choice(PEERS)
    heard = Harmful(peer(), role, lots.randrange(1 << 30)).whole()
    return [(at, int((who == OURS) == (role == wire.SLAVE)), byte) for at, who, byte in heard]


def game(number: int) -> list[tuple[int, int, int]]:
    """Return the bytes of a game and of its goodbye: microseconds from its start, side (0 the master), byte."""
    lots = random.Random(number)
    clean = sorted(_own(lots) if lots.randrange(_FOREIGN) else _foreign(lots), key=lambda heard: heard[0])
    end = clean[-1][0] + 10 * BYTE_US
    clean += [(end, 0, wire.GOODBYE), (end + 2 * BYTE_US, 1, int(wire.exchange(wire.GOODBYE)[wire.REPLY]))]
    heard = []
    for at, side, byte in clean:
        if lots.randrange(_HARMED):
            heard.append((at, side, byte))
        else:
            harm = Harm(lots.choice((LOSS, DOUBLE, FLIP)), lots)
            heard += [(at, side, arriving) for arriving in harm(byte)]
    return heard


def games(numbers: Iterable[int]) -> Iterator[Chunk]:
    """Yield games by their numbers, one after the other."""
    start = BEGAN
    for number in numbers:
        at = 0
        for at, side, byte in game(number):
            yield Chunk(start + at, side, bytes((byte,)))
        start += at + _PAUSE_US
