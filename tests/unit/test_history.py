"""Stored games: the archive, its command, what battles and verdicts leave, what the application remembers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seabattle import fair, jury, wire
from seabattle import link as links
from seabattle_host.errors import UserError
from seabattle_host.games import review
from seabattle_host.games.history import outcome, statistics
from seabattle_host.jury.verdict import Finding, Verdict
from seabattle_host.language.text import cell_name
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.runner import Event
from seabattle_host.records import archive as archives
from seabattle_host.records.archive import LOST, NO_RESULT, UNFINISHED, WON, Archive, Game, Move
from seabattle_host.records.paths import archive_path
from seabattle_host.records.settings import Preferences, default_path
from seabattle_host.tui.match import Match
from tests.calls import Seabattle
from tests.command import environment

MINE = [[(1, 1), (1, 2)], [(4, 4)], [(6, 1)]]
MOVES = [Move(0, 2, 3, 1, 0.5), Move(0, 2, 4, 2, 1.25), Move(1, 6, 6, 0, 61.0), Move(0, 1, 1, 3, 62.5)]


pytestmark = pytest.mark.usefixtures("home")


def sample(**changes: object) -> Game:
    """Return a game on 6x6 that has not begun."""
    how: dict = dict(players=["Анна", "BOARD"], width=6, height=6, fleet={2: 1, 1: 2}, role="slave")
    return Game(**{**how, "ships": [MINE, None], **changes})


def played(archive: Archive, result: str = WON, ending: str = "shots", **changes: object) -> Game:
    game = sample(**changes)
    archive.begin(game)
    for move in MOVES:
        archive.add(game, move)
    if ending:
        archive.end(game, result, ending, 63.0)
    return game


# The archive.


def test_a_killed_program_leaves_what_was_played(tmp_path: Path):
    """Killed by SIGKILL right after its second move, with a third one not yet committed."""
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
        # and the next game is stored
        played(archive)
        assert len(archive.games()) == 2


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path):
    path = tmp_path / "games.sqlite"
    Archive(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"pragma user_version = {archives._FORMAT + 1}")
    with pytest.raises(UserError, match="newer seabattle"):
        Archive(path)


def test_a_file_of_an_older_program_is_read_and_written_on(tmp_path: Path):
    path = tmp_path / "deep" / "games.sqlite"
    with Archive(path) as archive:
        old = played(archive)
    with sqlite3.connect(path) as db:
        # the first format
        db.execute("alter table game drop column details")
        db.execute("pragma user_version = 1")
    with Archive(path) as archive:
        new = played(archive, details={"people": 1})
        assert archive.games() == [old, new] and new.moves == MOVES


@pytest.mark.parametrize("place", ["folder", "rubbish", "file in the way"])
def test_a_file_that_cannot_be_used_is_named(place: str, tmp_path: Path):
    path = tmp_path / "games.sqlite"
    if place == "folder":
        path.mkdir()
    elif place == "rubbish":
        path.write_bytes(b"these are not games" * 100)
    else:
        path.write_text("")
        path /= "games.sqlite"
    with pytest.raises(UserError, match=r"games are not saved, .*games\.sqlite: ."):
        Archive(path)


# Games at one screen.

TYPED = {
    "classic": ["random", "ready", "A1"],
    "salvo": ["random", "ready", "A1", "B1 C1", "withdraw"],
    "melee": ["A1", "C1", "E1", "G1", "I1", "K1", "M1", "O1"],
}


def last() -> Game:
    with Archive() as archive:
        return archive.games()[-1]


def by_lines(seabattle: Seabattle, kind: str, people: int, typed: list[str]) -> str:
    """Play a game in lines until it or the input ends; return what was printed."""
    return seabattle.told(f"{kind} --chat --people {people} --seed 4", typed=typed)


@pytest.mark.parametrize("kind", TYPED)
def test_a_game_at_one_screen_is_kept_with_all_its_moves(seabattle: Seabattle, kind: str):
    told = by_lines(seabattle, kind, 0, [])
    whole = last()
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
def test_a_game_that_is_left_is_kept_as_unfinished(seabattle: Seabattle, kind: str):
    by_lines(seabattle, kind, 1, TYPED[kind] if kind != "salvo" else TYPED[kind][:-1])
    game = last()
    assert game.result == UNFINISHED and game.ending == "left_by_us"
    # the shots of a salvo stay hidden while the game can be resumed, and so do the others' ships
    assert bool(game.moves) == (kind != "salvo") and not any(game.ships[1:])
    seabattle.told("resume --discard")
    given_up = last()
    assert given_up.result == UNFINISHED and given_up.moves and all(given_up.ships)
    seabattle.refused("resume")


def test_a_game_goes_on_where_it_cannot_be_kept(seabattle: Seabattle, home: Path):
    (home / "XDG_DATA_HOME").write_text("in the way", encoding="utf-8")
    out = by_lines(seabattle, "melee", 0, [])
    assert "has won" in out and sum("XDG_DATA_HOME" in line for line in out.splitlines()) == 1


# The command.


def kept(*games: dict[str, Any]) -> list[Game]:
    """Store games in the tests' archive."""
    with Archive() as archive:
        return [played(archive, **game) for game in games]


