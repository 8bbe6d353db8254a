"""Nobody is accused of what the line or the tap did, and each bug of a player is named first and correctly.

A sample; `python -m tests.faults.judging` and `python -m tests.faults.bugs` are the whole, and docs/proof.md has the
figures.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from seabattle import watch, wire
from seabattle_host.simulation.engine import Simulation
from seabattle_host.sniff import rendering
from seabattle_host.sniff.capture import Chunk, Lost
from seabattle_host.sniff.checking import CANNOT_SAY, KEEPS, Checking
from seabattle_host.sniff.counting_session import CountingSession
from seabattle_host.sniff.record import Record
from seabattle_host.sniff.session import Session
from tests.captures import AGREED, BATTLE, MASTER_READY, MET, PLACING, SYNCED, WON, written
from tests.faults import bugs, judging
from tests.faults.harms import CLOCK, DOUBLE, LOSS, MARKED, SWAP, TWICE
from tests.faults.study import HARMS, Noisy, Person, person
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


def test_an_answer_to_a_sync_that_comes_from_nowhere_now_and_then_excuses_no_bug():
    sound = bugs.Bug("", bugs.S, lambda f, n: f, frozenset())
    wrong = bugs.Bug("", bugs.S, bugs.fields(0x2B, lambda d: bytes(5)), frozenset())
    session = Session()
    began = 0
    accused: set[tuple[int, int]] = set()
    for seed, bug in enumerate([sound] * 8 + [wrong] * 4):
        for chunks, end in bugs.sessions(bug, (seed,)):
            if seed in (0, 6):
                last = max(i for i, c in enumerate(chunks) if c.side == bugs.S and c.data[0] == wire.MISS)
                chunks.insert(last + 1, replace(chunks[last], data=bytes((wire.SYNCED,))))
            found = [r for chunk in chunks for r in session.feed(replace(chunk, at=began + chunk.at))]
            found += session.advance(began + end)
            accused |= {(r.side, r.reason) for r in found if r.verdict == watch.VIOLATION}
            began += end
    assert accused == {(bugs.S, wire.R_ECHO)}


def test_a_bug_is_named_after_hours_on_a_bad_line_once_it_outnumbers_the_last_signs_of_it():
    honest, wrong = (
        next(bugs.sessions(replace(bugs.BUGS[0], side=bugs.M, change=change), (1,)))
        for change in (lambda f, n: f, bugs.instead(0xA2, "A3 .."))
    )
    session = Session()
    began = 0
    found = []
    for chunks, end in [honest] * 40 + [wrong] * 34:
        for n, chunk in enumerate(chunks):
            found += session.feed(replace(chunk, at=began + chunk.at))
            if chunks is honest[0] and n % 30 == 29:
                found += session.feed(Chunk(began + chunk.at, chunk.side, b"\x07"))
        began += end
        found += session.advance(began)
    assert sum(r.kind == watch.STRAY for r in found) > 60
    assert {(r.side, r.reason) for r in found if r.verdict == watch.VIOLATION} == {(bugs.M, wire.R_STATE)}


PARTS = {
    "MET": MET,
    "AGREED": AGREED,
    "PLACING": PLACING,
    "MASTER_ASKS": PLACING + "m A3 ",
    "WON": WON,
    "SYNCED": SYNCED,
    "TOGETHER": "m AA +4 s AA +5 " * 8,
    "UNHEARD": "m AA +9 " * 6,
    "MASTER_READY": MASTER_READY,
    "BATTLE": BATTLE,
    "OFFER": MET + "m B2 0A 01 02 03 04 s 2B ",
    "FIGHT": "".join(f"m C0 {x} {x} s 0C s C0 {x} {x} m 0C " for x in ("01", "02", "03")),
    "CALM": "".join(f"m C0 01 {y} s 0C s C0 02 {y} m 0C " for y in ("01", "02", "03", "04")),
    "OFF_AND_ANEW": "m C0 0B 01 s A8 m 8A " + BATTLE,
    "ANSWERED": "s C0 02 02 m 0C m C0 03 03 s 0C s C0 04 04 m 0C",
    "SYNCS": "+9 m AA s 01 " * 8,
    "ROW": "".join(f"m C0 {x} 05 s 0C s C0 {x} 05 m 0C " for x in ("01", "02", "03", "04")),
}
"""Parts of sessions."""

# What is found in each session, without what follows from it; nothing twice. `!` accuses a player, `?` suspects one,
# `/` tells that something was lost, `~` is a deviation, `.` noise. `3 x` plays what is behind it so often.
SESSIONS = """
an early A4 that both go on from is one violation
  PLACING s A4 m 4A m A3 s 3A m C0 01 01 s 0C ANSWERED m A7 s 7A -> s A4 STATE!
