"""Clients that break the page's protocol: nothing stops, no other player is disturbed, no fault is logged."""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from seabattle import wire
from seabattle_host.club.browser_orders import ORDERS
from seabattle_host.club.browser_player import BrowserPlayer
from seabattle_host.club.limits import Limits
from seabattle_host.club.play_page import PlayPage, order_of
from tests.club import SOON, Guest, House, at_club, at_page, until

pytestmark = pytest.mark.club

FIRST = (
    '{"nick": "A", "size": 10.0}',
    '{"nick": "A", "size": []}',
    '{"nick": "A", "size": true}',
    '{"nick": "A", "size": Infinity}',
    '{"nick": "A", "size": 1e999}',
    '{"nick": "A", "size": -6, "language": {}}',
    '{"nick": "\\ud800"}',
    '{"nick": {"x": [1]}, "key": [[]], "room": {"a": 1}}',
    '{"nick": "A", "room": "0123456789abcdef\\u202e"}',
    '{"nick": "A", "pin": "\\ud800", "bot": "\\udfff"}',
    '{"nick": "\\u202e\\u200b\\ufeff"}',
    '{"nick": "' + "🚢" * 200 + '", "bot": "<script>"}',
    '{"nick": "A", "key": ' + "9" * 1900 + "}",
    "[" * 2000,
    '{"do": ' * 250 + "0" + "}" * 250,
    "null",
    "\x00",
    "",
)
"""The first messages of pages at /play/ws and /party/ws."""

MESSAGES = 300
"""In each phase; tens of thousands were tried by hand."""

PATHS = ("/ws", "/play/ws", "/party/ws", "/play/board")

WORDS = "x y length vertical to_x to_y text level pin language key nick n cells".split()


@asynccontextmanager
async def undisturbed(folder: Path, caplog: pytest.LogCaptureFixture, **limits: int) -> AsyncIterator[tuple]:
    """A club with its page: its clock must keep running and no fault may be logged, whatever the clients do."""
    caplog.set_level(logging.WARNING)
    faults: list[dict[str, Any]] = []
    async with at_page(folder, limits=Limits(**limits)) as (house, url, session):
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context))
        yield house, url, session
        await goes_on(house)
    assert not faults, faults
    assert not caplog.records, caplog.text


async def goes_on(house: House) -> None:
    ticks = house.lobby.ticks
    await until(lambda: house.lobby.ticks > ticks + 3)


async def test_whatever_a_page_begins_with_the_clock_of_the_club_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with undisturbed(tmp_path, caplog, per_address=100) as (house, url, session):
        for way in ("play/ws", "party/ws"):
            for first in FIRST:
                async with session.ws_connect(f"{url}/{way}") as socket:
                    await socket.send_str(first)
                    # it is answered or closed
                    await socket.receive()
                    await goes_on(house)


def frames(chance: random.Random) -> bytes:
    """Return bytes that break the websocket rules: cut, unmasked, of unknown kinds, not UTF-8, too long."""
    sent = b""
    for _ in range(chance.randrange(5)):
        data = chance.choice(
            [chance.randbytes(chance.randrange(60)), b"[" * 125, b'{"do": "open"}', b"\xaa\xa1\xb1\x03ABC"]
        )
        first = chance.choice([0x81, 0x81, 0x82, 0x01, 0x00, 0x89, 0x88, 0xC1, 0x83])
        length = bytes([chance.choice([0x80, 0x80, 0x80, 0]) | len(data)])
        if chance.random() < 0.1:
            length = b"\xff" + chance.randbytes(8)
        # a mask of zeros leaves the data as they are
        sent += bytes([first]) + length + bytes(4) + data
    return sent[: -chance.randrange(1, 9)] if chance.random() < 0.2 else sent


