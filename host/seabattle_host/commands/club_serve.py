"""`seabattle club serve`: run the club's server."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import queue
import signal
import ssl
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seabattle_host import signals
from seabattle_host.club.limits import ASKED_BOTS, Limits
from seabattle_host.club.lobby import Lobby
from seabattle_host.club.store import Store
from seabattle_host.club.wording import address
from seabattle_host.commands import options
from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why

if TYPE_CHECKING:
    from seabattle_host.club.web import WebServer

_LINES_MOST = 10_000
_PRINTING_SECONDS = 1.0


def run(args: argparse.Namespace, path: Path, listen: Sequence[tuple[str, int]]) -> int:
    """Serve the club of a file at these addresses until a signal comes; return the exit status."""
    for name in ("cert", "key", "proxy"):
        if getattr(args, name) and args.web is None:
            raise UserError(tr("page_option", option=f"--{name}"))
    with Store(path) as store, contextlib.closing(Log(args.log == "json")) as log:
        store.fold_in_background()
        asyncio.run(_serve(args, listen, store, log.tell))
    return 0


async def _serve(
    args: argparse.Namespace, listen: Sequence[tuple[str, int]], store: Store, tell: Callable[[str], None]
) -> None:
    names = ("per_address", "connections", "waiting", "stall", "move", "pace", "boards", "one_address")
    limits = replace(Limits(), **{name: getattr(args, name) for name in names})
    bots = args.bots if args.bots is not None else ASKED_BOTS if args.web else 0
    lobby = Lobby(store, limits, bots=bots, unasked=args.bots is not None, patience=args.patience, log=tell)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in signals.ending_signals():
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))
    failures: list[SeabattleError] = []

    def failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Close the club after an error in the loop, such as a file that cannot be written."""
        error = context.get("exception")
        if isinstance(error, SeabattleError):
            failures.append(error)
            ended.set()
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(failed)
    page = None
    try:
        for host, port in listen:
            await lobby.listen(host, port)
        if args.web is not None:
            tls = _tls(args)
            page = _page(lobby, frozenset(args.proxy))
            await page.open(args.web[0], args.web[1], tls)
            scheme = "https" if tls else "http"
            tell(tr("web_at", address=f"{scheme}://{address(args.web[0], page.port)}/"))
        for url in args.port:
            lobby.add_port(url, options.settings(args))
        lobby.start()
        # exclude long-lived objects from garbage collection
        gc.collect()
        gc.freeze()
        await ended.wait()
    finally:
        with contextlib.suppress(SeabattleError) if failures else contextlib.nullcontext():
            await lobby.stop()
        if page is not None:
            await page.close()
    if failures:
        raise failures[0]


def _tls(args: argparse.Namespace) -> ssl.SSLContext | None:
    """Return the TLS context of --cert and --key."""
    if not args.cert and not args.key:
        return None
    if not args.cert or not args.key:
        raise UserError(tr("tls_both"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(args.cert, args.key)
    except (OSError, ssl.SSLError) as error:
        raise UserError(tr("tls_failed", cert=args.cert, private=args.key, reason=why(error))) from None
    return context


def _page(lobby: Lobby, trusted: frozenset[str]) -> WebServer:
    try:
        from seabattle_host.club.web import WebServer
    except ModuleNotFoundError as error:
        raise UserError(tr("web_needs")) from error
    return WebServer(lobby, trusted)


class Log:
    """A log printed by a thread of its own: a stopped terminal, or a pipe without a reader, must not stop the games.

    Lines beyond the queue's size are dropped, as are those that cannot be printed at the end.
    """

    def __init__(self, as_json: bool = False) -> None:
        self._json = as_json
        self._waiting: queue.Queue[str | None] = queue.Queue(_LINES_MOST)
        self._thread = threading.Thread(target=self._print, name="log", daemon=True)
        self._thread.start()

    def tell(self, line: str) -> None:
        """Queue a line, with the time."""
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(self._line(line))

    def _line(self, line: str) -> str:
        if self._json:
            return json.dumps({"at": datetime.now().astimezone().isoformat(), "text": line}, ensure_ascii=False)
        return f"{datetime.now():%H:%M:%S} {line}"

    def close(self) -> None:
        """Print the rest."""
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(_PRINTING_SECONDS)

    def _print(self) -> None:
        # the reader may have gone; the club goes on without it
        with contextlib.suppress(OSError, ValueError):
            while (line := self._waiting.get()) is not None:
                self._put(line)

    @staticmethod
    def _put(line: str) -> None:
        """Write a line past the buffer of standard output.

        While a buffered write blocks, nothing else can flush it, and the program would not end.
        """
        try:
            file = sys.stdout.fileno() if os.name == "posix" else -1
        except OSError:
            file = -1
        if file < 0:
            print(line, flush=True)
            return
        data = memoryview(f"{line}\n".encode(sys.stdout.encoding, sys.stdout.errors or "strict"))
        while data:
            data = data[os.write(file, data) :]
