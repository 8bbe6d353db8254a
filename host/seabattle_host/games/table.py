"""The table that players of one screen sit at: who is told what, what they type, and the curtain between their turns.

At the screen one person's view is shown at a time; between two people the screen is cleared and the next one asked to
come. As plain text (`chat`) every line begins with the player it is for and a colon, or `*: ` for everybody; a line
that is read may begin the same way, and is from the player whose turn it is if it does not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from seabattle_host.games.phrases import say
from seabattle_host.text import COLUMNS_EN, parse_cell

QUIT = "quit"

_FORGET_SCROLLED = "\x1b[3J"


class Left(Exception):
    """The person has left, or the input has ended."""


class Table:
    """names: of all players. people: how many of them, the first ones, are people. letters: of the columns."""

    def __init__(self, names: Sequence[str], people: int, chat: bool, letters: str = COLUMNS_EN):
        self.names = names
        self.people = people
        self.chat = chat
        self.letters = letters
        self._console = Console(highlight=False)
        self._shown = -1
        self._news: list[Text | str] = []
        """What everybody was told since the last turn of a person."""

    @property
    def pretty(self) -> bool:
        """Whether pictures of letters and colours can be shown."""
        return not self.chat and self._console.is_terminal and self._console.encoding.startswith("utf")

    def tell(self, player: int | None, line: Text | str) -> None:
        """A line for one player, or for everybody. What is for a computer is not shown."""
        if player is not None and player >= self.people:
            return
        if self.chat:
            print(f"{'*' if player is None else self.names[player]}: {line}".rstrip(), flush=True)
        else:
            if player is None:
                self._news.append(line)
            self._console.print(line, soft_wrap=True)

    def curtain(self, player: int) -> None:
        """Before what only this person may see. Raises Left at the end of the input."""
        if not self.chat and self.people > 1 and player != self._shown:
            # whoever sat here before must not leave a view behind, but both want to know what has just happened
            self._clear()
            self._console.print(say("curtain", name=self.names[player]))
            self._read()
            self._clear()
        self._news.clear()
        self._shown = player

    def _clear(self) -> None:
        """Take everything off the screen, and out of what can be scrolled back to, but the news for everybody."""
        if not self._console.is_terminal:
            return
        self._console.clear()
        self._console.file.write(_FORGET_SCROLLED)
        for line in self._news:
            self._console.print(line, soft_wrap=True)

    def ask(self, player: int) -> tuple[int, str]:
        """The next command and who gave it. Raises Left when that is to leave, or at the end of the input."""
        while True:
            if not self.chat:
                self._console.print(say("prompt", name=self.names[player]), end="")
            line = self._read()
            if not line:
                continue
            who, colon, rest = line.partition(":")
            speaker = player
            if colon and self.chat:
                name = who.strip().upper()
                line = rest.strip()
                if name not in self.names[: self.people]:
                    self.tell(None, say("stranger", name=who.strip()))
                    continue
                speaker = list(self.names).index(name)
            if line.lower() == QUIT:
                raise Left
            return speaker, line

    def name(self, cell: int, width: int) -> str:
        """The name of a cell, counted by rows from 0, on a field of so many columns."""
        return f"{self.letters[cell % width]}{cell // width + 1}"

    def cell(self, typed: str, width: int, height: int) -> int:
        """The cell that was typed, counted by rows from 0; -1 for what names none on this field."""
        upper = typed.upper()
        if self.letters != COLUMNS_EN:
            upper = upper.translate(str.maketrans(self.letters, COLUMNS_EN[: len(self.letters)]))
            if not upper.isascii():
                return -1
        place = parse_cell(upper, max(width, height))
        if place is None or place[0] > width or place[1] > height:
            return -1
        return (place[1] - 1) * width + place[0] - 1

    def _read(self) -> str:
        line = sys.stdin.readline()
        if not line:
            raise Left
        return line.strip()
