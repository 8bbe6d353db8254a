"""The peer at the other end of the line in the tests of the application, and helpers to work its screens."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from textual import events
from textual._compositor import Compositor
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot
from textual.widget import Widget

from seabattle import wire
from seabattle.bot import Bot
from seabattle.gunner import HUNT, Gunner
from seabattle.link import Link
from seabattle.player import Player
from seabattle.rng import Rng
from seabattle_host.errors import PortLost
from seabattle_host.language.text import cell_name
from seabattle_host.line.port import Port
from seabattle_host.player.parameters import Parameters
from seabattle_host.player.position import Position
from seabattle_host.player.runner import Event, Runner
from seabattle_host.records.archive import Archive, Game
from seabattle_host.records.settings import Preferences
from seabattle_host.tui.app import SeabattleApp
from seabattle_host.tui.battle_pane import BattlePane
from seabattle_host.tui.dialogs import Notice
from seabattle_host.tui.game_screen import GameScreen
from seabattle_host.tui.placing_pane import PlacingPane
from seabattle_host.tui.start_options import StartOptions
from seabattle_host.tui.virtual_board import VirtualBoard
from seabattle_host.tui.widgets import LineLog, Stepper
from tests.command import SOON

SMALL = Parameters(6, 0, 0, 1, 2)
"""A short game."""


class Peer:
    """A player at a port, in a thread of its own. bot: it plays by itself. link, player: factories of a seat."""

    def __init__(
        self,
        url: str,
        role: int,
        *,
        bot: bool = True,
        nick: bytes = b"PEER",
        seed: int = 7,
        link: type[Link] = Link,
        player: Callable[[Link, Rng], Player] = Player,
    ):
        self.port = Port(url)
        self.events: list[Event] = []
        self.sent = bytearray()
        self.received = bytearray()
        rng = Rng(seed)
        self.link = link(role, rng)
        self.link.nick(nick, len(nick))
        self.player = player(self.link, rng)
        # not the link's, whose draws depend on timing: the same shots in each run
        gunner = Gunner(self.player.radar, Rng(seed), HUNT)
        offer = (SMALL.size, *SMALL.counts)
        self.runner = Runner(
            self.port,
            self.player,
            bot=Bot(self.player, gunner, 0, offer) if bot else None,
            on_event=self.events.append,
            observers=(self,),
            reconnect=True,
        )
        self.runner.start()

    def traffic(self, at: float, sent: bool, data: bytes) -> None:
        """Called by the runner, as an observer."""
        (self.sent if sent else self.received).extend(data)

    def codes(self) -> list[int]:
        """Return the codes of the events so far."""
        return [event.code for event in self.events]

    def close(self) -> None:
        """Disconnect without a goodbye."""
        self.runner.stop()
        self.port.close()


def peer(url: str, role: int = wire.SLAVE, **how: Any) -> contextlib.closing[Peer]:
    """A peer, closed after the block."""
    return contextlib.closing(Peer(url, role, **how))


class Screens:
    """The application under a pilot."""

    changes = 0
    """Number of changes on any screen so far."""

    def __init__(self, app: SeabattleApp, pilot: Pilot[None]):
        self.app = app
        self.pilot = pilot

    @property
    def game(self) -> GameScreen:
        """Return the session's screen, even while a window is over it."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, GameScreen))

    async def until(self, what: Callable[[], object], why: str = "") -> None:
        """Wait until `what()` holds."""
        deadline = time.monotonic() + SOON
        while not what():
            assert time.monotonic() < deadline, f"{why or 'waited in vain'}; the screen shows:\n{self.text()}"
            await asyncio.sleep(0.005)

    @property
    def position(self) -> Position:
        """Return the position on the screen."""
        position = self.game.match.position
        assert position is not None
        return position

    @property
    def notice(self) -> Notice:
        """Return the notice of an error on the screen."""
        assert isinstance(self.app.screen, Notice)
        return self.app.screen

    async def shot(self, number: int) -> None:
        """Wait until this many of my shots are answered."""
        await self.until(lambda: self.position.shots[0] >= number)

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until the application has handled them."""
        await self.pilot.press(*keys)

    async def rush(self, line: str) -> None:
        """Type a line and Enter faster than the application reads keys, as a terminal passes on a paste."""
        for char in line:
            self.app.post_message(events.Key(char, char))
        self.app.post_message(events.Key("enter", "\r"))
        await self.pilot.pause()

    async def focus(self, widget: Widget) -> None:
        """Put the focus on a widget, and wait until it is there."""
        widget.focus()
        await self.until(lambda: widget.has_focus)

    async def phase(self, name: str) -> None:
        """Wait for a phase of the game."""
        await self.until(
            lambda: (
                any(isinstance(s, GameScreen) and s.is_mounted for s in self.app.screen_stack)
                and self.game.phase == name
            ),
            f"the phase '{name}' has not come",
        )
        await self.pilot.pause()
        self.text()

    async def offer(self, parameters: Parameters = SMALL) -> None:
        """As the master, choose parameters on the screen and offer them."""
        await self.phase("params")
        for stepper, value in zip(self.game.query(Stepper), (parameters.size, *parameters.counts), strict=True):
            if stepper.value != value:
                await self.focus(stepper)
            while stepper.value != value:
                await self.press("left" if stepper.value > value else "right")
        await self.press("enter")

    async def place(self) -> None:
        """Place all ships, the same in each run: a peer that hits with all of its first shots would leave no battle."""
        await self.phase("placing")
        self.game.query_one(PlacingPane).rng = Rng(1)
        await self.press("a", "g")

    async def battle(self) -> None:
        """Place all ships at random, and wait for the battle."""
        await self.place()
        await self.phase("battle")

    async def my_turn(self) -> bool:
        """Wait until it is my turn: True; or until the battle is over: False."""
        await self.until(lambda: self.game.phase != "battle" or self.game.query_one(BattlePane).mine)
        return self.game.phase == "battle"

    def text(self) -> str:
        """Return the screen's content as lines of text."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    async def shows(self, words: str) -> None:
        """Wait until the screen shows these words."""
        seen = -1

        def shown() -> bool:
            nonlocal seen
            if seen == self.changes:
                return False
            seen = self.changes
            return words in self.text()

        await self.until(shown, f"'{words}' is not on the screen")

    def log(self) -> list[str]:
        """Return the lines of the session's log."""
        return [text.plain for text in self.game.query_one("#log", LineLog).texts]

    def talk(self) -> list[str]:
        """Return the lines of the chat."""
        return [text.plain for text in self.game.query_one("#talk", LineLog).texts]


