"""Field views: what one player may see of a field, a sign for each cell; written as text, drawn, and read back.

A `FieldView` holds nothing that its viewer may not know. The signs are those of the text:

classic, serial  `.` water or unknown, `@` ship, `o` miss, `-` known empty, `X` hit, `#` sunk
melee            `.` unknown, `o` miss or empty, `a` an intact ship of A, `A` hit, `#A` sunk, `*A` sunk by the last move
salvo            `.` water or not fired at, a ship's letter, the number of the round of a shot, or both
all but salvo    `!` before a sign: the last move
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seabattle import melee as melees
from seabattle import salvo as salvos
from seabattle.melee import Melee
from seabattle.salvo import View
from seabattle.variants import VariantField, VariantRadar
from seabattle_host import cells
from seabattle_host.language import words
from seabattle_host.language.text import COLUMNS_EN, LETTERS

if TYPE_CHECKING:
    from rich.text import Text

CLASSIC, SALVO, MELEE = "classic", "salvo", "melee"

NAMES = "ABC"
"""The players' letters."""

WATER, SHIP, MISS, EMPTY, HIT, SUNK = ".@o-X#"
LAST, BOMB = "!*"
BOMB_SIGN = "💣"
"""A bomb where it can be displayed; two characters wide."""

SHIP_LETTERS = "CBRSD"
"""The letter of each ship in a salvo."""

LIGHT = ("#87cefa", "#90ee90", "#ffc680")
"""The players' colours in a melee: light blue, light green, light orange."""
DARK = ("#1e64b4", "#1d7a1d", "#b85c00")
"""A darker shade of each, for hit and sunk ships."""
PAPER = "#f4f1e8"
"""The background of a melee, light enough for black dots."""
RED = "#d00000"

SIGNS = {
    cells.UNKNOWN: WATER,
    cells.WATER: WATER,
    cells.MISS: MISS,
    cells.EMPTY: EMPTY,
    cells.SHIP: SHIP,
    cells.HIT: HIT,
    cells.SUNK: SUNK,
}
"""The sign of each state of a cell in a classic game."""
_STYLES = {WATER: "dim", SHIP: "bold cyan", MISS: "", EMPTY: "dim", HIT: "bold yellow", SUNK: "bold red"}


def usual_letters() -> str:
    """Return the name of the column letters usual in the language of the interface."""
    return "russian" if words.russian() else "latin"


@dataclass(frozen=True)
class FieldView:
    """A view of a field of width x height cells. signs: by cell. title: its owner, or what is shown."""

    kind: str
    width: int
    height: int
    signs: Sequence[str]
    title: str = ""
    letters: str = COLUMNS_EN

    @property
    def wide(self) -> int:
        """Characters per cell in the text form."""
        return 4 if self.kind == SALVO else 2

    @property
    def latest(self) -> int:
        """The last round in which this field was fired at; 0 for none, and in games without rounds."""
        return max((int(number) for sign in self.signs if (number := sign.lstrip(SHIP_LETTERS)).isdigit()), default=0)


# Views by game.


def own_field(field: VariantField, title: str = "", letters: str = COLUMNS_EN, last: int = -1) -> FieldView:
    """Return a classic field with its ships. last: the cell of the last shot at it, -1 for none."""
    signs = [SIGNS[cells.own_state(field, cell)] for cell in range(field.cells)]
    if last >= 0:
        signs[last] = LAST + signs[last]
    return FieldView(CLASSIC, field.width, field.height, signs, title, letters)


def others_field(known: VariantRadar, title: str = "", letters: str = COLUMNS_EN, last: int = -1) -> FieldView:
    """Return a classic field as far as known from the shots."""
    signs = [SIGNS[state] for state in cells.known_states(known.cell[: known.cells])]
    if last >= 0:
        signs[last] = LAST + signs[last]
    return FieldView(CLASSIC, known.width, known.height, signs, title, letters)


