"""What the club puts up with from one connection, so that nobody spoils it for the others."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from seabattle_host.language.words import TICK_SECONDS

PATIENCE = 15.0
"""Seconds that somebody waits before a computer comes."""

ASKED_BOTS = 4
"""Computers of each level that come where they are asked for, with a page."""

TURN_BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Seconds by which turns of the club's loop are counted."""


def ticks(seconds: float) -> int:
    """Seconds as ticks of the protocol's clock, at least 1."""
    return max(1, round(seconds / TICK_SECONDS))


def place(address: str) -> str:
    """What limits count as one address: of IPv6 the half that one household is given."""
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
    """Connections at once, serial ports aside."""
    per_address: int = 16
    """Connections at once from one address."""
    pace: float = 1600.0
    """Bytes a second that a peer may send for long; the line of the protocol carries 800."""
    burst: int = 4096
    """Bytes that it may send at once."""
    unsent: int = 16384
    """Bytes that wait for a peer that does not read."""
    noise: int = 256
    """Bytes that begin no frame; two are forgiven each tick."""
    offences: int = 3
    """Broken rules of the protocol after which a connection is closed."""
    greeting: float = 60.0
    """How long a connection may take to show that it speaks the protocol."""
    returning: float = 600.0
    """The same for a peer that did so before: a player may have to press a key first."""
    waiting: float = 3600.0
    """How long a connection may wait in the queue."""
    stall: float = 60.0
    """How long a player in a game may be silent; a player in order is heard every 0.55 s."""
    idle: float = 1800.0
    """How long a pair may let its game rest: syncs only."""
    pairing: float = 120.0
    """How long it may take to bring two to the same state."""
    pin_tries: int = 3
    """Wrong PINs for a name or from an address that cost nothing; after that each makes the next one wait."""
    move: float = 120.0
    """How long a player may think about a shot, or keep the other waiting for an answer; who takes longer has lost."""
    move_warning: float = 30.0
    """So long before its end a player is told; half of the time before where that is less."""
    placing: float = 600.0
    """The same for placing the ships; who takes longer is sent away, and there is no result."""
    one_address: bool = False
    """Games between players of one address count, too: a school behind one router."""
    boards: int = 8
    """Virtual boards that run for pages at once; each is a process."""
    boards_per_address: int = 2
    """The same of one address."""
    parties: int = 50
    """Games of salvo and melee at the page at once; each is a thread."""
    board_idle: float = 600.0
    """So long nobody may press a key of such a board; real seconds, for it keeps its own time."""
    pair_games: int = 10
    """Games of the same two persons that count within a day."""
