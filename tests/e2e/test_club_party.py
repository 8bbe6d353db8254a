"""Salvo and melee between people at the club's page: whole games over websockets, and one in a real Chromium."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from seabattle.melee import CELLS, Melee
from seabattle.rng import Rng
from seabattle.salvo import NONE, Salvo
from seabattle_host.club import party as parties
from seabattle_host.club import party_ui
from seabattle_host.club.limits import Limits
from tests.club import at_page, until
from tests.e2e.people import CHROMIUM, PHONE, Desk
from tests.e2e.test_club_operator import ordered
from tests.needs import program

USUAL = Limits(one_address=True, per_address=50)


class Guest:
    """A page without a browser. received: everything sent to it, in order."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse[bool]):
        self.socket = socket
        self.received: list[str] = []
        self.view: dict[str, Any] = {}
        self.log: list[str] = []
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        async for message in self.socket:
            self.received.append(message.data)
            self.view = json.loads(message.data)
            self.log += [line["text"] for line in self.view.get("log", ())]

    async def order(self, do: str, **what: Any) -> None:
        await self.socket.send_json({"do": do, **what})

    async def sees(self, what: Callable[[dict[str, Any]], object]) -> None:
        await until(lambda: what(self.view), lambda: (self.view, self.log[-5:]))

    async def may_move(self) -> dict[str, Any]:
        await self.sees(lambda view: view.get("want"))
        return self.view["want"]

    async def say(self, word: str) -> None:
        want = await self.may_move()
        await self.order("word", word=word)
        await self.sees(lambda view: not view.get("want") or view["want"]["n"] > want["n"])

    async def shoot(self, *cells: int) -> None:
        want = await self.may_move()
        await self.order("shoot", cells=list(cells), n=want["n"])
        await self.sees(lambda view: not view.get("want") or view["want"]["n"] > want["n"])


@asynccontextmanager
async def at_the_club(folder: Path, limits: Limits = USUAL) -> AsyncIterator[Callable[..., Awaitable[Guest]]]:
    async with at_page(folder, limits=limits) as (_, url, session):

        async def come(language: str = "en", key: str = "") -> Guest:
            guest = Guest(await session.ws_connect(f"{url}/party/ws"))
            await guest.order("language", language=language, key=key)
            await guest.sees(lambda view: view.get("phase"))
            return guest

        yield come


async def meet(come: Callable[..., Awaitable[Guest]], kind: str, *languages: str, private: bool = False) -> list[Guest]:
    """Start a game between people of these languages."""
    guests = [await come(language) for language in languages]
    await guests[0].order("open", kind=kind, name="A1", private=private)
    await guests[0].sees(lambda view: view["phase"] in ("waiting", "playing"))
    for number, guest in enumerate(guests[1:], 2):
        await guest.order("join", code=guests[0].view["code"], name=f"A{number}")
        await guest.sees(lambda view: view["phase"] in ("waiting", "playing"))
    return guests


def shape(data: str) -> Any:
    """Return what a page was sent, without the values that are random for each party."""
    view = json.loads(data)
    return {name: value for name, value in view.items() if name not in ("code", "key")}