a part that was lost or came twice accuses nobody
  PLACING FIGHT -> m C0 STATE/
  PLACING s A4 m 4A FIGHT -> s A4 STATE/
  MET m A2 s 2A m A3 s 3A s A4 m 4A FIGHT -> m A2 NO_PARAMS/
  BATTLE s C0 04 04 m 0C FIGHT -> s C0 TURN/
  BATTLE FIGHT m A9 s 9A m A2 s 2A -> m A9 NOT_WON/
  BATTLE FIGHT m A3 s 3A s A4 m 4A FIGHT -> m A3 STATE/, m C0 SHOT_AGAIN~, s C0 SHOT_AGAIN~
what both go on from was lost on the way
  BATTLE m C0 01 01 m C0 02 02 s 0C s C0 01 01 m 0C -> m C0 SECOND/
  BATTLE m C0 01 01 s C0 02 02 m 0C m C0 03 03 s 0C -> s C0 TURN/
  BATTLE m C0 01 01 s 1C s C0 02 02 m 0C m C0 03 03 s 0C -> s C0 TURN/
  AGREED m A2 m A3 s 3A s A4 m 4A -> m A3 SECOND/
  MASTER_READY m 4A m C0 01 01 s 0C -> m 4A UNMATCHED/
nobody is suspected who answers an early command behind a text
  AGREED m A2 m A3 s 2A m B3 01 20 s 3A s 3B -> m A3 SECOND/
what nobody goes on from stays a violation
  PLACING m C0 01 01 s A8 -> m C0 STATE!
  PLACING m C0 01 01 SYNCS -> m C0 STATE!
an echo without the parameters is the slave's fault
  OFFER m A2 s 2A -> m A2 SECOND~, s 2B BARE_ECHO!
  OFFER +1 m A2 s 2A -> m A2 SECOND~, s 2B BARE_ECHO!
with time for them they may have been lost, but not twice
  OFFER m AA AA AA AA AA A2 s 2A m A7 s 7A -> m A2 SECOND~, s 2B BARE_ECHO?
  2 x OFFER m AA AA AA AA AA A2 s 2A m A7 s 7A -> m A2 SECOND~, s 2B BARE_ECHO?, s 2B BARE_ECHO!
  OFFER +9 m AA s 01 +99 m A0 s 0A -> s 2B BARE_ECHO?, m AA NO_SYNC~, m AA SILENT?
  2 x OFFER +9 m AA s 01 +99 m A0 s 0A -> s 2B BARE_ECHO?, m AA NO_SYNC~, m AA SILENT?, s 2B BARE_ECHO!
a wrong echo is its sender's fault only where no noise makes it
  OFFER 0B 00 02 03 04 m A8 s 8A -> s 2B ECHO?
  OFFER 0A 01 03 02 04 m A8 s 8A -> s 2B ECHO?
  OFFER 0A 01 02 04 03 m A8 s 8A -> s 2B ECHO?
  OFFER 00 00 00 00 00 m A8 s 8A -> s 2B ECHO!
  OFFER 09 09 09 09 09 m A8 s 8A -> s 2B ECHO!
what a bad line does now and then is held against a side that usually does it properly only when it comes often
  3 x BATTLE CALM m C0 05 05 s C0 05 06 m A8 s 8A -> s C0 TURN?
  4 x BATTLE CALM m C0 05 05 s C0 05 06 m A8 s 8A -> s C0 TURN?, s C0 TURN!
  3 x MET m B2 06 00 40 01 02 s A8 m 8A AGREED m A7 s 7A -> m B2 PARAMS?
  3 x MET m B2 06 00 40 01 02 s A8 m 8A -> m B2 PARAMS?, m B2 PARAMS!
an answer that the line changed into another command accuses nobody
  BATTLE FIGHT m C0 04 04 s A6 m 6A A5 s C0 04 02 5A m A8 s 8A -> s C0 STATE?
  BATTLE FIGHT m C0 04 04 A5 s 0C 5A s C0 04 04 m 0C C0 05 05 s A8 m 8A -> m A5 STATE~, s 0C DOUBLED~, s C0 STATE/
  MET m B2 06 01 01 00 03 s C0 06 01 m A8 s 8A -> s C0 STATE?
  BATTLE m C0 01 01 s A8 C0 05 05 m 0C s C0 06 06 m 0C -> s A8 UNFOUNDED?
