"""Frames whose bytes alternate, since both sides of a merged line sent at the same time: `C0 B3 03 02 0A 67 67`.

A Tangle follows every way in which the bytes may be shared out between the two sides, weighs what speaks against each,
and is over as soon as one remains.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from seabattle import wire
from seabattle_host.sniff.frame_contents import ANSWERS, LETTERS, MASTER_SIDE, OTHERS, WHOLE

_BEGIN = (*LETTERS, wire.SHOT)
"""Opcodes of frames that begin inside another one: neither letters nor numbers of this protocol."""

_ENDS = (wire.TIMED_OUT, wire.RESTART, wire.SURRENDER, wire.GOODBYE, wire.BROKEN)
"""Commands of one byte that come whatever the other side sends."""

OPCODES = frozenset(op for op in range(256) if wire.exchange(op) is not None)
"""What may begin a frame."""

_LONGEST = 64
"""Longest nick or text accepted when both sides send at once."""

_USUAL = 32
"""Longest usual one."""

_TAGGED = 15
"""Above it, a count of ships has the number of decks in its high nibble."""

_DECKS = 4
"""Of the longest ship, whose count comes first."""

_ROLES = (wire.MASTER, wire.SLAVE)
"""The role of each side."""


def intrudes(op: int, place: int, byte: int, last: int, expected: Collection[int]) -> bool:
    """Return whether a byte may be of the other side, inside a frame.

    op, place: the frame's opcode, and how many of its bytes came before. last: the opcode of the frame before it.
    expected: replies that a side waits for, and frames that may come once more.
    """
    if byte == wire.SYNCED:
        # the answer to a sync right before the frame, if it is no number: the bytes that follow tell
        return last == wire.SYNC
    if byte in _BEGIN:
        return True
    if op in LETTERS:
        if place == 1 and byte > wire.NICK_MAX and wire.exchange(byte) is not None:
            return True
        return byte == wire.SYNC or byte in expected
    # numbers are only small ones
    return byte > wire.SIZE_MAX and (byte in _ENDS or byte in expected or (op != wire.SHOT and wire.is_command(byte)))


def is_no_parameter(data: Sequence[int], n: int, byte: int) -> bool:
    """Return whether a byte does not fit behind the first `n` parameters in `data`, or shows that one does not."""
    if byte == wire.SYNCED:
        # no field is of one cell; and who writes the decks before a count does so with all
        return n == 0 or data[n - 1] > _TAGGED
    # the decks of the count before this one
    return n > 1 and byte >> 4 == _DECKS + 2 - n


# What speaks against sharing the bytes out so, and how much.
_NOISE = 10
_SENDER = 12
_UNASKED = 8
_CONTENTS = 5
_TURN = 3
_SECOND = 2
_SHOT_AGAIN = 3
_INSIDE = 2
_UNFINISHED = 6
_SLIPPED = 1
_TORN = 6
_LITTLE = 1

_LEAD = 7
"""By so much the best way has to lead before the bytes are shared out,"""

_ALIKE = 4
"""and by so much, that it is certain."""

_ODD = 6
"""If so much speaks against the best way, it is not certain."""

_HOPELESS = 18
"""If so much speaks against the best way, these are no frames, and nothing that follows makes them any."""

_LATER = 16
"""So many bytes after a way without an unfinished frame has become the best one, there is no more to wait for."""

_WORSE = 9
_MOST = 24
"""A way is given up if it is worse than the best one by so much, or if so many are better."""

_TOO_LONG = 128
"""Bytes after which the best way is taken."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the session in which bytes alternate.

    syncs: how many are not answered. turn: the side that may shoot, or another number.
    """

    waits: tuple[frozenset[int], frozenset[int]]
    """By side, its commands that are not answered."""
    said: tuple[int, int]
    """The last reply of each side."""
    sent: tuple[int, int]
    """The last command of each side."""
    parameters: tuple[bytes, bytes]
    syncs: int
    turn: int
    cells: tuple[bytes, bytes]
    """Of the last shot of each side."""
    is_repeating: bool
    """Whether the slave may send its last shot again, as some do at each sync before the answer."""
    shots: tuple[bytes, bytes] = field(hash=False, compare=False)
    """The answers to the shots of each side, as the watcher keeps them; 0 for a cell not shot at."""


@dataclass(slots=True)
class _Way:
    """One way of sharing out the bytes."""

    cost: int
    sides: bytes
    """The side of each byte,"""
    begins: bytes
    """and the place of the first byte of its frame."""
    parts: tuple[bytes, bytes]
    """The unfinished frame of each side,"""
    first: tuple[int, int]
    """and where it begins."""
    known: Known
    row: int = 0
    """How many of the last bytes are of the same side, in the middle of the other's frame."""
    inside: bool = False
    """Whether a frame was sent inside the other side's unfinished one."""
    is_woven: bool = False
    is_vague: bool = False
    """Whether other frames might have led to the same place."""
    unsure: int = 0
    """A byte for each that may have come from the other side: 1."""
    frames: tuple[bytes, ...] = ()
    whole: int = 0
    """How many bytes had come when no frame was unfinished for the first time."""

    def is_like(self, other: _Way) -> bool:
        """Return whether the other way has equal frames, perhaps of other sides."""
        return self.begins == other.begins or sorted(self.frames) == sorted(other.frames)

    @property
    def is_idle(self) -> bool:
        return not (self.parts[0] or self.parts[1])

    @property
    def place(self) -> tuple[object, ...]:
        """All that later bytes depend on."""
        return self.parts, self.known, self.row, self.inside, self.sides[-1:]