@pytest.mark.club
async def test_what_a_page_is_sent_in_a_whole_game_does_not_hang_on_what_the_others_have_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games of each kind that differ only in what the others have hidden: the first person shoots at water and
    loses its whole fleet.
    """
    monkeypatch.setattr(parties, "any_seed", lambda: 4)
    sent: dict[str, list[list[Any]]] = {"salvo": [], "melee": []}

    async def salvo(come: Callable[..., Awaitable[Guest]], which: int) -> list[str]:
        one, two = await meet(come, "salvo", "en", "ru")
        model = Salvo(Rng(4))
        model.fill(0)
        decks, water = ships(model, 0), set(range(100))
        for _fleet in (0, 1):
            model.clear(1)
            model.fill(1)
            water -= set(ships(model, 1))
        for guest, word in ((one, "random"), *[(two, "random")] * (1 + which), (one, "ready"), (two, "ready")):
            await guest.say(word)
        for cell in sorted(water):
            guns = (await two.may_move())["shots"]
            await one.shoot(cell)
            if guns >= len(decks):
                await one.sees(lambda view: one.log[-1].endswith("aiming"))
                return await whole(one)
            await two.shoot(*decks[:guns])
            decks = decks[guns:]
        raise AssertionError(decks)

    async def melee(come: Callable[..., Awaitable[Guest]]) -> list[str]:
        guests = await meet(come, "melee", "en", "en", "en")
        game = Melee(Rng(4))
        game.start(True)
        game.deploy()
        decks = [cell for cell in range(CELLS) if 0 < game.ship[cell] <= 10]
        water = [cell for cell in range(CELLS) if not game.ship[cell]]
        left = list(decks)
        while len(left) > 1:
            await until(lambda: any(guest.view.get("want") for guest in guests))
            turn = next(i for i, guest in enumerate(guests) if guest.view.get("want"))
            cell = left.pop() if turn else water.pop()
            if game.shoot(turn, cell) < 0:
                # known to be empty, or around a wreck
                continue
            await guests[turn].shoot(cell)
        await until(lambda: any(guest.view.get("want") for guest in guests))
        return await whole(guests[0])

    for which in (0, 1):
        if which:
            other_fleets(monkeypatch)
        folder = tmp_path / str(which)
        folder.mkdir()
        async with at_the_club(folder) as come:
            for kind, got in (("salvo", await salvo(come, which)), ("melee", await melee(come))):
                sent[kind].append([shape(data) for data in got])
    for kind, (first, second) in sent.items():
        assert len(first) > 10 < len(second), kind
        # the number of messages is a matter of timing, their content is not
        assert [line for view in first for line in told(view)] == [line for view in second for line in told(view)]
        assert {json.dumps(view.get("fields")) for view in first} == {json.dumps(view.get("fields")) for view in second}


def ships(game: Salvo, player: int) -> list[int]:
    return [cell for cell, ship in enumerate(game.views[player].own) if ship != NONE]


async def whole(guest: Guest) -> list[str]:
    """Return everything sent so far, with nothing in transit."""
    await guest.order("chat", text="so far")
    await guest.sees(lambda view: "so far" in guest.log)
    return guest.received


def told(view: dict[str, Any]) -> list[str]:
    return [line["text"] for line in view.get("log", ())]


def other_fleets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Swap the fleets of the second and the third player of a melee."""
    deploy = Melee.deploy

    def swapped(game: Melee) -> None:
        deploy(game)
        for cell in range(CELLS):
            if game.ship[cell] > 10:
                game.ship[cell] += 10 if game.ship[cell] <= 20 else -10

    monkeypatch.setattr(Melee, "deploy", swapped)


@pytest.mark.club
async def test_in_a_melee_of_three_one_goes_one_stays_away_and_the_last_has_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_the_club(tmp_path, replace(USUAL, move=0.0, stall=0.3)) as come:
        guests = await meet(come, "melee", "en", "ru", "en")
        await until(lambda: any(guest.view.get("want") for guest in guests))
        turn = next(i for i, guest in enumerate(guests) if guest.view.get("want"))
        waits = guests[(turn + 1) % 3]
        await waits.sees(lambda view: view["may"]["skip"])
        await waits.order("skip")
        await until(lambda: any(guest.view.get("want") for guest in guests if guest is not guests[turn]))
        # another tab takes over the seat, and the first one is notified
        gone, back = guests[turn], guests[(turn + 2) % 3]
        again = await come("en", back.view["key"])
        await again.sees(lambda view: view["phase"] == "playing" and view["fields"] and len(again.log) > 1)
        await back.sees(lambda view: view["phase"] == "elsewhere")
        await gone.order("leave")
        await gone.sees(lambda view: view["phase"] == "lobby")
        await waits.sees(lambda view: not view["seats"][turn]["here"])
        await until(lambda: waits.view.get("want") or again.view.get("want"))
        # a laptop is closed, and after the stall limit that player has given up
        await again.socket.close()
        await waits.sees(lambda view: view["phase"] == "over")
        assert "A" in waits.log[-1]
        assert not waits.view["may"]["again"]


@pytest.mark.club
async def test_a_private_party_is_in_no_list_and_what_was_not_offered_changes_nothing(tmp_path: Path) -> None:
    async with at_the_club(tmp_path) as come:
        looker, host, third = await come(), await come(), await come()
        await host.order("open", kind="classic", name="X")
        await host.sees(lambda view: "no such game" in view["problem"])
        await host.order("open", kind="salvo", name=" ", private=True)
        await host.sees(lambda view: "a name" in view["problem"])
        await host.order("open", kind="salvo", name="ANN", private=True)
        await host.sees(lambda view: view["phase"] == "waiting")
        code = host.view["code"]
        await looker.order("join", name="ANN", code=code)
        await looker.sees(lambda view: "sits here already" in view["problem"])
        await looker.order("join", name="BOB", code=code)
        await looker.sees(lambda view: view["phase"] == "playing")
        await third.order("join", name="EVE", code=code)
        await third.sees(lambda view: "no free seat" in view["problem"])
        assert not any(code in data for data in third.received)
        shown = host.view["fields"]
        for order in (
            {"do": "shoot", "cells": [1]},
            {"do": "place", "ghost": 99, "way": 0, "x": 0, "y": 0},
            {"do": "place", "ghost": 0, "way": -1, "x": 0, "y": 0},
            {"do": "place", "ghost": 0, "way": 0, "x": -3, "y": 0},
            {"do": "place", "ghost": 0},
            {"do": "word", "word": "ready"},
            {"do": "remove", "cell": 1000},
            {"do": "chat", "text": "\x1b[2J"},
            {"do": "begin"},
            {"do": ["x"]},
            {},
        ):
            await host.socket.send_json(order)
        await host.order("chat", text="<b>hello</b>")
        await looker.sees(lambda view: "<b>hello</b>" in looker.log)
        assert host.view["fields"] == shown
        # a page of another site may not connect
        async with aiohttp.ClientSession() as session:
            url = str(host.socket._response.url)
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(url, headers={"Origin": "http://elsewhere.example"})
        await host.order("surrender")
        for guest in (host, looker):
            await guest.sees(lambda view: view["phase"] == "over" and len(view["fields"]) == 2)
            await guest.order("again")
        await looker.sees(lambda view: view["phase"] == "playing")
        await looker.socket.send_str("no JSON")
        await until(lambda: looker.socket.closed)


