"""`seabattle sim`: games between two bots in simulated time, and what they come to.

Every game's seeds come from the seed and the game's number alone, and all sums are whole numbers, so the output is the
same however the games are spread over processes.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import multiprocessing
import secrets
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from seabattle import link as links
from seabattle import wire
from seabattle.bot import Bot
from seabattle.gunner import Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host import options, words
from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.games import phrases, rules
from seabattle_host.words import say
from seabattle_host.world import Listener, Seat, World

_LONGEST_US = 3600 * 10**6
"""Simulated time after which a game is taken for hung; real ones take seconds."""

OTHER_GAMES = ("classic", "salvo", "melee")
"""Games that are played without a line."""

_USUAL_LEVELS = (3, 3)
_PHASE_US = 54926
_CHUNK_MOST = 100
_MASK64 = (1 << 64) - 1


@dataclass(frozen=True)
class Spec:
    """What is played: the parameters, the levels of the players A and B, and the seed of all games."""

    parameters: options.Parameters
    levels: tuple[int, int]
    seed: int


@dataclass(frozen=True)
class Game:
    """A finished game. Sides are roles: 0 the master, 1 the slave; players are 0 for A and 1 for B."""

    index: int
    master: int
    """Which player was the master."""
    winner: int
    """Which side won."""
    shots: tuple[int, int]
    """Answered shots of each side."""
    ticks: int
    bytes: int
    """Bytes on the line in both directions."""


@dataclass
class Tally:
    """Games added up. Tallies of parts add up to the tally of the whole, in any order."""

    games: int = 0
    wins_of_player: list[int] = field(default_factory=lambda: [0, 0])
    wins_of_side: list[int] = field(default_factory=lambda: [0, 0])
    winner_shots: Counter[int] = field(default_factory=Counter)
    shots_to_win: tuple[Counter[int], Counter[int]] = field(default_factory=lambda: (Counter(), Counter()))
    """Shots of the games that A has won, and of those that B has."""
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
    """A simulated game that did not come to a proper end: a fault of the program, named with what repeats it."""


def mix(seed: int, index: int, use: int) -> int:
    """A number of 30 bits for one use in game `index`, unrelated to all others."""
    x = (seed * 0x9E3779B97F4A7C15 + index * 0xD1B54A32D192ED03 + use * 0x8CB92BA72F3D8DD7) & _MASK64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK64
    return (x ^ (x >> 31)) & options.SEED_MOST


def make_seat(role: int, offer: options.Parameters, level: int, seed: int) -> Seat:
    """A bot's seat with all its objects; role MASTER or SLAVE."""
    rng = Rng(seed)
    player = Player(Link(role, rng), rng)
    bot = Bot(player, Gunner(player.radar, rng, level), 0, (offer.size, *offer.counts))
    return Seat(player, bot, phase=2 * rng.below(_PHASE_US // 2) + rng.below(2))


def make_world(spec: Spec, index: int, listener: Listener | None = None) -> World:
    """The world of game `index`, ready to run; seat 0 is the master."""
    master = index & 1
    return World(
        (
            make_seat(wire.MASTER, spec.parameters, spec.levels[master], mix(spec.seed, index, 0)),
            make_seat(wire.SLAVE, spec.parameters, spec.levels[1 - master], mix(spec.seed, index, 1)),
        ),
        listener=listener,
    )


def play(spec: Spec, index: int, listener: Listener | None = None) -> Game:
    """Play game `index`. Player A is the master of the even ones. Raises SimError if the sides do not agree."""
    world = make_world(spec, index, listener)
    world.run(_LONGEST_US)
    master, slave = world.seats
    if master.trouble or slave.trouble or {master.result, slave.result} != {links.WE_WON, links.WE_LOST}:
        raise SimError(say("sim_broken", game=index, seed=spec.seed, parameters=spec.parameters))
    return Game(
        index=index,
        master=index & 1,
        winner=0 if master.result == links.WE_WON else 1,
        shots=(master.player.my_shots, slave.player.my_shots),
        ticks=master.ticks,
        bytes=world.channels[0].sent + world.channels[1].sent,
    )


def play_chunk(spec: Spec, first: int, last: int) -> list[Game]:
    """Games first..last-1. A function of the module, so that other processes and machines can be asked for it."""
    return [play(spec, index) for index in range(first, last)]


def register(subparsers: argparse._SubParsersAction) -> None:
    """Declare the command and its options."""
    about = say("sim_about")
    parser = subparsers.add_parser("sim", help=about, description=about)
    parser.add_argument("--games", type=options.whole(1, 10**9), required=True, metavar="N", help=say("help_sim_games"))
    parser.add_argument("--game", choices=("serial", *OTHER_GAMES), default="serial", help=phrases.say("help_game"))
    options.add_seed(parser)
    options.add_parameters(parser)
    rules.add_rules(parser)
    parser.add_argument("--levels", type=_levels, default=_USUAL_LEVELS, metavar="A,B", help=say("help_sim_levels"))
    parser.add_argument("--jobs", type=options.whole(1, 1024), default=1, metavar="J", help=say("help_sim_jobs"))
    parser.add_argument("--dask", metavar="ADDRESS", help=say("help_sim_dask"))
    parser.add_argument("--plot", type=Path, metavar="FILE", help=say("help_sim_plot"))
    parser.add_argument("--each", action="store_true", help=say("help_sim_each"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the games and print the figures; return the exit status."""
    seed = secrets.randbelow(options.SEED_MOST + 1) if args.seed is None else args.seed
    if args.game != "serial":
        return _run_other(args, seed)
    _refuse_rules(args)
    spec = Spec(options.parameters(args), args.levels, seed)
    tally = Tally()
    if args.plot:
        from seabattle_host import plot

        plot.check(args.plot)
    if args.dask:
        from seabattle_host import cluster

        parts = cluster.play_all(spec, args.games, args.dask)
    else:
        parts = play_all(spec, args.games, args.jobs)
    with _progress(args.games) as advance:
        for games in parts:
            for game in games:
                tally.add(game)
                if args.each:
                    print(_each(spec, game))
            advance(len(games))
    for line in report(spec, tally):
        print(line)
    if args.plot:
        plot.draw(spec, tally, args.plot)
    return 0


def _run_other(args: argparse.Namespace, seed: int) -> int:
    """Games that are played without a line."""
    from seabattle_host.games import statistics

    usual = options.Parameters()
    for option, given in (
        ("--size", args.size != usual.size),
        ("--fleet", args.fleet != usual.counts),
        ("--levels", args.levels != _USUAL_LEVELS),
        ("--dask", args.dask),
        ("--plot", args.plot),
    ):
        if given:
            raise UserError(phrases.say("stat_only_serial", option=option, name=args.game))
    variant = None
    if args.game == "classic":
        variant = rules.variant(rules.rules_of(args))
    else:
        _refuse_rules(args)
    outcomes = statistics.play_all(args.game, seed, args.games, args.jobs, variant)
    for line in statistics.report(args.game, seed, outcomes, args.each):
        print(line)
    return 0


def _refuse_rules(args: argparse.Namespace) -> None:
    for option in rules.OPTIONS:
        if getattr(args, option):
            raise UserError(phrases.say("stat_only_classic", option=f"--{option}", name=args.game))


def play_all(spec: Spec, games: int, jobs: int = 1) -> Iterator[list[Game]]:
    """All games in order, some at a time, in `jobs` processes."""
    size = max(1, min(_CHUNK_MOST, games // (jobs * 4)))
    chunks = [(spec, first, min(first + size, games)) for first in range(0, games, size)]
    if jobs == 1:
        for chunk in chunks:
            yield play_chunk(*chunk)
        return
    with multiprocessing.Pool(jobs, initializer=begin_worker) as pool:
        yield from pool.imap(_chunk, chunks)


def report(spec: Spec, tally: Tally) -> list[str]:
    """The figures as lines of text."""
    names = [f"{letter} ({options.level_name(level)})" for letter, level in zip("AB", spec.levels, strict=True)]
    lines = [say("sim_head", games=tally.games, parameters=spec.parameters, seed=spec.seed)]
    wins = [(name, tally.wins_of_player[i]) for i, name in enumerate(names)]
    wins.append((words.role(wire.MASTER), tally.wins_of_side[0]))
    wins.append((words.role(wire.SLAVE), tally.wins_of_side[1]))
    lines += [say("sim_wins", who=who, wins=n, share=100 * n / tally.games) for who, n in wins]
    lines.append(say("sim_columns"))
    for key, counts in (
        ("sim_winner_shots", tally.winner_shots),
        ("sim_loser_shots", tally.loser_shots),
        ("sim_ticks", tally.ticks),
        ("sim_bytes", tally.bytes),
    ):
        lines.append(figures(say(key), counts))
    return lines


def figures(name: str, counts: Counter[int]) -> str:
    """A line of the table: mean, its standard error, least, median and most of values counted."""
    mean, error = mean_and_error(counts)
    return f"{name:24}{mean:9.2f}{error:9.2f}{min(counts):8}{_median(counts):8}{max(counts):8}"


def mean_and_error(counts: Counter[int]) -> tuple[float, float]:
    """Mean of values counted, and the standard error of that mean (0 for a single value)."""
    n = counts.total()
    total = sum(value * times for value, times in counts.items())
    squares = sum(value * value * times for value, times in counts.items())
    # whole numbers up to here, so that nothing depends on the order of the sums
    variance = (n * squares - total * total) / (n * (n - 1)) if n > 1 else 0.0
    return total / n, math.sqrt(variance / n)


def _median(counts: Counter[int]) -> int:
    """The middle value, the lower one of two."""
    left = (counts.total() + 1) // 2
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    raise ValueError("nothing counted")


def _each(spec: Spec, game: Game) -> str:
    return say(
        "sim_game",
        game=game.index,
        master="AB"[game.master],
        winner="AB"[game.master ^ game.winner],
        master_shots=game.shots[0],
        slave_shots=game.shots[1],
        ticks=game.ticks,
        bytes=game.bytes,
    )


def _levels(value: str) -> tuple[int, int]:
    """An argument type: the levels of A and B, or one for both."""
    parts = [options.level(part.strip()) for part in value.split(",")]
    if len(parts) > 2:
        raise argparse.ArgumentTypeError(say("bad_levels", value=value))
    return parts[0], parts[-1]


def _chunk(chunk: tuple[Spec, int, int]) -> list[Game]:
    return play_chunk(*chunk)


def begin_worker() -> None:
    """Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """A bar on the standard error if that is a terminal; gives a function to tell it of games played."""
    if not sys.stderr.isatty():
        yield lambda _played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task("", total=games)
        yield lambda played: progress.advance(task, played)