a shot that the line moved is disputed, which accuses nobody however often
  4 x BATTLE m C0 05 05 s 0C s C0 04 04 m 0C m C0 05 05 s 3C m A8 s 8A -> m C0 SHOT_AGAIN~, m A8 UNFOUNDED?
noise next to it explains it, whatever it says
  OFFER 0B 00 02 03 04 s 77 m A8 s 8A -> s 2B ECHO/, s 77 NOISE.
  OFFER 00 00 00 00 00 s 77 m A8 s 8A -> s 2B ECHO/, s 77 NOISE.
  OFFER 09 09 09 09 09 s 77 m A8 s 8A -> s 2B ECHO/, s 77 NOISE.
parameters and placing at once are a doubt until they come often
  MET m B2 06 00 00 01 02 m A2 s 2B 06 00 00 01 02 s 2A m A7 s 7A -> m A2 NO_PARAMS/
  5 x MET m B2 06 00 00 01 02 m A2 s 2B 06 00 00 01 02 s 2A m A7 s 7A -> m A2 NO_PARAMS/, m A2 NO_PARAMS!
placing and ready at once too
  3 x AGREED m A2 m A3 s 2A s 3A s A4 m 4A m A7 s 7A -> m A3 SECOND/
  5 x AGREED m A2 m A3 s 2A s 3A s A4 m 4A m A7 s 7A -> m A3 SECOND/, m A3 SECOND!, s 3A ACCEPTED~
a goodbye without an answer and a new search is no violation
  BATTLE m A7 m AA s 01 m A1 s 1A m B1 01 41 s 1B ->
  BATTLE m A7 +73 m AA s 01 m A1 s 1A m B1 01 41 s 1B -> s A7 NO_REPLY~
a reply that is missing again is a violation, unless nothing at all has come since the command
  4 x BATTLE m C0 01 01 +62 s 0C s C0 02 02 m 0C m A7 s 7A -> m AA NO_SYNC~, s C0 NO_REPLY~, m AA SILENT?, s 0C LATE~
  4 x BATTLE m C0 01 01 +140 m A0 s 0A -> m AA NO_SYNC~, s C0 NO_REPLY?, m AA SILENT?
  4 x BATTLE m C0 01 01 +9 SYNCS SYNCS s 0C m A7 s 7A -> m AA NO_SYNC~, s C0 NO_REPLY?, s 0C LATE~, s C0 NO_REPLY!
a part of the file that stands too early accuses nobody
  MET m B1 01 41 s 1B m A5 s 5A m A2 s 2A m B2 06 00 00 01 02 s 2B 06 00 00 01 02 m A2 s 2A m A3 s 3A s A4 m 4A FIGHT \
    -> m A5 STATE/
an A8 for nothing is named whether it is answered or not
  BATTLE m C0 01 01 s 0C s A8 m 8A ANSWERED -> s A8 UNFOUNDED!
  BATTLE m C0 01 01 s 0C s A8 ANSWERED -> s A8 UNFOUNDED!
a sync that the tap took for an A8 accuses nobody
  BATTLE m C0 01 01 s 1C m A8 s 01 m C0 03 03 s 0C -> m A8 UNFOUNDED/, s 01 UNMATCHED~
what one changed byte would explain is a violation when it comes again, on a bad line later
  BATTLE OFF_AND_ANEW -> m C0 CELL?
  BATTLE 2 x OFF_AND_ANEW -> m C0 CELL?, m C0 CELL!
  BATTLE OFF_AND_ANEW +1 m 77 OFF_AND_ANEW -> m C0 CELL?, m 77 NOISE.
  BATTLE OFF_AND_ANEW +1 m 77 OFF_AND_ANEW +1 m 78 4 x OFF_AND_ANEW -> m C0 CELL?, m 77 NOISE., m 78 NOISE., m C0 CELL!
after a loss the session is judged again once it has shown where it is
  BATTLE m 77 CALM s C0 05 05 m A8 -> m 77 NOISE., s C0 TURN?
  BATTLE m 77 s C0 05 05 m A8 -> m 77 NOISE.
