"""The work of `seabattle sniff`: listen to a line, show and write what is heard; `decode` shares the writing."""

from __future__ import annotations

import argparse
import os
import signal
import stat
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FrameType
from typing import Any

from seabattle_host import signals
from seabattle_host.commands import options
from seabattle_host.errors import UNWRITTEN, UserError
from seabattle_host.language.messages import tr
from seabattle_host.line.line_monitor import LineMonitor
from seabattle_host.line.port import Port
from seabattle_host.line.settings import LineErrors, Settings
from seabattle_host.sniff import fault_injection, games, rendering
from seabattle_host.sniff.capture import SECOND, SIDES, Chunk, Header, Item
from seabattle_host.sniff.merge import Sorter
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.record_filter import RecordFilter
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.sources import End, Latency, Orderer, Taker, VirtualPort, open_ports
from seabattle_host.sniff.spreadsheet import KEPT
from seabattle_host.sniff.storage import LogFiles, OutputFile, Rotation
from seabattle_host.sniff.view import View

_TURN = 0.1
_REFRESH_SECONDS = 0.25

_BEHIND_US = 50_000
"""How far the watcher's clock stays behind: bytes read before then are in the queue by now."""


def selection(args: argparse.Namespace) -> RecordFilter:
    """Return the selection of records to show. Raises UserError."""
    return RecordFilter.of(args.filter, args.since, args.until, args.search)


def to_output(args: argparse.Namespace) -> bool:
    """Return whether a file goes to standard output, so that nothing else may."""
    return any(getattr(args, name) == "-" for name in KEPT)


def run(args: argparse.Namespace) -> int:
    """Sniff until Ctrl-C or for the time asked for; return the exit status: 2 if a file could not be written."""
    check_files(args, args.ports)
    mode = "tap" if args.tap else "one" if args.one else "virtual" if args.virtual else "relay"
    _check_ports(args.ports, mode)
    if args.link and mode != "virtual":
        raise UserError(tr("link_without_virtual"))
    rules = fault_injection.read_rules(args.harm, args.harm_file)
    if rules and mode not in ("relay", "virtual"):
        raise UserError(tr("harm_relays"))
    settings = options.settings(args)
    virtual = VirtualPort(args.link) if mode == "virtual" else None
    try:
        ports = open_ports(args.ports, settings)
    except BaseException:
        if virtual is not None:
            virtual.close()
        raise
    latencies = [Latency(port.device) for port in ports]
    ends: list[End] = [virtual, *ports] if virtual is not None else list(ports)
    faults = fault_injection.FaultInjector(rules, args.harm_seed) if rules else None
    taker = Taker(ends, relay=mode in ("relay", "virtual"), harm=faults)
    header = Header(_names(ends), str(settings), mode, taker.clock())
    keeper = keep(args, header)
    session = Session()
    try:
        quiet = args.quiet or to_output(args)
        shown = selection(args)
        with View(session, syncs=args.syncs, raw=args.raw, quiet=quiet, selection=shown, of_clock=args.clock) as view:
            _announce(view, header, settings, latencies, ports, virtual)
            sniffer = Sniffer(taker, session, keeper, view, mode, ports)
            sniffer.run(args.seconds, while_kept=getattr(args, "while_kept", False))
            for line in faults.unused() if faults is not None else ():
                view.remark(line)
    finally:
        keeper.close()
        for latency in latencies:
            latency.restore()
        for end in ends:
            end.close()
    return UNWRITTEN if keeper.failed else 0


