"""The club's page as a spectator sees it, in a real Chromium; and a player who connects by websocket."""

from __future__ import annotations

import asyncio
import re

import aiohttp
import pytest
from playwright.async_api import expect

from seabattle import link as links
from seabattle import wire
from seabattle_host.club.web import WebServer
from tests.club import House, Seat, Site, until
from tests.e2e.people import CHROMIUM, DESKTOP, PHONE, People
from tests.needs import program

MASTER, SLAVE = wire.MASTER, wire.SLAVE
ALONE = pytest.mark.club(bots=0, unasked=True)


@program(CHROMIUM)
@ALONE
async def test_a_spectator_follows_a_game_from_the_queue_to_the_archive(people: People) -> None:
    house, tab = people.house, await people.tab(size=PHONE, path="/")
    await expect(tab.get_by_text("Nobody plays at the moment.")).to_be_visible()
    waiting = await house.seat(SLAVE, b"TOM", bot=False)
    await expect(tab.locator("#queue li")).to_contain_text("TOM")
    waiting.close()
    await expect(tab.get_by_text("Nobody waits.")).to_be_visible()
    master, slave, _ = await house.fight()
    game = tab.locator(".game")
    await expect(game).to_contain_text("battle")
    await expect(game.locator(".turn")).to_contain_text("MAX")
    fields = game.locator("canvas")
    # no shot yet, and no ship is visible
    assert [await fields.nth(i).get_attribute("data-cells") for i in (0, 1)] == ["." * 36, "." * 36]
    await master.shoot(7)
    await master.shoot(8)
    await master.shoot(30)
    seen = re.compile("^----..-##-..----......" + r"\.*o\.*$")
    await expect(fields.nth(1)).to_have_attribute("data-cells", seen)
    await expect(fields.nth(1)).to_have_attribute("aria-label", "field of SAM: 3 shots at it, 2 hit")
    await expect(game.locator(".turn")).to_contain_text("SAM")
    slave.order(slave.link.surrender)
    await expect(tab.locator("#table tbody tr").first).to_contain_text("MAX")
    await expect(tab.locator("#archive li")).to_contain_text("MAX - SAM")
    # the archive's game, move by move
    await tab.locator("#archive button").click()
    await expect(tab.locator("#replay-result")).to_contain_text("MAX wins: surrender")
    await expect(tab.locator("#replay-move")).to_have_text("3. MAX: A6, miss")
    await tab.locator("#replay-at").fill("2")
    await expect(tab.locator("#replay-move")).to_have_text("2. MAX: C2, sunk")
    await expect(tab.locator("#replay-fields canvas").nth(1)).to_have_attribute(
        "data-cells", "----..-##-..----...................."
    )
    # and by its link
    await tab.reload()
    await expect(tab.locator("#replay-result")).to_contain_text("MAX wins: surrender")
    await tab.locator("#replay-close").click()
    # nothing is wider than the screen
    for size in (PHONE, DESKTOP):
        await tab.set_viewport_size(size)  # type: ignore[arg-type]
        assert await tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@program(CHROMIUM)
@ALONE
async def test_the_page_in_either_language_shows_what_players_send_as_text(people: People) -> None:
    house, tab = people.house, await people.tab(locale="ru-RU", path="/")
    await expect(tab.locator("h1")).to_have_text("Клуб «Морской бой»")
    await expect(tab.get_by_text("Никто не ждёт.")).to_be_visible()
    await tab.locator("#language").click()
    await expect(tab.locator("h1")).to_have_text("Sea battle club")
    await tab.reload()
    await expect(tab.locator("h1")).to_have_text("Sea battle club")
    await house.seat(SLAVE, b"<b>x</b>", bot=False)
    await expect(tab.locator("#queue li")).to_contain_text("<b>x</b>")
    await house.seat(MASTER, b"\"'&<i>\x07", bot=False)
    await expect(tab.locator(".game")).to_contain_text("\"'&<i>·")
    assert await tab.locator("main b, main i").count() == 0


async def test_pages_of_the_archive_and_what_is_not_there(site: Site) -> None:
    house, url, _ = site
    one = await house.seat(MASTER, b"ONE", seed=1, games=0)
    await house.seat(SLAVE, b"TWO", seed=2, games=0)
    await until(lambda: len(one.results()) == 3)
    async with aiohttp.ClientSession() as session:
        async with session.get(f"{url}/api/games?before=3") as answer:
            assert [game["id"] for game in await answer.json()] == [2, 1]
        async with session.get(f"{url}/api/games/1") as answer:
            assert (await answer.json())["moves"]
        for path in ("api/games/99", "api/games/x", "../club.sqlite", "club.py"):
            async with session.get(f"{url}/{path}") as answer:
                assert answer.status == 404


class Browser(Seat):
    """A player whose bytes go by websocket."""

    socket: aiohttp.ClientWebSocketResponse[bool]
    tasks: set[asyncio.Task[None]]

    def write(self, data: bytes | bytearray) -> None:
        task = asyncio.get_running_loop().create_task(self.socket.send_bytes(bytes(data)))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


async def test_a_player_comes_by_websocket(site: Site) -> None:
    house, url, _ = site
    other = await house.seat(MASTER, b"MAX", seed=1, games=0)
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}/ws") as socket:
        seat = Browser(SLAVE, b"WEB", seed=2, games=0)
        seat.socket, seat.tasks = socket, set()
        seat._ticking = asyncio.get_running_loop().create_task(seat._tick())

        async def hear() -> None:
            async for message in socket:
                seat.data_received(message.data)

        hearing = asyncio.get_running_loop().create_task(hear())
        await until(lambda: seat.results() and other.results(), lambda: house.log)
        seat.close()
        hearing.cancel()
    await until(lambda: links.EV_GOODBYE in other.codes())
    (game,) = house.games()[:1]
    assert [player.name for player in game.players] == ["MAX", "WEB"] and game.ending == "shots"


async def test_health_and_figures_and_who_is_asked_for_behind_a_proxy(house: House) -> None:
    there = WebServer(house.lobby, frozenset({"127.0.0.1"}))
    await there.open("127.0.0.1", 0)
    url = f"http://127.0.0.1:{there.port}"
    forwarded = {"X-Forwarded-For": "10.9.9.9, 192.0.2.5", "X-Forwarded-Host": "club.example"}
    try:
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{url}/health") as answer:
                assert answer.status == 200
            async with session.get(f"{url}/metrics") as answer:
                assert "seabattle_connections 0.0" in await answer.text()
            # what the proxy has added is trusted, what its client wrote before that is not
            async with session.get(f"{url}/metrics", headers=forwarded) as answer:
                assert answer.status == 403
            async with session.ws_connect(f"{url}/ws", headers=forwarded, origin="https://club.example"):
                await until(lambda: house.lobby.sessions)
                assert house.lobby.sessions[0].address == "192.0.2.5"
    finally:
        await there.close()
