"""The club's page: who waits, running games, table, archive; and the websocket for players.

Spectators see shots and their results, never ships. The page loads nothing from elsewhere. It gets changes by
server-sent events, a snapshot of the whole club at most every 0.4 s; a slow page misses some. `/ws` is a line for a
player: binary messages carry the protocol's bytes both ways.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import re
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timezone
from pathlib import Path

from aiohttp import WSMsgType, web
from aiohttp.http import HttpProcessingError
from prometheus_client import CONTENT_TYPE_LATEST

from seabattle import wire
from seabattle.radar import EMPTY, HIT, MISS, SUNK
from seabattle_host import __version__
from seabattle_host.club.forwarded import client_address, is_same_origin
from seabattle_host.club.limits import address_block
from seabattle_host.club.line import Line, nothing
from seabattle_host.club.lobby import Lobby
from seabattle_host.club.metrics import Figures
from seabattle_host.club.page_boards import PageBoards
from seabattle_host.club.party_page import PartyPage
from seabattle_host.club.play_page import PlayPage
from seabattle_host.club.ratings import Standing
from seabattle_host.club.relay import Relay
from seabattle_host.club.session import Session
from seabattle_host.club.store import BATTLE, FINISHED, Game
from seabattle_host.club.wording import address, cannot_listen
from seabattle_host.errors import UserError
from seabattle_host.language import messages
from seabattle_host.language.text import columns_of
from seabattle_host.language.words import TICK_SECONDS

FOLDER = Path(__file__).parent / "page"
FILES = {
    "/": ("index.html", "text/html"),
    "/play": ("play.html", "text/html"),
    "/play.js": ("play.js", "text/javascript"),
    "/serial.js": ("serial.js", "text/javascript"),
    "/virtual.js": ("virtual.js", "text/javascript"),
    "/party": ("party.html", "text/html"),
    "/party.js": ("party.js", "text/javascript"),
    "/party.css": ("party.css", "text/css"),
    "/play.css": ("play.css", "text/css"),
    "/club.js": ("club.js", "text/javascript"),
    "/words.js": ("words.js", "text/javascript"),
    "/focus.js": ("focus.js", "text/javascript"),
    "/club.css": ("club.css", "text/css"),
}

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_PART = re.compile(r"<!-- part: (\w+) -->\n")
_LOOK_SECONDS = 0.4
_ALIVE_SECONDS = 15.0
_VIEWERS_MOST = 100
_VIEWERS_PER_ADDRESS = 20
_ARCHIVE_SHOWN = 20
_ARCHIVE_MOST = 50
_TABLE_SHOWN = 50
_MESSAGE_MOST = 4096
_PARTING_SECONDS = 1.0

UNKNOWN_MARK = "."
MARKS = {MISS: "o", HIT: "x", SUNK: "#", EMPTY: "-"}
"""Marks of cells as spectators see them."""


class WebLine(Line):
    """A line over a websocket."""

    def __init__(self, socket: web.WebSocketResponse, name: str, host: str):
        super().__init__(name, host)
        self._socket = socket
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue()
        self._unsent = 0
        self._sending = self._loop.create_task(self._send_on())

    def send(self, data: bytes) -> None:
        self._unsent += len(data)
        self._waiting.put_nowait(data)

    @property
    def unsent(self) -> int:
        return self._unsent

    async def _send_on(self) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await self._waiting.get():
                await self._socket.send_bytes(data)
                self._unsent -= len(data)
            await self._socket.close()

    def close(self) -> None:
        self.hear = self.gone = nothing
        self._waiting.put_nowait(b"")

    def end(self) -> None:
        """Stop sending: the socket is closed."""
        self._sending.cancel()


class WebServer:
    """The page of a lobby. trusted: addresses of reverse proxies, as for origin.client()."""

    def __init__(self, lobby: Lobby, trusted: frozenset[str] = frozenset()):
        self.port = 0
        self._lobby = lobby
        self._trusted = trusted
        self._play_page = PlayPage(lobby, trusted)
        self._party_page = PartyPage(lobby, trusted)
        self.boards = PageBoards(lobby, trusted)
        self._figures = Figures(lobby)
        self._runner: web.AppRunner | None = None
        self._viewers: Counter[str] = Counter()
        self._snapshot = (-1, b"")
        self._closing = asyncio.Event()
        self._table: list[dict[str, object]] = []
        self._table_of: tuple[object, ...] = ()

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        """Serve the page; sets `port` to the port in use. Raises UserError."""
        app = web.Application(middlewares=[_guard])
        for path, (name, kind) in FILES.items():
            app.router.add_get(path, _text(page_file(name), kind))
        app.router.add_get("/texts.js", _text(page_texts(), "text/javascript"))
        app.router.add_get("/events", self._events)
        app.router.add_get("/api/state", self._state)
        app.router.add_get("/api/games", self._games)
        app.router.add_get(r"/api/games/{number:\d{1,12}}", self._game)
        app.router.add_get("/ws", self._player)
        app.router.add_get("/health", self._health)
        app.router.add_get("/metrics", self._metrics)
        self._play_page.register(app)
        self._party_page.register(app)
        self.boards.register(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_PARTING_SECONDS, logger=_FAULTS)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port, ssl_context=tls)
        try:
            await site.start()
        except OSError as error:
            raise cannot_listen(host, port, error, "--web") from error
        self.port = int(self._runner.addresses[0][1])

    async def close(self) -> None:
        """Stop serving."""
        self._closing.set()
        self._play_page.close()
        self._party_page.close()
        self.boards.close()
        if self._runner is not None:
            await self._runner.cleanup()

    # The snapshot.

    def snapshot(self) -> bytes:
        """Return the club's current state as JSON; computed once for all pages."""
        lobby = self._lobby
        if self._snapshot[0] != lobby.version:
            state = {
                "program": f"seabattle {__version__}",
                "here": sum(v.account is not None and v.computer is None for v in lobby.sessions),
                "waiting": [
                    {
                        "id": v.account.id if v.account else 0,
                        "name": v.name,
                        "role": "master" if v.role == wire.MASTER else "slave",
                        "either": v.roles.flexible,
                        "seconds": round(v.waited * TICK_SECONDS),
                    }
                    for v in lobby.matchmaker.waiting()
                    if not v.room
                ],
                "games": [self._relay(relay) for relay in lobby.relays if not relay.private],
                "table": self._standings(),
                "archive": [summary(game) for game in lobby.store.games(_ARCHIVE_SHOWN) if game.stage == FINISHED],
            }
            self._snapshot = lobby.version, json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode()
        return self._snapshot[1]

    def _relay(self, relay: Relay) -> dict[str, object]:
        game, watch = relay.game, relay.watch
        ratings = self._lobby.ratings
        turn = watch.turn if game.stage == BATTLE and watch.turn in (0, 1) else None
        return {
            "id": game.id,
            "players": [{"id": p.id, "name": p.display_name, **_rating(ratings.standing(p.id))} for p in game.players],
            "stage": game.stage,
            "size": game.size,
            "fleet": list(game.fleet),
            "turn": turn,
            "last": relay.last,
            "fields": [field(relay, side) for side in (0, 1)] if game.size else [],
            "shots": [sum(move.player == side for move in game.moves) for side in (0, 1)],
            "hits": [watch.hits(side) for side in (0, 1)],
            "decks": watch.decks,
            "winner": game.winner,
            "ending": game.ending,
        }

    def _standings(self) -> list[dict[str, object]]:
        lobby, ratings = self._lobby, self._lobby.ratings
        # deviations grow from day to day; a renamed or deleted player has new ratings computed
        state = ratings, ratings.count, lobby.finished.total(), datetime.now(timezone.utc).date()
        if self._table_of != state:
            accounts = lobby.store.accounts()
            rows: list[dict[str, object]] = []
            for player in [player for player in ratings.order() if player in accounts][:_TABLE_SHOWN]:
                one, account = ratings.standing(player), accounts[player]
                rows.append(
                    {
                        "id": player,
                        "name": account.display_name,
                        "computer": account.kind == "computer",
                        **_rating(one),
                        "games": one.games,
                        "won": one.won,
                        "lost": one.lost,
                        **lobby.conduct.counts_of(player),
                    }
                )
            self._table, self._table_of = rows, state
        return self._table

    # Requests.

    async def _health(self, _request: web.Request) -> web.StreamResponse:
        lobby = self._lobby
        return web.json_response(
            {"program": f"seabattle {__version__}", "here": len(lobby.sessions), "ticks": lobby.ticks}
        )

    async def _metrics(self, request: web.Request) -> web.StreamResponse:
        """Serve the metrics, to this computer only."""
        address = client_address(request, self._trusted)
        with contextlib.suppress(ValueError):
            if ipaddress.ip_address(address).is_loopback:
                return web.Response(body=self._figures.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})
        raise web.HTTPForbidden

    async def _state(self, _request: web.Request) -> web.StreamResponse:
        return web.Response(body=self.snapshot(), content_type="application/json")

    async def _games(self, request: web.Request) -> web.StreamResponse:
        before = request.query.get("before", "")
        number = int(before) if before.isdecimal() and len(before) < 13 else 1 << 62
        games = self._lobby.store.games(_ARCHIVE_MOST, number)
        return web.json_response([summary(game) for game in games if game.stage == FINISHED])

    async def _game(self, request: web.Request) -> web.StreamResponse:
        number = int(request.match_info["number"])
        if any(
            relay.private and relay.game.id == number and relay.game.stage != FINISHED for relay in self._lobby.relays
        ):
            # a private game is hidden while it is running
            raise web.HTTPNotFound
        try:
            game = self._lobby.store.game(number)
        except UserError:
            raise web.HTTPNotFound from None
        return web.json_response(game.to_json())

    async def _events(self, request: web.Request) -> web.StreamResponse:
        host = address_block(client_address(request, self._trusted))
        if self._viewers.total() >= _VIEWERS_MOST or self._viewers[host] >= _VIEWERS_PER_ADDRESS:
            raise web.HTTPServiceUnavailable
        response = web.StreamResponse(headers={**_HEADERS, "Content-Type": "text/event-stream"})
        self._viewers[host] += 1
        try:
            await response.prepare(request)
            await self._tell_changes(response)
        except ConnectionError:
            pass  # the page has gone
        finally:
            self._viewers[host] -= 1
        return response

    async def _tell_changes(self, response: web.StreamResponse) -> None:
        loop = asyncio.get_running_loop()
        seen, told_at = -1, loop.time()
        while not self._closing.is_set():
            if seen != self._lobby.version:
                seen, told_at = self._lobby.version, loop.time()
                await response.write(b"data: " + self.snapshot() + b"\n\n")
            elif loop.time() - told_at > _ALIVE_SECONDS:
                told_at = loop.time()
                await response.write(b": still here\n\n")
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._closing.wait(), _LOOK_SECONDS)

    async def _player(self, request: web.Request) -> web.StreamResponse:
        if not is_same_origin(request, self._trusted):
            # A page of another site may not play on behalf of its visitor.
            raise web.HTTPForbidden
        socket = web.WebSocketResponse(max_msg_size=_MESSAGE_MOST, timeout=_PARTING_SECONDS, compress=False)
        await socket.prepare(request)
        host = address_block(client_address(request, self._trusted))
        peer = request.transport.get_extra_info("peername") if request.transport else None
        line = WebLine(socket, f"ws {address(host, peer[1])}" if peer else f"ws {host}", host)
        session = self._lobby.arrive(line)
        # a page with a board asks for a spectator's view of its game
        showing = None
        if session is not None and "watch" in request.query:
            showing = asyncio.get_running_loop().create_task(self._show_game(socket, session))
        async for message in socket:
            if message.type == WSMsgType.BINARY:
                line.hear(message.data)
            else:
                break
        if showing is not None:
            showing.cancel()
        line.gone("")
        await socket.close()
        line.end()
        return socket

    async def _show_game(self, socket: web.WebSocketResponse, session: Session) -> None:
        before = ""
        with contextlib.suppress(ConnectionError):
            while not socket.closed:
                relay = session.relay
                data = json.dumps(self._relay(relay) if relay is not None else {}, ensure_ascii=False)
                if data != before:
                    before = data
                    await socket.send_str(data)
                await asyncio.sleep(_LOOK_SECONDS)