a reply is doubled only if it is the same
  BATTLE m C0 01 01 s 0C s 0C -> s 0C DOUBLED~
  BATTLE m C0 01 01 s 0C s 1C -> s 1C UNMATCHED~
a stray opcode that swallows a shot accuses nobody
  BATTLE m C0 01 02 s 0C s C0 05 06 m B2 0C 83 C0 04 02 s 0C s C0 02 05 m 0C FIGHT -> m B2 STATE?, s 0C DOUBLED~
an A8 for nothing is named after the other has deviated, unless it may be about that
  PLACING s 2A m A3 s 3A s A4 m 4A FIGHT m A8 s 8A 3 x m AA s 01 -> s 2A DOUBLED~, m A8 UNFOUNDED?
  PLACING m B1 00 s 1B m A3 s 3A s A4 m 4A FIGHT s A8 m 8A 3 x m AA s 01 -> m B1 NICK_LENGTH~, s A8 UNFOUNDED?
  PLACING m A3 s 3A s A4 m 4A m A3 A3 s 3A 3A s A8 m 8A 3 x m AA s 01 -> m A3 REPEATED~
what crosses or begins anew is nobody's fault: a master that is reset, a late A9, A0
  4 x BATTLE m C0 04 04 s 0C m AA s 01 m A1 s A8 m 8A m AA s 01 -> m A1 STATE?
  BATTLE m C0 05 05 s 0C s C0 02 02 m 1C s C0 02 03 m 2C s C0 04 02 m 2C s C0 04 04 m 2C SYNCS \
    m A5 s A9 m 9A s 5A m B2 06 00 00 00 01 -> s A9 NO_WON~
  4 x BATTLE m C0 04 04 s 0C s C0 05 05 s A0 m 0C m C0 03 03 m 0A -> s A0 NO_TIMEOUT?
who gives up although nothing is late may have missed something; after a loss that is why
  BATTLE m C0 01 01 s 0C +9 m AA s 01 s A0 m 0A -> s A0 NO_TIMEOUT?
  BATTLE m C0 01 01 s 0C s C0 02 SYNCS s A0 m 0A -> s C0 CUT.
  BATTLE m C0 01 01 s 0C UNHEARD s A0 m 0A ->
a winner that goes on without A9 has not said so, whatever it sends
  WON m A0 s 0A -> m A9 NO_WON~
  WON SYNCED m A7 s 7A -> m A9 NO_WON~
  WON m A5 s 5A -> m A9 NO_WON~
  WON s A7 m 7A ->
who answers only after a command that builds on the answer is told, and who calls that an error is not
  4 x MASTER_ASKS s A4 3A m A8 s 8A -> s 3A BEHIND~
  MASTER_ASKS s A4 m A8 s 8A -> s A3 NO_REPLY?
a sync on the wire of a slave that had fallen silent may be of a device in its place, one without a pause is the slave's
  BATTLE FIGHT +9 m AA +9 AA +9 TOGETHER -> s AA SENDER?
  BATTLE FIGHT +9 m AA s 01 +4 s AA +5 TOGETHER -> s AA SENDER!
a stray byte before the slave's first shot takes its place, and accuses nobody
  BATTLE s C0 01 0C m C0 05 08 s 0C s C0 01 02 m 0C FIGHT -> s C0 TURN?
the reply to what a master says only later is in place of the one that it waits for
  MET m B2 06 00 00 01 02 s 2A SYNCS m A0 s 0A -> s 2A INSTEAD?
  MET m B2 06 00 00 01 02 s 2A m A3 s 3A s A4 m 4A FIGHT -> s 2A INSTEAD/
two masters owe each other no answer to A1
  9 x m AA s A1 +9 -> s A1 REPEATED~, m A1 TWO_MASTERS~, s A1 TWO_MASTERS~
an A8 against what comes in place of a reply is founded, whatever was borne before
  3 x PLACING m B1 00 s 1B m B1 01 41 s 1B m A3 s 3A m B1 01 41 s 1B m B1 01 42 s 1B s A4 m C0 01 01 s A8 m 8A \
    -> m B1 NICK_LENGTH~, m A4 NO_REPLY?, m A4 NO_REPLY!
other parameters in the middle leave open which both go by
  PLACING m B2 0A 01 02 03 04 s 2B 0A 01 02 03 04 m A3 s 3A A4 m 4A C0 08 08 s 0C C0 09 09 m 0C A7 s 7A -> m B2 STATE/
  PLACING m B2 0A 01 02 03 04 A3 s 2B 0A 01 02 03 04 3A A4 m 4A C0 08 08 s 0C C0 09 09 m 0C A7 s 7A \
    -> m B2 STATE/, s 2B UNMATCHED/
