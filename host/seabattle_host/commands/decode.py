"""`seabattle decode`: reads captures and dumps, names every frame, checks the session, sums it up."""

from __future__ import annotations

import argparse

from seabattle import watch
from seabattle_host.commands import options
from seabattle_host.commands.sniff import add_files, check_files, keep
from seabattle_host.language.sniff_phrases import say
from seabattle_host.sniff import rendering
from seabattle_host.sniff.reading import FORMATS, read
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.records import records
from seabattle_host.sniff.report import report
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.view import View


def register(subparsers: argparse._SubParsersAction) -> None:
    """Declare the command and its options."""
    about = say("decode_about")
    parser = subparsers.add_parser("decode", help=about, description=about)
    parser.add_argument("files", metavar="FILE", nargs="+", help=say("help_files"))
    parser.add_argument("--check", action="store_true", help=say("help_check"))
    parser.add_argument("--report", action="store_true", help=say("help_report"))
    parser.add_argument("--format", choices=FORMATS, help=say("help_format"))
    parser.add_argument("--merged", action="store_true", help=say("help_merged"))
    parser.add_argument("--raw", action="store_true", help=say("help_raw"))
    parser.add_argument("--syncs", action="store_true", help=say("help_syncs"))
    add_files(parser)
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the files and print what was asked for; return the exit status."""
    check_files(args)
    capture = read(args.files, args.format, args.merged)
    session = Session()
    began = next((item.at for item in capture.items), 0)
    only = args.check or args.report
    wrong: list[Record] = []
    keeper = keep(args, capture.header)
    view = View(session, syncs=args.syncs, raw=args.raw, quiet=only, live=False)
    view.bytes(capture.items)
    for record in records(capture, session):
        view.show([record])
        keeper.put([record])
        if record.verdict in (watch.DEVIATION, watch.VIOLATION, watch.DOUBT):
            wrong.append(record)
    keeper.close()
    view.finish()
    if args.check:
        for record in wrong:
            print(rendering.line(record, began, record.at))
            more = session.sums.following[record.number]
            if more:
                print(say("more_follow", count=more))
    if args.report:
        print("\n".join(report(session, capture.header, args.files, began)))
    if args.check:
        broken = session.sums.violations
        print(say("check_bad", count=broken) if broken else say("check_good"))
        if broken:
            return 1
    return 1 if keeper.failed else 0
