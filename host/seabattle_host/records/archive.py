"""Games that were played on this computer, kept in an SQLite file in the user's data folder.

Every move is committed as it is made, so that a crash, a killed program or a pulled cable loses nothing that was
played: such a game stays in the archive without a result. The file is in write-ahead mode, so that two programs may
use it at once; a commit survives the death of the program at once and that of the computer after a moment.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import platformdirs

from seabattle_host.errors import UserError
from seabattle_host.language import system_phrases
from seabattle_host.language.phrases import say

try:
    import sqlite3
except ModuleNotFoundError:
    # a Python that was built without it plays all the same, and keeps no games
    sqlite3 = None  # type: ignore[assignment]

SERIAL = "serial"
"""The kind of a game over the protocol; the games at one screen are `classic`, `salvo` and `melee`."""

RESULTS = ("miss", "hit", "sunk", "repeat")
"""A shot's result by its code in seabattle.field."""

WON, LOST, NO_RESULT, UNFINISHED = "won", "lost", "none", ""
"""How a game ended for the player 0."""

Cell = tuple[int, int]
"""Column and row, from 1."""

Ship = list[Cell]

_FORMAT = 2
_WAIT_SECONDS = 5.0

_SCHEMA = (
    """
create table game (
    id integer primary key,
    kind text not null,
    started text not null,          -- UTC, ISO 8601
    role text not null,             -- master, slave, or empty
    players text not null,          -- JSON: names, the person at this computer first
    width integer not null,
    height integer not null,
    fleet text not null,            -- JSON: length of a ship -> number of ships
    ships text not null,            -- JSON: by player a list of ships, each a list of [x, y]; null where unknown
    result text not null default '',
    ending text not null default '',
    seconds real,                   -- length of the game; null while it is not finished
    details text not null default '{}'  -- JSON: what only some kinds of games have
)
""",
    """
create table move (
    game integer not null references game (id) on delete cascade,
    number integer not null,        -- from 1
    player integer not null,        -- who shot, as in players
    x integer not null,
    y integer not null,
    result integer not null,        -- 0 miss, 1 hit, 2 sunk, 3 shot there before
    at real not null,               -- seconds since the battle began
    primary key (game, number)
) without rowid
""",
)


_NEWER = ("alter table game add column details text not null default '{}'",)
"""What makes an archive of format 1 one of format 2."""


@dataclass(frozen=True)
class Move:
    """A shot: by which player, at column x and row y (from 1), its result (index into RESULTS), when (seconds)."""

    player: int
    x: int
    y: int
    result: int
    at: float = 0.0


@dataclass
class Game:
    """A game as it is kept. Player 0 is the person at this computer."""

    players: list[str]
    width: int
    height: int
    fleet: dict[int, int]
    kind: str = SERIAL
    role: str = ""
    started: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    ships: list[list[Ship] | None] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    result: str = UNFINISHED
    ending: str = ""
    """`shots` or `surrender`; for a game without a result what broke it off, empty if that is not known."""
    seconds: float | None = None
    details: dict[str, Any] = field(default_factory=dict)
    """What only some kinds have. `people`: how many of the players, the first ones, are people. Classic: `rules`, what
    Rules.custom() takes. Melee: `order` of the turns, and after the end `places`, 1 for the winner."""
    number: int = 0
    """Its number in the archive, 0 before it is there."""

    def shots(self, player: int) -> int:
        """How often a player has shot."""
        return sum(move.player == player for move in self.moves)

    @property
    def finished(self) -> bool:
        """Whether the game came to its end by the rules."""
        return self.result != UNFINISHED

    @property
    def length(self) -> float:
        """Seconds that the game took; of an unfinished one up to its last move."""
        if self.seconds is not None:
            return self.seconds
        return self.moves[-1].at if self.moves else 0.0

    def to_json(self) -> dict[str, object]:
        """The game as plain data, for a file that other programs read."""
        return {
            "format": _FORMAT,
            "number": self.number,
            "kind": self.kind,
            "started": self.started.isoformat(),
            "seconds": round(self.length, 3),
            "players": self.players,
            "role": self.role,
            "width": self.width,
            "height": self.height,
            "fleet": {str(length): count for length, count in self.fleet.items()},
            "ships": self.ships,
            "result": self.result or "unfinished",
            "ending": self.ending,
            "details": self.details,
            "moves": [
                {
                    "player": move.player,
                    "x": move.x,
                    "y": move.y,
                    "result": RESULTS[move.result],
                    "at": round(move.at, 3),
                }
                for move in self.moves
            ],
        }


def default_path() -> Path:
    """Where the games of this user are kept."""
    return Path(platformdirs.user_data_dir("seabattle", appauthor=False)) / "games.sqlite"


