"""Players, games, moves and captures in one SQLite file.

The file is in write-ahead mode. A write survives the death of this program once the call has returned; the club waits
for that before a player sees a move. A thread checkpoints the log, so that no player waits for the disk.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import struct
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from seabattle_host.club.names import skeleton
from seabattle_host.club.tournament import Tournament
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.records import moves
from seabattle_host.records.database import Database, Duplicate
from seabattle_host.records.moves import RESULTS, Move
from seabattle_host.records.paths import club_path

__all__ = ("RESULTS", "Account", "Game", "Move", "Store", "lookup", "pack", "unpack")

PLACING, BATTLE, FINISHED = "placing", "battle", "finished"
"""Stages of a game."""

_FOLD_SECONDS = 20.0
_FOLD_PAGES = 100_000
"""Pages of the log at which a write checkpoints it itself, if the thread is late."""

_SCHEMA = """
create table player (
    id integer primary key,
    name text not null,
    lookup text not null,           -- the name in a form in which equal names are equal
    skeleton text not null default '', -- and in one in which names that can be taken for one another are equal
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
    rated integer not null default 0,  -- 1: it moves the ratings
    decks text                      -- JSON: cells of both fleets, null where unknown; only after the end
);
create index game_master on game (master);
create index game_slave on game (slave);
create table capture (
    game integer not null references game (id),
    part integer not null,
    data blob not null,             -- pieces: microseconds since the epoch (8 bytes), side, length (2 bytes), bytes
    primary key (game, part)
);
create table tournament (
    id integer primary key,
    players text not null,          -- JSON: IDs, in their order at the start
    rounds integer not null,        -- of a Swiss one; 0: everybody against everybody
    started text not null,          -- UTC, ISO 8601
    running integer not null        -- 1: the club pairs its players by it
);
create table ban (what text primary key, until text not null);
create table operator_order (id integer primary key, what text not null, result text);
"""

_PIECE = struct.Struct("<QBH")


@dataclass(frozen=True)
class Account:
    """A player of the club. kind: person, guest (with a name not its own) or computer."""

    id: int
    name: str
    kind: str = "person"
    claimed: bool = False

    @property
    def display_name(self) -> str:
        """The name to display, distinguished from others of the same name."""
        return f"{self.name}#{self.id}" if self.kind == "guest" else self.name


@dataclass
class Game:
    """A game of the club. Players are in the order master, slave."""

    players: tuple[Account, Account]
    id: int = 0
    started: datetime = field(default_factory=lambda: datetime.now(timezone.utc))
    stage: str = PLACING
    size: int = 0
    """Width in cells; 0 before the parameters are known."""
    fleet: tuple[int, ...] = ()
    battle: bool = False
    """The battle was reached."""
    winner: int | None = None
    """Index into `players`."""
    ending: str = ""
    """How it ended, see `club_ending_...` in the catalogues; empty while it is running."""
    ended: datetime | None = None
    rated: bool = False
    """It counts for the ratings."""
    moves: list[Move] = field(default_factory=list)
    decks: tuple[list[int] | None, list[int] | None] = (None, None)
    """The cells of both fleets, row by row from 0, where the club knows them; only after the end."""
    count: int = 0
    """Number of moves, also if `moves` was not read."""

    def to_json(self) -> dict[str, object]:
        """Return the game as plain data, for other programs."""
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
            "decks": list(self.decks),
            "moves": moves.to_json(self.moves),
        }


def pack(at: int, side: int, data: bytes) -> bytes:
    """Pack a piece of a capture: time (microseconds since the epoch), side (0 the master), at most 65535 bytes."""
    return _PIECE.pack(at, side, len(data)) + data


def unpack(blob: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the pieces of a capture."""
    i = 0
    while i < len(blob):
        at, side, size = _PIECE.unpack_from(blob, i)
        i += _PIECE.size
        yield at, side, blob[i : i + size]
        i += size


