"""Cost as the work grows: the time for a unit of work, which should stay the same.

Games of `seabattle sim` by the wall clock, in one process and in two: the more games, the less the start of the
processes matters. Aiming, in processor time for each cell of the field, from 4x4 to 26x26, with ships on a fifth of the
cells as in the classic game. Captures read by `seabattle decode --check`, in processor time for each byte of the line:
one game after another, in three of the formats.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from seabattle import wire
from seabattle.field import Field
from seabattle.fleet import Fleet
from seabattle.gunner import DENSITY, SHARP, Gunner
from seabattle.radar import Radar
from seabattle.rng import Rng
from seabattle_host import cli
from seabattle_host.player.parameters import Parameters
from seabattle_host.simulation import sim
from seabattle_host.simulation.engine import BYTE_US
from seabattle_host.sniff.capture import Chunk, Header
from seabattle_host.sniff.form_writers import FORMS
from seabattle_host.sniff.session import Session
from tests.bench import Figure, number

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

GAMES = (20, 100, 500)
SIZES = (4, 6, 8, 10, 13, 16, 20, 26)
BYTES = (1000, 10_000, 100_000, 1_000_000)

AIMS = 600
"""Aims of one size of field, at least."""

PAUSE_US = 2_000_000
"""Between two games of a capture."""


def games_figures(counts: tuple[int, ...]) -> Iterator[Figure]:
    """Games of a simulation."""
    spec = sim.Spec(Parameters(), (DENSITY, DENSITY), 1)
    sim.play_chunk(spec, 0, 1)  # what only the first game pays for
    for jobs in (1, 2):
        took = []
        for count in counts:
            began = time.perf_counter()
            if sum(len(games) for games in sim.play_all(spec, count, jobs)) != count:
                raise AssertionError("games are missing")
            took.append((float(count), 1000 * (time.perf_counter() - began) / count))
        yield grown(f"sim --jobs {jobs}", took, "ms a game", "games")


def fleet_for(size: int) -> Fleet:
    """A square field with ships on a fifth of its cells, in the proportions of the classic fleet."""
    parts = size * size / 100
    fleet = Fleet()
    fleet.custom(size, size, 0, *(max(n > 1, round(n * parts)) for n in (1, 2, 3, 4)), False, False)
    return fleet


def aim_seconds(size: int, level: int, least: int) -> float:
    """Seconds of an aim on a field of this size, over whole games."""
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
    """Aims on larger and larger fields."""
    for name, level in (("density", DENSITY), ("sharp", SHARP)):
        took = [(float(size), 1e6 * aim_seconds(size, level, aims) / size**2) for size in sizes]
        yield grown(f"an aim of {name}", took, "µs a cell", "cells a side")


def heard(games: int) -> list[Chunk]:
    """Games between two bots with a goodbye after each, as somebody in the middle of the line hears them."""
    chunks: list[Chunk] = []
    start = 0

    class Ear:
        def feed(self, side: int, byte: int) -> None:
            chunks.append(Chunk(start + simulation.now, side, bytes((byte,))))

        def tick(self) -> None:
            pass

    spec = sim.Spec(Parameters(), (DENSITY, DENSITY), 1)
    for index in range(games):
        simulation = sim.make_simulation(spec, index, Ear())
        simulation.run(10**10)
        end = start + simulation.now
        chunks.append(Chunk(end + BYTE_US, 0, bytes((wire.GOODBYE,))))
        chunks.append(Chunk(end + 2 * BYTE_US, 1, bytes((wire.exchange(wire.GOODBYE)[wire.REPLY],))))
        start = end + PAUSE_US
    return chunks


def capture(played: list[Chunk], size: int) -> list[Chunk]:
    """So many bytes of it, over and over."""
    lap = played[-1].at + PAUSE_US
    laps = (
        (Chunk(chunk.at + number * lap, chunk.side, chunk.data) for chunk in played) for number in itertools.count()
    )
    return list(itertools.islice(itertools.chain.from_iterable(laps), size))


def write(chunks: list[Chunk], folder: Path) -> dict[str, list[str]]:
    """Write a capture in all forms; by form, the names of its files."""
    files = {"raw": [str(folder / f"raw.{side}") for side in "ab"]}
    for side, name in enumerate(files["raw"]):
        Path(name).write_bytes(b"".join(chunk.data for chunk in chunks if chunk.side == side))
    forms = {form: FORMS[form]() for form in ("json", "pcapng")}
    parts = {form: [kept.head(Header())] for form, kept in forms.items()}
    for record in Session().run(chunks):
        for form, kept in forms.items():
            parts[form].append(kept.record(record))
    for form, content in parts.items():
        files[form] = [str(folder / form)]
        Path(files[form][0]).write_bytes(b"".join(content))
    return files


def decode_seconds(files: list[str], form: str) -> float:
    """Seconds of `seabattle decode --check`."""
    began = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()) as out:
        status = cli.main(["decode", "--check", "--lang", "en", "--format", form, *files])
    if status:
        raise AssertionError(f"a sound capture was called broken: {out.getvalue().strip().splitlines()[-1]}")
    return time.process_time() - began


def capture_figures(sizes: tuple[int, ...]) -> Iterator[Figure]:
    """Captures of more and more bytes."""
    played = heard(2 if sizes[-1] <= 2000 else 30)
    took: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for form, files in write(capture(played, sizes[0]), Path(folder)).items():
            decode_seconds(files, form)  # what only the first file pays for
        for size in sizes:
            for form, files in write(capture(played, size), Path(folder)).items():
                took.setdefault(form, []).append((float(size), 1e6 * decode_seconds(files, form) / size))
    for form, costs in took.items():
        yield grown(f"decode of {form}", costs, "µs a byte", "bytes")


def grown(name: str, took: list[tuple[float, float]], unit: str, what: str) -> Figure:
    """The figure at the largest size, with those at the others in the note."""
    others = ", ".join(f"{number(cost)} at {size:,.0f}" for size, cost in took[:-1])
    return Figure(name, took[-1][1], unit, f"at {took[-1][0]:,.0f} {what}; {others}", data=tuple(took))


def figures(quick: bool = False) -> Iterator[Figure]:
    yield from games_figures((2, 4) if quick else GAMES)
    yield from field_figures((4, 6) if quick else SIZES, 1 if quick else AIMS)
    yield from capture_figures((200, 400) if quick else BYTES)


def draw(figures: list[Figure], drawing: Drawing) -> None:
    """Cost of a unit over size, for each kind of work."""
    kinds = ("ms a game", "µs a cell", "µs a byte")
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
            axes.xaxis.set_minor_formatter("")  # on a short axis the labels between would lie over each other
            axes.set_xlabel("games" if unit == "ms a game" else "bytes")
        axes.grid(alpha=0.3)
        if axes.lines:
            axes.legend()
