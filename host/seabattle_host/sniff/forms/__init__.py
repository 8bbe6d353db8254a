"""All forms of captures, each with a recogniser, which gives its evidence, and a reader.

source.py     a file, unpacked and decoded
decoration.py decoration around the lines of a copied text
interface.py  results of recognisers and readers
evidence.py   how much of some bytes is this protocol
clock.py      times in lines
sides.py      words and arrows that name the sender
notations.py  other notations of bytes, rewritten as plain hex
lookalikes.py letters that look like digits
numerals.py   bytes as text: hex, decimal, octal, strings with escapes
own_files.py  this program's JSON lines and text logs
screen.py     its screen output
spreadsheet.py  its table for spreadsheets
packets.py    pcapng and classic pcap
network.py    a line over TCP in packets
usb.py        an adapter's line in USB traffic
dumps.py      xxd, hexdump, od
bare_bytes.py bytes and nothing else
lines.py      one line with time, side and bytes
between.py    comments, headings and commands between lines
naming.py     the sender of a line, by its words
layout.py     records that reach over several lines, rewritten as a line each
arrays.py     arrays of a program, a frame each
chats.py      messages of a chat
ktrace.py     system calls, by kdump
markup.py     HTML and XML
colours.py    senders told by colours
trees.py      the records in a tree of values
listed.py     the parts of such a line, and what the lines of a file have in common
plausibility.py  how much sense lines make, read in some way
moments.py    times that are bare numbers
other_clocks.py  days of a spreadsheet, ticks of 100 ns
remarks.py    senders named behind the bytes
pairs.py      a command and its reply in each line
value_pairs.py  names and values in a line
named_values.py  what those of a file are
addresses.py  bytes in the addresses of requests
fronts.py     lines read from the right, whatever their front is
listing.py    files of such lines, from terminals, monitors and people
strace.py     system calls
tables.py     columns: logic analysers, spreadsheets
table_rows.py one row: bytes, side, time, faults
columns.py    the meaning of columns, by their names
cells.py      the bytes in a cell
other_json.py JSON of other programs
sigrok.py     annotations, .sr, VCD
wireshark.py  output of tshark
tcpdump.py    output of tcpdump, and followed streams
raw.py        bytes as they are
redis.py      entries of a stream
subtitles.py  texts of subtitles
terminal.py   what terminal programs add to what they show
terminal_colours.py  senders told by colours of a terminal
no_capture.py files that are no captures

FORMS is in the order of trial: forms with a signature first, those recognised by their looks last.
"""

from __future__ import annotations

import importlib
import sys
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, cast

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.capture import Chunk, split_frames
from seabattle_host.sniff.forms import clock, evidence, sides
from seabattle_host.sniff.forms.interface import Left

if TYPE_CHECKING:
    from collections.abc import Callable

    from seabattle_host.sniff.forms.interface import Form, Guess
    from seabattle_host.sniff.forms.source import Source

    _Read = tuple["_Sense", Source, Form, Guess]


@dataclass(frozen=True)
class Known:
    """A form whose module is imported on demand: compiling the regular expressions takes time.

    of_text: recognised by the lines of a text.
    """

    name: str
    module: str
    kind: str
    of_text: bool = True

    @cached_property
    def form(self) -> Form:
        """The form itself."""
        return cast("Form", getattr(importlib.import_module(f"{__name__}.{self.module}"), self.kind)())


FORMS = (
    Known("pcapng", "packets", "PcapngForm", of_text=False),
    Known("pcap", "packets", "PcapForm", of_text=False),
    Known("json", "own_files", "JsonForm"),
    Known("log", "own_files", "LogForm"),
    Known("screen", "screen", "ScreenForm"),
    Known("sr", "sigrok", "SessionForm", of_text=False),
    Known("vcd", "sigrok", "VcdForm"),
    Known("sigrok", "sigrok", "AnnotationForm"),
    Known("tcpdump", "tcpdump", "TcpdumpForm"),
    Known("tshark", "wireshark", "TextForm"),
    Known("pdml", "wireshark", "XmlForm"),
    Known("objects", "other_json", "JsonForm"),
    Known("usbmon", "usb", "UsbmonForm"),
    Known("strace", "strace", "StraceForm"),
    Known("dump", "dumps", "DumpForm"),
    Known("csv", "spreadsheet", "CsvForm"),
    Known("table", "tables", "TableForm"),
    Known("hex", "listing", "ListingForm"),
    Known("plain", "bare_bytes", "PlainForm"),
    Known("raw", "raw", "RawForm", of_text=False),
)

NAMES = tuple(known.name for known in FORMS)

SEALED = ("json", "log", "screen", "csv", "pcapng", "pcap")
"""Forms that keep the order of arrival, whatever their times are."""


def by_name(name: str) -> Form:
    """Return the form of a name."""
    return next(known.form for known in FORMS if known.name == name)


