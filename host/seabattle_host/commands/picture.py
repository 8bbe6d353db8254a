"""`seabattle picture`: a position as SVG, PNG or text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from seabattle_host.commands import options
from seabattle_host.errors import UserError
from seabattle_host.games.field_view import NAMES
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.whole_file import write_whole

if TYPE_CHECKING:
    from seabattle_host.games.field_view import FieldView


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("picture_about")
    parser = subparsers.add_parser("picture", help=about, description=about)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("file", nargs="?", type=Path, metavar="FILE", help=tr("help_picture_file"))
    which.add_argument("--game", type=options.whole(1, 2**31), metavar="N", help=tr("help_picture_game"))
    parser.add_argument("--after", type=options.whole(0, 10**6), metavar="MOVES", help=tr("help_picture_after"))
    parser.add_argument("--view", choices=("all", *NAMES), default="all", help=tr("help_picture_view"))
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE.svg|FILE.png|FILE.txt|-",
        help=tr("help_picture_output"),
    )
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw the picture; return the exit status."""
    from seabattle_host.games.picture import ENDINGS, STANDARD_OUTPUT, Png, Svg, as_text, draw

    ending = args.output.suffix.lower()
    to_stdout = str(args.output) == STANDARD_OUTPUT
    if ending not in ENDINGS and not to_stdout:
        raise UserError(tr("bad_picture", path=args.output))
    seen = chosen_fields(args)
    data = as_text(seen).encode() if to_stdout or ending == ".txt" else draw(seen, Svg if ending == ".svg" else Png)
    if to_stdout:
        sys.stdout.write(data.decode())
        return 0
    try:
        write_whole(args.output, data)
    except OSError as error:
        raise UserError(tr("cannot_write", path=args.output, why=why(error))) from error
    return 0


def chosen_fields(args: argparse.Namespace) -> list[FieldView]:
    """Return the fields that the arguments ask for. Raises UserError."""
    from seabattle_host.games import review
    from seabattle_host.games.picture import from_history, read
    from seabattle_host.records.archive import Game

    given = from_history(args.game) if args.game else read(args.file)
    if not isinstance(given, Game):
        for option, value in (("--after", args.after), ("--view", args.view if args.view != "all" else None)):
            if value is not None:
                raise UserError(tr("picture_of_text", option=option, path=args.file))
        return given
    viewers = review.viewers(given)
    if args.view not in viewers:
        raise UserError(tr("no_such_player", name=args.view, names=", ".join(viewers)))
    try:
        return review.views(given, given.moves[: args.after], viewers[args.view])
    except (ValueError, IndexError, TypeError) as error:
        raise UserError(tr("no_game_file", path=args.file or args.game)) from error
