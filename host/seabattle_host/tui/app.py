"""The application: switches between screens, and owns what outlives them (preferences, archive, virtual board)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import events, work
from textual.app import App
from textual.binding import Binding
from textual.theme import Theme

from seabattle_host.errors import PortLost, SeabattleError
from seabattle_host.language.messages import tr
from seabattle_host.player.parameters import ROLES, Parameters, nick_bytes
from seabattle_host.records.settings import Preferences
from seabattle_host.tui import theme
from seabattle_host.tui.start_options import StartOptions
from seabattle_host.tui.start_screen import StartScreen

# Other screens are imported when they are opened, so that the first one appears sooner.
if TYPE_CHECKING:
    from seabattle_host.games.setup import Setup
    from seabattle_host.player.runner import Event
    from seabattle_host.player.session import Session
    from seabattle_host.records.archive import Archive
    from seabattle_host.tui.game_screen import GameScreen
    from seabattle_host.tui.local_screen import LocalScreen
    from seabattle_host.tui.virtual_board import VirtualBoard

THEME = Theme(
    name="seabattle",
    primary="#56b4e9",
    secondary="#9ecae9",
    accent="#f0e442",
    warning="#e69f00",
    error="#d55e00",
    success="#009e73",
    foreground="#e6edf3",
    background="#08141f",
    surface="#0d2137",
    panel="#14304d",
    dark=True,
)

_ENDING_SECONDS = 3.0
"""How long a program told to end waits for its terminal."""


_LEAST = (80, 24)
"""Columns and rows that every screen fits into."""


class SeabattleApp(App[None]):
    """options: of the command line.

    archive: of the games; problem: why there is none. make_board: starts a virtual board, which may take a while and
    raise SeabattleError.
    """

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Sea battle"

    BINDINGS = [
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "leave", show=False, priority=True),
    ]

    def __init__(
        self,
        options: StartOptions,
        preferences: Preferences,
        archive: Archive | None,
        problem: str,
        make_board: Callable[[], VirtualBoard] | None = None,
    ):
        plain = "NO_COLOR" in os.environ
        super().__init__(ansi_color=True if plain else None)
        self.options = options
        self.preferences = preferences
        self.archive = archive
        self.problem = problem
        self.make_board = make_board
        self._small = False
        self.board: VirtualBoard | None = None
        self.session: Session | None = None
        self._connecting = False  # to the port of the command line, or to a virtual board that is being started
        self._ended = threading.Event()  # the terminal has been restored
        self.ascii_only = theme.plain_letters()
        self.register_theme(THEME)
        self.theme = "ansi-dark" if plain else THEME.name

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Run until the user leaves."""
        try:
            super().run(*args, **kwargs)
        finally:
            self._ended.set()

    def on_resize(self, event: events.Resize) -> None:
        """Warn that the terminal is too small, once each time it becomes so."""
        small = event.size.width < _LEAST[0] or event.size.height < _LEAST[1]
        if small and not self._small:
            columns, rows = event.size
            line = tr("screen_small", columns=columns, rows=rows, width=_LEAST[0], height=_LEAST[1])
            self.notify(line, severity="warning", markup=False)
        elif self._small and not small:
            self.clear_notifications()
        self._small = small

    def on_mount(self) -> None:
        if not self.is_headless:
            # headless: no terminal to restore, and signals belong to the owner of the loop
            self._handle_signals()
        options = self.options
        if options.replay is not None:
            from seabattle_host.tui.replay import ReplayScreen

            self.push_screen(ReplayScreen(options.replay, self.ascii_only), lambda _: self.exit())
            return
        if options.setup is not None:
            self.push_screen(self._local(options.setup), lambda _: self.exit())
            return
        self.push_screen(StartScreen(self.preferences, options))
        if options.found:
            self.notify(options.found)
        self._connecting = options.board or bool(options.url)
        if options.board:
            self.call_after_refresh(self._show_problem, tr("starting_board"))
            self.start_board()
        elif options.url:
            self.call_after_refresh(self.connect, options.url)

    def _handle_signals(self) -> None:
        """Leave cleanly at a signal to end, or when the terminal goes away."""
        loop = asyncio.get_running_loop()

        def on_signal(number: int, _frame: object) -> None:
            if self._ended.is_set():
                signal.signal(number, signal.SIG_DFL)
                os.kill(os.getpid(), number)
                return
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self.exit)
            threading.Thread(target=self._force_exit, args=(number,), daemon=True).start()

        # Not through the loop: it blocks while a stopped terminal accepts no output.
        for name in ("SIGTERM", "SIGHUP"):
            # on other systems, and outside the main thread, keep the default action
            with contextlib.suppress(AttributeError, ValueError):
                signal.signal(getattr(signal, name), on_signal)

    def _force_exit(self, number: int) -> None:
        """End the process if the terminal accepts no output any more and so cannot be restored."""
        if self._ended.wait(_ENDING_SECONDS):
            return
        if self.session is not None:
            # in a thread of its own: it would block for ever if the line's thread waits for the terminal, too
            closing = threading.Thread(target=self.session.close, daemon=True)
            closing.start()
            from seabattle_host.player.session import PARTING_SECONDS

            closing.join(PARTING_SECONDS + _ENDING_SECONDS)
        if self.board is not None:
            self.board.close()
        os._exit(128 + number)

    # Connecting.

    def on_start_screen_connect(self, message: StartScreen.Connect) -> None:
        if self._connecting or self.session is not None:
            return  # a key pressed before the screen was gone
        if message.url:
            self.preferences.port = message.url
            self.connect(message.url)
        else:
            self.start_board()

    def on_start_screen_games(self) -> None:
        self.choose_game()

    @work(thread=True, exclusive=True, group="board")
    def start_board(self) -> None:
        """Start a virtual board, unless one is running, and connect to it."""
        self._connecting = True
        try:
            if self.board is None:
                if self.make_board is None:
                    from seabattle_host.tui.virtual_board import VirtualBoard

                    self.make_board = VirtualBoard
                self.board = self.make_board()
        except SeabattleError as error:
            self._connecting = False
            self.call_from_thread(self._show_problem, str(error))
            return
        self.call_from_thread(self.connect, self.board.url)

    def choose_game(self) -> None:
        """Let the user choose a game at one screen, and play it."""
        from seabattle_host.tui.games_menu import GamesMenu

        def chosen(setup: Setup | None) -> None:
            if setup is not None:
                self.push_screen(self._local(setup))

        self.push_screen(GamesMenu(self.archive.path if self.archive is not None else None), chosen)

    def _local(self, setup: Setup) -> LocalScreen:
        from seabattle_host.tui.local_screen import LocalScreen

        return LocalScreen(setup, self.archive, self.problem, self.ascii_only)

    def connect(self, url: str) -> None:
        """Open the port and show the game; an error is reported on the first screen."""
        from seabattle_host.player.session import Session
        from seabattle_host.tui.game_screen import GameScreen
        from seabattle_host.tui.match import Match

        self._connecting = False
        options, preferences = self.options, self.preferences
        me = options.nick or preferences.nick or tr("nick_usual")
        role = options.role or preferences.role

        def open_session(on_event: Callable[[Event], None], on_line: Callable[[PortLost | None], None]) -> Session:
            self.session = Session(
                url,
                options.settings,
                role=ROLES.get(role, ROLES["auto"]),
                nick=nick_bytes(me, options.cp866),
                fair=preferences.fair if options.fair is None else options.fair,
                on_event=on_event,
                on_line=on_line,
                observers=options.observers,
            )
            return self.session

        match = Match(self.archive, me)
        match.problem = self.problem
        try:
            screen = GameScreen(
                open_session,
                match,
                offer=options.offer or self._remembered_offer(),
                level=options.level,
                bell=preferences.bell if options.bell is None else options.bell,
                ascii_only=self.ascii_only,
            )
        except SeabattleError as error:
            self._show_problem(str(error))
            return
        preferences.save()
        self.push_screen(screen)

    def _show_problem(self, line: str) -> None:
        self._first_screen().show_problem(line)

    def _first_screen(self) -> StartScreen:
        return next(screen for screen in self.screen_stack if isinstance(screen, StartScreen))

    def _remembered_offer(self) -> Parameters:
        offer = Parameters(self.preferences.size, *self.preferences.fleet)
        try:
            offer.check()
        except SeabattleError:
            return Parameters()
        return offer

    def offered(self, parameters: Parameters) -> None:
        """Save the offered parameters as preferences."""
        self.preferences.size, self.preferences.fleet = parameters.size, parameters.counts
        self.preferences.save()

    async def on_game_screen_left(self, message: GameScreen.Left) -> None:
        self.session = None
        first = self._first_screen()
        # fix the list before popping: screens opened meanwhile do not belong to the session
        for _ in self.screen_stack[self.screen_stack.index(first) + 1 :]:
            await self.pop_screen()
        self.options.url = ""
        first.show_problem(message.why)

    # Actions of every screen.

    def action_help(self) -> None:
        """Show keys and shapes."""
        from seabattle_host.tui.dialogs import Help

        if not isinstance(self.screen, Help):
            self.push_screen(Help(self.ascii_only))

    def action_history(self) -> None:
        """Show the stored games."""
        if self.archive is None:
            self._show_problem(self.problem)
            return
        if not self.archive.games():
            self._show_problem(tr("play_no_games"))
            return
        from seabattle_host.tui.replay import GamesScreen

        self.push_screen(GamesScreen(self.archive, self.ascii_only))

    def action_leave(self) -> None:
        """Leave what is shown: a session with a goodbye, otherwise the application."""
        if isinstance(self.screen, StartScreen):
            self.exit()
            return
        leave = getattr(self.screen, "action_leave", None)
        if leave is not None:
            leave()
        elif self.screen.is_modal:
            self.screen.dismiss(None)
        elif self.session is None:
            self.exit()
