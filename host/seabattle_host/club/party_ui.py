"""The interface of a party at the club's page: the game runs in a thread of its own, each player has a page.

A game tells, shows and asks by its interface, as in a terminal; here all of that is posted to the club's loop, which
has the pages, and the players' choices come back through a queue.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from rich.text import Text

from seabattle_host.club.wording import speaking
from seabattle_host.games import start
from seabattle_host.games.field_view import FieldView
from seabattle_host.games.setup import KINDS, Setup
from seabattle_host.games.ui import QUIT, SKIP, GameUI, Left, Want, common
from seabattle_host.language import messages

_PAUSE_SECONDS = 0.7
"""Pause after a computer's move, so that it can be seen."""


class Pages(Protocol):
    """The party as the interface needs it. All methods are called in the club's loop."""

    def show_message(self, language: str, player: int | None, line: str) -> None: ...
    def show_fields(
        self, language: str, player: int | None, views: Sequence[FieldView], legend: str, left: str
    ) -> None: ...
    def show_questions(self, language: str, wants: Mapping[int, Want]) -> None: ...
    def ended(self, language: str) -> None: ...


class PartyUI(GameUI):
    """language: of the game. post: schedules a call in the club's loop."""

    def __init__(self, setup: Setup, language: str, pages: Pages, post: Callable[..., Any]):
        with speaking(language):
            called = setup.seats()
        super().__init__(KINDS[setup.kind], setup.people, chat=True, called=called)
        self._setup = setup
        self._pages = pages
        self._post = post
        self._language = language
        self._answers: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"party {setup.kind}", daemon=True)

    # Called in the loop.

    def begin(self) -> None:
        """Start the game's thread."""
        self._thread.start()

    def answer(self, player: int, typed: str) -> None:
        """Queue a player's command."""
        self._answers.put((player, typed))

    def close(self) -> None:
        """End the game without a result."""
        self._closed.set()
        self.answer(0, QUIT)

    # Called in the game's thread.

    @property
    def apart(self) -> bool:
        return True

    def _run(self) -> None:
        messages.use_here(self._language)
        with contextlib.suppress(Left):
            try:
                start.play(self._setup, self)
            finally:
                # the club may have closed
                self._do(self._pages.ended)

    def _do(self, what: Callable[..., None], *arguments: object) -> None:
        try:
            self._post(what, self._language, *arguments)
        except RuntimeError as error:
            # the loop has ended
            raise Left from error

    def _tell(self, player: int | None, line: Text | str) -> None:
        self._do(self._pages.show_message, player, str(line))

    def _show(self, player: int | None, views: Sequence[FieldView], legend: str, left: str) -> None:
        self._do(self._pages.show_fields, player, views, legend, left)

    def _pause(self) -> None:
        if self._closed.wait(_PAUSE_SECONDS):
            raise Left

    def _ask(self, player: int, want: Want) -> tuple[int, str]:
        self._do(self._pages.show_questions, dict(self.wants))
        speaker, typed = self._answers.get()
        if self._closed.is_set():
            raise Left
        # the party has checked that the player may be skipped
        return (player if typed == SKIP else speaker), common(typed)