class Store:
    """The club's file. Belongs to one thread. Writes are durable when a method returns; all methods raise UserError."""

    def __init__(self, path: Path | None = None, *, make: bool = True):
        """Open the file; with `make` create it if it is missing."""
        self.path = path or club_path()
        if not make and not self.path.exists():
            raise UserError(tr("no_club", file=self.path))
        self.db = Database(
            self.path,
            (*filter(str.strip, _SCHEMA.split(";\n")), moves.TABLE),
            (_rate_games_that_counted, _add_tables_of_the_operator, _add_decks, _add_tournaments, _rename_looks),
            failed=lambda file, reason: tr("club_failed", file=file, reason=reason),
            newer=lambda file: tr("club_newer", file=file),
        )
        """The database, also for modules with tables of their own."""
        self.db.change(f"pragma wal_autocheckpoint = {_FOLD_PAGES}")
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
        self.db.close()

    def fold_in_background(self) -> None:
        """Start a thread that checkpoints the log from time to time."""
        self._folder = threading.Thread(target=self._fold, name="database", daemon=True)
        self._folder.start()

    def _fold(self) -> None:
        with contextlib.closing(sqlite3.connect(self.path, timeout=0, isolation_level=None)) as db:
            while not self._ended.wait(_FOLD_SECONDS):
                with contextlib.suppress(sqlite3.Error):
                    db.execute("pragma wal_checkpoint(passive)")

    # Players.

    def account(self, name: str) -> Account | None:
        """Return the registered player (not a guest) of this name."""
        row = self.db.row(f"{_ACCOUNTS} where lookup = ? and kind != 'guest'", lookup(name))
        return _account(row) if row else None

    def register(self, name: str, kind: str = "person") -> Account:
        """Add a player. Raises UserError if the name is registered already, unless for a guest."""
        try:
            number = self.db.insert(
                "insert into player (name, lookup, skeleton, kind, since) values (?,?,?,?,?)",
                *(name, lookup(name), skeleton(name), kind, _now()),
            )
        except Duplicate:
            raise UserError(tr("registered_already", name=name)) from None
        return Account(number, name, kind)

    def rename(self, player: int, name: str) -> None:
        """Rename a player. Raises UserError if the name is taken."""
        try:
            self.db.change(
                "update player set name = ?, lookup = ?, skeleton = ? where id = ?",
                *(name, lookup(name), skeleton(name), player),
            )
        except Duplicate:
            raise UserError(tr("registered_already", name=name)) from None

    def twin(self, name: str) -> Account | None:
        """Return a player with a PIN whose name looks like this one."""
        row = self.db.row(f"{_ACCOUNTS} where skeleton = ? and pin is not null and kind != 'guest'", skeleton(name))
        return _account(row) if row else None

    def claim(self, player: int, pin_hash: bytes, anew: bool = False) -> bool:
        """Set a player's PIN to a hash by pins.make(); return False if it has one. anew: replace it."""
        only = "" if anew else " and pin is null"
        return self.db.change(f"update player set pin = ? where id = ?{only}", pin_hash, player) > 0

    def pin_hash(self, player: int) -> bytes:
        """Return the hash of a player's PIN, empty if it has none."""
        row = self.db.row("select pin from player where id = ?", player)
        return bytes(row[0]) if row and row[0] else b""

    def accounts(self) -> dict[int, Account]:
        """Return all players except guests, by ID."""
        return {row[0]: _account(row) for row in self.db.rows(f"{_ACCOUNTS} where kind != 'guest'")}

    # Tournaments.

    def start_tournament(self, players: Sequence[int], rounds: int) -> None:
        """Start a tournament; a running one ends."""
        with self.db.transaction():
            self.stop_tournament()
            self.db.insert(
                "insert into tournament (players, rounds, started, running) values (?,?,?,1)",
                *(json.dumps(list(players)), rounds, _now()),
            )

    def stop_tournament(self) -> bool:
        """Stop the running tournament; return False if there is none."""
        return self.db.change("update tournament set running = 0 where running") > 0

    def tournament(self) -> tuple[Tournament, bool] | None:
        """Return the last tournament and whether it is running; None if there was none."""
        row = self.db.row("select players, rounds, started, running from tournament order by id desc limit 1")
        if row is None:
            return None
        players, rounds, started, running = row
        results = self.db.rows(
            "select winner, iif(winner = master, slave, master) from game"
            " where winner is not null and started >= ? order by ended, id",
            started,
        )
        return Tournament(json.loads(players), rounds, [(winner, loser) for winner, loser in results]), bool(running)

    # Writing games.

    def begin(self, game: Game) -> None:
        """Add a game and set its number."""
        game.id = self.db.insert(
            "insert into game (master, slave, started, stage, battle) values (?,?,?,?,0)",
            *(game.players[0].id, game.players[1].id, game.started.isoformat(), game.stage),
        )

    def stage(self, game: Game) -> None:
        """Update a game whose stage or parameters have changed, or which has ended."""
        self.db.change(
            "update game set stage=?, size=?, fleet=?, battle=?, winner=?, ending=?, ended=?, rated=?, decks=?"
            " where id=?",
            game.stage,
            game.size or None,
            json.dumps(game.fleet) if game.size else None,
            int(game.battle),
            None if game.winner is None else game.players[game.winner].id,
            game.ending,
            game.ended.isoformat() if game.ended else None,
            int(game.rated),
            json.dumps(game.decks) if any(game.decks) else None,
            game.id,
        )

    def move(self, game: Game, move: Move) -> None:
        """Add a move, to the file and to the game."""
        moves.add(self.db, game.id, len(game.moves) + 1, move)
        game.moves.append(move)
        game.count = len(game.moves)

    def capture(self, game: int, part: int, data: bytes) -> None:
        """Add the next part of a game's capture."""
        self.db.insert("insert into capture values (?,?,?)", game, part, data)

    def abandon(self) -> int:
        """End the games that a killed club has left running; return their number."""
        return self.db.change(
            "update game set stage = ?, ending = 'killed', ended = ? where stage != ?", FINISHED, _now(), FINISHED
        )

    # Reading games.

    def games(self, most: int = 1_000_000, before: int = 1 << 62) -> list[Game]:
        """Return games without their moves, newest first. before: only those with a lower number."""
        rows = self.db.rows(f"{_GAMES} where game.id < ? order by game.id desc limit ?", before, most)
        return [_game(row) for row in rows]

    def game(self, number: int) -> Game:
        """Return a game with its moves. Raises UserError if there is none of that number."""
        row = self.db.row(f"{_GAMES} where game.id = ?", number)
        if row is None:
            (last,) = self.db.row("select max(id) from game") or (None,)
            raise UserError(tr("club_no_such_game", number=number, last=last) if last else tr("club_no_games"))
        game = _game(row)
        game.moves = moves.of_game(self.db, number)
        return game

    def captured(self, number: int) -> list[tuple[int, int, bytes]]:
        """Return the capture of a game: time (microseconds since the epoch), side (0 the master), bytes."""
        parts = self.db.rows("select data from capture where game = ? order by part", number)
        return [piece for (data,) in parts for piece in unpack(data)]

    def results(self) -> list[tuple[int, int, datetime]]:
        """Return winner, loser and end of the rated games, in the order in which they ended."""
        rows = self.db.rows(
            "select winner, iif(winner = master, slave, master), coalesce(ended, started) from game where rated"
            " order by ended, id"
        )
        return [(winner, loser, datetime.fromisoformat(ended)) for winner, loser, ended in rows]

    def rated_lately(self, one: int, two: int) -> int:
        """Return how many games between these two, ended within a day, are rated."""
        since = (datetime.now(timezone.utc) - timedelta(days=1)).isoformat()
        row = self.db.row(
            "select count(*) from game where rated and ended > ? and ((master = ? and slave = ?) or"
            " (master = ? and slave = ?))",
            *(since, one, two, two, one),
        )
        return int(row[0]) if row else 0

    def endings(self) -> list[tuple[int, int, str]]:
        """Return winner, loser and ending of each game that has a winner, in the order in which they ended."""
        rows = self.db.rows(
            "select winner, iif(winner = master, slave, master), ending from game"
            " where winner is not null order by ended, id"
        )
        return [(winner, loser, ending) for winner, loser, ending in rows]


