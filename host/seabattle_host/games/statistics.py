"""Many games of computers without a line between them, for `seabattle sim --game`: what they come to.

A game's seeds come from the seed and the game's number alone, so the output is the same whatever the number of
processes.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.classic import OVER
from seabattle.melee import Melee
from seabattle.melee_gunner import MeleeGunner
from seabattle.rng import Rng
from seabattle.salvo import Salvo
from seabattle.salvo_gunner import SalvoGunner
from seabattle.variants import VariantGunner, Variants
from seabattle_host import sim
from seabattle_host.games.phrases import say

_CHUNK = 20


@dataclass(frozen=True)
class Outcome:
    """A finished game: who has won (None for a draw), shots of each player, and rounds (0 where there are none)."""

    winner: int | None
    shots: tuple[int, ...]
    rounds: int = 0


def classic(seed: int) -> Outcome:
    """A classic game; who begins is drawn by lot."""
    game = Variants(Rng(seed), 100)
    gunners = [VariantGunner(known, Rng(sim.mix(seed, player, 2)), 100) for player, known in enumerate(game.radars)]
    for player in (0, 1):
        if not game.random(player) or not game.ready(player):
            raise ValueError("not placed")
    while game.stage != OVER:
        if game.shoot(game.turn, gunners[game.turn].aim()) < 0:
            raise ValueError("a shot was refused")
    return Outcome(game.winner, tuple(game.shots))


def salvo(seed: int) -> Outcome:
    """A game of salvos."""
    game = Salvo(Rng(seed))
    gunners = [SalvoGunner(view, Rng(sim.mix(seed, player, 2))) for player, view in enumerate(game.views)]
    for player in (0, 1):
        game.fill(player)
    while game.stage == salvos.FIRING:
        for player, gunner in enumerate(gunners):
            shots = gunner.aim()
            if game.fire_at(player, gunner.cells, shots):
                raise ValueError("a salvo was refused")
    winner = {salvos.WON_BY_0: 0, salvos.WON_BY_1: 1, salvos.DRAW: None}[game.outcome]
    return Outcome(winner, tuple(sum(shots) for shots in game.shots_in), game.round)


def melee(seed: int) -> Outcome:
    """A melee of three; the order of turns is drawn by lot."""
    game = Melee(Rng(seed))
    game.start(True)
    game.deploy()
    gunners = [MeleeGunner(game, player, Rng(sim.mix(seed, player, 2))) for player in range(melees.PLAYERS)]
    shots = [0] * melees.PLAYERS
    while game.winner() == melees.NOBODY:
        shots[game.turn] += 1
        if game.shoot(game.turn, gunners[game.turn].aim()) < 0:
            raise ValueError("a shot was refused")
    return Outcome(game.winner(), tuple(shots))


GAMES: dict[str, tuple[Callable[[int], Outcome], int]] = {
    "classic": (classic, 2),
    "salvo": (salvo, 2),
    "melee": (melee, 3),
}
"""Name of a game -> what plays one from a seed of 30 bits, and its number of players."""


def play(name: str, seed: int, index: int) -> Outcome:
    """Game `index` of a seed. Raises SimError, with what repeats it, if it does not come to a proper end."""
    try:
        return GAMES[name][0](sim.mix(seed, index, 3))
    except (ValueError, KeyError, IndexError) as error:
        raise sim.SimError(say("stat_broken", game=index, seed=seed, name=name)) from error


def play_all(name: str, seed: int, games: int, jobs: int = 1) -> Iterator[Outcome]:
    """All games in order, in `jobs` processes."""
    chunks = [(name, seed, first, min(first + _CHUNK, games)) for first in range(0, games, _CHUNK)]
    if jobs == 1:
        for chunk in chunks:
            yield from _chunk(chunk)
        return
    with multiprocessing.Pool(jobs, initializer=sim.begin_worker) as pool:
        for outcomes in pool.imap(_chunk, chunks):
            yield from outcomes


def _chunk(chunk: tuple[str, int, int, int]) -> list[Outcome]:
    name, seed, first, last = chunk
    return [play(name, seed, index) for index in range(first, last)]


def report(name: str, seed: int, outcomes: Iterator[Outcome], each: bool = False) -> Iterator[str]:
    """The figures as lines of text, before them with `each` a line for each game."""
    players = GAMES[name][1]
    wins: Counter[int | None] = Counter()
    winner_shots: Counter[int] = Counter()
    all_shots: Counter[int] = Counter()
    rounds: Counter[int] = Counter()
    for index, outcome in enumerate(outcomes):
        wins[outcome.winner] += 1
        all_shots[sum(outcome.shots)] += 1
        if outcome.winner is not None:
            winner_shots[outcome.shots[outcome.winner]] += 1
        if outcome.rounds:
            rounds[outcome.rounds] += 1
        if each:
            who = say("stat_draw") if outcome.winner is None else "ABC"[outcome.winner]
            yield say("stat_game", game=index, winner=who, shots=", ".join(map(str, outcome.shots)))
    games = wins.total()
    yield say("stat_head", games=games, name=name, seed=seed)
    seats: list[tuple[str, int | None]] = [("ABC"[player], player) for player in range(players)]
    if name == "salvo":
        seats.append((say("stat_draw"), None))
    for who, player in seats:
        yield say("stat_wins", who=who, wins=wins[player], share=100 * wins[player] / games)
    yield say("stat_columns")
    for key, counts in (
        ("stat_winner_shots", winner_shots),
        ("stat_shots", all_shots),
        ("stat_rounds", rounds),
    ):
        if counts:
            yield sim.figures(say(key), counts)
