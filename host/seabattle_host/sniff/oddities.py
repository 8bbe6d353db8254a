"""Noise that tells something: that always comes at the same place, or after which the session does not go on.

A line does not change the bytes at the same place each time. A program does that ends its frames with a byte of its
own, or has another idea of how long they are; so does an adapter that adds something. But what looks like a frame amid
noise, since one of its bytes is an opcode, is no such place.
"""

from __future__ import annotations

from dataclasses import dataclass

from seabattle import watch, wire
from seabattle.watch import Watch
from seabattle.watch_state import GAME, SHAKY, SHAKY_MOST
from seabattle_host.sniff.record import REPLY_US, Record

_ENDS = (wire.MEET, wire.TIMED_OUT, wire.RESTART, wire.SURRENDER, wire.GOODBYE, wire.BROKEN)
"""Commands that end what went on before."""

_GIVE_UP = (wire.BROKEN, wire.TIMED_OUT)

_PARAMS = (wire.PARAMS, int(wire.exchange(wire.PARAMS)[wire.REPLY]))
"""The frames of several bytes that only one role sends."""


_At = tuple[int, int, int]


def after_reply(at: _At) -> bool:
    """Return whether this place is after a reply of the other side; the same noise has a place among its own frames."""
    side, before, op = at
    return side != before and wire.is_reply(op)


@dataclass
class Place:
    """Where noise came again and again: how often, the first of it, and the number of that record."""

    count: int
    raw: bytes
    number: int


class Oddities:
    """Collects them: `begin` with the first byte of noise, `take` each record that is noise, `follow` each frame."""

    def __init__(self, watch_: Watch) -> None:
        self._watch = watch_
        self.places: dict[_At, Place] = {}
        """By side of the noise, and side and opcode of the frame before it; of a cut frame, its own ones."""
        self.torn = 0
        """Number of the last noise in a game, while no command has been answered since; 0 for none."""
        self.broken = 0
        """Number of the first noise in a game after which none was answered any more; 0 for none."""
        self.twice = 0
        """Number of the last answer that came twice."""
        self._torn_end = 0
        self._before: _At | None = None
        self._own: _At | None = None
        self._seen = self._seen_side = -1
        """Number and side of the last record that was noise or wrong."""

    def begin(self, side: int, number: int) -> None:
        """Note the place of noise. number: of the last record, to tell whether a frame came since the last noise."""
        w = self._watch
        last = w.lately
        sound = number > self._seen + (last == self._seen_side)
        is_new = sound and last != watch.UNSURE and not w.reader[last].within
        # these come because of noise, and not before it
        is_new = is_new and w.reader[last].op not in _GIVE_UP
        self._before = (side, last, w.reader[last].op) if is_new else None
        # nobody answers a reply: it may belong to what was replied to
        is_own = is_new and after_reply((side, last, w.reader[last].op)) and not w.reader[side].within
        self._own = (side, side, w.reader[side].op) if is_own else None

    def take(self, record: Record) -> None:
        """Process a record with something to report."""
        if record.reason in (watch.R_DOUBLED, watch.R_OTHER_ANSWER):
            self.twice = record.number
        is_sound = record.verdict in (watch.OK, watch.DEVIATION) and record.reason != watch.R_UNMATCHED
        if record.unsure or not is_sound:
            # if a frame: a part of the noise, perhaps
            self._seen, self._seen_side = record.number, record.side
        if record.kind == watch.STRAY:
            self._note(self._before, record)
            self._note(self._own, record)
            self._before = self._own = None
        elif record.kind == watch.CUT and self._may_be_its_own(record):
            self._note((record.side, record.side, record.op), record)
        elif record.kind != watch.CUT and record.reason != watch.R_UNMATCHED:
            return
        may = self._watch.may
        if not (may[0] | may[1]) & ~GAME:
            self.torn, self._torn_end = record.number, record.end

    @property
    def size(self) -> int:
        """Bytes of noise at places where it came again, at least."""
        return sum(p.count * len(p.raw) for at, p in self.places.items() if p.count > 1 and not after_reply(at))

    def _may_be_its_own(self, record: Record) -> bool:
        """Return whether a player of its role may have begun this frame."""
        if record.op not in _PARAMS or record.role == wire.NOBODY:
            return True
        return (record.op == wire.PARAMS) == (record.role == wire.MASTER)

    def _note(self, at: _At | None, record: Record) -> None:
        if at is None:
            return
        place = self.places.get(at)
        if place is None:
            self.places[at] = Place(1, record.raw, record.number)
        else:
            place.count += 1

    def follow(self, op: int) -> None:
        """Process a frame after `torn`."""
        if self._watch.v[SHAKY] < SHAKY_MOST:
            self.torn = 0
        elif op in _ENDS:
            self.broken = self.broken or self.torn
            self.torn = 0

    def finish(self, now: int) -> None:
        """End of the capture."""
        if self.torn and now - self._torn_end > REPLY_US:
            self.broken = self.broken or self.torn
