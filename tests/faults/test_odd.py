"""A game as odd taps and files record it: nobody is accused, and what is no session is not approved."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from seabattle import watch, wire
from seabattle_host.sniff import merge
from seabattle_host.sniff.capture import Chunk, Fault
from seabattle_host.sniff.checking import CANNOT_SAY, KEEPS
from seabattle_host.sniff.clock_match import share_a_clock
from seabattle_host.sniff.merge import Sorter
from seabattle_host.sniff.session import Session
from tests.captures import BATTLE, MET, SMALL, played, written
from tests.faults import bugs
from tests.faults.judging import Harmful, checked
from tests.peers.dialects import SlaveL

Heard = list[Chunk]


@cache
def game(seed: int) -> Heard:
    return played(seed, SMALL)


def bytewise(change: Callable[[int], int]) -> Callable[[Heard], Heard]:
    return lambda heard: [replace(c, data=bytes((change(c.data[0]),))) for c in heard]


def odd_parity(byte: int) -> int:
    return bin(byte).count("1") & 1


def later(us: int) -> Callable[[Heard], Heard]:
    """Delay side B."""
    return lambda heard: sorted((replace(c, at=c.at + us * c.side) for c in heard), key=lambda c: c.at)


def again(pause: int, exchanged: bool = False, lost: int = 0) -> Callable[[Heard], Heard]:
    """Append another game; the first one's last `lost` bytes are lost."""

    def change(heard: Heard) -> Heard:
        second = game(2)
        by = heard[-1].at - second[0].at + pause
        sides = (1, 0) if exchanged else (0, 1)
        return heard[: len(heard) - lost] + [replace(c, at=c.at + by, side=sides[c.side]) for c in second]

    return change


def in_order(order: Callable[[Heard], Heard]) -> Callable[[Heard], Heard]:
    return lambda heard: [replace(c, at=old.at) for old, c in zip(heard, order(heard), strict=True)]


def echoed(side: int, us: int, part: float = 0) -> Callable[[Heard], Heard]:
    """Copy this side's bytes onto the other's wire, this much later; from a fraction of the capture on."""

    def change(heard: Heard) -> Heard:
        echo = [replace(c, at=c.at + us, side=1 - side) for c in heard[int(len(heard) * part) :] if c.side == side]
        return sorted(heard + echo, key=lambda c: c.at)

    return change


def timeless(change: Callable[[Heard], Heard]) -> Callable[[Heard], Heard]:
    return lambda heard: [replace(c, at=0) for c in change(heard)]