the same place off the field again is in doubt, answered or not
  BATTLE m C0 07 01 s 0C CALM m C0 07 02 s 0C -> m C0 CELL/, m C0 CELL?
  BATTLE m C0 07 01 s 0C CALM m C0 0C 02 s 0C -> m C0 CELL/
  BATTLE m C0 00 01 s 0C CALM m C0 03 00 s 0C -> m C0 FROM_ZERO/, m C0 FROM_ZERO?
noise makes a whole A8, too: near other noise it is in doubt
  BATTLE CALM ROW m C0 04 04 s 0C A8 C0 05 06 m 0C -> s A8 UNFOUNDED!
  BATTLE m 77 CALM ROW m C0 04 04 s 0C A8 C0 05 06 m 0C -> m 77 NOISE., s A8 UNFOUNDED?
who acts on an answer that came twice is misled by its sender
  BATTLE m C0 01 01 s 0C 0C m C0 01 02 s A8 m 8A -> s 0C DOUBLED~
  9 x BATTLE m C0 01 01 s 0C 0C m C0 01 02 s 0C 0C m C0 01 03 s A8 m 8A -> s 0C DOUBLED~
  MET m B2 06 00 00 00 02 s 2B 06 00 00 00 02 m A2 s 2A m A3 s 3A s A4 m 4A C0 01 01 s 2C 2C m A9 s A8 m 8A \
    -> s 2C DOUBLED~
  BATTLE m C0 01 01 s 1C m C0 s 1C m 01 02 s 0C -> s 1C DOUBLED~
who goes by what was not heard is accused of nothing
  m AA A1 B2 06 00 00 01 02 A2 +9 m AA +9 m AA A3 +9 m AA 4A C0 01 01 +9 m AA -> m A3 SECOND?
a game that began unseen, after noise or in a text that noise made, may have a larger field
  BATTLE FIGHT m 77 A3 s 3A s A4 m 4A C0 07 01 s 0C s C0 07 01 m 0C CALM m C0 07 02 s 0C CALM m C0 07 03 s 0C \
    -> m 77 NOISE., m C0 SHOT_AGAIN~, s C0 SHOT_AGAIN~, m C0 TURN/
  PLACING m B3 02 01 AA A3 s 3A s A4 m 4A C0 07 01 s 0C CALM m C0 07 02 s 0C CALM m C0 07 03 s 0C CALM m C0 07 04 s 0C \
    -> m B3 NOT_PROBED~, m A3 SECOND~, m C0 CELL/, s C0 SHOT_AGAIN~, m C0 SHOT_AGAIN~
a master that does not compare the echo goes on with what the line made of its parameters
  MET m B2 0A 05 02 03 04 s 2B 0A 05 02 03 04 m A2 s 2A -> m B2 PARAMS?, s 2B ACCEPTED~
a side that has not met owes no reply
  m AA s 01 m B2 06 00 00 01 02 SYNCS ->
two pairs on the same wires accuse nobody
  BATTLE FIGHT m A1 s 1A CALM FIGHT m B2 06 00 00 00 03 s 2B 06 00 00 00 03 CALM FIGHT m A2 s 2A ROW \
    -> m A1 STATE/, s C0 SHOT_AGAIN~, m C0 SHOT_AGAIN~, m B2 STATE/, m A2 TWO_PAIRS?, m C0 TWO_PAIRS?
  BATTLE FIGHT m A3 s 3A ROW FIGHT m A1 s 1A ROW ROW m B2 06 00 00 00 03 s 2B 06 00 00 00 03 ROW \
    -> m A3 STATE/, m C0 SHOT_AGAIN~, s C0 SHOT_AGAIN~, m A1 STATE/, m C0 TWO_PAIRS?, m B2 TWO_PAIRS?
