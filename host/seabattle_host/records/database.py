"""An SQLite file: opened, brought up to date and queried in one way for the archive of games and for the club.

The file is in write-ahead mode, so that several programs may use it at once. What was written is safe from the death of
this program when the call returns, and from that of the computer a moment later. `PRAGMA user_version` is the format of
the file; an older one is brought up to date in one transaction when it is opened, a newer one is left alone.
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
    # a Python that was built without it plays all the same, and keeps no games
    sqlite3 = None  # type: ignore[assignment]

_WAIT_SECONDS = 5.0

Row = tuple[Any, ...]
Step = Callable[["sqlite3.Connection"], object]


class Duplicate(Exception):
    """What was to be written is unique, and there already."""


class Database:
    """Belongs to the thread that opens it. Every method raises UserError if the file fails.

    path: the file; it is made if there is none. schema: the statements that make an empty file one of the newest
    format. migrations: number i makes a file of format i + 2 of one of format i + 1. failed: says that the file fails,
    given its path and the reason. newer: says that it is of a newer format, given its path.
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
        """The format that the file had."""
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
        """All rows that a query gives."""
        with self._errors():
            return self._db.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> Row | None:
        """The first row that a query gives, None if there is none."""
        with self._errors():
            row: Row | None = self._db.execute(query, values).fetchone()
            return row

    def insert(self, statement: str, *values: object) -> int:
        """Write a row; its ID. Raises Duplicate."""
        with self._errors():
            return self._db.execute(statement, values).lastrowid or 0

    def change(self, statement: str, *values: object) -> int:
        """Change or delete rows; how many there were. Raises Duplicate."""
        with self._errors():
            return self._db.execute(statement, values).rowcount

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """What is written meanwhile is written as a whole, or not at all."""
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
