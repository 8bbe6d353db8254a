"""How much of some bytes is this protocol, strictly read: recognises raw bytes, and decides between notations."""

from __future__ import annotations

from dataclasses import dataclass

from seabattle import wire

ENOUGH = 0.75
_LETTERS_MOST = 64

_BY_MASTER = {row[wire.OPCODE] for row in wire.TABLE if row[wire.SENDER] == wire.MASTER}
_BY_SLAVE = {row[wire.OPCODE] for row in wire.TABLE if row[wire.SENDER] == wire.SLAVE}
_TO_MASTER = {row[wire.REPLY] for row in wire.TABLE if row[wire.SENDER] == wire.MASTER}
_TO_SLAVE = {row[wire.REPLY] for row in wire.TABLE if row[wire.SENDER] == wire.SLAVE}
_SHOT_REPLIES = {op for op, _name in wire.SHOT_REPLIES}


@dataclass(frozen=True)
class Evidence:
    """What suggests that bytes are of the protocol.

    size: bytes; covered: those in frames with plausible fields; master, slave: frames that only this role sends;
    answered, shots: shots directly followed by an answer, and all.
    """

    size: int
    covered: int
    master: int
    slave: int
    answered: int
    shots: int

    @property
    def share(self) -> float:
        return self.covered / self.size if self.size else 0.0

    @property
    def is_protocol(self) -> bool:
        """Whether these are bytes of this protocol."""
        return self.share >= ENOUGH

    @property
    def is_merged(self) -> bool:
        """Whether they are of both sides."""
        if self.master and self.slave:
            return True
        return not self.master and not self.slave and self.shots > 0 and self.answered * 2 > self.shots


def weigh(data: bytes) -> Evidence:
    """Read bytes as frames, skipping what makes no sense."""
    place = covered = master = slave = answered = shots = 0
    before = -1
    size = len(data)
    while place < size:
        op = data[place]
        length = _sensible(data, place)
        if not length:
            place += 1
            before = -1
            continue
        covered += min(length, size - place)
        master += op in _BY_MASTER or op in _TO_SLAVE
        slave += op in _BY_SLAVE or op in _TO_MASTER
        shots += op == wire.SHOT
        answered += before == wire.SHOT and op in _SHOT_REPLIES
        before = op
        place += length
    return Evidence(size, covered, master, slave, answered, shots)


def _sensible(data: bytes, place: int) -> int:
    """Return the length of a frame with plausible fields that begins here, 0 if there is none."""
    op = data[place]
    if wire.exchange(op) is None:
        return 0
    if op == wire.SHOT:
        return 3 if all(1 <= value <= wire.SIZE_MAX for value in data[place + 1 : place + 3]) else 0
    if op in (wire.PARAMS, 0x2B):
        size = data[place + 1 : place + 2]
        return 6 if not size or wire.SIZE_MIN <= size[0] <= wire.SIZE_MAX else 0
    if op in (wire.NICK, wire.CHAT):
        length = data[place + 1 : place + 2]
        if not length:
            return 2
        letters = data[place + 2 : place + 2 + length[0]]
        return 2 + length[0] if length[0] <= _LETTERS_MOST and all(byte >= 32 for byte in letters) else 0
    return 1
