"""Players with one bug each, and the names by which the watcher must report it first.

A player of ours plays against one whose frames are changed on their way out as the bug would. The watcher's first
finding must be against the buggy player, and by the right name; where the line might still be the cause, it
must be beyond doubt when it recurs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from seabattle import watch, wire
from seabattle_host.simulation.engine import Channel, Simulation
from seabattle_host.sniff.capture import Chunk
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from tests.faults.judging import Ear
from tests.faults.study import TICK_US, person

M, S = 0, 1
LIES = frozenset((*range(wire.R_NEAR_SUNK, wire.REASONS), watch.R_LAST_DECK, wire.R_FLEET_SUNK))


class Buggy(Channel):
    """Carries a player's frames as its bug would have sent them."""

    def __init__(self, change: Callable[[bytes, int], bytes]) -> None:
        super().__init__()
        self._change = change
        self._reader = wire.Reader()
        self._frame = bytearray()
        self._seen: dict[int, int] = {}

    def send(self, now: int, byte: int) -> None:
        self._frame.append(byte)
        if self._reader.feed(byte) == wire.QUIET:
            return
        frame = bytes(self._frame)
        self._frame.clear()
        self._seen[frame[0]] = self._seen.get(frame[0], 0) + 1
        for each in self._change(frame, self._seen[frame[0]]):
            super().send(now, each)


@dataclass(frozen=True)
class Bug:
    """side: who has it; change: a frame and its ordinal among those of its opcode -> what is sent; reasons: its
    possible names; told: the opcode at fault, 0 for any.
    """

    name: str
    side: int
    change: Callable[[bytes, int], bytes]
    reasons: frozenset[int]
    told: int = 0


def instead(op: int, sent: str, first: int = 1) -> Callable[[bytes, int], bytes]:
    """Replace the frames of an opcode, from the `first` on. In `sent` `..` is the frame itself."""

    def change(frame: bytes, n: int) -> bytes:
        if frame[0] != op or n < first:
            return frame
        return b"".join(frame if word == ".." else bytes((int(word, 16),)) for word in sent.split())

    return change


def shot(x: Callable[[int], int], y: Callable[[int], int] = lambda y: y) -> Callable[[bytes, int], bytes]:
    """Move every shot."""
    return lambda f, n: bytes((f[0], x(f[1]) & 255, y(f[2]) & 255)) if f[0] == wire.SHOT else f


def fields(op: int, change: Callable[[bytes], bytes]) -> Callable[[bytes, int], bytes]:
    """Change the bytes after an opcode."""
    return lambda f, n: f[:1] + change(f[1:]) if f[0] == op else f


def swapped(data: bytes) -> bytes:
    """Swap the nibbles of each byte."""
    return bytes(c << 4 & 255 | c >> 4 for c in data)


def any_of(*reasons: int) -> frozenset[int]:
    return frozenset(reasons)


SENDER = any_of(wire.R_SENDER)
SILENT = any_of(watch.R_NO_REPLY, watch.R_SILENT)
ECHO = any_of(wire.R_ECHO)
STATE = any_of(wire.R_STATE)

