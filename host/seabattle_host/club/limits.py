"""What the club tolerates from one connection, so that nobody spoils it for the others."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from seabattle_host.language.words import TICK_SECONDS

PATIENCE = 15.0
"""Seconds a player waits before a computer comes."""

ASKED_BOTS = 4
"""Default number of computers of each level in a club with a page; they come on request."""

TURN_BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Bucket bounds, in seconds, of the durations of the loop's turns."""


def ticks(seconds: float) -> int:
    """Convert seconds to ticks of the protocol's clock, at least 1."""
    return max(1, round(seconds / TICK_SECONDS))


def address_block(address: str) -> str:
    """Return what limits count as one address: of IPv6 the half assigned to one household."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        if not ip.is_loopback:
            return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(ip)


@dataclass(frozen=True)
class Limits:
    """Times are in seconds of the protocol's clock, sizes in bytes."""

    connections: int = 200
    """Connections at once, serial ports not counted."""
    per_address: int = 16
    """Connections at once from one address."""
    pace: float = 1600.0
    """Sustained bytes a second from a peer; the protocol's line carries 800."""
    burst: int = 4096
    """Bytes at once from a peer."""
    unsent: int = 16384
    """Bytes queued for a peer that does not read."""
    noise: int = 256
    """Bytes that begin no frame; two are forgiven each tick."""
    offences: int = 3
    """Violations of the protocol after which a connection is closed."""
    greeting: float = 60.0
    """Time for a connection to show that it speaks the protocol."""
    returning: float = 600.0
    """The same for a peer that did so before: a player may have to press a key first."""
    waiting: float = 3600.0
    """Time a connection may wait in the queue."""
    stall: float = 60.0
    """Time a player in a game may be silent; a working one sends every 0.55 s."""
    idle: float = 1800.0
    """Time a pair may exchange nothing but syncs."""
    pairing: float = 120.0
    """Time to bring two players to the same state."""
    pin_tries: int = 3
    """Wrong PINs for a name or from an address without a delay; each further one delays the next."""
    move: float = 120.0
    """Time to think about a shot, or to answer one; a player who takes longer loses."""
    move_warning: float = 30.0
    """A player is warned this long before the end, or at half the time where that is later."""
    placing: float = 600.0
    """Time to place the ships; a player who takes longer is sent away, without a result."""
    one_address: bool = False
    """Rate games between players of one address, too: a school behind one router."""
    boards: int = 8
    """Virtual boards for pages at once; each is a process."""
    boards_per_address: int = 2
    """The same for one address."""
    parties: int = 50
    """Games of salvo and melee at the page at once; each is a thread."""
    board_idle: float = 600.0
    """Real seconds without a key press after which such a board is switched off; it keeps its own time."""
    pair_games: int = 10
    """Rated games between the same two players within a day."""
