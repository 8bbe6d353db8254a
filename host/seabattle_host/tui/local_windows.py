"""Windows over a game at one screen: the curtain between two players, the rules in short, a long record."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen

from seabattle_host.games.ui import CURTAIN_SECONDS, SKIP
from seabattle_host.language.messages import tr
from seabattle_host.tui.dialogs import Question
from seabattle_host.tui.widgets import Key, KeyBar, Plain, letter_keys


class Curtain(Screen[str]):
    """A screen with only the next player's name. Dismissed with an empty line by that player, with SKIP by another.

    called: the player's name. away: whether an absent player can be skipped.
    """

    BINDINGS = [
        Binding("enter", "lift", show=False),
        Binding("f8", "skip", show=False),
        Binding("f10,escape", "leave", show=False),
    ]

    def __init__(self, player: int, called: str, messages: Sequence[str], away: bool):
        super().__init__()
        self.called = called
        self.away = away
        self._drawn = time.monotonic()
        self.player = player
        self.messages = messages

    def compose(self) -> ComposeResult:
        with Vertical(id="curtain"):
            yield Plain("\n".join(self.messages), id="curtain-news")
            yield Plain(tr("curtain_big", name=self.called), id="curtain-who")
        yield KeyBar()

    def on_mount(self) -> None:
        keys = [("Enter", tr("key_curtain", name=self.called), "screen.lift")]
        keys += [("F8", tr("key_skip", name=self.called), "screen.skip")] if self.away else []
        self.query_one(KeyBar).show([*keys, leave_key()])

    def action_lift(self) -> None:
        """Lift the curtain, but not by an Enter typed too early or held down."""
        now = time.monotonic()
        if now - self._drawn >= CURTAIN_SECONDS:
            self.dismiss("")
        self._drawn = now

    def action_skip(self) -> None:
        """Skip the absent player."""
        if self.away:
            self.dismiss(SKIP)

    def action_leave(self) -> None:
        """Leave the game, after a question."""
        ask_leave(self)


class LocalHelp(ModalScreen[None]):
    """The rules of the game in short, and the keys."""

    BINDINGS = [Binding(letter_keys("escape,enter,f1,f10,question_mark,q"), "dismiss(None)", show=False)]

    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield Plain(tr(f"rules_{self.kind}"))
            yield Plain(tr("local_keys"), classes="gap")

    def on_click(self) -> None:
        self.dismiss(None)


class Record(ModalScreen[None]):
    """A scrollable list of lines."""

    BINDINGS = [Binding(letter_keys("escape,enter,q,f10"), "dismiss(None)", show=False)]

    def __init__(self, title: str, lines: Sequence[str]):
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield Plain(self._title, classes="dialog-title")
            yield Plain("\n".join(self._lines))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def leave_key() -> Key:
    """Return the key that leaves a game."""
    return ("F10", tr("key_leave_game"), "screen.leave")


def ask_leave(screen: Screen[Any]) -> None:
    """Leave the game on a screen, or on the one below the curtain, after a question."""

    def answered(yes: bool | None) -> None:
        if yes:
            if isinstance(screen, Curtain):
                screen.app.pop_screen()
            leave = getattr(screen.app.screen, "leave", None)
            if leave is not None:
                leave()

    screen.app.push_screen(Question(tr("ask_leave_game"), tr("yes_leave_game"), tr("games_no"), leaves=True), answered)
