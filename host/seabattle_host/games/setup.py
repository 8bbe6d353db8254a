"""What is played at one screen and by how many people, and the table that is opened for it."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import os
import secrets
import sys
from dataclasses import dataclass

from seabattle_host.commands import options
from seabattle_host.games.field_view import CLASSIC, LETTERS, MELEE, SALVO
from seabattle_host.games.recording import Keeper
from seabattle_host.games.rules import CLASSIC_VARIANT, Variant
from seabattle_host.games.table import Left, Table
from seabattle_host.language import words
from seabattle_host.language.games_phrases import say

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


def add_table(parser: argparse.ArgumentParser, players: int) -> None:
    """The options that all games at one screen have."""
    people = options.whole(0, players)
    parser.add_argument("--people", type=people, default=1, metavar=f"0..{players}", help=say("help_people"))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--chat", action="store_true", help=say("help_chat"))
    how.add_argument("--lines", action="store_true", help=say("help_lines"))
    options.add_seed(parser)
    options.add_lang(parser)


def seed_of(args: argparse.Namespace) -> int:
    """The seed that was asked for, or any."""
    return any_seed() if args.seed is None else args.seed


def any_seed() -> int:
    """A seed that nobody knows."""
    return secrets.randbelow(options.SEED_MOST + 1)


def another(setup: Setup) -> Setup:
    """The same once more, with another seed."""
    return dataclasses.replace(setup, seed=any_seed())


def play(setup: Setup, table: Table) -> None:
    """Play a game to its end. Raises Left when a person leaves."""
    importlib.import_module(f"seabattle_host.games.{setup.kind}").play(setup, table)


def open_table(setup: Setup, args: argparse.Namespace) -> int:
    """Play in full screen where there is one and nobody wants lines, else as lines; return the exit status."""
    from seabattle_host.commands.play import open_archive
    from seabattle_host.records.settings import Preferences

    preferences = Preferences.load()
    if args.lang is None and preferences.lang in words.LANGUAGES:
        words.use(preferences.lang)
    archive, problem = open_archive()
    try:
        if not (args.chat or args.lines) and full_screen():
            from seabattle_host.tui.app import SeabattleApp, Wishes

            SeabattleApp(Wishes(setup=setup), preferences, archive, problem).run()
            return 0
        keeper = Keeper(archive, problem)
        forgive(sys.stdin)
        table = Table(KINDS[setup.kind], setup.people, args.chat, LETTERS[setup.letters], keeper)
        try:
            play(setup, table)
        except Left:
            table.tell(None, say("left"))
        table.say_problem()
        return 0
    finally:
        if archive is not None:
            archive.close()


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
