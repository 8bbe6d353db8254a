"""Write docs/screens/club/: every screen of the club's pages in a real Chromium, on a phone and on a desktop, light and
dark, in English and Russian, as docs/screens/club/SCREEN-SIZE-SCHEME.LANGUAGE.png.

A folder may be given in place of docs/screens/club.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Page as Tab
from playwright.async_api import expect

from seabattle_host.club import party_ui
from seabattle_host.club.limits import Limits
from tests.command import ROOT
from tests.e2e.people import DESKTOP, PHONE, Desk, People, place

PASSES = (
    ("phone", "light", "en"),
    ("phone", "dark", "ru"),
    ("desktop", "light", "ru"),
    ("desktop", "dark", "en"),
)
"""Each size in each scheme, each language in both."""
_NAMES = {"en": ("ANN", "BOB"), "ru": ("АНЯ", "БОРЯ")}
_SHOTS = 14
_LIMITS = Limits(one_address=True, per_address=50, move=36000, stall=36000, placing=36000)
"""The club's clock is faster than real time, and pictures take their time."""


class Camera:
    """Takes the pictures of one pass."""

    def __init__(self, people: People, folder: Path, size: str, scheme: str, language: str):
        self._people = people
        self._folder = folder
        self._name = f"{size}-{scheme}.{language}.png"
        self.size = PHONE if size == "phone" else DESKTOP
        self.scheme = scheme
        self.names = _NAMES[language]
        self.locale = {"en": "en-GB", "ru": "ru-RU"}[language]

    async def tab(self, path: str) -> Tab:
        """Open a page with this pass's size, scheme and language."""
        tab = await self._people.tab(path, size=self.size, locale=self.locale, path=path)
        await tab.emulate_media(color_scheme=self.scheme)  # type: ignore[arg-type]
        return tab

    async def take(self, tab: Tab, screen: str) -> None:
        """Take a picture of the whole page, without a blinking cursor."""
        await tab.evaluate("document.activeElement?.blur()")
        await tab.screenshot(path=self._folder / f"{screen}-{self._name}", full_page=True, animations="disabled")


async def classic(camera: Camera) -> None:
    """The game of the protocol: start, waiting, placing, battle, end; the club and the replay."""
    one = await camera.tab("/play")
    await camera.take(one, "start")
    await one.fill("#nick", camera.names[0])
    await one.select_option("#size", "8")
    await one.click("button[value=people]")
    await expect(one.locator("#lobby")).to_be_visible()
    await camera.take(one, "waiting")
    two = await camera.tab("/play")
    await two.fill("#nick", camera.names[1])
    await two.select_option("#size", "8")
    await two.click("button[value=people]")
    await expect(one.locator("#theirs-title")).to_contain_text(camera.names[1][:3])
    await one.click("#ships button >> nth=0")
    await one.click('#own td[data-x="1"][data-y="1"]')
    await expect(one.locator("#own td.ship").first).to_be_visible()
    await camera.take(one, "placing")
    for tab in (one, two):
        await place(tab)
    shots = 0
    while shots < _SHOTS:
        for tab in (one, two):
            shots += await tab.evaluate("(b => b ? (b.click(), 1) : 0)(document.querySelector('#aim:enabled'))")
        await asyncio.sleep(0.2)
    await camera.take(one, "battle")
    spectator = await camera.tab("/")
    await expect(spectator.locator("#games > *").first).to_be_visible()
    await camera.take(spectator, "club")
    await two.click("#surrender")
    await two.click("#yes")
    await expect(one.locator("#next")).to_be_visible()
    await camera.take(one, "over")
    await spectator.goto(spectator.url.split("#")[0] + "#1")
    await spectator.reload()
    await expect(spectator.locator("#replay-fields > *").first).to_be_visible()
    await spectator.locator("#replay-at").fill(str(_SHOTS))
    await camera.take(spectator, "replay")
    for tab in (one, two, spectator):
        await tab.close()


async def others(camera: Camera) -> None:
    """An invitation, two at one computer, and the games of the party page."""
    tab = await camera.tab("/play")
    await tab.fill("#nick", camera.names[0])
    await tab.click("button[value=invite]")
    await expect(tab.locator("#qr")).to_be_visible()
    await asyncio.sleep(0.5)
    await camera.take(tab, "invitation")
    await tab.close()
    tab = await camera.tab("/play")
    await tab.fill("#nick", camera.names[0])
    await tab.click("button[value=duo]")
    await tab.fill("#nick2", camera.names[1])
    await tab.click("button[value=duo]")
    await expect(tab.locator("#yard")).to_be_visible()
    await place(tab)
    await expect(tab.locator("#curtain")).to_be_visible()
    await camera.take(tab, "curtain")
    await tab.close()
    one, two = await camera.tab("/party"), await camera.tab("/party")
    await one.fill("#name", camera.names[0])
    await one.click("button[value=open]")
    await expect(one.locator("#qr")).to_be_visible()
    await camera.take(one, "party-waiting")
    await two.fill("#name", camera.names[1])
    await camera.take(two, "party-start")
    await two.click("#parties button")
    await one.locator("#ships button >> nth=1").click()
    await one.locator('td[data-cell="34"]').click()
    await expect(one.locator("td.ship")).to_have_count(4)
    await camera.take(one, "salvo-placing")
    for tab in (one, two):
        await tab.click("button[data-word=random]")
        await tab.click("button[data-word=ready]")
    for number in range(2):
        for tab in (one, two):
            await expect(tab.locator("#fire")).to_be_visible()
            for cell in range(6 - 2 * number):
                await tab.locator(
                    f'#boards section:nth-child(2) td[data-cell="{(cell * 37 + 8 * number) % 100}"]'
                ).click()
            if number and tab is one:
                await camera.take(one, "salvo")
            await tab.click("#fire")
    await expect(one.locator("#fire")).to_be_visible()
    await two.click("#surrender")
    await two.click("#yes")
    await expect(one.locator("#again")).to_be_visible()
    await camera.take(one, "salvo-over")
    await one.click("#leave")
    await one.select_option("#kind", "melee")
    await one.click("button[value=private]")
    await one.click("#begin")
    await expect(one.locator("td.open").first).to_be_visible()
    for _ in range(40):
        await one.evaluate("view.want && press(0, view.fields[0].signs.findIndex((s, i) => s === '.' && i % 7 === 3))")
        await asyncio.sleep(0.1)
    await camera.take(one, "melee")


async def board(camera: Camera) -> None:
    """The virtual board."""
    tab = await camera.tab("/play")
    await tab.click("#virtual-on")
    await expect(tab.locator("#pixels")).to_have_attribute("aria-label", re.compile("[A-ZА-Я]"))
    await asyncio.sleep(2)
    await camera.take(tab, "virtual-board")
    await tab.click("#virtual-off")
    await tab.close()


def main(folder: Path) -> None:
    party_ui._PAUSE_SECONDS = 0.0
    desk = Desk()
    for size, scheme, language in PASSES:

        async def script(club: Path, size: str = size, scheme: str = scheme, language: str = language) -> None:
            async with desk.people(club, limits=_LIMITS) as people:
                camera = Camera(people, folder, size, scheme, language)
                await classic(camera)
                await others(camera)
                await board(camera)

        with tempfile.TemporaryDirectory() as club:
            desk.loop.run_until_complete(script(Path(club)))
    desk.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screens" / "club")
