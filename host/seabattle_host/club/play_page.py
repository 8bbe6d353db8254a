"""Players at the page: a websocket that carries orders one way and views the other way.

A page that reconnects with its key gets its player back; the key is as hard to guess as a session key should be. A
player's view goes to its own page only.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import re
import secrets
from collections import Counter, deque
from typing import Any

from aiohttp import WSMsgType, web

from seabattle_host.club.browser_player import SIZES, BrowserPlayer
from seabattle_host.club.forwarded import client_address, is_same_origin, public_url
from seabattle_host.club.limits import address_block
from seabattle_host.club.lobby import Lobby
from seabattle_host.language import words

_MESSAGE_MOST = 2048
_PARTING_SECONDS = 1.0
_FIRST_SECONDS = 15.0
_SOCKETS_A_PLAYER = 2
"""A reloaded page connects while its last socket is still open."""
_ALIVE_SECONDS = 20.0
_DIGITS_MOST = 9
_ORDERS = 60
"""Number of orders over which the rate is measured: a burst of that many is allowed."""
_ORDERS_A_SECOND = 20.0
_ROOM = re.compile(r"[A-Za-z0-9_-]{16,40}")
_WAITING_SHOWN = 8
_AROUND_SECONDS = 1.0
"""Interval at which a waiting player's page updates what goes on in the club."""


class PlayPage:
    """The players at a lobby's pages. trusted: as for client()."""

    def __init__(self, lobby: Lobby, trusted: frozenset[str] = frozenset()):
        self._lobby = lobby
        self._trusted = trusted
        self._players: dict[str, BrowserPlayer] = {}
        self._pages: dict[BrowserPlayer, PlaySocket] = {}
        self._sockets: Counter[str] = Counter()
        """Open sockets by address, including those that have not identified themselves."""
        self._closing = False

    def register(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/play/ws", self._come)
        app.router.add_get("/play/invitation", self._invite)
        app.router.add_get("/play/qr", self._qr_code)

    def close(self) -> None:
        """Close all pages."""
        self._closing = True
        for page in list(self._pages.values()):
            page.wake()

    # Requests.

    async def _invite(self, request: web.Request) -> web.StreamResponse:
        """Serve the name of a new private room, which cannot be guessed."""
        return web.json_response({"room": secrets.token_urlsafe(15)})

    async def _qr_code(self, request: web.Request) -> web.StreamResponse:
        """Serve the link to a room as a QR code."""
        room = request.query.get("room", "")
        if not _ROOM.fullmatch(room):
            raise web.HTTPNotFound
        return code_of(f"{public_url(request, self._trusted)}#{room}")

    async def _come(self, request: web.Request) -> web.StreamResponse:
        if not is_same_origin(request, self._trusted):
            raise web.HTTPForbidden
        address = address_block(client_address(request, self._trusted))
        limits = self._lobby.limits
        if (
            self._sockets[address] >= _SOCKETS_A_PLAYER * limits.per_address
            or self._sockets.total() >= _SOCKETS_A_PLAYER * limits.connections
        ):
            raise web.HTTPServiceUnavailable
        self._sockets[address] += 1
        try:
            return await self._attend(request, address)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    async def _attend(self, request: web.Request, address: str) -> web.StreamResponse:
        socket = web.WebSocketResponse(
            max_msg_size=_MESSAGE_MOST, timeout=_PARTING_SECONDS, compress=False, heartbeat=_ALIVE_SECONDS
        )
        await socket.prepare(request)
        with contextlib.suppress(asyncio.TimeoutError, ConnectionError):
            first = order_of(await asyncio.wait_for(socket.receive(), _FIRST_SECONDS))
            if first is not None:
                await self._serve(socket, first, address)
        await socket.close()
        return socket

    async def _serve(self, socket: web.WebSocketResponse, first: dict[str, Any], address: str) -> None:
        key = str(first.get("key", ""))
        player = self._players.get(key)
        if player is None or player.closed:
            if not first.get("nick"):
                await socket.send_json({"phase": "new"})
                return
            key, refusal = self._add(first, address)
            if refusal:
                await socket.send_json({"phase": "refused", "why": refusal})
                return
            player = self._players[key]
        player.order({"do": "language", "language": first.get("language")})
        before = self._pages.get(player)
        if before is not None:
            before.replaced = True
            before.wake()
        page = PlaySocket(socket, player, key, self)
        self._pages[player] = page
        try:
            await page.serve()
        finally:
            if self._pages.get(player) is page:
                del self._pages[player]
                player.looked_at = False
                player.away = 0

    def _add(self, first: dict[str, Any], address: str) -> tuple[str, str]:
        """Add a player; return its key, and the reason if it is refused."""
        for old in [key for key, player in self._players.items() if player.closed]:
            del self._players[old]
        room = str(first.get("room") or "")
        if room and not _ROOM.fullmatch(room):
            return "", "room"
        if room and len(self._lobby.in_room(room)) >= 2:
            return "", "full"
        size = first.get("size")
        language = first.get("language")
        role = self._lobby.wanted_role(room)
        key = secrets.token_urlsafe(18)
        player = BrowserPlayer(
            str(first["nick"])[:40],
            address,
            role,
            size if isinstance(size, int) and size in SIZES else 10,
            language if isinstance(language, str) and language in words.LANGUAGES else "en",
            self._lobby.limits,
            lambda: self._changed(player),
        )
        player.session = self._lobby.arrive(player.line, role, player, room)
        if player.session is None:
            return "", "crowded"
        self._players[key] = player
        pin = first.get("pin")
        if isinstance(pin, str) and pin:
            player.pin = pin[:12]
        level = first.get("bot")
        if isinstance(level, str) and level:
            player.bot = level[:10]
        return key, ""

    def _changed(self, player: BrowserPlayer) -> None:
        page = self._pages.get(player)
        if page is not None:
            page.wake()

    # For a page.

    def around(self, player: BrowserPlayer) -> dict[str, Any]:
        """Return what a waiting player sees of the club: who waits, and the number of games."""
        lobby = self._lobby
        return {
            "waiting": [v.name for v in lobby.matchmaker.waiting() if not v.room and v is not player.session][
                :_WAITING_SHOWN
            ],
            "games": len(lobby.relays),
        }

    @property
    def closing(self) -> bool:
        """Whether the club is closing."""
        return self._closing


class PlaySocket:
    """An open page of a player."""

    def __init__(self, socket: web.WebSocketResponse, player: BrowserPlayer, key: str, owner: PlayPage):
        self.replaced = False
        """Another page shows the player now."""
        self._socket = socket
        self._player = player
        self._key = key
        self._owner = owner
        self._changed = asyncio.Event()
        self._rate = OrderRate()

    def wake(self) -> None:
        """Wake the page to send what is new."""
        self._changed.set()

    async def serve(self) -> None:
        """Send views and take orders until the page has gone."""
        self._player.looked_at = True
        showing = asyncio.get_running_loop().create_task(self._show())
        try:
            async for message in self._socket:
                order = order_of(message)
                if order is None or not self._rate.may():
                    break
                if not self.replaced:
                    self._player.order(order)
        finally:
            showing.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await showing

    async def _show(self) -> None:
        last_line = 0
        before = ""
        player = self._player
        while True:
            self._changed.clear()
            if self.replaced:
                await self._socket.send_json({"phase": "elsewhere"})
                await self._socket.close()
                return
            view = player.view(last_line)
            if view["phase"] in ("queue", "seeking"):
                view.update(self._owner.around(player))
            view["key"] = self._key
            data = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
            if data != before:
                before = data
                await self._socket.send_str(data)
            if view["log"]:
                last_line = view["log"][-1]["n"]
            if player.closed or self._owner.closing:
                await self._socket.close()
                return
            if view["phase"] in ("queue", "seeking"):
                # nothing announces what goes on in the club
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), _AROUND_SECONDS)
            else:
                await self._changed.wait()


