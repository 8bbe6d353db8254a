"""The setup of a game at one screen: which game, players and choices."""

from __future__ import annotations

import dataclasses
import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seabattle.gunner import SHARP
from seabattle_host.errors import UserError
from seabattle_host.games.field_view import CLASSIC, MELEE, NAMES, SALVO
from seabattle_host.games.rules import CLASSIC_VARIANT, Variant
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import SEED_MOST

KINDS = {CLASSIC: 2, SALVO: 2, MELEE: 3}
"""Name of a game -> number of players."""


NAME_MOST = 20
"""Most characters of a player's name."""

LOT = "lot"
"""In place of who begins: it is drawn by lot."""


@dataclass(frozen=True)
class Setup:
    """A game before it begins. letters: a key of text.LETTERS. lot: whether the order of a melee is drawn.

    variant: of the classic game. first: who begins it, or LOT. names: of the first players, possibly not all. level: of
    the computers. away: minutes after which a player who does not move may be skipped; 0 for never. journal: the file
    of a game that is resumed, empty for a new one.
    """

    kind: str
    people: int
    seed: int
    letters: str = "latin"
    lot: bool = False
    variant: Variant = CLASSIC_VARIANT
    first: str = LOT
    names: tuple[str, ...] = ()
    level: int = SHARP
    away: float = 0.0
    journal: str = ""

    def seats(self) -> list[str]:
        """Return the players' names, computers marked."""
        called = labels(self.kind, self.names)
        return [name if i < self.people else tr("seat_computer", name=name) for i, name in enumerate(called)]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Setup:
        """Return a setup from JSON data. Raises ValueError or TypeError if it is invalid."""
        data = {**data, "variant": tuple(data["variant"]), "names": tuple(data["names"])}
        setup = cls(**data)
        if setup.kind not in KINDS:
            raise ValueError("no such game")
        return setup


def labels(kind: str, names: Sequence[str]) -> list[str]:
    """Return the players' labels: their names as far as given, else letters.

    In a melee the letter follows the name, since the field shows it.
    """
    called = []
    for seat in range(KINDS[kind]):
        letter, name = NAMES[seat], names[seat] if seat < len(names) else ""
        called.append(letter if not name else f"{name} ({letter})" if kind == MELEE else name)
    return called


def check_names(names: Sequence[str], kind: str) -> tuple[str, ...]:
    """Normalize typed names. Raises UserError for those that are ambiguous or cannot be displayed."""
    tidy = tuple(" ".join(name.split()) for name in names)
    while tidy and not tidy[-1]:
        tidy = tidy[:-1]
    if len(tidy) > KINDS[kind]:
        raise UserError(tr("names_many", count=len(tidy), most=KINDS[kind]))
    for seat, name in enumerate(tidy):
        if not name:
            continue
        if len(name) > NAME_MOST or not name.isprintable() or ":" in name or any(char.isdigit() for char in name):
            raise UserError(tr("name_bad", name=name, most=NAME_MOST))
        others = [other.casefold() for i, other in enumerate((*tidy, *NAMES)) if i not in (seat, len(tidy) + seat)]
        if name.casefold() in others:
            raise UserError(tr("name_twice", name=name))
    return tidy


def any_seed() -> int:
    """Return an unpredictable seed."""
    return secrets.randbelow(SEED_MOST + 1)


def with_new_seed(setup: Setup) -> Setup:
    """Return the same setup with another seed."""
    return dataclasses.replace(setup, seed=any_seed(), journal="")


def replace_undecodable(stream: object) -> None:
    """Replace undecodable bytes in the stream instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def full_screen() -> bool:
    """Return whether there is a terminal that can be drawn on."""
    # a Windows console sets no TERM
    kind = os.environ.get("TERM", "" if os.name == "nt" else "dumb")
    return sys.stdin.isatty() and sys.stdout.isatty() and kind != "dumb"
