"""Shots and their answers, counted together: most frames of a session are these two, in turn.

What each of the two frames does is what CountingSession does with a single one, and CachedWatch with its contents. But
both are taken in one step, without what cannot happen between them; and what only the last shot of a side leaves behind
is stored once, after many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar, cast

from seabattle import watch, wire
from seabattle.watch_state import CALM_MOST, COUNTED, DECKS, HITS, JUDGE, SHOOTER, SIZE, TURN, WINNER, X, Y
from seabattle_host.sniff.cached_state import CachedState, Pair, Step
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Piece
from seabattle_host.sniff.frame_contents import SHOTS
from seabattle_host.sniff.session import Session

if TYPE_CHECKING:
    from seabattle_host.sniff.merge import Sorter

SHORT_US = TICK_DIVIDEND // TICK_DIVISOR
"""A frame that took no longer cannot have timed out."""

Counted = TypeVar("Counted", Piece, bytes)
"""What can be counted: pieces of a capture, or frames of merged bytes without time and side."""

_KEYS = (wire.SHOT, wire.SHOT + 256)
"""By side, the key of its shots in `CountingSession.unrecorded` and in `CachedState.next`."""
_ANSWERS = tuple(
    {bytes((op,)): (kind, op, op + 256 * (1 - side)) for kind, op in enumerate((wire.MISS, wire.HIT, wire.SUNK))}
    for side in (0, 1)
)
"""By the side that shot: answer -> its number as the radar counts them, 0 if no deck is hit; its opcode; its key."""

_NONE = (0, 0)

Shot = tuple[int, int, int, tuple[int, int]]
"""An entry of SHOTS."""


def _shot_step(place: CachedState, side: int) -> Step:
    """Return the transition of a regular shot."""
    return cast("Step", place.next[_KEYS[side]])


def _pair(place: CachedState, side: int, answer: bytes) -> Pair | None:
    """Return what a regular shot and this answer lead to; None if the answer may be odd."""
    meaning = _ANSWERS[side].get(answer)
    if meaning is None:
        return None
    after, role, _state, _answers, reset = _shot_step(place, side)
    kind, op, key = meaning
    step = after.next.get(key)
    if step is None:
        return None
    return step[0], kind, op, key, reset | step[4], role == wire.MASTER, after.is_one[side]


class ExchangeSession(Session):
    """A Session that can count shots and their answers without records."""

    def __init__(self) -> None:
        super().__init__()
        self._new = [0] * 512
        """By opcode, plus 256 for side 1: good frames counted, but not in the sums yet."""
        self._replies: list[int] = []
        self._gaps: list[int] = []

    def _exchanges(
        self, following: Counted | None, left: Iterator[Counted], sorter: Sorter | None, merged_at: int
    ) -> Counted | None:
        """Count shots, each with its answer, from `following` on; return the first piece not counted, None at the end.

        sorter, merged_at: as for CountingSession._many.
        """
        w, games = self.watch, self.sums.games
        v, place = w.v, w.place
        guessed = sorter.guessed if sorter is not None else ()
        if place is None or v[WINNER] != watch.UNSURE or not games or games[-1].how or wire.SHOT in guessed:
            return following
        timer, command_end, begun = self._timer, self._command_end, max(self._forced)
        known, signs, game = w.shots, w.sign, games[-1]
        checks = [w.radar[i].answer if v[JUDGE + i] else None for i in (0, 1)]
        add_move, add_reply, add_gap = game.moves.append, self._replies.append, self._gaps.append
        now, master_at, ahead = self.now, self._master_at, timer.next
        size, most = v[SIZE], CALM_MOST - w.calm
        is_largest = size == wire.SIZE_MAX
        most_hits = v[DECKS] - 1 if v[COUNTED] else 255
        counts = [0] * 512
        shots: list[Shot | None] = [None, None]
        set_back = false = pairs = shot_at = 0
        is_alone = False
        while following is not None:
            # the shot
            if isinstance(following, tuple):
                at, side, raw, offsets = following
                end = at + offsets[-1] if offsets else at
            elif isinstance(following, bytes):
                raw, at, end = following, merged_at, merged_at
                # while nobody waits for a reply to a command whose side was a guess
                side = place.senders.get(wire.SHOT, -1) if not guessed or place.waits == _NONE else -1
                if side < 0:
                    break
            else:
                break
            shot = SHOTS.get(raw)
            known_pairs = place.pairs[side]
            if known_pairs is None and place.next.get(_KEYS[side]) is not None:
                known_pairs = place.pairs[side] = {}
            if shot is None or known_pairs is None:
                break
            cell, largest, sign, (x, y) = shot
            if largest > size or known[side][cell] or signs[side] == sign or at < begun or end > at + SHORT_US:
                break
            if end >= ahead:
                w.set_back |= set_back
                set_back = 0
                if not w.let_pass(place, timer, end):
                    break
                ahead = timer.next
            signs[side] = sign
            shots[side] = shot
            command_end[side] = end
            # its answer
            is_alone = True
            shot_at = at
            following = next(left, None)
            if isinstance(following, tuple):
                at, other, answer, offsets = following
                answered = at + offsets[-1] if offsets else at
            elif isinstance(following, bytes):
                answer, at, answered = following, merged_at, merged_at
                other = _shot_step(place, side)[0].answerer
            else:
                break
            pair = known_pairs.get(answer)
            if pair is None:
                pair = _pair(place, side, answer)
                if pair is None:
                    break
                known_pairs[answer] = pair
            if other != 1 - side or answered >= ahead or pairs == most or at < end or answered > at + SHORT_US:
                break
            after, kind, op, key, reset, is_master, is_one = pair
            # as watch_shots.answered
            if kind:
                if v[HITS + side] >= most_hits:
                    break
                v[HITS + side] += 1
            known[side][cell] = op
            check = checks[side]
            if check is not None:
                false = check(cell if is_largest else (y - 1) * size + x - 1, kind)
                if false:
                    break
            if is_master:
                if is_one and master_at >= 0:
                    add_gap(shot_at - master_at)
                master_at = shot_at
            is_alone = False
            pairs += 1
            counts[key] += 1
            add_move((side, x, y, op))
            add_reply(at - end)
            place = after
            set_back |= reset
            if answered > now:
                now = answered
            following = next(left, None)
        if not pairs and not is_alone:
            return following
        new, raws = self._new, w.raws
        if pairs:
            for i, answers in enumerate(_ANSWERS):
                for kind, _op, key in answers.values():
                    count = counts[key]
                    if count:
                        new[key] += count
                        new[_KEYS[i]] += count
                        game.shots[i] += count
                        if kind:
                            game.hits[i] += count
            game.moved = now
            shooter, *cell_of, last = game.moves[-1]
            raws[shooter], raws[1 - shooter] = bytes((wire.SHOT, *cell_of)), bytes((last,))
        if is_alone:
            place, role, _state, _answers, reset = _shot_step(place, side)
            set_back |= reset
            if role == wire.MASTER:
                if place.is_one[side] and master_at >= 0:
                    add_gap(shot_at - master_at)
                master_at = shot_at
            new[_KEYS[side]] += 1
            raws[side] = raw
            if end > now:
                now = end
        for i, shot in enumerate(shots):
            if shot is not None:
                v[X + i], v[Y + i] = self._shots[i] = shot[3]
        w.place, w.lately, w.is_written = place, side if is_alone else 1 - shooter, False
        w.set_back |= set_back
        w.calm += pairs
        self.now, self._master_at = now, master_at
        self._number += 2 * pairs + is_alone
        if sorter is not None:
            sorter.last_side, sorter.last_op = w.lately, raws[w.lately][0]
        if false:
            v[JUDGE + side] = 0
            v[SHOOTER], v[TURN] = side, other if op == wire.MISS else side
            w.refuse(false)
        return following
