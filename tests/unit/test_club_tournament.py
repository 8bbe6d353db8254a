"""The rounds and the table of a tournament."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from seabattle_host.club.tournament import BYE, Tournament


def played(tournament: Tournament, seed: int = 1) -> list[list[tuple[int, int]]]:
    """Play all rounds, the lower number the more likely winner; the pairs of each."""
    chance = random.Random(seed)
    rounds = []
    while not tournament.over:
        pairs = list(tournament.pairs)
        rounds.append(pairs)
        for one, two in pairs:
            if BYE not in (one, two):
                winner, loser = sorted((one, two), key=lambda player: player + chance.uniform(0, 4))
                assert tournament.add(winner, loser)
    return rounds


@pytest.mark.parametrize("number", range(2, 12))
def test_round_robin_is_everybody_against_everybody_once(number: int) -> None:
    players = list(range(1, number + 1))
    rounds = played(Tournament(players))
    met = [frozenset(pair) for pairs in rounds for pair in pairs if BYE not in pair]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(players, 2)))
    for pairs in rounds:
        assert sorted(player for pair in pairs for player in pair if player != BYE) == players


@pytest.mark.parametrize("number", range(2, 20))
@pytest.mark.parametrize("rounds", [1, 3, 5])
def test_swiss_meets_nobody_twice_and_gives_one_round_off_at_most(number: int, rounds: int) -> None:
    tournament = Tournament(range(1, number + 1), rounds)
    pairs = played(tournament, seed=number)
    assert len(pairs) == min(rounds, number - 1 + number % 2)
    for row in tournament.table():
        met = [other for other in row.opponents if other != BYE]
        assert len(row.opponents) == len(pairs)
        assert row.opponents.count(BYE) <= 1
        # with few players and many rounds nobody new may be left
        if rounds < number // 2:
            assert len(set(met)) == len(met)


def test_who_has_won_as_often_meets_and_the_winner_of_all_leads() -> None:
    tournament = Tournament([1, 2, 3, 4, 5, 6, 7, 8], 3)
    for winner, loser in ((1, 2), (3, 4), (5, 6), (7, 8)):
        assert tournament.add(winner, loser)
    assert {frozenset(pair) for pair in tournament.pairs} == {
        frozenset(pair) for pair in ((1, 3), (5, 7), (2, 4), (6, 8))
    }
    for pair in list(tournament.pairs):
        tournament.add(min(pair), max(pair))
    assert tournament.opponent(1) == 5
    for pair in list(tournament.pairs):
        tournament.add(min(pair), max(pair))
    assert tournament.over and (tournament.table()[0].player, tournament.table()[0].points) == (1, 3)


def test_a_game_that_is_not_of_the_round_counts_for_nothing() -> None:
    tournament = Tournament([1, 2, 3, 4])
    other = next(p for p in (2, 3, 4) if p != tournament.opponent(1))
    assert not tournament.add(1, other) and not tournament.add(1, 99)
    opponent = tournament.opponent(1)
    assert opponent and tournament.add(1, opponent) and not tournament.add(opponent, 1)
    assert tournament.table()[0].points == 1 and tournament.round == 1


def test_points_of_the_opponents_decide_between_equal_points() -> None:
    # 1 and 4 have won once each; 1 has lost to the winner of all
    rows = Tournament([1, 2, 3, 4], 2, [(1, 2), (3, 4), (3, 1), (4, 2)]).table()
    assert [(row.player, row.points, row.buchholz) for row in rows] == [(3, 2, 2), (1, 1, 2), (4, 1, 2), (2, 0, 2)]