BUGS = (
    Bug("1A with its nibbles as they were", S, instead(0x1A, "A1"), SENDER, 0xA1),
    Bug("2A with its nibbles as they were", S, instead(0x2A, "A2"), SENDER, 0xA2),
    Bug("3A with its nibbles as they were", S, instead(0x3A, "A3"), SENDER, 0xA3),
    Bug("4A with its nibbles as they were", M, instead(0x4A, "A4"), SENDER, 0xA4),
    Bug("1A in place of 2A", S, instead(0x2A, "1A"), any_of(watch.R_INSTEAD), 0x1A),
    Bug("already shot there, in place of 3A", S, instead(0x3A, "3C"), any_of(watch.R_INSTEAD), 0x3C),
    Bug("the slave syncs instead of answering", S, instead(0x01, "AA"), SENDER | any_of(watch.R_TWO_MASTERS)),
    Bug("echo with another size", S, fields(0x2B, lambda d: bytes((d[0] ^ 1,)) + d[1:]), ECHO),
    Bug("echo of zeros", S, fields(0x2B, lambda d: bytes(5)), ECHO),
    Bug("echo in reverse order", S, fields(0x2B, lambda d: d[::-1]), ECHO),
    Bug("echo with another count", S, fields(0x2B, lambda d: d[:4] + bytes((d[4] + 1,))), ECHO),
    Bug("echo without the parameters", S, instead(0x2B, "2B"), any_of(watch.R_BARE_ECHO, watch.R_NO_REPLY)),
    Bug("A4 in state 2", S, instead(0x2A, ".. A4"), STATE, 0xA4),
    Bug("no 1A", S, instead(0x1A, ""), SILENT),
    Bug("no 2A", S, instead(0x2A, ""), SILENT),
    Bug("no 3A", S, instead(0x3A, ""), SILENT | any_of(watch.R_MISSED)),
    Bug("no 4A", M, instead(0x4A, ""), SILENT | any_of(watch.R_MISSED)),
    Bug("no answer to the third miss", S, instead(0x0C, "", 3), SILENT | any_of(wire.R_TURN)),
    Bug("no echo", S, instead(0x2B, ""), SILENT),
    Bug("no A9", M, instead(0xA9, ""), any_of(watch.R_NO_WON, watch.R_NO_REPLY)),
    Bug("columns from 0", M, shot(lambda x: x - 1), any_of(watch.R_FROM_ZERO), 0xC0),
    Bug("rows from 0", S, shot(lambda x: x, lambda y: y - 1), any_of(watch.R_FROM_ZERO), 0xC0),
    Bug("shots off the field", M, shot(lambda x: 11), any_of(wire.R_CELL), 0xC0),
    Bug("shots in ASCII", M, shot(lambda x: x + 64, lambda y: y + 48), any_of(wire.R_CELL), 0xC0),
    Bug("never says sunk", S, instead(0x2C, "1C"), LIES),
    Bug("says sunk for every hit", S, instead(0x1C, "2C"), LIES),
    Bug("says sunk for every miss", S, instead(0x0C, "2C"), LIES),
    Bug("already shot there, for a miss", S, instead(0x0C, "3C"), any_of(wire.R_NOT_SHOT_BEFORE), 0x3C),
    Bug("says hit for every miss", S, instead(0x0C, "1C"), LIES),
    Bug("the slave takes the first move", S, instead(0xA4, ".. C0 01 01"), any_of(wire.R_TURN, *STATE, wire.R_SECOND)),
    Bug("two shots at once", M, instead(0xC0, ".. C0 01 01"), any_of(wire.R_SECOND, wire.R_TURN), 0xC0),
    Bug("A9 after the first hit", S, instead(0xC0, ".. A9", 2), any_of(wire.R_NOT_WON, wire.R_SECOND), 0xA9),
    Bug("A8 for nothing", S, instead(0x0C, ".. A8", 2), any_of(watch.R_UNFOUNDED), 0xA8),
    Bug("A3 before A2", M, instead(0xA2, "A3 .."), STATE, 0xA3),
    Bug("parameters in state 2", M, instead(0xA3, "B2 06 00 00 00 01 .."), STATE, 0xB2),
    Bug("parameters out of the ranges", M, instead(0xB2, "B2 0C 01 02 03 04"), any_of(wire.R_PARAMS), 0xB2),
    Bug("a fleet without room", M, instead(0xB2, "B2 06 01 02 05 0A"), any_of(wire.R_FLEET), 0xB2),
    Bug("no parameters", M, instead(0xB2, "A2"), any_of(wire.R_NO_PARAMS), 0xA2),
    Bug("a shot before 4A", M, instead(0xA3, ".. C0 01 01"), any_of(wire.R_SECOND, *STATE, watch.R_NO_REPLY)),
    Bug(
        "a sync inside a shot", M, lambda f, n: b"\xc0\xaa" + f[1:] if f[0] == 0xC0 else f, any_of(watch.R_SYNC_INSIDE)
    ),
    Bug("A1 again in state 2", M, instead(0xA3, "A1 .."), STATE, 0xA1),
    Bug("a nick of no letter", M, fields(0xB1, lambda d: b"\0"), any_of(watch.R_NICK_LENGTH), 0xB1),
    Bug("a nick of twelve letters", S, fields(0xB1, lambda d: b"\x0cABCDEFGHIJKL"), any_of(watch.R_NICK_LENGTH), 0xB1),
    Bug("chat that was not probed", M, instead(0xA2, "B3 02 48 49 .."), any_of(watch.R_NOT_PROBED, wire.R_SECOND)),
    Bug("the master says A4", M, instead(0xA3, "A4"), SENDER, 0xA4),
    Bug("every answer twice", S, instead(0x1A, ".. .."), any_of(watch.R_DOUBLED), 0x1A),
    Bug("echo with its nibbles swapped", S, fields(0x2B, swapped), ECHO),
    Bug("echo in ASCII", S, fields(0x2B, lambda d: bytes(c + 48 for c in d)), ECHO),
    Bug("shots with their nibbles swapped", M, shot(lambda x: x << 4, lambda y: y << 4), any_of(wire.R_CELL), 0xC0),
    Bug("a shot off the field once a game", M, instead(0xC0, "C0 0B 01", 5), any_of(wire.R_CELL), 0xC0),
    Bug("already shot there, for a hit", S, instead(0x1C, "3C"), any_of(wire.R_NOT_SHOT_BEFORE), 0x3C),
    Bug("the slave meets", S, instead(0x1A, ".. A1"), SENDER, 0xA1),
    Bug("A2 in place of A3", M, instead(0xA3, "A2"), STATE | any_of(watch.R_REPEATED), 0xA2),
    Bug("a restart in state 1", M, instead(0xB2, "A5 .."), STATE, 0xA5),
    Bug("A4 twice", S, instead(0xA4, ".. .."), any_of(watch.R_REPEATED), 0xA4),
    Bug("one row too many", S, shot(lambda x: x, lambda y: y + 1), any_of(wire.R_CELL), 0xC0),
    Bug("a cell in one byte", M, shot(lambda x: x << 4, lambda y: 0), any_of(wire.R_CELL), 0xC0),
    Bug("a letter for the column", M, shot(lambda x: x + 64), any_of(wire.R_CELL), 0xC0),
    Bug("a digit for the row", S, shot(lambda x: x, lambda y: y + 48), any_of(wire.R_CELL), 0xC0),
    Bug("says sunk for hit and hit for sunk", S, lambda f, n: {0x1C: b"\x2c", 0x2C: b"\x1c"}.get(f[0], f), LIES),
    Bug("no answer to a sunk ship", S, instead(0x2C, ""), SILENT),
    Bug("an echo with the opcode of the parameters", S, instead(0x2B, "B2 0A 01 02 03 04"), SENDER, 0xB2),
    Bug("counts with their nibbles swapped", M, fields(0xB2, swapped), any_of(wire.R_PARAMS), 0xB2),
    Bug("parameters in reverse order", M, fields(0xB2, lambda d: d[::-1]), any_of(wire.R_PARAMS), 0xB2),
    Bug("parameters in ASCII", M, fields(0xB2, lambda d: bytes(c + 48 for c in d)), any_of(wire.R_PARAMS), 0xB2),
    Bug("parameters without ships", M, instead(0xB2, "B2 0A 00 00 00 00"), any_of(wire.R_PARAMS), 0xB2),
    Bug("A3 together with A2", M, instead(0xA2, ".. A3"), any_of(wire.R_SECOND)),
    Bug("A4 again in the battle", S, instead(0x0C, ".. A4", 2), STATE, 0xA4),
    Bug("A7 in place of A9", M, instead(0xA9, "A7"), any_of(watch.R_NO_WON), 0xA9),
)


