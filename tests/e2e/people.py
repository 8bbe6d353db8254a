"""People who play at the page of a club, each in a browser of its own: a real Chromium."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright, expect
from playwright.async_api import Page as Tab

from seabattle_host.club.limits import Limits
from tests.club import House, at_page

CHROMIUM = "chromium-headless-shell"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 900}
SOON = 60_000

expect.set_options(timeout=SOON)


class Desk:
    """A loop that stays between tests, with a browser in it."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.playwright = self.loop.run_until_complete(async_playwright().start())
        self.browser: Browser = self.loop.run_until_complete(
            self.playwright.chromium.launch(
                executable_path=shutil.which(CHROMIUM),
                args=["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else [],
            )
        )

    @asynccontextmanager
    async def people(self, folder: Path, **how: Any) -> AsyncIterator[People]:
        """Open a club with its page and computer players; yield its People."""
        usual = {"limits": Limits(one_address=True, per_address=50), "bots": 2, "unasked": False, **how}
        async with at_page(folder, **usual) as (house, url, _):
            people = People(house, url, self.browser)
            try:
                yield people
                assert people.complaints == [], str(people.complaints)
                assert all(address.startswith((people.url, "data:")) for address in people.asked), people.asked
            finally:
                await people.go()

    def close(self) -> None:
        self.loop.run_until_complete(self.browser.close())
        self.loop.run_until_complete(self.playwright.stop())
        self.loop.close()


class People:
    """The people at the club, and the errors of their browsers."""

    def __init__(self, house: House, url: str, browser: Browser):
        self.house = house
        self.url = url
        self.complaints: list[str] = []
        self.asked: list[str] = []
        """The addresses requested by their browsers."""
        self.received: dict[str, list[str]] = {}
        """By name, what the club has sent to this person's page."""
        self._browser = browser
        self._contexts: list = []

    async def tab(
        self, name: str = "", size: dict[str, int] = DESKTOP, locale: str = "en-GB", path: str = "/play"
    ) -> Tab:
        """Open the page in a browser of its own."""
        context = await self._browser.new_context(viewport=size, locale=locale, has_touch=size is PHONE)  # type: ignore[arg-type]
        self._contexts.append(context)
        context.set_default_timeout(SOON)
        tab = await context.new_page()
        heard = self.received.setdefault(name, [])
        tab.on("websocket", lambda socket: socket.on("framereceived", lambda data: heard.append(str(data))))
        tab.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("request", lambda request: self.asked.append(request.url))
        await tab.goto(self.url + path)
        return tab

    async def come(self, name: str, how: str = "people", **where: object) -> Tab:
        """Open the page and ask for a game."""
        tab = await self.tab(name, **where)  # type: ignore[arg-type]
        await tab.fill("#nick", name)
        await tab.select_option("#size", "6")
        await tab.click(f"button[value={how}]")
        return tab

    async def go(self) -> None:
        """Close all tabs."""
        for context in self._contexts:
            await context.close()


async def holds(tab: Tab, expression: str) -> None:
    """Wait until an expression is true in the page, whose policy forbids what the browser's driver would wait with."""
    deadline = asyncio.get_running_loop().time() + SOON / 1000
    while not await tab.evaluate(expression):
        assert asyncio.get_running_loop().time() < deadline, expression
        await asyncio.sleep(0.02)


async def place(tab: Tab) -> None:
    """Place the ships at random and send ready."""
    await tab.click("[data-do=random]")
    await tab.click("#ready:enabled")


async def shooting(tab: Tab) -> None:
    """Make this page shoot whenever it may, until the game is over.

    It shoots once at each position shown, and again only after a while: a page that sends too much is shut out.
    """
    await tab.evaluate("""() => {
        let seen, looks = 0;
        const shooting = setInterval(() => {
            const over = (end) => document.querySelector(end).checkVisibility();
            if (over("#next") || over("#again")) clearInterval(shooting);
            else if (seat().view !== seen || ++looks > 20) {
                seen = seat().view;
                looks = 0;
                document.querySelector("#aim:enabled")?.click();
            }
        }, 10);
    }""")


async def play_on(*tabs: Tab) -> None:
    """Shoot on whichever page has the turn, until the game is over for all."""
    for tab in tabs:
        await shooting(tab)
    for tab in tabs:
        await expect(tab.locator("#next")).to_be_visible()
