"""`seabattle club`: subcommands and their options. The code behind them is imported when one runs."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path

from seabattle_host.club.limits import ASKED_BOTS, PATIENCE, Limits
from seabattle_host.commands import club_admin, club_tournament, options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.records.paths import club_path

USUAL_LISTEN = "127.0.0.1:4000"
_NONE = "none"


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command, its subcommands and their options."""
    about = tr("club_about")
    parser = subparsers.add_parser("club", help=about, description=about)
    options.add_lang(parser)
    actions = parser.add_subparsers(
        metavar="serve|table|games|show|export|tournament|admin|backup", dest="action", required=True
    )
    _register_serve(actions)
    table = _action(actions, "table", "table_about")
    table.set_defaults(run=_look, look="run_table")
    games = _action(actions, "games", "games_about")
    games.add_argument("--most", type=options.whole(1, 10**6), default=10**6, metavar="N", help=tr("help_most"))
    games.set_defaults(run=_look, look="run_games")
    show = _action(actions, "show", "show_about")
    show.add_argument("number", type=options.whole(1, 2**31), metavar="N")
    show.set_defaults(run=_look, look="run_show")
    export = _action(actions, "export", "export_about")
    export.add_argument("number", type=options.whole(1, 2**31), metavar="N")
    export.add_argument("--capture", action="store_true", help=tr("help_capture"))
    export.add_argument("-o", "--output", metavar="FILE", help=tr("help_output"))
    export.set_defaults(run=_look, look="run_export")
    club_admin.register(actions, _alone)
    club_tournament.register(actions, _alone)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=tr(about), description=tr(about))
    parser.add_argument("--db", type=Path, metavar="FILE", help=tr("help_db", path=club_path()))
    options.add_lang(parser)
    return parser


def _register_serve(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    usual = Limits()
    serve = _action(actions, "serve", "serve_about")
    serve.add_argument(
        "--listen",
        action="append",
        type=_address,
        metavar="HOST:PORT",
        help=tr("club_help_listen", usual=USUAL_LISTEN),
    )
    serve.add_argument("--port", action="append", default=[], metavar="URL", help=tr("club_help_port"))
    serve.add_argument("--web", type=_address, metavar="HOST:PORT", help=tr("help_web"))
    serve.add_argument("--cert", type=Path, metavar="FILE", help=tr("help_cert"))
    serve.add_argument("--key", type=Path, metavar="FILE", help=tr("help_key"))
    serve.add_argument("--proxy", action="append", default=[], metavar="ADDRESS", help=tr("help_proxy"))
    usual_bots = tr("help_bots", usual=ASKED_BOTS)
    serve.add_argument("--bots", type=options.whole(0, 100), metavar="N", help=usual_bots)
    serve.add_argument(
        "--patience",
        type=options.seconds,
        default=PATIENCE,
        metavar="SECONDS",
        help=tr("help_patience", usual=PATIENCE),
    )
    for name, convert, metavar in (
        ("per_address", options.whole(1, 10**5), "N"),
        ("connections", options.whole(1, 10**5), "N"),
        ("waiting", options.seconds, "SECONDS"),
        ("stall", options.seconds, "SECONDS"),
        ("move", options.seconds, "SECONDS"),
        ("boards", options.whole(0, 1000), "N"),
        ("pace", options.whole(1, 10**6), "BYTES"),
    ):
        value = getattr(usual, name)
        serve.add_argument(
            "--" + name.replace("_", "-"),
            type=convert,
            default=value,
            metavar=metavar,
            help=tr(f"limit_{name}", usual=value),
        )
    serve.add_argument("--log", choices=("lines", "json"), default="lines", help=tr("club_help_log"))
    serve.add_argument("--one-address", action="store_true", help=tr("help_one_address"))
    options.add_settings(serve)
    serve.set_defaults(run=run_serve)


def _address(value: str) -> tuple[str, int] | None:
    """Parse HOST:PORT or `none` (an argument type)."""
    if value == _NONE:
        return None
    host, colon, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(tr("club_bad_address", value=value))
    return host, int(port)


# Running them.


def run_serve(args: argparse.Namespace) -> int:
    """Keep the club open until a signal comes; return the exit status."""
    listen = [place for place in args.listen or [_address(USUAL_LISTEN)] if place is not None]
    if not listen and not args.port and not args.web:
        raise UserError(tr("nobody_can_come"))
    path = args.db or club_path()
    with _alone(path):
        from seabattle_host.commands import club_serve

        return club_serve.run(args, path, listen)


def _look(args: argparse.Namespace) -> int:
    from seabattle_host.commands import club_results

    status: int = getattr(club_results, args.look)(args)
    return status


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lock the club's file. The system holds the lock, so a killed club leaves none behind."""
    import sqlite3

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(tr("club_failed", file=path, reason=why(error))) from None
    try:
        with contextlib.closing(sqlite3.connect(f"{path}-open", timeout=0, isolation_level=None)) as lock:
            lock.execute("begin exclusive")
            yield
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise UserError(tr("club_failed", file=path, reason=error)) from None
        raise UserError(tr("club_busy", file=path)) from None
