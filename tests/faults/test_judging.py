"""Nobody is accused of what the line or the tap did, and each bug of a player is named first and correctly.

A sample; `python -m tests.faults.judging` and `python -m tests.faults.bugs` are the whole, and docs/proof.md has the
figures.
"""

from __future__ import annotations

import pytest

from seabattle import watch, wire
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import Chunk, Lost
from seabattle_host.sniff.checking import CANNOT_SAY, KEEPS, Checking
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from tests.captures import AGREED, BATTLE, MASTER_READY, MET, PLACING, written
from tests.faults import bugs, judging
from tests.faults.harms import CLOCK, DOUBLE, LOSS, MARKED, SWAP, TWICE
from tests.sizes import proof

CASES = proof(12, 60)

pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.parametrize("kind", range(len(judging.KINDS)), ids=[", ".join(kind) for kind in judging.KINDS])
def test_a_lost_byte_accuses_nobody(kind: int):
    cases = [judging.case(kind, index, 1) for index in range(CASES)]
    assert not any(accused for _place, _suspected, accused in cases)
    where, harm = judging.KINDS[kind]
    found = [place for place, _suspected, _accused in cases if place != judging.NOTHING]
    # a part that came twice, or another clock, shows where the repeated part stops making sense
    assert found.count(judging.RIGHT) >= len(found) - (CASES // 2 if harm in (TWICE, CLOCK) else CASES // 10 + 1)
    if where == "tap" and harm in (LOSS, DOUBLE, MARKED, SWAP):
        # a byte changed into a valid one cannot be noticed; with any other harm nobody is even suspected
        assert not any(suspected for _place, suspected, _accused in cases)


@pytest.mark.parametrize("bug", bugs.BUGS, ids=lambda bug: bug.name)
def test_a_bug_is_named_first_and_rightly(bug: bugs.Bug):
    assert bugs.named(bug, bugs.findings(bug))


@pytest.mark.parametrize(("side", "right", "sent"), [(1, 0x3A, "1A"), (0, 0x4A, "9A"), (1, 0x0C, "4A")])
def test_a_wrong_reply_from_which_both_go_on_is_held_against_its_sender_when_it_comes_often(side, right, sent):
    bug = bugs.Bug("", side, bugs.instead(right, sent), frozenset((watch.R_INSTEAD,)))
    found = [r for r in bugs.session(bug, range(1, 9)) if r.reason == watch.R_INSTEAD]
    assert (found[0].verdict, found[-1].verdict) == (watch.DOUBT, watch.VIOLATION)
    assert {r.side for r in found if r.verdict == watch.VIOLATION} == {side}


def judged(words: str) -> tuple[list[Record], Session]:
    """Return what is wrong in a session written as words, without what follows from other findings."""
    session = Session()
    silent = (watch.OK, watch.FOLLOWS)
    return [r for r in session.run(written(words)) if r.verdict not in silent], session


def violations(words: str) -> list[tuple[int, int, int]]:
    return [(r.side, r.op, r.reason) for r in judged(words)[0] if r.verdict == watch.VIOLATION]


def test_an_early_a4_that_both_go_on_from_is_one_violation():
    words = PLACING + "s A4 m 4A m A3 s 3A m C0 01 01 s 0C s C0 02 02 m 0C m C0 03 03 s 0C s C0 04 04 m 0C m A7 s 7A"
    assert violations(words) == [(1, 0xA4, wire.R_STATE)]
    _found, session = judged(words)
    (finding,) = session.sums.following
    assert session.sums.following[finding] >= 2


FIGHT = "m C0 01 01 s 0C s C0 01 01 m 0C m C0 02 02 s 0C s C0 02 02 m 0C m C0 03 03 s 0C s C0 03 03 m 0C "


@pytest.mark.parametrize(
    ("words", "op"),
    [
        (PLACING + FIGHT, 0xC0),
        (PLACING + "s A4 m 4A " + FIGHT, 0xA4),
        (MET + "m A2 s 2A m A3 s 3A s A4 m 4A " + FIGHT, 0xA2),
        (BATTLE + "s C0 04 04 m 0C " + FIGHT, 0xC0),
        (BATTLE + FIGHT + "m A9 s 9A m A2 s 2A", 0xA9),
        (BATTLE + FIGHT + "m A3 s 3A s A4 m 4A " + FIGHT, 0xA3),
    ],
    ids=["readies lost", "A3 lost", "parameters lost", "first shots lost", "hits lost", "a part twice"],
)
def test_a_part_that_was_lost_or_came_twice_accuses_nobody(words: str, op: int):
    found, session = judged(words)
    assert session.sums.violations == session.sums.suspected == 0
    assert (found[0].op, found[0].verdict) == (op, watch.DOUBT)
    checking = Checking()
    for record in found:
        checking.take(record)
    checking.heard, checking.answered, checking.good = [1, 1], [1, 1], 100
    status, line = checking.outcome(session)
    assert status == CANNOT_SAY and f"something was lost at record {found[0].number}" in line


def test_what_nobody_goes_on_from_stays_a_violation():
    for words in (PLACING + "m C0 01 01 s A8", PLACING + "m C0 01 01 " + "+9 m AA s 01 " * 8):
        assert violations(words) == [(0, 0xC0, wire.R_STATE)]


def test_an_echo_without_the_parameters_is_the_slaves_fault():
    offer = MET + "m B2 0A 01 02 03 04 s 2B "
    for pause in ("", "+1 "):
        assert violations(offer + pause + "m A2 s 2A") == [(1, 0x2B, watch.R_BARE_ECHO)]
    # with time for them they may have been lost, but not twice
    for goes_on in ("m AA AA AA AA AA A2 s 2A m A7 s 7A ", "+9 m AA s 01 +99 m A0 s 0A "):
        for times, verdicts in ((1, [watch.DOUBT]), (2, [watch.DOUBT, watch.VIOLATION])):
            found, _session = judged((offer + goes_on) * times)
            echoes = [r for r in found if r.reason == watch.R_BARE_ECHO]
            assert [(r.side, r.verdict, r.maybe) for r in echoes] == [(1, v, v == watch.DOUBT) for v in verdicts]


@pytest.mark.parametrize(
    ("echo", "verdict"),
    [
        ("0B 00 02 03 04", watch.DOUBT),
        ("0A 01 03 02 04", watch.DOUBT),
        ("0A 01 02 04 03", watch.DOUBT),
        ("00 00 00 00 00", watch.VIOLATION),
        ("09 09 09 09 09", watch.VIOLATION),
    ],
    ids=["a bit each", "two swapped", "the last two swapped", "zeros", "nines"],
)
def test_a_wrong_echo_is_its_sender_s_fault_only_where_no_noise_makes_it(echo: str, verdict: int):
    found, _session = judged(MET + "m B2 0A 01 02 03 04 s 2B " + echo + " m A8 s 8A")
    assert [(r.side, r.reason, r.verdict, r.maybe) for r in found] == [
        (1, wire.R_ECHO, verdict, verdict == watch.DOUBT)
    ]
    # noise next to it explains it, whatever it says
    found, _session = judged(MET + "m B2 0A 01 02 03 04 s 2B " + echo + " s 77 m A8 s 8A")
    assert not [r for r in found if r.verdict == watch.VIOLATION]


def test_parameters_and_placing_at_once_are_a_doubt_until_they_come_often():
    at_once = MET + "m B2 06 00 00 01 02 m A2 s 2B 06 00 00 01 02 s 2A m A7 s 7A "
    assert violations(at_once) == []
    assert set(violations(at_once * 5)) == {(0, 0xA2, wire.R_NO_PARAMS)}


def test_a_garbled_opcode_accuses_neither_the_shooter_nor_the_winner():
    opening = MET + "m B2 06 00 00 00 02 s 2B 06 00 00 00 02 m A2 s 2A m A3 s 3A s A4 m 4A m C0 01 01 s 0C s C0 02 02 "
    found, session = judged(opening + "m 0C m 55 03 03 s 2C m C0 05 05 s 2C m A9 s 9A")
    assert {r.verdict for r in found} == {watch.NOISE}
    assert session.sums.games[0].how == "shots" and session.sums.games[0].winner == 0


def test_a_goodbye_without_an_answer_and_a_new_search_is_no_violation():
    for pause in ("", "+73 "):
        found, _session = judged(BATTLE + "m A7 " + pause + "m AA s 01 m A1 s 1A m B1 01 41 s 1B")
        assert not [r for r in found if r.verdict == watch.VIOLATION]


def test_an_a8_for_nothing_is_named_whether_it_is_answered_or_not():
    shots = "s C0 02 02 m 0C m C0 03 03 s 0C s C0 04 04 m 0C"
    for reply in ("m 8A ", ""):
        assert violations(BATTLE + "m C0 01 01 s 0C s A8 " + reply + shots) == [(1, 0xA8, watch.R_UNFOUNDED)]


def test_a_sync_that_the_tap_took_for_an_a8_accuses_nobody():
    found, _session = judged(BATTLE + "m C0 01 01 s 1C m A8 s 01 m C0 03 03 s 0C")
    assert [(r.op, r.verdict) for r in found if r.verdict != watch.DEVIATION] == [(0xA8, watch.DOUBT)]


@pytest.mark.parametrize(
    ("words", "op"),
    [
        (BATTLE + "m C0 01 01 m C0 02 02 s 0C s C0 01 01 m 0C", 0xC0),
        (BATTLE + "m C0 01 01 s C0 02 02 m 0C m C0 03 03 s 0C", 0xC0),
        (BATTLE + "m C0 01 01 s 1C s C0 02 02 m 0C m C0 03 03 s 0C", 0xC0),
        (AGREED + "m A2 m A3 s 3A s A4 m 4A", 0xA3),
        (MASTER_READY + "m 4A m C0 01 01 s 0C", 0x4A),
    ],
    ids=["lost answer", "lost miss", "miss heard as hit", "lost 2A", "lost A4"],
)
def test_what_both_go_on_from_was_lost_on_the_way(words: str, op: int):
    found, _session = judged(words)
    assert [(r.op, r.verdict) for r in found] == [(op, watch.DOUBT)]
    assert "something was lost here" in rendering.fault_text(found[0])


OFF_AND_ANEW = "m C0 0B 01 s A8 m 8A " + BATTLE
"""A shot off the field, an accusation, and a new game up to the battle."""


def test_what_one_changed_byte_would_explain_is_a_violation_when_it_comes_again():
    found, session = judged(BATTLE + OFF_AND_ANEW)
    assert [(r.side, r.reason, r.verdict) for r in found] == [(0, wire.R_CELL, watch.DOUBT)]
    assert session.sums.violations == 0 and session.sums.suspected == 1
    found, session = judged(BATTLE + OFF_AND_ANEW * 2)
    assert [(r.side, r.reason, r.verdict) for r in found] == [
        (0, wire.R_CELL, watch.DOUBT),
        (0, wire.R_CELL, watch.VIOLATION),
    ]


def test_on_a_bad_line_what_comes_again_is_still_a_doubt():
    found, _session = judged(BATTLE + OFF_AND_ANEW + "+1 m 77 " + OFF_AND_ANEW + "+1 m 78 " + OFF_AND_ANEW * 3)
    assert [r.verdict for r in found if r.reason == wire.R_CELL] == [watch.DOUBT] * 2 + [watch.VIOLATION]


def test_after_a_loss_the_session_is_judged_again_once_it_has_shown_where_it_is():
    exchange = "m C0 01 {0:02X} s 0C s C0 02 {0:02X} m 0C "
    calm = "".join(exchange.format(row) for row in (1, 2, 3, 4))
    found, _session = judged(BATTLE + "m 77 " + calm + "s C0 05 05 m A8")
    assert [(r.side, r.op, r.reason) for r in found if r.maybe] == [(1, 0xC0, wire.R_TURN)]
    found, _session = judged(BATTLE + "m 77 " + "s C0 05 05 m A8")
    assert not [r for r in found if r.maybe]


def test_a_false_answer_is_told_with_its_cell_and_the_answer_that_it_contradicts():
    found, _session = judged(BATTLE + "m C0 01 01 s 1C m C0 01 02 s 2C m C0 02 01 s 1C m A8 s 8A")
    (lie,) = [r for r in found if r.maybe]
    assert (lie.side, lie.op, lie.reason) == (1, 0x1C, wire.R_NEAR_SUNK)
    assert "B1 contradicts the answer for A2: sunk" in rendering.fault_text(lie)


def test_shots_off_the_field_that_are_answered_are_a_violation_at_the_fourth_time():
    turns = [
        f"s C0 {x:02X} {y:02X} m 0C m C0 {{0}} {y:02X} s 0C " for x in (1, 2, 3, 4, 5, 6) for y in (1, 2, 3, 4, 5, 6)
    ]
    bad = "".join(turns).format("07")
    assert set(violations(BATTLE + "m C0 07 06 s 0C " + bad)) == {(0, 0xC0, wire.R_CELL)}
    # with good shots in between, a line that changes one occasionally is likelier
    some = "".join(turn.format("07" if n in (3, 13, 23, 33) else "01") for n, turn in enumerate(turns))
    assert violations(BATTLE + "m C0 01 06 s 0C " + some) == []


def test_who_counts_from_0_is_told_so():
    found, _session = judged(BATTLE + "m C0 00 03 s A8 m 8A")
    assert [(r.side, r.reason) for r in found] == [(0, watch.R_FROM_ZERO)]
    assert "it counts from 0" in rendering.fault_text(found[0])


def test_a_reply_is_doubled_only_if_it_is_the_same():
    found, _session = judged(BATTLE + "m C0 01 01 s 0C s 0C")
    assert [r.reason for r in found] == [watch.R_DOUBLED]
    found, _session = judged(BATTLE + "m C0 01 01 s 0C s 1C")
    assert [r.reason for r in found] == [watch.R_UNMATCHED]


def test_a_text_of_opcodes_is_no_noise_where_it_is_answered():
    text = "B3 08 AA A1 C0 01 B2 00 A8 0C "
    for reply, status in (("s 3B ", KEEPS), ("", CANNOT_SAY)):
        session = Session()
        checking = Checking()
        for record in session.run(written(BATTLE + ("m C0 01 01 s 1C m " + text + reply) * 3)):
            checking.take(record)
        assert checking.outcome(session)[0] == status


def test_a_stray_opcode_that_swallows_a_shot_accuses_nobody():
    words = "m C0 01 02 s 0C s C0 05 06 m B2 0C 83 C0 04 02 s 0C s C0 02 05 m 0C "
    assert violations(BATTLE + words + FIGHT) == []


def test_a_gap_behind_a_fault_explains_it():
    chunks = written(PLACING + "s A4 m 4A")
    for items in ([*chunks[:-1], Lost(chunks[-1].at, "torn")], [*chunks, Lost(chunks[-1].at, "torn")]):
        found = [r for r in Session().run(items) if r.verdict]
        assert [(r.op, r.verdict, r.maybe) for r in found if r.verdict != watch.FOLLOWS] == [(0xA4, watch.DOUBT, False)]


def test_a_damaged_byte_accuses_nobody():
    chunks = written(BATTLE + "m C0 09 01 s A8 m 8A")
    where = next(i for i, c in enumerate(chunks) if c.data == b"\x09")
    chunks[where] = Chunk(chunks[where].at, 0, b"\x09", b"\x01")
    found = [r for r in Session().run(chunks) if r.verdict]
    assert [(r.op, r.verdict, r.reason) for r in found] == [(0xC0, watch.DOUBT, watch.R_DAMAGED)]


@pytest.mark.parametrize(
    ("before", "shots", "found"),
    [
        ("s 2A ", 1, True),
        ("m B1 00 s 1B ", 1, True),
        # an accusation may be about what was tolerated just before
        ("", 0, False),
    ],
    ids=["doubled answers", "an empty nick", "at once"],
)
def test_an_a8_for_nothing_is_named_after_the_other_has_deviated(before: str, shots: int, found: bool):
    by = 0 if before.startswith("s") else 1
    words = PLACING + before + "m A3 s 3A s A4 m 4A " + FIGHT * shots + ("m A3 A3 s 3A 3A " if not found else "")
    words += ("m A8 s 8A " if by == 0 else "s A8 m 8A ") + "m AA s 01 " * 3
    named = [r for r in judged(words)[0] if r.reason == watch.R_UNFOUNDED]
    assert [r.side for r in named] == [by] * found


@pytest.mark.parametrize(
    "words",
    [
        (BATTLE + "m C0 04 04 s 0C m AA s 01 m A1 s A8 m 8A m AA s 01 ") * 4,
        BATTLE
        + "m C0 05 05 s 0C s C0 02 02 m 1C s C0 02 03 m 2C s C0 04 02 m 2C s C0 04 04 m 2C "
        + "+9 m AA s 01 " * 8
        + "m A5 s A9 m 9A s 5A m B2 06 00 00 00 01 ",
        (BATTLE + "m C0 04 04 s 0C s C0 05 05 s A0 m 0C m C0 03 03 m 0A ") * 4,
    ],
    ids=["a master that is reset", "a restart that crosses a late A9", "a shot that crosses A0"],
)
def test_what_crosses_or_begins_anew_is_nobodys_fault(words: str):
    assert violations(words) == []


def test_an_a8_against_what_comes_in_place_of_a_reply_is_founded_whatever_was_borne_before():
    words = (
        PLACING + "m B1 00 s 1B m B1 01 41 s 1B m A3 s 3A m B1 01 41 s 1B m B1 01 42 s 1B s A4 m C0 01 01 s A8 m 8A "
    )
    assert not [r for r in judged(words * 3)[0] if r.reason == watch.R_UNFOUNDED]
