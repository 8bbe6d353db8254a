"""The interface of a game at one screen: who is told what, what they type, and the curtain between their turns.

One player's view is shown at a time; between two players the screen is cleared and the next one called. As plain text
(`chat`) every line starts with the player it is for and a colon, or `*: ` for everybody; a line that is read may start
the same way, and is from the player whose turn it is otherwise. The games know an interface by the methods of `GameUI`;
the full-screen one and the one at the club's page share them.
"""

from __future__ import annotations

import math
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from seabattle_host.games.field_view import NAMES, FieldView, lines, side_by_side
from seabattle_host.games.journal import Journal
from seabattle_host.games.recording import Keeper
from seabattle_host.language.messages import LANGUAGES, template, tr
from seabattle_host.language.text import COLUMNS_EN, look_alike, parse_cell

if TYPE_CHECKING:
    from rich.text import Text

QUIT = "quit"
SKIP = "skip"
WITHDRAW = "withdraw"
READY = "ready"
HELP = ("help", "?")

_FORGET_SCROLLED = "\x1b[3J"
_ROWS_MOST = 99
"""Most rows that a cell's name can have."""
_LINE_MOST = 1000
"""Most characters of a typed line; no command is as long."""

CURTAIN_SECONDS = 0.5
"""How long a curtain stays whatever is pressed, restarted by each key: neither a second Enter of the previous player
nor one that is held down must lift it."""
_BESIDE_MOST = 80
"""Most characters for two fields side by side; wider ones are printed one after the other."""


_APART = (re.compile(r"(?<=[^\W\d_])[\s-]+(?=\d)"), re.compile(r"(?<=\d)[\s-]+(?=[^\W\d_])"))
"""Separators between letter and number of a cell: with the letter first, and with the number first."""
_TO = re.compile(r"\s*(?:\.\.+|[:…—–])\s*")
_DASH = (re.compile(r"(?<=\d)\s*-\s*(?=[^\W\d_])"), re.compile(r"(?<=[^\W\d_])\s*-\s*(?=\d)"))
"""A hyphen between the two ends of a ship, by the same two cases."""

_TYPED = (WITHDRAW, "board", "help", QUIT, READY, "random", "clear", "record", "show", SKIP)
"""Commands that have synonyms in the catalogues, separated by commas, in every language."""


@cache
def _typed() -> dict[str, str]:
    return {word: name for name in _TYPED for word in typed_words(name)}


@cache
def typed_words(name: str) -> frozenset[str]:
    """Return what may be typed for a part of a command, in every language."""
    return frozenset(word.strip() for language in LANGUAGES for word in template(f"typed_{name}", language).split(","))


def taken_back(line: str) -> str:
    """Return the ship or cell after `remove`, or after another language's word for it; empty for any other line."""
    first, _, rest = line.strip().partition(" ")
    return rest.strip(" ,;") if first.lower() in typed_words("remove") else ""


def common(line: str) -> str:
    """Translate a command typed in Russian or by a synonym into the games' own word.

    Return any other line unchanged.
    """
    word = " ".join(line.lower().split())
    return _typed().get(word, word if word in (QUIT, SKIP, WITHDRAW, READY, *HELP) else line)


def split_cells(typed: str) -> list[str]:
    """Split a line into cells, each without separators between its letter and its number."""
    typed = typed.strip(" ,;")
    joined = _APART[typed[:1].isdigit()].sub("", typed)
    return re.split(r"[\s,;]+", joined)


def split_ends(typed: str) -> list[str]:
    """Like split_cells(), for ships: `A1-A4` and `A1:D1` give both ends with a colon between them."""
    typed = typed.strip(" ,;")
    number_first = typed[:1].isdigit()
    return split_cells(_DASH[number_first].sub(":", _TO.sub(":", typed)))


def between(first: int, last: int, width: int) -> list[int]:
    """Return the cells from one end of a ship to the other, across, down or diagonal; none if it is not straight.

    Cells are counted by rows from 0, on a field of `width` columns.
    """
    dx, dy = last % width - first % width, last // width - first // width
    if dx and dy and abs(dx) != abs(dy):
        return []
    count = max(abs(dx), abs(dy))
    step = (dx > 0) - (dx < 0) + ((dy > 0) - (dy < 0)) * width
    return [first + step * i for i in range(count + 1)]