class _OurFaults(logging.Filter):
    """Drops log records of malformed requests: these are answered, are no fault here, and would fill the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


_FAULTS = logging.getLogger("seabattle.web")
_FAULTS.addFilter(_OurFaults())


@web.middleware
async def _guard(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        response = await handler(request)
    except ConnectionResetError:
        # the client has hung up during the answer
        return web.Response()
    if not response.prepared:
        response.headers.update(_HEADERS)
    return response


def page_file(name: str) -> str:
    """Read a page, with the parts that pages share inserted."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return _PART.sub(lambda found: (FOLDER / "parts" / f"{found[1]}.html").read_text(encoding="utf-8"), text)


def page_texts() -> str:
    """Return the script with the pages' texts and column letters, in every language that has a catalogue."""
    names = {language: messages.template("language_name", language) for language in messages.LANGUAGES}
    texts = {language: messages.of_page(language) for language in messages.LANGUAGES}
    columns = {language: columns_of(language)[: wire.SIZE_MAX] for language in messages.LANGUAGES}
    return "".join(
        f"const {name} = {json.dumps(value, ensure_ascii=False)};\n"
        for name, value in (("LANGUAGES", names), ("TEXTS", texts), ("COLUMNS", columns))
    )


def _text(text: str, kind: str) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def serve(_request: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type=kind, charset="utf-8")

    return serve


