"""A tournament at the club, over real sockets: it pairs its players itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from seabattle import wire
from seabattle_host.club.admin import Administration, obey
from seabattle_host.club.store import Store
from seabattle_host.errors import UserError
from tests.calls import Seabattle
from tests.club import House, until


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
