"""Captures for the tests of the sniffer: games played in simulated time, sessions written by hand, waveforms.

Written sessions are words: `m` and `s` say who sends the bytes that follow, `+N` lets N ticks pass. Side A is master.
"""

from __future__ import annotations

from dataclasses import dataclass

from seabattle import watch, wire
from seabattle_host.player.parameters import Parameters
from seabattle_host.simulation import sim
from seabattle_host.simulation.engine import BYTE_US
from seabattle_host.sniff.capture import TICK_DIVIDEND, TICK_DIVISOR, Chunk

BEGAN = 1_700_000_000_000_000
"""Some moment, in microseconds since the epoch."""

TICK = TICK_DIVIDEND // TICK_DIVISOR + 1

SMALL = Parameters(6, 0, 0, 1, 2)
USUAL = Parameters()


def played(seed: int = 1, parameters: Parameters = USUAL) -> list[Chunk]:
    """Return a whole game between two bots as a tap records it, byte by byte."""
    heard: list[Chunk] = []

    class Ear:
        def feed(self, side: int, byte: int) -> None:
            heard.append(Chunk(BEGAN + simulation.now, side, bytes((byte,))))

        def tick(self) -> None:
            pass

    simulation = sim.make_simulation(sim.Spec(parameters, (2, 2), seed), 0, Ear())
    assert simulation.run(3600 * 10**6)
    return heard


def written(words: str) -> list[Chunk]:
    """Return a session written as words, with each byte's time on the wire."""
    chunks: list[Chunk] = []
    at = BEGAN
    side = 0
    for word in words.split():
        if word in ("m", "s"):
            side = "ms".index(word)
        elif word.startswith("+"):
            at += int(word[1:]) * TICK
        else:
            at += BYTE_US
            chunks.append(Chunk(at, side, bytes((int(word, 16),))))
    return chunks


MET = "m AA s 01 m A1 s 1A "
AGREED = MET + "m B2 06 00 00 01 02 s 2B 06 00 00 01 02 "
PLACING = AGREED + "m A2 s 2A "
MASTER_READY = PLACING + "m A3 s 3A "
BATTLE = MASTER_READY + "s A4 m 4A "
ALL_BUT_ONE = BATTLE + "m C0 02 02 s 1C m C0 02 03 s 2C m C0 04 02 s 2C "
WON = ALL_BUT_ONE + "m C0 04 04 s 2C "
OVER = WON + "m A9 s 9A "
SYNCED = "+9 m AA s 01 "
TWO_SUNK = "m C0 01 01 s 1C m C0 01 02 s 2C "
ONES_SUNK = "m C0 01 01 s 2C m C0 03 03 s 2C "


@dataclass(frozen=True)
class Case:
    """A session with one error. side: whose fault, 0 the master; says: words of the explanation."""

    name: str
    words: str
    side: int
    op: int
    reason: int
    says: str
    verdict: int = watch.VIOLATION