_parsed: dict[object, object] = {}
_parse = Stylesheet._parse_rules


def _parsed_once(sheet: Stylesheet, css: str, read_from: object, *how: object, **options: object) -> object:
    """Cache the rules of a style sheet: every application of these tests has the same."""
    key = (css, read_from, how, *options.items(), *sheet._variables.items())
    if key not in _parsed:
        _parsed[key] = _parse(sheet, css, read_from, *how, **options)  # type: ignore[arg-type]
    return _parsed[key]


@asynccontextmanager
async def playing(app: SeabattleApp, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Screens]:
    """The application, without a terminal.

    Widgets are drawn when a test looks, not at each change: nobody else sees them.
    """

    async def settled(*_ignored: object) -> bool:
        """Wait until everything sent has been handled and drawn.

        Textual's own waits check whether the process is idle, which it is not with a peer in another
        thread, or send a message to every widget after every key.
        """
        loop = asyncio.get_running_loop()
        for _ in range(3):
            while loop._ready:  # type: ignore[attr-defined]
                await asyncio.sleep(0)
            app.screen._on_timer_update()
        return True

    draw = Compositor.render_update

    def changed(compositor: Compositor, full: bool = False, **how: Any) -> object:
        Screens.changes += 1
        if full:  # the whole of a new screen, or its picture
            return draw(compositor, full, **how)
        compositor._dirty_regions.clear()
        return None

    try:
        with (
            mock.patch("textual.app.wait_for_idle", settled),
            mock.patch("textual.pilot.wait_for_idle", settled),
            mock.patch.object(Pilot, "_wait_for_screen", settled),
            mock.patch.object(Compositor, "render_update", changed),
            mock.patch.object(Stylesheet, "_parse_rules", _parsed_once),
        ):
            async with app.run_test(size=size) as pilot:
                yield Screens(app, pilot)
                await pilot.pause()
    finally:
        if app.session is not None:
            app.session.close(wait=0)
        if app.board is not None:
            app.board.close()
        if app.archive is not None:
            app.archive.close()


