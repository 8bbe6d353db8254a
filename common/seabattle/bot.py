"""A computer player for one side of a serial game; works in short slices.

`step()` looks at the player's link and does the next small thing: offers the parameters, places ships, aims, shoots,
starts the next game. Keys that are awaited after an error it leaves to its owner, and it never reads events, so the
owner can show them.
"""

from .const import TYPE_CHECKING, const
from .link import DONE
from .wire import MASTER, SLAVE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .gunner import Gunner
    from .link import Link
    from .player import Player

IDLE = const(0)  # what step() returns: nothing to do until something arrives on the line
BUSY = const(1)  # call again soon
LONE_TICKS = const(1092)  # one minute: how long a bot with games left waits after its opponent has left
STUCK = const(2)  # the agreed fleet cannot be placed: the owner must leave


class Bot:
    """player: a seabattle.player.Player.

    gunner: a seabattle.gunner.Gunner on the player's radar. games: how many to play before saying goodbye, 0 for as
    many as the peer wants. offer: size, n4, n3, n2, n1 to offer as master.
    """

    def __init__(
        self,
        player: "Player",
        gunner: "Gunner",
        games: int = 0,
        offer: "Sequence[int]" = (10, 1, 2, 3, 4),
    ) -> None:
        self.player = player
        self.gunner = gunner
        self.games = games
        self.offer = offer
        self.played = 0  # finished games
        self.seen = player.link.games  # finished games according to the link, at the last look
        self.placing = False
        self.aiming = False
        self.cell = -1  # the gunner's choice, -1 while it thinks
        self.offered = False
        self.held = False  # after a game: the owner has work to do before the bot goes on

    @property
    def thinking(self) -> bool:
        """Return whether the next step is pure thinking, without the link."""
        return self.aiming and self.cell < 0 or self.placing and not self.player.field.complete()

    def think(self) -> None:
        """Do all pure thinking steps at once, for an owner with nothing else to do."""
        if self.aiming:
            while self.cell < 0:
                self.cell = self.gunner.aim_step()
        elif self.placing:
            field = self.player.field
            while field.fill_step() < 0:
                pass

    def step(self) -> int:
        """Do one slice; return IDLE, BUSY or STUCK."""
        link = self.player.link
        state = link.state
        mine = link.mine
        if not mine:
            self.aiming = False
        if self.seen != link.games:
            self.played += (link.games - self.seen) & 255
            self.seen = link.games
        elif state == 4 and not mine and not self.games:
            # the link moves next; this is most of a game
            self.placing = self.offered = False
            return IDLE
        if state != 1:
            self.offered = False
        if state != 2 and state != 3:
            self.placing = False
        if link.key_awaited or link.closed:
            return IDLE
        if state != 9 and self.games and self.played >= self.games:
            # the peer left, or started another game, before the bot could say goodbye
            link.goodbye()
            return IDLE
        if state == 1:
            return self._meet(link)
        if state == 9:
            return self._again(link)
        if link.pending:
            # The link is ahead of the player: the field may still be that of the last game, the last answer unknown.
            return IDLE
        if state == 2 or state == 3 and link.role == SLAVE:
            return self._place()
        if state == 4:
            return self._shoot() if mine else IDLE
        return IDLE

    def _meet(self, link: "Link") -> int:
        if link.role == MASTER and not self.offered:
            o = self.offer
            self.offered = link.offer(o[0], o[1], o[2], o[3], o[4]) == DONE
        return IDLE

    def _place(self) -> int:
        field = self.player.field
        if not field.complete():
            if not self.placing:
                self.placing = True
                field.fill_start(self.player.rng)
            done = field.fill_step()
            if done == 0:
                return STUCK
            if done > 0:
                # placed; if the field was emptied meanwhile, start again
                self.placing = False
            return BUSY
        self.player.ready()
        return IDLE

    def _shoot(self) -> int:
        if not self.aiming:
            self.aiming = True
            self.cell = -1
            self.gunner.aim_start()
        elif self.cell < 0:
            self.cell = self.gunner.aim_step()
        else:
            self.aiming = False
            self.player.shoot(self.cell)
            return IDLE
        return BUSY

    def _again(self, link: "Link") -> int:
        if self.held or link.pending:
            # the owner may have work to do before the bot goes on, or may not have seen the end of the game yet
            return IDLE
        if self.games and self.played >= self.games:
            link.goodbye()
        elif link.role == MASTER:
            link.restart()
        return IDLE
