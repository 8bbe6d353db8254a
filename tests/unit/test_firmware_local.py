"""The games against the board itself: the classic variants, salvo and melee, with five keys on every panel."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from tests.desk import Desk, keys

ALONE = ("Alone", "В одиночку")
NAMES = {"classic": ("Variants", "Варианты"), "salvo": ("Salvo", "Залпы"), "melee": ("Melee", "Втроём")}
START = ("Start", "Начать")
TURNS = 400_000

PREPARING, CHOOSING, PLAYING, OVER = range(4)


def opened(name: str, panel: str = "128x64", language: int = 0, variant: tuple[int, ...] = ()) -> Desk:
    """Return a board with a game begun, before the player accepts the fleet."""
    desk = Desk(panel, language)
    desk.choose(ALONE[language])
    desk.choose(NAMES[name][language])
    if name == "classic":
        if variant:
            choice: Any = desk.app.ui.screen
            choice.values[:] = bytes(variant)
        desk.choose(START[language])
    desk.until(lambda: game(desk).stage == CHOOSING)
    desk.settle()
    return desk


def playing(name: str, *how: Any, **more: Any) -> Desk:
    """The same, at the player's first move."""
    desk = opened(name, *how, **more)
    on_water(desk)
    desk.press(keys.OK)
    my_turn(desk)
    return desk


def on_water(desk: Desk) -> None:
    """Move the cursor to a cell without a ship of the player's."""
    there = game(desk)
    cell = next(cell for cell in range(there.size**2) if there.look(cell) == 0)
    there.x, there.y = cell % there.size, cell // there.size


def game(desk: Desk) -> Any:
    screen = desk.app.ui.screen
    return getattr(screen, "game", screen) if not hasattr(screen, "window") else screen


def my_turn(desk: Desk) -> Any:
    """Wait for the player's move, closing pages on the way; return the game's screen."""
    there = game(desk)

    def ready() -> bool:
        if desk.app.ui.screen is there.pages and there.stage == PLAYING:
            desk.press(keys.OK)
        return there.stage == OVER or (not there.computer() and desk.app.ui.screen is there)

    desk.until(ready, TURNS)
    desk.settle()
    return there


