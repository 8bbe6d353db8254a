"""Locations of the sources for a board: in the checkout that this package runs from, or in the installed wheel.

All three folders hold plain `.py` files as a board wants them, and possibly Python's own caches.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

_FOLDERS = ("common", "firmware", "boards")


def common() -> Path:
    """Return the folder that becomes `/lib` on a board: it holds the shared package `seabattle`."""
    return _root() / "common"


def firmware() -> Path:
    """Return the folder with `main.py` and the package that it starts."""
    return _root() / "firmware"


def boards() -> Path:
    """Return the folder that holds one folder for each board."""
    return _root() / "boards"


@cache
def _root() -> Path:
    here = Path(__file__).resolve().parent
    for root in (here.parents[1], here / "_assets"):
        if all((root / name).is_dir() for name in _FOLDERS):
            return root
    raise UserError(tr("assets_missing", folder=here))
