"""Captures as records: content, sender, time, and what is wrong, in words."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from rich.console import Console
from rich.text import Text

from seabattle import watch, wire
from seabattle_host.language import words
from seabattle_host.sniff import games, rendering
from seabattle_host.sniff.capture import Chunk, Header, Lost
from seabattle_host.sniff.checking import Checking
from seabattle_host.sniff.record import LOST, Record
from seabattle_host.sniff.report import report
from seabattle_host.sniff.scrollback import Scrollback
from seabattle_host.sniff.session import Session
from tests.captures import (
    BATTLE,
    BEGAN,
    BYTE_US,
    MET,
    OVER,
    PLACING,
    TICK,
    VIOLATIONS,
    Case,
    played,
    written,
)

pytestmark = pytest.mark.usefixtures("english")


def records(chunks: list[Chunk]) -> list[Record]:
    return list(Session().run(chunks))


def wrong(found: list[Record], verdict: int = watch.VIOLATION) -> list[tuple[int, int, int]]:
    """Return the findings with this verdict; a fault of a side, unless it is the line's, counts as a violation."""
    verdicts = ((watch.VIOLATION, False), (watch.DOUBT, True)) if verdict == watch.VIOLATION else ((verdict, False),)
    return [(r.side, r.op, r.reason) for r in found if (r.verdict, r.maybe) in verdicts]


@pytest.mark.parametrize("case", VIOLATIONS, ids=lambda case: case.name)
def test_each_kind_of_violation_is_recognised_and_explained(case: Case):
    found = records(written(case.words))
    assert wrong(found) == [(case.side, case.op, case.reason)]
    (record,) = [r for r in found if r.verdict == watch.VIOLATION or r.maybe]
    explained = rendering.fault_text(record)
    assert explained.startswith("in doubt: " if record.maybe else "VIOLATION: ")
    assert case.says in explained


@pytest.mark.parametrize(
    ("shot", "says"),
    [
        ("03 00", r"shoots \(3,0\).*something was lost here: .*it counts from 0, not from 1; but both go on"),
        ("07 01", r"columns and rows are 1\.\.6; but both go on"),
    ],
)
def test_what_is_odd_is_explained_also_where_it_is_taken_for_a_loss(shot: str, says: str):
    found = records(written(BATTLE + f"m C0 {shot} s 0C s C0 01 01 m 0C m C0 02 02 s 0C"))
    (record,) = [r for r in found if r.verdict == watch.DOUBT]
    assert re.search(says, rendering.line(record, BEGAN, BEGAN))


def shifted(by: int) -> list[Record]:
    """Return a game in which the master's columns are sent with this added."""
    game = played(2)
    ours = [i for i, item in enumerate(game) if item.side == 0]
    for before, column in pairwise(ours):
        if game[before].data == b"\xc0":
            game[column] = replace(game[column], data=bytes((game[column].data[0] + by,)))
    return records(game)


def test_a_program_that_counts_from_zero_is_named_though_the_other_side_answers_it_and_zeros_are_rare():
    assert (0, wire.SHOT, watch.R_FROM_ZERO) in wrong(shifted(-1))


@pytest.mark.parametrize(("by", "others", "told"), [(0, 0, False), (0x30, 0, True), (0x30, 200, False)])
def test_many_shots_off_the_field_are_summed_up_also_where_they_follow_from_the_first(by: int, others: int, told: bool):
    found = shifted(by)
    checking = Checking()
    for record in found:
        checking.take(record)
    shots = sum(record.op == wire.SHOT and record.side == 0 for record in found)
    # others: how many times as many shots of other games there are
    checking.count([others * shots if op == wire.SHOT else 0 for op in range(512)], 0, 0)
    lines = checking.unread.lines(BEGAN, True)
    assert [f"counted from 0 or sent as letters: {shots}, the first" in line for line in lines][-1] is told


@pytest.mark.parametrize("last", ["m C0 0B 01", "m A8", "m A9 s 9A", "s C0 01 01 m 0C", "m A2 s 2A"])
def test_what_is_open_is_decided_also_on_an_idle_line_without_times(last: str):
    session = Session()
    found = []
    for chunk in written(BATTLE + last + " m AA s 01" * 70):
        found += session.feed(replace(chunk, at=0))
    assert found[-1].op == wire.SYNCED
    assert [r.verdict for r in found if r.verdict not in (watch.OK, watch.FOLLOWS)]


def test_the_violations_cover_every_reason_of_the_protocol():
    # findings that only players make, or that would need a capture of a whole game each
    players = {value for name, value in vars(wire).items() if name.startswith("R_")}
    false_answers = {r for r in players if wire.R_NEAR_SUNK <= r < wire.REASONS}
    assert players - false_answers <= {case.reason for case in VIOLATIONS}


def test_a_line_has_time_gap_direction_bytes_and_meaning():
    found = records(written(BATTLE + "m C0 02 06 s 1C"))
    shot, hit = found[-2:]
    lines = [rendering.line(record, BEGAN, BEGAN) for record in (shot, hit)]
    assert "A> C0 02 06" in lines[0] and "master shoots B6" in lines[0]
    assert "B> 1C" in lines[1] and "slave: hit" in lines[1]
    words.use("ru")
    assert "ведущий стреляет Б6" in rendering.line(shot, BEGAN, BEGAN)


def test_reply_times_run_from_the_end_of_the_command_to_the_begin_of_the_reply():
    last = records(written(MET + "m B2 06 00 00 01 02 +2 s 2B 06 00 00 01 02"))[-1]
    assert (last.answers, last.reply, last.end - last.at) == (wire.PARAMS, 2 * TICK + BYTE_US, 5 * BYTE_US)