def play(app: SeabattleApp, script: Callable[[Screens], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> None:
    """Run a script against the application."""

    async def run() -> None:
        async with playing(app, size) as screens:
            await script(screens)

    asyncio.run(run())


def application(folder: Path, *, archive: Archive | None = None, **options: object) -> SeabattleApp:
    """Return an application that keeps its games in `folder` and remembers nothing; it offers a short game."""
    return SeabattleApp(
        StartOptions(**{"offer": SMALL, **options}),  # type: ignore[arg-type]
        Preferences(),
        archive or Archive(folder / "games.sqlite"),
        "",
    )


def kept(folder: Path) -> list[Game]:
    """Return the games in the archive."""
    with Archive(folder / "games.sqlite") as archive:
        return archive.games()


async def shoot_all(screens: Screens, typed: int) -> None:
    """Shoot until the battle is over: the first cells by typing their names, each in another form."""
    while await screens.my_turn():
        position = screens.position
        before, size = position.shots[0], position.width
        if before < typed:
            cell = next(c for c in range(size * size) if position.radar.can_shoot(c))
            latin, russian = (cell_name(cell % size + 1, cell // size + 1, letters) for letters in (False, True))
            written = [latin, russian.lower(), latin[1:] + latin[0], f"{russian[1:]}-{russian[0]}"][before % 4]
            if before % 2:
                await screens.rush(written)
            else:
                await screens.press(*written, "enter")
            await screens.shot(before + 1)
            assert position.last_cell(0) == {cell}
        else:
            await screens.press("f3")
            await screens.shot(before + 1)


async def pressed_away(screens: Screens, key: str = "enter") -> None:
    """Press the key of a notice until it is gone; at first it ignores keys, since those were meant for the game."""

    def gone() -> bool:
        return not isinstance(screens.app.screen, Notice)

    while not gone():
        await screens.press(key)
        await asyncio.sleep(0.02)


class Board:
    """A real virtual board: the firmware under its interpreter, at the end `b` of a cable whose names are in `folder`.

    Its line is relayed to the cable, so that the cable can be pulled and faulty bytes can be inserted.
    """

    def __init__(self, folder: Path, *arguments: str):
        self.board = VirtualBoard(("--lang", "en", "--seed", "5", *arguments))
        self._line = Port(self.board.url)
        # by its stable name, under which it returns after it was pulled
        self._end = Port(str(folder / "b"))
        self._slipped: queue.SimpleQueue[tuple[Port, bytes]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def to_person(self, *data: int) -> None:
        """Send the person bytes that the board did not send."""
        self._slipped.put((self._end, bytes(data)))

    def to_board(self, *data: int) -> None:
        """Send the board bytes that the person did not send."""
        self._slipped.put((self._line, bytes(data)))

    def said(self, words: str) -> bool:
        """Return whether the board has printed these words."""
        return any(words in line for line in self.board.output())

    def leave(self) -> None:
        """Tell the board to end, as its owner would."""
        self.board.leave()

    def close(self) -> None:
        """End everything."""
        self._stopping.set()
        self._thread.join()
        self._line.close()
        self._end.close()
        self.board.close()

    def _carry(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(PortLost):
                for source, target in ((self._line, self._end), (self._end, self._line)):
                    if source.is_open or source.reopen():
                        data = source.read(0.005)
                        if data and target.is_open:
                            target.write(data)
                while not self._slipped.empty():
                    target, data = self._slipped.get()
                    target.write(data)


def board(folder: Path, *arguments: str) -> contextlib.closing[Board]:
    """A board, closed after the block."""
    return contextlib.closing(Board(folder, *arguments))