def synced(side: int) -> Callable[[Heard], Heard]:
    """Add foreign syncs on this side's wire, from a tenth of the capture on."""

    def change(heard: Heard) -> Heard:
        times = range(heard[len(heard) // 10].at + 20_000, heard[-1].at, 549_254)
        return sorted([*heard, *(Chunk(at, side, b"\xaa") for at in times)], key=lambda c: c.at)

    return change


ODD: dict[str, tuple[Callable[[Heard], Heard], set[int]]] = {
    "sides exchanged": (lambda heard: [replace(c, side=1 - c.side) for c in heard], {KEEPS}),
    "no times": (lambda heard: [replace(c, at=0) for c in heard], {KEEPS}),
    "ten times as fast": (lambda heard: [replace(c, at=c.at // 10) for c in heard], {KEEPS}),
    "two sessions": (again(5 * 10**6), {KEEPS}),
    "two sessions, sides exchanged": (again(5 * 10**6, True), {KEEPS}),
    "two sessions, the first without its end": (again(10**6, False, 50), {KEEPS, CANNOT_SAY}),
    "an adapter that echoes": (
        lambda heard: [x for c in heard for x in (c, replace(c, side=1 - c.side))],
        {CANNOT_SAY},
    ),
    **{f"an echo of A, {us} us later": (echoed(0, us), {CANNOT_SAY}) for us in (300, 1300, 16_000)},
    "an echo of B": (echoed(1, 300), {CANNOT_SAY}),
    "an echo that begins in the middle": (echoed(0, 300, 0.5), {CANNOT_SAY}),
    "an echo without times": (timeless(echoed(0, 300)), {CANNOT_SAY}),
    "one side only, as both": (
        lambda heard: [x for c in heard if c.side == 0 for x in (c, replace(c, side=1))],
        {CANNOT_SAY},
    ),
    "both sides as one": (lambda heard: [replace(c, side=0) for c in heard], {CANNOT_SAY}),
    "parity as a bit": (bytewise(lambda byte: byte & 127 | odd_parity(byte & 127) << 7), {CANNOT_SAY}),
    "seven bits": (bytewise(lambda byte: byte & 127), {CANNOT_SAY}),
    "inverted": (bytewise(lambda byte: byte ^ 255), {CANNOT_SAY}),
    "nibbles swapped": (bytewise(lambda byte: byte >> 4 | (byte & 15) << 4), {CANNOT_SAY}),
    "B 20 ms later": (later(20_000), {KEEPS, CANNOT_SAY}),
    "B 2 s later": (later(2_000_000), {CANNOT_SAY}),
    "each byte twice": (lambda heard: [x for c in heard for x in (c, c)], {CANNOT_SAY}),
    "back to front": (in_order(lambda heard: heard[::-1]), {CANNOT_SAY}),
    "bytes shuffled": (in_order(lambda heard: random.Random(1).sample(heard, len(heard))), {CANNOT_SAY}),
}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_capture_accuses_nobody_and_nonsense_is_not_approved(kind: str):
    change, statuses = ODD[kind]
    session = Session()
    (status, _line), _checking = checked(session.run(change(game(1))), session)
    assert session.sums.violations == 0
    assert status in statuses


@pytest.mark.parametrize(("kind", "side"), [("echo", 0), ("echo", 1), ("shared", 1)])
def test_what_else_speaks_on_the_wire_of_a_side_is_said(kind: str, side: int, english: None):
    session = Session()
    change = echoed(1 - side, 300) if kind == "echo" else synced(side)
    (status, line), checking = checked(session.run(change(again(10**6)(game(1)))), session)
    assert session.sums.violations == 0
    assert status == CANNOT_SAY
    found = "repeats what the other side sends" if kind == "echo" else "a second master"
    assert f"the line of {'AB'[side]}" in line and found in line
    assert any(f"on the line of {'AB'[side]}" in each for each in checking.unread.lines(0, True))
    # in hours on a bad line a few look so
    checking.count([10**6 if op % 256 in (wire.SYNC, wire.SYNCED) else 0 for op in range(512)], 0, 0)
    status, line = checking.outcome(session)
    assert status == CANNOT_SAY
    assert "the line of" not in line and "fault of" in line


@pytest.mark.parametrize("unsure", [False, True])
@pytest.mark.parametrize(("side", "noise"), [(0, "0A 07"), (0, "2B 9B F5"), (1, "2C 70")])
def test_no_program_is_told_to_end_its_frames_otherwise_for_what_looks_like_a_frame_in_noise(
    side: int, noise: str, unsure: bool
):
    heard = list(game(1))
    for end in range(len(heard) - 6, len(heard) // 3, -len(heard) // 10):
        at = heard[end].at
        heard[end:end] = [Chunk(at, side, bytes((byte,))) for byte in bytes.fromhex(noise)]
    session = Session()
    _outcome, checking = checked(
        [r for chunk in heard for r in session.feed(chunk, unsure)] + session.finish(), session
    )
    assert session.sums.noise + session.sums.cut >= 4
    assert checking.odd(session) == []


@pytest.mark.parametrize(("side", "silent"), [(0, "B"), (1, "A")])
def test_one_line_that_carries_one_side_only_is_told_as_that(side: int, silent: str, english: None):
    session = Session()
    sorter = Sorter(session)
    heard = [replace(c, side=0) for c in game(1) if c.side == side]
    (status, line), _checking = checked([r for c in heard for r in sorter.feed(c)] + sorter.finish(), session)
    assert (status, session.sums.violations) == (CANNOT_SAY, 0)
    assert f"nothing was heard from side {silent}" in line


def test_two_files_without_times_accuse_nobody_of_an_echo_of_another_session():
    torn = bugs.Bug("", bugs.M, lambda f, n: f[:2] if f[0] == wire.SHOT else f, frozenset())
    heard = [c for chunks, _end in bugs.sessions(torn, range(1, 9)) for c in chunks]
    dumps = [[c.data for c in sorted(heard, key=lambda c: c.at) if c.side == side] for side in (0, 1)]
    records = Session().run(merge.interleave((dumps[0], dumps[1])))
    assert not [r for r in records if r.verdict == watch.VIOLATION]


@pytest.mark.parametrize("by", [0, 100_000, 1_450_000, 10**8])
def test_two_files_with_clocks_of_their_own_accuse_nobody_though_the_slave_says_everything_more_than_once(by: int):
    game_ = Harmful(SlaveL(30, early=False), wire.MASTER, 1).whole()
    sides = [[Chunk(at + by * side, side, bytes((byte,))) for at, side, byte in game_ if side == own] for own in (0, 1)]
    assert share_a_clock((sides[0], sides[1])) == (by == 0)
    items = merge.interleave(([c.data for c in sides[0]], [c.data for c in sides[1]]))
    session = Session()
    assert not [r for r in session.run(items) if r.verdict in (watch.VIOLATION, watch.DOUBT)]
    assert not session.sums.lost


def test_on_one_line_an_early_a4_is_a_violation_of_either_side():
    """The master may have said it, who never may."""
    session = Session()
    sorter = Sorter(session)
    heard = written((BATTLE.partition("m A3")[0] + "s A4 m A8 s 8A ") * 3 + "m AA s 01")
    records = [r for c in heard for r in sorter.feed(replace(c, side=0))] + sorter.finish()
    accused = [r for r in records if r.verdict == watch.VIOLATION]
    assert [(r.op, r.reason) for r in accused if r.unsure] == [(wire.SLAVE_READY, wire.R_STATE)]
    assert all(r.unsure for r in accused)


def test_on_one_line_it_may_be_the_side_that_waits_that_gives_up():
    sorter = Sorter(Session())
    heard = written(BATTLE + "m C0 01 01 " + "+9 m AA s 01 " * 7 + "m A0 s 0A")
    records = [r for c in heard for r in sorter.feed(replace(c, side=0))] + sorter.finish()
    assert [(r.side, r.unsure) for r in records if r.op == wire.TIMED_OUT] == [(0, True)]
    assert watch.R_NO_TIMEOUT not in [r.reason for r in records]


def test_a_slave_that_repeats_its_shot_on_one_line_is_not_taken_for_the_master():
    """Its master calls the cell shot at already, as it was."""
    session = Session()
    sorter = Sorter(session)
    heard = written(BATTLE + "m C0 01 01 s 0C +9 m AA s C0 02 02 m 0C s 01 s C0 02 02 m 3C s C0 03 03 m 0C")
    records = [r for c in heard for r in sorter.feed(replace(c, side=0))] + sorter.finish()
    assert [r.reason for r in records if r.verdict] == []
    assert sum(r.unsure for r in records)


def test_a_shot_of_the_master_around_the_answer_to_its_sync_is_not_the_last_one_of_the_slave_on_one_line():
    """The slave's shot at the same numbers was answered before the sync, so it does not come again."""
    sorter = Sorter(Session())
    heard = written(BATTLE + "m C0 01 06 s 0C s C0 01 06 m 0C +9 m AA")
    at = heard[-1].at
    crossing = [Chunk(at + 1250 * n, 0, bytes((byte,))) for n, byte in enumerate(b"\xc0\x01\x06\x01\x0c", 1)]
    records = [r for c in [*heard, *crossing] for r in sorter.feed(replace(c, side=0))] + sorter.finish()
    got = sorted((r.at, r.side, r.raw) for r in records if r.at > at)
    assert [each[1:] for each in got] == [(0, b"\xc0\x06\x01"), (1, b"\x01"), (1, b"\x0c")]


@pytest.mark.parametrize("lump", [1, 1000])
@pytest.mark.parametrize(
    ("parameters", "place"), [("B2 0A 00 02 03 04", 1), *(("B2 0A 41 32 23 14", place) for place in range(1, 6))]
)
def test_a_01_that_nobody_asked_for_inside_the_parameters_is_no_part_of_them_on_one_line(
    parameters: str, place: int, lump: int
):
    words = parameters.split()
    echo = " ".join(["2B", *words[1:]])
    raw = b"".join(c.data for c in written(" ".join([MET, *words[:place], "01", *words[place:], echo, "A2 2A"])))
    sorter = Sorter(Session())
    records = [r for n in range(0, len(raw), lump) for r in sorter.feed(Chunk(0, 0, raw[n : n + lump]))]
    records += sorter.finish()
    assert [r.raw for r in records if r.op == wire.PARAMS] == [bytes.fromhex(parameters)]
    assert not [r for r in records if r.verdict and r.op != wire.SYNCED]


@pytest.mark.parametrize("pause", ["", "+9 m AA "])
def test_an_answer_that_comes_once_more_on_one_line_makes_nobody_certain_to_shoot_next(pause: str):
    """A slow master answers each repeated shot, and all but the first answer come when the turn has passed on."""
    sorter = Sorter(Session())
    repeated = "s C0 02 02 " + "+9 m AA s 01 s C0 02 02 " * 2
    late = "m C0 03 03 s 2C " + pause + "m 0C +20 "
    heard = written(BATTLE + "m C0 01 01 s 0C " + repeated + "m 0C " + late + "m C0 04 04 s 0C")
    records = [r for c in heard for r in sorter.feed(replace(c, side=0))] + sorter.finish()
    assert [(r.side, r.unsure) for r in records if r.op == wire.MISS][-2:] == [(0, True), (1, True)]
    assert [r.unsure for r in records if r.raw == b"\xc0\x04\x04"] == [True]


def test_a_line_end_after_each_frame_is_not_held_against_the_frame_that_it_falls_into():
    """0A would be the reply to A0."""
    heard = written("m AA s 01 0A m A1 s 1A ")
    at = heard[-1].at
    nick = [Chunk(at + 1250 * n, 0, bytes((byte,))) for n, byte in enumerate(b"\xb1\x05BOARD", 1)]
    end = Chunk(nick[1].at + 10, 1, b"\n")
    records = list(Session().run([*heard, *nick[:2], end, *nick[2:]]))
    assert [r.raw for r in records if r.at > at and r.side == 0 and r.kind == watch.FRAME] == [b"\xb1\x05BOARD"]
    assert not [r for r in records if r.side == 0 and r.verdict]


def test_which_of_two_shots_at_once_is_answered_first_is_a_guess_for_both_answers_on_one_line():
    """A slow master answers repeated shots late, so that the turn is uncertain, and shoots when the slave has shot."""
    sorter = Sorter(Session())
    late = "s C0 02 02 +9 m AA s 01 s C0 02 02 m 0C +9 m AA +1 m 0C +9 "
    again = "s C0 03 03 +2 m AA s 01 s C0 03 03 +9 m AA m 0C s 01 s C0 03 03 +9 "
    heard = written(BATTLE + "m C0 01 01 s 0C " + late + again + "m AA C0 s 01 m 05 05 s 0C +9 m 0C")
    records = [r for c in heard for r in sorter.feed(replace(c, side=0))] + sorter.finish()
    assert [(r.side, r.unsure) for r in records if r.raw == b"\xc0\x05\x05"] == [(0, False)]
    assert [r.unsure for r in records if r.op == wire.MISS][-2:] == [True, True]


def test_a_slave_that_has_become_a_master_is_named():
    heard = game(1)
    half = heard[: len(heard) // 2]
    at = half[-1].at
    own = [Chunk(at + n * 274_627, n & 1, b"\xaa") for n in range(1, 60)]
    session = Session()
    accused = [r for r in session.run(half + own) if r.verdict == watch.VIOLATION]
    assert {(r.side, r.op, r.reason) for r in accused} == {(1, wire.SYNC, wire.R_SENDER)}


def test_a_sync_of_the_master_inside_a_shot_of_the_slave_is_not_the_slaves_fault_on_one_line():
    shots = [f"C0 {n % 10 + 1:02X} {n // 10 + 1:02X} 0C" for n in range(60) for _side in (0, 1)]
    for odd in range(21, 120, 20):
        shots[odd] = shots[odd].replace("C0", "C0 AA") + " 01"
    meeting = "AA 01 A1 1A B2 0A 01 02 03 04 2B 0A 01 02 03 04 A2 2A A3 3A A4 4A "
    sorter = Sorter(Session())
    raw = bytes.fromhex(meeting + " ".join(shots))
    records = [r for n, byte in enumerate(raw) for r in sorter.feed(Chunk(n * 1250, 0, bytes((byte,))))]
    records += sorter.finish()
    assert not [r for r in records if r.verdict == watch.VIOLATION]


def test_who_answers_a_sync_that_was_damaged_on_the_way_to_the_tap_has_not_deviated():
    heard = written(BATTLE + "m C0 01 01 s 0C +9 m AA s 01 s C0 02 02 m 0C")
    sync = len(heard) - 6
    assert heard[sync].data == b"\xaa"
    heard[sync] = replace(heard[sync], faults=bytes((Fault.PARITY,)))
    found = [(r.raw, r.verdict) for r in Session().run(heard) if r.verdict]
    assert found == [(b"\xaa", watch.NOISE), (b"\x01", watch.FOLLOWS)]
