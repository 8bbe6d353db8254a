"""People who play in a browser, at the page of a club: a real Chromium."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from pathlib import Path

import aiohttp
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page as Tab
from playwright.async_api import expect

from seabattle import wire
from seabattle_host.club.limits import Limits
from seabattle_host.player.parameters import Parameters
from tests.club import until
from tests.command import Command, wait_until
from tests.e2e.people import CHROMIUM, PHONE, Desk, People, holds, place, play_on, shooting
from tests.needs import program

pytestmark = program(CHROMIUM)


async def accessible(tab: Tab, *schemes: str) -> None:
    """Check that axe-core finds nothing on this screen."""
    for scheme in schemes or ("light",):
        await tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found = await Axe().run(tab)
        assert found.violations_count == 0, (scheme, found.generate_report())


async def test_two_people_play_a_whole_game_and_another_and_nobody_is_told_their_ships(people: People) -> None:
    looker = await people.tab("looker", path="/")
    asked: list[str] = []

    async def look() -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                async with session.get(f"{people.url}/api/state") as answer:
                    asked.append(await answer.text())
                await asyncio.sleep(0.1)

    looking = asyncio.get_running_loop().create_task(look())
    one = await people.come("ONE", size=PHONE)
    two = await people.come("TWO", locale="ru-RU")
    # the club writes to each in the language of the page
    await expect(one.locator("#log")).to_contain_text("you are ONE")
    await expect(two.locator("#log")).to_contain_text("вы TWO")
    for tab in (one, two):
        await expect(tab.locator("#theirs-title")).to_contain_text(re.compile("ONE|TWO"))
    await accessible(looker)
    await accessible(one)
    await place(one)
    await place(two)
    await expect(one.locator("#aim")).to_be_visible()
    ships = {name: await fleet(tab) for name, tab in (("ONE", one), ("TWO", two))}
    assert all(len(cells) == 4 for cells in ships.values())
    # nothing is wider than a phone
    assert await one.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for _ in range(4):
        for tab in (one, two):
            await tab.evaluate("document.querySelector('#aim:enabled')?.click()")
            await asyncio.sleep(0.05)
    await accessible(one, "light", "dark")
    await play_on(one, two)
    await accessible(one)
    states = [await one.text_content("#state"), await two.text_content("#state")]
    assert (states[0].startswith("You have won!") and states[1].startswith("Вы проиграли")) or (
        states[0].startswith("You have lost") and states[1].startswith("Вы победили")
    ), states
    # what one was sent during the game shows no deck of the other's that was not hit
    for name, other in (("ONE", "TWO"), ("TWO", "ONE")):
        views = [json.loads(data) for data in people.received[name]]
        assert views
        for view in views:
            if view.get("phase") in ("placing", "ready", "battle") and view.get("size"):
                assert "s" not in view["theirs"]
                assert {i for i, mark in enumerate(view["theirs"]) if mark in "x#"} <= ships[other]
    # the jury sees both fields
    await one.click("#ask")
    await expect(one.locator("#log")).to_contain_text("nobody cheated")
    # the master begins another game
    master = one if await one.evaluate("seat().view.master") else two
    await master.click("#again")
    await (two if master is one else one).click("#again")
    for tab in (one, two):
        await expect(tab.locator("#yard")).to_be_visible()
    looking.cancel()
    assert asked and '"s"' not in "".join(asked)
    assert all(set(f) <= set(".ox#-") for text in asked for game in json.loads(text)["games"] for f in game["fields"])
    await looker.close()
    game = people.house.games()[0]
    assert game.ending == "shots" and {p.name for p in game.players} == {"ONE", "TWO"} and game.rated


async def fleet(tab: Tab) -> set[int]:
    """Return the cells of the own ships."""
    own = await tab.evaluate("seat().view.own")
    return {i for i, mark in enumerate(own) if mark in "sx#"}


async def test_by_keyboard_alone_against_a_computer_and_a_reload_in_the_middle(people: People) -> None:
    tab = await people.tab("KEY", size=PHONE)
    await accessible(tab, "light", "dark")
    await tab.focus("#nick")
    await tab.keyboard.type("KEY")
    await tab.focus("button[value=computer]")
    await tab.keyboard.press("Enter")
    await expect(tab.locator("#yard")).to_be_visible()
    await tab.focus('#own td[data-x="0"][data-y="0"]')
    for key in ("ArrowRight", "ArrowDown", "2", "Enter"):
        await tab.keyboard.press(key)
    await expect(tab.locator('#own td[data-x="1"][data-y="1"]')).to_have_attribute("aria-label", "B2, ship")
    await expect(tab.locator('#own td[data-x="2"][data-y="1"]')).to_have_class(re.compile("ship"))
    # turned, taken away, placed again
    await tab.keyboard.press("r")
    await expect(tab.locator('#own td[data-x="1"][data-y="2"]')).to_have_class(re.compile("ship"))
    await tab.keyboard.press("Delete")
    await expect(tab.locator("#own td.ship")).to_have_count(0)
    await tab.keyboard.press("2")
    await tab.keyboard.press("Enter")
    await expect(tab.locator("#own td.ship")).to_have_count(2)
    # at a forbidden place the club says why
    await tab.keyboard.press("ArrowDown")
    await tab.keyboard.press("ArrowDown")
    await tab.keyboard.press("1")
    await tab.keyboard.press("Enter")
    await tab.focus("[data-do=fill]")
    await tab.keyboard.press("Enter")
    # a disabled button takes no focus
    await expect(tab.locator("#ready")).to_be_enabled()
    await tab.focus("#ready")
    await tab.keyboard.press("Enter")
    await expect(tab.locator("#theirs td").first).to_be_visible()
    await until(lambda: any(game.stage == "battle" for game in people.house.games()))
    before = await fleet(tab)
    await tab.reload()
    await expect(tab.locator("#theirs td").first).to_be_visible()
    assert await fleet(tab) == before
    await expect(tab.locator("#hint")).to_be_enabled()
    await tab.evaluate("seat().wait = 1e6; seat().socket.close()")
    await expect(tab.locator("#trouble")).to_contain_text("connection is lost")
    await expect(tab.locator("#state")).to_be_empty()
    await expect(tab.locator("#hint")).to_be_disabled()
    await tab.evaluate("seat().open()")
    await tab.click("#hint:enabled")
    await expect(tab.locator("#state")).to_contain_text("Your turn")
    await expect(tab.locator("#theirs td.hinted")).to_have_count(1)
    cell = tab.locator("#theirs td.hinted")
    await cell.focus()
    # the text for screen readers stays until the computer's shot, which may come at once
    await tab.evaluate("""() => {
        window.told = "";
        const hear = new MutationObserver(() => { window.told += $("said").textContent; });
        hear.observe($("said"), { childList: true });
    }""")
    await tab.keyboard.press("Enter")
    await holds(tab, "window.told.includes('our shot at')")
    # a repeated Enter does not surrender
    await tab.focus("#surrender")
    await tab.keyboard.press("Enter")
    await expect(tab.locator("#no")).to_be_focused()
    await tab.keyboard.press("Shift+Tab")
    await expect(tab.locator("#yes")).to_be_focused()
    await tab.keyboard.press("Enter")
    await expect(tab.locator("#state")).to_contain_text("You have lost")
    # the keyboard focus moves to the next control
    await expect(tab.locator("#again:focus, #next:focus")).to_have_count(1)
    (game,) = people.house.games()
    assert game.ending == "surrender" and "computer" in {player.kind for player in game.players}


async def test_ships_are_dragged_by_mouse(people: People) -> None:
    tab = await people.come("MOUSE", "computer")
    await expect(tab.locator("#yard")).to_be_visible()
    # the invitation of an opponent is above the ships until one has come
    await holds(tab, "seat().view?.peer")

    async def drag(what: str, x: int, y: int) -> None:
        await tab.locator(what).hover()
        await tab.mouse.down()
        await tab.locator(f'#own td[data-x="{x}"][data-y="{y}"]').hover()
        await tab.mouse.up()

    await drag('#ships button[data-length="2"]', 1, 1)
    await expect(tab.locator("#own td.ship")).to_have_count(2)
    await drag('#own td[data-x="1"][data-y="1"]', 3, 3)
    await expect(tab.locator('#own td[data-x="4"][data-y="3"]')).to_have_class(re.compile("ship"))
    # next to it there is no place, and the ship stays in the yard
    await drag('#ships button[data-length="1"]', 3, 4)
    await expect(tab.locator("#log")).to_contain_text("ships may not touch")
    await expect(tab.locator("#own td.ship")).to_have_count(2)
    # a click turns it, and dragged off the field it is removed
    await tab.locator('#own td[data-x="3"][data-y="3"]').click()
    await expect(tab.locator('#own td[data-x="3"][data-y="4"]')).to_have_class(re.compile("ship"))
    await tab.locator('#own td[data-x="3"][data-y="3"]').hover()
    await tab.mouse.down()
    await tab.locator("h1").hover()
    await tab.mouse.up()
    await expect(tab.locator("#own td.ship")).to_have_count(0)


async def test_an_invitation_is_for_two_and_no_third(people: People) -> None:
    host = await people.come("HOST", "invite")
    await expect(host.locator("#link")).to_have_attribute("href", re.compile("/play#[A-Za-z0-9_-]{20}$"))
    await expect(host.locator("#qr")).to_be_visible()
    await holds(host, "document.querySelector('#qr').naturalWidth > 0")
    await accessible(host)
    async with aiohttp.ClientSession() as session:
        room = (await host.locator("#link").get_attribute("href")).split("#")[1]
        async with session.get(f"{people.url}/play/qr?room={room}") as code:
            assert code.status == 200 and "<svg" in await code.text()
    # a stranger is not paired with a player of a private game
    street = await people.come("STREET")
    await expect(street.locator("#lobby")).to_be_visible()
    friend = await people.come("FRIEND", path=f"/play#{room}")
    await expect(friend.locator("#theirs-title")).to_contain_text("HOST")
    third = await people.come("THIRD", path=f"/play#{room}")
    await expect(third.locator("#state")).to_contain_text("Two play with this invitation already.")
    assert not [game for game in people.house.games() if "STREET" in {p.name for p in game.players}]
    async with aiohttp.ClientSession() as session, session.get(f"{people.url}/api/state") as answer:
        assert json.loads(await answer.text())["games"] == []
        (game,) = people.house.games()
        async with session.get(f"{people.url}/api/games/{game.id}") as hidden:
            assert hidden.status == 404


async def test_two_people_at_one_computer(people: People) -> None:
    tab = await people.tab()
    await tab.fill("#nick", "ANN")
    await tab.click("button[value=duo]")
    await tab.fill("#nick2", "BOB")
    await tab.click("button[value=duo]")
    await expect(tab.locator("#yard")).to_be_visible()
    await place(tab)
    await expect(tab.locator("#curtain")).to_contain_text("BOB, it is your turn")
    assert not await tab.locator("#game").is_visible()
    await tab.click("#lift")
    await place(tab)
    await shooting(tab)
    for name in ("ANN", "BOB", "ANN"):
        await expect(tab.locator("#curtain")).to_contain_text(f"{name}, it is your turn")
        await tab.click("#lift")
    (game,) = people.house.games()
    assert {move.player for move in game.moves} == {0, 1}


@pytest.mark.club(limits=Limits(one_address=True, stall=10))
async def test_a_browser_plays_a_program_at_a_socket_and_who_stays_away_has_left(people: People) -> None:
    house = people.house
    other = await house.seat(wire.MASTER, b"BOT", seed=3, games=0, offer=Parameters())
    tab = await people.come("WEB")
    await expect(tab.locator("#yard")).to_be_visible()
    await place(tab)
    await tab.click("#surrender")
    await tab.click("#yes")
    await until(other.results)
    assert house.games()[0].ending == "surrender"
    # the next opponent, and a goodbye in the middle of a game
    await tab.click("#next")
    await expect(tab.locator("#theirs-title")).to_contain_text("BOT")
    await place(tab)
    await expect(tab.locator("#aim")).to_be_visible()
    await tab.click("#leave")
    await expect(tab.locator("#start")).to_be_visible()
    await until(lambda: house.games()[-1].ending)
    assert house.games()[-1].ending == "goodbye"
    await tab.click("button[value=people]")
    await expect(tab.locator("#theirs-title")).to_contain_text("BOT")
    await tab.context.close()
    await until(lambda: house.session("WEB") is None, lambda: house.log)


PORT = """
// A serial port whose other end is in the test: what is written goes to `toBoard`, what comes is given to `fromBoard`.
class Port extends EventTarget {
  async open(settings) {
    if (window.taken) throw new DOMException("in use", "NetworkError");
    this.settings = settings;
    this.readable = new ReadableStream({ start: (control) => { this.control = control; } });
    this.writable = new WritableStream({ write: (data) => window.toBoard(Array.from(data)) });
    window.fromBoard = (data) => this.control.enqueue(new Uint8Array(data));
  }
  async close() { this.readable = this.writable = null; }
  lose() {
    window.fromBoard = null;
    this.readable = this.writable = null;
    this.control.error(new DOMException("gone", "NetworkError"));
  }
}
class Serial extends EventTarget {
  async requestPort() { return window.port = new Port(); }
  async getPorts() { return [window.port]; }
}
Object.defineProperty(navigator, "serial", { value: new Serial() });
"""


def test_a_board_at_a_browser_plays_at_the_club(tmp_path: Path, desk: Desk) -> None:
    """Through the page to a virtual board's real pseudo-terminal, in real time."""

    async def script() -> None:
        context = await desk.browser.new_context(locale="en-GB")
        tab = await context.new_page()
        await tab.add_init_script(PORT)
        line = os.open(tmp_path / "line", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        loop = asyncio.get_running_loop()
        feeding: set[asyncio.Task] = set()
        coming = bytearray()

        def read() -> None:
            with contextlib.suppress(BlockingIOError):
                coming.extend(os.read(line, 4096))

        async def feed() -> None:
            while True:
                if coming:
                    data = list(coming)
                    coming.clear()
                    await tab.evaluate("(data) => window.fromBoard && window.fromBoard(data)", data)
                await asyncio.sleep(0.01)

        await tab.expose_function("toBoard", lambda data: os.write(line, bytes(data)) and None)
        await tab.goto(url + "play")
        await tab.evaluate("window.taken = true")
        await tab.click("#connect")
        await expect(tab.locator("#board-state")).to_contain_text("another program or another tab has it")
        await tab.evaluate("window.taken = false")
        await tab.click("#connect")
        await expect(tab.locator("#board-state")).to_have_text("The board is connected.")
        assert await tab.evaluate("[port.settings.baudRate, port.settings.parity, port.settings.stopBits]") == [
            9600,
            "even",
            2,
        ]
        loop.add_reader(line, read)
        feeding.add(loop.create_task(feed()))
        await expect(tab.locator("#board-state")).to_contain_text("The board plays: ")
        await expect(tab.locator("#board-state")).to_contain_text("Solder")
        await expect(tab.locator("#board-second .hit, #board-second .sunk, #board-second .miss").first).to_be_visible()
        # unplugged, and plugged in again
        await tab.evaluate("port.lose()")
        await expect(tab.locator("#board-state")).to_contain_text("plug it in again and it goes on")
        await tab.evaluate("navigator.serial.dispatchEvent(new Event('connect')) && null")
        await expect(tab.locator("#board-state")).to_contain_text(re.compile("The board (is connected|plays)"))
        loop.remove_reader(line)
        for task in feeding:
            task.cancel()
        os.close(line)
        await context.close()

    board = ("--role", "master", "--link", str(tmp_path / "line"), "--nick", "Solder", "--autoplay", "--lang", "en")
    serve = ("club", "serve", "--db", str(tmp_path / "c.sqlite"), "--listen", "none", "--web", "127.0.0.1:0")
    with (
        Command(*serve, "--bots", "1", "--patience", "1") as club,
        # a whole field: the game has to last until it is inspected
        Command("board", *board, "--level", "hunt"),
    ):
        url = club.line("the page is at").split()[-1]
        wait_until(lambda: (tmp_path / "line").is_symlink())
        desk.loop.run_until_complete(script())
