"""Shared by the commands of the games at one screen: options, and the choice of the interface."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from seabattle_host.commands import options
from seabattle_host.games.setup import KINDS, Setup, any_seed, check_names, full_screen, labels, replace_undecodable
from seabattle_host.language.messages import tr
from seabattle_host.language.text import LETTERS
from seabattle_host.player.parameters import LEVELS

if TYPE_CHECKING:
    from seabattle_host.games.ui import GameUI
    from seabattle_host.records.archive import Archive

_AWAY_MOST = 10080
"""A week, in minutes."""


def add_options(parser: argparse.ArgumentParser, players: int) -> None:
    """Add the options that all games at one screen have."""
    people = options.whole(0, players)
    parser.add_argument("--people", type=people, metavar=f"0..{players}", help=tr("help_people"))
    parser.add_argument("--names", metavar="A,B", help=tr("help_names"))
    usual = LEVELS["sharp"]
    parser.add_argument("--level", type=options.level, default=usual, metavar="LEVEL", help=tr("help_game_level"))
    parser.add_argument("--away", type=_minutes, default=0.0, metavar="MINUTES", help=tr("help_away"))
    add_interface_options(parser)
    options.add_seed(parser)
    options.add_lang(parser)


def add_interface_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the interface."""
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--chat", action="store_true", help=tr("games_help_chat"))
    how.add_argument("--lines", action="store_true", help=tr("help_lines"))


def setup_of(kind: str, args: argparse.Namespace, **more: Any) -> Setup:
    """Return the setup asked for. Raises UserError for invalid names."""
    names = check_names(args.names.split(","), kind) if args.names is not None else ()
    people = args.people if args.people is not None else max(1, len(names))
    seed = any_seed() if args.seed is None else args.seed
    return Setup(kind, people, seed, names=names, level=args.level, away=args.away, **more)


def open_game(setup: Setup, args: argparse.Namespace, chat: bool = False) -> int:
    """Play in full screen if there is one and lines were not asked for, else as lines; return the exit status."""
    from seabattle_host.records.archive import open_archive

    preferences = options.preferences(args)
    archive, problem = open_archive()
    chat = chat or args.chat
    try:
        if not (chat or args.lines) and full_screen():
            from seabattle_host.tui.app import SeabattleApp
            from seabattle_host.tui.start_options import StartOptions

            SeabattleApp(StartOptions(setup=setup), preferences, archive, problem).run()
            return 0
        from seabattle_host.games import start
        from seabattle_host.games.ui import Left

        replace_undecodable(sys.stdin)
        ui = ui_of(setup, chat, archive, problem)
        try:
            start.play(setup, ui)
        except Left:
            ui.tell(None, tr("left_to_resume" if ui.keeper.resumable and ui.typed else "games_left"))
        ui.show_problem()
        return 0
    finally:
        if archive is not None:
            archive.close()


def ui_of(setup: Setup, chat: bool, archive: Archive | None, problem: str) -> GameUI:
    """Return the interface for a game as lines of text."""
    from seabattle_host.games.recording import Keeper
    from seabattle_host.games.ui import GameUI

    called = labels(setup.kind, setup.names)
    keeper = Keeper(archive, problem)
    return GameUI(KINDS[setup.kind], setup.people, chat, LETTERS[setup.letters], keeper, called, setup.away * 60)


def _minutes(value: str) -> float:
    """Parse minutes, fractions allowed, up to a week (an argument type)."""
    try:
        minutes = float(value.replace(",", "."))
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes <= _AWAY_MOST:
        raise argparse.ArgumentTypeError(tr("bad_minutes", value=value, most=_AWAY_MOST))
    return minutes
