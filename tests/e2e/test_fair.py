"""Fields shown after a game, over a real line: both fair, one that lies in each way, one without chat."""

from __future__ import annotations

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle.link import Link
from seabattle_host.player.field_seals import Sealer
from seabattle_host.tui.virtual_board import VirtualBoard
from tests import needs
from tests.command import Command
from tests.e2e.screens import peer
from tests.e2e.test_tui_fair import seat
from tests.lines import Cable
from tests.shared.fair_match import Forger, LyingLink, bits_of

pytestmark = [pytest.mark.usefixtures("faster"), needs.PTYS]

SMALL = ("--size", "6", "--fleet", "0,0,1,2")
NO_FIELD = ("......", "##..##", "......", "......", "......", "......")


def against(cable: Cable) -> tuple[int, str]:
    """Have a fair bot play a game as master at the other end; return its exit status and output."""
    with Command("bot", "--port", cable.a, "--role", "master", *SMALL, "--seed", "3", "--fair") as bot:
        status, out, err = bot.finish()
    assert err == ""
    return status, out


@pytest.mark.parametrize("fair", [("--fair", "--fair"), ("--fair", ""), ("", "--fair")])
def test_two_bots_play_and_those_that_are_fair_get_a_verdict(cable: Cable, fair: tuple[str, str]):
    with (
        Command("bot", "--port", cable.a, "--role", "master", *SMALL, "--games", "2", *filter(None, fair[:1])) as one,
        Command("bot", "--port", cable.b, "--role", "slave", "--games", "2", *filter(None, fair[1:])) as two,
    ):
        ends = one.finish(), two.finish()
    for (status, out, err), own, other in zip(ends, fair, reversed(fair), strict=True):
        assert (status, err) == (0, "")
        assert out.count("our field is sealed\n") == (2 if own else 0)
        assert out.count("the opponent has sealed its field\n") == (2 if other else 0)
        assert out.count("the jury: nobody cheated") == (2 if own else 0)
        sealers = ", ".join(name for name, sealed in (("we", own), ("the opponent", other)) if sealed)
        assert out.count(f"sealed before the first shot: {sealers}\n") == (2 if own else 0)


def test_a_field_that_breaks_the_rules_is_found(cable: Cable):
    class Shown(Forger):
        shown = bits_of(NO_FIELD)

    with peer(cable.b, player=lambda link, rng: Shown(link, rng, Sealer())):
        status, out = against(cable)
    assert status == 0
    assert "the jury: the opponent cheated and so lost; the opponent: one ship of 2 decks too many, at E2" in out


def test_a_false_answer_is_proved_during_the_game_or_after_it(cable: Cable):
    class Liar(LyingLink):
        """Answers misses as long as possible, whatever was hit."""

        def answer(self, code: int) -> int:
            return Link.answer(self, wire.MISS)

    with peer(cable.b, link=Liar, player=seat) as cheat:
        status, out = against(cable)
    proved = "the opponent broke the protocol" in out
    assert proved or "the jury: the opponent cheated" in out
    assert status == int(proved)
    assert proved == any(event.code == links.EV_ACCUSED for event in cheat.events)


def test_a_board_shows_its_field_and_is_judged_by_it():
    board = VirtualBoard(("--lang", "en", "--seed", "5", *SMALL))
    try:
        with Command("bot", "--port", board.url, "--role", "master", *SMALL, "--fair", "--games", "2") as bot:
            status, out, err = bot.finish()
    finally:
        board.close()
    assert (status, err) == (0, "")
    verdict = "the jury: nobody cheated; fields and answers keep the rules; sealed before the first shot: we\n"
    assert out.count(verdict) == 2
    assert "#" not in out
