"""What the jury and a proof make of a game that is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle import fair, jury, wire
from seabattle import link as links
from seabattle_host.games.history import outcome, statistics
from seabattle_host.jury.verdict import Finding, Verdict
from seabattle_host.language import words
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.runner import Event
from seabattle_host.records.archive import LOST, NO_RESULT, WON, Archive
from seabattle_host.tui.match import Match

MINE = [[(1, 1), (1, 2)], [(4, 4)], [(6, 1)]]
DECKS = bytes(int(cell in (8, 14, 35, 5)) for cell in range(36))
GUILTY, CLEAN = Finding(jury.FALSE_ANSWER, 2, 3, 0, 1, 0, 1), Finding()


def event(code: int, **how: object) -> Event:
    return Event(code, role=wire.MASTER, **how)  # type: ignore[arg-type]


def fought(archive: Archive) -> Match:
    match = Match(archive, "Anna")
    match.take(event(links.EV_NICK, text="BOARD"))
    match.agree(Parameters(6, 0, 0, 1, 2))
    match.place(MINE)  # type: ignore[arg-type]
    match.take(event(links.EV_BATTLE))
    match.take(event(links.EV_ANSWER, x=2, y=3, answer=wire.MISS))
    return match


@pytest.mark.parametrize("result", [links.WE_WON, links.WE_LOST])
@pytest.mark.parametrize(
    ("findings", "turned"),
    [((CLEAN, CLEAN), None), ((GUILTY, CLEAN), LOST), ((CLEAN, GUILTY), WON), ((GUILTY, GUILTY), NO_RESULT)],
)
def test_a_verdict_turns_the_result_that_is_kept(
    findings: tuple[Finding, Finding], turned: str | None, result: int, tmp_path: Path
):
    words.use("en")
    with Archive(tmp_path / "games.sqlite") as archive:
        match = fought(archive)
        match.take(event(links.EV_OVER, a=result, b=links.BY_SHOTS))
        played = WON if result == links.WE_WON else LOST
        match.take(event(fair.EV_JURY, a=fair.SHOWN, verdict=Verdict(findings, (True, False)), decks=DECKS))
        (game,) = archive.games()
    assert game.result == (turned or played)
    assert game.ending == ("shots" if game.result == played else "jury")
    assert (match.wins, match.losses) == (int(game.result == WON), int(game.result == LOST))
    assert game.ships == [MINE, [[(6, 1)], [(3, 2), (3, 3)], [(6, 6)]]]
    assert Verdict.from_json(game.details["jury"]).findings == findings
    assert outcome(game)
    assert any(line.startswith("the jury: ") for line in statistics(game))
    assert game == match.game


def test_a_proof_during_the_game_wins_it_and_other_faults_do_not(tmp_path: Path):
    words.use("en")
    over = event(links.EV_OVER, a=links.WE_WON, b=links.BY_PROOF)
    false = event(
        links.EV_BROKEN,
        a=wire.SHOT,
        b=wire.R_CORNER,
        x=3,
        y=4,
        answer=wire.HIT,
        earlier_x=2,
        earlier_y=3,
        earlier=wire.HIT,
    )
    turn = event(links.EV_BROKEN, a=wire.SHOT, b=wire.R_TURN, x=3, y=4)
    for happened, kept in (((over, false), (WON, "proof")), ((turn,), ("", "broken"))):
        with Archive(tmp_path / f"{len(happened)}.sqlite") as archive:
            match = fought(archive)
            for one in happened:
                match.take(one)
            (game,) = archive.games()
        assert (game.result, game.ending) == kept
        assert ("provably false" in outcome(game)) == (kept[0] == WON)
        # the history names both cells and both answers
        told = "\n".join(statistics(game))
        assert ("answer to our shot at C4, 'hit', is false" in told) == (kept[0] == WON)
        assert ("its answer at B3 was 'hit'" in told) == (kept[0] == WON)


def test_what_comes_in_the_middle_of_a_battle_or_without_a_field_changes_nothing(tmp_path: Path):
    with Archive(tmp_path / "games.sqlite") as archive:
        match = fought(archive)
        match.take(event(fair.EV_JURY, a=fair.SHOWN, verdict=Verdict((CLEAN, GUILTY)), decks=DECKS))
        match.take(event(links.EV_OVER, a=links.WE_LOST, b=links.BY_SURRENDER))
        match.take(event(fair.EV_JURY, a=fair.NO_VERDICT, b=fair.GONE))
        (game,) = archive.games()
    assert (game.result, game.ending, game.ships[1]) == (LOST, "surrender", None)
    assert "jury" not in game.details
