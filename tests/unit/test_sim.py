"""`seabattle sim`: the same figures for the same seed, however they are computed; charts of them; other games."""

from __future__ import annotations

import math
import multiprocessing
import os
import re
import signal
import statistics
import subprocess
import sys
import xml.etree.ElementTree
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seabattle.melee_gunner import MeleeGunner
from seabattle.salvo import Salvo
from seabattle.variants import Variants
from seabattle_host.games import setup
from seabattle_host.player.parameters import SEED_MOST, Parameters
from seabattle_host.simulation import sim
from seabattle_host.simulation.games import GAMES
from tests.calls import Seabattle
from tests.command import output
from tests.sizes import proof

ARGUMENTS = "sim --size 6 --fleet 0,0,1,2 --levels hunt,random".split()


pytestmark = pytest.mark.usefixtures("english")


def output_of(*arguments: str) -> str:
    # a process of its own, without threads: its jobs are forks
    return output(*ARGUMENTS, *arguments)


def test_the_same_seed_gives_the_same_output_whatever_the_number_of_jobs():
    outputs = {output_of("--games", "23", "--seed", "5", "--each", "--jobs", str(jobs)) for jobs in (1, 2, 3)}
    assert len(outputs) == 1
    assert output_of("--games", "23", "--seed", "6", "--each") not in outputs
    assert figures("--game", "salvo") == figures("--game", "salvo", "--jobs", "2")


def test_the_output_names_what_was_played_and_adds_up():
    """And there is no progress bar without a terminal."""
    lines = output_of("--games", "10", "--seed", "1").splitlines()
    assert lines[0] == "10 games, 6x6, fleet 0,0,1,2, seed 1"
    wins = {line.split(":")[0]: int(line.split(":")[1].split()[0]) for line in lines if line.startswith("won by")}
    assert wins["won by A (hunt)"] + wins["won by B (random)"] == 10
    assert wins["won by master"] + wins["won by slave"] == 10
    figures = ["shots of the winner", "shots of the loser", "ticks", "bytes"]
    assert [line.split("  ")[0] for line in lines[-4:]] == figures


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 1000), min_size=1), st.lists(st.integers(0, 1000)))
def test_figures_of_parts_add_up_to_those_of_the_whole(one: list[int], two: list[int]):
    counts = Counter(one)
    counts.update(two)
    values = one + two
    mean, error = sim.mean_and_error(counts)
    assert mean == pytest.approx(statistics.fmean(values))
    if len(values) > 1:
        assert error == pytest.approx(statistics.stdev(values) / math.sqrt(len(values)), abs=1e-9)
    assert sim._median(counts) == statistics.median_low(values)


def test_merging_tallies_is_adding_their_games():
    games = sim.play_chunk(sim.Spec(Parameters(6, 0, 0, 1, 2), (1, 1), 2), 0, 12)
    whole, left, right = tallies = sim.Tally(), sim.Tally(), sim.Tally()
    for tally, some in zip(tallies, (games, games[:5], games[5:]), strict=True):
        for game in some:
            tally.add(game)
    right.merge(left)
    assert right == whole


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, SEED_MOST), st.integers(0, 10**9), st.integers(0, 10**9))
def test_games_have_seeds_of_their_own(seed: int, index: int, other: int):
    assert 0 <= sim.derive_seed(seed, index, 0) <= SEED_MOST
    assert sim.derive_seed(seed, index, 0) != sim.derive_seed(seed, index, 1)
    if index != other:
        pairs = {(sim.derive_seed(seed, i, 0), sim.derive_seed(seed, i, 1)) for i in (index, other)}
        assert len(pairs) == 2


def test_a_game_that_goes_wrong_is_named_with_what_repeats_it(monkeypatch: pytest.MonkeyPatch, seabattle: Seabattle):
    monkeypatch.setattr(sim, "_LONGEST_US", 1000)
    status, _, err = seabattle(" ".join(ARGUMENTS), "--games", 2, "--seed", 4)
    assert status == 1 and "game 0 of seed 4" in err


def test_nothing_is_left_of_a_run_continued_behind_its_end(seabattle: Seabattle):
    refused = seabattle.refused(" ".join(ARGUMENTS), "--games", 4, "--from", 4, "--lang", "en")
    assert "--from 4 leaves none of the 4 games" in refused


@pytest.mark.parametrize("game", ["serial", "classic", "melee"])
def test_a_run_continued_plays_the_games_of_the_whole(game: str):
    def games(*arguments: str) -> list[str]:
        small = ARGUMENTS[1:] if game == "serial" else ["--game", game]
        told = output("sim", *small, "--seed", "5", "--each", *arguments).splitlines()
        return [line for line in told if line.startswith("game ")]

    whole = games("--games", "7")
    assert len(whole) == 7
    assert games("--games", "4") + games("--games", "7", "--from", "4", "--jobs", "2") == whole


@pytest.mark.parametrize(("game", "jobs"), [("classic", "1"), ("serial", "2")])
def test_ctrl_c_gives_the_figures_so_far_and_says_how_to_go_on(game: str, jobs: str):
    small = ARGUMENTS[1:] if game == "serial" else ["--game", game]
    command = [sys.executable, "-m", "seabattle_host", "sim", *small, "--games", "1000000", "--seed", "5", "--each"]
    with subprocess.Popen(
        [*command, "--jobs", jobs, "--lang", "en"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        lines = [first, *process.stdout]
        said = process.stderr.read()
    games = [line for line in lines if line.startswith("game ")]
    assert process.returncode == 130
    assert any(line.startswith(f"{len(games)} game") for line in lines)
    assert f"--seed 5 and --from {len(games)}\n" in said
    assert "Traceback" not in said


def hold(lock: Any, held: Any) -> None:
    sim.begin_worker()
    with lock:
        held.set()
        signal.pause()


@pytest.mark.skipif(os.name != "posix", reason="left out: needs signals")
def test_a_worker_that_is_ended_gives_its_lock_back():
    context = multiprocessing.get_context("fork")
    lock, held = context.Lock(), context.Event()
    worker = context.Process(target=hold, args=(lock, held))
    worker.start()
    assert held.wait(30)
    worker.terminate()
    worker.join(30)
    assert lock.acquire(timeout=1)


DRAWN = "sim --games 4 --seed 1 --size 6 --fleet 0,0,1,2 --levels hunt,random --plot"


def test_a_picture_names_both_players_and_their_figures(tmp_path: Path, seabattle: Seabattle):
    seabattle.told(DRAWN, tmp_path / "games.svg")
    text = (tmp_path / "games.svg").read_text(encoding="utf-8")
    xml.etree.ElementTree.fromstring(text)
    assert "A: hunt" in text and "B: random" in text


@pytest.mark.parametrize("name", ["games.txt", "nowhere/games.png"])
def test_what_cannot_be_drawn_is_said_before_a_game_is_played(name: str, tmp_path: Path, seabattle: Seabattle):
    seabattle.refused(DRAWN, tmp_path / name)


FEW = proof(4, 12)


def figures(*arguments: str) -> str:
    return output("sim", "--games", str(FEW), "--seed", "1", *arguments)


def test_the_games_that_can_be_asked_for_are_those_that_there_are():
    assert set(setup.KINDS) == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
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
    """Every move is checked: the faults below are found in a single game."""
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
