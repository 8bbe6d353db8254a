"""What the commands of the games at one screen share: options, and where the game is shown."""

from __future__ import annotations

import argparse
import sys

from seabattle_host.commands import options
from seabattle_host.games import start
from seabattle_host.games.recording import Keeper
from seabattle_host.games.setup import KINDS, Setup, any_seed, forgive, full_screen
from seabattle_host.games.table import Left, Table
from seabattle_host.language import words
from seabattle_host.language.games_phrases import say
from seabattle_host.language.text import LETTERS
from seabattle_host.records.archive import open_archive
from seabattle_host.records.settings import Preferences


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


def open_table(setup: Setup, args: argparse.Namespace) -> int:
    """Play in full screen where there is one and nobody wants lines, else as lines; return the exit status."""
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
            start.play(setup, table)
        except Left:
            table.tell(None, say("left"))
        table.say_problem()
        return 0
    finally:
        if archive is not None:
            archive.close()
