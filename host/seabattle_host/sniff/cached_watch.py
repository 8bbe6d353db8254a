"""A watcher with a cache: it remembers what a frame leads to, so as not to compute it again.

Most of a session is the same few frames in the same few places: syncs, shots, answers. What the watcher makes of one
depends on its control bytes, the possible states of both sides, and the frame; the result is new control bytes, new
states, and a record. The first time a separate watcher computes it; if nothing is odd, the result is cached. The rest
of such a frame's effects (the cell of a shot, the fields, the count of hits) is computed each time by the watcher's own
functions. Anything odd is left to the watcher.

Ages in ticks would multiply the places. So a place excludes them: of an age the tick in which it was 0 is stored, and
of a frame which ages it resets. Ticks are counted, until one may do more than increase ages. All this is written back
by `settle` before the watcher is used otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

from seabattle import watch, watch_shots, wire
from seabattle.watch_replies import judged
from seabattle.watch_state import (
    AGE,
    ASKED,
    CALM_MOST,
    CONTROL,
    COUNTED,
    CROSSED,
    DECKS,
    EARLY,
    GONE,
    HITS,
    JUDGE,
    LAST,
    OFF,
    OPEN,
    OUT,
    OVER,
    PROPER,
    REPORTED,
    SAID,
    SHOOTER,
    SIZE,
    SUSPECT,
    TOLD,
    TURN,
    WINNER,
    WON_AGE,
    X,
    Y,
)
from seabattle_host.sniff.cached_layout import (
    AGES,
    BYTE_ORDER,
    KEPT_MASK,
    MARKS,
    OLDEST,
    QUIET_PLACE,
    SET_BACK,
)
from seabattle_host.sniff.cached_places import Places
from seabattle_host.sniff.cached_state import MASTER_TICKS, CachedState, Step
from seabattle_host.sniff.capture import Frame
from seabattle_host.sniff.frame_contents import ANSWERS, MASTER_SIDE, OTHERS, SHOTS, SIDE_OF, fits, store_contents
from seabattle_host.sniff.sliced_watch import SlicedWatch
from seabattle_host.sniff.tick_batches import TOO_MANY, BatchedTickTimer

_HITS = frozenset((wire.HIT, wire.SUNK))

_QUIETS = 3 << QUIET_PLACE
"""Both ages of the last bytes, as a bit mask."""

_NO_SHOT = (0, 256, 0, (0, 0))


def _expected(v: bytes | bytearray) -> frozenset[int]:
    """Return the replies that these control bytes let expect, and the last frames, which may come once more."""
    found = {v[at + i] for at in (LAST, SAID) for i in (0, 1)}
    found |= {int(wire.exchange(v[at + i])[wire.REPLY]) for at in (OUT, GONE) for i in (0, 1) if v[at + i]}
    return frozenset(found)


class CachedWatch(SlicedWatch):
    """Gives the same records as a Watch, faster."""

    def __init__(self) -> None:
        self.place: CachedState | None = None
        """The current place: known while no frame is incomplete and no record waits; None if `enter` has to find it."""
        self.is_written = True
        self._places = Places()
        super().__init__()
        self._ticks = 0
        self._since = [0] * len(AGES)
        """By age, the tick in which it was 0; of those in MARKS, 1. `_resets` may have later ones."""
        self._resets: dict[int, int] = {}
        """By mask of ages, the last tick in which just these were reset."""
        self._quiet_until = self._calm_until = 0
        """Until then the ages of the last bytes, and the others, have no effect, whatever good frames follow; ticks."""
        self.set_back = 0
        """Ages reset in this tick, as a bit mask."""
        self.raws = [b"", b""]
        """By side, the last frame not written back, empty if none."""
        self._counted: int | None = None
        """The result of counting an answer that is still to be fed: why it is false, or 0."""
        self._readers = (self.reader[0].v, self.reader[1].v)

    # The current place.

    def enter(self) -> CachedState | None:
        """Return the current place; None if a frame is incomplete, a record waits, or something is undecided."""
        v = self.v
        if (
            self._readers[0][1]
            or self._readers[1][1]
            or self._counted is not None
            or self._head != self._tail
            or v[OPEN]
            or v[EARLY]
            or v[EARLY + 1]
            or v[OFF]
            or v[OFF + 1]
            or (v[OUT] and v[AGE] > wire.REPLY_TICKS and v[TOLD] != REPORTED)
            or (v[OUT + 1] and v[AGE + 1] > wire.REPLY_TICKS and v[TOLD + 1] != REPORTED)
        ):
            return None
        now = self._ticks
        since = self._since
        for k, at in enumerate(AGES):
            since[k] = now - v[at]
        self._resets.clear()
        self._quiet_until = self._calm_until = 0
        for k in MARKS:
            if v[AGES[k]]:
                since[k] += 1
        self.place = place = self._places.at(v, self.may)
        self.is_written = True
        return place

    def settle(self) -> None:
        """Write the current place back into the watcher's own data."""
        place = self.place
        if place is None or self.is_written:
            return
        self.is_written = True
        v = self.v
        kept = int.from_bytes(v[:CONTROL], BYTE_ORDER) & KEPT_MASK
        control = bytearray((place.number & ~KEPT_MASK | kept).to_bytes(CONTROL, BYTE_ORDER))
        self._set_back()
        for k, at in enumerate(AGES):
            control[at] = min(self._ticks - self._since[k], OLDEST[k])
        for i in (0, 1):
            if not control[OUT + i]:
                # the age of no command
                control[AGE + i] = 0
            if control[SUSPECT + i] and not place.control[SUSPECT + i]:
                control[PROPER + i] = 1
            raw = self.raws[i]
            if raw:
                reader = self.reader[i]
                for byte in raw:
                    reader.feed(byte)
                self.raws[i] = b""
        for k, is_there in zip(MARKS, (place.asked, place.won), strict=True):
            control[AGES[k]] = min(self._ticks - self._since[k] + 1, 255) if is_there else 0
        v[:CONTROL] = control
        self.may[0], self.may[1] = place.may

    def _leave(self) -> None:
        self.settle()
        self.place = None

    def _set_back(self) -> None:
        """Bring `_since` up to date."""
        if self.set_back:
            self._resets[self.set_back] = self._ticks
            self.set_back = 0
        since = self._since
        for mask, tick in self._resets.items():
            for k in SET_BACK[mask]:
                if tick > since[k]:
                    since[k] = tick
        self._resets.clear()

    # Time.

    def due(self, timer: BatchedTickTimer, at: int) -> int:
        """Return how many ticks are due by `at`; -1 if one of them may do more than increase ages."""
        place = self.place or self.enter()
        if place is None:
            return -1
        count = timer.count(at)
        return count if not count or self._are_calm(place, count) else -1

    def let_pass(self, place: CachedState, timer: BatchedTickTimer, at: int) -> bool:
        """Let the ticks pass that are due by `at`, when something is read at a place.

        Return False, without a tick, if one of them may do more than increase ages.
        """
        count = timer.count(at)
        if not self._are_calm(place, count):
            return False
        self._ticks += count
        self.is_written = False
        timer.leap(count)
        return True

    def leap(self, timer: BatchedTickTimer, count: int) -> None:
        """Let the ticks counted by `due` pass."""
        self._ticks += count
        self.is_written = False
        timer.leap(count)

    def _are_calm(self, place: CachedState, count: int) -> bool:
        """Return whether in so many ticks, at least, ages increase and nothing else happens."""
        mask = self.set_back
        if mask:
            self._resets[mask] = self._ticks
            self.set_back = 0
            if mask & _QUIETS == _QUIETS:
                self._quiet_until = self._ticks + MASTER_TICKS
        # ages that are reset meanwhile only make it longer
        until = self._ticks + count
        if until <= self._quiet_until and until <= self._calm_until:
            return True
        return count < TOO_MANY and self._is_calm(place, until)

    def _is_calm(self, place: CachedState, until: int) -> bool:
        self._set_back()
        since = self._since
        first = self._ticks + wire.REPLY_TICKS - 1
        for k, limits in place.patience:
            age = self._ticks - since[k]
            soonest = since[k] + limits[0]
            # it may have been exceeded before; then the next one matters
            if soonest < until and until > next((since[k] + most for most in limits if age <= most), 0):
                return False
            if soonest < first and not _QUIETS >> k & 1:
                first = soonest
        self._quiet_until = min(since[QUIET_PLACE : QUIET_PLACE + 2]) + MASTER_TICKS
        self._calm_until = first
        return True

    def tick(self) -> None:
        place = self.place or self.enter()
        if place is not None and self._are_calm(place, 1):
            self._ticks += 1
            self.is_written = False
            self.settle()
            return
        self._leave()
        self._ticks += 1
        super().tick()

    # Frames.

    def whole(self, side: int, raw: bytes) -> Step | None:
        """Process a frame whose bytes came at once; return its step and make no record; None: feed it byte by byte."""
        step = self.quick(side, raw)
        self.settle()
        return step

    def quick(self, side: int, raw: bytes) -> Step | None:
        """The same, without writing back."""
        place = self.place or self.enter()
        if place is None:
            return None
        op = raw[0]
        if op in OTHERS:
            return self.quick_other(place, side, raw)
        v = self.v
        key = op + 256 * side
        if op == wire.SYNCED and v[ASKED] > 1:
            key += 512
        step = place.next.get(key) or self.step(place, side, op)
        if step is None:
            return None
        if op == wire.SHOT:
            if not self._fits(place, side, raw):
                return None
            v[X + side], v[Y + side] = raw[1], raw[2]
            self.sign[side] = SHOTS[raw][2]
        elif op in ANSWERS:
            if self.ends(1 - side, op):
                step = self.step(place, side, op, True)
            if step is None or not self.counts(1 - side, side, op):
                return None
        elif op == wire.SYNCED:
            v[ASKED] -= 1
        elif v[ASKED] < 255:
            v[ASKED] += 1
        self._go(step, side, raw)
        return step

    def quick_other(self, place: CachedState, side: int, raw: bytes) -> Step | None:
        """The same for a frame other than syncs, shots and their replies."""
        op = raw[0]
        step = place.next.get(op + 256 * side) or self.step(place, side, op)
        if step is None or not store_contents(self, side, raw, place.control[LAST + side]):
            return None
        self._go(step, side, raw)
        return step

    def _go(self, step: Step, side: int, raw: bytes) -> None:
        self.place = step[0]
        self.set_back |= step[4]
        self.raws[side] = raw
        self.lately = side
        self.is_written = False

    def step(self, place: CachedState, side: int, op: int, ends: bool = False) -> Step | None:
        """Return the step for a frame at a place, computed the first time; None if it is odd there."""
        key = op + 256 * side
        asked = place.control[ASKED]
        if op == wire.SYNCED and self.v[ASKED] > 1:
            key += 512
            asked = self.v[ASKED]
        if ends:
            key += 1024
        if key not in place.next:
            place.next[key] = self._places.learn(place, side, op, asked, ends)
        return place.next[key]

    def would_take(self, frames: Sequence[Frame]) -> bool:
        """Return whether `quick` would take these shots, syncs or letters in turn, one of each side."""
        place = self.place or self.enter()
        for _at, side, raw, _offsets in frames:
            step = None if place is None else self.step(place, side, raw[0])
            if place is None or step is None or not self._fits(place, side, raw):
                return False
            place = step[0]
        return True

    def _fits(self, place: CachedState, side: int, raw: bytes) -> bool:
        """Return whether the contents of such a frame are regular."""
        if raw[0] != wire.SHOT:
            return raw[0] == wire.SYNC or fits(self, side, raw, place.control[LAST + side])
        cell, most, sign, _where = SHOTS.get(raw, _NO_SHOT)
        # the same signature as the last shot: it may be a repeat
        return most <= self.v[SIZE] and not self.shots[side][cell] and self.sign[side] != sign

    def counts(self, shooter: int, side: int, op: int) -> bool:
        """Count an answer; return False if the watcher has to process it itself."""
        v = self.v
        size = v[SIZE]
        if (
            not (0 < v[X + shooter] <= size and 0 < v[Y + shooter] <= size)
            or self.calm >= CALM_MOST
            or (op in _HITS and v[HITS + shooter] + 1 >= v[DECKS] and v[COUNTED] and not self.ends(shooter, op))
        ):
            return False
        false = watch_shots.answered(self, shooter, side, op, False)
        if false:
            self.refuse(false)
            return False
        self.calm += 1
        return True

    def ends(self, shooter: int, op: int) -> bool:
        """Return whether this answer to the last shot, at a cell not shot at before, is about the very last deck."""
        v = self.v
        if op not in _HITS or v[HITS + shooter] + 1 != v[DECKS] or not v[COUNTED] or v[WINNER] != watch.UNSURE:
            return False
        x, y, size = v[X + shooter], v[Y + shooter], v[SIZE]
        return 0 < x <= size and 0 < y <= size and not self.shots[shooter][(y - 1) * 10 + x - 1]

    def refuse(self, false: int) -> None:
        """Leave an answer that was counted, and is false, to be fed."""
        v = self.v
        counted = v[SHOOTER], v[TURN], v[JUDGE], v[JUDGE + 1], v[WINNER], v[WON_AGE]
        has_won = v[WINNER] != watch.UNSURE
        self._leave()
        v[SHOOTER], v[TURN], v[JUDGE], v[JUDGE + 1], v[WINNER], v[WON_AGE] = counted
        if has_won:
            self.may[0] |= OVER
            self.may[1] |= OVER
        self._counted = false

    def shooter(self) -> int:
        """Return the only side that may shoot now and waits for nothing, or -1."""
        place = self.place or self.enter()
        side = None if place is None else place.can_shoot
        if side is None:
            able = [i for i in (0, 1) if not self.waits(i) and self.legal(i, wire.SHOT)]
            side = able[0] if len(able) == 1 and not self.is_crossed else -1
            if place is not None:
                place.can_shoot = side
        return side

    @property
    def is_crossed(self) -> bool:
        """Whether the slave may send its last shot again, because a sync came before the answer, or none has come."""
        v = self.v if self.place is None else self.place.control
        return v[CROSSED] == wire.CROSSED or v[OUT + 1 - MASTER_SIDE] == wire.SHOT

    def sender(self, op: int) -> int:
        """Return the only side that can have sent a frame of another kind, or -1."""
        fixed = SIDE_OF.get(op)
        if fixed is not None:
            return fixed
        place = self.place or self.enter()
        side = None if place is None else place.senders.get(op)
        if side is None:
            if wire.is_reply(op):
                able = [1 - i for i in (0, 1) if self.waits(i) == wire.command_of(op)]
            else:
                able = [i for i in (0, 1) if (op == wire.TIMED_OUT or self._may_go_on(i)) and self.legal(i, op)]
            side = able[0] if len(able) == 1 else -1
            if place is not None and not (op == wire.SHOT and self.is_crossed):
                # whose the next shot is depends on its cell
                place.senders[op] = side
        return side

    def _may_go_on(self, side: int) -> bool:
        """Return whether this side need not wait for a reply."""
        first = self.waits(side)
        return not first or wire.exchange(first)[wire.WANTS] != wire.HARD

    def answerer(self) -> int:
        """Return the only side that owes the answer to a shot, or -1."""
        place = self.place
        if place is not None:
            return place.answerer
        waits = [self.v[OUT + i] == wire.SHOT for i in (0, 1)]
        return -1 if waits[0] == waits[1] else int(waits[0])

    # Overrides of the watcher.

    def legal(self, side: int, op: int) -> bool:
        self.settle()
        return super().legal(side, op)

    def expected(self) -> frozenset[int]:
        """Return the replies that a side waits for, or did not get and has gone on, and what may come once more."""
        place, v = self.place, self.v
        if place is None or (self.is_written and (v[GONE] or v[GONE + 1])):
            # of commands made void a place knows nothing
            return _expected(v)
        if place.expected is None:
            place.expected = _expected(place.control)
        return place.expected

    def waits(self, side: int) -> int:
        place = self.place
        return super().waits(side) if place is None else place.waits[side]

    def feed(self, side: int, byte: int, damaged: int = 0) -> bool:
        if self.place is not None:
            self._leave()
        return super().feed(side, byte, damaged)

    def forget(self) -> None:
        self.place = None
        self.is_written = True
        super().forget()

    def stop_judging(self) -> None:
        """Judge no answers in this game any more, nor who wins: it is not certain whose shots they answer."""
        self._leave()
        self.v[JUDGE] = self.v[JUDGE + 1] = self.v[COUNTED] = 0

    def forget_turn(self) -> None:
        """Forget whose turn it is: the sides of the shots so far were guesses."""
        self.stop_judging()
        self.v[TURN] = self.v[SHOOTER] = self.v[WINNER] = watch.UNSURE

    def finish(self) -> None:
        self._leave()
        super().finish()

    def broken_off(self) -> None:
        self._leave()
        super().broken_off()

    def _frame(self, side: int) -> None:
        false = self._counted
        if false is None:
            super()._frame(side)
            return
        self._counted = None
        # so far only the shot has been counted
        op = self.reader[side].op
        self._note_sender(side, op)
        judged(self, 1 - side, side, wire.SHOT, op, false, False, watch.OK, 0, wire.SHOT)
