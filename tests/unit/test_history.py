"""Games that are kept: the archive, the command that shows it, and what the application remembers."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle.melee import Melee
from seabattle.rng import Rng
from seabattle_host.cli import main
from seabattle_host.errors import UserError
from seabattle_host.games import recording, review
from seabattle_host.language import words
from seabattle_host.language.text import cell_name
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.runner import Event
from seabattle_host.records import archive as archives
from seabattle_host.records.archive import LOST, UNFINISHED, WON, Archive, Game, Move
from seabattle_host.records.settings import Preferences, default_path
from seabattle_host.tui.match import Match
from tests.command import environment

MOVES = [Move(0, 2, 3, 1, 0.5), Move(0, 2, 4, 2, 1.25), Move(1, 6, 6, 0, 61.0), Move(0, 1, 1, 3, 62.5)]


pytestmark = pytest.mark.usefixtures("home")


def sample(**changes: object) -> Game:
    """A game on 6x6 that has not begun."""
    how: dict = dict(players=["Анна", "BOARD"], width=6, height=6, fleet={2: 1, 1: 2}, role="slave")
    how["ships"] = [[[(1, 1), (1, 2)], [(4, 4)], [(6, 1)]], None]
    return Game(**{**how, **changes})


def played(archive: Archive, result: str = WON, ending: str = "shots", **changes: object) -> Game:
    game = sample(**changes)
    archive.begin(game)
    for move in MOVES:
        archive.add(game, move)
    if ending:
        archive.end(game, result, ending, 63.0)
    return game


# The archive.


def test_a_game_comes_back_as_it_was(tmp_path: Path):
    path = tmp_path / "deep" / "games.sqlite"
    with Archive(path) as archive:
        game = played(archive)
    with Archive(path) as archive:
        assert archive.games() == [game]
        assert archive.game(game.number) == game
    assert game.moves == MOVES
    assert [game.shots(player) for player in (0, 1)] == [3, 1]
    assert game.length == 63.0


def test_every_move_is_there_for_others_as_soon_as_it_is_made(tmp_path: Path):
    path = tmp_path / "games.sqlite"
    with Archive(path) as archive, Archive(path) as reader:
        game = sample()
        archive.begin(game)
        assert reader.game(game.number).moves == []
        for n, move in enumerate(MOVES, 1):
            archive.add(game, move)
            assert reader.game(game.number).moves == MOVES[:n]
        assert not reader.game(game.number).finished


def test_a_killed_program_leaves_what_was_played(tmp_path: Path):
    """The program dies by SIGKILL right after its second move, with a third one not yet committed."""
    path = tmp_path / "games.sqlite"
    program = f"""
import os, signal
from pathlib import Path
from seabattle_host.records.archive import Archive, Game, Move
archive = Archive(Path({str(path)!r}))
game = Game(["A", "B"], 6, 6, {{1: 1}})
archive.begin(game)
archive.add(game, Move(0, 1, 1, 0, 0.5))
archive.add(game, Move(1, 2, 2, 0, 1.5))
archive._db.change("begin immediate")
archive._db.change("insert into move values (1, 3, 0, 3, 3, 0, 2.5)")
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", program], env=environment(), check=False)
    assert ended.returncode == -signal.SIGKILL
    with Archive(path) as archive:
        (game,) = archive.games()
        assert game.moves == [Move(0, 1, 1, 0, 0.5), Move(1, 2, 2, 0, 1.5)]
        assert not game.finished
        assert game.length == 1.5
        # and the next game is kept
        played(archive)
        assert len(archive.games()) == 2


def test_a_number_that_is_not_there_names_the_last(tmp_path: Path):
    with Archive(tmp_path / "games.sqlite") as archive:
        with pytest.raises(UserError, match="there are no games yet"):
            archive.game(1)
        played(archive)
        with pytest.raises(UserError, match="no game 7; the last one is 1"):
            archive.game(7)


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path):
    path = tmp_path / "games.sqlite"
    Archive(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"pragma user_version = {archives._FORMAT + 1}")
    with pytest.raises(UserError, match="newer seabattle"):
        Archive(path)


def test_a_file_of_an_older_program_is_read_and_written_on(tmp_path: Path):
    path = tmp_path / "games.sqlite"
    with Archive(path) as archive:
        old = played(archive)
    with sqlite3.connect(path) as db:
        # as the first format was
        db.execute("alter table game drop column details")
        db.execute("pragma user_version = 1")
    with Archive(path) as archive:
        new = played(archive, details={"people": 1})
        assert archive.games() == [old, new]


# Games at one screen.

