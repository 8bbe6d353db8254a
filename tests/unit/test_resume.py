"""Resumed games: at one screen and by chat after they were left or the program was killed; and by letter."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle.rng import Rng
from seabattle.variants import Rules, VariantField
from seabattle_host.games import journal
from seabattle_host.games.letter_game import LetterGame
from seabattle_host.games.setup import Setup
from seabattle_host.records.archive import UNFINISHED, Archive
from tests.calls import Seabattle, full_disk

pytestmark = pytest.mark.usefixtures("home")


Play = Callable[..., list[str]]


@pytest.fixture
def play(seabattle: Seabattle) -> Play:
    return lambda words, typed=(): seabattle.told(words, typed=typed).splitlines()


def shots(width: int, seed: int) -> list[str]:
    """Return every cell of a field in some order: most are refused in the end, which changes nothing."""
    cells = [f"{chr(65 + cell % width)}{cell // width + 1}" for cell in range(width * width)]
    random.Random(seed).shuffle(cells)
    return cells


def scripts(kind: str, people: int) -> list[str]:
    """Return what players type in a whole game by chat."""
    seats = "ABC"[:people]
    typed = [f"{seat}: {word}" for seat in seats if kind != "melee" for word in ("random", "random", "ready")]
    if kind == "melee":
        return [f"{seat}: {cell}" for cell in shots(15, 1) for seat in seats]
    cells = shots(10, 2)
    if kind == "salvo":
        return typed + [f"{seat}: {' '.join(cells[i : i + 2])}" for i in range(0, 100, 2) for seat in seats]
    return typed + [f"{seat}: {cell}" for cell in cells for seat in seats for _ in range(2)]


@pytest.mark.parametrize(("kind", "people"), [("classic", 1), ("salvo", 2), ("melee", 3)])
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


def test_games_that_were_left_are_listed_by_when_they_began():
    journals = [journal.Journal(Setup("melee", 1, seed), chat=False) for seed in range(5)]
    for each in journals:
        each.close(forget=False)
    assert [game.path for game in journal.unfinished()] == [each.path for each in journals]


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
    """One finds no key, and before it has made its own the other has."""
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
        # a nearly open field takes the longest to think about
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


def test_a_letter_that_finds_no_room_keeps_what_it_has_and_says_so(letter: Letter, tmp_path: Path, seabattle):
    assert "there is no folder" in seabattle.refused("letter", tmp_path / "no" / "game.txt")
    letter(typed=["random", "ready", "B7 miss"])
    before = (tmp_path / "game.txt").read_bytes()
    with full_disk(len(before) + 3):
        told = letter(typed=["Boris A1"])
    assert any(line.startswith("cannot write ") and "game.txt" in line for line in told)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("[.g]*")} == {"game.txt": before}


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
