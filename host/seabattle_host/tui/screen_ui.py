"""The full-screen interface of a game: passes what the game tells and shows to a screen, and the choices back.

A game runs in a thread of its own and knows nothing of screens: it tells, shows and asks by its interface, as when
played in lines of text.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from typing import Protocol

from rich.text import Text
from textual.app import App
from textual.css.query import NoMatches

from seabattle_host.games.field_view import FieldView
from seabattle_host.games.recording import Keeper
from seabattle_host.games.setup import KINDS, Setup, labels
from seabattle_host.games.ui import HELP, QUIT, SKIP, GameUI, Left, Want, common
from seabattle_host.language.messages import tr
from seabattle_host.language.text import LETTERS

PAUSE_SECONDS = 0.7
"""Pause after a computer's move, so that it can be seen."""


class GameView(Protocol):
    """The screen as the interface needs it. All but `pretty` and `app` is called in the application's thread."""

    @property
    def pretty(self) -> bool: ...
    @property
    def app(self) -> App[None]: ...
    def show_message(self, player: int | None, line: str) -> None: ...
    def restore_message(self, player: int | None, line: str) -> None: ...
    def show_lines(self, title: str, show_message: Sequence[str]) -> None: ...
    def show_fields(self, views: Sequence[FieldView], legend: str, left: str) -> None: ...
    def show_question(self, player: int, want: Want) -> None: ...
    def draw_curtain(self, player: int) -> None: ...
    def sit_down(self, player: int) -> None: ...


class ScreenUI(GameUI):
    """The interface of a game, on `screen`. Used by the game's thread; `close` may be called by any."""

    def __init__(self, screen: GameView, setup: Setup, keeper: Keeper):
        called = labels(setup.kind, setup.names)
        letters = LETTERS[setup.letters]
        super().__init__(KINDS[setup.kind], setup.people, False, letters, keeper, called, setup.away * 60)
        self._screen = screen
        self._answers: queue.Queue[str] = queue.Queue()
        self._closed = threading.Event()

    @property
    def live(self) -> bool:
        return True

    @property
    def pretty(self) -> bool:
        return self._screen.pretty

    @property
    def closed(self) -> bool:
        """Whether the player has left."""
        return self._closed.is_set()

    def close(self) -> None:
        """End the game: the player has left."""
        self._closed.set()
        self._answers.put(QUIT)

    def answer(self, typed: str) -> None:
        """Pass on the choice of the player who was asked."""
        self._answers.put(typed)

    def tell_all(self, player: int, title: str, show_message: Sequence[str]) -> None:
        if not self._going_on:
            self._private = True
            self._do(self._screen.show_lines, title, show_message)

    def _tell(self, player: int | None, line: Text | str) -> None:
        self._do(self._screen.show_message, player, str(line))

    def _recall(self, player: int | None, line: Text | str) -> None:
        self._do(self._screen.restore_message, player, str(line))

    def _show(self, player: int | None, views: Sequence[FieldView], legend: str, left: str) -> None:
        self._do(self._screen.show_fields, views, legend, left)

    def _curtain(self, player: int) -> None:
        if self.people > 1 and player != self._shown:
            if self._private and self._shown >= 0:
                # let the player read the last lines
                read = tr("hand_over", name=self.call(self._shown)).strip("- ")
                self._do(
                    self._screen.show_question, self._shown, Want(read, words=[("on", tr("word_read"))], enter="on")
                )
                self._wait()
            self._do(self._screen.draw_curtain, player)
            while self._wait() == SKIP:
                if self.may_skip():
                    self._skipped = player
                    return
                self._do(self._screen.show_message, None, self.why_not_skip(player))
                self._do(self._screen.draw_curtain, player)
            self._do(self._screen.sit_down, player)
        self._shown = player
        self._private = False

    def _ask(self, player: int, want: Want) -> tuple[int, str]:
        while True:
            self._do(self._screen.show_question, player, want)
            typed = self._command(want, self._wait())
            if typed == SKIP and not self.may_skip():
                self._tell(player, self.why_not_skip(player))
            elif typed:
                return player, typed

    def _command(self, want: Want, typed: str) -> str:
        """Translate a typed command into the games' own word; empty if it was handled here."""
        word = common(typed)
        if word == QUIT:
            raise Left
        if word in HELP:
            self._do(self._screen.show_message, self._shown if self.people > 1 else 0, want.help)
            return ""
        return word

    def _pause(self) -> None:
        if self._closed.wait(PAUSE_SECONDS):
            raise Left

    def _wait(self) -> str:
        typed = self._answers.get()
        if self._closed.is_set():
            raise Left
        return typed

    def _do(self, what: Callable[..., None], *arguments: object) -> None:
        if self._closed.is_set():
            raise Left
        try:
            self._screen.app.call_from_thread(what, *arguments)
        except (RuntimeError, CancelledError, NoMatches) as error:
            # the application has ended, or is removing its screen
            raise Left from error
