"""The games played on this computer, in an SQLite file in the user's data folder.

Every move is committed as it is made, so a crash, a killed program or a pulled cable loses nothing that was played:
such a game stays in the archive without a result. The file is in write-ahead mode, so that two programs may use it at
once; a commit survives a crash of the program at once and one of the computer after a moment.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.records import moves
from seabattle_host.records.database import Database
from seabattle_host.records.moves import RESULTS, Move
from seabattle_host.records.paths import archive_path

__all__ = ("RESULTS", "Archive", "Game", "Move", "open_archive")

SERIAL = "serial"
"""The kind of games over the protocol; games at one screen are `classic`, `salvo` and `melee`."""

WON, LOST, NO_RESULT, UNFINISHED = "won", "lost", "none", ""
"""Results of a game for player 0."""

Cell = tuple[int, int]
"""Column and row, from 1."""

Ship = list[Cell]

_FORMAT = 2
"""Format number of games as JSON."""

_GAME = """
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
"""


@dataclass
class Game:
    """A stored game. Player 0 is the one at this computer."""

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
    """`shots` or `surrender`; for a game without a result what broke it off, empty if unknown."""
    seconds: float | None = None
    details: dict[str, Any] = field(default_factory=dict)
    """Data of some kinds only. `people`: the number of human players, who come first. Classic: `rules`, the arguments
    of Rules.custom(). Melee: `order` of the turns, and after the end `places`, 1 for the winner.
    """
    number: int = 0
    """Its number in the archive, 0 before it is stored."""

    def shots(self, player: int) -> int:
        """Return the number of a player's shots."""
        return sum(move.player == player for move in self.moves)

    @property
    def finished(self) -> bool:
        """Return whether the game ended by the rules."""
        return self.result != UNFINISHED

    @property
    def length(self) -> float:
        """Return the duration in seconds; of an unfinished game up to its last move."""
        if self.seconds is not None:
            return self.seconds
        return self.moves[-1].at if self.moves else 0.0

    def to_json(self) -> dict[str, object]:
        """Return the game as plain data, for a file that other programs read."""
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
            "moves": moves.to_json(self.moves),
        }


class Archive:
    """The archive of games. Use it only in the thread that opened it."""

    def __init__(self, path: Path | None = None):
        """Open the archive, creating it if necessary. Raises UserError with the cause."""
        self.path = path or archive_path()
        self.damaged: list[int] = []
        """Numbers of unreadable games: they stay in the file unchanged."""
        self._db = Database(
            self.path,
            (_GAME, moves.TABLE),
            (lambda db: db.execute("alter table game add column details text not null default '{}'"),),
            failed=lambda file, reason: tr("archive_failed", file=file, reason=reason),
            newer=lambda file: tr("archive_newer", file=file),
        )

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        self._db.close()

    # Storing a game. Each call is a transaction, durable on return, and raises UserError if it fails.

    def begin(self, game: Game) -> None:
        """Store a game as unfinished, and assign its number."""
        game.number = self._db.insert(
            "insert into game (kind, started, role, players, width, height, fleet, ships, details)"
            " values (?,?,?,?,?,?,?,?,?)",
            game.kind,
            game.started.isoformat(),
            game.role,
            json.dumps(game.players, ensure_ascii=False),
            game.width,
            game.height,
            json.dumps(game.fleet),
            json.dumps(game.ships),
            json.dumps(game.details),
        )

    def add(self, game: Game, move: Move) -> None:
        """Append a move to a stored game, in the archive and then in `game`."""
        moves.add(self._db, game.number, len(game.moves) + 1, move)
        game.moves.append(move)

    def rename(self, game: Game, player: int, name: str) -> None:
        """Change a player's name."""
        game.players[player] = name
        names = json.dumps(game.players, ensure_ascii=False)
        self._db.change("update game set players = ? where id = ?", names, game.number)

    def reveal(self, game: Game) -> None:
        """Store the current ships and details of a game."""
        self._db.change(
            "update game set ships = ?, details = ? where id = ?",
            *(json.dumps(game.ships), json.dumps(game.details), game.number),
        )

    def end(self, game: Game, result: str, ending: str, seconds: float) -> None:
        """Store the end of a game, or that it was broken off (`result` UNFINISHED)."""
        game.result, game.ending = result, ending
        game.seconds = seconds if result != UNFINISHED else None
        self._db.change(
            "update game set result = ?, ending = ?, seconds = ? where id = ?",
            *(result, ending, game.seconds, game.number),
        )

    # Reading games

    def games(self) -> list[Game]:
        """Return all games with their moves, oldest first; unreadable ones are listed in `damaged`.

        Raises UserError.
        """
        made = moves.of_all(self._db)
        found = []
        self.damaged = []
        for row in self._db.rows(f"select {_COLUMNS} from game order by id"):
            try:
                found.append(_game(row, made.get(row[0], [])))
            except _NO_GAME:
                self.damaged.append(row[0])
        return found

    def game(self, number: int) -> Game:
        """Return one game. Raises UserError if there is none with that number."""
        row = self._db.row(f"select {_COLUMNS} from game where id = ?", number)
        if row is None:
            (last,) = self._db.row("select max(id) from game") or (None,)
            raise UserError(tr("play_no_such_game", number=number, last=last) if last else tr("play_no_games"))
        try:
            return _game(row, moves.of_game(self._db, number))
        except _NO_GAME:
            raise UserError(tr("archive_damaged", number=number, file=self.path)) from None


