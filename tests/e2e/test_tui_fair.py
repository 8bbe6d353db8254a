"""A person at the application seals the field, is shown the other's after the game, and the jury's verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle import link as links
from seabattle.fair import FairPlayer
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.cli import main
from seabattle_host.language import words
from seabattle_host.player.field_seals import Sealer
from seabattle_host.records.archive import WON
from seabattle_host.tui.widgets import Plain
from tests import needs
from tests.e2e.screens import Screens, application, kept, peer, playing, shoot_all
from tests.lines import Cable
from tests.shared.fair_match import DeafLink, Forger, bits_of

pytestmark = [pytest.mark.usefixtures("faster"), needs.PTYS]


def seat(link: Link, rng: Rng) -> FairPlayer:
    return FairPlayer(link, rng, Sealer())


def fair_seat(link: Link, rng: Rng) -> FairPlayer:
    player = seat(link, rng)
    player.fair = True
    return player


def forging_seat(link: Link, rng: Rng) -> FairPlayer:
    class Shown(Forger):
        shown = bits_of(("##....", "......", "......", "......", "......", "......"))

    return Shown(link, rng, Sealer())


async def given_up(screens: Screens) -> None:
    """Surrender in the battle."""
    await screens.offer()
    await screens.battle()
    assert screens.game.session.surrender() == links.DONE
    await screens.shows("lost, we surrendered")


async def judged(screens: Screens, *words: str) -> None:
    """Wait until the end of the game shows these words of the jury, wrapped in any way."""
    label = screens.game.query_one("#verdict", Plain)
    await screens.until(lambda: label.display and all(word in str(label.content) for word in words))


async def test_two_fair_players_see_both_fields_and_a_verdict_that_is_kept(
    cable: Cable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    async with playing(
        application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna", fair=True)
    ) as screens:
        with peer(str(tmp_path / "b"), nick=b"BOARD", player=fair_seat) as other:
            await screens.offer()
            await screens.battle()
            await shoot_all(screens, typed=0)
            await judged(screens, "the jury: nobody cheated", "sealed before the first shot: Anna, BOARD")
            log = "\n".join(screens.log())
            assert "our field is sealed" in log and "the opponent has sealed its field" in log
            shown = screens.position.theirs()
            decks = [cell for cell in range(36) if other.player.field.ship[cell]]
            assert [cell for cell in range(36) if shown[cell] in (4, 5, 6)] == decks
            assert not screens.game.query_one("#ask").display
            assert not any("#" in line for line in screens.talk())
    (game,) = kept(tmp_path)
    assert game.ending == "shots"
    assert all(ships and sum(map(len, ships)) == 4 for ships in game.ships)
    assert game.details["jury"]["verdict"] == "clean"
    assert game.details["jury"]["sealed"] == [True, True]
    monkeypatch.setattr("seabattle_host.records.archive.archive_path", lambda: tmp_path / "games.sqlite")
    monkeypatch.setattr("seabattle_host.jury.letter.archive_path", lambda: tmp_path / "games.sqlite")
    words.use("en")
    assert main(["jury", "--game", "1", "--lang", "en"]) == 0
    assert "sealed before the first shot: Anna, BOARD" in capsys.readouterr().out


async def test_a_person_asks_with_a_key_and_a_cheat_loses(cable: Cable, tmp_path: Path):
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna")) as screens:
        with peer(str(tmp_path / "b"), nick=b"BOARD", player=forging_seat) as other:
            await given_up(screens)
            assert (screens.game.match.wins, screens.game.match.losses) == (0, 1)
            assert not any(event.code == links.EV_CHAT for event in other.events)
            await screens.until(lambda: screens.game.query_one("#ask").display)
            await screens.press("f7")
            await screens.shows("won, says the jury: the opponent cheated")
            await judged(screens, "the jury: BOARD cheated and so lost", "BOARD: ")
            assert (screens.game.match.wins, screens.game.match.losses) == (1, 0)
    (game,) = kept(tmp_path)
    assert (game.result, game.ending) == (WON, "jury")
    assert game.details["jury"]["verdict"] == "second"


async def test_without_chat_the_screen_says_why_there_is_no_verdict(cable: Cable, tmp_path: Path):
    async with playing(
        application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna", fair=True)
    ) as screens:
        with peer(str(tmp_path / "b"), nick=b"BOARD", link=DeafLink, player=seat) as other:
            await given_up(screens)
            await judged(screens, "no verdict of the jury: the opponent has no chat")
            assert "our field is not sealed: the opponent has no chat" in "\n".join(screens.log())
            await screens.press("f7")
            await judged(screens, "no verdict of the jury: the opponent has no chat")
            assert not any(event.code == links.EV_CHAT for event in other.events)
    (game,) = kept(tmp_path)
    assert game.ships[1] is None
    assert "jury" not in game.details


async def test_a_program_that_shows_nothing_is_named(cable: Cable, tmp_path: Path):
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna")) as screens:
        with peer(str(tmp_path / "b"), nick=b"BOARD"):
            await given_up(screens)
            await screens.focus(screens.game.query_one("#ask"))
            await screens.press("enter")
            await judged(screens, "asked the opponent for its field")
            await judged(screens, "no verdict of the jury: the opponent does not show its field")


async def test_the_first_screen_has_a_tick_for_it_that_is_remembered(tmp_path: Path):
    app = application(tmp_path)
    app.preferences.save = lambda path=None: None  # type: ignore[method-assign]
    seen: list[bool] = []
    app.connect = lambda url: seen.append(app.preferences.fair)  # type: ignore[method-assign]

    async with playing(app) as screens:
        await screens.until(lambda: app.screen.query("#fair"))
        for expected in (True, False):
            await screens.focus(app.screen.query_one("#fair"))
            await screens.press("space")
            app.screen._connect("/dev/null")  # type: ignore[attr-defined]
            await screens.until(lambda: seen)
            assert seen.pop() is expected
