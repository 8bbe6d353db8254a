"""States of a cell as a player sees it, for everything that shows a field: screens, pages, text and pictures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from seabattle import radar
from seabattle.field import SHOT

if TYPE_CHECKING:
    from seabattle.field import Field
    from seabattle.variants import VariantField

UNKNOWN, WATER, MISS, EMPTY, SHIP, HIT, SUNK = range(7)
"""States of a cell: not shot at, on the opponent's field; not shot at, on one's own; a miss; known to be empty because
an adjacent ship was sunk; a ship; a ship's cell that is hit; a cell of a sunk ship."""

NO_OWNER, OWNER_A, OWNER_B, OWNER_C = range(4)
"""Owner of a ship's cell: not given, where the field has one owner; else one of three players on one field."""

_KNOWN = {radar.MISS: MISS, radar.EMPTY: EMPTY, radar.HIT: HIT, radar.SUNK: SUNK}
_STATES = bytes(_KNOWN.get(state, UNKNOWN) for state in range(256))


def own_state(field: Field | VariantField, cell: int) -> int:
    """Return the state of a cell for the owner of the field."""
    if field.ship[cell]:
        return SUNK if field.is_sunk(cell) else HIT if field.is_hit(cell) else SHIP
    mark = field.mark[cell]
    return MISS if mark & SHOT else EMPTY if mark else WATER


def known_states(cells: Iterable[int]) -> bytes:
    """Return the states of the opponent's cells, from those of a radar."""
    return bytes(cells).translate(_STATES)