def ordered(source: Source, name: str) -> tuple[Source, Form, Guess]:
    """Return a file in a form chosen by the user, as that form reads it. Raises UserError if it cannot be read so."""
    form = by_name(name)

    def in_it(other: Source) -> tuple[Form, Guess] | None:
        guess = form.recognise(other)
        return None if guess is None else (form, guess)

    if name in (*_BY_LOOKS, "objects") and (laid := _laid_out(source, in_it)) is not None:
        return laid
    if name in ("hex", "plain"):
        _paired(source)
    return source, form, form.forced(source)


def _laid_out(
    source: Source, look: Callable[[Source], tuple[Form, Guess] | None], exchanges_only: bool = False
) -> tuple[Source, Form, Guess] | None:
    """Return a file whose records reach over several lines in the form in which these are; None if it is none.

    exchanges_only: each record is to have a command and its reply.
    """
    from seabattle_host.sniff.forms import layout

    views = layout.exchanges if exchanges_only else layout.views
    for view in views(source) if source.encoding else ():
        other = source.seen(view.data, view.name)
        _paired(other)
        found = look(other)
        if found is not None and _weighed(other, *found).is_better(None):
            return other, *found
    return None


def recognise(source: Source) -> tuple[Source, Form, Guess]:
    """Return the form of a file, the evidence, and the file as that form reads it.

    Raises UserError if it has none: what it looks like instead.
    """
    from seabattle_host.sniff.forms import (
        addresses,
        decoration,
        listing,
        named_values,
        no_capture,
        other_clocks,
        redis,
        subtitles,
        terminal,
        terminal_colours,
    )

    if source.sample.strip() and not no_capture.is_foreign(source):
        if (shown := terminal.recording(source) or subtitles.shown(source) or redis.shown(source)) is not None:
            source = source.seen(shown.data, shown.name)
        if (around := decoration.certain(source.head)) is not None:
            source.peel(around)
        if (pairs := clock.pairs(source.head[:_PAIRED])) is not None:
            source.rewrite(pairs.together)
        if (dated := other_clocks.learn(source.head)) is not None:
            source.rewrite(dated)
        if clock.are_since_the_start(source.beginning()):
            source.rewrite(clock.without_plus)
        if (found_in := addresses.learn(source.head)) is not None:
            source = _rewritten(source, found_in, None)
        elif (values := named_values.learn(source.head)) is not None:
            source = _rewritten(source, values, None)
        found = _recognised(source)
        if (found is None or (found[0].name == "objects" and found[1].maybe_merged)) and (
            values := named_values.learn(source.head, objects=True)
        ) is not None:
            source = _rewritten(source, values, found)
            found = _recognised(source)
        if (found is None or found[1].maybe_merged) and (coloured := terminal_colours.shown(source)) is not None:
            source = source.seen(coloured.data, coloured.name)
            found = _recognised(source)
        if found is None or found[0].name in (*_BY_LOOKS, "objects"):
            if _paired(source):
                found = _recognised(source)
            elif (laid := _laid_out(source, _recognised, exchanges_only=True)) is not None:
                return laid
        if (found is None or found[0].name in (*_BY_LOOKS, "objects")) and (
            how := _rewriting(source, found)
        ) is not None:
            source = _rewritten(source, how, found)
            found = _recognised(source)
        if (found is None or found[0].name in _BY_LOOKS) and (laid := _laid_out(source, _recognised)) is not None:
            return laid
        best = (_sense(source, *found), source, *found) if found is not None else None
        for view in terminal.views(source) if best is None or not best[0].is_sure else ():
            other = source.seen(view.data, view.name)
            inside = _recognised(other)
            if inside is not None and (sense := _sense(other, *inside)).is_better(best[0] if best else None):
                best = (sense, other, *inside)
        if best is None or not best[0].is_sure:
            best = _with_digits(source, best)
        if best is not None:
            return best[1:]
        for around in () if listing.is_json(source.head) else decoration.possible(source.head):
            source.peel(around)
            if (found := _recognised(source)) is not None:
                return source, *found
        source.peel(None)
    raise UserError(no_capture.refusal(source))


def _with_digits(source: Source, best: _Read | None) -> _Read | None:
    """Return what is read if letters that look like digits are digits, if that is more; else `best`."""
    from seabattle_host.sniff.forms import lookalikes

    if not source.encoding or not lookalikes.are_in(source.head):
        return best
    meant = copy(source)
    meant.rewrite(lookalikes.normal)
    meant.wrapped = [*source.wrapped, tr("lookalikes")]
    try:
        found = recognise(meant)
    except UserError:
        return best
    sense = _sense(*found)
    return (sense, *found) if best is None or (sense.share, sense.size) > (best[0].share, best[0].size) else best


def _paired(source: Source) -> bool:
    """Rewrite lines with a command and its reply each, so that each has its side; return whether they are such."""
    from seabattle_host.sniff.forms import markup, pairs

    found = None if markup.is_markup("\n".join(source.head)) else pairs.learn(source.head)
    if found is None or found.timed:
        return False
    source.rewrite(found.normal)
    source.wrapped = [*source.wrapped, tr("laid_pairs") + sides.words_for(found.names)]
    return True


