"""Cost as the work grows: the time for a unit of work, which should stay the same.

Games of `seabattle sim` by the wall clock, in one process and in two: the more games, the less the start of the
processes matters. Aiming, in processor time for each cell of the field, from 4x4 to 26x26, with ships on a fifth of the
cells as in the classic game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, SHARP, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng
from seabattle_host.player.parameters import Parameters
from seabattle_host.simulation import sim
from tests.bench import Figure, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

GAMES = (20, 100, 500)
SIZES = (4, 6, 8, 10, 13, 16, 20, 26)

AIMS = 600
"""Minimum number of aims for each size of field."""


def games_figures(counts: tuple[int, ...]) -> Iterator[Figure]:
    """Games of a simulation."""
    spec = sim.Spec(Parameters(), (DENSITY, DENSITY), 1)
    sim.play_chunk(spec, 0, 1)  # one-time costs of the first game
    for jobs in (1, 2):
        took = []
        for count in counts:
            began = time.perf_counter()
            if sum(len(games) for games in sim.play_all(spec, count, jobs)) != count:
                raise AssertionError("games are missing")
            took.append((float(count), 1000 * (time.perf_counter() - began) / count))
        yield grown(f"sim --jobs {jobs}", took, "ms a game", "games")


def fleet_for(size: int) -> Fleet:
    """Return a square field with ships on a fifth of its cells, in the proportions of the classic fleet."""
    parts = size * size / 100
    fleet = Fleet()
    fleet.custom(size, size, 0, *(max(n > 1, round(n * parts)) for n in (1, 2, 3, 4)), False, False)
    return fleet


def aim_seconds(size: int, level: int, least: int) -> float:
    """Return the seconds of an aim on a field of this size, over whole games."""
    fleet = fleet_for(size)
    field, radar, rng = Field(size * size), Radar(size * size), Rng(1)
    gunner = Gunner(radar, rng, level)
    aims = 0
    seconds = 0.0
    while aims < least:
        field.reset(fleet)
        if not field.random(rng):
            raise AssertionError(f"no placement on {size}x{size}")
        radar.reset(fleet)
        while not field.lost():
            began = time.process_time()
            cell = gunner.aim()
            seconds += time.process_time() - began
            radar.answer(cell, field.shoot(cell))
            aims += 1
    return seconds / aims


def field_figures(sizes: tuple[int, ...], aims: int) -> Iterator[Figure]:
    """Aims on increasing fields."""
    for name, level in (("density", DENSITY), ("sharp", SHARP)):
        took = [(float(size), 1e6 * aim_seconds(size, level, aims) / size**2) for size in sizes]
        yield grown(f"an aim of {name}", took, "µs a cell", "cells a side")


def grown(name: str, took: list[tuple[float, float]], unit: str, what: str) -> Figure:
    """Return the figure at the largest size, with the others in the note."""
    others = ", ".join(f"{number(cost)} at {size:,.0f}" for size, cost in took[:-1])
    return Figure(name, took[-1][1], unit, f"at {took[-1][0]:,.0f} {what}; {others}", data=tuple(took))


def figures(quick: bool = False) -> Iterator[Figure]:
    yield from games_figures((2, 4) if quick else GAMES)
    yield from field_figures((4, 6) if quick else SIZES, 1 if quick else AIMS)


def draw(figures: list[Figure], drawing: Drawing) -> None:
    """Draw the cost of a unit over size, for each kind of work."""
    kinds = ("ms a game", "µs a cell")
    for axes, unit in zip(drawing.subplots(1, len(kinds)), kinds, strict=True):
        for figure in figures:
            if figure.unit == unit:
                axes.plot(*zip(*figure.data, strict=True), "o-", label=figure.name)
        axes.set_ylim(bottom=0)
        axes.set_ylabel(unit)
        if unit == "µs a cell":
            axes.set_xlabel("cells a side")
        else:
            axes.set_xscale("log")
            axes.xaxis.set_minor_formatter("")  # on a short axis the labels in between would overlap
            axes.set_xlabel("games")
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend()
