"""A watcher that remembers what it has made of a frame, so that it need not work that out again.

Nearly all of a session is the same few frames in the same few states: syncs, shots, answers. What the watcher makes of
one of these depends on its control bytes, the states that both sides may be in, and the frame; what it comes to are
other control bytes, other states, and a record. The first time the watcher works it out; if nothing is odd about it,
that is kept and looked up from then on. What else belongs to such a frame (the cell of a shot, the fields, the count of
hits) is no part of the control bytes and is done each time, by the watcher's own functions. Anything odd is left to the
watcher.
"""

from __future__ import annotations

from seabattle import watch, watch_replies, watch_shots, wire
from seabattle.watch import ENTRY, Watch
from seabattle.watch_state import (
    AGE,
    CALM_MOST,
    CONTROL,
    EARLY,
    LAST,
    OPEN,
    OUT,
    PARAMS,
    PARDON,
    ROLE,
    SIZE,
    SURE,
    WINNER,
    X,
    Y,
)

_MOST = 4096
"""So many are kept; they take less than 4 MB."""

_ANSWERS = frozenset(op for op, _name in wire.SHOT_REPLIES)
_RECALLED = _ANSWERS | {wire.SYNC, wire.SYNCED, wire.SHOT}

WHOLE = {op: 1 + len(str(wire.exchange(op)[wire.FIELDS]).split()) for op in (wire.SYNC, wire.SHOT)}
WHOLE |= dict.fromkeys([wire.SYNCED, *(op for op, _name in wire.SHOT_REPLIES)], 1)
"""Frames that are looked up as a whole, and their lengths."""

Key = tuple[bytes, int, int, int, int]
Outcome = tuple[bytes, int, int, int, int, int]
"""Control bytes, what both sides may be in, and of the record: role, state, answered command."""


class Place:
    """Where a session can be: control bytes and what both sides may be in; and where it goes from there."""

    __slots__ = ("answerer", "can_shoot", "control", "is_one", "may", "next", "size", "ticked")

    def __init__(self, control: bytes, may: tuple[int, int]):
        self.control = control
        self.may = may
        self.next: dict[int, Step] = {}
        """By opcode, and 256 more for side 1: what a whole frame comes to."""
        self.ticked: Place | None = None
        self.size = control[SIZE]
        """Of the field."""
        # one state, and no other
        self.is_one = tuple(bool(states) and not states & (states - 1) for states in may)
        """By side whether it is known in which state it is."""
        asked = [control[OUT + i] == wire.SHOT for i in (0, 1)]
        self.answerer = -1 if asked[0] == asked[1] else int(asked[0])
        """The only side that owes the answer to a shot, -1 if both or none do."""
        self.can_shoot: int | None = None
        """The only side that can shoot, -1 if both or none can; None if nobody has asked."""


class Reading:
    """What a reader has after a whole frame; of a shot also its cell, and the larger of column and row."""

    __slots__ = ("cell", "most", "sign", "state")

    def __init__(self, state: bytes, sign: int, raw: bytes):
        self.state = state
        self.sign = sign
        self.cell = self.most = 0
        if raw[0] == wire.SHOT:
            self.cell = (raw[2] - 1) * 10 + raw[1] - 1
            self.most = max(raw[1], raw[2])


Step = tuple[Place, int, int, int]
"""The place behind a frame, and of its record: role, state, answered command."""


