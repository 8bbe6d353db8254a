"""What a session and its lobby need of each other."""

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
"""The club has said goodbye, or that the rules were broken, and the reply is awaited."""
GONE = "gone"


class Ticking(Protocol):
    """What the clock of the club drives."""

    def tick(self) -> None:
        """One tick has passed."""


class LocalPlayer(Ticking, Protocol):
    """A player inside this process."""

    def decks(self) -> list[int]:
        """The cells of its ships, row by row from 0: for the replay after the game."""


class OtherGuests(Protocol):
    """People who are at the club without a line: at pages of games that are not the protocol's."""

    def announce(self, words: str) -> int:
        """Tell them something; how many they are."""

    def throw_out(self, what: str, names_only: bool) -> int:
        """Remove everybody with this name or from this address; returns how many."""


class SessionOwner(Protocol):
    """What a session needs of the lobby."""

    limits: Limits
    rng: Rng

    def wants_slave(self, session: Session) -> bool:
        """Whether masters wait who would have nobody to play with if this one became a master, too."""

    def on_met(self, session: Session) -> None:
        """Its nick has come, or will not."""

    def on_left(self, session: Session) -> None:
        """It is not in the queue any more."""

    def on_chat(self, session: Session, words: str) -> None:
        """It has written to the club."""

    def on_change(self, session: Session) -> None:
        """Something has changed between it and the club."""

    def on_gone(self, session: Session, why: str) -> None:
        """The connection is over."""

    def is_led_up(self, session: Session) -> bool:
        """Whether it is a slave that has been led to where its master is: what it sends now is for the master."""
