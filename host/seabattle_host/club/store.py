"""Players, games, moves and captures in one SQLite file.

The file is in write-ahead mode. A write is in it, and safe from the death of this program, when the call returns; the
club waits for that before a player learns of a move. The log is folded into the file by a thread, so that no player
waits for the disk.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

import platformdirs

from seabattle_host.club.names import looks
from seabattle_host.errors import UserError
from seabattle_host.language.club_phrases import say

PLACING, BATTLE, FINISHED = "placing", "battle", "finished"
"""Stages of a game."""

RESULTS = ("miss", "hit", "sunk", "repeat")
"""A shot's result by its code in seabattle.field."""

_FORMAT = 2
_WAIT_SECONDS = 5.0
_FOLD_SECONDS = 20.0
_FOLD_PAGES = 100_000
"""Pages of the log at which a write folds it itself, should the thread not come to it."""

_SCHEMA = """
create table player (
    id integer primary key,
    name text not null,
    lookup text not null,           -- the name in a form in which equal names are equal
    looks text not null default '', -- and in one in which names that can be taken for one another are equal
    kind text not null,             -- person, guest, computer
    pin blob,                       -- salt and hash; null: not claimed
    since text not null             -- UTC, ISO 8601
);
create unique index player_lookup on player (lookup) where kind != 'guest';
create table game (
    id integer primary key,
    master integer not null references player (id),
    slave integer not null references player (id),
    started text not null,          -- UTC, ISO 8601
    stage text not null,            -- placing, battle, finished
    size integer,                   -- cells a side; null before the parameters are known
    fleet text,                     -- JSON: ships of 4, 3, 2 and 1 decks
    battle integer not null,        -- 1: the battle was reached
    winner integer references player (id),
    ending text not null default '',
    ended text,                     -- UTC, ISO 8601
    rated integer not null default 0  -- 1: it moves the ratings
);
create index game_master on game (master);
create index game_slave on game (slave);
create table move (
    game integer not null references game (id),
    number integer not null,        -- from 1
    player integer not null,        -- who shot: 0 the master, 1 the slave
    x integer not null,             -- column and row from 1
    y integer not null,
    result integer not null,        -- 0 miss, 1 hit, 2 sunk, 3 shot there before
    at real not null,               -- seconds since the game was started
    primary key (game, number)
) without rowid;
create table capture (
    game integer not null references game (id),
    part integer not null,
    data blob not null,             -- pieces: microseconds since the epoch (8 bytes), side, length (2 bytes), bytes
    primary key (game, part)
);
"""

_PIECE = struct.Struct("<QBH")


@dataclass(frozen=True)
class Member:
    """A player of the club. kind: person, guest (a name that is somebody else's at the moment) or computer."""

    id: int
    name: str
    kind: str = "person"
    claimed: bool = False

    @property
    def shown(self) -> str:
        """The name, told apart from others of the same name."""
        return f"{self.name}#{self.id}" if self.kind == "guest" else self.name


@dataclass(frozen=True)
class Move:
    """A shot. player: 0 the master, 1 the slave; x, y from 1; result: index into RESULTS; at: seconds."""

    player: int
    x: int
    y: int
    result: int
    at: float


@dataclass
class Game:
    """A game of the club. Players are in the order master, slave."""

    players: tuple[Member, Member]
    id: int = 0
    started: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    stage: str = PLACING
    size: int = 0
    """Cells a side; 0 before the parameters are known."""
    fleet: tuple[int, ...] = ()
    battle: bool = False
    """The battle was reached."""
    winner: int | None = None
    """Index into `players`."""
    ending: str = ""
    """How it ended, a key of phrases.ENDINGS; empty while it goes on."""
    ended: datetime | None = None
    rated: bool = False
    """It moves the ratings."""
    moves: list[Move] = field(default_factory=list)
    count: int = 0
    """Moves, also where `moves` was not read."""

    def to_json(self) -> dict[str, object]:
        """The game as plain data, for other programs."""
        return {
            "format": 1,
            "game": self.id,
            "started": self.started.isoformat(),
            "ended": self.ended.isoformat() if self.ended else None,
            "stage": self.stage,
            "players": [{"id": p.id, "name": p.name, "kind": p.kind} for p in self.players],
            "size": self.size or None,
            "fleet": list(self.fleet),
            "winner": self.winner,
            "ending": self.ending,
            "counts": self.rated,
            "moves": [
                {"player": m.player, "x": m.x, "y": m.y, "result": RESULTS[m.result], "at": round(m.at, 3)}
                for m in self.moves
            ],
        }