def heard(bug: Bug, seed: int = 1) -> tuple[list[Chunk], int]:
    """Return a session with the buggy player as a tap records it, and its length."""
    rng = random.Random(f"bug {seed}")
    ear = Ear()
    channels = [Channel(), Channel()]
    channels[bug.side] = Buggy(bug.change)
    one, two = person(wire.MASTER, rng), person(wire.SLAVE, rng)
    for endpoint in (one, two):
        endpoint.link.nick(b"PLAYER", 6)
    ear.simulation = Simulation((one, two), (channels[0], channels[1]), listener=ear)
    ear.simulation.run(600 * TICK_US, lambda: one.ended and two.ended)
    ear.simulation.run(ear.simulation.now + 3 * TICK_US, lambda: False)
    return [Chunk(at, side, bytes((byte,))) for at, side, byte in ear.heard], ear.simulation.now


def sessions(bug: Bug, seeds: Iterable[int]) -> Iterator[tuple[list[Chunk], int]]:
    """Yield sessions of the two one after another, each with its end: they give up, and meet again."""
    began = 0
    for seed in seeds:
        chunks, length = heard(bug, seed)
        chunks = [replace(chunk, at=began + chunk.at) for chunk in chunks]
        began += length + 5 * TICK_US
        for side, op in ((M, wire.TIMED_OUT), (S, wire.exchange(wire.TIMED_OUT)[wire.REPLY])):
            began += TICK_US
            chunks.append(Chunk(began, side, bytes((op,))))
        began += TICK_US
        yield chunks, began


def session(bug: Bug, seeds: Iterable[int]) -> Iterator[Record]:
    """Yield the sniffer's findings in such sessions, without those that follow from others."""
    s = Session()
    silent = (watch.OK, watch.NOISE, watch.FOLLOWS)
    for chunks, end in sessions(bug, seeds):
        for chunk in chunks:
            # how they give up is of no interest
            found = (r for r in s.feed(chunk) if r.reason != watch.R_NO_TIMEOUT)
            yield from (r for r in found if r.verdict not in silent)
        yield from (r for r in s.advance(end) if r.verdict not in silent)
    yield from (r for r in s.finish() if r.verdict not in silent)


def findings(bug: Bug, sessions: int = 40) -> list[Record]:
    """Return the findings up to the first beyond doubt: what one changed byte would explain is a violation only when it
    recurs, and some bugs do not show in every session.
    """
    found = []
    for record in session(bug, range(1, sessions + 1)):
        found.append(record)
        if not record.maybe:
            break
    return found


def named(bug: Bug, found: list[Record]) -> bool:
    """Whether the first finding is the bug by its name, all are against its player, and the last is beyond doubt."""
    if not found or found[-1].maybe or any(r.side != bug.side for r in found):
        return False
    return found[0].reason in bug.reasons and (not bug.told or found[0].op == bug.told)