class Left(Exception):
    """The player has left, or the input has ended."""


@dataclass(frozen=True)
class Ghost:
    """A ship that can be placed. ways: for each orientation its cells, as columns and rows relative to the first.

    command: from column and row (from 0) of the first cell and the orientation, the command that places it there.
    """

    label: str
    ways: Sequence[Sequence[tuple[int, int]]]
    command: Callable[[int, int, int], str]


@dataclass(frozen=True)
class Want:
    """What a player is asked for.

    shots: the most cells that may be aimed at, 0 for no shots. field: the one of the shown fields to aim at.
    ghosts: ships to be placed. remove: from a cell, the command that takes its ship back. words: commands, with their
    meaning. enter: the command for Enter alone. alone: a player may leave without ending the game for the others.
    """

    help: str
    shots: int = 0
    field: int = 0
    ghosts: Sequence[Ghost] = ()
    remove: Callable[[int], str] | None = None
    words: Sequence[tuple[str, str]] = ()
    enter: str = ""
    alone: bool = False


class GameUI:
    """people: how many of the players, the first ones, are human.

    letters: of the columns. called: the players' names. away: seconds after which a player who does not move may be
    skipped, 0 for never.
    """

    def __init__(
        self,
        players: int,
        people: int,
        chat: bool = False,
        letters: str = COLUMNS_EN,
        keeper: Keeper | None = None,
        called: Sequence[str] = (),
        away: float = 0.0,
    ):
        self.names = NAMES[:players]
        self.people = people
        self.chat = chat
        self.letters = letters
        self.keeper = keeper or Keeper(None)
        self.called = called or self.names
        self.journal: Journal | None = None
        self.away = away
        self.waiting_since = time.monotonic()
        """When a player was last asked, or called to the screen."""
        self.typed = 0
        """Number of lines that the game has taken."""
        self.wants: Mapping[int, Want] = {}
        """What each player asked now is asked for."""
        self.leaves = False
        """Raise Left instead of asking."""
        self._again: deque[tuple[int, str]] = deque()
        """Commands typed before the game was left, still to be replayed."""
        from rich.console import Console

        self._going_on = False
        self._last_shown: dict[int | None, tuple[Sequence[FieldView], str, str]] = {}
        self._last_told: dict[int | None, Text | str] = {}
        self._skipped = -1
        """The player who was away at the curtain, and is skipped."""
        self._console = Console(highlight=False)
        self._shown = -1
        self._private = False
        """Whether something private was shown to a player since they were last asked."""
        self._announced: list[Text | str] = []
        """What everybody was told since the last turn of a human player."""
        self._problem = ""

    @property
    def pretty(self) -> bool:
        """Whether pictograms and colours can be displayed."""
        console = self._console
        return not self.chat and console.is_terminal and not console.no_color and console.encoding.startswith("utf")

    @property
    def apart(self) -> bool:
        """Whether each player has a screen of their own, always up to date."""
        return False

    @property
    def live(self) -> bool:
        """Whether shown fields replace those shown before."""
        return False

    def call(self, player: int) -> str:
        """Return a player's name."""
        return self.called[player]

    # Called by the games.

    def replay_input(self, typed: Sequence[tuple[int, str]]) -> None:
        """Replay these commands, without showing them, before asking anybody."""
        self._again.extend(typed)
        self._going_on = True

    def tell(self, player: int | None, line: Text | str) -> None:
        """Print a line for one player, or for everybody. A computer's lines are not shown."""
        if player is not None and player >= self.people:
            return
        self._last_told[player] = line
        if self._going_on:
            self._recall(player, line)
            return
        if player is not None and player == self._skipped:
            return
        self._private = self._private or player is not None
        self._tell(player, line)

    def tell_all(self, player: int, title: str, rows: Sequence[str]) -> None:
        """Tell a player a list of lines that may be longer than the screen."""
        for line in rows:
            self.tell(player, line)

    def show(self, player: int | None, views: Sequence[FieldView], legend: str, left: str = "") -> None:
        """Show fields to a player, or to everybody, with the legend and what is left of the others."""
        if player is not None and player >= self.people:
            return
        self._last_shown[player] = (views, legend, left)
        if self._going_on or (player is not None and player == self._skipped):
            return
        self._private = self._private or player is not None
        self._show(player, views, legend, left)

    def curtain(self, player: int) -> None:
        """Hide the last view before one that only this player may see. Raises Left at the end of the input."""
        if not self._going_on:
            self.waiting_since = time.monotonic()
            self._curtain(player)

    def ask(self, player: int, want: Want, others: Mapping[int, Want] | None = None) -> tuple[int, str]:
        """Return the next command and its player. Raises Left when it is to leave, or at the end of the input.

        others: who may move at the same time, and what they are asked for.
        """
        self.wants = {player: want, **(others or {})}
        if self._again:
            self.typed += 1
            return self._again.popleft()
        if self.leaves:
            raise Left
        self.show_problem()
        if self._going_on:
            self._end_replay(player)
        if self._skipped == player:
            self._skipped = -1
            answer = player, SKIP
        else:
            if not self.chat:
                self.turn_begins()
            self._skipped = -1
            answer = self._ask(player, want)
        self._private = False
        self.typed += 1
        if self.journal is not None:
            self.journal.typed(*answer)
        return answer

    def pause(self) -> None:
        """Pause after a computer's move, where moves are seen as they happen."""
        if not self._going_on:
            self._pause()

    def turn_begins(self) -> None:
        """Begin another player's turn, or another round: time away counts from now on."""
        self.waiting_since = time.monotonic()

    def show_problem(self) -> None:
        """Tell once why the game is not saved, if it is not."""
        if self.keeper.problem != self._problem:
            self._problem = self.keeper.problem
            self.tell(None, self._problem)

    # Implementation for a terminal or lines of text.

    def _end_replay(self, player: int) -> None:
        """End the replay: show the state of the game, and to one player alone what is asked for."""
        self._going_on = False
        self.turn_begins()
        self._tell(None, tr("resumed"))
        self._curtain(player)
        for seat in range(self.people) if self.chat else (player,):
            if seat in self._last_shown:
                self._show(seat, *self._last_shown[seat])
            elif seat == player and None in self._last_shown:
                self._show(None, *self._last_shown[None])
            if seat in self._last_told:
                self._tell(seat, self._last_told[seat])

    def _recall(self, player: int | None, line: Text | str) -> None:
        """Handle a line told during the replay."""

    def _pause(self) -> None:
        pass

    def _tell(self, player: int | None, line: Text | str) -> None:
        if self.chat:
            print(f"{'*' if player is None else self.names[player]}: {line}".rstrip(), flush=True)
        else:
            if player is None:
                self._announced.append(line)
            self._console.print(line, soft_wrap=True)

    def _show(self, player: int | None, views: Sequence[FieldView], legend: str, left: str) -> None:
        from rich.text import Text

        if len(views) == 2 and sum(3 + view.wide * view.width for view in views) + 3 <= _BESIDE_MOST:
            rows = side_by_side(*views)
        else:
            rows = []
            for view in views:
                rows += [Text(view.title)] if view.title and len(views) > 1 else []
                rows += lines(view, self.pretty)
        for line in (*rows, *([Text(left)] if left else []), Text(legend)):
            self._tell(player, line)

    def _curtain(self, player: int) -> None:
        if not self.chat and self.people > 1 and player != self._shown:
            # hide the last player's view, but keep what has just happened
            self._let_read()
            self._clear()
            self._console.print(tr("curtain", name=self.call(player)))
            self._wait_for_the_next(player)
            self._clear()
        self._announced.clear()
        self._private = False
        self._shown = player

    def _let_read(self) -> None:
        """Let the player read the last lines before the screen is cleared."""
        if self._private and self._shown >= 0 and self._console.is_terminal:
            self._console.print(tr("hand_over", name=self.call(self._shown)))
            self._read()

    def _wait_for_the_next(self, player: int) -> None:
        """Wait for Enter, but not one typed too early; or for a command to skip the player."""
        before = time.monotonic()
        while True:
            line = self._read().lower()
            if common(line) == SKIP:
                if self.may_skip():
                    self._skipped = player
                    return
                self._console.print(self.why_not_skip(player))
                continue
            if not self._console.is_terminal or (now := time.monotonic()) - before >= CURTAIN_SECONDS:
                return
            before = now

    def may_skip(self) -> bool:
        """Return whether the player whose move it is has been away for the agreed time."""
        return bool(self.away) and time.monotonic() - self.waiting_since >= self.away

    def why_not_skip(self, player: int) -> str:
        """Explain why nobody is skipped."""
        if not self.away:
            return tr("skip_never")
        left = self.away - (time.monotonic() - self.waiting_since)
        return tr("skip_not_yet", name=self.call(player), seconds=max(1, math.ceil(left)))

    def _clear(self) -> None:
        """Clear the screen and the scrollback, except for news for everybody."""
        if not self._console.is_terminal:
            return
        self._console.clear()
        self._console.file.write(_FORGET_SCROLLED)
        for line in self._announced:
            self._console.print(line, soft_wrap=True)

    def _ask(self, player: int, want: Want) -> tuple[int, str]:
        while True:
            if not self.chat:
                self._console.print(tr("prompt", name=self.call(player)), end="")
            line = self._read()
            if not line and want.enter and not self.chat:
                return player, want.enter
            if not line:
                if not self.chat:
                    self._tell(player, want.help)
                continue
            speaker, line, named = self._speaker(player, line)
            if speaker < 0:
                self._tell(player, tr("stranger", name=line))
                continue
            line = common(line)
            if line == QUIT:
                if named and self.people > 1 and want.alone:
                    # the others play on
                    return speaker, WITHDRAW
                raise Left
            if line in HELP:
                self._tell(speaker, want.help)
                continue
            if line == SKIP and not self.may_skip():
                self._tell(speaker, self.why_not_skip(player))
                continue
            if line == SKIP and self.chat and speaker == player:
                self._tell(speaker, tr("skip_self"))
                continue
            return (player if line == SKIP else speaker), line

    def _speaker(self, player: int, line: str) -> tuple[int, str, bool]:
        """Return who says a line, the line without the name, and whether a name was given.

        For an unknown name: -1, and the name instead of the line.
        """
        who, colon, rest = line.partition(":")
        name = " ".join(who.split())
        # `A1:D1` is no name with a colon, and a line without a name may reveal a hidden cell to everybody
        if not colon or not self.chat or any(char.isdigit() for char in name):
            return player, line, False
        for seat in range(self.people):
            if name.casefold() in (self.names[seat].casefold(), self.called[seat].casefold()):
                return seat, rest.strip(), True
        return -1, name, True

    def name(self, cell: int, width: int) -> str:
        """Return the name of a cell, counted by rows from 0, on a field of `width` columns."""
        return f"{self.letters[cell % width]}{cell // width + 1}"

    def cell(self, typed: str, width: int, height: int, letters: str | None = None) -> int:
        """Parse a typed cell into its index, counted by rows from 0; -1 if it is not a cell of this field.

        letters: to read it by, if not those of the columns.
        """
        place = parse_cell(typed, max(width, height), self.letters if letters is None else letters)
        if place is None or place[0] > width or place[1] > height:
            return -1
        return (place[1] - 1) * width + place[0] - 1

    def no_cell(self, typed: str, width: int, height: int, help_line: str) -> str:
        """Explain why what was typed is no cell of this field: off the field, or no cell at all."""
        letter = look_alike(typed, self.letters)
        if letter:
            return tr("games_look_alike", cell=typed.upper(), letter=letter, letters=self.letters[:width])
        if self.cell(typed, len(self.letters), _ROWS_MOST) >= 0:
            return tr("off_field_cell", cell=typed.upper(), size=f"{width}x{height}")
        return tr("games_no_cell", text=typed, help=help_line)

    def _read(self) -> str:
        line = sys.stdin.readline()
        if not line:
            raise Left
        # a typed line may be printed again: let no control characters through
        plain = "".join(char if char.isprintable() else "·" for char in line.strip())
        return plain if len(plain) <= _LINE_MOST else plain[: _LINE_MOST - 1] + "…"
