"""`seabattle decode`: options. The work is in `decode_run.py`, imported when it runs."""

from __future__ import annotations

import argparse

from seabattle_host.commands import options
from seabattle_host.commands.sniff import add_files, add_selection
from seabattle_host.language.messages import tr
from seabattle_host.sniff.forms import NAMES as FORMATS


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("decode_about")
    parser = subparsers.add_parser("decode", help=about, description=about)
    parser.add_argument("files", metavar="FILE", nargs="*", help=tr("help_files"))
    parser.add_argument("--check", action="store_true", help=tr("help_check"))
    parser.add_argument("--report", action="store_true", help=tr("sniff_help_report"))
    parser.add_argument(
        "--form",
        "--format",
        dest="form",
        choices=FORMATS,
        metavar="NAME",
        help=tr("help_form", names=", ".join(FORMATS)),
    )
    parser.add_argument("--merged", action="store_true", help=tr("help_merged"))
    parser.add_argument("--raw", action="store_true", help=tr("help_raw"))
    parser.add_argument("--syncs", action="store_true", help=tr("help_syncs"))
    add_files(parser)
    add_selection(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the files and print what was asked for; return the exit status."""
    from seabattle_host.commands import decode_run

    return decode_run.run(args)
