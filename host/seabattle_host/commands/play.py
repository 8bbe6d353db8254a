"""`seabattle play`: a game over a serial line, in the terminal."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from seabattle_host.commands import options
from seabattle_host.errors import UNWRITTEN, SeabattleError, UserError
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import ROLES, Parameters, nick_bytes

if TYPE_CHECKING:
    from seabattle_host.records.settings import Preferences
    from seabattle_host.tui.app import SeabattleApp
    from seabattle_host.tui.start_options import StartOptions

_PATIENCE = 0.5
"""Seconds of a goodbye after which the player is told what is being waited for."""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("play_about")
    parser = subparsers.add_parser("play", help=about, description=about)
    options.add_port(parser, required=False)
    parser.add_argument("--board", action="store_true", help=tr("play_help_board"))
    parser.add_argument("--role", choices=ROLES, help=tr("help_play_role"))
    parser.add_argument("--nick", metavar="NAME", help=tr("help_play_nick"))
    parser.add_argument("--nick-cp866", action="store_true", help=tr("help_nick_cp866"))
    parser.add_argument("--size", type=options.size, metavar="6..10", help=tr("help_size"))
    parser.add_argument("--fleet", type=options.counts, metavar="n4,n3,n2,n1", help=tr("help_fleet"))
    parser.add_argument("--level", type=options.level, metavar="LEVEL", default="sharp", help=tr("help_play_level"))
    parser.add_argument("--fair", action=argparse.BooleanOptionalAction, help=tr("help_fair"))
    parser.add_argument("--bell", action=argparse.BooleanOptionalAction, help=tr("help_bell"))
    parser.add_argument("--log", metavar="FILE", help=tr("help_log"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the application until the player leaves it; return the exit status."""
    preferences = options.preferences(args)
    start = _start_options(args)
    need_terminal("play")
    if not args.port and not args.board:
        find_board(start, preferences)
    from seabattle_host.line.log import TextLog
    from seabattle_host.records.archive import open_archive
    from seabattle_host.tui.app import SeabattleApp  # the slowest import

    archive, problem = open_archive()
    log = TextLog(args.log, f"seabattle play, port {args.port or '-'} {start.settings}") if args.log else None
    if log is not None:
        start.observers = (log,)
    app = SeabattleApp(start, preferences, archive, problem)
    try:
        app.run()
    finally:
        say_goodbye(app)
        if archive is not None:
            archive.close()
        if log is not None:
            log.close()
    return UNWRITTEN if log is not None and log.failed and app.return_code in (None, 0, 1) else app.return_code or 0


def _start_options(args: argparse.Namespace) -> StartOptions:
    """Return the options of the arguments. Raises UserError for a combination that makes no sense."""
    from seabattle_host.tui.start_options import StartOptions

    offer = None
    if args.size is not None or args.fleet is not None:
        usual = Parameters()
        offer = Parameters(args.size or usual.size, *(args.fleet or usual.counts))
        offer.check()
    if args.nick is not None:
        nick_bytes(args.nick, args.nick_cp866)
    if args.board and args.port:
        raise UserError(tr("board_or_port"))
    return StartOptions(
        url=args.port or "",
        board=args.board,
        settings=options.settings(args),
        role=args.role or "",
        nick=args.nick or "",
        cp866=args.nick_cp866,
        offer=offer,
        level=args.level,
        fair=args.fair,
        bell=args.bell,
    )


def find_board(start: StartOptions, preferences: Preferences) -> None:
    """Connect to the board that plays over its USB cable, if there is exactly one, and print what was found."""
    from seabattle_host.boards import discovery

    found = discovery.find_boards()
    games = [each for each in found if each.what == discovery.GAME]
    # several: the port used last time
    chosen = games if len(games) == 1 else [each for each in games if each.url == preferences.port]
    lines = [each.why or tr(f"found_{each.what}", port=each.url, maker=each.maker) for each in chosen or found]
    if games and not chosen:
        lines.append(tr("found_several"))
    for line in lines:
        print(line, file=sys.stderr)
    start.found = "\n".join(lines)
    if chosen:
        start.url, start.settings = chosen[0].url, chosen[0].settings


def need_terminal(command: str) -> None:
    """Raise UserError if there is no terminal to draw on."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(tr("play_no_terminal", command=command))


def say_goodbye(app: SeabattleApp) -> None:
    """Say goodbye on a line that is still open, after the terminal has been restored. Ctrl-C leaves at once."""
    import threading

    session, board = app.session, app.board
    try:
        if session is not None:
            late = threading.Timer(_PATIENCE, lambda: print(tr("parting_in_words"), file=sys.stderr))
            late.start()
            try:
                session.close()
            except KeyboardInterrupt:
                session.close(wait=0)
            finally:
                late.cancel()
    except SeabattleError as error:
        print(f"seabattle: {error}", file=sys.stderr)
    finally:
        if board is not None:
            board.close()
