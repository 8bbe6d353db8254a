"""`seabattle club` in processes of its own: boards, people and bots meet in it; it is stopped, killed, inspected."""

from __future__ import annotations

import fcntl
import json
import re
import signal
import socket
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host.club.store import FINISHED, Game, Move, Store, pack
from seabattle_host.line.port import Port
from tests import needs
from tests.calls import Seabattle
from tests.captures import played
from tests.command import SOON, Command, wait_until
from tests.e2e.screens import Peer, Screens, application, peer, play
from tests.lines import Cable

pytestmark = [pytest.mark.usefixtures("faster"), needs.PTYS]

SMALL = ("--size", "6", "--fleet", "0,0,1,2")


@contextmanager
def serve(folder: Path, *arguments: str) -> Iterator[tuple[Command, str]]:
    """An open club, and the URL for players."""
    with Command("club", "serve", "--db", str(folder / "c.sqlite"), "--listen", "127.0.0.1:0", *arguments) as club:
        line = club.line("the club is open")
        yield club, f"socket://{line.split()[-1]}"


def answers(seat: Peer) -> list[tuple[int, int, int]]:
    """Return this seat's answered shots."""
    return [(e.x, e.y, e.answer) for e in seat.events if e.code == links.EV_ANSWER]


def of_side(game: Game, side: int) -> list[tuple[int, int, int]]:
    """Return the same from the database."""
    return [(m.x, m.y, wire.MISS + 0x10 * m.result) for m in game.moves if m.player == side]


def test_two_bots_meet_and_leave(tmp_path: Path) -> None:
    with serve(tmp_path) as (club, url):
        with (
            Command("bot", "--port", url, "--nick", "Ann", *SMALL, "--seed", "1") as one,
            Command("bot", "--port", url, "--nick", "Bob", *SMALL, "--seed", "2") as two,
        ):
            for bot, other in ((one, "Bob"), (two, "Ann")):
                status, out, err = bot.finish()
                assert (status, err) == (0, "") and f"the opponent's nick is {other}" in out
                assert "result: 1 game" in out
        club.process.send_signal(signal.SIGTERM)
        status, out, err = club.finish()
    assert (status, err) == (0, "")
    assert "game 1 is over: won by" in out


def test_boards_and_a_person_meet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # the boards' ticks are not faster, and two that seek their roles need the same
    ends = [tmp_path / "a", tmp_path / "b"]

    usual = ("--autoplay", *SMALL, "--level", "hunt", "--lang", "en", "--role", "auto")
    with (
        Command("board", *usual, "--link", str(ends[0]), "--nick", "Left") as left,
        Command("board", *usual, "--link", str(ends[1]), "--nick", "Right") as right,
    ):
        wait_until(lambda: all(end.is_symlink() for end in ends))
        with serve(tmp_path, "--port", str(ends[0]), "--port", str(ends[1])) as (club, url):
            outs = []
            for board, other in ((left, "Right"), (right, "Left")):
                status, out, err = board.finish()
                assert (status, err) == (0, "") and f"the opponent's nick is {other}" in out, out
                outs.append(out)
            assert re.findall(r"our shot at (\w+: .*)", outs[0]) == re.findall(r"their shot at (\w+: .*)", outs[1])
            # the ports have vanished; a person comes, and another board at the same port
            app = application(tmp_path, url=url, role="master", nick="Anna")

            async def script(screens: Screens) -> None:
                await screens.offer()
                await screens.place()
                await screens.phase("battle")
                assert await screens.my_turn()
                await screens.press("f3")
                await screens.shot(1)
                await screens.press("f8", "y", "y")
                await screens.phase("end")

            with Command(
                *("board", "--role", "slave", "--link", str(ends[1]), "--nick", "Right", "--autoplay", "--lang", "en"),
                *("--level", "random"),
            ) as board:
                play(app, script)
                board.finish()
            club.process.send_signal(signal.SIGTERM)
            status, out, _err = club.finish()
    assert status == 0
    with Store(tmp_path / "c.sqlite") as store:
        games = [store.game(game.id) for game in reversed(store.games()) if game.battle]
    assert [sorted(p.name for p in game.players) for game in games] == [
        ["Left", "Right"],
        ["Anna", "Right"],
    ]
    assert [game.ending for game in games] == ["shots", "surrender"], out


def test_a_club_that_is_stopped_says_goodbye_to_all(tmp_path: Path) -> None:
    with (
        serve(tmp_path) as (club, url),
        peer(url, wire.SLAVE, nick=b"SAM") as one,
        peer(url, wire.SLAVE, nick=b"TOM") as two,
    ):
        wait_until(lambda: links.EV_NICK in one.codes() and links.EV_NICK in two.codes())
        # the game begins last: it must not be over before the club is stopped
        with peer(url, wire.MASTER, nick=b"MAX") as three:
            wait_until(lambda: answers(three))
            club.process.send_signal(signal.SIGTERM)
            for seat in (one, two, three):
                wait_until(lambda seat=seat: links.EV_GOODBYE in seat.codes())  # type: ignore[misc]
            status, out, err = club.finish()
    assert (status, err) == (0, "")
    assert "the club closes" in out
    with Store(tmp_path / "c.sqlite") as store:
        assert [game.stage for game in store.games()] == [FINISHED] * len(store.games())
        assert store.games()[0].ending == "closed" and store.games()[0].winner is None


