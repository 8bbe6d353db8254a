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
from seabattle_host.records.places import club_path

__all__ = ("RESULTS", "Account", "Game", "Move", "Store", "lookup", "pack", "unpack")

PLACING, BATTLE, FINISHED = "placing", "battle", "finished"
"""Stages of a game."""

_FOLD_SECONDS = 20.0
_FOLD_PAGES = 100_000
"""Pages of the log at which a write folds it itself, should the thread not come to it."""

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
    """A player of the club. kind: person, guest (a name that is somebody else's at the moment) or computer."""

    id: int
    name: str
    kind: str = "person"
    claimed: bool = False

    @property
    def shown(self) -> str:
        """The name, told apart from others of the same name."""
        return f"{self.name}#{self.id}" if self.kind == "guest" else self.name


@dataclass
class Game:
    """A game of the club. Players are in the order master, slave."""

    players: tuple[Account, Account]
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
    """How it ended, see `club_ending_...` in the catalogues; empty while it goes on."""
    ended: datetime | None = None
    rated: bool = False
    """It moves the ratings."""
    moves: list[Move] = field(default_factory=list)
    decks: tuple[list[int] | None, list[int] | None] = (None, None)
    """The cells of both fleets, row by row from 0, where the club knows them; only after the end."""
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
            "decks": list(self.decks),
            "moves": moves.to_json(self.moves),
        }


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
        """The file, also for what has tables of its own in it."""
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
        """Let a thread fold the log into the file from time to time."""
        self._folder = threading.Thread(target=self._fold, name="database", daemon=True)
        self._folder.start()

    def _fold(self) -> None:
        with contextlib.closing(sqlite3.connect(self.path, timeout=0, isolation_level=None)) as db:
            while not self._ended.wait(_FOLD_SECONDS):
                with contextlib.suppress(sqlite3.Error):
                    db.execute("pragma wal_checkpoint(passive)")

    # Players.

    def account(self, name: str) -> Account | None:
        """The registered player of this name, no guest."""
        row = self.db.row(f"{_ACCOUNTS} where lookup = ? and kind != 'guest'", lookup(name))
        return _account(row) if row else None

    def register(self, name: str, kind: str = "person") -> Account:
        """A new player. Raises UserError if the name is registered already, unless it is for a guest."""
        try:
            number = self.db.insert(
                "insert into player (name, lookup, skeleton, kind, since) values (?,?,?,?,?)",
                *(name, lookup(name), skeleton(name), kind, _now()),
            )
        except Duplicate:
            raise UserError(tr("registered_already", name=name)) from None
        return Account(number, name, kind)

    def rename(self, player: int, name: str) -> None:
        """Another name for a player. Raises UserError if it is somebody else's."""
        try:
            self.db.change(
                "update player set name = ?, lookup = ?, skeleton = ? where id = ?",
                *(name, lookup(name), skeleton(name), player),
            )
        except Duplicate:
            raise UserError(tr("registered_already", name=name)) from None

    def twin(self, name: str) -> Account | None:
        """A player with a PIN whose name can be taken for this one."""
        row = self.db.row(f"{_ACCOUNTS} where skeleton = ? and pin is not null and kind != 'guest'", skeleton(name))
        return _account(row) if row else None

    def claim(self, player: int, pin_hash: bytes, anew: bool = False) -> bool:
        """Give a player a PIN, of which pins.make() made the hash; False if it has one. anew: in place of that."""
        only = "" if anew else " and pin is null"
        return self.db.change(f"update player set pin = ? where id = ?{only}", pin_hash, player) > 0

    def pin_hash(self, player: int) -> bytes:
        """The hash of a player's PIN, empty if it has none."""
        row = self.db.row("select pin from player where id = ?", player)
        return bytes(row[0]) if row and row[0] else b""

    def accounts(self) -> dict[int, Account]:
        """Everybody but guests, by ID."""
        return {row[0]: _account(row) for row in self.db.rows(f"{_ACCOUNTS} where kind != 'guest'")}

    # Tournaments.

    def start_tournament(self, players: Sequence[int], rounds: int) -> None:
        """Begin a tournament; one that runs is over with that."""
        with self.db.transaction():
            self.stop_tournament()
            self.db.insert(
                "insert into tournament (players, rounds, started, running) values (?,?,?,1)",
                *(json.dumps(list(players)), rounds, _now()),
            )

    def stop_tournament(self) -> bool:
        """Let nobody be paired by it any more; False if none runs."""
        return self.db.change("update tournament set running = 0 where running") > 0

    def tournament(self) -> tuple[Tournament, bool] | None:
        """The last tournament as it stands, and whether it runs; None if there was none."""
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
        """A game has started; gives it its number."""
        game.id = self.db.insert(
            "insert into game (master, slave, started, stage, battle) values (?,?,?,?,0)",
            *(game.players[0].id, game.players[1].id, game.started.isoformat(), game.stage),
        )

    def stage(self, game: Game) -> None:
        """The game has another stage, other parameters, or has ended: keep how it stands."""
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
        """A move, in the file and in the game."""
        moves.add(self.db, game.id, len(game.moves) + 1, move)
        game.moves.append(move)
        game.count = len(game.moves)

    def capture(self, game: int, part: int, data: bytes) -> None:
        """The next part of a game's capture."""
        self.db.insert("insert into capture values (?,?,?)", game, part, data)

    def abandon(self) -> int:
        """End the games that a killed club has left unfinished; how many there were."""
        return self.db.change(
            "update game set stage = ?, ending = 'killed', ended = ? where stage != ?", FINISHED, _now(), FINISHED
        )

    # Reading games.

    def games(self, most: int = 1_000_000, before: int = 1 << 62) -> list[Game]:
        """Games without their moves, newest first. before: only those of a lower number."""
        rows = self.db.rows(f"{_GAMES} where game.id < ? order by game.id desc limit ?", before, most)
        return [_game(row) for row in rows]

    def game(self, number: int) -> Game:
        """A game with its moves. Raises UserError if there is none of that number."""
        row = self.db.row(f"{_GAMES} where game.id = ?", number)
        if row is None:
            (last,) = self.db.row("select max(id) from game") or (None,)
            raise UserError(tr("club_no_such_game", number=number, last=last) if last else tr("club_no_games"))
        game = _game(row)
        game.moves = moves.of_game(self.db, number)
        return game

    def captured(self, number: int) -> list[tuple[int, int, bytes]]:
        """The capture of a game: when (microseconds since the epoch), side (0 the master), bytes."""
        parts = self.db.rows("select data from capture where game = ? order by part", number)
        return [piece for (data,) in parts for piece in unpack(data)]

    def results(self) -> list[tuple[int, int, datetime]]:
        """Winner, loser and end of the games that count, in the order in which they ended."""
        rows = self.db.rows(
            "select winner, iif(winner = master, slave, master), coalesce(ended, started) from game where rated"
            " order by ended, id"
        )
        return [(winner, loser, datetime.fromisoformat(ended)) for winner, loser, ended in rows]

    def rated_lately(self, one: int, two: int) -> int:
        """How many games of these two, ended within a day, move the ratings."""
        since = (datetime.now(timezone.utc) - timedelta(days=1)).isoformat()
        row = self.db.row(
            "select count(*) from game where rated and ended > ? and ((master = ? and slave = ?) or"
            " (master = ? and slave = ?))",
            *(since, one, two, two, one),
        )
        return int(row[0]) if row else 0

    def endings(self) -> list[tuple[int, int, str]]:
        """Winner, loser and ending of each game that has a winner, in the order in which they ended."""
        rows = self.db.rows(
            "select winner, iif(winner = master, slave, master), ending from game"
            " where winner is not null order by ended, id"
        )
        return [(winner, loser, ending) for winner, loser, ending in rows]


def _rate_games_that_counted(db: sqlite3.Connection) -> None:
    """To format 2: in the first clubs names had no look, and every game that was fought out counted."""
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
    """To format 3. A club that was open for an operator has them."""
    db.execute("create table if not exists ban (what text primary key, until text not null)")
    db.execute("create table if not exists operator_order (id integer primary key, what text not null, result text)")


def lookup(name: str) -> str:
    """A name in a form in which equal names are equal."""
    return name.casefold()


def _add_decks(db: sqlite3.Connection) -> None:
    """To format 4."""
    db.execute("alter table game add column decks text")


def _add_tournaments(db: sqlite3.Connection) -> None:
    """To format 5."""
    db.execute(
        "create table tournament (id integer primary key, players text not null, rounds integer not null,"
        " started text not null, running integer not null)"
    )


def _rename_looks(db: sqlite3.Connection) -> None:
    """To format 6."""
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