TYPED = {
    "classic": ["random", "ready", "A1"],
    "salvo": ["random", "ready", "A1", "B1 C1", "withdraw"],
    "melee": ["A1", "C1", "E1", "G1", "I1", "K1", "M1", "O1"],
}


def at_the_screen(monkeypatch: pytest.MonkeyPatch, kind: str, people: int, typed: list[str]) -> Game:
    """Play a game in lines, until it or what is typed ends; what is kept of it."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    assert main([kind, "--chat", "--people", str(people), "--seed", "4"]) == 0
    with Archive() as archive:
        return archive.games()[-1]


@pytest.mark.parametrize("kind", TYPED)
def test_a_game_at_one_screen_is_kept_with_all_its_moves(monkeypatch: pytest.MonkeyPatch, capsys, kind: str):
    whole = at_the_screen(monkeypatch, kind, 0, [])
    told = capsys.readouterr().out
    assert whole.kind == kind and whole.finished and whole.ending == "shots"
    won = re.search(r"\*: ([ABC]) has won", told)
    assert won is not None and review.winner(whole) == "ABC".index(won[1])
    assert all(fleet is not None for fleet in whole.ships)
    if kind == "salvo":
        records = re.findall(r"round \d+: [AB] fired (\d+) shots?, hit (\d+)", told)
        assert len(whole.moves) == sum(int(shots) for shots, _ in records)
        assert sum(move.result > 0 for move in whole.moves) == sum(int(hits) for _, hits in records)
        assert review.round_of(whole, len(whole.moves)) * 2 == len(records)
    else:
        moves = re.findall(r"\*: ([ABC]) ([A-O]\d+): (\w+)", told)
        kept = [("ABC"[m.player], cell_name(m.x, m.y), archives.RESULTS[m.result]) for m in whole.moves]
        assert kept == moves


@pytest.mark.parametrize("kind", TYPED)
def test_a_game_that_is_left_is_kept_as_unfinished(monkeypatch: pytest.MonkeyPatch, kind: str):
    typed = TYPED[kind] if kind != "salvo" else TYPED[kind][:-1]
    game = at_the_screen(monkeypatch, kind, 1, typed)
    assert game.result == UNFINISHED and game.ending == "left_by_us"
    # the shots of a salvo stay hidden as long as the game can be gone on with, and so do the ships of others
    assert bool(game.moves) == (kind != "salvo") and not any(game.ships[1:])
    assert main(["resume", "--discard"]) == 0
    with Archive() as archive:
        given_up = archive.games()[-1]
    assert given_up.result == UNFINISHED and given_up.moves and all(given_up.ships)
    assert main(["resume"]) == 2


def test_while_a_game_goes_on_the_history_shows_no_ship_of_another(tmp_path: Path):
    with Archive() as archive, Archive() as reader:
        keeper = recording.Keeper(archive)
        melee = Melee(Rng(4))
        melee.deploy()
        for people, known in ((1, [0]), (2, []), (3, [])):
            keeper.begin(recording.melee_game(melee, people), recording.melee_fleets(melee))
            game = reader.games()[-1]
            assert [player for player, fleet in enumerate(game.ships) if fleet] == known
        keeper.end(recording.melee_fleets(melee), WON, "shots", [1, 2, 3])
        assert [len(fleet or ()) for fleet in reader.games()[-1].ships] == [10, 10, 10]


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_the_list_and_the_moves_of_games_at_one_screen(monkeypatch: pytest.MonkeyPatch, capsys, lang: str):
    for kind in TYPED:
        at_the_screen(monkeypatch, kind, 0, [])
        at_the_screen(monkeypatch, kind, 1, TYPED[kind])
    capsys.readouterr()
    assert main(["history", "--lang", lang]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 2 * len(TYPED)
    names = {"en": ("Classic", "Salvo", "Melee"), "ru": ("Классика", "Залпы", "Свалка")}[lang]
    assert all(name in lines[1 + 2 * i] and name in lines[2 + 2 * i] for i, name in enumerate(names))
    for number in range(1, len(lines)):
        assert main(["history", "show", str(number), "--lang", lang]) == 0
        shown = capsys.readouterr().out
        with Archive() as archive:
            assert len(re.findall(r"^\d+\. ", shown, re.MULTILINE)) == len(archive.game(number).moves)


def test_a_game_goes_on_where_it_cannot_be_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys):
    (tmp_path / "XDG_DATA_HOME").write_text("in the way", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["melee", "--chat", "--people", "0", "--seed", "4"]) == 0
    out, err = capsys.readouterr()
    assert "has won" in out and sum("XDG_DATA_HOME" in line for line in out.splitlines()) == 1 and err == ""


@pytest.mark.parametrize("kind", ["folder", "rubbish", "file in the way"])
def test_a_file_that_cannot_be_used_is_named(kind: str, tmp_path: Path):
    path = tmp_path / "games.sqlite"
    if kind == "folder":
        path.mkdir()
    elif kind == "rubbish":
        path.write_bytes(b"these are not games" * 100)
    else:
        path = path / "games.sqlite"
        path.parent.write_text("")
    with pytest.raises(UserError, match=r"games are not saved, .*games\.sqlite: ."):
        Archive(path)


# The command.


def archive_of(home: Path) -> Archive:
    assert archives.default_path().is_relative_to(home)
    return Archive()


def test_the_list_tells_of_every_game(home: Path, capsys: pytest.CaptureFixture[str]):
    with archive_of(home) as archive:
        first = played(archive)
        played(archive, LOST, "surrender", role="master", players=["Anna", "Пётр"])
        played(archive, UNFINISHED, "", players=["Anna", "?"])
    assert main(["history"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["No", "when", "opponent", "game", "field", "and", "fleet", "result", "shots", "time"]
    when = first.started.astimezone().strftime("%Y-%m-%d %H:%M")
    assert lines[0].split() == ["1", *when.split(), "BOARD", "slave", "6x6", "0,0,1,2", "won", "3-1", "1:03"]
    assert lines[1].split()[3:] == ["Пётр", "master", "6x6", "0,0,1,2", "lost", "3-1", "1:03"]
    # of a game that broke off the time of its last move counts
    assert lines[2].split()[3:] == ["?", "slave", "6x6", "0,0,1,2", "unfinished", "3-1", "1:02"]
    assert main(["history", "--lang", "ru"]) == 0
    assert "не окончена" in capsys.readouterr().out


@pytest.mark.parametrize(
    "change",
    [
        "kind='{}'",
        "started='x'",
        "players='[1, 2]'",
        "players='['",
        "width=''",
        "fleet='[]'",
        'fleet=\'{"1": "x"}\'',
        "ships='[[[[99, 99]]], null]'",
        "ships='5'",
        "seconds='x'",
        "details='null'",
        'details=\'{"people": "x"}\'',
        "details='{\"left\": [[1]]}'",
        "result=x'ff'",
        "ending='{}'",
    ],
)
def test_a_game_that_somebody_has_changed_is_named_and_the_others_are_there(
    home: Path, change: str, capsys: pytest.CaptureFixture[str]
):
    with archive_of(home) as archive:
        played(archive)
        played(archive)
    with contextlib.closing(sqlite3.connect(archives.default_path())) as db:
        db.execute(f"update game set {change} where id = 1")
        db.commit()
    assert main(["history"]) == 0
    listed = capsys.readouterr()
    assert len(listed.out.splitlines()) == 2 and listed.err.startswith("game 1 in ")
    for command in ("history show 1", "history export 1", "jury --game 1", "picture --game 1 -o -"):
        assert main(command.split()) == 2
        assert capsys.readouterr().err.startswith("seabattle: game 1 in ")
    assert main(["history", "export", "2"]) == 0


def test_without_games_the_list_says_how_to_get_one(capsys: pytest.CaptureFixture[str]):
    assert main(["history"]) == 0
    assert "seabattle play" in capsys.readouterr().out
    assert not archives.default_path().exists()
    assert main(["history", "show", "1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_show_prints_the_moves_where_there_is_no_screen(home: Path, capsys: pytest.CaptureFixture[str]):
    with archive_of(home) as archive:
        played(archive)
    assert main(["history", "show", "1"]) == 0
    out = capsys.readouterr().out
    assert "1. Анна B3: hit" in out
    assert "3. BOARD F6: miss" in out
    assert "won, their fleet is sunk" in out
    assert main(["history", "show", "2"]) == 2
    assert "no game 2" in capsys.readouterr().err


def test_export_is_json_that_has_everything(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    with archive_of(home) as archive:
        game = played(archive)
    assert main(["history", "export", "1"]) == 0
    out = capsys.readouterr().out
    assert main(["history", "export", "1", "-o", "-"]) == 0
    assert capsys.readouterr().out == out
    data = json.loads(out)
    assert data["players"] == game.players
    assert data["fleet"] == {"2": 1, "1": 2}
    assert data["ships"] == [[[[1, 1], [1, 2]], [[4, 4]], [[6, 1]]], None]
    assert data["result"] == "won"
    assert [(m["player"], m["x"], m["y"], m["result"], m["at"]) for m in data["moves"]] == [
        (0, 2, 3, "hit", 0.5),
        (0, 2, 4, "sunk", 1.25),
        (1, 6, 6, "miss", 61.0),
        (0, 1, 1, "repeat", 62.5),
    ]
    target = tmp_path / "game.json"
    assert main(["history", "export", "1", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == out
    assert main(["history", "export", "1", "-o", str(tmp_path / "no" / "game.json")]) == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["show"], ["show", "0"], ["show", "x"], ["replay", "1"]])
def test_bad_arguments_are_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["history", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1


# What events make of a game.


def event(code: int, **how: int | str) -> Event:
    return Event(code, role=wire.MASTER, **how)  # type: ignore[arg-type]


def match_under_way(archive: Archive | None) -> Match:
    clock = iter(range(1000))
    match = Match(archive, "Anna", clock=lambda: next(clock))
    match.take(event(links.EV_NICK, text="BOARD"))
    match.agree(Parameters(6, 0, 0, 1, 2))
    match.place([[(1, 1), (1, 2)], [(4, 4)], [(6, 1)]])
    match.take(event(links.EV_BATTLE))
    match.take(event(links.EV_ANSWER, x=2, y=3, answer=wire.HIT))
    match.take(event(links.EV_SHOT, x=4, y=4, answer=wire.SUNK))
    return match


def test_a_battle_is_kept_from_its_first_shot_to_its_result(tmp_path: Path):
    with Archive(tmp_path / "games.sqlite") as archive:
        match = match_under_way(archive)
        (game,) = archive.games()
        assert (game.players, game.role, game.fleet) == (["Anna", "BOARD"], "master", {2: 1, 1: 2})
        assert [(m.player, m.x, m.y, m.result) for m in game.moves] == [(0, 2, 3, 1), (1, 4, 4, 2)]
        match.take(event(links.EV_OVER, a=links.WE_LOST, b=links.BY_SURRENDER))
        (game,) = archive.games()
        assert (game.result, game.ending, match.losses) == (LOST, "surrender", 1)
        assert game == match.game


@pytest.mark.parametrize(
    "code",
    [
        links.EV_GOODBYE,
        links.EV_IDLE,
        links.EV_BROKEN,
        links.EV_ACCUSED,
        links.EV_PEER_TIMEOUT,
        links.EV_PEER_RESET,
        links.EV_RESTART,
        links.EV_CLOSED,
    ],
)
def test_whatever_breaks_a_battle_off_is_named_in_the_archive(code: int, tmp_path: Path):
    from seabattle_host.games.history import outcome

    with Archive(tmp_path / "games.sqlite") as archive:
        match = match_under_way(archive)
        match.take(event(code))
        (game,) = archive.games()
        assert not game.finished
        assert game.ending
        assert outcome(game).startswith("unfinished: ")
        assert not match.under_way


def test_an_archive_that_fails_costs_the_record_and_not_the_game(tmp_path: Path):
    archive = Archive(tmp_path / "games.sqlite")
    match = match_under_way(archive)
    archive.close()
    match.take(event(links.EV_ANSWER, x=2, y=4, answer=wire.SUNK))
    assert "games are not saved" in match.problem
    match.take(event(links.EV_SHOT, x=6, y=1, answer=wire.SUNK))
    assert match.game is not None
    assert match.position is not None
    assert len(match.game.moves) == 4
    assert match.position.shots == [2, 2]


# What the application remembers.


def test_preferences_come_back():
    wanted = Preferences(
        port="/dev/ttyUSB0", lang="ru", nick="Анна", role="slave", size=8, fleet=(0, 1, 2, 3), bell=True
    )
    wanted.save()
    assert Preferences.load() == wanted


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100000, "[]", '{"size": "ten", "fleet": [1, 2], "nick": 5, "bell": 1, "other": {}}']
)
def test_preferences_that_make_no_sense_are_the_usual_ones(text: str):
    default_path().parent.mkdir(parents=True)
    default_path().write_text(text)
    assert Preferences.load() == Preferences()


def test_a_crash_while_saving_leaves_the_old_preferences(monkeypatch: pytest.MonkeyPatch):
    Preferences(nick="Anna").save()

    def crash(*_paths: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        Preferences(nick="Boris").save()
    assert Preferences.load().nick == "Anna"
    assert [path.name for path in default_path().parent.iterdir()] == [default_path().name]


def test_a_folder_that_cannot_be_written_costs_only_the_memory(home: Path):
    default_path().parent.parent.mkdir(parents=True, exist_ok=True)
    default_path().parent.write_text("in the way")
    Preferences(nick="Anna").save()
    assert Preferences.load() == Preferences()


def test_when_a_game_began_is_kept_to_the_second(tmp_path: Path):
    with Archive(tmp_path / "games.sqlite") as archive:
        game = played(archive)
        assert abs(archive.game(1).started - game.started) < timedelta(seconds=1)
