"""What the program draws by lot: in each run of a test the same, so that none passes or fails by chance.

Keys and tokens stay as random as they are. The full proof (tests.sizes) draws anew each time.
"""

from __future__ import annotations

import itertools
import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sizes import proof

_drawn = secrets.randbelow
_names: Iterator[str] = iter(())


def same(name: str) -> None:
    """Draw by lot what this name alone determines, from now on in this process. Without a name, draw anew."""
    secrets.randbelow = random.Random(name).randrange if name else _drawn  # type: ignore[assignment]


@contextmanager
def of_test(name: str) -> Iterator[None]:
    """Inside the block the lots of this process, and of the commands that it starts, are those of a test."""
    global _names
    if name := proof(name, ""):
        _names = (f"{name} {number}" for number in itertools.count(1))
        same(name)
    try:
        yield
    finally:
        same("")
        _names = iter(())


def of_command() -> str:
    """Return the name of the lots of the next command."""
    return next(_names, "")
