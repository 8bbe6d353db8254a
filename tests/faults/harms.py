"""What a line, a tap or a log does to bytes: the kinds of harm of the judging study.

A Harm is applied to each byte of one side from the fault on and returns what arrives of it, at a tap or on the line.
A shuffle changes everything from the fault on as a whole, which only a tap or a file can do.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

LOSS, DOUBLE, FLIP, MARKED, SWAP = "lost", "doubled", "flipped", "flipped and marked", "frames swapped"
TWO, BURST, FLIPS, TURNED = "two lost nearby", "3 to 20 lost", "2 to 5 flipped", "two bytes swapped"
SIDES, TWICE, PART, CLOCK, LATE = "sides swapped", "a part twice", "a part missing", "clock set", "sides shifted"

HARMS = (LOSS, DOUBLE, FLIP, MARKED, TWO, BURST, FLIPS, TURNED)

SPAN = 24
"""Two faults within this many bytes of one side are near each other."""


class Harm:
    """What arrives of a side's bytes from the fault on."""

    def __init__(self, kind: str, rng: random.Random):
        self.kind = kind
        self.bits = [rng.randrange(8) for _ in range(5)]
        self.length = {BURST: rng.randrange(3, 21), FLIPS: rng.randrange(2, 6)}.get(kind, 1)
        self.second = rng.randrange(1, SPAN) if kind == TWO else -1
        self.count = 0
        self.held = -1

    def __call__(self, byte: int) -> tuple[int, ...]:
        """Return what arrives of the next byte. A player drops bytes that its receiver marks."""
        n = self.count
        self.count += 1
        if self.kind == TURNED:
            if n == 0:
                self.held = byte
                return ()
            return (byte, self.held) if n == 1 else (byte,)
        if n >= self.length and n != self.second:
            return (byte,)
        if self.kind == DOUBLE:
            return byte, byte
        return (byte ^ 1 << self.bits[n],) if self.kind in (FLIP, FLIPS) else ()


@dataclass(frozen=True)
class Event:
    """A byte of a side, its time, and whether the receiver marked it. frame: the number of its frame."""

    at: int
    side: int
    byte: int
    frame: int
    marked: int = 0


def _timed(events: Sequence[Event], order: Sequence[Event]) -> list[Event]:
    """Put events into another order, with the times of the old one."""
    return [replace(event, at=old.at) for old, event in zip(events, order, strict=False)]


def _swapped(events: list[Event], _rng: random.Random) -> list[Event]:
    first = events[0].frame
    two = [e for e in events if e.frame == first + 1] + [e for e in events if e.frame == first]
    return _timed(events, two + events[len(two) :])


def _other_side(events: list[Event], _rng: random.Random) -> list[Event]:
    return [replace(event, side=1 - event.side) for event in events]


def _twice(events: list[Event], rng: random.Random) -> list[Event]:
    last = events[0].frame + rng.randrange(3, 60)
    part = [event for event in events if event.frame <= last]
    later = part[-1].at - part[0].at + 1000
    return part + [replace(event, at=event.at + later) for event in events]


def _missing(events: list[Event], rng: random.Random) -> list[Event]:
    last = events[0].frame + rng.randrange(1, 40)
    return [event for event in events if event.frame > last]


def _set_clock(events: list[Event], rng: random.Random) -> list[Event]:
    by = rng.randrange(10**6, 600 * 10**6) * rng.choice((-1, 1))
    return [replace(event, at=event.at + by) for event in events]


def _shifted(events: list[Event], rng: random.Random) -> list[Event]:
    """For a while one side is read some bytes late."""
    size, by, side = rng.randrange(4, 30), rng.randrange(1, 5), rng.randrange(2)
    places = {i: i + (by + 0.5 if event.side == side else 0) for i, event in enumerate(events[:size])}
    order = [events[i] for i in sorted(places, key=places.__getitem__)]
    return _timed(events, order + events[size:])


SHUFFLES: dict[str, Callable[[list[Event], random.Random], list[Event]]] = {
    SWAP: _swapped,
    SIDES: _other_side,
    TWICE: _twice,
    PART: _missing,
    CLOCK: _set_clock,
    LATE: _shifted,
}


def at_tap(events: list[Event], place: int, kind: str, rng: random.Random) -> tuple[list[Event], int]:
    """Return what a tap records of events, harmed from `place` of the first frame on, and the time of the harm."""
    if kind in SHUFFLES:
        heard = SHUFFLES[kind](events, rng)
        same = next((i for i, (a, b) in enumerate(zip(events, heard, strict=False)) if a != b), 0)
        return heard, events[min(same, len(events) - 1)].at
    harm = Harm(kind, rng)
    heard = []
    for i, event in enumerate(events):
        if i < place or event.side != events[place].side:
            heard.append(event)
        elif kind == MARKED and i == place:
            heard.append(replace(event, byte=event.byte ^ 1 << harm.bits[0], marked=1))
            harm(event.byte)
        else:
            heard += [replace(event, byte=byte) for byte in harm(event.byte)]
    return heard, events[place].at