class Sniffer:
    """The loop that carries captured items to the watcher, the files and the screen."""

    def __init__(
        self,
        taker: Taker,
        session: Session,
        keeper: LogFiles,
        view: View,
        mode: str = "relay",
        ports: Sequence[Port] = (),
    ):
        self._taker = taker
        self._session = session
        self._keeper = keeper
        self._view = view
        self._ports = ports
        self._errors: list[LineErrors | None] = [None for _port in ports]
        self._orderer = Orderer(session.watch.waits) if mode == "tap" else None
        self._sorter = Sorter(session) if mode == "one" else None
        self._any_received = False
        self._stood = -1
        """Since when the game has stood still that was reported last."""
        self._stopped = False
        settings = ports[0].settings if ports else Settings()
        # with our own pseudo-terminal for A, the port is B's
        at_sides = [None, *ports] if mode == "virtual" else ports
        self._senses = [LineMonitor(settings, port, plays=False) for port in at_sides]

    def run(self, seconds: float | None = None, *, while_kept: bool = False) -> None:
        """Sniff until a signal comes, or for this number of seconds. while_kept: stop once a file cannot be written."""
        ends_at = float("inf") if seconds is None else time.monotonic() + seconds
        before = _on_signals(self._stop)
        self._taker.start()
        refreshed = 0.0
        try:
            while not self._stopped and time.monotonic() < ends_at:
                self._turn()
                self._view.keys()
                if while_kept and self._keeper.failed:
                    break
                if time.monotonic() - refreshed >= _REFRESH_SECONDS:
                    refreshed = time.monotonic()
                    self._view.refresh()
                    self._report_errors()
        except KeyboardInterrupt:
            pass
        finally:
            self._taker.stop()
            self._drain()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _turn(self) -> None:
        items = self._taker.get(_TURN)
        self._deal(items)
        while not self._taker.messages.empty():
            self._view.remark(self._taker.messages.get())
        if not items:
            self._check_sense(items)
            self._pass_time()
        self._keeper.flush()

    def _pass_time(self) -> None:
        if not self._any_received:
            # count ticks from the first byte, as in a capture that is read
            return
        now = self._taker.clock()
        until = now - _BEHIND_US
        records: list[Record] = []
        if self._orderer is not None:
            records += self._ordered(now, False)
            # what is held back has come before whatever is late now
            until = int(min(until, self._orderer.held_since))
        records += (self._session if self._sorter is None else self._sorter).advance(until)
        self._take(records)
        self._tell_standing(until)

    def _tell_standing(self, now: int) -> None:
        """Report once that a game stands still."""
        played = self._session.sums.games
        if not played or played[-1].moved == self._stood:
            return
        if us := games.standing(played[-1], self._session.watch, now):
            self._stood = played[-1].moved
            self._view.remark(rendering.standing_line(played[-1], self._session.watch, us))

    def _deal(self, items: Sequence[Item]) -> None:
        self._any_received = self._any_received or bool(items)
        self._view.bytes(items)
        self._check_sense(items)
        records: list[Record] = []
        for item in items:
            if self._sorter is not None:
                records += self._sorter.feed(item)
            elif self._orderer is not None:
                for forced in self._orderer.put(item):
                    records += self._session.feed(forced)
                records += self._ordered(item.at, False)
            else:
                records += self._session.feed(item)
        self._take(records)

    def _check_sense(self, items: Sequence[Item]) -> None:
        """Report for each side if its bytes make no sense."""
        for item in items:
            if isinstance(item, Chunk) and self._senses:
                self._senses[item.side % len(self._senses)].traffic(item.at / SECOND, False, item.data)
        for name, sense in zip(SIDES, self._senses, strict=False):
            if line := sense.warning():
                self._view.remark(f"{name}: {line}" if len(self._senses) > 1 else line)

    def _ordered(self, now: int, everything: bool) -> list[Record]:
        assert self._orderer is not None
        records: list[Record] = []
        while items := self._orderer.get(now, everything):
            for item in items:
                records += self._session.feed(item)
        return records

    def _take(self, records: Sequence[Record]) -> None:
        self._keeper.put(records)
        self._view.show(records)

    def _drain(self) -> None:
        """Process what is left in the queue, and finish."""
        while items := self._taker.get(0):
            self._deal(items)
            self._keeper.flush()
        if self._orderer is not None:
            self._take(self._ordered(0, True))
        self._take(self._sorter.finish() if self._sorter is not None else self._session.finish())
        self._report_errors()
        self._view.finish()
        self._keeper.flush(now=True)

    def _report_errors(self) -> None:
        """Report line errors that the driver only counts."""
        for i, port in enumerate(self._ports):
            errors = port.errors if port.is_open else None
            if errors is not None and errors != (self._errors[i] or LineErrors()):
                self._errors[i] = errors
                self._view.remark(tr("faults_counted", url=port.url, errors=errors))

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        """Handle a signal: end after this turn, since an exception could come while a lock of the queue is held.

        A second Ctrl-C ends at once.
        """
        if self._stopped and number == signal.SIGINT:
            raise KeyboardInterrupt
        self._stopped = True


