"""Every form in which people have a capture, each with a recogniser that says why and a reader.

source.py     a file unpacked and decoded, its beginning at hand
kinds.py      what recognisers and readers give
evidence.py   how much of some bytes is this protocol
clock.py      times at the begin of lines
sides.py      words and arrows that say who sent something
numerals.py   bytes as text: hex, decimal, octal, strings with escapes
ours.py       what this program writes: JSON lines, text logs, its screen
packets.py    pcapng and classic pcap
dumps.py      xxd, hexdump, od, and bytes without anything
listing.py    lines with time, side and bytes, as terminals, monitors and people have them
strace.py     system calls
tables.py     columns with names: logic analysers, spreadsheets; JSON of others
sigrok.py     annotations, .sr, VCD
wireshark.py  what tshark prints
raw.py        bytes as they are
foreign.py    what is none of them

FORMS is in the order in which they are tried: what has a mark of its own first, what is told by its looks last.
"""

from __future__ import annotations

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.sniff.forms import dumps, foreign, listing, ours, packets, raw, sigrok, strace, tables, wireshark
from seabattle_host.sniff.forms.kinds import Form, Guess
from seabattle_host.sniff.forms.source import Source

FORMS: tuple[Form, ...] = (
    packets.PcapngForm(),
    packets.PcapForm(),
    ours.JsonForm(),
    ours.LogForm(),
    ours.ScreenForm(),
    sigrok.SessionForm(),
    sigrok.VcdForm(),
    sigrok.AnnotationForm(),
    wireshark.TextForm(),
    wireshark.XmlForm(),
    tables.JsonForm(),
    strace.StraceForm(),
    dumps.DumpForm(),
    tables.TableForm(),
    listing.ListingForm(),
    dumps.PlainForm(),
    raw.RawForm(),
)

NAMES = tuple(form.name for form in FORMS)


def by_name(name: str) -> Form:
    """The form of a name."""
    return next(form for form in FORMS if form.name == name)


def recognise(source: Source) -> tuple[Form, Guess]:
    """The form of a file and the evidence. Raises UserError for what is none of them: what it looks like instead."""
    if source.sample.strip():
        for form in FORMS:
            guess = form.recognise(source)
            if guess is not None:
                return form, guess
    raise UserError(foreign.refusal(source))


def describe(source: Source, form: Form, guess: Guess) -> str:
    """One line: which form a file was taken for, and why."""
    packed = "".join(f", {name}" for name in source.wrapped)
    return tr("read_as", file=source.name, form=form.name + packed, why=guess.why)
