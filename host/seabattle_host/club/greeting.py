"""The role in which the club meets a peer: the one opposite to the peer's, which has to be found first.

The club listens longer than a program that looks for its role. A peer that syncs is a master; a silent one is synced,
and is a slave if it answers. If masters wait and no slave does, a newly come master is synced as by another master: a
program that takes either role gives way and becomes a slave, another one does not notice.
"""

from __future__ import annotations

from collections.abc import Callable

from seabattle import link as links
from seabattle import wire

ENDS = (links.EV_GOODBYE, links.EV_LEFT, links.EV_IDLE, links.EV_PEER_TIMEOUT, links.EV_PEER_RESET)
"""Events of a link after which the peer has to be met again."""
LISTEN_TICKS = 72
"""A program that looks for its role listens for 50 at most, and may begin with that a second after it has connected."""
HEARD_TICKS = 30
"""A peer that was heard within these is about to be met."""
LOST_TICKS = 120
"""A known master that sends no sync for so long is looked for again."""
NUDGE_TICKS = 182
"""How long it may take to meet a peer that is heard."""
_AUTO_TICKS = 22
"""A master syncs at once; one whose first sync comes so late has listened first, so it takes either role."""
_YIELD_TICKS = 55
"""A peer that gives way does so at the first sync, listens for 40 ticks at most, and answers the next."""


class RoleFinder:
    """What is known of the roles that a peer takes."""

    def __init__(self) -> None:
        self.flexible = False
        """It is known to take either role."""
        self.never_yields = False
        """It is known not to give way to another master."""
        self.seen = False
        """It has spoken the protocol before."""
        self.turning = False
        """It has been told to become a slave."""
        self.probing = 0
        """Ticks for which it has been synced although it syncs itself, 0 for none."""

    def tick(self) -> None:
        """One tick has passed."""
        if self.probing:
            self.probing += 1

    def met(self) -> None:
        """The peer has taken the role that the club has not."""
        if self.probing or self.turning:
            self.flexible = True
        self.turning = False
        self.probing = 0
        self.seen = True

    def synced(self, ours: int, age: int, lasting: bool, slave_wanted: Callable[[], bool]) -> int:
        """A sync has come from a peer that is not met yet: the role in which to meet it now, NOBODY to go on as before.

        ours: the role in which the club tries to meet it, NOBODY while it listens. age: ticks since it has come.
        lasting: of its line. slave_wanted: whether this one had better become a slave.
        """
        if ours == wire.SLAVE:
            return wire.NOBODY
        if not ours and age >= _AUTO_TICKS and not self.seen and not lasting:
            self.flexible = True
        if self.never_yields or not (self.turning or slave_wanted()):
            return wire.SLAVE
        if not self.probing:
            self.probing = 1
            return wire.NOBODY if ours else wire.MASTER
        if self.probing > _YIELD_TICKS:
            self.never_yields = True
            self.turning = self.flexible = False
            self.probing = 0
            return wire.SLAVE
        return wire.NOBODY

    @property
    def to_slave(self) -> bool:
        """It is on its way to become a slave, or is tried for one."""
        return bool(self.probing) or self.turning