def keep(args: argparse.Namespace, header: Header, read_as: Sequence[str] = ()) -> LogFiles:
    """Open the files asked for; report one that cannot be written on standard error.

    read_as: for a conversion, the formats it was read as and why.
    """
    rotation = replace(args.rotate or Rotation(), parts=args.parts or 0)
    return LogFiles(
        [
            OutputFile(
                getattr(args, name),
                form(),
                replace(header, read_as=tuple(read_as)),
                rotation,
                _complain,
                reader_ends=getattr(args, "while_kept", False),
            )
            for name, form in KEPT.items()
            if getattr(args, name)
        ]
    )


def check_files(args: argparse.Namespace, sources: Sequence[str] = ()) -> None:
    """Raise UserError if options of the files contradict each other.

    Also if a log would go where another one or a source is.
    """
    rotates = args.rotate is not None and bool(args.rotate.size or args.rotate.seconds)
    paths = [path for name in KEPT if (path := getattr(args, name))]
    if args.parts and not rotates:
        raise UserError(tr("parts_without_rotate"))
    if rotates and not paths:
        raise UserError(tr("rotate_without_file"))
    if paths.count("-") > 1:
        raise UserError(tr("only_one_output"))
    if "-" in paths and rotates:
        raise UserError(tr("parts_of_output"))
    if args.pcapng == "-" and sys.stdout.isatty():
        raise UserError(tr("pcapng_on_terminal"))
    files = [path for path in paths if path != "-"]
    for number, path in enumerate(files):
        if any(_same(path, other) for other in files[:number]):
            raise UserError(tr("same_file", file=path))
        if any(_same(path, source) and _destroyed(source) for source in sources):
            raise UserError(tr("out_is_read", file=path))


def _same(path: str, source: str) -> bool:
    """Return whether both are one file, under any names. A source `-` is the standard input."""
    try:
        there = os.fstat(0) if source == "-" else os.stat(source)
        return os.path.samestat(os.stat(path), there)
    except OSError:
        return os.path.realpath(path) == os.path.realpath(source)


def _destroyed(path: str) -> bool:
    """Return whether writing to this source does harm: to a file or a port, not to the null device or a pipe."""
    try:
        mode = (os.fstat(0) if path == "-" else os.stat(path)).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) or (stat.S_ISCHR(mode) and path != "-" and not os.path.samefile(path, os.devnull))


def _check_ports(urls: Sequence[str], mode: str) -> None:
    if mode in ("one", "virtual"):
        if len(urls) != 1:
            raise UserError(tr("one_port", option=f"--{mode}"))
    elif len(urls) != 2:
        raise UserError(tr("two_ports"))
    elif urls[0] == urls[1] or os.path.realpath(urls[0]) == os.path.realpath(urls[1]):
        raise UserError(tr("same_port", url=urls[1]))


def _names(ends: Sequence[End]) -> tuple[str, str]:
    return (ends[0].url, ends[1].url) if len(ends) == 2 else (ends[0].url, ends[0].url)


def _announce(
    view: View,
    header: Header,
    settings: Settings,
    latencies: Sequence[Latency],
    ports: Sequence[Port],
    virtual: VirtualPort | None,
) -> None:
    mode = tr(f"mode_{header.mode}")
    view.remark(tr("sniff_on", mode=mode, a=header.names[0], b=header.names[1], settings=settings))
    if view.has_keys:
        view.remark(tr("view_keys"))
    if virtual is not None:
        view.remark(tr("connect_to", path=virtual.url))
    for port in ports:
        for doubt in port.warnings_at_open():
            view.remark(doubt)
    for latency, port in zip(latencies, ports, strict=True):
        if latency.old:
            view.remark(tr("latency_set", url=port.url, old=latency.old, new=latency.new))


def _complain(line: str) -> None:
    print(f"seabattle: {line}", file=sys.stderr, flush=True)


def _on_signals(stop: Callable[[int, FrameType | None], None]) -> dict[signal.Signals, Any]:
    """Let the signals that end a program end the sniffing; return the former handlers."""
    return {number: signal.signal(number, stop) for number in signals.ending_signals()}
