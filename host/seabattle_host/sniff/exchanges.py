"""Shots and their answers, counted together: most frames of a session are these two, in turn.

What each of the two frames does is what CountingSession does with a single one, and CachedWatch with its contents. But
both are taken in one step, without what cannot happen between them; and what only the last shot of a side leaves behind
is stored once, after many.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeVar, cast

from seabattle import watch, wire
from seabattle.watch_state import CALM_MOST, COUNTED, DECKS, HITS, JUDGE, SHOOTER, SIZE, TURN, WINNER, X, Y
from seabattle_host.sniff.cached_state import CachedState, Pair, Pairs, Step
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Piece
from seabattle_host.sniff.frame_contents import SHOTS
from seabattle_host.sniff.record import Game
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
_ANSWER_KEYS = [(side, key, kind > 0) for side, answers in enumerate(_ANSWERS) for kind, _op, key in answers.values()]
"""Side that shot, key, whether a deck was hit."""

_PAIR_SIZE = 4
_PAIRS = re.compile(b"(?:%b[\x01-\x0a][\x01-\x0a][%b])+" % (re.escape(bytes((wire.SHOT,))), b"".join(_ANSWERS[0])))
"""Merged shots that may be on the field, each with its answer."""
_PAIRS_MOST = 512
"""How many bytes of them are taken at once."""

_NONE = (0, 0)

Shot = tuple[int, int, int, tuple[int, int]]
"""An entry of SHOTS."""

_SHOT_AT: tuple[dict[int, Shot], ...] = tuple(
    {y: SHOTS[bytes((wire.SHOT, x, y))] for y in range(1, wire.SIZE_MAX + 1)} if x else {}
    for x in range(wire.SIZE_MAX + 1)
)
"""Entries of SHOTS by column and row."""


def _shot_step(place: CachedState, side: int) -> Step:
    """Return the transition of a regular shot."""
    return cast("Step", place.next[_KEYS[side]])


def _learn(known: Pairs, place: CachedState, side: int, answer: bytes) -> Pair | None:
    """Find what a regular shot and this answer lead to, and remember it; None if the answer may be odd."""
    pair = _pair(place, side, answer)
    if pair is not None:
        known[answer] = known[answer[0]] = pair
    return pair


def _pair(place: CachedState, side: int, answer: bytes) -> Pair | None:
    meaning = _ANSWERS[side].get(answer)
    if meaning is None:
        return None
    after, role, _state, _answers, reset = _shot_step(place, side)
    kind, op, key = meaning
    step = after.next.get(key)
    if step is None:
        return None
    is_owed = after.answerer == 1 - side
    return step[0], kind, op, key, reset | step[4], role == wire.MASTER, after.is_one[side], is_owed


def _pairs(place: CachedState, side: int) -> Pairs | None:
    """Return where the transitions of its shots with their answers are kept; None if the shot is odd or not known."""
    if place.pairs[side] is None and place.next.get(_KEYS[side]) is not None:
        place.pairs[side] = {}
    return place.pairs[side]


class ExchangeSession(Session):
    """A Session that can count shots and their answers without records."""

    def __init__(self) -> None:
        super().__init__()
        self._new = [0] * 512
        """By opcode, plus 256 for side 1: good frames counted, but not in the sums yet."""
        self._replies: list[int] = []
        self._gaps: list[int] = []

    def _may_exchange(self, guessed: Collection[int] = ()) -> Game | None:
        """Return the game whose shots may be counted with their answers; None if this is not a time for it."""
        w, games = self.watch, self.sums.games
        if w.place is None or w.v[WINNER] != watch.UNSURE or not games or games[-1].how or wire.SHOT in guessed:
            return None
        return games[-1]

    def _limits(self) -> tuple[Sequence[Callable[[int, int], int] | None], int, int, int]:
        """Return what checks answers, by the side that shot; the field's size; most answers, and hits, to count."""
        w = self.watch
        v = w.v
        checks = [w.radar[i].answer if v[JUDGE + i] else None for i in (0, 1)]
        return checks, v[SIZE], CALM_MOST - w.calm, v[DECKS] - 1 if v[COUNTED] else 255

    def _exchanges(self, following: Counted | None, left: Iterator[Counted]) -> Counted | None:
        """Count shots, each with its answer, from `following` on; return the first piece not counted, if any."""
        w = self.watch
        v, place = w.v, w.place
        game = self._may_exchange()
        if game is None or place is None:
            return following
        timer, command_end, begun = self._timer, self._command_end, max(self._forced)
        known, signs = w.shots, w.sign
        checks, size, most, most_hits = self._limits()
        add_move, add_reply, add_gap = game.moves.append, self._replies.append, self._gaps.append
        now, master_at, ahead = self.now, self._master_at, timer.next
        is_largest = size == wire.SIZE_MAX
        keys: list[int] = []
        add_key = keys.append
        shots: list[Shot | None] = [None, None]
        set_back = false = shot_at = side = end = 0
        raw = b""
        is_alone = False
        for _ in range(most):
            # the shot
            if not isinstance(following, tuple):
                break
            at, side, raw, offsets = following
            end = at
            if offsets:
                end += offsets[-1]
                if end > at + SHORT_US:
                    break
            shot = SHOTS.get(raw)
            known_pairs = place.pairs[side] or _pairs(place, side)
            if shot is None or known_pairs is None or at < begun:
                break
            cell, largest, sign, (x, y) = shot
            if largest > size or known[side][cell] or signs[side] == sign:
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
            if not isinstance(following, tuple):
                break
            at, other, answer, offsets = following
            pair = known_pairs.get(answer)
            if pair is None:
                pair = _learn(known_pairs, place, side, answer)
                if pair is None:
                    break
            if other == side or not end <= at < ahead or (offsets and offsets[-1]):
                break
            after, kind, op, key, reset, is_master, is_one, _is_owed = pair
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
            add_key(key)
            add_move((side, x, y, op))
            add_reply(at - end)
            place = after
            set_back |= reset
            if at > now:
                now = at
            following = next(left, None)
        self.now, self._master_at = now, master_at
        w.set_back |= set_back
        if keys or is_alone:
            self._exchanged(game, place, keys, shots)
        if is_alone:
            self._shot(side, raw, shot_at, end)
        if false:
            self._refuse(side, false)
        return following

    def _merged_exchanges(self, data: bytes, begin: int, at: int, sorter: Sorter) -> int:
        """Count shots of merged bytes, each with its answer, all received at `at`.

        Return where the first one begins that was not counted.
        """
        w = self.watch
        v, place = w.v, w.place
        guessed = sorter.guessed
        game = self._may_exchange(guessed)
        found = _PAIRS.match(data, begin, begin + _PAIRS_MOST)
        if game is None or place is None or found is None:
            return begin
        if sorter.last_op == wire.SYNC and wire.SYNCED in data[begin : begin + _PAIR_SIZE]:
            # the answer to the sync may be inside
            return begin
        known, signs = w.shots, w.sign
        checks, size, most, most_hits = self._limits()
        add_move, add_gap = game.moves.append, self._gaps.append
        master_at = self._master_at
        is_largest = size == wire.SIZE_MAX
        keys: list[int] = []
        add_key = keys.append
        shots: list[Shot | None] = [None, None]
        set_back = false = side = x = y = 0
        end, shot_op = found.end(), wire.SHOT
        columns = [data[begin + i : end : _PAIR_SIZE] for i in range(1, _PAIR_SIZE)]
        for x, y, answer in islice(zip(*columns, strict=True), most):
            side = place.senders.get(shot_op, -1)
            # while nobody waits for a reply to a command whose side was a guess
            if side < 0 or (guessed and place.waits != _NONE):
                break
            known_pairs = place.pairs[side] or _pairs(place, side)
            if known_pairs is None:
                break
            pair = known_pairs.get(answer)
            if pair is None:
                pair = _learn(known_pairs, place, side, bytes((answer,)))
                if pair is None:
                    break
            shot = _SHOT_AT[x][y]
            cell, largest, sign, _where = shot
            after, kind, op, key, reset, is_master, is_one, is_owed = pair
            if largest > size or known[side][cell] or signs[side] == sign or not is_owed:
                break
            if kind:
                if v[HITS + side] >= most_hits:
                    break
                v[HITS + side] += 1
            signs[side] = sign
            shots[side] = shot
            known[side][cell] = op
            check = checks[side]
            if check is not None:
                false = check(cell if is_largest else (y - 1) * size + x - 1, kind)
                if false:
                    break
            if is_master:
                if is_one and master_at >= 0:
                    add_gap(at - master_at)
                master_at = at
            add_key(key)
            add_move((side, x, y, op))
            place = after
            set_back |= reset
        if not keys and not false:
            return begin
        if at > self.now:
            self.now = at
        self._master_at = master_at
        self._replies += [0] * len(keys)
        w.set_back |= set_back
        for i, shot_of in enumerate(shots):
            if shot_of is not None:
                self._command_end[i] = at
        self._exchanged(game, place, keys, shots)
        begin += _PAIR_SIZE * len(keys)
        if false:
            self._shot(side, bytes((wire.SHOT, x, y)), at, at)
            begin += _PAIR_SIZE - 1
        sorter.last_side, sorter.last_op = w.lately, w.raws[w.lately][0]
        if false:
            self._refuse(side, false)
        return begin

    def _exchanged(self, game: Game, place: CachedState, keys: list[int], shots: Sequence[Shot | None]) -> None:
        """Store what shots with their answers leave behind, up to this place.

        keys: those of the answers. shots: the last one of each side, one without an answer included.
        """
        w, new = self.watch, self._new
        v, raws = w.v, w.raws
        if keys:
            for side, key, is_hit in _ANSWER_KEYS:
                count = keys.count(key)
                if count:
                    new[key] += count
                    new[_KEYS[side]] += count
                    game.shots[side] += count
                    if is_hit:
                        game.hits[side] += count
            game.moved = self.now
            shooter, *cell_of, last = game.moves[-1]
            raws[shooter], raws[1 - shooter] = bytes((wire.SHOT, *cell_of)), bytes((last,))
            w.lately = 1 - shooter
        for i, shot in enumerate(shots):
            if shot is not None:
                v[X + i], v[Y + i] = self._shots[i] = shot[3]
        w.place, w.is_written = place, False
        w.calm += len(keys)
        self._number += 2 * len(keys)

    def _shot(self, side: int, raw: bytes, at: int, end: int) -> None:
        """Count a shot whose answer was not counted."""
        w = self.watch
        place = cast("CachedState", w.place)
        w.place, role, _state, _answers, reset = _shot_step(place, side)
        w.set_back |= reset
        if role == wire.MASTER:
            if w.place.is_one[side] and self._master_at >= 0:
                self._gaps.append(at - self._master_at)
            self._master_at = at
        self._new[_KEYS[side]] += 1
        w.raws[side] = raw
        w.lately = side
        w.is_written = False
        if end > self.now:
            self.now = end
        self._number += 1

    def _refuse(self, side: int, false: int) -> None:
        """Leave a false answer to the last shot of this side to the watcher."""
        w = self.watch
        v = w.v
        v[JUDGE + side] = 0
        answer = w.shots[side][(v[Y + side] - 1) * 10 + v[X + side] - 1]
        v[SHOOTER], v[TURN] = side, 1 - side if answer == wire.MISS else side
        w.refuse(false)
