"""The fields as a player at the page sees them, as plain data: a mark per cell, row by row from the top.

own       ~ water, s ship, x hit, # sunk, o missed there, - known to be empty
theirs    . unknown, x hit, # sunk, o missed there, - known to be empty; s once the field was shown after the end
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from seabattle.field import OK, Field
from seabattle.player import Player
from seabattle_host import cells

_MARKS = {
    cells.UNKNOWN: ".",
    cells.WATER: "~",
    cells.MISS: "o",
    cells.EMPTY: "-",
    cells.SHIP: "s",
    cells.HIT: "x",
    cells.SUNK: "#",
}
_LENGTHS = (4, 3, 2, 1)

_T = TypeVar("_T")


class FieldCache:
    """Cached views of the player's own field, valid while nothing on it changes."""

    def __init__(self) -> None:
        self._values: dict[str, tuple[bytes, Any]] = {}

    def own(self, field: Field, count: int) -> str:
        """Return a mark for each cell. count: of the agreed parameters, which the field may not have adopted yet."""
        return self._cached("own", field, lambda: _marks(cells.own_state(field, cell) for cell in range(count)))

    def legal(self, field: Field) -> dict[str, str]:
        """Return where ships may be placed, as the function of this name; cached."""
        return self._cached("legal", field, lambda: legal(field))

    def _cached(self, what: str, field: Field, work: Callable[[], _T]) -> _T:
        fleet = field.fleet
        shape = bytes((field.width, fleet.width, *fleet.count, fleet.walls))
        state = shape + field.ship[: field.cells] + field.mark[: field.cells]
        cached = self._values.get(what)
        if cached is None or cached[0] != state:
            cached = self._values[what] = state, work()
        return cast("_T", cached[1])


def fields(player: Player, cached: FieldCache, decks: bytes = b"") -> dict[str, Any]:
    """Return both fields of a player whose parameters are agreed, and the remaining fleets.

    decks: the opponent's field by cell, if it was shown.
    """
    field, radar, fleet = player.field, player.radar, player.fleet
    size = fleet.width
    lengths = [length for length in _LENGTHS if fleet.count[length]]
    states = bytearray(cells.known_states(radar.cell[: size * size]))
    for cell, deck in enumerate(decks[: len(states)]):
        if deck and states[cell] in (cells.UNKNOWN, cells.EMPTY):
            states[cell] = cells.SHIP
    return {
        "size": size,
        "own": cached.own(field, size * size),
        "theirs": _marks(states),
        "fleet": {length: fleet.count[length] for length in lengths},
        "toPlace": {length: field.left(length) for length in lengths},
        "ownLeft": {length: field.afloat(length) for length in lengths},
        "theirLeft": {length: radar.afloat(length) for length in lengths},
        "wall": [field.along_wall, fleet.wall_max] if fleet.walls else None,
        "complete": field.complete(),
        "ownLast": at(player.its_last if player.its_shots else -1, size),
        "theirLast": at(player.my_last if player.my_shots else -1, size),
        "shots": [player.my_shots, player.its_shots],
    }


def at(cell: int, width: int) -> list[int] | None:
    """Return column and row of a cell, from 0; None if it is off the field."""
    return [cell % width, cell // width] if 0 <= cell < width * width else None


def legal(field: Field) -> dict[str, str]:
    """Return by length and direction, for each cell, whether a ship may be placed with its first deck there."""
    size = field.width
    return {
        f"{length}{direction}": "".join(
            "1" if field.can_place(cell % size, cell // size, length, direction == "v") == OK else "0"
            for cell in range(size * size)
        )
        for length in _LENGTHS
        if field.left(length)
        for direction in "hv"
    }


def _marks(states: Iterable[int]) -> str:
    return "".join(_MARKS[state] for state in states)


def ship_at(field: Field, cell: int) -> tuple[int, int, int, bool] | None:
    """Return column, row, length and whether it is vertical of the ship on a cell."""
    number, width = field.ship[cell], field.width
    if not number:
        return None
    cells = [c for c in range(field.cells) if field.ship[c] == number]
    return cells[0] % width, cells[0] // width, len(cells), len(cells) > 1 and cells[1] - cells[0] == width
