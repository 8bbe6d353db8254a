"""`seabattle jury`: games from files of both forms and from the history, their verdicts, what is wrong with a file."""

from __future__ import annotations

import json
import random
import re
import string
from pathlib import Path

import pytest

from seabattle import jury, reveal
from seabattle.rng import Rng
from seabattle.variants import OK, Rules, VariantField
from seabattle_host.cli import main
from seabattle_host.jury import verdict
from seabattle_host.jury.letter import DECKS, RULES, WATER, read
from seabattle_host.jury.shots import ANSWERS
from seabattle_host.jury.verdict import Finding, Verdict
from seabattle_host.language import words
from seabattle_host.records.archive import Archive, Game, Move

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


def judged(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, *more: str) -> tuple[int, str, str]:
    """Exit status, output and complaint of a game in a file."""
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    status = main(["jury", str(path), *more])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_a_fair_game_by_letter_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert judged(tmp_path, capsys, GAME) == (
        0,
        "the jury: nobody cheated; fields and answers keep the rules\n",
        "",
    )


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (("Anna Karenina B2 sunk", "Anna Karenina B2 hit"), "Boris: shot 1 at B2 was answered 'hit', it was 'sunk'"),
        (("Boris E3 мимо", "Boris E3 повтор"), "Anna Karenina: shot 5 at E3 was answered 'repeated', it was 'miss'"),
        ((". @ @ @ . .\n. . . . . .", ". @ @ @ . .\n. . . . @ ."), "Anna Karenina: ships touch at E2"),
        ((".@@@.@", "@@@@.@"), "Boris: one ship of 4 decks too many, at A4"),
        (("@.....\nshots", "......\nshots"), "Boris: a ship of 1 deck is missing"),
        ((".@@@.@\n.....@", ".@@@..\n...@.."), "Boris: one ship of 4 decks too many, at B4"),
        (("ships 0,0,1,1,2", "ships 0,0,1,1,2\nrules walls"), "Anna Karenina: one ship along a wall too many, at C6"),
    ],
)
def test_what_breaks_the_rules_is_named_and_turns_the_result(
    change: tuple[str, str], found: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert change[0] in GAME
    status, out, err = judged(tmp_path, capsys, GAME.replace(*change))
    head, what = out.splitlines()
    assert (status, err, what) == (1, "", found)
    assert head == f"the jury: {found.split(':')[0]} cheated and so lost"


def test_if_both_cheated_both_are_named_and_no_result_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = GAME.replace("A4 miss", "A4 hit").replace("E3 мимо", "E3 убит")
    status, out, _ = judged(tmp_path, capsys, text)
    assert status == 1
    assert out.splitlines() == [
        "the jury: both cheated, no result counts",
        "Anna Karenina: shot 5 at E3 was answered 'sunk', it was 'miss'",
        "Boris: shot 2 at A4 was answered 'hit', it was 'miss'",
    ]
    status, out, _ = judged(tmp_path, capsys, text, "--lang", "ru")
    assert status == 1
    assert "жюри: нарушили оба" in out
    assert "на выстрел 2 в А4 ответ 'ранен', а было 'мимо'" in out


def test_variants_are_judged_by_their_own_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = """
field 6x7
ships 0,0,1,0,1
rules bent corners
player a
@@....
@.....
.@....
......
......
......
......
player b
......
......
......
......
....@.
...#..
...XX.
"""
    assert judged(tmp_path, capsys, text)[0] == 0
    status, out, _ = judged(tmp_path, capsys, text.replace(" corners", ""))
    assert (status, out.splitlines()[0]) == (1, "the jury: both cheated, no result counts")
    assert "a: no such ship at A1" in judged(tmp_path, capsys, text.replace("bent ", ""))[1]


INNER = """......
.@@@..
......
.@..@.
....@.
@.....
"""
AT_WALLS = """.@@@..
......
......
.@...@
.....@
@.....
"""


def test_a_serial_game_is_judged_by_the_protocol(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    shots = "shots\na A6 sunk\na B5 miss\na A6 hit\n"  # beside the wreck, and the wreck again
    fields = f"player a\n{INNER}player b\n{INNER}"
    head = "field 6x6\nships 0,0,1,1,2\n"
    assert judged(tmp_path, capsys, head + "rules serial\n" + fields + shots)[0] == 0
    shots = shots.replace("a A6 hit", "a B6 miss\na A6 miss")
    assert judged(tmp_path, capsys, head + "rules serial\n" + fields + shots)[0] == 0
    status, out, _ = judged(tmp_path, capsys, head + fields + shots)
    assert (status, out.splitlines()[1]) == (1, "b: shot 4 at A6 was answered 'miss', it was 'sunk'")
    status, out, _ = judged(tmp_path, capsys, head + "rules serial\n" + fields.replace(INNER, AT_WALLS, 1))
    assert (status, out.splitlines()[1]) == (1, "a: one ship along a wall too many, at A6")


def a_letter_game(*lines: str, letters: str = "") -> str:
    field = "\n".join((".@@@......", *["." * 10] * 2, "@.@@.@@...", *["." * 10] * 6))
    head = f"letters {letters}\n" if letters else ""
    return "\n".join([head + "ships 0,0,1,2,1", "player Anna", field, "player Boris", field, "shots", *lines, ""])


@pytest.mark.parametrize(
    ("letters", "cell"),
    [("russian-yo", "Ж1"), ("russian", "З1"), ("respublika", "И1"), ("АБВГДЕЁЖЗИ", "Ж1"), ("", "З1")],
)
def test_the_letters_of_the_columns_are_those_that_were_agreed_on(letters: str, cell: str, tmp_path, capsys):
    assert judged(tmp_path, capsys, a_letter_game(f"Anna {cell} miss", letters=letters))[0] == 0
    status, out, _ = judged(tmp_path, capsys, a_letter_game(f"Anna {cell} hit", letters=letters))
    named = cell if letters else "H1"
    assert (status, out.splitlines()[1]) == (1, f"Boris: shot 1 at {named} was answered 'hit', it was 'miss'")


def test_a_misreport_that_both_corrected_accuses_nobody(tmp_path, capsys):
    wrong = ("Anna B1 miss", "correct Anna B1 hit agreed Anna, Boris")
    assert judged(tmp_path, capsys, a_letter_game(*wrong))[0] == 0
    assert judged(tmp_path, capsys, a_letter_game(wrong[0]))[0] == 1
    status, _, err = judged(tmp_path, capsys, a_letter_game(wrong[0], "correct Anna B1 hit agreed Anna"))
    assert status == 2 and "counts if both agreed" in err
    status, _, err = judged(tmp_path, capsys, a_letter_game("correct Anna B1 hit agreed Anna, Boris"))
    assert status == 2 and "no shot like 'Anna B1 hit'" in err


def test_a_shot_out_of_turn_is_named_and_accuses_nobody(tmp_path, capsys):
    game = a_letter_game("Anna J9 miss", "Anna J8 miss", "Boris B1 hit", "Anna J7 miss")
    assert judged(tmp_path, capsys, game) == (0, "the jury: nobody cheated; fields and answers keep the rules\n", "")
    status, out, _ = judged(tmp_path, capsys, "rules turns\n" + game)
    assert status == 0 and [line.split(":")[0] for line in out.splitlines()[1:]] == ["shot 2, J8", "shot 4, J7"]


@pytest.mark.parametrize(
    "shot",
    [
        *("Anna J10 miss", "anna j 10 miss.", "ANNA: J-10 – miss!", "Anna 10J, miss", "Anna - j10 - МИМО;"),
        *(
            "2. Anna J10 miss",
            "[2] Anna: J10? miss!",
            "- Anna -> J10 = miss",
            "| Anna | J10 | miss |",
            'Anna;"J10";miss',
        ),
        *(
            "12:05 Anna (J10)... miss",
            "> > 2) Anna: J10 miss",
            "2026-11-28 12:00:05 Anna\tJ10\tmiss",
            "[28.11.26, 12:00:05] Anna: **J10** → miss",
        ),
        *("Round 3: Anna J10 miss", "3rd move. Anna (12:05): J10 - miss", "3,Anna,J10,miss", "Anna -> Boris: J10 miss"),
        *("Anna at J10: miss", "Anna fires at j-10. Result: miss.", "Anna miss at J10", "Anna J10? Boris: miss!"),
        *(
            "Ход 3: Anna, клетка J10, ответ: МИМО",
            "Anna стреляет в J 10 и МИМО",
            "Shooter: Anna, cell J10, it was a miss",
        ),
    ],
)
def test_a_shot_is_read_as_people_write_it(shot: str, tmp_path, capsys):
    text = a_letter_game("Anna B1 hit", shot)
    status, out, _ = judged(tmp_path, capsys, text)
    wrong = judged(tmp_path, capsys, text.replace("miss", "hit").replace("МИМО", "ранен"))
    assert (status, "nobody cheated" in out) == (0, True)
    assert wrong[0] == 1 and "shot 2 at J10" in wrong[1]


@pytest.mark.parametrize("russian", [False, True])
def test_a_field_may_be_drawn_with_its_edges_and_the_words_be_russian(russian: bool, tmp_path, capsys):
    game = a_letter_game("Anna J10 miss", "Boris B1 hit", "correct Anna J10 miss agreed Anna, Boris")
    head, _, shots = game.partition("shots\n")
    rows = iter(range(1000))
    lines = []
    for line in head.splitlines():
        if line.startswith("player"):
            lines += [line.replace("player ", "Player: "), "```", "   A B C D E F G H I J"]
            rows = iter(range(1, 11))
        elif set(line) <= set("@.") and line:
            lines.append(f"{next(rows):2}| {' '.join(line)} |")
        else:
            lines.append(line.replace("ships ", "Ships: "))
    text = "\n".join([*lines, "```", "Shots:", shots])
    if russian:
        for word, other in (("Ships", "Корабли"), ("Player", "Игрок"), ("Shots", "Выстрелы"), ("correct", "исправить")):
            text = text.replace(word, other)
        text = text.replace("agreed", "согласны").replace("A B C D E F G H I J", "А Б В Г Д Е Ж З И К")
    assert judged(tmp_path, capsys, text)[::2] == (0, "")
    assert "shot 1 at J10" in judged(tmp_path, capsys, text.replace("J10 miss", "J10 hit"))[1]


def test_a_line_may_tell_of_several_shots_or_of_none(tmp_path, capsys):
    table = ("Round 1", "| Player | Cell | Answer |", "|---|---|---|", "--- Раунд 2 ---")
    told = ("Anna B1 hit, C1 hit, D1 hit and sunk, J10 miss", "1. Anna J9 miss; Boris B1 ранил. Boris C1 - мимо")
    status, out, err = judged(tmp_path, capsys, a_letter_game(*table, *told))
    assert (status, err) == (1, "") and "Anna: shot 2 at C1 was answered 'miss', it was 'hit'" in out


@pytest.mark.parametrize(
    ("shot", "complaint"),
    [
        ("Anna J10 not hit", "'not' is not understood"),
        ("Anna J10 не попал", "'не' is not understood"),
        ("Anna B1 hit, miss", "'hit miss' is not an answer"),
        ("Anna B1 C1 hit", "a shot is 'NAME B7 miss'"),
        ("Boris was hit at B1", "'was' is not understood"),
        ("Boris answers B1 hit", "'answers' is not understood"),
        ("Boris's ship B1 hit", "'ship' is not understood"),
        ("Boris: Anna B1 hit", "a shot is 'NAME B7 miss'"),
        ("B1 hit", "a shot is 'NAME B7 miss'"),
    ],
)
def test_what_could_mean_something_else_is_refused(shot: str, complaint: str, tmp_path, capsys):
    status, out, err = judged(tmp_path, capsys, a_letter_game(shot))
    assert (status, out) == (2, "") and ":25: " in err and complaint in err


def test_a_letter_of_another_alphabet_than_the_agreed_one_is_told(tmp_path, capsys):
    status, _, problem = judged(tmp_path, capsys, a_letter_game("Anna P1 miss", letters="respublika"))
    assert status == 2 and "РЕСПУБЛИКА" in problem and "P1" in problem


def test_nobody_is_convicted_on_a_letter_that_may_be_of_either_alphabet(tmp_path, capsys):
    # Е is the 6th column, E the 5th; beside Б nobody can tell which one was meant
    mixed = ("Anna Б10 мимо", "Anna E4 ранен")
    for shots in (mixed, ("Anna: Б10 мимо", "1) Anna - E4 ранен")):
        status, out, err = judged(tmp_path, capsys, a_letter_game(*shots))
        assert (status, out) == (2, "") and "'E4': its letter is in both alphabets" in err
    assert judged(tmp_path, capsys, a_letter_game(mixed[1]))[0] == 1


# What is wrong with a file.


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("field 6x6", "field 5x6"), "game.txt:2: 'field WIDTHxHEIGHT'"),
        (("field 6x6", "field six"), "game.txt:2: 'field WIDTHxHEIGHT'"),
        (("ships 0,0,1,1,2", "ships 0,1,1,2"), "game.txt:3: 'ships' are five counts"),
        (("ships 0,0,1,1,2", "ships 99,99,1,1,2"), "the fleet does not fit"),
        (("ships 0,0,1,1,2", "rules round"), "game.txt:3: 'rules' are some of: corners, bent, walls, serial"),
        ((". @ @ @ . .", ". @ @ @ ."), "game.txt:5: a row has 6 signs"),
        ((". @ @ @ . .", ". @ @ ? . ."), "game.txt:5: a row has 6 signs"),
        ((". . @ . . @\n", ""), "the field of Anna Karenina has 6 rows"),
        (("player Boris", ". . . . . .\nplayer Boris"), "game.txt:11: the field of Anna Karenina has 6 rows"),
        (("player Boris\n", ""), "has 6 rows"),
        (("player Boris", "player Anna Karenina"), "game.txt:11: 'player NAME' stands twice"),
        (("player Boris", "player"), "game.txt:11: 'player NAME' stands twice"),
        (("Boris E3", "Vera E3"), "game.txt:25: a shot is 'NAME B7 miss' with one of the names Anna Karenina, Boris"),
        (("Boris E3 мимо", "E3"), "game.txt:25: a shot is"),
        (("Boris E3", "Boris Z3"), "game.txt:25: 'Z3' is not a cell"),
        (("Boris E3", "Boris E7"), "game.txt:25: 'E7' is not a cell"),
        (("мимо", "perhaps"), "game.txt:25: 'perhaps' is not an answer: miss, hit, sunk, repeated"),
        ((GAME, ""), "game.txt: two fields are needed, each begun by a line 'player NAME'; here are 0"),
        ((GAME, "hello"), "game.txt:1: 'hello' is not expected here"),
        ((GAME, "{"), "game.txt is not a game that can be judged"),
        ((GAME, "[" * 100_000), "game.txt is not a game that can be judged"),
        ((GAME, "[]"), "game.txt is not a game that can be judged"),
        (("field 6x6", "rules salvo"), "game.txt:2 is a game of the kind 'salvo'; the jury judges serial and classic"),
        (("field 6x6", "Игра: Свалка"), "game.txt:2 is a game of the kind 'свалка'"),
        ((GAME, '{"kind": "melee", "moves": [{"player": 2}]}'), "game.txt is a game of the kind 'melee'"),
    ],
)
def test_bad_input_is_one_line_that_names_the_place_and_the_remedy(
    change: tuple[str, str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert change[0] in GAME
    status, out, err = judged(tmp_path, capsys, GAME.replace(*change))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert complaint in err


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["jury", str(tmp_path / "none.txt")]) == 2
    assert "cannot read" in capsys.readouterr().err
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert main(["jury", str(tmp_path / "bytes")]) == 2
    assert "is not text in UTF-8" in capsys.readouterr().err
    for arguments in ([], ["--game", "1", "file"], ["--game", "0"], ["--game", "1"]):
        assert main(["jury", *arguments]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_any_damage_to_a_file_is_a_verdict_or_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
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
        status, out, err = judged(tmp_path, capsys, "".join(lines))
        seen.add(status)
        assert (status == 2) == (out == "") == (err != "")
        assert err.count("\n") == (status == 2)
    assert seen == {0, 1, 2}


# Games that are kept.


def game(seed: int, **changes: object) -> Game:
    """A game of two honest players by the rules of the protocol, each shooting at random."""
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


def test_a_game_of_the_history_and_its_export_get_the_same_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    keep(game(1))
    lied = game(2)
    at = next(number for number, move in enumerate(lied.moves) if move.player == 0 and move.result)
    cell = lied.moves[at]
    lied.moves[at] = Move(0, cell.x, cell.y, 0)
    keep(lied)
    for number, expected in ((1, 0), (2, 1)):
        assert main(["jury", "--game", str(number)]) == expected
        shown = capsys.readouterr().out
        target = tmp_path / "game.json"
        assert main(["history", "export", str(number), "-o", str(target)]) == 0
        assert main(["jury", str(target)]) == expected
        assert capsys.readouterr().out == shown
    shots = [move for move in lied.moves[: at + 1] if move.player == 0]
    assert re.search(rf"BOARD: shot {len(shots)} at [A-H]{cell.y} was answered 'miss', it was '", shown)


def test_a_field_that_was_never_shown_is_named(capsys: pytest.CaptureFixture[str]):
    keep(game(1, ships=[game(1).ships[0], None]))
    assert main(["jury", "--game", "1"]) == 2
    assert capsys.readouterr().err == "seabattle: game 1: the field of BOARD was never shown; the jury needs both\n"


def test_a_game_of_another_kind_is_not_judged(capsys: pytest.CaptureFixture[str]):
    keep(game(1, kind="salvo"))
    assert main(["jury", "--game", "1"]) == 2
    assert "is a game of the kind 'salvo'" in capsys.readouterr().err


def test_a_classic_game_is_judged_by_the_rules_that_it_was_played_by(capsys: pytest.CaptureFixture[str]):
    rules, field = Rules(), VariantField(64)
    assert rules.custom(8, 8, 0, 1, 1, 1, 2, True, True) == OK
    field.reset(rules)
    for cells in ([0, 1, 2, 8], [19, 20, 27], [40, 41], [50], [63]):
        assert field.place_cells(cells, len(cells)) == OK
    ships = verdict.ships_of(field.ship[:64], 8)
    played = (8, 8, 0, 1, 1, 1, 2)
    for details, status in (({"rules": [*played, True, True]}, 0), ({"rules": [*played, False, False]}, 1)):
        keep(game(1, kind="classic", ships=[ships, ships], moves=[], details=details))
        assert main(["jury", "--game", str(2 - (status == 0))]) == status


def test_a_broken_seal_is_remembered(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    broken = Verdict((Finding(), Finding(jury.BROKEN_SEAL)), (True, True))
    keep(game(1, details={"jury": broken.to_json()}))
    assert main(["jury", "--game", "1"]) == 1
    out = capsys.readouterr().out
    assert "BOARD: the field is not the one that was sealed before the first shot" in out
    assert "sealed before the first shot: Anna, BOARD" in out


def test_a_forged_export_is_refused_or_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    good = game(3).to_json()
    path = tmp_path / "game.json"

    def status(**changes: object) -> int:
        path.write_text(json.dumps({**good, **changes}))
        code = main(["jury", str(path)])
        shown = capsys.readouterr()
        assert (code == 2) == (shown.err.count("\n") == 1) == (shown.out == "")
        return code

    assert status() == 0
    move = good["moves"][0]  # type: ignore[index]
    assert status(moves=[{**move, "x": 9}]) == 2
    assert status(moves=[{**move, "player": 2}]) == 2
    assert status(moves=[{**move, "result": "near"}]) == 2
    assert status(moves=[{**move, "y": True}]) == 2
    assert status(moves=[7]) == 2
    assert status(width=9) == 2
    assert status(width=27, height=27) == 2
    assert status(fleet={"6": 1}) == 2
    assert status(fleet={"1": 999}) == 2
    assert status(ships=[[], []]) == 1
    assert status(ships=[[[[1, 1]]], None]) == 2
    assert status(ships=[[[[0, 1]]], []]) == 2
    assert status(ships=None) == 2
    assert status(players=["one"]) == 2
    assert status(details={"rules": [1]}) == 2
    assert status(details={"jury": {"fields": []}}) == 2


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
        assert Verdict((clean, clean)).applied_to(result) == result
        assert Verdict((guilty, clean)).applied_to(result) == "lost"
        assert Verdict((clean, guilty)).applied_to(result) == "won"
        assert Verdict((guilty, guilty)).applied_to(result) == "none"
        assert Verdict((Finding(jury.BAD_RECORD), clean)).applied_to(result) == result


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
