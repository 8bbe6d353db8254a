"""`seabattle picture`: a position of a game as a picture, SVG or PNG, from the history or from an exported file."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from seabattle import fleet as fleets
from seabattle_host import options, words
from seabattle_host.archive import RESULTS, Archive, Game, Move, default_path
from seabattle_host.errors import UserError
from seabattle_host.games.phrases import say
from seabattle_host.text import COLUMNS_EN, transliterate
from seabattle_host.tui import looks
from seabattle_host.tui.position import LENGTHS, ME, PEER, Position

ENDINGS = (".svg", ".png")

_CELL = 28
_MARGIN = 34
_INK = "#13293d"
_WATER = {
    looks.UNKNOWN: "#c7d5e0",
    looks.WATER: "#e8f1f8",
    looks.MISS: "#e8f1f8",
    looks.EMPTY: "#e8f1f8",
    looks.SHIP: "#4f81a8",
    looks.HIT: "#e69f00",
    looks.SUNK: "#9c2f00",
}
"""The colour of a cell by its look; hit and sunk ones have a cross besides, shot and empty ones a dot."""

Attributes = dict[str, float | str]


class Svg:
    """A picture that is kept as shapes. All measures are pixels."""

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
        """A rectangle with an outline."""
        shape: Attributes = {"x": x, "y": y, "width": width, "height": height, "fill": fill}
        self._add("rect", {**shape, "stroke": line, "stroke-width": thick})

    def dot(self, x: int, y: int, radius: int, fill: str) -> None:
        """A disc around a point."""
        self._add("circle", {"cx": x, "cy": y, "r": radius, "fill": fill})

    def line(self, x: int, y: int, x2: int, y2: int, colour: str) -> None:
        """A line of 3 pixels."""
        self._add("line", {"x1": x, "y1": y, "x2": x2, "y2": y2, "stroke": colour, "stroke-width": 3})

    def text(self, x: int, y: int, text: str) -> None:
        """Words with their middle at a point."""
        shape: Attributes = {"x": x, "y": y, "fill": _INK, "font-size": 14, "font-family": "sans-serif"}
        self._add("text", {**shape, "text-anchor": "middle", "dominant-baseline": "central"}).text = text

    def data(self) -> bytes:
        """The file."""
        return ElementTree.tostring(self._root, encoding="utf-8", xml_declaration=True)

    def _add(self, kind: str, attributes: Attributes) -> ElementTree.Element:
        return ElementTree.SubElement(self._root, kind, {name: str(value) for name, value in attributes.items()})


class Png:
    """The same picture as dots, by Pillow. Its letters are Latin ones."""

    def __init__(self, width: int, height: int):
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError as error:
            raise UserError(say("no_pillow")) from error
        self._image = Image.new("RGB", (width, height), "#ffffff")
        self._draw = ImageDraw.Draw(self._image)
        self._font = ImageFont.load_default(14)

    def box(self, x: int, y: int, width: int, height: int, fill: str, line: str, thick: int = 1) -> None:
        """A rectangle with an outline."""
        self._draw.rectangle((x, y, x + width, y + height), fill if fill != "none" else None, line, thick)

    def dot(self, x: int, y: int, radius: int, fill: str) -> None:
        """A disc around a point."""
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def line(self, x: int, y: int, x2: int, y2: int, colour: str) -> None:
        """A line of 3 pixels."""
        self._draw.line((x, y, x2, y2), colour, 3)

    def text(self, x: int, y: int, text: str) -> None:
        """Words with their middle at a point."""
        self._draw.text((x, y), transliterate(text), _INK, self._font, "mm")

    def data(self) -> bytes:
        """The file."""
        import io

        out = io.BytesIO()
        self._image.save(out, "PNG")
        return out.getvalue()


def register(subparsers: argparse._SubParsersAction) -> None:
    """Declare the command and its options."""
    about = say("picture_about")
    parser = subparsers.add_parser("picture", help=about, description=about)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("file", nargs="?", type=Path, metavar="FILE", help=say("help_picture_file"))
    which.add_argument("--game", type=options.whole(1, 2**31), metavar="N", help=say("help_picture_game"))
    parser.add_argument("--after", type=options.whole(0, 10**6), metavar="MOVES", help=say("help_picture_after"))
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE.svg|FILE.png", help=say("help_picture_output")
    )
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw the picture; return the exit status."""
    if args.output.suffix.lower() not in ENDINGS:
        raise UserError(words.say("bad_plot", path=args.output))
    game = read(args.file) if args.file else kept(args.game)
    moves = game.moves if args.after is None else game.moves[: args.after]
    drawing = Svg if args.output.suffix.lower() == ".svg" else Png
    data = draw(Position(game, moves), drawing)
    try:
        args.output.write_bytes(data)
    except OSError as error:
        raise UserError(words.say("cannot_write", path=args.output, why=error.strerror or error)) from error
    return 0


