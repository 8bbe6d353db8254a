"""Shots and their answers, counted together: most frames of a session are these two, in turn.

What each of the two frames does is what CountingSession does with a single one, and CachedWatch with its contents. But
both are taken in one step, without what cannot happen between them; and what only the last shot of a side leaves behind
is stored once, after many.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from seabattle import watch, wire
from seabattle.watch_state import CALM_MOST, COUNTED, DECKS, HITS, JUDGE, SHOOTER, SIZE, TURN, WINNER, X, Y
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Piece
from seabattle_host.sniff.frame_contents import SHOTS
from seabattle_host.sniff.session import Session

if TYPE_CHECKING:
    from seabattle_host.sniff.merge import Sorter

SHORT_US = TICK_DIVIDEND // TICK_DIVISOR
"""A frame that took no longer cannot have timed out."""

Counted = TypeVar("Counted", Piece, bytes)
"""What can be counted: pieces of a capture, or frames of merged bytes without time and side."""

_ANSWERS = {bytes((op,)): (op, op != wire.MISS) for op in (wire.MISS, wire.HIT, wire.SUNK)}
"""Answer -> its opcode, and whether a deck is hit."""

_NONE = (0, 0)

Shot = tuple[int, int, int, tuple[int, int]]
"""An entry of SHOTS."""


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
        timer, forced, command_end = self._timer, self._forced, self._command_end
        known, signs, radars, going = w.shots, w.sign, w.radar, games[-1]
        add_move, add_reply, add_gap = going.moves.append, self._replies.append, self._gaps.append
        new, raws, now, master_at, ahead = self._new, w.raws, self.now, self._master_at, timer.next
        size, calm = v[SIZE], w.calm
        most_hits = v[DECKS] - 1 if v[COUNTED] else 255
        last_shots: list[Shot | None] = [None, None]
        false = count = 0
        while following is not None:
            # the shot
            if isinstance(following, tuple):
                at, side, raw, offsets = following
                end = at + offsets[-1] if offsets else at
            elif isinstance(following, bytes):
                raw, at, end = following, merged_at, merged_at
                # while nobody waits for a reply to a command whose side was a guess
                side = place.senders.get(wire.SHOT, -1) if not guessed or place.waits == _NONE else -1
            else:
                break
            shot = SHOTS.get(raw)
            step = place.next.get(wire.SHOT + 256 * side)
            if shot is None or step is None:
                break
            cell, most, sign, (x, y) = shot
            if (
                most > size
                or known[side][cell]
                or signs[side] == sign
                or not forced[side] <= at <= end <= at + SHORT_US
            ):
                break
            if end >= ahead:
                ticks = w.due(timer, end)
                if ticks < 0:
                    break
                w.leap(timer, ticks)
                timer.begin(at)
                ahead = timer.next
            signs[side] = sign
            last_shots[side] = shot
            command_end[side] = end
            new[wire.SHOT + 256 * side] += 1
            count += 1
            w.place = place = step[0]
            w.set_back |= step[4]
            if step[1] == wire.MASTER:
                if master_at >= 0 and place.is_one[side]:
                    add_gap(at - master_at)
                master_at = at
            if end > now:
                now = end
            raws[side] = raw
            w.lately = side
            # its answer
            following = next(left, None)
            if isinstance(following, tuple):
                at, other, answer, offsets = following
                answered = at + offsets[-1] if offsets else at
            elif isinstance(following, bytes):
                answer, at, answered = following, merged_at, merged_at
                other = place.answerer
            else:
                break
            meaning = _ANSWERS.get(answer)
            if meaning is None or other != 1 - side or answered >= ahead:
                break
            op, is_hit = meaning
            step = place.next.get(op + 256 * other)
            if (
                step is None
                or calm >= CALM_MOST
                or (is_hit and v[HITS + side] >= most_hits)
                or not forced[other] <= at <= answered <= at + SHORT_US
            ):
                break
            # as watch_shots.answered
            known[side][cell] = op
            if is_hit:
                v[HITS + side] += 1
            if v[JUDGE + side]:
                false = radars[side].answer((y - 1) * size + x - 1, (op - wire.MISS) >> 4)
                if false:
                    break
            if is_hit:
                going.hits[side] += 1
            going.shots[side] += 1
            add_move((side, x, y, op))
            calm += 1
            add_reply(at - end if at > end else 0)
            new[op + 256 * other] += 1
            count += 1
            w.place = place = step[0]
            w.set_back |= step[4]
            if answered > now:
                now = answered
            raws[other] = answer
            w.lately = other
            following = next(left, None)
        if not count:
            return following
        self.now, self._master_at, w.calm = now, master_at, calm
        self._number += count
        if sorter is not None:
            sorter.last_side, sorter.last_op = w.lately, raws[w.lately][0]
        w.is_written = False
        for i, latest in enumerate(last_shots):
            if latest is not None:
                v[X + i], v[Y + i] = self._shots[i] = latest[3]
        if false:
            v[JUDGE + side] = 0
            v[SHOOTER], v[TURN] = side, other if op == wire.MISS else side
            w.refuse(false)
        return following
