"""`seabattle sim`: games in simulated time, and their statistics."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from seabattle_host.commands import options
from seabattle_host.errors import UserError
from seabattle_host.games import rules, setup
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import SEED_MOST, Parameters

if TYPE_CHECKING:
    from seabattle_host.simulation.sim import Game, Spec

_USUAL_LEVELS = (3, 3)


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("sim_about")
    parser = subparsers.add_parser("sim", help=about, description=about)
    parser.add_argument("--games", type=options.whole(1, 10**9), required=True, metavar="N", help=tr("help_sim_games"))
    parser.add_argument(
        "--from", dest="first", type=options.whole(0, 10**9), default=0, metavar="K", help=tr("help_sim_from")
    )
    parser.add_argument("--game", choices=("serial", *setup.KINDS), default="serial", help=tr("help_game"))
    options.add_seed(parser)
    options.add_parameters(parser)
    rules.add_rules(parser)
    parser.add_argument("--levels", type=_levels, default=_USUAL_LEVELS, metavar="A,B", help=tr("help_sim_levels"))
    parser.add_argument("--jobs", type=options.whole(1, 1024), default=1, metavar="J", help=tr("help_sim_jobs"))
    parser.add_argument("--dask", metavar="ADDRESS", help=tr("help_sim_dask"))
    parser.add_argument("--plot", type=Path, metavar="FILE", help=tr("help_sim_plot"))
    parser.add_argument("--each", action="store_true", help=tr("help_sim_each"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the games and print the statistics; return the exit status."""
    seed = secrets.randbelow(SEED_MOST + 1) if args.seed is None else args.seed
    if args.first >= args.games:
        raise UserError(tr("sim_from_beyond", first=args.first, games=args.games, last=args.games - 1))
    if args.game != "serial":
        return _run_other(args, seed)
    from seabattle_host.simulation.sim import Spec, Tally, play_all, report

    _refuse_rules(args)
    spec = Spec(options.parameters(args), args.levels, seed)
    tally = Tally()
    if args.plot:
        from seabattle_host.simulation import plot

        plot.check(args.plot)
    if args.dask:
        from seabattle_host.simulation import cluster

        parts = cluster.play_all(spec, args.games, args.dask, args.first)
    else:
        parts = play_all(spec, args.games, args.jobs, args.first)
    with _Stop() as stop, _progress(args.games - args.first) as advance:
        for games in stop.until(parts):
            for game in games:
                tally.add(game)
                if args.each:
                    print(_each(spec, game))
            advance(len(games))
    if tally.games:
        for line in report(spec, tally):
            print(line)
        if args.plot:
            plot.draw(spec, tally, args.plot)
    return _status(args, seed, tally.games)


def _status(args: argparse.Namespace, seed: int, played: int) -> int:
    """Return the exit status after this number of games; if Ctrl-C has stopped them, print how to continue."""
    game = args.first + played
    if game == args.games:
        return 0
    print(tr("sim_stopped", game=game, games=args.games, seed=seed), file=sys.stderr)
    return 130


_Part = TypeVar("_Part")


class _Stop:
    """Let the first Ctrl-C end the games after the current part; a second one ends the program."""

    def __init__(self) -> None:
        self._stopped = False
        self._before: signal.Handlers | Callable[[int, FrameType | None], object] | int | None = None

    def __enter__(self) -> _Stop:
        self._before = signal.signal(signal.SIGINT, self._stop)
        return self

    def __exit__(self, *_error: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopped = True
        signal.signal(signal.SIGINT, self._before)

    def until(self, parts: Iterable[_Part]) -> Iterator[_Part]:
        """Yield the parts up to the one during which Ctrl-C comes."""
        for part in parts:
            yield part
            if self._stopped:
                return


def _run_other(args: argparse.Namespace, seed: int) -> int:
    """Run games without a line."""
    from seabattle_host.simulation import games as statistics

    usual = Parameters()
    for option, given in (
        ("--size", args.size != usual.size),
        ("--fleet", args.fleet != usual.counts),
        ("--levels", args.levels != _USUAL_LEVELS),
        ("--dask", args.dask),
        ("--plot", args.plot),
    ):
        if given:
            raise UserError(tr("stat_only_serial", option=option, name=args.game))
    variant = None
    if args.game == "classic":
        variant = rules.variant(rules.rules_of(args))
    else:
        _refuse_rules(args)
    outcomes = statistics.play_all(args.game, seed, args.games, args.jobs, variant, args.first)
    played = 0
    with _Stop() as stop, _progress(args.games - args.first) as advance:

        def counted() -> Iterator[statistics.Outcome]:
            nonlocal played
            for outcome in stop.until(outcomes):
                played += 1
                advance(1)
                yield outcome

        for line in statistics.report(args.game, seed, counted(), args.each, args.first):
            print(line)
    return _status(args, seed, played)


def _refuse_rules(args: argparse.Namespace) -> None:
    for option in rules.OPTIONS:
        if getattr(args, option):
            raise UserError(tr("stat_only_classic", option=f"--{option}", name=args.game))


def _each(spec: Spec, game: Game) -> str:
    return tr(
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
    """Parse the levels of A and B, or one for both (an argument type)."""
    parts = [options.level(part.strip()) for part in value.split(",")]
    if len(parts) > 2:
        raise argparse.ArgumentTypeError(tr("bad_levels", value=value))
    return parts[0], parts[-1]


@contextlib.contextmanager
def _progress(games: int) -> Iterator[Callable[[int], None]]:
    """Show a bar and a rate on standard error if it is a terminal; yield a function that counts games."""
    if not sys.stderr.isatty():
        yield lambda _played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Games per second."""

        def render(self, task: Task) -> Text:
            return Text(tr("sim_rate", rate=f"{task.speed:.0f}") if task.speed else "")

    columns = BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=games)
        yield lambda played: progress.advance(task, played)
