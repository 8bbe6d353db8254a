"""Every form in which people have a capture, each with a recogniser that says why and a reader.

source.py     a file unpacked and decoded, its beginning at hand
peeling.py    what was put around each line when it was copied
kinds.py      what recognisers and readers give
evidence.py   how much of some bytes is this protocol
clock.py      times at the begin of lines
sides.py      words and arrows that say who sent something
numerals.py   bytes as text: hex, decimal, octal, strings with escapes
ours.py       what this program writes: JSON lines, text logs
screen.py     what it shows
spreadsheet.py  the table that it writes
packets.py    pcapng and classic pcap
network.py    a line over TCP in either
dumps.py      xxd, hexdump, od
plain.py      bytes without anything
lines.py      one line with time, side and bytes
listing.py    files of such lines, as terminals, monitors and people have them
strace.py     system calls
tables.py     columns: logic analysers, spreadsheets
columns.py    what columns hold, by their names
cells.py      the bytes in a cell
objects.py    JSON of others
sigrok.py     annotations, .sr, VCD
wireshark.py  what tshark prints
tcpdump.py    packets in hex, as tcpdump prints them
raw.py        bytes as they are
foreign.py    what is none of them

FORMS is in the order in which they are tried: what has a mark of its own first, what is told by its looks last.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr

if TYPE_CHECKING:
    from seabattle_host.sniff.forms.kinds import Form, Guess
    from seabattle_host.sniff.forms.source import Source


@dataclass(frozen=True)
class Known:
    """A form whose module is loaded when it is needed: their regular expressions take time. of_text: it is told by the
    lines of a text."""

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
    Known("json", "ours", "JsonForm"),
    Known("log", "ours", "LogForm"),
    Known("screen", "screen", "ScreenForm"),
    Known("sr", "sigrok", "SessionForm", of_text=False),
    Known("vcd", "sigrok", "VcdForm"),
    Known("sigrok", "sigrok", "AnnotationForm"),
    Known("tcpdump", "tcpdump", "TcpdumpForm"),
    Known("tshark", "wireshark", "TextForm"),
    Known("pdml", "wireshark", "XmlForm"),
    Known("objects", "objects", "JsonForm"),
    Known("strace", "strace", "StraceForm"),
    Known("dump", "dumps", "DumpForm"),
    Known("csv", "spreadsheet", "CsvForm"),
    Known("table", "tables", "TableForm"),
    Known("hex", "listing", "ListingForm"),
    Known("plain", "plain", "PlainForm"),
    Known("raw", "raw", "RawForm", of_text=False),
)

NAMES = tuple(known.name for known in FORMS)

SEALED = ("json", "log", "screen", "csv", "pcapng", "pcap")
"""Those that keep the order in which things were heard, whatever their times are."""


def by_name(name: str) -> Form:
    """The form of a name."""
    return next(known.form for known in FORMS if known.name == name)


def recognise(source: Source) -> tuple[Form, Guess]:
    """The form of a file and the evidence. Raises UserError for what is none of them: what it looks like instead."""
    from seabattle_host.sniff.forms import foreign, peeling

    if source.sample.strip() and not foreign.is_foreign(source):
        if (around := peeling.sure(source.head)) is not None:
            source.peel(around)
        if (found := _told(source)) is not None:
            return found
        for around in peeling.possible(source.head):
            source.peel(around)
            if (found := _told(source)) is not None:
                return found
        source.peel(None)
    raise UserError(foreign.refusal(source))


def _told(source: Source) -> tuple[Form, Guess] | None:
    """The form of a file as it is, None if it is of none."""
    for known in FORMS:
        if known.of_text and not source.encoding:
            continue
        guess = known.form.recognise(source)
        if guess is not None:
            return known.form, guess
    return None


def describe(source: Source, form: Form, guess: Guess) -> str:
    """One line: which form a file was taken for, and why."""
    around = [*source.wrapped, tr("peeled")] if source.is_peeled else source.wrapped
    packed = "".join(f", {name}" for name in around)
    return tr("read_as", file=source.name, form=form.name + packed, why=guess.why)
