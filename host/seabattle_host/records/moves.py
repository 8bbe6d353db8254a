"""The moves of a game, in a table that the archive and the club share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from seabattle_host.records.database import Database

RESULTS = ("miss", "hit", "sunk", "repeat")
"""Name of a shot's result, by its code in seabattle.field."""

TABLE = """
create table move (
    game integer not null references game (id) on delete cascade,
    number integer not null,        -- from 1
    player integer not null,        -- who shot: an index into the players of the game
    x integer not null,             -- column and row from 1
    y integer not null,
    result integer not null,        -- 0 miss, 1 hit, 2 sunk, 3 shot there before
    at real not null,               -- seconds since the game began
    primary key (game, number)
) without rowid
"""


@dataclass(frozen=True)
class Move:
    """A shot: the player, column x and row y (from 1), the result (index into RESULTS), the time (seconds)."""

    player: int
    x: int
    y: int
    result: int
    at: float = 0.0


def add(db: Database, game: int, number: int, move: Move) -> None:
    """Insert move `number` (from 1) of a game."""
    db.insert(
        "insert into move (game, number, player, x, y, result, at) values (?,?,?,?,?,?,?)",
        *(game, number, move.player, move.x, move.y, move.result, move.at),
    )


def of_game(db: Database, game: int) -> list[Move]:
    """Return the moves of one game, in order."""
    return [
        Move(*row) for row in db.rows("select player, x, y, result, at from move where game = ? order by number", game)
    ]


def of_all(db: Database) -> dict[int, list[Move]]:
    """Return the moves of all games, by game number."""
    games: dict[int, list[Move]] = {}
    for game, *move in db.rows("select game, player, x, y, result, at from move order by game, number"):
        games.setdefault(game, []).append(Move(*move))
    return games


def to_json(moves: Iterable[Move]) -> list[dict[str, object]]:
    """Return moves as plain data, for other programs."""
    return [
        {"player": move.player, "x": move.x, "y": move.y, "result": RESULTS[move.result], "at": round(move.at, 3)}
        for move in moves
    ]
