"""Textbook strategies for the classic fleet on 10x10, written without the project's own aiming, as a reference for it.

They are those of Nick Berry's "Battleship" (DataGenetics, 2011), with the rule that ships do not touch, which his game
lacks: the cells around a sunk ship are not shot at (except by the first one, which learns nothing).

random              any cell not shot at yet
hunt and target     at random until a hit, then the cells next to hits, until the ship is sunk
parity              the same, but the hunt keeps to one colour of the board while a ship of two decks or more is afloat
probability         every place of every ship afloat votes for its cells, and the cell with most votes is shot;
                    while a ship is hit and not sunk only places through hits vote, as many times as there are hits
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

SIZE = 10
CELLS = SIZE * SIZE

Ships = list[tuple[int, ...]]
"""A field: the cells of each of its ships. A cell is y * SIZE + x."""


class Sea:
    """A field that is shot at. left: the lengths afloat; closed: cells that need no shot, by the rules."""

    def __init__(self, ships: Ships):
        self._ship_at = {cell: set(ship) for ship in ships for cell in ship}
        self.left = sorted((len(ship) for ship in ships), reverse=True)
        self.shot: set[int] = set()
        self.closed: set[int] = set()
        self.wounds: list[int] = []
        """Hits of ships that are not sunk, in order."""

    def shoot(self, cell: int) -> None:
        assert cell not in self.shot
        self.shot.add(cell)
        self.closed.add(cell)
        ship = self._ship_at.get(cell)
        if ship is None:
            return
        self.wounds.append(cell)
        if ship <= self.shot:
            self.wounds = [hit for hit in self.wounds if hit not in ship]
            self.left.remove(len(ship))
            for deck in ship:
                self.closed.update(around(deck))


def around(cell: int) -> Iterator[int]:
    """Yield the cell and those that touch it."""
    for y in range(max(cell // SIZE - 1, 0), min(cell // SIZE + 2, SIZE)):
        for x in range(max(cell % SIZE - 1, 0), min(cell % SIZE + 2, SIZE)):
            yield y * SIZE + x


def beside(cell: int) -> list[int]:
    """Return the cells that share a side with it."""
    return [other for other in around(cell) if (other - cell) in (1, -1, SIZE, -SIZE)]


def play(ships: Ships, aim: Callable[[Sea, random.Random], int], chance: random.Random) -> int:
    """Return the number of shots until all ships are sunk."""
    sea = Sea(ships)
    while sea.left:
        sea.shoot(aim(sea, chance))
    return len(sea.shot)


def anywhere(sea: Sea, chance: random.Random) -> int:
    return chance.choice([cell for cell in range(CELLS) if cell not in sea.shot])


def target(sea: Sea) -> int:
    """Return a cell next to a hit, the latest hit first; -1 if no ship is wounded."""
    for hit in reversed(sea.wounds):
        for cell in beside(hit):
            if cell not in sea.closed:
                return cell
    return -1


def hunt(sea: Sea, chance: random.Random) -> int:
    cell = target(sea)
    return cell if cell >= 0 else chance.choice([cell for cell in range(CELLS) if cell not in sea.closed])


def parity(sea: Sea, chance: random.Random) -> int:
    cell = target(sea)
    if cell >= 0:
        return cell
    left = [cell for cell in range(CELLS) if cell not in sea.closed]
    if sea.left[0] > 1:
        left = [cell for cell in left if (cell // SIZE + cell) % 2 == 0] or left
    return chance.choice(left)


@functools.cache
def _places() -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    # Every place of a ship as a row that is 1 at its cells, and the length of each.
    rows = []
    for length in (1, 2, 3, 4):
        for step in (1, SIZE) if length > 1 else (1,):
            for cell in range(CELLS):
                last = cell + (length - 1) * step
                if last < CELLS and (step == SIZE or last // SIZE == cell // SIZE):
                    row = np.zeros(CELLS, dtype=np.float32)
                    row[cell : last + 1 : step] = 1
                    rows.append(row)
    places = np.array(rows)
    return places, places.sum(axis=1).astype(int)


def probability(sea: Sea, chance: random.Random) -> int:
    import numpy as np

    places, lengths = _places()
    wounds = np.zeros(CELLS, dtype=np.float32)
    wounds[sea.wounds] = 1
    water = np.zeros(CELLS, dtype=np.float32)
    water[list(sea.closed)] = 1
    water[sea.wounds] = 0
    ships = np.array([sea.left.count(length) for length in range(5)], dtype=np.float32)
    votes = np.where(places @ water == 0, ships[lengths], 0)
    if sea.wounds:
        through = places @ wounds
        votes = votes * np.where(through < lengths, through, 0)
    heat = votes @ places
    heat[list(sea.closed)] = -1
    best = np.flatnonzero(heat == heat.max())
    return int(best[chance.randrange(len(best))])


STRATEGIES: dict[str, Callable[[Sea, random.Random], int]] = {
    "random": anywhere,
    "hunt and target": hunt,
    "parity": parity,
    "probability": probability,
}
