"""Figures about the project: `python -m tests.bench`, or `make bench`.

Each module `bench_*.py` here has a function `figures(quick)` that yields Figures; with `quick` they are computed from
the smallest numbers that still run all of it, and mean nothing. The first line of the module's docstring is
the heading they are printed under, and the rest says how to read them. If a drawing shows more than a table, the
module has a function `draw(figures, axes)` for it. A module needs no other, and its failure stops no other.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_SURE = statistics.NormalDist().inv_cdf(0.975)


class Figure(NamedTuple):
    """One measured number; `note` says what it was measured on, if the heading does not."""

    name: str
    value: float
    unit: str
    note: str = ""
    error: float = 0.0
    """Half of the 95 % confidence interval; 0 if none is given."""
    data: tuple[tuple[float, float], ...] = ()
    """Points behind the figure, for the drawing."""


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, and half of its 95 % confidence interval (0 for a single value)."""
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    return statistics.fmean(values), _SURE * error


def number(value: float) -> str:
    """Format a whole number unchanged, any other with four significant digits at least."""
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def spread(values: Sequence[float]) -> str:
    """Format the range from least to largest."""
    return f"{number(min(values))} to {number(max(values))}"


def resident(process: int | str = "self") -> int:
    """Return a process's resident kilobytes; 0 where the system does not report them."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


CLOCK = """\
import time
if hasattr(time, "ticks_us"):
    now, since = time.ticks_us, lambda t: time.ticks_diff(time.ticks_us(), t)
else:
    now, since = time.perf_counter, lambda t: int((time.perf_counter() - t) * 1e6)
"""
"""Measures microseconds in a script, on any interpreter."""


def everywhere(text: str) -> Iterator[tuple[str, str]]:
    """Yield each interpreter's name and the output of a script there, with CLOCK before it. `BITS` in it is 32 on the
    32-bit MicroPython, which collects no garbage, and 64 elsewhere.
    """
    from tests.micropython.interpreters import INTERPRETERS, PATH

    text = CLOCK + text
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "measured.py")
        script.write_text(text.replace("BITS", "64"), encoding="utf-8")
        here = f"import sys; sys.path[:0] = {[*map(str, PATH)]!r}; exec(open({str(script)!r}).read())"
        done = subprocess.run([sys.executable, "-c", here], check=True, capture_output=True, text=True)
        yield "CPython", done.stdout
        for interpreter in INTERPRETERS:
            script.write_text(text.replace("BITS", str(interpreter.bits)), encoding="utf-8")
            result = interpreter.run(script, deadline=3600)
            if result.status:
                raise RuntimeError(result.output)
            yield f"{interpreter} MicroPython", result.stdout
