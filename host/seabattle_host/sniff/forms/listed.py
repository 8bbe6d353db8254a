"""The parts of a line of a listing, and what the lines of a file have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from seabattle_host.sniff.forms import clock, sides


@dataclass
class Line:
    """The parsed parts of a line.

    names: words with no meaning by themselves, but possibly if a file has two of them.
    """

    stamp: clock.Stamp | None = None
    gap: clock.Stamp | None = None
    sender: sides.SenderWords = field(default_factory=sides.SenderWords.nothing)
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    """All words before the bytes, including those that name a side."""
    number: int | None = None
    data: bytes = b""
    faults: bytes = b""
    rest: str = ""
    remark: bool = False
    """Whether a comment follows."""
    padded: bool = False
    """Whether a byte below 16 has two digits."""
    torn: bool = False
    """Whether the last byte lacks a digit."""
    loose: bool = False
    """Whether it would be read differently if all bytes had two digits."""
    more: list[tuple[int | None, bytes]] = field(default_factory=list)
    """Further bytes on the same line, of another side: `m[A2]=>s[2A]`."""


@dataclass
class Plan:
    """How to read the lines of a file."""

    base: int = 16
    counted: bool = False
    """Each line starts with a line number or milliseconds."""
    millis: bool = False
    hashed: bool = False
    """Each line has its number somewhere, as `#12`."""
    unsided: bool = False
    """Arrows are decoration of the monitor, and do not name a side."""
    named: dict[str, int] = field(default_factory=dict)
    timed: bool = False
    unit: int = 0
    """By what times without a unit are divided, by the heading above them; 0 if none says it."""
    divisor: int = 1
    """By what times without a unit, taken for seconds, are divided."""
    decimal: bool = False
    r"""Numbers in strings are decimal: `\170`."""
    digits: clock.Digits = field(default_factory=clock.Digits)
    """Resolution of its times."""
    tails: dict[str, int] = field(default_factory=dict)
    """Names of the sides after the bytes."""
    numbered: bool = False
    """The sides are called 0 and 1, or 1 and 2."""
    fronted: frozenset[str] = frozenset()
    """Names of the sides that look like bytes: `D0:`, `D1:`."""
    lettered: bool = False
    """An A or B after the bytes is the side."""
    sized: bool = False
    """The bytes are preceded by their number."""
    offset: bool = False
    """The bytes are preceded by an offset."""
    padded: bool = False
    """All bytes have two digits."""
    headed: bool = False
    """Time and side are on a line of their own above the bytes."""
    usual: bool = False
    """Nearly every line with bytes names the side: one without is no such line."""
    sought: bool = False
    """Nothing before the name of a side is a byte, whatever it looks like."""
    apart: bool = False
    """A line with a time or a side has no bytes: they are below it."""
    signed: bool = False
    """Decimal bytes from -128 to 127."""
    inner: bool = False
    """Strings contain hex digits: `b'aa01'`."""
    texts: bool = False
    """Bytes are the characters of strings, only some of them escaped."""
    thousands: str = ""
    """The thousands separator."""
    uncounted: bool = False
    """`bytes:` and the like precede bytes, not their number."""
    constant: frozenset[str] = frozenset()
    """Words that name a side elsewhere, but here are on every line."""
    prompted: bool = False
    """Commands to a tool are between its answers."""
    minus: bool = False
    """`- ` names a side and starts no comment."""
    mute: bool = False
    """A side is named only once, above the bytes of both."""
    nearest: bool = False
    """Every line names both sides: its bytes are of the one in front of them."""
    other: int | None = None
    """The side of lines that name none, if the others name only one."""
    moment: Any = None
    """How the time of a line is found that is a bare number (moments.Moments)."""
    said: Any = None
    """How the sender of a line is found in a remark behind its bytes (remarks.Remarks)."""
    front: Any = None
    """How lines are rewritten before they are parsed (fronts.Front)."""