def test_the_list_tells_of_every_game(seabattle: Seabattle):
    lost = {"result": LOST, "ending": "surrender", "role": "master", "players": ["Anna", "Пётр"]}
    first, *_ = kept({}, lost, {"result": UNFINISHED, "ending": "", "players": ["Anna", "?"]})
    head, *lines = seabattle.told("history").splitlines()
    assert head.split() == ["No", "when", "opponent", "game", "field", "and", "fleet", "result", "shots", "time"]
    when = first.started.astimezone().strftime("%Y-%m-%d %H:%M")
    assert " ".join(lines[0].split()) == f"1 {when} BOARD slave 6x6 0,0,1,2 won 3-1 1:03"
    assert " ".join(lines[1].split()[3:]) == "Пётр master 6x6 0,0,1,2 lost 3-1 1:03"
    # a game that broke off lasts until its last move
    assert " ".join(lines[2].split()[3:]) == "? slave 6x6 0,0,1,2 unfinished 3-1 1:02"
    assert "не окончена" in seabattle.told("history --lang ru")


@pytest.mark.parametrize(
    "change",
    [
        *("kind='{}'", "started='x'", "players='[1, 2]'", "players='['", "width=''", "fleet='[]'", "ships='5'"),
        *('fleet=\'{"1": "x"}\'', "ships='[[[[99, 99]]], null]'", "seconds='x'", "details='null'"),
        *('details=\'{"people": "x"}\'', "details='{\"left\": [[1]]}'", "result=x'ff'", "ending='{}'"),
    ],
)
def test_a_game_that_somebody_has_changed_is_named_and_the_others_are_there(change: str, seabattle: Seabattle):
    kept({}, {})
    with contextlib.closing(sqlite3.connect(archive_path())) as db:
        db.execute(f"update game set {change} where id = 1")
        db.commit()
    status, out, err = seabattle("history")
    assert status == 0 and len(out.splitlines()) == 2 and err.startswith("game 1 in ")
    for command in ("history show 1", "history export 1", "jury --game 1", "picture --game 1 -o -"):
        assert seabattle.refused(command).startswith("game 1 in ")
    seabattle.told("history export 2")


def test_without_games_the_list_says_how_to_get_one(seabattle: Seabattle):
    assert "seabattle play" in seabattle.told("history")
    assert not archive_path().exists()
    assert "there are no games yet" in seabattle.refused("history show 1")


def test_show_prints_the_moves_where_there_is_no_screen(seabattle: Seabattle):
    kept({})
    out = seabattle.told("history show 1")
    for said in ("1. Анна B3: hit", "3. BOARD F6: miss", "won, their fleet is sunk"):
        assert said in out
    assert "no game 2; the last one is 1" in seabattle.refused("history show 2")


def test_export_is_json_that_has_everything(home: Path, seabattle: Seabattle):
    (game,) = kept({})
    out = seabattle.told("history export 1")
    assert seabattle.told("history export 1 -o -") == out
    data = json.loads(out)
    assert (data["players"], data["fleet"], data["result"]) == (game.players, {"2": 1, "1": 2}, "won")
    assert data["ships"] == [[[[1, 1], [1, 2]], [[4, 4]], [[6, 1]]], None]
    assert [" ".join(map(str, move.values())) for move in data["moves"]] == [
        *("0 2 3 hit 0.5", "0 2 4 sunk 1.25", "1 6 6 miss 61.0", "0 1 1 repeat 62.5")
    ]
    seabattle.told("history export 1 -o", home / "game.json")
    assert (home / "game.json").read_text(encoding="utf-8") == out
    assert "cannot write" in seabattle.refused("history export 1 -o", home / "no" / "game.json")


@pytest.mark.parametrize("arguments", ["show", "show 0", "show x", "replay 1"])
def test_bad_arguments_are_one_line(arguments: str, seabattle: Seabattle):
    seabattle.refused(f"history {arguments}")


# What events become in a stored game.


def event(code: int, **how: object) -> Event:
    return Event(code, role=wire.MASTER, **how)  # type: ignore[arg-type]


def battle(archive: Archive, answer: int = wire.MISS) -> Match:
    """Return a battle in which Anna has shot once."""
    clock = iter(range(1000))
    match = Match(archive, "Anna", clock=lambda: next(clock))
    match.take(event(links.EV_NICK, text="BOARD"))
    match.agree(Parameters(6, 0, 0, 1, 2))
    match.place(MINE)  # type: ignore[arg-type]
    match.take(event(links.EV_BATTLE))
    match.take(event(links.EV_ANSWER, x=2, y=3, answer=answer))
    return match


def match_under_way(archive: Archive) -> Match:
    match = battle(archive, wire.HIT)
    match.take(event(links.EV_SHOT, x=4, y=4, answer=wire.SUNK))
    return match