def code_of(link: str) -> web.Response:
    """Return a link as a QR code."""
    try:
        import segno
    except ModuleNotFoundError:
        raise web.HTTPNotFound from None
    code = segno.make(link, error="m")
    picture = io.BytesIO()
    code.save(picture, kind="svg", scale=4, light="#fff", border=2, omitsize=True, svgclass=None, lineclass=None)
    return web.Response(body=picture.getvalue(), content_type="image/svg+xml")


class OrderRate:
    """A rate limit on a page's orders."""

    def __init__(self) -> None:
        self._orders: deque[float] = deque(maxlen=_ORDERS)

    def may(self) -> bool:
        """Count an order; return whether the page is within the limit."""
        now = asyncio.get_running_loop().time()
        full = len(self._orders) == _ORDERS and now - self._orders[0] < _ORDERS / _ORDERS_A_SECOND
        self._orders.append(now)
        return not full


def order_of(message: Any) -> dict[str, Any] | None:
    """Parse a message into an order, None if it is none. Its texts can be encoded, its numbers are small integers."""
    if message.type != WSMsgType.TEXT:
        return None
    with contextlib.suppress(ValueError, RecursionError):
        data = json.loads(message.data, parse_int=_whole, parse_float=_refuse, parse_constant=_refuse)
        if isinstance(data, dict):
            # raises UnicodeEncodeError, a ValueError, at a lone surrogate
            json.dumps(data, ensure_ascii=False).encode()
            return data
    return None


def _whole(digits: str) -> int:
    if len(digits) > _DIGITS_MOST:
        raise ValueError(digits)
    return int(digits)


def _refuse(number: str) -> None:
    """Reject fractions, infinities and NaN: no order has them."""
    raise ValueError(number)
