"""The companion of a game by letter: whole games, what cannot be, going on, and what the jury reads in the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle.rng import Rng
from seabattle.variants import Rules, VariantField
from seabattle_host.games.letter_game import LetterGame
from tests.calls import Seabattle

Letter = Callable[..., list[str]]

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def letter(seabattle: Seabattle, home: Path) -> Letter:
    def command(options: str = "", *, typed: list[str]) -> list[str]:
        words = f"letter --me Anna --other Boris --seed 4 {options}"
        return seabattle.told(words, home / "game.txt", typed=typed).splitlines()

    return command


def fleet(seed: int, rules: Rules) -> VariantField:
    field = VariantField()
    field.reset(rules)
    assert field.random(Rng(seed))
    return field


@pytest.mark.parametrize("variant", ["", "--corners --bent", "--large --letters russian"])
def test_a_whole_game_by_its_suggestions_is_one_that_the_jury_finds_clean(
    letter: Letter, home: Path, seabattle: Seabattle, variant: str
):
    letter(variant, typed=["random", "ready"])
    game = LetterGame(home / "game.txt")
    theirs = fleet(9, game.case.rules)
    width = theirs.width
    decks = [cell for cell in range(width * theirs.height) if theirs.ship[cell]]
    while not game.over:
        shot = [move[:2] for move in game.case.moves]
        # a field that is nearly open takes the longest to think about
        cell = game.suggest(Rng(1)) if len(shot) < 24 else next(c for c in decks if (0, c) not in shot)
        result = theirs.shoot(cell)
        assert not game.doubt(cell, result)
        game.add(0, cell, result)
        if not result:
            other = len(game.case.moves) % (width * theirs.height)
            game.add(1, other, game.answer_to(other))
    rows = ["".join("@" if theirs.ship[y * width + x] else "." for x in range(width)) for y in range(theirs.height)]
    told = letter(typed=["suggest", "field", *rows])
    assert any("nobody" in line.lower() or "clean" in line.lower() for line in told), told[-5:]
    seabattle.told("jury", home / "game.txt")


def test_what_cannot_be_is_said_at_once_and_noted_only_if_that_is_wanted(letter: Letter, home: Path):
    letter(typed=["random", "ready"])
    shots = "B2 hit,B3 sunk,C3 hit,C3 miss,E5 sunk,F6 sunk,D1 repeat,B2 miss,B2 hit"
    impossible = [line for line in letter(typed=shots.split(",")) if line.startswith("impossible")]
    assert [re.findall(r"[A-J]\d", line)[0] for line in impossible] == ["C3", "F6", "D1", "B2"]
    assert "F6 sunk !" in impossible[1]
    letter(typed=["F6 sunk !"])
    assert "Anna F6 sunk" in (home / "game.txt").read_text()
    assert any("impossible" in line for line in letter(typed=["board"]))


def test_a_shot_of_the_other_is_answered_by_the_field_and_a_wrong_answer_is_told(letter: Letter):
    letter(typed=["A1:D1", "random", "ready"])
    shots = "Boris A1,boris b1 miss,Boris J9 !,Boris C1?,Boris D1,Boris B1,Boris A1,Boris A2"
    lines = letter(typed=shots.split(","))
    answers = [line.removeprefix("answer: ") for line in lines if line.startswith("answer: ")]
    told = ["A1 hit", "C1 hit", "D1 hit", "B1 sunk", "A1 repeated", "A2 miss"]
    assert [answer for answer in answers if "J9" not in answer] == told
    assert sum("your field says 'hit' at B1" in line for line in lines) == 1


def test_what_the_other_has_written_is_read_as_people_write(letter: Letter, home: Path):
    letter(typed=["A1:D1", "random", "ready"])
    lines = letter(typed=["Boris: A1", "boris - b 1.", "J 9 - miss.", "Anna: j10, miss"])
    assert [line for line in lines if line.startswith("answer: ")] == ["answer: A1 hit", "answer: B1 hit"]
    noted = (home / "game.txt").read_text().splitlines()
    assert noted[-4:] == ["Boris A1 hit", "Boris B1 hit", "Anna J9 miss", "Anna J10 miss"]


def test_a_misreport_is_put_right_only_if_both_agree(letter: Letter, tmp_path: Path):
    letter(typed=["random", "ready"])
    lines = letter(typed=["C3 hit", "correct C3 miss", "correct C3 miss agreed", "correct D4 miss agreed"])
    assert sum("needs the agreement of both" in line for line in lines) == 1
    assert sum("there was no shot at D4" in line for line in lines) == 1
    assert "correct Anna C3 miss agreed Anna, Boris" in (tmp_path / "game.txt").read_text()
    assert LetterGame(tmp_path / "game.txt").case.moves == [(0, 22, 0)]


def test_a_letter_whose_last_line_was_left_open_goes_on_in_the_next(letter: Letter, tmp_path: Path):
    letter(typed=["random", "ready", "B7 miss"])
    path = tmp_path / "game.txt"
    path.write_text(path.read_text().replace("shots", "Выстрелы").rstrip(), encoding="utf-8")
    letter(typed=["Boris A1"])
    assert path.read_text(encoding="utf-8").splitlines()[-2:][0] == "Anna B7 miss"
    letter(typed=["field", *["." * 10] * 10])
    assert path.read_text(encoding="utf-8").partition("Выстрелы")[0].count("\n" + "." * 10) >= 10


@pytest.mark.parametrize(
    "content",
    [
        "player Anna\nplayer Boris\nshots\n",
        "rubbish\n",
        "player Anna\n" + "..........\n" * 10 + "player B\n",
        f"player Anna\n@@@@{'......' + chr(10)}{('.' * 10 + chr(10)) * 9}player B",
    ],
)
def test_what_is_no_such_file_is_one_line(home: Path, seabattle: Seabattle, content: str):
    (home / "g.txt").write_text(content)
    assert "g.txt" in seabattle.refused("letter", home / "g.txt")