def salvo_own(view: View, title: str = "") -> FieldView:
    """Return one's own field in a salvo."""
    signs = []
    for cell in range(salvos.CELLS):
        ship = "" if view.own[cell] == salvos.NONE else SHIP_LETTERS[view.own[cell]]
        signs.append(f"{ship}{view.received[cell]}" if view.received[cell] else ship or WATER)
    return FieldView(SALVO, salvos.SIZE, salvos.SIZE, signs, title)


def salvo_fired(view: View, title: str = "") -> FieldView:
    """Return one's shots in a salvo: their rounds, but not their hits."""
    signs = [str(number) if number else WATER for number in view.fired]
    return FieldView(SALVO, salvos.SIZE, salvos.SIZE, signs, title)


def melee_field(
    game: Melee, player: int, title: str = "", letters: str = COLUMNS_EN, open_all: bool = False
) -> FieldView:
    """Return the common field as a player sees it, NOBODY for a spectator.

    `open_all` shows all ships, after the end.
    """
    signs = []
    for cell in range(melees.CELLS):
        viewer = (game.ship[cell] - 1) // melees.SHIPS if open_all and game.ship[cell] else player
        seen, owner = game.seen(viewer, cell), game.owner_seen(viewer, cell)
        last = game.last_mark(cell)
        if seen == melees.UNKNOWN:
            sign = WATER
        elif seen == melees.OWN:
            sign = NAMES[owner].lower()
        elif seen == melees.WATER:
            sign = LAST + MISS if last else MISS
        elif seen == melees.WRECK:
            sign = (BOMB if last else SUNK) + NAMES[owner]
        else:
            sign = (LAST if last else "") + NAMES[owner]
        signs.append(sign)
    return FieldView(MELEE, melees.SIZE, melees.SIZE, signs, title, letters)


# Text form.


def style(view: FieldView, sign: str) -> str:
    """Return the style of a sign in a terminal."""
    last = sign[0] == LAST and len(sign) > 1
    body = sign.lstrip(LAST)
    if view.kind == MELEE:
        if body in (WATER, MISS):
            ink = "#b9b29d" if body == WATER else RED if last else "#000000"
            return f"{ink} on {PAPER}"
        owner = NAMES.find(body[-1].upper())
        if owner < 0:
            return ""
        if body[-1].islower():
            return f"#000000 on {LIGHT[owner]}"
        return f"bold #ffffff on {RED}" if last else f"bold #ffffff on {DARK[owner]}"
    if view.kind == SALVO:
        ship, number = sign.rstrip("0123456789"), sign.lstrip(SHIP_LETTERS)
        if not number.isdigit():
            return "dim" if sign == WATER else "bold cyan"
        return "bold red" if ship else "bold" if int(number) == view.latest else ""
    return (_STYLES.get(body, "") + (" reverse" if last else "")).strip()


def cell_text(view: FieldView, cell: int, pretty: bool = False, wide: int = 0) -> str:
    """Return a cell's sign, beyond ASCII if `pretty`.

    It is right-aligned in `wide` characters, by default those of the text form.
    """
    sign = view.signs[cell]
    wide = wide or view.wide
    if pretty and view.kind == MELEE:
        if sign.lstrip(LAST) in (WATER, MISS):
            return f"{'·' if sign == WATER else '•':>{wide}}"
        if sign[0] == BOMB:
            return f"{'':>{wide - 2}}{BOMB_SIGN}"
    return f"{sign:>{wide}}"


def lines(view: FieldView, pretty: bool = False) -> list[Text]:
    """Return the text form: a line with the column letters, then one per row."""
    from rich.text import Text  # as slow to import as all of this module, and few commands need it

    head = "   " + "".join(f"{letter:>{view.wide}}" for letter in view.letters[: view.width])
    rows = [Text(head)]
    for y in range(view.height):
        line = Text(f"{y + 1:2} ")
        for cell in range(y * view.width, (y + 1) * view.width):
            line.append(cell_text(view, cell, pretty), style(view, view.signs[cell]))
        rows.append(line)
    return rows


