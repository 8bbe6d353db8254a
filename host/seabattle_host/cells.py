"""What a cell of a field looks like to the one who sees it: the model that screens and positions share."""

from __future__ import annotations

UNKNOWN, WATER, MISS, EMPTY, SHIP, HIT, SUNK = range(7)
"""States of a cell: not shot at on a field that is hidden; the same on one's own; shot at, nothing there; known to be
empty since a ship beside it sank; a ship; a ship's cell that is hit; a cell of a sunk ship."""

NO_OWNER, OWNER_A, OWNER_B, OWNER_C = range(4)
"""Whose a ship's cell is: not said, where the field has one owner; else one of three players on one field."""
