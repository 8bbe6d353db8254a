"""Aiming: mean shots to sink a random classic fleet on 10x10, compared with textbook strategies.

Fields are placed at random, longest ship first, and every level and strategy gets the same fields; a gain is the mean
of the differences field by field. The textbook strategies are in `tests/bench/textbook.py`: random, hunt and target,
parity, and the probability density of DataGenetics, which is told that ships do not touch. Times are processor time.
"""

from __future__ import annotations

import itertools
import multiprocessing
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.gunner import Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng
from seabattle_host.player.parameters import LEVELS
from tests.bench import Figure, mean, textbook

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

GAMES = 3000

TEXTBOOK = "textbook "


def fields(games: int, first_seed: int) -> Iterator[Field]:
    """Yield this many fields, all in the same object."""
    fleet = Fleet()
    field = Field()
    lots = Rng(first_seed)
    for _ in range(games):
        field.reset(fleet)
        field.random(lots)
        yield field


def shots(level: int, games: int, first_seed: int = 1) -> tuple[list[int], float]:
    """Return the shots of each game, and the total seconds of aiming."""
    radar = Radar()
    gunner = Gunner(radar, Rng(first_seed + 1), level)
    found = []
    seconds = 0.0
    for field in fields(games, first_seed):
        radar.reset(field.fleet)
        count = 0
        while not field.lost():
            began = time.process_time()
            cell = gunner.aim()
            seconds += time.process_time() - began
            if radar.answer(cell, field.shoot(cell)):
                raise AssertionError("an honest field was accused")
            count += 1
        found.append(count)
    return found, seconds


def ships_of(field: Field) -> textbook.Ships:
    """Return the cells of each ship of a field."""
    cells: dict[int, list[int]] = {}
    for cell, ship in enumerate(field.ship):
        if ship:
            cells.setdefault(ship, []).append(cell)
    return [tuple(ship) for ship in cells.values()]


def textbook_shots(name: str, games: int, first_seed: int = 1) -> list[int]:
    """Return the shots of each game with a textbook strategy."""
    chance = random.Random(first_seed)
    aim = textbook.STRATEGIES[name]
    return [textbook.play(ships_of(field), aim, chance) for field in fields(games, first_seed)]


def taken(task: tuple[str, int]) -> tuple[list[int], float]:
    """Return a level's or strategy's shots of each game, and the seconds of all aims (0 if not measured)."""
    name, games = task
    if name in LEVELS:
        return shots(LEVELS[name], games)
    return textbook_shots(name.removeprefix(TEXTBOOK), games), 0.0


def figures(quick: bool = False) -> Iterator[Figure]:
    games = 10 if quick else GAMES
    names = [*LEVELS, *(TEXTBOOK + name for name in textbook.STRATEGIES)]
    # The longest first, so that two processes end together.
    tasks = sorted(names, key=lambda name: name not in ("sharp", TEXTBOOK + "probability"))
    with multiprocessing.Pool(2) as pool:
        found = dict(zip(tasks, pool.imap(taken, [(name, games) for name in tasks], chunksize=1), strict=True))
    for name in names:
        counts, seconds = found[name]
        value, error = mean(counts)
        spread = f"half of them in {int(statistics.median(counts))} or less; {games} games"
        share = tuple((shots, times / games) for shots, times in sorted(Counter(counts).items()))
        yield Figure(f"{name}: shots", value, "a game", spread, error, share)
    for worse, better in [*itertools.pairwise(LEVELS), (f"{TEXTBOOK}probability", "sharp")]:
        gain = [a - b for a, b in zip(found[worse][0], found[better][0], strict=True)]
        value, error = mean(gain)
        yield Figure(f"{better} saves against {worse}", value, "shots a game", error=error)
    for name in LEVELS:
        counts, seconds = found[name]
        yield Figure(f"{name}: an aim", 1e6 * seconds / sum(counts), "µs")


def draw(figures: list[Figure], drawing: Drawing) -> None:
    """Draw how many of the fields are sunk after each number of shots."""
    axes = drawing.subplots()
    colours = ("#999999", "#56b4e9", "#e69f00", "#0072b2")
    for i, figure in enumerate(figure for figure in figures if figure.data):
        name = figure.name.removesuffix(": shots")
        shots = [count for count, _ in figure.data]
        sunk = [100 * share for share in itertools.accumulate(share for _, share in figure.data)]
        style = "--" if name.startswith(TEXTBOOK) else "-"
        axes.plot(shots, sunk, style, color=colours[i % 4], label=name)
    axes.set_xlabel("shots")
    axes.set_ylabel("fields sunk by then, %")
    axes.grid(alpha=0.3)
    axes.legend()
