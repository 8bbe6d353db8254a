"""Bytes of both sides become records: a frame, noise, a cut frame, or something that did not come.

A Session gives the watcher its bytes and its ticks, which it takes from the times of the bytes, and adds what the
watcher does not know: when, how long after, which bytes exactly, what the driver said of them, and sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from seabattle import watch, wire
from seabattle.watch import Watch
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Chunk, Fault, Item, Lost
from seabattle_host.sniff.pace import Pace

_NOISE_MOST = 64
"""Noise bytes in one record."""

_NOISE_GAP = 2 * TICK_DIVIDEND // TICK_DIVISOR

LOST = 5
"""Kind of a record, beside those of the watcher: from here on bytes are missing."""


@dataclass(frozen=True)
class Record:
    """One thing that was seen.

    at, end: when its first and last byte were read, microseconds. side: 0 or 1; role: wire.MASTER, SLAVE or NOBODY.
    kind: watch.FRAME, STRAY (noise), CUT, LACK, or LOST. op: the opcode (of a LACK the command or sync that it is
    about). body: the bytes behind the opcode, of a nick or chat those behind the length byte. raw: all bytes.
    verdict, reason: of the watcher. state: the sender's before it, watch.UNSURE where not known. answers: the command
    that a reply answers, 0 none. reply: microseconds from the end of that command, -1 if it answers none.
    faults: what the driver said of its bytes. offsets: microseconds from `at` to each byte, empty if all came at once.
    unsure: the side is a guess (one line for both directions), and no
    verdict is given. text: of a LOST, why.
    """

    number: int
    at: int
    end: int
    side: int
    role: int
    kind: int
    op: int
    body: bytes
    raw: bytes
    verdict: int
    reason: int
    state: int
    answers: int = 0
    reply: int = -1
    faults: bytes = b""
    offsets: tuple[int, ...] = ()
    unsure: bool = False
    text: str = ""

    @property
    def fault(self) -> Fault:
        """All faults of its bytes together."""
        together = Fault(0)
        for fault in self.faults:
            together |= Fault(fault)
        return together

    @property
    def is_sync(self) -> bool:
        """A sync or its answer, with nothing to say about it."""
        return self.kind == watch.FRAME and self.op in (wire.SYNC, wire.SYNCED) and not self.verdict and not self.faults


@dataclass
class Game:
    """One game of a session. Sides are 0 and 1, -1 where not known."""

    began: int
    parameters: tuple[int, ...] = ()
    shots: list[int] = field(default_factory=lambda: [0, 0])
    hits: list[int] = field(default_factory=lambda: [0, 0])
    winner: int = -1
    how: str = ""
    """`shots`, `surrender`, or what ended it otherwise: `restart`, `goodbye`, `timeout`, `accusation`; empty: on."""


@dataclass
class Sums:
    """Sums over a session; pairs are for the sides 0 and 1."""

    bytes: list[int] = field(default_factory=lambda: [0, 0])
    frames: list[int] = field(default_factory=lambda: [0, 0])
    syncs: int = 0
    noise: int = 0
    cut: int = 0
    lost: int = 0
    deviations: int = 0
    violations: int = 0
    unsure: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    replies: dict[int, list[int]] = field(default_factory=dict)
    """Command -> microseconds until each reply to it."""
    sync_gaps: list[int] = field(default_factory=list)
    """Microseconds between neighbouring commands (syncs included) of the master."""
    games: list[Game] = field(default_factory=list)

    @property
    def longest_reply(self) -> int:
        """Microseconds; 0 if there was none."""
        return max((max(times) for times in self.replies.values() if times), default=0)


class _Side:
    """The bytes of one side that are no record yet."""

    def __init__(self) -> None:
        self.raw = bytearray()
        self.faults = bytearray()
        self.times: list[int] = []
        self.began = 0
        self.end = 0
        self.command_end = -1
        self.sync_end = -1

    def add(self, at: int, byte: int, fault: int) -> None:
        if not self.raw:
            self.began = at
        self.end = at
        self.raw.append(byte)
        self.faults.append(fault)
        self.times.append(at)

    def take(self) -> _Taken:
        """All that is there."""
        began = self.began
        offsets = tuple(at - began for at in self.times) if self.end != began else ()
        faults = bytes(self.faults) if any(self.faults) else b""
        taken = _Taken(began, self.end, bytes(self.raw), faults, offsets)
        self.raw.clear()
        self.faults.clear()
        self.times.clear()
        return taken


class _Taken(NamedTuple):
    began: int = 0
    end: int = 0
    raw: bytes = b""
    faults: bytes = b""
    offsets: tuple[int, ...] = ()


class Session:
    """`feed` bytes in the order of the line, `advance` while nothing comes, `finish` at the end; each gives records."""

    def __init__(self) -> None:
        self.watch = Watch()
        self.sums = Sums()
        self.now = 0
        """Time of the last thing seen, microseconds."""
        self.nicks = [b"", b""]
        self._sides = (_Side(), _Side())
        self._pace = Pace()
        self._number = 0
        self._noise: Record | None = None
        self._master_at = -1

    def run(self, items: Iterable[Item]) -> Iterator[Record]:
        """All records of a capture."""
        for item in items:
            yield from self.feed(item)
        yield from self.finish()

    def feed(self, item: Item, unsure: bool = False) -> list[Record]:
        """Records that these bytes complete. unsure: their side is a guess."""
        if isinstance(item, Lost):
            return self._lost(item)
        records = self.advance(item.at)
        side = item.side
        pending = self._sides[side]
        feed = self.watch.feed
        take = self.watch.take
        faults = item.faults or bytes(len(item.data))
        self.sums.bytes[side] += len(item.data)
        for byte, fault in zip(item.data, faults, strict=True):
            pending.add(item.at, byte, fault)
            feed(side, byte)
            while take():
                self._record(records, unsure)
        return records

    def advance(self, at: int) -> list[Record]:
        """Let time pass up to `at`, microseconds; records of what became late meanwhile."""
        records: list[Record] = []
        if self._noise is not None and at - self._noise.end > _NOISE_GAP:
            self._flush_noise(records)
        pace = self._pace
        pace.begin(at)
        while pace.next <= at:
            self.now = pace.next
            pace.due(at)
            self.watch.tick()
            while self.watch.take():
                self._record(records, False)
        # captures that were put together from pieces may run back
        self.now = max(self.now, at)
        return records

    def finish(self) -> list[Record]:
        """The end of the capture: what is left, without a verdict on what did not come any more."""
        records: list[Record] = []
        self._flush_noise(records)
        for side, pending in enumerate(self._sides):
            if pending.raw:
                reader = self.watch.reader[side]
                taken = pending.take()
                self.sums.cut += 1
                records.append(
                    Record(
                        number=self._count(),
                        at=taken.began,
                        end=taken.end,
                        side=side,
                        role=self.watch.role_of(side),
                        kind=watch.CUT,
                        op=reader.op,
                        body=bytes(reader.data[: reader.size]),
                        raw=taken.raw,
                        verdict=watch.NOISE,
                        reason=watch.R_CUT,
                        state=self.watch.state_of(side),
                        faults=taken.faults,
                        offsets=taken.offsets,
                    )
                )
        return records

    def _count(self) -> int:
        self._number += 1
        return self._number

    def _lost(self, lost: Lost) -> list[Record]:
        records = self.finish()
        self.watch.forget()
        self.sums.lost += 1
        at = max(lost.at, self.now)
        self._pace.start(at)
        records.append(
            Record(self._count(), at, at, 0, wire.NOBODY, LOST, 0, b"", b"", watch.OK, 0, watch.UNSURE, text=lost.why)
        )
        return records

    def _record(self, records: list[Record], unsure: bool) -> None:
        """The watcher has a record: complete it."""
        w = self.watch
        side = w.side
        kind = w.kind
        body = b""
        taken = _Taken(self.now, self.now)
        if kind != watch.LACK:
            taken = self._sides[side].take()
            if kind != watch.STRAY:
                body = bytes(w.data(side)[: w.size(side)])
        verdict, reason = w.verdict, w.reason
        if unsure and verdict in (watch.DEVIATION, watch.VIOLATION):
            verdict = reason = 0
        record = Record(
            number=0,
            at=taken.began,
            end=taken.end,
            side=side,
            role=w.role,
            kind=kind,
            op=w.op,
            body=body,
            raw=taken.raw,
            verdict=verdict,
            reason=reason,
            state=w.state,
            answers=w.answers,
            faults=taken.faults,
            offsets=taken.offsets,
            unsure=unsure,
        )
        if kind == watch.STRAY:
            self._stray(records, record)
            return
        self._flush_noise(records)
        reply = self._reply_time(record) if kind == watch.FRAME else -1
        record = replace(record, number=self._count(), reply=reply)
        self._sum(record)
        records.append(record)

    def _stray(self, records: list[Record], record: Record) -> None:
        """Noise bytes of one burst are one record."""
        so_far = self._noise
        if so_far is not None:
            if so_far.side == record.side and len(so_far.raw) < _NOISE_MOST:
                faults = b""
                offsets: tuple[int, ...] = ()
                if so_far.faults or record.faults:
                    faults = (so_far.faults or bytes(len(so_far.raw))) + (record.faults or b"\0")
                if record.end != so_far.at:
                    offsets = (*(so_far.offsets or (0,) * len(so_far.raw)), record.at - so_far.at)
                raw = so_far.raw + record.raw
                self._noise = replace(so_far, end=record.end, raw=raw, faults=faults, offsets=offsets)
                return
            self._flush_noise(records)
        self._noise = record

    def _flush_noise(self, records: list[Record]) -> None:
        if self._noise is None:
            return
        record = replace(self._noise, number=self._count())
        self._noise = None
        self._sum(record)
        records.append(record)

    def _reply_time(self, record: Record) -> int:
        side = self._sides[record.side]
        other = self._sides[1 - record.side]
        if record.op == wire.SYNC:
            side.sync_end = record.end
        elif wire.is_command(record.op):
            side.command_end = record.end
        elif record.answers:
            asked = other.sync_end if record.op == wire.SYNCED else other.command_end
            return max(0, record.at - asked) if asked >= 0 else -1
        return -1

    def _sum(self, record: Record) -> None:
        sums = self.sums
        for fault in record.faults:
            for name in Fault(fault).words:
                sums.faults[name] += 1
        if record.unsure:
            sums.unsure += 1
        if record.verdict == watch.DEVIATION:
            sums.deviations += 1
        elif record.verdict == watch.VIOLATION:
            sums.violations += 1
        if record.kind == watch.STRAY:
            sums.noise += len(record.raw)
        elif record.kind == watch.CUT:
            sums.cut += 1
        elif record.kind == watch.FRAME:
            sums.frames[record.side] += 1
            self._sum_frame(record)

    def _sum_frame(self, record: Record) -> None:
        sums = self.sums
        op = record.op
        if op == wire.SYNC:
            sums.syncs += 1
        if record.reply >= 0:
            sums.replies.setdefault(record.answers, []).append(record.reply)
        if wire.is_command(op) and record.role == wire.MASTER:
            if self._master_at >= 0 and self.watch.state_of(record.side) != watch.UNSURE:
                sums.sync_gaps.append(record.at - self._master_at)
            self._master_at = record.at
        if op == wire.NICK:
            self.nicks[record.side] = record.body
        self._sum_game(record)

    def _sum_game(self, record: Record) -> None:
        """Follow the games: begun by A2, counted by answered shots, ended by what ends them."""
        games = self.sums.games
        op, side = record.op, record.side
        going = games[-1] if games and not games[-1].how else None
        if record.answers == wire.PLACE:
            if going is not None:
                going.how = "restart"
            w = self.watch
            games.append(Game(record.at, tuple(w.param(i) for i in range(5)) if w.agreed else ()))
            return
        if record.answers == wire.SHOT:
            if going is None:
                going = Game(record.at)
                games.append(going)
            going.shots[1 - side] += 1
            going.hits[1 - side] += op in (wire.HIT, wire.SUNK)
            if self.watch.winner != watch.UNSURE:
                going.winner, going.how = self.watch.winner, "shots"
            return
        if going is None:
            return
        if record.answers == wire.WON:
            going.winner, going.how = 1 - side, "shots"
        elif record.answers == wire.SURRENDER:
            going.winner, going.how = side, "surrender"
        elif op in _ENDINGS and record.verdict != watch.VIOLATION:
            going.how = _ENDINGS[op]


_ENDINGS = {
    wire.RESTART: "restart",
    wire.GOODBYE: "goodbye",
    wire.TIMED_OUT: "timeout",
    wire.BROKEN: "accusation",
}


def chunks(items: Iterable[Item]) -> Iterator[Chunk]:
    """The bytes of a capture without what is said about its gaps."""
    for item in items:
        if isinstance(item, Chunk):
            yield item