def side_by_side(left: FieldView, right: FieldView) -> list[Text]:
    """Return two fields of the same size side by side, with their titles above."""
    from rich.text import Text

    width = 3 + left.wide * left.width
    rows = [Text(f"   {left.title}".ljust(width + 3) + f"   {right.title}")]
    for one, other in zip(lines(left), lines(right), strict=True):
        one.append(" " * (width - len(one)) + "   ")
        one.append_text(other)
        rows.append(one)
    return rows


# Reading back.

_SIGN = re.compile(r"[CBRSD]?[1-9]\d?\d?|[!#*][ABC]|![.@oX#-]|[.@oX#-]|[ABCabc]|[RSD]")
"""One sign; if it takes both characters of a cell, no space separates it from the one before."""
_FOR = re.compile(r"^\s*[ABC*]:(?=\s)")
"""The addressee of a line."""
_SIDE_MOST = 26


def read(text: str) -> list[FieldView]:
    """Parse the fields in a text: one or more, below or beside each other.

    Other lines and addressees (`A:`) are ignored; the line just above a field is its title, unless it has an addressee.

    Raises ValueError with the line's number for a broken row of a field.
    """
    found: list[FieldView] = []
    heads: list[list[str]] = []
    rows: list[list[list[str]]] = []
    title = before = ""
    for number, line in enumerate(text.splitlines(), 1):
        bare = _FOR.sub("", line)
        parts = bare.split()
        letters = _heads(parts)
        if letters:
            found += _finish(heads, rows, title)
            heads, rows = letters, [[] for _ in letters]
            title = before if len(letters) == 1 else ""
        before = bare.strip() if bare == line else ""
        if letters:
            continue
        if not heads or not parts:
            continue
        if parts[0] != str(len(rows[0]) + 1):
            # after the last row of these fields
            found += _finish(heads, rows, title)
            heads, rows = [], []
            continue
        signs = _signs(parts)
        for columns, row in zip(heads, rows, strict=True):
            cells = signs[1 : 1 + len(columns)]
            if signs[:1] != [str(len(row) + 1)] or len(cells) < len(columns):
                raise ValueError(number)
            row.append(cells)
            signs = signs[1 + len(columns) :]
        if signs or len(rows[0]) > _SIDE_MOST:
            raise ValueError(number)
    return found + _finish(heads, rows, title)


def _heads(parts: list[str]) -> list[list[str]]:
    """Return the column letters of each field whose head line this is; none if it is no head line."""
    if len(parts) < 2:
        return []
    for letters in LETTERS.values():
        ends = [i for i, part in enumerate(parts) if part == letters[0]] + [len(parts)]
        fields = [parts[first:last] for first, last in itertools.pairwise(ends)]
        if ends[0] == 0 and fields and all("".join(field) == letters[: len(field)] for field in fields):
            return fields
    return []


def _signs(parts: list[str]) -> list[str]:
    """Return the signs of a row, its number included; none if there is anything else."""
    signs = []
    for part in parts:
        found = _SIGN.findall(part)
        if "".join(found) != part:
            return []
        signs += found
    return signs


def _finish(heads: list[list[str]], rows: list[list[list[str]]], title: str) -> list[FieldView]:
    views = []
    for columns, lines in zip(heads, rows, strict=True):
        signs = [sign for row in lines for sign in row]
        if signs:
            views.append(
                FieldView(_kind(signs, len(columns)), len(columns), len(lines), signs, title, _letters(columns))
            )
    return views


def _letters(columns: list[str]) -> str:
    named = "".join(columns)
    return next(letters for letters in LETTERS.values() if letters.startswith(named))


def _kind(signs: list[str], width: int) -> str:
    bodies = {sign.lstrip(LAST) for sign in signs}
    if any(body[-1].isdigit() for body in bodies) or (width == salvos.SIZE and bodies & set(SHIP_LETTERS)):
        return SALVO
    return MELEE if any(body[-1].isalpha() and body not in (MISS, HIT) for body in bodies) else CLASSIC
