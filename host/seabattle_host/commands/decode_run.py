"""The work of `seabattle decode`: read captures and dumps, name every frame, check the session, summarize it."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Iterator

from seabattle import watch
from seabattle_host.commands.sniff_run import check_files, keep, selection, to_output
from seabattle_host.errors import UNWRITTEN, UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import Item
from seabattle_host.sniff.capture_records import records
from seabattle_host.sniff.checking import NAMES, Checking
from seabattle_host.sniff.counting_session import CountingSession
from seabattle_host.sniff.reading import read
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.record_filter import RecordFilter
from seabattle_host.sniff.report import report
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.view import View

_WRONG_MOST = 10_000
"""Most findings to print: more help nobody."""


_OBJECTS_MOST = 100_000
"""How many new objects may be made until cycles among them are looked for."""


def run(args: argparse.Namespace) -> int:
    """Read the files and print what was asked for; return the exit status."""
    check_files(args, args.files or ["-"])
    selected = selection(args)
    with contextlib.ExitStack() as stack:
        if to_output(args):
            # the file is written to standard output, so messages go to standard error
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        # frames are many small objects without cycles
        stack.callback(gc.set_threshold, *gc.get_threshold())
        gc.set_threshold(_OBJECTS_MOST, *gc.get_threshold()[1:])
        return _run(args, selected)


def _run(args: argparse.Namespace, selected: RecordFilter) -> int:
    if not args.files and sys.stdin.isatty():
        raise UserError(tr("no_files"))
    files = args.files or ["-"]
    capture = read(files, args.form, args.merged)
    only = args.check or args.report
    checking = Checking()
    began = first = -1
    wrong: list[Record] = []
    more = 0
    for line in capture.described:
        print(f"- {line}")
    keeper = keep(args, capture.header, capture.described)
    selects = selected.selects
    keeps = keeper.keeps
    session = Session() if selects or keeps or not only else CountingSession()
    quiet = only or to_output(args)
    view = View(
        session, syncs=args.syncs, raw=args.raw, quiet=quiet, live=False, selection=selected, of_clock=args.clock
    )

    # the first time that is not before the epoch
    for item in capture.items:
        began = item.at
        if began >= 0:
            break

    def shown_items() -> Iterator[Item]:
        for item in capture.items:
            view.bytes([item])
            yield item

    check = checking.take
    wanted = (watch.DEVIATION, watch.VIOLATION, watch.DOUBT) if args.check else ()
    for record in records(capture, session, shown_items() if args.raw and not only else None):
        if not quiet:
            view.show([record])
        if first < 0:
            first = record.at
        taken = not selects or selected.takes(record, first)
        if keeps:
            if taken:
                keeper.put([record])
            keeper.flush()
        check(record)
        if record.verdict in wanted and taken:
            more += len(wrong) >= _WRONG_MOST
            if not more:
                wrong.append(record)
    if isinstance(session, CountingSession):
        checking.count(session.unrecorded, session.letters, session.unsure)
    for record in wrong:
        print(rendering.line(record, began, record.at, of_clock=args.clock))
        if following := session.sums.following[record.number]:
            print(tr("more_follow", count=following))
    if more:
        print(tr("more_wrong", count=more))
    status, outcome = checking.outcome(session)
    cut_off = checking.cut_off(session)
    keeper.close({"outcome": NAMES[status], "not_understood": checking.unread.as_json(), "cut_off": cut_off})
    view.finish()
    if selected.selects and not quiet and not args.raw:
        print("- " + tr("shown_of", shown=view.shown, count=view.all))
    unread = [
        *capture.left_out,
        *(tr(f"cut_off_{end}") for end in cut_off),
        *checking.unread.lines(began, capture.header.timed),
        *(odd for odd in checking.odd(session) if odd not in outcome),
    ]
    if args.report:
        named = [tr("standard_input") if file == "-" else file for file in files]
        print("\n".join([*report(session, capture.header, named, began), *unread]))
    elif args.check:
        # the roles and the states at the end
        print("\n".join([*rendering.state_lines(session)[:2], *unread]))
    else:
        for line in unread:
            print(f"- {line}")
    if args.check:
        print(outcome)
    if keeper.failed:
        return UNWRITTEN
    return status if args.check else 0
