"""The chat lines by which two programs negotiate and play a salvo over a line. docs/protocol.md explains them.

Like the lines of seabattle.reveal they are ASCII, at most 64 bytes, with lower-case hexadecimal digits; lines that
matter end with the CRC-16 of everything before it, since the protocol has no checksum and nobody must be accused
because of a damaged byte.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from seabattle.crc import crc16
from seabattle.reveal import HASH_BYTES, SALT_DIGITS
from seabattle.rng import Rng
from seabattle.salvo import CELLS, DIRECTIONS, LENGTHS, OK, SHIPS, SIZE, Salvo, step_x, step_y

OFFER, ASKED, NO, AGAIN = "offer", "asked", "no", "again"
SHIPS_SEALED, AIM, FIRE, HIT, FLEET, BACK = "ships", "aim", "fire", "hit", "fleet", "back"
DAMAGED = "damaged"
"""Kinds of lines. DAMAGED starts like one of them but is malformed."""

_PLAIN = {OFFER: b"#salvo", ASKED: b"#salvo asked", NO: b"#salvo no", AGAIN: b"#salvo again"}
PLAIN = frozenset(_PLAIN.values())
"""Lines of words only."""

_HASH = f"([0-9a-f]{{{2 * HASH_BYTES}}})"
_SALT = f"([0-9a-f]{{{SALT_DIGITS}}})"
_ROUND = "([1-9][0-9]?|100)"
_CELL = "[1-9a][1-9a]"
_FORMS = {
    SHIPS_SEALED: re.compile(f"#ships {_HASH}"),
    AIM: re.compile(f"#aim {_ROUND} {_HASH}"),
    FIRE: re.compile(f"#fire {_ROUND} ((?:{_CELL})+|-) {_SALT}"),
    HIT: re.compile(f"#hit {_ROUND} ([0-5]{{{SHIPS}}})"),
    FLEET: re.compile(f"#fleet ((?:{_CELL}{_CELL}){{{SHIPS}}}) {_SALT}"),
    BACK: re.compile(f"#back {_HASH}"),
}
_BEGINNINGS = tuple(f"#{kind} ".encode() for kind in _FORMS)


@dataclass(frozen=True)
class Line:
    """A parsed line.

    number: of the round, 0 for none. seal: a hash, in digits. cells: y * 10 + x from the top left; of a fleet, the
    first and the last of each ship. hits: on each ship.
    """

    kind: str
    number: int = 0
    seal: str = ""
    cells: tuple[int, ...] = ()
    hits: tuple[int, ...] = ()


def plain_line(kind: str) -> bytes:
    """Return the line OFFER, ASKED, NO or AGAIN."""
    return _PLAIN[kind]


def ships_line(fleet: bytes) -> bytes:
    """Return the seal of a line of `fleet()`."""
    return _checked(f"#ships {seal_of(fleet)}")


def aim_line(number: int, fire: bytes) -> bytes:
    """Return the seal of a line of `fire()`."""
    return _checked(f"#aim {number} {seal_of(fire)}")


def fire_line(number: int, cells: Sequence[int]) -> bytes:
    """Return the line of a salvo, with a salt."""
    return _checked(f"#fire {number} {_digits(cells) or '-'} {_salt()}")


def hit_line(number: int, hits: Sequence[int]) -> bytes:
    """Return the line with the hits of the peer's salvo on each ship."""
    return _checked(f"#hit {number} {''.join(map(str, hits))}")


def fleet_line(ends: Sequence[int]) -> bytes:
    """Return the line with the first and the last cell of each ship, and a salt."""
    return _checked(f"#fleet {_digits(ends)} {_salt()}")


def resume_line(fleet: bytes) -> bytes:
    """Return the line that asks to resume a game whose line was lost, named by the seal of a line of `fleet()`."""
    return _checked(f"#back {seal_of(fleet)}")


def seal_of(line: bytes) -> str:
    """Return the hash that seals a line."""
    return hashlib.sha256(line).hexdigest()[: 2 * HASH_BYTES]


def parse(line: bytes) -> Line | None:
    """Parse a chat text; return None for ordinary chat."""
    for kind, words in _PLAIN.items():
        if line == words:
            return Line(kind)
    if not line.startswith(_BEGINNINGS):
        return None
    body, _, check = line.rpartition(b" ")
    for kind, form in _FORMS.items():
        match = form.fullmatch(body.decode("ascii", "replace"))
        if match is not None and check == b"%04x" % crc16(body, len(body)):
            return _line(kind, match.groups())
    return Line(DAMAGED)


def ends_of(own: Sequence[int]) -> list[int]:
    """Return the first and the last cell of each ship. own: by cell the number of the ship on it."""
    ends = []
    for ship in range(SHIPS):
        cells = [cell for cell in range(CELLS) if own[cell] == ship]
        ends += [cells[0], cells[-1]]
    return ends


def _line(kind: str, parts: Sequence[str]) -> Line:
    if kind in (SHIPS_SEALED, BACK):
        return Line(kind, seal=parts[0])
    if kind == FLEET:
        return Line(kind, cells=_cells(parts[0]))
    number = int(parts[0])
    if kind == AIM:
        return Line(kind, number, seal=parts[1])
    if kind == FIRE:
        return Line(kind, number, cells=_cells(parts[1]))
    hits = tuple(int(digit) for digit in parts[1])
    return Line(kind, number, hits=hits) if all(map(_fits, hits, LENGTHS)) else Line(DAMAGED)


def _fits(hits: int, length: int) -> bool:
    return hits <= length


def _checked(body: str) -> bytes:
    data = body.encode()
    return data + b" %04x" % crc16(data, len(data))


def _salt() -> str:
    return secrets.token_hex(SALT_DIGITS // 2)


def _digits(cells: Sequence[int]) -> str:
    """Return column and row of each cell, from 1, a digit each."""
    return "".join(f"{cell % SIZE + 1:x}{cell // SIZE + 1:x}" for cell in cells)


def _cells(digits: str) -> tuple[int, ...]:
    if digits == "-":
        return ()
    places = [int(digit, 16) - 1 for digit in digits]
    return tuple(y * SIZE + x for x, y in zip(places[::2], places[1::2], strict=True))


def placed_by_ends(ends: Sequence[int]) -> bytes | None:
    """Return by cell the ship on it, for a fleet given by its ships' ends; None if it breaks the rules."""
    game = Salvo(Rng(0))
    game.held = 1
    for ship in range(SHIPS):
        first, last = ends[2 * ship : 2 * ship + 2]
        ways = [way for way in range(DIRECTIONS) if _last(first, way, LENGTHS[ship]) == last]
        if not ways or game.place(0, ship, first % SIZE, first // SIZE, ways[0]) != OK:
            return None
    return bytes(game.views[0].own)


def _last(first: int, way: int, length: int) -> int:
    return first + (length - 1) * (step_y(way) * SIZE + step_x(way))
