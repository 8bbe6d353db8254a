"""A watcher that remembers what it has made of a frame, so that it need not work that out again.

Nearly all of a session is the same few frames in the same few places: syncs, shots, answers. What the watcher makes of
one of these depends on its control bytes, the states that both sides may be in, and the frame; what it comes to are
other control bytes, other states, and a record. The first time a watcher of its own works it out; if nothing is odd
about it, that is kept and looked up from then on. What else belongs to such a frame (the cell of a shot, the fields,
the count of hits) is done each time, by the watcher's own functions. Anything odd is left to the watcher.

Ages in ticks would make nearly every place another one. So a place leaves them out: what is kept of an age is the tick
in which it was 0, and what is kept of a frame is which ages it sets back. Ticks are counted, until one may do more than
make things older. All this is written back, `settle`, before anything else is done with the watcher.
"""

from __future__ import annotations

from seabattle import watch, watch_shots, wire
from seabattle.radar import Radar
from seabattle.watch import Watch
from seabattle.watch_replies import judged
from seabattle.watch_state import (
    AGE,
    ASKED,
    ASKED_AGE,
    BEGUN,
    CALM_MOST,
    CHAT,
    CONTROL,
    COUNTED,
    DECKS,
    EARLY,
    ERRED,
    GONE,
    HITS,
    JUDGE,
    LAST,
    LAST_AGE,
    OPEN,
    OPEN_AGE,
    OPEN_ECHOED,
    OPEN_FIRM,
    OUT,
    PARAMS,
    PARDON,
    QUIET,
    REPORTED,
    ROLE,
    SHARED,
    SHOOTER,
    SIZE,
    SPOILT,
    STRANGE,
    SURE,
    TOLD,
    TURN,
    WINNER,
    WON_AGE,
    X,
    Y,
)
from seabattle_host.sniff.contents import ANSWERS, OTHERS, SAMPLES, SHOTS, SIDE_OF, USUAL, kept
from seabattle_host.sniff.leaps import TOO_MANY, Leaps
from seabattle_host.sniff.places import ASKED_PLACE, Place, Step

_MOST = 4096
"""So many places are kept; they take less than 4 MB."""

_HITS = frozenset((wire.HIT, wire.SUNK))

_AGES = (AGE, AGE + 1, LAST_AGE, LAST_AGE + 1, QUIET, QUIET + 1, ASKED_AGE)
_OLDEST = (255, 255, 16, 16, 255, 255, 255)
"""Where each stops."""
_HIGH = (wire.REPLY_TICKS, wire.REPLY_TICKS, 16, 16, wire.REPLY_TICKS, wire.REPLY_TICKS, wire.REPLY_TICKS + 1)
"""As old as each can be while nothing comes of it."""

_LEFT = (DECKS, *range(SIZE, SIZE + 5), ERRED, ERRED + 1, CHAT, CHAT + 1, BEGUN, *range(OPEN + 1, OPEN_AGE + 1))
_LEFT += (SPOILT, OPEN_ECHOED, OPEN_FIRM, GONE, GONE + 1)
"""No part of a place, and always written back: what syncs and shots are not judged by and do not change."""
_KEPT = (*_LEFT, ASKED)
_FIXED = (JUDGE, JUDGE + 1, COUNTED, WINNER, PARAMS, *_LEFT)
"""What none of these changes; a part of it is always written back, too."""
_MANY = 255
_ANOTHER = 99
"""A cell that is not shot at."""

_COUNTS = {wire.SYNC: 1, wire.SYNCED: -1}
"""By how much frames change the number of unanswered syncs."""

_SET_BACK = [[k for k in range(len(_AGES)) if mask >> k & 1] for mask in range(1 << len(_AGES))]


class _Believing(Radar):
    """Takes every answer for true."""

    def answer(self, _cell: int, _result: int) -> int:
        return 0