def default_path() -> Path:
    """Where the club of this user is kept."""
    return Path(platformdirs.user_data_dir("seabattle", appauthor=False)) / "club.sqlite"


def pack(at: int, side: int, data: bytes) -> bytes:
    """A piece of a capture: when (microseconds since the epoch), which side (0 the master), at most 65535 bytes."""
    return _PIECE.pack(at, side, len(data)) + data


def unpack(blob: bytes) -> Iterator[tuple[int, int, bytes]]:
    """The pieces of a capture."""
    i = 0
    while i < len(blob):
        at, side, size = _PIECE.unpack_from(blob, i)
        i += _PIECE.size
        yield at, side, blob[i : i + size]
        i += size


class Store:
    """The file. Belongs to one thread. Each method that writes is lasting when it returns; all raise UserError."""

    def __init__(self, path: Path | None = None, *, make: bool = True):
        """Open the file; with `make` create it where there is none."""
        self.path = path or default_path()
        if not make and not self.path.exists():
            raise UserError(say("no_club", file=self.path))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._problem(error) from error
        try:
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            self._db.execute(f"pragma wal_autocheckpoint = {_FOLD_PAGES}")
            self._db.execute("pragma foreign_keys = on")
            with self._transaction():
                version = self._db.execute("pragma user_version").fetchone()[0]
                if version == 0:
                    for statement in _SCHEMA.split(";\n"):
                        self._db.execute(statement)
                elif version < _FORMAT:
                    self._bring_up()
                if version < _FORMAT:
                    self._db.execute(f"pragma user_version = {_FORMAT}")
        except sqlite3.Error as error:
            self._db.close()
            raise self._problem(error) from error
        if version > _FORMAT:
            self._db.close()
            raise UserError(say("club_newer", file=self.path))
        self._ended = threading.Event()
        self._folder: threading.Thread | None = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        self._ended.set()
        if self._folder is not None:
            self._folder.join()
        self._db.close()

    def fold_in_background(self) -> None:
        """Let a thread fold the log into the file from time to time."""
        self._folder = threading.Thread(target=self._fold, name="database", daemon=True)
        self._folder.start()

    def _fold(self) -> None:
        with contextlib.closing(sqlite3.connect(self.path, timeout=0, isolation_level=None)) as db:
            while not self._ended.wait(_FOLD_SECONDS):
                with contextlib.suppress(sqlite3.Error):
                    db.execute("pragma wal_checkpoint(passive)")

    def _bring_up(self) -> None:
        """A file of the first clubs: names had no look, and every game that was fought out counted."""
        self._db.execute("alter table player add column looks text not null default ''")
        for number, name in self._db.execute("select id, name from player").fetchall():
            self._db.execute("update player set looks = ? where id = ?", (looks(name), number))
        self._db.execute("alter table game add column rated integer not null default 0")
        self._db.execute(
            "update game set rated = 1 where battle and winner is not null and not exists"
            " (select 1 from player where id in (master, slave) and kind = 'guest')"
            " and (ending = 'shots' or (select count(*) from move where move.game = game.id) >= 20)"
        )

    # Players.

    def member(self, name: str) -> Member | None:
        """The registered player of this name, no guest."""
        with self._access():
            row = self._db.execute(
                "select id, name, kind, pin is not null from player where lookup = ? and kind != 'guest'",
                (lookup(name),),
            ).fetchone()
        return Member(row[0], row[1], row[2], bool(row[3])) if row else None

    def register(self, name: str, kind: str = "person") -> Member:
        """A new player. Raises UserError if the name is registered already, unless it is for a guest."""
        with self._access():
            try:
                cursor = self._db.execute(
                    "insert into player (name, lookup, looks, kind, since) values (?,?,?,?,?)",
                    (name, lookup(name), looks(name), kind, _now()),
                )
            except sqlite3.IntegrityError:
                raise UserError(say("registered_already", name=name)) from None
        return Member(cursor.lastrowid or 0, name, kind)

    def rename(self, player: int, name: str) -> None:
        """Another name for a player. Raises UserError if it is somebody else's."""
        with self._access():
            try:
                self._db.execute(
                    "update player set name = ?, lookup = ?, looks = ? where id = ?",
                    (name, lookup(name), looks(name), player),
                )
            except sqlite3.IntegrityError:
                raise UserError(say("registered_already", name=name)) from None

    def twin(self, name: str) -> Member | None:
        """A player with a PIN whose name can be taken for this one."""
        with self._access():
            row = self._db.execute(
                "select id, name, kind from player where looks = ? and pin is not null and kind != 'guest'",
                (looks(name),),
            ).fetchone()
        return Member(row[0], row[1], row[2], True) if row else None

    def claim(self, player: int, kept: bytes, anew: bool = False) -> bool:
        """Give a player a PIN, of which pins.make() made `kept`; False if it has one. anew: in place of that."""
        with self._access():
            only = "" if anew else " and pin is null"
            return self._db.execute(f"update player set pin = ? where id = ?{only}", (kept, player)).rowcount > 0

    def pin(self, player: int) -> bytes:
        """What is kept of a player's PIN, empty if it has none."""
        with self._access():
            row = self._db.execute("select pin from player where id = ?", (player,)).fetchone()
        return bytes(row[0]) if row and row[0] else b""

    # Keeping games.

    def begin(self, game: Game) -> None:
        """A game has started; gives it its number."""
        with self._access():
            cursor = self._db.execute(
                "insert into game (master, slave, started, stage, battle) values (?,?,?,?,0)",
                (game.players[0].id, game.players[1].id, game.started.isoformat(), game.stage),
            )
        game.id = cursor.lastrowid or 0

    def stage(self, game: Game) -> None:
        """The game has another stage, other parameters, or has ended: keep how it stands."""
        winner = None if game.winner is None else game.players[game.winner].id
        with self._access():
            self._db.execute(
                "update game set stage=?, size=?, fleet=?, battle=?, winner=?, ending=?, ended=?, rated=? where id=?",
                (
                    game.stage,
                    game.size or None,
                    json.dumps(game.fleet) if game.size else None,
                    int(game.battle),
                    winner,
                    game.ending,
                    game.ended.isoformat() if game.ended else None,
                    int(game.rated),
                    game.id,
                ),
            )

    def move(self, game: Game, move: Move) -> None:
        """A move, in the file and in the game."""
        with self._access():
            self._db.execute(
                "insert into move values (?,?,?,?,?,?,?)",
                (game.id, len(game.moves) + 1, move.player, move.x, move.y, move.result, move.at),
            )
        game.moves.append(move)
        game.count = len(game.moves)

    def capture(self, game: int, part: int, data: bytes) -> None:
        """The next part of a game's capture."""
        with self._access():
            self._db.execute("insert into capture values (?,?,?)", (game, part, data))

    def abandon(self) -> int:
        """End the games that a killed club has left unfinished; how many there were."""
        with self._access():
            return self._db.execute(
                "update game set stage = ?, ending = 'killed', ended = ? where stage != ?", (FINISHED, _now(), FINISHED)
            ).rowcount

    # Looking.

    def games(self, most: int = 1_000_000, before: int = 1 << 62) -> list[Game]:
        """Games without their moves, newest first. before: only those of a lower number."""
        with self._access():
            rows = self._db.execute(f"{_GAMES} where game.id < ? order by game.id desc limit ?", (before, most))
            return [_game(row) for row in rows.fetchall()]

    def game(self, number: int) -> Game:
        """A game with its moves. Raises UserError if there is none of that number."""
        with self._access():
            row = self._db.execute(f"{_GAMES} where game.id = ?", (number,)).fetchone()
            if row is None:
                last = self._db.execute("select max(id) from game").fetchone()[0]
                raise UserError(say("no_such_game", number=number, last=last) if last else say("no_games"))
            moves = self._db.execute(
                "select player, x, y, result, at from move where game = ? order by number", (number,)
            ).fetchall()
        game = _game(row)
        game.moves = [Move(*move) for move in moves]
        return game

    def captured(self, number: int) -> list[tuple[int, int, bytes]]:
        """The capture of a game: when (microseconds since the epoch), side (0 the master), bytes."""
        with self._access():
            parts = self._db.execute("select data from capture where game = ? order by part", (number,)).fetchall()
        return [piece for (data,) in parts for piece in unpack(data)]

    def results(self) -> list[tuple[int, int]]:
        """Winner and loser of the games that count, in the order in which they ended."""
        with self._access():
            return self._db.execute(
                "select winner, iif(winner = master, slave, master) from game where rated order by ended, id"
            ).fetchall()

    def rated_lately(self, one: int, two: int) -> int:
        """How many games of these two, ended within a day, move the ratings."""
        since = (datetime.now(timezone.utc) - timedelta(days=1)).isoformat()
        with self._access():
            row = self._db.execute(
                "select count(*) from game where rated and ended > ? and ((master = ? and slave = ?) or"
                " (master = ? and slave = ?))",
                (since, one, two, two, one),
            ).fetchone()
        return int(row[0])

    def endings(self) -> list[tuple[int, int, str]]:
        """Winner, loser and ending of each game that has a winner, in the order in which they ended."""
        with self._access():
            return self._db.execute(
                "select winner, iif(winner = master, slave, master), ending from game"
                " where winner is not null order by ended, id"
            ).fetchall()

    def members(self) -> dict[int, Member]:
        """Everybody but guests, by ID."""
        with self._access():
            rows = self._db.execute("select id, name, kind, pin is not null from player where kind != 'guest'")
            return {row[0]: Member(row[0], row[1], row[2], bool(row[3])) for row in rows.fetchall()}

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
    def access(self) -> Iterator[sqlite3.Connection]:
        """The open file, for what has tables of its own in it."""
        with self._access():
            yield self._db

    @contextlib.contextmanager
    def _access(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._problem(error) from error

    def _problem(self, error: Exception) -> UserError:
        return UserError(say("club_failed", file=self.path, reason=getattr(error, "strerror", None) or error))


def lookup(name: str) -> str:
    """A name in a form in which equal names are equal."""
    return name.casefold()


_GAMES = """
select game.id, master, m.name, m.kind, slave, s.name, s.kind, started, stage, size, fleet, battle, winner, ending,
    ended, rated, (select count(*) from move where move.game = game.id)
from game join player as m on m.id = master join player as s on s.id = slave
"""


def _game(row: tuple) -> Game:
    number, master, m_name, m_kind, slave, s_name, s_kind, started, stage, size, fleet, battle, winner, *rest = row
    ending, ended, rated, count = rest
    return Game(
        players=(Member(master, m_name, m_kind), Member(slave, s_name, s_kind)),
        id=number,
        started=datetime.fromisoformat(started),
        stage=stage,
        size=size or 0,
        fleet=tuple(json.loads(fleet)) if fleet else (),
        battle=bool(battle),
        winner=None if winner is None else int(winner != master),
        ending=ending,
        ended=datetime.fromisoformat(ended) if ended else None,
        rated=bool(rated),
        count=count,
    )


def _now() -> str:
    return datetime.now(timezone.utc).isoformat()
