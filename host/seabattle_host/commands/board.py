"""`seabattle board`: options. The work is in `board_run.py`, imported when it runs."""

from __future__ import annotations

import argparse

from seabattle_host.commands import options
from seabattle_host.language.messages import tr
from seabattle_host.line import interpreters, panels
from seabattle_host.line.terminal import MODES
from seabattle_host.player.parameters import LEVELS, ROLES
from seabattle_host.records.paths import board_path, opponent_log_path

ALONE = "alone"


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    usual_panel = panels.NAMES[0]
    levels = ", ".join(LEVELS)
    about = tr("board_about")
    parser = subparsers.add_parser("board", help=about, description=about)
    parser.add_argument(
        "--panel", choices=panels.NAMES, default=usual_panel, help=tr("board_help_panel", usual=usual_panel)
    )
    parser.add_argument("--rom", choices=panels.ROMS, help=tr("board_help_rom"))
    parser.add_argument("--pixels", choices=MODES, help=tr("help_pixels"))
    parser.add_argument("--role", choices=(*ROLES, ALONE), help=tr("board_help_role"))
    parser.add_argument("--opponent", action="store_true", help=tr("help_opponent"))
    parser.add_argument("--log", metavar="FILE", help=tr("board_help_log", usual=opponent_log_path()))
    parser.add_argument("--autoplay", action="store_true", help=tr("help_autoplay"))
    parser.add_argument("--games", type=options.whole(0, 10**6), default=1, metavar="N", help=tr("board_help_games"))
    options.add_parameters(parser)
    parser.add_argument(
        "--level",
        type=options.level,
        metavar="LEVEL",
        help=tr("board_help_level", levels=levels, most=len(LEVELS)),
    )
    parser.add_argument("--nick", metavar="NAME", help=tr("board_help_nick"))
    parser.add_argument("--nick-cp866", action="store_true", help=tr("help_nick_cp866"))
    parser.add_argument("--chat", metavar="TEXT", default="", help=tr("help_chat"))
    options.add_seed(parser)
    parser.add_argument("--until-eof", action="store_true", help=tr("help_until_eof"))
    parser.add_argument("--link", metavar="PATH", help=tr("board_help_link"))
    parser.add_argument("--port", metavar="URL", help=tr("board_help_port"))
    parser.add_argument("--listen", type=options.address, metavar="HOST:PORT", help=tr("board_help_listen"))
    parser.add_argument("--store", metavar="FOLDER", help=tr("help_store", usual=board_path()))
    parser.add_argument("--interpreter", choices=interpreters.NAMES, help=tr("help_interpreter"))
    parser.add_argument("--heap-lock", action="store_true", help=tr("help_heap_lock"))
    options.add_settings(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the board; return the exit status."""
    from seabattle_host.commands import board_run

    return board_run.run(args)
