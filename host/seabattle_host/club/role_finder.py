"""The role in which the club meets a peer: the opposite of the peer's, which has to be found first.

The club listens longer than an auto peer does. A peer that syncs is a master; a silent one is synced, and is a slave if
it answers. If masters wait and no slave does, a new master is synced as by another master: an auto peer yields and
becomes a slave, any other peer ignores it.
"""

from __future__ import annotations

from collections.abc import Callable

from seabattle import link as links
from seabattle import wire

ENDS = (links.EV_GOODBYE, links.EV_LEFT, links.EV_IDLE, links.EV_PEER_TIMEOUT, links.EV_PEER_RESET)
"""Events of a link after which the peer has to be met again."""
LISTEN_TICKS = 72
"""An auto peer listens for 50 ticks at most, and may start a second after it has connected."""
HEARD_TICKS = 30
"""A peer that sent something within these is about to be met."""
LOST_TICKS = 120
"""A known master that sends no sync for this long is searched for again."""
NUDGE_TICKS = 182
"""How long meeting a peer that sends may take."""
_AUTO_TICKS = 22
"""A master syncs at once; one whose first sync comes this late has listened first, so it is auto."""
_YIELD_TICKS = 55
"""A peer that yields does so at the first sync, listens for 40 ticks at most, and answers the next."""


class RoleFinder:
    """What is known of a peer's roles."""

    def __init__(self) -> None:
        self.flexible = False
        """Known to be auto: it takes either role."""
        self.never_yields = False
        """Known not to yield to another master."""
        self.seen = False
        """Has spoken the protocol before."""
        self.turning = False
        """Has been told to become a slave."""
        self.probing = 0
        """Ticks for which the club has synced it although it syncs itself, 0 for none."""

    def tick(self) -> None:
        """Advance by one tick."""
        if self.probing:
            self.probing += 1

    def met(self) -> None:
        """Note that the peer has taken the role opposite to the club's."""
        if self.probing or self.turning:
            self.flexible = True
        self.turning = False
        self.probing = 0
        self.seen = True

    def synced(self, ours: int, age: int, lasting: bool, slave_wanted: Callable[[], bool]) -> int:
        """Handle a sync from a peer not met yet. Return the role in which to meet it now, NOBODY to go on as before.

        ours: the role in which the club tries to meet it, NOBODY while it listens. age: ticks since it connected.
        lasting: whether its line is. slave_wanted: whether it should rather become a slave.
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
        """Whether it is becoming a slave, or is being tried as one."""
        return bool(self.probing) or self.turning