class Recall(Watch):
    """Gives the same records as a Watch."""

    def __init__(self) -> None:
        self._place: Place | None = None
        """Where the session is: known while no frame is begun and no record waits, None if it has to be looked up."""
        self._places: dict[tuple[bytes, int, int], Place] = {}
        super().__init__()
        self._control = memoryview(self.v)[:CONTROL]
        self._frames: dict[Key, Outcome] = {}
        self._readings: dict[bytes, Reading] = {}
        self._missed: tuple[Place, bytes] | None = None
        self._found: Outcome | None = None
        self._found_side = self._found_op = 0
        self._counted: int | None = None
        """What the count of an answer that is to be fed has come to already: why it is false, or 0."""
        self._readers = (self.reader[0].v, self.reader[1].v)

    def _here(self) -> Place:
        """Where the session is."""
        key = (self._control.tobytes(), self.may[0], self.may[1])
        place = self._places.get(key)
        if place is None:
            if len(self._places) >= _MOST:
                for old in self._places.values():
                    # or those that lead to each other would stay
                    old.next.clear()
                    old.ticked = None
                self._places.clear()
            place = self._places[key] = Place(key[0], key[1:])
        return place

    def _settled(self) -> Place | None:
        """The same where no frame is begun and no record waits; kept until something moves the session elsewhere."""
        place = self._place
        if place is None:
            begun = self._readers[0][1] or self._readers[1][1]
            if begun or self._found is not None or self._counted is not None or self._head != self._tail:
                return None
            place = self._place = self._here()
        return place

    def whole(self, side: int, raw: bytes) -> Step | None:
        """The bytes of a sync, its answer, a shot or its answer that have come at once. What it comes to, if that is
        known and there is nothing to say about it: there is no record to take then. None: they are to be fed one by
        one, and it is known from then on."""
        place = self._place or self._settled()
        if place is None:
            self._missed = None
            return None
        op = raw[0]
        step = place.next.get(op + 256 * side)
        reading = self._readings.get(raw)
        if step is None or reading is None:
            sign = None if reading is None else reading.sign
            is_odd = op == wire.SHOT and self._is_odd_shot(side, raw[1], raw[2], sign)
            self._missed = None if is_odd or self.v[EARLY + side] else (place, raw)
            return None
        self._missed = None
        if op == wire.SHOT:
            sign = reading.sign
            # the signature is that of the last shot: it may be a repeat
            if reading.most > place.size or self.shots[side][reading.cell] or self.sign[side] == sign:
                return None
            v = self.v
            reader = self.reader[side]
            reader.data[0] = v[X + side] = raw[1]
            reader.data[1] = v[Y + side] = raw[2]
            self.sign[side] = reader.sign = sign
        else:
            if op in _ANSWERS and not self._counts(1 - side, side, op):
                self._place = None
                return None
            self.reader[side].sign = op
        self._readers[side][:] = reading.state
        self._place = place = step[0]
        self._control[:] = place.control
        self.may[0], self.may[1] = place.may
        return step

    def _keep_whole(self, missed: tuple[Place, bytes], side: int, record: tuple[int, int, int]) -> None:
        """The frame that was not known has come to a good record."""
        place, raw = missed
        place.next[raw[0] + 256 * side] = (self._here(), *record)
        self._readings[raw] = Reading(bytes(self._readers[side]), self.reader[side].sign, raw)

    def shooter(self) -> int:
        """The only side that could shoot now and waits for nothing, or -1."""
        place = self._place or self._settled() or self._here()
        side = place.can_shoot
        if side is None:
            able = [i for i in (0, 1) if not self.v[OUT + i] and self.legal(i, wire.SHOT)]
            side = place.can_shoot = able[0] if len(able) == 1 else -1
        return side

    def answerer(self) -> int:
        """The only side that owes the answer to a shot, or -1."""
        return (self._place or self._settled() or self._here()).answerer

    def feed(self, side: int, byte: int, damaged: int = 0) -> bool:
        self._place = None
        return super().feed(side, byte, damaged)

    def forget(self) -> None:
        self._place = None
        super().forget()

    def finish(self) -> None:
        self._place = None
        super().finish()

    def broken_off(self) -> None:
        self._place = None
        super().broken_off()

    def _frame(self, side: int) -> None:
        op = self._readers[side][0]
        if op not in _RECALLED or self._readers[1 - side][1] or self._found is not None or self._head != self._tail:
            self._missed = None
            super()._frame(side)
            return
        if op == wire.SHOT:
            self._shot(side)
        elif op in _ANSWERS:
            self._answer(side, op)
        else:
            key = (self._control.tobytes(), self.may[0], self.may[1], side, op)
            outcome = self._frames.get(key)
            if outcome is not None:
                self._go(outcome, side, op)
            # of two masters it matters what else they have said
            elif op == wire.SYNCED or self.v[ROLE + side] != wire.SLAVE:
                self._learn(key, side, op)
            else:
                self._missed = None
                super()._frame(side)

    def _shot(self, side: int) -> None:
        v = self.v
        reader = self.reader[side]
        x, y = reader.data[0], reader.data[1]
        if self._is_odd_shot(side, x, y, reader.sign):
            self._missed = None
            super()._frame(side)
            return
        key = (self._control.tobytes(), self.may[0], self.may[1], side, wire.SHOT)
        outcome = self._frames.get(key)
        if outcome is None:
            self._learn(key, side, wire.SHOT)
            return
        self._go(outcome, side, wire.SHOT)
        v[X + side] = x
        v[Y + side] = y
        self.sign[side] = reader.sign

    def _is_odd_shot(self, side: int, x: int, y: int, sign: int | None) -> bool:
        """One that the watcher has to look at itself: in no known field, off it, or at a cell shot at before."""
        v = self.v
        return bool(
            v[PARAMS] != watch.KNOWN
            or not (0 < x <= v[SIZE] and 0 < y <= v[SIZE])
            or self.shots[side][(y - 1) * 10 + x - 1]
            or (v[LAST + side] == wire.SHOT and self.sign[side] == sign)
        )

    def _counts(self, shooter: int, side: int, op: int) -> bool:
        """Count an answer. False: it is one that the watcher has to look at itself."""
        v = self.v
        if not v[X + shooter] or self.calm >= CALM_MOST:
            return False
        winner = v[WINNER]
        false = watch_shots.answered(self, shooter, side, op, False)
        if false or v[WINNER] != winner:
            self._counted = false
            return False
        self.calm += 1
        return True

    def _answer(self, side: int, op: int) -> None:
        v = self.v
        shooter = 1 - side
        if self._counted is None:
            if (
                v[OUT + shooter] != wire.SHOT
                or v[PARDON + shooter] == wire.SHOT
                or v[OPEN]
                or not v[SURE + shooter]
                or not v[X + shooter]
                or self.calm >= CALM_MOST
            ):
                self._missed = None
                super()._frame(side)
                return
            key = (self._control.tobytes(), self.may[0], self.may[1], side, op)
            outcome = self._frames.get(key)
            if outcome is None:
                self._learn(key, side, op)
                return
            if self._counts(shooter, side, op):
                self._go(outcome, side, op)
                return
        false, self._counted = self._counted or 0, None
        self._missed = None
        # up to here nothing but the shot has been counted
        self._heard(side, op)
        watch_replies.judged(self, shooter, side, wire.SHOT, op, false, False, watch.OK, 0, wire.SHOT)

    def _go(self, outcome: Outcome, side: int, op: int) -> None:
        self._control[:] = outcome[0]
        self.may[0] = outcome[1]
        self.may[1] = outcome[2]
        self._found = outcome
        if self._missed is not None:
            missed, self._missed = self._missed, None
            self._keep_whole(missed, side, outcome[3:])
        self._found_side = side
        self._found_op = op

    def _learn(self, key: Key, side: int, op: int) -> None:
        """Let the watcher do it, and keep what it comes to if that is a good frame and nothing else."""
        winner = self.v[WINNER]
        at = self._head
        missed, self._missed = self._missed, None
        super()._frame(side)
        q = self._queue
        is_one = self._head == (at + ENTRY) % len(q)
        is_odd = q[at] != watch.FRAME or any(q[at + 4 : at + 6]) or any(q[at + 8 : at + ENTRY])
        if is_one and not is_odd and self.v[WINNER] == winner:
            if len(self._frames) >= _MOST:
                self._frames.clear()
            kept = (self._control.tobytes(), self.may[0], self.may[1])
            self._frames[key] = (*kept, q[at + 2], q[at + 6], q[at + 7])
            if missed is not None:
                self._keep_whole(missed, side, (q[at + 2], q[at + 6], q[at + 7]))

    def tick(self) -> None:
        place = self._place or self._settled()
        if place is None:
            super().tick()
            return
        ticked = place.ticked
        if ticked is None:
            v = self.v
            # a missing reply ends things that are no control bytes
            is_waiting = any(v[OUT + i] and v[AGE + i] >= wire.REPLY_TICKS for i in (0, 1))
            self._place = None
            super().tick()
            if self._head == self._tail and not is_waiting:
                place.ticked = self._here()
            return
        self._place = ticked
        self._control[:] = ticked.control
        self.may[0], self.may[1] = ticked.may

    def take(self) -> bool:
        found = self._found
        if found is None:
            return super().take()
        self._found = None
        self.kind = watch.FRAME
        self.side = self._found_side
        self.op = self._found_op
        self.role = found[3]
        self.state = found[4]
        self.answers = found[5]
        self.verdict = self.reason = self.open = self.maybe = self.spare = 0
        return True
