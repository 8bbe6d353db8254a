"""`seabattle sim`: games between two bots in simulated time, and their statistics.

A game's seeds depend only on the seed and the game's number, and all sums are integers, so the output is the same
however the games are distributed over processes.
"""

from __future__ import annotations

import itertools
import math
import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from seabattle import link as links
from seabattle import wire
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.errors import SeabattleError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import SEED_MOST, Parameters, level_name
from seabattle_host.simulation.engine import Endpoint, HastyBot, Listener, Simulation

_LONGEST_US = 3600 * 10**6
"""Simulated time after which a game counts as hung; real ones take seconds."""

_PHASE_US = 54926
_CHUNK_MOST = 25
"""Games per task: few enough for a quick response to Ctrl-C, enough that sending them costs nothing."""

_AHEAD = 4
"""Tasks queued per process, so that a million games take no more memory than a thousand."""

_MASK64 = (1 << 64) - 1


@dataclass(frozen=True)
class Spec:
    """What to play: the parameters, the levels of the players A and B, and the seed of all games."""

    parameters: Parameters
    levels: tuple[int, int]
    seed: int


@dataclass(frozen=True)
class Game:
    """A finished game. Sides are roles: 0 the master, 1 the slave; players are 0 for A and 1 for B."""

    index: int
    master: int
    """The player who was the master."""
    winner: int
    """The side that won."""
    shots: tuple[int, int]
    """Answered shots of each side."""
    ticks: int
    bytes: int
    """Bytes on the line, both directions together."""


@dataclass
class Tally:
    """Statistics of games. Tallies of parts add up to the tally of the whole, in any order."""

    games: int = 0
    wins_of_player: list[int] = field(default_factory=lambda: [0, 0])
    wins_of_side: list[int] = field(default_factory=lambda: [0, 0])
    winner_shots: Counter[int] = field(default_factory=Counter)
    shots_to_win: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))
    """Shots in the games won by A, and in those won by B."""
    loser_shots: Counter[int] = field(default_factory=Counter)
    ticks: Counter[int] = field(default_factory=Counter)
    bytes: Counter[int] = field(default_factory=Counter)

    def add(self, game: Game) -> None:
        """Add one game."""
        self.games += 1
        self.wins_of_side[game.winner] += 1
        self.wins_of_player[game.master ^ game.winner] += 1
        self.winner_shots[game.shots[game.winner]] += 1
        self.shots_to_win[game.master ^ game.winner][game.shots[game.winner]] += 1
        self.loser_shots[game.shots[1 - game.winner]] += 1
        self.ticks[game.ticks] += 1
        self.bytes[game.bytes] += 1

    def merge(self, other: Tally) -> None:
        """Add the games of another tally."""
        self.games += other.games
        for i in (0, 1):
            self.wins_of_player[i] += other.wins_of_player[i]
            self.wins_of_side[i] += other.wins_of_side[i]
            self.shots_to_win[i].update(other.shots_to_win[i])
        self.winner_shots.update(other.winner_shots)
        self.loser_shots.update(other.loser_shots)
        self.ticks.update(other.ticks)
        self.bytes.update(other.bytes)


class SimError(SeabattleError):
    """A simulated game that did not end properly: a bug in the program, reported with how to reproduce it."""


def derive_seed(seed: int, index: int, use: int) -> int:
    """Return a 30-bit number for one use in game `index`, unrelated to all others."""
    x = (seed * 0x9E3779B97F4A7C15 + index * 0xD1B54A32D192ED03 + use * 0x8CB92BA72F3D8DD7) & _MASK64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK64
    return (x ^ (x >> 31)) & SEED_MOST


