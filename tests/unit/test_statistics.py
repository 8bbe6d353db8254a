"""`seabattle sim --game`: computers at classic, salvo and melee."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from seabattle.melee_gunner import MeleeGunner
from seabattle.salvo import Salvo
from seabattle.variants import Variants
from seabattle_host.games import setup
from seabattle_host.language import words
from seabattle_host.simulation import games as statistics
from tests.calls import Seabattle
from tests.command import output
from tests.sizes import proof

FEW = proof(4, 12)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    words.use("en")


def figures(*arguments: str) -> str:
    return output("sim", "--games", str(FEW), "--seed", "1", *arguments)


def test_the_games_that_can_be_asked_for_are_those_that_there_are():
    assert set(setup.KINDS) == set(statistics.GAMES)


@pytest.mark.parametrize("name", statistics.GAMES)
def test_the_wins_add_up_and_every_game_has_a_line(name: str):
    lines = figures("--game", name, "--each").splitlines()
    assert len([line for line in lines if re.match(r"game \d+: won by ", line)]) == FEW
    wins = [int(found[1]) for line in lines if (found := re.match(r"won by .*: (\d+) \(", line))]
    assert sum(wins) == FEW and len(wins) == (2 if name == "classic" else 3)
    assert lines[FEW].startswith(f"{FEW} games of {name}, seed 1")


@pytest.mark.parametrize(
    "arguments",
    [
        *("classic", "classic --corners --bent --walls", "classic --large", "salvo", "melee"),
        "classic --field=26x6 --ships=1,1,1,1,1 --bent",
        "classic --field=6x6 --ships=0,0,1,2,3 --walls --corners",
    ],
)
def test_many_games_of_every_kind_keep_what_all_games_keep(seabattle: Seabattle, arguments: str):
    """Each move of them is looked at: the faults below are found in a single game."""
    large = {"--large", "--field=26x6"} & set(arguments.split())
    games = proof(2, FEW // 3) if large else FEW
    out = seabattle.told(f"sim --games {games} --seed 8 --game {arguments}")
    assert out.startswith(f"{games} games of {arguments.split()[0]}")


def ships_move(game: Variants, player: int, cell: int, shoot: Callable[..., int] = Variants.shoot) -> int:
    ships = game.fields[1 - player].ship
    if game.shots[player] == 3:
        ships[:100] = ships[99::-1]
    return shoot(game, player, cell)


def a_cell_twice(gunner: MeleeGunner, aim: Callable[..., int] = MeleeGunner.aim) -> int:
    return gunner.game.last if gunner.game.shots == 5 else aim(gunner)


@pytest.mark.parametrize(
    ("name", "kind", "what", "fault"),
    [
        ("classic", Variants, "shoot", ships_move),
        ("melee", MeleeGunner, "aim", a_cell_twice),
        # a wrong winner
        ("salvo", Salvo, "outcome", property(lambda self: 3 - self.views[0].outcome)),
    ],
)
def test_a_game_that_does_not_keep_it_is_named_with_what_repeats_it(
    name: str, kind: type, what: str, fault: object, monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle
):
    monkeypatch.setattr(kind, what, fault)
    assert f"game 0 of {name}, seed 8" in seabattle.refused(f"sim --games 1 --seed 8 --game {name}", status=1)


@pytest.mark.parametrize(
    ("game", "option"),
    [
        *(("melee", "--bent"), ("salvo", "--field=9x9"), ("", "--walls")),
        *(("melee", option) for option in ("--size=8", "--fleet=0,1,1,1", "--levels=hunt")),
        *(("melee", option) for option in ("--dask=127.0.0.1:1", "--plot=a.png")),
    ],
)
def test_variants_are_of_the_classic_game_only_and_what_goes_with_the_line_of_that(seabattle, game: str, option: str):
    asked = f"--game={game}" if game else ""
    assert option.partition("=")[0] in seabattle.refused(f"sim --games 1 {asked} {option}")


@pytest.mark.parametrize("name", statistics.GAMES)
def test_whoever_wins_has_shot_enough_and_nobody_more_than_there_are_cells(name: str):
    decks, cells = {"classic": (20, 100), "salvo": (17, 100), "melee": (1, 225)}[name]
    for outcome in statistics.play_all(name, 5, FEW // 2):
        assert len(outcome.shots) == statistics.GAMES[name][1] and max(outcome.shots) <= cells
        assert outcome.winner is None or outcome.shots[outcome.winner] >= decks
        assert (outcome.rounds > 0) == (name == "salvo")


def test_the_same_seed_gives_the_same_output_whatever_the_number_of_jobs():
    assert figures("--game", "salvo") == figures("--game", "salvo", "--jobs", "2")
