"""States of a cell as a player sees it: shared by screens and positions."""

from __future__ import annotations

UNKNOWN, WATER, MISS, EMPTY, SHIP, HIT, SUNK = range(7)
"""States of a cell: not shot at, on the opponent's field; not shot at, on one's own; a miss; known to be empty because
an adjacent ship was sunk; a ship; a ship's cell that is hit; a cell of a sunk ship."""

NO_OWNER, OWNER_A, OWNER_B, OWNER_C = range(4)
"""Owner of a ship's cell: not given, where the field has one owner; else one of three players on one field."""
