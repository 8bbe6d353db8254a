"""`seabattle club admin` and `club backup`: administration by the operator."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from seabattle_host.commands import options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.records.paths import club_path

if TYPE_CHECKING:
    from seabattle_host.club.admin import Administration

_ANSWER_SECONDS = 10.0
_LOOK_SECONDS = 0.1

Alone = Callable[[Path], AbstractContextManager[None]]


def register(actions: argparse._SubParsersAction[argparse.ArgumentParser], alone: Alone) -> None:
    """Declare the commands. alone: locks the club's file, or raises UserError if the club is open."""
    admin = actions.add_parser("admin", help=tr("admin_about"), description=tr("admin_about"))
    options.add_lang(admin)
    orders = admin.add_subparsers(metavar="rename|ban|unban|bans|end|say|delete", dest="order", required=True)
    for name, arguments in (
        ("rename", ("name", "new")),
        ("ban", ("what",)),
        ("unban", ("what",)),
        ("bans", ()),
        ("end", ("number",)),
        ("say", ("text",)),
        ("delete", ("name",)),
    ):
        parser = orders.add_parser(name, help=tr(f"admin_{name}_about"), description=tr(f"admin_{name}_about"))
        for argument in arguments:
            kind = options.whole(1, 2**31) if argument == "number" else str
            parser.add_argument(argument, type=kind, metavar="N" if argument == "number" else argument.upper())
        if name == "ban":
            parser.add_argument("--days", type=options.seconds, metavar="DAYS", help=tr("help_days"))
        add_db(parser)
        options.add_lang(parser)
        parser.set_defaults(run=run_admin, arguments=arguments, alone=alone)
    backup = actions.add_parser("backup", help=tr("backup_about"), description=tr("backup_about"))
    backup.add_argument("file", type=Path, metavar="FILE")
    add_db(backup)
    options.add_lang(backup)
    backup.set_defaults(run=run_backup)


def add_db(parser: argparse.ArgumentParser) -> None:
    """Add the option --db."""
    parser.add_argument("--db", type=Path, metavar="FILE", help=tr("help_db", path=club_path()))


def run_admin(args: argparse.Namespace) -> int:
    """Give an order to the open club, or carry it out in the file of a closed one."""
    what = [args.order, *(str(getattr(args, name)) for name in args.arguments)]
    if args.order == "ban" and args.days is not None:
        what.append(str(args.days))
    if args.order == "bans":
        from seabattle_host.club.admin import Administration
        from seabattle_host.club.store import Store

        with Store(args.db, make=False) as store:
            for banned, until in Administration(store).bans():
                print(tr("admin_ban_until", what=banned, until=until) if until else banned)
        return 0
    print(ordered(args.db, args.alone, what))
    return 0


def ordered(db: Path | None, alone: Alone, what: list[str]) -> str:
    """Return the result of an order, in the open club or in the file of a closed one."""
    from seabattle_host.club.admin import Administration, obey
    from seabattle_host.club.store import Store

    with Store(db, make=False) as store:
        admin = Administration(store)
        return _ordered(admin, what) if _is_open(alone, store.path) else obey(admin, None, what)


def _is_open(alone: Alone, path: Path) -> bool:
    try:
        with alone(path):
            return False
    except UserError:
        return True


def _ordered(admin: Administration, what: list[str]) -> str:
    number = admin.order(*what)
    until = time.monotonic() + _ANSWER_SECONDS
    while time.monotonic() < until:
        result = admin.result(number)
        if result is not None:
            if result.startswith("!"):
                raise UserError(result[1:])
            return result
        time.sleep(_LOOK_SECONDS)
    raise UserError(tr("admin_no_answer"))


def run_backup(args: argparse.Namespace) -> int:
    """Copy the club's file."""
    from seabattle_host.club.admin import back_up

    path = args.db or club_path()
    if not path.exists():
        raise UserError(tr("no_club", file=path))
    back_up(path, args.file)
    print(tr("backup_done", file=args.file))
    return 0
