"""Many at once: every game was seen by its two players, move by move, and none was mixed up with another.

The figures of a full club at its true speed are in tests/bench (`club`).
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest

from seabattle import link as links
from seabattle import wire
from seabattle_host.club.limits import Limits
from tests.club import House, Seat, until
from tests.sizes import proof

PLAYERS = proof(24, 100)
GAMES = proof(36, 200)
ROLES = (wire.MASTER, wire.SLAVE, wire.AUTO, wire.AUTO)


class Seen(NamedTuple):
    """A game as one of its players saw it: the opponent's nick, who won, the own shots and their answers."""

    peer: str
    won: bool
    shots: list[tuple[int, int, int]]


@pytest.mark.club(limits=Limits(per_address=2 * PLAYERS))
async def test_of_many_games_none_is_lost_or_mixed_up(house: House) -> None:
    seen: dict[str, list[Seen]] = {f"P{number}": [] for number in range(PLAYERS)}
    most = 0

    def enough() -> bool:
        return sum(map(len, seen.values())) >= 2 * GAMES

    async def play_one(name: str, seat: Seat) -> None:
        await until(lambda: seat.results() or seat.hung_up or enough())
        if seat.results():
            seen[name].append(Seen(seat.peers[-1], seat.results()[0][0] == links.WE_WON, seat.shots))
            await until(lambda: seat.hung_up)

    async def keep_coming(number: int) -> None:
        name = f"P{number}"
        while not enough():
            seed = 1 + number + 1000 * len(seen[name])
            seat = await house.seat(ROLES[number % 4], name.encode(), seed=seed)
            await play_one(name, seat)
            seat.close()
            trouble = {links.EV_TIMEOUT, links.EV_BROKEN, links.EV_ACCUSED, links.EV_PEER_TIMEOUT} & set(seat.codes())
            assert not trouble, (name, seat.events)
            await until(lambda: house.session(name) is None)

    async def count() -> None:
        nonlocal most
        while True:
            most = max(most, len(house.lobby.relays))
            await house.ticks(1)

    counting = asyncio.create_task(count())
    await asyncio.gather(*map(keep_coming, range(PLAYERS)))
    counting.cancel()
    assert most >= PLAYERS // 4
    told: dict[str, list[Seen]] = {name: [] for name in seen}
    for game in house.games():
        if game.ending == "shots":
            for side, player in enumerate(game.players):
                shots = [(m.x, m.y, wire.MISS + 0x10 * m.result) for m in game.moves if m.player == side]
                told[player.name].append(Seen(game.players[1 - side].name, game.winner == side, shots))
    assert all(told[name][: len(those)] == those for name, those in seen.items())
    assert {player.kind for game in house.games() for player in game.players} == {"person"}
    assert len({player.id for game in house.games() for player in game.players}) == PLAYERS