@pytest.mark.club
async def test_the_operator_reaches_who_sits_at_a_party(tmp_path: Path) -> None:
    async with at_page(tmp_path) as (house, url, session):
        guest = Guest(await session.ws_connect(f"{url}/party/ws"))
        await guest.order("open", kind="melee", name="Боря")
        await guest.sees(lambda view: view.get("phase") == "waiting")
        assert await ordered(house, "say", "tea at five") == "said to 1 player"
        await guest.sees(lambda view: guest.log and guest.log[-1] == "club: tea at five")
        assert (await ordered(house, "ban", "Боря")).endswith("disconnected: 1 player")
        await guest.sees(lambda view: view["phase"] == "lobby")
        await guest.order("open", kind="melee", name="БОРЯ")
        await guest.sees(lambda view: view["problem"])


@program(CHROMIUM)
async def test_two_people_play_a_salvo_and_one_a_melee_with_computers_in_a_browser(
    tmp_path: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proved only here: the page shows what it gets, sends what is pressed (phone, keyboard) and passes axe-core."""
    monkeypatch.setattr(party_ui, "_PAUSE_SECONDS", 0.0)

    async with desk.people(tmp_path) as people:
        one = await people.tab("ONE", path="/party")
        two = await people.tab("TWO", path="/party", size=PHONE, locale="ru-RU")
        await one.fill("#name", "ANN")
        await one.click("button[value=open]")
        await expect(one.locator("#qr")).to_be_visible()
        assert (await Axe().run(one)).violations_count == 0
        await two.fill("#name", "BOB")
        await two.click("#parties button")
        # by keyboard: the second ship, turned, and a place for it
        await one.locator('td[data-cell="0"]').focus()
        for key in ("2", "r", "ArrowRight", "Enter"):
            await one.keyboard.press(key)
        await expect(one.locator('td[data-cell="31"]')).to_have_attribute("aria-label", "B4, battleship")
        await one.keyboard.press("Delete")
        await expect(one.locator("td.ship")).to_have_count(0)
        for tab in (one, two):
            await tab.click("button[data-word=random]")
            await expect(tab.locator("td.ship")).to_have_count(17)
            await tab.click("button[data-word=ready]")
        for tab in (one, two):
            await expect(tab.locator("#fire")).to_be_visible()
            await tab.locator('#boards section:nth-child(2) td[data-cell="3"]').click()
            await tab.locator('#boards section:nth-child(2) td[data-cell="7"]').click()
            await expect(tab.locator("td.marked")).to_have_count(2)
        assert (await Axe().run(one)).violations_count == 0
        assert await two.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        await one.keyboard.press("f")
        await expect(one.locator("#log")).to_contain_text("BOB is still aiming")
        await two.click("#fire")
        for tab in (one, two):
            await expect(tab.locator("#boards section:nth-child(2) td.last")).to_have_count(2)
        await two.reload()
        await expect(two.locator("#boards section:nth-child(2) td.last")).to_have_count(2)
        await expect(two.locator("#log")).to_contain_text("раунд 1")
        await two.click("#surrender")
        await two.click("#yes")
        await expect(one.locator("#state")).to_contain_text("ANN has won")
        await expect(two.locator("#state")).to_contain_text("ANN")
        await one.click("#leave")
        await one.select_option("#kind", "melee")
        await one.click("button[value=private]")
        await one.click("#begin")
        await expect(one.locator("#boards table")).to_be_visible()
        await expect(one.locator("#state")).to_contain_text("Your turn")
        await one.evaluate("wait = 1e6; socket.close()")
        await expect(one.locator("#trouble")).to_contain_text("connection is lost")
        await expect(one.locator("#state")).to_be_empty()
        await one.evaluate("open()")
        await expect(one.locator("#state")).to_contain_text("Your turn")
        before = await one.locator("td.open").count()
        await one.locator("td.open").first.click()
        await expect(one.locator("#log")).to_contain_text("ANN (A) ")
        assert (await Axe().run(one)).violations_count == 0
        assert await one.locator("td.open").count() < before
