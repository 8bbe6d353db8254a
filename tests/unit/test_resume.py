"""Games at one screen and by chat that go on after they were left, or after the program was killed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle_host.games import journal
from seabattle_host.records.archive import UNFINISHED, Archive
from tests.calls import Seabattle

pytestmark = pytest.mark.usefixtures("home")


Play = Callable[..., list[str]]


@pytest.fixture
def play(seabattle: Seabattle) -> Play:
    return lambda words, typed=(): seabattle.told(words, typed=typed).splitlines()


def shots(width: int, seed: int) -> list[str]:
    """Every cell of a field in some order: most are refused in the end, which changes nothing."""
    cells = [f"{chr(65 + cell % width)}{cell // width + 1}" for cell in range(width * width)]
    random.Random(seed).shuffle(cells)
    return cells


def scripts(kind: str, people: int) -> list[str]:
    """What people type in a whole game by chat."""
    seats = "ABC"[:people]
    typed = [f"{seat}: {word}" for seat in seats if kind != "melee" for word in ("random", "random", "ready")]
    if kind == "melee":
        return [f"{seat}: {cell}" for cell in shots(15, 1) for seat in seats]
    cells = shots(10, 2)
    if kind == "salvo":
        return typed + [f"{seat}: {' '.join(cells[i : i + 2])}" for i in range(0, 100, 2) for seat in seats]
    return typed + [f"{seat}: {cell}" for cell in cells for seat in seats for _ in range(2)]


@pytest.mark.parametrize(("kind", "people"), [("classic", 1), ("classic", 2), ("salvo", 1), ("salvo", 2), ("melee", 3)])
def test_a_game_that_is_broken_off_ends_as_one_that_is_not(play: Play, kind: str, people: int):
    typed = scripts(kind, people)
    begin = f"{kind} --chat --people {people} --names Anna --seed 4"
    whole = play(begin, typed)
    for path in journal.folder().glob("*.game"):
        path.unlink()
    pieces = [play(begin, typed[:2])]
    for part in (typed[2:7], typed[7:13], typed[13:]):
        assert "seabattle resume" in pieces[-1][-1]
        assert len(play("resume --list")) == 1
        pieces.append(play("resume", part))
        assert "*: the game goes on" in pieces[-1]
    told = [line for piece in pieces for line in piece if "the game goes on" not in line and "resume" not in line]
    public = [line for line in told if line.startswith("*: ")]
    assert public == [line for line in whole if line.startswith("*: ") and "resume" not in line]
    if whole[-1].startswith("*: the game was left"):
        assert pieces[-1][-1] == whole[-1]
    else:
        assert play("resume --list") == ["there is no game to continue"]
    with Archive() as archive:
        first, second = archive.games()
    made = [[(m.player, m.x, m.y, m.result) for m in game.moves] for game in (first, second)]
    assert made[0] == made[1]
    assert (second.result, second.ending, second.players) == (first.result, first.ending, first.players)
    assert second.players[0].startswith("Anna")


def test_a_line_that_was_cut_off_and_one_of_another_version_cost_no_more_than_they_must(play: Play):
    play("classic --chat --seed 4", ["random", "ready", "A1"])
    (path,) = journal.folder().glob("*.game")
    path.write_bytes(path.read_bytes()[:-9])
    assert [line for _, line in journal.load(path).typed] == ["random", "ready"]
    assert any(re.match(r"\*: A A1: ", line) for line in play("resume", ["A1"]))
    path.write_bytes(b"rubbish\n")
    assert play("resume --list") == ["there is no game to continue"]


def test_a_game_that_is_open_is_not_opened_twice(play: Play, seabattle: Seabattle):
    play("melee --chat --seed 4", ["A1"])
    (game,) = journal.unfinished()
    held = journal.Journal(game.setup, True, game.path)
    complaint = seabattle.refused("resume")
    held.close(forget=False)
    assert "another program" in complaint


def test_who_has_nothing_to_go_on_with_is_told_so(play: Play, seabattle: Seabattle):
    assert "there is no game to continue" in seabattle.refused("resume")
    play("salvo --chat", ["quit"])
    seabattle.refused("resume")
    play("salvo --chat", ["random"])
    assert "7" in seabattle.refused("resume 7")
    with Archive() as archive:
        assert all(game.result == UNFINISHED for game in archive.games())


def test_nothing_hidden_stands_in_a_file_of_a_game_that_was_left(play: Play, tmp_path: Path):
    play("classic --chat --people 2 --seed 4", ["A1:D1", "random", "ready"])
    with Archive() as archive:
        assert not archive.games()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files and not any(b"A1:D1" in path.read_bytes() for path in files)


def test_two_programs_that_make_the_key_at_once_have_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """One finds none, and before it has made its own another has."""
    other: list[bytes] = []
    draw = journal.secrets.token_bytes

    def drawn(count: int) -> bytes:
        if not other:
            other.append(b"")
            other[0] = journal._key(tmp_path)
        return draw(count)

    monkeypatch.setattr(journal.secrets, "token_bytes", drawn)
    mine = journal._key(tmp_path)
    assert mine == other[0] == journal._key(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