class Recall(Watch):
    """Gives the same records as a Watch."""

    def __init__(self) -> None:
        self.place: Place | None = None
        """Where the session is: known while no frame is begun and no record waits, None if it has to be looked up."""
        self._is_written = True
        self._places: dict[tuple[bytes, int, int], Place] = {}
        super().__init__()
        self._ticks = 0
        self._since = [0] * len(_AGES)
        """By age the tick in which it was 0, or of the last one 1."""
        self.set_back = 0
        """Which ages were set back in this tick."""
        self.raws = [b"", b""]
        """By side the last frame that is not written back, empty if there is none."""
        self._counted: int | None = None
        """What the count of an answer that is to be fed has come to already: why it is false, or 0."""
        self._readers = (self.reader[0].v, self.reader[1].v)
        self._aside: Watch | None = None

    # Where the session is.

    def enter(self) -> Place | None:
        """Where the session is; None where a frame is begun, a record waits, or something is undecided."""
        v = self.v
        if (
            self._readers[0][1]
            or self._readers[1][1]
            or self._counted is not None
            or self._head != self._tail
            or v[OPEN]
            or v[WON_AGE]
            or v[EARLY]
            or v[EARLY + 1]
            or (v[OUT] and v[AGE] > wire.REPLY_TICKS and v[TOLD] != REPORTED)
            or (v[OUT + 1] and v[AGE + 1] > wire.REPLY_TICKS and v[TOLD + 1] != REPORTED)
        ):
            return None
        now = self._ticks
        since = self._since
        for k, at in enumerate(_AGES):
            since[k] = now - v[at]
        if v[ASKED_AGE]:
            since[ASKED_PLACE] += 1
        self.place = place = self._at(v, self.may)
        self._is_written = True
        return place

    def _at(self, v: bytearray, may: list[int]) -> Place:
        control = v[:CONTROL]
        asked = control[ASKED_AGE] and 1
        for at in _LEFT:
            control[at] = 0
        for at in _AGES:
            control[at] = 0
        control[ASKED_AGE] = asked
        # how many there are is counted
        control[ASKED] = control[ASKED] and 1
        key = (bytes(control), may[0], may[1])
        place = self._places.get(key)
        if place is None:
            if len(self._places) >= _MOST:
                for old in self._places.values():
                    # or those that lead to each other would stay
                    old.next.clear()
                self._places.clear()
            place = self._places[key] = Place(key[0], key[1:])
        return place

    def settle(self) -> None:
        """Write back what is known of where the session is."""
        place = self.place
        if place is None or self._is_written:
            return
        self._is_written = True
        v = self.v
        control = bytearray(place.control)
        for at in _KEPT:
            control[at] = v[at]
        self._set_back()
        for k, at in enumerate(_AGES):
            control[at] = min(self._ticks - self._since[k], _OLDEST[k])
        for i in (0, 1):
            if not control[OUT + i]:
                # of nothing
                control[AGE + i] = 0
            raw = self.raws[i]
            if raw:
                reader = self.reader[i]
                for byte in raw:
                    reader.feed(byte)
                self.raws[i] = b""
        control[ASKED_AGE] = min(self._ticks - self._since[ASKED_PLACE] + 1, 255) if place.asked else 0
        v[:CONTROL] = control
        self.may[0], self.may[1] = place.may

    def _leave(self) -> None:
        self.settle()
        self.place = None

    def _set_back(self) -> None:
        if self.set_back:
            since = self._since
            for k in _SET_BACK[self.set_back]:
                since[k] = self._ticks
            self.set_back = 0

    # Time.

    def due(self, timer: Leaps, at: int) -> int:
        """How many ticks are due by `at`; -1 if one of them may do more than make things older."""
        place = self.place or self.enter()
        if place is None:
            return -1
        count = timer.count(at)
        return -1 if count and count > self._calm_ticks(place) else count

    def leap(self, timer: Leaps, count: int) -> None:
        """So many ticks pass, as `due` has said; the last frame may have been behind them."""
        timer.leap(count)
        self._ticks += count
        self._is_written = False

    def _calm_ticks(self, place: Place) -> int:
        """How many ticks make things older and nothing else, at least."""
        self._set_back()
        calm = TOO_MANY - 1
        for k, limits in place.patience:
            age = self._ticks - self._since[k] + (k == ASKED_PLACE)
            for limit in limits:
                if age <= limit:
                    calm = min(calm, limit - age)
                    break
            else:
                return 0
        return calm

    def tick(self) -> None:
        place = self.place or self.enter()
        if place is not None and self._calm_ticks(place):
            self._ticks += 1
            self._is_written = False
            self.settle()
            return
        self._leave()
        self._ticks += 1
        super().tick()

    # Frames.

    def whole(self, side: int, raw: bytes) -> Step | None:
        """The bytes of a frame that is looked up, which have come at once. What it comes to, if there is
        nothing to say about it: there is no record to take then. None: they are to be fed one by one."""
        step = self.quick(side, raw)
        self.settle()
        return step

    def quick(self, side: int, raw: bytes) -> Step | None:
        """The same, but not written back."""
        place = self.place or self.enter()
        if place is None:
            return None
        op = raw[0]
        v = self.v
        key = op + 256 * side
        if op == wire.SYNCED and v[ASKED] > 1:
            key += 512
        step = place.next.get(key)
        if step is None:
            if key in place.next:
                return None
            step = place.next[key] = self._learn(place, side, op, v[ASKED] if key > 511 else place.control[ASKED])
            if step is None:
                return None
        if op == wire.SHOT:
            shot = SHOTS.get(raw)
            if shot is None:
                return None
            cell, most, sign = shot
            # the signature is that of the last shot: it may be a repeat
            if most > v[SIZE] or self.shots[side][cell] or self.sign[side] == sign:
                return None
            v[X + side] = raw[1]
            v[Y + side] = raw[2]
            self.sign[side] = sign
        elif op in ANSWERS:
            if not self._counts(1 - side, side, op):
                return None
        elif op == wire.SYNCED:
            v[ASKED] -= 1
        elif op == wire.SYNC:
            if v[ASKED] < 255:
                v[ASKED] += 1
        elif not kept(self, side, raw, place.control[LAST + side]):
            return None
        self.place = step[0]
        self.set_back |= step[4]
        self.raws[side] = raw
        self.lately = side
        self._is_written = False
        return step

    def _counts(self, shooter: int, side: int, op: int) -> bool:
        """Count an answer. False: it is one that the watcher has to look at itself."""
        v = self.v
        size = v[SIZE]
        if (
            not (0 < v[X + shooter] <= size and 0 < v[Y + shooter] <= size)
            or self.calm >= CALM_MOST
            or (op in _HITS and v[HITS + shooter] + 1 >= v[DECKS] and v[COUNTED])
        ):
            return False
        false = watch_shots.answered(self, shooter, side, op, False)
        if false:
            counted = v[SHOOTER], v[TURN], v[JUDGE], v[JUDGE + 1]
            self._leave()
            v[SHOOTER], v[TURN], v[JUDGE], v[JUDGE + 1] = counted
            self._counted = false
            return False
        self.calm += 1
        return True

    def _learn(self, place: Place, side: int, op: int, asked: int) -> Step | None:
        """What a frame comes to at a place, if it is a good frame and nothing else, however old things are. asked: so
        many syncs are unanswered, and more than 1 come to the same."""
        control = place.control
        if op == wire.SYNC and control[ROLE + side] == wire.SLAVE:
            # of two masters it matters what else they have said
            return None
        if control[STRANGE + side] or control[SHARED + side]:
            # and of a wire that others send on, what came just before
            return None
        if op == wire.SHOT or op in ANSWERS:
            shooter = side if op == wire.SHOT else 1 - side
            if control[PARAMS] != watch.KNOWN or not control[SURE + shooter] or control[PARDON + shooter] == wire.SHOT:
                return None
            if op != wire.SHOT and control[OUT + shooter] != wire.SHOT:
                return None
        elif op in OTHERS:
            # the one whose command it is, or who waits for it
            sender = side if wire.is_command(op) else 1 - side
            role = control[ROLE + sender]
            if not control[SURE + sender] or (role and not wire.exchange(op)[wire.SENDER] & role):
                return None
            command = wire.command_of(op)
            if command and (control[OUT + sender] != command or control[PARDON + sender] == command):
                return None
        young = self._try(place, side, op, asked, (0,) * len(_AGES))
        old = self._try(place, side, op, asked, _HIGH)
        if young is None or old is None or young[:4] != old[:4]:
            return None
        mask = 0
        for k, high in enumerate(_HIGH):
            if old[4][k] < high and (k != ASKED_PLACE or (old[4][k] and not place.asked)):
                mask |= 1 << k
        return *young[:4], mask

    def _try(
        self, place: Place, side: int, op: int, asked: int, ages: tuple[int, ...]
    ) -> tuple[Place, int, int, int, list[int]] | None:
        """The same for things so old, and how old they are then."""
        w = self._aside
        if w is None:
            w = self._aside = Watch()
            w.radar = (_Believing(_ANOTHER + 1), _Believing(_ANOTHER + 1))
            w.raw[:] = USUAL
        v = w.v
        v[:CONTROL] = place.control
        w.may[0], w.may[1] = place.may
        for k, at in enumerate(_AGES[:ASKED_PLACE]):
            v[at] = ages[k]
        v[ASKED_AGE] = max(ages[ASKED_PLACE], 1) if place.asked else 0
        v[ASKED] = asked
        v[SIZE : SIZE + len(USUAL)] = USUAL
        v[DECKS] = _MANY
        for i in (0, 1):
            v[X + i] = v[Y + i] = 1
            v[HITS + i] = w.shots[i][0] = w.sign[i] = 0
            w.shots[i][_ANOTHER] = wire.MISS
            w.reader[i].reset()
            if not v[OUT + i]:
                v[AGE + i] = 0
            elif v[TOLD + i] == REPORTED:
                v[AGE + i] = max(ages[i], wire.REPLY_TICKS + 1)
        while w.take():
            pass
        w.calm = 0
        fixed = bytes(v[at] for at in _FIXED)
        for byte in SAMPLES[op]:
            w.feed(side, byte)
        if not w.take() or w.kind != watch.FRAME or w.verdict or w.reason or w.open or w.maybe or w.spare:
            return None
        found = w.role, w.state, w.answers
        if w.take() or v[OPEN] or v[WON_AGE] or v[SPOILT] or v[GONE] or v[GONE + 1]:
            return None
        if v[ASKED] - asked != _COUNTS.get(op, 0):
            return None
        if op in OTHERS:
            return self._at(v, w.may), *found, [v[at] for at in _AGES]
        if fixed != bytes(v[at] for at in _FIXED):
            return None
        if not (w.shots[0][_ANOTHER] and w.shots[1][_ANOTHER]):
            # it has ended a game
            return None
        return self._at(v, w.may), *found, [v[at] for at in _AGES]

    def shooter(self) -> int:
        """The only side that could shoot now and waits for nothing, or -1."""
        place = self.place or self.enter()
        side = None if place is None else place.can_shoot
        if side is None:
            able = [i for i in (0, 1) if not self.waits(i) and self.legal(i, wire.SHOT)]
            side = able[0] if len(able) == 1 else -1
            if place is not None:
                place.can_shoot = side
        return side

    def sender(self, op: int) -> int:
        """The only side that can have sent a frame of another kind, or -1."""
        fixed = SIDE_OF.get(op)
        if fixed is not None:
            return fixed
        place = self.place or self.enter()
        side = None if place is None else place.senders.get(op)
        if side is None:
            if wire.is_reply(op):
                able = [1 - i for i in (0, 1) if self.waits(i) == wire.command_of(op)]
            else:
                able = [i for i in (0, 1) if not self.waits(i) and self.legal(i, op)]
            side = able[0] if len(able) == 1 else -1
            if place is not None:
                place.senders[op] = side
        return side

    def answerer(self) -> int:
        """The only side that owes the answer to a shot, or -1."""
        place = self.place
        if place is not None:
            return place.answerer
        waits = [self.v[OUT + i] == wire.SHOT for i in (0, 1)]
        return -1 if waits[0] == waits[1] else int(waits[0])

    # The rest is the watcher's.

    def legal(self, side: int, op: int) -> bool:
        self.settle()
        return super().legal(side, op)

    def waits(self, side: int) -> int:
        place = self.place
        return super().waits(side) if place is None else place.waits[side]

    def feed(self, side: int, byte: int, damaged: int = 0) -> bool:
        if self.place is not None:
            self._leave()
        return super().feed(side, byte, damaged)

    def forget(self) -> None:
        self.place = None
        self._is_written = True
        super().forget()

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
        # up to here nothing but the shot has been counted
        op = self.reader[side].op
        self._heard(side, op)
        judged(self, 1 - side, side, wire.SHOT, op, false, False, watch.OK, 0, wire.SHOT)