VIOLATIONS = (
    Case("ready-too-early", PLACING + "s A4", 1, 0xA4, wire.R_STATE, "A4 in state 2: the slave must wait for A3"),
    Case("place-before-meeting", "m AA s 01 m A1 s 1A m A7 s 7A m AA s 01 m A2", 0, 0xA2, wire.R_STATE, "wait for A1"),
    Case("meet-twice", AGREED + "+9 m A1", 0, 0xA1, wire.R_STATE, "A1 in state 1: not allowed"),
    Case("shot-while-placing", PLACING + "m C0 01 01", 0, 0xC0, wire.R_STATE, "C0 in state 2"),
    Case("surrender-after-the-end", OVER + "s A6", 1, 0xA6, wire.R_STATE, "A6 in state 9"),
    Case("slave-sends-parameters", MET + "s B2 06 00 00 01 02", 1, 0xB2, wire.R_SENDER, "the master sends it"),
    Case("slave-syncs", BATTLE + "s AA", 1, 0xAA, wire.R_SENDER, "only the other role"),
    Case("not-its-turn", BATTLE + "s C0 01 01", 1, 0xC0, wire.R_TURN, "not its turn"),
    Case("turn-lost-by-a-miss", BATTLE + "m C0 03 03 s 0C m C0 04 04", 0, 0xC0, wire.R_TURN, "not its turn"),
    Case("second-command", BATTLE + "m C0 01 01 m C0 02 02", 0, 0xC0, wire.R_SECOND, "C0 still waits for 0C"),
    Case("field-too-large", MET + "m B2 0B 01 02 03 04", 0, 0xB2, wire.R_PARAMS, "size 11 is outside 6..10"),
    Case("too-many-ships", MET + "m B2 0A 02 02 03 04", 0, 0xB2, wire.R_PARAMS, "outside the ranges"),
    Case("no-room", MET + "m B2 06 01 02 05 0A", 0, 0xB2, wire.R_FLEET, "cannot be placed"),
    Case(
        "other-echo", MET + "m B2 06 00 00 01 02 s 2B 06 00 00 02 01", 1, 0x2B, wire.R_ECHO, "expected 06 00 00 01 02"
    ),
    Case("no-parameters", MET + "m A2", 0, 0xA2, wire.R_NO_PARAMS, "before any parameters"),
    Case("off-the-field", BATTLE + "m C0 07 01", 0, 0xC0, wire.R_CELL, "columns and rows are 1..6"),
    Case("not-won", BATTLE + "m A9", 0, 0xA9, wire.R_NOT_WON, "it has hit 0 of 4 decks"),
    Case("sunk-and-shooting", WON + "s C0 01 01", 1, 0xC0, wire.R_FLEET_SUNK, "last ship is sunk"),
    Case("beside-a-sunk-ship", BATTLE + TWO_SUNK + "m C0 02 01 s 1C", 1, 0x1C, wire.R_NEAR_SUNK, "beside a sunk ship"),
    Case("corner", BATTLE + "m C0 03 03 s 1C m C0 04 04 s 1C", 1, 0x1C, wire.R_CORNER, "false answer"),
    Case("shot-before", BATTLE + "m C0 03 03 s 3C", 1, 0x3C, wire.R_NOT_SHOT_BEFORE, "false answer"),
    Case("used-up", BATTLE + ONES_SUNK + "m C0 05 05 s 2C", 1, 0x2C, wire.R_NO_SUCH_SHIP, "false answer"),
    Case("answer-not-swapped", AGREED + "m A2 s A2", 1, 0xA2, wire.R_SENDER, "the reply to A2 is 2A"),
    Case("shot-before-the-answer", BATTLE + "m C0 01 01 s C0 01 01 m A8", 1, 0xC0, wire.R_TURN, "has no answer yet"),
    Case("sync-inside", BATTLE + "m C0 AA 03", 0, 0xC0, watch.R_SYNC_INSIDE, "in the middle of a frame"),
    Case("no-reply", BATTLE + "m C0 01 01 " + SYNCED * 8, 1, 0xC0, watch.R_NO_REPLY, "expected 0C, 1C, 2C, 3C"),
    Case("slave-silent", BATTLE + "+9 m AA " * 9, 1, 0xAA, watch.R_SILENT, ""),
)
"""Each kind of violation in the protocol, in a session of its own."""


DEVIATIONS = (
    ("late", BATTLE + "m C0 01 01 " + SYNCED * 8 + "s 0C"),
    ("repeated", BATTLE + "m C0 03 03 s 0C s C0 01 01 s C0 01 01 m 0C m 0C"),
    ("doubled", PLACING + "s 2A s 2A s 2A s 2A"),
    ("restart-in-battle", BATTLE + "m A5 s 5A m A2 s 2A"),
    ("slave-restarts", BATTLE + "s A5 m AA s 01 m A1 s 1A"),
    ("last-deck", ALL_BUT_ONE + "m C0 04 04 s 1C m A9 s 9A"),
    ("no-sync", BATTLE + "+20 m AA s 01"),
    ("noise", MET + "m 77 78 +3 m B1 05 41 +9 m AA s 01"),
)
"""Sessions with something that players tolerate."""


@dataclass(frozen=True)
class Wave:
    """Two wires as a logic analyser samples them: bit 0 what A sends, bit 1 what B sends, one byte a sample."""

    samples: bytes
    rate: int


def wave(chunks: list[Chunk], rate: int = 96_000, baud: int = 9600) -> Wave:
    """Return a capture's signals on the wires at 8E2; each byte ends at its time."""
    width = rate // baud
    lead = 100 * width
    start = chunks[0].at

    def sample(at: int) -> int:
        return lead + (at - start) * rate // 10**6

    levels = bytearray(b"\3" * (sample(chunks[-1].at) + lead))
    for chunk in chunks:
        assert len(chunk.data) == 1
        byte = chunk.data[0]
        bits = [0, *(byte >> i & 1 for i in range(8)), byte.bit_count() & 1]
        first = sample(chunk.at) - 12 * width
        for i, bit in enumerate(bits):
            if not bit:
                for k in range(first + i * width, first + (i + 1) * width):
                    levels[k] &= ~(1 << chunk.side)
    return Wave(bytes(levels), rate)
