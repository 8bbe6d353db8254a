"""Plots the results of a simulation: how many shots a player of each level needs, and how long games are."""

from __future__ import annotations

import importlib.util
import io
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.player.parameters import level_name
from seabattle_host.simulation.sim import Spec, Tally
from seabattle_host.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS = (".png", ".svg")
# Blue and orange, distinguishable with any colour vision; the second is also hatched.
_COLOURS = ("#0072b2", "#e69f00")


def check(path: Path) -> None:
    """Raise UserError if no picture can be drawn to `path`, before any game is played."""
    if path.suffix not in ENDINGS:
        raise UserError(tr("bad_plot", path=path))
    if not path.parent.is_dir():
        raise UserError(tr("no_folder", path=path.parent))
    if importlib.util.find_spec("matplotlib") is None:
        raise UserError(tr("no_matplotlib"))


def draw(spec: Spec, tally: Tally, path: Path) -> None:
    """Write the picture; raise UserError if the file cannot be written."""
    import logging

    # Suppress its warning about a home directory it cannot write to, which does not affect the picture.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (shots, length) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for player, counts in enumerate(tally.shots_to_win):
        if not counts:
            continue
        name = f"{'AB'[player]}: {level_name(spec.levels[player])}"
        _bars(shots, counts, name, _COLOURS[player], "//" if player else None)
    shots.set_xlabel(tr("plot_shots"))
    shots.set_ylabel(tr("plot_games"))
    shots.legend()
    _bars(length, tally.ticks, "", _COLOURS[0], None)
    length.set_xlabel(tr("plot_ticks"))
    figure.suptitle(tr("sim_head", games=tally.games, parameters=spec.parameters, seed=spec.seed))
    try:
        drawn = io.BytesIO()
        figure.savefig(drawn, format=path.suffix[1:].lower())
        write_whole(path, drawn.getvalue())
    except OSError as e:
        raise UserError(tr("cannot_write", path=path, why=why(e))) from e
    finally:
        pyplot.close(figure)


def _bars(axes: Axes, counts: Counter[int], label: str, colour: str, hatch: str | None) -> None:
    values = sorted(counts)
    width = max(1, (values[-1] - values[0]) // 40 + 1)
    bins: Counter[int] = Counter()
    for value, times in counts.items():
        bins[value // width * width] += times
    axes.bar(
        [b + width / 2 for b in bins],
        list(bins.values()),
        width=width,
        label=label or None,
        color=colour,
        alpha=0.6,
        hatch=hatch,
        edgecolor="white",
    )
