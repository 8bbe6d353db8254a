"""`seabattle club`: open the club, and look at what was played in it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import queue
import signal
import sqlite3
import ssl
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seabattle_host.club.conduct import KINDS, Conduct
from seabattle_host.club.limits import Limits
from seabattle_host.club.lobby import PATIENCE, Lobby
from seabattle_host.club.ratings import Ratings
from seabattle_host.club.store import FINISHED, RESULTS, Game, Store, default_path
from seabattle_host.club.wording import address, ending, result_words
from seabattle_host.commands import club_admin, club_tournament, options
from seabattle_host.commands.columns import lined_up
from seabattle_host.errors import SeabattleError, UserError
from seabattle_host.language import words
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.text import cell_name
from seabattle_host.sniff.capture import Chunk, Header
from seabattle_host.sniff.session import Session
from seabattle_host.sniff.storage import JsonForm

if TYPE_CHECKING:
    from seabattle_host.club.web import WebServer

USUAL_LISTEN = "127.0.0.1:4000"
_NONE = "none"
_ASKED_BOTS = 4
"""Computers of each level that come where they are asked for, with a page."""
_LINES_MOST = 10_000
_PRINTING_SECONDS = 1.0


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command, its own commands and their options."""
    about = tr("club_about")
    parser = subparsers.add_parser("club", help=about, description=about)
    options.add_lang(parser)
    actions = parser.add_subparsers(
        metavar="serve|table|games|show|export|tournament|admin|backup", dest="action", required=True
    )
    _register_serve(actions)
    table = _action(actions, "table", "table_about")
    table.set_defaults(run=run_table)
    games = _action(actions, "games", "games_about")
    games.add_argument("--most", type=options.whole(1, 10**6), default=10**6, metavar="N", help=tr("help_most"))
    games.set_defaults(run=run_games)
    show = _action(actions, "show", "show_about")
    show.add_argument("number", type=options.whole(1, 2**31), metavar="N")
    show.set_defaults(run=run_show)
    export = _action(actions, "export", "export_about")
    export.add_argument("number", type=options.whole(1, 2**31), metavar="N")
    export.add_argument("--capture", action="store_true", help=tr("help_capture"))
    export.add_argument("-o", "--output", metavar="FILE", help=tr("help_output"))
    export.set_defaults(run=run_export)
    club_admin.register(actions, _alone)
    club_tournament.register(actions, _alone)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, about: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=tr(about), description=tr(about))
    parser.add_argument("--db", type=Path, metavar="FILE", help=tr("help_db", path=default_path()))
    options.add_lang(parser)
    return parser


