"""Fields of the games at one screen as widgets: one or two side by side, with what each is above it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rich.style import Style
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Region

from seabattle_host import cells
from seabattle_host.games.field_view import (
    BOMB_SIGN,
    CLASSIC,
    EMPTY,
    HIT,
    LAST,
    MELEE,
    MISS,
    SALVO,
    SHIP,
    SUNK,
    WATER,
    Sight,
    cell_text,
    style,
)
from seabattle_host.tui.board_view import LABELS, BoardView
from seabattle_host.tui.widgets import Plain

_LOOKS = {
    WATER: cells.UNKNOWN,
    SHIP: cells.SHIP,
    MISS: cells.MISS,
    EMPTY: cells.EMPTY,
    HIT: cells.HIT,
    SUNK: cells.SUNK,
}
_LEAST = {CLASSIC: 1, SALVO: 3, MELEE: 2}
_MOST = {CLASSIC: 3, SALVO: 4, MELEE: 3}
"""Characters of a cell, by kind of game."""

_ABOUT = 2
"""Lines above a field: what it is, and the letters of its columns."""


class SightsView(VerticalScroll):
    """At most two fields. A field that is higher than its room follows the cursor."""

    DEFAULT_CSS = """
    SightsView { overflow-x: auto; scrollbar-size: 1 1; height: 100%; width: auto; }
    SightsView Horizontal { height: auto; width: auto; }
    SightsView .side-field { min-width: 4; }
    """

    def __init__(self, ascii_only: bool, **kwargs: str | None):
        super().__init__(can_focus=False, **kwargs)  # type: ignore[arg-type]
        self.ascii_only = ascii_only
        self.pretty = not ascii_only and "NO_COLOR" not in os.environ
        """Whether a melee is told by colours and signs beyond ASCII; by its letters otherwise."""
        self.sights: Sequence[Sight] = ()

    def compose(self) -> ComposeResult:
        with Horizontal():
            for i in range(2):
                with Vertical(id=f"sight-{i}", classes="side-field"):
                    yield Plain("", classes="field-name")
                    yield BoardView(ascii_only=self.ascii_only, interactive=False, id=f"field-{i}")

    def board(self, i: int) -> BoardView:
        """The widget of a field."""
        return self.query_one(f"#field-{i}", BoardView)

    @property
    def high(self) -> int:
        """Lines that the fields need."""
        return _ABOUT + max((sight.height for sight in self.sights), default=0)

    def show(self, sights: Sequence[Sight]) -> None:
        """Other fields, or none; `fit` follows."""
        self.sights = sights
        for i in range(2):
            self.query_one(f"#sight-{i}").display = i < len(sights)
            if i < len(sights):
                sight, board = sights[i], self.board(i)
                if (board.columns, board.rows) != (sight.width, sight.height):
                    board.resize_field(sight.width, sight.height)
                board.letters = sight.letters
                self.query_one(f"#sight-{i} .field-name", Plain).update(sight.title)

    def fit(self, room: int, beside: int) -> int:
        """Draw the fields into so many characters, and leave `beside` of them free if that can be.

        The number of characters that they take.
        """
        if not self.sights:
            return 0
        kind = self.sights[0].kind
        columns = sum(sight.width for sight in self.sights)
        labels = (LABELS + 1) * len(self.sights)
        least, most = _LEAST[kind], _MOST[kind]
        wide = max(least, min(most, (room - labels - beside) // columns))
        if wide == least and kind != MELEE:
            # then nothing stands beside them, and they have all the room
            wide = max(least, min(2 if kind == CLASSIC else most, (room - labels) // columns))
        for i, sight in enumerate(self.sights):
            board = self.board(i)
            board.cell_width = wide
            if sight.kind == CLASSIC:
                states = [_LOOKS[sign.lstrip(LAST)] for sign in sight.signs]
                board.show(states, last={c for c, sign in enumerate(sight.signs) if sign[0] == LAST})
            else:
                board.show_drawn([self._drawn(sight, cell, wide) for cell in range(len(sight.signs))])
        return labels + wide * columns

    def follow(self, board: BoardView, cell: int) -> None:
        """Let a cell be in sight."""
        x, y = board.place_of(cell)
        region = Region(x, board.virtual_region.y + y, 1, 1)
        self.scroll_to_region(region, animate=False, force=True)

    def _drawn(self, sight: Sight, cell: int, wide: int) -> tuple[str, Style]:
        sign = sight.signs[cell]
        if sight.kind == MELEE:
            text = cell_text(sight, cell, self.pretty).ljust(wide)
            if text[0] == BOMB_SIGN:
                # a bomb takes two characters, and stands under the letter of its column
                text = BOMB_SIGN if wide == 2 else f" {BOMB_SIGN}"
        else:
            text = sign.center(wide) if len(sign) < 2 else f"{sign:>{wide - 1}} " if len(sign) < wide else sign
        return text, Style.parse(style(sight, sign) or "default")
