"""`seabattle sigrok`: print or install the protocol decoder."""

from __future__ import annotations

import argparse
from pathlib import Path

from seabattle_host.commands import options
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("sigrok_about")
    parser = subparsers.add_parser("sigrok", help=about, description=about)
    parser.add_argument("--install", action="store_true", help=tr("help_install"))
    parser.add_argument("--folder", metavar="DIR", help=tr("help_folder"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Install the decoder, or print the part of it that sigrok loads."""
    from seabattle_host.sniff.sigrok import NAME, PIECE, install, usual_folder

    if not args.install and not args.folder:
        print(PIECE.read_text(encoding="utf-8"), end="")
        return 0
    folder = Path(args.folder) if args.folder else usual_folder()
    install(folder)
    print(tr("installed", path=folder / NAME))
    print(tr("sigrok_next"))
    return 0
