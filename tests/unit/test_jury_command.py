"""`seabattle jury`: games from files of both forms and from the history, their verdicts, errors in a file."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest

from seabattle import jury, reveal
from seabattle.field import HIT, MISS, REPEAT, SUNK
from seabattle.rng import Rng
from seabattle.variants import OK, Rules, VariantField
from seabattle_host.jury import verdict
from seabattle_host.jury.letter import DECKS, RULES, WATER, read
from seabattle_host.jury.shots import ANSWERS
from seabattle_host.jury.verdict import Finding, Verdict
from seabattle_host.language import words
from seabattle_host.records.archive import Archive, Game, Move
from tests.calls import Seabattle
from tests.sizes import proof

GAME = """\
// by letter, in the spring
field 6x6
ships 0,0,1,1,2
player Anna Karenina
. @ @ @ . .
. . . . . .
. . . . . @
. . . . . @
. . . . . .
. . @ . . @
player Boris
......
.@....
......
.@@@.@
.....@
@.....
shots
Anna Karenina B2 sunk
Anna Karenina A4 miss
Boris Б1 ранен
Boris 1C HIT
Boris d1 убит
Boris F6 sunk
Boris E3 мимо
"""


pytestmark = pytest.mark.usefixtures("home")


CLEAN = "the jury: nobody cheated; fields and answers keep the rules"
Judged = Callable[..., list[str]]


@pytest.fixture
def judged(home: Path, seabattle: Seabattle) -> Judged:
    """Has a game in a file judged; returns the lines of the verdict, or the error, and checks the exit status."""

    def judge(text: str, options: str = "") -> list[str]:
        path = home / "game.txt"
        path.write_text(text, encoding="utf-8")
        status, out, err = seabattle("jury", path, *options.split())
        assert (status == 2) == (out == "") == (err != "") and err.count("\n") == (status == 2)
        lines = (out or err).splitlines()
        assert status == (2 if err else 0 if lines[0] == CLEAN else 1), lines
        return lines

    return judge


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("Anna Karenina B2 sunk", "Anna Karenina B2 hit", "Boris: shot 1 at B2 was answered 'hit', it was 'sunk'"),
        ("Boris E3 мимо", "Boris E3 повтор", "Anna Karenina: shot 5 at E3 was answered 'repeated', it was 'miss'"),
        (". @ @ @ . .\n. . . . . .", ". @ @ @ . .\n. . . . @ .", "Anna Karenina: ships touch at E2"),
        (".@@@.@", "@@@@.@", "Boris: one ship of 4 decks too many, at A4"),
        ("@.....\nshots", "......\nshots", "Boris: a ship of 1 deck is missing"),
        (".@@@.@\n.....@", ".@@@..\n...@..", "Boris: one ship of 4 decks too many, at B4"),
        ("ships 0,0,1,1,2", "ships 0,0,1,1,2\nrules walls", "Anna Karenina: one ship along a wall too many, at C6"),
    ],
)
def test_what_breaks_the_rules_is_named_and_turns_the_result(before: str, after: str, found: str, judged: Judged):
    assert before in GAME
    assert judged(GAME.replace(before, after)) == [f"the jury: {found.split(':')[0]} cheated and so lost", found]


INNER = "......\n.@@@..\n......\n.@..@.\n....@.\n@.....\n"
AT_WALLS = ".@@@..\n......\n......\n.@...@\n.....@\n@.....\n"


@pytest.mark.parametrize(
    ("rules", "field", "shots", "found"),
    [
        # next to the wreck, and the wreck again
        ("rules serial\n", INNER, "a B5 miss\na A6 hit", ""),
        ("rules serial\n", INNER, "a B5 miss\na B6 miss\na A6 miss", ""),
        ("", INNER, "a B5 miss\na B6 miss\na A6 miss", "b: shot 4 at A6 was answered 'miss', it was 'sunk'"),
        ("rules serial\n", AT_WALLS, "a B5 miss", "a: one ship along a wall too many, at A6"),
    ],
)
def test_a_serial_game_is_judged_by_the_protocol(rules: str, field: str, shots: str, found: str, judged: Judged):
    text = f"field 6x6\nships 0,0,1,1,2\n{rules}player a\n{field}player b\n{INNER}shots\na A6 sunk\n{shots}\n"
    assert judged(text)[1:2] == [found] * bool(found)


FIELD = (".@@@......", *["." * 10] * 2, "@.@@.@@...", *["." * 10] * 6)


def a_letter_game(*lines: str, letters: str = "") -> str:
    head = f"letters {letters}\n" if letters else ""
    return "\n".join([head + "ships 0,0,1,2,1", "player Anna", *FIELD, "player Boris", *FIELD, "shots", *lines, ""])


@pytest.mark.parametrize(
    ("letters", "cell"),
    [("russian-yo", "Ж1"), ("russian", "З1"), ("respublika", "И1"), ("АБВГДЕЁЖЗИ", "Ж1"), ("", "З1")],
)
def test_the_letters_of_the_columns_are_those_that_were_agreed_on(letters: str, cell: str, judged: Judged):
    assert judged(a_letter_game(f"Anna {cell} miss", letters=letters)) == [CLEAN]
    wrong = judged(a_letter_game(f"Anna {cell} hit", letters=letters))
    assert wrong[1] == f"Boris: shot 1 at {cell if letters else 'H1'} was answered 'hit', it was 'miss'"


@pytest.mark.parametrize(
    ("shots", "told"),
    [
        # a wrong answer that both corrected accuses nobody
        (("Anna B1 miss", "correct Anna B1 hit agreed Anna, Boris"), CLEAN),
        (("Anna B1 miss",), "Boris cheated"),
        (("Anna B1 miss", "correct Anna B1 hit agreed Anna"), "counts if both agreed"),
        (("correct Anna B1 hit agreed Anna, Boris",), "no shot like 'Anna B1 hit'"),
        # a line may hold several shots or none
        (
            (
                "Round 1\n| Player | Cell | Answer |\n|---|---|---|\n--- Раунд 2 ---",
                "Anna B1 hit, C1 hit, D1 hit and sunk, J10 miss",
                "1. Anna J9 miss; Boris B1 ранил. Boris C1 - мимо",
            ),
            "Anna: shot 2 at C1 was answered 'miss', it was 'hit'",
        ),
        # ambiguous lines are refused
        (("Anna J10 not hit",), ":25: 'not' is not understood"),
        (("Anna J10 не попал",), ":25: 'не' is not understood"),
        (("Anna B1 hit, miss",), ":25: 'hit miss' is not an answer"),
        (("Anna B1 C1 hit",), ":25: a shot is 'NAME B7 miss'"),
        (("Boris was hit at B1",), ":25: 'was' is not understood"),
        (("Boris answers B1 hit",), ":25: 'answers' is not understood"),
        (("Boris's ship B1 hit",), ":25: 'ship' is not understood"),
        (("Boris: Anna B1 hit",), ":25: a shot is 'NAME B7 miss'"),
        (("B1 hit",), ":25: a shot is 'NAME B7 miss'"),
        # Е is the 6th column, E the 5th; next to Б nobody can tell which one was meant
        (("Anna Б10 мимо", "Anna E4 ранен"), "'E4': its letter is in both alphabets"),
        (("Anna: Б10 мимо", "1) Anna - E4 ранен"), "'E4': its letter is in both alphabets"),
        (("Anna E4 ранен",), "Boris cheated"),
    ],
)
def test_what_is_told_of_the_shots_is_understood_or_refused(shots: tuple[str, ...], told: str, judged: Judged):
    assert told in "\n".join(judged(a_letter_game(*shots)))


def test_a_letter_of_another_alphabet_than_the_agreed_one_is_told(judged: Judged):
    (problem,) = judged(a_letter_game("Anna P1 miss", letters="respublika"))
    assert "РЕСПУБЛИКА" in problem and "P1" in problem


def test_a_shot_out_of_turn_is_named_and_accuses_nobody(judged: Judged):
    game = a_letter_game("Anna J9 miss", "Anna J8 miss", "Boris B1 hit", "Anna J7 miss")
    assert judged(game) == [CLEAN]
    assert [line.split(":")[0] for line in judged("rules turns\n" + game)] == ["the jury", "shot 2, J8", "shot 4, J7"]


SHOTS = """\
Anna J10 miss | anna j 10 miss. | ANNA: J-10 – miss! | Anna 10J, miss | Anna - j10 - МИМО; | 2. Anna J10 miss
[2] Anna: J10? miss! | - Anna -> J10 = miss | 12:05 Anna (J10)... miss | > > 2) Anna: J10 miss | 3,Anna,J10,miss
2026-11-28 12:00:05 Anna\tJ10\tmiss | [28.11.26, 12:00:05] Anna: **J10** → miss | Anna;"J10";miss
Round 3: Anna J10 miss | 3rd move. Anna (12:05): J10 - miss | Anna -> Boris: J10 miss | Anna miss at J10
Anna at J10: miss | Anna fires at j-10. Result: miss. | Anna J10? Boris: miss! | Anna стреляет в J 10 и МИМО
Ход 3: Anna, клетка J10, ответ: МИМО | Shooter: Anna, cell J10, it was a miss
"""
"""Separated by bars with spaces around them."""


@pytest.mark.parametrize("shot", [*SHOTS.strip().replace("\n", " | ").split(" | "), "| Anna | J10 | miss |"])
def test_a_shot_is_read_as_people_write_it(shot: str, judged: Judged):
    text = a_letter_game("Anna B1 hit", shot)
    assert judged(text) == [CLEAN]
    assert "shot 2 at J10" in judged(text.replace("miss", "hit").replace("МИМО", "ранен"))[1]


@pytest.mark.parametrize(
    ("ships", "player", "shots", "correct", "agreed", "columns"),
    [
        ("Ships", "Player", "Shots", "correct", "agreed", "ABCDEFGHIJ"),
        ("Корабли", "Игрок", "Выстрелы", "исправить", "согласны", "АБВГДЕЖЗИК"),
    ],
)
def test_a_field_may_be_drawn_with_its_edges_and_the_words_be_russian(
    ships: str, player: str, shots: str, correct: str, agreed: str, columns: str, judged: Judged
):
    rows = "\n".join(f"{number:2}| {' '.join(row)} |" for number, row in enumerate(FIELD, 1))
    fields = "".join(f"{player}: {name}\n```\n   {' '.join(columns)}\n{rows}\n```\n" for name in ("Anna", "Boris"))
    told = f"Anna J10 miss\nBoris B1 hit\n{correct} Anna J10 miss {agreed} Anna, Boris\n"
    text = f"{ships}: 0,0,1,2,1\n{fields}{shots}:\n{told}"
    assert judged(text) == [CLEAN]
    assert "shot 1 at J10" in judged(text.replace("J10 miss", "J10 hit"))[1]


# Errors in a file.


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("field 6x6", "field 5x6", "game.txt:2: 'field WIDTHxHEIGHT'"),
        ("field 6x6", "field six", "game.txt:2: 'field WIDTHxHEIGHT'"),
        ("ships 0,0,1,1,2", "ships 0,1,1,2", "game.txt:3: 'ships' are five counts"),
        ("ships 0,0,1,1,2", "ships 99,99,1,1,2", "the fleet does not fit"),
        ("ships 0,0,1,1,2", "rules round", "game.txt:3: 'rules' are some of: corners, bent, walls, serial"),
        (". @ @ @ . .", ". @ @ @ .", "game.txt:5: a row has 6 signs"),
        (". @ @ @ . .", ". @ @ ? . .", "game.txt:5: a row has 6 signs"),
        (". . @ . . @\n", "", "the field of Anna Karenina has 6 rows"),
        ("player Boris", ". . . . . .\nplayer Boris", "game.txt:11: the field of Anna Karenina has 6 rows"),
        ("player Boris\n", "", "has 6 rows"),
        ("player Boris", "player Anna Karenina", "game.txt:11: 'player NAME' stands twice"),
        ("player Boris", "player", "game.txt:11: 'player NAME' stands twice"),
        ("Boris E3", "Vera E3", "game.txt:25: a shot is 'NAME B7 miss' with one of the names Anna Karenina, Boris"),
        ("Boris E3 мимо", "E3", "game.txt:25: a shot is"),
        ("Boris E3", "Boris Z3", "game.txt:25: 'Z3' is not a cell"),
        ("Boris E3", "Boris E7", "game.txt:25: 'E7' is not a cell"),
        ("мимо", "perhaps", "game.txt:25: 'perhaps' is not an answer: miss, hit, sunk, repeated"),
        (GAME, "", "game.txt: two fields are needed, each begun by a line 'player NAME'; here are 0"),
        (GAME, "hello", "game.txt:1: 'hello' is not expected here"),
        (GAME, "{", "game.txt is not a game that can be judged"),
        (GAME, "[" * 100_000, "game.txt is not a game that can be judged"),
        (GAME, "[]", "game.txt is not a game that can be judged"),
        ("field 6x6", "rules salvo", "game.txt:2 is a game of the kind 'salvo'; the jury judges serial and classic"),
        ("field 6x6", "Игра: Свалка", "game.txt:2 is a game of the kind 'свалка'"),
        (GAME, '{"kind": "melee", "moves": [{"player": 2}]}', "game.txt is a game of the kind 'melee'"),
    ],
)
def test_bad_input_is_one_line_that_names_the_place_and_the_remedy(
    before: str, after: str, complaint: str, judged: Judged
):
    assert before in GAME
    (line,) = judged(GAME.replace(before, after))
    assert line.startswith("seabattle: ") and complaint in line


def test_a_file_that_cannot_be_read_is_named(home: Path, seabattle: Seabattle):
    assert "cannot read" in seabattle.refused("jury", home / "none.txt")
    (home / "bytes").write_bytes(b"\xff\xfe\x00")
    assert "is not text in UTF-8" in seabattle.refused("jury", home / "bytes")
    for arguments in ("", "--game 1 file", "--game 0", "--game 1"):
        seabattle.refused(f"jury {arguments}")


def test_any_damage_to_a_file_is_a_verdict_or_one_line(judged: Judged):
    lots = random.Random(6)
    seen = set()
    for _ in range(400):
        lines = GAME.splitlines(keepends=True)
        for _ in range(lots.randint(1, 3)):
            at = lots.randrange(len(lines))
            how = lots.randrange(4)
            if how == 0:
                del lines[at]
            elif how == 1:
                lines.insert(at, lots.choice(lines))
            else:
                place = lots.randrange(len(lines[at]))
                sign = lots.choice(string.printable + "Б@.")
                lines[at] = lines[at][:place] + sign + lines[at][place + 1 :]
        head = judged("".join(lines))[0]
        seen.add("refused" if head.startswith("seabattle: ") else "clean" if head == CLEAN else "cheated")
    assert seen == {"refused", "clean", "cheated"}


# Stored games.


def game(seed: int, **changes: object) -> Game:
    """Return a game by the protocol's rules of two honest players who shoot at random."""
    rules, lots = Rules(), random.Random(seed)
    assert rules.custom(8, 8, 0, 1, 1, 1, 2, walls=True) == OK
    fields = [VariantField(64), VariantField(64)]
    for number, field in enumerate(fields):
        field.reset(rules)
        assert field.random(Rng(2 * seed + number))
    ships = [verdict.ships_of(field.ship[:64], 8) for field in fields]
    orders = [lots.sample(range(64), 40) for _ in fields]
    moves = []
    for cells in zip(*orders, strict=True):
        for player, cell in enumerate(cells):
            beside = fields[1 - player].mark[cell]
            moves.append(Move(player, cell % 8 + 1, cell // 8 + 1, 0 if beside else fields[1 - player].shoot(cell)))
    how: dict = dict(players=["Anna", "BOARD"], width=8, height=8, fleet={4: 1, 3: 1, 2: 1, 1: 2}, role="slave")
    return Game(**{**how, "ships": ships, "moves": moves, **changes})


def keep(game: Game) -> None:
    with Archive() as archive:
        moves, game.moves = game.moves, []
        archive.begin(game)
        for move in moves:
            archive.add(game, move)


def test_a_classic_game_is_judged_by_the_rules_that_it_was_played_by(seabattle: Seabattle):
    rules, field = Rules(), VariantField(64)
    assert rules.custom(8, 8, 0, 1, 1, 1, 2, True, True) == OK
    field.reset(rules)
    for cells in ([0, 1, 2, 8], [19, 20, 27], [40, 41], [50], [63]):
        assert field.place_cells(cells, len(cells)) == OK
    ships = verdict.ships_of(field.ship[:64], 8)
    for number, agreed in ((1, True), (2, False)):
        details = {"rules": [8, 8, 0, 1, 1, 1, 2, agreed, agreed]}
        keep(game(1, kind="classic", ships=[ships, ships], moves=[], details=details))
        assert seabattle(f"jury --game {number}")[0] == (0 if agreed else 1)


def test_a_broken_seal_is_remembered(seabattle: Seabattle):
    broken = Verdict((Finding(), Finding(jury.BROKEN_SEAL)), (True, True))
    keep(game(1, details={"jury": broken.to_json()}))
    status, out, _ = seabattle("jury --game 1")
    assert status == 1 and "BOARD: the field is not the one that was sealed before the first shot" in out
    assert "sealed before the first shot: Anna, BOARD" in out


def test_nobody_who_answers_honestly_by_letter_is_accused_however_senseless_the_shots():
    """Known cells are shot at too, and answered in any of the ways that the rules allow."""
    lots, judge, rules, rng = random.Random(1), jury.Jury(100), Rules(), Rng(1)
    for number in range(proof(40, 1000)):
        counts = [0, *(lots.randint(0, 1) for _ in range(2)), lots.randint(0, 3), lots.randint(1, 4)]
        assert rules.custom(10, 10, *counts, lots.random() < 0.3, lots.random() < 0.3) == OK
        field = VariantField(100)
        field.reset(rules)
        assert field.random(rng)
        afloat = {cell for cell in range(100) if field.ship[cell]}
        shots: list[int] = []
        answers: list[int] = []
        while afloat:
            cell = lots.choice(shots) if shots and lots.random() < 0.1 else lots.randrange(100)
            ship = field.ship[cell]
            afloat.discard(cell)
            true = MISS if not ship else HIT if any(field.ship[deck] == ship for deck in afloat) else SUNK
            again = [REPEAT, HIT if ship else MISS] if cell in shots else []
            shots.append(cell)
            answers.append(lots.choice([true, *again]))
        assert judge.check(rules, field.ship, shots, answers, len(shots)) == jury.CLEAN, number


MOVE = game(3).to_json()["moves"][0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 0),
        ({"ships": [[], []]}, 1),
        *(
            ({"moves": [{**MOVE, **change}]}, 2)
            for change in ({"x": 9}, {"player": 2}, {"result": "near"}, {"y": True})
        ),
        *(({"moves": [7]}, 2), ({"width": 9}, 2), ({"width": 27, "height": 27}, 2), ({"fleet": {"6": 1}}, 2)),
        *(({"fleet": {"1": 999}}, 2), ({"ships": [[[[1, 1]]], None]}, 2), ({"ships": [[[[0, 1]]], []]}, 2)),
        *(({"ships": None}, 2), ({"players": ["one"]}, 2), ({"details": {"rules": [1]}}, 2)),
        ({"details": {"jury": {"fields": []}}}, 2),
    ],
    ids=str,
)
def test_a_forged_export_is_refused_or_judged(changes: dict[str, object], status: int, judged: Judged):
    (line, *_) = judged(json.dumps({**game(3).to_json(), **changes}))
    assert (line.startswith("seabattle: "), line == CLEAN) == (status == 2, status == 0)


