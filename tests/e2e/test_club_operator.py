"""What the operator does to a club: to an open one through its file, to a closed one by the command."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime, timezone
from pathlib import Path

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host.club import pins
from seabattle_host.club.admin import Administration, obey
from seabattle_host.club.store import FINISHED, Game, Store
from seabattle_host.club.web import WebServer
from seabattle_host.errors import UserError
from tests.calls import Seabattle
from tests.club import House, until


async def ordered(house: House, *what: str) -> str:
    """Give an order by the file, as the command does; return its result."""
    with Store(house.lobby.store.path) as store:
        admin = Administration(store)
        number = admin.order(*what)
        result: list[str] = []

        def done() -> bool:
            told = admin.result(number)
            if told is not None:
                result.append(told)
            return bool(result)

        await until(done)
    return result[0]


async def test_the_page_forgets_the_name_of_a_renamed_or_deleted_player(house: House) -> None:
    store = house.lobby.store
    ann, bob = store.register("Ann"), store.register("Bob")
    game = Game((ann, bob), size=6, fleet=(0, 0, 1, 2), battle=True, winner=0, ending="shots", rated=True)
    store.begin(game)
    game.stage, game.ended = FINISHED, datetime.now(timezone.utc)
    store.stage(game)
    house.lobby.ratings.add(ann.id, bob.id, game.ended)
    page = WebServer(house.lobby)

    def names() -> set[str]:
        return {row["name"] for row in json.loads(page.snapshot())["table"]}

    assert names() == {"Ann", "Bob"}
    await ordered(house, "rename", "Ann", "Eve")
    assert names() == {"Eve", "Bob"}
    await ordered(house, "delete", "Bob")
    assert names() == {"Eve"}


async def test_orders_to_an_open_club(house: House) -> None:
    seat = await house.seat(wire.SLAVE, b"SAM", bot=False)
    await house.waiting("SAM")
    assert await ordered(house, "say", "tea at five") == "said to 1 player"
    await until(lambda: seat.told("club: tea at five"))
    assert await ordered(house, "rename", "SAM", "Sammy") == "SAM is Sammy now"
    assert house.waits("Sammy")
    assert (await ordered(house, "end", "7")).startswith("!game 7 is not running")
    master = await house.seat(wire.MASTER, b"MAX", bot=False)
    await house.relay("MAX", "Sammy")
    assert await ordered(house, "end", "1") == "game 1 is ended"
    await until(lambda: links.EV_GOODBYE in master.codes())
    assert (house.games()[0].winner, house.games()[0].ending) == (None, "ended")
    # a look-alike of a banned name is banned, too
    assert await ordered(house, "ban", "MAX") == "MAX is banned; disconnected: 1 player"
    await until(lambda: master.hung_up)
    again = await house.seat(wire.MASTER, "МАХ".encode("cp866"), bot=False)
    await until(lambda: again.hung_up)
    assert await ordered(house, "unban", "MAX") == "MAX may come again"
    await ordered(house, "ban", "127.0.0.2", "1")
    other = await house.seat(wire.MASTER, b"TOM", bot=False, address="127.0.0.2")
    await until(lambda: other.hung_up)


def test_orders_to_a_closed_club_and_a_backup_of_it(tmp_path: Path, seabattle: Seabattle) -> None:
    path = tmp_path / "club.sqlite"
    with Store(path) as store:
        ann, bob = store.register("Ann"), store.register("Bob")
        store.claim(ann.id, pins.make("1234"))
        game = Game((ann, bob), size=6, fleet=(0, 0, 1, 2), battle=True, winner=0, ending="shots", rated=True)
        store.begin(game)
        game.stage, game.ended = FINISHED, datetime.now(timezone.utc)
        store.stage(game)
        store.capture(game.id, 1, b"secret words")
    copy = tmp_path / "copy.sqlite"
    assert seabattle.told("club backup", copy, "--db", path) == f"copied to {copy}\n"
    seabattle.refused("club backup", copy, "--db", path)
    (tmp_path / "no club").write_bytes(b"")
    assert "no club to" in seabattle.refused("club backup", tmp_path / "half", "--db", tmp_path / "no club")
    assert not (tmp_path / "half").exists()
    with sqlite3.connect(copy) as kept:
        assert kept.execute("select count(*) from player").fetchone() == (2,)
    kept.close()
    assert seabattle.told("club admin delete Ann --db", path) == "Ann (ID 1) is forgotten; the games stay\n"
    with Store(path) as store:
        assert store.account("Ann") is None and store.pin_hash(1) == b"" and store.captured(1) == []
        assert store.game(1).players[1].name == "Bob"
    table = seabattle.told("club table --db", path)
    assert "Ann" not in table and "Bob" in table
    seabattle.told("club admin ban 192.0.2.7 --days 2 --db", path)
    assert "192.0.2.7 until " in seabattle.told("club admin bans --db", path)
    assert "nobody is called Ann" in seabattle.refused("club admin delete Ann --db", path)
    assert "the club is not open" in seabattle.refused("club admin say hello --db", path)
    assert "is no name" in seabattle.refused("club admin rename --db", path, "Bob", "far too long a name")


# A tournament, in which the club pairs its players itself.


async def test_everybody_meets_everybody_once_and_the_table_is_printed(
    house: House, tmp_path: Path, seabattle: Seabattle
) -> None:
    """Players who want to go on with the same opponent are separated, and each meets the next."""
    names = ("ONE", "TWO", "THREE")

    store = house.lobby.store
    for name in names:
        store.register(name)
    obey(house.lobby.admin, house.lobby, ["tournament", "0", *names])
    for number, name in enumerate(names):
        await house.seat(wire.AUTO, name.encode(), seed=number, games=0)
    await until(lambda: (found := store.tournament()) and found[0].over, lambda: house.log)
    tournament = house.lobby.tournament
    assert tournament is not None and tournament.over
    assert sum(row.points for row in tournament.table()) == 6
    lines = seabattle.told("club tournament show --lang en --db", tmp_path / "club.sqlite").splitlines()
    assert lines[0].split() == ["#", "player", "1", "2", "3", "points", "opponents"]
    assert {line.split()[1] for line in lines[1:4]} == set(names) and lines[4].startswith("All rounds are played.")
    winner = lines[1].split()[1]
    assert lines[4].endswith(winner)


def test_a_tournament_of_a_closed_club(tmp_path: Path, seabattle: Seabattle) -> None:
    path = tmp_path / "c.sqlite"
    with Store(path) as store:
        for name in ("ONE", "TWO", "THREE", "FOUR"):
            store.register(name)
        with pytest.raises(UserError, match="at least two"):
            obey(Administration(store), None, ["tournament", "0", "ONE"])
    seabattle.told("club tournament start ONE TWO THREE FOUR --swiss 2 --lang en --db", path)
    shown = seabattle.told("club tournament show --lang en --db", path)
    assert "Round 1 of 2:" in shown and "ONE - TWO" in shown
    seabattle.told("club tournament stop --lang en --db", path)
    assert "there is no tournament" in seabattle.refused("club tournament stop --lang en --db", path)