def test_noise_of_one_burst_is_one_record():
    found = records(written(MET + "m 70 71 72 +5 m 73 s 74"))
    assert [(r.kind, r.raw) for r in found[4:]] == [(watch.STRAY, raw) for raw in (b"\x70\x71\x72", b"\x73", b"\x74")]


def test_after_a_gap_and_at_the_end_of_a_capture_nothing_is_held_against_anybody():
    found = records(written(BATTLE + "m C0 01"))
    assert wrong(found) == []
    assert (found[-1].kind, found[-1].raw) == (watch.CUT, b"\xc0\x01")
    assert wrong(records(written(BATTLE + "m C0 01 01"))) == []
    items = [*written(BATTLE), Lost(BEGAN + 10**6, "somewhere"), *written("+40 s C0 01 01 m 0C")]
    found = list(Session().run(items))
    assert wrong(found) == []
    (gap,) = [r for r in found if r.kind == LOST]
    assert "somewhere" in rendering.line(gap, BEGAN, BEGAN)


def test_the_state_below_the_lines_shows_fields_turn_and_counters():
    session = Session()
    text = BATTLE + "m C0 01 01 s 1C m C0 03 03 s 0C s C0 02 02 m 0C s C0 01 01"
    list(session.run(written(text)))
    lines = "\n".join(rendering.state_lines(session))
    assert "A master: 4 battle" in lines
    assert "field of master" in lines and "field of slave, 1 hit" in lines
    row = next(line for line in lines.splitlines() if line.startswith(" 1 "))
    assert "x" in row[len(row) // 2 :] and "x" not in row[: len(row) // 2]
    assert "violations 0, doubts 1" in lines
    # frames come before fields where there is no room for both
    assert rendering.state_lines(session, 80, 24) == lines.splitlines()
    for width, height in ((40, 24), (80, 12)):
        small = "\n".join(rendering.state_lines(session, width, height))
        assert "A master: 4 battle" in small and "violations 0" in small and "field of" not in small


def test_of_very_many_games_the_report_lists_the_last(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(games, "_GAMES_MOST", 2)
    session = Session()
    again = " ".join(f"m A5 s 5A m A2 s 2A m A3 s 3A s A4 m 4A m C0 0{i} 01 s 0C s A6 m 6A" for i in range(1, 5))
    list(session.run(written(PLACING + "m A6 s 6A " + again)))
    lines = report(session, Header(), ["x"], BEGAN)
    assert [line.split(":")[0] for line in lines if line.startswith("game ")] == ["game 4", "game 5"]
    assert "earlier games, too many to list: 3" in lines


def test_of_many_games_the_report_lists_the_last_twenty_and_the_moves_of_five():
    session = Session()
    game = "m A5 s 5A m A2 s 2A m A3 s 3A s A4 m 4A m C0 01 01 s 0C s A6 m 6A "
    list(session.run(written(PLACING + "m A6 s 6A " + game * 30)))
    lines = report(session, Header(), ["x"], BEGAN)
    assert "earlier games, too many to list: 11" in lines
    assert sum(line.startswith("game ") for line in lines) == 20
    assert sum(line.startswith("  master: ") for line in lines) == 5


def test_the_report_tells_who_what_and_how_it_ended():
    session = Session()
    chunks = written(MET + "m B1 02 41 42 s 1B " + BATTLE[len(MET) :] + OVER[len(BATTLE) :] + "m A7 s 7A")
    list(session.run(chunks))
    lines = report(session, Header(("one", "two"), "9600 8E2"), ["x.json"], chunks[0].at)
    text = "\n".join(lines)
    assert "A one: master, nick AB" in text
    assert "game 1: 6x6, fleet 0,0,1,2, shots 4:0, hits 4:0, won by master" in text
    assert "  master: B2 hit, B3 sunk, D2 sunk, D4 sunk" in lines
    assert "0 deviations, 0 violations" in text
    assert any(" replies, mean " in line and "late 0" in line for line in lines)


@pytest.mark.parametrize(
    ("tail", "told"),
    [
        ("m A6 s 6A", "surrender"),
        ("m A5 s 5A", "restart"),
        ("s A7 m 7A", "goodbye"),
        ("s A0", "timeout"),
        ("m C0 01 01 s 3C m A8", "accusation"),
        ("", ""),
    ],
)
def test_every_ending_of_a_game_is_told(tail: str, told: str):
    session = Session()
    list(session.run(written(BATTLE + tail)))
    assert session.sums.games[-1].how == told
    assert report(session, Header(), ["x"], BEGAN)


def test_a_paused_view_on_a_narrow_terminal_shows_the_ends_of_long_lines_and_how_it_goes_on():
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=40, height=5)

    def shown(key: str) -> str:
        out.seek(out.truncate(0))
        browser.move(key)
        return out.getvalue()

    browser = Scrollback(console, [Text(f"{n:60} end of {n}") for n in range(9)])
    assert "end of 8" not in shown("end") + shown("right")
    assert "end of 8" in shown("right") and "end of 8" not in shown("left")
    assert "paused (space) 5-8/9, +0" in shown("up")
    console.width = 100
    assert "paused, space goes on; 4-7 of 9" in shown("up")
    browser.close()


def test_a_side_whose_role_is_not_known_is_named_by_its_letter():
    assert [rendering.the_side(1, role) for role in (wire.SLAVE, wire.NOBODY)] == ["the slave", "side B"]