_COLUMNS = "id, kind, started, role, players, width, height, fleet, ships, result, ending, seconds, details"


_NO_GAME = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""Errors caused by a row that was edited."""

_KINDS = (SERIAL, "classic", "salvo", "melee")
_SIZE_MOST = 26


def _game(row: tuple[Any, ...], made: list[Move]) -> Game:
    """Parse a row into a game, with its moves. Raises one of _NO_GAME if the program does not write such a row."""
    number, kind, started, role, players, width, height, fleet, ships, result, ending, seconds, details = row
    game = Game(
        number=number,
        moves=made,
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
    if not _is_sound(game):
        raise ValueError(number)
    return game


def _is_sound(game: Game) -> bool:
    texts = [game.role, game.result, game.ending, *game.players]
    lengths = [game.length, *(move.at for move in game.moves)]
    shot_at = [(move.x, move.y) for move in game.moves]
    standing = [cell for own in game.ships for ship in own or () for cell in ship]
    return (
        game.kind in _KINDS
        and game.result in (WON, LOST, NO_RESULT, UNFINISHED)
        and isinstance(game.players, list)
        and len(game.players) == (3 if game.kind == "melee" else 2)
        and all(isinstance(text, str) for text in texts)
        and not set("{}") & set(game.role + game.ending)  # they become keys of messages
        and all(isinstance(length, (int, float)) for length in lengths)
        and all(type(size) is int and 0 < size <= _SIZE_MOST for size in (game.width, game.height))
        and all(type(count) is int and 0 <= count <= _SIZE_MOST**2 for count in game.fleet.values())
        and bool(game.fleet)
        and all(x in range(1, game.width + 1) and y in range(1, game.height + 1) for x, y in (*shot_at, *standing))
        and all(move.player in range(len(game.players)) and move.result in range(len(RESULTS)) for move in game.moves)
        and isinstance(game.details, dict)
        and _are_sound(game.details, len(game.players))
    )


def _are_sound(details: dict[str, Any], players: int) -> bool:
    everybody = list(range(players))
    places = details.get("places") or [1, 2, 3]
    return (
        type(details.get("people", 0)) is int
        and sorted(details.get("order", everybody)) == everybody
        and {1, 2} <= set(places)
        and all(player in everybody and type(after) is int for player, after in details.get("left", ()))
    )


def open_archive() -> tuple[Archive | None, str]:
    """Return the archive of games, or None and why there is none: the game works without."""
    try:
        return Archive(), ""
    except UserError as error:
        return None, str(error)
