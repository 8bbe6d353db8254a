"""Guesses the other end's line settings from bytes that make no sense here.

A byte sent at one speed and read at another turns into other bytes, always the same ones. For every speed, parity and
polarity of a sender, the levels on the wire show what a receiver with our settings makes of each byte; the settings
that make the received bytes by far the most likely are the guess. A player looking for another sends little but syncs,
so a dozen bytes are enough.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from seabattle import wire
from seabattle_host.line.settings import Settings

BAUDS = (300, 600, 1200, 2400, 4800, 9600, 14400, 19200, 28800, 38400, 57600, 115200)

_MOST = 96
"""Received bytes examined."""

_USUAL = {wire.SYNC: 0.7, wire.SYNCED: 0.1, wire.MEET: 0.05, wire.TIMED_OUT: 0.03, wire.GOODBYE: 0.02}
"""How often a player that has not met anybody sends a byte."""
_ANY = 0.1 / 256
"""Any other byte, each."""
_CHANCE = math.log(1 / 256)
_SURE = math.log(1e6)
"""How much likelier than random bytes."""
_CLEAR = math.log(100)
"""How much likelier than other speeds."""
_CLEAR_BYTE = 0.5
"""And how much per byte: many bytes of one value say no more than one of them."""
_RARE = math.log(1e-12)
"""Prior probability of inverted levels."""
_NEAR = 3
"""Adjacent speeds that may remain undecided."""

_SAME = 3
"""Different bytes from a player looking for another. More come from chat or a nick, whose bytes follow each other
without the pauses that show the idle level.
"""

_IDLE_BITS = 24


@dataclass(frozen=True)
class Guess:
    """The probable settings of the other end. inverted: its signal levels are inverted."""

    bauds: tuple[int, ...]
    inverted: bool


def guess(received: bytes, ours: Settings) -> Guess | None:
    """Guess the speed and polarity of the sender from bytes that made no sense to a receiver with our settings.

    None if undecided. All speeds that would look like this are returned; they are so low or so high that little is left
    of a byte.
    """
    data = received[-_MOST:]
    if not data:
        return None
    found: dict[tuple[int, bool], float] = {}
    for baud in BAUDS:
        for inverted in (False, True) if len(set(data)) <= _SAME else (False,):
            found[baud, inverted] = _RARE * inverted + max(
                _likelihood(data, receive_probabilities(Settings(baud, 8, parity, stopbits), inverted, ours))
                for parity, stopbits in (("E", 2), ("N", 1))
            )
    best = max(found.values())
    clear = max(_CLEAR, _CLEAR_BYTE * len(data))
    likely = [each for each, chance in found.items() if chance > best - clear]
    bauds = tuple(sorted(baud for baud, _ in likely))
    neighbours = BAUDS.index(bauds[-1]) - BAUDS.index(bauds[0]) < _NEAR
    if best < _SURE + _CHANCE * len(data) or len({inverted for _, inverted in likely}) > 1 or not neighbours:
        return None
    if any(data) and all(is_too_slow(baud, ours) for baud in bauds):
        return None
    return Guess(bauds, likely[0][1])


def is_too_slow(baud: int, ours: Settings) -> bool:
    """Return whether the speed is so low that everything turns into zeros."""
    return not any(receive(levels(wire.SYNC, Settings(baud)), baud, ours))


@functools.lru_cache(maxsize=64)
def receive_probabilities(theirs: Settings, inverted: bool, ours: Settings) -> dict[bytes, float]:
    """Return what a receiver reads for the bytes of a sender, each alone on the line -> its probability."""
    found: dict[bytes, float] = {}
    for byte in range(256):
        result = receive(levels(byte, theirs, inverted), theirs.baud, ours)
        if result:
            found[result] = found.get(result, 0.0) + _USUAL.get(byte, 0.0) + _ANY
    return found


def levels(byte: int, settings: Settings, inverted: bool = False) -> list[int]:
    """Return the line levels for one byte between two pauses, one per bit time; 1 is the idle level."""
    data = [byte >> i & 1 for i in range(settings.bytesize)]
    ones = sum(data)
    parity = {"N": [], "E": [ones & 1], "O": [~ones & 1], "M": [1], "S": [0]}[settings.parity]
    frame = [1] * _IDLE_BITS + [0, *data, *parity] + [1] * (math.ceil(settings.stopbits) + _IDLE_BITS)
    return [1 - level for level in frame] if inverted else frame


def receive(line: Sequence[int], baud: int, ours: Settings) -> bytes:
    """Return the bytes that a receiver reads from line levels sent at another speed."""
    ratio = baud / ours.baud  # sender's bits per bit of ours
    rest = line[-1]

    def level(at: float) -> int:
        index = int(at * ratio)
        return line[index] if index < len(line) else rest

    bits = 1 + ours.bytesize + (ours.parity != "N")
    found = bytearray()
    ready = 0.0
    for i in range(1, len(line)):
        start = i / ratio
        # a start bit is a falling edge that lasts
        if not line[i - 1] or line[i] or start < ready or level(start + 0.5):
            continue
        found.append(sum(level(start + 1.5 + n) << n for n in range(ours.bytesize)))
        ready = start + bits + 0.5
    return bytes(found)


def _likelihood(data: bytes, heard_as: dict[bytes, float]) -> float:
    """Return the log likelihood of these bytes, split in the best way into what single sent bytes turn into."""
    logarithms = {piece: math.log(chance) for piece, chance in heard_as.items()}
    longest = max(map(len, logarithms), default=1)
    best = [0.0] + [-math.inf] * len(data)
    for end in range(1, len(data) + 1):
        # bytes that fit no setting count as noise, with a penalty that makes pure noise likelier
        best[end] = best[end - 1] + _CHANCE - math.log(4)
        for size in range(1, min(longest, end) + 1):
            chance = logarithms.get(data[end - size : end])
            if chance is not None:
                best[end] = max(best[end], best[end - size] + chance)
    return best[-1]
