"""The position of a serial game after some of its moves, computed by the same rules as the game itself.

The screens of a running game and of an archived one draw the same thing: a `Position` fed with moves. It is separate
from the Player at the line, so that drawing never waits for the line nor the line for drawing.
"""

from __future__ import annotations

from collections.abc import Iterable

from seabattle.field import Field
from seabattle.fleet import MAX_LENGTH, OK, Fleet, check
from seabattle.radar import Radar
from seabattle_host import cells
from seabattle_host.records.archive import Game, Move, Ship

ME, PEER = 0, 1

LENGTHS = (4, 3, 2, 1)
"""Ship lengths of the protocol, in the order of its counts."""


def fleet_of(size: int, counts: Iterable[int]) -> Fleet:
    """Return the fleet of a game over the protocol; with the lenient wall rule only if nothing else is possible."""
    n4, n3, n2, n1 = counts
    fleet = Fleet()
    fleet.protocol(size, n4, n3, n2, n1, check(size, n4, n3, n2, n1) != OK)
    return fleet


class Position:
    """The fields of a two-player game. Cells are `y * width + x` from 0."""

    def __init__(self, game: Game, moves: Iterable[Move] = ()):
        """game: its parameters and ships are used, but not its moves, only the given ones."""
        self.game = game
        self.width, self.height = game.width, game.height
        self.fleet = fleet_of(game.width, (game.fleet.get(length, 0) for length in LENGTHS))
        self.field = Field(self.width * self.height)
        self.field.reset(self.fleet)
        ships = game.ships[ME] if game.ships else None
        for ship in ships or ():
            self.field.place(*placement(ship))
        self.radar = Radar(self.width * self.height)
        self.radar.reset(self.fleet)
        self.last: dict[int, Move] = {}
        """The last move of each player."""
        self.shots = [0, 0]
        for move in moves:
            self.apply(move)

    def cell(self, move: Move) -> int:
        """Return the cell of a move."""
        return (move.y - 1) * self.width + move.x - 1

    def apply(self, move: Move) -> None:
        """Apply a move of either player."""
        cell = self.cell(move)
        if move.player == ME:
            self.radar.answer(cell, move.result)
        else:
            self.field.shoot(cell)
        self.last[move.player] = move
        self.shots[move.player] += 1

    def last_cell(self, player: int) -> set[int]:
        """Return the cell of a player's last shot, as a set of one or none."""
        return {self.cell(self.last[player])} if player in self.last else set()

    def mine(self) -> bytearray:
        """Return the looks of my own field."""
        return bytearray(cells.own_state(self.field, cell) for cell in range(self.width * self.height))

    def theirs(self) -> bytearray:
        """Return the looks of the opponent's field, as far as known; if it was shown, with all its ships."""
        states = bytearray(cells.known_states(self.radar.cell[: self.width * self.height]))
        for ship in (self.game.ships[PEER] if len(self.game.ships) > PEER else None) or ():
            for x, y in ship:
                cell = (y - 1) * self.width + x - 1
                if states[cell] in (cells.UNKNOWN, cells.EMPTY):
                    states[cell] = cells.SHIP
        return states

    def left(self, player: int) -> dict[int, int]:
        """Return length -> ships of that length that a player still has afloat, for the lengths of the fleet."""
        side = self.field if player == ME else self.radar
        return {length: side.afloat(length) for length in range(MAX_LENGTH, 0, -1) if self.fleet.count[length]}


def placement(ship: Ship) -> tuple[int, int, int, bool]:
    """Return x, y (from 0), length and whether it is vertical, for a straight ship given by its cells."""
    xs, ys = [x for x, _ in ship], [y for _, y in ship]
    return min(xs) - 1, min(ys) - 1, len(ship), len(set(xs)) == 1 and len(ship) > 1


def ships_of(field: Field, width: int) -> list[Ship]:
    """Return the ships of a field, each by its cells from 1."""
    ships: dict[int, Ship] = {}
    for cell, number in enumerate(field.ship):
        if number:
            ships.setdefault(number, []).append((cell % width + 1, cell // width + 1))
    return [ships[number] for number in sorted(ships)]