def _register_serve(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    usual = Limits()
    serve = _action(actions, "serve", "serve_about")
    serve.add_argument(
        "--listen",
        action="append",
        type=_address,
        metavar="HOST:PORT",
        help=tr("club_help_listen", usual=USUAL_LISTEN),
    )
    serve.add_argument("--port", action="append", default=[], metavar="URL", help=tr("club_help_port"))
    serve.add_argument("--web", type=_address, metavar="HOST:PORT", help=tr("help_web"))
    serve.add_argument("--cert", type=Path, metavar="FILE", help=tr("help_cert"))
    serve.add_argument("--key", type=Path, metavar="FILE", help=tr("help_key"))
    serve.add_argument("--proxy", action="append", default=[], metavar="ADDRESS", help=tr("help_proxy"))
    usual_bots = tr("help_bots", usual=_ASKED_BOTS)
    serve.add_argument("--bots", type=options.whole(0, 100), metavar="N", help=usual_bots)
    serve.add_argument(
        "--patience",
        type=options.seconds,
        default=PATIENCE,
        metavar="SECONDS",
        help=tr("help_patience", usual=PATIENCE),
    )
    for name, convert, metavar in (
        ("per_address", options.whole(1, 10**5), "N"),
        ("connections", options.whole(1, 10**5), "N"),
        ("waiting", options.seconds, "SECONDS"),
        ("stall", options.seconds, "SECONDS"),
        ("move", options.seconds, "SECONDS"),
        ("boards", options.whole(0, 1000), "N"),
        ("pace", options.whole(1, 10**6), "BYTES"),
    ):
        value = getattr(usual, name)
        serve.add_argument(
            "--" + name.replace("_", "-"),
            type=convert,
            default=value,
            metavar=metavar,
            help=tr(f"limit_{name}", usual=value),
        )
    serve.add_argument("--log", choices=("lines", "json"), default="lines", help=tr("club_help_log"))
    serve.add_argument("--one-address", action="store_true", help=tr("help_one_address"))
    options.add_settings(serve)
    serve.set_defaults(run=run_serve)


def _address(value: str) -> tuple[str, int] | None:
    """An argument type: HOST:PORT, or `none`."""
    if value == _NONE:
        return None
    host, colon, port = value.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(tr("club_bad_address", value=value))
    return host, int(port)


# Opening the club.


def run_serve(args: argparse.Namespace) -> int:
    """Keep the club open until a signal comes; return the exit status."""
    listen = [place for place in args.listen or [_address(USUAL_LISTEN)] if place is not None]
    if not listen and not args.port and not args.web:
        raise UserError(tr("nobody_can_come"))
    path = args.db or default_path()
    with _alone(path), Store(path) as store, contextlib.closing(Log(args.log == "json")) as log:
        store.fold_in_background()
        asyncio.run(_serve(args, listen, store, log.tell))
    return 0


async def _serve(
    args: argparse.Namespace, listen: Sequence[tuple[str, int]], store: Store, tell: Callable[[str], None]
) -> None:
    names = ("per_address", "connections", "waiting", "stall", "move", "pace", "boards", "one_address")
    limits = replace(Limits(), **{name: getattr(args, name) for name in names})
    bots = args.bots if args.bots is not None else _ASKED_BOTS if args.web else 0
    lobby = Lobby(store, limits, bots=bots, unasked=args.bots is not None, patience=args.patience, log=tell)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, ended.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(ended.set))
    failures: list[SeabattleError] = []

    def failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something has failed inside the loop: the file cannot be written, for one, and the club has to close."""
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
        # what is there now stays, and need not be looked through each time that rubbish is collected
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
    """What --cert and --key give."""
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
    """Prints lines from a thread of its own: a terminal that was stopped, or a pipe that nobody reads, must not stop
    the games. Lines beyond those that may wait are left out, and so are those that cannot be printed at the end."""

    def __init__(self, as_json: bool = False) -> None:
        self._json = as_json
        self._waiting: queue.Queue[str | None] = queue.Queue(_LINES_MOST)
        self._thread = threading.Thread(target=self._print, name="log", daemon=True)
        self._thread.start()

    def tell(self, line: str) -> None:
        """Print a line, with the time, as soon as that can be."""
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
        """Print a line past the buffer of the standard output: while a write to that waits, nobody else can flush it,
        and the program would not end."""
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


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Nobody else opens the club meanwhile. Held by the system, so a killed club leaves nothing behind."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(tr("club_failed", file=path, reason=why(error))) from None
    try:
        with contextlib.closing(sqlite3.connect(f"{path}-open", timeout=0, isolation_level=None)) as lock:
            lock.execute("begin exclusive")
            yield
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise UserError(tr("club_failed", file=path, reason=error)) from None
        raise UserError(tr("club_busy", file=path)) from None


# Looking at it.


def run_table(args: argparse.Namespace) -> int:
    """Print the players by rating."""
    with Store(args.db, make=False) as store:
        ratings, accounts, conduct = Ratings.of_store(store), store.accounts(), Conduct(store.endings())
    names = ("place", "name", "id", "rating", "within", "games", "won", "lost", *KINDS)
    lines = [[tr(f"club_column_{name}") for name in names]]
    for place, player in enumerate((player for player in ratings.order() if player in accounts), 1):
        one = ratings.of(player)
        name = accounts[player].shown
        numbers = (
            f"{one.rating:.0f}",
            f"±{2 * one.deviation:.0f}",
            one.games,
            one.won,
            one.lost,
            *conduct.of(player).values(),
        )
        lines.append([str(place), name, str(player), *map(str, numbers)])
    if len(lines) == 1:
        print(tr("club_no_rated"))
    else:
        print(*lined_up(lines), sep="\n")
    return 0


def run_games(args: argparse.Namespace) -> int:
    """Print the games, the newest last."""
    with Store(args.db, make=False) as store:
        games = store.games(args.most)
    if not games:
        print(tr("club_no_games"))
        return 0
    names = ("game", "started", "players", "winner", "ending", "shots")
    lines = [[tr(f"club_column_{name}") for name in names]]
    for game in reversed(games):
        winner = "" if game.winner is None else game.players[game.winner].shown
        how = result_words(game) if game.winner is None else ending(game)
        lines.append([str(game.id), _when(game), _players(game), winner, how, str(game.count)])
    print(*lined_up(lines), sep="\n")
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Print a game, move by move."""
    with Store(args.db, make=False) as store:
        game = store.game(args.number)
    print(tr("show_title", number=game.id, when=_when(game), players=_players(game)))
    if game.size:
        print(words.parameters(game.size, *game.fleet))
    for number, move in enumerate(game.moves, 1):
        cell = cell_name(move.x, move.y, words.russian())
        name = game.players[move.player].shown
        print(tr("show_move", number=number, name=name, cell=cell, result=tr(f"result_{RESULTS[move.result]}")))
    print(result_words(game) if game.stage == FINISHED else tr("show_going"))
    return 0


def run_export(args: argparse.Namespace) -> int:
    """Write a game as JSON, or its capture."""
    with Store(args.db, make=False) as store:
        game = store.game(args.number)
        captured = store.captured(args.number) if args.capture else []
    if not args.capture:
        data = json.dumps(game.to_json(), ensure_ascii=False, indent=1) + "\n"
    elif not captured:
        raise UserError(tr("no_capture", number=game.id))
    else:
        data = capture_lines(game, captured)
    if args.output in (None, "-"):
        sys.stdout.write(data)
        return 0
    try:
        Path(args.output).write_text(data, encoding="utf-8")
    except OSError as error:
        raise UserError(tr("bad_file", file=args.output, reason=why(error))) from None
    return 0


def capture_lines(game: Game, captured: Sequence[tuple[int, int, bytes]]) -> str:
    """A capture as `seabattle decode` reads it, one JSON object a line. A is the master, B the slave."""
    form = JsonForm()
    names = (game.players[0].shown, game.players[1].shown)
    lines = [form.head(Header(names=names, settings="club", mode="club", began=captured[0][0]))]
    session = Session()
    records = session.run(Chunk(at, side, data) for at, side, data in captured)
    lines += [form.record(record) for record in records]
    return b"".join(lines).decode()


def _when(game: Game) -> str:
    return game.started.astimezone().strftime("%Y-%m-%d %H:%M")


def _players(game: Game) -> str:
    return f"{game.players[0].shown} - {game.players[1].shown}"
