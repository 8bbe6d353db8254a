"""A session for checks, which need only errors and sums: most frames are counted and make no records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seabattle import watch, wire
from seabattle_host.sniff import games
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Chunk, Frame, Item
from seabattle_host.sniff.contents import ANSWERS, LETTERS, OTHERS, SIDE_OF, WHOLE, is_senseless, length
from seabattle_host.sniff.record import REPLY_US, Record, Spread
from seabattle_host.sniff.session import Session

_KEPT_MOST = 4096
"""Durations collected before they are summed up."""

_SHORT_US = TICK_DIVIDEND // TICK_DIVISOR
"""A frame that took no longer cannot have timed out."""

_SIZES = tuple((WHOLE | OTHERS).items())
_SPECIAL = b"#"
"""First byte of lines about fields."""


def _is_plain(letters: bytes) -> bool:
    """Return whether a nick or text needs no further look."""
    return not is_senseless(letters) and letters[:1] != _SPECIAL


class BriefSession(Session):
    """Returns the records of a Session, except those of good frames that the watcher knows, while nothing is undecided;
    `unrecorded` counts these.

    The first frame of each kind always makes a record; of syncs, shots and their answers, because the watcher has not
    seen it before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.unrecorded = [0] * 512
        """By opcode, plus 256 for side 1."""
        self.letters = 0
        """Bytes of the nicks and texts among these."""
        self._lengths = [WHOLE.get(op, 0) for op in range(256)]
        """Lengths of frames that need no record, by opcode; 0 for letters and for kinds not seen yet."""
        self._lettered: set[int] = set()
        """Opcodes with letters that need no record."""
        self._noisy = [False, False]
        """By side, whether its last recorded nick or text may be noise and is unanswered."""
        self._new = [0] * 512
        """Like `unrecorded`, for frames not in the sums yet."""
        self._new_letters = [0, 0]
        self._is_clear: bool | None = None
        """Cached `_clear()`; None if unknown."""
        self._replies: list[int] = []
        self._syncs_replies: list[int] = []
        self._gaps: list[int] = []

    def run(self, items: Iterable[Item | Frame]) -> Iterator[Record]:
        counts = self._counts
        left = iter(items)
        for item in left:
            if not isinstance(item, tuple):
                yield from self._next(item, left)
                continue
            at, side, raw, offsets = item
            if not counts(at, at + offsets[-1] if offsets else at, side, raw):
                yield from self._recorded(item)
        yield from self.finish()

    def frame(self, frame: Frame) -> list[Record]:
        at, side, raw, offsets = frame
        if self._counts(at, at + offsets[-1] if offsets else at, side, raw):
            return []
        return self._recorded(frame)

    def _recorded(self, frame: Frame) -> list[Record]:
        """Return the records of a frame that cannot be counted."""
        at, side, raw, offsets = frame
        self._is_clear = None
        if offsets:
            return self._note_kinds(super().frame(frame))
        records: list[Record] = []
        super().plain(records, at, side, raw, False)
        return self._note_kinds(records)

    def feed(self, item: Item, unsure: bool = False) -> list[Record]:
        if isinstance(item, Chunk) and not item.faults:
            return super().feed(item, unsure)
        self._is_clear = None
        return self._note_kinds(super().feed(item, unsure))

    def plain(self, records: list[Record], at: int, side: int, data: bytes, unsure: bool) -> None:
        if unsure or not data or not self._counts(at, at, side, data):
            self._is_clear = None
            there = len(records)
            super().plain(records, at, side, data, unsure)
            if len(records) > there:
                self._note_kinds(records[there:])

    def _note_kinds(self, records: list[Record]) -> list[Record]:
        """Return these records; the next frames of their kinds may be counted."""
        for record in records:
            if record.kind != watch.FRAME:
                continue
            op = record.op
            if op in LETTERS:
                self._lettered.add(op)
                self._noisy[record.side] = not _is_plain(record.body)
            elif op in OTHERS:
                self._lengths[op] = OTHERS[op]
                if record.answers in LETTERS:
                    self._noisy[1 - record.side] = False
        return records

    def advance(self, at: int) -> list[Record]:
        timer = self._timer
        if self._is_clear or self._clear():
            ticks = self.watch.due(timer, at)
            if ticks >= 0:
                self.watch.leap(timer, ticks)
                timer.begin(at)
                if at > self.now:
                    self.now = at
                return []
        self._is_clear = None
        return self._note_kinds(super().advance(at))

    def _clear(self) -> bool:
        """Return whether no frame is incomplete and nothing undecided, so that a good frame is just a good frame."""
        one, two = self._pending
        self._is_clear = not (
            one.raw
            or two.raw
            or one.crossed
            or two.crossed
            or self._held
            or self._noise.raw
            or self.resolution
            or self._timer.next < 0
        )
        return self._is_clear

    def _counts(self, at: int, end: int, side: int, raw: bytes) -> bool:
        """Count a complete frame; return False if it cannot just be counted."""
        op = raw[0]
        if (
            (self._lengths[op] or self._length(raw, 0)) != len(raw)
            or not (self._is_clear or self._clear())
            or not self._forced[side] <= at <= end <= at + _SHORT_US
        ):
            return False
        timer = self._timer
        w = self.watch
        ticks = 0 if end < timer.next else w.due(timer, end)
        if ticks < 0:
            return False
        if not self._takes(at, end, side, raw):
            return False
        if ticks:
            w.leap(timer, ticks)
        timer.begin(at)
        if end > self.now:
            self.now = end
        return True

    def _length(self, data: bytes, begin: int) -> int:
        """Return the length of a frame with letters, 0 if it may not be counted."""
        return length(data, begin) if data[begin] in self._lettered else 0

    def known(self, data: bytes, begun: int, at: int, guessed: set[int]) -> tuple[int, int, int]:
        if (
            not (self._is_clear or self._clear())
            or not max(self.now, *self._forced) <= at < self._timer.next
            or wire.SHOT in guessed
        ):
            return begun, 0, 0
        w = self.watch
        takes = self._takes
        last_side = last_op = 0
        lengths = self._lengths
        most = len(data)
        while begun < most:
            op = data[begun]
            end = begun + (lengths[op] or self._length(data, begun))
            place = w.place or w.enter()
            if begun == end or end > most or place is None:
                break
            if op in OTHERS:
                side = w.sender(op)
                if guessed and op not in SIDE_OF and self._is_guess(op, guessed):
                    break
            elif op == wire.SHOT:
                side = w.shooter() if place.can_shoot is None else place.can_shoot
                if guessed and (place.waits[0] in guessed or place.waits[1] in guessed):
                    break
            else:
                side = SIDE_OF.get(op, place.answerer)
            if side < 0 or not takes(at, at, side, data[begun:end]):
                break
            last_side, last_op = side, op
            begun = end
        if last_op:
            self._timer.begin(at)
            self.now = at
        return begun, last_side, last_op

    def _is_guess(self, op: int, guessed: set[int]) -> bool:
        """Return whether the side of a frame rests on a guess, or the next one does not any more."""
        if wire.is_reply(op):
            return wire.command_of(op) in guessed
        w = self.watch
        return op in guessed or w.waits(0) in guessed or w.waits(1) in guessed

    def _takes(self, at: int, end: int, side: int, raw: bytes) -> bool:
        """Count a good frame while nothing is incomplete; return False if it cannot just be counted."""
        w = self.watch
        op = raw[0]
        if op in OTHERS and not self._is_common(side, raw):
            return False
        step = w.quick(side, raw)
        if step is None:
            return False
        self._new[op + 256 * side] += 1
        self._number += 1
        if op in ANSWERS:
            asked = self._command_end[1 - side]
            if asked >= 0:
                self._replies.append(at - asked if at > asked else 0)
                if len(self._replies) >= _KEPT_MOST:
                    self._sum_up()
            games.answered(self.sums, w, at, 1 - side, self._shots[1 - side], op)
            return True
        if op == wire.SHOT:
            self._command_end[side] = end
            self._shots[side] = raw[1], raw[2]
        elif op == wire.SYNC:
            self._sync_end[side] = end
        elif op in OTHERS:
            if wire.is_reply(op):
                self._replied(at, side, op, step[3])
                return True
            self._command_end[side] = end
            if op in LETTERS:
                self._new_letters[side] += len(raw) - 2
                if op == wire.NICK:
                    self.nicks[side] = raw[2:]
            elif op in games.ENDINGS:
                games.follow(self.sums, w, at, side, op, 0, self._shots)
        else:
            asked = self._sync_end[1 - side]
            if step[3] and asked >= 0:
                self._syncs_replies.append(at - asked if at > asked else 0)
                if len(self._syncs_replies) >= _KEPT_MOST:
                    self._sum_up()
            return True
        if step[1] == wire.MASTER:
            if self._master_at >= 0 and step[0].is_one[side]:
                self._gaps.append(at - self._master_at)
                if len(self._gaps) >= _KEPT_MOST:
                    self._sum_up()
            self._master_at = at
        return True

    def _is_common(self, side: int, raw: bytes) -> bool:
        """Return whether a frame other than a sync, a shot or their replies needs no further look."""
        op = raw[0]
        if op in LETTERS:
            return _is_plain(raw[2:])
        # the reply to what looks like noise shows that it is none
        return not (self._noisy[1 - side] and wire.command_of(op) in LETTERS)

    def _replied(self, at: int, side: int, op: int, answers: int) -> None:
        """Add a reply other than to syncs and shots to the sums."""
        sums = self.sums
        asked = self._command_end[1 - side]
        if asked >= 0:
            sums.replies.setdefault(answers, Spread()).add(at - asked if at > asked else 0, REPLY_US)
        games.follow(sums, self.watch, at, side, op, answers, self._shots)

    def finish(self) -> list[Record]:
        self._sum_up()
        return super().finish()

    def _sum_up(self) -> None:
        """Move the counts into the sums."""
        sums, new = self.sums, self._new
        for side in (0, 1):
            sums.bytes[side] += self._new_letters[side]
            self.letters += self._new_letters[side]
            self._new_letters[side] = 0
        for op, size in _SIZES:
            for side in (0, 1):
                count = new[op + 256 * side]
                if count:
                    new[op + 256 * side] = 0
                    self.unrecorded[op + 256 * side] += count
                    sums.bytes[side] += count * size
                    sums.frames[side] += count
                    if op == wire.SYNC:
                        sums.syncs += count
        for answers, times in ((wire.SHOT, self._replies), (wire.SYNC, self._syncs_replies)):
            if times:
                sums.replies.setdefault(answers, Spread()).add_all(times, REPLY_US)
                times.clear()
        sums.sync_gaps.add_all(self._gaps)
        self._gaps.clear()
