"""Interfaces between a session and its lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from seabattle.rng import Rng
from seabattle_host.club.limits import Limits

if TYPE_CHECKING:
    from seabattle_host.club.session import Session

SEEKING = "seeking"
"""Not met yet: state 0."""
MET = "met"
"""Met: in the queue, or being handed over to an opponent."""
PLAYING = "playing"
"""Joined to an opponent."""
PARTING = "parting"
"""The club has sent a goodbye or BROKEN and waits for the reply."""
GONE = "gone"


class Ticking(Protocol):
    """Driven by the club's clock."""

    def tick(self) -> None:
        """Advance by one tick."""


class LocalPlayer(Ticking, Protocol):
    """A player inside this process."""

    def decks(self) -> list[int]:
        """Return the cells of its ships, row by row from 0, for the replay after the game."""

    def on_result(self, won: bool | None, ending: str) -> None:
        """Take note of how the club counts its game. won: None without a winner. ending: as in Game."""


class OtherGuests(Protocol):
    """Guests of the club without a line: at pages of games without the protocol."""

    def announce(self, words: str) -> int:
        """Send them a text; return their number."""

    def throw_out(self, what: str, names_only: bool) -> int:
        """Remove everybody with this name or from this address; return how many."""


class SessionOwner(Protocol):
    """The lobby as a session needs it."""

    limits: Limits
    rng: Rng

    def wants_slave(self, session: Session) -> bool:
        """Return whether a slave is missing: masters wait without an opponent."""

    def on_met(self, session: Session) -> None:
        """Handle a peer whose nick has come, or will not come."""

    def on_left(self, session: Session) -> None:
        """Handle a session that has left the queue."""

    def on_chat(self, session: Session, words: str) -> None:
        """Handle a chat text to the club."""

    def on_change(self, session: Session) -> None:
        """Handle a change of the session's state towards the club."""

    def on_gone(self, session: Session, why: str) -> None:
        """Handle the end of the connection."""

    def is_led_up(self, session: Session) -> bool:
        """Return whether it is a slave that has reached its master's state: its next bytes are for the master."""
