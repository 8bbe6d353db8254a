"""How much of some bytes is this protocol, strictly read: recognises raw bytes, and decides between notations."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from operator import concat, itemgetter
from typing import TYPE_CHECKING

from seabattle import wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOSTLY = 0.6
"""How much of a side must be of the protocol: a player's bug may spoil all frames of a kind."""
_ENOUGH = 0.75
_BESIDE = 0.3
_needed = _ENOUGH
_LETTERS_MOST = 64

_BY_MASTER = {row[wire.OPCODE] for row in wire.TABLE if row[wire.SENDER] == wire.MASTER}
_BY_SLAVE = {row[wire.OPCODE] for row in wire.TABLE if row[wire.SENDER] == wire.SLAVE}
_TO_MASTER = {row[wire.REPLY] for row in wire.TABLE if row[wire.SENDER] == wire.MASTER}
_TO_SLAVE = {row[wire.REPLY] for row in wire.TABLE if row[wire.SENDER] == wire.SLAVE}
_ANSWERED = re.compile(
    b"%b(?=[%b])" % (re.escape(bytes((wire.SHOT,))), re.escape(bytes(op for op, _ in wire.SHOT_REPLIES)))
)
_NO_FRAME = b"\xff"
"""Stands for a byte that makes no sense; no opcode."""
_OTHERS = set(_NO_FRAME)
_COMMANDS = {row[wire.OPCODE] for row in wire.TABLE}
_FEW_REPLIES = 4


@dataclass(frozen=True)
class Evidence:
    """What suggests that bytes are of the protocol.

    size: bytes; covered: those in frames with plausible fields; master, slave: frames that only this role sends;
    syncs, synced: those among them that only keep the line alive. answered, shots: shots directly followed by an
    answer, and all.
    """

    size: int
    covered: int
    master: int
    slave: int
    syncs: int
    synced: int
    answered: int
    shots: int
    is_varied: bool

    @property
    def share(self) -> float:
        return self.covered / self.size if self.size else 0.0

    @property
    def is_protocol(self) -> bool:
        """Whether these are bytes of this protocol."""
        return self.share >= enough()

    @property
    def is_merged(self) -> bool:
        """Whether they are of both sides."""
        if self.master and self.slave:
            return True
        return not self.master and not self.slave and self.shots > 0 and self.answered * 2 > self.shots


def enough() -> float:
    """Return how much of some bytes must be of the protocol so that they are taken for a line's."""
    return _needed


@contextmanager
def beside_another() -> Iterator[None]:
    """Need less of it inside this: the other side's file is known, and a bug of a player may spoil all its shots."""
    global _needed
    _needed = _BESIDE
    try:
        yield
    finally:
        _needed = _ENOUGH


def are_sides(one: Evidence, other: Evidence) -> bool:
    """Return whether bytes are of one role each, apart from what a player's bug or the line made of a few frames."""
    roles = [(some.master - some.syncs, some.slave - some.synced) for some in (one, other)]
    total = sum(map(sum, roles))
    across = min(roles[0][0] + roles[1][1], roles[0][1] + roles[1][0])
    return all(map(sum, roles)) and across * 4 <= total


def is_one_sure(one: Evidence, other: Evidence) -> bool:
    """Return whether one side has only the protocol, and the other some of it: a bug spoils the rest."""
    less, more = sorted((one.share, other.share))
    return more > _SURELY and less > _SOME and min(one.size, other.size) >= _FEW and are_sides(one, other)


_SURELY, _SOME = 0.97, 0.2
_FEW = 16
"""Bytes of a side."""


def _fields(allowed: bytes, count: int) -> bytes:
    """Return a regular expression for so many bytes; the end of the data may cut them off."""
    return rb"(?:%b{%d}|%b{0,%d}\Z)" % (allowed, count, allowed, count)


def _frame(op: int) -> bytes:
    """Return a regular expression for a frame with plausible fields, or such as a player's bug makes.

    A byte of a frame that is taken for none may look like a frame of the other role.
    """
    if op == wire.SHOT:
        fields = _fields(b"[%b-%b]" % (bytes((0,)), bytes((wire.SIZE_MAX + 1,))), 2)
    elif op in (wire.PARAMS, _PARAMS_REPLY):
        fields = rb"(?:[%b-%b]%b|\Z)" % (bytes((0,)), bytes((_SIZE_LIKELY,)), _fields(b".", 4))
    elif op in (wire.NICK, wire.CHAT):
        texts = (re.escape(bytes((n,))) + _fields(rb"[\x20-\xff]", n) for n in range(_LETTERS_MOST + 1))
        fields = b"(?:" + b"|".join([*texts, rb"\Z"]) + b")"
    else:
        fields = b""
    return re.escape(bytes((op,))) + fields


_SIZE_LIKELY = 0x1F
"""The largest size of a field that is likely to be meant as one, whether it is legal or not."""

_PARAMS_REPLY = next(row[wire.REPLY] for row in wire.TABLE if row[wire.OPCODE] == wire.PARAMS)
_FRAMES = re.compile(b"(" + b"|".join(_frame(op) for op in range(256) if wire.exchange(op)) + b")|.", re.DOTALL)


MOST = 1 << 15
"""Bytes of a capture that are weighed: no more are needed."""


def weigh_first(parts: Iterable[bytes]) -> Evidence:
    """Weigh bytes that are given in parts, only the first if there are many."""
    some = bytearray()
    for part in parts:
        some += part[: MOST - len(some)]
        if len(some) == MOST:
            break
    return weigh(bytes(some))


def weigh(data: bytes) -> Evidence:
    """Read bytes as frames, skipping what makes no sense."""
    frames: list[bytes] = _FRAMES.findall(data)  # empty: a byte that makes no sense
    opcodes = bytes(map(itemgetter(0), map(concat, frames, repeat(_NO_FRAME))))
    count = opcodes.count
    kinds = set(opcodes) - _OTHERS
    return Evidence(
        size=len(data),
        covered=sum(map(len, frames)),
        master=sum(map(count, _BY_MASTER | _TO_SLAVE)),
        slave=sum(map(count, _BY_SLAVE | _TO_MASTER)),
        syncs=count(wire.SYNC),
        synced=count(wire.SYNCED),
        answered=len(_ANSWERED.findall(opcodes)),
        shots=count(wire.SHOT),
        is_varied=not kinds.isdisjoint(_COMMANDS) or len(kinds) > _FEW_REPLIES,
    )