def make_endpoint(role: int, offer: Parameters, level: int, seed: int) -> Endpoint:
    """Create a bot's endpoint with all its objects; role MASTER or SLAVE."""
    rng = Rng(seed)
    player = Player(Link(role, rng), rng)
    bot = HastyBot(player, Gunner(player.radar, rng, level), 0, (offer.size, *offer.counts))
    return Endpoint(player, bot, phase=2 * rng.below(_PHASE_US // 2) + rng.below(2))


def make_simulation(spec: Spec, index: int, listener: Listener | None = None) -> Simulation:
    """Create the simulation of game `index`, ready to run; endpoint 0 is the master."""
    master = index & 1
    return Simulation(
        (
            make_endpoint(wire.MASTER, spec.parameters, spec.levels[master], derive_seed(spec.seed, index, 0)),
            make_endpoint(wire.SLAVE, spec.parameters, spec.levels[1 - master], derive_seed(spec.seed, index, 1)),
        ),
        listener=listener,
    )


def play(spec: Spec, index: int, listener: Listener | None = None) -> Game:
    """Play game `index`. Player A is the master in even ones. Raises SimError if the sides disagree."""
    simulation = make_simulation(spec, index, listener)
    simulation.run(_LONGEST_US)
    master, slave = simulation.endpoints
    if master.trouble or slave.trouble or {master.result, slave.result} != {links.WE_WON, links.WE_LOST}:
        raise SimError(tr("sim_broken", game=index, seed=spec.seed, parameters=spec.parameters))
    return Game(
        index=index,
        master=index & 1,
        winner=0 if master.result == links.WE_WON else 1,
        shots=(master.player.my_shots, slave.player.my_shots),
        ticks=master.ticks,
        bytes=simulation.channels[0].sent + simulation.channels[1].sent,
    )


def play_chunk(spec: Spec, first: int, last: int) -> list[Game]:
    """Play games first..last-1. A module-level function, so that other processes and machines can call it."""
    return [play(spec, index) for index in range(first, last)]


def play_all(spec: Spec, games: int, jobs: int = 1, first: int = 0) -> Iterator[list[Game]]:
    """Yield games first..games-1 in order, some at a time, played in `jobs` processes."""
    size = max(1, min(_CHUNK_MOST, (games - first) // (jobs * 4)))
    chunks = ((spec, at, min(at + size, games)) for at in range(first, games, size))
    yield from spread(play_chunk, chunks, jobs)


_Result = TypeVar("_Result")


def spread(play: Callable[..., _Result], tasks: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[_Result]:
    """Yield the results of `play` for each task's arguments, in order, computed in `jobs` processes."""
    tasks = iter(tasks)
    if jobs == 1:
        for task in tasks:
            yield play(*task)
        return
    import multiprocessing

    with multiprocessing.Pool(jobs, initializer=begin_worker) as pool:
        waiting = deque(pool.apply_async(play, task) for task in itertools.islice(tasks, jobs * _AHEAD))
        while waiting:
            result = waiting.popleft().get()
            waiting.extend(pool.apply_async(play, task) for task in itertools.islice(tasks, 1))
            yield result
        # Asked to exit, not killed: a worker that is still starting might miss the signal.
        pool.close()
        pool.join()


def report(spec: Spec, tally: Tally) -> list[str]:
    """Return the statistics as lines of text."""
    names = [f"{letter} ({level_name(level)})" for letter, level in zip("AB", spec.levels, strict=True)]
    lines = [tr("sim_head", games=tally.games, parameters=spec.parameters, seed=spec.seed)]
    wins = [(name, tally.wins_of_player[i]) for i, name in enumerate(names)]
    wins.append((words.role(wire.MASTER), tally.wins_of_side[0]))
    wins.append((words.role(wire.SLAVE), tally.wins_of_side[1]))
    lines += [tr("sim_wins", who=who, wins=n, share=100 * n / tally.games) for who, n in wins]
    lines.append(tr("sim_columns"))
    for key, counts in (
        ("sim_winner_shots", tally.winner_shots),
        ("sim_loser_shots", tally.loser_shots),
        ("sim_ticks", tally.ticks),
        ("sim_bytes", tally.bytes),
    ):
        lines.append(figures(tr(key), counts))
    return lines


def figures(name: str, counts: Counter[int]) -> str:
    """Return a line of the table: mean, its standard error, minimum, median and maximum of a value."""
    mean, error = mean_and_error(counts)
    return f"{name:24}{mean:9.2f}{error:9.2f}{min(counts):8}{_median(counts):8}{max(counts):8}"


def mean_and_error(counts: Counter[int]) -> tuple[float, float]:
    """Return the mean of counted values, and its standard error (0 for a single value)."""
    n = sum(counts.values())
    total = sum(value * times for value, times in counts.items())
    squares = sum(value * value * times for value, times in counts.items())
    # integers up to here, so that the order of the sums does not matter
    variance = (n * squares - total * total) / (n * (n - 1)) if n > 1 else 0.0
    return total / n, math.sqrt(variance / n)


def _median(counts: Counter[int]) -> int:
    """Return the median, the lower of two middle values."""
    left = (sum(counts.values()) + 1) // 2
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    raise ValueError("nothing counted")


def begin_worker() -> None:
    """Ignore Ctrl-C, which the parent handles, and exit at once on other terminating signals."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # not by the signal itself: a lock held at that moment would never be released, and the parent wait for it
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())
