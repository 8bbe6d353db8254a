"""The virtual board at the club's page: the firmware on the server's interpreter, in real time."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from seabattle_host.club.limits import Limits
from seabattle_host.club.page_boards import is_supported
from seabattle_host.club.web import WebServer
from tests.club import Site, at_club, until
from tests.command import Command
from tests.e2e.people import CHROMIUM, PHONE, Desk
from tests.needs import program

pytestmark = pytest.mark.skipif(not is_supported(), reason="no MicroPython for this computer")

_LIT = """[...$("pixels").getContext("2d").getImageData(0, 0, 128, 64).data]
    .filter((value, i) => i % 4 == 0 && value > 128).length"""


@program(CHROMIUM)
def test_a_board_is_switched_on_comes_to_the_club_and_is_switched_off(tmp_path: Path, desk: Desk) -> None:
    """The whole path: the buttons, the firmware, the pixels, the club."""

    async def script() -> None:
        context = await desk.browser.new_context(locale="en-GB", viewport=PHONE)  # type: ignore[arg-type]
        tab = await context.new_page()
        complaints: list[str] = []
        tab.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        await tab.goto(url + "play")
        await tab.fill("#nick", "Solder")
        await tab.click("#virtual-on")
        pixels = tab.locator("#pixels")
        await expect(pixels).to_have_attribute("aria-label", re.compile("SEA BATTLE.*Play"))
        assert await tab.evaluate("[$('pixels').width, $('pixels').height]") == [128, 64]
        assert 100 < await tab.evaluate(_LIT) < 128 * 64 / 2
        assert await tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert (await Axe().run(tab)).response["violations"] == []
        await tab.click("[data-key=down]")
        await tab.press("[data-key=ok]", "Enter")
        await expect(pixels).to_have_attribute("aria-label", re.compile("CLUB: you"))
        # a long OK means back, and so does Escape
        await tab.press("[data-key=ok]", "Escape")
        await tab.click("[data-key=ok]", delay=700)
        await tab.click("#virtual-off")
        await expect(tab.locator("#virtual-state")).to_have_text("Switched off.")
        assert complaints == []
        await context.close()

    with Command(
        "club", "serve", "--db", str(tmp_path / "c.sqlite"), "--listen", "none", "--web", "127.0.0.1:0"
    ) as serve:
        url = serve.line("the page is at").split()[-1]
        desk.loop.run_until_complete(script())
        assert "master" in serve.line("is Solder")
        serve.line("Solder has gone")


@pytest.mark.parametrize(("limits", "refused"), [({"boards": 0}, "none"), ({"boards_per_address": 1}, "full")])
async def test_no_more_boards_than_the_club_allows(tmp_path: Path, limits: dict[str, int], refused: str) -> None:
    async with at_club(tmp_path, limits=Limits(**limits)) as house:
        page = WebServer(house.lobby)
        await page.open("127.0.0.1", 0)
        url = f"http://127.0.0.1:{page.port}/play/board?panel=16x2"
        try:
            async with aiohttp.ClientSession() as session:
                with pytest.raises(aiohttp.WSServerHandshakeError):
                    await session.ws_connect(url, origin="http://elsewhere.example")
                async with session.ws_connect(url) as one:
                    first = await one.receive_json()
                    async with session.ws_connect(url) as two:
                        told = first if limits == {"boards": 0} else await two.receive_json()
                        assert told == {"refused": refused}
                # the place is free again once the page has gone
                await until(lambda: not page.boards.running)
                if "width" in first:
                    async with session.ws_connect(url) as again:
                        assert "width" in await again.receive_json()
        finally:
            await page.close()
        await until(lambda: not house.lobby.sessions)


@pytest.mark.club(limits=Limits(board_idle=0.3))
async def test_a_board_whose_keys_nobody_presses_is_switched_off(site: Site, desk: Desk) -> None:
    _house, url, session = site
    async with session.ws_connect(f"{url}/play/board") as board:
        told = [message.json() async for message in board]
    assert told[-1] == {"refused": "idle"}