class Archive:
    """The file of games. Belongs to the thread that opens it."""

    def __init__(self, path: Path | None = None):
        """Open the archive, and make it if there is none. Raises UserError with the cause."""
        self.path = path or default_path()
        if sqlite3 is None:
            raise UserError(system_phrases.python_incomplete("_sqlite3"))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._problem(error) from error
        try:
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            self._db.execute("pragma foreign_keys = on")
            with self._transaction():
                version = self._db.execute("pragma user_version").fetchone()[0]
                if version == 0:
                    for statement in _SCHEMA:
                        self._db.execute(statement)
                elif version < _FORMAT:
                    for statement in _NEWER:
                        self._db.execute(statement)
                if version < _FORMAT:
                    self._db.execute(f"pragma user_version = {_FORMAT}")
        except sqlite3.Error as error:
            self._db.close()
            raise self._problem(error) from error
        if version > _FORMAT:
            self._db.close()
            raise UserError(say("archive_newer", file=self.path))

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        self._db.close()

    # Keeping a game. Each of these is on its own and lasting when it returns; each raises UserError if it fails.

    def begin(self, game: Game) -> None:
        """Put a game into the archive as unfinished; gives it its number."""
        with self._writing():
            cursor = self._db.execute(
                "insert into game (kind, started, role, players, width, height, fleet, ships, details)"
                " values (?,?,?,?,?,?,?,?,?)",
                (
                    game.kind,
                    game.started.isoformat(),
                    game.role,
                    json.dumps(game.players, ensure_ascii=False),
                    game.width,
                    game.height,
                    json.dumps(game.fleet),
                    json.dumps(game.ships),
                    json.dumps(game.details),
                ),
            )
            game.number = cursor.lastrowid or 0

    def add(self, game: Game, move: Move) -> None:
        """Add a move to a game that has begun, in the archive and then in `game`."""
        with self._writing():
            self._db.execute(
                "insert into move values (?,?,?,?,?,?,?)",
                (game.number, len(game.moves) + 1, move.player, move.x, move.y, move.result, move.at),
            )
        game.moves.append(move)

    def rename(self, game: Game, player: int, name: str) -> None:
        """A player has another name from now on."""
        game.players[player] = name
        with self._writing():
            self._db.execute(
                "update game set players = ? where id = ?",
                (json.dumps(game.players, ensure_ascii=False), game.number),
            )

    def reveal(self, game: Game) -> None:
        """Keep the ships and the details of a game as they are now."""
        with self._writing():
            self._db.execute(
                "update game set ships = ?, details = ? where id = ?",
                (json.dumps(game.ships), json.dumps(game.details), game.number),
            )

    def end(self, game: Game, result: str, ending: str, seconds: float) -> None:
        """The game has ended, or was broken off (`result` UNFINISHED)."""
        game.result, game.ending = result, ending
        game.seconds = seconds if result != UNFINISHED else None
        with self._writing():
            self._db.execute(
                "update game set result = ?, ending = ?, seconds = ? where id = ?",
                (result, ending, game.seconds, game.number),
            )

    # Looking at games.

    def games(self) -> list[Game]:
        """All games with their moves, oldest first. Raises UserError."""
        with self._reading():
            rows = self._db.execute(f"select {_COLUMNS} from game order by id").fetchall()
            moves = self._db.execute("select game, player, x, y, result, at from move order by game, number").fetchall()
        games = {row[0]: _game(row) for row in rows}
        for number, *move in moves:
            games[number].moves.append(Move(*move))
        return list(games.values())

    def game(self, number: int) -> Game:
        """One game. Raises UserError if there is none of that number."""
        with self._reading():
            row = self._db.execute(f"select {_COLUMNS} from game where id = ?", (number,)).fetchone()
            if row is None:
                last = self._db.execute("select max(id) from game").fetchone()[0]
                raise UserError(say("no_such_game", number=number, last=last) if last else say("no_games"))
            moves = self._db.execute(
                "select player, x, y, result, at from move where game = ? order by number", (number,)
            ).fetchall()
        game = _game(row)
        game.moves = [Move(*move) for move in moves]
        return game

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        self._db.execute("commit")

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self._transaction():
                yield
        except sqlite3.Error as error:
            raise self._problem(error) from error

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def _problem(self, error: Exception) -> UserError:
        return UserError(say("archive_failed", file=self.path, reason=getattr(error, "strerror", None) or error))


_COLUMNS = "id, kind, started, role, players, width, height, fleet, ships, result, ending, seconds, details"


def _game(row: tuple) -> Game:
    number, kind, started, role, players, width, height, fleet, ships, result, ending, seconds, details = row
    return Game(
        number=number,
        kind=kind,
        started=datetime.fromisoformat(started),
        role=role,
        players=json.loads(players),
        width=width,
        height=height,
        fleet={int(length): count for length, count in json.loads(fleet).items()},
        ships=[own and [[(x, y) for x, y in ship] for ship in own] for own in json.loads(ships)],
        result=result,
        ending=ending,
        seconds=seconds,
        details=json.loads(details),
    )


def open_archive() -> tuple[Archive | None, str]:
    """The archive of games, or None and why there is none: a game can be played without."""
    try:
        return Archive(), ""
    except UserError as error:
        return None, str(error)