def test_a_club_that_is_killed_has_every_finished_move(tmp_path: Path) -> None:
    with serve(tmp_path) as (club, url):
        with peer(url, wire.MASTER, nick=b"MAX") as one, peer(url, wire.SLAVE, nick=b"SAM") as two:
            wait_until(lambda: len(answers(one)) >= 5 and len(answers(two)) >= 5)
            club.process.kill()
            club.finish()
        with Store(tmp_path / "c.sqlite") as store:
            games = [store.game(game.id) for game in reversed(store.games())]
        for side, seat in ((0, one), (1, two)):
            known = [move for game in games for move in of_side(game, side)]
            assert known[: len(answers(seat))] == answers(seat)
    # it opens again, reports what it found, and goes on
    with serve(tmp_path) as (club, url):
        assert "broken off: 1" in club.out.decode()
        with peer(url, wire.MASTER, nick=b"MAX") as one, peer(url, wire.SLAVE, nick=b"SAM") as two:
            wait_until(lambda: links.EV_OVER in one.codes() and links.EV_OVER in two.codes())
    with Store(tmp_path / "c.sqlite") as store:
        assert store.game(len(games)).ending == "killed"
        assert {p.id for p in store.game(len(games) + 1).players} == {1, 2}


def test_a_club_whose_log_nobody_reads_goes_on(tmp_path: Path) -> None:
    with serve(tmp_path) as (club, url):
        # more lines than the pipe holds; it is made small where possible
        lines = 1000
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            lines = fcntl.fcntl(club.process.stdout, fcntl.F_SETPIPE_SZ, 4096) // 40
        address = ("127.0.0.1", int(url.rsplit(":", 1)[1]))
        for _ in range(lines):
            with socket.create_connection(address) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with peer(url, wire.MASTER, nick=b"MAX") as one, peer(url, wire.SLAVE, nick=b"SAM") as two:
            wait_until(lambda: links.EV_OVER in one.codes() and links.EV_OVER in two.codes())
        club.process.send_signal(signal.SIGTERM)
        assert club.process.wait(SOON) == 0


def test_a_club_that_cannot_write_its_file_closes_and_says_why(tmp_path: Path) -> None:
    with serve(tmp_path) as (club, url):
        with sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None) as other:
            other.execute("alter table player rename to gone")
        with peer(url, wire.MASTER, nick=b"MAX"):
            status, _out, err = club.finish()
    assert status == 2 and len(err.splitlines()) == 1 and "c.sqlite: no such table" in err


def test_the_club_says_what_is_at_a_port_that_makes_no_sense(tmp_path: Path) -> None:
    with (
        Cable(tmp_path),
        serve(tmp_path, "--port", str(tmp_path / "a")) as (club, _url),
        Port(str(tmp_path / "b")) as far,
    ):
        club.line("a player may be at")
        far.write(b"$GPGGA,123519,4807.038,N*47\r\n")
        assert "a satellite receiver" in club.line("the incoming bytes are text")


def test_a_board_at_a_port_outlives_the_club_and_the_cable(tmp_path: Path) -> None:
    with Cable(tmp_path) as cable, peer(str(tmp_path / "b"), wire.SLAVE, nick=b"BOARD") as board:

        def overs() -> int:
            return board.codes().count(links.EV_OVER)

        with serve(tmp_path, "--port", str(tmp_path / "a")) as (club, url), peer(url, wire.MASTER, nick=b"MAX"):
            wait_until(lambda: answers(board))
            club.process.kill()
            club.finish()
        # the next club calls it back from the vanished game
        with (
            serve(tmp_path, "--port", str(tmp_path / "a")) as (club, url),
            peer(url, wire.MASTER, nick=b"MAX") as other,
        ):
            wait_until(lambda: links.EV_PEER_TIMEOUT in board.codes())
            before = overs()
            wait_until(lambda: overs() > before)
            cable.pull()
            wait_until(lambda: links.EV_GOODBYE in other.codes())
            cable.plug()
            before = overs()
            wait_until(lambda: overs() > before)


# Inspecting it.


@pytest.fixture
def shelf(tmp_path: Path, english: None) -> Path:
    """A club's file with a finished game and an unfinished one."""
    path = tmp_path / "club.sqlite"
    with Store(path) as store:
        ann, bob = store.register("Ann"), store.register("Боря")
        game = Game((ann, bob), size=10, fleet=(1, 2, 3, 4))
        store.begin(game)
        chunks = played()
        began = chunks[0].at
        for number, (x, y, result) in enumerate(((1, 1, 0), (2, 7, 1), (2, 8, 2))):
            store.move(game, Move(int(number > 0), x, y, result, float(number)))
        store.capture(game.id, 1, b"".join(pack(c.at - began + 10**15, c.side, c.data) for c in chunks))
        game.stage, game.battle, game.winner, game.ending, game.rated = FINISHED, True, 1, "shots", True
        game.ended = datetime.now(timezone.utc)
        store.stage(game)
        store.begin(Game((bob, ann)))
    return path


