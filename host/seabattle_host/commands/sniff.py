"""`seabattle sniff`: options. The work is in `sniff_run.py`, imported when it runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from seabattle_host.commands import options
from seabattle_host.language.messages import tr

if TYPE_CHECKING:
    from seabattle_host.sniff.storage import Rotation


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("sniff_about")
    parser = subparsers.add_parser("sniff", help=about, description=about)
    parser.add_argument("ports", metavar="PORT", nargs="+", help=tr("help_ports"))
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--tap", action="store_true", help=tr("help_tap"))
    how.add_argument("--one", action="store_true", help=tr("help_one"))
    how.add_argument("--virtual", action="store_true", help=tr("help_virtual"))
    parser.add_argument("--link", metavar="PATH", help=tr("sniff_help_link"))
    options.add_settings(parser)
    parser.add_argument("--harm", metavar="RULE", action="append", default=[], help=tr("help_harm"))
    parser.add_argument("--harm-file", metavar="FILE", help=tr("help_harm_file"))
    parser.add_argument("--harm-seed", type=options.whole(0, 2**31), default=1, metavar="N", help=tr("help_harm_seed"))
    parser.add_argument("--raw", action="store_true", help=tr("help_raw"))
    parser.add_argument("--syncs", action="store_true", help=tr("help_syncs"))
    parser.add_argument("--quiet", action="store_true", help=tr("help_quiet"))
    add_files(parser)
    add_selection(parser)
    parser.add_argument("--seconds", type=options.seconds, metavar="N", help=tr("help_seconds"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add `--log`, `--json`, `--pcapng` and `--rotate`."""
    parser.add_argument("--log", metavar="FILE", help=tr("help_keep_text"))
    parser.add_argument("--json", metavar="FILE", help=tr("help_keep_json"))
    parser.add_argument("--pcapng", metavar="FILE", help=tr("help_keep_pcapng"))
    parser.add_argument("--csv", metavar="FILE", help=tr("help_keep_csv"))
    parser.add_argument("--rotate", type=_rotation, metavar="SIZE|TIME", help=tr("sniff_help_rotate"))
    parser.add_argument("--parts", type=options.whole(1, 10**6), metavar="N", help=tr("help_parts"))


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Add `--filter`, `--from`, `--until`, `--search` and `--clock`."""
    parser.add_argument("--filter", metavar="WORDS", help=tr("help_filter"))
    parser.add_argument("--from", dest="since", metavar="TIME", help=tr("help_from"))
    parser.add_argument("--until", metavar="TIME", help=tr("help_until"))
    parser.add_argument("--search", metavar="TEXT", help=tr("help_search"))
    parser.add_argument("--clock", action="store_true", help=tr("help_clock"))


def run(args: argparse.Namespace) -> int:
    """Sniff until Ctrl-C or for the time asked for; return the exit status: 1 if a file could not be written."""
    from seabattle_host.commands import sniff_run

    return sniff_run.run(args)


def _rotation(value: str) -> Rotation:
    from seabattle_host.sniff.storage import Rotation

    try:
        return Rotation.parse(value)
    except ValueError:
        raise argparse.ArgumentTypeError(tr("sniff_bad_rotate", value=value)) from None
