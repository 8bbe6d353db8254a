"""`seabattle sim --game`: computers at classic, salvo and melee."""

from __future__ import annotations

import re

import pytest

from seabattle_host import cli, sim, words
from seabattle_host.games import statistics

FEW = 12


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    words.use("en")


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["sim", "--games", str(FEW), "--seed", "1", *arguments]) == 0
    return capsys.readouterr().out


def test_the_games_that_can_be_asked_for_are_those_that_there_are():
    assert set(sim.OTHER_GAMES) == set(statistics.GAMES)


@pytest.mark.parametrize("name", statistics.GAMES)
def test_the_wins_add_up_and_every_game_has_a_line(capsys: pytest.CaptureFixture[str], name: str):
    lines = output(capsys, "--game", name, "--each").splitlines()
    assert len([line for line in lines if re.match(r"game \d+: won by ", line)]) == FEW
    wins = [int(found[1]) for line in lines if (found := re.match(r"won by .*: (\d+) \(", line))]
    assert sum(wins) == FEW and len(wins) == (2 if name == "classic" else 3)
    assert lines[FEW].startswith(f"{FEW} games of {name}, seed 1")


@pytest.mark.parametrize("name", statistics.GAMES)
def test_whoever_wins_has_shot_enough_and_nobody_more_than_there_are_cells(name: str):
    decks, cells = {"classic": (20, 100), "salvo": (17, 100), "melee": (1, 225)}[name]
    for outcome in statistics.play_all(name, 5, FEW):
        assert len(outcome.shots) == statistics.GAMES[name][1] and max(outcome.shots) <= cells
        assert outcome.winner is None or outcome.shots[outcome.winner] >= decks
        assert (outcome.rounds > 0) == (name == "salvo")


def test_the_same_seed_gives_the_same_output_whatever_the_number_of_jobs(capsys: pytest.CaptureFixture[str]):
    one = output(capsys, "--game", "salvo")
    assert one == output(capsys, "--game", "salvo", "--jobs", "2")


@pytest.mark.parametrize(
    "option", ["--size=8", "--fleet=0,1,1,1", "--levels=hunt", "--dask=127.0.0.1:1", "--plot=a.png"]
)
def test_what_goes_with_the_line_only_is_refused(capsys: pytest.CaptureFixture[str], option: str):
    assert cli.main(["sim", "--games", "1", "--game", "melee", option]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and option.partition("=")[0] in err