def _rate_games_that_counted(db: sqlite3.Connection) -> None:
    """Migrate to format 2: the first clubs stored no looks of names, and rated every game that was fought out."""
    db.execute("alter table player add column looks text not null default ''")
    for number, name in db.execute("select id, name from player").fetchall():
        db.execute("update player set looks = ? where id = ?", (skeleton(name), number))
    db.execute("alter table game add column rated integer not null default 0")
    db.execute(
        "update game set rated = 1 where battle and winner is not null and not exists"
        " (select 1 from player where id in (master, slave) and kind = 'guest')"
        " and (ending = 'shots' or (select count(*) from move where move.game = game.id) >= 20)"
    )


def _add_tables_of_the_operator(db: sqlite3.Connection) -> None:
    """Migrate to format 3. A club opened by an operator's command has the tables already."""
    db.execute("create table if not exists ban (what text primary key, until text not null)")
    db.execute("create table if not exists operator_order (id integer primary key, what text not null, result text)")


def lookup(name: str) -> str:
    """Return a name's key: equal for equal names."""
    return name.casefold()


def _add_decks(db: sqlite3.Connection) -> None:
    """Migrate to format 4."""
    db.execute("alter table game add column decks text")


def _add_tournaments(db: sqlite3.Connection) -> None:
    """Migrate to format 5."""
    db.execute(
        "create table tournament (id integer primary key, players text not null, rounds integer not null,"
        " started text not null, running integer not null)"
    )


def _rename_looks(db: sqlite3.Connection) -> None:
    """Migrate to format 6."""
    db.execute("alter table player rename column looks to skeleton")


_ACCOUNTS = "select id, name, kind, pin is not null from player"


def _account(row: tuple[Any, ...]) -> Account:
    number, name, kind, claimed = row
    return Account(number, name, kind, bool(claimed))


_GAMES = """
select game.id, master, m.name, m.kind, slave, s.name, s.kind, started, stage, size, fleet, battle, winner, ending,
    ended, rated, decks, (select count(*) from move where move.game = game.id)
from game join player as m on m.id = master join player as s on s.id = slave
"""


def _game(row: tuple[Any, ...]) -> Game:
    number, master, m_name, m_kind, slave, s_name, s_kind, started, stage, size, fleet, battle, winner, *rest = row
    ending, ended, rated, decks, count = rest
    return Game(
        players=(Account(master, m_name, m_kind), Account(slave, s_name, s_kind)),
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
        decks=tuple(json.loads(decks)) if decks else (None, None),
        count=count,
    )


def _now() -> str:
    return datetime.now(timezone.utc).isoformat()
