"""The computer opponent of a player without a line. Loaded on demand."""

from seabattle import gunner, wire
from seabattle import link as links
from seabattle.bot import BUSY, Bot
from seabattle.const import TYPE_CHECKING
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.player import Player

if TYPE_CHECKING:
    from seabattle.rng import Rng


class Peer:
    """The opponent without a line: a second player, connected to ours in memory."""

    def __init__(self, rng: "Rng") -> None:
        self.link = Link(wire.SLAVE, rng)
        self.link.nick(b"board", 5)
        self.player = Player(self.link, rng)
        self.gunner = Gunner(self.player.radar, rng, gunner.DENSITY)
        self.bot = Bot(self.player, self.gunner)

    def step(self, link: "Link") -> int:
        """Pass a byte each way and let the gunner think; return True if there is more to do."""
        b = link.tx()
        self.link.calm(links.CALM_MS)
        if b >= 0:
            self.link.rx(b)
            while self.player.poll():
                pass
        busy = self.bot.step() == BUSY
        c = self.link.tx()
        if c >= 0:
            link.rx(c)
        return b >= 0 or c >= 0 or busy
