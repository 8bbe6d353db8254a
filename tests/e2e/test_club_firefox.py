"""The club's pages in a real Firefox: a whole game, and a round of a salvo."""

from __future__ import annotations

import asyncio
from pathlib import Path

from seabattle_host.club.limits import Limits
from tests.club import at_page
from tests.e2e.firefox import firefox
from tests.needs import program


@program("firefox-esr")
async def test_a_person_with_firefox_plays_a_computer_and_fires_a_salvo(tmp_path: Path) -> None:
    """Proved only here: the pages need nothing specific to Chromium for placing by mouse, keys, shooting, the end."""

    async with (
        at_page(tmp_path, limits=Limits(one_address=True, per_address=50), bots=1, unasked=False) as (house, url, _),
        firefox(tmp_path) as fox,
    ):
        await fox.go(f"{url}/play")
        await fox.click("#nick")
        await fox.type("FOX")
        await fox.of("document.querySelector('#size').value = '6'")
        await fox.click("button[value=computer]")
        # the invitation of an opponent is above the ships until one has come
        await fox.until("seat().view?.peer")
        await fox.click('#ships button[data-length="2"]')
        await fox.click('#own td[data-x="1"][data-y="1"]')
        await fox.until("document.querySelectorAll('#own td[data-mark=s]').length === 2")
        # the field has the keyboard, and the ship under the cursor is turned
        await fox.of('document.querySelector(\'#own td[data-x="1"][data-y="1"]\').focus()')
        await fox.type("r")
        await fox.until("document.querySelector('#own td[data-x=\"1\"][data-y=\"2\"]').matches('.ship')")
        await fox.click("[data-do=fill]")
        await fox.until("!document.querySelector('#ready').disabled")
        await fox.click("#ready")
        await fox.until("['battle', 'over'].includes(seat().view.phase)")
        while await fox.of("seat().view.phase") == "battle":
            await fox.of("document.querySelector('#aim:enabled')?.click()")
            await asyncio.sleep(0.01)
        assert await fox.of("document.querySelector('#state').textContent.startsWith('You have ')")
        await fox.go(f"{url}/party")
        await fox.click("#name")
        await fox.type("FOX")
        await fox.click("button[value=open]")
        await fox.click("#begin")
        await fox.click("button[data-word=random]")
        await fox.click("button[data-word=ready]")
        await fox.until("view.want && view.want.shots > 1")
        await fox.click('#boards section:nth-child(2) td[data-cell="44"]')
        await fox.until("marked.size === 1")
        await fox.type("f")
        await fox.until("document.querySelectorAll('#boards section:nth-child(2) td.last').length === 1")
        (game,) = house.games()
        assert game.ending == "shots"