async def test_connections_that_keep_to_no_rule_leave_nothing_behind(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Random bytes at every websocket, most hung up half-way; with no seat taken, or all of them."""
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    upgrade += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

    async with undisturbed(tmp_path, caplog, per_address=8, boards=0) as (house, url, _):
        port = url.rpartition(":")[2]

        async def one(path: str, number: int) -> None:
            # its own, as they take turns in any order
            chance = random.Random(number)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{upgrade}\r\n".encode()
            cut = chance.random() < 0.1
            writer.write(head[: chance.randrange(len(head))] if cut else head)
            if not cut and chance.random() < 0.7:
                await reader.read(1)
            writer.write(frames(chance))
            if chance.random() < 0.7:
                writer.transport.abort()
            writer.close()

        for turn in range(4):
            calls = (one(path, 100 * turn + number) for number, path in enumerate(PATHS * 8))
            await asyncio.wait_for(asyncio.gather(*calls), SOON)
        await until(lambda: not house.lobby.sessions, lambda: house.log)


async def test_sockets_that_say_nothing_are_counted_too(tmp_path: Path) -> None:
    async with at_page(tmp_path, limits=Limits(per_address=3)) as (_, url, session):
        silent = [await session.ws_connect(f"{url}/play/ws") for _ in range(6)]
        with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
            await session.ws_connect(f"{url}/play/ws")
        await silent[0].close()
        # then: there is a seat for a client that sends something
        async with session.ws_connect(f"{url}/play/ws") as socket:
            await socket.send_json({"nick": "ANN"})
            assert json.loads((await socket.receive()).data)["phase"] == "seeking"
        for each in silent:
            await each.close()


async def test_of_a_name_what_no_screen_shows_is_left_out(tmp_path: Path) -> None:
    async with at_page(tmp_path) as (_, url, session), session.ws_connect(f"{url}/party/ws") as socket:
        await socket.send_json({"do": "open", "name": "\u202eAnn \u200b<b>\x07", "kind": "melee", "level": "hunt"})
        async for told in socket:
            view = json.loads(told.data)
            assert not view["problem"]
            if view["phase"] == "waiting":
                assert view["seats"][0]["name"].removesuffix(" (A)") == "Ann <b>"
                break


def odd(chance: random.Random, wild: bool, depth: int = 0) -> Any:
    """Return a value that an order may have, or none should. wild: also values that no order can carry."""
    kind = chance.randrange(13 if depth < 2 else 10)
    if kind == 6 and not wild:
        kind = 0
    if kind < 4:
        return chance.randrange(-2, 12)
    if kind < 6:
        return chance.choice([True, False, None, "", "0", "ru", "xx", "hunt", "1234", "#seal 1"])
    if kind == 6:
        return chance.choice([2**31, -(2**63), 10**40, 1.5, float("inf"), float("nan")])
    if kind < 9:
        letters = [32, 0x202E, 0x200B, 0x1F6A2, 0x416, 0, 10, 60, 0xD800 if wild else 62]
        return "".join(chr(chance.choice(letters)) for _ in range(9))
    if kind == 9:
        return "Ж" * chance.randrange(500)
    if kind == 10:
        return [odd(chance, wild, depth + 1) for _ in range(chance.randrange(3))]
    return {chance.choice(WORDS): odd(chance, wild, depth + 1) for _ in range(chance.randrange(3))}


def message(chance: random.Random) -> SimpleNamespace:
    """Return an order with an error in it, sometimes in its JSON."""
    wild = chance.random() < 0.1
    order = {name: odd(chance, wild) for name in WORDS if chance.random() < 0.6}
    order["do"] = chance.choice([*ORDERS, "", 7, None])
    # these end a game, and the remaining messages would reach nobody
    if order["do"] in ("goodbye", "surrender", "next"):
        order["do"] = "place"
    text = json.dumps(order)
    if chance.random() < 0.1:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(['"', "}", "\\u", "1e9", "\x00", ""]) + text[at + 1 :]
    return SimpleNamespace(type=WSMsgType.TEXT, data=text)


@pytest.mark.parametrize("phase", ["seeking", "queue", "placing", "battle", "over"])
async def test_orders_without_sense_change_nothing_for_anybody_else(tmp_path: Path, phase: str) -> None:
    chance = random.Random(phase)

    async with at_club(tmp_path) as house:
        page = PlayPage(house.lobby)

        def come(nick: str, room: str) -> BrowserPlayer:
            key, refusal = page._add({"nick": nick, "size": 6, "room": room}, "127.0.0.1")
            assert not refusal
            player = page._players[key]
            player.looked_at = True
            return player

        alone = phase in ("seeking", "queue")
        bad = come("BAD", "a-room-for-two-0")
        # then: the opponent and two others see nothing but a game
        others = [] if alone else [come("GOOD", "a-room-for-two-0")]
        others += [come(nick, "a-room-for-two-1") for nick in ("ANN", "BOB")]
        if not alone:
            for player in (bad, *others):
                await until(lambda player=player: player.placing and player.peer)  # type: ignore[misc]
        elif phase == "queue":
            await until(lambda: bad.session is not None and bad.session.ready)
        if phase in ("battle", "over"):
            for player in (bad, *others):
                player.order({"do": "random"})
                player.order({"do": "ready"})
            await until(lambda: bad.phase == "battle")
        if phase == "over":
            others[0].order({"do": "surrender"})
            await until(lambda: bad.phase == "over")
        for number in range(MESSAGES):
            if bad.closed:
                break
            order = order_of(message(chance))
            if order is not None:
                bad.order(order)
            json.dumps(bad.view(0), ensure_ascii=False).encode()
            if number % 10 == 0:
                await asyncio.sleep(0)
        await goes_on(house)
        for player in others[-2:]:
            assert not player.closed and player.peer
        assert not any("BAD" in line["text"] for player in others[-2:] for line in player._log)


async def test_a_fault_in_one_players_page_ends_that_game_alone(house: House) -> None:
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: faults.append(context))
    page = PlayPage(house.lobby)
    key, _ = page._add({"nick": "BAD"}, "127.0.0.1")
    bad = page._players[key]
    bad.link.tick = None  # type: ignore[method-assign, assignment]
    await until(lambda: bad.closed)
    seat = await house.seat(1, b"ANN")
    await until(lambda: house.waits("ANN"))
    assert not seat.hung_up and len(faults) == 1


@pytest.mark.parametrize(
    ("moment", "deed", "view"),
    [
        ("placing", "close", {"gone": "BOT"}),
        ("placing", "goodbye", {"gone": "BOT"}),
        ("battle", "close", {"result": "won", "how": "lost"}),
        ("battle", "goodbye", {"result": "won", "how": "goodbye"}),
        ("battle", "silence", {"result": "won", "how": "stalled"}),
        ("battle", "A8", {"result": "won", "how": "violation"}),
        ("battle", "A9", {"result": "won", "how": "violation"}),
        ("battle", "thinking", {"result": "lost", "how": "clock"}),
        ("battle", "surrender", {"result": "won", "how": "surrender"}),
    ],
)
async def test_a_page_says_how_its_opponent_left_and_goes_on(
    tmp_path: Path, moment: str, deed: str, view: dict[str, str]
) -> None:
    async with at_club(tmp_path, limits=Limits(stall=8, move=12)) as house:
        page = PlayPage(house.lobby)
        page._add({"nick": "KID", "size": 6}, "127.0.0.1")
        (kid,) = page._players.values()
        kid.looked_at = True
        other = await house.seat(wire.SLAVE, b"BOT", bot=False)
        await until(lambda: kid.placing and kid.peer)
        if moment == "battle":
            kid.order({"do": "random"})
            kid.order({"do": "ready"})
            assert other.player.field.random(other.player.rng)
            other.order(other.player.ready)
            await until(lambda: kid.phase == "battle")
        size = kid.view(0)["size"]
        if deed == "close":
            other.close()
        elif deed == "goodbye":
            other.order(other.link.goodbye)
        elif deed == "surrender":
            other.order(other.link.surrender)
        elif deed == "silence":
            assert other._ticking is not None
            other._ticking.cancel()
            other.data_received = Guest.data_received.__get__(other)  # type: ignore[method-assign]
        elif deed != "thinking":
            other.write(bytes.fromhex(deed))
        await until(lambda: (kid.view(0)["result"] or kid.view(0)).items() >= view.items(), lambda: kid.view(0))
        if moment == "battle":
            # both fields stay in sight, with the buttons below them, until the next game is asked for
            assert kid.phase == "over" and kid.view(0)["size"] == size
            other.close()
            kid.order({"do": "next"})
            await until(lambda: kid.phase != "over", lambda: kid.view(0))
        other.close()
        await house.seat(wire.SLAVE, b"NEXT")
        await until(lambda: kid.peer == "NEXT" and not kid.gone, lambda: kid.view(0))
