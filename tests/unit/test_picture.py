"""Pictures of positions: what they show, in both formats, and what is refused."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seabattle_host import cli
from seabattle_host.games import field_view
from seabattle_host.records.archive import WON, Archive, Game, Move

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


def drawn(path: Path) -> ElementTree.Element:
    return ElementTree.fromstring(path.read_bytes())


def count(picture: ElementTree.Element, kind: str) -> int:
    return len(picture.findall(SVG + kind))


def test_a_picture_shows_both_fields_with_every_shot(home: Path):
    out = home / "board.svg"
    assert cli.main(["picture", str(exported(home)), "-o", str(out)]) == 0
    picture = drawn(out)
    texts = [text.text for text in picture.findall(SVG + "text")]
    assert "Аня <&>" in texts and "Bob" in texts and texts.count("F") == 2 and texts.count("6") == 2
    hits, misses, beside_the_wreck = 2, 2, 3
    lines_of_a_cross = 2
    assert count(picture, "line") == hits * lines_of_a_cross
    assert count(picture, "circle") == misses + beside_the_wreck
    ground, last_shots = 1, 2
    assert count(picture, "rect") == ground + 2 * SIZE * SIZE + last_shots


def test_a_position_in_the_middle_of_the_game(home: Path):
    out = home / "board.svg"
    for after, circles in ((0, 0), (1, 3), (2, 4)):
        assert cli.main(["picture", str(exported(home)), "--after", str(after), "-o", str(out)]) == 0
        assert count(drawn(out), "circle") == circles


def test_a_game_of_the_history_and_its_export_look_the_same(home: Path):
    with Archive() as archive:
        kept = game()
        kept.moves = []
        archive.begin(kept)
        for move in MOVES:
            archive.add(kept, move)
        archive.end(kept, WON, "shots", 9.0)
    one, two = home / "one.svg", home / "two.svg"
    assert cli.main(["picture", "--game", str(kept.number), "-o", str(one)]) == 0
    assert cli.main(["history", "export", str(kept.number), "-o", str(home / "exported.json")]) == 0
    assert cli.main(["picture", str(home / "exported.json"), "-o", str(two)]) == 0
    assert one.read_bytes() == two.read_bytes()


def test_a_png_is_as_large_as_the_svg(home: Path):
    for ending in ("svg", "png"):
        assert cli.main(["picture", str(exported(home)), "-o", str(home / f"board.{ending}")]) == 0
    data = (home / "board.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", data[16:24])
    svg = drawn(home / "board.svg")
    assert (str(width), str(height)) == (svg.get("width"), svg.get("height"))


GAMES = [["classic"], ["classic", "--bent", "--corners", "--field=12x9"], ["salvo"], ["melee", "--lot"]]


def played(*arguments: str) -> int:
    """Let computers play a game; its number in the history."""
    assert cli.main([*arguments, "--people", "0", "--seed", "3", "--lines"]) == 0
    with Archive() as archive:
        return archive.games()[-1].number


@pytest.mark.parametrize("arguments", GAMES, ids=" ".join)
def test_games_at_one_screen_look_the_same_from_the_history_from_a_file_and_from_their_text(
    home: Path, arguments: list[str]
):
    number = str(played(*arguments))
    for after in ("0", "7", "40", "1000"):
        names = [str(home / name) for name in ("kept.svg", "exported.json", "file.svg", "board.txt", "text.svg")]
        kept, exported, file, text, told = names
        assert cli.main(["picture", "--game", number, "--after", after, "-o", kept]) == 0
        assert cli.main(["history", "export", number, "-o", exported]) == 0
        assert cli.main(["picture", exported, "--after", after, "-o", file]) == 0
        assert cli.main(["picture", "--game", number, "--after", after, "-o", text]) == 0
        assert cli.main(["picture", text, "-o", told]) == 0
        assert Path(kept).read_bytes() == Path(file).read_bytes() == Path(told).read_bytes()


@pytest.mark.parametrize("arguments", GAMES, ids=" ".join)
def test_the_view_of_a_player_has_no_ship_of_another(home: Path, arguments: list[str], capsys):
    number = str(played(*arguments))
    capsys.readouterr()
    assert cli.main(["picture", "--game", number, "--after", "0", "--view", "B", "-o", "-"]) == 0
    fields = field_view.read(capsys.readouterr().out)
    signs = [set(field.signs) for field in fields]
    if arguments[0] == "melee":
        assert signs == [{".", "b"}]
    elif arguments[0] == "salvo":
        assert signs == [{".", *"CBRSD"}, {"."}]
    else:
        assert signs == [{"."}, {".", "@"}]


def test_a_melee_is_drawn_in_the_colours_of_its_rules(home: Path):
    text = "    A B C D E F\n 1  a b c A B C\n 2 !o o!A*B#C .\n"
    (home / "board.txt").write_text(text, encoding="utf-8")
    assert cli.main(["picture", str(home / "board.txt"), "-o", str(home / "a.svg")]) == 0
    picture = drawn(home / "a.svg")
    grounds = [rect.get("fill") for rect in picture.findall(SVG + "rect")][1:]
    assert grounds == [
        *field_view.LIGHT,
        *field_view.DARK,
        field_view.PAPER,
        field_view.PAPER,
        field_view.RED,
        *field_view.DARK[1:],
        field_view.PAPER,
    ]
    dots = [circle.get("fill") for circle in picture.findall(SVG + "circle")]
    assert dots == [field_view.RED, "#000000", "#000000"]


def test_a_text_may_be_what_a_game_has_told_in_a_chat(home: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("random\nready\n"))
    assert cli.main(["classic", "--chat", "--seed", "4", "--letters", "russian"]) == 0
    (home / "chat.txt").write_text(capsys.readouterr().out, encoding="utf-8")
    assert cli.main(["picture", str(home / "chat.txt"), "-o", str(home / "a.svg")]) == 0
    letters = [text.text for text in drawn(home / "a.svg").findall(SVG + "text")]
    own_alone_and_then_both = 3
    assert letters.count("К") == own_alone_and_then_both


def test_a_salvo_by_chat_is_a_picture_of_pairs_below_each_other(home: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("random\nready\na1\nb1\nc1\n"))
    assert cli.main(["salvo", "--chat", "--seed", "4"]) == 0
    (home / "chat.txt").write_text(capsys.readouterr().out, encoding="utf-8")
    assert cli.main(["picture", str(home / "chat.txt"), "-o", str(home / "a.svg")]) == 0
    picture = drawn(home / "a.svg")
    titles = {float(text.get("x", "")) for text in picture.findall(SVG + "text") if text.text == "J"}
    # the own field always in the left column, the shots in the right one
    assert len(titles) == 2
    assert int(picture.get("height", "")) > int(picture.get("width", "")) == 696


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("    A B C\n 1  . .\n", 2),
        ("    A B C\n 1  . . .\n 2  . ? .\n", 3),
        ("words\n    A B C\n 1  . . . .\n", 3),
        ("    A B C\n" + "".join(f"{n:2}  . . .\n" for n in range(1, 28)), 28),
    ],
)
def test_a_row_that_is_none_is_named_by_its_line(home: Path, capsys, text: str, line: int):
    (home / "board.txt").write_text(text, encoding="utf-8")
    assert cli.main(["picture", str(home / "board.txt"), "-o", str(home / "a.svg")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and f"line {line} of " in err and not (home / "a.svg").exists()


def test_what_goes_with_a_game_only_is_refused_for_a_text(home: Path, capsys):
    (home / "board.txt").write_text("    A B\n 1  . .\n", encoding="utf-8")
    for option in (["--after", "3"], ["--view", "A"]):
        assert cli.main(["picture", str(home / "board.txt"), *option, "-o", "-"]) == 2
        assert option[0] in capsys.readouterr().err
    assert cli.main(["picture", str(exported(home)), "--view", "C", "-o", "-"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "C" in err


@pytest.mark.parametrize("text", ["", "[]", "{}", "nothing", '{"width": 6}', '{"a":' * 100_000], ids=range(6))
def test_a_file_that_is_no_game_is_one_line(home: Path, capsys: pytest.CaptureFixture[str], text: str):
    path = home / "broken.json"
    path.write_text(text, encoding="utf-8")
    assert cli.main(["picture", str(path), "-o", str(home / "a.svg")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "broken.json is not a game" in err and not (home / "a.svg").exists()


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
)
def test_a_game_that_cannot_be_is_one_line(home: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, object]):
    assert cli.main(["picture", str(exported(home, **changes)), "-o", str(home / "a.svg")]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "is not a game" in err


def test_what_cannot_be_read_or_written_is_named(home: Path, capsys: pytest.CaptureFixture[str]):
    file = str(exported(home))
    for arguments, named in (
        ([str(home / "none.json"), "-o", "a.svg"], "none.json"),
        ([file, "-o", str(home / "no" / "a.svg")], "a.svg"),
        ([file, "-o", "a.jpeg"], "a.jpeg"),
        (["--game", "7", "-o", "a.svg"], "7"),
        ([file], "--output"),
        ([file, "--game", "1", "-o", "a.svg"], "--game"),
    ):
        assert cli.main(["picture", *arguments]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and named in err