"""
SIGNS = {watch.VIOLATION: "!", watch.DOUBT: "?", watch.DEVIATION: "~", watch.NOISE: "."}
REASONS = {number: name[2:] for each in (watch, wire) for name, number in vars(each).items() if name.startswith("R_")}


def chunks_of(words: str) -> list[Chunk]:
    """Return a session in words and PARTS, played as often as said."""
    found = re.fullmatch(r"(.*?)(\d) x (.*)", words)
    whole = found[1] + int(found[2]) * f"{found[3]} " if found else words
    return written(re.sub("[A-Z_]{3,}", lambda name: PARTS[name[0]], whole))


def judged(words: str) -> tuple[list[Record], Session]:
    """Return what is wrong in a session, without what follows from other findings."""
    session = Session()
    silent = (watch.OK, watch.FOLLOWS)
    return [r for r in session.run(chunks_of(words)) if r.verdict not in silent], session


def sessions() -> list[Any]:
    cases, title = [], ""
    for line in SESSIONS.strip().splitlines():
        if not line.startswith(" "):
            title = line
            continue
        words, _, found = line.strip().partition("->")
        cases.append(pytest.param(words, found.strip(), id=f"{title}: {words}"))
    return cases


@pytest.mark.parametrize(("words", "told"), sessions())
def test_what_is_found_in_a_session(words: str, told: str):
    found, _session = judged(words)
    lost = [r for r in found if r.verdict == watch.DOUBT and not r.maybe]
    signs = ["/" if r in lost else SIGNS[r.verdict] for r in found]
    named = [f"{'ms'[r.side]} {r.op:02X} {REASONS[r.reason]}{sign}" for r, sign in zip(found, signs, strict=True)]
    assert ", ".join(dict.fromkeys(named)) == told
    assert all("something was lost here" in rendering.fault_text(r) for r in lost)


def test_what_follows_from_an_early_a4_is_counted_with_it():
    _found, session = judged("PLACING s A4 m 4A m A3 s 3A m C0 01 01 s 0C ANSWERED m A7 s 7A")
    (finding,) = session.sums.following
    assert session.sums.following[finding] >= 2


def test_where_something_was_lost_is_said():
    session = Session()
    records = list(session.run(chunks_of("BATTLE FIGHT m A3 s 3A s A4 m 4A FIGHT")))
    (lost,) = [r for r in records if r.verdict == watch.DOUBT]
    (status, line), _checking = judging.checked(records, session)
    assert status == CANNOT_SAY and f"something was lost at record {lost.number}" in line


def test_two_pairs_on_the_same_wires_are_named():
    session = Session()
    second = ("m A1 s 1A ", "m B2 06 00 00 00 03 s 2B 06 00 00 00 03 ", "m A2 s 2A ", "m A3 s 3A ", "s A4 m 4A ")
    records = session.run(chunks_of("BATTLE " + "".join("CALM " + step for step in second)))
    (status, line), _checking = judging.checked(records, session)
    assert status == CANNOT_SAY and "two games at a time on the lines of" in line


def test_a_garbled_opcode_accuses_neither_the_shooter_nor_the_winner():
    opening = "MET m B2 06 00 00 00 02 s 2B 06 00 00 00 02 m A2 s 2A m A3 s 3A s A4 m 4A m C0 01 01 s 0C s C0 02 02 "
    found, session = judged(opening + "m 0C m 55 03 03 s 2C m C0 05 05 s 2C m A9 s 9A")
    assert {r.verdict for r in found} == {watch.NOISE}
    assert session.sums.games[0].how == "shots" and session.sums.games[0].winner == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("m C0 01 01 s 1C m C0 01 02 s 2C m C0 02 01 s 1C m A8 s 8A", "B1 contradicts the answer for A2: sunk"),
        ("m C0 00 03 s A8 m 8A", "it counts from 0"),
    ],
)
def test_a_fault_is_told_with_what_shows_it(words: str, told: str):
    (fault,), _session = judged("BATTLE " + words)
    assert told in rendering.fault_text(fault)


@pytest.mark.parametrize(
    ("columns", "is_accused"),
    [
        # as letters: all are off the field
        ([0x31, 0x34, 0x32, 0x36] * 9, True),
        # one too many, or the 10 of another notation: off the field at the same place
        ([7 if n % 10 == 3 else 1 for n in range(36)], True),
        ([0x10 if n % 10 == 3 else 1 for n in range(36)], True),
        # a line that changes one occasionally
        ([{3: 0x07, 13: 0x0B, 23: 0x47, 33: 0x12}.get(n, 1) for n in range(36)], False),
    ],
)
def test_shots_off_the_field_that_are_answered_are_held_against_a_player_who_does_it_again(
    columns: list[int], is_accused: bool
):
    cells = [(x, y) for x in range(1, 7) for y in range(1, 7)]
    turns = [f"s C0 {x:02X} {y:02X} m 0C m C0 {n:02X} {y:02X} s 0C " for (x, y), n in zip(cells, columns, strict=True)]
    found, _session = judged("BATTLE m C0 01 06 s 0C " + "".join(turns))
    accused = [(r.side, r.reason) for r in found if r.verdict == watch.VIOLATION]
    assert set(accused) == ({(0, wire.R_CELL)} if is_accused else set()) and len(accused) < 2


@pytest.mark.parametrize(
    ("echo", "verdict"),
    [("2A", watch.VIOLATION), ("2A m AA s 01", watch.VIOLATION), ("2A 01 02 03 04 2A", watch.DOUBT)],
)
def test_a_bare_echo_is_told_from_one_whose_first_parameter_became_the_next_reply(echo: str, verdict: int):
    found, _session = judged(f"AA s 01 m A1 s 1A m B2 0A 01 02 03 04 s 2B m A2 s {echo} m A3 s 3A")
    assert [r.verdict for r in found if r.reason == watch.R_BARE_ECHO] == [verdict]


def test_a_text_of_opcodes_is_no_noise_where_it_is_answered():
    text = "B3 08 AA A1 C0 01 B2 00 A8 0C "
    for reply, status in (("s 3B ", KEEPS), ("", CANNOT_SAY)):
        session = Session()
        words = "BATTLE " + ("m C0 01 01 s 1C m " + text + reply) * 3
        assert judging.checked(session.run(chunks_of(words)), session)[0][0] == status


class Again(Person):
    """Plays one game after another."""

    def _note(self, code: int) -> None:
        super()._note(code)
        self.result = None


BAD = {"lost": (0, 6), "doubled": (), "flipped": (6,)}
"""Minutes on a bad line in which a fault that came a second time once accused a player."""


@pytest.mark.parametrize(("harm", "seed"), [(h, seed) for h in BAD for seed in proof(BAD[h], tuple(range(40)))])
def test_a_line_that_is_bad_all_along_accuses_nobody(harm: str, seed: int):
    rng = random.Random(f"bad line {harm} {seed}")
    ear = judging.Ear()
    ear.judge = judging.Judge()
    lines = Noisy(rng, 0.003, HARMS[harm]), Noisy(rng, 0.003, HARMS[harm])
    ear.simulation = Simulation((person(wire.MASTER, rng, Again), person(wire.SLAVE, rng, Again)), lines, listener=ear)
    ear.simulation.run(60 * 10**6, lambda: False)
    assert not [finding for finding in ear.judge.finish() if finding.verdict == watch.VIOLATION]


NOISE = "+9 m F0 " * 4 + "+9 "


def fly(shot: str = "x y", answer: str = "0C", extra: str = "") -> str:
    """Return a battle of misses; x and y stand for the cell in the master's shot and the answer to it."""
    words = ""
    for n in range(1, 5):
        turn = f"m C0 {shot} s {answer} {extra} s C0 y x m 0C "
        words += turn.replace("x", f"{n:02X}").replace("y", f"{n % 3 + 1:02X}")
    return "BATTLE " + words


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (NOISE + "BATTLE FIGHT", KEEPS, "there was noise before it began (4 bytes)"),
        (NOISE.replace("m", "s") + "BATTLE FIGHT", KEEPS, "there was noise before it began (4 bytes)"),
        ("BATTLE m A7 s 7A " + NOISE + "BATTLE FIGHT", KEEPS, "apart from noise: 4 bytes of "),
        ("BATTLE FIGHT m F0 " + SYNCED + "FIGHT", KEEPS, "apart from noise: 1 byte of "),
        ("BATTLE FIGHT " + NOISE + "m AA s 01 FIGHT", CANNOT_SAY, "is only noise"),
        (NOISE + "m A3 s 3A s A4 m 4A FIGHT " + SYNCED * 20, CANNOT_SAY, "is only noise"),
        ("BATTLE FIGHT " + SYNCED + "+9 m AA +1 s 05 +9 m AA s 01 FIGHT", KEEPS, "apart from noise: 1 byte of "),
        # what was lost ended the game, and nothing else shows it
        ("BATTLE FIGHT m C0 05 SYNCS m A7 s 7A " + MET, CANNOT_SAY, "something was lost at record "),
        ("BATTLE FIGHT m C0 05 SYNCS", CANNOT_SAY, "something was lost at record "),
        ("BATTLE FIGHT m F0 SYNCS s A6 m 6A", CANNOT_SAY, "something was lost at record "),
        (
            "BATTLE FIGHT m C0 05 SYNCS m C0 05 01 s 0C m A7 s 7A",
            KEEPS,
            "apart from frames that are not whole: 2 bytes of ",
        ),
        ("BATTLE FIGHT m C0 05", KEEPS, "apart from frames that are not whole: 2 bytes of "),
        ("BATTLE FIGHT m F0 +9 m AA s 01 C0 05", KEEPS, "apart from noise: 3 bytes of "),
        # the same at the same place each time is not the line's doing
        (fly("x y 00"), CANNOT_SAY, "after 4 of 4 frames C0 of master comes "),
        (fly(answer="0C m 00"), CANNOT_SAY, "after 4 of 4 frames C0 of master comes "),
        (fly(answer="0C 0B"), CANNOT_SAY, "after 4 of 4 frames 0C of slave comes "),
        (fly("x +5"), CANNOT_SAY, "4 of 4 frames C0 of master are too short (C0 01)"),
        (fly() + "m C0 05 05 77 s 0C s 77", KEEPS, "apart from noise: 2 bytes"),
        ("9 x m AA s 10 +9", CANNOT_SAY, "answers 9 of 9 frames AA of master with what is no frame (10)"),
        ("9 x m AA s FF +9", CANNOT_SAY, "nothing was heard from side B"),
        ("s 00 9 x m AA s 10 +9", CANNOT_SAY, "answers 9 of 9 frames AA of master with what is no frame (10)"),
        # only both have given up
        ("9 x m AA s 02 +9 m A0 s 0A +9", CANNOT_SAY, "with what is no frame"),
        ("9 x m AA +9 m A0 s 0A +9", CANNOT_SAY, "no command was answered"),
        # nobody shoots: a player thinks, or both wait
        (
            "BATTLE m C0 04 02 s 1C " + SYNCED * 125 + "m A7 s 7A",
            KEEPS,
            "may have taken 'hit' at D2 for another answer",
        ),
        ("BATTLE m C0 04 02 s 0C " + SYNCED * 125, KEEPS, "for 62 s, and it is the turn of the slave, which may have"),
        ("BATTLE " + SYNCED * 125 + "m A6 s 6A", KEEPS, "no shot has come for 62 s, and it is the turn of the master"),
        ("BATTLE m C0 04 02 s 0C " + SYNCED * 125 + "s C0 01 01 m 0C m A7 s 7A", KEEPS, "keeps the protocol"),
    ],
)
def test_what_is_told_in_the_verdict(words: str, status: int, told: str):
    unread = []
    for session in (Session(), CountingSession()):
        items = [(c.at, c.side, c.data, ()) for c in chunks_of(words)]
        checking = Checking()
        for record in session.run(items):
            checking.take(record)
        if isinstance(session, CountingSession):
            checking.count(session.unrecorded, session.letters, session.unsure)
        found, line = checking.outcome(session)
        assert found == status and told in line
        unread.append(checking.unread.as_json())
    assert unread[0] == unread[1]


def test_a_side_that_sends_noise_is_not_silent():
    found, _session = judged("BATTLE FIGHT " + "+9 m AA s F0 " * 10 + "m AA s 01 m C0 05 05 s 0C")
    assert {REASONS[r.reason] for r in found} == {"NOISE"}


def test_a_gap_behind_a_fault_explains_it():
    chunks = chunks_of("PLACING s A4 m 4A")
    for items in ([*chunks[:-1], Lost(chunks[-1].at, "torn")], [*chunks, Lost(chunks[-1].at, "torn")]):
        found = [r for r in Session().run(items) if r.verdict]
        assert [(r.op, r.verdict, r.maybe) for r in found if r.verdict != watch.FOLLOWS] == [(0xA4, watch.DOUBT, False)]


def test_a_damaged_byte_accuses_nobody():
    chunks = chunks_of("BATTLE m C0 09 01 s A8 m 8A")
    where = next(i for i, c in enumerate(chunks) if c.data == b"\x09")
    chunks[where] = Chunk(chunks[where].at, 0, b"\x09", b"\x01")
    found = [r for r in Session().run(chunks) if r.verdict]
    assert [(r.op, r.verdict, r.reason) for r in found] == [(0xC0, watch.DOUBT, watch.R_DAMAGED)]