def aim(desk: Desk, cell: int) -> None:
    """Move the cursor to a cell by the shorter way, and press OK."""
    there = game(desk)
    n = there.size
    if there.side == 0:
        desk.press(keys.OK)
    while there.x != cell % n:
        desk.press(keys.RIGHT if (cell % n - there.x) % n <= n // 2 else keys.LEFT)
    while there.y != cell // n:
        desk.press(keys.DOWN if (cell // n - there.y) % n <= n // 2 else keys.UP)
    desk.press(keys.OK)


def decks(desk: Desk, name: str) -> list[int]:
    """Return the cells of the opponents' ships."""
    inner = game(desk).game
    if name == "classic":
        return [cell for cell in range(game(desk).size ** 2) if inner.fields[1].ship[cell]]
    if name == "salvo":
        return [cell for cell in range(100) if inner.views[1].own[cell] < 5]
    return [cell for cell in range(225) if inner.ship[cell] > 10]


def win(desk: Desk, name: str) -> None:
    """Have the player sink everything without a miss."""
    inner = game(desk).game
    waiting = decks(desk, name)
    while (there := my_turn(desk)).stage == PLAYING:
        if name == "salvo":
            for cell in waiting[: there.view.guns()]:
                aim(desk, cell)
            fire(desk)
            waiting = [cell for cell in waiting if not there.view.fired[cell] and not inner.in_salvo(0, cell)]
        else:
            aim(desk, waiting.pop(0))


# -- whole games


def fire(desk: Desk) -> None:
    """After the last mark of a salvo the question appears by itself; before that it is in the menu."""
    desk.do("down ok" if desk.app.ui.screen is game(desk).ask else "back [Fire!]")


@pytest.mark.parametrize(("name", "panel"), [("classic", "16x2"), ("salvo", "84x48"), ("melee", "20x4")])
def test_a_person_plays_a_whole_game_with_five_keys(name: str, panel: str):
    desk = playing(name, panel)
    win(desk, name)
    desk.do('"VICTORY!" ok ok ="New game" [New game]')
    desk.until(lambda: game(desk).stage == CHOOSING)
    desk.do("back [Leave]")
    desk.settle()
    assert desk.app.ui.screen is desk.app.ui.menu


def test_variants_without_room_are_not_begun():
    desk = Desk("128x64")
    desk.do("[Alone] [Variants]")
    choice = desk.app.ui.screen
    choice.values[:] = bytes((6, 3, 5, 9, 12, 15, 0, 0))
    desk.app.ui.touch()
    desk.do('"No room!" ok')
    assert desk.app.ui.screen is choice
    desk.do('[Field] [Five-deck] [Corners] [Bent] back "SEA BATTLE"')


# -- placing, refusals, leaving


@pytest.mark.parametrize(("name", "panel"), [("classic", "20x4"), ("salvo", "128x64")])
def test_a_ship_is_lifted_turned_and_put_elsewhere(name: str, panel: str):
    desk = opened(name, panel)
    there = game(desk)
    n = there.size

    def own() -> set[int]:
        return {cell for cell in range(n * n) if there.look(cell)}

    whole = own()
    there.x, there.y = min(whole) % n, min(whole) // n
    desk.do('up down "lift" ok "Esc: turn"')
    rest = own()
    assert len(whole) > len(rest)
    desk.do('right left "place"')
    # it may not touch another, nor leave the field
    there.x, there.y = max(rest) % n, max(rest) // n
    desk.press(keys.OK)
    desk.until(lambda: any(map(desk.shows, ("Does not fit", "Touches a ship", "A ship is here"))))
    assert own() == rest
    # a legal place, perhaps turned
    for _ in range(4 * n * n):
        if there.fits:
            break
        desk.press(keys.RIGHT)
        if there.x == 0:
            desk.press(keys.DOWN)
            if there.y == 0:
                desk.press(keys.BACK)
    desk.press(keys.OK)
    assert len(own()) == len(whole)
    on_water(desk)
    desk.press(keys.OK)
    assert there.stage == PLAYING


def test_what_is_refused_is_said():
    desk = playing("classic", "20x4")
    aim(desk, decks(desk, "classic")[0])
    desk.do('ok "Known"')
    desk = playing("melee", "16x2")
    there = game(desk)
    aim(desk, next(cell for cell in range(225) if 0 < there.game.ship[cell] <= 10))
    desk.see("Your own ship")
    desk = playing("salvo", "84x48")
    desk.do('back [Fire!] "Aim first"')
    for cell in range(6):
        aim(desk, cell)
    desk.do('"Fire?" down ok')
    my_turn(desk)
    aim(desk, 0)
    desk.see("Fired at before")


@pytest.mark.parametrize("name", NAMES)
def test_surrender_and_leaving_ask_a_second_time(name: str):
    desk = playing(name)
    there = game(desk)
    for refused in ('back [Surrender] "Surrender?" ok', 'back [Leave] "Leave game?" back'):
        desk.do(refused)
        assert there.stage == PLAYING, "the answer that comes first changes nothing"
    desk.do('back [Surrender] down ok "DEFEAT" "You surrendered."')


@pytest.mark.parametrize("name", NAMES)
def test_what_was_loaded_for_a_game_is_given_up(name: str):
    before = set(sys.modules)
    desk = playing(name)
    texts = len(desk.app.texts.at)
    assert {f"seaboard.local_{name}", "seaboard.local"} <= set(sys.modules)
    desk.do('back [Leave] down ok "SEA BATTLE"')
    assert {module for module in sys.modules if module.startswith(("seaboard", "seabattle."))} <= before
    assert len(desk.app.texts.at) < texts
    # and the game over the line is unchanged
    desk.do('[Play: slave] "Waiting for a master..."')


# -- what is shown


@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_ship_looks_like_water(name: str):
    desk = playing(name)
    there = game(desk)
    there.side = 1
    # in a melee the computers may have hit each other by now
    hidden = [cell for cell in decks(desk, name) if name != "melee" or not there.game.mark[cell]]
    assert {there.look(cell) for cell in hidden} == {0}


@pytest.mark.parametrize("panel", ["16x2", "84x48", "st7735-128x160"])
def test_the_window_follows_the_cursor_over_a_large_field(panel: str):
    desk = playing("melee", panel)
    there = game(desk)
    desk.do("=o15")
    assert (there.x, there.y) == (14, 14)
    desk.see("O15")
    assert there.left + there.window == there.top + there.window == 15
    desk.do("=a1")
    assert (there.left, there.top) == (0, 0)
    if desk.panel.rows > 2:
        desk.until(lambda: re.search(r"A ?\d+.*B ?\d+.*C ?\d+", " ".join(desk.text())), 3000)


def test_a_round_of_salvo_is_reported_by_ship():
    desk = playing("salvo")
    views = game(desk).game.views
    carrier = [cell for cell in range(100) if views[1].own[cell] == 0]
    water = next(cell for cell in range(100) if views[1].own[cell] > 5)
    for cell in (*carrier, water):
        aim(desk, cell)
    desk.press(keys.DOWN, keys.OK)
    there = game(desk)
    desk.until(lambda: desk.app.ui.screen is there.pages, TURNS)
    note = desk.app.ui.page
    said = bytes(note.data[: note.size]).decode("cp866").splitlines()
    assert said[0].split("\r")[0] == "Round 1" and "You hit: carrier x5 sunk" in said
    # which ship was hit, but not by which shot
    desk.press(*[keys.DOWN] * 8, keys.OK)
    assert len({there.look(cell) for cell in (*carrier, water)}) == 1


def test_a_player_who_is_out_is_announced():
    desk = playing("melee")
    inner = game(desk).game
    for cell in [cell for cell in range(225) if 10 < inner.ship[cell] <= 20]:
        my_turn(desk)
        if inner.place[1]:
            break
        aim(desk, cell)
    desk.see("is out.")
    assert desk.shows("B is out.") or desk.shows("C is out.")
