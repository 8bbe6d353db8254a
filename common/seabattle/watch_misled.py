"""Answers that come twice, and mislead who gets them.

A player that takes each answer for one to its last shot shoots once too often after a doubled answer, takes the turn
back after a doubled miss, and counts a doubled hit twice. What it does then is no fault of its own.
"""

from . import wire
from .const import TYPE_CHECKING, const
from .watch_state import (
    DECKS,
    HITS,
    LAST,
    LAST_AGE,
    LAST_REPLY,
    MISLED,
    SAID,
    TWICE,
    older,
)

if TYPE_CHECKING:
    from .watch import Watch

_MISLED_FOR = const(2)  # answered commands: the next answer may be taken for another one, too


def doubled(w: "Watch", i: int, op: int) -> None:
    """Note that side `i` got the answer `op` again."""
    v = w.v
    if wire.command_of(op) == wire.SHOT:
        v[MISLED + i] = _MISLED_FOR
        if op == wire.HIT or op == wire.SUNK:
            older(v, TWICE + i)


def differs(w: "Watch") -> None:
    """Note that a shot was answered twice, and differently: each side may take either answer for the right one."""
    w.v[MISLED] = w.v[MISLED + 1] = _MISLED_FOR


def is_misled(w: "Watch", i: int, why: int) -> bool:
    """Return whether doubled answers explain why a command of side `i` is wrong."""
    v = w.v
    if why == wire.R_NOT_WON:
        return v[HITS + i] < v[DECKS] <= v[HITS + i] + v[TWICE + i]
    return v[MISLED + i] > 0 and (why == wire.R_TURN or why == wire.R_SECOND)


def answered(w: "Watch", i: int) -> None:
    """Note that a command of side `i` was answered properly."""
    if w.v[MISLED + i]:
        w.v[MISLED + i] -= 1


def may_be_again(w: "Watch", i: int, op: int) -> bool:
    """Return whether the hit `op`, in the middle of a shot of side `i`, may be the last one once more.

    Then the bytes that follow complete that shot.
    """
    v = w.v
    is_same = (op == wire.HIT or op == wire.SUNK) and v[SAID + 1 - i] == op == v[LAST_REPLY + i]
    return is_same and v[LAST + i] == wire.SHOT and not v[LAST_AGE + i]
