"""Pictures of positions: their content in both formats, and what is refused."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seabattle_host.games import field_view
from seabattle_host.records.archive import Archive, Game, Move
from tests.calls import Seabattle, full_disk

Drawn = Callable[..., ElementTree.Element]
SVG = "{http://www.w3.org/2000/svg}"
SIZE = 6
SHIP = [(2, 2), (3, 2)]
MINE = [SHIP, [(6, 6)]]
MOVES = [Move(0, 1, 1, 2), Move(0, 5, 5, 0), Move(1, 2, 2, 1), Move(1, 6, 1, 0)]


pytestmark = pytest.mark.usefixtures("home")


def game() -> Game:
    return Game(["Аня <&>", "Bob"], SIZE, SIZE, {2: 1, 1: 1}, ships=[MINE, None], moves=list(MOVES))


def exported(folder: Path, **changes: object) -> Path:
    path = folder / "game.json"
    path.write_text(json.dumps({**game().to_json(), **changes}), encoding="utf-8")
    return path


@pytest.fixture
def drawn(home: Path, seabattle: Seabattle) -> Drawn:
    """Draws the text given to `seabattle picture`."""

    def draw(*what: object) -> ElementTree.Element:
        seabattle.told("picture", *what, "-o", home / "drawn.svg")
        return ElementTree.fromstring((home / "drawn.svg").read_bytes())

    return draw


def count(picture: ElementTree.Element, kind: str) -> int:
    return len(picture.findall(SVG + kind))


def texts(picture: ElementTree.Element) -> list[str | None]:
    return [text.text for text in picture.findall(SVG + "text")]


def test_a_picture_shows_both_fields_with_every_shot(home: Path, drawn: Drawn):
    picture = drawn(exported(home))
    told = texts(picture)
    assert "Аня <&>" in told and "Bob" in told and told.count("F") == 2 and told.count("6") == 2
    hits, misses, beside_the_wreck = 2, 2, 3
    lines_of_a_cross = 2
    assert count(picture, "line") == hits * lines_of_a_cross
    assert count(picture, "circle") == misses + beside_the_wreck
    ground, last_shots = 1, 2
    assert count(picture, "rect") == ground + 2 * SIZE * SIZE + last_shots
    for after, circles in ((0, 0), (1, 3), (2, 4)):
        assert count(drawn(exported(home), "--after", after), "circle") == circles


def test_a_png_is_as_large_as_the_svg(home: Path, seabattle: Seabattle, drawn: Drawn):
    svg = drawn(exported(home))
    seabattle.told("picture", exported(home), "-o", home / "board.png")
    data = (home / "board.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert [str(side) for side in struct.unpack(">II", data[16:24])] == [svg.get("width"), svg.get("height")]


GAMES = ["classic", "classic --bent --corners --field=12x9", "salvo", "melee --lot"]


@pytest.mark.parametrize("arguments", GAMES)
def test_games_look_the_same_from_the_history_a_file_and_their_text_and_a_player_sees_no_ship_of_another(
    home: Path, arguments: str, seabattle: Seabattle, drawn: Drawn
):
    seabattle.told(f"{arguments} --people 0 --seed 3 --lines")
    with Archive() as archive:
        number = archive.games()[-1].number
    seabattle.told(f"history export {number} -o", home / "exported.json")
    for after in (0, 7, 1000):
        kept = drawn("--game", number, "--after", after)
        seabattle.told(f"picture --game {number} --after {after} -o", home / "board.txt")
        for other in (drawn(home / "exported.json", "--after", after), drawn(home / "board.txt")):
            assert ElementTree.tostring(other) == ElementTree.tostring(kept)
    told = seabattle.told(f"picture --game {number} --after 0 --view B -o -")
    signs = [set(field.signs) for field in field_view.read(told)]
    salvo = [{".", *"CBRSD"}, {"."}]
    assert signs == {"melee": [{".", "b"}], "salvo": salvo}.get(arguments.split()[0], [{"."}, {".", "@"}])


def test_a_melee_is_drawn_in_the_colours_of_its_rules(home: Path, drawn: Drawn):
    text = "    A B C D E F\n 1  a b c A B C\n 2 !o o!A*B#C .\n"
    (home / "board.txt").write_text(text, encoding="utf-8")
    picture = drawn(home / "board.txt")
    paper, red, dark = field_view.PAPER, field_view.RED, field_view.DARK
    grounds = [rect.get("fill") for rect in picture.findall(SVG + "rect")][1:]
    assert grounds == [*field_view.LIGHT, *dark, paper, paper, red, *dark[1:], paper]
    assert [circle.get("fill") for circle in picture.findall(SVG + "circle")] == [red, "#000000", "#000000"]


def test_a_salvo_by_chat_is_a_picture_of_pairs_below_each_other(home: Path, seabattle: Seabattle, drawn: Drawn):
    told = seabattle.told("salvo --chat --seed 4", typed=["random", "ready", "a1", "b1", "c1"])
    (home / "chat.txt").write_text(told, encoding="utf-8")
    picture = drawn(home / "chat.txt")
    titles = {float(text.get("x", "")) for text in picture.findall(SVG + "text") if text.text == "J"}
    # the own field always in the left column, the shots in the right one
    assert len(titles) == 2
    assert int(picture.get("height", "")) > int(picture.get("width", "")) == 696


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("board.txt", "    A B C\n 1  . .\n", "line 2 of "),
        ("board.txt", "    A B C\n 1  . . .\n 2  . ? .\n", "line 3 of "),
        ("board.txt", "words\n    A B C\n 1  . . . .\n", "line 3 of "),
        ("board.txt", "    A B C\n" + "".join(f"{n:2}  . . .\n" for n in range(1, 28)), "line 28 of "),
        *(
            ("broken.json", text, "broken.json is not a game")
            for text in ("", "[]", "{}", "nothing", '{"width": 6}', '{"a":' * 100_000)
        ),
    ],
    ids=range(10),
)
def test_a_file_that_is_no_game_is_one_line(home: Path, seabattle: Seabattle, name: str, text: str, says: str):
    (home / name).write_text(text, encoding="utf-8")
    assert says in seabattle.refused("picture", home / name, "-o", home / "a.svg")
    assert not (home / "a.svg").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"width": 200},
        {"height": 7},
        {"fleet": {"2": 99}},
        {"ships": [[[[0, 1]]], None]},
        {"moves": [{"player": 0, "x": 7, "y": 1, "result": "miss"}]},
        {"moves": [{"player": 2, "x": 1, "y": 1, "result": "miss"}]},
        {"moves": [{"player": 0, "x": 1, "y": 1, "result": "lost"}]},
    ],
    ids=str,
)
def test_a_game_that_cannot_be_is_one_line(home: Path, seabattle: Seabattle, changes: dict[str, object]):
    assert "is not a game" in seabattle.refused("picture", exported(home, **changes), "-o", home / "a.svg")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("DIR/board.txt --after 3 -o -", "--after"),
        ("DIR/board.txt --view A -o -", "--view"),
        ("DIR/game.json --view C -o -", "C"),
        ("DIR/none.json -o a.svg", "none.json"),
        ("DIR/game.json -o DIR/no/a.svg", "a.svg"),
        ("DIR/game.json -o a.jpeg", "a.jpeg"),
        ("--game 7 -o a.svg", "7"),
        ("DIR/game.json", "--output"),
        ("DIR/game.json --game 1 -o a.svg", "--game"),
    ],
)
def test_what_cannot_be_drawn_read_or_written_is_named(home: Path, seabattle: Seabattle, arguments: str, named: str):
    (home / "board.txt").write_text("    A B\n 1  . .\n", encoding="utf-8")
    exported(home)
    assert named in seabattle.refused("picture " + arguments.replace("DIR", str(home)))


@pytest.mark.parametrize(
    "words", ["picture {game} -o {to}.svg", "picture {game} -o {to}.txt", "wiring pico -o {to}.svg"]
)
def test_a_file_that_finds_no_room_leaves_the_old_one_as_it_was(words: str, home: Path, seabattle: Seabattle):
    old = home / f"old{words[-4:]}"
    old.write_text("old")
    words = words.format(game=exported(home), to=home / "old")
    with full_disk(100):
        assert seabattle.refused(words).startswith(f"cannot write {old}: ")
    assert [path.name for path in home.iterdir() if "old" in path.name or "seabattle" in path.name] == [old.name]
    assert old.read_text() == "old"
    seabattle.told(words)
    assert len(old.read_text()) > 100