@pytest.mark.parametrize("name", "GOODBYE IDLE BROKEN ACCUSED PEER_TIMEOUT PEER_RESET RESTART CLOSED".split())
def test_whatever_breaks_a_battle_off_is_named_in_the_archive(name: str, tmp_path: Path):
    with Archive(tmp_path / "games.sqlite") as archive:
        match = match_under_way(archive)
        match.take(event(getattr(links, f"EV_{name}")))
        (game,) = archive.games()
        assert not game.finished and game.ending
        assert outcome(game).startswith("unfinished: ")
        assert not match.under_way


def test_an_archive_that_fails_costs_the_record_and_not_the_game(tmp_path: Path):
    archive = Archive(tmp_path / "games.sqlite")
    match = match_under_way(archive)
    archive.close()
    match.take(event(links.EV_ANSWER, x=2, y=4, answer=wire.SUNK))
    assert "games are not saved" in match.problem
    match.take(event(links.EV_SHOT, x=6, y=1, answer=wire.SUNK))
    assert match.game is not None and len(match.game.moves) == 4
    assert match.position is not None and match.position.shots == [2, 2]


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


@pytest.mark.skipif(os.name == "nt", reason="left out: links and rights of POSIX")
def test_preferences_that_are_a_link_or_have_rights_of_their_own_keep_them(tmp_path: Path):
    default_path().parent.mkdir(parents=True)
    (tmp_path / "kept.json").write_text("{}")
    (tmp_path / "kept.json").chmod(0o640)
    default_path().symlink_to(tmp_path / "kept.json")
    Preferences(nick="Anna").save()
    assert default_path().is_symlink() and Preferences.load().nick == "Anna"
    assert (tmp_path / "kept.json").stat().st_mode & 0o777 == 0o640


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


DECKS = bytes(int(cell in (8, 14, 35, 5)) for cell in range(36))
GUILTY, CLEAN = Finding(jury.FALSE_ANSWER, 2, 3, 0, 1, 0, 1), Finding()


@pytest.mark.parametrize("result", [links.WE_WON, links.WE_LOST])
@pytest.mark.parametrize(
    ("findings", "turned"),
    [((CLEAN, CLEAN), None), ((GUILTY, CLEAN), LOST), ((CLEAN, GUILTY), WON), ((GUILTY, GUILTY), NO_RESULT)],
)
def test_a_verdict_turns_the_result_that_is_kept(
    findings: tuple[Finding, Finding], turned: str | None, result: int, tmp_path: Path
):
    with Archive(tmp_path / "games.sqlite") as archive:
        match = battle(archive)
        match.take(event(links.EV_OVER, a=result, b=links.BY_SHOTS))
        played = WON if result == links.WE_WON else LOST
        match.take(event(fair.EV_JURY, a=fair.SHOWN, verdict=Verdict(findings, (True, False)), decks=DECKS))
        (game,) = archive.games()
    assert game.result == (turned or played)
    assert game.ending == ("shots" if game.result == played else "jury")
    assert (match.wins, match.losses) == (int(game.result == WON), int(game.result == LOST))
    assert game.ships == [MINE, [[(6, 1)], [(3, 2), (3, 3)], [(6, 6)]]]
    assert Verdict.from_json(game.details["jury"]).findings == findings
    assert outcome(game)
    assert any(line.startswith("the jury: ") for line in statistics(game))
    assert game == match.game


def test_a_proof_during_the_game_wins_it_and_other_faults_do_not(tmp_path: Path):
    over = event(links.EV_OVER, a=links.WE_WON, b=links.BY_PROOF)
    false = event(
        links.EV_BROKEN,
        a=wire.SHOT,
        b=wire.R_CORNER,
        x=3,
        y=4,
        answer=wire.HIT,
        earlier_x=2,
        earlier_y=3,
        earlier=wire.HIT,
    )
    turn = event(links.EV_BROKEN, a=wire.SHOT, b=wire.R_TURN, x=3, y=4)
    for happened, kept in (((over, false), (WON, "proof")), ((turn,), ("", "broken"))):
        with Archive(tmp_path / f"{len(happened)}.sqlite") as archive:
            match = battle(archive)
            for one in happened:
                match.take(one)
            (game,) = archive.games()
        assert (game.result, game.ending) == kept
        assert ("provably false" in outcome(game)) == (kept[0] == WON)
        # the history names both cells and both answers
        told = "\n".join(statistics(game))
        assert ("answer to our shot at C4, 'hit', is false" in told) == (kept[0] == WON)
        assert ("its answer at B3 was 'hit'" in told) == (kept[0] == WON)


def test_what_comes_in_the_middle_of_a_battle_or_without_a_field_changes_nothing(tmp_path: Path):
    with Archive(tmp_path / "games.sqlite") as archive:
        match = battle(archive)
        match.take(event(fair.EV_JURY, a=fair.SHOWN, verdict=Verdict((CLEAN, GUILTY)), decks=DECKS))
        match.take(event(links.EV_OVER, a=links.WE_LOST, b=links.BY_SURRENDER))
        match.take(event(fair.EV_JURY, a=fair.NO_VERDICT, b=fair.GONE))
        (game,) = archive.games()
    assert (game.result, game.ending, game.ships[1]) == (LOST, "surrender", None)
    assert "jury" not in game.details
