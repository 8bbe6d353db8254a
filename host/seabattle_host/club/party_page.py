"""Parties at the page: `/party/ws` carries orders one way and views the other way.

A page that reconnects with its key gets its seat back. A seat's view goes to its own page only.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from aiohttp import WSMsgType, web

from seabattle_host.club.forwarded import client_address, is_same_origin, public_url
from seabattle_host.club.limits import address_block
from seabattle_host.club.lobby import Lobby
from seabattle_host.club.names import skeleton
from seabattle_host.club.party import OVER, PARTY_KINDS, PLAYING, WAITING, Party, Seat
from seabattle_host.club.play_page import OrderRate, code_of, order_of
from seabattle_host.club.wording import speaking
from seabattle_host.games.setup import KINDS, NAME_MOST
from seabattle_host.language.messages import LANGUAGES, template, tr
from seabattle_host.player.parameters import LEVELS

_MESSAGE_MOST = 2048
_PARTING_SECONDS = 1.0
_ALIVE_SECONDS = 20.0
_LOOK_SECONDS = 1.0
_CHAT_MOST = 200
_LISTED_MOST = 20

_WORDS = (
    "party_title",
    "party_about",
    "party_name",
    "party_game",
    "party_level",
    "party_open",
    "party_open_private",
    "party_open_list",
    "party_none_open",
    "party_join",
    "party_invited",
    "party_invitation",
    "party_begin",
    "party_fire",
    "party_turn",
    "party_ships",
    "party_skip",
    "party_surrender",
    "party_sure",
    "party_play_on",
    "party_again",
    "party_leave",
    "party_log",
    "party_say",
    "party_send",
    "party_lost",
    "party_elsewhere",
    "party_moves",
    "party_away",
    "party_back",
    "name_salvo",
    "name_melee",
)
"""Catalogue keys of the page itself."""


class PartyPage:
    """The parties of a lobby. trusted: as for client()."""

    def __init__(self, lobby: Lobby, trusted: frozenset[str] = frozenset()):
        self._lobby = lobby
        lobby.other_guests = self
        self._trusted = trusted
        self._parties: dict[str, Party] = {}
        self._seats: dict[str, Seat] = {}
        self._pages: dict[Seat, _Page] = {}
        self._everybody: set[_Page] = set()
        self._addresses: Counter[str] = Counter()
        self._closing = False
        self._watching: asyncio.Task[None] | None = None

    def register(self, app: web.Application) -> None:
        """Add the routes and start the watchdog."""
        app.router.add_get("/party/ws", self._come)
        app.router.add_get("/party/qr", self._qr_code)
        self._watching = asyncio.get_running_loop().create_task(self._watch())

    def close(self) -> None:
        """Stop all parties and wake their pages."""
        self._closing = True
        if self._watching is not None:
            self._watching.cancel()
        for party in self._parties.values():
            party.close()
        for page in list(self._everybody):
            page.wake()

    @property
    def closing(self) -> bool:
        """Whether the club is closing."""
        return self._closing

    # Requests.

    async def _qr_code(self, request: web.Request) -> web.StreamResponse:
        """Serve the link to a party as a QR code."""
        code = request.query.get("code", "")
        if code not in self._parties:
            raise web.HTTPNotFound
        return code_of(f"{public_url(request, self._trusted, 'party')}#{code}")

    async def _come(self, request: web.Request) -> web.StreamResponse:
        if not is_same_origin(request, self._trusted):
            raise web.HTTPForbidden
        address = address_block(client_address(request, self._trusted))
        limits = self._lobby.limits
        full = self._addresses[address] >= limits.per_address or self._addresses.total() >= limits.connections
        if full or self._lobby.admin.banned(address):
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(
            max_msg_size=_MESSAGE_MOST, timeout=_PARTING_SECONDS, compress=False, heartbeat=_ALIVE_SECONDS
        )
        self._addresses[address] += 1
        page = _Page(socket, address, self)
        try:
            await socket.prepare(request)
            self._everybody.add(page)
            await page.serve()
        finally:
            self._addresses[address] -= 1
            self._everybody.discard(page)
            self.away(page)
        await socket.close()
        return socket

    # For the operator.

    def announce(self, words: str) -> int:
        """Send a text to everybody in a game; return how many."""
        seats = [seat for party in self._parties.values() for seat in party.seats if not seat.gone]
        for seat in seats:
            seat.hear(words)
        return len(seats)

    def throw_out(self, what: str, names_only: bool) -> int:
        """Remove everybody with this name or from this address; return how many."""
        gone = 0
        for party in list(self._parties.values()):
            for seat in list(party.seats):
                if skeleton(seat.name) == skeleton(what) or (not names_only and seat.address == address_block(what)):
                    gone += not seat.gone
                    self.leave(seat)
        return gone

    # For a page.

    def listed(self) -> list[dict[str, Any]]:
        """Return the public parties with free seats."""
        found = [party for party in self._parties.values() if party.free and not party.private]
        return [
            {
                "code": party.code,
                "kind": party.kind,
                "names": [seat.name for seat in party.seats],
                "free": party.free,
                "text": tr(
                    "party_listed",
                    game=tr(f"name_{party.kind}"),
                    names=", ".join(seat.name for seat in party.seats),
                    free=party.free,
                ),
            }
            for party in found[:_LISTED_MOST]
        ]

    def seat_of(self, key: str) -> Seat | None:
        """Return the seat of a page that reconnects, None if there is none."""
        seat = self._seats.get(key)
        return None if seat is None or seat.gone else seat

    def attend(self, page: _Page, seat: Seat) -> None:
        """Attach a page to a seat, in place of a former page."""
        before = self._pages.get(seat)
        if before is not None and before is not page:
            before.replaced = True
            before.wake()
        self._pages[seat] = page
        seat.changed = page.wake
        seat.away_since = None
        if seat.party is not None:
            seat.party.changed()

    def away(self, page: _Page) -> None:
        """Detach a closed page from its seat."""
        seat = page.seat
        if seat is not None and self._pages.get(seat) is page:
            del self._pages[seat]
            seat.changed = _nothing
            seat.away_since = asyncio.get_running_loop().time()
            if seat.party is not None:
                seat.party.changed()

    def open(self, page: _Page, order: Mapping[str, Any]) -> str:
        """Open a party; return the reason if it is refused, else empty."""
        kind = str(order.get("kind", ""))
        if kind not in PARTY_KINDS:
            return tr("party_refused_game")
        if len(self._parties) >= self._lobby.limits.parties:
            return tr("party_refused_full")
        level = str(order.get("level", ""))
        limits = self._lobby.limits
        private = bool(order.get("private"))
        party = Party(kind, level, private, limits.move, self._forget)
        problem = self._sit(page, order, party)
        if not problem:
            self._parties[party.code] = party
        return problem

    def join(self, page: _Page, order: Mapping[str, Any]) -> str:
        """Join a party; return the reason if it is refused, else empty."""
        party = self._parties.get(str(order.get("code", "")))
        if party is None or not party.free:
            return tr("party_refused_gone")
        return self._sit(page, order, party)

    def _sit(self, page: _Page, order: Mapping[str, Any], party: Party) -> str:
        # drop unprintable characters, as in a nick
        letters = (letter if letter.isprintable() else " " for letter in str(order.get("name", "")))
        name = " ".join("".join(letters).split())
        if not name or len(name) > NAME_MOST:
            return tr("party_refused_name", most=NAME_MOST)
        if self._lobby.admin.banned(name) or self._lobby.admin.banned(page.address):
            return tr("party_refused_full")
        if name.casefold() in (seat.name.casefold() for seat in party.seats):
            return tr("party_refused_twice", name=name)
        seat = Seat(name, page.address, page.language)
        party.sit(seat)
        self._seats[seat.key] = seat
        page.take(seat)
        self.notify()
        return ""

    def notify(self) -> None:
        """Update the list of parties at all pages."""
        for page in self._everybody:
            if page.seat is None:
                page.wake()

    def _forget(self, party: Party) -> None:
        self._parties.pop(party.code, None)
        for seat in party.seats:
            self._seats.pop(seat.key, None)
        self.notify()

    async def _watch(self) -> None:
        """Remove players who stay away for long; close parties in which nothing happens."""
        loop = asyncio.get_running_loop()
        limits = self._lobby.limits
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            now = loop.time()
            for party in list(self._parties.values()):
                for seat in list(party.seats):
                    if seat.away_since is not None and now - seat.away_since > limits.stall and not seat.gone:
                        self.leave(seat)
                if now - party.moved > limits.idle and party.stage in (WAITING, PLAYING, OVER):
                    for seat in list(party.seats):
                        self.leave(seat)

    def leave(self, seat: Seat) -> None:
        """Remove a player."""
        if seat.party is not None:
            seat.party.leave(seat)
        self._seats.pop(seat.key, None)
        self.notify()


class _Page:
    """An open page. seat: the one it shows, None while it shows the list of parties."""

    def __init__(self, socket: web.WebSocketResponse, address: str, owner: PartyPage):
        self.seat: Seat | None = None
        self.replaced = False
        """Another page shows the seat now."""
        self.address = address
        self.language = "en"
        self._socket = socket
        self._owner = owner
        self._changed = asyncio.Event()
        self._rate = OrderRate()
        self._problem = ""
        self._spoken = ""

    def wake(self) -> None:
        """Wake the page to send what is new."""
        self._changed.set()

    def take(self, seat: Seat) -> None:
        """Show this seat from now on."""
        self.seat = seat
        self._owner.attend(self, seat)

    async def serve(self) -> None:
        """Send views and take orders until the page has gone."""
        showing = asyncio.get_running_loop().create_task(self._show())
        try:
            async for message in self._socket:
                order = order_of(message) if message.type == WSMsgType.TEXT else None
                if order is None or not self._rate.may():
                    break
                if not self.replaced:
                    with contextlib.suppress(KeyError, ValueError, TypeError, IndexError), speaking(self.language):
                        self._obey(order)
                    self.wake()
        finally:
            showing.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await showing

    def _obey(self, order: dict[str, Any]) -> None:
        do = order.get("do")
        seat = self.seat
        self._problem = ""
        if do == "language":
            # the browser's form: ru, ru-RU
            language = str(order["language"]).partition("-")[0]
            self.language = language if language in LANGUAGES else self.language
            if seat is not None:
                seat.language = self.language
            if seat is None and order.get("key"):
                back = self._owner.seat_of(str(order["key"]))
                if back is not None:
                    self.take(back)
        elif seat is None:
            if do == "open":
                self._problem = self._owner.open(self, order)
            elif do == "join":
                self._problem = self._owner.join(self, order)
        else:
            self._obey_seat(seat, seat.party, str(do), order)

    def _obey_seat(self, seat: Seat, party: Party | None, do: str, order: dict[str, Any]) -> None:
        assert party is not None
        if do == "leave":
            self._owner.leave(seat)
            self.seat = None
        elif do == "begin" and party.stage == WAITING and party.seats[0] is seat:
            party.begin()
            self._owner.notify()
        elif do == "again":
            party.again(seat)
        elif do == "surrender":
            party.surrender(seat)
        elif do == "skip":
            party.skip(seat)
        elif do == "chat":
            text = " ".join(str(order["text"]).split())[:_CHAT_MOST]
            if text and text.isprintable():
                party.chat(seat, text)
        else:
            party.chose(seat, order)

    async def _show(self) -> None:
        last_line, before, seat_shown = 0, "", None
        while True:
            self._changed.clear()
            if self.replaced:
                await self._socket.send_json({"phase": "elsewhere"})
                await self._socket.close()
                return
            if self._owner.closing:
                await self._socket.close()
                return
            if self.seat is not None and self.seat.gone:
                self.seat = None
            if seat_shown is not self.seat:
                last_line, seat_shown = 0, self.seat
            with speaking(self.language):
                view = self._view(last_line)
            data = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
            if data != before:
                before = data
                await self._socket.send_str(data)
            if view.get("log"):
                last_line = view["log"][-1]["n"]
            await self._changed.wait()

    def _view(self, last_line: int) -> dict[str, Any]:
        if self.seat is not None:
            view = self.seat.view(last_line)
            view["key"] = self.seat.key
        else:
            view = {
                "phase": "lobby",
                "parties": self._owner.listed(),
                "games": [{"kind": kind, "people": KINDS[kind]} for kind in PARTY_KINDS],
                "levels": {level: tr(f"party_level_{level}") for level in LEVELS},
            }
        view["problem"] = self._problem
        if self._spoken != self.language:
            self._spoken = self.language
            view["words"] = {key.removeprefix("party_"): tr(key) for key in _WORDS}
            view["language"] = self.language
            view["languages"] = {language: template("language_name", language) for language in LANGUAGES}
        return view


def _nothing() -> None:
    pass