# What the jury says.


def test_a_verdict_survives_the_archive_and_has_words_in_both_languages():
    for code, name in verdict.FINDINGS.items():
        finding = Finding(code, 2, 3, 4, 5, 0, 1)
        assert Finding.from_json(json.loads(json.dumps(finding.to_json()))) == finding
        told = Verdict((finding, Finding()), (False, True))
        assert Verdict.from_json(told.to_json()) == told
        for language in words.LANGUAGES:
            words.use(language)
            assert all("{" not in line for line in told.lines(("a", "b")))
            assert (len(told.lines(("a", "b"))) == 2) == (name == "clean")


def test_the_result_is_turned_as_the_rules_say():
    clean, guilty = Finding(), Finding(jury.TOUCHING)
    for result in ("won", "lost", "none"):
        assert Verdict((clean, clean)).corrected_result(result) == result
        assert Verdict((guilty, clean)).corrected_result(result) == "lost"
        assert Verdict((clean, guilty)).corrected_result(result) == "won"
        assert Verdict((guilty, guilty)).corrected_result(result) == "none"
        assert Verdict((Finding(jury.BAD_RECORD), clean)).corrected_result(result) == result


def test_every_answer_may_be_given_in_both_languages(tmp_path: Path):
    path = tmp_path / "game.txt"
    for answer, code in ANSWERS.items():
        path.write_text(f"{GAME}Boris A6 {answer.capitalize()}\n", encoding="utf-8")
        assert read(path).moves[-1] == (1, 30, code)


def test_the_page_on_the_jury_shows_what_there_is():
    page = (Path(__file__).parents[2] / "docs" / "jury.md").read_text(encoding="utf-8")
    shown = re.search(r"printf '%s' '(#field (\d+) .*)' \|", page)
    assert shown is not None
    line, size = shown[1].encode(), int(shown[2])
    assert reveal.take_field(line, len(line), size, bytearray(size * size))
    assert f"cut -c1-{2 * reveal.HASH_BYTES}" in page
    for word in RULES:
        assert f"`{word}`" in page
    for code in set(ANSWERS.values()):
        shown_words = [word for word, meant in ANSWERS.items() if meant == code and f"`{word}`" in page]
        assert {word.isascii() for word in shown_words} == {True, False}
    assert set("@#X.-~o") <= set(DECKS + WATER)
