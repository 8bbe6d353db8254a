"""One of the two of a relay, as the relay needs it."""

from __future__ import annotations

from typing import Protocol

NOTHING = 0
"""A parting word that is none."""


class Endpoint(Protocol):
    """What a relay needs of a session."""

    noise: int

    @property
    def address(self) -> str:
        """Where it comes from, empty for a serial port and for a player inside this process."""

    @property
    def name(self) -> str:
        """As people are shown it."""

    @property
    def language(self) -> str:
        """In which the club speaks to it."""

    def pass_on(self, data: bytes) -> None:
        """Bytes that the other one has sent."""

    def let_go(self, word: int, cut: bool) -> None:
        """The relay is over. word: what the club has to say to the player, GOODBYE, BROKEN or NOTHING. cut: the
        player was sent the beginning of a frame whose rest will not come."""

    def decks(self) -> list[int] | None:
        """The cells of its ships, as of LocalPlayer; None where only the player knows them."""

    def offend(self) -> None:
        """The player broke the protocol."""

    def drop(self, why: str) -> None:
        """The player is not to come back on this connection."""
