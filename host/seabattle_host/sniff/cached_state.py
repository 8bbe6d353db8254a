"""Places: cached states of the watcher (cached_watch.py)."""

from __future__ import annotations

from seabattle import wire
from seabattle.watch_state import (
    ASKED_AGE,
    GAME,
    IDLE,
    NO_SYNC,
    OUT,
    REPORTED,
    ROLE,
    TOLD,
    WON_AGE,
)
from seabattle.watch_time import SYNC_SLACK
from seabattle_host.sniff.cached_layout import ASKED_PLACE, BYTE_ORDER, QUIET_PLACE, WON_PLACE

MASTER_TICKS = wire.SYNC_TICKS + SYNC_SLACK
"""How long a master may be quiet: no age has an effect sooner."""


class CachedState:
    """A state of the watcher without ages and parameters, with its cached transitions."""

    __slots__ = (
        "answerer",
        "asked",
        "can_shoot",
        "control",
        "expected",
        "is_one",
        "may",
        "next",
        "number",
        "pairs",
        "patience",
        "senders",
        "waits",
        "won",
    )

    def __init__(self, control: bytes, may: tuple[int, int]):
        self.control = control
        self.number = int.from_bytes(control, BYTE_ORDER)
        """The same as one number."""
        self.may = may
        self.next: dict[int, Step | None] = {}
        """Transitions by opcode, plus 256 for side 1, plus 512 for the reply to one of several syncs, plus 1024 if the
        very last deck is hit; None if the frame is odd."""
        self.pairs: list[Pairs | None] = [None, None]
        """By side that shoots, what its shot and each answer lead to; None if a shot of it is odd or not known yet."""
        self.asked = bool(control[ASKED_AGE])
        self.won = bool(control[WON_AGE])
        # exactly one state
        self.is_one = tuple(bool(states) and not states & (states - 1) for states in may)
        """By side, whether its state is known."""
        self.waits = (control[OUT], control[OUT + 1])
        """By side, the command that waits for its reply, or 0."""
        waits = [out == wire.SHOT for out in self.waits]
        self.answerer = -1 if waits[0] == waits[1] else int(waits[0])
        """The only side that owes the answer to a shot, -1 if both or none do."""
        self.can_shoot: int | None = None
        """The only side that can shoot, -1 if both or none can; None if not computed yet."""
        self.expected: frozenset[int] | None = None
        """The opcodes of `CachedWatch.expected`; None if not computed yet."""
        self.senders: dict[int, int] = {}
        """By opcode, the only side that can have sent it, -1 if both or none can."""
        patience: list[tuple[int, tuple[int, ...]]] = []
        for i in (0, 1):
            if control[OUT + i] and control[TOLD + i] != REPORTED:
                patience.append((i, (wire.REPLY_TICKS,)))
            if control[ROLE + i] == wire.MASTER and not may[1 - i] & IDLE:
                most: tuple[int, ...] = (wire.REPLY_TICKS,)
                if not (control[NO_SYNC] or (may[0] | may[1]) & ~GAME):
                    most = (MASTER_TICKS, wire.REPLY_TICKS)
                patience.append((QUIET_PLACE + i, most))
        if self.asked:
            # its age begins with 1
            patience.append((ASKED_PLACE, (wire.REPLY_TICKS - 1,)))
        if self.won:
            patience.append((WON_PLACE, (wire.REPLY_TICKS,)))
        self.patience = tuple(patience)
        """Ages with an effect, and their limits: the effect comes when an age exceeds one of these."""


Step = tuple[CachedState, int, int, int, int]
"""A transition: the next place; role, state and answered command of the record; and a mask of the ages it resets."""

Pair = tuple[CachedState, int, int, int, int, bool, bool, bool]
"""Two transitions, a shot and its answer: the place after both; the answer's number, opcode and key (exchanges.py); a
mask of the ages they reset; whether the master shot, and whether its state was known then; and whether only the other
side owed an answer."""

Pairs = dict[bytes | int, Pair]
"""By the answer, as a frame and as its opcode."""
