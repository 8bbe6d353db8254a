"""Ratings by Glicko-2, computed from the results in the order in which the games ended.

A rating period is a day (UTC). The games of a day count together, against the opponents' ratings at its start; during
the day ratings are those it would end with. The computers are anchors: their ratings are measured and fixed, so that
ratings mean the same in every club and in every year.

Only games that were fought out count: both players registered (no guests), the battle begun, a winner, enough shots to
be significant, and two different people (see fought() and strangers()).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timezone

from seabattle_host.club import glicko2
from seabattle_host.club.computers import anchors
from seabattle_host.club.glicko2 import DEVIATION, START, Rating
from seabattle_host.club.store import Game, Store

ANCHOR_DEVIATION = 30.0
"""Deviation of a computer: its level is known, but not against every kind of opponent."""
_SECONDS_A_DAY = 86400
_DECKS = 20


@dataclass
class Standing:
    """A player's rating and results."""

    rating: float = START
    deviation: float = DEVIATION
    games: int = 0
    won: int = 0

    @property
    def lost(self) -> int:
        """Number of lost games."""
        return self.games - self.won

    @property
    def lower_bound(self) -> float:
        """The lower bound of the rating: two deviations below it."""
        return self.rating - 2 * self.deviation


@dataclass
class _Player:
    """day: of the last game, in days since the epoch. before: rating at the start of that day, now: the current one.

    played: the games of that day, as for glicko2.update().
    """

    anchor: Rating | None = None
    day: int = 0
    before: Rating = field(default_factory=Rating)
    now: Rating = field(default_factory=Rating)
    played: list[tuple[Rating, float]] = field(default_factory=list)
    games: int = 0
    won: int = 0

    def at(self, day: int) -> Rating:
        """Return the rating at the start of a day."""
        if self.anchor is not None:
            return self.anchor
        if not self.games:
            return self.now
        # the day of the last game needs no rest
        return self.before if day <= self.day else glicko2.rest(self.now, day - self.day - 1)

    def add(self, day: int, other: Rating, score: float) -> None:
        """Add a game on a day, against an opponent's rating at the start of that day."""
        if day > self.day or not self.games:
            self.before = self.at(day)
            self.day = day
            self.played = []
        self.played.append((other, score))
        self.now = glicko2.update(self.before, self.played)
        self.games += 1
        self.won += score > 0.5


class Ratings:
    """Standings by player ID."""

    def __init__(self, results: Iterable[tuple[int, int, datetime]] = (), anchors: dict[int, float] | None = None):
        """results: winner, loser and end of each game, oldest first. anchors: fixed ratings by ID."""
        self._players: dict[int, _Player] = {}
        self.count = 0
        """Changes with every game and every new anchor."""
        for player, rating in (anchors or {}).items():
            self.anchor(player, rating)
        for winner, loser, ended in results:
            self.add(winner, loser, ended)

    @classmethod
    def of_store(cls, store: Store) -> Ratings:
        """Compute the ratings of a club's games."""
        return cls(store.results(), anchors(store.accounts().values()))

    def anchor(self, player: int, rating: float) -> None:
        """Fix a player's rating."""
        one = self._players.setdefault(player, _Player())
        if one.anchor is None:
            self.count += 1
        one.anchor = Rating(rating, ANCHOR_DEVIATION)

    def standing(self, player: int, at: datetime | None = None) -> Standing:
        """Return the standing of a player at a time, by default now; a new player's if it has none."""
        one = self._players.get(player)
        if one is None:
            return Standing()
        day = _day(at or datetime.now(timezone.utc))
        rating = one.now if one.games and not one.anchor and day <= one.day else one.at(day)
        return Standing(rating.rating, rating.deviation, one.games, one.won)

    def add(self, winner: int, loser: int, ended: datetime) -> None:
        """Add a game."""
        self.count += 1
        one, two = (self._players.setdefault(player, _Player()) for player in (winner, loser))
        # a clock that was put back does not reopen a day
        day = max(_day(ended), one.day, two.day)
        before = one.at(day), two.at(day)
        one.add(day, before[1], 1.0)
        two.add(day, before[0], 0.0)

    def order(self, at: datetime | None = None) -> list[int]:
        """Return the players who have played, best first: by the lower bound of the rating, then by ID."""
        there = {player: self.standing(player, at) for player, one in self._players.items() if one.games}
        return sorted(there, key=lambda player: (-there[player].lower_bound, player))


def was_contested(game: Game, hits: int, decks: int) -> bool:
    """Return whether a finished game is significant.

    It is if a fleet was sunk, or half of it, or there were as many shots as a fleet has decks. hits: the winner's;
    decks: of a fleet, 0 if unknown.
    """
    return game.ending == "shots" or (decks > 0 and 2 * hits >= decks) or game.count >= (decks or _DECKS)


def are_different_people(one: str, two: str) -> bool:
    """Return whether two players come from different addresses; a serial port has none, and differs from all."""
    return not one or one != two


def _day(at: datetime) -> int:
    return int(at.timestamp()) // _SECONDS_A_DAY
