"""The table that players of one screen sit at: who is told what, what they type, and the curtain between their turns.

At the screen one person's view is shown at a time; between two people the screen is cleared and the next one asked to
come. As plain text (`chat`) every line begins with the player it is for and a colon, or `*: ` for everybody; a line
that is read may begin the same way, and is from the player whose turn it is if it does not. The games know a table by
what `Table` has, and a table in full screen has the same.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from seabattle_host.games.field_view import NAMES, Sight, beside, lines
from seabattle_host.games.recording import Keeper
from seabattle_host.language.games_phrases import say
from seabattle_host.language.text import COLUMNS_EN, look_alike, parse_cell

QUIT = "quit"
HELP = ("help", "?")

_FORGET_SCROLLED = "\x1b[3J"
_ROWS_MOST = 99
"""Rows that the number of a cell can name."""
_LINE_MOST = 1000
"""Characters of a typed line; nothing that a game takes is as long."""

CURTAIN_SECONDS = 0.5
"""How long a curtain stays whatever is pressed, and after each such key: a second Enter of who sat there before must
not lift it, and neither must one that is held."""
_BESIDE_MOST = 80
"""Characters of two fields side by side; wider ones are told one after the other."""


_APART = (re.compile(r"(?<=[^\W\d_])[\s-]+(?=\d)"), re.compile(r"(?<=\d)[\s-]+(?=[^\W\d_])"))
"""What may stand between letter and number of a cell: where the letter comes first, and where the number does."""


def split_cells(typed: str) -> list[str]:
    """The cells that are named in a line, each without what stands between its letter and its number."""
    typed = typed.strip(" ,;")
    joined = _APART[typed[:1].isdigit()].sub("", typed)
    return re.split(r"[\s,;]+", joined)


class Left(Exception):
    """The person has left, or the input has ended."""


@dataclass(frozen=True)
class Ghost:
    """A ship that can be placed. ways: for each way it can lie its cells, columns and rows from the first.

    command: from column and row (from 0) of the first cell and the way, what a person would type to place it there.
    """

    label: str
    ways: Sequence[Sequence[tuple[int, int]]]
    command: Callable[[int, int, int], str]


@dataclass(frozen=True)
class Want:
    """What a person is asked for.

    shots: how many cells at most may be aimed at; 0 where none is asked for. field: at which of the fields shown.
    ghosts: ships to be placed. remove: from a cell what takes the ship on it back. words: commands, with their meaning.
    """

    help: str
    shots: int = 0
    field: int = 0
    ghosts: Sequence[Ghost] = ()
    remove: Callable[[int], str] | None = None
    words: Sequence[tuple[str, str]] = ()


class Table:
    """people: how many of the players, the first ones, are people. letters: of the columns."""

    def __init__(
        self, players: int, people: int, chat: bool = False, letters: str = COLUMNS_EN, keeper: Keeper | None = None
    ):
        self.names = NAMES[:players]
        self.people = people
        self.chat = chat
        self.letters = letters
        self.keeper = keeper or Keeper(None)
        self._console = Console(highlight=False)
        self._shown = -1
        self._private = False
        """Whether something for one person alone came since that person was asked last."""
        self._news: list[Text | str] = []
        """What everybody was told since the last turn of a person."""
        self._problem = ""

    @property
    def pretty(self) -> bool:
        """Whether pictures of letters and colours can be shown."""
        console = self._console
        return not self.chat and console.is_terminal and not console.no_color and console.encoding.startswith("utf")

    @property
    def live(self) -> bool:
        """Whether fields that are shown take the place of those that were shown before."""
        return False

    def tell(self, player: int | None, line: Text | str) -> None:
        """A line for one player, or for everybody. What is for a computer is not shown."""
        if player is not None and player >= self.people:
            return
        self._private = self._private or player is not None
        if self.chat:
            print(f"{'*' if player is None else self.names[player]}: {line}".rstrip(), flush=True)
        else:
            if player is None:
                self._news.append(line)
            self._console.print(line, soft_wrap=True)

    def show(self, player: int | None, sights: Sequence[Sight], legend: str) -> None:
        """Fields as a player, or everybody, may see them, and what their signs mean."""
        if len(sights) == 2 and sum(3 + sight.wide * sight.width for sight in sights) + 3 <= _BESIDE_MOST:
            told = beside(*sights)
        else:
            told = []
            for sight in sights:
                told += [Text(sight.title)] if sight.title and len(sights) > 1 else []
                told += lines(sight, self.pretty)
        for line in (*told, Text(legend)):
            self.tell(player, line)

    def curtain(self, player: int) -> None:
        """Before what only this person may see. Raises Left at the end of the input."""
        if not self.chat and self.people > 1 and player != self._shown:
            # whoever sat here before must not leave a view behind, but both want to know what has just happened
            self._part()
            self._clear()
            self._console.print(say("curtain", name=self.names[player]))
            self._wait_for_the_next()
            self._clear()
        self._news.clear()
        self._private = False
        self._shown = player

    def _part(self) -> None:
        """Let the person who sits here read what came last, before it is taken off the screen."""
        if self._private and self._shown >= 0 and self._console.is_terminal:
            self._console.print(say("hand_over", name=self.names[self._shown]))
            self._read()

    def _wait_for_the_next(self) -> None:
        """Enter, but not one that was still meant for what stood here before."""
        before = time.monotonic()
        self._read()
        while self._console.is_terminal and (now := time.monotonic()) - before < CURTAIN_SECONDS:
            before = now
            self._read()

    def _clear(self) -> None:
        """Take everything off the screen, and out of what can be scrolled back to, but the news for everybody."""
        if not self._console.is_terminal:
            return
        self._console.clear()
        self._console.file.write(_FORGET_SCROLLED)
        for line in self._news:
            self._console.print(line, soft_wrap=True)

    def ask(self, player: int, want: Want) -> tuple[int, str]:
        """The next command and who gave it. Raises Left when that is to leave, or at the end of the input."""
        self.say_problem()
        self._private = False
        while True:
            if not self.chat:
                self._console.print(say("prompt", name=self.names[player]), end="")
            line = self._read()
            if not line:
                if not self.chat:
                    self.tell(player, want.help)
                continue
            who, colon, rest = line.partition(":")
            speaker = player
            name = who.strip().upper()
            # A1:D1 is no name with a colon, and a line that names nobody may tell a hidden cell to everybody
            if colon and self.chat and not any(char.isdigit() for char in name):
                line = rest.strip()
                if len(name) != 1 or name not in self.names[: self.people]:
                    self.tell(player, say("stranger", name=who.strip()))
                    continue
                speaker = self.names.index(name)
            if line.lower() == QUIT:
                raise Left
            if line.lower() in HELP:
                self.tell(speaker, want.help)
                continue
            return speaker, line

    def pause(self) -> None:
        """A computer has moved; where moves are seen as they happen, this is the moment to look."""

    def say_problem(self) -> None:
        """Tell once why the game is not kept, if it is not."""
        if self.keeper.problem != self._problem:
            self._problem = self.keeper.problem
            self.tell(None, self._problem)

    def name(self, cell: int, width: int) -> str:
        """The name of a cell, counted by rows from 0, on a field of so many columns."""
        return f"{self.letters[cell % width]}{cell // width + 1}"

    def cell(self, typed: str, width: int, height: int, letters: str | None = None) -> int:
        """The cell that was typed, counted by rows from 0; -1 for what names none on this field.

        letters: to read it by, if not those of the columns.
        """
        place = parse_cell(typed, max(width, height), self.letters if letters is None else letters)
        if place is None or place[0] > width or place[1] > height:
            return -1
        return (place[1] - 1) * width + place[0] - 1

    def no_cell(self, typed: str, width: int, height: int, help_line: str) -> str:
        """Why what was typed is no cell of this field: it is off the field, or it names none at all."""
        letter = look_alike(typed, self.letters)
        if letter:
            return say("look_alike", cell=typed.upper(), letter=letter, letters=self.letters[:width])
        if self.cell(typed, len(self.letters), _ROWS_MOST) >= 0:
            return say("off_field_cell", cell=typed.upper(), size=f"{width}x{height}")
        return say("no_cell", text=typed, help=help_line)

    def _read(self) -> str:
        line = sys.stdin.readline()
        if not line:
            raise Left
        # what is typed may be told again, and nothing but letters and signs may then reach a screen
        plain = "".join(char if char.isprintable() else "·" for char in line.strip())
        return plain if len(plain) <= _LINE_MOST else plain[: _LINE_MOST - 1] + "…"
