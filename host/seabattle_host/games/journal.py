"""Journals of games that can be resumed: the setup and everything the players have typed, in a file.

A game is replayed from that, since its placing, its lots and its computers all depend on its seed. The file holds
hidden fleets, so its lines are encrypted with a key in a file next to it: opening or searching it reveals nothing. It
does not stop a user who writes a program for it; nothing can on a shared computer.

Each line is written as soon as it is typed, so a killed program or a closed terminal loses nothing.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import secrets
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from seabattle_host.errors import UserError
from seabattle_host.games.setup import Setup
from seabattle_host.language.messages import tr
from seabattle_host.records.paths import archive_path

if sys.platform != "win32":
    # on Windows a file that another program has open cannot be removed anyway
    import fcntl

_FORMAT = 1
_ENDING = ".game"
_MARK = 8
"""Bytes of a line's checksum."""
_KEY_BYTES = 32
_KEY_MOST = 64
"""Bytes of a new key, and the most that are read of one."""


def folder(archive: Path | None = None) -> Path:
    """Return the folder of the journals: next to the archive, by default the usual one."""
    return (archive or archive_path()).parent / "unfinished"


@dataclass
class Unfinished:
    """A game that was left. typed: (player, line) in order. number: of the game in the history, 0 for none yet."""

    path: Path
    setup: Setup
    chat: bool
    begun: datetime
    typed: list[tuple[int, str]] = field(default_factory=list)
    number: int = 0

    def words(self) -> str:
        """Describe it in one line."""
        when = self.begun.astimezone().strftime("%Y-%m-%d %H:%M")
        how = tr("resume_by_chat") if self.chat else ""
        return f"{when}  {tr(f'name_{self.setup.kind}')}: {' - '.join(self.setup.seats())}{how}"


class Journal:
    """The journal of a running game, locked by the program that has it open."""

    def __init__(self, setup: Setup, chat: bool, path: Path | None = None, place: Path | None = None):
        """path: of a game that is resumed. place: the folder of a new one, if not the usual one.

        Raises OSError, and UserError for a game that is open elsewhere.
        """
        place = path.parent if path is not None else place or folder()
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._key = _key(place)
        self._lines = 0
        if path is None:
            path = place / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}{_ENDING}"
        self.path = path
        new = not path.exists()
        whole = b"".join(line + b"\n" for line, _ in _whole_lines(path, self._key)) if not new else b""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file: IO[bytes] = os.fdopen(descriptor, "r+b", buffering=0)
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._file.close()
                raise UserError(tr("resume_open")) from None
        # drop a line cut off by a crash of the computer; it is typed again
        self._file.truncate(len(whole))
        self._file.seek(0, os.SEEK_END)
        self._lines = whole.count(b"\n")
        if new:
            head = {"format": _FORMAT, "setup": asdict(setup), "chat": chat, "begun": datetime.now().timestamp()}
            self._add(head)

    def typed(self, player: int, line: str) -> None:
        """Add a line that a player has typed."""
        self._add([player, line])

    def number(self, number: int) -> None:
        """Add the number of the game in the history."""
        self._add(number)

    def close(self, forget: bool) -> None:
        """Close the file. forget: delete it, as there is nothing to resume."""
        self._file.close()
        if forget:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def _add(self, what: object) -> None:
        data = json.dumps(what, ensure_ascii=False).encode("utf-8", "surrogatepass")
        # on a full disk the game goes on, but cannot be resumed
        with contextlib.suppress(OSError):
            self._file.write(_sealed(data, self._key, self.path.name, self._lines) + b"\n")
        self._lines += 1


def unfinished(archive: Path | None = None) -> list[Unfinished]:
    """Return all games that can be resumed, oldest first; unreadable ones are skipped. archive: see folder()."""
    found = []
    with contextlib.suppress(OSError):
        for path in folder(archive).glob(f"*{_ENDING}"):
            with contextlib.suppress(UserError):
                found.append(load(path))
    # not by their names, which have the second of the local time and a random end
    return sorted(found, key=lambda game: game.begun.timestamp())


def load(path: Path) -> Unfinished:
    """Load a game that was left. Raises UserError if it cannot be read, or is of another version of the program."""
    try:
        lines = [what for _, what in _whole_lines(path, _key(path.parent))]
        head = lines[0]
        if head["format"] != _FORMAT:
            raise ValueError("format")
        setup = Setup.from_json(head["setup"])
        game = Unfinished(path, setup, bool(head["chat"]), datetime.fromtimestamp(head["begun"]))
        for what in lines[1:]:
            if isinstance(what, int):
                game.number = what
            else:
                game.typed.append((int(what[0]), str(what[1])))
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise UserError(tr("resume_unreadable", file=path)) from error
    return game


def _key(place: Path) -> bytes:
    """Read the key of a folder, created if missing. Two programs that create one at once get the same."""
    path = place / "key"
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes()[:_KEY_MOST]
    # write it under another name first, so that the key is never incomplete
    draft = place / f"key-{secrets.token_hex(8)}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:
            # a file system without links, such as FAT; the last writer wins
            os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    return path.read_bytes()[:_KEY_MOST]


def _stream(length: int, key: bytes, name: str, number: int) -> bytes:
    stream = b""
    while len(stream) < length:
        part = f"{name} {number} {len(stream)}".encode()
        stream += hashlib.blake2b(part, key=key).digest()
    return stream[:length]


def _sealed(data: bytes, key: bytes, name: str, number: int) -> bytes:
    whole = hashlib.blake2b(data, digest_size=_MARK).digest() + data
    return base64.b64encode(bytes(a ^ b for a, b in zip(whole, _stream(len(whole), key, name, number), strict=True)))


def _whole_lines(path: Path, key: bytes) -> Iterator[tuple[bytes, Any]]:
    """Yield the lines of a file, encrypted and decoded, up to the first that is damaged."""
    for number, line in enumerate(path.read_bytes().split(b"\n")):
        try:
            data = base64.b64decode(line, validate=True)
        except ValueError:
            return
        data = bytes(a ^ b for a, b in zip(data, _stream(len(data), key, path.name, number), strict=True))
        if not data or hashlib.blake2b(data[_MARK:], digest_size=_MARK).digest() != data[:_MARK]:
            return
        yield line, json.loads(data[_MARK:].decode("utf-8", "surrogatepass"))