_cost = attrgetter("cost")


def _sides(way: _Way) -> int:
    return int.from_bytes(way.sides, "little")


def _with(pair: tuple, side: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (value, pair[1]) if side == 0 else (pair[0], value)


def _size(part: bytes) -> int:
    """Return the length of a frame from its first bytes; one more than these if it is not known yet."""
    op = part[0]
    if op in LETTERS:
        return 2 + part[1] if len(part) > 1 else 3
    return (WHOLE | OTHERS).get(op, 1)


def _begun(known: Known, side: int, op: int) -> tuple[int, Known]:
    """Return what speaks against a frame with this opcode, and what is known after that."""
    row = wire.exchange(op)
    if row is None:
        return _NOISE, known
    if wire.is_command(op):
        sender = row[wire.SENDER]
        cost = 0 if sender == wire.BOTH or sender == _ROLES[side] else _SENDER
        if op == wire.SYNC:
            is_repeating = known.is_repeating or wire.SHOT in known.waits[1 - MASTER_SIDE]
            return cost, replace(known, syncs=known.syncs + 1, is_repeating=is_repeating)
        if op == wire.SHOT:
            cost += _TURN * _is_out_of_turn(known, side)
        hard = any(wire.exchange(c)[wire.WANTS] == wire.HARD for c in known.waits[side] if c != op)
        cost += _SECOND * hard
        return cost, replace(
            known, waits=_with(known.waits, side, known.waits[side] | {op}), sent=_with(known.sent, side, op)
        )
    if op == wire.SYNCED:
        cost = 0 if side != MASTER_SIDE else _SENDER
        if known.syncs:
            return cost, replace(known, syncs=known.syncs - 1)
        return cost + _LITTLE, known
    asks = 1 - side
    command = wire.command_of(op)
    if command in known.waits[asks]:
        turn = known.turn
        if op in ANSWERS:
            turn = asks if op in (wire.HIT, wire.SUNK) else side
        elif command == wire.SLAVE_READY:
            turn = MASTER_SIDE
        return 0, replace(
            known,
            waits=_with(known.waits, asks, known.waits[asks] - {command}),
            said=_with(known.said, side, op),
            turn=turn,
        )
    if op == known.said[side]:
        return 0, known
    again = command == known.sent[asks]
    return (_LITTLE if again else _UNASKED), replace(known, said=_with(known.said, side, op))


def _is_out_of_turn(known: Known, side: int) -> bool:
    return known.turn in (0, 1) and known.turn != side


def _continued(known: Known, side: int, part: bytes) -> tuple[int, Known]:
    """Return what speaks against the last byte of an unfinished frame, and what is known after that."""
    op, byte, n = part[0], part[-1], len(part)
    if op in LETTERS:
        if n == 2:
            if byte > _LONGEST:
                return _NOISE, known
            if byte > _USUAL:
                return _SECOND, known
            return (_LITTLE if op == wire.NICK and not 1 <= byte <= wire.NICK_MAX else 0), known
        if byte < 32:
            return (0 if op == wire.NICK and byte == 0 else _CONTENTS), known
        return 0, known
    if op == wire.SHOT:
        if not 1 <= byte <= wire.SIZE_MAX:
            return _CONTENTS, known
        if n == 3 and part[1:] == known.cells[side] and known.is_repeating and side != MASTER_SIDE:
            # sent once more, whosever turn it is
            return -_LITTLE - _TURN * _is_out_of_turn(known, side), known
        is_again = n == 3 and 1 <= part[1] <= wire.SIZE_MAX and known.shots[side][(byte - 1) * 10 + part[1] - 1]
        return (_SHOT_AGAIN if is_again else 0), known
    if op == wire.PARAMS:
        if n < _size(part):
            return 0, known
        cost = _CONTENTS if wire.params_fault(part[1:]) else 0
        return cost, replace(known, parameters=_with(known.parameters, side, part[1:]))
    asked = known.parameters[1 - side]
    return (0 if not asked or asked[n - 2] == byte else _CONTENTS), known


_steps: dict[tuple[Known, bytes, object], list[_Way]] = {}
"""The ways after some bytes of a tangle, the best first: players say the same at the same time in each game."""

_STEPS_MOST = 2000


class Tangle:
    """Shares out bytes that two sides may have sent at the same time."""

    def __init__(self, known: Known) -> None:
        empty = b""
        self._known = known
        self._raw = empty
        self._ways = [_Way(0, empty, empty, (empty, empty), (0, 0), known)]
        self._best = self._ways[0]
        self._idle = 0
        """Bytes since the best way had no unfinished frame."""

    @property
    def count(self) -> int:
        """Bytes taken."""
        return len(self._raw)

    def feed(self, byte: int) -> None:
        """Take the next byte."""
        raw = self._raw + bytes((byte,))
        key = self._known, raw, self._known.shots if wire.SHOT in raw else None
        ways = _steps.get(key)
        if ways is None:
            if len(_steps) >= _STEPS_MOST:
                _steps.clear()
            ways = _steps[key] = self._next(byte)
        self._raw = raw
        self._ways = ways
        self._best = ways[0]
        if self._idle or self._best.is_idle:
            self._idle += 1

    def _next(self, byte: int) -> list[_Way]:
        """Return the ways after one more byte."""
        found: dict[tuple[object, ...], _Way] = {}
        most = self._best.cost + _WORSE
        for way in self._ways:
            for side in (0, 1):
                after = self._after(way, side, byte)
                if after.cost > most and found:
                    continue
                place = after.place
                other = found.get(place)
                if other is not None:
                    after, other = sorted((after, other), key=_cost)
                    if other.cost < after.cost + _ALIKE:
                        after.is_vague |= not after.is_like(other)
                        after.unsure |= other.unsure | _sides(after) ^ _sides(other)
                found[place] = after
        ways = sorted(found.values(), key=_cost)
        return [way for way in ways[:_MOST] if way.cost <= ways[0].cost + _WORSE]

    def _after(self, way: _Way, side: int, byte: int) -> _Way:
        """Return the way in which the next byte is of this side."""
        known, cost = way.known, way.cost
        part, other = way.parts[side], way.parts[1 - side]
        row, inside, is_woven = way.row, way.inside, way.is_woven
        frames = way.frames
        begun = way.first[side] if part else self.count
        if other:
            row = row + 1 if way.sides and way.sides[-1] == side else 1
            cost += _SLIPPED if row == 2 else _TORN if row > 2 else 0
            if not part:
                again = byte in (known.sent[side], known.said[side])
                cost += _INSIDE if not inside else 0 if again else _LITTLE
                inside = is_woven = True
        else:
            row = 0
        part += bytes((byte,))
        against, known = _begun(known, side, byte) if len(part) == 1 else _continued(known, side, part)
        if other and len(part) == 1 and against in (_NOISE, _UNASKED):
            # what looks like it is rather a number or a letter
            against = _SENDER
        if len(part) >= _size(part) or (len(part) == 2 and part[0] in LETTERS and byte == 0):
            frames += (part,)
            part = b""
        whole = way.whole
        if not (part or other):
            inside = False
            whole = whole or self.count + 1
        return _Way(
            cost + against, way.sides + bytes((side,)), way.begins + bytes((begun,)),
            _with(way.parts, side, part), _with(way.first, side, begun), known, row, inside, is_woven,
            way.is_vague, way.unsure, frames, whole,
        )  # fmt: skip

    @property
    def is_over(self) -> bool:
        """Whether no more bytes are needed."""
        if self.count >= _TOO_LONG or self._best.cost >= _HOPELESS:
            return True
        best = self._best
        return best.is_idle and (
            self._idle > _LATER
            or all(way.cost >= best.cost + _LEAD or (way.is_idle and way.is_like(best)) for way in self._ways)
        )

    def end(self) -> None:
        """Nothing comes any more: an unfinished frame will stay so."""
        self._ways = sorted(
            (replace(way, cost=way.cost + _UNFINISHED * sum(map(bool, way.parts))) for way in self._ways), key=_cost
        )
        self._best = self._ways[0]

    @property
    def is_idle(self) -> bool:
        """Whether by the best way no frame is unfinished."""
        return self._best.is_idle

    @property
    def is_none(self) -> bool:
        """Whether by the best way one frame comes after the other."""
        return not self._best.is_woven

    @property
    def is_vague(self) -> bool:
        """Whether the frames may have been others."""
        return self._is_odd or self._best.is_vague or any(not way.is_like(self._best) for way in self._alike())

    @property
    def _is_odd(self) -> bool:
        """Whether so much speaks against two frames at once that they may be none."""
        return self._best.is_woven and self._best.cost >= _ODD

    def _alike(self) -> list[_Way]:
        return [way for way in self._ways if way.cost < self._best.cost + _ALIKE]

    @property
    def whole(self) -> int:
        """How many bytes make whole frames, by the best way; all if these are not enough."""
        return self._best.whole or self.count

    @property
    def shares(self) -> list[tuple[int, bool, bool]]:
        """The side of each of the `whole` bytes; whether that is certain; whether a frame begins with it."""
        best = self._best
        unsure = best.unsure
        for way in self._alike():
            unsure |= _sides(way) ^ _sides(best)
        return [
            (side, not (self._is_odd or unsure >> 8 * k & 1), best.begins[k] == k)
            for k, side in enumerate(best.sides[: self.whole])
        ]
