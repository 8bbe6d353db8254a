"""`seabattle wireshark`: print or install the dissector."""

from __future__ import annotations

import argparse
import sys

from seabattle_host.commands import options
from seabattle_host.language.messages import tr


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("wireshark_about")
    parser = subparsers.add_parser("wireshark", help=about, description=about)
    parser.add_argument("--install", action="store_true", help=tr("help_install"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the dissector, or install it."""
    from seabattle_host.sniff.dissector import DECODE_AS, FILE, PROFILE, add_line, colour_rules, folders, put, source

    if not args.install:
        sys.stdout.write(source())
        return 0
    plugins, settings = folders()
    put(plugins / FILE, source())
    profile = settings / "profiles" / PROFILE
    for folder in (settings, profile):
        add_line(folder / "decode_as_entries", DECODE_AS)
    if not (profile / "colorfilters").exists():
        put(profile / "colorfilters", colour_rules())
    print(tr("installed", path=plugins / FILE))
    print(tr("installed_profile", name=PROFILE, path=profile))
    print(tr("wireshark_next"))
    return 0
