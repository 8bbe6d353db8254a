"""An SQLite file: opening, migrating and querying, for the archive of games and for the club.

The file is in write-ahead mode, so that several programs may use it at once. Written data survives a crash of this
program as soon as the call returns, and one of the computer a moment later. `PRAGMA user_version` is the format of the
file; an older one is migrated in one transaction when it is opened, a newer one is left alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from seabattle_host.errors import UserError
from seabattle_host.language import system
from seabattle_host.language.system import why

try:
    import sqlite3
except ModuleNotFoundError:
    # a Python built without it can still play, but stores no games
    sqlite3 = None  # type: ignore[assignment]

_WAIT_SECONDS = 5.0

Row = tuple[Any, ...]
Step = Callable[["sqlite3.Connection"], object]


class Duplicate(Exception):
    """A uniqueness constraint was violated."""


class Database:
    """An SQLite database. Use it only in the thread that opened it. Every method raises UserError if the file fails.

    path: the file; created if missing. schema: statements that bring an empty file to the newest format. migrations:
    number i converts format i + 1 to i + 2. failed: returns the message for a failing file, given its path and the
    reason. newer: returns the message for a newer format, given the path.
    """

    def __init__(
        self,
        path: Path,
        schema: Sequence[str],
        migrations: Sequence[Step],
        failed: Callable[[Path, object], str],
        newer: Callable[[Path], str],
    ):
        self.path = path
        self.format = len(migrations) + 1
        self._failed = failed
        if sqlite3 is None:
            raise UserError(system.python_incomplete("_sqlite3"))
        with self._errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            with self._errors():
                version = self._open(schema, migrations)
            if version > self.format:
                raise UserError(newer(path))
        except BaseException:
            self._db.close()
            raise

    def _open(self, schema: Sequence[str], migrations: Sequence[Step]) -> int:
        """Open the file; return its format number."""
        db = self._db
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = normal")
        db.execute("pragma foreign_keys = on")
        with self.transaction():
            version = int(db.execute("pragma user_version").fetchone()[0])
            if version == 0:
                for statement in schema:
                    db.execute(statement)
            for step in migrations[max(version, 1) - 1 :] if version else ():
                step(db)
            if version < self.format:
                db.execute(f"pragma user_version = {self.format}")
        return version

    def close(self) -> None:
        """Close the file. Closing twice is fine."""
        self._db.close()

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return all rows of a query."""
        with self._errors():
            return self._db.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> Row | None:
        """Return the first row of a query, None if there is none."""
        with self._errors():
            row: Row | None = self._db.execute(query, values).fetchone()
            return row

    def insert(self, statement: str, *values: object) -> int:
        """Insert a row and return its ID. Raises Duplicate."""
        with self._errors():
            return self._db.execute(statement, values).lastrowid or 0

    def change(self, statement: str, *values: object) -> int:
        """Update or delete rows; return how many. Raises Duplicate."""
        with self._errors():
            return self._db.execute(statement, values).rowcount

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all writes in the block together, or none of them."""
        with self._errors():
            self._db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self._db.execute("rollback")
            raise
        with self._errors():
            self._db.execute("commit")

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            if isinstance(error, sqlite3.Error) and "UNIQUE" in str(error):
                raise Duplicate from error
            reason = why(error)
            raise UserError(self._failed(self.path, reason)) from error
