"""The watcher's control bytes as the cache (cached_watch.py) sees them: a place, ages, and what is left out."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Literal

from seabattle import wire
from seabattle.watch_shared import SURE_TIMES
from seabattle.watch_state import (
    AGAIN_OP,
    AGE,
    ASKED,
    ASKED_AGE,
    BEGUN,
    CHAT,
    CONTROL,
    COUNTED,
    DECKS,
    ERRED,
    GONE,
    JUDGE,
    LAST_AGE,
    OPEN,
    OPEN_AGE,
    OPEN_ECHOED,
    OPEN_FIRM,
    PARAMS,
    PROPER,
    QUIET,
    SHARED,
    SIZE,
    SPOILT,
    SUSPECT,
    WINNER,
    WON_AGE,
)

BYTE_ORDER: Literal["little"] = "little"

QUIET_PLACE, ASKED_PLACE, WON_PLACE = 4, 6, 7
"""Indices of the ages: for both sides of the last byte, then of the first unanswered sync, and of a victory that A9 has
not followed yet. Before them, two for each side, are the ages of its command and of its last one."""

AGES = (AGE, AGE + 1, LAST_AGE, LAST_AGE + 1, QUIET, QUIET + 1, ASKED_AGE, WON_AGE)
MARKS = (ASKED_PLACE, WON_PLACE)
"""Those that are 0 if there is nothing whose age it is, and otherwise begin with 1."""
OLDEST = (255, 255, 16, 16, 255, 255, 255, 255)
"""Where each age stops increasing."""
_MOST = wire.REPLY_TICKS
HIGH = (_MOST, _MOST, 16, 16, _MOST, _MOST, _MOST + 1, _MOST + 1)
"""The highest value of each age that has no effect yet."""

_LEFT = (DECKS, *range(SIZE, SIZE + 5), ERRED, ERRED + 1, CHAT, CHAT + 1, BEGUN, *range(OPEN + 1, OPEN_AGE + 1))
_LEFT += (SPOILT, OPEN_ECHOED, OPEN_FIRM, GONE, GONE + 1, AGAIN_OP, AGAIN_OP + 1)
"""Not part of a place, and always written back: neither affects syncs and shots nor is changed by them."""
_KEPT = (*_LEFT, ASKED, SUSPECT, SUSPECT + 1, PROPER, PROPER + 1, SHARED, SHARED + 1)
fixed = itemgetter(JUDGE, JUDGE + 1, COUNTED, WINNER, PARAMS, SHARED, SHARED + 1, *_LEFT)
"""Not changed by any of these frames; some of them are always written back, too."""


def _only(places: Iterable[int]) -> int:
    """Return a mask for the control bytes as one number: these places of them."""
    return sum(255 << 8 * at for at in places)


KEPT_MASK = _only(_KEPT)
_PLACE_MASK = _only(set(range(CONTROL)) - {*_KEPT, *AGES})

"""Which control bytes are always the watcher's own, and which a place is found by."""

SET_BACK = [[k for k in range(len(AGES)) if mask >> k & 1] for mask in range(1 << len(AGES))]
"""By mask, the ages that it resets."""


def place_number(v: bytearray) -> int:
    """Return what a place is found by."""
    number = int.from_bytes(v[:CONTROL], BYTE_ORDER) & _PLACE_MASK
    # how many syncs are unanswered, and how old the first is, is stored separately
    if v[ASKED]:
        number |= 1 << 8 * ASKED
    if v[ASKED_AGE]:
        number |= 1 << 8 * ASKED_AGE
    if v[WON_AGE]:
        number |= 1 << 8 * WON_AGE
    for i in (0, 1):
        # fewer signs of a shared wire matter to nothing that is cached
        if v[SHARED + i] >= SURE_TIMES:
            number |= SURE_TIMES << 8 * (SHARED + i)
        # a suspicion matters to good frames until one of them counts as PROPER
        if v[SUSPECT + i] and not v[PROPER + i]:
            number |= v[SUSPECT + i] << 8 * (SUSPECT + i)
    return number
