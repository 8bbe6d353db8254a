"""What a capture is: bytes, each with the side it came from and, where that is known, the time it was read at.

Sides are 0 and 1, shown as A and B. Times are whole microseconds since the epoch (or since the capture began, where
it does not know the epoch). A capture without times has every time 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

SIDES = "AB"
MARKS = "><"
"""How files mark a direction: `>` what A sends, `<` what B sends."""

SECOND = 10**6
"""Microseconds."""

TICK_DIVIDEND = 65536 * SECOND
TICK_DIVISOR = 1193182
"""A tick is TICK_DIVIDEND / TICK_DIVISOR microseconds."""


class Fault(IntFlag):
    """What a driver says of a byte. PARITY | FRAMING is a byte of which it says only that it was damaged."""

    PARITY = 1
    FRAMING = 2
    OVERRUN = 4
    BREAK = 8

    @property
    def words(self) -> list[str]:
        """The names in lower case, as files have them."""
        return [str(fault.name).lower() for fault in Fault if fault in self]


@dataclass(frozen=True)
class Header:
    """What a capture says of itself. names: the ports of A and B; settings: of the line; mode: how it was taken.

    began: microseconds since the epoch, 0 if not known. timed: its bytes have times. ordered: the order of the two
    sides' bytes is that of the line; False where it had to be guessed.
    """

    names: tuple[str, str] = ("A", "B")
    settings: str = ""
    mode: str = "file"
    began: int = 0
    timed: bool = True
    ordered: bool = True


@dataclass(frozen=True)
class Chunk:
    """Bytes of one side that were read together. faults: empty, or for each byte its Fault."""

    at: int
    side: int
    data: bytes
    faults: bytes = b""


@dataclass(frozen=True)
class Lost:
    """From here on something is missing: an edited or cut file, a driver that lost bytes. why: in words."""

    at: int
    why: str


Item = Chunk | Lost