def _rewriting(source: Source, found: tuple[Form, Guess] | None) -> Callable[[str], str] | None:
    """Return how to rewrite lines whose bytes would be read wrongly as they are; None if that is not needed."""
    from seabattle_host.sniff.forms import notations

    if found is not None and found[0].name not in (*_BY_LOOKS, "objects"):
        return None
    lines = source.beginning()
    sense = _Sense(0.0, 0, False) if found is None else _weighed(source, *found)
    is_all = source.whole and len(lines) == sum(map(bool, map(str.strip, source.head)))
    return notations.learn(lines, sense.share, sense.size if is_all else sys.maxsize - 1)


def _rewritten(source: Source, how: Callable[[str], str], found: tuple[Form, Guess] | None) -> Source:
    """Return a file with its lines rewritten; a tree of values is not read line by line."""
    if words := sides.words_for(getattr(how, "names", {})):
        source.wrapped = [*source.wrapped, words.removeprefix(", ")]
    if found is None or found[0].name != "objects":
        source.rewrite(how)
        return source
    from seabattle_host.sniff.forms.source import Source

    text = "".join(how(line) + "\n" * ended for line, ended in source.lines())
    other = Source(source.name, text.encode())
    other.wrapped, other.cut = source.wrapped, source.cut
    return other


_PAIRED = 400
"""Lines that show whether their times are in two numbers."""

_BY_LOOKS = ("dump", "hex", "plain", "raw", "table")
"""Forms without a signature: what is read may be something else."""

_WEIGHED = 1 << 12
"""Items by which it is decided whether it is."""


@dataclass(frozen=True)
class _Sense:
    """What a form reads: how much of it is of the protocol, its bytes, and whether something is missing.

    varied: it has more than one kind of frame. apart: each of its sides has the bytes of one role. data: what it reads.
    """

    share: float
    size: int
    lacks: bool
    varied: bool = True
    apart: bool = False
    data: bytes = b""

    @property
    def is_sure(self) -> bool:
        """Whether nothing else is read with it."""
        return self.share >= _SURELY and not self.lacks

    def is_better(self, before: _Sense | None) -> bool:
        """Return whether this is what the file means, rather than what was read before."""
        if (self.share < evidence.enough() and not self.apart) or self.size < _FEW:
            return False
        if before is None or not self.varied or self._leaves_out_frames(before):
            return before is None
        if self.share > before.share:
            return True
        return self.share == before.share and before.lacks and not self.lacks and self.size >= before.size

    def _leaves_out_frames(self, before: _Sense) -> bool:
        """Return whether what was read before begins or ends with bytes of the protocol that are not read here."""
        head, found, tail = before.data.partition(self.data)
        return bool(found) and len(head + tail) > 1 and evidence.weigh(head + tail).share >= _HALF


_SURELY = 0.97
_HALF = 0.5
_FEW = 16
"""Bytes of the line in a file of other words that may be there by chance."""


def _sense(source: Source, form: Form, guess: Guess) -> _Sense:
    """Return what a form reads of the beginning of a file."""
    return _weighed(source, form, guess) if form.name in _BY_LOOKS else _Sense(1.0, 0, False)


def _weighed(source: Source, form: Form, guess: Guess) -> _Sense:
    """Return what a form reads of the beginning of a file, whatever signature it has."""
    some = list(islice(split_frames(form.items(source, guess, Left())), _WEIGHED))
    chunks = [item for item in some if isinstance(item, Chunk)]
    found = evidence.weigh_first(chunk.data for chunk in chunks)
    # both may have sent at the same time
    ones = [evidence.weigh_first(chunk.data for chunk in chunks if chunk.side == side) for side in (0, 1)]
    share = sum(one.covered for one in ones) / max(1, sum(one.size for one in ones))
    are_apart = evidence.is_one_sure(*ones) or (
        min(one.share for one in ones) > evidence.MOSTLY and evidence.are_sides(*ones)
    )
    data = b"".join(chunk.data for chunk in chunks)
    return _Sense(max(found.share, share), found.size, len(chunks) < len(some), found.is_varied, are_apart, data)


def _recognised(source: Source) -> tuple[Form, Guess] | None:
    """Return the form of a file as it is, None if it has none."""
    for known in FORMS:
        if known.of_text and not source.encoding:
            continue
        guess = known.form.recognise(source)
        if guess is not None:
            return known.form, guess
    return None


def describe(source: Source, form: Form, guess: Guess, name: str = "") -> str:
    """Return one line: the form of a file, and why it was recognised. name: of several alike."""
    around = [*source.wrapped, tr("peeled")] if source.is_peeled else source.wrapped
    packed = "".join(f", {name}" for name in around)
    return tr("read_as", file=name or source.name, form=form.name + packed, why=guess.why)