def _rating(standing: Standing) -> dict[str, object]:
    """Return a rating and its 95 % bounds."""
    return {"rating": round(standing.rating), "within": round(2 * standing.deviation)}


def summary(game: Game) -> dict[str, object]:
    """Return a finished game as a row of the archive."""
    return {
        "id": game.id,
        "started": game.started.isoformat(timespec="seconds"),
        "players": [{"id": p.id, "name": p.display_name} for p in game.players],
        "winner": game.winner,
        "ending": game.ending,
        "shots": game.count,
        "counts": game.rated,
    }


def field(relay: Relay, side: int) -> str:
    """Return the field of a player (0 or 1) as its opponent's shots have revealed it.

    It has a mark per cell, row by row from the top.
    """
    watch, size = relay.watch, relay.game.size
    if watch.known(1 - side):
        cells = watch.radar[1 - side].cell
        return "".join(MARKS.get(cells[i], UNKNOWN_MARK) for i in range(size * size))
    # The answers are contradictory, or their beginning was missed: show the shots only.
    answers = {0: UNKNOWN_MARK, wire.MISS: "o", wire.HIT: "x", wire.SUNK: "#", wire.REPEAT: "o"}
    shots = watch.shots[1 - side]
    return "".join(answers[shots[y * 10 + x]] for y in range(size) for x in range(size))
