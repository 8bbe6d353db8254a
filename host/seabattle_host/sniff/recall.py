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

Key = tuple[bytes, int, int, int, int]
Outcome = tuple[bytes, int, int, int, int, int]
"""Control bytes, what both sides may be in, and of the record: role, state, answered command."""


class Recall(Watch):
    """Gives the same records as a Watch."""

    def __init__(self) -> None:
        super().__init__()
        self._control = memoryview(self.v)[:CONTROL]
        self._frames: dict[Key, Outcome] = {}
        self._ticks: dict[tuple[bytes, int, int], tuple[bytes, int, int]] = {}
        self._wholes: dict[Key, Outcome] = {}
        self._readings: dict[bytes, tuple[bytes, int]] = {}
        """What a reader has after a frame."""
        self._missed: tuple[Key, bytes] | None = None
        self._found: Outcome | None = None
        self._found_side = self._found_op = 0
        self._readers = (self.reader[0].v, self.reader[1].v)

    def whole(self, side: int, raw: bytes) -> bool:
        """The bytes of a sync, its answer or a shot that have come at once: True if what it comes to is known, and the
        record can be taken. Otherwise they are to be fed one by one, and it is known from then on."""
        v = self.v
        self._missed = None
        mine, other = self._readers[side], self._readers[1 - side]
        if mine[1] or other[1] or v[EARLY + side] or self._found is not None or self._head != self._tail:
            return False
        op = raw[0]
        reading = self._readings.get(raw)
        if op == wire.SHOT:
            x, y = raw[1], raw[2]
            if self._is_odd_shot(side, x, y, None if reading is None else reading[1]):
                return False
        key = (self._control.tobytes(), self.may[0], self.may[1], side, op)
        outcome = self._wholes.get(key)
        if outcome is None or reading is None:
            self._missed = (key, raw)
            return False
        self._go(outcome, side, op)
        mine[:] = reading[0]
        reader = self.reader[side]
        reader.sign = reading[1]
        if op == wire.SHOT:
            reader.data[0] = v[X + side] = x
            reader.data[1] = v[Y + side] = y
            self.sign[side] = reading[1]
        return True

    def _keep_whole(self, missed: tuple[Key, bytes], side: int, record: tuple[int, int, int]) -> None:
        """The frame that was not known has come to a good record."""
        key, raw = missed
        if len(self._wholes) >= _MOST:
            self._wholes.clear()
        self._wholes[key] = (self._control.tobytes(), self.may[0], self.may[1], *record)
        self._readings[raw] = (bytes(self._readers[side]), self.reader[side].sign)

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

    def _answer(self, side: int, op: int) -> None:
        v = self.v
        shooter = 1 - side
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
        winner = v[WINNER]
        false = watch_shots.answered(self, shooter, side, op, False)
        if false or v[WINNER] != winner:
            # up to here nothing but the shot has been counted
            self._heard(side, op)
            watch_replies.judged(self, shooter, side, wire.SHOT, op, false, False, watch.OK, 0, wire.SHOT)
            return
        self._go(outcome, side, op)
        self.calm += 1

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
        if self._readers[0][1] or self._readers[1][1]:
            super().tick()
            return
        key = (self._control.tobytes(), self.may[0], self.may[1])
        outcome = self._ticks.get(key)
        if outcome is not None:
            self._control[:] = outcome[0]
            self.may[0] = outcome[1]
            self.may[1] = outcome[2]
            return
        v = self.v
        # a missing reply ends things that are no control bytes
        is_waiting = any(v[OUT + i] and v[AGE + i] >= wire.REPLY_TICKS for i in (0, 1))
        at = self._head
        super().tick()
        if self._head == at and not is_waiting:
            if len(self._ticks) >= _MOST:
                self._ticks.clear()
            self._ticks[key] = (self._control.tobytes(), self.may[0], self.may[1])

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
