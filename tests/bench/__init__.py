"""Figures about the project: `python -m tests.bench`, or `make bench`.

Each module `bench_*.py` here has a function `figures()` that yields Figures; the first line of its docstring is the
heading they are printed under. A module needs no other, and its failure stops no other.
"""

from __future__ import annotations

from typing import NamedTuple


class Figure(NamedTuple):
    """One measured number; `note` says what it was measured on, where the heading does not."""

    name: str
    value: float
    unit: str
    note: str = ""
