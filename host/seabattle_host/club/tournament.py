"""A tournament, round robin or Swiss: pairings of the rounds, and the table.

It does not depend on the club: players are numbers, results come in the order in which the games ended. Only a game
between two players paired in the round counts, and only once; one without a winner is played again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

BYE = 0
"""The opponent in a bye, which counts as won. No player has this number."""


@dataclass
class Row:
    """A player's row of the table. buchholz: sum of the opponents' points, the tie-break."""

    player: int
    points: int = 0
    buchholz: int = 0
    opponents: list[int] = field(default_factory=list)
    """In the order of the rounds; BYE for a bye."""
    won: list[bool] = field(default_factory=list)


class Tournament:
    """players: in their order at the start, at least two.

    rounds: of a Swiss tournament, 0 for a round robin. results: winner and loser of games so far.
    """

    def __init__(self, players: Sequence[int], rounds: int = 0, results: Iterable[tuple[int, int]] = ()):
        self.players = list(players)
        self.swiss = rounds > 0
        everybody = len(self.players) - 1 + len(self.players) % 2
        self.rounds = min(rounds, everybody) if self.swiss else everybody
        self._rows = {player: Row(player) for player in self.players}
        self.round = 0
        """The current round, from 1; more than `rounds` when all are played."""
        self.pairs: list[tuple[int, int]] = []
        """Pairs of this round."""
        self._open: set[frozenset[int]] = set()
        self._begin_round()
        for winner, loser in results:
            self.add(winner, loser)

    @property
    def over(self) -> bool:
        """Whether all rounds are played."""
        return self.round > self.rounds

    def opponent(self, player: int) -> int | None:
        """Return the opponent of a player in this round; None for a bye, or once they have played."""
        for pair in self._open:
            if player in pair:
                return next(iter(pair - {player}))
        return None

    def has(self, player: int) -> bool:
        """Return whether a player takes part."""
        return player in self._rows

    def add(self, winner: int, loser: int) -> bool:
        """Add a result; return whether the game was one of this round."""
        pair = frozenset((winner, loser))
        if pair not in self._open:
            return False
        self._open.discard(pair)
        self._score(winner, loser, True)
        self._score(loser, winner, False)
        if not self._open:
            self._begin_round()
        return True

    def table(self) -> list[Row]:
        """Return the rows, best first: by points, then Buchholz, then the order at the start."""
        for row in self._rows.values():
            row.buchholz = sum(self._rows[other].points for other in row.opponents if other != BYE)
        return sorted(self._rows.values(), key=lambda row: (-row.points, -row.buchholz, self.players.index(row.player)))

    def _score(self, player: int, other: int, won: bool) -> None:
        row = self._rows[player]
        row.points += won
        row.opponents.append(other)
        row.won.append(won)

    def _begin_round(self) -> None:
        self.round += 1
        self.pairs = []
        if self.over:
            return
        self.pairs = self._swiss_pairs() if self.swiss else self._circle()
        for one, two in self.pairs:
            if BYE in (one, two):
                self._score(one or two, BYE, True)
            else:
                self._open.add(frozenset((one, two)))

    def _circle(self) -> list[tuple[int, int]]:
        """Pair a round of the round robin: the first player stays, the others move one place a round."""
        ring = [*self.players, *([BYE] if len(self.players) % 2 else [])]
        turn = (self.round - 1) % (len(ring) - 1)
        ring = [ring[0], *ring[len(ring) - turn :], *ring[1 : len(ring) - turn]]
        half = len(ring) // 2
        return list(zip(ring[:half], reversed(ring[half:]), strict=True))

    def _swiss_pairs(self) -> list[tuple[int, int]]:
        """Pair a Swiss round: players of equal points who have not met, as far as possible."""
        order = [row.player for row in self.table()]
        off: list[tuple[int, int]] = []
        if len(order) % 2:
            # the lowest without a bye so far
            resting = next((p for p in reversed(order) if BYE not in self._rows[p].opponents), order[-1])
            order.remove(resting)
            off = [(resting, BYE)]
        found = self._without_repeats(order)
        if found is None:
            found = list(zip(order[::2], order[1::2], strict=True))
        return found + off

    def _without_repeats(self, order: list[int]) -> list[tuple[int, int]] | None:
        """Pair the first player with the next one it has not met, and so on; None if no such pairing exists."""
        if not order:
            return []
        first, *rest = order
        for other in rest:
            if other not in self._rows[first].opponents:
                further = self._without_repeats([player for player in rest if player != other])
                if further is not None:
                    return [(first, other), *further]
        return None
