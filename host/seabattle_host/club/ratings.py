"""Elo ratings, worked out from the results in the order in which the games ended.

Everybody starts at 1500. A game moves both by K times the difference between the result (1 or 0) and what was
expected, 1 / (1 + 10 ** ((other - own) / 400)); K is 40 in a player's first 20 games and 20 afterwards, each player by
its own. Only games that were fought out count: both players registered (no guests), the battle begun, a winner, enough
shots to show something, and two players who are not one (see fought() and strangers()).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from seabattle_host.club.store import Game

START = 1500.0
_YOUNG_GAMES = 20
_K_YOUNG = 40
_K = 20
_DECKS = 20


@dataclass
class Standing:
    """What a player has come to."""

    rating: float = START
    games: int = 0
    won: int = 0

    @property
    def lost(self) -> int:
        """Games that it lost."""
        return self.games - self.won


class Ratings:
    """Standings by the players' IDs."""

    def __init__(self, results: Iterable[tuple[int, int]] = ()):
        """results: winner and loser of each game, oldest first."""
        self.standings: dict[int, Standing] = {}
        self.count = 0
        """Games that were added."""
        for winner, loser in results:
            self.add(winner, loser)

    def of(self, player: int) -> Standing:
        """The standing of a player, a fresh one if it has none."""
        return self.standings.get(player) or Standing()

    def add(self, winner: int, loser: int) -> None:
        """One more game."""
        self.count += 1
        one = self.standings.setdefault(winner, Standing())
        two = self.standings.setdefault(loser, Standing())
        surprise = 1 - 1 / (1 + 10 ** ((two.rating - one.rating) / 400))
        one.rating += _k(one) * surprise
        two.rating -= _k(two) * surprise
        one.games += 1
        one.won += 1
        two.games += 1

    def order(self) -> list[int]:
        """The players who have played, best first; equal ratings by the lower ID."""
        return sorted(self.standings, key=lambda player: (-self.standings[player].rating, player))


def fought(game: Game, hits: int, decks: int) -> bool:
    """Whether a finished game shows who plays better: a fleet was sunk, or half of it, or there were as many shots as a
    fleet has decks. hits: of the winner's; decks: of a fleet, 0 if that is not known."""
    return game.ending == "shots" or (decks > 0 and 2 * hits >= decks) or game.count >= (decks or _DECKS)


def strangers(one: str, two: str) -> bool:
    """Whether two players come from different addresses; a serial port has none, and is a place of its own."""
    return not one or one != two


def _k(standing: Standing) -> int:
    return _K_YOUNG if standing.games < _YOUNG_GAMES else _K
