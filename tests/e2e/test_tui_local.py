"""People at the games at one screen, full screen: from the first screen to the end, and what nobody may see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from seabattle import melee as melees
from seabattle.melee import Melee
from seabattle.rng import Rng
from seabattle.salvo import NONE, Salvo
from seabattle.variants import Variants
from seabattle_host.games.rules import CLASSIC_VARIANT
from seabattle_host.games.setup import Setup
from seabattle_host.language.text import cell_name
from seabattle_host.records.archive import UNFINISHED, WON
from seabattle_host.tui import local_screen, local_windows, screen_ui
from seabattle_host.tui.field_views import FieldViews
from seabattle_host.tui.games_menu import GamesMenu
from seabattle_host.tui.local_screen import LocalScreen
from seabattle_host.tui.local_windows import Curtain
from seabattle_host.tui.replay import ReplayScreen
from tests.e2e.screens import Screens, application, kept, playing

SEED = 4
KEYS = {" ": "space", "[": "left_square_bracket", "]": "right_square_bracket"}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch, english: None) -> None:
    monkeypatch.setattr(screen_ui, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(local_screen, "CURTAIN_SECONDS", 0)
    monkeypatch.setattr(local_windows, "CURTAIN_SECONDS", 0)


def name(cell: int, width: int) -> str:
    return cell_name(cell % width + 1, cell // width + 1)


def screen_of(screens: Screens) -> LocalScreen:
    return next(screen for screen in screens.app.screen_stack if isinstance(screen, LocalScreen))


async def asked(screens: Screens) -> None:
    """Wait until the game asks a person at the screen for input."""
    await screens.until(lambda: isinstance(screens.app.screen, LocalScreen) and screen_of(screens).asks)
    await screens.pilot.pause()


async def typed(screens: Screens, line: str) -> None:
    """Wait for the prompt, and type a line."""
    await asked(screens)
    await screens.press(*(KEYS.get(char, char) for char in line), "enter")


async def curtain(screens: Screens, player: str) -> str:
    """Wait for the curtain before a player, and raise it; return what was on the screen while it was down."""
    app, number = screens.app, "NABC".index(player) - 1
    await screens.until(lambda: isinstance(app.screen, Curtain) and app.screen.player == number)
    await screens.pilot.pause()
    shown = screens.text()
    while isinstance(screens.app.screen, Curtain):
        await screens.press("enter")
    await asked(screens)
    return shown


async def place(screens: Screens) -> None:
    """Place all ships at random and be ready."""
    await asked(screens)
    await screens.press("f7")
    await screens.shows("the fleet is whole")
    await asked(screens)
    await screens.press("f8")


def melee() -> Melee:
    game = Melee(Rng(SEED))
    game.start(False)
    game.deploy()
    return game


def rows(text: str) -> list[str]:
    """Return the content of the rows of fields on the screen."""
    return [found[1] for line in text.splitlines() if (found := re.match(r" ?\d+ (.*?)(│|$)", line))]


async def open_menu(screens: Screens) -> None:
    """Go from the first screen to the menu of the other games."""
    await screens.press("end", "up", "enter")
    await screens.until(lambda: isinstance(screens.app.screen, GamesMenu))


async def test_the_first_screen_offers_the_other_games_and_the_menu_refuses_a_fleet_that_has_no_room(tmp_path: Path):
    app = application(tmp_path)
    async with playing(app) as screens:
        await screens.shows("Other games: classic, salvo, melee")
        await open_menu(screens)
        await screens.shows("salvo, for two")
        await screens.press("down", "down", "enter")
        await asked(screens)
        await screens.shows("Melee: A - B (computer) - C (computer)")
        await screens.press("f10", "y")
        await screens.shows("Other games: classic, salvo, melee")
        await open_menu(screens)
        await screens.focus(app.screen.query_one("#ships-4"))
        await screens.press("2", "0", "f5")
        await screens.shows("no placement was found for ships 0,20,2,3,4 on 10x10")
        await screens.press("f8", "f5")
        await asked(screens)
        assert len(rows(screens.text())) == 15
        await screens.shows("    A  ")
        await screens.press("f10", "y")
        # columns are named in the letters of the language
        await screens.shows("Other games: classic, salvo, melee")
        await screens.press("f9")
        await screens.shows("Другие игры")
        await open_menu(screens)
        await screens.press("f5")
        await asked(screens)
        await screens.shows("    А  ")
    assert [(game.kind, game.result) for game in kept(tmp_path)][:1] == [("melee", UNFINISHED)]


async def test_a_person_wins_a_classic_game_by_keys_and_has_the_field_judged(tmp_path: Path):
    model = Variants(Rng(SEED))
    model.start()
    model.random(0)
    model.random(1)
    assert model.turn == 0
    decks = [cell for cell in range(100) if model.fields[1].ship[cell]]
    async with playing(application(tmp_path, setup=Setup("classic", 1, SEED))) as screens:
        await place(screens)
        await asked(screens)
        board = screen_of(screens).query_one("#field-1", local_screen.BoardView)
        await screens.until(lambda: board.has_focus)
        for number, cell in enumerate(decks[:-1]):
            await asked(screens)
            if number > 2:
                # for example by the mouse
                board.cursor = cell
            while board.cursor // 10 < cell // 10:
                await screens.press("down")
            while board.cursor % 10 != cell % 10:
                await screens.press("right")
            await screens.press("enter")
        await typed(screens, name(decks[-1], 10))
        await screens.shows("A has won")
        await asked(screens)
        await screens.press("f7")
        await screens.shows("B is clean")
        await screens.until(lambda: screen_of(screens).over)
        await screens.press("f2")
        await asked(screens)
        await screens.shows("place a ship")
    game = kept(tmp_path)[0]
    assert (game.kind, game.result, game.ending) == ("classic", WON, "shots")
    assert [len(fleet or ()) for fleet in game.ships] == [10, 10]
    assert [(move.player, (move.y - 1) * 10 + move.x - 1) for move in game.moves] == [(0, cell) for cell in decks]


async def test_a_ship_is_turned_placed_and_taken_back(tmp_path: Path):
    async with playing(
        application(tmp_path, setup=Setup("classic", 1, SEED, variant=(*CLASSIC_VARIANT[:8], True, False)))
    ) as screens:

        def decks() -> int:
            signs = screen_of(screens)._views[0].signs
            return sum(sign == "@" for sign in signs)

        await asked(screens)
        await screens.press("down", "right", "space", "enter")
        await asked(screens)
        assert decks() == 4
        await screens.press("enter")
        await screens.shows("another ship is there or touches it")
        await asked(screens)
        assert decks() == 4
        signs = screen_of(screens)._views[0].signs
        screen_of(screens).query_one("#field-0", local_screen.BoardView).cursor = signs.index("@")
        await screens.press("delete")
        await asked(screens)
        assert decks() == 0


async def test_marked_cells_are_a_salvo_and_between_two_people_nothing_is_left_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    model = Salvo(Rng(SEED))
    model.fill(0)
    model.fill(1)
    hit = next(cell for cell in range(100) if model.views[1].own[cell] != NONE)
    async with playing(application(tmp_path, setup=Setup("salvo", 2, SEED))) as screens:
        # an Enter that was meant for what stood there before does not lift the curtain
        monkeypatch.setattr(local_windows, "CURTAIN_SECONDS", 3600)
        await screens.until(lambda: isinstance(screens.app.screen, Curtain))
        await screens.press("enter", "enter")
        assert isinstance(screens.app.screen, Curtain)
        monkeypatch.setattr(local_windows, "CURTAIN_SECONDS", 0)
        await curtain(screens, "A")
        await place(screens)
        assert not rows(await curtain(screens, "B"))
        await place(screens)
        await curtain(screens, "A")
        board = screen_of(screens).query_one("#field-1", local_screen.BoardView)
        board.cursor = hit
        await screens.press("enter")
        await screens.shows(f"marked 1 of 6: {name(hit, 10)}")
        await screens.press("f5")
        shown = await curtain(screens, "B")
        assert not rows(shown) and name(hit, 10) not in shown
        await typed(screens, "a1 b1")
        await curtain(screens, "A")
        await screens.shows("round 1: your hits:")
        # nothing shows which cell has hit: the round looks like any other
        field = screen_of(screens)._views[1]
        assert [sign for sign in field.signs if sign != "."] == ["1"]
        # nor does the log show what the other player was told
        await screens.shows("received: A1 water")
        await typed(screens, "c1")
        await curtain(screens, "B")
        await screens.shows(f"received: {name(hit, 10)}")
        assert "received: A1 water" not in screens.text()
        await screens.press("f8", "y")
        await screens.shows("B withdraws: A has won")
    game = kept(tmp_path)[0]
    assert (game.kind, game.ending, len(game.moves)) == ("salvo", "surrender", 3)


async def test_keys_in_one_burst_lose_no_space_and_letters_work_with_shift_and_in_russian(tmp_path: Path):
    async with playing(application(tmp_path, setup=Setup("salvo", 1, SEED))) as screens:
        await asked(screens)
        local_screen = screen_of(screens)
        for turn, key in enumerate("NnТт", 1):
            await screens.press(key)
            assert local_screen._ghost == turn
        await place(screens)
        await screens.shows("round 1: up to")
        for char in "a1 b1, c1":
            screens.app.post_message(events.Key(KEYS.get(char, char), char))
        await screens.until(lambda: local_screen.query_one("#typed", Input).value == "a1 b1, c1")
        await screens.press("enter")
        # all rounds can be looked at, and what was said be scrolled
        for number in (2, 3, 4):
            await screens.shows(f"round {number}: up to")
            await typed(screens, f"e{number}")
        await screens.shows("round 5: up to")
        await asked(screens)
        await screens.press("f7")
        await screens.shows("all rounds")
        shown = screens.text()
        assert all(f"round {number}: received" in shown for number in range(1, 5))
        await screens.press("escape")
        log = local_screen.query_one("#log")
        bottom = log.scroll_offset.y
        await screens.press("pageup")
        await screens.until(lambda: log.scroll_offset.y < bottom)


async def test_in_a_melee_no_screen_holds_a_ship_that_was_not_hit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    # without colours the last move is told by signs
    monkeypatch.setenv("NO_COLOR", "1")
    model = melee()
    water = [name(cell, melees.SIZE) for cell in range(melees.CELLS) if not model.ship[cell]]
    async with playing(application(tmp_path, setup=Setup("melee", 3, SEED))) as screens:
        for player, cell in zip("ABCABC", water, strict=False):
            assert not rows(await curtain(screens, player))
            shown = "".join(rows(screens.text()))
            assert player.lower() in shown
            assert not set(shown) & set("abcABC") - {player.lower()}
            signs = {sign for view in screen_of(screens)._views for sign in view.signs}
            assert signs <= {".", "o", "!o", player.lower()}
            if "!o" in signs:
                assert shown.count("!o") == 1
                assert "💣" not in screens.text() and "! and * the last" in screens.text()
            await typed(screens, cell)
        assert "!o" in signs


@pytest.mark.parametrize("kind", ["classic", "salvo", "melee"])
async def test_any_size_of_the_terminal_will_do(tmp_path: Path, kind: str):
    async with playing(application(tmp_path, setup=Setup(kind, 1, SEED)), size=(20, 8)) as screens:
        await asked(screens)
        if kind != "melee":
            await screens.press("f7")
            await asked(screens)
            await screens.press("f8")
        await screens.until(lambda: screen_of(screens)._words().get(1, ("", ""))[0] == "withdraw", "F8 gives up")
        await typed(screens, "a1")
        await asked(screens)
        await screens.press("f1")
        await screens.pilot.pause()
        await screens.press("escape")
        await screens.pilot.resize_terminal(200, 60)
        await typed(screens, "c3")
        await asked(screens)
        await screens.until(lambda: len(rows(screens.text())) == (15 if kind == "melee" else 10))
        await screens.press("ctrl+c", "y")


@pytest.mark.parametrize("kind", ["classic", "salvo", "melee"])
async def test_computers_are_watched_and_their_game_is_replayed_move_by_move(tmp_path: Path, kind: str):
    app = application(tmp_path, setup=Setup(kind, 0, SEED))
    async with playing(app) as screens:
        await screens.until(lambda: isinstance(app.screen, LocalScreen) and app.screen.over)
        await screens.shows("has won")
        assert len(rows(screens.text())) == (15 if kind == "melee" else 10)
        await screens.press("f10")
    (game,) = kept(tmp_path)
    again = application(tmp_path, replay=game)
    async with playing(again) as screens:
        await screens.shows("A (computer) - B (computer)")
        view = again.screen.query_one(FieldViews)
        begun = [list(view.signs) for view in view.views]
        await screens.press("end")
        await screens.shows("has won")
        ended = [list(view.signs) for view in view.views]
        assert ended != begun and len(ended) == (1 if kind == "melee" else 2)
        await screens.press("home")
        await screens.until(lambda: [list(view.signs) for view in view.views] == begun)
        await screens.press("right", "right")
        await screens.until(lambda: isinstance(again.screen, ReplayScreen) and again.screen.at == 2)
        await screens.press("escape")


async def test_bad_input_is_answered_on_the_screen(tmp_path: Path):
    async with playing(application(tmp_path, setup=Setup("melee", 1, SEED))) as screens:
        for cell in ("z9", "a99"):
            await typed(screens, cell)
            await screens.shows(f"{cell.upper()} is off the field of 15x15")
        for line in ("7", "hello", "b[b]"):
            await typed(screens, line)
            await screens.shows(f"'{line}' is not a cell")
        own = next(cell for cell in range(melees.CELLS) if melee().seen(0, cell) == melees.OWN)
        await typed(screens, name(own, melees.SIZE))
        await screens.shows(f"{name(own, melees.SIZE)} is your own ship")
        # faster than the screen reads keys
        for row in range(16, 20):
            await asked(screens)
            await screens.rush(f"b{row}")
            await screens.shows(f"B{row} is off the field of 15x15")


async def test_names_from_the_menu_and_a_game_that_was_left_goes_on_from_there(tmp_path: Path):
    """The menu passes on what was chosen, and finds the game that was left; only this test shows both."""
    app = application(tmp_path)
    async with playing(app) as screens:
        await screens.shows("Other games: classic, salvo, melee")
        await open_menu(screens)
        assert "F6" not in screens.text()
        await screens.press("down", "tab", "2")
        app.screen.query_one("#names", Input).value = "Anna, Boris"
        await screens.press("f5")
        await curtain(screens, "A")
        await screens.shows("Salvo: Anna - Boris")
        await place(screens)
        await screens.shows("It is Boris's turn")
        await screens.press("f10", "y")
        await screens.shows("Other games: classic, salvo, melee")
        await screens.press("enter")
        await screens.until(lambda: isinstance(app.screen, GamesMenu))
        await screens.shows("F6")
        await screens.press("f6")
        assert not rows(await curtain(screens, "B"))
        await screens.shows("Salvo: Anna - Boris")
        await screens.shows("place like 'carrier B7 e'")
