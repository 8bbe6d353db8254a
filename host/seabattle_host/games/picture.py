"""Pictures of a position, as SVG, PNG or text.

The position is that of a game in the history, of an exported file, or of a text with fields as the games print them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from seabattle_host.errors import UserError
from seabattle_host.games import field_view, review
from seabattle_host.games.field_view import (
    BOMB,
    DARK,
    LAST,
    LIGHT,
    MELEE,
    NAMES,
    PAPER,
    RED,
    SALVO,
    SHIP_LETTERS,
    FieldView,
)
from seabattle_host.games.setup import KINDS
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.language.text import read_file, transliterate
from seabattle_host.records.archive import RESULTS, SERIAL, Archive, Game, Move
from seabattle_host.records.paths import archive_path

ENDINGS = (".svg", ".png", ".txt")
STANDARD_OUTPUT = "-"

_CELL = 28
_MARGIN = 34
_INK = "#13293d"
_GROUND = {
    field_view.WATER: "#e8f1f8",
    field_view.MISS: "#e8f1f8",
    field_view.EMPTY: "#e8f1f8",
    field_view.SHIP: "#4f81a8",
    field_view.HIT: "#e69f00",
    field_view.SUNK: "#9c2f00",
}
"""The colour of a cell by its sign; hit and sunk ones get a cross, too, misses and empty ones a dot."""

Attributes = dict[str, float | str]


class Svg:
    """A drawing as SVG. All measures are pixels."""

    def __init__(self, width: int, height: int):
        self._root = ElementTree.Element(
            "svg",
            xmlns="http://www.w3.org/2000/svg",
            width=str(width),
            height=str(height),
            viewBox=f"0 0 {width} {height}",
        )
        self.box(0, 0, width, height, "#ffffff", "#ffffff")

    def box(self, x: int, y: int, width: int, height: int, fill: str, line: str, thick: int = 1) -> None:
        """Draw a rectangle with an outline."""
        shape: Attributes = {"x": x, "y": y, "width": width, "height": height, "fill": fill}
        self._add("rect", {**shape, "stroke": line, "stroke-width": thick})

    def dot(self, x: int, y: int, radius: int, fill: str) -> None:
        """Draw a disc around a point."""
        self._add("circle", {"cx": x, "cy": y, "r": radius, "fill": fill})

    def line(self, x: int, y: int, x2: int, y2: int, colour: str) -> None:
        """Draw a line of 3 pixels."""
        self._add("line", {"x1": x, "y1": y, "x2": x2, "y2": y2, "stroke": colour, "stroke-width": 3})

    def text(self, x: int, y: int, text: str, colour: str = _INK) -> None:
        """Draw text centred at a point."""
        shape: Attributes = {"x": x, "y": y, "fill": colour, "font-size": 14, "font-family": "sans-serif"}
        self._add("text", {**shape, "text-anchor": "middle", "dominant-baseline": "central"}).text = text

    def data(self) -> bytes:
        """Return the file."""
        return ElementTree.tostring(self._root, encoding="utf-8", xml_declaration=True)

    def _add(self, kind: str, attributes: Attributes) -> ElementTree.Element:
        return ElementTree.SubElement(self._root, kind, {name: str(value) for name, value in attributes.items()})


class Png:
    """The same drawing as PNG, by Pillow. Text is transliterated to Latin letters."""

    def __init__(self, width: int, height: int):
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError as error:
            raise UserError(tr("no_pillow")) from error
        self._image = Image.new("RGB", (width, height), "#ffffff")
        self._draw = ImageDraw.Draw(self._image)
        self._font = ImageFont.load_default(14)

    def box(self, x: int, y: int, width: int, height: int, fill: str, line: str, thick: int = 1) -> None:
        """Draw a rectangle with an outline."""
        self._draw.rectangle((x, y, x + width, y + height), fill if fill != "none" else None, line, thick)

    def dot(self, x: int, y: int, radius: int, fill: str) -> None:
        """Draw a disc around a point."""
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def line(self, x: int, y: int, x2: int, y2: int, colour: str) -> None:
        """Draw a line of 3 pixels."""
        self._draw.line((x, y, x2, y2), colour, 3)

    def text(self, x: int, y: int, text: str, colour: str = _INK) -> None:
        """Draw text centred at a point."""
        self._draw.text((x, y), transliterate(text), colour, self._font, "mm")

    def data(self) -> bytes:
        """Return the file."""
        import io

        out = io.BytesIO()
        self._image.save(out, "PNG")
        return out.getvalue()


def from_history(number: int) -> Game:
    """Load a game of the history. Raises UserError if there is none of that number."""
    if not archive_path().exists():
        raise UserError(tr("games_no_such_game", number=number))
    with Archive() as archive:
        return archive.game(number)


def read(path: Path) -> Game | list[FieldView]:
    """Read a game written by `seabattle history export`, or the fields of a text.

    Raises UserError if the file is neither.
    """
    try:
        content = read_file(path)
        if content.lstrip()[:1] in ("{", "["):
            return _game(json.loads(content))
    except OSError as error:
        raise UserError(tr("games_cannot_read", path=path, why=why(error))) from error
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise UserError(tr("no_game_file", path=path)) from error
    try:
        seen = field_view.read(content)
    except ValueError as error:
        raise UserError(tr("bad_field_text", path=path, line=error.args[0])) from error
    if not seen:
        raise UserError(tr("no_game_file", path=path))
    return seen


def _game(data: dict[str, Any]) -> Game:
    """Parse an exported game. Raises an error that `read` handles if it cannot be drawn."""
    kind = data.get("kind", SERIAL)
    players = KINDS[kind] if kind != SERIAL else 2
    fleet = {int(length): int(count) for length, count in data["fleet"].items()}
    ships = [own and [[(int(x), int(y)) for x, y in ship] for ship in own] for own in data["ships"]]
    moves = [
        Move(int(move["player"]), int(move["x"]), int(move["y"]), RESULTS.index(move["result"]))
        for move in data["moves"]
    ]
    names = [str(name) for name in data["players"]][:players]
    details = dict(data.get("details", {}))
    width, height = int(data["width"]), int(data["height"])
    game = Game(names, width, height, fleet, kind=kind, ships=ships, moves=moves, details=details)
    if kind == SERIAL and width != height:
        raise ValueError("not a field of the protocol")
    if any(not 0 <= move.player < players for move in moves) or len(names) < players:
        raise ValueError("no such player")
    review.views(game, moves)
    return game


def as_text(seen: Sequence[FieldView]) -> str:
    """Return the fields as text that `read` understands."""
    lines = []
    for field in seen:
        lines += [field.title, *(line.plain for line in field_view.lines(field)), ""]
    return "\n".join(lines)


def draw(seen: Sequence[FieldView], drawing: Callable[[int, int], Svg | Png]) -> bytes:
    """Draw fields as a file of the kind `drawing`: two side by side, more of them in pairs below each other."""
    rows = _pairs(seen)
    width = max(sum(field.width * _CELL + 2 * _MARGIN for field in row) for row in rows)
    heights = [max(field.height for field in row) * _CELL + 2 * _MARGIN for row in rows]
    canvas = drawing(width, sum(heights))
    top = _MARGIN
    for row, height in zip(rows, heights, strict=True):
        left = _MARGIN
        for field in row:
            _draw_field(canvas, left, top, field)
            left += field.width * _CELL + 2 * _MARGIN
        top += height
    return canvas.data()


def _pairs(seen: Sequence[FieldView]) -> list[list[FieldView]]:
    """Group fields: one's own with what is known of the opponent's. Two fields always form a pair."""
    if len(seen) <= 2:
        return [list(seen)]
    rows: list[list[FieldView]] = []
    for field in seen:
        if rows and len(rows[-1]) == 1 and _own(rows[-1][0]) and not _own(field):
            rows[-1].append(field)
        else:
            rows.append([field])
    return rows


def _own(field: FieldView) -> bool:
    """Return whether the field shows ships (in the classic game: not yet hit), as only one's own does."""
    whole = SHIP_LETTERS if field.kind == SALVO else field_view.SHIP
    return any(sign[0] in whole for sign in field.signs)


