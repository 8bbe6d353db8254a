"""What is played at one screen, by how many people and with which choices."""

from __future__ import annotations

import dataclasses
import os
import secrets
import sys
from dataclasses import dataclass

from seabattle_host.games.field_view import CLASSIC, MELEE, SALVO
from seabattle_host.games.rules import CLASSIC_VARIANT, Variant
from seabattle_host.player.parameters import SEED_MOST

KINDS = {CLASSIC: 2, SALVO: 2, MELEE: 3}
"""Name of a game -> its players."""


LOT = "lot"
"""In place of who begins: it is drawn."""


@dataclass(frozen=True)
class Setup:
    """A game before it begins. letters: of sight.LETTERS. lot: whether the order of a melee is drawn. variant: of the
    classic game. first: who begins it, or LOT."""

    kind: str
    people: int
    seed: int
    letters: str = "latin"
    lot: bool = False
    variant: Variant = CLASSIC_VARIANT
    first: str = LOT


def any_seed() -> int:
    """A seed that nobody knows."""
    return secrets.randbelow(SEED_MOST + 1)


def another(setup: Setup) -> Setup:
    """The same once more, with another seed."""
    return dataclasses.replace(setup, seed=any_seed())


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
