"""A session for checks, which need only errors and sums: most frames are counted and make no records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from operator import length_hint
from typing import TYPE_CHECKING

from seabattle import watch, wire
from seabattle.watch_state import ASKED, SIZE, X, Y
from seabattle_host.sniff import games
from seabattle_host.sniff.cached_state import CachedState
from seabattle_host.sniff.capture import Chunk, Crossing, Frame, Item, Piece
from seabattle_host.sniff.exchanges import SHORT_US, Counted, ExchangeSession
from seabattle_host.sniff.frame_contents import (
    ANEW,
    GUESSED,
    LETTERS,
    OTHERS,
    REPLIES,
    SHOTS,
    SIDE_OF,
    SIZES,
    WHOLE,
    is_senseless,
    length,
)
from seabattle_host.sniff.merged_frames import FRAMES
from seabattle_host.sniff.record import REPLY_US, Record, Spread

if TYPE_CHECKING:
    from seabattle_host.sniff.merge import Sorter

_KEPT_MOST = 4096
"""Durations collected before they are summed up."""

_WINDOW, _WINDOW_MOST = 32, 512
"""How many merged bytes are split at once; more if all frames were counted."""

_SPECIAL = b"#"
"""First byte of lines about fields."""


def _is_plain(letters: bytes) -> bool:
    """Return whether a nick or text needs no further look."""
    return not is_senseless(letters) and letters[:1] != _SPECIAL


class CountingSession(ExchangeSession):
    """A Session that only counts the good frames that the watcher knows, while nothing is undecided.

    It returns the other records; `unrecorded` counts these frames.

    The first frame of each kind always makes a record; of syncs, shots and their answers, because the watcher has not
    seen it before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.unrecorded = [0] * 512
        """By opcode, plus 256 for side 1."""
        self.letters = 0
        """Bytes of the nicks and texts among these."""
        self.unsure = 0
        """Of how many of these the side is a guess; the first such frame always makes a record."""
        self._unsure = False
        self._sided: tuple[int, bool] | None = None
        """The sorter's answer for a frame that is not counted yet."""
        self._lengths = [WHOLE.get(op, 0) for op in range(256)]
        """Lengths of frames that need no record, by opcode; 0 for letters and for kinds not seen yet."""
        self._lettered: set[int] = set()
        """Opcodes with letters that need no record."""
        self._noisy = [False, False]
        """By side, whether a recorded nick or text may be noise and none was answered since."""
        self._new_letters = [0, 0]
        self._is_clear: bool | None = None
        """Cached `_clear()`; None if unknown."""
        self._syncs_replies: list[int] = []

    def run(self, items: Iterable[Piece]) -> Iterator[Record]:
        left = iter(items)
        while True:
            before = self._number
            piece = self._many(islice(left, _KEPT_MOST))
            if isinstance(piece, tuple):
                yield from self._recorded(piece)
            elif piece is not None:
                yield from self._next(piece, left)
            elif self._number == before:
                break
        yield from self.finish()

    def frame(self, frame: Frame) -> list[Record]:
        return [] if self._many(iter((frame,))) is None else self._recorded(frame)

    def crossing(self, crossing: Crossing) -> list[Record]:
        frames = crossing.frames
        if self._may_cross(frames):
            return [record for frame in frames for record in self.frame(frame)]
        records: list[Record] = []
        for chunk in crossing.chunks():
            self.uncounted(records, chunk.at, chunk.side, chunk.data, False)
        return records

    def _may_cross(self, frames: Sequence[Frame]) -> bool:
        """Return whether frames that crossed may be counted as if they had come one after the other."""
        if len(frames) != 2 or not (self._is_clear or self._clear()):
            return False
        (at, side, raw, offsets), (other_at, other_side, other_raw, other_offsets) = frames
        end = at + offsets[-1] if offsets else at
        other_end = other_at + other_offsets[-1] if other_offsets else other_at
        begun = min(at, other_at)
        return (
            side != other_side
            and (raw != other_raw or raw[0] in LETTERS)
            and max(self.now, *self._forced) <= begun <= end <= other_end <= begun + SHORT_US
            and self._is_known(raw)
            and self._is_known(other_raw)
            and self.watch.would_take(frames)
            and self.watch.due(self._timer, other_end) >= 0
        )

    def _is_known(self, raw: bytes) -> bool:
        """Return whether the frame is a command that may be counted although it crossed another one."""
        op = raw[0]
        if op in LETTERS:
            return self._length(raw, 0) == len(raw) and _is_plain(raw[2:])
        return op in (wire.SYNC, wire.SHOT) and self._lengths[op] == len(raw)

    def _recorded(self, frame: Frame) -> list[Record]:
        """Return the records of a frame that cannot be counted."""
        at, side, raw, offsets = frame
        self._is_clear = None
        if offsets:
            recorded = super().frame(frame)
            self._is_clear = None
            return self._note_kinds(recorded)
        records: list[Record] = []
        super().plain(records, at, side, raw, False)
        # letting time pass has looked at it before these bytes
        self._is_clear = None
        return self._note_kinds(records)

    def feed(self, item: Item, unsure: bool = False) -> list[Record]:
        if isinstance(item, Chunk) and not item.faults:
            return super().feed(item, unsure)
        self._is_clear = None
        recorded = super().feed(item, unsure)
        self._is_clear = None
        return self._note_kinds(recorded)

    def plain(self, records: list[Record], at: int, side: int, data: bytes, unsure: bool) -> None:
        if unsure or not data or self._many(iter(((at, side, data, ()),))) is not None:
            self.uncounted(records, at, side, data, unsure)

    def uncounted(self, records: list[Record], at: int, side: int, data: bytes, unsure: bool) -> None:
        self._is_clear = None
        there = len(records)
        super().plain(records, at, side, data, unsure)
        self._is_clear = None
        if len(records) > there:
            self._note_kinds(records[there:])

    def _note_kinds(self, records: list[Record]) -> list[Record]:
        """Return these records; the next frames of their kinds may be counted."""
        for record in records:
            self._unsure |= record.unsure
            if record.kind != watch.FRAME:
                continue
            op = record.op
            if op in LETTERS:
                self._lettered.add(op)
                self._noisy[record.side] |= not _is_plain(record.body)
            elif op in OTHERS:
                self._lengths[op] = OTHERS[op]
                if record.answers in LETTERS:
                    self._noisy[1 - record.side] = False
        return records

    def advance(self, at: int) -> list[Record]:
        timer = self._timer
        if self._is_clear or self._clear():
            place = self.watch.place or self.watch.enter()
            if place is not None and (at < timer.next or self.watch.let_pass(place, timer, at)):
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
            or self.oddities.torn
            or self._noise.raw
            or self.resolution
            or self._timer.next < 0
        )
        return self._is_clear

    def _many(self, left: Iterator[Counted], sorter: Sorter | None = None, merged_at: int = 0) -> Counted | None:
        """Count complete frames; return the first piece that cannot just be counted, None if there is none.

        sorter: finds the sides of frames of merged bytes, all received at merged_at; None if all pieces have a side.
        """
        if not (self._is_clear or self._clear()):
            return next(left, None)
        # most frames pass here, so everything is looked up once
        w, timer, forced, lengths = self.watch, self._timer, self._forced, self._lengths
        v, known, signs, raws = w.v, w.shots, w.sign, w.raws
        new, shots, sums = self._new, self._shots, self.sums
        command_end, sync_end = self._command_end, self._sync_end
        replies, syncs_replies, gaps = self._replies, self._syncs_replies, self._gaps
        now, number, master_at = self.now, self._number, self._master_at
        timer.begin(now)
        ahead = timer.next
        ticks = last_side = last_op = 0
        piece = next(left, None)
        is_single = False
        while piece is not None:
            if isinstance(piece, tuple):
                at, side, raw, offsets = piece
                end = at
                if offsets:
                    end += offsets[-1]
                    if not at <= end <= at + SHORT_US:
                        break
            elif isinstance(piece, bytes):
                raw, side, at = piece, -1, merged_at
                end = at
            elif isinstance(piece, Chunk) and piece.data and not piece.faults:
                at, side, raw = piece.at, piece.side, piece.data
                end = at
            else:
                break
            op = raw[0]
            if op == wire.SHOT and sorter is None and not is_single:
                self.now, self._number, self._master_at = now, number, master_at
                piece = self._exchanges(piece, left)
                if number != self._number:
                    now, number, master_at, ahead = self.now, self._number, self._master_at, timer.next
                    last_op = 0
                # a shot that was not counted with its answer may be counted without
                is_single = True
                continue
            is_single = False
            place = w.place or w.enter()
            if place is None or (lengths[op] != len(raw) and self._length(raw, 0) != len(raw)):
                break
            if sorter is not None:
                if op == wire.SHOT and wire.SYNCED in raw and (last_op or sorter.last_op) == wire.SYNC:
                    # the answer to the sync may be inside
                    break
                side = place.senders.get(op, -1)
                guessed = sorter.guessed
                if guessed and op in ANEW:
                    guessed.discard(wire.SHOT)
                if side < 0 or (
                    guessed
                    and op not in SIDE_OF
                    and (op in OTHERS or op in guessed or not guessed.isdisjoint(place.waits))
                ):
                    # a guess may matter, or it is the first such frame here
                    side = self._side_of(place, op, guessed)
                    if side >= 0:
                        place.senders[op] = side
                if side < 0:
                    if last_op:
                        sorter.last_side, sorter.last_op = last_side, last_op
                    if (op == wire.SHOT or op in LETTERS or sorter.last_op == wire.SYNC) and sorter.is_mixed(raw):
                        # it will be asked when this has been read byte by byte, and must not know of this
                        break
                    side, sure = self._sided = sorter.sided(op, raw)
                    if not (sure or self._unsure) or w.place is not place:
                        # asking may have changed what is judged
                        break
            if at < forced[side]:
                break
            if end >= ahead:
                ticks = w.due(timer, end)
                if ticks < 0:
                    break
            key = op + 256 * side
            if op in OTHERS:
                self._master_at = master_at
                if not self._takes(place, at, end, side, raw):
                    break
                master_at = self._master_at
            else:
                # as CachedWatch.quick
                step = place.next.get(key + 512 if op == wire.SYNCED and v[ASKED] > 1 else key) or w.step(
                    place, side, op
                )
                if step is None:
                    break
                if op == wire.SHOT:
                    shot = SHOTS.get(raw)
                    if shot is None or shot[1] > v[SIZE] or known[side][shot[0]] or signs[side] == shot[2]:
                        break
                    v[X + side], v[Y + side] = shots[side] = shot[3]
                    signs[side] = shot[2]
                    command_end[side] = end
                elif op == wire.SYNC:
                    if v[ASKED] < 255:
                        v[ASKED] += 1
                    sync_end[side] = end
                elif op == wire.SYNCED:
                    v[ASKED] -= 1
                    asked = sync_end[1 - side]
                    if step[3] and asked >= 0:
                        syncs_replies.append(at - asked if at > asked else 0)
                else:
                    if w.ends(1 - side, op):
                        step = w.step(place, side, op, True)
                    if step is None or not w.counts(1 - side, side, op):
                        break
                    asked = command_end[1 - side]
                    if asked >= 0:
                        replies.append(at - asked if at > asked else 0)
                    games.add_answer(sums, w, at, 1 - side, shots[1 - side], op)
                if step[1] == wire.MASTER and op >= wire.SYNC:
                    if master_at >= 0 and step[0].is_one[side]:
                        gaps.append(at - master_at)
                    master_at = at
                w.place = step[0]
                w.set_back |= step[4]
                w.is_written = False
                w.lately = side
                raws[side] = raw
            new[key] += 1
            number += 1
            last_side, last_op = side, op
            if self._sided is not None:
                self.unsure += not self._sided[1]
                sums.unsure += not self._sided[1]
                self._sided = None
            if ticks:
                w.leap(timer, ticks)
                ahead = timer.next
                ticks = 0
            if end > now:
                now = end
            piece = next(left, None)
        self.now, self._number, self._master_at = now, number, master_at
        if sorter is not None and last_op and self._sided is None:
            sorter.last_side, sorter.last_op = last_side, last_op
        if len(replies) + len(syncs_replies) + len(gaps) >= _KEPT_MOST:
            self._sum_up()
        return piece

    def _length(self, data: bytes, begin: int) -> int:
        """Return the length of a frame with letters, 0 if it may not be counted."""
        return length(data, begin) if data[begin] in self._lettered else 0

    def known(self, data: bytes, begun: int, at: int, sorter: Sorter) -> tuple[int, tuple[int, bool] | None, bool]:
        if not (self._is_clear or self._clear()) or not max(self.now, *self._forced) <= at < self._timer.next:
            return begun, None, False
        window = _WINDOW
        is_odd = False
        while begun < len(data):
            if data[begun] == wire.SHOT:
                after = self._merged_exchanges(data, begun, at, sorter)
                if after > begun:
                    begun = after
                    continue
            # up to the next shot
            until = data.find(wire.SHOT, begun + 1, begun + window)
            pieces = FRAMES.findall(data, begun, until if until >= 0 else begun + window)
            left = iter(pieces)
            is_whole = self._many(left, sorter, at) is None
            count = len(pieces) - length_hint(left) - (not is_whole)
            begun += sum(map(len, pieces[:count]))
            if is_whole:
                window = min(2 * window, _WINDOW_MOST)
                continue
            # letters may be any, and the window may have cut a frame
            size = self._lengths[data[begun]] or self._length(data, begun)
            raw = data[begun : begun + size]
            is_odd = size <= len(pieces[count])
            if is_odd or len(raw) < size or raw[0] == wire.SHOT or sorter.is_mixed(raw):
                break
            is_odd = self._many(iter((raw,)), sorter, at) is not None
            if is_odd:
                break
            begun += size
        sided, self._sided = self._sided, None
        return begun, sided, is_odd or sided is not None

    def _side_of(self, place: CachedState, op: int, guessed: set[int]) -> int:
        """Return the side that a frame must be of; -1 if the sorter has to say, because of a guess or otherwise."""
        w = self.watch
        if op == wire.REPEAT:
            return -1
        if op in OTHERS:
            return -1 if guessed and op not in SIDE_OF and self._is_guess(op, guessed) else w.sender(op)
        if op != wire.SHOT:
            return SIDE_OF.get(op, -1 if wire.SHOT in guessed else place.answerer)
        if guessed and (op in guessed or not guessed.isdisjoint(place.waits)):
            return -1
        return w.shooter() if place.can_shoot is None else place.can_shoot

    def _is_guess(self, op: int, guessed: Collection[int]) -> bool:
        """Return whether the side of a frame rests on a guess, or the next one does not any more."""
        if wire.is_reply(op):
            return wire.command_of(op) in guessed
        w = self.watch
        return op in guessed or w.waits(0) in guessed or w.waits(1) in guessed

    def _takes(self, place: CachedState, at: int, end: int, side: int, raw: bytes) -> bool:
        """Count a good frame of the rarer kinds; return False if it cannot just be counted."""
        step = self.watch.quick_other(place, side, raw) if self._is_common(side, raw) else None
        if step is None:
            return False
        op = raw[0]
        if op in REPLIES:
            self._replied(at, side, op, step[3])
            return True
        self._command_end[side] = end
        if op in LETTERS:
            self._new_letters[side] += len(raw) - 2
            if op == wire.NICK:
                self.nicks[side] = raw[2:] + GUESSED * (self._sided is not None and not self._sided[1])
        elif op in games.ENDINGS:
            games.follow(self.sums, self.watch, at, side, op, 0, self._shots)
        if step[1] == wire.MASTER:
            if self._master_at >= 0 and step[0].is_one[side]:
                self._gaps.append(at - self._master_at)
            self._master_at = at
        return True

    def _is_common(self, side: int, raw: bytes) -> bool:
        """Return whether a frame other than a sync, a shot or their replies needs no further look."""
        op = raw[0]
        if op in LETTERS:
            return _is_plain(raw[2:])
        # the reply to what looks like noise shows that it is none
        return not self._noisy[1 - side] or wire.command_of(op) not in LETTERS

    def _replied(self, at: int, side: int, op: int, answers: int) -> None:
        """Add a reply other than to syncs and shots to the sums."""
        sums = self.sums
        asked = self._command_end[1 - side]
        if asked >= 0:
            spread = sums.replies.get(answers)
            if spread is None:
                spread = sums.replies[answers] = Spread()
            spread.add(at - asked if at > asked else 0, REPLY_US)
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
        for op, size in SIZES:
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
