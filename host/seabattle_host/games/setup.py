"""What is played at one screen, by how many people and with which choices."""

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
"""Name of a game -> its players."""


NAME_MOST = 20
"""Characters of a player's name."""

LOT = "lot"
"""In place of who begins: it is drawn."""


@dataclass(frozen=True)
class Setup:
    """A game before it begins. letters: of field_view.LETTERS. lot: whether the order of a melee is drawn.

    variant: of the classic game. first: who begins it, or LOT. names: of the players, as far as they have some. level:
    of the computers. away: minutes after which a player who does not move may be skipped; 0 for never. journal: the
    file of the game that goes on, empty for a new one."""

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
        """What the players are called, and which of them are computers."""
        called = labels(self.kind, self.names)
        return [name if i < self.people else tr("seat_computer", name=name) for i, name in enumerate(called)]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Setup:
        """A setup that was written as JSON. Raises ValueError or TypeError for what is none."""
        data = {**data, "variant": tuple(data["variant"]), "names": tuple(data["names"])}
        setup = cls(**data)
        if setup.kind not in KINDS:
            raise ValueError("no such game")
        return setup


def labels(kind: str, names: Sequence[str]) -> list[str]:
    """What the players of a game are called: by their names as far as they have some, else by letters.

    In a melee the letter stands behind the name, since the field shows it.
    """
    called = []
    for seat in range(KINDS[kind]):
        letter, name = NAMES[seat], names[seat] if seat < len(names) else ""
        called.append(letter if not name else f"{name} ({letter})" if kind == MELEE else name)
    return called


def check_names(names: Sequence[str], kind: str) -> tuple[str, ...]:
    """Names as they were typed, tidied. Raises UserError for those that cannot be told apart or shown."""
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
    """A seed that nobody knows."""
    return secrets.randbelow(SEED_MOST + 1)


def another(setup: Setup) -> Setup:
    """The same once more, with another seed."""
    return dataclasses.replace(setup, seed=any_seed(), journal="")


def forgive(stream: object) -> None:
    """Let bytes that are no letters of the stream's encoding be read as signs for what is unknown."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def full_screen() -> bool:
    """Whether there is a terminal that can be drawn on."""
    # a console of Windows has no name
    kind = os.environ.get("TERM", "" if os.name == "nt" else "dumb")
    return sys.stdin.isatty() and sys.stdout.isatty() and kind != "dumb"