def kept(number: int) -> Game:
    """A game of the history. Raises UserError if there is none of that number."""
    if not default_path().exists():
        raise UserError(say("no_such_game", number=number))
    with Archive() as archive:
        return archive.game(number)


def read(path: Path) -> Game:
    """A game that `seabattle history export` has written. Raises UserError if the file is no such game."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return _game(data)
    except OSError as error:
        raise UserError(say("cannot_read", path=path, why=error.strerror or error)) from error
    except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        raise UserError(say("no_game_file", path=path)) from error


def _game(data: dict[str, Any]) -> Game:
    """The game in an export. Raises one of what `read` words if it cannot be drawn."""
    size = data["width"]
    fleet = {int(length): int(count) for length, count in data["fleet"].items()}
    n4, n3, n2, n1 = (fleet.get(length, 0) for length in LENGTHS)
    if fleets.check(size, n4, n3, n2, n1, True) or size != data["height"]:
        raise ValueError("not a field and a fleet of the protocol")
    ships = [own and [[(int(x), int(y)) for x, y in ship] for ship in own] for own in data["ships"]]
    moves = [
        Move(int(move["player"]), int(move["x"]), int(move["y"]), RESULTS.index(move["result"]))
        for move in data["moves"]
    ]
    for x, y in [cell for own in ships for ship in own or () for cell in ship] + [(m.x, m.y) for m in moves]:
        if not (1 <= x <= size and 1 <= y <= size):
            raise ValueError("off the field")
    if any(move.player not in (ME, PEER) for move in moves):
        raise ValueError("a game of two")
    return Game([str(name) for name in data["players"]][:2], size, size, fleet, ships=ships, moves=moves)


def draw(position: Position, drawing: Callable[[int, int], Svg | Png]) -> bytes:
    """Both fields side by side, the own one on the left, as a file of the kind `drawing`."""
    side = position.width * _CELL
    step = side + 2 * _MARGIN
    canvas = drawing(2 * step, position.height * _CELL + 2 * _MARGIN)
    names = position.game.players
    for field, (states, last) in enumerate(
        ((position.mine(), position.last_cell(PEER)), (position.theirs(), position.last_cell(ME)))
    ):
        left = field * step + _MARGIN
        name = names[field] if field < len(names) else ""
        canvas.text(left + side // 2, _MARGIN + position.height * _CELL + _MARGIN // 2, re.sub(r"\s+", " ", name))
        for i in range(position.width):
            canvas.text(left + i * _CELL + _CELL // 2, _MARGIN - 12, COLUMNS_EN[i])
        for i in range(position.height):
            canvas.text(left - 14, _MARGIN + i * _CELL + _CELL // 2, str(i + 1))
        for cell, state in enumerate(states):
            x = left + cell % position.width * _CELL
            y = _MARGIN + cell // position.width * _CELL
            _cell(canvas, x, y, state)
        for cell in last:
            x = left + cell % position.width * _CELL
            y = _MARGIN + cell // position.width * _CELL
            canvas.box(x + 1, y + 1, _CELL - 2, _CELL - 2, "none", "#d00000", 3)
    return canvas.data()


def _cell(canvas: Svg | Png, x: int, y: int, state: int) -> None:
    canvas.box(x, y, _CELL, _CELL, _WATER[state], "#8aa4b8")
    half = _CELL // 2
    if state in (looks.MISS, looks.EMPTY):
        canvas.dot(x + half, y + half, 4 if state == looks.MISS else 2, _INK)
    if state in (looks.HIT, looks.SUNK):
        gap = 7
        canvas.line(x + gap, y + gap, x + _CELL - gap, y + _CELL - gap, "#ffffff" if state == looks.SUNK else _INK)
        canvas.line(x + gap, y + _CELL - gap, x + _CELL - gap, y + gap, "#ffffff" if state == looks.SUNK else _INK)
