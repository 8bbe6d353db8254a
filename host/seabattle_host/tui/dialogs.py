"""Dialogs: questions, error notices, and help."""

from __future__ import annotations

import time

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button

from seabattle_host import cells
from seabattle_host.language.messages import tr
from seabattle_host.tui import theme
from seabattle_host.tui.widgets import Plain, letter_keys

_CALM_SECONDS = 0.4
"""How long the keys of a new notice do nothing: they were meant for what was there before. So does a key that is held
down after it has asked whether to leave."""

OVER, SEEN, LEAVE = range(3)
"""Results of a Notice: the error ended before a key came, the key, the key to leave."""


class Question(ModalScreen[bool]):
    """A yes/no question; leaving it means no. leaves: the key to leave asked it, and the same key again means yes."""

    BINDINGS = [
        Binding("f10", "leave", show=False),
        Binding(letter_keys("y"), "answer(True)", show=False),
        Binding(letter_keys("n,escape"), "answer(False)", show=False),
        Binding("left,right", "other", show=False),
    ]

    def __init__(self, question: str, yes: str, no: str, *, leaves: bool = False):
        super().__init__()
        self.leaves = leaves
        self._shown = time.monotonic()
        self.question = question
        self.yes = yes
        self.no = no

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Plain(self.question, classes="dialog-text")
            with Horizontal(classes="buttons"):
                yield Button(self.no, id="no", compact=True)
                yield Button(self.yes, id="yes", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """Answer with a letter: y (or the same key on a Russian keyboard) or n."""
        self.dismiss(answer)

    def action_leave(self) -> None:
        """Answer with the key to leave."""
        if time.monotonic() - self._shown >= _CALM_SECONDS:
            self.dismiss(self.leaves)

    def action_other(self) -> None:
        """Focus the other button."""
        self.focus_next()


class Notice(ModalScreen[int]):
    """A session error that waits for a key; see OVER."""

    BINDINGS = [
        Binding("enter,space,escape", "seen", show=False, priority=True),
        Binding("f10", "leave", show=False, priority=True),
    ]

    def __init__(self, title: str, text: str, key: str):
        super().__init__()
        self.title_text = title
        self.text = text
        self.key = key
        self._shown = time.monotonic()
        self._made = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog error"):
            yield Plain(self.title_text, id="notice-title", classes="dialog-title")
            yield Plain(self.text, id="notice-text", classes="dialog-text")
            with Horizontal(classes="buttons"):
                yield Button(self.key, id="seen", compact=True)

    def tell(self, title: str, text: str, key: str) -> None:
        """Show a later error that waits for the same key."""
        self.title_text, self.text, self.key = title, text, key
        self._shown = time.monotonic()
        if self._made:
            self._tell()

    def correct(self, old: str, new: str) -> None:
        """Replace a line that is no longer true."""
        self.text = self.text.replace(old, new)
        if self._made:
            self._tell()

    def on_mount(self) -> None:
        """Show also what was told after the widgets were made."""
        self._made = True
        self._tell()

    def _tell(self) -> None:
        self.query_one("#notice-title", Plain).update(self.title_text)
        self.query_one("#notice-text", Plain).update(self.text)
        self.query_one("#seen", Button).label = self.key

    def on_button_pressed(self) -> None:
        self.action_seen()

    def action_seen(self) -> None:
        """Dismiss the notice by the key."""
        self._end(SEEN)

    def action_leave(self) -> None:
        """Dismiss the notice and leave the session."""
        self._end(LEAVE)

    def _end(self, how: int) -> None:
        if time.monotonic() - self._shown >= _CALM_SECONDS:
            self.dismiss(how)


class Help(ModalScreen[None]):
    """Keys, and the meaning of the shapes."""

    BINDINGS = [Binding(letter_keys("escape,enter,f1,f10,question_mark,q"), "dismiss(None)", show=False)]

    def __init__(self, ascii_only: bool):
        super().__init__()
        self.ascii_only = ascii_only

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield Plain(tr("help_title"), classes="dialog-title")
            yield Plain(legend(self.ascii_only, per_line=2))
            yield Plain(tr("help_text"))

    def on_click(self) -> None:
        self.dismiss(None)


def legend(ascii_only: bool, per_line: int = 7) -> Text:
    """Explain the shapes, `per_line` of them in a line."""
    text = Text()
    states = (cells.UNKNOWN, cells.MISS, cells.EMPTY, cells.SHIP, cells.HIT, cells.SUNK)
    for i, state in enumerate(states):
        text.append(theme.text(state, 2, ascii_only=ascii_only), theme.style(state))
        text.append(f" {tr(f'legend_{state}')}")
        if i < len(states) - 1:
            text.append("\n" if i % per_line == per_line - 1 else "  ")
    return text
