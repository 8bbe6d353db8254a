"""A person at the application plays a salvo over the line against any peer."""

from __future__ import annotations

from pathlib import Path

from seabattle import link as links
from seabattle import salvo as rules
from seabattle import wire
from seabattle.link import Link
from seabattle.rng import Rng
from seabattle_host.games import computers
from seabattle_host.player import salvo_exchange as salvos
from seabattle_host.player.field_seals import Sealer
from seabattle_host.player.salvo_player import EV_SALVO, SalvoPlayer
from seabattle_host.records.archive import LOST, UNFINISHED, WON
from seabattle_host.tui.salvo_screen import SalvoScreen
from tests import needs
from tests.e2e.screens import Peer, Screens, application, kept, peer, playing
from tests.lines import Cable

pytestmark = needs.PTYS


class Computer(SalvoPlayer):
    """Plays salvos by itself."""

    def __init__(self, link: Link, rng: Rng):
        super().__init__(link, rng, Sealer(), asks=False)

    def poll(self) -> int:
        ev = super().poll()
        if ev == EV_SALVO and self.link.a == salvos.EVENT_STARTED:
            self.salvo.game.fill(0)
            self.salvo.declare_fleet()
        elif ev == EV_SALVO and self.link.a == salvos.EVENT_TURN:
            cells = computers.salvo_of_one(self.salvo.game, 2)
            self.salvo.game.fire_at(0, cells, len(cells))
            self.salvo.declare_salvo()
        return ev


async def placed(screens: Screens) -> SalvoScreen:
    """Wait for a salvo to begin, place a fleet, and wait for the first round."""
    await screens.until(lambda: isinstance(screens.app.screen, SalvoScreen) and screens.app.screen.asks)
    screen = screens.app.screen
    assert isinstance(screen, SalvoScreen)
    await screens.press("f7")
    await screens.until(lambda: screen.asks and screen._want is not None and screen._want.enter)
    await screens.press("f8")
    await screens.until(lambda: screen.asks and screen._want is not None and screen._want.shots)
    return screen


def game_of(other: Peer) -> salvos.RemoteSalvo:
    assert isinstance(other.player, Computer)
    return other.player.salvo.game


async def test_a_whole_salvo_over_a_line_and_another_that_is_given_up(cable: Cable, tmp_path: Path):
    """The only test that plays a salvo at the real screen and a real port to its end."""
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="master", nick="Anna")) as screens:
        with peer(str(tmp_path / "b"), nick=b"BOARD", player=Computer) as other:
            await screens.phase("params")
            await screens.until(lambda: screens.game.status.may_salvo)
            await screens.press("f6")
            screen = await placed(screens)
            # chat works meanwhile, also while a line is being typed when the game asks
            await screens.press("f4")
            await screens.rush("hello #1")
            await screens.until(lambda: "hello #1" in [event.text for event in other.events])
            with other.runner.locked() as player:
                player.link.send_chat(b"hello", 5)
            await screens.until(lambda: "BOARD: hello" in screens.text() and "Anna: hello #1" in screens.text())
            decks = [cell for cell in range(rules.CELLS) if game_of(other).views[0].own[cell] != rules.NONE]
            assert len(decks) == 17
            while not screen.over:
                number, guns = screen._game.round, screen._game.views[0].guns()
                salvo, decks = decks[:guns], decks[guns:]
                await screens.rush(" ".join(screen._cell_name(cell) for cell in salvo))
                await screens.until(lambda n=number: screen._game.round > n or screen.over)  # type: ignore[misc]
                await screens.until(lambda: screen.asks or screen.over)
            told = "\n".join(line for _, line in screen._messages)
            assert "all answers were true" in told and told.endswith("Anna has won")
            # the fleet that the other had placed is on the screen now
            assert len(screen._views) == 2 and "BOARD" in screens.text()

            await screens.press("f2")
            await screens.until(lambda: screens.app.screen is not screen)
            await placed(screens)
            await screens.press("f10", "y")
            await screens.phase("params")
            await screens.until(lambda: game_of(other).outcome == rules.WON_BY_0)
            assert other.link.state == 1 and not other.link.deviations
    won, lost = sorted(kept(tmp_path), key=lambda game: game.number)
    assert (won.kind, won.players, won.result, lost.result) == ("salvo", ["Anna", "BOARD"], WON, LOST)
    assert sum(move.result > 0 for move in won.moves if move.player == 0) == 17
    assert won.ships[1] is not None and lost.ships[1] is None


async def test_the_person_is_asked_and_nobody_waits_for_an_opponent_that_has_left(cable: Cable, tmp_path: Path):
    async with playing(application(tmp_path, url=str(tmp_path / "a"), role="slave", nick="Anna")) as screens:
        with peer(str(tmp_path / "b"), wire.MASTER, nick=b"BOARD", player=Computer, bot=False) as other:
            await screens.phase("params")
            assert isinstance(other.player, Computer)
            for answer in ("n", "y"):
                with other.runner.locked():
                    assert other.player.salvo.offer() == links.DONE
                await screens.until(lambda: "BOARD offers a game of salvos" in screens.text())
                await screens.press(answer)
                await screens.until(lambda: "the opponent wants no salvo" in [event.words() for event in other.events])
            screen = await placed(screens)
            with other.runner.locked() as player:
                player.link.goodbye()
            await screens.until(lambda: screen.over)
            assert "broken off" in "\n".join(line for _, line in screen._messages)
            await screens.press("f10")
            await screens.phase("line")
    (game,) = kept(tmp_path)
    assert game.result == UNFINISHED
