"""A running game's ships are sent to nobody but their owner: whole games, and every byte that others get."""

from __future__ import annotations

import asyncio
import json
import re

import aiohttp
import pytest

from seabattle_host.club.limits import Limits
from tests.club import SHIPS, Site

pytestmark = pytest.mark.club(limits=Limits(one_address=True, per_address=50), bots=1, unasked=False)


class Page:
    """A page without a browser: what it is sent, and its orders.

    room: of a private game. down: rows by which its fleet lies lower, since two fleets by chance may be the same.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse[bool], nick: str, room: str = "", down: int = 0):
        self.socket = socket
        self.ships = [{"x": x, "y": y + down, "length": n, "vertical": upright} for x, y, n, upright in SHIPS]
        self.nick = nick
        self.room = room
        self.received: list[str] = []
        self.view: dict = {}
        self.fields: set[str] = set()
        """The own field as shown during the game."""

    async def play(self) -> None:
        """Place, and shoot until the game is over."""
        await self.socket.send_json({"do": "come", "nick": self.nick, "size": 6, "room": self.room})
        asked: set[int] = set()
        async for message in self.socket:
            self.received.append(message.data)
            self.view = json.loads(message.data)
            phase = self.view["phase"]
            if phase in ("placing", "ready", "battle") and "s" in self.view.get("own", ""):
                self.fields.add(self.view["own"])
            if phase == "placing":
                placed = len(self.ships) - sum(self.view["toPlace"].values())
                if placed not in asked:
                    asked.add(placed)
                    order = {"do": "ready"} if self.view["complete"] else {"do": "place", **self.ships[placed]}
                    await self.socket.send_json(order)
            elif phase == "battle" and self.view["myTurn"]:
                await self.socket.send_json({"do": "aim"})
            elif phase == "over":
                return


@pytest.mark.parametrize("private", [False, True])
async def test_every_byte_that_others_get_in_a_whole_game(site: Site, private: bool) -> None:
    house, url, session = site
    others: list[str] = []

    async def look(path: str) -> None:
        while True:
            async with session.get(url + path) as answer:
                others.append(await answer.text())
            await asyncio.sleep(0.02)

    async def follow() -> None:
        async with session.get(f"{url}/events") as answer:
            async for line in answer.content:
                others.append(line.decode())

    async def board() -> None:
        async with session.ws_connect(f"{url}/ws?watch=1") as socket:
            async for message in socket:
                others.append(str(message.data))

    watching = [asyncio.ensure_future(work) for work in (look("/api/state"), look("/api/games"), look("/api/games/1"))]
    watching += [asyncio.ensure_future(work) for work in (follow(), board())]
    room = "a-room-that-nobody-guesses" if private else ""
    async with (
        session.ws_connect(f"{url}/play/ws") as first,
        session.ws_connect(f"{url}/play/ws") as second,
        session.ws_connect(f"{url}/play/ws") as third,
    ):
        one, two = Page(first, "ONE", room), Page(second, "TWO", room, down=1)
        waits = Page(third, "THREE", "another-room-for-somebody-else", down=-1)
        idle = asyncio.ensure_future(waits.play())
        await asyncio.gather(one.play(), two.play())
        seen_in_the_game = list(others)
        idle.cancel()
    for task in watching:
        task.cancel()
    assert one.fields and two.fields and one.view["result"]
    assert any('"stage":"battle"' in text for text in seen_in_the_game) is not private
    for owner, opponent in ((one, two), (two, one)):
        before_the_end = [text for text in opponent.received if json.loads(text)["phase"] != "over"]
        for text in (*before_the_end, *waits.received, *seen_in_the_game):
            assert not any(field in text for field in owner.fields)
    own = re.compile(r'"own":"[^"]*"')
    pages = [own.sub("", text) for page in (one, two, waits) for text in page.received]
    for text in (*seen_in_the_game, *pages):
        if '"phase":"over"' in text or '"decks":[[' in text:
            continue
        # a field in any response: no deck that was not hit
        for field in re.findall(r'"([.ox#s~-]{36,100})"', text):
            assert "s" not in field and "~" not in field
    # after the end everybody may see both fleets
    game = house.games()[0]
    assert game.stage == "finished"
    async with session.get(f"{url}/api/games/{game.id}") as answer:
        decks = (await answer.json())["decks"]
    fleets = [{i for i, mark in enumerate(page.view["own"]) if mark in "sx#"} for page in (one, two)]
    assert sorted(map(sorted, fleets)) == sorted(decks)
