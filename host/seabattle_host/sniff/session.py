"""Turns the bytes of both sides into records: frames, noise, cut frames, and things that did not come.

A Session feeds the watcher bytes and ticks, derived from the times of the bytes, and adds what the watcher does not
know: times, durations, the exact bytes, the driver's faults, and sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from seabattle import watch, wire
from seabattle_host.language import words
from seabattle_host.line.settings import Settings
from seabattle_host.sniff import capture, fault_details, games
from seabattle_host.sniff.cached_watch import CachedWatch
from seabattle_host.sniff.capture import SECOND, SIDES, Chunk, Crossing, Frame, Item, Lost, Piece
from seabattle_host.sniff.frame_contents import GUESSED, LETTERS, WHOLE, length
from seabattle_host.sniff.oddities import Oddities
from seabattle_host.sniff.record import LOST, REPLY_US, Pending, Record, Spread, Sums, Taken, ruled
from seabattle_host.sniff.tick_batches import BatchedTickTimer
from seabattle_host.sniff.timing import SOON

if TYPE_CHECKING:
    from seabattle_host.jury.verdict import Verdict
    from seabattle_host.sniff.merge import Sorter

_BYTE_US = round(Settings().byte_time * SECOND)
_NOISE_MOST = 64  # most noise bytes in one record
_NOISE_GAP = SOON // 2
_ONE = [bytes((byte,)) for byte in range(256)]


class Session:
    """Makes records of the bytes and pauses of a line.

    `feed` bytes in the order of the line, `advance` while nothing comes, `finish` at the end; each returns records.
    """

    def __init__(self) -> None:
        self.watch = CachedWatch()
        self.sums = Sums()
        self.oddities = Oddities(self.watch)
        self.now = 0
        """Time of the last item, microseconds."""
        self.nicks = [b"", b""]
        self.is_merged = False
        """Whether the sides are those of the roles that may send the frames (merge.py)."""
        self.resolution = 0
        """Resolution of the times, microseconds: two of them may be closer by this much."""
        self._pending = (Pending(), Pending())
        self._noise = Pending()
        self._noise_side = 0
        self._forced = [0, 0]
        self._timer = BatchedTickTimer()
        self._number = self._ticked = 0
        self._command_end, self._sync_end = [-1, -1], [-1, -1]
        self._master_at = -1
        self._shots = [(0, 0), (0, 0)]
        self._held: list[Record] = []
        """The record whose verdict is open, and those after it."""
        self._finding = 0
        """Number of the last record that others may follow from."""

    def run(self, items: Iterable[Piece]) -> Iterator[Record]:
        """Yield all records of a capture."""
        left = iter(items)
        for item in left:
            yield from self.frame(item) if isinstance(item, tuple) else self._next(item, left)
        yield from self.finish()

    def _next(self, item: Item | Crossing, left: Iterator[Piece]) -> list[Record]:
        """Return the records of an item, and of what is taken from `left` to complete its frame."""
        if not isinstance(item, Chunk) or item.data != _ONE[wire.SHOT] or item.faults:
            return self._piece(item)
        return [record for piece in capture.join_frame(item, left, WHOLE[wire.SHOT]) for record in self._piece(piece)]

    def _piece(self, piece: Piece) -> list[Record]:
        if isinstance(piece, tuple):
            return self.frame(piece)
        return self.crossing(piece) if isinstance(piece, Crossing) else self.feed(piece)

    def crossing(self, crossing: Crossing) -> list[Record]:
        """Return the records of frames that crossed."""
        return [record for chunk in crossing.chunks() for record in self.feed(chunk)]

    def frame(self, frame: Frame) -> list[Record]:
        """Return the records that the bytes of a frame complete."""
        at, side, raw, offsets = frame
        if not offsets:
            return self.feed(Chunk(at, side, raw))
        records = self.advance(at)
        end = at + offsets[-1]
        if self.now <= at <= end < self._timer.next and not (
            self._pending[side].raw or self._noise.raw or self.resolution
        ):
            self.sums.bytes[side] += len(raw)
            step = self.watch.whole(side, raw) if length(raw) == len(raw) else None
            if step is None:
                self._each(records, at, side, raw, False, offsets)
            else:
                self._good(records, False, at, end, raw, offsets if end > at else (), side, *step[1:4])
            self.now = end
            return records
        for chunk in capture.split_frames((frame,)):
            records += self.feed(chunk)
        return records

    def feed(self, item: Item, unsure: bool = False) -> list[Record]:
        """Return the records that these bytes complete. unsure: their side is a guess."""
        if isinstance(item, Lost):
            return self._lost(item)
        records: list[Record] = []
        if item.faults:
            self._feed_damaged(records, item, unsure)
        else:
            self.plain(records, item.at, item.side, item.data, unsure)
        return records

    def plain(self, records: list[Record], at: int, side: int, data: bytes, unsure: bool) -> None:
        """Process bytes without faults; append the records they complete."""
        timer = self._timer
        if at < self.now:
            at = self._moment(at, side)
        if at >= timer.next or self._noise.raw or self.resolution:
            records += self.advance(at)
        else:
            timer.begin(at)
            if at > self.now:
                self.now = at
        self.sums.bytes[side] += len(data)
        w = self.watch
        if not self._pending[side].raw and data and length(data) == len(data):
            step = w.whole(side, data)
            if step is not None:
                self._good(records, unsure, at, at, data, (), side, step[1], step[2], step[3])
                return
        self._each(records, at, side, data, unsure)

    def known(self, _data: bytes, begun: int, _at: int, _sorter: Sorter) -> tuple[int, tuple[int, bool] | None, bool]:
        """Take frames of merged bytes until one has to be reported.

        Return where that one begins; the sorter's answer for it, if it was asked; and whether it cannot be counted.
        """
        return begun, None, False

    def uncounted(self, records: list[Record], at: int, side: int, data: bytes, unsure: bool) -> None:
        """Like `plain`, for bytes that cannot be counted."""
        self.plain(records, at, side, data, unsure)

    def _each(
        self, records: list[Record], began: int, side: int, data: bytes, unsure: bool, offsets: tuple[int, ...] = ()
    ) -> None:
        """Process byte by byte."""
        w = self.watch
        pending = self._pending[side]
        add = pending.add
        feed = w.feed
        take = w.take
        at = began
        w.room = (at - pending.end) // _BYTE_US if pending.raw else 0
        for place, byte in enumerate(data):
            if offsets and began + offsets[place] != at:
                self.now = at = began + offsets[place]
                w.room = (at - pending.end) // _BYTE_US if pending.raw else 0
            if not feed(side, byte):
                add(at, byte, 0)
                continue
            there = take()
            if there and w.kind == watch.FRAME and not (pending.raw or w.verdict or w.reason or w.spare):
                self._good(records, unsure, at, at, _ONE[byte], (), side, w.role, w.state, w.answers)
            else:
                add(at, byte, 0)
                if there:
                    self._record(records, unsure)
            while take():
                self._record(records, unsure)

    def _feed_damaged(self, records: list[Record], item: Chunk, unsure: bool) -> None:
        """Process bytes with faults."""
        side = item.side
        at = self._moment(item.at, side)
        records += self.advance(at)
        self.sums.bytes[side] += len(item.data)
        w = self.watch
        for byte, fault in zip(item.data, item.faults, strict=True):
            self._pending[side].add(at, byte, fault)
            if w.feed(side, byte, 1 if fault else 0):
                while w.take():
                    self._record(records, unsure)

    def _moment(self, at: int, side: int) -> int:
        """Return the time of a byte. Within a tap's frames it is adjusted to keep the order in which bytes came."""
        if at < self.now and (self._pending[1 - side].raw or self._pending[side].crossed):
            self._forced[side] = self.now + 1
        return max(at, self._forced[side])

    def advance(self, at: int) -> list[Record]:
        """Let time pass up to `at`, microseconds; return records of what became late meanwhile."""
        records: list[Record] = []
        noise = self._noise.raw
        if not noise and not self.resolution and at < self._timer.next:
            self._timer.begin(at)
            if at > self.now:
                self.now = at
            return records
        if noise and at - self._noise.end > _NOISE_GAP:
            self._flush_noise(records)
        timer = self._timer
        if self.resolution and timer.next >= 0 and at > self.now:
            timer.next += min(at - self.now, self.resolution)
        timer.begin(at)
        while timer.next <= at:
            self.now = timer.next
            timer.due(at)
            self._ticked = self.now
            self.watch.tick()
            while self.watch.take():
                self._record(records, False)
        self.now = max(self.now, at)  # captures put together from pieces may run back
        return records

    def finish(self) -> list[Record]:
        """End the capture; return what is left, without a verdict on what did not come any more."""
        self.watch.finish()
        self.oddities.finish(self.now)
        games.finish(self.sums, self.watch, self.now)
        return self._rest()

    def _rest(self) -> list[Record]:
        records: list[Record] = []
        while self.watch.take():
            self._record(records, False)
        self._flush_noise(records)
        for side, pending in enumerate(self._pending):
            if not pending.raw:
                continue
            reader = self.watch.reader[side]
            taken = pending.take()
            self.sums.cut += 1
            body = bytes(reader.data[: reader.size])
            self._give(records, self._loose(side, watch.CUT, reader.op, body, taken, watch.R_CUT, self._crossed(side)))
        return records

    def _count(self) -> int:
        self._number += 1
        return self._number

    def _lost(self, lost: Lost) -> list[Record]:
        if self._held and lost.at - self._held[0].end > SOON:
            self.watch.finish()
        else:
            self.watch.broken_off()
        records = self._rest()
        self.watch.forget()
        self.sums.lost += 1
        at = max(lost.at, self.now)
        self._timer.start(at)
        records.append(
            Record(self._count(), at, at, 0, wire.NOBODY, LOST, 0, b"", b"", watch.OK, 0, watch.UNSURE, text=lost.why)
        )
        return records

    def _record(self, records: list[Record], unsure: bool) -> None:
        """Complete a record of the watcher."""
        w = self.watch
        side, kind, op = w.side, w.kind, w.op
        if kind == watch.RULING:
            self._ruled(records)
            return
        if kind == watch.STRAY:
            self._stray(records, side)
            return
        if kind == watch.FRAME and not (w.verdict or w.reason or w.spare):
            taken = self._pending[side].take()
            if not taken.faults:
                began, end, raw, _faults, offsets = taken
                self._good(records, unsure, began, end, raw, offsets, side, w.role, w.state, w.answers)
                return
            self._pending[side].put_back(taken)
        self._flush_noise(records)
        body = b""
        taken = Taken(self.now, self.now)
        if kind != watch.LACK:
            taken = self._pending[side].take(w.spare)
            body = bytes(w.data(side)[: w.size(side)]) if not w.spare else taken.raw[1:]
        said = self._shown(side, body, w.state) if kind == watch.FRAME and op == wire.CHAT else ""
        verdict, reason, is_open = w.verdict, w.reason, w.open != 0
        if verdict == watch.FOLLOWS and w.maybe:
            self._finding = self.oddities.twice
        misfit = unsure and verdict in (watch.VIOLATION, watch.DOUBT)
        if unsure and verdict not in (watch.OK, watch.NOISE):
            if is_open:  # nor does it count as the first of several
                w.broken_off()
            verdict, reason, is_open = 0, 0, False
        if reason and verdict and op != wire.CHAT:
            said = fault_details.detail(w, self.sums, self._shots[1 - side], side, op, body, reason)
        record = Record(
            number=self._count(),
            at=taken.began,
            end=taken.end,
            side=side,
            role=w.role,
            kind=kind,
            op=op,
            body=body,
            raw=taken.raw,
            verdict=verdict,
            reason=reason,
            state=w.state,
            answers=w.answers,
            reply=self._reply_time(side, op, w.answers, taken) if kind == watch.FRAME else -1,
            faults=taken.faults,
            offsets=taken.offsets,
            unsure=unsure,
            text=said,
            maybe=w.maybe != 0 and verdict == watch.DOUBT,
            follows=self._finding if verdict == watch.FOLLOWS else 0,
            crossed=kind != watch.LACK and self._crossed(side),
            misfit=misfit,
        )
        if self.oddities.torn and kind == watch.FRAME:
            self.oddities.follow(op)
        self._sum(record)
        self._give(records, record, is_open)

    def _good(
        self, records: list[Record], unsure: bool, at: int, end: int, raw: bytes, offsets: tuple[int, ...],
        side: int, role: int, state: int, answers: int,
    ) -> None:  # fmt: skip
        """Record an undamaged frame with nothing to report, the common case."""
        if self._noise.raw:
            self._flush_noise(records)
        op = raw[0]
        if self.oddities.torn:
            self.oddities.follow(op)
        body = raw[1:]
        said = ""
        if op in LETTERS:
            body = raw[2:]
            if op == wire.CHAT:
                said = self._shown(side, body, state)
        sums = self.sums
        sums.frames[side] += 1
        reply = -1
        row = wire.ROW[op]
        if op == wire.SYNC:
            sums.syncs += 1
            self._sync_end[side] = end
        elif row < wire.REPLIES:
            self._command_end[side] = end
        elif answers:
            asked = (self._sync_end if op == wire.SYNCED else self._command_end)[1 - side]
            if asked >= 0:
                reply = max(0, at - asked)
                spread = sums.replies.get(answers)
                if spread is None:
                    spread = sums.replies[answers] = Spread()
                spread.add(reply, REPLY_US)
        sums.unsure += unsure
        self._number += 1
        pending = self._pending
        crossed = (pending[side].crossed or bool(pending[1 - side].raw)) and self._crossed(side)
        record = Record(
            self._number, at, end, side, role, watch.FRAME, op, body, raw, watch.OK, 0, state, answers, reply,
            b"", offsets, unsure, said, crossed=crossed, ticked=bool(offsets) and at < self._ticked,
        )  # fmt: skip
        if row < wire.REPLIES:
            if role == wire.MASTER:
                self._sum_gap(record)
            if op == wire.SHOT:
                self._shots[side] = body[0], body[1]
            elif op == wire.NICK:
                self.nicks[side] = body + GUESSED * unsure
            elif op in games.ENDINGS:
                games.follow(sums, self.watch, at, side, op, answers, self._shots)
        elif answers and op != wire.SYNCED:
            games.follow(sums, self.watch, at, side, op, answers, self._shots)
        if self._held:
            self._held.append(record)
        else:
            records.append(record)

    def _give(self, records: list[Record], record: Record, is_open: bool = False) -> None:
        """Output a record, or hold it while a decision on it or on an earlier one is open."""
        record.ticked = record.at < self._ticked
        if record.verdict in (watch.VIOLATION, watch.DOUBT, watch.NOISE) or record.reason == watch.R_UNMATCHED:
            self._finding = record.number
        self.oddities.take(record)
        if self._held or is_open:
            self._held.append(record)
        else:
            self.sums.weigh(record)
            records.append(record)

    def _ruled(self, records: list[Record]) -> None:
        """Apply the watcher's ruling to the held record and output all that are held."""
        w = self.watch
        held, self._held = self._held, []
        if not held:
            return
        held[0] = ruled(held[0], w.verdict, w.maybe != 0, self.is_merged)
        for record in held:
            self.sums.weigh(record)
        records += held

    def _shown(self, side: int, line: bytes, state: int) -> str:
        """Describe a chat line about the fields in a state; for a shown field with the jury's finding."""
        # import the jury only when needed
        from seabattle_host.sniff import shown_fields

        return shown_fields.described(self.sums, side, line, state, (self._name(0), self._name(1)))

    def jury_lines(self, verdict: Verdict) -> list[str]:
        """Describe a verdict on the two sides, named by their roles."""
        return verdict.lines([self._name(0), self._name(1)])

    def _name(self, side: int) -> str:
        role = self.watch.role_of(side)
        return words.role(role) if role in (wire.MASTER, wire.SLAVE) else SIDES[side]

    def _stray(self, records: list[Record], side: int) -> None:
        """Collect the noise bytes of one burst into one record."""
        noise, taken = self._noise, self._pending[side].take()
        if side != self._noise_side or len(noise.raw) >= _NOISE_MOST:
            self._flush_noise(records)
        if not noise.raw:
            self.oddities.begin(side, self._number)
        self._noise_side = side
        noise.crossed |= self._crossed(side)
        noise.add(taken.began, taken.raw[0], taken.faults[0] if taken.faults else 0)

    def _flush_noise(self, records: list[Record]) -> None:
        if not self._noise.raw:
            return
        side, taken = self._noise_side, self._noise.take()
        crossed, self._noise.crossed = self._noise.crossed, False
        record = self._loose(side, watch.STRAY, taken.raw[0], b"", taken, watch.R_NOISE, crossed)
        self._sum(record)
        self._give(records, record)

    def _loose(
        self, side: int, kind: int, op: int, body: bytes, taken: Taken, reason: int, crossed: bool
    ) -> Record:  # fmt: skip
        """Make a record of bytes that are no whole frame."""
        began, end, raw, faults, offsets = taken
        w = self.watch
        return Record(
            self._count(), began, end, side, w.role_of(side), kind, op, body, raw, watch.NOISE, reason,
            w.state_of(side), faults=faults, offsets=offsets, crossed=crossed,
        )  # fmt: skip

    def _crossed(self, side: int) -> bool:
        """Return whether bytes of the other side came between those of this one being taken."""
        own, other = self._pending[side], self._pending[1 - side]
        if other.raw:
            # the rest of its frame comes after these
            other.crossed = own.crossed = True
        crossed = own.crossed
        if not own.raw:
            own.crossed = False
        return crossed

    def _reply_time(self, side: int, op: int, answers: int, taken: Taken) -> int:
        if op == wire.SYNC:
            self._sync_end[side] = taken.end
        elif wire.is_command(op):
            self._command_end[side] = taken.end
        elif answers:
            asked = self._sync_end[1 - side] if op == wire.SYNCED else self._command_end[1 - side]
            return max(0, taken.began - asked) if asked >= 0 else -1
        return -1

    def _sum(self, record: Record) -> None:
        sums = self.sums
        sums.count(record)
        if record.kind != watch.FRAME:
            return
        op = record.op
        if op == wire.SYNC:
            sums.syncs += 1
        if record.reply >= 0:
            sums.replies.setdefault(record.answers, Spread()).add(record.reply, REPLY_US)
        if wire.is_command(op) and record.role == wire.MASTER:
            self._sum_gap(record)
        if op == wire.NICK:
            self.nicks[record.side] = record.body + GUESSED * record.unsure
        elif op == wire.SHOT:
            self._shots[record.side] = record.body[0], record.body[1]
        games.follow(sums, self.watch, record.at, record.side, op, record.answers, self._shots, verdict=record.verdict)

    def _sum_gap(self, record: Record) -> None:
        """Add the time between two commands of the master."""
        if self._master_at >= 0:
            may = self.watch.may[record.side]
            # exactly one state
            if may and not may & (may - 1):
                self.sums.sync_gaps.add(record.at - self._master_at)
        self._master_at = record.at
