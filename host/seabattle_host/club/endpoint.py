"""The interface between a relay and its two sessions."""

from __future__ import annotations

from typing import Protocol

NOTHING = 0
"""No last word."""


class Endpoint(Protocol):
    """A session as the relay sees it."""

    noise: int

    @property
    def address(self) -> str:
        """The address that limits count; empty for a serial port and for a player inside this process."""

    @property
    def name(self) -> str:
        """The name to display."""

    @property
    def language(self) -> str:
        """The language of the club's messages to it."""

    def pass_on(self, data: bytes) -> None:
        """Send bytes of the opponent to the player."""

    def end_relay(self, word: int, cut: bool) -> None:
        """End the relay.

        word: the club's last word to the player, GOODBYE, BROKEN or NOTHING. cut: the player was sent the beginning of
        a frame whose rest will not come.
        """

    def decks(self) -> list[int] | None:
        """Return the cells of its ships, as LocalPlayer.decks(); None where only the player knows them."""

    def offend(self) -> None:
        """Count a violation of the protocol."""

    def drop(self, why: str) -> None:
        """Close this connection for good."""
