"""Virtual boards for the page: the firmware on the server's MicroPython, its panel and keys in the browser.

A websocket carries keys one way and the panel's pixels the other. The board's line leads into the club like that of a
board at a serial port. A board lives as long as its page is open; each is a process, so their number is limited, and
one without key presses is switched off.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import socket
from collections import Counter
from typing import Any

from aiohttp import WSMsgType, web

from seabattle_host.club.forwarded import client_address, is_same_origin
from seabattle_host.club.limits import address_block
from seabattle_host.club.line import TcpLine
from seabattle_host.club.lobby import Lobby
from seabattle_host.club.names import as_nick
from seabattle_host.line import panels
from seabattle_host.line.virtual_board import BoardProcess, Line, has_micropython, has_ptys

KEYS = {"up": 1, "down": 2, "left": 3, "right": 4, "ok": 5, "back": 6}
"""Key codes, as in firmware/seaboard/keys.py. A board with five keys has "back" as a long "ok"."""
_OFF = 7
_DRAW_SECONDS = 0.05
_MESSAGE_MOST = 64
_PARTING_SECONDS = 1.0
_ALIVE_SECONDS = 20.0
_SEED_MOST = (1 << 30) - 1


def is_supported() -> bool:
    """Return whether this computer can run boards for others."""
    return has_micropython() and has_ptys()


class _SocketLine(Line):
    """A line to a board over a pair of sockets; `near` is the club's end."""

    def __init__(self) -> None:
        self.near, self._far = socket.socketpair()
        self._far.setblocking(False)
        self.far = self._far
        self.fd = self._far.fileno()
        self.url = "club"

    def close(self) -> None:
        self._far.close()


class PageBoards:
    """The boards of a lobby's pages. trusted: as for origin.client()."""

    def __init__(self, lobby: Lobby, trusted: frozenset[str] = frozenset()):
        self._lobby = lobby
        self._trusted = trusted
        self._running: Counter[str] = Counter()
        """Number of boards by address of the page."""
        self._closing = asyncio.Event()

    def register(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/play/board", self._come)

    def close(self) -> None:
        """Stop all boards."""
        self._closing.set()

    @property
    def running(self) -> int:
        """The number of boards."""
        return self._running.total()

    def _refusal(self, address: str) -> str:
        limits = self._lobby.limits
        if not limits.boards or not is_supported():
            return "none"
        full = self.running >= limits.boards or self._running[address] >= limits.boards_per_address
        return "full" if full else ""

    async def _come(self, request: web.Request) -> web.StreamResponse:
        if not is_same_origin(request, self._trusted):
            raise web.HTTPForbidden
        page = web.WebSocketResponse(
            max_msg_size=_MESSAGE_MOST, timeout=_PARTING_SECONDS, compress=False, heartbeat=_ALIVE_SECONDS
        )
        await page.prepare(request)
        address = address_block(client_address(request, self._trusted))
        refusal = self._refusal(address)
        if refusal:
            await page.send_json({"refused": refusal})
        else:
            self._running[address] += 1
            try:
                await self._serve(page, request.query, address)
            finally:
                self._running[address] -= 1
        await page.close()
        return page

    async def _serve(self, page: web.WebSocketResponse, query: Any, address: str) -> None:
        panel = query.get("panel", "")
        panel = panel if panel in panels.NAMES else panels.GRAPHIC[0]
        russian = query.get("language") == "ru"
        rom = "MT" if russian else "A00"
        options = {
            "panel": panel,
            "rom": str(panels.ROMS.index(rom)),
            "language": str(int(russian)),
            "seed": str(secrets.randbelow(_SEED_MOST)),
        }
        nick = as_nick(query.get("nick", "")[:40])
        if nick:
            options["nick"] = nick.hex()
        loop = asyncio.get_running_loop()
        line = _SocketLine()
        with line:
            refused = asyncio.Event()

            def come(club_line: TcpLine) -> None:
                club_line.address = address
                club_line.name = f"board {address}"
                if self._lobby.arrive(club_line) is None:
                    refused.set()

            # the transport owns the socket from here on
            transport, _ = await loop.create_connection(lambda: TcpLine(come), sock=line.near)
            if refused.is_set():
                transport.close()
                await page.send_json({"refused": "full"})
                return
            board = await asyncio.to_thread(BoardProcess, line, options)
            try:
                await _Face(page, board, panels.make_panel(panel, rom), self._lobby.limits.board_idle).run(
                    self._closing
                )
            finally:
                loop.remove_reader(board.source.fileno())
                board.press([_OFF])
                await asyncio.to_thread(board.close)
                transport.close()


class _Face:
    """A board's panel and keys, at a page. idle: seconds without a key press after which it is switched off."""

    def __init__(self, page: web.WebSocketResponse, board: BoardProcess, panel: panels.Panel, idle: float):
        self._page = page
        self._board = board
        self._panel = panel
        self._idle = idle
        self._loop = asyncio.get_running_loop()
        self._pressed_at = self._loop.time()
        self._changed = asyncio.Event()
        self._changed.set()

    async def run(self, closing: asyncio.Event) -> None:
        """Run until the page or the club closes, or no key has been pressed for long."""
        self._loop.add_reader(self._board.source.fileno(), self._hear)
        tasks = [self._loop.create_task(work) for work in (self._show(), self._take_keys(), closing.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _hear(self) -> None:
        for kind, data in self._board.messages():
            self._panel.handle_message(kind, data)
        if self._board.ended:
            self._loop.remove_reader(self._board.source.fileno())
        self._changed.set()

    async def _take_keys(self) -> None:
        async for message in self._page:
            if message.type != WSMsgType.TEXT:
                return
            key = KEYS.get(message.data)
            if key is not None:
                self._pressed_at = self._loop.time()
                self._board.press([key])

    async def _show(self) -> None:
        before = ""
        with contextlib.suppress(ConnectionError):
            while not self._board.ended:
                self._changed.clear()
                picture = json.dumps(_picture(self._panel), ensure_ascii=False, separators=(",", ":"))
                if picture != before:
                    before = picture
                    await self._page.send_str(picture)
                left = self._pressed_at + self._idle - self._loop.time()
                if left <= 0:
                    await self._page.send_json({"refused": "idle"})
                    return
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), left)
                await asyncio.sleep(_DRAW_SECONDS)
            await self._page.send_json({"refused": "ended"})


def _picture(panel: panels.Panel) -> dict[str, object]:
    """Return the panel's content: a hexadecimal number per row of pixels, the first pixel highest, and its letters."""
    rows = [f"{int(bytes(48 + pixel for pixel in row), 2):0{(panel.width + 3) // 4}x}" for row in panel.rows]
    return {"width": panel.width, "height": panel.height, "rows": rows, "text": panel.text()}
