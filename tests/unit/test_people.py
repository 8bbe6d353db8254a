"""Several people at a game: names, surrender, who leaves, who is away, who is ready, and computers of each level."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.melee import Melee
from seabattle.rng import Rng
from seabattle.salvo import Salvo
from seabattle_host.games import review
from seabattle_host.games import ui as ui
from seabattle_host.player.parameters import LEVELS
from seabattle_host.records.archive import Archive, Game
from tests.calls import Seabattle

Play = Callable[..., list[str]]

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def play(seabattle: Seabattle) -> Play:
    """A game by chat."""
    return lambda words, typed="": seabattle.game(f"{words} --chat", typed)


PLACED = "A: random|A: ready|B: random|B: ready"
"""What two people type until the battle begins."""


def last() -> Game:
    with Archive() as archive:
        return archive.games()[-1]


@pytest.mark.parametrize("kind", ["classic", "salvo"])
@pytest.mark.parametrize("word", ["withdraw", "surrender", "сдаюсь"])
@pytest.mark.parametrize("loser", [0, 1])
def test_who_surrenders_has_lost_whoevers_turn_it_is(play: Play, kind: str, word: str, loser: int):
    names = ["Anna", "Boris"]
    lines = play(f"{kind} --names Anna,Boris", f"{PLACED}|{names[loser]}: {word}")
    assert f"*: {names[loser]} withdraws: {names[1 - loser]} has won" in lines
    game = last()
    assert (review.winner(game), game.ending, game.players) == (1 - loser, "surrender", names)


@pytest.mark.parametrize("kind", ["classic", "salvo"])
def test_who_surrenders_before_the_first_shot_has_lost_too(play: Play, kind: str):
    assert "*: B withdraws: A has won" in play(f"{kind} --people 2", "A: random|B: withdraw")


@pytest.mark.parametrize("word", ["withdraw", "quit"])
def test_in_a_melee_who_gives_up_is_out_and_the_others_play_on(play: Play, word: str):
    model = Melee(Rng(4))
    model.deploy()
    water = [f"{chr(65 + c % 15)}{c // 15 + 1}" for c in range(melees.CELLS) if not model.ship[c]]
    lines = play("melee --people 3", f"A: {water[0]}|A: {word}|B: {water[-1]}|C: quit")
    assert "*: A gives up and is out; the ships are open to all" in lines
    assert lines[-1] == "*: B has won, C is second"
    shown = [line for line in lines if line.startswith("C: ")]
    assert any("A out" in line for line in shown) and sum(line.count("#A") for line in shown) >= 20
    game = last()
    assert game.details["places"] == [3, 1, 2] and game.result == "lost"
    assert sum(sign == "#A" for sign in review.views(game, game.moves, 1)[0].signs) == 20
    assert "gives up" in review.move_facts(game, 1)


def test_the_history_of_a_melee_names_the_owner_and_who_went_out(play: Play):
    play("melee --people 0")
    game = last()
    facts = [review.move_facts(game, number) for number in range(1, len(game.moves) + 1)]
    assert [bool(fact) for fact in facts] == [bool(move.result) for move in game.moves]
    out = [re.findall(r"(\w) is out", fact)[0] for fact in facts if "is out" in fact]
    assert [game.details["places"]["ABC".index(name)] for name in out] == [3, 2]


@pytest.mark.parametrize("kind", ["classic --first A", "salvo", "melee"])
def test_who_is_away_is_skipped_only_after_the_time_that_was_agreed(play: Play, kind: str, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(ui.time, "monotonic", lambda: now[0])
    read = ui.GameUI._read

    def later(ui: ui.GameUI) -> str:
        line = read(ui)
        while line.startswith("wait"):
            now[0] += float(line.split()[1])
            line = read(ui)
        return line

    monkeypatch.setattr(ui.GameUI, "_read", later)
    typed = ("" if kind == "melee" else PLACED + "|") + "wait 100|B: skip|A: skip|wait 21|A: skip|B: skip|B: board"
    never = play(f"{kind} --people 2", typed)
    assert sum("players are not skipped" in line for line in never) == 4
    assert not any("away and skipped" in line for line in never)
    lines = play(f"{kind} --people 2 --away 2", typed)
    assert sum("A may be skipped in 20 seconds" in line for line in lines) == 2
    assert lines.count("A: the game is waiting for you") == 1
    assert lines.count("*: A is away and was skipped") == 1
    if kind != "salvo":
        assert "B: your turn" in lines[lines.index("*: A is away and was skipped") :]


def test_who_is_away_from_the_screen_is_skipped_without_a_look_at_the_field(seabattle: Seabattle):
    typed = ["", "random", "ready", "", "random", "ready", "", "A1", "skip", "", "quit"]
    options = "--people 2 --first A --away 0.000001 --seed 4"
    lines = seabattle.told(f"classic {options}", typed=typed).splitlines()
    at = lines.index("B is away and was skipped")
    shown = next(i for i, line in enumerate(lines) if "A A1: " in line)
    assert not any(re.match(r" *\d+ ", line) for line in lines[shown + 1 : at]), lines[shown:at]


@pytest.mark.parametrize(
    ("names", "named"),
    [("anna,Anna", "anna"), ("B", "B"), ("x1", "x1"), ("a:b", "a:b"), ("A,B,C,D", "4"), ("n" * 21, "n" * 21)],
)
def test_names_that_cannot_be_told_apart_are_one_line(seabattle: Seabattle, names: str, named: str):
    assert named in seabattle.refused(f"classic --names {names}")


def rows_of(lines: list[str]) -> list[list[str]]:
    return [line.split()[2:] for line in lines if re.match(r"A: +\d+ ", line)]


@pytest.mark.parametrize("ends", ["A1-A4", "A1:A4", "a4..a1", "A1 - A4", "A1 A4-A2", "1A-4A", "А1-А4"])
def test_ships_are_given_by_their_ends(play: Play, ends: str):
    assert [row[0] for row in rows_of(play("classic", f"{ends}|board"))] == ["@"] * 4 + ["."] * 6


@pytest.mark.parametrize("ends", ["carrier A1-E5", "carrier E5:A1", "carrier A1 E5", "carrier A1 se"])
def test_ships_of_a_salvo_are_given_by_their_ends_diagonally_too(play: Play, ends: str):
    rows = rows_of(play("salvo", f"{ends}|board"))
    assert [row.index("C") for row in rows if "C" in row] == [0, 1, 2, 3, 4]


def test_a_fleet_whose_rest_has_no_room_is_not_moved_but_said_to_have_none(play: Play):
    lines = play("salvo", "battleship E1-E4|cruiser E7-E9|submarine A5-C5|destroyer H5-I5|random|carrier A1-A5")
    assert any("there is no room for the rest" in line for line in lines)
    assert any("touches" in line for line in lines[-3:]), lines[-3:]


def test_ends_that_are_no_straight_ship_are_told(play: Play):
    assert "A: A1 and B3 are not the ends of a straight ship" in play("classic", "A1-B3")
    lines = play("salvo", "carrier A1-D1|carrier A1-C2|carrier A1-Z1")
    assert "A: carrier has 5 decks, and from A1 to D1 there are 4" in lines
    assert "A: A1 and C2 are not the ends of a straight ship" in lines
    assert any("Z1" in line for line in lines)


@pytest.mark.parametrize("kind", ["classic", "salvo"])
def test_before_the_first_shot_a_ship_may_be_taken_back_and_all_placed_anew(play: Play, kind: str):
    lines = play(kind, "random|random|clear|ready|random|ready")
    rows = [line for line in lines if re.match(r"A: +\d+ ", line) and set(line) & set("@C")]
    assert len(set(rows)) > 3
    assert sum("the fleet is whole" in line for line in lines) == 2
    assert any(line.startswith("A: round 1") or line == "A: your turn" or "shoots first" in line for line in lines)


def test_in_a_salvo_by_chat_both_aim_at_once(play: Play):
    lines = play("salvo --people 2", f"{PLACED}|B: a1|B: b1|A: c1|A: d1")
    assert "B: fired; A is still aiming" in lines and "B: you have fired in this round" in lines
    assert sum(line.startswith("A: round 1: your hits") for line in lines) == 1
    assert "A: round 2: up to 6 shots" in lines and "A: fired; B is still aiming" in lines


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        ("classic", "left of B: 4x1 3x2 2x3 1x4"),
        ("salvo", "left of B: carrier, battleship, cruiser, submarine, destroyer"),
        ("melee", "B 4x1 3x2 2x3 1x4  |  C 4x1 3x2 2x3 1x4"),
    ],
)
def test_what_is_left_of_each_enemy_fleet_is_always_told(play: Play, kind: str, left: str):
    placed = "" if kind == "melee" else PLACED + "|"
    assert play(f"{kind} --people 2", f"{placed}A: board").count(f"A: {left}") >= 2


@pytest.mark.parametrize("kind", ["classic", "salvo", "melee"])
@pytest.mark.parametrize("level", LEVELS)
def test_computers_of_every_level_play_to_the_end(play: Play, kind: str, level: str):
    lines = play(f"{kind} --people 0 --level {level}")
    assert "has won" in lines[-1] or "a draw" in lines[-1]
    assert all(line.startswith("*: ") for line in lines)


def test_a_failure_of_the_program_ends_a_salvo_without_a_winner(play: Play, seabattle: Seabattle, monkeypatch):
    def fails(game: Salvo) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Salvo, "_resolve", fails)
    with pytest.raises(ZeroDivisionError):
        play("salvo", "random|ready|A1")
    assert (last().result, last().ending) == ("none", "failure")
    seabattle.refused("resume")


def test_a_salvo_in_which_all_is_skipped_comes_to_an_end():
    game = Salvo(Rng(1))
    game.fill(0)
    game.fill(1)
    for _ in range(2 * salvos.ROUNDS_MAX):
        game.skip(game.fired[0])
    assert (game.stage, game.outcome) == (salvos.OVER, salvos.ABANDONED)