def _draw_field(canvas: Svg | Png, left: int, top: int, field: FieldView) -> None:
    side = field.width * _CELL
    title = re.sub(r"\s+", " ", field.title)
    canvas.text(left + side // 2, top + field.height * _CELL + _MARGIN // 2, title)
    for i in range(field.width):
        canvas.text(left + i * _CELL + _CELL // 2, top - 12, field.letters[i])
    for i in range(field.height):
        canvas.text(left - 14, top + i * _CELL + _CELL // 2, str(i + 1))
    for cell, sign in enumerate(field.signs):
        x = left + cell % field.width * _CELL
        y = top + cell // field.width * _CELL
        {MELEE: _melee_cell, SALVO: _salvo_cell}.get(field.kind, _cell)(canvas, x, y, sign)
    if field.kind not in (MELEE, SALVO):
        for cell, sign in enumerate(field.signs):
            if sign[0] == LAST:
                x = left + cell % field.width * _CELL
                y = top + cell // field.width * _CELL
                canvas.box(x + 1, y + 1, _CELL - 2, _CELL - 2, "none", RED, 3)


def _cell(canvas: Svg | Png, x: int, y: int, sign: str) -> None:
    sign = sign.lstrip(LAST)
    canvas.box(x, y, _CELL, _CELL, _GROUND[sign], "#8aa4b8")
    half = _CELL // 2
    if sign in (field_view.MISS, field_view.EMPTY):
        canvas.dot(x + half, y + half, 4 if sign == field_view.MISS else 2, _INK)
    if sign in (field_view.HIT, field_view.SUNK):
        _cross(canvas, x, y, "#ffffff" if sign == field_view.SUNK else _INK)


def _cross(canvas: Svg | Png, x: int, y: int, colour: str) -> None:
    gap = 7
    canvas.line(x + gap, y + gap, x + _CELL - gap, y + _CELL - gap, colour)
    canvas.line(x + gap, y + _CELL - gap, x + _CELL - gap, y + gap, colour)


def _melee_cell(canvas: Svg | Png, x: int, y: int, sign: str) -> None:
    """Draw a cell in its owner's colour, light if intact and dark if hit; the last move is red."""
    last = sign[0] == LAST
    body = sign.lstrip(LAST)
    half = _CELL // 2
    owner = NAMES.find(body[-1].upper())
    ground = PAPER
    if owner >= 0:
        ground = LIGHT[owner] if body[-1].islower() else RED if last else DARK[owner]
    canvas.box(x, y, _CELL, _CELL, ground, "#c9c2ad")
    if body == field_view.MISS:
        canvas.dot(x + half, y + half, 4, RED if last else "#000000")
    elif body[0] == BOMB:
        canvas.line(x + half, y + half, x + _CELL - 6, y + 6, "#ffb000")
        canvas.dot(x + half - 2, y + half + 2, 8, "#000000")
    elif owner >= 0 and not body[-1].islower():
        _cross(canvas, x, y, "#ffffff")
    elif body != field_view.WATER:
        canvas.text(x + half, y + half, body)


def _salvo_cell(canvas: Svg | Png, x: int, y: int, sign: str) -> None:
    """Draw a cell with its ship's letter and the round of the shot, in another colour if the ship was hit."""
    ship, number = sign.rstrip("0123456789"), sign.lstrip(SHIP_LETTERS)
    ground = _GROUND[
        field_view.WATER if ship in ("", field_view.WATER) else field_view.HIT if number.isdigit() else field_view.SHIP
    ]
    canvas.box(x, y, _CELL, _CELL, ground, "#8aa4b8")
    if sign != field_view.WATER:
        canvas.text(x + _CELL // 2, y + _CELL // 2, sign)
