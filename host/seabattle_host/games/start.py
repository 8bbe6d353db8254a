"""Starts the game that a setup names."""

from __future__ import annotations

from seabattle_host.games import classic, melee, salvo
from seabattle_host.games.field_view import CLASSIC, MELEE, SALVO
from seabattle_host.games.setup import Setup
from seabattle_host.games.table import Table

_GAMES = {CLASSIC: classic.play, SALVO: salvo.play, MELEE: melee.play}


def play(setup: Setup, table: Table) -> None:
    """Play a game to its end. Raises Left when a person leaves."""
    _GAMES[setup.kind](setup, table)
