"""`seabattle flash`: install the game on a board, or remove it."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from seabattle_host.boards import bootsel, deploy
from seabattle_host.boards.deploy import Kind, Plan
from seabattle_host.boards.device import Device, Identity
from seabattle_host.commands import board_options, options, wifi
from seabattle_host.commands.boards import describe, only_board
from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language.messages import tr

CHOSEN_LINE = "seabattle-line.txt"
"""The line chosen in the board's settings; it overrides LINE until that is set again."""

SAVED = ("seabattle-0.dat", "seabattle-1.dat", CHOSEN_LINE, wifi.FILE)
"""Files with the game's settings, as in seaboard.hardware, and those of the radio."""

_REPORT = re.compile(r"^seabattle: (ready|fault)\b *(.*?)\r?$", re.MULTILINE)
_START_SECONDS = 15.0


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("flash_about")
    parser = subparsers.add_parser("flash", help=about, description=about)
    names = [kind.name for kind in deploy.kinds()]
    parser.add_argument("--port", metavar="P", help=tr("flash_help_port"))
    which = parser.add_argument("--board", metavar="NAME", help=tr("flash_help_board", names=", ".join(names)))
    options.with_choices(which, names)
    board_options.add(parser)
    parser.add_argument("--wifi", action="store_true", help=tr("help_wifi"))
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help=tr("help_list"))
    what.add_argument("--image", nargs="?", const="", metavar="FILE.uf2", help=tr("help_image"))
    what.add_argument("--dry-run", action="store_true", help=tr("help_dry_run"))
    what.add_argument("--erase", action="store_true", help=tr("help_erase"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Carry out the arguments; return the exit status."""
    check_together(args)
    if args.list:
        for each in deploy.kinds():
            print(f"{each.name:11} {each.machine.removesuffix(' with')}, {each.chip}")
        return 0
    if args.image is not None:
        return put_image(args.image)
    kind = None if args.board is None else deploy.kind_by_name(args.board)
    board_options.check_names(args)
    if args.wifi:
        args.line = "tcp"
    if kind is not None:
        board_options.changes(args, kind)  # report an invalid combination before looking for a board
    with Device(only_board() if args.port is None else args.port) as board:
        identity = board.identity()
        if args.erase:
            return erase(board)
        kind = choose(kind, identity)
        deploy.check_version(identity)
        changes = board_options.changes(args, kind)
        print(describe(board.url, identity, kind))
        radio = wifi.ask() if args.wifi and not args.dry_run else b""
        if board_options.nothing_said(args) and deploy.is_bare(board, kind):
            changes = board_options.BARE
            print(tr("bare"))
        values = {**kind.values, **changes}
        print(tr("flash_set", panel=values["PANEL"] or "none", line=values["LINE"]))
        wanted = deploy.wanted_files(kind, changes, identity.version_text)
        steps = deploy.plan(board, wanted)
        if "LINE" in changes and board.files([CHOSEN_LINE]):
            steps.remove.append(CHOSEN_LINE)
        if args.dry_run:
            tell(steps)
            return 0
        install(board, steps)
        if radio:
            board.write(wifi.FILE, radio)
            print(tr("wifi_kept", path=wifi.FILE))
        # the others had the right hash before
        deploy.check(board, steps.write)
        print(tr("verified", count=len(wanted)))
        return start(board)


_ALONE = {"list": False, "image": None, "erase": False}
"""Options for actions other than installing -> their default."""


def check_together(args: argparse.Namespace) -> None:
    """Check for options that exclude each other. Raises UserError."""
    others = ["board", *board_options.OPTIONS, "wifi"]
    for name, none in _ALONE.items():
        if getattr(args, name) != none:
            for other in [*others, "port"] if name != "erase" else others:
                if getattr(args, other) not in (None, False):
                    raise UserError(tr("flash_not_together", option=f"--{name}", other=f"--{other}"))
    if args.wifi and args.line not in (None, "tcp"):
        raise UserError(tr("flash_not_together", option="--wifi", other=f"--line {args.line}"))


def put_image(image: str) -> int:
    """Copy MicroPython to a board that shows up as a drive, or say where to get it."""
    if not image:
        print(tr("where_images"))
        for each in deploy.kinds():
            print(f"  {each.name:11} https://micropython.org/download/{each.values['DOWNLOAD']}/")
        return 0
    print(tr("image_copied", drive=bootsel.copy(Path(image))))
    return 0


def choose(kind: Kind | None, identity: Identity) -> Kind:
    """Return the board's kind: the one asked for if its chip is right, else the recognised one. Raises UserError."""
    if kind is not None:
        deploy.check_chip(kind, identity)
        return kind
    kind = deploy.recognise_kind(identity)
    if kind is None:
        raise deploy.unsupported_error(identity)
    return kind


def tell(steps: Plan) -> None:
    """Print what would be done."""
    if steps.same:
        print(tr("same", count=steps.same))
    for path, data in steps.write.items():
        print(tr("would_write", path=path, size=len(data)))
    for path in steps.remove:
        print(tr("would_remove", path=path))


def install(board: Device, steps: Plan) -> None:
    """Carry out the plan: write and remove files."""
    if steps.same:
        print(tr("same", count=steps.same))
    if steps.empty:
        return
    deploy.check_room(board, steps)
    for path in deploy.upload(board, steps):
        print(tr("writing", path=path, size=len(steps.write[path])), flush=True)
    for path in steps.remove:
        print(tr("removing", path=path))
    if steps.keep_main:
        print(tr("kept_main", path=steps.keep_main))
    deploy.activate(board, steps)


def start(board: Device) -> int:
    """Start the game and read its self-test. Raises SeabattleError if it fails or does not report."""
    report, printed = board.restart(_REPORT, _START_SECONDS)
    if report is None:
        raise SeabattleError(why_not_started(printed))
    if report.group(1) != "ready":
        raise SeabattleError(tr("self_test_failed", report=report.group(2)))
    print(tr("started", report=report.group(2)))
    return 0


def why_not_started(printed: str) -> str:
    """Explain in one line, from its output, why a board has not reported."""
    # The last traceback is the one that ended it: file, then the error in the first line that is not indented.
    _, traceback, rest = printed.rpartition("Traceback (most recent call last):")
    files = re.findall(r'File "([^"]+)"', rest)
    errors = re.findall(r"^\w[\w.]*(?:Error|Exception|Exit|Interrupt)\b.*$", rest, re.MULTILINE)
    if not traceback or not files or not errors:
        return tr("not_started")
    error = errors[0].strip()
    # none of our files has this name on the board
    if files[0] == "boot.py":
        return tr("boot_failed", error=error)
    return tr("start_failed", path=files[-1], error=error)


def erase(board: Device) -> int:
    """Remove the game from the board."""
    removed = deploy.erase(board, SAVED)
    for path in removed:
        print(tr("removing", path=path))
    restored = deploy.restore_main(board)
    if restored:
        print(tr("main_given_back", path=restored))
    if deploy.starts_removed_game(board):
        print(tr("main_starts_nothing"))
    if deploy.is_frozen(board):
        print(tr("frozen_stays"))
    else:
        print(tr("erased" if removed else "nothing_to_erase"))
    return 0