OFFENCES = ("violations", "left", "stalled")


def test_the_table(shelf: Path, seabattle: Seabattle) -> None:
    lines = seabattle.told("club table --db", shelf).splitlines()
    assert lines[0].split() == ["#", "player", "ID", "rating", "±", "games", "won", "lost", *OFFENCES]
    assert [line.split() for line in lines[1:]] == [
        ["1", "Боря", "2", "1662", "±581", "1", "1", "0", "0", "0", "0"],
        ["2", "Ann", "1", "1338", "±581", "1", "0", "1", "0", "0", "0"],
    ]
    # a table without rows denies no game
    with Store(shelf.with_name("new.sqlite")) as store:
        store.begin(Game((store.register("Ann"), store.register("Bob"))))
        assert "no game that counts was played in the club yet" in seabattle.told("club table --db", store.path)


def test_the_games(shelf: Path, seabattle: Seabattle) -> None:
    lines = seabattle.told("club games --db", shelf).splitlines()
    assert "Ann - Боря" in lines[1] and "fleet sunk" in lines[1] and lines[1].split()[-1] == "3"
    assert "Боря - Ann" in lines[2] and "not finished" in lines[2]
    assert len(seabattle.told("club games --most 1 --db", shelf).splitlines()) == 2


def test_a_game_move_by_move_in_either_language(shelf: Path, seabattle: Seabattle) -> None:
    lines = seabattle.told("club show 1 --db", shelf).splitlines()
    assert [line.split() for line in lines[2:5]] == [
        ["1", "Ann", "A1", "miss"],
        ["2", "Боря", "B7", "hit"],
        ["3", "Боря", "B8", "sunk"],
    ]
    assert lines[-1] == "won by Боря: fleet sunk"
    assert "Б7   ранил" in seabattle.told("club show 1 --lang ru --db", shelf)


def test_a_game_for_other_programs(shelf: Path, seabattle: Seabattle, tmp_path: Path) -> None:
    game = json.loads(seabattle.told("club export 1 --db", shelf))
    assert [player["name"] for player in game["players"]] == ["Ann", "Боря"]
    assert game["winner"] == 1 and [move["result"] for move in game["moves"]] == ["miss", "hit", "sunk"]
    assert json.loads(seabattle.told("club export 1 -o - --db", shelf)) == game
    capture = tmp_path / "game.json"
    assert seabattle.told("club export 1 --capture --db", shelf, "-o", capture) == ""
    assert seabattle("decode --check", capture)[0] == 0


BAD = """\
club | serve|table|games|show|export
club serve --listen 4000 | '4000' is no address: HOST:PORT
club serve --listen localhost:99999 | is no address
club serve --listen none --db {folder}/c | give --listen, --port or --web
club serve --listen 192.0.2.1:4000 --db {folder}/c | cannot listen on 192.0.2.1:4000
club serve --listen {busy} --db {folder}/c | in use: give another --listen
club serve --listen none --web {busy} --db {folder}/c | in use: give another --web
club serve --pace 0 | '0' is not a whole number
club serve --listen none --port /dev/ttyNONE --db {folder}/c | does not exist
club serve --bots -1 | is not a whole number
club serve --db {folder}/text | file is not a database; --db names another
club serve --db {folder}/text/c | /text
club table --db {folder}/none | there is no club in
club show 99 --db {shelf} | there is no game 99; the last one is 2
club export 2 --capture --db {shelf} | nothing was captured of game 2
club export 1 -o {folder}/none/x --db {shelf} | cannot write
club games --db {folder}/newer | is from a newer seabattle
"""


@pytest.mark.parametrize("case", BAD.splitlines())
def test_bad_input_is_one_line(shelf: Path, tmp_path: Path, seabattle: Seabattle, case: str) -> None:
    (tmp_path / "text").write_text("no database" * 1000, encoding="ascii")
    with sqlite3.connect(tmp_path / "newer") as db:
        db.execute("pragma user_version = 99")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        busy = f"127.0.0.1:{taken.getsockname()[1]}"
        command, says = case.format(folder=tmp_path, shelf=shelf, busy=busy).split(" | ")
        status, _out, err = seabattle(command)
    assert status == 2 and err.count("\n") == 1 and says in err


def test_a_club_is_open_once(tmp_path: Path) -> None:
    with serve(tmp_path), Command("club", "serve", "--db", str(tmp_path / "c.sqlite")) as second:
        status, _out, err = second.finish()
    assert status == 2 and "is open already" in err
