"""Many at once: every game is one that two players have seen, move by move, and nobody has seen another's.

The figures of a whole club at its true speed are in tests/bench (`club`).
"""

from __future__ import annotations

import asyncio

import pytest

from seabattle_host.club.limits import Limits
from tests.club import House, Seen, as_seen, keep_coming
from tests.sizes import proof

PLAYERS = proof(24, 40)
GAMES = proof(36, 100)


@pytest.mark.club(limits=Limits(per_address=2 * PLAYERS))
async def test_of_many_games_none_is_lost_or_mixed_up(house: House) -> None:
    seen: dict[str, list[Seen]] = {}
    most = 0

    async def count() -> None:
        nonlocal most
        while True:
            most = max(most, len(house.lobby.relays))
            await house.ticks(1)

    def gone(name: str) -> bool:
        return house.session(name) is None

    counting = asyncio.create_task(count())
    await asyncio.gather(*(keep_coming(house.come, n, seen, GAMES, gone=gone) for n in range(PLAYERS)))
    counting.cancel()
    assert most >= PLAYERS // 4
    told = as_seen(house.games())
    assert sum(map(len, seen.values())) >= 2 * GAMES
    assert all(told[name][: len(those)] == those for name, those in seen.items() if those)
    assert {player.kind for game in house.games() for player in game.players} == {"person"}
    assert len({player.id for game in house.games() for player in game.players}) == PLAYERS
