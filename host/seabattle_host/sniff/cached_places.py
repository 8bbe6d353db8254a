"""The places that a cached watcher (cached_watch.py) has been at, and what frames lead to from them."""

from __future__ import annotations

from seabattle import watch, watch_pairs, watch_shared, wire
from seabattle.watch_state import (
    AGE,
    ASKED,
    ASKED_AGE,
    CONTROL,
    DECKS,
    GONE,
    HASTY,
    HITS,
    OPEN,
    OUT,
    PARAMS,
    PARDON,
    REPORTED,
    ROLE,
    SHARED,
    SIZE,
    SPOILT,
    STRANGE,
    SURE,
    TOLD,
    TURNS,
    UNSURE,
    WINNER,
    WON_AGE,
    X,
    Y,
)
from seabattle_host.sniff.cached_layout import (
    AGES,
    ASKED_PLACE,
    BYTE_ORDER,
    HIGH,
    MARKS,
    QUIET_PLACE,
    WON_PLACE,
    fixed,
    place_number,
)
from seabattle_host.sniff.cached_state import CachedState, Step
from seabattle_host.sniff.frame_contents import ANSWERS, OTHERS, SAMPLES, USUAL
from seabattle_host.sniff.sliced_watch import Believing, SlicedWatch

_MOST = 4096
"""Most places cached; they take less than 4 MB."""

_MANY = 255
_ANOTHER = 99
"""A cell that no shot hits."""

_RARE_MARKS = (OPEN, SPOILT, GONE, GONE + 1, HASTY, HASTY + 1)
"""Control bytes that are zero after a good frame at any age."""

_COUNTS = {wire.SYNC: 1, wire.SYNCED: -1}
"""Change of the number of unanswered syncs."""


class Places:
    """Places, each with its transitions, which are computed by a watcher of their own."""

    def __init__(self) -> None:
        self._cached: dict[tuple[int, int, int], CachedState] = {}
        self._aside: SlicedWatch | None = None

    def at(self, v: bytearray, may: list[int]) -> CachedState:
        """Return the place of a watcher with these control bytes and possible states."""
        number = place_number(v)
        key = (number, may[0], may[1])
        place = self._cached.get(key)
        if place is None:
            if len(self._cached) >= _MOST:
                for old in self._cached.values():
                    # break reference cycles between places
                    old.next.clear()
                    old.pairs = [None, None]
                self._cached.clear()
            place = self._cached[key] = CachedState(number.to_bytes(CONTROL, BYTE_ORDER), key[1:])
        return place

    def learn(self, place: CachedState, side: int, op: int, asked: int, ends: bool = False) -> Step | None:
        """Compute what a frame leads to from a place; None unless it is just a good frame at any age.

        asked: number of unanswered syncs; all numbers above 1 give the same result. ends: it hits the very last deck.
        """
        control = place.control
        if op == wire.SYNC and control[ROLE + side] == wire.SLAVE:
            # with two masters it matters what else they have sent
            return None
        if control[STRANGE + side] or control[SHARED + side] >= watch_shared.SURE_TIMES:
            # on a wire that others send on, the preceding bytes matter, too
            return None
        if control[TURNS] >= watch_pairs.SURE:
            # it matters how many commands were answered
            return None
        if op == wire.SHOT or op in ANSWERS:
            shooter = side if op == wire.SHOT else 1 - side
            if control[PARAMS] != watch.KNOWN or not control[SURE + shooter] or control[PARDON + shooter] == wire.SHOT:
                return None
            if op != wire.SHOT and control[OUT + shooter] != wire.SHOT:
                return None
        elif op in OTHERS:
            # the side whose command it is, or that waits for this reply
            sender = side if wire.is_command(op) else 1 - side
            role = control[ROLE + sender]
            if not control[SURE + sender] or (role and not wire.exchange(op)[wire.SENDER] & role):
                return None
            command = wire.command_of(op)
            if command and (control[OUT + sender] != command or control[PARDON + sender] == command):
                return None
        young = self._try(place, side, op, asked, (0,) * len(AGES), ends)
        old = self._try(place, side, op, asked, HIGH, ends)
        if young is None or old is None or young[:4] != old[:4]:
            return None
        mask = 0
        there = {ASKED_PLACE: place.asked, WON_PLACE: place.won}
        for k, high in enumerate(HIGH):
            if old[4][k] < high and (k not in MARKS or (old[4][k] and not there[k])):
                mask |= 1 << k
        # CachedWatch relies on it that an age which can have an effect only from here on begins here
        known = {QUIET_PLACE, QUIET_PLACE + 1, *(k for k, _limits in place.patience)}
        if not all(k in known or mask >> k & 1 for k, _limits in young[0].patience):
            return None
        return *young[:4], mask

    def _try(
        self, place: CachedState, side: int, op: int, asked: int, ages: tuple[int, ...], ends: bool
    ) -> tuple[CachedState, int, int, int, list[int]] | None:
        """Compute it for these ages; return the resulting ages, too."""
        w = self._aside
        if w is None:
            w = self._aside = SlicedWatch()
            w.radar = (Believing(_ANOTHER + 1), Believing(_ANOTHER + 1))
            w.raw[:] = USUAL
        v = w.v
        v[:CONTROL] = place.control
        w.may[0], w.may[1] = place.may
        for k, at in enumerate(AGES[:ASKED_PLACE]):
            v[at] = ages[k]
        v[ASKED_AGE] = max(ages[ASKED_PLACE], 1) if place.asked else 0
        v[WON_AGE] = max(ages[WON_PLACE], 1) if place.won else 0
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
        if ends:
            v[HITS + 1 - side] = _MANY - 1
        while w.take():
            pass
        w.calm = w.shared_at[0] = w.shared_at[1] = 0
        before = fixed(v)
        for byte in SAMPLES[op]:
            w.feed(side, byte)
        if not w.take() or w.kind != watch.FRAME or w.verdict or w.reason or w.open or w.maybe or w.spare:
            return None
        found = w.role, w.state, w.answers
        if w.take() or any(v[at] for at in _RARE_MARKS):
            return None
        if v[ASKED] - asked != _COUNTS.get(op, 0):
            return None
        winner = v[WINNER]
        if ends:
            v[WINNER] = UNSURE
        # or it has ended a game
        is_fixed = before == fixed(v) and w.shots[0][_ANOTHER] and w.shots[1][_ANOTHER]
        v[WINNER] = winner
        return (self.at(v, w.may), *found, [v[at] for at in AGES]) if op in OTHERS or is_fixed else None
